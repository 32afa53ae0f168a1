"""Certificates without cases: linear combinations of facts, products of facts and laws.

Levels of effort: 0 facts alone; 1 with laws of the atoms that occur; 2 with quotients cleared and
products of two facts; 3 with powers of e compared.
"""

from __future__ import annotations

from collections.abc import Sequence

from lapdp.kernel.polynomials import Polynomial, Power, key, plus, ratio
from lapdp.proving.columns import Parts
from lapdp.proving.derivation import Derivation, NotFound
from lapdp.proving.identities import Identities
from lapdp.proving.items import Item, times
from lapdp.proving.logarithms import Logarithms
from lapdp.proving.relevant import Answers
from lapdp.proving.signs import Signs

MOST_NESTED = 2
MOST_APART = 12
"""Facts x != 0 of which products are formed."""
MOST_LAWS = 3
NONE = "no linear certificate"


class Certificates(Identities):
    """Contradictions and identities between relations, in one derivation."""

    def __init__(self, d: Derivation) -> None:
        super().__init__(d)
        self._nested = 0
        self._vain: dict[tuple[int, int, tuple[int, ...]], tuple[int, list[int]]] = {}
        self._decided, self._known_signs = Answers(d), Answers(d)
        self.signs = Signs(self)
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


def monic(f: Polynomial) -> Polynomial:
    """f with leading coefficient 1."""
    lead = f[min(f)]
    return {m: ratio(c, lead) for m, c in f.items()}
