"""Cards for notebooks: blocks of HTML that bring their own style, mathematics and drawings.

A card is at home in any page: its style touches nothing outside, it has no ids and no scripts, and
it reads well where style is taken away.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from lapdp.report.html.environment import asset, environment, safe
from lapdp.report.html.wording import lines

if TYPE_CHECKING:
    from lapdp.theory.instances import Instance
    from lapdp.theory.statement import Statement

MOST_STEPS = 80
"""Steps of a proof that a card lists; ``print`` and the site list them all."""

Result = Mapping[str, Any]


def judged(statement: Statement, record: Result, repaired: Result | None = None, *,
           instance: Instance | None = None) -> str:
    """A judged statement: its record, and what is known of the statement that repairs it.

    ``instance`` is the counterexample where it is at hand; else the one that the record names is
    looked up.
    """
    return framed(statement_card(statement, record, repaired, instance=instance))


def statement_card(statement: Statement, record: Result, repaired: Result | None = None, *,
                   instance: Instance | None = None) -> str:
    """The card without its frame."""
    from lapdp.report.html.sides import around, instance_of

    plot = ""
    if record["witness"]:
        found = instance or instance_of(statement, record["witness"])
        if found is not None:
            plot = around(statement, found)
    return environment().get_template("card.html").render(
        result=record, lines=lines(record), repaired=repaired, plot=safe(plot),
        facts=_facts(record), derived=_derived(statement, record),
        most=MOST_STEPS)


def declared(statement: Statement) -> str:
    """A statement that nobody has judged yet: as printed, as checked, its hypotheses."""
    from lapdp.report.html.wording import heading
    from lapdp.theory.course import describe

    record = describe(statement)
    return framed(environment().get_template("declared.html").render(
        result=record, name=heading(record)))


def framed(inner: str) -> str:
    """A block in its frame, with the style of all blocks; nothing outside of it is touched.

    >>> framed("<p>x</p>").partition("</style>")[2]
    '<div class="lapdp"><p>x</p></div>'
    """
    return f'<style>{_style()}</style><div class="lapdp">{inner}</div>'


@lru_cache(maxsize=1)
def _style() -> str:
    css = re.sub(r"/\*.*?\*/", "", asset("base.css") + asset("cards.css"), flags=re.DOTALL)
    return re.sub(r"\s+", " ", css).strip()


def _derived(statement: Statement, record: Result) -> str:
    """The relation with the method of its proof over the sign."""
    from sympy.core.relational import Relational

    from lapdp.theory.render import SIGNS, latex

    claim = statement.claim
    if record["verdict"] not in ("proved", "derived") or not isinstance(claim, Relational):
        return ""
    method = re.sub(r"[^A-Za-z0-9 ,=.+-]", " ", record["symbolic"]["method"])
    sign = SIGNS[claim.rel_op]
    return (rf"{latex(claim.lhs)} \overset{{\text{{{method}}}}}{{{sign}}} {latex(claim.rhs)}")


def _facts(record: Result) -> list[Any]:
    from lapdp.core.facts import ALL_FACTS, Fact

    known = {fact.name: fact for fact in ALL_FACTS}
    return [known.get(name, Fact(name, "", "")) for name in record["symbolic"]["facts"]]


__all__ = ["declared", "framed", "judged", "statement_card"]
