"""The mean of a loss between -b and b: K <= b tanh(b/2) <= b^2/2, from p <= e^b q and q <= e^b p.

With y = log p - log q the tangents of e^-y at -b and b, weighted by b + y and b - y, add up to

    y (e^b - e^-b) + 2 b e^-y <= b (e^b + e^-b),

the chord of u log u.  Times p and integrated: K (e^b - e^-b) <= b (e^b + e^-b - 2).  Randomized
response has equality.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound
from lapdp.proving.line_sums import combined

if TYPE_CHECKING:
    from lapdp.proving.loss_mean_lemmas import Pair
    from lapdp.proving.space import Prover

HALF = Fraction(1, 2)


class BoundedMeans:
    """Derivations of such bounds, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self._lemma: int | None = None
        self.busy = False

    def found(self, goal: int, facts: Sequence[int]) -> int | None:
        """K <= t from bounds of the loss on both sides; None: another goal, or not found."""
        d, a = self.d, self.a
        means = a.loss_means
        if self.busy or d.head(goal) not in ("le", "lt") or d.b.sorts[d.kids(goal)[0]] != "R":
            return None
        whole = list(dict.fromkeys(a.total_variation.integrals(goal)))
        mean = means.mean(whole[0]) if len(whole) == 1 else None
        if mean is None or mean.rate is not None:
            return None
        self.busy = True
        try:
            for b in dict.fromkeys(a.dominated_moments.bounded.bounds(facts, mean.pair)):
                given = [a.prove(d.mk("eq", a.guarantees.hinge(*two, b), d.num(0)), facts)
                         for two in (mean.pair, mean.pair[::-1])]
                known = d.parts(self.at((*mean.pair, b), *given))
                return a.total_variation.with_letters(goal, [*known, *means.plain(facts)])
        except (NotFound, NeedSplit):
            return None
        finally:
            self.busy = False
        return None

    def at(self, terms: Sequence[int], *given: int) -> int:
        """0 <= b and what K is below, for p, q, b, from the profiles at b that vanish."""
        if self._lemma is None:
            self._lemma = self._made()
        return self.d.at(self._lemma, terms, *given)

    def _made(self) -> int:
        """all p, q, b: oint max(0, p - e^b q) = 0 -> the same of q and p -> 0 <= b and
        K (e^b + 1) <= b (e^b - 1) and the same times e^(-b/2), and K <= b^2/2."""
        d, a, zero = self.d, self.a, self.d.num(0)
        lemmas = a.loss_means.lemmas
        letters, pair, (b,) = lemmas._setting("b")
        nones = [d.assume(d.mk("eq", a.guarantees.hinge(*two, b), zero))
                 for two in (pair, pair[::-1])]
        wide = a.dominated_moments.bounded.not_negative(b, nones[0])
        mean, chord = self._chord(pair, b, nones)
        sides = [self._divided(mean, b, chord), self._zero(pair, b, nones, mean)]
        whole = d.mk("lt", zero, b)
        (first, second), (other, same) = (d.parts(i) for i in sides)
        full, half = d.split(whole, first, other), d.split(whole, second, same)
        small = self._squared(mean, b, wide, full)
        return lemmas._closed_by(d.both(wide, full, half, small), nones, letters)

    def _chord(self, pair: Pair, b: int, nones: Sequence[int]) -> tuple[int, int]:
        """K, and K (e^b - e^-b) <= b (e^b + e^-b - 2)."""
        d, a, one, zero = self.d, self.a, self.d.num(1), self.d.num(0)
        lemmas, bounded = a.loss_means.lemmas, a.dominated_moments.bounded
        above = d.do("arith", d.mk("lt", zero, one), [], [[one, []]])
        power, _ = d.parts(bounded.one_sided((*pair, one, b), above, nones[0]))
        finite = lemmas.at("loss", (*pair, one), above, power)
        mean = d.mk("oint", *d.kids(d.claim(finite)))
        high, low = d.mk("exp", b), d.mk("exp", d.neg(b))
        iny, total = combined(d, (d.sub(high, low),), (finite,))
        scales = d.mul(b, d.add(high, low)), d.mul(d.num(-2), b)
        densities = lemmas._densities(pair)
        masses = [d.parts(a.mass_one(t)) for t in densities]
        rim, value = combined(d, scales, [m for m, _ in masses])
        (f,), (line,) = d.kids(d.claim(iny)), d.kids(d.claim(rim))
        changed, same, iny = a._outside(f, line, iny, nones)
        name, x = d.fresh("O", "x")
        p, q = (d.mk("dens", t, x) for t in pair)
        given = [d.assume(c) for c in (
            d.mk("lt", zero, p), d.mk("lt", zero, q), d.mk("le", p, d.mul(high, q)),
            d.mk("le", q, d.mul(high, p)))]
        y = d.sub(d.mk("log", p), d.mk("log", q))
        below = d.mk("le", y, b), d.mk("le", d.neg(b), y)
        ends = [d.do("arith", goal, [bounded._loss(p, q, b, given, turned)], [[one, [0]]])
                for goal, turned in zip(below, (False, True), strict=True)]
        turned = a.identity(d.mk("eq", d.mul(p, d.mk("exp", d.neg(y))), q), [
            *given[:2], *(lemmas.value(t, i) for t, i in zip((p, q), given[:2], strict=True))])
        size = d.mk("exp", d.neg(y))
        large = d.law("exp positive", d.mk("lt", zero, size), *d.kids(size))
        tangents = [lemmas._tangent(t) for t in (d.sub(y, b), d.add(y, b))]
        below_chord = d.mk("le", d.mul(d.sub(high, low), d.mul(p, y)), d.add(
            d.mul(scales[0], p), d.mul(scales[1], q)))
        inside = d.do("arith", below_chord, [*tangents, *ends, large, given[0], turned], [
            [one, [0, 3, 4, 5]], [one, [1, 2, 4, 5]], [d.mul(d.num(-2), b), [6]]])
        at = d.mk("le", d.b.open(changed, x), d.b.open(line, x))
        inside = d.disch_all(map(d.claim, given), inside)
        less = d.do("mono", d.mk("le", d.mk("oint", changed), d.mk("oint", line)), [
            d.gen(name, "O", a.prove(at, a._closed([*a._positive(at), inside]))), iny, rim])
        goal = d.mk("le", d.mul(mean, d.sub(high, low)), d.mul(b, d.sub(d.add(
            high, low), d.num(2))))
        return mean, d.do("arith", goal, [total, same, less, value, *(m for _, m in masses)], [
            [d.num(-1), [0]], [one, [1]], [one, [2]], [one, [3]], [scales[0], [4]],
            [scales[1], [5]]])

    def _goals(self, mean: int, b: int) -> list[int]:
        d, one = self.d, self.d.num(1)
        up, down = (d.mk("exp", d.mul(d.num(c), b)) for c in (HALF, -HALF))
        high = d.mk("exp", b)
        return [d.mk("le", d.mul(mean, d.add(s, t)), d.mul(b, d.sub(s, t)))
                for s, t in ((high, one), (up, down))]

    def _divided(self, mean: int, b: int, chord: int) -> int:
        """Both bounds where 0 < b."""
        d, a, one, zero = self.d, self.a, self.d.num(1), self.d.num(0)
        above = d.assume(d.mk("lt", zero, b))
        high, start = d.mk("exp", b), d.mk("exp", zero)
        grown = d.onward(a.grows("lt", zero, b), above)
        width = d.sub(high, one)
        positive = d.do("arith", d.mk("lt", zero, width), [grown, a.identity(d.mk(
            "eq", start, one), [])], [[one, [0]], [one, [1]]])
        unit, under = d.reciprocal(positive)
        scale = d.law("exp positive", d.mk("lt", zero, high), b)
        first, second = self._goals(mean, b)
        s, t = d.kids(first)
        # e^b/(e^b - 1) times the chord
        found = d.do("arith", first, [chord, scale, under, unit], [
            [one, [0, 1, 2]], [d.sub(t, s), [3]]])
        down = d.mk("exp", d.mul(d.num(-HALF), b))
        small = d.law("exp positive", d.mk("lt", zero, down), *d.kids(down))
        return d.both(found, d.do("arith", second, [found, small], [[one, [0, 1]]]))

    def _zero(self, pair: Pair, b: int, nones: Sequence[int], mean: int) -> int:
        """Both bounds where b <= 0: there K <= b, and b = 0."""
        d, a = self.d, self.a
        low = d.opposite(d.assume(d.mk("not", d.mk("lt", d.num(0), b))))
        # K <= b from the one side
        read = a.loss_means.mean(mean)
        less = None if read is None else a.loss_means._capped(d.mk("le", mean, b), read, nones)
        if less is None:
            raise NotFound("a mean without a bound")
        high = a.dominated_moments.bounded.not_negative(b, nones[0])
        same = d.mk("eq", b, d.num(0))
        none = d.taut(same, d.do("order", d.mk("iff", same, d.conj([
            d.mk("le", b, d.num(0)), d.mk("le", d.num(0), b)]))), low, high)
        found = []
        for goal in self._goals(mean, b):
            body = d.hole(goal, b)
            there = d.b.open(body, d.num(0))
            moved = d.replace(less, none)
            made = d.do("arith", there, [moved], [[d.num(2), [0]]])
            found.append(d.do("rewrite", goal, [d.turn(none), made], [body]))
        return d.both(*found)

    def _squared(self, mean: int, b: int, wide: int, full: int) -> int:
        """K <= b^2/2 from K (e^b + 1) <= b (e^b - 1) and 0 <= b."""
        d, a, one, zero = self.d, self.a, self.d.num(1), self.d.num(0)
        high = d.mk("exp", b)
        name, z = d.fresh("R", "z")
        size = d.mk("exp", z)
        low = d.assume(d.mk("le", zero, z))
        line = a.slopes.relation(d.mk("le", d.sub(size, one), d.mul(
            d.num(HALF), z, d.add(size, one))), [low])
        line = d.mp(d.inst(d.gen(name, "R", d.disch(d.claim(low), line)), b), wide)
        positive = d.do("arith", d.mk("lt", zero, d.add(high, one)), [d.law(
            "exp positive", d.mk("lt", zero, high), b)], [[one, [0]], [one, []]])
        unit, under = d.reciprocal(positive)
        bound = d.mul(d.num(HALF), b, b)
        return d.do("arith", d.mk("le", mean, bound), [full, line, wide, under, unit], [
            [one, [0, 3]], [one, [1, 2, 3]], [d.sub(bound, mean), [4]]])
