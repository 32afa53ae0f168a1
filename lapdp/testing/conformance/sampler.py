"""``check_sampler``: a guarantee refuted from samples, with a stated probability of error.

Samples prove no guarantee: a law that passes here was not refuted, and nothing more.  The report
says what would have been found.  Where the probabilities can be written down,
:func:`lapdp.testing.check_mechanism` decides exactly.
"""

from __future__ import annotations

import math
import random
import sys
import time
import warnings
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any

from hypothesis import strategies as st

from lapdp.core.calls import fitting
from lapdp.core.errors import InputError
from lapdp.core.precision import workprec
from lapdp.privacy.finite import exact
from lapdp.testing.conformance.asking import Asked, compared
from lapdp.testing.conformance.checks import LawCheck, checked_numbers, run
from lapdp.testing.conformance.confidence import (
    Power,
    exceeds,
    largest_probability,
    least_probability,
    power,
    trials_that_tell,
)
from lapdp.testing.conformance.events import KINDS, Aim, Event, learnt, looked_at
from lapdp.testing.conformance.features import Column, plain
from lapdp.testing.conformance.findings import HIDDEN, Misbehaved, Report, Violation
from lapdp.testing.conformance.handed import (
    copied,
    drawn_couples,
    misfit,
    strange_randomness,
)
from lapdp.testing.conformance.mechanism.sides import number, odds
from lapdp.testing.conformance.printing import Case
from lapdp.testing.conformance.search import CutShort
from lapdp.testing.conformance.values import Value
from lapdp.theory.guards import shortened

SAMPLES = 50_000
"""Of each dataset, by default; more where these would find gross violations only."""
MOST_SAMPLES = 400_000
"""By default."""
WEAK = 0.25
"""A violation of this size, P(S) above e^eps Q(S) + delta, is found by the default call."""
LEAK = 1e-3
"""Where a delta that is claimed is not told from 0, the default call looks for leaks of this size:
events that the other dataset never has."""
LEARNT = 50_000
"""At most so many samples teach events; all further ones judge them."""
SEEN = 0.05
"""The report speaks of an event that bounds with this chance of error would refute."""
_BATCH = 256
"""Samples between two looks at the clock."""
_BITS = 128
_NUMPY = ", for NumPy begin with rng = numpy.random.default_rng(rng.getrandbits(64))"
_WIDTH = 60
"""Characters of a couple in a report."""


class Suspicious(UserWarning):
    """An event came oftener than the guarantee allows, but not so often that chance is excluded."""


class OwnRandomness(UserWarning):
    """A sampler draws from another generator than the one that it is given."""


@dataclass(frozen=True)
class Couple(Case):
    """Two neighbouring datasets."""

    first: Any
    second: Any


@dataclass(frozen=True)
class _Claim:
    """P(S) <= alpha Q(S) + delta, the chance of each of the bounds that judge it, and how many
    fresh samples there are, once that is known."""

    alpha: Value
    delta: Value
    part: Fraction
    fresh: int = 0

    @property
    def aim(self) -> Aim:
        """For the choice of events, where doubles do."""
        return Aim(_above(self.alpha), _above(self.delta),
                   math.sqrt(2 * math.log(1 / float(self.part))), self.fresh)


def sampler_laws(M: Callable[[Any, random.Random], Any], *, neighbours: Any,
                 guarantee: Any, samples: int | None = None, error: Any = "1e-6",
                 digits: bool = False, seed: int = 0, seconds: float | None = None
                 ) -> list[LawCheck]:
    """The law of :func:`check_sampler`."""
    if not callable(M):
        raise InputError(f"{str(M)[:60]} is no sampler: give a function of a dataset and a "
                         "random.Random")
    name = _name(M)
    checked_numbers(1, seed, seconds)
    couples = _couples(drawn_couples(neighbours, seed) if _draws(neighbours) else neighbours)
    if samples is not None and (
            not isinstance(samples, int) or isinstance(samples, bool) or samples < 2):
        raise InputError(f"samples={samples!r} must be an integer >= 2")
    level = exact(error, "error")
    if not 0 < level < 1:
        raise InputError(f"error = {level} must lie between 0 and 1")
    eps, delta = _guaranteed(guarantee)
    if eps.low.exact is None or eps.low.is_infinite:
        raise InputError("eps must be an exact finite number")
    # two bounds of each event, for each of two directions of each couple
    claim = _Claim(Value.of(odds(eps.low)), delta, level / (4 * len(KINDS) * len(couples)))
    samples, found = _powerful(claim) if samples is None else (samples, _power(claim, samples))
    if found is None:
        raise InputError(f"{samples} samples of each dataset refute nothing: an event that always "
                         "happens for one and never for the other would not be found with "
                         "probability 99 %; ask for more, or allow a larger error")
    teaching = _teaching(samples)
    claim = replace(claim, fresh=samples - teaching)
    end = None if seconds is None else time.monotonic() + seconds

    def drawn(data: Any, place: str) -> list[Any]:
        source = random.Random(f"{seed} {place}")
        call = f"{name}({data!r}, rng)"
        asked = Asked(lambda: M(copied(data), source), None, name)
        outcomes = []
        for i in range(samples):
            if end is not None and not i % _BATCH and time.monotonic() > end:
                raise CutShort(f"{i} of {samples} samples of {data!r}")
            try:
                outcome = plain(asked.raw(said=call))
            except Misbehaved as problem:
                raise _for_numpy(problem) from None
            if not isinstance(outcome, Hashable):
                raise Misbehaved(Violation(None, "==", None, f"{call} is no outcome that can be "
                                           "counted: return a hashable one"))
            outcomes.append(outcome)
        return outcomes

    suspects: list[tuple[float, str]] = []

    @cache
    def seen(index: int) -> Violation | None:
        _ask_twice(M, couples[index].first, name)
        both = [drawn(getattr(couples[index], place), f"{index} {place}")
                for place in ("first", "second")]
        known = looked_at(both[0][:teaching], both[1][:teaching], digits)
        fresh_ones = [side[teaching:] for side in both]
        sides = ((known, fresh_ones, ("P", "Q")),
                 ([column.reversed() for column in known], fresh_ones[::-1], ("Q", "P")))
        for columns, ones, letters in sides:
            violation = _refuted(columns, ones, letters, claim)
            if violation:
                return violation
            suspects.extend(_suspect(event, ones, letters, claim)
                            for event in learnt(columns, claim.aim))
        words = max(suspects, default=(0.0, ""))[1]
        if words:
            warnings.warn(f"{name} was not refuted, but{words}", Suspicious, stacklevel=2)
        return None

    def test(case: Couple) -> Violation | None:
        return seen(next(i for i, couple in enumerate(couples) if couple is case))

    note = (f"this proves nothing: on {claim.fresh} fresh samples of each dataset,\n"
            f"by {len(KINDS)} events in each direction, learnt from {teaching} others among\n"
            "half-lines, values, bins, cells, of outcomes, parts, sums, remainders, a classifier;\n"
            "remainders of fractions by 1, 1e-3 and 1e-6, none on finer grids; last binary\n"
            f"digits of doubles are {'' if digits else 'not '}looked at\n"
            "power: P(S) above e^eps Q(S) + delta by so much is found with probability 99 %:\n"
            f"{_rounded(found.rare)} where Q(S) = 0, {_rounded(found.any)} whatever Q(S) is, for "
            f"such an event S{_unseen(_above(delta), found)}"
            + (_told(couples) if _draws(neighbours) else ""))
    return [LawCheck("guarantee, sampled", f"P(S) <= e^eps Q(S) + delta; said wrongly with "
                     f"probability at most {level}", "Clopper and Pearson 1934", "validity",
                     st.sampled_from(couples), test, r"\delta_{P|Q}(\varepsilon) \le \delta", name,
                     lambda: note + max(suspects, default=(0.0, ""))[1], len(couples),
                     passes="not refuted")]


def _ask_twice(M: Callable[..., Any], data: Any, name: str) -> None:
    """Warn of randomness that does not come from the generator that is given."""
    asked = Asked(lambda rng: plain(M(copied(data), rng)), None, name)
    try:
        source = strange_randomness(lambda rng: asked.raw(rng, said=f"{name}({data!r}, rng)"))
    except Misbehaved as problem:
        raise _for_numpy(problem) from None
    if source:
        warnings.warn(f"{name} draws from {source}: with the same rng it gives other outcomes, so "
                      "that seed= does not reproduce this report, and samples may depend on each "
                      f"other; draw from rng{_NUMPY}", OwnRandomness, stacklevel=3)


def _name(M: Callable[..., Any]) -> str:
    """What a report calls it, if it takes a dataset and a generator."""
    name = getattr(M, "__name__", "sampler")
    name = "sampler" if name == "<lambda>" else name
    problem = misfit(M, None, None)
    if problem:
        raise InputError(f"{name} cannot be called as {name}(data, rng): {problem}; rng is a "
                         "random.Random, from which all of its randomness must come")
    return name


def _draws(neighbours: Any) -> bool:
    return isinstance(neighbours, st.SearchStrategy)


def _told(couples: Sequence[Couple]) -> str:
    """Which couples were drawn, for a report."""
    shown = "; ".join(shortened(f"{c.first!r} and {c.second!r}", _WIDTH) for c in couples)
    return (f"\nneighbours drawn from the strategy: {len(couples)}, among which the probability of"
            f"\nerror is divided: {shown}")


def _couples(neighbours: Any) -> list[Couple]:
    if not isinstance(neighbours, (tuple, list)) or not neighbours or not all(
            isinstance(couple, (tuple, list)) and len(couple) == 2 for couple in neighbours):
        raise InputError("neighbours must be a list of couples of datasets, or a strategy that "
                         "draws them: each counts in the probability of error")
    couples = [Couple(*couple) for couple in neighbours]
    same = next((c for c in couples if plain(c.first) == plain(c.second)), None)
    if same is not None:
        raise InputError(f"neighbours has {same.first!r} twice in one couple: the outcomes of "
                         "equal datasets refute nothing")
    return couples


def _guaranteed(guarantee: Any) -> list[Value]:
    """eps and delta."""
    both = guarantee if isinstance(guarantee, (tuple, list)) else (guarantee, 0)
    if len(both) != 2:
        raise InputError(f"guarantee = {guarantee} must be (eps, delta), or eps alone")
    rounded = next((x for x in both if isinstance(x, float) and math.isfinite(x)), None)
    if rounded is not None:
        raise InputError(f"{rounded!r} is a rounded number: write it as text, '{rounded!r}'")
    try:
        return [number(x, None, name) for x, name in zip(both, ("eps", "delta"), strict=True)]
    except Misbehaved as problem:
        raise InputError(f"guarantee must be (eps, delta), or eps alone: {problem}") from None


def _for_numpy(problem: Misbehaved) -> Misbehaved:
    """What is told, with a hint where a method of NumPy's generators was called."""
    told = problem.violation.detail
    if "'Random' object has no attribute" not in told:
        return problem
    return Misbehaved(replace(problem.violation, detail=(
        f"{told}; rng is a random.Random{_NUMPY}")))


def _power(claim: _Claim, samples: int) -> Power | None:
    return power(samples - _teaching(samples), float(claim.part), _above(claim.alpha),
                 _above(claim.delta))


def _teaching(samples: int) -> int:
    return min(samples // 2, LEARNT)


def _powerful(claim: _Claim) -> tuple[int, Power]:
    """The least of some numbers of samples that find what is not :data:`WEAK`, and a :data:`LEAK`.

    Leaks are looked for where a delta is claimed that says how large they may be.  For a large eps
    the most samples do not find them; the report says what they would have found.
    """
    delta = _above(claim.delta)
    enough, samples = None, SAMPLES
    while samples <= MOST_SAMPLES:
        found = _power(claim, samples)
        if found is not None and found.any <= WEAK:
            enough = samples, found
            if not _is_unseen(delta, found) or found.rare <= LEAK:
                break
        samples *= 2
    if enough is None:
        raise InputError(
            f"no power: where e^eps is {_above(claim.alpha):.3g}, {MOST_SAMPLES} samples of each "
            f"dataset would miss violations of {WEAK}; samples= asks for more, or for what fewer "
            "find")
    return enough


def _is_unseen(delta: float, found: Power) -> bool:
    """Whether leaks larger than the delta that is claimed may pass."""
    return sys.float_info.min < delta < found.rare  # 0 is the least double when it is rounded up


def _unseen(delta: float, found: Power) -> str:
    """Words for a delta that is smaller than the leaks that samples find."""
    if not _is_unseen(delta, found):
        return ""
    return (f";\ndelta = {delta:.3g} is not told from {_rounded(found.rare)}: smaller leaks go "
            "unseen")


def _above(value: Value) -> float:
    """A double that is not below the number, and near it."""
    with workprec(_BITS):
        return math.nextafter(float(value.high.ball().upper()), math.inf)


def _below(value: Value) -> float:
    with workprec(_BITS):
        return math.nextafter(float(value.low.ball().lower()), -math.inf)


def _shown(value: Value, near: Callable[[Value], float]) -> Value:
    """The number, which prints as six digits: it bounds a probability."""
    return replace(value, text=f"{near(value):.6g}")


def _rounded(size: float) -> str:
    """Two digits, rounded up."""
    unit = 10.0 ** (math.floor(math.log10(size)) - 1)
    return f"{math.ceil(size / unit) * unit:.2g}"


def _refuted(known: Sequence[Column], fresh: Sequence[Sequence[Any]], letters: tuple[str, str],
             claim: _Claim) -> Violation | None:
    """The first halves teach the events, the second halves, independent of them, judge them."""
    events = learnt(known, claim.aim)
    if not events:
        raise InputError("no event can be learnt from these outcomes, which say nothing then: none "
                         "comes twice, and there is no number in them; return numbers, text, or "
                         "tuples of these")
    judged = (_judged(event, fresh[0], fresh[1], letters, claim) for event in events)
    return next((violation for violation in judged if violation), None)


def _judged(event: Event, p: Sequence[Any], q: Sequence[Any], letters: tuple[str, str],
            claim: _Claim) -> Violation | None:
    hits = [sum(event.holds(x) for x in side) for side in (p, q)]
    low = least_probability(hits[0], len(p), claim.part)
    high = largest_probability(hits[1], len(q), claim.part)
    first, second = letters
    most = claim.alpha.times(high) + claim.delta
    return compared(_shown(Value.of(low), _below), "<=", _shown(most, _above), (
        f"S: {event.says}\n"
        f"S has {hits[0]} of {len(p)} fresh samples under {first}, {hits[1]} of {len(q)} under "
        f"{second}\nso {first}(S) >= {float(low):.6g} and {second}(S) <= {float(high):.6g}\n"
        f"{first}(S) <= e^eps {second}(S) + delta"))


def _suspect(event: Event, sides: Sequence[Sequence[Any]], letters: tuple[str, str], claim: _Claim
             ) -> tuple[float, str]:
    """How far an event exceeds its bound, and words for a report: how many samples would tell, if
    its frequencies are its probabilities."""
    n = len(sides[0])
    hits = [sum(map(event.holds, side)) for side in sides]
    alpha, delta = _above(claim.alpha), _above(claim.delta)
    if not exceeds(hits[0], hits[1], n, SEEN, alpha, delta):
        return 0.0, ""
    p, q = (count / n for count in hits)
    fresh = trials_that_tell(p, q, float(claim.part), alpha, delta, n)
    wanted = None if fresh is None else fresh + min(fresh, LEARNT)
    most = f"e^eps * {q:.3g}" + (f" + {delta:.3g}" if delta > sys.float_info.min else "")
    return p - alpha * q - delta, (f"\nsuspicious, by chance or not: {event.says}\n"
                                   f"came with {letters[0]}(S) = {p:.3g} against {most} = "
                                   f"{alpha * q + delta:.3g} by {letters[1]}" + (
                                       f": samples={wanted} would tell" if wanted else ""))


@fitting
def check_sampler(M: Callable[[Any, random.Random], Any], *, neighbours: Any, guarantee: Any,
                  samples: int | None = None, error: Any = "1e-6", digits: bool = False,
                  laws: str | Iterable[str] | None = None,
                  examples: int | None = None, seed: int = 0, seconds: float | None = None,
                  on_fail: str = "raise") -> Report:
    """Try to refute a guarantee of a mechanism that can only be run: ``M(dataset, rng)``.

    ``neighbours`` is a list of couples of datasets, or a strategy, from which a few different ones
    are drawn by ``seed``, the simplest first; the report names them.  ``guarantee`` is (eps,
    delta), or eps alone, exact.  Outcomes are numbers, text, None, tuples, sets or arrays of
    these, exceptions that are returned, dataclasses, or anything that can be counted; each value is
    an event, and the kind of a value where there are several.  The two datasets of a couple differ.

    Half of the samples, :data:`LEARNT` at most, teach events: values, half-lines far into the
    tails, bins, and thresholds of a classifier, of the outcome, its parts, their sums and
    differences, and the sum of all parts, plain and with learnt weights.  The others bound the two
    probabilities of the best events by Clopper and Pearson.
    If the guarantee holds and the samples are independent, the law fails with probability at most
    ``error``, over all events, couples and directions. A law that passes proves nothing: the report
    says how large a violation would have been found with probability 99 percent
    (:func:`.confidence.power`), and where an event came oftener than it may, but not so often that
    chance is excluded, how many samples would tell: that is a warning, too, which pytest shows at
    the end. By default so many samples are drawn that every
    tested violation of 1/4 is found, 50,000 of each dataset up to eps = 3; for an eps for which
    400,000 do not suffice the call is an error. Where a small delta is claimed, more are drawn, up
    to 400,000: at eps = 1
    a leak of 1/1000 sold as delta = 1/100,000 is found; leaks too small for that are named in the
    report, and how many samples find them is the caller's to say. Where the probabilities can be
    written down, :func:`check_mechanism` decides.

    Before the samples of a couple are drawn, ``M`` is called 32 times, with two equal generators:
    whether all of its randomness comes from ``rng`` is warned of, and is no sample.

    Doubles are read as the real numbers that they are meant to be.  ``digits=True`` looks at their
    last binary digits, too: noise that is drawn and added in doubles does not survive that, since
    the digits tell what was added to it (Mironov 2012).

    All couples are tried; a search that ``examples=`` or ``seconds=`` ends before that says so, and
    is no pass.  Raises :class:`LawFailed` unless ``on_fail="report"``; :class:`InputError` for
    arguments without meaning, for equal datasets, for too few samples to find anything, and for
    outcomes from which nothing can be learnt.

    >>> import sympy as sp
    >>> couples = [((0,), (1,))]
    >>> def shifted(data, rng):                        # noise that hides a shift of 1, not of 1000
    ...     return data[0] * 1000 + rng.random()
    >>> found = check_sampler(shifted, neighbours=couples, guarantee=1, samples=2000,
    ...                       on_fail="report")
    >>> print(found.failures[0].says)
    P(S) <= e^eps Q(S) + delta; said wrongly with probability at most 1/1000000
    >>> def response(data, rng):
    ...     return data[0] if rng.random() < 0.9 else 1 - data[0]
    >>> bool(check_sampler(response, neighbours=couples, guarantee=sp.log(10), samples=2000))
    True
    """
    __tracebackhide__ = HIDDEN
    checks = sampler_laws(M, neighbours=neighbours, guarantee=guarantee, samples=samples,
                          error=error, digits=digits, seed=seed, seconds=seconds)
    return run(checks[0].thing, checks, laws=laws, seed=seed, seconds=seconds, on_fail=on_fail,
               examples=10 * checks[0].cases_in_all if examples is None else examples)


__all__ = ["SAMPLES", "OwnRandomness", "Suspicious", "check_sampler", "sampler_laws"]
