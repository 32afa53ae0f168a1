"""Difference quotients that an exponential takes over: of the function, or of the test."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.checked import accept
from lapdp.kernel import Bank
from lapdp.kernel.printing import text
from lapdp.proving.continuous_factors import PROFILE
from lapdp.proving.derivation import Derivation, NotFound
from lapdp.proving.exponential_quotients import ExponentialQuotients, Quotient, quotient_of
from lapdp.proving.hinges import QUOTIENTS
from lapdp.proving.space import Prover
from lapdp.theory import *
from tests.unit.proving.searching import of_form as searched

STEPS, FEW = 6_000, 2_000
P, Q = pair("P", "Q")
t, c, s = reals("t c s")
PROFILE_T = delta(P, Q)(t)
FIRST, SECOND, WHOLE = (B(h, t) for h in (D(PROFILE_T, t), D(PROFILE_T, t, 2), PROFILE_T))
AT = [Lt(s, 0), Converges(B(PROFILE_T, t, s))]
TRUE = {
    "a multiple of e^t is both of its derivatives": Eq(
        D(c * sp.exp(t), t), D(1 + c * sp.exp(t), t, 2)),
    "another rate": Eq(D(c + sp.exp(2 * t), t, 2), 4 * sp.exp(2 * t)),
    "one that falls": Eq(D(c + sp.exp(-t), t), -sp.exp(-t)),
}
FALSE = {
    "another rate": (Eq(D(c * sp.exp(2 * t), t), D(c * sp.exp(2 * t), t, 2)), []),
    "the rate once": (Eq(D(c + sp.exp(2 * t), t, 2), 2 * sp.exp(2 * t)), []),
    "the other sign": (Eq(D(c + sp.exp(-t), t), sp.exp(-t)), []),
    "with the constant": (Eq(D(c + sp.exp(t), t), c + sp.exp(t)), []),
    "twice": (Eq(D(c * sp.exp(t), t), 2 * c * sp.exp(t)), []),
    "a transform, the other sign": (Eq(FIRST(s), -s * WHOLE(s)), AT),
    "the frequency once": (Eq(SECOND(s), s * WHOLE(s)), AT),
    "at another place": (Eq(FIRST(s), s * WHOLE(s + 1)), AT),
    "one that may diverge": (Eq(FIRST(s), s * WHOLE(s)), AT[:1]),
    "where that of another profile converges": (Eq(FIRST(s), s * WHOLE(s)), [
        Lt(s, 0), Converges(B(delta(Q, P)(t), t, s))]),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_derived(name: str) -> None:
    lines, why, digest = searched(TRUE[name], [], STEPS)
    assert lines is not None, why
    assert not accept(lines, digest).facts


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_not(name: str) -> None:
    assert searched(*FALSE[name], FEW)[0] is None


# -- the lemmas -----------------------------------------------------------------------------------

def quotients() -> tuple[Derivation, ExponentialQuotients, dict[str, int]]:
    d = Derivation(Bank())
    found = ExponentialQuotients(Prover(d))
    return d, found, {n: d.b.letter(n, "D" if n in "pq" else "R") for n in "pqrsuy"}


@pytest.mark.parametrize(("order", "end"), [(1, "r"), (2, "(r * r)")])
def test_what_the_factors_tend_to_supposes_nothing(order: int, end: str) -> None:
    d, found, names = quotients()
    made = found.factor(order, names["r"])
    assert not d.theorem(made).hyps
    assert text(d.b, d.claim(made)).endswith(f", {end})")


def as_quotient(order: int, function: str, test: str) -> tuple[Derivation, ExponentialQuotients,
                                                               Quotient]:
    d, found, names = quotients()
    h = found.of(function, **{n: names[n] for n in "pqrs" if n in names})
    y, u = names["y"], names["u"]
    seen = quotient_of(found, found.say(QUOTIENTS[order], h=h, v=y, u=u), y, u)
    assert seen is not None
    assert seen[0] == order
    return d, found, Quotient(*seen, found.say(test, **names), ("y", y), ("u", u))


@pytest.mark.parametrize("order", [1, 2])
def test_a_transform_converges_by_that_of_the_function(order: int) -> None:
    d, found, of = as_quotient(order, PROFILE.replace("exp(t)", "exp(v)"), "exp(-s * y)")
    whole = d.b.abstract(d.mul(of.test, of.h(of.y[1])), "y", "R")
    given = d.assume(d.mk("liny", whole))
    made = found.found(of, [given])
    assert made is not None
    for i in (made.converges, made.tends):
        assert d.theorem(i).hyps == {d.claim(given)}
    rate = d.kids(d.claim(made.tends))[1]
    assert d.kids(rate)[1] == d.mk("lint", whole)
    with pytest.raises(NotFound):
        found.found(of, [])


@pytest.mark.parametrize(("function", "test"), [
    ("v + exp(v)", "max(0, min(y - r, s - y))"), ("exp(v) + exp(2 * v)", "y"),
    ("exp(v * v)", "y"), (PROFILE.replace("exp(t)", "exp(v)"), "y"),
    ("v", "exp(y * y)")])
def test_no_exponential(function: str, test: str) -> None:
    _, found, of = as_quotient(1, function, test)
    assert found.found(of, []) is None


@pytest.mark.parametrize("wrong", [
    "exp(u) * (h(v + exp(-u)) - h(v - exp(-u)))", "1 / 2 * exp(u) * (h(v + exp(-u)) - h(v))",
    "1 / 2 * exp(u) * (v * h(v + exp(-u)) - v * h(v - exp(-u)))",
    "exp(2 * u) * (h(v + exp(-u)) - h(v) + h(v - exp(-u)))"])
def test_no_quotients(wrong: str) -> None:
    _, found, names = quotients()
    node = found.say(wrong, h=found.of("v * exp(v)"), v=names["y"], u=names["u"])
    assert quotient_of(found, node, names["y"], names["u"]) is None
