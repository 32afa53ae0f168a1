"""Bounds of integrals by several others that hypotheses bound, each with a factor."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.checked import accept
from lapdp.theory import *
from tests.unit.proving.searching import of_form as searched

STEPS = 12_000
A, B, C = distributions("A B C")
P, Q = pair("P", "Q")
eps, t, d, r = reals("eps t delta rho")
e = sp.exp
NEAR = [Le(delta(A, B)(eps), d), Le(delta(B, C)(eps), d)]
UNEVEN = [Le(delta(A, B)(eps), d), Le(delta(B, C)(t), r)]
THREE = [Le(delta(P, Q)(0), sp.Rational(1, 2)), Le(delta(P, Q)(sp.log(3)), sp.Rational(1, 10))]
TRUE = [
    (Le(delta(A, C)(2 * eps), d * (1 + e(eps))), NEAR),
    (Le(delta(A, C)(eps + t), d + e(eps) * r), UNEVEN),
    (Le(delta(P, Q)(sp.log(2)), sp.Rational(3, 10)), THREE),
]
FALSE = [
    # eps = log 2, d = 1/4: (3/4, 1/4), (1/4, 3/4), (0, 1) has 3/4
    (Le(delta(A, C)(2 * eps), 2 * d), NEAR),
    # (1, 0), (1/2, 1/2), (0, 1) with d = 0
    (Le(delta(A, C)(2 * eps), d * (1 + e(eps))), [NEAR[0], Le(delta(C, B)(eps), d)]),
    (Le(delta(A, C)(eps + t), d + e(t) * r), UNEVEN),
    (Le(delta(A, C)(eps + t), d + e(eps) * r), UNEVEN[:1]),
    (Le(delta(P, Q)(sp.log(2)), sp.Rational(29, 100)), THREE),
    (Le(delta(P, Q)(sp.log(sp.Rational(3, 2))), sp.Rational(3, 10)), THREE),
    (Le(delta(Q, P)(sp.log(2)), sp.Rational(3, 10)), THREE),
]


@pytest.mark.parametrize(("form", "where"), TRUE, ids=range(len(TRUE)))
def test_true_bounds_are_derived(form, where):
    lines, why, digest = searched(form, where, STEPS)
    assert lines is not None, why
    accept(lines, digest)


@pytest.mark.parametrize(("form", "where"), FALSE, ids=range(len(FALSE)))
def test_false_bounds_are_not(form, where):
    assert searched(form, where, STEPS)[0] is None


def test_what_finite_pairs_say_is_said_beside_the_hypotheses():
    """A pair contradicts the claim without its hypotheses: no more is said."""
    _, why, _ = searched(*FALSE[0], STEPS)
    assert why == ("a goal on the way fails at a finite pair without the facts "
                   "about integrals")
    assert searched(Le(delta(P, Q)(t), 0), [], STEPS)[1] == (
        "a goal on the way fails at a finite pair")
