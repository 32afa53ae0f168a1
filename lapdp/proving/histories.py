"""Bounds of the profile of any number of releases chosen by what came before.

By the last release V satisfies an inequality; what solves it with equality, and is not below V at
0 releases, is not below V for any number of them: by induction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lapdp.proving.basic_composition import BasicComposition
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound
from lapdp.proving.dominating import Dominating
from lapdp.proving.last_release import Form, LastRelease, Step

if TYPE_CHECKING:
    from lapdp.proving.space import Prover


@dataclass(frozen=True)
class Solution:
    """Of w(m + 1, b) = d + c (E w(m, b / E) + w(m, b E)): w(m, factor(m, u)) = form(m, u).

    ``moved(u, e)``: where the factor at m is the one of u at m + 1, over E and times E; ``end``:
    where it is 1."""

    factor: Callable[[int, int], int]
    form: Callable[[int, int], int]
    moved: Callable[[int, int], tuple[int, int]]
    end: int


class Histories:
    """Derivations of such bounds, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d, self.r = prover, prover.d, prover.releases
        self.last = LastRelease(prover)
        self.dominating = Dominating(prover)
        self.basic = BasicComposition(prover)

    def of(self, goal: int) -> bool:
        """Does the goal speak of releases chosen by histories?"""
        return any(self.d.head(t) == "app6" for t in self.d.subterms(goal))

    def relation(self, goal: int, facts: Sequence[int]) -> int | None:
        """V(k, 1, 1, 1, h) <= t, or = 0, from guarantees of each release.  None: it is no such
        claim."""
        d = self.d
        if d.head(goal) == "eq":
            return None if self.a.unknowns else self.basic.relation(goal, [
                i for i in facts if not self.of(d.claim(i))])
        if d.head(goal) != "le" or self.a.unknowns:
            return None
        value, bound = d.kids(goal)
        if (found := self.dominating.relation(goal, facts)) is not None:
            return found
        if d.head(value) != "app6" or self.of(bound) or d.kids(value)[0] not in (
                self.a.recursions.rules):
            return None
        v, k = d.kids(value)[:2]
        plain = [i for i in facts if not self.of(d.claim(i))]
        if (found := self.basic.relation(goal, plain)) is not None:
            return found
        step = self.last.step(v, plain)
        return None if step is None else self._solved(goal, v, k, step, plain)

    def _solved(self, goal: int, v: int, k: int, found: Step,
                facts: Sequence[int]) -> int:
        """V(k, 1, 1, 1, h) <= t, from a solution of the recursion with equality that ends in t."""
        d = self.d
        one = d.num(1)
        value, bound = d.kids(goal)
        h = d.kids(value)[6]
        if d.kids(value)[2:5] != (one, one, one):
            raise NotFound("not all releases")
        problem = NotFound("no bound of that form")
        for solution in self._solutions(bound, k, found.size):
            try:
                whole = self._above(v, found, solution, h, facts)
                at = d.inst(d.mp(d.inst(whole, k), self.a.recursions.nat(k, facts)), solution.end)
                left, right = d.kids(d.claim(at))
                for s, t in ((self.last.sides(v, (*d.kids(left)[2:5], h))[1], one),
                             (right, bound)):
                    if s != t:
                        at = d.replace(at, self.a.prove(d.mk("eq", s, t), facts))
                return at
            except (NotFound, NeedSplit) as failed:
                problem = failed if isinstance(failed, NotFound) else problem
        raise problem

    def _solutions(self, bound: int, k: int, size: Form) -> Iterator[Solution]:
        """Forms for which the bound is the value at k: d(m, t + u), or one in which means over
        binomial laws count the successes so far."""
        d = self.d
        zero = d.num(0)
        if d.head(bound) == "app3" and d.kids(bound)[1] == k:
            letter, _, t, _ = d.kids(bound)
            yield Solution(lambda _, u: d.mk("exp", u),
                           lambda m, u: d.mk("app3", letter, m, d.add(t, u), zero),
                           lambda u, e: (d.add(u, d.neg(e)), d.add(u, e)), zero)
        e = size(d.num(1))
        means = {t for t in d.subterms(bound) if d.head(t) == "app3" and d.kids(t)[1] == k}

        def form(m: int, x: int) -> int:
            def leaf(t: int, _: int) -> int | None:
                if t not in means:
                    return None
                letter, _, point, rest = d.kids(t)
                counts = self.a.recursions.invariants.points(letter) == 1
                return d.mk("app3", letter, m, x if counts else point, rest)
            return d.b.walk(bound, leaf)

        yield Solution(
            lambda m, x: d.mk("exp", d.neg(d.mul(e, d.add(d.mul(d.num(2), x), d.neg(k), m)))),
            form, lambda x, _: (d.add(x, d.num(1)), x), zero)

    def _above(self, v: int, found: Step, solution: Solution, h: int,
               facts: Sequence[int]) -> int:
        """For all whole m and all u: V(m, 1, 1, b(m, u), h) <= F(m, u)."""
        d = self.d
        one, zero = d.num(1), d.num(0)
        lemma, size, lost = found.theorem, found.size, found.lost
        name_u, u = d.fresh("R", "u")

        def place(m: int, u: int) -> tuple[int, int, int, int]:
            return self.last.at(v, one, one, solution.factor(m, u), h)

        def claim(m: int, u: int) -> int:
            return d.mk("le", self.r.value(v, m, place(m, u)), solution.form(m, u))

        def whole(m: int) -> int:
            return d.mk("allR", d.b.abstract(claim(m, u), name_u, "R"))

        begun = self.r.started(v, place(zero, u))
        less = self.a.prove(d.mk("le", d.kids(d.claim(begun))[1], solution.form(zero, u)), facts)
        start = d.gen(name_u, "R", d.replace(less, d.turn(begun)))

        def step(isnat: int, known: int) -> int:
            (m,) = d.kids(d.claim(isnat))
            after = d.add(m, one)
            at = place(after, u)
            factor = solution.factor(after, u)
            above = d.law("exp positive", d.mk("lt", zero, factor), *d.kids(factor))
            signs = [d.do("arith", d.mk("le", zero, one), [], [[one, []]]),
                     d.do("arith", d.mk("le", zero, factor), [above], [[one, [0]]])]
            first = d.do("natural", d.mk("nat", one))
            turn = -1 if self.last.turned(v) else 1
            less = d.mp(self.d.at(d.mp(d.inst(lemma, m), isnat), at), d.both(
                first, d.do("arith", d.mk("le", one, one)), *signs[::turn]))
            number = self.a.recursions.canonical(d.add(one, m))
            if number != d.add(one, m):
                less = d.replace(less, d.do("arith", d.mk("eq", d.add(one, m), number)))
            terms = size(number), lost(number)
            values = []
            factors = self.last.factors
            for moved, to in zip(factors.moved(factor, terms[0]), solution.moved(u, terms[0]),
                                 strict=True):
                there = solution.factor(m, to)
                less = d.replace(less, self.a.prove(d.mk("eq", moved, there), facts))
                values.append(d.inst(known, to))
            bound = factors.bound(terms, one, *(d.kids(d.claim(i))[1] for i in values))
            counted = [*facts, isnat]
            ranges = [i for i in self.last.here(facts, number, h, self._counted(isnat, number))]
            share = self.a.prove(d.mk("le", zero, d.mul(d.sub(one, terms[1]), d.mk(
                "inv", d.add(one, d.mk("exp", terms[0]))))), ranges)
            large = d.law("exp positive", d.mk("lt", zero, d.mk("exp", terms[0])), terms[0])
            mixed = d.do("arith", d.mk("le", d.kids(d.claim(less))[0], bound), [
                less, share, large, *values], [[one, [0]], [one, [1, 2, 3]], [one, [1, 4]]])
            same = self.a.prove(d.mk("eq", bound, solution.form(after, u)), [*counted, *ranges])
            return d.gen(name_u, "R", d.replace(mixed, same))

        return d.induction(whole, start, step)

    def _counted(self, isnat: int, number: int) -> list[int]:
        """nat (m + 1) and 1 <= m + 1, from nat m."""
        d = self.d
        (m,), one = d.kids(d.claim(isnat)), d.num(1)
        least = d.mp(d.do("natural", d.mk("imp", d.claim(isnat), d.mk("le", d.num(0), m))), isnat)
        return [self.a.recursions.nat(number, [isnat]),
                d.do("arith", d.mk("le", one, number), [least], [[one, [0]]])]
