"""One instance of a statement: masses, values of parameters, functions."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy as sp

from lapdp.privacy.nodes import Distribution
from tests.mutation.compositions import dependent
from tests.oracle import finite
from tests.oracle.reals import Unclear, Undefined
from tests.oracle.signals import Signal


@dataclass
class Instance:
    """Masses for the arbitrary pairs, values for parameters, signals for functions, outcomes of
    the free events by their places."""

    pairs: dict[int, Any]
    symbols: dict[Any, Any]
    functions: dict[str, Signal] = field(default_factory=dict)
    events: dict[Any, frozenset[int]] = field(default_factory=dict)

    composing: Any = None
    """What is drawn for families and compositions (see ``compositions``)."""

    def masses(self, pair):
        """(P, Q) of a :class:`PairOf`: drawn, or a product of drawn ones."""
        if self.composing is not None and not pair.factors and dependent(pair):
            return self.composing.masses(pair, self)
        if id(pair) not in self.pairs:
            if pair.factors:
                first, *rest = (self.masses(p) for p in pair.factors)
                for other in rest:
                    first = finite.product_pair(first, other)
                if any(dependent(p) for p in pair.atoms()):
                    return first
                self.pairs[id(pair)] = first
            else:
                raise Unclear(f"no masses for {pair}")
        return self.pairs[id(pair)]

    def oriented(self, P, Q):
        """The masses of two members of a pair, or of two mixtures of them, in the order given."""
        plain = isinstance(P, Distribution) and isinstance(Q, Distribution)
        if plain and P.side != Q.side and len(P.pair.names) == 2:
            masses = self.masses(P.pair)
            return masses if P.side == 0 else finite.reverse(*masses)
        return self._mixed(P), self._mixed(Q)

    def _mixed(self, e):
        """Masses of a combination of distributions: term by term, weights at the instance."""
        from tests.mutation.walker import Walker

        walker, weights = Walker(self), {}
        for term in sp.Add.make_args(sp.expand(e)):
            found = [x for x in sp.Mul.make_args(term) if isinstance(x, Distribution)]
            if len(found) != 1:
                raise Unclear(f"{term} is no multiple of a distribution")
            (member,) = found
            weight = walker.scalar(term / member)
            if not isinstance(weight, Fraction):
                raise Unclear("an irrational weight")
            weights[member] = weights.get(member, 0) + weight
        if any(w < 0 for w in weights.values()):
            # for some pair it is no distribution: the language gives it no value
            raise Undefined("a mixture with a negative weight")
        rows = [[w * m for m in self.masses(member.pair)[member.side]]
                for member, w in weights.items()]
        total = [sum(column) for column in zip(*rows, strict=True)]
        if min(total) < 0 or sum(total) != 1:
            raise Undefined("a mixture that is no distribution")
        return tuple(total)
