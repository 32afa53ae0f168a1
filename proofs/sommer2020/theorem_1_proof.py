"""The proof of Theorem 1, the sums."""

import sympy as sp

from lapdp.theory import *

A, B = pair("A", "B")
A2, B2 = pair("A'", "B'")
A_c, B_c = product_pair((A, B), (A2, B2), names=("A_c", "B_c"))
Z, Z2, Zc = PLD(A, B), PLD(A2, B2), PLD(A_c, B_c)
y, y1, y2, t = reals("y_c y y' t")


def loss(p, q):
    """Definition 1."""
    return sp.Piecewise(
        (sp.oo, sp.And(Ne(p, 0), Eq(q, 0))),
        (sp.log(p / q), sp.And(Ne(p, 0), Ne(q, 0))),
        (-sp.oo, True),
        evaluate=False,
    )


L_1, L_2, L_C = loss(A, B), loss(A2, B2), loss(A_c, B_c)
POSITIVE = sp.And(Ne(A, 0), Ne(B, 0), Ne(A2, 0), Ne(B2, 0))
W, W2 = Pr(Z, "==", sp.oo), Pr(Z2, "==", sp.oo)
CONVOLVED = Impulse(conv(f(Z)(t), f(Z2)(t), t), t, y)
ADDED = Omega(A * A2, Where(sp.And(POSITIVE, Eq(LossAt(A, B) + LossAt(A2, B2), y))))
INFINITE = Where(Eq(B * B2, 0))


def on_plus(e):
    """A function on U_+^2: 0 elsewhere, so that only its values there count."""
    return sp.Piecewise((e, POSITIVE), (0, True), evaluate=False)


NULL, NULL2 = Eq(B, 0), Eq(B2, 0)
PARTS = [
    A_c(Where(sp.And(sp.Not(NULL), NULL2))),
    A_c(Where(sp.And(NULL, sp.Not(NULL2)))),
    A_c(Where(sp.And(NULL, NULL2))),
]
# is there an o' with (o, o') in U_oo^2, for an o with two positive probabilities?
SOME = sp.Piecewise(
    (1, sp.Or(Gt(W2, 0), Gt(Pr(PLD(B2, A2), "==", sp.oo), 0))), (0, True), evaluate=False
)

TERM = r"\Pr[o\leftarrow M(x_0)]\cdot\Pr[o'\leftarrow M'(x'_0)]"
CHAIN = {
    6: (sp.log(A_c / B_c), r"\ln\left(\frac{\Pr[(o,o')\leftarrow(M(x_0),M'(x'_0))]}"
        r"{\Pr[(o,o')\leftarrow(M(x_1),M'(x'_1))]}\right)"),
    7: (sp.log(A * A2 / (B * B2)), r"\ln\left(\frac{\Pr[o\leftarrow M(x_0)]"
        r"\Pr[o'\leftarrow M'(x'_0)]}{\Pr[o\leftarrow M(x_1)]\Pr[o'\leftarrow M'(x'_1)]}\right)"),
    8: (sp.log(A / B) + sp.log(A2 / B2), r"\ln\left(\frac{\Pr[o\leftarrow M(x_0)]}"
        r"{\Pr[o\leftarrow M(x_1)]}\right)+\ln\left(\frac{\Pr[o'\leftarrow M'(x'_0)]}"
        r"{\Pr[o'\leftarrow M'(x'_1)]}\right)"),
    9: (L_1 + L_2, r"\mathcal{L}_{M(x_0)/M(x_1)}(o)+\mathcal{L}_{M'(x'_0)/M'(x'_1)}(o')"),
}
SUMS = {
    24: (Pr(Zc, "==", sp.oo), r"\omega_c(\infty)"),
    25: (A_c(Where(Eq(B_c, 0))), r"\sum_{\{(o,o')\mid\Pr[(o,o')\leftarrow(M(x_1),M'(x'_1))]=0\}}"
         r"\Pr[(o,o')\leftarrow(M(x_0),M'(x'_0))]"),
    26: (Omega(A * A2, INFINITE), r"\sum_{\{(o,o')\mid\Pr[o\leftarrow M(x_1)]\cdot"
         r"\Pr[o'\leftarrow M'(x'_1)]=0\}}" + TERM),
    27: (sum(PARTS), r"\sum_{(o,o')\in(\mathcal{U}_+\times\mathcal{U}'_\infty)}" + TERM
         + r"+\sum_{(o,o')\in(\mathcal{U}_\infty\times\mathcal{U}'_+)}" + TERM
         + r"+\sum_{(o,o')\in(\mathcal{U}_\infty\times\mathcal{U}'_\infty)}" + TERM),
    28: ((1 - W) * W2 + W * (1 - W2) + W * W2, r"[1-\omega(\infty)]\omega'(\infty)"
         r"+\omega(\infty)[1-\omega'(\infty)]+\omega(\infty)\omega'(\infty)"),
    29: (1 - (1 - W) * (1 - W2), r"1-[1-\omega(\infty)][1-\omega'(\infty)]"),
}
WHY = {
    24: "",
    25: "By its definition.",
    26: "The product of two pairs; the sums run over the product of their spaces.",
    27: "The sets by their conditions on M(x_1) and M'(x'_1); that some partner must lie in "
        "U_oo^2 changes none of the three sums.",
    28: "Each sum factors.",
    29: "",
}
FACTOR = (
    r"\sum_{\{(y,y')\mid y+y'=y_c\}}\sum_{\{o\mid\mathcal{L}(o)=y\}}\Pr[o\leftarrow M(x_0)]"
    r"\cdot\left(\sum_{\{o'\mid\mathcal{L}'(o')=y'\}}\Pr[o'\leftarrow M'(x'_0)]\right)"
)
SECOND_SUM = r"\sum_{\{(o,o')\mid\mathcal{L}(o)+\mathcal{L}'(o')=y_c\}}" + TERM
PROJECTED = (
    "As printed an o is in U_+ only if some (o, o') lies in U_oo^2.  Where no probability of M' is "
    "0 there is none for an o with two positive probabilities, and U_+ has no probability under "
    "M(x_0)."
)
MENDED = r",\quad\mathcal{U}_+=\{o\mid\Pr[o\leftarrow M(x_1)]\neq 0\}"

with theorem("sommer2020/theorem-1.proof", "Proof of Theorem 1", fidelity="printed"):
    before, text = L_C, r"\mathcal{L}_{(M(x_0),M'(x'_0))/(M(x_1),M'(x'_1))}(o,o')"
    for number, (line, tex) in CHAIN.items():
        step(
            f"theorem-1.step-{number}",
            Eq(on_plus(before), on_plus(line)),
            printed=r"\forall(o,o')\in\mathcal{U}_+^2\ " + f"{text}={tex}",
            note="On U_+^2.",
        )
        before, text = line, "[...]=" + tex
    step(
        "theorem-1.step-10",
        Eq(
            Indicator(sp.And(Gt(L_C, -sp.oo), Lt(L_C, sp.oo))),
            Indicator(
                sp.And(Gt(L_1, -sp.oo), Lt(L_1, sp.oo), Gt(L_2, -sp.oo), Lt(L_2, sp.oo))
            ),
        ),
        printed=r"\mathcal{Y}_+=\{y_c\mid y_c=y+y'\ y\in\mathcal{Y},y'\in\mathcal{Y}',"
        r"y,y'\neq-\infty,\infty\}",
        note="Of the definition only what it is for: these are the finite losses of the product.",
        fidelity="instance",
    )
    step(
        "theorem-1.step-13",
        Eq(Pr(Zc, "==", y), A_c(Where(Eq(L_C, y)))),
        printed=r"\omega_c(y_c)=\sum_{\{(o,o')\mid\mathcal{L}_c(o,o')=y_c\}}"
        r"\Pr[(o,o')\leftarrow(M(x_0),M'(x'_0))]",
    )
    step(
        "theorem-1.step-14",
        Eq(A_c(Where(Eq(L_C, y))), ADDED),
        printed=r"\sum_{\{(o,o')\mid\mathcal{L}_c(o,o')=y_c\}}"
        r"\Pr[(o,o')\leftarrow(M(x_0),M'(x'_0))]=" + SECOND_SUM,
        note="For finite y_c both losses are finite, by the rules of addition.",
    )
    step(
        "theorem-1.step-15",
        Eq(ADDED, CONVOLVED),
        printed=SECOND_SUM + "=" + FACTOR,
        note="The inner sums are omega(y) and omega'(y'): the impulse at y_c of the convolution.",
    )
    step(
        "theorem-1.step-16",
        Eq(
            A(Where(Eq(L_1, y1))) * A2(Where(Eq(L_2, y2))),
            Pr(Z, "==", y1) * Pr(Z2, "==", y2),
        ),
        printed=FACTOR + r"=\sum_{\{(y,y')\mid y+y'=y_c\}}\omega(y)\cdot\omega'(y')",
        note="Term by term.",
    )
    step(
        "theorem-1.step-17",
        Eq(Pr(Zc, "<", sp.oo), Pr(Z, "<", sp.oo) * Pr(Z2, "<", sp.oo)),
        printed=r"\text{the sums considered converge absolutely; thus, the sum-product is a "
        r"Cauchy product}",
        note="The total of all terms, over all finite y and y', is the product of the two totals.",
    )
    step(
        "theorem-1.step-20",
        Eq(A_c(Where(Eq(L_C, -sp.oo))), 0),
        printed=r"\omega(-\infty)\text{: It is always zero as for any corresponding events of }"
        r"M(x_0)\text{ have occurrence probability 0 as in Lemma 1}",
    )
    INNER = A(Where(sp.And(Ne(A, 0), Ne(B, 0))))
    CONTAIN = (
        r"\text{By construction, the sets }\mathcal{U}_+\text{ and }\mathcal{U}'_+\text{ contain "
        r"all events }o,o'\text{ for which the corresponding }\Pr[o\leftarrow M(x_i)]\neq "
        r"0\text{ and }"
        r"\Pr[o'\leftarrow M'(x'_i)]\neq 0\text{ for }i\in\{0,1\}"
    )
    step(
        "theorem-1.step-21",
        Eq(INNER * SOME, INNER),
        printed=CONTAIN,
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/theorem-1.step-21.repaired",
        note=PROJECTED + "  Probabilities of the set and of what it is to contain, for a U' "
        "without outcomes that never occur.",
    )
    repair(
        "theorem-1.step-21.repaired",
        "theorem-1.step-21",
        Le(Indicator(sp.And(Ne(A, 0), Ne(B, 0))), Indicator(Ne(B, 0))),
        kind="step",
        corrected=CONTAIN + MENDED,
        note="With U_+ without the condition on partners.",
    )
    TOTAL = (
        r"\sum_{o\in\mathcal{U}_+}\Pr[o\leftarrow M(x_0)]=1-\omega(\infty)"
    )
    step(
        "theorem-1.step-22",
        Eq(A(Where(Ne(B, 0))) * SOME, 1 - W),
        printed=TOTAL,
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/theorem-1.step-22.repaired",
        note=PROJECTED + "  For a U' without outcomes that never occur.",
        root="theorem-1.step-21",
    )
    repair(
        "theorem-1.step-22.repaired",
        "theorem-1.step-22",
        Eq(A(Where(Ne(B, 0))), 1 - W),
        kind="step",
        corrected=TOTAL + MENDED,
        note="With U_+ without the condition on partners.",
    )
    for number in (25, 26, 27, 28, 29):
        (before, text), (line, tex) = SUMS[number - 1], SUMS[number]
        (definition if number == 25 else step)(
            f"theorem-1.step-{number}", Eq(before, line), printed=f"{text}={tex}", note=WHY[number])
    DEFINE = (
        r"\text{it is valid to define }\mathcal{Y}_c=\mathcal{Y}_+\cup\{-\infty,\infty\}"
    )
    step(
        "theorem-1.step-34",
        Eq(A_c(Where(POSITIVE)) + Pr(Zc, "==", sp.oo), 1),
        printed=DEFINE,
        note="Losses in Y_+ and the loss oo have all the mass.",
        readings=["theorem-1.step-34", "theorem-1.step-34.reading-2"],
    )
    step(
        "theorem-1.step-34.reading-2",
        Gt(Pr(Zc, "==", sp.oo), 0),
        printed=DEFINE,
        expected="refuted",
        note="As an equality of sets it puts oo into every Y_c, where Definition 2 adds -oo only: "
        "oo is in Y_c where it is in Y or Y', see theorem-1.claim-1.2.",
        readings=["theorem-1.step-34", "theorem-1.step-34.reading-2"],
    )
    step(
        "theorem-1.step-35",
        Eq(A_c(Where(sp.And(Ne(B, 0), Ne(B2, 0), sp.Or(Eq(A, 0), Eq(A2, 0))))), 0),
        printed=r"\text{we neglect the set }\mathcal{U}_\perp^2\text{ and }\mathcal{U}_0^2"
        r"\text{ as they do not contribute to the privacy loss distribution}",
        note="Of U_perp, with the brackets that are meant in it; U_0 is theorem-1.step-31.",
    )
