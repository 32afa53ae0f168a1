"""What is said of mistakes: the misspelt option, the other accountant, a function for a pair."""

from __future__ import annotations

import pytest

import lapdp
from lapdp import dominates, gaussian, laplace, least, randomized_response
from lapdp.cli import main
from lapdp.core.errors import InputError, Unsupported
from lapdp.testing import check_accountant


def test_a_misspelt_option_is_named_before_one_that_is_missing(capsys):
    assert main(["delta", "laplace(1)", "--epsilon", "20"]) == 2
    said = capsys.readouterr().err
    assert "'--epsilon' is no option of lapdp delta" in said and "did you mean --eps?" in said
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
