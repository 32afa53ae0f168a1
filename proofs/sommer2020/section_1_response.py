"""Abstract and Section 1: approximate randomized response, one release and many."""

import sympy as sp

from lapdp import randomized_response
from lapdp.theory import *

eps, t, y = reals("eps t y")
mass = reals("delta")
R0, R1 = mechanism_pair(randomized_response(eps, mass), "R", "R'")
S0, S1 = mechanism_pair(randomized_response(eps), "S", "S'")
RANGE = [Ge(eps, 0), Ge(mass, 0), Le(mass, 1)]
k, Y = naturals("k Y")
ODDS = sp.exp(eps) / (1 + sp.exp(eps))
RESPONSES = composition("R^k", "R'^k", mechanism=lambda j: randomized_response(eps))
LEAKING = composition("R_d^k", "R'_d^k", mechanism=lambda j: randomized_response(eps, mass))
# what one more release does to the law of the loss, and to the profile
MASS = recursion("w", lambda t: Indicator(Eq(t, 0)), lambda l, t, before: (
    sp.exp(eps) * before(t - eps) + before(t + eps)) / (sp.exp(eps) + 1))
CURVE = recursion("D", lambda t: sp.Max(0, 1 - sp.exp(t)), lambda l, t, before: mass + (
    1 - mass) / (sp.exp(eps) + 1) * (sp.exp(eps) * before(t - eps) + before(t + eps)))
BOUND = 1 - (1 - mass) ** k * (
    1 - BinomialMean(sp.Max(0, 1 - sp.exp(t - eps * (2 * Y - k))), Y, k, ODDS))
# any k releases, each chosen after the outcomes before, release i with (eps_i, delta_i)
i, x = naturals("i", start=1), outcome("x")
e, d = sequences("epsilon delta")
ADAPTIVE = composition("P", "Q")
EACH = ADAPTIVE.release(i, x)
ALL = composition("A", "A'", mechanism=lambda j: randomized_response(e[j], d[j]))
OBLIVIOUS = recursion(
    "O", lambda t: sp.Max(0, 1 - sp.exp(t)), lambda l, t, before: d[l] + (1 - d[l]) / (
        sp.exp(e[l]) + 1) * (sp.exp(e[l]) * before(t - e[l]) + before(t + e[l])))
RANGES = [ForAll(i, Ge(e[i], 0)), ForAll(i, Ge(d[i], 0)), ForAll(i, Le(d[i], 1))]
OPTIMAL = (
    r"\text{analyzing two worst-case (output) distributions parametric solely in a }"
    r"(\epsilon_j,\delta_j)\text{ pair, exactly yields optimal mechanism-oblivious bounds}"
)
BINOMIAL = (
    r"\text{the privacy loss distribution of the randomized response mechanism is a binomial "
    r"distribution}"
)

with theorem("sommer2020/section-1.response", "Approximate randomized response",
             fidelity="printed"):
    claim(
        "abstract.claim-3",
        Eq(delta(*LEAKING(k))(t), BOUND),
        where=RANGE,
        hints={"between": CURVE(k, t)},
        printed=r"\text{we derive exact analytical guarantees for the approximate randomized "
        r"response mechanism}",
        note="Every number k of releases, every real eps of the profile.  (The formulas that are "
        "printed have a misprint: example-1.claim-3, appendix-A.1.step-4.)  t stands for "
        "the eps of the profile.",
    )
    claim(
        "section-1.claim-2.bound",
        Le(delta(*ADAPTIVE(k))(t), OBLIVIOUS(k, t)),
        where=[*RANGES, ForAll((i, x), Le(delta(*EACH)(e[i]), d[i])),
               ForAll((i, x), Le(delta(*EACH[::-1])(e[i]), d[i]))],
        printed=OPTIMAL,
        note="Every k releases, release j chosen after the outcomes before and (eps_j, delta_j)-"
        "ADP, stay below this function O(k, t), which each release changes as ARR does: O(0, t) = "
        "max(0, 1 - e^t), and with eps, delta of release l + 1, O(l + 1, t) = delta + (1 - delta)"
        "/(e^eps + 1) (e^eps O(l, t - eps) + O(l, t + eps)).",
    )
    claim(
        "section-1.claim-2.attained",
        Eq(delta(*ALL(k))(t), OBLIVIOUS(k, t)),
        where=RANGES,
        printed=OPTIMAL,
        note="The function O(k, t) of section-1.claim-2.bound is the profile of k releases of "
        "ARR, the j-th with (eps_j, delta_j), which are (eps_j, delta_j)-ADP themselves: no "
        "smaller bound can hold.",
    )
    claim(
        "section-1.claim-4",
        Eq(Pr(PLD(R0, R1), "==", sp.oo), mass),
        where=RANGE,
        printed=r"\text{we also consider corner cases where the loss becomes infinite}",
        note="An example: approximate randomized response.",
        fidelity="instance",
    )
    claim(
        "section-1.claim-14.success",
        Eq(Pr(PLD(S0, S1), "==", eps), sp.exp(eps) / (1 + sp.exp(eps))),
        where=[Gt(eps, 0)],
        printed=BINOMIAL,
        note="The losses are eps (2 k - 1) for k in {0, 1}.",
    )
    claim(
        "section-1.claim-14.failure",
        Eq(Pr(PLD(S0, S1), "==", -eps), 1 / (1 + sp.exp(eps))),
        where=[Gt(eps, 0)],
        printed=BINOMIAL,
        note="The losses are eps (2 k - 1) for k in {0, 1}.",
    )
    claim(
        "section-1.claim-15.binomial",
        Eq(
            Pr(PLD(*RESPONSES(k)), "==", y),
            BinomialMean(Indicator(Eq(Y, (y + k * eps) / (2 * eps))), Y, k, ODDS),
        ),
        where=[Gt(eps, 0)],
        hints={"between": MASS(k, y)},
        printed=r"\text{these distributions remain Gauss / binomial distributions under "
        r"self-convolution}",
        note="Every number k of releases: the loss is eps (2 Y - k), Y binomial.",
    )
