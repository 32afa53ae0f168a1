"""Moments of (w P + (1 - w) Q, Q) on wide strips: against integrals, and what must stay refused."""

import flint
import mpmath as mp
import pytest

from lapdp import gaussian, poisson
from lapdp.accounting.moments.mixed_choice import Rule, keeps
from lapdp.accounting.moments.mixed_normal import MixedNormalLine
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

HEIGHTS = (0, "0.5", 7, 60)


def spectrum(sigma, rate, direction="remove"):
    found = releases(poisson(gaussian(sigma), rate, direction=direction))
    return found.parts[0][0]


def moment(sigma, rate, order, u):
    """E_q by a sum of mpmath whose step is so short that forty digits are right."""
    with mp.workdps(35):
        w, root, step = mp.mpf(rate), 1 / mp.mpf(sigma), mp.mpf(1) / 24
        q, last = mp.mpc(order, u), float(order) * float(root) + 13
        places = [step * j for j in range(-24 * 13, int(24 * last))]
        return step * mp.fsum((1 - w + w * mp.exp(root * n - root**2 / 2)) ** q * mp.npdf(n)
                              for n in places)


@pytest.mark.parametrize(("sigma", "rate", "order"), [
    ("1", "0.01", "3.5"), ("0.5", "0.3", "1.25"), ("3", "0.01", "40"), ("1", "0.5", "0.25"),
    ("1", "1e-6", "0")])
def test_rules_on_wide_strips_enclose_integrals(sigma, rate, order):
    s = spectrum(sigma, rate)
    with workprec(128):
        gamma = flint.arb(order)
        lines = [s.line(gamma, 60.0, 60)]
        # nearly the whole strip, for nodes on the real line and above it
        root = (2 * s.doubles[2]) ** 0.5
        for share, shift in ((0.999, False), (0.4999, True)):
            width = share * 3.14159 / root
            chosen = s.line(gamma, 1.0, 60)
            step = float(chosen.step)
            lines.append(MixedNormalLine(s, gamma, Rule(
                step, chosen.first, chosen.last, width, width if shift else 0.0)))
        for u in HEIGHTS:
            exact = moment(sigma, rate, order, u)
            near = flint.acb(mp.nstr(exact.real, 35), mp.nstr(exact.imag, 35))
            for line in lines:
                assert abs(line.at(flint.arb(u)) - near).lower() < 1e-30 * abs(near) + 1e-33
                assert line.decay(flint.arb(u)) > float(abs(exact)) * (1 - 1e-9)
        # the rule that is chosen is sharp up to its height
        assert all(float(lines[0].error(flint.arb(u)) / lines[0].mean) < 1e-16 for u in HEIGHTS)


@pytest.mark.parametrize(("direction", "order"), [("add", "3.5"), ("remove", "-0.5")])
def test_where_a_mixture_divides_the_strip_stays_narrow(direction, order):
    s = spectrum("1", "0.01", direction)
    assert not keeps(s.doubles, float(order))
    with workprec(128):
        gamma = flint.arb(order)
        MixedNormalLine(s, gamma, Rule(0.1, -150, 200, 1.57))
        with pytest.raises(Unsupported, match="too wide"):
            MixedNormalLine(s, gamma, Rule(0.1, -150, 200, 1.58))


def test_the_zero_of_a_mixture_is_outside_of_every_strip():
    s = spectrum("1", "0.01")
    with workprec(128), pytest.raises(Unsupported, match="too wide"):
        MixedNormalLine(s, flint.arb(2), Rule(0.1, -150, 200, 3.1416))


def test_many_copies_see_how_little_a_moment_falls():
    s = spectrum("1", "0.01")
    with workprec(160):
        line = s.line(flint.arb("2.03125"), 3.75, 90)
        # the integral has fallen by 1.28e-3 there
        assert 0.99872 < float(line.decay(flint.arb("3.75")) / line.mean) < 0.99940
