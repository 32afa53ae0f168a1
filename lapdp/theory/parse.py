"""Formulas and mechanisms as text: a small language, parsed with ``ast`` and never evaluated.

Text from outside (command line, JSON) reaches SymPy only through the tables of this file: a number
becomes an exact rational, a known name a constant or a call, any other name a symbol.  Whatever is
not in the tables is refused with one line, in bounded time and memory (:mod:`lapdp.theory.guards`).
"""

from __future__ import annotations

import ast
import inspect
import operator
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

import sympy as sp

from lapdp.calculus.nodes import Node
from lapdp.core.errors import InputError, LapdpError
from lapdp.theory import guards
from lapdp.theory.cancelled import Need, lost, of_chain, of_power, of_value
from lapdp.theory.guards import clip
from lapdp.theory.vocabulary import CONSTANTS, FUNCTIONS, HINTS, unknown

MAX_FACTORS = 10**12
"""Factors of one product of mechanisms, powers counted."""
MAX_PIECES = 20
"""Pieces of a piecewise function."""

_SYMPY_ERRORS = (ArithmeticError, MemoryError, NotImplementedError, RecursionError, TypeError,
                 ValueError)
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,31}")
_COMPLEX = frozenset({"s", "q"})
FORMS_OF_PYTHON = frozenset({"Not", "And", "Or", "Implies", "Iff", "Exists", "AllOf", "Continuous",
                             "Converges", "Diverges", "ConvexOn", "NonincreasingOn", "BigO"})
"""Words of the language that no text takes."""
_RELATIONS: dict[type[ast.cmpop], Callable[..., Any]] = {
    ast.Eq: sp.Eq, ast.NotEq: sp.Ne, ast.Lt: sp.Lt, ast.LtE: sp.Le, ast.Gt: sp.Gt, ast.GtE: sp.Ge,
}


def parse_expression(text: str, symbols: Mapping[str, Any] | None = None) -> Any:
    """The SymPy expression that ``text`` writes, exact.

    Numbers and decimals, in quotes or not, are rationals; names outside the tables are symbols:
    ``s`` and ``q`` complex, all others real, unless ``symbols`` gives them.
    ``piecewise((value, condition), ...)`` takes conditions such as ``t > 0`` or ``True``.  Raises
    :class:`InputError`, one line, for all else: unknown functions, attributes, subscripts, other
    strings, values such as 1/0, or anything large.

    >>> parse_expression("0.1*exp(-a*t)/2"), parse_expression("'1e-5'")
    (exp(-a*t)/20, 1/100000)
    >>> parse_expression("L(erf(t), t, s)")
    L(erf(t), t, s)
    """
    line, tree = syntax_tree(text)
    return Reader(line, symbols).expression(tree)


def parse_relation(text: str, symbols: Mapping[str, Any] | None = None) -> Any:
    """The one relation that ``text`` writes, unevaluated (``rel_op``, ``lhs``, ``rhs``).

    Where SymPy cancels a part that needs a condition to have a value, the claim is the relation and
    that condition (:mod:`lapdp.theory.cancelled`).

    >>> parse_relation("L(1, t, s) == 1/s")
    Eq(L(1, t, s), 1/s)
    >>> parse_relation("x/x == 1")
    AllOf(claims=(Eq(1, 1), Ne(x, 0)))
    """
    line, tree = syntax_tree(text)
    return Reader(line, symbols).claim(tree)


def parse_condition(text: str, symbols: Mapping[str, Any] | None = None) -> list[Any]:
    """The relations of a condition; a chain ``a < b < c`` gives one for each sign.

    A condition is met where all of it has a value, also what SymPy cancels.

    >>> parse_condition("0 < re(s) <= 1"), parse_condition("x/x == 1")
    ([0 < re(s), re(s) <= 1], [Eq(1, 1), Ne(x, 0)])
    """
    line, tree = syntax_tree(text)
    return Reader(line, symbols).hypotheses(tree)


def parse_mechanism(text: str, catalogue: Mapping[str, Callable[..., Any]]) -> Any:
    """The mechanism that ``text`` writes in the names of ``catalogue``.

    Calls take expressions, mechanisms, words in quotes such as ``"remove"`` and lists of these,
    by position or keyword; ``*`` is the product of mechanisms and ``** k`` the k-fold product.

    >>> parse_mechanism("noise(scale=0.5)**2", {"noise": lambda scale: scale})
    1/4
    """
    line, tree = syntax_tree(text)
    return MechanismReader(line, catalogue).mechanism(tree, 1)


def parse_call(text: str) -> tuple[str, list[str], dict[str, str]]:
    """The name of the outermost call, and the texts of its arguments, unread.

    >>> parse_call("delta(laplace(2)**10, 0.5, digits=30)")
    ('delta', ['laplace(2)**10', '0.5'], {'digits': '30'})
    """
    line, tree = syntax_tree(text)
    if not (isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name)):
        raise InputError(f"{clip(line)} is no call: write name(...)")
    named = {k.arg: _segment(line, k.value) for k in tree.keywords if k.arg is not None}
    if len(named) < len(tree.keywords):
        raise InputError(f"{tree.func.id}: give each argument once, as name=value")
    return tree.func.id, [_segment(line, a) for a in tree.args], named


def _segment(line: str, node: ast.expr) -> str:
    return ast.get_source_segment(line, node) or ""


def syntax_tree(text: str) -> tuple[str, ast.expr]:
    """The text on one line and its syntax tree; :class:`InputError` where there is none."""
    line = guards.checked_text(text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", SyntaxWarning)  # such as "1if": a slip, never meant
            tree = ast.parse(line, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        equality = re.search(r"[^<>=!]=[^=]", line)
        hint = "write == for equality" if equality else "check signs and commas"
        raise InputError(f"cannot read {clip(line)}: {hint}") from error
    if sum(1 for _ in ast.walk(tree)) > guards.MAX_NODES:
        raise InputError(f"{clip(line)} has too many parts: split the formula")
    return line, tree


class Reader:
    """Walks a syntax tree; every value it returns has been found small and defined."""

    def __init__(self, line: str, symbols: Mapping[str, Any] | None = None) -> None:
        self.line, self.symbols = line, dict(symbols or {})
        self.sizes = guards.Sizes()
        self.budget = guards.Budget()
        self.depth = 0
        self.needs: list[Need] = []

    def claim(self, node: ast.expr) -> Any:
        """The one relation of a claim, with the conditions of what has been cancelled in it."""
        found = self.relations(node)
        if len(found) > 1:
            raise InputError(
                f"{clip(self.line)} is a chain: write one relation, such as LHS == RHS")
        more = lost(self.needs, getattr(found[0], "args", ()))
        if not more:
            return found[0]
        from lapdp.theory.language import AllOf  # a number is read without what claims need

        return AllOf((found[0], *(need.formula for need in more)))

    def hypotheses(self, node: ast.expr) -> list[Any]:
        """The relations of a hypothesis, with the conditions of what has been cancelled in it."""
        from lapdp.theory.language import expressions  # a number is read without it

        found = self.relations(node)
        more = lost(self.needs, [e for h in found for e in expressions(h)])
        return [*found, *(need.formula for need in more)]

    def expression(self, node: ast.expr) -> Any:
        """The value of a node that must be an expression."""
        if self.depth:
            return self._nested(node)
        with self.budget:
            return self._nested(node)

    def _nested(self, node: ast.expr) -> Any:
        self.depth += 1
        if self.depth > guards.MAX_DEPTH:
            raise InputError(f"{clip(self.line)} is nested deeper than {guards.MAX_DEPTH}")
        try:
            value = self.sizes.checked(self._value(node))
        except LapdpError:
            raise
        except _SYMPY_ERRORS as why:
            reason = " ".join(str(why).split())[:80] or "SymPy cannot build it"
            raise InputError(f"cannot read {clip(self.text(node))}: {reason}") from why
        self.budget.check()
        self.depth -= 1
        return value

    def _value(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Constant):
            return self._number(node)
        if isinstance(node, ast.Name):
            return self._name(node.id)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            value = self.expression(node.operand)
            return -value if isinstance(node.op, ast.USub) else value
        if isinstance(node, ast.BinOp):
            return self._operation(node)
        if isinstance(node, ast.Call):
            return self._call(node)
        self.refuse(node)

    def relations(self, node: ast.expr) -> list[Any]:
        """The relations of a comparison, in order."""
        if not isinstance(node, ast.Compare):
            if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
                raise InputError(f"{clip(self.text(node))} is two conditions: give each by itself, "
                                 "or write 0 < eps < 1")
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and (
                    node.func.id in FORMS_OF_PYTHON):
                raise InputError(f"{clip(self.text(node))}: {node.func.id} is written in Python, "
                                 "where claim(...) takes it; a text is one relation, "
                                 "with hypotheses beside it")
            raise InputError(f"{clip(self.text(node))} is no relation: use == != < <= > >=")
        if isinstance(node.ops[0], ast.In) and isinstance(
                node.comparators[0], (ast.List, ast.Tuple)):
            raise InputError(f"{clip(self.text(node))}: write two relations, such as 0 <= eps and "
                             "eps <= 1, each by itself")
        sides = [self.expression(side) for side in (node.left, *node.comparators)]
        for op in node.ops:
            if type(op) not in _RELATIONS:
                raise InputError(f"{clip(self.text(node))}: relations are == != < <= > >=")
        return [_RELATIONS[type(op)](a, b, evaluate=False)
                for op, a, b in zip(node.ops, sides[:-1], sides[1:], strict=True)]

    def text(self, node: ast.AST) -> str:
        """The piece of the line that a node was read from."""
        return ast.get_source_segment(self.line, node) or self.line

    def refuse(self, node: ast.expr) -> NoReturn:
        """Raise the error that says what a node is and why it is not read."""
        reasons = {
            ast.Attribute: "names have no attributes; write f(x), not x.f()",
            ast.Subscript: "subscripts are not read; write names such as x_1",
            ast.List: "a list stands only among the arguments of a mechanism",
            ast.Tuple: "a tuple stands only in piecewise((value, condition), ...)",
            ast.Compare: "a relation where an expression is expected",
            ast.BoolOp: "write one condition at a time",
        }
        if isinstance(node, ast.Subscript) and self.text(node.value) in ("Pr", "P", "Prob"):
            raise InputError(f"cannot read {clip(self.text(node))}: write Pr(PLD(P, Q) > eps)")
        why = reasons.get(type(node), "only numbers, names, + - * / ** and calls are read")
        raise InputError(f"cannot read {clip(self.text(node))}: {why}")

    def _number(self, node: ast.Constant) -> Any:
        if isinstance(node.value, str):
            found = guards.number_in_quotes(self._in_quotes(node))
            if found is None:
                raise InputError(f"cannot read {clip(self.text(node))}: {guards.QUOTES}")
            return found
        if isinstance(node.value, bool) or not isinstance(node.value, (int, float)):
            raise InputError(f"cannot read {clip(self.text(node))}: write numbers such as 3 or 0.1")
        # from the text: the syntax tree holds a double where a decimal was written
        return guards.exact_number(self.text(node))

    def _in_quotes(self, node: ast.Constant) -> str:
        """What one pair of quotes holds: Python joins two texts that follow each other."""
        text = self.text(node)[1:-1]
        if text != node.value:
            raise InputError(f"cannot read {clip(self.text(node))}: {guards.QUOTES}")
        return text

    def _name(self, name: str) -> Any:
        known = "lambda" if name == guards.LAMBDA else name
        if known in self.symbols:
            return self.symbols[known]
        if name in CONSTANTS:
            return CONSTANTS[name]
        if name in FUNCTIONS or name == "piecewise":
            raise InputError(f"{name} is a function: write {name}(...), or choose another name")
        if name in HINTS:
            raise unknown(name, FUNCTIONS)
        if name == guards.LAMBDA:
            return sp.Symbol("lambda", real=True)
        if not _IDENTIFIER.fullmatch(name) or name.startswith("__"):
            raise InputError(f"{clip(name)} is no name: use up to 32 letters, digits, underscores")
        return sp.Symbol(name, complex=True) if name in _COMPLEX else sp.Symbol(name, real=True)

    def _operation(self, node: ast.BinOp) -> Any:
        if isinstance(node.op, (ast.Add, ast.Sub)):
            return self._total(self._chain(node, (ast.Add, ast.Sub)))
        if isinstance(node.op, (ast.Mult, ast.Div)):
            return self._total(self._chain(node, (ast.Mult, ast.Div)), product=True)
        if isinstance(node.op, ast.Pow):
            base, exponent = self.expression(node.left), self.expression(node.right)
            guards.check_power(base, exponent)
            self.needs += of_power(base, exponent)
            return base**exponent
        if isinstance(node.op, ast.BitXor):
            raise InputError(f"cannot read {clip(self.text(node))}: write ** for powers, not ^")
        self.refuse(node)

    def _total(self, parts: list[Any], product: bool = False) -> Any:
        self.needs += of_chain(parts, product)
        return self.sizes.total(parts, product)

    def _chain(self, node: ast.expr, ops: tuple[type[ast.operator], ...]) -> list[Any]:
        """Terms of a sum or factors of a product: long ones must not cost depth."""
        terms = []
        while isinstance(node, ast.BinOp) and isinstance(node.op, ops):
            terms.append(self._inverted(node.op, self.expression(node.right)))
            node = node.left
        terms.append(self.expression(node))
        return terms[::-1]

    def _inverted(self, op: ast.operator, value: Any) -> Any:
        if isinstance(op, ast.Sub):
            return -value
        if isinstance(op, ast.Div):
            if value == 0:
                raise InputError(f"division by 0 in {clip(self.line)}")
            self.needs += of_power(value, sp.Integer(-1))
            return self.sizes.checked(1 / value)
        return value

    def _call(self, node: ast.Call) -> Any:
        if not isinstance(node.func, ast.Name):
            self.refuse(node.func)
        name = node.func.id
        if name == "piecewise":
            return self._piecewise(node)
        if name not in FUNCTIONS:
            raise unknown(name, {**FUNCTIONS, "piecewise": None})
        known, count = FUNCTIONS[name], len(node.args)
        if node.keywords:
            raise InputError(f"{name} takes its arguments by position")
        if not known.least <= count <= known.most:
            wanted = f"{known.least}" if known.least == known.most else \
                f"{known.least} to {known.most}"
            raise InputError(f"{name} takes {wanted} arguments, not {count}")
        before, self.needs = self.needs, []
        arguments = [self.expression(a) for a in node.args]
        known.check(name, *arguments)
        if name == "exp":
            guards.check_exp(arguments[0])
        elif name == "sqrt":
            guards.check_power(arguments[0], sp.Rational(1, 2))
        value = known.build(*arguments)
        bound = {s for a in arguments for s in a.free_symbols} - value.free_symbols
        self._settle(node, value.args if isinstance(value, Node) else (value,), [
            need for need in self.needs if need.of.free_symbols & bound])
        self.needs = [*before, *(n for n in self.needs if not n.of.free_symbols & bound),
                      *of_value(value, name, *arguments[:1])]
        return value

    def _settle(self, node: ast.expr, kept: Sequence[Any], needs: Sequence[Need]) -> None:
        """Refuse a part that is cancelled below a binder: its condition cannot be claimed outside.
        """
        for need in lost(needs, kept):
            raise InputError(f"cannot read {clip(self.text(node))}: {need.words} is needed for a "
                             "part that cancels; write it cancelled")

    def _piecewise(self, node: ast.Call) -> Any:
        before, self.needs = self.needs, []
        pieces = []
        for piece in node.args:
            if not isinstance(piece, ast.Tuple) or len(piece.elts) != 2:
                raise InputError("write piecewise((value, condition), ..., (value, True))")
            value, condition = piece.elts
            always = isinstance(condition, ast.Constant) and condition.value is True
            holds = sp.true if always else sp.And(*self.relations(condition), evaluate=False)
            pieces.append((self.expression(value), holds))
        if node.keywords or not 0 < len(pieces) <= MAX_PIECES:
            raise InputError(f"piecewise takes 1 to {MAX_PIECES} pieces (value, condition)")
        self._settle(node, [value for value, _ in pieces], self.needs)
        self.needs = before
        # unevaluated: SymPy would solve the conditions
        return sp.Piecewise(*pieces, evaluate=False)


class MechanismReader(Reader):
    """The language of mechanisms: calls of a catalogue, products, powers."""

    def __init__(self, line: str, catalogue: Mapping[str, Callable[..., Any]],
                 symbols: Mapping[str, Any] | None = None) -> None:
        super().__init__(line, symbols)
        self.catalogue = catalogue

    def mechanism(self, node: ast.expr, copies: int) -> Any:
        """The mechanism of a node that stands in a product ``copies`` times."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self._mechanism_call(node, node.func.id, copies)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            count = self.expression(node.right)
            if not count.is_Integer or count < 1 or copies * count > MAX_FACTORS:
                raise InputError(f"cannot read {clip(self.text(node))}: powers of mechanisms are "
                                 f"integers, at least 1; at most {MAX_FACTORS} factors")
            factor = self.mechanism(node.left, copies * int(count))
            return self._joined(node, operator.pow, factor, int(count))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            factors = []
            rest: ast.expr = node
            while isinstance(rest, ast.BinOp) and isinstance(rest.op, ast.Mult):
                factors.append(rest.right)
                rest = rest.left
            product = self.mechanism(rest, copies)
            for factor in reversed(factors):
                product = self._joined(node, operator.mul, product, self.mechanism(factor, copies))
            return product
        if isinstance(getattr(node, "func", node), ast.Attribute):
            raise InputError(f"cannot read {clip(self.text(node))}: write f(mechanism), "
                             "such as reverse(gaussian(1))")
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitXor):
            raise InputError(f"cannot read {clip(self.text(node))}: powers are written **, such as "
                             "gaussian(1)**10")
        raise InputError(f"{clip(self.text(node))} is no mechanism: write calls such as "
                         "gaussian(sigma=1), * for products, ** for powers")

    def _joined(self, node: ast.expr, join: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
        try:
            return join(a, b)
        except TypeError as error:
            raise InputError(f"cannot read {clip(self.text(node))}: no product of these mechanisms "
                             "is known") from error

    def _mechanism_call(self, node: ast.Call, name: str, copies: int) -> Any:
        if name not in self.catalogue:
            raise unknown(name, self.catalogue)
        build = self.catalogue[name]
        given = {k.arg: k.value for k in node.keywords}
        if None in given or len(given) < len(node.keywords):
            raise InputError(f"{name}: give each argument once, as name=value")
        arguments = [self._argument(a, copies) for a in node.args]
        named = {str(key): self._argument(value, copies) for key, value in given.items()}
        taken = inspect.signature(build).parameters
        open_ended = any(p.kind is p.VAR_KEYWORD for p in taken.values())
        for key in named:
            if key not in taken and not open_ended:
                raise InputError(f"{name} has no parameter {clip(key)}; it is "
                                 f"{name}{_parameters(build)}")
        try:
            inspect.signature(build).bind(*arguments, **named)
        except TypeError as error:
            raise InputError(f"{name}: {error}; it is {name}{_parameters(build)}") from error
        return build(*arguments, **named)

    def _argument(self, node: ast.expr, copies: int) -> Any:
        """A list, a word, a mechanism or an expression."""
        if isinstance(node, (ast.List, ast.Tuple)):
            return [self._argument(element, copies) for element in node.elts]
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and (
                _IDENTIFIER.fullmatch(node.value)):
            return self._in_quotes(node)
        if any(isinstance(n, ast.Name) and n.id in self.catalogue for n in ast.walk(node)):
            return self.mechanism(node, copies)
        return self.expression(node)


def _parameters(build: Callable[..., Any]) -> str:
    parameters = inspect.signature(build).parameters.values()
    return "(" + ", ".join(
        p.name if p.default is p.empty else f"{p.name}={p.default}" for p in parameters
    ) + ")"
