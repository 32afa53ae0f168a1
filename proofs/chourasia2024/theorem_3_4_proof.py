"""The mechanism (38), (124) and the proof of Theorem 3.4, (125)-(130).

The mechanism is given by its four outcomes, as printed; S_1, S_2, S_3 are sets of them.
"""

import sympy as sp

from lapdp.privacy.mechanisms import outcomes, randomized_response
from lapdp.theory import *

eps = positives("eps")
mass, t = reals("delta t")
UNIT = [Ge(mass, 0), Le(mass, 1)]

LEAK_0, TRUE_0, TRUE_1, LEAK_1 = "(0,bot)", "(0,top)", "(1,top)", "(1,bot)"
HIGH = (1 - mass) * sp.exp(eps) / (sp.exp(eps) + 1)
LOW = (1 - mass) / (sp.exp(eps) + 1)
TABLE = {
    LEAK_0: (mass, sp.Integer(0)),
    TRUE_0: (HIGH, LOW),
    TRUE_1: (LOW, HIGH),
    LEAK_1: (sp.Integer(0), mass),
}
P, Q = mechanism_pair(outcomes(TABLE, where=UNIT))
P2, Q2 = mechanism_pair(randomized_response(eps, mass), "P_2", "Q_2")
Z, Zp = PLD(P, Q), PLD(Q, P)

S1 = Outcomes(LEAK_0)
S2 = S1 | Outcomes(LEAK_1)
S3 = S2 | Outcomes(TRUE_1)
EVERYTHING = Outcomes(*TABLE)
MENDED_S2 = S1 | Outcomes(TRUE_0)
MENDED_S3 = MENDED_S2 | Outcomes(TRUE_1)


def cases(first, second, third):
    """A case distinction as in (129), (130)."""
    return sp.Piecewise(
        (first, Lt(eps, t)),
        (second, sp.And(Lt(-eps, t), Le(t, eps))),
        (third, True),
        evaluate=False,
    )


def value_of(S, x):
    """P(S) - e^x Q(S)."""
    return P(S) - sp.exp(x) * Q(S)


def line_126(x):
    """The right side of (126), with e^x before the second probability."""
    return Pr(Z, ">", t) - sp.exp(x) * Pr(Zp, "<", -t)


def line_127(x):
    """Both probabilities through the densities at the outcome Theta."""
    return Omega(P * Indicator(Gt(sp.log(P / Q), t))) - sp.exp(x) * Omega(
        Q * Indicator(Lt(sp.log(Q / P), -t))
    )


def line_128(x, mended=False):
    """The logarithms removed."""
    second = Gt(P, sp.exp(t) * Q) if mended else Lt(P, sp.exp(t) * Q)
    return Omega(P * Indicator(Gt(P, sp.exp(t) * Q))) - sp.exp(x) * Omega(Q * Indicator(second))


LINE_129 = cases(value_of(S1, t), value_of(S2, t), value_of(S3, t))
MENDED_129 = cases(value_of(S1, t), value_of(MENDED_S2, t), value_of(MENDED_S3, t))
LINE_130 = cases(
    mass,
    mass + (1 - mass) / (sp.exp(eps) + 1) * (sp.exp(eps) - sp.exp(t)),
    1 - sp.exp(t) * (1 - mass),
)
PROFILE = sp.Piecewise(
    (mass, Lt(eps, t)),
    (
        1 - (sp.exp(t) + 1) / (sp.exp(eps) + 1) * (1 - mass),
        sp.And(Lt(-eps, t), Le(t, eps)),
    ),
    (1 - sp.exp(t) * (1 - mass), Le(t, -eps)),
    evaluate=False,
)

TEX_38 = (
    r"\mathcal{M}_{\mathrm{RR}}^{\varepsilon,\delta}(0)=\begin{cases}"
    r"(0,\bot)&\text{with probability}\ \delta,\\ (0,\top)&\text{with probability}\ "
    r"\frac{(1-\delta)e^{\varepsilon}}{e^{\varepsilon}+1},\\ (1,\top)&\text{with probability}\ "
    r"\frac{(1-\delta)}{e^{\varepsilon}+1},\\ (1,\bot)&\text{with probability}\ 0,\end{cases}"
    r"\quad\mathcal{M}_{\mathrm{RR}}^{\varepsilon,\delta}(1)=\begin{cases}"
    r"(0,\bot)&\text{with probability}\ 0,\\ (0,\top)&\text{with probability}\ "
    r"\frac{(1-\delta)}{e^{\varepsilon}+1},\\ (1,\top)&\text{with probability}\ "
    r"\frac{(1-\delta)e^{\varepsilon}}{e^{\varepsilon}+1},\\ (1,\bot)&\text{with probability}\ "
    r"\delta.\end{cases}"
)
TEX_124 = TEX_38.replace(r"^{\varepsilon,\delta}", "")
TEX_125 = (
    r"\begin{cases}\delta&\text{if}\ \varepsilon<t,\\ 1-\frac{(e^{t}+1)}{e^{\varepsilon}+1}"
    r"(1-\delta)&\text{if}\ -\varepsilon<t\leq\varepsilon,\\ 1-e^{t}(1-\delta)&\text{if}\ "
    r"t\leq-\varepsilon.\end{cases}"
)
TEX_126 = (
    r"\delta_{P|Q}(t)=\Pr_{Z\leftarrow\mathrm{PLD}(P\|Q)}[Z>t]"
    r"-e^{\varepsilon}\cdot\Pr_{Z^{\prime}\leftarrow\mathrm{PLD}(Q\|P)}[Z^{\prime}<-t]"
)
TEX_127 = (
    r"=\Pr_{P}[\log\frac{P(\Theta)}{Q(\Theta)}>t]"
    r"-e^{\varepsilon}\cdot\Pr_{Q}[\log\frac{Q(\Theta)}{P(\Theta)}<-t]"
)
TEX_128 = (
    r"=\Pr_{P}[P(\Theta)>e^{t}\cdot Q(\Theta)]"
    r"-e^{\varepsilon}\cdot\Pr_{Q}[P(\Theta)<e^{t}\cdot Q(\Theta)]"
)
TEX_129 = (
    r"=\begin{cases}P(S_{1})-e^{t}\cdot Q(S_{1})&\text{if}\ \varepsilon<t,\\ "
    r"P(S_{2})-e^{t}\cdot Q(S_{2})&\text{if}\ -\varepsilon<t\leq\varepsilon,\\ "
    r"P(S_{3})-e^{t}\cdot Q(S_{3})&\text{otherwise}\end{cases}"
)
TEX_130 = (
    r"=\begin{cases}\delta&\text{if}\ \varepsilon<t,\\ "
    r"\delta+\frac{1-\delta}{e^{\varepsilon}+1}\cdot(e^{\varepsilon}-e^{t})&\text{if}\ "
    r"-\varepsilon<t\leq\varepsilon,\\ 1-e^{t}\cdot(1-\delta)&\text{otherwise}\end{cases}"
)
SETS = (
    r"\quad\text{with }S_{2}=S_{1}\cup\{(0,\top)\},\ S_{3}=S_{2}\cup\{(1,\top)\}"
)

with theorem("chourasia2024/theorem-3.4.proof", "Randomized response and proof of Theorem 3.4",
             fidelity="printed"):
    for number, where, tex in ((38, "in Section 3", TEX_38), (124, "in the appendix", TEX_124)):
        for side in (0, 1):
            definition(
                f"eq-{number}.{side + 1}",
                Eq((P, Q)[side](EVERYTHING), 1),
                where=UNIT,
                printed=tex,
                fidelity="instance",
                note=f"Of the definition only what it supposes: the masses of M({side}) sum to 1; "
                f"{where}.",
            )
        definition(
            f"eq-{number}.3",
            Ge((P, Q)[number == 124](Outcomes(TRUE_0)), 0),
            where=UNIT,
            printed=tex,
            fidelity="instance",
            note="Of the definition only what it supposes: a mass that depends on "
            "both parameters is no negative number.",
        )
        definition(
            f"eq-{number}.4",
            Eq(delta(P, Q)(t), delta(P2, Q2)(t)),
            where=UNIT,
            fidelity="own",
            note="Not in the paper: the pair of the printed outcomes has the profile of the "
            "mechanism randomized_response(eps, delta).",
        )
    claim(
        "eq-125.1",
        Eq(delta(P, Q)(t), PROFILE),
        where=UNIT,
        printed=r"\delta_{P|Q}(t)[...]=" + TEX_125,
    )
    claim(
        "eq-125.2",
        Eq(delta(Q, P)(t), PROFILE),
        where=UNIT,
        printed=r"\delta_{Q|P}(t)=" + TEX_125,
    )
    step(
        "eq-126",
        Eq(delta(P, Q)(t), line_126(eps)),
        where=UNIT,
        printed=TEX_126,
        fault="misprint",
        expected="refuted",
        repaired_by="chourasia2024/eq-126.repaired",
        note="e^eps is printed where (30), taken at t, has e^t: here eps is the parameter of the "
        "mechanism.",
    )
    repair(
        "eq-126.repaired",
        "eq-126",
        Eq(delta(P, Q)(t), line_126(t)),
        where=UNIT,
        kind="step",
        corrected=TEX_126.replace(r"-e^{\varepsilon}", "-e^{t}"),
    )
    step(
        "eq-127",
        Eq(line_126(eps), line_127(eps)),
        where=UNIT,
        printed=TEX_127,
        note="This step stays right with e^t in place of e^eps.",
    )
    step(
        "eq-128",
        Eq(line_127(eps), line_128(eps)),
        where=UNIT,
        printed=TEX_128,
        fault="misprint",
        expected="refuted",
        repaired_by="chourasia2024/eq-128.repaired",
        note="log(Q/P) < -t is P > e^t Q, not P < e^t Q.",
    )
    repair(
        "eq-128.repaired",
        "eq-128",
        Eq(line_127(t), line_128(t, mended=True)),
        where=UNIT,
        kind="step",
        corrected=TEX_128.replace(r"-e^{\varepsilon}", "-e^{t}").replace(
            r"\Pr_{Q}[P(\Theta)<", r"\Pr_{Q}[P(\Theta)>"
        ),
    )
    step(
        "eq-129",
        Eq(line_128(eps), LINE_129),
        where=UNIT,
        printed=TEX_129,
        fault="misprint",
        expected="refuted",
        repaired_by="chourasia2024/eq-129.repaired",
        note="The sets lack (0, top), and the line above is misprinted.",
    )
    repair(
        "eq-129.repaired",
        "eq-129",
        Eq(line_128(t, mended=True), MENDED_129),
        where=UNIT,
        kind="step",
        corrected=TEX_129 + SETS,
    )
    step(
        "eq-130",
        Eq(LINE_129, LINE_130),
        where=UNIT,
        printed=TEX_130,
        fault="misprint",
        expected="refuted",
        repaired_by="chourasia2024/eq-130.repaired",
        note="S_2 = {(0, bot), (1, bot)} as printed has P(S_2) = Q(S_2) = delta.",
        root="eq-129",
    )
    repair(
        "eq-130.repaired",
        "eq-130",
        Eq(MENDED_129, LINE_130),
        where=UNIT,
        kind="step",
        corrected=TEX_130 + SETS,
    )
    step(
        "eq-130.reversed",
        Eq(LINE_130, PROFILE),
        where=UNIT,
        note="The last line is the claim of the theorem.",
        fidelity="own",
    )
    step(
        "theorem-3.4.step-2",
        Eq(delta(Q, P)(t), delta(P, Q)(t)),
        where=UNIT,
        printed=r"\text{The same holds for }\delta_{Q|P}\text{ due to symmetry of (124).}",
    )
