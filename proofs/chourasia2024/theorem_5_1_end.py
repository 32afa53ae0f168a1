"""The last lines of the printed proof of Theorem 5.1; (199) and the unnumbered line after it."""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
eps, lam = reals("eps lam")
Z, Zp = PLD(P, Q), PLD(Q, P)
CLOSED = [Ge(lam, 0), Le(lam, 1)]
HALF_OPEN = [Gt(lam, 0), Le(lam, 1)]
OPEN = [Gt(lam, 0), Lt(lam, 1)]

E_EPS = sp.exp(eps)
INNER = sp.log(1 + (sp.exp(eps) - 1) / lam)
LOG_EDGE = sp.Gt(eps, sp.log(1 - lam), evaluate=False)
EXP_EDGE = sp.Gt(sp.exp(eps), 1 - lam, evaluate=False)


def cases(first, otherwise, edge):
    """The two branches of the last lines; ``edge`` is the condition of the first."""
    return sp.Piecewise((first, edge), (otherwise, True), evaluate=False)


LINE_198 = lam * Ex(sp.Max(0, sp.exp(-Zp) - (E_EPS + lam - 1) / lam), Zp)
UPPER = lam * Ex(sp.Max(0, sp.exp(-Zp) - sp.exp(INNER)), Zp)
LOWER = lam * Ex(sp.exp(-Zp), Zp) + 1 - lam - E_EPS
LAST = lam * delta(P, Q)(INNER)

LINE_199 = (
    r"\begin{cases}\lambda\mathbb{E}\left[e^{-Z^{\prime}}-e^{\log(1+(e^{\varepsilon}-1)/\lambda)}"
    r"\right]_{+}&\text{if }%s\\ \lambda\mathbb{E}\left[e^{-Z^{\prime}}\right]+1-\lambda"
    r"-e^{\varepsilon}&\text{otherwise}\end{cases}"
)
LAST_LINE = (
    r"\begin{cases}\lambda\delta_{P|Q}(\log(1+(e^{\varepsilon}-1)/\lambda))&\text{if }%s\\ "
    r"1-e^{\varepsilon}&\text{otherwise}\end{cases}"
)
LOG, EXP = r"\varepsilon>\log(1-\lambda)", r"e^{\varepsilon}>1-\lambda"

with theorem("chourasia2024/theorem-5.1", "Poisson subsampling: the proof", fidelity="printed"):
    step(
        "eq-199",
        Eq(LINE_198, cases(UPPER, LOWER, EXP_EDGE)),
        where=HALF_OPEN,
        printed="=" + LINE_199 % LOG,
        note="Every pair; lambda > 0, as in Theorem 5.1 of Section 5, log 0 = -oo.",
        readings=["eq-199", "eq-199.letter"],
    )
    step(
        "eq-199.letter",
        Eq(LINE_198, cases(UPPER, LOWER, LOG_EDGE)),
        where=CLOSED,
        printed="=" + LINE_199 % LOG,
        fault="convention",
        expected="refuted",
        note="Compared with the line before it.  It divides by 0 at lambda = 0 and asks for log 0 "
        "at lambda = 1.",
        readings=["eq-199", "eq-199.letter"],
    )
    repair(
        "eq-199.repaired-2",
        "eq-199.letter",
        Eq(LINE_198, cases(UPPER, LOWER, LOG_EDGE)),
        where=OPEN,
        kind="step",
        corrected="=" + LINE_199 % LOG + r",\quad 0<\lambda<1",
        note="As printed, every pair, 0 < lambda < 1.",
    )
    step(
        "theorem-5.1.step-1",
        Eq(cases(UPPER, LOWER, LOG_EDGE), cases(LAST, 1 - E_EPS, LOG_EDGE)),
        where=CLOSED,
        printed="=" + LAST_LINE % LOG,
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="chourasia2024/theorem-5.1.step-1.repaired",
        hints={"witness": {"lam": sp.Rational(1, 2)}},
        note="Compared with (199).  Both branches lose what P has where Q = 0.",
        root="eq-23",
    )
    repair(
        "theorem-5.1.step-1.repaired",
        "theorem-5.1.step-1",
        Eq(
            cases(UPPER, LOWER, EXP_EDGE) + lam * Pr(Z, "==", sp.oo),
            cases(LAST, 1 - E_EPS, EXP_EDGE),
        ),
        where=HALF_OPEN,
        kind="step",
        corrected=LINE_199 % EXP + r"+\lambda\Pr[Z=\infty]=" + LAST_LINE % EXP
        + r",\quad 0<\lambda\leq 1",
        note="Every pair: the mass at infinity is added.",
    )
    repair(
        "theorem-5.1.step-1.repaired-2",
        "theorem-5.1.step-1",
        Eq(cases(UPPER, LOWER, LOG_EDGE), cases(LAST, 1 - E_EPS, LOG_EDGE)),
        where=[*OPEN, ac(P, Q)],
        kind="step",
        corrected="=" + LAST_LINE % LOG + r",\quad 0<\lambda<1,\ P\ll Q",
        note="As printed, for P << Q and 0 < lambda < 1.",
    )
    step(
        "theorem-5.1.step-2",
        Eq(Ex(sp.exp(-Zp), Zp), 1),
        printed=r"\because\mathbb{E}\left[e^{-Z^{\prime}}\right]=1",
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="chourasia2024/theorem-5.1.step-2.repaired",
        note="The expectation is P(Q > 0).",
        root="eq-23",
    )
    repair(
        "theorem-5.1.step-2.repaired",
        "theorem-5.1.step-2",
        Eq(Ex(sp.exp(-Zp), Zp), 1 - Pr(Z, "==", sp.oo)),
        kind="step",
        corrected=r"\mathbb{E}\left[e^{-Z^{\prime}}\right]=1-\Pr[Z=\infty]",
        note="Every pair: it is 1 exactly where P << Q.",
    )
    repair(
        "theorem-5.1.step-2.repaired-2",
        "theorem-5.1.step-2",
        Eq(Ex(sp.exp(-Zp), Zp), 1),
        where=[ac(P, Q)],
        kind="step",
        corrected=r"\mathbb{E}\left[e^{-Z^{\prime}}\right]=1,\quad P\ll Q",
        note="As printed, for P << Q.",
    )
