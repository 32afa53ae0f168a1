"""Compositions of every length, each release chosen by the outcomes before it."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.checked import accept
from lapdp.theory import *
from tests.unit.proving.searching import of_form as searched

STEPS = 12_000
k = naturals("k")
i = naturals("i", start=1)
t, eps, mass = reals("t eps delta")
e, d = sequences("varepsilon gamma")
x = outcome("x")
C = composition("P", "Q")
PAIR, (P, Q) = C(k), C.release(i, x)
RANGES = [ForAll(i, Ge(e[i], 0)), ForAll(i, Ge(d[i], 0)), ForAll(i, Le(d[i], 1))]
THERE = ForAll((i, x), Le(delta(P, Q)(e[i]), d[i]))
BACK = ForAll((i, x), Le(delta(Q, P)(e[i]), d[i]))


def tight(more=1, less=1, lost=1):
    """The recursion of Theorem 4.6, some terms with other factors."""
    return recursion("r", lambda t: sp.Max(0, 1 - sp.exp(t)), lambda l, t, before: (
        lost * d[l] + (1 - d[l]) / (sp.exp(e[l]) + 1) * (
            more * sp.exp(e[l]) * before(t - e[l]) + less * before(t + e[l]))))


SHARE = sp.exp(eps) / (sp.exp(eps) + 1)


def responses(k, share=SHARE, left=1 - mass):
    """The profile of k equal randomized responses, Corollary 4.7."""
    Y = naturals("Y")
    return 1 - left**k * (1 - BinomialMean(
        sp.Max(0, 1 - sp.exp(t - eps * (2 * Y - k))), Y, k, share))


EQUAL = [Ge(eps, 0), Ge(mass, 0), Le(mass, 1), *(
    ForAll((i, x), Le(delta(*two)(eps), mass)) for two in ((P, Q), (Q, P)))]
HERE = [*RANGES, THERE, BACK]
TRUE = [
    (Le(delta(*PAIR)(t), tight()(k, t)), HERE),
    (Le(delta(*PAIR[::-1])(t), tight()(k, t)), HERE),
    (Le(delta(*C(2))(t), tight()(2, t)), HERE),
    # at -e the bound is the same, and a guarantee there is one at e
    (Le(delta(*PAIR)(t), tight()(k, t)), HERE[1:]),
    (Le(delta(*PAIR)(t), responses(k)), EQUAL),
]
FALSE = [
    (Le(delta(*PAIR)(t), tight(more=sp.Rational(9, 10))(k, t)), HERE),
    (Le(delta(*PAIR)(t), tight(less=sp.Rational(9, 10))(k, t)), HERE),
    (Le(delta(*PAIR)(t), tight(lost=0)(k, t)), HERE),
    (Le(delta(*PAIR)(t), tight()(k, t + 1)), HERE),
    (Le(delta(*PAIR)(t), tight()(k, t)), [*RANGES, THERE]),
    (Le(delta(*C(k + 1))(t), tight()(k, t)), HERE),
    (Le(delta(*PAIR)(t), responses(k, sp.Rational(1, 2))), EQUAL),
    (Le(delta(*PAIR)(t), responses(k, left=1)), EQUAL),
    (Le(delta(*PAIR)(t), responses(k)), EQUAL[:-1]),
    (Eq(delta(*PAIR)(t), tight()(k, t)), HERE),
]


@pytest.mark.parametrize(("form", "where"), TRUE, ids=range(len(TRUE)))
def test_true_bounds_are_derived(form, where):
    lines, why, digest = searched(form, where, STEPS)
    assert lines is not None, why
    accept(lines, digest)


@pytest.mark.parametrize(("form", "where"), FALSE, ids=range(len(FALSE)))
def test_false_bounds_are_not(form, where):
    assert searched(form, where, STEPS)[0] is None
