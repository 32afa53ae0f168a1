"""Appendix A.1: approximate randomized response, (9) to (16)."""

import sympy as sp

from lapdp import outcomes, randomized_response
from lapdp.theory import *

eps, d, q, s, y, k = reals("varepsilon delta q s y k")
LEAKS = [Ge(eps, 0), Ge(d, 0), Le(d, 1)]
PROPER = [Gt(eps, 0), Gt(d, 0), Lt(d, 1)]
SPREAD = [Gt(eps, 0), Ge(d, 0), Le(d, 1)]
INNER = [Gt(eps, 0), Ge(d, 0), Lt(d, 1)]
HIGH = sp.exp(eps) / (sp.exp(eps) + 1)
LOW = 1 / (sp.exp(eps) + 1)
P, Q = mechanism_pair(randomized_response(eps, d), "P", "Q")
Z = PLD(P, Q)
P2, Q2 = mechanism_pair(randomized_response(eps, d) ** 2, "P2", "Q2")
Z2 = PLD(P2, Q2)
LOSSES = (
    ("==", sp.oo, d, r"\delta & y=\infty", LEAKS),
    ("==", eps, (1 - d) * HIGH, r"\frac{(1-\delta)e^\varepsilon}{e^\varepsilon+1} & y=\varepsilon",
     SPREAD),
    ("==", -eps, (1 - d) * LOW, r"\frac{(1-\delta)}{e^\varepsilon+1} & y=-\varepsilon", SPREAD),
    ("==", -sp.oo, 0, r"0 & y=-\infty", LEAKS),
)
PRINTED = (
    (d, r"\delta"),
    ((1 - d) * HIGH, r"\frac{(1-\delta)e^\varepsilon}{e^\varepsilon+1}"),
    ((1 - d) * LOW, r"\frac{(1-\delta)}{e^\varepsilon+1}"),
    (sp.Integer(0), "0"),
)
"""The masses of (9), in reverse order those of (10)."""


def case(name, tex, number, last):
    """The line of one case of a printed definition by cases."""
    before = "" if number == 1 else r"{[...]}\\ "
    after = "" if number == last else r"\\ {[...]}"
    return name + r"=\begin{cases}" + before + tex + after + r"\end{cases}"


TWO = r"\binom{2}{k}p^{k_{2,y}}(1-p)^{n-k_{2,y}}"
SWAPPED = (
    "k counts the losses +eps, whose probability is e^eps/(e^eps + 1) = 1 - p: success and failure "
    "are exchanged."
)

with theorem("sommer2020/appendix-A.1", "Approximate Randomized Response", fidelity="printed"):
    for number, law in ((9, PRINTED), (10, PRINTED[::-1])):
        definition(f"eq-{number}", Eq(sum(mass for mass, tex in law), 1), where=LEAKS,
                   printed=rf"\Pr[o\leftarrow M(x_{{{number - 9}}})]=\begin{{cases}}"
                   + r"\\ ".join(rf"{tex} & o={o}" for o, (mass, tex) in enumerate(law, 1))
                   + r"\end{cases}",
                   fidelity="instance",
                   note="Of the definition only what it supposes: a probability distribution.")
    TABLE = mechanism_pair(outcomes(
        {"1": (d, 0), "2": ((1 - d) * HIGH, (1 - d) * LOW),
         "3": ((1 - d) * LOW, (1 - d) * HIGH), "4": (0, d)}, where=PROPER[1:]), "A", "B")
    for number, (value, tex) in enumerate(
            ((sp.oo, r"\infty"), (eps, r"\varepsilon"), (-eps, r"-\varepsilon"),
             (-sp.oo, r"-\infty")), 1):
        claim(
            f"eq-11.{number}",
            AllOf(tuple(Eq(law(Where(Eq(LossAt(*TABLE), value))), law(Outcomes(str(number))))
                        for law in TABLE)),
            where=PROPER,
            printed=case(r"\mathcal{L}_{M(x_{0})/M(x_{1})}(o)", rf"{tex} & o={number}", number, 4),
            note="The outcomes with this loss are o, up to null sets of both: under each of "
            "the two they weigh what o weighs.  0 < delta < 1, eps > 0; see eq-11.edge.",
        )
    claim(
        "eq-11.edge",
        Eq(Pr(Z, "==", sp.oo) + Pr(PLD(Q, P), "==", sp.oo), 2 * d),
        where=LEAKS,
        note="The masses of the outcomes 1 and 4.  At delta = 0 both vanish: outcome 1 has no loss "
        "+oo then by Definition 1, which gives -oo to outcomes of no mass.",
        fidelity="own",
    )
    for number, (relation, at, value, tex, where) in enumerate(LOSSES, 1):
        claim(
            f"eq-12.{number}",
            Eq(Pr(Z, relation, at), value),
            where=where,
            printed=case(r"\omega(y)", tex, number, 4),
            note="" if where is LEAKS else "eps > 0: at eps = 0 the two losses are one.",
        )
    for number, (at, value, tex) in enumerate(
            ((eps, HIGH, r"\frac{e^\varepsilon}{e^\varepsilon+1} & y=\varepsilon"),
             (-eps, LOW, r"\frac{1}{e^\varepsilon+1} & y=-\varepsilon")), 1):
        claim(
            f"eq-13.{number}",
            Eq(Pr(Z, "==", at) / (1 - Pr(Z, "==", sp.oo)), value),
            where=INNER,
            printed=case(r"\bar{\omega}(y)", tex, number, 2),
            note="eps > 0, and delta < 1 so that there is an inner distribution.",
        )
    for number in (0, 1, 2):
        form = Pr(Z2, "==", (2 * number - 2) * eps) / (1 - Pr(Z2, "==", sp.oo))
        wrong = number != 1
        claim(
            f"eq-14.k-{number}",
            Eq(form, sp.binomial(2, number) * LOW**number * HIGH ** (2 - number)),
            where=INNER,
            printed="=" + TWO,
            note=f"At k = {number}.  The left side is that of two releases, as n = 2 says; (13) is "
            "that of one.  " + (SWAPPED if wrong else "The middle value is right."),
            **({"fault": "false step", "expected": "refuted", "root": "example-1.claim-3",
                "repaired_by": f"sommer2020/eq-14.k-{number}.repaired"} if wrong else {}),
        )
        if wrong:
            repair(f"eq-14.k-{number}.repaired", f"eq-14.k-{number}",
                   Eq(form, sp.binomial(2, number) * HIGH**number * LOW ** (2 - number)),
                   where=INNER,
                   corrected=r"\bar{\omega}_{2}(y)=" + TWO
                   + r",\ p=\frac{e^\varepsilon}{e^\varepsilon+1}",
                   note="With p = e^eps/(e^eps + 1).")
    claim(
        "eq-16.1",
        Eq((y + 2 * eps) / (2 * eps), k),
        where=[Gt(eps, 0), Eq(y, k * eps - (2 - k) * eps)],
        printed=r"k_{2,y}=\frac{y+2\varepsilon}{2\varepsilon}",
        note="The number of losses +eps, where those of two releases add up to y.",
    )
    claim(
        "eq-15",
        Eq(sum(sp.binomial(2, j) * q**j * (1 - q) ** (2 - j) * s**j for j in range(3)),
           (1 - q + q * s) ** 2),
        printed=r"\binom{2}{k}p^{k_{2,y}}(1-p)^{n-k_{2,y}}=B_{k_{2,y}}(n=2,p)",
        note="As generating functions in s, that of two independent trials on the right.  q "
        "stands for p.",
    )
    claim(
        "eq-16.2",
        Eq(Pr(Z, "==", eps) / (1 - Pr(Z, "==", sp.oo)), LOW),
        where=INNER,
        printed=r"p=\frac{1}{e^\varepsilon+1}",
        fault="false step",
        root="example-1.claim-3",
        expected="refuted",
        repaired_by="sommer2020/eq-16.2.repaired",
        note="The probability of one success, a loss +eps: it is e^eps/(e^eps + 1).",
    )
    repair("eq-16.2.repaired", "eq-16.2",
           Eq(Pr(Z, "==", eps) / (1 - Pr(Z, "==", sp.oo)), HIGH), where=INNER,
           corrected=r"p=\frac{e^\varepsilon}{e^\varepsilon+1}",
           note="The probability of one success.")
