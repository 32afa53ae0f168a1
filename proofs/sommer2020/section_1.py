"""Abstract and Section 1: what the paper says that it shows."""

import sympy as sp

from lapdp import finite, gaussian, laplace, randomized_response
from lapdp.theory import *

P, Q = pair("P", "Q")
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
Z, Z1, Z2 = PLD(P, Q), PLD(P1, Q1), PLD(P2, Q2)
n = naturals("n", start=1)
C = composition("P^n", "Q^n", each=(P, Q))
Zn = PLD(*C(n))
eps, t, x, y, q = reals("eps t x y q")
mass, lost = reals("delta w")
sigma, d, order, many = positives("sigma d r n")

w = outcome("w")
FIRST = pair("P_1", "Q_1")
P_JOINT, Q_JOINT = adaptive_pair(FIRST, family("P_2", "Q_2", w))
G, H = mechanism_pair(gaussian(sigma, d), "G", "H")
GG, HH = product_pair(
    mechanism_pair(gaussian(sigma, d), "G1", "H1"), mechanism_pair(gaussian(sigma, d), "G2", "H2")
)
GAUSSES = composition("G^n", "H^n", mechanism=lambda j: gaussian(sigma, d))
INFINITE = Pr(Zn, "==", sp.oo)
FINITE = [Defined(inner_variance(Z))]
CONVERGES = (
    "Read of the whole distribution of every mechanism: a Gauss distribution has no mass at "
    "infinity, so omega_n(oo) = 1 - (1 - omega_1(oo))^n (theorem-6.item-1) would have to tend to "
    "0.  It tends to 1 wherever omega_1(oo), here w, is not 0, and any w of [0, 1] is that "
    "of a mechanism."
)


def normal(at, count):
    """The density of the loss of so many Gaussian releases."""
    spread = count * d**2 / sigma**2
    return sp.exp(-((at - spread / 2) ** 2) / (2 * spread)) / sp.sqrt(2 * sp.pi * spread)


SPREAD, THIRD = sp.sqrt(inner_variance(Z)), inner_moment(Z, 3, inner_mean(Z))
SAME_LOSS = Implies(
    Eq(R(1 + order, P1, Q1), R(1 + order, P2, Q2)), Eq(F(Z1)(x), F(Z2)(x)), over=(order,)
)
CANONICAL = ["section-1.claim-9.rdp.letter", "section-1.claim-9.rdp"]
LEAKY = {"pairs": {
    "P1": finite(["1/2", "1/2"], ["1", "0"]), "P2": finite(["1/4", "3/4"], ["1", "0"])
}}
CLASS = [Defined(THIRD), Gt(inner_variance(Z), 0)]
NORMAL = sp.erfc(-(x - n * inner_mean(Z)) / (sp.sqrt(2) * sp.sqrt(n) * SPREAD)) / 2
LIMIT = Lt(
    sp.Abs(Pr(Zn, "<=", x) / (1 - INFINITE) - NORMAL),
    sp.Rational(4748, 10000) * THIRD / (sp.sqrt(n) * SPREAD**3),
)
STANDARD = (
    "Under the hypotheses of Theorem 4, given that the loss is finite: the distance to the normal "
    "distribution function is below c/sqrt(n), for all points at once."
)
MEAN = d**2 / (2 * sigma**2)
ERF = (
    sp.erfc((eps - MEAN) / (sp.sqrt(2) * d / sigma))
    - sp.exp(eps) * sp.erfc((eps + MEAN) / (sp.sqrt(2) * d / sigma))
) / 2
ANY = (
    r"\text{the PLD of any mechanism [...] converges to a Gauss distribution, which we call the "
    r"privacy loss class of the mechanism}"
)

with theorem("sommer2020/abstract", "Abstract", fidelity="printed"):
    claim(
        "abstract.claim-2",
        LIMIT,
        where=CLASS,
        printed=r"\text{the privacy loss under sequential composition [...] will converge to "
        r"a Gauss distribution (the central limit theorem for DP)}",
        note=STANDARD + "  Read of mechanisms as in Theorem 4; to the letter, of every one, see "
        "section-1.claim-11.letter.",
    )
    claim(
        "abstract.claim-4",
        Eq(delta(G, H)(eps), ERF),
        printed=r"\text{an exact analytical and closed formula for the Gauss mechanism, that, "
        r"given }\epsilon\text{, calculates }\delta",
        note="Any sigma and any distance of the two means, so any number of releases.",
    )

with theorem("sommer2020/section-1.theorem-4", "Informal Theorem 4: the CLT for ADP",
             fidelity="printed"):
    GIVEN = r"\text{with finite variance }\sigma^2\text{ and finite mean }\mu\text{. Then, [...]}"
    claim(
        "section-1.theorem-4.claim-1",
        Eq(inner_variance(Zn), n * inner_variance(Z)),
        where=[ac(P, Q), Defined(inner_variance(Z))],
        printed=GIVEN + r"\ \omega_n\text{ [...] has variance }n\cdot\sigma^2",
        note="A finite mean leaves no mass at infinity.",
    )
    claim(
        "section-1.theorem-4.claim-2",
        Eq(inner_mean(Zn), n * inner_mean(Z)),
        where=[ac(P, Q), Defined(inner_variance(Z))],
        printed=GIVEN + r"\text{ has variance }n\cdot\sigma^2\text{ and mean }n\cdot\mu",
        note="A finite mean leaves no mass at infinity.",
    )
    claim(
        "section-1.theorem-4.claim-3",
        LIMIT,
        where=CLASS,
        printed=r"\text{if }\sigma^2>0\text{ and the third absolute moment of }\omega\text{ is "
        r"finite, then }\omega_n\text{ converges against a Gauss distribution with variance }"
        r"n\cdot\sigma^2\text{ and mean }n\cdot\mu",
        note=STANDARD,
    )

with theorem("sommer2020/section-1", "Introduction", fidelity="printed"):
    claim(
        "section-1.claim-1",
        Ge(delta(P_JOINT, Q_JOINT)(eps), delta(*FIRST)(eps)),
        printed=r"\text{These privacy guarantees naturally deteriorate under repeated adversarial "
        r"observation}",
        note="Another release, chosen after the outcome of the first, never lowers delta.",
    )
    claim(
        "section-1.claim-3",
        Lt(
            delta(*mechanism_pair(laplace(1) ** 2, "L", "L'"))(1),
            delta(*mechanism_pair(randomized_response(1) ** 2, "R", "R'"))(1),
        ),
        printed=r"\text{better fitting worst-case distributions can lead to significantly tighter "
        r"bounds under composition}",
        note="Two releases of Laplace noise of scale 1, each 1-DP, at eps = 1, against two of "
        "randomized response with eps = 1, the worst case of 1-DP.",
        fidelity="instance",
    )
    claim(
        "section-1.claim-5",
        Iff(Le(delta(P, Q)(eps), 0), Eq(Pr(Z, ">", eps), 0)),
        printed=r"\text{the PLD can be used for deriving [...] pure differential privacy (DP)}",
        note="For one order of the two inputs; the other by the dual PLD.",
    )
    claim(
        "section-1.claim-6",
        Eq(delta(P, Q)(eps), Ex(sp.Max(0, 1 - sp.exp(eps - Z)), Z)),
        printed=r"\text{the PLD can be used for deriving [...] approximate differential privacy "
        r"(ADP)}",
    )
    claim(
        "section-1.claim-7",
        Eq(E(q, P, Q), Ex(sp.exp((q - 1) * Z), Z)),
        where=[Gt(q, 0), Ne(q, 1)],
        printed=r"\text{the PLD can be used for deriving [...] concentrated differential privacy "
        r"(CDP), Rényi differential privacy (RDP)}",
        note="Both bound the logarithm of this moment, CDP at all orders above 0; of order 1 is "
        "section-1.claim-7.order-1.",
    )
    claim(
        "section-1.claim-7.order-1",
        Eq(Ex(Z, Z), Omega(P * sp.log(P / Q))),
        printed=r"\text{the PLD can be used for deriving [...] concentrated differential privacy "
        r"(CDP), Rényi differential privacy (RDP)}",
        note="At order 1 the divergence is the mean of the loss, +oo included.",
    )
    claim(
        "section-1.claim-8",
        Eq(Pr(Z, ">", eps), P(Where(Gt(P, sp.exp(eps) * Q)))),
        printed=r"\text{the PLD can be used for deriving [...] probabilistic differential privacy "
        r"(PDP)}",
        note="The probability of the least set outside of which pure DP holds; for one order of "
        "the two inputs, the other by the dual PLD.",
    )
    claim(
        "section-1.claim-9.adp",
        Implies(
            Eq(delta(P1, Q1)(t), delta(P2, Q2)(t)), Eq(F(Z1)(x), F(Z2)(x)), over=(t,)
        ),
        printed=r"\text{the PLD is a unique canonical representation for RDP and ADP}",
        note="ADP-graphs for all real eps, as in Definition 5.",
    )
    claim(
        "section-1.claim-9.rdp.letter",
        SAME_LOSS,
        hints=LEAKY,
        printed=r"\text{the PLD is a unique canonical representation for RDP and ADP}",
        expected="refuted",
        readings=CANONICAL,
        note="To the letter, for every two pairs: with infinite losses every divergence is "
        "infinite, whatever their mass.",
    )
    claim(
        "section-1.claim-9.rdp",
        SAME_LOSS,
        where=Exists(t, Converges(B(delta(P1, Q1)(y), y, t))),
        printed=r"\text{the PLD is a unique canonical representation for RDP and ADP}",
        readings=CANONICAL,
        note="Read with a finite divergence of some order above 1, as under the condition of "
        "Lemma 8.",
    )
    claim(
        "section-1.claim-11.letter",
        Eq(Lim(1 - (1 - lost) ** many, many, sp.oo), 0),
        where=[Ge(lost, 0), Le(lost, 1)],
        printed=ANY,
        expected="refuted",
        readings=["section-1.claim-11.letter", "section-1.claim-11"],
        note=CONVERGES,
    )
    claim(
        "section-1.claim-11",
        LIMIT,
        where=CLASS,
        printed=ANY,
        readings=["section-1.claim-11.letter", "section-1.claim-11"],
        note="Read as the theorem that is announced: " + STANDARD[0].lower() + STANDARD[1:],
    )
    LINEAR = (
        r"\text{This Gauss distribution has a variance and mean that directly follows from the "
        r"variance and mean of the PLD and both values linearly grow under composition}"
    )
    claim(
        "section-1.claim-12.mean",
        Eq(inner_mean(Zn), n * inner_mean(Z)),
        where=FINITE,
        printed=LINEAR,
        note="Given that the loss is finite; where its variance is.",
    )
    claim(
        "section-1.claim-12.variance",
        Eq(inner_variance(Zn), n * inner_variance(Z)),
        where=FINITE,
        printed=LINEAR,
        note="Given that the loss is finite; where its variance is.",
    )
    claim(
        "section-1.claim-13",
        Eq(f(PLD(G, H))(y), normal(y, 1)),
        printed=r"\text{the PLD of the Gauss mechanism is again a Gauss distribution}",
        note="The density, d = |x0 - x1| > 0, every sigma.",
    )
    claim(
        "section-1.claim-15.gauss",
        AllOf((
            Eq(f(PLD(GG, HH))(y), normal(y, 2)),
            Eq(E(q, *GAUSSES(n)), E(q, *mechanism_pair(gaussian(sigma, d * sp.sqrt(n)), "A", "B"))),
        )),
        where=Gt(q, 1),
        printed=r"\text{these distributions remain Gauss / binomial distributions under "
        r"self-convolution}",
        note="Two releases; and every number n of them, by all moments: those of a Gauss mechanism "
        "at sqrt(n) times the distance, so that the law is its law (section-1.claim-9.rdp).",
    )
