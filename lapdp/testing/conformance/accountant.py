"""Laws of accountants: never on the wrong side, as tight as they say, and of one piece.

An accountant answers delta at an eps or epsilon at a delta, of one pair or of compositions.  Its
answers are held against certified values of the same numbers, and against each other.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from hypothesis import strategies as st

from lapdp.accounting.audit.adapter import Method
from lapdp.core.calls import fitting, fitting_with
from lapdp.core.errors import InputError
from lapdp.testing.conformance.accountants import (
    Accountant,
    Audited,
    Own,
    checked_claims,
    own_form,
)
from lapdp.testing.conformance.asking import by_rounding_alone, compared
from lapdp.testing.conformance.checks import LawCheck, run
from lapdp.testing.conformance.findings import HIDDEN, Report, Violation
from lapdp.testing.conformance.questions import Couple, Drawn, Wants
from lapdp.testing.conformance.search import Undecided
from lapdp.testing.conformance.small import FEW_SMALL, Range, kind_of
from lapdp.testing.conformance.values import EXACT, Accuracy, Real, Value

CH, SMM, ZDW = "Chourasia et al. 2024", "Sommer, Meiser, Mohammadi 2019", "Zhu, Dong, Wang 2022"
DR = "Dwork and Roth 2014"

SIGNS = {"upper": ">=", "lower": "<=", "interval": "==", "estimate": "==", "exact": "=="}
"""How an answer stands to the truth; an interval, and a number with its accuracy, contain it."""
SAYS = {"upper": "is not below the truth", "lower": "is not above the truth",
        "interval": "contains the truth", "estimate": "is the truth to the stated accuracy",
        "exact": "is the truth"}
LETTERS = {"delta": r"\delta(\varepsilon)", "epsilon": r"\varepsilon(\delta)"}
CHECKED = {"upper": r"{} \ge {}", "lower": r"{} \le {}", "interval": r"{} \ni {}",
           "estimate": r"{} \approx {}", "exact": r"{} = {}"}
DISTANCE = 2
"""Numbers in a pair (relative, absolute)."""


@fitting
def accountant_laws(accountant: Any = None, *, delta: Callable[..., Any] | None = None,
                    epsilon: Callable[..., Any] | None = None, claims: str = "upper",
                    accuracy: Any = None, absolute: Any = 0, tight: Any = None,
                    over: st.SearchStrategy[Any] | None = None, doubles: bool = True,
                    negative: bool = True, max_copies: int = 6, isolated: bool = False,
                    timeout: float = 60.0) -> list[LawCheck]:
    """The laws of :func:`check_accountant`, for ``parametrize_with_laws``."""
    how = Accuracy.stated(accuracy, absolute)
    bound = None if tight is None else _tightness(tight)
    subjects = _methods(accountant, how, over, isolated, timeout, max_copies)
    if not subjects:
        drawn = Drawn(_form(delta or getattr(accountant, "delta", None) or accountant,
                            epsilon or getattr(accountant, "epsilon", None)),
                      over, doubles, max_copies)
        functions = _functions(accountant, delta, epsilon)
        subjects = [("", Own(functions, checked_claims(claims), _meant(how, claims), drawn,
                             negative))]
    elif delta is not None or epsilon is not None:
        raise InputError("give an accountant of the audit, or delta= and epsilon=, not both")
    return [law for name, subject in subjects for law in _laws(name, subject, bound)]


@fitting_with(accountant_laws)
def check_accountant(accountant: Any = None, *, laws: str | Iterable[str] | None = None,
                     examples: int = 200, seed: int = 0, seconds: float | None = None,
                     on_fail: str = "raise", **how: Any) -> Report:
    """Hold an accountant against certified values, and its answers against each other.

    ``accountant`` is a function ``delta(pair, eps)``, or an object with methods ``delta`` and
    ``epsilon(pair, delta)``; or ``delta=`` and ``epsilon=`` are such functions.  A function with an
    argument ``copies`` is asked about powers, one whose first argument is called ``pairs`` about
    lists of pairs, composed.  Pairs of ``over=`` are drawn, if given; eps and delta are doubles,
    or with ``doubles=False`` logs of rational numbers and Fractions.

    ``claims`` is "upper" (the default), "lower", "interval" (two ends), "estimate" or "exact".
    Numbers are meant as they are, unless ``accuracy=`` (relative) and ``absolute=`` say how far
    they are from what they mean; estimates need that.  ``tight=`` (relative, or a pair of relative
    and absolute) says how far a bound is from the truth at most.  ``negative=False``: no eps < 0.

    Accountants of ``lapdp audit`` are given by name ("google"), as an ``Adapter`` or a ``Method``;
    claims are theirs, ``over=`` a strategy of queries.  They run in this process, unless
    ``isolated=True`` gives each call its own and ``timeout=`` seconds.

    A law of its own asks of randomized response, with odds from 3 to 1000, at eps from 1 to 4 and
    at parts of the largest loss, in both directions.  Another, with three tenths of the examples,
    asks for deltas between 1e-2 and 1e-30, of mechanisms of the field: Gaussian,
    Laplace, sampled in both directions, products, many copies; an accountant that fails on a pair
    that is not finite is not asked about its kind.  The report prints the range that was asked.
    ``seconds=`` is the time of all laws together; a report that it cuts short says so, and is no
    pass.

    Raises :class:`LawFailed` with all laws that fail, or returns the :class:`Report`;
    :class:`InputError` for what is no accountant.

    >>> def delta(pair, eps, copies=1):                        # no composition
    ...     return pair.hockey_stick(sp.exp(eps)) * copies
    >>> import sympy as sp
    >>> report = check_accountant(delta, doubles=False, laws="valid delta", on_fail="report")
    >>> print(report.failures[0])
    valid delta fails: delta(eps) is not below the truth
      [Chourasia et al. 2024, (6)]
        from lapdp import finite
        from sympy import log
        pair = finite([...], [...])
        copies = 2
        eps = log(...)
        delta(pair, log(...), 2) >= truth
        ... >= ... is false
        $\\hat\\delta(\\varepsilon) \\ge \\delta(\\varepsilon):\\quad ... \\not\\ge ...
    """
    __tracebackhide__ = HIDDEN
    checks = accountant_laws(accountant, **how)
    return run(_title(accountant, checks), checks, laws=laws, examples=examples, seed=seed,
               on_fail=on_fail, seconds=seconds)


def _title(accountant: Any, checks: Sequence[LawCheck]) -> str:
    if isinstance(accountant, str):
        return accountant
    return str(getattr(accountant, "name", None) or getattr(accountant, "__name__", None)
               or "accountant")


def _functions(accountant: Any, delta: Any, epsilon: Any) -> dict[Wants, Callable[..., Any]]:
    if callable(accountant) and delta is None and not hasattr(accountant, "delta"):
        delta = accountant
        _require_delta(accountant)
    delta = delta or getattr(accountant, "delta", None)
    epsilon = epsilon or getattr(accountant, "epsilon", None)
    found: dict[Wants, Callable[..., Any]] = {}
    if callable(delta):
        found["delta"] = delta
    if callable(epsilon):
        found["epsilon"] = epsilon
    if not found:
        raise InputError(f"{str(accountant)[:40]!r} is no accountant: give delta(pair, eps), an "
                         "object with methods delta and epsilon, or an accountant of lapdp audit")
    return found


def _require_delta(function: Any) -> None:
    """A function alone is asked for delta: one that calls itself epsilon, or takes delta, is not
    meant so."""
    try:
        names = list(inspect.signature(function).parameters)[1:2]
    except (TypeError, ValueError):
        names = []
    if getattr(function, "__name__", "") == "epsilon" or names == ["delta"]:
        raise InputError("a function alone is delta(pair, eps), and this one speaks of epsilon at "
                         "a delta: give it as epsilon=")


def _form(*functions: Any) -> Any:
    forms = {own_form(each) for each in functions if callable(each)}
    if len(forms) > 1:
        raise InputError("delta and epsilon must take compositions alike: both copies, or pairs")
    return forms.pop() if forms else "pair"


def _meant(how: Accuracy | None, claims: str) -> Accuracy | None:
    """Bounds are meant as they are; estimates must say how near they are."""
    return EXACT if how is None and claims in ("upper", "lower", "interval") else how


def _methods(accountant: Any, how: Accuracy | None, over: Any, isolated: bool, timeout: float,
             most: int) -> list[tuple[str, Accountant]]:
    from lapdp.accounting.audit.adapters import adapter

    found = adapter(accountant) if isinstance(accountant, str) else accountant
    methods = getattr(found, "methods", None)
    if methods is None:
        methods = (found,) if isinstance(found, Method) and hasattr(found, "claim") else ()
    named: list[tuple[str, Accountant]] = [(f"{method.name}: " * (len(methods) > 1),
         Audited(method, _meant(how, method.claim.kind), over, isolated, timeout, most))
        for method in methods]
    return [(name, subject) for name, subject in named if subject.wants]


def _tightness(tight: Any) -> Accuracy:
    if isinstance(tight, (tuple, list)):
        if len(tight) != DISTANCE:
            raise InputError("tight is a number, or a pair of a relative and an absolute one")
        return Accuracy.of(*tight)
    return Accuracy.of(tight)


# -- the laws --------------------------------------------------------------------------------------


def _laws(prefix: str, a: Accountant, tight: Accuracy | None) -> list[LawCheck]:
    found: list[LawCheck] = []

    def law(name: str, says: str, citation: str, kind: Any, cases: Any, test: Any, latex: str,
            note: Callable[[], str] = str, few: int = 0) -> None:
        found.append(LawCheck(prefix + name, says, citation, kind, cases, test, latex,
                              prefix.strip(": ") or "accountant", note, few=few))

    for wants in a.wants:
        letter, cited = LETTERS[wants], f"{CH}, (6)"
        shown = CHECKED[a.claims].format(r"\hat" + letter, letter)
        asked, losing = a.questions(wants), a.questions(wants, losing=True)
        if a.claims != "estimate" or a.accuracy is not None:
            says = f"{_called(wants)} {SAYS[a.claims]}"
            ranges = Range(), Range(), Range()
            law(f"valid {wants}", says, cited, "validity", asked, partial(_valid, a, ranges[0]),
                shown, ranges[0].__str__)
            small = a.small(wants)
            if small is not None:
                law(f"small {'deltas' if wants == 'delta' else 'delta, epsilon'}",
                    f"{says}, with delta on a logarithmic scale", cited, "validity", small,
                    partial(_valid, a, ranges[1]), shown, ranges[1].__str__,
                    FEW_SMALL)
            responses = a.responses(wants)
            if responses is not None:
                law(f"randomized response, {wants}", f"{says}, of randomized response", cited,
                    "validity", responses, partial(_valid, a, ranges[2]), shown, ranges[2].__str__)
            below = a.questions(wants, negative=True)
            if wants == "delta" and below is not None and getattr(a, "negative", False):
                law("valid at negative eps", f"{says}, for eps < 0 too", cited, "validity",
                    below.filter(lambda q: q.at < 0), partial(_valid, a, Range()), shown)
            if a.claims != "lower" and losing is not None:
                law(f"infinite losses in {wants}", f"{says}, with mass at infinite loss",
                    f"{SMM}, Lemma 5", "validity", losing, partial(_valid, a, Range()), shown)
        if tight is not None and a.claims in ("upper", "lower"):
            law(f"tight {wants}", f"{_called(wants)} is as near to the truth as is said", cited,
                "tightness", asked, partial(_tight, a, tight), rf"\hat{letter} \approx {letter}")
        law(f"possible {wants}", "a probability" if wants == "delta" else "eps is not negative",
            cited, "shape", asked, partial(_possible, a),
            r"0 \le \delta \le 1" if wants == "delta" else r"\varepsilon \ge 0")
        couples = {name: a.couples(wants, name) for name in ("place", "more", "order")}
        if couples["place"] is not None:
            law(f"monotone {wants}", f"{_called(wants)} does not increase", f"{ZDW}, Lemma 9",
                "shape", couples["place"], partial(_two, a, ">="), _falling(wants))
        # a lower bound may lose more with every release, and be right
        if couples["more"] is not None and a.claims != "lower":
            law(f"more releases, {wants}", "another release never lessens the loss",
                f"{DR}, Proposition 2.1", "shape", couples["more"], partial(_two, a, "<="),
                rf"{letter}[M] \le {letter}[M \times N]")
        if couples["order"] is not None:
            law(f"order, {wants}", "a product does not depend on the order of its factors",
                f"{ZDW}, Theorem 10", "shape", couples["order"], partial(_two, a, "=="),
                rf"{letter}[M \times N] = {letter}[N \times M]")
    # bounds from outside, each rounded outwards or made in another way, need not fit each other
    if len(a.wants) > 1 and a.claims not in ("upper", "lower"):
        law("round trip", "delta at the eps that is answered is at most the delta asked for",
            f"{CH}, (6)", "shape", a.questions("epsilon"), partial(_there_and_back, a),
            r"\hat\delta(\hat\varepsilon(\delta)) \le \delta")
    return found


def _called(wants: Wants) -> str:
    return "delta(eps)" if wants == "delta" else "epsilon(delta)"


def _falling(wants: Wants) -> str:
    x, f = (r"\varepsilon", r"\delta") if wants == "delta" else (r"\delta", r"\varepsilon")
    return rf"{x} \le {x}' \implies {f}({x}) \ge {f}({x}')"


def _asked(question: Any) -> str:
    return str(question.call)


def _valid(a: Accountant, seen: Range, question: Any) -> Violation | None:
    value, truth = a.value(question), a.truth(question)
    seen.add(question.wants, question.at, truth, kind_of(question))
    return compared(value, SIGNS[a.claims], truth, f"{_asked(question)} {SIGNS[a.claims]} truth")


def _tight(a: Accountant, tight: Accuracy, question: Any) -> Violation | None:
    """The truth lies among the numbers that are so near to the answer."""
    value, truth = a.value(question), a.truth(question)
    if truth.is_infinite or value.low.is_infinite or value.high.is_infinite:
        return compared(value, "==", truth, f"{_asked(question)} == truth")
    slack = truth * Real.of(tight.relative) + Real.of(tight.absolute)
    near = Value(truth - slack, truth + slack)
    return compared(value, "==", near, f"{_asked(question)} within {_shown(tight)} of {truth}")


def _shown(tight: Accuracy) -> str:
    parts = [f"{float(x):g}{word}" for x, word in ((tight.relative, " truth"), (tight.absolute, ""))
             if x]
    return " + ".join(parts) or "0"


def _possible(a: Accountant, question: Any) -> Violation | None:
    value, said = a.value(question), _asked(question)
    low = None if a.claims in ("lower", "interval") else compared(value, ">=", 0, f"{said} >= 0")
    most = question.wants == "delta" and a.claims != "interval"
    return low or (compared(value, "<=", 1, f"{said} <= 1") if most else None)


def _two(a: Accountant, sign: str, couple: Couple) -> Violation | None:
    first, second = a.value(couple.first), a.value(couple.second)
    if sign == "==" and a.accuracy in (None, EXACT) and a.claims != "interval" and any(
            _rounded(value) for value in (first, second)):
        raise Undecided("equality of rounded numbers: say accuracy=1e-12")
    found = compared(first, sign, second, f"{_asked(couple.first)} {sign} {_asked(couple.second)}")
    # two bounds, each rounded outwards, may lie so much the wrong way round
    outwards = a.claims in ("upper", "lower") and by_rounding_alone(first, second)
    return None if outwards else found


def _rounded(value: Value) -> bool:
    return "." in value.text or "e" in value.text


def _there_and_back(a: Accountant, question: Any) -> Violation | None:
    there = a.there(question)
    if there is None:
        return None
    return compared(a.value(there), "<=", Fraction(question.at),
                    f"delta({there.at!r}) <= {question.at!r}")


__all__ = ["accountant_laws", "check_accountant"]
