"""Moments of atoms and analytic pieces, by quadrature, convolution on grids and closed forms."""

from __future__ import annotations

from itertools import pairwise

import flint
import mpmath as mp
import numpy as np
import pytest
import sympy as sp

from lapdp import exponential, laplace, overlapping_mixtures, poisson, truncated_laplace
from lapdp.accounting.inversion import contour, split
from lapdp.accounting.moments import panel_rules, panels
from lapdp.accounting.moments.exact import ExactSpectrum
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.mixed_exact import in_pieces
from lapdp.accounting.moments.pieces import exact_pieces
from lapdp.accounting.moments.piecewise import Atom, PiecewiseSpectrum
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

PAIRS = [
    poisson(laplace(1), "0.1", direction="remove"),
    poisson(laplace(1), "0.1", direction="add"),
    poisson(laplace("1/5"), "0.3", direction="remove"),
    poisson(laplace(30), "0.999", direction="add"),
    poisson(truncated_laplace(1, 3), "0.2", direction="remove"),
    poisson(exponential(1, 2), "0.1", direction="add"),
    poisson(exponential(1, 2).reverse(), "0.1", direction="remove"),
    overlapping_mixtures(laplace(1) ** 2, "3/4", "1/3"),
]


def two_laplace(side):
    """The density of the sum of two losses of laplace(1), away from its atoms."""
    return lambda z: (6 - abs(z)) * mp.exp(side * z / 2 - 1) / 16


SUMS = ("density", two_laplace(1), two_laplace(-1), (-2, 2), [0])


def spectrum(pair):
    return releases(pair ** 9).parts[0][0]


@pytest.mark.parametrize("pair", PAIRS, ids=repr)
@pytest.mark.parametrize(("gamma", "u"), [(0.5, 3.0), (1.25, 40.0)])
def test_moments_by_quadrature(pair, gamma, u):
    """The definition, P^q Q^(1-q), by mpmath; its atoms from the loss of the pair."""
    found = spectrum(pair)
    if gamma >= found.upper:
        if all(None not in piece.breakpoints for piece in found.pieces):
            return
        with pytest.raises(Unsupported):
            found.line(flint.arb(gamma), u, 60)
        return
    loss = pair.loss
    q = mp.mpc(gamma, u)
    with mp.workdps(20):
        expected = mp.mpc(0)
        for z, mass in loss.atoms:
            expected += mp.mpf(sp.N(mass, 20)) * mp.exp((q - 1) * mp.mpf(sp.N(z, 20)))
        base = pair.pair.numeric_pair({}) if pair != PAIRS[-1] else SUMS
        kind, p, other, ends, kinks = base
        w, v = (mp.mpf(x.p) / x.q for x in (pair.first, pair.second))
        places = sorted({max(ends[0], mp.mpf(-200)), min(ends[1], mp.mpf(200)), *kinks,
                         *(mp.mpf(j) / 2 for j in range(-40, 80) if ends[0] < j / 2 < ends[1])})
        assert kind == "density"

        def weight(x):
            a, b = p(x), other(x)
            a, b = w * a + (1 - w) * b, v * a + (1 - v) * b
            return a**q * b ** (1 - q) if a and b else mp.mpc(0)

        def share(low, high):
            middle = (low + high) / 2
            ratio = [p(low + (high - low) * mp.mpf(j) / 7) / other(
                low + (high - low) * mp.mpf(j) / 7) for j in (2, 3, 5)] if other(middle) and p(
                middle) else [0, 0, 0]
            # where p/q is constant there is an atom, counted already
            if max(ratio) - min(ratio) <= 1e-15 * max(ratio):
                return 0
            return mp.quad(weight, [low, high])

        expected += sum(share(a, b) for a, b in pairwise(places))
    with flint.ctx.workprec(120):
        ball = found.line(flint.arb(gamma), max(u, 1.0), 60).at(flint.arb(u))
    assert ball.real.rad() < 1e-15 * float(abs(ball).upper()) + 1e-17
    assert abs(complex(expected) - complex(ball)) < 1e-11 * (1 + abs(complex(expected)))


@pytest.mark.parametrize("pair", PAIRS[:2], ids=repr)
@pytest.mark.parametrize("order", [2, 3, 7])
def test_whole_orders_exactly(pair, order):
    q = order if pair.second == 0 else 1 - order
    with flint.ctx.workprec(200):
        ball = spectrum(pair).line(flint.arb(q), 0.0, 150).at(flint.arb(0))
        exact = flint.arb(str(sp.N(pair.moment(q), 60)))
        assert abs(ball.real - exact) < flint.arb(10) ** -40
        assert ball.real.rad() < 1e-40


@pytest.mark.parametrize("pair", PAIRS, ids=repr)
@pytest.mark.parametrize("gamma", [1.25])
def test_decay_is_a_bound(pair, gamma):
    found = spectrum(pair)
    if gamma >= found.upper:
        return
    decay = found.decay(gamma)
    spread = float(decay.deviation)
    line = found.line(flint.arb(gamma), 8 / spread, 40)
    heights = np.geomspace(0.003, 8, 25) / spread
    with flint.ctx.workprec(80):
        sizes = [float(abs(line.at(flint.arb(float(u)))).lower()) for u in heights]
    for j, h in enumerate(heights):
        bound = float(decay.above(float(h)))
        assert bound >= max(sizes[j:]) * (1 - 1e-9)
        if spread * h < 0.3 and pair in PAIRS[:3]:
            # close to the true size, on which the heights of many releases depend
            whole = float(decay.whole)
            assert 1 - bound / whole >= 0.85 * (1 - sizes[j] / whole)


def test_values_in_blocks_are_those_of_their_heights():
    """The bound between heights rests on values worked out together at equal steps, in doubles."""
    decay = releases(PAIRS[0]).parts[0][0].decay(1.5)
    decay.above(20.0 / float(decay.deviation))
    assert len(decay.heights) == len(decay.values) == len(decay.bounds) + 1 > 50
    assert all(low < high for low, high in pairwise(decay.heights))
    for h, (root, size) in list(zip(decay.heights, decay.values, strict=True))[::5]:
        alone = abs(decay._values_at(h, 0.0, 1)[0][0]) / decay.whole
        # the rules on this line are good to 32 bits
        assert alone.lower() <= size <= alone.upper() + flint.arb(2) ** -30
        assert root**2 <= 1 - alone.lower() ** 2


def grid_bracket(pair, count, eps, cells):
    """Bounds of delta: losses rounded down and up to a grid, convolved exactly enough by FFT."""
    z = pair.loss
    density = sp.lambdify(sp.Symbol("z", real=True), z.cdf(), "mpmath")
    atoms = [(float(a), float(m)) for a, m in z.atoms]
    low, high = min(a for a, _ in atoms), max(a for a, _ in atoms)
    edges = np.linspace(low, high, cells + 1)
    below = np.array([float(density(mp.mpf(x))) for x in edges[1:-1]])
    inner = np.diff(np.concatenate([[atoms[0][1]], below, [1 - atoms[-1][1]]]))
    found = []
    for shift in (0, 1):
        masses = np.zeros(cells + 1)
        masses[shift:cells + shift] += inner
        masses[0] += atoms[0][1]
        masses[-1] += atoms[-1][1]
        size = 1 << (count * cells + 1).bit_length()
        law = np.fft.irfft(np.fft.rfft(masses, size) ** count, size)
        total = count * low + (high - low) / cells * np.arange(size)
        keep = (total > eps) & (np.arange(size) <= count * cells)
        found.append(float(np.sum(law[keep] * -np.expm1(eps - total[keep]))))
    return found


@pytest.mark.parametrize(("pair", "count", "eps"), [
    (PAIRS[0], 3, 0.3), (PAIRS[0], 30, 0.5), (PAIRS[1], 100, 1), (PAIRS[3], 6, 0.05),
    (poisson(laplace(10), "0.5", direction="remove"), 60, 0.5),
    (PAIRS[1], 1000, 2), (PAIRS[0], 1000, 4)])
def test_many_releases_between_brackets(pair, count, eps):
    low, high = grid_bracket(pair, count, eps, 600)
    answer = (pair ** count).delta(sp.Rational(str(eps)), digits=15)
    assert answer.method == "contour integral" and answer.certified
    assert low - 1e-12 <= float(answer) <= high + 1e-12
    assert answer.enclosure.digits >= 15


def test_pieces_of_an_exact_law_give_its_closed_form():
    pair = laplace(2)
    model, found = pair.model(), as_pieces(pair)
    exact = ExactSpectrum(model.loss, model.p_infinite)
    for gamma in (0.5, 2.0):
        with flint.ctx.workprec(100):
            one, two = (s.line(flint.arb(gamma), 20.0, 60).at(flint.arb(17))
                        for s in (found, exact))
            assert one.overlaps(two)
    with flint.ctx.workprec(120):
        ball = contour.delta(Factors(((found, 2000),)), flint.arb(60), 55)
    assert ball.overlaps((pair ** 2000).delta(60, 20).enclosure.ball())
    assert ball.rel_accuracy_bits() > 45


def as_pieces(pair):
    model = pair.model()
    atoms = tuple(Atom(z, orders[0]) for z, orders in model.loss.impulses.items())
    return PiecewiseSpectrum(atoms, tuple(exact_pieces(model.loss)), model.p_infinite, None)


@pytest.mark.parametrize(("pair", "count", "eps"), [
    (laplace(1), 1, "1/3"), (laplace(1), 4, "5/2"), (laplace(1), 12, 0), (laplace(10), 60, 2),
    (laplace(1), 40, 36), (laplace("1/2") ** 2, 4, 3), (truncated_laplace(1, 3), 10, "7/2")])
def test_few_draws_apart_against_closed_forms(pair, count, eps):
    """The whole of it, approximants included, where the answer is an exponential polynomial."""
    with flint.ctx.workprec(1 << 14):
        point = flint.arb(flint.fmpq(*map(int, sp.Rational(eps).as_numer_denom())))
    with flint.ctx.workprec(140):
        ball = split.delta(Factors(((as_pieces(pair), count),)), point, 64)
        lost = 1 - (1 - flint.arb(str(sp.N(pair.mass_at_infinity, 50)))) ** count
    exact = (pair ** count).profile.at(eps, 30).ball() - lost
    assert ball.overlaps(exact)
    assert ball.rel_accuracy_bits() > 55


def test_two_kinds_apart_against_a_closed_form():
    pairs = (laplace(1), 5), (laplace(3), 4)
    with flint.ctx.workprec(1 << 14):
        point = flint.arb(2)
    with flint.ctx.workprec(140):
        ball = split.delta(Factors(tuple((as_pieces(p), k) for p, k in pairs)), point, 64)
    assert ball.overlaps((laplace(1) ** 5 * laplace(3) ** 4).profile.at(2, 30).ball())
    assert ball.rel_accuracy_bits() > 55


def test_two_releases_by_a_mean():
    """delta of the product is the mean of the second profile, shifted by the first loss."""
    pair = PAIRS[0]
    single = sp.lambdify(sp.Symbol("t", real=True), pair.profile(), "mpmath")
    z = sp.Symbol("z", real=True)
    density = sp.lambdify(z, pair.loss.density(z), "mpmath")
    eps = mp.mpf("0.1")
    with mp.workdps(25):
        atoms = [(mp.mpf(sp.N(a, 25)), mp.mpf(sp.N(m, 25))) for a, m in pair.loss.atoms]
        ends = [a for a, _ in atoms]
        cuts = sorted([*ends, *(mp.mpf("0.1") - a for a in ends if ends[0] < eps - a < ends[1])])
        expected = sum(m * single(mp.mpf("0.1") - a) for a, m in atoms) + mp.quad(
            lambda x: density(x) * single(mp.mpf("0.1") - x), cuts)
        found = mp.mpf((pair ** 2).delta("0.1", 20).enclosure.middle.numerator) / (
            pair ** 2).delta("0.1", 20).enclosure.middle.denominator
        assert abs(found - expected) < 1e-17


def shifted_mean(scale, shift, first, second, eps):
    """delta of two mixtures of Laplace noise: the mean of one profile shifted by the other loss."""
    top, (w, v) = mp.mpf(shift) / scale, (mp.mpf(x.p) / x.q for x in (first, second))

    def loss(z):
        return mp.log((w * mp.exp(z) + 1 - w) / (v * mp.exp(z) + 1 - v))

    def profile(t):
        x = mp.exp(t)
        up, down = (1 - v) * x - (1 - w), w - v * x
        z = -mp.inf if up <= 0 else mp.inf if down <= 0 else mp.log(up / down)
        p, q = ((0, 0) if z >= top else (1, 1) if z < -top
                else (1 - mp.exp((z - top) / 2) / 2, mp.exp(-(z + top) / 2) / 2))
        return w * p + (1 - w) * q - x * (v * p + (1 - v) * q)

    def density(z):
        return (w * mp.exp((z - top) / 2) + (1 - w) * mp.exp(-(z + top) / 2)) / 4

    cuts = {-top, top}
    for end in (-top, top):
        x = mp.exp(eps - loss(end))
        ratio = ((1 - v) * x - (1 - w)) / (w - v * x)
        if mp.exp(-top) < ratio < mp.exp(top):
            cuts.add(mp.log(ratio))
    masses = (w + (1 - w) * mp.exp(-top)) / 2, (w * mp.exp(-top) + 1 - w) / 2
    return (masses[0] * profile(eps - loss(top)) + masses[1] * profile(eps - loss(-top))
            + mp.quad(lambda z: density(z) * profile(eps - loss(z)), sorted(cuts)))


@pytest.mark.parametrize(("scale", "first", "second", "eps"), [
    (10, sp.Rational(999999, 1000000), sp.Rational(998999001, 1000000000), "0.00019"),
    (50, sp.Rational(999999, 1000000), sp.Integer(0), "0.0399"),
    (50, sp.Rational(1, 1000000), sp.Rational(1, 100000000), "0")])
def test_losses_that_differ_little_cancel(scale, first, second, eps):
    """Masses and densities need more bits than the answer."""
    pair = overlapping_mixtures(laplace(scale), first, second) ** 2
    found = pair.delta(eps, 18).enclosure
    with mp.workdps(50):
        expected = shifted_mean(scale, 1, first, second, mp.mpf(eps))
        middle = mp.mpf(found.middle.numerator) / found.middle.denominator
        assert abs(middle - expected) < 2e-18 * expected


@pytest.mark.parametrize("gamma", [60_000.0, 400_000.0])
def test_orders_so_large_that_only_an_end_of_a_piece_counts(gamma, monkeypatch):
    """By one panel for the whole piece, with many more nodes."""
    with workprec(120):
        for height in (0.0, gamma / 8):
            found = []
            for steep, longest in ((panels.STEEP, panel_rules.LONG), (1e300, 10**9)):
                monkeypatch.setattr(panels, "STEEP", steep)
                monkeypatch.setattr(panel_rules, "LONG", longest)
                (single, _), = in_pieces(releases(PAIRS[0])).parts
                single.latest = None
                line = single.line(flint.arb(gamma), height, 60)
                error = line.error(flint.arb(height))
                found.append((line.nodes.at(flint.arb(height)) + flint.acb(
                    flint.arb(0, error), flint.arb(0, error)), len(line.nodes)))
            (short, few), (long, many) = found
            monkeypatch.undo()
            assert short.overlaps(long) and short.real.rel_accuracy_bits() > 20
            assert 4 * few < many


def test_laws_that_take_too_long_are_refused():
    with pytest.raises(Unsupported, match=r"products of bits|polynomials|nodes"):
        (overlapping_mixtures(laplace("1/20"), "0.999", "0.333") ** 5).delta("0.515533", digits=15)


def test_many_digits_contain_more_digits():
    pair = poisson(laplace(2), "0.3", direction="add") ** 6
    few, many = (pair.delta("0.4", digits).enclosure for digits in (15, 40))
    assert few.contains(many.middle) and many.digits >= 40


def test_rates_at_the_ends():
    assert poisson(laplace(1), 1, direction="add") == laplace(1).reverse()
    assert (poisson(laplace(1), 0, direction="remove") ** 1000).delta(0).enclosure.middle == 0
    answer = (poisson(laplace(1), "0.1", direction="remove") ** 1000).delta(
        "158.6")
    assert answer.enclosure.is_exact and float(answer) == 0


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("rate", [sp.Rational(1, 10**101), 1 - sp.Rational(1, 10**101)])
def test_rates_whose_complement_no_precision_sees(rate, side):
    """1 - w beside e^500, by mpmath with as many digits: it was the logarithm of nothing."""
    pair = poisson(laplace("1/500"), rate, direction="remove")
    piece, = releases(pair if side > 0 else pair.reverse()).parts[0][0].pieces
    with workprec(64), mp.workdps(400):
        w = mp.mpf(rate.p) / rate.q
        for x in (-500, -3, 499):
            loss = mp.log(1 - w + w * mp.exp(x))
            # of the pair that is reversed, x is the loss of (Q, P)
            found = piece.loss(flint.acb(side * x)).real
            assert abs(found - side * flint.arb(mp.nstr(loss, 30))) < flint.arb("1e-16") * max(
                1, abs(float(loss)))


def test_mass_at_infinity_and_few_releases():
    """Where Q holds mass that P has not, moments of order 0 count finite losses only."""
    pair = poisson(truncated_laplace(1, 2), "0.1", direction="add")
    low, high = grid_bracket(pair, 3, 0.01, 2000)
    lost = 1 - (1 - float(pair.mass_at_infinity)) ** 3
    assert low - 1e-12 <= float((pair ** 3).delta("0.01")) - lost <= high + 1e-12


def test_negative_eps_by_reversal():
    pair = PAIRS[0] ** 1000
    x = pair.delta(-1, 12).enclosure
    other = pair.reverse().delta(1, 20).enclosure
    assert abs(float(x) - (1 - np.exp(-1.0) + np.exp(-1.0) * float(other))) < 1e-12


@pytest.mark.parametrize("scale", [1, 10, 1000])
@pytest.mark.parametrize("order", ["30", "1000.5", "1e5", "2e7", "1e9", "-40", "-3e6"])
@pytest.mark.parametrize("turns", [0, "0.4", "30"])
def test_high_orders_of_laplace_noise_see_the_ends_of_the_pieces(scale, order, turns):
    """By the formula E_q = (q e^((q - 1)/b) + (q - 1) e^(-q/b))/(2 q - 1), in mpmath."""
    spectrum = in_pieces(releases(laplace(scale))).parts[0][0]
    gamma, height = float(order), float(turns) * scale
    with mp.workdps(60):
        q, b = mp.mpc(gamma, height), mp.mpf(scale)
        value = (q * mp.exp((q - 1) / b) + (q - 1) * mp.exp(-q / b)) / (2 * q - 1)
        size = mp.log((gamma * mp.exp((gamma - 1) / b) + (gamma - 1) * mp.exp(-gamma / b))
                      / (2 * gamma - 1))
        shown = [mp.nstr(x, 50) for x in (value.real, value.imag)]
    assert abs(spectrum.log_size(gamma) - size) < 1e-6 * (1 + abs(size) / 1e6)
    with workprec(120):
        ball = spectrum.line(flint.arb(gamma), max(height, 0.0), 60).at(flint.arb(height))
        there = flint.acb(*(flint.arb(x) for x in shown))
        assert ball.overlaps(there)
        assert abs(ball - there).upper() < flint.arb(float(size)).exp() * flint.arb(2) ** -55


def test_an_order_beyond_all_doubles_is_refused_at_once():
    """Once panels were halved for minutes."""
    spectrum = in_pieces(releases(laplace(1))).parts[0][0]
    with pytest.raises(Unsupported, match="too large for doubles"):
        spectrum.line(flint.arb("1e320"), 0.0, 60)
