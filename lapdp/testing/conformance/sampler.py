"""``check_sampler``: a guarantee refuted from samples, with a stated probability of error.

Samples prove no guarantee: a law that passes here was not refuted, and nothing more.  Where the
probabilities can be written down, :func:`lapdp.testing.check_mechanism` decides exactly.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from flint import arb, ctx, fmpq
from hypothesis import strategies as st

from lapdp.core.errors import InputError
from lapdp.privacy.finite import exact
from lapdp.testing.conformance.asking import Asked, compared
from lapdp.testing.conformance.checks import LawCheck, run
from lapdp.testing.conformance.findings import HIDDEN, Misbehaved, Report, Violation
from lapdp.testing.conformance.handed import copied
from lapdp.testing.conformance.mechanism.sides import number, odds
from lapdp.testing.conformance.printing import Case
from lapdp.testing.conformance.values import Value

GRID = 1 << 40
"""Bounds of probabilities are multiples of 1/GRID."""


def least_probability(successes: int, trials: int, error: Fraction) -> Fraction:
    """A bound p of Clopper and Pearson: so many successes or more have probability <= error at p.

    Proved by balls; the largest such p is less than 2^-40 larger.  So p exceeds the true
    probability with a chance of at most ``error``.

    >>> found = least_probability(9, 10, Fraction(1, 20))
    >>> sum(k * found**9 * (1 - found) + found**10 for k in [10]) <= Fraction(1, 20)
    True
    >>> print(f"{float(found):.6f}")
    0.605837
    """
    low, high = 0, GRID
    while high - low > 1:
        middle = (low + high) // 2
        if _at_least(successes, trials, Fraction(middle, GRID)) <= _ball(error):
            low = middle
        else:
            high = middle
    return Fraction(low, GRID)


def largest_probability(successes: int, trials: int, error: Fraction) -> Fraction:
    """Likewise from above: so many successes or fewer have probability <= error at it."""
    return 1 - least_probability(trials - successes, trials, error)


def _at_least(successes: int, trials: int, p: Fraction) -> Any:
    """Pr[Bin(trials, p) >= successes], the regularised incomplete beta function."""
    if successes == 0:
        return arb(1)
    with ctx.workprec(128):
        return _ball(p).beta_lower(successes, trials - successes + 1, True)


def _ball(x: Fraction) -> Any:
    return arb(fmpq(x.numerator, x.denominator))


@dataclass(frozen=True)
class Couple(Case):
    """Two neighbouring datasets."""

    first: Any
    second: Any


def sampler_laws(M: Callable[[Any, random.Random], Hashable], *, neighbours: Sequence[Any],
                 guarantee: Any, samples: int = 10_000, error: Any = "1e-6", seed: int = 0
                 ) -> list[LawCheck]:
    """The law of :func:`check_sampler`."""
    if not callable(M):
        raise InputError(f"{str(M)[:60]} is no sampler: give a function of a dataset and a "
                         "random.Random")
    if isinstance(neighbours, (str, st.SearchStrategy)) or not neighbours or not all(
            isinstance(couple, (tuple, list)) and len(couple) == 2 for couple in neighbours):
        raise InputError("neighbours must be a list of couples of datasets: each counts in the "
                         "probability of error")
    if not isinstance(samples, int) or isinstance(samples, bool) or samples < 2:
        raise InputError(f"samples={samples!r} must be an integer >= 2")
    level = exact(error, "error")
    if not 0 < level < 1:
        raise InputError(f"error = {level} must lie between 0 and 1")
    eps, delta = (number(x, None, name) for x, name in zip(
        guarantee if isinstance(guarantee, (tuple, list)) else (guarantee, 0), ("eps", "delta"),
        strict=True))
    if eps.low.exact is None or eps.low.is_infinite:
        raise InputError("eps must be an exact finite number")
    couples = [Couple(*couple) for couple in neighbours]
    name = getattr(M, "__name__", "sampler")
    # two bounds for each of two directions of each couple
    part, alpha = level / (4 * len(couples)), Value.of(odds(eps.low))

    def drawn(data: Any, place: str) -> list[Any]:
        source = random.Random(f"{seed} {place}")
        call = f"{name}({data!r}, rng)"
        asked = Asked(lambda: M(copied(data), source), None, name)
        found = [asked.raw(said=call) for _ in range(samples)]
        if not all(isinstance(outcome, Hashable) for outcome in found):
            raise Misbehaved(Violation(None, "==", None, f"{call} is no outcome that can be "
                                       "counted: return a hashable one"))
        return found

    @cache
    def seen(index: int) -> Violation | None:
        case = couples[index]
        both = [drawn(case.first, f"{index} first"), drawn(case.second, f"{index} second")]
        for (p, q), letters in ((both, ("P", "Q")), (both[::-1], ("Q", "P"))):
            found = _refuted(p, q, letters, part, alpha, delta)
            if found:
                return found
        return None

    def test(case: Couple) -> Violation | None:
        return seen(next(i for i, couple in enumerate(couples) if couple is case))

    return [LawCheck("guarantee, sampled", f"P(S) <= e^eps Q(S) + delta; said wrongly with "
                     f"probability at most {level}", "Clopper and Pearson 1934", "validity",
                     st.sampled_from(couples), test, r"\delta_{P|Q}(\varepsilon) \le \delta", name)]


def _refuted(p: Sequence[Any], q: Sequence[Any], letters: tuple[str, str], part: Fraction,
             alpha: Value, delta: Value) -> Violation | None:
    """The first halves choose the event, the second halves, independent of it, judge it."""
    half = len(p) // 2
    chosen = [Counter(side[:half]) for side in (p, q)]
    liked = {x for x, count in chosen[0].items()
             if (Value.of(count) - alpha.times(chosen[1][x])).low.compare(Value.of(0).low) == 1}
    rest = len(p) - half
    hits = [sum(x in liked for x in side[half:]) for side in (p, q)]
    low, high = least_probability(hits[0], rest, part), largest_probability(hits[1], rest, part)
    first, second = letters
    shown = ", ".join(sorted(map(repr, liked))[:8])
    return compared(low, "<=", alpha.times(high) + delta, (
        f"S = {{{shown}}}: {hits[0]} of {rest} under {first}, {hits[1]} under {second}; so "
        f"{first}(S) >= {float(low):.6g} and {second}(S) <= {float(high):.6g}\n"
        f"{first}(S) <= e^eps {second}(S) + delta"))


def check_sampler(M: Callable[[Any, random.Random], Hashable], *, neighbours: Sequence[Any],
                  guarantee: Any, samples: int = 10_000, error: Any = "1e-6",
                  laws: str | Iterable[str] | None = None, examples: int | None = None,
                  seed: int = 0, seconds: float | None = None, on_fail: str = "raise") -> Report:
    """Try to refute a guarantee of a mechanism that can only be run: ``M(dataset, rng)``.

    ``neighbours`` is a list of couples of datasets; ``guarantee`` is (eps, delta), or eps alone,
    exact.  Half of the samples choose an event, the other half bound its two probabilities by
    Clopper and Pearson.  If the guarantee holds and the samples are independent, the law fails with
    probability at most ``error`` over all couples and both directions.  A law that passes proves
    nothing: write the probabilities down, and :func:`check_mechanism` decides.  All couples are
    tried, unless ``examples=`` or ``seconds=`` ends that.

    Raises :class:`LawFailed` unless ``on_fail="report"``; :class:`InputError` for arguments
    without meaning.

    >>> import sympy as sp
    >>> def response(data, rng):
    ...     return data[0] if rng.random() < 0.9 else 1 - data[0]
    >>> couples = [((0,), (1,))]
    >>> bool(check_sampler(response, neighbours=couples, guarantee=sp.log(10)))
    True
    >>> found = check_sampler(response, neighbours=couples, guarantee=sp.log(5), on_fail="report")
    >>> print(found.failures[0].says)
    P(S) <= e^eps Q(S) + delta; said wrongly with probability at most 1/1000000
    """
    __tracebackhide__ = HIDDEN
    checks = sampler_laws(M, neighbours=neighbours, guarantee=guarantee, samples=samples,
                          error=error, seed=seed)
    return run(checks[0].thing, checks, laws=laws, seed=seed, seconds=seconds, on_fail=on_fail,
               examples=10 * len(neighbours) if examples is None else examples)


__all__ = ["check_sampler", "largest_probability", "least_probability", "sampler_laws"]
