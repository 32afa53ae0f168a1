"""The elaborator: exact shapes of the notions, and refusals."""

from __future__ import annotations

import ast

import pytest
import sympy as sp

from lapdp.kernel.printing import text
from lapdp.kernel.saying import Sayings
from lapdp.kernel.symbols import SIGNATURES
from lapdp.kernel.terms import Bank, Refused
from lapdp.privacy.nodes import PLD, E, Event, Pr, R, delta, pair
from lapdp.theory import language as lang
from lapdp.theory.sentences import NotSaid, elaborate
from lapdp.theory.sentences.terms import MEANINGS
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


@pytest.mark.parametrize(("meaning", "shape"), [
    ("x - 1", "(x + -1)"), ("-x / 2", "((-1 * x) * inv(2))"), ("1 - -x", "(1 + (-1 * (-1 * x)))"),
    ("case(x < 0, cx(x), x)", "if((x < 0), cx(x), cx(x))"), ("x + i", "(cx(x) + i)"),
    ("case(x < 0, x == 1, false)", "(((x < 0) -> (x = 1)) and (not((x < 0)) -> false))"),
    ("supR(y, y <= f(x))", "supR(t. (t <= exp(x)))"),
    ("lint(y, lint(z, y * f(z)))", "lint(t. lint(u. (t * exp(u))))"),
    ("supR(y, allR(x, x <= y))", "supR(t. all u. (u <= t))"),
])
def test_what_texts_say(meaning, shape):
    e = Sayings(Bank())
    names = {"x": e.b.letter("x", "R"), "f": lambda t: e.b.make("exp", t)}
    assert text(e.b, e.say(meaning, **names)) == shape


@pytest.mark.parametrize("meaning", ["lint(y, x < y)", "max(0, i)", "x < i", "erfc(x, x)"])
def test_texts_without_a_sort_are_refused(meaning):
    e = Sayings(Bank())
    with pytest.raises(Refused):
        e.say(meaning, x=e.b.letter("x", "R"))


@pytest.mark.parametrize("meaning", [m for m in MEANINGS.values() if isinstance(m, str)])
def test_texts_speak_of_arguments_and_symbols(meaning):
    header, _, said = meaning.rpartition(": ")
    known = {name.partition("(")[0] for name in header.split(", ")}
    for node in ast.walk(ast.parse(said)):
        if isinstance(node, ast.Call) and isinstance(node.args[0], ast.Name) and (
                node.func.id == "limit" or "R>" in str(SIGNATURES.get(node.func.id))):
            known.add(node.args[0].id)
    names = {n.id for n in ast.walk(ast.parse(said)) if isinstance(n, ast.Name)}
    assert names <= known | SIGNATURES.keys() | {"P", "Q", "S", "Int", "case", "limit"}


FALLS = lang.NonincreasingOn(sp.exp(-t), t, sp.S.Zero, sp.oo)


def test_intervals():
    assert claim(FALLS) == ("all t. all u. (((0 <= t) and ((0 <= u) and (t <= u))) ->"
                            " (exp((-1 * u)) <= exp((-1 * t))))")
    for lower, upper in ((sp.oo, sp.oo), (-sp.oo, -sp.oo)):
        with pytest.raises(NotSaid, match="a relation with oo"):
            claim(lang.NonincreasingOn(sp.exp(-t), t, lower, upper))
        with pytest.raises(NotSaid, match="a relation with oo"):
            claim(lang.Le(0, eps), where=(lang.ConvexOn(sp.exp(-t), t, lower, upper),))
