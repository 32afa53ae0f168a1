"""The sign of an exponential polynomial on an interval, decided exactly or refused.

e^(-a t) f has the sign of f, and its derivative has one term less for a rate a of f.  So the signs
of f from left to right follow from those of the derivative and from f at the ends, by induction on
the number of terms: between two zeros of the derivative f is monotone.  Where that leaves the sign
of an extreme value open and there are no parameters, zeros are isolated.
"""

from __future__ import annotations

from lapdp.calculus.exact import ZERO, Exact, Terms, _put, _relative
from lapdp.calculus.exponentials import Exponentials
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.isolation import signs_between
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.calculus.transform import collected
from lapdp.core.errors import Unsupported

_MAX_STEPS = 60
"""Derivatives that one question may look at."""


def is_nonnegative(terms: Terms, lower: Form | None, upper: Form | None, cell: Cell) -> bool:
    """Is the sum of c t^n e^(a t) >= 0 all over the open interval (None: infinite)?

    Raises :class:`Unsupported` where this is not decided, and asks the cell for signs.

    >>> one = Form.of(1)
    >>> tooth = (Exact.term(1) - Exact.term(1, one, 1)).germ  # 1 - t e^t
    >>> is_nonnegative(tooth, None, ZERO, Cell()), is_nonnegative(tooth, ZERO, one, Cell())
    (True, False)
    """
    kept = {k: c for k, c in collected(terms, cell).items() if not cell.vanishes(c)}
    if any(a != a.real_part() for a, _ in kept):
        raise Unsupported("the sign of an oscillating function")
    found = _Signs(lower, upper, cell).of(kept)
    if found is not None:
        return -1 not in found
    if not any(Scalar.of(x).parameters() for x in (
            *kept.values(), *(a for a, _ in kept), *(x for x in (lower, upper) if x is not None))):
        return min(signs_between(Exponentials(kept), lower, upper)[1]) >= 0
    shown = Exact(kept)
    raise Unsupported(f"the sign of {shown} between {lower if lower is not None else '-oo'} and "
                      f"{upper if upper is not None else 'oo'} is not decided")


def never_negative(x: Scalar, cell: Cell) -> bool:
    """Is a field element >= 0 all over the cell?  One of a single parameter is a function of it.

    Raises :class:`NeedSplit` where the cell leaves the sign open, :class:`Unsupported` where no
    sign is found.

    >>> from sympy import Symbol
    >>> c = Form.atom(Symbol("c", positive=True))
    >>> never_negative(Scalar.of(c) * Scalar.exp(c) - Scalar.exp(c) + 1, Cell())
    True
    """
    try:
        return cell.sign_of(x) >= 0
    except NeedSplit as need:
        found = [_of_one_parameter(x.substitute(cell.values), side) for side in (1, -1)]
        for terms, good in zip(found, (True, False), strict=True):
            if terms is not None and is_nonnegative(terms[0], terms[1], None, Cell()):
                return good
        raise need from None


def _of_one_parameter(x: Scalar, side: int) -> tuple[Terms, Form | None] | None:
    """``side`` times an element as an exponential polynomial of its only parameter, and where that
    begins."""
    parameters = x.parameters()
    if len(parameters) != 1 or not x.is_real():
        return None
    (s,) = parameters
    terms: Terms = {}
    product = x * Scalar(x.keys, x.den, x.den**0) ** 2
    for c, log, rest, _ in product.polynomial_terms(product.num):
        rate = Form({() if m == ((s, 1),) else m: v for m, v in log.terms.items() if s in dict(m)})
        other = Form({m: v for m, v in log.terms.items() if s not in dict(m)})
        ((m, v),) = rest.terms.items()
        power = dict(m).get(s, 0)
        fixed = Form({tuple(t for t in m if t[0] != s): v})
        if rate.constant() is None or power < 0:
            return None
        _put(terms, (rate, power), Scalar.of(fixed) * Scalar.exp(other) * (c * side))
    return terms, ZERO if s.is_nonnegative else None


class _Signs:
    """Signs from left to right on one interval: [1, -1] is first >= 0, then <= 0."""

    def __init__(self, lower: Form | None, upper: Form | None, cell: Cell) -> None:
        self.lower, self.upper, self.cell = lower, upper, cell
        self.steps = _MAX_STEPS

    def of(self, terms: Terms) -> list[int] | None:
        """The pattern of signs, None where it is not found."""
        if not terms:
            return []
        sign = self._one_sign(terms)
        if sign:
            return [sign]
        self.steps -= 1
        if self.steps < 0:
            return None
        rates = list(dict.fromkeys(a for a, _ in terms))
        for rate in rates:
            scaled = Exact(dict(terms)).tilt(-rate)
            slope = self.of(scaled.derivative().germ)
            if slope is None:
                continue
            if not slope:
                # a constant c e^(rate t)
                return [self.cell.sign_of(scaled.germ[ZERO, 0])]
            found = _from_slope(slope, self._end(scaled.germ, self.lower, -1),
                                self._end(scaled.germ, self.upper, 1))
            if found is not None:
                return found
        return None

    def _one_sign(self, terms: Terms) -> int:
        """1 or -1 where all terms, written around an end of the interval, have one sign."""
        for end, side in ((self.lower, 1), (self.upper, -1), (ZERO, None)):
            if end is None:
                continue
            around = _relative(terms, end)
            if side is None and any(n % 2 for _, n in around):
                continue
            signs = {self.cell.sign_of(c) * (1 if side is None else side**n)
                     for (_, n), c in around.items()} - {0}
            if signs in ({1}, {-1}):
                return signs.pop()
        return 0

    def _end(self, terms: Terms, end: Form | None, side: int) -> int:
        """The sign of the limit at an end, 0 where the limit is 0."""
        if end is not None:
            return self.cell.sign_of(Exact(dict(terms)).limit(end, 1, self.cell))
        leading: tuple[Form, int] | None = None
        for a, n in terms:
            if leading is None:
                leading = (a, n)
                continue
            faster = side * self.cell.sign(a - leading[0])
            if faster > 0 or (faster == 0 and n > leading[1]):
                leading = (a, n)
        assert leading is not None
        growth = side * self.cell.sign(leading[0])
        if growth < 0:
            return 0
        return self.cell.sign_of(terms[leading]) * (side if leading[1] % 2 else 1)


def _from_slope(slope: list[int], first: int, last: int) -> list[int] | None:
    """Signs of a function from those of its slope and of its limits at both ends."""
    if slope == [1]:
        return [1] if first >= 0 else [-1] if last <= 0 else [-1, 1]
    if slope == [-1]:
        return [1] if last >= 0 else [-1] if first <= 0 else [1, -1]
    if slope not in ([1, -1], [-1, 1]):
        return None
    # up, then down: the ends are the smallest values (for down, then up: turn the signs round)
    turn = slope[0]
    start, end = turn * first, turn * last
    if start < 0 and end < 0:
        return None
    pattern = [1] if start >= 0 and end >= 0 else [-1, 1] if start < 0 else [1, -1]
    return [turn * s for s in pattern]


__all__ = ["is_nonnegative", "never_negative"]
