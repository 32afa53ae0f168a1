"""Equations from equations: one combination of them, inverses and equal functions aside."""

from __future__ import annotations

from collections.abc import Sequence

from lapdp.kernel.polynomials import Polynomial, plus, power
from lapdp.kernel.symbols import UNARY
from lapdp.proving.columns import MINUS, MOST_COLUMNS, Parts
from lapdp.proving.derivation import Derivation, NotFound
from lapdp.proving.farkas import combination
from lapdp.proving.items import ONE, Item, combined, scaled, times
from lapdp.proving.quotients import Quotients

MOST_WITHIN = 2


class Identities(Quotients):
    """Equations between terms as combinations of facts."""

    def __init__(self, d: Derivation) -> None:
        super().__init__(d)
        self._within = 0

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
        if self._within >= MOST_WITHIN:
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
