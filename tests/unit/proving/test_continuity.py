"""Continuity in the order, complex conditions, equality almost everywhere: true and a slip away."""

from __future__ import annotations

import pytest

from tests.unit.proving.test_limits import MANY, P, Q, found

STEPS = 800


def continuous(at, there):
    """|F(w) - F(t)| < u for all w near t; the variables are #1 and #4 below the integral of F."""
    return ("(allR (allR (imp (lt 0 #0) (exR (and (lt 0 #0) (allR (imp (lt (abs (add (mul -1 #0) "
            f"#3)) #1) (lt (abs (add {at} (mul -1 {there}))) #2))))))))")


def profile(p, q, w):
    """oint max(0, p - e^w q)."""
    return f"(oint (max 0 (add {p} (mul -1 (mul (exp {w}) {q})))))"


def tail(w):
    """The mass where p <= e^w q."""
    return f"(oint (if (le {P} (mul (exp {w}) {Q})) {P} 0))"


NULL = f"(eq (oint (if (eq {Q} 0) {P} 0)) 0)"
MOMENT = f"(mul (exp (mul z (cx {P}))) (cx {Q}))"
CHANGED = f"(if (eq {Q} 0) (cx {P}) {MOMENT})"
ONE_OR_TWO = "(eq (if (eq z (cx 1)) 1 2) 2)"

TRUE = [
    continuous(profile(P, Q, "#1"), profile(P, Q, "#4")),
    "(imp (not (eq (add (cx -1) z) (cx 0))) " + ONE_OR_TWO + ")",
    "(imp (lt (re z) 1) " + ONE_OR_TWO + ")",
    "(imp (not (lt (re (add z (cx -1))) 0)) (le 1 (re z)))",
    f"(imp {NULL} (imp (oiny {MOMENT}) (oiny {CHANGED})))",
]
FALSE = [
    continuous(profile(P, Q, "#1"), profile(Q, P, "#4")),
    continuous(tail("#1"), tail("#4")),
    continuous(profile(P, Q, "(mul #1 #1)"), profile(P, Q, "#4")),
    "(imp (not (eq (add (cx 1) z) (cx 0))) " + ONE_OR_TWO + ")",
    "(imp (le (re z) 1) " + ONE_OR_TWO + ")",
    "(imp (not (lt (re (add z (cx -1))) 0)) (lt 1 (re z)))",
    f"(imp (oiny {MOMENT}) (eq (oint {CHANGED}) (oint {MOMENT})))",
    f"(imp {NULL.replace('eq (oint', 'le 0 (oint').replace(' 0)) 0)', ' 0)))')} "
    f"(imp (oiny {MOMENT}) (eq (oint {CHANGED}) (oint {MOMENT}))))",
]


@pytest.mark.parametrize("text", TRUE)
def test_true_sentences_are_derived(text):
    assert found(text, MANY)


@pytest.mark.parametrize("text", FALSE)
def test_false_sentences_are_not(text):
    assert not found(text, STEPS)
