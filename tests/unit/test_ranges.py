"""Ranges of parameters are hypotheses that are printed, and that the numbers keep to."""

from __future__ import annotations

import pytest
import sympy as sp
from mpmath import mp

from lapdp.core.errors import InputError
from lapdp.numeric import column
from lapdp.numeric.models import mechanism_pair as numeric_pair
from lapdp.privacy.mechanisms import gaussian, laplace, randomized_response
from lapdp.theory import (
    PLD,
    E,
    Eq,
    Ex,
    Ge,
    Gt,
    Le,
    Pr,
    claim,
    delta,
    mechanism_pair,
    positives,
    reals,
)
from lapdp.theory.course import describe
from lapdp.theory.ranges import ranges
from lapdp.theory.render import latex_of, text_of

d = reals("d")
x, y = reals("x y")
b = positives("b")


def said(mechanism, where=()):
    P, Q = mechanism_pair(mechanism)
    return claim("x/eq-1", Ge(delta(P, Q)(0), 0), where=list(where))


@pytest.mark.parametrize("statement, demanded", [
    (said(laplace(1, d)), [Gt(d, 0)]),
    (said(laplace(1, d - 7)), [Gt(d - 7, 0)]),
    (said(gaussian(d, b)), [Gt(d, 0)]),
    (said(randomized_response(1, d)), [Ge(d, 0), Ge(1 - d, 0)]),
    (said(randomized_response(1, d), [Gt(d, 0)]), [Ge(1 - d, 0)]),
    (said(laplace(1, b)), []),
    (said(laplace(b, x - y), [sp.Lt(y, x)]), []),
    (said(laplace(1, x - y), [sp.Le(y, x)]), [Gt(x - y, 0)]),
], ids=str)
def test_what_is_demanded_and_not_said(statement, demanded):
    assert [sp.expand(r.lhs - r.rhs) for r in ranges(statement)] == [
        sp.expand(r.lhs - r.rhs) for r in demanded]
    assert [type(r) for r in ranges(statement)] == [type(r) for r in demanded]


def test_it_is_printed():
    statement = said(laplace(1, d))
    assert text_of(statement).endswith("with d > 0")
    assert latex_of(statement).endswith(r"\text{ with } d > 0")
    assert describe(statement)["hypotheses"] == ["d > 0"]


@pytest.mark.parametrize("mechanism, value, good", [
    (laplace(1, d), 0, False), (laplace(1, d), 1, True), (laplace(1, d), -1, False),
    (gaussian(1, d - 7), 7, False), (gaussian(1, d - 7), 8, True),
    (randomized_response(1, d), 2, False), (randomized_response(1, d), 1, True),
])
def test_numbers_keep_to_it(mechanism, value, good):
    if good:
        numeric_pair(mechanism, {d: mp.mpf(value)})
    else:
        with pytest.raises(InputError):
            numeric_pair(mechanism, {d: mp.mpf(value)})


def test_a_true_claim_is_not_doubted_out_of_range():
    """At d = 0 both sides of the first would be 1."""
    P, Q = mechanism_pair(gaussian(1, d))
    assert column(claim("x/eq-1", Gt(E(2, P, Q), 1))).agrees is True
    assert column(claim("x/eq-1", Le(E(2, P, Q), 1))).agrees is False


def test_the_infinite_loss_of_a_response():
    P, Q = mechanism_pair(randomized_response(1, d))
    assert column(claim("x/eq-1", Eq(Pr(PLD(P, Q), "==", sp.oo), d))).agrees is True
    assert column(claim("x/eq-1", Eq(Ex(PLD(Q, P), PLD(P, Q)), d))).agrees is not True
