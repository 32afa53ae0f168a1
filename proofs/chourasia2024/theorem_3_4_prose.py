"""Section 3, prose after Theorem 3.4: orders of randomized response, with and without leakage."""

import sympy as sp

from lapdp.privacy.mechanisms import randomized_response
from lapdp.theory import *

eps = positives("eps")
mass, t, q = reals("delta t q")

P, Q = mechanism_pair(randomized_response(eps, mass))
P0, Q0 = mechanism_pair(randomized_response(eps))
LEAKS = [Gt(mass, 0), Le(mass, 1)]

RIGHT = sp.exp((q - 1) * t) * mass
LEFT = sp.exp((q - 1) * t) * (1 - sp.exp(t) * (1 - mass))
TEX_RIGHT = r"\int_{\varepsilon}^{\infty}e^{(q-1)t}\cdot\delta\mathrm{d}t"
TEX_LEFT = r"\int_{-\infty}^{-\varepsilon}e^{(q-1)t}\cdot(1-e^{t}(1-\delta))\mathrm{d}t"
MOMENT = (1 - mass) * (sp.exp(eps) * sp.exp(-q * eps) + sp.exp(q * eps)) / (1 + sp.exp(eps))

with theorem("chourasia2024/section-3.orders", "Orders of randomized response",
             fidelity="printed"):
    claim(
        "section-3.claim-18.1",
        Gt(Pr(PLD(P, Q), "==", sp.oo), 0),
        where=LEAKS,
        printed=r"\text{neither }P\ll Q\text{ nor [...] holds [...] when }\delta>0",
        note="P << Q fails exactly when the loss is +oo with positive probability.",
    )
    claim(
        "section-3.claim-18.2",
        Gt(Pr(PLD(Q, P), "==", sp.oo), 0),
        where=LEAKS,
        printed=r"\text{nor }Q\ll P\text{ [...] when }\delta>0",
        note="Q << P fails exactly when the loss of (Q, P) is +oo with positive probability.",
    )
    claim(
        "section-3.claim-19.1",
        Eq(Lim(Primitive(RIGHT, t, eps), t, sp.oo), sp.oo),
        where=[*LEAKS, Ge(q, 1)],
        printed=r"\text{when }q\geq 1\text{, the transform has a term }" + TEX_RIGHT
        + r"\text{ which blows up to }\infty",
    )
    claim(
        "section-3.claim-19.2",
        Eq(
            delta(P, Q)(t) * Indicator(Gt(t, eps)),
            mass * Indicator(Gt(t, eps)),
        ),
        where=LEAKS,
        printed=r"\text{the transform has a term }" + TEX_RIGHT,
        note="It is the part of the transform beyond eps.",
    )
    claim(
        "section-3.claim-20.1",
        Eq(Lim(Primitive(LEFT, t, -eps), t, -sp.oo), sp.oo),
        where=[*LEAKS, Lt(q, 1)],
        printed=r"\text{when }q<1\text{, the transform has a term }" + TEX_LEFT
        + r"\text{ that blows up to }-\infty",
        fault="misprint",
        expected="refuted",
        repaired_by="chourasia2024/section-3.claim-20.1.repaired",
        note="The integral from t to -eps would tend to -oo: so the running integral from -eps "
        "to t, its negative, to +oo.  The integrand is positive: it tends to +oo.",
    )
    repair(
        "section-3.claim-20.1.repaired",
        "section-3.claim-20.1",
        Eq(Lim(-Primitive(LEFT, t, -eps), t, -sp.oo), sp.oo),
        where=[*LEAKS, Lt(q, 1)],
        corrected=r"\text{when }q<1\text{, the transform has a term }" + TEX_LEFT
        + r"\text{ that blows up to }+\infty",
    )
    claim(
        "section-3.claim-20.2",
        Eq(
            delta(P, Q)(t) * Indicator(Lt(t, -eps)),
            (1 - sp.exp(t) * (1 - mass)) * Indicator(Lt(t, -eps)),
        ),
        where=LEAKS,
        printed=r"\text{the transform has a term }" + TEX_LEFT,
        note="It is the part of the transform before -eps.",
    )
    claim(
        "section-3.claim-21",
        Eq(E(q, P, Q), sp.oo),
        where=[*LEAKS, Ne(q, 0), Ne(q, 1)],
        printed=r"\text{the R\'enyi divergence of the privacy profile (39) cannot be defined for }"
        r"\text{any order }q\in\mathbb{R}\text{ when }\delta>0",
        fault="false claim",
        expected="refuted",
        repaired_by="chourasia2024/section-3.claim-21.repaired-3",
        note="R_q has no finite value where E_q = +oo.  For 0 < q < 1 the moment is finite, for "
        "every pair; only the transform of the profile diverges there.",
        hints={"witness": {"eps": sp.log(4), "delta": sp.Rational(1, 10), "q": sp.Rational(1, 2)}},
    )
    repair(
        "section-3.claim-21.repaired",
        "section-3.claim-21",
        Eq(E(q, P, Q), sp.oo),
        where=[*LEAKS, Gt(q, 1)],
        corrected=r"\mathrm{E}_{q}\left(P\middle\|Q\right)=\infty\text{ for }q>1",
        note="The orders above 1.",
    )
    repair(
        "section-3.claim-21.repaired-2",
        "section-3.claim-21",
        Eq(E(q, P, Q), sp.oo),
        where=[*LEAKS, Lt(q, 0)],
        corrected=r"\mathrm{E}_{q}\left(P\middle\|Q\right)=\infty\text{ for }q<0",
        note="The orders below 0.",
    )
    repair(
        "section-3.claim-21.repaired-3",
        "section-3.claim-21",
        Eq(R(q, P, Q), sp.log(MOMENT) / (q - 1)),
        where=[Gt(mass, 0), Lt(mass, 1), Gt(q, 0), Lt(q, 1)],
        corrected=r"\mathrm{R}_{q}\left(P\middle\|Q\right)=\frac{1}{q-1}\log\left((1-\delta)"
        r"\frac{e^{\varepsilon}e^{-q\varepsilon}+e^{q\varepsilon}}{1+e^{\varepsilon}}\right)"
        r"\text{ for }0<q<1,\ 0<\delta<1",
        note="The orders between 0 and 1, at which it is defined.",
    )
    claim(
        "section-3.claim-22.1",
        Eq(Pr(PLD(P0, Q0), "==", sp.oo), 0),
        printed=r"\text{When }\delta=0\text{, note that [...] }P\ll Q",
        note="The loss is finite almost surely.",
    )
    claim(
        "section-3.claim-22.2",
        Eq(Pr(PLD(Q0, P0), "==", sp.oo), 0),
        printed=r"\text{When }\delta=0\text{, note that [...] }Q\ll P",
        note="The loss of (Q, P) is finite almost surely.",
    )
