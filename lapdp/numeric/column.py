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
from lapdp.numeric.claims import holds, needs_nodes, satisfied
from lapdp.numeric.evaluate import Evaluator
from lapdp.numeric.instances import KINDS, Drawer, Instance
from lapdp.numeric.outcome import Outcome
from lapdp.numeric.work import Exhausted, Work

METHOD = "mpmath quadrature of the defining integrals, finite pairs and parameters at random"

_GUARD = 15
_DENSITY_DIGITS = 18
_NESTED_DIGITS, _NESTED_GUARD = 14, 10
_DENSITY_BUDGET = 150_000
"""Evaluations allowed to an instance with densities, whose profiles are integrals themselves."""

WORK = 1_000_000
"""Evaluations allowed to a column that is asked for by itself."""

MEETING, MEETING_DIGITS = 4_000, 15
"""Evaluations allowed to the search for an instance of the hypotheses alone, and its digits."""

_CHEAP_TRIES = 400
_DEAR_TRIES = 60
_A_DRAW = 20
"""What drawing an instance counts, in evaluations."""


def column(statement: Any, *, instances: int = 12, digits: int = 30, seed: int = 0,
           work: float = WORK) -> Numeric:
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
    run = _Run(statement, instances, digits, seed, work)
    failure = None
    for instance, outcome in run.outcomes():
        if outcome.holds is False:
            failure = f"{outcome.lhs} against {outcome.rhs}"
            if outcome.why:
                failure += f" ({outcome.why})"
            at = ", ".join(f"{x} = {v}" for x, v in instance.record()["parameters"].items())
            failure += f" at {at}" if at else ""
            break
    seconds = round(time.monotonic() - started, 3)
    if failure is not None:
        return Numeric(METHOD, 0, run.agreed + 1, False, failure, seconds)
    if not run.agreed:
        reason = run.reason or "no instance satisfies the hypotheses"
        return Numeric(METHOD, 0, 0, None, reason, seconds)
    return Numeric(METHOD, min(run.digits, digits), run.agreed, True, run.reason, seconds)


def counterexample(statement: Any, *, instances: int = 40, digits: int = 30, seed: int = 0,
                   work: float = WORK) -> dict[str, Any] | None:
    """The first instance that disagrees, as plain data, or None.

    Keys: ``parameters``, one ``pair NAME`` or ``function NAME`` each, ``lhs``, ``rhs``, ``why``.

    >>> from lapdp.theory import Le, pair, reals, delta, claim
    >>> P, Q = pair(); eps = reals("eps")
    >>> found = counterexample(claim("x/no", Le(delta(P, Q)(eps), 0)))
    >>> sorted(found)
    ['lhs', 'pair P,Q', 'parameters', 'rhs', 'why']
    """
    run = _Run(statement, instances, digits, seed, work)
    for instance, outcome in run.outcomes():
        if outcome.holds is False:
            return {**instance.record(), "lhs": outcome.lhs, "rhs": outcome.rhs,
                    "why": outcome.why}
    return None


def is_met(statement: Any, *, seed: int = 0, work: float = MEETING) -> bool:
    """Does an instance at random meet the hypotheses, whatever the claim is there?

    >>> from lapdp.theory import Eq, Gt, claim, reals
    >>> x = reals("x")
    >>> is_met(claim("x/some", Eq(x, 1), where=[Gt(x, 0)]))
    True
    >>> from lapdp.theory import ConvexOn, NonincreasingOn, functions
    >>> H = functions("H")
    >>> is_met(claim("x/shape", Eq(H(1), 1), where=[
    ...     ConvexOn(H(x), x, 0, sp.oo), NonincreasingOn(H(x), x, 0, sp.oo), Eq(H(0), 1)]))
    True
    """
    run = _Run(statement, 1, MEETING_DIGITS, seed, work)
    with mp.workdps(MEETING_DIGITS + _GUARD):
        try:
            drawer = Drawer(statement, MEETING_DIGITS)
            return any(run.draw(drawer, kind) is not None for kind in KINDS[:5])
        except (Exhausted, LapdpError, ArithmeticError, ValueError, NotImplementedError,
                mp.NoConvergence):
            return False


class _Run:
    """Instances of one statement and what they say."""

    def __init__(self, statement: Any, instances: int, digits: int, seed: int, work: float
                 ) -> None:
        if instances < 1 or digits < 10:
            raise InputError("a numeric column needs at least 1 instance and 10 digits")
        self.statement, self.work = statement, Work(work)
        self.rng = random.Random(f"{seed}")
        self.total, self.wanted, self.goal = instances, instances, digits
        self.guard = _GUARD
        self.agreed, self.digits, self.reason = 0, 99, ""
        self.cheap = [h for h in statement.where if not needs_nodes(h)]
        self.dear = [h for h in statement.where if needs_nodes(h)]

    def outcomes(self) -> Iterator[tuple[Instance, Outcome]]:
        """Instances in a fixed order with their outcomes; stops when time is up."""
        if type(self.statement.claim).__name__ == "NotAlways":
            self.reason = "what does not always hold is no claim about an instance"
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
                    instance = self.draw(drawer, kind)
                    if instance is None:
                        continue
                    ev = Evaluator(instance, self.work.share(budget))
                    outcome = holds(self.statement.claim, ev)
                except Exhausted as stop:
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

    def draw(self, drawer: Drawer, kind: str) -> Instance | None:
        """An instance that satisfies the hypotheses, or None after bounded tries."""
        dear = 0
        for attempt in range(_CHEAP_TRIES):
            self.work.spend(_A_DRAW)
            now = kind if attempt < 10 else self.rng.choice(KINDS[:-1])
            drawer.shaped = attempt >= 10
            try:
                instance = drawer.draw(self.rng, now)
            except (InputError, Undefined):
                continue
            if self._solve(instance) & set(drawer.first):
                try:
                    drawer.remake(instance)
                except (InputError, Undefined):
                    continue
            ev = Evaluator(instance, self.work)
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


__all__ = ["METHOD", "column", "counterexample", "is_met"]
