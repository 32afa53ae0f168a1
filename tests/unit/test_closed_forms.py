"""Closed forms on the command line: each format says the same function."""

from __future__ import annotations

import pytest
import sympy
from mpmath import mp

from lapdp import cli
from lapdp.commands.closed_forms import Question, answer
from lapdp.privacy import catalogue
from lapdp.report.formats import FORMATS
from lapdp.theory.parse import parse_mechanism

MECHANISMS = [
    "randomized_response(log(3), 0.1)", "laplace(2)", "laplace(1)**2*randomized_response(log(2))",
    "geometric(log(2), 3)", "staircase(log(4))", "truncated_laplace(1, 2)", "exponential(1, 2)",
    "gaussian(2)", "reverse(exponential(1, 2))", 'finite([1/3, 2/3, 0], [1/2, 1/4, 1/4])',
]
POINTS = ["-2", "-1/3", "1/7", "4/5", "5/2"]


def value_of(mechanism, notion, at):
    """The library's own answer at a point, by its Python interface."""
    pair = parse_mechanism(mechanism, catalogue())
    x = sympy.Rational(at)
    call = {"profile": pair.profile, "renyi": pair.renyi, "characteristic": pair.characteristic,
            "loss": pair.loss.cdf, "tradeoff": pair.tradeoff}[notion]
    return mp.mpmathify(sympy.N(call(x), 30))


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("notion", ["profile", "characteristic", "renyi", "tradeoff"])
def test_formats_round_trip(mechanism, notion):
    told = {f: answer(Question(notion, mechanism, None, f)) for f in FORMATS}
    if told["text"].error:
        # mass at infinity: no characteristic function, no R_q for q > 1
        assert {t.error for t in told.values()} == {told["text"].error}
        return
    x_name = {"profile": "t", "characteristic": "u", "renyi": "q", "tradeoff": "a"}[notion]
    sympy_space = {**vars(sympy), x_name: sympy.Symbol(x_name, real=True)}
    with mp.workdps(30):
        space = {"mp": mp}
        exec(told["python"].text.replace("from mpmath import mp", ""), space)
        pasted = eval(told["sympy"].text, sympy_space)
        for at in POINTS:
            here = answer(Question(notion, mechanism, at))
            if here.error or "oo" in here.text:
                continue
            expected = value_of(mechanism, notion, at)
            x = sympy.Rational(at)
            found = space[notion](mp.mpf(x.p) / x.q)
            assert abs(found - expected) < mp.mpf(10) ** -25
            also = sympy.N(pasted.subs(sympy_space[x_name], x), 30)
            assert abs(mp.mpmathify(also) - expected) < mp.mpf(10) ** -25
    assert told["latex"].text and "Symbol" not in told["latex"].text


def test_a_level_without_closed_form_is_enclosed():
    told = answer(Question("tradeoff", "laplace(1)**3", at="1/3"))
    assert told.error == "" and told.text.startswith("0.1343211873101") and " +/- " in told.text
    assert "tradeoff.at" in answer(Question("tradeoff", "laplace(1)**3")).error


def test_the_loss_in_words():
    told = answer(Question("loss", "laplace(1)*randomized_response(log(2), 1/10)")).text
    assert told.splitlines()[0] == "Pr[Z = oo] = 1/10"
    assert told.count("Pr[Z = ") == 5 and told.count("density on") >= 1


@pytest.mark.parametrize(("mechanism", "at", "words"), [
    ("laplace(0)", None, "positive"), ("laplace(0.5", None, "bracket"),
    ("nothing(1)", None, "nothing"), ("1 + 1", None, "no mechanism"),
    ("__import__('os')", None, "unknown name"), ("laplace(t)", None, "variable of the profile"),
    ("laplace(1)", "1/0", "1/0"), ("laplace(1)**0", None, "power"),
    ("laplace(nan)", None, "number"), ("law(1)", None, "Python"), ("laplace(1)", "--", "--at"),
])
def test_bad_input_is_one_line(mechanism, at, words, capsys):
    options = [] if at is None else ["--at", at]
    assert cli.main(["profile", mechanism, *options]) == 2
    told = capsys.readouterr()
    assert told.out == "" and words in told.err and told.err.count("\n") == 1


def test_the_command(capsys):
    assert cli.main(["profile", "randomized_response(log(3))", "--at", "0"]) == 0
    assert capsys.readouterr().out == "1/2\n"
    assert cli.main(["profile", "randomized_response(log(3))", "--at", "-log(2)"]) == 0
    assert capsys.readouterr().out == "5/8\n"
    assert cli.main(["profile", "laplace(1)", "--format", "java"]) == 2
    assert cli.main(["profile", "laplace(1)**60", "--timeout", "0.05"]) == 2
    assert "time limit" in capsys.readouterr().err
