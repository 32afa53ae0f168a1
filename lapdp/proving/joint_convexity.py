"""The mean loss of mixtures is at most the mean of the losses: KL is convex in both arguments.

With m = sum w_i p_i, n = sum w_i q_i and w_i >= 0, where m, n and the p_i, q_i are positive:

    n p_i (1 + log q_i + log m - log n - log p_i) <= q_i m       1 + z <= e^z, times n p_i

and w_i times these, over n, add up to m (log m - log n) <= sum w_i p_i (log p_i - log q_i).  What
has p_i = 0 adds w_i q_i m/n >= 0.  Below, m (log m - log n) >= m - n: a majorant of it is the sum
of w_i p_i (log p_i - log q_i) + 2 w_i q_i.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations, product
from typing import TYPE_CHECKING, NamedTuple

from lapdp.kernel.polynomials import Polynomial, plus, times
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound
from lapdp.proving.line_sums import combined

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

MOST_PARTS = 3


class Part(NamedTuple):
    """A weight, two distributions, and that their loss is integrable; None: they are the same."""

    weight: int
    p: int
    q: int
    iny: int | None


class JointConvexity:
    """Derivations of such bounds, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self.busy = False

    def integrable(self, goal: int, facts: Sequence[int]) -> int | None:
        """``oiny`` of the loss of two mixtures times the first; None: another goal, or not found.
        """
        (body,) = self.d.kids(goal)
        if self.d.head(body) == "max" and (found := self._negative(goal, facts)) is not None:
            return found
        for parts in self._readings(body, facts):
            try:
                return self._below(body, parts, facts)[0]
            except (NotFound, NeedSplit):
                continue
        return None

    def found(self, goal: int, facts: Sequence[int]) -> int | None:
        """A mean loss of mixtures at most a sum of mean losses, or that such a loss is finite
        almost everywhere; None: another goal, or not found."""
        d, a = self.d, self.a
        if d.head(goal) == "eq" and d.kids(goal)[1] == d.num(0) and d.head(
                d.kids(goal)[0]) == "oint":
            return self._finite(goal, facts)
        if d.head(goal) != "le" or d.b.sorts[d.kids(goal)[0]] != "R":
            return None
        for t in d.subterms(d.kids(goal)[0]):
            if d.head(t) == "oint" and not d.b.loose[t]:
                for parts in self._readings(d.kids(t)[0], facts):
                    try:
                        less = self._below(d.kids(t)[0], parts, facts)[1]
                        return a.plainly(goal, [*facts, less], 1)
                    except (NotFound, NeedSplit):
                        continue
        return None

    # what is read -----------------------------------------------------------------------------

    def _readings(self, body: int, facts: Sequence[int]) -> Iterator[list[Part]]:
        """The ways to pair the parts of two mixtures of which a body is the loss."""
        d, a = self.d, self.a
        if self.busy or d.head(body) != "if" or d.b.sorts[body] != "R":
            return
        _, x = d.fresh("O", "x")
        mixed = self._mixed(d.b.open(body, x))
        if mixed is None:
            return
        sides = [f for t in mixed if (f := self._weights(a.reader.read(t), x)) is not None]
        if len(sides) < 2 or not 2 <= max(map(len, sides)) <= MOST_PARTS:
            return
        at = int(len(sides[1]) > len(sides[0]))  # the side whose parts the others belong to
        known: dict[int, list[tuple[int, int | None]]] = {p: [(p, None)] for p in sides[at]}
        for i in facts:
            if d.head(d.claim(i)) == "oiny":
                mean = a.loss_means.mean(d.mk("oint", *d.kids(d.claim(i))))
                if mean is not None and mean.rate is None and mean.pair[at] in known:
                    known[mean.pair[at]].append((mean.pair[1 - at], i))
        for chosen in product(*known.values()):
            total: Polynomial = {}
            for w, (q, _) in zip(sides[at].values(), chosen, strict=True):
                total = plus(total, times(w, a.reader.read(d.mk("dens", q, x))))
            if total == a.reader.read(mixed[1 - at]) and any(iny for _, iny in chosen):
                yield [Part(a.terms.term(w, "R"), q if at else p, p if at else q, iny)
                       for (p, w), (q, iny) in zip(sides[at].items(), chosen, strict=True)]

    def _mixed(self, at: int) -> tuple[int, int] | None:
        """m and n where m (log m - log n) stands under 0 < m and 0 < n, and 0 elsewhere."""
        d, read, zero = self.d, self.a.reader.read, self.d.num(0)
        found, values = [], at
        for _ in range(2):
            if d.head(values) != "if":
                return None
            test, values, other = d.kids(values)
            if d.head(test) != "lt" or d.kids(test)[0] != zero or other != zero:
                return None
            found.append(d.kids(test)[1])
        m, n = found
        loss = d.sub(d.mk("log", m), d.mk("log", n))
        return (m, n) if read(values) == times(read(m), read(loss)) else None

    def _weights(self, f: Polynomial, x: int) -> dict[int, Polynomial] | None:
        """The number before each density at x; None where there is more than a sum of those."""
        d, a, found = self.d, self.a, dict[int, Polynomial]()
        for m, c in f.items():
            at = [(z, t) for z in m if d.head(t := a.terms.term({((z[0], 1),): 1})) == "dens"]
            if len(at) != 1 or at[0][0][1] != 1 or d.kids(at[0][1])[1] != x:
                return None
            ((z, t),) = at
            weight = found.setdefault(d.kids(t)[0], {})
            found[d.kids(t)[0]] = plus(weight, {tuple(y for y in m if y != z): c})
        return found

    def _negative(self, goal: int, facts: Sequence[int]) -> int | None:
        """``oiny`` of max(0, -f), f such a loss: -f <= n - m <= n."""
        d, a, zero, one = self.d, self.a, self.d.num(0), self.d.num(1)
        (body,) = d.kids(goal)
        name, x = d.fresh("O", "x")
        at = d.b.open(body, x)
        low, less = d.kids(at)
        if self.busy or low != zero or d.head(less) != "mul" or d.kids(less)[0] != d.num(-1):
            return None
        mixed = self._mixed(d.kids(less)[1])
        weights = None if mixed is None else self._weights(a.reader.read(mixed[1]), x)
        if mixed is None or weights is None or len(weights) < 2:
            return None
        self.busy = True
        try:
            scales = [a.terms.term(w, "R") for w in weights.values()]
            signs = [self._nonnegative(w, a.loss_means.plain(facts)) for w in scales]
            top, _ = combined(d, scales, [self._mass(q) for q in weights])
            some = [d.assume(d.mk("lt", zero, t)) for t in mixed]
            known = a._positive(at)
            least = {d.kids(d.claim(i))[1]: i for i in known}
            known += [d.do("arith", d.mk("le", zero, d.mul(w, q)), [i, least[q]], [[one, [0, 1]]])
                      for w, i, q in zip(scales, signs, (
                          d.mk("dens", t, x) for t in weights), strict=True)]
            known.append(d.disch_all(map(d.claim, some), self._tangent(*mixed, one, one, some)))
            size = a.prove(d.mk("le", d.mk("abs", at), d.b.open(
                d.kids(d.claim(top))[0], x)), a._closed(known))
            return d.do("dominate", goal, [d.gen(name, "O", size), top])
        except (NotFound, NeedSplit):
            return None
        finally:
            self.busy = False

    # where a loss is infinite -----------------------------------------------------------------

    def _finite(self, goal: int, facts: Sequence[int]) -> int | None:
        """oint [n = 0] m = 0 where p_i has no mass at q_i = 0, for each part."""
        d, a, zero = self.d, self.a, self.d.num(0)
        (body,) = d.kids(d.kids(goal)[0])
        name, x = d.fresh("O", "x")
        at = d.b.open(body, x)
        if self.busy or d.head(at) != "if" or d.head(d.kids(at)[0]) != "eq":
            return None
        n, none = d.kids(d.kids(at)[0])
        sides = [self._weights(a.reader.read(t), x) for t in (d.kids(at)[1], n)]
        first, second = sides
        if first is None or second is None or none != zero or not 2 <= len(first) == len(
                second) <= MOST_PARTS:
            return None
        nulls = a._nulls(facts, body)
        for order in permutations(second):
            if [second[q] for q in order] != [*first.values()]:
                continue
            try:
                signs = [self._nonnegative(a.terms.term(w, "R"), a.loss_means.plain(facts))
                         for w in first.values()]
                values = [(d.mk("dens", p, x), d.mk("dens", q, x))
                          for p, q in zip(first, order, strict=True)]
                known = a._positive(at)
                least = {d.kids(d.claim(i))[1]: i for i in known}
                laws = [self._without(n, [(q, i) for (_, q), i in zip(
                    values, signs, strict=True)], k, p, least) for k, (p, _) in enumerate(values)]
                given = [d.assume(d.mk("eq", d.b.open(t, x), zero)) for t, _ in nulls]
                inside = a.prove(d.mk("eq", at, zero), a._closed([*known, *laws, *given]))
                everywhere = d.gen(name, "O", d.disch_all(map(d.claim, given), inside))
                same = d.parts(d.do("almost", d.conj([
                    d.mk("iff", d.mk("oiny", body), d.mk("oiny", zero)),
                    d.mk("eq", d.mk("oint", body), d.mk("oint", zero))]), [
                    *(p for _, three in nulls for p in three), everywhere]))[1]
                return d.chain(same, d.parts(a.nothing("oint", "R"))[1])
            except (NotFound, NeedSplit):
                continue
        return None

    # what is derived --------------------------------------------------------------------------

    def _below(self, body: int, parts: Sequence[Part], facts: Sequence[int]) -> tuple[int, int]:
        """That the body is integrable, and its integral at most the weighted sum."""
        d, a = self.d, self.a
        plain = a.loss_means.plain(facts)
        signs = [self._nonnegative(part.weight, plain) for part in parts]
        losses = [(part.weight, part.iny) for part in parts if part.iny is not None]
        masses = [(d.mul(d.num(2), part.weight), self._mass(part.q)) for part in parts]
        top, _ = combined(d, *zip(*losses, *masses, strict=True))
        low, total = combined(d, *zip(*losses, strict=True))
        guarded = self._guarded(body, parts, d.kids(d.claim(low))[0])
        self.busy = True
        try:
            alike, same = a._alike_outside(guarded, body, facts)
            goals = [lambda x: d.mk("le", d.mk("abs", d.b.open(guarded, x)), d.b.open(
                d.kids(d.claim(top))[0], x)), lambda x: d.mk("le", d.b.open(
                    guarded, x), d.b.open(d.kids(d.claim(low))[0], x))]
            inside, under = (self._everywhere(goal, body, parts, signs) for goal in goals)
        finally:
            self.busy = False
        iny = d.do("dominate", d.mk("oiny", guarded), [inside, top])
        whole, bound = d.kids(d.claim(total))
        less = d.do("mono", d.mk("le", d.mk("oint", guarded), whole), [under, iny, low])
        final = d.do("arith", d.mk("le", d.mk("oint", body), bound), [less, same, total], [
            [d.num(1), [0]], [d.num(-1), [1]], [d.num(1), [2]]])
        return d.onward(alike, iny), final

    def _nonnegative(self, weight: int, facts: Sequence[int]) -> int:
        found = self.a.positive(weight, facts, strict=False)
        return self.a.prove(self.d.mk("le", self.d.num(0), weight), facts) if (
            found is None) else found

    def _mass(self, q: int) -> int:
        """oiny q."""
        d = self.d
        return d.parts(self.a.mass_one(d.mk("dens", d.b.lift(q), d.b.bound(0, "O"))))[0]

    def _guarded(self, body: int, parts: Sequence[Part], low: int) -> int:
        """The body, and its bound where some q_i vanishes and p_i does not."""
        d, x = self.d, self.d.b.bound(0, "O")
        found = body
        for part in parts:
            if part.iny is not None:
                p, q = (d.mk("lt", d.num(0), d.mk("dens", d.b.lift(t), x)) for t in part[1:3])
                found = d.mk("if", p, d.mk("if", q, found, low), found)
        return found

    def _everywhere(self, goal: Callable[[int], int], body: int, parts: Sequence[Part],
                    signs: Sequence[int]) -> int:
        """For all x: the goal, from the inequalities at every outcome."""
        d, a = self.d, self.a
        name, x = d.fresh("O", "x")
        mixed = self._mixed(d.b.open(body, x))
        assert mixed is not None
        at = goal(x)
        known = a._positive(at)
        known += self._laws(mixed, [(d.mk("dens", p, x), d.mk("dens", q, x))
                                    for _, p, q, _ in parts], signs, known)
        return d.gen(name, "O", a.prove(at, a._closed(known)))

    def _laws(self, mixed: tuple[int, int], values: Sequence[tuple[int, int]],
              signs: Sequence[int], positive: Sequence[int]) -> list[int]:
        """The bounds of m (log m - log n), and what makes the majorant one."""
        d, one, zero = self.d, self.d.num(1), self.d.num(0)
        least = {d.kids(d.claim(i))[1]: i for i in positive}
        m, n = mixed
        some = [d.assume(d.mk("lt", zero, t)) for t in mixed]
        found = [d.disch_all(map(d.claim, some), self._tangent(m, n, one, one, some))]
        for (p, q), sign in zip(values, signs, strict=True):
            weight = d.kids(d.claim(sign))[1]
            found.append(d.do("arith", d.mk("le", zero, d.mul(weight, q)), [
                sign, least[q]], [[one, [0, 1]]]))
            above = [d.assume(d.mk("lt", zero, t)) for t in (p, q)]
            tangent = self._tangent(p, q, one, one, above)
            found.append(d.disch_all(map(d.claim, above), d.do("arith", d.mk("le", zero, d.add(
                d.mul(weight, p, d.sub(d.mk("log", p), d.mk("log", q))), d.mul(weight, q))),
                [tangent, sign, above[0]], [[one, [0, 1]], [one, [1, 2]]])))
        for k, (p, q) in enumerate(values):
            gap = d.sub(d.mk("log", p), d.mk("log", q))
            found += [self._without(t, [(v[side], i) for v, i in zip(values, signs, strict=True)],
                                    k, d.mul(p, gap), least) for side, t in enumerate(mixed)]
        for alive in product((True, False), repeat=len(values)):
            found.append(self._upper(mixed, some, list(zip(values, signs, alive, strict=True)),
                                     least))
        return found

    def _without(self, whole: int, parts: Sequence[tuple[int, int]], k: int, value: int,
                 least: dict[int, int]) -> int:
        """0 < t_k -> w_k v = 0 where the sum of all w_i t_i >= 0 is <= 0."""
        d, one, zero = self.d, self.d.num(1), self.d.num(0)
        none = d.assume(d.mk("le", whole, zero))
        above = d.assume(d.mk("lt", zero, parts[k][0]))
        unit, under = d.reciprocal(above)
        sign = parts[k][1]
        w = d.kids(d.claim(sign))[1]
        others = [p for i, p in enumerate(parts) if i != k]
        scales = [[one, [1, 2 + 2 * i, 3 + 2 * i]] for i in range(len(others))]
        small = d.do("arith", d.mk("le", w, zero), [none, under, *(
            x for u, i in others for x in (i, least[u])), unit], [
            [one, [0, 1]], *scales, [d.neg(w), [2 + 2 * len(others)]]])
        same = d.taut(d.mk("eq", w, zero), d.do("order", d.mk("iff", d.mk("eq", w, zero), d.conj(
            [d.mk("le", w, zero), d.mk("le", zero, w)]))), small, sign)
        found = d.do("arith", d.mk("eq", d.mul(w, value), zero), [same], [[value, [0]]])
        return d.disch_all([d.claim(none), d.claim(above)], found)

    def _tangent(self, p: int, q: int, m: int, n: int, above: Sequence[int]) -> int:
        """n p (1 + log q + log m - log n - log p) <= q m, without m and n where they are 1, from
        what says that p, q, and then m, n, are positive."""
        d, one = self.d, self.d.num(1)
        more = [] if m == one else [d.mk("log", m), d.neg(d.mk("log", n))]
        z = d.add(d.mk("log", q), *more, d.neg(d.mk("log", p)))
        law = self.a.loss_means.lemmas._tangent(z)
        power = self.a.identity(d.mk("eq", d.mul(n, p, d.mk("exp", z)), d.mul(q, m)), above)
        goal = d.mk("le", d.mul(n, p, d.add(one, z)), d.mul(q, m))
        factors = [above[0]] if m == one else [above[0], above[3]]
        return d.do("arith", goal, [law, power, *factors], [
            [one, [0, *range(2, 2 + len(factors))]], [one, [1]]])

    def _upper(self, mixed: tuple[int, int], some: Sequence[int],
               parts: Sequence[tuple[tuple[int, int], int, bool]], least: dict[int, int]) -> int:
        """m (log m - log n) <= the sum of w_i p_i (log p_i - log q_i), for those p_i, q_i > 0,
        where the other p_i are <= 0."""
        d, one, zero = self.d, self.d.num(1), self.d.num(0)
        m, n = mixed
        unit, under = d.reciprocal(some[1])
        loss = d.sub(d.mk("log", m), d.mk("log", n))
        premises, facts, scales = list(some), [some[0], under, unit], []
        sides = [zero]
        rest = [m]
        for (p, q), sign, alive in parts:
            w = d.kids(d.claim(sign))[1]
            facts.append(sign)
            at = len(facts) - 1
            if alive:
                above = [d.assume(d.mk("lt", zero, t)) for t in (p, q)]
                premises += above
                facts.append(self._tangent(p, q, m, n, [*above, *some]))
                scales.append([one, [at, at + 1, 1]])
                gap = d.sub(d.mk("log", q), d.mk("log", p))
                rest.append(d.neg(d.mul(w, p, d.add(one, gap, loss))))
                sides.append(d.neg(d.mul(w, p, gap)))
            else:
                small = d.assume(d.mk("le", p, zero))
                premises.append(small)
                both = d.conj([d.mk("le", p, zero), d.mk("le", zero, p)])
                same = d.taut(d.mk("eq", p, zero), d.do("order", d.mk("iff", d.mk(
                    "eq", p, zero), both)), small, least[p])
                facts += [least[q], same]
                scales += [[one, [at, at + 1, 0, 1]], [d.mul(w, d.add(one, loss)), [at + 2]]]
        scales.append([d.add(*rest), [2]])
        goal = d.mk("le", d.mul(m, loss), d.add(*sides))
        return d.disch_all(map(d.claim, premises), d.do("arith", goal, facts, scales))
