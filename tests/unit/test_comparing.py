"""Statements of two papers about one object: what is asked, and what is found to contradict."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import sympy as sp

from lapdp import cli
from lapdp.core.verdict import HOLDS, Kind
from lapdp.privacy.mechanisms import gaussian, laplace
from lapdp.theory import (
    PLD,
    AllOf,
    Eq,
    F,
    Ge,
    Le,
    Lt,
    Statement,
    ac,
    claim,
    delta,
    mechanism_pair,
    naturals,
    pair,
    positives,
    product_pair,
    reals,
)
from lapdp.theory.comparing import compare, contradictions, said_by
from lapdp.theory.comparing.matching import match, solved
from lapdp.theory.engine import judge
from lapdp.theory.loading import load

P, Q = pair()
A, B = pair("A", "B")
C, D = pair("C", "D")
eps, t = reals("eps t")
alpha, b = positives("alpha b")
n = naturals("n")


def one(form, *where):
    [first, *_] = said_by(Statement("p/eq-1", form, where=where))
    return first


def asked(first, second):
    found = compare(first, second)
    return found and found.question


@pytest.mark.parametrize(("pattern", "target", "letters", "found"), [
    (delta(P, Q)(t), delta(A, B)(-eps), [t], {t: -eps}),
    (delta(P, Q)(sp.log(alpha)), delta(B, A)(eps), [alpha], {alpha: sp.exp(eps)}),
    (delta(P, Q)(-sp.log(alpha)), delta(A, B)(eps), [alpha], {alpha: sp.exp(-eps)}),
    (delta(P, Q)(2 * t + 1), delta(A, B)(eps), [t], {t: eps / 2 - sp.Rational(1, 2)}),
    (delta(P, Q)(eps), delta(A, B)(eps), [], {}),
    (delta(P, Q)(eps), delta(A, B)(t), [], None),
    (delta(P, Q)(t**2), delta(A, B)(eps), [t], None),
    (F(PLD(P, Q))(t), delta(A, B)(t), [t], None),
    (delta(P, Q)(t), F(PLD(P, Q))(t, strict=True), [t], None),
    (F(PLD(P, Q))(t), F(PLD(P, Q))(t, strict=True), [t], None),
])
def test_matching(pattern, target, letters, found):
    made = match(pattern, target, letters)
    assert (made.letters if made else None) == found


def test_pairs_are_matched_as_pairs():
    made = match(delta(P, Q)(t), delta(B, A)(t), [])
    assert [(x.name, y.name, reverse) for x, y, reverse in made.pairs.values()] == [
        ("P,Q", "A,B", True)]
    product, other = product_pair((P, Q), (A, B)), product_pair((C, D), (C, D))
    assert match(delta(*product)(t), delta(*other)(t), [])
    assert not match(delta(*other)(t), delta(*product)(t), []), "one pair is not two"
    assert not match(delta(*product)(t), delta(C, D)(t), []), "not every pair is a product"
    assert match(delta(C, D)(t), delta(*product)(t), [])


def test_mechanisms_are_matched_by_kind_and_parameters():
    general, special = mechanism_pair(laplace(b)), mechanism_pair(laplace(3))
    assert match(delta(*general)(t), delta(*special)(t), [b]).letters == {b: 3}
    assert not match(delta(*special)(t), delta(*general)(t), [])
    assert not match(delta(*general)(t), delta(*mechanism_pair(gaussian(3)))(t), [b])
    assert not match(delta(*general)(t), delta(*special[::-1])(t), [b])


def test_domains_become_conditions():
    half = match(delta(P, Q)(n), delta(P, Q)(sp.Rational(1, 2)), [n])
    assert half.conditions() is None
    real = match(delta(P, Q)(alpha), delta(P, Q)(eps), [alpha])
    assert [str(c) for c in real.conditions()] == ["eps > 0"]
    assert match(delta(P, Q)(t), delta(P, Q)(alpha), [t]).conditions() == []


@pytest.mark.parametrize("expression", [alpha**2 + alpha, sp.sin(alpha), alpha * t])
def test_what_is_not_plain_is_not_solved(expression):
    assert solved(expression, alpha, eps) is None


@pytest.mark.parametrize(("first", "second", "claimed"), [
    (Eq(delta(P, Q)(eps), t), Eq(delta(P, Q)(eps), b), Eq(t, b)),
    (Eq(delta(P, Q)(eps), t), Le(delta(P, Q)(eps), b), Le(t, b)),
    (Eq(delta(P, Q)(eps), t), Lt(b, delta(P, Q)(eps)), sp.Gt(t, b)),
    (Le(delta(P, Q)(eps), t), Ge(delta(P, Q)(eps), b), Ge(t, b)),
    (Lt(delta(P, Q)(eps), t), Ge(delta(P, Q)(eps), b), sp.Gt(t, b)),
    (Ge(delta(P, Q)(eps), t), Eq(delta(P, Q)(eps), b), Le(t, b)),
    (Le(delta(P, Q)(eps), t), Lt(delta(P, Q)(eps), b), None),
    (Eq(delta(P, Q)(eps), t), Eq(F(PLD(P, Q))(eps), b), None),
])
def test_which_relation_is_asked(first, second, claimed):
    # the letters of a general statement may be anything: here both values are constants
    values = {t: sp.Integer(3), b: sp.Integer(2)}
    first, second = (f.xreplace(values) for f in (first, second))
    found = asked(one(first), one(second))
    if claimed is None:
        assert found is None
    else:
        assert (found.claim.func, found.claim.lhs, found.claim.rhs) == (claimed.func, 3, 2)


def test_hypotheses_of_both_are_kept():
    first = one(Eq(delta(P, Q)(eps), 0), ac(P, Q))
    second = one(Eq(delta(A, B)(sp.log(alpha)), 1 - alpha), Lt(alpha, 1), ac(B, A))
    found = asked(first, second)
    assert found.claim == Eq(0, 1 - sp.exp(eps))
    assert [type(h).__name__ for h in found.where] == [
        "AbsolutelyContinuous", "StrictLessThan", "AbsolutelyContinuous"]
    assert found.where[1] == Lt(sp.exp(eps), 1) and found.where[2].P == Q


def test_letters_of_one_name_stay_apart():
    """eps of one statement is not eps of the other one."""
    first = one(Eq(delta(P, Q)(eps - t), 0))
    second = one(Eq(delta(A, B)(eps), sp.exp(eps)))
    assert asked(first, second).claim.rhs == sp.exp(eps - t)


def test_the_question_is_decided():
    reversal = one(Eq(delta(Q, P)(eps), 1 - sp.exp(eps) + sp.exp(eps) * delta(P, Q)(-eps)))
    same = one(Eq(delta(A, B)(sp.log(alpha)), 1 - alpha + alpha * delta(B, A)(-sp.log(alpha))))
    wrong = one(Eq(delta(A, B)(sp.log(alpha)), 1 - alpha * delta(B, A)(-sp.log(alpha))))
    agreed = asked(reversal, same)
    assert judge(agreed, numeric=False).kind in HOLDS
    assert judge(asked(reversal, wrong), numeric=False).kind is Kind.REFUTED
    assert claim("x", agreed.claim).hash == Statement("y", agreed.claim).hash


ONE = """
from lapdp.theory import *
import sympy as sp
P, Q = pair(); eps = reals("eps")
with theorem("one/theorem-1"):
    claim("eq-1", Eq(delta(Q, P)(eps), 1 - sp.exp(eps) + sp.exp(eps)*delta(P, Q)(-eps)))
    claim("eq-2", Eq(delta(P, Q)(0), delta(Q, P)(0)))
    claim("eq-3", Le(delta(P, Q)(eps), 0), where=[Eq(delta(P, Q)(0), 0), Ge(eps, 0)])
"""
TWO = """
from lapdp.theory import *
import sympy as sp
A, B = pair("A", "B"); alpha = positives("alpha"); e = reals("e")
with theorem("two/theorem-1"):
    claim("eq-1", Eq(delta(A, B)(sp.log(alpha)), 1 - alpha*delta(B, A)(-sp.log(alpha))),
          expected="refuted")
    claim("eq-2", Le(delta(A, B)(e), 0), where=Eq(delta(A, B)(0), 0), expected="refuted")
    claim("eq-3", Eq(delta(A, B)(0), delta(B, A)(0)))
"""


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("papers")
    (folder / "one.py").write_text(ONE)
    (folder / "two.py").write_text(TWO)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LAPDP_CACHE", str(folder / "cache"))
        patch.chdir(folder)
        yield folder


def test_contradictions_between_papers(papers, capsys):
    assert cli.main(["contradictions", "one.py", "two.py", "--json", "--no-numeric"]) == 0
    told = json.loads(capsys.readouterr().out)
    found = {tuple(s["id"] for s in c["statements"]): c for c in told["contradictions"]}
    assert set(found) == {("two/eq-1", "one/eq-1"), ("two/eq-2", "one/eq-1")}
    first = found["two/eq-1", "one/eq-1"]
    assert [s["verdict"] for s in first["statements"]] == ["refuted", "derived"]
    assert first["witness"]["lhs"] != first["witness"]["rhs"]
    assert found["two/eq-2", "one/eq-1"]["witness"]["text"]
    assert told["asked"] <= 4 and told["papers"] == ["one", "two"]
    assert told["asked"] == len(told["contradictions"]) + len(told["no_difference"])


def test_the_table(papers, capsys):
    assert cli.main(["contradictions", "one.py", "two.py", "--no-numeric"]) == 0
    out = capsys.readouterr().out
    assert "two/eq-1 (refuted): " in out and "one/eq-1 (derived): " in out
    assert out.splitlines()[-1].startswith("one, two: ")


def test_each_part_of_a_claim_is_said():
    first, second, third = said_by(Statement("p/eq-1", AllOf((
        Eq(delta(P, Q)(eps), t), Le(delta(A, B)(0), delta(A, B)(t))))))
    assert (first.value, second.value, third.value) == (t, delta(A, B)(t), delta(A, B)(0))


def test_papers_of_the_library_are_those_with_printed_items():
    from lapdp.commands.contradicting import of_papers, on_record
    from lapdp.theory.discovery import discover

    shelf = discover(["laws/reversal", "zhu2021/table-1"])
    assert {s.paper for s in shelf} == {"laws", "zhu2021"}
    assert {s.paper for s in of_papers(shelf)} == {"zhu2021"}
    assert set(on_record(shelf)) == {s.id for s in shelf}
    assert not on_record([Statement("p/eq-1", Eq(t, t))])


def test_true_statements_are_not_asked(papers):
    statements = load(papers / "one.py")
    calls = []
    search = contradictions(statements, {s.id: "proved" for s in statements},
                            lambda asked: calls.append(asked) or [])
    assert not search.found and search.asked == 0 and not any(calls)
