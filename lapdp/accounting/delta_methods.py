"""Integrals and sums for delta, by what the releases are: which of them may answer.

They stand apart from :mod:`lapdp.accounting.delta` because a closed form is answered without them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import flint

from lapdp.accounting.delta import IN_DOUBLES, Tried, delta
from lapdp.accounting.inversion import (
    atoms_beside,
    beside,
    characteristic,
    contour,
    counts,
    faint,
    few,
    hits,
    lattice,
    lattices,
    narrow,
    near_end,
    one_hit,
    residues,
    split,
    two_samples,
    windows,
)
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.accounting.moments.releases import releases
from lapdp.balls.compiler import exact_ball
from lapdp.balls.decimals import MOST_POWER, Enclosure, certified
from lapdp.balls.evaluate import GUARD
from lapdp.calculus.convert import to_form
from lapdp.calculus.enclose import enclose
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.pair import FAR, Pair

MOST_BITS = 1 << 14
"""Working precision of the integrals; closed forms may take more."""
MOST_EPS = 1e100
"""Lines are chosen in doubles."""
LOOK_BITS = 64
SPARE_BITS, FIRST_BITS = 128, 4
LOG10 = math.log(10)
MOST_ORDER = 1000.0
"""Of a bound of what may be left out; higher ones cost as much as the number itself."""
ORDERS = (0.46875, 0.21875, 0.71875)
"""Inside (0, 1), clear of the poles at which a moment is a difference of large terms."""
MOST_DIGITS, MOST_COPIES = 13, 10**6
"""Doubles are asked for no more digits, and for no more releases: there balls take no longer."""
USUAL_DIGITS = 10
"""For which it is asked whether doubles are likely to give them."""
SMALL = 8
"""Up to so many releases a closed form is tried before the integrals."""

Method = tuple[str, Callable[[int], Enclosure]]


def methods(pair: Pair, eps: Any, closed: Method, short: bool, tried: Tried | None = None
            ) -> Iterator[Method]:
    """What may answer, the cheapest first; ``short`` says that ``closed`` has been tried."""
    tried = tried or Tried()
    last: Method | None = None
    try:
        forward = releases(pair)
    except Unsupported as problem:
        yield closed
        yield "contour integral", _refusal(problem)
        return
    if eps == 0 and hits.is_rare(forward) and not hits.is_rare(releases(pair.reverse())):
        # the total variation of either direction, and the other one has no huge losses
        yield from methods(pair.reverse(), eps, closed, short, tried)
        return
    if eps > FAR:
        _refuse_too_small(forward, eps)
    # products of subsampled Gaussians have none
    closed_first = short or (forward.count <= SMALL and not eps > FAR and not (
        forward.count > 1 and _is_few(forward)))
    if closed_first and not short:
        yield closed
    on_lattice = lattice.lattice(forward) is not None
    if not on_lattice:
        yield from _narrow(pair, forward, eps, short=True)
        if atoms_beside.has_formula(pair):
            yield "sum over few losses", _Apart(pair, eps, tried, atoms_beside.delta)
        if faint.ways(pair):
            yield "profile of all but faint factors", _Apart(pair, eps, tried, faint.delta)
    if not on_lattice and not _is_few(forward) and (
            split.splits(forward) or not _is_quick(forward, eps)):
        yield from _on_a_line(pair, forward, eps)
    if on_lattice:
        yield "lattice sum", _integral(pair, forward, eps, lattice.delta)
    elif split.splits(forward):
        yield from _split(pair, forward, eps, tried)
    else:
        if _is_few(forward):
            yield from _few(pair, forward, eps)
        yield from _ways(pair, forward, eps, tried)
        over: Method = ("sum over counts", _integral(pair, forward, eps, counts.delta))
        if counts.has_many_losses(forward):
            yield over
        else:
            last = over
        if hits.is_rare(forward) and eps > 0 and not _is_few(forward):
            yield "contour integral of hits", _integral(pair, forward, eps, hits.delta)
    if not closed_first:
        yield closed
    if last is not None:
        yield last
    if not on_lattice:
        yield from _narrow(pair, forward, eps, short=False)
    if split.reaches(forward) and not split.splits(forward):
        yield "contour integral, few draws apart", _integral(pair, forward, eps, split.delta)


def _split(pair: Pair, forward: Factors, eps: Any, tried: Tried) -> Iterator[Method]:
    """Of atoms and pieces outside the exact class."""
    yield "few draws next to the largest loss", _integral(pair, forward, eps, near_end.delta)
    here, exact = _forward(pair, eps)
    places: Method = ("sum over places of a lattice", _Apart(pair, eps, tried, beside.delta))
    by_formula = beside.has_formula(here, exact)
    if by_formula:
        yield places
    yield IN_DOUBLES, _in_doubles(pair, forward, eps, "split_machine")
    rules: list[Method] = [
        ("contour integral", _integral(pair, forward, eps, split.delta)),
        *([] if by_formula else [places])]
    if windows.parts(forward) is not None:
        # where these do not do they say so at once
        yield "contour integral on windows", _integral(pair, forward, eps, windows.modestly)
    yield from reversed(rules) if beside.is_short(here, exact) else rules
    yield "contour integral on windows", _integral(pair, forward, eps, windows.delta)


def _narrow(pair: Pair, forward: Factors, eps: Any, short: bool) -> Iterator[Method]:
    """Losses with few corners, or many, beside narrow ones."""
    if narrow.parted(forward) is not None and narrow.is_short(forward) is short:
        yield "integral around the poles", _integral(pair, forward, eps, narrow.delta)


def _ways(pair: Pair, forward: Factors, eps: Any, tried: Tried) -> Iterator[Method]:
    """Around the poles, on a line, on windows, over places of lattices, as it seems best."""
    places: Method = ("sum over places of a lattice", _Apart(pair, eps, tried, beside.delta))
    ways: list[Method] = [
        ("integral around the poles", _integral(pair, forward, eps, residues.delta)),
        ("contour integral", _integral(pair, forward, eps, contour.delta)), places]
    short = residues.is_short(forward)
    # the circle sums over corners; with many of them the atoms may be negligible on a line
    if not short or (residues.has_families(forward) and _is_quick(forward, eps)):
        ways = [ways[1], places, ways[0]]
        if not _is_quick(forward, eps):
            apart = windows.parts(forward) is not None
            first: list[Method] = [("contour integral on windows", _integral(
                pair, forward, eps, windows.quickly))] if apart else []
            here = _forward(pair, eps)
            if beside.has_formula(*here):
                first.append(ways.pop(1))
            if hits.is_rare(forward) and eps > 0 and not _is_few(forward) and contour.is_long(
                    forward, float(exact_ball(eps).real)):
                # where these do not do they say so soon
                first.append((IN_DOUBLES, _in_doubles(pair, forward, eps, "hits_machine")))
                first.append(("contour integral of hits", _integral(
                    pair, forward, eps, hits.modestly)))
                if atoms_beside.is_few(pair):
                    first.append(("sum over few losses", _Apart(
                        pair, eps, tried, atoms_beside.delta)))
            if places not in first and beside.is_quick(*here):
                first.append(ways.pop(1))
            if apart and contour.is_long(
                    forward, float(exact_ball(eps).real), windows.MOST_NODES):
                first.append(("contour integral on windows", _integral(
                    pair, forward, eps, windows.modestly)))
            ways = first + ways
    if len(lattices.groups(forward)) > 1:
        # no line sees the moments decay
        quick = not short or lattices.is_quick(forward, float(exact_ball(eps).real))
        ways.insert(0 if quick else 1, (
            "sum over places of lattices", _integral(pair, forward, eps, lattices.delta)))
    yield from ways
    yield "contour integral on windows", _integral(pair, forward, eps, windows.delta)


def _few(pair: Pair, forward: Factors, eps: Any) -> Iterator[Method]:
    """For subsampled Gaussians, before the contour integral in balls."""
    if two_samples.two(forward) is not None:
        yield "integral of a formula", _integral(pair, forward, eps, two_samples.delta)
    if hits.is_rare(forward) and eps > 0:
        # where it does not do it says so at once
        yield "sum over one huge loss", _integral(pair, forward, eps, one_hit.delta)
    yield from _on_a_line(pair, forward, eps)
    if hits.is_rare(forward) and eps > 0 and contour.is_long(forward, float(exact_ball(eps).real)):
        yield IN_DOUBLES, _in_doubles(pair, forward, eps, "hits_machine")
        yield "contour integral of hits", _integral(pair, forward, eps, hits.delta)


def _on_a_line(pair: Pair, forward: Factors, eps: Any) -> Iterator[Method]:
    """In doubles; before it the rule for hits, where that in doubles would be long, or in vain, and
    hits take no time."""
    if hits.is_rare(forward) and eps > 0:
        place = float(exact_ball(eps).real)
        with suppress(ImportError):
            machine = import_module("lapdp.accounting.inversion.machine")
            if not machine.promises(forward, place, USUAL_DIGITS) and hits.is_cheap(
                    forward, place):
                yield "contour integral of hits", _integral(pair, forward, eps, hits.modestly)
    yield IN_DOUBLES, _in_doubles(pair, forward, eps, "machine")


def _in_doubles(pair: Pair, forward: Factors, eps: Any, module: str
                ) -> Callable[[int], Enclosure]:
    """For few digits, where doubles suffice; by one of the modules that need NumPy."""
    def compute(digits: int) -> Enclosure:
        if digits > MOST_DIGITS:
            raise Unsupported(f"not for more than {MOST_DIGITS} digits")
        try:
            doubles = import_module(f"lapdp.accounting.inversion.{module}")
        except ImportError:
            raise Unsupported("NumPy is not installed") from None
        with workprec(doubles.BITS):
            ball = _value(pair, forward, eps, doubles.BITS, lambda factors, point, _: doubles.delta(
                factors, point, digits))
            if ball.is_exact() or ball.rel_accuracy_bits() > digits / math.log10(2) + 1:
                return Enclosure.of_ball(ball, digits)
        raise Unsupported(f"doubles do not give {digits} digits")

    return compute


def _is_quick(factors: Factors, eps: Any) -> bool:
    """Does the rule on a line take no time?"""
    return contour.is_quick(factors, float(exact_ball(eps).real))


def _is_few(factors: Factors) -> bool:
    """Subsampled Gaussians and nothing else?"""
    return factors.count <= MOST_COPIES and all(
        isinstance(s, MixedNormalSpectrum) for s, _ in factors.parts)


def named(pair: Pair, eps: Any, method: str) -> Method:
    """The contour integral, or that of characteristic functions."""
    forward = releases(pair)
    if method == "contour":
        return "contour integral", _integral(pair, forward, eps, contour.delta)
    return "characteristic functions", lambda digits: certified(
        lambda bits: characteristic.delta(forward, exact_ball(eps).real, bits), digits, MOST_BITS)


def _refuse_too_small(factors: Factors, eps: Any) -> None:
    """:class:`Unsupported` where Chernoff's bound says that delta has too many places."""
    top = factors.largest()
    lost = 1 - factors.finite_mass()
    if not lost.is_zero() or (top is not None and at_least(eps, top)):
        return
    with workprec(LOOK_BITS):
        order = min(2.0, (1 + factors.upper) / 2)
        bound = contour.below(factors, exact_ball(eps).real, order).upper()
        if bound < flint.arb(2) ** -MOST_POWER:
            raise Unsupported(f"delta is below 2^-{MOST_POWER}: too small to be written")


def _refusal(problem: Unsupported) -> Callable[[int], Enclosure]:
    def compute(digits: int) -> Enclosure:
        raise problem

    return compute


@dataclass
class _Apart:
    """A rule with queries of its own about some of the factors; what these rest on is noted."""

    pair: Pair
    eps: Any
    tried: Tried
    rule: Callable[..., Any]
    """Of the pair, an exact eps, bits, and the profile of any other pair."""
    noted: set[str] = field(default_factory=set)

    def __call__(self, digits: int) -> Enclosure:
        here, exact = _forward(self.pair, self.eps)
        forward = releases(self.pair)

        def rule(factors: Factors, point: Any, bits: int) -> Any:
            return self.rule(here, exact, bits, self._profile)

        # queries of queries: as few digits more as may do
        enough = digits / math.log10(2) + 1
        with workprec(math.ceil(enough) + FIRST_BITS + GUARD):
            ball = _value(self.pair, forward, self.eps, math.ceil(enough) + FIRST_BITS + GUARD - 4,
                          rule)
        if ball.is_finite() and ball.rel_accuracy_bits() > enough:
            return Enclosure.of_ball(ball, digits)
        return _integral(self.pair, forward, self.eps, rule)(digits)

    def _profile(self, other: Pair, t: Any, bits: int) -> Any:
        """A ball around the profile of another pair."""
        # the last digit is rounded to the nearest
        found = delta(other, t, math.ceil((bits - 1) * LOG2 / LOG10), tried=self.tried)
        assert found.enclosure is not None
        self.noted |= {found.assumes} - {""}
        return found.enclosure.ball()


def _forward(pair: Pair, eps: Any) -> tuple[Pair, Any]:
    """The direction in which eps >= 0."""
    return (pair.reverse(), -eps) if _is_negative(eps) else (pair, eps)


def _integral(pair: Pair, forward: Factors, eps: Any, rule: Callable[..., Any]
              ) -> Callable[[int], Enclosure]:
    """One of the rules."""
    return lambda digits: certified(lambda bits: _value(pair, forward, eps, bits, rule), digits,
                                    MOST_BITS)


def _value(pair: Pair, forward: Factors, eps: Any, bits: int, rule: Callable[..., Any]) -> Any:
    """By one of the rules for eps >= 0; below, by the reversal law (7)."""
    if not _is_negative(eps):
        return _tail(forward, eps, bits, rule)
    backward = releases(pair.reverse())
    x = exact_ball(eps).real.exp()
    tail = _negligible(backward, -eps, bits)
    return 1 - x + x * (_tail(backward, -eps, bits, rule) if tail is None else tail)


def _is_negative(x: Any) -> bool:
    # SymPy deduces all there is to know of a number before it says its sign
    return bool(x.p < 0 if x.is_Rational else x.is_negative)


def _negligible(factors: Factors, eps: Any, bits: int) -> Any:
    """delta, where Chernoff's bound at one of a few orders says that its finite losses add less
    than 2^-bits; None elsewhere."""
    point, mass = exact_ball(eps).real, factors.finite_mass()
    if not (abs(point) < MOST_EPS and mass > 0):
        return None
    order = 2.0
    while order < min(factors.upper, MOST_ORDER):
        if factors.log_moment(order) + (1 - order) * float(point) < -bits * LOG2 - 2:
            return 1 - mass + contour.below(factors, point, order)
        order *= 2
    return None


def _almost_all(factors: Factors, eps: Any, bits: int) -> Any:
    """delta, where it is 1 but for less than 2^-bits: with 1 - Pr[Z = oo] - delta of the finite
    losses the mean of min(1, e^(eps - Z)), at most e^((1 - q) eps) E_q for q from 0 to 1."""
    point = float(exact_ball(eps).real)
    if not abs(point) < FAR:
        return None
    for order in ORDERS:
        if factors.lower < order and factors.log_moment(order) + (1 - order) * point < (
                -(bits + 4) * LOG2):
            short = ((1 - flint.arb(order)) * exact_ball(eps).real).exp()
            bound = (short * contour.moment_bound(factors, order)).upper()
            if bound.is_finite():
                return flint.arb(1) - flint.arb(0).union(bound)
    return None


def _tail(factors: Factors, eps: Any, bits: int, rule: Callable[..., Any]) -> Any:
    mass = factors.finite_mass()
    lost = 1 - mass
    if mass.is_zero():
        return lost
    largest = factors.largest()
    if largest is not None and at_least(eps, largest):
        return lost
    almost = _almost_all(factors, eps, bits - GUARD + 4)
    if almost is not None:
        return almost
    # laws of few draws are polynomials whose terms cancel: for them eps needs many bits; on a bent
    # contour it is multiplied by large orders
    fine = few.MOST_BITS if split.reaches(factors) or rule is one_hit.delta else (
        flint.ctx.prec + SPARE_BITS)
    with workprec(fine):
        point = exact_ball(eps).real
    if not lost.is_zero() and point > FAR:
        # unless copies are many, finite losses add next to nothing to what is seen to be lost
        if not lost > 0:
            return flint.arb.nan()
        more = contour.below(factors, point, min(2.0, (1 + factors.upper) / 2))
        if more.upper() < lost.lower() * flint.arb(2) ** -bits:
            return lost + more
    if not abs(point) < MOST_EPS:
        raise Unsupported(f"eps is beyond {MOST_EPS:.0e}")
    try:
        # what is left of the working precision is for rounding
        return lost + rule(factors, point, bits - GUARD + 4)
    except ArithmeticError:
        raise Unsupported("doubles do not reach far enough to choose a line") from None


def at_least(eps: Any, loss: Form) -> bool:
    """Is eps at least a loss?  Balls decide, or else the calculus; delta is continuous there."""
    with workprec(200):
        gap = exact_ball(eps).real - enclose(loss, {}).real
        if not gap.contains(0):
            return bool(gap > 0)
    return bool(Cell().sign(to_form(eps) - loss) >= 0)


__all__ = ["Method", "at_least", "methods", "named"]
