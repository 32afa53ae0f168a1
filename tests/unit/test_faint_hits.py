"""Rare discrete Gaussians that leak next to nothing: bounds by sums over whole numbers."""

from __future__ import annotations

import random
from fractions import Fraction

import flint
import mpmath as mp
import pytest
import sympy as sp

from lapdp import discrete_gaussian, gaussian, laplace, poisson
from lapdp.accounting.inversion import faint, faint_hits
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from tests.campaigns import references
from tests.unit.test_faint_factors import inside, profile

FAR = 400


def law(variance):
    """Masses of whole numbers."""
    rows = {x: mp.exp(-mp.mpf(x * x) / (2 * variance)) for x in range(-FAR, FAR + 1)}
    whole = mp.fsum(rows.values())
    return {x: mass / whole for x, mass in rows.items()}


def sample(variance, shift, rate, direction):
    """(R, P-mass, Q-mass) of a Poisson sample, by place."""
    masses = law(variance)
    rows = []
    for x, q in masses.items():
        p = masses.get(x - shift, mp.mpf(0))
        mixed = (1 - rate) * q + rate * p
        rows.append((x, mixed, q) if direction == "remove" else (x, q, mixed))
    return rows


@pytest.mark.parametrize("direction", ["add", "remove"])
@pytest.mark.parametrize(("sigma", "shift"), [(2, 1), ("5/3", 2), ("1/2", 1), (7, 7)])
def test_what_lies_beyond_a_place_and_in_all(sigma, shift, direction):
    pair = poisson(discrete_gaussian(sigma, shift), "1/100", direction=direction)
    (s, _), = releases(pair).parts
    with mp.workdps(30):
        v, rate = references.number(Fraction(sigma) ** 2), mp.mpf(1) / 100
        rows = sample(v, shift, rate, direction)
        variation = mp.fsum(max(p - q, 0) for _, p, q in rows)
    assert faint_hits.is_hit(s) and faint_hits.is_sample(s)
    with workprec(100):
        assert inside(faint_hits.variation(s), variation)
        for place in (0.5, 2.0, 6.0):
            reach, p, q = faint_hits.beyond(s, place)
            with mp.workdps(30):
                far = shift + place * mp.sqrt(v)
                out = [row for row in rows if row[0] > far]
                near = [row for row in rows if row[0] <= far and row[1] and row[2]]
                for bound, value in ((p, mp.fsum(row[1] for row in out)),
                                     (q, mp.fsum(row[2] for row in out)),
                                     (reach, max(abs(mp.log(a / b)) for _, a, b in near))):
                    most = mp.mpf(bound.str(25, radius=False)) * (1 + mp.mpf(10) ** -20)
                    assert most >= value and (place < 1 or most < 200 * value)


@pytest.mark.parametrize("seed", range(4))
def test_discrete_gaussians_beside_noise_are_sums_over_whole_numbers(seed):
    draw = random.Random(seed)
    sigma, shift = draw.choice(((2, 1), (10, 1), (4, 3)))
    rate, direction = draw.choice((Fraction(1, 10**4), Fraction(1, 10**6))), draw.choice(
        ("add", "remove"))
    scale = Fraction(draw.choice((1, 2, 5)), 2)
    other, whole = ((laplace(sp.Rational(scale)), references.laplace(scale)) if seed % 2 else (
        gaussian(sp.Rational(scale)), references.normal(1 / (2 * scale**2))))
    eps = Fraction(draw.randint(1, 9), 10) / scale + Fraction(1, 97)
    little = poisson(discrete_gaussian(sigma, shift), sp.Rational(rate), direction=direction)
    found = None
    for bits in (32, 24, 16):
        try:
            with workprec(bits + 40):
                found = faint.delta(other * little, sp.Rational(eps), bits, profile)
            break
        except Unsupported:
            continue
    assert found is not None
    with mp.workdps(40):
        t = references.number(eps)
        truth = mp.fsum(p * whole(t - mp.log(p / q)) for _, p, q in sample(
            mp.mpf(sigma) ** 2, shift, references.number(rate), direction) if p and q)
    assert inside(found, truth)
    with workprec(200):
        assert found.rel_accuracy_bits() >= bits - 8 and flint.arb(1) > found
