"""Claims about a Gaussian mechanism on a box of its parameters: certified, and never beyond it."""

from __future__ import annotations

import math

import pytest

from lapdp import gaussian
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Kind
from lapdp.testing.judging import judge
from lapdp.theory import Eq, Le, R, claim, delta, mechanism_pair, pair, reals
from lapdp.theory.checking import check_statement
from lapdp.theory.methods.closed_on_a_box import by_closed_forms

CALIBRATED = "delta(gaussian(sqrt(2*log(5/(4*d)))/eps))(eps) <= d"
"""Dwork and Roth 2014, Theorem A.1, at its least noise."""
BOX = ["1/10 <= eps", "eps <= 1", "1/1000 <= d", "d <= 1/10"]


def exact(c, eps):
    """delta at eps of noise c/eps, Balle and Wang 2018, Theorem 8, in doubles."""
    mu = eps / c
    upper, lower = (math.erfc((eps / mu + sign * mu / 2) / math.sqrt(2)) / 2 for sign in (-1, 1))
    return upper - math.exp(eps) * lower


def test_the_calibration_with_five_quarters_is_certified_on_a_box():
    found = judge(check_statement(CALIBRATED, BOX), numeric=False, examples=5, seconds=120.0)
    assert found.kind is Kind.CERTIFIED and "d in [1/1000, 1/10]" in found.reason
    # and the numbers agree: the most that delta is of d there
    most = max(exact(math.sqrt(2 * math.log(1.25 / d)), eps) / d
               for d in (.001, .01, .1) for eps in (.1, .5, 1))
    assert most < 1


def test_for_large_eps_it_is_refuted():
    far = ["1/10 <= eps", "eps <= 10", "1 <= c", "c <= 5"]
    found = judge(check_statement("delta(gaussian(c/eps))(eps) <= 5*exp(-c**2/2)/4", far),
                  numeric=False, seconds=120.0)
    assert found.kind is Kind.REFUTED
    assert exact(1, 4) > 1.25 * math.exp(-.5)


def test_at_one_eps_it_is_derived_for_all_noise():
    found = judge(check_statement("delta(gaussian(c))(1) <= 5*exp(-c**2/2)/4", ["c >= 1"]),
                  numeric=False, seconds=120.0)
    assert found.kind is Kind.DERIVED


s, t, q = reals("s t q")
M, N = mechanism_pair(gaussian(s))


@pytest.mark.parametrize("form", [
    Le(delta(M, N)(t), s / 5),               # false at s = 1, t = 0, where delta is 0.38
    Le(R(q, M, N), q / (3 * s**2)),          # false everywhere
])
def test_what_fails_is_not_certified(form):
    where = [s >= 1, s <= 2, t >= 0, t <= 1, q >= 2, q <= 3]
    with pytest.raises(Unsupported):
        by_closed_forms(claim("x", form, where=where), 20)


def test_a_box_that_reaches_no_noise_is_left_open():
    with pytest.raises(Unsupported):
        by_closed_forms(claim("x", Le(delta(M, N)(1), 1), where=[s >= 0, s <= 2]), 20)


def test_other_statements_are_not_asked():
    P, Q = pair()
    for form in (Le(delta(P, Q)(1), s), Le(delta(M, N)(1), delta(P, Q)(1))):
        assert by_closed_forms(claim("x", form, where=[s >= 1, s <= 2]), 20) is None
    with pytest.raises(Unsupported):
        by_closed_forms(claim("x", Eq(R(2, M, N), 1 / s**2), where=[s >= 1]), 20)
