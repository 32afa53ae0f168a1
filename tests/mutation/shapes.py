"""Convex and monotone functions, suprema on half-lines and pairs on [0, 1], piece by affine piece.

What is said of functions with other pieces is Unclear.  As a claim, a shape is asked at two points
that are drawn (``at_two_points``); as a hypothesis it is decided for the whole interval.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import sympy as sp
from mpmath import mp

from lapdp.theory import language
from tests.oracle import finite
from tests.oracle.reals import Unclear, Undefined, compare, is_infinite
from tests.oracle.signals import Signal

_AFFINE = {(0, Fraction(0)), (1, Fraction(0))}


# claims ------------------------------------------------------------------------------------------


def at_two_points(form):
    """A relation, and hypotheses, that hold at all two points if the function has the shape.

    A function that is finite and convex between the middles of all pairs of points is convex.
    """
    a, b = (sp.Symbol(f"{form.t}_{k}", real=True) for k in (1, 2))
    inside = [sp.Ge(a, form.lower, evaluate=False), sp.Ge(b, form.lower, evaluate=False)]
    if form.upper != sp.oo:
        inside += [sp.Le(a, form.upper, evaluate=False), sp.Le(b, form.upper, evaluate=False)]
    first, second, middle = (form.expr.subs(form.t, x) for x in (a, b, (a + b) / 2))
    if isinstance(form, language.ConvexOn):
        return language.Le(middle, (first + second) / 2), (*inside, language.Defined(first))
    return language.Ge(first, second), (*inside, sp.Le(a, b, evaluate=False))


# hypotheses --------------------------------------------------------------------------------------


def convex(form, walker):
    """Is the function continuous inside of the interval, with slopes that do not fall?"""
    signal, ends, slopes = _pieces(form, walker)
    inner = [x for x in signal.breaks if _within(x, ends, strict=True)]
    if any(compare(x, y) > 0 for x, y in pairwise(slopes)):
        return False
    if not all(_continuous(signal, x) for x in inner):
        return False
    return all(compare(signal.value(x), signal.limit(x, side)) >= 0
               for x, side in zip(ends, (1, -1), strict=True) if not is_infinite(x))


def nonincreasing(form, walker):
    """No slope above 0, and no jump up."""
    signal, ends, slopes = _pieces(form, walker)
    if any(compare(x, Fraction(0)) > 0 for x in slopes):
        return False
    for x in [y for y in (*signal.breaks, *ends) if _within(y, ends) and not is_infinite(y)]:
        steps = [signal.value(x)]
        if compare(x, ends[0]) > 0:
            steps.insert(0, signal.limit(x, -1))
        if compare(x, ends[1]) < 0:
            steps.append(signal.limit(x, 1))
        if any(compare(y, z) < 0 for y, z in pairwise(steps)):
            return False
    return True


def _pieces(form, walker):
    """The function, the ends of the interval, and the slopes between them."""
    signal = walker.signal(form.expr, form.t)
    ends = [walker.scalar(sp.sympify(x)) for x in (form.lower, form.upper)]
    if any(_within(x, ends) for x in signal.impulses):
        raise Undefined("a function with an impulse")
    return signal, ends, _slopes(signal, ends)


def _slopes(signal, ends):
    found = []
    for (low, high), piece in zip(pairwise([-mp.inf, *signal.breaks, mp.inf]), signal.pieces,
                                  strict=True):
        if compare(high, ends[0]) > 0 and compare(low, ends[1]) < 0:
            if not set(piece) <= _AFFINE:
                raise Unclear("the shape of a function with curved pieces")
            found.append(piece.get((1, Fraction(0)), Fraction(0)))
    return found


def _within(x, ends, strict=False):
    low, high = compare(x, ends[0]), compare(x, ends[1])
    return low > 0 > high if strict else low >= 0 >= high


def _continuous(signal, x):
    try:
        values = [signal.limit(x, -1), signal.value(x), signal.limit(x, 1)]
    except Undefined:
        return False
    return all(compare(y, z) == 0 for y, z in pairwise(values))


def ordered(form, walker):
    """A relation between functions with affine pieces, for all numbers from some place on."""
    relation = form.claim
    if len(form.over) != 1 or getattr(relation, "rel_op", "") not in ("<", "<=", ">", ">="):
        raise Unclear("a claim for all values of a variable")
    (t,) = form.over
    start, open_ = -mp.inf, True
    for h in form.where:
        if not isinstance(h, (sp.Ge, sp.Gt)) or h.lhs != t or t in h.rhs.free_symbols:
            raise Unclear("a claim for all values of a variable, on a part of the line")
        here, strict = walker.scalar(h.rhs), isinstance(h, sp.Gt)
        order = compare(here, start)
        start, open_ = (here, strict) if order > 0 else (start, open_ or (order == 0 and strict))
    gap = walker.signal(relation.lhs - relation.rhs, t)
    if relation.rel_op in ("<", "<="):
        gap = gap.scaled(Fraction(-1))
    strict = relation.rel_op in ("<", ">")
    inner = [b for b in gap.breaks if compare(b, start) > 0]
    _slopes(gap, (start, mp.inf))  # affine between the breaks: the ends decide, strictly
    reached = [gap.value(b) for b in inner]
    reached += [gap.value(start)] if not open_ else []
    limits = [gap.limit(b, side) for b in inner for side in (-1, 1)]
    limits += [gap.limit(start, 1), gap.limit(mp.inf, -1)]
    if any(compare(x, Fraction(0)) < 0 for x in (*reached, *limits)):
        return False
    if not strict:
        return True
    if any(compare(x, Fraction(0)) == 0 for x in reached):
        return False
    # inside of a piece a value is 0 only where the piece is 0
    pieces = [p for high, p in zip([*gap.breaks, mp.inf], gap.pieces, strict=True)
              if compare(high, start) > 0]
    return all(pieces)


def drawn(rng):
    """Mostly the profile of a random pair as a function of e^eps, which is convex and falls."""
    kind = rng.random()
    if kind < 0.1:
        slope = Fraction(rng.choice((-3, -1, 1)), rng.choice((1, 2)))
        return Signal([Fraction(0)], [{(0, Fraction(0)): Fraction(1)},
                                      {(0, Fraction(0)): Fraction(1), (1, Fraction(0)): slope}])
    P, Q = finite.random_pair(rng)
    total = Signal()
    for p, q in zip(P, Q, strict=True):
        if q == 0:
            total = total + Signal.constant(p)
        elif p:
            line = Signal.constant(p) - Signal.variable().scaled(q)
            total = total + line * (Signal.constant(Fraction(1)) - Signal.step(p / q))
    return total.scaled(Fraction(3, 2)) if kind > 0.95 else total


def functions_with_a_shape(statement):
    """Names of the arbitrary functions that a hypothesis calls convex or monotone."""
    return {form.expr.func.__name__ for form in statement.where
            if isinstance(form, (language.ConvexOn, language.NonincreasingOn))}


# suprema and pairs -------------------------------------------------------------------------------


def supremum(walker, e):
    """The supremum over an interval of a function whose pieces are monotone, infinite ends too."""
    body, x, *ends = e.args
    signal, ends = walker.signal(body, x), [walker.scalar(end) for end in ends]
    if signal.impulses:
        raise Undefined("the supremum of a measure")
    if not all(map(_monotone, signal.pieces)):
        raise Unclear("the supremum of a function with curved pieces")
    inner = [b for b in signal.breaks if _within(b, ends, strict=True)]
    found = [signal.limit(ends[0], 1), signal.limit(ends[1], -1)]
    found += [signal.limit(b, side) for b in inner for side in (-1, 1)]
    found += [signal.value(b) for b in (*inner, *ends) if not is_infinite(b)]
    best = found[0]
    for value in found[1:]:
        best = value if compare(value, best) > 0 else best
    return best


def _monotone(piece):
    """A constant and one further term, t or an exponential."""
    terms = [key for key in piece if key != (0, Fraction(0))]
    return len(terms) <= 1 and all(n == 0 or (n, a) in _AFFINE for n, a in terms)


def on_unit_interval(role, walker):
    """(P, Q) of a pair on [0, 1]: where the distribution function is affine, one outcome."""
    points = walker.curve(role.cdf, role.x)
    steps = [(y - x, b - a) for (a, x), (b, y) in pairwise(points)]
    (_, start), (_, end) = points[0], points[-1]
    rows = [(start, Fraction(0)), *steps, (1 - end, Fraction(0))]
    if any(p < 0 for p, _ in rows):
        raise Undefined("no distribution function on [0, 1]")
    return tuple(zip(*rows, strict=True))
