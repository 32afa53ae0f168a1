"""The meaning of an expression in one case: field elements and exact functions.

An :class:`Interpreter` has a cell and, for each pair, a model (a kernel or a concrete mechanism) and
for each arbitrary function an exact object.  ``value`` gives parameters-only expressions a field
element, ``function`` gives expressions in a bound variable an exact function.

Where models are kernels, results are *graded* by the pairs they use: a constant is multiplied by the
kernel's P-mass when it is added to something that uses the pair (the 1 in 1 - F_Z is P(Omega)), and
degree 2 in one pair is refused, as are non-linear functions of a graded value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from lapdp.calculus import nodes as cn
from lapdp.calculus.convert import to_scalar
from lapdp.calculus.exact import ZERO, Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form, is_real_atom
from lapdp.calculus.ordering import Cell
from lapdp.calculus.transform import Divergent, bilateral, one_sided
from lapdp.core.errors import IllFormed, Undefined, Unsupported
from lapdp.privacy import nodes as pn
from lapdp.privacy.model import INFINITE, Infinite, Model

Grade = frozenset[Any]
NONE: Grade = frozenset()


@dataclass(frozen=True)
class Graded:
    """A value or function with the set of kernel pairs (or functions) it is linear in."""

    grade: Grade
    x: Any


@dataclass(frozen=True)
class Exchange:
    """An integral whose exchange with the mixture over kernels must be earned."""

    grade: Grade
    function: Exact | None
    frequency: Form
    origin: str
    value: Any = None


@dataclass
class Interpreter:
    """One case: a cell, a model for each pair, an object for each function symbol."""

    cell: Cell
    models: Mapping[Any, Any]
    kernels: frozenset[Any] = frozenset()
    functions: Mapping[str, Exact] = field(default_factory=dict)
    exchanges: list[Exchange] = field(default_factory=list)
    nonzero: frozenset[Any] = frozenset()
    """Expressions that a hypothesis declares different from 0."""
    continuous: frozenset[str] = frozenset()
    """Functions that a hypothesis declares continuous: a value is the mean of its limits."""
    line: tuple[Any, Form] | None = None
    """Inside an inversion integral: the frequency and the abscissa it runs along."""
    joint: bool = False
    """Is the claim linear in all functions together, rather than in each?"""

    # -- pairs ----------------------------------------------------------------------------------

    def model(self, first: Any, second: Any) -> Graded:
        """The model of an oriented pair, graded by its kernel factors."""
        identity, reverse = pn.oriented(first, second)
        atoms = identity.atoms()
        found = [self.models[a] for a in atoms]
        if any(not isinstance(m, Model) for m in found):
            raise Unsupported("a pair outside the exact class")
        total = found[0]
        for m in found[1:]:
            total = total.product(m, self.cell)
        grade = frozenset(a for a in atoms if a in self.kernels)
        return Graded(grade, total.reverse() if reverse else total)

    def mass(self, identity: Any) -> Scalar:
        """P-mass of a kernel: what a constant is multiplied by."""
        if isinstance(identity, str):
            raise IllFormed("a constant is added to an expression linear in a function")
        model: Model = self.models[identity]
        return model.p_mass(self.cell)

    def lift(self, g: Graded, grade: Grade) -> Any:
        """The payload of ``g`` at a larger grade."""
        x = g.x
        for identity in grade - g.grade:
            mass = self.mass(identity)
            if isinstance(x, Infinite):
                if not self.cell.nonzero(mass):
                    raise Unsupported("0 times oo")
                continue
            x = x.scale(mass) if isinstance(x, Exact) else x * mass
        return x

    def add(self, parts: list[Graded]) -> Graded:
        """Sum, after raising all parts to one grade; oo absorbs."""
        grade: Grade = frozenset().union(*(p.grade for p in parts))
        lifted = [self.lift(p, grade) for p in parts]
        if any(isinstance(x, Infinite) for x in lifted):
            return Graded(grade, INFINITE)
        total = lifted[0]
        for x in lifted[1:]:
            total = total + x
        return Graded(grade, total)

    def multiply_grades(self, a: Grade, b: Grade) -> Grade:
        """Grade of a product; a pair may occur once."""
        if a & b:
            raise Unsupported("an expression of degree 2 in one pair is not linear in it")
        return a | b

    # -- values ---------------------------------------------------------------------------------

    def value(self, e: Any) -> Graded:
        """Field element (or oo) of an expression without bound variables."""
        e = sp.sympify(e)
        kind = type(e)
        if e.is_Add:
            return self._sum([self.value(a) for a in e.args], e)
        if e.is_Mul:
            return self._product([self.value(a) for a in e.args])
        handler = _VALUES.get(kind)
        if handler is not None:
            result: Graded = handler(self, e)
            return result
        if isinstance(e, sp.exp):
            return self._exponential(e.args[0])
        if isinstance(e, AppliedUndef) and kind.__name__ in self.continuous:
            t = sp.Dummy("t", real=True)
            g, point = self.function(e.func(t), t), self.form(e.args[0])
            ends = g.x.limit(point, -1, self.cell) + g.x.limit(point, 1, self.cell)
            return Graded(g.grade, ends * Fraction(1, 2))
        if e.is_Pow:
            return self._power(e)
        self.require_denominators(e)
        return Graded(NONE, to_scalar(e, self._plain).substitute(self.cell.values))

    def _sum(self, parts: list[Graded], e: Any) -> Graded:
        infinite = [a for a, p in zip(e.args, parts, strict=True) if isinstance(p.x, Infinite)]
        if len(infinite) > 1 or any(a.could_extract_minus_sign() for a in infinite):
            raise Undefined("oo - oo, or -oo")
        return self.add(parts)

    def _product(self, parts: list[Graded]) -> Graded:
        grade, total = NONE, Scalar.of(1)
        infinite = False
        for p in parts:
            grade = self.multiply_grades(grade, p.grade)
            if isinstance(p.x, Infinite):
                infinite = True
            else:
                total = total * p.x
        if infinite:
            if self.cell.sign_of(total) <= 0:
                raise Undefined("0 times oo, or -oo")
            return Graded(grade, INFINITE)
        return Graded(grade, total)

    def _plain(self, e: Any) -> Scalar:
        """A sub-expression that must be a number: grade 0 and finite."""
        g = self.value(e) if type(e) in _VALUES else None
        if g is None:
            raise Unsupported(f"{e} is not an expression of the exact class")
        if g.grade or isinstance(g.x, Infinite):
            raise Unsupported(f"a non-linear function of {e}")
        x: Scalar = g.x
        return x

    def scalar(self, e: Any) -> Scalar:
        """A number: refuses graded and infinite values."""
        g = self.value(e)
        if g.grade:
            raise Unsupported("a non-linear function of a value that depends on an arbitrary pair")
        if isinstance(g.x, Infinite):
            raise Undefined("the value is +oo")
        x: Scalar = g.x
        return x

    def form(self, e: Any) -> Form:
        """An exponent, frequency or breakpoint."""
        self.require_denominators(e)
        try:
            return Form.of(e).substitute(self.cell.values)
        except Unsupported:
            found = self.scalar(e).as_form()
        if found is None:
            raise Unsupported(f"{e} is not a polynomial in the parameters")
        return found

    def require_denominators(self, e: Any, bound: Any = None) -> None:
        """Every denominator of parameters must differ from 0 (forms divide formally)."""
        for power in sp.sympify(e).atoms(sp.Pow):
            base = power.base
            if power.exp.could_extract_minus_sign() and base.free_symbols and (
                    bound not in base.free_symbols) and not base.has(cn.Node):
                if not self.cell.nonzero(self.scalar(base)):
                    raise Undefined("a division by zero")

    def _exponential(self, arg: Any) -> Graded:
        renyi = [a for a in arg.atoms(pn.RenyiDivergence)]
        if not renyi:
            return Graded(NONE, Scalar.exp(self.form(arg)))
        if len(renyi) > 1:
            raise Unsupported("several Renyi divergences in one exponent")
        q, p, r = renyi[0].args
        linear = sp.expand(arg).coeff(renyi[0], 1)
        rest = sp.expand(arg - linear * renyi[0])
        ratio = sp.cancel(linear / (q - 1))
        if not ratio.is_Integer or rest.has(pn.RenyiDivergence):
            raise Unsupported("e^(c R_q) needs c = n (q - 1) with a whole n")
        if not self.cell.nonzero(self.scalar(q - 1)):
            raise Undefined("R_q is not defined at q = 1")
        moment = self.value(pn.Moment(q, p, r))
        self.require_nonzero(moment, (q, p, r))
        if ratio != 1 and moment.grade:
            raise Unsupported("a power of a moment is not linear in the pair")
        return self._product([Graded(moment.grade, moment.x if ratio == 1
                                     else moment.x ** int(ratio)),
                              Graded(NONE, Scalar.exp(self.form(rest)))])

    def require_nonzero(self, g: Graded, moment: tuple[Any, Any, Any]) -> None:
        """The argument of a logarithm.  On a kernel it must be positive wherever P has mass.

        On a line of inversion it is enough at the real point: an analytic function that does not
        vanish there has isolated zeros on the line, and they have no weight in the integral.
        """
        if _oriented_moment(*moment) in {_oriented_moment(*m.args) for m in self.nonzero
                                         if isinstance(m, pn.Moment)}:
            return
        if isinstance(g.x, Infinite):
            if g.grade:
                return
            raise Undefined("the logarithm of oo")
        x: Scalar = g.x
        if self.line is not None:
            x = x.substitute({self.line[0]: self.line[1]})
        if not g.grade:
            if not self.cell.nonzero(x):
                raise Undefined("the logarithm of 0")
            return
        if not all(self.cell.nonzero(self.mass(p)) for p in g.grade):
            return
        for q in sorted(x.parameters(), key=str):
            if not is_real_atom(q) and self.cell.sign(Form.atom(sp.im(q))) != 0:
                raise Undefined("the logarithm of a moment that may vanish at complex orders")
        if self.cell.sign_of(x) <= 0:
            raise Undefined("the logarithm of a moment that may vanish")

    def _power(self, e: Any) -> Graded:
        if not e.exp.is_Integer or e.base.has(*_GRADED):
            if not e.base.has(*_GRADED):
                self.require_denominators(e)
                return Graded(NONE, to_scalar(e, self._plain).substitute(self.cell.values))
            raise Unsupported(f"the power {e} of a value that depends on a pair")
        base = self.scalar(e.base)
        if not self.cell.nonzero(base) and e.exp < 0:
            raise Undefined("a division by zero")
        return Graded(NONE, base ** int(e.exp))

    def integral(self, g: Graded, s: Form, origin: str, lower: bool = False) -> Graded:
        """Bilateral (or one-sided) transform of a graded function at ``s``."""
        f: Exact = g.x.after(ZERO, self.cell) if lower else g.x
        if g.grade:
            self.exchanges.append(Exchange(g.grade, f, s, origin))
        return Graded(g.grade, bilateral(f, s, self.cell))

    def function(self, e: Any, t: Any) -> Graded:
        """The exact function of ``t`` that an expression denotes."""
        from lapdp.theory.curves import function_of

        return function_of(self, sp.sympify(e), t)

    def truth(self, relation: Any) -> bool:
        """A relation between numbers, decided by the cell."""
        sign = self.cell.sign_of(self.scalar(relation.lhs - relation.rhs))
        return {sp.Eq: sign == 0, sp.Ne: sign != 0, sp.Gt: sign > 0, sp.Ge: sign >= 0,
                sp.Lt: sign < 0, sp.Le: sign <= 0}[relation.func]


def _oriented_moment(q: Any, p: Any, r: Any) -> Any:
    """A moment in its pair's own order: E_q(Q||P) = E_(1-q)(P||Q)."""
    identity, reverse = pn.oriented(p, r)
    return id(identity), sp.expand(1 - q if reverse else q)


def _profile(i: Interpreter, e: Any) -> Graded:
    identity, reverse = pn.oriented(e.args[0], e.args[1])
    closed = getattr(identity.mechanism, "profile_expression", None)
    if closed is not None:
        eps = e.args[2]
        if not reverse:
            return i.value(closed(eps))
        return i.value(1 - sp.exp(eps) + sp.exp(eps) * closed(-eps))
    g = i.model(e.args[0], e.args[1])
    return Graded(g.grade, g.x.profile(i.cell).limit(i.form(e.args[2]), 1, i.cell))


def _cdf(i: Interpreter, e: Any) -> Graded:
    z, x, strict = e.args
    g = i.model(*z.args)
    side = -1 if strict == 1 else 1
    return Graded(g.grade, g.x.cdf(i.cell).limit(i.form(x), side, i.cell))


def _probability(i: Interpreter, e: Any) -> Graded:
    z, rel, x = e.args
    g = i.model(*z.args)
    model: Model = g.x
    total, name = model.p_mass(i.cell), str(rel)
    if x in (sp.oo, -sp.oo):
        upper = {"==": model.p_infinite, "<": total - model.p_infinite, "<=": total,
                 ">=": model.p_infinite, ">": Scalar.of(0)}
        lower = {"==": Scalar.of(0), "<": Scalar.of(0), "<=": Scalar.of(0), ">=": total,
                 ">": total}
        return Graded(g.grade, (upper if x == sp.oo else lower)[name])
    point = i.form(x)
    at_most = model.cdf(i.cell).limit(point, 1, i.cell)
    below = model.cdf(i.cell).limit(point, -1, i.cell)
    values = {"<": below, "<=": at_most, ">": total - at_most, ">=": total - below,
              "==": at_most - below}
    return Graded(g.grade, values[name])


def _expectation(i: Interpreter, e: Any) -> Graded:
    body, z = e.args
    g = i.model(*z.args)
    model: Model = g.x
    total: Any = Scalar.of(0)
    t = sp.Dummy("z", real=True)
    if i.cell.nonzero(model.p_infinite):
        end = limit_at_infinity(i, i.function(body.subs(z, t), t), 1)
        if isinstance(end.x, Infinite):
            return Graded(g.grade, INFINITE)
        total = total + model.p_infinite * end.x
    if model.atoms is not None:
        for a, _, position in model.atoms:
            total = total + a * i.scalar(body.subs(z, position.to_sympy()))
        if g.grade and model.atoms:
            i.exchanges.append(Exchange(g.grade, None, ZERO, "expectation", total))
        return Graded(g.grade, total)
    from lapdp.calculus.transform import multiply

    weighted = multiply(i.function(body.subs(z, t), t).x, model.loss, i.cell)
    return Graded(g.grade, total + bilateral(weighted, ZERO, i.cell))


def limit_at_infinity(i: Interpreter, g: Graded, side: int) -> Graded:
    """Limit of an exact function at +oo (side 1) or -oo (side -1)."""
    f: Exact = g.x
    constant = Scalar.of(0)
    for (a, n), c in (f.tail() if side > 0 else f.germ).items():
        if not i.cell.nonzero(c):
            continue
        exponent = a.substitute(i.cell.values)
        sign = side * i.cell.sign(exponent.real_part())
        if sign == 0 and not exponent and n == 0:
            constant = constant + c
        elif sign >= 0:
            if sign > 0 and i.cell.sign_of(c) > 0 and exponent == exponent.real_part():
                return Graded(g.grade, INFINITE)
            raise Undefined("the limit does not exist")
    return Graded(g.grade, constant)


def _moment(i: Interpreter, e: Any) -> Graded:
    q, p, r = e.args
    identity, reverse = pn.oriented(p, r)
    order = i.form(1 - q if reverse else q)
    parts = [i.models[a] for a in identity.atoms()]
    if any(not isinstance(m, Model) for m in parts):
        total = Scalar.of(1)
        for m in parts:
            total = total * m.moment(order.to_sympy())
        return Graded(NONE, total)
    g = i.model(p, r)
    order = i.form(q)
    value = g.x.moment(order, i.cell)
    if g.grade:
        i.exchanges.append(Exchange(g.grade, g.x.loss, Form.of(1) - order, "moment"))
    return Graded(g.grade, value)


def _renyi(i: Interpreter, e: Any) -> Graded:
    from lapdp.calculus.convert import logarithm

    q, p, r = e.args
    gap = i.scalar(q - 1)
    if not i.cell.nonzero(gap):
        raise Undefined("R_q is not defined at q = 1")
    g = i.value(pn.Moment(q, p, r))
    i.require_nonzero(g, (q, p, r))
    if g.grade or isinstance(g.x, Infinite):
        raise Unsupported("R_q of an arbitrary pair is not linear in it")
    return Graded(NONE, Scalar.of(logarithm(g.x)) / gap)


def _laplace(i: Interpreter, e: Any) -> Graded:
    g, t, s = e.args
    return i.integral(i.function(g, t), i.form(s), type(e).__name__, isinstance(e, cn.OneSided))


def _integral(i: Interpreter, e: Any) -> Graded:
    body, t, lower, upper = e.args
    g = i.function(body, t)
    f: Exact = g.x
    if lower != -sp.oo:
        f = f.after(i.form(lower), i.cell)
    if upper != sp.oo:
        f = f.before(i.form(upper), i.cell)
    return i.integral(Graded(g.grade, f), ZERO, "integral")


def _impulse(i: Interpreter, e: Any) -> Graded:
    body, t, c = e.args
    g = i.function(body, t)
    return Graded(g.grade, g.x.mass_at(i.form(c), i.cell))


def _limit(i: Interpreter, e: Any) -> Graded:
    body, t, point, side = e.args
    g = i.function(body, t)
    if point in (sp.oo, -sp.oo):
        return limit_at_infinity(i, g, 1 if point == sp.oo else -1)
    name = str(side)[1:]
    values = {k: g.x.limit(i.form(point), s, i.cell) for k, s in (("-", -1), ("+", 1))}
    if name:
        return Graded(g.grade, values[name])
    if not (values["-"] - values["+"]).substitute(i.cell.values).is_zero():
        raise Undefined("the two one-sided limits differ")
    return Graded(g.grade, values["-"])


def _at_point(i: Interpreter, e: Any) -> Graded:
    """A convolution, derivative or running integral at a point of its own variable."""
    t = e.args[e.variable_at]
    dummy = sp.Dummy("t", real=True)
    g = i.function(e.subs(t, dummy), dummy)
    f: Exact = g.x
    point = i.form(t)
    if not f.mass_at(point, i.cell).is_zero():
        raise Undefined("an impulse at the point has no value")
    value = f.limit(point, 1, i.cell)
    if not (value - f.limit(point, -1, i.cell)).substitute(i.cell.values).is_zero():
        raise Undefined("the two one-sided limits differ")
    if g.grade:
        i.exchanges.append(Exchange(g.grade, None, ZERO, type(e).__name__, value))
    return Graded(g.grade, value)


def _maximum(i: Interpreter, e: Any) -> Graded:
    best = i.scalar(e.args[0])
    for a in e.args[1:]:
        x = i.scalar(a)
        better = i.cell.sign_of(x - best) > 0
        if better == (type(e) is sp.Max):
            best = x
    return Graded(NONE, best)


def _absolute(i: Interpreter, e: Any) -> Graded:
    x = i.scalar(e.args[0])
    return Graded(NONE, -x if i.cell.sign_of(x) < 0 else x)


def _indicator(i: Interpreter, e: Any) -> Graded:
    return Graded(NONE, Scalar.of(int(i.truth(e.args[0]))))


def _piecewise(i: Interpreter, e: Any) -> Graded:
    for branch, condition in e.args:
        if condition_holds(i, condition):
            return i.value(branch)
    raise Undefined("no case of the case distinction applies")


def condition_holds(i: Interpreter, condition: Any) -> bool:
    """A Boolean combination of relations between numbers."""
    if condition in (sp.true, sp.false):
        return bool(condition)
    if isinstance(condition, sp.And):
        return all(condition_holds(i, c) for c in condition.args)
    if isinstance(condition, sp.Or):
        return any(condition_holds(i, c) for c in condition.args)
    if isinstance(condition, sp.Not):
        return not condition_holds(i, condition.args[0])
    return i.truth(condition)


def _supremum(i: Interpreter, e: Any) -> Graded:
    from lapdp.theory.spaces import supremum

    return supremum(i, e)


def _omega(i: Interpreter, e: Any) -> Graded:
    from lapdp.theory.spaces import integral_over_space

    return integral_over_space(i, e)


def _bromwich(i: Interpreter, e: Any) -> Graded:
    from lapdp.theory.bromwich import inversion

    return inversion(i, e)


_VALUES: dict[type, Any] = {
    pn.Profile: _profile, pn.LossCDF: _cdf, pn.Probability: _probability,
    pn.Expectation: _expectation, pn.Moment: _moment, pn.RenyiDivergence: _renyi,
    cn.OneSided: _laplace, cn.Bilateral: _laplace, cn.IntegralOnLine: _integral,
    cn.Convolution: _at_point, cn.GeneralizedDerivative: _at_point, cn.Primitive: _at_point,
    cn.Impulse: _impulse, cn.Limit: _limit, cn.Indicator: _indicator, cn.Bromwich: _bromwich,
    pn.SupOverEvents: _supremum, pn.IntegralOverSpace: _omega,
    sp.Max: _maximum, sp.Min: _maximum, sp.Abs: _absolute, sp.Piecewise: _piecewise,
}
_GRADED = (pn.Profile, pn.LossCDF, pn.LossDensity, pn.Probability, pn.Expectation, pn.Moment,
           pn.RenyiDivergence, pn.SupOverEvents, pn.IntegralOverSpace, AppliedUndef)

__all__ = ["Divergent", "Exchange", "Graded", "Interpreter", "Undefined", "limit_at_infinity",
           "one_sided"]
