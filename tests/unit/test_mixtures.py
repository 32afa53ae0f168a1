"""Mixtures of the members of a pair: what they are, and claims about them close to Theorem 5.1."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp

from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import IllFormed, Undefined, Unsupported
from lapdp.core.verdict import HOLDS, Kind
from lapdp.privacy.mechanisms import laplace
from lapdp.privacy.mixtures import PLAIN, REVERSED, is_mixture, members, mix
from lapdp.privacy.model import MINUS_KERNEL, PLUS_KERNEL, Model, finite_kernel
from lapdp.theory import *
from lapdp.theory.engine import judge
from tests.mutation.oracle_check import oracle_report

P, Q = pair("P", "Q")
P2, Q2 = pair("P2", "Q2")
eps, x = reals("eps x")
lam = positives("lam")
M = lam * P + (1 - lam) * Q
INNER = sp.log(1 + (sp.exp(eps) - 1) / lam)


def cases(inside, otherwise, edge):
    return sp.Piecewise((inside, edge), (otherwise, True), evaluate=False)


def above(lhs, rhs):
    return sp.Gt(lhs, rhs, evaluate=False)


AMPLIFIED = cases(lam * delta(P, Q)(INNER), 1 - sp.exp(eps), above(sp.exp(eps), 1 - lam))


def kind(form, *where):
    return judge(claim("x", form, where=list(where)), numeric=False, patience=2).kind


def test_members():
    assert members(P, Q) == (P.pair, PLAIN) and members(Q, P) == (P.pair, REVERSED)
    assert members(M, Q)[1] == ((lam, 1 - lam), (0, 1)) and is_mixture(M, Q)
    assert members(P / 2 + Q / 2, P / 2 + Q / 2)[1] == (((sp.Rational(1, 2),) * 2),) * 2
    assert not is_mixture(Q, P)


@pytest.mark.parametrize("first, second", [
    (lam * P + 1 - lam, Q), (lam * P * Q, Q), (sp.exp(P), Q), (P**2, Q), (P, P2),
    (lam * P + (1 - lam) * Q2, Q), (P / Q, Q), (sp.Integer(1), Q),
])
def test_no_members(first, second):
    with pytest.raises(IllFormed):
        members(first, second)


def test_malformed_mixtures_are_ill_formed_when_judged():
    assert kind(Eq(delta(lam * P + (1 - lam), Q)(eps), AMPLIFIED), Le(lam, 1)) is Kind.ILL_FORMED
    with pytest.raises(IllFormed):
        delta(lam, Q)


def rows(*numbers):
    a, b, c, d = (Scalar.of(Fraction(n)) for n in numbers)
    return ((a, b), (c, d))


def test_kernels_are_mixed_outcome_by_outcome():
    cell, half = Cell(), rows("1/2", "1/2", 0, 1)
    mixed = mix(PLUS_KERNEL, half, cell)
    assert mixed.p_infinite == Scalar.of(Fraction(1, 2)) and not mixed.atoms
    mixed = mix(MINUS_KERNEL, half, cell)
    ((a, b, z),) = mixed.atoms
    assert a == Scalar.of(Fraction(1, 2)) and b == Scalar.of(1) and z == Form.of(-sp.log(2))
    assert mixed.q_infinite.is_zero()
    t = sp.Symbol("t", real=True)
    ((a, b, z),) = mix(finite_kernel(Form.of(t)), half, cell).atoms
    assert Scalar.exp(z) == a / b and b == Scalar.exp(Form.of(-t))
    assert mix(PLUS_KERNEL, rows(0, 1, 0, 1), cell).atoms == ()


@pytest.mark.parametrize("weights", [(2, -1, 0, 1), ("1/2", "1/3", 0, 1), (0, 0, 0, 1)])
def test_weights_must_make_a_distribution(weights):
    with pytest.raises(Undefined):
        mix(PLUS_KERNEL, rows(*weights), Cell())


def test_a_continuous_loss_is_refused():
    with pytest.raises(Unsupported):
        mix(laplace(1).model(), rows("1/2", "1/2", 0, 1), Cell())
    model = Model.of_masses(((Scalar.of(1), Scalar.of(1)),))
    assert mix(model, rows("1/2", "1/2", 0, 1), Cell()).atoms


TRUE = [
    (Eq(delta(M, Q)(eps), AMPLIFIED), [Le(lam, 1)]),
    (Eq(delta(M, Q)(eps), AMPLIFIED), [Eq(lam, 1)]),
    (Eq(delta(M, Q)(eps), cases(lam * delta(P, Q)(INNER), 1 - sp.exp(eps),
                                above(eps, sp.log(1 - lam)))), [Lt(lam, 1)]),
    (Eq(delta(Q, M)(eps), 1 - sp.exp(eps) + sp.exp(eps) * delta(M, Q)(-eps)), [Le(lam, 1)]),
    (Le(delta(M, Q)(eps), delta(P, Q)(eps)), [Le(lam, 1), Ge(eps, 0)]),
    (Ge(delta(M, Q)(eps), 0), [Le(lam, 1)]),
    (Eq(delta(Q, Q / 2 + P / 2)(eps), 1 - sp.exp(eps) + sp.exp(eps) * delta(P / 2 + Q / 2, Q)(
        -eps)), []),
]


@pytest.mark.parametrize("form, where", TRUE)
def test_true_claims_are_proved(form, where):
    assert kind(form, *where) in HOLDS
    assert oracle_report(claim("x", form, where=where), 30).verdict == "holds"


FALSE = [
    # lambda beyond 1, or no bound on it: no distribution, no value
    (Eq(delta(M, Q)(eps), AMPLIFIED), []),
    (Ge(delta(M, Q)(eps), 0), []),
    # the other direction, the other edge, a weak edge where log 0 stands, a slip of 1
    (Eq(delta(Q, M)(eps), AMPLIFIED), [Le(lam, 1)]),
    (Eq(delta(M, Q)(eps), cases(lam * delta(P, Q)(INNER), 1 - sp.exp(eps),
                                above(sp.exp(eps), lam))), [Le(lam, 1)]),
    (Eq(delta(M, Q)(eps), cases(lam * delta(P, Q)(INNER), 1 - sp.exp(eps), sp.Ge(
        sp.exp(eps), 1 - lam, evaluate=False))), [Le(lam, 1)]),
    (Eq(delta(M, Q)(eps), cases(lam * delta(P, Q)(INNER), sp.Integer(0),
                                above(sp.exp(eps), 1 - lam))), [Le(lam, 1)]),
    (Eq(delta(M, Q)(eps), lam * delta(P, Q)(eps)), [Le(lam, 1)]),
    (Eq(delta(M, Q)(eps), lam * delta(P, Q)(INNER)), [Le(lam, 1)]),
    (Lt(delta(M, Q)(eps), delta(P, Q)(eps)), [Le(lam, 1), Ge(eps, 0)]),
    (Le(delta(P, Q)(eps), delta(M, Q)(eps)), [Le(lam, 1), Ge(eps, 0)]),
    (Le(delta(M, Q)(eps), lam * delta(P, Q)(eps)), [Le(lam, 1)]),
    (Eq(delta(M, Q)(eps), delta(Q, M)(eps)), [Le(lam, 1)]),
]


@pytest.mark.parametrize("form, where", FALSE)
def test_false_claims_are_never_proved(form, where):
    assert kind(form, *where) not in HOLDS


MIXED_2 = lam * P2 + (1 - lam) * Q2
ORDER = sp.Rational(1, 2) + sp.I * x


@pytest.mark.parametrize("claimed", [
    Implies(Eq(delta(M, Q)(x), delta(MIXED_2, Q2)(x)), Eq(delta(P, Q)(eps), delta(P2, Q2)(eps)),
            over=(x,)),
    Iff(Eq(delta(M, Q)(x), delta(MIXED_2, Q2)(x)), Eq(delta(P, Q)(eps), delta(P2, Q2)(eps)),
        over=(x, eps)),
    Implies(Eq(E(ORDER, M, Q), E(ORDER, MIXED_2, Q2)), Eq(delta(P, Q)(eps), delta(P2, Q2)(eps)),
            over=(x,)),
    Implies(Le(delta(M, Q)(x), delta(MIXED_2, Q2)(x)), Le(delta(P, Q)(eps), delta(P2, Q2)(eps)),
            over=(x,)),
    # where lambda leaves [0, 1] the mixture is no distribution and has no profile
    Implies(Eq(delta(P, Q)(x), delta(P2, Q2)(x)), Eq(delta(M, Q)(eps), delta(MIXED_2, Q2)(eps)),
            over=(x,)),
])
def test_a_mixture_does_not_determine_its_pair(claimed):
    """At lambda = 0 every mixture is Q: the hypothesis says nothing."""
    nonnegative = sp.Symbol("lam", nonnegative=True)

    def wide(form):
        return form.func(*(e.subs(lam, nonnegative) for e in form.args), evaluate=False)

    form = type(claimed)(*(wide(getattr(claimed, f)) for f in list(
        claimed.__dataclass_fields__)[:2]), over=claimed.over)
    assert kind(form) not in HOLDS
