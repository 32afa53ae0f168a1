"""Claims about every pair: which are proved, on which kernels others fail, which are refuted."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.verdict import HOLDS, Kind
from lapdp.theory import *
from lapdp.theory.engine import judge
from lapdp.theory.hypotheses import gather
from lapdp.theory.methods.kernels import KernelMethod, describe_choice

P, Q = pair()
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
PP, QQ = product_pair((P1, Q1), (P2, Q2))
Z, Zp = PLD(P, Q), PLD(Q, P)
Z1, Z2, ZZ = PLD(P1, Q1), PLD(P2, Q2), PLD(PP, QQ)
S = Event("S")
eps, t, z, tau, a, q, x = reals("eps t z tau a q x")
r, s = complexes("r s")
e, oo = sp.exp, sp.oo
profile, moment = delta(P, Q), E(r, P, Q)
second = D(delta(P2, Q2)(tau), tau, 2) - D(delta(P2, Q2)(tau), tau)
STRIP = [Gt(sp.re(r), 0), Lt(sp.re(r), 1)]


def statement(form, where=()):
    return Statement(id="test/claim", claim=form, where=tuple(where))


def verdict(form, where=(), patience=1.0):
    return judge(statement(form, where), numeric=False, patience=patience)


PROVED = {
    "6": (Eq(Sup(P(S) - e(eps) * Q(S), S), Omega(sp.Max(0, P - e(eps) * Q))), []),
    "7": (Eq(delta(Q, P)(eps), 1 - e(eps) + e(eps) * profile(-eps)), []),
    "7, masses of both": (Eq(profile(eps) - e(eps) * delta(Q, P)(-eps), 1 - e(eps)), []),
    "8": (Eq(Omega(P**r * Q ** (1 - r)), moment), STRIP),
    "9": (Eq(moment, E(1 - r, Q, P)), [Defined(moment)]),
    "19": (Eq(f(Z)(z), e(z) * f(Zp)(-z)), []),
    "20.1": (Eq(profile(eps), Ex(sp.Max(0, 1 - e(eps - Z)), Z)), []),
    "20.2": (Eq(profile(eps), Ex(sp.Max(0, e(-Zp) - e(eps)), Zp)), [ac(P, Q)]),
    "20.3": (Eq(profile(eps), Pr(Z, ">", eps) - e(eps) * Pr(Zp, "<", -eps)), []),
    "22": (Eq(profile(eps), L(1 - F(Z)(t + eps), t, 1)), []),
    "23": (Eq(profile(eps), e(eps) * L(F(Zp)(-t - eps), t, -1)), [ac(P, Q)]),
    "25": (
        Eq(profile(eps), L(f(Z)(t + eps), t, 0) - e(eps) * L(f(Zp)(-t - eps), t, 0)),
        [ac(P, Q)],
    ),
    "26": (Eq(moment, B(f(Z)(t), t, 1 - r)), [ac(P, Q), ac(Q, P), Defined(moment)]),
    "27": (
        Eq(E(q, P, Q), q * (q - 1) * B(profile(t), t, 1 - q)),
        [Gt(q, 1), Converges(B(profile(t), t, 1 - q))],
    ),
    "30, strict": (Eq(profile(eps), 1 - F(Z)(eps) - e(eps) * F(Zp)(-eps, strict=True)), []),
    "30, no atom": (Eq(profile(eps), 1 - F(Z)(eps) - e(eps) * F(Zp)(-eps)), [NoAtom(Z, eps)]),
    "33": (Eq(moment, 1 + r * (r - 1) * B(profile(t) - sp.Max(0, 1 - e(t)), t, 1 - r)), STRIP),
    "37": (
        Eq(
            profile(eps),
            sp.Max(0, 1 - e(eps)) + Linv((E(1 - s, P, Q) - 1) / (s * (s - 1)), s, eps, a),
        ),
        [Gt(a, 0), Lt(a, 1)],
    ),
    "47": (
        Eq(delta(PP, QQ)(eps), Int(delta(P1, Q1)(eps - tau) * second, tau) + Pr(Z2, "==", oo)),
        [],
    ),
    "47, as a convolution": (
        Eq(delta(PP, QQ)(eps), conv(delta(P1, Q1)(eps), f(Z2)(eps), eps)),
        [ac(P2, Q2)],
    ),
    "50": (Eq(E(q, PP, QQ), E(q, P1, Q1) * E(q, P2, Q2)), [Gt(q, 0), Lt(q, 1)]),
    "basic composition": (Le(delta(PP, QQ)(x + z), delta(P1, Q1)(x) + delta(P2, Q2)(z)), []),
    "mass at infinity": (
        Eq(
            Pr(ZZ, "==", oo),
            Pr(Z1, "==", oo) + Pr(Z2, "==", oo) - Pr(Z1, "==", oo) * Pr(Z2, "==", oo),
        ),
        [],
    ),
    "diverges": (Diverges(B(profile(t), t, 1 - q)), [Le(q, 1)]),
    "converges": (Converges(L(profile(t), t, x)), [Gt(x, 0)]),
    "defined": (Defined(moment), STRIP),
    "R defined": (Defined(R(q, P, Q)), [Gt(q, 0), Lt(q, 1), ac(P, Q)]),
    "continuous": (Continuous(profile(t), t), []),
    "below": (Ge(profile(eps), 1 - e(eps)), []),
    "above": (Le(profile(eps), Pr(Z, ">", eps)), []),
    "minimum": (Eq(Omega(sp.Min(P, Q)), 1 - profile(0)), []),
    "maximum": (Eq(Omega(sp.Max(P, Q)), 1 + profile(0)), []),
    "no atom": (Eq(Pr(Z, "==", eps), 0), [NoAtom(Z, eps)]),
    "Q << P": (Eq(Ex(e(-Z), Z), 1), [ac(Q, P)]),
    "limit": (Eq(Lim(profile(t), t, oo), Pr(Z, "==", oo)), []),
    "between orders": (Defined(E(q / 2, P, Q)), [Defined(E(q, P, Q)), Gt(q, 2)]),
}


@pytest.mark.parametrize("name", PROVED)
def test_proved(name):
    found = verdict(*PROVED[name], patience=0.0)
    assert found.kind in HOLDS, found.reason
    assert found.proof.cells > 0


FAILS_ON = {
    "20.2": (Eq(profile(eps), Ex(sp.Max(0, e(-Zp) - e(eps)), Zp)), [], {"P,Q: k(+oo)"}),
    "23": (Eq(profile(eps), e(eps) * L(F(Zp)(-t - eps), t, -1)), [], {"P,Q: k(+oo)"}),
    "30": (Eq(profile(eps), 1 - F(Z)(eps) - e(eps) * F(Zp)(-eps)), [], {"P,Q: k(z)"}),
    "47": (
        Eq(delta(PP, QQ)(eps), Int(delta(P1, Q1)(eps - tau) * second, tau)),
        [],
        {f"P1,Q1: {k}; P2,Q2: k(+oo)" for k in ("k(z)", "k(+oo)")},
    ),
    "P << Q": (Eq(Pr(Z, "==", oo), 0), [], {"P,Q: k(+oo)"}),
    "mass": (Eq(Ex(e(-Z), Z), 1), [ac(P, Q)], {"P,Q: k(z)"}),
    "order 2": (Defined(E(2, P, Q)), [], {"P,Q: k(z)", "P,Q: k(+oo)"}),
}


@pytest.mark.parametrize("name", FAILS_ON)
def test_failing_kernels(name):
    form, where, expected = FAILS_ON[name]
    claim = statement(form, where)
    failures = KernelMethod(claim, gather(claim)).execute().failures()
    assert {describe_choice(choice) for choice, _, _ in failures} == expected


REFUTED = {
    "sign": (Eq(delta(Q, P)(eps), 1 - e(eps) - e(eps) * profile(-eps)), []),
    "orientation": (Eq(delta(Q, P)(eps), profile(-eps)), []),
    "20.2": (Eq(profile(eps), Ex(sp.Max(0, e(-Zp) - e(eps)), Zp)), []),
    "23": (Eq(profile(eps), e(eps) * L(F(Zp)(-t - eps), t, -1)), []),
    "25": (Eq(profile(eps), L(f(Z)(t + eps), t, 0) - e(eps) * L(f(Zp)(-t - eps), t, 0)), []),
    "30": (Eq(profile(eps), 1 - F(Z)(eps) - e(eps) * F(Zp)(-eps)), []),
    "47": (Eq(delta(PP, QQ)(eps), Int(delta(P1, Q1)(eps - tau) * second, tau)), []),
    "L for B": (Eq(E(q, P, Q), L(f(Z)(t), t, 1 - q)), [Gt(q, 0), Lt(q, 1), ac(P, Q), ac(Q, P)]),
    "B for L": (Eq(profile(eps), B(1 - F(Z)(t + eps), t, 1)), []),
    "frequency": (Eq(profile(eps), L(1 - F(Z)(t + eps), t, 2)), []),
    "mass at infinity": (Eq(Pr(Z, "<", oo), 1), []),
    "one direction": (Eq(Ex(e(-Z), Z), 1), [ac(P, Q)]),
    "masses": (Eq(Pr(Z, "<", oo), Ex(sp.Integer(1), Zp)), []),
    "atom at the edge": (Eq(F(Z)(eps), F(Z)(eps, strict=True)), []),
    "atom at the cut": (Eq(Int(f(Z)(t), t, 0, oo), Pr(Z, ">=", 0)), [ac(P, Q)]),
    "another atom": (Eq(Pr(Z, "==", eps + 1), 0), [NoAtom(Z, eps)]),
    "strict": (Lt(profile(eps), 1), []),
    "strict positive": (Gt(Ex(Z, Z), 0), [ac(P, Q), ac(Q, P)]),
    "sup": (Eq(Sup(P(S) - Q(Complement(S)), S), profile(0)), []),
    "sup of a multiple": (Eq(Sup(a * P(S), S), a), []),
    "sum of profiles": (Eq(delta(PP, QQ)(eps), delta(P1, Q1)(eps) + delta(P2, Q2)(eps)), []),
    "product of tails": (Eq(Pr(ZZ, "==", oo), Pr(Z1, "==", oo) * Pr(Z2, "==", oo)), []),
    "R where E_q = 0": (Defined(R(q, P, Q)), [Gt(q, 0), Lt(q, 1)]),
    "R at complex orders": (Defined(R(r, P, Q)), [*STRIP, ac(P, Q), ac(Q, P)]),
    "R_q infinite": (Defined(R(q, P, Q)), [Gt(q, 1), ac(P, Q)]),
    "converges": (Converges(B(profile(t), t, 1 - q)), [Gt(q, 1), ac(P, Q)]),
    "diverges": (Diverges(B(profile(t), t, 1 - q)), [Gt(q, 1)]),
    "limit": (Eq(Lim(profile(t), t, oo), 0), []),
    "division by zero": (Eq((x**2 - 1) / (x - 1), x + 1), []),
    "division by zero inside": (Ge(profile(1 / x), 0), []),
    "left of the poles": (
        Eq(Linv(E(1 - s, P, Q) / (s * (s - 1)), s, eps, a), profile(eps)),
        [Gt(a, 1), ac(P, Q)],
    ),
    "pole on the line": (Eq(Linv(1 / s, s, x, 0), Indicator(Gt(x, 0))), [Ne(x, 0)]),
    "value at a jump": (Eq(Linv(1 / (s - 1), s, 0, 2), 1), []),
    "monotone in the wrong direction": (Ge(profile(eps), profile(eps - 1)), []),
    "E_q below 1": (Le(E(2, P, Q), 1), [ac(P, Q)]),
}


@pytest.mark.parametrize("name", REFUTED)
def test_refuted(name):
    found = verdict(*REFUTED[name], patience=4.0)
    assert found.kind is Kind.REFUTED, (found.kind, found.reason)
    assert found.witness.text is not None


UNREACHED = {
    "degree 2": (Eq(profile(eps) ** 2, profile(2 * eps)), [Gt(eps, 0)]),
    "square of a moment": (Ge(E(2, P, Q) ** 2, E(3, P, Q)), [ac(P, Q)]),
    "log of a profile": (Le(sp.log(profile(eps)), 0), []),
    "sup with a constant": (Eq(Sup(P(S) - Q(S) + 1, S), profile(0)), []),
    "value of a density": (Eq(f(Z)(0), 0), []),
    "self composition": (
        Eq(E(q, *product_pair((P, Q), (P, Q))), E(2 * q - 1, P, Q)),
        [ac(P, Q), ac(Q, P)],
    ),
    "self composition, profile": (Le(delta(*product_pair((P, Q), (P, Q)))(eps), profile(eps)), []),
    "finite kernels only": (Eq(E(0, Q, P), Pr(Z, "<=", oo) - Pr(Zp, "==", oo)), []),
    "up to masses": (Eq(profile(eps), 2 - e(eps) + e(eps) * delta(Q, P)(-eps)), []),
}


@pytest.mark.parametrize("name", UNREACHED)
def test_never_proved(name):
    assert verdict(*UNREACHED[name], patience=0.1).kind not in HOLDS
