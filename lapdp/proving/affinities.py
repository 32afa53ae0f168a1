"""Affinities of three distributions, which are a Gram matrix: the distance of Hellinger is one.

With A(p, q) = oint sqrt(p q), for all numbers a, b, c

    0 <= oint (a sqrt p + b sqrt q + c sqrt r)^2
       = a^2 + b^2 + c^2 + 2 a b A(p, q) + 2 b c A(q, r) + 2 a c A(p, r).

With x^2 = 1 - A(p, q), y^2 = 1 - A(q, r), z^2 = 1 - A(p, r) it follows that z <= x + y: were it
not, the inequality would fail at a = y + e, c = x + e, b = -(a + c) with e = g/(1 + x + y) and
g = z^2 - (x + y)^2 > 0, where half of it is -4 x y e^2 - x y g - e^2 (x + y) - e^2 g.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound
from lapdp.proving.line_sums import combined
from lapdp.proving.total_variation import RATES

if TYPE_CHECKING:
    from lapdp.proving.loss_means import Mean
    from lapdp.proving.space import Prover

HALF = Fraction(1, 2)
NUMBERS = ((1, -2, 1), (-2, 1, 1), (1, 1, -2), (1, -1, 1), (-1, 1, 1), (1, 1, -1), (1, 1, 1))
"""Of which squares a goal without roots may consist."""


class Affinities:
    """Derivations of such orders, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self._gram: int | None = None
        self.busy = False

    def found(self, goal: int, facts: Sequence[int]) -> int | None:
        """An inequality between the affinities of three distributions; None: another goal, or not
        found."""
        a = self.a
        if self.busy or not a.total_variation.is_order(goal):
            return None
        means = [a.loss_means.mean(t) for t in dict.fromkeys(a.total_variation.integrals(goal))]
        mine = [m for m in means if m is not None and m.rate is not None
                and a.reader.read(m.rate) == RATES[0]]
        order = self._order(mine)
        if len(means) != 3 or order is None:
            return None
        self.busy = True
        try:
            known = [*self._known(mine, order, goal), *a.loss_means.plain(facts)]
            return a.total_variation.with_letters(goal, known)
        except (NotFound, NeedSplit):
            return None
        finally:
            self.busy = False

    def _order(self, means: Sequence[Mean]) -> tuple[int, int, int] | None:
        """p, q, r of the pairs (p, q), (q, r) and (p, r)."""
        firsts = [m.pair[0] for m in means]
        whole = sorted({t for m in means for t in m.pair}, key=lambda t: -firsts.count(t))
        if len(means) != 3 or len(whole) != 3:
            return None
        p, q, r = whole
        return (p, q, r) if {m.pair for m in means} == {(p, q), (q, r), (p, r)} else None

    def _known(self, means: Sequence[Mean], order: tuple[int, int, int], goal: int) -> list[int]:
        """What is known of the numbers, as the goal writes them."""
        d, a = self.d, self.a
        gram = d.at(self.gram(), order)
        found: list[int] = []
        for m in means:
            same = a.loss_means._as_power(m, [], d.num(-HALF))
            equation = d.turn(d.under("oint", same))
            gram = d.replace(gram, equation)
            found += d.parts(d.replace(a.total_variation.lemmas.at(
                "affinity", m.pair), equation))[:2]
        if any(d.head(t) == "sqrt" for t in d.subterms(goal)):
            whole = {frozenset(m.pair): m.whole for m in means}
            return [*found, *self._triangles(gram, whole, order, found)]
        return [*found, *(d.at(gram, [d.num(c) for c in numbers]) for numbers in NUMBERS)]

    # the square of a sum of roots ---------------------------------------------------------------

    def gram(self) -> int:
        """all p, q, r, a, b, c: 0 <= the sum above."""
        if self._gram is None:
            self._gram = self._derived()
        return self._gram

    def _derived(self) -> int:
        d, a, zero, two = self.d, self.a, self.d.num(0), self.d.num(2)
        sorts = [*((n, "D") for n in "pqr"), *((n, "R") for n in "abc")]
        made = [(*d.fresh(s, n), s) for n, s in sorts]
        terms = [t for _, t, _ in made]
        densities, numbers = terms[:3], terms[3:]
        lemmas = a.total_variation.lemmas
        edges = list(combinations(range(3), 2))
        scales = [*(d.mul(c, c) for c in numbers),
                  *(d.mul(two, numbers[i], numbers[j]) for i, j in edges)]
        masses = [d.parts(a.mass_one(d.mk("dens", d.b.lift(t), d.b.bound(0, "O"))))
                  for t in densities]
        pairs = [(densities[i], densities[j]) for i, j in edges]
        iny, total = combined(d, scales, [*(m[0] for m in masses),
                                          *(lemmas.at("finite", pair) for pair in pairs)])
        (body,) = d.kids(d.claim(iny))
        name, x = d.fresh("O", "x")
        known = list(self._squares([d.mk("dens", t, x) for t in densities], numbers))
        at = d.mk("le", zero, d.b.open(body, x))
        positive = a._positive(at)
        for c, t in zip(numbers, densities, strict=True):
            low = a.prove(d.mk("le", zero, d.mk("dens", t, x)), positive)
            known.append(d.do("arith", d.mk("le", zero, d.mul(c, c, d.mk("dens", t, x))), [
                lemmas._square(c), low], [[d.num(1), [0, 1]]]))
        everywhere = d.gen(name, "O", a.prove(at, a._closed([*positive, *known])))
        nothing, none = d.parts(a.nothing("oint", "R"))
        less = d.do("mono", d.mk("le", d.mk("oint", zero), d.mk("oint", body)), [
            everywhere, nothing, iny])
        value = d.add(*scales[:3], *(d.mul(s, d.mk("oint", lemmas.affinity(pair)))
                                     for s, pair in zip(scales[3:], pairs, strict=True)))
        done = d.do("arith", d.mk("le", zero, value), [
            less, total, none, *(m[1] for m in masses)], [
            [d.num(1), [0]], [d.num(1), [1]], [d.num(-1), [2]],
            *([s, [3 + k]] for k, s in enumerate(scales[:3]))])
        return d.gen_all([(n, s) for n, _, s in made], done)

    def _squares(self, densities: Sequence[int], numbers: Sequence[int]) -> Iterator[int]:
        """0 <= (a sqrt p + b sqrt q)^2 where p, q > 0, and of all three."""
        d, a, one, zero = self.d, self.a, self.d.num(1), self.d.num(0)
        means = a.loss_means.lemmas
        for chosen in ((0, 1), (0, 2), (1, 2), (0, 1, 2)):
            above = [d.assume(d.mk("lt", zero, densities[i])) for i in chosen]
            values = [means.value(densities[i], k) for i, k in zip(chosen, above, strict=True)]
            logs = [d.mk("log", densities[i]) for i in chosen]
            roots = [d.mk("exp", d.mul(d.num(HALF), t)) for t in logs]
            known, data = [], []
            total = d.mul(numbers[chosen[0]], roots[0])
            for i, root in zip(chosen[1:], roots[1:], strict=True):
                total = d.add(total, d.mul(numbers[i], root))
            known.append(a.total_variation.lemmas._square(total))
            data.append([one, [0]])
            terms = []
            for n, i in enumerate(chosen):
                known.append(a.identity(d.mk("eq", d.mul(roots[n], roots[n]), densities[i]), [
                    *above, *values]))
                weight = d.mul(numbers[i], numbers[i])
                data.append([weight, [len(known) - 1]])
                terms.append(d.mul(weight, densities[i]))
                for m in range(n + 1, len(chosen)):
                    j = chosen[m]
                    mixed = d.mul(densities[i], d.mk("exp", d.mul(d.num(-HALF), d.sub(
                        logs[n], logs[m]))))
                    known.append(a.identity(d.mk("eq", d.mul(roots[n], roots[m]), mixed), [
                        *above, *values]))
                    weight = d.mul(d.num(2), numbers[i], numbers[j])
                    data.append([weight, [len(known) - 1]])
                    terms.append(d.mul(weight, mixed))
            made = d.do("arith", d.mk("le", zero, d.add(*terms)), known, data)
            for i in above[::-1]:
                made = d.disch(d.claim(i), made)
            yield made

    # the triangle -------------------------------------------------------------------------------

    def _triangles(self, gram: int, whole: dict[frozenset[int], int],
                   order: tuple[int, int, int], most: Sequence[int]) -> Iterator[int]:
        """z <= x + y for the three roots, and 0 <= x, x^2 = 1 - A of each."""
        d, one, zero = self.d, self.d.num(1), self.d.num(0)
        roots = {}
        for pair, value in whole.items():
            gap = d.sub(one, value)
            bound = next(i for i in most if d.claim(i) == d.mk("le", value, one))
            least = d.do("arith", d.mk("le", zero, gap), [bound], [[one, [0]]])
            roots[pair] = self.a.total_variation.lemmas._root(gap, least)
            yield from roots[pair][1:]
        for middle in order:
            first, last = (t for t in order if t != middle)
            yield self._triangle(gram, order, middle, [
                roots[frozenset(pair)] for pair in (
                    (first, middle), (middle, last), (first, last))], first)

    def _triangle(self, gram: int, order: tuple[int, int, int], middle: int,
                  roots: Sequence[tuple[int, int, int]], first: int) -> int:
        d, one, two, zero = self.d, self.d.num(1), self.d.num(2), self.d.num(0)
        (x, low_x, is_x), (y, low_y, is_y), (z, _, is_z) = roots
        both = d.add(x, y)
        below = d.assume(d.mk("lt", both, z))
        g = d.sub(d.mul(z, z), d.mul(both, both))
        large = d.do("arith", d.mk("lt", zero, g), [below, low_x, low_y], [
            [one, [0, 0]], [two, [0, 1]], [two, [0, 2]]])
        wide = d.do("arith", d.mk("lt", zero, d.add(one, both)), [low_x, low_y], [
            [one, []], [one, [0]], [one, [1]]])
        unit, under = d.reciprocal(wide)
        name, e = d.fresh("R", "e")
        above = d.assume(d.mk("lt", zero, e))
        same = d.assume(d.mk("eq", g, d.mul(e, d.add(one, both))))
        u, v = d.add(y, e), d.add(x, e)
        weights = {first: u, middle: d.neg(d.add(u, v))}
        here = d.at(gram, [weights.get(t, v) for t in order])
        mixed = d.mul(u, v)
        absurd = d.do("arith", d.mk("false"), [
            here, low_x, low_y, large, above, is_x, is_y, is_z, same], [
            [d.num(HALF), [0]], [one, [1, 2, 3]], [one, [4, 4, 1]], [one, [4, 4, 2]],
            [d.num(4), [1, 2, 4, 4]], [one, [4, 4, 3]],
            [d.neg(d.add(d.mul(u, u), mixed)), [5]], [d.neg(d.add(d.mul(v, v), mixed)), [6]],
            [mixed, [7]], [d.neg(d.mul(e, both)), [8]]])
        made = d.gen(name, "R", d.disch(d.claim(above), d.disch(d.claim(same), absurd)))
        inverse = d.mk("inv", d.add(one, both))
        e = d.mul(g, inverse)
        small = d.do("arith", d.mk("lt", zero, e), [large, under], [[one, [0, 1]]])
        equal = d.do("arith", d.mk("eq", g, d.mul(e, d.add(one, both))), [unit], [
            [d.neg(g), [0]]])
        return d.unless(d.mk("le", z, both), d.at(made, [e], small, equal))


__all__ = ["Affinities"]
