"""A term that is linear in the densities as one integral over the space.

Constants are masses, c = oint c p; integrals over the line move inside (Fubini).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.columns import RELATIONS
from lapdp.proving.derivation import Derivation, NotFound
from lapdp.proving.null_sets import Masses, NullSets

if TYPE_CHECKING:
    from lapdp.proving.integration import Integration
    from lapdp.proving.positive_parts import PositiveParts

MOST_DEPTH = 24


@dataclass(frozen=True)
class Normal:
    """A term as one integral over the space: ``equation`` says term = oint body, ``iny`` that the
    body is integrable."""

    body: int
    equation: int
    iny: int


class NormalForms(NullSets):
    """Normal forms of terms, with cases where a condition on parameters is missing."""

    integration: Integration
    positive_parts: PositiveParts

    def __init__(self, d: Derivation) -> None:
        super().__init__(d)
        self.depth = 0
        self.turned = False

    def normal(self, t: int, facts: Sequence[int], mass: Masses) -> Normal:
        """A term as one integral over the space; constants are multiplied by the mass.

        Raises :class:`NotFound` for what is not linear in the densities.
        """
        d = self.d
        head, kids = d.head(t), d.kids(t)
        if not self._varies(t):
            return self.constant(t, mass)
        if head == "oint":
            (body,) = kids
            return Normal(body, d.refl(t), self.prove(d.mk("oiny", body), facts))
        if head == "add":
            return self._sum(t, *(self.normal(k, facts, mass) for k in kids))
        if head == "mul":
            c, inner = kids if not self._varies(kids[0]) else (kids[1], kids[0])
            if self._varies(c) and self.turned:
                c, inner = inner, c
            return self._multiple(t, c, self.normal(inner, facts, mass))
        if head == "if":
            return self._choice(t, facts, mass)
        if head == "lint":
            return self._moved(t, facts, mass)
        if head == "cx":
            real = self.normal(kids[0], facts, mass)
            body = d.mk("cx", real.body)
            iny, equation = d.parts(d.do("integral", d.conj([d.mk("oiny", body), d.mk(
                "eq", d.mk("oint", body), d.mk("cx", d.mk("oint", real.body)))]),
                [real.iny], ["embed"]))
            return Normal(body, d.chain(d.alike(t, real.equation), d.turn(equation)), iny)
        raise NotFound(f"{head} is not linear in the densities")

    def constant(self, c: int, mass: Masses) -> Normal:
        """c = oint c p; a sum with exponential factors is taken apart first."""
        d = self.d
        f = self.reader.read(c)
        plain = {m: v for m, v in f.items() if not self.terms.exponential_part(m)}
        if mass.plain != mass.exponential and (apart := self.positive_parts.apart(c)) is not None:
            made = self._choice(d.kids(d.claim(apart))[1], [], mass)
            return Normal(made.body, d.chain(apart, made.equation), made.iny)
        if mass.plain == mass.exponential or not plain or len(plain) == len(f):
            return self._mass(c, mass.plain if len(plain) == len(f) else mass.exponential)
        rest = {m: v for m, v in f.items() if m not in plain}
        sort = d.b.sorts[c]
        terms = [self.terms.term(part, sort) for part in (plain, rest)]
        whole = d.mk("add", *terms)
        made = self._sum(whole, self._mass(terms[0], mass.plain),
                         self._mass(terms[1], mass.exponential))
        same = self.identity(d.mk("eq", c, whole), [])
        return Normal(made.body, d.chain(same, made.equation), made.iny)

    def _mass(self, c: int, distribution: int) -> Normal:
        d = self.d
        p = d.mk("dens", d.b.lift(distribution), d.b.bound(0, "O"))
        iny, total = d.parts(self.mass_one(p))
        if d.b.sorts[c] == "C":
            body = d.mk("cx", p)
            iny, embedded = d.parts(d.do("integral", d.conj([d.mk("oiny", body), d.mk(
                "eq", d.mk("oint", body), d.mk("cx", d.mk("oint", p)))]), [iny], ["embed"]))
            inner = d.mk("cx", d.mk("oint", p))
            p = body
            total = d.chain(embedded, d.alike(inner, total))
        body = d.mk("mul", d.b.lift(c), p)
        product = d.mk("mul", c, d.mk("oint", p))
        iny, equation = d.parts(d.do("integral", d.conj([d.mk("oiny", body), d.mk(
            "eq", d.mk("oint", body), product)]), [iny], ["scale", c]))
        value = self.identity(d.mk("eq", product, c), [total])
        return Normal(body, d.turn(d.chain(equation, value)), iny)

    def mass_one(self, p: int) -> int:
        """``oiny p and oint p = 1`` for a density, as a body."""
        d = self.d
        return d.do("density", d.conj([d.mk("oiny", p), d.mk("eq", d.mk("oint", p), d.num(1))]),
                    [], [d.kids(p)[0]])

    def with_masses(self, i: int) -> int:
        """s = u from s = t, where u is t with 1 for each total mass."""
        d = self.d
        for t in d.subterms(d.kids(d.claim(i))[1]):
            if d.head(t) == "oint" and d.head(d.kids(t)[0]) == "dens":
                total = d.parts(self.mass_one(d.kids(t)[0]))[1]
                i = d.chain(i, d.alike(d.kids(d.claim(i))[1], total))
        return i

    def nothing(self, symbol: str, sort: str) -> int:
        """``iny 0 and I 0 = 0``."""
        d = self.d
        zero = d.like(0, sort)
        iny = d.mk(symbol.replace("int", "iny"), zero)
        return d.do("integral", d.conj([iny, d.mk("eq", d.mk(symbol, zero), zero)]), [], ["zero"])

    def _sum(self, t: int, first: Normal, second: Normal) -> Normal:
        d = self.d
        body = d.mk("add", first.body, second.body)
        value = d.mk("add", d.mk("oint", first.body), d.mk("oint", second.body))
        iny, equation = d.parts(d.do("integral", d.conj([d.mk("oiny", body), d.mk(
            "eq", d.mk("oint", body), value)]), [first.iny, second.iny], ["sum"]))
        return Normal(body, self._collected(t, value, equation, first, second), iny)

    def _multiple(self, t: int, c: int, inner: Normal) -> Normal:
        d = self.d
        body = d.mk("mul", d.b.lift(c), inner.body)
        value = d.mk("mul", c, d.mk("oint", inner.body))
        iny, equation = d.parts(d.do("integral", d.conj([d.mk("oiny", body), d.mk(
            "eq", d.mk("oint", body), value)]), [inner.iny], ["scale", c]))
        return Normal(body, self._collected(t, value, equation, inner), iny)

    def _collected(self, t: int, value: int, equation: int, *inner: Normal) -> int:
        """t = oint body, where value is t with its parts replaced by their integrals."""
        d = self.d
        same = self.identity(d.mk("eq", t, value), [n.equation for n in inner])
        return d.chain(same, d.turn(equation))

    def _choice(self, t: int, facts: Sequence[int], mass: Masses) -> Normal:
        """if(c, a, b) with a condition free of the outcome."""
        d = self.d
        condition, yes, no = d.kids(t)
        denied = d.mk("not", condition)
        branches = []
        for c, part in ((condition, yes), (denied, no)):
            branches.append(self.normal(part, self._closed([*facts, d.assume(c)]), mass))
        body = d.mk("if", d.b.lift(condition), branches[0].body, branches[1].body)
        equations, inys = [], []
        for c, part, n in ((condition, yes, branches[0]), (denied, no, branches[1])):
            given = d.assume(c)
            chosen = d.mp(d.do("cases", d.mk("imp", c, d.mk("eq", t, part))), given)
            name, x = d.fresh("O", "x")
            whole = d.b.open(body, x)
            law = d.do("cases", d.mk("imp", c, d.mk("eq", whole, d.b.open(n.body, x))))
            everywhere = d.gen(name, "O", d.turn(d.mp(law, given)))
            equations.append(d.chain(chosen, n.equation, d.under("oint", everywhere)))
            inys.append(d.taut(d.mk("oiny", body), d.under("oiny", everywhere), n.iny))
        return Normal(body, d.split(condition, *equations), d.split(condition, *inys))

    def _moved(self, t: int, facts: Sequence[int], mass: Masses) -> Normal:
        """lint of something linear in the densities: the integral over the space goes outside."""
        return self.fubini(t, facts, mass)[0]

    def fubini(self, t: int, facts: Sequence[int], mass: Masses) -> tuple[Normal, int]:
        """The normal form of a lint, and ``liny`` of its integrand; outside null sets that the
        facts know where it takes that."""
        try:
            return self._fubini(t, facts, mass, False)
        except NotFound:
            if not self._nulls(facts):
                raise
        return self._fubini(t, facts, mass, True)

    def _fubini(self, t: int, facts: Sequence[int], mass: Masses, outside: bool
                ) -> tuple[Normal, int]:
        d = self.d
        (g,) = d.kids(t)
        sort = d.b.sorts[t]
        name, u = d.fresh("R", "t")
        inner = self.normal(d.b.open(g, u), facts, mass)
        if outside:
            body, same, iny = self._outside(inner.body, d.like(0, sort), inner.iny, facts)
            inner = Normal(body, d.chain(inner.equation, same), iny)
        # g(u) = oint_x body(x, u) for all u
        each = d.gen(name, "R", inner.equation)
        xname, x = d.fresh("O", "x")
        at_x = d.b.abstract(d.b.open(inner.body, x), name, "R")  # a function of u, at the outcome x
        known = [*facts, *self._positive(d.b.open(inner.body, x))]
        value, evaluated = self.tree(at_x, known)
        iny_u, equals = d.parts(evaluated)
        size, absolute = self._absolutely(at_x, name, u, value, equals, known)
        # over x
        flat = d.b.abstract(value, xname, "O")
        rim = d.b.abstract(size, xname, "O")
        each_iny = d.gen(xname, "O", iny_u)
        iny_size = self.prove(d.mk("oiny", rim), facts)
        same_size = d.under("oiny", d.gen(xname, "O", absolute))
        iny_abs = d.taut(d.kids(d.claim(same_size))[0], same_size, iny_size)
        left = d.mk("oint", d.b.abstract(d.mk("lint", at_x), xname, "O"))
        right = d.mk("lint", d.b.abstract(d.mk("oint", inner.body), name, "R"))
        goal = d.conj([d.mk("liny", d.kids(right)[0]), d.mk("eq", left, right)])
        iny_right, swapped = d.parts(d.do("swap", goal, [each_iny, iny_abs]))
        flatten = d.under("oint", d.gen(xname, "O", equals))
        equation = d.chain(d.under("lint", each), d.turn(swapped), flatten)
        if sort != d.b.sorts[value]:
            raise NotFound("sorts differ")
        iny_flat = iny_size if rim == flat else d.do("dominate", d.mk("oiny", flat), [
            d.gen(xname, "O", self._below_size(iny_u, equals, absolute)), iny_size])
        iny_g = d.taut(d.mk("liny", g), d.under("liny", each), iny_right)
        return Normal(flat, equation, iny_flat), iny_g

    def _below_size(self, iny: int, equals: int, absolute: int) -> int:
        """``|v| <= w`` where lint f = v and lint |f| = w."""
        d = self.d
        whole, size = (d.kids(d.claim(i))[0] for i in (equals, absolute))
        rim = d.do("dominate", d.mk("liny", *d.kids(size)), [iny])
        less = d.do("mono", d.mk("le", d.mk("abs", whole), size), [iny, rim])
        return d.replace(d.replace(less, absolute), equals)

    def _absolutely(self, at_x: int, name: str, u: int, value: int, equals: int,
                    facts: Sequence[int]) -> tuple[int, int]:
        """A term for lint |f| and the equation."""
        d = self.d
        f = d.b.open(at_x, u)
        if d.b.sorts[f] == "R":
            try:
                above = self.prove(d.mk("le", d.num(0), f), facts)
                same = self.relation(d.mk("eq", d.mk("abs", f), f), [above])
                return value, d.chain(d.under("lint", d.gen(name, "R", same)), equals)
            except NotFound:
                pass
        size, evaluated = self.tree(d.mk("abs", at_x), facts)
        return size, d.parts(evaluated)[1]

    def tree(self, body: int, facts: Sequence[int]) -> tuple[int, int]:
        """The value of ``lint body``, cases included, and ``liny body and lint body = value``."""
        d = self.d
        self.depth += 1
        try:
            if self.depth > MOST_DEPTH:
                raise NotFound("too many cases of parameters")
            try:
                found = self.integration.evaluate(body, facts)
                return d.kids(d.claim(d.parts(found)[1]))[1], found
            except NeedSplit as need:
                condition = need.condition
            known = self.truth(condition, facts)
            if known is not None:
                if known in facts:
                    zero = d.like(0, d.b.sorts[body])
                    claim = d.conj([d.mk("liny", body), d.mk("eq", d.mk("lint", body), zero)])
                    return zero, d.taut(claim, self._impossible(facts))
                return self.tree(body, [*facts, known])
            if d.head(condition) not in RELATIONS:
                raise NotFound("a case distinction that is no relation")
            cases = []
            for c in (condition, d.mk("not", condition)):
                cases.append(self.tree(body, self._closed([*facts, d.assume(c)])))
            value = d.mk("if", condition, cases[0][0], cases[1][0])
            theorems = []
            for c, (v, found) in zip((condition, d.mk("not", condition)), cases, strict=True):
                law = d.mp(d.do("cases", d.mk("imp", c, d.mk("eq", value, v))), d.assume(c))
                iny, equation = d.parts(found)
                theorems.append(d.both(iny, d.chain(equation, d.turn(law))))
            return value, d.split(condition, *theorems)
        finally:
            self.depth -= 1

    def with_splits(self, goal: int, facts: Sequence[int], attempt: object) -> int:
        """Try; where a condition on parameters is missing, prove both cases."""
        d = self.d
        self.depth += 1
        try:
            if self.depth > MOST_DEPTH:
                raise NotFound("too deep")
            try:
                return attempt(goal, facts)  # type: ignore[operator, no-any-return]
            except NeedSplit as need:
                condition = need.condition
            known = self.truth(condition, facts)
            no = d.mk("not", condition)
            if known is not None and known not in facts:
                return self.with_splits(goal, [*facts, known], attempt)
            if known is not None:
                return d.taut(goal, self._impossible(facts))
            both = [self.with_splits(goal, self._closed([*facts, d.assume(c)]), attempt)
                    for c in (condition, no)]
            return d.split(condition, *both)
        finally:
            self.depth -= 1

    def _impossible(self, facts: Sequence[int]) -> int:
        """|- false where a condition was asked for that the facts settle: the case does not occur.

        Raises :class:`NotFound` where it does.
        """
        try:
            return self.refute([i for i in facts if not self._speaks(self.d.claim(i))])
        except NotFound:
            raise NotFound("a condition that is known was asked for") from None
