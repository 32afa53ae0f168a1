"""Families over outcomes and adaptive pairs as sentences, at finite families."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from lapdp import randomized_response
from lapdp.kernel.domain import domain
from lapdp.kernel.printing import text
from lapdp.kernel.terms import Bank
from lapdp.privacy import families as fam
from lapdp.privacy import nodes as pn
from lapdp.privacy import tradeoff_nodes as tn
from lapdp.theory import language as lang
from lapdp.theory.sentences import NotSaid, elaborate
from lapdp.theory.statement import Statement
from tests.oracle import finite, reals
from tests.oracle.terms import Interpreter

x = fam.outcome("x")
FIRST, SECOND = pn.pair("P", "Q"), fam.family("A", "C", x)
BOTH = fam.adaptive_pair(FIRST, SECOND, ("X", "Y"))
eps, v = lang.reals("eps v")


def elaborated(form, where=()):
    bank = Bank()
    return bank, elaborate(Statement("paper/eq-1", form, where=where), bank)


def models(seed, count=8):
    rng = random.Random(seed)
    for _ in range(count):
        p, q = finite.random_pair(rng, size=3)
        kernels = [finite.random_pair(rng, size=3) for _ in p]
        letters = {"P": p, "Q": q, "A^x": [k[0] for k in kernels], "C^x": [k[1] for k in kernels]}
        yield p, q, kernels, letters


def joint(p, kernels, side):
    return tuple(a * b for a, k in zip(p, kernels, strict=True) for b in k[side])


def holds(form, letters, samples=(), **more):
    bank, sentence = elaborated(form)
    return Interpreter(bank, 3, {**letters, **more}, samples=samples).of(sentence.claim)


def test_adaptive_pairs():
    for p, q, kernels, letters in models(1):
        both = joint(p, kernels, 0), joint(q, kernels, 1)
        for level in (Fraction(1), Fraction(2)):
            value, at = finite.hockey_stick(*both, level), reals.log(level)
            for w, meant in ((value, True), (value + 1, False)):
                assert holds(lang.Eq(pn.delta(*BOTH)(eps), v), letters, v=w, eps=at) == meant
            tail = finite.probability(*both, ">", level)
            assert holds(lang.Eq(pn.Pr(pn.PLD(*BOTH), ">", eps), v), letters, v=tail, eps=at)
        assert holds(lang.Eq(pn.Omega(BOTH[0]), 1), letters)
        assert holds(lang.Eq(pn.Omega(FIRST[0]), 1), letters)


def test_one_outcome_all_and_the_worst():
    for _, _, kernels, letters in models(2):
        values = [finite.hockey_stick(*k, 1) for k in kernels]
        at = pn.delta(*SECOND)(0)
        for k, value in enumerate(values):
            assert holds(lang.Eq(at, v), letters, v=value, x=k)
        for bound in (*values, Fraction(0)):
            assert holds(lang.ForAll((x,), lang.Le(at, v)), letters, v=bound) == (
                max(values) <= bound)
            assert holds(lang.Eq(tn.Sup(at, x), v), letters, values, v=bound) == (
                max(values) == bound)


def test_what_a_family_must_satisfy_is_supposed_of_every_outcome():
    bound = lang.ForAll((x,), lang.Le(pn.delta(*SECOND)(eps), v))
    bank, sentence = elaborated(lang.Le(pn.delta(*BOTH)(eps), v), (bound,))
    told = text(bank, sentence.hypotheses[0])
    assert told == ("all x. (oint(y. max(0, (given('A^x', x)(y) + "
                    "(-1 * (exp(eps) * given('C^x', x)(y)))))) <= v)")
    asked = text(bank, domain(bank, sentence.claim))
    assert "given('A^x', x)(y)" in asked and "P(x)" in asked


def test_refusals():
    mixed = pn.product_pair(FIRST, SECOND, names=("X", "Y"))
    coin = pn.mechanism_pair(randomized_response(1), "M", "N")
    for members in (mixed, fam.adaptive_pair(coin, SECOND, ("X", "Y"))):
        with pytest.raises(NotSaid):
            elaborated(lang.Le(pn.delta(*members)(eps), 1))
    with pytest.raises(NotSaid, match="beside other pairs"):
        elaborated(lang.Le(pn.Omega(FIRST[0] * SECOND[0]), 1))


def test_a_mean_is_a_letter_with_what_it_says_of_every_event():
    bank, sentence = elaborated(lang.Le(pn.delta(*fam.averaged(SECOND, ("M", "N")))(eps), 1))
    assert text(bank, sentence.hypotheses[0]) == (
        "all S. (oint(x. if((x in S), M(x), 0)) = oint(x. (law_x(x) * "
        "oint(y. if((y in S), given('A^x', x)(y), 0)))))")
    assert len(sentence.hypotheses) == 2
