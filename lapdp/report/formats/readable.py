"""Closed forms as a person writes them: e^((t - 1)/2), what is added first, one line a case."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import sympy as sp
from sympy.printing.latex import LatexPrinter
from sympy.printing.str import StrPrinter

_LAST = chr(0x10FFFF)
"""Begins the name of a letter that comes after all others."""


@dataclass(frozen=True)
class Words:
    """How cases are told apart."""

    where: str
    otherwise: str
    less: str = "<"
    more: str = ">"
    most: str = "<="
    least: str = ">="


TEXT = Words("if", "otherwise")
LATEX = Words(r"\text{if}\;", r"\text{otherwise}", most=r"\leq", least=r"\geq")
_CUTS = (sp.StrictLessThan, sp.LessThan)


class _Readable(StrPrinter):
    """SymPy's printer with one exponential in a product, and sums that begin with what is added."""

    def _print_exp(self, e: Any) -> str:
        plain = _power_of_number(e)
        if plain is not None:
            return str(self._print(plain))
        power = sp.together(e.args[0])
        bare = power.is_Symbol or (power.is_Integer and power > 0)
        return f"e^{self._print(power)}" if bare else f"e^({self._print(power)})"

    def _print_Exp1(self, _: Any) -> str:
        return "e"

    def _print_Mul(self, e: Any) -> str:
        rest, joined = _exponentials_joined(e)
        if joined is None:
            return str(super()._print_Mul(e))
        # as a letter that comes after all others, so that the rest of the product is as it was
        letter = sp.Symbol(f"{_LAST}{self._print(joined)}")
        return str(self._print(rest * letter)).replace(_LAST, "")

    def _print_Equality(self, e: Any) -> str:
        return f"{self._print(e.lhs)} = {self._print(e.rhs)}"

    def _print_Add(self, e: Any, order: Any = None) -> str:
        terms = self._as_ordered_terms(e, order=order)
        printed = [str(self._print(term)) for term in terms]
        # each kind keeps its order: numbers, what is added, what is taken away
        ranked = sorted(zip(terms, printed, strict=True), key=lambda part: (
            part[1].startswith("-"), not part[0].is_number))
        line = ranked[0][1]
        for term, text in ranked[1:]:
            minus = text.startswith("-")
            inner = text[1:] if minus else text
            line += f" {'-' if minus else '+'} {f'({inner})' if term.is_Piecewise else inner}"
        return line


def _power_of_number(e: Any) -> Any:
    """3^q for e^(q log(3)); None for others."""
    logs = [f for f in sp.Mul.make_args(e.args[0]) if isinstance(f, sp.log)]
    if len(logs) != 1 or not logs[0].args[0].is_Integer:
        return None
    return sp.Pow(logs[0].args[0], e.args[0] / logs[0], evaluate=False)


def _exponentials_joined(product: Any) -> tuple[Any, Any]:
    """The rest of a product, and one exponential for several; None where there are not several."""
    powers = [f for f in product.args if isinstance(f, sp.exp) or f is sp.E]
    if len(powers) < 2:
        return product, None
    rest = sp.Mul(*(f for f in product.args if f not in powers))
    return rest, sp.exp(sp.Add(*(f.as_base_exp()[1] for f in powers)), evaluate=False)


class _ReadableLatex(LatexPrinter):
    """The same in LaTeX."""

    def _print_exp(self, e: Any, exp: Any = None) -> str:
        plain = _power_of_number(e)
        if plain is not None and exp is None:
            return str(self._print(plain))
        power = f"e^{{{self._print(sp.together(e.args[0]))}}}"
        return power if exp is None else rf"\left({power}\right)^{{{exp}}}"

    def _print_Symbol(self, e: Any, style: str = "plain") -> str:
        return r"\varepsilon" if e.name == "eps" else str(super()._print_Symbol(e, style))

    def _print_ExpBase(self, e: Any, exp: Any = None) -> str:
        return self._print_exp(e, exp)

    def _print_Mul(self, e: Any) -> str:
        rest, joined = _exponentials_joined(e)
        if joined is None:
            return str(super()._print_Mul(e))
        letter = sp.Symbol(_LAST)
        return str(self._print(rest * letter)).replace(_LAST, str(self._print(joined)))

    def _as_ordered_terms(self, e: Any, order: Any = None) -> list[Any]:
        return sorted(super()._as_ordered_terms(e, order=order), key=lambda term: (
            term.could_extract_minus_sign(), not term.is_number))

    def _print_Piecewise(self, e: Any) -> str:
        where = _places([c for _, c in e.args], self._print, LATEX)
        cases = [f"{self._print(value)} & {said}" for (value, _), said in zip(
            e.args, where, strict=True)]
        return r"\begin{cases} " + r" \\ ".join(cases) + r" \end{cases}"


def readable_latex(value: Any) -> str:
    r"""One formula in LaTeX.

    >>> t = sp.Symbol("t", real=True)
    >>> print(readable_latex(1 - sp.exp(-sp.Rational(1, 2)) * sp.exp(t / 2)))
    1 - e^{\frac{t - 1}{2}}
    >>> print(readable_latex(sp.Piecewise((t, t < 0), (0, True))))
    \begin{cases} t & \text{if}\; t < 0 \\ 0 & \text{if}\; t \geq 0 \end{cases}
    """
    return str(_ReadableLatex().doprint(value))


def readable(value: Any) -> str:
    """One formula on one line.

    >>> t = sp.Symbol("t", real=True)
    >>> readable(1 - sp.exp(-sp.Rational(1, 2)) * sp.exp(t / 2))
    '1 - e^((t - 1)/2)'
    >>> readable(sp.exp(2) * t**2 / 3 - sp.sqrt(t) * sp.exp(-t))
    't^2*e^2/3 - sqrt(t)*e^(-t)'
    >>> readable(sp.exp(-t * sp.log(3)) / 2)
    '3^(-t)/2'
    """
    return str(_Readable().doprint(value)).replace("**", "^")


def equation(left: str, value: Any) -> str:
    """``left = value``, a case a line where the value is piecewise.

    >>> t = sp.Symbol("t", real=True)
    >>> print(equation("delta(t)", sp.Piecewise((1 - sp.exp(t), t < 0), (0, True))))
    delta(t) = 1 - e^t  if t < 0
             = 0        if t >= 0
    """
    if not isinstance(value, sp.Piecewise):
        return f"{left} = {readable(value)}"
    cases = [readable(said) for said, _ in value.args]
    wide = max(map(len, cases))
    heads = [left, *[" " * len(left)] * (len(cases) - 1)]
    return "\n".join(f"{head} = {case:{wide}}  {where}" for head, case, where in zip(
        heads, cases, _places([where for _, where in value.args], readable, TEXT), strict=True))


def _places(conditions: list[Any], show: Callable[[Any], str], words: Words) -> list[str]:
    """Where each case holds, by itself where the conditions cut a line from left to right."""
    ends = [c for c in conditions if isinstance(c, _CUTS) and c.lhs.is_Symbol]
    cuts = len(ends) == len(conditions) - 1 and conditions[-1] == sp.true and ends
    if not cuts or len({(c.lhs, type(c)) for c in ends}) > 1:
        return [words.otherwise if c == sp.true else f"{words.where} {show(c)}" for c in conditions]
    points, letter = [show(c.rhs) for c in ends], show(ends[0].lhs)
    # where the left piece has the point, and where the right one has it
    before, after = (words.less, words.least) if isinstance(ends[0], sp.StrictLessThan) else (
        words.most, words.more)
    opposite = {words.least: words.most, words.more: words.less}[after]
    inner = [f"{a} {opposite} {letter} {before} {b}" for a, b in pairwise(points)]
    places = [f"{letter} {before} {points[0]}", *inner, f"{letter} {after} {points[-1]}"]
    return [f"{words.where} {place}" for place in places]


__all__ = ["equation", "readable", "readable_latex"]
