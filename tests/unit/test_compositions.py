"""Adaptive pairs, induction on whole numbers, binomial means: what must and must not be proved."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp import randomized_response
from lapdp.core.errors import InputError
from lapdp.core.verdict import HOLDS, Kind
from lapdp.theory import *
from lapdp.theory.engine import judge
from tests.mutation.oracle_check import oracle_report
from tests.mutation.replay import replay
from tests.patience import with_nightly

P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
x = outcome("x")
A, B = family("A", "B", x)
P, Q = adaptive_pair((P1, Q1), (A, B))
PP, QQ = product_pair((P1, Q1), (P2, Q2), names=("PP", "QQ"))
eps, e, t, Y = reals("eps e t Y")
P3, Q3 = pair("P3", "Q3")
U, V = product_pair((P1, Q1), (P3, Q3), names=("U", "V"))
W, X = product_pair((P3, Q3), (P2, Q2), names=("W", "X"))
ordered = ForAll(e, Le(delta(P1, Q1)(e), delta(P2, Q2)(e)))
joint, both = delta(P, Q)(eps), delta(PP, QQ)(eps)
below = ForAll((e, x), Le(delta(A, B)(e), delta(P2, Q2)(e)))


i, k = naturals("i", start=1), naturals("k")
ADAPTIVE, SINGLE = composition("A", "B"), composition("S", "T", independent=True)
COPIES = composition("P", "Q", each=(P1, Q1))
Ai, Bi = ADAPTIVE.release(i, x)
Si, Ti = SINGLE.release(i)
dominated = ForAll((i, x, e), Le(delta(Ai, Bi)(e), delta(Si, Ti)(e)))
composed, apart = delta(*ADAPTIVE(k))(eps), delta(*SINGLE(k))(eps)
EXCHANGED = {
    "every release by a pair of its own": (Le(composed, apart), [dominated]),
    "reversed": (Le(delta(*reversed(ADAPTIVE(k)))(eps), delta(*reversed(SINGLE(k)))(eps)),
                 [dominated]),
    "every release by one pair": (Le(composed, delta(*COPIES(k))(eps)), [
        ForAll((i, x, e), Le(delta(Ai, Bi)(e), delta(P1, Q1)(e)))]),
    "independent releases": (Le(apart, delta(*COPIES(k))(eps)), [
        ForAll((i, e), Le(delta(Si, Ti)(e), delta(P1, Q1)(e)))]),
}
NOT_EXCHANGED = {
    "no hypothesis": (Le(composed, apart), []),
    "the other order": (Ge(composed, apart), [dominated]),
    "one release less": (Le(delta(*SINGLE(k + 1))(eps), apart), []),
}


@pytest.mark.parametrize("name", EXCHANGED)
def test_releases_are_exchanged_one_by_one(name):
    assert verdict(*EXCHANGED[name]).kind in HOLDS


@pytest.mark.parametrize("name", NOT_EXCHANGED)
def test_no_release_is_exchanged_without_its_bound(name):
    assert verdict(*NOT_EXCHANGED[name]).kind not in HOLDS


def test_a_composition_is_of_one_kind():
    with pytest.raises(InputError, match="independent"):
        composition("P", "Q", each=(P1, Q1), independent=True)


def verdict(form, where=(), patience=4.0):
    return judge(claim("x", form, where=where), numeric=False, patience=patience)


FIBRES = {
    "lemma": (Le(joint, both), [below]),
    "of the first pair": (Ge(joint, delta(P1, Q1)(eps)), []),
    "of the reversed first pair": (Ge(delta(Q, P)(eps), delta(Q1, P1)(eps)), []),
    "by the reversed fibres": (Le(joint, both),
                               [ForAll((e, x), Le(delta(B, A)(e), delta(Q2, P2)(e)))]),
    "equal fibres": (Eq(joint, both), [ForAll((e, x), Eq(delta(A, B)(e), delta(P2, Q2)(e)))]),
    "a hypothesis in the letter of the claim": (
        Le(joint, both), [ForAll((eps, x), Le(delta(A, B)(eps), delta(P2, Q2)(eps)))]),
    "no leak": (Le(delta(P, Q)(eps), 1), []),
    "a common factor": (Le(delta(U, V)(eps), delta(W, X)(eps)), [ordered]),
    "a common factor, reversed": (Le(delta(V, U)(eps), delta(X, W)(eps)), [ordered]),
    "a common factor, equal": (Eq(delta(U, V)(eps), delta(W, X)(eps)),
                               [ForAll(e, Eq(delta(Q1, P1)(e), delta(Q2, P2)(e)))]),
}
NOT_FIBRES = {
    "no hypothesis": (Le(joint, both), []),
    "the other direction": (Ge(joint, both), [below]),
    "strict": (Lt(joint, both), [below]),
    "one point": (Le(joint, both), [ForAll(x, Le(delta(A, B)(0), delta(P2, Q2)(0)))]),
    "the point of the claim": (Le(joint, both), [ForAll(x, Le(delta(A, B)(eps),
                                                              delta(P2, Q2)(eps)))]),
    "half the line": (Le(joint, both), [ForAll((e, x), below.claim, (Ge(e, 0),))]),
    "reversed product": (Le(joint, delta(QQ, PP)(eps)), [below]),
    "fibres reversed on one side": (
        Le(joint, both), [ForAll((e, x), Le(delta(B, A)(e), delta(P2, Q2)(e)))]),
    "the second pair alone": (Le(joint, delta(P2, Q2)(eps)), [below]),
    "first pair bounded from above": (Le(joint, delta(P1, Q1)(eps)), []),
    "equal to the product": (Eq(joint, both), [below]),
    "a common factor, no hypothesis": (Le(delta(U, V)(eps), delta(W, X)(eps)), []),
    "a common factor, the other order": (Ge(delta(U, V)(eps), delta(W, X)(eps)), [ordered]),
    "a common factor, half the line": (
        Le(delta(U, V)(eps), delta(W, X)(eps)),
        [ForAll(e, ordered.claim, (Ge(e, 0),)), Ge(eps, 0)]),
    "a common factor, one side reversed": (Le(delta(U, V)(eps), delta(X, W)(eps)), [ordered]),
    "a square": (Le(joint**2, both), [below]),
}


@pytest.mark.parametrize("name", FIBRES)
def test_proved_by_fibres(name):
    found = verdict(*FIBRES[name])
    assert found.kind in HOLDS, found.reason


@pytest.mark.parametrize("name", NOT_FIBRES)
def test_false_claims_about_fibres(name):
    form, where = NOT_FIBRES[name]
    found = verdict(form, where, patience=1.5)
    assert found.kind not in HOLDS
    if found.kind is Kind.REFUTED:
        assert replay(claim("x", form, where=where), found.witness) not in ("denied", "outside")


def test_one_family_after_two_first_pairs():
    """The first pairs have the same outcomes, which finite ones of several sizes have not."""
    other = adaptive_pair((P3, Q3), (A, B), names=("S", "T"))
    assert verdict(Le(joint, delta(*other)(eps)), patience=0.3).kind not in HOLDS
    above = ForAll(e, Le(delta(P1, Q1)(e), delta(P3, Q3)(e)))
    assert verdict(Le(joint, delta(*other)(eps)), [above], patience=0.3).kind not in HOLDS


def test_two_pairs_of_one_name_are_refused():
    """A witness would give both of them masses under one name."""
    other = adaptive_pair((P1, Q1), (A, B))
    with pytest.raises(InputError, match="two different pairs are named P, Q"):
        claim("x", Le(joint, delta(*other)(eps)))
    with pytest.raises(InputError, match="named P1, Q1"):
        claim("x", Le(delta(P1, Q1)(eps), delta(*pair("P1", "Q1"))(eps)))


def test_the_oracle_knows_joint_pairs():
    true = claim("x", *FIBRES["lemma"][:1], where=[below])
    assert oracle_report(true, 40).verdict == "holds"
    for name in ("no hypothesis", "the other direction", "reversed product", "one point"):
        form, where = NOT_FIBRES[name]
        assert oracle_report(claim("x", form, where=where), 200).verdict == "fails", name


# induction -------------------------------------------------------------------------------------

ep, de = sequences("eps delta_")
k, m = naturals("k m")
i = naturals("i", start=1)
c, d = reals("c d")
RANGES = [ForAll(i, Ge(ep[i], 0)), ForAll(i, Ge(de[i], 0)), ForAll(i, Le(de[i], 1))]
bound = recursion(
    "delta", lambda t: sp.Max(0, 1 - sp.exp(t)),
    lambda l, t, g: de[l] + (1 - de[l]) / (sp.exp(ep[l]) + 1) * (
        sp.exp(ep[l]) * g(t - ep[l]) + g(t + ep[l])))
RR = composition("R", "S", mechanism=lambda l: randomized_response(ep[l], de[l]))
C = composition("P", "Q")
first, second = C.release(i, x)
rr, ss = RR.release(i)
DOMINATED = ForAll((i, x, t), Le(delta(first, second)(t), delta(rr, ss)(t)))
POINTS = [ForAll((i, x), Le(delta(first, second)(ep[i]), de[i])),
          ForAll((i, x), Le(delta(second, first)(ep[i]), de[i]))]
same = recursion("h", lambda t: sp.Max(0, 1 - sp.exp(t)),
                 lambda l, t, g: d + (1 - d) * (c * g(t - 1) + (1 - c) * g(t + 1)))
UNIT = [Ge(d, 0), Le(d, 1), Ge(c, 0), Le(c, 1)]


def mean(shift, n=k, p=c, count=k):
    return BinomialMean(sp.Max(0, 1 - sp.exp(t - (2 * Y - count) + shift)), Y, n, p)


INDUCTION = {
    "tight": (Eq(delta(*RR(k))(t), bound(k, t)), RANGES),
    "adaptive": (Le(delta(*C(k))(t), bound(k, t)), [*RANGES, *POINTS]),
    "adaptive, reversed": (Le(delta(*reversed(C(k)))(t), bound(k, t)), [*RANGES, *POINTS]),
    "continuous": (Continuous(bound(k, t), t), RANGES),
    "closed form": (Eq(same(k, t), 1 - (1 - d)**k * (1 - mean(0))), UNIT),
    "geometric sum": (Eq(d * FiniteSum((1 - d)**(i - 1), i, 1, k), 1 - (1 - d)**k), []),
    "sum of whole numbers": (Eq(FiniteSum(i, i, 1, k), k * (k + 1) / 2), []),
    "unfolded": (Eq(same(i, t), d + (1 - d) * (c * same(i - 1, t - 1)
                                               + (1 - c) * same(i - 1, t + 1))), UNIT),
    "mean of one": (Eq(BinomialMean(1, Y, k, c), 1), UNIT),
    "order of means": (Le(mean(0), 1), UNIT),
}
NOT_INDUCTION = {
    "tight, shifted": (Eq(delta(*RR(k))(t), bound(k, t + 1)), RANGES),
    "tight, one release more": (Eq(delta(*RR(k))(t), bound(k + 1, t)), RANGES),
    "tight without ranges": (Le(bound(k, t), 1), []),
    "adaptive without dominance": (Le(delta(*C(k))(t), bound(k, t)), RANGES),
    "adaptive from below": (Ge(delta(*C(k))(t), bound(k, t)), [*RANGES, *POINTS]),
    "adaptive, strict": (Lt(delta(*C(k))(t), bound(k, t)), [*RANGES, *POINTS]),
    "adaptive, one sided": (
        Le(delta(*C(k))(t), bound(k, t)),
        [*RANGES, ForAll((i, x), Le(delta(first, second)(ep[i]), de[i]))]),
    "closed form, mixed numbers": (Eq(same(m, t), 1 - (1 - d)**m * (1 - mean(0))), UNIT),
    "closed form, wrong odds": (Eq(same(k, t), 1 - (1 - d)**k * (1 - mean(0, p=1 - c))), UNIT),
    "true at 0 only": (Eq(FiniteSum(i, i, 1, k), k), []),
    "step true, base false": (Eq(FiniteSum(i, i, 1, k), k * (k + 1) / 2 + 1), []),
    "0^(k - 1)": (Eq(d**(k - 1) * d, d**k), []),
    "a parameter of the recursion is not generalised": (Eq(same(k, t), bound(k, t)), RANGES),
    "binomial law beyond [0, 1]": (Le(mean(0), 1), []),
}


@pytest.mark.parametrize("name", with_nightly(INDUCTION, "adaptive", "adaptive, reversed"))
def test_proved_for_every_whole_number(name):
    found = verdict(*INDUCTION[name])
    assert found.kind in HOLDS, found.reason


def test_a_quantifier_does_not_reach_into_mechanisms():
    """The numbers of the release are in the mechanism: what is put in for i would not get there."""
    found = verdict(Le(delta(*C(k))(t), bound(k, t)), [*RANGES, DOMINATED])
    assert found.kind is Kind.UNDECIDED and "i is bound" in found.reason


@pytest.mark.parametrize("name", with_nightly(
    NOT_INDUCTION, "adaptive from below", "adaptive, one sided", "adaptive without dominance"))
def test_false_claims_about_whole_numbers(name):
    form, where = NOT_INDUCTION[name]
    found = verdict(form, where, patience=1.5)
    assert found.kind not in HOLDS
    if found.kind is Kind.REFUTED:
        assert replay(claim("x", form, where=where), found.witness) not in ("denied", "outside")


def test_a_letter_hides_no_parameter():
    """The recursion depends on s, so the supposition may not speak of other values of s."""
    s = reals("s")
    rule = recursion("d", lambda t: s, lambda l, t, g: g(t))
    assert verdict(Eq(rule(k, t), s)).kind in HOLDS
    wrong = recursion("d", lambda t: s**2, lambda l, t, g: g(t))
    for form in (Le(wrong(k, t), s), Ge(wrong(k, t), s), Eq(wrong(k, t), s)):
        assert verdict(form, patience=1.0).kind not in HOLDS


def test_values_that_do_not_exist():
    s = reals("s")
    rule = recursion("d", lambda t: 1 / s, lambda l, t, g: g(t))
    assert verdict(Eq(rule(i, t), rule(i - 1, t)), patience=1.0).kind not in HOLDS
    assert verdict(Eq(rule(i, t), rule(i - 1, t)), [Gt(s, 0)]).kind in HOLDS


def test_a_chain_drops_hypotheses_that_its_links_do_not_need():
    w = reals("w")
    level = sp.log(1 + w * (sp.exp(eps) - 1))
    first, second = (delta(w * p + (1 - w) * q, q)(level) for p, q in ((P1, Q1), (P2, Q2)))
    between = (w * delta(P1, Q1)(eps), w * delta(P2, Q2)(eps))

    def kind(form, *where):
        return judge(claim("x", form, where=where, hints={"between": between}), numeric=False,
                     patience=1).kind

    assert kind(Le(first, second), Gt(w, 0), Le(w, 1), ordered) in HOLDS
    assert kind(Le(first, second), Gt(w, 0), Le(w, 1)) not in HOLDS
