"""Pairs given by two densities in x.

Exact where a change of variable makes both exponential polynomials whose log ratio is piecewise
affine: see :mod:`lapdp.privacy.push_forward`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from lapdp.calculus.linear import Constraint
from lapdp.core.errors import InputError
from lapdp.privacy.mechanism import Card, exact_parameter
from lapdp.privacy.model import Model
from lapdp.privacy.pair import Pair
from lapdp.privacy.push_forward import PushForward, X, push_forward


@dataclass(frozen=True, repr=False)
class Densities(Pair):
    """Two densities, as SymPy Lambdas, on an open interval."""

    p: Any
    q: Any
    lower: Any
    upper: Any

    def model(self) -> Model:
        """The law of the loss under P, by push-forward."""
        return self.pushed().model

    def pushed(self) -> PushForward:
        """The law of the loss, and the variable in which it was found."""
        return push_forward(self.p(X), self.q(X), self.lower, self.upper)

    def constraints(self) -> list[Constraint]:
        """None beyond the assumptions of the symbols."""
        return []

    def substitute(self, values: dict[Any, Any]) -> Densities | None:
        """The pair at given parameter values, None where they give no pair of densities."""
        p, q = (d(X).subs(values) for d in (self.p, self.q))
        try:
            return densities(p, q, X, (self.lower.subs(values), self.upper.subs(values)))
        except InputError:
            return None

    def numeric_pair(self, values: dict[Any, Any]) -> tuple[Any, ...]:
        """The two densities with their kinks."""
        import mpmath as mp

        def number(e: Any) -> Any:
            return mp.mpf(sp.lambdify(list(values), e, "mpmath")(*values.values()))

        parts = self.pushed().parts
        cuts = [number(part.stretch.upper.to_sympy()) for part in parts[:-1]
                if part.stretch.upper is not None]
        kinks = [number(part.change.back.subs(X, s.upper.to_sympy())) for part in parts
                 for s in part.inner[:-1] if s.upper is not None]

        def member(side: int) -> Any:
            branches = [sp.lambdify([X, *values], part.stretch.values[side], "mpmath")
                        for part in parts]

            def density(y: Any) -> Any:
                place = sum(1 for c in cuts if c <= y)
                return mp.mpf(branches[place](y, *values.values()))

            return density

        return ("density", member(0), member(1), (number(self.lower), number(self.upper)),
                sorted({*cuts, *kinks}))

    def __repr__(self) -> str:
        x = sp.Symbol("x", real=True)
        return f"densities({self.p(x)}, {self.q(x)}, x, ({self.lower}, {self.upper}))"


def densities(p: Any, q: Any, x: Any, support: tuple[Any, Any] = (-sp.oo, sp.oo)) -> Densities:
    """The pair of two densities in ``x`` on the open interval ``support``.

    Between kinks (Abs, Piecewise, Max, Min or Heaviside of expressions affine in x) densities are
    sums of c x^n e^(a x), or become so in the log of the distance from a point, as c x^a log(x)^n
    does, or in a power of x.  Both must be non-negative and integrate to 1, exactly; else
    :class:`InputError`.  :class:`Unsupported` where the loss log(p/q) is not piecewise affine in
    that variable.

    >>> x = sp.Symbol("x", real=True)
    >>> coin = densities(sp.exp(-sp.Abs(x))/2, sp.exp(-sp.Abs(x - 1))/2, x)
    >>> coin.loss.atoms
    (LossAtom(loss=-1, mass=exp(-1)/2), LossAtom(loss=1, mass=1/2))
    >>> densities(2*x, 1, x, (0, 1)).profile()
    Piecewise((exp(2*t)/4 - exp(t) + 1, t < log(2)), (0, True))
    >>> densities(x, 1, x, (0, 1))
    Traceback (most recent call last):
    lapdp.core.errors.InputError: p integrates to 1/2, not to 1
    """
    if not isinstance(x, sp.Symbol):
        raise InputError(f"{str(x)[:40]} is not a symbol: name the variable of the densities")
    found = [sp.Lambda(X, exact_parameter(name, e).subs(x, X))
             for name, e in (("p", p), ("q", q))]
    if not isinstance(support, (tuple, list, sp.Tuple)) or len(support) != 2:
        raise InputError("support must be a pair such as (0, oo)")
    ends = [end if end in (sp.oo, -sp.oo) else exact_parameter("support", end) for end in support]
    if any(x in end.free_symbols for end in ends):
        raise InputError(f"the support must not depend on {x}")
    if ends[0] == sp.oo or ends[1] == -sp.oo:
        raise InputError("the support runs from its lower end to its upper end")
    pair = Densities(*found, *ends)
    pair.model()
    return pair


_X, _A = sp.Symbol("x", real=True), sp.Symbol("a", positive=True)

CARD = Card(
    make=densities,
    says="two densities whose log ratio is piecewise affine in x, a log or a power of it",
    source="the change of variables z = log(p/q)",
    direction="P and Q as they are given",
    dominating="itself, and every post-processing of it; for a mechanism, take neighbours whose "
               "pair dominates the others",
    pitfall="A piece of the loss with the wrong density.",
    examples=((sp.exp(-sp.Abs(_X)) / 2, sp.exp(-sp.Abs(_X - 1)) / 2, _X),
              (sp.exp(-_X), 2 * sp.exp(-2 * _X), _X, (0, sp.oo)),
              (_X * sp.exp(-_X), 4 * _X * sp.exp(-2 * _X), _X, (0, sp.oo)),
              (2 * _X, sp.Integer(1), _X, (0, 1)), (2 / _X**3, 3 / _X**4, _X, (1, sp.oo)),
              (sp.Piecewise((1, _X < 1), (0, True)), sp.Piecewise((0, 2 * _X < 1), (1, True)), _X,
               (0, "3/2")),
              (_A * sp.exp(-_A * _X), 2 * _A * sp.exp(-2 * _A * _X), _X, (0, sp.oo))),
    in_formulas=False,
)
