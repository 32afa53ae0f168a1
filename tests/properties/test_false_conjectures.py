"""False conjectures of the field: each is refuted by the smallest pair, on at most 3 outcomes."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import strategies as st

from lapdp.privacy.finite import FinitePair, finite
from lapdp.testing import conjecture
from lapdp.theory import E, R, pair, reals
from lapdp.theory.engine import judge
from lapdp.theory.witness import contradiction
from tests.properties.conjectured import FALSE, stated


@pytest.mark.parametrize("name", FALSE)
def test_a_false_one_is_refuted_by_a_small_pair(name):
    said = FALSE[name]
    found = conjecture(said.lhs, said.relation, said.rhs, where=said.where, seconds=60)
    there = found.counterexample
    assert there is not None and found.verdict == "refuted", str(found.searched)
    assert there.second, "the definitions reach every one of these"
    assert not there.undefined
    for drawn, value in ((p, m) for p, (_, m) in there.instance.pairs.items()):
        assert drawn.mechanism is None
        assert len(value.masses) <= said.outcomes
        # weights stay small: no mass has a denominator above 3
        assert all(m.denominator <= 3 for row in value.masses for m in row)
    # the engine's own evaluation and the pasted text say so again
    assert contradiction(found.claimed, there.instance) is not None
    assert r"\quad\text{at}\quad" in found.latex()


@pytest.mark.parametrize("name", ["the profile is symmetric", "deltas add up at one eps",
                                  "R of a product is the larger one"])
def test_what_is_printed_can_be_pasted(name, capsys):
    said = FALSE[name]
    found = conjecture(said.lhs, said.relation, said.rhs, where=said.where)
    exec(found.python, {})
    assert capsys.readouterr().out == "refuted\n"


def test_a_letter_keeps_its_place_in_what_is_pasted(capsys):
    """At q = 1 SymPy would turn (q - 1) R_q into 0 = 0 before the claim is made."""
    (P, Q), q = pair("P", "Q"), reals("q")
    found = conjecture((q - 1) * R(q, P, Q), "==", sp.log(E(q, P, Q)))
    assert found.refuted
    exec(found.python, {})
    assert capsys.readouterr().out == "refuted\n"


def test_the_smallest_ones_known():
    def text(name):
        said = FALSE[name]
        return conjecture(said.lhs, said.relation, said.rhs, where=said.where).witness.text

    assert text("the profile is symmetric") == (
        'P, Q = mechanism_pair(finite([1, 0], ["1/2", "1/2"])); eps = log(2)')
    assert text("the profile from two distribution functions") == (
        "P, Q = mechanism_pair(finite([1], [1])); eps = 0")
    assert text("Pinsker with 1/4") == 'P, Q = mechanism_pair(finite([1, 0], ["1/2", "1/2"]))'


# -- three distributions: functions of a case -----------------------------------------------------

ROWS = st.lists(st.tuples(*[st.integers(0, 6)] * 3).filter(any), min_size=1, max_size=3)


def _three(rows):
    return tuple(tuple(Fraction(w, sum(column)) for w in column)
                 for column in zip(*rows, strict=True))


TRIPLES = ROWS.filter(lambda rows: all(map(any, zip(*rows, strict=True)))).map(_three)


def profile(P, Q, alpha):
    return FinitePair(tuple(zip(P, Q, strict=True))).hockey_stick(alpha)


def moment(P, Q):
    return FinitePair(tuple(zip(P, Q, strict=True))).moment(2)


TRIANGLES = {
    "triangle inequality at one eps": (
        lambda A, B, C: profile(A, C, 2), lambda A, B, C: profile(A, B, 2) + profile(B, C, 2)),
    "group privacy without the factor e^eps": (
        lambda A, B, C: profile(A, C, 4), lambda A, B, C: profile(A, B, 2) + profile(B, C, 2)),
    "triangle inequality of R_2": (
        lambda A, B, C: moment(A, C), lambda A, B, C: moment(A, B) * moment(B, C)),
}


@pytest.mark.parametrize("name", TRIANGLES)
def test_a_false_one_about_three_distributions(name):
    lhs, rhs = TRIANGLES[name]
    found = conjecture(lambda case: lhs(*case), "<=", lambda case: rhs(*case), over=TRIPLES,
                       examples=2000)
    assert found.refuted
    assert len(found.case[0]) <= 3
    assert "is false" in str(found)


def test_group_privacy_holds_with_the_factor():
    found = conjecture(
        lambda c: profile(c[0], c[2], 4),
        "<=", lambda c: profile(c[0], c[1], 2) + 2 * profile(c[1], c[2], 2), over=TRIPLES)
    assert found.open and not found.proved
    assert "functions are searched only" in str(found)


def test_a_function_of_a_pair():
    found = conjecture(lambda pair: pair.hockey_stick(2), ">=",
                       lambda pair: pair.reverse().hockey_stick(2),
                       over=st.sampled_from([finite([1], [1]), finite([1, 0], ["1/2", "1/2"])]))
    assert found.refuted
    space = {}
    exec(found.python, space)
    assert space["case"] == finite([1, 0], ["1/2", "1/2"])
    with pytest.raises(TypeError, match="refuted, proved or open"):
        bool(found)


def test_the_engine_proves_none_of_them():
    for name, said in list(FALSE.items())[::3]:
        verdict = judge(stated(said), numeric=False, patience=0.1)
        assert str(verdict.kind) not in ("proved", "derived"), name
