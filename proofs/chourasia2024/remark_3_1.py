"""Remark 3.1: reversal of the privacy loss distribution, (19)."""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
Z, Zp = PLD(P, Q), PLD(Q, P)
z = reals("z")

with theorem("chourasia2024/remark-3.1", "Reversal of the privacy loss distribution",
             fidelity="printed"):
    claim(
        "eq-19",
        Eq(f(Z)(z), sp.exp(z) * f(Zp)(-z)),
        printed=r"\forall z\in\mathbb{R}\ :f_{Z}(z)=e^{z}\cdot f_{Z^{\prime}}(-z)",
        note="Equality of generalised densities on the finite reals, impulses included.",
    )
