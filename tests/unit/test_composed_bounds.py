"""Trees of finite pairs: where every release lies below its bound, so does the joint pair."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lapdp import composed_bound, finite, laplace, supremum
from lapdp.core.errors import InputError
from lapdp.testing.strategies import finite_pairs

COIN = finite(["2/3", "1/3"], ["1/3", "2/3"])
NOTHING = finite([1], [1])
LEAK = finite([1, 0], [0, 1])
SIDED = finite(["1/2", "1/2", 0], [0, "1/2", "1/2"])


def joint_masses(tree):
    """All paths through the tree, multiplied out."""
    if not isinstance(tree, tuple):
        return list(tree.masses)
    pair, branches = tree
    found = []
    for (a, b), branch in zip(pair.masses, branches, strict=True):
        found += [(a * p, b * q) for p, q in joint_masses(branch)]
    return found


@st.composite
def trees(draw, depth=2):
    pair = draw(finite_pairs(max_size=2))
    if depth == 1:
        return pair
    return pair, [draw(trees(depth=depth - 1)) for _ in pair.masses]


@settings(max_examples=60, deadline=None)
@given(trees())
def test_the_product_of_suprema_dominates(tree):
    """The bound of the second level is the supremum of what follows outcomes that both have."""
    followers = [b for m, b in zip(tree[0].masses, tree[1], strict=True) if all(m)]
    assume(followers)
    second = supremum(*followers) if len(followers) > 1 else followers[0]
    found = composed_bound(tree, [tree[0], second])
    assert found and found.checked == 1 + len(followers)
    assert found.product.profile_dominates(found.joint)
    masses = joint_masses(tree)
    exact = finite(*([m[side] for m in masses] for side in (0, 1)))
    for alpha in (Fraction(1, 3), Fraction(1), Fraction(2)):
        assert found.joint.hockey_stick(alpha) == exact.hockey_stick(alpha)


@settings(max_examples=60, deadline=None)
@given(trees(), finite_pairs(max_size=2), finite_pairs(max_size=2))
def test_an_answer_of_yes_is_true_and_no_names_the_release(tree, first, second):
    found = composed_bound(tree, [first, second])
    if found:
        assert found.product.profile_dominates(found.joint)
        return
    release = tree if not found.failure else tree[1][found.failure[0]]
    release = release[0] if isinstance(release, tuple) else release
    bound = (first, second)[len(found.failure)]
    assert release.hockey_stick(found.eps_odds) > bound.hockey_stick(found.eps_odds)
    assert "not dominated" in found.reason


def test_outcomes_of_one_side_carry_no_second_release():
    """After an infinite loss a leak adds nothing; after a common outcome it does."""
    assert composed_bound((SIDED, [LEAK, COIN, LEAK]), [SIDED, COIN])
    found = composed_bound((SIDED, [COIN, LEAK, COIN]), [SIDED, COIN])
    assert found.failure == (1,)


def test_three_levels():
    tree = (COIN, [(COIN, [NOTHING, COIN]), (NOTHING, [COIN])])
    found = composed_bound(tree, [COIN] * 3)
    assert found and found.checked == 6
    assert found.product.merge() == (COIN**3).merge()
    deep = composed_bound((COIN, [(COIN, [LEAK, COIN]), (NOTHING, [COIN])]), [COIN] * 3)
    assert deep.failure == (0, 0) and "release 3" in deep.reason


@pytest.mark.parametrize("tree, bounds", [
    (COIN, []), (COIN, [COIN, COIN]), ((COIN, [COIN]), [COIN, COIN]),
    ((COIN, [COIN, COIN]), [COIN]),
    ((laplace(1), [COIN]), [COIN, COIN]), (COIN, [laplace(1)]), ("coin", [COIN]),
    ((COIN, COIN), [COIN, COIN]), ((COIN, [COIN, (COIN, [COIN, COIN])]), [COIN, COIN]),
])
def test_bad_input(tree, bounds):
    with pytest.raises(InputError) as problem:
        composed_bound(tree, bounds)
    assert "\n" not in str(problem.value)


def test_a_deep_tree_is_refused() -> None:
    one = finite([1], [1])
    tree = one
    for _ in range(1999):
        tree = (one, [tree])
    with pytest.raises(InputError, match="2000 levels of releases; at most 200"):
        composed_bound(tree, [one] * 2000)
    for _ in range(1800):
        tree = tree[1][0]
    assert composed_bound(tree, [one] * 200)
