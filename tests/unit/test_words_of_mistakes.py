"""What is said of mistakes: the misspelt option, the other accountant, a function for a pair."""

from __future__ import annotations

import traceback

import pytest
import sympy as sp

import lapdp
from lapdp import dominates, gaussian, laplace, least, poisson, randomized_response, verify
from lapdp.cli import main
from lapdp.core.errors import IllFormed, InputError, Unsupported
from lapdp.testing import check_accountant, check_mechanism
from lapdp.testing.strategies import neighbours
from lapdp.theory import Eq, T, claim, delta, distributions, pair, reals
from lapdp.theory.discovery import discover


def test_a_misspelt_option_is_named_before_one_that_is_missing(capsys):
    assert main(["delta", "laplace(1)", "--epz", "20"]) == 2
    said = capsys.readouterr().err
    assert "'--epz' is no option of lapdp delta" in said and "did you mean --eps?" in said
    assert main(["delta", "laplace(1)"]) == 2
    assert "missing" in capsys.readouterr().err


def test_an_epsilon_is_not_taken_for_a_delta():
    def epsilon(pair, at):
        return 0

    for function in (epsilon, lambda pair, delta: 0):
        with pytest.raises(InputError, match="epsilon="):
            check_accountant(function)


def test_functions_are_called_by_their_names():
    with pytest.raises(InputError) as problem:
        dominates(gaussian, laplace)
    assert "gaussian, a function, is no pair" in str(problem.value)


def test_names_and_directions():
    with pytest.raises(AttributeError, match="did you mean gaussian"):
        _ = lapdp.guassian
    with pytest.raises(Unsupported, match="greatest"):
        least(randomized_response, [(1, "1e-5")])


def test_a_keyword_that_is_none():
    x = reals("x")
    with pytest.raises(InputError, match=r"has no were=: did you mean where="):
        claim("mine", x <= 1, were=x > 0)


def test_the_order_of_the_arguments_of_poisson():
    with pytest.raises(InputError, match=r"the mechanism comes first: poisson\(gaussian"):
        poisson("0.01", gaussian(1))
    with pytest.raises(InputError, match="direction= is missing: 'remove' or 'add'"):
        poisson(gaussian(1), "0.01")


def test_a_profile_without_its_second_distribution():
    with pytest.raises(IllFormed, match=r"write delta\(P, Q\)\(eps\)"):
        delta(reals("eps"))


def test_several_distributions_are_named_as_a_pair_is():
    A, B, C = distributions("A", "B", "C")
    assert [d.name for d in (A, B, C)] == ["A", "B", "C"] and A.pair is C.pair
    with pytest.raises(InputError, match=r'are a pair, write pair\("A", "B"\)'):
        distributions("A", "B")


@pytest.mark.parametrize("level", [2, -1, "3/2"])
def test_a_level_outside_the_unit_interval(level):
    P, Q = pair()
    found = verify(claim("mine", T(P, Q)(sp.Rational(level)) <= 1), numeric=False)
    assert str(found.kind) == "ill-formed" and "[0, 1]" in found.reason


def test_ends_of_the_unit_interval_are_levels():
    P, Q = pair()
    assert str(verify(claim("mine", Eq(T(P, Q)(1), 0)), numeric=False).kind) in (
        "proved", "derived")


def test_names_that_are_like_none():
    with pytest.raises(InputError, match="lapdp list"):
        discover(["mine/none"])
    with pytest.raises(InputError, match="did you mean chourasia2024/eq-9"):
        verify("chourasia2024/eq-999")


def test_rounded_masses_are_told_without_the_way_through_the_search():
    try:
        check_mechanism(lambda data: {0: 0.5, 1: 0.5}, neighbours=neighbours(max_size=1),
                        guarantee=1)
    except InputError as problem:
        lines = traceback.format_exception(problem)
        # the call of the test, what takes the call, the check
        assert "accuracy=" in str(problem) and len(lines) < 10
    else:
        raise AssertionError("a rounded number was taken")
