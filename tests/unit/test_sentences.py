"""The elaborator: exact shapes of the notions, and refusals."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.kernel.printing import text
from lapdp.kernel.terms import Bank
from lapdp.privacy.nodes import PLD, E, Event, Pr, R, delta, pair
from lapdp.theory import language as lang
from lapdp.theory.sentences import NotSaid, elaborate
from lapdp.theory.statement import Statement

P, Q = pair("P", "Q")
eps, t = lang.reals("eps t")


def claim(form, where=()):
    bank = Bank()
    return text(bank, elaborate(Statement("paper/eq-1", form, where=where), bank).claim)


PROFILE = "oint(x. max(0, (P(x) + (-1 * (exp(eps) * Q(x))))))"
SHAPES = [
    (lang.Le(delta(P, Q)(eps), 1), f"({PROFILE} <= 1)"),
    (lang.Eq(Pr(PLD(P, Q), ">", t), 0), "(oint(x. if(((exp(t) * Q(x)) < P(x)), P(x), 0)) = 0)"),
    (lang.Eq(Pr(PLD(P, Q), "==", sp.oo), 0), "(oint(x. if((Q(x) = 0), P(x), 0)) = 0)"),
    (lang.Le(P(Event("S")), 1), "(oint(x. if((x in S), P(x), 0)) <= 1)"),
]


@pytest.mark.parametrize(("form", "shape"), SHAPES)
def test_shapes(form, shape):
    assert claim(form) == shape


def test_letters_of_one_name_stay_apart():
    x, y = sp.Symbol("x", real=True), sp.Symbol("x", positive=True)
    bank = Bank()
    sentence = elaborate(Statement("paper/eq-1", lang.Le(x, y)), bank)
    assert len(bank.letters[sentence.claim]) == 2


def test_a_pair_with_the_names_of_another_stays_apart():
    other = pair("P", "Q")
    bank = Bank()
    form = lang.Le(delta(P, Q)(eps), delta(*other)(eps))
    sentence = elaborate(Statement("paper/eq-1", form), bank)
    assert len([s for _, s in bank.letters[sentence.claim] if s == "D"]) == 4


def test_refusals():
    with pytest.raises(NotSaid, match="the failure of the form AllOf"):
        claim(lang.NotAlways(lang.AllOf((lang.Le(t, 1), lang.Le(t, 2)))))
    with pytest.raises(NotSaid, match="below 1"):
        claim(lang.Le(0, t), where=(lang.Defined(R(lang.complexes("q"), P, Q)),))
    with pytest.raises(NotSaid, match="hypothesis"):
        claim(lang.Le(0, t), where=(lang.Ge(E(t, P, Q) + 1, 2),))
