"""Integrals over the line that are others under t -> r t + c, up to a factor free of t.

A function of which only integrability is known, or a profile under an integral, has no
antiderivative; what is claimed of its transform follows from a fact about another one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import ratio
from lapdp.proving.breaks import Breaks, NeedSplit
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover


@dataclass(frozen=True)
class Match:
    """g(t) = factor f(rate t + shift): ``iny`` says liny f <-> liny g, or liny f -> liny g;
    ``equation`` that lint g = c lint f."""

    implication: int
    equation: int


class Substitution:
    """Finds such a match, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d

    def integrable(self, goal: int, facts: Sequence[int]) -> int | None:
        """``liny g`` from a fact ``liny f``; None where no fact fits."""
        d = self.d
        (g,) = d.kids(goal)
        for i in facts:
            if d.head(d.claim(i)) == "liny":
                (f,) = d.kids(d.claim(i))
                found = self._match(f, g, [i, *facts], i)
                if found is not None:
                    return found.implication
        sum_of = self._combined(g, facts)
        return None if sum_of is None else sum_of.implication

    def dominated(self, goal: int, facts: Sequence[int]) -> int | None:
        """``liny g`` from |g| <= |f| and ``liny f``."""
        d = self.d
        (g,) = d.kids(goal)
        name, t = d.fresh("R", "t")
        at = d.mk("abs", d.b.open(g, t))
        if not self._places(at) and not self.a._speaks(at):
            return None
        for i in facts:
            if d.head(d.claim(i)) != "liny":
                continue
            size = d.mk("abs", d.kids(d.claim(i))[0])
            goal_at = d.mk("le", at, d.b.open(size, t))
            try:
                less = self.a.prove(goal_at, [*facts, *self._signs(goal_at)])
            except (NotFound, NeedSplit):
                continue
            rim = d.do("dominate", d.mk("liny", size), [i])
            return d.do("dominate", goal, [d.gen(name, "R", less), rim])
        return None

    def _signs(self, formula: int) -> list[int]:
        """0 <= h for integrals over the space of which that is found."""
        d, found = self.d, []
        for u in d.subterms(formula):
            if d.head(u) == "oint" and not d.b.loose[u] and d.b.sorts[u] == "R":
                try:
                    found.append(self.a.prove(d.mk("le", d.num(0), u)))
                except (NotFound, NeedSplit):
                    continue
        return found

    def _combined(self, g: int, facts: Sequence[int]) -> Match | None:
        """g = k_1 f_1 + k_2 f_2 + ... with facts that say that the f are integrable."""
        d, a = self.d, self.a
        name, t = d.fresh("R", "t")
        here = d.b.open(g, t)
        known = [i for i in facts if d.head(d.claim(i)) == "liny"
                 and d.b.sorts[d.kids(d.claim(i))[0]] == d.b.sorts[g]]
        condition: int | None = None
        zero = d.like(0, d.b.sorts[g])
        inside = here
        if d.head(here) == "if" and d.kids(here)[2] == zero:
            condition, inside, _ = d.kids(here)
        f = a.reader.read(inside)
        if len(f) < 2 or not known or any(d.head(u) == "if" for u in d.subterms(inside)):
            return None
        whole: int | None = None
        for m, c in f.items():
            term = a.terms.term({m: c}, d.b.sorts[g])
            term = term if condition is None else d.mk("if", condition, term, zero)
            part = d.b.abstract(term, name, "R")
            found = next((x for i in known if (x := self._match(
                d.kids(d.claim(i))[0], part, facts, i)) is not None), None)
            if found is None:
                return None
            made = d.both(found.implication, found.equation)
            whole = made if whole is None else a.integration.sum_of(whole, made)
        if whole is None:
            return None
        iny, equation = d.parts(whole)
        (total,) = d.kids(d.claim(iny))
        same = d.gen(name, "R", (a.identity if condition is None else a.prove)(
            d.mk("eq", here, d.b.open(total, t)), []))
        held = d.taut(d.mk("liny", g), d.under("liny", same), iny)
        return Match(held, d.chain(d.under("lint", same), equation))

    def equation(self, goal: int, facts: Sequence[int]) -> int | None:
        """``lint g = c lint f`` for two integrals of the goal, f integrable by a fact."""
        d = self.d
        whole = [t for t in d.subterms(goal) if d.head(t) == "lint" and not d.b.loose[t]]
        known = {d.kids(d.claim(i))[0]: i for i in facts if d.head(d.claim(i)) == "liny"}
        for s in whole:
            for t in whole:
                f = d.kids(t)[0]
                if s != t and f in known:
                    found = self._match(f, d.kids(s)[0], facts, known[f])
                    if found is not None:
                        return found.equation
        for s in whole:
            if len(whole) > 2 and (found := self._combined(d.kids(s)[0], facts)) is not None:
                return found.equation
        return None

    # matches ----------------------------------------------------------------------------------

    def _match(self, f: int, g: int, facts: Sequence[int], iny: int) -> Match | None:
        d = self.d
        if d.b.sorts[f] != d.b.sorts[g]:
            return None
        name, t = d.fresh("R", "t")
        for rate, shift in self._moves(d.b.open(f, t), d.b.open(g, t), t):
            try:
                return self._moved(f, g, rate, shift, name, t, facts, iny)
            except (NotFound, NeedSplit):
                continue
        return None

    def _moves(self, f: int, g: int, t: int) -> Iterator[tuple[int, int]]:
        """Candidates (r, c): as they stand, turned round, and what a function's places ask."""
        d, a = self.d, self.a
        one, zero = d.num(1), d.num(0)
        yield one, zero
        for u in self._places(g):
            for v in self._places(f):
                lines = [Breaks(a, t, []).rate_of(a.reader.read(x)) for x in (u, v)]
                if None in lines or not all(line and line[0] for line in lines):
                    continue
                (r1, c1), (r2, c2) = ((a.terms.term(p, "R"), a.terms.term(q, "R"))
                                      for line in lines if line for p, q in [line])
                under = d.mk("inv", r2)
                rate = d.mul(r1, under)
                shift = d.mul(d.sub(c1, c2), under)
                yield tuple(a.terms.term(a.reader.read(x), "R") for x in (rate, shift))  # type: ignore[misc]
        yield d.num(-1), zero

    def _places(self, t: int) -> list[int]:
        """Where a function that is not known is taken."""
        d = self.d
        return [d.kids(u)[1] for u in d.subterms(t) if d.head(u) == "app" and not d.b.loose[u]]

    def _moved(self, f: int, g: int, rate: int, shift: int, name: str, t: int,
               facts: Sequence[int], iny: int) -> Match:
        d, a = self.d, self.a
        still = (rate, shift) == (d.num(1), d.num(0))
        at = d.add(d.mul(d.b.lift(rate), d.b.bound(0, "R")), d.b.lift(shift))
        composed = f if still else d.b.open(d.b.deepen(f), at)
        here, there = (self._tidied(d.b.open(x, t), facts) for x in (g, composed))
        (_, short), (_, other) = (d.kids(d.claim(e)) for e in (here, there))
        factor = self._factor(self._first_case(short), self._first_case(other), t)
        known = [i for i in facts if d.head(d.claim(i)) in ("eq", "le", "lt", "not")]
        goal = d.mk("eq", short, d.mul(factor, other))
        cases = any(d.head(u) == "if" for u in d.subterms(goal))
        same = a.prove(goal, known) if cases else a.identity(goal, known)
        whole = d.mul(factor, d.kids(d.claim(there))[0])
        back = d.turn(d.alike(whole, there)) if whole != d.mul(factor, other) else d.refl(whole)
        everywhere = d.gen(name, "R", d.chain(here, same, back))
        body = d.mul(d.b.lift(factor), composed)
        scaled = d.conj([d.mk("liny", body), d.mk("eq", d.mk("lint", body), d.mul(
            factor, d.mk("lint", composed)))])
        if still:
            iny_body, of_body = d.parts(d.do("integral", scaled, [iny], ["scale", factor]))
            held = d.taut(d.mk("liny", g), d.under("liny", everywhere), iny_body)
            return Match(held, d.chain(d.under("lint", everywhere), of_body))
        nonzero = a.nonzero(rate, facts)
        if nonzero is None:
            raise NotFound("a rate that may be 0")
        absolute = d.mk("abs", rate)
        size = absolute if d.b.sorts[f] == "R" else d.mk("cx", absolute)
        goal = d.conj([d.mk("iff", d.mk("liny", f), d.mk("liny", composed)), d.mk(
            "eq", d.mk("lint", f), d.mul(size, d.mk("lint", composed)))])
        iff, equal = d.parts(d.do("affine", goal, [nonzero], [f, rate, shift]))
        inside = d.onward(iff, iny)
        iny_body, of_body = d.parts(d.do("integral", scaled, [inside], ["scale", factor]))
        held = d.taut(d.mk("liny", g), d.under("liny", everywhere), iny_body)
        return Match(held, self._solved(d.chain(d.under("lint", everywhere), of_body), equal,
                                        rate, size, facts))

    def _tidied(self, t: int, facts: Sequence[int]) -> int:
        """t = t' with the places of functions as sums of products, x (1/x) gone in exponents."""
        d, a = self.d, self.a
        found = d.refl(t)
        for u in self._places(t):
            short = a.terms.term(a.reader.read(u), "R")
            if short != u:
                now = d.kids(d.claim(found))[1]
                same = d.do("arith", d.mk("eq", u, short))
                found = d.chain(found, d.alike(now, same))
        for u in d.subterms(d.kids(d.claim(found))[1]):
            if d.head(u) == "exp" and not d.b.loose[u] and (
                    equation := a.roots.argument(u, facts)) is not None:
                found = d.chain(found, d.alike(d.kids(d.claim(found))[1], equation))
        return found

    def compared(self, goal: int, facts: Sequence[int]) -> int | None:
        """``lint f <= lint g`` for functions without an antiderivative, from f <= g."""
        d = self.d
        s, t = d.kids(goal)
        if d.head(goal) != "le" or d.head(s) != "lint" or d.head(t) != "lint" or not (
                self.a._speaks(goal) or any(d.head(u) == "app" for u in d.subterms(goal))):
            return None
        name, u = d.fresh("R", "t")
        f, g = (d.kids(x)[0] for x in (s, t))
        try:
            inside = self.a.prove(d.mk("le", d.b.open(f, u), d.b.open(g, u)), facts)
            inys = [self.a.prove(d.mk("liny", x), facts) for x in (f, g)]
        except (NotFound, NeedSplit):
            return None
        return d.do("mono", goal, [d.gen(name, "R", inside), *inys])

    def _first_case(self, t: int) -> int:
        """The term where every condition in it holds."""
        d = self.d

        def leaf(u: int, _: int) -> int | None:
            return self._first_case(d.kids(u)[1]) if d.head(u) == "if" else None
        return d.b.walk(t, leaf)

    def _solved(self, equation: int, equal: int, rate: int, size: int, facts: Sequence[int]
                ) -> int:
        """lint g = factor/|r| lint f from lint g = factor lint f(r t + c), lint f = |r| ..."""
        d, a = self.d, self.a
        left, right = d.kids(d.claim(equation))
        factor, _ = d.kids(right)
        whole = d.kids(d.claim(equal))[0]
        absolute = d.mk("abs", rate)
        if a.positive(rate, facts) is not None:
            value = rate
        elif a.positive(d.neg(rate), facts) is not None:
            value = d.neg(rate)
        else:
            value = absolute
            facts = [*facts, a.prove(d.mk("not", d.mk("eq", absolute, d.num(0))), facts)]
        same = a.prove(d.mk("eq", absolute, value), facts)
        known = [d.alike(size, same)] if size != absolute else [same]
        under = d.mk("inv", value) if size == absolute else d.mk("cx", d.mk("inv", value))
        goal = d.mk("eq", left, d.mul(factor, d.mul(under, whole)))
        return a.identity(goal, [*facts, equation, equal, *known])

    def _factor(self, here: int, there: int, t: int) -> int:
        """The quotient of two products, if it is free of t.  Raises :class:`NotFound`."""
        d, a = self.d, self.a
        f, g = (a.reader.read(x) for x in (here, there))
        if len(f) != 1 or len(g) != 1:
            if f == g:
                return d.like(1, d.b.sorts[here])
            raise NotFound("a factor of a sum")
        ((m, c),), ((n, k),) = f.items(), g.items()
        powers = dict(m)
        for x, e in n:
            powers[x] = powers.get(x, 0) - e
        rest = tuple(sorted((x, e) for x, e in powers.items() if e))
        if any(e < 0 and a.terms.symbol(x) != "exp" for x, e in rest):
            raise NotFound("a factor that is no product")
        found = a.terms.term({rest: ratio(c, k)}, d.b.sorts[here])
        if t in d.subterms(found):
            raise NotFound("a factor that is not constant")
        return found
