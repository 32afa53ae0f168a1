"""Real arithmetic with cases: the certificates behind pointwise claims.

:class:`Arithmetic` proves relations between terms from facts.  Conditions of ``if`` are decided or
split; in each case a linear combination of facts, and of products of two, is sought that leaves
0 < 0.  What it cannot do it says by :class:`NotFound`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from lapdp.proving.certificates import Certificates
from lapdp.proving.columns import RELATIONS
from lapdp.proving.common_factors import CommonFactors
from lapdp.proving.derivation import Derivation, NotFound
from lapdp.proving.exponents import Exponents
from lapdp.proving.products import Products

CONNECTIVES = ("and", "or", "not", "imp", "iff")
MOST_CASES = 1500


class Arithmetic(Certificates):
    """A prover for relations in one derivation."""

    def __init__(self, d: Derivation) -> None:
        super().__init__(d)
        self.cases = 0
        self.factors_of = Products(self)
        self.common_factors = CommonFactors(self)
        self.exponents = Exponents(self)

    # goals ------------------------------------------------------------------------------------

    def prove(self, goal: int, facts: Sequence[int] = ()) -> int:
        """A theorem with that claim, from theorems given as facts.

        Raises :class:`NotFound` where no derivation is found.
        """
        d = self.d
        for i in facts:
            if d.claim(i) == goal:
                return i
        head, kids = d.head(goal), d.kids(goal)
        if head == "and":
            first = self.prove(kids[0], facts)
            return d.taut(goal, first, self.prove(kids[1], [*facts, *self._apart_by(first)]))
        if head == "imp":
            given = d.assume(kids[0])
            return d.disch(kids[0], self.prove(kids[1], self.released([*facts, given])))
        if head == "iff":
            there = self.prove(d.mk("imp", *kids), facts)
            return d.taut(goal, there, self.prove(d.mk("imp", kids[1], kids[0]), facts))
        if head.startswith("all"):
            name, letter = d.fresh(head[3:])
            body = self.prove(d.b.open(kids[0], letter), facts)
            return d.do("gen", goal, [body], [name, head[3:]])
        if head in RELATIONS:
            return self.relation(goal, facts)
        if head == "false":
            return self.refute(facts)
        no = d.mk("not", goal)
        if head == "not":
            if (apart := self.apart(goal, facts)) is not None:
                return apart
            return d.taut(goal, d.disch(kids[0], self.refute([*facts, d.assume(kids[0])])))
        if head == "or":
            return d.taut(goal, d.disch(no, self.refute([*facts, d.assume(no)])))
        raise NotFound(f"no arithmetic: {head}")

    def _apart_by(self, first: int) -> list[int]:
        """The complex sums that a conjunction says not to vanish: of two logarithms that a claim
        holds, the argument of one may be that of the other, written otherwise."""
        d = self.d
        return [d.taut(f, first) for f in d.members(d.claim(first))
                if d.head(f) == "not" and d.head(d.kids(f)[0]) == "eq"
                and d.b.sorts[t := d.kids(d.kids(f)[0])[0]] == "C" and d.head(t) == "add"]

    def relation(self, goal: int, facts: Sequence[int]) -> int:
        """An equation or inequality: cases of the goal first."""
        d = self.d
        if self.models.denied(goal, facts):
            raise NotFound("a goal on the way is false at a point")
        if not d.b.letters[goal] and d.head(goal) != "eq":
            try:
                return d.do("ball", goal, [], ["200"])
            except NotFound:
                pass
        step = self._next_case(goal, facts)
        if isinstance(step, tuple):
            kind, value = step
            if kind == "rewrite":
                return self._back(goal, value, facts)
            yes = self.prove(goal, self._closed([*facts, d.assume(value)]))
            no = self.prove(goal, self._closed([*facts, d.assume(d.mk("not", value))]))
            return d.split(value, yes, no)
        head, (s, t) = d.head(goal), d.kids(goal)
        if head == "eq":
            try:
                return self.identity(goal, facts)
            except NotFound:
                if d.b.sorts[s] != "R":
                    return self._from_contradiction(goal, facts)
            two = [self.prove(d.mk("le", *p), facts) for p in ((s, t), (t, s))]
            law = d.do("order", d.mk("iff", goal, d.conj([d.mk("le", s, t), d.mk("le", t, s)])))
            return d.taut(goal, law, *two)
        other = d.mk("lt" if head == "le" else "le", t, s)
        law = d.do("order", d.mk("iff", d.mk("not", goal), other))
        false = self.refute([*facts, d.assume(other)])
        return d.taut(goal, law, d.disch(other, false))

    def _from_contradiction(self, goal: int, facts: Sequence[int]) -> int:
        return self.d.taut(goal, self.refute(facts))

    def _back(self, goal: int, equation: int, facts: Sequence[int]) -> int:
        """Prove the goal with an equation applied, then undo it."""
        d = self.d
        s, t = d.kids(d.claim(equation))
        if d.head(d.claim(equation)) == "iff":
            body, changed = d.formula_hole(goal, s, t)
        else:
            body = d.hole(goal, s)
            changed = d.b.open(body, t)
        found = self.relation(changed, facts)
        if d.claim(found) == goal:
            return found
        return d.do("rewrite", goal, [d.turn(equation), found], [body])

    # cases ------------------------------------------------------------------------------------

    def _next_case(self, formula: int, facts: Sequence[int]) -> tuple[str, int] | None:
        """An equation that removes an ``if`` (or max, min, abs), or a condition to split on."""
        d = self.d
        first: int | None = None
        for t in d.subterms(formula):
            if d.b.loose[t]:
                continue
            head, kids = d.head(t), d.kids(t)
            if head in ("max", "min") or (head == "abs" and d.b.sorts[kids[0]] == "R"):
                settled = self.common_factors.value(t, facts)
                return "rewrite", self._unfold(t) if settled is None else settled
            if head == "if":
                found = self.decided(t, facts)
                if found is not None:
                    return "rewrite", found
                first = kids[0] if first is None else first
        if first is None:
            return None
        letter = self.common_factors.open_letter(first, facts)
        return "split", first if letter is None else letter

    def _unfold(self, t: int) -> int:
        d = self.d
        head, kids = d.head(t), d.kids(t)
        if head == "abs":
            x = kids[0]
            value = d.mk("if", d.mk("le", d.num(0), x), x, d.neg(x))
        else:
            x, y = kids
            small, large = (x, y) if head == "min" else (y, x)
            value = d.mk("if", d.mk("le", x, y), small, large)
        return d.law(head, d.mk("eq", t, value), *kids)

    def decided(self, t: int, facts: Sequence[int]) -> int | None:
        """if(A, s, t) = s or = t where the facts decide A cheaply."""
        d = self.d
        condition, yes, no = d.kids(t)
        if yes == no:
            law1 = d.do("cases", d.mk("imp", condition, d.mk("eq", t, yes)))
            law2 = d.do("cases", d.mk("imp", d.mk("not", condition), d.mk("eq", t, no)))
            return d.taut(d.mk("eq", t, yes), law1, law2)
        holds = self.truth(condition, facts)
        if holds is None:
            return self._either_way(t)
        claimed = d.claim(holds)
        value = yes if claimed == condition else no
        law = d.do("cases", d.mk("imp", claimed, d.mk("eq", t, value)))
        return d.mp(law, holds)

    def _either_way(self, t: int) -> int | None:
        """if(A, s, t) = t where s and t are one polynomial, the same number for all values."""
        d = self.d
        condition, yes, no = d.kids(t)
        if d.b.sorts[yes] != "R" or self.reader.read(yes) != self.reader.read(no):
            return None
        law1, law2 = (d.do("cases", d.mk("imp", c, d.mk("eq", t, u)))
                      for c, u in ((condition, yes), (d.mk("not", condition), no)))
        same = self.identity(d.mk("eq", yes, no), [])
        first = d.chain(d.mp(law1, d.assume(condition)), same)
        return d.split(condition, first, d.mp(law2, d.assume(d.mk("not", condition))))

    def truth(self, condition: int, facts: Sequence[int]) -> int | None:
        """The condition or its negation as a theorem; None: not decided cheaply."""
        d = self.d
        no = d.mk("not", condition)
        for i in facts:
            if d.claim(i) in (condition, no):
                return i
        head, kids = d.head(condition), d.kids(condition)
        if head in CONNECTIVES:
            known = [self.truth(k, facts) for k in kids]
            found = [k for k in known if k is not None]
            for goal in (condition, no):
                try:
                    return d.taut(goal, *found)
                except NotFound:
                    continue
            return None
        if head == "eq" and d.b.sorts[kids[0]] == "C":
            return self.decided_complex(condition, facts)
        if head not in RELATIONS or d.b.sorts[kids[0]] != "R":
            return None
        for quick in (self.factors_of, self.exponents, self.common_factors):
            if (settled := quick.truth(condition, facts)) is not None:
                return settled
        return self.decided_relation(condition, facts)

    def decided_complex(self, condition: int, facts: Sequence[int]) -> int | None:
        """An equation between complex numbers, or its negation, from such facts or real parts."""
        return self._decided.of(condition, facts, lambda: self._decide_complex(condition, facts))

    def _decide_complex(self, condition: int, facts: Sequence[int]) -> int | None:
        d = self.d
        s, t = d.kids(condition)
        same = [i for i in facts if d.head(d.claim(i)) == "eq"
                and d.b.sorts[d.kids(d.claim(i))[0]] == "C"]
        if same:
            with suppress(NotFound):
                return self.identity(condition, same)
        no = d.mk("not", condition)
        if (found := self.apart(no, facts)) is not None:
            return found
        if (apart := self.nonzero(d.sub(s, t), facts)) is None:
            return None
        gap = d.kids(d.kids(d.claim(apart))[0])
        back = d.do("arith", d.mk("eq", *gap), [d.assume(condition)], [[d.like(1, "C"), [0]]])
        return d.taut(no, apart, d.disch(condition, back))

    # facts ------------------------------------------------------------------------------------

    def _closed(self, facts: Sequence[int]) -> list[int]:
        """Facts taken apart: conjunctions, negated relations, implications that apply."""
        d = self.d
        found: dict[int, int] = {}
        todo = list(facts)
        waiting: list[int] = []
        while todo or self._stirred(waiting, found, todo):
            i = todo.pop()
            claim = d.claim(i)
            if claim in found:
                continue
            head, kids = d.head(claim), d.kids(claim)
            if head == "and":
                todo += [d.taut(kids[0], i), d.taut(kids[1], i)]
            if head == "not":
                inner, below = d.head(kids[0]), d.kids(kids[0])
                if inner in ("le", "lt"):
                    other = d.mk("lt" if inner == "le" else "le", below[1], below[0])
                    law = d.do("order", d.mk("iff", claim, other))
                    todo.append(d.taut(other, law, i))
                elif inner == "not":
                    todo.append(d.taut(below[0], i))
                elif inner == "or":
                    todo += [d.taut(d.mk("not", k), i) for k in below]
                elif inner == "imp":
                    todo += [d.taut(below[0], i), d.taut(d.mk("not", below[1]), i)]
                elif inner == "and":
                    todo.append(d.denied_second(i))
                elif inner.startswith(("all", "ex")) and inner != "exp":
                    todo.append(self._other_quantifier(claim, i))
            found[claim] = i
            if head == "le" and (back := d.mk("le", kids[1], kids[0])) in found:
                same = d.mk("eq", *kids)
                law = d.do("order", d.mk("iff", same, d.conj([claim, back])))
                todo.append(d.taut(same, law, i, found[back]))
            if head == "nat":
                above = d.mk("le", d.num(0), kids[0])
                todo.append(d.mp(d.do("natural", d.mk("imp", claim, above)), i))
            if head in ("imp", "iff", "or"):
                waiting.append(i)
        return list(found.values())

    def _stirred(self, waiting: list[int], found: dict[int, int], todo: list[int]) -> bool:
        """Does something follow from what waited, now?"""
        for w in list(waiting):
            made = self._apply(w, found)
            if made is not None:
                waiting.remove(w)
                todo.append(made)
        return bool(todo)

    def released(self, facts: Sequence[int]) -> list[int]:
        """The facts, and what follows from implications whose premise is found to hold."""
        d = self.d
        known = self._closed(facts)
        for _ in range(4):
            fresh = []
            for i in known:
                if d.head(d.claim(i)) != "imp":
                    continue
                premise, conclusion = d.kids(d.claim(i))
                if any(d.claim(j) == conclusion for j in known) or not self._plain(premise):
                    continue
                holds = self.truth(premise, known)
                if holds is not None and d.claim(holds) == premise:
                    fresh.append(d.taut(conclusion, i, holds))
            if not fresh:
                break
            known = self._closed([*known, *fresh])
        return known

    def _plain(self, formula: int) -> bool:
        """Is it made of relations between numbers alone?"""
        d = self.d
        if d.head(formula) in CONNECTIVES:
            return all(self._plain(k) for k in d.kids(formula))
        return d.head(formula) in RELATIONS

    def _other_quantifier(self, claim: int, i: int) -> int:
        """There is x with not A from: not all x A; and the other way."""
        d = self.d
        (inner,) = d.kids(claim)
        head, (body,) = d.head(inner), d.kids(inner)
        other = d.mk(("ex" if head.startswith("all") else "all") + head[-1], d.mk("not", body))
        return d.taut(other, d.do("quant", d.mk("iff", claim, other)), i)

    def _apply(self, i: int, known: dict[int, int]) -> int | None:
        """What follows from an implication, equivalence or alternative and what is known."""
        d = self.d
        head, (x, y) = d.head(d.claim(i)), d.kids(d.claim(i))
        not_x, not_y = d.mk("not", x), d.mk("not", y)
        rules = {"imp": ((x, y), (not_y, not_x)), "or": ((not_x, y), (not_y, x)),
                 "iff": ((x, y), (y, x), (not_x, not_y), (not_y, not_x))}[head]
        for premise, conclusion in rules:
            if premise in known and conclusion not in known:
                return d.taut(conclusion, i, known[premise])
        return None

    # contradictions ---------------------------------------------------------------------------

    def refute(self, facts: Sequence[int], done: frozenset[int] = frozenset()) -> int:
        """|- false from contradictory facts, by cases; ``done`` are claims that were rewritten."""
        d = self.d
        self.cases += 1
        if self.cases > MOST_CASES:
            raise NotFound("too many cases")
        facts = self._closed(facts)
        if self.models.denied(d.mk("false"), facts):
            raise NotFound("the facts hold at a point")
        false = d.mk("false")
        claims = {d.claim(i): i for i in facts}
        for claim, i in claims.items():
            if claim == false:
                return i
            no = d.mk("not", claim)
            if no in claims:
                return d.taut(false, i, claims[no])
        live = [i for i in facts if d.claim(i) not in done and not self._denied(d.claim(i))]
        for i in live:
            if d.head(d.claim(i)) not in RELATIONS:
                continue
            step = self._next_case(d.claim(i), [j for j in live if j != i])
            if step is None:
                continue
            kind, value = step
            if kind == "rewrite":
                return self.refute([*facts, d.replace(i, value)], done | {d.claim(i)})
            return self._fork(value, facts, done)
        # what powers of e say takes longest: it is asked once no case is left to tell apart
        try:
            return self.contradiction(live, 2)
        except NotFound:
            pass
        for i in facts:
            claim = d.claim(i)
            if d.head(claim) in ("or", "imp", "iff"):
                first = d.kids(claim)[0]
                if first in claims or d.mk("not", first) in claims:
                    continue
                known, unknown = self._leaves(first, claims)
                if unknown:
                    return self._fork(unknown[0], facts, done)
                holds = self._settled(first, known)
                return self.refute([*facts, holds], done)
        for i in facts:
            claim = d.claim(i)
            if d.head(claim) == "not" and d.head(d.kids(claim)[0]) == "eq":
                s, t = d.kids(d.kids(claim)[0])
                if d.b.sorts[s] == "R" and not {d.mk("lt", s, t), d.mk(
                        "lt", t, s)} & claims.keys():
                    return self._apart(i, s, t, facts, done)
        return self.contradiction(live)

    def _leaves(self, formula: int, claims: Mapping[int, int]) -> tuple[list[int], list[int]]:
        """What is known of the formulas that a formula is made of, and those that are open."""
        d = self.d
        if d.head(formula) in CONNECTIVES:
            parts = [self._leaves(k, claims) for k in d.kids(formula)]
            return [i for k, _ in parts for i in k], [f for _, u in parts for f in u]
        for claim in (formula, d.mk("not", formula)):
            if claim in claims:
                return [claims[claim]], []
        return [], [formula]

    def _settled(self, formula: int, known: Sequence[int]) -> int:
        """The formula or its negation, from all that it is made of."""
        try:
            return self.d.taut(formula, *known)
        except NotFound:
            return self.d.taut(self.d.mk("not", formula), *known)

    def _denied(self, claim: int) -> bool:
        """Is it the negation of an inequality, which the facts hold turned round as well?"""
        d = self.d
        return d.head(claim) == "not" and d.head(d.kids(claim)[0]) in ("le", "lt")

    def _fork(self, condition: int, facts: Sequence[int], done: frozenset[int]) -> int:
        d = self.d
        yes = self.refute([*facts, d.assume(condition)], done)
        no = self.refute([*facts, d.assume(d.mk("not", condition))], done)
        return d.split(condition, yes, no)

    def _apart(self, i: int, s: int, t: int, facts: Sequence[int], done: frozenset[int]) -> int:
        """s != t: below or above."""
        d = self.d
        less, more, same = d.mk("lt", s, t), d.mk("lt", t, s), d.mk("eq", s, t)
        law = d.do("order", d.mk("or", less, d.mk("or", same, more)))
        first = d.disch(less, self.refute([*facts, d.assume(less)], done))
        second = d.disch(more, self.refute([*facts, d.assume(more)], done))
        return d.taut(d.mk("false"), law, i, first, second)
