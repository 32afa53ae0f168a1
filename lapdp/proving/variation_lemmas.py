"""Total variation, mean loss and affinity, for every pair, by squares at one outcome.

With y = log p - log q, T = oint max(0, p - q), K = oint p y, A = oint p e^(-y/2) = oint sqrt(p q):

    p y - p + q >= 3 (p - q)^2/(4 q + 2 p) >= 2 k |p - q| - k^2 (4 q + 2 p)/3    2 T^2 <= K
    a^2 (sqrt p - sqrt q)^2 + k^2 (sqrt p + sqrt q)^2 >= 2 a k |p - q|           T^2 <= 1 - A^2

at k = T and a = 1 + A.

The first is e^(-y) - 5 e^y + 2 y e^y + 4 y + 4 >= 0: this and its derivative vanish at 0, and its
second derivative is e^y (e^(-2 y) - 1 + 2 y).  As e^(-K/2) <= A, T^2 <= 1 - e^(-K) too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from lapdp.proving.chi_squared import chi_squared
from lapdp.proving.line_sums import combined

if TYPE_CHECKING:
    from lapdp.proving.loss_mean_lemmas import LossMeanLemmas, Pair
    from lapdp.proving.space import Prover

HALF = Fraction(1, 2)


class VariationLemmas:
    """The lemmas, each derived once, for a :class:`Prover`."""

    def __init__(self, prover: Prover, means: LossMeanLemmas) -> None:
        self.a, self.d, self.means = prover, prover.d, means
        self._lemmas: dict[str, int] = {}

    def at(self, lemma: str, terms: Sequence[int], *given: int) -> int:
        """A lemma for a pair, its hypotheses given."""
        if lemma not in self._lemmas:
            makers: dict[str, Callable[[], int]] = {
                "pinsker": self._pinsker, "affinity": self._affinity, "finite": self._finite,
                "bretagnolle huber": self._bretagnolle_huber,
                "chi squared": lambda: chi_squared(self)}
            self._lemmas[lemma] = makers[lemma]()
        return self.d.at(self._lemmas[lemma], terms, *given)

    def variation(self, pair: Pair) -> int:
        """oint max(0, p - q)."""
        return self.a.guarantees.hinge(*pair, self.d.num(0))

    def affinity(self, pair: Pair) -> int:
        """The body p e^(-y/2), where p, q > 0."""
        return self.a.dominated_moments._power(pair, self.d.num(-HALF))

    def _square(self, t: int) -> int:
        d = self.d
        return d.law("square", d.mk("le", d.num(0), d.mul(t, t)), t)

    def _turned(self, p: int, q: int, above: Sequence[int]) -> tuple[int, int, int]:
        """y, p e^-y = q and q e^y = p."""
        d, a = self.d, self.a
        y = d.sub(d.mk("log", p), d.mk("log", q))
        known = [*above, *(self.means.value(t, i) for t, i in zip((p, q), above, strict=True))]
        down, up = (a.identity(d.mk("eq", d.mul(s, d.mk("exp", u)), t), known)
                    for s, u, t in ((p, d.neg(y), q), (q, y, p)))
        return y, down, up

    def _given(self, pair: Pair) -> list[int]:
        """p(q = 0) = 0 and oiny p y."""
        d = self.d
        return [d.assume(f) for f in (d.mk("eq", self.a.dominated_moments._infinite(
            pair), d.num(0)), d.mk("oiny", self.means.loss(pair)))]

    def bowl(self) -> int:
        """all y: 0 <= e^-y - 5 e^y + 2 y e^y + 4 y + 4."""
        d = self.d
        name, y = d.fresh("R", "y")
        up = d.mk("exp", y)
        value = d.add(d.mk("exp", d.neg(y)), d.mul(d.num(-5), up), d.mul(d.num(2), y, up),
                      d.mul(d.num(4), y), d.num(4))
        return d.gen(name, "R", self.a.slopes.relation(d.mk("le", d.num(0), value), []))

    def _pinsker(self) -> int:
        """all p, q: p(q = 0) = 0 -> oiny p y -> 2 T^2 <= K and T <= sqrt(2)/2 sqrt(K)."""
        d, a, one, zero = self.d, self.a, self.d.num(1), self.d.num(0)
        letters, pair, _ = self.means._setting("")
        given, bowl = self._given(pair), self.bowl()
        name, k = d.fresh("R", "k")
        hinge = self.variation(pair)
        (m,) = d.kids(hinge)
        mine = self.means._guarded(pair, m)
        alike, same = a._alike_outside(mine, m, [given[0]])
        whole = self.means.at("profile", (*pair, zero))
        parts = [self.means._support(pair, given[0]), self.means._support(pair[::-1], None)]
        square = d.mul(k, k)
        scales = (
            one, d.add(d.num(-1), d.mul(d.num(2), k), d.mul(d.num(Fraction(2, 3)), square)),
            d.add(one, d.mul(d.num(-2), k), d.mul(d.num(Fraction(4, 3)), square)),
            d.mul(d.num(-4), k))

        def inside(p: int, q: int, above: Sequence[int]) -> list[int]:
            y, down, up = self._turned(p, q, above)
            w = d.add(d.mul(d.num(4), q), d.mul(d.num(2), p))
            positive = d.do("arith", d.mk("lt", zero, w), above, [
                [d.num(2), [0]], [d.num(4), [1]]])
            unit, under = d.reciprocal(positive)
            inverse, gap = d.mk("inv", w), d.sub(p, q)
            found = []
            for sign in (1, -1):
                shift = d.sub(d.mul(d.num(3), gap), d.mul(d.num(sign), k, w))
                value = d.add(d.mul(p, y), d.neg(gap), d.mul(d.num(-2 * sign), k, gap), d.mul(
                    d.num(Fraction(1, 3)), square, w))
                found.append(d.do("arith", d.mk("le", zero, value), [
                    d.inst(bowl, y), *above, under, self._square(shift), unit, down, up], [
                    [one, [0, 1, 2, 3]], [d.num(Fraction(1, 3)), [3, 4]], [value, [5]],
                    [d.mul(inverse, q), [6]],
                    [d.mul(inverse, p, d.add(d.num(-5), d.mul(d.num(2), y))), [7]]]))
            return found

        total = self.means._integrated(pair, scales, (
            given[1], parts[0][0], parts[1][0], d.taut(d.mk("oiny", mine), alike, whole)), inside)
        total = d.inst(d.gen(name, "R", total), hinge)
        first = d.b.put(scales[1], {(name, "R"): hinge})
        goal = d.mk("le", d.mul(d.num(2), hinge, hinge), d.mk("oint", self.means.loss(pair)))
        rest = d.do("arith", d.mk("le", zero, d.sub(one, d.mk("oint", self.means._guarded(
            pair[::-1], self.means._densities(pair)[1])))), [parts[1][1]], [[one, [0]]])
        found = d.do("arith", goal, [
            total, parts[0][1], rest, self._square(d.sub(one, hinge)), self._square(hinge), same], [
            [one, [0]], [first, [1]], [one, [2, 3]], [d.num(Fraction(1, 3)), [2, 4]],
            [d.mul(d.num(-4), hinge), [5]]])
        mean = d.kids(goal)[1]
        least = d.do("arith", d.mk("le", zero, mean), [found, self._square(hinge)], [
            [one, [0]], [d.num(2), [1]]])
        two = d.do("arith", d.mk("le", zero, d.num(2)), [], [[d.num(2), []]])
        (root, first_, value), (other, second_, worth) = (
            self._root(t, i) for t, i in ((d.num(2), two), (mean, least)))
        bound = d.mul(d.num(HALF), root, other)
        low = d.do("arith", d.mk("le", zero, bound), [first_, second_], [[d.num(HALF), [0, 1]]])
        # (sqrt(2) sqrt(K)/2)^2 = K/2
        quarter = d.num(Fraction(1, 4))
        squares = d.do("arith", d.mk("le", d.mul(hinge, hinge), d.mul(bound, bound)), [
            found, value, worth], [[d.num(HALF), [0]], [d.neg(d.mul(quarter, other, other)), [1]], [
                d.num(-HALF), [2]]])
        return self.means._closed_by(d.both(found, self._rooted(hinge, bound, low, squares)), given,
                                     letters)

    def _root(self, t: int, least: int) -> tuple[int, int, int]:
        """sqrt t, 0 <= sqrt t and (sqrt t)^2 = t, from 0 <= t."""
        d = self.d
        root = d.mk("sqrt", t)
        claims = d.mk("le", d.num(0), root), d.mk("eq", d.mul(root, root), t)
        law = d.law("sqrt", d.mk("imp", d.claim(least), d.conj(claims)), t)
        first, second = d.parts(d.mp(law, least))
        return root, first, second

    def _rooted(self, s: int, t: int, least: int, squares: int) -> int:
        """s <= t from 0 <= t and s^2 <= t^2."""
        d, one = self.d, self.d.num(1)
        below = d.assume(d.mk("lt", t, s))
        return d.unless(d.mk("le", s, t), d.do("arith", d.mk("false"), [below, least, squares], [
            [one, [0, 0]], [d.num(2), [0, 1]], [one, [2]]]))

    def _below_root(self, less: int, least: int) -> int:
        """T <= sqrt u from T T <= u and 0 <= u."""
        d, one = self.d, self.d.num(1)
        square, u = d.kids(d.claim(less))
        root, low, value = self._root(u, least)
        squares = d.do("arith", d.mk("le", square, d.mul(root, root)), [less, value], [
            [one, [0]], [d.num(-1), [1]]])
        return self._rooted(d.kids(square)[0], root, low, squares)

    def _finite(self) -> int:
        """all p, q: oiny p e^(-y/2)."""
        d, one = self.d, self.d.num(1)
        letters, pair, _ = self.means._setting("")
        top, _ = combined(d, (one, one), [
            d.parts(self.a.mass_one(t))[0] for t in self.means._densities(pair)])
        (body,) = d.kids(d.claim(top))
        f = self.affinity(pair)
        found = self.means._beneath(pair, f, body, self._small)
        return self.means._closed_by(d.do("dominate", d.mk("oiny", f), [found, top]), [], letters)

    def _small(self, p: int, q: int, above: Sequence[int]) -> list[int]:
        """p e^(-y/2) <= p + q and 0 <= p e^(-y/2)."""
        d, one, zero = self.d, self.d.num(1), self.d.num(0)
        y, down, _ = self._turned(p, q, above)
        e = d.mk("exp", d.mul(d.num(-HALF), y))
        value, positive = d.mul(p, e), d.law("exp positive", d.mk("lt", zero, e), *d.kids(e))
        bound = d.add(d.mul(one, p), d.mul(one, q))
        known = [self._square(d.sub(one, e)), above[0], positive, down]
        less = d.do("arith", d.mk("le", value, bound), known, [
            [one, [0, 1]], [one, [1, 2]], [one, [3]]])
        return [less, d.do("arith", d.mk("le", zero, value), known, [[one, [1, 2]]])]

    def _affinity(self) -> int:
        """all p, q: 0 <= A, A <= 1, T^2 <= 1 - A^2, 1 - A <= T and T <= sqrt(1 - A^2)."""
        d, a, one, zero = self.d, self.a, self.d.num(1), self.d.num(0)
        letters, pair, _ = self.means._setting("")
        (name_a, big), (name_l, k) = d.fresh("R", "a"), d.fresh("R", "k")
        f, hinge = self.affinity(pair), self.variation(pair)
        value = d.mk("oint", f)
        squares = [d.mul(t, t) for t in (d.add(big, k), d.sub(big, k))]
        scales = (squares[0], squares[1], d.mul(d.num(2), d.sub(d.mul(k, k), d.mul(big, big))),
                  d.mul(d.num(-4), big, k))
        densities = self.means._densities(pair)
        masses = [d.parts(a.mass_one(t)) for t in densities]
        finite = self.at("finite", pair)
        iny, total = combined(d, scales, (
            masses[0][0], masses[1][0], finite, self.means.at("profile", (*pair, zero))))
        (body,) = d.kids(d.claim(iny))
        name, x = d.fresh("O", "x")
        p, q = (d.mk("dens", t, x) for t in pair)
        above = [d.assume(d.mk("lt", zero, t)) for t in (p, q)]
        _, down, _ = self._turned(p, q, above)
        e = d.mk("exp", d.mul(d.num(-HALF), d.sub(d.mk("log", p), d.mk("log", q))))
        known = []
        for sign in (1, -1):
            shift = d.sub(d.mul(big, d.sub(one, e)), d.mul(d.num(sign), k, d.add(one, e)))
            value_ = d.add(d.mul(squares[0], p), d.mul(squares[1], q), d.mul(
                scales[2], p, e), d.mul(d.num(-2), big, k, d.add(p, d.neg(q))), d.mul(
                    d.num(-2 * sign), big, k, d.sub(p, q)))
            made = d.do("arith", d.mk("le", zero, value_), [self._square(shift), above[0], down], [
                [one, [0, 1]], [d.add(d.mul(big, big), d.mul(k, k), d.mul(
                    d.num(2 * sign), big, k)), [2]]])
            known.append(d.disch(d.claim(above[0]), d.disch(d.claim(above[1]), made)))
        at = d.mk("le", zero, d.b.open(body, x))
        densities_known = a._positive(at)
        least = d.sub(big, k)
        for t in (p, q):
            low = a.prove(d.mk("le", zero, t), densities_known)
            known.append(d.do("arith", d.mk("le", zero, d.mul(least, least, t)), [
                self._square(least), low], [[one, [0, 1]]]))
        everywhere = d.gen(name, "O", a.prove(at, a._closed([*densities_known, *known])))
        nothing, none = d.parts(a.nothing("oint", "R"))
        less = d.do("mono", d.mk("le", d.mk("oint", zero), d.mk("oint", body)), [
            everywhere, nothing, iny])
        done = d.do("arith", d.mk("le", zero, d.sub(d.add(
            d.mul(d.num(2), big, big), d.mul(d.num(2), k, k), d.mul(scales[2], value)), d.mul(
                d.num(4), big, k, hinge))), [less, total, none, masses[0][1], masses[1][1]], [
            [one, [0]], [one, [1]], [d.num(-1), [2]], [squares[0], [3]], [squares[1], [4]]])
        done = d.inst(d.gen(name_a, "R", d.gen(name_l, "R", done)), d.add(one, value))
        done = d.inst(done, hinge)
        least_value = a.prove(d.mk("le", zero, value))
        wide = d.do("arith", d.mk("lt", zero, d.add(one, value)), [least_value], [
            [one, []], [one, [0]]])
        unit, under = d.reciprocal(wide)
        gap = d.sub(d.sub(one, d.mul(value, value)), d.mul(hinge, hinge))
        sharp = d.do("arith", d.mk("le", d.mul(hinge, hinge), d.sub(one, d.mul(value, value))), [
            done, under, unit], [[d.num(HALF), [0, 1]], [gap, [2]]])
        most = d.do("arith", d.mk("le", value, one), [sharp, self._square(hinge), self._square(
            d.sub(one, value))], [[d.num(HALF), [0]], [d.num(HALF), [1]], [d.num(HALF), [2]]])
        low = d.do("arith", d.mk("le", zero, d.kids(d.claim(sharp))[1]), [
            sharp, self._square(hinge)], [[one, [0]], [one, [1]]])
        above_ = a.prove(d.mk("le", d.sub(one, value), hinge))
        return self.means._closed_by(d.both(
            least_value, most, sharp, above_, self._below_root(sharp, low)), [], letters)

    def _bretagnolle_huber(self) -> int:
        """all p, q: p(q = 0) = 0 -> oiny p y -> T^2 <= 1 - e^(-K) and T <= sqrt(1 - e^(-K))."""
        d, one, zero = self.d, self.d.num(1), self.d.num(0)
        letters, pair, _ = self.means._setting("")
        given = self._given(pair)
        least, _, sharp, *_ = d.parts(self.at("affinity", pair))
        low = self.means.at("mean", (*pair, d.num(-HALF)), *given, self.at("finite", pair))
        power, value = d.kids(d.claim(low))
        hinge, mean = self.variation(pair), d.mk("oint", self.means.loss(pair))
        order = d.do("arith", d.mk("le", zero, d.sub(value, power)), [low], [[one, [0]]])
        large = d.law("exp positive", d.mk("lt", zero, power), *d.kids(power))
        value = d.sub(one, d.mk("exp", d.neg(mean)))
        found = d.do("arith", d.mk("le", d.mul(hinge, hinge), value), [
            sharp, order, least, large], [[one, [0]], [one, [1, 2]], [one, [1, 3]]])
        low = d.do("arith", d.mk("le", zero, value), [found, self._square(hinge)], [
            [one, [0]], [one, [1]]])
        return self.means._closed_by(d.both(found, self._below_root(found, low)), given, letters)
