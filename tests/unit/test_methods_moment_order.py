"""Moments of mixtures ordered by profiles, and claims that are said not to hold always."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.privacy.mechanisms import gaussian
from lapdp.theory import (
    E,
    Eq,
    Ge,
    Le,
    NotAlways,
    Statement,
    mechanism_pair,
    pair,
    positives,
    reals,
)
from lapdp.theory.engine import judge

P, Q = pair()
A, B = pair("A", "B")
g = reals("gamma")
a, sigma = positives("a sigma")
N1, N0 = mechanism_pair(gaussian(sigma), "N_1", "N_0")
RATE = (Ge(g, 0), Le(g, 1))
ORDER = 1 + a


def sample(first, second):
    return (1 - g) * second + g * first


def verdict(form, *where):
    return judge(Statement("test/eq-1", form, where=where), numeric=False, patience=0.3)


@pytest.mark.parametrize("form", [
    Ge(E(ORDER, P, Q), E(ORDER, sample(P, Q), Q)),
    Le(E(ORDER, sample(N1, N0), N0), E(ORDER, N1, N0)),
])
def test_a_sample_has_moments_below(form):
    found = verdict(form, *RATE)
    assert (str(found.kind), found.method) == ("derived", "moments by profiles")


@pytest.mark.parametrize(("form", "where"), [
    (Le(E(ORDER, sample(P, Q), Q), E(ORDER, P, Q)), ()),  # no distribution beyond [0, 1]
    (Le(E(ORDER, sample(P, Q), Q), E(ORDER, P, Q)), RATE[:1]),
    (Le(E(ORDER, P, Q), E(ORDER, sample(P, Q), Q)), RATE),
    (Le(E(1 / (1 + a), sample(P, Q), Q), E(1 / (1 + a), P, Q)), RATE),  # x^q is concave
    (Le(E(ORDER, sample(P, Q), Q), E(ORDER, A, B)), RATE),
])
def test_what_is_false_is_not_proved(form, where):
    assert str(verdict(form, *where).kind) not in ("proved", "derived")


def test_what_is_always_so_is_not_said_to_fail():
    always = Le(E(ORDER, sample(N1, N0), N0), E(ORDER, N1, N0))
    found = verdict(NotAlways(always), *RATE)
    assert str(found.kind) == "refuted" and "every pair" in found.witness.text
    assert str(verdict(NotAlways(Eq(sp.Abs(g), g)), *RATE).kind) == "refuted"


def test_what_fails_somewhere_is_said_to():
    assert str(verdict(NotAlways(Eq(sp.Abs(g), g))).kind) != "refuted"
    assert str(verdict(NotAlways(Le(E(ORDER, sample(P, Q), Q), E(ORDER, P, Q)))).kind) != "refuted"
