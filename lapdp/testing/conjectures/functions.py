"""Conjectures between Python functions of a drawn case: searched, and never proved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from lapdp.core.errors import InputError
from lapdp.testing.conformance.asking import Asked, compared
from lapdp.testing.conformance.findings import Violation
from lapdp.testing.conformance.printing import pasted
from lapdp.testing.conformance.search import Found, search
from lapdp.testing.conformance.values import Accuracy

RELATIONS = ("==", "<=", ">=")


@dataclass(frozen=True)
class FunctionConjecture:
    """What became of a conjecture between functions: ``refuted``, or ``open``.

    It has no truth value: ask ``refuted`` or ``open``.
    """

    claim: str
    found: Found
    seed: int

    @property
    def verdict(self) -> str:
        """``refuted`` or ``open``."""
        return "open" if self.found.violation is None else "refuted"

    @property
    def refuted(self) -> bool:
        """Is there a counterexample?"""
        return self.verdict == "refuted"

    @property
    def open(self) -> bool:
        """Is there none?"""
        return not self.refuted

    proved = False
    """Functions cannot be proved."""

    def __bool__(self) -> bool:
        raise TypeError("a conjecture is refuted, proved or open: ask .refuted, .proved or .open")

    @property
    def case(self) -> Any:
        """The smallest counterexample, None without one."""
        return self.found.case

    @property
    def violation(self) -> Violation | None:
        """Both values there."""
        return self.found.violation

    @property
    def python(self) -> str:
        """The counterexample as Python, bound to ``case``."""
        if not self.refuted:
            raise InputError("there is no counterexample to paste")
        return pasted({"case": self.case})

    def latex(self) -> str:
        """Both values at the counterexample."""
        return self.violation.latex() if self.violation is not None else ""

    def __repr__(self) -> str:
        return f"FunctionConjecture({self.claim}: {self.verdict})"

    def __str__(self) -> str:
        found = self.found
        lines = [f"conjecture: {self.verdict}", f"  claim:    {self.claim}"]
        if found.violation is not None:
            case = self.python.splitlines()
            told = [found.violation.detail, found.violation.values,
                    "" if found.steady else "called again, it gave another answer"]
            lines += ["  witness:  " + case[0], *(f"            {line}" for line in case[1:])]
            lines += [f"            {line}" for line in told if line]
        else:
            lines.append("  proof:    none: functions are searched only; a proof needs two sides "
                         "in the words of lapdp.theory")
        tried = f"{found.tried} case{'s' * (found.tried != 1)}, seed {self.seed}"
        if found.undecided:
            tried += f"; {found.undecided} of them not decided: {found.reason}"
        return "\n".join([*lines, f"  searched: {tried}"])

    def _repr_html_(self) -> str:
        from lapdp.report.html.findings import function_card

        return function_card(self)

    def _repr_markdown_(self) -> str:
        return f"```text\n{self}\n```"


def searched(lhs: Any, relation: str, rhs: Any, over: st.SearchStrategy[Any] | None, examples: int,
             seed: int, seconds: float, accuracy: Any = None, absolute: Any = 0
             ) -> FunctionConjecture:
    """Ask both sides of every case drawn; a side that is a number stands for itself."""
    if over is None:
        raise InputError("functions need over=: a strategy of the cases they are called with, such "
                         "as finite_pairs() of lapdp.testing.strategies")
    if not isinstance(over, st.SearchStrategy):
        raise InputError(f"over= is a strategy of hypothesis, not {str(over)[:40]}")
    if relation not in RELATIONS:
        raise InputError(f"between functions the relation is one of {', '.join(RELATIONS)}")
    allowed = Accuracy.stated(accuracy, absolute)
    sides = [Asked(side, allowed, _name(side, place)) if callable(side) else side
             for side, place in ((lhs, "lhs"), (rhs, "rhs"))]
    names = [side.name + "(case)" if isinstance(side, Asked) else str(side) for side in sides]
    claim = f"{names[0]} {relation} {names[1]}"

    def test(case: Any) -> Violation | None:
        left, right = (side(case, said=name) if isinstance(side, Asked) else side
                       for side, name in zip(sides, names, strict=True))
        return compared(left, relation, right, "")

    return FunctionConjecture(claim, search(over, test, examples=examples, seed=seed,
                                            seconds=seconds), seed)


def _name(function: Any, place: str) -> str:
    name = str(getattr(function, "__name__", place))
    return name if name.isidentifier() else place


__all__ = ["FunctionConjecture", "searched"]
