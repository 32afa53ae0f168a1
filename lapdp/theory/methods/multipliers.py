"""Inequalities for every pair that need both members to have mass 1.

Theorem.  Let D be linear in a pair, a claim D >= 0 (or D > 0), and c a function of the parameters.
If D(k) + c (P-mass - Q-mass)(k) >= 0 on every kernel k, then D >= 0 for every pair of probability
distributions, for P - Q has total mass 0.

Here c is chosen so that equality holds on k(+oo), or on k(-oo): c = -D(k(+oo)), c = D(k(-oo)); or
so that the sum is flat at k(0), where P = Q: c = -dD(k(z))/dz at z = 0, as for f-divergences.  The
parameters may be split at the sign of one of them, with another choice on each side.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.calculus.positivity import never_negative
from lapdp.core.errors import IllFormed, Undefined, Unsupported
from lapdp.core.verdict import Certificate, Judgement, Kind, Rejected, seal
from lapdp.privacy.model import Infinite, Model, finite_kernel
from lapdp.theory import language as lang
from lapdp.theory.hypotheses import gather
from lapdp.theory.interpret import Interpreter
from lapdp.theory.methods.combinations import Choice, describe_choice, leaves
from lapdp.theory.methods.kernels import KernelMethod
from lapdp.theory.methods.outcomes import RELATIONS
from lapdp.theory.methods.registry import Prove
from lapdp.theory.obligations import PASSIVE, Fails, Path
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
    for kind in ("", "plus", "minus", "finite"):
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


@dataclass(frozen=True)
class NeverNegative:
    """A continuous function of the loss z that is >= 0 on both half-lines."""

    difference: Scalar
    z: Any
    what: str

    def discharge(self, path: Path) -> None:
        """Look at its derivatives again."""
        if not _on_both_sides(self.difference, self.z):
            raise Rejected(f"{self.what}: {self.difference} is not shown to be >= 0")

    def describe(self) -> str:
        """One line."""
        return f"{self.what}: {self.difference} >= 0 on its line, by its derivatives"


def _on_both_sides(x: Scalar, z: Any) -> bool:
    """Is a function of z alone shown to be >= 0 for z > 0 and for z < 0, so at 0 as well?"""
    if set(x.parameters()) != {z}:
        return False
    p = Form.of(sp.Dummy("p", positive=True))
    try:
        return all(never_negative(x.substitute({z: side}), Cell()) for side in (p, -p))
    except (NeedSplit, Unsupported):
        return False


class _Failed(Exception):
    """One failing case is enough."""


class Multiplied(KernelMethod):
    """Kernels, with a multiple of (P-mass - Q-mass) added to the difference of the two sides."""

    kind = ""
    slope: Scalar | None = None

    def leaf(self, cell: Cell, choice: Choice) -> tuple[Any, ...]:
        """Obligations of one case; stops at the first failure."""
        found = super().leaf(cell, choice)
        if any(isinstance(o, Fails) for o in found):
            raise _Failed
        return found

    def _inequality(self, cell: Cell, choice: Choice, claim: Any) -> tuple[Any, ...]:
        """A weak inequality that is flat at k(0) by the shape of a function of the loss."""
        sign, relation = RELATIONS[type(claim)]
        if self.kind == "finite" and relation == ">=" and not self.functions and (
                dict(choice)[self.pairs[0]] == "finite"):
            i, values, problem = self._two_sides(cell, choice, claim)
            if not problem and not any(isinstance(v.x, Infinite) for v in values):
                difference = self._defect(i, values) * sign
                z = self.variables[self.pairs[0]]
                if _on_both_sides(difference, z):
                    self.earn(i, cell, choice, [claim.lhs, claim.rhs])
                    return (NeverNegative(difference, z, describe_choice(choice)),)
        return super()._inequality(cell, choice, claim)

    def _defect(self, i: Interpreter, values: list[Any]) -> Scalar:
        """The difference of the two sides, plus c times the excess of the P-mass."""
        found = super()._defect(i, values)
        if not self.kind:
            return found
        (pair,) = self.pairs
        if self.kind == "finite":
            return (found + self._flat(i) * self._excess(i)).substitute(i.cell.values)
        there = Interpreter(i.cell, {**i.models, pair: self.models(((pair, self.kind),))[0][pair]},
                            i.kernels, i.functions, nonzero=i.nonzero, joint=i.joint,
                            continuous=i.continuous)
        claim = self.statement.claim
        sides = [there.value(e) for e in (claim.lhs, claim.rhs)]
        if any(isinstance(v.x, Infinite) for v in sides):
            raise Unsupported("an infinite value on a one-sided kernel")
        end = super()._defect(there, sides)
        c = -end if self.kind == "plus" else end
        return (found + c * self._excess(i)).substitute(i.cell.values)

    def _excess(self, i: Interpreter) -> Scalar:
        model: Model = i.models[self.pairs[0]]
        return model.p_mass(i.cell) - model.q_mass(i.cell)

    def _flat(self, i: Interpreter) -> Scalar:
        """-dD(k(z))/dz at z = 0, on the side on which the losses are positive."""
        if self.slope is None:
            (pair,) = self.pairs
            z = sp.Dummy("z", positive=True)
            claim = self.statement.claim
            there = Interpreter(Cell(), {**i.models, pair: finite_kernel(Form.of(z))}, i.kernels,
                                i.functions, nonzero=i.nonzero, joint=i.joint,
                                continuous=i.continuous)
            try:
                sides = [there.value(e) for e in (claim.lhs, claim.rhs)]
                if any(isinstance(v.x, Infinite) for v in sides):
                    raise Unsupported("an infinite value on a kernel")
                gap = super()._defect(there, sides).to_sympy()
            except NeedSplit:
                raise Unsupported("the slope at 0 depends on a sign") from None
            self.slope = Scalar.of(Form.of(-sp.diff(gap, z).subs(z, 0)))
        return self.slope


__all__ = ["by_multiplier"]
