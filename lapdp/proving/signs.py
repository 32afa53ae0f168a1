"""Signs of monomials: products of factors whose signs are known, squares, reciprocals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Monomial, Polynomial
from lapdp.proving.items import ONE, Item, multiply, times, whole_quotient

if TYPE_CHECKING:
    from lapdp.proving.certificates import Certificates

MOST_MONOMIALS = 120
MOST_FACTORS = 14
MOST_SHIFTED = 60
MOST_TARGETS = 40
Places = list[tuple[int, str]]


class Signs:
    """What follows for the monomials that occur in items, as further items."""

    def __init__(self, certificates: Certificates) -> None:
        self.c, self.d = certificates, certificates.d

    def of(self, items: Sequence[Item], relations: list[int], facts: Sequence[int]) -> list[Item]:
        """Items ``0 <= m`` or ``0 < m``; facts that they use are added to the relations."""
        monomials = dict.fromkeys(m for p in items for m in p.f if m)
        known: dict[Monomial, tuple[int, str]] = {}
        dead: set[int] = set()  # reciprocals whose sign was not found
        for n, i in enumerate(relations):
            f, kind = self.c.gap(i), self.d.head(self.d.claim(i))
            if len(f) == 1 and kind in ("lt", "le"):
                ((m, c),) = f.items()
                if c > 0 and known.get(m, (0, "le"))[1] == "le":
                    known[m] = n, kind
            elif len(f) == 2 and f.get((), 1) < 0 and kind in ("lt", "le"):
                self._above_a_number(i, f, known, relations)
        found = []
        heads = self.c.heads(relations)  # what is added are no equations
        for m in list(monomials)[:MOST_MONOMIALS]:
            item = self._sign(m, known, relations, facts, dead)
            if item is not None:
                found.append(self.c.substituted(item, relations, heads=heads))
        found += self._shifted(items, known, relations, facts, dead)
        return [p for p in found if p.f]

    def _shifted(self, items: Sequence[Item], known: dict[Monomial, tuple[int, str]],
                 relations: list[int], facts: Sequence[int], dead: set[int]) -> list[Item]:
        """Inequalities of two or three terms times monomials, so that others that occur appear."""
        monomials = dict.fromkeys(m for p in items for m in p.f if len(m) > 0)
        if len(monomials) > MOST_TARGETS:
            return []
        short = [p for p in items if p.kind != "eq" and 1 < len(p.f) <= 3]
        found: list[Item] = []
        heads = self.c.heads(relations)
        signs: dict[Monomial, Item | None] = {}
        for p in short:
            shifts = dict.fromkeys(whole_quotient(m, n) for m in monomials for n in p.f)
            for shift in shifts:
                if not shift or len(found) >= MOST_SHIFTED:
                    continue
                if shift not in signs:
                    signs[shift] = self._sign(shift, known, relations, facts, dead)
                if (sign := signs[shift]) is not None:
                    found.append(self.c.substituted(multiply(p, sign), relations, heads=heads))
        return found

    def _sign(self, m: Monomial, known: dict[Monomial, tuple[int, str]], relations: list[int],
              facts: Sequence[int], dead: set[int]) -> Item | None:
        """0 <= m or 0 < m; None where it is not found by few factors."""
        parts = self._factors(m, known, relations, facts, dead)
        if parts is None or not 0 < len(parts) <= MOST_FACTORS:
            return None
        f = dict(ONE)
        for n, _ in parts:
            f = times(f, self.c.gap(relations[n]))
        strict = all(kind == "lt" for _, kind in parts)
        return Item("lt" if strict else "le", f, ((ONE, tuple(n for n, _ in parts)),))

    def _above_a_number(self, i: int, f: Polynomial, known: dict[Monomial, tuple[int, str]],
                        relations: list[int]) -> None:
        """0 < x from c <= x for a number c > 0."""
        ((m, c),) = ((m, c) for m, c in f.items() if m)
        if c > 0 and len(m) == 1 and m[0][1] == 1 and m not in known:
            sign = self.c.positive(self.c.terms.term({m: 1}), [i])
            if sign is not None:
                self._place(m, known, relations, sign)

    def _factors(self, m: Monomial, known: dict[Monomial, tuple[int, str]], relations: list[int],
                 facts: Sequence[int], dead: set[int]) -> Places | None:
        """Facts whose product is the monomial, by place and kind; None where a sign is open."""
        d = self.d
        if m in known:
            return [known[m]]
        found: Places = []
        exponential = self.c.terms.exponential_part(m)
        if exponential:
            t = self.c.terms.term({exponential: 1})
            if d.head(t) != "exp" or d.b.sorts[t] != "R":
                return None
            law = d.law("exp positive", d.mk("lt", d.num(0), t), *d.kids(t))
            found.append(self._place(exponential, known, relations, law))
        for atom, e in m:
            if (atom, e) in exponential:
                continue
            one: Monomial = ((atom, 1),)
            t = self.c.terms.term({one: 1})
            if d.b.sorts[t] != "R":
                return None
            if one not in known and atom not in dead and self.c.terms.symbol(atom) == "inv":
                sign = self._reciprocal(atom, facts)
                if sign is None:
                    dead.add(atom)
                else:
                    self._place(one, known, relations, sign)
            if one in known:
                found += [known[one]] * int(e)
            elif int(e) % 2:
                return None
            else:
                law = d.law("square", d.mk("le", d.num(0), d.mk("mul", t, t)), t)
                found += [self._place(((atom, 2),), known, relations, law)] * (int(e) // 2)
        return found

    def _place(self, m: Monomial, known: dict[Monomial, tuple[int, str]], relations: list[int],
               law: int) -> tuple[int, str]:
        if law not in relations:
            relations.append(law)
        known[m] = relations.index(law), self.d.head(self.d.claim(law))
        return known[m]

    def _reciprocal(self, atom: int, facts: Sequence[int]) -> int | None:
        """0 < 1/x from 0 < x."""
        side = self.c.positive(self.c.terms.term(self.c.terms.argument(atom)), facts)
        return None if side is None else self.d.reciprocal(side)[1]
