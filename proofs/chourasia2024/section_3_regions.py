"""Section 3, prose after Theorem 3.3: regions of convergence; footnote 8.

The claims are numbered in the order of the text.  The repairs replace Theorem 3.3 where the
transform of the profile diverges.
"""

import sympy as sp

from lapdp import exponential
from lapdp.privacy.mechanisms import randomized_response
from lapdp.theory import *

P, Q = pair("P", "Q")
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
S = Event("S")
eps, t, w = reals("eps t omega")
q = reals("q")
c = complexes("q")
rise = positives("r")
HALF = sp.Rational(1, 2)

PERFECT = sp.Max(0, 1 - sp.exp(t))
"""The profile of a pair of equal distributions."""

ABSOLUTE = "Convergence is absolute."

with theorem("chourasia2024/section-3.regions", "Regions of convergence of the profile",
             fidelity="printed"):
    claim(
        "section-3.claim-1",
        Continuous(delta(P, Q)(t), t),
        printed=r"\text{The privacy profile }\delta_{P|Q}\text{, for any pair of distributions }"
        r"P,Q\text{, is a continuous function}",
    )
    claim(
        "footnote-8.1",
        Eq(delta(P, Q)(eps), Sup(P(S) - sp.exp(eps) * Q(S), S)),
        printed=r"\delta_{P|Q}(\varepsilon)=\sup_{S}\psi_{S}(\varepsilon)\text{ where }"
        r"\psi_{S}(\varepsilon):=P(S)-e^{\varepsilon}\cdot Q(S)",
    )
    claim(
        "footnote-8.2",
        AllOf((Ge(delta(P, Q)(eps), delta(P, Q)(t)), Continuous(delta(P, Q)(w), w))),
        where=[Lt(eps, t)],
        printed=r"\text{Therefore, the supremum of }\phi_{S}\text{ over all }S"
        r"\text{ is also a continuous decreasing function.}",
        note="Decreasing in the weak sense.  (A supremum of "
        "continuous functions need not be continuous; these are convex in e^eps.)",
    )

    claim(
        "section-3.claim-2.1",
        Implies(
            Eq(delta(P1, Q1)(t), delta(P2, Q2)(t)),
            Eq(R(c, P1, Q1), R(c, P2, Q2)),
            over=(t,),
        ),
        where=[Defined(R(c, P1, Q1))],
        printed=r"\text{any two privacy profiles share the same R\'enyi divergence curve }"
        r"\text{if and only if they are identical}",
        note="Equal profiles have equal curves, at every order at which the first is defined.",
    )
    claim(
        "section-3.claim-2.2",
        Implies(
            Eq(R(1 + rise, P1, Q1), R(1 + rise, P2, Q2)),
            Eq(delta(P1, Q1)(t), delta(P2, Q2)(t)),
            over=(rise,),
        ),
        where=[Exists(c, Converges(B(delta(P1, Q1)(t), t)(1 - c)))],
        printed=r"\text{any two privacy profiles share the same R\'enyi divergence curve }"
        r"\text{if and only if they are identical}",
        note="Equal curves at every real q = 1 + r > 1, +oo included, have equal profiles, "
        "provided that the transform exists at some order, as the next sentence says.",
    )

    claim(
        "section-3.claim-3",
        Eq(E(c, P, Q), c * (c - 1) * B(delta(P, Q)(t), t)(1 - c)),
        where=[Converges(B(delta(P, Q)(t), t, 1 - c))],
        printed=r"\text{Theorem 3.3 establishes a connection between R\'enyi divergence and }"
        r"\text{privacy profile that applies to all distributions }P\text{ and }Q"
        r"\text{, whether }P\text{ is absolutely continuous [...] with respect to }Q\text{ or not}",
        note="(27) at every order, real or complex, of the region that the theorem names: every "
        "pair.",
    )
    repair(
        "section-3.claim-3.repaired",
        "section-3.claim-5",
        Eq(E(c, P, Q), 1 + c * (c - 1) * B(delta(P, Q)(t) - PERFECT, t)(1 - c)),
        where=[Defined(E(c, P, Q)), Ne(sp.re(c), 0), Ne(sp.re(c), 1)],
        corrected=r"\mathrm{E}_{q}=1+q(q-1)\cdot"
        r"\mathcal{B}\left\{\delta_{P|Q}(t)-[1-e^{t}]_{+}\right\}(1-q)"
        r",\quad q\in\mathrm{ROC}_{P,Q},\ \mathfrak{Re}(q)\notin\{0,1\}",
        note="Every pair: the distance from the profile of equal distributions has a transform "
        "on all of 0 < Re q < 1 and as far beyond as E_q stays finite.",
    )
    repair(
        "section-3.claim-3.repaired-2",
        "section-3.claim-5",
        Eq(E(c, P, Q), 1 + c * (c - 1) * B(delta(P, Q)(t) - PERFECT, t)(1 - c)),
        where=[Gt(sp.re(c), 0), Lt(sp.re(c), 1)],
        corrected=r"\mathrm{E}_{q}=1+q(q-1)\cdot"
        r"\mathcal{B}\left\{\delta_{P|Q}(t)-[1-e^{t}]_{+}\right\}(1-q)"
        r",\quad 0<\mathfrak{Re}(q)<1",
        note="Every pair, with convergence as part of the claim.",
    )
    repair(
        "section-3.claim-3.repaired-3",
        "section-3.claim-5",
        Eq(E(c, P, Q), c * (c - 1) * B(delta(P, Q)(t) - 1, t)(1 - c)),
        where=[Gt(sp.re(c), 0), Lt(sp.re(c), 1)],
        corrected=r"\mathrm{E}_{q}=q(q-1)\cdot\mathcal{B}\left\{\delta_{P|Q}(t)-1\right\}(1-q)"
        r",\quad 0<\mathfrak{Re}(q)<1",
        note="Every pair, with convergence as part of the claim.",
    )
    repair(
        "section-3.claim-3.repaired-4",
        "section-3.claim-5",
        Eq(E(c, P, Q), c * (c - 1) * B(delta(P, Q)(t) - 1 + sp.exp(t), t)(1 - c)),
        where=[Lt(sp.re(c), 0), Defined(E(c, P, Q))],
        corrected=r"\mathrm{E}_{q}=q(q-1)\cdot"
        r"\mathcal{B}\left\{\delta_{P|Q}(t)-1+e^{t}\right\}(1-q),\quad\mathfrak{Re}(q)<0",
        note="The reversed profile: delta - 1 + e^t is e^t delta_{Q|P}(-t).",
    )
    repair(
        "section-3.claim-3.repaired-5",
        "section-3.claim-4",
        Eq(E(c, P, Q), c * (c - 1) * B(delta(P, Q)(t), t)(1 - c)),
        where=[Gt(sp.re(c), 1), Defined(E(c, P, Q))],
        corrected=r"\mathrm{E}_{q}=q(q-1)\cdot\mathcal{B}\left\{\delta_{P|Q}(t)\right\}(1-q)"
        r",\quad\mathfrak{Re}(q)>1,\ q\in\mathrm{ROC}_{P,Q}",
        note="The region of (27) in terms of E_q alone.",
    )

    claim(
        "section-3.claim-4",
        Converges(B(delta(P, Q)(t), t, 1 - q)),
        where=[ac(P, Q), Gt(q, 1)],
        printed=r"\text{if }P\ll Q\text{, the Laplace transform }"
        r"\mathcal{B}\left\{\delta_{P|Q}\right\}(1-q)\text{ converges for all real }q>1",
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="chourasia2024/section-3.claim-4.repaired",
        note=ABSOLUTE + "  Exp(1) against Exp(2) is absolutely continuous both ways and has "
        "E_q infinite from q = 2 on.",
    )
    repair(
        "section-3.claim-4.repaired",
        "section-3.claim-4",
        Converges(B(delta(P, Q)(t), t, 1 - q)),
        where=[Gt(q, 1), Defined(E(q, P, Q))],
        corrected=r"\mathcal{B}\left\{\delta_{P|Q}\right\}(1-q)\text{ converges for all real }q>1"
        r"\text{ with }\mathrm{E}_{q}\left(P\middle\|Q\right)<\infty",
        note="Every pair; a finite E_q, q > 1, gives P << Q by itself.",
    )
    repair(
        "section-3.claim-4.repaired-2",
        "section-3.claim-4",
        Defined(E(q, P, Q)),
        where=[Gt(q, 1), Converges(B(delta(P, Q)(t), t, 1 - q))],
        corrected=r"\mathrm{E}_{q}\left(P\middle\|Q\right)<\infty\text{ for all real }q>1"
        r"\text{ such that }1-q\in\mathrm{ROC}_{\mathcal{B}}\{\delta_{P|Q}\}",
        note="The converse: nothing smaller will do.",
    )
    claim(
        "section-3.claim-5",
        Converges(B(delta(P, Q)(t), t, 1 - q)),
        where=[ac(Q, P), Lt(q, 1), Ne(q, 0)],
        printed=r"\text{if }Q\ll P\text{, it converges for all }q<1\text{, except for }q=0",
        fault="false claim",
        expected="refuted",
        repaired_by="chourasia2024/section-3.claim-5.repaired",
        note=ABSOLUTE + "  At -oo every profile tends to 1, so the transform diverges for all "
        "q <= 1.",
        hints={"pairs": {"P": randomized_response(sp.log(3))},
               "witness": {"q": sp.Rational(1, 2)}},
    )
    repair(
        "section-3.claim-5.repaired",
        "section-3.claim-5",
        Converges(B(delta(P, Q)(t) - 1, t, 1 - q)),
        where=[Gt(q, 0), Lt(q, 1)],
        corrected=r"\mathcal{B}\left\{\delta_{P|Q}-1\right\}(1-q)\text{ converges for }0<q<1",
        note="Every pair.",
    )
    repair(
        "section-3.claim-5.repaired-2",
        "section-3.claim-5",
        Converges(B(delta(P, Q)(t) - 1 + sp.exp(t), t, 1 - q)),
        where=[Lt(q, 0), Defined(E(q, P, Q))],
        corrected=r"\mathcal{B}\left\{\delta_{P|Q}(t)-1+e^{t}\right\}(1-q)"
        r"\text{ converges for }q<0\text{ with }\mathrm{E}_{q}\left(P\middle\|Q\right)<\infty",
        note="Every pair; a finite E_q, q < 0, gives Q << P by itself.",
    )
    repair(
        "section-3.claim-5.repaired-3",
        "section-3.claim-5",
        Diverges(B(delta(P, Q)(t), t, 1 - c)),
        where=[Le(sp.re(c), 1)],
        corrected=r"\mathcal{B}\left\{\delta_{P|Q}\right\}(1-q)\text{ diverges for }"
        r"\mathfrak{Re}(q)\leq 1",
        note="Every pair: the half-plane in which the printed claim places a region.",
    )

    claim(
        "section-3.claim-6.1",
        Diverges(B(delta(P, Q)(t), t, 1)),
        printed=r"\text{At }q=0\text{ [...] the transform does not converge}",
        note=ABSOLUTE,
    )
    claim(
        "section-3.claim-6.2",
        Diverges(B(delta(P, Q)(t), t, 0)),
        printed=r"\text{At [...] }q=1\text{, the transform does not converge}",
        note=ABSOLUTE,
    )
    claim(
        "section-3.claim-7.1",
        Eq(E(0, P, Q), 1),
        printed=r"\mathrm{E}_{q}\left(P\middle\|Q\right)=\int P^{q}Q^{1-q}\mathrm{d}\theta=1"
        r"\text{ when }q=0\text{ or }1",
        note="With 0^0 = 1; if 0^0 is read as 0, it is Q(P > 0).",
    )
    claim(
        "section-3.claim-7.2",
        Eq(E(1, P, Q), 1),
        printed=r"\mathrm{E}_{q}\left(P\middle\|Q\right)=\int P^{q}Q^{1-q}\mathrm{d}\theta=1"
        r"\text{ when }q=0\text{ or }1",
        note="With 0^0 = 1; if 0^0 is read as 0, it is P(Q > 0).",
    )

    claim(
        "section-3.claim-8.1",
        Defined(E(c, P, Q)),
        where=[ac(P, Q), Gt(sp.re(c), 1)],
        printed=r"\text{the R\'enyi divergence exists [...] }"
        r"\{q\in\mathbb{C}\ :\ \mathfrak{Re}(q)>1\}\text{ when }P\ll Q",
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="chourasia2024/section-3.claim-8.repaired",
        note="Said of E_q, of which R_q is the logarithm: its integral may diverge, for Exp(1) "
        "against Exp(2) from Re q = 2 on; +oo is a value at real q alone.  That R_q has no value "
        "at the zeros of E_q is left aside, as in (40).",
        hints={"pairs": {"P": exponential(1, 2)}, "witness": {"q": 2 + sp.I}},
        root="section-3.claim-4",
    )
    claim(
        "section-3.claim-8.2",
        Defined(E(c, P, Q)),
        where=[ac(Q, P), Lt(sp.re(c), 1), Ne(sp.re(c), 0)],
        printed=r"\text{the R\'enyi divergence exists [...] }\{q\in\mathbb{C}\ :\ "
        r"\mathfrak{Re}(q)<1\text{ and }\mathfrak{Re}(q)\neq 0\}\text{ when }Q\ll P",
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="chourasia2024/section-3.claim-8.repaired",
        note="Said of E_q, as section-3.claim-8.1: its integral may diverge for Re q < 0.",
        hints={"pairs": {"P": exponential(1, 2).reverse()}, "witness": {"q": -2 + sp.I}},
        root="section-3.claim-4",
    )
    repair(
        "section-3.claim-8.repaired",
        "section-3.claim-8.1",
        Defined(R(c, P, Q)),
        where=[
            Defined(E(sp.re(c), P, Q)),
            Ne(sp.re(c), 0),
            Ne(sp.re(c), 1),
            Ne(E(c, P, Q), 0),
        ],
        corrected=r"\mathrm{R}_{q}\left(P\middle\|Q\right)\text{ exists where }"
        r"\mathrm{E}_{\mathfrak{Re}(q)}<\infty,\ \mathfrak{Re}(q)\notin\{0,1\},\ "
        r"\mathrm{E}_{q}\neq 0",
        note="Every pair: finiteness at the real part gives the whole vertical line, but for the "
        "zeros of E_q.",
    )

    claim(
        "section-3.claim-9",
        Exists(q, Converges(B(delta(P, Q)(t), t, 1 - q))),
        where=[OneWayContinuous(P, Q)],
        printed=r"\text{as long as either }P\ll Q\text{ or }Q\ll P\text{, the region }"
        r"\mathrm{ROC}_{\mathcal{B}}\{\delta_{P|Q}\}\text{ is not empty}",
        fault="false claim",
        expected="refuted",
        repaired_by="chourasia2024/section-3.claim-9.repaired",
        note="Empty whenever P is not absolutely continuous with respect to Q: the profile then "
        "tends to 1 at -oo and to a positive constant at +oo.",
        root="section-3.claim-5",
    )
    repair(
        "section-3.claim-9.repaired",
        "section-3.claim-9",
        Exists(q, Converges(B(delta(P, Q)(t) - 1, t, 1 - q))),
        corrected=r"\mathrm{ROC}_{\mathcal{B}}\{\delta_{P|Q}-1\}\neq\emptyset",
        note="Every pair: all of 0 < Re q < 1.",
    )
    repair(
        "section-3.claim-9.repaired-2",
        "section-3.claim-9",
        Implies(
            Eq(E(HALF + sp.I * w, P1, Q1), E(HALF + sp.I * w, P2, Q2)),
            Eq(delta(P1, Q1)(t), delta(P2, Q2)(t)),
            over=(w,),
        ),
        corrected=r"\mathrm{E}_{1/2+i\omega}\left(P_{1}\middle\|Q_{1}\right)"
        r"=\mathrm{E}_{1/2+i\omega}\left(P_{2}\middle\|Q_{2}\right)\ \forall\omega\in\mathbb{R}"
        r"\implies\delta_{P_{1}|Q_{1}}=\delta_{P_{2}|Q_{2}}",
        note="Every pair has a characterising curve: E_q on the line Re q = 1/2.",
    )
