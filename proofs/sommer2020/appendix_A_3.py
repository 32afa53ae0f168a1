"""Appendix A.3: the Laplace mechanism, (28) to (30), mean and variance of its loss."""

import sympy as sp

from lapdp import laplace
from lapdp.theory import *

b = positives("b")
x0, x1, o = reals("x_0 x_1 o")
ORDERED = [Lt(x0, x1)]
A, B = mechanism_pair(laplace(b, x1 - x0), "A", "B")
Z = PLD(A, B)


def density(at, centre, sign=-1):
    """(28) and (29) with sign = 1."""
    return sp.exp(sign * sp.Abs(at - centre) / b) / (2 * b)


def loss(at):
    """The loss at an outcome, from the densities of the Laplace law."""
    return sp.log(density(at, x0) / density(at, x1))


MEAN = sp.exp((x0 - x1) / b) - (b + x0 - x1) / b
DENSITY = r"\Pr[o\leftarrow M(x_{%d})]=\frac{1}{2b}e^{\frac{|o-x_{%d}|}{b}}"
CASES = (
    (1, (x0 - x1) / b, [Le(o, x0)], r"\frac{x_{0}-x_{1}}{b} & o\leq x_{0}"),
    (2, (x0 + x1 - 2 * o) / b, [Ge(o, x0), Le(o, x1)],
     r"\frac{x_{0}+x_{1}-2o}{b} & x_{0}\leq o\leq x_{1}"),
    (3, (x1 - x0) / b, [Ge(o, x1)], r"\frac{x_{1}-x_{0}}{b} & o\geq x_{1}"),
)
LOSS = r"\mathcal{L}_{M(x_{0})/M(x_{1})}(o)="
READINGS_2 = ["eq-30.2", "eq-30.2.densities"]
OTHERWISE = "With (28) and (29) as printed this case holds: see eq-30.2.densities."


def one_case(number, tex):
    """The line of one of the three cases of (30)."""
    before = "" if number == 1 else r"{[...]}\\ "
    after = "" if number == 3 else r"\\ {[...]}"
    return LOSS + r"\begin{cases}" + before + tex + after + r"\end{cases}"


with theorem("sommer2020/appendix-A.3", "Laplace Mechanism", fidelity="printed"):
    for number, (centre, tex) in enumerate(((x0, 0), (x1, 1)), 28):
        definition(
            f"eq-{number}",
            Eq(density(o, centre, 1), density(o, centre)),
            printed=DENSITY % (tex, tex),
            fault="misprint",
            root=None if number == 28 else "eq-28",
            expected="refuted",
            repaired_by=f"sommer2020/eq-{number}.repaired",
            note="Against the density of the Laplace law, which the appendix is about: the minus "
            "sign of the exponent is missing, and as printed the mass is infinite.",
        )
        repair(
            f"eq-{number}.repaired",
            f"eq-{number}",
            Eq(Int(density(o, centre), o, -sp.oo, sp.oo), 1),
            kind="definition",
            corrected=(DENSITY % (tex, tex)).replace(r"e^{\frac", r"e^{-\frac"),
            note="All that follows is read with this density.",
        )
    for number, value, where, tex in CASES:
        wrong = number != 2
        claim(
            f"eq-30.{number}",
            Eq(loss(o), value),
            where=[*ORDERED, *where],
            printed=one_case(number, tex),
            note="With the mended densities the sign is wrong: at o <= x0 < x1 the outcome is "
            "likelier under x0, so that the loss is positive, and negative at o >= x1.  "
            + OTHERWISE if wrong else "Read with the mended densities; "
            "at its two ends it contradicts the other two cases.",
            **({"fault": "misprint", "expected": "refuted",
                "root": None if number == 1 else "eq-30.1",
                "repaired_by": f"sommer2020/eq-30.{number}.repaired"} if wrong else
               {"readings": READINGS_2}),
        )
        if wrong:
            repair(
                f"eq-30.{number}.repaired",
                f"eq-30.{number}",
                Eq(loss(o), -value),
                where=[*ORDERED, *where],
                corrected=LOSS + "-" + tex.replace(" & ", r",\ "),
                note="With the other sign.",
            )
    claim(
        "eq-30.2.densities",
        Eq(sp.log(density(o, x0, 1) / density(o, x1, 1)), (x0 + x1 - 2 * o) / b),
        where=[*ORDERED, Ge(o, x0), Le(o, x1)],
        printed=one_case(2, CASES[1][3]),
        expected="refuted",
        readings=READINGS_2,
        repaired_by="sommer2020/eq-30.2.densities.repaired",
        note="Read with (28) and (29) as printed: then the first and last case hold and this "
        "middle one fails.",
    )
    repair(
        "eq-30.2.densities.repaired",
        "eq-30.2.densities",
        Eq(sp.log(density(o, x0, 1) / density(o, x1, 1)), (2 * o - x0 - x1) / b),
        where=[*ORDERED, Ge(o, x0), Le(o, x1)],
        corrected=LOSS + r"\frac{2o-x_{0}-x_{1}}{b},\ x_{0}\leq o\leq x_{1}",
        note="What the printed functions give there.",
    )
    step(
        "appendix-A.3.step-1",
        Eq(Ex(Z, Z), Int((sp.Abs(o - x1) - sp.Abs(o - x0)) / b * density(o, x0), o, -sp.oo, sp.oo)),
        where=ORDERED,
        printed=r"\mu=\int_{-\infty}^{\infty}\mathcal{L}(o)A(o)do",
        note="The loss is (|o - x1| - |o - x0|)/b at every outcome.",
    )
    step(
        "appendix-A.3.step-2",
        Eq(Int((sp.Abs(o - x1) - sp.Abs(o - x0)) / b * density(o, x0), o, -sp.oo, sp.oo), MEAN),
        where=ORDERED,
        printed=r"\int_{-\infty}^{\infty}\mathcal{L}(o)A(o)do=e^{\frac{x_{0}-x_{1}}{b}}"
        r"-\frac{b+x_{0}-x_{1}}{b}",
        note="True of the loss, not of (30) as printed.",
    )
    step(
        "appendix-A.3.step-3",
        Eq(Ex(Z**2, Z) - Ex(Z, Z) ** 2,
           Int(((sp.Abs(o - x1) - sp.Abs(o - x0)) / b - MEAN) ** 2 * density(o, x0), o, -sp.oo,
               sp.oo)),
        where=ORDERED,
        printed=r"\sigma^{2}=\int_{-\infty}^{\infty}(\mathcal{L}(o)-\mu)^{2}A(o)do",
        note="With the density and the loss of the Laplace law, not (28) and (30) as printed.",
    )
    step(
        "appendix-A.3.step-4",
        Eq(Ex((Z - MEAN) ** 2, Z),
           3 - 2 * sp.exp((x0 - x1) / b) * (b - 2 * (x0 - x1)) / b - sp.exp(2 * (x0 - x1) / b)),
        where=ORDERED,
        printed=r"\sigma^{2}[...]=3-\frac{2e^{\frac{x_{0}-x_{1}}{b}}(b-2(x_{0}-x_{1}))}{b}"
        r"-e^{\frac{2(x_{0}-x_{1})}{b}}",
    )
