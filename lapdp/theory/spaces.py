"""Suprema over events and integrals over the sample space, on kernels and finite pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy as sp

from lapdp.calculus.exact import ZERO
from lapdp.calculus.field import Scalar
from lapdp.calculus.nodes import Indicator
from lapdp.core.errors import IllFormed, Undefined, Unsupported
from lapdp.privacy import nodes as pn
from lapdp.privacy.events import Outcomes
from lapdp.privacy.model import INFINITE, Infinite, Model, zero_power

if TYPE_CHECKING:
    from lapdp.theory.interpret import Graded, Interpreter


def _one_pair(e: Any) -> tuple[Any, Any]:
    """The two distributions an expression speaks about, in the pair's own order."""
    found = {s.pair for s in e.free_symbols if isinstance(s, pn.Distribution)}
    if len(found) != 1:
        raise IllFormed("an integral over the space needs exactly one pair")
    identity = found.pop()
    members = [pn.Distribution(identity.names[k], identity, k) for k in (0, 1)]
    return members[0], members[1]


def _outcomes(i: Interpreter, e: Any) -> tuple[frozenset[Any], list[tuple[Scalar, Scalar, Any]]]:
    """(P-mass, Q-mass, loss or None) of every outcome of an atomic model."""
    g = i.model(*_one_pair(e))
    model: Model = g.x
    if model.atoms is None:
        raise Unsupported("an integral over a continuous space")
    found: list[tuple[Scalar, Scalar, Any]] = [(a, b, z) for a, b, z in model.atoms]
    if i.cell.nonzero(model.p_infinite):
        found.append((model.p_infinite, Scalar.of(0), None))
    if i.cell.nonzero(model.q_infinite):
        found.append((Scalar.of(0), model.q_infinite, None))
    return g.grade, found


def supremum(i: Interpreter, e: Any) -> Graded:
    """Sup over events of an expression linear in P(S), Q(S): outcome by outcome (Hahn)."""
    from lapdp.theory.interpret import Graded

    body, event = e.args
    grade, outcomes = _outcomes(i, e)
    p, _ = _one_pair(e)
    total = Scalar.of(0)
    for a, b, _loss in outcomes:
        values = [_measure_sum(i, body, event, p.pair, (a, b), inside) for inside in (True, False)]
        total = total + (values[0] if i.cell.sign_of(values[0] - values[1]) >= 0 else values[1])
    return Graded(grade, total)


def _measure_sum(i: Interpreter, body: Any, event: Any, identity: Any,
                 masses: tuple[Scalar, Scalar], inside: bool) -> Scalar:
    """The body at S = {outcome} or S = {}: every term must carry one measure."""
    total = Scalar.of(0)
    for term in sp.Add.make_args(sp.expand(body)):
        measures = [x for x in sp.Mul.make_args(term) if isinstance(x, pn.Measure)]
        if len(measures) != 1:
            raise Unsupported("a supremum needs a combination of P(S), Q(S)")
        distribution, where = measures[0].args
        if distribution.pair is not identity:
            raise IllFormed("a supremum over the events of one space")
        complement = isinstance(where, pn.Complement)
        if (where.args[0] if complement else where) != event:
            raise IllFormed(f"{where} is not the event of the supremum")
        if inside != complement:
            factor = i.scalar(term / measures[0])
            total = total + factor * masses[distribution.side]
    return total


def integral_over_space(i: Interpreter, e: Any) -> Graded:
    """Integral of a body that is homogeneous of degree 1 in the densities P, Q."""
    from lapdp.theory.interpret import Exchange, Graded

    body = e.args[0]
    p, q = _one_pair(e)
    if _degree(body, p, q) != 1:
        raise IllFormed("the integrand must be homogeneous of degree 1 in the densities")
    grade, outcomes = _outcomes(i, e)
    total: Any = Scalar.of(0)
    for a, b, z in outcomes:
        part = _density(i, body, p, q, (a, b, z))
        if isinstance(part, Infinite) or isinstance(total, Infinite):
            total = INFINITE
        else:
            total = total + part
    if grade and any(z is not None for _, _, z in outcomes):
        i.exchanges.append(Exchange(grade, None, ZERO, "integral over the space", total))
    return Graded(grade, total)


def _degree(e: Any, p: Any, q: Any) -> Any:
    if e in (p, q):
        return sp.Integer(1)
    if isinstance(e, Indicator) and e.has(p, q):
        sides = (e.args[0].lhs, e.args[0].rhs)
        if len({_degree(_ratio(x, p, q) or x, p, q) for x in sides if x != 0}) != 1:
            raise Unsupported(f"the condition {e.args[0]} is not one on the likelihood ratio")
        return sp.Integer(0)
    if not e.has(p, q):
        return sp.Integer(0)
    if e.is_Mul:
        return sp.expand(sum(_degree(a, p, q) for a in e.args))
    if e.is_Pow and not e.exp.has(p, q):
        return sp.expand(_degree(e.base, p, q) * e.exp)
    if e.is_Add or isinstance(e, (sp.Max, sp.Min)):
        degrees = {_degree(a, p, q) for a in e.args if a != 0}
        if len(degrees) == 1:
            return degrees.pop()
    raise Unsupported(f"the integrand {e} is not homogeneous in the densities")


def _density(i: Interpreter, e: Any, p: Any, q: Any, outcome: tuple[Scalar, Scalar, Any]) -> Any:
    """The body at one outcome with masses (a, b)."""
    a, b, z = outcome
    if e == p:
        return a
    if e == q:
        return b
    if not e.has(p, q):
        return i.scalar(e)
    if isinstance(e, Indicator):
        return Scalar.of(int(_condition(i, e.args[0], p, q, outcome)))
    if e.is_Add:
        total: Any = Scalar.of(0)
        for x in e.args:
            part = _density(i, x, p, q, outcome)
            if isinstance(part, Infinite):
                raise Unsupported("a sum of infinite densities")
            total = total + part
        return total
    if isinstance(e, (sp.Max, sp.Min)):
        values = [_density(i, x, p, q, outcome) for x in e.args]
        if any(isinstance(v, Infinite) for v in values):
            raise Unsupported("the larger of infinite densities")
        best = values[0]
        for v in values[1:]:
            if (i.cell.sign_of(v - best) > 0) == isinstance(e, sp.Max):
                best = v
        return best
    powers = {p: sp.Integer(0), q: sp.Integer(0)}
    rest = sp.Integer(1)
    for factor in sp.Mul.make_args(e):
        base, exponent = factor.as_base_exp()
        if base in powers:
            powers[base] = powers[base] + exponent
        elif factor.has(p, q):
            return _mixed(i, e, p, q, outcome)
        else:
            rest = rest * factor
    alpha, beta = i.form(powers[p]), i.form(powers[q])
    scale = i.scalar(rest)
    if z is not None:
        # a^alpha b^beta = b^(alpha + beta) e^(alpha z), and alpha + beta is a whole number here
        degree = (alpha + beta).constant()
        if degree is None or degree.denominator != 1:
            raise Unsupported(f"the factor {e} has no whole degree")
        return scale * b ** int(degree) * Scalar.exp(alpha * z)
    power = zero_power(alpha if a.is_zero() else beta, i.cell)
    if isinstance(power, Infinite):
        if i.cell.sign_of(scale) <= 0:
            raise Undefined("-oo")
        return power
    other, exponent = (b, beta) if a.is_zero() else (a, alpha)
    if power.is_zero():
        return power
    whole = exponent.constant()
    if other == Scalar.of(1):
        return scale * power
    if whole is None or whole.denominator != 1:
        raise Unsupported(f"a power of the mass {other}")
    return scale * power * other ** int(whole)


def _ratio(e: Any, p: Any, q: Any) -> Any:
    """The argument of a logarithm that is P/Q or Q/P, else None."""
    return e.args[0] if isinstance(e, sp.log) and e.args[0] in (p / q, q / p) else None


def _condition(i: Interpreter, relation: Any, p: Any, q: Any,
               outcome: tuple[Scalar, Scalar, Any]) -> bool:
    """A relation between densities, or their log ratio, at one outcome.

    log(P/Q) is the loss of the outcome: +oo where Q vanishes, -oo where P does (Definition 3.1).
    """
    sides = [_extended(i, x, p, q, outcome) for x in (relation.lhs, relation.rhs)]
    infinite = [x if isinstance(x, int) else 0 for x in sides]
    if any(infinite):
        if infinite[0] == infinite[1]:
            raise Unsupported("two infinite values are compared")
        sign = 1 if infinite[0] > infinite[1] else -1
    else:
        sign = i.cell.sign_of(sides[0] - sides[1])
    return bool({sp.Eq: sign == 0, sp.Ne: sign != 0, sp.Gt: sign > 0, sp.Ge: sign >= 0,
                 sp.Lt: sign < 0, sp.Le: sign <= 0}[relation.func])


def _extended(i: Interpreter, e: Any, p: Any, q: Any, outcome: tuple[Scalar, Scalar, Any]) -> Any:
    """A number, or the sign of an infinite one."""
    ratio = _ratio(e, p, q)
    if ratio is not None:
        a, _, z = outcome
        side = 1 if ratio == p / q else -1
        if z is None:
            return -side if a.is_zero() else side
        return Scalar.of(z) * side
    value = _density(i, e, p, q, outcome)
    return 1 if isinstance(value, Infinite) else value


def measure_of_outcomes(i: Interpreter, e: Any) -> Graded:
    """P(S) for a set of named outcomes of a concrete pair, or for its complement."""
    from lapdp.theory.interpret import NONE, Graded

    distribution, event = e.args
    inner = event.args[0] if isinstance(event, pn.Complement) else event
    if not isinstance(inner, Outcomes):
        raise IllFormed(f"{inner} is no event: write Outcomes(...), or Sup over it")
    model = i.models.get(distribution.pair)
    named = model.outcomes if isinstance(model, Model) else None
    if named is None:
        raise IllFormed(f"the outcomes of {distribution} have no names")
    unknown = [n for n in inner.names if n not in named]
    if unknown:
        raise IllFormed(f"{distribution} has no outcome {unknown[0]}")
    total = Scalar.of(0)
    for name, masses in named.items():
        if (name in inner.names) == (inner is event):
            total = total + masses[distribution.side]
    return Graded(NONE, total)


def _mixed(i: Interpreter, e: Any, p: Any, q: Any, outcome: tuple[Scalar, Scalar, Any]) -> Any:
    total: Any = Scalar.of(1)
    if not e.is_Mul:
        raise Unsupported(f"the power {e} of a sum of densities")
    for factor in e.args:
        part = _density(i, factor, p, q, outcome)
        if isinstance(part, Infinite):
            raise Unsupported("a product with an infinite density")
        total = total * part
    return total


