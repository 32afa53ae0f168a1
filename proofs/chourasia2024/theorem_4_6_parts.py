"""Proof of Theorem 4.6: the integrals K_2 and K_3, (172)-(177).

The profile delta^{x l-1} is continuous with kinks.  At a kink the derivative that (173) and (176)
write may be the left or the right one: its factor is 0.  By (30) the derivative of a profile is
-e^t F_{Z'}(-t), from the left with <= in F and from the right with <.  J_2 and J_3 are products of
an impulse with a function that vanishes at its place.  A product of explicit factors is formed
before it meets the profile.
"""

import sympy as sp

from lapdp.theory import *

eps, mass, t, tau, u = reals("varepsilon_l delta_l t tau u")
P, Q = pair("P_{1:l-1}", "Q_{1:l-1}")
Z_ = PLD(Q, P)
f = functions("f")
g = delta(P, Q)
UNIT = [Ge(eps, 0), Ge(mass, 0), Le(mass, 1)]
SHARE = (1 - mass) / (sp.exp(eps) + 1)

I2 = (sp.exp(tau) - sp.exp(eps)) * SHARE
I3 = (sp.exp(tau + eps) - 1) * SHARE
HIT2, HIT3 = sp.DiracDelta(tau - eps), sp.DiracDelta(tau + eps)
ROWS = (
    # equations, name, function, impulse, its place, where the derivative of the profile is printed
    (172, 2, I2, HIT2, eps, eps),
    (175, 3, I3, HIT3, -eps, eps),
)


def rate(x):
    """The derivative of the profile at x."""
    return D(g(u), u).subs(u, x)


def one_sided(x, strict=False):
    """The left derivative of the profile at x; the right one if ``strict``."""
    return -sp.exp(x) * F(Z_)(-x, strict=strict)


def whole(body, hit):
    """K(t): the profile against the derivative of the product of impulse and function."""
    return Int(g(t - tau) * D(hit * body, tau), tau)


def halves(body, hit, place):
    """(172), (175): the product rule inside the integral."""
    return Int(g(t - tau) * D(body, tau) * hit, tau) + Int(
        g(t - tau) * body * sp.DiracDelta(tau - place, 1), tau
    )


def printed_sum(first, second):
    """first - second, kept as it stands: SymPy would cancel what has no value."""
    return sp.Add(first, sp.Mul(-1, second, evaluate=False), evaluate=False)


def at(body, place):
    """The value of a smooth function."""
    return Lim(body, tau, place)


def values(body, place, derivative, bracket):
    """(173), (176): integrals against impulses as values; the last product may be in brackets."""
    product = g(t - place) * Lim(D(body, tau), tau, place)
    last = derivative * at(body, place)
    if bracket:
        return printed_sum(product, product + last)
    return printed_sum(printed_sum(product, product), last)


def tex(number, name, dot, place, printed_place):
    """The printed lines, by equation number."""
    G = r"\delta^{\otimes l-1}"
    left = rf"K_{{{name}}}(t)="
    first = rf"{G}(t{dot}\varepsilon_{{l}})\dot{{I}}_{{{name}}}({place})"
    last = rf"\dot{{\delta}}^{{\otimes l-1}}({printed_place})I_{{{name}}}({place})"
    impulse = rf"(\tau{dot}\varepsilon_{{l}})"
    return {
        0: left + rf"\int_{{-\infty}}^{{\infty}}{G}(t-\tau)\dot{{I}}_{{{name}}}(\tau)\cdot"
        rf"\triangle{impulse}\mathrm{{d}}\tau+\int_{{-\infty}}^{{\infty}}{G}(t-\tau)"
        rf"I_{{{name}}}(\tau)\cdot\dot{{\triangle}}{impulse}\mathrm{{d}}\tau",
        1: f"={first}-\\left({first}+{last}\\right)" if name == 2 else f"={first}-{first}-{last}",
        2: "=0-0",
    }[number]


SIDE = (
    "For the profile of any pair in the place of delta^{{x l-1}}, which is one "
    "(theorem-4.6.tight), "
    "with its {} derivative; sign and place of the last product do not matter, since its second "
    "factor is 0: it is taken at the place of the impulse, t + eps_l in K_3."
)
KINK = "A profile need not have a derivative there: it has kinks."

AGAINST = Int(f(tau) * sp.DiracDelta(tau, 1), tau)
TEX_8 = (
    r"\text{for any function }f\text{ on }\mathbb{R}\text{ it holds that, }"
    r"\int_{\mathbb{R}}f\cdot\dot{\triangle}\mathrm{d}\tau"
    r"=-\int_{\mathbb{R}}\dot{f}\cdot\triangle\mathrm{d}\tau"
)

STEP_8 = [tuple(f"theorem-4.6.step-8{x}" for x in (".reading-3", "", ".reading-2")),
          "theorem-4.6.step-8.letter"]

with theorem("chourasia2024/theorem-4.6.parts", "Proof of Theorem 4.6, integrals K_2 and K_3",
             fidelity="printed"):
    for number, name, body, hit, place, printed_place in ROWS:
        words = (name, "-" if name == 2 else "+", r"\varepsilon_{l}" if name == 2 else
                 r"-\varepsilon_{l}", r"t-\varepsilon_{l}")
        sides = [values(body, place, one_sided(t - place, strict), bracket=name == 2)
                 for strict in (False, True)]
        letter = values(body, place, rate(t - printed_place), bracket=name == 2)
        names = ("eq-{}", "eq-{}.reading-2")
        at_kinks = [[*(n.format(number + k) for n in names), f"eq-{number + k}.letter"]
                    for k in (1, 2)]
        step(
            f"eq-{number}",
            Eq(whole(body, hit), halves(body, hit, place)),
            where=UNIT,
            printed=tex(0, *words),
            note="For the profile of any pair in the place of delta^{x l-1}, which is one "
            "(theorem-4.6.tight).",
        )
        for line, name_, side in zip(sides, names, ("left", "right"), strict=True):
            step(
                name_.format(number + 1),
                Eq(halves(body, hit, place), line),
                where=UNIT,
                printed=tex(1, *words),
                note=SIDE.format(side),
                readings=at_kinks[0],
            )
        step(
            f"eq-{number + 1}.letter",
            Eq(halves(body, hit, place), letter),
            where=UNIT,
            printed=tex(1, *words),
            fault="convention",
            expected="refuted",
            repaired_by=f"chourasia2024/eq-{number + 1}.repaired",
            note=KINK,
            readings=at_kinks[0],
        )
        repair(
            f"eq-{number + 1}.repaired",
            f"eq-{number + 1}.letter",
            Eq(
                halves(body, hit, place),
                printed_sum(*[g(t - place) * Lim(D(body, tau), tau, place)] * 2),
            ),
            where=UNIT,
            kind="step",
            corrected=tex(1, *words) + r"\text{ without its last product}",
            note="The profile of every pair.",
        )
        for line, name_, side in zip(sides, names, ("left", "right"), strict=True):
            step(
                name_.format(number + 2),
                Eq(line, 0),
                where=UNIT,
                printed=tex(2, *words),
                note=SIDE.format(side),
                readings=at_kinks[1],
            )
        step(
            f"eq-{number + 2}.letter",
            Eq(letter, 0),
            where=UNIT,
            printed=tex(2, *words),
            fault="convention",
            expected="refuted",
            repaired_by=f"chourasia2024/eq-{number + 2}.repaired",
            note=KINK,
            readings=at_kinks[1],
        )
        repair(
            f"eq-{number + 2}.repaired",
            f"eq-{number + 2}.letter",
            Eq(whole(body, hit), 0),
            where=UNIT,
            kind="step",
            corrected=rf"K_{{{name}}}(t)=0",
            note="What the proof needs: the profile of every pair.",
        )
        step(
            "theorem-4.6.step-" + {2: "7", 3: "9"}[name],
            Eq(at(body, place), 0),
            where=UNIT,
            printed=rf"I_{{{name}}}({words[2]})=0",
        )
    for body, hit, place, name in ((I2, HIT2, eps, ""), (I3, HIT3, -eps, ".reading-2")):
        step(
            f"theorem-4.6.step-8{name}",
            Eq(
                Int(g(t - tau) * body * sp.DiracDelta(tau - place, 1), tau),
                -Int(D(g(t - tau) * body, tau) * hit, tau),
            ),
            where=UNIT,
            printed=TEX_8,
            note="Beside the functions of step-8.reading-3, of the one that it is used for, f = "
            "delta^{x l-1}(t - tau) "
            + f"I_{'3' if name else '2'}(tau), which has a derivative at the place of the impulse: "
            "I is 0 there.",
            readings=STEP_8,
        )
    step(
        "theorem-4.6.step-8.reading-3",
        Eq(AGAINST, -Int(D(f(tau), tau) * sp.DiracDelta(tau), tau)),
        where=[Continuous(f(u), u), Continuous(D(f(u), u), u)],
        printed=TEX_8,
        note="Of every function whose derivative it writes, if that is continuous.",
        readings=STEP_8,
    )
    step(
        "theorem-4.6.step-8.letter",
        Eq(AGAINST, -Int(D(f(tau), tau) * sp.DiracDelta(tau), tau)),
        printed=TEX_8,
        fault="convention",
        expected="refuted",
        note="Not for a function without a derivative at the place of the impulse.",
        readings=STEP_8,
    )
