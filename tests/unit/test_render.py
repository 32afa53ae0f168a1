"""Rendering: every form of the language, in LaTeX and in plain text."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp import gaussian
from lapdp.calculus.sequences import FiniteSum
from lapdp.core.errors import IllFormed
from lapdp.theory import (
    PLD,
    AbsolutelyContinuous,
    B,
    BigO,
    Continuous,
    Converges,
    D,
    Defined,
    Diverges,
    Eq,
    Ex,
    Exists,
    ForAll,
    Ge,
    Implies,
    Indicator,
    L,
    Le,
    Lim,
    NoAtom,
    Omega,
    OneWayContinuous,
    Pr,
    Statement,
    composition,
    conv,
    delta,
    functions,
    mechanism_pair,
    naturals,
    outcome,
    pair,
    positives,
    product_pair,
    reals,
    sequences,
)
from lapdp.theory.render import latex, latex_of, latex_of_form, text, text_of, text_of_form

P, Q = pair("P", "Q")
eps, t, s = reals("eps t s")
g = functions("g")

FORMS = [
    (Eq(eps, 1), r"\varepsilon = 1", "eps == 1"),
    (Ge(t, eps), r"t \geq \varepsilon", "t >= eps"),
    (Converges(B(g(t), t, s)), r"\mathcal{B}\left\{g{\left(t \right)}\right\}\left(s\right)"
     r" \text{ converges}", "B(g(t), t, s) converges"),
    (Diverges(L(g(t), t, s)), r"\mathcal{L}\left\{g{\left(t \right)}\right\}\left(s\right)"
     r" \text{ diverges}", "L(g(t), t, s) diverges"),
    (Defined(sp.log(t)), r"\log{\left(t \right)} \text{ is defined}", "log(t) is defined"),
    (Continuous(t * eps, t), r"t \mapsto \varepsilon t \text{ is continuous}",
     "eps*t is continuous in t"),
    (AbsolutelyContinuous(P, Q), r"P \ll Q", "P << Q"),
    (OneWayContinuous(P, Q), r"P \ll Q \text{ or } Q \ll P", "P << Q or Q << P"),
    (NoAtom(PLD(P, Q), eps), r"\Pr\left[Z_{P\|Q} = \varepsilon\right] = 0",
     "PLD(P, Q) has no atom at eps"),
    (BigO(t, sp.exp(t), t), r"t = O\left(e^{t}\right) \text{ as } t \to \infty",
     "t = O(exp(t)) as t -> oo"),
    (Exists(s, Eq(s, t), where=(s > 0,)), r"\exists\, s \text{ with } s > 0:\; s = t",
     "there is s with s > 0: s == t"),
    (Exists(s, Eq(s, t)), r"\exists\, s:\; s = t", "there is s: s == t"),
    (Implies(Le(t, 1), Le(t, 2), over=(t,)),
     r"\left(t \leq 1 \text{ for all } t\right) \implies t \leq 2",
     "(t <= 1 for all t) implies t <= 2"),
    (Implies(Le(t, 1), Le(t, 2)), r"t \leq 1 \implies t \leq 2", "t <= 1 implies t <= 2"),
]


@pytest.mark.parametrize(("form", "as_latex", "as_text"), FORMS)
def test_every_form(form: object, as_latex: str, as_text: str) -> None:
    assert latex_of_form(form) == as_latex
    assert text_of_form(form) == as_text


def test_what_is_no_form_is_refused() -> None:
    with pytest.raises(IllFormed):
        latex_of_form(sp.Symbol("x"))


@pytest.mark.parametrize(
    ("name", "printed"),
    [("eps", r"\varepsilon"), ("eps_1", r"\varepsilon_{1}"), ("eps2", r"\varepsilon_{2}"),
     ("lam", r"\lambda"), ("delta", r"\delta"), ("tau", r"\tau"), ("gamma", r"\gamma"),
     ("kappa", r"\kappa"), ("sigma", r"\sigma"), ("omega", r"\omega"), ("x", "x")],
)
def test_greek_names(name: str, printed: str) -> None:
    assert latex(sp.Symbol(name)) == printed


def test_real_parts_of_complex_orders() -> None:
    q = sp.Symbol("q", complex=True)
    assert latex(sp.re(q)) == r"\Re\left(q\right)"
    assert latex(sp.im(q) ** 2) == r"\Im^{2}\left(q\right)"


def test_plain_text_uses_the_words_of_the_language() -> None:
    Z = PLD(P, Q)
    assert text(Lim(g(t), t, 0, "+")) == "Lim(g(t), t, 0, '+')"
    assert text(Lim(g(t), t, sp.oo)) == "Lim(g(t), t, oo)"
    assert text(D(g(t), t)) == "D(g(t), t)" and text(D(g(t), t, 2)) == "D(g(t), t, 2)"
    assert text(conv(g(t), g(t), t, lower=0)) == "conv(g(t), g(t), t, 0)"
    assert text(Pr(Z, ">=", eps)) == "Pr(PLD(P, Q), '>=', eps)"
    assert text(Ex(sp.exp(Z), Z)) == "Ex(exp(PLD(P, Q)), PLD(P, Q))"
    assert text(Omega(P)) == "Omega(P)"
    assert text(Indicator(t > 0)) == "Indicator(t > 0)"


def test_statements_say_what_they_are_claimed_for() -> None:
    k = sp.Symbol("k", integer=True, positive=True)
    q = sp.Symbol("q", complex=True)
    made = Statement("a/eq-1", Le(delta(P, Q)(eps), g(q) * k), where=(AbsolutelyContinuous(P, Q),))
    assert text_of(made) == (
        "delta(P, Q)(eps) <= k*g(q) for all pairs (P, Q), eps in R, k in {1, 2, ...}, q in C, "
        "functions g with P << Q"
    )
    assert latex_of(made).endswith(r"\text{functions } g \text{ with } P \ll Q")
    assert made.encoded == latex_of(made)


def test_products_and_mechanisms_are_named() -> None:
    x = positives("x")
    one, two = product_pair(pair("P1", "Q1"), pair("P2", "Q2"))
    product = Statement("a/eq-1", Le(delta(one, two)(x), 1))
    assert "products (P, Q) of pairs (P1, Q1), (P2, Q2), x > 0" in text_of(product)
    concrete = Statement("a/eq-2", Le(delta(*mechanism_pair("rr_of(x)"))(x), 1))
    assert "the pair (P, Q) of rr_of(x)" in text_of(concrete)
    assert r"\text{ of rr\_of(x)}" in latex_of(concrete)


def test_letters_bound_inside_say_their_domain_unless_they_are_real():
    w, k = positives("w"), sp.Symbol("k", integer=True, nonnegative=True)
    form = ForAll((w, t, k), Ge(w * k, t))
    assert text_of_form(form) == "(k*w >= t for all w > 0, t, k in {0, 1, 2, ...})"
    assert latex_of_form(form) == (
        r"\forall\, w > 0, t, k \in \{0, 1, 2, \ldots\}:\; k w \geq t")
    assert text_of_form(Exists(w, Eq(w, t))) == "there is w > 0: w == t"
    # neither an outcome nor a density is a number
    assert text_of_form(ForAll((outcome("x"),), Ge(t, 0))) == "(t >= 0 for all x)"


def test_compositions_say_of_what_they_are():
    n = naturals("n")
    copies = composition("P^n", "Q^n", each=(P, Q))(n)
    same = composition("A", "B", lambda i: gaussian(2))(n)
    other = composition("A", "B", gaussian)(n)
    said = [text_of(Statement("a/eq-1", Le(delta(*made)(eps), 1)))
            for made in (copies, same, other)]
    assert "compositions (P^n_{1:n}, Q^n_{1:n}) of n copies of (P, Q), " in said[0]
    assert "compositions (A_{1:n}, B_{1:n}) of n releases of gaussian(2, 1), " in said[1]
    assert "of n releases, release i of gaussian(i, 1), " in said[2]
    assert r"\text{ of }n\text{ copies of }(P, Q)" in latex_of(
        Statement("a/eq-1", Le(delta(*copies)(eps), 1)))


def test_factors_say_which_mechanism_they_are():
    made = product_pair(mechanism_pair(gaussian(2), "A", "B"), pair("P1", "Q1"))
    assert "of pairs (A, B) of gaussian(2, 1), (P1, Q1), " in text_of(
        Statement("a/eq-1", Le(delta(*made)(eps), 1)))


def test_the_body_of_a_sum_and_a_second_index_have_their_brackets():
    W, F1 = sequences("W F1")
    j, k = naturals("j k")
    assert latex(FiniteSum(W[j] - W[j + 1], j, 0, k) + W[0]) == (
        r"\sum_{j=0}^{k} \left(W_{j} - W_{j + 1}\right) + W_{0}")
    assert latex(FiniteSum(W[j] * k, j, 0, k)) == r"\sum_{j=0}^{k} k W_{j}"
    assert latex(F1[j]) == r"{F_{1}}_{j}"
