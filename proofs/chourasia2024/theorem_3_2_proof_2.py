"""Appendix A.2, proof of Theorem 3.2, second half: the profile directly, (100)-(115).

F_Z(eps^+) is the limit from the right.  F_{Z'}(-eps^-) is read as F_{Z'}((-eps)^-), the limit from
the left of -eps; the second reading, at -(eps^-), is the limit from the right of -eps.
"""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
Z, Zp = PLD(P, Q), PLD(Q, P)
eps, t, u = reals("eps t u")
tp = reals("t'")

STAR = Where(Gt(P, sp.exp(eps) * Q))
LP = LossAt(P, Q)
INFINITE = Pr(Z, "==", sp.oo)
PROFILE = P(STAR) - sp.exp(eps) * Q(STAR)
TEXT = r"P(S^{*}_{>\varepsilon})-e^{\varepsilon}Q(S^{*}_{>\varepsilon})"
DELTA = delta(P, Q)(eps)
TEXT_DELTA = r"\delta_{P|Q}(\varepsilon)"

ABOVE = Lim(F(Z)(u), u, eps, "+")
BELOW = Lim(F(Zp)(u), u, -eps, "-")
OTHER = Lim(F(Zp)(u), u, -eps, "+")
DENSITY = L(f(Z)(t + eps), t)(1)
DENSITY_2 = L(f(Zp)(-t - eps), t)(-1)
TEXT_DENSITY = r"\mathcal{L}\left\{f_{Z}(t+\varepsilon)\right\}(1)"
TEXT_DENSITY_2 = r"\mathcal{L}\left\{f_{Z^{\prime}}(-t-\varepsilon)\right\}(-1)"

FIRST = {
    99: (PROFILE, TEXT),
    100: (
        Omega((1 - sp.exp(eps) * Ratio(Q, P)) * P, STAR),
        r"\int_{S^{*}_{>\varepsilon}}(1-e^{\varepsilon}\frac{Q(\theta)}{P(\theta)})P(\theta)d\theta",
    ),
    101: (
        Omega((1 - sp.exp(eps - LP)) * P, STAR),
        r"\int_{S^{*}_{>\varepsilon}}(1-e^{\varepsilon-L_{P|Q}(\theta)})P(\theta)d\theta",
    ),
    102: (
        Int((1 - sp.exp(eps - t)) * f(Z)(t), t, eps, sp.oo),
        r"\int_{\varepsilon^{+}}^{\infty}(1-e^{\varepsilon-t})f_{Z}(t)dt",
    ),
    "step-1": (
        Int(f(Z)(t), t, eps, sp.oo) - Int(sp.exp(-tp) * f(Z)(tp + eps), tp, 0, sp.oo),
        r"\int_{\varepsilon^{+}}^{\infty}f_{Z}(t)dt-\int_{0^{+}}^{\infty}"
        r"e^{-t^{\prime}}f_{Z}(t^{\prime}+\varepsilon)dt^{\prime}",
    ),
    103: (1 - ABOVE - DENSITY, r"1-F_{Z}(\varepsilon^{+})-" + TEXT_DENSITY),
    104: (
        L(1 - F(Z)(t + eps), t)(1),
        r"\mathcal{L}\left\{1-F_{Z}(t+\varepsilon)\right\}(1)",
    ),
}
SECOND = {
    104: (PROFILE, TEXT),
    105: (
        Omega((Ratio(P, Q) - sp.exp(eps)) * Q, STAR),
        r"\int_{S^{*}_{>\varepsilon}}(\frac{P(\theta)}{Q(\theta)}-e^{\varepsilon})Q(\theta)d\theta",
    ),
    106: (
        Omega((sp.exp(LP) - sp.exp(eps)) * Q, STAR),
        r"\int_{S^{*}_{>\varepsilon}}(e^{L_{P|Q}(\theta)}-e^{\varepsilon})Q(\theta)d\theta",
    ),
    107: (
        Int((sp.exp(t) - sp.exp(eps)) * f(Zp)(-t), t, eps, sp.oo),
        r"\int_{\varepsilon^{+}}^{\infty}(e^{t}-e^{\varepsilon})f_{Z^{\prime}}(-t)dt",
    ),
    "step-2": (
        sp.exp(eps) * (Int(sp.exp(tp) * f(Zp)(-tp - eps), tp, 0, sp.oo)
                       - Int(f(Zp)(-t), t, eps, sp.oo)),
        r"e^{\varepsilon}\left(\int_{0^{+}}^{\infty}e^{t^{\prime}}"
        r"f_{Z^{\prime}}(-t^{\prime}-\varepsilon)dt^{\prime}"
        r"-\int_{\varepsilon^{+}}^{\infty}f_{Z^{\prime}}(-t)dt\right)",
    ),
    108: (
        sp.exp(eps) * (DENSITY_2 - BELOW),
        r"e^{\varepsilon}\left(" + TEXT_DENSITY_2 + r"-F_{Z^{\prime}}(-\varepsilon^{-})\right)",
    ),
    109: (
        sp.exp(eps) * L(F(Zp)(-t - eps), t)(-1),
        r"e^{\varepsilon}\mathcal{L}\left\{F_{Z^{\prime}}(-t-\varepsilon)\right\}(-1)",
    ),
}
OTHER_108 = sp.exp(eps) * (DENSITY_2 - OTHER)
LAST = {
    111: (DELTA, TEXT_DELTA),
    112: (
        1 - ABOVE - sp.exp(eps) * BELOW,
        r"1-F_{Z}(\varepsilon^{+})-e^{\varepsilon}F_{Z^{\prime}}(-\varepsilon^{-})",
    ),
    113: (
        Pr(Z, ">", eps) - sp.exp(eps) * Pr(Zp, "<", -eps),
        r"\Pr[Z>\varepsilon]-e^{\varepsilon}\Pr[{Z^{\prime}}<-\varepsilon]",
    ),
    114: (
        Int(sp.exp(0 * t) * f(Z)(t + eps), t, 0, sp.oo)
        - sp.exp(eps) * Int(sp.exp(0 * t) * f(Zp)(-t - eps), t, 0, sp.oo),
        r"\int_{0^{+}}^{\infty}e^{0\cdot t}\cdot f_{Z}(t+\varepsilon)dt-e^{\varepsilon}\cdot"
        r"\int_{0^{+}}^{\infty}e^{0\cdot t}f_{Z^{\prime}}(-t-\varepsilon)dt",
    ),
    115: (
        L(f(Z)(t + eps), t)(0) - sp.exp(eps) * L(f(Zp)(-t - eps), t)(0),
        r"\mathcal{L}\left\{f_{Z}(t+\varepsilon)\right\}(0)"
        r"-e^{\varepsilon}\cdot\mathcal{L}\left\{f_{Z^{\prime}}(-t-\varepsilon)\right\}(0)",
    ),
}

COUNTED = "Every pair: the integral from eps^+ \"to oo\" with the mass Pr[Z = oo], as the line " \
    "(103) counts it, which prints 1 - F_Z(eps^+) for it."
LETTER = "With f_Z on the finite reals alone, which leaves out Pr[Z = oo]; true for P << Q."
LOST = "f_Z lives on the finite reals and leaves out Pr[Z = oo]."
NO_Q = "Where Q vanishes and P does not, P/Q has no value and Q counts nothing."
NO_LOSS = "The mass of P where Q = 0, Pr[Z = oo], does not appear in Z'; this is (77)."
FROM_LEFT = "-(eps^-) read as (-eps)^-: the limit from the left."
ATOM = "-(eps^-) read as a limit from the right of -eps: an atom of Z' at -eps is counted, which " \
    "the other terms do not."


PROPERTY = r"\overset{(73)}{=}"
SIGN = {"eq-103": "[...]=", "eq-104": PROPERTY, "eq-108": "[...]=", "eq-109": PROPERTY,
        "eq-111.2": PROPERTY}
"""What stands between the two lines, where it is more than a relation sign."""


def relation(label, lines, key, before, **rest):
    """The relation between a printed line and the one before it."""
    (lhs, text), (rhs, more) = lines[before], lines[key]
    step(label, Eq(lhs, rhs), printed=text + SIGN.get(label, "=") + more, **rest)


def lost(label, lines, key, before, side, note, **rest):
    """A line without the mass at infinity on one side, and what holds for every pair."""
    (lhs, text), (rhs, more) = lines[before], lines[key]
    relation(label, lines, key, before, fault="missing hypothesis", expected="refuted",
             repaired_by=f"chourasia2024/{label}.repaired", note=note, **rest)
    extra = r"+\Pr[Z=\infty]"
    whole = Eq(lhs, rhs + INFINITE) if side == "right" else Eq(lhs + INFINITE, rhs)
    repair(f"{label}.repaired", label, whole, kind="step", note="Every pair.",
           corrected=f"{text}={more}{extra}" if side == "right" else f"{text}{extra}={more}")
    repair(f"{label}.repaired-2", label, Eq(lhs, rhs), kind="step", where=[ac(P, Q)],
           corrected=rf"{text}={more},\quad P\ll Q", note="As printed, for P << Q.")


def counted(label, lines, key, before, side):
    """An integral to oo that counts the mass at infinity, and the same by the letter of f_Z."""
    (lhs, text), (rhs, more) = lines[before], lines[key]
    printed = text + SIGN.get(label, "=") + more
    both = [label, f"{label}.letter"]
    whole = Eq(lhs, rhs + INFINITE) if side == "right" else Eq(lhs + INFINITE, rhs)
    step(label, whole, printed=printed, note=COUNTED, readings=both)
    step(f"{label}.letter", Eq(lhs, rhs), printed=printed, fault="convention",
         expected="refuted", note=LETTER, readings=both)


def other_reading(label, lhs, rhs, printed):
    """F at -(eps^-): false at atoms of Z'."""
    step(label, Eq(lhs, rhs), printed=printed, expected="refuted", note=ATOM,
         readings=[label.removesuffix(".reading-2"), label])


with theorem("chourasia2024/theorem-3.2.proof-2", "Proof of Theorem 3.2: the profile directly",
             fidelity="printed"):
    relation("eq-100", FIRST, 100, 99)
    relation("eq-101", FIRST, 101, 100)
    counted("eq-102", FIRST, 102, 101, "right")
    relation("theorem-3.2.step-1", FIRST, "step-1", 102)
    counted("eq-103", FIRST, 103, "step-1", "left")
    relation("eq-104", FIRST, 104, 103)

    lost("eq-105", SECOND, 105, 104, "right", NO_Q, root="eq-23")
    relation("eq-106", SECOND, 106, 105)
    relation("eq-107", SECOND, 107, 106)
    relation("theorem-3.2.step-2", SECOND, "step-2", 107)
    relation("eq-108", SECOND, 108, "step-2",
             note=FROM_LEFT, readings=["eq-108", "eq-108.reading-2"])
    other_reading("eq-108.reading-2", SECOND["step-2"][0], OTHER_108,
                  SECOND["step-2"][1] + SIGN["eq-108"] + SECOND[108][1])
    relation("eq-109", SECOND, 109, 108,
             note=FROM_LEFT, readings=["eq-109", "eq-109.reading-2"])
    other_reading("eq-109.reading-2", OTHER_108, SECOND[109][0],
                  SECOND[108][1] + PROPERTY + SECOND[109][1])

    step("eq-110.1", Eq(DELTA, FIRST[104][0]), printed=TEXT_DELTA + "=" + FIRST[104][1])
    step(
        "eq-110.2",
        Eq(FIRST[104][0], -DENSITY + 1 - ABOVE),
        printed=FIRST[104][1] + PROPERTY + "-" + TEXT_DENSITY + r"+1-F_{Z}(\varepsilon^{+})",
    )
    LINE_111 = {110: (DELTA, TEXT_DELTA), **{
        key: (form, tex.replace(r"e^{\varepsilon}", r"e^{\varepsilon}\cdot", 1))
        for key, (form, tex) in ((111, SECOND[109]), (112, SECOND[108]))}}
    lost("eq-111.1", LINE_111, 111, 110, "right", NO_LOSS, root="eq-23")
    relation("eq-111.2", LINE_111, 112, 111,
             note=FROM_LEFT, readings=["eq-111.2", "eq-111.2.reading-2"])
    other_reading("eq-111.2.reading-2", SECOND[109][0], OTHER_108,
                  LINE_111[111][1] + PROPERTY + LINE_111[112][1])

    relation("eq-112", LAST, 112, 111,
             note=FROM_LEFT + "  True for every pair, although (111) and (78), from which it is "
             "taken, are not: "
             "each has lost Pr[Z = oo] once.", readings=["eq-112", "eq-112.reading-2"])
    step(
        "eq-112.sum",
        Eq((-DENSITY + 1 - ABOVE) + SECOND[108][0]
           - (sp.exp(eps) * DENSITY_2 - DENSITY), LAST[112][0]),
        printed=r"\text{Adding the above two equations and subtracting (78) from it}",
        note="The right sides of (110), (111) and (78).",
    )
    other_reading("eq-112.reading-2", DELTA, 1 - ABOVE - sp.exp(eps) * OTHER,
                  TEXT_DELTA + "=" + LAST[112][1])
    relation("eq-113", LAST, 113, 112,
             note=FROM_LEFT, readings=["eq-113", "eq-113.reading-2"])
    other_reading("eq-113.reading-2", 1 - ABOVE - sp.exp(eps) * OTHER, LAST[113][0],
                  LAST[112][1] + "=" + LAST[113][1])
    lost("eq-114", LAST, 114, 113, "right", LOST, root="eq-23")
    relation("eq-115", LAST, 115, 114)
