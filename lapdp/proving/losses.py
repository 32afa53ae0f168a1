"""What facts say of logarithms: e^c q <= p as c + log q <= log p, and p (log q - log p) <= q - p.

Exponents are compared without the facts about exponentials; a tail P(Z > c) speaks of losses in
just that way.  The second is 1 + u <= e^u at u = log q - log p, times p.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Monomial, Polynomial, plus
from lapdp.proving.derivation import NotFound
from lapdp.proving.power_tangents import PowerTangents
from lapdp.proving.scaled_tangents import ScaledTangents

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

MOST_FACTS = 6
MOST_TANGENTS = 4
MOST_EXPONENTS = 3


class Losses:
    """Facts about logarithms that occur in a goal, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self.tangents = PowerTangents(prover)
        self.scaled = ScaledTangents(prover, self.tangents)

    def facts(self, goal: int, facts: Sequence[int]) -> list[int]:
        """The facts in their logarithmic form, and the tangents."""
        d = self.d
        parts = d.subterms(goal)
        inside = {d.kids(t)[0] for t in parts if d.head(t) == "log" and d.b.letters[t]
                  and not d.b.loose[t]}
        if any(d.head(t) in ("if", "max", "min", "oint", "lint") for t in parts):
            return []
        if not inside:
            return [*self.tangents.facts(goal, facts), *self.scaled.facts(goal, facts)]
        found: list[int] = []
        for i in facts:
            if d.head(d.claim(i)) in ("le", "lt") and len(found) < MOST_FACTS:
                form = self._as_logarithms(i, inside, facts)
                found += [] if form is None else [form]
        powers = self.powers(goal, [*facts, *found]) if found else []
        return [*self._tangents(goal, facts), *found, *powers,
                *self.tangents.facts(goal, facts), *self.scaled.facts(goal, facts)]

    def powers(self, goal: int, facts: Sequence[int]) -> list[int]:
        """e^x < e^y, or <=, for exponents of the goal, 0 among them, in that order by the facts."""
        d, a = self.d, self.a
        s, t = d.kids(goal)
        gap = plus(a.reader.read(t), a.reader.read(s), -1)
        exponents: dict[int, None] = {}
        for m in gap:
            part = a.terms.exponential_part(m)
            power = a.terms.term({part: 1}, "R") if part else d.num(0)
            exponents[d.kids(power)[0] if part else power] = None
        plain = [i for i in facts if d.head(d.claim(i)) in ("eq", "le", "lt") and not any(
            map(a.terms.exponential_part, a.gap(i)))]
        found = []
        for x, y in permutations(list(exponents)[:MOST_EXPONENTS], 2):
            for head in ("lt", "le"):
                less = d.mk(head, x, y)
                if a.models.denied(less, plain):
                    continue
                try:
                    found.append(d.onward(a.grows(head, x, y), a.plainly(less, plain, 2)))
                    break
                except NotFound:
                    continue
        return found

    def _as_logarithms(self, i: int, inside: set[int], facts: Sequence[int]) -> int | None:
        """log a <= log b from a <= b, both products of powers of e and numbers with logarithms."""
        d, a = self.d, self.a
        gap = a.gap(i)
        if len(gap) != 2 or set(gap.values()) != {1, -1}:
            return None
        low, high = (next(m for m, c in gap.items() if c == sign) for sign in (-1, 1))
        logs = [self._logarithm(m, inside) for m in (low, high)]
        if logs[0] is None or logs[1] is None:
            return None
        head = d.head(d.claim(i))
        relation = d.mk(head, *(a.terms.term(f, "R") for f in logs if f is not None))
        try:
            found = a.integration.multiplied(relation, facts)
            if found is None:
                return None
            claim, same = found
            return d.taut(relation, same, d.do("arith", claim, [i], [[d.num(1), [0]]]))
        except NotFound:
            return None

    def _logarithm(self, m: Monomial, inside: set[int]) -> Polynomial | None:
        terms = self.a.terms
        found: Polynomial = {}
        for atom, e in m:
            t = terms.term({((atom, 1),): 1})
            if terms.symbol(atom) == "exp":
                found = plus(found, terms.argument(atom), e)
            elif t in inside:
                found = plus(found, self.a.reader.read(self.d.mk("log", t)), e)
            else:
                return None
        return found

    def _tangents(self, goal: int, facts: Sequence[int]) -> list[int]:
        """p (1 + log q - log p) <= q for the numbers whose logarithms are factors in the goal, and
        1 + x <= e^x for exponents with such logarithms."""
        d, a = self.d, self.a
        s, t = d.kids(goal)
        gap = plus(a.reader.read(t), a.reader.read(s), -1)
        logs = dict.fromkeys(x for m in gap for x, _ in m if a.terms.symbol(x) == "log")
        found = []
        for x, y in sorted(permutations(list(logs)[:3], 2), key=lambda pair: self._against(
                gap, *pair)):
            p, q = (a.terms.term(a.terms.argument(z), "R") for z in (x, y))
            made = self._tangent(p, q, facts)
            found += [] if made is None else [made]
        found = found[:MOST_TANGENTS]
        for part in dict.fromkeys(map(a.terms.exponential_part, gap)) if logs else ():
            power = a.terms.term({part: 1}, "R")
            if part and {x for n in a.reader.read(*d.kids(power)) for x, _ in n} & {*logs}:
                (x,) = d.kids(power)
                found.append(d.law("exp above tangent", d.mk("le", d.add(d.num(1), x), power), x))
        return found

    def _against(self, gap: Polynomial, x: int, y: int) -> int:
        """How many of the two logarithms never have the sign in a gap, to be >= 0, that the
        tangent p log p - p log q >= p - q gives them."""
        return sum(not any(c * sign > 0 for m, c in gap.items() if z in dict(m))
                   for z, sign in ((x, 1), (y, -1)))

    def _tangent(self, p: int, q: int, facts: Sequence[int]) -> int | None:
        d, a = self.d, self.a
        one = d.num(1)
        gap = d.sub(d.mk("log", q), d.mk("log", p))
        law = d.law("exp above tangent", d.mk("le", d.add(one, gap), d.mk("exp", gap)), gap)
        signs = [self._positive(x, facts) for x in (p, q)]
        above = [i for i in signs if i is not None]
        if len(above) != 2:
            return None
        try:
            power = a.identity(d.mk("eq", d.mul(p, d.mk("exp", gap)), q), above)
        except NotFound:
            return None
        goal = d.mk("le", d.mul(p, d.add(one, gap)), q)
        return d.do("arith", goal, [law, above[0], power], [[one, [0, 1]], [one, [2]]])

    def _positive(self, x: int, facts: Sequence[int]) -> int | None:
        """0 < x, which a fact says; of a sum also what follows from the signs of its terms."""
        d = self.d
        wanted = d.mk("lt", d.num(0), x)
        known = next((i for i in facts if d.claim(i) == wanted), None)
        return self.a.positive(x, facts) if known is None and len(
            self.a.reader.read(x)) > 1 else known
