"""Lemma 13: the bounds of Berry-Esseen and Nagaev.

The X_i are the centred losses Z_i - mu of n copies of a pair without distinguishing events; every
bounded variable of mean 0 is one, up to its scale.  S > n sigma z says Z_n > n mu + n sigma z.
"""

import sympy as sp

from lapdp import finite
from lapdp.privacy.mechanisms import gaussian
from lapdp.theory import *

P, Q = pair("P", "Q")
Z = PLD(P, Q)
n = naturals("n", start=1)
PN, QN = composition("P^n", "Q^n", each=(P, Q))(n)
ZN = PLD(PN, QN)
z = reals("z")

MEAN, VAR = inner_mean(Z), inner_variance(Z)
SPREAD, THIRD = sp.sqrt(VAR), inner_moment(Z, 3, MEAN)
C_U, C_T = sp.Rational(4748, 10000), sp.Rational(2580, 100)
UNIFORM = C_U * THIRD / (sp.sqrt(n) * SPREAD**3)
FALLING = C_T * THIRD / (sp.sqrt(n) * SPREAD**3 * (1 + z**3))
NORMAL = sp.erfc(z / sp.sqrt(2)) / 2
WHERE = [Defined(THIRD), Gt(VAR, 0), Eq(Pr(Z, "==", sp.oo), 0), Ge(z, 0)]
MILLION = sp.Integer(10**6)
MANY = PLD(*mechanism_pair(gaussian(1, 1000), "P^n", "Q^n"))
"""The loss of a million copies of gaussian(1)."""
NEAR = finite(["1/2", "1/2"], ["99/200", "101/200"])


def gap(scale):
    """|Pr[S > scale sigma z] - Pr[N(0, 1) > z]|."""
    return sp.Abs(Pr(ZN, ">", n * MEAN + scale * SPREAD * z) - NORMAL)


LEFT = r"|\Pr[S>%s\sigma z]-\Pr[Z>z]|\leq "
ESSEEN = r"c_u\frac{\gamma}{\sqrt{n}\sigma^3}\quad(\text{Berry-Esseen})"
NAGAEV = r"c_t\frac{\gamma}{\sqrt{n}\sigma^3(1+z^3)}\quad(\text{Nagaev})"
WRONG = "S has standard deviation sqrt(n) sigma, not n sigma."
CENTRED = "  For X_i the centred losses of a pair without distinguishing events."

with theorem("sommer2020/lemma-13", "Berry-Esseen and Nagaev Bound", fidelity="printed"):
    claim(
        "lemma-13.item-1",
        Le(gap(n), UNIFORM),
        where=WHERE,
        printed=LEFT % "n" + ESSEEN,
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/lemma-13.item-1.repaired",
        hints={"pairs": {"P": NEAR}, "witness": {"n": 5, "z": sp.Rational(31, 50)}},
        note=WRONG + CENTRED,
        fidelity="instance",
    )
    repair(
        "lemma-13.item-1.repaired",
        "lemma-13.item-1",
        Le(gap(sp.sqrt(n)), UNIFORM),
        where=WHERE,
        corrected=LEFT % r"\sqrt{n}" + ESSEEN,
        note="For X_i the centred losses of a pair without distinguishing events.",
    )
    claim(
        "lemma-13.item-2",
        Le(sp.Abs(Pr(MANY, ">", MILLION / 2 + MILLION * z) - NORMAL),
           C_T * sp.sqrt(8 / sp.pi) / (1000 * (1 + z**3))),
        where=[Ge(z, 0)],
        printed=LEFT % "n" + NAGAEV,
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/lemma-13.item-2.repaired",
        note=WRONG + "  Of the losses of a Gauss mechanism with mu = 1/2, sigma = 1, "
        "gamma = sqrt(8/pi), at n = 10^6.",
        root="lemma-13.item-1",
        fidelity="instance",
    )
    repair(
        "lemma-13.item-2.repaired",
        "lemma-13.item-2",
        Le(gap(sp.sqrt(n)), FALLING),
        where=WHERE,
        corrected=LEFT % r"\sqrt{n}" + NAGAEV,
        note="For X_i the centred losses of a pair without distinguishing events.",
    )
    claim(
        "lemma-13.item-3",
        Eq(Pr(ZN, "==", sp.oo), 1 - (1 - Pr(Z, "==", sp.oo)) ** n),
        printed=r"\omega_n(\infty)=1-[1-\omega_1(\infty)]^n",
        note="Of the losses that the lemma is used for; it does not speak of S.",
    )
