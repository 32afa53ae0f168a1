"""Closed forms as source code for mpmath, at any precision.

Conditions are decided at the precision of the caller, so that a point given as ``mp.log(3)`` meets
a breakpoint log(3); formulas get guard digits until two precisions agree.
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.printing.codeprinter import PrintMethodNotImplementedError
from sympy.printing.pycode import MpmathPrinter

from lapdp.core.errors import Unsupported
from lapdp.privacy.notions.notion import Notion
from lapdp.report.formats.functions import Function, functions, summary

_GUARD = '''
def _fine(formula):
    """The formula with guard digits: more of them until two precisions agree on a value but 0."""
    before = None
    for guard in (15, 60, 240, 960):
        with mp.extradps(guard):
            value = mp.mpmathify(formula())
        if value and before is not None and abs(value - before) <= mp.eps * abs(value):
            break
        before = value
    return +value
'''


def source(notion: Notion, at: Any = None) -> str:
    """A module with one function a curve, or one expression at a point.

    >>> from lapdp import exponential
    >>> print(source(exponential(1, 2).profile).split("return +value")[1].strip())
    def profile(t):
        t = mp.mpmathify(t)
        if t < -mp.log(2):
            return _fine(lambda: 1 - mp.exp(t))
        return _fine(lambda: (mp.mpf(1)/mp.mpf(4))*mp.exp(-t))
    """
    if at is not None:
        return printed(notion.value(at))
    parts = [head(summary(notion))]
    parts += ["\n" + _function(f) for f in functions(notion)]
    return "\n".join(parts).rstrip()


def head(says: str) -> str:
    """How a module begins: what it is, and the function that finds enough digits."""
    return (f'"""{says}\n\nAt the precision of mp: set mp.dps, and give numbers of that '
            'precision.\n"""\n\nfrom mpmath import mp\n\n' + _GUARD)


def _function(f: Function) -> str:
    lines = [f"def {f.name}({', '.join(f.arguments)}):"]
    lines += [f"    {name} = mp.mpmathify({name})" for name in f.arguments]
    if f.domain != sp.true:
        # without assumptions: orders may be complex
        domain = f.domain.xreplace({f.variable: sp.Symbol(f.variable.name)})
        lines += [f"    if not ({printed(domain)}):",
                  f'        raise ValueError("{f.name} is known where {sp.sstr(f.domain)}")']
    return "\n".join([*lines, *_branches(f.formula, "    ")]) + "\n"


def _branches(e: Any, indent: str) -> list[str]:
    if e.is_Integer:
        return [f"{indent}return mp.mpf({e})"]
    if not isinstance(e, sp.Piecewise):
        return [f"{indent}return _fine(lambda: {printed(e)})"]
    lines: list[str] = []
    for formula, condition in e.args:
        if condition == sp.true:
            return [*lines, *_branches(formula, indent)]
        shown = printed(condition)
        shown = shown[1:-1] if isinstance(condition, sp.core.relational.Relational) else shown
        lines += [f"{indent}if {shown}:", *_branches(formula, indent + "    ")]
    return [*lines, f"{indent}return mp.nan"]


class _Printer(MpmathPrinter):
    """Writes every number exactly."""

    def _print_Add(self, e: Any, order: Any = None) -> str:
        # 2 - erfc(x) loses all digits of erfc(-x) for large x; SymPy has no other word for it
        constant = sum(part for part in e.args if part.is_Number)
        for part in e.args:
            c, tail = part.as_coeff_Mul()
            if constant and isinstance(tail, sp.erfc) and constant == -2 * c:
                rest = e - part - constant
                text = f"{self._print(-c)}*mp.erfc(-({self._print(tail.args[0])}))"
                return text if rest == 0 else f"{text} + {self._print(rest)}"
        return str(super()._print_Add(e, order))

    def _print_re(self, e: Any) -> str:
        return f"mp.re({self._print(e.args[0])})"

    def _print_LambertW(self, e: Any) -> str:
        # real on the branches that closed forms use, also where rounding crosses the branch point
        return f"mp.re(mp.lambertw({', '.join(map(self._print, e.args))}))"


def printed(e: Any) -> str:
    try:
        code = _Printer({"fully_qualified_modules": True, "strict": True,
                         "user_functions": {"erfinv": "mp.erfinv"}}).doprint(e)
    except PrintMethodNotImplementedError as problem:
        name = str(problem).split(": ")[-1].split(chr(10))[0]
        raise Unsupported(f"{name} has no mpmath code") from None
    return str(code.replace("mpmath.", "mp."))


__all__ = ["head", "printed", "source"]
