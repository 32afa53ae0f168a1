"""Rare subsampled Gaussians, apart by usual losses and hits: windows, and other routes."""

import math
from fractions import Fraction
from itertools import pairwise

import flint
import mpmath as mp
import pytest

from lapdp import gaussian, laplace, poisson, randomized_response, staircase
from lapdp.accounting.inversion import hit_windows, hits, hits_machine
from lapdp.accounting.inversion.hit_moments import Hits
from lapdp.accounting.inversion.level import one_hit_level
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.releases import releases
from lapdp.accounting.moments.window_bounds import Below, Integrand, Window, lost
from lapdp.accounting.moments.windowed import WindowedLine
from lapdp.core.effort import at_most
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

USUAL = Window(3.0, 0.25, 4.5)
WINDOWS = [Window(7.0, 0.25, 9.0), Window(7.0, 0.25, 9.0, USUAL), USUAL]


def rare(sigma, rate, direction="remove"):
    return poisson(gaussian(sigma), rate, direction=direction)


def psi(window, n):
    """The window minus that of usual losses, each up to its end."""
    found = mp.erfc((n - window.place) / window.width) / 2 if n < window.end else mp.mpf(0)
    return found if window.usual is None else found - psi(window.usual, n)


def windowed(window, sigma, w, q):
    """W_q by quadrature over real places."""
    kappa = 1 / (2 * mp.mpf(sigma) ** 2)

    def f(n):
        z = 1 - w + w * mp.exp(mp.sqrt(2 * kappa) * n - kappa)
        return psi(window, n) * mp.npdf(n) * mp.exp(q * mp.log(z))

    ends = {-12, -8, -4, -2, 0, 2, 3, 4, 6, 7, 8, window.end, window.usual and window.usual.end}
    return mp.quad(f, sorted(x for x in ends - {None} if x <= window.end), maxdegree=5,
                   method="gauss-legendre")


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize(("sigma", "gamma"), [(2, 40.0)])
def test_moments_under_a_window_are_contained_and_bounded(window, sigma, gamma):
    (spectrum, _), = releases(rare(sigma, "1/100")).parts
    with mp.workdps(30), workprec(120):
        size = float(mp.log(windowed(window, sigma, mp.mpf("0.01"), gamma)))
        one = Integrand(spectrum, window, flint.arb(gamma), size)
        line = WindowedLine(one, 30.0)
        assert line.total() < one.upper(8.0) < line.total() * flint.arb("1.001")
        for u in (0, 50):
            found, exact = line.at(flint.arb(u)), windowed(
                window, sigma, mp.mpf("0.01"), mp.mpc(gamma, u))
            near = flint.acb(mp.nstr(exact.real, 25), mp.nstr(exact.imag, 25))
            assert abs(found - near) < line.off * 3
            assert line.off < abs(line.total()) * 1e-11
            for y in (0.001, 0.05, 0.2):
                assert line.decay(flint.arb(u), y) > abs(near)
        # what is bounded lies next to it, where windows are no part of the fall
        best = min(line.decay(flint.arb(50), y) for y in (0.02, 0.05, 0.1, 0.2, 0.4))
        assert best < abs(near) * 3


@pytest.mark.parametrize(("window", "rate", "gamma", "u"), [
    (WINDOWS[0], "1/100", 30.0, 40), (WINDOWS[1], "1/100", 5.0, 9), (USUAL, "1/2", 3.5, 4),
    (WINDOWS[0], "1/100", 0.5, 40),
    # windows that end left of 0, where the integrand is largest far on the left
    (Window(-2.5, 0.125, -1.5), "1/2", 40.0, 20), (Window(-1.1875, 0.125, -0.0625), "1/2", 3.0, 4)])
def test_the_same_for_samples_that_are_added(window, rate, gamma, u):
    """Their moment at q is that of the others at 1 - q."""
    (spectrum, _), = releases(rare(1, rate, "add")).parts
    with mp.workdps(30), workprec(120):
        w = mp.mpf(Fraction(rate).numerator) / Fraction(rate).denominator
        size = float(mp.log(windowed(window, 1, w, 1 - gamma)))
        one = Integrand(spectrum, window, flint.arb(gamma), size)
        line = WindowedLine(one, 30.0)
        assert line.total() < one.upper(8.0) < line.total() * flint.arb("1.001")
        for height in (0, u):
            found, exact = line.at(flint.arb(height)), windowed(
                window, 1, w, mp.mpc(1 - gamma, -height))
            near = flint.acb(mp.nstr(exact.real, 25), mp.nstr(exact.imag, 25))
            assert abs(found - near) < line.off * 3
            assert line.off < abs(line.total()) * 1e-11
            for y in (0.001, 0.05, 0.2):
                assert line.decay(flint.arb(height), y) > abs(near)
        assert min(line.decay(flint.arb(u), y) for y in (0.1, 0.2, 0.4, 0.8)) < abs(near) * 4
        if window.usual is None:
            inside = windowed(window, 1, w, 0)
            assert 1 - inside < mp.mpf(float(lost(spectrum, window))) * (1 + mp.mpf(10) ** -8)


def test_usual_losses_far_below_their_window_need_few_nodes():
    """Where next to nothing of them lies next to the window it is not seen."""
    (spectrum, _), = releases(rare(5, "1/1000000")).parts
    with workprec(120):
        whole = Integrand(spectrum, Window(40.0, 0.125, 41.5), flint.arb(100), 0.0)
        below, goal = Below(whole, 25.0, 60.0), 50.0
        lines = WindowedLine(whole, goal), WindowedLine(below, goal)
        assert 4 * len(lines[1].nodes) < len(lines[0].nodes)
        for u in (0, 3000, 100000):
            one, two = (line.at(flint.arb(u)) + flint.acb(flint.arb(0, line.off),
                        flint.arb(0, line.off)) for line in lines)
            assert one.overlaps(two) and lines[1].off < 1e-18
            for y in (0.001, 0.01):
                assert lines[1].decay(flint.arb(u), y) > abs(two.mid())
        assert lines[0].total() < below.upper(8.0) < lines[0].total() * flint.arb("1.001")
        # bounded from above where much lies beyond, too
        more = Below(whole, 39.0, 60.0)
        assert whole.upper(20.0) < more.upper(8.0)


def test_a_bound_of_the_decay_serves_millions_of_releases():
    """Of a release with a loss next to 0 next to nothing falls; of its power all does."""
    (spectrum, _), = releases(rare(5, "1/10000")).parts
    with workprec(120):
        gamma, window = 1000.0, Window(27.0, 0.125, 29.0)
        line = WindowedLine(Integrand(spectrum, window, flint.arb(gamma), 0.01), 60.0)
        whole, size = line.total(), abs(line.at(flint.arb(400)))
        bound = min(line.decay(flint.arb(400), y) for y in (0.007, 0.008, 0.009))
        assert size < bound < whole
        assert (bound / size) ** 10**6 < 1e3 and (size / whole) ** 10**6 < 1e-12


@pytest.mark.parametrize("window", WINDOWS[:1])
def test_the_mass_outside_a_window_is_bounded(window):
    (spectrum, _), = releases(rare(2, "1/100")).parts
    with mp.workdps(30):
        inside = windowed(window, 2, mp.mpf("0.01"), mp.mpf(1))
        assert 1 - inside < mp.mpf(float(lost(spectrum, window))) * (1 + mp.mpf(10) ** -8)


def integral(e, first, second):
    """delta of two rare releases by one certified integral over the first: beyond the place n1
    where the second cannot help, delta is that of phi (z - e^eps)."""
    (s1, w1), (s2, w2) = [(flint.arb(s), flint.arb(1) / w) for s, w in (first, second)]
    k1, k2, ratio = 1 / (2 * s1**2), 1 / (2 * s2**2), flint.arb(e).exp()
    root, turn = (2 * k1).sqrt(), k2.sqrt()

    def f(n, analytic):
        z = 1 - w1 + w1 * (root * n - k1).exp()
        u = ((ratio / z - (1 - w2)) / w2).log(analytic=analytic)
        a = (u - k2) / (2 * turn)
        return z * (-n * n / 2).exp() * w2 * (a.erfc() - u.exp() * (a + turn).erfc()) / 2

    def tail(x):
        return (x / flint.arb(2).sqrt()).erfc() / 2

    last = (((ratio / (1 - w2) - 1 + w1) / w1).log() + k1) / root
    total = (1 - w1) * tail(last) + w1 * tail(last - root) - ratio * tail(last)
    ends = [flint.arb(j) for j in range(-25, int(float(last)) - 1)]
    ends += [last.mid() - flint.arb(2) ** -j for j in range(90)]
    for low, high in pairwise(ends):
        total += flint.acb.integral(f, flint.acb(low), flint.acb(high), rel_tol=flint.arb(2)**-70,
                                    abs_tol=flint.arb(2) ** -4000).real / (
            2 * flint.arb.pi()).sqrt()
    return total * flint.arb(1, 1e-20)


@pytest.mark.parametrize(("e", "first", "second"), [
    ("0.5", (5, 10000), (5, 10000)), ("4", (2, 1000), (5, 1000000)), ("0.01", (5, 100), (5, 100))])
def test_two_releases_against_one_integral(e, first, second):
    factors = releases(rare(first[0], f"1/{first[1]}") * rare(second[0], f"1/{second[1]}"))
    with workprec(160):
        exact = integral(e, first, second)
        for found in (hits.delta(factors, flint.arb(e), 48),
                      hits_machine.delta(factors, flint.arb(e), 10)):
            assert found.overlaps(exact) and found.rel_accuracy_bits() > 30


def test_a_huge_hit_that_rules_no_moment_is_reached():
    found = (rare(5, "1/10000") ** 3).delta("1/2", digits=10)
    assert str(found).startswith("5.302501535e-425 +/- ")
    with workprec(hits_machine.BITS):
        again = hits_machine.delta(releases(rare(5, "1/10000") ** 3), flint.arb(1) / 2, 10)
    assert again.overlaps(found.enclosure.ball()) and again.rel_accuracy_bits() > 30
    # by the contour with bent wings
    assert str((rare("1/2", "1/10000") ** 3).delta("1.2", digits=10)).startswith("2.6607902947e-9")


@pytest.mark.parametrize(("pair", "eps", "delta"), [
    (rare(5, "1/10000") ** 10**6, "1/2", "7.5553755448632e-138"),
    (rare(2, "1/1000000") ** 1000, "0.00011003765085", "9.9999999893530e-16"),
    pytest.param(rare(5, "1/100") ** 100, "1/2", "1.2998001414569e-90",
                 marks=pytest.mark.nightly),
    pytest.param(rare(5, "1/1000000") ** 10**9, "1/2", "4.2923694072169e-965",
                 marks=pytest.mark.nightly),
    pytest.param(rare(5, "1/1000000") ** 10**6 * poisson(
        randomized_response(1), "1/1000", direction="remove"), "2", "3.5295817622884e-1335",
        marks=pytest.mark.nightly)])
def test_usual_losses_of_many_releases_decay(pair, eps, delta):
    """The values are those of Fourier sums with other windows by Gauss-Legendre rules."""
    exact, found = Fraction(delta), pair.delta(eps, digits=10).enclosure
    assert abs(found.middle - exact) < exact / 10**10


def test_a_thousand_releases_with_a_hit_in_doubles():
    """By balls, which take thirty times as long: 2.0059235899e-42.  The powers of a thousand
    usual losses need nodes that are known better than those of one."""
    with workprec(hits_machine.BITS):
        found = hits_machine.delta(releases(rare(1, "1/1000000") ** 1000), flint.arb(1) / 2, 10)
        assert abs(found / flint.arb("2.00592358991e-42") - 1) < 1e-10
    assert found.rel_accuracy_bits() > 34


def test_windows_of_every_width_agree():
    factors = releases(rare(1, "1/10000") ** 30)
    with workprec(hits_machine.BITS):
        eps = flint.arb(1) / 2
        known = [hits.Prepared._by(factors, eps, 48, width) for width in (0.125, 0.0625)]
        first, second = (hits_machine._sum(ready, eps, 35) for ready in known)
    assert known[0].known.windows != known[1].known.windows
    assert first.overlaps(second) and first.rel_accuracy_bits() > 20


def test_hits_that_reach_too_far_are_refused_at_once():
    with pytest.raises(Unsupported, match="need too many terms"):
        hits.Prepared.of(releases(rare(100, "1/1000") ** 3), flint.arb(8), 40, hits.MOST_TERMS)


def test_one_hit_beside_many_usual_losses_is_no_longer_than_alone():
    """What a hundred usual losses add to a hit is seen: the number takes no bits that cancel.

    The contour integral in balls has 6.7525629638e-898, after twenty seconds.
    """
    factors = releases(poisson(gaussian(10), "1/100", direction="remove") ** 100)
    ready = hits.Prepared.of(factors, 2.0, 40, hits.MOST_TERMS)
    assert ready.bits <= 48
    with workprec(hits_machine.BITS):
        found = hits_machine.delta(factors, flint.arb(2), 10)
    assert abs(float(found.log()) - (mp.log("6.7525629638") - 898 * mp.log(10))) < 1e-9
    assert found.rel_accuracy_bits() > 34


def test_hits_beside_other_losses():
    factors = releases(rare(5, "1/1000") ** 2 * laplace("1/2"))
    with workprec(120):
        # beyond all that the other loss has: that of the hits alone, moved by its mean powers
        found = hits.delta(factors, flint.arb("2.5"), 24)
        alone = hits.delta(releases(rare(5, "1/1000") ** 2), flint.arb("0.5"), 24)
        assert found > 0 and found < alone


def test_what_has_no_rare_losses_is_refused():
    with pytest.raises(Unsupported, match="no releases have rare huge losses"):
        hits.delta(releases(laplace(1)), flint.arb(1), 32)


def test_the_moment_with_hits_is_all_but_that_of_usual_losses():
    (spectrum, _), = releases(rare(2, "1/100")).parts
    window = WINDOWS[1]
    whole = Hits(((spectrum, 3),), (Window(7.0, 0.25, 9.0),), 40 * LOG2)
    split = Hits(((spectrum, 3),), (window,), 40 * LOG2)
    for order in (2.0, 9.0):
        usual = 3 * split.columns[0].usual(order)
        with workprec(80):
            both = split.bound(order) + flint.arb(usual).exp()
            assert abs(both / whole.bound(order) - 1) < 1e-3


@pytest.mark.parametrize(("sigma", "rate", "copies", "delta"), [
    ("5", "1/1000", 3, "1e-30"), ("3/2", "1/10000", 30, "1e-15"), ("1", "1/100", 3, "1e-5")])
def test_one_hit_says_nearly_where_delta_has_a_size(sigma, rate, copies, delta):
    pair = poisson(gaussian(sigma), rate, direction="remove") ** copies
    place, slope = one_hit_level(releases(pair), math.log(float(delta)))
    there = float(pair.epsilon(delta, digits=5))
    assert abs(place / there - 1) < 0.1
    gap = there / 1000
    fall = math.log(float(pair.delta(str(there + gap), digits=6))
                    / float(pair.delta(str(there), digits=6))) / gap
    assert 0.5 < slope / fall < 2


def test_where_no_single_hit_decides_nothing_is_said():
    many = poisson(gaussian(1), "1/10", direction="remove") ** 30
    # the usual losses of so many releases add up to more than one huge loss
    narrow = poisson(gaussian(10), "1/1000000", direction="remove") ** 1000
    for pair in (many, narrow, poisson(gaussian(1), "1/10", direction="add"),
                 poisson(gaussian(1), "1/1000", direction="remove") * gaussian(5)):
        assert one_hit_level(releases(pair), -20.0) is None


def test_one_more_plan_where_delta_is_smaller_than_was_thought():
    """Beyond the largest loss beside it there is far less than the line shows."""
    beside = staircase("1/10") ** 10 * poisson(laplace(2), "1/100", direction="add")
    pair = beside * rare(1, "1/10000") ** 100
    factors = releases(pair)
    with workprec(hits_machine.BITS):
        point = flint.arb("1.02")
        found = hits_machine.delta(factors, point, 8)
        enough = math.floor(8 / math.log10(2)) + 2
        first = hits_machine._sum(hits_machine._ways(factors, point, enough, hits_machine.MORE)[0],
                                  point, enough)
        assert found.rel_accuracy_bits() >= enough > first.rel_accuracy_bits()
        assert found.overlaps(first)
        assert found.overlaps(hits.delta(factors, point, 10, 10**8))


def test_decays_of_lines_that_are_sharper_than_planned():
    """These end with their window, where a plan for few bits ends before: a shift that is best
    without a window bounded nothing."""
    factors = releases(rare(2, "1/10000") ** 10 * rare(5, "1/1000000") ** 3)
    with workprec(128):
        ready = hits.Prepared.ways(factors, flint.arb("0.0245"), 17, 10**15)[0]
        known, gamma = ready.known, ready.chosen.gamma
        assert known.columns[0].cut(gamma, known.goal + 8) is not None
        low, high = known.lines(0, gamma, 112)
        assert not isinstance(low.integrand, Below)
        edge = flint.arb(48_000)
        usual, _ = known.decays(0, (low, high), gamma, edge)
        assert usual < flint.arb("-1").exp()
        for share in (1, 1.01, 1.2, 1.7):
            assert abs(low.at(edge * share)) < usual


def test_hits_far_above_which_moments_are_come_before_noise():
    """Beside other losses, too: noise in doubles takes longer, and sees nothing of them."""
    pair = rare(1, "1/1000000") ** 2 * laplace(1)
    assert hit_windows.excess(releases(pair), 2.0) > 50 > hit_windows.excess(
        releases(laplace(1) ** 9 * rare(5, "1/1000") ** 9), 2.0)
    with at_most(800_000):
        found = pair.delta(2)
    assert found.method == "contour integral of hits"
    assert found.enclosure.ball().overlaps(pair.delta(2, digits=12).enclosure.ball())


def test_hits_that_are_cheap_come_before_noise():
    """Where no digits are asked for: noise takes three times as long, and more for fewer."""
    pair = rare(10, "1/1000") ** 1000
    with at_most(800_000):
        found = pair.delta(2)
    assert found.method == "contour integral of hits"
    assert found.enclosure.ball().overlaps(pair.delta(2, digits=12).enclosure.ball())
