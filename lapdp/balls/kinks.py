"""Affine kinks, jumps and impulses of an integrand: split the line there, and settle each piece."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, Not, Or

from lapdp.balls.compare import sign
from lapdp.balls.compiler import expression
from lapdp.calculus.nodes import Indicator
from lapdp.core.errors import Unsupported

Piece = tuple[Any, Any, Any]
_MANY = 500


def before(x: Any, y: Any) -> bool:
    """Is x < y?  For exact numbers and +-oo; raises :class:`Unsupported` if undecided."""
    if x in (y, sp.oo) or y == -sp.oo:
        return False
    if x == -sp.oo or y == sp.oo:
        return True
    order = sign(y - x)
    if order is None:
        raise Unsupported(f"the order of {x} and {y} is not decided")
    return order > 0


def between(lo: Any, hi: Any) -> Any:
    """An exact point strictly between lo and hi."""
    if lo == -sp.oo:
        return sp.Integer(0) if hi == sp.oo else hi - 1
    return lo + 1 if hi == sp.oo else (lo + hi) / 2


def pieces(expr: Any, t: Any, lo: Any, hi: Any) -> list[Piece]:
    """[(expr without affine kinks, lo, hi), ...] in order; equal to expr except at finitely many t.

    >>> t = sp.Symbol("t", real=True)
    >>> pieces(sp.Max(t, 1 - t), t, 0, 2)
    [(1 - t, 0, 1/2), (t, 1/2, 2)]
    """
    todo: list[Piece] = [(expr, expression(lo), expression(hi))]
    done: list[Piece] = []
    while todo:
        e, a, b = todo.pop()
        roots: list[Any] = []
        settled = _settle(e, t, partial(_sign_on, t=t, lo=a, hi=b, found=roots))
        if not roots:
            done.append((settled, a, b))
            continue
        cut = roots[0]
        todo += [(settled, cut, b), (settled, a, cut)]
        if len(todo) + len(done) > _MANY:
            raise Unsupported(f"more than {_MANY} kinks")
    return done


def _sign_on(g: Any, t: Any, lo: Any, hi: Any, found: list[Any]) -> int | None:
    """Sign of an affine g on (lo, hi); None if not affine, or with its zero recorded if inside."""
    g = sp.expand(g)
    slope = g.coeff(t, 1)
    rest = g - slope * t
    if slope.has(t) or rest.has(t):
        return None
    if slope == 0:
        return sign(rest)
    if sign(slope) not in (1, -1) or sign(rest) is None:
        return None
    root = -rest / slope
    if before(lo, root) and before(root, hi):
        if root not in found:
            found.append(root)
        return None
    return sign(g.subs(t, between(lo, hi)))


def _settle(e: Any, t: Any, sign_of: Callable[[Any], int | None]) -> Any:
    if not e.has(t) or not e.args:
        return e
    if isinstance(e, sp.Piecewise):
        return sp.Piecewise(*((_settle(v, t, sign_of), _condition(c, sign_of)) for v, c in e.args))
    if isinstance(e, Indicator):
        truth = _condition(e.args[0], sign_of)
        return sp.Integer(1) if truth == sp.true else (
            sp.Integer(0) if truth == sp.false else Indicator(truth))
    args = [_settle(a, t, sign_of) for a in e.args]
    if isinstance(e, (sp.Abs, sp.sign, sp.Heaviside)):
        s = sign_of(args[0])
        if s in (1, -1):
            return {sp.Abs: s * args[0], sp.sign: sp.Integer(s)}.get(
                type(e), sp.Integer((s + 1) // 2))
    if isinstance(e, (sp.log, sp.Ei)) or (isinstance(e, sp.Pow) and not _entire_power(e, t)):
        sign_of(args[0])  # only to find the singularity
    if isinstance(e, (sp.Max, sp.Min)):
        return _extreme(e, args, sign_of)
    return e.func(*args) if tuple(args) != e.args else e


def _entire_power(e: Any, t: Any) -> bool:
    return bool(e.exp.has(t) or (e.exp.is_integer and e.exp.is_nonnegative))


def _extreme(e: Any, args: list[Any], sign_of: Callable[[Any], int | None]) -> Any:
    wanted = 1 if isinstance(e, sp.Max) else -1
    best = [args[0]]
    for x in args[1:]:
        for i, y in enumerate(best):
            s = sign_of(x - y)
            if s is None:
                continue
            if s == wanted:
                best[i] = x
            break
        else:
            best.append(x)
    return best[0] if len(best) == 1 else e.func(*best)


def _condition(c: Any, sign_of: Callable[[Any], int | None]) -> Any:
    if isinstance(c, (And, Or, Not)):
        return c.func(*(_condition(a, sign_of) for a in c.args))
    if not isinstance(c, Relational):
        return c
    if {c.lhs, c.rhs} & {sp.oo, -sp.oo}:
        return c
    s = sign_of(c.lhs - c.rhs)
    if s is None:
        return c
    holds = {">": s > 0, ">=": s >= 0, "<": s < 0, "<=": s <= 0, "==": s == 0, "!=": s != 0}
    return sp.true if holds[c.rel_op] else sp.false


def impulses(f: Any, t: Any) -> tuple[Any, list[tuple[Any, Any]]]:
    """f without its impulses, and [(place, weight as a function of t), ...]."""
    if not f.has(sp.DiracDelta):
        return f, []
    smooth, masses = [], []
    for term in sp.Add.make_args(sp.expand(f)):
        weight, spikes = sp.S.One, []
        for factor in sp.Mul.make_args(term):
            if isinstance(factor, sp.DiracDelta) and len(factor.args) == 1:
                spikes.append(factor.args[0])
            else:
                weight *= factor
        if not spikes:
            smooth.append(term)
            continue
        g = sp.expand(spikes[0])
        slope = g.coeff(t, 1)
        rest = g - slope * t
        if len(spikes) > 1 or rest.has(t) or slope == 0 or weight.has(sp.DiracDelta):
            raise Unsupported("an impulse that is not DiracDelta of an affine argument")
        masses.append((-rest / slope, weight / sp.Abs(slope)))
    if any(x.has(sp.DiracDelta) for x in smooth):
        raise Unsupported("an impulse inside a function")
    return sp.Add(*smooth), masses
