"""Theorem 2: profile, Renyi divergences and loss distribution determine each other."""

import sympy as sp

from lapdp import finite
from lapdp.theory import *
from lapdp.theory import B as L2

P, Q = pair("P", "Q")
A, B = pair("A", "B")
C, D = pair("C", "D")
Z = PLD(P, Q)
alpha, lam, t, x, s, top, top2 = reals("alpha lambda t x s b1 b2")
order = positives("r")
n, k = naturals("n k", start=1)
c, d = positives("c d")

SAME_PROFILE = Eq(delta(A, B)(t), delta(C, D)(t))
SAME_LOSS = Eq(F(PLD(A, B))(x), F(PLD(C, D))(x))
SAME_WHOLE = Eq(E(n + 1, A, B), E(n + 1, C, D))
BOUNDED = [Eq(Pr(PLD(A, B), ">", top), 0), Eq(Pr(PLD(C, D), ">", top2), 0)]
GROWTH = ForAll((k,), Lt(E(k + 1, A, B), c * d**k * sp.factorial(k)))
ALL_THREE = AllOf((
    Implies(SAME_PROFILE, Eq(E(alpha, A, B), E(alpha, C, D)), over=(t,)),
    Implies(SAME_WHOLE, Eq(delta(A, B)(x), delta(C, D)(x)), over=(n,)),
))
TEX_ADP = r"R_{\text{ADP}}((\varepsilon,\delta(\varepsilon))_{\varepsilon\in\mathbb{R}})=\omega"
TEX_RDP = r"R_{\text{RDP}}((\alpha,D_\alpha(M(x_0)||M(x_1)))_\alpha)=\omega"
TEX = (
    r"\text{There exists bijections }R_{ADP}\text{ and }R_{RDP}\text{ such that [...] the "
    r"following diagram commutes}"
)
SAME_REAL = Eq(R(1 + order, A, B), R(1 + order, C, D))
READ = ["section-4.claim-1.rdp.letter", "section-4.claim-1.rdp"]
LEAKY = {"pairs": {
    "A": finite(["1/2", "1/2"], ["1", "0"]), "C": finite(["1/4", "3/4"], ["1", "0"])
}}
CANONICAL = (
    r"\text{For a generalization of ADP (Definition 5) and for RDP, the PLD is even a canonical, "
    r"unique, and succinct representation of the leakage}"
)
FULL = "For every two pairs: no support need be finite, no outcome need have mass under both."

with theorem("sommer2020/theorem-2", "Equivalence of ADP, RDP and PLD", fidelity="printed"):
    claim("section-4.claim-1.adp", Iff(SAME_PROFILE, SAME_LOSS, over=(t, x)),
          printed=CANONICAL, note=FULL)
    claim("section-4.claim-1.rdp.letter", Implies(SAME_REAL, SAME_LOSS, over=(order,)),
          hints=LEAKY, printed=CANONICAL, expected="refuted", readings=READ,
          note="To the letter, for every two pairs: with infinite losses every divergence is "
          "infinite, whatever their mass.")
    claim("section-4.claim-1.rdp", Implies(SAME_REAL, SAME_LOSS, over=(order,)),
          where=Exists(s, Converges(L2(delta(A, B)(t), t, s))), printed=CANONICAL,
          readings=READ, note="Read with a finite divergence of some order above 1, as under the "
          "condition of Lemma 8; that losses determine them is lemma-8.step-7.")
    claim("section-4.7.claim-1", Iff(SAME_PROFILE, SAME_LOSS, over=(t, x)), expected="proved",
          printed=r"\text{the ADP-graph can be bijectively mapped to the PLD and vice versa}",
          note=FULL)
    claim("section-4.7.claim-2", Iff(SAME_WHOLE, SAME_LOSS, over=(n, x)), where=GROWTH,
          printed=r"\text{the Rényi Divergences can be bijectively mapped to the PLD and vice "
          r"versa, as long as [...] a technical sanity condition}", expected="proved",
        note="The condition is that of Lemma 8, rho_lambda < c d^lambda lambda! at every whole "
        "lambda, for one of the two pairs; moments of whole orders are compared.")
    claim("section-4.7.claim-3", ALL_THREE, where=[GROWTH, Gt(alpha, 1)],
          printed=r"\text{the series of moments }(D_\alpha)_\alpha\text{, the "
          r"ADP-graph and the PLD contain the same information}", expected="proved",
        note="Under the condition of Lemma 8, rho_lambda < c d^lambda lambda! at every whole "
        "lambda, for one of the two pairs; moments of whole orders are compared.  The graph "
        "and the PLD are lemma-6.")
    claim("theorem-2.adp", Iff(SAME_PROFILE, SAME_LOSS, over=(t, x)), printed=TEX,
          expected="proved", note="The arrow R_ADP, one to one.  " + FULL)
    claim("theorem-2.rdp", Iff(SAME_WHOLE, SAME_LOSS, over=(n, x)), where=BOUNDED, printed=TEX,
          expected="proved", note="The arrow R_RDP, one to one: a finite support is bounded, and "
          "then the growth condition is not needed.")
    claim("theorem-2.item-1", Eq(Pr(Z, "==", sp.oo), 0), where=ac(P, Q),
          expected="proved", note="What the first condition is for: no infinite losses.")
    claim("theorem-2.item-4", Le(E(1 + lam, P, Q), sp.exp(lam * top)),
          where=[Gt(lam, 0), Eq(Pr(Z, ">", top), 0)],
          expected="proved", note="Losses of finite cardinality are bounded by some b: the moments "
          "are at most (e^b)^lambda, and the fourth condition holds of itself.")
    step("theorem-2.step-1", Iff(SAME_PROFILE, SAME_LOSS, over=(t, x)), printed=TEX_ADP,
         expected="proved", note=FULL)
    step("theorem-2.step-2", Iff(SAME_WHOLE, SAME_LOSS, over=(n, x)), where=GROWTH,
         printed=TEX_RDP, expected="proved",
         note="Under the condition at every whole lambda, for one of the two pairs; moments of "
         "whole orders are compared.  |m_lambda| = m_lambda for lambda > 0.")
    step("theorem-2.step-3", Eq(Ex(sp.exp(lam * Z), Z),
                                Omega(sp.exp(lam * LossAt(P, Q)) * P)),
         where=[Gt(lam, 0), Defined(R(lam + 1, P, Q))], expected="proved",
         printed=r"\frac{1}{\lambda}\ln\left(\mathbb{E}_{y\sim\omega}e^{\lambda y}\right)=\frac{1}"
         r"{\lambda}\ln\left(\mathbb{E}_{o\sim M(x_0)}e^{\lambda\ln\frac{\Pr[o\leftarrow M(x_0)]}"
         r"{\Pr[o\leftarrow M(x_1)]}}\right)",
        note="Exponentials of lambda times the two sides, where the divergence of order lambda + 1 "
        "is defined.")
    step("theorem-2.step-4", Eq(Omega(Ratio(P, Q) ** lam * P), E(1 + lam, P, Q)),
         where=[Gt(lam, 0), Defined(E(1 + lam, P, Q))], expected="proved",
         printed=r"\text{leads to }\mathbb{E}_{o\sim M(x_0)}\left[\frac{\Pr[o\leftarrow M(x_0)]}"
         r"{\Pr[o\leftarrow M(x_1)]}\right]^\lambda<cd^\lambda\lambda!",
         fidelity="instance",
         note="Of the line the identity only, the power inside the mean: exp(lambda m_lambda) is "
              "that moment, where it is finite; the bound is then the condition of step-2.")
    step("theorem-2.step-5", ALL_THREE, where=[GROWTH, Gt(alpha, 1)],
         printed=r"\text{As both mappings are bijections, the diagram commutes}",
         expected="proved", note="The graph determines all moments, and those of whole orders "
         "determine the graph.")
