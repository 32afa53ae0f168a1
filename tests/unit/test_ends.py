"""Values at the ends: infinite ones, trade-off functions at the levels 0 and 1.

The oracles are definitions: KL and R_q have values in [-oo, oo], R_q of q > 0 is not -oo, and the
closed form of a mechanism against tests that spend a level by the ratio of densities.
"""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from mpmath import mp

from lapdp import gaussian, laplace
from lapdp.core.verdict import Kind
from lapdp.numeric.pairs import Pair, density
from lapdp.testing.judging import judge
from lapdp.theory.checking import check_statement

LEVEL = ("0 <= a", "a <= 1")
TRUE = [
    ("KL(P, Q) > -oo",),
    ("KL(P, Q) <= oo",),
    ("R(P, Q)(q) <= oo", "q > 1"),
    ("R(P, Q)(q) > -oo", "q > 1"),
    ("R(P, Q)(q) > -oo", "0 < q", "q < 1"),
    ("E(P, Q)(q) <= oo", "q > 0"),
    ("R(P, Q)(q) <= oo", "q != 1"),
    ("R(P, Q)(q) >= 0", "q > 0", "q != 1"),
    ("chi2(P, Q) >= 0",),
    ("KL(P, Q) <= chi2(P, Q)",),
    ("1 + KL(P, Q) >= 1 - TV(P, Q)",),
    ("KL(a*P + (1 - a)*Q, Q) <= a*KL(P, Q)", "0 < a", "a < 1"),
    ("KL(P, a*P + (1 - a)*Q) <= (1 - a)*KL(P, Q)", "0 < a", "a < 1"),
]
FALSE = [
    ("KL(P, Q) < oo",),
    ("KL(P, Q) == -oo",),
    ("KL(P, Q) - KL(Q, P) <= oo",),
    ("R(P, Q)(q) < oo", "q > 1"),
    ("R(P, Q)(q) > -oo", "q < 0"),
    ("R(P, Q)(q) <= oo", "q > 0"),
    ("R(P, Q)(q) > -oo", "q != 1"),
    ("R(P, Q)(q) >= 0", "q != 1"),
    ("R(P, Q)(q) > 0", "q > 0", "q != 1"),
    ("chi2(P, Q) > 0",),
    ("chi2(P, Q) <= KL(P, Q)",),
    ("KL(P, Q) <= chi2(P, Q)/2",),
    ("KL(a*P + (1 - a)*Q, Q) <= a**2*KL(P, Q)", "0 < a", "a < 1"),
    ("KL(P, a*P + (1 - a)*Q) <= a*KL(P, Q)", "0 < a", "a < 1"),
    ("T(laplace(b))(0) == 0",),
    ("T(laplace(1))(a) < 1 - a", *LEVEL),
    ("T(gaussian(1))(a) > 0", *LEVEL),
    ("T(gaussian(1))(0) < 1",),
    ("T(gaussian(s))(1/2) == 1/2",),
    ("T(gaussian(1)*gaussian(2))(a) >= 1 - 50*a", *LEVEL),
    ("T(gaussian(1)*gaussian(1))(a) >= T(gaussian(1))(a)", *LEVEL),
    ("T(randomized_response(c))(a) <= 1/2", *LEVEL),
]


def verdict(relation: str, *where: str) -> Kind:
    return judge(check_statement(relation, where), numeric=False, examples=60, seconds=40.0).kind


@pytest.mark.parametrize("said", TRUE, ids=" if ".join)
def test_what_has_a_value_lies_between_the_infinities(said: tuple[str, ...]) -> None:
    assert verdict(*said) is Kind.PROVED


@pytest.mark.parametrize("said", FALSE, ids=" if ".join)
def test_false_neighbours_fail_at_the_ends(said: tuple[str, ...]) -> None:
    assert verdict(*said) is Kind.REFUTED


def test_no_multiple_of_an_infinite_value_by_0() -> None:
    # 0 times oo has no value, so that 0 < a is needed
    assert verdict("KL(P, Q)*a <= KL(P, Q)", "0 <= a", "a < 1") is not Kind.PROVED


def test_no_multiple_by_what_may_be_negative() -> None:
    said = "KL(a*P + (1 - a)*Q, Q) <= a*KL(P, Q)"
    assert verdict(said, "-1 < a", "a < 1") is not Kind.PROVED


def test_a_parameter_of_a_mechanism_is_real() -> None:
    # s and q are complex elsewhere
    assert verdict("KL(gaussian(s)) == 1/(2*s**2)") is Kind.DERIVED
    assert verdict("KL(gaussian(s)) == 1/s**2") is Kind.REFUTED


def test_equal_numbers_are_told_by_balls_without_a_radius() -> None:
    assert verdict("T(gaussian(1))(0) == 1") is Kind.DERIVED
    assert verdict("T(gaussian(1))(0) != 1") is Kind.REFUTED
    # equal, and balls have a radius: nothing decides by being near
    assert verdict("T(gaussian(1))(1/2) == erfc(sqrt(2)/2)/2") not in (Kind.REFUTED, Kind.PROVED)


def densities() -> dict[str, Pair]:
    return {"laplace": density(lambda x: mp.exp(-abs(x)) / 2, lambda x: mp.exp(-abs(x - 1)) / 2,
                               (-mp.inf, mp.inf), [0, 1]),
            "gaussian": density(mp.npdf, lambda x: mp.npdf(x - 1), (-mp.inf, mp.inf))}


@pytest.mark.parametrize("mechanism", [laplace(1), gaussian(1)], ids=["laplace", "gaussian"])
@pytest.mark.parametrize("level", ["0", "1/1000", "1/3", "1/2", "9/10", "1"])
def test_numbers_of_densities_are_the_closed_forms(mechanism: Any, level: str) -> None:
    a, (name, _, _) = sp.Rational(level), repr(mechanism).partition("(")
    with mp.workdps(30):
        found = densities()[name].trade_off(mp.mpf(a.p) / a.q)
        assert abs(found - mp.mpf(str(sp.N(mechanism.tradeoff(a), 40)))) < mp.mpf(10)**-25
