"""From Renyi bounds to profiles: the conversions of :mod:`lapdp.accounting.conversions`.

As Sommer, Meiser, Mohammadi 2020 print the first two: sommer2020/section-4.6.claim-8.first and
section-4.6.claim-10.repaired; what one step of the discretised tail becomes by repeating it:
theorem-3.repaired.
"""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
Z = PLD(P, Q)
S = Event("S")
eps, q, r, y0, y1, c, d = reals("eps q r y_0 y_1 c d")
BOUND = [Gt(q, 1), Le(R(q, P, Q), r)]

with theorem("laws/renyi-bounds", "From Renyi bounds to profiles"):
    claim(
        "renyi-bounds.tail",
        Le(Pr(Z, ">=", eps), sp.exp((q - 1) * (r - eps))),
        where=BOUND,
        kind="law",
        expected="proved",
        printed=r"\Pr[Z\geq\varepsilon]\leq e^{(q-1)(r-\varepsilon)}",
        note="Abadi et al. 2016, Theorem 2 (tail bound).",
    )
    claim(
        "renyi-bounds.mironov",
        Le(delta(P, Q)(eps), sp.exp((q - 1) * (r - eps))),
        where=BOUND,
        kind="law",
        expected="proved",
        printed=r"\delta_{P|Q}(\varepsilon)\leq e^{(q-1)(r-\varepsilon)}",
        note="Mironov 2017, Proposition 3.",
    )
    claim(
        "renyi-bounds.canonne",
        Le(delta(P, Q)(eps), sp.exp((q - 1) * (r - eps)) * (1 - 1 / q) ** q / (q - 1)),
        where=BOUND,
        kind="law",
        expected="proved",
        printed=r"\delta_{P|Q}(\varepsilon)\leq\frac{e^{(q-1)(r-\varepsilon)}}{q-1}"
        r"\left(1-\frac1q\right)^q",
        note="Canonne, Kamath, Steinke 2020, Proposition 12; Balle et al. 2020, Theorem 21.",
    )
    claim(
        "renyi-bounds.canonne-epsilon",
        Le(delta(P, Q)(r + sp.log((q - 1) / q) - (sp.log(d) + sp.log(q)) / (q - 1)), d),
        where=[*BOUND, Gt(d, 0), Lt(d, 1)],
        kind="law",
        expected="proved",
        printed=r"\delta_{P|Q}\Bigl(r+\log\frac{q-1}{q}-\frac{\log d+\log q}{q-1}\Bigr)\leq d",
        note="Canonne, Kamath, Steinke 2020, Proposition 12, as it is used; Balle et al. 2020, "
        "Theorem 21.",
    )
    claim(
        "renyi-bounds.preservation",
        Le(P(S), (sp.exp(R(q, P, Q)) * Q(S)) ** ((q - 1) / q)),
        where=[Gt(q, 1), Defined(R(q, P, Q)), Gt(Q(S), 0)],
        kind="law",
        expected="proved",
        printed=r"P(S)\leq\left(e^{\mathrm{R}_q(P\|Q)}\,Q(S)\right)^{(q-1)/q}",
        note="Probability preservation: Langlois, Stehle, Steinfeld 2014, Lemma 4.1; Mironov 2017, "
        "Proposition 10.  Where Q(S) = 0 both sides are 0.",
    )
    claim(
        "renyi-bounds.preservation-bound",
        Le(P(S), (sp.exp(r) * Q(S)) ** ((q - 1) / q)),
        where=[*BOUND, Gt(Q(S), 0)],
        kind="law",
        expected="proved",
        printed=r"P(S)\leq\left(e^{r}\,Q(S)\right)^{(q-1)/q}",
        note="The same of a mechanism with a Renyi guarantee: Mironov 2017, Proposition 10.",
    )
    claim(
        "renyi-bounds.preservation-below",
        Ge(Q(S), sp.exp(-r) * P(S) ** (q / (q - 1))),
        where=[*BOUND, Gt(P(S), 0)],
        kind="law",
        expected="proved",
        printed=r"Q(S)\geq e^{-r}\,P(S)^{q/(q-1)}",
        note="Solved for the other probability: Langlois, Stehle, Steinfeld 2014, Lemma 4.1.",
    )
    claim(
        "renyi-bounds.preservation-swapped",
        Le(Q(S), (sp.exp(r) * P(S)) ** ((q - 1) / q)),
        where=[*BOUND, Gt(P(S), 0)],
        kind="law",
        expected="refuted",
        printed=r"Q(S)\leq\left(e^{r}\,P(S)\right)^{(q-1)/q}",
        note="Not a law: a bound of the divergence of P from Q says this of P alone, Mironov 2017.",
    )
    claim(
        "renyi-bounds.markov",
        Le(delta(P, Q)(y0), Pr(Z, ">=", y0) * (1 - sp.exp(y0 - y1))
           + sp.exp(y0 - y1) * delta(P, Q)(y1)),
        where=Lt(y0, y1),
        kind="law",
        expected="proved",
        printed=r"\delta_{P|Q}(y_0)\leq(1-e^{y_0-y_1})\Pr[Z\geq y_0]+e^{y_0-y_1}"
        r"\delta_{P|Q}(y_1),\quad y_0<y_1",
        note="One step of the discretised tail: repeated it is Theorem 3 of Sommer, Meiser, "
        "Mohammadi 2020, its signs mended.",
    )
    claim(
        "renyi-bounds.orders",
        Le(2 * c * E(2, P, Q) - c**2, E(3, P, Q)),
        where=Defined(E(2, P, Q)),
        kind="law",
        expected="proved",
        printed=r"2c\,\mathrm{E}_{2}(P\|Q)-c^{2}\leq\mathrm{E}_{3}(P\|Q)",
        note="Every real c.  At c = E_2 it is E_2^2 <= E_3, that is R_2 <= R_3: van Erven and "
        "Harremoes 2014, Theorem 3, at two orders.",
    )
    claim(
        "renyi-bounds.mean",
        Ge(Ex(Z, Z), 0),
        where=Defined(Ex(Z, Z)),
        kind="law",
        expected="proved",
        printed=r"\mathbb{E}[Z]\geq 0",
        note="The inequality of Gibbs for the divergence of Kullback and Leibler 1951.",
    )
    claim(
        "renyi-bounds.mean-chi-squared",
        Le(Ex(Z, Z), E(2, P, Q) - 1),
        where=[Defined(Ex(Z, Z)), Defined(E(2, P, Q))],
        kind="law",
        expected="proved",
        printed=r"\mathbb{E}[Z]\leq\chi^{2}(P\|Q)",
        note="Kullback-Leibler below chi-squared, E_2 - 1: Gibbs and Su 2002, Theorem 5.",
    )
    claim(
        "renyi-bounds.mean-hellinger",
        Ge(Ex(Z, Z), 2 - 2 * E(sp.Rational(1, 2), P, Q)),
        where=Defined(Ex(Z, Z)),
        kind="law",
        expected="proved",
        printed=r"\mathbb{E}[Z]\geq 2-2\,\mathrm{E}_{1/2}(P\|Q)",
        note="Above the squared Hellinger distance: Gibbs and Su 2002, section 2.",
    )
