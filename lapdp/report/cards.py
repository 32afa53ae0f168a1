"""Cards for notebooks: a statement and what the engine says of it, in mathematics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lapdp.core.errors import InputError
from lapdp.core.verdict import Judgement
from lapdp.theory.judged import Judged
from lapdp.theory.statement import Statement

_COLOURS = {"proved": "green", "derived": "green", "certified": "green", "tested": "teal",
            "admitted": "teal",
            "undecided": "darkorange", "ill-formed": "purple", "refuted": "firebrick"}


@dataclass(frozen=True)
class Card:
    """A judged statement; notebooks draw it, ``print`` writes it, ``judgement`` holds the data."""

    statement: Statement
    judgement: Judgement
    repaired: Card | None = None
    """What holds instead."""

    @property
    def verdict(self) -> str:
        """The verdict as a word: ``proved``, ``refuted``, ..."""
        return str(self.judgement.kind)

    @property
    def record(self) -> dict[str, Any]:
        """Everything as plain data, as ``lapdp verify --json`` writes it."""
        from lapdp.theory.course import describe

        return {**self.judgement.record(), **describe(self.statement),
                "seconds": round(self.judgement.seconds, 4)}

    def svg(self) -> str:
        """The card as a drawing that needs nothing beside it: ``lapdp show ID --svg FILE``."""
        from lapdp.report.svg_card import svg

        return svg(self.record, None if self.repaired is None else self.repaired.record)

    def __str__(self) -> str:
        from lapdp.report.text import full

        return full(self.record)

    def __repr__(self) -> str:
        return f"Card({self.statement.id}: {self.verdict})"

    def _repr_markdown_(self) -> str:
        return card(self.statement, self.judgement)

    def _repr_html_(self) -> str:
        from lapdp.report.html.cards import judged

        return judged(self.statement, self.record,
                      None if self.repaired is None else self.repaired.record)


def show(thing: Any, repaired: Statement | None = None, **options: Any) -> Any:
    """The card of a thing: a statement is judged, what ``verify`` returned is not judged again.

    Arguments: a statement, an id of ./proofs or of the library, or a verdict of
    :func:`lapdp.verify`; ``repaired``, the statement that holds instead, judged too (one that the
    statement names is found by itself); options as for :func:`lapdp.theory.engine.judge`.
    Returns a :class:`Card`.  All else that notebooks draw, such as a pair or the answer of
    ``dominates``, is its own card and is returned.  Raises :class:`InputError` for unknown ids and
    for what has no card.

    >>> from sympy import oo
    >>> from lapdp.theory import *
    >>> P, Q = pair(); Z = PLD(P, Q)
    >>> found = show(claim("mass", Eq(Pr(Z, "<", oo), 1)), numeric=False)
    >>> found, found.judgement.holds_under
    (Card(mass: refuted), 'P << Q')
    """
    from lapdp.theory.discovery import Catalogue
    from lapdp.theory.engine import judge

    known = Catalogue(".")
    if isinstance(thing, str):
        [thing] = known.select([thing])[:1]
    if isinstance(thing, Statement):
        thing = judge(thing, **options)
    if not isinstance(thing, Judged):
        if not hasattr(thing, "_repr_html_"):
            raise InputError(f"there is no card for {str(thing)[:40]}: give a statement, its id, "
                             "or what verify returned")
        return thing
    statement = thing.statement
    if repaired is None and statement.repaired_by and str(thing.kind) not in (
            "proved", "derived", "certified"):
        repaired = known.find(statement.repaired_by, statement)
    return Card(statement, thing, None if repaired is None else Card(
        repaired, judge(repaired, **options)))


def card(statement: Statement, judgement: Judgement) -> str:
    """The card as Markdown with LaTeX."""
    record = Card(statement, judgement).record
    verdict, colour = record["verdict"], _COLOURS[record["verdict"]]
    lines = [f'**{escaped(statement.id)}**: <b style="color:{colour}">{verdict}</b>', ""]
    if statement.printed:
        lines += ["as printed", "", f"$${statement.printed}$$", "", "as checked", ""]
    if statement.corrected:
        lines += ["as it should be printed", "", f"$${statement.corrected}$$", "", "as checked", ""]
    lines += [f"$${statement.encoded}$$", ""]
    lines += [f"- {name}: {said}" for name, said in _said(record)]
    return "\n".join(lines)


def _said(record: Mapping[str, Any]) -> list[tuple[str, str]]:
    from lapdp.report.text import numeric_line, symbolic_line

    found = []
    witness = record["witness"]
    if witness:
        found.append(("witness", f"`{witness['text']}`"))
        found += [(name, f"`{witness[side]}`") for name, side in (
            ("left side", "lhs"), ("right side", "rhs")) if witness[side]]
    if record["holds_under"]:
        found.append(("holds under", f"`{record['holds_under']}` ({record['scope']})"))
    if record["reason"] and not (witness and witness["lhs"]):
        found.append(("reason", escaped(record["reason"])))
    found.append(("symbolic", escaped(symbolic_line(record))))
    if record["numeric"]:
        found.append(("numeric", escaped(numeric_line(record))))
    return found


def escaped(text: str) -> str:
    """Text in which Markdown sees no markup."""
    return "".join("\\" + c if c in "\\`*_{}[]<>$|" else c for c in text)


__all__ = ["Card", "card", "escaped", "show"]
