"""Abstract and findings 1 and 2 of Section 1, with what Sections 3 and 3.1 repeat of them."""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
A, AA = product_pair((P1, Q1), (P2, Q2))
Z = PLD(P, Q)
t, eps, gamma = reals("t eps gamma")
w = reals("omega")
q = reals("q")
c, s = complexes("q s")
rise = positives("r")
BELOW_ONE = 1 / (1 + rise)
"""Every order in (0, 1), once, for r > 0."""

TRANSFORM = q * (q - 1) * B(delta(P, Q)(t), t)(1 - q)
MOMENT = Linv(E(1 - s, P, Q) / (s * (s - 1)), s, eps, gamma)
GAP = delta(P1, Q1)(eps) - delta(P2, Q2)(eps)
GAP_ON_LINE = MOMENT.xreplace({P: P1, Q: Q1}) - MOMENT.xreplace({P: P2, Q: Q2})
BOTH_EXIST = [Defined(E(1 - gamma, P1, Q1)), Defined(E(1 - gamma, P2, Q2))]
DEPENDS = (
    r"\text{the dominance relationship between privacy profiles [...] depends on how the R\'enyi }"
    r"\text{divergence curves [...] behave along the complex line }"
    r"\{q\in\mathbb{C}:\mathfrak{Re}(q)=c\}\text{ at any }c\in\mathbb{R}"
    r"\text{ for which the two divergences exist}"
)
SAME_PROFILE = Eq(delta(P1, Q1)(t), delta(P2, Q2)(t))
ONE_WAY = [OneWayContinuous(P1, Q1), OneWayContinuous(P2, Q2)]
BOTH_WAYS = [ac(P1, Q1), ac(Q1, P1), ac(P2, Q2), ac(Q2, P2)]

CONNECT = (
    r"\text{we connect the }(q,\rho(q))\text{-R\'enyi DP curve and the }"
    r"(\varepsilon,\delta(\varepsilon))\text{-DP curve as being the Laplace and }"
    r"\text{inverse-Laplace transforms of one another}"
)
COMPLEX = r"\text{the R\'enyi divergence is well-defined for complex orders }q=\gamma+i\omega"
ANY_TWO = (
    r"\text{an exactly tight theorem for composing any two privacy profiles, }"
    r"\delta_{P_{1}|Q_{1}}(\varepsilon)\text{ and }\delta_{P_{2}|Q_{2}}(\varepsilon)"
)
EQUIVALENT = (
    r"\text{the privacy-profile curve [...] and the R\'enyi divergence [...] as a function of }q"
    r"\text{ are equivalent as long as either }P\text{ is absolutely continuous w.r.t. }Q"
    r"\text{ [...] or }Q\ll P"
)
COMPOSED = conv(
    delta(P1, Q1)(eps),
    D(delta(P2, Q2)(eps), eps, 2) - D(delta(P2, Q2)(eps), eps),
    eps,
)
ORDERS = "The orders in (0, 1) are enough, where E_q is finite for every pair."

with theorem("chourasia2024/section-1.findings", "Abstract and findings 1 and 2",
             fidelity="printed"):
    claim(
        "abstract.claim-1.1",
        Eq(sp.exp((q - 1) * R(q, P, Q)), TRANSFORM),
        where=[Gt(q, 1), Defined(E(q, P, Q))],
        printed=CONNECT,
        note="One direction: e^((q-1) R_q)/(q(q-1)) is the transform of the profile at 1 - q, for "
        "real q > 1 with E_q finite.",
        readings=[("abstract.claim-1.1", "abstract.claim-1.2"), "abstract.claim-1.reading-2"],
    )
    claim(
        "abstract.claim-1.2",
        Eq(delta(P, Q)(eps), MOMENT),
        where=[Lt(gamma, 0), Defined(E(1 - gamma, P, Q))],
        printed=CONNECT,
        note="The other direction, on a line on which E_{1-s} is finite.",
        readings=[("abstract.claim-1.1", "abstract.claim-1.2"), "abstract.claim-1.reading-2"],
    )
    claim(
        "abstract.claim-1.reading-2",
        Eq(R(q, P, Q), B(delta(P, Q)(t), t)(1 - q)),
        where=[Gt(q, 1), Defined(E(q, P, Q))],
        printed=CONNECT,
        expected="refuted",
        note="Second reading, to the letter: R_q itself is the transform of the profile.",
        readings=[("abstract.claim-1.1", "abstract.claim-1.2"), "abstract.claim-1.reading-2"],
    )
    claim(
        "abstract.claim-2",
        Defined(R(c, P, Q)),
        where=[
            Defined(E(sp.re(c), P, Q)),
            Ne(sp.re(c), 0),
            Ne(sp.re(c), 1),
            Ne(E(c, P, Q), 0),
        ],
        printed=COMPLEX,
        note="Excludes the zeros of E_q.",
        readings=["abstract.claim-2", "abstract.claim-2.letter"],
    )
    claim(
        "abstract.claim-2.letter",
        Defined(R(c, P, Q)),
        where=[
            Defined(E(sp.re(c), P, Q)),
            Ne(sp.re(c), 0),
            Ne(sp.re(c), 1),
            Ne(sp.im(c), 0),
        ],
        printed=COMPLEX,
        fault="convention",
        expected="refuted",
        note="Wherever it is defined at the real part of the order.  E_q may be 0 at a complex "
        "order, and 0 has no logarithm there; at a real one R_q is then +oo.",
        readings=["abstract.claim-2", "abstract.claim-2.letter"],
    )

    claim(
        "section-1.claim-10",
        Converges(B(f(Z)(t), t, 1 - c)),
        where=[Defined(E(sp.re(c), P, Q))],
        printed=r"\text{the Laplace transform expression of R\'enyi divergence permits the order }"
        r"q\text{ to be a complex number in }\mathbb{C}",
        note="The transform converges at every complex order whose real part has E_q finite.",
    )
    claim(
        "section-1.claim-11.1",
        Implies(SAME_PROFILE, Eq(R(c, P1, Q1), R(c, P2, Q2)), over=(t,)),
        where=[*ONE_WAY, Defined(R(c, P1, Q1))],
        printed=EQUIVALENT,
        note="The profile determines the divergence, at every order at which it has a value.",
    )
    claim(
        "section-1.claim-11.2",
        Implies(Eq(R(BELOW_ONE, P1, Q1), R(BELOW_ONE, P2, Q2)), SAME_PROFILE, over=(rise,)),
        where=ONE_WAY,
        printed=EQUIVALENT,
        note="The divergence determines the profile.  " + ORDERS,
    )
    claim(
        "section-1.claim-11.3",
        Implies(Eq(E(BELOW_ONE, P1, Q1), E(BELOW_ONE, P2, Q2)), SAME_PROFILE, over=(rise,)),
        printed=r"\text{absolute continuity in both directions is not necessary}",
        note="Nor is it in one direction: of every pair, E_q gives the profile; the other half "
        "of the equivalence is section-1.claim-11.1.  " + ORDERS,
    )
    claim(
        "section-1.claim-12",
        Implies(
            Le(delta(P1, Q1)(t), delta(P2, Q2)(t)),
            Le(E(q, P1, Q1), E(q, P2, Q2)),
            over=(t,),
        ),
        where=[Gt(q, 1)],
        printed=r"\delta_{P_{1}|Q_{1}}(\varepsilon)\leq\delta_{P_{2}|Q_{2}}(\varepsilon)"
        r"\text{ for all }\varepsilon\text{ implies that }\mathrm{R}_{q}(P_{1}\|Q_{1})\leq"
        r"\mathrm{R}_{q}(P_{2}\|Q_{2})\text{ for all }q>1",
        note="Values in [0, +oo]: R_q <= R_q' says E_q <= E_q', since q - 1 > 0.",
    )
    claim(
        "section-1.claim-14.1",
        Eq(GAP, GAP_ON_LINE),
        where=[Gt(gamma, 0), Lt(gamma, 1)],
        printed=DEPENDS,
        note="The difference of the two profiles from the curves on the line Re q = c = 1 - gamma, "
        "0 < c < 1: every two pairs.",
    )
    claim(
        "section-1.claim-14.2",
        Eq(GAP, GAP_ON_LINE),
        where=[Lt(gamma, 0), *BOTH_EXIST],
        printed=DEPENDS,
        note="The same for c > 1 with both E_c finite.",
    )
    claim(
        "section-1.claim-14.4",
        Eq(delta(P, Q)(eps), 1 - sp.exp(eps) + MOMENT),
        where=[Gt(gamma, 1), Defined(E(1 - gamma, P, Q))],
        printed=DEPENDS,
        note="For c < 0, E_c finite: each of the two profiles from its own curve, so their "
        "difference as well.  For what is not along (1, oo) see section-1.claim-14.3.",
    )

    claim(
        "section-1.claim-16",
        Eq(delta(A, AA)(eps), COMPOSED),
        printed=ANY_TWO,
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="chourasia2024/section-1.claim-16.repaired",
        note="Announces Theorem 4.2, here without any hypothesis: it loses Pr[Z_2 = oo].",
        root="eq-47.1",
    )
    repair(
        "section-1.claim-16.repaired",
        "section-1.claim-16",
        Eq(delta(A, AA)(eps), COMPOSED + Pr(PLD(P2, Q2), "==", sp.oo)),
        corrected=r"\delta_{P|Q}=\delta_{P_{1}|Q_{1}}\circledast\left(\ddot{\delta}_{P_{2}|Q_{2}}"
        r"-\dot{\delta}_{P_{2}|Q_{2}}\right)+\Pr[Z_{2}=\infty]",
        note="With the mass at infinity any two profiles do.",
    )

    claim(
        "section-3.claim-13.1",
        Implies(SAME_PROFILE, Eq(R(c, P1, Q1), R(c, P2, Q2)), over=(t,)),
        where=[Defined(R(c, P1, Q1))],
        printed=r"\text{a privacy profile }\delta_{P|Q}\text{ is equivalent to its R\'enyi }"
        r"\text{divergence curve}",
        note="At the orders at which the divergence is defined.",
    )
    claim(
        "section-3.claim-13.2",
        Implies(Eq(R(1 + rise, P1, Q1), R(1 + rise, P2, Q2)), SAME_PROFILE, over=(rise,)),
        where=[Exists(c, Converges(B(delta(P1, Q1)(t), t)(1 - c)))],
        printed=r"\text{provided the Laplace transform }"
        r"\mathcal{B}\left\{\delta_{P|Q}\right\}(1-q)\text{ exists at some }q\in\mathbb{C}",
        note="Equal curves at every real q = 1 + r > 1, +oo included, as section-3.claim-2.2.",
    )
    claim(
        "section-3.figure.claim-1",
        Converges(B(delta(P, Q)(t), t, 1 - c)),
        where=[ac(P, Q), Gt(sp.re(c), 1)],
        kind="figure",
        printed=r"P\ll Q:\ \mathfrak{Re}(q)>1",
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="chourasia2024/section-3.figure.claim-1.repaired",
        note="E_q may be infinite.",
        root="section-3.claim-4",
    )
    repair(
        "section-3.figure.claim-1.repaired",
        "section-3.figure.claim-1",
        Converges(B(delta(P, Q)(t), t, 1 - c)),
        where=[Gt(sp.re(c), 1), Defined(E(sp.re(c), P, Q))],
        kind="figure",
        corrected=r"\mathfrak{Re}(q)>1,\ \mathrm{E}_{\mathfrak{Re}(q)}<\infty",
        note="Every pair.",
    )
    claim(
        "section-3.figure.claim-2",
        Converges(B(delta(P, Q)(t), t, 1 - c)),
        where=[ac(Q, P), Lt(sp.re(c), 1), Ne(sp.re(c), 0)],
        kind="figure",
        printed=r"Q\ll P:\ \mathfrak{Re}(q)<1\text{ except }\mathfrak{Re}(q)=0",
        fault="false claim",
        expected="refuted",
        repaired_by="chourasia2024/section-3.claim-5.repaired-3",
        note="Every profile tends to 1 at -oo: the transform diverges for all Re q <= 1.",
        root="section-3.claim-5",
    )
    claim(
        "section-3.1.claim-1.1",
        Implies(SAME_PROFILE, Eq(R(c, P1, Q1), R(c, P2, Q2)), over=(t,)),
        where=[*BOTH_WAYS, Defined(R(c, P1, Q1))],
        printed=r"\text{the R\'enyi divergence curve and privacy profile curve are equivalent for }"
        r"\text{all absolutely continuous distribution pairs}",
        note="At the orders at which the divergence is defined.",
    )
    claim(
        "section-3.1.claim-1.2",
        Implies(Eq(R(BELOW_ONE, P1, Q1), R(BELOW_ONE, P2, Q2)), SAME_PROFILE, over=(rise,)),
        where=BOTH_WAYS,
        printed=r"\text{the R\'enyi divergence curve and privacy profile curve are equivalent for }"
        r"\text{all absolutely continuous distribution pairs}",
        note=ORDERS,
    )
    claim(
        "remark-4.1.claim-1",
        Eq(Ex(sp.exp(sp.I * w * Z), Z), E(1 + sp.I * w, P, Q)),
        where=[ac(P, Q)],
        printed=r"\text{characteristic function formalism (4) appears equivalent to R\'enyi }"
        r"\text{divergence, as we have learned that the order }q\text{ in (26) can assume }"
        r"\text{imaginary values}",
        note="For P << Q.",
        readings=["remark-4.1.claim-1", "remark-4.1.claim-1.letter"],
    )
    claim(
        "remark-4.1.claim-1.letter",
        Eq(Ex(sp.exp(sp.I * w * Z), Z), E(1 + sp.I * w, P, Q)),
        printed=r"\text{characteristic function formalism (4) appears equivalent to R\'enyi }"
        r"\text{divergence, as we have learned that the order }q\text{ in (26) can assume }"
        r"\text{imaginary values}",
        fault="convention",
        expected="refuted",
        note="The characteristic function is E_q on the line Re q = 1; neither has a value where "
        "Q = 0 < P.",
        readings=["remark-4.1.claim-1", "remark-4.1.claim-1.letter"],
    )
