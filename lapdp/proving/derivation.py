"""A derivation under construction: the kernel's checker with a record and short hands for steps.

Every method that makes a theorem calls :meth:`Derivation.do`, and so the kernel; a wrong short hand
is refused there.  Theorems and terms are numbers, of this derivation's checker and bank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from lapdp.kernel import Bank, Checker, Refused
from lapdp.kernel.rules import Theorem

MADE = "'"
"""In the name of every letter that a search makes, and of no other."""
AGAIN = 10
"""How many questions a search may ask for each step that it may take, the same ones included."""


REMEMBERED = 2_000_000
"""How many subterms a derivation remembers: a term is asked for the same ones again and again."""


class NotFound(Exception):
    """The search for a derivation ended without one; the message says where."""


class Exhausted(Exception):
    """A search took all that it may: no miss of one tactic, after which others have their turn."""


class Derivation:
    """Terms and theorems, and for each theorem the rule, premises and data that made it."""

    def __init__(self, bank: Bank | None = None, most: int = 1_000_000) -> None:
        self.checker = Checker(bank)
        self.b = self.checker.bank
        self.most = most
        self.record: list[tuple[str, int, list[int], list[Any]]] = []
        self._made: dict[tuple[int, frozenset[int]], int] = {}
        self._asked: dict[tuple[str, int, tuple[int, ...], str], int | str] = {}
        self._subterms: dict[int, list[int]] = {}
        self._room = REMEMBERED
        self._symbols: dict[int, frozenset[str]] = {}
        self._fresh = 0
        self.times = 0
        self.beyond: Callable[[int], int] | None = None
        """How many steps it may take when all are taken; raises :class:`Exhausted`."""

    # terms ------------------------------------------------------------------------------------

    def num(self, x: int | Fraction) -> int:
        """A rational number."""
        f = Fraction(x)
        return self.b.number(f.numerator, f.denominator)

    def like(self, x: int | Fraction, sort: str) -> int:
        """A rational number as a term of sort R or C."""
        return self.num(x) if sort == "R" else self.b.make("cx", self.num(x))

    def mk(self, symbol: str, *args: int) -> int:
        """A term; raises :class:`NotFound` where sorts do not fit."""
        try:
            return self.b.make(symbol, *args)
        except Refused as problem:
            raise NotFound(str(problem)) from None

    def add(self, *terms: int) -> int:
        """A sum, from the left."""
        found = terms[0]
        for t in terms[1:]:
            found = self.mk("add", found, t)
        return found

    def value(self, t: int) -> Fraction:
        """The rational number that a numeral stands for."""
        _, top, bottom = self.b.rows[t][:3]
        return Fraction(int(str(top)), int(str(bottom)))

    def mul(self, *terms: int) -> int:
        """A product, from the left."""
        found = terms[0]
        for t in terms[1:]:
            found = self.mk("mul", found, t)
        return found

    def neg(self, t: int) -> int:
        """-t."""
        return self.mk("mul", self.like(-1, self.b.sorts[t]), t)

    def sub(self, s: int, t: int) -> int:
        """s - t."""
        return self.mk("add", s, self.neg(t))

    def conj(self, formulas: Sequence[int]) -> int:
        """A conjunction of at least one formula."""
        found = formulas[-1]
        for f in reversed(formulas[:-1]):
            found = self.mk("and", f, found)
        return found

    def fresh(self, sort: str, name: str = "c") -> tuple[str, int]:
        """A letter that occurs nowhere yet: its name and the term."""
        self._fresh += 1
        found = f"{name}{MADE}{self._fresh}"
        return found, self.b.letter(found, sort)

    def head(self, t: int) -> str:
        """The symbol of a term."""
        return str(self.b.rows[t][0])

    def kids(self, t: int) -> tuple[int, ...]:
        """Its children."""
        return self.b.children(t)

    def subterms(self, t: int) -> list[int]:
        """All subterms, inner ones first, each once."""
        found = self._subterms.get(t)
        if found is None:
            found = self._below(t)
            self._room -= len(found)
            if self._room < 0:
                self._subterms.clear()
                self._room = REMEMBERED
            self._subterms[t] = found
        return found.copy()

    def _below(self, t: int) -> list[int]:
        seen: dict[int, None] = {}
        kids = self.b.children

        def down(u: int) -> None:
            for a in kids(u):
                if a not in seen:
                    down(a)
            seen[u] = None

        down(t)
        return list(seen)

    def symbols(self, t: int) -> frozenset[str]:
        """The symbols that occur in a term."""
        found = self._symbols.get(t)
        if found is None:
            found = self._symbols[t] = frozenset(map(self.head, self.subterms(t)))
        return found

    def hole(self, t: int, part: int) -> int:
        """A body whose variable stands where the closed term ``part`` stood in the closed t."""
        b, sort = self.b, self.b.sorts[part]

        def leaf(u: int, depth: int) -> int | None:
            return b.bound(depth, sort) if u == part else None

        return b.walk(t, leaf)

    # theorems ---------------------------------------------------------------------------------

    def claim(self, i: int) -> int:
        """The claim of a theorem."""
        return self.checker.theorems[i].claim

    def theorem(self, i: int) -> Theorem:
        """A theorem."""
        return self.checker.theorems[i]

    def do(self, rule: str, goal: int, premises: Sequence[int] = (), data: Sequence[Any] = ()
           ) -> int:
        """One step, which is asked of the kernel once; raises :class:`NotFound` where the kernel
        refuses it, and :class:`Exhausted` where all steps are taken.  A search that asks the same
        again and again ends as well."""
        asked = rule, goal, tuple(premises), str(data)
        self.times += 1
        if self.times > AGAIN * self.most:
            self._ask_for_more()
        known = self._asked.get(asked)
        if isinstance(known, int):
            return known
        if known is not None:
            raise NotFound(known)
        if len(self.record) >= self.most:
            self._ask_for_more()
        try:
            i = self.checker.step(rule, goal, list(premises), list(data))
        except Refused as problem:
            self._asked[asked] = f"{rule}: {problem}"
            raise NotFound(f"{rule}: {problem}") from None
        self._asked[asked] = i
        self.record.append((rule, goal, list(premises), list(data)))
        key = (goal, self.theorem(i).hyps)
        self._made.setdefault(key, i)
        return i

    def _ask_for_more(self) -> None:
        if self.beyond is None:
            raise Exhausted("too many steps")
        self.most = self.beyond(self.most)

    def assume(self, formula: int) -> int:
        """A |- A, made once."""
        found = self._made.get((formula, frozenset([formula])))
        return self.do("hyp", formula) if found is None else found

    def disch(self, premise: int, i: int) -> int:
        """A -> B from A |- B."""
        return self.do("disch", self.mk("imp", premise, self.claim(i)), [i])

    def disch_all(self, premises: Iterable[int], i: int) -> int:
        """A -> (B -> .. -> C) from A, B, .. |- C."""
        for premise in reversed([*premises]):
            i = self.disch(premise, i)
        return i

    def taut(self, goal: int, *premises: int) -> int:
        """What follows by propositional logic."""
        return self.do("taut", goal, premises)

    def law(self, name: str, goal: int, *terms: int) -> int:
        """A law of a function."""
        key = (goal, frozenset[int]())
        found = self._made.get(key)
        return self.do("law", goal, [], [name, *terms]) if found is None else found

    def mp(self, implication: int, *premises: int) -> int:
        """The conclusion of an implication whose premise follows from theorems."""
        return self.taut(self.kids(self.claim(implication))[1], implication, *premises)

    def onward(self, equivalence: int, left: int) -> int:
        """The right side of an equivalence whose left side is a theorem."""
        return self.taut(self.kids(self.claim(equivalence))[1], equivalence, left)

    def both(self, *theorems: int) -> int:
        """A conjunction of theorems, associated to the right."""
        if len(theorems) == 1:
            return theorems[0]
        return self.taut(self.conj([self.claim(i) for i in theorems]), *theorems)

    def opposite(self, i: int) -> int:
        """b < a from not a <= b, and b <= a from not a < b."""
        (denied,) = self.kids(self.claim(i))
        return self.onward(self._turned(denied), i)

    def unless(self, goal: int, absurd: int) -> int:
        """a <= b from b < a |- false, and a < b from b <= a |- false."""
        law = self._turned(goal)
        return self.taut(goal, law, self.disch(self.kids(self.claim(law))[1], absurd))

    def _turned(self, relation: int) -> int:
        """not a <= b <-> b < a, and not a < b <-> b <= a."""
        a, b = self.kids(relation)
        other = self.mk("lt" if self.head(relation) == "le" else "le", b, a)
        return self.do("order", self.mk("iff", self.mk("not", relation), other))

    def denied_second(self, i: int) -> int:
        """A -> not B from not (A and B), whatever is in them: of letters first."""
        both, = self.kids(self.claim(i))
        a, b = self.kids(both)
        (one, x), (two, y) = ((name, self.b.letter(name, "F")) for name in ("@1", "@2"))
        law = self.taut(self.mk("imp", self.mk("not", self.mk("and", x, y)), self.mk(
            "imp", x, self.mk("not", y))))
        goal = self.mk("imp", a, self.mk("not", b))
        return self.mp(self.do("put", self.mk("imp", self.claim(i), goal), [law], [
            one, "F", a, two, "F", b]), i)

    def parts(self, i: int) -> list[int]:
        """The members of a conjunction as theorems."""
        if self.head(self.claim(i)) != "and":
            return [i]
        left, right = self.kids(self.claim(i))
        return [*self.parts(self.taut(left, i)), *self.parts(self.taut(right, i))]

    def members(self, formula: int) -> list[int]:
        """The members of a conjunction as formulas."""
        if self.head(formula) != "and":
            return [formula]
        return [f for k in self.kids(formula) for f in self.members(k)]

    def reciprocal(self, positive: int) -> tuple[int, int]:
        """x (1/x) = 1 and 0 < 1/x, from 0 < x."""
        zero, x = self.kids(self.claim(positive))
        one, minus, inverse = self.num(1), self.num(-1), self.mk("inv", x)
        same = self.mk("eq", x, zero)
        absurd = self.do("arith", self.mk("false"), [positive, self.assume(same)],
                         [[one, [0]], [one, [1]]])
        apart = self.taut(self.mk("not", same), self.disch(same, absurd))
        product = self.mk("eq", self.mul(x, inverse), one)
        law = self.mp(self.law("inverse", self.mk("imp", self.mk("not", same), product), x), apart)
        # not 1/x <= 0, else 1 = x (1/x) <= 0
        low = self.assume(self.mk("le", inverse, zero))
        absurd = self.do("arith", self.mk("false"), [low, positive, law],
                         [[one, [0, 1]], [minus, [2]], [one, []]])
        return law, self.unless(self.mk("lt", zero, inverse), absurd)

    def gen(self, name: str, sort: str, i: int) -> int:
        """For all values of a letter."""
        body = self.b.abstract(self.claim(i), name, sort)
        return self.do("gen", self.mk(f"all{sort}", body), [i], [name, sort])

    def gen_all(self, letters: Sequence[tuple[str, str]], i: int) -> int:
        """For all values of several letters, names and sorts."""
        for name, sort in reversed(letters):
            i = self.gen(name, sort, i)
        return i

    def for_all(self, letters: Sequence[tuple[str, str]], formula: int) -> int:
        """The formula for all values of several letters."""
        for name, sort in reversed(letters):
            formula = self.mk(f"all{sort}", self.b.abstract(formula, name, sort))
        return formula

    def induction(self, claim: Callable[[int], int], start: int,
                  step: Callable[[int, int], int]) -> int:
        """all m (nat m -> A(m)) from A(0) and what ``step`` makes of nat m and A(m): A(m + 1)."""
        name, m = self.fresh("R", "m")
        both = self.assume(self.mk("and", self.mk("nat", m), claim(m)))
        isnat, known = (self.taut(k, both) for k in self.kids(self.claim(both)))
        move = self.gen(name, "R", self.disch(self.claim(both), step(isnat, known)))
        whole = self.for_all([(name, "R")], self.mk("imp", self.mk("nat", m), claim(m)))
        return self.do("induct", whole, [start, move])

    def inst(self, i: int, t: int) -> int:
        """An instance of a theorem for all x."""
        (body,) = self.kids(self.claim(i))
        return self.do("inst", self.b.open(body, t), [i], [t])

    def at(self, lemma: int, terms: Sequence[int], *given: int) -> int:
        """A theorem for all of several variables, at terms, its hypotheses given one by one."""
        for t in terms:
            lemma = self.inst(lemma, t)
        for i in given:
            lemma = self.mp(lemma, i)
        return lemma

    def refl(self, t: int) -> int:
        """t = t."""
        symbol = "iff" if self.b.sorts[t] == "F" else "eq"
        return self.do("refl", self.mk(symbol, t, t))

    def turn(self, i: int) -> int:
        """t = s from s = t."""
        s, t = self.kids(self.claim(i))
        if self.head(self.claim(i)) == "iff":
            return self.taut(self.mk("iff", t, s), i)
        if s == t:
            return i
        return self.do("arith", self.mk("eq", t, s), [i], [[self.like(-1, self.b.sorts[s]), [0]]])

    def chain(self, *equations: int) -> int:
        """a = c from a = b, b = c, ...: by replacing, one after another."""
        found = equations[0]
        for i in equations[1:]:
            s, t = self.kids(self.claim(i))
            left, right = self.kids(self.claim(found))
            if right != s:
                raise NotFound("a chain of equations is broken")
            if s == t:
                continue
            body = self.mk("eq", self.b.lift(left), self.b.bound(0, self.b.sorts[s]))
            found = self.do("rewrite", self.mk("eq", left, t), [i, found], [body])
        return found

    def replace(self, i: int, equation: int) -> int:
        """The theorem with the left side of an equation replaced by the right one everywhere."""
        s, t = self.kids(self.claim(equation))
        if self.head(self.claim(equation)) == "iff":
            body, goal = self.formula_hole(self.claim(i), s, t)
        else:
            body = self.hole(self.claim(i), s)
            goal = self.b.open(body, t)
        if goal == self.claim(i):
            return i
        return self.do("rewrite", goal, [equation, i], [body])

    def formula_hole(self, whole: int, part: int, other: int) -> tuple[int, int]:
        """A formula with the letter '@' where the closed formula ``part`` stood, and with
        ``other`` there."""
        hole = self.b.letter("@", "F")

        def leaf(u: int, depth: int) -> int | None:
            return hole if u == part else None

        body = self.b.walk(whole, leaf)
        return body, self.b.put(body, {("@", "F"): other})

    def alike(self, t: int, equation: int) -> int:
        """t = t' where t' has the right side of the equation in place of the left one."""
        s, right = self.kids(self.claim(equation))
        changed = self.b.open(self.hole(t, s), right)
        if changed == t:
            return self.refl(t)
        body = self.mk("eq", self.b.lift(t), self.hole(t, s))
        return self.do("rewrite", self.mk("eq", t, changed), [equation, self.refl(t)], [body])

    def under(self, symbol: str, i: int) -> int:
        """Bx.s = Bx.t from: for all x, s = t."""
        (body,) = self.kids(self.claim(i))
        s, t = self.kids(body)
        left, right = self.mk(symbol, s), self.mk(symbol, t)
        kind = "iff" if self.b.sorts[left] == "F" else "eq"
        return self.do("under", self.mk(kind, left, right), [i])

    def still(self, t: int) -> int:
        """A constant tends to itself."""
        return self.do("limit", self.mk("tends", self.b.lift(t), t), [], ["constant"])

    def combined(self, symbol: str, first: int, second: int) -> int:
        """f + g tends to s + t, for ``add``, or f g to s t, for ``mul``, if f does to s and g to t.
        """
        (f, s), (g, t) = (self.kids(self.claim(i)) for i in (first, second))
        return self.do("limit", self.mk("tends", self.mk(symbol, f, g), self.mk(symbol, s, t)), [
            first, second], ["sum" if symbol == "add" else "product"])

    def split(self, condition: int, yes: int, no: int) -> int:
        """A theorem that holds if the condition does and if it does not."""
        first, second = self.disch(condition, yes), self.disch(self.mk("not", condition), no)
        return self.taut(self.claim(yes), first, second)
