"""Integrability of cases by their leaves: sums of powers of densities, coefficients of any sign.

``if(c, a m + b n, 0)`` is ``a if(c, m, 0) + b if(c, n, 0)``: with numbers a and b, free of the
outcome, it is integrable if ``if(c, m, 0)`` and ``if(c, n, 0)`` are, whatever the signs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lapdp.proving.derivation import NotFound
from lapdp.proving.majorants import Majorant

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

MOST_LEAVES = 16


class Leaves:
    """Takes a function of the outcome apart into its cases and the terms of each."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d

    def integrable(self, goal: int, facts: Sequence[int]) -> int | None:
        """``oiny f`` from its pieces; None where f is one piece, or no power occurs in it."""
        d, a = self.d, self.a
        (body,) = d.kids(goal)
        if d.head(body) != "if" or d.b.sorts[body] != "R" or not any(
                d.head(t) in ("log", "inv") and a.masses(t) for t in d.subterms(body)):
            return None
        name, x = d.fresh("O", "x")
        at = d.b.open(body, x)
        pieces = self._pieces(at, (), name)
        if not 1 < len(pieces) <= MOST_LEAVES:
            return None
        # of a product with cases the pieces are bounds only: they do not add up to it
        whole = d.add(*(d.mul(c, piece) for c, piece in pieces))
        if a.cheaply.denied(d.mk("eq", whole, at), a._positive(at)):
            return None
        found: Majorant | None = None
        for coefficient, piece in pieces:
            f = d.b.abstract(piece, name, "O")
            try:
                one = Majorant(f, a.prove(d.mk("oiny", f), facts))
            except NotFound:
                return None
            one = a.majorants.scaled(coefficient, one)
            found = one if found is None else a.majorants.added(found, one)
        if found is None:
            return None
        same = d.mk("eq", d.b.open(found.body, x), at)
        everywhere = d.gen(name, "O", a.prove(same, [*facts, *a._positive(at)]))
        return d.onward(d.under("oiny", everywhere), found.iny)

    def _pieces(self, t: int, path: tuple[int, ...], name: str) -> list[tuple[int, int]]:
        """Coefficients and what they multiply, ``if(c, if(c', m, 0), 0)``, for each leaf."""
        d, terms = self.d, self.a.terms
        if d.head(t) == "if":
            c, yes, no = d.kids(t)
            return [*self._pieces(yes, (*path, c), name),
                    *self._pieces(no, (*path, d.mk("not", c)), name)]
        found = []
        for m, w in self.a.majorants.shares(t, name).items():
            piece = terms.term({m: 1}, "R")
            for c in reversed(path):
                piece = (d.mk("if", d.kids(c)[0], d.num(0), piece) if d.head(c) == "not"
                         else d.mk("if", c, piece, d.num(0)))
            found.append((terms.term(w, "R"), piece))
        return found
