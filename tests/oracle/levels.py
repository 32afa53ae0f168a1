"""Functions of a level in [0, 1] known only by their values: piecewise linear, exactly.

Independent of the engine's curves: vertices are found by bisection and crossing lines, and every
one is checked by a further value.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

from tests.oracle.reals import Unclear, Undefined

DEPTH = 10
_INSIDE = (Fraction(1, 2), Fraction(1, 3), Fraction(3, 7), Fraction(9, 10))


def vertices(g):
    """Vertices of a continuous piecewise linear function with few pieces; Unclear if it is none."""
    pieces = _pieces(g, Fraction(0), g(Fraction(0)), Fraction(1), g(Fraction(1)), 0)
    # between two straight pieces lies a short interval with one kink
    result = []
    for k, piece in enumerate(pieces):
        if piece[2]:
            result += [piece[0], piece[1]]
        else:
            before = next((p for p in reversed(pieces[:k]) if p[2]), None)
            after = next((p for p in pieces[k + 1:] if p[2]), None)
            if before is None or after is None:
                raise Unclear("a kink at the end of the levels")
            x, y = _crossing(before, after)
            if not piece[0][0] <= x <= piece[1][0] or g(x) != y:
                raise Unclear("a function of a level that is not piecewise linear")
            result.append((x, y))
    return sorted(set(result))


def _pieces(g, a, ya, b, yb, depth):
    """(left end, right end, is it straight?) for each piece of [a, b], in order."""
    straight = all(g(a + s * (b - a)) == ya + s * (yb - ya) for s in _INSIDE)
    if straight or depth == DEPTH:
        return [((a, ya), (b, yb), straight)]
    middle = (a + b) / 2
    ym = g(middle)
    left = _pieces(g, a, ya, middle, ym, depth + 1)
    return _joined(left + _pieces(g, middle, ym, b, yb, depth + 1))


def _joined(pieces):
    """Neighbouring straight pieces of one line become one."""
    result = []
    for p in pieces:
        if result and result[-1][2] and p[2] and _slope(result[-1]) == _slope(p):
            result[-1] = (result[-1][0], p[1], True)
        elif result and not result[-1][2] and not p[2]:
            result[-1] = (result[-1][0], p[1], False)
        else:
            result.append(p)
    return result


def _slope(piece):
    (a, ya), (b, yb), _ = piece
    return (yb - ya) / (b - a)


def _crossing(first, second):
    (a, ya), _, _ = first
    (b, yb), _, _ = second
    m, n = _slope(first), _slope(second)
    if m == n:
        raise Unclear("two parallel pieces with a jump between")
    x = (yb - ya + m * a - n * b) / (m - n)
    return x, ya + m * (x - a)


def lower_hull(points):
    """The vertices of the largest convex function below the points: those under every chord."""
    least = {}
    for x, y in points:
        least[x] = min(y, least.get(x, y))
    ordered = sorted(least.items())
    return [(x, y) for x, y in ordered if not any(
        a < x < b and ya + (yb - ya) * (x - a) / (b - a) < y
        for a, ya in ordered for b, yb in ordered)]


def between(points, x):
    """The value at x of the function with straight pieces between the points."""
    for (a, ya), (b, yb) in pairwise(points):
        if a <= x <= b:
            return ya + (yb - ya) * (x - a) / (b - a)
    raise Undefined("a level outside [0, 1]")


def first_at_most(points, bound):
    """Least level with a value <= bound."""
    reached = [x for x, y in points if y <= bound]
    for (a, ya), (b, yb) in pairwise(points):
        if ya > bound >= yb:
            reached.append(a + (b - a) * (ya - bound) / (ya - yb))
    if not reached:
        raise Undefined("no level has so small a value")
    return min(reached)


def best_test(size, value, constraint):
    """Least value(phi) over tests phi in [0, 1]^size with constraint(phi) <= 0, both affine.

    The extreme points are corners of the cube and points on its edges with constraint 0.
    """
    corners = list(product((Fraction(0), Fraction(1)), repeat=size))
    at = {c: constraint(c) for c in corners}
    candidates = [c for c in corners if at[c] <= 0]
    for c in corners:
        for k in range(size):
            if c[k] == 0:
                other = (*c[:k], Fraction(1), *c[k + 1:])
                if at[c] * at[other] < 0:
                    share = at[c] / (at[c] - at[other])
                    candidates.append((*c[:k], share, *c[k + 1:]))
    if not candidates:
        raise Undefined("no test meets the constraint")
    return min(value(c) for c in candidates)
