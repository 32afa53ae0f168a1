"""Rare huge losses dropped, and what they add bounded."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import flint
import mpmath as mp
import pytest

from lapdp import discrete_gaussian, gaussian, poisson, randomized_response
from lapdp.accounting.inversion import contour, cut_losses, cut_spectra, smoothed
from lapdp.accounting.inversion.cut_losses import Apart
from lapdp.accounting.inversion.cut_spectra import CutNormal, CutTheta
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.releases import releases
from lapdp.accounting.moments.window_bounds import Integrand
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec


def number(x: Fraction | str) -> Any:
    x = Fraction(x)
    return mp.mpf(x.numerator) / x.denominator


def ball(pair: Any, eps: str, digits: int) -> Any:
    with workprec(smoothed.BITS):
        return smoothed.delta(releases(pair), flint.arb(flint.fmpq(
            Fraction(eps).numerator, Fraction(eps).denominator)), digits)


def holds(found: Any, value: Any) -> bool:
    with workprec(160):
        return bool(found.overlaps(flint.arb(mp.nstr(value, 40))))


def tail(x: Any) -> Any:
    return mp.erfc(x / mp.sqrt(2)) / 2


def sample(sigma: Any, w: Any, eps: Any) -> Any:
    """delta of (w P + (1 - w) Q, Q), of Gaussians: where the likelihood ratio is e^eps."""
    ratio = (mp.exp(eps) - 1) / w + 1
    if ratio <= 0:
        return 1 - mp.exp(eps)
    n = sigma * mp.log(ratio) + 1 / (2 * sigma)
    return w * tail(n - 1 / sigma) + (1 - w - mp.exp(eps)) * tail(n)


@pytest.fixture
def cut_at(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Losses beyond a given one dropped, whether that is wise or not."""
    def cut(loss: float, width: float = 0.125) -> None:
        def apart(factors: Factors, eps: float, goal: float, most: Any = None) -> Apart:
            parts: Any = tuple((cut_spectra.cut(s, loss, width) if cut_losses._is_sample(s) else s,
                                k) for s, k in factors.parts)
            return cut_losses._best(Factors(parts), factors, eps)

        monkeypatch.setattr(smoothed, "apart", apart)
        # even where nothing will be seen
        monkeypatch.setattr(Apart, "log_most", math.inf)

    return cut


@pytest.mark.parametrize("loss", [0.1, 0.3, 1.0])
@pytest.mark.parametrize("eps", ["7/20", "1/10"])
def test_wherever_losses_of_a_gaussian_are_cut(cut_at: Any, loss: float, eps: str) -> None:
    cut_at(loss)
    with mp.workdps(40):
        one = number("3/10")
        up = mp.exp(one) / (1 + mp.exp(one))
        value = sum(p * sample(mp.mpf(2), number("1/100"), number(eps) - z)
                    for p, z in ((up, one), (1 - up, -one)))
        found = ball(poisson(gaussian(2), "1/100", direction="remove")
                     * randomized_response("3/10"), eps, 5)
        assert holds(found, value)
        assert found < 1


@pytest.mark.parametrize("loss", [0.15, 0.3, 1.0])
def test_wherever_losses_of_a_discrete_gaussian_are_cut(cut_at: Any, loss: float) -> None:
    """By all pairs of places."""
    cut_at(loss)
    with mp.workdps(40):
        w, eps = number("1/50"), number("1/4")
        base = [mp.exp(-mp.mpf(x * x) / 8) for x in range(-60, 61)]
        moved = [mp.exp(-mp.mpf((x - 1)**2) / 8) for x in range(-60, 61)]
        whole = mp.fsum(base)
        law = [((w * b + (1 - w) * a) / whole, a / whole) for a, b in zip(base, moved, strict=True)]
        value = mp.fsum(max(mp.mpf(0), p * r - mp.exp(eps) * q * s)
                        for (p, q), (r, s) in itertools.product(law, repeat=2))
        assert holds(ball(poisson(discrete_gaussian(2), "1/50", direction="remove")**2, "1/4", 5),
                     value)


@pytest.mark.parametrize(("pair", "eps"), [
    (poisson(gaussian(2), "1/10000", direction="remove")**10, "31/10000"),
    (poisson(gaussian(1), "1/1000", direction="remove")**3, "1/5")])
def test_few_digits_far_out(pair: Any, eps: str) -> None:
    """Against the integral in balls, of all losses."""
    found = ball(pair, eps, 5)
    assert found.rel_accuracy_bits() > 17
    with workprec(200):
        assert found.overlaps(contour.delta(releases(pair), flint.arb(flint.fmpq(
            Fraction(eps).numerator, Fraction(eps).denominator)), 60))


@pytest.mark.parametrize("order", [-40, -3, 0, 1, 2, 9])
def test_what_is_dropped_of_a_gaussian(order: int) -> None:
    """By an integral over the normal variable."""
    cut = cut_spectra.cut(releases(poisson(gaussian(1), "1/20", direction="remove")).parts[0][0],
                          0.4, 0.25)
    assert isinstance(cut, CutNormal)
    window = cut.window
    with mp.workdps(25):
        def dropped(n: Any) -> Any:
            share = mp.erfc((window.place - n) / mp.mpf(window.width)) / 2 if (
                n < window.end) else mp.mpf(1)
            z = mp.mpf(19) / 20 + mp.exp(n - mp.mpf(1) / 2) / 20
            return share * z**order * mp.npdf(n)

        value = mp.quad(dropped, [-9, 0, window.place - 1, window.place, window.end,
                                  window.end + 4, window.end + 9, window.end + 30])
    with workprec(128):
        most = cut.most_dropped(flint.arb(order))
        assert float(value) <= float(most) < 3 * float(value)
        if order in (0, 1):
            assert cut.dropped(order).overlaps(flint.arb(mp.nstr(value, 20)) + flint.arb(0, 1e-18))


def test_an_order_that_is_too_large_for_bounds_is_refused() -> None:
    """Bounds of all places to the left would begin far off: no sum was ever done."""
    cut = cut_spectra.cut(releases(poisson(
        discrete_gaussian(2), "1/20", direction="remove")).parts[0][0], 0.1, 0.25)
    with pytest.raises(Unsupported, match="too many atoms are kept"):
        cut.line(flint.arb(1e9), 0.0, 60)


@pytest.mark.parametrize("order", [-8, 0, 1, 5])
def test_what_is_dropped_of_a_discrete_gaussian(order: int) -> None:
    cut = cut_spectra.cut(releases(poisson(
        discrete_gaussian(2), "1/20", direction="remove")).parts[0][0], 0.1, 0.25)
    assert isinstance(cut, CutTheta)
    with mp.workdps(40):
        base = {x: mp.exp(-mp.mpf(x * x) / 8) for x in range(-80, 81)}
        whole = mp.fsum(base.values())
        value = mp.fsum(b / whole * (mp.mpf(19) / 20 + mp.exp(mp.mpf(2 * x - 1) / 8) / 20)**order
                        for x, b in base.items() if x > cut.last)
        with workprec(160):
            assert abs(cut._dropped(flint.arb(order)) - flint.arb(mp.nstr(value, 40))) < 1e-35


@pytest.mark.parametrize("copies", [1, 2])
def test_what_is_dropped_however_rare_it_is(copies: int) -> None:
    """Of one release all losses above eps are dropped and nothing else; of two, sums of two losses
    are summed."""
    with mp.workdps(60):
        w, v, far = number("1e-6"), mp.mpf(4), 200
        whole = mp.fsum(mp.exp(-mp.mpf(x * x) / (2 * v)) for x in range(-far, far + 1))
        q = {x: mp.exp(-mp.mpf(x * x) / (2 * v)) / whole for x in range(-far, far + 1)}
        ratio = {x: 1 - w + w * mp.exp((x - mp.mpf(1) / 2) / v) for x in q}
        if copies == 1:
            value = mp.fsum(q[x] * max(mp.mpf(0), ratio[x] - mp.exp(2)) for x in q)
        else:
            value = mp.fsum(q[x] * q[y] * max(mp.mpf(0), ratio[x] * ratio[y] - mp.exp(2))
                            for x in range(-30, 90) for y in range(-30, 90))
    pair = poisson(discrete_gaussian(2), "1/1000000", direction="remove")**copies
    factors = releases(pair)
    parts: Any = tuple((cut_spectra.cut(s, 2.0, 0.125), k) for s, k in factors.parts)
    found, rest = cut_losses._best(Factors(parts), factors, 2.0).beside(flint.arb(2))
    assert 0 < found < 1e-200
    with workprec(200):
        assert rest < found / 10**6
        # of the number 40 digits are written
        assert holds(found.lower() * flint.arb(1, 1e-30) + flint.arb(0).union(rest), value)


def test_cuts_beyond_too_many_atoms_are_not_laid_out():
    """At eps in the millions the place of a cut is one of as many atoms, of which none counts."""
    pair = poisson(discrete_gaussian(2), "1/2", direction="remove")
    s = releases(pair).parts[0][0]
    with pytest.raises(Unsupported, match="too many atoms"):
        _ = CutTheta(s, 10**7)._grid


def test_a_window_far_beyond_all_losses_is_not_laid_out() -> None:
    """At an eps of millions beside very many wide losses: places of a window took all memory."""
    rare, many = poisson(gaussian(1), "1/2", direction="remove"), discrete_gaussian(3) ** 10**9
    without = many.delta(55_600_000, digits=5)
    assert without.value / 2 < (many * rare**1000).delta(55_600_000, digits=5).value < 1


@pytest.mark.parametrize("order", [12, 20])
def test_what_is_dropped_takes_few_cells(monkeypatch: pytest.MonkeyPatch, order: int) -> None:
    """By an integral; most cells were next to nothing: 700 in all."""
    s = releases(poisson(gaussian(2), "1/1000", direction="remove")).parts[0][0]
    cut, steps = cut_spectra.cut(s, 0.2, 1 / 16), []
    monkeypatch.setattr(cut_spectra, "spend", steps.append)
    assert isinstance(cut, CutNormal)
    window = cut.window
    found = cut.most_dropped(flint.arb(order))
    assert len(steps) < 120
    with mp.workdps(25):
        def dropped(n: Any) -> Any:
            share = mp.erfc((window.place - n) / mp.mpf(window.width)) / 2 if (
                n < window.end) else mp.mpf(1)
            z = number("999/1000") + mp.exp(n / 2 - mp.mpf(1) / 8) / 1000
            return share * z**order * mp.npdf(n)

        value = mp.quad(dropped, [-9, 0, window.place - 1, window.place, window.end,
                                  window.end + 4, window.end + 9, window.end + 40])
        assert value <= number(Fraction(float(found))) < 1.2 * value


@pytest.mark.parametrize(("sigma", "w", "each", "copies", "eps", "digits"), [
    ("1", "1e-6", "1/10", 1, "2", 3), ("2", "1e-4", "1/10", 3, "1", 3),
    ("1/2", "1e-6", "2", 20, "81/2", 3), ("2", "1e-4", "1/10", 30, "5", 3)])
def test_a_tiny_delta_by_the_window_that_serves_it(sigma: str, w: str, each: str, copies: int,
                                                   eps: str, digits: int) -> None:
    """By sums over all atoms of closed forms; windows were chosen for which nothing was seen."""
    found = ball(poisson(gaussian(sigma), w, direction="remove")
                 * randomized_response(each)**copies, eps, digits)
    with mp.workdps(40):
        one = number(each)
        up = mp.exp(one) / (1 + mp.exp(one))
        value = sum(mp.binomial(copies, k) * up**k * (1 - up)**(copies - k) * sample(
            number(sigma), number(w), number(eps) - (2 * k - copies) * one)
            for k in range(copies + 1))
        assert holds(found, value)
    assert found.rel_accuracy_bits() > 9


def test_where_a_window_has_not_begun_to_fall_its_share_is_bounded_at_once(
        monkeypatch: pytest.MonkeyPatch) -> None:
    """As by the shares at every node."""
    s = releases(poisson(gaussian(2), "1/1000", direction="remove")).parts[0][0]

    def bounds() -> tuple[Any, Any]:
        cut = cut_spectra.cut(s, 0.2, 1 / 16)
        cut_spectra._windowed.cache_clear()
        return cut.decay(371.4, flint.arb(500)), cut.line(flint.arb("371.4"), 0.0, 40).most

    fast = bounds()
    monkeypatch.setattr(Integrand, "_before", lambda *_: (-math.inf, None))
    for one, all_of_them in zip(fast, bounds(), strict=True):
        assert all_of_them * flint.arb("0.999999999999") < one < all_of_them * flint.arb(
            "1.000000001")
