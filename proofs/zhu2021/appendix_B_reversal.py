"""Appendix B: the reversal list, how one function of a pair determines the other.

H_alpha(P||Q) is the privacy profile at log(alpha).  The definitions of F and G are missing in the
source; three readings, each with densities as generalised functions on the reals:

reading 1: F and G are the distribution functions of log(p/q), under P and under Q;
reading 2: F is that of log(p/q) under P, G that of log(q/p) under Q (as in Algorithm 1);
reading 3: F and G are the distribution functions of log(q/p), under P and under Q.
"""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
eps, x, t, u, q = reals("eps x t u q")
alpha = positives("alpha")
Z, Y = PLD(P, Q), PLD(Q, P)
phi = decisions("phi")
LEVEL = [Ge(x, 0), Le(x, 1)]

PHI_PRIME = Ex(sp.exp(sp.I * u * Y), Y)
INDEX, ORDERS, TILT = ([f"appendix-B.item-{item}.reading-{k}" for k in range(1, n + 1)]
                       for item, n in ((1, 3), (2, 2), (3, 3)))
TRANSFORM = ["appendix-B.item-4.reading-1", "appendix-B.item-4.reading-2"]
REVERSAL = r"H_\alpha(Q\|P)=\alpha H_{\alpha^{-1}}(P\|Q)-\alpha+1"
RENYI = (
    r"\text{For }\alpha\in(0,1),\ D_\alpha(Q\|P)=\frac{\alpha}{1-\alpha}D_{1-\alpha}(P\|Q)"
)
DENSITIES = r"G'(x)=e^xF'(x)"
PROCESS = r"\phi\xrightarrow{\text{Levy's formula}}F\to G\to\phi'"
CURVES = r"\text{If }T[P,Q]=f\text{ then }T[Q,P]=f^{-1}"


def H(first, second, a):
    """The hockey-stick divergence."""
    return delta(first, second)(sp.log(a))


with theorem("zhu2021/appendix-B", "Reversal list", fidelity="printed"):
    definition(
        "appendix-B.claim-1",
        Eq(T(P, Q)(x), Inf(1 - mean(Q, phi), phi, Le(mean(P, phi), x))),
        where=LEVEL,
        printed=r"T[P,Q]\text{ and }T[Q,P]\text{, which map the type I error to the corresponding "
        r"minimal type II "
        r"error in testing problems }P\text{ vs }Q\text{ and }Q\text{ vs }P",
        note="The least type II error is that of Definition 3.",
    )
    rule(
        "appendix-B.item-1.reading-1",
        Eq(H(Q, P, alpha), alpha * H(P, Q, 1 / alpha) - alpha + 1),
        printed=REVERSAL,
        note="The index is garbled in the source: alpha^-1, as quoted, or alpha - 1.  This "
        "reading: "
        "1/alpha.",
        readings=INDEX,
    )
    rule(
        "appendix-B.item-1.reading-2",
        Eq(H(Q, P, alpha), alpha * H(P, Q, alpha - 1) - alpha + 1),
        where=[Gt(alpha, 1)],
        printed=REVERSAL,
        expected="refuted",
        hints={"witness": {"alpha": 2}},
        note="The other reading of the garbled index: alpha - 1, at alpha > 1 where it is a "
        "hockey-stick divergence.",
        readings=INDEX,
    )
    rule(
        "appendix-B.item-1.reading-3",
        Eq(
            Omega(sp.Max(0, Ratio(Q, P) - alpha) * P),
            alpha * Omega(sp.Max(0, Ratio(P, Q) - 1 / alpha) * Q) - alpha + 1,
        ),
        where=[ac(P, Q), ac(Q, P)],
        printed=REVERSAL,
        note="H by its formula in Definition 2, an expectation under the second distribution: it "
        "does not see where that one vanishes, so P << Q << P.",
        readings=INDEX,
    )
    rule(
        "appendix-B.item-2.reading-1",
        Eq(E(q, Q, P), E(1 - q, P, Q)),
        where=[Gt(q, 0), Lt(q, 1)],
        printed=RENYI,
        note="D_q(Q||P) = log(E_q(Q||P))/(q - 1), and q/(1 - q) times D_{1-q}(P||Q) is the same of "
        "E_{1-q}(P||Q), since (1 - q) - 1 = -q.  Every pair; both are +oo where E is 0.",
        readings=ORDERS,
    )
    rule(
        "appendix-B.item-2.reading-2",
        Eq(R(q, Q, P), q / (1 - q) * R(1 - q, P, Q)),
        where=[Gt(q, 0), Lt(q, 1), Ne(E(q, Q, P), 0)],
        printed=RENYI,
        note="As printed, where the divergences are finite: P and Q not mutually singular.  q "
        "stands for alpha.",
        readings=ORDERS,
    )
    rule(
        "appendix-B.item-3.reading-1",
        Eq(f(Y)(-x), sp.exp(x) * f(Z)(x)),
        printed=DENSITIES,
        expected="refuted",
        note="Reading 1: F and G belong to log(p/q), under P and under Q.  The density of log(p/q) "
        "under Q at x is that of log(q/p) at -x.",
        readings=TILT,
    )
    repair(
        "appendix-B.item-3.reading-1.repaired",
        "appendix-B.item-3.reading-1",
        Eq(f(Y)(-x), sp.exp(-x) * f(Z)(x)),
        kind="rule",
        corrected=r"G'(x)=e^{-x}F'(x)",
        note="The sign of the exponent; every pair, atoms included.",
    )
    rule(
        "appendix-B.item-3.reading-2",
        Eq(f(Y)(x), sp.exp(x) * f(Z)(x)),
        printed=DENSITIES,
        expected="refuted",
        note="Reading 2, the two distribution functions of Algorithm 1: L_{P,Q} under P and "
        "L_{Q,P} under Q.",
        readings=TILT,
    )
    repair(
        "appendix-B.item-3.reading-2.repaired",
        "appendix-B.item-3.reading-2",
        Eq(f(Y)(x), sp.exp(x) * f(Z)(-x)),
        kind="rule",
        corrected=r"G'(x)=e^{x}F'(-x)",
        note="The argument of F'; every pair, atoms included.",
    )
    rule(
        "appendix-B.item-3.reading-3",
        Eq(f(Y)(x), sp.exp(x) * f(Z)(-x)),
        printed=DENSITIES,
        note="Reading 3: F and G belong to log(q/p), under P and under Q.  Then it is true as "
        "printed, for every pair, atoms included; so is Lemma 21, and Lemma 24 where F has no "
        "atoms (lemma-24.reading-3).  Lemma 20 then fails (lemma-20.item-1.reading-4).",
        readings=TILT,
    )
    rule(
        "appendix-B.item-4.reading-1",
        Eq(PHI_PRIME, Int(sp.exp(sp.I * u * x) * sp.exp(x) * f(Z)(x), x)),
        where=[ac(P, Q), ac(Q, P)],
        printed=PROCESS,
        expected="refuted",
        note="F is the law of log(p/q) under P, of which phi is the transform; G' = e^x F' as "
        "printed; phi' is the transform of G.  u stands for the argument of phi.",
        readings=TRANSFORM,
    )
    rule(
        "appendix-B.item-4.reading-2",
        Eq(PHI_PRIME, Int(sp.exp(sp.I * u * x) * sp.exp(x) * f(Z)(-x), x)),
        printed=PROCESS,
        readings=TRANSFORM,
        where=[ac(Q, P)],
        note="With the G of readings 2 and 3, for Q << P, where phi' is defined: Q-mass where P "
        "vanishes is infinite loss, which the paper treats apart (Section D.2).  u stands "
        "for the argument of phi.",
    )
    rule(
        "appendix-B.item-5",
        Eq(T(Q, P)(x), left_inverse(T(P, Q)(t), t)(x)),
        where=LEVEL,
        printed=CURVES,
        note="The left-continuous inverse; every pair.",
    )
