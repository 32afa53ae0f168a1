"""Section 4.6: Renyi and concentrated differential privacy, Definitions 8 and 9."""

import sympy as sp

from lapdp import finite
from lapdp.theory import *

P, Q = pair("P", "Q")
A, B = pair("A", "B")
C, D = pair("C", "D")
Z, dual = PLD(P, Q), PLD(Q, P)
eps, alpha, rho, t, x = reals("eps alpha rho t x")
ORDER = Gt(alpha, 1)
FINITE = [ORDER, Defined(R(alpha, P, Q))]

DIVERGENCE = sp.log(Omega(sp.exp(alpha * LossAt(P, Q)) * Q)) / (alpha - 1)
FROM_LOSS = sp.log(Ex(sp.exp((alpha - 1) * Z), Z)) / (alpha - 1)
TEX_8 = (
    r"\mathcal{D}_\alpha(M(x_0)|M(x_1))=\frac{1}{\alpha-1}\ln\mathbb{E}_{o\sim M(x_1)}"
    r"\left(e^{\mathcal{L}_{M(x_0)/M(x_1)}(o)}\right)^\alpha"
)
TEX_ADP = (
    r"\text{whenever }(\alpha,D_\alpha)_\alpha\text{, then also }"
    r"(\varepsilon,\alpha D_\alpha-\alpha\varepsilon)\text{-ADP holds}"
)
TEX_PDP = (
    r"\text{Rényi differential privacy can be translated to }(\varepsilon,\delta)\text{-PDP by "
    r"using a logarithmic version of the Markov bound}"
)
FROM_GRAPH = (
    r"\text{Lemma 6 implies that RDP and CDP can be determined from the tight "
    r"APD-graph }(\varepsilon,\delta(\varepsilon))_\varepsilon"
)
SAME_GRAPH = Eq(delta(A, B)(t), delta(C, D)(t))

mass = reals("delta")
S, S0, S1 = Event("S"), Event("S_0"), Event("S_1")


def off(p, q, excluded):
    """(2): eps-differential privacy of all sets of outcomes outside of one."""
    rest = Difference(S, excluded)
    return ForAll((S,), Le(p(rest), sp.exp(eps) * q(rest)))


PDP = ExistsEvents((S0, S1), (Le(A(S0), mass), Le(B(S1), mass), off(A, B, S0), off(B, A, S1)))
"""Definition 7."""

RARE = finite(["1/64", "63/64"], ["1/4096", "4095/4096"])
SKEWED = {"pairs": {"P": RARE},
          "witness": {"eps": sp.log(32)}}

with theorem("sommer2020/section-4.6", "Rényi differential privacy", fidelity="printed"):
    claim(
        "section-4.6.claim-1",
        Eq(R(alpha, P, Q), FROM_LOSS),
        where=FINITE,
        printed=r"\text{the Rényi divergence (the logarithm of the higher moments of the "
        r"exponentiated privacy loss random variable }e^{\mathcal{L}}\text{)}",
        note="Read up to the factor 1/(alpha - 1), which Definition 8 has and Section 3 means by "
        "'normalized'; the moment is that of order alpha - 1 under M(x_0), where it is finite.",
    )
    claim(
        "section-4.6.claim-2",
        Eq(R(alpha, P, Q), FROM_LOSS),
        where=FINITE,
        printed=r"\text{This Rényi divergence can be defined using the PLD}",
        expected="proved",
        note="At the orders above 1 at which the divergence is defined.",
    )
    claim(
        "section-4.6.claim-3",
        Implies(SAME_GRAPH, Eq(R(alpha, A, B), R(alpha, C, D)), over=(t,)),
        where=[Gt(alpha, 0), Ne(alpha, 1)],
        printed=FROM_GRAPH,
        note="For every two pairs, +oo included: finite support is not needed.  RDP has orders "
        "above 1, CDP all above 0; order 1 is section-4.6.claim-3.order-1.",
    )
    claim(
        "section-4.6.claim-3.order-1",
        Implies(SAME_GRAPH, Eq(Ex(PLD(A, B), PLD(A, B)), Ex(PLD(C, D), PLD(C, D))), over=(t,)),
        printed=FROM_GRAPH,
        note="At order 1, where the divergence is the mean of the loss (Definition 8).",
    )
    claim(
        "section-4.6.claim-4",
        Eq(R(alpha, P, Q), FROM_LOSS),
        where=FINITE,
        printed=r"\text{The Rényi divergence of two distributions can be directly derived from "
        r"their PLD}",
        expected="proved",
        note="At the orders above 1 at which the divergence is defined.",
    )
    READINGS_8 = ["definition-8.item-1", "definition-8.item-1.reading-2",
                  "definition-8.item-1.reading-3"]
    definition(
        "definition-8.item-1",
        Eq(R(alpha, P, Q), DIVERGENCE),
        where=FINITE,
        printed=TEX_8,
        expected="proved",
        note="R is the logarithm of the integral of P^alpha Q^(1 - alpha), +oo where the loss is "
        "infinite.  The power is read inside the expectation.",
        readings=READINGS_8,
    )
    definition(
        "definition-8.item-1.reading-2",
        Eq(R(alpha, P, Q), sp.log(Omega(sp.exp(LossAt(P, Q)) * Q) ** alpha) / (alpha - 1)),
        where=FINITE,
        printed=TEX_8,
        expected="refuted",
        note="The power read outside of the expectation, as the bracket is printed: the mean of "
        "e^L under M(x_1) is M(x_0)'s mass where M(x_1) has mass.",
        readings=READINGS_8,
    )
    definition(
        "definition-8.item-1.reading-3",
        Eq(R(alpha, P, Q), DIVERGENCE),
        where=ORDER,
        printed=TEX_8,
        fault="convention",
        expected="refuted",
        readings=READINGS_8,
        note="For every pair: the mean under M(x_1) of outputs that M(x_1) never gives is 0, so "
        "the printed expectation forgets infinite losses (and is ln 0 for disjoint supports), "
        "where the divergence of order alpha > 1 is +oo.",
    )
    definition(
        "definition-8.item-2",
        Eq(Omega(LossAt(P, Q) * P), Ex(Z, Z)),
        printed=r"\mathcal{D}_1(M(x_0)|M(x_1))=\mathbb{E}_{o\sim M(x_0)}"
        r"\left(\mathcal{L}_{M(x_0)/M(x_1)}(o)\right)",
        expected="proved",
        note="A mean under M(x_0): +oo where the loss is infinite.",
    )
    claim(
        "section-4.6.claim-5",
        Eq(Ex(Z, Z), Omega(P * sp.log(P / Q))),
        printed=r"\mathcal{D}_1(M(x_0)|M(x_1))\text{ coincides with the Kullback-Leibner (KL) "
        r"divergence from }M(x_0)\text{ to }M(x_1)",
        expected="proved",
        note="Every pair, +oo included.",
    )
    claim(
        "section-4.6.claim-6.1",
        Eq(Ex(Z, Z), Omega(P * sp.log(P / Q))),
        where=Eq(Pr(Z, "==", sp.oo), 0),
        printed=r"\text{This is a natural property of the PLD, if [...] no output }o\in\mathcal{U}"
        r"\text{ has an infinite privacy loss}",
        expected="proved",
    )
    claim(
        "section-4.6.claim-6.2",
        Implies(Eq(Ex(Z, Z), Omega(P * sp.log(P / Q))), Eq(Pr(Z, "==", sp.oo), 0)),
        where=Defined(Ex(Z, Z)),
        printed=r"\text{[...] only if no output }o\in\mathcal{U}\text{ has an infinite privacy "
        r"loss}",
        note="That they coincide as numbers.",
        readings=["section-4.6.claim-6.2", "section-4.6.claim-6.letter"],
    )
    claim(
        "section-4.6.claim-6.letter",
        Implies(Eq(Ex(Z, Z), Omega(P * sp.log(P / Q))), Eq(Pr(Z, "==", sp.oo), 0)),
        printed=r"\text{[...] only if no output }o\in\mathcal{U}\text{ has an infinite privacy "
        r"loss}",
        fault="convention",
        expected="refuted",
        repaired_by="sommer2020/section-4.6.claim-6.repaired",
        note="With infinite losses both sides are +oo: they coincide for every pair, where +oo is "
        "a value.",
        readings=["section-4.6.claim-6.2", "section-4.6.claim-6.letter"],
    )
    repair(
        "section-4.6.claim-6.repaired",
        "section-4.6.claim-6.letter",
        Eq(Ex(Z, Z), Omega(P * sp.log(P / Q))),
        corrected=r"\mathcal{D}_1(M(x_0)|M(x_1))=\mathrm{KL}(M(x_0)\|M(x_1))\text{ for every pair}",
    )
    claim(
        "section-4.6.claim-7",
        Eq(Ex(dual, dual), Omega(Q * sp.log(Q / P))),
        printed=r"\text{we get the KL divergence from }M(x_1)\text{ over }M(x_0)\text{ by the dual "
        r"PLD }\varpi",
        expected="proved",
    )
    for label, loss, pair_ in (("first", Z, (P, Q)), ("second", dual, (Q, P))):
        claim(
            f"section-4.6.claim-8.{label}",
            Le(Pr(loss, ">", eps), sp.exp((alpha - 1) * (rho - eps))),
            where=[ORDER, Le(R(alpha, *pair_), rho)],
            printed=TEX_PDP,
            expected="proved",
            note="RDP bounds the divergences of both orders of the inputs, and with this delta the "
            f"{label} tail of Lemma 7, which asks for both: the Markov bound of order alpha - 1.",
        )
    claim(
        "section-4.6.claim-9",
        Le(delta(P, Q)(eps), alpha * rho - alpha * eps),
        where=[ORDER, Eq(R(alpha, P, Q), rho)],
        printed=TEX_ADP,
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/section-4.6.claim-9.repaired",
        note="alpha D - alpha eps is no probability: it is negative for eps > D.  The exponential "
        "is lost, and alpha stands for alpha - 1 (Mironov 2017, Proposition 3).",
        readings=["section-4.6.claim-9", "section-4.6.claim-9.reading-2"],
    )
    claim(
        "section-4.6.claim-9.reading-2",
        Le(delta(P, Q)(eps), E(2, P, Q) ** 2 * sp.exp(-2 * eps)),
        where=Defined(E(2, P, Q)),
        hints=SKEWED,
        printed=TEX_ADP,
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/section-4.6.claim-9.repaired",
        note="Read as the logarithm of delta, the order alpha for alpha - 1 still makes it false: "
        "here alpha = 2, where e^D is the moment E_2.",
        root="section-4.6.claim-9",
        readings=["section-4.6.claim-9", "section-4.6.claim-9.reading-2"],
    )
    repair(
        "section-4.6.claim-9.repaired",
        "section-4.6.claim-9",
        Le(delta(P, Q)(eps), sp.exp((alpha - 1) * (rho - eps))),
        where=[ORDER, Le(R(alpha, P, Q), rho)],
        corrected=r"(\varepsilon,e^{(\alpha-1)(D_\alpha-\varepsilon)})\text{-ADP}",
        note="In the direction of D: the guarantee of both needs both divergences.",
    )
    repair(
        "section-4.6.claim-9.repaired-2",
        "section-4.6.claim-9",
        Le(delta(P, Q)(eps),
           sp.exp((alpha - 1) * (rho - eps)) / (alpha - 1) * (1 - 1 / alpha) ** alpha),
        where=[ORDER, Le(R(alpha, P, Q), rho)],
        corrected=r"\delta\leq\frac{e^{(\alpha-1)(D_\alpha-\varepsilon)}}{\alpha-1}"
        r"\left(1-\frac1\alpha\right)^\alpha",
        note="The strongest multiple of e^((alpha-1)(D-eps)): Canonne, Kamath, Steinke 2020.",
    )
    claim(
        "section-4.6.claim-10",
        Le(delta(P, Q)(eps), alpha * R(alpha, P, Q) - alpha * eps),
        where=FINITE,
        printed=r"\text{The moments accountant uses the same characterization and proposes }"
        r"(\varepsilon,\min_\alpha(\alpha D_\alpha-\alpha\varepsilon))\text{ as ADP bounds}",
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/section-4.6.claim-10.repaired",
        note="At most the minimum over orders: at most the value at every order; wrong as the line "
        "before; as a logarithm see section-4.6.claim-9.reading-2.",
        root="section-4.6.claim-9",
    )
    repair(
        "section-4.6.claim-10.repaired",
        "section-4.6.claim-10",
        Le(delta(P, Q)(eps), sp.exp((alpha - 1) * (rho - eps))),
        where=[ORDER, Le(R(alpha, P, Q), rho)],
        corrected=r"(\varepsilon,\min_\alpha e^{(\alpha-1)(D_\alpha-\varepsilon)})",
        note="At every order, so at the best one (Abadi et al. 2016, Theorem 2).",
    )
    claim(
        "section-4.6.claim-11",
        Implies(PDP, AllOf((Le(delta(A, B)(eps), mass), Le(delta(B, A)(eps), mass)))),
        where=[Ge(eps, 0), Ge(mass, 0)],
        printed=r"(\varepsilon,\delta)\text{-PDP implies }(\varepsilon,\delta)\text{-ADP}",
        note="PDP by its sets, as in Definition 7; ADP in both directions.",
    )
    definition(
        "definition-9",
        Eq(R(alpha, P, Q), DIVERGENCE),
        where=[Gt(alpha, 0), Ne(alpha, 1), ac(P, Q), ac(Q, P), Defined(R(alpha, P, Q))],
        printed=r"M[...]\text{ satisfies }(\xi,\rho)\text{-CDP if for all }\alpha>0\text{, and "
        r"all neighboring }x_0,x_1\in\mathcal{X}\text{ (for a neighboring relation), }"
        r"\mathcal{D}_\alpha(M(x_0)|M(x_1))\leq\xi+\rho\alpha",
        note="What the definition supposes, at the orders alpha != 1 and for pairs that are "
        "absolutely continuous both ways.  Definition 8 has the orders alpha > 1, and alpha = 1 "
        "apart; its formula is taken for 0 < alpha < 1, too.  Bun and Steinke 2016 ask for "
        "alpha > 1.",
        fidelity="instance",
    )
