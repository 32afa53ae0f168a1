"""The inequality of Hoelder: log Z <= l log X + m log Y for moments, l, m >= 0, l + m = 1.

X = oint e^u, Y = oint e^v and Z = oint e^z are moments, of one pair or of several distributions on
one space: u = (1 + s) log p - s log q and the like, each where its densities are positive.  Where
all are and z = l u + m v, with k = l log X + m log Y, the tangents of e^t at z - k give

    e^z <= l e^(k - log X) e^u + m e^(k - log Y) e^v,    so    Z <= e^k (l + m) = e^k.

What z does not see, a density of X or Y that vanishes, has no mass.  So R_q is convex in q after
(q - 1), and Z of (a, c) is bounded by X of (a, b) and Y of (b, c): van Erven and Harremoes 2014;
Mironov 2017, Proposition 11.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Polynomial, plus
from lapdp.proving.between_moments import Between
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound
from lapdp.proving.lettered import with_letters
from lapdp.proving.line_sums import combined

if TYPE_CHECKING:
    from lapdp.proving.loss_mean_lemmas import Pair
    from lapdp.proving.loss_means import Mean
    from lapdp.proving.space import Prover

Three = tuple[tuple[int, int], ...]
"""The pairs of Z, X and Y, by places among the densities."""


class Holder:
    """Derivations of such bounds, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self.between = Between(prover)
        self.busy = False
        self._lemmas: dict[Three, int] = {}

    # goals ------------------------------------------------------------------------------------

    def integrable(self, goal: int, facts: Sequence[int]) -> int | None:
        """``oiny`` of a moment between two that are finite by the facts; None: another goal."""
        d = self.d
        mine = self.a.loss_means.mean(d.mk("oint", *d.kids(goal)))
        if self.busy or mine is None or mine.rate is None:
            return None
        others = [m for i in facts if d.head(d.claim(i)) == "oiny" and (
            m := self.a.loss_means.mean(d.mk("oint", *d.kids(d.claim(i))))) is not None
            and m.rate is not None and m.whole != mine.whole]
        for two in permutations(others, 2):
            found = self.tried(mine, two, facts, goal)
            if found is not None:
                return d.onward(d.turn(d.under("oiny", self.a.loss_means._as_power(
                    mine, self.a.loss_means.plain(facts)))), found[0])
        return None

    def found(self, goal: int, facts: Sequence[int]) -> int | None:
        """An order of three logarithms of moments, or that one is > 0 which lies between two that
        are finite; None: another goal, or not found."""
        d, a = self.d, self.a
        if d.head(goal) == "lt" and d.kids(goal)[0] == d.num(0):
            return self._positive(goal, facts)
        if self.busy or d.head(goal) != "le" or d.b.sorts[d.kids(goal)[0]] != "R":
            return None
        gap = plus(a.reader.read(d.kids(goal)[1]), a.reader.read(d.kids(goal)[0]), -1)
        means: dict[int, Mean] = {}
        for atom in dict.fromkeys(x for m in gap for x, _ in m):
            t = a.terms.term({((atom, 1),): 1}, "R")
            mean = a.loss_means.mean(d.kids(t)[0]) if d.head(t) == "log" else None
            if mean is not None and mean.rate is not None:
                means[atom] = mean
            elif a._speaks(t):
                return None
        if any(sum(x in means for x, _ in m) > 1 for m in gap):
            return None
        if len(means) == 1:
            ((place, mean),) = means.items()
            return self.between.found(goal, (place, mean), facts)
        if len(means) != 3:
            return None
        for (z, mine), (x, one), (y, two) in permutations(means.items()):
            if x > y and len({mine.pair, one.pair, two.pair}) == 1:
                continue
            found = self.tried(mine, (one, two), facts, goal)
            if found is None:
                continue
            try:
                return self._concluded(goal, found[1], self.weight(gap, z), facts)
            except (NotFound, NeedSplit):
                continue
        return None

    def weight(self, gap: Polynomial, atom: int) -> int:
        """The factor w of an atom that a gap has as -w times that atom."""
        return self.a.terms.term({tuple(n for n in m if n[0] != atom): -c for m, c in gap.items()
                                  if any(n == atom for n, _ in m)}, "R")

    def _positive(self, goal: int, facts: Sequence[int]) -> int | None:
        d = self.d
        mean = self.a.loss_means.mean(d.kids(goal)[1])
        if mean is None or any(d.head(f) == "oiny" and d.kids(f) == d.kids(mean.whole)
                               for f in map(d.claim, facts)):
            return None
        iny = self.integrable(d.mk("oiny", *d.kids(mean.whole)), facts)
        return None if iny is None else self.a.prove(goal, [
            *self.a.loss_means.plain(facts), iny, self.a.loss_means.null(mean.pair, facts)])

    def _concluded(self, goal: int, less: int, weight: int, facts: Sequence[int]) -> int:
        """The goal, as its gap is a number >= 0 times that of an order."""
        d, a = self.d, self.a
        low, high = d.kids(d.claim(less))
        left, right = d.kids(goal)
        plain, one = a.loss_means.plain(facts), d.num(1)
        over = a.positive(weight, plain, strict=False)
        if over is None:  # what is divided by itself
            over = d.do("arith", d.mk("le", d.num(0), weight), [a.denominators.cleared(d.mk(
                "eq", weight, one), plain)], [[d.num(-1), [0]], [one, []]])
        same = a.denominators.cleared(d.mk("eq", d.sub(right, left), d.mul(
            weight, d.sub(high, low))), plain)
        return d.do("arith", goal, [same, over, less], [
            [d.num(-1), [0]], [d.num(1), [1, 2]]])

    def tried(self, mine: Mean, two: tuple[Mean, ...], facts: Sequence[int], goal: int
               ) -> tuple[int, int] | None:
        """oiny of Z and log Z <= l log X + m log Y; None where that is no such order."""
        self.busy = True
        try:
            for l_, m_ in self._weights(mine, two, goal):
                try:
                    return self._ordered(mine, two, (l_, m_), facts, goal)
                except (NotFound, NeedSplit):
                    continue
        finally:
            self.busy = False
        return None

    def _exponent(self, m: Mean, density: int) -> int:
        d = self.d
        assert m.rate is not None
        parts = [d.add(d.num(1), m.rate)] * (m.pair[0] == density) + [d.neg(m.rate)] * (
            m.pair[1] == density)
        return parts[0] if parts else d.num(0)

    def _weights(self, mine: Mean, two: Sequence[Mean], goal: int) -> Iterator[tuple[int, int]]:
        """Weights for which the exponents of some density fit, and letters of the goal."""
        d, one = self.d, self.d.num(1)
        if set(mine.pair) - set(two[0].pair + two[1].pair):
            return
        read = self.a.reader.read
        for density in dict.fromkeys((*mine.pair[::-1], *two[0].pair)):
            z, x, y = (self._exponent(m, density) for m in (mine, *two))
            if plus(read(x), read(y), -1):
                gap = d.mk("inv", d.sub(x, y))
                yield d.mul(d.sub(z, y), gap), d.sub(one, d.mul(d.sub(z, y), gap))
        for name, sort in sorted(self.d.b.letters[goal]):
            if sort == "R":
                t = d.b.letter(name, sort)
                yield t, d.sub(one, t)

    # what holds ---------------------------------------------------------------------------------

    def _ordered(self, mine: Mean, two: Sequence[Mean], weights: tuple[int, int],
                 facts: Sequence[int], goal: int) -> tuple[int, int]:
        """oiny of Z, and the order of logarithms, or where that is not asked for of Z."""
        d, a = self.d, self.a
        plain = a.loss_means.plain(facts)
        means = (mine, *two)
        densities = list(dict.fromkeys(p for m in means for p in m.pair))
        signs = []
        for t in weights:
            sign = a.positive(t, plain, strict=False)
            signs.append(a.denominators.sign(t, plain) if sign is None else sign)
        total = a.identity(d.mk("eq", d.add(*weights), d.num(1)), [])
        exponents = [a.denominators.cleared(d.mk("eq", d.add(*(d.mul(t, self._exponent(
            m, p)) for t, m in zip(weights, two, strict=True))), self._exponent(mine, p)), plain)
            for p in densities]
        pattern = tuple(tuple(densities.index(p) for p in m.pair) for m in means)
        lemma = self._lemma(pattern)  # type: ignore[arg-type]
        nulls = [self._null(densities[i], densities[j], facts)
                 for i, j in self._unseen(pattern)]  # type: ignore[arg-type]
        rates = [m.rate or 0 for m in means]
        finite = [a.loss_means.finite(m, m.rate, facts) for m in two]
        positive = [self._above(d.kids(d.claim(same))[1], m.pair, iny, facts)
                    for m, (iny, same) in zip(two, finite, strict=True)]
        both = d.at(lemma, (*densities, *rates, *weights), *signs, total, *exponents, *nulls,
                    *(i for i, _ in finite), *positive)
        iny, less = d.parts(both)
        if d.head(goal) == "oiny":
            return iny, less
        same = d.under("oint", a.loss_means._as_power(mine, plain))
        above = self._above(d.kids(d.claim(same))[1], mine.pair, iny, facts)
        less = a.loss_means._below(less, above)
        for equation in (same, *(s for _, s in finite)):
            less = d.replace(less, d.turn(equation))
        return iny, less

    def _above(self, moment: int, pair: Pair, iny: int, facts: Sequence[int]) -> int:
        """0 < M, from what is known of this pair alone, or of all."""
        goal = self.d.mk("lt", self.d.num(0), moment)
        try:
            known = [*self.a.loss_means.plain(facts), iny, self.a.loss_means.null(pair, facts)]
            return self.a.prove(goal, known)
        except (NotFound, NeedSplit):
            return self.a.prove(goal, facts)

    def _null(self, p: int, q: int, facts: Sequence[int]) -> int:
        """p has no mass where q has none."""
        return self.a.loss_means.null((p, q), facts)

    @staticmethod
    def _unseen(pattern: Three) -> list[Pair]:
        """Places of a density of Z, and of one of X or Y that Z does not see."""
        (z, *_), others = pattern, dict.fromkeys(pattern[1] + pattern[2])
        return [(next(k for two in pattern[1:] for k in two if i in two and k in z), i)
                for i in others if i not in z]

    def _lemma(self, pattern: Three) -> int:
        """all densities, r, s, t, l, m: 0 <= l -> 0 <= m -> l + m = 1 -> exponents fit -> nulls ->
        oiny X -> oiny Y -> 0 < X -> 0 < Y -> oiny Z and Z <= e^(l log X + m log Y)."""
        if pattern in self._lemmas:
            return self._lemmas[pattern]
        d, a, one, zero = self.d, self.a, self.d.num(1), self.d.num(0)
        power = a.dominated_moments._power
        made = [(*d.fresh("D", "p"), "D") for _ in range(1 + max(map(max, pattern)))]
        made += [(*d.fresh("R", n), "R") for n in "rstlm"]
        letters, terms = [(n, s) for n, _, s in made], [t for _, t, _ in made]
        densities, rates, (l_, m_) = terms[:-5], terms[-5:-2], terms[-2:]
        pairs = [(densities[i], densities[j]) for i, j in pattern]
        (_, x, y) = bodies = [power(p, r) for p, r in zip(pairs, rates, strict=True)]

        def exponent(k: int, i: int) -> int:
            r, (p, q) = rates[k], pattern[k]
            return d.add(one, r) if i == p else d.neg(r) if i == q else zero

        fits = [d.mk("eq", d.add(d.mul(l_, exponent(1, i)), d.mul(m_, exponent(2, i))),
                     exponent(0, i)) for i in range(len(densities))]
        nulls = [d.mk("eq", a.dominated_moments._infinite((densities[i], densities[j])), zero)
                 for i, j in self._unseen(pattern)]
        given = [d.assume(f) for f in (
            d.mk("le", zero, l_), d.mk("le", zero, m_), d.mk("eq", d.add(l_, m_), one), *fits,
            *nulls, d.mk("oiny", x), d.mk("oiny", y), d.mk("lt", zero, d.mk("oint", x)),
            d.mk("lt", zero, d.mk("oint", y)))]
        n = 3 + len(fits)
        equations, none, (finite, values) = given[2:n], given[n:-4], (given[-4:-2], given[-2:])
        logs = [d.mk("log", d.mk("oint", t)) for t in (x, y)]
        k = d.add(d.mul(l_, logs[0]), d.mul(m_, logs[1]))
        sizes = [d.mk("exp", d.sub(k, t)) for t in logs]
        scales = d.mul(l_, sizes[0]), d.mul(m_, sizes[1])
        top, total = combined(d, scales, finite)
        z, seen = bodies[0], d.b.bound(0, "O")
        for _, j in self._unseen(pattern):
            z = d.mk("if", d.mk("lt", zero, d.mk("dens", densities[j], seen)), z, zero)
        alike, same = a._alike_outside(z, bodies[0], none) if none else (
            d.refl(d.mk("oiny", z)), d.refl(d.mk("oint", z)))
        name, o = d.fresh("O", "x")
        value, bound = (d.b.open(t, o) for t in (z, d.kids(d.claim(top))[0]))
        goals = [d.mk("le", t, bound) for t in (d.mk("abs", value), value)]
        known, exps = self._inside([d.mk("dens", p, o) for p in densities], pattern, rates,
                                   (l_, m_), k, logs, scales, given[:2], equations)
        sizes = [d.gen(name, "O", with_letters(a, f, [*a._positive(f), *known], (
            *scales, *exps))) for f in goals]
        iny = d.do("dominate", d.mk("oiny", z), [sizes[0], top])
        upper = d.do("mono", d.mk("le", d.mk("oint", z), d.mk(
            "oint", *d.kids(d.claim(top)))), [sizes[1], iny, top])
        worth = [a.loss_means.lemmas.value(d.mk("oint", t), i)
                 for t, i in zip((x, y), values, strict=True)]
        less = d.do("arith", d.mk("le", d.mk("oint", bodies[0]), d.mk("exp", k)), [
            upper, same, total, *worth, equations[0]], [
            [one, [0]], [d.num(-1), [1]], [one, [2]], *(
                [d.neg(d.mul(c, d.mk("exp", d.neg(log)), d.mk("exp", k))), [3 + i]]
                for i, (c, log) in enumerate(zip((l_, m_), logs, strict=True))),
            [d.mk("exp", k), [5]]])
        found = a.loss_means.lemmas._closed_by(d.both(d.onward(alike, iny), less), given, letters)
        self._lemmas[pattern] = found
        return found

    def _inside(self, values: Sequence[int], pattern: Three, rates: Sequence[int],
                weights: tuple[int, int], k: int, logs: Sequence[int], scales: Sequence[int],
                signs: Sequence[int], equations: Sequence[int]) -> tuple[list[int], list[int]]:
        """What holds of the three integrands at an outcome, and the powers in them."""
        d, a, one, zero = self.d, self.a, self.d.num(1), self.d.num(0)
        above = [d.assume(d.mk("lt", zero, t)) for t in values]
        log = [d.mk("log", t) for t in values]
        worth = [a.loss_means.lemmas.value(t, i) for t, i in zip(values, above, strict=True)]
        exps = [d.mk("exp", d.mul(r, d.sub(log[i], log[j])))
                for r, (i, j) in zip(rates, pattern, strict=True)]
        z, u, v = (d.add(log[i], d.mul(r, d.sub(log[i], log[j])))
                   for r, (i, j) in zip(rates, pattern, strict=True))
        u, v = (d.sub(t, s) for t, s in zip((u, v), logs, strict=True))
        middle = d.add(d.mul(weights[0], u), d.mul(weights[1], v))
        tangents = [a.loss_means.lemmas._tangent(d.sub(t, middle)) for t in (u, v)]
        size = d.mk("exp", middle)
        positive = d.law("exp positive", d.mk("lt", zero, size), middle)
        wide = d.law("exp positive", d.mk("lt", zero, d.mk("exp", k)), k)
        # l u + m v + k = z
        fits = d.do("arith", d.mk("eq", d.add(middle, k), z), list(equations[1:]), [
            [t, [i]] for i, t in enumerate(log)])
        same = d.alike(d.mk("exp", d.add(middle, k)), fits)
        young = d.do("arith", d.mk("le", size, d.add(d.mul(weights[0], d.mk("exp", u)), d.mul(
            weights[1], d.mk("exp", v)))), [*signs, *tangents, positive, equations[0]], [
            [one, [0, 2, 4]], [one, [1, 3, 4]], [d.mul(size, d.sub(middle, one)), [5]]])
        products = [d.mul(values[i], e) for (i, _), e in zip(pattern, exps, strict=True)]
        less = d.mk("le", products[0], d.add(d.mul(scales[0], products[1]), d.mul(
            scales[1], products[2])))
        parts = [[one, [0, 1]], [d.num(-1), [2]], [d.neg(exps[0]), [3 + pattern[0][0]]]]
        for c, e, (i, _) in zip(scales, exps[1:], pattern[1:], strict=True):
            parts.append([d.mul(c, e), [3 + i]])
        order = d.do("arith", less, [young, wide, same, *worth], parts)
        found = [d.disch_all(map(d.claim, above), order)]
        found += [d.law("exp positive", d.mk("lt", zero, e), *d.kids(e)) for e in exps]
        for c, s in zip(scales, signs, strict=True):
            (_, e) = d.kids(c)
            found.append(d.do("arith", d.mk("le", zero, c), [s, d.law("exp positive", d.mk(
                "lt", zero, e), *d.kids(e))], [[one, [0, 1]]]))
        return found, exps


__all__ = ["Holder"]
