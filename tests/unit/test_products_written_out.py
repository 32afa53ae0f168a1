"""delta(P1*P2, Q1*Q2) in Python is the product of the pairs, and text tells products apart."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.errors import IllFormed
from lapdp.theory import PLD, E, R, T, claim, delta, pair, product_pair
from lapdp.theory.discovery import Catalogue
from lapdp.theory.render import text_of
from lapdp.theory.witness import search

(P1, Q1), (P2, Q2) = pair("P1", "Q1"), pair("P2", "Q2")
EPS = sp.Symbol("eps", real=True)


def test_all_notions_take_a_product():
    known = delta(P1*P2, Q1*Q2)(EPS).args[0].pair
    assert known.factors == (P1.pair, P2.pair)
    for e in (E(2, P1*P2, Q1*Q2), R(2, P2*P1, Q1*Q2), PLD(P1*P2, Q1*Q2), T(P1*P2, Q1*Q2)(0),
              delta(Q1*Q2, P1*P2)(EPS)):
        assert {d.pair for d in e.free_symbols if hasattr(d, "pair")} == {known}
    assert delta(Q1*Q2, P1*P2)(EPS) == delta(Q2*Q1, P2*P1)(EPS) != delta(P1*P2, Q1*Q2)(EPS)


def test_a_false_statement_of_a_product_is_refuted():
    false = claim("false", sp.Le(delta(P1*P2, Q1*Q2)(EPS), delta(P1, Q1)(EPS)))
    assert search(false, [])[0] is not None
    true = claim("true", sp.Ge(delta(P1*P2, Q1*Q2)(EPS), delta(P1, Q1)(EPS)))
    assert search(true, [], limit=60)[0] is None


@pytest.mark.parametrize("sides", [(P1*P2, Q1), (P1*P2, Q1*P2), (P1*Q2, Q1*P2), (P1*P2, Q1*Q1),
                                   (P1**2, Q1*Q2)])
def test_what_is_no_product_says_how_one_is_written(sides):
    with pytest.raises(IllFormed, match="product_pair"):
        delta(*sides)


def test_products_of_the_same_names_are_told_apart():
    first, second = product_pair((P1, Q1), (P2, Q2)), product_pair((P2, Q2), (P1, Q1))
    told = text_of(claim("commute", sp.Eq(delta(*first)(EPS), delta(*second)(EPS))))
    assert told == ("delta(P1*P2, Q1*Q2)(eps) == delta(P2*P1, Q2*Q1)(eps) for all products "
                    "(P1*P2, Q1*Q2) of pairs (P1, Q1), (P2, Q2), products (P2*P1, Q2*Q1) of pairs "
                    "(P2, Q2), (P1, Q1), eps in R")
    for statement in Catalogue().select(["laws"]):
        relation = text_of(statement).split(" for all ")[0]
        for sign in (" == ", " <= ", " >= "):
            sides = relation.split(sign)
            assert len(sides) != 2 or sides[0] != sides[1], statement.id
