"""The templates of pages and cards: everything from a statement is escaped, formulas are drawn."""

from __future__ import annotations

import base64
import re
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from lapdp.core.verdict import Kind
from lapdp.report.events_in_words import events_in_words
from lapdp.report.html.mathml import mathml, mixed, wrapped
from lapdp.report.html.wording import step
from lapdp.report.text import tried_in_vain

if TYPE_CHECKING:
    from jinja2 import Environment

SIGNS = {Kind.PROVED: "✓", Kind.DERIVED: "⊢", Kind.CERTIFIED: "✓", Kind.TESTED: "≈",
         Kind.ADMITTED: "!", Kind.UNDECIDED: "?", Kind.ILL_FORMED: "∅", Kind.REFUTED: "✗"}
"""A sign beside the word of each verdict: colour alone tells nothing."""

MEANINGS = {
    Kind.PROVED: "true wherever the hypotheses hold: the kernel accepted a derivation",
    Kind.DERIVED: "the engine found an argument that the kernel has not checked",
    Kind.CERTIFIED: "decided by ball arithmetic, with proved radii",
    Kind.TESTED: "agrees at many instances; nothing is proved",
    Kind.ADMITTED: "taken as known, by name",
    Kind.UNDECIDED: "no method reaches it",
    Kind.ILL_FORMED: "has no meaning as printed",
    Kind.REFUTED: "fails at an exact counterexample",
}
"""What each verdict says."""


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The Jinja environment: escapes by itself, and fails on a name that is not given.

    >>> environment().from_string("{{ text }} {{ 'x^2' | math }}").render(text="<b>")[:20]
    '&lt;b&gt; <math disp'
    """
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    found = Environment(
        loader=ChoiceLoader([PackageLoader("lapdp.report.html"), PackageLoader("lapdp.report.site")]
                            ),
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    found.filters |= {"math": math, "mathblock": cut,
                      "prose": prose, "plain": plain_formula}
    found.filters |= {"step": step, "tried_in_vain": tried_in_vain,
                      "events_in_words": events_in_words}
    found.globals |= {"signs": {str(k): v for k, v in SIGNS.items()},
                      "meanings": {str(k): v for k, v in MEANINGS.items()}}
    return found


def asset(name: str, room: str = "lapdp.report.html") -> str:
    """A stylesheet or script of the package.

    >>> ".badge" in asset("base.css")
    True
    """
    return (resources.files(room) / "assets" / name).read_text(encoding="utf-8")


def math_font() -> str:
    """A stylesheet that holds the font of formulas: a page that is opened from disk may read no
    font beside it in some browsers, and where no font has the larger forms of signs braces do not
    stretch.  Its licence is the asset ``math-licence.txt``.
    """
    font = (resources.files("lapdp.report.html") / "assets" / "math.woff2").read_bytes()
    return ('@font-face { font-family: "lapdp Math"; font-display: swap;\n'
            f"  src: url(data:font/woff2;base64,{base64.b64encode(font).decode()}) }}\n")


def plain_formula(latex: str) -> str:
    """A formula in a few words for titles and search: no backslashes or braces.

    >>> plain_formula(r"\\\\delta_{P|Q}(\\\\varepsilon)\\\\leq 1")
    'delta_P|Q(varepsilon) leq 1'
    """
    return re.sub(r"\s+", " ", re.sub(r"\\([a-zA-Z]+)", r" \1", latex)
                  .replace("{", "").replace("}", "").replace("\\", "")
                  ).replace("( ", "(").strip()


def safe(html: str) -> Any:
    """HTML of ours that a template takes as it is; never text of a statement."""
    from markupsafe import Markup

    return Markup(html)


def math(latex: str, block: bool = False) -> Any:
    """A formula, as a template shows it: in the line, or on one of its own."""
    return safe(mathml(latex, block=block))


def cut(latex: str) -> Any:
    """A formula in the line, in pieces that a narrow page sets one below the other."""
    return safe(wrapped(latex))


def prose(text: str) -> Any:
    """Prose with formulas between dollar signs, as a template shows it."""
    return safe(mixed(text))


__all__ = ["MEANINGS", "SIGNS", "asset", "cut", "environment", "math", "math_font", "plain_formula",
           "prose", "safe"]
