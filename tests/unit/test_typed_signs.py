"""Formulas as they are printed, with Greek letters and signs; letters that Python keeps."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp import cli
from lapdp.core.errors import InputError
from lapdp.theory import ForAll
from lapdp.theory.checking import check_statement
from lapdp.theory.parse import parse_expression, parse_relation
from tests.answers_here import without_processes


@pytest.mark.parametrize(("printed", "typed"), [
    ("\u03b4(P, Q)(\u03b5) \u2264 1", "delta(P, Q)(eps) <= 1"),
    ("R(P, Q)(\u03b1) \u2265 0", "R(P, Q)(alpha) >= 0"),
    ("\u03c1 \u2212 2\u00b7\u03c1 \u2260 \u03c1", "rho - 2*rho != rho"),
    ("\u03c3_1\u00b2 + \u03c31 == x", "sigma_1**2 + sigma1 == x"),
])
def test_printed_signs_are_read_as_typed_ones(printed, typed):
    assert str(check_statement(printed).claim) == str(check_statement(typed).claim)


@pytest.mark.parametrize(("text", "said"), [
    ("2\u03b5 == x", "write a product with *"),
    ("\u03b5\u03b4 == x", "write a product with *"),
    ("\u03b5x == x", "write a product with *"),
    ("x \u2192 y", "goes after --where"),
    ("\u2200 x", "ForAll(q, R(P, Q)(q) <= r, q > 1)"),
    ("\u222b x", "write Int(body, t)"),
])
def test_what_is_not_read_says_what_to_write(text, said):
    with pytest.raises(InputError) as refused:
        check_statement(text)
    assert said in str(refused.value)


def test_lambda_is_a_letter():
    letter = sp.Symbol("lambda", real=True)
    assert parse_expression("2*lambda + 1") == 2 * letter + 1 == parse_expression("2*\u03bb + 1")
    assert parse_relation("lambdas == lambda1").free_symbols == {
        sp.Symbol("lambdas", real=True), sp.Symbol("lambda1", real=True)}
    statement = check_statement("E(P, Q)(lambda) >= 0", ["lambda > 1"])
    assert [str(x) for x in statement.parameters] == ["lambda"]


def test_a_hypothesis_for_all_orders():
    statement = check_statement(
        "delta(P, Q)(rho + 2*sqrt(rho*log(1/d))) <= d",
        ["ForAll(q, R(P, Q)(q) <= rho*q, q > 1)", "rho > 0", "0 < d < 1"])
    first, *others = statement.where
    assert isinstance(first, ForAll) and len(others) == 3
    (q,) = first.over
    # compared by size, it is real; and it is none of the parameters
    assert q.is_real and sorted(map(str, statement.parameters)) == ["d", "rho"]
    assert str(first.claim) == "R(q, P, Q) <= q*rho" or first.claim.rhs == sp.Symbol(
        "rho", real=True) * q
    assert [str(h) for h in first.where] == ["q > 1"]


@pytest.mark.parametrize("text", [
    "ForAll(q)", "ForAll(2, R(P, Q)(2) <= 1)", "ForAll(q, ac(P, Q))", "ForAll(P, P(S) <= 1)",
    "ForAll(q, R(P, Q)(q) <= r < 2)", "ForAll(q, q > 1, ac(P, Q))"])
def test_other_hypotheses_for_all_are_refused(text):
    with pytest.raises(InputError, match=r"ForAll|no letter|no relation"):
        check_statement("delta(P, Q)(0) <= 1", [text])


def test_several_points_give_a_table(capsys, monkeypatch):
    without_processes(monkeypatch)
    assert cli.main(["delta", "laplace(1)", "--eps", "0, log(2),1", "--digits", "5"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split() == ["eps", "delta"]
    assert [row.split()[0] for row in rows] == ["0", "log(2)", "1"]
    assert [row.split()[1] for row in rows] == ["0.393469", "0.142236", "0"]
    assert cli.main(["delta", "laplace(1)", "--eps", "-1,0", "-q", "--digits", "5"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert cli.main(["epsilon", "laplace(1)", "--delta", "0.1,0.2", "--json"]) == 0
    assert capsys.readouterr().out.count('"certified": true') == 2
    assert cli.main(["delta", "laplace(1)", "--eps", "0", "1"]) == 2
    assert "several numbers are written 0,1,2" in capsys.readouterr().err


def test_a_closed_form_at_a_point_says_how_much_it_is(capsys, monkeypatch):
    without_processes(monkeypatch)
    assert cli.main(["profile", "laplace(1)", "--at", "0"]) == 0
    closed, about = capsys.readouterr().out.splitlines()
    assert "e^" in closed and about == "about 0.393469340287"
    assert cli.main(["profile", "randomized_response(log(3))", "--at", "0"]) == 0
    assert capsys.readouterr().out == "1/2\n"
    assert cli.main(["profile", "laplace(1)", "--at", "0", "--format", "latex"]) == 0
    assert "about" not in capsys.readouterr().out
