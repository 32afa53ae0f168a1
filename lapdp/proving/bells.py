"""Integrals of bells over the whole line: erfc x + erfc(-x) = 2, and what then cancels."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Monomial, Number, Polynomial, Power, plus, times
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.certificates import Certificates


class Bells:
    """Simpler forms of such values, for the search's arithmetic."""

    def __init__(self, arithmetic: Certificates) -> None:
        self.a, self.d = arithmetic, arithmetic.d

    def simpler(self, t: int, facts: Sequence[int]) -> int | None:
        """t = t' without the pairs erfc x, erfc(-x), where it is proved; None without such."""
        d, terms = self.d, self.a.terms
        f = self.a.reader.read(t)
        atoms = [x for x in dict.fromkeys(x for m in f for x, _ in m) if terms.symbol(x) == "erfc"]
        laws = []
        for n, x in enumerate(atoms):
            for y in atoms[n + 1:]:
                if not plus(terms.argument(x), terms.argument(y)):
                    f = self._without(f, x, y)
                    u = terms.term(terms.argument(x), "R")
                    e = d.mk("erfc", u)
                    both = d.mk("eq", d.mk("add", e, d.mk("erfc", d.neg(u))), d.num(2))
                    law = d.mk("and", d.mk("lt", d.num(0), e), both)
                    laws.append(d.taut(both, d.law("erfc", law, u)))
        if not laws:
            return None
        short: Polynomial = {}
        for m, c in f.items():
            short = plus(short, self._cancelled(m, c))
        try:
            return self.a.identity(d.mk("eq", t, terms.term(short, d.b.sorts[t])),
                                   [*facts, *laws])
        except NotFound:
            return None

    def _without(self, f: Polynomial, x: int, y: int) -> Polynomial:
        """f with 2 - x for y."""
        found: Polynomial = {}
        for m, c in f.items():
            rest = tuple((z, e) for z, e in m if z != y)
            part: Polynomial = {rest: c}
            if dict(m).get(y) == 1:
                part = times(part, {(): 2, ((x, 1),): -1})
            found = plus(found, part if len(rest) < len(m) and dict(m)[y] == 1 else {m: c})
        return found

    def _cancelled(self, m: Monomial, c: Number) -> Polynomial:
        """A monomial with x (1/x) left out, and (1/sqrt(r))^2 = 1/r for numbers r."""
        terms = self.a.terms
        powers: dict[int, Power] = dict(m)
        for x in [x for x in powers if terms.symbol(x) == "inv"]:
            inner = terms.argument(x)
            if len(inner) != 1 or any(len(k) != 1 or k[0][1] != 1 for k in inner):
                continue
            ((((y, _),), _),) = inner.items()
            both = min(powers[x], powers.get(y, 0))
            if both > 0:
                powers[x] -= both
                powers[y] -= both
            root = terms.argument(y) if terms.symbol(y) == "sqrt" else {}
            while powers[x] >= 2 and set(root) == {()}:
                powers[x] -= 2
                c = c * Fraction(1) / root[()]
        return {tuple(sorted((x, e) for x, e in powers.items() if e)): c}
