"""Sums of c r^w compared for w > 0, and their logarithms: what moments of finite pairs ask.

Logarithms of rational numbers are brought to those of primes.  A sum then is a polynomial in
z = 2^w > 1 and 1/z, and one is below another if the difference, times a power of z, has no negative
coefficient in z - 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING

from sympy import factorint

from lapdp.kernel.polynomials import Polynomial, plus
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound
from lapdp.proving.log_bounds import LogBounds

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

MOST_DEGREE = 12


class Powers:
    """Relations between sums of powers, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self.bounds = LogBounds(prover)

    def of_logarithms(self, goal: int, facts: Sequence[int]) -> int:
        """``log s / x <= log t / x`` from s <= t, x > 0.  Raises :class:`NotFound`."""
        d, a = self.d, self.a
        if d.head(goal) != "le" or any(
                d.head(k) != "mul" or d.head(d.kids(k)[0]) != "log" for k in d.kids(goal)):
            raise NotFound("no quotients of logarithms")
        (first, scale), (second, other) = (d.kids(k) for k in d.kids(goal))
        positive = a.positive(scale, facts)
        if scale != other or positive is None:
            raise NotFound("quotients by different numbers")
        (s,), (t,) = d.kids(first), d.kids(second)
        less = self.relation(d.mk("le", s, t), facts)
        law = a.grows("le", first, second)
        for log, x in ((first, s), (second, t)):
            above = self.relation(d.mk("lt", d.num(0), x), facts)
            equation = a.logarithms.power(log, x, [above])
            assert equation is not None
            law = d.replace(law, equation)
        ordered = d.taut(d.mk("le", first, second), law, less)
        return d.do("arith", goal, [ordered, positive], [[d.num(1), [0, 1]]])

    def of_one_logarithm(self, goal: int, facts: Sequence[int]) -> int | None:
        """``0 <= k log s`` for an integral s from 1 <= s, or from s <= 1; None: another goal, or
        not found."""
        d, a = self.d, self.a
        if d.head(goal) not in ("le", "lt") or d.b.sorts[d.kids(goal)[0]] != "R":
            return None
        gap = plus(a.reader.read(d.kids(goal)[1]), a.reader.read(d.kids(goal)[0]), -1)
        if len(gap) != 1:
            return None
        (m,) = gap
        logs = [t for x, _ in m if d.head(t := a.terms.term({((x, 1),): 1})) == "log"
                and a._speaks(t)]
        if len(logs) != 1:
            return None
        (s,) = d.kids(logs[0])
        rest = a.terms.term({tuple(z for z in m if a.terms.term({((z[0], 1),): 1}) != logs[0]): 1},
                            "R")
        sign = 1 if next(iter(gap.values())) > 0 else -1
        scale = a.positive(d.mul(d.num(sign), rest), facts)
        sides = (d.num(1), s) if scale is not None else (s, d.num(1))
        if scale is None and (scale := a.positive(d.mul(d.num(-sign), rest), facts)) is None:
            return None
        head = d.head(goal)
        logged = [d.num(0) if t == d.num(1) else logs[0] for t in sides]
        try:
            known = [a.prove(d.mk("lt", d.num(0), s), facts)]
            less = a.prove(d.mk(head, *sides), facts)
            ordered = a.logarithms.compared(head, logged[0], logged[1], [*known, less])
            return None if ordered is None else a.by_arithmetic(goal, [ordered, scale])
        except (NotFound, NeedSplit):
            return None

    def relation(self, goal: int, facts: Sequence[int]) -> int:
        """s <= t, or s < t, for sums of powers, cases decided by the facts.

        Raises :class:`NotFound`.
        """
        d = self.d
        if d.head(goal) not in ("le", "lt"):
            raise NotFound("no inequality")
        equations = [self.tidied(t, facts) for t in d.kids(goal)]
        s, t = (d.kids(d.claim(e))[1] for e in equations)
        less = self._expanded(d.mk(d.head(goal), s, t), facts)
        return d.do("arith", goal, [less, *equations],
                    [[d.num(1), [0]], [d.num(1), [1]], [d.num(-1), [2]]])

    def tidied(self, t: int, facts: Sequence[int]) -> int:
        """t = t' without cases, logarithms of rational numbers as sums of those of primes."""
        d = self.d
        found = self.a.integration.resolved_fully(t, facts)
        for log in d.subterms(d.kids(d.claim(found))[1]):
            if d.head(log) != "log" or d.head(d.kids(log)[0]) != "n":
                continue
            equation = self._by_primes(log)
            if equation is not None:
                found = d.chain(found, d.alike(d.kids(d.claim(found))[1], equation))
        return found

    def _by_primes(self, log: int) -> int | None:
        """log(n/m) = sum of e log p; None where it is one logarithm of a prime."""
        d = self.d
        (x,) = d.kids(log)
        value = Fraction(*(int(str(n)) for n in d.b.rows[x][1:3]))
        if value <= 0:
            raise NotFound("the logarithm of what is not positive")
        known = [self._product(value, Fraction(value.denominator)), self._product(
            Fraction(1), Fraction(1))]
        same = d.num(0)
        for whole, sign in ((value.numerator, 1), (value.denominator, -1)):
            done = Fraction(1)
            for p, e in sorted(factorint(whole).items()):
                same = d.add(same, d.mul(d.num(sign * e), d.mk("log", d.num(p))))
                for _ in range(e):
                    known.append(self._product(done, Fraction(p)))
                    done *= p
        if len(factorint(value.numerator)) == 1 and len(d.subterms(same)) < 6 and factorint(
                value.numerator) == {value.numerator: 1}:
            return None
        return self.a.identity(d.mk("eq", log, same), known)

    def _product(self, x: Fraction, y: Fraction) -> int:
        """log x + log y = log xy, since their exponentials are equal."""
        d, a = self.d, self.a
        numbers = [d.num(z) for z in (x, y, x * y)]
        logs = [d.mk("log", n) for n in numbers]
        values = [a.logarithms.power(t, n, []) for t, n in zip(logs, numbers, strict=True)]
        if None in values:
            raise NotFound("the logarithm of what is not positive")
        both, whole = d.add(*logs[:2]), logs[2]
        equal = d.do("arith", d.mk("eq", d.mk("exp", both), d.mk("exp", whole)),
                     [v for v in values if v is not None],
                     [[d.mk("exp", logs[1]), [0]], [numbers[0], [1]], [d.num(-1), [2]]])
        return d.taut(d.mk("eq", both, whole), a.grows("eq", both, whole), equal)

    def _expanded(self, goal: int, facts: Sequence[int]) -> int:
        """Both sides by powers of one exponential z with 1 < z, at z = 1."""
        d, a = self.d, self.a
        s, t = d.kids(goal)
        gap = plus(a.reader.read(t), a.reader.read(s), -1)
        atoms = {n for m in gap for n, _ in m}
        if len(atoms) != 1 or a.terms.symbol(next(iter(atoms))) != "exp":
            raise NotFound("no sums of powers of one number")
        (atom,) = atoms
        degrees = {int(dict(m).get(atom, 0)): c for m, c in gap.items()}
        if any(dict(m).get(atom, 0) not in degrees for m in gap):
            raise NotFound("powers that are no whole ones")
        low = min(0, *degrees)
        if max(degrees) - low > MOST_DEGREE:
            raise NotFound("a large degree")
        # z^(-low) gap = sum of c_k (z - 1)^k
        taylor = [sum((c * comb(n - low, k) for n, c in degrees.items()), Fraction(0))
                  for k in range(max(degrees) - low + 1)]
        if min(taylor) < 0:
            raise NotFound("a negative coefficient")
        power: Polynomial = {((atom, 1),): 1}
        z = a.terms.term(power)
        above = self._at_least_1(z, facts)
        shrunk = a.terms.term({((atom, low),): 1}) if low else d.num(1)
        positive = a.positive(shrunk, facts)
        assert positive is not None
        parts = [[d.num(c), [0] * k + [1]] for k, c in enumerate(taylor) if c]
        return d.do("arith", goal, [above, positive], parts)

    def _at_least_1(self, z: int, facts: Sequence[int]) -> int:
        """1 <= z = exp(w log n), for w > 0 and n > 1."""
        d, a = self.d, self.a
        (x,) = d.kids(z)
        size: list[int] = []
        for t in d.subterms(x):
            if d.head(t) == "log" and d.head(d.kids(t)[0]) == "n":
                size.append(d.do("ball", d.mk("lt", d.num(0), t), [], ["64"]))
        law = d.law("exp above tangent", d.mk("le", d.add(d.num(1), x), z), x)
        return a.prove(d.mk("le", d.num(1), z), [*facts, *size, law])
