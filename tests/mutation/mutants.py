"""Mechanical perturbations of a statement, to try the engine with near misses.

Each mutant changes one place of the claim or of a hypothesis.  The order is that of the tree,
left to right, and duplicates are dropped by structure, so the list is the same in every run.
"""

from __future__ import annotations

import dataclasses

import sympy as sp
from sympy.core.relational import Relational

from lapdp.calculus.nodes import (
    PV,
    Bilateral,
    Bromwich,
    Convolution,
    GeneralizedDerivative,
    IntegralOnLine,
    LimInt,
    Limit,
    Node,
    OneSided,
    Primitive,
    SymmetricIntegral,
)
from lapdp.core.errors import LapdpError
from lapdp.privacy.nodes import (
    Complement,
    Distribution,
    Event,
    Expectation,
    Loss,
    LossCDF,
    LossDensity,
    Measure,
    Probability,
)
from lapdp.theory.language import Exists, ExistsPair, Implies

_SWAPS = {
    sp.StrictLessThan: sp.LessThan, sp.LessThan: sp.StrictLessThan,
    sp.StrictGreaterThan: sp.GreaterThan, sp.GreaterThan: sp.StrictGreaterThan,
}
_PROBABILITY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_FIXED: dict[type, tuple[int, ...]] = {
    Complement: (0,), Convolution: (2, 3), Expectation: (1,), GeneralizedDerivative: (1, 2),
    Limit: (3,), LossCDF: (0, 2), LossDensity: (0,), Measure: (1,), Primitive: (1,),
    Probability: (0, 1),
}
"""Arguments that are names, flags or variables: the rule of their node changes them, if any."""
_LIMIT_SIDES = {"_-": "_+", "_+": "_-"}
_NEXT = 1
_PART = sp.Rational(1, 2)


def mutants(statement):
    """``[(name, Statement)]``: one change each, named by what was done and where."""
    found = {(statement.claim, statement.where)}
    made = []
    for name, claim, where in _variants(statement):
        key = (claim, where)
        if key in found or not _sane(claim) or not all(map(_sane, where)):
            continue
        found.add(key)
        try:
            mutant = dataclasses.replace(
                statement, id=f"{statement.id}~{len(made) + 1}", claim=claim, where=where,
                fault=None, repaired_by=None, repairs=None, expected=None, printed="",
            )
        except LapdpError:
            continue
        made.append((name, mutant))
    return made


def _variants(statement):
    for name, claim in _form_variants(statement.claim, "claim"):
        yield name, claim, statement.where
    for i, hypothesis in enumerate(statement.where):
        rest = (*statement.where[:i], *statement.where[i + 1:])
        yield f"drop hypothesis {i}: {hypothesis}", statement.claim, rest
        for name, changed in _form_variants(hypothesis, f"where[{i}]"):
            where = (*statement.where[:i], changed, *statement.where[i + 1:])
            yield name, statement.claim, where
    for symbol in statement.parameters:
        wider = sp.Symbol(symbol.name, real=True)
        if symbol.is_positive or symbol.is_nonnegative:
            yield (
                f"widen the domain of {symbol} to all reals",
                _substitute(statement.claim, symbol, wider),
                tuple(_substitute(h, symbol, wider) for h in statement.where),
            )


def _form_variants(form, where):
    """(name, changed form) for a relation, or for a dataclass of the language."""
    if isinstance(form, Relational):
        swapped = _SWAPS.get(type(form))
        if swapped is not None:
            yield (f"{where}: {form.rel_op} becomes {swapped.rel_op}",
                   _relation(swapped, form.args))
        for i, side in enumerate(("left", "right")):
            for name, changed in _variants_of(form.args[i], f"{where}.{side}"):
                args = (changed, form.args[1]) if i == 0 else (form.args[0], changed)
                yield name, _relation(type(form), args)
        return
    for field in dataclasses.fields(form):
        value = getattr(form, field.name)
        here = f"{where}.{field.name}"
        if isinstance(form, (Exists, Implies)) and field.name in ("claim", "hypothesis",
                                                                    "conclusion"):
            inner = _form_variants(value, here)
        elif isinstance(form, Exists) and field.name == "where":
            inner = ((name, (*value[:i], new, *value[i + 1:]))
                     for i, h in enumerate(value)
                     for name, new in _form_variants(h, f"{here}[{i}]"))
        elif isinstance(value, Loss):
            inner = ((f"{here}: {value} reversed", _reversed_loss(value)),)
        elif isinstance(value, Distribution):
            inner = ()
        elif isinstance(value, sp.Basic) and field.name not in ("t", "symbol", "over"):
            inner = _variants_of(value, here)
        else:
            inner = ()
        for name, changed in inner:
            yield from _replaced(form, field.name, changed, name)
    names = {field.name for field in dataclasses.fields(form)}
    if {"P", "Q"} <= names and not isinstance(form, ExistsPair):
        yield (f"{where}: swap {form.P} and {form.Q}",
               dataclasses.replace(form, P=form.Q, Q=form.P))


def _replaced(form, field, changed, name):
    try:
        yield name, dataclasses.replace(form, **{field: changed})
    except LapdpError:
        return


def _relation(kind, args):
    return kind(*args, evaluate=False)


def _variants_of(node, where):
    """(name, changed expression): changes at this node, then those inside it."""
    yield from _here(node, where)
    if isinstance(node, (Distribution, Event)) or not node.args:
        return
    binder, fixed = getattr(node, "bound_at", None), _FIXED.get(type(node), ())
    for i, arg in enumerate(node.args):
        if i == binder or i in fixed or (isinstance(arg, Distribution) and isinstance(node, Node)):
            continue
        for name, changed in _variants_of(arg, f"{where}.{_label(node)}[{i}]"):
            rebuilt = _rebuild(node, (*node.args[:i], changed, *node.args[i + 1:]))
            if rebuilt is not None:
                yield name, rebuilt


def _label(node):
    return {"OneSided": "L", "Bilateral": "B"}.get(type(node).__name__, type(node).__name__)


def _rebuild(node, args):
    try:
        if isinstance(node, Relational):
            return _relation(type(node), args)
        return node.func(*args)
    except (LapdpError, TypeError, ValueError, AttributeError):
        return None


def _here(node, where):
    """(name, replacement) for changes at the top of ``node``."""
    if isinstance(node, sp.Rational):
        yield f"{where}: {node} becomes {node + _NEXT}", node + _NEXT
        yield f"{where}: {node} becomes {node + _PART}", node + _PART
        if node != 0:
            yield f"{where}: {node} becomes {-node}", -node
        return
    yield from _sums_and_products(node, where)
    yield from _of_language(node, where)


def _sums_and_products(node, where):
    if isinstance(node, sp.Add):
        for i, term in enumerate(node.args):
            rest = (*node.args[:i], *node.args[i + 1:])
            yield f"{where}: sign of {term} flipped", sp.Add(*rest, -term)
            yield f"{where}: term {term} dropped", sp.Add(*rest)
    elif isinstance(node, sp.Mul):
        for i, factor in enumerate(node.args):
            rest = sp.Mul(*node.args[:i], *node.args[i + 1:])
            yield f"{where}: factor {factor} dropped", rest
        yield f"{where}: sign of {node} flipped", -node
    elif isinstance(node, (sp.Pow, sp.exp)):
        base, exponent = node.as_base_exp()
        yield f"{where}: exponent {exponent} becomes {exponent + _NEXT}", _power(
            base, exponent + _NEXT)
        yield f"{where}: exponent {exponent} becomes {-exponent}", _power(base, -exponent)
    elif isinstance(node, (Node, sp.Symbol)) and not isinstance(
            node, (Complement, Distribution, Event, Loss)):
        yield f"{where}: sign of {node} flipped", -node


def _power(base, exponent):
    return sp.exp(exponent) if base is sp.E else sp.Pow(base, exponent)


def _partner(distribution):
    pair = distribution.pair
    return Distribution(pair.names[1 - distribution.side], pair, 1 - distribution.side)


def _of_language(node, where):
    if isinstance(node, Distribution):
        yield f"{where}: {node} becomes {_partner(node)}", _partner(node)
    elif isinstance(node, Node) and not isinstance(node, Loss) and any(
            isinstance(a, Distribution) and a.pair is not None for a in node.args):
        args = [_partner(a) if isinstance(a, Distribution) else a for a in node.args]
        yield f"{where}: {node} reversed", node.func(*args)
    if isinstance(node, Relational) and type(node) in _SWAPS:
        swapped = _SWAPS[type(node)]
        yield f"{where}: {node.rel_op} becomes {swapped.rel_op}", _relation(swapped, node.args)
    yield from _of_losses(node, where)
    yield from _of_transforms(node, where)


def _of_losses(node, where):
    if isinstance(node, Expectation):
        loss = node.args[1]
        other = _reversed_loss(loss)
        yield f"{where}: {loss} becomes {other}", node.xreplace({loss: other})
    elif isinstance(node, (LossCDF, LossDensity, Probability)):
        other = _reversed_loss(node.args[0])
        yield f"{where}: {node.args[0]} becomes {other}", node.func(other, *node.args[1:])
    if isinstance(node, LossCDF):
        z, x, strict = node.args
        yield f"{where}: strict and weak exchanged in {node}", node.func(z, x, 1 - strict)
    if isinstance(node, Probability) and str(node.args[1]) in _PROBABILITY:
        z, relation, x = node.args
        other = _PROBABILITY[str(relation)]
        yield f"{where}: {relation} becomes {other}", node.func(z, sp.Symbol(other), x)
    if isinstance(node, Measure) and isinstance(node.args[1], Complement):
        yield f"{where}: complement dropped", node.func(node.args[0], node.args[1].args[0])


def _of_transforms(node, where):
    if isinstance(node, (OneSided, Bilateral)):
        g, t, s = node.args
        other = Bilateral if isinstance(node, OneSided) else OneSided
        yield f"{where}: frequency {s} becomes {s + _NEXT}", node.func(g, t, s + _NEXT)
        yield f"{where}: {_label(node)} becomes the other transform", other(g, t, s)
    elif isinstance(node, Bromwich):
        g, s, x, gamma = node.args
        yield f"{where}: line {gamma} becomes {gamma + _NEXT}", node.func(g, s, x, gamma + _NEXT)
    elif isinstance(node, SymmetricIntegral):
        g, u, _ = node.args
        other = LimInt if node.principal else PV
        yield f"{where}: {_label(node)} becomes {other.__name__}", other(g, u)
        yield f"{where}: frequency {u} reversed", node.func(g.subs(u, -u), *node.args[1:])
    elif isinstance(node, IntegralOnLine) and node.args[2] == -sp.oo:
        g, t, _, upper = node.args
        yield f"{where}: integral from 0 only", node.func(g, t, sp.Integer(0), upper)
    elif isinstance(node, GeneralizedDerivative):
        g, t, n = node.args
        yield f"{where}: one more derivative", node.func(g, t, n + _NEXT)
    elif isinstance(node, Convolution):
        g, h, t, lower = node.args
        other = sp.Integer(0) if lower == -sp.oo else -sp.oo
        yield f"{where}: convolution from {other}", node.func(g, h, t, other)
    elif isinstance(node, Limit) and str(node.args[3]) in _LIMIT_SIDES:
        g, t, point, side = node.args
        other = sp.Symbol(_LIMIT_SIDES[str(side)])
        yield f"{where}: limit from the other side", node.func(g, t, point, other)


def _reversed_loss(loss):
    return Loss(*reversed(loss.args))


def _substitute(form, old, new):
    """Exchange a symbol everywhere, binders left alone, nothing evaluated."""
    if isinstance(form, sp.Basic):
        return form.xreplace({old: new}) if not isinstance(form, Relational) else _relation(
            type(form), tuple(a.xreplace({old: new}) for a in form.args))
    if isinstance(form, tuple):
        return tuple(_substitute(f, old, new) for f in form)
    if dataclasses.is_dataclass(form):
        changed = {f.name: _substitute(getattr(form, f.name), old, new)
                   for f in dataclasses.fields(form)}
        return dataclasses.replace(form, **changed)
    return form


def _sane(form):
    """No 1/0 and no truth value came out of rebuilding."""
    if isinstance(form, sp.Basic):
        return not form.has(sp.zoo, sp.nan) and not isinstance(form, sp.logic.boolalg.BooleanAtom)
    if isinstance(form, tuple):
        return all(map(_sane, form))
    if dataclasses.is_dataclass(form):
        return all(_sane(getattr(form, f.name)) for f in dataclasses.fields(form))
    return True

