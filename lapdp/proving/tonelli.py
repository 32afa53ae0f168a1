"""What follows from the convergence of a transform: the other order of integration converges too.

From ``liny g`` with g(t) = oint_x f(x, t) and f >= 0: x -> lint_t f(x, t) is integrable, with the
integral lint g.  Where a mass would make lint g infinite it is 0: outside such null sets the inner
integral is evaluated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.normal_forms import Normal
    from lapdp.proving.space import Prover


@dataclass(frozen=True)
class Inner:
    """g(t) = oint_x f(x, t) with f >= 0, at the letter of that name."""

    name: str
    normal: Normal
    above: int
    xname: str


class Tonelli:
    """Facts that a fact ``liny g`` gives, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self.busy = False
        self.made: dict[int, list[list[int]]] = {}
        self.equations: set[int] = set()

    def enriched(self, facts: Sequence[int]) -> list[int]:
        """The facts, and what follows from those that a transform converges."""
        d, found = self.d, list(facts)
        if self.busy:
            return found
        given = frozenset().union(*(d.theorem(i).hyps for i in facts))
        for i in facts:
            claim = d.claim(i)
            if d.head(claim) != "liny" or not self.a._speaks(claim):
                continue
            known = next((m for m in self.made.get(claim, []) if all(
                d.theorem(j).hyps <= given for j in m)), None)
            if known is None:
                self.busy = True
                try:
                    known = self._consequences(i, facts)
                finally:
                    self.busy = False
                self.made.setdefault(claim, []).append(known)
            found += [j for j in known if j not in found]
        return found

    def _consequences(self, i: int, facts: Sequence[int]) -> list[int]:
        try:
            inner = self._inner(i, facts)
            if inner is None:
                return []
            try:
                return self._exchanged(i, inner, [], facts)
            except (NotFound, NeedSplit):
                nulls = [n for m in self._masses(i) if (n := self._null(i, m, facts)) is not None]
                if not nulls:
                    return []
                try:
                    return [*nulls, *self._exchanged(i, inner, nulls, [*facts, *nulls])]
                except (NotFound, NeedSplit):
                    return nulls
        except (NotFound, NeedSplit):
            return []

    def _inner(self, i: int, facts: Sequence[int]) -> Inner | None:
        d, a = self.d, self.a
        (g,) = d.kids(d.claim(i))
        if d.b.sorts[g] != "R":
            return None
        name, t = d.fresh("R", "t")
        xname, x = d.fresh("O", "x")
        for mass in a.choices(g):
            try:
                normal = a.normal(d.b.open(g, t), facts, mass)
                at = d.b.open(normal.body, x)
                above = a.prove(d.mk("le", d.num(0), at), [*facts, *a._positive(at)])
            except (NotFound, NeedSplit):
                continue
            return Inner(name, normal, above, xname)
        return None

    # null sets --------------------------------------------------------------------------------

    def _masses(self, i: int) -> Iterator[int]:
        """The masses that two distributions have where the other has no density."""
        d = self.d
        x = d.b.bound(0, "O")
        masses = self.a.masses(d.claim(i))
        for p in masses:
            for q in masses:
                if p != q:
                    yield d.mk("oint", d.mk("if", d.mk("eq", d.mk("dens", q, x), d.num(0)), d.mk(
                        "dens", p, x), d.num(0)))

    def _null(self, i: int, mass: int, facts: Sequence[int]) -> int | None:
        """The mass is 0: else the transform would diverge."""
        d, a, zero = self.d, self.a, self.d.num(0)
        nothing = d.mk("eq", mass, zero)
        low, high = d.mk("le", mass, zero), d.mk("le", zero, mass)
        more = d.mk("lt", zero, mass)
        try:
            above = a.prove(high)
            some = d.taut(more, d.do("order", d.mk("iff", nothing, d.conj([low, high]))),
                          d.do("order", d.mk("iff", d.mk("not", low), more)), above,
                          d.assume(d.mk("not", nothing)))
            false = a.divergence.absurd(i, [*facts, some], [mass])
        except (NotFound, NeedSplit):
            return None
        return d.taut(nothing, d.disch(d.mk("not", nothing), false))

    # the exchange -----------------------------------------------------------------------------

    def _exchanged(self, i: int, inner: Inner, nulls: Sequence[int], facts: Sequence[int]
                   ) -> list[int]:
        d, a = self.d, self.a
        name, xname = inner.name, inner.xname
        t, x = d.b.letter(name, "R"), d.b.letter(xname, "O")
        (g,) = d.kids(d.claim(i))
        at = d.b.open(inner.normal.body, x)
        line = d.b.abstract(at, name, "R")
        given, premises = [], []
        for n, three in a._nulls(nulls):
            given.append(d.assume(d.mk("eq", d.b.open(n, x), d.num(0))))
            premises += three
        known = a._closed([*facts, *a._positive(at), *given])
        known += [j for k in given for j in (*a._positive(d.claim(k)), *self.vanishing(k))]
        value, evaluated = a.tree(line, known)
        # the line outside, then inside
        size = d.mk("abs", at)
        same = d.mk("eq", size, at)
        law = self._lemma(same, inner.above)
        rim = d.under("oint", d.gen(xname, "O", law))
        whole = d.chain(inner.normal.equation, d.turn(rim))
        iny = d.taut(d.mk("liny", d.b.abstract(d.kids(d.claim(whole))[1], name, "R")),
                     d.under("liny", d.gen(name, "R", whole)), i)
        each = d.gen(name, "R", inner.normal.iny)
        outside = d.mk("lint", d.b.abstract(d.mk("oint", inner.normal.body), name, "R"))
        inside = d.mk("oint", d.b.abstract(d.mk("lint", line), xname, "O"))
        goal = d.conj([d.mk("oiny", d.kids(inside)[0]), d.mk("eq", outside, inside)])
        iny_inside, equal = d.parts(d.do("swap", goal, [each, iny]))
        result = d.parts(evaluated)[1]
        result = d.disch_all(map(d.claim, given), result)
        flat = d.mk("oint", d.b.abstract(value, xname, "O"))
        goal = d.conj([d.mk("iff", d.claim(iny_inside), d.mk("oiny", d.kids(flat)[0])),
                       d.mk("eq", inside, flat)])
        alike, moved = d.parts(d.do("almost", goal, [*premises, d.gen(xname, "O", result)]))
        equation = d.chain(d.under("lint", d.gen(name, "R", inner.normal.equation)), equal, moved)
        self.equations.add(equation)
        assert d.kids(d.claim(equation))[0] == d.mk("lint", g) and t
        return [d.onward(alike, iny_inside), equation]

    def vanishing(self, given: int) -> list[int]:
        """q = 0 -> p = 0 from if(q = 0, p, 0) = 0, the equation written both ways."""
        d = self.d
        s, zero = d.kids(d.claim(given))
        if d.head(s) != "if" or d.head(d.kids(s)[0]) != "eq":
            return []
        condition, p, _ = d.kids(s)
        law = d.do("cases", d.mk("imp", condition, d.mk("eq", s, p)))
        nothing = d.chain(d.turn(d.mp(law, d.assume(condition))), given)
        first = d.disch(condition, nothing)
        q = d.kids(condition)[0]
        other = d.mk("eq", zero, q)
        return [first, d.disch(other, d.mp(first, d.turn(d.assume(other))))]

    def _lemma(self, same: int, above: int) -> int:
        """|f| = f from 0 <= f, f taken as a letter: it may be long."""
        d = self.d
        f = d.kids(same)[1]
        name, y = d.fresh("R", "y")
        premise = d.mk("le", d.num(0), y)
        given = d.assume(premise)
        plain = self.a.relation(d.mk("eq", d.mk("abs", y), y), [given])
        return d.mp(d.inst(d.gen(name, "R", d.disch(premise, plain)), f), above)
