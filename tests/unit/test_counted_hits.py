"""Rare subsampled Gaussians far out, by how many losses are huge: against sums over a grid of
deviations, integrals of Arb, and the rule for all losses at once."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import flint
import mpmath as mp
import pytest

from lapdp import gaussian, poisson, randomized_response, staircase
from lapdp.accounting.delta import delta
from lapdp.accounting.first_guess import FirstGuess
from lapdp.accounting.inversion import counted, counted_bounds, counted_hits
from lapdp.accounting.inversion.level import one_hit_level
from lapdp.accounting.inversion.same_lines import one_search
from lapdp.accounting.moments.cut_normal import Curve, Ends
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.accounting.moments.piece_lines import PieceLine, Real, bound
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.pair import Pair


def rare(sigma: int, rate: str) -> Pair:
    """A release whose losses have no bound."""
    return poisson(gaussian(sigma), rate, direction="remove")


def found(pair: Pair, eps: Any, bits: int = 40) -> Any:
    """By the route itself."""
    with workprec(bits + 88):
        return counted_hits.delta(releases(pair), flint.arb(eps), bits)


def ratio(sigma: int, rate: Any, n: Any) -> Any:
    """P over Q at n deviations."""
    root = flint.arb(1) / sigma
    return 1 - rate + rate * (root * n - root * root / 2).exp()


def profile(sigma: int, rate: Any, y: Any) -> Any:
    """delta of one release at log y, in closed form."""
    if not y > 1 - rate:
        return 1 - y
    nu, x = flint.arb(1) / sigma, ((y - 1 + rate) / rate).log()
    a, b = ((x / nu + side * nu / 2) / flint.arb(2).sqrt() for side in (-1, 1))
    return rate / 2 * a.erfc() - (y - 1 + rate) / 2 * b.erfc()


def on_a_grid(sigma: int, rate: str, eps: Any, box: list[tuple[int, int]]) -> Any:
    """The sum over a grid of deviations of all releases but one that is hit, around their peak: the
    rule has next to no error, as the integrand is analytic and falls as a normal density."""
    h, w, y = flint.arb("0.5"), flint.arb(rate), flint.arb(eps).exp()
    total = flint.arb(0)
    for place in product(*(range(2 * low, 2 * high) for low, high in box)):
        size, weight = flint.arb(1), flint.arb(0)
        for n in (h * j for j in place):
            size, weight = size * ratio(sigma, w, n), weight - n * n / 2
        total += size * weight.exp() * profile(sigma, w, y / size)
    return total * (h / (2 * flint.arb.pi()).sqrt()) ** len(box)


def close(ball: Any, other: Any, digits: int) -> bool:
    """Are they the same to so many digits, and is the ball as sharp?"""
    return bool(abs(ball - other) < other * flint.arb(10) ** -digits)


@pytest.mark.parametrize(("copies", "rate", "eps", "box", "ways"), [
    # one of two, both, both or one of them hardly, and two of three
    (2, "0.01", "5.5", [(0, 22)], 2), (2, "0.01", 8, [(846, 873)], 1),
    (2, "0.1", 2, [(180, 400)], 1), (3, "0.01", 8, [(849, 869), (-1, 19)], 3)])
def test_is_the_sum_over_a_grid(copies: int, rate: str, eps: Any, box: list[tuple[int, int]],
                                ways: int) -> None:
    here = found(rare(100, rate) ** copies, eps)
    with workprec(192):
        assert close(here, ways * on_a_grid(100, rate, eps, box), 10)


@pytest.mark.parametrize(("pair", "eps", "cut"), [
    (rare(10, "0.01") ** 100, "0.25", True),
    (rare(5, "0.1") ** 3 * rare(8, "0.2") ** 2, "2.5", False),
    (rare(10, "0.05") ** 4 * poisson(gaussian(4), "0.2", direction="add"), 4, False)])
def test_is_the_rule_for_all_losses_at_once(pair: Pair, eps: Any, cut: bool) -> None:
    answer = delta(pair, eps, 8, method="contour")
    assert answer.enclosure is not None
    with workprec(128):
        here = found(pair, eps, 32)
        assert here.overlaps(answer.enclosure.ball())
        assert here.rel_accuracy_bits() > 28
    cuts = counted.chosen(releases(pair), float(flint.arb(eps)), 22.0)[0]
    assert any(place is not None for place in cuts) == cut


def spectrum(sigma: int, rate: str) -> MixedNormalSpectrum:
    s = releases(rare(sigma, rate)).parts[0][0]
    assert isinstance(s, MixedNormalSpectrum)
    return s


def by_arb(s: MixedNormalSpectrum, q: Any, low: float, high: float) -> Any:
    """The moment between two places, far beyond which nothing lies."""
    one, curve = Real(s, q.real, (None, None)), Curve(s, float(q.real))
    top = max(curve.at(n) for n in (low, high, *(
        n for n in curve.peaks() if n is not None and low < n < high)))
    cells = [low + (high - low) * j / 16 for j in range(17)]
    return sum((flint.acb.integral(
        lambda n, _: (q * one.log_z(n) - n * n / 2 - top).exp(), flint.arb(a), flint.arb(b),
        rel_tol=flint.arb(2) ** -90, abs_tol=flint.arb(2) ** -90) for a, b in pairwise(cells)),
        flint.acb(0)) * flint.arb(top).exp() / (2 * flint.arb.pi()).sqrt()


PIECES: list[tuple[int, str, float, str]] = [
    (100, "0.01", 87523.0, "low"), (100, "0.01", 87523.0, "high"), (10, "0.1", 500.0, "all"),
    (2, "0.001", 40.0, "high"), (1, "0.5", 3.0, "all")]


@pytest.mark.parametrize(("sigma", "rate", "order", "which"), PIECES)
def test_pieces_are_their_integrals(sigma: int, rate: str, order: float, which: str) -> None:
    s = spectrum(sigma, rate)
    low, cut, high = Curve(s, order).peaks()
    ends: Ends = {"low": (None, cut), "high": (cut, None), "all": (None, None)}[which]
    a, b = (low - 25 if ends[0] is None else (high or low) - 25,
            (low if ends[1] is not None or high is None else high) + 25)
    for turn in (0.0, 9.0):
        u = turn / Curve(s, order).root
        with workprec(192):
            line = PieceLine(s, flint.arb(order), ends, max(1.0, u), 30.0)
            true = by_arb(s, flint.acb(order, u), a, b)
            value = line.at(flint.arb(u))
            assert value.overlaps(true)
            assert value.rad() < line.total() * flint.arb(2) ** -36
            assert not line.decay(flint.arb(u)) < abs(true)
            if not u:
                assert not bound(s, order, ends, 20.0) < true.real
                assert bound(s, order, ends, 20.0) < true.real * flint.arb("1.001")


@pytest.mark.parametrize(("order", "ends"), [
    (2000.0, (3.0, 9.0)), (87523.0, (478.0, 700.0)), (5e4, (300.0, 400.0)), (9e4, (None, 20.0)),
    (40.0, (60.0, None))])
def test_bounds_by_tangents_are_no_less_than_the_moments(order: float, ends: Ends) -> None:
    """Where the largest value lies at a cut, or no cut lies between two peaks."""
    s = spectrum(100, "0.01")
    with workprec(256):
        true = by_arb(s, flint.acb(order), -40.0 if ends[0] is None else ends[0],
                      100.0 if ends[1] is None else ends[1]).real
        assert not bound(s, order, ends, 20.0) < true
        assert bound(s, order, ends, 20.0) < 2 * true


def hit(w: Any, sigma: int, y: Any, cut: Any) -> Any:
    """What a release beyond a place adds to delta at log y, in closed form."""
    root = flint.arb(1) / sigma
    n = cut if not y > 1 - w else ((((y - 1 + w) / w).log() + root * root / 2) / root).max(cut)
    tail, other = (((n - x) / flint.arb(2).sqrt()).erfc() / 2 for x in (flint.arb(0), root))
    return (1 - w) * tail + w * other - y * tail


@pytest.mark.parametrize("eps", [5, 7])
def test_each_number_of_huge_losses_is_bounded(eps: int) -> None:
    """Of two releases: sums over a grid of one, and a formula for the other one, which is hit."""
    factors, w = releases(rare(100, "0.01") ** 2), flint.arb("0.01")
    cuts, seen, size = counted.chosen(factors, float(eps), 28.0)
    saddles = counted.Saddles(factors, float(eps))
    assert cuts[0] is not None
    cut, y, h = flint.arb(cuts[0]), flint.arb(eps).exp(), flint.arb("0.5")
    with workprec(128):
        true = [flint.arb(0)] * 3
        for j in range(-40, 2600):
            n = h * j
            first = ratio(100, w, n)
            size_here = first * (-n * n / 2).exp() * hit(w, 100, y / first, cut)
            true[2 if n > cut else 1] += size_here if n > cut else 2 * size_here
        true = [x * h / (2 * flint.arb.pi()).sqrt() for x in true]
        bounds = counted_bounds.Bounds(factors, cuts, (None,), flint.arb(eps), flint.arb(0))
        for m in (1, 2):
            order = saddles.at((m,)) or saddles.at(next(iter(seen)))
            assert order is not None
            # at the cut a grid is no more than nearly right
            assert bounds.alone((m,), [order[0]]) > true[m] * flint.arb("0.9")
            if (m,) in seen:
                assert bounds.alone((m,), [order[0]]) < true[m] * 10**9
        rest = counted_bounds.others(saddles, cuts, seen, flint.arb(eps), size - 40)
        assert rest > sum((true[m] for m in (1, 2) if (m,) not in seen), flint.arb(0)) * 0.9


def test_says_at_once_where_it_does_not_do() -> None:
    for pair in (gaussian(2), poisson(gaussian(1), "0.5", direction="add")):
        with pytest.raises(Unsupported, match="no rare huge losses"):
            found(pair, 1)
    with pytest.raises(Unsupported):
        # one hit of a law whose logarithm is convex
        found(rare(10, "1e-6") ** 3, 1)


def test_answers_far_out() -> None:
    # 10^-19736, where 1000 deviations of about 10 give a loss of 1/10
    answer = (rare(100, "0.001") ** 1000).delta("0.1", digits=10)
    assert answer.method == "contour integrals by numbers of huge losses"
    with workprec(64):
        assert math.isclose(float(answer.enclosure.ball().log()), -45442, rel_tol=1e-4)


def test_looks_of_one_search_share_a_table() -> None:
    pair = rare(10, "0.01") ** 100
    before = counted_hits._table.cache_info().misses
    with one_search():
        near = [found(pair, eps, 40) for eps in ("0.25", "0.2501", "0.251")]
    assert counted_hits._table.cache_info().misses == before + 1
    for eps, ball in zip(("0.25", "0.2501", "0.251"), near, strict=True):
        assert found(pair, eps, 40).overlaps(ball)
        assert ball.rel_accuracy_bits() > 35


def begin(pair: Pair, level: Fraction) -> float:
    """Where a search begins."""
    return float(FirstGuess.of(pair, level).place()[0])


def test_a_search_begins_where_one_hit_decides_though_several_are_likely() -> None:
    """A million releases, of which one is hit on the average, and seldom far."""
    pair = rare(1, "1e-6") ** 10**6
    assert one_hit_level(releases(pair), math.log(1e-30)) is None
    assert begin(pair, Fraction(1, 10**30)) == pytest.approx(0.118748, rel=1e-3)
    # there usual losses decide
    assert begin(pair, Fraction(1, 10**9)) == pytest.approx(0.0059029, rel=1e-3)


@pytest.mark.parametrize(("others", "level"), [
    (poisson(gaussian(10), "0.1", direction="add") * poisson(
        gaussian(1), "1e-4", direction="add") ** 100, 30), (gaussian(10) ** 3, 15)])
def test_beside_others_one_hit_says_where_a_search_begins(others: Pair, level: int) -> None:
    pair = rare(2, "1e-3") * others
    guess = begin(pair, Fraction(1, 10**level))
    here, there = (pair.delta(str(round(guess * x, 6)), digits=6) for x in (0.97, 1.03))
    assert float(there) < 10.0**-level < float(here)


@pytest.mark.parametrize(("others", "rate", "copies", "level", "place"), [
    (staircase("0.01") ** 2, "1e-4", 10, 5, 0.0447573), (randomized_response(2) ** 100, "1e-6", 3,
                                                         15, 200.006),
    (poisson(gaussian(5), "1e-3", direction="add") ** 100, "1e-6", 2, 9, 0.0088582)])
def test_beside_losses_with_an_end_a_search_begins_near(
        others: Pair, rate: str, copies: int, level: int, place: float) -> None:
    """Right of their end, where none but a huge loss counts, and left of it."""
    pair = poisson(gaussian("1/2"), rate, direction="remove") ** copies * others
    assert begin(pair, Fraction(1, 10**level)) == pytest.approx(place, rel=0.1)


@pytest.mark.parametrize(("sigma", "rate", "copies", "level", "place"), [
    ("0.3", "1/100", 66, 6, 27.973159), ("0.4", "7/1000", 2, 15, 19.102692)])
def test_where_several_hits_decide_one_says_nothing(
        sigma: str, rate: str, copies: int, level: int, place: float) -> None:
    pair = poisson(gaussian(sigma), rate, direction="remove") ** copies
    assert one_hit_level(releases(pair), -level * math.log(10)) is None
    assert begin(pair, Fraction(1, 10**level)) == pytest.approx(place, rel=0.01)
    here, there = (pair.delta(str(place * x), digits=6) for x in (0.99, 1.01))
    assert float(there) < 10.0**-level < float(here)


@pytest.mark.parametrize("rate", ["1/10", "1/1000000"])
@pytest.mark.parametrize("sigma", ["1/2", "100"])
def test_peaks_lie_where_the_slope_changes_its_sign(sigma: str, rate: str) -> None:
    """In numbers of many digits; two peaks have a least place between them."""
    (spectrum, _), = releases(poisson(gaussian(sigma), rate, direction="remove")).parts
    w, root = (mp.mpf(x.numerator) / x.denominator for x in (
        Fraction(rate), 1 / Fraction(sigma)))
    two = 0
    for order in (1.0001, 2.0, 30.0, 1e4, 4.5e4, 1e9):
        low, middle, high = Curve(spectrum, order).peaks()
        two += high is not None
        with mp.workdps(40):
            def slope(n: Any, order: float = order) -> Any:
                odds = w * mp.exp(root * n - root**2 / 2)
                return order * root * odds / (1 - w + odds) - n

            for place, sign in ((low, 1), (middle, -1), (high, 1)):
                if place is not None:
                    off = abs(mp.mpf(place)) * mp.mpf("1e-12")
                    assert sign * slope(place - off) > 0 > sign * slope(place + off)
    assert two
