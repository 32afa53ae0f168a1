"""Inequalities over continuous ranges: what is true is proved, what is nearly true is not."""

import pytest
import sympy as sp

from lapdp.calculus.form import Form
from lapdp.privacy.mechanisms import gaussian, randomized_response
from lapdp.theory import *
from lapdp.theory.engine import judge
from lapdp.theory.methods.descent import Prover
from lapdp.theory.methods.domains import Domain

HOLD = ("proved", "derived")

x, y, eps = positives("x y eps")
q, t, u, v = reals("q t u v")
P1, Q1 = mechanism_pair(randomized_response(eps), "P1", "Q1")
P2, Q2 = mechanism_pair(gaussian(1, eps), "P2", "Q2")

TRUE = [
    (Gt(x, sp.tanh(x)), ()),
    (Ge(u, sp.tanh(u)), (Ge(u, 0),)),
    (Gt(sp.exp(u), u), ()),
    (Ge(sp.exp(u), 1 + u), ()),
    (Ne(sp.exp(u), u), ()),
    (Gt(sp.exp(x + y), 1 + x + y), ()),
    (Gt(sp.exp(x * y), 1 + x * y), ()),
    (Lt(sp.log(1 + x), x), ()),
    (Ge(sp.log(1 + u), 0), (Ge(u, 0),)),
    (Gt(sp.erfc(u), 0), ()),
    (Lt(sp.erfc(x), sp.exp(-(x**2))), ()),
    (Gt(sp.exp(-(x**2)), sp.sqrt(sp.pi) * x * sp.erfc(x)), ()),
    (Ge(u * (1 - u), 0), (Ge(u, 0), Le(u, 1))),
    (Gt(sp.sin(1), 0), ()),
    (Ge(u + v, 0), (Ge(u, 0), Ge(v, -u))),
    (Gt(sp.exp(-x), sp.exp(-y)), (Lt(x, y),)),
    # in 1/x
    (Le(sp.erf(1 / (2 * sp.sqrt(2) * x)), 1 / (2 * x)), ()),
    (Lt(1 - sp.exp(-1 / u), 1 / u), (Gt(u, 0),)),
]

FALSE = [
    # wrong sign, strict for weak, an edge that belongs to the domain
    (Lt(x, sp.tanh(x)), ()),
    (Gt(u, sp.tanh(u)), (Ge(u, 0),)),
    (Gt(sp.exp(u), 1 + u), ()),
    (Lt(sp.log(1 + x), sp.Rational(99, 100) * x), ()),
    (Gt(u * (1 - u), 0), (Ge(u, 0), Lt(u, 1))),
    (Gt(u * (1 - u), 0), (Gt(u, 0), Le(u, 1))),
    # too large a domain
    (Ge(u, sp.tanh(u)), ()),
    (Ge(u * (1 - u), 0), (Ge(u, 0), Le(u, sp.Rational(101, 100)))),
    (Gt(sp.exp(-x), sp.exp(-y)), (Le(x, y),)),
    (Gt(sp.exp(-x), sp.exp(-y)), ()),
    # fails only far out, or only near the end
    (Lt(x, 1000), ()),
    (Gt(sp.exp(-x), sp.Rational(1, 10**6)), ()),
    (Gt(sp.exp(x), 1 + sp.Rational(1, 10**6)), ()),
    (Lt(sp.erfc(x), sp.exp(-2 * x**2)), ()),
    (Lt(sp.erfc(x), sp.exp(-(x**2)) / (sp.sqrt(sp.pi) * x) - sp.Rational(1, 10**9)), ()),
    (Gt(sp.exp(-(x**2)) * x, sp.erfc(x)), ()),
    # in 1/x, by a little; beyond the pole
    (Le(sp.erf(1 / x), sp.Rational(112, 100) / x), ()),
    (Lt(1 - sp.exp(-1 / u), sp.Rational(999, 1000) / u), (Gt(u, 0),)),
    (Le(1 / u, sp.exp(1 / u) - 2), (Gt(u, 0),)),
    # no value somewhere
    (Ge(sp.log(u) ** 2, 0), (Ge(u, 0),)),
    (Gt(1 / u**2, 0), ()),
    (Gt(1 / (u - v) ** 2, 0), ()),
    (Ge(sp.sqrt(u) ** 2, -1), ()),
    (Ge(sp.log(u - v) * 0 + sp.Mul(0, sp.log(u), evaluate=False), 0), (Ge(u, 0),)),
    # a pole between the end and the point: 1/(1-u)^... is monotone on either side only
    (Lt(1 / (1 - x), 1), ()),
    (Ge(sp.tan(x), x), ()),
]


@pytest.mark.parametrize(("form", "where"), TRUE, ids=str)
def test_true_inequalities_are_proved(form, where):
    assert str(judge(claim("true", form, where=where), numeric=False).kind) in HOLD


@pytest.mark.parametrize(("form", "where"), FALSE, ids=str)
def test_false_inequalities_are_not(form, where):
    assert str(judge(claim("false", form, where=where), numeric=False, patience=1).kind) not in HOLD


NEAR = sp.Rational(48113881390351129649, 10**19)
PAIRS_TRUE = [
    pytest.param(Le(R(q, P1, Q1), R(q, P2, Q2)), (Gt(q, 1),),
                 marks=pytest.mark.nightly),
    pytest.param(Lt(R(q, P1, Q1), R(q, P2, Q2)), (Gt(q, 1),),
                 marks=pytest.mark.nightly),
    (Le(R(q, P1, Q1), R(q, P2, Q2)), (Gt(q, 0), Ne(q, 1))),
    (Gt(delta(P1, Q1)(0), delta(P2, Q2)(0)), (Le(eps, NEAR),)),
    (Gt(delta(P2, Q2)(t), 0), ()),
    (Lt(delta(P2, Q2)(t), 1), ()),
    (Ge(delta(P2, Q2)(t), 1 - sp.exp(t)), ()),
]
PAIRS_FALSE = [
    (Le(R(q, P1, Q1), R(q, P2, Q2)), (Gt(q, 0),)),  # R_1 has no value
    (Le(R(q, P1, Q1), R(q, P2, Q2)), (Ge(q, 1),)),
    (Le(R(q, P1, Q1), R(q, P2, Q2)), (Ne(q, 1),)),  # turned round for q < 0
    (Lt(R(q, P1, Q1), R(q, P2, Q2)), (Ge(q, 0), Ne(q, 1))),  # both are 0 at q = 0
    (Lt(E(q, P1, Q1), E(q, P2, Q2)), (Ge(q, 1),)),
    (Le(delta(P1, Q1)(t), delta(P2, Q2)(t)), (Ge(eps, NEAR),)),
    (Gt(delta(P1, Q1)(0), delta(P2, Q2)(0)), (Le(eps, NEAR + sp.Rational(2, 10**19)),)),
    (Gt(delta(P1, Q1)(t), 0), ()),
    (Lt(delta(P2, Q2)(t), delta(P2, Q2)(u)), ()),
]


@pytest.mark.parametrize(("form", "where"), PAIRS_TRUE, ids=str)
def test_true_orders_of_mechanisms(form, where):
    assert str(judge(claim("true", form, where=where), numeric=False).kind) in HOLD


@pytest.mark.parametrize(("form", "where"), PAIRS_FALSE, ids=str)
def test_false_orders_of_mechanisms(form, where):
    assert str(judge(claim("false", form, where=where), numeric=False, patience=1).kind) not in HOLD


def test_a_domain_is_an_interval_along_each_variable():
    domain = Domain(((Form.of(u - v), ">"), (Form.of(2 - u), ">=")))
    low, high = domain.ends(u)
    assert [(str(e.form), e.closed) for e in (*low, *high)] == [("v", False), ("2", True)]
    assert [str(f) for f, _ in domain.without(u).conditions] == ["2 - v"]
    rising, falling = domain.charts(u)
    assert (rising.at, falling.at, rising.rising, falling.rising) == (v, 2, True, False)
    assert falling.coordinate.is_nonnegative and not falling.coordinate.is_positive


def test_an_end_that_is_not_the_outermost_is_no_end():
    domain = Domain(((Form.of(u), ">"), (Form.of(u - 1), ">")))
    assert [chart.at for chart in domain.charts(u)] == [1]
    assert list(Domain(((Form.of(u - v), ">"), (Form.of(u - x), ">"))).charts(u)) == []


def test_a_nonlinear_condition_gives_no_interval():
    assert Domain(((Form.of(u**2 - 1), ">"),)).ends(u) is None


def test_a_plan_is_checked_as_it_is_gone_again():
    first = Prover()
    assert first.proves(x - sp.tanh(x), Domain(()), True)
    again = Prover(first.plan)
    assert again.proves(x - sp.tanh(x), Domain(()), True) and again.left >= first.left
    assert not Prover({}).proves(x - sp.tanh(x), Domain(()), True)
    wrong = {goal: (y, 0) for goal in first.plan}
    assert not Prover(wrong).proves(x - sp.tanh(x), Domain(()), True)
    assert not Prover(first.plan).proves(sp.tanh(x) - x, Domain(()), True)


@pytest.mark.parametrize(("form", "where", "holds"), [
    (Ge(u * v, 0), (Ge(u, 0), Ge(v, 0)), True),  # factors of weak sign
    (Ge(u * v, 0), (Ge(u, 0), Ge(v, -1)), False),
    (Gt(u * v, 0), (Ge(u, 0), Gt(v, 0)), False),
    (Ge(-u * v, 0), (Le(u, 0), Ge(v, 0)), True),
    (Ge(u * v**3, 0), (Ge(u, 0), Le(v, 0)), False),
    (Ge(1 / u, 0), (Ge(u, 0),), False),  # no value at 0
    (Gt(x * sp.log(x) - x, sp.Rational(-101, 100)), (), True),  # a minimum inside: -1 at x = 1
    (Gt(x * sp.log(x) - x, -1), (), False),
    (Gt(x * sp.log(x) - x, sp.Rational(-99, 100)), (), False),
], ids=str)
def test_weak_factors_and_inner_minima(form, where, holds):
    found = str(judge(claim("edge", form, where=where), numeric=False, patience=1).kind)
    assert (found in HOLD) == holds
