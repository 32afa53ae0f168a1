"""What gives few digits of delta soon: noise, and what it hides before it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress

from lapdp.accounting.delta_order import at_end, has_hit_atoms, is_hidden
from lapdp.accounting.inversion import hit_atoms, hit_beside, hits, lattice, one_hit
from lapdp.accounting.method_names import (
    HIT_ATOMS,
    HIT_BESIDE,
    HITS,
    IN_DOUBLES,
    ONE_HIT,
    SMOOTHED,
)
from lapdp.accounting.question import Method, Question
from lapdp.core.errors import Unsupported


def roughly(q: Question) -> Iterator[Method]:
    """What gives few digits of nearly all products soon."""
    with suppress(Unsupported):
        # beside what is lost fewer digits of the profile given finite losses are enough
        if lattice.lattice(q.forward) is None and q.given is None:
            # noise takes long where the profile ends
            yield from at_end(q, soon=True)
            if has_hit_atoms(q):
                yield q.apart(HIT_ATOMS, hit_atoms.delta)
            hidden = is_hidden(q)
            if hidden or (q.is_right and hits.is_rare(q.forward, every=True)):
                yield from _hits_first(q, hidden)
            # what it does not see it gives up at once
            yield q.in_doubles(SMOOTHED, "smoothed")


def _hits_first(q: Question, hidden: bool) -> Iterator[Method]:
    """Rare hits before noise, which hides what they add, or takes longer."""
    cheap = hits.is_cheap(q.forward, q.place)
    if cheap:
        yield q.integral(HITS, hits.modestly)
    if not hidden:
        return
    if q.is_few:
        yield q.integral(ONE_HIT, one_hit.delta)
    if hit_beside.reaches(q.forward):
        yield q.integral(HIT_BESIDE, hit_beside.delta)
    if not cheap:
        yield q.in_doubles(IN_DOUBLES, "hits_machine")
        # beside others there is but one line
        if q.is_few or hits.cost(q.forward, q.place) < math.inf:
            yield q.integral(HITS, hits.delta)


__all__ = ["roughly"]
