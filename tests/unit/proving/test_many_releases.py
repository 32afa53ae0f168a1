"""Randomized responses many times, sums that are linear in others, events: excepted ones and best
ones; losses of the Gaussian and the Laplace mechanism."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp import gaussian, laplace, randomized_response
from lapdp.theory import *
from tests.unit.proving.searching import assert_derived
from tests.unit.proving.searching import of_form as searched

STEPS = 30_000
eps, d, xi, y, h, mass = reals("varepsilon delta xi y h delta_0")
n, k, Y, j = naturals("n k Y j")
f_of = f
f, g = sequences("f g")
ODDS = sp.exp(eps) / (sp.exp(eps) + 1)
R, S = composition("R", "S", mechanism=lambda _: randomized_response(eps, d))(n)
SPREAD = [Gt(eps, 0), Ge(d, 0), Le(d, 1)]
LEFT = (1 - d) ** n


def mean(body, p=ODDS):
    """Over the number of losses eps among n."""
    return BinomialMean(body, Y, n, p)


ABOVE = Indicator(Ge(Y, (xi + n * eps) / (2 * eps))) * (1 - sp.exp(xi - eps * (2 * Y - n)))
AT = Indicator(Eq(Y, (y + n * eps) / (2 * eps)))
A, B = pair("A", "B")
T, E, F = Event("T"), Event("E"), Event("F")


def off(p, q, excluded):
    """p <= e^eps q outside of an event."""
    rest = Difference(T, excluded)
    return ForAll((T,), Le(p(rest), sp.exp(eps) * q(rest)))


EXCEPTED = ExistsEvents((E, F), (Le(A(E), mass), Le(B(F), mass), off(A, B, E), off(B, A, F)))
TAIL, OTHER = Pr(PLD(A, B), ">", eps), Pr(PLD(B, A), ">", eps)


def total(body):
    """The sum over j = 0, ..., k."""
    return FiniteSum(body, j, 0, k)


def best(p, q):
    """The supremum over all events."""
    return Sup(p(T) - sp.exp(eps) * q(T), T)


s, sigma, b = positives("s sigma b")
GAUSS = PLD(*mechanism_pair(gaussian(sigma, s), "G", "H"))
LAPLACE = PLD(*mechanism_pair(laplace(b, s), "L", "M"))


def bell(mean):
    """A density of the variance s^2/sigma^2."""
    return sigma / (s * sp.sqrt(2 * sp.pi)) * sp.exp(-(y - mean)**2 * sigma**2 / (2 * s**2))


TRUE = [
    (Eq(f_of(GAUSS)(y), bell(s**2 / (2 * sigma**2))), []),
    (Eq(Pr(LAPLACE, "==", s / b), sp.Rational(1, 2)), []),
    (Le(sp.Max(best(A, B), best(B, A)), sp.Max(delta(A, B)(eps), delta(B, A)(eps))), []),
    (Eq(delta(R, S)(xi), 1 - LEFT + LEFT * mean(ABOVE)), SPREAD),
    (Eq(Pr(PLD(R, S), "==", y), LEFT * mean(AT)), SPREAD),
    (Eq(delta(R, S)(xi), delta(S, R)(xi)), SPREAD),
    (Iff(Le(total(f[j]), total(g[j])), Le(total(f[j] - g[j]), 0)), []),
    (Iff(Le(h * total(f[j]), 0), Le(total(h * f[j]), 0)), []),
    (Eq(total(h), h * (k + 1)), []),
    (Implies(EXCEPTED, AllOf((Le(TAIL, mass), Le(OTHER, mass)))), []),
    (Implies(AllOf((Le(TAIL, mass), Le(OTHER, mass))), EXCEPTED), []),
]
FALSE = [
    (Eq(f_of(GAUSS)(y), bell(s**2 / sigma**2)), []),
    (Eq(Pr(LAPLACE, "==", s / b), sp.Rational(1, 3)), []),
    (Le(best(A, B), delta(B, A)(eps)), []),
    (Eq(delta(R, S)(xi), 1 - LEFT + LEFT * mean(ABOVE, 1 - ODDS)), SPREAD),
    (Eq(delta(R, S)(xi), LEFT * mean(ABOVE)), SPREAD),
    (Eq(Pr(PLD(R, S), "==", y), mean(AT)), SPREAD),
    (Eq(Pr(PLD(R, S), "==", y), LEFT * mean(AT)), SPREAD[1:]),
    (Eq(delta(R, S)(xi), delta(S, R)(-xi)), SPREAD),
    (Iff(Le(total(f[j]), total(g[j])), Le(total(f[j] + g[j]), 0)), []),
    (Iff(Le(total(f[j]), 0), Le(total(h * f[j]), 0)), []),
    (Eq(total(h), h * k), []),
    (Implies(EXCEPTED, Le(OTHER, mass / 2)), []),
    (Implies(Le(TAIL, mass), EXCEPTED), []),
]


@pytest.mark.parametrize("case", TRUE, ids=str)
def test_true_statements_are_derived(case) -> None:
    assert_derived(searched(*case, STEPS))


@pytest.mark.parametrize("case", FALSE, ids=str)
def test_false_neighbours_are_not(case) -> None:
    assert searched(*case, STEPS // 10)[0] is None
