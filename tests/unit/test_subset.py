"""Sampling without replacement: small databases, every subset of them, against the pairs."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, product

import pytest
import sympy as sp
from hypothesis import given, settings

from lapdp import (
    exponential,
    finite,
    gaussian,
    laplace,
    randomized_response,
    subset,
    supremum,
    symmetrized,
    truncated_laplace,
)
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.testing.strategies import alphas, finite_pairs
from tests.unit.test_overlapping import same

RECORDS = (0, 1, 2)


def noisy_total(sample):
    """Two-sided geometric noise on the sum of the records, cut to 0, ..., 4."""
    weights = [Fraction(1, 3 ** abs(o - min(sum(sample), 4))) for o in range(5)]
    return tuple(w / sum(weights) for w in weights)


def holds_a_two(sample):
    """A randomized answer to whether a record is 2."""
    return (Fraction(3, 4), Fraction(1, 4)) if 2 in sample else (Fraction(1, 4), Fraction(3, 4))


def sampled(mechanism, database, size):
    """The mixture over all subsets."""
    rows = [mechanism(chosen) for chosen in combinations(database, size)]
    return tuple(sum(column) / len(rows) for column in zip(*rows, strict=True))


@cache
def base(mechanism, size):
    """A dominating pair on samples of this size, one record replaced: the supremum of all."""
    found = set()
    for rest in product(RECORDS, repeat=size - 1):
        for a, b in product(RECORDS, repeat=2):
            found.add(finite(mechanism((a, *rest)), mechanism((b, *rest))).merge())
    return supremum(*sorted(found, key=repr))


CASES = [(m, size, n) for m in (noisy_total, holds_a_two) for size, n in ((1, 2), (1, 3), (2, 3))]


@pytest.mark.parametrize("mechanism, size, n", CASES)
def test_every_pair_of_neighbours_lies_below(mechanism, size, n):
    one = base(mechanism, size)
    replace = subset(one, size, n, neighbours="replace")
    for rest in product(RECORDS, repeat=n - 1):
        for a, b in product(RECORDS, repeat=2):
            P, Q = (sampled(mechanism, (x, *rest), size) for x in (a, b))
            assert replace.profile_dominates(finite(P, Q))
    if size > n - 1:
        return
    remove, add = (subset(one, size, n, neighbours=word) for word in ("remove", "add"))
    for rest in product(RECORDS, repeat=n - 1):
        less = sampled(mechanism, rest, size)
        for a in RECORDS:
            more = sampled(mechanism, (a, *rest), size)
            assert remove.profile_dominates(finite(more, less))
            assert add.profile_dominates(finite(less, more))


@pytest.mark.parametrize("size, n", [(1, 2), (1, 3), (2, 3), (2, 4)])
def test_the_bound_is_attained(size, n):
    """The answer to whether one record is in the sample, with only 0 beside it."""
    one = base(holds_a_two, size)
    assert one.merge() == finite(["1/4", "3/4"], ["3/4", "1/4"]).merge()
    zeros = (0,) * (n - 1)
    with_two, without = (sampled(holds_a_two, (x, *zeros), size) for x in (2, 0))
    replace = subset(one, size, n, neighbours="replace")
    for alpha in (Fraction(k, 8) for k in range(1, 40)):
        true = max(finite(with_two, without).hockey_stick(alpha),
                   finite(without, with_two).hockey_stick(alpha))
        assert replace.hockey_stick(alpha) == true
    if size < n:
        assert subset(one, size, n, neighbours="remove").merge() == finite(
            with_two, sampled(holds_a_two, zeros, size)).merge()


def test_one_direction_alone_does_not_bound_replacement():
    """The pair of "remove" is too small below eps = 0, as Zhu et al. say of the conjecture."""
    one = base(holds_a_two, 1)
    with_two, without = (sampled(holds_a_two, (x, 0), 1) for x in (2, 0))
    assert not subset(one, 1, 2, neighbours="remove").profile_dominates(
        finite(without, with_two))


@settings(max_examples=60, deadline=None)
@given(finite_pairs(max_size=4), alphas())
def test_symmetrized_pairs(pair, alpha):
    """By the two halves of the profile; refused exactly where they are not convex at 1."""
    above = sum((p + q for p, q in pair.masses if p > q), Fraction(0))
    if above > 1:
        with pytest.raises(Undefined):
            symmetrized(pair)
        return
    found = symmetrized(pair)
    assert sum(found.P) == sum(found.Q) == 1
    wanted = pair.hockey_stick(alpha) if alpha >= 1 else (
        1 - alpha + alpha * pair.hockey_stick(1 / alpha))
    assert found.hockey_stick(alpha) == wanted == found.reverse().hockey_stick(alpha)
    assert symmetrized(found).merge() == found.merge()


@pytest.mark.parametrize("base_pair", [
    laplace(1), truncated_laplace(1, 2), gaussian(1), randomized_response(1, "1/10")])
@pytest.mark.parametrize("size, n", [(1, 3), (2, 2)])
def test_other_pairs(base_pair, size, n):
    found = subset(base_pair, size, n, neighbours="replace")
    half = base_pair if size == n else subset(base_pair, size, n, neighbours="remove")
    t = sp.Symbol("t", real=True)
    curve = found.profile(t)
    for x in ("-3/2", "-1/4", 0, "1/4", 1):
        at = sp.Rational(x)
        wanted = half.profile(at) if at >= 0 else 1 - sp.exp(at) + sp.exp(at) * half.profile(-at)
        assert same(found.profile(at), wanted) and same(curve.subs(t, at), wanted)
        assert abs(sp.Rational(str(found.profile.at(at, 20).middle)) - sp.N(wanted, 30)) < 1e-18
    assert found.reverse() == found
    assert found.mass_at_infinity == half.mass_at_infinity


def test_parameters():
    eps = sp.Symbol("eps", positive=True)
    found = subset(laplace(1 / eps), 1, 3, neighbours="replace")
    for x in ("-1/10", 0, "1/10"):
        assert same(found.profile(x).subs(eps, 2),
                    subset(laplace("1/2"), 1, 3, neighbours="replace").profile(x))
    with pytest.raises(InputError, match="overlapping_mixtures"):
        subset(laplace(1), sp.Symbol("m", integer=True), 3, neighbours="replace")
    with pytest.raises(Undefined, match="exceeds 1"):
        subset(exponential(1, 2).reverse(), 2, 2, neighbours="replace").profile(0)


def test_an_exact_model_gives_all_notions():
    found = symmetrized(laplace(1))
    assert found.profile() == laplace(1).profile()
    assert found.loss.atoms == laplace(1).loss.atoms
    assert same(found.moment(3), laplace(1).moment(3))
    one_sided = symmetrized(exponential(1, 2))
    assert one_sided.moment(0) == one_sided.moment(1) == 1
    # P(Z > 0) = 1/2 and Q(Z > 0) = 1/4 leave 1/4 at loss 0
    assert tuple(one_sided.loss.atoms[0]) == (0, sp.Rational(1, 4))
    with pytest.raises(Undefined, match="exceeds 1"):
        symmetrized(exponential(1, 2).reverse()).profile(0)
    with pytest.raises(Unsupported):
        subset(gaussian(1), 1, 2, neighbours="replace").moment(2)


@pytest.mark.parametrize("call", [
    lambda: subset(laplace(1), 3, 2, neighbours="replace"),
    lambda: subset(laplace(1), 2, 2, neighbours="add"),
    lambda: subset(laplace(1), -1, 2, neighbours="add"),
    lambda: subset(laplace(1), "1/2", 2, neighbours="add"),
    lambda: subset(laplace(1), 1, 0, neighbours="replace"),
    lambda: subset(laplace(1), 1.0, 2, neighbours="replace"),
    lambda: subset(laplace(1), 1, 2, neighbours="swap"),
    lambda: subset(1, 1, 2, neighbours="swap"),
    lambda: symmetrized(2),
])
def test_bad_input(call):
    with pytest.raises(InputError) as problem:
        call()
    assert "\n" not in str(problem.value)


def test_neighbours_must_be_named():
    with pytest.raises(InputError, match="neighbours is missing"):
        subset(laplace(1), 1, 2)
