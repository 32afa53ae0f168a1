"""Expressions in a bound variable as exact functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

from lapdp.calculus import nodes as cn
from lapdp.calculus.exact import ZERO, Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.logs import log_form
from lapdp.calculus.transform import convolve, multiply
from lapdp.core.errors import IllFormed, Undefined, Unsupported
from lapdp.privacy import nodes as pn
from lapdp.theory.spaces import integral_in, measure_in
from lapdp.theory.symmetric import symmetric_function

if TYPE_CHECKING:
    from lapdp.theory.interpret import Graded, Interpreter


def function_of(i: Interpreter, e: Any, t: Any) -> Graded:
    """The exact function of ``t`` denoted by ``e``, with its grade."""
    from lapdp.theory.interpret import NONE, Graded

    if t not in e.free_symbols:
        g = i.value(e)
        if not isinstance(g.x, Scalar):
            raise Undefined("an infinite constant under an integral")
        return Graded(g.grade, Exact.term(g.x))
    if e == t:
        return Graded(NONE, Exact.term(1, 0, 1))
    if e.is_Add:
        return i.add([function_of(i, a, t) for a in e.args])
    if e.is_Mul or (e.is_Pow and e.exp.is_Integer and 0 < e.exp <= 32):
        factors = e.args if e.is_Mul else (e.base,) * int(e.exp)
        windows = [a for a in factors if isinstance(a, cn.Indicator) and t in a.free_symbols]
        others = {a: function_of(i, a, t) for a in factors if a not in windows}
        if any(g.x.impulses for g in others.values()):
            whole = [a for a in factors if _is_analytic(a)]
            distributed = _distributed(e, t, whole)
            if distributed != e:
                return function_of(i, distributed, t)
        total = Graded(NONE, Exact.term(1))
        for a in sorted(factors, key=lambda a: _roughness(others[a].x) if a in others else 0):
            if a not in windows:
                total = Graded(i.multiply_grades(total.grade, others[a].grade),
                               multiply(total.x, others[a].x, i.cell))
        for a in windows:
            total = Graded(total.grade, restrict(i, total.x, a.args[0], t))
        return total
    if isinstance(e, sp.exp) and e.args[0].has(sp.Abs):
        return function_of(i, _without_abs(e, t), t)
    if isinstance(e, sp.exp):
        slope, offset = _affine(i, e.args[0], t, real=False)
        return Graded(NONE, Exact.term(Scalar.exp(offset), slope))
    handler = _FUNCTIONS.get(type(e))
    if handler is not None:
        result: Graded = handler(i, e, t)
        return result
    if isinstance(e, AppliedUndef):
        name = type(e).__name__
        if name not in i.functions or len(e.args) != 1:
            raise Unsupported(f"nothing is known of the function {name}")
        grade = frozenset({"functions" if i.joint else name})
        return Graded(grade, compose(i, i.functions[name], e.args[0], t))
    rewritten = _rewrite(e)
    if rewritten is not None:
        return function_of(i, rewritten, t)
    raise Unsupported(f"{e} as a function of {t} is outside the exact class")


def _is_analytic(e: Any) -> bool:
    """Is an expression, as it is written, free of cases, kinks and impulses?"""
    return not e.has(sp.Piecewise, sp.Heaviside, sp.DiracDelta, sp.Max, sp.Min, sp.Abs,
                     AppliedUndef) and all(
        isinstance(x, cn.GeneralizedDerivative) for x in sp.preorder_traversal(e)
        if isinstance(x, cn.Node))


def _roughness(f: Exact) -> int:
    """Impulses meet smooth factors first: what is left of them may be less than they were."""
    return 0 if f.impulses else 1 if not f.jumps else 2


def _distributed(e: Any, t: Any, smooth: list[Any]) -> Any:
    """A product with every sum and case distinction outside: an impulse sees values at a point,
    and jumps that cancel almost everywhere need not cancel there.  Analytic factors stay whole."""
    kept = sp.Mul(*smooth)
    core = sp.Mul(*(a for a in sp.Mul.make_args(e) if a not in smooth))
    expanded = sp.expand(core)
    if expanded.is_Add:
        return sp.Add(*(sp.Mul(x, kept) for x in expanded.args))
    factors = list(sp.Mul.make_args(expanded))
    for k, case in enumerate(factors):
        if isinstance(case, sp.Piecewise) and t in case.free_symbols:
            rest = sp.Mul(*factors[:k], *factors[k + 1:], kept)
            return sp.Piecewise(*((value * rest, c) for value, c in case.args), evaluate=False)
    return e if expanded == core else sp.Mul(expanded, kept)


def _rewrite(e: Any) -> Any:
    """Trigonometric and hyperbolic functions through exponentials."""
    if isinstance(e, (sp.sin, sp.cos, sp.sinh, sp.cosh)):
        return sp.expand(e.rewrite(sp.exp))
    if e.is_Pow and isinstance(e.base, sp.exp) and e.base.args[0].is_extended_real:
        return sp.exp(sp.expand(e.base.args[0] * e.exp))
    return None


def _without_abs(e: Any, t: Any) -> Any:
    """An expression with |g(t)| as a case distinction on the sign of g."""
    kinks = sorted((a for a in e.atoms(sp.Abs) if t in a.free_symbols), key=str)
    if not kinks:
        raise Unsupported(f"{e} as a function of {t} is outside the exact class")
    g = kinks[0].args[0]
    return sp.Piecewise((e.subs(kinks[0], g), sp.Gt(g, 0, evaluate=False)),
                        (e.subs(kinks[0], -g), True), evaluate=False)


def _affine(i: Interpreter, e: Any, t: Any, real: bool = True) -> tuple[Form, Form]:
    """(slope, offset) of an expression affine in ``t``."""
    i.require_denominators(e, t)
    form = Form.of(e)
    if any(t in a.free_symbols for a in form.atoms() - {t}):
        raise Unsupported(f"{e} as a function of {t}: write it for a real variable")
    slope: dict[Any, Any] = {}
    offset: dict[Any, Any] = {}
    for m, c in form.terms.items():
        power = dict(m).get(t, 0)
        if power == 0:
            offset[m] = c
        elif power == 1:
            slope[tuple(x for x in m if x[0] != t)] = c
        else:
            raise Unsupported(f"{e} is not affine in {t}")
    a, b = (Form(x).substitute(i.cell.values) for x in (slope, offset))
    if real and (a != a.real_part() or b != b.real_part()):
        raise Unsupported(f"the argument {e} is not real")
    return a, b


def compose(i: Interpreter, f: Exact, argument: Any, t: Any) -> Exact:
    """f(argument) as a function of ``t``, for an argument affine in ``t``."""
    if argument == t:
        return f
    slope, offset = _affine(i, argument, t)
    if i.cell.sign(slope) == 0:
        # g(0 t + c) is the constant g(c), where g is continuous at c
        value = f.limit(offset, 1, i.cell)
        same = (value - f.limit(offset, -1, i.cell)).substitute(i.cell.values).is_zero()
        if not same or not f.mass_at(offset, i.cell).is_zero():
            raise Undefined("g(0 t + c) needs a function continuous at c")
        return Exact.term(value)
    return f.shift(-offset).dilate(slope, i.cell)


def _of_pair(read: Callable[[Any, Any], Exact], of_loss: bool
             ) -> Callable[[Interpreter, Any, Any], Graded]:
    def handler(i: Interpreter, e: Any, t: Any) -> Graded:
        from lapdp.theory.interpret import Graded

        g, x = (i.model_of(e.args[0]), e.args[1]) if of_loss else (
            i.model(*e.args[:2]), e.args[2])
        return Graded(g.grade, compose(i, read(g.x, i.cell), x, t))
    return handler


def _probability(i: Interpreter, e: Any, t: Any) -> Graded:
    """Pr[Z rel x(t)] for almost every t: atoms do not matter."""
    from lapdp.theory.interpret import Graded

    loss, relation, x = e.args
    if x in (sp.oo, -sp.oo):
        raise Unsupported("the mass at infinity is no function of the variable")
    g = i.model_of(loss)
    below = compose(i, g.x.cdf(i.cell), x, t)
    if str(relation) == "==":
        if not i.cell.sign(_affine(i, x, t)[0]):
            raise Unsupported("the probability of a point that does not move")
        return Graded(g.grade, Exact())
    if str(relation) in ("<", "<="):
        return Graded(g.grade, below)
    return Graded(g.grade, Exact.term(g.x.p_mass(i.cell)) - below)


def _derivative(i: Interpreter, e: Any, t: Any) -> Graded:
    from lapdp.theory.interpret import Graded

    body, variable, order = e.args
    if variable != t:
        raise Unsupported("a derivative in another variable")
    g = function_of(i, body, t)
    f: Exact = g.x
    for _ in range(int(order)):
        f = f.derivative()
    return Graded(g.grade, f)


def _convolution(i: Interpreter, e: Any, t: Any) -> Graded:
    from lapdp.theory.interpret import Graded

    first, second, variable, lower = e.args
    if variable != t:
        raise Unsupported("a convolution in another variable")
    from lapdp.theory.exchange import nonnegative

    a, b = function_of(i, first, variable), function_of(i, second, variable)
    f, h = a.x, b.x
    if lower != -sp.oo:
        if lower != 0:
            raise Unsupported("a convolution starts at 0 or at -oo")
        f, h = f.after(ZERO, i.cell), h.after(ZERO, i.cell)
    if (a.grade | b.grade) & i.kernels and not all(nonnegative(x, i.cell) for x in (f, h)):
        raise Unsupported("a convolution of signed functions of an arbitrary pair")
    result = convolve(f, h, i.cell)
    return Graded(i.multiply_grades(a.grade, b.grade), result)


def convolved(e: Any, t: Any) -> tuple[Any, Any, Any] | None:
    """(g, h, u) for an integral of g(u) h(t - u) over the line in u, both as functions of u."""
    body, u, lower, upper = e.args
    captured = any(isinstance(x, cn.Node) and x.bound_at is not None and x.args[x.bound_at] == u
                   for x in sp.preorder_traversal(body))
    if (lower, upper) != (-sp.oo, sp.oo) or captured:
        return None
    moving = [x for x in sp.Mul.make_args(body) if t in x.free_symbols]
    first = sp.Mul(*(x for x in sp.Mul.make_args(body) if t not in x.free_symbols))
    # with t = v + u the second factor is a function of v = t - u alone
    v = sp.Dummy("v", real=True)
    second = sp.Mul(*(x.subs(t, v + u) for x in moving))
    return None if u in second.free_symbols else (first, second.subs(v, u), u)


def _primitive(i: Interpreter, e: Any, t: Any) -> Graded:
    from lapdp.theory.exchange import nonnegative
    from lapdp.theory.interpret import Graded

    body, variable, lower = e.args
    if variable != t:
        raise Unsupported("a running integral in another variable")
    g = function_of(i, body, t)
    f: Exact = g.x
    if g.grade & i.kernels and not nonnegative(f, i.cell):
        raise Unsupported("a running integral of a signed function of an arbitrary pair")
    if lower == -sp.oo:
        return Graded(g.grade, f.primitive(i.cell))
    c = i.form(lower)
    right = f.after(c, i.cell).primitive(i.cell)
    mirrored = f.shift(-c).reflect().after(ZERO, i.cell).primitive(i.cell)
    # the running integral covers (c, t] above c and, with a minus sign, (t, c] below
    at_start = Exact.term(f.mass_at(c, i.cell)).before(c, i.cell)
    return Graded(g.grade, right - mirrored.reflect().shift(c) - at_start)


def _impulse(i: Interpreter, e: Any, t: Any) -> Graded:
    """The mass at a point that moves with ``t``: 0 for almost every ``t``."""
    from lapdp.theory.interpret import Graded

    body, variable, point = e.args
    if t in body.free_symbols - {variable}:
        raise Unsupported("the impulse of a function that changes with the point")
    g = i.function(body, variable)
    slope, at = _affine(i, point, t)
    return Graded(g.grade, Exact() if i.cell.sign(slope) else Exact.term(g.x.mass_at(at, i.cell)))


def _integral(i: Interpreter, e: Any, t: Any) -> Graded:
    """A convolution, or an integral over an open interval whose ends move with ``t``, almost
    everywhere."""
    from lapdp.theory.interpret import Graded

    body, u, lower, upper = e.args
    found = convolved(e, t)
    if found is not None:
        first, second, u = found
        return _convolution(i, cn.Convolution(first, second, u, -sp.oo), u)
    if t in body.free_symbols and t != u:
        raise Unsupported("an integrand that depends on the variable of its ends")
    moving = [x for x in (lower, upper) if t in x.free_symbols]
    base = sp.Integer(0) if len(moving) == 2 else lower if moving == [upper] else upper
    if base == sp.oo:
        raise Unsupported("an integral up to oo as a function of its lower end")
    running = _primitive(i, cn.Primitive(body, u, base), u)
    total = Exact()
    for end, sign in ((upper, 1), (lower, -1)):
        if end != base or len(moving) == 2:
            total = total + compose(i, running.x, end, t).scale(Scalar.of(sign))
    if moving == [lower] and not function_of(i, body, u).x.mass_at(i.form(base), i.cell).is_zero():
        raise Unsupported("an impulse at the fixed upper end")
    return Graded(running.grade, total)


def _indicator(i: Interpreter, e: Any, t: Any) -> Graded:
    from lapdp.theory.interpret import NONE, Graded

    return Graded(NONE, _set_function(i, e.args[0], t))


def restrict(i: Interpreter, f: Exact, condition: Any, t: Any) -> Exact:
    """f where a condition on ``t`` holds, 0 elsewhere; impulses count iff it holds at them."""
    if condition in (sp.true, sp.false):
        return f if condition == sp.true else Exact()
    if isinstance(condition, sp.And):
        for c in condition.args:
            f = restrict(i, f, c, t)
        return f
    if isinstance(condition, sp.Not):
        return f - restrict(i, f, condition.args[0], t)
    if isinstance(condition, sp.Or):
        return f - restrict(i, f, sp.And(*(sp.Not(c) for c in condition.args)), t)
    if not isinstance(condition, Relational):
        raise IllFormed(f"{condition} is not a condition")
    if t not in condition.free_symbols:
        return f if i.truth(condition) else Exact()
    slope, offset = _affine(i, condition.lhs - condition.rhs, t)
    sign = i.cell.sign(slope) * (1 if condition.func in (sp.Gt, sp.Ge) else -1)
    if sign == 0:
        raise Unsupported(f"the condition {condition} does not depend on {t}")
    root = -(offset * slope.inverse())
    edge = {c: orders for c, orders in f.impulses.items() if i.cell.sign(c - root) == 0}
    if any(any(orders) for orders in edge.values()):
        raise Unsupported("a derivative of an impulse sits on the edge of a condition")
    if condition.func in (sp.Eq, sp.Ne):
        here = Exact(impulses=edge)
        return here if condition.func is sp.Eq else f - here
    kept = f.after(root, i.cell) if sign > 0 else f.before(root, i.cell)
    return kept + Exact(impulses=edge) if condition.func in (sp.Ge, sp.Le) else kept


def _set_function(i: Interpreter, condition: Any, t: Any) -> Exact:
    """The indicator of a condition on ``t``, almost everywhere."""
    return restrict(i, Exact.term(1), condition, t)


def _piecewise(i: Interpreter, e: Any, t: Any) -> Graded:
    from lapdp.theory.interpret import Graded

    parts: list[Graded] = []
    uncovered = Exact.term(1)
    for k, (branch, condition) in enumerate(e.args):
        g = function_of(i, branch, t)
        rest: Exact = g.x
        for _, earlier in e.args[:k]:
            rest = rest - restrict(i, rest, earlier, t)
        parts.append(Graded(g.grade, restrict(i, rest, condition, t)))
        uncovered = uncovered - restrict(i, uncovered, condition, t)
        if g.x.impulses and e.args[-1][1] != sp.true:
            raise Unsupported("an impulse in a case distinction without a last case")
    if not uncovered.merged(i.cell).is_zero():
        raise Undefined("the case distinction does not cover the line")
    return i.add(parts)


def _heaviside(i: Interpreter, e: Any, t: Any) -> Graded:
    return _indicator(i, cn.Indicator(sp.Gt(e.args[0], 0, evaluate=False)), t)


def _dirac(i: Interpreter, e: Any, t: Any) -> Graded:
    from lapdp.theory.interpret import NONE, Graded

    order = int(e.args[1]) if len(e.args) > 1 else 0
    return Graded(NONE, compose(i, Exact.impulse(0, order=order), e.args[0], t))


def _maximum(i: Interpreter, e: Any, t: Any) -> Graded:
    """max(0, g) for g with one sign change: at the root of a two-term exponential sum."""
    from lapdp.theory.interpret import NONE, Graded

    others = [a for a in e.args if a != 0]
    if len(others) != 1 or len(e.args) != 2:
        raise Unsupported("Max of a variable needs the form Max(0, g)")
    g = function_of(i, others[0], t)
    if g.grade:
        raise Unsupported("Max of an expression that depends on an arbitrary pair")
    sign = Scalar.of(-1 if type(e) is sp.Min else 1)
    return Graded(NONE, positive_part(g.x.scale(sign), i).scale(sign))


def positive_part(f: Exact, i: Interpreter) -> Exact:
    """max(0, f) for f = c1 e^(a1 t) + c2 e^(a2 t) on the whole line."""
    cell = i.cell
    real = all(a == a.real_part() for a, _ in f.germ)
    if f.jumps or f.impulses or len(f.germ) > 2 or any(n for _, n in f.germ) or not real:
        raise Unsupported("Max of a function with more than two exponential terms")
    terms = sorted(((a, c) for (a, _), c in f.germ.items()), key=lambda x: str(x[0]))
    signs = [cell.sign_of(c) for _, c in terms]
    if all(s >= 0 for s in signs):
        return f
    if all(s <= 0 for s in signs):
        return Exact()
    (a1, c1), (a2, c2) = terms
    rate = (a2 - a1).substitute(cell.values)
    if cell.sign(rate) == 0:
        raise Unsupported("Max of two exponentials with equal exponents")
    # the coefficients have opposite signs
    root = log_form((-c1 / c2).substitute(cell.values)) * rate.inverse()
    right_wins = signs[1] > 0
    if (cell.sign(rate) > 0) == right_wins:
        return f.after(root, cell)
    return f.before(root, cell)


def _absolute(i: Interpreter, e: Any, t: Any) -> Graded:
    g = e.args[0]
    return function_of(i, sp.Piecewise((g, sp.Gt(g, 0, evaluate=False)), (-g, True)), t)


_FUNCTIONS: dict[type, Any] = {
    pn.Profile: _of_pair(lambda m, cell: m.profile(cell), of_loss=False),
    pn.LossCDF: _of_pair(lambda m, cell: m.cdf(cell), of_loss=True),
    pn.LossDensity: _of_pair(lambda m, cell: m.loss, of_loss=True),
    pn.Probability: _probability,
    cn.GeneralizedDerivative: _derivative, cn.Convolution: _convolution,
    pn.Measure: measure_in, pn.IntegralOverSpace: integral_in,
    cn.Primitive: _primitive, cn.IntegralOnLine: _integral, cn.Impulse: _impulse,
    cn.Indicator: _indicator, sp.Piecewise: _piecewise, sp.Heaviside: _heaviside,
    cn.SymmetricIntegral: symmetric_function,
    sp.DiracDelta: _dirac, sp.Max: _maximum, sp.Min: _maximum, sp.Abs: _absolute,
}
