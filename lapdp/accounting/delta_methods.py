"""Integrals and sums for delta, by what the releases are: which of them may answer.

They stand apart from :mod:`lapdp.accounting.delta` because a closed form is answered without them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from importlib import import_module
from typing import Any

from lapdp.accounting.delta import (
    CARRIED,
    GIVEN_FINITE,
    HALVES,
    IN_DOUBLES,
    MET,
    PLACES_IN_DOUBLES,
    SMOOTHED,
    Tried,
)
from lapdp.accounting.delta_rules import (
    MOST_BITS,
    Apart,
    Given,
    in_doubles,
    integral,
    non_negative,
    refusal,
    refuse_too_small,
)
from lapdp.accounting.inversion import (
    atom_classes,
    atoms_beside,
    beside,
    carried,
    characteristic,
    contour,
    counted_hits,
    counts,
    faint,
    hit_atoms,
    hit_beside,
    hit_windows,
    hits,
    lattice,
    lattices,
    narrow,
    near_end,
    one_hit,
    one_sample,
    residues,
    split,
    two_samples,
    windows,
)
from lapdp.accounting.moments.exact import ExactSpectrum
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.given import Finite, finite
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.accounting.moments.releases import releases
from lapdp.balls.compiler import exact_ball
from lapdp.balls.decimals import Enclosure, certified
from lapdp.core.errors import Unsupported
from lapdp.privacy.pair import FAR, Pair
from lapdp.privacy.parameters import exceeds

MOST_COPIES = 10**6
"""Doubles are asked for no more releases: there balls take no longer."""
ONE_HIT, HIT_BESIDE = "sum over one huge loss", "sum over one huge loss beside others"
HIT_ATOMS = "sum over the atoms of one huge loss"
ONCE = {SMOOTHED, ONE_HIT, HIT_BESIDE, HIT_ATOMS}
"""Methods that are not asked again after few digits."""
HIDDEN = 10.0
"""A logarithm: where hits rule moments so far above delta, noise in doubles hides it."""
USUAL_DIGITS = 10
"""For which it is asked whether doubles are likely to give them."""
SOON = ("lattice sum", "integral of a formula", "integral around the poles",
        "sum over few losses", ONE_HIT)
"""Methods that give any number of digits in no time, or say at once that they do not."""
LENGTHY = 200_000
"""Terms of moments of a line that takes part of a second."""
SMALL = 8
"""Up to so many releases a closed form is tried before the integrals."""

Method = tuple[str, Callable[[int], Enclosure]]


def methods(pair: Pair, eps: Any, closed: Method, short: bool, tried: Tried | None = None
            ) -> Iterator[Method]:
    """What may answer, the cheapest first; ``short`` says that ``closed`` has been tried."""
    tried = tried or Tried()
    before: set[str] = set()
    if tried.roughly:
        for name, compute in _roughly(pair, eps, tried):
            before.update({name} & ONCE)
            yield name, compute
    for name, compute in _all(pair, eps, closed, short, tried):
        if tried.quickly and not _is_soon(name, pair, eps):
            continue
        if name not in before:
            yield name, compute


def _roughly(pair: Pair, eps: Any, tried: Tried) -> Iterator[Method]:
    """What gives few digits of nearly all products soon."""
    with suppress(Unsupported):
        forward = releases(pair)
        # beside what is lost fewer digits of the profile given finite losses are enough
        if lattice.lattice(forward) is None and _given(pair, forward) is None:
            # noise takes long where the profile ends
            yield from _near_end(pair, forward, eps, soon=True)
            if _has_hit_atoms(forward, eps):
                yield HIT_ATOMS, Apart(pair, eps, tried, hit_atoms.delta)
            hidden = _is_hidden(forward, eps)
            if hidden or (exceeds(eps, 0) and hits.is_rare(forward, every=True)):
                yield from _hits_first(pair, forward, eps, hidden)
            # what it does not see it gives up at once
            yield SMOOTHED, in_doubles(pair, forward, eps, "smoothed")


def _is_hidden(factors: Factors, eps: Any) -> bool:
    """Do rare hits rule the moments, far above delta?"""
    return exceeds(eps, 0) and hits.is_rare(factors) and hit_windows.excess(
        factors, float(exact_ball(eps).real)) > HIDDEN


def _were_asked(factors: Factors, eps: Any, tried: Tried) -> bool:
    """Were hits of no little cost asked for first?"""
    return tried.roughly and _is_hidden(factors, eps) and not hits.is_cheap(
        factors, float(exact_ball(eps).real))


def _has_hit_atoms(factors: Factors, eps: Any) -> bool:
    """The same of sampled discrete Gaussians."""
    return exceeds(eps, 0) and hit_atoms.reaches(factors) and hit_atoms.excess(
        factors, float(exact_ball(eps).real)) > HIDDEN


def _hits_first(pair: Pair, forward: Factors, eps: Any, hidden: bool) -> Iterator[Method]:
    """Rare hits before noise, which hides what they add, or takes longer."""
    place = float(exact_ball(eps).real)
    cheap = hits.is_cheap(forward, place)
    if cheap:
        yield "contour integral of hits", integral(pair, forward, eps, hits.modestly)
    if not hidden:
        return
    if _is_few(forward):
        yield ONE_HIT, integral(pair, forward, eps, one_hit.delta)
    if hit_beside.reaches(forward):
        yield HIT_BESIDE, integral(pair, forward, eps, hit_beside.delta)
    if not cheap:
        yield IN_DOUBLES, in_doubles(pair, forward, eps, "hits_machine")
        # beside others there is but one line
        if _is_few(forward) or hits.cost(forward, place) < math.inf:
            yield "contour integral of hits", integral(pair, forward, eps, hits.delta)


def _is_soon(name: str, pair: Pair, eps: Any) -> bool:
    """Does a method give many digits in no time, or say at once that it does not?  A choice."""
    if name in SOON or (name == "closed form" and pair.has_short_profile()):
        return True
    if name not in ("closed form", "contour integral", "sum over counts"):
        return False
    try:
        factors, place = releases(pair), float(exact_ball(eps).real)
    except Unsupported:
        return True
    if name == "closed form":
        return factors.count <= SMALL
    if name == "sum over counts":
        return counts.is_quick(factors, place)
    with suppress(Unsupported, ArithmeticError):
        return not split.splits(factors) and contour.terms(factors, place) < LENGTHY
    return False


def _all(pair: Pair, eps: Any, closed: Method, short: bool, tried: Tried) -> Iterator[Method]:
    last: Method | None = None
    try:
        forward = releases(pair)
    except Unsupported as problem:
        yield closed
        yield "contour integral", refusal(problem)
        return
    if any(isinstance(s, ExactSpectrum) and s.is_atomic and not s.loss.impulses
           for s, _ in forward.parts):
        # a release alone tells the two apart
        yield "all losses are infinite", lambda _: Enclosure(Fraction(1), Fraction(0))
        return
    if eps == 0 and hits.is_rare(forward) and not hits.is_rare(releases(pair.reverse())):
        # the total variation of either direction, and the other one has no huge losses
        yield from _all(pair.reverse(), eps, closed, short, tried)
        return
    far = exceeds(eps, FAR)
    refuse_too_small(forward, eps)
    # products of subsampled Gaussians have none
    closed_first = short or (forward.count <= SMALL and not far and not (
        forward.count > 1 and _is_few(forward)))
    if closed_first and not short:
        yield closed
    on_lattice = lattice.lattice(forward) is not None
    if not on_lattice:
        yield from _given_finite(pair, forward, eps, tried)
        yield from _at_first(pair, forward, eps, tried)
    if not on_lattice and not _is_few(forward) and (
            split.splits(forward) or not _is_quick(forward, eps)):
        if _has_windows(forward):
            # where it does not do it says so at once
            yield IN_DOUBLES, in_doubles(pair, forward, eps, "windows_machine", "modestly")
        yield from _on_a_line(pair, forward, eps)
        yield from _one_sample(pair, forward, eps, short=False)
    if on_lattice:
        yield "lattice sum", integral(pair, forward, eps, lattice.delta)
    elif split.splits(forward):
        yield from _split(pair, forward, eps, tried)
    else:
        if _is_few(forward):
            yield from _few(pair, forward, eps, tried)
        # a few corners take less
        if not residues.is_short(forward):
            yield from _near_end(pair, forward, eps)
        yield from _ways(pair, forward, eps, tried)
        over: Method = ("sum over counts", integral(pair, forward, eps, counts.delta))
        if counts.has_many_losses(forward):
            yield over
        else:
            last = over
        if hits.is_rare(forward) and exceeds(eps, 0) and not _is_few(forward):
            yield "contour integral of hits", integral(pair, forward, eps, hits.delta)
    if not closed_first:
        yield closed
    if last is not None:
        yield last
    if not on_lattice:
        yield from _at_last(pair, forward, eps)


def _given_finite(pair: Pair, forward: Factors, eps: Any, tried: Tried) -> Iterator[Method]:
    """Infinite losses apart, where there are some: rules for products know of none."""
    found = _given(pair, forward)
    if found is not None:
        yield GIVEN_FINITE, Given(found, eps, tried)


def _given(pair: Pair, forward: Factors) -> Finite | None:
    return finite(pair) if len(forward.parts) > 1 else None


def _at_first(pair: Pair, forward: Factors, eps: Any, tried: Tried) -> Iterator[Method]:
    """What says at once where it does not do."""
    if _has_hit_atoms(forward, eps):
        yield HIT_ATOMS, Apart(pair, eps, tried, hit_atoms.delta)
    if not _has_few_sums(forward, eps):
        if atom_classes.are_apart(forward):
            # where there are too many sums it says so soon
            yield HALVES, in_doubles(pair, forward, eps, "halves")
        if atom_classes.reaches(forward):
            yield MET, in_doubles(pair, forward, eps, "met")
    yield from _apart(pair, forward, eps, tried)
    if exceeds(eps, 0) and hit_beside.reaches(forward) and not (
            _is_few(forward) and hits.is_rare(forward, every=True)) and contour.is_long(
            forward, float(exact_ball(eps).real)):
        yield HIT_BESIDE, integral(
            pair, forward, eps, hit_beside.delta)
    if not _is_few(forward):
        yield from _counted(pair, forward, eps)
    if atom_classes.are_apart(forward):
        if counts.is_quick(forward, float(exact_ball(eps).real)):
            yield "sum over counts", integral(pair, forward, eps, counts.delta)
        if windows.parts(forward) is not None:
            # where these do not do they say so at once
            yield "contour integral on windows", integral(pair, forward, eps, windows.quickly)
        yield SMOOTHED, in_doubles(pair, forward, eps, "smoothed")


def _has_few_sums(factors: Factors, eps: Any) -> bool:
    """Are balls as quick for sums of atoms?"""
    place = float(exact_ball(eps).real)
    if len(lattices.groups(factors)) > 1:
        return lattices.is_quick(factors, place)
    return counts.is_quick(factors, place)


def _at_last(pair: Pair, forward: Factors, eps: Any) -> Iterator[Method]:
    """What takes long, or gives few digits."""
    yield from _narrow(pair, forward, eps, short=False)
    if split.reaches(forward) and not split.splits(forward):
        yield "contour integral, few draws apart", integral(pair, forward, eps, split.delta)
    if not atom_classes.are_apart(forward):
        yield SMOOTHED, in_doubles(pair, forward, eps, "smoothed")


def _apart(pair: Pair, forward: Factors, eps: Any, tried: Tried) -> Iterator[Method]:
    """Some of the factors apart from the others, where that takes next to no time."""
    unlike = len(forward.parts) > 1
    if unlike:
        yield from _one_sample(pair, forward, eps, short=True)
        yield from _narrow(pair, forward, eps, short=True)
        if atoms_beside.has_formula(pair):
            yield "sum over few losses", Apart(pair, eps, tried, atoms_beside.delta)
    if tried.quickly:
        # what the others need is worked out where they may be asked
        return
    if _atoms_first(pair, forward, eps):
        yield CARRIED, Apart(pair, eps, tried, carried.in_doubles)
    if unlike and faint.ways(pair):
        yield "profile of all but faint factors", Apart(pair, eps, tried, faint.delta)


def _atoms_first(pair: Pair, forward: Factors, eps: Any) -> bool:
    return split.splits(forward) and carried.comes_first(*non_negative(pair, eps))


def _split(pair: Pair, forward: Factors, eps: Any, tried: Tried) -> Iterator[Method]:
    """Of atoms and pieces outside the exact class."""
    yield from _near_end(pair, forward, eps)
    here, exact = non_negative(pair, eps)
    places: Method = ("sum over places of a lattice", Apart(pair, eps, tried, beside.delta))
    by_formula = not tried.quickly and beside.has_formula(here, exact)
    if by_formula:
        yield places
    yield IN_DOUBLES, in_doubles(pair, forward, eps, "split_machine")
    if not tried.quickly and carried.ways(here) and not _atoms_first(pair, forward, eps):
        yield CARRIED, Apart(pair, eps, tried, carried.in_doubles)
    rules: list[Method] = [
        ("contour integral", integral(pair, forward, eps, split.delta)),
        *([] if by_formula else [places])]
    if windows.parts(forward) is not None:
        # where these do not do they say so at once
        yield "contour integral on windows", integral(pair, forward, eps, windows.modestly)
    yield from reversed(rules) if not tried.quickly and beside.is_short(here, exact) else rules
    yield "contour integral on windows", integral(pair, forward, eps, windows.delta)


def _near_end(pair: Pair, forward: Factors, eps: Any, soon: bool = False) -> Iterator[Method]:
    """Where it does not do it says so soon."""
    if split.reaches(forward) and exceeds(eps, 0):
        yield "few draws next to the largest loss", integral(
            pair, forward, eps, near_end.quickly if soon else near_end.delta)


def _narrow(pair: Pair, forward: Factors, eps: Any, short: bool) -> Iterator[Method]:
    """Losses with few corners, or many, beside narrow ones."""
    if narrow.parted(forward) is not None and narrow.is_short(forward) is short:
        yield "integral around the poles", integral(pair, forward, eps, narrow.delta)


def _one_sample(pair: Pair, forward: Factors, eps: Any, short: bool) -> Iterator[Method]:
    """Few losses with corners beside one subsampled Gaussian: first where the rule on a line is not
    quick either, as it takes next to no time."""
    if one_sample.parted(forward) is not None and not (short and _is_quick(forward, eps)):
        yield "integral of a formula", integral(
            pair, forward, eps, one_sample.quickly if short else one_sample.delta)


def _ways(pair: Pair, forward: Factors, eps: Any, tried: Tried) -> Iterator[Method]:
    """Around the poles, on a line, on windows, over places of lattices, as it seems best."""
    places: Method = ("sum over places of a lattice", Apart(pair, eps, tried, beside.delta))
    ways: list[Method] = [
        ("integral around the poles", integral(pair, forward, eps, residues.delta)),
        ("contour integral", integral(pair, forward, eps, contour.delta)), places]
    short = residues.is_short(forward)
    # the circle sums over corners; with many of them the atoms may be negligible on a line
    if not short or (residues.has_families(forward) and _is_quick(forward, eps)):
        ways = [ways[1], places, ways[0]]
        if not _is_quick(forward, eps):
            first = _where_long(pair, forward, eps, tried, places)
            ways = [*first, *(way for way in ways if way not in first)]
    if len(lattices.groups(forward)) > 1:
        # no line sees the moments decay
        in_balls: Method = ("sum over places of lattices",
                            integral(pair, forward, eps, lattices.delta))
        if lattices.is_quick(forward, float(exact_ball(eps).real)):
            ways.insert(0, in_balls)
        else:
            at = 1 if short else 0
            ways[at:at] = [(PLACES_IN_DOUBLES, in_doubles(
                pair, forward, eps, "lattices_machine")), in_balls]
    yield from ways
    if not tried.quickly and carried.ways(pair):
        yield CARRIED, Apart(pair, eps, tried, carried.in_doubles)
    yield "contour integral on windows", integral(pair, forward, eps, windows.delta)


def _where_long(pair: Pair, forward: Factors, eps: Any, tried: Tried, places: Method
                ) -> list[Method]:
    """What comes before a line that takes long; where it does not do it says so soon."""
    rare = hits.is_rare(forward) and exceeds(eps, 0) and not _is_few(
        forward) and contour.is_long(forward, float(exact_ball(eps).real))
    few: list[Method] = [("sum over few losses", Apart(pair, eps, tried, atoms_beside.delta))
                         ] if rare and atoms_beside.is_few(pair) else []
    if tried.quickly:
        # what the others need is worked out where they may be asked
        return few
    apart = windows.parts(forward) is not None
    found: list[Method] = [("contour integral on windows", integral(
        pair, forward, eps, windows.quickly))] if apart else []
    here = non_negative(pair, eps)
    if carried.has_lattice(pair) and beside.is_long(*here):
        found.append((CARRIED, Apart(pair, eps, tried, carried.in_doubles)))
    if beside.has_formula(*here):
        found.append(places)
    if _has_windows(forward):
        found.append((IN_DOUBLES, in_doubles(pair, forward, eps, "windows_machine")))
    if rare:
        if not _were_asked(forward, eps, tried):
            found.append((IN_DOUBLES, in_doubles(pair, forward, eps, "hits_machine")))
        found.append(("contour integral of hits", integral(pair, forward, eps, hits.modestly)))
    found += few
    if places not in found and (beside.is_quick(*here) or beside.is_shared(*here)):
        found.append(places)
    if apart and contour.is_long(forward, float(exact_ball(eps).real), windows.LONG):
        found.append(("contour integral on windows", integral(
            pair, forward, eps, windows.modestly)))
    return found


def _few(pair: Pair, forward: Factors, eps: Any, tried: Tried) -> Iterator[Method]:
    """For subsampled Gaussians, before the contour integral in balls."""
    if two_samples.two(forward) is not None:
        yield "integral of a formula", integral(pair, forward, eps, two_samples.delta)
    if hits.is_rare(forward) and exceeds(eps, 0):
        # where it does not do it says so at once
        yield ONE_HIT, integral(pair, forward, eps, one_hit.delta)
    # lines of their own take longer than one in doubles where that is short
    soon = _promises(forward, eps)
    if not soon:
        yield from _counted(pair, forward, eps)
    yield from _on_a_line(pair, forward, eps, soon)
    if soon:
        yield from _counted(pair, forward, eps)
    if not hits.is_rare(forward) or not exceeds(eps, 0):
        return
    place = float(exact_ball(eps).real)
    if contour.is_long(forward, place):
        if not _were_asked(forward, eps, tried):
            yield IN_DOUBLES, in_doubles(pair, forward, eps, "hits_machine")
            yield "contour integral of hits", integral(pair, forward, eps, hits.delta)
    elif not contour.is_quick(forward, place) and hits.is_cheaper(forward, place):
        yield "contour integral of hits", integral(pair, forward, eps, hits.delta)
    # usual losses that spread far
    yield HIT_BESIDE, integral(pair, forward, eps, hit_beside.delta)


def _promises(factors: Factors, eps: Any) -> bool:
    """Are doubles likely to answer soon?"""
    with suppress(ImportError):
        machine = import_module("lapdp.accounting.inversion.machine")
        return bool(machine.promises(factors, float(exact_ball(eps).real), USUAL_DIGITS))
    return False


def _counted(pair: Pair, forward: Factors, eps: Any) -> Iterator[Method]:
    """Rare Gaussians far out, where a line of all losses is not quick: where it does not do it says
    so at once."""
    if exceeds(eps, 0) and counted_hits.reaches(forward) and not _is_quick(forward, eps):
        yield "contour integrals by numbers of huge losses", integral(
            pair, forward, eps, counted_hits.delta)


def _on_a_line(pair: Pair, forward: Factors, eps: Any, soon: bool | None = None
               ) -> Iterator[Method]:
    """In doubles; before it the rule for hits, where that in doubles would be long, or in vain, and
    hits take no time.  ``soon`` says whether doubles promise to answer, if that is known."""
    if hits.is_rare(forward) and exceeds(eps, 0):
        place = float(exact_ball(eps).real)
        if not (_promises(forward, eps) if soon is None else soon) and hits.is_cheap(
                forward, place):
            yield "contour integral of hits", integral(pair, forward, eps, hits.modestly)
    yield IN_DOUBLES, in_doubles(pair, forward, eps, "machine")


def _has_windows(factors: Factors) -> bool:
    """Is there a lattice, beside subsampled Gaussians?"""
    return windows.parts(factors) is not None and any(
        isinstance(s, MixedNormalSpectrum) for s, _ in factors.parts)


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
        return "contour integral", integral(pair, forward, eps, contour.delta)
    return "characteristic functions", lambda digits: certified(
        lambda bits: characteristic.delta(forward, exact_ball(eps).real, bits), digits, MOST_BITS)


__all__ = ["Method", "methods", "named"]
