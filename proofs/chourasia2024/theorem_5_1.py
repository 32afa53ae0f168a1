"""Theorem 5.1 in the body and in the appendix: Poisson subsampling; (67), (187)."""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
P_IN, Q_IN = pair("P_IN", "Q_IN")
eps, lam = reals("eps lam")

BODY_MIXED = lam * P_IN + (1 - lam) * Q_IN
MIXED = lam * P + (1 - lam) * Q
INNER = sp.log(1 + (sp.exp(eps) - 1) / lam)
HALF_OPEN = [Gt(lam, 0), Le(lam, 1)]
CLOSED = [Ge(lam, 0), Le(lam, 1)]
OPEN = [Gt(lam, 0), Lt(lam, 1)]


def amplified(P, Q, edge):
    """The two branches of the theorem; ``edge`` is the condition of the first."""
    return sp.Piecewise(
        (lam * delta(P, Q)(INNER), edge), (1 - sp.exp(eps), True), evaluate=False
    )


PRINTED_EDGE = sp.Gt(eps, sp.log(1 - lam), evaluate=False)
SAFE_EDGE = sp.Gt(sp.exp(eps), 1 - lam, evaluate=False)
CASES = (
    r"\begin{cases}\lambda\delta_{%s|%s}(\log(1+(e^{\varepsilon}-1)/\lambda))"
    r"&\text{if }%s\\ 1-e^{\varepsilon}&\text{otherwise}\end{cases}"
)
LOG_EDGE, EXP_EDGE = r"\varepsilon>\log(1-\lambda)", r"e^{\varepsilon}>1-\lambda"
LET_187 = r"\text{Let }0\leq\lambda\leq 1\text{. [...] }"
LET_67 = (
    r"\text{Let }0<\lambda\leq 1\text{. [...] }P=\lambda P_{\mathrm{IN}}+(1-\lambda)"
    r"Q_{\mathrm{IN}}\text{ and }Q=Q_{\mathrm{IN}}\text{, [...] }"
)
NAMES = (r"P_{\mathrm{IN}}", r"Q_{\mathrm{IN}}")
TEXT_67 = (LET_67 + r"\delta_{P|Q}(\varepsilon)="
           + (CASES % (*NAMES, LOG_EDGE + ",")).replace("{otherwise}", "{otherwise}."))

with theorem("chourasia2024/theorem-5.1", "Poisson subsampling on add/remove neighbours",
             fidelity="printed"):
    claim(
        "eq-67",
        Eq(delta(BODY_MIXED, Q_IN)(eps), amplified(P_IN, Q_IN, SAFE_EDGE)),
        where=HALF_OPEN,
        printed=TEXT_67,
        note="Every pair and the whole printed range: the same edge without a logarithm, log 0 "
        "read as -oo.",
        readings=["eq-67", "eq-67.letter"],
    )
    claim(
        "eq-67.letter",
        Eq(delta(BODY_MIXED, Q_IN)(eps), amplified(P_IN, Q_IN, PRINTED_EDGE)),
        where=HALF_OPEN,
        printed=TEXT_67,
        fault="convention",
        expected="refuted",
        note="P and Q are written out by their definition.  At lambda = 1 the condition asks for "
        "log 0.",
        readings=["eq-67", "eq-67.letter"],
    )
    repair(
        "eq-67.repaired-2",
        "eq-67.letter",
        Eq(delta(BODY_MIXED, Q_IN)(eps), amplified(P_IN, Q_IN, PRINTED_EDGE)),
        where=OPEN,
        corrected=r"\delta_{P|Q}(\varepsilon)=" + CASES % (*NAMES, LOG_EDGE)
        + r",\quad 0<\lambda<1",
        note="As printed, for lambda < 1.",
    )
    claim(
        "eq-187",
        Eq(delta(lam * P + (1 - lam), Q)(eps), amplified(P, Q, PRINTED_EDGE)),
        where=CLOSED,
        printed=LET_187 + r"\delta_{\lambda P+(1-\lambda)|Q}(\varepsilon)="
        + CASES % ("P", "Q", LOG_EDGE),
        fault="misprint",
        expected="ill-formed",
        repaired_by="chourasia2024/eq-187.repaired",
        note="The factor Q is missing: 1 - lambda is a number, no multiple of a distribution.",
    )
    claim(
        "eq-187.closed",
        Eq(delta(MIXED, Q)(eps), amplified(P, Q, PRINTED_EDGE)),
        where=CLOSED,
        equations=(187,),
        fidelity="own",
        expected="refuted",
        repaired_by="chourasia2024/eq-187.repaired",
        note="With the missing Q put in, to the letter on the whole range of lambda: at lambda = 0 "
        "the first branch divides by 0, at lambda = 1 its condition asks for log 0.",
    )
    repair(
        "eq-187.repaired",
        "eq-187",
        Eq(delta(MIXED, Q)(eps), amplified(P, Q, SAFE_EDGE)),
        where=HALF_OPEN,
        corrected=r"\delta_{\lambda P+(1-\lambda)Q|Q}(\varepsilon)=" + CASES % ("P", "Q", EXP_EDGE)
        + r",\quad 0<\lambda\leq 1",
        note="Every pair and every lambda > 0.",
    )
    repair(
        "eq-187.repaired-2",
        "eq-187",
        Eq(
            delta(MIXED, Q)(eps),
            sp.Piecewise((sp.Max(0, 1 - sp.exp(eps)), sp.Eq(lam, 0, evaluate=False)),
                         (amplified(P, Q, SAFE_EDGE), True), evaluate=False),
        ),
        where=CLOSED,
        corrected=r"\delta_{\lambda P+(1-\lambda)Q|Q}(\varepsilon)=[1-e^{\varepsilon}]_{+}"
        r"\text{ if }\lambda=0,\text{ else }" + CASES % ("P", "Q", EXP_EDGE),
        note="The whole printed range: at lambda = 0 both distributions are Q.",
    )
