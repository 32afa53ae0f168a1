"""What methods may not take for granted: a conclusion that is no functional of the loss, two events
of one name, values of which one is infinite and vanishes with what is put in."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.errors import InputError
from lapdp.core.verdict import HOLDS, Kind
from lapdp.privacy.finite import finite
from lapdp.theory import *
from lapdp.theory.engine import judge

P, Q = pair("P", "Q")
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
HALF = sp.Rational(1, 2)
M, N = mechanism_pair(finite([HALF, HALF], [1, 0]), "M", "N")  # E_2 and KL are infinite
S = Event("S")
phi = decisions("phi")
e, p, q, t, x, y = reals("e p q t x y")


def judged(claim_, *where, patience=0.5):
    # what is refuted is so by one of the first instances
    return judge(claim("test", claim_, where=list(where)), numeric=False, patience=patience)


@pytest.mark.parametrize("notion", [
    lambda P, Q: mean(P, phi),
    LossAt,
    lambda P, Q: Ratio(P, Q) + 1,
    lambda P, Q: mean(Q, phi) + delta(P, Q)(0),
])
def test_equal_profiles_say_nothing_of_a_test_or_an_outcome(notion):
    equal = Eq(delta(P1, Q1)(t), delta(P2, Q2)(t))
    found = judged(Implies(equal, Eq(notion(P1, Q1), notion(P2, Q2)), over=(t,)))
    assert found.kind not in HOLDS


def test_equal_profiles_give_equal_integrals():
    equal = Eq(delta(P1, Q1)(t), delta(P2, Q2)(t))
    one, two = (Omega(sp.sqrt(a * b)) for a, b in ((P1, Q1), (P2, Q2)))
    assert judged(Implies(equal, Eq(one, two), over=(t,))).kind in HOLDS


@pytest.mark.parametrize("nested", [False, True])
def test_two_events_of_one_name_are_two(nested):
    small = ExistsEvents((S,), (Le(P(S), 0),))
    large = ExistsEvents((S,), (Ge(P(S) - Q(S), e),))
    given = AllOf((AllOf((small,)), AllOf((large,)))) if nested else AllOf((small, large))
    assert judged(Implies(given, Le(e, 0))).kind not in HOLDS


@pytest.mark.parametrize("conclusion", [Ne(y, 0), Lt(y, 0)])
def test_a_hypothesis_without_a_value_is_not_met_where_it_cancels(conclusion):
    """y E_2 is 0 oo at y = 0, and oo at y > 0: the hypothesis holds for y < 0 only."""
    given = Le(y * E(2, M, N), 0)
    assert judged(Implies(given, conclusion)).kind is not Kind.REFUTED
    assert judged(NotAlways(conclusion), given).kind not in HOLDS


@pytest.mark.parametrize(("relation", "where"), [
    (Le(KL(p * P + (1 - p) * Q, Q), p * KL(P, Q)), [Ge(p, 0), Le(p, 1)]),
    (Eq(y * R(q, *product_pair((P1, Q1), (P2, Q2))), y * R(q, P1, Q1) + y * R(q, P2, Q2)),
     [Gt(q, 1)]),
    (Eq(x * E(2, P, Q) - y * E(2, P, Q), (x - y) * E(2, P, Q)), []),
    (Eq(E(2, P, Q)**x * E(2, P, Q)**y, E(2, P, Q)**(x + y)), []),
    (Defined(y * KL(P, Q)), [Eq(y, 0)]),
    (Eq(sp.exp(y * KL(P, Q)), sp.exp(KL(P, Q))**y), [Ge(y, 0)]),
])
def test_zero_times_infinity_refutes(relation, where):
    found = judged(relation, *where)
    assert found.kind is Kind.REFUTED
    assert found.method == "witness"


@pytest.mark.parametrize(("relation", "where"), [
    # what is left out of a case has no value to lose, and what divides may be infinite
    (Eq(sp.Piecewise((E(2, P, Q), Gt(y, 0)), (0, True)), 0), [Le(y, 0)]),
    (Eq(y / E(2, P, Q), 0), [Eq(y, 0)]),
    (Eq(y * delta(P, Q)(0), 0), [Eq(y, 0)]),
    (Le(KL(p * P + (1 - p) * Q, Q), p * KL(P, Q)), [Gt(p, 0), Le(p, 1)]),
])
def test_what_has_a_value_is_not_refuted(relation, where):
    assert judged(relation, *where).kind is not Kind.REFUTED


l, n = naturals("l n", start=1)
terms = sequences("a")


@pytest.mark.parametrize("given", [Ge(terms[5], 1), Ge(terms[n + 1], 1)])
def test_what_holds_of_all_elements_holds_of_those_that_only_a_hypothesis_names(given):
    """1 <= a_5 <= x, and a_n <= x: the claim is true, whatever a_1, ..., a_3 are."""
    every = ForAll((l,), Le(terms[l], x))
    assert judged(Le(terms[n] + 1, 2 * x), every, given).kind is not Kind.REFUTED
    # about three hundred instances are looked at before the one that refutes
    assert judged(Le(terms[n] + 2, 2 * x), every, given, patience=10).kind is Kind.REFUTED


copies = composition("C", "D", each=(P1, Q1))
k = naturals("k")


@pytest.mark.parametrize(("relation", "where"), [
    # y x E_2 is 0 oo at y = 0, for every x
    (Lt(y, 0), [ForAll((x,), Le(y * x * E(2, M, N), 1), (Gt(x, 0),))]),
    (Implies(Le(y * sp.exp(x) * E(2, M, N), 1), Lt(y, 0), over=(x,)), []),
    # no copy at all: k KL is 0 oo
    (Ge(delta(*copies(k))(0) + k, 1), [Eq(Pr(PLD(P1, Q1), "==", sp.oo), 1),
                                       Ge(k * KL(P1, Q1), -1)]),
])
def test_a_hypothesis_for_all_values_is_not_met_where_it_has_none(relation, where):
    assert judged(relation, *where).kind is not Kind.REFUTED


def test_a_hypothesis_for_all_values_is_met_where_it_has_some():
    given = Le(y * sp.exp(x) * E(2, P, Q), 1)
    assert judged(Implies(given, Lt(y, 0), over=(x,))).kind is Kind.REFUTED


@pytest.mark.parametrize("relation", [Le(x, y), Gt(x, 0), Gt(y, 0)])
def test_an_order_of_logarithms_of_negative_numbers_is_not_met(relation):
    """The difference of log(-1) and log(-2) is real; they are not."""
    given = Le(sp.log(x), sp.log(y))
    assert judged(Implies(given, relation)).kind is not Kind.REFUTED
    assert judged(relation, given).kind is not Kind.REFUTED


def test_an_order_of_logarithms_of_positive_numbers_is_met():
    assert judged(Implies(Le(sp.log(x), sp.log(y)), Le(x, 1))).kind is Kind.REFUTED


def test_a_limit_over_whole_numbers_is_refused_by_name():
    with pytest.raises(InputError, match="limits of sequences are not read"):
        claim("test", Eq(Lim(1 / (k + 1), k, sp.oo), 0))
