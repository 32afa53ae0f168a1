"""Definition 3.1 and footnotes 7, 8 and 9 of Section 3."""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
S = Event("S")
Z = PLD(P, Q)
t, u, x, a, eps = reals("t u x a eps")
e1, e2 = reals("eps_1 eps_2")

PSI = P(S) - sp.exp(t) * Q(S)
ATOM = Impulse(f(Z)(t), t, x)
PRINTED_7 = r"f_{X}(t)dt=\lim_{a\rightarrow 0^{+}}\int_{t-a}^{t+a}F_{X}(u)du"

with theorem("chourasia2024/section-3.footnotes", "Privacy loss, generalised density, events",
             fidelity="printed"):
    definition(
        "definition-3.1",
        Eq(F(Z)(t), P(Where(Le(LossAt(P, Q), t)))),
        printed=r"L_{P|Q}(\theta):=\log(P(\theta)/Q(\theta))\text{, [...] }\mathrm{PLD}(P\|Q)"
        r"\text{ is the distribution of }L_{P|Q}(\Theta)\text{ when }\Theta\sim P",
    )
    definition(
        "theorem-3.2.claim-1",
        Eq(F(Z)(t), Pr(Z, "<=", t)),
        printed=r"F_{X}(t):=\Pr[X\leq t]",
        note="For X = Z of every pair; Z' is the loss of (Q, P), and no other X occurs.",
    )

    definition(
        "footnote-7.claim-1",
        Eq(ATOM, Lim(Int(F(Z)(u), u, x - a, x + a), a, 0, "+")),
        printed=PRINTED_7,
        fault="misprint",
        expected="refuted",
        repaired_by="chourasia2024/footnote-7.claim-1.repaired",
        note="For X = Z, read as the mass of the density at t.  An integral of the bounded "
        "function F over a "
        "vanishing interval tends to 0.",
    )
    repair(
        "footnote-7.claim-1.repaired",
        "footnote-7.claim-1",
        Eq(ATOM, Lim(F(Z)(x + a) - F(Z)(x - a), a, 0, "+")),
        kind="definition",
        corrected=r"f_{X}(t)dt=\lim_{a\rightarrow 0^{+}}\int_{t-a}^{t+a}\mathrm{d}F_{X}(u)",
        note="The increment of F over the interval.",
    )
    claim(
        "footnote-7.claim-2",
        Eq(ATOM, Impulse((F(Z)(x) - F(Z)(x, strict=True)) * sp.DiracDelta(t), t, x)),
        printed=r"f_{X}(t)=\begin{cases}\text{[...]}\\ "
        r"[F_{X}(t^{+})-F_{X}(t^{-})]\triangle(t)&\text{otherwise}\end{cases}",
        fault="misprint",
        expected="refuted",
        repaired_by="chourasia2024/footnote-7.claim-2.repaired",
        note="The impulse at an atom x, for X = Z.  As printed it sits at 0, wherever the atom is.",
    )
    repair(
        "footnote-7.claim-2.repaired",
        "footnote-7.claim-2",
        Eq(f(Z)(t), D(F(Z)(t), t)),
        corrected=r"f_{X}=\dot{F}_{X}\text{ as a generalised derivative: }"
        r"[F_{X}(x^{+})-F_{X}(x^{-})]\triangle(t-x)\text{ at each atom }x",
        note="Every pair.  The generalised derivative also has what a continuous F may lack at "
        "almost every point, the classical one (Cantor).",
    )
    claim(
        "footnote-7.claim-3",
        Eq(F(Z)(x), Int(f(Z)(u) * Indicator(Le(u, x)), u)),
        printed=r"F_{X}(t)=\int_{-\infty}^{t^{+}}f_{X}(u)du",
        note="For X = Z of every pair.  The upper limit t+ counts an impulse at t.",
    )

    claim(
        "footnote-8.claim-1.1",
        Continuous(PSI, t),
        printed=r"\psi_{S}(\varepsilon):=P(S)-e^{\varepsilon}\cdot Q(S)"
        r"\text{ is a continuous [...] function}",
    )
    claim(
        "footnote-8.claim-1.2",
        Ge(P(S) - sp.exp(e1) * Q(S), P(S) - sp.exp(e2) * Q(S)),
        where=[Lt(e1, e2)],
        printed=r"\psi_{S}(\varepsilon):=P(S)-e^{\varepsilon}\cdot Q(S)"
        r"\text{ is a [...] decreasing function}",
        note="Decreasing in the weak sense; constant where Q(S) = 0.",
    )

    definition(
        "footnote-9.1",
        Implies(Gt(P(S), 0), Gt(Q(S), 0)),
        where=[ac(P, Q)],
        printed=r"P(S)>0\implies Q(S)>0",
        note="P << Q read as: the loss is almost surely finite.  Then every event of positive "
        "probability under P has positive probability under Q.",
    )
    definition(
        "footnote-9.2",
        AllOf((Eq(P(Where(Eq(Q, 0))), Pr(Z, "==", sp.oo)), Eq(Q(Where(Eq(Q, 0))), 0))),
        printed=r"P(S)>0\implies Q(S)>0",
        note="The converse: the event Q = 0 has P-mass Pr[Z = oo] and Q-mass 0, so where the loss "
        "may be infinite it violates the implication.",
    )
