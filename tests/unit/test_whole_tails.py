"""Profiles of discrete Gaussian noise and of a sample of it, by sums over whole numbers."""

from __future__ import annotations

import random
from fractions import Fraction

import flint
import mpmath as mp
import pytest
import sympy as sp

from lapdp import approximate_dp, discrete_gaussian, poisson, randomized_response
from lapdp.accounting.inversion import direct, whole_tails
from lapdp.accounting.moments.lines import Number
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from tests.campaigns import references

FAR = 300


def inside(ball, truth, bits=90):
    """Does a ball contain a number of some thirty digits, and is it as sharp as that?"""
    with workprec(300):
        x = flint.arb(mp.nstr(truth, 40)) * (1 + flint.arb(0, 1e-38))
        return bool(ball.overlaps(x)) and ball.rel_accuracy_bits() > bits


def masses(sigma):
    rows = {x: mp.exp(-mp.mpf(x * x) / (2 * sigma**2)) for x in range(-FAR, FAR + 1)}
    whole = mp.fsum(rows.values())
    return {x: mass / whole for x, mass in rows.items()}


def truth(sigma, shift, weights, t):
    """The sum of max(0, p - e^t q)."""
    law, (w, u) = masses(sigma), weights
    pairs = ((law.get(x - shift, mp.mpf(0)), q) for x, q in law.items())
    return mp.fsum(max(0, w * p + (1 - w) * q - mp.exp(t) * (u * p + (1 - u) * q))
                   for p, q in pairs)


@pytest.mark.parametrize("variance", ["1/5", "2", "49/4"])
def test_tails(variance):
    with workprec(120):
        tails = whole_tails.Tails(Number(sp.Rational(variance)).ball())
        found = {m: tails.at(m) for m in (7, 3, 40, 1, 0, -2, 4)}
    with mp.workdps(50):
        law = masses(mp.sqrt(references.number(Fraction(variance))))
        for m, ball in found.items():
            assert inside(ball, mp.fsum(mass for x, mass in law.items() if x >= m))


def test_tails_of_too_many_terms_are_refused():
    with workprec(60), pytest.raises(Unsupported, match="more than 100000 terms"):
        whole_tails.Tails(flint.arb(10) ** 12).at(1)


@pytest.mark.parametrize("seed", range(12))
def test_the_profile_of_a_sample(seed):
    draw = random.Random(seed)
    sigma = draw.choice((Fraction(1, 2), Fraction(2), Fraction(7, 2)))
    shift = draw.choice((1, 2, 3))
    rate, direction = draw.choice((Fraction(1, 2), Fraction(1, 100))), draw.choice(
        ("add", "remove"))
    pair = poisson(discrete_gaussian(sp.Rational(sigma), shift), sp.Rational(rate),
                   direction=direction)
    (s, _), = releases(pair).parts
    known = direct.profile(releases(pair))
    for _ in range(4):
        t = Fraction(draw.randint(-40, 60), 97)
        with mp.workdps(50):
            weights = tuple(references.number(Fraction(int(x.p), int(x.q))) for x in (
                s.first.exact, s.second.exact))
            value = truth(references.number(sigma), shift, weights, references.number(t))
        ball = known(lambda t=t: flint.arb(flint.fmpq(t.numerator, t.denominator)), 100)
        assert (ball.is_zero() and value < mp.mpf(10) ** -45) or inside(ball, value)


def test_at_a_loss_itself_either_side_will_do():
    with workprec(150):
        ball = whole_tails.profile(Number(sp.Integer(3)), 2, flint.arb(4) / 3 - flint.arb(2) / 3)
    with mp.workdps(50):
        assert inside(ball, truth(mp.sqrt(3), 2, (1, 0), mp.mpf(2) / 3))
    with workprec(60):
        assert not whole_tails.profile(Number(sp.Integer(3)), 1, flint.arb(0, 5)).is_finite()


@pytest.mark.parametrize(("beside", "eps"), [
    (approximate_dp("0.08", "1e-5"), "2.1"), (randomized_response(1), "1.5"),
    (randomized_response("1/10") ** 9, "0.7")])
def test_beside_few_losses(beside, eps):
    sample = poisson(discrete_gaussian("7/2"), "1/100", direction="remove")
    found = (sample * beside).delta(eps)
    assert found.radius < found.value / 10**14
    with mp.workdps(60):
        t, total = references.number(Fraction(eps)), mp.mpf(0)
        for z, p in losses(beside):
            total += p * (1 if z is None else truth(mp.mpf(7) / 2, 1, (mp.mpf(1) / 100, 0), t - z))
        assert abs(references.number(found.value) - total) <= references.number(found.radius)


def losses(pair):
    """(loss, mass), None for an infinite loss."""
    if pair.mass_at_infinity != 0:
        p = mp.mpf("1e-5")
        high = mp.exp(mp.mpf("0.08"))
        return [(None, p), (mp.mpf("0.08"), (1 - p) * high / (1 + high)),
                (-mp.mpf("0.08"), (1 - p) / (1 + high))]
    (_, k), = releases(pair).parts
    loss = mp.mpf(1) if k == 1 else mp.mpf(1) / 10
    high = mp.exp(loss) / (1 + mp.exp(loss))
    return [((2 * j - k) * loss, mp.binomial(k, j) * high**j * (1 - high) ** (k - j))
            for j in range(k + 1)]
