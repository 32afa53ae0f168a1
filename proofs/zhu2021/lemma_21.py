"""Lemmas 21 and 22: hockey-stick divergences from F and G, and from trade-off functions.

The definitions of F and G are missing in the source; the three readings are those of the reversal
list: (1) log(p/q), under P and under Q; (2) log(p/q) under P, log(q/p) under Q; (3) log(q/p), under
P and under Q.
"""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
eps, x = reals("eps x")
alpha = positives("alpha")
Z, Y = PLD(P, Q), PLD(Q, P)

LINE_1, LINE_2 = ([f"lemma-21.item-{line}.reading-{k}" for k in (1, 2, 3)] for line in (1, 2))
CURVES = ["lemma-22.reading-1", "lemma-22.reading-2"]
FIRST = r"H_\alpha(P\|Q)=F(-\log\alpha)-\alpha G(-\log\alpha)"
SECOND = r"H_\alpha(Q\|P)=1-G(\log\alpha)-\alpha(1-F(\log\alpha))"
CONJUGATE = r"H_{e^{\varepsilon}}(Q\|P)=1+f^*(-e^{\varepsilon})"


def H(first, second, a):
    """The hockey-stick divergence."""
    return delta(first, second)(sp.log(a))


def under(member, first, second):
    """The distribution function of log(first/second) under a member, infinite losses included."""
    return lambda at: member(Where(Le(LossAt(first, second), at)))


READINGS = {
    1: (under(P, P, Q), under(Q, P, Q)),
    2: (F(Z), F(Y)),
    3: (under(P, Q, P), under(Q, Q, P)),
}


def first(reading):
    """The first line of Lemma 21."""
    big_f, big_g = READINGS[reading]
    return Eq(H(P, Q, alpha), big_f(-sp.log(alpha)) - alpha * big_g(-sp.log(alpha)))


def second(reading):
    """The second line of Lemma 21."""
    big_f, big_g = READINGS[reading]
    return Eq(
        H(Q, P, alpha), 1 - big_g(sp.log(alpha)) - alpha * (1 - big_f(sp.log(alpha)))
    )


FAILS = {
    1: "Reading 1, log(p/q) under P and under Q: the divergence needs the losses on the other side "
    "of the opposite point, above log(alpha) for those below -log(alpha).",
    2: "Reading 2, log(p/q) under P and log(q/p) under Q: G is right, F would have to be 1 - F at "
    "the opposite point.",
}

with theorem("zhu2021/lemma-21", "Hockey-stick divergences from distribution functions",
             fidelity="printed"):
    for reading in (1, 2):
        claim(
            f"lemma-21.item-1.reading-{reading}",
            first(reading),
            printed=FIRST,
            expected="refuted",
            note=FAILS[reading],
            readings=LINE_1,
        )
        claim(
            f"lemma-21.item-2.reading-{reading}",
            second(reading),
            printed=SECOND,
            expected="refuted",
            note=FAILS[reading],
            readings=LINE_2,
        )
    claim(
        "lemma-21.item-1.reading-3",
        first(3),
        printed=FIRST,
        note="Reading 3: true for every pair, with atoms at -log(alpha) and masses at infinity.",
        readings=LINE_1,
    )
    claim(
        "lemma-21.item-2.reading-3",
        second(3),
        printed=SECOND,
        note="Reading 3: true for every pair, with atoms at log(alpha) and masses at infinity.",
        readings=LINE_2,
    )

with theorem("zhu2021/lemma-22", "Conjugate of the trade-off function", fidelity="printed"):
    claim(
        "lemma-22.reading-1",
        Eq(delta(Q, P)(eps), 1 + Sup(-sp.exp(eps) * x - T(P, Q)(x), x, 0, 1)),
        printed=CONJUGATE,
        note="f = T[P,Q], whose argument is the error under P.  Every pair, every real eps.",
        readings=CURVES,
    )
    claim(
        "lemma-22.reading-2",
        Eq(delta(Q, P)(eps), 1 + Sup(-sp.exp(eps) * x - T(Q, P)(x), x, 0, 1)),
        printed=CONJUGATE,
        expected="refuted",
        note="f = T[Q,P]; the sentence that says what f is is missing in the source.",
        readings=CURVES,
    )
