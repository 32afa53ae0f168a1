"""Means of families over a law, images of dominance, order of hinges; and false neighbours."""

import random
from fractions import Fraction

import pytest
import sympy as sp

from lapdp.core.errors import InputError, Unsupported
from lapdp.theory import (
    Eq,
    ForAll,
    Ge,
    Gt,
    Le,
    Sup,
    averaged,
    claim,
    delta,
    family,
    outcome,
    pair,
    reals,
)
from lapdp.theory.engine import judge
from lapdp.theory.methods.averages import by_averages
from lapdp.theory.methods.hinges import by_hinges, by_images
from lapdp.theory.planner import Planner
from lapdp.theory.statement import Statement
from tests.oracle import finite

b = outcome("b")
Ab, Bb = family("A", "B", b)
A, B = averaged((Ab, Bb), ("A", "B"))
C, D = pair("C", "D")
P, Q = pair("P", "Q")
e, eps, lam, c, d = reals("e eps lambda c d")
RATE = [Ge(lam, 0), Le(lam, 1)]
BELOW = ForAll((b, e), Le(delta(Ab, Bb)(e), delta(P, Q)(e)))
ORDER = ForAll((e,), Le(delta(C, D)(e), delta(P, Q)(e)))
MIX, OTHER = lam * A + (1 - lam) * B, lam * P + (1 - lam) * Q


def prove(statement):
    return Planner(statement, 20, 0, 0.0)._prove


def test_profiles_of_means_are_bounded_by_the_members():
    for left, right in ((delta(A, B), delta(P, Q)), (delta(B, A), delta(Q, P)),
                        (delta(MIX, B), delta(OTHER, Q)), (delta(A, MIX), delta(P, OTHER))):
        found = judge(Statement("x", Le(left(eps), right(eps)), where=(*RATE, BELOW)),
                      numeric=False)
        assert str(found.kind) in ("proved", "derived")


FALSE = {
    "members exchanged": Le(delta(B, A)(eps), delta(P, Q)(eps)),
    "one side exchanged": Le(delta(MIX, B)(eps), delta(lam * Q + (1 - lam) * P, P)(eps)),
    "the other direction": Ge(delta(A, B)(eps), delta(P, Q)(eps)),
    "equality": Eq(delta(A, B)(eps), delta(P, Q)(eps)),
    "strict": Gt(delta(P, Q)(eps), delta(A, B)(eps)),
    "another rate": Le(delta(MIX, B)(eps), delta(lam**2 * P + (1 - lam**2) * Q, Q)(eps)),
    "another place": Le(delta(A, B)(eps), delta(P, Q)(eps + 1)),
    "a negative multiple": Le(-delta(A, B)(eps), -delta(P, Q)(eps)),
    "the mean below": Le(delta(P, Q)(eps), delta(A, B)(eps)),
}


PLACES = {"one side exchanged": sp.log(sp.Rational(3, 2)), "another rate": sp.Integer(0)}


@pytest.mark.parametrize("name", FALSE)
def test_false_neighbours_of_averages_are_not_proved(name):
    hints = {"witness": {"lambda": sp.Rational(1, 3), "eps": PLACES.get(name, -sp.log(2))}}
    statement = Statement("x", FALSE[name], where=(*RATE, BELOW), hints=hints)
    found = judge(statement, numeric=False, patience=0.3)
    assert str(found.kind) not in ("proved", "derived")


def test_a_member_is_not_its_mean():
    statement = Statement("x", Le(delta(Ab, Bb)(eps), delta(A, B)(eps)))
    with pytest.raises(Unsupported):
        by_averages(statement, prove(statement))


def test_a_hypothesis_on_the_mean_says_nothing_of_the_members():
    mean = ForAll((e,), Le(delta(A, B)(e), delta(P, Q)(e)))
    statement = Statement("x", Le(delta(Ab, Bb)(eps), delta(P, Q)(eps)), where=(mean,))
    assert str(judge(statement, numeric=False, patience=0.3).kind) not in ("proved", "derived")


def test_weights_outside_the_range_are_no_distribution():
    statement = Statement("x", Le(delta(MIX, B)(eps), delta(OTHER, Q)(eps)), where=(BELOW,),
                          hints={"witness": {"lambda": 2, "eps": 0}})
    assert str(judge(statement, numeric=False, patience=0.3).kind) == "refuted"


def hinge(x, y, first=C, second=D, event=None):
    from lapdp.theory import Event

    S = event or Event("S")
    return Sup(x * first(S) + y * second(S), S)


def test_images_of_dominance_for_all_real_coefficients():
    statement = Statement("x", Le(hinge(c, d), hinge(c, d, P, Q)), where=(ORDER,))
    assert by_images(statement, prove(statement)).proof is not None


@pytest.mark.parametrize("right", [hinge(c, 2 * c, P, Q), hinge(c, -1, P, Q)])
def test_false_images(right):
    statement = Statement("x", Le(hinge(c, 1), right), where=(ORDER,))
    with pytest.raises(Unsupported):
        by_images(statement, prove(statement))


def test_an_undefined_coefficient_is_no_image():
    statement = Statement("x", Le(hinge(1 / c, d), hinge(1 / c, d, P, Q)), where=(ORDER,))
    with pytest.raises(Unsupported):
        by_images(statement, prove(statement))
    with_sign = Statement("x", statement.claim, where=(ORDER, Gt(c, 0)))
    assert by_images(with_sign, prove(with_sign)).proof is not None


def test_a_restricted_order_is_no_dominance():
    half = ForAll((e,), Le(delta(C, D)(e), delta(P, Q)(e)), (Ge(e, 0),))
    statement = Statement("x", Le(hinge(c, d), hinge(c, d, P, Q)), where=(half,))
    assert by_images(statement, prove(statement)) is None


def _exactly(a, x, y):
    return sum(max(Fraction(0), x * p + y * q) for p, q in zip(*a, strict=True))


def test_order_of_hinges_agrees_with_exact_values():
    rng = random.Random(7)
    proved = 0
    for _ in range(60):
        w = [rng.randint(-3, 3) for _ in range(4)]
        statement = claim("x", Le(hinge(w[0], w[1]), hinge(w[2], w[3])))
        pairs = [finite.random_pair(rng) for _ in range(20)]
        holds = all(_exactly(a, *w[:2]) <= _exactly(a, *w[2:]) for a in pairs)
        try:
            found = by_hinges(statement, prove(statement))
        except Unsupported:
            continue
        proved += 1
        assert found.proof is not None and holds, w
    assert proved > 10


def test_means_need_a_family():
    with pytest.raises(InputError):
        averaged((P, Q), ("A", "B"))
    with pytest.raises(InputError):
        averaged((Bb, Ab), ("A", "B"))
    with pytest.raises(InputError):
        averaged((Ab, Bb), ("A", "A"))
    with pytest.raises(InputError):
        family("A", b)
