"""Characteristic functions of the privacy loss, over its finite values: every pair has them.

As Zhu, Dong, Wang 2022 define them: zhu2021/definition-12.phi, without infinite losses; that of
the reversed pair: laws/reversal.characteristic.
"""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
BOTH, HTOB = product_pair((P1, Q1), (P2, Q2), names=("P1 x P2", "Q1 x Q2"))
u, t, eps, lam = reals("u t eps lambda")
SOURCE = "Zhu, Dong, Wang 2022, Definition 12"


def phi(P, Q, at=u):
    """The integral of e^(i u t) over the finite losses."""
    return B(f(PLD(P, Q))(t), t)(-sp.I * at)


def lost(P, Q):
    """The probability of an infinite loss."""
    return Pr(PLD(P, Q), "==", sp.oo)


with theorem("laws/characteristic", "Characteristic functions of the privacy loss"):
    claim(
        "characteristic.bound",
        Le(sp.Abs(phi(P, Q)), 1 - lost(P, Q)),
        kind="law",
        expected="proved",
        printed=r"|\phi(u)|\leq 1-\Pr[Z=\infty]",
        note=SOURCE + ", advantage 2; mass at infinity is left out.",
    )
    claim(
        "characteristic.at-zero",
        Eq(phi(P, Q, 0), 1 - lost(P, Q)),
        kind="law",
        expected="proved",
        printed=r"\phi(0)=1-\Pr[Z=\infty]",
        note=SOURCE + "; the bound is attained at 0.",
    )
    claim(
        "characteristic.product",
        Eq(phi(BOTH, HTOB), phi(P1, Q1) * phi(P2, Q2)),
        kind="law",
        expected="proved",
        printed=r"\phi_{P_1\times P_2|Q_1\times Q_2}=\phi_{P_1|Q_1}\,\phi_{P_2|Q_2}",
        note="Zhu, Dong, Wang 2022, Proposition 16; mass at infinity multiplies as it should: "
        "1 - m = (1 - m_1)(1 - m_2).",
    )
    claim(
        "characteristic.determines",
        Implies(Eq(phi(P1, Q1), phi(P2, Q2)), Eq(delta(P1, Q1)(eps), delta(P2, Q2)(eps)),
                over=(u,)),
        kind="law",
        expected="proved",
        printed=r"\phi_{P_1|Q_1}=\phi_{P_2|Q_2}\implies\delta_{P_1|Q_1}=\delta_{P_2|Q_2}",
        note="Zhu, Dong, Wang 2022, lossless conversion rules; with mass at infinity, too.",
    )
    claim(
        "characteristic.mixture",
        Eq(phi(lam * P + (1 - lam) * Q, Q), lam * phi(P, Q) + (1 - lam)),
        where=[Gt(lam, 0), Lt(lam, 1), ac(P, Q), ac(Q, P)],
        kind="law",
        expected="refuted",
        hints={"witness": {"lambda": sp.Rational(1, 2), "u": 1}},
        printed=r"\phi_{\lambda P+(1-\lambda)Q|Q}=\lambda\,\phi_{P|Q}+1-\lambda",
        note="Not a law: a sample has other losses, so its function is no mean; Zhu, Dong, Wang "
        "2022, Section 4.2, discretize it.",
    )
