"""Several distributions on one space: what weights prove, and what they do not."""

from __future__ import annotations

from fractions import Fraction as Fr

import pytest
import sympy as sp

from lapdp.core.errors import IllFormed, InputError
from lapdp.core.verdict import HOLDS, Kind
from lapdp.privacy.mechanisms import outcomes
from lapdp.privacy.nodes import IntegralOverSpace
from lapdp.theory import (
    Complement,
    E,
    Eq,
    Event,
    ExistsDistributions,
    Ge,
    Gt,
    Le,
    Lt,
    Outcomes,
    SameMeasure,
    Statement,
    Sup,
    delta,
    distributions,
    mechanism_pair,
    pair,
    reals,
)
from lapdp.theory.engine import judge
from lapdp.theory.methods.sizes import hockey_stick
from lapdp.theory.render import latex_of, text_of
from tests.mutation.oracle_check import oracle_verdict
from tests.mutation.replay import replay
from tests.oracle.feasible import feasible, mixtures_exist

M, N, A, B = distributions("M N A B")
C, D, _ = distributions("C D X")
P, Q = pair("P", "Q")
S, T = Event("S"), Event("T")
w, v, x, t = reals("w v x t")
HALF = sp.Rational(1, 2)
MIXED = SameMeasure(M, w * A + (1 - w) * B)
UNIT = (Ge(w, 0), Le(w, 1))
BIT = mechanism_pair(outcomes({"yes": (w, w), "no": (1 - w, 1 - w)}, where=list(UNIT)))


def split(first, second):
    """P and Q are mixtures of C and D with these weights of C."""
    return ExistsDistributions((C, D), (SameMeasure(P, first * C + (1 - first) * D),
                                        SameMeasure(Q, second * C + (1 - second) * D)))


def found(form, where=()):
    return judge(Statement("test/claim", form, where=tuple(where)), numeric=False, patience=1.0)


PROVED = [
    (SameMeasure(M - B, w * A - w * B), [MIXED]),
    (SameMeasure(2 * A + B - A, A + B), ()),
    (SameMeasure(M, BIT[0](Outcomes("yes")) * A + BIT[0](Outcomes("no")) * B), [MIXED, *UNIT]),
    (Eq(Sup(M(S) - B(S), S), Sup(w * A(S) - w * B(S), S)), [MIXED]),
    (Eq(Sup(M(S) - B(S), S), Sup(w * A(T) - w * B(T), T)), [MIXED]),
    (Le(Sup(M(S) - N(S), S), 1), ()),
    (Le(Sup(M(S) - B(S), S), w), [MIXED, *UNIT]),
    (Le(Sup(x * A(S) + v * B(S), S), sp.Max(0, x) + sp.Max(0, v)), ()),
    (Lt(Sup(A(S) - 2 * B(S), S), 2), ()),
    (Ge(1, Sup(A(S) - B(S), S)), ()),
    (Le(Sup(A(S) + B(S) - 2 * N(S), S), Sup(A(S) - N(S), S) + Sup(B(T) - N(T), T)), ()),
    (Le(Sup(w * M(S) + (1 - w) * A(S) - x * (w * N(S) + (1 - w) * B(S)), S),
        w * Sup(M(S) - x * N(S), S) + (1 - w) * Sup(A(S) - x * B(S), S)), UNIT),
    (Le(Sup(M(S) - A(S), S), (1 - w) * Sup(B(S) - A(S), S)), [MIXED, *UNIT]),
    (Lt(Sup(A(S) - B(S) + M(S), S), 2 + Sup(A(S) - B(S), S)), ()),
    (split(sp.Integer(1), sp.Integer(0)), ()),
    (split(sp.Rational(2, 3), sp.Rational(1, 3)),
     [Le(delta(P, Q)(sp.log(2)), 0), Le(delta(Q, P)(sp.log(2)), 0)]),
]


@pytest.mark.parametrize(("form", "where"), PROVED)
def test_proved(form, where):
    judged = found(form, where)
    assert judged.kind in HOLDS, judged.reason
    assert oracle_verdict(Statement("test/claim", form, where=tuple(where)), 12) != "fails"


FALSE = {
    "other weights": (SameMeasure(M, (1 - w) * A + w * B), [MIXED]),
    "nothing known of M": (SameMeasure(M, w * A + (1 - w) * B), ()),
    "weights that do not sum to 1": (SameMeasure(M, A + B), [SameMeasure(M, A + B)]),
    "an undefined weight": (SameMeasure(A + B / w, A + B / w), ()),
    "a factor": (Eq(Sup(M(S) - B(S), S), Sup(2 * w * A(S) - 2 * w * B(S), S)), [MIXED]),
    "a bound that is too small": (Le(Sup(A(S) - B(S), S), HALF), ()),
    "convexity without a range": (
        Le(Sup(w * M(S) + (1 - w) * A(S) - w * N(S) - (1 - w) * B(S), S),
           w * Sup(M(S) - N(S), S) + (1 - w) * Sup(A(S) - B(S), S)), ()),
    "convexity from above": (
        Ge(Sup(w * M(S) + (1 - w) * A(S) - w * N(S) - (1 - w) * B(S), S),
           w * Sup(M(S) - N(S), S) + (1 - w) * Sup(A(S) - B(S), S)), UNIT),
    "squared weights": (
        Le(Sup(w * M(S) + (1 - w) * A(S) - w * N(S) - (1 - w) * B(S), S),
           w**2 * Sup(M(S) - N(S), S) + (1 - w) * Sup(A(S) - B(S), S)), UNIT),
    "a part that is left": (Le(Sup(A(S) - B(S) + M(S), S), HALF + Sup(A(S) - B(S), S)), ()),
    "a supremum taken off": (Le(Sup(A(S) - B(S), S), 1 - Sup(A(S) - B(S), S)), ()),
    "a product of suprema": (Le(Sup(A(S), S), Sup(A(S), S) * Sup(B(S), S)), ()),
    "a coefficient that may be undefined": (
        Le(Sup(A(S) - B(S), S), (1 + w**-2) * Sup(A(S) - B(S), S)), ()),
    "a bound that may be undefined": (
        Le(Sup(A(S) - B(S), S), Sup(A(S) - B(S), S) + sp.log(w) ** 2), ()),
    "a coefficient of any sign": (Le(Sup(w * A(S) - w * B(S), S), w * Sup(A(S) - B(S), S)), ()),
    "a triangle through another": (
        Le(Sup(A(S) - B(S), S), Sup(A(S) - M(S), S) + Sup(N(S) - B(S), S)), ()),
    "a strict triangle": (
        Lt(Sup(A(S) - B(S), S), Sup(A(S) - M(S), S) + Sup(M(S) - B(S), S)), ()),
    "weights the other way": (Le(Sup(M(S) - A(S), S), w * Sup(B(S) - A(S), S)), [MIXED, *UNIT]),
    "a strict bound": (Lt(Sup(A(S) - B(S), S), 1), ()),
    "a lower bound": (Ge(Sup(A(S) - B(S), S), 1), ()),
    "without the range": (Le(Sup(M(S) - B(S), S), w), [MIXED]),
    "a complement": (Le(Sup(A(Complement(S)) - B(S), S), 0), ()),
    "another event": (Le(Sup(A(T) - B(S), S), 0), ()),
    "products of measures": (Le(Sup(A(S) * B(S) - A(S), S), -1), ()),
    "any pair from one coin": (split(sp.Rational(2, 3), sp.Rational(1, 3)), ()),
    "one direction": (split(sp.Rational(2, 3), sp.Rational(1, 3)),
                      [Le(delta(P, Q)(sp.log(2)), 0)]),
    "the same mixture twice": (split(HALF, HALF), ()),
    "the pair reversed": (split(sp.Rational(3, 4), HALF), [Le(delta(Q, P)(sp.log(2)), 0)]),
    "negative weights": (split(sp.Integer(2), sp.Integer(-1)), ()),
    "weights without the range": (split(w, 1 - w), [Gt(w, 0)]),
}


@pytest.mark.parametrize("name", FALSE)
def test_never_proved(name):
    assert found(*FALSE[name]).kind not in HOLDS


@pytest.mark.parametrize("name", ["any pair from one coin", "one direction",
                                  "the same mixture twice", "the pair reversed"])
def test_a_pair_above_the_weights_refutes(name):
    judged = found(*FALSE[name])
    assert judged.kind is Kind.REFUTED
    assert "finite" in judged.witness.text
    assert oracle_verdict(Statement("test/claim", *FALSE[name][:1], where=FALSE[name][1]),
                          20) == "fails"


@pytest.mark.parametrize("name", ["other weights", "nothing known of M", "a factor",
                                  "a bound that is too small", "a strict bound"])
def test_point_masses_refute(name):
    """... and the oracle confirms the witness."""
    form, where = FALSE[name]
    statement = Statement("test/claim", form, where=tuple(where),
                          hints={"witness": {"w": sp.Rational(2, 3)}})
    judged = judge(statement, numeric=False)
    assert judged.kind is Kind.REFUTED, judged.reason
    assert "point masses" in judged.witness.text
    assert replay(statement, judged.witness) == "confirmed"


def test_distributions_on_different_spaces():
    judged = found(SameMeasure(A - C, A - C + B - B))
    assert judged.kind not in HOLDS
    assert found(SameMeasure(A, C)).kind not in HOLDS


def test_hypotheses_do_not_reach_what_is_claimed_to_exist():
    judged = found(split(sp.Integer(1), sp.Integer(0)), [SameMeasure(C, D)])
    assert judged.kind is Kind.ILL_FORMED


def test_several_distributions_are_no_pair():
    with pytest.raises(IllFormed, match="one pair"):
        E(2, A, C)
    with pytest.raises(IllFormed, match="stands twice"):
        E(2, A, A)
    with pytest.raises(InputError, match="three or more"):
        distributions("A B")
    with pytest.raises(InputError, match="different names"):
        distributions("A B A")
    with pytest.raises(IllFormed, match="SameMeasure"):
        ExistsDistributions((C,), (Eq(C, D),))


def test_rendering():
    said = Statement("test/claim", split(sp.Integer(1), sp.Integer(0)))
    assert text_of(said) == (
        "there are distributions C, D: P == C as measures, Q == D as measures for all pairs (P, Q)")
    assert r"\exists\text{ distributions } C, D" in latex_of(said)
    assert "distributions (M, N, A, B)" in text_of(Statement("test/claim", MIXED))


def test_the_numeric_column_says_why_not():
    judged = judge(Statement("test/claim", Le(Sup(M(S) - N(S), S), 1)))
    assert judged.kind in HOLDS
    assert "several distributions" in judged.numeric.reason


@pytest.mark.parametrize(("rows", "right", "answer"), [
    ([[1, 1]], [2], True), ([[1, 1]], [-2], False), ([[1, -1]], [-2], True),
    ([[1, 1], [1, 1]], [1, 2], False), ([[1, 0], [0, 1], [1, 1]], [1, 2, 3], True),
    ([[0, 0]], [0], True), ([[2, 3], [4, 6]], [5, 10], True)])
def test_the_oracle_s_linear_programme(rows, right, answer):
    assert feasible([[Fr(x) for x in row] for row in rows], list(map(Fr, right))) is answer


def test_the_oracle_on_mixtures():
    coin = ((Fr(2, 3), Fr(1, 3)), (Fr(1, 3), Fr(2, 3)))
    assert mixtures_exist(coin, coin)
    assert not mixtures_exist(((Fr(1), Fr(0)), (Fr(0), Fr(1))), coin)


@pytest.mark.parametrize("notion", [
    delta(A / 2 + B / 2, M)(0), delta(M, A / 3 + B / 3 + M / 3)(0)], ids=str)
def test_a_mixture_of_several_distributions_has_a_profile(notion):
    assert found(Le(notion, 1)).kind in HOLDS


def test_a_positive_part_of_three_distributions_is_none_of_a_pair():
    body = IntegralOverSpace(sp.Max(0, M - 2 * N + A))
    assert hockey_stick(body) is None


def test_an_integral_of_three_distributions_has_a_value_at_a_witness():
    S = Event("S")
    above = IntegralOverSpace(sp.Max(0, M - N + A))
    found = judge(Statement("x", Le(above, Sup(M(S) - 2 * N(S) + A(S), S))), numeric=False)
    # where all are the same distribution the sides are 1 and 0
    assert found.kind is Kind.REFUTED
    assert (found.witness.lhs, found.witness.rhs) == ("1", "0")
