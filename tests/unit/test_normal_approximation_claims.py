"""Bounds of Berry-Esseen and Nagaev for copies of a pair; false neighbours; multiples."""

from itertools import product
from math import erfc, exp, log, sqrt

import pytest
import sympy as sp

from lapdp import finite
from lapdp.core.errors import Unsupported
from lapdp.theory import *
from lapdp.theory.engine import judge
from lapdp.theory.methods.multiples import by_multiples
from lapdp.theory.methods.normal_approximation import by_normal_approximation
from lapdp.theory.planner import Planner
from lapdp.theory.statement import Statement

P, Q = pair("P", "Q")
n = naturals("n", start=1)
PN, QN = composition("P^n", "Q^n", each=(P, Q))(n)
Z, ZN = PLD(P, Q), PLD(PN, QN)
eps, z = reals("eps z")
MEAN, VAR = inner_mean(Z), inner_variance(Z)
S, THIRD, RAW = sp.sqrt(VAR), inner_moment(Z, 3, inner_mean(Z)), inner_moment(Z, 3)
KEPT = 1 - Pr(ZN, "==", sp.oo)
FINITE = [Defined(THIRD), Gt(VAR, 0)]
BOUND = sp.Rational(4748, 10000) * THIRD / (sp.sqrt(n) * S**3)
PHI = sp.erfc(-(z - n * MEAN) / (sp.sqrt(2) * sp.sqrt(n) * S)) / 2
CDF = Pr(ZN, "<=", z)


def normal_delta(point, spread=S, sign=1):
    far = sp.erfc((point - n * MEAN + n * VAR) / (sp.sqrt(2 * n) * spread))
    near = sp.erfc((point - n * MEAN) / (sp.sqrt(2 * n) * spread))
    return 1 - KEPT + KEPT / 2 * (near - sign * sp.exp(point - n * MEAN + n * VAR / 2) * far)


def proves(form, where):
    statement = Statement("x", form, where=tuple(where))
    try:
        found = by_normal_approximation(statement, Planner(statement, 30, 0, 0.0)._prove)
    except Unsupported:
        return False
    return found is not None


TAIL = (eps - n * MEAN) / (sp.sqrt(n) * S)
FAR = sp.Rational(2580, 100) * THIRD / (sp.sqrt(n) * S**3 * (1 + TAIL**3))
RIGHT = [*FINITE, Ge(eps, n * MEAN)]


@pytest.mark.parametrize(("form", "where"), [
    (Lt(sp.Abs(CDF / KEPT - PHI), BOUND), FINITE),
    (Le(sp.Abs(CDF - KEPT * PHI), KEPT * BOUND), FINITE),
    (Le(delta(PN, QN)(eps), normal_delta(eps) + KEPT * BOUND), FINITE),
    (Le(normal_delta(eps) - KEPT * BOUND, delta(PN, QN)(eps)), FINITE),
    (Le(delta(PN, QN)(eps), normal_delta(eps) + KEPT * FAR), RIGHT),
])
def test_bounds(form, where):
    assert proves(form, where)


@pytest.mark.parametrize(("form", "where"), [
    # the constant, the root, the condition, the third moment
    (Lt(sp.Abs(CDF / KEPT - PHI), BOUND * sp.Rational(99, 100)), FINITE),
    (Lt(sp.Abs(CDF / KEPT - PHI), BOUND / sp.sqrt(n)), FINITE),
    (Lt(sp.Abs(CDF - PHI), BOUND), FINITE),
    (Lt(sp.Abs(CDF / KEPT - PHI), sp.Rational(4748, 10000) * RAW / (sp.sqrt(n) * S**3)), FINITE),
    # hypotheses dropped
    (Lt(sp.Abs(CDF / KEPT - PHI), BOUND), FINITE[:1]),
    (Lt(sp.Abs(CDF / KEPT - PHI), BOUND), FINITE[1:]),
    (Le(delta(PN, QN)(eps), normal_delta(eps) + KEPT * FAR), FINITE),
    # signs, the spread, the mass at infinity forgotten or counted twice
    (Le(delta(PN, QN)(eps), normal_delta(eps) - KEPT * BOUND), FINITE),
    (Le(delta(PN, QN)(eps), normal_delta(eps, VAR) + KEPT * BOUND), FINITE),
    (Le(delta(PN, QN)(eps), normal_delta(eps, S, -1) + KEPT * BOUND), FINITE),
    (Le(delta(PN, QN)(eps), normal_delta(eps) - 1 + KEPT + KEPT * BOUND), FINITE),
    # P and Q exchanged; strict from the bound that is not
    (Le(delta(QN, PN)(eps), normal_delta(eps) + KEPT * BOUND), FINITE),
    (Lt(delta(PN, QN)(eps), normal_delta(eps) + KEPT * FAR), RIGHT),
    # another point
    (Le(delta(PN, QN)(eps + 1), normal_delta(eps) + KEPT * BOUND), FINITE),
])
def test_false_neighbours(form, where):
    assert not proves(form, where)


def test_a_second_route():
    """Three copies of a finite pair with distinguishing events, by sums of floats."""
    masses = [(0.5, 0.25), (0.25, 0.5), (0.25, 0.0), (0.0, 0.25)]
    kept = [(p, log(p / q)) for p, q in masses if p and q]
    w = sum(p for p, _ in kept)
    mean = sum(p * y for p, y in kept) / w
    var = sum(p * (y - mean) ** 2 for p, y in kept) / w
    third = sum(p * abs(y - mean) ** 3 for p, y in kept) / w
    for count, e in product((1, 2, 3), (-1.0, 0.0, 0.5, 1.0, 2.0)):
        joint = [(1.0, 1.0)]
        for _ in range(count):
            joint = [(a * p, b * q) for a, b in joint for p, q in masses]
        true = sum(max(0.0, p - exp(e) * q) for p, q in joint)
        at = (e - count * mean) / sqrt(2 * count * var)
        bell = (erfc(at) - exp(e - count * mean + count * var / 2)
                * erfc(at + sqrt(count * var / 2))) / 2
        normal = 1 - w**count + w**count * bell
        assert abs(true - normal) <= w**count * 0.4748 * third / sqrt(count * var**3)


def test_the_printed_theorem_is_refuted_by_balls():
    wrong = sp.Rational(2580, 100) * RAW / (sp.sqrt(n) * S**3 * (1 + (TAIL / S) ** 3))
    near = finite(["1/2", "1/2"], ["99/200", "101/200"])
    found = judge(claim("x", Le(delta(PN, QN)(eps), normal_delta(eps) + KEPT * wrong),
                        where=RIGHT, hints={"pairs": {"P": near}, "witness": {
                            "n": 1, "eps": sp.Rational(1, 200)}}), numeric=False)
    assert str(found.kind) == "refuted"
    assert "by balls" in found.reason


a, b = positives("a b")
x, y = reals("x y")


@pytest.mark.parametrize(("form", "good"), [
    (Iff(Eq(x, y), Eq(a * x, a * y)), True),
    (Iff(Le(x, y), Le(a * x, a * y)), True),
    (Iff(Le(sp.erfc(x), sp.erfc(y)), Ge(x, y)), True),
    (Iff(Le(sp.erfc(x), sp.erfc(y)), Le(x, y)), False),
    (Iff(Eq(x, y), Eq(x**2, y**2)), False),
    (Iff(Le(x, y), Le(y * x, y * y)), False),
    (Iff(Le(x, y), Lt(a * x, a * y)), False),
    (Iff(Eq(x, y), Eq(x * b, a * y)), False),
    (Iff(Eq(-sp.erfc(x), sp.erfc(y)), Eq(x, y)), False),
    (Iff(Eq(x, 0), Eq(x * y, 0)), False),
    (Iff(Eq(1 / x + y, 1 / x), Eq(a * y, 0)), False),
])
def test_multiples(form, good):
    statement = Statement("x", form)
    try:
        found = by_multiples(statement, Planner(statement, 30, 0, 0.0)._prove)
    except Unsupported:
        found = None
    assert (found is not None) == good
