"""Quotients in relations: multiplied out where the sign of the denominator is known."""

from __future__ import annotations

from collections.abc import Sequence

from lapdp.kernel.polynomials import Monomial, Polynomial, plus, power, ratio
from lapdp.proving.atom_laws import AtomLaws
from lapdp.proving.columns import MINUS
from lapdp.proving.items import ONE, Item, multiply, scaled, times, whole_quotient


class Quotients(AtomLaws):
    """Columns without quotients."""

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


def product_of(monomial: Monomial, number: int) -> Monomial:
    """A monomial times an atom."""
    return tuple(sorted((*monomial, (number, 1))))
