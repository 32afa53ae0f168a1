"""A hundred false statements in the spirit of a hostile referee; the numbers see each of them.

Each is close to a true one: a binder that captures, a quantifier in the wrong place, strict for
weak, a hypothesis left out, an infinite moment, a one-point space, disjoint distributions, an atom
at infinity, the other orientation, a kink, the limit at the other end, one copy too many.
"""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp import laplace, randomized_response
from lapdp.numeric.hostile import doubts
from lapdp.theory import *
from lapdp.theory.statement import Statement

P, Q = pair("P", "Q")
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
PP, QQ = product_pair((P1, Q1), (P2, Q2))
Z, BACK, Z1 = PLD(P, Q), PLD(Q, P), PLD(P1, Q1)
a, b, c, e, t, u, w, x, y, q, r, lam = reals("a b c e t u w x y q r lam")
n, k, j = naturals("n k j")
m = naturals("m", start=1)
s, d = positives("s d")
below = sp.Symbol("below", negative=True)
S, U = Event("S"), Event("U")
phi = decisions("phi")
g, h = functions("g h")
o = outcome("o")
PO, QO = family("PO", "QO", o)
J, K = adaptive_pair((P1, Q1), (PO, QO), names=("J", "K"))
CE = composition("CE", "DE", each=(P, Q))
C = composition("C", "D")
CR = composition("CR", "DR", mechanism=lambda i: randomized_response(s))
A1, A2 = mechanism_pair(randomized_response(s), "A1", "A2")
L1, L2 = mechanism_pair(laplace(1), "L1", "L2")
HALF, oo, exp, log = sp.Rational(1, 2), sp.oo, sp.exp, sp.log
LOST, AGAIN = Pr(Z, "==", oo), Pr(BACK, "==", oo)
UNIT = [Ge(lam, 0), Le(lam, 1)]
LESS = Le(delta(P, Q)(t), delta(P1, Q1)(t))
MIX = lam * P + (1 - lam) * Q

FALSE = {
    # binders that capture
    "one event for all": (ForAll((S,), Ge(P(S), HALF)), [Ge(P(S), HALF)]),
    "two events, one letter": (ForAll((S,), Eq(P(S), Q(S))), [Eq(P(S), Q(S))]),
    "all places from one": (ForAll((t,), Le(delta(P, Q)(t), a)), [Le(delta(P, Q)(t), a)]),
    "all values from one": (ForAll((x,), Eq(g(x), 0)), [Eq(g(x), 0)]),
    "all numbers from one": (ForAll((k,), Le(k, 3)), [Le(k, 3)]),
    "all copies from none": (ForAll((k,), Eq(delta(*CE(k))(0), 0)), [Eq(k, 0)]),
    "all releases from one": (ForAll((n,), Le(delta(*C(n))(0), HALF)), [Le(n, 1), Le(
        delta(*C(n))(0), HALF)]),
    "a bound letter in the conclusion": (Implies(Le(g(x), 0), Le(g(x), -1), over=(x,)), []),
    "a letter of the supremum outside": (
        Eq(Sup(P(S) - Q(S), S), P(S) - Q(S)), []),
    "a test of its own": (ForAll((phi,), Eq(mean(P, phi), mean(Q, phi))),
                          [Eq(mean(P, phi), mean(Q, phi))]),
    # order of quantifiers
    "a value for no place": (Exists(c, Le(c, delta(P, Q)(1 / y))), []),
    "an event before eps": (ExistsEvents((U,), (ForAll((e,), Eq(
        P(U) - exp(e) * Q(U), delta(P, Q)(e))),)), []),
    "an event at least as likely": (ExistsEvents((U,), (Gt(P(U), Q(U)),)), []),
    "a likely event": (ExistsEvents((U,), (Gt(P(U), HALF), Lt(P(U), 1))), []),
    "two halves": (ExistsEvents((U,), (Eq(P(U), HALF),)), []),
    # strict for weak
    "a strict profile": (Lt(delta(P, Q)(t), 1), []),
    "a positive profile": (Gt(delta(P, Q)(t), 0), []),
    "a strict order of divergences": (Lt(R(2, P, Q), R(3, P, Q)), [Defined(R(3, P, Q))]),
    "a strict falling profile": (Lt(delta(P, Q)(t + 1), delta(P, Q)(t)), []),
    "a strict image": (Implies(LESS, Lt(delta(P, Q)(0), delta(P1, Q1)(0) + x), over=(t,)),
                       [Ge(x, 0)]),
    "a strict moment": (Gt(E(2, P, Q), 1), []),
    "a strict variance": (Gt(inner_variance(Z), 0), []),
    "a strict mean": (Gt(inner_mean(Z), 0), [ac(P, Q)]),
    "a strict union": (Lt(P(Union(S, U)), P(S) + P(U)), []),
    "a strict level": (Lt(T(P, Q)(lam), 1 - lam), UNIT),
    "a strict square": (Gt((x - y) ** 2, 0), []),
    "a strict exponential": (Gt(exp(x), 1 + x), []),
    # hypotheses left out
    "a symmetric loss": (Eq(f(Z)(t), exp(t) * f(BACK)(t)), []),
    "nothing lost": (Eq(LOST, 0), []),
    "lost on one side only": (Eq(LOST, 0), [ac(Q, P)]),
    "one lost, both lost": (Eq(LOST, AGAIN), []),
    "a mean of exponentials": (Eq(Ex(exp(-Z), Z), 1), []),
    "a mean of exponentials, one way": (Eq(Ex(exp(-Z), Z), 1), [ac(P, Q)]),
    "a bounded moment": (Le(E(2, P, Q), 4), []),
    "a mean that is finite": (Defined(Ex(Z, Z)), []),
    "a mean that is finite backwards": (Defined(Ex(Z, Z)), [ac(Q, P)]),
    "a divergence that is finite": (Defined(R(2, P, Q)), [ac(Q, P)]),
    "a moment that is finite": (Defined(E(2, P, Q)), []),
    "moments of order 0": (Eq(E(0, P, Q), 1 - AGAIN), []),
    "moments of order 1": (Eq(E(1, P, Q), 1 - LOST), []),
    "a mixture of no weights": (Ge(delta(MIX, Q)(0), 0), []),
    "a square root": (Ge(sp.sqrt(x), 0), []),
    "a square below": (Ge(1 / (x - y) ** 2, 0), []),
    "a logarithm": (Le(log(x), x - 1), []),
    "a quotient of masses": (Le(P(S) / Q(S), exp(t)), [Le(delta(P, Q)(t), 0)]),
    "continuous without atoms": (Continuous(F(Z)(t), t), [NoAtom(Z, 0)]),
    "a hypothesis at one place": (Le(delta(P, Q)(x), delta(P1, Q1)(x)),
                                  [Le(delta(P, Q)(0), delta(P1, Q1)(0))]),
    "from below only": (Le(g(x), 0), [ForAll((below,), Le(g(below), 0))]),
    "from positive values only": (Le(g(x), 0), [ForAll((d,), Le(g(d), 0))]),
    "from whole numbers only": (Le(g(x), 0), [ForAll((k,), Le(g(k), 0))]),
    # infinite moments, atoms at infinity
    "exp of an infinite mean": (Gt(exp(-Ex(Z, Z)), 0), []),
    "never more than all": (Gt(1 / E(2, P, Q), 0), []),
    "a wrong weight at the left": (Eq(Lim(delta(P, Q)(t) * exp(t), t, -oo), 1), []),
    "a tail that vanishes": (Eq(Lim(delta(P, Q)(t), t, oo), 0), []),
    "a tail that is lost backwards": (Eq(Lim(delta(P, Q)(t), t, oo), AGAIN), []),
    "all of the loss": (Eq(Lim(F(Z)(t), t, oo), 1), []),
    "no loss below": (Eq(Pr(Z, "<", 0), 0), []),
    # one point, equal and disjoint distributions
    "two different ones": (Gt(delta(P, Q)(0), 0), [Gt(P(S), 0)]),
    "never disjoint": (Lt(delta(P, Q)(0), 1), []),
    "a common part": (Gt(E(HALF, P, Q), 0), []),
    "an event of some mass": (Gt(P(S) + Q(S), 0), []),
    "a finite divergence of order 1/2": (Defined(R(HALF, P, Q)), []),
    "no certain event": (Lt(P(S), 1), []),
    "never equal": (Ne(delta(P, Q)(0), delta(Q, P)(1)), []),
    # orientation
    "the profile turned": (Eq(delta(P, Q)(t), delta(Q, P)(t)), []),
    "the divergence turned": (Eq(R(2, P, Q), R(2, Q, P)), [ac(P, Q), ac(Q, P)]),
    "moments turned": (Eq(E(q, P, Q), E(q, Q, P)), [Defined(E(q, P, Q)), Defined(E(q, Q, P))]),
    "the order turned": (Implies(LESS, Le(delta(P1, Q1)(0), delta(P, Q)(0)), over=(t,)), []),
    "turned with a wrong sign": (
        Eq(delta(Q, P)(t), 1 - exp(t) + exp(t) * delta(P, Q)(t)), []),
    "trade-off turned": (Eq(T(P, Q)(lam), T(Q, P)(lam)), UNIT),
    "the mean turned": (Eq(inner_mean(Z), -inner_mean(BACK)), [ac(P, Q), ac(Q, P)]),
    "one direction of two": (Iff(LESS, Le(delta(P, Q)(0), delta(P1, Q1)(0)), over=(t,)), []),
    # kinks, limits at the other end, rates
    "a convex maximum turned": (ConvexOn(-sp.Max(t, 0), t, -1, 1), []),
    "a convex profile": (ConvexOn(delta(L1, L2)(t), t, -1, 1), []),
    "a profile that grows": (NonincreasingOn(-delta(L1, L2)(t), t, -1, 1), []),
    "the sign is continuous": (Continuous(sp.sign(t), t), []),
    "a step is continuous": (Continuous(sp.Heaviside(t) * g(t), t), [Continuous(g(t), t)]),
    "the limit at the left": (Eq(Lim(delta(P, Q)(t), t, -oo), 0), []),
    "the jump from the left": (Eq(Lim(F(Z)(t), t, 0, "-"), F(Z)(0)), []),
    "a rate at the left": (BigO(exp(t), exp(2 * t), t, -oo), []),
    "a rate of a power": (BigO(t**3, t**2, t), []),
    "a rate with a factor": (BigO(t * exp(-t), exp(-t), t), []),
    "a rate of the profile": (BigO(delta(L1, L2)(t), exp(t), t, -oo), []),
    # compositions
    "one copy too many": (Eq(delta(*CE(k + 1))(0), delta(*CE(k))(0)), []),
    "no gain by copies": (Le(delta(*CE(2))(0), delta(P, Q)(0)), []),
    "a sum short by one": (Eq(inner_mean(PLD(*CE(k))), (k + 1) * inner_mean(Z)),
                           [Defined(inner_mean(Z))]),
    "divergences of k copies": (Eq(R(2, *CE(k)), R(2, P, Q)), [Defined(R(2, P, Q))]),
    "moments of k copies": (Eq(E(2, *CE(k)), k * E(2, P, Q)), [Defined(E(2, P, Q))]),
    "nothing composed": (Eq(delta(*CE(0))(0), delta(P, Q)(0)), []),
    "a hidden parameter": (Eq(delta(*CR(1))(0), sp.tanh(s)), []),
    "responses of k": (Le(delta(*CR(k))(0), sp.tanh(s / 2)), []),
    "an adaptive pair as its first": (Eq(delta(J, K)(0), delta(P1, Q1)(0)), []),
    "an adaptive pair below its second": (Le(delta(J, K)(0), Sup(delta(PO, QO)(0), o)), []),
    "a product below its largest": (
        Le(delta(PP, QQ)(0), sp.Max(delta(P1, Q1)(0), delta(P2, Q2)(0))), []),
    "a product of profiles": (Eq(delta(PP, QQ)(0), delta(P1, Q1)(0) * delta(P2, Q2)(0)), []),
    "eps of a product": (Le(delta(PP, QQ)(x), delta(P1, Q1)(x) + delta(P2, Q2)(x)), [Ge(x, 0)]),
    # subsampling and mixtures
    "a sample of the other side": (Le(delta(Q, MIX)(0), lam**2 * delta(Q, P)(0)), UNIT),
    "a sample for nothing": (Eq(delta(MIX, Q)(0), delta(P, Q)(0)), UNIT),
    "a sample at eps": (Le(delta(MIX, Q)(e), lam * delta(P, Q)(e) / 2), [*UNIT, Ge(e, 0)]),
    # masses, numbers, sums
    "masses that add up": (Eq(P(Union(S, U)), P(S) + P(U)), []),
    "independent events": (Eq(P(Intersection(S, U)), P(S) * P(U)), []),
    "a binomial mean beyond": (Le(BinomialMean(j, j, n, lam), n * lam - lam), UNIT),
    "a sum short of its end": (Eq(FiniteSum(j, j, 1, n), n * (n - 1) / 2), []),
    "a root of a square": (Eq(sp.sqrt(x**2), x), []),
    "a power below 1": (Le(x**n, 1), [Le(x, 1)]),
}


@pytest.mark.parametrize("name", FALSE)
def test_the_numbers_see_it(name):
    claim, where = FALSE[name]
    assert doubts(Statement("false/statement", claim, where=tuple(where))) is not None


def test_there_are_a_hundred():
    assert len(FALSE) >= 100
