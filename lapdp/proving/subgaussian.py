"""Moments of a loss between -b and b: oint p (p/q)^r <= e^(r (r + 1) b^2/2) for r > 0.

That moment is at most (e^z + e^-z)/(e^x + e^-x), x = b/2 and z = (r + 1/2) b, the one of randomized
response, and (e^u + e^-u) e^(-u^2/2) does not increase in u >= 0: its derivative is that factor
times -(u (e^u + e^-u) - (e^u - e^-u)).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lapdp.proving.bounded_losses import BoundedLosses
    from lapdp.proving.space import Prover

HALF = Fraction(1, 2)


class SubGaussian:
    """The lemma, derived once, for a :class:`Prover`."""

    def __init__(self, prover: Prover, losses: BoundedLosses) -> None:
        self.a, self.d, self.losses = prover, prover.d, losses
        self._lemma: int | None = None

    def at(self, terms: Sequence[int], *given: int) -> int:
        """M(r) <= e^(r (r + 1) b^2/2) for p, q, r, b, from 0 < r and the profiles that vanish."""
        if self._lemma is None:
            self._lemma = self._made()
        return self.d.at(self._lemma, terms, *given)

    def _made(self) -> int:
        d, one, zero = self.d, self.d.num(1), self.d.num(0)
        letters, (p, q, r, b) = self.losses._setting()
        above = d.assume(d.mk("lt", zero, r))
        nones = [d.assume(d.mk("eq", self.a.guarantees.hinge(*two, b), zero))
                 for two in ((p, q), (q, p))]
        less = self.d.at(self.losses._both_sided(), (p, q, r, b), above, *nones)
        low = self.losses.not_negative(b, nones[0])
        x, z = d.mul(d.num(HALF), b), d.mul(d.add(r, d.num(HALF)), b)
        signs = [d.do("arith", d.mk("le", zero, x), [low], [[d.num(HALF), [0]]]),
                 d.do("arith", d.mk("le", x, z), [low, above], [[one, [0, 1]]])]
        falls = d.mp(d.inst(d.inst(self._falls(), x), z), *signs[:1])
        falls = d.mp(falls, signs[1])
        high = d.mk("exp", b)
        bound = d.mk("exp", d.mul(d.num(HALF), r, d.add(r, one), b, b))
        scale = d.mk("exp", d.add(x, d.mul(d.num(HALF), d.sub(d.mul(z, z), d.mul(x, x)))))
        wide = d.do("arith", d.mk("lt", zero, d.add(one, high)), [d.law(
            "exp positive", d.mk("lt", zero, high), b)], [[one, [0]], [one, []]])
        unit, under = d.reciprocal(wide)
        moment, _ = d.kids(d.claim(less))
        # most (1 + e^b) is the sum at z times the scale
        i = d.do("arith", d.mk("le", moment, bound), [less, falls, d.law(
            "exp positive", d.mk("lt", zero, scale), *d.kids(scale)), under, unit], [
            [one, [0]], [one, [1, 2, 3]], [bound, [4]]])
        for g in (*nones[::-1], above):
            i = d.disch(d.claim(g), i)
        return d.gen_all(letters, i)

    def _sum(self, t: int) -> int:
        d = self.d
        return d.add(d.mk("exp", t), d.mk("exp", d.neg(t)))

    def _falls(self) -> int:
        """all x, z: 0 <= x -> x <= z -> (e^z + e^-z) e^((x^2 - z^2)/2) <= e^x + e^-x."""
        d, zero = self.d, self.d.num(0)
        (x_name, x), (z_name, z), (u_name, u) = (d.fresh("R", n) for n in "xzu")
        rises = self._rises(u_name, u)
        low, order = d.assume(d.mk("le", zero, x)), d.assume(d.mk("le", x, z))

        def factor(t: int) -> int:
            return d.mk("exp", d.mul(d.num(HALF), d.sub(d.mul(x, x), d.mul(t, t))))

        def beside(t: int, between: int) -> list[int]:
            first, _ = d.parts(between)
            least = d.do("arith", d.mk("le", zero, t), [low, first], [
                [d.num(1), [0]], [d.num(1), [1]]])
            size = factor(t)
            large = d.law("exp positive", d.mk("lt", zero, size), *d.kids(size))
            known = d.mp(d.inst(rises, t), least)
            value = d.kids(d.claim(known))[1]
            return [d.do("arith", d.mk("le", zero, d.mul(size, value)), [known, large], [
                [d.num(1), [0, 1]]])]

        goal = d.mk("le", d.mul(self._sum(z), factor(z)), self._sum(x))
        found = self.a.slopes.between(goal, z, x, order, [low, order], beside)
        for g in (order, low):
            found = d.disch(d.claim(g), found)
        return d.gen_all([(x_name, "R"), (z_name, "R")], found)

    def _rises(self, name: str, u: int) -> int:
        """all u: 0 <= u -> 0 <= u (e^u + e^-u) - (e^u - e^-u)."""
        d = self.d
        low = d.assume(d.mk("le", d.num(0), u))
        value = d.sub(d.mul(u, self._sum(u)), d.sub(d.mk("exp", u), d.mk("exp", d.neg(u))))
        found = self.a.slopes.relation(d.mk("le", d.num(0), value), [low])
        return d.gen(name, "R", d.disch(d.claim(low), found))
