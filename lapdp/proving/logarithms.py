"""Logarithms: of products as sums, and in order as their arguments are."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Monomial, Number, Polynomial, Power, plus, power, times
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.certificates import Certificates

MOST_LOGARITHMS = 3


class Logarithms:
    """Theorems about ``log`` from those about ``exp``."""

    def __init__(self, certificates: Certificates) -> None:
        self.c, self.d = certificates, certificates.d

    def as_sum(self, t: int, facts: Sequence[int]) -> int | None:
        """log(c x y e^z) = log c + log x + log y + z; None where the argument is no product."""
        d, c = self.d, self.c
        (x,) = d.kids(t)
        f = c.reader.read(x)
        if len(f) != 1:
            return None
        ((m, scale),) = f.items()
        if scale <= 0 or (scale == 1 and len(m) == 1 and m[0][1] == 1
                          and c.terms.symbol(m[0][0]) not in ("exp", "inv")):
            return None
        total: Polynomial = {}
        for atom, e in m:
            if c.terms.symbol(atom) == "exp":
                total = plus(total, c.terms.argument(atom), e)
            elif c.terms.symbol(atom) == "inv":
                inner = d.mk("log", c.terms.term(c.terms.argument(atom)))
                total = plus(total, c.reader.read(inner), -e)
            else:
                inner = d.mk("log", c.terms.term({((atom, 1),): 1}))
                total = plus(total, c.reader.read(inner), e)
        if scale != 1:
            total = plus(total, c.reader.read(d.mk("log", c.terms.term({(): scale}))))
        same = c.terms.term(total, "R")
        if same == t:
            return None
        try:
            return self.injective(t, same, x, facts)
        except NotFound:
            return None

    def quotient(self, t: int, facts: Sequence[int]) -> int | None:
        """log(v/u) = log v - log u, also where v/u is 1 - w/u; None: another argument, or signs
        that are not found."""
        d, c = self.d, self.c
        (x,) = d.kids(t)
        f = c.reader.read(x)
        below = {(number, e) for m in f for number, e in m if c.terms.symbol(number) == "inv"}
        if len(below) != 1 or len(f) == 1 or next(iter(below))[1] != 1:
            return None
        ((number, _),) = below
        first = c.terms.argument(number)
        whole = {m: k for m, k in f.items() if (number, 1) not in m}
        over: Polynomial = {tuple(z for z in m if z[0] != number): k for m, k in f.items()
                            if (number, 1) in m}
        u, v = c.terms.term(first), c.terms.term(plus(over, times(whole, first)))
        signs = [c.positive(y, facts) for y in (u, v, x)]
        low, high = d.mk("log", u), d.mk("log", v)
        powers = [self.power(*pair, facts) for pair in ((low, u), (high, v), (t, x))]
        if signs[0] is None or None in signs or None in powers:
            return None
        unit, _ = d.reciprocal(signs[0])
        small, inverse = d.mk("exp", d.neg(low)), d.mk("inv", u)
        same = d.sub(high, low)
        equal = d.do("arith", d.mk("eq", d.mk("exp", t), d.mk("exp", same)), [
            *(i for i in powers if i is not None), unit], [
            [d.num(1), [2]], [d.neg(small), [1]], [d.mul(v, inverse, small), [0]],
            [d.sub(d.mul(v, small), c.terms.term(whole, "R")), [3]]])
        return d.taut(d.mk("eq", t, same), c.grows("eq", t, same), equal)

    def exponent(self, t: int, facts: Sequence[int]) -> int | None:
        """log(k e^z) = log k + z, where 0 < k is seen; None where there is no such factor."""
        d, c = self.d, self.c
        (x,) = d.kids(t)
        f = c.reader.read(x)
        if len(f) != 1:
            return None
        ((m, scale),) = f.items()
        total: Polynomial = {}
        for atom, e in m:
            if c.terms.symbol(atom) == "exp":
                total = plus(total, c.terms.argument(atom), e)
        rest = tuple((atom, e) for atom, e in m if c.terms.symbol(atom) != "exp")
        if not total or scale <= 0 or any(not isinstance(e, int) or e < 0 for _, e in rest):
            return None
        k, z = c.terms.term({rest: scale}, "R"), c.terms.term(total, "R")
        log = d.mk("log", k)
        whole = d.add(log, z)
        power = self.power(log, k, facts)
        if power is None:
            return None
        e = d.mk("exp", whole)
        same = d.do("arith", d.mk("eq", x, e), [power], [[d.neg(d.mk("exp", z)), [0]]])
        back = d.law("log of exp", d.mk("eq", d.mk("log", e), whole), whole)
        return d.chain(d.alike(t, same), back)

    def injective(self, t: int, same: int, x: int, facts: Sequence[int]) -> int | None:
        """t = same from exp t = x = exp same."""
        d, c = self.d, self.c
        first = self.power(t, x, facts)
        if first is None or d.kids(d.claim(first))[1] == t:
            return None
        second = self.tidied(d.mk("exp", same), facts)
        value = d.kids(d.claim(second))[1]
        equal = d.chain(first, c.identity(d.mk("eq", x, value), facts), d.turn(second))
        law = c.grows("eq", t, same)
        return d.taut(d.mk("eq", t, same), law, equal)

    def power(self, t: int, x: int, facts: Sequence[int]) -> int | None:
        """exp(log x) = x, where 0 < x is found."""
        d = self.d
        positive = self.c.positive(x, facts)
        if positive is None:
            return None
        law = d.mk("imp", d.claim(positive), d.mk("eq", d.mk("exp", t), x))
        return d.mp(d.law("exp of log", law, x), positive)

    def complex_power(self, t: int, facts: Sequence[int]) -> int | None:
        """exp(x) = z, where x is the principal logarithm of z != 0."""
        d, c = self.d, self.c
        (x,) = d.kids(t)
        for log in d.subterms(x):
            if d.head(log) != "clog" or d.b.loose[log] or (
                    some := c.nonzero(d.kids(log)[0], facts)) is None:
                continue
            try:
                same = c.identity(d.mk("eq", x, log), facts)
            except NotFound:
                continue
            value = d.mk("eq", d.mk("exp", log), *d.kids(log))
            law = d.law("exp of log", d.mk("imp", d.claim(some), value), *d.kids(log))
            return d.chain(d.alike(t, same), d.mp(law, some))
        return None

    def real_power(self, t: int, facts: Sequence[int]) -> int | None:
        """exp(x) = s, where x is log s by the facts, as (q - 1) (log s)/(q - 1) is."""
        d, c = self.d, self.c
        (x,) = d.kids(t)
        logs = [u for u in d.subterms(x) if d.head(u) == "log" and not d.b.loose[u]]
        if len(logs) != 1 or d.b.sorts[t] != "R" or logs[0] == x:
            return None
        (inner,) = d.kids(logs[0])
        value = self.power(logs[0], inner, facts)
        if value is None:
            return None
        apart = [n for u in d.subterms(x) if d.head(u) == "inv" and not d.b.loose[u]
                 and (n := c.nonzero(d.kids(u)[0], facts)) is not None]
        try:
            same = c.identity(d.mk("eq", x, logs[0]), [*facts, *apart])
        except NotFound:
            return None
        return d.chain(d.alike(t, same), value)

    def tidied(self, t: int, facts: Sequence[int]) -> int:
        """t = t' with exp(log x) = x put in and x (1/x) cancelled, where that is proved."""
        d = self.d
        other = self.c.terms.term(self.powers(t), d.b.sorts[t])
        if other != t:
            try:
                return self.c.identity(d.mk("eq", t, other), facts)
            except NotFound:
                pass
        return d.refl(t)

    def powers(self, t: int) -> Polynomial:
        """The term with exp(log x) read as x."""
        short: Polynomial = {}
        for m, c in self.c.reader.read(t).items():
            short = plus(short, self._read_term(m, c))
        return short

    def _read_term(self, m: Monomial, c: Number) -> Polynomial:
        found: Polynomial = {(): c}
        powers: dict[int, Power] = {}
        for number, e in m:
            inner = self._logged(number)
            if inner is None or not isinstance(e, int):
                powers[number] = powers.get(number, 0) + e
            elif len(inner) == 1 and next(iter(inner.values())) == 1:
                for x, n in next(iter(inner)):
                    powers[x] = powers.get(x, 0) + n * e
            else:
                found = times(found, self._to_power(inner, e))
        for number, e in powers.items():
            if isinstance(e, int) and self.c.terms.symbol(number) != "exp":
                found = times(found, self._to_power({((number, 1),): 1}, e))
            elif e:
                found = times(found, {((number, e),): 1})
        return found

    def _to_power(self, f: Polynomial, e: int) -> Polynomial:
        if e < 0:
            f = self.c.reader.read(self.d.mk("inv", self.c.terms.term(f)))
        return power(f, abs(e))

    def _logged(self, number: int) -> Polynomial | None:
        """f where the atom is exp(log f)."""
        terms = self.c.terms
        if terms.symbol(number) == "exp":
            (inner,) = terms.argument(number)
            if len(inner) == 1 and inner[0][1] == 1 and terms.symbol(
                    inner[0][0]) in ("log", "clog"):
                return terms.argument(inner[0][0])
        return None

    def ordered(self, atoms: Sequence[int], facts: Sequence[int]) -> list[int]:
        """log x < log y, or <=, for logarithms that occur, and log x against 0."""
        d, c = self.d, self.c
        logs = [c.terms.term({((a, 1),): 1}) for a in atoms if c.terms.symbol(a) == "log"]
        logs = [t for t in logs if d.b.letters[t]][:MOST_LOGARITHMS]
        found = []
        pairs = [*combinations(logs, 2), *((t, d.num(0)) for t in logs)]
        for s, t in pairs:
            for head, low, high in (("lt", s, t), ("lt", t, s), ("le", s, t), ("le", t, s)):
                law = self.compared(head, low, high, facts)
                if law is not None:
                    found.append(law)
                    break
        return found

    def compared(self, head: str, low: int, high: int, facts: Sequence[int]) -> int | None:
        """log x < log y, or <=, where x and y are seen in that order; 0 stands for log 1."""
        d, c = self.d, self.c
        values = [d.num(1) if d.head(t) == "n" else d.kids(t)[0] for t in (low, high)]
        less = c.less(head, values[0], values[1], facts)
        if less is None:
            return None
        law = c.grows(head, low, high)
        for t, x in zip((low, high), values, strict=True):
            if d.head(t) == "n":
                equation: int | None = c.identity(d.mk("eq", d.mk("exp", t), x), [])
            else:
                equation = self.power(t, x, facts)
            if equation is None:
                return None
            law = d.replace(law, equation)
        return d.taut(d.mk(head, low, high), law, less)
