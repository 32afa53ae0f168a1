"""Skew symmetry of Renyi divergences, and what is near to it."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.errors import Unsupported
from lapdp.core.verdict import HOLDS, Kind
from lapdp.testing.judging import judge
from lapdp.theory import Eq, R, claim, complexes, engine, pair, reals
from lapdp.theory.checking import check_statement
from lapdp.theory.methods.divergence_multiples import by_divergence_multiples

SKEW = "(1 - q)*R(P, Q)(q) == q*R(Q, P)(1 - q)"


@pytest.mark.parametrize("where", [["0 < q < 1"], ["q > 1"], ["q < 0"]])
def test_skew_symmetry(where):
    found = judge(check_statement(SKEW, where), numeric=True, examples=20, seconds=120.0)
    assert found.kind in HOLDS and found.method == "multiples of divergences"
    assert found.numeric is not None and found.numeric.agrees


@pytest.mark.parametrize(("text", "where"), [
    (SKEW, ["q != 1"]), (SKEW, ["q >= 0"]),                 # R_1 has no value, at q = 0
    ("(1 - q)*R(P, Q)(q) == q*R(P, Q)(1 - q)", ["0 < q < 1"]),
    ("q*R(P, Q)(q) == (1 - q)*R(Q, P)(1 - q)", ["0 < q < 1"]),
    ("(1 - q)*R(P, Q)(q) == 2*q*R(Q, P)(1 - q)", ["0 < q < 1"]),
])
def test_near_misses_are_refuted(text, where):
    found = judge(check_statement(text, where), numeric=False, examples=60, seconds=120.0)
    assert found.kind is Kind.REFUTED


def test_each_condition_of_the_theorem_is_asked():
    """All five lemmas, and nothing of complex orders or of other claims."""
    P, Q = pair()
    q, z = reals("q"), complexes("z")
    asked = []

    def refusing(lemma):
        asked.append(str(lemma.claim))
        raise Unsupported(lemma.id)

    skew = claim("x", Eq((1 - q) * R(q, P, Q), q * R(1 - q, Q, P)))
    for count in range(5):
        def prove(lemma, count=count):
            if len(asked) == count:
                return refusing(lemma)
            asked.append(str(lemma.claim))
            return engine.judge(claim("y", Eq(q, q))).proof

        asked.clear()
        with pytest.raises(Unsupported):
            by_divergence_multiples(skew, prove)
        assert len(asked) == count + 1
    assert asked == ["Ne(1 - q, 0)", "Ne(q, 0)", "Ne(q, 1)", "Ne(1 - q, 1)",
                     "Eq(E(q, P, Q), E(1 - q, Q, P))"]
    with pytest.raises(Unsupported, match="not real"):
        by_divergence_multiples(
            claim("x", Eq((1 - z) * R(z, P, Q), z * R(1 - z, Q, P))), refusing)
    with pytest.raises(Unsupported, match="differ"):
        by_divergence_multiples(
            claim("x", Eq((1 - q) * R(q, P, Q), 2 * q * R(1 - q, Q, P))), refusing)
    for other in (Eq(R(q, P, Q), 1), sp.Le(R(q, P, Q), R(q, Q, P)),
                  Eq(R(q, P, Q) + R(2, P, Q), R(q, Q, P))):
        assert by_divergence_multiples(claim("x", other), refusing) is None
