"""Inequalities for every pair that need both members to have mass 1.

Theorem.  Let D be linear in a pair, a claim D >= 0 (or D > 0), and c a function of the parameters.
If D(k) + c (P-mass - Q-mass)(k) >= 0 on every kernel k, then D >= 0 for every pair of probability
distributions, for P - Q has total mass 0.

Here c is chosen so that equality holds on k(+oo), or on k(-oo): c = -D(k(+oo)), c = D(k(-oo)).  The
parameters may be split at the sign of one of them, with another choice on each side.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from lapdp.calculus.field import Scalar
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.core.errors import IllFormed, Undefined, Unsupported
from lapdp.core.verdict import Certificate, Judgement, Kind, Rejected, seal
from lapdp.privacy.model import Infinite, Model
from lapdp.theory import language as lang
from lapdp.theory.hypotheses import gather
from lapdp.theory.interpret import Interpreter
from lapdp.theory.methods.combinations import Choice, describe_choice, leaves
from lapdp.theory.methods.kernels import KernelMethod
from lapdp.theory.methods.outcomes import RELATIONS
from lapdp.theory.methods.registry import Prove
from lapdp.theory.obligations import PASSIVE, Fails
from lapdp.theory.pointwise_claims import is_pointwise

NAME = "kernels with a multiplier"
_STOPS = (Unsupported, Undefined, NeedSplit, Rejected, IllFormed)
_MAX_SPLITS = 3


def by_multiplier(statement: Any, _prove: Prove) -> Judgement | None:
    """Prove an order claim about one arbitrary pair by adding a multiple of P - Q to it."""
    claim = statement.claim
    if type(claim) not in RELATIONS or is_pointwise(claim):
        return None
    arbitrary = {a for p in statement.pairs for a in p.atoms() if a.mechanism is None}
    if len(arbitrary) != 1:
        return None
    for pieces in _splits(statement):
        trees: list[tuple[str, Any]] = []
        facts: set[Any] = set()
        live = False
        for piece in pieces:
            method = _proved(replace(statement, where=(*statement.where, *piece)))
            if method is None:
                break
            trees += [(describe_choice(c), tree) for c, tree in method.run.trees]
            facts |= method.run.facts
            live = live or any(type(o) not in PASSIVE for _, tree in method.run.trees
                               for _, leaf in leaves(tree) for o in leaf.obligations)
        else:
            if live:
                return Judgement(Kind.DERIVED, NAME, proof=seal(
                    Certificate(NAME, tuple(trees), tuple(facts))))
    raise Unsupported("no multiple of P - Q makes the claim hold on every kernel")


def _splits(statement: Any) -> Iterator[list[tuple[Any, ...]]]:
    """The whole range, then the range cut at the sign of one real parameter."""
    yield [()]
    real = [s for s in statement.parameters if s.is_real and not (
        s.is_nonnegative or s.is_nonpositive)]
    for s in real[:_MAX_SPLITS]:
        yield [(lang.Ge(s, 0),), (lang.Lt(s, 0),)]


def _proved(statement: Any) -> KernelMethod | None:
    """The first choice of the multiplier under which no kernel fails."""
    for kind in ("", "plus", "minus"):
        try:
            method = Multiplied(statement, gather(statement))
            method.kind = kind
            if not method.execute().failures():
                return method
        except _Failed:
            continue
        except _STOPS:
            continue
    return None


class _Failed(Exception):
    """One failing case is enough."""


class Multiplied(KernelMethod):
    """Kernels, with a multiple of (P-mass - Q-mass) added to the difference of the two sides."""

    kind = ""

    def leaf(self, cell: Cell, choice: Choice) -> tuple[Any, ...]:
        """Obligations of one case; stops at the first failure."""
        found = super().leaf(cell, choice)
        if any(isinstance(o, Fails) for o in found):
            raise _Failed
        return found

    def _defect(self, i: Interpreter, values: list[Any]) -> Scalar:
        """The difference of the two sides, plus c times the excess of the P-mass."""
        found = super()._defect(i, values)
        if not self.kind:
            return found
        (pair,) = self.pairs
        there = Interpreter(i.cell, {**i.models, pair: self.models(((pair, self.kind),))[0][pair]},
                            i.kernels, i.functions, nonzero=i.nonzero, joint=i.joint,
                            continuous=i.continuous)
        claim = self.statement.claim
        sides = [there.value(e) for e in (claim.lhs, claim.rhs)]
        if any(isinstance(v.x, Infinite) for v in sides):
            raise Unsupported("an infinite value on a one-sided kernel")
        end = super()._defect(there, sides)
        model: Model = i.models[pair]
        excess = model.p_mass(i.cell) - model.q_mass(i.cell)
        c = -end if self.kind == "plus" else end
        return (found + c * excess).substitute(i.cell.values)


__all__ = ["by_multiplier"]
