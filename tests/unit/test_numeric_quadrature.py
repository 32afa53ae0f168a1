"""Quadrature rules of the numeric column against integrals known in closed form."""

import pytest
from mpmath import mp

from lapdp.core.errors import Undefined
from lapdp.numeric.bromwich import line_integral
from lapdp.numeric.quadrature import integrate, root, sign_changes
from lapdp.numeric.tails import Divergent


@pytest.fixture(autouse=True)
def digits():
    with mp.workdps(45):
        yield


def close(a, b, digits=30):
    return abs(a - b) <= mp.mpf(10) ** -digits * (1 + abs(b))


CLOSED = {
    "kinked exponential": (lambda t: mp.exp(-abs(t)), -mp.inf, mp.inf, [0], lambda: mp.mpf(2)),
    "gaussian": (lambda t: mp.exp(-t * t), -mp.inf, mp.inf, [], lambda: mp.sqrt(mp.pi)),
    "far gaussian": (lambda t: mp.exp(-((t - 9) ** 2)), 0, mp.inf, [],
                     lambda: mp.sqrt(mp.pi) * mp.erfc(-9) / 2),
    "oscillating": (lambda t: mp.exp(-t / 4) * mp.sin(3 * t), 0, mp.inf, [],
                    lambda: 3 / (mp.mpf(1) / 16 + 9)),
    "two rates": (lambda t: mp.exp(-t / 8) + 1000 * mp.exp(-5 * t), 0, mp.inf, [],
                  lambda: mp.mpf(208)),
    "polynomial": (lambda t: t**5 * mp.exp(-t), 0, mp.inf, [], lambda: mp.mpf(120)),
    "bounded": (mp.exp, -2, 3, [], lambda: mp.exp(3) - mp.exp(-2)),
    "root at an end": (mp.sqrt, 0, 1, [], lambda: mp.mpf(2) / 3),
    "reversed limits": (mp.exp, 3, -2, [], lambda: mp.exp(-2) - mp.exp(3)),
    "nothing": (lambda t: mp.mpf(0), -mp.inf, mp.inf, [], lambda: mp.mpf(0)),
    "power": (lambda t: 1 / (1 + t) ** 3, 0, mp.inf, [], lambda: mp.mpf(1) / 2),
}


@pytest.mark.parametrize("name", CLOSED)
def test_against_closed_form(name):
    f, a, b, breaks, value = CLOSED[name]
    assert close(integrate(f, mp.mpf(a), mp.mpf(b), [mp.mpf(x) for x in breaks]), value())


@pytest.mark.parametrize(("f", "value"), [
    (lambda t: mp.exp(-((t - 40) ** 2) / 2), lambda: mp.sqrt(2 * mp.pi)),
    (lambda t: mp.exp(-5000 * t * t), lambda: mp.sqrt(mp.pi / 5000)),
    (lambda t: mp.exp(-t * t / 2 + 3j * t), lambda: mp.sqrt(2 * mp.pi) * mp.exp(mp.mpf(-9) / 2)),
    # E_7 of two normal densities at distance 3, without its factor exp(q (q - 1) 9 / 2)
    (lambda t: mp.exp(-7 * t * t / 2 + 3 * (t - 3) ** 2), lambda: mp.sqrt(2 * mp.pi) * mp.exp(189)),
    # a narrow bell upon a wide one, off the nodes of the first steps
    (lambda t: mp.exp(-t * t / 2) + mp.exp(-((t - mp.mpf("0.3")) * 50) ** 2 / 2),
     lambda: mp.sqrt(2 * mp.pi) * (1 + mp.mpf(1) / 50)),
    # what is not smooth is left to the other rules, though no break was named
    (lambda t: mp.exp(-abs(t)), lambda: mp.mpf(2)),
    (mp.sech, lambda: mp.pi)])
def test_the_whole_line(f, value):
    assert close(integrate(f, -mp.inf, mp.inf), value())


@pytest.mark.parametrize("turns", [1, 2, 3, 4, 8])
def test_a_wave_as_short_as_a_step_is_no_slow_one(turns):
    frequency = turns * 8 * mp.pi  # whole turns from node to node of the finer steps
    assert abs(integrate(lambda t: mp.exp(-t * t / 2 + 1j * frequency * t), -mp.inf, mp.inf)
               ) < mp.mpf(10) ** -30


def test_equal_steps_take_few_values_of_a_bell():
    count = 0

    def bell(t):
        nonlocal count
        count += 1
        return mp.exp(-t * t / 2)

    assert close(integrate(bell, -mp.inf, mp.inf), mp.sqrt(2 * mp.pi))
    whole = count
    count = 0
    assert close(integrate(bell, -mp.inf, mp.inf, [mp.mpf(0)]), mp.sqrt(2 * mp.pi))
    assert 2 * whole < count


def test_integrable_singularity_at_an_end():
    assert close(integrate(lambda t: mp.exp(-t) / mp.sqrt(t), mp.mpf(0), mp.inf),
                 mp.sqrt(mp.pi), 20)


def test_cancelling_terms_are_followed_to_the_end():
    """-e^(t/16) as (1 - e^t - 1) e^(-15 t/16): rounding hides it from t = -100 on."""
    value = integrate(lambda t: ((1 - mp.exp(t)) - 1) * mp.exp(-mp.mpf(15) / 16 * t),
                      -mp.inf, mp.mpf(0))
    assert close(value, mp.mpf(-16))


def test_rounding_noise_is_zero_and_does_not_diverge():
    third = mp.mpf(1) / 3

    def noise(t):
        thirds = mp.mpf(1) / 3
        return (thirds + thirds * mp.exp(-t) + thirds - mp.exp(-t) / 3 - 2 * thirds) * mp.exp(2 * t)

    assert third != 0
    assert abs(integrate(noise, mp.mpf(0), mp.inf)) < mp.mpf(10) ** -30


@pytest.mark.parametrize("f, sign", [
    (lambda t: mp.mpf(1), 1),
    (lambda t: -mp.exp(t), -1),
    (lambda t: 1 / (1 + t), 1),
    (lambda t: t * t, 1),
    (lambda t: mp.exp(-t) / t, 1),
])
def test_divergence_to_infinity(f, sign):
    assert integrate(f, mp.mpf(0), mp.inf) == sign * mp.inf


@pytest.mark.parametrize("mean", [4900, -4900])
def test_a_bell_far_away_does_not_diverge(mean):
    def bell(t):
        return mp.exp(-((t - mean) / 99) ** 2 / 2) / (99 * mp.sqrt(2 * mp.pi))

    assert close(integrate(bell, -mp.inf, mp.inf), 1)
    assert integrate(lambda t: bell(t) + 1, -mp.inf, mp.inf) == mp.inf


def test_divergence_without_a_value():
    with pytest.raises(Divergent):
        integrate(lambda t: t, -mp.inf, mp.inf)
    with pytest.raises(Undefined):
        integrate(lambda t: mp.exp(mp.mpc(0, 1) * t), mp.mpf(0), mp.inf)


def test_root_and_sign_changes():
    assert close(root(lambda x: x * x - 2, mp.mpf(0), mp.mpf(2)), mp.sqrt(2), 40)
    assert [close(a, b, 40) for a, b in
            zip(sign_changes(lambda x: x * x - 2), [-mp.sqrt(2), mp.sqrt(2)], strict=True)] == [
        True, True]


@pytest.mark.parametrize("x, value", [(-1, 0), (0, 0), (2, 2)])
def test_bromwich_of_a_ramp(x, value):
    result, digits = line_integral(lambda s: 1 / s**2, mp.mpf(x), mp.mpf(1))
    assert digits >= 6
    assert abs(result - value) < mp.mpf(10) ** -5


def test_bromwich_depends_on_the_line():
    """1/(s(s-1)) on the three sides of its poles: three functions."""
    def at(gamma):
        return line_integral(lambda s: 1 / (s * (s - 1)), mp.mpf(1), mp.mpf(gamma))[0]

    expected = {2: mp.e - 1, "0.5": mp.mpf(-1), -1: mp.mpf(0)}
    for gamma, value in expected.items():
        assert abs(at(gamma) - value) < mp.mpf(10) ** -5
