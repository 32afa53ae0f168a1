"""Functions that are defined by recursion: their equations unfolded, and induction.

The equations V(0, x) = s(x) and V(i + 1, x) = t(i, x, V(i, .)) stand in front of a sentence.  They
are taken out of the facts and applied where an index is 0 or, as a polynomial, i + 1 with i a whole
number.  What is left is proved by induction on a whole number that occurs in an index.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from lapdp.kernel import Bank
from lapdp.kernel.polynomials import plus
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.columns import RELATIONS
from lapdp.proving.companions import Companions
from lapdp.proving.counted import Counted
from lapdp.proving.derivation import MADE, NotFound
from lapdp.proving.factors import Factors
from lapdp.proving.invariants import Guess, Invariants, Lemma

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

MOST_UNFOLDED = 60
MOST_INDUCTIONS = 2
"""Inductions within one another."""


def is_definition(b: Bank, formula: int) -> bool:
    """Is it the start or the step of a recursion?  One says nothing without the other, and neither
    does an equation at another index, or under another condition than that it is whole."""
    while b.rows[formula][0] in ("allR", "allO", "imp"):
        if b.rows[formula][0] == "imp" and b.rows[b.children(formula)[0]][0] != "nat":
            return False
        formula = b.children(formula)[-1]
    if b.rows[formula][0] != "eq" or b.rows[b.children(formula)[0]][0] not in ("app3", "app6"):
        return False
    index = b.children(b.children(formula)[0])[1]
    return b.rows[index] == ("n", 0, 1) or b.rows[index][0] == "add"


class Recursions:
    """What a :class:`Prover` does with functions that are defined by recursion."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self.rules: dict[int, tuple[int, int]] = {}
        """For the letter of a function the theorems about its start and its step."""
        self.hyps: frozenset[int] = frozenset()
        self.depth = 0
        self.busy: set[int] = set()
        self.lemmas: dict[int, list[Lemma]] = {}
        self.invariants = Invariants(self)
        self.counted = Counted(self.invariants.responses)
        self.companions = Companions(self)
        self.factors = Factors(self)

    # definitions ------------------------------------------------------------------------------

    def enter(self, goal: int, facts: Sequence[int]) -> int | None:
        """The goal, an implication from definitions, with these kept aside; None for others."""
        d = self.d
        premise, conclusion = d.kids(goal)
        if self.rules or not self._definitions(premise):
            return None
        given = d.assume(premise)
        self.hyps = frozenset([premise])
        for i in d.parts(given):
            claim = d.claim(i)
            _, equation = self._inside(claim)
            letter = d.kids(d.kids(equation)[0])[0]
            first, second = self.rules.get(letter, (-1, -1))
            step = d.head(d.kids(claim)[0]) == "imp" if d.head(claim) == "allR" else False
            self.rules[letter] = (first, i) if step else (i, second)
        return d.disch(premise, self.a.prove(conclusion, facts))

    def _definitions(self, premise: int) -> bool:
        d = self.d
        todo = [premise]
        for f in todo:
            if d.head(f) == "and":
                todo += d.kids(f)
                continue
            if not is_definition(d.b, f):
                return False
        return True

    def _inside(self, formula: int) -> tuple[int, int]:
        """How many quantifiers, and what is below them and below the premise of a step."""
        d, n = self.d, 0
        while d.head(formula) in ("allR", "allO", "imp"):
            n += d.head(formula) == "allR"
            formula = d.kids(formula)[-1]
        return n, formula

    def of(self, goal: int) -> bool:
        """Does the goal speak of such a function?"""
        return bool(self.rules) and any(t in self.rules for t in self.d.subterms(goal))

    # whole numbers ----------------------------------------------------------------------------

    def nat(self, t: int, facts: Sequence[int]) -> int:
        """nat t.  Raises :class:`NotFound`."""
        d = self.d
        goal = d.mk("nat", t)
        for i in facts:
            if d.claim(i) == goal:
                return i
        head, kids = d.head(t), d.kids(t)
        if head == "n":
            return d.do("natural", goal)
        if head in ("add", "mul"):
            try:
                both = d.both(*(self.nat(k, facts) for k in kids))
                laws = [d.mk("nat", d.mk(s, *kids)) for s in ("add", "mul")]
                law = d.mk("imp", d.claim(both), laws[head == "mul"])
                return d.mp(d.do("natural", law), both)
            except NotFound:
                if (tidy := self.canonical(t)) != t:
                    return d.replace(self.nat(tidy, facts), self._same(tidy, t))
                if self.a.reader.read(t).get((), 0) >= 0:
                    raise
            more = self.canonical(d.add(t, d.num(1)))
            less, none = self.nat(more, facts), d.mk("eq", more, d.num(0))
            one_less = d.add(more, d.num(-1))
            either = d.do("natural", d.mk("imp", d.claim(less), d.mk("or", none, d.mk(
                "nat", one_less))))
            apart = self.a.plainly(d.mk("not", none), [
                i for i in facts if d.head(d.claim(i)) in RELATIONS
                and not self.of(d.claim(i)) and not self.a._speaks(d.claim(i))], 1)
            found = d.taut(d.mk("nat", one_less), either, less, apart)
            return found if one_less == t else d.replace(found, self._same(one_less, t))
        raise NotFound("not seen to be a whole number")

    def canonical(self, t: int) -> int:
        """The index as x, x + 1, x + 2, ..., x - 1 or a number, where it is one of these."""
        d = self.d
        f = self.a.reader.read(t)
        rest = {m: c for m, c in f.items() if m}
        c = d.num(f.get((), 0))
        if not rest:
            return c
        base = self.a.terms.term(rest, "R")
        return base if d.b.rows[c] == ("n", 0, 1) else d.add(base, c)

    def _same(self, t: int, s: int) -> int:
        """t = s for equal polynomials."""
        return self.d.do("arith", self.d.mk("eq", t, s))

    # unfolding --------------------------------------------------------------------------------

    def tidy(self, t: int) -> int:
        """t = t' with each argument of a function in one form; t a closed application."""
        d = self.d
        found = d.refl(t)
        for place in range(1, len(d.kids(t))):
            now = d.kids(d.claim(found))[1]
            k = d.kids(now)[place]
            new = self.canonical(k)
            if new != k:
                args = list(d.kids(now))
                args[place] = d.b.bound(0, "R")
                for other in range(len(args)):
                    args[other] = args[other] if other == place else d.b.lift(args[other])
                body = d.mk("eq", d.b.lift(t), d.mk(d.head(t), *args))
                found = d.do("rewrite", d.b.open(body, new), [self._same(k, new), found], [body])
        return found

    def unfolded_once(self, t: int, facts: Sequence[int]) -> int | None:
        """t = t' by the equation for its index, t a closed application of such a function."""
        d = self.d
        rule = self.rules.get(d.kids(t)[0])
        if rule is None or d.head(t) != "app3":
            return None
        i, *points = d.kids(t)[1:]
        if d.b.rows[i] == ("n", 0, 1):
            return self.begun(d.kids(t)[0], points)
        f = self.a.reader.read(i)
        if not f.get((), 0):
            return None
        before = self.canonical(d.add(i, d.num(-1)))
        try:
            isnat = self.nat(before, facts)
        except NotFound:
            return None
        step = d.mp(d.inst(rule[1], before), isnat)
        found = self._instance(step, points)
        after = d.kids(d.kids(d.claim(found))[0])[1]
        if after == i:
            return found
        args = [d.b.lift(k) for k in d.kids(t)]
        args[1] = d.b.bound(0, "R")
        body = d.mk("eq", d.mk("app3", *args), d.b.lift(d.kids(d.claim(found))[1]))
        return d.do("rewrite", d.b.open(body, i), [self._same(after, i), found], [body])

    def begun(self, letter: int, points: Sequence[int]) -> int:
        """V(0, points) = what its definition says."""
        return self._instance(self.rules[letter][0], points)

    def _instance(self, i: int, points: Sequence[int]) -> int:
        for p in points:
            if self.d.head(self.d.claim(i)) != "allR":
                break
            i = self.d.inst(i, p)
        return i

    def through(self, goal: int, change: Callable[[int], int | None],
                last: Callable[[int], int]) -> int:
        """The goal from what ``last`` proves, an equation of ``change`` applied again and again."""
        d = self.d
        trail: list[tuple[int, int, int]] = []
        now = goal
        for _ in range(MOST_UNFOLDED):
            equation = change(now)
            if equation is None:
                break
            s, t = d.kids(d.claim(equation))
            body = d.hole(now, s)
            trail.append((now, equation, body))
            now = d.b.open(body, t)
        found = last(now)
        for before, equation, body in reversed(trail):
            found = d.do("rewrite", before, [d.turn(equation), found], [body])
        return found

    def next_change(self, formula: int, facts: Sequence[int]) -> int | None:
        """An equation that brings a closed application in a formula to one form, or unfolds it."""
        d = self.d
        for t in d.subterms(formula):
            if d.head(t) not in ("app", "app3") or d.b.loose[t]:
                continue
            tidy = self.tidy(t)
            if len(set(d.kids(d.claim(tidy)))) > 1:
                return tidy
            found = self.unfolded_once(t, facts) or self.by_lemma(t, facts)
            if found is not None:
                return found
        for t in d.subterms(formula):
            if d.head(t) in ("oint", "lint") and not d.b.loose[t] and self.of(t):
                found = self.inside(t, facts)
                if found is not None:
                    return found
        return None

    def by_lemma(self, t: int, facts: Sequence[int], lemmas: Sequence[Lemma] | None = None
                 ) -> int | None:
        """t = t' by a lemma, t a closed application."""
        d = self.d
        for lemma in self.lemmas.get(d.kids(t)[0], ()) if lemmas is None else lemmas:
            i, *points = d.kids(t)[1:]
            if lemma.at not in (None, i):
                continue
            for values in lemma.guess(i, points):
                try:
                    found = lemma.theorem
                    if lemma.at is None:
                        found = d.mp(d.inst(found, i), self.nat(i, facts))
                    for x in values:
                        found = d.inst(found, x)
                    if d.head(d.claim(found)) == "imp":
                        plain = [j for j in facts if not self.of(d.claim(j))]
                        found = d.mp(found, self.a.prove(d.kids(d.claim(found))[0],
                                                         self.instances(t, plain)))
                    left, right = d.kids(d.claim(found))
                    if t not in d.subterms(right):
                        return d.chain(self.placed(t, left), found)
                except (NotFound, NeedSplit):
                    continue
        return None

    def placed(self, t: int, other: int) -> int:
        """t = t' for two applications of one function to equal polynomials."""
        d = self.d
        found, now = d.refl(t), t
        for place in range(1, len(d.kids(t))):
            old, new = d.kids(now)[place], d.kids(other)[place]
            if old != new:
                args = [d.b.lift(k) for k in d.kids(now)]
                args[place] = d.b.bound(0, "R")
                body = d.mk("eq", d.b.lift(t), d.mk(d.head(t), *args))
                found = d.do("rewrite", d.b.open(body, new), [self._same(old, new), found], [body])
                now = d.kids(d.claim(found))[1]
        return found

    def inside(self, t: int, facts: Sequence[int]) -> int | None:
        """t = t' or t <-> t' with lemmas applied under the binder of t; None: there is none."""
        d = self.d
        symbol, (body,) = d.head(t), d.kids(t)
        sort = "O" if symbol.startswith("o") else "R"
        name, x = d.fresh(sort, "x")
        at = d.b.open(body, x)
        known = [*facts, *(self.a._positive(at) if sort == "O" else ())]
        same = d.refl(at)
        for _ in range(MOST_UNFOLDED):
            right = d.kids(d.claim(same))[1]
            equation = next((e for u in d.subterms(right) if d.head(u) == "app3"
                             and not d.b.loose[u] and x in d.subterms(u)
                             and (e := self.by_lemma(u, known)) is not None), None)
            if equation is None:
                break
            same = d.chain(same, d.alike(right, equation))
        if len(set(d.kids(d.claim(same)))) == 1:
            return None
        return d.under(symbol, d.gen(name, sort, same))

    # relations --------------------------------------------------------------------------------

    def relation(self, goal: int, facts: Sequence[int]) -> int:
        """A relation that speaks of such functions.  Raises :class:`NotFound`."""
        if (counted := self.counted.relation(goal, facts)) is not None:
            return counted
        if (basic := self.a.histories.basic.relation(goal, facts)) is not None:
            return basic
        self.invariants.establish(goal, facts)
        self.companions.establish(goal, facts)
        facts = self._unfolded([*facts, *self.invariants.losses.facts(goal, facts)])
        return self.through(goal, lambda f: self.next_change(f, facts),
                            lambda f: self._settled(f, facts))

    def _unfolded(self, facts: Sequence[int]) -> list[int]:
        """The facts, what they say of sums that are known by others unfolded as in the goal."""
        d, found = self.d, list(facts)
        if not self.lemmas:
            return found
        for n, i in enumerate(found):
            if d.head(d.claim(i)) not in RELATIONS or not any(
                    d.head(t) == "app3" and self.invariants.sums.of(d.kids(t)[0])
                    for t in d.subterms(d.claim(i))):
                continue
            unfolded = i
            for _ in range(MOST_UNFOLDED):
                equation = self.next_change(d.claim(unfolded), facts)
                if equation is None:
                    break
                unfolded = d.replace(unfolded, equation)
            found[n] = unfolded
        return found

    def _settled(self, goal: int, facts: Sequence[int]) -> int:
        """A relation in which nothing can be unfolded."""
        d = self.d
        if not self.of(goal):
            return self.a.prove(goal, self.instances(goal, facts))
        if goal in self.busy:
            raise NotFound("asked for within itself")
        if (value := self._number(goal, facts)) is not None:
            s, t = d.kids(d.claim(value))
            body = d.hole(goal, s)
            found = self._settled(d.b.open(body, t), facts)
            return d.do("rewrite", goal, [d.turn(value), found], [body])
        self.busy.add(goal)
        problem = NotFound("no induction")
        try:
            for attempt in (self.invariants.losses.relation, self.factors.scaled, self._plainly,
                            self._inductively):
                try:
                    return attempt(goal, facts)
                except (NotFound, NeedSplit) as failed:
                    problem = failed if isinstance(failed, NotFound) else problem
        finally:
            self.busy.discard(goal)
        raise problem

    def _number(self, goal: int, facts: Sequence[int]) -> int | None:
        """The value of an integral over the line that has nothing to do with such functions; it
        holds whatever is inducted on."""
        d = self.d
        plain = [i for i in facts if not self.of(d.claim(i))]
        for t in d.subterms(goal):
            if d.head(t) == "lint" and not d.b.loose[t] and not self.of(t) and (
                    not self.a._speaks(t)):
                try:
                    return d.parts(self.a.integration.evaluate(d.kids(t)[0], plain))[1]
                except (NotFound, NeedSplit):
                    continue
        return None

    def _plainly(self, goal: int, facts: Sequence[int]) -> int:
        """The functions' values as unknown numbers, compared with those of a fact."""
        d = self.d
        known = self.instances(goal, facts)
        for i in known:
            if d.head(d.claim(i)) in RELATIONS and self.of(d.claim(i)):
                try:
                    return self._difference(goal, i, known)
                except (NotFound, NeedSplit):
                    continue
        return self.a.unknown(goal, [i for i in known if d.head(d.claim(i)) != "allR"
                                     or not self.of(d.claim(i))])

    def _difference(self, goal: int, i: int, facts: Sequence[int]) -> int:
        """A relation from a fact and one between the differences of their sides."""
        d, a = self.d, self.a
        heads = d.head(goal), d.head(d.claim(i))
        if heads[0] == "eq" != heads[1] or d.b.sorts[d.kids(goal)[0]] != "R":
            raise NotFound("an equation from an inequality")
        s, t = d.kids(goal)
        gap = plus(a.reader.read(t), a.reader.read(s), -1)
        f = plus(gap, a.gap(i), -1)
        rest = a.terms.term(f, "R")
        if self.of(rest):
            raise NotFound("the functions are still there")
        head = heads[0] if heads[1] != "lt" else "le"
        left = a.prove(d.mk(head, d.num(0), rest), [j for j in facts if not self.of(d.claim(j))])
        return d.do("arith", goal, [i, left], [[d.num(1), [0]], [d.num(1), [1]]])

    def instances(self, goal: int, facts: Sequence[int]) -> list[int]:
        """Facts for all whole numbers, at the indices that occur, beside the others."""
        d = self.d
        found = list(facts)
        general = [i for i in facts if d.head(d.claim(i)) == "allR" and self._counts(d.claim(i))]
        places: dict[int, None] = {}
        for formula in [goal, *(d.claim(i) for i in facts if i not in general)]:
            for t in d.subterms(formula):
                if d.head(t) in ("app", "app3") and not d.b.loose[d.kids(t)[1]]:
                    n = d.kids(t)[1]
                    places[n] = None
                    places[self.canonical(d.add(n, d.num(-1)))] = None
        for i in general:
            for n in list(places)[:8]:
                try:
                    made = self._released(d.inst(i, n), facts)
                except NotFound:
                    continue
                found.append(self._forward(made, facts))
        return self.a._closed(found)

    def _counts(self, claim: int) -> bool:
        (body,) = self.d.kids(claim)
        return self.d.head(body) == "imp" and any(
            self.d.head(t) == "nat" for t in self.d.subterms(self.d.kids(body)[0]))

    def _released(self, i: int, facts: Sequence[int]) -> int:
        """The conclusion of an implication whose premises are found to hold."""
        d = self.d
        while d.head(d.claim(i)) == "imp":
            premise = d.kids(d.claim(i))[0]
            i = d.mp(i, self._holds(premise, facts))
        return i

    def _holds(self, premise: int, facts: Sequence[int]) -> int:
        d = self.d
        if d.head(premise) == "and":
            return d.taut(premise, *(self._holds(k, facts) for k in d.kids(premise)))
        if d.head(premise) == "nat":
            return self.nat(d.kids(premise)[0], facts)
        if d.head(premise) not in RELATIONS:
            raise NotFound("another premise")
        plain = [i for i in facts if d.head(d.claim(i)) in RELATIONS
                 and not self.of(d.claim(i)) and not self.a._speaks(d.claim(i))]
        return self.a.plainly(premise, plain, 1)

    def _forward(self, i: int, facts: Sequence[int]) -> int:
        """A theorem with its applications in one form."""
        d = self.d
        for _ in range(MOST_UNFOLDED):
            for t in d.subterms(d.claim(i)):
                if d.head(t) in ("app", "app3") and not d.b.loose[t]:
                    tidy = self.tidy(t)
                    if len(set(d.kids(d.claim(tidy)))) > 1:
                        i = d.replace(i, tidy)
                        break
            else:
                return i
        return i

    # induction --------------------------------------------------------------------------------

    def _letters(self, goal: int, facts: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Whole numbers, as letters, in indices of the goal, with the fact that they are such."""
        d = self.d
        inside = [u for t in d.subterms(goal) if d.head(t) == "app3" and d.kids(t)[0] in self.rules
                  for u in d.subterms(d.kids(t)[1])]
        for i in facts:
            if d.head(d.claim(i)) == "nat":
                (x,) = d.kids(d.claim(i))
                if d.head(x) == "v" and x in inside and MADE not in str(d.b.rows[x][1]):
                    yield x, i

    def _inductively(self, goal: int, facts: Sequence[int]) -> int:
        d = self.d
        if self.depth >= MOST_INDUCTIONS:
            raise NotFound("inductions too deep")
        self.depth += 1
        problem = NotFound("no whole number to induct on")
        try:
            for n, isnat in self._letters(goal, facts):
                rest = [i for i in facts if n not in d.subterms(d.claim(i))]
                for shift in (0, 1):
                    try:
                        return self._by_induction(goal, n, isnat, shift, rest, facts)
                    except (NotFound, NeedSplit) as failed:
                        problem = failed if isinstance(failed, NotFound) else problem
        finally:
            self.depth -= 1
        raise problem

    def _by_induction(self, goal: int, n: int, isnat: int, shift: int, rest: Sequence[int],
                      facts: Sequence[int]) -> int:
        """The goal at n from the goal at m + shift for all m, with n = (n - 1) + 1 for a shift."""
        d = self.d
        body = d.hole(goal, n)
        name, m = d.fresh("R", "m")
        at = d.add(m, d.num(1)) if shift else m
        shifted = d.b.abstract(d.b.open(body, at), name, "R")
        whole = self.induction(shifted, rest)
        if not shift:
            return d.mp(d.inst(whole, n), isnat)
        less = d.add(n, d.num(-1))
        found = d.mp(d.inst(whole, less), self.nat(less, facts))
        again = self._same(d.add(less, d.num(1)), n)
        return d.do("rewrite", goal, [again, found], [body])

    def lemma(self, letter: int, body: int, facts: Sequence[int], guess: Guess,
              begin: Callable[[int, Sequence[int]], int] | None = None) -> None:
        """Prove A[n] for all whole n and keep it as a lemma about a function."""
        theorem = self.induction(body, facts, (letter, guess), begin)
        self.lemmas.setdefault(letter, []).append(Lemma(theorem, None, guess))

    def induction(self, body: int, facts: Sequence[int], lemma: tuple[int, Guess] | None = None,
                  begin: Callable[[int, Sequence[int]], int] | None = None) -> int:
        """all n (nat n -> A[n]) for the body A of a binder; as a lemma about a function, in the
        step.  ``begin`` proves A[0], where the search does not."""
        d = self.d
        start = (begin or self.a.prove)(d.b.open(body, d.num(0)), facts)

        def step(isnat: int, known: int) -> int:
            (m,) = d.kids(d.claim(isnat))
            goal = d.b.open(body, d.add(m, d.num(1)))
            least = d.mk("imp", d.claim(isnat), d.mk("le", d.num(0), m))
            above = d.mp(d.do("natural", least), isnat)
            if lemma is None:
                return self.a.prove(goal, [*facts, isnat, above, self._forward(known, facts)])
            lemmas = self.lemmas.setdefault(lemma[0], [])
            lemmas.insert(0, Lemma(known, m, lemma[1]))
            try:
                return self.a.prove(goal, [*facts, isnat, above])
            finally:
                lemmas.pop(0)

        return d.induction(lambda m: d.b.open(body, m), start, step)
