"""Table 2: dominating pairs and characteristic functions of three mechanisms; slide on others."""

import sympy as sp

from lapdp.privacy.mechanisms import (
    exponential_mechanism,
    gaussian,
    laplace,
    outcomes,
    randomized_response,
)
from lapdp.theory import *

alpha, eps, p, c, leak = reals("alpha eps p c delta")
scale, sigma, u, near, rest = positives("lambda sigma u s r")
P, Q = pair("M(D)", "M(D')")
I = sp.I

BETWEEN = [Gt(p, 0), Lt(p, 1)]
ANSWER, WRONG = mechanism_pair(
    outcomes({"0": (p, 1 - p), "1": (1 - p, p)}, where=[sp.Gt(p, 0), sp.Lt(p, 1)]), "P", "Q")
FIRST, SECOND = mechanism_pair(laplace(scale), "P", "Q")
NEAR, OTHER = mechanism_pair(laplace(1, near), "M(D)", "M(D')")
FAR, FARTHER = mechanism_pair(laplace(1, near + rest), "P", "Q")
ONE, ZERO = mechanism_pair(gaussian(sigma), "P", "Q")
CLOSE, BY = mechanism_pair(gaussian(sigma, near), "M(D)", "M(D')")
COIN, NIOC = mechanism_pair(randomized_response(u), "P", "Q")
LEAKY, YKAEL = mechanism_pair(randomized_response(u, leak), "P", "Q")
LOGISTIC, SHIFTED = mechanism_pair(exponential_mechanism(u), "P", "Q")

COINS = (p * sp.exp(alpha * I * sp.log(p / (1 - p)))
         + (1 - p) * sp.exp(alpha * I * sp.log((1 - p) / p)))
UP, DOWN = sp.exp(alpha * I / scale), sp.exp((-alpha * I - 1) / scale)
NOISE = (UP + DOWN + (UP - DOWN) / (2 * alpha * I + 1)) / 2
NORMAL = sp.exp(-(alpha**2 - I * alpha) / (2 * sigma**2))

PHI = r"\phi_{\mathcal M}(\alpha)=\text{[...]}="
TEX_COINS = r"p\,e^{\alpha i\log(\frac{p}{1-p})}+(1-p)\,e^{\alpha i\log(\frac{1-p}{p})}"
TEX_NOISE = r"\frac12\left(e^{\frac{\alpha i}{\lambda}}+e^{\frac{-\alpha i-1}{\lambda}}" \
    r"+\frac{1}{2\alpha i+1}\left(e^{\frac{\alpha i}{\lambda}}-e^{\frac{-\alpha i-1}{\lambda}}" \
    r"\right)\right)"
TEX_NORMAL = r"e^{\frac{-1}{2\sigma^2}(\alpha^2-i\alpha)}"
DUAL = r"\phi_{\mathcal M}(\alpha)=\phi'_{\mathcal M}(\alpha)=\text{[...]}"


def phi(P, Q):
    """The characteristic function of the loss log(P/Q) under P."""
    return Ex(sp.exp(I * alpha * PLD(P, Q)), PLD(P, Q))


with theorem("zhu2021/table-2", "Characteristic functions and dominating pairs",
             fidelity="printed"):
    claim(
        "table-2.response.pair",
        Eq(delta(WRONG, ANSWER)(eps), delta(ANSWER, WRONG)(eps)),
        where=BETWEEN,
        printed=r"\text{Randomized Response }P:\Pr_P[0]=p;\ Q:\Pr_Q[1]=p",
        note="The mechanism answers its bit with probability p: (P, Q) for one order of the two "
        "datasets, (Q, P) for the other, whose profile is the same; the pair is tight.",
    )
    claim(
        "table-2.response.phi",
        Eq(phi(ANSWER, WRONG), COINS),
        where=BETWEEN,
        printed=PHI + TEX_COINS,
        note="Every p, 0 < p < 1; at 0 and 1 the losses are infinite.",
    )
    claim(
        "table-2.response.dual",
        Eq(phi(WRONG, ANSWER), phi(ANSWER, WRONG)),
        where=BETWEEN,
        printed=DUAL,
        note="The equality; 0 < p < 1.",
    )
    claim(
        "table-2.laplace.pair",
        Le(delta(NEAR, OTHER)(eps), delta(FAR, FARTHER)(eps)),
        printed=r"\text{Laplace Mechanism }P:p(x)=\frac{1}{2\lambda}e^{-|x|/\lambda};\ "
        r"Q:q(x)=\frac{1}{2\lambda}e^{-|x-1|/\lambda}",
        note="In units of lambda, so that 1/lambda = s + r is any positive number: outputs s apart "
        "are dominated by the pair in the table, neighbours less than 1 apart.  The reflection of "
        "the line gives the other order.",
    )
    claim(
        "table-2.laplace.phi",
        Eq(phi(FIRST, SECOND), NOISE),
        printed=PHI + TEX_NOISE,
        note="All parameters; no other reading of the lost letters is needed.",
    )
    claim(
        "table-2.laplace.dual",
        Eq(phi(SECOND, FIRST), phi(FIRST, SECOND)),
        printed=DUAL,
        note="The equality; all parameters.",
    )
    claim(
        "table-2.gaussian.pair",
        Le(delta(CLOSE, BY)(eps), delta(ONE, ZERO)(eps)),
        where=[Lt(near, 1)],
        printed=r"\text{Gaussian Mechanism }P:\mathcal N(1,\sigma^2);\ Q:\mathcal N(0,\sigma^2)",
        note="Outputs s < 1 apart are dominated by those 1 apart, every sigma.  Each Gaussian "
        "pair is its own reversal.",
    )
    claim(
        "table-2.gaussian.phi",
        Eq(phi(ONE, ZERO), NORMAL),
        printed=PHI + TEX_NORMAL,
        note="All parameters.",
    )
    claim(
        "table-2.gaussian.dual",
        Eq(phi(ZERO, ONE), phi(ONE, ZERO)),
        printed=DUAL,
        note="The equality; all parameters.",
    )
    claim(
        "section-4.2.slide-1",
        Le(delta(P, Q)(eps), delta(COIN, NIOC)(eps)),
        where=[Eq(delta(P, Q)(u), 0), Eq(delta(Q, P)(u), 0)],
        printed=r"\text{PureDP mechanisms are dominated by randomized response}",
        note="Every mechanism with budget u > 0, all real eps.",
    )
    claim(
        "section-4.2.slide-2",
        Le(delta(P, Q)(eps), delta(LEAKY, YKAEL)(eps)),
        where=[Ge(leak, 0), Le(leak, 1), Le(delta(P, Q)(u), leak), Le(delta(Q, P)(u), leak)],
        printed=r"\text{ApproxDP mechanisms are dominated by leaky randomized response}",
        note="Every (u, delta)-DP mechanism with u > 0, all real eps.",
    )
    claim(
        "section-4.2.slide-3",
        Le(delta(P, Q)(eps), delta(LOGISTIC, SHIFTED)(eps)),
        where=[Ge(c, 0), Le(c, u), Eq(delta(P, Q)(c), 0), Eq(delta(Q, P)(u - c), 0)],
        printed=r"\text{Exponential mechanism is dominated by two logistic distributions}",
        note="All that is used of the mechanism: its losses lie in an interval of length u, "
        "[c - u, c], that holds 0 (bounded range: Dong, Durfee, Rogers 2020).  The logistic "
        "distributions are u apart.",
    )
