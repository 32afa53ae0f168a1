"""Is a claimed bound ever on the wrong side of the truth, and how near does it come?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from hypothesis import strategies as st

from lapdp.core.calls import fitting
from lapdp.core.errors import InputError, Undefined
from lapdp.core.precision import workprec
from lapdp.testing.conformance.asked_ranges import Ranges
from lapdp.testing.conformance.asking import Asked, compared
from lapdp.testing.conformance.bounds import Arguments, Subject, subject_of
from lapdp.testing.conformance.checks import LawCheck, run
from lapdp.testing.conformance.findings import HIDDEN, LawFailed, Misbehaved, Report, Violation
from lapdp.testing.conformance.guarantees import Bounded
from lapdp.testing.conformance.handed import misfit
from lapdp.testing.conformance.questions import Wants
from lapdp.testing.conformance.responses import response_questions
from lapdp.testing.conformance.search import Undecided
from lapdp.testing.conformance.small import FEW_SMALL, Range, small_questions
from lapdp.testing.conformance.values import (
    BITS,
    EXACT,
    Accuracy,
    NoNumber,
    Real,
    Value,
    read,
)

SIDES = {"upper": ">=", "lower": "<="}
LETTERS = {">=": r"\ge", "<=": r"\le"}
FEW_BITS = 20
FIRST = 10
"""Cases whose ratio is looked at even where that takes long."""
TWO = 2
"""An (eps, delta)."""


@dataclass
class Closeness:
    """How near a bound has come to the truth, over all cases that were tried."""

    attained: int = 0
    tried: int = 0
    compared: int = 0
    """Cases in which the bound is a number, or the truth is infinite as well."""
    ratio: float | None = None
    """The quotient of the smaller and the larger of both, where it was largest."""
    at: str = ""
    ranges: Ranges = field(default_factory=Ranges)

    def note(self, claimed: Value, truth: Value, case: Arguments) -> None:
        """Count a case, and keep the nearest."""
        self.tried += 1
        self.compared += truth.low.is_infinite or not claimed.low.is_infinite
        self.ranges.add(case.names, case.values)
        ends = claimed.low.exact, truth.low.exact
        if claimed == truth or (None not in ends and claimed.low.compare(truth.low) == 0):
            self.attained += 1
        if isinstance(truth.low, Bounded) and self.tried > FIRST:
            return  # its digits take long
        ratio = _ratio(claimed.low, truth.high)
        if ratio is not None and (self.ratio is None or ratio > self.ratio):
            self.ratio, self.at = ratio, ", ".join(
                line for line in str(case).splitlines() if not line.startswith("from "))

    def __str__(self) -> str:
        said = f"attained in {self.attained} of {self.tried} cases"
        asked = f"{self.ranges}\n  " if self.tried else ""
        if self.ratio is None:
            return f"{asked}{said}"
        return f"{asked}{said}; closest ratio {self.ratio:.6g} at {self.at}"


@dataclass(frozen=True)
class BoundReport(Report):
    """What became of a bound, and how tight it is."""

    closeness: Closeness = field(default_factory=Closeness)

    def __str__(self) -> str:
        return f"{super().__str__()}\n  {self.closeness}"


@dataclass(frozen=True)
class Bound:
    """A bound as the laws see it."""

    function: Callable[..., Any]
    of: Subject
    sign: str
    accuracy: Accuracy | None
    closeness: Closeness

    def sides(self, case: Arguments) -> tuple[Value, Value, str] | None:
        """What is claimed, what is true, and both in words; None where nothing is claimed."""
        said = f"bound({', '.join(case.names)})"
        asked = Asked(self.function, self.accuracy, "bound")
        if self.of.guarantee is None:
            claimed = asked(*case.values, said=said)
            return claimed, Value.of(self.of.truth(*case.values)), f"{said} {self.sign} truth"
        returned = asked.raw(*case.values, said=said)
        pair = returned if isinstance(returned, (tuple, list)) else (
            self.of.guarantee(returned, *case.values))
        if len(pair) != TWO:
            raise Misbehaved(Violation(None, "==", None, f"{said} is no pair (eps, delta)"))
        try:
            eps, delta = (read(each, self.accuracy) for each in pair)
        except NoNumber as problem:
            raise Misbehaved(
                Violation(None, "==", None, f"{said} is no number: {problem}")) from None
        # of the numbers that eps may mean, the one that makes the claim true if any does
        place = eps.high if self.sign == ">=" else eps.low
        if place.is_infinite:
            return None
        return delta, Value.of(self.of.truth(place.exact, *case.values)), (
            f"{said} = {returned}: delta {self.sign} delta({place})")

    def valid(self, case: Arguments) -> Violation | None:
        """Is the bound on its side?"""
        sides = self._sides(case)
        if sides is None:
            return None
        claimed, truth, said = sides
        found = compared(claimed, self.sign, truth, said)
        self.closeness.note(claimed, truth, case)
        return found

    def tight(self, case: Arguments) -> Violation | None:
        """Is it the truth?"""
        sides = self._sides(case)
        if sides is None:
            return None
        claimed, truth, said = sides
        return compared(claimed, "==", truth, said.replace(self.sign, "=="))

    def _sides(self, case: Arguments) -> tuple[Value, Value, str] | None:
        try:
            return self.sides(case)
        except Undefined as problem:
            raise Undecided(f"there is no truth: {problem}") from None


@fitting
def bound_laws(bound: Callable[..., Any], *, of: Any, side: str = "upper", over: Any = None,
               accuracy: Any = None, absolute: Any = 0, tight: bool = False, doubles: bool = True
               ) -> list[LawCheck]:
    """The laws of :func:`check_bound`, for ``parametrize_with_laws``."""
    return _laws(bound, of, side, over, accuracy, absolute, tight, doubles)[0]


def _laws(bound: Any, of: Any, side: str, over: Any, accuracy: Any, absolute: Any, tight: bool,
          doubles: bool) -> tuple[list[LawCheck], Closeness]:
    if not callable(bound):
        raise InputError(f"{str(bound)[:40]!r} is no bound: give a function")
    if not isinstance(side, str) or side not in SIDES:
        raise InputError(f'side={side!r} must be "upper" or "lower"')
    subject, closeness = subject_of(of, over), Closeness()
    said = misfit(bound, *subject.names)
    if said:
        raise InputError(f"a bound of={of if isinstance(of, str) else 'this function'!r} is called "
                         f"with ({', '.join(subject.names)}): {said}")
    if not subject.worst and (side == "lower" or tight):
        raise InputError(f"the worst case of {subject.says} is known from below alone: "
                         'side="upper", without tight')
    how = Accuracy.stated(accuracy, absolute) or EXACT
    sign = SIDES[side]
    made = Bound(bound, subject, sign, how, closeness)
    cases = subject.drawn(doubles).map(lambda values: _arguments(subject.names, values))
    name = getattr(bound, "__name__", "bound")
    latex = rf"\text{{bound}} {LETTERS[sign]} {subject.latex}"
    found = [LawCheck("valid", f"a bound of {subject.says} is never "
                      f"{'below' if side == 'upper' else 'above'} it", subject.citation, "validity",
                      cases, made.valid, latex, name)]
    if over is None and of in ("delta", "epsilon"):
        responses = response_questions("pair", of, doubles).map(
            lambda asked: _arguments(subject.names, asked.arguments))
        found.append(replace(found[0], name="randomized response", cases=responses,
                             says=f"{found[0].says}, of randomized response"))
        seen = Range()
        small = small_questions("pair", of, finite_only=True, doubles=doubles).map(
            lambda asked: _arguments(subject.names, asked.arguments))
        found.append(replace(
            found[0], name="small deltas", cases=small, few=FEW_SMALL, note=seen.__str__,
            says=f"{found[0].says}, with delta on a logarithmic scale",
            test=partial(_noted, made, of, seen)))
    if tight:
        found.append(LawCheck("tight", f"the bound is attained: {subject.says}", subject.citation,
                              "tightness", cases, made.tight,
                              rf"\text{{bound}} = {subject.latex}", name))
    return found, closeness


@fitting
def check_bound(bound: Callable[..., Any], *, of: Any, side: str = "upper",
                over: st.SearchStrategy[Any] | None = None, accuracy: Any = None, absolute: Any = 0,
                tight: bool = False, doubles: bool = True,
                laws: str | Iterable[str] | None = None, examples: int = 200, seed: int = 0,
                seconds: float | None = None, on_fail: str = "raise") -> BoundReport:
    """Search for a case in which a claimed bound lies on the wrong side of the truth.

    ``of`` says what it bounds, and with that how it is called and what it returns:

    - "delta" (pair, eps), "epsilon" (pair, delta), "renyi" and "moment" (pair, q), "tradeoff"
      (pair, a): that number of a pair, finite or drawn from ``over``; delta and epsilon are
      asked of randomized response, too, and where delta is from 1e-2 to 1e-30;
    - "composed_delta" (guarantees, eps): delta of a composition of [(eps_i, delta_i), ...];
    - "composition" (guarantees, delta): eps at that delta, or an (eps, delta) that holds;
    - "amplification" (eps, delta, rate): eps at rate * delta, or an (eps, delta) that holds, for a
      Poisson sample of an (eps, delta) mechanism, in both directions;
    - "group" (eps, delta, k): delta at k eps, or an (eps, delta) that holds, for groups of k;
    - "conversion" (bounds, delta): eps at that delta, from R_q <= r for each (q, r) of bounds;
    - "zcdp" (rho, delta): eps at that delta, from rho-zCDP, tried on Gaussians;
    - a function that gives the truth; ``over`` draws tuples of its arguments.

    What follows from guarantees is held against the worst pair that keeps them.  Arguments are
    doubles, or with ``doubles=False`` exact (eps a log of a rational number); numbers that come
    back are meant as they are, unless ``accuracy=`` (relative) and ``absolute=`` say how far they
    are from what they mean.  Arguments range over decades: rho from 1/1000 to 999, hundreds of
    guarantees, deltas down to 1e-12; the report prints the range that was asked.  It says how near
    the bound came, too; ``tight=True`` makes it a law
    that it is the truth in every case.

    Raises :class:`LawFailed` with the case, or returns a :class:`BoundReport`; :class:`InputError`
    for words without meaning.

    >>> import sympy as sp
    >>> def add_eps_alone(guarantees, delta):                     # forgets the deltas
    ...     return sum(eps for eps, _ in guarantees)
    >>> report = check_bound(add_eps_alone, of="composition", doubles=False, on_fail="report")
    >>> print(report.failures[0].case)
    from fractions import Fraction
    from sympy import Rational, log
    guarantees = ((log(Rational(5, 4)), Fraction(1, 4)),)
    delta = Fraction(1, 100)
    >>> def basic(guarantees, _):
    ...     eps, delta = zip(*guarantees)
    ...     return sum(eps), sum(delta)
    >>> print(check_bound(basic, of="composition", doubles=False, examples=50))
    basic:
      valid: passed, 50 examples
      asked: number of guarantees from 1 to ...; eps_i from ...
      attained in ... of 50 cases; closest ratio 1 at guarantees = ...
    """
    __tracebackhide__ = HIDDEN
    found, closeness = _laws(bound, of, side, over, accuracy, absolute, tight, doubles)
    report = run(getattr(bound, "__name__", "bound"), found, laws=laws, examples=examples,
                 seed=seed, on_fail="report", seconds=seconds)
    if on_fail not in ("raise", "report"):
        raise InputError(f'on_fail={on_fail!r} must be "raise" or "report"')
    if report and not closeness.compared:
        # what never comes near the truth because it is infinite bounds nothing
        report = replace(report, findings=tuple(replace(
            f, mute="the bound is infinite in every case that was tried, and bounds nothing")
            if f.law == "valid" else f for f in report.findings))
    if not report and on_fail == "raise":
        raise LawFailed(report.failures, report.cut)
    return BoundReport(report.thing, report.findings, closeness)


def _noted(made: Bound, of: Wants, seen: Range, case: Arguments) -> Violation | None:
    pair, at = case.values
    seen.add(of, at, made.of.truth(pair, at), "finite")
    return made.valid(case)


def _arguments(names: tuple[str, ...], values: Any) -> Arguments:
    if not isinstance(values, (tuple, list)) or len(values) != len(names):
        raise InputError(f"over= has drawn {str(values)[:40]}: it must give tuples "
                         f"({', '.join(names)})")
    return Arguments(names, tuple(map(_tuples, values)))


def _tuples(value: Any) -> Any:
    """Lists as tuples: cases are constants."""
    return tuple(map(_tuples, value)) if isinstance(value, (list, tuple)) else value


def _ratio(a: Real, b: Real) -> float | None:
    """For people to read; None where one is 0, infinite or known to few digits only."""
    if a.is_infinite or b.is_infinite:
        return None
    with workprec(BITS[0]):
        balls = a.ball(), b.ball()
        if not all(ball > 0 and ball.rel_accuracy_bits() > FEW_BITS for ball in balls):
            return None
        return float(min(balls[0] / balls[1], balls[1] / balls[0], key=float))


__all__ = ["BoundReport", "Closeness", "bound_laws", "check_bound"]
