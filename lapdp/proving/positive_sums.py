"""The positive part of a sum of distributions is no more than the positive ones together.

    oint max(0, c1 p1 + c2 p2 + ...) <= sum of the positive c,

as max(0, sum c p) <= sum of the c p with c >= 0, and the mass of each p is 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Polynomial
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.columns import RELATIONS
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover


class PositiveSums:
    """Derivations of such bounds, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d

    def found(self, goal: int, facts: Sequence[int]) -> int | None:
        """``oint max(0, sum c p) <= t`` where t speaks of no integral; None: another goal, a
        number whose sign is open, or a sum that is not below t."""
        d, (value, most) = self.d, self.d.kids(goal)
        if d.head(goal) != "le" or self.a._speaks(most):
            return None
        weights = self._weights(value)
        if weights is None:
            return None
        try:
            return self._bounded(goal, weights, facts)
        except (NotFound, NeedSplit):
            return None

    def _weights(self, value: int) -> dict[int, int] | None:
        """The number before each distribution, of at least three."""
        d, a = self.d, self.a
        if d.head(value) != "oint" or d.head(d.kids(value)[0]) != "max" or (
                d.kids(d.kids(value)[0])[0] != d.num(0)):
            return None
        name, x = d.fresh("O", "x")
        found: dict[int, Polynomial] = {}
        for m, c in a.reader.read(d.b.open(d.kids(d.kids(value)[0])[1], x)).items():
            at = [(n, e) for n, e in m
                  if (name, "O") in d.b.letters[a.terms.term({((n, 1),): 1})]]
            u = a.terms.term({((at[0][0], 1),): 1}) if len(at) == 1 and at[0][1] == 1 else None
            if u is None or d.head(u) != "dens" or d.kids(u)[1] != x:
                return None
            found.setdefault(d.kids(u)[0], {})[tuple(z for z in m if z != at[0])] = c
        return {p: a.terms.term(f, "R") for p, f in found.items()} if len(found) > 2 else None

    def _sign(self, c: int, facts: Sequence[int]) -> int | None:
        """0 <= c, None where it is not found."""
        a, least = self.a, self.d.mk("le", self.d.num(0), c)
        if (found := a.positive(c, facts, strict=False)) is not None:
            return found
        try:
            return a.relation(least, facts)
        except (NotFound, NeedSplit):
            return None

    def _open(self) -> int:
        raise NotFound("a number whose sign is open")

    def _bounded(self, goal: int, weights: dict[int, int], facts: Sequence[int]) -> int:
        d, a = self.d, self.a
        value, most = d.kids(goal)
        plain = [i for i in facts if d.head(d.claim(i)) in RELATIONS and not a._speaks(d.claim(i))]
        signs, above = [], []
        for p, c in weights.items():
            up = self._sign(c, plain)
            signs.append(up or self._sign(d.neg(c), plain) or self._open())
            above += [] if up is None else [p]
        terms = [a._mass(weights[p], p) for p in above] or [a._mass(d.num(0), next(iter(weights)))]
        total = d.add(*(weights[p] for p in above)) if above else d.num(0)
        whole = terms[0]
        for k, term in enumerate(terms[1:], 2):
            whole = a._sum(d.add(*(weights[p] for p in above[:k])), whole, term)
        name, x = d.fresh("O", "x")
        mine, other = (d.b.open(t, x) for t in (d.kids(value)[0], whole.body))
        masses = {d.kids(d.kids(d.claim(i))[1])[0]: i for i in a._positive(mine)}
        parts = dict(zip(weights, zip(signs, (masses[p] for p in weights), strict=True),
                         strict=True))
        one, (zero, f) = d.num(1), d.kids(mine)

        def below(t: int, which: Sequence[int]) -> int:
            used = [i for p in which for i in parts[p]]
            return d.do("arith", d.mk("le", t, other), used, [
                [one, [2 * k, 2 * k + 1]] for k in range(len(which))])

        both = below(zero, above), below(f, [p for p in weights if p not in above])
        less = d.gen(name, "O", a.prove(d.mk("le", mine, other), both))
        iny = a.prove(d.mk("oiny", *d.kids(value)), facts)
        order = d.do("mono", d.mk("le", value, d.mk("oint", whole.body)), [less, iny, whole.iny])
        rest = a.prove(d.mk("le", total, most), facts)
        return d.do("arith", goal, [order, whole.equation, rest], [
            [one, [0]], [d.num(-1), [1]], [one, [2]]])
