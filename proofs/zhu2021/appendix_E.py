"""Appendix E.2: the error of Gaussian quadrature, and what becomes of it."""

import sympy as sp

from lapdp.theory import *

a, b, t, eps = reals("a b t eps")
first, second, x, y = reals("e_F e_G x y")
bound = positives("eta")
ORDER = [Lt(a, b)]
MIDDLE = (a + b) / 2
LEMMA = (
    r"\frac{(b-a)^{2n+1}(n!)^4}{(2n+1)[(2n)!]^3}f^{(2n)}(\zeta),\quad a<\zeta<b"
)
ERRORS = [Le(first, bound), Ge(first, -bound), Le(second, bound), Ge(second, -bound)]
AMPLIFIED = (
    r"\text{The error induced in CDFs will be amplified by }e^{\varepsilon}\text{ in the final }"
    r"\delta(\varepsilon)\text{ evaluation according to Lemma 5}"
)


AMOUNTS = ["appendix-E.2.claim-4.reading-1", "appendix-E.2.claim-4.reading-2"]


def constant(n):
    """The printed factor of f^(2n)."""
    return (b - a) ** (2 * n + 1) * sp.factorial(n) ** 4 / (
        (2 * n + 1) * sp.factorial(2 * n) ** 3
    )


def rule(n, f):
    """The Gauss rule with n nodes for f on [a, b]: nodes and weights for [-1, 1], moved."""
    nodes = {
        1: [(0, 2)],
        2: [(1 / sp.sqrt(3), 1), (-1 / sp.sqrt(3), 1)],
        3: [
            (0, sp.Rational(8, 9)),
            (sp.sqrt(sp.Rational(3, 5)), sp.Rational(5, 9)),
            (-sp.sqrt(sp.Rational(3, 5)), sp.Rational(5, 9)),
        ],
    }[n]
    return sum(w * f(MIDDLE + x * (b - a) / 2) for x, w in nodes) * (b - a) / 2


def polynomial(n, at):
    """Any polynomial of degree at most 2n - 1."""
    return sum(c * at**j for j, c in enumerate(COEFFICIENTS[: 2 * n]))


COEFFICIENTS = reals("c_0 c_1 c_2 c_3 c_4 c_5")

with theorem("zhu2021/lemma-43", "Error of Gaussian quadrature", fidelity="printed"):
    for n in (1, 2, 3):
        claim(
            f"lemma-43.nodes-{n}",
            Eq(
                Int(t ** (2 * n), t, a, b) - rule(n, lambda y, n=n: y ** (2 * n)),
                constant(n) * sp.factorial(2 * n),
            ),
            where=ORDER,
            printed=LEMMA,
            note=f"The rule with n = {n} nodes and f(t) = t^{2 * n}, whose derivative of order "
            f"{2 * n} is {sp.factorial(2 * n)} at every zeta: the constant is right.",
            fidelity="instance",
        )
        claim(
            f"lemma-43.exact-{n}",
            Eq(Int(polynomial(n, t), t, a, b), rule(n, lambda y, n=n: polynomial(n, y))),
            where=ORDER,
            printed=LEMMA,
            note=f"The rule with n = {n} nodes and any polynomial of degree at most {2 * n - 1}, "
            f"whose derivative of order {2 * n} is 0: no error.",
            fidelity="instance",
        )
    claim(
        "lemma-43.kernel-1",
        Ge((1 - x) ** 2 / 2 - 2 * sp.Max(0, -x), 0),
        where=[Ge(x, -1), Le(x, 1)],
        printed=LEMMA,
        note="n = 1 and any f, on [-1, 1]: by Taylor's formula f is a polynomial of degree 1 and a "
        "mixture of (t - x)_+ with the weights f^(2)(x).  The error for (t - x)_+ is at least 0: "
        "so the error lies between the least and the largest f^(2) times the constant of nodes-1, "
        "and some f^(2)(zeta) gives it.",
        fidelity="instance",
    )
    claim(
        "appendix-E.2.claim-4.reading-1",
        Le(1 - x - sp.exp(eps) * (y + second) - (1 - x - sp.exp(eps) * y), sp.exp(eps) * bound),
        where=ERRORS[2:],
        printed=AMPLIFIED,
        note="delta = 1 - F(eps) - e^eps G(-eps): an error in G alone, of at most eta, is "
        "multiplied by e^eps.  y stands for G(-eps), e_G for the error in it.",
        readings=AMOUNTS,
    )
    claim(
        "appendix-E.2.claim-4.reading-2",
        Le(first - sp.exp(eps) * second, sp.exp(eps) * bound),
        where=[*ERRORS, Ge(eps, 0)],
        printed=AMPLIFIED,
        expected="refuted",
        repaired_by="zhu2021/appendix-E.2.claim-4.repaired",
        note="The errors in both distribution functions together, e_F that in 1 - F(eps): of eta "
        "and of opposite signs they are (1 + e^eps) eta, at eps = 0 twice as much as the sentence "
        "says.",
        readings=AMOUNTS,
    )
    repair(
        "appendix-E.2.claim-4.repaired",
        "appendix-E.2.claim-4.reading-2",
        Le(first - sp.exp(eps) * second, (1 + sp.exp(eps)) * bound),
        where=ERRORS,
        corrected=r"\text{amplified by }1+e^{\varepsilon}",
        note="The other sign is the same with both errors negated.",
    )
