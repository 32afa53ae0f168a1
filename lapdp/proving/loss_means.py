"""Means of functions of the loss in order: KL <= R_q and R_a <= R_b.

Goals are read here; what holds of the means for every pair is in
:mod:`lapdp.proving.loss_mean_lemmas`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import plus
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.columns import RELATIONS
from lapdp.proving.derivation import NotFound
from lapdp.proving.loss_mean_lemmas import LossMeanLemmas, Pair

if TYPE_CHECKING:
    from lapdp.proving.space import Prover


@dataclass(frozen=True)
class Mean:
    """The integral ``whole`` of p e^(rate y), or, without a rate, of p y."""

    whole: int
    pair: Pair
    rate: int | None


class LossMeans:
    """Derivations of such orders, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self.lemmas = LossMeanLemmas(prover)
        self.busy = False

    # goals ------------------------------------------------------------------------------------

    def integrable(self, goal: int, facts: Sequence[int]) -> int | None:
        """``oiny f`` for a power or the loss from a power of higher rate that a fact says to be
        integrable; None: another goal, or no such fact."""
        d = self.d
        (f,) = d.kids(goal)
        mine = self.mean(d.mk("oint", f)) if d.b.sorts[f] == "R" else None
        if mine is None or self.busy:
            return None
        if mine.rate is None and (found := self._capped_loss(mine.pair, facts)) is not None:
            return found
        plain = self.plain(facts)
        for i in facts:
            if d.head(d.claim(i)) != "oiny" or d.b.sorts[d.kids(d.claim(i))[0]] != "R":
                continue
            other = self.mean(d.mk("oint", *d.kids(d.claim(i))))
            if other is None or other.rate is None or other.pair != mine.pair:
                continue
            self.busy = True
            try:
                return self._dominated(goal, mine, other, i, plain)
            except (NotFound, NeedSplit):
                continue
            finally:
                self.busy = False
        return None

    def found(self, goal: int, facts: Sequence[int]) -> int | None:
        """An inequality between two such means, or their logarithms; None: another goal, or not
        found."""
        d, a = self.d, self.a
        if self.busy or d.head(goal) not in ("le", "lt") or d.b.sorts[d.kids(goal)[0]] != "R":
            return None
        gap = plus(a.reader.read(d.kids(goal)[1]), a.reader.read(d.kids(goal)[0]), -1)
        means: dict[int, Mean] = {}
        for atom in dict.fromkeys(x for m in gap for x, _ in m):
            t = a.terms.term({((atom, 1),): 1}, "R")
            log = d.head(t) == "log"
            mean = self.mean(d.kids(t)[0] if log else t)
            if mean is not None and log == (mean.rate is not None):
                means[atom] = mean
            elif a._speaks(t):
                return None
        if len(means) == 1:
            (mean,) = means.values()
            return self._capped(goal, mean, facts)
        if len(means) != 2 or len({m.pair for m in means.values()}) != 1:
            return None
        self.busy = True
        try:
            return self._ordered(goal, list(means.values()), facts)
        except (NotFound, NeedSplit):
            return None
        finally:
            self.busy = False

    def plain(self, facts: Sequence[int]) -> list[int]:
        d = self.d
        return [i for i in facts if not self.a._speaks(d.claim(i))
                and d.head(d.claim(i)) in (*RELATIONS, "not")]

    def mean(self, t: int) -> Mean | None:
        """What an integral is the mean of."""
        d = self.d
        if d.head(t) != "oint" or d.b.loose[t]:
            return None
        masses = self.a.masses(t)
        if len(masses) != 2:
            return None
        for pair in (masses, masses[::-1]):
            if d.kids(t)[0] == self.lemmas.loss((pair[0], pair[1])):
                return Mean(t, (pair[0], pair[1]), None)
            rate = self.a.dominated_moments.rate(d.kids(t)[0], (pair[0], pair[1]))
            if rate is not None:
                return Mean(t, (pair[0], pair[1]), rate)
        return None

    def _dominated(self, goal: int, mine: Mean, other: Mean, iny: int, plain: Sequence[int]) -> int:
        d = self.d
        assert other.rate is not None
        if mine.rate is None:
            given = d.onward(d.under("oiny", self._as_power(other, plain)), iny)
            above = self._sign(other.rate, plain)
            return self.lemmas.at("loss", (*mine.pair, other.rate), above, given)
        name, (r, s), (above, order) = self._sides(mine.rate, other.rate, plain)
        rates = (r, s) if name == "power" else (d.neg(r), d.neg(s))
        here, there = (d.under("oiny", self._as_power(m, plain, rate))
                       for m, rate in zip((mine, other), rates, strict=True))
        low = self.lemmas.at(name, (*mine.pair, r, s), above, order, d.onward(there, iny))
        return d.taut(goal, here, low)

    def _sides(self, low: int, high: int, plain: Sequence[int]
               ) -> tuple[str, tuple[int, int], tuple[int, int]]:
        """0 < r and r <= s for rates r, s or -r, -s, and the name of what is known of them."""
        d, a = self.d, self.a
        for name, r, s in (("power", low, high), ("inverse power", d.neg(low), d.neg(high))):
            above = a.positive(r, plain)
            order = None if above is None else a.positive(d.sub(s, r), plain, strict=False)
            if above is not None and order is not None:
                return name, (r, s), (above, d.do("arith", d.mk("le", r, s), [order], [
                    [d.num(1), [0]]]))
        raise NotFound("a rate that is no smaller")

    def _first(self, pair: Pair, b: int, facts: Sequence[int]) -> tuple[int, int, int]:
        """oiny p e^y, M(1) <= e^b and oiny p y, from p <= e^b q almost everywhere."""
        d, a, one = self.d, self.a, self.d.num(1)
        above = d.do("arith", d.mk("lt", d.num(0), one), [], [[one, []]])
        none = a.prove(d.mk("eq", a.guarantees.hinge(*pair, b), d.num(0)), facts)
        iny, less = d.parts(a.dominated_moments.bounded.one_sided((*pair, one, b), above, none))
        return iny, less, self.lemmas.at("loss", (*pair, one), above, iny)

    def _capped_loss(self, pair: Pair, facts: Sequence[int]) -> int | None:
        """oiny p y from p <= e^b q almost everywhere."""
        self.busy = True
        try:
            for b in dict.fromkeys(self.a.dominated_moments.bounded.bounds(facts, pair)):
                return self._first(pair, b, facts)[2]
        except (NotFound, NeedSplit):
            return None
        finally:
            self.busy = False
        return None

    def _capped(self, goal: int, mean: Mean, facts: Sequence[int]) -> int | None:
        """K <= t from p <= e^b q almost everywhere and b <= t: e^K <= M(1) <= e^b."""
        d, a, one = self.d, self.a, self.d.num(1)
        if mean.rate is not None or self.busy:
            return None
        self.busy = True
        try:
            for b in dict.fromkeys(a.dominated_moments.bounded.bounds(facts, mean.pair)):
                iny, less, loss = self._first(mean.pair, b, facts)
                if mean.whole != d.mk("oint", *d.kids(d.claim(loss))):
                    continue
                low = self.lemmas.at("mean", (*mean.pair, one), self.null(mean.pair, facts), loss,
                                     iny)
                powers = [d.kids(d.claim(low))[0], d.kids(d.claim(less))[1]]
                order = d.do("arith", d.mk("le", *powers), [low, less], [[one, [0]], [one, [1]]])
                sides = [d.kids(t)[0] for t in powers]
                found = d.taut(d.mk("le", *sides), a.grows("le", *sides), order)
                return a.by_arithmetic(goal, [*self.plain(facts), found])
        except (NotFound, NeedSplit):
            return None
        finally:
            self.busy = False
        return None

    # two means --------------------------------------------------------------------------------

    def _ordered(self, goal: int, means: Sequence[Mean], facts: Sequence[int]) -> int:
        plain = self.plain(facts)
        order = (self._with_loss if any(m.rate is None for m in means) else self._of_powers)(
            means, facts, plain)
        return self.a.by_arithmetic(goal, [*plain, *order])

    def finite(self, m: Mean, rate: int | None, facts: Sequence[int]) -> tuple[int, int]:
        """oiny of p e^(rate y), or of p y, and the equation of the integral as it is written."""
        d = self.d
        iny = self.a.prove(d.mk("oiny", *d.kids(m.whole)), facts)
        if m.rate is None:
            return iny, d.refl(m.whole)
        same = self._as_power(m, self.plain(facts), rate)
        return d.onward(d.under("oiny", same), iny), d.under("oint", same)

    def _with_loss(self, means: Sequence[Mean], facts: Sequence[int], plain: Sequence[int]
                   ) -> list[int]:
        """s K <= log M(s)."""
        loss, power = sorted(means, key=lambda m: m.rate is not None)
        s = power.rate
        if s is None:
            raise NotFound("two means of the loss")
        first, (iny, same) = self.finite(loss, None, facts)[0], self.finite(power, s, facts)
        less = self.lemmas.at("mean", (*loss.pair, s), self.null(loss.pair, facts), first, iny)
        return self._signed([self._logged(self.d.replace(less, self.d.turn(same)))], [s], plain)

    def null(self, pair: Pair, facts: Sequence[int]) -> int:
        d = self.d
        return self.a.prove(d.mk("eq", self.a.dominated_moments._infinite(pair), d.num(0)), facts)

    def _of_powers(self, means: Sequence[Mean], facts: Sequence[int], plain: Sequence[int]
                   ) -> list[int]:
        """log M(r) <= r log M(s)/s, or -s log M(-r)/r <= log M(s)."""
        d, a = self.d, self.a
        for low, high in (means, means[::-1]):
            if low.rate is None or high.rate is None:
                continue
            try:
                name, (r, s), signs = self._sides(low.rate, high.rate, plain)
            except NotFound:
                continue
            rates = (r, s) if name == "power" else (d.neg(r), d.neg(s))
            (_, here), (iny, there) = (self.finite(m, rate, facts) for m, rate in zip(
                (low, high), rates, strict=True))
            above = [d.replace(a.prove(d.mk("lt", d.num(0), m.whole), facts), same)
                     for m, same in ((low, here), (high, there))]
            less = self.lemmas.at(name.replace("power", "order"), (*low.pair, r, s), *signs, iny,
                            above[1])
            found = self._below(less, above[0])
            for same in (here, there):
                found = d.replace(found, d.turn(same))
            return self._signed([found], [r, s], plain)
        low, high = sorted(means, key=lambda m: a.positive(m.rate or 0, plain) is not None)
        assert low.rate is not None and high.rate is not None
        r, s = d.neg(low.rate), high.rate
        signs = (self._sign(r, plain), self._sign(s, plain))
        (first, here), (second, there) = (self.finite(m, rate, facts) for m, rate in (
            (low, d.neg(r)), (high, s)))
        some = d.replace(a.prove(d.mk("lt", d.num(0), low.whole), facts), here)
        less = self.lemmas.at("across", (*low.pair, r, s), *signs, self.null(low.pair, facts),
                              first, second, some)
        found = self._logged(less)
        for same in (here, there):
            found = d.replace(found, d.turn(same))
        return self._signed([found], [r, s], plain)

    def _signed(self, found: list[int], rates: Sequence[int], plain: Sequence[int]) -> list[int]:
        """And what is known of the rates and their inverses."""
        d, a = self.d, self.a
        for s in rates:
            positive = a.positive(s, plain)
            if positive is None:
                positive = a.positive(d.neg(s), plain)
            if positive is None:
                raise NotFound("a rate without a sign")
            found += [positive, *d.reciprocal(positive)]
        return found

    def _sign(self, t: int, plain: Sequence[int]) -> int:
        found = self.a.positive(t, plain)
        if found is None:
            raise NotFound("a rate without a sign")
        return found

    def _logged(self, less: int) -> int:
        """x <= log M from e^x <= M."""
        d = self.d
        power, moment = d.kids(d.claim(less))
        (x,) = d.kids(power)
        above = d.do("arith", d.mk("lt", d.num(0), moment), [
            d.law("exp positive", d.mk("lt", d.num(0), power), x), less],
            [[d.num(1), [0]], [d.num(1), [1]]])
        log, value = d.mk("log", moment), self.lemmas.value(moment, above)
        grown = d.do("arith", d.mk("le", power, d.mk("exp", log)), [less, value],
                     [[d.num(1), [0]], [d.num(-1), [1]]])
        return d.taut(d.mk("le", x, log), self.a.grows("le", x, log), grown)

    def _as_power(self, m: Mean, plain: Sequence[int], rate: int | None = None) -> int:
        """For all x: the body of a power, as it is written, is p e^(rate y), the rate as given."""
        assert m.rate is not None
        (f,) = self.d.kids(m.whole)
        return self.a.dominated_moments.plainly(
            f, m.pair, m.rate if rate is None else rate, plain)

    def _below(self, less: int, above: int) -> int:
        """log M <= x from M <= e^x and 0 < M."""
        d = self.d
        moment, power = d.kids(d.claim(less))
        log, (x,) = d.mk("log", moment), d.kids(power)
        value = self.lemmas.value(moment, above)
        grown = d.do("arith", d.mk("le", d.mk("exp", log), power), [less, value],
                     [[d.num(1), [0]], [d.num(1), [1]]])
        return d.taut(d.mk("le", log, x), self.a.grows("le", log, x), grown)

