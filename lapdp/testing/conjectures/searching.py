"""The smallest counterexample among random exact instances, or how far was searched.

An instance is evaluated by the engine's own exact evaluation of statements at finite pairs
(:class:`lapdp.theory.witness.Trial`); a failure is looked at once more by the definitions before it
counts (:mod:`lapdp.testing.conjectures.second_route`).
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from random import Random
from typing import Any

from hypothesis import HealthCheck, Phase, find, reject, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample, Unsatisfiable

from lapdp.calculus.ordering import NeedSplit
from lapdp.core.errors import IllFormed, InputError, LapdpError, Undefined, Unsupported
from lapdp.core.verdict import Witness
from lapdp.privacy.finite import FinitePair
from lapdp.testing.conjectures.instances import Drawn
from lapdp.testing.conjectures.second_route import second_look
from lapdp.testing.conjectures.smallest import smallest
from lapdp.theory.instances import Instance
from lapdp.theory.methods.generalised import line_variable
from lapdp.theory.witness import Trial

HOLDS, FAILS, NO_VALUE, OUTSIDE, OPEN = "holds", "fails", "no value", "outside", "open"


class Disagreement(LapdpError):
    """The two routes contradict each other: a fault of this package, never of the conjecture."""


@dataclass(frozen=True)
class Counterexample:
    """The smallest instance found, its witness, and what the second route says of it."""

    instance: Instance
    witness: Witness
    second: str
    """Both values by the second route, empty where the definitions do not reach the claim."""
    undefined: bool
    """Does a side have no value there, and are all instances of both values in order?"""


@dataclass
class Searched:
    """How far a search went, and what it found."""

    found: Counterexample | None = None
    looked: int = 0
    """Instances that satisfy the hypotheses and were decided."""
    open: int = 0
    """Instances outside the exact class."""
    outcomes: int = 0
    """The most outcomes of one pair among them."""
    seed: int = 0
    seconds: float = 0.0
    stopped: str = ""
    """Why the search ended early, or was not made; empty where it ran to its end."""

    def __str__(self) -> str:
        """How far, in one line.

        >>> str(Searched(looked=200, outcomes=3))
        '200 instances up to 3 outcomes a pair, seed 0'
        """
        if self.stopped and not self.looked:
            return f"no random instances: {self.stopped}"
        size = f" up to {_count(self.outcomes, 'outcome')} a pair" if self.outcomes else ""
        line = f"{_count(self.looked, 'instance')}{size}, seed {self.seed}"
        if self.open:
            line += f"; {self.open} more not decided exactly"
        return line + (f"; stopped by {self.stopped}" if self.stopped else "")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def search(statement: Any, *, examples: int = 200, seed: int = 0, seconds: float = 20.0,
           max_size: int = 3, over: st.SearchStrategy[FinitePair] | None = None) -> Searched:
    """The smallest instance at which a statement fails, both sides having a value if possible.

    ``examples`` instances that satisfy the hypotheses are drawn, from ``seed``; no more than
    ``seconds`` are spent.  Raises :class:`Disagreement` where the second route finds no failure.

    >>> from lapdp.theory import Eq, claim, delta, pair
    >>> P, Q = pair()
    >>> found = search(claim("symmetric", Eq(delta(P, Q)(1), delta(Q, P)(1)))).found
    >>> print(found.witness.text, found.witness.lhs, found.witness.rhs, sep="; ")
    P, Q = mechanism_pair(finite([1, 0], ["1/2", "1/2"])); 0; 1/2
    """
    result = Searched(seed=seed)
    try:
        drawn = Drawn(statement, max_size, over)
    except Unsupported as problem:
        result.stopped = str(problem)
        return result
    asked = _Asked(statement, time.monotonic() + seconds)
    start = time.monotonic()
    # without letters there is one instance only
    limit = examples if statement.parameters or statement.pairs else 1
    for wanted in (FAILS, NO_VALUE):
        if wanted == NO_VALUE and not asked.counts.get(NO_VALUE):
            break
        smallest = _smallest(drawn, asked, wanted, limit, seed)
        if smallest is not None:
            result.found = _confirmed(statement, smallest, asked, wanted == NO_VALUE)
            break
    counts = asked.counts
    result.looked = sum(counts.get(k, 0) for k in (HOLDS, FAILS, NO_VALUE))
    result.open, result.outcomes = counts.get(OPEN, 0), asked.outcomes
    result.stopped = "the time limit" if asked.late and result.found is None else ""
    if not result.looked and not result.stopped and not result.open:
        result.stopped = "no instance drawn satisfies the hypotheses"
    result.seconds = time.monotonic() - start
    return result


def _smallest(drawn: Drawn, asked: _Asked, wanted: str, examples: int,
              seed: int) -> Instance | None:
    def condition(instance: Instance) -> bool:
        kind = asked(instance)
        if kind == OUTSIDE:
            reject()
        return kind == wanted

    try:
        found = find(drawn.instances(), condition, random=Random(seed), settings=settings(
            max_examples=examples, database=None, deadline=None, derandomize=False,
            phases=(Phase.generate, Phase.shrink), suppress_health_check=list(HealthCheck)))
    except (NoSuchExample, Unsatisfiable):
        return None
    # pairs from elsewhere stay as they were drawn
    free = drawn.free if drawn.over is None and not found.events else ()
    return smallest(found, lambda other: asked(other) == wanted, drawn.pools, free)


class _Asked:
    """What instances say of a statement; each is evaluated once."""

    def __init__(self, statement: Any, deadline: float) -> None:
        self.statement, self.deadline = statement, deadline
        self.line = line_variable(statement)
        self.known: dict[str, tuple[str, Witness | None]] = {}
        self.counts: dict[str, int] = {}
        self.outcomes, self.late = 0, False

    def __call__(self, instance: Instance) -> str:
        key = instance.text()
        if key not in self.known:
            if time.monotonic() > self.deadline:
                # nothing is kept, nothing counts: what was found before stays the smallest
                self.late = True
                return HOLDS
            self.known[key] = kind, _ = self._ask(instance)
            self.counts[kind] = self.counts.get(kind, 0) + 1
            if kind not in (OUTSIDE, OPEN):
                self.outcomes = max([self.outcomes, *(
                    len(m.masses) for _, m in instance.pairs.values()
                    if isinstance(m, FinitePair))])
        return self.known[key][0]

    def witness(self, instance: Instance) -> Witness:
        found = self.known[instance.text()][1]
        assert found is not None
        return found

    def _ask(self, instance: Instance) -> tuple[str, Witness | None]:
        try:
            trial = Trial(instance, self.line)
            if not all(trial.holds(form) for form in self.statement.where):
                return OUTSIDE, None
            found = trial.against(self.statement.claim)
        except (Unsupported, Undefined, NeedSplit, InputError, IllFormed):
            return OPEN, None
        if found is None:
            return HOLDS, None
        missing = any(side.startswith("undefined") for side in (found.lhs, found.rhs))
        return (NO_VALUE if missing else FAILS), found


def _confirmed(statement: Any, instance: Instance, asked: _Asked, undefined: bool
               ) -> Counterexample:
    witness = asked.witness(instance)
    holds, values = second_look(statement.claim, instance)
    if holds and undefined:
        # the definitions take +oo for a value, the statement language asks for a number
        values += ": with oo as a value the relation holds there"
    elif holds:
        raise Disagreement(
            f"two routes disagree at {witness.text}: exactly {witness.lhs} against {witness.rhs}, "
            f"by the definitions {values}: please report this")
    return Counterexample(instance, witness, "" if holds is None else values, undefined)


__all__ = ["Counterexample", "Disagreement", "Searched", "search"]
