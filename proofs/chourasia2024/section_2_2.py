"""Section 2.2: the two transforms, how they are related, and inversion; (14)-(17), footnote 1."""

import sympy as sp

from lapdp.theory import *

g = functions("g")
phi = functions("f")
t, gamma, x = reals("t gamma x")
after = positives("x")
s = complexes("s")

NO_IMPULSE = Continuous(Primitive(g(t), t, 0), t)
"""g has no impulse anywhere: its running integral is continuous."""

REGULAR = (
    "Continuity alone does not give convergence of the inversion integral at every point "
    "(du Bois-Reymond); bounded variation near the point does."
)
ALMOST_EVERYWHERE = (
    "A function that is continuous almost everywhere has no impulse, but it need not have "
    "one-sided limits.  For 'almost everywhere' there is no word: no impulse is asked for, which "
    "is less; the witness is continuous everywhere.  " + REGULAR
)
BOUNDED_VARIATION = (
    "Read for functions of bounded variation, as the textbooks have it: the transform of the "
    "generalised derivative converges too (Jordan).  No impulse, as for every function that is "
    "continuous almost everywhere."
)
QUICK = {"numeric_work": 1_000}
"""An inversion integral of such functions takes the numeric column a minute: it says so at once."""
INVERSE = r"\frac{1}{2\pi i}\int_{\gamma-i\infty}^{\gamma+i\infty}e^{st}\bar{g}(s)ds"
SIXTEEN = r"g(t)=\mathcal{L}^{-1}\{\bar{g}(s)\}(t):=\text{[...]}=" + INVERSE
SEVENTEEN = (
    r"\text{If }g\text{ and }h\text{ are continuous almost everywhere, [...] the inversion formula "
    r"(16) gives }" + INVERSE + r"=\frac{1}{2}[g(t^{-})+g(t^{+})]"
)
ONE_SIDED = (
    r"\text{Laplace transform }\bar{g}(s)=\mathcal{L}\left\{g(t)\right\}(s)\text{ can be "
    r"inverted [...] }"
)
TWO_SIDED = (
    r"\text{The formula (16) also inverts two-sided Laplace transform }"
    r"\mathcal{B}\left\{g(t)\right\}"
)

with theorem("chourasia2024/section-2.2", "Background on Laplace Transforms", fidelity="printed"):
    definition(
        "eq-14.1",
        Eq(L(g(t), t)(s), Int(sp.exp(-s * t) * g(t), t, 0, sp.oo)),
        where=[Converges(L(g(t), t, s))],
        printed=r"\mathcal{L}\left\{g(t)\right\}(s):=\int_{0^{+}}^{\infty}e^{-st}g(t)dt",
        note="Where it converges; impulses at the lower limit do not count.",
    )
    definition(
        "eq-14.2",
        Eq(B(g(t), t)(s), Int(sp.exp(-s * t) * g(t), t, -sp.oo, sp.oo)),
        where=[Converges(B(g(t), t, s))],
        printed=r"\mathcal{B}\left\{g(t)\right\}(s):=\int_{-\infty}^{\infty}e^{-st}g(t)dt",
        note="Where the integral converges.",
    )
    definition(
        "eq-14.3",
        Eq(B(g(t) * Indicator(Gt(t, 0)), t)(s), L(g(t), t)(s)),
        where=[Converges(L(g(t), t, s))],
        fidelity="own",
        note="Not in the paper: the two definitions agree, L of g is B of what g is on t > 0.",
    )
    definition(
        "footnote-1",
        Eq(Int(sp.exp(-s * t) * g(t), t, 0, sp.oo), L(g(t), t)(s)),
        where=[Converges(L(g(t), t, s))],
        printed=r"\mathcal{L}\left\{g\right\}(s):=\int_{0}^{\infty}e^{-st}g(t)\mathrm{d}t",
        note="The integral over t > 0, which is what (14) makes of it.",
        readings=["footnote-1", "footnote-1.letter"],
    )
    definition(
        "footnote-1.letter",
        Eq(B(g(t) * Indicator(Ge(t, 0)), t)(s), L(g(t), t)(s)),
        where=[Converges(L(g(t), t, s))],
        printed=r"\mathcal{L}\left\{g\right\}(s):=\int_{0}^{\infty}e^{-st}g(t)\mathrm{d}t",
        fault="convention",
        expected="refuted",
        repaired_by="chourasia2024/footnote-1.repaired",
        readings=["footnote-1", "footnote-1.letter"],
        note="The footnote integrates from 0, definition (14) from 0+: read as an integral over "
        "[0, oo) the footnote contradicts (14) when g has an impulse at 0.",
    )
    repair(
        "footnote-1.repaired",
        "footnote-1.letter",
        Eq(
            B(g(t) * Indicator(Ge(t, 0)), t)(s),
            Impulse(g(t), t, 0) + L(g(t), t)(s),
        ),
        where=[Converges(L(g(t), t, s))],
        kind="definition",
        corrected=r"\int_{0^{-}}^{\infty}e^{-st}g(t)\mathrm{d}t"
        r"=\int_{0^{-}}^{0^{+}}g(t)\mathrm{d}t+\mathcal{L}\left\{g\right\}(s)",
        note="Adds the impulse at 0.",
    )

    claim(
        "eq-15",
        Eq(
            B(phi(t), t)(s),
            L(phi(t), t)(s) + Impulse(phi(t), t, 0) + L(phi(-t), t)(-s),
        ),
        where=[Converges(L(phi(t), t, s)), Converges(L(phi(-t), t, -s))],
        printed=r"\mathcal{B}\left\{f(t)\right\}(s)=\mathcal{L}\left\{f(t)\right\}(s)"
        r"+\int_{0^{-}}^{0^{+}}f(t)dt+\mathcal{L}\left\{f(-t)\right\}(-s)",
        note="Read wherever the transforms printed on the right converge.",
    )

    claim(
        "eq-16.1",
        Eq(g(after), Linv(L(g(t), t, s), s, after, gamma)),
        where=[
            Continuous(g(t), t),
            Converges(L(g(t), t, gamma)),
            Converges(L(D(g(t), t), t, gamma)),
        ],
        printed=ONE_SIDED + SIXTEEN,
        hints=QUICK,
        note="One-sided transform, time t > 0.  " + BOUNDED_VARIATION,
        readings=["eq-16.1", "eq-16.1.letter"],
    )
    claim(
        "eq-16.1.letter",
        Eq(g(after), Linv(L(g(t), t, s), s, after, gamma)),
        where=[Continuous(g(t), t), Converges(L(g(t), t, gamma))],
        printed=ONE_SIDED + SIXTEEN,
        fault="convention",
        expected="refuted",
        hints={"witness": {"gamma": 0, "x": 1}, **QUICK},
        note=REGULAR,
        readings=["eq-16.1", "eq-16.1.letter"],
    )
    claim(
        "eq-16.2",
        Eq(g(x), Linv(B(g(t), t, s), s, x, gamma)),
        where=[
            Continuous(g(t), t),
            Converges(B(g(t), t, gamma)),
            Converges(B(D(g(t), t), t, gamma)),
        ],
        printed=SIXTEEN + r"\text{ [...] }" + TWO_SIDED,
        hints=QUICK,
        note="Two-sided transform, every real time.  " + BOUNDED_VARIATION,
        readings=["eq-16.2", "eq-16.2.letter"],
    )
    claim(
        "eq-16.2.letter",
        Eq(g(x), Linv(B(g(t), t, s), s, x, gamma)),
        where=[Continuous(g(t), t), Converges(B(g(t), t, gamma))],
        printed=SIXTEEN + r"\text{ [...] }" + TWO_SIDED,
        fault="convention",
        expected="refuted",
        hints={"witness": {"gamma": 0, "x": 1}, **QUICK},
        note=REGULAR,
        readings=["eq-16.2", "eq-16.2.letter"],
    )

    claim(
        "eq-17.1",
        Eq(
            Linv(L(g(t), t, s), s, after, gamma),
            (Lim(g(t), t, after, "-") + Lim(g(t), t, after, "+")) / 2,
        ),
        where=[
            NO_IMPULSE,
            Converges(L(g(t), t, gamma)),
            Converges(L(D(g(t), t), t, gamma)),
        ],
        printed=ONE_SIDED + SEVENTEEN,
        hints=QUICK,
        note="One-sided transform, time t > 0.  " + BOUNDED_VARIATION,
        readings=["eq-17.1", "eq-17.1.letter"],
    )
    claim(
        "eq-17.1.letter",
        Eq(
            Linv(L(g(t), t, s), s, after, gamma),
            (Lim(g(t), t, after, "-") + Lim(g(t), t, after, "+")) / 2,
        ),
        where=[NO_IMPULSE, Converges(L(g(t), t, gamma))],
        hints={"witness": {"gamma": 0, "x": 1}, **QUICK},
        printed=ONE_SIDED + SEVENTEEN,
        fault="convention",
        expected="refuted",
        note=ALMOST_EVERYWHERE,
        readings=["eq-17.1", "eq-17.1.letter"],
    )
    claim(
        "eq-17.2",
        Eq(
            Linv(B(g(t), t, s), s, x, gamma),
            (Lim(g(t), t, x, "-") + Lim(g(t), t, x, "+")) / 2,
        ),
        where=[
            NO_IMPULSE,
            Converges(B(g(t), t, gamma)),
            Converges(B(D(g(t), t), t, gamma)),
        ],
        printed=TWO_SIDED + r"\text{ [...] }" + SEVENTEEN,
        hints=QUICK,
        note="Two-sided transform, every real time.  " + BOUNDED_VARIATION,
        readings=["eq-17.2", "eq-17.2.letter"],
    )
    claim(
        "eq-17.2.letter",
        Eq(
            Linv(B(g(t), t, s), s, x, gamma),
            (Lim(g(t), t, x, "-") + Lim(g(t), t, x, "+")) / 2,
        ),
        where=[NO_IMPULSE, Converges(B(g(t), t, gamma))],
        hints={"witness": {"gamma": 0, "x": 0}, **QUICK},
        printed=TWO_SIDED + r"\text{ [...] }" + SEVENTEEN,
        fault="convention",
        expected="refuted",
        note=ALMOST_EVERYWHERE,
        readings=["eq-17.2", "eq-17.2.letter"],
    )
