"""Counterexamples that need proofs are told in the words of the language, both sides apart."""

from lapdp.privacy.mechanisms import gaussian, randomized_response
from lapdp.report.text import witness_lines
from lapdp.theory import Implies, Le, NotAlways, R, ac, claim, delta, engine, pair, positives

P, Q = pair()


def told(statement):
    found = engine.judge(statement, numeric=False)
    assert str(found.kind) == "refuted"
    witness = vars(found.witness)
    return found, witness_lines(witness, "", found.reason)


def test_what_always_holds_has_a_reason_and_no_sides():
    found, lines = told(claim("x/mass", NotAlways(Le(delta(P, Q)(0), 1))))
    assert found.reason == "proved for all pairs and values: delta(P, Q)(0) <= 1"
    assert lines == ["every pair and all values"]


def test_the_sides_of_what_fails_where_a_hypothesis_is_proved():
    P1, Q1 = pair("P1", "Q1")
    P2, Q2 = pair("P2", "Q2")
    w = positives("w")
    statement = claim(
        "x/converse",
        Implies(Le(R(1 + w, P1, Q1), R(1 + w, P2, Q2)),
                Le(delta(P1, Q1)(0), delta(P2, Q2)(0)), over=(w,)),
        where=[ac(P1, Q1), ac(Q1, P1), ac(P2, Q2), ac(Q2, P2)],
        hints={"pairs": {"P1": randomized_response(1), "P2": gaussian(1, 1)}})
    found, lines = told(statement)
    assert found.witness.lhs == "delta(P1, Q1)(0)" and found.witness.rhs == "delta(P2, Q2)(0)"
    assert lines[-2:] == ["left side  = delta(P1, Q1)(0)", "right side = delta(P2, Q2)(0)"]
    assert found.reason.endswith("against it: delta(P1, Q1)(0) > delta(P2, Q2)(0)")
