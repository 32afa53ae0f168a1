"""One instance of a statement: masses, values of parameters, functions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.oracle import finite
from tests.oracle.reals import Unclear
from tests.oracle.signals import Signal


@dataclass
class Instance:
    """Masses for the arbitrary pairs, values for parameters, signals for functions, outcomes of
    the free events by their places."""

    pairs: dict[int, Any]
    symbols: dict[Any, Any]
    functions: dict[str, Signal] = field(default_factory=dict)
    events: dict[Any, frozenset[int]] = field(default_factory=dict)

    def masses(self, pair):
        """(P, Q) of a :class:`PairOf`: drawn, or a product of drawn ones."""
        if id(pair) not in self.pairs:
            if pair.factors:
                first, *rest = (self.masses(p) for p in pair.factors)
                for other in rest:
                    first = finite.product_pair(first, other)
                self.pairs[id(pair)] = first
            else:
                raise Unclear(f"no masses for {pair}")
        return self.pairs[id(pair)]

    def oriented(self, P, Q):
        """The masses of two members of a pair, in the order given."""
        masses = self.masses(P.pair)
        return masses if P.side == 0 else finite.reverse(*masses)
