"""Statements about pairs as text: what is read, and what is refused in one line."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp import verify
from lapdp.core.errors import InputError
from lapdp.core.verdict import Kind
from lapdp.theory import (
    PLD,
    Defined,
    E,
    Eq,
    Event,
    Ex,
    F,
    Le,
    NoAtom,
    Omega,
    Pr,
    R,
    Sup,
    T,
    ac,
    delta,
    f,
    pair,
    product_pair,
    reals,
)
from lapdp.theory.checking import check_statement
from lapdp.theory.fingerprint import fingerprint
from lapdp.theory.parse_pairs import Pairs, parse_claim, speaks_of_pairs

P, Q = pair()
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
BOTH = product_pair((P1, Q1), (P2, Q2), names=("P1*P2", "Q1*Q2"))
TWICE = product_pair((P, Q), (P, Q), names=("P*P", "Q*Q"))
eps, q, p, a, x = reals("eps q p a x")
S = Event("S")
Z = PLD(P, Q)

READ = {
    "delta(Q, P)(eps) == 1 - exp(eps) + exp(eps)*delta(P, Q)(-eps)":
        Eq(delta(Q, P)(eps), 1 - sp.exp(eps) + sp.exp(eps) * delta(P, Q)(-eps)),
    "R(P, Q)(q) <= R(Q, P)(q)": Le(R(q, P, Q), R(q, Q, P)),
    "R(q, P, Q) <= 1": Le(R(q, P, Q), 1),
    "E(P1, Q1)(2) <= E(2, P1, Q1)": Le(E(2, P1, Q1), E(2, P1, Q1)),
    "T(P, Q)(a) <= 1 - a": Le(T(P, Q)(a), 1 - a),
    "delta(P1*P2, Q1*Q2)(eps) <= delta(P1, Q1)(eps)":
        Le(delta(*BOTH)(eps), delta(P1, Q1)(eps)),
    "delta(Q2*Q1, P2*P1)(eps) <= 1": Le(delta(*BOTH[::-1])(eps), 1),
    "delta(P**2, Q*Q)(2*eps) <= 2*delta(P, Q)(eps)":
        Le(delta(*TWICE)(2 * eps), 2 * delta(P, Q)(eps)),
    "delta(p*P + (1 - p)*Q, Q)(0) == p*delta(P, Q)(0)":
        Eq(delta(p * P + (1 - p) * Q, Q)(0), p * delta(P, Q)(0)),
    "Pr(PLD(P, Q) >= eps) <= F(PLD(P, Q))(x) + f(PLD(P, Q))(x)":
        Le(Pr(Z, ">=", eps), F(Z)(x) + f(Z)(x)),
    "Ex(PLD(P, Q)**2, PLD(P, Q)) <= 1": Le(Ex(Z**2, Z), 1),
    "P(S) <= exp(eps)*Q(S) + delta(P, Q)(eps)":
        Le(P(S), sp.exp(eps) * Q(S) + delta(P, Q)(eps)),
    "delta(P, Q)(0) == Sup(P(S) - Q(S), S)": Eq(delta(P, Q)(0), Sup(P(S) - Q(S), S)),
    "delta(P, Q)(eps) == Omega(Max(0, P - exp(eps)*Q))":
        Eq(delta(P, Q)(eps), Omega(sp.Max(0, P - sp.exp(eps) * Q))),
}


@pytest.mark.parametrize("text", READ)
def test_what_is_read_is_what_python_writes(text):
    assert fingerprint([check_statement(text).claim]) == fingerprint([READ[text]])


def test_conditions_share_the_pairs_of_the_claim():
    found = check_statement("R(P, Q)(2) <= R(P, Q)(q)", ["ac(P, Q)", "q >= 2",
                                                         "Defined(R(P, Q)(q))",
                                                         "NoAtom(PLD(P, Q), 0)"])
    assert len(found.pairs) == 1
    wanted = [Le(R(2, P, Q), R(q, P, Q)), ac(P, Q), q >= 2, Defined(R(q, P, Q)),
              NoAtom(Z, sp.Integer(0))]
    assert fingerprint([found.claim, *found.where]) == fingerprint(wanted)


def test_letters_that_are_compared_by_size_are_real():
    assert [s.is_real for s in check_statement("E(P, Q)(q) >= 0").parameters] == [True]
    assert not check_statement("E(P, Q)(q) == E(Q, P)(1 - q)").parameters[0].is_real


def test_plain_formulas_stay_plain():
    assert not speaks_of_pairs(["P + Q == exp(P)", "R > E1(S)"])
    found = check_statement("P*Q == Q*P")
    assert not found.pairs and all(type(s) is sp.Symbol for s in found.parameters)


REFUSED = {
    "dleta(P, Q)(eps) == 0": "did you mean delta",
    "delat(P, Q) == 0": "unknown name 'delat'",
    "delta(P, Q) == 0": r"no number yet: write delta\(P, Q\)\(x\)",
    "delta(P)(eps) == 0": "1 arguments, not 2",
    "delta(P, Q)(0, 1) == 0": "2 arguments, not 1",
    "delta(P, Q)(eps=1) == 0": "by position",
    "delta(P, Q)(P) == 0": "P is a distribution and no number",
    "P + delta(P, Q)(0) == 0": "P is a distribution and no number",
    "PLD(P, Q) <= 1": "random variable and no number",
    "Ex(P, PLD(P, Q)) <= 1": "no number, in a mean",
    "Ex(Z, PLD(P, Q)) <= 1": "Z is a number and not the loss",
    "S + P(S) == 1": "S is an event and no number",
    "P(Q) == 1": "Q is no event",
    "P(S)(S) == 1": "is no function",
    "delta(P, Q1)(0) <= 1": "not made of the two members of one pair",
    "delta(P, P)(0) <= 1": "not the two members",
    "delta(2, Q)(0) <= 1": "'2' is no distribution",
    "delta(2*P, Q)(0) <= 1": "do not sum to 1",
    "delta(P*Q, Q*P)(0) <= 1": r"'P\*Q' and 'Q\*P' are no product of pairs",
    "delta(P1*P2, Q2*Q1)(0) <= 1": r"'P1\*P2' and 'Q2\*Q1' have their factors in two orders",
    "E(P1**2*P2, Q1*Q2*Q1)(2) <= 1": "in two orders",
    "delta(P**99, Q**99)(0) <= 1": "more than 6 factors",
    "delta(P*exp(P), Q*Q)(0) <= 1": "no product of distributions",
    "delta(delta(P, Q)(0)*P, Q)(0) <= 1": "is no distribution",
    "exp(2)(3) == delta(P, Q)(0)": "is no function",
    "delta(P, Q).eps == 1": "no attributes",
    "delta(P, Q)(1/0) == 1": "division by 0",
    "delta(P, Q)(0) <= 1 <= 2": "chain",
    "ac(P, Q) == 1": "hypothesis of its own",
    "ac(P, Q)": "write a claim",
    "NoAtom(PLD(P, Q), 0)": "write a claim",
    "delta(P, Q)(1if 0 else x) == 1": "check signs",
    "Pr(PLD(P, Q)) == 1": "write Pr",
    "Pr(P > 1) == 1": "no loss variable",
    "Omega(x) == 1": "made of densities",
    "Sup(delta(P, Q)(0), x) == 1": "S an event",
    "delta == P(S)": "delta is a notion",
    "P(__import__) == 1": "is no name",
    "delta(P, Q)((lambda: 1)()) == 1": "only formulas",
    "delta(P, Q)('x') == 1": "quotes hold",
    "delta(P, Q)(" + "(" * 70 + "0" + ")" * 70 + ") == 1": "nested",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refusals_are_one_line(text):
    with pytest.raises(InputError, match=REFUSED[text]) as refused:
        check_statement(text)
    assert "\n" not in str(refused.value)


def test_transforms_of_a_loss_are_claimed_where_they_converge():
    found = check_statement("B(f(PLD(P, Q))(t), t, 1 - q) == E(P, Q)(q)")
    assert [type(h).__name__ for h in found.where] == ["Converges"] and not found.note


def test_nothing_is_evaluated():
    claim = parse_claim("delta(P, Q)(0) == delta(P, Q)(0)", Pairs())
    assert isinstance(claim, sp.Eq)


def test_the_distribution_function_may_be_strict():
    text = "F(PLD(P, Q))(x, strict=True) <= F(PLD(P, Q))(x)"
    claim = check_statement(text).claim
    assert str(claim) == text and claim.lhs != claim.rhs
    for wrong in ("F(PLD(P, Q))(x, strict=False) <= 1", "f(PLD(P, Q))(x, strict=True) <= 1"):
        with pytest.raises(InputError, match="by position"):
            check_statement(wrong)


@pytest.mark.parametrize(("text", "names"), [
    ("delta(P1, P3)(x + a) <= delta(P1, P2)(x) + exp(x)*delta(P2, P3)(a)", "P1 P2 P3"),
    ("delta(P, R)(0) <= delta(P, Q)(0) + delta(Q, R)(0)", "P Q R"),
    ("delta(p*A + (1 - p)*B, C)(x) <= p*delta(A, C)(x) + (1 - p)*delta(B, C)(x)", "A B C"),
    ("A(S) <= exp(x)*B(S) + delta(A, B)(x)", "A B"),
    ("R(P1, M)(2) <= x", "M P1"),
])
def test_other_couples_are_of_one_space(text, names):
    (space,) = check_statement(text).pairs
    assert space.names == tuple(names.split())


def test_hypotheses_and_claim_name_the_same_distributions():
    found = check_statement("delta(A, C)(x) <= p", ["delta(A, B)(x) <= p", "delta(B, C)(x) <= a"])
    assert [p.names for p in found.pairs] == [("A", "B", "C")]


def test_divergences_are_of_any_two_of_three_distributions():
    found = check_statement("R(A, C)(2) <= R(A, B)(2) + R(B, C)(2)")
    assert [p.names for p in found.pairs] == [("A", "B", "C")]
    # the triangle inequality that they do not have
    assert verify(found, numeric=False, seconds=30).kind is Kind.REFUTED
    with pytest.raises(InputError, match="do not sum to 1"):
        check_statement("delta(p*A + p*B, C)(x) <= 1")


def test_a_mechanism_stands_for_its_two_distributions():
    found = check_statement("delta(gaussian(sigma))(eps) <= d",
                            ["sigma**2 >= 2*log(5/(4*d))/eps**2", "0 < d < 1", "0 < eps < 1"])
    (space,) = found.pairs
    assert (space.names, repr(space.mechanism)) == (("M", "N"), "gaussian(sigma, 1)")
    assert str(found.claim) == "delta(M, N)(eps) <= d"


def test_mechanisms_of_one_text_are_told_apart():
    found = check_statement(
        'delta(poisson(gaussian(1), 0.1, direction="remove"))(x) <= delta(gaussian(1))(x)')
    assert [p.names for p in found.pairs] == [("M", "N"), ("M2", "N2")]
    (once,) = check_statement("T(laplace(1))(a) <= 1 - a + delta(laplace(1))(0)").pairs
    assert once.names == ("M", "N")
    names = [p.names for p in check_statement("delta(M, N)(0) <= delta(gaussian(1))(0)").pairs]
    assert names == [("M", "N"), ("V", "W")]


@pytest.mark.parametrize(("text", "needed"), [
    ("delta(gaussian(x/x))(0) <= 1", ["Ne(x, 0)"]),
    ("delta(gaussian(x*y/x))(0) <= 1", ["Ne(x, 0)"]),
    ("delta(gaussian(sqrt(x)))(0) <= 1", ["x >= 0"]),
    ("delta(gaussian(y))(0) <= 1", []),
])
def test_what_parameters_of_mechanisms_need_is_claimed(text, needed):
    claim = check_statement(text).claim
    assert [str(c) for c in getattr(claim, "claims", [claim])[1:]] == needed


@pytest.mark.parametrize(("text", "why"), [
    ("delta(P, Q)(gaussian(1)) <= 1", "a mechanism and no number"),
    ("gaussian(1) <= 1", "unknown name|mechanism"),
    ("delta(gaussian(1), Q)(0) <= 1", "no distribution|mechanism"),
    ("delta(gaussian(1)**k)(0) <= 1", "powers of mechanisms are integers"),
    ("delta(gaussian('x y'))(0) <= 1", "cannot read"),
])
def test_mechanisms_where_there_are_none(text, why):
    with pytest.raises(InputError, match=why):
        check_statement(text)


@pytest.mark.parametrize(("where", "real"), [("q != 1", True), ("q == 2", True), ("x != 1", None)])
def test_an_order_that_is_left_out_is_one_of_real_ones(where, real):
    found = check_statement("E(P, Q)(q) == E(Q, P)(1 - q)", [where])
    assert {v.name: v.is_real for v in found.parameters}["q"] is real


@pytest.mark.parametrize("text", [
    "FiniteSum(i, i, 1, n) <= delta(P, Q)(0)", "Lim(delta(P, Q)(t), t, oo) == 0",
    "BinomialMean(x, x, n, p) == 1", "Sup(delta(P, Q)(x), x, 0, 1) <= 1",
])
def test_words_that_texts_do_not_have_are_named(text):
    with pytest.raises(InputError, match="in Python"):
        check_statement(text)


@pytest.mark.parametrize("condition,said", [
    ("Not(ac(P, Q))", "Not is written in Python"), ("Implies(x > 0, y > 0)", "Implies is written"),
    ("ForAll(S, P(S) <= Q(S), P(S) >= 1/2)", "S is an event, and ForAll is about numbers"),
])
def test_words_that_no_text_takes_are_told_apart(condition, said):
    with pytest.raises(InputError, match=said):
        check_statement("KL(P, Q) >= 0", [condition])
