"""Statements as Python: declarations of their letters and the claim, to be pasted and run.

What is written is read again before it is handed out: it must make the same statement, letter for
letter, or it is refused.
"""

from __future__ import annotations

import ast
import json
import keyword
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational
from sympy.printing.precedence import precedence

from lapdp.core.errors import LapdpError, Unsupported
from lapdp.privacy.events import Outcomes
from lapdp.privacy.nodes import Distribution, Event, LossCDF, PairOf
from lapdp.theory import language as lang
from lapdp.theory.render import StatementText
from lapdp.theory.statement import Statement

HEAD = "import sympy as sp\n\nfrom lapdp import *\nfrom lapdp.theory import *\n"
"""What the text needs."""
_RELATIONS = {"==": "Eq", "!=": "Ne", "<": "Lt", "<=": "Le", ">": "Gt", ">=": "Ge"}
_MAKERS: tuple[tuple[str, Callable[[str], Any]], ...] = (
    ("reals", lang.reals), ("positives", lang.positives), ("complexes", lang.complexes),
    ("naturals", lang.naturals))


class _Code(StatementText):
    """The printer of statements, with every word of SymPy under ``sp.``"""

    def __init__(self, names: Mapping[Any, str]) -> None:
        super().__init__({"order": None})
        self.names = names

    def _print_Symbol(self, expr: Any) -> str:
        return self.names.get(expr, str(expr.name))

    _print_Distribution = _print_Symbol

    def _print_Function(self, expr: Any) -> str:
        word = "" if isinstance(expr, AppliedUndef) else "sp."
        return word + self._call(type(expr).__name__, expr.args)

    def _print_Relational(self, expr: Any) -> str:
        return self.form(expr)

    def _print_And(self, expr: Any) -> str:
        return "sp." + self._call(type(expr).__name__, expr.args)

    _print_Or = _print_Not = _print_And

    def _print_BooleanTrue(self, expr: Any) -> str:
        return "True"

    def _print_BooleanFalse(self, expr: Any) -> str:
        return "False"

    def _print_Piecewise(self, expr: Any) -> str:
        cases = ", ".join(f"({self._print(value)}, {self._print(condition)})"
                          for value, condition in expr.args)
        return f"sp.Piecewise({cases}, evaluate=False)"

    _print_Max = _print_Min = _print_Abs = _print_ExpBase = _print_Function

    def _print_Rational(self, expr: Any) -> str:
        return f"sp.Rational({expr.p}, {expr.q})" if expr.q != 1 else str(expr.p)

    _print_Half = _print_Rational

    def _print_Infinity(self, expr: Any) -> str:
        return "sp.oo"

    def _print_NegativeInfinity(self, expr: Any) -> str:
        return "-sp.oo"

    def _print_Exp1(self, expr: Any) -> str:
        return "sp.E"

    def _print_Pi(self, expr: Any) -> str:
        return "sp.pi"

    def _print_ImaginaryUnit(self, expr: Any) -> str:
        return "sp.I"

    def _print_Pow(self, expr: Any, rational: bool = False) -> str:
        if expr.exp == sp.Rational(1, 2):
            return f"sp.sqrt({self._print(expr.base)})"
        level = precedence(expr)
        return (f"{self.parenthesize(expr.base, level, strict=False)}**"
                f"{self.parenthesize(expr.exp, level, strict=False)}")

    def _print_Mul(self, expr: Any) -> str:
        # numerators before denominators and no bare fraction: 1/2 would be a float
        number, rest = expr.as_coeff_Mul()
        level = precedence(expr)
        text = "*".join(self.parenthesize(a, level, strict=False) for a in sp.Mul.make_args(rest))
        if not number.is_Rational:
            return f"{self.parenthesize(number, level, strict=False)}*{text}"
        below = f"/{number.q}" if number.q != 1 else ""
        above = {1: "", -1: "-"}.get(number.p, f"{number.p}*")
        return f"{above}{text}{below}"

    def _print(self, expr: Any, **kwargs: Any) -> str:
        if isinstance(expr, LossCDF):
            z, x = (self._print(a) for a in expr.args[:2])
            return f"F({z})({x}{', strict=True' if expr.args[2] == 1 else ''})"
        if isinstance(expr, Outcomes):
            return f"Outcomes({', '.join(map(json.dumps, expr.names))})"
        return str(super()._print(expr, **kwargs))

    def form(self, form: Any) -> str:
        """A claim or hypothesis."""
        if isinstance(form, Relational):
            return f"{_RELATIONS[form.rel_op]}({self._print(form.lhs)}, {self._print(form.rhs)})"
        if isinstance(form, tuple):
            return f"({''.join(f'{self.form(x)}, ' for x in form)})"
        if isinstance(form, lang.FORMS) and is_dataclass(form):
            inside = ", ".join(self.form(getattr(form, f.name)) for f in fields(form))
            return f"{type(form).__name__}({inside})"
        return self._print(sp.sympify(form))


def code(statement: Statement, label: str, values: Mapping[Any, Any] | None = None,
         mechanisms: Mapping[PairOf, str] | None = None) -> str:
    """Python that declares the letters of a statement and then claims it under ``label``.

    ``values`` of parameters are hinted at as a witness: letters stay, so that SymPy simplifies
    nothing at a value before the claim stands.  ``mechanisms`` take the place of arbitrary pairs.
    Raises :class:`Unsupported` where the text does not make the statement again.

    >>> from lapdp.privacy.nodes import delta, pair
    >>> (P, Q), eps = pair("P", "Q"), lang.reals("eps")
    >>> print(code(Statement("x", lang.Le(delta(P, Q)(eps), 1 + 2 * eps)), "bound"))
    P, Q = pair("P", "Q")
    eps = reals("eps")
    <BLANKLINE>
    claim("bound", Le(delta(P, Q)(eps), 2*eps + 1))
    """
    values, mechanisms = values or {}, mechanisms or {}
    names = _names(statement)
    printer = _Code(names)
    pairs = _in_order(statement.pairs)
    parts = [[_declared(p, names, mechanisms) for p in pairs],
             _letters(statement, printer)]
    if any(p.mechanism is not None for p in pairs):
        parts.reverse()  # its parameters are among the letters
    lines = [line for part in parts for line in part]
    inside = [f'"{label}"', printer.form(statement.claim)]
    if statement.where:
        inside.append(f"where=[{', '.join(printer.form(h) for h in statement.where)}]")
    if values:
        witness = ", ".join(f'"{s.name}": {printer.doprint(sp.sympify(v))}'
                            for s, v in values.items())
        inside.append(f'hints={{"witness": {{{witness}}}}}')
    text = "\n".join([*lines, "", f"claim({', '.join(inside)})"]).lstrip("\n")
    if not values and not mechanisms:
        _require_same(text, label, statement)
    return text


def _require_same(text: str, label: str, statement: Statement) -> None:
    """Read the text as Python does; it is made of printed trees of a statement, not of strings."""
    from lapdp.theory.statement import collecting

    by_hand = Unsupported(f"the statement {label} cannot be written as Python: write it by hand")
    with collecting() as collector:
        try:
            exec(compile(HEAD + text, "<statement>", "exec"), {})
        except (SyntaxError, NameError, TypeError, AttributeError, ValueError, LapdpError):
            raise by_hand from None
    (made,) = collector.statements.values()
    if made.hash != statement.hash:
        raise by_hand


def _in_order(pairs: Sequence[PairOf]) -> list[PairOf]:
    """All pairs, factors before their products."""
    found: dict[int, PairOf] = {}
    for p in pairs:
        for part in (*_in_order(p.factors), p):
            found.setdefault(id(part), part)
    return list(found.values())


def _names(statement: Statement) -> dict[Any, str]:
    """A Python name for each distribution: its own unless that is taken."""
    taken = {*_public()} | {type(g).__name__ for g in _functions(statement)}
    names: dict[Any, str] = {}

    def give(thing: Any, base: str) -> None:
        chosen, k = base, 2
        while chosen in taken or keyword.iskeyword(chosen):
            chosen, k = f"{base}_{k}", k + 1
        taken.add(chosen)
        names[thing] = chosen

    for s in (*_symbols(statement), *_events(statement)):
        if str(s.name).isidentifier():
            give(s, str(s.name))
    for identity in _in_order(statement.pairs):
        if identity.role is not None:
            raise Unsupported("families of pairs and compositions are written by hand")
        for side, name in enumerate(identity.names):
            give(Distribution(name, identity, side), name if name.isidentifier() else "D")
    return names


@cache
def _public() -> frozenset[str]:
    """The words that the text itself uses."""
    import lapdp
    import lapdp.theory

    return frozenset({"sp", *lapdp.__all__, *lapdp.theory.__all__})



def _declared(identity: PairOf, names: Mapping[Any, str], mechanisms: Mapping[PairOf, str]) -> str:
    own = [Distribution(n, identity, k) for k, n in enumerate(identity.names)]
    left = ", ".join(names[d] for d in own)
    quoted = ", ".join(map(json.dumps, identity.names))
    if identity in mechanisms or identity.mechanism is not None:
        made = mechanisms.get(identity) or _exact(repr(identity.mechanism), names)
        return f"{left} = mechanism_pair({made}, {quoted})"
    if identity.factors:
        parts = ", ".join("({}, {})".format(*(
            names[Distribution(n, f, k)] for k, n in enumerate(f.names))) for f in identity.factors)
        return f"{left} = product_pair({parts}, names=({quoted}))"
    if len(own) > 2:
        return f'{left} = distributions("{" ".join(identity.names)}")'
    return f"{left} = pair({quoted})"


class _Exact(ast.NodeTransformer):
    """A mechanism as it prints itself: fractions exact, words of SymPy under ``sp.``"""

    def __init__(self, letters: Mapping[str, str]) -> None:
        self.letters = letters

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        whole = all(isinstance(e, ast.Constant) for e in (node.left, node.right))
        if whole and isinstance(node.op, ast.Div):
            return ast.Call(ast.Name("sp.Rational"), [node.left, node.right], [])
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.letters:
            return ast.Name(self.letters[node.id])
        bare = node.id in _public() or not hasattr(sp, node.id)
        return node if bare else ast.Name(f"sp.{node.id}")


def _exact(text: str, names: Mapping[Any, str]) -> str:
    letters = {str(s.name): name for s, name in names.items() if type(s) is sp.Symbol}
    try:
        return ast.unparse(_Exact(letters).visit(ast.parse(text, mode="eval")))
    except SyntaxError:
        raise Unsupported(f"the mechanism {text} is declared by hand") from None


def _letters(statement: Statement, printer: _Code) -> list[str]:
    lines: list[str] = []
    groups: dict[str, list[Any]] = {}
    for s in _symbols(statement):
        maker = next((name for name, make in _MAKERS if make(s.name) == s), "")
        if not maker or s not in printer.names:
            raise Unsupported(f"the letter {s} is declared by hand")
        groups.setdefault(maker, []).append(s)
    for maker, letters in groups.items():
        lines.append(f'{", ".join(printer.names[s] for s in letters)} = '
                     f'{maker}("{" ".join(str(s.name) for s in letters)}")')
    lines += [f'{printer.names[s]} = Event("{s.name}")' for s in _events(statement)
              if s in printer.names]
    made = sorted({type(g).__name__ for g in _functions(statement)})
    if made:
        lines.append(f'{", ".join(made)} = functions("{" ".join(made)}")')
    return lines


def _functions(statement: Statement) -> set[Any]:
    return {g for form in (statement.claim, *statement.where) for e in lang.expressions(form)
            for g in sp.sympify(e).atoms(AppliedUndef)}


def _symbols(statement: Statement) -> list[Any]:
    """Free and bound variables."""
    found = {s for form in (statement.claim, *statement.where) for e in lang.expressions(form)
             for s in sp.sympify(e).atoms(sp.Symbol) if type(s) is sp.Symbol}
    found |= set(statement.parameters)  # those of mechanisms
    return sorted((s for s in found if s.name not in ("<", "<=", ">", ">=", "==")),
                  key=lambda s: str(s.name))


def _events(statement: Statement) -> list[Any]:
    found = {s for form in (statement.claim, *statement.where) for e in lang.expressions(form)
             for s in sp.sympify(e).atoms(sp.Symbol) if isinstance(s, Event)}
    return sorted(found, key=lambda s: str(s.name))


__all__ = ["HEAD", "code"]
