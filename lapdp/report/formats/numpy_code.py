"""Closed forms as source code for NumPy: one function of arrays a curve."""

from __future__ import annotations

from typing import Any

import sympy as sp

from lapdp.privacy.notions.moment import Moment
from lapdp.privacy.notions.notion import Notion
from lapdp.report.formats.functions import Function, functions, summary
from lapdp.report.formats.numpy_expressions import Writer

_CASES = '''
def _cases(x, *cases):
    """At each entry the first case that applies; no other formula is evaluated there."""
    found, rest = [], ~np.isnan(x)
    for condition, formula in cases:
        here = rest & condition(x)
        if np.any(here):
            found.append((here, formula(x[here])))
            rest = rest & ~here
    out = np.full(x.shape, np.nan, np.result_type(float, *(value for _, value in found)))
    for here, value in found:
        out[here] = value
    return out[()]
'''
_ERFC_SUM = '''
def _erfc_sum(common, *terms):
    """The sum of c e^a erfc(x) over (c, a, x), where a - x^2 = common, without overflow."""
    scaled = rest = 0.0
    for c, a, x in terms:
        a, x = np.broadcast_arrays(np.asarray(a, float), np.asarray(x, float))
        scaled = scaled + c * np.where(x < 0, -1.0, 1.0) * erfcx(np.abs(x))
        rest = rest + np.where(x < 0, 2 * c, 0.0) * np.exp(np.where(x < 0, a, 0.0))
    return np.exp(common) * scaled + rest
'''
_LOG_SUM = '''
def _log_sum(*terms):
    """log of |the sum of c e^a over (c, a)|, scaled by the largest e^a."""
    top = np.maximum.reduce(np.broadcast_arrays(*(a for _, a in terms)))
    with np.errstate(divide="ignore"):
        return top + np.log(np.abs(sum(c * np.exp(a - top) for c, a in terms)))
'''
_LAMBERT = '''
def _lambertw(x, k):
    """A real branch of Lambert's W; -1 where rounding reaches the branch point -1/e."""
    inside = x > -0.36787944117144233
    return np.where(inside, np.real(lambertw(np.where(inside, x, -0.25), k)), -1.0)
'''
_NORMAL_TAIL = '''
def _normal_tail(start, variance, exponent):
    """e^exponent times the sum of e^(-x^2/(2 variance)) over x = start, start + 1, ..."""
    start, exponent = (np.asarray(a)[..., np.newaxis] for a in (start, exponent))
    # what lies further out is below the doubles
    reach = np.ceil(np.sqrt(1500 * variance)) + 2
    first = start + np.maximum(0, np.ceil(-reach - np.real(start)))
    x = first + np.arange(2 * reach)
    return np.sum(np.exp(exponent - x * x / (2 * variance)), axis=-1)
'''
_HELPERS = {"_normal_tail": _NORMAL_TAIL, "_cases": _CASES, "_lambertw": _LAMBERT,
            "_erfc_sum": _ERFC_SUM, "_log_sum": _LOG_SUM}


def source(notion: Notion, at: Any = None) -> str:
    """A module with one function a curve, or one expression at a point.

    >>> from lapdp import laplace
    >>> print(source(laplace(1).profile).split("[()]")[1].strip())
    def profile(t):
        t = np.asarray(t, dtype=float)
        return _cases(
            t,
            (lambda t: t < -1.0, lambda t: -np.expm1(t)),
            (lambda t: t < 1.0, lambda t: -np.expm1(0.5*t - 0.5)),
            (lambda t: True, lambda t: 0.0),
        )
    """
    if at is not None:
        value = notion.value(at)
        if value in (sp.oo, -sp.oo):
            return "np.inf" if value == sp.oo else "-np.inf"
        return Writer(sp.Dummy())(value)
    wanted = functions(notion)
    writers = [Writer(f.variable) for f in wanted]
    bodies = [_function(f, notion, write) for f, write in zip(wanted, writers, strict=True)]
    helpers = {name for write in writers for name in write.helpers}
    special = sorted(name for write in writers for name in write.special)
    needs = f"NumPy, and SciPy for {', '.join(special)}," if special else "NumPy"
    head = (f'"""{summary(notion)}\n\nNeeds {needs} and works on arrays of doubles.  Where terms '
            'of the form cancel, digits are lost.\n"""\n\nimport numpy as np\n')
    if special:
        head += f"from scipy.special import {', '.join(special)}\n"
    parts = [head, *(text for name, text in _HELPERS.items() if name in helpers),
             *("\n" + body for body in bodies)]
    return "\n".join(parts).rstrip()


def _function(f: Function, notion: Notion, write: Writer) -> str:
    x = f.variable.name
    lines = [f"def {f.name}({', '.join(f.arguments)}):"]
    if isinstance(notion, Moment):
        # orders may be complex
        lines += [f"    {x} = np.asarray({x})",
                  f"    {x} = {x}.astype(np.result_type({x}, float))"]
    else:
        lines += [f"    {x} = np.asarray({x}, dtype=float)"]
    formula = f.formula
    if f.domain != sp.true:
        inner = formula.args if isinstance(formula, sp.Piecewise) else [(formula, sp.true)]
        formula = sp.Piecewise((sp.nan, sp.Not(f.domain)), *inner, evaluate=False)
    if isinstance(formula, sp.Piecewise) and not any(
            c.has(f.variable) for _, c in formula.args):
        for value, condition in formula.args:
            lines += _returned(value, write, f"if {write.condition(condition)}:")
    else:
        lines += _returned(formula, write)
    return "\n".join(lines) + "\n"


def _returned(formula: Any, write: Writer, when: str = "") -> list[str]:
    """Statements that return a formula, each case of it on a line of its own."""
    x, indent = write.variable.name, "    " + "    " * bool(when)
    head = [f"    {when}"] if when else []
    if isinstance(formula, sp.Piecewise):
        write.helpers.add("_cases")
        lines = [f"{indent}return _cases(", f"{indent}    {x},"]
        for value, condition in formula.args:
            shown = "np.nan" if value is sp.nan else write(value)
            lines.append(f"{indent}    (lambda {x}: {write.condition(condition)}, "
                         f"lambda {x}: {shown}),")
        return [*head, *lines, f"{indent})"]
    if not formula.has(write.variable):
        return [*head, f"{indent}return np.where(np.isnan({x}), np.nan, {write(formula)})[()]"]
    return [*head, f"{indent}return {write(formula)}"]


__all__ = ["source"]
