"""Limits at infinity in the exact class: the term of fastest growth decides, +oo is a value."""

import pytest
import sympy as sp

from lapdp.core.verdict import HOLDS, Kind
from lapdp.theory import *
from lapdp.theory.engine import judge

t, c = reals("t c")
a, b = positives("a b")

LIMITS = {
    # body, point, the right limit (None: no limit in (-oo, oo])
    "fast minus slow": (sp.exp(2 * t) - sp.exp(t), sp.oo, sp.oo),
    "slow minus fast": (sp.exp(t) - sp.exp(2 * t), sp.oo, None),
    "power against exponential": (sp.exp(t) - t**3, sp.oo, sp.oo),
    "odd power on the left": (t**3, -sp.oo, None),
    "odd power, negative": (-(t**3), -sp.oo, sp.oo),
    "odd power times a growing exponential": (t * sp.exp(-t), -sp.oo, None),
    "linear growth": (t - 1, sp.oo, sp.oo),
    "decay": (1 + t * sp.exp(-t), sp.oo, sp.Integer(1)),
    "oscillation": (sp.cos(t), sp.oo, None),
    "cancelled growth": (sp.exp(t) - sp.exp(t) * (1 - sp.exp(-t)), sp.oo, sp.Integer(1)),
    "an open constant beside growth": (sp.exp(a * t) + c * sp.exp(-b), sp.oo, sp.oo),
}


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("claimed", [sp.oo, sp.Integer(0), sp.Integer(1)])
def test_the_fastest_term_decides_a_limit(name, claimed):
    body, point, right = LIMITS[name]
    found = judge(claim("it", Eq(Lim(body, t, point), claimed)), numeric=False).kind
    assert found is (Kind.DERIVED if right == claimed else Kind.REFUTED)


@pytest.mark.parametrize(("form", "where"), [
    (Eq(Lim(sp.exp(a * t) - sp.exp(b * t), t, sp.oo), sp.oo), [Ge(a, b)]),
    (Eq(Lim(c * sp.exp(a * t), t, sp.oo), sp.oo), []),
    (Eq(Lim(sp.exp(t) * (2 + sp.cos(t)), t, sp.oo), 1), []),
    (Eq(Lim(sp.exp(t) * sp.cos(t), t, sp.oo), sp.oo), []),
    (Eq(Lim(sp.exp(c * t), t, sp.oo), sp.oo), []),
    (Eq(Lim(t * sp.exp(-t), t, -sp.oo), Lim(sp.exp(-t), t, -sp.oo)), []),
])
def test_false_limits_are_never_proved(form, where):
    assert judge(claim("it", form, where=where), numeric=False).kind not in HOLDS


def test_the_order_of_two_rates_may_be_a_hypothesis():
    form = Eq(Lim(sp.exp(a * t) - sp.exp(b * t), t, sp.oo), sp.oo)
    assert judge(claim("it", form, where=[Gt(a, b)]), numeric=False).kind in HOLDS
