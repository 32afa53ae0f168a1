"""Moments of mixtures: for a distribution M with M(x) = sum w_i p_i(x), w_i >= 0 and sum w_i = 1,
and r > 0,

    oint M (M/c)^r <= sum w_i oint p_i (p_i/c)^r,

so that no R_q of the mixture, q > 1, is above all those of its parts.  Where M, c > 0, with
S = (M/c)^r, the tangent of the power at M says for each part with p_i > 0

    p_i (p_i/c)^r >= S ((1 + r) p_i - r M),     by 1 + u <= e^u at r (log p_i - log M) and at
                                                log M - log p_i,

and w_i times these add up to M S; for a part with p_i = 0 there is w_i r M S >= 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound
from lapdp.proving.lettered import with_letters
from lapdp.proving.line_sums import combined

if TYPE_CHECKING:
    from lapdp.proving.loss_mean_lemmas import Pair
    from lapdp.proving.space import Prover

MOST_PARTS = 3


@dataclass(frozen=True)
class Moment:
    """A finite moment of a pair: oiny of it as it is written, and that the loss is finite."""

    rate: int
    iny: int
    null: int


class ConvexMoments:
    """Facts about moments of mixtures, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self._made: dict[tuple[int, ...], list[int]] = {}
        self.busy = False

    def enriched(self, facts: list[int]) -> list[int]:
        """The facts, and what they say of moments of mixtures whose parts have finite ones."""
        if self.busy:
            return facts
        laws = [(i, law) for i in facts if (law := self._law(self.d.claim(i))) is not None]
        found = list(facts)
        for i, (whole, weights) in laws:
            for c in {p for j in facts for p in self.a.masses(self.d.claim(j))
                      if self.d.head(self.d.claim(j)) == "oiny"} - {whole}:
                self.busy = True
                try:
                    found += self._of(i, whole, weights, c, facts)
                except (NotFound, NeedSplit):
                    continue
                finally:
                    self.busy = False
        return found

    def found(self, goal: int, facts: Sequence[int]) -> int | None:
        """w log m <= t for the moment m of a mixture, from the same of its parts; None: another
        goal, or not found."""
        d = self.d
        if self.busy or d.head(goal) != "le" or d.b.sorts[d.kids(goal)[0]] != "R":
            return None
        inside = set(d.subterms(goal))
        bounds = [made[3] for made in self._made.values() if made and d.kids(
            d.claim(made[3]))[0] in inside and made[3] in facts]
        if not bounds:
            return None
        self.busy = True
        try:
            return self._through(goal, bounds[0], facts)
        except (NotFound, NeedSplit):
            return None
        finally:
            self.busy = False

    def _through(self, goal: int, bound: int, facts: Sequence[int]) -> int:
        d, a, one = self.d, self.a, self.d.num(1)
        mine, top = d.kids(d.claim(bound))
        left, right = d.kids(goal)
        ((atom, _),) = next(iter(a.reader.read(mine)))
        sides = a.reader.read(left)
        w = a.terms.term({tuple(z for z in m if z[0] != atom): c for m, c in sides.items()
                          if (atom, 1) in m}, "R")
        plain = a.loss_means.plain(facts)
        sign = a.positive(w, plain, strict=False)
        if sign is None:
            raise NotFound("a weight that may be negative")
        body = d.hole(left, mine)
        logs = [t for t in d.subterms(top) if d.head(t) == "log" and not d.b.loose[t]]
        each = [a.plainly(d.mk("le", d.b.open(body, t), right), facts, 1) for t in logs]
        rest = d.mk("le", d.b.open(body, top), right)
        most = with_letters(a, rest, [sign, *each], logs)
        return d.do("arith", goal, [bound, sign, most], [[one, [0, 1]], [one, [2]]])

    def _law(self, claim: int) -> tuple[int, dict[int, int]] | None:
        """M and the weights of its parts, of a fact for all x that M(x) is a mixture."""
        d, a = self.d, self.a
        if d.head(claim) != "allO" or d.head(d.kids(claim)[0]) != "eq":
            return None
        _, x = d.fresh("O", "x")
        left, right = d.kids(d.b.open(d.kids(claim)[0], x))
        if d.head(left) != "dens" or d.kids(left)[1] != x:
            return None
        weights = a.joint_convexity._weights(a.reader.read(right), x)
        if weights is None or not 2 <= len(weights) <= MOST_PARTS:
            return None
        return d.kids(left)[0], {p: a.terms.term(w, "R") for p, w in weights.items()}

    def _moment(self, pair: Pair, facts: Sequence[int]) -> Moment | None:
        d, a = self.d, self.a
        claims = {d.claim(i): i for i in facts}
        null = claims.get(d.mk("eq", a.dominated_moments._infinite(pair), d.num(0)))
        if null is None:
            return None
        for i in facts:
            if d.head(d.claim(i)) == "oiny":
                mean = a.loss_means.mean(d.mk("oint", *d.kids(d.claim(i))))
                if mean is not None and mean.rate is not None and mean.pair == pair:
                    return Moment(mean.rate, i, null)
        return None

    def _of(self, law: int, whole: int, weights: dict[int, int], c: int, facts: Sequence[int]
            ) -> list[int]:
        parts = {p: self._moment((p, c), facts) for p in weights if p != c}
        moments = [m for m in parts.values() if m is not None]
        if len(moments) < len(parts) or len({m.rate for m in moments}) != 1:
            raise NotFound("no finite moments of the parts")
        key = (law, c, *(i for m in moments for i in (m.iny, m.null)))
        if key not in self._made:
            plain = self.a.loss_means.plain(facts)
            self._made[key] = []
            self._made[key] = self._derived(law, whole, weights, c, parts, plain)
        return self._made[key]

    def _derived(self, law: int, whole: int, weights: dict[int, int], c: int,
                 parts: dict[int, Moment | None], plain: Sequence[int]) -> list[int]:
        d, a, one = self.d, self.a, self.d.num(1)
        rate = next(m.rate for m in parts.values() if m is not None)
        above = a.positive(rate, plain)
        if above is None or len(parts) < len(weights):
            raise NotFound("an order that may be below 1, or the second distribution in the first")
        signs = [a.joint_convexity._nonnegative(w, plain) for w in weights.values()]
        powers = {p: a.dominated_moments._power((p, c), rate) for p in weights}
        inys, values, nulls = [], [], []
        for m in parts.values():
            assert m is not None
            mean = a.loss_means.mean(d.mk("oint", *d.kids(d.claim(m.iny))))
            assert mean is not None
            same = a.loss_means._as_power(mean, plain)
            inys.append(d.onward(d.under("oiny", same), m.iny))
            values.append(d.under("oint", same))
            nulls.append(m.null)
        scales = list(weights.values())
        top, total = combined(d, scales, inys)
        (bound,) = d.kids(d.claim(top))
        mine = a.dominated_moments._power((whole, c), rate)
        name, x = d.fresh("O", "x")
        at = d.inst(law, x)
        known = self._laws(at, [(w, d.mk("dens", p, x)) for p, w in weights.items()], signs,
                           d.mk("dens", whole, x), d.mk("dens", c, x), rate, above)
        low, high = d.b.open(mine, x), d.b.open(bound, x)
        goals = [d.mk("le", d.mk("abs", low), high), d.mk("le", low, high)]
        inside, under = (d.gen(name, "O", a.prove(g, a._closed([*a._positive(g), *known])))
                         for g in goals)
        iny = d.do("dominate", d.mk("oiny", mine), [inside, top])
        less = d.do("mono", d.mk("le", d.mk("oint", mine), d.kids(d.claim(total))[0]), [
            under, iny, top])
        sums = d.add(*(d.mul(w, d.mk("oint", powers[p])) for p, w in weights.items()))
        final = d.do("arith", d.mk("le", d.mk("oint", mine), sums), [less, total], [
            [one, [0]], [one, [1]]])
        null = self._null(law, whole, weights, c, nulls)
        units = [self._positive((p, c), rate, above, i, j) for p, i, j in zip(
            weights, nulls, inys, strict=True)]
        units.append(self._positive((whole, c), rate, above, null, iny))
        log = self._largest(final, units, signs)
        written = self._written(whole, next(iter(weights)), parts)
        mean = a.loss_means.mean(d.mk("oint", written))
        if mean is None:
            raise NotFound("no moment of the mixture")
        same = a.loss_means._as_power(mean, plain)
        iny = d.onward(d.turn(d.under("oiny", same)), iny)
        for equation in (*values, d.under("oint", same)):
            final, log = (d.replace(i, d.turn(equation)) for i in (final, log))
        return [iny, null, final, log]

    def _written(self, whole: int, p: int, parts: dict[int, Moment | None]) -> int:
        """The power of the mixture as that of a part is written."""
        d, m = self.d, parts[p]
        assert m is not None
        return d.b.put(d.kids(d.claim(m.iny))[0], {(str(d.b.rows[p][1]), "D"): whole})

    def _positive(self, pair: Pair, rate: int, above: int, null: int, iny: int) -> int:
        """0 < the moment, which is at least 1."""
        d, one = self.d, self.d.num(1)
        least = d.at(self.a.adaptive_moments.unit(), (*pair, rate), above, null, iny)
        return d.do("arith", d.mk("lt", d.num(0), d.kids(d.claim(least))[1]), [least], [
            [one, [0]], [one, []]])

    def _largest(self, less: int, units: Sequence[int], signs: Sequence[int]) -> int:
        """log of the moment of the mixture <= the largest log of those of the parts."""
        d, a, one = self.d, self.a, self.d.num(1)
        *parts, mine = units
        logs = [d.mk("log", d.kids(d.claim(i))[1]) for i in parts]
        top = logs[0]
        for t in logs[1:]:
            top = d.mk("max", top, t)
        power = d.mk("exp", top)
        premises, data = [less], [[one, [0]]]
        for unit, t, sign in zip(parts, logs, signs, strict=True):
            below = a.by_cases(d.mk("le", t, top))
            small = d.mk("exp", t)
            large = d.law("exp positive", d.mk("lt", d.num(0), small), t)
            tangent = a.loss_means.lemmas._tangent(d.sub(top, t))
            under = d.do("arith", d.mk("le", small, power), [tangent, below, large], [
                [one, [0, 2]], [one, [1, 2]]])
            value = a.loss_means.lemmas.value(d.kids(t)[0], unit)
            w = d.kids(d.claim(sign))[1]
            n = len(premises)
            premises += [under, sign, value]
            data += [[one, [n, n + 1]], [d.neg(w), [n + 2]]]
        bound = d.do("arith", d.mk("le", d.kids(d.claim(less))[0], power), premises, data)
        return a.loss_means._below(bound, mine)

    def _null(self, law: int, whole: int, weights: dict[int, int], c: int, nulls: Sequence[int]
              ) -> int:
        """M(c = 0) = 0."""
        d, a, zero, one = self.d, self.a, self.d.num(0), self.d.num(1)
        bodies = [d.kids(d.kids(d.claim(i))[0])[0] for i in nulls]
        inys = [a.prove(d.mk("oiny", f)) for f in bodies]
        iny, total = combined(d, list(weights.values()), inys)
        (body,) = d.kids(d.claim(iny))
        mine = d.kids(a.dominated_moments._infinite((whole, c)))[0]
        name, x = d.fresh("O", "x")
        at = d.mk("eq", d.b.open(mine, x), d.b.open(body, x))
        same = d.under("oint", d.gen(name, "O", a.prove(at, a._closed([
            *a._positive(at), d.inst(law, x)]))))
        return d.do("arith", d.mk("eq", d.kids(d.claim(same))[0], zero), [same, total, *nulls], [
            [one, [0]], [one, [1]], *([w, [2 + k]] for k, w in enumerate(weights.values()))])

    def _laws(self, law: int, parts: Sequence[tuple[int, int]], signs: Sequence[int], m: int,
              c: int, rate: int, above: int) -> list[int]:
        """What holds at an outcome where M, c > 0, for each choice of the parts that are > 0."""
        d, a, one, zero = self.d, self.a, self.d.num(1), self.d.num(0)
        some = [d.assume(d.mk("lt", zero, t)) for t in (c, m)]
        size = d.mk("exp", d.mul(rate, d.sub(d.mk("log", m), d.mk("log", c))))
        large = d.law("exp positive", d.mk("lt", zero, size), *d.kids(size))
        more = d.add(one, rate)
        found, tangents = [], []
        for (w, p), sign in zip(parts, signs, strict=True):
            alive = d.assume(d.mk("lt", zero, p))
            own = d.mk("exp", d.mul(rate, d.sub(d.mk("log", p), d.mk("log", c))))
            gap = d.sub(d.mk("log", p), d.mk("log", m))
            step = d.mk("exp", d.mul(rate, gap))
            laws = [a.loss_means.lemmas._tangent(t) for t in (d.mul(rate, gap), d.neg(gap))]
            back = a.identity(d.mk("eq", d.mul(p, d.mk("exp", d.neg(gap))), m), [
                alive, some[1]])
            split = a.identity(d.mk("eq", d.mul(step, size), own), [alive, *some])
            tangents.append(d.do("arith", d.mk("le", d.mul(w, size, d.sub(d.mul(more, p), d.mul(
                rate, m))), d.mul(w, p, own)), [*laws, back, split, sign, alive, large, above], [
                [one, [0, 4, 5, 6]], [one, [1, 4, 5, 6, 7]], [d.mul(w, size, rate), [2]],
                [d.mul(w, p), [3]]]))
            positive = d.law("exp positive", d.mk("lt", zero, own), *d.kids(own))
            found.append(d.disch(d.claim(alive), d.do("arith", d.mk("le", zero, d.mul(
                w, p, own)), [sign, alive, positive], [[one, [0, 1, 2]]])))
        for there in product((True, False), repeat=len(parts)):
            least = d.num(0)
            premises, data, given = [law, large, some[1], above], [[d.mul(size, more), [0]]], []
            for (_, p), sign, tangent, here in zip(parts, signs, tangents, there, strict=True):
                n = len(premises)
                if here:
                    given.append(d.mk("lt", zero, p))
                    least = d.add(least, d.kids(d.claim(tangent))[1])
                    premises.append(tangent)
                    data.append([one, [n]])
                else:
                    given.append(d.mk("le", p, zero))
                    premises += [sign, d.assume(given[-1])]
                    data += [[one, [1, n, n + 1]], [one, [1, 3, n, n + 1]], [one, [3, 2, 1, n]]]
            goal = d.mk("le", d.mul(m, size), least)
            found.append(d.disch_all([*map(d.claim, some), *given], d.do(
                "arith", goal, premises, data)))
        positive = d.law("exp positive", d.mk("lt", zero, size), *d.kids(size))
        found.append(d.disch_all([*map(d.claim, some)], d.do("arith", d.mk("le", zero, d.mul(
            m, size)), [some[1], positive], [[one, [0, 1]]])))
        return found


__all__ = ["ConvexMoments"]
