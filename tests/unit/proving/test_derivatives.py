"""Generalised derivatives of profiles: limits of integrals against difference quotients."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.checked import accept
from lapdp.kernel import Bank
from lapdp.kernel.printing import text
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.continuous_factors import TestFunctions
from lapdp.proving.derivation import Derivation, NotFound
from lapdp.proving.hinges import Hinges, Jumps
from lapdp.proving.space import Prover
from lapdp.theory import *
from tests.unit.proving.searching import of_form as searched

STEPS, FEW = 60_000, 12_000
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
P, Q = product_pair((P1, Q1), (P2, Q2))
eps = reals("eps")
LOST = Pr(PLD(P2, Q2), "==", sp.oo)


def composed(first=1, second=1, rest=LOST, test=1, other=1):
    """The profile of a product as a convolution, with weights that belong to neighbours."""
    profile = delta(P2, Q2)(eps)
    density = second * D(profile, eps, 2) - first * D(profile, eps)
    return Eq(delta(P, Q)(other * eps), test * conv(delta(P1, Q1)(eps), density, eps) + rest)


TRUE = {
    "with the mass at infinity": (composed(), []),
    "or without one": (composed(rest=0), [AbsolutelyContinuous(P2, Q2)]),
}
Z, BACK = PLD(P1, Q1), PLD(Q1, P1)
profile = delta(P1, Q1)(eps)
LOSSES = {
    "the density from the distribution function": D(F(Z)(eps), eps),
    "the density from the profile": D(profile, eps, 2) - D(profile, eps),
}
NO_LOSSES = {
    "twice": 2 * D(F(Z)(eps), eps),
    "of the other loss": D(F(BACK)(eps), eps),
    "the signs turned": D(profile, eps) - D(profile, eps, 2),
    "of the other profile": D(delta(Q1, P1)(eps), eps, 2) - D(delta(Q1, P1)(eps), eps),
    "the second derivative alone": D(profile, eps, 2),
}
FALSE = {
    "as printed": (composed(rest=0), [OneWayContinuous(P1, Q1), OneWayContinuous(P2, Q2)]),
    "another pair has no mass at infinity": (composed(rest=0), [AbsolutelyContinuous(P1, Q1)]),
    "the other sign": (composed(first=-1), []),
    "the second derivative alone": (composed(first=0), []),
    "the first alone": (composed(second=0), []),
    "another factor": (composed(test=2), [AbsolutelyContinuous(P2, Q2)]),
    "another point": (composed(other=2), []),
    "the mass twice": (composed(rest=2 * LOST), []),
    "the mass of the other pair": (composed(rest=Pr(PLD(P1, Q1), "==", sp.oo)), []),
}


@pytest.mark.parametrize("name", TRUE)
def test_theorem_4_2(name):
    form, where = TRUE[name]
    lines, reason, digest = searched(form, where, STEPS)
    assert lines is not None, reason
    assert not accept(lines, digest).facts


@pytest.mark.parametrize("name", FALSE)
def test_false_neighbours(name):
    form, where = FALSE[name]
    assert searched(form, where, FEW)[0] is None


@pytest.mark.parametrize("name", LOSSES)
def test_densities_of_losses(name):
    lines, reason, digest = searched(Eq(f(Z)(eps), LOSSES[name]), [], STEPS)
    assert lines is not None, reason
    assert not accept(lines, digest).facts


@pytest.mark.parametrize("name", NO_LOSSES)
def test_no_densities_of_losses(name):
    assert searched(Eq(f(Z)(eps), NO_LOSSES[name]), [], FEW)[0] is None


# -- tests, and what is known of the quotients ----------------------------------------------------

PROFILE = "oint(x, max(0, dens(p, x) - exp({}) * dens(q, x)))"
TESTS = {
    PROFILE.format("e - y"): [], PROFILE.format("y"): [],
    "max(0, min(y - c, g - y))": ["c < g"],
}
NO_TESTS = {
    "steep": (PROFILE.format("2 * y"), []), "unbounded": ("y", []), "a step": (
        "case(0 < y, 1, 0)", []), "steeper": ("max(0, min(2 * (y - c), g - y))", ["c < g"]),
    "no bound": ("max(0, y - c)", ["c < g"]),
}


def as_test(body, where):
    """A body of y as a test, with the facts."""
    d = Derivation(Bank())
    tests = TestFunctions(Prover(d))
    names = {n: d.b.letter(n, "D" if n in "pq" else "R") for n in "epqcg"}
    y = d.fresh("R", "y")
    facts = [d.assume(tests.say(f, **names)) for f in where]
    return d, facts, tests.tested(tests.say(body, y=y[1], **names), y, facts)


@pytest.mark.parametrize("body", TESTS)
def test_functions_that_are_bounded_and_not_steep(body):
    d, facts, found = as_test(body, TESTS[body])
    for i, start in ((found.bound, "all t. (abs("), (found.slopes, "all t. all u. (abs((")):
        assert d.theorem(i).hyps <= {d.claim(k) for k in facts}
        assert text(d.b, d.claim(i)).startswith(start)


@pytest.mark.parametrize("name", NO_TESTS)
def test_other_functions(name):
    with pytest.raises((NotFound, NeedSplit)):
        as_test(*NO_TESTS[name])


@pytest.mark.parametrize(("kind", "order"), [(Hinges, 1), (Hinges, 2), (Jumps, 1)])
@pytest.mark.parametrize("what", ["size", "moment", "limit", "total"])
def test_what_is_known_of_quotients_supposes_nothing(what, kind, order):
    d = Derivation(Bank())
    u, v = (d.b.letter(n, "R") for n in "uv")
    found = kind(Prover(d)).everywhere(order, what, u, None if what == "total" else v)
    assert not d.theorem(found).hyps
    assert d.head(d.claim(found)) == "imp"
