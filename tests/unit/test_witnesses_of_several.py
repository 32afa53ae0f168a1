"""Several distributions on one space: profiles of any two of them, instances, counterexamples."""

from __future__ import annotations

from fractions import Fraction as Fr

import pytest
import sympy as sp

from lapdp import verify
from lapdp.core.errors import IllFormed
from lapdp.core.verdict import Kind
from lapdp.theory import (
    Event,
    ForAll,
    Ge,
    Gt,
    Le,
    R,
    claim,
    delta,
    distributions,
    pair,
    reals,
)
from lapdp.theory.consistency import require_instance
from lapdp.theory.engine import judge
from lapdp.theory.instances import candidates
from lapdp.theory.least_values import bounded_letters
from lapdp.theory.several import Rows
from lapdp.theory.substitution import put_in
from lapdp.theory.witness import search

A, B, C = distributions("A B C")
S, U = Event("S"), Event("U")
P, Q = pair()
e1, e2, d1, d2, w, q = reals("e1 e2 d1 d2 w q")
GROUP = [ForAll((S,), Le(A(S), sp.exp(e1)*B(S) + d1)), ForAll((S,), Le(B(S), sp.exp(e2)*C(S) + d2))]
TRUE = claim("group", Le(A(U), sp.exp(e1 + e2)*C(U) + d1 + sp.exp(e1)*d2), where=GROUP)
FALSE = claim("group", Le(A(U), sp.exp(e1 + e2)*C(U) + d1 + d2),
              where=[*GROUP, Ge(e1, 0), Ge(e2, 0)])


def read(text):
    """The masses that a witness shows, and the numbers of its letters."""
    rows, letters = {}, {}
    for part in text.split("; "):
        name, said = part.split(" = ")
        if said.startswith("("):
            rows[name] = [Fr(x) for x in said.strip("()").split(", ")]
        elif not said.startswith("{"):
            letters[name] = sp.sympify(said)
    return rows, letters


def test_group_privacy_has_instances_and_its_false_neighbour_a_witness():
    witness, _ = search(FALSE, [])
    rows, at = read(witness.text)
    events = [[k for k in range(len(rows["A"])) if n >> k & 1] for n in range(2**len(rows["A"]))]
    mass = {name: [sum(row[k] for k in event) for event in events] for name, row in rows.items()}
    # by hand: both hypotheses at every event, the claim at one of them not
    assert all(a <= sp.exp(at["e1"])*b + at["d1"] and b <= sp.exp(at["e2"])*c + at["d2"]
               for a, b, c in zip(*mass.values(), strict=True))
    assert any(a > sp.exp(at["e1"] + at["e2"])*c + at["d1"] + at["d2"]
               for a, c in zip(mass["A"], mass["C"], strict=True))
    assert all(sum(row) == 1 for row in rows.values())
    assert search(TRUE, [], 3)[0] is None and require_instance(TRUE, None) == ""


def test_the_false_group_privacy_is_refuted_by_default():
    found = judge(FALSE, numeric=False, seconds=60)
    assert found.kind is Kind.REFUTED
    assert found.witness.values == {"d1": "0", "d2": "1/2", "e1": "log(2)", "e2": "0"}


def test_a_proof_says_how_it_is_proved_whatever_is_remarked():
    found = verify(TRUE, numeric=False)
    assert repr(found) == "Judged(group: proved, the kernel accepted a derivation)"
    from dataclasses import replace

    assert repr(replace(found, reason="no instance of the hypotheses was found")).endswith(
        "the kernel accepted a derivation; no instance of the hypotheses was found)")


def test_the_triangle_of_profiles_in_the_natural_words():
    weighted = delta(A, B)(e1) + sp.exp(e1)*delta(B, C)(e2)
    found = verify(claim("triangle", Le(delta(A, C)(e1 + e2), weighted)), numeric=False)
    assert found.kind is Kind.PROVED
    plain = claim("plain", Le(delta(A, C)(e1 + e2), delta(A, B)(e1) + delta(B, C)(e2)),
                  where=[Ge(e1, 0), Ge(e2, 0)])
    assert verify(plain, numeric=False).kind is Kind.REFUTED


def test_a_profile_of_several_is_the_supremum_over_events():
    """Against max(0, a - e^x b) summed over outcomes."""
    from lapdp.theory.witness import Trial

    statement = claim("x", Le(delta(A, C)(sp.log(2)), 1))
    for instance, _ in zip(candidates(statement, []), range(30), strict=False):
        rows, _ = read(instance.text())
        by_hand = sum(max(Fr(0), a - 2*c) for a, c in zip(rows["A"], rows["C"], strict=True))
        value = Trial(instance).value(delta(A, C)(sp.log(2))).to_sympy()
        assert value == sp.Rational(by_hand.numerator, by_hand.denominator)
        mixed = sum(max(Fr(0), (a + b)/2 - c) for a, b, c in zip(*rows.values(), strict=True))
        found = Trial(instance).value(delta(A/2 + B/2, C)(0)).to_sympy()
        assert found == sp.Rational(mixed.numerator, mixed.denominator)


def test_equal_and_degenerate_distributions_come_first():
    seen = [next(iter(i.pairs.values())) for i, _ in zip(candidates(
        claim("x", Le(delta(A, B)(0), 0)), []), range(60), strict=False)]
    assert all(isinstance(m, Rows) for _, m in seen)
    assert seen[0][0] == "A = (1, 0); B = (1, 0); C = (1, 0)"
    assert "A = (1, 0); B = (1/2, 1/2); C = (0, 1)" in {text for text, _ in seen}


@pytest.mark.parametrize(("make", "words"), [
    (lambda: delta(P, pair()[1]), "two pairs with the same names; make the pair once"),
    (lambda: delta(P, P), "P stands twice"), (lambda: delta(P, A), "P is of pair P, Q"),
    (lambda: delta(A, C)(sp.oo), "of several distributions")])
def test_messages_name_the_way_out(make, words):
    with pytest.raises(IllFormed) as problem:
        make()
    assert words in str(problem.value)


def test_only_bounds_alone_are_computed():
    """A letter that a hypothesis bounds together with another is drawn as before."""
    where = [ForAll((S,), Le(A(S), sp.exp(e1)*B(S) + d1)), Le(w, d1*d2), Ge(d2, d1)]
    assert set(bounded_letters(where, [d1, d2, e1, w])) == {d1}


def test_values_are_put_in_where_nothing_binds_them():
    """The quick way and SymPy's own: the same expressions, bound letters left alone."""
    from lapdp.theory import L, Sup

    x, t = reals("x t")
    for e in (sp.exp(x)*t + x**2, L(sp.exp(-x*t), t, x + 2), Sup(x*A(S) - B(S), S),
              L(sp.exp(-t), t, t), sp.Max(0, x), sp.Derivative(sp.exp(x*t), t)):
        for values in ({x: sp.Integer(2)}, {t: sp.Rational(1, 3)}, {x: t}, {x: t, t: x},
                       {x: sp.log(2), t: sp.Integer(0)}):
            assert put_in(e, values) == e.subs(values, simultaneous=True)


CONVERTED = [R(q, P, Q) <= d1, Gt(q, 1), Gt(d2, 0), sp.Lt(d2, 1)]


def test_a_bound_is_tried_at_the_divergence_itself():
    """log(1/d)/q for log(1/d)/(q - 1) in the conversion of a Renyi bound."""
    false = claim("x", Le(delta(P, Q)(d1 + sp.log(1/d2)/q), d2), where=CONVERTED)
    witness, looked = search(false, [], limit=300, seconds=60)
    assert looked < 300 and "log(" in witness.values["d1"]
    true = claim("x", Le(delta(P, Q)(d1 + sp.log(1/d2)/(q - 1)), d2), where=CONVERTED)
    assert search(true, [], limit=20) == (None, 20)
