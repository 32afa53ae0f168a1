"""Certificates without cases: linear combinations of facts, products of facts and laws.

Levels of effort: 0 facts alone; 1 with laws of the atoms that occur; 2 with quotients cleared and
products of two facts; 3 with powers of e compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, combinations, islice

from flint import fmpq

from lapdp.core.precision import workprec
from lapdp.kernel import Refused
from lapdp.kernel.balls import enclosure
from lapdp.kernel.polynomials import Monomial, Polynomial, Power, key, plus, power, ratio
from lapdp.kernel.symbols import UNARY
from lapdp.proving.derivation import Derivation, NotFound
from lapdp.proving.farkas import combination
from lapdp.proving.items import (
    ONE,
    Item,
    Terms,
    combined,
    multiply,
    scaled,
    times,
    whole_quotient,
)
from lapdp.proving.logarithms import Logarithms
from lapdp.proving.models import Models
from lapdp.proving.relevant import Answers, Relevant
from lapdp.proving.signs import Signs

MOST_COLUMNS = 500
MOST_EXPONENTS = 7
MOST_NESTED = 2
MOST_APART = 12
"""Facts x != 0 of which products are formed."""
MOST_LAWS = 3
DIGITS = 24
"""Decimal places of rational bounds of numbers."""
NONE = "no linear certificate"
RELATIONS = ("eq", "le", "lt")
MINUS: Polynomial = {(): -1}
Parts = tuple[tuple[Polynomial, tuple[int, ...]], ...]
Head = tuple[int, int, int]
"""The place of an equation, and the atom and the power of it that it gives."""


class Certificates:
    """Contradictions and identities between relations, in one derivation."""

    def __init__(self, d: Derivation) -> None:
        self.d, self.terms = d, Terms(d)
        self.reader = self.terms.reader
        self._nested = self._within = 0
        self._gaps: dict[int, Polynomial] = {}
        self._heads: dict[int, tuple[int, int] | None] = {}
        self._vain: dict[tuple[int, int, tuple[int, ...]], tuple[int, list[int]]] = {}
        self.relevant = Relevant(self.terms)
        self._decided, self._known_signs, self._compared = Answers(d), Answers(d), Answers(d)
        self.signs = Signs(self)
        self.models, self.cheaply = Models(d, self.terms), Models(d, self.terms, total=True)
        self.logarithms = Logarithms(self)

    # relations --------------------------------------------------------------------------------

    def decided_relation(self, relation: int, facts: Sequence[int]) -> int | None:
        """The relation or its negation as a theorem, without cases; None: not found."""
        d = self.d
        letters = d.b.letters[relation]
        about = [i for i in facts if d.b.letters[d.claim(i)] <= letters]
        if len(about) < len(facts) and (
                found := self.decided_relation(relation, about)) is not None:
            return found
        facts = self.relevant.to(relation, facts)
        return self._decided.of(relation, facts, lambda: self._decide_relation(relation, facts))

    def _decide_relation(self, relation: int, facts: Sequence[int]) -> int | None:
        if self.cheaply.open(relation, facts):
            return None
        simpler = self.without_factor(relation, facts)
        if simpler is not None:
            return self._multiplied_back(relation, *simpler, facts)
        no = self.d.mk("not", relation)
        for level in (0, 1, 2):
            for goal in (relation, no):
                try:
                    return self.plainly(goal, facts, level)
                except NotFound:
                    continue
        return None

    def without_factor(self, relation: int, facts: Sequence[int]) -> tuple[int, int] | None:
        """0 < g for m g of an inequality, and the theorem 0 < m, for a common factor m."""
        d = self.d
        head, (s, t) = d.head(relation), d.kids(relation)
        f = plus(self.reader.read(t), self.reader.read(s), -1)
        if head not in ("le", "lt") or len(f) < 2:
            return None
        common: dict[int, Power] = {}
        for x in dict.fromkeys(x for m in f for x, _ in m):
            least = min(dict(m).get(x, 0) for m in f)
            if least > 0 or (least and self.terms.symbol(x) == "exp"):
                common[x] = least
        factor = tuple(sorted(common.items()))
        if not factor or any(not isinstance(e, int) and self.terms.symbol(x) != "exp"
                             for x, e in factor):
            return None
        positive = self.positive(self.terms.term({factor: 1}, "R"), facts)
        if positive is None:
            return None
        rest: Polynomial = {}
        for m, c in f.items():
            powers = dict(m)
            for x, e in factor:
                powers[x] = powers.get(x, 0) - e
            left = tuple(sorted((x, e) for x, e in powers.items() if e))
            rest = plus(rest, {left: c})
        return d.mk(head, d.num(0), self.terms.term(rest, "R")), positive

    def _multiplied_back(self, relation: int, simpler: int, positive: int, facts: Sequence[int]
                         ) -> int | None:
        """The relation or its negation from the simpler one and 0 < m."""
        d = self.d
        found = self.decided_relation(simpler, facts)
        if found is None:
            return None
        if d.claim(found) == simpler:
            return d.do("arith", relation, [found, positive], [[d.num(1), [0, 1]]])
        other = "lt" if d.head(relation) == "le" else "le"
        claims = [d.mk(other, *reversed(d.kids(r))) for r in (simpler, relation)]
        orders = [d.do("order", d.mk("iff", d.mk("not", r), c))
                  for r, c in zip((simpler, relation), claims, strict=True)]
        turned = d.taut(claims[0], orders[0], found)
        back = d.do("arith", claims[1], [turned, positive], [[d.num(1), [0, 1]]])
        return d.taut(d.mk("not", relation), orders[1], back)

    def plainly(self, goal: int, facts: Sequence[int], level: int) -> int:
        """A relation or its negation by one certificate."""
        d = self.d
        if d.head(goal) == "not":
            inner = d.kids(goal)[0]
            false = self.contradiction([*facts, d.assume(inner)], level)
            return d.taut(goal, d.disch(inner, false))
        if d.head(goal) == "eq":
            return self.identity(goal, facts)
        s, t = d.kids(goal)
        other = d.mk("lt" if d.head(goal) == "le" else "le", t, s)
        law = d.do("order", d.mk("iff", d.mk("not", goal), other))
        false = self.contradiction([*facts, d.assume(other)], level)
        return d.taut(goal, law, d.disch(other, false))

    def positive(self, t: int, facts: Sequence[int], strict: bool = True) -> int | None:
        """0 < t (or 0 <= t) as a theorem, if it is found."""
        goal = self.d.mk("lt" if strict else "le", self.d.num(0), t)
        for i in facts:
            if self.d.claim(i) == goal:
                return i
        letters = self.d.b.letters[t]
        about = [i for i in facts if self.d.b.letters[self.d.claim(i)] <= letters]
        if len(about) < len(facts) and (found := self.positive(t, about, strict)) is not None:
            return found
        facts = self.relevant.to(goal, facts)
        return self._known_signs.of(goal, facts, lambda: self._sign(goal, facts), self._nested)

    def _sign(self, goal: int, facts: Sequence[int]) -> int | None:
        if self._nested >= MOST_NESTED or self.cheaply.denied(goal, facts):
            return None
        self._nested += 1
        try:
            for level in (0, 1, 2):
                try:
                    return self.plainly(goal, facts, level)
                except NotFound:
                    continue
        finally:
            self._nested -= 1
        return None

    def nonzero(self, t: int, facts: Sequence[int]) -> int | None:
        """t != 0 as a theorem."""
        d = self.d
        same = d.mk("eq", t, d.like(0, d.b.sorts[t]))
        goal = d.mk("not", same)
        for i in facts:
            if d.claim(i) == goal:
                return i
        if (apart := self.apart(goal, facts)) is not None:
            return apart
        if d.b.sorts[t] != "R" or self._nested >= MOST_NESTED:
            return None
        self._nested += 1
        try:
            for level in (0, 1, 2):
                try:
                    false = self.contradiction([*facts, d.assume(same)], level)
                    return d.taut(goal, d.disch(same, false))
                except NotFound:
                    continue
        finally:
            self._nested -= 1
        factors = self._factors_nonzero(t, facts)
        return None if factors is None else d.taut(goal, factors)

    def apart(self, goal: int, facts: Sequence[int]) -> int | None:
        """``not s = t`` from a fact of that kind whose gap is a multiple; None without one."""
        d, (same,) = self.d, self.d.kids(goal)
        if d.head(same) != "eq":
            return None
        left, right = (self.reader.read(k) for k in d.kids(same))
        f = plus(left, right, -1)
        for i in facts:
            claim = d.claim(i)
            if d.head(claim) != "not" or d.head(d.kids(claim)[0]) != "eq":
                continue
            s, u = d.kids(d.kids(claim)[0])
            gap = plus(self.reader.read(s), self.reader.read(u), -1)
            if gap and f and d.b.sorts[s] == d.b.sorts[d.kids(same)[0]] and (
                    key(monic(gap)) == key(monic(f))):
                back = self.identity(d.mk("eq", s, u), [d.assume(same)])
                return d.taut(goal, i, d.disch(same, back))
        return self._product_apart(goal, f, facts)

    def _product_apart(self, goal: int, f: Polynomial, facts: Sequence[int]) -> int | None:
        """``not s = t`` where s - t is a multiple of x y, and x != 0 and y != 0 are facts."""
        d, (same,) = self.d, self.d.kids(goal)
        if len(f) < 2 or d.b.sorts[d.kids(same)[0]] != "R":
            return None
        gaps: list[Polynomial] = []
        for i in facts:
            claim = d.claim(i)
            if d.head(claim) == "not" and d.head(d.kids(claim)[0]) == "eq" and d.b.sorts[
                    d.kids(d.kids(claim)[0])[0]] == "R":
                s, u = (self.reader.read(k) for k in d.kids(d.kids(claim)[0]))
                if (gap := plus(s, u, -1)) and gap not in gaps:
                    gaps.append(gap)
        for n, g in enumerate(gaps[:MOST_APART]):
            for h in gaps[n:MOST_APART]:
                if (whole := times(g, h)) and key(monic(whole)) == key(monic(f)):
                    product = d.mul(*(self.terms.term(k, "R") for k in (g, h)))
                    some = self._factors_nonzero(product, facts)
                    if some is not None:
                        none = d.mk("eq", product, d.num(0))
                        back = self.identity(none, [d.assume(same)])
                        return d.taut(goal, some, d.disch(same, back))
        return None

    def _factors_nonzero(self, t: int, facts: Sequence[int]) -> int | None:
        """x y != 0 from x != 0 and y != 0."""
        d = self.d
        if d.head(t) != "mul":
            return None
        x, y = d.kids(t)
        left, right = self.nonzero(x, facts), self.nonzero(y, facts)
        if left is None or right is None:
            return None
        zero, one = d.num(0), d.num(1)
        same = d.mk("eq", t, zero)
        laws = []
        for z, apart in ((x, left), (y, right)):
            law = d.mk("imp", d.claim(apart), d.mk("eq", d.mk("mul", z, d.mk("inv", z)), one))
            laws.append(d.mp(d.law("inverse", law, z), apart))
        # 1 = x/x y/y = (x y) (1/x 1/y) = 0
        one_is_zero = d.mk("eq", one, zero)
        inverse = d.mul(d.mk("inv", x), d.mk("inv", y))
        yy = d.mul(y, d.mk("inv", y))
        made = d.do("arith", one_is_zero, [d.assume(same), *laws],
                    [[inverse, [0]], [d.neg(yy), [1]], [d.num(-1), [2]]])
        false = self.contradiction([made], 0)
        return d.taut(d.mk("not", same), d.disch(same, false))

    # contradictions ---------------------------------------------------------------------------

    def contradiction(self, facts: Sequence[int], level: int = 3) -> int:
        """0 < 0 as one combination of facts, laws and products.

        What was asked in vain is not tried again: at a higher level it goes on from there.
        """
        question = self._nested, self._within, tuple(facts)
        tried, begun = self._vain.get(question, (-1, self.relations(facts)))
        if level <= tried or (tried < 0 and self.models.denied(self.d.mk("false"), facts)):
            raise NotFound(NONE)
        relations, found = list(begun), None
        if tried < 0:
            found = self._combine(self._items(relations))
        if found is None and tried < 1 <= level:
            self._add(relations, self.laws_of([self.gap(i) for i in relations], facts))
            items = self._items(relations)
            found = self._combine(items)
            if found is None and (signs := self.signs.of(items, relations, facts)):
                found = self._combine([*items, *signs])
        begun = list(relations)
        if found is None and level > 1:
            items = self._cleared(self._items(relations), relations, facts)
            found = self._widest(items, self._products(items), relations, facts)
        if found is None and level > 2:
            laws = self._exponential_laws(relations, [
                *facts, *self.logarithms.ordered(self._atoms([
                    self.gap(i) for i in relations]), facts)])
            if laws:
                self._add(relations, laws)
                items = self._cleared(self._items(relations), relations, facts)
                found = self._widest(items, self._products(items), relations, facts)
            found = found or self._combine(self._triples(items))
            if found is None and len(laws) > 1:
                more = self._multiplied_laws(laws[:MOST_LAWS])
                self._add(relations, more)
                found = self._combine([*items, *self._with_factors(
                    self._items(relations)[-len(more):], items)])
        if found is None:
            self._vain[question] = level, begun
            raise NotFound(NONE)
        return self.certified(self.d.mk("false"), relations, found)

    def _widest(self, items: list[Item], products: list[Item], relations: list[int],
                facts: Sequence[int]) -> Parts | None:
        """A combination of the items, or of their products, with the signs of monomials."""
        return (self._combine([*items, *self.signs.of(items, relations, facts)])
                or self._combine([*products, *self.signs.of(products, relations, facts)]))

    def relations(self, facts: Sequence[int]) -> list[int]:
        """The facts that are relations."""
        d = self.d
        return [i for i in dict.fromkeys(facts) if d.head(d.claim(i)) in RELATIONS]

    @staticmethod
    def _add(relations: list[int], laws: Sequence[int]) -> None:
        relations += [i for i in dict.fromkeys(laws) if i not in relations]

    def gap(self, i: int) -> Polynomial:
        """Right minus left of a theorem."""
        claim = self.d.claim(i)
        if claim not in self._gaps:
            s, t = self.d.kids(claim)
            self._gaps[claim] = plus(self.reader.read(t), self.reader.read(s), -1)
        return self._gaps[claim]

    def _head(self, i: int) -> tuple[int, int] | None:
        """What an equation gives in terms of others, see :meth:`_head_power`; None for others."""
        if i not in self._heads:
            equation = self.d.head(self.d.claim(i)) == "eq"
            self._heads[i] = self._head_power(self.gap(i)) if equation else None
        return self._heads[i]

    def laws_of(self, polynomials: Sequence[Polynomial], facts: Sequence[int]) -> list[int]:
        """What is known of the atoms that occur: pi, powers of e, logarithms, roots, erfc."""
        d = self.d
        found: list[int] = []
        zero = d.num(0)
        for e in dict.fromkeys(self.terms.exponential_part(m) for f in polynomials for m in f):
            if e:
                t = self.terms.term({e: 1})
                if d.head(t) == "exp" and d.b.sorts[t] == "R":
                    found.append(d.law("exp positive", d.mk("lt", zero, t), *d.kids(t)))
                    found += [] if d.b.letters[t] else self._bounds(t)
        atoms = self._atoms(polynomials)
        in_exponents = {a for e in atoms if self.terms.symbol(e) == "exp"
                        for m in self.terms.argument(e) for a, _ in m}
        for number in atoms:
            t = self.terms.term({((number, 1),): 1})
            head, kids = d.head(t), d.kids(t)
            if not d.b.letters[t] and d.b.sorts[t] == "R" and not d.b.loose[t]:
                found += self._bounds(t)
            if head == "pi":
                low, high = d.mk("lt", d.num(3), t), d.mk("lt", t, d.num(Fraction(22, 7)))
                found += d.parts(d.law("pi", d.conj([low, high])))
            elif head in ("log", "clog") and number in in_exponents:
                positive = (self.positive if head == "log" else self.nonzero)(kids[0], facts)
                if positive is not None:
                    value = d.mk("eq", d.mk("exp", t), kids[0])
                    law = d.law("exp of log", d.mk("imp", d.claim(positive), value), kids[0])
                    found.append(d.mp(law, positive))
            elif head == "sqrt":
                positive = self.positive(kids[0], facts, strict=False)
                if positive is not None:
                    square = d.mk("eq", d.mk("mul", t, t), kids[0])
                    law = d.mk("imp", d.claim(positive), d.conj([d.mk("le", zero, t), square]))
                    both = d.parts(d.mp(d.law("sqrt", law, kids[0]), positive))
                    found += both
                    if (strict := self.positive(kids[0], facts)) is not None:
                        found.append(self._root_positive(both, strict))
            elif head in ("cos", "sin") and d.b.sorts[t] == "R":
                cos, sin = (d.mk(h, kids[0]) for h in ("cos", "sin"))
                squares = d.add(d.mul(cos, cos), d.mul(sin, sin))
                found.append(d.law("circle", d.mk("eq", squares, d.num(1)), kids[0]))
            elif head == "erfc":
                other = d.mk("erfc", d.neg(kids[0]))
                law = d.conj([d.mk("lt", zero, t), d.mk("eq", d.add(t, other), d.num(2))])
                found += d.parts(d.law("erfc", law, kids[0]))
        return found

    def _root_positive(self, both: Sequence[int], positive: int) -> int:
        """0 < sqrt x from 0 <= sqrt x, its square, and 0 < x."""
        d, one = self.d, self.d.num(1)
        goal = d.mk("lt", *d.kids(d.claim(both[0])))
        low = d.assume(d.mk("le", *d.kids(goal)[::-1]))
        return d.unless(goal, d.do("arith", d.mk("false"), [low, *both, positive], [
            [one, [0, 1]], [d.num(-1), [2]], [one, [3]]]))

    def _bounds(self, t: int) -> list[int]:
        """Rational bounds of a number without letters."""
        d = self.d
        if d.head(t) not in ("exp", "log", "sqrt", "erfc", "inv"):
            return []
        with workprec(160):
            try:
                value = enclosure(d.b, t)
            except Refused:
                return []
            low, high = (fmpq(int(x), 10 ** DIGITS) for x in (
                (value.lower() * 10 ** DIGITS).floor().unique_fmpz() or 0,
                (value.upper() * 10 ** DIGITS).ceil().unique_fmpz() or 0))
        found = []
        for goal in (d.mk("lt", d.num(Fraction(int(low.p), int(low.q))), t),
                     d.mk("lt", t, d.num(Fraction(int(high.p), int(high.q))))):
            try:
                found.append(d.do("ball", goal, [], ["160"]))
            except NotFound:
                continue
        return found

    def _atoms(self, polynomials: Sequence[Polynomial]) -> list[int]:
        """All atoms, also those inside exponents and functions."""
        seen: dict[int, None] = {}
        todo = list(polynomials)
        while todo:
            for m in todo.pop():
                for number, _ in m:
                    if number in seen:
                        continue
                    seen[number] = None
                    if self.terms.symbol(number) not in ("", "i"):
                        todo.append(self.terms.argument(number))
        return list(seen)

    def _exponential_laws(self, relations: Sequence[int], facts: Sequence[int]) -> list[int]:
        """exp x < exp y (or <=) for exponents that occur, 0 among them, where x < y is found."""
        d = self.d
        zero = d.num(0)
        exponents: dict[int, None] = {}
        for i in relations:
            for m in self.gap(i):
                e = self.terms.exponential_part(m)
                t = self.terms.term({e: 1}) if e else zero
                if d.head(t) == "exp" and d.b.sorts[t] == "R":
                    exponents[d.kids(t)[0]] = None
        found: list[int] = []
        known = [zero, *exponents][:MOST_EXPONENTS]
        for n, x in enumerate(known):
            for y in known[n + 1:]:
                for head, a, c in (("lt", x, y), ("lt", y, x), ("le", x, y), ("le", y, x)):
                    if (less := self.less(head, a, c, facts)) is not None:
                        found.append(d.onward(self.grows(head, a, c), less))
                        break
        return found

    def _multiplied_laws(self, laws: Sequence[int]) -> list[int]:
        """0 < (b - a)(d - c) for laws a < b and c < d: e^x + e^-x > 2 is of that kind."""
        d, found = self.d, []
        for i, j in combinations([i for i in laws if d.head(d.claim(i)) == "lt"], 2):
            gaps = [d.sub(t, s) for s, t in (d.kids(d.claim(k)) for k in (i, j))]
            found.append(d.do("arith", d.mk("lt", d.num(0), d.mul(*gaps)), [i, j],
                              [[d.num(1), [0, 1]]]))
        return found

    @staticmethod
    def _with_factors(first: Sequence[Item], items: Sequence[Item]) -> list[Item]:
        """Items times one other, and times one that is simple and positive as well."""
        once = (multiply(p, q) for p in first for q in items if q.kind != "eq")
        found = list(islice(chain(first, once), MOST_COLUMNS))
        simple = [p for p in items if p.kind != "eq" and len(p.f) == 1 and () not in p.f]
        twice = (multiply(p, q) for p in found for q in simple)
        return list(islice(chain(found, twice), MOST_COLUMNS))

    def less(self, head: str, x: int, y: int, facts: Sequence[int]) -> int | None:
        """x < y (or <=) as a theorem, if it is found without comparing exponentials."""
        goal = self.d.mk(head, x, y)
        # the facts about exponentials change from case to case, and say little of exponents
        plain = [i for i in self.relations(facts) if not any(
            map(self.terms.exponential_part, self.gap(i)))]
        plain = self.relevant.to(goal, plain)
        return self._compared.of(goal, plain, lambda: self._found_less(goal, plain))

    def _found_less(self, goal: int, facts: Sequence[int]) -> int | None:
        if self.cheaply.denied(goal, facts):
            return None
        x, y = (self.reader.read(t) for t in self.d.kids(goal))
        (m, _), *more = (*plus(y, x, -1).items(), ((), 0))
        for level in (1, 2) if len(more) == 1 and len(m) > 1 else (1,):  # the sign of a product
            try:
                return self.plainly(goal, facts, level)
            except NotFound:
                continue
        return None

    def grows(self, head: str, low: int, high: int) -> int:
        """low < high <-> exp(low) < exp(high), and the same for <= and =."""
        d = self.d
        powers = d.mk("exp", low), d.mk("exp", high)
        if head == "lt":
            claim = d.mk("iff", d.mk("lt", low, high), d.mk("lt", *powers))
            return d.law("exp monotone", claim, low, high)
        if head == "eq":
            goal = d.mk("iff", d.mk("eq", low, high), d.mk("eq", *powers))
            both = [d.do("order", d.mk("iff", d.mk("eq", s, t), d.conj([
                d.mk("le", s, t), d.mk("le", t, s)]))) for s, t in ((low, high), powers)]
            return d.taut(goal, *both, self.grows("le", low, high), self.grows("le", high, low))
        turned = self.grows("lt", high, low)
        goal = d.mk("iff", d.mk("le", low, high), d.mk("le", *powers))
        orders = [d.do("order", d.mk("iff", d.mk("not", d.mk("le", s, t)), d.mk("lt", t, s)))
                  for s, t in ((low, high), powers)]
        return d.taut(goal, turned, *orders)

    # quotients --------------------------------------------------------------------------------

    def _cleared(self, items: list[Item], relations: list[int], facts: Sequence[int]) -> list[Item]:
        """Items multiplied by denominators of known sign, so that no quotient is left."""
        for number in self._quotients(items):
            x = self.terms.argument(number)
            side, sign = self._side(self.terms.term(x), facts)
            law = None if side is None else self.inverse_law(x, [*facts, side])
            if side is None or law is None:
                continue
            self._add(relations, [side, law])
            places = relations.index(side), relations.index(law)
            denominator = Item("lt", self.gap(side), ((ONE, (places[0],)),))
            items = [self._multiplied_out(p, number, x, sign, denominator, places[1], law)
                     for p in items]
        return [p for p in items if p.f or p.kind == "lt"]

    def _side(self, t: int, facts: Sequence[int]) -> tuple[int | None, int]:
        """0 < t and 1, or 0 < -t and -1; what speaks of its letters alone decides first: of facts
        that contradict each other both follow."""
        d = self.d
        about = [i for i in facts if d.b.letters[d.claim(i)] <= d.b.letters[t]]
        for some in (about, facts)[len(about) == len(facts):]:
            for side, sign in ((t, 1), (d.neg(t), -1)):
                if (found := self.positive(side, some)) is not None:
                    return found, sign
        return None, 1

    def _quotients(self, items: list[Item]) -> list[int]:
        """Atoms 1/x, those that contain others last."""
        found = {a for p in items for m in p.f for a, _ in m if self.terms.symbol(a) == "inv"}
        return sorted(found, reverse=True)

    def _multiplied_out(self, item: Item, number: int, x: Polynomial, sign: int,
                        denominator: Item, place: int, law: int) -> Item:
        item = self._cancelled(item, number, x, place, law)
        top = max((int(dict(m).get(number, 0)) for m in item.f), default=0)
        if not top:
            return item
        _, s, _ = self._numerator(item.f, number, x, top)
        for _ in range(top):
            item = (scaled(item, denominator.f) if item.kind == "eq"
                    else multiply(item, denominator))
        # (sign x)^top item = sign^top numerator + sign^top (x/x - 1) s
        equation = Item("eq", self.gap(law), ((ONE, (place,)),))
        factor: Polynomial = {(): sign ** top}
        turn = times(s, factor)
        if self.gap(law).get((), 0) < 0:
            turn = times(turn, MINUS)
        change = scaled(equation, turn)
        return Item(item.kind, plus(item.f, change.f), (*item.parts, *change.parts))

    def _cancelled(self, item: Item, number: int, x: Polynomial, place: int, law: int) -> Item:
        """x (1/x) replaced by 1 where x is one atom or product and divides a term."""
        if len(x) != 1:
            return item
        (monomial,) = x
        gap = self.gap(law)
        if any(len(m) and m != product_of(monomial, number) for m in gap):
            return item
        for _ in range(12):
            cofactor: Polynomial = {}
            for m, v in item.f.items():
                quotient = whole_quotient(m, product_of(monomial, number))
                if quotient is not None:
                    weight = ratio(-v, gap[product_of(monomial, number)])
                    cofactor = plus(cofactor, {quotient: weight})
            if not cofactor:
                return item
            change = scaled(Item("eq", gap, ((ONE, (place,)),)), cofactor)
            item = Item(item.kind, plus(item.f, change.f), (*item.parts, *change.parts))
        return item

    def _numerator(self, f: Polynomial, number: int, x: Polynomial, top: int
                   ) -> tuple[Polynomial, Polynomial, Polynomial]:
        """N and s with x^top f = N + (x y - 1) s for y = 1/x; and y."""
        y: Polynomial = {((number, 1),): 1}
        xy = times(x, y)
        rows: dict[int, Polynomial] = {}
        for m, v in f.items():
            powers = dict(m)
            e = int(powers.pop(number, 0))
            rows[e] = plus(rows.get(e, {}), {tuple(sorted(powers.items())): v})
        numerator: Polynomial = {}
        s: Polynomial = {}
        for e, c in rows.items():
            lifted = times(c, power(x, top - e))
            numerator = plus(numerator, lifted)
            for j in range(e):
                s = plus(s, times(lifted, power(xy, j)))
        return numerator, s, y

    def without_inverse(self, f: Polynomial, number: int, top: int) -> Polynomial:
        """x^top f where the atom is 1/x, with x (1/x) read as 1."""
        return self._numerator(f, number, self.terms.argument(number), top)[0]

    def inverse_law(self, x: Polynomial, facts: Sequence[int]) -> int | None:
        """x (1/x) = 1, where x != 0 follows from the facts."""
        d = self.d
        t = self.terms.term(x)
        zero, one = d.like(0, d.b.sorts[t]), d.like(1, d.b.sorts[t])
        apart = d.mk("not", d.mk("eq", t, zero))
        claim = d.mk("eq", d.mk("mul", t, d.mk("inv", t)), one)
        nonzero = self.nonzero(t, facts)
        if nonzero is None:
            return None
        return d.mp(d.law("inverse", d.mk("imp", apart, claim), t), nonzero)

    # identities -------------------------------------------------------------------------------

    def identity(self, goal: int, facts: Sequence[int]) -> int:
        """An equation by equations: substitution, laws and quotients."""
        d = self.d
        relations = [i for i in self.relations(facts) if d.head(d.claim(i)) == "eq"]
        s, t = d.kids(goal)
        gap = plus(self.reader.read(t), self.reader.read(s), -1)
        wanted = Item("eq", gap, ())
        if gap:
            wanted = self.substituted(wanted, relations)
        if wanted.f:
            laws = self.laws_of([wanted.f], facts)
            self._add(relations, [i for i in laws if d.head(d.claim(i)) == "eq"])
            wanted = self.substituted(wanted, relations)
        if wanted.f:
            wanted = self._without_inverses(wanted, relations, facts)
        if wanted.f and (same := self._alike_functions(wanted.f, facts)):
            self._add(relations, same)
            wanted = self.substituted(wanted, relations)
        if wanted.f:
            items = [Item("eq", self.gap(i), ((ONE, (n,)),)) for n, i in enumerate(relations)]
            found = self._combine_to(items, wanted.f)
            if found is None:
                found = self._combine_to(self._reduced(items, relations), wanted.f)
            if found is None:
                raise NotFound("no identity")
            parts = tuple((times(c, MINUS), u) for c, u in found)
            wanted = Item("eq", {}, (*wanted.parts, *parts))
        negated = [(times(c, MINUS), used) for c, used in wanted.parts]
        return self.certified(goal, relations, negated)

    def _alike_functions(self, f: Polynomial, facts: Sequence[int]) -> list[int]:
        """erfc(x) = erfc(y) and the like, where both occur and x = y is found."""
        d = self.d
        if self._within >= 2:
            return []
        atoms = [a for a in dict.fromkeys(a for m in f for a, _ in m)
                 if self.terms.symbol(a) in UNARY - {"inv"}]
        found: list[int] = []
        self._within += 1
        try:
            for n, a in enumerate(atoms[:4]):
                for c in atoms[n + 1:4]:
                    if self.terms.symbol(a) != self.terms.symbol(c):
                        continue
                    s, t = (self.terms.term({((x, 1),): 1}) for x in (a, c))
                    try:
                        equation = self.identity(d.mk("eq", d.kids(s)[0], d.kids(t)[0]), facts)
                    except NotFound:
                        continue
                    found.append(d.alike(s, equation))
        finally:
            self._within -= 1
        return found

    def _reduced(self, items: list[Item], relations: list[int]) -> list[Item]:
        """The items, each with what the other equations give in it, as it is in what is wanted;
        none where that changes nothing."""
        heads = self.heads(relations)
        found = [self.substituted(p, relations, heads=[h for h in heads if h[0] != n])
                 for n, p in enumerate(items)]
        changed = [p for p, q in zip(found, items, strict=True) if p.f and p.f != q.f]
        return [*items, *changed] if changed else []

    def _combine_to(self, items: list[Item], target: Polynomial) -> Parts | None:
        if not items:
            return None
        wider = list(items)
        for p in items:
            for m in target:
                for n in p.f:
                    quotient = self._quotient(m, n)
                    if quotient and len(wider) < MOST_COLUMNS:
                        wider.append(scaled(p, {quotient: 1}))
        weights = combination([p.f for p in wider], [True] * len(wider), target)
        return None if weights is None else combined(list(zip(weights, wider, strict=True)))

    def _quotient(self, m: Monomial, n: Monomial) -> Monomial | None:
        """m / n where it is a monomial and not 1."""
        powers: dict[int, Power] = dict(m)
        for x, e in n:
            powers[x] = powers.get(x, 0) - e
        found = tuple(sorted((x, e) for x, e in powers.items() if e))
        whole = all(e > 0 or self.terms.symbol(x) == "exp" for x, e in found)
        return found if found and whole else None

    def _without_inverses(self, wanted: Item, relations: list[int], facts: Sequence[int]) -> Item:
        """Multiply out 1/x where x != 0 follows: the numerator must then vanish."""
        for number in self._quotients([wanted]):
            x = self.terms.argument(number)
            top = max((int(dict(m).get(number, 0)) for m in wanted.f), default=0)
            if not top or (law := self.inverse_law(x, facts)) is None:
                continue
            self._add(relations, [law])
            n = relations.index(law)
            numerator, s, y = self._numerator(wanted.f, number, x, top)
            rest = self.substituted(Item("eq", numerator, ()), relations, but=n)
            xy = times(x, y)
            wide: Polynomial = {}
            for j in range(top):
                wide = plus(wide, power(xy, j))
            back = power(y, top)
            # wanted = y^top numerator + (1 - xy) (wanted wide - y^top s)
            cofactor = plus(times(wanted.f, wide), times(back, s), -1)
            if self.gap(law).get((), 0) < 0:
                cofactor = times(cofactor, MINUS)
            parts: list[tuple[Polynomial, tuple[int, ...]]] = [(times(cofactor, MINUS), (n,))]
            parts += [(times(back, c), used) for c, used in rest.parts]
            wanted = Item("eq", times(back, rest.f), (*wanted.parts, *parts))
            if not wanted.f:
                break
        return wanted

    # combinations -----------------------------------------------------------------------------

    def _items(self, relations: list[int]) -> list[Item]:
        """The facts as items, equations used to eliminate."""
        found, heads = [], self.heads(relations)
        given = {n for n, _, _ in heads}
        for n, i in enumerate(relations):
            item = Item(self.d.head(self.d.claim(i)), self.gap(i), ((ONE, (n,)),))
            if item.f or item.kind == "lt":
                # of two equations that give something, one at most is put into the other
                but = n if n in given else -1
                found.append(self.substituted(item, relations, but, heads))
        return [p for p in found if p.f or p.kind == "lt"]

    def heads(self, relations: list[int]) -> list[Head]:
        """What the equations among relations give in terms of others, by place."""
        return [(n, *head) for n, i in enumerate(relations) if (head := self._head(i)) is not None]

    def substituted(self, item: Item, relations: list[int], but: int = -1,
                    heads: list[Head] | None = None) -> Item:
        """Atoms, and powers of atoms, that an equation gives in terms of others are eliminated;
        ``heads`` are those of the relations, if they are known."""
        atoms: set[int] | None = None
        for n, atom, exponent in self.heads(relations) if heads is None else heads:
            if n == but or (but >= 0 and n > but and item.kind == "eq"):
                continue
            if atoms is None:
                atoms = {x for m in item.f for x, _ in m}
            if atom not in atoms:
                continue
            equation = Item("eq", self.gap(relations[n]), ((ONE, (n,)),))
            c = equation.f[((atom, exponent),)]
            for _ in range(12):
                # different monomials leave different ones
                cofactor: Polynomial = {}
                for m, v in item.f.items():
                    if any(x == atom and e >= exponent for x, e in m):
                        rest = tuple((x, e - exponent if x == atom else e) for x, e in m
                                     if x != atom or e != exponent)
                        cofactor[rest] = ratio(-v, c)
                if not cofactor:
                    break
                change = scaled(equation, cofactor)
                item = Item(item.kind, plus(item.f, change.f), (*item.parts, *change.parts))
                atoms = None
            if atoms is None:
                atoms = {x for m in item.f for x, _ in m}
        return item

    def _head_power(self, f: Polynomial) -> tuple[int, int] | None:
        """A power of an atom that f gives: f = c atom^n - r, the atom not in r; n = 1 or 2."""
        for exponent in (1, 2):
            for m in sorted(f, reverse=True):
                if len(m) == 1 and m[0][1] == exponent:
                    atom = m[0][0]
                    if self.terms.symbol(atom) not in ("exp", "inv") and all(
                            atom not in dict(n) for n in f if n != m):
                        return atom, exponent
        return None

    def _products(self, items: list[Item]) -> list[Item]:
        """The items and products of two of them; equations times monomials, so that others that
        occur appear."""
        found = list(items)
        small = [p for p in items if p.kind != "eq" and len(p.f) <= 3]
        pairs = (multiply(p, q) for p in items if p.kind != "eq" for q in small)
        found += islice(pairs, max(0, MOST_COLUMNS - len(found)))
        monomials = dict.fromkeys(m for p in found for m in p.f)
        for p in self._open_equations(items):
            shifts = (self._quotient(m, n) for m in monomials for n in p.f)
            for shift in dict.fromkeys(q for q in shifts if q):
                if len(found) >= MOST_COLUMNS:
                    return found
                found.append(scaled(p, {shift: 1}))
        return [p for p in found if p.f]

    def _open_equations(self, items: Sequence[Item]) -> list[Item]:
        """The equations but those that only say what an atom is of which nothing else speaks: it
        was put in everywhere."""
        inside = [{a for m in p.f for a, _ in m} for p in items]
        times_met = Counter(chain.from_iterable(inside))
        return [p for p, atoms in zip(items, inside, strict=True) if p.kind == "eq" and not any(
            times_met[a] == 1 and sum(any(x == a for x, _ in m) for m in p.f) == 1
            and self.terms.symbol(a) != "exp" for a in atoms)]

    def _triples(self, items: list[Item]) -> list[Item]:
        """Products with one simple positive item more."""
        simple = [p for p in items if p.kind != "eq" and len(p.f) == 1 and () not in p.f]
        found = self._products(items)
        for p in list(found):
            for q in simple:
                if p.kind == "eq" or len(p.parts[0][1]) < 2:
                    continue
                if len(found) >= 2 * MOST_COLUMNS:
                    return found
                found.append(multiply(p, q))
        return found

    @staticmethod
    def _combine(items: list[Item]) -> Parts | None:
        """A combination that is 0 with a strict part of weight 1."""
        items = [Item("lt", dict(ONE), ((ONE, ()),)), *items]
        columns = [{**p.f, "strict": int(p.kind == "lt")} for p in items]
        weights = combination(columns, [p.kind == "eq" for p in items], {"strict": 1})
        return None if weights is None else combined(list(zip(weights, items, strict=True)))

    def certified(self, goal: int, relations: list[int],
                  parts: Sequence[tuple[Polynomial, tuple[int, ...]]]) -> int:
        """The step ``arith`` that these parts prove."""
        used = sorted({i for _, places in parts for i in places})
        where = {i: n for n, i in enumerate(used)}
        data = [[self.terms.term(c), [where[i] for i in places]] for c, places in parts]
        return self.d.do("arith", goal, [relations[i] for i in used], data)


def product_of(monomial: Monomial, number: int) -> Monomial:
    """A monomial times an atom."""
    return tuple(sorted((*monomial, (number, 1))))


def monic(f: Polynomial) -> Polynomial:
    """f with leading coefficient 1."""
    lead = f[min(f)]
    return {m: ratio(c, lead) for m, c in f.items()}
