"""What is written is claimed: no part of a formula is lost because SymPy cancels it."""

import os
import subprocess
import sys

import pytest
import sympy as sp

from lapdp.core.errors import InputError
from lapdp.core.verdict import HOLDS
from lapdp.privacy import nodes as pn
from lapdp.theory.checking import check_statement
from lapdp.theory.engine import judge
from lapdp.theory.language import AllOf, Defined, expressions

LOST = {
    "x/x == 1": "x != 0", "(x + 1)*1/(x + 1) == 1": "x + 1 != 0", "x*x**(-1) == 1": "x != 0",
    "3/(x + 1)*(x + 1) == 3": "x + 1 != 0", "x**2/x**3*x**2 == x": "x**3 != 0",
    "log(x) - log(x) == 0": "x > 0", "exp(log(x)) == x": "x > 0", "0*log(x) == 0": "x > 0",
    "exp(2*log(x)) == x**2": "x > 0", "log(x)**0 == 1": "x > 0",
    "sqrt(x)**2 == x": "x >= 0", "x**(1/2)*x**(1/2) == x": "x >= 0",
    "s/s == 1": "s != 0", "log(s)/log(s) == 1": "s != 0",
    "tan(x) - tan(x) == 0": "tan(x)", "gamma(x)/gamma(x) == 1": "gamma(x)",
    "x/x == L(exp(-x), x, s)*(s + 1)": "x != 0",
    "x/x == piecewise((1/x, x > 1), (1, True))": "x != 0",
    "L(exp(t), t, s) - L(exp(t), t, s) == 0": "L(exp(t), t, s)",
    "E(P, Q)(q)/E(P, Q)(q) == 1": "E(q, P, Q)", "E(P, Q)(q) - E(P, Q)(q) == 0": "E(q, P, Q)",
    "0*R(P, Q)(q) == 0": "R(q, P, Q)", "LossAt(P, Q) - LossAt(P, Q) == 0": "LossAt(P, Q)",
    "delta(P, Q)(t)/delta(P, Q)(t) == 1": "delta(P, Q)(t) != 0",
    "T(P, Q)(a) - T(P, Q)(a) == 0": "T(P, Q)(a)", "T(P, Q)(a)**0 == 1": "T(P, Q)(a)",
    "delta(P, Q)(x) <= 1 + T(P, Q)(a) - T(P, Q)(a)": "T(P, Q)(a)",
    "0*delta(p*P + (1 - p)*Q, Q)(x) == 0": "delta(P*p + Q*(1 - p), Q)(x)",
    "0*Pr(PLD(p*P + (1 - p)*Q, Q) > x) == 0": "Probability(PLD(P*p + Q*(1 - p), Q), >, x)",
    "0*Pr(PLD(P, Q) > 1/y) == 0": "y != 0", "0*Pr(PLD(P, Q) >= log(y)) == 0": "y > 0",
    "sqrt(delta(P, Q)(x) - 1/2)**2 <= 1/2": "delta(P, Q)(x) - 1/2 >= 0",
    "sqrt(P(S) - Q(S))**4 == (P(S) - Q(S))**2": "P(S) - Q(S) >= 0",
    "exp(log(delta(P, Q)(x))) == delta(P, Q)(x)": "delta(P, Q)(x) > 0",
    "sqrt(log(x))**2 == log(x)": "log(x) >= 0",
    "0*Int(1/t, t, 0, 1) == 0": "Int(1/t, t, 0, 1)",
    "0*L(exp(-t), t, 1) == 0": "L(exp(-t), t, 1)",
    "delta(P, Q)(0*Int(1/t, t, 0, 1)) <= 1": "Int(1/t, t, 0, 1)",
}
INFINITE = {
    "1**E(P, Q)(2)*E(P, Q)(2) == E(P, Q)(2)": "E(2, P, Q)",
    "E(P, Q)(2)/oo + E(P, Q)(2) >= 1": "E(2, P, Q)",
    "E(P, Q)(2) >= E(P, Q)(2)/E(P, Q)(2)": "E(2, P, Q)",
    "R(P, Q)(2) + R(P, Q)(3) - R(P, Q)(3) <= R(P, Q)(3)": "R(3, P, Q)",
    "2*E(P, Q)(2) - E(P, Q)(2) == E(P, Q)(2)": "E(2, P, Q)",
    "E(P, Q)(2) + 0*E(P, Q)(2) == E(P, Q)(2)": "E(2, P, Q)",
    "E(P, Q)(2)**2/E(P, Q)(2) == E(P, Q)(2)": "E(2, P, Q)",
    "1/(1/E(P, Q)(2)) == E(P, Q)(2)": "E(2, P, Q)",
    "E(P, Q)(2)*E(P, Q)(3)**0 <= E(P, Q)(2)*E(P, Q)(3)": "E(3, P, Q)",
    "R(P, Q)(q)*exp(R(P, Q)(q))*exp(-R(P, Q)(q)) == R(P, Q)(q)": "R(q, P, Q)",
    "(E(P, Q)(2) + x) - (E(P, Q)(2) - R(P, Q)(2)) == R(P, Q)(2) + x": "E(2, P, Q)",
    "R(P, Q)(2) - R(P, Q)(2)/2 >= 0": "R(2, P, Q)",
    "2*Ex(PLD(P, Q), PLD(P, Q)) - Ex(PLD(P, Q), PLD(P, Q)) >= 0":
        "Expectation(PLD(P, Q), PLD(P, Q))",
    "2*Omega(P**2/Q) - Omega(P**2/Q) >= 1": "IntegralOverSpace(P**2/Q)",
    "3*Int(exp(t*x), t, 0, oo) - Int(exp(t*x), t, 0, oo) >= 0": "Int(exp(t*x), t, 0, oo)",
}
KEPT = ["1/x == x**(-1)", "x/(2*x + 2) <= 1/(x + 1)", "1/(1 - x) == -1/(x - 1)",
        "log(x) <= x - 1", "log(2*x) == log(2) + log(x)", "sqrt(x) <= (1 + x)/2",
        "L(exp(-t), t, s) == 1/(s + 1)", "piecewise((1/t, t > 0), (0, True)) >= 0",
        "(x - y)/(x + y) == -(y - x)/(y + x)", "exp(x)/exp(x) == 1", "x - x == 0",
        "1/exp(x) == exp(-x)", "x/(1 + x**2)*(1 + x**2) == x", "sqrt(x**2) == abs(x)",
        "delta(P, Q)(t) - delta(P, Q)(t) == 0", "E(P, Q)(2)/2*2 == E(P, Q)(2)",
        "delta(P, Q)(t) - delta(P, Q)(t)/2 >= 0", "E(P, Q)(2) + E(P, Q)(2) >= 2",
        "E(P, Q)(2)*E(P, Q)(2)**3 >= 1", "3*R(P, Q)(2) + R(P, Q)(2)/2 >= 0",
        "delta(P, Q)(t)/2 <= 1", "Ex(exp(-PLD(P, Q)), PLD(P, Q)) <= 1"]
BOUND = ["L(t/t, t, s) == 1/s", "Omega(P/Q*Q) == 1", "Omega(P*Q/P) == 1",
         "Ex(exp(PLD(P, Q) - PLD(P, Q)), PLD(P, Q)) == 1",
         "Ex(2*PLD(P, Q) - PLD(P, Q), PLD(P, Q)) == Ex(PLD(P, Q), PLD(P, Q))",
         "Pr(2*PLD(P, Q) - PLD(P, Q) > 1) == Pr(PLD(P, Q) > 1)",
         "F(2*PLD(P, Q) - PLD(P, Q))(1) == F(PLD(P, Q))(1)",
         "piecewise((x/x, x > 1), (1, True)) == 1", "Int(log(t) - log(t), t, 0, 1) == 0"]


@pytest.mark.parametrize("text", LOST)
def test_a_condition_that_cancels_is_claimed(text):
    claim = check_statement(text).claim
    assert isinstance(claim, AllOf)
    more = [str(expressions(c)[0]) if isinstance(c, Defined) else
            f"{c.lhs} {c.rel_op} {c.rhs}" for c in claim.claims[1:]]
    assert LOST[text] in more


@pytest.mark.parametrize("text", INFINITE)
def test_what_is_left_of_a_part_that_cancels_does_not_make_it_finite(text):
    """oo - oo, 0 oo and oo/oo have no value, though a part of them still stands there."""
    claim = check_statement(text).claim
    assert isinstance(claim, AllOf)
    assert INFINITE[text] in [str(c.expr) for c in claim.claims if isinstance(c, Defined)]
    assert not any(isinstance(c.expr, pn.Loss) for c in claim.claims if isinstance(c, Defined))


def test_what_depends_on_the_signs_of_exponents_is_refused() -> None:
    with pytest.raises(InputError, match="write one power"):
        check_statement("E(P, Q)(2)**x*E(P, Q)(2)**y == E(P, Q)(2)**(x + y)")


@pytest.mark.parametrize("text", KEPT)
def test_what_still_stands_there_claims_nothing_more(text):
    assert isinstance(check_statement(text).claim, sp.core.relational.Relational)


@pytest.mark.parametrize("text", BOUND)
def test_below_a_binder_it_is_refused(text):
    with pytest.raises(InputError, match="needed for a part that cancels"):
        check_statement(text)


def test_the_order_of_needs_does_not_change_with_the_hash_seed() -> None:
    text = ("import sympy as sp\n"
            "from lapdp.theory.cancelled import of_value\n"
            "x, y = sp.symbols('x y', real=True)\n"
            "print(of_value(sp.tan(x) + sp.tan(y) + sp.gamma(x) + sp.tan(x*y) + sp.gamma(y)))")
    said = {subprocess.run([sys.executable, "-c", text], check=True, capture_output=True,
                           text=True, env={**os.environ, "PYTHONHASHSEED": seed}).stdout
            for seed in "123"}
    assert len(said) == 1 and "tan" in said.pop()


@pytest.mark.parametrize(("text", "condition"), [
    ("x/x == 1", "x != 0"), ("sqrt(x)**2 == x", "x >= 0"),
    ("sqrt(P(S) - Q(S))**2 == P(S) - Q(S)", "P(S) - Q(S) >= 0")])
def test_a_hypothesis_is_met_where_all_of_it_has_a_value(text, condition):
    _, more = check_statement("P(S) <= 1 + x - x", [text]).where
    assert f"{more.lhs} {more.rel_op} {more.rhs}" == condition


@pytest.mark.parametrize("text", [
    "Int(1/t, t, 0, 1) <= Int(1/t, t, 0, 1)", "Int(t, t, 0, oo) <= Int(t, t, 0, oo)",
    "Int(t, t, 0, oo) + 1 > Int(t, t, 0, oo)", "exp(Int(1/t, t, 0, 1)) > 0", "exp(tan(x)) > 0",
    "Int(1/t, t, 0, 1) == Int(1/t, t, 0, 1)"])
def test_what_may_have_no_value_is_in_no_claim_that_holds(text):
    assert judge(check_statement(text)).kind not in HOLDS
