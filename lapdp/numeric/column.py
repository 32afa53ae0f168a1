"""The numeric column of a statement: its claim at random instances, by its defining integrals."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any

import sympy as sp
from mpmath import mp

from lapdp.calculus.nodes import (
    Bilateral,
    Bromwich,
    Convolution,
    OneSided,
    Primitive,
    SymmetricIntegral,
)
from lapdp.core.errors import InputError, LapdpError, Undefined, Unsupported
from lapdp.core.verdict import Numeric
from lapdp.numeric.claims import Outcome, holds, needs_nodes, satisfied
from lapdp.numeric.evaluate import Evaluator, OutOfTime
from lapdp.numeric.instances import KINDS, Drawer, Instance

METHOD = "mpmath quadrature of the defining integrals, finite pairs and parameters at random"

_GUARD = 15
_DENSITY_DIGITS = 18
_NESTED_DIGITS, _NESTED_GUARD = 14, 10
_DENSITY_BUDGET = 150_000
"""Evaluations allowed to an instance with densities, whose profiles are integrals themselves."""

_CHEAP_TRIES = 400
_DEAR_TRIES = 60


def column(statement: Any, *, instances: int = 12, digits: int = 30, seed: int = 0,
           time_limit: float = 20) -> Numeric:
    """Evaluate the claim of a statement at random instances of its hypotheses.

    ``agrees`` is True when every instance agrees, False at the first that does not, None when the
    column does not apply (``reason`` says why).  ``digits`` is the least number of digits that
    agreed.  It reports; it never decides a proof.

    >>> from lapdp.theory import Eq, pair, reals, delta, claim
    >>> P, Q = pair(); eps = reals("eps")
    >>> right = claim("x/eq-7", Eq(delta(Q, P)(eps),
    ...                            1 - sp.exp(eps) + sp.exp(eps)*delta(P, Q)(-eps)))
    >>> column(right, instances=6).agrees
    True
    >>> wrong = claim("x/wrong", Eq(delta(Q, P)(eps), 1 - sp.exp(eps) + delta(P, Q)(-eps)))
    >>> column(wrong, instances=6).agrees
    False
    """
    started = time.monotonic()
    run = _Run(statement, instances, digits, seed, started + time_limit)
    failure = None
    for instance, outcome in run.outcomes():
        if outcome.holds is False:
            failure = f"{outcome.lhs} against {outcome.rhs}"
            if outcome.why:
                failure += f" ({outcome.why})"
            failure += f" at {instance.record()['parameters']}"
            break
    seconds = round(time.monotonic() - started, 3)
    if failure is not None:
        return Numeric(METHOD, 0, run.agreed + 1, False, failure, seconds)
    if not run.agreed:
        reason = run.reason or "no instance satisfies the hypotheses"
        return Numeric(METHOD, 0, 0, None, reason, seconds)
    return Numeric(METHOD, min(run.digits, digits), run.agreed, True, run.reason, seconds)


def counterexample(statement: Any, *, instances: int = 40, digits: int = 30, seed: int = 0,
                   time_limit: float = 20) -> dict[str, Any] | None:
    """The first instance that disagrees, as plain data, or None.

    Keys: ``parameters``, one ``pair NAME`` or ``function NAME`` each, ``lhs``, ``rhs``, ``why``.

    >>> from lapdp.theory import Le, pair, reals, delta, claim
    >>> P, Q = pair(); eps = reals("eps")
    >>> found = counterexample(claim("x/no", Le(delta(P, Q)(eps), 0)))
    >>> sorted(found)
    ['lhs', 'pair P,Q', 'parameters', 'rhs', 'why']
    """
    run = _Run(statement, instances, digits, seed, time.monotonic() + time_limit)
    for instance, outcome in run.outcomes():
        if outcome.holds is False:
            return {**instance.record(), "lhs": outcome.lhs, "rhs": outcome.rhs,
                    "why": outcome.why}
    return None


class _Run:
    """Instances of one statement and what they say."""

    def __init__(self, statement: Any, instances: int, digits: int, seed: int, deadline: float
                 ) -> None:
        if instances < 1 or digits < 10:
            raise InputError("a numeric column needs at least 1 instance and 10 digits")
        self.statement, self.deadline = statement, deadline
        self.rng = random.Random(f"{seed}")
        self.total, self.wanted, self.goal = instances, instances, digits
        self.guard = _GUARD
        self.agreed, self.digits, self.reason = 0, 99, ""
        self.cheap = [h for h in statement.where if not needs_nodes(h)]
        self.dear = [h for h in statement.where if needs_nodes(h)]

    def outcomes(self) -> Iterator[tuple[Instance, Outcome]]:
        """Instances in a fixed order with their outcomes; stops when time is up."""
        if type(self.statement.claim).__name__ in (
                "Implies", "Iff", "NotAlways", "AllOf", "ExistsEvents"):
            self.reason = "an implication over all values is not tested at single instances"
            return
        why = _beyond(self.statement)
        if why:
            self.reason = why
            return
        drawer = Drawer(self.statement, self.goal)
        plan = self._plan(drawer)
        for kind in plan:
            digits = _DENSITY_DIGITS if kind == "density" and drawer.dense else self.goal
            digits = min(digits, self.goal)
            budget = _DENSITY_BUDGET if kind == "density" else float("inf")
            with mp.workdps(digits + self.guard):
                try:
                    drawer.digits = digits
                    instance = self._draw(drawer, kind)
                    if instance is None:
                        continue
                    ev = Evaluator(instance, self.deadline, budget)
                    outcome = holds(self.statement.claim, ev)
                except OutOfTime as stop:
                    self.reason = f"{stop} after {self.agreed} instances"
                    return
                except LapdpError as stop:
                    self.reason = str(stop)
                    continue
                except (ArithmeticError, ValueError, NotImplementedError, mp.NoConvergence) as stop:
                    self.reason = f"mpmath: {stop or type(stop).__name__}"
                    continue
                if outcome.holds is None:
                    self.reason = outcome.why
                elif outcome.holds:
                    self.agreed += 1
                    self.digits = min(self.digits, outcome.digits, ev.digits)
                yield instance, outcome
            if self.agreed >= self.wanted:
                return
            if time.monotonic() > self.deadline:
                self.reason = f"the time limit ran out after {self.agreed} instances"
                return

    def _plan(self, drawer: Drawer) -> list[str]:
        count = self.total
        if not drawer.pairs and not drawer.names and not self.statement.parameters:
            count = 1
        inversions = {n for e in drawer.trees for n in e.atoms(Bromwich, SymmetricIntegral)}
        if inversions:
            nested = any(n.args[0].has(OneSided, Bilateral) for n in inversions)
            self.wanted = min(self.wanted, 1 if nested else 3)
            count, drawer.simple = min(count, 4 * self.wanted), nested
        elif any(e.has(Convolution, Primitive) and e.has(OneSided, Bilateral)
                 for e in drawer.trees):
            self.wanted, self.goal = min(self.wanted, 4), min(self.goal, _NESTED_DIGITS)
            self.guard, drawer.simple = _NESTED_GUARD, True
        kinds = [KINDS[k % 5] for k in range(count)]
        if drawer.dense and not inversions and count > 5:
            kinds[-1] = "density"
        return kinds

    def _draw(self, drawer: Drawer, kind: str) -> Instance | None:
        """An instance that satisfies the hypotheses, or None after bounded tries."""
        dear = 0
        for attempt in range(_CHEAP_TRIES):
            if time.monotonic() > self.deadline:
                raise OutOfTime("the time limit ran out")
            now = kind if attempt < 10 else self.rng.choice(KINDS[:-1])
            try:
                instance = drawer.draw(self.rng, now)
            except (InputError, Undefined):
                continue
            if self._solve(instance) & set(drawer.first):
                try:
                    drawer.remake(instance)
                except (InputError, Undefined):
                    continue
            ev = Evaluator(instance, self.deadline)
            if not all(satisfied(h, ev) for h in self.cheap):
                continue
            dear += 1
            if all(satisfied(h, ev) for h in self.dear):
                return instance
            if dear >= _DEAR_TRIES:
                break
        return None

    def _solve(self, instance: Instance) -> set[Any]:
        """Give a symbol the value that a hypothesis ``symbol == expression`` asks for; which
        symbols were given one."""
        given: set[Any] = set()
        for h in self.cheap:
            if not isinstance(h, sp.Eq):
                continue
            for s, other in ((h.lhs, h.rhs), (h.rhs, h.lhs)):
                if s in instance.values and s not in other.free_symbols:
                    try:
                        instance.values[s] = Evaluator(instance).value(other)
                    except (Undefined, Unsupported):
                        continue
                    given.add(s)
                    break
        return given


def _beyond(statement: Any) -> str:
    """Why single instances of independent pairs do not test a statement; empty if they do."""
    forms = (statement.claim, *statement.where)
    if any(type(form).__name__ == "ForAll" for form in forms):
        return "a claim or hypothesis for all values is not tested at single instances"
    if any(len(p.names) != 2 for p in statement.pairs):
        return "several distributions on one space: only pairs are drawn"
    if any(part.role is not None for p in statement.pairs for a in p.atoms()
           for part in (a, *a.factors)):
        return "pairs of a composition depend on each other and are not drawn"
    return ""


__all__ = ["METHOD", "column", "counterexample"]
