"""Integrals compared with the integrals of hypotheses; events, witnesses and suprema.

A hypothesis ``a <= b`` proves a goal ``s <= t`` if t - s - r (b - a) >= 0 for a factor r >= 0,
which is a claim about integrands again.  Hypotheses for all events are used at the events where
the integrands of the goal do not vanish: the sets of the Hahn decomposition.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import plus, times
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.columns import RELATIONS
from lapdp.proving.combinations import Combinations
from lapdp.proving.derivation import NotFound
from lapdp.proving.profiles import Profiles

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

MOST_EVENTS = 6
MOST_FACTS = 8
MOST_WITNESSES = 10
GENERAL = ("allS", "allR", "allO")
MOST_INSTANCES = 12
MOST_NESTED = 3
"""Quantifiers of one fact that are taken off."""
MOST_PLACES = 4


class Hypotheses:
    """What a :class:`Prover` does with facts that speak of integrals, events and suprema."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self._named: dict[int, int] = {}
        self.profiles = Profiles(prover)
        self.combinations = Combinations(prover)
        self.busy = False

    # comparisons ------------------------------------------------------------------------------

    def between(self, goal: int, facts: Sequence[int]) -> int:
        """A relation between integrals from facts that speak of integrals.

        Raises :class:`NotFound`.
        """
        d = self.d
        if self.busy:
            raise NotFound("a comparison of integrals within another")
        bounded = [*self.a.levels.instances(goal, facts),
                   *self.a.trade_offs.instances(facts, goal)]
        rest = [i for i in facts if not (bounded and self.a.trade_offs.of(d.claim(i)))]
        known = self.a._closed([*rest, *self.instances(goal, rest), *bounded])
        known += self._below_maxima(known)
        speaking = [i for i in known if d.head(d.claim(i)) in RELATIONS
                    and self.a._speaks(d.claim(i)) and d.b.sorts[d.kids(d.claim(i))[0]] == "R"]
        if not speaking or d.b.sorts[d.kids(goal)[0]] != "R":
            raise NotFound("no hypothesis speaks of integrals")
        of = self.combinations.integrals
        near = [i for i in known if i not in speaking or of(d.claim(i)) <= of(goal)]
        near += self.a.losses.powers(goal, known)
        turned = self.a.reversal.equations(goal, speaking)
        near += turned
        for some in (near, known):
            try:
                return self.a.by_arithmetic(goal, some)
            except NotFound:
                continue
        try:
            return self.profiles.below(goal, known, speaking)
        except NotFound:
            pass
        nulls = self.nulls(known, speaking)
        known += nulls
        if d.head(goal) != "eq":
            return self._bounded(goal, known, speaking, turned)
        s, t = d.kids(goal)
        if nulls:
            try:
                return self.a.compared(goal, known)
            except NotFound:
                pass
        halves = [self._bounded(d.mk("le", *p), known, speaking, turned) for p in ((s, t), (t, s))]
        law = d.do("order", d.mk("iff", goal, d.conj([d.mk("le", s, t), d.mk("le", t, s)])))
        return d.taut(goal, law, *halves)

    def _below_maxima(self, facts: Sequence[int]) -> list[int]:
        """a <= c and b <= c from max(a, b) <= c."""
        d, found = self.d, list[int]()
        todo = list(facts)
        for i in todo:
            if d.head(d.claim(i)) not in ("le", "lt") or d.head(d.kids(d.claim(i))[0]) != "max":
                continue
            most, c = d.kids(d.claim(i))
            for x in d.kids(most):
                less = self.a.by_cases(d.mk("le", x, most))
                found.append(d.do("arith", d.mk(d.head(d.claim(i)), x, c), [less, i],
                                  [[d.num(1), [0]], [d.num(1), [1]]]))
                todo.append(found[-1])
        return found

    def nulls(self, known: Sequence[int], speaking: Sequence[int]) -> list[int]:
        """Integrals of functions >= 0 that a fact s <= t, true the other way round for all
        densities, says to be 0."""
        d, a = self.d, self.a
        rest = [i for i in known if i not in speaking]
        found = []
        for i in speaking[:MOST_FACTS]:
            s, t = d.kids(d.claim(i))
            if d.head(d.claim(i)) == "lt":
                continue
            gap = a.terms.term(plus(a.reader.read(s), a.reader.read(t), -1), "R")
            for mass in a.choices(gap)[:1]:
                try:
                    back = a.compared(d.mk("le", d.num(0), gap), rest)
                    whole = a.normal(gap, rest, mass)
                except (NotFound, NeedSplit):
                    continue
                same = d.mk("eq", gap, d.num(0))
                law = d.do("order", d.mk("iff", same, d.conj([
                    d.mk("le", gap, d.num(0)), d.mk("le", d.num(0), gap)])))
                above = d.do("arith", d.mk("le", gap, d.num(0)), [i], [[d.num(1), [0]]])
                found.append(d.chain(d.turn(whole.equation), d.taut(same, law, above, back)))
        return found

    def _bounded(self, goal: int, facts: Sequence[int], speaking: Sequence[int],
                 turned: Sequence[int]) -> int:
        d, a = self.d, self.a
        s, t = d.kids(goal)
        gap = plus(a.reader.read(t), a.reader.read(s), -1)
        strict = d.head(goal) == "lt"
        rest_facts = [i for i in facts if i not in speaking]
        plain = [i for i in rest_facts if not a._speaks(d.claim(i))]
        problem = NotFound("no combination of the hypotheses")
        self.busy = True
        try:
            for chosen in self.combinations.of([goal, *map(d.claim, turned)], speaking):
                if strict and not any(d.head(d.claim(i)) == "lt" for i, _ in chosen):
                    continue
                rest = gap
                for i, factor in chosen:
                    rest = plus(rest, times(a.gap(i), factor), -1)
                above = d.mk("le", d.num(0), a.terms.term(rest, "R"))
                if a.finite.denied(above, plain):
                    continue
                try:
                    found = self._settled(above, rest_facts, turned)
                except (NotFound, NeedSplit) as failed:
                    problem = failed if isinstance(failed, NotFound) else problem
                    continue
                return self.combinations.added(goal, found, chosen)
        finally:
            self.busy = False
        raise problem

    def _settled(self, above: int, facts: Sequence[int], turned: Sequence[int]) -> int:
        """A relation between integrals, by what profiles of exchanged pairs say of each other."""
        if turned:
            try:
                return self.a.plainly(above, turned, 0)
            except NotFound:
                pass
        return self.a.relation(above, facts)

    # events -----------------------------------------------------------------------------------

    def events(self, formulas: Sequence[int]) -> list[int]:
        """Events of which formulas speak: letters, and where integrands do not vanish."""
        d = self.d
        found: dict[int, None] = {}
        for formula in formulas:
            for t in d.subterms(formula):
                if d.b.loose[t]:
                    continue
                if d.b.sorts[t] == "S":
                    found[t] = None
                elif d.head(t) == "oint":
                    found[d.mk("set", self._support(d.kids(t)[0]))] = None
        rest = (d.mk("set", d.mk("not", d.kids(t)[0])) for t in found if d.head(t) == "set")
        return list(dict.fromkeys([*found, *rest]))[:MOST_EVENTS]

    def _support(self, body: int) -> int:
        d = self.d
        head, kids = d.head(body), d.kids(body)
        zero = d.num(0)
        if head == "if" and kids[2] == zero and d.head(kids[1]) != "if":
            return kids[0]
        if head == "max" and kids[0] == zero:
            return d.mk("lt", zero, kids[1])
        if head == "mul" and not d.b.loose[kids[0]]:
            return self._support(kids[1])
        return d.mk("not", d.mk("eq", body, d.like(0, d.b.sorts[body])))

    def instances(self, goal: int, facts: Sequence[int]) -> list[int]:
        """Facts for all events or numbers, at those of the goal and of the other facts."""
        d = self.d
        general = [i for i in facts if d.head(d.claim(i)) in GENERAL
                   and not self.a.levels.tests(d.claim(i))]
        if not general:
            return []
        plain = [d.claim(i) for i in facts if i not in general and self.a._speaks(d.claim(i))]
        places = {"allS": lambda: self.events([goal, *plain]),
                  "allR": lambda: self.exponents([goal]),
                  "allO": lambda: self.outcomes([goal])}
        found = []
        for i in general:
            made = [i]
            while made and d.head(d.claim(made[0])) in GENERAL:
                made = [d.inst(j, p) for j in made for p in places[d.head(d.claim(j))]()]
                made = made[:MOST_INSTANCES]
            found += [self.unfolded(part) for j in made for part in d.parts(j)]
        return self.a.released([*facts, *found])[len(facts):] if any(
            d.head(d.claim(j)) == "imp" for j in found) else found

    def applied(self, goal: int, facts: Sequence[int]) -> list[int]:
        """Facts for all numbers, at the places where a function that is not known is taken."""
        d = self.d
        places = list(dict.fromkeys(d.kids(t)[1] for t in d.subterms(goal)
                                    if d.head(t) == "app" and not d.b.loose[t]))
        if not places:
            return []
        stage = [i for i in facts if d.head(d.claim(i)) == "allR"]
        found: list[int] = []
        for _ in range(MOST_NESTED):
            made = [d.inst(i, t) for i in stage for t in [*places, d.num(0)][:MOST_PLACES]]
            stage = [i for i in made if d.head(d.claim(i)) == "allR"]
            found += [i for i in made if d.head(d.claim(i)) != "allR"]
        return self.a.released([*facts, *found]) if found else []

    def exponents(self, formulas: Sequence[int]) -> list[int]:
        """Numbers at which profiles are taken: exponents and letters that occur."""
        d = self.d
        closed = [t for f in formulas for t in d.subterms(f) if not d.b.loose[t]
                  and d.b.sorts[t] == "R"]
        found = dict.fromkeys(d.kids(t)[0] for t in closed if d.head(t) == "exp")
        found.update(dict.fromkeys(t for t in closed if d.head(t) == "v"))
        found.update(dict.fromkeys(d.neg(t) for t in list(found)))  # of the exchanged pair
        return list(found)[:MOST_EVENTS]

    def unfolded(self, i: int) -> int:
        """A theorem with ``x in {o : A}`` replaced by A at x, under integrals."""
        for t in self._sets_in(self.d.claim(i)):
            i = self.d.replace(i, self._without_sets(t))
        return i

    def folded(self, goal: int, facts: Sequence[int]) -> int:
        """The goal, proved with ``x in {o : A}`` replaced; the goal itself has such terms."""
        d = self.d
        steps = []
        now = goal
        for t in self._sets_in(goal):
            equation = self._without_sets(t)
            if d.head(d.claim(equation)) == "iff":
                now = d.kids(d.claim(equation))[1]
                return d.taut(goal, equation, self.a.prove(now, facts))
            body = d.hole(now, t)
            steps.append((now, equation, body))
            now = d.b.open(body, d.kids(d.claim(equation))[1])
        found = self.a.prove(now, facts)
        for before, equation, body in reversed(steps):
            found = d.do("rewrite", before, [d.turn(equation), found], [body])
        return found

    def has_sets(self, formula: int) -> bool:
        """Is a set written out in a closed part that :meth:`folded` can rewrite?"""
        return bool(self._sets_in(formula))

    def _sets_in(self, formula: int) -> list[int]:
        """Closed integrals, and statements of integrability, in which a set is written out."""
        d = self.d
        if "set" not in d.symbols(formula):
            return []
        whole = [t for t in d.subterms(formula) if not d.b.loose[t] and (
            d.head(t) in ("oint", "oiny") or (d.head(t) == "in" and t == formula))]
        return [t for t in whole if any(
            d.head(u) == "in" and d.head(d.kids(u)[1]) == "set" for u in d.subterms(t))]

    def _without_sets(self, t: int) -> int:
        """t = t', or t <-> t', where t' has no membership in a set that is written out."""
        d = self.d
        if d.head(t) == "in":
            return self._membership(t)
        name, x = d.fresh("O", "x")
        at = d.b.open(d.kids(t)[0], x)
        same = d.refl(at)
        for _ in range(20):
            right = d.kids(d.claim(same))[1]
            inside = [u for u in d.subterms(right) if d.head(u) == "in" and not d.b.loose[u]
                      and d.head(d.kids(u)[1]) == "set"]
            if not inside:
                break
            law = self._membership(inside[0])
            hole = d.b.letter("@", "F")

            def leaf(u: int, _: int, old: int = inside[0], new: int = hole) -> int | None:
                return new if u == old else None

            changed = d.b.walk(right, leaf)
            goal = d.mk("eq", at, d.b.put(changed, {("@", "F"): d.kids(d.claim(law))[1]}))
            same = d.do("rewrite", goal, [law, same], [d.mk("eq", at, changed)])
        everywhere = d.gen(name, "O", same)
        if d.head(t) == "oint":
            return d.under("oint", everywhere)
        (body,) = d.kids(d.claim(everywhere))
        f, g = d.kids(body)
        oint_f, oint_g = d.mk("oint", f), d.mk("oint", g)
        goal = d.conj([d.mk("iff", d.mk("oiny", f), d.mk("oiny", g)), d.mk("eq", oint_f, oint_g)])
        return d.parts(d.do("almost", goal, [everywhere]))[0]

    def _membership(self, t: int) -> int:
        d = self.d
        x, event = d.kids(t)
        (body,) = d.kids(event)
        return d.do("comprehension", d.mk("iff", t, d.b.open(body, x)))

    # existence --------------------------------------------------------------------------------

    def witness(self, goal: int, facts: Sequence[int]) -> int:
        """There is an event, or a number, with the property."""
        d = self.d
        sort, (body,) = d.head(goal)[2:], d.kids(goal)
        if sort == "S":
            claims = [d.claim(i) for i in facts]
            candidates = list(dict.fromkeys([
                *self._alike_masses(body, claims), *self.events([*claims, goal])]))
        elif sort == "O":
            candidates = self.outcomes([d.claim(i) for i in facts] + [goal])
        elif sort in ("R", "C"):
            if sort == "R" and (found := self.a.suprema.inhabited(goal, facts)) is not None:
                return found
            most = self.a.suprema.bound(body) if sort == "R" else None
            candidates = [*(() if most is None else (most,)),
                          *(self.a.continuity.places(body) if sort == "R" else ()),
                          *self.a.limits.candidates(body, facts),
                          *(self.bounds(body) if sort == "R" else ()), *self._given_bounds(facts)]
        else:
            raise NotFound(f"a witness of sort {sort}")
        problem = NotFound("no witness")
        for t in candidates[:MOST_WITNESSES]:
            try:
                found = self.a.prove(d.b.open(body, t), facts)
            except (NotFound, NeedSplit) as failed:
                problem = failed if isinstance(failed, NotFound) else problem
                continue
            return d.do("wit", goal, [found], [t])
        raise problem

    def _alike_masses(self, body: int, formulas: Sequence[int]) -> list[int]:
        """Events that formulas weigh by the density that weighs an event first in a body."""
        d = self.d
        _, event = d.fresh("S")
        inside = d.b.open(body, event)
        first = next((m[0] for t in d.subterms(inside) if not d.b.loose[t] and (
            m := self.a.event_masses.mass(t)) is not None and m[1] == event), None)
        return [d.mk("set", d.kids(d.kids(t)[0])[0]) for f in formulas for t in d.subterms(f)
                if d.head(t) == "oint" and not d.b.loose[t] and d.head(d.kids(t)[0]) == "if"
                and d.head(d.kids(d.kids(t)[0])[1]) == "dens"
                and d.kids(d.kids(d.kids(t)[0])[1])[0] == first]

    def outcomes(self, formulas: Sequence[int]) -> list[int]:
        """Outcomes that occur, else any."""
        d = self.d
        letters = dict.fromkeys(t for f in formulas for t in d.subterms(f)
                                if d.head(t) == "v" and d.b.sorts[t] == "O")
        return list(letters) or [d.fresh("O", "x")[1]]

    def bounds(self, body: int) -> list[int]:
        """Numbers that may be what is asked for: bounds of sums of masses, terms that occur."""
        d = self.d
        found = dict.fromkeys([d.num(1), d.num(0)])
        for t in d.subterms(body):
            if d.head(t) not in RELATIONS:
                continue
            for side in d.kids(t):
                if d.b.sorts[side] != "R":
                    continue
                if not d.b.loose[side]:
                    found[side] = None
                elif (bound := self._mass_bound(side)) is not None:
                    found[bound] = None
        found.update(dict.fromkeys(t for t in d.subterms(body) if not d.b.loose[t]
                                   and d.b.sorts[t] == "R" and d.head(t) == "v"))
        found.update(dict.fromkeys([d.num(2), d.b.number(1, 2)]))
        return list(found)

    def _given_bounds(self, facts: Sequence[int]) -> list[int]:
        """Numbers above something for all events, orders or outcomes, by a fact."""
        d = self.d
        found: dict[int, None] = {}
        for i in facts:
            claim, inner = d.claim(i), d.claim(i)
            while d.head(inner) in GENERAL:
                (inner,) = d.kids(inner)
            if inner != claim and d.head(inner) == "le" and not d.b.loose[d.kids(inner)[1]]:
                found[d.kids(inner)[1]] = None
        return list(found)

    def _mass_bound(self, t: int) -> int | None:
        """The sum with each integral replaced by 1 where it is added, and left out else."""
        d = self.d
        head, kids = d.head(t), d.kids(t)
        if head == "oint":
            return d.num(1)
        if head == "add":
            parts = [self._mass_bound(k) for k in kids]
            known = [p for p in parts if p is not None]
            return d.add(*known) if len(known) == 2 else None
        if head == "mul" and not d.b.loose[kids[0]]:
            if d.head(kids[0]) == "n" and int(str(d.b.rows[kids[0]][1])) < 0:
                return d.num(0)
            inner = self._mass_bound(kids[1])
            return None if inner is None else d.mul(kids[0], inner)
        return t if not d.b.loose[t] else None

    def chosen(self, goal: int, facts: Sequence[int]) -> int | None:
        """The goal from a fact that something exists, given a name; None without such a fact."""
        d = self.d
        claims = {d.claim(i) for i in facts}
        for i in facts:
            claim = d.claim(i)
            if not d.head(claim).startswith("ex") or d.head(claim) == "exp" or (
                    self._opened(claim, claims)):
                continue
            sort = d.head(claim)[2:]
            name, letter = d.fresh(sort)
            given = d.assume(d.b.open(d.kids(claim)[0], letter))
            self._named[claim] = d.claim(given)
            rest = [j for j in facts if j != i]
            known = self.a.essential.enriched(self.a._closed([*rest, given]))
            found = self.a.prove(goal, known)
            return d.do("choose", goal, [i, found], [name, sort])
        return None

    def _opened(self, claim: int, claims: set[int]) -> bool:
        """Has what exists by the claim a name among the claims already?"""
        given = self._named.get(claim)
        return given is not None and (given in claims or self._opened(given, claims))
