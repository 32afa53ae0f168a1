"""The transform of the profile of a product, by those of its pairs."""

from __future__ import annotations

import pytest

from lapdp.kernel import Bank
from lapdp.kernel.printing import text
from lapdp.proving.continuous_factors import PROFILE
from lapdp.proving.derivation import Derivation
from lapdp.proving.products_through_losses import PRODUCT
from lapdp.proving.space import Prover
from lapdp.theory import *
from tests.unit.proving.searching import of_form as searched

FEW = 8_000
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
P, Q = product_pair((P1, Q1), (P2, Q2))
s, t = reals("s t")
WHOLE, FIRST, SECOND, BACK = (B(delta(a, b)(t), t)(s) for a, b in (
    (P, Q), (P1, Q1), (P2, Q2), (Q2, P2)))
BOTH = [Converges(B(delta(a, b)(t), t, s)) for a, b in ((P1, Q1), (P2, Q2))]
WHERE = [Lt(s, 0), *BOTH]
FALSE = {
    "the other sign": (Eq(WHOLE, s * (s + 1) * FIRST * SECOND), WHERE),
    "no factor": (Eq(WHOLE, FIRST * SECOND), WHERE),
    "one that may diverge": (Eq(WHOLE, s * (s - 1) * FIRST * SECOND), WHERE[:2]),
    "one pair twice": (Eq(WHOLE, s * (s - 1) * FIRST * FIRST), WHERE),
    "the other profile": (Eq(WHOLE, s * (s - 1) * FIRST * BACK), WHERE),
}
PAIRS = {"a": "P1", "b": "Q1", "p": "P2", "q": "Q2"}


def transform(power: str, known: str):
    """What is found for e^(..t) and the product, from two transforms and s < 0."""
    d = Derivation(Bank())
    a = Prover(d)
    names = {n: d.b.letter(long, "D") for n, long in PAIRS.items()}
    say, (tname, time), rate = a.transforms.say, d.fresh("R", "t"), d.b.letter("s", "R")
    factor = say(power, s=rate, t=time)
    given = [d.assume(say("s < 0", s=rate))] + [d.assume(d.mk("liny", d.b.abstract(d.mul(
        factor, say(PROFILE, p=names[x], q=names[y], t=time)), tname, "R")))
        for x, y in known.split()]
    product = say(PRODUCT, e=time, **names)
    whole = d.mk("lint", d.b.abstract(d.mul(factor, product), tname, "R"))
    return d, given, a.transforms.transform(whole, a.released(given))


def test_the_transform_of_a_product() -> None:
    d, given, made = transform("exp(-s * t)", "ab pq")
    assert made is not None
    for i in made:
        assert set(d.theorem(i).hyps) <= {d.claim(k) for k in given}
    left, right = (text(d.b, k) for k in d.kids(d.claim(made[1])))
    assert "P1(x) * P2(y)" in left
    assert "(((-1 * s) * (-1 * s)) + (-1 * s))" in right


@pytest.mark.parametrize(("power", "known"), [
    ("exp(-s * t)", "ab"), ("exp(-s * t)", "pq"), ("exp(-s * t)", "ab qp"),
    ("exp(1 - s * t)", "ab pq"), ("exp(t * t)", "ab pq"), ("t", "ab pq")])
def test_what_is_no_such_transform(power: str, known: str) -> None:
    assert transform(power, known)[2] is None


@pytest.mark.parametrize("name", FALSE)
def test_false_neighbours(name: str) -> None:
    assert searched(*FALSE[name], FEW)[0] is None
