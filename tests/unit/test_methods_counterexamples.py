"""Counterexamples by proofs, transforms by moments, change of variable."""

import pytest
import sympy as sp

from lapdp.privacy.mechanisms import exponential, finite, gaussian, randomized_response
from lapdp.theory import *
from lapdp.theory.engine import judge

HOLD = ("proved", "derived")

P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
w, d, m = positives("w d m")
e, t, q = reals("e t q")

RENYI = Le(R(1 + w, P1, Q1), R(1 + w, P2, Q2))
PROFILE = Le(delta(P1, Q1)(e), delta(P2, Q2)(e))
CONVERSE = Implies(RENYI, PROFILE, over=(w,))
BOTH_WAYS = [ac(P1, Q1), ac(Q1, P1), ac(P2, Q2), ac(Q2, P2)]


def kind(form, where=(), patience=1.0, **hints):
    given = claim("x", form, where=where, hints=hints)
    return str(judge(given, numeric=False, patience=patience).kind)


def at(first, second, **values):
    return {"pairs": {"P1": first, "P2": second}, "witness": values}


def test_the_converse_fails_and_says_so_in_both_forms():
    found = at(randomized_response(1), gaussian(1), e=0)
    assert kind(NotAlways(CONVERSE), BOTH_WAYS, **found) in HOLD
    assert kind(CONVERSE, BOTH_WAYS, **found) == "refuted"


@pytest.mark.parametrize("instance", [
    at(randomized_response(5), gaussian(1, 5), e=0),  # the conclusion holds there
    at(gaussian(1), randomized_response(1), e=0),  # the hypothesis fails there
    at(randomized_response(1), gaussian(1), e=3),  # the conclusion holds at this e
    at(exponential(1, 2), gaussian(1), e=0),  # R is +oo
    at(gaussian(1), gaussian(1), e=0),
], ids=str)
def test_an_instance_that_is_none_proves_nothing(instance):
    assert kind(NotAlways(CONVERSE), BOTH_WAYS, **instance) not in HOLD


def test_an_instance_outside_the_hypotheses_proves_nothing():
    leaking = at(randomized_response(1, "1/2"), gaussian(1), e=0)
    both = Implies(Le(delta(P2, Q2)(t), 1), PROFILE, over=(t,))
    assert kind(NotAlways(both), **leaking) in HOLD
    assert kind(NotAlways(both), [ac(P1, Q1)], **leaking) not in HOLD
    assert kind(NotAlways(both), [Gt(e, 1)], **at(randomized_response(1), gaussian(1), e=0)
                ) not in HOLD


def test_a_hint_gives_no_composition_a_law_of_its_own():
    """A joint pair hides no more than its first pair, whatever mechanism a hint names for it."""
    x = outcome("x")
    joint = adaptive_pair((P1, Q1), family("P2", "Q2", x))
    C, k = composition("P", "Q"), naturals("k")
    nothing, loud = finite(["1/2", "1/2"], ["1/2", "1/2"]), randomized_response(1)
    hints = {"pairs": {"P": nothing, "P2^x": nothing, "P1": loud, "P_{1:k}": loud,
                       "P_{1:k + 1}": nothing}, "witness": {"e": 0, "k": 1}}
    more = Ge(delta(*joint)(e), delta(P1, Q1)(e))
    assert kind(NotAlways(more), patience=0.1, **hints) not in HOLD
    hidden = Implies(Le(delta(P1, Q1)(w), 1), more, over=(w,))
    assert kind(hidden, patience=0.1, **hints) != "refuted"
    releases = Ge(delta(*C(k + 1))(e), delta(*C(k))(e))
    assert kind(NotAlways(releases), patience=0.1, **hints) not in HOLD


def test_absolute_continuity_of_products_and_mixtures_at_an_instance():
    joint = product_pair((P1, Q1), (P2, Q2))
    form = NotAlways(Le(delta(P1, Q1)(e), delta(P2, Q2)(e)))
    finite_losses = at(randomized_response(1), randomized_response("1/2"), e=0)
    leaking = at(randomized_response(1, "1/2"), randomized_response("1/2"), e=0)
    assert kind(form, [ac(*joint), ac(*joint[::-1])], patience=0.1, **finite_losses) in HOLD
    assert kind(form, [ac(*joint)], patience=0.1, **leaking) not in HOLD
    assert kind(form, [ac(P1 / 2 + Q1 / 2, Q1)], patience=0.1, **finite_losses) == "undecided"


def test_an_instance_of_a_product():
    P3, Q3 = pair("P3", "Q3")
    sides = [delta(*product_pair(p, (P3, Q3)))(e) for p in ((P1, Q1), (P2, Q2))]
    half = Implies(Le(delta(P1, Q1)(w), delta(P2, Q2)(w)), Le(*sides), over=(w,))
    found = at(finite(["1/2", "1/2", 0], ["1/4", "1/2", "1/4"]),
               finite(["1/2", "1/2"], ["1/4", "3/4"]), e=sp.log(2))
    found["pairs"]["P3"] = randomized_response(sp.log(3))
    assert kind(half, **found) == "refuted"
    # the product conceals the difference
    assert kind(half, **{**found, "witness": {"e": 5}}) != "refuted"
    whole = Implies(Le(delta(P1, Q1)(t), delta(P2, Q2)(t)), Le(*sides), over=(t,))
    assert kind(whole, **found) != "refuted"


def test_true_claims_are_not_said_to_fail():
    found = at(randomized_response(1), gaussian(1), e=0)
    assert kind(NotAlways(Le(delta(P1, Q1)(e), 1)), **found) not in HOLD
    reverse = Implies(Le(delta(P1, Q1)(t), delta(P2, Q2)(t)), Le(E(2, P1, Q1), E(2, P2, Q2)),
                      over=(t,))
    assert kind(NotAlways(reverse), **at(randomized_response(5), gaussian(1, 5))) not in HOLD
    assert kind(NotAlways(Exists(e, Gt(delta(P1, Q1)(e), 0))), **found) not in HOLD


def test_a_conclusion_about_the_bound_variable_is_refused():
    form = Implies(Le(delta(P1, Q1)(t), 1), Le(delta(P1, Q1)(t), 0), over=(t,))
    assert kind(NotAlways(form), **at(randomized_response(1), gaussian(1))) not in HOLD


def test_existence_is_refuted_only_where_every_value_fails():
    never = Exists(e, Gt(delta(P1, Q1)(e), 1))
    sometimes = Exists(e, Gt(delta(P1, Q1)(e), sp.Rational(99, 100)))
    here = at(randomized_response(1), gaussian(1))
    assert kind(never, **here) == "refuted"
    assert kind(sometimes, **here) != "refuted"


G, H = mechanism_pair(gaussian(1, m), "P", "Q")


def transform(s):
    return B(delta(G, H)(t), t)(s)


def test_transforms_of_gaussian_profiles_are_moments():
    value = sp.exp(q * (q - 1) * m**2 / 2) / (q * (q - 1))
    assert kind(Le(transform(1 - q), 2 * value), [Gt(q, 1)]) in HOLD
    assert kind(Gt(transform(1 - q), 2 * value), [Gt(q, 1)]) not in HOLD
    for where in ([], [Ge(q, 1)], [Gt(q, 0), Ne(q, 1)], [Lt(q, 0)]):
        assert kind(Le(transform(1 - q), 2 * value), where) not in HOLD


ROOT = sp.sqrt(sp.log(1 / d))


def test_a_number_below_one_is_an_exponential():
    assert kind(Le(ROOT, 1 / d), [Le(d, 1)]) in HOLD
    assert kind(Le(sp.log(1 / d), 1 / d - 1), [Le(d, 1)]) in HOLD


@pytest.mark.parametrize(("form", "where"), [
    (Lt(sp.log(1 / d), 1 / d - 1), [Le(d, 1)]),  # equal at d = 1
    (Le(ROOT, 1 / d), []),  # no root beyond 1
    (Le(ROOT, 1 / d), [Le(d, 2)]),
    (Le(ROOT, sp.Rational(1, 10) / d), [Le(d, 1)]),
    (Gt(ROOT, 0), [Le(d, 1)]),
    (Le(1 / ROOT, 5 / d), [Le(d, 1)]),
    (Le(delta(G, H)(m * ROOT), d), [Le(d, 1)]),
], ids=str)
def test_false_claims_about_it_are_not_proved(form, where):
    assert kind(form, where) not in HOLD
