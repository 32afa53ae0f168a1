"""The value of each node of the statement language in one case."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.calculus import nodes as cn
from lapdp.calculus.convert import logarithm
from lapdp.calculus.exact import ZERO, Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.logs import log_form
from lapdp.calculus.transform import Divergent, bilateral, collected, multiply
from lapdp.core.errors import Undefined, Unsupported
from lapdp.privacy import nodes as pn
from lapdp.privacy import tradeoff_nodes as tn
from lapdp.privacy.inner_loss import InnerMean, InnerMoment, InnerVariance
from lapdp.privacy.mixtures import PLAIN, REVERSED, coefficients, members, require_weights
from lapdp.privacy.model import INFINITE, Infinite, Model
from lapdp.theory import levels
from lapdp.theory.bromwich import inversion
from lapdp.theory.extended import Value, extreme
from lapdp.theory.gaussian_integrals import gaussian_integral
from lapdp.theory.heavy import HeavyTail
from lapdp.theory.interpret import NONE, Exchange, Graded, Interpreter
from lapdp.theory.quotients import log_moment_quotient
from lapdp.theory.spaces import integral_over_space, measure, supremum
from lapdp.theory.substitution import put_in
from lapdp.theory.symmetric import symmetric


def _profile(i: Interpreter, e: Any) -> Graded:
    identity, weights = members(e.args[0], e.args[1])
    closed = getattr(i.models.get(identity), "profile_expression", None)
    if closed is not None and weights in (PLAIN, REVERSED):
        eps = e.args[2]
        if weights == PLAIN:
            return i.value(closed(eps))
        return i.value(1 - sp.exp(eps) + sp.exp(eps) * closed(-eps))
    if closed is not None:
        return _mixed_profile(i, closed, weights, e.args[2])
    g = i.model(e.args[0], e.args[1])
    if not g.grade:
        return Graded(g.grade, g.x.profile_at(i.form(e.args[2]), i.cell))
    return Graded(g.grade, g.x.profile(i.cell).limit(i.form(e.args[2]), 1, i.cell))


def _mixed_profile(i: Interpreter, closed: Any, weights: Any, eps: Any) -> Graded:
    """sup_S (a P(S) + b Q(S)) by the profile of (P, Q): a times its value at log(-b/a), a > 0 > b.

    For a < 0 < b the supremum is a + b plus that of -a P - b Q, for P and Q have mass 1.
    """
    (r, s), (t, u) = weights
    require_weights(((i.scalar(r), i.scalar(s)), (i.scalar(t), i.scalar(u))), i.cell)
    a, b = (sp.factor(first - sp.exp(eps) * second)
            for first, second in zip(*weights, strict=True))
    signs = [i.cell.sign_of(i.scalar(c)) for c in (a, b)]
    if min(signs) >= 0:
        return i.value(a + b)
    if max(signs) <= 0:
        return Graded(NONE, Scalar.of(0))
    if signs[0] > 0:
        return i.value(a * closed(sp.log(-b / a)))
    return i.value(a + b - a * closed(sp.log(-b / a)))


def _cdf(i: Interpreter, e: Any) -> Graded:
    z, x, strict = e.args
    g = i.model_of(z)
    side = -1 if strict == 1 else 1
    return Graded(g.grade, g.x.cdf(i.cell).limit(i.form(x), side, i.cell))


def _probability(i: Interpreter, e: Any) -> Graded:
    z, rel, x = e.args
    g = i.model_of(z)
    model: Model = g.x
    name = str(rel)
    if x == sp.oo and name == "==":
        return Graded(g.grade, model.p_infinite)
    total = model.p_mass(i.cell)
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
    if body.has(sp.zoo, sp.nan):
        raise Undefined("what the mean is taken of has no value")
    g = i.model_of(z)
    model: Model = g.x
    total: Any = Scalar.of(0)
    if i.cell.nonzero(model.p_infinite):
        t = sp.Dummy("z", real=True)
        end = limit_at_infinity(i, i.function(_at_infinity(body, z).subs(z, t), t), 1)
        total = end.x if isinstance(end.x, Infinite) else model.p_infinite * end.x
    finite = _over_finite_losses(i, model, lambda x: put_in(body, {z: x}))
    if INFINITE in (total, finite):
        return Graded(g.grade, INFINITE)
    total = total + finite
    if model.atoms and g.grade:
        i.exchanges.append(Exchange(g.grade, None, ZERO, "expectation", total))
    return Graded(g.grade, total)


def _at_infinity(body: Any, z: Any) -> Any:
    """The body with relations between the loss and an infinity as they are where it is +oo: there
    they have a value that is not their limit."""
    known = {}
    for relation in body.atoms(Relational):
        if {sp.oo, -sp.oo} & set(relation.args):
            if z not in relation.args:
                raise Unsupported(f"the condition {relation} at an infinite loss")
            known[relation] = relation.func(*(sp.oo if a == z else a for a in relation.args))
    return body.xreplace(known).replace(
        lambda e: isinstance(e, cn.Indicator) and e.args[0] in (sp.true, sp.false),
        lambda e: sp.Integer(int(e.args[0] == sp.true)))


def _over_finite_losses(i: Interpreter, model: Model, body: Callable[[Any], Any]) -> Any:
    """The integral of a function of the loss over the finite losses; +oo where only its positive
    part diverges."""
    total: Any = Scalar.of(0)
    if model.atoms is not None:
        for a, _, position in model.atoms:
            total = total + a * i.scalar(body(position.to_sympy()))
        return total
    for at, orders in model.loss.impulses.items():
        total = total + orders[0] * i.scalar(body(at.to_sympy()))
    t = sp.Dummy("z", real=True)
    smooth = Exact(model.loss.germ, model.loss.jumps)
    weighted = multiply(i.function(body(t), t).x, smooth, i.cell)
    try:
        return total + bilateral(weighted, ZERO, i.cell)
    except Divergent:
        if _diverges_upwards(i, weighted):
            return INFINITE
        raise


def _diverges_upwards(i: Interpreter, f: Exact) -> bool:
    """Is a function whose integral diverges positive at each end where it does not decay?"""
    for side in (1, -1):
        try:
            end = limit_at_infinity(i, Graded(NONE, f), side).x
        except Undefined:
            return False
        if not isinstance(end, Infinite) and i.cell.sign_of(end) < 0:
            return False
    return True


def _inner(i: Interpreter, e: Any) -> Graded:
    """A mean over the finite losses, renormalised; it is no linear function of an arbitrary pair.
    """
    g = i.model_of(e.args[0])
    if g.grade:
        raise Unsupported("the inner distribution is not linear in the pair")
    model: Model = g.x
    finite = model.p_mass(i.cell) - model.p_infinite
    if not i.cell.nonzero(finite):
        raise Undefined("no loss is finite: there is no inner distribution")
    total = _over_finite_losses(i, model, e.body)
    return Graded(NONE, total if isinstance(total, Infinite) else total / finite)


def limit_at_infinity(i: Interpreter, g: Graded, side: int) -> Graded:
    """Limit of an exact function at +oo (side 1) or -oo (side -1).

    The term of fastest growth decides, the term c t^n e^(a t) with the largest (side Re a, n); a
    limit -oo counts as none.  Equal exponents are collected first, so that what cancels is gone.
    """
    f: Exact = g.x
    constant = Scalar.of(0)
    growing: list[tuple[Any, int, Scalar]] = []
    for (a, n), c in collected(f.tail() if side > 0 else f.germ, i.cell).items():
        real, imag = a.split_complex()
        sign = side * i.cell.sign(real)
        grows = sign > 0 or (sign == 0 and (n > 0 or i.cell.sign(imag) != 0))
        if grows and i.cell.nonzero(c):
            growing.append((a, n, c))
        elif sign == 0 and n == 0:
            constant = constant + c
    if not growing:
        return Graded(g.grade, constant)
    frequencies = [a.split_complex()[1] for a, _, _ in growing]
    flat = all(i.cell.sign(a.real_part()) == 0 and w.constant() is not None
               for (a, _, _), w in zip(growing, frequencies, strict=True))
    top = max(n for _, n, _ in growing)
    if any(frequencies):
        # with t^top taken out, distinct frequencies of mean 0 are left: they change sign for ever
        if (len(growing) == 1 and i.cell.sign(frequencies[0]) != 0) or (
                flat and all(w for w, (_, n, _) in zip(frequencies, growing, strict=True)
                             if n == top)):
            raise Undefined("the limit does not exist: an oscillation")
        raise Unsupported("oscillating terms that grow")
    a, n, c = growing[0]
    for b, m, d in growing[1:]:
        order = side * i.cell.sign(b - a) or m - n
        if order == 0:
            raise Unsupported("several terms of one growth")
        if order > 0:
            a, n, c = b, m, d
    if i.cell.sign_of(c) * side**n < 0:
        raise Undefined("the limit is -oo")
    return Graded(g.grade, INFINITE)


def _moment(i: Interpreter, e: Any) -> Graded:
    q, p, r = e.args
    identity, weights = coefficients(p, r)
    order = i.form(1 - q if weights == REVERSED else q)
    parts = [] if pn.of_several(p, r) else [i.models[a] for a in identity.atoms()]
    if weights in (PLAIN, REVERSED) and any(not isinstance(m, Model) for m in parts):
        if any(a in i.kernels for a in identity.atoms()):
            raise Unsupported("an arbitrary pair beside one outside the exact class")
        total = Scalar.of(1)
        for m in parts:
            value = (m.moment if isinstance(m, Model) else m.moment_at)(order, i.cell)
            if isinstance(value, Infinite):
                # a factor is 0 only at orders where none is oo
                return Graded(NONE, INFINITE)
            total = total * value
        return Graded(NONE, total)
    g = i.model(p, r)
    order = i.form(q)
    value = g.x.moment(order, i.cell)
    if g.grade:
        i.exchanges.append(Exchange(g.grade, g.x.loss, Form.of(1) - order, "moment"))
    return Graded(g.grade, value)


def _renyi(i: Interpreter, e: Any) -> Graded:
    q, p, r = e.args
    gap = i.scalar(q - 1)
    if not i.cell.nonzero(gap):
        raise Undefined("R_q is not defined at q = 1")
    g = i.value(pn.Moment(q, p, r))
    i.require_nonzero(g, (q, p, r))
    if g.grade or isinstance(g.x, Infinite):
        raise Unsupported("R_q of an arbitrary pair is not linear in it")
    shape = g.x.as_exponential()
    if shape is not None and shape[0] < 0:
        # the principal logarithm of a negative number
        log = logarithm(-g.x) + Form.atom(sp.I) * Form.atom(sp.pi)
    elif shape is None and g.x.is_real() and i.cell.sign_of(g.x) > 0:
        # at a concrete pair E_q is a sum of powers: its logarithm is an atom
        log = log_form(g.x.substitute(i.cell.values))
    else:
        log = logarithm(g.x)
    return Graded(NONE, Scalar.of(log) / gap)


def _laplace(i: Interpreter, e: Any) -> Graded:
    g, t, s = e.args
    return i.integral(i.function(g, t), i.form(s), type(e).__name__, isinstance(e, cn.OneSided))


def _integral(i: Interpreter, e: Any) -> Graded:
    body, t, lower, upper = e.args
    if lower not in (sp.oo, -sp.oo) and upper not in (sp.oo, -sp.oo) and (
            i.cell.sign(i.form(upper) - i.form(lower)) < 0):
        # an oriented integral: minus the one over the interval
        turned = _integral(i, e.func(body, t, upper, lower))
        return Graded(turned.grade, -turned.x)
    whole = gaussian_integral(i, body, t) if (lower, upper) == (-sp.oo, sp.oo) else None
    if whole is not None:
        return whole
    if (lower, upper) == (-sp.oo, sp.oo) and not body.has(t, pn.Distribution) and (
            i.cell.sign_of(i.scalar(body)) > 0):
        return Graded(NONE, INFINITE)
    g = i.function(body, t)
    f: Exact = g.x
    if lower != -sp.oo:
        f = f.after(i.form(lower), i.cell)
    if upper != sp.oo:
        f = f.before(i.form(upper), i.cell)
    try:
        return i.integral(Graded(g.grade, f), ZERO, "integral")
    except Divergent:
        raise Divergent(f"the integral over {t} diverges: its integrand does not decay; "
                        "suppose Defined(...) of it where it is to have a value") from None


def _impulse(i: Interpreter, e: Any) -> Graded:
    body, t, c = e.args
    g = i.function(body, t)
    return Graded(g.grade, g.x.mass_at(i.form(c), i.cell))


def _uniformly_bounded(i: Interpreter, g: Graded, e: Any) -> None:
    """A limit passes under the mixture over kernels where a bound by the masses is known: for
    profiles, distribution functions, Dirichlet integrals and their multiples by constants."""
    body, t = e.args[0], e.args[1]
    for term in sp.Add.make_args(sp.expand(body)):
        bounded = [x for x in sp.Mul.make_args(term) if t in x.free_symbols]
        if len(bounded) > 1 or any(
                not isinstance(x, (pn.Profile, pn.LossCDF, cn.SymmetricIntegral)) for x in bounded):
            raise Unsupported("the exchange of a limit with the mixture is not earned")
    if g.x.impulses:
        raise Unsupported("the limit of a density")
    if any(isinstance(x, pn.Profile) for x in sp.preorder_traversal(body)) and (
            e.args[2] == -sp.oo):
        raise Unsupported("the exchange of a limit with the mixture is not earned")


def _limit(i: Interpreter, e: Any) -> Graded:
    body, t, point, side = e.args
    quotient = log_moment_quotient(e)
    if quotient is not None:
        return _limit_of_quotient(i, quotient, str(side)[1:])
    g = i.function(body, t)
    if g.grade & i.kernels:
        _uniformly_bounded(i, g, e)
    if point in (sp.oo, -sp.oo):
        return limit_at_infinity(i, g, 1 if point == sp.oo else -1)
    name = str(side)[1:]
    values = {k: g.x.limit(i.form(point), s, i.cell) for k, s in (("-", -1), ("+", 1))}
    if name:
        return Graded(g.grade, values[name])
    if not (values["-"] - values["+"]).substitute(i.cell.values).is_zero():
        raise Undefined("the two one-sided limits differ")
    return Graded(g.grade, values["-"])


def _limit_of_quotient(i: Interpreter, loss: Any, side: str) -> Graded:
    """(1/n) log E[e^(nZ)] as n -> 0 at a concrete pair, with log 0 = -oo and log oo = oo.

    Where the loss may be infinite the mean is +oo above 0, and below 0 it tends to the mass of the
    finite losses, less than 1, or is 0: the limit is +oo from both sides.  Where it is finite with
    a heavy tail the mean is +oo above 0, while below 0 the quotients are at most E[Z] by Jensen.
    """
    model: Model = i.model(*loss.args).x
    if i.model(*loss.args).grade:
        raise Unsupported("a limit of logarithms is not linear in the pair")
    if i.cell.nonzero(model.p_infinite) or (isinstance(model, HeavyTail) and side == "+"):
        return Graded(NONE, INFINITE)
    if isinstance(model, HeavyTail) and side != "-":
        raise Undefined("the limit is +oo from the right, and at most E[Z] from the left")
    raise Unsupported("the limit of a quotient of logarithms")


def _continuous(f: Exact, i: Interpreter) -> bool:
    """Has the function neither impulses nor jumps?"""
    f = f.merged(i.cell)
    return not f.impulses and all(
        (f.limit(c, 1, i.cell) - f.limit(c, -1, i.cell)).substitute(i.cell.values).is_zero()
        for c in f.jumps)


def _at_point(i: Interpreter, e: Any) -> Graded:
    """A convolution, derivative or running integral at a point of its own variable."""
    t = e.args[e.variable_at]
    dummy = sp.Dummy("t", real=True)
    g = i.function(e.subs(t, dummy), dummy)
    f: Exact = g.x
    point = i.form(t)
    if not f.mass_at(point, i.cell).is_zero():
        raise Undefined("an impulse at the point has no value")
    if g.grade and not _continuous(f, i):
        raise Unsupported("the value at a point of a function that jumps on kernels")
    value = f.limit(point, 1, i.cell)
    if not (value - f.limit(point, -1, i.cell)).substitute(i.cell.values).is_zero():
        raise Undefined("the two one-sided limits differ")
    if g.grade:
        i.exchanges.append(Exchange(g.grade, None, ZERO, type(e).__name__, value))
    return Graded(g.grade, value)


def _number(i: Interpreter, e: Any) -> Value:
    """A number or an infinite value that depends on no arbitrary pair."""
    g = i.value(e)
    if g.grade:
        raise Unsupported("a non-linear function of a value that depends on an arbitrary pair")
    x: Value = g.x
    return x


def _maximum(i: Interpreter, e: Any) -> Graded:
    return Graded(NONE, extreme(i, [_number(i, a) for a in e.args], type(e) is sp.Max))


def _absolute(i: Interpreter, e: Any) -> Graded:
    x = _number(i, e.args[0])
    if isinstance(x, Infinite):
        return Graded(NONE, INFINITE)
    return Graded(NONE, -x if i.cell.sign_of(x) < 0 else x)


def _indicator(i: Interpreter, e: Any) -> Graded:
    return Graded(NONE, Scalar.of(int(condition_holds(i, e.args[0]))))


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


def _dirac(i: Interpreter, e: Any) -> Graded:
    """An impulse, or a derivative of one, away from its place."""
    if not i.cell.nonzero(i.scalar(e.args[0])):
        raise Unsupported("an impulse has no value at its place")
    return Graded(NONE, Scalar.of(0))


def _infinity(i: Interpreter, e: Any) -> Graded:
    return Graded(NONE, INFINITE if e == sp.oo else Infinite(-1))


VALUES: dict[type, Any] = {
    sp.core.numbers.Infinity: _infinity, sp.core.numbers.NegativeInfinity: _infinity,
    sp.DiracDelta: _dirac,
    pn.Profile: _profile, pn.LossCDF: _cdf, pn.Probability: _probability,
    pn.Expectation: _expectation, pn.Moment: _moment, pn.RenyiDivergence: _renyi,
    cn.OneSided: _laplace, cn.Bilateral: _laplace, cn.IntegralOnLine: _integral,
    cn.Convolution: _at_point, cn.GeneralizedDerivative: _at_point, cn.Primitive: _at_point,
    cn.Impulse: _impulse, cn.Limit: _limit, cn.Indicator: _indicator, cn.Bromwich: inversion,
    cn.SymmetricIntegral: symmetric,
    pn.SupOverEvents: supremum, pn.IntegralOverSpace: integral_over_space, pn.Measure: measure,
    tn.TradeOff: levels.trade_off_value, tn.InfOverTests: levels.inf_over_tests,
    tn.InfOverReals: levels.inf_over_reals, tn.SupOverReals: levels.sup_over_reals,
    tn.Envelope: levels.envelope_value,
    InnerMean: _inner, InnerVariance: _inner, InnerMoment: _inner,
    sp.Max: _maximum, sp.Min: _maximum, sp.Abs: _absolute, sp.Piecewise: _piecewise,
}
