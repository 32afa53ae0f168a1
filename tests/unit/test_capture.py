"""False claims in which something put in would be bound, be hidden, or mean another letter."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp import gaussian, randomized_response
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Kind
from lapdp.theory import *
from lapdp.theory.engine import judge
from lapdp.theory.methods.normal_approximation import by_normal_approximation
from lapdp.theory.planner import Planner
from lapdp.theory.statement import Statement
from tests.oracle import finite as oracle

P, Q = pair()
e, t, x, c, m = reals("e t x c m")
b, k, h, size, u = positives("b k h size u")
i, j = naturals("i j")
T_ = Event("T")
H = functions("H")
a = sequences("a")
NOISE = delta(*mechanism_pair(gaussian(size)))(0)
RESPONSE = delta(*mechanism_pair(randomized_response(size)))(0)
LOSS = PLD(*mechanism_pair(gaussian(1)))
BEST = Eq(P(T_) - sp.exp(e) * Q(T_), delta(P, Q)(e))
ALL = ExistsEvents((T_,), (ForAll((e,), BEST),))
below, fraction = sp.Symbol("below", negative=True), sp.Symbol("fraction", rational=True)


def built(cdf):
    first, second = unit_interval_pair(cdf, x)
    return Omega(sp.Max(0, first - u * second))


FALSE = {
    "a derivative along noise": (Eq(D(NOISE, size), 0), [], {}),
    "an integral over noise": (Eq(Int(NOISE, size, 1, 2), Int(NOISE, size, 2, 3)), [], {}),
    "a limit in the noise": (Eq(Lim(NOISE, size, sp.oo), NOISE), [], {}),
    "extrema over noise": (
        Eq(Sup(RESPONSE, size, 1, 2), Inf(RESPONSE, size, Le(0, 0), 1, 2)), [], {}),
    "no growth with the parameter": (NonincreasingOn(RESPONSE, size, 1, 2), [], {}),
    "no curvature": (ConvexOn(-NOISE, size, 1, 2), [], {}),
    "a letter bound twice": (ForAll((size,), Le(RESPONSE, sp.Rational(9, 10))),
                             [Lt(size, 1)], {}),
    "one event for all eps": (ALL, [], {"choose": {"T": Where(Gt(LossAt(P, Q), e))}}),
    "one event for all eps, by itself": (ALL, [Ge(e, 0)], {}),
    "a value that a supremum binds": (
        Exists(c, Eq(Sup(sp.Abs(c - t), t, 0, 1), 0)), [], {"choose": t}),
    "an index below 0": (Le(a[i - 1], 0), [ForAll((j,), Le(a[j], 0))], {}),
    "no whole index": (Le(a[i / 2], 0), [ForAll((j,), Le(a[j], 0))], {}),
    "supposed below 0 only": (
        Ge(Sup(t * x - H(t), t, 0, 1), 0),
        [ForAll((below,), Le(H(below), 0)), ConvexOn(H(t), t, 0, 1)], {}),
    "supposed for fractions only": (
        Ge(H(x), 0), [ForAll((fraction,), Ge(H(fraction), 0))], {}),
    "an order of complex numbers": (Le(x + sp.I * c, x + 1 + sp.I * c), [], {}),
    "complex arguments of erfc": (Iff(
        Eq(sp.erfc(x + sp.I * t), sp.erfc(c + sp.I * e)), Eq(x + sp.I * t, c + sp.I * e)), [], {}),
    "a mean over 0": (Eq(Ex((c * LOSS + c) / c, LOSS), sp.Rational(3, 2)), [], {}),
    "a mean with a logarithm": (
        Eq(Ex(sp.log(c) * (LOSS + 1) - sp.log(c) * LOSS - sp.log(c) + LOSS, LOSS),
           sp.Rational(1, 2)), [], {}),
    "no distribution function": (Ge(built(-x), 1 - u), [], {}),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_claims_are_not_proved(name):
    form, where, hints = FALSE[name]
    found = judge(Statement("test/claim", form, tuple(where), hints=hints), numeric=False,
                  patience=0.05)
    assert found.kind in (Kind.REFUTED, Kind.UNDECIDED, Kind.ILL_FORMED)


n = naturals("n", start=1)
PN, QN = composition("P^n", "Q^n", each=(P, Q))(n)
Z, ZN = PLD(P, Q), PLD(PN, QN)
MEAN, VAR = inner_mean(Z), inner_variance(Z)
S, THIRD = sp.sqrt(VAR), inner_moment(Z, 3, MEAN)
KEPT = 1 - Pr(ZN, "==", sp.oo)
BOUND = sp.Rational(4748, 10000) * THIRD / (sp.sqrt(n) * S**3)
BELL = sp.erfc(-(e - n * MEAN) / (sp.sqrt(2) * sp.sqrt(n) * S)) / 2
CDF = Pr(ZN, "<=", e)
WORD = sp.Symbol("s", positive=True)
THETA, some = sp.Symbol("theta", real=True), sp.Symbol("some", nonnegative=True)


@pytest.mark.parametrize("form", [
    # letters of the method in the claim, each a number of its own
    Lt(sp.Abs(CDF / KEPT - BELL), BOUND.xreplace({THIRD: b, VAR: WORD**2})),
    Lt(sp.Abs(CDF / KEPT - BELL), BOUND * sp.sqrt(n) / k),
    Lt(sp.Abs(CDF / KEPT - BELL.xreplace({MEAN: m})), BOUND),
    Le(CDF - KEPT * BELL, THETA * KEPT * BOUND),
    # 0 < 0, and what has no value on both sides
    Lt(some * (CDF - KEPT * BELL), some * KEPT * BOUND),
    Le(CDF - KEPT * BELL + sp.log(c), KEPT * BOUND + sp.log(c)),
    Le(CDF - KEPT * BELL + sp.tan(c), KEPT * BOUND + sp.tan(c)),
])
def test_letters_of_normal_approximations(form):
    statement = Statement("x", form, (Defined(THIRD), Gt(VAR, 0)))
    try:
        found = by_normal_approximation(statement, Planner(statement, 30, 0, 0.0)._prove)
    except Unsupported:
        return
    assert found is None


def test_what_is_false_by_another_route():
    """Exact profiles: delta(0) of randomised response grows, and no event is best at two eps."""
    values = [sp.tanh(sp.Rational(s, 2)) for s in (1, 2)]
    assert values[0] < values[1]
    p, q = [oracle.Fraction(*v) for v in ((1, 2), (1, 3), (1, 6))], [
        oracle.Fraction(*v) for v in ((1, 6), (1, 3), (1, 2))]
    best = [{s for s in range(8) if sum(
        (p[r] - w * q[r] for r in range(3) if s >> r & 1), oracle.Fraction(0)) == sum(
        (max(oracle.Fraction(0), p[r] - w * q[r]) for r in range(3)), oracle.Fraction(0))}
        for w in (oracle.Fraction(1, 4), oracle.Fraction(2))]
    assert not best[0] & best[1]
