"""Fenchel duality between profiles and trade-off functions of pairs of atoms, vertex by vertex.

Write H(x) = delta_{P|Q}(log x) for the profile over x = e^eps > 0, and f = f_{P|Q}.  Then

    H(x) = max over a in [0, 1] of 1 - a - x f(a),
    f(a) = max(0, sup over x > 0 of (1 - a - H(x))/x),

for every pair: the first is the definition of a profile, the supremum over tests of
E_P[1 - phi] - x E_Q[1 - phi]; the second is Fenchel-Moreau for the convex function f, read off from
its tangents, whose slopes are -1/x.  No symmetry is supposed, so that the profile is needed at all
eps, negative ones included.

Where both are piecewise linear, a segment of f from (a, y) to (a', y') is the vertex of H at the
likelihood ratio x = (a' - a)/(y - y'), with H(x) = 1 - a - x y; and a segment of H, on the line
1 - a - x y, is the vertex (a, y) of f.  The maps below use nothing but + - * /, so they work for
Fractions and for field elements alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from lapdp.core.errors import InputError

Vertex = tuple[Any, Any]


def to_profile(points: Sequence[Vertex], sign: Callable[[Any], int]) -> tuple[Vertex, ...]:
    """The vertices (x, H(x)) of a profile from the vertices (a, f(a)) of a trade-off function.

    ``sign`` tells the sign of a number.  H(0) = 1 is the first vertex; after the last one H is
    constant.

    >>> from fractions import Fraction as Fr
    >>> def sign(x): return (x > 0) - (x < 0)
    >>> [(str(x), str(h)) for x, h in to_profile([(0, 1), (Fr(1, 4), Fr(1, 4)), (1, 0)], sign)]
    [('0', '1'), ('1/3', '2/3'), ('3', '0')]
    """
    found: list[Vertex] = [(0, 1)]
    for (a, y), (b, v) in pairwise(points):
        if sign(y - v) > 0:
            ratio = (b - a) / (y - v)
            found.append((ratio, 1 - a - ratio * y))
    return tuple(found)


def to_tradeoff(vertices: Sequence[Vertex], sign: Callable[[Any], int]) -> tuple[Vertex, ...]:
    """The vertices (a, f(a)) of a trade-off function from the vertices (x, H(x)) of a profile.

    The first vertex must be (0, 1); after the last one, the first of least value, H is constant.

    >>> from fractions import Fraction as Fr
    >>> def sign(x): return (x > 0) - (x < 0)
    >>> [(str(a), str(y)) for a, y in to_tradeoff([(0, 1), (Fr(1, 2), Fr(1, 2))], sign)]
    [('0', '1'), ('1/2', '0'), ('1', '0')]
    """
    found: list[Vertex] = []
    vertices = list(vertices)
    while len(vertices) > 1 and sign(vertices[-2][1] - vertices[-1][1]) == 0:
        vertices.pop()
    for (x, h), (u, g) in pairwise(vertices):
        y = (h - g) / (u - x)
        found.append((1 - h - x * y, y))
    last = 1 - vertices[-1][1]
    found.append((last, 0 * last))
    if sign(1 - last) > 0:
        found.append((1, 0))
    return tuple(found)


def masses_of_tradeoff(points: Sequence[Vertex], sign: Callable[[Any], int]
                       ) -> tuple[Vertex, ...]:
    """(P-mass, Q-mass) of outcomes with a trade-off function: one a segment, and one at level 0.

    >>> from fractions import Fraction as Fr
    >>> def sign(x): return (x > 0) - (x < 0)
    >>> masses_of_tradeoff([(0, Fr(1, 2)), (1, 0)], sign)
    ((0, Fraction(1, 2)), (1, Fraction(1, 2)))
    """
    outside = 1 - points[0][1]
    found: list[Vertex] = [(0, outside)] if sign(outside) > 0 else []
    found += [(b - a, y - v) for (a, y), (b, v) in pairwise(points)]
    return tuple(found)


def straightened(points: Sequence[Vertex], sign: Callable[[Any], int]) -> tuple[Vertex, ...]:
    """Vertices on a straight line between their neighbours left out.

    >>> from fractions import Fraction as Fr
    >>> straightened([(0, 1), (Fr(1, 2), Fr(1, 2)), (1, 0)], lambda x: (x > 0) - (x < 0))
    ((0, 1), (1, 0))
    """
    kept: list[Vertex] = []
    for c, w in points:
        while len(kept) > 1:
            (a, y), (b, v) = kept[-2:]
            if sign((v - y) * (c - b) - (w - v) * (b - a)) != 0:
                break
            kept.pop()
        kept.append((c, w))
    return tuple(kept)


def check_tradeoff(points: Sequence[Vertex], sign: Callable[[Any], int]) -> None:
    """Refuse vertices of no trade-off function with an :class:`InputError` that names the fault."""
    if len(points) < 2 or sign(points[0][0]) != 0 or sign(points[-1][0] - 1) != 0:
        raise InputError("a trade-off function needs vertices from level 0 to level 1")
    for (a, _), (b, _) in pairwise(points):
        if sign(b - a) <= 0:
            raise InputError(f"levels must increase: {b} comes after {a}")
    for a, y in points:
        if sign(y) < 0 or sign(1 - y) < 0:
            raise InputError(f"a trade-off function has values in [0, 1], not {y} at level {a}")
        if sign(1 - a - y) < 0:
            raise InputError(f"a trade-off function is at most 1 - a: the value at {a} is {y}")
    for (a, y), (b, v) in pairwise(points):
        if sign(y - v) < 0:
            raise InputError(f"a trade-off function does not increase: it does from {a} to {b}")
    for (a, y), (b, v), (c, w) in zip(points, points[1:], points[2:], strict=False):
        if sign((v - y) * (c - b) - (w - v) * (b - a)) > 0:
            raise InputError(f"a trade-off function is convex: it is not at level {b}")


def check_profile(vertices: Sequence[Vertex], sign: Callable[[Any], int]) -> None:
    """Refuse vertices of no profile over x = e^eps with an :class:`InputError`."""
    if not vertices or sign(vertices[0][0]) != 0 or sign(vertices[0][1] - 1) != 0:
        raise InputError("the vertices of a profile over x = e^eps start with (0, 1)")
    for (x, h), (u, g) in pairwise(vertices):
        if sign(u - x) <= 0:
            raise InputError(f"the places e^eps must increase: {u} comes after {x}")
        if sign(h - g) < 0:
            raise InputError(f"a profile does not increase: it does from {x} to {u}")
    for x, h in vertices:
        if sign(h) < 0 or sign(h - 1 + x) < 0:
            raise InputError(f"a profile is at least 0 and at least 1 - e^eps: at e^eps = {x} it "
                             f"is {h}")
    for (x, h), (u, g), (w, k) in zip(vertices, vertices[1:], vertices[2:], strict=False):
        if sign((g - h) * (w - u) - (k - g) * (u - x)) > 0:
            raise InputError(f"a profile is convex in e^eps: it is not at {u}")


__all__ = ["check_profile", "check_tradeoff", "masses_of_tradeoff", "straightened",
           "to_profile", "to_tradeoff"]
