"""LaTeX as MathML, which browsers draw by themselves: pages need no script and no network for it."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape

_DOLLARS = re.compile(r"(\$\$?)(.+?)\1", re.DOTALL)
_UNKNOWN = re.compile(r"<m[a-z]+[^>]*>\\")
"""A command that the library does not know stays as it is, with its backslash."""


@lru_cache(maxsize=4096)
def mathml(latex: str, *, block: bool = False) -> str:
    """A formula as a ``<math>`` element; the LaTeX itself in ``<code>`` where it cannot be read.

    ``block`` sets it on a line of its own.  The source is kept as the ``alttext``, for readers that
    draw no MathML.

    >>> print(mathml("x<1"))
    <math display="inline" alttext="x&lt;1"><mrow><mi>x</mi><mo>&#x0003C;</mo><mn>1</mn></mrow></math>
    >>> mathml(r"\\left(x")
    '<code class="latex">\\\\left(x</code>'
    """
    return _converted(latex, block) or f'<code class="latex">{escape(latex)}</code>'


def readable(latex: str) -> bool:
    """Can the formula be drawn?

    >>> readable(r"\\frac{1}{2}"), readable("{x"), readable(r"\\quadq")
    (True, False, False)
    """
    return bool(_converted(latex, False))


def _converted(latex: str, block: bool) -> str:
    # an import of 50 ms, which only pages need
    from latex2mathml.converter import convert

    try:
        drawn: str = convert(latex, display="block" if block else "inline")
    except Exception:  # the library's errors have no common ancestor; the caller shows the source
        return ""
    if _UNKNOWN.search(drawn):
        return ""
    return drawn.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "", 1).replace(
        "><", f' alttext="{escape(latex)}"><', 1)


def mixed(text: str) -> str:
    """Prose with formulas between dollar signs, as HTML.

    >>> print(mixed("if $x$ & y"))
    if <math display="inline" alttext="x"><mrow><mi>x</mi></mrow></math> &amp; y
    """
    parts, end = [], 0
    for found in _DOLLARS.finditer(text):
        parts += [escape(text[end:found.start()]), mathml(found[2], block=found[1] == "$$")]
        end = found.end()
    return "".join([*parts, escape(text[end:])])


__all__ = ["mathml", "mixed", "readable"]
