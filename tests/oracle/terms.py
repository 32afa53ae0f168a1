"""Terms of the kernel evaluated at finite pairs: an integral over the space is a finite sum.

Numbers are those of :mod:`tests.oracle.reals`; a formula that asks for a value outside of the
domain of a function raises :class:`Undefined`.  Quantifiers run over events, or over samples.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from itertools import chain, combinations

from mpmath import mp

from tests.oracle import reals
from tests.oracle.reals import Unclear, Undefined


def undefined():
    """No value."""
    raise Undefined("a logarithm or root of what has none")


def real(x):
    """What is >= 0; logarithms and roots of other real numbers are whatever the kernel likes."""
    return x if reals.compare(x, Fraction(0)) >= 0 else undefined()


NUMBERS = {
    "add": reals.add, "mul": reals.mul, "inv": reals.inverse, "exp": reals.exp,
    "log": lambda x: reals.log(real(x)),
    "max": lambda x, y: x if reals.compare(x, y) >= 0 else y,
    "min": lambda x, y: y if reals.compare(x, y) >= 0 else x,
    "abs": lambda x: abs(x) if isinstance(x, (mp.mpf, mp.mpc)) else (
        x if reals.sign(x) >= 0 else reals.neg(x)),
    "clog": lambda z: mp.log(reals.num(z)) if not equal(z, 0) else undefined(),
    "sqrt": lambda x: reals.power(real(x), Fraction(1, 2)),
    "erfc": lambda x: mp.erfc(reals.num(x)), "cos": lambda x: mp.cos(reals.num(x)),
    "sin": lambda x: mp.sin(reals.num(x)), "pi": lambda: +mp.pi, "cx": lambda x: x,
    "i": lambda: mp.mpc(0, 1), "re": lambda x: x if reals.is_exact(x) else mp.re(x),
    "im": lambda x: Fraction(0) if reals.is_exact(x) else mp.im(x),
    "le": lambda x, y: reals.compare(x, y) <= 0,
    "lt": lambda x, y: reals.compare(x, y) < 0, "false": lambda: False, "not": lambda a: not a,
    "iff": lambda a, b: a == b, "dens": lambda masses, x: masses[x], "app": lambda g, x: g(x),
    "app3": lambda g, *x: g(*x), "app6": lambda g, *x: g(*x),
    "then": lambda history, x: (*history, x),
    "stage": lambda family, i, history: family(i, history),
    "given": lambda family, x: family[x], "in": lambda x, event: x in event,
    "nat": lambda x: isinstance(x, Fraction) and x.denominator == 1 and x >= 0,
}


def equal(x, y):
    """Exactly, or to many digits of the larger one; Unclear between."""
    if reals.is_exact(x) and reals.is_exact(y):
        return x == y
    x, y = reals.num(x), reals.num(y)
    gap, size = abs(x - y), max(1, abs(x), abs(y))
    near = mp.mpf(10) ** -max(25, 5 * mp.dps // 12)
    if near * size < gap <= mp.mpf(10) ** -10 * size:
        raise Unclear("equal or not?")
    return bool(gap <= near * size)


NUMBERS["eq"] = equal
DECADES = 100, 1000, 10_000
"""Where a limit is looked for again."""


class Interpreter:
    """``letters`` gives values to free letters by name: a list of masses for a distribution, a set
    of points for an event, a Python function for a function and for a sequence of families, a tuple
    for a history.  ``line`` are points between which a
    real integral is done by quadrature."""

    def __init__(self, bank, points, letters, samples=(), line=None):
        self.b, self.points, self.letters = bank, points, letters
        self.samples, self.line = samples, line

    def of(self, t, bound=()):
        """The value of a term, the truth of a formula."""
        symbol, *args = self.b.rows[t]
        if symbol == "b":
            return bound[-1 - args[0]]
        if symbol == "v":
            return self.letters[args[0]]
        if symbol == "n":
            return Fraction(*args)
        reader = getattr(self, f"_{symbol}", None)
        if reader is not None:
            return reader(bound, *args)
        return NUMBERS[symbol](*(self.of(a, bound) for a in args))

    def _if(self, bound, test, yes, no):
        return self.of(yes if self.of(test, bound) else no, bound)

    def _and(self, bound, a, b):
        return self.of(a, bound) and self.of(b, bound)

    def _or(self, bound, a, b):
        return self.of(a, bound) or self.of(b, bound)

    def _imp(self, bound, a, b):
        return not self.of(a, bound) or self.of(b, bound)

    def _oint(self, bound, body):
        return reduce(reals.add, (self.of(body, (*bound, x)) for x in range(self.points)),
                      Fraction(0))

    def _oiny(self, bound, body):
        self._oint(bound, body)
        return True

    def _lint(self, bound, body):
        if self.line is None:
            raise Unclear("an integral over the line")
        return mp.quad(lambda x: reals.num(self.of(body, (*bound, x))), self.line)

    def _liny(self, bound, body):
        raise Unclear("integrability over the line")

    def _supS(self, bound, body):
        values = [self.of(body, (*bound, s)) for s in self._events()]
        return reduce(NUMBERS["max"], values)

    def _events(self):
        every = range(self.points)
        return map(frozenset, chain.from_iterable(
            combinations(every, k) for k in range(self.points + 1)))

    def _set(self, bound, body):
        return frozenset(x for x in range(self.points) if self.of(body, (*bound, x)))

    def _allS(self, bound, body):
        return all(self.of(body, (*bound, s)) for s in self._events())

    def _exS(self, bound, body):
        return any(self.of(body, (*bound, s)) for s in self._events())

    def _allO(self, bound, body):
        return all(self.of(body, (*bound, x)) for x in range(self.points))

    def _exO(self, bound, body):
        return any(self.of(body, (*bound, x)) for x in range(self.points))

    def _allR(self, bound, body):
        return all(self.of(body, (*bound, x)) for x in self.samples)

    def _supR(self, bound, body):
        """Over the samples; not the supremum of a set without any of them."""
        members = [x for x in self.samples if self.of(body, (*bound, x))]
        if not members:
            raise Undefined("the supremum of no sample")
        return reduce(NUMBERS["max"], members)

    def _tends(self, bound, body, limit):
        """By the values at two large numbers, to nine digits; not, if decades later they are no
        nearer, or nearer by less and less; else it is Unclear, for a limit may be far out.  What
        lies exp(-u) beside a jump is seen with as many digits: there values are exact, and the
        same in two decades."""
        at = reals.num(self.of(limit, bound))

        def gap(u):
            with mp.workdps(max(mp.dps, 11 * u // 10 + 30)):
                return abs(reals.num(self.of(body, (*bound, Fraction(u)))) - at)
        if all(gap(u) < mp.mpf(10) ** -9 for u in (25, 30)):
            return True
        steps = []
        for u in DECADES[:2]:
            with mp.workdps(max(mp.dps, 11 * u // 10 + 30)):
                steps.append(self.of(body, (*bound, Fraction(u))))
        if all(map(reals.is_exact, steps)) and steps[0] == steps[1] and (
                reals.num(steps[0]) != at):
            return False
        first, second, last = map(gap, DECADES)
        if last <= 2 * max(second - last, 0) or second - last > max(first - second, 0) / 5:
            raise Unclear("a limit that may be far out")
        return False

    def _exR(self, bound, body):
        return any(self.of(body, (*bound, x)) for x in self.samples)


__all__ = ["Interpreter", "Undefined"]
