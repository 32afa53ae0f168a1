"""Where values of notions lie, whatever the pair is: rounding does not leave these ranges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mpmath import mp

from lapdp.numeric.elementary import Closure, Env
from lapdp.numeric.tails import Number

Build = Callable[[Any, Any], Closure]
Range = tuple[float, float]
UNIT: Range = (0.0, 1.0)
NONNEGATIVE: Range = (0.0, float("inf"))


def within(build: Build, of: Callable[[Any, Any], Callable[[Env], Range | None]]) -> Build:
    """The same value, put to the end of its range where rounding has left it beyond.

    A probability of -1e-47 is 0: its root is no imaginary number.  What lies further out than half
    of the digits stays as it is, since no rounding explains it.
    """
    def built(ev: Any, expr: Any) -> Closure:
        value, range_ = build(ev, expr), of(ev, expr)

        def evaluate(env: Env) -> Number:
            found = value(env)
            if isinstance(found, mp.mpc):
                return found
            ends = range_(env)
            if ends is None or ends[0] <= found <= ends[1]:
                return found
            end = mp.mpf(ends[0] if found < ends[0] else ends[1])
            return end if abs(found - end) <= mp.mpf(10) ** -(mp.dps // 2) else found

        return evaluate

    return built


def always(ends: Range) -> Callable[[Any, Any], Callable[[Env], Range]]:
    """The same range at every instance."""
    return lambda ev, expr: lambda env: ends


def _at_real_order(of: Callable[[Number], Range]) -> Callable[
        [Any, Any], Callable[[Env], Range | None]]:
    """The range that belongs to a real order, the first argument; none at others."""
    def at_order(ev: Any, expr: Any) -> Callable[[Env], Range | None]:
        order = ev.regular(expr.args[0])

        def ends(env: Env) -> Range | None:
            q = order(env)
            return of(mp.re(q)) if mp.im(q) == 0 else None

        return ends

    return at_order


of_order = _at_real_order(lambda q: NONNEGATIVE if q >= 0 else (-float("inf"), 0.0))
"""Of R_q at a real order: not negative from 0 on, not positive below."""
of_moment = _at_real_order(lambda q: UNIT if 0 <= q <= 1 else (1.0, float("inf")))
"""Of E_q at a real order: by Jensen, at most 1 for q in [0, 1], and at least 1 elsewhere."""


def of_mean(ev: Any, expr: Any) -> Callable[[Env], Range | None]:
    """Of the mean of the loss itself, which is a divergence."""
    ends = NONNEGATIVE if expr.args[0] == expr.args[1] else None
    return lambda env: ends


__all__ = ["NONNEGATIVE", "UNIT", "Build", "always", "of_mean", "of_moment", "of_order", "within"]
