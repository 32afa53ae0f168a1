"""Theorem 4.6, (62), (149)-(151), (157)-(159), (178): composition of point guarantees, every k."""

import sympy as sp

from lapdp import randomized_response
from lapdp.theory import *

k = naturals("k")
i, l = naturals("i l", start=1)
t = reals("t")
e, d = sequences("varepsilon delta")
x = outcome("x")

# delta^{\otimes l}, by its recursion
composed = recursion(
    r"\delta^{\otimes}",
    lambda t: sp.Max(0, 1 - sp.exp(t)),
    lambda l, t, before: d[l] + (1 - d[l]) / (sp.exp(e[l]) + 1) * (
        sp.exp(e[l]) * before(t - e[l]) + before(t + e[l])),
)
STEP = d[l] + (1 - d[l]) / (sp.exp(e[l]) + 1) * (
    sp.exp(e[l]) * composed(l - 1, t - e[l]) + composed(l - 1, t + e[l]))
RECURSION = (
    r"\delta^{\otimes l}(t)=\delta_{l}+\frac{(1-\delta_{l})}{e^{\varepsilon_{l}}+1}\left[e^{"
    r"\varepsilon_{l}}\cdot\delta^{\otimes l-1}(t-\varepsilon_{l})+\delta^{\otimes l-1}(t+"
    r"\varepsilon_{l})\right]"
)

# the k-fold composition, each release chosen by the outcomes before it
C = composition("P", "Q")
P, Q = C(k)
Pi, Qi = C.release(i, x)
RANGES = [ForAll(i, Ge(e[i], 0)), ForAll(i, Ge(d[i], 0)), ForAll(i, Le(d[i], 1))]
# adaptive (eps_i, delta_i)-DP, in both directions
POINTS = [ForAll((i, x), Le(delta(Pi, Qi)(e[i]), d[i])),
          ForAll((i, x), Le(delta(Qi, Pi)(e[i]), d[i]))]
BOTH = "Every k >= 0, every adaptive choice of releases, every real t."

# what attains the bound: the product of randomized responses
RR = composition("R", "S", mechanism=lambda j: randomized_response(e[j], d[j]))
Ri, Si = RR.release(i)
R, S = RR(k)

with theorem("chourasia2024/theorem-4.6", "Tight composition for (eps, delta)-DP",
             fidelity="printed"):
    claim(
        "theorem-4.6",
        Le(delta(P, Q)(t), composed(k, t)),
        where=[*RANGES, *POINTS],
        equations=(62,),
        printed=r"\text{the }k\text{-fold composition of }(\varepsilon_{i},\delta_{i})"
        r"\text{-differentially private mechanisms satisfies }(\varepsilon,\delta^{\otimes k}"
        r"(\varepsilon))\text{-DP for all }\varepsilon",
        note=BOTH + "  The other direction is .reversed.",
    )
    claim(
        "theorem-4.6.reversed",
        Le(delta(Q, P)(t), composed(k, t)),
        where=[*RANGES, *POINTS],
        equations=(62,),
        printed=r"\text{the }k\text{-fold composition of }(\varepsilon_{i},\delta_{i})"
        r"\text{-differentially private mechanisms satisfies }(\varepsilon,\delta^{\otimes k}"
        r"(\varepsilon))\text{-DP for all }\varepsilon",
        note="(eps, delta)-DP bounds both directions: " + BOTH,
    )
    claim(
        "theorem-4.6.tight",
        Eq(delta(R, S)(t), composed(k, t)),
        where=RANGES,
        equations=(62,),
        printed=r"\text{resulting in an exactly-tight composition guarantee as stated below}",
        note="The bound is attained by randomized responses, for every k and every real t.",
    )
    claim(
        "section-4.1.claim-5.every-k",
        Continuous(composed(k, t), t),
        where=RANGES,
        printed=r"\text{our result offers a continuous curve over all }\varepsilon\in\mathbb{R}",
    )
    definition(
        "eq-62",
        Eq(composed(l, t), STEP),
        where=RANGES,
        printed=r"\forall t\in\mathbb{R}\ :\ " + RECURSION,
        note="The recursion has a value for every l >= 1 and every real t.",
    )
    definition(
        "theorem-4.6.claim-1",
        Eq(composed(0, t), sp.Max(0, 1 - sp.exp(t))),
        printed=r"\delta^{\otimes 0}(t)=[1-e^{t}]_{+}",
    )
    claim(
        "theorem-4.6.restated",
        Le(delta(P, Q)(t), composed(k, t)),
        where=[*RANGES, *POINTS],
        equations=(149,),
        printed=r"\text{the }k\text{-fold composition of }(\varepsilon_{i},\delta_{i})"
        r"\text{-differentially private mechanisms satisfies }(\varepsilon,\delta^{\otimes k}"
        r"(\varepsilon))\text{-DP for all }\varepsilon",
        note="The theorem of Section 4.1, printed again; the other direction is "
        "theorem-4.6.reversed.",
    )
    definition(
        "eq-149",
        Eq(composed(l, t), STEP),
        where=RANGES,
        printed=r"\forall t\in\mathbb{R}\ :\ " + RECURSION,
        note="(62) again.",
    )
    step(
        "eq-150",
        Le(delta(P, Q)(t), composed(k, t)),
        where=[*RANGES, *POINTS],
        printed=r"\forall t\in\mathbb{R}\ :\ \delta_{P_{1:k}|Q_{1:k}}(t)\leq\delta^{\otimes}(t)",
        note=r"The index k of \delta^{\otimes k} is left out in print.",
    )
    step(
        "eq-151",
        Le(Sup(delta(Pi, Qi)(t), x), delta(Ri, Si)(t)),
        where=[*RANGES, *POINTS],
        printed=r"\forall i\in\{1,\cdots,k\}\ :\ \sup_{x_{<i}\in\Omega_{1}\times\cdots\times"
        r"\Omega_{i-1}}\delta_{P^{x_{<i}}_{i}|Q^{x_{<i}}_{i}}(t)\leq"
        r"\delta_{\mathrm{RR}}^{\varepsilon_{i},\delta_{i}}(t)",
    )
    step(
        "eq-151.reversed",
        Le(Sup(delta(Qi, Pi)(t), x), delta(Ri, Si)(t)),
        where=[*RANGES, *POINTS],
        note="The other direction.",
        fidelity="own",
    )
    step(
        "theorem-4.6.step-2",
        Le(delta(*C(1))(t), composed(1, t)),
        where=[*RANGES, *POINTS],
        printed=r"\delta_{P_{1}|Q_{1}}(t)\leq\delta^{\otimes 1}(t)\text{ for all }t\in\mathbb{R}",
    )

# The induction step, at one l: what is known of l - 1 is (157), g stands for delta^{l-1}.
g = functions("g")
P0, Q0 = pair("P_{1:l-1}", "Q_{1:l-1}")
Pl, Ql = family("P_l", "Q_l", x)
J, K = adaptive_pair((P0, Q0), (Pl, Ql), names=("P_{1:l}", "Q_{1:l}"))
el, dl = reals("varepsilon_l delta_l")
ANSWER = mechanism_pair(randomized_response(el, dl), "R", "S")
RESPONSE = delta(*ANSWER)
HERE = [Ge(el, 0), Ge(dl, 0), Le(dl, 1)]
POINT = [ForAll(x, Le(delta(Pl, Ql)(el), dl)), ForAll(x, Le(delta(Ql, Pl)(el), dl))]
SUPPOSED = ForAll(t, Le(delta(P0, Q0)(t), g(t)))
PRODUCT = product_pair((P0, Q0), ANSWER)
WEIGHT = D(RESPONSE(t), t, 2) - D(RESPONSE(t), t)
tau = reals("tau")
SHARE = (1 - dl) / (sp.exp(el) + 1) * (sp.exp(el) * g(t - el) + g(t + el))
BOUND = dl + SHARE

with theorem("chourasia2024/theorem-4.6.induction", "Theorem 4.6, the induction",
             fidelity="printed"):
    step(
        "eq-157",
        Le(delta(*C(k))(t), composed(k, t)),
        where=[*RANGES, *POINTS],
        printed=r"\forall t\in\mathbb{R}\ :\ \delta_{P_{1:l-1}|Q_{1:l-1}}(t)\leq"
        r"\delta^{\otimes l-1}(t)",
        note="The supposition of the induction, which holds for every k = l - 1.",
    )
    step(
        "eq-158",
        Le(delta(J, K)(t), BOUND),
        where=[*HERE, *POINT, SUPPOSED],
        printed=r"\forall t\in\mathbb{R}\ :\ \delta_{P_{1:l}|Q_{1:l}}(t)\leq\delta^{\otimes l}(t)",
        note="From (157), for any function in the place of delta^{l-1} and any pair in that of "
        "P_{1:l-1}: the induction step itself.",
    )
    step(
        "eq-159",
        Le(Sup(delta(Pl, Ql)(t), x), RESPONSE(t)),
        where=[*HERE, *POINT],
        printed=r"\sup_{x_{<l}\in\Omega_{1}\times\cdots\times\Omega_{l-1}}"
        r"\delta_{P^{x_{<l}}_{l}|Q^{x_{<l}}_{l}}(t)\leq"
        r"\delta_{\mathrm{RR}}^{\varepsilon_{l},\delta_{l}}(t)",
    )
    step(
        "eq-160",
        Le(delta(J, K)(t), conv(delta(P0, Q0)(t), WEIGHT, t)),
        where=[*HERE, *POINT],
        printed=r"\delta_{P_{1:l}|Q_{1:l}}(t)\leq\left(\delta_{P_{1:l-1}|Q_{1:l-1}}\circledast"
        r"\left(\ddot{\delta}^{\varepsilon_{l},\delta_{l}}_{\mathrm{RR}}"
        r"-\dot{\delta}^{\varepsilon_{l},\delta_{l}}_{\mathrm{RR}}\right)\right)(t)",
        fault="false step",
        expected="refuted",
        repaired_by="chourasia2024/eq-160.repaired",
        hints={"witness": {"varepsilon_l": 0, "delta_l": 1, "t": 0}},
        note="Theorem 4.2 is used for randomized response with delta_l > 0, which loses the mass "
        "at infinite loss.",
        root="section-4.claim-1",
    )
    repair(
        "eq-160.repaired",
        "eq-160",
        Le(delta(J, K)(t), delta(*PRODUCT)(t)),
        where=[*HERE, *POINT],
        corrected=r"\delta_{P_{1:l}|Q_{1:l}}(t)\leq\delta_{P\times P_{\mathrm{RR}}|"
        r"Q\times Q_{\mathrm{RR}}}(t),\quad P=P_{1:l-1},\ Q=Q_{1:l-1}",
        note="By Theorem 4.5 and Lemma 4.4: the profile of the product with randomized response.",
    )
    repair(
        "eq-160.repaired-2",
        "eq-160",
        Eq(delta(*PRODUCT)(t), dl + conv(delta(P0, Q0)(t), WEIGHT, t)),
        where=HERE,
        corrected=r"\delta_{P\times P_{\mathrm{RR}}|Q\times Q_{\mathrm{RR}}}(t)=\delta_{l}+"
        r"\left(\delta_{P_{1:l-1}|Q_{1:l-1}}\circledast"
        r"\left(\ddot{\delta}^{\varepsilon_{l},\delta_{l}}_{\mathrm{RR}}"
        r"-\dot{\delta}^{\varepsilon_{l},\delta_{l}}_{\mathrm{RR}}\right)\right)(t)",
        note="And that profile is the convolution with delta_l added.",
    )
    step(
        "eq-161",
        Le(conv(delta(P0, Q0)(t), WEIGHT, t), conv(g(t), WEIGHT, t)),
        where=[*HERE, SUPPOSED, Continuous(g(t), t)],
        hints={"between": (SHARE.replace(g, delta(P0, Q0)), SHARE)},
        printed=r"\leq\left(\delta^{\otimes l-1}\circledast"
        r"\left(\ddot{\delta}^{\varepsilon_{l},\delta_{l}}_{\mathrm{RR}}"
        r"-\dot{\delta}^{\varepsilon_{l},\delta_{l}}_{\mathrm{RR}}\right)\right)(t)",
        note="For any continuous g in the place of delta^{l-1} that is nowhere below the profile "
        "of P_{1:l-1}.",
    )
    step(
        "eq-168",
        Le(delta(J, K)(t), Int(g(t - tau) * WEIGHT.subs(t, tau), tau)),
        where=[*HERE, *POINT, SUPPOSED, Continuous(g(t), t)],
        printed=r"\delta_{P_{1:l}|Q_{1:l}}(t)\leq\int_{-\infty}^{\infty}"
        r"\delta^{\otimes l-1}(t-\tau)\times"
        r"\left(\ddot{\delta}^{\varepsilon_{l},\delta_{l}}_{\mathrm{RR}}(\tau)"
        r"-\dot{\delta}^{\varepsilon_{l},\delta_{l}}_{\mathrm{RR}}(\tau)\right)\mathrm{d}\tau",
        fault="false step",
        expected="refuted",
        repaired_by="chourasia2024/eq-178.1.repaired",
        hints={"witness": {"varepsilon_l": 0, "delta_l": 1, "t": 0}},
        note="The consequence of (160)-(162); delta_l is lost with (160).",
        root="section-4.claim-1",
    )
    step(
        "eq-178.1",
        Le(delta(J, K)(t), SHARE),
        where=[*HERE, *POINT, SUPPOSED],
        printed=r"\delta_{P_{1:l}|Q_{1:l}}(t)\leq\frac{(1-\delta_{l})}{e^{\varepsilon_{l}}+1}"
        r"\left[e^{\varepsilon_{l}}\cdot\delta^{\otimes l-1}(t-\varepsilon_{l})+"
        r"\delta^{\otimes l-1}(t+\varepsilon_{l})\right]",
        fault="false step",
        expected="refuted",
        repaired_by="chourasia2024/eq-178.1.repaired",
        hints={"witness": {"varepsilon_l": 0, "delta_l": 1, "t": 0}},
        note="The middle member lacks delta_l, the mass at infinity that (160) loses.",
        root="section-4.claim-1",
    )
    repair(
        "eq-178.1.repaired",
        "eq-178.1",
        Le(delta(J, K)(t), dl + SHARE),
        where=[*HERE, *POINT, SUPPOSED],
        corrected=r"\delta_{P_{1:l}|Q_{1:l}}(t)\leq\delta_{l}+\frac{(1-\delta_{l})}"
        r"{e^{\varepsilon_{l}}+1}\left[e^{\varepsilon_{l}}\cdot\delta^{\otimes l-1}"
        r"(t-\varepsilon_{l})+\delta^{\otimes l-1}(t+\varepsilon_{l})\right]",
        note="With delta_l.",
    )
    step(
        "eq-178.2",
        Le(SHARE, BOUND),
        where=[*HERE, Continuous(g(t), t)],
        printed=r"\frac{(1-\delta_{l})}{e^{\varepsilon_{l}}+1}\left[e^{\varepsilon_{l}}\cdot"
        r"\delta^{\otimes l-1}(t-\varepsilon_{l})+\delta^{\otimes l-1}(t+\varepsilon_{l})\right]"
        r"\leq\delta^{\otimes l}(t)",
        note="For any continuous g in the place of delta^{l-1}; by (62), where delta_l is added.",
    )
    step(
        "theorem-4.6.step-10",
        Le(delta(*C(l))(t), composed(l, t)),
        where=[*RANGES, *POINTS],
        printed=r"\text{Hence, the induction statement holds}",
        note="(149) for every l, under its hypotheses; every real t.",
    )
