"""The oracle agrees with itself by two routes, and with values worked out by hand."""

from __future__ import annotations

import random
from fractions import Fraction as Fr

import pytest
from mpmath import mp

from tests.oracle import densities, finite, inversion, transforms
from tests.oracle.convolution import convolve, primitive
from tests.oracle.reals import (
    LogReal,
    Unclear,
    Undefined,
    add,
    compare,
    exp,
    log,
    mul,
    neg,
    num,
    power,
    sign,
)
from tests.oracle.signals import Signal

HALF = Fr(1, 2)
COIN = ((Fr(1, 3), Fr(2, 3)), (Fr(2, 3), Fr(1, 3)))
LEAKY = ((Fr(1, 4), HALF, Fr(1, 4), Fr(0)), (Fr(0), HALF, Fr(1, 4), Fr(1, 4)))
PAIRS = [COIN, LEAKY, ((Fr(1), Fr(0)), (Fr(0), Fr(1))), ((Fr(1),), (Fr(1),))]
RANDOM = [finite.random_pair(random.Random(k)) for k in range(25)]
ALPHAS = [Fr(1, 7), HALF, Fr(1), Fr(2), Fr(5, 2), Fr(10)]


@pytest.fixture(autouse=True)
def precision():
    with mp.workdps(30):
        yield


def close(x, y, digits=20):
    return abs(num(x) - num(y)) < mp.mpf(10) ** -digits * (1 + abs(num(y)))


@pytest.mark.parametrize("pair", PAIRS + RANDOM, ids=str)
def test_both_forms_of_the_profile_agree(pair):
    for alpha in ALPHAS:
        assert finite.hockey_stick(*pair, alpha) == finite.hockey_stick_by_events(*pair, alpha)


def test_profile_by_hand():
    assert finite.hockey_stick(*COIN, Fr(1)) == Fr(1, 3)
    assert finite.hockey_stick(*COIN, Fr(2)) == 0
    assert finite.hockey_stick(*COIN, Fr(1, 2)) == HALF
    assert finite.hockey_stick(*LEAKY, Fr(100)) == Fr(1, 4)


def test_losses_by_hand():
    assert finite.loss_masses(*LEAKY) == {"oo": Fr(1, 4), Fr(1): Fr(3, 4)}
    assert finite.loss_masses(*finite.reverse(*COIN)) == {Fr(2): Fr(2, 3), HALF: Fr(1, 3)}
    assert finite.probability(*LEAKY, ">", Fr(1)) == Fr(1, 4)
    assert finite.probability(*LEAKY, "<=", Fr(1)) == Fr(3, 4)
    assert finite.probability(*LEAKY, "<", Fr(1)) == 0


def test_moments_by_hand():
    assert finite.moment(*COIN, 2) == Fr(1, 6) + Fr(4, 3)
    assert finite.moment(*LEAKY, 2) == mp.inf
    assert finite.moment(*LEAKY, 0) == finite.moment(*LEAKY, 1) == 1
    assert finite.moment(*LEAKY, HALF) == mp.mpf(3) / 4
    assert close(finite.moment(*COIN, HALF), 2 * mp.sqrt(2) / 3)
    with pytest.raises(Undefined):
        finite.moment(*LEAKY, mp.mpc(2, 1))
    with pytest.raises(Unclear):
        finite.moment(*LEAKY, 1, zero_power="unclear")


@pytest.mark.parametrize("pair", PAIRS + RANDOM, ids=str)
def test_both_routes_to_the_trade_off_function_agree(pair):
    for level in (Fr(0), Fr(1, 10), Fr(1, 3), HALF, Fr(1)):
        assert finite.trade_off(*pair, level) == finite.trade_off_by_duality(*pair, level)


def test_dominance_by_breakpoints():
    noisy = finite.post_process(*COIN, ((Fr(3, 4), Fr(1, 4)), (Fr(1, 4), Fr(3, 4))))
    assert finite.dominates(COIN, noisy)
    assert not finite.dominates(noisy, COIN)
    assert not finite.dominates(COIN, LEAKY)
    assert not finite.dominates(LEAKY, COIN)


def test_log_reals_decide_equality_exactly():
    assert add(log(Fr(2)), log(Fr(3))) == log(Fr(6))
    assert add(log(Fr(2)), log(HALF)) == 0
    assert exp(mul(Fr(2), log(Fr(3, 2)))) == Fr(9, 4)
    assert isinstance(log(Fr(3, 2)), LogReal)
    assert compare(log(Fr(2**40, 3**25)), log(Fr(2**40 + 1, 3**25))) == -1
    assert sign(add(log(Fr(10**30 + 1, 10**30)), Fr(0))) == 1


def test_powers_and_logs_without_value():
    with pytest.raises(Undefined):
        log(Fr(0))
    with pytest.raises(Undefined):
        power(Fr(0), Fr(-1))
    with pytest.raises(Unclear):
        power(Fr(0), Fr(0))
    with pytest.raises(Undefined):
        add(mp.inf, -mp.inf)


def breaks_of(pair):
    return [log(p / q) for p, q in zip(*pair, strict=True) if p and q]


@pytest.mark.parametrize("pair", [COIN, LEAKY, *RANDOM[:6]], ids=str)
def test_profile_transform_closed_and_by_quadrature(pair):
    delta = transforms.profile_signal(*pair)
    for t in (mp.mpf("-1.3"), mp.mpf("0.2"), mp.mpf(3)):
        assert close(delta.value(t), transforms.profile_at(*pair, t))
    s = mp.mpc(HALF.numerator, 1) + 1
    closed = transforms.one_sided(delta, s)
    quad = transforms.quadrature(lambda t: transforms.profile_at(*pair, t), breaks_of(pair), s,
                                 lower=mp.mpf(0))
    assert close(closed, quad)


@pytest.mark.parametrize("pair", [COIN, *(finite.random_pair(random.Random(k), continuity="both")
                                          for k in range(5))], ids=str)
def test_two_sided_profile_transform_closed_and_by_quadrature(pair):
    delta = transforms.profile_signal(*pair)
    q = Fr(5, 2)
    quad = transforms.quadrature(lambda t: transforms.profile_at(*pair, t), breaks_of(pair), 1 - q)
    closed = transforms.two_sided(delta, 1 - q)
    assert close(closed, quad)
    assert close(q * (q - 1) * closed, finite.moment(*pair, q))  # (27), forward continuous


@pytest.mark.parametrize("pair", [COIN, LEAKY, *RANDOM[:6]], ids=str)
def test_survival_transform_closed_and_by_quadrature(pair):
    survival = Signal.constant(Fr(1)) - transforms.cdf_signal(*pair)
    alpha = Fr(3, 4)
    shifted = survival.compose(Fr(1), log(alpha))
    closed = transforms.one_sided(shifted, Fr(1))
    quad = transforms.quadrature(
        lambda t: transforms.survival_at(*pair, t + mp.log(num(alpha))),
        [b - mp.log(num(alpha)) for b in map(num, breaks_of(pair))], Fr(1), lower=mp.mpf(0))
    assert close(closed, quad)
    assert close(closed, finite.hockey_stick(*pair, alpha))  # (22)


def test_an_atom_at_the_cut_is_dropped():
    density = transforms.density_signal(*COIN)
    for alpha, mass in ((Fr(2), 0), (HALF, Fr(2, 3)), (Fr(1, 3), 1)):
        shifted = density.compose(Fr(1), log(alpha))
        assert transforms.one_sided(shifted, Fr(0)) == mass
        assert transforms.impulses_above(*COIN, alpha) == mass
    assert transforms.two_sided(density, Fr(-1)) == finite.moment(*COIN, 2)


def test_divergence_is_read_off_the_ends():
    leaky = transforms.profile_signal(*LEAKY)
    assert transforms.two_sided(leaky, Fr(-1)) == mp.inf
    assert not leaky.converges(Fr(-1))
    with pytest.raises(Undefined):
        transforms.two_sided(leaky, mp.mpc(-1, 1))
    with pytest.raises(Undefined):
        transforms.two_sided(Signal([Fr(0)], [{(0, Fr(0)): Fr(-1)}, {(0, Fr(0)): Fr(1)}]), Fr(0))
    assert transforms.two_sided(Signal.constant(Fr(-1)), Fr(1)) == -mp.inf
    with pytest.raises(Undefined):
        transforms.quadrature(lambda t: mp.mpf(1), [Fr(0)], Fr(-1), lower=mp.mpf(0))


def test_signal_algebra_by_hand():
    up = Signal.step(Fr(0))
    decay = up * Signal.exponential(Fr(-1))
    box = up - Signal.step(Fr(1))
    assert decay.derivative().impulses == {Fr(0): {0: 1}}
    assert decay.derivative().transform(Fr(1)) == HALF
    assert convolve(decay, decay).value(Fr(1)) == mp.exp(-1)
    triangle = convolve(box, box)
    assert [triangle.value(Fr(k, 2)) for k in range(-1, 6)] == [0, 0, HALF, 1, HALF, 0, 0]
    assert triangle.integral() == 1
    assert primitive(box, Fr(0)).value(Fr(5)) == 1
    assert box.compose(Fr(-2), Fr(1)).integral() == HALF
    assert up.limit(Fr(0), -1) == 0
    assert up.limit(mp.inf, 1) == 1
    assert (up.derivative() * up).integral() == 0  # a step is 0 at its place unless told else
    assert (up.derivative() * Signal.step(Fr(0), at=HALF)).integral() == HALF
    with pytest.raises(Undefined):
        up.derivative() * up.derivative()
    with pytest.raises(Undefined):
        (up.derivative() + up).value(Fr(0))


def test_running_integrals_by_hand():
    impulse = Signal.impulse(Fr(0), Fr(3)) + Signal.impulse(Fr(1))
    running = primitive(impulse, Fr(0))
    assert [running.value(Fr(k, 2)) for k in range(-1, 4)] == [-3, 0, 0, 1, 1]
    assert primitive(impulse).value(Fr(0)) == 3
    assert primitive(running.derivative(), Fr(0)).value(Fr(-1)) == -3


def test_inversion_by_hand():
    """1/(s (s - 1)) on the three strips, and (17) at a jump."""
    kernel = inversion.times(inversion.reciprocal(1, Fr(0)), inversion.reciprocal(1, Fr(-1)))
    two = log(Fr(2))
    assert inversion.invert(kernel, two, Fr(2)) == 1
    assert inversion.invert(kernel, two, HALF) == -1
    assert inversion.invert(kernel, two, Fr(-1)) == 0
    assert inversion.invert(kernel, neg(two), Fr(-1)) == HALF
    box = Signal.step(Fr(0)) - Signal.step(Fr(1))
    assert [inversion.invert(inversion.transform(box, Fr(2)), Fr(k, 2), Fr(2))
            for k in range(-1, 4)] == [0, HALF, 1, HALF, 0]
    with pytest.raises(Undefined):
        inversion.invert(inversion.transform(Signal.impulse(Fr(0)), Fr(0)), Fr(1), Fr(0))


@pytest.mark.parametrize("pair", [COIN, *(finite.random_pair(random.Random(k), continuity="both")
                                          for k in range(5))], ids=str)
def test_inverting_a_transform_gives_the_profile_back(pair):
    delta = transforms.profile_signal(*pair)
    element = inversion.transform(delta, Fr(-3, 2))
    for alpha in ALPHAS:
        assert inversion.invert(element, log(alpha), Fr(-3, 2)) == (
            finite.hockey_stick(*pair, alpha))


def test_convolution_with_the_profile_of_a_second_pair():
    """(47) read as a convolution with f_Z2, for a forward continuous second pair."""
    other = ((Fr(1, 4), Fr(3, 4)), (HALF, HALF))
    composed = convolve(transforms.profile_signal(*COIN), transforms.density_signal(*other))
    both = finite.product_pair(COIN, other)
    for alpha in ALPHAS:
        assert composed.value(log(alpha)) == finite.hockey_stick(*both, alpha)


def test_gaussian_density_route():
    with mp.workdps(20):
        pair, crossing = densities.gaussian(2, 1)
        kappa, eps = mp.mpf(1) / 8, mp.mpf(1) / 3
        closed = mp.ncdf(-(eps - kappa) / mp.sqrt(2 * kappa)) - mp.exp(eps) * mp.ncdf(
            -(eps + kappa) / mp.sqrt(2 * kappa))
        assert close(pair.profile(eps, crossing(eps)), closed, 15)
        assert close(pair.moment(3), mp.exp(6 * kappa), 15)


def test_laplace_density_route():
    with mp.workdps(20):
        pair, crossing = densities.laplace(1, 1)
        for eps in (mp.mpf(0), mp.mpf(1) / 2):
            assert close(pair.profile(eps, crossing(eps)), 1 - mp.exp((eps - 1) / 2), 15)
        assert close(pair.moment(2), (2 * mp.e + mp.exp(-2)) / 3, 15)


def test_exponential_density_route():
    with mp.workdps(20):
        pair, crossing = densities.exponential(2, 1)
        assert close(pair.moment(3), 2, 15)  # 8 times the integral of e^(-4x)
        x = mp.log(2)  # p > q exactly below log 2
        assert close(pair.profile(mp.mpf(0), crossing(mp.mpf(0))), mp.exp(-x) - mp.exp(-2 * x), 15)


def test_power_is_the_repeated_product():
    rng = random.Random(5)
    for _ in range(20):
        pair = finite.random_pair(rng, size=3)
        long = finite.product_pair(finite.product_pair(pair, pair), pair)
        short = finite.repeated(*pair, 3)
        for alpha in (Fr(1, 3), Fr(1), Fr(5, 2)):
            assert finite.hockey_stick(*short, alpha) == finite.hockey_stick(*long, alpha)
        assert sum(short[0]) == sum(short[1]) == 1
