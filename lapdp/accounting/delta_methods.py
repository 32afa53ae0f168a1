"""Integrals and sums for delta, by what the releases are: which of them may answer.

They stand apart from :mod:`lapdp.accounting.delta` because a closed form is answered without them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Any

from lapdp.accounting.delta import Tried
from lapdp.accounting.delta_order import (
    at_end,
    at_first,
    at_last,
    has_windows,
    of_few,
    of_split,
    on_a_line,
    one_sampled,
    ways,
)
from lapdp.accounting.delta_rules import (
    MOST_BITS,
    Given,
    integral,
    refusal,
    refuse_too_small,
)
from lapdp.accounting.few_digits import roughly
from lapdp.accounting.inversion import (
    characteristic,
    contour,
    counts,
    hits,
    lattice,
    residues,
)
from lapdp.accounting.method_names import (
    CLOSED,
    COUNTS,
    GIVEN_FINITE,
    HITS,
    IN_DOUBLES,
    LATTICE,
    LINE,
    ONCE,
    SOON,
)
from lapdp.accounting.moments.exact import ExactSpectrum
from lapdp.accounting.moments.releases import releases
from lapdp.accounting.question import Method, Question
from lapdp.balls.compiler import exact_ball
from lapdp.balls.decimals import Enclosure, certified
from lapdp.core.errors import Unsupported
from lapdp.privacy.pair import FAR, Pair
from lapdp.privacy.parameters import exceeds

LENGTHY = 200_000
"""Terms of moments of a line that takes part of a second."""
SMALL = 8
"""Up to so many releases a closed form is tried before the integrals."""


def methods(pair: Pair, eps: Any, closed: Method, short: bool, tried: Tried | None = None
            ) -> Iterator[Method]:
    """What may answer, the cheapest first; ``short`` says that ``closed`` has been tried."""
    q = Question(pair, eps, tried or Tried())
    before: set[str] = set()
    if q.tried.roughly:
        for name, compute in roughly(q):
            before.update({name} & ONCE)
            yield name, compute
    for name, compute in _all(q, closed, short):
        if q.tried.quickly and not _is_soon(name, q):
            continue
        if name not in before:
            yield name, compute


def _is_soon(name: str, q: Question) -> bool:
    """Does a method give many digits in no time, or say at once that it does not?  A choice."""
    if name in SOON or (name == CLOSED and q.pair.has_short_profile()):
        return True
    if name not in (CLOSED, LINE, COUNTS):
        return False
    try:
        factors, place = q.forward, q.place
    except Unsupported:
        return True
    if name == CLOSED:
        return factors.count <= SMALL
    if name == COUNTS:
        return counts.is_quick(factors, place)
    with suppress(Unsupported, ArithmeticError):
        return not q.is_split and contour.terms(factors, place) < LENGTHY
    return False


def _all(q: Question, closed: Method, short: bool) -> Iterator[Method]:
    last: Method | None = None
    try:
        forward = q.forward
    except Unsupported as problem:
        yield closed
        yield LINE, refusal(problem)
        return
    if any(isinstance(s, ExactSpectrum) and s.is_atomic and not s.loss.impulses
           for s, _ in forward.parts):
        # a release alone tells the two apart
        yield "all losses are infinite", lambda _: Enclosure(Fraction(1), Fraction(0))
        return
    if q.eps == 0 and hits.is_rare(forward) and not hits.is_rare(releases(q.pair.reverse())):
        # the total variation of either direction, and the other one has no huge losses
        yield from _all(q.reversed(), closed, short)
        return
    refuse_too_small(forward, q.eps)
    # products of subsampled Gaussians have none
    closed_first = short or (forward.count <= SMALL and not exceeds(q.eps, FAR) and not (
        forward.count > 1 and q.is_few))
    if closed_first and not short:
        yield closed
    on_lattice = lattice.lattice(forward) is not None
    if not on_lattice:
        if q.given is not None:
            # rules for products know of no infinite losses
            yield GIVEN_FINITE, Given(q.given, q.eps, q.tried)
        yield from at_first(q)
        if not q.is_few and (q.is_split or not q.is_quick):
            if has_windows(q):
                # where it does not do it says so at once
                yield q.in_doubles(IN_DOUBLES, "windows_machine", "modestly")
            yield from on_a_line(q)
            yield from one_sampled(q, short=False)
    if on_lattice:
        yield q.integral(LATTICE, lattice.delta)
    elif q.is_split:
        yield from of_split(q)
    else:
        if q.is_few:
            yield from of_few(q)
        # a few corners take less
        if not residues.is_short(forward):
            yield from at_end(q)
        yield from ways(q)
        over = q.integral(COUNTS, counts.delta)
        if counts.has_many_losses(forward):
            yield over
        else:
            last = over
        if q.has_hits and not q.is_few:
            yield q.integral(HITS, hits.delta)
    if not closed_first:
        yield closed
    if last is not None:
        yield last
    if not on_lattice:
        yield from at_last(q)


def named(pair: Pair, eps: Any, method: str) -> Method:
    """The contour integral, or that of characteristic functions."""
    forward = releases(pair)
    if method == "contour":
        return LINE, integral(pair, forward, eps, contour.delta)
    return "characteristic functions", lambda digits: certified(
        lambda bits: characteristic.delta(forward, exact_ball(eps).real, bits), digits, MOST_BITS)


__all__ = ["methods", "named"]
