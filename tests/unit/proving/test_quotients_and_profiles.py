"""Quotients of integrals, bounds by letters, square factors; profiles that determine losses."""

from __future__ import annotations

import pytest

from lapdp.core.checked import accept
from lapdp.privacy import nodes as pn
from lapdp.theory import language as lang
from tests.unit.proving.searching import assert_derived, of_form
from tests.unit.proving.searching import of_texts as searched

TAIL = ("Pr(PLD(P, Q) >= 0) <= a", "Pr(PLD(P, Q) >= 1) <= b")
TRUE = [
    ("x**3 >= 3*s*x**2/2 - s**3/2", "s > 0", "x > 0"),
    ("(1 - Pr(PLD(P, Q) == oo))/(1 - Pr(PLD(P, Q) == oo)) == 1", "Pr(PLD(P, Q) == oo) < 1"),
    ("delta(P, Q)(0) <= b + (1 - exp(-1))*(a - b)", *TAIL),
    ("g*(1 - g)*(exp(x) + exp(-x)) > 2*g*(1 - g)", "g > 0", "g < 1", "x > 0"),
]
FALSE = [
    ("x**3 >= 3*s*x**2/2 - s**3/2", "s > -9", "x > 0"),
    ("x**3 > 3*s*x**2/2 - s**3/2", "s > 0", "x > 0"),
    ("x**3 <= 3*s*x**2/2 - s**3/2", "s > 0", "x > 0"),
    ("x**3 >= 3*s*x**2/2 - s**3/3", "s > 0", "x > 0"),
    ("(1 - Pr(PLD(P, Q) == oo))/(1 - Pr(PLD(P, Q) == oo)) == 1",),
    ("Pr(PLD(P, Q) >= 0)/(1 - Pr(PLD(P, Q) == oo)) == 1", "Pr(PLD(P, Q) == oo) < 1"),
    ("delta(P, Q)(0) <= b + (1 - exp(-1))*(a - b)", "Pr(PLD(P, Q) >= 0) <= a"),
    ("delta(P, Q)(0) <= (1 - exp(-1))*(a - b)", *TAIL),
    ("g*(1 - g)*(exp(x) + exp(-x)) > 2*g*(1 - g)", "g > 0", "g < 1"),
    ("g*(1 - g)*(exp(x) + exp(-x)) > 3*g*(1 - g)", "g > 0", "g < 1", "x > 0"),
    ("g*(1 - g)*(exp(x) + exp(-x)) > 2*g*(1 - g)", "g > 0", "x > 0"),
]

P, Q = pn.pair("P", "Q")
A, C = pn.pair("A", "C")
t, x = lang.reals("t x")
SAME = lang.ForAll((t,), lang.Eq(pn.delta(P, Q)(t), pn.delta(A, C)(t)))


def tail(p, q, at):
    """P(Z <= at)."""
    return pn.F(pn.PLD(p, q))(at)


DETERMINED = [
    lang.Implies(SAME, lang.Eq(tail(P, Q, x), tail(A, C, x))),
    lang.Implies(lang.ForAll((t,), lang.Eq(tail(P, Q, t), tail(A, C, t))),
                 lang.Eq(pn.delta(P, Q)(x), pn.delta(A, C)(x))),
]
NOT_DETERMINED = [
    lang.Implies(SAME, lang.Eq(tail(P, Q, x), tail(A, C, x + 1))),
    lang.Implies(SAME, lang.Eq(tail(P, Q, x), tail(C, A, x))),
    lang.Implies(lang.ForAll((t,), lang.Le(pn.delta(P, Q)(t), pn.delta(A, C)(t))),
                 lang.Eq(tail(P, Q, x), tail(A, C, x))),
]


@pytest.mark.parametrize("texts", TRUE, ids=" | ".join)
def test_true_statements_are_derived(texts) -> None:
    assert_derived(searched(texts, 20_000))


@pytest.mark.parametrize("texts", FALSE, ids=" | ".join)
def test_false_statements_are_not(texts) -> None:
    assert searched(texts, 400)[0] is None


@pytest.mark.parametrize("claim", DETERMINED, ids=str)
def test_a_profile_and_a_loss_determine_each_other(claim) -> None:
    lines, _, digest = of_form(claim, (), 10_000)
    assert lines is not None
    assert accept(lines, digest)


@pytest.mark.parametrize("claim", NOT_DETERMINED, ids=str)
def test_what_is_not_determined(claim) -> None:
    assert of_form(claim, (), 800)[0] is None
