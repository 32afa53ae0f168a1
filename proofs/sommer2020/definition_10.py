"""Definition 10 and the introduction of Section 5: privacy loss classes.

inner_mean and inner_variance are mean and variance of the inner distribution, the loss under the
condition that it is finite.  Sums over y are integrals over the finite losses.
"""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
BOTH = product_pair((P1, Q1), (P2, Q2))
Z, Z1, Z2, Z12 = PLD(P, Q), PLD(P1, Q1), PLD(P2, Q2), PLD(*BOTH)
n = naturals("n", start=1)
ZN = PLD(*composition("P^n", "Q^n", each=(P, Q))(n))
y = reals("y")

MEAN = r"\mu=\sum_{y\in\mathcal{Y}\setminus\{-\infty,\infty\}}y\cdot\bar{\omega}(y)"
VARIANCE = (
    r"\sigma^{2}=\sum_{y\in\mathcal{Y}\setminus\{-\infty,\infty\}}(y-\mu)^{2}\cdot\bar{\omega}(y)"
)
FINITE = [Defined(inner_variance(Z1)), Defined(inner_variance(Z2))]
SUMS = (
    r"\text{The variance and mean of the combined privacy loss distribution (i.e., after "
    r"convolution) is the sum of the respective values}"
)
COINCIDES = (
    r"\text{the privacy loss class of every privacy loss distribution coincides (by definition) "
    r"with the mean and variance of the inner distribution}"
)


def lost(loss):
    """Mass of the distinguishing events."""
    return Pr(loss, "==", sp.oo)


def inner_sum(body, loss):
    """The sum of body(y) times the inner mass of y over all finite losses y."""
    return Int(body * f(loss)(y), y, -sp.oo, sp.oo) / (1 - lost(loss))


with theorem("sommer2020/definition-10", "Privacy Loss Classes", fidelity="printed"):
    definition(
        "definition-10.item-1",
        Eq(inner_mean(Z), inner_sum(y, Z)),
        where=[Defined(inner_mean(Z))],
        printed=MEAN,
        note="Every pair with some finite loss whose mean is finite.",
    )
    definition(
        "definition-10.item-2",
        Eq(inner_variance(Z), inner_sum((y - inner_mean(Z)) ** 2, Z)),
        where=[Defined(inner_variance(Z))],
        printed=VARIANCE,
        note="Every pair with some finite loss whose variance is finite.",
    )
    definition(
        "definition-10.item-3",
        Eq(lost(Z) + Int(f(Z)(y), y, -sp.oo, sp.oo), 1),
        printed=r"\text{if }\omega(\infty)\neq 1\text{, or to the privacy loss class }(0,0,1)"
        r"\text{ else}",
        fidelity="instance",
        note="Of the definition only what it supposes, two cases: omega(oo) = 1 exactly "
        "where no mass is left for finite losses.",
    )
    claim(
        "section-5.claim-10",
        AllOf((
            Eq(inner_mean(Z), inner_sum(y, Z)),
            Eq(inner_variance(Z), inner_sum((y - inner_mean(Z)) ** 2, Z)),
        )),
        where=[Defined(inner_variance(Z))],
        printed=COINCIDES,
        note="Every pair with some finite loss whose variance is finite; where omega(oo) = 1 there "
        "is no inner distribution, and the class is (0, 0, 1) by Definition 10.",
    )

with theorem("sommer2020/section-5.introduction", "Section 5: before the theorem",
             fidelity="printed"):
    claim(
        "section-5.claim-2",
        Eq(f(Z12)(y), conv(f(Z1)(y), f(Z2)(y), y)),
        printed=r"\text{composition excluding distinguishing events translates to convolution of "
        r"PLDs}",
        note="Every two pairs; the finite losses.",
    )
    claim(
        "section-5.claim-4.1",
        Eq(inner_mean(Z12), inner_mean(Z1) + inner_mean(Z2)),
        where=FINITE,
        printed=SUMS,
        note="Every two pairs with inner distributions of finite variance, as in Theorem 4.",
    )
    claim(
        "section-5.claim-4.2",
        Eq(inner_variance(Z12), inner_variance(Z1) + inner_variance(Z2)),
        where=FINITE,
        printed=SUMS,
        note="Every two pairs with inner distributions of finite variance, as in Theorem 4.",
    )
    claim(
        "section-5.claim-7",
        Ge(lost(ZN), lost(Z)),
        where=[Gt(lost(Z), 0)],
        printed=r"\text{This convergence to a Gauss distribution does not apply to events that "
        r"have an infinite privacy loss }\infty",
        note="A Gauss distribution has no mass at infinity; omega_n(oo) does not fall below "
        "omega_1(oo) > 0, at any n.",
    )
    claim(
        "section-5.1.claim-4.1",
        Eq(inner_mean(Z12), inner_mean(Z1) + inner_mean(Z2)),
        where=FINITE,
        printed=r"\text{allows us to combine arbitrary privacy loss distributions while predicting "
        r"their privacy loss class}",
        note="The means, of pairs with finite inner variances.  No Lindeberg condition is needed "
        "for that.",
    )
    claim(
        "section-5.1.claim-4.2",
        Eq(inner_variance(Z12), inner_variance(Z1) + inner_variance(Z2)),
        where=FINITE,
        printed=r"\text{allows us to combine arbitrary privacy loss distributions while predicting "
        r"their privacy loss class}",
        note="The variances, where they are finite.",
    )
    claim(
        "section-5.1.claim-4.3",
        Eq(lost(Z12), 1 - (1 - lost(Z1)) * (1 - lost(Z2))),
        printed=r"\text{allows us to combine arbitrary privacy loss distributions while predicting "
        r"their privacy loss class}",
        note="The third number of the class, omega(oo), of every two pairs.",
    )
    claim(
        "section-5.1.claim-6",
        AllOf((
            Eq(inner_mean(Z12), inner_mean(Z1) + inner_mean(Z2)),
            Eq(inner_variance(Z12), inner_variance(Z1) + inner_variance(Z2)),
        )),
        where=FINITE,
        printed=r"\text{the privacy loss class can be computed directly from the individual }\mu"
        r"\text{ and }\sigma\text{ of each PLD involved}",
        note="Of two with finite inner variances; for more, one after the other.  The third "
        "number of the class, omega(oo), comes not from mu and sigma but from omega_1(oo) and "
        "omega_2(oo): section-5.1.claim-4.3.",
    )
