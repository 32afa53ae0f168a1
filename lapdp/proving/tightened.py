"""Bounds with letters that are given as bounds of integrals: F <= T proves s <= t(T) by s <= t(F).

The letters are replaced by the integrals; that the bound grows with them is arithmetic.  A bound
of a Renyi divergence is one of a moment: E <= exp(r (q - 1)) from log(E) / (q - 1) <= r.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Monomial, Polynomial, plus
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.columns import RELATIONS
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover


class Tightened:
    """Proves inequalities in that way, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d

    def relation(self, goal: int, facts: Sequence[int]) -> int | None:
        """The goal ``s <= t``; None where it is not found in this way."""
        d, a = self.d, self.a
        if d.head(goal) != "le":
            return None
        if (found := self._of_divergence(goal, facts)) is not None:
            return found
        letters = {t for t in d.subterms(goal) if d.head(t) == "v" and d.b.sorts[t] == "R"}
        bounds: dict[int, int] = {}
        for i in facts:
            if d.head(d.claim(i)) != "le":
                continue
            s, t = d.kids(d.claim(i))
            if t in letters and a._speaks(s) and t not in d.subterms(s):
                bounds.setdefault(t, i)
        if not bounds:
            return None
        tight = goal
        for t, i in bounds.items():
            tight = d.b.open(d.hole(tight, t), d.kids(d.claim(i))[0])
        rest = [i for i in facts if i not in bounds.values()]
        try:
            inner = a.compared(tight, rest)
            more = a.losses.powers(goal, rest)
            return a.by_arithmetic(goal, [*bounds.values(), *rest, *more, inner])
        except (NotFound, NeedSplit):
            return None

    def _of_divergence(self, goal: int, facts: Sequence[int]) -> int | None:
        """s <= k exp(r c) from s <= k E and log(E) / c <= r, for an exponential k."""
        d, a = self.d, self.a
        for i in facts:
            if d.head(d.claim(i)) != "le" or a._speaks(d.kids(d.claim(i))[1]):
                continue
            low, r = d.kids(d.claim(i))
            factors = d.kids(low) if d.head(low) == "mul" else ()
            logs = [u for u in factors if d.head(u) == "log" and a._speaks(u)]
            under = [u for u in factors if d.head(u) == "inv" and not a._speaks(u)]
            if len(logs) != 1 or len(under) != 1:
                continue
            (moment,), (c,) = d.kids(logs[0]), d.kids(under[0])
            try:
                return self._multiplied(goal, i, moment, c, r, facts)
            except (NotFound, NeedSplit):
                continue
        return None

    def _multiplied(self, goal: int, i: int, moment: int, c: int, r: int, facts: Sequence[int]
                    ) -> int:
        d, a = self.d, self.a
        s, t = d.kids(goal)
        zero, one = d.num(0), d.num(1)
        plain = [j for j in facts if d.head(d.claim(j)) in RELATIONS]
        above = a.plainly(d.mk("lt", zero, c), [j for j in plain if not a._speaks(d.claim(j))], 0)
        some = next((j for j in plain if d.claim(j) == d.mk("lt", zero, moment)), None)
        if len(t_read := a.reader.read(t)) != 1:
            raise NotFound("a bound that is no product")
        if some is None:
            some = a.prove(d.mk("lt", zero, moment), facts)
        whole, bound = d.mk("exp", d.mul(r, c)), d.mk("exp", d.mk("log", moment))
        (m,), (n,) = list(t_read), list(a.reader.read(whole))
        part = a.terms.exponential_part(m)
        rest = a.terms.term({tuple(z for z in m if z not in part): t_read[m]}, "R")
        k = d.mk("exp", a.terms.term(plus(_exponent(a, part), _exponent(a, n), -1), "R"))
        if rest != one:
            k = d.mul(rest, k)
        first = a.compared(d.mk("le", s, d.mul(k, moment)), [j for j in facts if j != i])
        # E = exp(log E) <= exp(r c)
        unit = a.relation(d.mk("eq", d.mul(c, d.mk("inv", c)), one), [above])
        less = d.do("arith", d.mk("le", d.mk("log", moment), d.mul(r, c)), [i, above, unit], [
            [one, [0, 1]], [d.neg(d.mk("log", moment)), [2]]])
        grows = d.onward(a.grows("le", *d.kids(d.claim(less))), less)
        same = d.mp(d.law("exp of log", d.mk("imp", d.claim(some), d.mk("eq", bound, moment)),
                          moment), some)
        size = a.positive(k, [j for j in plain if not a._speaks(d.claim(j))])
        if size is None:
            raise NotFound("a factor without a sign")
        return d.do("arith", goal, [first, grows, same, size], [
            [one, [0]], [one, [1, 3]], [d.neg(k), [2]]])


def _exponent(a: Prover, m: Monomial) -> Polynomial:
    """x with exp(x) = m, a product of exponentials."""
    found: Polynomial = {}
    for atom, e in m:
        found = plus(found, a.terms.argument(atom), e)
    return found
