"""Masses with roots in their denominators: closed forms against binomial sums of mpmath."""

from __future__ import annotations

from math import comb

import mpmath as mp
import pytest
import sympy as sp

from lapdp import gaussian, laplace, randomized_response
from lapdp.core.errors import Unsupported


@pytest.mark.parametrize("copies", [1, 3])
@pytest.mark.parametrize(("base", "order", "power"), [
    (3, 2, 1), (6, 2, 1), (3, 4, 1), (3, 4, 3), (5, 8, 7), (3, 3, 1), (2, 6, 1), (2, 6, 5),
    (3, 3, 2)])
def test_randomized_response_of_rational_powers(base, order, power, copies):
    """sqrt(3) (1 + sqrt(3)) = 3 + sqrt(3) is no multiple of 1 + sqrt(3) as a polynomial."""
    pair = randomized_response(power * sp.log(base) / order, "1/100") ** copies
    with mp.workdps(30):
        e, t, whole = power * mp.log(base) / order, mp.mpf(1) / 10, (mp.mpf(99) / 100) ** copies
        a = mp.exp(e) / (1 + mp.exp(e))
        expected = 1 - whole + whole * sum(
            comb(copies, j) * a**j * (1 - a) ** (copies - j)
            * max(0, 1 - mp.exp(t - (2 * j - copies) * e)) for j in range(copies + 1))
    try:
        found = pair.profile.at("1/10", 15)
    except Unsupported as problem:
        assert power > 1 and order % 3 == 0 and "roots" in str(problem)
    else:
        assert abs(float(found) - expected) < 1e-13


def test_products_by_the_integral_and_in_closed_form():
    for pair in (randomized_response(sp.log(3) / 2, "1/100") ** 9 * gaussian(1),
                 randomized_response(sp.log(3) / 2) ** 4 * laplace(2) ** 5 * gaussian(2)):
        integral = pair.delta("1/2")
        assert integral.method != "closed form"
        assert integral.enclosure.ball().overlaps(pair.profile.at("1/2", 15).ball())
