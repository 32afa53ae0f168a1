"""Where a piecewise function of one real variable changes: solving its conditions for the variable.

A condition is a relation whose gap is linear in t, or has two terms whose quotient is exp(k t)
times something free of t.  Then it changes at one point, a term in the parameters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lapdp.kernel.polynomials import Monomial, Polynomial, plus, ratio
from lapdp.proving.arithmetic import Arithmetic
from lapdp.proving.derivation import NotFound


class NeedSplit(Exception):
    """A condition on parameters that must be decided before the search can go on."""

    def __init__(self, condition: int) -> None:
        self.condition = condition


class Vanishes(Exception):
    """A factor of a condition is not positive: the condition has no point of change."""


@dataclass(frozen=True)
class Break:
    """A point of change; for an exponential condition scale exp(rate t) stands against
    scale exp(rate point), with scale and rate positive terms; -1 for a linear one."""

    point: int
    scale: int = -1
    rate: int = -1


class Breaks:
    """Breakpoints of a function, solved under facts."""

    def __init__(self, arithmetic: Arithmetic, letter: int, facts: Sequence[int]) -> None:
        self.a, self.d, self.facts = arithmetic, arithmetic.d, list(facts)
        self.letter, self.atom = letter, arithmetic.reader.atom("", letter)

    def rate_of(self, f: Polynomial) -> tuple[Polynomial, Polynomial] | None:
        """f = a t + b with a and b free of t."""
        a: Polynomial = {}
        b: Polynomial = {}
        for m, c in f.items():
            powers = dict(m)
            e = powers.pop(self.atom, 0)
            if any(self.mentioned(x) for x in powers):
                return None
            rest = tuple(sorted(powers.items()))
            if e == 1:
                a = plus(a, {rest: c})
            elif e == 0:
                b = plus(b, {rest: c})
            else:
                return None
        return a, b

    def mentioned(self, number: int) -> bool:
        """Does an atom contain t?"""
        return self.a.terms.mentions(number, self.atom)

    def split_exponential(self, m: Monomial) -> tuple[Polynomial, Monomial] | None:
        """m = exp(k t) rest with rest free of t: (k, rest); None where t occurs otherwise."""
        found = self.split_quadratic(m)
        return None if found is None or found[1] else (found[0], found[2])

    def split_quadratic(self, m: Monomial) -> tuple[Polynomial, Polynomial, Monomial] | None:
        """m = exp(k t + h t^2) rest with rest free of t: (k, h, rest), or None."""
        rates: dict[int, Polynomial] = {1: {}, 2: {}}
        rest = []
        for number, e in m:
            if not self.mentioned(number):
                rest.append((number, e))
                continue
            if self.a.terms.symbol(number) != "exp":
                return None
            ((inner, _),) = self.a.terms.argument(number).items()
            powers = dict(inner)
            degree = powers.pop(self.atom, 0)
            if degree not in (1, 2) or any(self.mentioned(x) for x in powers):
                return None
            free = tuple(sorted(powers.items()))
            rates[int(degree)] = plus(rates[int(degree)], {free: e})
        return rates[1], rates[2], tuple(rest)

    def of(self, condition: int) -> Break | None:
        """The point where a relation changes; None: nowhere on the line."""
        d, read = self.d, self.a.reader.read
        s, u = d.kids(condition)
        gap = plus(read(u), read(s), -1)
        linear = self.rate_of(gap)
        if linear is not None:
            slope, rest = linear
            if not slope:
                return None
            if set(slope) == {()}:
                return Break(self.a.terms.term({m: ratio(-c, slope[()]) for m, c in rest.items()}))
            inverse = d.mk("inv", self.a.terms.term(slope))
            self.sign(self.a.terms.term(slope))
            return Break(d.neg(d.mul(self.a.terms.term(rest), inverse)))
        return self._exponential(gap)

    def sign(self, t: int) -> int:
        """1 or -1 as the facts say; raises NeedSplit where they do not."""
        zero = self.d.num(0)
        for relation, value in ((self.d.mk("lt", zero, t), 1), (self.d.mk("lt", t, zero), -1)):
            found = self.a.truth(relation, self.facts)
            if found is not None and self.d.claim(found) == relation:
                return value
            if found is None:
                raise NeedSplit(relation)
        raise NeedSplit(self.d.mk("eq", t, zero))

    def _exponential(self, gap: Polynomial) -> Break | None:
        d, terms = self.d, self.a.terms
        parts: dict[str, tuple[Polynomial, Polynomial, Polynomial]] = {}
        for m, c in gap.items():
            found = self.split_quadratic(m)
            if found is None:
                raise NotFound("a condition that is not solved for its variable")
            k, h, rest = found
            name = repr((sorted(k.items()), sorted(h.items())))
            before = parts[name][2] if name in parts else {}
            parts[name] = (k, h, plus(before, {rest: c}))
        if len(parts) == 1:
            return None
        if len(parts) != 2:
            raise NotFound("a condition with several exponentials")
        (k1, h1, f1), (k2, h2, f2) = parts.values()
        k = plus(k1, k2, -1)
        if plus(h1, h2, -1):
            raise NotFound("a condition that is quadratic in its variable")
        logs = []
        for f in (f1, f2):
            try:
                logs.append(self._log(f))
            except Vanishes:
                continue
        if len(logs) < 2 or logs[0][0] == logs[1][0]:
            return None
        l1, l2 = logs
        # f1 exp(k t) against f2, both times exp(k2 t + h t^2): t = (log f2 - log f1) / k
        offset = plus(l2[1], l1[1], -1)
        common = plus(terms.argument_of(k2, self.atom), terms.argument_of(h2, self.atom, 2))
        if set(k) == {()}:
            rate = k[()]
            point = terms.term({m: ratio(c, rate) for m, c in offset.items()})
            up, size = rate > 0, d.num(max(rate, -rate))
        else:
            slope = terms.term(k)
            up = self.sign(slope) > 0
            size = slope if up else d.neg(slope)
            point = d.mul(terms.term(offset), d.mk("inv", slope))
        scale = l1[1] if up else l2[1]
        if not up:
            common = plus(common, terms.argument_of(k, self.atom))
        return Break(point, d.mk("exp", terms.term(plus(scale, common))), size)

    def _log(self, f: Polynomial) -> tuple[int, Polynomial]:
        """Sign and logarithm of one positive product; facts exp(log x) = x are added."""
        d = self.d
        if len(f) != 1:
            positive = self._named(f)
            return (1, positive)
        (m, c), = f.items()
        found: Polynomial = {}
        if abs(c) != 1:
            found = plus(found, self._log_atom(d.num(max(c, -c))))
        for number, e in m:
            if self.a.terms.symbol(number) == "exp":
                found = plus(found, self.a.terms.argument(number), e)
            else:
                t = self.a.terms.term({((number, 1),): 1})
                found = plus(found, self._log_atom(t), e)
        return (1 if c > 0 else -1), found

    def _named(self, f: Polynomial) -> Polynomial:
        t = self.a.terms.term(f)
        nothing = self.a.truth(self.d.mk("eq", t, self.d.num(0)), self.facts)
        if nothing is not None and self.d.head(self.d.claim(nothing)) == "eq":
            raise Vanishes
        if self.sign(t) < 0:
            raise NotFound("a logarithm of a sum that is negative")
        return self._log_atom(t)

    def _log_atom(self, t: int) -> Polynomial:
        d = self.d
        positive = d.mk("lt", d.num(0), t)
        known = self.a.truth(positive, self.facts)
        if known is None:
            raise NeedSplit(positive)
        if d.claim(known) != positive:
            raise Vanishes
        log = d.mk("log", t)
        law = d.law("exp of log", d.mk("imp", positive, d.mk("eq", d.mk("exp", log), t)), t)
        equation = d.mp(law, known)
        if equation not in self.facts:
            self.facts.append(equation)
        return self.a.reader.read(log)
