"""Profiles of a pair one member of which is a mixture: through the one of the other kind.

With 0 <= g <= 1 there are H(P, Q) = oint max(0, g P + (1 - g) Q - x Q), the mixture in the first
place, and K(P, Q) = oint max(0, P - x ((1 - g) P + g Q)), in the second one.  A bound of one kind
by the other for two other distributions is found in two steps, H(M, N) <= H(P, Q) <= K(P, Q): the
latter compares integrands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover


@dataclass(frozen=True)
class Mixed:
    """Is the mixture in the first place; P and Q, the share g of the other one, and x."""

    first: bool
    p: int
    q: int
    share: int
    order: int


class Mixtures:
    """Finds such bounds, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d

    def found(self, goal: int, facts: Sequence[int]) -> int | None:
        """The goal ``s <= t``; None where its sides are not of the two kinds, or not found so."""
        d = self.d
        if d.head(goal) != "le" or any(d.head(t) != "oint" for t in d.kids(goal)):
            return None
        s, t = d.kids(goal)
        if set(self.a.masses(s)) & set(self.a.masses(t)):
            return None
        one, other = self.kind(s), self.kind(t)
        if one is None or other is None or one.first == other.first or (
                one.share, one.order) != (other.share, other.order):
            return None
        middle = self.profile(Mixed(one.first, other.p, other.q, one.share, one.order))
        try:
            above = self.a.prove(d.mk("le", middle, t), facts)
            below = self.a.prove(d.mk("le", s, middle), facts)
        except (NotFound, NeedSplit):
            return None
        return d.do("arith", goal, [below, above], [[d.num(1), [0]], [d.num(1), [1]]])

    def profile(self, m: Mixed) -> int:
        """The term for a profile of that kind."""
        d, x = self.d, self.d.b.bound(0, "O")
        p, q = (d.mk("dens", d.b.lift(r), x) for r in (m.p, m.q))
        share, order = d.b.lift(m.share), d.b.lift(m.order)
        rest = d.sub(d.num(1), share)
        inside = d.sub(d.add(d.mul(p, share), d.mul(q, rest)), d.mul(order, q)) if m.first else (
            d.sub(p, d.mul(order, d.add(d.mul(p, rest), d.mul(q, share)))))
        return d.mk("oint", d.mk("max", d.num(0), inside))

    def kind(self, t: int) -> Mixed | None:
        """What a term is, its polynomial being that of a profile of one of the kinds."""
        d = self.d
        (body,) = d.kids(t)
        pair = self.a.masses(t)
        if d.head(body) != "max" or d.kids(body)[0] != d.num(0) or len(pair) != 2:
            return None
        _, x = d.fresh("O", "x")
        f = self.a.reader.read(d.b.open(d.kids(body)[1], x))
        closed = [u for u in d.subterms(t) if not d.b.loose[u] and d.b.sorts[u] == "R"]
        orders = [u for u in closed if d.head(u) == "exp"]
        for share in (u for u in closed if d.head(u) == "v"):
            for order in orders:
                for p, q in (pair, pair[::-1]):
                    for first in (True, False):
                        made = Mixed(first, p, q, share, order)
                        inside = d.kids(d.kids(self.profile(made))[0])[1]
                        if self.a.reader.read(d.b.open(inside, x)) == f:
                            return made
        return None
