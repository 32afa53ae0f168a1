"""Outputs of a channel: what data processing says of them, and what it does not."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp import verify
from lapdp.core.errors import IllFormed, InputError, Unsupported
from lapdp.core.verdict import Kind
from lapdp.kernel import Bank
from lapdp.proving.channels import couples, order
from lapdp.proving.citing import parts
from lapdp.proving.derivation import Derivation
from lapdp.theory import *
from lapdp.theory.channel_instances import CHANNELS, outputs, rows_of
from lapdp.theory.engine import judge
from lapdp.theory.fingerprint import fingerprint
from lapdp.theory.sentences import elaborate
from tests.mutation.replay import replay
from tests.patience import with_nightly

P, Q = pair("P", "Q")
A, B = pair("A", "B")
eps, d, q, a = reals("eps d q a")
K = channel("K")
PK, QK = K(P), K(Q)
LEVEL = [Ge(a, 0), Le(a, 1)]
PROFILE = Le(delta(PK, QK)(eps), delta(P, Q)(eps))

PROVED = {
    "profile": (PROFILE, []),
    "reversed": (Le(delta(QK, PK)(eps), delta(Q, P)(eps)), []),
    "variation": (Le(TV(PK, QK), TV(P, Q)), []),
    "a guarantee": (Le(delta(PK, QK)(eps), d), [Le(delta(P, Q)(eps), d)]),
    "pure": (Eq(delta(PK, QK)(eps), 0), [Eq(delta(P, Q)(eps), 0)]),
    "moments": (Le(E(q, PK, QK), E(q, P, Q)), [Gt(q, 1)]),
    "chi squared": (Le(chi2(PK, QK), chi2(P, Q)), []),
    "tests": (Ge(T(PK, QK)(a), T(P, Q)(a)), LEVEL),
}
DERIVED = {
    "mean loss": (Le(KL(PK, QK), KL(P, Q)), []),
    "affinity": (Ge(BC(PK, QK), BC(P, Q)), []),
    "a guarantee": (Le(delta(PK, QK)(eps), d), [Le(delta(P, Q)(eps), d)]),
    "mean loss, pure": (Le(KL(PK, QK), eps), [Eq(delta(P, Q)(eps), 0)]),
}
FALSE = {
    "turned": (Ge(delta(PK, QK)(eps), delta(P, Q)(eps)), []),
    "equal": (Eq(delta(PK, QK)(eps), delta(P, Q)(eps)), []),
    "the other direction": (Le(delta(PK, QK)(eps), delta(Q, P)(eps)), []),
    "half of it": (Le(delta(PK, QK)(eps), delta(P, Q)(eps) / 2), []),
    "between 0 and 1": (Le(E(q, PK, QK), E(q, P, Q)), [Gt(q, 0), Lt(q, 1)]),
    "mean loss, the other direction": (Le(KL(PK, QK), KL(Q, P)), []),
    "mean loss, turned": (Ge(KL(PK, QK), KL(P, Q)), []),
    "tests, turned": (Le(T(PK, QK)(a), T(P, Q)(a)), LEVEL),
    "another pair": (Le(delta(PK, QK)(eps), delta(A, B)(eps)), []),
    "a guarantee of the other direction": (Le(delta(PK, QK)(eps), d), [Le(delta(Q, P)(eps), d)]),
    "a guarantee of the outputs": (Le(delta(P, Q)(eps), d), [Le(delta(PK, QK)(eps), d)]),
}


@pytest.mark.parametrize("name", with_nightly(PROVED, *list(PROVED)[3:]))
def test_proved(name):
    claimed, where = PROVED[name]
    assert verify(claim("it", claimed, where=where), numeric=False).kind is Kind.PROVED


@pytest.mark.parametrize("name", DERIVED)
def test_derived_for_dominated_pairs(name):
    claimed, where = DERIVED[name]
    found = judge(claim("it", claimed, where=where), numeric=False)
    assert (found.kind, found.method) == (Kind.DERIVED, "data processing")


@pytest.mark.parametrize("name", with_nightly(
    FALSE, "tests, turned", "the other direction", "a guarantee of the other direction"))
def test_refuted(name):
    claimed, where = FALSE[name]
    found = judge(claim("it", claimed, where=where), numeric=False)
    assert found.kind is Kind.REFUTED
    assert "K = [[" in found.witness.text
    assert replay(claim("it", claimed, where=where), found.witness) == "confirmed"


def test_the_order_needs_both_outputs():
    """From what one output is nothing follows, nor for outputs of two channels."""
    other = channel("L")
    for claimed, count in ((PROFILE, 2), (Le(PK(Event("S")), 1), 0), (
            Le(PK(Event("S")) + other(Q)(Event("S")), 2), 0)):
        b = Bank()
        goal = elaborate(claim("it", claimed), b).goal
        found = couples(b, parts(b, goal)[0])
        assert len(found) == count
    b = Bank()
    (one, two), _ = couples(b, parts(b, elaborate(claim("it", PROFILE), b).goal)[0])
    derivation = Derivation(b, 3_000)
    made = derivation.theorem(order(derivation, one, two))
    assert made.hyps == {one.formula, two.formula}


def test_two_channels_of_one_name_are_two():
    def said(one, two):
        return fingerprint([Le(TV(one(P), one(Q)), TV(two(A), two(B)))])
    assert said(channel("K"), channel("K")) != said(K, K) == said(*[channel("K")] * 2)
    with pytest.raises(IllFormed):
        delta(K(P), channel("K")(Q))
    with pytest.raises(InputError):
        channel("two words")
    with pytest.raises(InputError):
        K(sp.Symbol("x"))


@pytest.mark.parametrize("number", range(len(CHANNELS)))
def test_outputs_are_laws(number):
    for sides in (((1,), (1,)), ((1, 0, 0), ("1/2", "1/4", "1/4"))):
        for law in outputs(sides, rows_of(number, len(sides[0]))):
            assert sum(law) == 1 and min(law) >= 0


def test_a_bound_pair_is_not_supposed_to_be_ordered():
    """That a pair with other total variations of inputs and outputs exists depends on the channel:
    the identity keeps them."""
    from lapdp.theory.methods.channels import by_data_processing

    u = reals("u")
    claimed = claim("bound", ExistsPair(P, Q, Ne(TV(P, Q), TV(PK, QK)), (u,)))
    with pytest.raises(Unsupported, match="bound"):
        by_data_processing(claimed, lambda lemma: pytest.fail("a lemma is asked for"))
    assert verify(claimed).kind not in (Kind.PROVED, Kind.DERIVED)


@pytest.mark.parametrize("form", [
    SameMeasure(PK, P), SameMeasure(PK - QK, P - Q), Le(P(Where(Gt(PK, QK))), 1),
    Le(PK(Where(Gt(P, Q))), 1)], ids=str)
def test_inputs_and_outputs_lie_on_two_spaces(form):
    judged = judge(claim("t", form), numeric=False)
    assert judged.kind is Kind.ILL_FORMED
    assert "different spaces" in judged.reason


@pytest.mark.parametrize("form", [SameMeasure(PK, PK), Le(PK(Where(Gt(PK, QK))), 1)], ids=str)
def test_outputs_lie_on_one_space(form):
    assert judge(claim("t", form), numeric=False).kind is not Kind.ILL_FORMED
