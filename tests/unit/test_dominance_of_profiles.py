"""dominates(): proofs and refutations against mpmath and exact fractions; near ties, touches."""

from __future__ import annotations

from fractions import Fraction

import mpmath as mp
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from lapdp import (
    exponential,
    finite,
    gaussian,
    geometric,
    laplace,
    poisson,
    randomized_response,
    reverse,
    truncated_laplace,
)
from lapdp.accounting import crossings, dominates
from lapdp.accounting.ordering.lemmas import reason
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.comparison import profile_signs
from lapdp.testing.strategies import finite_pairs

HOLD = ("proved", "derived")

TINY = sp.Rational(1, 10**30)


def gaussian_profile(kappa, t):
    """Pr[Z > t] - e^t Pr[-Z' > t], Z and Z' normal with mean kappa and variance 2 kappa."""
    root = mp.sqrt(2 * kappa)
    return mp.ncdf((kappa - t) / root) - mp.exp(t) * mp.ncdf((-kappa - t) / root)


def response_profile(eps, delta, t):
    if t >= eps:
        return mp.mpf(delta)
    if t <= -eps:
        return 1 - (1 - mp.mpf(delta)) * mp.exp(t)
    high = mp.exp(eps) / (1 + mp.exp(eps))
    return delta + (1 - delta) * (high - mp.exp(t) * (1 - high))


def test_gaussian_against_randomized_response_on_a_grid():
    with mp.workdps(30):
        for sigma, eps, delta in [(1, 1, 0), (2, 1, "1e-5"), (1, 5, 0), ("1/2", 1, "1/10")]:
            s = sp.Rational(sigma)
            kappa = mp.mpf(1) / (2 * (mp.mpf(s.p) / s.q) ** 2)
            leak = mp.mpf(sp.Rational(delta).p) / sp.Rational(delta).q
            answer = dominates(gaussian(sigma), randomized_response(eps, delta))
            zeros = [mp.mpf(z.enclosure(25).mid().str(25, radius=False))
                     for z in answer.pattern.zeros]
            for k in range(-80, 81):
                t = mp.mpf(k) / 10 + mp.mpf(1) / 97
                gap = gaussian_profile(kappa, t) - response_profile(mp.mpf(eps), leak, t)
                sign = answer.pattern.signs[sum(1 for z in zeros if z < t)]
                assert sign and (gap > 0) == (sign > 0), (sigma, eps, delta, t)


def test_the_profiles_of_the_paper_cross_up_to_a_known_eps():
    # Chourasia et al. 2024, proof of Theorem 3.6: kappa = eps^2/2
    below = sp.Rational("4.8113881390351129649")
    answer = dominates(gaussian(1, below), randomized_response(below))
    assert answer.verdict == "refuted" and len(answer.crossings(20)) == 2
    above = below + sp.Rational(1, 10**19)
    assert dominates(gaussian(1, above), randomized_response(above)).verdict in HOLD
    with mp.workdps(40):
        star = mp.findroot(lambda e: mp.tanh(e / 2) - mp.erf(e / (2 * mp.sqrt(2))), 4.8)
        assert below < sp.Rational(str(mp.nstr(star, 30))) < above


def test_crossings_to_many_digits():
    (left, right) = crossings(gaussian(1), randomized_response(1), digits=60)
    assert left.at.middle == -right.at.middle and right.at.digits >= 60
    with mp.workdps(80):
        t = mp.findroot(lambda t: gaussian_profile(mp.mpf(1) / 2, t)
                        - response_profile(mp.mpf(1), 0, t), 0.7)
        assert abs(mp.mpf(right.at.middle.numerator) / right.at.middle.denominator - t) < 1e-58


@pytest.mark.parametrize("larger, smaller", [
    (randomized_response(1 + TINY), randomized_response(1)),
    (laplace(1), laplace(1 + TINY)),
    (laplace(1) ** 3, laplace(1 + TINY) ** 3),
    (randomized_response(sp.log(2) * (1 + TINY)), randomized_response(sp.log(2))),
    (gaussian(1), gaussian(1 + TINY)),
    (gaussian(1, 1 + TINY), gaussian(1)),
    (finite([1 - Fraction(1, 3), Fraction(1, 3)], ["1/3", "2/3"]),
     finite([Fraction(2, 3) - Fraction(1, 10**30), Fraction(1, 3) + Fraction(1, 10**30)],
            [Fraction(1, 3) + Fraction(1, 10**30), Fraction(2, 3) - Fraction(1, 10**30)])),
])
def test_ties_that_are_no_ties(larger, smaller):
    assert dominates(larger, smaller).verdict in HOLD
    answer = dominates(smaller, larger)
    assert answer.verdict == "refuted"
    assert answer.failure.larger.compare(answer.failure.smaller) == -1


@pytest.mark.parametrize("first, second", [
    (geometric(1), randomized_response(1)), (laplace(2, 2), laplace(1)),
    (laplace(sp.sqrt(2)), laplace(2 * sp.sqrt(2), 2)), (laplace(1), reverse(laplace(1))),
    (gaussian(1) ** 4, gaussian("1/2")), (gaussian(3, 3), gaussian(1)),
    (finite(["1/3", "2/3"], ["2/3", "1/3"]), randomized_response(sp.log(2))),
    (finite(["1/6", "1/6", "2/3"], ["1/3", "1/3", "1/3"]),
     finite(["2/3", "1/3"], ["1/3", "2/3"])),
    (finite([1], [1]), randomized_response(0)), (randomized_response(1, 1), finite([1, 0], [0, 1])),
])
def test_equal_pairs_written_differently(first, second):
    assert dominates(first, second) and dominates(second, first)
    assert dominates(first, second).crossings() == ()


def test_a_crossing_at_the_very_end():
    answer = dominates(laplace(1 + TINY), randomized_response(1 - TINY))
    assert answer.relation == "crossing"
    assert [c.at.compare(Fraction(1)) for c in answer.crossings(80)] == [-1, -1]
    assert dominates(laplace(1 + TINY), randomized_response(1 - TINY)).failure is not None


def test_refuted_and_undecided_are_told_apart():
    refuted = dominates(laplace(2), laplace(1))
    assert not refuted and refuted.verdict == "refuted" and refuted.relation == "below"
    eps = sp.Symbol("eps", positive=True)
    undecided = dominates(laplace(1), randomized_response(eps))
    assert not undecided and undecided.verdict == "undecided" and "numbers" in undecided.reason
    assert undecided.failure is None
    with pytest.raises(Unsupported, match="crossings are not known"):
        undecided.crossings()


def test_symbolic_parameters_by_lemmas():
    e1, gap, d = sp.symbols("e1 gap d", positive=True)
    answer = dominates(randomized_response(e1 + gap), randomized_response(e1))
    assert answer and "grows with eps" in answer.method
    assert dominates(laplace(e1), laplace(e1 + gap))
    assert dominates(randomized_response(e1) ** 3 * laplace(d), randomized_response(e1) ** 2)
    assert dominates(randomized_response(e1), randomized_response(e1 + gap)).verdict == "undecided"
    assert dominates(laplace(1), poisson(laplace(1), "1/3", direction="remove"))
    assert dominates(laplace(1) * gaussian(1), laplace(2) * gaussian(2))


def test_what_is_no_pair_is_refused():
    with pytest.raises(InputError, match="is no pair"):
        dominates(laplace(1), 1)


@pytest.mark.parametrize("larger, smaller", [
    (geometric(1, 3), geometric("1/2", 2)), (geometric(1, 3), geometric(1, 2)),
    (geometric(1, 4), geometric("2/3", 4)), (laplace("1/3"), laplace("1/2")),
    (randomized_response(1, "1/10"), randomized_response("1/2", "1/20")),
    (laplace(1) * randomized_response(1), randomized_response(1)),
    (laplace(1) ** 3, laplace(1) ** 2),
    (laplace(1) * geometric(1, 2), laplace(2) * geometric(1)),
    (poisson(randomized_response(1), "1/2", direction="remove"),
     poisson(randomized_response(1), "1/3", direction="remove")),
    (poisson(randomized_response(2), "1/2", direction="add"),
     poisson(randomized_response(1), "1/3", direction="add")),
])
def test_lemmas_agree_with_signs(larger, smaller):
    assert reason(larger, smaller)
    pattern = profile_signs(larger, smaller)
    assert pattern.nonnegative and 1 in pattern.signs
    assert reason(smaller, larger) is None


@settings(max_examples=150, deadline=None)
@given(finite_pairs(max_size=4), finite_pairs(max_size=4), st.integers(1, 60), st.integers(1, 60))
def test_finite_pairs_against_the_definition(first, second, n, d):
    answer = dominates(first, second)
    assert bool(answer) == first.profile_dominates(second)
    alpha = Fraction(n, d)
    gap = (sum(max(0, p - alpha * q) for p, q in first.masses)
           - sum(max(0, p - alpha * q) for p, q in second.masses))
    t = mp.log(n) - mp.log(d)
    zeros = [mp.mpf(z.enclosure(20).mid().str(20, radius=False)) for z in answer.pattern.zeros]
    near = any(abs(z - t) < 1e-15 for z in zeros)
    sign = answer.pattern.signs[sum(1 for z in zeros if z < t)]
    assert near or (gap > 0) - (gap < 0) == sign
    if answer.verdict == "refuted":
        t, large, small = answer.failure
        assert large.compare(small) == -1
    # the same by exponential polynomials
    other = profile_signs(first, second)
    assert other.signs == answer.pattern.signs


def test_infinite_losses_decide_far_out():
    assert dominates(randomized_response(1, "1/100"), laplace(1))
    answer = dominates(exponential(1, 2), randomized_response(1, "1/1000"))
    assert answer.verdict == "refuted" and answer.pattern.signs[-1] == -1
    assert dominates(finite([1, 0], [0, 1]), exponential(1, 2) ** 2)


def test_the_answer_can_be_read():
    text = dominates(laplace(1) ** 2, randomized_response(1)).explain()
    assert text.startswith("laplace(1, 1)**2 dominates randomized_response(1, 0): refuted")
    assert "at t = 0: 0.44818" in text and "below on (-0.137670103799, 0.137670103799)" in text


@pytest.mark.parametrize("larger, smaller, verdict", [
    (truncated_laplace("1/10", 5), laplace(1000000), "proved"),
    (randomized_response("1/10", "1e-8"), laplace("0.001"), "refuted"),
    (laplace("0.001"), randomized_response("7.77777"), "proved"),
    (randomized_response("1/10", "1e-8"), exponential(1, 1000), "refuted"),
])
def test_exponents_of_very_different_size(larger, smaller, verdict):
    # written over common generators these would be polynomials of degree 10^7
    answer = dominates(larger, smaller)
    assert answer.verdict == verdict
    assert answer.failure is None or answer.failure.larger.compare(answer.failure.smaller) == -1
