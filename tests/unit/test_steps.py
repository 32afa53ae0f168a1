"""Answers by steps that are counted: what takes long waits, or gives fewer digits."""

from fractions import Fraction

import pytest
import sympy as sp

from lapdp import discrete_gaussian, gaussian, kary_response, laplace, poisson, staircase
from lapdp.accounting import delta as module
from lapdp.accounting.answers import Answer
from lapdp.accounting.delta import AT_ONCE, ENOUGH, ROUNDS, SOON, Tried, delta, to_digits
from lapdp.balls.decimals import Enclosure
from lapdp.core.effort import TooLong, at_most, spend
from lapdp.core.errors import LapdpError, TooManyDigits, Unsupported

ONE = Enclosure(Fraction(1), Fraction(1, 10**20))


def test_steps_are_counted_in_all_budgets_around():
    with at_most(10):
        with pytest.raises(TooLong), at_most(3):
            spend(4)
        spend(6)
        with pytest.raises(TooLong), at_most(100):
            spend(1)
    spend(1e30)  # without a budget there is no end


def test_a_budget_that_has_been_left_counts_no_more():
    with pytest.raises(TooLong), at_most(1):
        spend(2)
    spend(2)


def test_what_is_no_number_of_steps_ends_a_budget():
    with pytest.raises(TooLong), at_most(1):
        spend(float("nan"))


def test_too_long_is_not_taken_for_unsupported():
    """Nothing between may keep it as an answer that there is none."""
    assert issubclass(TooLong, LapdpError) and not issubclass(TooLong, Unsupported)


@pytest.fixture
def asked(monkeypatch):
    """Two methods that know how many steps they take, and who was asked in which order."""
    order, needs = [], {"first": ROUNDS[0] * 2, "second": ROUNDS[0] * 3}

    def ways(pair, eps, digits, tried):
        def way(name):
            def compute(_):
                order.append(name)
                spend(needs[name])
                return ONE
            return name, compute
        return map(way, needs)

    monkeypatch.setattr(module, "_methods", ways)
    return order, needs


def test_what_takes_long_waits_for_all_others(asked):
    order, needs = asked
    assert delta(gaussian(1), 1, digits=5).method == "first"
    assert order == ["first", "second", "first"]
    order.clear()
    needs["second"] = 1
    assert delta(gaussian(1), 1, digits=5).method == "second"
    assert order == ["first", "second"]


def test_a_search_gives_it_the_steps_that_it_needed(asked):
    order, tried = asked[0], Tried()
    for _ in range(2):
        delta(gaussian(1), 1, digits=5, tried=tried)
    # it comes first, as it answered there, and is asked once
    assert order == ["first", "second", "first", "first"]


def test_in_a_search_what_took_long_comes_last_everywhere(asked):
    (order, needs), tried = asked, Tried()
    needs["second"] = 1
    for eps in (1, 50):
        assert delta(gaussian(1), eps, digits=5, tried=tried).method == "second"
    assert order == ["first", "second", "second"]


def test_with_all_steps_used_up_no_other_method_is_asked(asked):
    order, _ = asked
    with pytest.raises(TooLong), at_most(ROUNDS[0]):
        delta(gaussian(1), 1, digits=5)
    assert order == ["first"]


@pytest.mark.parametrize(("first", "steps", "digits", "given"), [
    (AT_ONCE, 0, [15], 15), (AT_ONCE + 1, SOON / 3, [15, 3, 5, 10], 10),
    (AT_ONCE + 1, SOON / 2, [15, 3, 5, 10], 5), (AT_ONCE + 1, ENOUGH / 2, [15, 3, 5, 10], 5),
    (AT_ONCE + 1, ENOUGH, [15, 3, 5], 3), (100 * SOON, 100 * SOON, [15, 3, 5], 3)])
def test_digits_that_take_long_are_not_waited_for(first, steps, digits, given):
    """All of them at once, or the fewest, and more if there is time for these, too."""
    asked = []

    def compute(digits, tried):
        asked.append((digits, tried.quickly, tried.roughly))
        spend(first if digits == 15 else steps)
        return Answer(ONE, str(digits), 0.0)

    assert to_digits(compute, None).method == str(given)
    assert asked == [(many, many == 15, many in (3, 5)) for many in digits]
    asked.clear()
    to_digits(compute, 10)
    assert asked == [(10, False, False)]


def test_more_digits_than_few_are_had_at_once_or_not():
    def compute(digits, tried):
        spend(0 if digits <= 5 else AT_ONCE + 1)
        return Answer(ONE, str(digits), 0.0)

    assert to_digits(compute, None).method == "5"


def test_a_method_that_took_no_steps_leaves_them_to_others():
    """What is too long is not counted among what was taken."""
    with at_most(10) as budget:
        with pytest.raises(TooLong), at_most(3):
            spend(4)
        spend(5)
    assert budget.taken == 5


def test_a_power_of_three_atoms_at_every_node_does_not_hang():
    """Of each of thousands of nodes the 2,998th power of a polynomial is too much."""
    pair = poisson(staircase("0.0102"), "0.0000139", direction="remove") ** 100 * kary_response(
        5, "0.47") ** 2998
    with at_most(1e7):
        found = delta(pair, sp.Rational("0.449")).enclosure
    # k-ary response alone, which leaks no more than it, leaks nearly everything
    alone = (kary_response(5, "0.47") ** 2998).delta("0.449").enclosure
    assert alone.lower <= found.upper and found.upper >= 1
    assert found.digits >= 5


@pytest.mark.parametrize(("pair", "eps"), [
    (staircase("0.1") ** 100 * laplace("3.3") ** 2, "0.7"),
    (poisson(discrete_gaussian("7/2"), "1/10", direction="add") ** 3 * staircase(1), 1),
    (laplace(1) ** 2 * poisson(staircase(2), "1/100", direction="remove"), "1/2"),
])
def test_few_digits_are_those_of_many(pair, eps):
    """The noise first, against whatever gives ten digits."""
    rough = delta(pair, eps, digits=5, tried=Tried(roughly=True)).enclosure
    exact = delta(pair, eps, digits=10).enclosure
    assert rough.compare(exact) is None
    assert exact.lower >= rough.lower - rough.radius and exact.upper <= rough.upper + rough.radius


def test_only_refusals_of_digits_and_steps_lead_to_fewer_digits():
    def compute(digits, tried):
        if digits > 10:
            spend(1e9)
        if digits > 5:
            raise TooManyDigits("no")
        return Answer(ONE, "few", 0.0)

    assert to_digits(compute, None).method == "few"


def test_a_long_product_of_closed_forms_says_so_before_it_is_worked_out():
    """Seven terms to the power 100 have about 700,000."""
    pair = poisson(staircase("1/100"), "1/2", direction="add") ** 100 * laplace(100) ** 2
    with pytest.raises(TooLong), at_most(1e5) as budget:
        pair.profile.at(sp.Rational(1, 4), 10)
    assert budget.taken < 1e5
