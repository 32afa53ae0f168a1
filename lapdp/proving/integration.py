"""Integrals over the line of piecewise products of powers and exponentials, evaluated.

The pieces, antiderivatives and limits are found here and checked by the kernel's ``ftc``.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import TYPE_CHECKING

from lapdp.kernel.analysis import derivative
from lapdp.kernel.polynomials import Monomial, Number, Polynomial, plus, times
from lapdp.proving.bells import Bells
from lapdp.proving.breaks import Break, Breaks, NeedSplit
from lapdp.proving.columns import RELATIONS
from lapdp.proving.complexes import Complexes
from lapdp.proving.derivation import NotFound
from lapdp.proving.gaussians import GaussianLimit, gaussian_moment

if TYPE_CHECKING:
    from lapdp.proving.space import Prover


class Integration:
    """Evaluates ``lint`` under facts: :meth:`evaluate` gives ``liny f and lint f = value``."""

    def __init__(self, arithmetic: Prover) -> None:
        self.a, self.d = arithmetic, arithmetic.d
        self.complexes = Complexes(arithmetic)
        self.bells = Bells(arithmetic)

    def evaluate(self, body: int, facts: Sequence[int]) -> int:
        """``liny body and lint body = value`` under the facts.

        Raises :class:`NotFound`, or :class:`NeedSplit` for a condition on the parameters.
        """
        d = self.d
        name, t = d.fresh("R", "t")
        g = d.b.open(body, t)
        breaks = Breaks(self.a, t, facts)
        points = self._points(breaks, g) or [Break(d.num(0))]
        regions = self._regions(points)
        pieces: list[tuple[tuple[int | None, int | None], int]] = []
        for low, high in regions:
            known = self._known(breaks, t, low, high, points)
            value = self._resolved(g, t, known)
            ends = low.point if low else None, high.point if high else None
            f = self._without_zeros(value, known)
            if None in ends or d.b.sorts[value] == "C":
                pieces += [(ends, self.a.terms.term({m: c}, d.b.sorts[value]))
                           for m, c in f.items()]
            elif f:
                pieces.append((ends, self.a.terms.term(f, "R")))
        return self._assembled(body, g, name, t, breaks, points, pieces)

    def _without_zeros(self, value: int, facts: Sequence[int]) -> Polynomial:
        """The value as a polynomial without the products in which a factor is 0 by a fact."""
        d, read = self.d, self.a.reader.read
        zero = d.num(0)
        gone = [read(t) for i in facts if d.head(d.claim(i)) == "eq"
                for t, other in (d.kids(d.claim(i)), d.kids(d.claim(i))[::-1]) if other == zero]
        atoms = {m[0][0] for f in gone if len(f) == 1 for m in f if len(m) == 1 and m[0][1] == 1}
        return {m: c for m, c in read(value).items() if not any(x in atoms for x, _ in m)}

    # pieces -----------------------------------------------------------------------------------

    def _points(self, breaks: Breaks, g: int) -> list[Break]:
        """Breakpoints in order; conditions that have cases are solved between those of others."""
        found: list[Break] = []
        hard: list[int] = []
        for c in self._conditions(breaks, g):
            try:
                new = breaks.of(c)
            except NotFound:
                hard.append(c)
                continue
            if new is not None:
                self._insert(breaks, found, new)
        t = breaks.letter
        for low, high in self._regions(found) if hard else []:
            known = self._known(breaks, t, low, high, found)
            for c in hard:
                new = breaks.of(self._resolved(c, t, known))
                if new is not None:
                    self._insert(breaks, found, new)
        return found

    def _conditions(self, breaks: Breaks, g: int) -> list[int]:
        """The relations on which cases of the term depend, in the variable."""
        d = self.d
        found: dict[int, None] = {}
        for u in d.subterms(g):
            conditions: list[int] = []
            if d.head(u) == "if":
                conditions = [v for v in d.subterms(d.kids(u)[0]) if d.head(v) in RELATIONS]
            elif d.head(u) in ("max", "min"):
                conditions = [d.mk("le", *d.kids(u))]
            elif d.head(u) == "abs" and d.b.sorts[d.kids(u)[0]] == "R":
                conditions = [d.mk("le", d.num(0), d.kids(u)[0])]
            found.update(dict.fromkeys(c for c in conditions if not d.b.loose[c]
                                       and breaks.letter in d.subterms(c)))
        return list(found)

    def _insert(self, breaks: Breaks, found: list[Break], new: Break) -> None:
        d = self.d
        for n, old in enumerate(found):
            if old.point == new.point:
                if old.scale == new.scale:
                    return
                continue
            less, more = d.mk("lt", new.point, old.point), d.mk("lt", old.point, new.point)
            below = self._decide(less, breaks.facts)
            if below:
                found.insert(n, new)
                return
            if not self._decide(more, breaks.facts):
                same = Break(old.point, new.scale, new.rate)
                if same not in found:
                    found.insert(n, same)
                return
        found.append(new)

    def _decide(self, relation: int, facts: list[int]) -> bool:
        """Is a < b?  Logarithms are compared by their exponentials, which the facts speak of."""
        d = self.d
        found = self.a.truth(relation, facts)
        if found is None:
            product = self.multiplied(relation, facts)
            if product is None:
                raise NeedSplit(relation)
            claim, equivalence = product
            known = self.a.truth(claim, facts)
            if known is None:
                raise NeedSplit(claim)
            decided = relation if d.claim(known) == claim else d.mk("not", relation)
            found = d.taut(decided, equivalence, known)
        if found not in facts:
            facts[:] = self.a._closed([*facts, found])
        return d.claim(found) == relation

    def multiplied(self, relation: int, facts: Sequence[int]) -> tuple[int, int] | None:
        """a < b as a relation between products, and the equivalence; None without logarithms."""
        d, a = self.d, self.a
        s, u = d.kids(relation)
        gap = plus(a.reader.read(u), a.reader.read(s), -1)
        if not any(a.terms.symbol(x) == "log" for m in gap for x, _ in m):
            return None
        common = lcm(*(c.denominator for c in gap.values()))
        low = a.terms.term({m: -c * common for m, c in gap.items() if c < 0}, "R")
        high = a.terms.term({m: c * common for m, c in gap.items() if c > 0}, "R")
        head = d.head(relation)
        scaled = d.mk(head, low, high)
        halves = [d.disch(s, d.do("arith", t, [d.assume(s)], [[d.num(Fraction(n)), [0]]]))
                  for s, t, n in ((relation, scaled, Fraction(common)),
                                  (scaled, relation, Fraction(1, common)))]
        first = d.taut(d.mk("iff", relation, scaled), *halves)
        grows = a.grows(head, low, high)
        tidied = [self._tidy(d.refl(d.mk("exp", x)), facts) for x in (low, high)]
        for equation in tidied:
            grows = d.replace(grows, equation)
        claim = d.mk(head, *(d.kids(d.claim(e))[1] for e in tidied))
        return claim, d.taut(d.mk("iff", relation, claim), first, grows)

    @staticmethod
    def _regions(points: list[Break]) -> list[tuple[Break | None, Break | None]]:
        distinct: list[Break] = []
        for p in points:
            if not distinct or distinct[-1].point != p.point:
                distinct.append(p)
        ends: list[Break | None] = [None, *distinct, None]
        return list(pairwise(ends))

    def _known(self, breaks: Breaks, t: int, low: Break | None, high: Break | None,
               points: list[Break]) -> list[int]:
        """Facts inside a region: where t lies, and what follows for exponentials."""
        d = self.d
        facts = list(breaks.facts)
        if low is not None:
            facts.append(d.assume(d.mk("lt", low.point, t)))
        if high is not None:
            facts.append(d.assume(d.mk("lt", t, high.point)))
        extra = []
        for p in points:
            if p.scale < 0:
                continue
            below = d.mk("lt", t, p.point)
            side = self.a.truth(below, facts)
            if side is None:
                continue
            small, large = (t, p.point) if d.claim(side) == below else (p.point, t)
            less = d.mk("lt", small, large)
            holds = self.a.truth(less, facts)
            if holds is None or d.claim(holds) != less:
                continue
            extra.append(self._exponentials(holds, small, large, p, facts))
        return [*facts, *extra]

    def _exponentials(self, less: int, small: int, large: int, p: Break, facts: Sequence[int]
                      ) -> int:
        """scale exp(rate small) < scale exp(rate large)."""
        d = self.d
        s, u = (d.mul(p.rate, x) for x in (small, large))
        positive_rate = self.a.prove(d.mk("lt", d.num(0), p.rate), facts)
        grows = d.do("arith", d.mk("lt", s, u), [less, positive_rate], [[d.num(1), [0, 1]]])
        es, eu = d.mk("exp", s), d.mk("exp", u)
        law = d.law("exp monotone", d.mk("iff", d.mk("lt", s, u), d.mk("lt", es, eu)), s, u)
        grows = d.taut(d.mk("lt", es, eu), law, grows)
        positive = d.law("exp positive", d.mk("lt", d.num(0), p.scale), *d.kids(p.scale))
        goal = d.mk("lt", d.mul(p.scale, es), d.mul(p.scale, eu))
        found = d.do("arith", goal, [grows, positive], [[d.num(1), [0, 1]]])
        for t in d.subterms(d.claim(found)):
            if d.head(t) == "exp" and (tidy := self.a.roots.argument(t, facts)) is not None:
                found = d.replace(found, tidy)
        return found

    def _resolved(self, g: int, t: int, facts: list[int]) -> int:
        """The term with all conditions decided by the facts."""
        d = self.d
        while True:
            step = self.a._next_case(g, facts)
            if step is None:
                return g
            kind, value = step
            if kind == "split":
                if t in d.subterms(value):
                    simpler = self.a.without_factor(value, facts)
                    if simpler is not None and t not in d.subterms(simpler[0]):
                        raise NeedSplit(simpler[0])
                    if (factor := self.a.factors_of.open_factor(value, t, facts)) is not None:
                        raise NeedSplit(factor)
                    raise NotFound("a condition on the variable is not decided")
                raise NeedSplit(value)
            s, u = d.kids(d.claim(value))
            if d.head(d.claim(value)) == "iff":
                _, g = d.formula_hole(g, s, u)
            else:
                g = d.b.open(d.hole(g, s), u)

    # integrals of pieces ----------------------------------------------------------------------

    def _assembled(self, body: int, g: int, name: str, t: int, breaks: Breaks, points: list[Break],
                   pieces: list[tuple[tuple[int | None, int | None], int]]) -> int:
        d, sort = self.d, self.d.b.sorts[body]
        parts = [self._scaled_piece(name, t, value, low, high, breaks)
                 for (low, high), value in pieces]
        whole = parts[0] if parts else self._nothing(sort)
        for p in parts[1:]:
            whole = self.sum_of(whole, p)
        inner = d.kids(d.kids(d.claim(whole))[0])[0]
        same = self._equal(g, d.b.open(inner, t), t, breaks, points)
        for p in reversed(list(dict.fromkeys(q.point for q in points))):
            apart = d.mk("not", d.mk("eq", t, p))
            same = d.disch(apart, same)
        everywhere = d.gen(name, "R", same)
        goal = d.conj([d.mk("iff", d.mk("liny", body), d.mk("liny", inner)),
                       d.mk("eq", d.mk("lint", body), d.mk("lint", inner))])
        moved = d.parts(d.do("except_at", goal, [everywhere]))
        iny, value = d.parts(whole)
        equation = self._tidy(d.chain(moved[1], value), breaks.facts)
        simpler = self.bells.simpler(d.kids(d.claim(equation))[1], breaks.facts)
        if simpler is not None:
            equation = d.chain(equation, simpler)
        return d.both(d.taut(d.mk("liny", body), moved[0], iny), equation)

    def unlogged(self, t: int, facts: Sequence[int]) -> int | None:
        """exp(log x - log y) = x / y for a power of that kind, where x and y are positive."""
        d = self.d
        if not any(d.head(u) == "log" for u in d.subterms(t)):
            return None
        found = self._tidy(d.refl(t), facts)
        value = d.kids(d.claim(found))[1]
        whole = value != t and not any(d.head(u) == "log" for u in d.subterms(value))
        return found if whole else None

    def _tidy(self, equation: int, facts: Sequence[int]) -> int:
        """The value with exp(log x) = x put in and x (1/x) cancelled, where that is proved."""
        value = self.d.kids(self.d.claim(equation))[1]
        return self.d.chain(equation, self.a.logarithms.tidied(value, facts))

    def _nothing(self, sort: str) -> int:
        return self.a.nothing("lint", sort)

    def sum_of(self, first: int, second: int) -> int:
        """``liny (f + g) and lint (f + g) = a + b`` from the two."""
        d = self.d
        (iny_f, eq_f), (iny_g, eq_g) = d.parts(first), d.parts(second)
        (f,), (g,) = d.kids(d.claim(iny_f)), d.kids(d.claim(iny_g))
        h = d.mk("add", f, g)
        value = d.mk("add", d.mk("lint", f), d.mk("lint", g))
        made = d.do("integral", d.conj([d.mk("liny", h), d.mk("eq", d.mk("lint", h), value)]),
                    [iny_f, iny_g], ["sum"])
        iny, equation = d.parts(made)
        left, right = (d.kids(d.claim(e)) for e in (eq_f, eq_g))
        total = d.mk("add", left[1], right[1])
        both = d.do("arith", d.mk("eq", value, total), [eq_f, eq_g],
                    [[d.like(1, d.b.sorts[f]), [0]], [d.like(1, d.b.sorts[f]), [1]]])
        return d.both(iny, d.chain(equation, both))

    def _equal(self, g: int, sum_of_pieces: int, t: int, breaks: Breaks, points: list[Break]
               ) -> int:
        """g = the sum of pieces away from the breakpoints, region by region."""
        d = self.d
        goal = d.mk("eq", g, sum_of_pieces)
        distinct = [r[1] for r in self._regions(points)][:-1]
        found = None
        regions = self._regions(points)
        for n in range(len(regions) - 1, -1, -1):
            low, high = regions[n]
            inside = self.a.relation(goal, self._known(breaks, t, low, high, points))
            if found is None:
                found = inside
                continue
            p = distinct[n]
            assert p is not None
            less, same, more = (d.mk("lt", t, p.point), d.mk("eq", t, p.point),
                                d.mk("lt", p.point, t))
            law = d.do("order", d.mk("or", less, d.mk("or", same, more)))
            apart = d.assume(d.mk("not", same))
            found = d.taut(goal, law, apart, d.disch(less, inside), d.disch(more, found))
        assert found is not None
        return found

    def _scaled_piece(self, name: str, t: int, value: int, low: int | None, high: int | None,
                      breaks: Breaks) -> int:
        """A piece as a multiple of one whose factors all contain the variable."""
        d, terms, sort = self.d, self.a.terms, self.d.b.sorts[value]
        f = self.a.reader.read(value)
        if low is None and high is None:
            return self._whole_line(name, t, value, breaks)
        if len(f) != 1:
            return self._piece(name, t, value, low, high, breaks.facts)
        ((m, c),) = f.items()
        moving = tuple((x, e) for x, e in m if breaks.mentioned(x))
        free = {tuple((x, e) for x, e in m if not breaks.mentioned(x)): c}
        factor = terms.term(free, sort)
        inner = terms.term({moving: 1}, sort)
        if factor == d.like(1, sort):
            return self._piece(name, t, value, low, high, breaks.facts)
        made = self._piece(name, t, inner, low, high, breaks.facts)
        iny, equation = d.parts(made)
        (part,) = d.kids(d.claim(iny))
        body = d.mk("mul", d.b.lift(factor), part)
        goal = d.conj([d.mk("liny", body), d.mk("eq", d.mk("lint", body), d.mk(
            "mul", factor, d.mk("lint", part)))])
        scaled, equal = d.parts(d.do("integral", goal, [iny], ["scale", factor]))
        return d.both(scaled, d.chain(equal, d.alike(d.kids(d.claim(equal))[1], equation)))

    def _whole_line(self, name: str, t: int, value: int, breaks: Breaks) -> int:
        """Over the line: over t < 0 and over t > 0."""
        d = self.d
        zero = d.num(0)
        left = self._scaled_piece(name, t, value, None, zero, breaks)
        right = self._scaled_piece(name, t, value, zero, None, breaks)
        return self.sum_of(left, right)

    def _piece(self, name: str, t: int, value: int, low: int | None, high: int | None,
               facts: Sequence[int]) -> int:
        """``liny and lint`` over one interval of one smooth expression."""
        d = self.d
        if low is None:
            assert high is not None
            return self._reflected(name, t, value, high, facts)
        whole = self.antiderivative(value, t, facts)
        f, big = (d.b.abstract(x, name, "R") for x in (value, whole))
        slope, smooth = derivative(d.b, big)
        if smooth is not None:
            raise NotFound("an antiderivative with poles")
        zero, minus = d.like(0, d.b.sorts[f]), d.like(-1, d.b.sorts[f])
        inside = d.mk("lt", d.b.lift(low), d.b.bound(0, "R"))
        if high is not None:
            inside = d.mk("and", inside, d.mk("lt", d.b.bound(0, "R"), d.b.lift(high)))
        at = d.b.open(inside, t)
        equal = self.a.relation(d.mk("eq", d.b.open(slope, t), value), [*facts, d.assume(at)])
        everywhere = d.gen(name, "R", d.disch(at, equal))
        part = d.mk("if", inside, f, zero)
        if high is not None:
            value_at = d.mk("add", d.b.open(big, high), d.mk("mul", minus, d.b.open(big, low)))
            order = self.a.prove(d.mk("le", low, high), facts)
            goal = d.conj([d.mk("liny", part), d.mk("eq", d.mk("lint", part), value_at)])
            return d.do("ftc", goal, [order, everywhere], ["finite", big, f, low, high])
        limit = self.limit(big, facts)
        end = d.kids(d.claim(limit))[1]
        value_at = d.mk("add", end, d.mk("mul", minus, d.b.open(big, low)))
        goal = d.conj([d.mk("liny", part), d.mk("eq", d.mk("lint", part), value_at)])
        third = self._sign_or_bound(name, t, at, value, facts)
        return d.do("ftc", goal, [limit, everywhere, third], ["infinite", big, f, low, end])

    def _sign_or_bound(self, name: str, t: int, at: int, value: int, facts: Sequence[int]) -> int:
        d = self.d
        if d.b.sorts[value] != "R":
            return self._bounded(name, t, at, value, facts)
        above = self.a.relation(d.mk("le", d.num(0), value), [*facts, d.assume(at)])
        return d.gen(name, "R", d.disch(at, above))

    def _bounded(self, name: str, t: int, at: int, value: int, facts: Sequence[int]) -> int:
        """``liny`` of a complex product over a half-line, by its absolute value."""
        d = self.d
        size = self.complexes.size(value, facts)
        known = [*facts, d.assume(at)]
        short = self.resolved_fully(d.kids(d.claim(size))[1], known)
        rim = d.kids(d.claim(short))[1]
        low = d.kids(at)[0]
        iny = d.parts(self._piece(name, t, rim, low, None, facts))[0]
        part = d.mk("if", at, value, d.like(0, "C"))
        bound = d.b.open(d.kids(d.claim(iny))[0], t)
        goal = d.mk("le", d.mk("abs", part), bound)
        equal = d.chain(size, short)
        below = self.a.prove(goal, [*facts, d.disch(at, equal)])
        everywhere = d.gen(name, "R", below)
        whole = d.b.abstract(part, name, "R")
        return d.do("dominate", d.mk("liny", whole), [everywhere, iny])

    def resolved_fully(self, term: int, facts: Sequence[int]) -> int:
        """term = a term without cases, decided by the facts."""
        d = self.d
        found = d.refl(term)
        while (step := self.a._next_case(d.kids(d.claim(found))[1], facts)) is not None:
            if step[0] == "split":
                raise NeedSplit(step[1])
            found = d.chain(found, d.alike(d.kids(d.claim(found))[1], step[1]))
        return found

    def _reflected(self, name: str, t: int, value: int, high: int, facts: Sequence[int]) -> int:
        """Over t < high by t -> -t."""
        d, sort = self.d, self.d.b.sorts[value]
        minus, zero = d.num(-1), d.num(0)
        turned = d.b.put(value, {(name, "R"): d.mul(minus, t)})
        breaks = Breaks(self.a, t, facts)
        there = self._scaled_piece(name, t, turned, d.mul(minus, high), None, breaks)
        iny, equation = d.parts(there)
        (moved,) = d.kids(d.claim(iny))
        inside = d.mk("lt", d.b.bound(0, "R"), d.b.lift(high))
        part = d.mk("if", inside, d.b.abstract(value, name, "R"), d.like(0, sort))
        at = d.mk("add", d.mk("mul", minus, d.b.bound(0, "R")), zero)
        composed = d.b.open(d.b.deepen(part), at)
        same = self.a.relation(d.mk("eq", d.b.open(composed, t), d.b.open(moved, t)), facts)
        alike = d.gen(name, "R", same)
        size = d.mk("abs", minus) if sort == "R" else d.mk("cx", d.mk("abs", minus))
        apart = self.a.prove(d.mk("not", d.mk("eq", minus, zero)), [])
        goal = d.conj([d.mk("iff", d.mk("liny", part), d.mk("liny", composed)),
                       d.mk("eq", d.mk("lint", part), d.mk("mul", size, d.mk("lint", composed)))])
        iff, equal = d.parts(d.do("affine", goal, [apart], [part, minus, zero]))
        integrable = d.taut(d.mk("liny", part), iff, d.under("liny", alike), iny)
        total = d.chain(d.under("lint", alike), equation)
        value_at = d.kids(d.claim(total))[1]
        one = self.a.relation(d.mk("eq", d.mk("abs", minus), d.num(1)), [])
        result = d.mk("eq", d.kids(d.claim(equal))[1], value_at)
        scaled = self.a.identity(result, [one, total])
        return d.both(integrable, d.chain(equal, scaled))

    # antiderivatives --------------------------------------------------------------------------

    def antiderivative(self, value: int, t: int, facts: Sequence[int]) -> int:
        """A term whose derivative in t is the value: sums of c t^n exp(k t)."""
        d, solver = self.d, Breaks(self.a, t, facts)
        atom, sort = solver.atom, d.b.sorts[value]
        total: Polynomial = {}
        for m, c in self.a.reader.read(value).items():
            n = int(dict(m).get(atom, 0))
            bare = tuple((x, e) for x, e in m if x != atom)
            split = solver.split_quadratic(bare)
            if split is None:
                raise NotFound("no antiderivative in the table")
            k, h, rest = split
            exponential = tuple((x, e) for x, e in bare if solver.mentioned(x))
            if h:
                bell = self._gaussian(k, h, t, facts)
                moment = gaussian_moment(self.a, n, k, h, ({exponential: 1}, bell), atom)
                total = plus(total, times({rest: c}, moment))
                continue
            total = plus(total, times({rest: c}, self._power_times(n, k, exponential, atom, facts)))
        return self.a.terms.term(total, sort)

    def _gaussian(self, k: Polynomial, h: Polynomial, t: int, facts: Sequence[int]) -> Polynomial:
        """The antiderivative of exp(k t + h t^2), h < 0, by erfc:
        -sqrt(pi)/(2 r) exp(k^2/(4 r^2)) erfc(r t - k/(2 r)), r^2 = -h."""
        d, terms, read = self.d, self.a.terms, self.a.reader.read
        square = {m: -c for m, c in h.items()}
        if self.a.positive(terms.term(square), facts) is None:
            raise NotFound("a Gaussian that grows")
        r = self.a.roots.root(square)
        inverse = read(d.mk("inv", terms.term(r)))
        shift = self.a.roots.tidy(times(times(k, inverse), {(): Fraction(1, 2)}))
        line = plus(times(r, read(t)), shift, -1)
        height = self.a.roots.tidy(times(shift, shift))
        scale = times(read(d.mk("sqrt", d.mk("pi"))), times(inverse, {(): Fraction(-1, 2)}))
        bell = read(d.mk("erfc", terms.term(line)))
        one: Polynomial = {(): 1}
        exponential = read(d.mk("exp", terms.term(height))) if height else one
        return times(times(scale, exponential), bell)

    def _power_times(self, n: int, k: Polynomial, exponential: Monomial,
                     atom: int, facts: Sequence[int]) -> Polynomial:
        """The antiderivative of t^n exp(k t)."""
        d, one = self.d, 1
        if not k:
            return {((atom, n + 1),): Fraction(one, n + 1)}
        rate = self.a.terms.term(k)
        if self.a.nonzero(rate, facts) is None:
            raise NeedSplit(d.mk("eq", rate, d.like(0, d.b.sorts[rate])))
        inverse = self.a.reader.read(d.mk("inv", rate))
        found: Polynomial = {}
        factor: Polynomial = {exponential: one}
        scale = inverse
        for j in range(n + 1):
            monomial: Polynomial = {((atom, n - j),): one} if n > j else {(): one}
            found = plus(found, times(times(monomial, factor), scale))
            scale = times(times(scale, inverse), {(): -(n - j)})
        return found

    def limit(self, body: int, facts: Sequence[int]) -> int:
        """The limit of a sum of c t^n exp(k t), k < 0, at +oo."""
        d = self.d
        name, t = d.fresh("R", "t")
        total: int | None = None
        sort = d.b.sorts[body]
        for m, c in self.a.reader.read(d.b.open(body, t)).items():
            part = self._limit_of_term(m, c, t, sort, facts)
            if total is None:
                total = part
                continue
            total = d.combined("add", total, part)
        if total is None:
            total = d.still(d.like(0, sort))
        f, a = d.kids(d.claim(total))
        same = self.a.relation(d.mk("eq", d.b.open(f, t), d.b.open(body, t)), facts)
        later = d.mk("le", d.num(0), t)
        everywhere = d.gen(name, "R", d.disch(later, same))
        return d.do("limit", d.mk("tends", body, a), [total, everywhere], ["equal"])

    def _limit_of_term(self, m: Monomial, c: Number, t: int, sort: str,
                       facts: Sequence[int]) -> int:
        d, solver = self.d, Breaks(self.a, t, facts)
        n = int(dict(m).get(solver.atom, 0))
        bells = [x for x, _ in m if self.a.terms.symbol(x) == "erfc" and solver.mentioned(x)]
        if bells:
            return self._bell_limit(m, c, bells[0], solver, t, facts)
        found = solver.split_exponential(tuple((x, e) for x, e in m if x != solver.atom))
        if found is None:
            return GaussianLimit(self.a, solver, t, facts).of(m, c, n)
        k, rest = found
        scale = d.still(self.a.terms.term({rest: c}, sort))
        if not k:
            if n:
                raise NotFound("a power of t grows")
            return scale
        if sort != "R":
            return self._squeezed(self.a.terms.term({m: c}, sort), t, facts)
        rate = self.a.terms.term({x: -v for x, v in k.items()})
        zero = d.num(0)
        positive = d.mk("lt", zero, rate)
        known = self.a.truth(positive, facts)
        if known is None:
            raise NeedSplit(positive)
        if d.claim(known) != positive:
            raise NotFound("an exponential that grows")
        f = d.mk("exp", d.mk("mul", d.num(-1), d.mk("mul", d.b.lift(rate), d.b.bound(0, "R"))))
        for _ in range(n):
            f = d.mk("mul", d.b.bound(0, "R"), f)
        decay = d.do("limit", d.mk("tends", f, zero), [known], ["decay", str(n)])
        (h, a), (g, e) = d.kids(d.claim(scale)), d.kids(d.claim(decay))
        goal = d.mk("tends", d.mk("mul", h, g), d.mk("mul", a, e))
        return d.do("limit", goal, [scale, decay], ["product"])

    def _squeezed(self, value: int, t: int, facts: Sequence[int]) -> int:
        """A complex product tends to 0 because its absolute value does."""
        d, name = self.d, str(self.d.b.rows[t][1])
        zero = d.num(0)
        later = d.mk("le", zero, t)
        size = self.complexes.size(value, facts)
        short = self.resolved_fully(d.kids(d.claim(size))[1], [*facts, d.assume(later)])
        rim = d.kids(d.claim(short))[1]
        first = self.limit(d.b.abstract(rim, name, "R"), facts)
        f, a = d.kids(d.claim(first))
        if a != zero:
            same = self.a.identity(d.mk("eq", a, zero), facts)
            first = d.do("rewrite", d.mk("tends", f, zero), [same, first],
                         [d.mk("tends", d.b.deepen(f), d.b.bound(0, "R"))])
        equal = d.chain(size, short)
        below = self.a.prove(d.mk("le", d.mk("abs", value), rim), [*facts, equal])
        everywhere = d.gen(name, "R", d.disch(later, below))
        goal = d.mk("tends", d.b.abstract(value, name, "R"), d.like(0, "C"))
        return d.do("limit", goal, [first, everywhere], ["squeeze"])

    def _bell_limit(self, m: Monomial, c: Number, bell: int, solver: Breaks, t: int,
                    facts: Sequence[int]) -> int:
        """c rest erfc(r t + s) -> 0 for r > 0."""
        d, terms = self.d, self.a.terms
        free = tuple((x, e) for x, e in m if x != bell)
        linear = solver.rate_of(terms.argument(bell))
        if linear is None or any(solver.mentioned(x) for x, _ in free):
            raise NotFound("a limit of erfc")
        slope, place = terms.term(linear[0], "R"), terms.term(linear[1], "R")
        positive = self.a.positive(slope, facts)
        if positive is None:
            raise NotFound("erfc of something that does not grow")
        zero, u = d.num(0), d.b.bound(0, "R")
        first = d.do("limit", d.mk("tends", d.mk("erfc", u), zero), [], ["erfc"])
        at = d.mk("erfc", d.mk("add", d.mk("mul", d.b.lift(slope), u), d.b.lift(place)))
        moved = d.do("limit", d.mk("tends", at, zero), [positive, first], ["affine", place])
        scale = d.still(terms.term({free: c}, "R"))
        (h, a), (g, e) = d.kids(d.claim(scale)), d.kids(d.claim(moved))
        goal = d.mk("tends", d.mk("mul", h, g), d.mk("mul", a, e))
        return d.do("limit", goal, [scale, moved], ["product"])
