"""Proposition 16, and lossless conversions between functions of a pair."""

import sympy as sp

from lapdp import exponential
from lapdp.theory import *

P, Q = pair("P", "Q")
P1, Q1 = pair("P_1", "Q_1")
P2, Q2 = pair("P_2", "Q_2")
BOTH, HTOB = product_pair((P1, Q1), (P2, Q2), names=("P_1 x P_2", "Q_1 x Q_2"))
o = outcome("o")
P2o, Q2o = family("P_2", "Q_2", o)
JOINT, TNIOJ = adaptive_pair((P1, Q1), (P2o, Q2o), ("P_{1:2}", "Q_{1:2}"))
alpha, eps, t, s, x, a, b = reals("alpha eps t s x a b")
m, n = positives("m n")
r, w = positives("r w")
I = sp.I

CONTINUOUS = [ac(P1, Q1), ac(P2, Q2)]
LEVEL = [Ge(x, 0), Le(x, 1)]
PRODUCT = r"\phi_{(\mathcal M_1,\mathcal M_2)}(\alpha)" \
    r"=\phi_{\mathcal M_1}(\alpha)\cdot\phi_{\mathcal M_2}(\alpha)"
RELEASES = ["proposition-16.reading-1", "proposition-16.reading-2"]
EXISTENCE = ["section-4.2.claim-21.reading-1", "section-4.2.claim-21.reading-2"]
BACK = (
    r"\phi\text{-function [...] can be losslessly converted back and forth with other "
    r"representation such as }%s"
)
GIVEN = "P << Q, so that phi exists.  From phi at all real alpha to the other function."
RETURN = "And back; P << Q, so that phi exists."


def phi(P, Q, u=alpha):
    """The characteristic function of the loss log(P/Q) under P."""
    return Ex(sp.exp(I * u * PLD(P, Q)), PLD(P, Q))


def finite_part(P, Q):
    """The same over the finite losses, for every pair."""
    return B(f(PLD(P, Q))(t), t)(-I * alpha)


def mgf(P, Q):
    """The moment generating function of the loss."""
    return Ex(sp.exp(s * PLD(P, Q)), PLD(P, Q))


SAME_PHI = Eq(phi(P1, Q1), phi(P2, Q2))

with theorem("zhu2021/proposition-16", "Characteristic functions of compositions",
             fidelity="printed"):
    claim(
        "proposition-16.reading-1",
        Eq(phi(BOTH, HTOB), phi(P1, Q1) * phi(P2, Q2)),
        where=CONTINUOUS,
        printed=PRODUCT,
        note="Independent releases, or the product of dominating pairs (Theorem 10); P_i << Q_i, "
        "so that both functions exist.",
        readings=RELEASES,
    )
    claim(
        "proposition-16.reading-2",
        Eq(finite_part(BOTH, HTOB), finite_part(P1, Q1) * finite_part(P2, Q2)),
        printed=PRODUCT,
        note="Every two pairs, over the finite losses: mass at infinity does no harm.",
        readings=RELEASES,
    )
    claim(
        "proposition-16.adaptive",
        Le(delta(JOINT, TNIOJ)(eps), delta(BOTH, HTOB)(eps)),
        where=[ForAll((o, t), Le(delta(P2o, Q2o)(t), delta(P2, Q2)(t)))],
        kind="law",
        note="Of adaptive releases the product is the function of a dominating pair, as Definition "
        "12 has it, and not of the outputs themselves.",
    )
    claim(
        "proposition-16.slide-1",
        Eq(sp.exp(sp.log(m) + I * a + sp.log(n) + I * b), m * sp.exp(I * a) * n * sp.exp(I * b)),
        printed=r"\text{Take complex logarithm}",
        fidelity="instance",
        note="Of the slide only the arithmetic of polar forms phi_1 = m e^(ia), phi_2 = n e^(ib), "
        "where neither is 0: the sum of any logarithms of the two is a logarithm of the product "
        "(proposition-16.reading-1).",
    )
    claim(
        "proposition-16.slide-2",
        Eq(sp.log(m * n), sp.log(m) + sp.log(n)),
        printed=r"\text{Add up the magnitude}",
        fidelity="instance",
        note="Of the slide only the law, where neither function is 0: the real parts of the "
        "logarithms, log of the magnitudes, add up.",
    )
    claim(
        "proposition-16.slide-3",
        Eq(sp.exp(I * a) * sp.exp(I * b), sp.exp(I * (a + b))),
        printed=r"\text{add up the phase}",
        fidelity="instance",
        note="Of the slide only the law: the phases add up, modulo 2 pi.",
    )

with theorem("zhu2021/section-4.2.conversions", "Lossless conversion rules", fidelity="printed"):
    claim(
        "section-4.2.claim-14.1",
        Implies(SAME_PHI, Eq(delta(P1, Q1)(eps), delta(P2, Q2)(eps)), over=(alpha,)),
        where=CONTINUOUS,
        printed=BACK % r"\text{the privacy-profile}",
        note=GIVEN,
    )
    claim(
        "section-4.2.claim-14.2",
        Implies(Eq(delta(P1, Q1)(eps), delta(P2, Q2)(eps)), SAME_PHI, over=(eps,)),
        where=CONTINUOUS,
        printed=BACK % r"\text{the privacy-profile}",
        note=RETURN,
    )
    claim(
        "section-4.2.claim-14.3",
        Implies(Eq(finite_part(P1, Q1), finite_part(P2, Q2)),
                Eq(delta(P1, Q1)(eps), delta(P2, Q2)(eps)), over=(alpha,)),
        kind="law",
        note="Every two pairs, with mass at infinity too: it is what phi lacks of 1 at 0.",
    )
    claim(
        "section-4.2.claim-15.1",
        Implies(SAME_PHI, Eq(T(P1, Q1)(x), T(P2, Q2)(x)), over=(alpha,)),
        where=[*CONTINUOUS, *LEVEL],
        printed=BACK % r"\text{[...] tradeoff function}",
        note=GIVEN,
    )
    claim(
        "section-4.2.claim-15.2",
        ImpliesOn(Eq(T(P1, Q1)(x), T(P2, Q2)(x)), SAME_PHI, x, 0, 1),
        where=CONTINUOUS,
        printed=BACK % r"\text{[...] tradeoff function}",
        note=RETURN,
    )
    claim(
        "section-4.2.claim-16.1",
        Implies(SAME_PHI, Eq(mgf(P1, Q1), mgf(P2, Q2)), over=(alpha,)),
        where=CONTINUOUS,
        printed=BACK % r"\text{[...] moment-generating function}",
        note=GIVEN + "  Values in [0, +oo].",
    )
    claim(
        "section-4.2.claim-16.2",
        Implies(Eq(mgf(P1, Q1), mgf(P2, Q2)), SAME_PHI, over=(s,)),
        where=CONTINUOUS,
        printed=BACK % r"\text{[...] moment-generating function}",
        note=RETURN + "  The function at all real s: between -1 and 0 it always exists.",
    )
    claim(
        "section-4.2.claim-17.1",
        Implies(SAME_PHI, Eq(F(PLD(P1, Q1))(x), F(PLD(P2, Q2))(x)), over=(alpha,)),
        where=CONTINUOUS,
        printed=BACK % r"\text{[...] the distribution function of the privacy loss RV}",
        note=GIVEN,
    )
    claim(
        "section-4.2.claim-17.2",
        Implies(Eq(F(PLD(P1, Q1))(x), F(PLD(P2, Q2))(x)), SAME_PHI, over=(x,)),
        where=CONTINUOUS,
        printed=BACK % r"\text{[...] the distribution function of the privacy loss RV}",
        note=RETURN,
    )
    claim(
        "section-4.2.claim-18",
        Eq(delta(P, Q)(eps),
           Pr(PLD(P, Q), ">", eps) - sp.exp(eps) * Pr(PLD(Q, P), "<", -eps)),
        printed=r"\text{the fourth equivalent definition of }(\varepsilon,\delta)\text{-DP in "
        r"Lemma 5, which depends on the [...] (CDF) of the privacy loss random "
        r"variables }L_{P,Q}\text{ and }L_{Q,P}",
        note="Definition 1 and three items: the fourth is item 3; as an identity, for every pair "
        "and real eps.",
    )
    claim(
        "section-4.2.claim-21.reading-1",
        Defined(E(1 + r, P, Q)),
        where=[Defined(E(1 + w, P, Q))],
        printed=r"\text{the MGF when it exists in the neighborhood of 0 (which implies the "
        r"existence of Renyi-divergence with }\alpha>0",
        expected="refuted",
        hints={"pairs": {"P": exponential(1, 2)}, "witness": {"w": sp.Rational(1, 2), "r": 1}},
        note="At every order above 1: the MGF exists for |s| <= 1/2, and E_2 is +oo.  For orders "
        "between 0 and 1 nothing need be supposed.",
        readings=EXISTENCE,
    )
    claim(
        "section-4.2.claim-21.reading-2",
        Defined(E(1 + r, P, Q)),
        where=[Defined(E(1 + w, P, Q)), Le(r, w)],
        printed=r"\text{the MGF when it exists in the neighborhood of 0 (which implies the "
        r"existence of Renyi-divergence with }\alpha>0",
        note="At the orders 1 + r of that neighbourhood, with r > 0: every pair.  At order 1 the "
        "mean loss is finite with them, as log(u) <= u^r/r; orders from 0 to 1 are "
        "section-4.2.claim-7.below.",
        readings=EXISTENCE,
    )
    claim(
        "section-4.2.claim-22",
        Implies(Eq(mgf(P1, Q1), mgf(P2, Q2)),
                Eq(delta(P1, Q1)(eps), delta(P2, Q2)(eps)), over=(s,)),
        printed=r"\text{the MGF when it exists in the neighborhood of 0 (which implies [...] a "
        r"lossless inversion formula)}",
        note="Every two pairs: the function determines them, also with mass at infinity; the "
        "formula is the inversion integral on a line between -1 and 0.",
    )
