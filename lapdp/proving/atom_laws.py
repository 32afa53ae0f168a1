"""What is known of pi, powers of e, logarithms, roots and erfc where they occur."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from flint import fmpq

from lapdp.core.precision import workprec
from lapdp.kernel import Refused
from lapdp.kernel.balls import enclosure
from lapdp.kernel.polynomials import Polynomial, plus
from lapdp.proving.columns import Columns
from lapdp.proving.derivation import NotFound

MOST_EXPONENTS = 7
DIGITS = 24
"""Decimal places of rational bounds of numbers."""


class AtomLaws(Columns):
    """Laws of the atoms of relations as further columns."""

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
