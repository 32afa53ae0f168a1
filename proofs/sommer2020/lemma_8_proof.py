"""The proof of Lemma 8: moments of the likelihood ratio."""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
A, B = pair("A", "B")
C, D = pair("C", "D")
Z = PLD(P, Q)
lam, x, u = reals("lambda x u")
n, k = naturals("n k", start=1)
c, d, r, ratio, other = positives("c d r ratio other")
FINITE = [Gt(lam, 0), Defined(E(lam + 1, P, Q))]
RATIO = Ratio(P, Q)
GROWTH = ForAll((k,), Lt(E(k + 1, A, B), c * d**k * sp.factorial(k)))
UNIQUE = Implies(Eq(E(n + 1, A, B), E(n + 1, C, D)), Eq(F(PLD(A, B))(x), F(PLD(C, D))(x)),
                 over=(n,))
INSIDE = "The arguments of the logarithms, where the moment is finite."

with theorem("sommer2020/lemma-8-proof", "Proof of Lemma 8", fidelity="printed"):
    step("lemma-8.step-1", Eq(P(Where(Eq(Q, 0))), 0), where=Eq(Pr(Z, "==", sp.oo), 0),
         expected="proved",
         printed=r"\text{As }\omega(\infty)=0\text{, there is no }o\in\mathcal{U}\text{ where }"
         r"B(o)=0\text{ and }A(o)\neq 0")
    step("lemma-8.step-2", Eq(Ex(sp.exp(lam * Z), Z), Omega(RATIO**lam * P)), where=FINITE,
         printed=r"\frac{1}{\lambda}\ln\left(\mathbb{E}_{y\sim\Omega}e^{\lambda y}\right)="
         r"\frac{1}{\lambda}\ln\left(\mathbb{E}_{o\sim A}\left(\frac{A(o)}{B(o)}\right)^\lambda"
         r"\right)", expected="proved",
         note=INSIDE + "  Omega is printed for omega.")
    definition("lemma-8.step-3", Eq(Omega(RATIO**lam * P), Omega(P * RATIO**lam)), where=FINITE,
         printed=r"=\frac{1}{\lambda}\ln\sum_{o\in\mathcal{U}}A(o)\left(\frac{A(o)}{B(o)}"
         r"\right)^\lambda", expected="proved",
         note="What the expectation is: both sides are one integral.  " + INSIDE)
    step("lemma-8.step-4", Eq(Omega(P * RATIO**lam), Omega(Q * RATIO ** (lam + 1))), where=FINITE,
         printed=r"=\frac{1}{\lambda}\ln\sum_{o\in\mathcal{U}}B(o)\left(\frac{A(o)}{B(o)}"
         r"\right)^{\lambda+1}", expected="proved", note=INSIDE)
    definition("lemma-8.step-5", Eq(Omega(Q * RATIO ** (lam + 1)), Omega(RATIO ** (lam + 1) * Q)),
         where=FINITE, expected="proved",
         note="What the expectation is: both sides are one integral.  " + INSIDE,
         printed=r"=\frac{1}{\lambda}\ln\mathbb{E}_{o\sim B}\left(\frac{A(o)}{B(o)}"
         r"\right)^{\lambda+1}")
    step("lemma-8.step-6", Eq(Omega(Q * RATIO ** (lam + 1)), E(lam + 1, P, Q)), where=FINITE,
         printed=r"=\mathcal{D}_{\lambda+1}(A|B)", expected="proved", note=INSIDE)
    step("lemma-8.step-13", AllOf((Eq(c * d**n * r**n, c * (d * r) ** n),
                                   Lt(c * ratio**n, c * other**n))), where=Lt(ratio, other),
         printed=r"\sum_{\lambda}cd^\lambda\lambda!\frac{r^\lambda}{\lambda!}<c\sum_{\lambda}"
         r"\left(\frac{d}{d'}\right)^\lambda", expected="proved",
         note="Each term of the series, n >= 1: ratio = d r and other = d/d', where r < 1/d'.",
         fidelity="instance")
    step("lemma-8.step-15", UNIQUE, where=GROWTH, expected="proved",
         printed=r"\text{If the power series }\sum_k\alpha_k r^k/k!\text{ has a positive radius of "
         r"convergence, then }\mu\text{ is the only probability measure with the moments }"
         r"(\alpha_i)_{i\in\mathbb{N}}",
         note="For laws of likelihood ratios, the use made of it; the theorem of Billingsley is a "
         "fact of the proof.  Its moments are printed a and alpha_k.", fidelity="instance")
    step("lemma-8.step-16", UNIQUE, where=GROWTH, expected="proved",
         printed=r"\text{there exists a unique probability measure }\mu\text{ for a given series "
         r"of moments }(D_\alpha(A|B))_\alpha",
        note="Under the growth condition of Lemma 8, rho_lambda < c d^lambda lambda! at every "
        "whole lambda, for one of the two pairs; moments of whole orders are compared.")
    step("lemma-8.step-17", Eq(E(lam + 1, P, Q), R(lam + 1, P, Q)), where=FINITE,
         printed=r"\text{As shown above, the moments of the exp-PLD are exactly the Rényi "
         r"divergences}", fault="misprint", expected="refuted",
         repaired_by="sommer2020/lemma-8.step-17.repaired",
         note="To the letter.  The moment of order lambda is e^(lambda D_(lambda+1)), as (4), "
         "which is above, says: up to a logarithm and a factor.")
    repair("lemma-8.step-17.repaired", "lemma-8.step-17",
           Eq(Ex(sp.exp(lam * Z), Z), E(lam + 1, P, Q)), where=FINITE,
           corrected=r"\rho_\lambda=e^{\lambda\mathcal{D}_{\lambda+1}(A|B)}")
    step("lemma-8.step-18", Iff(Eq(sp.exp(u), r), Eq(u, sp.log(r))),
         where=Gt(r, 0), expected="proved",
         note="For real u and r > 0: each value of either is met exactly once.",
         printed=r"\exp:(-\infty,\infty)\rightarrow(0,\infty)\text{ is bijective and the "
         r"logarithm }\ln:(0,\infty)\rightarrow(-\infty,\infty)\text{ is bijective}")
