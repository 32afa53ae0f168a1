"""The end of bounded losses: what is known there agrees with exact rational profiles."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import flint
import mpmath as mp
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from lapdp import (
    discrete_gaussian,
    exponential_mechanism,
    finite,
    gaussian,
    laplace,
    poisson,
    randomized_response,
    truncated_laplace,
)
from lapdp.accounting import epsilon as accountant
from lapdp.accounting.first_guess import FirstGuess
from lapdp.accounting.last_loss import LastLoss
from lapdp.accounting.moments import rare_atoms
from lapdp.accounting.moments.releases import releases
from lapdp.calculus.enclose import enclose
from lapdp.core.precision import workprec

WEIGHTS = st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any)


def product(one, other):
    """Weights of two independent releases."""
    return [a * b for a in one for b in other]


def exact_place(p, q, level):
    """The least u >= 1 with the sum of max(0, p - u q) at most the level, or None if there is none:
    between two ratios next to each other the sum is linear."""
    def value(u):
        return sum((max(Fraction(0), a - u * b) for a, b in zip(p, q, strict=True)), Fraction(0))

    ratios = sorted({Fraction(a) / b for a, b in zip(p, q, strict=True) if b and a > b} | {
        Fraction(1)})
    if value(ratios[0]) <= level:
        return ratios[0]
    for low, high in pairwise(ratios):
        if value(high) <= level:
            return low + (high - low) * (value(low) - level) / (value(low) - value(high))
    return None


@settings(max_examples=40)
@given(one=st.tuples(WEIGHTS, WEIGHTS), other=st.tuples(WEIGHTS, WEIGHTS),
       share=st.fractions(0, 1, max_denominator=60))
def test_what_is_known_at_the_end_of_finite_pairs(one, other, share):
    p, q = ([[Fraction(x, sum(part)) for x in part] for part in (one[i], other[i])]
            for i in (0, 1))
    pair = finite(p[0], q[0]) * finite(p[1], q[1])
    p, q = product(*p), product(*q)
    lost = sum((a for a, b in zip(p, q, strict=True) if not b), Fraction(0))
    level = lost + share**4 * (1 - lost)
    if not lost < level < 1:
        return
    with workprec(200):
        last = LastLoss.of(releases(pair), level)
        finite_ratios = [a / b for a, b in zip(p, q, strict=True) if a and b]
        if last is None:
            assert not finite_ratios or max(finite_ratios) <= 1
            return
        end, low, found = last.place(level), last.low(level), last.answer(level, 3)
    exact = exact_place(p, q, level)
    with mp.workdps(90):
        top = mp.log(mp.mpf(max(finite_ratios).numerator) / max(finite_ratios).denominator)
        assert 0 <= mp.mpf(end.x.numerator) / end.x.denominator - top < 1e-40
        assert end.bounds[0] <= lost / level <= end.bounds[1]
        place = Fraction(mp.nstr(mp.log(mp.mpf(exact.numerator) / exact.denominator), 80))
    off = Fraction(1, 10**78)
    assert low is None or low <= place + off
    assert found is None or found.lower - off <= place <= found.upper + off
    answer = pair.epsilon(level)
    assert abs(answer.value - place) <= answer.radius + off


@pytest.mark.parametrize(("pair", "level", "most"), [
    (randomized_response("3/10"), "1e-15", 1), (randomized_response("3/10") ** 20, "1e-25", 2),
    (randomized_response("3/10", "1e-8") ** 20, "2.0000001e-7", 4),
    (poisson(truncated_laplace(10, 60), "1/10", direction="add") ** 3, "1e-15", 3)])
def test_few_looks_next_to_the_end(pair, level, most, monkeypatch):
    asked = []
    real = accountant.delta_at
    monkeypatch.setattr(accountant, "delta_at", lambda *question, **more: asked.append(
        question) or real(*question, **more))
    found = pair.epsilon(level, digits=10)
    assert len(asked) <= most
    below, above = (pair.delta(x, digits=25) for x in (found.lower, found.upper))
    assert below.compare(Fraction(level)) == 1 and above.compare(Fraction(level)) == -1


def test_losses_without_an_end():
    with workprec(100):
        level = Fraction(1, 10)
        assert LastLoss.of(releases(gaussian(1)), level) is None
        assert LastLoss.of(releases(poisson(laplace(1), 0, direction="add")), level) is None
        half = LastLoss.of(releases(poisson(gaussian(1), "1/2", direction="add")), level)
        assert half.mass == 0 and half.low(level) is None


def test_a_level_as_small_as_nobody_asks_for_takes_no_bits():
    pair = poisson(gaussian(73), "1/1000", direction="add") ** 1000
    tiny = FirstGuess.of(pair, Fraction(1, 10**100_000))
    assert tiny.spare_bits < 1 << 15 and tiny.share == 1


def test_where_the_losses_of_others_end():
    rare, level = poisson(gaussian(1), "1/1000", direction="remove"), Fraction(1, 10**9)
    assert abs(float(FirstGuess.of(rare * randomized_response("0.3") ** 9, level).bend()) - 2.7
               ) < 1e-12
    for pair in (rare, rare * gaussian(3), randomized_response("0.3") ** 9, gaussian(1)):
        assert FirstGuess.of(pair, level).bend() is None


@pytest.mark.parametrize(("bound", "digits"), [(100, 10), (40, 5)])
def test_losses_too_rare_for_the_level(bound, digits):
    """Noise cut off far out has one that Laplace noise has not."""
    whole, level = poisson(laplace(1), "1/10", direction="add") ** 30, Fraction(1, 10**15)
    pair = poisson(truncated_laplace(1, bound), "1/10", direction="add") ** 30
    found, other = pair.epsilon(level, digits=digits), whole.epsilon(level, digits=15)
    assert abs(found.value - other.value) <= found.radius + other.radius
    assert releases(pair).largest() != releases(whole).largest()


def test_rare_losses_apart_next_to_the_largest():
    one, other = (poisson(noise, "1/10", direction="add") ** 30 for noise in (
        truncated_laplace(1, 100), laplace(1)))
    found, known = (pair.delta("1.958949", digits=10) for pair in (one, other))
    assert found.method == known.method == "few draws next to the largest loss"
    # cut off, the noise has other masses, next to nothing of them
    assert abs(found.value - known.value) <= found.radius + known.radius
    with workprec(100):
        rare = rare_atoms.without(releases(one), flint.arb(1))
        assert 0 < rare[1] < 1e-40 and rare_atoms.without(releases(other), flint.arb(1)) is None


def rare_sums(top, usual, mass, count, eps):
    """delta of releases with two losses each, for many times more of them than is left out."""
    return sum(mp.binomial(count, j) * mass**j * (1 - mass) ** (count - j) * max(
        mp.mpf(0), -mp.expm1(eps - j * top - (count - j) * usual)) for j in range(count + 1))


@pytest.mark.parametrize(("noise", "rate", "count", "most"), [
    (truncated_laplace(2, 100), "1/10", 30, "1e-30"),
    (truncated_laplace("1/2", 10), "1/100", 10, "1e-9"),
    (truncated_laplace("1/2", 10), "1/10", 30, "1e-15"),
    (truncated_laplace(1, 3), "1/2", 8, "1e-6")])
def test_beyond_the_end_larger_losses_add_little(noise, rate, count, most):
    """All but the largest loss at the usual ones: nothing is larger at any place."""
    factors = releases(poisson(noise, rate, direction="add") ** count)
    with workprec(200), mp.workdps(60):
        found = rare_atoms.end(factors, flint.arb(most))
        assert found is not None
        (s, _), = factors.parts
        top, usual, mass = (mp.mpf(x.str(50, radius=False)) for x in (
            enclose(s.largest, {}).real, enclose(s.usual, {}).real, s.mass_of_largest()))
        z = mp.mpf((found.rare + enclose(found.usual.largest(), {}).real).str(50, radius=False))
        j = round((z - count * usual) / (top - usual))
        added = rare_sums(top, usual, mass, count, z)
        assert added <= mp.mpf(found.excess.upper().str(30, radius=False)) <= mp.mpf(most)
        # with one fewer of them more is seen, by this bound
        assert j == 0 or mp.binomial(count, j) * mass**j * -mp.expm1(usual - top) >= mp.mpf(most)
        weight = mp.binomial(count, j) * mass**j
        assert abs(mp.mpf(found.weight.str(30, radius=False)) / weight - 1) < 1e-20


def test_a_place_next_to_the_end_by_its_power_law():
    """The profile of densities alone is there a power of the gap: the guess is nearly exact."""
    pair = poisson(exponential_mechanism("1/10"), "1/1000", direction="remove") * poisson(
        laplace(100), "1/2", direction="add")
    level = Fraction(1, 10**30)
    guess = FirstGuess.of(pair, level)
    with workprec(300):
        last = LastLoss.of(guess.parts, level)
        place, slope, _ = guess.place(last.place(level), last.low(level), 3, last)
    seen = pair.delta(sp.Rational(place.numerator, place.denominator), digits=3)
    assert seen.method == "few draws next to the largest loss"
    assert abs(seen.value * 10**30 - 1) < Fraction(1, 50) and slope < -(10**15)


def test_beside_losses_without_pieces_the_end_is_not_looked_at_more_nearly_than_is_asked(
        monkeypatch):
    """The level lies 10^-6 before the end, where no few draws tell delta: 3 digits need less."""
    pair = (poisson(discrete_gaussian(1), "1/1000000", direction="add") ** 10
            * poisson(truncated_laplace(2, 100), "1/10", direction="add") ** 3)
    asked = []
    real = accountant.delta_at
    monkeypatch.setattr(accountant, "delta_at", lambda *question, **more: asked.append(
        question[1]) or real(*question, **more))
    found = pair.epsilon("1e-15", digits=3)
    assert len(asked) == 1 and asked[0] < found.upper * Fraction(9995, 10000)
    assert pair.delta(found.lower, digits=3) > "1e-15"
