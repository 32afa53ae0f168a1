"""Random mechanisms and queries: what they promise, how they print, what they shrink to."""

from __future__ import annotations

from fractions import Fraction as Fr

import pytest
import sympy as sp
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

import lapdp
from lapdp.privacy import catalogue
from lapdp.privacy.mechanisms import CARDS
from lapdp.privacy.operations import factors
from lapdp.privacy.pair import Pair
from lapdp.testing.strategies import copies, deltas, epsilons, families, mechanisms
from lapdp.theory.parse import parse_mechanism

CATALOGUE = catalogue()
PYTHON = {**vars(sp), "x": sp.Symbol("x", real=True), "z": sp.Symbol("z", real=True),
          **{name: getattr(lapdp, name) for name in lapdp.__all__}}


@given(mechanisms(families=families(formulas=True)))
def test_what_is_printed_is_read_back(pair):
    assert not pair.free_symbols
    assert parse_mechanism(repr(pair), CATALOGUE) == pair


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(mechanisms(families=families(formulas=False)))
def test_what_only_python_writes_is_read_back_by_python(pair):
    assert eval(repr(pair), PYTHON) == pair


@pytest.mark.parametrize("name", CARDS)
def test_every_family_is_drawn_with_many_parameters(name):
    made = type(CARDS[name].pairs()[0])
    drawn = set()

    @settings(max_examples=30, database=None, suppress_health_check=list(HealthCheck))
    @given(mechanisms(families=[name], max_factors=1, max_copies=1, subsampled=False,
                      reversed=False))
    def collect(pair):
        assert isinstance(pair, (made, *(type(e) for e in CARDS[name].pairs())))
        drawn.add(repr(pair))

    collect()
    examples = {repr(e) for e in CARDS[name].pairs()}
    # densities are checked by integration: they are those of the card
    assert len(drawn - examples) >= 8 or (name == "densities" and drawn <= examples)


@given(mechanisms(families=["laplace", "finite"], max_factors=3, max_copies=20))
def test_bounds_are_kept(pair):
    assert sum(1 for _ in factors(pair)) <= 3
    assert all(count <= 20 for _, count in factors(pair))


@given(mechanisms(families=["laplace"], max_factors=1, max_copies=1, subsampled=False,
                  reversed=False))
def test_what_is_switched_off_does_not_occur(pair):
    assert repr(pair).startswith("laplace(")


def test_both_directions_reversals_products_and_powers_occur():
    seen = []

    @settings(max_examples=200, database=None, derandomize=True)
    @given(mechanisms(families=["exponential"], max_copies=9))
    def collect(pair):
        assert isinstance(pair, Pair)
        seen.append(repr(pair))

    collect()
    for word in ("direction='remove'", "direction='add'", "reverse(", ")*", "**9"):
        assert any(word in text for text in seen), word


def test_failures_shrink_to_simple_mechanisms():
    assert repr(find(mechanisms(families=["exponential"]), lambda pair: True)) == (
        "exponential(1, 2)")
    assert repr(find(mechanisms(families=["laplace"]), lambda pair: "*" in repr(pair))) == (
        "laplace(1, 1)**2")
    # counts are drawn from powers of 2 or one by one: either is simple
    assert repr(find(mechanisms(families=["laplace"]), lambda pair: pair.__class__.__name__
                     == "Power" and pair.count > 10)) in (
        "laplace(1, 1)**11", "laplace(1, 1)**16")
    assert repr(find(mechanisms(families=["gaussian"], max_factors=1, max_copies=1),
                     lambda pair: "poisson" in repr(pair))) == (
        "poisson(gaussian(1, 1), 1/2, direction='remove')")


@given(epsilons(max_exponent=3), epsilons(max_exponent=3, negative=False),
       epsilons(doubles=True, max_exponent=3))
def test_points(eps, above, double):
    assert isinstance(eps, Fr) and abs(eps) < 10**4
    assert above >= 0
    assert isinstance(double, float) and abs(double) < 1e4


@given(deltas(), deltas(doubles=True), deltas(min_exponent=-5))
def test_levels(delta, double, large):
    assert isinstance(delta, Fr) and (delta == 0 or Fr(10)**-300 <= delta <= 1)
    assert isinstance(double, float) and 0 <= double <= 1
    assert large == 0 or large >= Fr(10)**-5


def test_tiny_levels_are_not_rare():
    assert find(deltas(), lambda delta: 0 < delta < Fr(10)**-280) < Fr(10)**-280


@given(st.data(), st.integers(1, 10**9), st.integers(0, 10**9))
def test_numbers_of_copies(data, least, more):
    k = data.draw(copies(min_copies=least, max_copies=least + more))
    assert least <= k <= least + more


@pytest.mark.parametrize(("make", "message"), [
    (lambda: mechanisms(max_factors=0), "max_factors=0 must be an integer >= 1"),
    (lambda: mechanisms(max_copies=1.5), "max_copies=1.5 must be an integer >= 1"),
    (lambda: mechanisms(families=["laplce"]), "families=['laplce'] must name some of approximate"),
    (lambda: mechanisms(families=[]), "families=[] must name some of"),
    (lambda: epsilons(max_exponent=301), "max_exponent=301 must be an integer between -5 and 300"),
    (lambda: deltas(min_exponent=0), "min_exponent=0 must be an integer between"),
    (lambda: deltas(min_exponent=-301, doubles=True), "min_exponent=-301 must be an integer"),
    (lambda: copies(min_copies=3, max_copies=2), "min_copies=3 is larger than max_copies=2"),
])
def test_bad_bounds_are_invalid(make, message):
    with pytest.raises(InvalidArgument) as caught:
        make()
    assert message in str(caught.value)
