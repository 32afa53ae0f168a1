"""Section 1: the displays (1)-(4) with the definitions around them.

The introduction defines again what Sections 2 and 3 define, not always in the same way: its R_q has
no logarithm, its F_Z is Pr[Z < t], its f_Z(t) the mass of one level of the loss.
"""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
S = Event("S")
Z = PLD(P, Q)
eps, t, a, b = reals("eps t a b")
q, s = complexes("q s")
w = reals("q")
g = functions("f")

POWER = Omega(P**q * Q ** (1 - q))
HINGE = Ex(sp.Max(0, 1 - sp.exp(eps - Z)), Z)
MGF = Ex(sp.exp((q - 1) * Z), Z)
PHI = Ex(sp.exp(sp.I * w * Z), Z)
RENYI = sp.exp((q - 1) * R(q, P, Q))

FIRST_2 = (
    r"e^{(q-1)\cdot\mathrm{R}_{q}\left(P\middle\|Q\right)}="
    r"\underset{Z\leftarrow\mathrm{PLD}(P\|Q)}{\mathbb{E}}\left[e^{(q-1)\cdot Z}\right]"
)
SECOND_2 = (
    r"\underset{Z\leftarrow\mathrm{PLD}(P\|Q)}{\mathbb{E}}\left[e^{(q-1)\cdot Z}\right]"
    r"=\mathcal{B}\left\{f_{Z}(t)\right\}(1-q)"
)
DISPLAY_3 = (
    r"e^{(q-1)\cdot\mathrm{R}_{q}\left(P\middle\|Q\right)}"
    r"=q(q-1)\cdot\mathcal{B}\left\{\delta_{P|Q}(t)\right\}(1-q)"
)
FIRST_4 = (
    r"\phi_{P|Q}(q)="
    r"\underset{Z\leftarrow\mathrm{PLD}(P\|Q)}{\mathbb{E}}\left[e^{iqZ}\right]"
)
SECOND_4 = (
    r"\underset{Z\leftarrow\mathrm{PLD}(P\|Q)}{\mathbb{E}}\left[e^{iqZ}\right]"
    r"=\mathcal{B}\left\{f_{Z}\right\}(-iq)"
)
FOURIER = r"\phi_{P|Q}(q)\text{ [...] also turns out to be a Fourier transform}"

with theorem("chourasia2024/section-1", "Introduction", fidelity="printed"):
    claim(
        "section-1.claim-2",
        Eq(Int(sp.exp(s * t) * g(t), t), B(g(t), t)(-s)),
        where=[Converges(B(g(t), t, -s))],
        printed=r"\text{the moment generating function of a random variable corresponds to the }"
        r"\text{two-sided Laplace transform of its probability density function}",
        note="E[e^(sX)] is the transform at -s, for any generalised density, where it "
        "converges.",
    )
    definition(
        "section-1.claim-3",
        Eq(delta(P, Q)(eps), Sup(P(S) - sp.exp(eps) * Q(S), S)),
        printed=r"\delta_{P|Q}(\varepsilon):=\sup_{S}P(S)-e^{\varepsilon}\cdot Q(S)",
        note="Every pair, every real epsilon; with delta the integral of (6).",
    )
    definition(
        "section-1.claim-4",
        Eq(R(q, P, Q), POWER / (q - 1)),
        where=[Defined(R(q, P, Q))],
        printed=r"\mathrm{R}_{q}\left(P\middle\|Q\right):="
        r"\frac{1}{q-1}\int_{\Omega}P^{q}Q^{1-q}\mathrm{d}\theta",
        fault="misprint",
        expected="refuted",
        repaired_by="chourasia2024/section-1.claim-4.repaired",
        note="The logarithm of (8) is missing.",
    )
    repair(
        "section-1.claim-4.repaired",
        "section-1.claim-4",
        Eq(R(q, P, Q), sp.log(POWER) / (q - 1)),
        where=[Defined(R(q, P, Q))],
        kind="definition",
        corrected=r"\mathrm{R}_{q}\left(P\middle\|Q\right):="
        r"\frac{1}{q-1}\log\int_{\Omega}P^{q}Q^{1-q}\mathrm{d}\theta",
        note="With the logarithm of (8).",
    )

    claim(
        "eq-1.1",
        Eq(delta(P, Q)(eps), HINGE),
        printed=r"\delta_{P|Q}(\varepsilon)=\underset{Z\leftarrow\mathrm{PLD}(P\|Q)}{\mathbb{E}}"
        r"\left[\max\{0,1-e^{\varepsilon-Z}\}\right]",
    )
    claim(
        "eq-1.2",
        Eq(HINGE, L(1 - F(Z)(t + eps, strict=True), t)(1)),
        printed=r"\underset{Z\leftarrow\mathrm{PLD}(P\|Q)}{\mathbb{E}}"
        r"\left[\max\{0,1-e^{\varepsilon-Z}\}\right]"
        r"=\mathcal{L}\left\{1-F_{Z}(t+\varepsilon)\right\}(1)",
        note="With F_Z(t) = Pr[Z < t] as the introduction defines it.",
    )

    READINGS_2 = ["eq-2.1.letter", "eq-2.1.reading-2", "eq-2.1"]
    claim(
        "eq-2.1.letter",
        Eq(sp.exp(POWER), MGF),
        printed=r"\forall q\in\mathbb{C}\ :\ " + FIRST_2,
        expected="refuted",
        note="With R_q as the introduction defines it, so that (q-1) R_q is the integral itself: "
        "e^(E_q) is not E_q, where P = Q already.",
        readings=READINGS_2,
    )
    claim(
        "eq-2.1.reading-2",
        Eq(RENYI, MGF),
        printed=r"\forall q\in\mathbb{C}\ :\ " + FIRST_2,
        fault="convention",
        expected="refuted",
        note="Second reading: with R_q as in (8), for all complex q as printed.  It has no value "
        "at "
        "q = 1 nor at the zeros of E_q.",
        readings=READINGS_2,
    )
    claim(
        "eq-2.1",
        Eq(RENYI, MGF),
        where=[Defined(E(q, P, Q)), Ne(q, 0), Ne(q, 1), Ne(E(q, P, Q), 0)],
        printed=r"\forall q\in\mathbb{C}\ :\ " + FIRST_2,
        note="Third reading: with R_q as in (8), at the complex orders at which E_q is finite and "
        "R_q has a value; at q = 0 an outcome with P = 0 < Q counts in E_q alone.",
        readings=READINGS_2,
    )
    claim(
        "eq-2.2",
        Eq(MGF, B(f(Z)(t), t)(1 - q)),
        printed=r"\forall q\in\mathbb{C}\ :\ \text{[...] }" + SECOND_2,
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="chourasia2024/eq-2.2.repaired",
        note="For all complex q as printed: the expectation may be infinite.  An infinite loss "
        "counts in the expectation and not in the transform.",
        root="eq-23",
    )
    repair(
        "eq-2.2.repaired",
        "eq-2.2",
        Eq(MGF, B(f(Z)(t), t)(1 - q)),
        where=[Defined(E(q, P, Q)), Ne(q, 1)],
        corrected=SECOND_2 + r",\quad q\in\mathrm{ROC}_{P,Q},\ q\neq 1",
        note="Every pair, wherever E_q is finite, q = 1 excluded.",
    )
    repair(
        "eq-2.2.repaired-2",
        "eq-2.2",
        Eq(MGF, B(f(Z)(t), t)(1 - q)),
        where=[ac(P, Q), Converges(B(f(Z)(t), t, 1 - q))],
        corrected=SECOND_2 + r",\quad P\ll Q,\ 1-q\in\mathrm{ROC}_{\mathcal{B}}\{f_{Z}\}",
        note="For P << Q on the whole region of the transform.",
    )

    definition(
        "section-1.claim-6",
        Eq(F(Z)(t, strict=True), Pr(Z, "<", t)),
        printed=r"F_{Z}(t)=\Pr[Z<t]\text{ is the cumulative distribution function}",
        note="The introduction's own F, continuous from the left; (1) holds with it.",
        readings=["section-1.claim-6", "section-1.claim-6.letter"],
    )
    definition(
        "section-1.claim-6.letter",
        Eq(Pr(Z, "<", t), F(Z)(t)),
        printed=r"F_{Z}(t)=\Pr[Z<t]\text{ is the cumulative distribution function}",
        fault="convention",
        expected="refuted",
        note="As the F of Theorem 3.2, Pr[Z <= t]: they differ at atoms; (1) holds with both.",
        readings=["section-1.claim-6", "section-1.claim-6.letter"],
    )
    definition(
        "section-1.claim-7",
        Eq(f(Z)(t), Pr(Z, "==", t)),
        printed=r"f_{Z}(t)=\int_{\{\theta\in\Omega:L_{P|Q}(\theta)=z\}}P\mathrm{d}\theta",
        fault="misprint",
        expected="refuted",
        repaired_by="chourasia2024/section-1.claim-7.repaired",
        note="With t for z.  The integral is the mass of one level of the loss: 0 for a loss with "
        "a density, and finite where a generalised density has an impulse.",
    )
    repair(
        "section-1.claim-7.repaired",
        "section-1.claim-7",
        Eq(Pr(Z, "<", b) - Pr(Z, "<=", a), Int(f(Z)(t), t, a, b)),
        where=[Lt(a, b)],
        kind="definition",
        corrected=r"\int_{\{\theta\in\Omega:a<L_{P|Q}(\theta)<b\}}P\mathrm{d}\theta"
        r"=\int_{a}^{b}f_{Z}(t)\mathrm{d}t",
        note="The integral of the generalised density over an interval is the mass of the levels "
        "in it.",
    )

    claim(
        "eq-3",
        Eq(RENYI, q * (q - 1) * B(delta(P, Q)(t), t)(1 - q)),
        printed=r"\forall q\in\mathbb{C}\ :\ " + DISPLAY_3,
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="chourasia2024/eq-3.repaired",
        note="For all complex q as printed, R_q as in (8).  The transform diverges for Re q <= 1.",
        root="section-3.claim-5",
    )
    repair(
        "eq-3.repaired",
        "eq-3",
        Eq(RENYI, q * (q - 1) * B(delta(P, Q)(t), t)(1 - q)),
        where=[Gt(sp.re(q), 1), Defined(E(q, P, Q)), Ne(E(q, P, Q), 0)],
        corrected=DISPLAY_3 + r",\quad\mathfrak{Re}(q)>1,\ q\in\mathrm{ROC}_{P,Q},"
        r"\ \mathrm{E}_{q}\neq 0",
        note="Re q > 1 wherever E_q is finite, its zeros excluded.",
    )

    definition(
        "section-1.claim-8",
        Defined(PHI),
        where=[ac(P, Q)],
        printed=r"\phi_{P|Q}(q):=\underset{P}{\mathbb{E}}\left[e^{iq\log(P/Q)}\right]",
        note="Of the definition only what it supposes: for P << Q the mean has a value at every "
        "real "
        "q.",
        readings=["section-1.claim-8", "section-1.claim-8.letter"],
    )
    definition(
        "section-1.claim-8.letter",
        Defined(PHI),
        printed=r"\phi_{P|Q}(q):=\underset{P}{\mathbb{E}}\left[e^{iq\log(P/Q)}\right]",
        fault="convention",
        expected="refuted",
        note="e^(iq oo) has no value where Q = 0 < P.",
        readings=["section-1.claim-8", "section-1.claim-8.letter"],
    )
    claim(
        "eq-4.1",
        Eq(Omega(P ** (1 + sp.I * w) * Q ** (-sp.I * w)), PHI),
        where=[ac(P, Q)],
        printed=r"\forall q\in\mathbb{R}\ :\ " + FIRST_4,
        note="As printed, for P << Q; phi by its definition, E_P[e^(iq log(P/Q))].",
        readings=["eq-4.1", "eq-4.1.letter"],
    )
    claim(
        "eq-4.1.letter",
        Eq(Omega(P ** (1 + sp.I * w) * Q ** (-sp.I * w)), PHI),
        printed=r"\forall q\in\mathbb{R}\ :\ " + FIRST_4,
        fault="convention",
        expected="refuted",
        note="Neither side has a value where Q = 0 < P; phi by its definition.",
        readings=["eq-4.1", "eq-4.1.letter"],
    )
    claim(
        "eq-4.2",
        Eq(PHI, B(f(Z)(t), t)(-sp.I * w)),
        where=[ac(P, Q)],
        printed=r"\forall q\in\mathbb{R}\ :\ \text{[...] }" + SECOND_4,
        note="As printed, for P << Q.",
        readings=["eq-4.2", "eq-4.2.letter"],
    )
    claim(
        "eq-4.2.letter",
        Eq(PHI, B(f(Z)(t), t)(-sp.I * w)),
        printed=r"\forall q\in\mathbb{R}\ :\ \text{[...] }" + SECOND_4,
        fault="convention",
        expected="refuted",
        note="The transform leaves out the infinite loss.",
        readings=["eq-4.2", "eq-4.2.letter"],
    )
    claim(
        "section-1.claim-9.1",
        Eq(PHI, Int(sp.exp(sp.I * w * t) * f(Z)(t), t)),
        where=[ac(P, Q)],
        printed=FOURIER,
        note="As printed, for P << Q.",
        readings=["section-1.claim-9.1", "section-1.claim-9.1.letter"],
    )
    claim(
        "section-1.claim-9.1.letter",
        Eq(PHI, Int(sp.exp(sp.I * w * t) * f(Z)(t), t)),
        printed=FOURIER,
        fault="convention",
        expected="refuted",
        note="Is a Fourier transform: the integral leaves out the infinite loss.",
        readings=["section-1.claim-9.1", "section-1.claim-9.1.letter"],
    )
    claim(
        "section-1.claim-9.2",
        Eq(Int(sp.exp(sp.I * w * t) * f(Z)(t), t), B(f(Z)(t), t)(-sp.I * w)),
        printed=r"\text{which is a special case of the bilateral Laplace transform}",
        note="The transform at -iq, every real q; f_Z is the density of the finite losses.",
    )
