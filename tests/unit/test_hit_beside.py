"""One huge loss beside sums that spread far: against formulas, and against other routes."""

from __future__ import annotations

import flint
import mpmath as mp
import pytest
import sympy as sp

from lapdp import gaussian, laplace, poisson, randomized_response
from lapdp.accounting.delta_rules import upper_bound
from lapdp.accounting.inversion import few, hit_beside, hits, one_hit, one_sample, two_samples
from lapdp.accounting.moments import bounded_series, sample_series
from lapdp.accounting.moments.releases import releases
from lapdp.balls.compiler import exact_ball
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec


def removed(sigma, rate):
    return poisson(gaussian(sigma), rate, direction="remove")


def added(sigma, rate):
    return poisson(gaussian(sigma), rate, direction="add")


def by(rule, pair, eps, bits=40):
    """By one rule."""
    with workprec(few.MOST_BITS):
        point = exact_ball(sp.Rational(eps)).real
    with workprec(80):
        return rule(releases(pair), point, bits)


def profile(sigma, w, x):
    """delta of one sample that is removed, in mpmath."""
    nu, odds = 1 / (mp.sqrt(2) * sigma), (mp.exp(x) - 1 + w) / w
    a = (mp.log(odds) - nu**2) / (2 * nu)
    return w / 2 * (mp.erfc(a) - odds * mp.erfc(a + nu))


def test_beside_one_that_is_added():
    """By the integral of a formula over one of the two."""
    pair = removed(10, "1/1000") * added(1, "1/10")
    found, exact = by(hit_beside.delta, pair, 3), by(two_samples.delta, pair, 3, 60)
    assert found.overlaps(exact)
    assert min(x.rel_accuracy_bits() for x in (found, exact)) > 38


@pytest.mark.parametrize(("eps", "other", "ends"), [
    (2, added(100, "1/2"), (60, 260)), (1, gaussian(5000), (0, 40))])
def test_beside_one_of_another_kind(eps, other, ends):
    """The mean of the profile of one sample over the loss of the other, by a sum in mpmath."""
    found = by(hit_beside.delta, removed(100, "1/100") * other, eps)
    with mp.workdps(50):
        total, step, size = mp.mpf(0), mp.mpf(1) / 6, mp.mpf(0)
        for j in range(6 * ends[0], 6 * ends[1]):
            n = j * step
            loss = n / 5000 + mp.mpf(5000) ** -2 / 2 if ends[0] == 0 else -mp.log(
                (1 + mp.exp(-(n / 100 + mp.mpf(100) ** -2 / 2))) / 2)
            last = step * mp.npdf(n) * profile(100, mp.mpf(1) / 100, eps - loss)
            total, size = total + last, max(size, last)
        assert last < size * mp.mpf(10) ** -30
        number = flint.arb(mp.nstr(total, 30))
    assert abs(found / number - 1) < flint.arb("1e-11")


def test_orders_of_normal_losses_are_exact():
    """A product of doubles would be off by more than what is asked for, in an exponent of 1e4."""
    found = by(hit_beside.delta, removed(sp.Rational(37, 5), "1/1000000") * gaussian(55), 48, 60)
    with mp.workdps(50), workprec(120):
        step, w = mp.mpf(1) / 8, mp.mpf(10) ** -6
        number = flint.arb(mp.nstr(step * mp.fsum(mp.npdf(j * step) * profile(
            mp.mpf(37) / 5, w, 48 - j * step / 55 - mp.mpf(55) ** -2 / 2)
            for j in range(8 * 45, 8 * 76)), 30))
        assert found.rel_accuracy_bits() > 58 and abs(found / number - 1) < flint.arb("1e-17")


def test_beside_normal_losses_with_a_large_mean():
    """The same of many: the powers of their mean, which is far larger than they spread, cancel in
    those of what they are off it."""
    found = by(hit_beside.delta, removed(10, "1/1000000") ** 2 * gaussian(100) ** 3, 8)
    with mp.workdps(50):
        step, deviation = mp.mpf(1) / 6, mp.sqrt(3) / 100
        total = step * mp.fsum(mp.npdf(j * step) * profile(
            10, mp.mpf(10) ** -6, 8 - deviation * j * step - deviation**2 / 2)
            for j in range(6 * 15, 6 * 60))
        number = flint.arb(mp.nstr(total, 30))
    assert found.rel_accuracy_bits() > 38
    # beside one more whose usual losses are next to nothing
    assert 0 < found / number / 2 - 1 < flint.arb("1e-7")


def test_beside_two_that_are_added():
    """The mean over both losses, by a sum in mpmath around its largest term."""
    found = by(hit_beside.delta, removed(100, "1/100") * added(100, "1/2") ** 2, 2)
    with mp.workdps(45):
        def term(n, m):
            losses = [-mp.log((1 + mp.exp(-(x / 100 + mp.mpf(100) ** -2 / 2))) / 2)
                      for x in (n, m)]
            return mp.npdf(n) * mp.npdf(m) * profile(100, mp.mpf(1) / 100, 2 - sum(losses))

        middle = max(range(0, 400, 2), key=lambda n: term(n, n))
        places = [middle + mp.mpf(j) / 2 for j in range(-26, 27)]
        total = mp.fsum(term(n, m) * (1 if n == m else 2) for n in places for m in places
                        if m <= n) / 4
        assert 12 < middle < 380 and term(places[0], middle) < term(middle, middle) * mp.mpf(
            10) ** -20
        number = flint.arb(mp.nstr(total, 30))
    assert abs(found / number - 1) < flint.arb("1e-11")


@pytest.mark.parametrize(("pair", "eps"), [
    (removed(100, "1/10000") ** 5, 4),
    # sums that hardly spread are told from larger ones by slopes far beyond that at their mean
    (removed(10, "1/1000000") ** 100, "1/10")])
def test_rare_ones_alone(pair, eps):
    """By the rule for losses with a bounded range."""
    found, other = by(hit_beside.delta, pair, eps), by(one_hit.delta, pair, eps)
    assert found.overlaps(other)
    assert min(x.rel_accuracy_bits() for x in (found, other)) > 36


@pytest.mark.parametrize(("pair", "eps"), [
    (removed(10, "1/1000") ** 10000, 2), (removed(5, "1/10000") ** 10000, 1),
    (removed(2, "1/1000000") ** 1000, "1/10"),
    # ranges of usual losses that reach far towards 0
    (removed(5, "1/10000") ** 300000, "1/2"), (removed(5, "1/10000") ** 300000, "3/5")])
def test_rare_ones_whose_usual_losses_spread_far(pair, eps):
    """By the integral of hits, which knows nothing of a sum over one of them."""
    found, other = by(hit_beside.delta, pair, eps), by(hits.delta, pair, eps)
    assert found.overlaps(other)
    assert min(x.rel_accuracy_bits() for x in (found, other)) > 36


@pytest.mark.parametrize(("pair", "eps"), [
    (laplace(100) ** 3 * removed(10, "1/1000"), 1),
    (randomized_response(1) ** 2 * removed(10, "1/1000") ** 3, 8)])
def test_beside_bounded_losses(pair, eps):
    """By the integral of hits."""
    found, other = by(hit_beside.delta, pair, eps), by(hits.delta, pair, eps)
    assert found.overlaps(other)
    assert min(x.rel_accuracy_bits() for x in (found, other)) > 36


def test_beside_one_with_two_losses():
    """The sum over both of them: one is all that counts, nearly."""
    found = by(hit_beside.delta, removed(10, "1/1000") * randomized_response(1), 2)
    with mp.workdps(50):
        total = sum(mp.exp(z) / (1 + mp.exp(1)) * profile(10, mp.mpf(1) / 1000, 2 - (2 * z - 1))
                    for z in (0, 1))
        number = flint.arb(mp.nstr(total, 30))
    assert abs(found / number - 1) < flint.arb("1e-11")


@pytest.mark.parametrize("count", [10, 100])
def test_beside_sums_next_to_their_largest_one(count):
    """The sum over how many responses have either of two losses: the next sums below the largest
    one lie far from it, and each adds a millionth or less of what that does."""
    response = poisson(randomized_response(1), "1/1000", direction="add")
    found = by(hit_beside.delta, removed(5, "1/1000000") * response**count, "1/10")
    with mp.workdps(60):
        r, p, e = mp.mpf(1) / 1000, mp.e / (1 + mp.e), mp.e
        losses = [-mp.log(1 - r + r / e), -mp.log(1 - r + r * e)]
        total = mp.fsum(mp.binomial(count, j) * p ** (count - j) * (1 - p) ** j * profile(
            5, mp.mpf(10) ** -6, mp.mpf(1) / 10 - (count - j) * losses[0] - j * losses[1])
            for j in range(count + 1))
        number = flint.arb(mp.nstr(total, 30))
    assert abs(found / number - 1) < flint.arb("1e-11")


@pytest.mark.parametrize("rate", [None, "1/10"])
def test_beside_one_with_a_density(rate):
    """The mean of the profile over the noise, where the answer has ninety thousand places."""
    noise = laplace(100) if rate is None else poisson(laplace(100), rate, direction="add")
    found = by(hit_beside.delta, removed(100, "1/1000") * noise, "1/2")
    with mp.workdps(50):
        a, w = mp.mpf(1) / 100, mp.mpf(1 if rate is None else sp.Rational(rate))

        def term(z):
            loss = -mp.log(1 - w + w * mp.exp(-z))
            return profile(100, mp.mpf(1) / 1000, mp.mpf(1) / 2 - loss)

        # P has the mass 1/2 at a, and between -a and a the density e^((z - a)/2)/4
        top = term(a)
        far = [a * (1 - mp.mpf(j) / (100 if rate is None else 10)) for j in range(11)]
        inside = mp.quad(lambda z: mp.exp((z - a) / 2) / 4 * term(z) / top, far[::-1])
        assert term(far[-1]) / top < mp.mpf(10) ** -30
        number = flint.arb(mp.nstr(top * (mp.mpf(1) / 2 + inside), 30))
    assert abs(found / number - 1) < flint.arb("1e-11")


def test_beside_atoms_and_a_density():
    """By the integral over the deviation of the one that is hit."""
    pair = randomized_response("1/100") ** 10 * removed(100, "1/10000") * poisson(
        laplace(2), "1/1000", direction="add")
    found, other = by(hit_beside.delta, pair, 2), by(one_sample.delta, pair, 2)
    assert found.overlaps(other)
    assert min(x.rel_accuracy_bits() for x in (found, other)) > 36


@pytest.mark.parametrize(("noise", "order"), [
    (poisson(laplace(1), "1/10", direction="add"), 40.0), (laplace(10), 3.0),
    (laplace(100), 70000.0), (randomized_response(1), 5.0)])
def test_moments_of_a_bounded_loss_as_a_series(noise, order):
    """Against its moments at orders nearby."""
    s = releases(noise).parts[0][0]
    known = bounded_series.bounded(s)
    with workprec(160):
        reach = 4 / order
        mean = (s.log_moment(order * 1.001) - s.log_moment(order * 0.999)) / (0.002 * order)
        found = bounded_series.series(known, order, mean, 30, 60, reach)
        x = flint.arb(order) / 64
        total = sum((c * x**j for j, c in enumerate(found)), flint.arb(0))
        exact = s.line(flint.arb(order * (1 + 2.0**-6)), 0.0, 100).at(flint.arb(0)).real * (
            -x * flint.arb(mean)).exp()
        assert abs(total / exact - 1) < flint.arb("1e-17")


def test_many_rare_ones_with_few_that_decide():
    pair = removed(100, "1/1000") ** 1000
    answer = pair.delta(2, digits=10)
    assert answer.method == "sum over one huge loss"
    assert by(hit_beside.delta, pair, 2).overlaps(answer.enclosure.ball())
    most, _ = upper_bound(releases(pair), sp.Integer(2))
    # of copies without losses of others each would leak less
    less = by(one_hit.delta, removed(100, "1/1000"), 2)
    assert 1000 * less < answer.enclosure.ball() < most


def test_a_million_rare_ones_far_out():
    """One hit beside sums that spread far: less than Chernoff's bound by three hundred places, and
    more than a hit that must do alone."""
    pair = removed(5, "1/10000") ** 10**6
    answer = pair.delta(1, digits=10)
    assert answer.method == "sum over one huge loss beside others"
    most, _ = upper_bound(releases(pair), sp.Integer(1))
    with workprec(80):
        less = removed(5, "1/10000").delta(1, digits=10).enclosure.ball()
        assert 10**6 * less < answer.enclosure.ball() < most * flint.arb("1e-300")


def test_beside_many_that_are_added():
    """Their sum hardly spreads: delta is nearly what it is beside their largest sum and without
    them, and the moments of very negative orders are those of sums far below that are not seen."""
    pair = added(10, "1/1000000") ** 10000 * removed(5, "1/1000000") ** 100
    answer = pair.delta(sp.Rational(1, 100), digits=5)
    with mp.workdps(60):
        # a sample's loss has the mean 0 nearly, and a variance of w^2 (e^(1/100) - 1); delta falls
        # as e^(-u x): a normal sum adds u^2/2 times its variance to the logarithm
        w, x = mp.mpf(10) ** -6, mp.mpf(1) / 100
        slope = -mp.diff(lambda y: mp.log(profile(5, w, y)), x)
        spread = w**2 * (10**4 * mp.expm1(x) + 99 * mp.expm1(mp.mpf(1) / 25))
        near = 100 * profile(5, w, x) * mp.exp(slope**2 * spread / 2)
        assert abs(answer.enclosure.ball() / flint.arb(mp.nstr(near, 30)) - 1) < flint.arb("3e-3")


def test_a_query_that_was_refused():
    pair = added(100, "1/2") * removed(100, "1/100") ** 10
    answer = pair.delta(2, digits=10)
    assert answer.method == "sum over one huge loss beside others"
    # nine more leak more, and moments bound what all leak
    less = by(hit_beside.delta, added(100, "1/2") * removed(100, "1/100"), 2)
    most, _ = upper_bound(releases(pair), sp.Integer(2))
    assert 10 * less < answer.enclosure.ball() < most


@pytest.mark.parametrize(("pair", "eps", "words"), [
    (gaussian(1) * laplace(1), 1, "no rare huge losses"),
    (removed(100, "1/100") ** 3 * added(10, "1/10000") ** 100, 8, "two hits are seen"),
    (gaussian(1) * removed(2, "1/10"), "1/10", "huge loss|hits"),
    (gaussian(10) ** 2 * removed(10, "1/10000") ** 3, 8, "without a huge loss"),
    # tilted sums lie beyond eps: no logarithm of a negative number of odds
    (removed(51, "1/1000000") * gaussian(5), 2, "without a huge loss"),
    (added(1, "1/10000") ** 2 * removed(100, "1/1000") ** 30, 8, "more hits than one")])
def test_what_is_refused(pair, eps, words):
    with pytest.raises(Unsupported, match=words):
        by(hit_beside.delta, pair, eps)


@pytest.mark.parametrize(("sigma", "rate", "order"), [(100, "1/2", 70000.0), (2, "1/10", 30.0),
                                                      ("1/2", "1/1000", 5.0)])
def test_moments_of_an_added_sample_as_a_series(sigma, rate, order):
    s = releases(added(sigma, rate)).parts[0][0]
    with workprec(160):
        middle, found = sample_series.series(s, order, 9, 60, 0.05)
    with mp.workdps(60):
        root, v = 1 / mp.mpf(sp.Rational(sigma).p) * sp.Rational(sigma).q, 1 - mp.mpf(
            sp.Rational(rate).p) / sp.Rational(rate).q
        m, kappa, peak = mp.mpf(float(middle)), root**2 / 2, mp.mpf(s.peak(order))
        sums = [mp.mpf(0)] * 9
        for j in range(-60 * 9, 60 * 14):
            n = peak + mp.mpf(j) / 60
            ell = root * n - kappa
            loss = -mp.log(v + (1 - v) * mp.exp(-ell))
            size = mp.exp(ell + (order - 1) * loss - n * n / 2) / 60 / mp.sqrt(2 * mp.pi)
            for i in range(9):
                sums[i] += size
                size *= (loss - m) / (i + 1)
        for i, (ball, exact) in enumerate(zip(found, sums, strict=True)):
            off = abs(ball - flint.arb(mp.nstr(exact, 40)))
            assert off < 1e-12 * flint.arb(mp.nstr(sums[0], 20)) * flint.arb("0.05") ** -i
            assert off.lower() < 1e-20 * abs(ball)
