"""Claims about limits of integrals of transforms: the named facts of Gil-Pelaez and Bromwich.

A claim says that there are limits of integrals over u of a transform oint f, times exp(-i u v)/u or
exp(s v)/(s (s - 1)) with s = r + i u, and something about them.  f is w exp(i u X), or w exp(-s X),
almost everywhere, w = p and X = log p - log q or its negative where both densities are positive; so
the integrals are those of the fact for w, X and v, which names the limits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lapdp.kernel import Refused
from lapdp.kernel.facts import of_measures
from lapdp.kernel.polynomials import Polynomial, plus, times
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound
from lapdp.proving.waves import Source, Waves

if TYPE_CHECKING:
    from lapdp.proving.space import Prover


@dataclass(frozen=True)
class Limit:
    """An integral of a fact, the body ``moving`` of t, with its limit: ``iny`` says that it
    converges for all t."""

    source: Source
    moving: int
    value: int
    tends: int
    iny: int


class Inversion:
    """Claims that there are such limits, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self.waves = Waves(prover)
        self.busy = False
        self.limits: list[Limit] = []

    def found(self, goal: int, facts: Sequence[int]) -> int | None:
        """The goal, that there are limits; None where it speaks of none of a transform."""
        if self.busy or not (sources := self._sources(goal)):
            return None
        self.busy = True
        try:
            return self._with(sources, goal, list(facts), [])
        finally:
            self.busy = False

    # which facts --------------------------------------------------------------------------------

    def _sources(self, goal: int) -> list[Source]:
        """For each limit of an integral of a transform one fact."""
        d, found = self.d, dict[Source, None]()
        for t in d.subterms(goal):
            if d.head(t) != "tends":
                continue
            for whole in d.subterms(d.kids(t)[0]):
                if d.head(whole) == "lint" and d.b.loose[whole] == ("R",) and any(
                        d.head(o) == "oint" for o in d.subterms(whole)):
                    _, end = d.fresh("R", "t")
                    _, u = d.fresh("R", "u")
                    (body,) = d.kids(d.b.open(whole, end))
                    if (source := self.waves.source(d.b.open(body, u), u)) is not None:
                        found[source] = None
        return list(found)

    # citing -------------------------------------------------------------------------------------

    def _with(self, sources: Sequence[Source], goal: int, facts: list[int], limits: list[Limit]
              ) -> int:
        """The goal from the facts of the sources, one after another."""
        d, a = self.d, self.a
        if not sources:
            self.limits = limits
            self.waves.start(facts)
            return self._shown(goal, facts)
        source, *rest = sources
        name, x = d.fresh("O", "x")
        at = d.mk("le", d.num(0), d.b.open(source.weight, x))
        given = [d.gen(name, "O", a.prove(at, a._positive(at))),
                 a.prove(d.mk("oiny", source.weight), facts)]
        whole = d.do("fact", of_measures(d.b, source.name, source.terms), [],
                     [source.name, *source.terms])
        given += [self._supposed(f, source, facts)
                  for f in d.members(d.kids(d.claim(whole))[0])[len(given):]]
        everywhere, last = (d.taut(k, made) for made in [d.mp(whole, *given)]
                            for k in d.kids(d.claim(made)))
        if source.rate is not None:
            moving, value = d.kids(d.claim(last))
            one = Limit(source, moving, value, last, everywhere)
            return self._with(rest, goal, facts, [*limits, one])
        names, steps = [], [last]
        for _ in range(2):
            label, letter = d.fresh("C", "y")
            names.append(label)
            steps.append(d.assume(d.b.open(d.kids(d.claim(steps[-1]))[0], letter)))
        *two, equation = d.parts(steps[-1])
        made = []
        for n, i in enumerate(two):
            moving, value = d.kids(d.claim(i))
            made.append(Limit(source, moving, value, i, self._one_of(everywhere, n)))
        found = self._with(rest, goal, [*facts, equation], [*limits, *made])
        for label, exists in zip(reversed(names), reversed(steps[:-1]), strict=True):
            found = d.do("choose", goal, [exists, found], [label, "C"])
        return found

    def _one_of(self, everywhere: int, n: int) -> int:
        """For all t A_n, from: for all t A_0 and A_1."""
        d = self.d
        name, t = d.fresh("R", "t")
        return d.gen(name, "R", d.parts(d.inst(everywhere, t))[n])

    def _supposed(self, formula: int, source: Source, facts: Sequence[int]) -> int:
        """What the fact about a line supposes besides."""
        d, a = self.d, self.a
        if d.head(formula) != "oiny":
            return a.prove(formula, facts)
        # w exp(r (v - X)) = exp(r v) w exp(-r X)
        assert source.rate is not None
        bare = d.mul(source.weight, d.mk("exp", d.mul(d.neg(source.rate), source.seen)))
        factor = d.mk("exp", d.mul(source.rate, source.place))
        scaled = d.mk("mul", factor, bare)
        iny = a.prove(d.mk("oiny", bare), facts)
        made = d.parts(d.do("integral", d.conj([d.mk("oiny", scaled), d.mk(
            "eq", d.mk("oint", scaled), d.mul(factor, d.mk("oint", bare)))]), [iny],
            ["scale", factor]))[0]
        same = a.uniqueness.everywhere("oiny", scaled, d.kids(formula)[0], [])
        return d.onward(same, made)

    # the goal, member by member -----------------------------------------------------------------

    def _shown(self, goal: int, facts: list[int]) -> int:
        d, a = self.d, self.a
        head, kids = d.head(goal), d.kids(goal)
        if not any(d.head(t) in ("tends", "liny", "oiny") for t in d.subterms(goal)):
            return self._rest(goal, facts)
        if head == "oiny":
            found = self.waves.converges(goal, facts)
            return self._rest(goal, facts) if found is None else found
        if head == "and":
            return d.taut(goal, *(self._shown(k, facts) for k in kids))
        if head == "imp":
            given = d.assume(kids[0])
            return d.disch(kids[0], self._shown(kids[1], a.released([*facts, given])))
        if head == "or":
            return d.taut(goal, self._shown(kids[0], facts))
        if head == "exR":
            return d.do("wit", goal, [self._shown(d.b.open(kids[0], d.num(0)), facts)], [d.num(0)])
        if head == "exC":
            value = self._value(goal)
            return d.do("wit", goal, [self._shown(d.b.open(kids[0], value), facts)], [value])
        if head.startswith("all"):
            name, letter = d.fresh(head[3:])
            return d.gen(name, head[3:], self._shown(d.b.open(kids[0], letter), facts))
        if head == "liny":
            return self._converges(goal, facts)
        if head == "tends":
            return self._tends(goal, facts)
        raise NotFound(f"a limit inside of {head}")

    def _value(self, some: int) -> int:
        """The limit that the variable of "there is" stands for."""
        d = self.d
        name, letter = d.fresh("C", "z")
        for t in d.subterms(d.b.open(d.kids(some)[0], letter)):
            if d.head(t) == "tends" and d.kids(t)[1] == letter:
                for whole in d.subterms(d.kids(t)[0]):
                    if d.head(whole) == "lint" and d.b.loose[whole] == ("R",):
                        _, end = d.fresh("R", "t")
                        return self._alike(d.b.open(whole, end), end)[0].value
        raise NotFound(f"nothing tends to {name}")

    def _alike(self, whole: int, end: int) -> tuple[Limit, int]:
        """The limit whose integral, at the letter, is that one, and: for all u the integrands are
        equal."""
        d = self.d
        for one in self.limits:
            wanted = d.b.open(one.moving, end)
            name, u = self.waves.letter
            two = [d.b.open(d.kids(t)[0], u) for t in (whole, wanted)]
            if any(d.head(t) != "if" for t in two) or len({d.kids(t)[0] for t in two}) > 1:
                continue
            condition, value, zero = d.kids(two[0])
            other = d.kids(two[1])[1]
            given = d.assume(condition)
            try:
                inside = self.waves.same(value, other, u, one.source, given)
            except (NotFound, NeedSplit):
                continue
            sides = []
            for c, results in ((condition, (value, other)), (d.mk("not", condition), (zero, zero))):
                laws = [d.mp(d.do("cases", d.mk("imp", c, d.mk("eq", t, v))), d.assume(c))
                        for t, v in zip(two, results, strict=True)]
                middle = [inside] if c == condition else []
                sides.append(d.chain(laws[0], *middle, d.turn(laws[1])))
            return one, d.gen(name, "R", d.split(condition, *sides))
        raise NotFound("another integral of a transform")

    def _converges(self, goal: int, facts: Sequence[int]) -> int:
        """liny of an integrand of the claim."""
        d = self.d
        (body,) = d.kids(goal)
        ends = [t for t in d.subterms(d.kids(d.b.open(body, d.fresh("R", "u")[1]))[0])
                if d.head(t) == "v" and d.b.sorts[t] == "R"]
        for end in ends:
            try:
                one, same = self._alike(d.mk("lint", body), end)
            except NotFound:
                continue
            return d.taut(goal, d.under("liny", same), d.inst(one.iny, end))
        raise NotFound("another integral of a transform")

    def _tends(self, goal: int, facts: Sequence[int]) -> int:
        """From some place on the integral is that of the fact."""
        d = self.d
        body, value = d.kids(goal)
        name, t = d.fresh("R", "t")
        at = d.b.open(body, t)
        whole = d.kids(at)[1] if d.head(at) == "if" else at
        one, same = self._alike(whole, t)
        if one.value != value:
            raise NotFound("another limit")
        place = d.num(1)
        later = d.assume(d.mk("le", place, t))
        equal = d.under("lint", same)
        if whole != at:
            condition = d.kids(at)[0]
            law = d.do("cases", d.mk("imp", condition, d.mk("eq", at, whole)))
            equal = d.chain(d.mp(law, self.a.prove(condition, [later])), equal)
        everywhere = d.gen(name, "R", d.disch(d.claim(later), d.turn(equal)))
        return d.do("limit", goal, [one.tends, everywhere], ["equal"])

    # the rest -----------------------------------------------------------------------------------

    def _rest(self, goal: int, facts: Sequence[int]) -> int:
        """A member without limits; from an equation of complex numbers those are eliminated, and
        pi times 1/pi is 1."""
        d, a = self.d, self.a
        if d.head(goal) != "eq" or d.b.sorts[d.kids(goal)[0]] != "C":
            return a.prove(goal, facts)
        f = self._difference(goal)
        steps: list[tuple[int, Polynomial]] = []
        values = {one.value for one in self.limits}
        for i in facts:
            left = d.kids(d.claim(i))[0] if d.head(d.claim(i)) == "eq" else goal
            if d.head(left) == "add" and d.kids(left)[0] in values:
                f = self._without(f, d.kids(left)[0], i, steps)
        pi = d.mk("pi")
        if (law := a.inverse_law(a.reader.read(pi), [])) is not None:
            f = self._without(f, d.mul(pi, d.mk("inv", pi)), law, steps)
        try:
            real = d.mk("eq", a.terms.term(f, "R"), d.num(0))
        except Refused:
            return a.prove(goal, facts)
        weights = [[a.terms.term(w, "C"), [n]] for n, (_, w) in enumerate(steps)]
        return d.do("arith", goal, [*(i for i, _ in steps), a.prove(real, facts)],
                    [*weights, [d.like(1, "C"), [len(steps)]]])

    def _difference(self, equation: int) -> Polynomial:
        s, t = self.d.kids(equation)
        return plus(self.a.reader.read(s), self.a.reader.read(t), -1)

    def _without(self, f: Polynomial, t: int, equation: int, steps: list[tuple[int, Polynomial]]
                 ) -> Polynomial:
        """f less a multiple of the gap of an equation in which the monomial t occurs once, so that
        it no longer occurs; the equation and the factor are added to the steps."""
        d, a = self.d, self.a
        (lead,) = a.reader.read(t)
        law = self._difference(d.claim(equation))
        factor: Polynomial = {}
        for m, c in f.items():
            rest = () if m == lead else a._quotient(m, lead)
            if rest is not None:
                factor[rest] = c
        if not factor:
            return f
        steps.append((equation, factor))
        return plus(f, times(factor, law), -1)
