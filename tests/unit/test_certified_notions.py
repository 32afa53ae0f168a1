"""Moments, Renyi divergences, trade-offs as answers: against quadrature and exact sums."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath as mp
import pytest
import sympy as sp

from lapdp import (
    exponential,
    finite,
    gaussian,
    laplace,
    poisson,
    randomized_response,
)
from lapdp.accounting.answers import Answer, largest
from lapdp.accounting.notions import derivative_at_one
from lapdp.balls.decimals import Enclosure
from lapdp.core.errors import InputError, Undefined, Unsupported

ORDERS = ["-3/2", "1/3", "5/2", 2, "11/2"]


def encloses(answer, value):
    number = Fraction(mp.nstr(value, 45))
    return abs(number - answer.value) <= answer.radius + abs(number) / 10**38


def mean(f, rate, sigma):
    """E of f(ratio of densities) under the second member, by quadrature."""
    w, s = mp.mpf(rate.numerator) / rate.denominator, mp.mpf(sigma)

    def under(x):
        ratio = 1 - w + w * mp.exp((x - mp.mpf(1) / 2) / s**2)
        return mp.npdf(x, 0, s) * f(ratio)

    return mp.quad(under, [-40 * s, -10 * s, -3 * s, 0, 3 * s, 10 * s, 40 * s])


@pytest.mark.parametrize("q", ORDERS)
@pytest.mark.parametrize(("rate", "sigma", "count"), [("1/100", 1, 1), ("3/10", 2, 50)])
def test_moments_of_sampled_normals_by_quadrature(q, rate, sigma, count):
    pair = poisson(gaussian(sigma), rate, direction="remove") ** count
    order = Fraction(q)
    with mp.workdps(50):
        power = mp.mpf(order.numerator) / order.denominator
        value = mean(lambda z: z**power, Fraction(rate), sigma) ** count
        assert encloses(pair.moment(q, digits=20), value)
        assert encloses(pair.renyi(q, digits=20), mp.log(value) / (power - 1))
        # (Q, P) at 1 - q is (P, Q) at q
        assert encloses(pair.reverse().moment(1 - order, digits=20), value)


@pytest.mark.parametrize(("rate", "sigma"), [("1/100", 1), ("3/10", 2), ("99/100", 1)])
def test_the_mean_loss_by_quadrature(rate, sigma):
    pair = poisson(gaussian(sigma), rate, direction="remove")
    with mp.workdps(50):
        forward = mean(lambda z: z * mp.log(z), Fraction(rate), sigma)
        back = -mean(mp.log, Fraction(rate), sigma)
        assert encloses((pair**7).renyi(1, digits=25), 7 * forward)
        assert encloses((pair.reverse() ** 7).renyi(1, digits=25), 7 * back)


@pytest.mark.parametrize("pair", [laplace(2), exponential(1, 2), gaussian(3),
                                  exponential(1, 2).reverse(),
                                  finite(["1/2", "1/2"], ["1/4", "3/4"])])
def test_the_slope_of_the_moment_is_the_mean_loss_in_closed_form(pair):
    """Exponential losses have moments up to order 2 only, and down to -1."""
    ball = derivative_at_one(pair, 100)
    mean_loss = Fraction(str(sp.N(pair.loss.mean, 60)))
    assert ball.contains_interior(ball.mid()) and ball.rad() < 1e-25
    assert abs(Fraction(ball.mid().str(50, radius=False)) - mean_loss) <= Fraction(
        float(ball.rad())) * 2 + Fraction(1, 10**45)


@pytest.mark.parametrize("q", [2, 3, -2])
def test_finite_pairs_by_exact_sums(q):
    p, r = [Fraction(1, 7), Fraction(2, 7), Fraction(4, 7)], [Fraction(1, 2), Fraction(1, 3),
                                                            Fraction(1, 6)]
    value = sum(a**q * b ** (1 - q) for a, b in zip(p, r, strict=True)) ** 5
    found = (finite(p, r) ** 5).moment(q, digits=20)
    assert abs(found.value - value) <= found.radius <= value / 10**20


@pytest.mark.parametrize(("pair", "order", "found"), [
    (exponential(1, 2), 2, math.inf), (exponential(1, 2), sp.Rational(5, 2), math.inf),
    (randomized_response(1, "1/10"), 2, math.inf), (randomized_response(1, 1), "1/2", 0),
    (randomized_response(1, "1/10"), 1, 1), (randomized_response(1, 1), 0, 1),
    (poisson(gaussian(1), 0, direction="add") ** 10**6, "7/3", 1)])
def test_infinite_zero_and_one(pair, order, found):
    answer = pair.moment(order, digits=10)
    assert answer.value == found and answer.radius == 0
    if found == math.inf:
        assert answer.is_infinite and answer.method == "the integral diverges"
        with pytest.raises(Undefined, match="infinite"):
            pair.moment.at(order)


@pytest.mark.parametrize(("pair", "order", "found"), [
    (laplace("1/3") ** 10**9, sp.oo, 3 * 10**9), (gaussian(1), sp.oo, math.inf),
    (randomized_response(1, "1/10"), sp.oo, math.inf),
    (exponential(1, 2).reverse(), math.inf, None),
    (randomized_response(1, 1), "1/2", math.inf), (randomized_response(1, "1/9"), 3, math.inf),
    (randomized_response(1, "1/9"), 1, math.inf), (gaussian("1/2") ** 3, "7/2", 21),
    (gaussian("1/2") ** 3, 1, 6), (laplace(1), 0, 0)])
def test_divergences_at_the_ends(pair, order, found):
    answer = pair.renyi(order, digits=10)
    if found is None:
        assert abs(float(answer) - math.log(2)) < 1e-9
    else:
        assert answer.value == found or abs(answer.value - found) <= answer.radius


def test_where_a_divergence_has_no_value():
    with pytest.raises(Undefined, match="-oo"):
        randomized_response(1, "1/10").renyi(-1, digits=10)
    with pytest.raises(Undefined, match="infinite"):
        gaussian(1).renyi.at(sp.oo)
    for wrong, words in ((0.5, "float"), (sp.I, "not real"), (sp.Symbol("w"), "number")):
        with pytest.raises(InputError, match=words):
            gaussian(1).moment(wrong, digits=9)
    with pytest.raises(InputError, match="parameters"):
        gaussian(sp.Symbol("s", positive=True)).moment(2, digits=9)
    with pytest.raises(InputError, match="digits"):
        gaussian(1).moment(2, digits=0)


def test_irrational_orders_and_a_billion_copies():
    root = gaussian(1).moment(sp.sqrt(2), digits=20)
    with mp.workdps(40):
        assert encloses(root, mp.exp(mp.sqrt(2) * (mp.sqrt(2) - 1) / 2))
    # inside the strip, however near its edge
    assert exponential(1, 2).moment(2 - sp.sqrt(2) / 10**30, digits=5) > 10**29
    assert exponential(1, 2).moment(2 + sp.sqrt(2) / 10**30, digits=5).is_infinite
    many = randomized_response("0.1") ** 10**9
    assert abs(float(many.renyi(2, digits=9)) / float(
        randomized_response("0.1").renyi(2, digits=9)) - 1e9) < 10


def test_tradeoff_is_an_answer():
    answer = laplace(1).tradeoff("1/4", digits=20)
    assert answer < sp.exp(-1) + sp.Rational(1, 10**19) and answer > "0.36787944117144232159"
    assert answer.certified and "profile" in answer.method


def test_tradeoff_of_many_sampled_releases():
    """By duality: no tangent of the profile lies above f, and a chord bounds it from above."""
    pair = poisson(gaussian(1), "0.01", direction="remove") ** 1000
    found = pair.tradeoff("1/2", digits=4)
    tangents = [(Fraction(1, 2) - pair.delta(Fraction(j, 10), digits=12).value)
                / Fraction(math.exp(j / 10)) for j in range(-5, 10)]
    assert max(tangents) <= found.upper * (1 + Fraction(1, 10**9))
    assert max(tangents) >= found.lower * Fraction(98, 100)


def _answer(value, radius):
    return Answer(Enclosure(Fraction(value), Fraction(radius)), "given", 0.0)


def test_order_of_answers():
    x, infinite = _answer("1/2", "1/10"), Answer(None, "given", 0.0)
    assert x < 1 and x > "0.3" and not x >= "0.7" and x <= infinite and infinite > 10**9
    assert x < sp.sqrt(2) / 2 and x > sp.log(sp.Rational(7, 5)) and x < math.inf and x > -sp.oo
    assert infinite.compare(sp.oo) == 0 and infinite.compare(infinite) == 0
    assert x.compare("3/5") is None and x.compare(sp.sqrt(3) / 3) is None and x.compare(x) is None
    assert _answer(2, 0).compare(2) == 0 and _answer(2, 0) >= 2
    with pytest.raises(Unsupported, match="more digits"):
        assert x < "0.59"
    with pytest.raises(InputError, match="float"):
        assert x < 0.5


def test_answers_as_text():
    assert repr(_answer("1/2", 0)) == "Answer(0.5, by given, 0 s)"
    doubtful = Answer(Enclosure(Fraction(1), Fraction(1)), "given", 0.0, "a", "b")
    assert not doubtful.certified and "not certified: b" in repr(doubtful)
    assert doubtful.record()["certified"] is False and doubtful.record()["doubt"] == "b"
    assert _answer("1/2", "1/10")._repr_latex_() == "$0.5 \\pm 0.1$"
    assert _answer(Fraction(1, 10**30), 0)._repr_latex_() == "$1 \\cdot 10^{-30}$"
    assert Answer(None, "given", 0.0)._repr_latex_() == "$\\infty$"


def test_the_largest_of_answers_holds_all_their_maxima():
    found = largest(_answer("1/2", "1/10"), _answer("9/20", "1/50"))
    assert (found.lower, found.upper) == (Fraction(43, 100), Fraction(3, 5))
    assert largest(Answer(None, "given", 0.0), _answer(1, 0)).is_infinite
