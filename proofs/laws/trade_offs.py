"""Trade-off functions: their ends, symmetric and asymmetric pairs.

Values, convexity, continuity, order: chourasia2024/definition-2.3.claim-1.1 and those after it;
profiles and trade-off functions determine each other: abstract.claim-4.1 and abstract.claim-4.2;
the symmetrised function is a valid bound: section-5.claim-9.repaired.
"""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
eps, t, x, lam = reals("eps t x lambda")
forward, backward = T(P, Q), T(Q, P)
LEVEL = [Ge(x, 0), Le(x, 1)]
SYMMETRY = "Dong, Roth, Su 2022, Section 2: symmetric trade-off functions are their own inverses."

with theorem("laws/trade-offs", "Trade-off functions"):
    claim(
        "trade-offs.end",
        Eq(forward(1), 0),
        kind="law",
        expected="proved",
        printed=r"f_{P|Q}(1)=0",
        note="Rejecting always makes no error of the second kind: Dong, Roth, Su 2022, "
        "Proposition 2.2.",
    )
    claim(
        "trade-offs.nothing-to-see",
        Eq(T(P, P)(x), 1 - x),
        where=LEVEL,
        kind="law",
        expected="proved",
        printed=r"f_{P|P}(x)=1-x",
        note="Perfect privacy: Dong, Roth, Su 2022, Section 2.",
    )
    claim(
        "trade-offs.subsampled",
        Eq(T(Q, lam * P + (1 - lam) * Q)(x), lam * T(Q, P)(x) + (1 - lam) * (1 - x)),
        where=[*LEVEL, Ge(lam, 0), Le(lam, 1)],
        kind="law",
        expected="proved",
        printed=r"f_{Q|\lambda P+(1-\lambda)Q}(x)=\lambda f_{Q|P}(x)+(1-\lambda)(1-x)",
        note="Dong, Roth, Su 2022, Section 4: one direction of subsampling, before it is "
        "symmetrised.",
    )
    claim(
        "trade-offs.symmetric",
        Implies(Eq(delta(P, Q)(t), delta(Q, P)(t)), Eq(forward(x), backward(x)), over=(t,)),
        where=LEVEL,
        kind="law",
        expected="proved",
        printed=r"\delta_{P|Q}=\delta_{Q|P}\implies f_{P|Q}=f_{Q|P}",
        note=SYMMETRY,
    )
    claim(
        "trade-offs.symmetric-profile",
        ImpliesOn(Eq(T(P, Q)(t), T(Q, P)(t)), Eq(delta(P, Q)(eps), delta(Q, P)(eps)), t, 0, 1),
        kind="law",
        expected="proved",
        printed=r"f_{P|Q}=f_{Q|P}\implies\delta_{P|Q}=\delta_{Q|P}",
        note=SYMMETRY,
    )
    claim(
        "trade-offs.always-symmetric",
        Eq(forward(x), backward(x)),
        where=LEVEL,
        kind="law",
        expected="refuted",
        printed=r"f_{P|Q}=f_{Q|P}",
        note="Not a law: Section 5 of Chourasia et al. 2024; Zhu, Dong, Wang 2022, Theorem 11.",
    )
    claim(
        "trade-offs.symmetrised",
        Eq(biconjugate(sp.Min(forward(t), backward(t)), t)(x), forward(x)),
        where=LEVEL,
        kind="law",
        expected="refuted",
        printed=r"\min\{f_{P|Q},f_{Q|P}\}^{**}=f_{P|Q}",
        note="Not a law: the symmetrised function of Dong, Roth, Su 2022, Section 4, is a bound, "
        "not tight for asymmetric pairs (Section 5 of Chourasia et al. 2024).",
    )
