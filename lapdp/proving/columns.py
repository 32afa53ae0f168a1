"""Facts as columns of a linear program: a claim is a combination of them with exact weights."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from itertools import chain, islice

from lapdp.kernel.polynomials import Monomial, Polynomial, Power, plus, ratio
from lapdp.proving.derivation import Derivation
from lapdp.proving.farkas import combination
from lapdp.proving.items import ONE, Item, Terms, combined, multiply, scaled
from lapdp.proving.models import Models
from lapdp.proving.relevant import Answers, Relevant

MOST_COLUMNS = 500
RELATIONS = ("eq", "le", "lt")
MINUS: Polynomial = {(): -1}
Parts = tuple[tuple[Polynomial, tuple[int, ...]], ...]
Head = tuple[int, int, int]
"""The place of an equation, and the atom and the power of it that it gives."""


class Columns(ABC):
    """Relations and their products, in one derivation; signs are decided by subclasses."""

    def __init__(self, d: Derivation) -> None:
        self.d, self.terms = d, Terms(d)
        self.reader = self.terms.reader
        self._gaps: dict[int, Polynomial] = {}
        self._heads: dict[int, tuple[int, int] | None] = {}
        self.relevant = Relevant(self.terms)
        self._compared = Answers(d)
        self.models, self.cheaply = Models(d, self.terms), Models(d, self.terms, total=True)

    @abstractmethod
    def plainly(self, goal: int, facts: Sequence[int], level: int) -> int:
        """A relation from facts without cases, with that much effort."""

    @abstractmethod
    def positive(self, t: int, facts: Sequence[int], strict: bool = True) -> int | None:
        """0 < t (or 0 <= t) as a theorem, if it is found."""

    @abstractmethod
    def nonzero(self, t: int, facts: Sequence[int]) -> int | None:
        """not t = 0 as a theorem, if it is found."""

    def relations(self, facts: Sequence[int]) -> list[int]:
        """The facts that are relations."""
        d = self.d
        return [i for i in dict.fromkeys(facts) if d.head(d.claim(i)) in RELATIONS]

    def gap(self, i: int) -> Polynomial:
        """Right minus left of a theorem."""
        claim = self.d.claim(i)
        if claim not in self._gaps:
            s, t = self.d.kids(claim)
            self._gaps[claim] = plus(self.reader.read(t), self.reader.read(s), -1)
        return self._gaps[claim]

    def _head(self, i: int) -> tuple[int, int] | None:
        """What an equation gives in terms of others, see :meth:`_head_power`; None for others."""
        if i not in self._heads:
            equation = self.d.head(self.d.claim(i)) == "eq"
            self._heads[i] = self._head_power(self.gap(i)) if equation else None
        return self._heads[i]

    def _atoms(self, polynomials: Sequence[Polynomial]) -> list[int]:
        """All atoms, also those inside exponents and functions."""
        seen: dict[int, None] = {}
        todo = list(polynomials)
        while todo:
            for m in todo.pop():
                for number, _ in m:
                    if number in seen:
                        continue
                    seen[number] = None
                    if self.terms.symbol(number) not in ("", "i"):
                        todo.append(self.terms.argument(number))
        return list(seen)

    def _items(self, relations: list[int]) -> list[Item]:
        """The facts as items, equations used to eliminate."""
        found, heads = [], self.heads(relations)
        given = {n for n, _, _ in heads}
        for n, i in enumerate(relations):
            item = Item(self.d.head(self.d.claim(i)), self.gap(i), ((ONE, (n,)),))
            if item.f or item.kind == "lt":
                # of two equations that give something, one at most is put into the other
                but = n if n in given else -1
                found.append(self.substituted(item, relations, but, heads))
        return [p for p in found if p.f or p.kind == "lt"]

    def heads(self, relations: list[int]) -> list[Head]:
        """What the equations among relations give in terms of others, by place."""
        return [(n, *head) for n, i in enumerate(relations) if (head := self._head(i)) is not None]

    def substituted(self, item: Item, relations: list[int], but: int = -1,
                    heads: list[Head] | None = None) -> Item:
        """Atoms, and powers of atoms, that an equation gives in terms of others are eliminated;
        ``heads`` are those of the relations, if they are known."""
        atoms: set[int] | None = None
        for n, atom, exponent in self.heads(relations) if heads is None else heads:
            if n == but or (but >= 0 and n > but and item.kind == "eq"):
                continue
            if atoms is None:
                atoms = {x for m in item.f for x, _ in m}
            if atom not in atoms:
                continue
            equation = Item("eq", self.gap(relations[n]), ((ONE, (n,)),))
            c = equation.f[((atom, exponent),)]
            for _ in range(12):
                # different monomials leave different ones
                cofactor: Polynomial = {}
                for m, v in item.f.items():
                    if any(x == atom and e >= exponent for x, e in m):
                        rest = tuple((x, e - exponent if x == atom else e) for x, e in m
                                     if x != atom or e != exponent)
                        cofactor[rest] = ratio(-v, c)
                if not cofactor:
                    break
                change = scaled(equation, cofactor)
                item = Item(item.kind, plus(item.f, change.f), (*item.parts, *change.parts))
                atoms = None
            if atoms is None:
                atoms = {x for m in item.f for x, _ in m}
        return item

    def _head_power(self, f: Polynomial) -> tuple[int, int] | None:
        """A power of an atom that f gives: f = c atom^n - r, the atom not in r; n = 1 or 2."""
        for exponent in (1, 2):
            for m in sorted(f, reverse=True):
                if len(m) == 1 and m[0][1] == exponent:
                    atom = m[0][0]
                    if self.terms.symbol(atom) not in ("exp", "inv") and all(
                            atom not in dict(n) for n in f if n != m):
                        return atom, exponent
        return None

    def _products(self, items: list[Item]) -> list[Item]:
        """The items and products of two of them; equations times monomials, so that others that
        occur appear."""
        found = list(items)
        small = [p for p in items if p.kind != "eq" and len(p.f) <= 3]
        pairs = (multiply(p, q) for p in items if p.kind != "eq" for q in small)
        found += islice(pairs, max(0, MOST_COLUMNS - len(found)))
        monomials = dict.fromkeys(m for p in found for m in p.f)
        for p in self._open_equations(items):
            shifts = (self._quotient(m, n) for m in monomials for n in p.f)
            for shift in dict.fromkeys(q for q in shifts if q):
                if len(found) >= MOST_COLUMNS:
                    return found
                found.append(scaled(p, {shift: 1}))
        return [p for p in found if p.f]

    def _open_equations(self, items: Sequence[Item]) -> list[Item]:
        """The equations but those that only say what an atom is of which nothing else speaks: it
        was put in everywhere."""
        inside = [{a for m in p.f for a, _ in m} for p in items]
        times_met = Counter(chain.from_iterable(inside))
        return [p for p, atoms in zip(items, inside, strict=True) if p.kind == "eq" and not any(
            times_met[a] == 1 and sum(any(x == a for x, _ in m) for m in p.f) == 1
            and self.terms.symbol(a) != "exp" for a in atoms)]

    def _triples(self, items: list[Item]) -> list[Item]:
        """Products with one simple positive item more."""
        simple = [p for p in items if p.kind != "eq" and len(p.f) == 1 and () not in p.f]
        found = self._products(items)
        for p in list(found):
            for q in simple:
                if p.kind == "eq" or len(p.parts[0][1]) < 2:
                    continue
                if len(found) >= 2 * MOST_COLUMNS:
                    return found
                found.append(multiply(p, q))
        return found

    @staticmethod
    def _with_factors(first: Sequence[Item], items: Sequence[Item]) -> list[Item]:
        """Items times one other, and times one that is simple and positive as well."""
        once = (multiply(p, q) for p in first for q in items if q.kind != "eq")
        found = list(islice(chain(first, once), MOST_COLUMNS))
        simple = [p for p in items if p.kind != "eq" and len(p.f) == 1 and () not in p.f]
        twice = (multiply(p, q) for p in found for q in simple)
        return list(islice(chain(found, twice), MOST_COLUMNS))

    def _quotient(self, m: Monomial, n: Monomial) -> Monomial | None:
        """m / n where it is a monomial and not 1."""
        powers: dict[int, Power] = dict(m)
        for x, e in n:
            powers[x] = powers.get(x, 0) - e
        found = tuple(sorted((x, e) for x, e in powers.items() if e))
        whole = all(e > 0 or self.terms.symbol(x) == "exp" for x, e in found)
        return found if found and whole else None

    @staticmethod
    def _add(relations: list[int], laws: Sequence[int]) -> None:
        relations += [i for i in dict.fromkeys(laws) if i not in relations]

    @staticmethod
    def _combine(items: list[Item]) -> Parts | None:
        """A combination that is 0 with a strict part of weight 1."""
        items = [Item("lt", dict(ONE), ((ONE, ()),)), *items]
        columns = [{**p.f, "strict": int(p.kind == "lt")} for p in items]
        weights = combination(columns, [p.kind == "eq" for p in items], {"strict": 1})
        return None if weights is None else combined(list(zip(weights, items, strict=True)))

    def certified(self, goal: int, relations: list[int],
                  parts: Sequence[tuple[Polynomial, tuple[int, ...]]]) -> int:
        """The step ``arith`` that these parts prove."""
        used = sorted({i for _, places in parts for i in places})
        where = {i: n for n, i in enumerate(used)}
        data = [[self.terms.term(c), [where[i] for i in places]] for c, places in parts]
        return self.d.do("arith", goal, [relations[i] for i in used], data)
