"""Sentences by way of others: fewer hypotheses, and borders by themselves."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.checked import accept
from lapdp.kernel import Bank
from lapdp.proving.variations import ways
from lapdp.theory import *
from tests.unit.proving.searching import assert_not_derived, of_form

P, Q = pair("P", "Q")
Z = PLD(P, Q)
d, q, r, rho, xi, x = reals("d q r rho xi x")
ZCDP = ForAll((q,), Le(R(q, P, Q), xi + rho * q), [Gt(q, 1)])
BOUND = xi + rho + 2 * sp.sqrt(rho * sp.log(1 / d))
TRUE = {
    "a hypothesis that leads astray": (Ge(Ex(Z, Z), 0), [Le(R(q, P, Q), r), Gt(q, 1)]),
    "borders of zCDP": (Le(delta(P, Q)(BOUND), d), [ZCDP, Ge(rho, 0), Gt(d, 0), Le(d, 1)]),
    "no slope": (Le(delta(P, Q)(xi), d), [
        ForAll((q,), Le(R(q, P, Q), xi), [Gt(q, 1)]), Gt(d, 0), Lt(d, 1)]),
}
FALSE = {
    "a claim that needs what is left out": (Le(Ex(Z, Z), r), [Le(R(q, P, Q), r), Gt(q, 0),
                                                              Lt(q, 1)]),
    "a constant": (Ge(Ex(Z, Z), r), [Le(R(q, P, Q), r), Gt(q, 1)]),
    "without the 2": (Le(delta(P, Q)(xi + rho + sp.sqrt(rho * sp.log(1 / d))), d),
                      [ZCDP, Ge(rho, 0), Gt(d, 0), Le(d, 1)]),
    "a rho below 0": (Le(delta(P, Q)(xi), d / 2), [
        ForAll((q,), Le(R(q, P, Q), xi), [Gt(q, 1), Lt(q, 2)]), Gt(d, 0), Lt(d, 1)]),
    "false at the border alone": (Lt(0, x), [Ge(x, 0)]),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_sentences_are_derived(name):
    form, where = TRUE[name]
    lines, why, digest = of_form(form, where, 9_000)
    assert lines is not None, why
    # of the whole sentence, with all its hypotheses
    assert accept(lines, digest)


@pytest.mark.parametrize("name", FALSE)
def test_false_sentences_are_not(name):
    form, where = FALSE[name]
    assert_not_derived(of_form(form, where, 500))


def test_a_sentence_without_such_hypotheses_has_no_ways():
    b = Bank()
    y, zero = b.letter("y", "R"), b.number(0)
    above = b.make("lt", zero, y)
    bare = b.make("imp", above, b.make("lt", zero, b.make("inv", y)))
    assert not ways(b, above) and not ways(b, bare)
    below = b.make("imp", b.make("le", zero, y), above)
    assert [count for count, _ in ways(b, below).after] == [2]
