"""Claims about generalised derivatives: that there are limits, and what they say.

Each limit of an integral of a quotient times a test is one of :mod:`lapdp.proving.generalised`, for
profiles, or of :mod:`lapdp.proving.exponential_quotients`; the claim is shown for them member by
member.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.columns import RELATIONS
from lapdp.proving.continuous_factors import TestFunctions
from lapdp.proving.derivation import NotFound
from lapdp.proving.exponential_quotients import ExponentialQuotients, Quotient, quotient_of
from lapdp.proving.generalised import Found, Generalised
from lapdp.proving.hinges import Hinges, Jumps
from lapdp.proving.products_through_losses import ThroughLosses

if TYPE_CHECKING:
    from lapdp.proving.space import Prover


@dataclass(frozen=True)
class Source:
    """An integral against a quotient times a number; the body of u that it is in the claim."""

    of: Quotient
    factor: int
    whole: int


class Derivatives:
    """Claims that there are such limits, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self.busy = False
        self.limits: list[Found] = []

    def found(self, goal: int, facts: Sequence[int]) -> int | None:
        """The goal, that there are limits; None where it speaks of none of a quotient."""
        if self.busy or not any(self.d.head(t) == "tends" for t in self.d.subterms(goal)) or not (
                sources := list(dict.fromkeys(self._sources(goal)))):
            return None
        self.busy, self.limits = True, []
        try:
            return self._with(sources, goal, list(facts))
        finally:
            self.busy = False

    @cached_property
    def kinds(self) -> tuple[Hinges, Jumps]:
        """What is known of the quotients at one outcome."""
        return Hinges(self.a), Jumps(self.a)

    @cached_property
    def exponential(self) -> ExponentialQuotients:
        """Limits by exponentials, of the test or of the function."""
        return ExponentialQuotients(self.a)

    @property
    def hinges(self) -> Hinges:
        """Those of profiles."""
        return self.kinds[0]

    @cached_property
    def tests(self) -> TestFunctions:
        """What is known of tests."""
        return TestFunctions(self.a)

    @cached_property
    def through(self) -> ThroughLosses:
        """Profiles of products."""
        return ThroughLosses(self.a, self.hinges)

    def composed(self, goal: int, facts: Sequence[int]) -> int | None:
        """A relation by the profile of a product through the loss of its second factor; None where
        there is no such profile, or it does not help."""
        d = self.d
        if not any(d.head(t) == "log" for t in d.subterms(goal)):
            return None
        laws = [i for t in d.subterms(goal) for i in self.through.laws(t)]
        return self.a.by_arithmetic(goal, laws) if laws else None

    # which integrals ----------------------------------------------------------------------------

    def _sources(self, goal: int) -> Iterator[Source]:
        d = self.d
        for t in d.subterms(goal):
            if d.head(t) != "tends":
                continue
            for whole in d.subterms(d.kids(t)[0]):
                if d.head(whole) == "lint" and d.b.loose[whole] == ("R",):
                    source = self._source(whole)
                    if source is not None:
                        yield source

    def _source(self, whole: int) -> Source | None:
        d = self.d
        uname, u = d.fresh("R", "u")
        yname, y = d.fresh("R", "y")
        opened = d.b.open(whole, u)
        node = d.b.open(d.kids(opened)[0], y)
        factors: list[int] = []
        while (seen := quotient_of(self.hinges, node, y, u)) is None:
            if d.head(node) != "mul":
                return None
            node, last = d.kids(node)
            factors.insert(0, last)
        numbers = [t for t in factors if d.head(t) == "n"]
        tests = [t for t in factors if d.head(t) != "n"]
        if not tests or any((uname, "R") in d.b.letters[t] for t in tests):
            return None
        return Source(Quotient(*seen, d.mul(*tests), (yname, y), (uname, u)),
                      d.mul(*numbers) if numbers else d.num(1), d.b.abstract(opened, uname, "R"))

    def _kind(self, of: Quotient) -> tuple[Hinges, tuple[int, int], int] | None:
        """The pair whose profile, or whose distribution function of losses, the function is, and
        the body of the test."""
        d = self.d
        _, t = d.fresh("R", "t")
        at = of.h(t)
        densities = [d.kids(x)[0] for x in d.subterms(at) if d.head(x) == "dens"]
        for kind in self.kinds if len(densities) == 2 else ():
            if of.order in kind.totals and kind.whole(densities[0], densities[1], t) == at:
                return kind, (densities[0], densities[1]), d.b.abstract(of.test, of.y[0], "R")
        return None

    # their limits -------------------------------------------------------------------------------

    def _with(self, sources: Sequence[Source], goal: int, facts: list[int]) -> int:
        """The goal by the limits of the sources, those of one pair and test at a time."""
        d = self.d
        if not sources:
            return self._shown(goal, facts)
        exact = self.exponential.found(sources[0].of, facts)
        if exact is not None:
            self.limits.append(self._scaled(sources[0], exact, exact.tends))
            return self._with(sources[1:], goal, facts)
        key = self._kind(sources[0].of)
        if key is None:
            raise NotFound("a quotient of another function")
        (kind, pair, _), of = key, sources[0].of
        group = [s for s in sources if self._kind(s.of) == key]
        test = self.tests.tested(of.test, of.y, facts)
        limits = Generalised(self.a, kind, pair, test)
        made = {order: limits.found(order) for order in sorted({s.of.order for s in group})}
        rest, _ = limits.parts()
        # R occurs in all of them: any number, or 0
        none = [limits.nothing()] if kind.derivative == "0" else []
        known = d.both(*(i.tends for i in made.values()), *none)
        label, letter = d.fresh("R", "r")
        exists = d.do("wit", d.mk("exR", d.hole(d.claim(known), rest)), [known], [rest])
        step = d.assume(d.b.open(d.kids(d.claim(exists))[0], letter))
        members = d.parts(step)
        for one, i in zip(made, members, strict=False):
            for s in group:
                if s.of.order == one:
                    self.limits.append(self._scaled(s, made[one], i))
        found = self._with([s for s in sources if s not in group], goal, [
            *facts, limits.finite(), *members[len(made):]])
        return d.do("choose", goal, [exists, found], [label, "R"])

    def _scaled(self, source: Source, found: Found, tends: int) -> Found:
        """The same for the integral with the number, as it stands in the claim."""
        d, a, h = self.d, self.a, self.hinges
        uname, u = d.fresh("R", "u")
        yname, y = d.fresh("R", "y")
        inner, outer = (d.kids(d.b.open(f, u))[0] for f in (found.whole, source.whole))
        later = d.assume(h.say("0 <= u", u=u))
        iny, value = h.scaled(source.factor, d.mp(d.inst(found.converges, u), later))
        at = d.mul(source.factor, d.b.open(inner, y))
        same = d.gen(yname, "R", a.identity(d.mk("eq", d.b.open(outer, y), at), []))
        converges = d.taut(d.mk("liny", outer), d.under("liny", same), iny)
        equal = d.chain(d.under("lint", same), value)
        moving = d.combined("mul", d.still(source.factor), tends)
        everywhere = d.gen(uname, "R", d.disch(d.claim(later), d.turn(equal)))
        made = d.do("limit", d.mk("tends", source.whole, d.kids(d.claim(moving))[1]), [
            moving, everywhere], ["equal"])
        return Found(source.whole, d.gen(uname, "R", d.disch(d.claim(later), converges)), made)

    # the goal, member by member -----------------------------------------------------------------

    def _shown(self, goal: int, facts: list[int]) -> int:
        d = self.d
        head, kids = d.head(goal), d.kids(goal)
        if not d.symbols(goal) & {"tends", "liny", "oiny"}:
            return self._rest(goal, facts)
        if head == "and":
            return d.taut(goal, *(self._shown(k, facts) for k in kids))
        if head == "imp":
            if kids[0] == kids[1]:
                return d.taut(goal)
            given = d.assume(kids[0])
            return d.disch(kids[0], self._shown(kids[1], [*facts, *d.parts(given)]))
        if head == "or":
            return d.taut(goal, self._shown(kids[0], facts))
        if head == "exR":
            value = self._value(goal, facts)
            return d.do("wit", goal, [self._shown(d.b.open(kids[0], value), facts)], [value])
        if head.startswith("all"):
            name, letter = d.fresh(head[3:])
            return d.gen(name, head[3:], self._shown(d.b.open(kids[0], letter), facts))
        if head == "liny":
            return self._converges(goal, facts)
        if head == "oiny":
            return self._integrable(goal, facts)
        if head == "tends":
            return self._tends(goal, facts)
        raise NotFound(f"a limit inside of {head}")

    def _value(self, some: int, facts: Sequence[int]) -> int:
        """The limit that the variable of "there is" stands for; 0 for a place."""
        d = self.d
        _, letter = d.fresh("R", "z")
        for t in d.subterms(d.b.open(d.kids(some)[0], letter)):
            if d.head(t) == "tends" and d.kids(t)[1] == letter:
                _, end = d.fresh("R", "t")
                at = d.b.open(d.kids(t)[0], end)
                for whole in d.subterms(at):
                    for one in self.limits:
                        if d.b.open(one.whole, end) == whole:
                            return d.kids(d.claim(one.tends))[1]
                for value in self.a.limits.candidates(d.kids(some)[0], facts):
                    return value
                raise NotFound("another limit")
        return d.num(0)

    def _converges(self, goal: int, facts: Sequence[int]) -> int:
        """liny of an integrand of the claim, or of another."""
        d = self.d
        (body,) = d.kids(goal)
        for name, sort in d.b.letters[body]:
            end = d.b.letter(name, sort)
            for one in self.limits:
                if sort == "R" and d.kids(d.b.open(one.whole, end))[0] == body:
                    return d.mp(d.inst(one.converges, end), self.a.prove(self.hinges.say(
                        "0 <= u", u=end), facts))
        return self.a.prove(goal, facts)

    def _integrable(self, goal: int, facts: Sequence[int]) -> int:
        """oiny of what a profile is made of, which takes no fact; or of another."""
        try:
            return self.a.prove(goal)
        except (NotFound, NeedSplit):
            return self.a.prove(goal, facts)

    def _tends(self, goal: int, facts: Sequence[int]) -> int:
        """From 1 on the integral is that of the claim; or another limit."""
        d = self.d
        body, value = d.kids(goal)
        for one in self.limits:
            if d.kids(d.claim(one.tends))[1] != value:
                continue
            if d.claim(one.tends) == goal:
                return one.tends
            name, t = d.fresh("R", "t")
            at = d.b.open(body, t)
            if d.head(at) != "if" or d.kids(at)[1] != d.b.open(one.whole, t):
                continue
            later = d.assume(d.mk("le", d.num(1), t))
            condition, whole, _ = d.kids(at)
            law = d.do("cases", d.mk("imp", condition, d.mk("eq", at, whole)))
            equal = d.mp(law, self.a.prove(condition, [later]))
            everywhere = d.gen(name, "R", d.disch(d.claim(later), d.turn(equal)))
            return d.do("limit", goal, [one.tends, everywhere], ["equal"])
        return self.a.limits.tends(goal, facts)

    def _rest(self, goal: int, facts: list[int]) -> int:
        """A member without limits; of a relation the polynomials, and the profiles of products
        through the losses of the pairs that are derived."""
        d, a = self.d, self.a
        if d.head(goal) not in RELATIONS or not a._speaks(goal):
            return a.prove(goal, facts)
        laws = [i for t in d.subterms(goal) for i in self.through.laws(t)]
        try:
            return a.by_arithmetic(goal, [*(i for i in facts if d.head(d.claim(i)) in RELATIONS),
                                          *laws])
        except (NotFound, NeedSplit):
            pass
        return self._simpler(goal, facts, laws)

    def _simpler(self, goal: int, facts: Sequence[int], laws: Sequence[int]) -> int:
        """A relation by the polynomials that its sides are."""
        d, a = self.d, self.a
        sides = [a.terms.term(a.reader.read(t), "R") for t in d.kids(goal)]
        return d.do("arith", goal, [a.prove(d.mk(d.head(goal), *sides), [*facts, *laws])], [
            [d.num(1), [0]]])
