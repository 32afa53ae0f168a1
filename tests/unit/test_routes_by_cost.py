"""What a query takes: which methods are asked, in which order, and for how many digits."""

from __future__ import annotations

from fractions import Fraction

import flint
import pytest
import sympy as sp

from lapdp import (
    discrete_gaussian,
    gaussian,
    laplace,
    poisson,
    randomized_response,
    staircase,
)
from lapdp.accounting import epsilon as accountant
from lapdp.accounting.delta import Tried
from lapdp.accounting.inversion import beside, counts, few, lattices, split, wrapped
from lapdp.accounting.moments.releases import releases
from lapdp.core.precision import workprec
from lapdp.privacy.operations import factors


def rare(sigma, rate, copies, direction="remove"):
    return poisson(gaussian(sigma), rate, direction=direction) ** copies


def test_terms_are_asked_for_the_bits_that_the_sum_needs():
    """One place is nearly all of it; bounds by moments, which hits rule, do not see that."""
    pair, asked = staircase("1/10") * rare(1, "1/10000", 1000), []

    def profile(other, t, bits):
        asked.append((float(t), bits))
        with workprec(bits + 60):
            return other.delta(t, digits=12).enclosure.ball()

    with workprec(200):
        found = beside.delta(pair, sp.Rational(497, 5000), 44, profile)
        # each term by itself, as sharp as there is
        alone = pair.delta(sp.Rational(497, 5000), digits=8).enclosure.ball()
    assert found.overlaps(alone) and found.rel_accuracy_bits() > 36
    assert sorted(bits < 24 for _, bits in asked) == [False, True, True]


def test_methods_that_refused_come_last_nearby():
    one, other = ("first", None), ("second", None)
    pair, tried = gaussian(1), Tried()

    def order(eps, digits):
        return [way for _, way in tried.in_order(pair, eps, digits, iter([one, other, one]))]

    assert order(1.0, 10) == [one, other, one]
    tried.refused[pair, "first", 1] = 1.0, 10
    assert order(1.2, 10) == order(0.8, 12) == [other, one, one]
    # fewer digits may be reached, and so may places far away
    assert order(1.0, 9) == order(2.0, 10) == [one, other, one]
    # and those as near to one that was answered
    tried.answered[pair, "first", 1] = [0.7]
    assert order(0.8, 10) == [one, other, one] and order(1.2, 10) == [other, one, one]


def test_a_search_asks_what_refused_once(monkeypatch):
    pair, refused = randomized_response("1/10") ** 10 * rare(100, "1/10000", 30), []
    real = accountant.delta_at

    def counted(*question, tried):
        found = real(*question, tried=tried)
        refused.append(len(tried.refused))
        return found

    monkeypatch.setattr(accountant, "delta_at", counted)
    found = pair.epsilon("1e-20", digits=8)
    assert len(refused) > 1 and len(set(refused)) == 1
    low, high = (pair.delta(x, digits=10) for x in (found.lower, found.upper))
    assert low > Fraction(1, 10**20) > high


@pytest.mark.parametrize("pair", [
    rare("1/2", "1/10000", 2) * poisson(randomized_response("1/10"), "1/1000000", direction="add"),
    laplace(1) * rare(2, "1/1000", 30)])
def test_one_factor_shows_that_epsilon_is_positive(pair):
    """What a single release leaks at 0 the product does, by its own formula."""
    assert accountant._is_below_total_variation(pair, Fraction(1, 10**6))
    most = max(float(factor.delta(0, digits=6).value) for factor, _ in factors(pair))
    # a level above all that is seen is left open
    assert not accountant._is_below_total_variation(pair, Fraction(9, 10))
    assert most > 1e-6


@pytest.mark.parametrize(("pair", "level"), [
    (rare(100, "1/1000000", 10**4), "1e-6"), (rare(2, "1/10000", 100), "1e-3")])
def test_levels_above_the_bound_need_no_look(pair, level, monkeypatch):
    monkeypatch.setattr(accountant, "delta_at", None)
    assert pair.epsilon(level).value == 0


@pytest.mark.parametrize("eps", [Fraction(1, 2), Fraction(-3, 10)])
def test_the_longest_lattice_by_its_cells(eps, monkeypatch):
    """As by its law written out, and by counts of all losses."""
    pair = (discrete_gaussian(2) ** 40 * poisson(randomized_response("1/7"), "1/3",
                                                 direction="add") ** 12)
    known = releases(pair)
    with workprec(200):
        point = flint.arb(flint.fmpq(eps.numerator, eps.denominator))
        expected = lattices.delta(known, point, 60)
        others = counts.delta(known, point, 60)
        monkeypatch.setattr(lattices, "MOST_PLACES", max(
            window.places for window in (wrapped.window(law, 1.0, 60.0)
                                         for law in lattices.groups(known))) // 2)
        found = lattices.delta(known, point, 60)
    assert found.overlaps(expected) and found.overlaps(others)
    assert found.rel_accuracy_bits() > 56


def test_a_billion_copies_on_a_lattice_beside_another():
    """Against the sum over all outcomes of the others, one query each."""
    many = poisson(randomized_response(2), "1/1000000", direction="remove") ** 10**9
    loss = sp.Rational(1, 3)
    with workprec(200):
        found = lattices.delta(releases(many * randomized_response(loss) ** 2),
                               flint.arb(1) / 2, 44)
        high = 1 / (1 + (-flint.arb(1) / 3).exp())
        total = flint.arb(0)
        for j, mass in enumerate(((1 - high) ** 2, 2 * high * (1 - high), high**2)):
            answer = many.delta(sp.Rational(1, 2) - (2 * j - 2) * loss, digits=15)
            total += mass * answer.enclosure.ball()
    assert found.overlaps(total) and found.rel_accuracy_bits() > 40


def test_laws_that_masses_limit_are_worked_out_once(monkeypatch):
    pair, precisions = staircase(1) * poisson(laplace(2), "1/100", direction="add") ** 10, []
    near = few._near

    def told(laws, sums, eps, question):
        precisions.append(question[3])
        return near(laws, sums, eps, question)

    monkeypatch.setattr(few, "_near", told)
    few._precisions.cache_clear()
    few._spares.cache_clear()
    found = _in_balls(pair)
    # a step for the bits that cancel between sums, none for the polynomials
    assert len(precisions) <= 2 and max(precisions) < 700
    monkeypatch.setattr(few, "LIKE", -10**6)
    few._precisions.cache_clear()
    few._spares.cache_clear()
    other = _in_balls(pair)
    assert len(precisions) > 4 and found.overlaps(other)


def _in_balls(pair):
    with workprec(few.MOST_BITS):
        eps = flint.arb("1.03942")
    with workprec(60):
        return split.delta(releases(pair), eps, 26)


def test_a_thousand_sums_of_atoms_beside_a_lattice_on_windows():
    """As many as there are counts; the sum over places has queries of its own."""
    pair = (poisson(laplace(100), "1/100", direction="remove") ** 1100
            * discrete_gaussian(10) ** 10**6)
    found = pair.delta("5600", digits=6)
    assert found.method == "contour integral on windows"
    with workprec(200):
        def profile(other, t, bits):
            return other.delta(t, digits=10).enclosure.ball()

        places = beside.delta(pair, sp.Integer(5600), 24, profile)
        assert places.overlaps(found.enclosure.ball()) and places.rel_accuracy_bits() > 20
