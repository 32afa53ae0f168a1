"""Goals in another form: functions of numbers brought to one form, equal integrals exchanged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Polynomial
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.columns import RELATIONS
from lapdp.proving.derivation import MADE, NotFound
from lapdp.proving.integrands import Integrands

if TYPE_CHECKING:
    from lapdp.proving.denominators import Denominators
    from lapdp.proving.roots import Roots


class Rewritings(Integrands):
    """One step that replaces a term of a goal by an equal one."""

    denominators: Denominators
    roots: Roots

    def _next_case(self, formula: int, facts: Sequence[int]) -> tuple[str, int] | None:
        """As in arithmetic, functions of numbers first brought to one form."""
        for t in self.d.subterms(formula):
            if self.d.head(t) == "log" and not self.d.b.loose[t] and (
                    equation := self.logarithms.exponent(t, facts)) is not None:
                return "rewrite", equation
        if (equivalence := self._without_logs(formula, facts)) is not None:
            return "rewrite", equivalence
        found = super()._next_case(formula, facts)
        if found is not None and found[0] == "rewrite":
            return found
        for t in self.d.subterms(formula):
            if not self.d.b.loose[t] and (equation := self._one_form(t, facts)) is not None:
                return "rewrite", equation
        return found

    def _one_form(self, t: int, facts: Sequence[int]) -> int | None:
        """An equation t = t' with a tidier right side; None where there is nothing to do."""
        d = self.d
        head, complexes = d.head(t), self.integration.complexes
        if head == "exp":
            return (self.roots.argument(t, facts) or self.integration.unlogged(t, facts)
                    or self.logarithms.complex_power(t, facts)
                    or self.logarithms.real_power(t, facts))
        if head == "erfc":
            return self.roots.argument(t, facts)
        if head == "sqrt":
            return self.roots.equation(t, facts)
        if head == "log":
            return self.logarithms.as_sum(t, facts)
        part = head == "re" and d.head(d.kids(t)[0]) not in ("v", "oint", "lint")
        if not part and not (head == "abs" and d.b.sorts[d.kids(t)[0]] == "C"):
            return None
        try:
            equation = (complexes.real_part(d.kids(t)[0]) if part
                        else complexes.size(d.kids(t)[0], facts))
        except NotFound:
            return None
        return None if t in d.subterms(d.kids(d.claim(equation))[1]) else equation

    def _without_logs(self, formula: int, facts: Sequence[int]) -> int | None:
        """a < log x - log y <-> e^a y < x for a relation of the formula; None: there is none."""
        d = self.d
        for t in d.subterms(formula):
            if d.head(t) not in RELATIONS or d.b.loose[t] or (
                    d.b.sorts[d.kids(t)[0]] != "R") or not any(
                    d.head(u) == "log" and d.b.letters[u] for u in d.subterms(t)):
                continue
            found = self.integration.multiplied(t, facts)
            if found is not None and not any(
                    d.head(u) == "log" for u in d.subterms(found[0])):
                return found[1]
        return None

    def _multiplied(self, goal: int, product: int, facts: Sequence[int]) -> int:
        """The goal with a double integral as products of integrals; these as unknown numbers."""
        d = self.d
        s, t = d.kids(d.claim(product))
        spoken = [i for i in facts if d.head(d.claim(i)) in RELATIONS]
        try:
            settled = self.by_arithmetic(d.b.open(d.hole(goal, s), t), spoken)
        except NotFound:
            return self._back(goal, product, facts)
        return self._rewritten(goal, product, [*facts, settled])

    def _rewritten(self, goal: int, equation: int, facts: Sequence[int]) -> int:
        """The goal, of any form, from the one with an equation applied."""
        d = self.d
        s, t = d.kids(d.claim(equation))
        body = d.hole(goal, s)
        found = self.prove(d.b.open(body, t), facts)
        return d.do("rewrite", goal, [d.turn(equation), found], [body])

    def _size(self, goal: int, facts: Sequence[int]) -> int | None:
        """``|oint f| <= t`` from oint |f| <= t; None for other goals."""
        d = self.d
        head, (s, t) = d.head(goal), d.kids(goal)
        if head not in ("le", "lt") or d.head(s) != "abs" or d.head(d.kids(s)[0]) != "oint":
            return None
        (f,) = d.kids(d.kids(s)[0])
        size = d.mk("abs", f)
        below = d.mk("oint", size)
        try:
            iny = self.prove(d.mk("oiny", f), facts)
            rim = d.do("dominate", d.mk("oiny", size), [iny])
            less = d.do("mono", d.mk("le", s, below), [iny, rim])
            rest = self.prove(d.mk(head, below, t), facts)
        except (NotFound, NeedSplit):
            return None
        return d.do("arith", goal, [less, rest], [[d.num(1), [0]], [d.num(1), [1]]])

    def _named(self, goal: int, facts: Sequence[int]) -> int | None:
        """A fact ``y = t`` for a letter y of the goal that the search has made, or for a transform
        that is exchanged."""
        d = self.d
        inside = set(d.subterms(goal))
        for i in facts:
            if i in self.tonelli.equations and d.kids(d.claim(i))[0] in inside:
                return i
        letters = {t for t in d.subterms(goal) if d.head(t) == "v"
                   and MADE in str(d.b.rows[t][1])}
        for i in facts:
            if d.head(d.claim(i)) == "eq":
                y, t = d.kids(d.claim(i))
                if y in letters and y not in d.subterms(t):
                    return i
        return None

    def _positive_inside(self, goal: int, facts: Sequence[int]) -> list[int]:
        """0 < s for integrals s of which a power e^(c log s) occurs."""
        d, found = self.d, []
        logs = dict.fromkeys(u for t in d.subterms(goal) if d.head(t) == "exp" for u in d.subterms(
            t) if d.head(u) == "log" and not d.b.loose[u] and self._speaks(u))
        for t in logs:
            try:
                found.append(self.prove(d.mk("lt", d.num(0), d.kids(t)[0]), facts))
            except (NotFound, NeedSplit):
                continue
        return found

    def by_cases(self, goal: int) -> int:
        """A relation without facts, its integrals taken as unknown numbers."""
        return super().relation(goal, [])

    def by_arithmetic(self, goal: int, facts: Sequence[int]) -> int:
        """The relation with its integrals as unknown numbers."""
        if self.d.head(goal) == "eq":
            return self.identity(goal, facts)
        for level in (0, 2):
            try:
                return self.plainly(goal, facts, level)
            except NotFound as failed:
                problem = failed
        raise problem

    def _alike(self, goal: int, facts: Sequence[int]) -> int | None:
        """An equation between two integrals over the line whose integrands are equal."""
        d = self.d
        whole = [t for t in d.subterms(goal) if d.head(t) == "lint" and not d.b.loose[t]]
        for n, s in enumerate(whole):
            for t in whole[n + 1:]:
                if d.b.sorts[s] != d.b.sorts[t]:
                    continue
                name, u = d.fresh("R", "t")
                at = d.mk("eq", *(d.b.open(d.kids(x)[0], u) for x in (s, t)))
                try:
                    inside = self.prove(at, facts)
                except (NotFound, NeedSplit):
                    continue
                return d.under("lint", d.gen(name, "R", inside))
        return None

    def _twins(self, goal: int, facts: Sequence[int]) -> int | None:
        """An integral of the left side that equals one of the right, where such are multiplied."""
        d = self.d
        if not any(d.head(u) == "mul" and all(self._speaks(k) for k in d.kids(u))
                   for u in d.subterms(goal)):
            return None
        left, right = ([t for t in d.subterms(side) if d.head(t) == "oint" and not d.b.loose[t]]
                       for side in d.kids(goal))
        for s in left:
            for t in right:
                if s in right or t in left or self.masses(s) != self.masses(t):
                    continue
                try:
                    return self.prove(d.mk("eq", s, t), facts)
                except (NotFound, NeedSplit):
                    continue
        return None

    def _alike_inside(self, goal: int, facts: Sequence[int]) -> int | None:
        """log s = log t, or 1/s = 1/t, for such terms of the goal with equal integrals inside."""
        d = self.d
        whole = [t for t in d.subterms(goal) if d.head(t) in ("log", "clog", "inv")
                 and not d.b.loose[t] and self._speaks(t)]
        for n, s in enumerate(whole):
            for t in whole[n + 1:]:
                if d.head(s) != d.head(t) or d.b.sorts[s] != d.b.sorts[t]:
                    continue
                try:
                    same = self.prove(d.mk("eq", *(d.kids(u)[0] for u in (s, t))), facts)
                except (NotFound, NeedSplit):
                    continue
                return d.alike(s, same)
        return None

    def nonzero(self, t: int, facts: Sequence[int]) -> int | None:
        """not t = 0 as a theorem; a complex number by its real part as well."""
        found = super().nonzero(t, facts)
        d = self.d
        if found is not None or d.b.sorts[t] == "R":
            return found
        zero = d.like(0, "C")
        given = d.assume(d.mk("eq", t, zero))
        try:
            real, none = (self.integration.complexes.real_part(u) for u in (t, zero))
        except NotFound:
            return self.denominators.beside(t, facts)
        value, nothing = (d.kids(d.claim(e))[1] for e in (real, none))
        apart = super().nonzero(value, facts)
        if apart is None or nothing != d.num(0):
            return self.denominators.beside(t, facts)
        same = d.chain(d.turn(real), d.alike(d.mk("re", t), given), none)
        return d.taut(d.mk("not", d.claim(given)), d.disch(d.claim(given), same), apart)

    def laws_of(self, polynomials: Sequence[Polynomial], facts: Sequence[int]) -> list[int]:
        """As in certificates, and what the real parts of sums and products are."""
        d, found = self.d, super().laws_of(polynomials, facts)
        for number in self._atoms(polynomials):
            t = self.terms.term({((number, 1),): 1})
            if d.head(t) == "re" and d.head(d.kids(t)[0]) in ("add", "mul"):
                try:
                    found.append(self.integration.complexes.real_part(d.kids(t)[0]))
                except NotFound:
                    continue
        return found

    def _real_parts(self, formulas: Sequence[int]) -> list[int]:
        """re z = x for sums z whose real parts formulas without quantifiers speak of."""
        d, found = self.d, []
        for z in dict.fromkeys(t for f in formulas if not d.head(f).startswith("all")
                               for t in d.subterms(f) if d.head(t) == "re" and not d.b.loose[t]):
            if d.head(d.kids(z)[0]) in ("add", "mul", "cx"):
                try:
                    found.append(self.integration.complexes.real_part(d.kids(z)[0]))
                except NotFound:
                    continue
        return found
