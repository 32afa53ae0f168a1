"""Limits at +oo by structure: sums, products, smooth functions, cases that settle, integrals.

A condition settles where its two sides have limits that differ (the definition of a limit gives a
place from which it holds), or where it is linear in the variable; an integral of functions with
limits below one integrable function has the integral of the limits as its limit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING

from lapdp.kernel import Refused
from lapdp.kernel.analysis import derivative
from lapdp.kernel.polynomials import Polynomial, plus
from lapdp.proving.breaks import Breaks, NeedSplit
from lapdp.proving.columns import RELATIONS
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

SMOOTH = frozenset({"exp", "log", "sqrt", "inv", "erfc", "cos", "sin", "cx"})
CASES = frozenset({"if", "max", "min", "abs", "oint", "lint"})
MOST_CASES = 8
MOST_MAJORANTS = 8
Settled = tuple[bool, int]
"""Does a condition hold in the end, and: there is k, for all t >= k it holds (or does not)."""


class Limits:
    """Finds limits, for a :class:`Prover`; what moves is the letter that :meth:`of` makes."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self.depth = 0

    # what is asked for ------------------------------------------------------------------------

    def tends(self, goal: int, facts: Sequence[int]) -> int:
        """The goal ``tends(f, a)``.  Raises :class:`NotFound`."""
        d = self.d
        body, value = d.kids(goal)
        found = self.cases(body, facts)[1]
        same = self.a.prove(d.mk("eq", d.kids(d.claim(found))[1], value), facts)
        return self._with_value(found, same)

    def candidates(self, body: int, facts: Sequence[int]) -> Iterator[int]:
        """Limits that the body of a quantifier asks its variable to be."""
        d = self.d
        for t in d.subterms(body):
            if d.head(t) != "tends" or d.head(d.kids(t)[1]) != "b":
                continue
            f = d.kids(t)[0]
            if d.head(f) == "if" and len(d.b.loose[f]) > 1:  # from some place on
                f = d.kids(f)[1]
            if len(d.b.loose[f]) > 1:
                continue
            try:
                yield self.cases(f, facts)[0]
            except (NotFound, NeedSplit):
                continue

    def cases(self, body: int, facts: Sequence[int]) -> tuple[int, int]:
        """A limit, cases of the parameters included, and the theorem."""
        d = self.d
        self.depth += 1
        try:
            if self.depth > MOST_CASES:
                raise NotFound("too many cases of a limit")
            try:
                found = self.of(body, facts)
                return d.kids(d.claim(found))[1], found
            except NeedSplit as need:
                condition = need.condition
            known = self.a.truth(condition, facts)
            if known is not None:
                if known in facts:
                    raise NotFound("a condition that is known was asked for")
                return self.cases(body, [*facts, known])
            no = d.mk("not", condition)
            both = [self.cases(body, self.a._closed([*facts, d.assume(c)]))
                    for c in (condition, no)]
            value = d.mk("if", condition, both[0][0], both[1][0])
            if both[0][0] == both[1][0]:
                return both[0][0], d.split(condition, both[0][1], both[1][1])
            sides = []
            for c, (v, found) in zip((condition, no), both, strict=True):
                law = d.mp(d.do("cases", d.mk("imp", c, d.mk("eq", value, v))), d.assume(c))
                sides.append(self._with_value(found, d.turn(law)))
            return value, d.split(condition, *sides)
        finally:
            self.depth -= 1

    def _with_value(self, found: int, same: int) -> int:
        """The limit with its value replaced by the right side of an equation."""
        d = self.d
        body, value = d.kids(d.claim(found))
        other = d.kids(d.claim(same))[1]
        if value == other:
            return found
        hole = d.mk("tends", d.b.deepen(body), d.b.bound(0, d.b.sorts[value]))
        return d.do("rewrite", d.mk("tends", body, other), [same, found], [hole])

    # by structure -----------------------------------------------------------------------------

    def of(self, body: int, facts: Sequence[int]) -> int:
        """The limit of the body of a binder; :class:`NeedSplit` for an open condition."""
        name, t = self.d.fresh("R", "t")
        return self._of(self.d.b.open(body, t), name, facts)

    def _of(self, f: int, name: str, facts: Sequence[int]) -> int:
        d = self.d
        body, sort = d.b.abstract(f, name, "R"), d.b.sorts[f]
        if (name, "R") not in d.b.letters[f]:
            return d.still(f)
        head, kids = d.head(f), d.kids(f)
        if not any(d.head(u) in CASES for u in d.subterms(f)):
            try:
                return self._tidied(self.a.integration.limit(body, facts))
            except NotFound:
                pass
        if head == "mul" and (none := self._nothing(f, name, facts)) is not None:
            return none
        if head in ("add", "mul"):
            return self._tidied(d.combined(head, *(self._of(k, name, facts) for k in kids)))
        if head in SMOOTH and d.b.sorts[kids[0]] == "R":
            return self._smooth(head, self._of(kids[0], name, facts), facts)
        if head in ("max", "min") or (head == "abs" and d.b.sorts[kids[0]] == "R"):
            law = self.a._unfold(f)
            found = self._of(d.kids(d.claim(law))[1], name, facts)
            return self._equal(found, d.turn(law), name, d.num(0))
        if head == "if":
            return self._choice(f, name, facts)
        if head in ("oint", "lint"):
            return self._integral(f, name, facts)
        raise NotFound(f"a limit of {head} {sort}")

    def _nothing(self, f: int, name: str, facts: Sequence[int]) -> int | None:
        """The limit 0 of a product one factor of which is 0 by the facts."""
        d, zero = self.d, self.d.like(0, self.d.b.sorts[f])
        for k, other in (d.kids(f), d.kids(f)[::-1]):
            if d.head(k) != "dens":
                continue
            low = d.mk("le", k, zero)
            if (known := self.a.truth(low, facts)) is not None and d.claim(known) == low:
                known = self.a.prove(d.mk("eq", k, zero), facts)
                same = d.do("arith", d.mk("eq", f, zero), [known], [[other, [0]]])
                return self._equal(d.still(zero), d.turn(same), name, d.num(0))
        return None

    def _tidied(self, found: int) -> int:
        d = self.d
        value = d.kids(d.claim(found))[1]
        short = self.a.terms.term(self.a.reader.read(value), d.b.sorts[value])
        if short == value:
            return found
        return self._with_value(found, d.do("arith", d.mk("eq", value, short)))

    def _smooth(self, head: str, inner: int, facts: Sequence[int]) -> int:
        d = self.d
        f, a = d.kids(d.claim(inner))
        whole = d.mk(head, d.b.bound(0, "R"))
        try:
            _, condition = derivative(d.b, whole)
        except Refused as problem:
            raise NotFound(str(problem)) from None
        given = [] if condition is None else [self.a.prove(d.b.open(condition, a), facts)]
        goal = d.mk("tends", d.b.open(d.b.deepen(whole), f), d.b.open(whole, a))
        return self._tidied(d.do("smooth", goal, [inner, *given], [whole]))

    def _equal(self, found: int, same: int, name: str, place: int) -> int:
        """The limit of what equals a function with that limit, from a place on."""
        d = self.d
        later = d.mk("le", place, d.b.letter(name, "R"))
        everywhere = d.gen(name, "R", d.disch(later, same))
        other = d.b.abstract(d.kids(d.claim(same))[1], name, "R")
        goal = d.mk("tends", other, d.kids(d.claim(found))[1])
        return d.do("limit", goal, [found, everywhere], ["equal"])

    def _choice(self, f: int, name: str, facts: Sequence[int]) -> int:
        d = self.d
        condition, yes, no = d.kids(f)
        holds, exists = self._settled(condition, name, facts)
        part = yes if holds else no
        found = self._of(part, name, facts)
        kname, k = d.fresh("R", "k")
        at = d.assume(d.b.open(d.kids(d.claim(exists))[0], k))
        t = d.b.letter(name, "R")
        inside = d.inst(at, t)
        later, claim = d.kids(d.claim(inside))
        law = d.do("cases", d.mk("imp", claim, d.mk("eq", f, part)))
        same = d.mp(law, d.mp(inside, d.assume(later)))
        made = self._equal(found, d.turn(same), name, k)
        return d.do("choose", d.claim(made), [exists, made], [kname, "R"])

    # conditions that settle -------------------------------------------------------------------

    def _settled(self, formula: int, name: str, facts: Sequence[int]) -> Settled:
        d = self.d
        head, kids = d.head(formula), d.kids(formula)
        if (name, "R") not in d.b.letters[formula]:
            known = self.a.truth(formula, facts)
            if known is None:
                raise NeedSplit(formula)
            return d.claim(known) == formula, self._from(known, name, d.num(0))
        if head == "not":
            holds, exists = self._settled(kids[0], name, facts)
            return not holds, self._turned(formula, [exists], name) if holds else exists
        if head in ("and", "or"):
            parts = [self._settled(k, name, facts) for k in kids]
            decisive = [e for h, e in parts if h == (head == "or")]
            used = decisive[:1] or [e for _, e in parts]
            holds = bool(decisive) == (head == "or")
            return holds, self._turned(formula if holds else d.mk("not", formula), used, name)
        if head not in RELATIONS or d.b.sorts[kids[0]] != "R":
            raise NotFound("a condition that may not settle")
        return self._relation(formula, name, facts)

    def _from(self, known: int, name: str, place: int) -> int:
        """There is k, for all t >= k A, from A at the letter under place <= t."""
        d = self.d
        later = d.mk("le", place, d.b.letter(name, "R"))
        everywhere = d.gen(name, "R", d.disch(later, known))
        order = d.mk("le", d.b.bound(1, "R"), d.b.bound(0, "R"))
        body = d.mk("allR", d.mk("imp", order, d.b.abstract(d.claim(known), name, "R")))
        return d.do("wit", d.mk("exR", body), [everywhere], [place])

    def _turned(self, claim: int, given: Sequence[int], name: str) -> int:
        """There is k, for all t >= k the claim, from such theorems by propositional logic."""
        d = self.d
        t = d.b.letter(name, "R")
        names, insides = [], []
        for exists in given:
            kname, k = d.fresh("R", "k")
            names.append((kname, k))
            insides.append(d.inst(d.assume(d.b.open(d.kids(d.claim(exists))[0], k)), t))
        place = names[0][1]
        for _, k in names[1:]:
            place = d.mk("max", place, k)
        later = d.assume(d.mk("le", place, t))
        steps = []
        for (_, k), i in zip(names, insides, strict=True):
            below = later if k == place else self.a.by_cases(d.mk("le", k, place))
            order = later if k == place else d.do("arith", d.mk("le", k, t), [below, later], [
                [d.num(1), [0]], [d.num(1), [1]]])
            steps.append(d.mp(i, order))
        made = self._from(d.taut(claim, *steps), name, place)
        for (kname, _), exists in zip(names, given, strict=True):
            made = d.do("choose", d.claim(made), [exists, made], [kname, "R"])
        return made

    def _relation(self, formula: int, name: str, facts: Sequence[int]) -> Settled:
        d, a = self.d, self.a
        s, u = d.kids(formula)
        t = d.b.letter(name, "R")
        gap = plus(a.reader.read(u), a.reader.read(s), -1)
        linear = Breaks(a, t, facts).rate_of(gap)
        if linear is not None and linear[0]:
            return self._linear(formula, name, linear, facts)
        g = a.terms.term(gap, "R")
        try:
            found = self._of(g, name, facts)
        except NotFound:
            if (rate := self._growth(gap, name)) is None or d.head(formula) == "eq":
                raise
            return self._scaled(formula, name, gap, rate, facts)
        end = d.kids(d.claim(found))[1]
        zero = d.num(0)
        for up, condition in ((True, d.mk("lt", zero, end)), (False, d.mk("lt", end, zero))):
            known = a.truth(condition, facts)
            if known is None:
                raise NeedSplit(condition)
            if d.claim(known) == condition:
                return self._apart(formula, found, known, up, name)
        later = d.assume(d.mk("le", zero, t))
        for holds, claim in ((True, formula), (False, d.mk("not", formula))):
            try:
                return holds, self._from(a.prove(claim, [*facts, later]), name, zero)
            except (NotFound, NeedSplit):
                continue
        for p in d.subterms(formula):
            if d.head(p) == "dens" and a.truth(d.mk("lt", zero, p), facts) is None:
                raise NeedSplit(d.mk("lt", zero, p))
        raise NotFound("a condition between functions with one limit")

    def _growth(self, gap: Polynomial, name: str) -> Fraction | None:
        """The largest r > 0 for which e^(r t) occurs, a rational number."""
        a = self.a
        (t,) = a.reader.read(self.d.b.letter(name, "R"))
        rates = [Fraction(c) * e for m in gap for x, e in m if a.terms.symbol(x) == "exp"
                 for n, c in a.terms.argument(x).items() if n == t]
        return max(rates) if rates and max(rates) > 0 else None

    def _scaled(self, formula: int, name: str, gap: Polynomial, rate: Fraction,
                facts: Sequence[int]) -> Settled:
        """A relation settles as the one between its sides times e^(-r t) does."""
        d, a = self.d, self.a
        zero, one, t = d.num(0), d.num(1), d.b.letter(name, "R")
        powers = [d.mk("exp", d.mul(d.num(r), t)) for r in (-rate, rate)]
        shrunk = a.terms.term(a.reader.read(d.mul(a.terms.term(gap, "R"), powers[0])), "R")
        other = d.mk(d.head(formula), zero, shrunk)
        ways = []
        for given, goal, power in ((formula, other, powers[0]), (other, formula, powers[1])):
            positive = d.law("exp positive", d.mk("lt", zero, power), *d.kids(power))
            ways.append(d.disch(given, d.do("arith", goal, [d.assume(given), positive],
                                            [[one, [0, 1]]])))
        holds, exists = self._relation(other, name, facts)
        kname, k = d.fresh("R", "k")
        inside = d.inst(d.assume(d.b.open(d.kids(d.claim(exists))[0], k)), t)
        known = d.mp(inside, d.assume(d.mk("le", k, t)))
        claim = formula if holds else d.mk("not", formula)
        made = self._from(d.taut(claim, *ways, known), name, k)
        return holds, d.do("choose", d.claim(made), [exists, made], [kname, "R"])

    def _linear(self, formula: int, name: str, linear: tuple[Polynomial, Polynomial],
                facts: Sequence[int]) -> Settled:
        """A condition with the gap r t + c holds, or does not, from (1 - c)/r or (-1 - c)/r on."""
        d, a = self.d, self.a
        r, c = (a.terms.term(f, "R") for f in linear)
        up = Breaks(a, d.b.letter(name, "R"), facts).sign(r) > 0
        place = d.mul(d.sub(d.num(1 if up else -1), c), d.mk("inv", r))
        t = d.b.letter(name, "R")
        later = d.assume(d.mk("le", place, t))
        holds = up and d.head(formula) != "eq"
        claim = formula if holds else d.mk("not", formula)
        return holds, self._from(a.prove(claim, [*facts, later]), name, place)

    def _apart(self, formula: int, found: int, sign: int, up: bool, name: str) -> Settled:
        """A relation whose gap has a limit > 0, or < 0: by the definition of a limit."""
        d, zero = self.d, self.d.num(0)
        f, end = d.kids(d.claim(found))
        size = end if up else d.neg(end)
        positive = sign if up else d.do("arith", d.mk("lt", zero, size), [sign],
                                        [[d.num(1), [0]]])
        near = self._near(f, end)
        exists = d.mp(d.inst(d.onward(near, found), size), positive)
        t = d.b.letter(name, "R")
        kname, k = d.fresh("R", "k")
        at = d.inst(d.assume(d.b.open(d.kids(d.claim(exists))[0], k)), t)
        close = d.mp(at, d.assume(d.mk("le", k, t)))
        holds = up and d.head(formula) != "eq"
        claim = formula if holds else d.mk("not", formula)
        inside = self.a.prove(claim, [close, sign])
        made = self._from(inside, name, k)
        return holds, d.do("choose", d.claim(made), [exists, made], [kname, "R"])

    def _near(self, f: int, end: int) -> int:
        """What it means that a function has a limit."""
        d = self.d
        make = d.b.make
        minus = d.like(-1, d.b.sorts[end])
        gap = make("abs", make("add", d.b.deepen(d.b.deepen(f)), make(
            "mul", minus, d.b.lift(end, 3))))
        t, c, e = (d.b.bound(i, "R") for i in range(3))
        later = make("exR", make("allR", make("imp", make("le", c, t), make("lt", gap, e))))
        known = make("allR", make("imp", make("lt", d.num(0), d.b.bound(0, "R")), later))
        return d.do("near", make("iff", make("tends", f, end), known))

    # integrals --------------------------------------------------------------------------------

    def _integral(self, f: int, name: str, facts: Sequence[int]) -> int:
        d, a = self.d, self.a
        symbol, (body,) = d.head(f), d.kids(f)
        sort = "O" if symbol == "oint" else "R"
        xname, x = d.fresh(sort, "x")
        at = d.b.open(body, x)
        known = [*facts, *a._positive(at)]
        value, inside = self.cases(d.b.abstract(at, name, "R"), known)
        pointwise = d.gen(xname, sort, inside)
        zero, t = d.num(0), d.b.letter(name, "R")
        later = d.assume(d.mk("le", zero, t))
        end = d.mk(symbol, d.b.abstract(value, xname, sort))
        goal = d.conj([d.mk(symbol.replace("int", "iny"), d.kids(end)[0]), d.mk(
            "tends", d.b.abstract(f, name, "R"), end)])
        for h, iny in self._majorants(symbol, body, name, facts):
            try:
                less = a.prove(d.mk("le", d.mk("abs", at), d.b.open(h, x)), [*known, later])
            except (NotFound, NeedSplit):
                continue
            bound = d.gen(xname, sort, d.gen(name, "R", d.disch(d.claim(later), less)))
            return d.parts(d.do("limint", goal, [pointwise, bound, iny], [zero]))[1]
        raise NotFound("no majorant for all t")

    def _majorants(self, symbol: str, body: int, name: str, facts: Sequence[int]
                   ) -> Iterator[tuple[int, int]]:
        """Integrable functions that do not depend on the letter."""
        d = self.d
        if symbol == "oint":
            for m in islice(self.a.majorants.of(body, facts), MOST_MAJORANTS):
                if (name, "R") not in d.b.letters[m.body]:
                    yield m.body, m.iny
            return
        for i in facts:
            if d.head(d.claim(i)) == "liny":
                size = d.mk("abs", d.kids(d.claim(i))[0])
                yield size, d.do("dominate", d.mk("liny", size), [i])
