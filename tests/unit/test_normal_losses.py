"""Losses of Gaussian pairs in statements: closed forms against quadrature, and false neighbours."""

from __future__ import annotations

import mpmath as mp
import pytest
import sympy as sp

from lapdp import gaussian, laplace, randomized_response
from lapdp.theory import *
from lapdp.theory.engine import judge
from lapdp.theory.normal_losses import gaussian_of, normal_moment, without_normal_losses
from lapdp.theory.statement import Statement

HOLD = ("proved", "derived")

s, d, z = positives("s d z")
x, a, b = reals("x a b")
P, Q = mechanism_pair(gaussian(s, d))
Z = PLD(P, Q)
K = d**2 / (2 * s**2)
TAIL = sp.erfc((x - K) * s / (sp.sqrt(2) * d)) / 2
A, B = mechanism_pair(gaussian(s, a), "A", "B")
L, M = mechanism_pair(laplace(1, z), "L", "M")
G, H = mechanism_pair(gaussian(1, z), "G", "H")


def variance(loss):
    return Ex(loss**2, loss) - Ex(loss, loss) ** 2


def kind(claim, where=()):
    return str(judge(Statement("p/x", claim, tuple(where)), numeric=False, patience=0.5).kind)


TRUE = [
    Eq(Ex(Z, Z), K), Eq(variance(Z), 2 * K), Eq(Ex((Z - K) ** 3, Z), 0),
    Eq(Ex((Z - K) ** 4, Z), 12 * K**2), Eq(Ex(sp.exp(-Z), Z), 1), Eq(Ex(Z * sp.exp(-Z), Z), -K),
    Eq(Pr(Z, ">", x), TAIL), Eq(Pr(Z, ">=", x), TAIL), Eq(F(Z)(x) + TAIL, 1),
    Eq(F(Z)(x, strict=True), F(Z)(x)), Eq(Pr(Z, "==", x), 0), Eq(Pr(Z, "==", sp.oo), 0),
    Eq(Pr(Z, "<", sp.oo), 1), Eq(Pr(Z, "<=", -sp.oo), 0), Eq(Pr(Z, ">", -sp.oo), 1),
    Eq(F(PLD(Q, P))(x), F(Z)(x)), Eq(Ex(PLD(Q, P), PLD(Q, P)), K), Lt(F(Z)(x), 1),
    Eq(f(Z)(x), sp.exp(-((x - K) ** 2) / (4 * K)) / sp.sqrt(4 * sp.pi * K)),
]
FALSE = [
    Eq(Ex(Z, Z), -K), Eq(variance(Z), K), Eq(Ex(Z**2, Z), 2 * K), Eq(Ex((Z - K) ** 3, Z), K),
    Eq(Ex(sp.exp(Z), Z), 1), Eq(Pr(Z, "<", x), TAIL), Eq(F(Z)(x), TAIL), Eq(Pr(Z, "==", sp.oo), 1),
    Eq(Pr(Z, ">", sp.oo), 1), Eq(Pr(Z, "<", -sp.oo), 1),
    Gt(Pr(Z, "==", x), 0), Eq(Ex(Z, Z), Ex(Z**2, Z)), Gt(Ex(Z, Z), 1),
    Eq(f(Z)(x), sp.exp(-((x + K) ** 2) / (4 * K)) / sp.sqrt(4 * sp.pi * K)),
    Gt(Ex(PLD(L, M), PLD(L, M)), Ex(PLD(G, H), PLD(G, H))),
    Gt(variance(PLD(L, M)), variance(PLD(G, H))),
]


@pytest.mark.parametrize("claim", TRUE, ids=str)
def test_true_claims_are_proved(claim):
    assert kind(claim) in HOLD


@pytest.mark.parametrize("claim", FALSE, ids=str)
def test_false_neighbours_are_not_proved(claim):
    assert kind(claim) in ("refuted", "undecided")


def test_the_range_of_the_parameters_is_a_hypothesis():
    """Without it, sqrt(a^2) = a would be claimed for negative a, too."""
    loss = PLD(A, B)
    claim = Statement("p/x", Eq(Ex(loss, loss), a**2 / (2 * s**2)))
    assert without_normal_losses(claim).where == (sp.Gt(a, 0),)


def test_products_of_gaussian_pairs_are_one():
    P2, Q2 = mechanism_pair(gaussian(s, 2 * d), "P2", "Q2")
    loss = PLD(*product_pair((P, Q), (P2, Q2)))
    assert kind(Eq(Ex(loss, loss), 5 * K)) == kind(Eq(variance(loss), 10 * K)) in HOLD
    assert kind(Eq(Ex(loss, loss), 3 * K)) == "refuted"


def test_other_losses_stay():
    mixed = PLD(*product_pair((P, Q), (L, M)))
    X, Y = pair("X", "Y")
    assert gaussian_of(mixed) is None and gaussian_of(PLD(X, Y)) is None
    claim = Statement("p/x", Eq(Ex(mixed, mixed), 1))
    assert without_normal_losses(claim) is claim


@pytest.mark.parametrize("n", range(9))
def test_moments_against_quadrature(n):
    """A second route: the integral over outcomes, of the defining loss."""
    with mp.workdps(30):
        sigma, shift = mp.mpf(3) / 2, mp.mpf(2)

        def under(u):
            loss = mp.log(mp.npdf(u, 0, sigma) / mp.npdf(u, shift, sigma))
            return loss**n * mp.npdf(u, 0, sigma)

        value = mp.quad(under, [-40, -10, 0, 2, 10, 40])
        exact = normal_moment(n, sp.Rational(8, 9))
        assert abs(value - mp.mpf(exact.p) / exact.q) < mp.mpf(10) ** -18 * (1 + abs(value))


def test_a_mass_at_infinity_that_no_composition_has_is_not_proved():
    """A factor 0/0 once proved this step of an induction."""
    n = naturals("n")
    leak, eps = reals("delta eps")
    releases = composition("R", "S", mechanism=lambda j: randomized_response(eps, leak))
    lost = Pr(PLD(*releases(n)), "==", sp.oo)
    where = [Ge(eps, 0), Ge(leak, 0), Le(leak, 1)]
    assert kind(Eq(lost, 1 - (2 - leak) ** n), where) not in HOLD
    assert kind(Eq(lost, 1 - (-leak) ** n), where) not in HOLD
