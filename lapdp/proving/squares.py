"""Polynomials with a square factor: x^3 - 3/2 s x^2 + 1/2 s^3 = (x - s)^2 (x + s/2) >= 0.

The factors are found by SymPy; the kernel multiplies them out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import sympy as sp

from lapdp.kernel.polynomials import Polynomial, plus, power, times
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

MOST_TERMS = 24
MOST_DEGREE = 8


class Squares:
    """Proves ``s <= t`` or ``s < t`` by the factors of t - s, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d

    def relation(self, goal: int, facts: Sequence[int]) -> int:
        """The goal.  Raises :class:`NotFound`."""
        d, a = self.d, self.a
        head, (s, t) = d.head(goal), d.kids(goal)
        if head in ("le", "lt") and d.head(s) == d.head(t) == "exp":
            (x,), (y,) = d.kids(s), d.kids(t)
            return d.onward(a.grows(head, x, y), self.relation(d.mk(head, x, y), facts))
        gap = plus(a.reader.read(t), a.reader.read(s), -1)
        if head in ("le", "lt") and any(a.terms.symbol(x) == "inv" for m in gap for x, _ in m):
            return self._cleared(goal, gap, facts, self.relation)
        if head not in ("le", "lt") or not 2 <= len(gap) <= MOST_TERMS or any(
                not isinstance(e, int) or e < 0 for m in gap for _, e in m) or any(
                sum(int(e) for _, e in m) > MOST_DEGREE for m in gap):
            raise NotFound("no polynomial")
        atoms = {x: sp.Symbol(f"x{x}") for m in gap for x, _ in m}
        whole = sp.Add(*(sp.Rational(c.numerator, c.denominator) * sp.Mul(*(
            atoms[x] ** int(e) for x, e in m)) for m, c in gap.items()))
        scale, factors = sp.factor_list(whole)
        if len(factors) == 1 and factors[0][1] == 1:
            raise NotFound("no factors")
        weight = Fraction(int(scale.p), int(scale.q))
        premises: list[int] = []
        used: list[int] = []
        for f, n in factors:
            t = self._term(f, {v: k for k, v in atoms.items()})
            known, times = self._signed(t, n, head == "lt", facts)
            if n % 2 and d.kids(d.claim(known))[1] != t:
                weight = -weight
            premises.append(known)
            used += [len(premises) - 1] * times
        if weight < 0:
            raise NotFound("a product that is negative")
        return d.do("arith", goal, premises, [[d.num(weight), used]])

    def multiplied(self, goal: int, facts: Sequence[int]) -> int | None:
        """An inequality between integrals from the one without denominators that are sums of
        numbers; None: there are none, or not found."""
        a = self.a
        s, t = self.d.kids(goal)
        if self.d.head(goal) not in ("le", "lt") or self.d.b.sorts[s] != "R":
            return None
        gap = plus(a.reader.read(t), a.reader.read(s), -1)
        if not any(a.terms.symbol(x) == "inv" and len(a.terms.argument(x)) > 1 for m in gap
                   for x, _ in m):
            return None
        try:
            return self._cleared(goal, gap, facts, a.prove)
        except (NotFound, NeedSplit):
            return None

    def _cleared(self, goal: int, gap: Polynomial, facts: Sequence[int],
                 then: Callable[[int, Sequence[int]], int]) -> int:
        """The goal from the one with its denominators, which are positive, multiplied out."""
        d, a = self.d, self.a
        most: dict[int, int] = {}
        for m in gap:
            for x, e in m:
                if a.terms.symbol(x) == "inv" and not a._speaks(
                        a.terms.term({((x, 1),): 1}, "R")):
                    most[x] = max(most.get(x, 0), int(e))
        if not most:
            raise NotFound("no denominator")
        whole: Polynomial = {}
        for m, c in gap.items():
            part: Polynomial = {tuple((x, e) for x, e in m if x not in most): c}
            for x, n in most.items():
                part = times(part, power(a.terms.argument(x), n - int(dict(m).get(x, 0))))
            whole = plus(whole, part)
        plain = [i for i in facts if not a._speaks(d.claim(i))]
        positive = []
        for x in most:
            t = a.terms.term(a.terms.argument(x))
            found = a.positive(t, plain)
            positive.append(a.prove(d.mk("lt", d.num(0), t), plain) if found is None else found)
        signs = [d.reciprocal(i)[1] for i in positive]
        head, zero = d.head(goal), d.num(0)
        product = d.mul(a.terms.term(whole, "R"), *(
            t for i, n in zip(signs, most.values(), strict=True)
            for t in [d.kids(d.claim(i))[1]] * n))
        rest = then(d.mk(head, zero, a.terms.term(whole, "R")), facts)
        same = a.identity(d.mk("eq", product, a.terms.term(gap, "R")), [
            *plain, *positive])
        used = [k + 2 for k, n in enumerate(most.values()) for _ in range(n)]
        return d.do("arith", goal, [rest, same, *signs], [
            [d.num(1), [0, *used]], [d.num(1), [1]]])

    def _term(self, f: Any, numbers: dict[Any, int]) -> int:
        found: Polynomial = {}
        poly = sp.Poly(f, *numbers)
        for powers, c in poly.terms():
            m = tuple(sorted((x, int(e)) for x, e in zip(numbers.values(), powers, strict=True)
                             if e))
            found = plus(found, {m: Fraction(int(c.p), int(c.q))})
        return self.a.terms.term(found, "R")

    def _signed(self, t: int, n: int, strict: bool, facts: Sequence[int]) -> tuple[int, int]:
        """What is known of a factor, and how often it is used: a sign, or a square."""
        a, d = self.a, self.d
        for u in (t, d.neg(t)):
            if (known := a.positive(u, facts)) is not None:
                return known, n
        if not strict and n % 2:
            for u in (t, d.neg(t)):
                try:
                    return a.slopes.relation(d.mk("le", d.num(0), u), facts), n
                except NotFound:
                    continue
        if strict or n % 2:
            raise NotFound("a factor without a sign")
        return d.law("square", d.mk("le", d.num(0), d.mul(t, t)), t), n // 2
