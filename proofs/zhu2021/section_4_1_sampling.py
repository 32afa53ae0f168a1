"""Section 4.1, sampling: definitions, the conjecture of a slide, and what is said of Theorem 11.

M and N are the means of a mechanism over the sample of the other records, without and with the
record x (see ``theorem_11``); (P, Q) dominates it in both orders of neighbours.
"""

import sympy as sp

from lapdp.privacy.mechanisms import gaussian, randomized_response
from lapdp.theory import *

b = outcome("b")
Mb, Nb = family("M", "N", b)
M, N = averaged((Mb, Nb), ("M", "N"))
Ob, Xb, Yb = family("M_0", "M_x", "M_y", b)
O, X, Y = averaged((Ob, Xb, Yb), ("M_0", "M_x", "M_y"))
P, Q = pair("P", "Q")
MD, ME = pair("M(D)", "M(D')")
e, eps, gamma = reals("e eps gamma")
u = positives("u")
n, m = positives("n m")
k, y = naturals("k y")
S, U = Event("S"), Event("U")

RATE = [Ge(gamma, 0), Le(gamma, 1)]
OPEN = [Gt(gamma, 0), Lt(gamma, 1)]
WITH = (1 - gamma) * M + gamma * N
BOTH = [ForAll((b, e), Le(delta(Mb, Nb)(e), delta(P, Q)(e))),
        ForAll((b, e), Le(delta(Nb, Mb)(e), delta(P, Q)(e)))]
REPLACED = [ForAll((b, e), Le(Sup(A(U) - sp.exp(e) * B(U), U), delta(P, Q)(e)))
            for A in (Ob, Xb, Yb) for B in (Ob, Xb, Yb) if A != B]
SAMPLED = Sup((1 - gamma) * O(S) + gamma * X(S)
              - sp.exp(eps) * ((1 - gamma) * O(S) + gamma * Y(S)), S)
OVER = gamma + sp.exp(eps) - 1
SPLIT = (sp.exp(eps) * gamma / OVER * Sup(gamma * X(S) - OVER * Y(S), S)
         + (sp.exp(eps) - 1) * (1 - gamma) / OVER * Sup(gamma * X(S) - OVER * O(S), S))
BELOW = {"witness": {"gamma": sp.Rational(1, 2), "eps": -sp.log(2)}}

COIN, OTHER = mechanism_pair(randomized_response(u), "P", "Q")
COINS = (1 - gamma) * OTHER + gamma * COIN
LEAST = 1 - gamma * (1 - sp.exp(-u))
EDGE = sp.log(LEAST)
FALSE = Gt(delta(OTHER, COINS)(EDGE), delta(COINS, OTHER)(EDGE))
SAMPLE = (1 - gamma) * Q + gamma * P
NOISE, SHIFTED = mechanism_pair(gaussian(1), "P", "Q")
HALF = sp.Rational(1, 2)
AT = sp.log(sp.Rational(2, 3))

CONJECTURE = (r"(P,Q)\text{-dominates }\mathcal M\Rightarrow((1-\gamma)Q+\gamma P,Q)"
              r"\text{ dominates }\mathcal M\circ\mathrm{Sample}_\gamma")
OTHERS = r"\text{False not just for Gaussian, but for any other mechanisms too, under " \
    r"Poisson-sampling + Add/Remove}"


def sampled(A, B):
    """The profile that the conjecture takes for dominating."""
    return delta((1 - gamma) * B + gamma * A, B)(eps)


with theorem("zhu2021/section-4.1.sampling", "Sampling, and a conjecture about it",
             fidelity="printed"):
    definition(
        "section-4.1.claim-11",
        Eq(BinomialMean(sp.Integer(1), y, k, gamma), 1),
        where=RATE,
        printed=r"S^\gamma_{\mathrm{Poisson}}\text{ [...] including each data point with "
        r"probability }0\le\gamma\le 1\text{ i.i.d. at random}",
        fidelity="instance",
        note="Of the definition: the number of records drawn, of k, is binomial, and the "
        "probabilities add up to 1.",
    )
    definition(
        "section-4.1.claim-12",
        Eq((n - 1) / (n**2 / 2 - n / 2), 2 / n),
        where=[Gt(n, 2)],
        printed=r"S^\gamma_{\mathrm{Subset}}\text{ takes a dataset with size }n\text{ or }n-1"
        r"\text{ and return a subset of size }m<n\text{ uniformly at random}",
        note="m = 2, every n: of the n (n - 1)/2 subsets n - 1 hold a given record, which is drawn "
        "with probability m/n.",
        fidelity="instance",
    )
    definition(
        "section-4.1.claim-13.1",
        Gt(m / n, 0),
        where=[Lt(m, n)],
        printed=r"\gamma:=m/n",
        fidelity="instance",
        note="Of the definition only that the rate is above 0, for 0 < m < n.",
    )
    definition(
        "section-4.1.claim-13.2",
        Lt(m / n, 1),
        where=[Lt(m, n)],
        printed=r"\gamma:=m/n",
        fidelity="instance",
        note="Of the definition only that the rate is below 1, for 0 < m < n.",
    )
    definition(
        "footnote-4",
        Gt(m / (n - 1), m / n),
        where=[Lt(m, n), Gt(n, 1)],
        printed=r"\gamma:=m/n\text{ even if }(n-1)\text{ is the sample size}",
        fidelity="instance",
        note="Of the convention only what it settles: of n - 1 records each is drawn with "
        "probability m/(n - 1), which is not gamma.",
    )
    claim(
        "section-4.1.slide-1",
        FALSE,
        printed=r"\text{``A sensible conjecture'' (slide), marked ``False'': }" + CONJECTURE,
        where=OPEN,
        note="Poisson sampling, add neighbours: randomized response on one record, which (P, Q) "
        "dominates in both orders, every budget and rate, at an alpha below 1.  As the slide says.",
    )
    claim(
        "section-4.1.slide-1.removal",
        Le(delta(WITH, M)(eps), sampled(P, Q)),
        where=[*RATE, *BOTH],
        fidelity="own",
        note="Poisson sampling, D with the record first.  This half of the conjecture is true.  "
        "M, N are the outputs on samples without and with the record.",
    )
    claim(
        "section-4.1.slide-1.above",
        Le(delta(M, WITH)(eps), sampled(P, Q)),
        where=[*RATE, *BOTH, Ge(eps, 0)],
        fidelity="own",
        note="And the other half is for alpha >= 1, which composition does not preserve.  M, N "
        "are the outputs on samples without and with the record.",
    )
    claim(
        "section-4.1.slide-2",
        Gt(delta(SHIFTED, HALF * SHIFTED + HALF * NOISE)(AT),
           delta(HALF * SHIFTED + HALF * NOISE, SHIFTED)(AT)),
        printed=r"\text{False not just for Gaussian}",
        fidelity="instance",
        note="The Gaussian mechanism with sigma = 1, gamma = 1/2, alpha = 2/3.",
    )
    claim(
        "section-4.1.slide-4",
        FALSE,
        where=OPEN,
        printed=OTHERS,
        note="Randomized response with any budget u > 0 and every rate; the two equations after "
        "it say by how much the conjecture fails for others.  A mechanism that ignores its data "
        "is not meant.",
        fidelity="instance",
    )
    claim(
        "section-4.1.slide-4.unbounded",
        Eq(delta(Q, SAMPLE)(sp.log(1 - gamma)) - delta(SAMPLE, Q)(sp.log(1 - gamma)),
           gamma * (1 - gamma) * delta(P, Q)(sp.log((2 - gamma) / (1 - gamma)))),
        where=OPEN,
        fidelity="own",
        note="Every pair and rate, at alpha = 1 - gamma: the conjecture fails wherever a loss may "
        "exceed log(1 + 1/(1 - gamma)), so for every mechanism with unbounded losses.",
    )
    claim(
        "section-4.1.slide-4.bounded",
        Eq(delta(Q, SAMPLE)(EDGE) - delta(SAMPLE, Q)(EDGE),
           LEAST * gamma * delta(P, Q)(sp.log((1 / LEAST - 1 + gamma) / gamma))),
        where=[*OPEN, Eq(delta(Q, P)(u), 0)],
        fidelity="own",
        note="Every mechanism with pure budget u, at alpha = 1 - gamma (1 - e^-u): the order on "
        "the right is less than e^u, so the right side is positive where u is the least budget.",
    )
    claim(
        "section-4.1.slide-5",
        FALSE,
        printed=r"\text{False not just for Gaussian, but for any other mechanisms too, under [...] "
        r"Random subset sampling + Replace One}",
        where=OPEN,
        fidelity="instance",
        note="Randomized response on the new record, that is P on samples with it and Q on all "
        "others; every budget and rate.  How far other mechanisms fail is "
        "section-4.1.slide-4.unbounded and .bounded; one that ignores its data is not meant.",
    )
    claim(
        "section-4.1.slide-5.above",
        Le(SAMPLED, sampled(P, Q)),
        where=[Gt(gamma, 0), Le(gamma, 1), Ge(eps, 0), *REPLACED],
        hints={"between": SPLIT},
        fidelity="own",
        note="It is true for alpha >= 1: Proposition 30.  M_x, M_y are the outputs on samples "
        "with the old and the new record, M_0 those on the samples without.",
    )
    claim(
        "section-4.1.claim-15",
        Iff(Le(delta(MD, ME)(e), delta(P, Q)(e)), Le(delta(ME, MD)(eps), delta(Q, P)(eps)),
            over=(e, eps)),
        printed=r"(P,Q)\text{ dominates for add neighbors iff }(Q,P)\text{ dominates for removal "
        r"neighbors}",
        note="Every two pairs, alpha = e^eps > 0; at alpha = 0 all divergences are 1.",
    )
    claim(
        "section-4.1.claim-18.1",
        Le(delta(WITH, M)(eps), delta(gamma * P + (1 - gamma) * Q, Q)(eps)),
        where=[*RATE, *BOTH],
        printed=r"\text{taking }(\gamma P+(1-\gamma)Q,Q)\text{ as an input are essentially "
        r"providing privacy "
        r"guarantees [...] for the ``remove only'' neighboring relationship}",
        note="M and N are the outputs on the samples without and with the record; for each "
        "sample (P, Q) dominates them in both orders.",
    )
    claim(
        "section-4.1.claim-18.2",
        FALSE,
        where=OPEN,
        printed=r"\text{only for the ``remove only'' neighboring relationship}",
        fidelity="instance",
        note="Randomized response with any budget u: there the pair dominates no addition.",
    )
