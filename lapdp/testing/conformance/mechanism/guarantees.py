"""Laws of (eps, delta) guarantees: one release, several, and datasets further apart."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import sympy as sp
from hypothesis import strategies as st

from lapdp.core.errors import InputError
from lapdp.testing.conformance.asking import compared
from lapdp.testing.conformance.checks import Kind, LawCheck
from lapdp.testing.conformance.findings import Misbehaved, Violation
from lapdp.testing.conformance.mechanism.sides import (
    ZERO,
    Sides,
    number,
    odds,
)
from lapdp.testing.conformance.mechanism.subjects import Subject
from lapdp.testing.conformance.search import Undecided
from lapdp.testing.conformance.values import Real, Value

DEFINITION = "Dwork and Roth 2014, Definition 2.4"
FORWARD, REVERSED = "forward", "reversed"
_LETTERS = {FORWARD: ("P", "Q"), REVERSED: ("Q", "P")}


@dataclass(frozen=True)
class Guarantee:
    """A claimed (eps, delta); delta is 0 where one number was given."""

    eps: Value
    delta: Value

    def __str__(self) -> str:
        return f"({self.eps}, {self.delta})"


def read_guarantee(subject: Subject, claim: Any, name: str, case: Any, *more: Any) -> Guarantee:
    """What the claim says at a case: a couple, or eps alone; constants or a function."""
    said = subject.claimed(claim, name, case, *more)
    both = said if isinstance(said, (tuple, list)) else (said, 0)
    if len(both) != 2:
        raise Misbehaved(Violation(None, "==", None, f"{name} is {str(said)[:60]}: a guarantee is "
                                   "(eps, delta), or eps alone"))
    eps, delta = (number(part, subject.accuracy, f"{letter} of {name}")
                  for part, letter in zip(both, ("eps", "delta"), strict=True))
    return Guarantee(eps, delta)


def oriented(sides: Sides, direction: str) -> Sides:
    """The two distributions in one of both orders."""
    return sides if direction == FORWARD else sides.reverse()


def kept(sides: Sides, claim: Guarantee, direction: str, what: str = "") -> Violation | None:
    """Is the hockey-stick divergence at eps at most delta?  eps counts in the claim's favour."""
    p, q = _LETTERS[direction]
    seen = oriented(sides, direction)
    asked = f"{what}delta_{{{p}|{q}}}(eps) <= delta at (eps, delta) = {claim}"
    found = compared(seen.delta(claim.eps.high), "<=", claim.delta, asked)
    return found and replace(found, detail=f"{sides}{seen.event(claim.eps.high)}\n{asked}")


def guarantee_laws(subject: Subject, guarantee: Any, *, tight: bool) -> list[LawCheck]:
    """The guarantee in both directions, what it says of infinite losses, and tightness."""
    def holds(direction: str) -> Any:
        return lambda case: kept(subject.valid_sides(case),
                                 read_guarantee(subject, guarantee, "guarantee", case), direction)

    def infinite(case: Any) -> Violation | None:
        sides = subject.valid_sides(case)
        delta = read_guarantee(subject, guarantee, "guarantee", case).delta
        for direction, (p, q) in _LETTERS.items():
            found = compared(oriented(sides, direction).infinite_mass(), "<=", delta,
                             f"{sides}\nthe {p}-mass where {q} has none is at most delta")
            if found:
                return found
        return None

    laws = [
        _law(subject, "guarantee", "P(S) <= e^eps Q(S) + delta for all events S", DEFINITION,
             "validity", holds(FORWARD), r"\delta_{P|Q}(\varepsilon) \le \delta"),
        _law(subject, "guarantee, reversed", "Q(S) <= e^eps P(S) + delta for all events S",
             DEFINITION, "validity", holds(REVERSED), r"\delta_{Q|P}(\varepsilon) \le \delta"),
        _law(subject, "mass at infinity", "an infinite loss has probability at most delta",
             "Chourasia et al. 2024, (6), eps to infinity", "validity", infinite,
             r"\Pr[Z = \infty] \le \delta"),
    ]
    return laws + ([_attained(subject, guarantee)] if tight else [])


def _attained(subject: Subject, guarantee: Any) -> LawCheck:
    searched = subject.searched()

    def test(case: Any) -> Violation | None:
        claim = read_guarantee(subject, guarantee, "guarantee", case)
        if not (claim.delta.is_point and claim.delta.low.exact is not None):
            raise Undecided("a rounded delta is attained by no eps in particular")
        largest, by = None, None
        for sides in searched(case):
            for direction in _LETTERS:
                least = oriented(sides, direction).least_epsilon(claim.delta.low)
                order = least.low.compare(claim.eps.low)
                if order is None or order >= 0:
                    return None
                if largest is None or largest.low.compare(least.low) == -1:
                    largest, by = least, sides
        assert largest is not None
        return compared(largest, "==", claim.eps,
                        f"{by}\nno pair of distributions needs more than this eps for delta = "
                        f"{claim.delta}")

    return LawCheck("guarantee attained", "no smaller eps goes with delta",
                    "Dwork and Roth 2014, Definition 2.4; the converse", "tightness",
                    subject.settings(), test, r"\varepsilon(\delta) = \varepsilon", subject.name)


def composition_laws(subject: Subject, composed: Any, most: int = 6) -> list[LawCheck]:
    """The claimed guarantee of k independent releases."""
    field = subject.field("k")

    def test(case: Any) -> Violation | None:
        k = getattr(case, field)
        sides = subject.valid_sides(case).power(k)
        claim = read_guarantee(subject, composed, "composed", case, k)
        return (kept(sides, claim, FORWARD, f"k = {k}: ")
                or kept(sides, claim, REVERSED, f"k = {k}: "))

    return [_law(subject, "claimed composition",
                 "k independent releases keep what is claimed of them",
                 "Dwork and Roth 2014, Definition 2.4 and section 3.5", "validity", test,
                 r"\delta_{P^k|Q^k}(\varepsilon_k) \le \delta_k", **{field: st.integers(1, most)})]


def group_laws(subject: Subject, chains: Any, guarantee: Any, group: Any) -> list[LawCheck]:
    """What is claimed, or follows, of datasets several steps apart."""
    if not isinstance(chains, st.SearchStrategy):
        raise InputError("chains must be a strategy of chains of datasets, such as "
                         "lapdp.testing.strategies.chains()")

    def claimed(case: Any) -> Guarantee:
        k = len(case.chain) - 1
        if group is not None:
            return read_guarantee(subject, group, "group", case, k)
        one = read_guarantee(subject, guarantee, "guarantee", case)
        if one.eps.high.exact is None or one.eps.high.is_infinite:
            raise Undecided("eps is no exact finite number")
        # delta (1 + e^eps + ... + e^((k - 1) eps))
        total = sum((Value.of(odds(Real.of(sp.sympify(one.eps.high.exact) * i)))
                     for i in range(k)), ZERO)
        return Guarantee(Value.of(Real.of(sp.sympify(one.eps.high.exact) * k)),
                         one.delta.times(total))

    def test(case: Any) -> Violation | None:
        sides, claim = subject.valid_sides(case), claimed(case)
        what = f"k = {len(case.chain) - 1}: "
        return kept(sides, claim, FORWARD, what) or kept(sides, claim, REVERSED, what)

    says = ("the claim of k steps holds" if group is not None else
            "datasets k steps apart: (k eps, delta (1 + e^eps + ... + e^((k - 1) eps)))")
    return [LawCheck("group privacy", says,
                     "Dwork and Roth 2014, Theorem 2.2; Vadhan 2017, Lemma 2.2", "validity",
                     subject.chained(chains), test,
                     r"\delta_{M(D_0)|M(D_k)}(\varepsilon_k) \le \delta_k", subject.name)]


def _law(subject: Subject, name: str, says: str, citation: str, kind: Kind, test: Any, latex: str,
         **extra: Any) -> LawCheck:
    return LawCheck(name, says, citation, kind, subject.cases(**extra), test, latex, subject.name)


__all__ = ["FORWARD", "REVERSED", "Guarantee", "composition_laws", "group_laws", "guarantee_laws",
           "kept", "oriented", "read_guarantee"]
