"""Compositions of every length below those of dominating releases."""

from __future__ import annotations

import pytest

from lapdp.core.checked import accept
from lapdp.theory import *
from tests.unit.proving.searching import of_form as searched

STEPS = 12_000
k = naturals("k")
i = naturals("i", start=1)
t, eps = reals("t eps")
x = outcome("x")
C = composition("P", "Q")
EACH = composition("A", "B", independent=True)
ONE = pair("A", "B")
SAME = composition("A", "B", each=ONE)
PAIR, (P, Q) = C(k), C.release(i, x)


def below(two, other, over=(i, x, t), where=()):
    """delta of a pair below that of another one, at every t."""
    return ForAll(over, Le(delta(*two)(t), delta(*other)(t)), where)


TRUE = [
    (Le(delta(*PAIR)(eps), delta(*EACH(k))(eps)), [below((P, Q), EACH.release(i))]),
    (Le(delta(*PAIR[::-1])(eps), delta(*EACH(k)[::-1])(eps)), [
        below((Q, P), EACH.release(i)[::-1])]),
    (Le(delta(*PAIR)(0), delta(*SAME(k))(0)), [below((P, Q), ONE)]),
]
FALSE = [
    # k = 2, the second release is free
    (Le(delta(*PAIR)(eps), delta(*EACH(k))(eps)), [
        below(C.release(1, x), EACH.release(1), (x, t))]),
    (Le(delta(*PAIR)(eps), delta(*EACH(k))(eps)), [
        below((P, Q), EACH.release(i), where=(Le(i, k - 1),))]),
    (Le(delta(*PAIR)(eps), delta(*EACH(k))(eps)), [
        below((P, Q), EACH.release(i), where=(Ge(t, 0),))]),
    (Le(delta(*PAIR)(eps), delta(*EACH(k))(eps)), [
        ForAll((i, x), Le(delta(P, Q)(eps), delta(*EACH.release(i))(eps)))]),
    (Le(delta(*PAIR)(eps), delta(*EACH(k))(eps)), [below((Q, P), EACH.release(i))]),
    (Le(delta(*EACH(k))(eps), delta(*PAIR)(eps)), [below((P, Q), EACH.release(i))]),
    (Le(delta(*PAIR)(eps), delta(*EACH(k))(eps + 1)), [below((P, Q), EACH.release(i))]),
    (Le(delta(*C(k + 1))(eps), delta(*EACH(k))(eps)), [below((P, Q), EACH.release(i))]),
    # the dominating release is one for every history
    (Le(delta(*PAIR)(eps), delta(*EACH(k))(eps)), [below((P, Q), C.release(i, x))]),
]


@pytest.mark.parametrize(("form", "where"), TRUE, ids=range(len(TRUE)))
def test_true_bounds_are_derived(form, where):
    lines, why, digest = searched(form, where, STEPS)
    assert lines is not None, why
    accept(lines, digest)


@pytest.mark.parametrize(("form", "where"), FALSE, ids=range(len(FALSE)))
def test_false_bounds_are_not(form, where):
    assert searched(form, where, STEPS)[0] is None
