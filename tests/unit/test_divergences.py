"""Words for divergences: what each stands for, in Python and as text, and classical comparisons."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
import sympy as sp

from lapdp import finite
from lapdp.core.errors import InputError
from lapdp.core.verdict import HOLDS, Kind
from lapdp.testing.judging import judge
from lapdp.theory import BC, KL, TV, Hellinger, chi2, mechanism_pair, pair
from lapdp.theory.checking import check_statement
from lapdp.theory.parse_pairs import WORDS, Pairs, parse_claim
from lapdp.theory.words import __all__ as words

ROWS = ((Fraction(1, 2), Fraction(1, 8)), (Fraction(1, 4), Fraction(1, 8)),
        (Fraction(1, 4), Fraction(3, 4)))
BY_HAND = {
    "TV": sum(abs(p - q) for p, q in ROWS) / 2,
    "KL": sum(p * math.log(p / q) for p, q in ROWS),
    "chi2": sum((p - q) ** 2 / q for p, q in ROWS),
    "BC": sum(math.sqrt(p * q) for p, q in ROWS),
    "Hellinger": math.sqrt(sum((math.sqrt(p) - math.sqrt(q)) ** 2 for p, q in ROWS) / 2),
}


@pytest.mark.parametrize(("name", "word"), [
    ("TV", TV), ("KL", KL), ("chi2", chi2), ("BC", BC), ("Hellinger", Hellinger)])
def test_a_word_is_its_sum_and_reads_alike(name, word):
    """By the sums over outcomes, from which the definitions in terms of notions are far."""
    from lapdp.numeric.column import column
    from lapdp.theory import Gt, Lt, claim

    M, N = mechanism_pair(finite(*([str(m) for m in side] for side in zip(*ROWS, strict=True))))
    near, small = sp.Rational(BY_HAND[name]), sp.Rational(1, 10**12)
    for form in (Lt(word(M, N), near + small), Gt(word(M, N), near - small)):
        assert column(claim("x", form)).agrees
    assert not column(claim("x", Lt(word(M, N), near - small))).agrees
    P, Q = pair()
    read = parse_claim(f"{name}(P, Q) <= 7", Pairs())
    assert str(read) == str(sp.Le(word(P, Q), 7)) or str(sp.Le(word(P, Q), 7)) in str(read)


def test_all_words_are_words():
    assert {*WORDS} <= {*words}


@pytest.mark.parametrize(("text", "same"), [
    ("TV(A, C) <= TV(A, B) + TV(B, C)", "delta(A, C)(0) <= delta(A, B)(0) + delta(B, C)(0)"),
    ("KL(P1*P2, Q1*Q2) == 1", "Ex(PLD(P1*P2, Q1*Q2), PLD(P1*P2, Q1*Q2)) == 1"),
    ("2*chi2(gaussian(2)) == 1", "2*(E(gaussian(2))(2) - 1) == 1"),
    ("TV(p*P + (1 - p)*Q, Q) == p*TV(P, Q)",
     "delta(p*P + (1 - p)*Q, Q)(0) == p*delta(P, Q)(0)"),
    ("ε*BC(P, Q)*BC(Q, P) == 1", "eps*E(P, Q)(1/2)*E(Q, P)(1/2) == 1"),
])
def test_words_in_texts(text, same):
    assert str(check_statement(text).claim) == str(check_statement(same).claim)


@pytest.mark.parametrize(("text", "says"), [
    ("TV(P) <= 1", "'TV(P)' has 1 arguments, not 2: write TV(P, Q)"),
    ("KL(P, Q, S) <= 1", "has 3 arguments, not 2: write KL(P, Q)"),
    ("TV(TV(P, Q), Q) <= 1", "a divergence is a number and no distribution"),
    ("TV(P=P, Q=Q) <= 1", "write TV(P, Q)"),
    ("tv(P, Q) <= 1", "total variation is TV(P, Q)"),
    ("KL <= delta(P, Q)(0)", "KL is a notion: write KL(P, Q)"),
])
def test_words_refused(text, says):
    with pytest.raises(InputError) as error:
        check_statement(text)
    assert says in str(error.value)


@pytest.mark.parametrize(("text", "where", "holds"), [
    ("Hellinger(P, Q)**2 <= TV(P, Q)", [], True),
    ("TV(P, Q) <= Hellinger(P, Q)**2", [], False),
    ("TV(P, Q) <= Hellinger(P, Q)", [], False),
    ("TV(P, Q) <= sqrt(KL(P, Q)/2)", ["Defined(KL(P, Q))"], True),
    ("TV(P, Q) <= sqrt(KL(P, Q)/3)", [], False),
    ("TV(P, Q) <= sqrt(1 - exp(-KL(P, Q)))", ["Defined(KL(P, Q))"], True),
    ("KL(P, Q) <= chi2(P, Q)/2", [], False),
    ("TV(P, Q) <= chi2(P, Q)", [], False),
    ("KL(gaussian(sigma)) == 1/(2*sigma**2)", [], True),
    ("KL(gaussian(sigma)) == 1/sigma**2", [], False),
    ("BC(P1*P2, Q1*Q2) == BC(P1, Q1)*BC(P2, Q2)", [], True),
    ("KL(P, Q) == KL(Q, P)", [], False),
])
def test_classical_comparisons(text, where, holds):
    found = judge(check_statement(text, where), numeric=False, examples=60, seconds=120.0)
    assert found.kind in HOLDS if holds else found.kind is Kind.REFUTED


@pytest.mark.parametrize(("text", "under"), [
    ("TV(P, Q) <= sqrt(KL(P, Q)/2)", ["Defined(KL(P, Q))"]),
    ("KL(P, Q) <= log(1 + chi2(P, Q))", ["Defined(E(2, P, Q))", "Defined(KL(P, Q))"]),
    ("-2*log(BC(P, Q)) <= KL(P, Q)", ["Defined(KL(P, Q))"]),
])
def test_what_is_open_for_infinite_divergences_says_where_it_is_proved(text, under):
    """In a root or a logarithm +oo has no value: the condition that is named is enough."""
    found = judge(check_statement(text), numeric=False, examples=40, seconds=120.0)
    assert found.kind is Kind.UNDECIDED and found.scope == "sufficient"
    assert found.holds_under == " and ".join(under)
    with_it = judge(check_statement(text, under), numeric=False, examples=40, seconds=120.0)
    assert with_it.kind is Kind.PROVED


def test_a_false_claim_of_infinite_divergences_holds_under_nothing():
    found = judge(check_statement("KL(P, Q) <= log(1 + chi2(P, Q))/2"), numeric=False,
                  examples=60, seconds=120.0)
    assert found.kind is Kind.REFUTED and not found.holds_under
