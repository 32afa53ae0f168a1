"""Named outcomes: masses, events, conditions on densities; false claims are never proved."""

import pytest
import sympy as sp

from lapdp import finite, outcomes, randomized_response
from lapdp.core.errors import IllFormed, InputError
from lapdp.core.verdict import HOLDS, Kind
from lapdp.theory import *
from lapdp.theory.engine import judge
from tests.mutation.oracle_check import oracle_report

eps = positives("eps")
mass, t = reals("m t")
UNIT = [Ge(mass, 0), Le(mass, 1)]
HIGH = (1 - mass) * sp.exp(eps) / (sp.exp(eps) + 1)
LOW = (1 - mass) / (sp.exp(eps) + 1)
TABLE = {"a": (mass, 0), "b": (HIGH, LOW), "c": (LOW, HIGH), "d": (0, mass)}
P, Q = mechanism_pair(outcomes(TABLE, where=UNIT))
P1, Q1 = pair("P", "Q")
Z = PLD(P1, Q1)


def kind(form, where=()):
    return judge(claim("it", form, where=where), numeric=False).kind


TRUE = {
    "complement": (Eq(P(Complement(Outcomes("a"))), 1 - mass), UNIT),
    "union": (Eq(Q(Outcomes("c") | Outcomes("d")), mass + HIGH), UNIT),
    "a union by name": (Eq(Q(Union(Outcomes("c"), Outcomes("d"))), mass + HIGH), UNIT),
    "a difference": (Eq(P(Difference(Outcomes("a", "b"), Outcomes("b", "d"))), mass), UNIT),
    "nothing in common": (Eq(P(Intersection(Outcomes("a"), Outcomes("b"))), 0), UNIT),
    "ratio": (Eq(P(Outcomes("b")), sp.exp(eps) * Q(Outcomes("b"))), UNIT),
    "leak": (Eq(Omega(P * Indicator(Gt(sp.log(P / Q), eps))), mass), UNIT),
    "every pair, by densities": (
        Eq(delta(P1, Q1)(t), Omega(P1 * Indicator(Gt(P1, sp.exp(t) * Q1)))
           - sp.exp(t) * Omega(Q1 * Indicator(Gt(P1, sp.exp(t) * Q1)))), ()),
    "every pair, by the log ratio": (
        Eq(Pr(Z, ">=", t), Omega(P1 * Indicator(Ge(sp.log(P1 / Q1), t)))), ()),
    "every pair, reversed ratio": (
        Eq(Pr(Z, ">", t), Omega(P1 * Indicator(Lt(sp.log(Q1 / P1), -t)))), ()),
}
FALSE = {
    "order of the masses": (Ge(P(Outcomes("c")), P(Outcomes("b"))), UNIT),
    "strict at the end": (Gt(P(Outcomes("b")), 0), UNIT),
    "a difference the other way": (
        Eq(P(Difference(Outcomes("b", "d"), Outcomes("a", "b"))), mass), UNIT),
    "other side": (Eq(P(Outcomes("a")), Q(Outcomes("a"))), UNIT),
    "weak for strict at an atom": (
        Eq(Omega(P * Indicator(Ge(sp.log(P / Q), eps))), mass), UNIT),
    "wrong direction": (
        Eq(Pr(Z, ">", t), Omega(P1 * Indicator(Gt(sp.log(Q1 / P1), -t)))), ()),
    "infinite loss left out": (
        Eq(Pr(Z, ">", t), Omega(P1 * Indicator(Gt(sp.log(P1 / Q1), t)))
           - Pr(Z, "==", sp.oo)), ()),
    "atom at the threshold": (
        Eq(Pr(Z, ">", t), Omega(P1 * Indicator(Ge(P1, sp.exp(t) * Q1)))), ()),
}


@pytest.mark.parametrize("name", TRUE)
def test_true(name):
    form, where = TRUE[name]
    assert kind(form, where) in HOLDS
    assert oracle_report(claim("it", form, where=where), 40).verdict == "holds"


@pytest.mark.parametrize("name", FALSE)
def test_false(name):
    form, where = FALSE[name]
    assert kind(form, where) is Kind.REFUTED
    assert oracle_report(claim("it", form, where=where), 60).verdict == "fails"


@pytest.mark.parametrize("form", [
    Eq(P(Outcomes("nowhere")), 0),
    Eq(P1(Outcomes("a")), 0),
])
def test_events_without_a_meaning(form):
    assert kind(form, UNIT) is Kind.ILL_FORMED


def test_names_and_other_events_are_not_joined():
    with pytest.raises(IllFormed, match="only other Outcomes"):
        Union(Outcomes("a"), Event("S"))


@pytest.mark.parametrize(("masses", "where"), [
    ({"a": (mass, 0), "b": (1 - mass, 1)}, ()),
    ({"a": (mass, mass), "b": (1, 1)}, UNIT),
    ({"a": (0.5, 1), "b": (0.5, 0)}, ()),
    ({"a": (1, 1)}, [sp.Eq(mass, 0, evaluate=False)]),
])
def test_no_distribution(masses, where):
    """A sign left open, a wrong sum, a float, an odd condition."""
    with pytest.raises(InputError):
        outcomes(masses, where=where)


def test_ratios_that_are_no_exponentials_come_in_cases():
    made = outcomes({"a": (mass, 1 - mass), "b": (1 - mass, mass)}, where=UNIT)
    for value in (0, sp.Rational(1, 3), sp.Rational(1, 2), 1):
        at = finite([value, 1 - value], [1 - value, value])
        for x in (-1, 0, 1):
            assert sp.expand(made.profile(x).subs(mass, value) - at.profile(x)) == 0
        assert made.mass_at_infinity.subs(mass, value) == at.mass_at_infinity
        assert made.moment(2).subs(mass, value) == at.moment(2)
    half = outcomes({"a": (sp.exp(-1) + sp.Rational(1, 2), sp.Rational(1, 2)),
                     "b": (sp.Rational(1, 2) - sp.exp(-1), sp.Rational(1, 2))})
    assert half.profile(0) == sp.exp(-1)
    assert sp.expand(sp.exp(half.loss.atoms[1].loss)) == 1 + 2 * sp.exp(-1)


def test_conditions_on_densities_need_one_degree():
    """P > 1 depends on the dominating measure."""
    assert kind(Eq(Omega(P1 * Indicator(Gt(P1, sp.Rational(1, 2)))), 0)) not in HOLDS
    assert kind(Ge(Omega(P1 * Indicator(Gt(P1, sp.Rational(1, 2)))), 0)) not in HOLDS


def test_products_forget_the_names():
    both = mechanism_pair(outcomes(TABLE, where=UNIT) ** 2)
    assert kind(Eq(both[0](Outcomes("a")), mass), UNIT) is Kind.ILL_FORMED


def test_out_of_range_parameters_give_no_pair():
    made = outcomes(TABLE, where=UNIT)
    assert made.substitute({mass: sp.Integer(2)}) is None
    half = made.substitute({mass: sp.Rational(1, 2), eps: sp.log(3)})
    twin = randomized_response(sp.log(3), "1/2")
    assert [half.profile(x) for x in (0, 1)] == [twin.profile(x) for x in (0, 1)]
