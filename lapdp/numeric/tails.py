"""How an integrand behaves far out: where it dies, whether its integral diverges.

Decided from magnitudes at doubling distances.  Values that are suspected to be rounding errors are
computed again with many more bits: noise shrinks with the precision, small numbers do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from mpmath import mp

from lapdp.core.errors import Undefined, Unsupported

Number = Any
"""An mpf or mpc of the current precision, or an infinite mpf."""

Function = Callable[[Any], Any]

_FARTHEST = 13
"""Half-lines are searched up to 2**13 units for the place where an integrand has died out."""

_JUDGED = 9
"""At 2**9 units an integrand that has not died out is classified."""


class Divergent(Undefined):
    """An integral that does not converge absolutely; ``sign`` is +1 or -1 if it is +oo or -oo."""

    def __init__(self, sign: int = 0) -> None:
        super().__init__("the integral diverges")
        self.sign = sign


class Algebraic(Exception):
    """The integrand decays like a power that is integrable."""


class Hidden(Exception):
    """Rounding hides the integrand: evaluate it with more bits."""


def magnitude(value: Number) -> float:
    """Binary logarithm of the absolute value, -inf for 0."""
    if mp.isnan(value):
        raise Undefined("the integrand has no value")
    return float("-inf") if value == 0 else float(mp.mag(value))


def log_size(value: Number) -> float:
    """Natural logarithm of the absolute value, -inf for 0."""
    return float("-inf") if value == 0 else float(mp.log(abs(value)))


def needed() -> int:
    """Bits by which an integrand must have fallen before it is negligible."""
    return int(mp.prec) + 10


def common_sign(values: Iterable[Number]) -> int:
    """The sign that all ``values`` share, 0 if they do not or are not real."""
    signs = set()
    for v in values:
        signs.add(0 if isinstance(v, mp.mpc) and v.imag != 0 else int(mp.sign(mp.re(v))))
    return signs.pop() if len(signs) == 1 else 0


def state(f: Function, x: Number, exact: bool) -> str:
    """``ok``, ``zero`` (nothing but rounding errors) or ``hidden`` (some value, rounded away)."""
    values = [f(x)]
    for bits in (600, 2400) if exact else (80,):
        with mp.extraprec(bits):
            values.append(f(x))
            low, high = magnitude(values[-2]), magnitude(values[-1])
            if values[-1] == 0 or high < low - bits / 2:
                return "zero"
            if abs(values[-1] - values[0]) <= abs(values[-1]) * mp.mpf(2) ** -20:
                return "ok"
            if low > float("-inf") and abs(values[-1] - values[-2]) <= abs(values[-1]) / 1024:
                return "hidden"
    return "hidden"


def reach(f: Function, start: Number, sign: int, exact: bool) -> Number:
    """Distance from ``start`` beyond which ``f`` is negligible, 0 if it vanishes altogether.

    Raises :class:`Divergent`, :class:`Algebraic`, or :class:`Hidden` when ``exact`` says that more
    bits cost little.
    """
    if exact and state(f, start + sign * mp.mpf("0.13"), exact) == "zero" == state(
            f, start + sign * 3, exact):
        return mp.mpf(0)
    peak, logs = float("-inf"), {}
    for k in range(-3, _FARTHEST + 1):
        d = mp.mpf(2) ** k
        values = [f(start + sign * d), f(start + sign * d * mp.mpf(1.37))]
        here = max(magnitude(v) for v in values)
        if here == float("-inf"):
            if not exact or state(f, start + sign * d, exact) == "zero":
                return d
            raise Hidden
        if here < peak - needed():
            return d
        peak = max(peak, here)
        logs[k] = max(log_size(v) for v in values)
        if k == _JUDGED:
            if state(f, start + sign * d, exact) != "ok":
                return _cut(f, start, sign, peak, exact)
            try:
                _classify(logs, values)
            except Divergent:
                end = _later(f, start, sign, peak)
                if end is None:
                    raise
                return end
    raise Unsupported("the integrand decays too slowly for the numeric column")


def _later(f: Function, start: Number, sign: int, peak: float) -> Number | None:
    """Where an integrand that seems to grow has died out after all, as a bell far away does."""
    for k in range(_JUDGED + 1, _FARTHEST + 1):
        d = mp.mpf(2) ** k
        here = max(magnitude(f(start + sign * d * x)) for x in (1, mp.mpf(1.37)))
        if here < peak - needed():
            return d
        peak = max(peak, here)
    return None


def _cut(f: Function, start: Number, sign: int, peak: float, exact: bool) -> Number:
    """The integrand is rounding noise far out: where does that begin, and does it matter?"""
    for k in range(_JUDGED, -4, -1):
        d = mp.mpf(2) ** k
        kind = state(f, start + sign * d, exact)
        if kind == "hidden" and exact:
            raise Hidden
        if kind == "ok":
            if magnitude(f(start + sign * d)) > peak - 60:
                raise Unsupported("rounding hides the tail of an integrand")
            return d
    return mp.mpf(2) ** -4


def _classify(logs: dict[int, float], values: list[Number]) -> None:
    """Exponential decay passes; growth, constants and slow powers diverge."""
    last, half, quarter = logs[_JUDGED], logs[_JUDGED - 1], logs[_JUDGED - 2]
    before, after = (half - quarter) / 128, (last - half) / 256
    if after > -1e-4:
        raise Divergent(common_sign(values))
    if after > 0.75 * before:
        if (half - last) / 0.6931 > 1.01:
            raise Algebraic
        raise Divergent(common_sign(values))
