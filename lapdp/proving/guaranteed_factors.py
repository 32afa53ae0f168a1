"""A release with a guarantee at one point in both directions, after another one: the last factor of
an integral over both is replaced by a randomized response.

Let (p, q) be (e, c)-DP at every outcome x, E = exp(e) and r = (1 - c)/(1 + E).  For a, b >= 0

    oint_y max(0, a p - b q) <= c a + r (E max(0, a - b/E) + max(0, a - b E)),

and so, integrated over x with a = p'(x), b = exp(t) q'(x) and h the profile of (p', q'),

    oint_x oint_y max(0, a p - b q) <= c + r (E h(t - e) + h(t + e)).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Polynomial
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.columns import RELATIONS
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

Point = tuple[int, int, int, int]
"""p, q, e and c: a pair that is (e, c)-DP."""


class GuaranteedFactors:
    """Derivations of such bounds, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self.busy = False

    def found(self, goal: int, facts: Sequence[int]) -> int | None:
        """``oint oint max(0, ..) <= c`` from guarantees at every outcome; None: another goal, no
        such facts, or a bound that does not reach c."""
        d = self.d
        value = d.kids(goal)[0]
        if self.busy or d.head(goal) != "le" or d.head(value) != "oint" or d.head(
                d.kids(value)[0]) != "oint":
            return None
        name, x = d.fresh("O", "x")
        inner = d.b.open(d.kids(value)[0], x)
        self.busy = True
        try:
            for point, known in self._points(facts, x):
                sides = self._sides(inner, point)
                if sides is not None and all(self.a.positive(
                        s, self.a._positive(s), strict=False) is not None for s in sides):
                    return self._integrated(goal, name, inner, (point, sides), facts, known)
        except (NotFound, NeedSplit):
            return None
        finally:
            self.busy = False
        return None

    def _points(self, facts: Sequence[int], x: int) -> Iterator[tuple[Point, list[int]]]:
        """Guarantees in both directions at an outcome, and the facts with them."""
        d = self.d
        plain = [i for i in facts if d.head(d.claim(i)) in RELATIONS]
        here = self.a.guarantees.chosen(facts, (x,), plain)
        points = list(self.a.guarantees.points(here))
        for first, (p, q, e) in points:
            for second, other in points:
                c = d.kids(d.claim(first))[1]
                if other == (q, p, e) and c == d.kids(d.claim(second))[1]:
                    yield (p, q, e, c), [*plain, first, second]

    def _sides(self, inner: int, point: Point) -> tuple[int, int] | None:
        """a and b of oint max(0, a p - b q); None: it is no such integral."""
        d, a = self.d, self.a
        p, q, _, _ = point
        (body,) = d.kids(inner)
        if d.head(body) != "max" or d.kids(body)[0] != d.num(0):
            return None
        name, y = d.fresh("O", "y")
        weights: dict[int, Polynomial] = {p: {}, q: {}}
        for m, c in a.reader.read(d.b.open(d.kids(body)[1], y)).items():
            at = [(n, e) for n, e in m
                  if (name, "O") in d.b.letters[a.terms.term({((n, 1),): 1})]]
            u = a.terms.term({((at[0][0], 1),): 1}) if len(at) == 1 and at[0][1] == 1 else None
            if u is None or d.head(u) != "dens" or d.kids(u)[0] not in weights:
                return None
            weights[d.kids(u)[0]][tuple(z for z in m if z != at[0])] = c
        return (a.terms.term(weights[p], "R"),
                a.terms.term({m: -c for m, c in weights[q].items()}, "R"))

    def bound(self, terms: tuple[int, int], a: int, more: int, less: int) -> int:
        """c a + r (E x + y), x and y the values at b / E and at b E."""
        d, (e, c) = self.d, terms
        size = d.mk("exp", e)
        share = d.mul(d.sub(d.num(1), c), d.mk("inv", d.add(d.num(1), size)))
        return d.add(d.mul(c, a), d.mul(share, d.add(d.mul(size, more), less)))

    def moved(self, b: int, e: int) -> tuple[int, int]:
        """b / E and b E."""
        d = self.d
        return d.mul(b, d.mk("exp", d.neg(e))), d.mul(b, d.mk("exp", e))

    def _integrated(self, goal: int, name: str, inner: int, which: tuple[Point, tuple[int, int]],
                    facts: Sequence[int], known: Sequence[int]) -> int:
        """The bound at one outcome, integrated, and from there on to the goal."""
        d, a = self.d, self.a
        (p, q, e, c), (alpha, beta) = which
        value, most = d.kids(goal)
        above = a._positive(inner)
        parts = [d.mk("max", d.num(0), d.sub(alpha, self._written(b, facts)))
                 for b in self.moved(beta, e)]
        less = self.scaled(d.mk("le", inner, self.bound((e, c), alpha, *parts)), (p, q),
                           (alpha, beta), (e, c), [*known, *above])
        whole = d.b.abstract(d.kids(d.claim(less))[1], name, "O")
        inys = [a.prove(d.mk("oiny", f), facts) for f in (d.kids(value)[0], whole)]
        other = d.mk("oint", whole)
        order = d.do("mono", d.mk("le", value, other), [d.gen(name, "O", less), *inys])
        profiles = [d.mk("oint", d.b.abstract(t, name, "O")) for t in parts]
        mass = d.num(1) if d.head(alpha) == "dens" else d.mk("oint", d.b.abstract(
            alpha, name, "O"))
        plain = self.bound((e, c), mass, *profiles)
        if (reached := self._by_profiles(d.mk("le", plain, most), profiles, (e, c), facts)):
            same = a.prove(d.mk("eq", other, plain), facts)
            return d.do("arith", goal, [order, same, reached], [[d.num(1), [k]] for k in range(3)])
        rest = a.prove(d.mk("le", other, most), facts)
        return d.do("arith", goal, [order, rest], [[d.num(1), [0]], [d.num(1), [1]]])

    def _written(self, b: int, facts: Sequence[int]) -> int:
        """A product with its density last, as profiles have it, its power of e as in a fact."""
        d, a = self.d, self.a
        f = a.reader.read(b)
        for t in d.subterms(b):
            if d.head(t) == "dens" and len(f) == 1:
                ((m, c),) = f.items()
                at = next(iter(a.reader.read(t)))
                scale = {tuple(z for z in m if z not in at): c}
                said = (u for i in facts for u in d.subterms(d.claim(i))
                        if d.head(u) == "exp" and not d.b.loose[u] and a.reader.read(u) == scale)
                return d.mul(next(said, a.terms.term(scale, "R")), t)
        return a.terms.term(f, "R")

    def _by_profiles(self, goal: int, profiles: Sequence[int], terms: tuple[int, int],
                     facts: Sequence[int]) -> int | None:
        """c + r (E h1 + h2) <= .. from facts h1 <= g1 and h2 <= g2; None: not found."""
        d, a, (e, c) = self.d, self.a, terms
        plain = [i for i in facts if d.head(d.claim(i)) in RELATIONS and not a._speaks(d.claim(i))]
        size = d.mk("exp", e)
        rest = a.positive(d.sub(d.num(1), c), plain, strict=False)
        if rest is None:
            return None
        above = d.law("exp positive", d.mk("lt", d.num(0), size), e)
        inverse = d.reciprocal(d.do("arith", d.mk("lt", d.num(0), d.add(d.num(1), size)), [above],
                                    [[d.num(1), [0]], [d.num(1), []]]))[1]
        made = []
        for h, more in zip(profiles, ([above], []), strict=True):
            for i in facts:
                if d.head(d.claim(i)) == "le" and d.kids(d.claim(i))[0] == h:
                    s, t = (d.mul(x, d.sub(d.num(1), c), d.mk("inv", d.add(d.num(1), size)), *(
                        [size] if more else [])) for x in d.kids(d.claim(i)))
                    made.append(d.do("arith", d.mk("le", s, t), [i, rest, inverse, *more], [
                        [d.num(1), list(range(3 + len(more)))]]))
        try:
            return a.by_arithmetic(goal, [*plain, *made]) if made else None
        except NotFound:
            return None

    def scaled(self, goal: int, pair: tuple[int, int], sides: tuple[int, int],
               terms: tuple[int, int], facts: Sequence[int]) -> int:
        """What a guarantee says of one pair, with factors a and b: oint max(0, a p - y q) <= ..

        With E = exp(e), the guarantees f = oint max(0, p - E q) and g = oint max(0, q - E p):

            a E <= y:    a f;                    y E <= a:    a - y + y g;
            between:     ((y E - a) f + (a E - y) (E - 1 + g)) / (E E - 1).
        """
        d, (e, c), (a, y), (p, q) = self.d, terms, sides, pair
        zero, one, size = d.num(0), d.num(1), d.mk("exp", e)
        value, bound = d.kids(goal)
        f, g = self.a.guarantees.hinge(p, q, e), self.a.guarantees.hinge(q, p, e)
        plain = [i for i in facts if not self.a._speaks(d.claim(i))]
        most_f, most_g = (self.a.prove(d.mk("le", s, c), facts) for s in (f, g))
        above = d.law("exp positive", d.mk("lt", zero, size), e)
        rest = d.sub(one, c)
        whole, inverse = d.reciprocal(d.do("arith", d.mk("lt", zero, d.add(one, size)), [above],
                                           [[one, [0]], [one, []]]))
        signs = [self.a.prove(d.mk("le", zero, t), plain) for t in (a, y, rest)]
        share = d.do("arith", d.mk("le", zero, d.mul(rest, d.mk("inv", d.add(one, size)))),
                     [signs[2], inverse], [[one, [0, 1]]])
        maxima = self.a.guarantees.maxima(goal)
        if len(maxima) != 2:
            raise NotFound("no bound of two positive parts")
        (low_x, high_x), (low_y, high_y) = maxima
        far = d.assume(d.mk("le", d.mul(a, size), y))
        near = d.assume(d.mk("le", d.mul(y, size), a))

        right = self.a.prove(d.mk("le", value, d.mul(a, f)), [*plain, far])
        right = d.do("arith", goal, [right, signs[0], most_f, share, above, low_x, low_y], [
            [one, [0]], [one, [1, 2]], [one, [3, 4, 5]], [one, [3, 6]]])

        left = self.a.prove(d.mk("le", value, d.add(d.sub(a, y), d.mul(y, g))), [*plain, near])
        left = d.do("arith", goal, [left, signs[1], most_g, share, above, high_x, high_y, whole], [
            [one, [0]], [one, [1, 2]], [one, [3, 4, 5]], [one, [3, 6]],
            [d.mul(rest, d.sub(y, a)), [7]]])

        far_not, near_not = (d.opposite(d.assume(d.mk("not", d.claim(i)))) for i in (far, near))
        width = d.sub(d.mul(size, size), one)
        flat = d.assume(d.mk("le", width, zero))
        wide = d.unless(d.mk("lt", zero, width), d.do(
            "arith", d.mk("false"), [far_not, above, near_not, signs[0], flat],
            [[one, [0, 1]], [one, [2]], [one, [3, 4]]]))
        middle = self.a.prove(d.mk("le", d.mul(width, value), d.add(
            d.mul(d.sub(d.mul(y, size), a), f),
            d.mul(d.sub(d.mul(a, size), y), d.add(d.sub(size, one), g)))),
            [*plain, far_not, near_not])
        middle = d.do("arith", d.mk("le", d.mul(width, value), d.mul(width, bound)), [
            middle, near_not, most_f, far_not, most_g, wide, share, above, high_x, low_y, whole], [
            [one, [0]], [one, [1, 2]], [one, [3, 4]], [one, [5, 6, 7, 8]], [one, [5, 6, 9]],
            [d.mul(rest, d.sub(size, one), d.sub(y, d.mul(a, size))), [10]]])
        less = d.assume(d.mk("lt", bound, value))
        middle = d.unless(goal, d.do("arith", d.mk("false"), [middle, wide, less],
                                     [[one, [0]], [one, [1, 2]]]))
        return d.split(d.claim(far), right, d.split(d.claim(near), left, middle))
