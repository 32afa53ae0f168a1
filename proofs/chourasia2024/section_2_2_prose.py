"""Section 2.2, prose: regions, uniqueness, Fourier transforms (18); Remarks 2.5, 2.6, footnote 6.

Generalised functions are measures on the line; functions that agree almost everywhere are those
with equal integrals over all intervals.
"""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
g, h = functions("g h")
t, gamma, x, w, a, b, c = reals("t gamma x omega a b c")
after = positives("x")
start, end = positives("a b")
s, s1, s2, q, q1, q2 = complexes("s s_1 s_2 q q_1 q_2")

BOTH_B = [Converges(B(g(t), t, gamma)), Converges(B(h(t), t, gamma))]
BOTH_L = [Converges(L(g(t), t, gamma)), Converges(L(h(t), t, gamma))]
CONTINUOUS = [Continuous(g(t), t), Continuous(h(t), t)]
SAME_B = Eq(B(g(t), t)(gamma + sp.I * w), B(h(t), t)(gamma + sp.I * w))
SAME_L = Eq(L(g(t), t)(gamma + sp.I * w), L(h(t), t)(gamma + sp.I * w))
LINE = "Supposed on one line Re s = gamma of absolute convergence only"
HALF_LINE = LINE + "; transforms that converge only conditionally are left aside."
WHOLE_LINE = LINE + ("; with the symmetric limits of footnote 6 t and 2 t, say, both have the "
"region "
                     "{0} and there the transform 0.")

SYMMETRIC = Lim(Int(sp.exp(-s * t) * g(t), t, -gamma, gamma), gamma, sp.oo)
FORMULA = -2 / ((s - 1) * (s + 1))
"""The transform of e^-|t| on -1 < Re s < 1, and of -2 sinh(t) for t > 0 on Re s > 1."""

STRIP = r"\text{This region is always a strip parallel to the imaginary axis}"
OF_PROFILE = (
    r"\text{Since region of convergence is always a strip in the complex plane }"
    r"\mathbb{C}\text{ parallel to the imaginary line}"
)
ABSOLUTE_OR_NOT = [
    ("section-2.2.claim-2.2", "section-2.2.claim-2.3"),
    "section-2.2.claim-2.1",
]
PROFILE_STRIP = [
    ("section-3.claim-15", "section-3.claim-15.between"),
    "section-3.claim-15.conditional",
]
ON_THE_LINE = Implies(
    Defined(Lim(Int(sp.exp(-s1 * t) * g(t), t, -gamma, gamma), gamma, sp.oo)),
    Defined(SYMMETRIC),
)
UNIQUE = (
    r"\text{if two continuous functions }g\text{ and }h\text{ share the same Laplace transform, }"
    r"\text{then, }g(t)=h(t)\text{ holds for all }t\in"
)
ALMOST = (
    r"\text{If }g\text{ and }h\text{ are continuous almost everywhere [...] then }g(t)=h(t)"
    r"\text{ almost everywhere in the respective time-domains}"
)

with theorem("chourasia2024/section-2.2.prose", "Regions, uniqueness and Fourier transforms",
             fidelity="printed"):
    claim(
        "section-2.2.claim-1",
        Eq(Impulse(sp.exp(-t) + c * sp.DiracDelta(t), t, 0), c),
        printed=r"\int_{0^{-}}^{0^{+}}f(t)dt\text{ may not be }0\text{ if }f"
        r"\text{ has an impulse (aka. integrable singularity) at }0",
        note="For f(t) = e^-t with an impulse of mass c at 0 the integral is c, whatever c is.",
    )
    definition(
        "remark-2.5.claim-2",
        Eq(L(g(t) * Indicator(Gt(t, 0)), t)(s), L(g(t), t)(s)),
        where=[Converges(L(g(t), t, s))],
        printed=r"\text{our definition entirely excludes the point mass located at }0"
        r"\text{ by convention}",
        note="An impulse at 0 makes no difference to the transform, where that converges.",
    )

    claim(
        "section-2.2.claim-2.1",
        ON_THE_LINE,
        where=[Eq(sp.re(s), sp.re(s1))],
        hints={"witness": {"s": sp.I, "s_1": 0}},
        printed=STRIP,
        fault="convention",
        expected="refuted",
        repaired_by="chourasia2024/section-2.2.claim-2.repaired",
        note="With the one symmetric limit that footnote 6 prints: convergence at one point of a "
        "vertical line would give it on the whole line.  For g(t) = t the limit exists at s = 0 "
        "and "
        "nowhere else on Re s = 0.",
        readings=ABSOLUTE_OR_NOT,
    )
    claim(
        "section-2.2.claim-2.2",
        Converges(B(g(t), t, s)),
        where=[
            Converges(B(g(t), t, s1)),
            Converges(B(g(t), t, s2)),
            Le(sp.re(s1), sp.re(s)),
            Le(sp.re(s), sp.re(s2)),
        ],
        printed=STRIP,
        note="With absolute convergence: between two points of the region the strip belongs to it.",
        readings=ABSOLUTE_OR_NOT,
    )
    claim(
        "section-2.2.claim-2.3",
        Converges(L(g(t), t, s)),
        where=[Converges(L(g(t), t, s1)), Le(sp.re(s1), sp.re(s))],
        printed=STRIP,
        note="With absolute convergence: the region of a one-sided transform is a half-plane.",
        readings=ABSOLUTE_OR_NOT,
    )
    repair(
        "section-2.2.claim-2.repaired",
        "section-2.2.claim-2.1",
        Converges(B(g(t), t, s)),
        where=[Converges(B(g(t), t, s1)), Eq(sp.re(s), sp.re(s1))],
        corrected=r"\text{The region of absolute convergence is a strip parallel to the imaginary }"
        r"\text{axis}",
        note="Absolute convergence at one point gives it on the vertical line through the point.",
    )
    claim(
        "section-3.claim-15",
        Converges(B(delta(P, Q)(t), t, 1 - q)),
        where=[Converges(B(delta(P, Q)(t), t, 1 - q1)), Eq(sp.re(q), sp.re(q1))],
        printed=OF_PROFILE,
        note="Of the profile, with absolute convergence: with a point the line through it belongs "
        "to the region; what lies between two: .between.",
        readings=PROFILE_STRIP,
    )
    claim(
        "section-3.claim-15.between",
        Converges(B(delta(P, Q)(t), t, 1 - q)),
        where=[
            Converges(B(delta(P, Q)(t), t, 1 - q1)),
            Converges(B(delta(P, Q)(t), t, 1 - q2)),
            Le(sp.re(q1), sp.re(q)),
            Le(sp.re(q), sp.re(q2)),
        ],
        printed=OF_PROFILE,
        note="With absolute convergence: with two points all that lies between their lines "
        "belongs to the region.",
        readings=PROFILE_STRIP,
    )
    claim(
        "section-3.claim-15.conditional",
        ON_THE_LINE,
        where=[Eq(sp.re(s), sp.re(s1))],
        hints={"witness": {"s": sp.I, "s_1": 0}},
        printed=OF_PROFILE,
        fault="convention",
        expected="refuted",
        note="Of every transform, as \"always\" says, with the limit of footnote 6: as "
        "section-2.2.claim-2.1.",
        readings=PROFILE_STRIP,
    )
    definition(
        "footnote-6.claim-1",
        Eq(Lim(Int(sp.exp(-s * t) * g(t), t, 0, gamma), gamma, sp.oo), L(g(t), t)(s)),
        where=[Converges(L(g(t), t, s))],
        fidelity="own",
        note="The footnote names what it calls conditional convergence and claims nothing; where "
        "the transform (14) converges absolutely, the limit that it names is its value.",
    )
    definition(
        "footnote-6.claim-2",
        Eq(SYMMETRIC, B(g(t), t)(s)),
        where=[Converges(B(g(t), t, s))],
        fidelity="own",
        note="The footnote names what it calls conditional convergence and claims nothing; where "
        "the transform (14) converges absolutely, the limit that it names is its value.",
    )

    claim(
        "section-2.2.claim-3",
        Implies(SAME_L, Eq(g(after), h(after)), over=(w,)),
        where=[*CONTINUOUS, *BOTH_L],
        printed=UNIQUE + r"\mathbb{R}^{+}\text{ in the case of a one-sided Laplace transform}",
        note=HALF_LINE,
    )
    claim(
        "section-2.2.claim-4",
        Implies(SAME_B, Eq(g(x), h(x)), over=(w,)),
        where=[*CONTINUOUS, *BOTH_B],
        printed=UNIQUE + r"\mathbb{R}^{+}\text{ [...] and for all }t\in\mathbb{R}"
        r"\text{ for a two-sided Laplace transform}",
        note=WHOLE_LINE,
        readings=["section-2.2.claim-4", "section-2.2.claim-4.reading-2"],
    )
    claim(
        "section-2.2.claim-4.reading-2",
        Eq(Linv(FORMULA, s, x, a), Linv(FORMULA, s, x, b)),
        where=[Ne(a, 1), Ne(a, -1), Ne(b, 1), Ne(b, -1)],
        hints={"witness": {"a": 0, "b": 2, "x": 0}},
        printed=UNIQUE + r"\mathbb{R}^{+}\text{ [...] and for all }t\in\mathbb{R}"
        r"\text{ for a two-sided Laplace transform}",
        expected="refuted",
        note="Second reading: the same formula, the regions left aside.  -2/(s^2 - 1) is the "
        "transform of e^-|t| on one strip and of -2 sinh(t), t > 0, on another; both are "
        "continuous.",
        readings=["section-2.2.claim-4", "section-2.2.claim-4.reading-2"],
    )
    claim(
        "remark-2.6.claim-1.1",
        Implies(SAME_L, Eq(Int(g(t), t, start, end), Int(h(t), t, start, end)), over=(w,)),
        where=[*BOTH_L, Lt(start, end)],
        printed=ALMOST,
        note="One-sided, on t > 0; continuity almost everywhere is not needed.  " + HALF_LINE +
        "  a, b are the ends of any interval: equal integrals over each say equality almost "
        "everywhere.",
    )
    claim(
        "remark-2.6.claim-1.2",
        Implies(SAME_B, Eq(Int(g(t), t, a, b), Int(h(t), t, a, b)), over=(w,)),
        where=[*BOTH_B, Lt(a, b)],
        printed=ALMOST,
        note="Two-sided, on the whole line; continuity almost everywhere is not needed.  " +
        WHOLE_LINE +
        "  a, b are the ends of any interval: equal integrals over each say equality almost "
        "everywhere.",
    )

    definition(
        "eq-18",
        Converges(B(sp.exp(-2 * sp.I * sp.pi * w * t) * g(t), t, 0)),
        where=[Converges(B(g(t), t, 0))],
        printed=r"G(\omega)=\int_{-\infty}^{\infty}e^{-i2\pi\omega t}g(t)dt",
        fidelity="instance",
        note="Of the definition only what it supposes: the integral converges at every real omega "
        "when g is integrable.",
    )
    claim(
        "section-2.2.claim-5",
        Eq(
            Int(sp.exp(-2 * sp.I * sp.pi * w * t) * g(t), t),
            B(g(t), t)(2 * sp.I * sp.pi * w),
        ),
        where=[Converges(B(g(t), t, 2 * sp.I * sp.pi * w))],
        printed=r"\text{which is the same as the two-sided laplace transform }"
        r"\mathcal{B}\left\{g(t)\right\}(s)\text{ for a purely imaginary }s=i2\pi\omega",
        note="Where the integral converges.",
    )
    definition(
        "footnote-1.claim-1",
        Eq(B(g(t), t)(s), Int(sp.exp(-s * t) * g(t), t, -sp.oo, sp.oo)),
        where=[Converges(B(g(t), t, s))],
        printed=r"\mathcal{B}\left\{g\right\}(s):=\int_{-\infty}^{\infty}e^{-st}g(t)\mathrm{d}t",
        note="Where the integral converges.",
    )
