"""Tests at a level, as the sets that trade-off functions are suprema of.

The set ``V(f, g, a)`` of all u g(S) + (1 - u) g(T) with events S, T and u in [0, 1] such that
u f(S) + (1 - u) f(T) <= a has a supremum V, where f(S) is the integral of f >= 0 over S.  With
H(c) = oint max(0, g - c f), V <= c a + H(c) for every c >= 0: g(S) <= c f(S) + H(c) for every S.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from lapdp.kernel.domain import domain
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover


class Testing(NamedTuple):
    """The bodies f, g and the level a of a set V(f, g, a)."""

    f: int
    g: int
    level: int


class OptimalTests:
    """Suprema over tests, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self._made: dict[int, list[int]] = {}

    # terms ------------------------------------------------------------------------------------

    def mass(self, f: int, event: int) -> int:
        """The integral of a body over an event."""
        d = self.d
        inside = d.mk("in", d.b.bound(0, "O"), d.b.lift(event))
        return d.mk("oint", d.mk("if", inside, f, d.num(0)))

    def mixed(self, u: int, first: int, second: int) -> int:
        """u first + (1 - u) second."""
        d = self.d
        return d.add(d.mul(u, first), d.mul(d.sub(d.num(1), u), second))

    def surplus(self, test: Testing, c: int) -> int:
        """H(c) = oint max(0, g - c f)."""
        d = self.d
        return d.mk("oint", d.mk("max", d.num(0), d.sub(test.g, d.mul(d.b.lift(c), test.f))))

    def beyond(self, test: Testing, c: int) -> int:
        """The event c f < g."""
        d = self.d
        return d.mk("set", d.mk("lt", d.mul(d.b.lift(c), test.f), test.g))

    def bound(self, test: Testing, c: int) -> int:
        """c a + H(c)."""
        return self.d.add(self.d.mul(c, test.level), self.surplus(test, c))

    def conditions(self, test: Testing, u: int, s: int, t: int, y: int) -> int:
        """That u, S and T make a test of that level with the value y."""
        d = self.d
        first, second = (self.mixed(u, self.mass(p, s), self.mass(p, t)) for p in (test.f, test.g))
        return d.conj([d.mk("le", d.num(0), u), d.mk("le", u, d.num(1)),
                       d.mk("le", first, test.level), d.mk("eq", y, second)])

    def supremum(self, test: Testing) -> int:
        """V as a term."""
        d = self.d
        named = [(s, *d.fresh(s)) for s in ("R", "R", "S", "S")]
        y, u, first, second = (letter for _, _, letter in named)
        found = self.conditions(test, u, first, second, y)
        for sort, name, _ in reversed(named):
            body = d.b.abstract(found, name, sort)
            found = d.mk(f"ex{sort}", body) if name != named[0][1] else d.mk("supR", body)
        return found

    def read(self, sup: int) -> Testing | None:
        """What a supremum is taken over; None: something else."""
        d = self.d
        if d.head(sup) != "supR" or d.b.loose[sup]:
            return None
        letters = [d.b.letter(f"{s}@", s[0]) for s in ("R", "Ru", "S", "St")]
        inner = d.b.open(d.kids(sup)[0], letters[0])
        for sort, letter in zip("RSS", letters[1:], strict=True):
            if d.head(inner) != f"ex{sort}":
                return None
            inner = d.b.open(d.kids(inner)[0], letter)
        masses = [t for t in d.subterms(inner) if d.head(t) == "oint" and not d.b.loose[t]
                  and d.head(d.kids(t)[0]) == "if" and letters[2] in d.subterms(t)]
        levels = [d.kids(t)[1] for t in d.subterms(inner) if d.head(t) == "le"
                  and not d.b.loose[t] and d.head(d.kids(t)[0]) == "add"]
        if len(masses) > 2 or len(levels) != 1:
            return None
        bodies = [d.kids(d.kids(t)[0])[1] for t in masses]
        for f in bodies:
            for g in bodies:
                test = Testing(f, g, levels[0])
                if inner == self.conditions(test, letters[1], letters[2], letters[3], letters[0]):
                    return test
        return None

    # theorems ---------------------------------------------------------------------------------

    def above(self, sup: int, test: Testing, c: int, facts: Sequence[int]) -> int:
        """V <= c a + H(c), for c >= 0."""
        d, a = self.d, self.a
        bound = self.bound(test, c)
        if (known := self._kept(d.mk("le", sup, bound), facts)) is not None:
            return known
        law = d.inst(self._law(sup, facts), bound)
        positive = a.prove(d.mk("le", d.num(0), c), facts)
        yname, y = d.fresh("R", "y")
        member = d.b.open(d.kids(sup)[0], y)
        names, stages = [], [member]
        for sort in "RSS":
            names.append((*d.fresh(sort, "u"), sort))
            stages.append(d.b.open(d.kids(stages[-1])[0], names[-1][1]))
        low, high, level, value = d.parts(d.assume(stages[-1]))
        below = []
        for _, event, sort in names:
            if sort == "S":
                goal = d.mk("le", self.mass(test.g, event), d.add(
                    d.mul(c, self.mass(test.f, event)), self.surplus(test, c)))
                below.append(self._briefly(goal, [positive], facts))
        one = d.num(1)
        found = d.do("arith", d.mk("le", y, bound), [low, high, level, value, positive, *below],
                     [[one, [0, 5]], [one, [1, 6]], [one, [2, 4]], [one, [3]]])
        for (name, _, sort), stage in zip(reversed(names), reversed(stages[:-1]), strict=True):
            found = d.do("choose", d.claim(found), [d.assume(stage), found], [name, sort])
        every = d.gen(yname, "R", d.disch(member, found))
        return self._keep(d.taut(d.mk("le", sup, bound), law, every))

    def _briefly(self, goal: int, first: Sequence[int], facts: Sequence[int]) -> int:
        """The goal by its integrands from a few facts; from all facts where that is not enough."""
        for way, known in ((self.a.compared, first), (self.a.prove, first)):
            try:
                return way(goal, known)
            except (NotFound, NeedSplit):
                continue
        return self.a.prove(goal, [*first, *facts])

    def _kept(self, claim: int, facts: Sequence[int]) -> int | None:
        """A theorem made before, from no more than what the facts assume."""
        d = self.d
        given = frozenset[int]().union(*(d.theorem(i).hyps for i in facts))
        return next((i for i in self._made.get(claim, []) if d.theorem(i).hyps <= given), None)

    def _keep(self, i: int) -> int:
        self._made.setdefault(self.d.claim(i), []).append(i)
        return i

    def _law(self, sup: int, facts: Sequence[int]) -> int:
        """For all b: V <= b <-> every value of a test is <= b; made once."""
        d, a = self.d, self.a
        b, (body,) = d.b.bound(0, "R"), d.kids(sup)
        each = d.mk("allR", d.mk("imp", d.b.deepen(body), d.mk("le", b, d.b.bound(1, "R"))))
        claim = d.mk("allR", d.mk("iff", d.mk("le", d.b.lift(sup), b), each))
        if (known := self._kept(claim, facts)) is not None:
            return known
        needed = domain(d.b, sup)
        assert needed is not None
        meaning, rest = d.kids(needed)
        bounded, inhabited = d.kids(rest)
        test = self.read(sup)
        assert test is not None
        found = d.both(a.prove(meaning, facts), a.prove(bounded, facts),
                       self._inhabited(inhabited, test, facts))
        return self._keep(d.do("supremum", claim, [found]))

    def _inhabited(self, goal: int, test: Testing, facts: Sequence[int]) -> int:
        """A test that never speaks."""
        d, a = self.d, self.a
        one, never = d.num(1), d.mk("set", d.mk("false"))
        value = self.mixed(one, *(self.mass(test.g, never),) * 2)
        nothing = a.prove(d.mk("eq", self.mass(test.f, never), d.num(0)), facts)
        level = a.prove(d.mk("le", d.num(0), test.level), facts)
        parts, whole = [], self.conditions(test, one, never, never, value)
        while d.head(whole) == "and":
            first, whole = d.kids(whole)
            parts.append(a.by_arithmetic(first, [nothing, level]))
        held = d.both(*parts, d.refl(value))
        return a.suprema.witnessed(goal, (value, one, never, never), held)

    def member(self, sup: int, test: Testing, u: int, s: int, t: int, facts: Sequence[int]) -> int:
        """u g(S) + (1 - u) g(T) <= V, where the other conditions are among the facts."""
        d, a = self.d, self.a
        value = self.mixed(u, self.mass(test.g, s), self.mass(test.g, t))
        made = d.inst(a.suprema.reflexive(self._law(sup, facts), sup), value)
        parts, whole = [], self.conditions(test, u, s, t, value)
        while d.head(whole) == "and":
            first, whole = d.kids(whole)
            parts.append(a.prove(first, facts))
        held = d.both(*parts, d.refl(value))
        return d.mp(made, a.suprema.witnessed(d.kids(d.claim(made))[0], (u, s, t), held))

    def reached(self, sup: int, test: Testing, c: int, facts: Sequence[int]) -> int:
        """c f(S) + H(c) <= V at the level f(S), where S = {c f < g}."""
        d, a = self.d, self.a
        one, event = d.num(1), self.beyond(test, c)
        f, g = (self.mass(p, event) for p in (test.f, test.g))
        right = d.do("arith", d.mk("le", self.mixed(one, f, f), test.level))
        alone = self.member(sup, test, one, event, event, [*facts, right])
        there = a.prove(d.mk("eq", self.surplus(test, c), d.sub(g, d.mul(c, f))), facts)
        return d.do("arith", d.mk("le", self.bound(test, c), sup), [alone, there],
                    [[one, [0]], [one, [1]]])
