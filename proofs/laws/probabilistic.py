"""Probabilistic differential privacy: tails of the loss, beside the profile.

A pair is (epsilon, delta)-PDP in both directions exactly where both tails are at most delta:
sommer2020/section-4.5.claim-3; these laws are about one direction.  PDP implies ADP with the same
numbers: laws/shape.tail.  Tails from Renyi bounds: laws/renyi-bounds.tail.
"""

import sympy as sp

from lapdp.privacy.mechanisms import finite
from lapdp.theory import *

P, Q = pair("P", "Q")
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
BOTH = PLD(*product_pair((P1, Q1), (P2, Q2)))
Z, Z1, Z2 = PLD(P, Q), PLD(P1, Q1), PLD(P2, Q2)
S = Event("S")
eps, t, mass = reals("eps t delta")
lower, higher = reals("eps_1 eps_2")
profile = delta(P, Q)
HALF = sp.Rational(1, 2)
BEFORE = finite([HALF, HALF, 0], [0, HALF, HALF])
SOURCE = "Sommer, Meiser, Mohammadi 2020, "
GAP = 1 - sp.exp(lower - higher)
TEX_BACK = r"\Pr[Z>\varepsilon_2]\leq\frac{\delta_{P|Q}(\varepsilon_1)}" \
           r"{1-e^{\varepsilon_1-\varepsilon_2}},\quad\varepsilon_1<\varepsilon_2"

with theorem("laws/probabilistic", "Probabilistic differential privacy"):
    claim(
        "probabilistic.approximate-back",
        Le(Pr(Z, ">", eps), profile(eps)),
        kind="law",
        expected="refuted",
        printed=r"\Pr[Z>\varepsilon]\leq\delta_{P|Q}(\varepsilon)",
        note="Not a law: (epsilon, delta)-ADP does not imply PDP with the same numbers, " + SOURCE
        + "Section 4.5.",
    )
    claim(
        "probabilistic.from-approximate",
        Le(Pr(Z, ">", higher), profile(lower) / GAP),
        where=Lt(lower, higher),
        kind="law",
        expected="proved",
        printed=TEX_BACK,
        note="(epsilon_1, delta)-ADP implies PDP at every larger epsilon: Markov's inequality for "
        "the hinge, " + SOURCE + "Theorem 3.",
    )
    claim(
        "probabilistic.from-approximate-closed",
        Le(Pr(Z, ">=", higher), profile(lower) / GAP),
        where=Lt(lower, higher),
        kind="law",
        expected="proved",
        printed=TEX_BACK.replace(">", r"\geq", 1),
        note="Also with losses equal to epsilon_2, where it is attained: " + SOURCE + "Theorem 3.",
    )
    claim(
        "probabilistic.from-approximate-strict",
        Lt(Pr(Z, ">=", higher), profile(lower) / GAP),
        where=[Lt(lower, higher), Gt(profile(lower), 0)],
        kind="law",
        expected="refuted",
        printed=TEX_BACK.replace(">", r"\geq", 1).replace(r"\leq", "<"),
        note="Not a law: an atom at epsilon_2 attains the bound, " + SOURCE + "Theorem 3.",
    )
    claim(
        "probabilistic.profile",
        Eq(profile(eps), Int(sp.exp(eps - t) * Pr(Z, ">", t), t, eps, sp.oo)),
        kind="law",
        expected="proved",
        printed=r"\delta_{P|Q}(\varepsilon)=\int_\varepsilon^\infty "
        r"e^{\varepsilon-t}\,\Pr[Z>t]\,dt",
        note="The profile is a mean of the tails beyond: chourasia2024, (1); " + SOURCE
        + "Definition 6.",
    )
    claim(
        "probabilistic.pure",
        Iff(Eq(Pr(Z, ">", eps), 0), Eq(profile(eps), 0)),
        kind="law",
        expected="proved",
        printed=r"\Pr[Z>\varepsilon]=0\iff\delta_{P|Q}(\varepsilon)=0",
        note="With delta = 0 both notions are pure differential privacy: " + SOURCE
        + "Section 4.5.",
    )
    claim(
        "probabilistic.closed-tail",
        Le(Pr(Z, ">=", eps), mass),
        where=Le(Pr(Z, ">", eps), mass),
        kind="law",
        expected="refuted",
        printed=r"\Pr[Z>\varepsilon]\leq\delta\implies\Pr[Z\geq\varepsilon]\leq\delta",
        note="Not a law: a loss of epsilon itself is allowed, " + SOURCE + "Lemma 7.",
    )
    claim(
        "probabilistic.products",
        Le(Pr(BOTH, ">", lower + higher), Pr(Z1, ">", lower) + Pr(Z2, ">", higher)),
        kind="law",
        expected="proved",
        printed=r"\Pr[Z_1+Z_2>\varepsilon_1+\varepsilon_2]\leq"
        r"\Pr[Z_1>\varepsilon_1]+\Pr[Z_2>\varepsilon_2]",
        note="Independent releases: basic composition, as of ADP in Dwork and Roth 2014, Theorem "
        "3.16.",
    )
    claim(
        "probabilistic.processing",
        Le(P(S), mass),
        where=[Ge(eps, 0), Le(Pr(Z, ">", eps), mass), Gt(P(S), sp.exp(eps) * Q(S))],
        kind="law",
        expected="refuted",
        hints={"pairs": {"P": BEFORE}, "witness": {"eps": 0, "delta": HALF}},
        printed=r"\Pr[Z>\varepsilon]\leq\delta,\ P(S)>e^{\varepsilon}Q(S)\implies P(S)\leq\delta",
        note="Not a law: it says that whoever sees only whether S happened keeps PDP; it is not "
        "closed under post-processing, " + SOURCE + "Section 4.5.",
    )
