"""Moments of Gaussians: antiderivatives of t^n exp(k t + h t^2), and their limits."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Monomial, Number, Polynomial, plus, times
from lapdp.proving.breaks import Breaks
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

MOST_POWER = 6


def gaussian_moment(a: Prover, n: int, k: Polynomial, h: Polynomial,
                    known: tuple[Polynomial, Polynomial], atom: int) -> Polynomial:
    """The antiderivative of t^n e, e = exp(k t + h t^2), from that of e, by parts:
    2 h I_n = t^(n-1) e - (n - 1) I_(n-2) - k I_(n-1).  Raises :class:`NotFound` for high n.

    ``known``: e and its antiderivative; ``atom``: the number of t.
    """
    if n > MOST_POWER:
        raise NotFound("a high moment of a Gaussian")
    exponential, bell = known
    inverse = a.reader.read(a.d.mk("inv", a.terms.term(h, "R")))
    inverse = times(inverse, {(): Fraction(1, 2)})
    before: Polynomial = {}
    found = bell
    for j in range(1, n + 1):
        power: Polynomial = {((atom, j - 1),): 1} if j > 1 else {(): 1}
        rest = plus(times(power, exponential), times(k, found), -1)
        rest = plus(rest, before, 1 - j)
        before, found = found, times(inverse, rest)
    return found


class GaussianLimit:
    """c rest t^n exp(k t + h t^2) -> 0 for h < 0: it lies below t^n exp(-t) in the end."""

    def __init__(self, a: Prover, solver: Breaks, t: int, facts: Sequence[int]) -> None:
        self.a, self.d, self.solver, self.t, self.facts = a, a.d, solver, t, facts

    def of(self, m: Monomial, c: Number, n: int) -> int:
        """The limit as a theorem.  Raises :class:`NotFound`."""
        d, terms, zero = self.d, self.a.terms, self.d.num(0)
        bare = tuple((x, e) for x, e in m if x != self.solver.atom)
        found = self.solver.split_quadratic(bare)
        if found is None or not found[1]:
            raise NotFound("a limit that the table does not have")
        k, h, rest = found
        name = str(d.b.rows[self.t][1])
        body, bound, place, below = self._below(k, h, n)
        decay = d.do("limit", d.mk("tends", d.b.abstract(bound, name, "R"), zero),
                     [self._one()], ["decay", str(n)])
        everywhere = d.gen(name, "R", d.disch(d.mk("le", place, self.t), below))
        inner = d.do("limit", d.mk("tends", d.b.abstract(body, name, "R"), zero),
                     [decay, everywhere], ["squeeze"])
        factor = terms.term({rest: c}, "R")
        return d.combined("mul", d.still(factor), inner)

    def _one(self) -> int:
        return self.a.prove(self.d.mk("lt", self.d.num(0), self.d.num(1)), [])

    def _below(self, k: Polynomial, h: Polynomial, n: int) -> tuple[int, int, int, int]:
        """t^n exp(k t + h t^2), its bound t^n exp(-t), a place, and |first| <= second behind it."""
        d, a, t = self.d, self.a, self.t
        rate = a.terms.term({m: -c for m, c in h.items()}, "R")
        positive = a.positive(rate, self.facts)
        law = None if positive is None else a.inverse_law(a.reader.read(rate), [
            *self.facts, positive])
        if positive is None or law is None:
            raise NotFound("a Gaussian that grows")
        slope = a.terms.term(k, "R")
        enough = d.add(d.mul(slope, slope), d.num(2))
        place = d.mul(enough, d.mk("inv", rate))
        later = d.assume(d.mk("le", place, t))
        # enough = rate place <= rate t
        far = d.do("arith", d.mk("le", enough, d.mul(rate, t)), [later, positive, law],
                   [[d.num(1), [0, 1]], [d.neg(enough), [2]]])
        half = d.add(slope, d.num(Fraction(-1, 2)))
        square = d.law("square", d.mk("le", d.num(0), d.mul(half, half)), half)
        more = d.do("arith", d.mk("le", d.add(slope, d.num(1)), enough), [square],
                    [[d.num(1), [0]], [d.num(Fraction(3, 4)), []]])
        squared = d.law("square", d.mk("le", d.num(0), d.mul(slope, slope)), slope)
        reciprocal = a.positive(d.mk("inv", rate), [*self.facts, positive])
        if reciprocal is None:
            raise NotFound("the sign of a reciprocal")
        some = d.do("arith", d.mk("lt", d.num(0), enough), [squared],
                    [[d.num(1), [0]], [d.num(2), []]])
        above = d.do("arith", d.mk("lt", d.num(0), t), [later, some, reciprocal],
                     [[d.num(1), [0]], [d.num(1), [1, 2]]])
        exponent = a.terms.term(plus(a.terms.argument_of(k, self.solver.atom),
                                     a.terms.argument_of(h, self.solver.atom, 2)), "R")
        minus = d.mul(d.num(-1), d.mul(d.num(1), t))
        less = d.do("arith", d.mk("le", exponent, minus), [above, far, more],
                    [[d.num(1), [0, 1]], [d.num(1), [0, 2]]])
        grown = d.onward(a.grows("le", exponent, minus), less)
        body, bound = d.mk("exp", exponent), d.mk("exp", minus)
        for _ in range(n):
            body, bound = d.mul(t, body), d.mul(t, bound)
        gap = d.do("arith", d.mk("le", body, bound), [grown, above], [[d.num(1), [0] + [1] * n]])
        law = d.law("exp positive", d.mk("lt", d.num(0), d.mk("exp", exponent)), exponent)
        sign = d.do("arith", d.mk("le", d.num(0), body), [law, above], [[d.num(1), [0] + [1] * n]])
        size = a.prove(d.mk("le", d.mk("abs", body), bound), [gap, sign])
        return body, bound, place, size
