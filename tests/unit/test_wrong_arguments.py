"""Public functions called with what they cannot take: an answer, or an error of lapdp's own."""

from __future__ import annotations

import warnings
from fractions import Fraction

import pytest
import sympy as sp

import lapdp
from lapdp.core.errors import InputError, LapdpError
from lapdp.testing import check_sampler

LAPLACE, COIN = lapdp.laplace(1), lapdp.finite(["1/2", "1/2"], ["1/4", "3/4"])
WRONG = (None, float("nan"), float("inf"), 0.1, "abc", "", -1, object(), [], [1], {}, LAPLACE, True,
         1j, sp.nan, sp.Symbol("s"), int, "nan", lambda *a: a[0], b"1")
CALLS = {
    "adaptive": [COIN, [LAPLACE, COIN]], "approximate_dp": [1, "1/10"], "coarsen": [LAPLACE, [0]],
    "composed_bound": [COIN, [COIN]], "concentrated_to_delta": ["1/2", 1, 0, "canonne", 5],
    "concentrated_to_epsilon": ["1/2", "1e-5", 0, "canonne", 5], "decompose": [COIN, 2, "1/10"],
    "discrete_gaussian": [1, 1], "dominates": [LAPLACE, LAPLACE], "exponential": [1, 2],
    "exponential_mechanism": [1], "finite": [["1/2", "1/2"], ["1/4", "3/4"]], "gaussian": [1, 1],
    "geometric": [1, 1], "greatest": [lapdp.randomized_response, [(1, "1e-5")]],
    "implied_profile": [[(2, 1)]], "kary_response": [3, 1], "laplace": [1, 1], "law": [{0: 1}],
    "least": [lapdp.laplace, [(1, "1e-5")]], "mechanism_table": [{0: {"a": 1}, 1: {"a": 1}}, "all"],
    "most_copies": [LAPLACE, 10, "1e-5"], "outcomes": [{"a": (1, 1)}],
    "overlapping_mixtures": [LAPLACE, "1/2", "1/4"], "point_guarantees": [[(1, "1e-5")]],
    "poisson": [LAPLACE, "1/2", "remove"], "randomized_response": [1, 0],
    "renyi_dominates": [LAPLACE, COIN], "renyi_to_delta": [[(2, 1)], 2, "optimal", 5],
    "renyi_to_epsilon": [[(2, 1)], "1e-5", "optimal", 5], "reverse": [LAPLACE],
    "staircase": [1, "1/2"], "subset": [COIN, 1, 3, "replace-one"], "supremum": [LAPLACE],
    "symmetrized": [LAPLACE], "training": ["0.01", 1, 10], "truncated_laplace": [1, 3, 1],
    "worst_case": [LAPLACE], "worst_profile": [[(1, "1e-5")]],
}


@pytest.mark.parametrize("name", CALLS)
def test_each_argument_in_turn(name):
    given = CALLS[name]
    tried = [[*given[:i], wrong, *given[i + 1:]] for i in range(len(given)) for wrong in WRONG]
    for arguments in [*tried, given[::-1]]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                getattr(lapdp, name)(*arguments)
            except LapdpError as problem:
                assert str(problem), arguments


@pytest.mark.parametrize("wrong", [x for x in WRONG if x not in (-1, True, "abc")],
                         ids=lambda x: type(x).__name__)
def test_what_is_no_guarantee_and_no_list_of_neighbours(wrong):
    def noisy(data, rng):
        return data[0] + rng.random()

    couples = [((0,), (1,))]
    with pytest.raises(InputError):
        check_sampler(noisy, neighbours=wrong, guarantee=1, samples=2000)
    with pytest.raises(InputError):
        check_sampler(noisy, neighbours=couples, guarantee=wrong, samples=2000)


def test_one_of_two():
    with pytest.raises(InputError, match=r"the masses of P and those of Q"):
        lapdp.finite([1])
    with pytest.raises(InputError, match=r"two pairs are compared: dominates\("):
        lapdp.dominates(LAPLACE)


def test_a_rate_beyond_all_balls():
    found = lapdp.concentrated_to_delta(10**50, 1, digits=5)
    assert 1 - Fraction(1, 10**15) < found.lower <= 1 <= found.upper
    with pytest.raises(LapdpError, match="both beyond"):
        lapdp.concentrated_to_delta(10**50, 10**50)
