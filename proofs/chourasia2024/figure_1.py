"""Caption of Figure 1, and the prose of section 3.1 on conversions and on complex orders.

Figure 1 compares randomized response (eps, 0) with the Gaussian mechanism of kappa = eps^2/2.
"""

import sympy as sp

from lapdp.privacy.mechanisms import gaussian, randomized_response
from lapdp.theory import *

eps, w = positives("eps w")
q, t, e, gamma = reals("q t e gamma")
s = complexes("s")

A1, B1 = pair("P1", "Q1")
A2, B2 = pair("P2", "Q2")
P, Q = pair("P", "Q")
P1, Q1 = mechanism_pair(randomized_response(eps), "P1", "Q1")
P2, Q2 = mechanism_pair(gaussian(1, eps), "P2", "Q2")
G, H = mechanism_pair(gaussian(1, 1), "P", "Q")

BOTH_WAYS = [ac(A1, B1), ac(B1, A1), ac(A2, B2), ac(B2, A2)]
ONE = {"pairs": {"P1": randomized_response(1), "P2": gaussian(1, 1)}, "witness": {"e": 0}}
IN_PROFILE = Le(delta(A1, B1)(e), delta(A2, B2)(e))
BY_RENYI = Implies(Le(R(1 + w, A1, B1), R(1 + w, A2, B2)), IN_PROFILE, over=(w,))

GAP = sp.Rational(1, 10)
LOG_BOUND = (q - 1) * (R(q, G, H) - 1) + (q - 1) * sp.log(q - 1) - q * sp.log(q)
KL = eps * sp.tanh(eps / 2)
SINGULAR = (
    r"\text{the singularities at }q=0\text{ and }q=1\text{ that exists for the Laplace transform }"
    r"\mathcal{B}\left\{\delta_{P|Q}\right\}(1-q)\text{ disappears for R\'enyi divergence}"
)
LOSSY = (
    r"\text{pointwise guarantees offer a lossy characterization of indistinguishability}"
)
LEAKING = mechanism_pair(randomized_response(eps, e), "P1", "Q1")
FLAT = mechanism_pair(randomized_response(0, e), "P2", "Q2")
NORMAL = mechanism_pair(gaussian(sp.sqrt(q / (2 * w))), "N1", "N2")
APART, OTHER = mechanism_pair(randomized_response(0, 1), "P3", "S3")
SHADE = sp.exp(-w) * APART + (1 - sp.exp(-w)) * OTHER
NOT_ENOUGH = (
    r"\text{neither the dominance }\mathrm{R}_{q}(P_{1}\|Q_{1})\leq\mathrm{R}_{q}(P_{2}\|Q_{2})"
    r"\text{ for all }q>1\text{ [...] is enough to bound }\delta_{P_{1}|Q_{1}}(\varepsilon)\leq"
    r"\delta_{P_{2}|Q_{2}}(\varepsilon)\text{ at all }\varepsilon\in\mathbb{R}"
)
DOMINANT = [("figure-1.claim-3.1", "figure-1.claim-3.2"), "figure-1.claim-3.2.letter"]
NOT_ENOUGH_TRANSFORM = (
    r"\text{nor the dominance }\mathcal{B}\left\{\delta_{P_{1}|Q_{1}}\right\}(1-q)\leq"
    r"\mathcal{B}\left\{\delta_{P_{2}|Q_{2}}\right\}(1-q)\text{ for all }"
    r"q\in\mathbb{R}\setminus\{0,1\}\text{ is enough}"
)


def transform(first, second, frequency):
    """The two-sided transform of a profile."""
    return B(delta(first, second)(t), t)(frequency)


LINE = (
    r"\text{the value of }\delta_{P|Q}\text{ at any }\epsilon\text{ depends on [...] }"
    r"\text{the complex line }\mathfrak{Re}(1-q)=\gamma\text{ for any }\gamma\in\mathbb{R}"
    r"\setminus\{0,1\}"
)

with theorem("chourasia2024/figure-1", "Figure 1 and section 3.1: dominance, conversions, orders",
             fidelity="printed"):
    claim(
        "figure-1.claim-1.1",
        Ge(transform(P1, Q1, 1 - q), 1 / (q * (q - 1))),
        where=[Gt(q, 1)],
        printed=SINGULAR,
        note="The singularity at q = 1: the transform exceeds 1/(q(q-1)) on q > 1.  Randomized "
        "response, every eps > 0.",
    )
    claim(
        "figure-1.claim-1.2",
        Ge(transform(P2, Q2, 1 - q), 1 / (q * (q - 1))),
        where=[Gt(q, 1)],
        printed=SINGULAR,
        note="The same for the Gaussian mechanism, every kappa = eps^2/2 > 0.",
    )
    claim(
        "figure-1.claim-1.3",
        AllOf((
            Eq(transform(P1, Q1, 1 - q), E(q, P1, Q1) / (q * (q - 1))),
            Eq(E(0, P1, Q1), 1),
            Eq(E(1, P1, Q1), 1),
            Eq(transform(P2, Q2, 1 - q), E(q, P2, Q2) / (q * (q - 1))),
            Eq(E(0, P2, Q2), 1),
            Eq(E(1, P2, Q2), 1),
        )),
        where=[Gt(q, 1)],
        printed=SINGULAR,
        note="Of the expression for the transform: E_q/(q(q-1)), which continues it, has the poles "
        "q = 0 and q = 1, as E_q is 1 there.  Both mechanisms, every eps > 0.",
        readings=["figure-1.claim-1.3", "figure-1.claim-1.3.letter"],
    )
    claim(
        "figure-1.claim-1.3.letter",
        AllOf((Converges(transform(P1, Q1, 1 - q)), Converges(transform(P2, Q2, 1 - q)))),
        where=[Ne(q, 0), Lt(q, 1)],
        printed=SINGULAR,
        fault="convention",
        expected="refuted",
        note="Of the transforms themselves, with values on both sides of q = 0: they converge for "
        "q > 1 alone.",
        readings=["figure-1.claim-1.3", "figure-1.claim-1.3.letter"],
    )
    claim(
        "figure-1.claim-1.4",
        Ge(R(q, P1, Q1), KL),
        where=[Gt(q, 1)],
        printed=SINGULAR,
        note="No singularity of R_q at q = 1: it lies between its limit eps tanh(eps/2) and that "
        "plus eps^2 (q - 1)/2, for q > 1.  Randomized response, every eps > 0, from below.",
    )
    claim(
        "figure-1.claim-1.5",
        Le(R(q, P1, Q1), KL + eps**2 * (q - 1) / 2),
        where=[Gt(q, 1)],
        printed=SINGULAR,
        note="The same from above.",
    )
    claim(
        "figure-1.claim-1.6",
        Eq(R(q, P2, Q2) - eps**2 / 2, eps**2 * (q - 1) / 2),
        where=[Ne(q, 1)],
        printed=SINGULAR,
        note="The Gaussian mechanism: R_q tends to kappa = eps^2/2.",
    )
    claim(
        "figure-1.claim-1.7",
        Eq(R(0, P1, Q1), 0),
        printed=SINGULAR,
        note="At q = 0 the Renyi divergence has a value.",
    )
    claim(
        "figure-1.claim-2",
        NotAlways(BY_RENYI),
        where=BOTH_WAYS,
        hints=ONE,
        printed=NOT_ENOUGH,
        note="q = 1 + w with w > 0.",
    )
    claim(
        "figure-1.claim-3.1",
        NotAlways(Implies(
            Le(transform(A1, B1, -w), transform(A2, B2, -w)), IN_PROFILE, over=(w,))),
        where=BOTH_WAYS,
        hints=ONE,
        printed=NOT_ENOUGH_TRANSFORM,
        note="Read for q > 1, where the transforms converge; q = 1 + w.",
        readings=DOMINANT,
    )
    claim(
        "figure-1.claim-3.2",
        Le(transform(P1, Q1, 1 - q), transform(P2, Q2, 1 - q)),
        where=[Gt(q, 1)],
        printed=NOT_ENOUGH_TRANSFORM,
        note="That the pairs of the figure satisfy the hypothesis, every eps > 0: at the orders at "
        "which the transforms converge.",
        readings=DOMINANT,
    )
    claim(
        "figure-1.claim-3.2.letter",
        Le(transform(P1, Q1, 1 - q), transform(P2, Q2, 1 - q)),
        where=[Ne(q, 0), Ne(q, 1)],
        printed=NOT_ENOUGH_TRANSFORM,
        fault="convention",
        expected="refuted",
        note="At all the orders printed: for q < 1 both integrals diverge, the transforms have no "
        "value to compare.",
        readings=DOMINANT,
    )
    claim(
        "figure-1.claim-4",
        Lt(sp.log(delta(G, H)(1) + GAP), LOG_BOUND),
        where=[Gt(q, 1)],
        printed=r"\text{even the tightest [...] conversion on the R\'enyi curve considering only "
        r"real orders }q>1\text{ fails to characterize its own privacy profile}",
        note="The conversion of Canonne et al., named by footnote 11, bounds delta(eps) by the "
        "infimum over q > 1 of e^((q-1)(R_q - eps)) (1 - 1/q)^q/(q - 1).  For the Gaussian curve "
        "with kappa = 1/2, at eps = 1, each of these numbers exceeds the profile by more than "
        "1/10; compared by logarithms.",
        fidelity="instance",
    )
    numeric(
        "figure-1.claim-4.number-1",
        Lt(sp.Rational("0.12693673750664394580"), delta(G, H)(1)),
        note="Not in the paper: the profile in question, from below.",
        fidelity="own",
    )
    numeric(
        "figure-1.claim-4.number-2",
        Gt(sp.Rational("0.12693673750664394581"), delta(G, H)(1)),
        note="Not in the paper: the profile in question, from above.",
        fidelity="own",
    )
    claim(
        "section-3.1.claim-2",
        NotAlways(BY_RENYI),
        where=BOTH_WAYS,
        hints=ONE,
        printed=r"\text{this equivalence does not imply an identical dominance ordering across "
        r"absolutely continuous distribution pairs}",
        note="q = 1 + w with w > 0.",
    )
    claim(
        "section-3.1.claim-3",
        NotAlways(BY_RENYI),
        hints=ONE,
        printed=r"\text{identifying a dominating pair of distributions in R\'enyi divergence does "
        r"not guarantee a corresponding dominance in privacy profiles}",
        note="q = 1 + w with w > 0.  Every pair, absolutely continuous or not.",
    )
    claim(
        "section-3.1.claim-4",
        Lt(sp.log(delta(G, H)(1) + GAP), LOG_BOUND),
        where=[Gt(q, 1)],
        printed=r"\text{converting the }\mathrm{R}_{q}\left(P\middle\|Q\right)\text{ curve into a "
        r"tight upper bound for privacy profile will always introduce a gap}",
        note="One pair and one conversion: the Gaussian curve of Figure 1, as in figure-1.claim-4. "
        " "
        "Always is too much: for P = Q the curve R_q = 0 gives the profile back.  Of conversions "
        "in general the paper gives no definition.",
        fidelity="instance",
    )
    claim(
        "section-3.1.claim-7.1",
        AllOf((
            Eq(delta(*LEAKING)(eps), e),
            Eq(delta(*FLAT)(eps), e),
            Gt(delta(*LEAKING)(0), delta(*FLAT)(0)),
        )),
        where=[Ge(e, 0), Lt(e, 1)],
        printed=LOSSY,
        note="A point of the profile does not determine it, whichever it is: randomized response "
        "at eps and at 0 with the leak e both have delta(eps) = e, and differ at 0.",
    )
    claim(
        "section-3.1.claim-7.2",
        AllOf((
            Eq(R(q, *NORMAL), w),
            Eq(R(q, APART, SHADE), w),
            Ne(R(2 * q, *NORMAL), R(2 * q, APART, SHADE)),
        )),
        where=[Gt(q, 1)],
        printed=LOSSY,
        note="Nor does the divergence of one order q determine the others: two pairs with R_q = w "
        "and different R_2q.  A Gaussian mechanism, and P against e^-w P + (1 - e^-w) S where S is "
        "apart from P.",
    )
    claim(
        "section-3.1.claim-9.letter",
        Eq(
            delta(P, Q)(e),
            Linv(sp.exp(-s * R(1 - s, P, Q)) / (s * (s - 1)), s, e, gamma),
        ),
        where=[Ne(gamma, 0), Ne(gamma, 1)],
        printed=LINE,
        expected="refuted",
        hints={"witness": {"gamma": sp.Rational(1, 2)}},
        note="By (37) along any such line; off the region of convergence the inversion integral "
        "gives another function.",
        readings=["section-3.1.claim-9.letter", "section-3.1.claim-9"],
    )
    claim(
        "section-3.1.claim-9",
        Eq(
            delta(P, Q)(e),
            sp.Max(0, 1 - sp.exp(e)) + Linv((E(1 - s, P, Q) - 1) / (s * (s - 1)), s, e, gamma),
        ),
        where=[Defined(E(1 - gamma, P, Q)), Ne(gamma, 0), Ne(gamma, 1)],
        printed=LINE,
        readings=["section-3.1.claim-9.letter", "section-3.1.claim-9"],
        note="Second reading, of the line alone: one formula fits every line on which E_q is "
        "finite.",
    )
    claim(
        "section-3.1.claim-10",
        Eq(
            delta(P, Q)(e),
            Linv(sp.exp(-s * R(1 - s, P, Q)) / (s * (s - 1)), s, e, gamma),
        ),
        where=[Converges(transform(P, Q, gamma))],
        printed=r"\text{the choice of }\gamma\text{ on }\mathbb{R}\text{ does not matter at all, "
        r"as long as it lies in the }\mathrm{ROC}_{\mathcal{B}}\{\delta_{P|Q}\}",
        note="Every such gamma gives the same value, that of the profile.  e stands for the "
        "epsilon of the profile.",
    )
