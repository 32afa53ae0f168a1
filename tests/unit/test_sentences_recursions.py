"""Sums, powers, recursions, binomial means and compositions as sentences.

The letter of a recursion is given the function that its equations define; claims are then compared
with sums written out and with products of finite pairs.
"""

from __future__ import annotations

import math
import random
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
import sympy as sp

from lapdp import randomized_response, verify
from lapdp.calculus import sequences as sq
from lapdp.kernel.printing import text
from lapdp.kernel.terms import Bank
from lapdp.privacy import families as fam
from lapdp.privacy import nodes as pn
from lapdp.theory import language as lang
from lapdp.theory.derivations import searched
from lapdp.theory.sentences import NotSaid, elaborate
from lapdp.theory.statement import Statement
from tests.oracle import finite, reals
from tests.oracle.terms import Interpreter

k, n = lang.naturals("k n")
v, eps = lang.reals("v eps")
b = sp.Symbol("b", real=True)
j = sp.Symbol("j", integer=True, positive=True)
T, y = sq.sequences("T y")
SQUARES = {"T": lambda i: i * i + 1, "y": lambda i: 2 * i}
PAIR = pn.pair("P", "Q")
COPIES = fam.composition("A", "B", each=PAIR)


def equation(bank, formula):
    """What is below quantifiers and premises."""
    kind = bank.rows[formula][0]
    return equation(bank, bank.children(formula)[-1]) if kind in ("allR", "imp") else formula


def defined(bank, sentence, points, letters):
    """The interpreter in which each letter of a recursion is what its equations say."""
    judge = Interpreter(bank, points, dict(letters), samples=[Fraction(x) for x in (0, 1, 2)])
    for definition in sentence.definitions:
        start, step = bank.children(definition)
        sides = [bank.children(equation(bank, f)) for f in (start, step)]
        name = bank.rows[bank.children(sides[0][0])[0]][1]
        size = max(bank.loose[sides[1][0]].count("R"), 1) - 1

        def value(i, x, y, sides=sides, size=size):
            at = (x, y)[:size]
            return judge.of(sides[0][1], at) if i == 0 else judge.of(sides[1][1], (i - 1, *at))
        judge.letters[name] = value
    return judge


def holds(form, points=1, **letters):
    bank = Bank()
    sentence = elaborate(Statement("paper/eq-1", form), bank)
    return defined(bank, sentence, points, letters).of(sentence.claim)


def test_sums():
    for first, last in ((1, k), (0, k), (0, k + 1), (1, k + 2)):
        form = lang.Eq(sq.FiniteSum(T[j] - y[j + 1], j, first, last), v)
        for count in range(4):
            end = last.subs(k, count)
            total = sum(i * i + 1 - 2 * (i + 1) for i in range(first, end + 1))
            for wrong in (0, 1):
                assert holds(form, **SQUARES, k=Fraction(count), v=Fraction(total + wrong)) == (
                    not wrong)


def test_powers_and_factorials():
    for count in range(4):
        for base in (Fraction(-2), Fraction(0), Fraction(3)):
            for wrong in (0, 1):
                there = {"k": Fraction(count), "b": base, "v": base**count + wrong}
                assert holds(lang.Eq(b**k, v), **there) == (not wrong)
        assert holds(lang.Eq(sp.factorial(k), v), k=Fraction(count),
                     v=Fraction(math.factorial(count)))
        assert holds(lang.Eq(sp.factorial(k + 1), v), k=Fraction(count),
                     v=Fraction(math.factorial(count + 1)))


def test_binomial_means():
    p = sp.Symbol("p", real=True)
    form = lang.Eq(sq.BinomialMean(T[j] * (j + k), j, k, p), v)
    for count, chance in product(range(4), (Fraction(0), Fraction(1, 3), Fraction(1))):
        mean = sum(math.comb(count, i) * chance**i * (1 - chance)**(count - i)
                   * (i * i + 1) * (i + count) for i in range(count + 1))
        for wrong in (0, 1):
            assert holds(form, **SQUARES, k=Fraction(count), p=chance, v=mean + wrong) == (
                not wrong)


def test_recursions():
    d = sq.recursion("d", lambda t: t * t, lambda i, t, before: (
        before(t + i) - 2 * before(t * T[i])))

    def value(i, t):
        return t * t if i == 0 else value(i - 1, t + i) - 2 * value(i - 1, t * (i * i + 1))
    for count in range(4):
        for wrong in (0, 1):
            assert holds(lang.Eq(d(k, eps), v), **SQUARES, k=Fraction(count), eps=Fraction(1, 2),
                         v=value(count, Fraction(1, 2)) + wrong) == (not wrong)


def products(p, q, count):
    """The masses of so many independent copies."""
    return tuple(tuple(math.prod(s) for s in product(side, repeat=count)) for side in (p, q))


def test_copies_of_an_arbitrary_pair():
    rng = random.Random(1)
    A, B = COPIES(n)
    level = Fraction(3, 2)
    for count in (0, 1, 2, 3):
        p, q = finite.random_pair(rng, size=2)
        both = products(p, q, count)
        letters = {"P": p, "Q": q, "n": Fraction(count), "eps": reals.log(level)}
        lost = sum(x for x, z in zip(*both, strict=True) if z == 0)
        for form, value in (
                (pn.delta(A, B)(eps), finite.hockey_stick(*both, level)),
                (pn.delta(B, A)(eps), finite.hockey_stick(*both[::-1], level)),
                (pn.Pr(pn.PLD(A, B), "==", sp.oo), lost),
                (pn.Pr(pn.PLD(A, B), ">", eps), finite.probability(*both, ">", level))):
            for wrong in (0, 1):
                assert holds(lang.Eq(form, v), len(p), **letters, v=value + wrong) == (not wrong)


def test_a_composition_of_mechanisms():
    A, B = fam.composition("A", "B", mechanism=lambda i: randomized_response(T[i], 0))(k)
    for count in (0, 1, 2):
        both = [Fraction(1)], [Fraction(1)]
        for i in range(1, count + 1):
            odds = reals.exp(Fraction(i))
            high, low = (reals.mul(x, reals.inverse(reals.add(Fraction(1), odds)))
                         for x in (odds, Fraction(1)))
            both = tuple([reals.mul(x, z) for x in side for z in pair]
                         for side, pair in zip(both, ((high, low), (low, high)), strict=True))
        value = Fraction(0)
        for x, z in zip(*both, strict=True):
            gap = reals.add(x, reals.neg(z))
            value = reals.add(value, gap if reals.sign(gap) > 0 else Fraction(0))
        for wrong in (0, 1):
            assert holds(lang.Eq(pn.delta(A, B)(0), v), T=lambda i: i, k=Fraction(count),
                         v=reals.add(value, Fraction(wrong))) == (not wrong)


def test_one_recursion_has_one_letter():
    bank = Bank()
    s = sq.FiniteSum
    form = lang.Eq(s(T[j], j, 1, k) + b**k, s(T[j], j, 1, k + 1) + b**(k + 1) + s(y[j], j, 1, k))
    sentence = elaborate(Statement("paper/eq-1", form), bank)
    assert len(sentence.definitions) == len(set(sentence.definitions)) == 3
    assert text(bank, sentence.goal).count("(app3(S, 0, 0, 0) = 0)") == 1


D = sq.recursion("d", sp.exp, lambda i, t, before: before(t) / t)


@pytest.mark.parametrize("form, where", [
    # a condition for all points would make a hypothesis weaker than it is meant
    (lang.Ge(v, 0), (lang.Eq(D(k, eps), v),)),
    (lang.Ge(v, 0), (lang.Eq(pn.delta(*COPIES(n))(eps), v),)),
    # an index that may be no whole number
    (lang.Ge(v, 0), (lang.Eq(b**(k - 2), v),)),
    (lang.Eq(sp.Symbol("z", complex=True)**k, v), ()),
    # more points than a letter has
    (lang.ForAll((eps,), lang.Eq(pn.delta(*COPIES(n))(eps), v)), ()),
])
def test_refusals(form, where):
    with pytest.raises(NotSaid):
        elaborate(Statement("paper/eq-1", form, where=where), Bank())


LOST = pn.Pr(pn.PLD(*PAIR), "==", sp.oo)
LOST_OF = {count: pn.Pr(pn.PLD(*COPIES(count)), "==", sp.oo) for count in (n, n + 1)}
TRUE = [
    lang.Eq(sq.FiniteSum(T[j] - T[j + 1], j, 0, k), T[0] - T[k + 1]),
    lang.Eq(b**(k + 1), b * b**k), lang.Eq(sq.BinomialMean(1, j, k, sp.Rational(1, 3)), 1),
]
FALSE = [
    lang.Eq(sq.FiniteSum(T[j] - T[j + 1], j, 0, k), T[0] - T[k]),
    lang.Eq(b**(k + 1), b**k), lang.Eq(b**k, b), lang.Le(sq.FiniteSum(T[j], j, 1, k), T[1]),
    lang.Eq(sq.BinomialMean(1, j, k, sp.Rational(1, 3)), k),
    lang.Eq(sq.FiniteSum(j, j, 1, k), k * k / 2),
]


@pytest.mark.parametrize("form", TRUE, ids=str)
def test_claims_that_are_derived(form):
    found, why = searched(Statement("paper/eq-1", form), 2000)
    assert found is not None, why


@pytest.mark.parametrize("form", FALSE, ids=str)
def test_false_neighbours_are_not(form):
    assert searched(Statement("paper/eq-1", form), 2000)[0] is None


def test_the_index_and_the_point_of_a_recursion_are_not_those_of_one_inside():
    inner = sq.recursion("g", lambda t: t, lambda l, t, before: before(t) + l)
    outer = sq.recursion("d", lambda _: 0, lambda l, t, before: inner(2, t) + l * before(t + 1))
    assert sq.unrolled(outer(1, v)) == v + 3
    assert sp.expand(sq.unrolled(outer(2, v))) == 3 * v + 11
    kinds = [verify(Statement("paper/eq-1", lang.Eq(outer(1, v), v + c))).kind for c in (3, 1)]
    assert kinds == ["proved", "refuted"]


def adding(l, t, before):
    """t + 20 l, by a recursion that adds 10 l twice."""
    return sq.recursion("g", lambda u: u, lambda i, u, b: b(u) + 10 * l)(2, t)


def at_its_point(l, t, before):
    """3 t + 3 l, the sum of t, t + l and t + 2 l."""
    return sq.recursion("g", lambda u: u + t, lambda i, u, b: b(u) + t + l * i)(2, 0)


def before_it(l, t, before):
    """The sum of the elements before at t, t + 1 and t + 2."""
    return sq.recursion("g", before, lambda i, u, b: b(u) + before(u + i))(2, t)


def twice(l, t, before):
    return before(before(t) + l)


@pytest.mark.parametrize("step, values", [
    (adding, (v, v + 20, v + 40)), (at_its_point, (v, 3 * v + 3, 3 * v + 6)),
    (before_it, (v, 3 * v + 3, 9 * v + 18)), (twice, (v, v + 1, v + 4))])
def test_a_recursion_inside_another_may_use_the_index_the_point_and_the_elements_of_that(
        step, values):
    outer = sq.recursion("d", lambda t: t, step)
    for count, value in enumerate(values):
        assert sp.expand(sq.unrolled(outer(count, v)) - value) == 0
        wrong = Statement("paper/eq-1", lang.Eq(outer(count, v), value + 1))
        assert verify(replace(wrong, claim=lang.Eq(outer(count, v), value))).kind in (
            "proved", "derived")
        assert verify(wrong).kind == "refuted"
        assert searched(wrong, 2000)[0] is None
    assert not outer.free_symbols - {outer.args[0]}


def test_the_sentence_of_a_recursion_that_uses_the_index_of_another_one():
    outer = sq.recursion("d", lambda t: t, adding)
    bank = Bank()
    sentence = elaborate(Statement("paper/eq-1", lang.Eq(outer(k + 1, v), v + 20 * (k + 1))), bank)
    inner, _ = (text(bank, f) for f in sentence.definitions)
    assert "= ((10 * (v + 1)) + app3(d, t, u, v))" in inner  # v + 1 is the index of the outer one


@pytest.mark.nightly
@pytest.mark.parametrize("power, releases, proved", [
    (n, n, True), (n + 1, n + 1, True), (n + 1, n, False), (n, n + 1, False), (1, n, False)])
def test_mass_at_infinity_of_many_copies(power, releases, proved):
    form = lang.Eq(LOST_OF[releases], 1 - (1 - LOST)**power)
    steps = 80_000 if proved else 8_000
    assert (searched(Statement("paper/eq-1", form), steps)[0] is not None) == proved
