"""Equal invariants, equal pairs: what determines a pair, what does not, and why."""

from __future__ import annotations

from fractions import Fraction as Fr

import pytest
import sympy as sp

from lapdp.core.errors import Unsupported
from lapdp.core.verdict import HOLDS
from lapdp.privacy.mechanisms import laplace
from lapdp.theory import *
from lapdp.theory.engine import judge
from lapdp.theory.methods.determination import by_determination
from tests.oracle import finite as oracle

P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
P3, Q3 = pair("P3", "Q3")
MP, MQ = mechanism_pair(laplace(1))
Z1, Z2 = PLD(P1, Q1), PLD(P2, Q2)
S = Event("S")
eps, t, w, x, y = reals("eps t w x y")
c = complexes("c")
rise, above = positives("rise above")
count = sp.Symbol("count", integer=True, positive=True)
half = sp.Rational(1, 2)
oo = sp.oo


def both(notion):
    """One notion at two pairs, equal."""
    return Eq(notion(P1, Q1), notion(P2, Q2))


PROFILES = both(lambda P, Q: delta(P, Q)(eps))
PROFILE_AT = both(lambda P, Q: delta(P, Q)(x))
LINE = both(lambda P, Q: E(half + sp.I * w, P, Q))
CURVES = both(lambda P, Q: R(1 + rise, P, Q))
SOMEWHERE = Exists(c, Converges(B(delta(P1, Q1)(t), t, 1 - c)))


def statement(hypothesis, conclusion, over, where=()):
    return Statement(id="test/claim", claim=Implies(hypothesis, conclusion, over=tuple(over)),
                     where=tuple(where))


@pytest.mark.parametrize(("hypothesis", "conclusion", "over", "where"), [
    (PROFILES, both(lambda P, Q: F(PLD(P, Q))(x)), [eps], []),
    (PROFILES, both(lambda P, Q: Pr(PLD(P, Q), "==", oo)), [eps], []),
    (PROFILES, both(lambda P, Q: delta(Q, P)(x)), [eps], []),
    (both(lambda P, Q: delta(Q, P)(eps)), PROFILE_AT, [eps], []),
    (PROFILES, both(lambda P, Q: R(c, P, Q)), [eps], [Defined(R(c, P1, Q1))]),
    (PROFILES, both(lambda P, Q: E(c, P, Q)), [eps], [Defined(E(c, P1, Q1))]),
    (LINE, PROFILE_AT, [w], []),
    (both(lambda P, Q: E(sp.Rational(1, 3) + sp.I * w, P, Q)), PROFILE_AT, [w], []),
    (CURVES, PROFILE_AT, [rise], [SOMEWHERE]),
    (both(lambda P, Q: F(PLD(P, Q))(eps)), PROFILE_AT, [eps], []),
    (both(lambda P, Q: E(1 + rise, P, Q)), PROFILE_AT, [rise], [SOMEWHERE]),
])
def test_complete_invariants(hypothesis, conclusion, over, where):
    found = by_determination(statement(hypothesis, conclusion, over, where))
    assert found.kind in HOLDS
    assert any("disintegration" in f.name for f in found.proof.facts)


@pytest.mark.parametrize(("hypothesis", "conclusion", "over", "where"), [
    # on a part of the line only
    (both(lambda P, Q: delta(P, Q)(above)), PROFILE_AT, [above], []),
    (PROFILES, PROFILE_AT, [eps], [Gt(eps, 0)]),
    (PROFILES, PROFILE_AT, [], []),
    (both(lambda P, Q: delta(P, Q)(0 * eps)), PROFILE_AT, [eps], []),
    (both(lambda P, Q: delta(P, Q)(eps**2)), PROFILE_AT, [eps], []),
    (both(lambda P, Q: E(half + sp.I * above, P, Q)), PROFILE_AT, [above], []),
    # whole orders; orders where both may be +oo
    (both(lambda P, Q: E(1 + count, P, Q)), PROFILE_AT, [count], [SOMEWHERE]),
    (both(lambda P, Q: R(1 + count, P, Q)), PROFILE_AT, [count], []),
    (both(lambda P, Q: E(1 + rise, P, Q)), PROFILE_AT, [rise], []),
    (CURVES, PROFILE_AT, [rise], []),
    # lines that mass at infinity hides
    (both(lambda P, Q: E(2 + sp.I * w, P, Q)), PROFILE_AT, [w], []),
    (both(lambda P, Q: E(sp.I * w, P, Q)), PROFILE_AT, [w], []),
    # no invariants
    (both(lambda P, Q: E(2, P, Q)), PROFILE_AT, [], []),
    (both(lambda P, Q: Pr(PLD(P, Q), "==", eps)), PROFILE_AT, [eps], []),
    (both(lambda P, Q: F(PLD(P, Q))(eps, strict=True)), PROFILE_AT, [eps], []),
    # conclusions that are no functionals of the loss, or have no value
    (PROFILES, both(lambda P, Q: B(delta(P, Q)(t), t, 0)), [eps], []),
    (PROFILES, both(lambda P, Q: R(c, P, Q)), [eps], []),
    (PROFILES, both(lambda P, Q: E(c, P, Q)), [eps], []),
    (PROFILES, both(lambda P, Q: P(S)), [eps], []),
    (PROFILES, both(lambda P, Q: P + 0 * Q), [eps], []),
    (PROFILES, both(lambda P, Q: Omega(P * Q)), [eps], []),
    # other shapes
    (PROFILES, Eq(delta(P1, Q1)(x), delta(Q2, P2)(x)), [eps], []),
    (PROFILES, Eq(delta(P1, Q1)(x), 2 * delta(P2, Q2)(x)), [eps], []),
    (PROFILES, Le(delta(P1, Q1)(x), delta(P2, Q2)(x)), [eps], []),
    (Le(delta(P1, Q1)(eps), delta(P2, Q2)(eps)), PROFILE_AT, [eps], []),
    (PROFILES, Eq(delta(P1, Q1)(x), delta(P2, Q2)(y)), [eps], []),
    (Eq(delta(P1, Q1)(eps), delta(MP, MQ)(eps)), Eq(delta(P1, Q1)(x), delta(MP, MQ)(x)), [eps], []),
    (PROFILES, Eq(delta(P1, Q1)(x), delta(P3, Q3)(x)), [eps], []),
])
def test_what_does_not_determine_is_not_proved(hypothesis, conclusion, over, where):
    with pytest.raises(Unsupported):
        by_determination(statement(hypothesis, conclusion, over, where))


def test_profiles_at_positive_eps_do_not_determine_a_pair():
    """The counterexample behind the refusal: equal for every alpha >= 1, different below."""
    first = ((Fr(1, 2), Fr(1, 2)), (Fr(1, 2), Fr(1, 2)))
    second = ((Fr(1, 2), Fr(1, 2), Fr(0)), (Fr(1, 2), Fr(1, 2), Fr(0)))
    third = ((Fr(1, 4), Fr(3, 4)), (Fr(1, 4), Fr(3, 4)))
    assert all(oracle.hockey_stick(*first, Fr(k, 2)) == oracle.hockey_stick(*third, Fr(k, 2))
               for k in range(1, 8))
    assert oracle.hockey_stick(*first, Fr(2)) == oracle.hockey_stick(*second, Fr(2))
    small = ((Fr(3, 4), Fr(1, 4)), (Fr(1, 2), Fr(1, 2)))
    split = ((Fr(3, 4), Fr(1, 8), Fr(1, 8)), (Fr(1, 2), Fr(3, 8), Fr(1, 8)))
    assert all(oracle.hockey_stick(*small, Fr(k, 4)) == oracle.hockey_stick(*split, Fr(k, 4))
               for k in range(4, 12))
    assert oracle.hockey_stick(*small, Fr(2, 3)) != oracle.hockey_stick(*split, Fr(2, 3))


def test_infinite_moments_do_not_determine_a_pair():
    """E_q = oo for every q > 1 in both, and different profiles."""
    first = ((Fr(1), Fr(0)), (Fr(0), Fr(1)))
    second = ((Fr(1, 2), Fr(1, 2)), (Fr(0), Fr(1)))
    for masses in (first, second):
        assert oracle.moment(*masses, Fr(3, 2)) == oracle.mp.inf
    assert oracle.hockey_stick(*first, Fr(1)) != oracle.hockey_stick(*second, Fr(1))


def test_the_pair_on_the_left_may_sort_last():
    form = statement(Eq(delta(P2, Q2)(eps), delta(P1, Q1)(eps)),
                     Eq(delta(P2, Q2)(x), delta(P1, Q1)(x)), [eps])
    assert by_determination(form).kind in HOLDS


def test_moments_that_grow_too_fast():
    """Cubes of exponential laws have moments (3k)! <= (27 (k^2 + 1))^k k!, and are not determined
    by them (Stieltjes)."""
    k, n = naturals("k"), naturals("n")
    grows = ForAll((k,), Le(E(k + 1, P1, Q1), 2 * (27 * (k**2 + 1)) ** k * sp.factorial(k)))
    with pytest.raises(Unsupported):
        by_determination(statement(both(lambda P, Q: E(n, P, Q)), PROFILE_AT, [n], [grows]))
    assert all(sp.factorial(3 * j) <= (27 * (j**2 + 1)) ** j * sp.factorial(j) for j in range(30))


def test_other_implications_are_left_alone():
    with pytest.raises(Unsupported):
        by_determination(statement(Defined(E(2, P1, Q1)), PROFILE_AT, [eps]))


# -- moments at the orders of an interval ---------------------------------------------------------

def proving(lemma):
    """What the engine hands to a method: a judgement that holds, or Unsupported."""
    found = judge(lemma, numeric=False)
    if found.kind not in HOLDS:
        raise Unsupported(found.reason)
    return found


def at_orders(order):
    return both(lambda P, Q: E(order, P, Q))


@pytest.mark.parametrize(("order", "where"), [
    ((1 + 2 * rise) / (4 + 4 * rise), []),
    ((x + y * rise) / (1 + rise), [Ge(x, 0), Lt(x, y), Le(y, 1)]),
    ((x + y * rise) / (1 + rise), [Ge(x, 1), Lt(x, y), Defined(E(y, P1, Q1))]),
])
def test_moments_on_an_interval_determine_the_profile(order, where):
    given = statement(at_orders(order), PROFILES, [rise], where)
    assert by_determination(given, proving).kind in HOLDS


@pytest.mark.parametrize(("order", "where"), [
    # one order, perhaps one order, an interval beyond 1, an end that is not bounded
    # above 1: from below 1 on, finite at the wrong end, or nowhere
    ((x + y * rise) / (1 + rise), [Ge(x, half), Lt(x, y), Defined(E(y, P1, Q1))]),
    ((x + y * rise) / (1 + rise), [Ge(x, 1), Lt(x, y), Defined(E(x, P1, Q1))]),
    ((x + y * rise) / (1 + rise), [Ge(x, 1), Lt(x, y)]),
    (x, [Gt(x, 0), Lt(x, 1)]),
    ((x + y * rise) / (1 + rise), [Ge(x, 0), Le(x, y), Le(y, 1)]),
    ((1 + 4 * rise) / (2 + 2 * rise), []),
    ((1 + 2 * rise) / 4, []),
    ((1 + rise) / (2 - rise), []),
])
def test_other_orders_are_refused(order, where):
    with pytest.raises(Unsupported, match="not known to determine"):
        by_determination(statement(at_orders(order), PROFILES, [rise], where), proving)
