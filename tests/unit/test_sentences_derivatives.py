"""Generalised derivatives as sentences: limits of integrals against difference quotients.

What they mean is computed at finite pairs by another route: the profile of a pair of masses has
the derivative -e^t Q(Z > t), and its derivative has the jumps Pr[Z = z].
"""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp
from mpmath import mp

from lapdp.calculus.nodes import B, D, Impulse, Indicator, Int, L, Lim, conv
from lapdp.kernel.printing import text
from lapdp.kernel.terms import Bank
from lapdp.privacy import nodes as pn
from lapdp.privacy.mechanisms.gaussian import gaussian
from lapdp.theory import language as lang
from lapdp.theory.sentences import NotSaid, elaborate
from lapdp.theory.statement import Statement
from tests.oracle.reals import num
from tests.oracle.terms import Interpreter

P, Q = pn.pair("P", "Q")
A, C = pn.pair("A", "C")
Z = pn.PLD(P, Q)
t, x, v, eps, tau = lang.reals("t x v eps tau")
profile = pn.delta(P, Q)
g = sp.Function("g")
TEST = sp.Max(0, 1 - sp.exp(x - t))
PAIRS = [((Fraction(1, 2), Fraction(1, 3), Fraction(1, 6), 0),
          (Fraction(1, 6), Fraction(1, 2), 0, Fraction(1, 3))),
         ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4))),
         ((1, 0), (Fraction(1, 2), Fraction(1, 2)))]
FAR, STEP = 20, Fraction(9)
"""The ends of the line, and u for a step of e^-u."""


class Floats(Interpreter):
    """Numbers are compared as they are: an integrand is taken beside the ends of its pieces."""

    def _pair(self, bound, x, y):
        return mp.mpf(mp.re(num(self.of(x, bound)))), mp.mpf(mp.re(num(self.of(y, bound))))

    def _max(self, bound, x, y):
        return max(self._pair(bound, x, y))

    def _lt(self, bound, x, y):
        first, second = self._pair(bound, x, y)
        return first < second


def elaborated(form):
    bank = Bank()
    return bank, elaborate(Statement("paper/eq-1", form), bank).claim


def integral(form, p, q, cuts, **letters):
    """The integral over the line before the limit, the one in a claim, at a small step."""
    bank, claim = elaborated(form)
    seen, todo = set(), [claim]
    for u in todo:
        if u not in seen:
            seen.add(u)
            todo += bank.children(u)
    (body,) = {bank.children(bank.children(u)[0])[1] if bank.rows[bank.children(u)[0]][0] == "if"
               else bank.children(u)[0] for u in seen if bank.rows[u][0] == "tends"}
    line = sorted({-FAR, FAR, *(c + k * mp.exp(-STEP) for c in cuts for k in (-1, 0, 1))})
    interpreter = Floats(bank, len(p), {"P": p, "Q": q, **letters}, line=line)
    return interpreter.of(body, (STEP,))


def losses(p, q):
    return [(mp.log(mp.mpf(a.numerator) / a.denominator * b.denominator / b.numerator), a, b)
            for a, b in zip(map(Fraction, p), map(Fraction, q), strict=True) if a > 0 and b > 0]


def slope(p, q, f, low=-FAR):
    """The integral of f times the derivative of the profile, which is -e^y Q(Z > y)."""
    return -sum(mp.mpf(b.numerator) / b.denominator * mp.quad(
        lambda y: f(y) * mp.exp(y), sorted({mp.mpf(low), *(c for c in (mp.mpf(0),) if c < z), z}))
        for z, _, b in losses(p, q))


def atoms(p, q, f):
    return sum(mp.mpf(a.numerator) / a.denominator * f(z) for z, a, _ in losses(p, q))


@pytest.mark.parametrize(("p", "q"), PAIRS)
def test_the_integral_of_a_test_against_a_derivative(p, q):
    cuts = [0, *(z for z, _, _ in losses(p, q))]
    with mp.workdps(15):
        def f(y):
            return max(mp.mpf(0), 1 - mp.exp(-y))

        first = slope(p, q, f)
        for form, value in ((D(profile(t), t), first),
                            (D(profile(t), t, 2), atoms(p, q, f) + first),
                            (D(pn.F(Z)(t), t), atoms(p, q, f))):
            found = integral(lang.Eq(Int(TEST * form, t), v), p, q, cuts, x=Fraction(0),
                             v=Fraction(0))
            assert abs(found - value) < mp.mpf(10) ** -3
            assert abs(value) > mp.mpf(10) ** -2 or not value


@pytest.mark.parametrize(("p", "q"), PAIRS)
def test_a_convolution_at_a_point_is_the_integral_over_the_difference(p, q):
    """The same terms, and the exponential against D F is a moment."""
    two = (conv(pn.delta(A, C)(eps), D(profile(eps), eps, 2), eps),
           Int(pn.delta(A, C)(eps - tau) * D(profile(tau), tau, 2), tau))
    (first, one), (second, other) = (elaborated(lang.Eq(v, e)) for e in two)
    assert first.digest(one) == second.digest(other)
    turned = elaborated(lang.Eq(v, conv(D(profile(eps), eps, 2), pn.delta(A, C)(eps), eps)))
    assert turned[0].digest(turned[1]) == first.digest(one)
    cuts = [0, *(z for z, _, _ in losses(p, q))]
    with mp.workdps(15):
        found = integral(lang.Eq(v, B(D(pn.F(Z)(t), t), t, -1)), p, q, cuts, v=Fraction(0))
        assert abs(found - atoms(p, q, mp.exp)) < mp.mpf(10) ** -3


def test_relations_between_derivatives_are_about_tents():
    """Each side against max(0, min(t - a, b - t)), for all a < b; without a derivative still about
    intervals."""
    told, plain = (text(*elaborated(lang.Eq(pn.f(Z)(t), side))) for side in (
        D(pn.F(Z)(t), t), sp.DiracDelta(t)))
    assert told.startswith("all t. all u. ((t < u) -> some v. (")
    assert told.count("max(0, min(") == 3 and "tends" in told
    assert "min" not in plain and plain.startswith("all t. all u. ((t < u) -> (")


M, N = pn.mechanism_pair(gaussian(1, t), "M", "N")
REFUSED = {
    "half the line": Int(TEST * D(profile(t), t), t, 0, sp.oo),
    "a one-sided transform": L(D(profile(t), t), t, 1),
    "a bounded range": Int(TEST * D(profile(t), t), t, -1, 1),
    "the third derivative": Int(TEST * D(profile(t), t, 3), t),
    "a step as a test": Int(Indicator(t > 0) * D(profile(t), t), t),
    "a distribution function as a test": Int(pn.F(Z)(t) * D(profile(t), t), t),
    "a step behind a letter that is bound elsewhere":
        Int((Indicator(t > 0) + Int(sp.exp(-t), t, 0, 1)) * D(profile(t), t), t),
    "any function as a test": Int(g(t) * D(profile(t), t), t),
    "a root as a test": Int(sp.sqrt(sp.Abs(t)) * D(profile(t), t), t),
    "the derivative of any function": Int(TEST * D(g(t), t), t),
    "a derivative of a derivative": Int(TEST * D(D(profile(t), t), t), t),
    "the second derivative of a step": Int(TEST * D(pn.F(Z)(t), t, 2), t),
    "a product of two": Int(D(profile(t), t) * D(profile(t), t), t),
    "an impulse of one": Impulse(D(profile(t), t), t, 0),
    "a mechanism that varies, derived": Int(TEST * D(pn.delta(M, N)(0), t), t),
    "a mechanism that varies, as a test": Int(pn.delta(M, N)(t) * D(profile(t), t), t),
    "a value of a derivative": Lim(D(profile(t), t), t, 0),
    "one below an integral": Int(sp.exp(-x * x) * Int(TEST * D(profile(t), t), t), x),
    "a convolution of two": conv(D(profile(x), x), D(profile(x), x), x),
    "a convolution from 0": conv(pn.delta(A, C)(x), D(profile(x), x), x, 0),
    "a convolution with a step": conv(pn.F(Z)(x), D(profile(x), x), x),
    "a transform of a convolution": B(conv(pn.delta(A, C)(t), D(profile(t), t), t), t, -1),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_meaning_yet_is_refused(name):
    with pytest.raises(NotSaid):
        elaborated(lang.Eq(v, REFUSED[name]))
