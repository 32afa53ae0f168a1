"""Where a falling function meets a level: a bracket with two proved ends, by few looks at it.

What has been seen says where to look next (:mod:`lapdp.accounting.bracket`).  Where that does not
serve, the bracket is halved.
"""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath as mp

from lapdp.accounting.bracket import FEWEST, WHOLE, Bracket, Place
from lapdp.accounting.interpolation import rational
from lapdp.accounting.moments.lines import LOG2
from lapdp.core.errors import Unsupported

MOST_LOOKS = 400


def crossing(known: Bracket) -> tuple[Place, Place]:
    """Two places with proved sides, 1 and -1, whose distance is below 10^-digits of the lower one.

    At least one place has been seen.  Both are the left end of the domain where that is not left of
    the crossing.  Raises :class:`Unsupported` where no crossing is found, and where sides stay
    open.

    >>> known = Bracket(lambda x, digits: Place(x, 5 / x**2, 1 if x * x < 5 else -1), digits=6)
    >>> place = known.see(Fraction(1))
    >>> low, high = crossing(known)
    >>> low.x**2 < 5 <= high.x**2, high.x - low.x < Fraction(3, 10**6), len(known.places) < 12
    (True, True, True)
    """
    with mp.workdps(known.digits + 20):
        return _crossing(known)


def _crossing(known: Bracket) -> tuple[Place, Place]:
    digits, goal = known.digits, Fraction(1, 10**known.digits)
    slow, last, is_open = 0, None, False
    for _ in range(MOST_LOOKS):
        width = known.ratio()
        if width is not None and width <= goal:
            assert known.low is not None and known.high is not None
            return known.low, known.high
        if known.high is not None and known.high.x == known.first:
            return known.high, known.high
        found = known.guess()
        if known.first is not None and known.first_is_due(found):
            if known.see(known.first).side is None:
                raise Unsupported(_open(known.first, known.digits))
            continue
        if found is None or slow > 2 or not (known.near(found[0]) or known.ends_at(found[0], goal)):
            _cut(known)
            slow = 0
            continue
        place, miss, slope = found
        wanted = known.wanted(place, miss, slope)
        # interpolation gains at least what it gained by the look before
        left = miss * min(1, miss / last) if last else miss
        last = miss
        if is_open or rational(left) * 8 < goal * place or known.ends_at(place, goal):
            # one trial on each side, together within what is wanted
            is_open = False
            seen = known.low, known.high
            # no farther than values fall by half, if it seems so near: far places may take long
            most = goal * place * 2 / 5
            apart = min(most, max(rational(abs(LOG2 / slope)), 4 * rational(left)))
            more = math.ceil(math.log10(most / apart))
            # beside a place on the other side the first of them may do
            for side in (1, -1) if known.met() is None else (-1, 1):
                if known.is_done():
                    break
                trial = _short(place + side * apart, digits + 4 + more)
                if known.inside(trial) and known.see(trial, wanted).side is None:
                    raise Unsupported(_open(trial, wanted))
            if (known.low, known.high) == seen:
                # both lie where the sides are known: the guess is a wrong one
                _cut(known)
        elif known.inside(trial := _short(place, digits + 4)):
            # a place that is open is so near that the next two are trials on its sides
            is_open = known.see(trial, wanted, again=False).side is None and wanted <= WHOLE
        else:
            # where the function vanishes nothing is learned for the next guess: it is the same one
            _cut(known)
        now = known.ratio()
        slow = slow + 1 if width is not None and now is not None and 2 * now > width else 0
    raise Unsupported(f"no bracket of {digits} digits is found by {MOST_LOOKS} looks")


def _cut(known: Bracket) -> None:
    place = known.middle()
    if not Fraction(1, 2**known.farthest) < place < 2**known.farthest:
        raise Unsupported(f"no crossing is found between 2^-{known.farthest} and "
                          f"2^{known.farthest}")
    width = known.ratio()
    wanted = known.wanted(place, known.real(place if width is None else width * place), 0)
    for _ in range(3):
        if known.see(place, wanted).side is not None:
            return
        # one that stays open is passed on one side
        place, wanted = place * Fraction(1021, 1024), 2 * wanted
    raise Unsupported(_open(place, wanted))


def _open(x: Fraction, digits: int) -> str:
    return (f"on which side of the crossing {float(x):.6g} lies is open at {digits} digits: it may "
            "be the very place")


def _short(x: Fraction, digits: int) -> Fraction:
    """A decimal of about so many digits."""
    size = math.log2(x.numerator) - math.log2(x.denominator)
    unit: Fraction = Fraction(10) ** (math.floor(size * math.log10(2)) - digits)
    return Fraction(round(x / unit)) * unit


__all__ = ["FEWEST", "Bracket", "Place", "crossing"]
