"""``lapdp profile | loss | renyi | tradeoff | characteristic``: closed forms of a mechanism."""

from __future__ import annotations

import argparse
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lapdp.commands.exits import GOOD
from lapdp.core.errors import InputError, LapdpError, Unsupported

VARIABLES = {"profile": "t", "loss": "z", "renyi": "q", "tradeoff": "a", "characteristic": "u"}
FORMATS = ("text", "latex", "sympy", "python")


def run(arguments: argparse.Namespace) -> int:
    """Answer in a process with a time limit, and print what comes back."""
    from lapdp.theory.runner import check_time_limit
    from lapdp.theory.workers import Outcome, Setup, run_tasks

    check_time_limit(arguments.timeout)
    question = Question(arguments.notion, arguments.mechanism, arguments.at, arguments.format)
    outcomes: list[Outcome] = []
    setup = Setup("lapdp.commands.closed_forms:answer", timeout=arguments.timeout)
    run_tasks([{"pickle": pickle.dumps(question)}], setup, 1, arguments.timeout,
              lambda _, outcome: outcomes.append(outcome))
    found = outcomes[0]
    if found.result is None:
        raise LapdpError(f"no answer: {found.failure}")
    if found.result["error"]:
        raise InputError(found.result["error"])
    print(found.result["text"])
    return GOOD


@dataclass(frozen=True)
class Question:
    """A notion of a mechanism, as a curve or at one point, in one format."""

    notion: str
    mechanism: str
    at: str | None = None
    format: str = "text"


@dataclass(frozen=True)
class Answer:
    """The text to print, or why there is none."""

    text: str = ""
    error: str = ""

    def record(self) -> dict[str, str]:
        """Plain data, as a worker sends it."""
        return {"text": self.text, "error": self.error}


def answer(question: Question, **_: Any) -> Answer:
    """The closed form that is asked for.

    >>> print(answer(Question("profile", "randomized_response(log(3))")).text)
    delta(t) = Piecewise((1 - exp(t), t < -log(3)), (3/4 - exp(t)/4, t < log(3)), (0, True))
    >>> print(answer(Question("profile", "laplace(1)", at="1/2", format="python")).text)
    (-1 + mp.exp(mp.mpf(1)/mp.mpf(4)))*mp.exp(mp.mpf(-1)/mp.mpf(4))
    >>> answer(Question("profile", "laplace(0)")).error
    'scale = 0 must be positive'
    """
    try:
        return Answer(_written(question))
    except LapdpError as problem:
        return Answer(error=" ".join(str(problem).split()))


def _written(question: Question) -> str:
    import sympy as sp

    from lapdp.privacy import catalogue
    from lapdp.privacy.pair import Pair
    from lapdp.theory.parse import parse_expression, parse_mechanism

    pair = parse_mechanism(question.mechanism, catalogue())
    if not isinstance(pair, Pair):
        raise InputError(f"{question.mechanism} is no mechanism: see the table in the README")
    name = VARIABLES[question.notion]
    if name in {s.name for s in pair.free_symbols}:
        raise InputError(f"{name} is the variable of the {question.notion}: name the parameter of "
                         "the mechanism otherwise")
    symbol = sp.Symbol(name, real=True)
    point = symbol if question.at is None else parse_expression(question.at, {name: symbol})
    if question.at is None and question.notion == "loss" and question.format == "text":
        return _loss_in_words(pair)
    write = WRITERS[question.format]
    return write(question, symbol, _value(pair, question, point))


def _value(pair: Any, question: Question, point: Any) -> Any:
    if question.notion == "loss" and question.format in ("latex", "sympy") and question.at is None:
        return pair.loss.generalized_density(point)
    curve = pair.loss.cdf if question.notion == "loss" else getattr(pair, question.notion)
    try:
        return curve(point)
    except Unsupported:
        if (question.notion, question.format) != ("tradeoff", "text") or question.at is None:
            raise
        # without closed form: a number with a proved error bound
        return pair.tradeoff.at(point)


def _loss_in_words(pair: Any) -> str:
    loss = pair.loss
    lines = [f"Pr[Z = oo] = {loss.mass_at_infinity}"]
    lines += [f"Pr[Z = {atom.loss}] = {atom.mass}" for atom in loss.atoms]
    lines += [f"density on ({piece.lower}, {piece.upper}): {piece.expression}"
              for piece in loss.pieces]
    return "\n".join(lines)


HEADS = {"profile": "delta({})", "loss": "F({})", "renyi": "R({})", "tradeoff": "f({})",
         "characteristic": "phi({})"}


def _text(question: Question, symbol: Any, value: Any) -> str:
    if question.at is not None:
        return str(value)
    return f"{HEADS[question.notion].format(symbol)} = {value}"


def _latex(question: Question, symbol: Any, value: Any) -> str:
    import sympy as sp

    return str(sp.latex(value))


def _sympy(question: Question, symbol: Any, value: Any) -> str:
    """Paste-ready after ``from sympy import *``: whole numbers stay exact."""
    import sympy as sp

    return str(sp.sstr(value, sympy_integers=True))


def _python(question: Question, symbol: Any, value: Any) -> str:
    """A function for mpmath, or one expression at a point."""
    from sympy.printing.pycode import MpmathPrinter

    printer = MpmathPrinter({"fully_qualified_modules": True,
                             "user_functions": {"erfinv": "mpmath.erfinv",
                                                "LambertW": "mpmath.lambertw"}})
    code = printer.doprint(value).replace("mpmath.", "mp.")
    if "Not supported" in code:
        raise InputError(f"the {question.notion} of {question.mechanism} has no Python code")
    if question.at is not None:
        return str(code)
    parameters = sorted({s.name for s in value.free_symbols} - {symbol.name})
    head = ", ".join((symbol.name, *parameters))
    return f"from mpmath import mp\n\ndef {question.notion}({head}):\n    return {code}"


WRITERS: dict[str, Callable[[Question, Any, Any], str]] = {
    "text": _text, "latex": _latex, "sympy": _sympy, "python": _python}
