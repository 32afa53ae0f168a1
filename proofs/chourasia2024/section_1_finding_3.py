"""Section 1: composition as convolution, finding 3; the tail of the normal law and footnote 5."""

import sympy as sp

from lapdp.privacy.mechanisms import randomized_response
from lapdp.theory import *

P, Q = pair("P", "Q")
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
A, AA = product_pair((P1, Q1), (P2, Q2))
t, x, d, eps = reals("t x d eps")
mass = reals("delta")
kappa = positives("kappa")
R0, R1 = mechanism_pair(randomized_response(eps, mass), "M_RR(0)", "M_RR(1)")

RANGE = [Ge(eps, 0), Ge(mass, 0), Le(mass, 1)]
PRIVATE = [Le(delta(P, Q)(eps), mass), Le(delta(Q, P)(eps), mass)]
WORST = (
    r"\text{the worst-case privacy profile }\delta_{i}(\epsilon)\text{ that any }"
    r"(\epsilon_{i},\delta_{i})\text{-DP mechanism must satisfy}"
)
BUDGET = (
    r"\text{This continuity enables us to determine the tightest }\epsilon\text{ value for any }"
    r"\text{given }\delta\text{ budget}"
)


def tail(y):
    """The tail of the standard normal law at y."""
    return sp.erfc(y / sp.sqrt(2)) / 2


def gaussian_profile(y):
    """The profile printed in (13)."""
    first, second = ((y - kappa) / sp.sqrt(2 * kappa), (y + kappa) / sp.sqrt(2 * kappa))
    return tail(first) - sp.exp(y) * tail(second)


with theorem("chourasia2024/section-1.finding-3", "Composition and point guarantees",
             fidelity="printed"):
    claim(
        "section-1.claim-1",
        Eq(f(PLD(A, AA))(t), conv(f(PLD(P1, Q1))(t), f(PLD(P2, Q2))(t), t)),
        printed=r"\text{composing PLDs of two mechanisms involves convolving their probability }"
        r"\text{densities}",
        note="As generalised densities on the finite reals, for every two pairs; how well discrete "
        "Fourier transforms approximate it is left aside.",
    )
    claim(
        "section-1.claim-18.1",
        Le(delta(P, Q)(t), delta(R0, R1)(t)),
        where=[*RANGE, *PRIVATE],
        printed=WORST,
        note="No (eps, delta)-DP pair exceeds the profile of randomized response anywhere.",
    )
    claim(
        "section-1.claim-18.2",
        Le(delta(R0, R1)(eps), mass),
        where=RANGE,
        printed=WORST,
        note="Randomized response is (eps, delta)-DP itself, so no smaller bound holds.",
    )
    claim(
        "section-1.claim-20",
        Continuous(delta(A, AA)(t), t),
        printed=r"\text{their result only provides a discrete set of }(\epsilon,\delta)"
        r"\text{ values met by the composed curve, ours forms a continuous curve}",
        fidelity="instance",
        note="Of the second half, for two releases: the composed curve is the profile of a product "
        "of pairs.  That the values of [19] are finitely many is section-4.1.claim-4.repaired.",
    )
    claim(
        "section-1.claim-21",
        Exists(x, Le(delta(R0, R1)(x), d)),
        where=[Ge(d, mass), Le(d, 1), *RANGE],
        hints={"choose": eps},
        printed=BUDGET,
        fidelity="instance",
        note="For one release, and any budget of at least delta: a continuous non-increasing "
        "curve that reaches a budget below 1 has a least such point.  Below delta no epsilon does,"
        " for which Figure 4 says eps = oo.  d stands for the budget.",
    )

    definition(
        "eq-13.3",
        Eq(Int(sp.exp(-(t**2) / 2) / sp.sqrt(2 * sp.pi), t, x, sp.oo), tail(x)),
        printed=r"\overline{\Phi}(t)=\underset{G\sim\mathcal{N}(0,1)}{\mathbb{P}}\left[G>t\right]",
        note="The tail is erfc(t/sqrt(2))/2, as (13) is encoded.",
    )
    claim(
        "footnote-5.claim-1",
        Eq(1 - sp.exp(x) + sp.exp(x) * gaussian_profile(-x), gaussian_profile(x)),
        where=[Lt(x, 0)],
        printed=r"\text{the expression remains identical for }\varepsilon<0\text{ on invoking (7)}",
        note="The reversal (7) of the expression at -eps > 0 is the expression at eps; the "
        "Gaussian pair is the mirror image of its reversal.",
    )
