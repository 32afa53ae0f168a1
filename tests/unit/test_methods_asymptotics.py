"""Rates at infinity: bounded quotients are proved, unbounded ones refuted with growing balls."""

import pytest
import sympy as sp

from lapdp.calculus.ordering import Cell
from lapdp.core.errors import IllFormed, Unsupported
from lapdp.core.verdict import HOLDS, Kind, Rejected
from lapdp.privacy.mechanisms import gaussian, laplace, randomized_response
from lapdp.theory import BigO, Eq, Le, Lt, delta, mechanism_pair, pair, positives, reals
from lapdp.theory.engine import judge, verify
from lapdp.theory.methods.asymptotics import Rate, big_o
from lapdp.theory.methods.expansions import Expander
from lapdp.theory.methods.tower import Tower
from lapdp.theory.statement import Statement

t, eps, a, c = reals("t eps a c")
k, kappa = positives("k kappa")
P, Q = mechanism_pair(gaussian(k))
LP, LQ = mechanism_pair(laplace(k))
RP, RQ = mechanism_pair(randomized_response(1))
E2 = sp.exp(-t**2)

BOUNDED = [
    (sp.erfc(t), E2, t), (sp.erfc(t), E2 / t, t), (sp.erfc(t), 1, t, -sp.oo),
    (sp.erfc(t) - E2 / (t * sp.sqrt(sp.pi)), E2 / t**3, t),
    (sp.erfc(t)**2, sp.exp(-2 * t**2) / t**2, t),
    (sp.erfc(t) - sp.erfc(t + 1), E2 / t, t),
    (sp.erf(t) - 1, E2 / t, t),
    (sp.erfc(t / sp.sqrt(kappa)), sp.exp(-t**2 / kappa), t),
    (t**3 / (1 + t), t**2, t), (t**3 / (1 + t) - t**2, t, t),
    (1 / (1 + t) - 1 / t + 1 / t**2, t**-3, t),
    (sp.cosh(t), sp.exp(t), t), (sp.sinh(t), sp.exp(-t), t, -sp.oo),
    (sp.exp(t**2 / (1 + t)), sp.exp(t), t), (sp.exp(1 / t) - 1, 1 / t, t),
    (2**t, sp.exp(t), t), (sp.Integer(0), E2, t),
    (delta(P, Q)(eps), sp.exp(-eps**2 * k**2 / 2 + eps / 2), eps),
    (delta(P, Q)(eps), sp.exp(-eps**2 * k**2 / 2 + eps / 2) / eps**2, eps),
    (delta(Q, P)(eps), sp.exp(-eps**2 * k**2 / 2 + eps / 2), eps),
    (1 - delta(P, Q)(eps), sp.exp(eps), eps, -sp.oo),
    (delta(LP, LQ)(eps), sp.exp(-eps), eps), (delta(RP, RQ)(eps), 1, eps, -sp.oo),
]
UNBOUNDED = [
    (sp.erfc(t), E2 / t**2, t), (sp.erfc(t), 1 / t, t, -sp.oo), (sp.erfc(t), sp.exp(-2 * t**2), t),
    (sp.erfc(t) - E2 / (t * sp.sqrt(sp.pi)), E2 / t**4, t),
    (sp.erfc(t)**2, sp.exp(-2 * t**2) / t**3, t),
    (sp.erf(t), 1 / t, t), (sp.erf(t), sp.exp(-t), t),
    (sp.erfc(t / sp.sqrt(kappa)), sp.exp(-t**2), t),
    (t**3 / (1 + t), t, t), (t**3 / (1 + t) - t**2, 1, t), (1 / (1 + t) - 1 / t, t**-3, t),
    (sp.cosh(t), sp.exp(-t), t), (sp.exp(t**2 / (1 + t)), sp.exp(t) / t, t),
    (3**t, sp.exp(t), t), (sp.exp(a * t), sp.exp(c * t), t), (a * t, 1, t),
    (delta(P, Q)(eps), sp.exp(-eps**2 * k**2 / 2), eps),
    (delta(Q, P)(eps), sp.exp(-eps**2 * k**2 / 2 + eps / 2) / eps**3, eps),
    (1 - delta(RP, RQ)(eps), sp.exp(2 * eps), eps, -sp.oo),
]


def _rate(expr, bound, variable, point=sp.oo):
    return BigO(sp.sympify(expr), sp.sympify(bound), variable, point)


@pytest.mark.parametrize("case", BOUNDED, ids=str)
def test_bounded_quotients_are_proved(case):
    found = judge(Statement("check", _rate(*case)), numeric=False)
    assert found.kind in HOLDS, found.reason


@pytest.mark.parametrize("case", UNBOUNDED, ids=str)
def test_unbounded_quotients_are_refuted(case):
    found = judge(Statement("check", _rate(*case)), numeric=False)
    assert found.kind is Kind.REFUTED, found.reason
    assert "unbounded" in found.reason and str(case[2]) in found.witness.values


def test_the_gaussian_profile_of_theorem_2_4():
    printed = verify("chourasia2024/eq-13.2", numeric=False)
    assert printed.kind is Kind.REFUTED
    assert "exp(eps/2)/(2*eps**2*sqrt(pi))" in printed.reason
    repaired = verify("chourasia2024/eq-13.2.repaired", numeric=False)
    assert repaired.kind in HOLDS
    assert [f.name for f in repaired.proof.facts] == ["erfc envelope"]


def test_hypotheses_on_parameters_are_used():
    claim = _rate(sp.exp(a * t), sp.exp(c * t), t)
    assert judge(Statement("check", claim, where=(Le(a, c),)), numeric=False).kind in HOLDS
    strict = _rate(t**5 * sp.exp(a * t), sp.exp(c * t), t)
    assert judge(Statement("check", strict, where=(Lt(a, c),)), numeric=False).kind in HOLDS
    found = judge(Statement("check", strict, where=(Le(a, c),)), numeric=False)
    assert found.kind is Kind.REFUTED and found.witness.values["a"] == found.witness.values["c"]


def test_a_pole_in_the_parameters_is_no_proof():
    claim = _rate(sp.exp(-t) / (a - c), sp.exp(-t), t)
    assert judge(Statement("check", claim), numeric=False).kind not in HOLDS
    where = (sp.Ne(a, c),)
    assert judge(Statement("check", claim, where=where), numeric=False).kind in HOLDS


@pytest.mark.parametrize("expr", [sp.log(t), sp.sqrt(t), sp.sin(t), sp.gamma(t), sp.exp(sp.exp(t)),
                                  delta(*pair())(t)], ids=str)
def test_outside_the_class_is_unsupported(expr):
    with pytest.raises(Unsupported):
        big_o(Statement("check", _rate(expr, sp.exp(t), t)))


@pytest.mark.parametrize("point", [0, sp.Rational(1, 2), a, sp.zoo], ids=str)
def test_a_rate_at_a_number_is_ill_formed(point):
    with pytest.raises(IllFormed, match="let u tend to oo"):
        BigO(t, t, t, point)


def test_moving_hypotheses_are_unsupported():
    with pytest.raises(Unsupported):
        big_o(Statement("check", _rate(t, t**2, t), where=(Lt(t, 5),)))
    with pytest.raises(Unsupported):
        big_o(Statement("check", _rate(t, t**2, t), where=(Eq(delta(P, Q)(a), 0),)))


def test_certificates_are_checked_again():
    x = sp.Symbol("x", positive=True)
    with pytest.raises(Rejected):
        Rate((), x**2, x, x).discharge(())
    Rate((), x, x**2, x).discharge(())


@pytest.mark.parametrize("expr", [
    sp.erfc(t), sp.erfc(2 * t - 1), t**3 / (1 + t**2), sp.exp(1 / t), 1 / (t**2 - t + 3)**2,
    sp.exp(t**2) * sp.erfc(t), sp.erfc(t) * sp.exp((t**2 + 1) / t),
], ids=str)
def test_expansions_agree_with_mpmath(expr):
    """Truncated series against values far out: the error is of the order that is claimed."""
    import mpmath as mp

    x = sp.Symbol("x", positive=True)
    (group,) = Expander(x, Tower(Cell()), 4).expand(expr.subs(t, x))
    exponent = sum(p.to_sympy() * x**(j + 1) for j, p in enumerate(group.phi))
    series = sum(coefficient.to_sympy() * x**p for p, coefficient in group.series.terms.items())
    with mp.workdps(60):
        at = [mp.mpf(40), mp.mpf(80)]
        roots = {s: sp.sqrt(sp.pi) for s in sp.sympify(series).free_symbols - {x}}
        value = sp.lambdify(x, expr.subs(t, x) * sp.exp(-exponent), "mpmath")
        approximate = sp.lambdify(x, sp.sympify(series).xreplace(roots), "mpmath")
        errors = [abs(value(v) - approximate(v)) for v in at]
    assert errors[1] * 2 ** (-group.series.cut) < errors[0] * mp.mpf("1.5")
