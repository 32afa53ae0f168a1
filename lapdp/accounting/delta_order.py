"""Which integrals and sums are asked for delta, and in which order, by what the releases are."""

from __future__ import annotations

from collections.abc import Iterator

from lapdp.accounting.inversion import (
    atom_classes,
    atoms_beside,
    beside,
    carried,
    contour,
    counted_hits,
    counts,
    faint,
    hit_atoms,
    hit_beside,
    hit_windows,
    hits,
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
from lapdp.accounting.method_names import (
    BY_HITS,
    CARRIED,
    COUNTS,
    FAINT,
    FEW_LOSSES,
    FORMULA,
    HALVES,
    HIT_ATOMS,
    HIT_BESIDE,
    HITS,
    IN_DOUBLES,
    LINE,
    MET,
    NEAR_END,
    ONE_HIT,
    PLACES,
    PLACES_IN_DOUBLES,
    POLES,
    SMOOTHED,
    WINDOWS,
)
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.accounting.question import Method, Question

HIDDEN = 10.0
"""A logarithm: where hits rule moments so far above delta, noise in doubles hides it."""


def is_hidden(q: Question) -> bool:
    """Do rare hits rule the moments, far above delta?"""
    return q.has_hits and hit_windows.excess(q.forward, q.place) > HIDDEN


def has_hit_atoms(q: Question) -> bool:
    """The same of sampled discrete Gaussians."""
    return q.is_right and hit_atoms.reaches(q.forward) and hit_atoms.excess(
        q.forward, q.place) > HIDDEN


def _were_asked(q: Question) -> bool:
    """Were hits of no little cost asked for first?"""
    return q.tried.roughly and is_hidden(q) and not hits.is_cheap(q.forward, q.place)


def at_first(q: Question) -> Iterator[Method]:
    """What says at once where it does not do."""
    if has_hit_atoms(q):
        yield q.apart(HIT_ATOMS, hit_atoms.delta)
    if not _has_few_sums(q):
        if atom_classes.are_apart(q.forward):
            # where there are too many sums it says so soon
            yield q.in_doubles(HALVES, "halves")
        if atom_classes.reaches(q.forward):
            yield q.in_doubles(MET, "met")
    yield from _apart(q)
    if q.is_right and hit_beside.reaches(q.forward) and not (
            q.is_few and hits.is_rare(q.forward, every=True)) and q.is_long:
        yield q.integral(HIT_BESIDE, hit_beside.delta)
    if not q.is_few:
        yield from _counted(q)
    if atom_classes.are_apart(q.forward):
        if counts.is_quick(q.forward, q.place):
            yield q.integral(COUNTS, counts.delta)
        if windows.parts(q.forward) is not None:
            # where these do not do they say so at once
            yield q.integral(WINDOWS, windows.quickly)
        yield q.in_doubles(SMOOTHED, "smoothed")


def _has_few_sums(q: Question) -> bool:
    """Are balls as quick for sums of atoms?"""
    if len(lattices.groups(q.forward)) > 1:
        return lattices.is_quick(q.forward, q.place)
    return counts.is_quick(q.forward, q.place)


def at_last(q: Question) -> Iterator[Method]:
    """What takes long, or gives few digits."""
    yield from _narrow(q, short=False)
    if split.reaches(q.forward) and not q.is_split:
        yield q.integral("contour integral, few draws apart", split.delta)
    if not atom_classes.are_apart(q.forward):
        yield q.in_doubles(SMOOTHED, "smoothed")


def _apart(q: Question) -> Iterator[Method]:
    """Some of the factors apart from the others, where that takes next to no time."""
    unlike = len(q.forward.parts) > 1
    if unlike:
        yield from one_sampled(q, short=True)
        yield from _narrow(q, short=True)
        if atoms_beside.has_formula(q.pair):
            yield q.apart(FEW_LOSSES, atoms_beside.delta)
    if q.tried.quickly:
        # what the others need is worked out where they may be asked
        return
    if _atoms_first(q):
        yield q.apart(CARRIED, carried.in_doubles)
    if unlike and faint.ways(q.pair):
        yield q.apart(FAINT, faint.delta)


def _atoms_first(q: Question) -> bool:
    return q.is_split and carried.comes_first(*q.here)


def of_split(q: Question) -> Iterator[Method]:
    """Of atoms and pieces outside the exact class."""
    yield from at_end(q)
    places = q.apart(PLACES, beside.delta)
    by_formula = not q.tried.quickly and beside.has_formula(*q.here)
    if by_formula:
        yield places
    yield q.in_doubles(IN_DOUBLES, "split_machine")
    if not q.tried.quickly and carried.ways(q.here[0]) and not _atoms_first(q):
        yield q.apart(CARRIED, carried.in_doubles)
    rules = [q.integral(LINE, split.delta), *([] if by_formula else [places])]
    if windows.parts(q.forward) is not None:
        # where these do not do they say so at once
        yield q.integral(WINDOWS, windows.modestly)
    yield from reversed(rules) if not q.tried.quickly and beside.is_short(*q.here) else rules
    yield q.integral(WINDOWS, windows.delta)


def at_end(q: Question, soon: bool = False) -> Iterator[Method]:
    """Where it does not do it says so soon."""
    if split.reaches(q.forward) and q.is_right:
        yield q.integral(NEAR_END, near_end.quickly if soon else near_end.delta)


def _narrow(q: Question, short: bool) -> Iterator[Method]:
    """Losses with few corners, or many, beside narrow ones."""
    if narrow.parted(q.forward) is not None and narrow.is_short(q.forward) is short:
        yield q.integral(POLES, narrow.delta)


def one_sampled(q: Question, short: bool) -> Iterator[Method]:
    """Few losses with corners beside one subsampled Gaussian: first where the rule on a line is not
    quick either, as it takes next to no time."""
    if one_sample.parted(q.forward) is not None and not (short and q.is_quick):
        yield q.integral(FORMULA, one_sample.quickly if short else one_sample.delta)


def ways(q: Question) -> Iterator[Method]:
    """Around the poles, on a line, on windows, over places of lattices, as it seems best."""
    places = q.apart(PLACES, beside.delta)
    poles, line = q.integral(POLES, residues.delta), q.integral(LINE, contour.delta)
    short = residues.is_short(q.forward)
    found = [poles, line, places]
    # the circle sums over corners; with many of them the atoms may be negligible on a line
    if not short or (residues.has_families(q.forward) and q.is_quick):
        found = [line, places, poles]
        if not q.is_quick:
            first = _where_long(q, places)
            found = [*first, *(way for way in found if way not in first)]
    if len(lattices.groups(q.forward)) > 1:
        # no line sees the moments decay
        in_balls = q.integral("sum over places of lattices", lattices.delta)
        if lattices.is_quick(q.forward, q.place):
            found.insert(0, in_balls)
        else:
            at = 1 if short else 0
            found[at:at] = [q.in_doubles(PLACES_IN_DOUBLES, "lattices_machine"), in_balls]
    yield from found
    if not q.tried.quickly and carried.ways(q.pair):
        yield q.apart(CARRIED, carried.in_doubles)
    yield q.integral(WINDOWS, windows.delta)


def _where_long(q: Question, places: Method) -> list[Method]:
    """What comes before a line that takes long; where it does not do it says so soon."""
    rare = q.has_hits and not q.is_few and q.is_long
    few = [q.apart(FEW_LOSSES, atoms_beside.delta)] if rare and atoms_beside.is_few(
        q.pair) else []
    if q.tried.quickly:
        # what the others need is worked out where they may be asked
        return few
    apart = windows.parts(q.forward) is not None
    found = [q.integral(WINDOWS, windows.quickly)] if apart else []
    if carried.has_lattice(q.pair) and beside.is_long(*q.here):
        found.append(q.apart(CARRIED, carried.in_doubles))
    if beside.has_formula(*q.here):
        found.append(places)
    if has_windows(q):
        found.append(q.in_doubles(IN_DOUBLES, "windows_machine"))
    if rare:
        if not _were_asked(q):
            found.append(q.in_doubles(IN_DOUBLES, "hits_machine"))
        found.append(q.integral(HITS, hits.modestly))
    found += few
    if places not in found and (beside.is_quick(*q.here) or beside.is_shared(*q.here)):
        found.append(places)
    if apart and contour.is_long(q.forward, q.place, windows.LONG):
        found.append(q.integral(WINDOWS, windows.modestly))
    return found


def of_few(q: Question) -> Iterator[Method]:
    """For subsampled Gaussians, before the contour integral in balls."""
    if two_samples.two(q.forward) is not None:
        yield q.integral(FORMULA, two_samples.delta)
    if q.has_hits:
        # where it does not do it says so at once
        yield q.integral(ONE_HIT, one_hit.delta)
    # lines of their own take longer than one in doubles where that is short
    soon = q.promises
    if not soon:
        yield from _counted(q)
    yield from on_a_line(q)
    if soon:
        yield from _counted(q)
    if not q.has_hits:
        return
    if q.is_long:
        if not _were_asked(q):
            yield q.in_doubles(IN_DOUBLES, "hits_machine")
            yield q.integral(HITS, hits.delta)
    elif not q.is_quick and hits.is_cheaper(q.forward, q.place):
        yield q.integral(HITS, hits.delta)
    # usual losses that spread far
    yield q.integral(HIT_BESIDE, hit_beside.delta)


def _counted(q: Question) -> Iterator[Method]:
    """Rare Gaussians far out, where a line of all losses is not quick: where it does not do it says
    so at once."""
    if q.is_right and counted_hits.reaches(q.forward) and not q.is_quick:
        yield q.integral(BY_HITS, counted_hits.delta)


def on_a_line(q: Question) -> Iterator[Method]:
    """In doubles; before it the rule for hits, where that in doubles would be long, or in vain, and
    hits take no time."""
    if q.has_hits and not q.promises and hits.is_cheap(q.forward, q.place):
        yield q.integral(HITS, hits.modestly)
    yield q.in_doubles(IN_DOUBLES, "machine")


def has_windows(q: Question) -> bool:
    """Is there a lattice, beside subsampled Gaussians?"""
    return windows.parts(q.forward) is not None and any(
        isinstance(s, MixedNormalSpectrum) for s, _ in q.forward.parts)


__all__ = ["at_end", "at_first", "at_last", "has_hit_atoms", "has_windows", "is_hidden", "of_few",
           "of_split", "on_a_line", "one_sampled", "ways"]
