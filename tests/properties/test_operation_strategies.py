"""Operations with their arguments, mechanism tables and channels: what is drawn, and its laws.

Each law is checked against the definition, written here once more: trees of outcomes, subsets of
records, events.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction as Fr
from itertools import combinations, pairwise, product
from math import prod

import pytest
import sympy as sp
from hypothesis import assume, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

import lapdp
from lapdp import dominates, finite, mechanism_table, poisson, renyi_dominates, subset
from lapdp.testing.strategies import (
    adaptive_pairs,
    alphas,
    dominated_pairs,
    finite_pairs,
    maps,
    mixtures,
    monotone_channels,
    neighbouring_mechanisms,
    products,
    subsampled_pairs,
)
from lapdp.testing.strategies.operations import Factors, Mixture, Releases, Subsample

PYTHON = {"Fraction": Fr, "finite": finite, "mechanism_table": mechanism_table,
          **{c.__name__: c for c in (Factors, Mixture, Releases, Subsample)}}


def stick(rows, alpha):
    """The largest P(S) - alpha Q(S), event by event."""
    return max(sum((p - alpha * q for p, q in event), Fr(0))
               for size in range(len(rows) + 1) for event in combinations(rows, size))


def by_ratio(rows):
    """(P, Q) of each likelihood ratio: what every notion depends on."""
    found = {}
    for p, q in rows:
        if p or q:
            key = p / q if q else None
            a, b = found.get(key, (0, 0))
            found[key] = (a + p, b + q)
    return found


# -- products, adaptive pairs, mixtures ----------------------------------------------------------

@given(products(), st.permutations(range(3)))
def test_products_are_the_tree_of_independent_outcomes(case, order):
    tree = [(prod(p for p, _ in leaf), prod(q for _, q in leaf))
            for leaf in product(*(pair.masses for pair in case.pairs))]
    assert by_ratio(case.product.masses) == by_ratio(tree)
    shuffled = [case.pairs[i] for i in order if i < len(case.pairs)]
    assert Factors(tuple(shuffled)).product.merge() == case.product.merge()
    nested = Releases(case.pairs[0], (Factors(case.pairs[1:]).product,) * len(case.pairs[0].masses))
    assert nested.joint.merge() == case.product.merge()


@given(products(max_factors=2), alphas())
def test_composition_is_the_mean_of_shifted_profiles(case, alpha):
    """Equation (47): the profile of a product is the mean of the second one at alpha/ratio."""
    first, second = case.pairs
    mean = first.mass_at_infinity + sum(
        (p * second.hockey_stick(alpha * q / p) for p, q in first.masses if p and q), Fr(0))
    assert case.product.hockey_stick(alpha) == mean


@given(adaptive_pairs(), alphas())
def test_adaptive_pairs_are_the_tree_of_outcomes(case, alpha):
    tree = [(p * a, q * b) for (p, q), then in zip(case.first.masses, case.then, strict=True)
            for a, b in then.masses]
    assert by_ratio(case.joint.masses) == by_ratio(tree)
    assert case.joint.hockey_stick(alpha) == stick(tree, alpha)
    assert case.joint.profile_dominates(case.first)
    bound = case.first * lapdp.supremum(*case.then)
    assert bound.profile_dominates(case.joint)


@given(mixtures(), alphas())
def test_mixtures(case, alpha):
    assert sum(w for w, _ in case.parts) == 1
    mean = sum((w * pair.hockey_stick(alpha) for w, pair in case.parts), Fr(0))
    value = case.mixed.hockey_stick(alpha)
    # joint convexity: a hidden index can only lower the mean
    assert value == mean if case.index == "published" else value <= mean


# -- subsampling ----------------------------------------------------------------------------------

@given(subsampled_pairs(scheme="poisson"))
def test_poisson_is_the_mechanism_on_a_random_subset(case):
    """A mechanism that looks for one record among three, each of which is kept with the rate."""
    rate, others = case.rate, range(2)

    def output(records):
        masses = [Fr(0)] * len(case.pair.masses)
        for kept in product((0, 1), repeat=len(records)):
            weight = prod(rate if k else 1 - rate for k in kept)
            seen = any(k and record == "target" for k, record in zip(kept, records, strict=True))
            for i, (p, q) in enumerate(case.pair.masses):
                masses[i] += weight * (p if seen else q)
        return masses

    pair = list(zip(output(["target", *others]), output([*others]), strict=True))
    if case.neighbours == "add":
        pair = [(q, p) for p, q in pair]
    assert by_ratio(case.sampled.masses) == by_ratio(pair)


WHOLE = ("", "a", "b", "c", "ab", "ac", "bc", "abc")


def table_on(universe, neighbours):
    """Arbitrary mechanisms with three outputs on all of these datasets."""
    row = st.tuples(*[st.integers(0, 5)] * 3).filter(any)
    return st.tuples(*[row] * len(universe)).map(lambda rows: mechanism_table(
        {d: [Fr(w, sum(r)) for w in r] for d, r in zip(universe, rows, strict=True)}, neighbours))


@settings(max_examples=40)
@given(table_on(WHOLE, "remove"), st.sampled_from([Fr(0), Fr(1, 3), Fr(1, 2), Fr(1)]))
def test_poisson_of_the_worst_case_dominates_any_mechanism(table, rate):
    """Zhu, Dong, Wang 2022, Theorem 11: for whatever the mechanism does with a subset."""
    def output(dataset):
        masses = [Fr(0)] * 3
        for size in range(len(dataset) + 1):
            for kept in combinations(dataset, size):
                weight = rate**size * (1 - rate) ** (len(dataset) - size)
                for i, mass in table("".join(kept)).items():
                    masses[i] += weight * mass
        return masses

    pair = finite(output("abc"), output("bc"))
    remove = poisson(table.supremum, rate, "remove")
    assert remove.profile_dominates(pair)
    assert poisson(table.supremum, rate, "add").profile_dominates(pair.reverse())
    assert remove == poisson(table.supremum, rate, "add").reverse()


PAIRS_OF_RECORDS = ("ab", "ac", "bc", "xb", "xc", "xa")


@settings(max_examples=40)
@given(table_on(PAIRS_OF_RECORDS, "replace"))
def test_subset_of_the_worst_case_dominates_any_mechanism(table):
    """Two of three records; one record is replaced, or is removed before sampling."""
    def output(dataset):
        samples = list(combinations(dataset, 2))
        return [sum((table("".join(s))[i] for s in samples), Fr(0)) / len(samples)
                for i in range(3)]

    replaced = finite(output("abc"), output("xbc"))
    bound = subset(table.supremum, 2, 3, neighbours="replace")
    assert bound.profile_dominates(replaced) and bound.profile_dominates(replaced.reverse())
    removed = finite(output("abc"), output("bc"))
    bound = subset(table.supremum, 2, 3, neighbours="remove")
    assert bound.profile_dominates(removed)
    assert subset(table.supremum, 2, 3, neighbours="add").profile_dominates(removed.reverse())


@given(subsampled_pairs(), alphas())
def test_subsampled_profiles(case, alpha):
    """(66) by hand: above 1 the profile is rate times that of the pair at a shifted alpha."""
    assert case.rate == (case.rate if case.size is None else Fr(case.size, case.population))
    rate, value = case.rate, case.sampled.hockey_stick(alpha)
    assert finite(case.sampled.P, case.sampled.Q) == case.sampled
    if case.neighbours == "add" or (case.neighbours == "replace" and alpha < 1):
        alpha, value = 1 / alpha, 1 - 1 / alpha + value / alpha  # the reversed pair
    shifted = alpha - 1 + rate
    expected = rate * case.pair.hockey_stick(shifted / rate) if shifted > 0 < rate else (
        max(Fr(0), 1 - alpha))
    assert value == expected


@settings(max_examples=40)
@given(dominated_pairs(), dominated_pairs(max_size=2), st.sampled_from([Fr(0), Fr(1, 3), Fr(1)]))
def test_operations_keep_dominance(couple, other, rate):
    smaller, larger = couple
    assert larger.reverse().profile_dominates(smaller.reverse())
    assert (larger * other[1]).profile_dominates(smaller * other[0])
    for direction in ("remove", "add"):
        assert poisson(larger, rate, direction).profile_dominates(
            poisson(smaller, rate, direction))
    for first, second in ((larger, smaller), (larger.reverse(), smaller.reverse())):
        assert renyi_dominates(first, second)


# -- tables ---------------------------------------------------------------------------------------

@settings(max_examples=40)
@given(neighbouring_mechanisms(), alphas())
def test_tables_are_what_they_claim(table, alpha):
    assert eval(repr(table), PYTHON) == table
    assert all(sum(row) == 1 and min(row) >= 0 for row in table.rows)
    values = [stick(list(zip(table._row(d), table._row(e), strict=True)), alpha)
              for d, e in table.neighbours]
    assert table.hockey_stick(alpha) == table.supremum.hockey_stick(alpha) == max(values)
    level = sp.log(sp.Rational(alpha.numerator, alpha.denominator))
    assert table.is_private(level, max(values))
    assert not max(values) or not table.is_private(level, max(values) * Fr(999, 1000))
    for pair in table.pairs().values():
        assert dominates(table.supremum, pair)
    worst = table.dominating_neighbours
    if worst is not None:
        assert table.pair(*worst).profile_dominates(table.supremum)


@settings(max_examples=30)
@given(st.data(), neighbouring_mechanisms(max_outputs=2))
def test_post_processing_and_products_of_tables(data, table):
    channel = data.draw(maps(len(table.outputs)))
    assert table.supremum.profile_dominates(table.post_process(channel).supremum)
    twice = table * table
    assert twice.supremum.profile_dominates(table.supremum)
    assert (table.supremum * table.supremum).profile_dominates(twice.supremum)


@settings(max_examples=30)
@given(neighbouring_mechanisms(crossing=True))
def test_crossing_tables_have_no_worst_neighbours(table):
    pairs = list(table.pairs().values())
    for pair in pairs:
        cuts = {a for other in pairs for a in other.breakpoints()} or {Fr(1)}
        assert any(other.hockey_stick(a) > pair.hockey_stick(a)
                   for other in pairs for a in (*cuts, min(cuts) / 2, max(cuts) + 1))


@settings(max_examples=30)
@given(neighbouring_mechanisms(crossing=False))
def test_tables_with_worst_neighbours(table):
    assert table.dominating_neighbours in table.neighbours


# -- channels -------------------------------------------------------------------------------------

@given(st.data(), finite_pairs(max_size=4))
def test_maps_merge_outcomes(data, pair):
    channel = data.draw(maps(len(pair.masses), max_out=3))
    assert all(sorted(row)[-1] == 1 and sum(row) == 1 for row in channel)
    assert len(channel[0]) <= 3
    assert pair.profile_dominates(pair.post_process(channel))


@given(st.data(), finite_pairs(max_size=4))
def test_monotone_channels_keep_the_stochastic_order(data, pair):
    def tails(masses):
        return [sum(masses[j:]) for j in range(len(masses))]

    channel = data.draw(monotone_channels(len(pair.masses)))
    assert all(sum(row) == 1 and min(row) >= 0 for row in channel)
    for lower, upper in pairwise(channel):
        assert all(a <= b for a, b in zip(tails(lower), tails(upper), strict=True))
    assume(all(a <= b for a, b in zip(tails(pair.P), tails(pair.Q), strict=True)))
    after = pair.post_process(channel)
    assert all(a <= b for a, b in zip(tails(after.P), tails(after.Q), strict=True))


# -- arguments, shrinking, variety ----------------------------------------------------------------

@given(st.one_of(products(), subsampled_pairs(), adaptive_pairs(), mixtures()))
def test_cases_print_as_python(case):
    assert eval(repr(case), PYTHON) == case


@pytest.mark.parametrize(("make", "message"), [
    (lambda: products(min_factors=3, max_factors=2), "min_factors=3 is larger than max_factors=2"),
    (lambda: subsampled_pairs(scheme="bernoulli"), "scheme='bernoulli' must be one of"),
    (lambda: subsampled_pairs(max_population=0), "max_population=0 must be an integer >= 1"),
    (lambda: adaptive_pairs(max_size=0), "max_size=0 must be an integer >= 1"),
    (lambda: mixtures(index="secret"), "index='secret' must be one of"),
    (lambda: mixtures(max_parts=0), "max_parts=0 must be an integer >= 1"),
    (lambda: neighbouring_mechanisms(neighbours="swap"), "neighbours='swap' must be one of"),
    (lambda: neighbouring_mechanisms(crossing=1), "crossing=1 must be one of"),
    (lambda: neighbouring_mechanisms(crossing=True, max_outputs=1), "crossing=True needs max_outp"),
    (lambda: neighbouring_mechanisms(max_weight=0), "max_weight=0 must be an integer >= 1"),
    (lambda: maps(0), "n_in=0 must be an integer >= 1"),
    (lambda: monotone_channels(2, max_parts=0), "max_parts=0 must be an integer >= 1"),
])
def test_bad_arguments_are_invalid(make, message):
    with pytest.raises(InvalidArgument) as caught:
        make()
    assert message in str(caught.value)


def test_strategies_print_as_they_were_made():
    assert repr(products(max_factors=2)) == "products(max_factors=2)"
    assert repr(neighbouring_mechanisms(crossing=True)) == "neighbouring_mechanisms(crossing=True)"
    assert repr(maps(3)) == "maps(3)" and repr(mixtures()) == "mixtures()"


def test_failures_shrink_to_simple_cases():
    assert find(products(), lambda case: True) == Factors((finite([1], [1]),) * 2)
    case = find(subsampled_pairs(scheme="poisson"), lambda c: 0 < c.sampled.hockey_stick(1) < 1)
    assert len(case.pair.masses) == 2 and case.rate == Fr(1, 2)
    case = find(adaptive_pairs(), lambda c: c.joint.merge() != c.first.merge())
    assert len(case.first.masses) == 1 and len(case.then[0].masses) == 2
    table = find(neighbouring_mechanisms(), lambda t: t.dominating_neighbours is None)
    assert len(table.datasets) == 2 and len(table.outputs) == 2


def test_all_kinds_occur():
    seen = Counter()

    @settings(max_examples=300, database=None, derandomize=True)
    @given(subsampled_pairs(), mixtures(), neighbouring_mechanisms())
    def collect(case, mixed, table):
        seen[case.size is None, case.neighbours] += 1
        seen["rate", case.rate if case.rate in (0, 1) else "inner"] += 1
        seen[mixed.index] += 1
        seen[table.relation] += 1
        seen["datasets", len(table.datasets)] += 1
        seen["crossing", table.dominating_neighbours is None] += 1

    collect()
    kinds = [(True, "remove"), (True, "add"), (False, "remove"), (False, "add"),
             (False, "replace"), ("rate", 0), ("rate", 1), ("rate", "inner"), "published",
             "hidden", "add", "remove", "add/remove", "replace", ("datasets", 2),
             ("datasets", 3), ("datasets", 4), ("datasets", 6), ("crossing", True),
             ("crossing", False)]
    assert {kind: seen[kind] for kind in kinds if seen[kind] < 8} == {}
