"""Conversions of Renyi bounds: order, and never below the truth of a pair that keeps the bound."""

import random
from fractions import Fraction

import pytest
import sympy as sp

from lapdp import (
    concentrated_to_delta,
    finite,
    gaussian,
    markov_adp,
    renyi_to_delta,
    renyi_to_epsilon,
)
from lapdp.accounting.conversions import CONVERSIONS, METHODS
from lapdp.core.errors import InputError
from lapdp.theory.discovery import Catalogue


def _pair(rng):
    p, q = ([Fraction(rng.randint(1, 9)) for _ in range(3)] for _ in "pq")
    return finite([x / sum(p) for x in p], [x / sum(q) for x in q])


@pytest.mark.parametrize("seed", range(4))
def test_not_below_the_profile_and_ordered(seed):
    pair = _pair(random.Random(seed))
    order = 2 + seed % 2
    bound = sp.log(pair.moment(order)) / (order - 1)
    for eps in (sp.log(sp.Rational(3, 2)), sp.Integer(1)):
        truth = sum((max(0, sp.Rational(p) - sp.exp(eps) * sp.Rational(q))
                     for p, q in pair.masses), sp.Integer(0))
        values = [renyi_to_delta((order, bound), eps, m, digits=8) for m in METHODS]
        assert all(v.upper >= Fraction(str(sp.N(truth, 12))) - Fraction(1, 10**11)
                   for v in values)
        assert values[0].upper >= values[1].lower and values[1].upper >= values[2].lower


def test_markov_is_between():
    bound, points = (2, "1/2"), [1, 2, 3, 4, 6]
    refined = markov_adp(bound, points, digits=8)
    assert refined.upper < markov_adp(bound, points[:1], digits=8).lower
    assert refined.lower > renyi_to_delta(bound, 1, digits=8).upper


def test_epsilon_inverts_delta():
    for method in METHODS:
        eps = renyi_to_epsilon((3, "0.4"), "1e-4", method, digits=6)
        assert renyi_to_delta((3, "0.4"), sp.Rational(eps.upper), method).lower <= Fraction(1, 9999)


def test_concentrated_bounds_the_gaussian():
    truth = gaussian(1).delta(3, digits=8)
    for method in CONVERSIONS:
        assert concentrated_to_delta("1/2", 3, method=method, digits=8).lower > truth.upper


def test_every_conversion_names_its_proofs():
    known = Catalogue(".")
    for rule in CONVERSIONS.values():
        assert all(known.find(name).expected == "proved" for name in rule.statements)


@pytest.mark.parametrize("call", [
    lambda: renyi_to_delta((2, "1/2"), 1, "best"), lambda: renyi_to_delta((1, "1/2"), 1),
    lambda: renyi_to_delta((2, 0.5), 1), lambda: renyi_to_epsilon((2, "1/2"), 2),
    lambda: markov_adp((2, "1/2"), [2, 1]), lambda: markov_adp((2, "1/2"), []),
    lambda: concentrated_to_delta(0, 1)])
def test_bad_input(call):
    with pytest.raises(InputError):
        call()
