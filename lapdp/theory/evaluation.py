"""Transforms as values: a transform evaluates to (value, region), an inverse to a function."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import sympy as sp

from lapdp.calculus import nodes as cn
from lapdp.calculus.export import exact_to_sympy
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.calculus.rational import transform_parts
from lapdp.calculus.region import Region
from lapdp.calculus.transform import invert, region
from lapdp.core.calls import fitting
from lapdp.core.errors import InputError, Undefined
from lapdp.theory import language as lang
from lapdp.theory.hypotheses import gather
from lapdp.theory.interpret import Interpreter
from lapdp.theory.statement import Statement


class Evaluated(NamedTuple):
    """A transform's value and the region where it is that value."""

    value: Any
    region: Region


@fitting
def evaluate(node: Any, where: Sequence[Any] = ()) -> Evaluated:
    """Value and region of convergence of ``L(g, t, s)`` or ``B(g, t, s)`` in the exact class.

    Arguments: a transform node whose frequency is a symbol or a number; ``where`` relations between
    the parameters that the region depends on.  Raises InputError when the region is empty, when a
    fixed frequency lies outside it, or when the parameters leave it open; Unsupported outside the
    exact class.  Source: Chourasia et al. 2024, equation (14).

    >>> t, s = sp.Symbol("t", real=True), sp.Symbol("s", complex=True)
    >>> found = evaluate(cn.B(sp.exp(-abs(t)), t, s))
    >>> found.value, str(found.region)
    (-2/((s - 1)*(s + 1)), '-1 < Re s < 1')
    """
    if not isinstance(node, (cn.OneSided, cn.Bilateral)):
        raise InputError("evaluate takes a transform: L(g, t, s) or B(g, t, s)")
    base = gather(Statement(id="evaluate", claim=lang.Converges(node), where=tuple(where)))
    try:
        cell = Cell(base.constraints)
        i = Interpreter(cell, {})
        g = i.function(node.args[0], node.args[1]).x
        found = region(g.after(Form({}), cell) if isinstance(node, cn.OneSided) else g, cell)
        if found.empty:
            raise InputError(f"{node} converges for no s")
        re = i.form(node.args[2]).real_part()
        if not node.args[2].free_symbols and not found.contains(re, cell):
            raise InputError(f"s = {node.args[2]} lies outside the region of convergence ({found})")
        # off the real line no pole is met: removable ones are filled in by continuity
        imaginary = i.form(node.args[2]).split_complex()[1]
        generic = [(imaginary, ">")] if imaginary else []
        edges = [(side * (re - edge), ">") for side, edge in
                 ((Form.of(1), found.lower), (Form.of(-1), found.upper)) if edge is not None]
        inside = Interpreter(Cell([*base.constraints, *edges, *generic]), {})
        value = inside.value(node).x.to_sympy()
    except NeedSplit as need:
        raise InputError(f"the sign of {need.form} is open: give it in where=[...]") from None
    return Evaluated(sp.factor(value), found)


@fitting
def inverse(G: Any, s: Any, t: Any, gamma: Any, where: Sequence[Any] = ()) -> Any:
    """The function of ``t`` whose transform is ``G(s)``, inverted along the line Re s = gamma.

    One rational function has one inverse for each strip between its poles.  Raises InputError for a
    line through a pole or for parameters that leave the poles' order open; Unsupported when the
    poles are not rational in the parameters.  Source: equations (16), (17).

    >>> t, s = sp.Symbol("t", real=True), sp.Symbol("s", complex=True)
    >>> inverse(1 / (s + 1), s, t, 0)
    Piecewise((0, t < 0), (exp(-t), True))
    >>> inverse(1 / (s + 1), s, t, -2)
    Piecewise((-exp(-t), t < 0), (0, True))
    """
    claim = lang.Eq(G, 0)
    base = gather(Statement(id="inverse", claim=claim, where=tuple(where)))
    frequency = sp.Dummy(str(s), complex=True)
    try:
        cell = Cell(base.constraints)
        line = Interpreter(cell, {}).form(sp.sympify(gamma))
        generic = Cell([*base.constraints, (Form.atom(sp.im(frequency)), ">")])
        generic.values[sp.re(frequency)] = line
        whole = Interpreter(generic, {}).value(sp.sympify(G).subs(s, frequency)).x
        jumps, impulses, _ = transform_parts(whole, frequency, cell)
        return exact_to_sympy(invert(jumps, impulses, line, cell), t, cell)
    except NeedSplit as need:
        raise InputError(f"the sign of {need.form} is open: give it in where=[...]") from None
    except Undefined as problem:
        raise InputError(f"{problem}: choose another gamma") from None
