"""Appendix A.2, proof of Theorem 3.2, first half: the event S*, its probabilities, (81)-(99).

Two conventions.  An integral of h(theta) Q(theta) over the space is one against Q: where Q vanishes
nothing counts, whatever h is there.  An outer integral printed without a differential, (86), (87),
(94), (95), is read with dt; the second reading, of the inner integral as an increment, is stated
beside it.
"""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
Z, Zp = PLD(P, Q), PLD(Q, P)
eps, t, u = reals("eps t u")
tp = reals("t'")
S = Event("S")

STAR = Where(Gt(P, sp.exp(eps) * Q))
LP, LQ = LossAt(P, Q), LossAt(Q, P)
INFINITE = Pr(Z, "==", sp.oo)

P_OF_STAR = {
    82: (P(STAR), r"P(S^{*}_{>\varepsilon})"),
    83: (Omega(P, STAR), r"\int_{S^{*}_{>\varepsilon}}P(\theta)d\theta"),
    84: (
        Omega(Ratio(P, Q) * Q, STAR),
        r"\int_{S^{*}_{>\varepsilon}}\left(\frac{P(\theta)}{Q(\theta)}\right)Q(\theta)d\theta",
    ),
    85: (
        Omega(sp.exp(-LQ) * Q, STAR),
        r"\int_{S^{*}_{>\varepsilon}}e^{-L_{Q|P}(\theta)}Q(\theta)d\theta",
    ),
    86: (
        Int(sp.exp(t) * Omega(Q, Where(Eq(LQ, -t))), t, eps, sp.oo),
        r"\int_{\varepsilon^{+}}^{\infty}e^{t}"
        r"\int_{\{\theta\in\Omega:L_{Q|P}(\theta)=-t\}}Q(\theta)d\theta",
    ),
    87: (
        Int(sp.exp(t) * Impulse(F(Zp)(u), u, -t), t, eps, sp.oo),
        r"\int_{\varepsilon^{+}}^{\infty}e^{t}\int_{-t^{-}}^{-t^{+}}F_{Z^{\prime}}(u)du",
    ),
    88: (
        Int(sp.exp(t) * f(Zp)(-t), t, eps, sp.oo),
        r"\int_{\varepsilon^{+}}^{\infty}e^{t}f_{Z^{\prime}}(-t)dt",
    ),
    89: (
        sp.exp(eps) * Int(sp.exp(tp) * f(Zp)(-tp - eps), tp, 0, sp.oo),
        r"e^{\varepsilon}\int_{0^{+}}^{\infty}e^{t^{\prime}}"
        r"f_{Z^{\prime}}(-t^{\prime}-\varepsilon)dt^{\prime}",
    ),
    90: (
        sp.exp(eps) * L(f(Zp)(-t - eps), t)(-1),
        r"e^{\varepsilon}\mathcal{L}\left\{f_{{Z^{\prime}}}(-t-\varepsilon)\right\}(-1)",
    ),
}
Q_OF_STAR = {
    90: (Q(STAR), r"Q(S^{*}_{>\varepsilon})"),
    91: (Omega(Q, STAR), r"\int_{S^{*}_{>\varepsilon}}Q(\theta)d\theta"),
    92: (
        Omega(Ratio(Q, P) * P, STAR),
        r"\int_{S^{*}_{>\varepsilon}}\left(\frac{Q(\theta)}{P(\theta)}\right)P(\theta)d\theta",
    ),
    93: (
        Omega(sp.exp(-LP) * P, STAR),
        r"\int_{S^{*}_{>\varepsilon}}e^{-L_{P|Q}(\theta)}P(\theta)d\theta",
    ),
    94: (
        Int(sp.exp(-t) * Omega(P, Where(Eq(LP, t))), t, eps, sp.oo),
        r"\int_{\varepsilon^{+}}^{\infty}e^{-t}"
        r"\int_{\{\theta\in\Omega:L_{P|Q}(\theta)=t\}}P(\theta)d\theta",
    ),
    95: (
        Int(sp.exp(-t) * Impulse(F(Z)(u), u, t), t, eps, sp.oo),
        r"\int_{\varepsilon^{+}}^{\infty}e^{-t}\int_{t^{-}}^{t^{+}}F_{Z}(u)du",
    ),
    96: (
        Int(sp.exp(-t) * f(Z)(t), t, eps, sp.oo),
        r"\int_{\varepsilon^{+}}^{\infty}e^{-t}f_{Z}(t)dt",
    ),
    97: (
        sp.exp(-eps) * Int(sp.exp(-tp) * f(Z)(tp + eps), t, 0, sp.oo),
        r"e^{-\varepsilon}\int_{0^{+}}^{\infty}e^{-t^{\prime}}f_{Z}(t^{\prime}+\varepsilon)dt",
    ),
    98: (
        sp.exp(-eps) * L(f(Z)(t + eps), t)(1),
        r"e^{-\varepsilon}\mathcal{L}\left\{f_{Z}(t+\varepsilon)\right\}(1)",
    ),
}

# the inner integrals as increments: what the level sets of the loss, and F, gain at t
LAYERS_86 = Int(sp.exp(t) * D(Omega(Q, Where(Ge(LQ, -t))), t), t, eps, sp.oo)
LAYERS_87 = Int(sp.exp(t) * -D(F(Zp)(-t), t), t, eps, sp.oo)
LAYERS_94 = Int(sp.exp(-t) * D(Omega(P, Where(Le(LP, t))), t), t, eps, sp.oo)
LAYERS_95 = Int(sp.exp(-t) * D(F(Z)(t), t), t, eps, sp.oo)
MENDED_97 = sp.exp(-eps) * Int(sp.exp(-tp) * f(Z)(tp + eps), tp, 0, sp.oo)
TEXT_86 = r"\int_{\varepsilon^{+}}^{\infty}e^{t}\,d_{t}\int_{\{L_{Q|P}\geq -t\}}Q(\theta)d\theta"
TEXT_87 = r"\int_{\varepsilon^{+}}^{\infty}e^{t}\,d_{t}\left(-F_{Z^{\prime}}(-t)\right)"
TEXT_94 = r"\int_{\varepsilon^{+}}^{\infty}e^{-t}\,d_{t}\int_{\{L_{P|Q}\leq t\}}P(\theta)d\theta"
TEXT_95 = r"\int_{\varepsilon^{+}}^{\infty}e^{-t}\,d_{t}F_{Z}(t)"

NO_DIFFERENTIAL = (
    "The outer differential is missing; with dt the inner integral, the probability of one value "
    "of the loss, vanishes for almost every t."
)
NOT_F = (
    "F is bounded, so its integral from t- to t+ vanishes at every t; meant is its increment, "
    "the same misprint as in footnote 7."
)
NO_Q = "Where Q vanishes and P does not, P/Q has no value and Q counts nothing."


def line(lines, number, declare=step, **rest):
    """The relation between a printed line and the one before it."""
    (before, text), (here, more) = lines[number - 1], lines[number]
    declare(f"eq-{number}", Eq(before, here), printed=f"{text}={more}", **rest)


def layers(number, lines, meant):
    """A line whose outer integral names no differential, as it is meant and to the letter."""
    label, (before, text) = f"eq-{number}", lines[number - 1]
    both = [label, f"{label}.letter"]
    step(label, Eq(before, meant), printed=f"{text}={lines[number][1]}", readings=both,
         note="The inner integral is the generalised density of the loss, as under (2): the outer "
         "one runs over the increments of its distribution function.")
    step(f"{label}.letter", Eq(before, lines[number][0]), printed=f"{text}={lines[number][1]}",
         readings=both, fault="convention", expected="refuted", note=NO_DIFFERENTIAL)


def mended(label, of, before, here, printed, **rest):
    """A repair of a line."""
    repair(label, of, Eq(before, here), kind="step", corrected=printed, **rest)


def false(number, **rest):
    """The marks of a line that fails as printed."""
    return {"expected": "refuted", "repaired_by": f"chourasia2024/eq-{number}.repaired", **rest}


with theorem("chourasia2024/theorem-3.2.proof", "Proof of Theorem 3.2: the event S*",
             fidelity="printed"):
    definition(
        "eq-81.1",
        Eq(P(Where(Gt(LP, eps))), P(STAR)),
        printed=r"\text{the set where privacy loss }L_{P|Q}(\theta)\text{ exceeds }\varepsilon"
        r"\text{ as }S^{*}_{>\varepsilon}=\{\theta\in\Omega:P(\theta)>e^{\varepsilon}Q(\theta)\}",
        note="The two sets agree up to events of probability 0 under P ...",
    )
    definition(
        "eq-81.2",
        Eq(Q(Where(Gt(LP, eps))), Q(STAR)),
        printed=r"S^{*}_{>\varepsilon}=\{\theta\in\Omega:P(\theta)>e^{\varepsilon}Q(\theta)\}",
        note="... and under Q.",
    )
    step(
        "eq-82.1",
        Le(P(S) - sp.exp(eps) * Q(S), P(STAR) - sp.exp(eps) * Q(STAR)),
        printed=r"P(S)-e^{\varepsilon}Q(S)\leq "
        r"P(S^{*}_{>\varepsilon})-e^{\varepsilon}Q(S^{*}_{>\varepsilon})",
        note="For all events S and all real eps.",
    )
    step(
        "eq-82.2",
        Eq(P(STAR) - sp.exp(eps) * Q(STAR), delta(P, Q)(eps)),
        printed=r"P(S^{*}_{>\varepsilon})-e^{\varepsilon}Q(S^{*}_{>\varepsilon})"
        r"=\delta_{P|Q}(\varepsilon)",
    )

    line(P_OF_STAR, 83, declare=definition)
    line(P_OF_STAR, 84, fault="missing hypothesis", note=NO_Q, root="eq-23", **false(84))
    mended(
        "eq-84.repaired",
        "eq-84",
        P_OF_STAR[83][0],
        P_OF_STAR[84][0] + INFINITE,
        P_OF_STAR[83][1] + "=" + P_OF_STAR[84][1] + r"+\Pr[Z=\infty]",
        note="Every pair: adds the mass at infinity.",
    )
    mended(
        "eq-84.repaired-2",
        "eq-84",
        P_OF_STAR[83][0],
        P_OF_STAR[84][0],
        P_OF_STAR[83][1] + "=" + P_OF_STAR[84][1] + r",\quad P\ll Q",
        where=[ac(P, Q)],
        note="As printed, for P << Q.",
    )
    line(P_OF_STAR, 85)
    layers(86, P_OF_STAR, LAYERS_86)
    line(P_OF_STAR, 87, note=NO_DIFFERENTIAL + "  So has (87): both lines are 0.",
         readings=["eq-87", "eq-87.reading-2"])
    step(
        "eq-87.reading-2",
        Eq(LAYERS_86, P_OF_STAR[87][0]),
        printed=P_OF_STAR[86][1] + "=" + P_OF_STAR[87][1],
        expected="refuted",
        readings=["eq-87", "eq-87.reading-2"],
        note="(86) read as it is meant.  " + NOT_F,
    )
    line(P_OF_STAR, 88, fault="misprint", note=NOT_F, root="footnote-7.claim-1",
         **false(88))
    mended("eq-88.repaired", "eq-88", LAYERS_87, P_OF_STAR[88][0],
           TEXT_87 + "=" + P_OF_STAR[88][1])
    line(P_OF_STAR, 89)
    line(P_OF_STAR, 90)

    line(Q_OF_STAR, 91, declare=definition)
    line(Q_OF_STAR, 92, note="On S* the density P does not vanish.")
    line(Q_OF_STAR, 93)
    layers(94, Q_OF_STAR, LAYERS_94)
    line(Q_OF_STAR, 95, note=NO_DIFFERENTIAL + "  So has (95): both lines are 0.",
         readings=["eq-95", "eq-95.reading-2"])
    step(
        "eq-95.reading-2",
        Eq(LAYERS_94, Q_OF_STAR[95][0]),
        printed=Q_OF_STAR[94][1] + "=" + Q_OF_STAR[95][1],
        expected="refuted",
        readings=["eq-95", "eq-95.reading-2"],
        note="(94) read as it is meant.  " + NOT_F,
    )
    line(Q_OF_STAR, 96, fault="misprint", root="footnote-7.claim-1",
         note=NOT_F + "  (95) is read with the outer differential that it lacks.",
         **false(96))
    mended("eq-96.repaired", "eq-96", LAYERS_95, Q_OF_STAR[96][0],
           TEXT_95 + "=" + Q_OF_STAR[96][1])
    line(
        Q_OF_STAR, 97, fault="misprint", **false(97),
        note="The variable of integration is t', the differential printed dt: t' stays free.",
    )
    mended(
        "eq-97.repaired", "eq-97", Q_OF_STAR[96][0], MENDED_97,
        Q_OF_STAR[96][1] + "=" + Q_OF_STAR[97][1] + r"^{\prime}",
    )
    line(
        Q_OF_STAR, 98, fault="misprint", root="eq-97", **false(98),
        note="The variable of integration is t', the differential printed dt: t' stays free.",
    )
    mended(
        "eq-98.repaired", "eq-98", MENDED_97, Q_OF_STAR[98][0],
        Q_OF_STAR[97][1] + r"^{\prime}=" + Q_OF_STAR[98][1],
    )

    RIGHT_99 = sp.exp(eps) * L(f(Zp)(-t - eps), t)(-1) - L(f(Z)(t + eps), t)(1)
    TEXT_99 = (
        r"\delta_{P|Q}(\varepsilon)=e^{\varepsilon}\cdot"
        r"\mathcal{L}\left\{f_{Z^{\prime}}(-t-\varepsilon)\right\}(-1)"
        r"-\mathcal{L}\left\{f_{Z}(t+\varepsilon)\right\}(1)"
    )
    step(
        "eq-99",
        Eq(delta(P, Q)(eps), RIGHT_99),
        printed=TEXT_99,
        fault="missing hypothesis",
        note="The mass that (84) loses is missing here.",
        **false(99),
        root="eq-23",
    )
    mended("eq-99.repaired", "eq-99", delta(P, Q)(eps), RIGHT_99 + INFINITE,
           TEXT_99 + r"+\Pr[Z=\infty]", note="Every pair: adds the mass at infinity.")
    mended("eq-99.repaired-2", "eq-99", delta(P, Q)(eps), RIGHT_99, TEXT_99 + r",\quad P\ll Q",
           where=[ac(P, Q)], note="As printed, for P << Q.")
