"""Theorem 3.5: Renyi divergence of randomized response without failure mass, (40)."""

import sympy as sp

from lapdp.privacy.mechanisms import randomized_response
from lapdp.theory import *

eps = positives("eps")
q = complexes("q")

P, Q = mechanism_pair(randomized_response(eps))

HIGH, LOW = sp.exp(eps) / (1 + sp.exp(eps)), 1 / (1 + sp.exp(eps))
MOMENT = HIGH * sp.exp(-q * eps) + LOW * sp.exp(q * eps)
PRINTED = (
    r"\frac{e^{\varepsilon}}{1+e^{\varepsilon}}e^{-q\varepsilon}"
    r"+\frac{1}{1+e^{\varepsilon}}e^{q\varepsilon}"
)
TEXT_40 = (
    r"\forall q\in\mathbb{C}\ \text{s.t.}\ \mathfrak{Re}(q)\not\in\{0,1\}:"
    r"\mathrm{R}_{q}\left(P\middle\|Q\right)=\frac{1}{q-1}\log\left(" + PRINTED + r"\right)"
)

with theorem("chourasia2024/theorem-3.5", "Renyi DP of (eps, 0)-Randomized Response",
             fidelity="printed"):
    claim(
        "eq-40",
        Eq(R(q, P, Q), sp.log(MOMENT) / (q - 1)),
        where=[Ne(q, 1), Ne(E(q, P, Q), 0)],
        printed=TEXT_40,
        note="Where R_q has a value: excludes q = 1 and the zeros of E_q; the lines Re q = 0, 1 "
        "need no exclusion.",
        readings=["eq-40", "eq-40.letter"],
    )
    claim(
        "eq-40.letter",
        Eq(R(q, P, Q), sp.log(MOMENT) / (q - 1)),
        where=[Ne(sp.re(q), 0), Ne(sp.re(q), 1)],
        printed=TEXT_40,
        fault="convention",
        expected="refuted",
        note="At q = 1/2 + i pi (2k+1)/(2 eps) the argument of the logarithm is 0.",
        readings=["eq-40", "eq-40.letter"],
    )
    repair(
        "eq-40.repaired",
        "eq-40.letter",
        Eq(E(q, P, Q), MOMENT),
        corrected=r"\forall q\in\mathbb{C}:\mathrm{E}_{q}\left(P\middle\|Q\right)=" + PRINTED,
        note="The moment needs no exception at all.",
    )
