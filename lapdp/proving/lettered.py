"""A goal proved with terms in it taken for letters: what holds for all numbers holds for these."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lapdp.proving.space import Prover


def with_letters(a: Prover, goal: int, known: Sequence[int], terms: Sequence[int],
                 by: Callable[[int, list[int]], int] | None = None) -> int:
    """The goal from theorems, whatever the values of these real terms are: by a search, or by what
    is given, a function of the goal and the theorems with letters in them, in the same order."""
    d = a.d
    letters = [d.fresh("R", "t") for _ in terms]
    claims = [goal, *map(d.claim, known)]
    for t, (_, letter) in zip(terms, letters, strict=True):
        claims = [d.b.open(d.hole(f, t), letter) for f in claims]
    given = [d.assume(f) for f in claims[1:]]
    found = by(claims[0], given) if by else a.prove(claims[0], a._closed(given))
    found = d.disch_all(claims[1:], found)
    for t, (name, _) in zip(terms, letters, strict=True):
        found = d.inst(d.gen(name, "R", found), t)
    return d.at(found, (), *known)
