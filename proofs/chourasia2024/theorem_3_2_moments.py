"""Appendix A.2: Theorem 3.2 as restated there, (76)-(80), and the end of its proof, (116)-(123)."""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
Z, Zp = PLD(P, Q), PLD(Q, P)
eps, t = reals("eps t")
q = complexes("q")

LP, LQ = LossAt(P, Q), LossAt(Q, P)
DELTA, INFINITE = delta(P, Q)(eps), Pr(Z, "==", sp.oo)
TEXT_DELTA = r"\delta_{P|Q}(\varepsilon)="
MOMENT = E(q, P, Q)
TEXT_MOMENT = r"\mathrm{E}_{q}\left(P\middle\|Q\right)"
REGION = [Converges(B(f(Zp)(t), t, q))]
FINITE = Defined(MOMENT)
FOR_ALL = r"\text{for all }q\in\mathrm{ROC}_{\mathcal{B}}\{f_{Z^{\prime}}\}\text{ [...] }"
TEXT_REGION = r",\quad q\in\mathrm{ROC}_{\mathcal{B}}\{f_{Z^{\prime}}\}"

PROFILES = {
    76: (
        L(1 - F(Z)(t + eps), t)(1),
        r"\mathcal{L}\left\{1-F_{Z}(t+\varepsilon)\right\}(1)",
    ),
    77: (
        sp.exp(eps) * L(F(Zp)(-t - eps), t)(-1),
        r"e^{\varepsilon}\cdot\mathcal{L}\left\{F_{Z^{\prime}}(-t-\varepsilon)\right\}(-1)",
    ),
    78: (
        sp.exp(eps) * L(f(Zp)(-t - eps), t)(-1) - L(f(Z)(t + eps), t)(1),
        r"e^{\varepsilon}\cdot\mathcal{L}\left\{f_{Z^{\prime}}(-t-\varepsilon)\right\}(-1)"
        r"-\mathcal{L}\left\{f_{Z}(t+\varepsilon)\right\}(1)",
    ),
    79: (
        L(f(Z)(t + eps), t)(0) - sp.exp(eps) * L(f(Zp)(-t - eps), t)(0),
        r"\mathcal{L}\left\{f_{Z}(t+\varepsilon)\right\}(0)"
        r"-e^{\varepsilon}\cdot\mathcal{L}\left\{f_{Z^{\prime}}(-t-\varepsilon)\right\}(0)",
    ),
}
UNDER_P = {
    115: (MOMENT, TEXT_MOMENT),
    116: (
        Omega(Ratio(P, Q) ** (q - 1) * P),
        r"\int_{\Omega}\left(\frac{P(\theta)}{Q(\theta)}\right)^{q-1}P(\theta)d\theta",
    ),
    117: (
        Omega(sp.exp((q - 1) * LP) * P),
        r"\int_{\Omega}e^{(q-1)L_{P|Q}(\theta)}P(\theta)d\theta",
    ),
    118: (
        Int(sp.exp((q - 1) * t) * f(Z)(t), t),
        r"\int_{-\infty}^{\infty}e^{(q-1)t}f_{Z}(t)dt",
    ),
    119: (B(f(Z)(t), t)(1 - q), r"\mathcal{B}\left\{f_{Z}(t)\right\}(1-q)"),
}
UNDER_Q = {
    119: (MOMENT, TEXT_MOMENT),
    120: (
        Omega(Ratio(P, Q) ** q * Q),
        r"\int_{\Omega}\left(\frac{P(\theta)}{Q(\theta)}\right)^{q}Q(\theta)d\theta",
    ),
    121: (
        Omega(sp.exp(-q * LQ) * Q),
        r"\int_{\Omega}e^{-qL_{Q|P}(\theta)}Q(\theta)d\theta",
    ),
    122: (
        Int(sp.exp(-q * t) * f(Zp)(t), t),
        r"\int_{-\infty}^{\infty}e^{-qt}f_{Z^{\prime}}(t)dt",
    ),
    123: (B(f(Zp)(t), t)(q), r"\mathcal{B}\left\{f_{Z^{\prime}}(t)\right\}(q)"),
}

LOST = "The mass of P where Q = 0, Pr[Z = oo], does not appear under Q, nor in f_Z."
P_NULL = (
    "Outcomes with P = 0 < Q count in E_q for Re q < 0 (it is infinite) and q = 0, and nothing "
    "against P."
)
Q_NULL = (
    "Outcomes with Q = 0 < P count in E_q for Re q > 1 (it is infinite) and q = 1, and nothing "
    "against Q."
)
NO_VALUE = "An infinite loss to a complex power has no value: an outcome with {} = 0 on the region."


def quoted(label, text):
    """The line, after the words that (80) has of its orders; (116)-(123) repeat no words."""
    return FOR_ALL + text if label.startswith("eq-80") else text


def meant(label, lhs, rhs, text, where, note, broken, **rest):
    """A relation as it is meant, and to the letter of the printed region."""
    declare = rest.pop("declare", step)
    readings = [label, f"{label}.letter"]
    declare(label, Eq(lhs, rhs), printed=quoted(label, text), where=where, note=note,
            readings=readings)
    declare(f"{label}.letter", Eq(lhs, rhs), printed=quoted(label, text), where=REGION, note=broken,
            fault="convention", expected="refuted", readings=readings, **rest)


def displayed(label, lhs, rhs, text, repairs, **rest):
    """A relation, and its repairs as (hypotheses, their LaTeX, note)."""
    broken = {"fault": "missing hypothesis", "expected": "refuted",
              "repaired_by": f"chourasia2024/{label}.repaired"} if repairs else {}
    declare = rest.pop("declare", step)
    declare(label, Eq(lhs, rhs), printed=quoted(label, text), where=REGION, **{**broken, **rest})
    for k, (where, words, note) in enumerate(repairs):
        repair(f"{label}.repaired" + (f"-{k + 1}" if k else ""), label, Eq(lhs, rhs),
               where=where, corrected=rf"{text},\quad {words}", note=note)


def line(lines, number, repairs=(), **rest):
    """The relation between a printed line and the one before it."""
    (before, text), (here, more) = lines[number - 1], lines[number]
    displayed(f"eq-{number}", before, here, f"{text}={more}", repairs, **rest)


EVERY_FINITE = r"q\in\mathrm{ROC}_{P,Q}"
WIDE = "Wherever E_q itself is finite."

with theorem("chourasia2024/theorem-3.2.restated", "Theorem 3.2 restated, and its moments",
             fidelity="printed"):
    for number, (form, text) in PROFILES.items():
        whole = number == 76
        claim(
            f"eq-{number}",
            Eq(DELTA, form),
            printed=TEXT_DELTA + text,
            fault=None if whole else "missing hypothesis",
            expected=None if whole else "refuted",
            repaired_by=None if whole else f"chourasia2024/eq-{number}.repaired",
            note="" if whole else LOST,
            root=None if whole else "eq-23",
        )
        if not whole:
            repair(f"eq-{number}.repaired", f"eq-{number}", Eq(DELTA, form + INFINITE),
                   corrected=TEXT_DELTA + text + r"+\Pr[Z=\infty]", note="Every pair.")
            repair(f"eq-{number}.repaired-2", f"eq-{number}", Eq(DELTA, form), where=[ac(P, Q)],
                   corrected=TEXT_DELTA + text + r",\quad P\ll Q", note="As printed, for P << Q.")

    meant(
        "eq-80.1", sp.exp((q - 1) * R(q, P, Q)), MOMENT,
        r"e^{(q-1)\cdot\mathrm{R}_{q}\left(P\middle\|Q\right)}=" + TEXT_MOMENT,
        [FINITE, Ne(q, 1), Ne(MOMENT, 0)], "Wherever E_q is finite and not 0, q = 1 excluded.",
        "R_q has no value at q = 1, nor at complex orders where E_q is 0.", declare=claim,
    )
    displayed(
        "eq-80.2", MOMENT, UNDER_P[119][0], TEXT_MOMENT + "=" + UNDER_P[119][1],
        [([FINITE, Ne(q, 0), Ne(q, 1)], EVERY_FINITE + r"\setminus\{0,1\}",
          WIDE + "  At q = 0 and 1 the transforms count finite losses only.")],
        declare=claim,
        note=LOST + "  So it is for Re q < 0 where Pr[Z' = oo] > 0; at q = 0 and 1 the transform "
        "counts finite losses only.",
        root="eq-23",
    )
    displayed(
        "eq-80.3", UNDER_P[119][0], UNDER_Q[123][0],
        UNDER_P[119][1] + "=" + UNDER_Q[123][1], [], declare=claim,
    )
    for k, (here, there) in enumerate(((B(f(Z)(t), t, 1 - q), B(f(Zp)(t), t, q)),
                                       (B(f(Zp)(t), t, q), B(f(Z)(t), t, 1 - q))), 1):
        claim(
            f"theorem-3.2.restated.region-{k}",
            Converges(here),
            where=[Converges(there)],
            equations=(80,),
            printed=r"q\in\mathrm{ROC}_{\mathcal{B}}\{f_{Z^{\prime}}\}\text{ (or equivalently, }"
            r"1-q\in\mathrm{ROC}_{\mathcal{B}}\{f_{Z}\}\text{)}",
            note=f"Half {k} of the equivalence; convergence is absolute.",
        )

    line(UNDER_P, 116, [
        ([FINITE, Ne(q, 0)], EVERY_FINITE + r"\setminus\{0\}", WIDE),
        ([FINITE, ac(Q, P)], EVERY_FINITE + r",\ Q\ll P", WIDE + "  For Q << P, q = 0 included."),
    ], note=P_NULL, root="eq-23")
    for lines, number, null, order in ((UNDER_P, 117, "Q", 2 + sp.I), (UNDER_Q, 121, "P", sp.I)):
        (before, text), (here, more) = lines[number - 1], lines[number]
        meant(f"eq-{number}", before, here, f"{text}={more}", [FINITE], WIDE,
              NO_VALUE.format(null), hints={"witness": {"q": order}})
    line(UNDER_P, 118, [
        ([FINITE, Ne(q, 1)], EVERY_FINITE + r"\setminus\{1\}", WIDE),
        ([*REGION, ac(P, Q)], TEXT_REGION[7:] + r",\ P\ll Q", "On the printed region, P << Q."),
    ], note=LOST, root="eq-23")
    line(UNDER_P, 119)
    line(UNDER_Q, 120, [
        ([FINITE, Ne(q, 1)], EVERY_FINITE + r"\setminus\{1\}", WIDE),
        ([FINITE, ac(P, Q)], EVERY_FINITE + r",\ P\ll Q", WIDE + "  For P << Q, q = 1 included."),
    ], note=Q_NULL, root="eq-23")
    line(UNDER_Q, 122, [
        ([FINITE, Ne(q, 0)], EVERY_FINITE + r"\setminus\{0\}", WIDE),
        ([*REGION, ac(Q, P)], TEXT_REGION[7:] + r",\ Q\ll P", "On the printed region, Q << P."),
    ], note="f_Z' leaves out Pr[Z' = oo], outcomes with P = 0.", root="eq-23")
    line(UNDER_Q, 123, declare=definition)
