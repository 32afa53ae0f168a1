"""Integrable functions above a given one: sums of masses, read off from how the function is built.

|if(c, f, g)| <= |f| + |g|, |f g| <= |f| |g|, |max(0, f)| <= |f| and |oint_y f| <= oint_y |f| bring
a function to a sum of products; it is integrable if each has just one density at the outcome.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import IMAGINARY, Monomial, Polynomial, plus, times

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

MOST_FACTORS = 3


@dataclass(frozen=True)
class Majorant:
    """A function >= 0 of the outcome, and the theorem that it is integrable."""

    body: int
    iny: int


class Majorants:
    """Finds functions that may lie above; that they do is for others to prove."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d

    def of(self, body: int, facts: Sequence[int]) -> Iterator[Majorant]:
        """Candidates, the likeliest first."""
        d = self.d
        for i in facts:
            if d.head(d.claim(i)) == "oiny":
                (g,) = d.kids(d.claim(i))
                if d.head(g) == "oint" and not self.a._speaks(body):
                    continue  # what Fubini asks for, and nothing about one outcome
                size = d.mk("abs", g)
                whole = Majorant(size, d.do("dominate", d.mk("oiny", size), [i]))
                if (c := self._ratio(body, g, facts)) is not None:
                    yield self.scaled(c, whole)
                yield whole
        built = self.built(body)
        if built is not None:
            yield built
        plain = [self.mass(p) for p in self.a.masses(body)]
        if len(plain) == 2 and (c := self._coefficient(body, facts)) is not None:
            yield self.scaled(c, self.added(*plain))  # above a weighted mean of the two
        yield from plain
        factors = [t for t in d.subterms(body) if d.head(t) == "exp" and not d.b.loose[t]
                   and d.b.sorts[t] == "R"][:MOST_FACTORS]
        for c in factors:
            yield from (self.scaled(c, n) for n in plain)
        if len(plain) > 1:
            yield self.added(plain[0], plain[1])
            for c in factors:
                yield self.added(plain[0], self.scaled(c, plain[1]))
                yield self.added(plain[1], self.scaled(c, plain[0]))

    def _ratio(self, f: int, g: int, facts: Sequence[int]) -> int | None:
        """c > 0 with f = c g, or -c g, in the first case of both, if it does not depend on the
        outcome and is not 1."""
        d, a = self.d, self.a
        name, x = d.fresh("O", "x")
        shares = [self.shares(d.b.open(t, x), name) for t in (f, g)]
        if len(shares[0]) != 1 or shares[0].keys() != shares[1].keys():
            return None
        (top,), (bottom,) = (s.values() for s in shares)
        for number in {n for m in bottom for n, _ in m if a.terms.symbol(n) == "inv"}:
            x_ = a.terms.argument(number)
            power = max(int(dict(m).get(number, 0)) for m in bottom)
            bottom = a.without_inverse(bottom, number, power)
            for _ in range(power):
                top = times(top, x_)
        c = a.terms.term(times(top, a.reader.read(d.mk("inv", a.terms.term(bottom, "R")))), "R")
        if c == d.num(1):
            return None
        return next((t for t in (c, d.neg(c)) if a.positive(t, facts) is not None), None)

    def _coefficient(self, f: int, facts: Sequence[int]) -> int | None:
        """c > 0 for f = c m or -c m in its first case, m a product of powers of densities."""
        d, a = self.d, self.a
        name, x = d.fresh("O", "x")
        at = d.b.open(f, x)
        if d.b.sorts[f] != "R" or not any(d.head(u) == "log" for u in d.subterms(at)):
            return None
        shares = self.shares(at, name)
        if len(shares) != 1:
            return None
        c = a.terms.term(next(iter(shares.values())), "R")
        return next((t for t in (c, d.neg(c)) if a.positive(t, facts) is not None), None)

    def shares(self, t: int, name: str) -> dict[Monomial, Polynomial]:
        """The term, in its first case, by what depends on the outcome of that name."""
        d, a = self.d, self.a
        found: dict[Monomial, Polynomial] = {}
        for m, c in a.logarithms.powers(self._first_case(t)).items():
            at = tuple(z for z in m if (name, "O") in d.b.letters[a.terms.term({((z[0], 1),): 1})])
            rest = tuple(z for z in m if z not in at)
            found[at] = plus(found.get(at, {}), {rest: c})
        return found

    def _first_case(self, t: int) -> int:
        """The term where every condition in it holds."""
        d = self.d

        def leaf(u: int, _: int) -> int | None:
            if d.head(u) == "max" and d.kids(u)[0] == d.num(0):
                return self._first_case(d.kids(u)[1])
            return self._first_case(d.kids(u)[1]) if d.head(u) == "if" else None
        return d.b.walk(t, leaf)

    def built(self, body: int) -> Majorant | None:
        """The majorant that the structure of the function gives."""
        d = self.d
        name, x = d.fresh("O", "x")
        bound = self._bound(d.b.open(body, x))
        weights = None if bound is None else self._masses_at(bound, name)
        if weights is None:
            return None
        if not weights:
            return Majorant(d.num(0), d.parts(self.a.nothing("oint", "R"))[0])
        found: Majorant | None = None
        for p, w in weights.items():
            term = self.a.terms.term(w, "R")
            one = self.mass(p) if w == {(): 1} else self.scaled(term, self.mass(p))
            found = one if found is None else self.added(found, one)
        return found

    def _bound(self, t: int) -> int | None:
        """A sum of products >= |t|."""
        d = self.d
        head, kids = d.head(t), d.kids(t)
        if head == "n":
            x = int(str(d.b.rows[t][1]))
            return t if x >= 0 else d.neg(t) if x != -1 else d.num(1)
        if head == "exp" and d.b.sorts[t] == "C":
            turned = all(IMAGINARY in dict(m) and not self.a.terms.complex_beside(m)
                         for m in self.a.reader.read(kids[0]))
            return d.num(1) if turned else None
        if head == "exp" and any(d.head(u) == "log" for u in d.subterms(t)):
            return self.a.terms.term(self.a.logarithms.powers(t), "R")
        if head in ("dens", "exp") and d.b.sorts[t] == "R":
            return t
        if head in ("abs", "cx"):
            return self._bound(kids[0])
        if head in ("add", "mul", "max", "min", "if"):
            parts = [self._bound(u) for u in kids[-2:]]
            first, second = parts
            if first is None or second is None:
                return None
            if head == "mul":
                return d.mk("mul", first, second)
            if head != "add" and first in (second, d.num(0)):
                return second
            return first if head != "add" and second == d.num(0) else d.mk("add", first, second)
        if head == "oint":
            name, y = d.fresh("O", "y")
            inner = self._bound(d.b.open(kids[0], y))
            weights = None if inner is None else self._masses_at(inner, name)
            if weights is None:
                return None
            total: Polynomial = {}
            for w in weights.values():
                total = plus(total, w)
            return self.a.terms.term(total, "R")
        if d.b.sorts[t] == "R" and not any(d.head(u) == "dens" for u in d.subterms(t)):
            return d.mk("abs", t)
        return None

    def _masses_at(self, bound: int, name: str) -> dict[int, Polynomial] | None:
        """The coefficients of the densities at an outcome; None where the sum is not linear."""
        d, terms = self.d, self.a.terms
        found: dict[int, Polynomial] = {}
        for m, c in self.a.roots.tidy(self.a.reader.read(bound)).items():
            at = [(a, e) for a, e in m
                  if (name, "O") in d.b.letters[terms.term({((a, 1),): 1})]]
            if len(at) != 1 or at[0][1] != 1:
                return None
            t = terms.term({((at[0][0], 1),): 1})
            if d.head(t) != "dens":
                return None
            rest = tuple(x for x in m if x != at[0])
            found[d.kids(t)[0]] = plus(found.get(d.kids(t)[0], {}), {rest: c})
        return found

    def mass(self, p: int) -> Majorant:
        """A density."""
        d = self.d
        density = d.mk("dens", d.b.lift(p), d.b.bound(0, "O"))
        made = d.do("density", d.conj([d.mk("oiny", density), d.mk(
            "eq", d.mk("oint", density), d.num(1))]), [], [p])
        return Majorant(density, d.parts(made)[0])

    def scaled(self, c: int, n: Majorant) -> Majorant:
        """A majorant times a number."""
        d = self.d
        body = d.mk("mul", d.b.lift(c), n.body)
        made = d.do("integral", d.conj([d.mk("oiny", body), d.mk("eq", d.mk("oint", body), d.mk(
            "mul", c, d.mk("oint", n.body)))]), [n.iny], ["scale", c])
        return Majorant(body, d.parts(made)[0])

    def added(self, first: Majorant, second: Majorant) -> Majorant:
        """The sum of two majorants."""
        d = self.d
        body = d.mk("add", first.body, second.body)
        made = d.do("integral", d.conj([d.mk("oiny", body), d.mk("eq", d.mk("oint", body), d.mk(
            "add", d.mk("oint", first.body), d.mk("oint", second.body)))]),
            [first.iny, second.iny], ["sum"])
        return Majorant(body, d.parts(made)[0])
