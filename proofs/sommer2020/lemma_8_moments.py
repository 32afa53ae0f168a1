"""The proof of Lemma 8, second part: moments, and a power series of them."""

import sympy as sp

from lapdp.theory import *

y, lam, moment, q, first, top = reals("y lambda m q w u")
c = positives("c")
k, j = naturals("k j")
N = naturals("N", start=1)
rho, M = sequences("rho M")

# the law of a loss which is normal with mean 1/2 and variance 1, up to a constant
DENSITY = sp.exp(-((y - sp.Rational(1, 2)) ** 2) / 2)
OTHER = DENSITY * (1 + sp.sin(2 * sp.pi * y) / 2)
POWER = sp.exp((k - 1) * y)
QUARTER = sp.Rational(1, 4)
PARTIAL = c * q * (1 - q**N) / (1 - q)
RATIO = [Gt(q, 0), Lt(q, 1)]
RADIUS = (
    r"\text{the condition }\rho_\lambda<cd^\lambda\lambda!\text{ is sufficient such that the power "
    r"series }\sum_{\lambda>0}\rho_\lambda\frac{r^\lambda}{\lambda!}\text{ has a positive "
    r"convergence radius}"
)
SERIES = r"\sum_{\lambda}\rho_\lambda\frac{r^\lambda}{\lambda!}"

with theorem("sommer2020/lemma-8-moments", "Proof of Lemma 8: a series of moments",
             fidelity="printed"):
    step(
        "lemma-8.step-8",
        AllOf((
            Eq(Int(POWER * OTHER, y, -sp.oo, sp.oo), Int(POWER * DENSITY, y, -sp.oo, sp.oo)),
            Ne(OTHER.subs(y, QUARTER), DENSITY.subs(y, QUARTER)),
        )),
        printed=r"\text{there are cases where more than one distribution have the same moments "
        r"(Hausdorff moments problem)}",
        expected="proved",
        note="The loss of a Gauss mechanism and another density: the moments of e^y of the "
        "orders -1, 0, 1, 2, ... agree; that of order -1 makes both of them loss distributions.  "
        "Hausdorff's problem is that of a bounded interval, where moments determine; on (0, oo) it "
        "is that of Stieltjes.",
    )
    step(
        "lemma-8.step-9",
        Gt(sp.exp(lam * moment), 0),
        where=Gt(lam, 0),
        printed=r"\rho_\lambda:=\exp(\lambda\cdot m_\lambda)>0",
        expected="proved",
        note="For every finite m_lambda.",
    )
    step(
        "lemma-8.step-10",
        AllOf((
            Le(FiniteSum(rho[j], j, 1, N), FiniteSum(M[j], j, 1, N)),
            Eq(FiniteSum(c * q**j, j, 1, N), PARTIAL),
            Lt(PARTIAL, c * q / (1 - q)),
        )),
        where=[*RATIO, ForAll((j,), Le(rho[j], M[j]))],
        printed=RADIUS,
        expected="proved",
        note="rho_j are the terms rho_lambda r^lambda/lambda!; by the condition they are at most "
        "M_j, the terms c q^j with q = d r, where 0 < r < 1/d.  Every partial sum of them is at "
        "most that of the geometric series, which stays below c q/(1 - q): the series converges "
        "at every such r.",
    )
    step(
        "lemma-8.step-11",
        Gt(first + FiniteSum(rho[j], j, 1, N), 0),
        where=[Gt(first, 0), ForAll((j,), Ge(rho[j], 0))],
        printed=r"0<" + SERIES,
        expected="proved",
        fidelity="instance",
        note="Partial sums of the terms, the first of them w > 0; they increase to the series.",
    )
    step(
        "lemma-8.step-12",
        Lt(first + FiniteSum(rho[j], j, 1, N), top + FiniteSum(M[j], j, 1, N)),
        where=[Lt(first, top), ForAll((j,), Le(rho[j], M[j]))],
        printed=SERIES + r"<\sum_{\lambda}cd^\lambda\lambda!\frac{r^\lambda}{\lambda!}",
        expected="proved",
        note="Partial sums, term by term; the first terms w < u keep the order strict.",
        fidelity="instance",
    )
    step(
        "lemma-8.step-14",
        AllOf((Eq(FiniteSum(c * q**j, j, 1, N), PARTIAL), Lt(PARTIAL, c * q / (1 - q)))),
        where=RATIO,
        printed=r"c\sum_{\lambda}\left(\frac{d}{d'}\right)^\lambda<\infty\text{ as }"
        r"0<\frac{d}{d'}<1",
        expected="proved",
        note="q = d/d'.  Increasing partial sums below c q/(1 - q).",
    )
