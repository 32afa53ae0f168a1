"""epsilon(delta) and delta(eps) of pairs: brackets, infinities, refusals."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath as mp
import pytest
import sympy as sp

from lapdp import finite, gaussian, geometric, laplace, poisson, randomized_response
from lapdp.accounting.delta_rules import upper_bound
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import InputError, Unsupported
from lapdp.core.precision import workprec
from tests.effort import calls_at_most

TARGETS = ["1e-3", "1e-10", "1e-100"]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("sigma", "count"), [(1, 1), (10, 400), ("1/2", 3)])
def test_gaussian_by_a_root_of_its_formula(sigma, count, target):
    found = (gaussian(sigma) ** count).epsilon(target, digits=15)
    with mp.workdps(250):
        mu = mp.sqrt(count) / (mp.mpf(Fraction(sigma).numerator) / Fraction(sigma).denominator)
        level = mp.mpf(1) / 10 ** int(target[3:])

        def excess(eps):
            upper = mu / 2 - eps / mu
            return mp.log((mp.ncdf(upper) - mp.exp(eps) * mp.ncdf(upper - mu)) / level)

        root = mp.findroot(excess, (float(found) * 0.99, float(found) * 1.01), tol=1e-60)
    gap = abs(found.enclosure.middle - Fraction(mp.nstr(root, 40)))
    assert gap <= found.enclosure.radius <= found.enclosure.middle * Fraction(2, 10**15)
    assert found.certified


@pytest.mark.parametrize("target", ["1e-5", "0.3", "9.99996e-6"])
def test_the_bracket_holds_the_level(target):
    """Just below the bracket delta is above the level, just above it below: exact sums."""
    pair = randomized_response("1/10", "1e-8") ** 1000
    found = pair.epsilon(target, digits=12).enclosure
    level = sp.Rational(target)
    for end, above in ((found.lower, True), (found.upper, False)):
        value = (randomized_response("1/10", "1e-8") ** 1000).profile.at(
            sp.Rational(end.numerator, end.denominator), 25)
        assert (value.compare(Fraction(level.p, level.q)) > 0) is above


def test_below_the_mass_at_infinity_there_is_no_eps():
    answer = randomized_response(1, "0.01").epsilon("0.001")
    assert answer.is_infinite and str(answer) == "oo" and float(answer) == float("inf")
    assert answer.record()["value"] == "oo"


def test_a_level_that_zero_satisfies():
    assert float(finite(["1/2", "1/2"], ["1/4", "3/4"]).epsilon("1/3")) == 0


@pytest.mark.parametrize(("pair", "level", "expected"), [
    (randomized_response(1, "0.01"), "0.01", 1), (randomized_response("1/3") ** 30, 0, 10),
    (randomized_response(1, "1/100") * poisson(randomized_response(2), "1/10", "remove") ** 10**6,
     "1/100", 1 + 10**6 * sp.log(1 + (sp.exp(2) - 1) / 10)),
    (randomized_response(1, "1/10") ** 2 * gaussian(1) ** 10, "19/100", sp.oo),
    (randomized_response(1, 1) ** 10, 1, 0), (randomized_response(0) ** 9, 0, 0),
    (poisson(gaussian(1), "1/2", direction="add") ** 2, 0, 2 * sp.log(2)),
    (poisson(gaussian(1), 0, direction="remove"), 0, 0),
    (gaussian(1) ** 20, 0, sp.oo), (poisson(gaussian(1), "1/2", direction="remove"), 0, sp.oo)])
def test_the_level_of_infinite_losses_is_met_at_the_largest_finite_loss(pair, level, expected):
    answer = pair.epsilon(level)
    if expected == sp.oo:
        assert answer.is_infinite
    else:
        gap = abs(sp.Rational(*answer.enclosure.middle.as_integer_ratio()) - expected)
        assert gap <= sp.Rational(*answer.enclosure.radius.as_integer_ratio())


@pytest.mark.parametrize("level", ["1/4", "1/2"])
def test_a_level_that_the_profile_takes_exactly_where_balls_cannot_tell(level):
    """delta(0) is the total variation distance, 1/4: met at 0 itself."""
    assert float(finite(["1/2", "1/2"], ["1/4", "3/4"]).epsilon(level)) == 0


@pytest.mark.parametrize(("ask", "words"), [
    (lambda: gaussian(1).delta(10**400), "too small to be written"),
    (lambda: (randomized_response("1e-4") ** 10**16).delta(10**11), "too small"),
    (lambda: (poisson(gaussian("1/1000"), "1/100", direction="add") ** 10).delta("1/20"),
     "nodes")])
def test_what_would_take_minutes_is_refused_at_once(ask, words):
    with calls_at_most(5 * 10**7), pytest.raises(Unsupported, match=words):
        ask()


@pytest.mark.parametrize(("pair", "eps"), [
    (gaussian(1), 20), (laplace(1) ** 20, 15), (randomized_response("1/10") ** 400, 20),
    (poisson(gaussian(5), "1/10", direction="add") ** 9, "1/2")])
def test_the_bound_that_a_refusal_names(pair, eps):
    """It is one, and next to delta as bounds by moments are."""
    bound, _ = upper_bound(releases(pair), sp.Rational(eps))
    with workprec(64):
        exact = pair.delta(eps, 8).enclosure.ball()
        assert exact < bound < exact * 30


def test_a_look_at_what_is_too_small_to_be_written_is_one_right_of_the_place():
    """With losses of 0.05 of either sign: by their normal approximation, to four digits."""
    found = (randomized_response("0.05") ** 10**9).epsilon("0.99999", digits=6)
    mean, deviation = 5 * 10**7 * math.tanh(0.025), 0.05 * math.sqrt(10**9) / math.cosh(0.025)
    assert abs(float(found) - (mean - 4.2649 * deviation)) < 0.01 * deviation


def test_what_is_too_small_to_be_written_has_a_bound():
    many = poisson(randomized_response("1/100"), "1/1000000", direction="add") ** 10**9
    with pytest.raises(Unsupported, match=r"at most 2\^-29068917, by Chernoff.*order 2.0.*e\+07"):
        many.delta(2)
    # a mean of e^(order loss) by the two losses alone
    with mp.workdps(40):
        order, w = mp.mpf("2.02951e7"), mp.mpf(10) ** -6
        high = mp.exp("0.01") / (1 + mp.exp("0.01"))
        p, q = (1 - w) * high + w * (1 - high), (1 - w) * (1 - high) + w * high
        mean = high**order * p ** (1 - order) + (1 - high) ** order * q ** (1 - order)
        size = (10**9 * mp.log(mean) + (1 - order) * 2 - 1 - mp.log(order)) / mp.log(2)
        assert abs(size + 29068917) < 3


@pytest.mark.parametrize(("level", "words"), [(0.1, "float"), (2, "between 0 and 1"),
                                              (sp.Symbol("d"), "rational")])
def test_bad_levels(level, words):
    with pytest.raises(InputError, match=words):
        laplace(1).epsilon(level)


@pytest.mark.parametrize("pair", [
    laplace(1) ** 20, randomized_response("1/2", "1/100") ** 20, gaussian(2) ** 9 * laplace(3),
    poisson(gaussian(1), "1/10", direction="remove") ** 100,
    poisson(gaussian(1), "1/10", direction="add") ** 100])
@pytest.mark.parametrize("eps", ["3/2", "-1/2"])
def test_reversal_across_methods(pair, eps):
    """(7): both directions by whatever method answers."""
    here = pair.delta(sp.Rational(eps), digits=20).enclosure.ball()
    there = pair.reverse().delta(-sp.Rational(eps), digits=20).enclosure.ball()
    import flint

    with flint.ctx.workprec(200):
        x = flint.arb(flint.fmpq(*Fraction(eps).as_integer_ratio())).exp()
        assert here.overlaps(1 - x + x * there)


def test_delta_says_how_and_refuses_floats():
    answer = (randomized_response("0.1") ** 1000).delta("3")
    assert answer.record()["certified"] is True
    assert answer.method in ("lattice sum", "closed form")
    with pytest.raises(InputError, match="float"):
        laplace(1).delta(0.1)
    with pytest.raises(InputError, match="must be a number"):
        laplace(1).delta(sp.Symbol("e", real=True))


def test_a_billion_releases():
    answer = (gaussian(1000) ** 10**9).delta(1000)
    assert answer.certified
    value = (randomized_response("1/1000") ** 10**6).delta(2).enclosure
    assert 0 < value.lower < value.upper < 1


@pytest.mark.parametrize(("pair", "largest"), [
    (laplace(1), 1), (laplace("1/3") ** 4, 12), (randomized_response("5/2"), Fraction(5, 2))])
def test_no_delta_at_all_asks_for_the_largest_loss(pair, largest):
    found = pair.epsilon(0, digits=12).enclosure
    assert found.contains(largest) and found.radius < Fraction(1, 10**10)


def test_what_has_no_decimals_is_refused():
    assert gaussian(1).epsilon(0).enclosure is None
    with pytest.raises(Unsupported, match="too long"):
        gaussian(1).profile.at(10**6)
    for digits in (0, -1, "a", 2.5):
        with pytest.raises(InputError, match="digits must be a whole number"):
            gaussian(1).epsilon("1e-5", digits=digits)
    with pytest.raises(Unsupported, match="declare its symbols"):
        laplace(sp.Symbol("b")).profile()


@pytest.mark.parametrize("pair", [
    poisson(gaussian(1), "0.01", direction="remove") ** 1000, gaussian(10) ** 100, laplace(1) ** 20,
    randomized_response("0.1", "1e-8") ** 1000, randomized_response(0, 1) ** 9,
    gaussian(1) ** 9 * laplace(1) ** 9, gaussian(1) ** 9 * randomized_response(1, "1e-30")])
def test_far_out_there_is_an_answer_or_one_line(pair):
    lost = pair.mass_at_infinity
    lost = Fraction(int(lost.p), int(lost.q))
    for eps in (10**30, 10**400, 10**30 * sp.sqrt(2)):
        try:
            found = pair.delta(eps)
            assert abs(found.value - lost) <= found.radius
        except Unsupported as problem:
            assert lost == 0 and str(problem) == (
                "delta is below 2^-4194304: too small to be written")
        assert abs(pair.delta(-eps).value - 1) <= Fraction(1, 10**15)


def test_a_sharp_bend_of_the_moments_is_no_trap():
    """log E bends near order 38 here: a first guess must not leap over it."""
    pair = poisson(gaussian(2), "0.01", direction="remove") ** 1000
    with calls_at_most(10**7):
        found = pair.epsilon("1.01e-5")
    assert abs(float(found) - 0.62157825767) < 1e-10


def test_a_level_far_below_the_first_look_on_a_lattice():
    found = geometric("0.1", 2).epsilon(Fraction(1, 2**1074))
    assert abs(found.value - Fraction(1, 5)) <= found.radius + Fraction(1, 10**300)


@pytest.mark.parametrize(("pair", "largest"), [
    (randomized_response(1) ** 3, "3"),
    (poisson(laplace(5), "1/2", direction="add") ** 10, "10*log(2/(1 + exp(-1/5)))"),
    (poisson(laplace(5), "1/1000", direction="remove") ** 10 * randomized_response("0.1") ** 10,
     "1 + 10*log((999 + exp(1/5))/1000)")])
def test_tiny_levels_next_to_the_largest_loss(pair, largest):
    """The mass of the largest loss proves the answer; the largest loss by the definition."""
    found = pair.epsilon("1e-30", digits=10)
    assert found.method == "mass of the largest loss"
    end = Fraction(str(sp.N(sp.sympify(largest), 40)))
    assert found.enclosure.contains(end) and found.enclosure.radius < end / 10**10


def test_levels_that_the_mass_of_the_largest_loss_does_not_prove():
    """A level above what the mass proves, and a largest loss without mass, go on as before."""
    pair = randomized_response(1) ** 3
    assert pair.epsilon("1e-3", digits=10).method != "mass of the largest loss"
    found = poisson(gaussian(1), "1/2", direction="add").epsilon("1e-5", digits=10)
    assert found.method != "mass of the largest loss"
    # with infinite losses below the level
    lost = randomized_response(1, "1e-31") ** 3
    assert lost.epsilon("1e-30", digits=10).method == "mass of the largest loss"


def test_levels_above_a_bound_of_the_total_variation():
    """Rare releases: delta(0) is at most the chance that one of them differs, k w."""
    pair = poisson(gaussian(100), "1/1000000", direction="remove") ** 3
    found = pair.epsilon("1e-3", digits=10)
    assert found.method == "bound of the total variation" and found.enclosure.is_exact
    assert not found.enclosure.middle
    # a level below delta(0) = w (2 Phi(1/200) - 1)
    one = poisson(gaussian(100), "1/1000000", direction="remove")
    assert one.epsilon("3e-9", digits=6).enclosure.lower > 0
    # the bound of a mechanism that leaks is above such levels, though delta(0) is not
    assert gaussian(1).epsilon("0.39", digits=6).method != "bound of the total variation"
