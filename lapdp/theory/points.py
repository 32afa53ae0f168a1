"""Functions on the sample space at one outcome, in [-oo, oo], and the events they cut out.

An outcome of an arbitrary pair is a kernel, an outcome of a product has one part for each factor.
Losses and ratios take their values in [-oo, oo]; what is integrated against a density counts
nothing where the density vanishes (0 oo = 0 there, and only there).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import sympy as sp

from lapdp.calculus import nodes as cn
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.logs import log_form
from lapdp.core.errors import IllFormed, Undefined, Unsupported
from lapdp.privacy import mixtures
from lapdp.privacy import nodes as pn
from lapdp.privacy.model import Infinite, Model, zero_power
from lapdp.privacy.pointwise import LossAt, Ratio
from lapdp.theory.extended import Value, compare, extreme, holds, plus, times
from lapdp.theory.homogeneity import POINTWISE
from lapdp.theory.several import Rows

if TYPE_CHECKING:
    from lapdp.theory.interpret import Interpreter

Part = tuple[Scalar, Scalar, Form | None]
"""P-mass, Q-mass and loss of the part of an outcome in one factor; None if one mass is 0."""


@dataclass(frozen=True)
class Point:
    """One outcome: its part in each factor, and its place among the outcomes of the space."""

    parts: Mapping[Any, Any]
    """A :data:`Part` for each pair; for several distributions their masses."""
    place: int

    def is_null(self, distributions: Any) -> bool:
        """Do all these distributions vanish here?"""
        return all(any(self.parts[a][d.side].is_zero() for a in d.pair.atoms())
                   for d in distributions)

    def masses(self, identity: Any) -> tuple[Scalar, Scalar]:
        """P-mass and Q-mass here."""
        p_mass = q_mass = Scalar.of(1)
        for a in identity.atoms():
            p_mass, q_mass = p_mass * self.parts[a][0], q_mass * self.parts[a][1]
        return p_mass, q_mass

    def loss(self, first: Any, second: Any) -> Value:
        """log(P/Q) here; Undefined where both vanish."""
        identity, reverse = pn.oriented(first, second)
        total, ends = Form({}), set()
        for a in identity.atoms():
            p_mass, _, z = self.parts[a]
            if z is None:
                ends.add(-1 if p_mass.is_zero() else 1)
            else:
                total = total + z
        if len(ends) == 2:
            raise Undefined("the likelihood ratio 0/0")
        if ends:
            end = ends.pop()
            return Infinite(-end if reverse else end)
        return Scalar.of(-total if reverse else total)


def space_of(e: Any) -> Any:
    """The pair whose outcomes an expression speaks of: all others are factors of it.

    An expression in the members of several independent pairs, and of none that they are factors of,
    is a function on the product of their spaces.
    """
    found = {id(s.pair): s.pair for s in e.free_symbols if isinstance(s, pn.Distribution)}
    pairs = sorted(found.values(), key=lambda p: len(p.atoms()), reverse=True)
    for p in pairs:
        atoms = {id(a) for a in p.atoms()}
        if all(id(a) in atoms for other in pairs for a in other.atoms()):
            return p
    parts = [id(a) for p in pairs for a in p.atoms()]
    if not pairs or len(set(parts)) < len(parts) or any(
            len(p.names) != 2 or p.role is not None for p in pairs):
        raise IllFormed("an integral or event over a space needs exactly one pair, and its "
                        "factors, or independent pairs")
    pairs.sort(key=lambda p: p.name)
    names = tuple(" x ".join(p.names[k] for p in pairs) for k in (0, 1))
    return pn.PairOf(",".join(names), names, factors=tuple(pairs))


def points_of(i: Interpreter, identity: Any) -> list[Point]:
    """The outcomes of a space whose factors have atomic models."""
    atoms = identity.atoms()
    rows = i.models.get(identity)
    if isinstance(rows, Rows):
        return [Point({identity: masses}, k) for k, masses in enumerate(rows.outcomes)]
    i.model(*members(identity))  # refuses what is not linear in each pair
    choices: list[list[Part]] = []
    for a in atoms:
        model: Model = i.models[a]
        if model.atoms is None:
            raise Unsupported("an integral over a continuous space")
        found: list[Part] = [(x.a, x.b, x.z) for x in model.atoms]
        if i.cell.nonzero(model.p_infinite):
            found.append((model.p_infinite, Scalar.of(0), None))
        if i.cell.nonzero(model.q_infinite):
            found.append((Scalar.of(0), model.q_infinite, None))
        choices.append(found)
    return [Point(dict(zip(atoms, parts, strict=True)), k)
            for k, parts in enumerate(product(*choices))]


def members(identity: Any) -> tuple[Any, Any]:
    """The two distributions of a pair, in its own order."""
    p, q = (pn.Distribution(identity.names[k], identity, k) for k in (0, 1))
    return p, q


# -- values --------------------------------------------------------------------------------------


def value_at(i: Interpreter, e: Any, point: Point) -> Value:
    """The value of a function on the space at an outcome; Undefined if it has none."""
    if e in (sp.oo, -sp.oo):
        return Infinite(1 if e == sp.oo else -1)
    if not e.has(*POINTWISE):
        return i.scalar(e)
    if isinstance(e, LossAt):
        return loss_at(i, e.args, point)
    if isinstance(e, sp.log):
        return _logarithm(i, e.args[0], point)
    if isinstance(e, Ratio):
        return _exponential(i, {e.args: Form.of(1)}, point)
    if e.is_Add:
        return plus([value_at(i, a, point) for a in e.args])
    if isinstance(e, (sp.Max, sp.Min)):
        return extreme(i, [value_at(i, a, point) for a in e.args], isinstance(e, sp.Max))
    if isinstance(e, sp.Abs):
        x = value_at(i, e.args[0], point)
        return Infinite(1) if isinstance(x, Infinite) else extreme(
            i, [x, Scalar.of(0) - x], largest=True)
    if isinstance(e, cn.Indicator):
        return Scalar.of(int(holds_at(i, e.args[0], point)))
    if isinstance(e, sp.Piecewise):
        for branch, condition in e.args:
            if holds_at(i, condition, point):
                return value_at(i, branch, point)
        raise Undefined("no case of the case distinction applies")
    if isinstance(e, sp.exp):
        return _of_losses(i, e.args[0], point)
    if e.is_Mul or e.is_Pow or isinstance(e, pn.Distribution):
        return _product(i, e, point)
    raise Unsupported(f"{e} as a function on the space")


def loss_at(i: Interpreter, pair: Any, point: Point) -> Value:
    """log(P/Q) at an outcome, for members of a pair or mixtures of them."""
    identity, weights = mixtures.members(*pair)
    if weights in (mixtures.PLAIN, mixtures.REVERSED):
        return point.loss(*pair)
    (a, b), (c, d) = ([i.scalar(w) for w in row] for row in weights)
    mixtures.require_weights(((a, b), (c, d)), i.cell)
    p, q = point.masses(identity)
    first, second = a * p + b * q, c * p + d * q
    ends = [not i.cell.nonzero(x) for x in (first, second)]
    if all(ends):
        raise Undefined("the likelihood ratio 0/0")
    if any(ends):
        return Infinite(-1 if ends[0] else 1)
    return Scalar.of(log_form((first / second).substitute(i.cell.values)))


def _logarithm(i: Interpreter, e: Any, point: Point) -> Value:
    """The logarithm of a function with values in [0, oo]; log 0 = -oo."""
    quotient = _quotient(e)
    if quotient:
        return point.loss(*quotient)
    x = value_at(i, e, point)
    if isinstance(x, Infinite):
        if x.sign < 0:
            raise Undefined("the logarithm of -oo")
        return x
    sign = i.cell.sign_of(x)
    if sign < 0:
        raise Undefined("the logarithm of a number < 0")
    return Scalar.of(log_form(x.substitute(i.cell.values))) if sign else Infinite(-1)


def _quotient(e: Any) -> Any:
    """(P, Q) for the quotient P/Q of two densities, else None."""
    above, below = e.as_numer_denom()
    both = isinstance(above, pn.Distribution) and isinstance(below, pn.Distribution)
    return (above, below) if both else None


def _of_losses(i: Interpreter, exponent: Any, point: Point) -> Value:
    """e^(c1 L1 + c2 L2 + ... + d)."""
    exponent = sp.expand(exponent)
    powers: dict[Any, Form] = {}
    for loss in sorted(exponent.atoms(LossAt), key=str):
        c = exponent.coeff(loss, 1)
        exponent = sp.expand(exponent - c * loss)
        powers[loss.args] = i.form(c)
    if exponent.has(*POINTWISE):
        raise Unsupported(f"the exponential of {exponent}")
    return times(i, Scalar.exp(i.form(exponent)), _exponential(i, powers, point))


def _exponential(i: Interpreter, powers: dict[Any, Form], point: Point) -> Value:
    """The product of (P/Q)^c over pairs with exponents; 0 and oo to a power by continuity."""
    total: Value = Scalar.of(1)
    for pair, c in powers.items():
        loss = loss_at(i, pair, point)
        if isinstance(loss, Infinite):
            end = zero_power(c if loss.sign < 0 else -c, i.cell)
            total = times(i, total, Infinite(1) if isinstance(end, Infinite) else end)
        else:
            z = loss.as_form()
            assert z is not None
            total = times(i, total, Scalar.exp(c * z))
    return total


def _product(i: Interpreter, e: Any, point: Point) -> Value:
    """A product: its densities first; where they vanish the rest does not count."""
    exponents: dict[tuple[Any, int], Any] = {}
    others: list[Any] = []
    for factor in sp.Mul.make_args(e):
        base, exponent = factor.as_base_exp()
        if isinstance(base, pn.Distribution):
            for a in base.pair.atoms():
                key = (a, base.side)
                exponents[key] = exponents.get(key, sp.Integer(0)) + exponent
        else:
            others.append(factor)
    parts: list[Value] = []
    for a in {a: None for a, _ in exponents}:
        powers = [exponents.get((a, side), sp.Integer(0)) for side in range(len(a.names))]
        here = point.parts[a]
        part = _monomial(i, powers, here) if len(powers) == 2 else _of_rows(powers, here)
        if isinstance(part, Scalar) and part.is_zero():
            return part
        parts.append(part)
    parts += [_factor(i, x, point) for x in others]
    total: Value = Scalar.of(1)
    for part in parts:
        total = times(i, total, part)
    return total


def _factor(i: Interpreter, e: Any, point: Point) -> Value:
    if not e.is_Pow or not e.has(*POINTWISE):
        return value_at(i, e, point)
    if isinstance(e.base, Ratio):
        return _exponential(i, {e.base.args: i.form(e.exp)}, point)
    if not e.exp.is_Integer:
        raise Unsupported(f"the power {e} of a function on the space")
    base, n = value_at(i, e.base, point), int(e.exp)
    if isinstance(base, Infinite):
        return Infinite(base.sign**n) if n > 0 else Scalar.of(0)
    if n < 0 and not i.cell.nonzero(base):
        raise Undefined("a division by zero")
    return base**n


def _of_rows(powers: list[Any], masses: tuple[Any, ...]) -> Scalar:
    """A product of densities of several distributions, with whole exponents."""
    total = Scalar.of(1)
    for power, mass in zip(powers, masses, strict=True):
        if not power.is_Integer or power < 0:
            raise Unsupported("a quotient of densities of several distributions")
        total = total * mass ** int(power)
    return total


def _monomial(i: Interpreter, exponents: list[Any], part: Part) -> Value:
    """P^alpha Q^beta at an outcome of one factor, whole degree alpha + beta."""
    a, b, z = part
    alpha, beta = (i.form(x) for x in exponents)
    if z is not None:
        # a^alpha b^beta = b^(alpha + beta) e^(alpha z), and alpha + beta is a whole number here
        whole = (alpha + beta).constant()
        if whole is None or whole.denominator != 1:
            raise Unsupported("a product of densities without a whole degree")
        return b ** int(whole) * Scalar.exp(alpha * z)
    power = zero_power(alpha if a.is_zero() else beta, i.cell)
    if isinstance(power, Infinite):
        return Infinite(1)
    other, exponent = (b, beta) if a.is_zero() else (a, alpha)
    if power.is_zero() or other == Scalar.of(1):
        return power
    whole = exponent.constant()
    if whole is None or whole.denominator != 1:
        raise Unsupported(f"a power of the mass {other}")
    return power * other ** int(whole)


# -- events --------------------------------------------------------------------------------------


def holds_at(i: Interpreter, condition: Any, point: Point) -> bool:
    """Does a condition hold at an outcome?"""
    if condition in (sp.true, sp.false):
        return bool(condition)
    if isinstance(condition, sp.And):
        return all(holds_at(i, c, point) for c in condition.args)
    if isinstance(condition, sp.Or):
        return any(holds_at(i, c, point) for c in condition.args)
    if isinstance(condition, sp.Not):
        return not holds_at(i, condition.args[0], point)
    order = compare(i, *(value_at(i, side, point) for side in condition.args))
    return holds(condition, order)


__all__ = ["Part", "Point", "holds_at", "loss_at", "members", "points_of", "space_of", "value_at"]
