"""Expressions in a frequency variable as elements that can be inverted."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from mpmath import mp

from lapdp.calculus import nodes as calculus
from lapdp.privacy import nodes as privacy
from tests.oracle import inversion, reals
from tests.oracle.reals import Unclear, Undefined, add, mul, sub


class Frequencies:
    """:meth:`element`, for a walker with ``signal``, ``scalar``, ``affine`` and ``instance``."""

    def element(self, e, s, gamma):
        """``e`` as a function of ``s`` on the line Re s = gamma."""
        if s not in e.free_symbols:
            return inversion.constant(self.scalar(e))
        if isinstance(e, sp.Add):
            total = {}
            for a in e.args:
                total = inversion.plus(total, self.element(a, s, gamma))
            return total
        if isinstance(e, sp.Mul):
            total = inversion.constant(Fraction(1))
            for a in e.args:
                total = inversion.times(total, self.element(a, s, gamma))
            return total
        if isinstance(e, (calculus.OneSided, calculus.Bilateral)):
            return self._transformed(e, s, gamma)
        if isinstance(e, privacy.Moment):
            return self._moments(e, s, gamma)
        if isinstance(e, privacy.Expectation):
            return self._expected(e, s, gamma)
        if isinstance(e, sp.exp):
            return self._exponential(e, s, gamma)
        if isinstance(e, sp.Pow) and e.exp.is_Integer:
            c, d = self.affine(e.base, s)
            one = inversion.linear(c, d) if e.exp > 0 else inversion.reciprocal(c, d)
            total = inversion.constant(Fraction(1))
            for _ in range(abs(int(e.exp))):
                total = inversion.times(total, one)
            return total
        return inversion.linear(*self.affine(e, s))

    def _transformed(self, e, s, gamma):
        g, t, frequency = e.args
        if s in g.free_symbols - {t}:
            raise Unclear("a transform of a function of the frequency")
        c, d = self.affine(frequency, s)
        lower = Fraction(0) if isinstance(e, calculus.OneSided) else -mp.inf
        inner = inversion.transform(self.signal(g, t), add(mul(c, gamma), d), lower)
        return inversion.substituted(inner, c, d)

    def _moments(self, e, s, gamma):
        """E_q as the sum of Q (P/Q)^q, where it is finite on the line."""
        P, Q = self.instance.oriented(*e.args[1:])
        c, d = self.affine(e.args[0], s)
        order = add(mul(c, gamma), d)
        total = {}
        for p, q in zip(P, Q, strict=True):
            if p > 0 and q > 0:
                size = reals.log(p / q)
                term = inversion.exponential(mul(c, size), mul(d, size))
                total = inversion.plus(total, inversion.times(inversion.constant(q), term))
            elif p > 0 or q > 0:
                growth = reals.compare(sub(order, Fraction(1)) if p > 0 else reals.neg(order),
                                       Fraction(0))
                if growth == 0:
                    raise Unclear("0 to an imaginary power in a moment")
                if growth > 0:
                    raise Undefined("a divergent moment on the line of inversion")
        return total

    def _exponential(self, e, s, gamma):
        """e^(c s + d), or E_q written as e^((q - 1) R_q)."""
        renyi = [a for a in sp.Mul.make_args(e.args[0]) if isinstance(a, privacy.RenyiDivergence)]
        if not renyi:
            return inversion.exponential(*self.affine(e.args[0], s))
        factor = sp.Mul(*(a for a in sp.Mul.make_args(e.args[0]) if a is not renyi[0]))
        order = self.affine(renyi[0].args[0], s)
        given = self.affine(factor, s)
        if given[0] != order[0] or sub(order[1], given[1]) != 1:
            raise Unclear("an exponential of a Renyi divergence that is no moment")
        return self._moments(privacy.Moment(*renyi[0].args), s, gamma)

    def _expected(self, e, s, gamma):
        """An expectation, loss by loss."""
        body, loss = e.args
        total, before = {}, self.bound
        for z, mass in self._losses(loss):
            if reals.is_infinite(z):
                raise Undefined("an oscillation at an infinite loss")
            self.bound = {**before, loss: z}
            try:
                part = inversion.times(inversion.constant(mass), self.element(body, s, gamma))
            finally:
                self.bound = before
            total = inversion.plus(total, part)
        return total

    def symmetric(self, e):
        """The integral over the line of sums of c e^(i k u)/u: c i pi sign(k) each."""
        body, u, _ = e.args
        total = residue = mp.mpf(0)
        for (b, p, m), c in self.element(body, u, Fraction(0)).items():
            shift, size = reals.num(b), reals.num(c)
            frequency = -mp.im(shift)
            tiny = abs(frequency) < mp.mpf(10) ** (12 - mp.dps)
            if abs(mp.re(shift)) > mp.mpf(10) ** (12 - mp.dps):
                raise Undefined("an integrand that grows")
            if m <= 0:
                raise Undefined("an integrand that does not vanish at infinity")
            if m > 1 or reals.num(p) != 0:
                raise Unclear("a symmetric integral with other poles than 1/u")
            residue += size
            total += 0 if tiny else size * mp.mpc(0, mp.pi) * mp.sign(frequency)
        if not e.principal and abs(residue) > mp.mpf(10) ** (12 - mp.dps):
            raise Undefined("an integral that diverges at 0")
        return total
