"""Randomized response a given number of times: profiles written out, and bounds by numbers."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from types import SimpleNamespace

import mpmath
import pytest
import sympy as sp

from lapdp import laplace, randomized_response
from lapdp.core.checked import accept
from lapdp.proving.models import Models
from lapdp.theory import *
from tests.unit.proving.searching import of_form as searched

STEPS = 40_000
eps, d = reals("varepsilon delta")
LEAKS = [Gt(eps, 0), Ge(d, 0), Le(d, 1)]
RATE, LEAK, COPIES = sp.Rational(1, 10), sp.Rational(1, 10**8), 12
LETTERS = mechanism_pair(randomized_response(eps, d) ** 5, "P", "Q")
NUMBERS = mechanism_pair(randomized_response(RATE, LEAK) ** COPIES, "P", "Q")


def exact(t):
    """The profile at t as the sum over all numbers of successes, of k independent outcomes."""
    with mpmath.workdps(60):
        rate, leak = (mpmath.mpf(x.p) / x.q for x in (RATE, LEAK))
        high = (1 - leak) / (1 + mpmath.exp(-rate))
        low = (1 - leak) / (1 + mpmath.exp(rate))
        masses = [(high**j * low ** (COPIES - j), low**j * high ** (COPIES - j))
                  for j in range(COPIES + 1)]
        return 1 - (1 - leak) ** COPIES + sum(
            comb(COPIES, j) * max(mpmath.mpf(0), p - mpmath.exp(mpmath.mpf(t)) * q)
            for j, (p, q) in enumerate(masses))


def near(t, digits):
    """A rational number near the profile, so many digits of it, and its last place."""
    with mpmath.workdps(60):
        unit = Fraction(1, 10**digits)
        return Fraction(int(exact(t) * 10**digits), 10**digits), unit


def rational(x):
    return sp.Rational(x.numerator, x.denominator)


@pytest.mark.parametrize("t", ["0.35", "1.15", "-0.2"])
def test_bounds_hold_to_the_digit(t):
    value, unit = near(t, 25)
    at = delta(*NUMBERS)(sp.Rational(t))
    below, above = sp.Lt(rational(value - unit), at), sp.Lt(at, rational(value + 2 * unit))
    for claim in (below, above):
        lines, reason, digest = searched(claim, [], STEPS)
        assert lines is not None, reason
        accept(lines, digest)


@pytest.mark.parametrize("t", ["0.35", "1.15"])
def test_bounds_that_fail_by_a_digit_are_not_found(t):
    value, unit = near(t, 25)
    at = delta(*NUMBERS)(sp.Rational(t))
    for claim in (sp.Lt(at, rational(value)), sp.Gt(at, rational(value + unit))):
        assert searched(claim, [], STEPS)[0] is None


def test_letters_are_written_out():
    claim = sp.Eq(delta(*LETTERS)(5 * eps), 1 - (1 - d) ** 5, evaluate=False)
    lines, reason, digest = searched(claim, LEAKS, STEPS)
    assert lines is not None, reason
    accept(lines, digest)


@pytest.mark.parametrize("claim, where", [
    (sp.Eq(delta(*LETTERS)(4 * eps), 1 - (1 - d) ** 5, evaluate=False), LEAKS),
    (sp.Eq(delta(*LETTERS)(5 * eps), 1 - (1 - d) ** 4, evaluate=False), LEAKS),
    (sp.Eq(delta(*LETTERS)(3 * eps), 1 - (1 - d) ** 5 * (1 - (sp.exp(5 * eps) - sp.exp(2 * eps)) / (
        1 + sp.exp(eps)) ** 5), evaluate=False), LEAKS),
    (sp.Lt(delta(*LETTERS)(5 * eps), 1 - (1 - d) ** 5, evaluate=False), LEAKS),
])
def test_false_neighbours(claim, where):
    assert searched(claim, where, STEPS)[0] is None


def test_what_is_lost_for_certain():
    """Pr[loss = oo] = 1 - (1 - leak)^k, compared with numbers at both sides of it."""
    lost = 1 - (1 - Fraction(1, 10**8)) ** COPIES
    for factor, holds in ((Fraction(99, 100), True), (Fraction(101, 100), False)):
        claim = sp.Gt(Pr(PLD(*NUMBERS), "==", sp.oo), rational(lost * factor))
        assert (searched(claim, [], STEPS)[0] is not None) == holds


def test_other_mechanisms_are_said_but_not_counted():
    pair = mechanism_pair(laplace(1) ** 12, "P", "Q")
    assert searched(sp.Lt(delta(*pair)(1), sp.Rational(99, 100)), [], 2_000)[0] is None


def test_no_maximum_of_what_has_no_value():
    for total in (False, True):
        at = SimpleNamespace(total=total)
        assert Models._applied(at, "max", [[0.0, 1.0], [float("nan"), 2.0]])[1] == 2.0
        assert Models._applied(at, "max", [[0.0], [float("nan")]])[0] != 0.0
