"""Normal approximations never contradict certified values; classes against other routes."""

from fractions import Fraction
from math import log, sqrt

import pytest
import sympy as sp

from lapdp import exponential, finite, gaussian, geometric, laplace, randomized_response
from lapdp.accounting.normal_approximation import (
    class_estimate,
    normal_approximation,
)
from lapdp.core.errors import InputError, Undefined, Unsupported

CASES = [
    (randomized_response("0.01"), 100), (randomized_response("0.1", "1e-5"), 500),
    (randomized_response(2), 1), (randomized_response(2), 3), (laplace(10), 100), (laplace(1), 2),
    (geometric("0.1"), 200), (exponential(1, 2), 5), (gaussian(3), 10),
    (finite(["1/2", "1/4", "1/4"], ["1/4", "3/4", 0]), 7),
    (laplace(10) * randomized_response("0.1"), 20),
]


@pytest.mark.parametrize(("pair", "copies"), CASES)
@pytest.mark.parametrize("eps", [-1, 0, "1/2", 3])
def test_bounds_enclose_certified_values(pair, copies, eps):
    for side in (pair, pair.reverse()):
        bound = side.normal_approximation(eps, copies=copies)
        true = (side**copies).delta(eps, digits=10)
        assert bound.lower <= true.upper
        assert true.lower <= bound.upper
        assert 0 <= bound.lower <= bound.upper <= 1
        assert bound.certified and "berry-esseen" in bound.assumes


def test_the_nonuniform_bound_is_used_far_out():
    found = randomized_response("0.01").normal_approximation(4, copies=1000)
    assert found.method == "nonuniform Berry-Esseen"
    assert (randomized_response("0.01") ** 1000).delta(4) <= found.upper
    # never to the left of the mean, where it says nothing
    left = randomized_response("0.01").normal_approximation(-4, copies=1000)
    assert left.method == "Berry-Esseen"


def test_unlike_releases_take_the_larger_constant():
    alike = (laplace(10) * laplace(10)).normal_approximation(0)
    unlike = (laplace(10) * laplace("10.000001")).normal_approximation(0)
    assert "unlike" in unlike.assumes and "unlike" not in alike.assumes
    assert unlike.radius >= alike.radius


def test_the_gaussian_estimate_is_exact():
    found = gaussian(2).class_estimate(1, copies=5, digits=20)
    assert abs(found.value - (gaussian(2) ** 5).delta(1, digits=20).value) < Fraction(1, 10**18)
    assert not found.certified


def test_a_class_by_hand():
    """(1/2, 1/4, 1/4) against (1/4, 3/4, 0): losses log 2 and -log 3 given that they are finite."""
    pair = finite(["1/2", "1/4", "1/4"], ["1/4", "3/4", 0])
    mean = (2 * log(2) - log(3)) / 3
    variance = (2 * (log(2) - mean) ** 2 + (log(3) + mean) ** 2) / 3
    third = (2 * abs(log(2) - mean) ** 3 + abs(log(3) + mean) ** 3) / 3
    radius = (0.75**4) * 0.4748 * third / (2 * variance**1.5)
    found = pair.normal_approximation(0, copies=4)
    estimate = float(pair.class_estimate(0, copies=4))
    assert abs(float(found.upper) - min(1.0, estimate + radius)) < 1e-9
    assert abs(float(found.lower) - max(1 - 0.75**4, estimate - radius)) < 1e-9


def test_smooth_losses_are_bounded_by_the_fourth_moment():
    """E|X|^3 <= sqrt(E X^2 E X^4): the loss of exponential(1, 2) is log(1/2) + x, x ~ Exp(1)."""
    found = normal_approximation(exponential(1, 2), 0, copies=10**4)
    estimate = float(class_estimate(exponential(1, 2), 0, copies=10**4))
    assert float(found.upper) - estimate <= 0.4748 * sqrt(9) / 100 + 1e-9


def test_errors():
    with pytest.raises(InputError):
        laplace(1).normal_approximation(0.5)
    with pytest.raises(InputError):
        laplace(sp.Symbol("b", positive=True)).normal_approximation(1)
    with pytest.raises(InputError):
        laplace(1).normal_approximation(1, copies=0)
    with pytest.raises(InputError):
        laplace(1).normal_approximation(1, copies=sp.Symbol("k", integer=True, positive=True))
    with pytest.raises(Unsupported):
        finite([1], [1]).normal_approximation(1, copies=9)
    with pytest.raises(Undefined):
        finite([1, 0], [0, 1]).normal_approximation(1, copies=9)
