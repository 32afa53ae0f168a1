"""Claims about trade-off functions, reduced to claims about the integrals of max(0, g - c f).

A supremum V over tests that is needed from below in a relation is replaced, for every c > 0, by
c a + H(c); one that is needed from above by c a + H(c) at the c that the other integrals show.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Polynomial, plus, ratio, times
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.chained_tests import ChainedTests
from lapdp.proving.derivation import NotFound
from lapdp.proving.neyman_pearson import NeymanPearson
from lapdp.proving.optimal import Testing

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

MOST_THRESHOLDS = 8
MOST_CHOICES = 12


class Hopeless(NotFound):
    """A supremum would have to lie above what it does not, for some pair."""


class TradeOffs:
    """Relations with suprema over tests, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self.optimal = NeymanPearson(prover)
        self.chained = ChainedTests(self)

    def of(self, formula: int) -> dict[int, Testing]:
        """The suprema over tests that occur, closed."""
        found = ((t, self.optimal.read(t)) for t in self.d.subterms(formula)
                 if self.d.head(t) == "supR")
        return {t: test for t, test in found if test is not None}

    def relation(self, goal: int, facts: Sequence[int]) -> int | None:
        """``s <= t`` with suprema over tests; None where there is none, or this does not help."""
        d = self.d
        if d.head(goal) != "le":
            return None
        tests = self.of(goal)
        if len(tests) > 2 and (found := self.chained.found(goal, tests, facts)) is not None:
            return found
        others = [t for t in self.a.suprema.of(goal) if t not in tests and not any(
            t in d.subterms(s) for s in tests)]
        if not tests and not any(self._inside(t) for t in others):
            return None
        if d.head(d.kids(goal)[0]) == "max":
            return self._of_both(goal, facts)
        signs = {t: self._sign(goal, t, facts) for t in [*tests, *others]}
        if any((sign := signs[t]) is None or sign[0] < 0 for t in others):
            return None
        for sup, test in tests.items():
            sign = signs[sup]
            if sign is not None and sign[0] > 0:
                try:
                    return self._from_below(goal, sup, test, sign[1], facts)
                except Hopeless:
                    raise
                except NotFound:
                    if sign[0] == 2:
                        continue
                    raise
        for t in others:
            for way in (self._attained, self._met):
                if (found := way(goal, t, facts)) is not None:
                    return found
        below = {t: (test, sign[1]) for t, test in tests.items() if (sign := signs[t]) is not None
                 and sign[0] < 0}
        if not below or others:
            return None
        return self._from_above(goal, below, facts)

    def _of_both(self, goal: int, facts: Sequence[int]) -> int:
        """max(x, y) <= t from x <= t and y <= t: each has a bound of its own."""
        d, a = self.d, self.a
        most, t = d.kids(goal)
        x, y = d.kids(most)
        first, second = (a.prove(d.mk("le", u, t), facts) for u in (x, y))
        condition = d.mk("le", x, y)
        value = d.mk("if", condition, y, x)
        law = d.law("max", d.mk("eq", most, value), x, y)
        ways = []
        for c, u, less in ((condition, y, second), (d.mk("not", condition), x, first)):
            chosen = d.mp(d.do("cases", d.mk("imp", c, d.mk("eq", value, u))), d.assume(c))
            ways.append(d.do("arith", goal, [law, chosen, less],
                             [[d.num(1), [0]], [d.num(1), [1]], [d.num(1), [2]]]))
        return d.split(condition, *ways)

    def _gap(self, goal: int) -> Polynomial:
        s, t = self.d.kids(goal)
        return plus(self.a.reader.read(t), self.a.reader.read(s), -1)

    def _sign(self, goal: int, sup: int, facts: Sequence[int]) -> tuple[int, int] | None:
        """How a supremum, of which a relation is a linear function, is needed: 2 or -1, and the
        theorem 0 < r or 0 <= -r about its factor r; 1 and 0 <= r where r may be 0."""
        d, a = self.d, self.a
        place = a.reader.atom("", sup)
        inside = {m: c for m, c in self._gap(goal).items() if place in dict(m)}
        if not inside or any(dict(m)[place] != 1 for m in inside):
            return None
        factor = {tuple(x for x in m if x[0] != place): c for m, c in inside.items()}
        r, less = (a.terms.term(f, "R") for f in (factor, times(factor, {(): -1})))
        zero = d.num(0)
        for kind, relation in ((2, d.mk("lt", zero, r)), (-1, d.mk("le", zero, less)),
                               (1, d.mk("le", zero, r))):
            if a._speaks(relation):
                return None
            try:
                return kind, a.prove(relation, [i for i in facts if not a._speaks(d.claim(i))])
            except (NotFound, NeedSplit):
                continue
        return None

    # from below ---------------------------------------------------------------------------------

    def _from_below(self, goal: int, sup: int, test: Testing, sign: int, facts: Sequence[int]
                    ) -> int:
        """r V + rest >= 0, as -rest/r <= c a + H(c) for all c = exp(-t)."""
        d, a = self.d, self.a
        if d.head(d.claim(sign)) == "le":
            return self._by_sign(goal, d.kids(d.claim(sign))[1], sign, facts)
        factor = d.kids(d.claim(sign))[1]
        place = a.reader.atom("", sup)
        rest = {m: c for m, c in self._gap(goal).items() if place not in dict(m)}
        less = a.terms.term(times(rest, {(): -1}), "R")
        inverse = d.mk("inv", factor)
        v = d.mul(inverse, less)
        tname, t = d.fresh("R", "t")
        c = d.mk("exp", d.neg(t))
        bound = self.optimal.bound(test, c)
        enough = d.mk("le", less, d.mul(factor, bound))
        if a.finite.denied(enough, facts):
            raise Hopeless("a goal on the way fails at a finite pair")
        held = a.prove(enough, facts)
        undone = a.identity(d.mk("eq", d.mul(factor, inverse), d.num(1)), [sign])
        above = a.prove(d.mk("lt", d.num(0), inverse), [sign])
        at = d.do("arith", d.mk("le", v, bound), [held, above, undone],
                  [[d.num(1), [0, 1]], [bound, [2]]])
        each = self._for_positive(d.gen(tname, "R", at))
        least = self.optimal.least(test, each, facts)
        return d.do("arith", goal, [least, sign, undone],
                    [[d.num(1), [0, 1]], [d.neg(less), [2]]])

    def _by_sign(self, goal: int, factor: int, above: int, facts: Sequence[int]) -> int:
        """The goal where the factor >= 0 may vanish."""
        d, a = self.d, self.a
        zero = d.num(0)
        none, some = d.mk("eq", factor, zero), d.mk("lt", zero, factor)
        ways = [d.disch(c, a.prove(goal, a._closed([*facts, d.assume(c)]))) for c in (none, some)]
        law = d.do("order", d.mk("or", some, d.mk("or", d.mk("eq", zero, factor), d.mk(
            "lt", factor, zero))))
        either = a.prove(d.mk("or", none, some), [above, law])
        return d.taut(goal, either, *ways)

    def _for_positive(self, every: int) -> int:
        """For all c > 0, from: for all t, with c = exp(-t)."""
        d = self.d
        name, c = d.fresh("R", "c")
        given = d.assume(d.mk("lt", d.num(0), c))
        log = d.mk("log", c)
        place = d.neg(log)
        law = d.mp(d.law("exp of log", d.mk("imp", d.claim(given), d.mk(
            "eq", d.mk("exp", log), c)), c), given)
        same = d.do("arith", d.mk("eq", d.mk("exp", d.neg(place)), c), [law], [[d.num(1), [0]]])
        return d.gen(name, "R", d.disch(d.claim(given), d.replace(d.inst(every, place), same)))

    def from_fact(self, goal: int, facts: Sequence[int]) -> int:
        """``s <= t`` from a fact with a supremum over tests that is less than the goal needs it:
        what is left over is a relation in which the supremum is needed from below.

        Raises :class:`NotFound`.
        """
        d, a = self.d, self.a
        of_numbers = not any(d.head(t) == "dens" for t in d.subterms(goal))
        for i in facts if d.head(goal) == "le" and of_numbers else ():
            if d.head(d.claim(i)) != "le" or not self.of(d.claim(i)):
                continue
            rest = a.terms.term(plus(self._gap(goal), self._gap(d.claim(i)), -1), "R")
            try:
                held = a.prove(d.mk("le", d.num(0), rest), [j for j in facts if j != i])
            except (NotFound, NeedSplit):
                continue
            return d.do("arith", goal, [held, i], [[d.num(1), [0]], [d.num(1), [1]]])
        raise NotFound("no fact about a trade-off function")

    # suprema of trade-off functions -------------------------------------------------------------

    def _inside(self, sup: int) -> Testing | None:
        """The tests whose supremum occurs in what the members of a set are."""
        d = self.d
        if d.head(sup) != "supR":
            return None
        inner = d.b.open(d.kids(sup)[0], d.b.letter("R@@", "R"))
        if d.head(inner) != "exR":
            return None
        inner = d.b.open(d.kids(inner)[0], d.b.letter("Rx@", "R"))
        return next(iter(self.of(inner).values()), None)

    def _attained(self, goal: int, sup: int, facts: Sequence[int]) -> int | None:
        """The goal by the member of the set at the level f(S), where S = {c f < g}: there V is at
        least g(S) = H(c) + c f(S)."""
        d, a = self.d, self.a
        test = self._inside(sup)
        if test is None:
            return None
        above = a.suprema.reflexive(a.suprema.above_all(sup, facts), sup)
        _, y = d.fresh("R", "y")
        (body,) = d.kids(d.claim(above))
        for c in self.thresholds(test, goal, facts):
            try:
                level = self.optimal.mass(test.f, self.optimal.beyond(test, c))
                member = d.kids(d.b.open(body, y))[0]
                inner = d.b.open(d.kids(member)[0], level)
                value = a.suprema._value(inner, y)
                if value is None or not self.of(value):
                    return None
                made = d.inst(above, value)
                held = a.suprema._held(d.kids(d.claim(made))[0], [level], facts)
                below = self._lower(d.mp(made, held), level, test, c, facts)
                tight = d.b.open(d.hole(goal, sup), d.kids(d.claim(below))[0])
                return a.by_arithmetic(goal, [a.prove(tight, facts), below])
            except (NotFound, NeedSplit):
                continue
        return None

    def _met(self, goal: int, sup: int, facts: Sequence[int]) -> int | None:
        """The goal by the member of a set that makes both sides equal, where the members are a
        linear function of one number."""
        d, a = self.d, self.a
        place = a.reader.atom("", sup)
        gap = self._gap(goal)
        (factor,) = (c for m, c in gap.items() if m == ((place, 1),)) if sum(
            place in dict(m) for m in gap) == 1 and ((place, 1),) in gap else (0,)
        _, y = d.fresh("R", "y")
        _, u = d.fresh("R", "u")
        member = d.b.open(d.kids(sup)[0], y)
        if not factor or d.head(member) != "exR":
            return None
        value = a.suprema._value(d.b.open(d.kids(member)[0], u), y)
        if value is None:
            return None
        line, unknown = a.reader.read(value), ((a.reader.atom("", u), 1),)
        slope = line.get(unknown)
        if not slope or sum(unknown[0][0] in dict(m) for m in line) != 1:
            return None
        wanted = {m: ratio(-c, factor) for m, c in gap.items() if m != ((place, 1),)}
        rest = {m: c for m, c in line.items() if m != unknown}
        root = {m: ratio(c, slope) for m, c in plus(wanted, rest, -1).items()}
        try:
            above = a.suprema.reflexive(a.suprema.above_all(sup, facts), sup)
            point = a.terms.term(root, "R")
            if u in d.subterms(point):
                return None
            value = a.suprema._value(d.b.open(d.kids(member)[0], point), y)
            if value is None:
                return None
            made = d.inst(above, value)
            held = a.suprema._held(d.kids(d.claim(made))[0], [point], facts)
            return a.plainly(goal, [d.mp(made, held)], 0)
        except (NotFound, NeedSplit):
            return None

    def _lower(self, below: int, level: int, test: Testing, c: int, facts: Sequence[int]) -> int:
        """v' <= sup from v <= sup, where v' has c f(S) + H(c) for the supremum V of tests at the
        level f(S)."""
        d, a = self.d, self.a
        value, sup = d.kids(d.claim(below))
        for inner, other in self.of(value).items():
            if other.level != level:
                continue
            least = self.optimal.reached(inner, other, c, facts)
            lower = d.b.open(d.hole(value, inner), d.kids(d.claim(least))[0])
            return a.by_arithmetic(d.mk("le", lower, sup), [below, least])
        raise NotFound("no trade-off function at that level")

    # from above ---------------------------------------------------------------------------------

    def _from_above(self, goal: int, tests: dict[int, tuple[Testing, int]], facts: Sequence[int]
                    ) -> int:
        """The goal with bounds in the place of suprema over tests."""
        d, a = self.d, self.a
        pools = [self.thresholds(test, goal, facts) for test, _ in tests.values()]
        more = self.instances(facts, goal)
        for chosen in islice(product(*pools), MOST_CHOICES):
            tight, bounds, parts = goal, [], []
            for (sup, (test, _)), c in zip(tests.items(), chosen, strict=True):
                tight = d.b.open(d.hole(tight, sup), self.optimal.bound(test, c))
            if a.finite.denied(tight, [*facts, *more]):
                continue
            try:
                for (sup, (test, sign)), c in zip(tests.items(), chosen, strict=True):
                    bounds += [self.optimal.above(sup, test, c, facts), sign]
                    parts.append([d.num(1), [len(bounds) - 1, len(bounds)]])
                held = a.prove(tight, [*facts, *more])
                return d.do("arith", goal, [held, *bounds], [[d.num(1), [0]], *parts])
            except (NotFound, NeedSplit):
                continue
        raise NotFound("no bound of a trade-off function")

    def instances(self, facts: Sequence[int], goal: int) -> list[int]:
        """Facts in which suprema over tests are needed from above, with bounds in their place."""
        d, a = self.d, self.a
        found = []
        for i in facts:
            if d.head(d.claim(i)) != "le" or not (tests := self.of(d.claim(i))):
                continue
            for sup, test in tests.items():
                sign = self._sign(d.claim(i), sup, [])
                if sign is None or sign[0] < 0:
                    continue
                for c in self.thresholds(test, goal, facts):
                    try:
                        bound = self.optimal.above(sup, test, c, facts)
                        tight = d.b.open(d.hole(d.claim(i), sup), self.optimal.bound(test, c))
                        found.append(a.by_arithmetic(tight, [i, bound]))
                    except (NotFound, NeedSplit):
                        continue
        return found

    def thresholds(self, test: Testing, goal: int, facts: Sequence[int]) -> list[int]:
        """Numbers c at which max(0, g - c f) may be needed: those of other such integrals, their
        inverses, and what makes max(0, r f + s g) a multiple of it."""
        d = self.d
        found: dict[int, None] = {}
        for formula in (goal, *(d.claim(i) for i in facts)):
            for t in d.subterms(formula):
                if d.head(t) == "oint" and not d.b.loose[t] and d.head(d.kids(t)[0]) == "max":
                    found.update(dict.fromkeys(self._ratios(test, d.kids(t)[0])))
        return [*found, d.num(1), d.num(0)][:MOST_THRESHOLDS]

    def _ratios(self, test: Testing, body: int) -> Iterator[int]:
        d, a = self.d, self.a
        zero, inside = d.kids(body)
        if zero != d.num(0):
            return
        _, x = d.fresh("O", "x")
        whole = a.reader.read(d.b.open(inside, x))
        f, g = (a.reader.read(d.b.open(p, x)) for p in (test.f, test.g))
        places = [next(iter(p))[0][0] for p in (f, g) if len(p) == 1 and len(next(iter(p))) == 1]
        parts: list[Polynomial] = [{}, {}]
        for m, c in whole.items():
            for part, place in zip(parts, places, strict=False):
                if dict(m).get(place) == 1:
                    part[tuple(p for p in m if p[0] != place)] = c
        if len(places) == 2 and all(parts):
            top = times(parts[0], {(): -1})
            (first, *rest) = parts[1].items()
            if not rest and first[0] == a.terms.exponential_part(first[0]):
                below: Polynomial = {tuple((p, -e) for p, e in first[0]): ratio(1, first[1])}
                yield a.terms.term(times(top, below), "R")
            else:
                yield d.mul(a.terms.term(top, "R"), d.mk("inv", a.terms.term(parts[1], "R")))
            return
        if d.head(inside) == "add" and d.head(d.kids(inside)[1]) == "mul":
            minus, scaled = d.kids(d.kids(inside)[1])
            if minus == d.num(-1) and d.head(scaled) == "mul" and not d.b.loose[
                    r := d.kids(scaled)[0]]:
                yield r
                yield self.inverse(r)

    def inverse(self, c: int) -> int:
        """1/c; exp(-z) for c = exp(z)."""
        d = self.d
        if d.head(c) != "exp":
            return d.mk("inv", c)
        return self.a.terms.term(self.a.reader.read(d.mk("exp", d.neg(d.kids(c)[0]))), "R")
