"""Equality outside null sets: integrands that agree where no fact says that a density vanishes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lapdp.proving.arithmetic import Arithmetic
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import Derivation, NotFound

if TYPE_CHECKING:
    from lapdp.proving.hypotheses import Hypotheses
    from lapdp.proving.tonelli import Tonelli

MOST_NULLS = 2


@dataclass(frozen=True)
class Masses:
    """The distributions whose mass 1 stands for constants: without and with an exponential."""

    plain: int
    exponential: int


Attempt = tuple[int, frozenset[int], bool, bool]
"""A goal, what the facts say, and what the prover was about."""


class NullSets(Arithmetic):
    """Arithmetic that knows of integrals over the space which densities they speak of, and that
    what happens on a null set does not count."""

    hypotheses: Hypotheses
    tonelli: Tonelli

    def __init__(self, d: Derivation) -> None:
        super().__init__(d)
        self.failed: set[Attempt] = set()
        self.unknowns = False
        self.still = frozenset[int]()

    def _speaks(self, t: int) -> bool:
        """Does an integral over the space occur?"""
        return "oint" in self.d.symbols(t)

    def _varies(self, t: int) -> bool:
        """Does an integral over the space occur outside of what is taken for a number?"""
        if t in self.still or not self._speaks(t):
            return False
        return self.d.head(t) == "oint" or any(map(self._varies, self.d.kids(t)))

    def masses(self, t: int) -> list[int]:
        """The distributions of which the integrals speak."""
        d = self.d
        found = [d.kids(u)[0] for u in d.subterms(t) if d.head(u) == "dens"]
        return [p for p in dict.fromkeys(found) if not d.b.loose[p]]

    def choices(self, t: int) -> list[Masses]:
        """Ways to read constants as masses: all of one distribution, or by exponential factors."""
        masses = self.masses(t)
        found = [Masses(p, p) for p in masses]
        return found + [Masses(p, q) for p in masses for q in masses if p != q]

    def _positive(self, t: int) -> list[int]:
        """0 <= p(x) for the densities that occur."""
        d = self.d
        found = []
        for u in d.subterms(t):
            if d.head(u) == "dens" and not d.b.loose[u]:
                p, x = d.kids(u)
                below = d.mk("le", d.num(0), d.mk("dens", d.b.lift(p), d.b.bound(0, "O")))
                found.append(d.inst(d.do("density", d.mk("allO", below), [], [p]), x))
        return found

    def _pointwise(self, claim: int) -> bool:
        """May a fact help where integrands are compared: about numbers, or null functions?"""
        d = self.d
        return not self._speaks(claim) or (d.head(claim) == "eq" and d.head(
            d.kids(claim)[0]) == "oint" and d.kids(claim)[1] == d.num(0))

    def _nulls(self, facts: Sequence[int], *about: int) -> list[tuple[int, list[int]]]:
        """Bodies whose integral is 0 by a fact, with what says that they are >= 0, integrable:
        those first that speak of no other densities than the functions they are wanted for."""
        d, found = self.d, []
        known = [i for i in facts if d.head(d.claim(i)) == "eq" and d.head(
            d.kids(d.claim(i))[0]) == "oint" and d.kids(d.claim(i))[1] == d.num(0)]
        if about:
            here = {p for t in about for p in self.masses(t)}
            known.sort(key=lambda i: len({*self.masses(d.claim(i))} - here))
        for i in known:
            claim = d.claim(i)
            (n,) = d.kids(d.kids(claim)[0])
            name, x = d.fresh("O", "x")
            at = d.b.open(n, x)
            try:
                above = self.prove(d.mk("le", d.num(0), at), self._positive(at))
                iny = self.prove(d.mk("oiny", n), [
                    j for j in facts if d.head(d.claim(j)) in ("oiny", "le", "lt")
                    and not self._speaks(d.claim(j))])
            except NotFound:
                continue
            found.append((n, [d.gen(name, "O", above), iny, i]))
            if len(found) == MOST_NULLS:
                break
        return found

    def _outside(self, f: int, g: int, iny: int, facts: Sequence[int]) -> tuple[int, int, int]:
        """f', oint f = oint f' and oiny f', where f' is f outside the null sets that the facts
        know and g on them."""
        d = self.d
        zero = d.num(0)
        nulls = self._nulls(facts, f, g)
        if not nulls:
            return f, d.refl(d.mk("oint", f)), iny
        conditions = [d.mk("eq", n, zero) for n, _ in nulls]
        changed = d.mk("if", d.conj(conditions), f, g)
        name, x = d.fresh("O", "x")
        given = [d.assume(d.b.open(c, x)) for c in conditions]
        both = d.both(*given)
        at = d.b.open(changed, x)
        chosen = d.mp(d.do("cases", d.mk("imp", d.claim(both), d.mk("eq", at, d.b.open(f, x)))),
                      both)
        inside = d.turn(chosen)
        inside = d.disch_all(map(d.claim, given), inside)
        goal = d.conj([d.mk("iff", d.mk("oiny", f), d.mk("oiny", changed)),
                       d.mk("eq", d.mk("oint", f), d.mk("oint", changed))])
        alike, same = d.parts(d.do("almost", goal, [
            *(p for _, three in nulls for p in three), d.gen(name, "O", inside)]))
        return changed, same, d.onward(alike, iny)

    def _equal(self, f: int, g: int, facts: Sequence[int]) -> int:
        """oint f = oint g: the integrands are equal, outside null sets that the facts know."""
        return self._alike_outside(f, g, facts)[1]

    def _alike_outside(self, f: int, g: int, facts: Sequence[int]) -> list[int]:
        """oiny f <-> oiny g, and oint f = oint g, from equal integrands outside null sets."""
        d = self.d
        goal = d.conj([d.mk("iff", d.mk("oiny", f), d.mk("oiny", g)),
                       d.mk("eq", d.mk("oint", f), d.mk("oint", g))])
        attempt = self._attempt(goal, facts)
        # the outcome of each attempt has a name of its own: only here is it seen to come back
        if attempt in self.failed:
            raise NotFound("tried before")
        name, x = d.fresh("O", "x")
        at = d.mk("eq", d.b.open(f, x), d.b.open(g, x))
        densities = self._positive(at)
        nulls = self._nulls(facts, f, g)
        given = [d.assume(d.mk("eq", d.b.open(n, x), d.num(0))) for n, _ in nulls]
        more = [i for g in given for i in (*self._positive(d.claim(g)), *self.tonelli.vanishing(g))]
        known = [*facts, *densities, *more, *given]
        try:
            inside = self.prove(at, self._closed(known) if nulls else known)
        except NotFound:
            self.failed.add(attempt)
            raise
        everywhere = d.gen(name, "O", d.disch_all(map(d.claim, given), inside))
        if not nulls:
            return [d.under("oiny", everywhere), d.under("oint", everywhere)]
        premises = [p for _, three in nulls for p in three]
        return d.parts(d.do("almost", goal, [*premises, everywhere]))

    def _as_another(self, goal: int, facts: Sequence[int]) -> int | None:
        """``oiny f`` for a complex f that equals an integrable g of the facts almost everywhere."""
        d = self.d
        (f,) = d.kids(goal)
        if d.b.sorts[f] != "C":
            return None
        masses = set(self.masses(f))
        for i in facts:
            if d.head(d.claim(i)) != "oiny":
                continue
            (g,) = d.kids(d.claim(i))
            if d.b.sorts[g] != "C" or set(self.masses(g)) != masses:
                continue
            try:
                return d.taut(goal, self._alike_outside(f, g, facts)[0], i)
            except (NotFound, NeedSplit):
                continue
        return None

    def _attempt(self, goal: int, facts: Sequence[int]) -> Attempt:
        """What a vain search is known by: facts count by what they say."""
        return goal, frozenset(map(self.d.claim, facts)), self.hypotheses.busy, self.unknowns
