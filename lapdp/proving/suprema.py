"""Suprema over events and of sets of real numbers: each is above its members, and least so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice, product
from typing import TYPE_CHECKING

from lapdp.kernel.domain import domain
from lapdp.kernel.polynomials import Polynomial, plus, ratio, times
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.columns import RELATIONS
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

SUPREMA = ("supS", "supR")
MOST_MEMBERS = 6
"""Members of a set that are looked at where something lies below its supremum."""


class Suprema:
    """Relations in which suprema occur, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self._parts: dict[int, int | None] = {}

    def of(self, formula: int) -> list[int]:
        """Suprema that occur, closed."""
        d = self.d
        return [t for t in d.subterms(formula) if d.head(t) in SUPREMA and not d.b.loose[t]]

    def above_all(self, sup: int, facts: Sequence[int]) -> int:
        """For all b: sup <= b <-> every member <= b."""
        d = self.d
        needed = domain(d.b, sup)
        assert needed is not None
        within = self.a.prove(needed, facts)
        b, (body,) = d.b.bound(0, "R"), d.kids(sup)
        if d.head(sup) == "supS":
            each = d.mk("allS", d.mk("le", d.b.deepen(body), d.b.bound(1, "R")))
        else:
            each = d.mk("allR", d.mk("imp", d.b.deepen(body), d.mk("le", b, d.b.bound(1, "R"))))
        goal = d.mk("allR", d.mk("iff", d.mk("le", d.b.lift(sup), b), each))
        return d.do("supremum", goal, [within])

    def reflexive(self, law: int, sup: int) -> int:
        """Every member is <= sup, from: for all b, sup <= b <-> every member <= b."""
        d = self.d
        at = d.inst(law, sup)
        return d.onward(at, d.do("arith", d.mk("le", sup, sup)))

    def relation(self, goal: int, facts: Sequence[int]) -> int:
        """A relation in which a supremum occurs.  Raises :class:`NotFound`."""
        d = self.d
        if (found := self._alike(goal, facts)) is not None:
            return found
        for sup in self.of(goal):
            if d.head(sup) == "supS" and (same := self._positive_part(sup)) is not None:
                known = [d.replace(i, same) for i in facts]
                return self.a._back(goal, same, known)
        head, (s, t) = d.head(goal), d.kids(goal)
        if head == "eq":
            halves = [self.a.prove(d.mk("le", *p), facts) for p in ((s, t), (t, s))]
            law = d.do("order", d.mk("iff", goal, d.conj([d.mk("le", s, t), d.mk("le", t, s)])))
            return d.taut(goal, law, *halves)
        if (found := self.a.trade_offs.relation(goal, facts)) is not None:
            return found
        if head == "le" and d.head(s) in SUPREMA:
            law = d.inst(self.above_all(s, facts), t)
            return d.taut(goal, law, self.a.prove(d.kids(d.claim(law))[1], facts))
        for sup in self.of(goal):
            if head == "le" and (bound := self._solved(goal, sup)) is not None:
                below = self.a.prove(d.mk("le", sup, bound[0]), facts)
                return d.do("arith", goal, [below, bound[1]], [[d.num(1), [0, 1]]])
        known = list(facts)
        for sup in self.of(goal):
            above = self.reflexive(self.above_all(sup, facts), sup)
            if d.head(sup) == "supS":
                known.append(above)
            else:
                known += islice(self._members(above, goal, facts), MOST_MEMBERS)
        try:
            return self.a.by_arithmetic(goal, known)
        except NotFound:
            return self.a.hypotheses.between(goal, known)

    def enriched(self, facts: Sequence[int]) -> list[int]:
        """The facts, relations in which a supremum over events occurs with its value for it."""
        d, found = self.d, list(facts)
        for n, i in enumerate(found):
            if d.head(d.claim(i)) in RELATIONS:
                for sup in self.of(d.claim(i)):
                    if d.head(sup) == "supS" and (same := self._positive_part(sup)) is not None:
                        found[n] = d.replace(found[n], same)
        return found

    def _alike(self, goal: int, facts: Sequence[int]) -> int | None:
        """Two suprema over events whose members are equal by what facts say of every event."""
        d = self.d
        sides = d.kids(goal)
        laws = [i for i in facts if d.head(d.claim(i)) == "allS"]
        if d.head(goal) != "eq" or {d.head(t) for t in sides} != {"supS"} or not laws:
            return None
        name, event = d.fresh("S")
        member = d.mk("eq", *(d.b.open(d.kids(t)[0], event) for t in sides))
        here = [i for i in (d.inst(i, event) for i in laws) if d.head(d.claim(i)) in RELATIONS]
        try:
            same = self.a.identity(member, here)
        except NotFound:
            return None
        return d.under("supS", d.gen(name, "S", same))

    def _positive_part(self, sup: int) -> int | None:
        """sup over S of the integral of h over S = oint max(0, h): attained at {0 < h}; None for
        what is not linear in masses of S."""
        if sup not in self._parts:
            self._parts[sup] = None
            with suppress(NotFound, NeedSplit):
                self._parts[sup] = self._hahn(sup)
        return self._parts[sup]

    def positive_part(self, whole: int, event: int) -> tuple[int, int]:
        """oint max(0, h), and {0 < h}, for what is the integral of h over an event.  Raises
        :class:`NotFound` for what is not linear in masses of it."""
        d, zero = self.d, self.d.num(0)
        _, x = d.fresh("O", "x")
        masses = [t for t in d.subterms(whole) if (
            found := self.a.event_masses.mass(t)) is not None and found[1] == event]
        at: Polynomial = {}
        for m, c in self.a.reader.read(whole).items():
            inside = [n for n, _ in m if self.a.terms.term({((n, 1),): 1}) in masses]
            if len(inside) != 1:
                raise NotFound("not linear in masses")
            (atom,) = inside
            p, _ = self.a.event_masses.mass(self.a.terms.term({((atom, 1),): 1})) or (0, 0)
            rest = tuple(y for y in m if y[0] != atom)
            density = self.a.reader.atom("", d.mk("dens", p, x))
            at = plus(at, times({rest: c}, {((density, 1),): 1}))
        h = d.b.abstract(self.a.terms.term(at, "R"), str(d.b.rows[x][1]), "O")
        return d.mk("oint", d.mk("max", zero, h)), d.mk("set", d.mk("lt", zero, h))

    def bound(self, body: int) -> int | None:
        """A number that is above what all events are given, for "some b: for all S: f(S) <= b" with
        three masses of S or more; None: no such claim."""
        d = self.d
        if d.head(body) != "allS":
            return None
        _, b = d.fresh("R", "b")
        _, event = d.fresh("S")
        at = d.b.open(d.kids(d.b.open(body, b))[0], event)
        if d.head(at) != "le" or d.kids(at)[1] != b:
            return None
        whole = d.kids(at)[0]
        masses = [t for t in d.subterms(whole) if self.a.event_masses.mass(t) is not None]
        try:
            return self.positive_part(whole, event)[0] if len(masses) > 2 else None
        except NotFound:
            return None

    def _hahn(self, sup: int) -> int:
        d = self.d
        (body,) = d.kids(sup)
        _, event = d.fresh("S")
        most, best = self.positive_part(d.b.open(body, event), event)
        law = self.above_all(sup, [])
        each = d.inst(law, most)
        below = d.taut(d.mk("le", sup, most), each, self.a.prove(d.kids(d.claim(each))[1], []))
        own = d.inst(law, sup)
        same = d.do("arith", d.mk("le", sup, sup), [], [])
        member = d.inst(d.taut(d.kids(d.claim(own))[1], own, same), best)
        value = d.kids(d.claim(member))[0]
        reached = self.a.prove(d.mk("le", most, value), [])
        above = d.do("arith", d.mk("le", most, sup), [reached, member],
                     [[d.num(1), [0]], [d.num(1), [1]]])
        goal = d.mk("eq", sup, most)
        order = d.do("order", d.mk("iff", goal, d.conj([d.claim(below), d.claim(above)])))
        return d.taut(goal, order, below, above)

    def known(self, goal: int, facts: Sequence[int]) -> int | None:
        """``v <= t`` because a fact says that a supremum is at most t, or equal, and v is a member;
        None for other goals."""
        d = self.d
        if d.head(goal) != "le":
            return None
        for i in facts:
            if d.head(d.claim(i)) not in ("le", "eq") or d.kids(d.claim(i))[1] != d.kids(goal)[1]:
                continue
            sup, t = d.kids(d.claim(i))
            if d.head(sup) != "supR":
                continue
            try:
                law = d.inst(self.above_all(sup, facts), t)
                below = d.do("arith", d.mk("le", sup, t), [i], [[d.num(1), [0]]])
                each = d.taut(d.kids(d.claim(law))[1], law, below)
                for member in islice(self._members(each, goal, facts), MOST_MEMBERS):
                    if d.claim(member) == goal:
                        return member
            except (NotFound, NeedSplit):
                continue
        return None

    def _solved(self, goal: int, sup: int) -> tuple[int, int] | None:
        """For c sup <= rest with c = e^x times a number > 0: rest / c, and the theorem 0 < c."""
        d, a = self.d, self.a
        s, t = d.kids(goal)
        gap = plus(a.reader.read(t), a.reader.read(s), -1)
        place = a.reader.atom("", sup)
        inside = [m for m in gap if place in dict(m)]
        if len(inside) != 1 or dict(inside[0])[place] != 1 or gap[inside[0]] >= 0:
            return None
        rest = tuple(x for x in inside[0] if x[0] != place)
        if rest != a.terms.exponential_part(rest):
            return None
        size = -gap[inside[0]]
        other: Polynomial = {tuple((x, -e) for x, e in rest): ratio(1, size)}
        free = {m: c for m, c in gap.items() if m != inside[0]}
        factor = a.terms.term({rest: size}, "R")
        positive = a.positive(factor, [])
        return None if positive is None else (a.terms.term(times(free, other), "R"), positive)

    def inhabited(self, goal: int, facts: Sequence[int]) -> int | None:
        """There is a value of a set that is written as ``some ... (conditions and y = value)``;
        None where the goal says something else, or none is found."""
        d = self.d
        (body,) = d.kids(goal)
        _, y = d.fresh("R", "y")
        for chosen in self._choices(d.b.open(body, y), goal, facts):
            inner = d.b.open(body, y)
            for t in chosen:
                inner = d.b.open(d.kids(inner)[0], t)
            value = self._value(inner, y)
            if value is None:
                return None
            try:
                held = self._held(d.b.open(body, value), chosen, facts)
            except (NotFound, NeedSplit):
                continue
            return d.do("wit", goal, [held], [value])
        return None

    # members ----------------------------------------------------------------------------------

    def _members(self, above: int, goal: int, facts: Sequence[int]) -> Iterator[int]:
        """``v <= sup`` for values v of the set, from: for all y in the set, y <= sup."""
        d = self.d
        _, y = d.fresh("R", "y")
        (body,) = d.kids(d.claim(above))
        member = d.kids(d.b.open(body, y))[0]
        for chosen in self._choices(member, goal, facts):
            inner = member
            for t in chosen:
                inner = d.b.open(d.kids(inner)[0], t)
            value = self._value(inner, y)
            if value is None:
                continue
            made = d.inst(above, value)
            try:
                held = self._held(d.kids(d.claim(made))[0], chosen, facts)
            except (NotFound, NeedSplit):
                continue
            yield d.mp(made, held)

    def _choices(self, member: int, goal: int, facts: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Terms for what the values of a set are indexed by."""
        d = self.d
        pools: list[list[int]] = []
        formulas = [goal, *(d.claim(i) for i in facts)]
        inner = member
        while d.head(inner) in ("exR", "exS", "exO"):
            sort = d.head(inner)[2:]
            letters = [t for f in formulas for t in d.subterms(f)
                       if d.head(t) == "v" and d.b.sorts[t] == sort]
            if sort == "R":
                pool = [*letters, d.num(0), d.num(1)]
            elif sort == "S":
                nowhere = d.mk("false")
                pool = [d.mk("set", nowhere), d.mk("set", d.mk("not", nowhere)),
                        *self.a.hypotheses.events(formulas)]
            else:
                pool = self.a.hypotheses.outcomes(formulas)
            pools.append(list(dict.fromkeys(pool)))
            inner = d.b.open(d.kids(inner)[0], d.fresh(sort)[1])
        yield from islice(product(*pools), 4 * MOST_MEMBERS)

    def _value(self, inner: int, y: int) -> int | None:
        """The value v of the member ``... and y = v``."""
        d = self.d
        while d.head(inner) == "and":
            inner = d.kids(inner)[1]
        if d.head(inner) == "eq" and d.kids(inner)[0] == y and y not in d.subterms(
                d.kids(inner)[1]):
            return d.kids(inner)[1]
        return None

    def _held(self, member: int, chosen: Sequence[int], facts: Sequence[int]) -> int:
        """That a value is in the set, by the terms chosen."""
        inner = self._stages(member, chosen)[-1]
        return self.witnessed(member, chosen, self.a.prove(inner, facts))

    def witnessed(self, member: int, chosen: Sequence[int], held: int) -> int:
        """``some u some v ... A`` from A at the terms chosen."""
        d = self.d
        stages = self._stages(member, chosen)[:-1]
        for stage, t in zip(reversed(stages), reversed(chosen), strict=True):
            held = d.do("wit", stage, [held], [t])
        return held

    def _stages(self, member: int, chosen: Sequence[int]) -> list[int]:
        """The formula with one quantifier after another opened at the terms."""
        d = self.d
        stages = [member]
        for t in chosen:
            stages.append(d.b.open(d.kids(stages[-1])[0], t))
        return stages
