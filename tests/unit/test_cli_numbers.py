"""``lapdp delta | epsilon | moment | renyi | tradeoff``: certified numbers on the command line."""

from __future__ import annotations

import contextlib
import io
import json
import math
import re
import shlex
from fractions import Fraction

import pytest
import sympy as sp

from lapdp import cli, exponential, gaussian, laplace, randomized_response
from lapdp.commands.numbers import Question, answer
from lapdp.core.errors import InputError
from lapdp.privacy import catalogue
from lapdp.theory.parse import parse_mechanism


def asked(capsys, *words):
    """Exit code and what is printed."""
    code = cli.main(list(words))
    out, err = capsys.readouterr()
    return code, out, err


def test_delta_as_text(capsys):
    code, out, err = asked(capsys, "delta", "gaussian(10)**100", "--eps", "20", "--digits", "12")
    first, second = out.splitlines()
    assert (code, err, first) == (0, "", str((gaussian(10) ** 100).delta(20, digits=12)))
    assert second.startswith("by ") and second.endswith(" s")


def test_epsilon_as_json(capsys):
    code, out, _ = asked(capsys, "epsilon", "randomized_response(0.1, 1e-8)**1000", "--delta",
                         "1e-5", "--json")
    found = json.loads(out)
    expected = (randomized_response("0.1", "1e-8") ** 1000).epsilon("1e-5")
    assert code == 0 and found["certified"] is True and found["method"] == expected.method
    assert Fraction(found["value"]) == expected.value
    assert Fraction(found["radius"]) == expected.radius
    assert found["mechanism"] == "randomized_response(1/10, 1/100000000)**1000"
    assert found["query"] == {"quantity": "epsilon", "delta": "1/100000", "digits": 15,
                              "direction": "forward"}
    assert found["seconds"] >= 0 and found["lapdp"] and found["seed"] == 0
    assert "python-flint" in found["versions"]


def test_a_point_given_again_is_one_more_row(capsys):
    once = asked(capsys, "delta", "gaussian(1/2)", "--eps", "1,2", "--json")
    again = asked(capsys, "delta", "gaussian(1/2)", "--eps", "1", "--eps", "2", "--json")
    rows = [[(row["query"]["eps"], row["value"]) for row in json.loads(said[1])["rows"]]
            for said in (once, again)]
    assert rows[0] == rows[1] and len(rows[0]) == 2


def test_a_closed_form_that_takes_long_is_told_of_numbers(capsys):
    words = ("renyi", "poisson(gaussian(2), 0.05, direction='remove')**100", "--at", "8")
    code, out, err = asked(capsys, *words, "--timeout", "1")
    assert (code, out) == (2, "") and "time limit of 1 s; a number may take far less" in err
    code, out, _ = asked(capsys, *words, "--digits", "15")
    assert code == 0 and "+/-" in out


def test_an_option_of_one_value_is_not_taken_twice(capsys):
    code, out, err = asked(capsys, "renyi", "gaussian(2)", "--at", "2", "--at", "3")
    assert (code, out) == (2, "") and "--at is given twice" in err


def test_both_directions(capsys):
    words = ("exponential(1, 2)", "--eps", "1/3", "--direction", "both")
    code, out, _ = asked(capsys, "delta", *words, "--json")
    found = json.loads(out)
    sides = found["directions"]
    pair = exponential(1, 2)
    for side, each in (("forward", pair), ("reverse", pair.reverse())):
        assert Fraction(sides[side]["value"]) == each.delta("1/3").value
    assert Fraction(found["value"]) == max(Fraction(s["value"]) for s in sides.values())
    code, out, _ = asked(capsys, "delta", *words)
    assert code == 0 and [line.split()[0] for line in out.splitlines()[1:]] == list(sides)
    code, out, _ = asked(capsys, "delta", *words[:3], "--direction", "reverse")
    assert out.splitlines()[0] == str(pair.reverse().delta("1/3"))


def test_infinity_is_stated(capsys):
    code, out, _ = asked(capsys, "epsilon", "randomized_response(1, 0.01)", "--delta", "0.001")
    assert code == 0
    assert out.splitlines()[0] == "oo" and "no finite eps has delta(eps) <= 1/1000" in out
    code, out, _ = asked(capsys, "epsilon", "exponential(1, 2)", "--delta", "1e-9", "--direction",
                         "both")
    assert code == 0 and "oo" not in out


@pytest.mark.parametrize(("words", "expected"), [
    (("moment", "laplace(1)**100", "q", "3"), (laplace(1) ** 100).moment(3, digits=20)),
    (("renyi", "laplace(1)**100", "q", "7/2"), (laplace(1) ** 100).renyi("7/2", digits=20)),
    (("renyi", "laplace(1/3)**5", "q", "oo"), (laplace("1/3") ** 5).renyi(math.inf, digits=20)),
    (("tradeoff", "laplace(1)**2", "a", "1/3"), (laplace(1) ** 2).tradeoff("1/3", digits=20)),
    (("delta", "laplace(1)", "eps", "-1/2"), laplace(1).delta("-1/2", digits=20)),
    (("epsilon", "laplace(1)**1000000000", "delta", "0"),
     (laplace(1) ** 10**9).epsilon(0, digits=20))])
def test_numbers_are_those_of_the_methods(words, expected):
    found = answer(Question(*words, digits=20)).record()
    assert {**found, "seconds": 0}.items() >= {**expected.record(), "seconds": 0}.items()


def test_negative_points_and_digits_of_notions(capsys):
    code, out, _ = asked(capsys, "delta", "laplace(1)", "--eps", "-log(2)")
    assert (code, out.splitlines()[0]) == (0, str(laplace(1).delta(-sp.log(2))))
    code, out, _ = asked(capsys, "renyi", "laplace(1/3)**5", "--at", "oo", "--digits", "9")
    assert (code, out.splitlines()[0]) == (0, "15")


@pytest.mark.parametrize(("words", "said"), [
    (("delta", "laplace(1)", "eps", "x"), "must be a number"),
    (("delta", "laplace(b)", "eps", "1"), "has parameters (b)"),
    (("delta", "laplace(1)", "eps", "1", 0), "digits must be"),
    (("epsilon", "laplace(1)", "delta", "2"), "between 0 and 1"),
    (("epsilon", "1 + 1", "delta", "0.1"), "is no mechanism"),
    (("tradeoff", "laplace(1)", "a", "2", 9), "in [0, 1]"),
    (("renyi", "randomized_response(1, 0.1)", "q", "-1", 9), "-oo")])
def test_bad_questions_have_one_line(words, said):
    error = answer(Question(*words)).record()["error"]
    assert said in error and "\n" not in error


@pytest.mark.parametrize("notion", ["delta", "epsilon", "moment", "renyi", "tradeoff",
                                    "probabilistic_delta", "probabilistic_epsilon"])
@pytest.mark.parametrize("digits", ["a", True, 2.0, 0])
def test_what_is_no_number_of_digits_is_refused(notion, digits):
    with pytest.raises(InputError, match="digits must be a whole number"):
        getattr(laplace(1), notion)("1/2", digits=digits)


@pytest.mark.parametrize(("words", "said"), [
    (("delta", "laplace(b)", "--eps", "1"), "has parameters (b)"),
    (("delta", "laplace(1)"), "--eps is missing"),
    (("delta", "laplace(1)", "--eps", "1", "--timeout", "0"), "time limit must be"),
    (("delta", "laplace(1)", "--eps", "1", "--direction", "sideways"), "is no --direction"),
    (("probabilistic", "laplace(1)"), "one of the arguments --eps --delta is required"),
    (("probabilistic", "laplace(1)", "--eps", "1", "--delta", "0"), "does not go with --eps"),
    (("probabilistic", "laplace(1)", "--delta", "2"), "between 0 and 1"),
    (("probabilistic", "laplace(1)", "--eps", "x"), "needs a number"),
    (("probabilistic", "laplace(b)", "--eps", "1"), "has parameters (b)"),
    (("moment", "exponential(1, 2)", "--digits", "9"), "needs --at"),
    (("moment", "laplace(1)", "--json"), "give --at and --digits")])
def test_bad_commands_end_in_one_line(words, said, capsys):
    code, out, err = asked(capsys, *words)
    assert (code, out) == (2, "")
    assert err.startswith("lapdp: ") and said in err and err.count("\n") == 1


def test_probabilistic_privacy_in_both_directions(capsys):
    """P = (1/2, 1/4, 1/4), Q = (1/4, 3/4, 0): losses log 2, -log 3 and oo; reversed -log 2, log 3.
    """
    pair = "finite([1/2, 1/4, 1/4], [1/4, 3/4, 0])"
    code, out, _ = asked(capsys, "probabilistic", pair, "--delta", "0.24", "--direction", "both")
    assert code == 0 and out.splitlines()[0] == "oo, the worse of both directions"
    assert "no finite eps has Pr[loss > eps] <= 6/25" in out and "by atom log(3)" in out
    code, out, _ = asked(capsys, "probabilistic", pair, "--eps", "log(2)", "--direction", "both",
                         "--json")
    found = json.loads(out)
    assert (found["value"], found["radius"], found["certified"]) == ("0.75", "0", True)
    assert found["directions"]["forward"]["value"] == "0.25"
    assert found["query"] == {"quantity": "probabilistic_delta", "eps": "log(2)", "digits": 15,
                              "direction": "both"}
    assert asked(capsys, "probabilistic", "laplace(1)", "--eps=-1", "-q")[1].count("\n") == 1


def test_nothing_hangs(capsys):
    code, _, err = asked(capsys, "delta", "discrete_gaussian(1000)**20 * laplace(1/7)**300",
                         "--eps", "1", "--digits", "5000", "--timeout", "1")
    assert code == 2 and err.count("\n") == 1


def test_what_is_no_proof_says_so():
    """The record carries the words of the answer; the lines print them."""
    from lapdp.commands import numbers

    record = answer(Question("delta", "gaussian(1)", "eps", "1")).record()
    doubtful = {**record, "certified": False, "doubt": "a guess", "assumes": "luck"}
    assert numbers._lines(doubtful)[1].endswith("assuming luck, NOT CERTIFIED: a guess")


def examples():
    """Every example that the help of these commands prints."""
    for command in ("delta", "epsilon", "probabilistic", "moment", "renyi", "tradeoff"):
        told = io.StringIO()
        with contextlib.redirect_stdout(told):
            assert cli.main([command, "--help"]) == 0
        for line in told.getvalue().splitlines():
            if line.startswith("  lapdp "):
                yield shlex.split(line)[1:]
            elif (found := re.search(r'MECH +such as "(.*)"', line)):
                yield [command, found[1]]


@pytest.mark.parametrize("words", list(examples()), ids=" ".join)
def test_examples_of_the_help_are_answered(words):
    command, mechanism, *_ = words
    made = parse_mechanism(mechanism, catalogue())
    assert made == made.reverse().reverse()
    if command in ("delta", "epsilon") and len(words) > 2:
        letter = {"delta": "eps", "epsilon": "delta"}[command]
        at = words[words.index(f"--{letter}") + 1]
        assert not answer(Question(command, mechanism, letter, at, 5)).error
