"""KL of mixtures of two pairs is at most the mean of the KL of the pairs, also where these are
infinite; false neighbours are not derived, and fail at finite instances."""

from __future__ import annotations

from fractions import Fraction
from math import inf, log

import pytest

from lapdp.theory import KL, Defined, Ge, Gt, Le, Lt, distributions, reals
from tests.unit.proving.searching import assert_derived, assert_not_derived, of_form

A1, A2, B1, B2 = distributions("A1 A2 B1 B2")
p = reals("p")
WEIGHT = [Gt(p, 0), Lt(p, 1)]
MIXED = KL(p * A1 + (1 - p) * A2, p * B1 + (1 - p) * B2)
MEAN = p * KL(A1, B1) + (1 - p) * KL(A2, B2)
ROWS = [((1, 2, 3), (2, 2, 2), (3, 1, 2), (1, 4, 1)), ((5, 1, 0), (1, 4, 1), (4, 2, 0), (2, 2, 2)),
        ((2, 4, 0), (3, 3, 0), (0, 3, 3), (1, 1, 4)), ((6, 0, 0), (0, 6, 0), (3, 3, 0), (0, 3, 3)),
        ((6, 0, 0), (0, 6, 0), (0, 6, 0), (6, 0, 0)), ((3, 3, 0), (3, 3, 0), (1, 5, 0), (1, 5, 0))]


def test_two_pairs():
    assert_derived(of_form(Le(MIXED, MEAN), WEIGHT, 16_000))


FALSE = {
    "half": (Le(MIXED, MEAN / 2), WEIGHT),
    "from below": (Ge(MIXED, MEAN), WEIGHT),
    "other pairs": (Le(MIXED, p * KL(A1, B2) + (1 - p) * KL(A2, B1)), WEIGHT),
    "turned": (Le(MIXED, p * KL(B1, A1) + (1 - p) * KL(B2, A2)), WEIGHT),
    "other weights": (Le(MIXED, (1 - p) * KL(A1, B1) + p * KL(A2, B2)), WEIGHT),
    "one pair": (Le(MIXED, p * KL(A1, B1)), WEIGHT),
    "squares": (Le(MIXED, p**2 * KL(A1, B1) + (1 - p)**2 * KL(A2, B2)), WEIGHT),
    "weights above 1": (Le(MIXED, MEAN), [Gt(p, 0), Lt(p, 2), Defined(KL(A1, B1)), Defined(
        KL(A2, B2))]),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_neighbours(name):
    form, where = FALSE[name]
    assert_not_derived(of_form(form, where, 300))


def kl(first, second):
    """The sum over the outcomes, in [0, oo]."""
    if any(x and not y for x, y in zip(first, second, strict=True)):
        return inf
    return sum(float(x) * log(x / y) for x, y in zip(first, second, strict=True) if x)


def test_the_law_and_its_neighbours_at_instances():
    seen = set()
    for rows in ROWS:
        a1, a2, b1, b2 = ([Fraction(k, 6) for k in row] for row in rows)
        for w in (Fraction(1, 5), Fraction(1, 2), Fraction(3, 4)):
            mixed = kl(*([w * x + (1 - w) * y for x, y in zip(*two, strict=True)]
                         for two in ((a1, a2), (b1, b2))))
            u, v, k, m = float(w), float(1 - w), kl(a1, b1), kl(a2, b2)
            assert mixed <= u * k + v * m + 1e-12
            bounds = {"half": (u * k + v * m) / 2, "other weights": v * k + u * m,
                      "other pairs": u * kl(a1, b2) + v * kl(a2, b1), "one pair": u * k,
                      "turned": u * kl(b1, a1) + v * kl(b2, a2), "squares": u * u * k + v * v * m}
            seen |= {name for name, bound in bounds.items() if mixed > bound + 1e-9}
            seen |= {"from below"} if mixed < u * k + v * m - 1e-9 else set()
    assert seen == FALSE.keys() - {"weights above 1"}
