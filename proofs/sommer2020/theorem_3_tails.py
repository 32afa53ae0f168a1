"""The proof of Theorem 3: the tails of n copies, by Markov's inequality."""

import sympy as sp

from lapdp.theory import *

P1, Q1 = pair("P1", "Q1")
copies = composition("A", "B", each=(P1, Q1))
n = naturals("n", start=1)
A, B = copies(n)
P, Q = pair("P", "Q")
Z = PLD(P, Q)
lam, gamma, eta, b, alpha_n, alpha = reals("lambda gamma eta b alpha_n alpha")
j = naturals("j")
POSITIVE = [Gt(lam, 0)]
ONE = E(1 + lam, P1, Q1)
FINITE = [*POSITIVE, Defined(ONE)]
TEX_SUM = r"\sum_{y\geq\gamma,y\in\mathcal{Y}_n}\omega_n(y)"
TEX_MONOTONE = (
    r"\text{W.l.o.g, we can assume }\mathcal{T}(\gamma)\text{ to be monotone decreasing}"
    r"\ (\forall\eta>0,\mathcal{T}(\gamma)\geq\mathcal{T}(\gamma+\eta))"
)

with theorem("sommer2020/theorem-3-tails", "Proof of Theorem 3: tails", fidelity="printed"):
    step(
        "theorem-3.step-1.1",
        Eq(E(1 + lam, A, B), ONE**n),
        where=FINITE,
        printed=r"\alpha_{A^n,B^n}(\lambda)\leq[...]=n\cdot\alpha_{A,B}(\lambda)",
        expected="proved",
        note="Exponentials of the two sides; every n and every pair with a finite moment of that "
        "order.  The chain says <=; it holds with =.",
    )
    step(
        "theorem-3.step-1.2",
        Le(alpha_n, FiniteSum(alpha, j, 0, n)),
        where=[Eq(alpha_n, n * alpha), Ge(alpha, 0)],
        printed=r"\alpha_{A^n,B^n}(\lambda)\leq\sum_{i=0}^n\alpha_{A,B}(\lambda)",
        expected="proved",
        note="One term too many, harmless in an inequality: alpha_{A,B} >= 0 for lambda > 0.",
    )
    step(
        "theorem-3.step-2",
        Eq(FiniteSum(alpha, j, 0, n), n * alpha),
        where=Ge(alpha, 0),
        printed=r"\sum_{i=0}^n\alpha_{A,B}(\lambda)=n\cdot\alpha_{A,B}(\lambda)",
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/theorem-3.step-2.repaired",
        note="The sum from 0 to n has n + 1 terms.",
    )
    repair(
        "theorem-3.step-2.repaired",
        "theorem-3.step-2",
        Eq(FiniteSum(alpha, j, 1, n), n * alpha),
        corrected=r"\sum_{i=1}^n\alpha_{A,B}(\lambda)=n\cdot\alpha_{A,B}(\lambda)",
    )
    definition(
        "theorem-3.step-3",
        Eq(Omega(Ratio(P, Q) ** lam * P), E(1 + lam, P, Q)),
        where=[*POSITIVE, Defined(E(1 + lam, P, Q))],
        printed=r"\alpha_{A,B}(\lambda)=\ln\mathbb{E}_{o\sim A}e^{\lambda\ln\frac{\Pr[o\leftarrow "
        r"A]}{\Pr[o\leftarrow B]}}\text{ for all }\lambda>0",
        expected="proved",
        note="Exponentials of both sides: the moment of order 1 + lambda, where it is finite.",
    )
    step(
        "theorem-3.step-4",
        Eq(Pr(Z, ">=", gamma), P(Where(Ge(LossAt(P, Q), gamma)))),
        printed=r"\Pr_{y\sim\omega}[y\geq\gamma]=\sum_{y\geq\gamma,y\in\mathcal{Y}_n}\omega(y)",
        expected="proved",
    )
    step(
        "theorem-3.step-5",
        Le(Pr(Z, ">=", gamma), E(1 + lam, P, Q) * sp.exp(-lam * gamma)),
        where=[*POSITIVE, Gt(gamma, 0)],
        printed=r"\text{for all }\gamma>0,\lambda>0,\ \Pr_{y\sim\omega}"
        r"[y\geq\gamma][...]\leq\exp(\alpha_{A,B}(\lambda)-\lambda\gamma)",
        expected="proved",
    )
    step(
        "theorem-3.step-6",
        Le(Pr(Z, ">=", gamma), E(1 + lam, P, Q) * sp.exp(-lam * gamma)),
        where=POSITIVE,
        printed=TEX_SUM + r"\leq\min_{\lambda>0}\exp(\alpha_{A^n,B^n}(\lambda)-\lambda\gamma)",
        expected="proved",
        note="For every pair, so for (A^n, B^n); below the minimum: at every lambda > 0.",
    )
    step(
        "theorem-3.step-7",
        Eq(E(1 + lam, A, B), ONE**n),
        where=FINITE,
        printed=r"\min_{\lambda>0}\exp(\alpha_{A^n,B^n}(\lambda)-\lambda\gamma)\leq\min_{\lambda>0}"
        r"\exp(n\cdot\alpha_{A,B}(\lambda)-\lambda\gamma)",
        expected="proved",
        note="The bodies are even equal at each lambda with a finite moment, so the minima are: "
        "both are a moment times e^(-lambda gamma).",
    )
    step(
        "theorem-3.step-8",
        Eq(ONE, Ex(sp.exp(lam * PLD(P1, Q1)), PLD(P1, Q1))),
        where=FINITE,
        printed=r"=\min_{\lambda>0}\exp\left(n\cdot\ln\mathbb{E}_{o\sim A}\left[e^{\lambda\ln"
        r"\frac{\Pr[o\leftarrow A]}{\Pr[o\leftarrow B]}}\right]-\lambda\gamma\right)",
        expected="proved",
        note="What is put in: the mean that alpha_{A,B} is the logarithm of, where it is "
        "finite.",
    )
    step(
        "theorem-3.step-9",
        Eq(sp.exp(n * sp.log(b) - lam * gamma), b**n / sp.exp(lam * gamma)),
        where=Gt(b, 0),
        printed=r"=\min_{\lambda>0}\frac{\mathbb{E}_{o\sim A}\left[e^{\lambda\ln\frac{\Pr["
        r"o\leftarrow A]}{\Pr[o\leftarrow B]}}\right]^n}{e^{\lambda\gamma}}",
        expected="proved",
        note="At each lambda; b stands for the mean.",
    )
    step(
        "theorem-3.step-10",
        Le(Pr(Z, ">=", gamma), E(1 + lam, P, Q) * sp.exp(-lam * gamma)),
        where=Defined(E(1 + lam, P, Q)),
        printed=r"\min_{\lambda>0}\frac{\mathbb{E}_{o\sim A}\left[e^{\lambda\ln\frac{\Pr["
        r"o\leftarrow A]}{\Pr[o\leftarrow B]}}\right]^n}{e^{\lambda\gamma}}=\mathcal{T}(\gamma)",
        fault="misprint",
        expected="refuted",
        root="theorem-3.item-2",
        repaired_by="sommer2020/theorem-3.step-6",
        fidelity="instance",
        note="The T of the theorem has its minimum over all lambda; with it the chain would bound "
        "the tail at every lambda, negative ones included.",
    )
    step(
        "theorem-3.step-11",
        Ge(b * sp.exp(-lam * gamma), b * sp.exp(-lam * (gamma + eta))),
        where=[*POSITIVE, Gt(eta, 0), Ge(b, 0)],
        printed=TEX_MONOTONE,
        expected="proved",
        note="Nothing is assumed: at each lambda > 0 the bound falls in gamma, so the minimum "
        "does.  (Where T grew, setting T(gamma + eta) = T(gamma) is what the reason given allows; "
        "the printed direction makes a bound larger, not false.)",
    )
