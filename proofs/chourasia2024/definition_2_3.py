"""Definition 2.3 and Remark 2.3: f-differential privacy, the trade-off function, (10)-(12)."""

from lapdp.theory import *

P, Q = pair("P", "Q")
alpha, beta, x, y, w, bound = reals("alpha beta x y w bound")
phi = decisions("phi")
f = T(P, Q)

ERRORS = (
    "alpha_phi = E_P[phi] and beta_phi = 1 - E_Q[phi]; phi runs over all measurable functions "
    "with values in [0, 1]."
)
OWN = (
    "Demanded of f; claimed here for f_{P|Q} itself, for every pair, so that (10) can hold with "
    "equality."
)


def unit(*levels):
    """Levels lie in [0, 1]."""
    return [r for a in levels for r in (Ge(a, 0), Le(a, 1))]


with theorem("chourasia2024/definition-2.3", "f-Differential Privacy", fidelity="printed"):
    definition(
        "definition-2.3.claim-1.1",
        Ge(f(x), 0),
        where=unit(x),
        printed=r"\text{the }f_{P|Q}:[0,1]\rightarrow[0,1]\text{ is the trade-off function}",
    )
    definition(
        "definition-2.3.claim-1.2",
        Le(f(x), 1),
        where=unit(x),
        printed=r"\text{the }f_{P|Q}:[0,1]\rightarrow[0,1]\text{ is the trade-off function}",
    )
    definition(
        "definition-2.3.claim-1.3",
        Le(f(w * x + (1 - w) * y), w * f(x) + (1 - w) * f(y)),
        where=unit(w, x, y),
        printed=r"f\text{ [...] a convex, continuous, non-increasing function}",
        note=OWN,
        fidelity="instance",
    )
    definition(
        "definition-2.3.claim-1.4",
        ContinuousOn(f(x), x, 0, 1),
        printed=r"f\text{ [...] a convex, continuous, non-increasing function}",
        note=OWN + "  At the level 0 too, where P may vanish on a set that Q charges.",
        fidelity="instance",
    )
    definition(
        "definition-2.3.claim-1.5",
        Ge(f(x), f(y)),
        where=[*unit(x, y), Le(x, y)],
        printed=r"f\text{ [...] a convex, continuous, non-increasing function}",
        note=OWN,
        fidelity="instance",
    )
    definition(
        "definition-2.3.claim-1.6",
        Le(f(x), 1 - x),
        where=unit(x),
        printed=r"f(x)\leq 1-x\text{ for all }x\in[0,1]",
        note=OWN,
        fidelity="instance",
    )
    definition(
        "eq-10",
        Defined(f(alpha)),
        where=unit(alpha),
        printed=r"\forall\alpha\in[0,1]:"
        r"f_{\mathcal{M}(D)|\mathcal{M}(D^{\prime})}(\alpha)\geq f(\alpha)",
        fidelity="instance",
        note="Of the definition only what it supposes: the left side has a finite value at every "
        "level.",
    )
    claim(
        "eq-10.claim-1",
        Le(bound, 1 - alpha),
        where=[*unit(alpha), Ge(f(alpha), bound)],
        equations=(10,),
        note="The demand f(x) <= 1 - x loses nothing: (10) implies it, at each level by itself.",
        fidelity="own",
    )
    definition(
        "eq-11",
        Eq(f(alpha), Inf(1 - mean(Q, phi), phi, Le(mean(P, phi), alpha))),
        where=unit(alpha),
        printed=r"\forall\alpha\in[0,1]:f_{P|Q}(\alpha):="
        r"\inf_{\phi:\Omega\rightarrow[0,1]}\{\beta_{\phi}:\alpha_{\phi}\leq\alpha\}",
        note=ERRORS,
    )

    definition(
        "definition-2.3.claim-2",
        AllOf((*unit(mean(P, phi)), *unit(1 - mean(Q, phi)))),
        printed=r"\alpha_{\phi}:=\underset{P}{\mathbb{E}}\left[\phi\right],\quad\text{and}"
        r"\quad\beta_{\phi}:=1-\underset{Q}{\mathbb{E}}\left[\phi\right]",
        fidelity="instance",
        note="Of the definitions only what they suppose: both errors of every test lie in [0, 1], "
        "where f_{P|Q} is defined.",
    )

with theorem("chourasia2024/remark-2.3", "Reversal of the trade-off function",
             fidelity="printed"):
    definition(
        "eq-12.1",
        Eq(left_inverse(f(alpha), alpha)(beta), set_of(alpha, Le(f(alpha), beta))),
        where=unit(beta),
        printed=r"f_{P|Q}^{-1}(\beta):=\{\inf\alpha\in[0,1]:f_{P|Q}(\alpha)\leq\beta\}",
        fault="misprint",
        expected="ill-formed",
        repaired_by="chourasia2024/eq-12.1.repaired",
        note="The brace opens before the infimum: what is printed is a set, not a number.",
    )
    repair(
        "eq-12.1.repaired",
        "eq-12.1",
        Defined(left_inverse(f(alpha), alpha)(beta)),
        where=unit(beta),
        kind="definition",
        corrected=r"f_{P|Q}^{-1}(\beta):=\inf\{\alpha\in[0,1]:f_{P|Q}(\alpha)\leq\beta\}",
        note="The infimum of the set: it has a value, since f_{P|Q}(1) = 0.",
    )
    claim(
        "eq-12.2",
        Eq(
            set_of(alpha, Le(f(alpha), beta)),
            Inf(mean(P, phi), phi, Le(1 - mean(Q, phi), beta)),
        ),
        where=unit(beta),
        printed=r"\{\inf\alpha\in[0,1]:f_{P|Q}(\alpha)\leq\beta\}"
        r"=\inf_{\phi:\Omega\rightarrow[0,1]}\{\alpha_{\phi}:\beta_{\phi}\leq\beta\}",
        fault="misprint",
        expected="ill-formed",
        repaired_by="chourasia2024/eq-12.2.repaired",
        note="A set on the left, a number on the right.",
        root="eq-12.1",
    )
    repair(
        "eq-12.2.repaired",
        "eq-12.2",
        Eq(
            left_inverse(f(alpha), alpha)(beta),
            Inf(mean(P, phi), phi, Le(1 - mean(Q, phi), beta)),
        ),
        where=unit(beta),
        corrected=r"\inf\{\alpha\in[0,1]:f_{P|Q}(\alpha)\leq\beta\}"
        r"=\inf_{\phi:\Omega\rightarrow[0,1]}\{\alpha_{\phi}:\beta_{\phi}\leq\beta\}",
        note="The brace in its place.",
    )
    claim(
        "eq-12.3",
        Eq(Inf(mean(P, phi), phi, Le(1 - mean(Q, phi), beta)), T(Q, P)(beta)),
        where=unit(beta),
        printed=r"\inf_{\phi:\Omega\rightarrow[0,1]}\{\alpha_{\phi}:\beta_{\phi}\leq\beta\}"
        r"=f_{Q|P}(\beta)",
        note=ERRORS,
    )
    claim(
        "remark-2.3.claim-2.1",
        Eq(left_inverse(f(alpha), alpha)(beta), T(Q, P)(beta)),
        where=unit(beta),
        equations=(12,),
        printed=r"f_{P|Q}^{-1}(\beta)\text{ gives the trade-off curve with }P\text{ and }Q"
        r"\text{ reversed}",
        note="For every pair, with f^-1 the infimum that (12) means.",
    )
    claim(
        "remark-2.3.claim-2.2",
        ContinuousOn(T(Q, P)(beta), beta, 0, 1),
        equations=(12,),
        printed=r"\text{the left-continuous inverse of the trade-off function }f_{P|Q}^{-1}(\beta)",
        note="f^-1 is f_{Q|P} (remark-2.3.claim-2.1), so continuous from both sides.",
    )
