"""Calls that do not fit are answered by a line that says what to write."""

from __future__ import annotations

import inspect

import pytest
import sympy as sp

import lapdp
from lapdp import dominates, gaussian, laplace, least, poisson, training
from lapdp.core.calls import fitting
from lapdp.core.errors import InputError
from lapdp.testing import check_accountant, check_bound, check_mechanism, check_sampler, conjecture
from lapdp.theory import (
    PLD,
    Eq,
    Ex,
    Le,
    Pr,
    claim,
    delta,
    mechanism_pair,
    pair,
    reals,
)

P, Q = pair("P", "Q")
Z, eps = PLD(P, Q), reals("eps")
TRUE = Le(delta(P, Q)(eps), 1)

REFUSED = [
    (lambda: training("0.01", noise_multiplier=1, epsilon=2, delta="1e-5"), "write sigma="),
    (lambda: training(sample_rate="0.01", sigma=1, epsilon=2, delta="1e-5"), "write rate="),
    (lambda: training(sigma=1, epsilon=2, delta="1e-5"), "rate is missing"),
    (lambda: gaussian(1).delta(epsilon=1), "delta has no epsilon=: write eps="),
    (lambda: gaussian(1).epsilon(), "delta is missing: write epsilon(delta, digits=None)"),
    (lambda: gaussian(std=1), "gaussian has no std=: write sigma="),
    (lambda: gaussian(1, 2, 3), "too many arguments: write gaussian(sigma, sensitivity=1)"),
    (lambda: gaussian(1, sigma=1), "sigma is given twice"),
    (lambda: laplace(b=1), "laplace has no b=: there are scale=, sensitivity="),
    (lambda: poisson(gaussian(1), q="0.1"), "poisson has no q=: write rate="),
    (lambda: least(gaussian), "under is missing"),
    (lambda: lapdp.verify(claim("x", TRUE), timeout=3), "verify has no timeout=: write seconds="),
    (lambda: claim("x", TRUE, hypotheses=()), "the statement x has no hypotheses=: write where="),
    (lambda: check_mechanism(laplace(1), epsilon=1), "check_mechanism has no epsilon=: write guar"),
    (lambda: check_mechanism(laplace(1), guarante=1), "did you mean guarantee=?"),
    (lambda: check_accountant(laplace, neighbours=1), "check_accountant has no neighbours=: there"),
    (lambda: check_bound(abs), "of is missing: write check_bound(bound, of=...)"),
    (lambda: check_sampler(1), "neighbours and guarantee are missing"),
    (lambda: conjecture(delta(P, Q)(eps)), 'write conjecture(lhs, "<=", rhs)'),
    (lambda: conjecture(claim("x", TRUE)), "a statement goes to verify(...)"),
    (lambda: gaussian(1) < laplace(1), "asked by dominates(gaussian(1, 1), laplace(1, 1))"),
    (lambda: gaussian(1) >= 3, "is a pair of distributions, no number"),
    (lambda: mechanism_pair(gaussian(1), laplace(1)), "takes one mechanism"),
    (lambda: pair("P", 3), "3 is no name of a distribution"),
    (lambda: pair("P Q R"), "is no name"),
    (lambda: pair("P", "P"), "both distributions are called P"),
    (lambda: Pr(Z == 1), 'or three arguments: Pr(Z, "==", 1)'),
    (lambda: Pr(2 * Z > 1), "solve it for the loss"),
    (lambda: Pr(Z, ">>", 1), "unknown relation"),
    (lambda: Ex(1), "Ex of which loss? 1 speaks of none"),
    (lambda: Ex(Z + PLD(Q, P)), "speaks of PLD(P, Q) and PLD(Q, P)"),
]


@pytest.mark.parametrize(("call", "said"), REFUSED, ids=[said[:40] for _, said in REFUSED])
def test_a_call_that_does_not_fit_says_what_to_write(call, said):
    with pytest.raises(InputError) as refused:
        call()
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_short_forms_mean_what_the_long_ones_mean():
    assert Pr(Z > 1) == Pr(sp.Lt(1, Z, evaluate=False)) == Pr(Z, ">", 1)
    assert Pr(Z <= 1) == Pr(sp.Ge(1, Z, evaluate=False)) == Pr(Z, "<=", 1)
    assert Pr(Z > 1) not in (Pr(Z, ">=", 1), Pr(Z, "<", 1))
    assert Pr(Eq(Z, 1)) == Pr(Z, "==", 1)
    assert Ex(Z) == Ex(Z, Z)
    assert Ex(sp.exp(-Z)) == Ex(sp.exp(-Z), Z) != Ex(sp.exp(-PLD(Q, P)))
    assert [str(x) for x in (*pair("P Q"), *pair("A, B"))] == ["P", "Q", "A", "B"]
    assert [str(x) for x in mechanism_pair(gaussian(1), "A B")] == ["A", "B"]


def test_a_relation_as_one_argument_is_the_conjecture_of_its_parts():
    whole = conjecture(Le(delta(P, Q)(2 * eps), delta(P, Q)(eps)), examples=20)
    parts = conjecture(delta(P, Q)(2 * eps), "<=", delta(P, Q)(eps), examples=20)
    assert whole.verdict == parts.verdict == "refuted"
    assert whole.witness.text == parts.witness.text


def test_errors_from_inside_pass_as_they_are():
    @fitting
    def broken(x):
        return x + "text"

    with pytest.raises(TypeError, match="unsupported operand"):
        broken(1)


@pytest.mark.parametrize("name", lapdp.__all__)
def test_every_public_function_answers_a_wrong_name(name):
    function = getattr(lapdp, name)
    takes_all = any(p.kind is p.VAR_KEYWORD for p in inspect.signature(function).parameters.values()
                    ) if inspect.isfunction(function) else True
    if not takes_all:
        with pytest.raises(InputError, match="has no no_such_argument="):
            function(no_such_argument=1)


def test_dominates_still_says_what_it_compares():
    with pytest.raises(InputError, match="two pairs are compared"):
        dominates(gaussian(1))
