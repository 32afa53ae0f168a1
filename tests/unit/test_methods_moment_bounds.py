"""Bounded letters, multiples of moments, moments of whole orders: what they must not prove."""

import pytest
import sympy as sp

from lapdp.core.verdict import HOLDS
from lapdp.theory import *
from lapdp.theory.engine import judge
from tests.patience import with_nightly

P, Q = pair("P", "Q")
A, B = pair("A", "B")
C, D_ = pair("C", "D")
Z = PLD(P, Q)
a, eps, rho, x, b, c, t0, y0, y1 = reals("a eps rho x b c t0 y0 y1")
scale, slope = positives("scale slope")
n, k, j = naturals("n k j")
T, y, d, F1, F2, g = sequences("T y d F1 F2 g")
ORDER = Gt(a, 1)
KNOWN = [ORDER, Le(R(a, P, Q), rho)]
CKS = (1 - 1 / a) ** a / (a - 1)
GROWS = ForAll((j,), Lt(E(j + 1, A, B), scale * slope**j * sp.factorial(j)))
SAME = Eq(F(PLD(A, B))(x), F(PLD(C, D_))(x))
TAILS = [ForAll((j,), Le(Pr(Z, ">=", y[j]), T[j])), ForAll((j,), Lt(y[j], y[j + 1]))]
STEPS = FiniteSum(T[j] * (sp.exp(y[0] - y[j]) - sp.exp(y[0] - y[j + 1])), j, 0, k - 1)


def proved(form, where=()):
    found = judge(Statement("t/x", form, where=tuple(where)), numeric=False, patience=0.05)
    return found.kind in HOLDS


PA, QB = product_pair((P, Q), (A, B), names=("PA", "QB"))
TRUE = {
    "products add": (Eq(R(a, PA, QB), R(a, P, Q) + R(a, A, B)), [ORDER]),
    "products add below 0": (Ge(R(a, PA, QB), R(a, P, Q) + R(a, A, B)), [Lt(a, 0)]),
    "products multiply": (Eq(E(a, PA, QB), E(a, P, Q) * E(a, A, B)), [ORDER]),
    "bounds of products add": (Le(R(a, PA, QB), rho + x), [*KNOWN, Le(R(a, A, B), x)]),
    "tail": (Le(Pr(Z, ">=", eps), sp.exp((a - 1) * (rho - eps))), KNOWN),
    "profile": (Le(delta(P, Q)(eps), CKS * sp.exp((a - 1) * (rho - eps))), KNOWN),
    "moment": (Le(delta(P, Q)(eps), CKS * sp.exp((1 - a) * eps) * E(a, P, Q)), [ORDER]),
    "number": (Le(delta(P, Q)(eps), sp.exp(-2 * eps) * E(3, P, Q) * sp.Rational(4, 27)), []),
    "letter": (Le(delta(P, Q)(y0), x * (1 - sp.exp(y0 - y1)) + c * sp.exp(y0 - y1)),
               [Lt(y0, y1), Le(Pr(Z, ">=", y0), x), Le(Pr(Z, ">=", y1), c)]),
    "steps": (Le(delta(P, Q)(y[0]), STEPS + delta(P, Q)(y[k]) * sp.exp(y[0] - y[k])), TAILS),
    "growth": (Implies(Eq(E(n + 1, A, B), E(n + 1, C, D_)), SAME, over=(n,)), [GROWS]),
    "bounded": (Implies(Eq(E(n + 1, A, B), E(n + 1, C, D_)), SAME, over=(n,)),
                [Eq(Pr(PLD(A, B), ">", b), 0), Eq(delta(C, D_)(c), 0)]),
}
FALSE = {
    "products add at order 1": (Eq(R(a, PA, QB), R(a, P, Q) + R(a, A, B)), [Gt(a, 0)]),
    "oo - oo": (Eq(R(a, PA, QB) - R(a, P, Q) - R(a, A, B), 0), [ORDER]),
    "oo - oo of one": (Eq(R(a, PA, QB) - R(a, P, Q), R(a, A, B)), [ORDER]),
    "0 oo": (Eq(E(a, PA, QB) / E(a, P, Q), E(a, A, B)), [ORDER]),
    "products multiply divergences": (Eq(R(a, PA, QB), R(a, P, Q) * R(a, A, B)), [ORDER]),
    "a factor reversed": (Eq(R(a, PA, QB), R(a, P, Q) + R(a, B, A)), [ORDER]),
    "strict": (Lt(R(a, PA, QB), R(a, P, Q) + R(a, A, B)), [ORDER]),
    "the order for the excess": (Le(Pr(Z, ">=", eps), sp.exp(a * (rho - eps))), KNOWN),
    "orders below 1": (Le(Pr(Z, ">=", eps), sp.exp((a - 1) * (rho - eps))),
                       [Gt(a, 0), Lt(a, 1), Le(R(a, P, Q), rho)]),
    "no order": (Le(Pr(Z, ">=", eps), sp.exp((a - 1) * (rho - eps))), [Le(R(a, P, Q), rho)]),
    "a bound below": (Le(Pr(Z, ">=", eps), sp.exp((a - 1) * (rho - eps))),
                      [ORDER, Ge(R(a, P, Q), rho), Defined(R(a, P, Q))]),
    "the other direction": (Le(delta(Q, P)(eps), sp.exp((a - 1) * (rho - eps))), KNOWN),
    "the constant of the profile for a tail": (
        Le(Pr(Z, ">=", eps), CKS * sp.exp((a - 1) * (rho - eps))), KNOWN),
    "a lower tail": (Le(Pr(Z, "<=", eps), sp.exp((a - 1) * (rho - eps))), KNOWN),
    "a constant too small": (
        Le(delta(P, Q)(eps), sp.exp(-2 * eps) * E(3, P, Q) * sp.Rational(3, 27)), []),
    "strict at equality": (Lt(delta(P, Q)(eps), sp.exp(-2 * eps) * E(3, P, Q) * 4 / 27), []),
    "eps without its sign": (Le(delta(P, Q)(eps), sp.exp(2 * eps) * E(3, P, Q)), []),
    "a letter that counts negatively": (
        Le(delta(P, Q)(y0), x * (sp.exp(y0 - y1) - 1) + 1), [Lt(y0, y1), Le(Pr(Z, ">=", y0), x)]),
    "a letter inside a profile": (
        Le(delta(P, Q)(x), sp.Rational(1, 2)), [Le(Pr(Z, ">=", y0), x)]),
    "levels that fall": (Le(delta(P, Q)(y0), x * (1 - sp.exp(y0 - y1)) + c * sp.exp(y0 - y1)),
                         [Lt(y1, y0), Le(Pr(Z, ">=", y0), x), Le(Pr(Z, ">=", y1), c)]),
    "squares of a mean": (Eq(k * FiniteSum(T[j] ** 2, j, 1, k), FiniteSum(T[j], j, 1, k) ** 2),
                          []),
    "a sum one too long": (Eq(T[0], FiniteSum(T[j] - T[j + 1], j, 0, k) + T[k]), []),
    "moments that may grow": (
        Implies(Eq(E(n + 1, A, B), E(n + 1, C, D_)), SAME, over=(n,)), []),
    "growth of one moment": (Implies(Eq(E(n + 1, A, B), E(n + 1, C, D_)), SAME, over=(n,)),
                             [Lt(E(3, A, B), scale)]),
    "growth like a square": (
        Implies(Eq(E(n + 1, A, B), E(n + 1, C, D_)), SAME, over=(n,)),
        [ForAll((j,), Lt(E(j + 1, A, B), scale * slope ** (j**2) * sp.factorial(j)))]),
    "one pair bounded": (Implies(Eq(E(n + 1, A, B), E(n + 1, C, D_)), SAME, over=(n,)),
                         [Eq(Pr(PLD(A, B), ">", b), 0)]),
    "bounded below": (Implies(Eq(E(n + 1, A, B), E(n + 1, C, D_)), SAME, over=(n,)),
                      [Eq(Pr(PLD(A, B), "<", b), 0), Eq(Pr(PLD(C, D_), "<", b), 0)]),
    "moments from 3 on": (Implies(Eq(E(n + 3, A, B), E(n + 3, C, D_)), SAME, over=(n,)), [GROWS]),
}


@pytest.mark.parametrize("name", with_nightly(TRUE, "steps"))
def test_proved(name):
    assert proved(*TRUE[name])


@pytest.mark.parametrize("name", with_nightly(
    FALSE, "levels that fall", "a letter that counts negatively"))
def test_not_proved(name):
    assert not proved(*FALSE[name])
