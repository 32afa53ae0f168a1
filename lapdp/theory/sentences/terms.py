"""Numbers: expressions of SymPy as terms, node by node, nothing evaluated."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

from lapdp.calculus import nodes as cn
from lapdp.calculus import sequences as sq
from lapdp.theory.sentences.scope import NotSaid, Scope, sort_key, sort_of

MOST_FACTORS = 12
ORDERS: dict[type, str] = {ast.Eq: "eq", ast.Lt: "lt", ast.LtE: "le"}
Handler = Callable[[Any, Any], int]
NODES: dict[type, Handler] = {}
"""What each node of the language says; filled by the modules that read notions."""


@cache
def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


class Terms(Scope):
    """Reads expressions; ``real`` refuses what is not of sort R."""

    # -- terms of one sort ------------------------------------------------------------------------

    def same(self, *terms: int) -> list[int]:
        """Real terms beside complex ones become complex."""
        sorts = {self.b.sorts[t] for t in terms}
        if not sorts <= {"R", "C"}:
            raise NotSaid("a number is expected")
        if sorts != {"R", "C"}:
            return list(terms)
        return [t if self.b.sorts[t] == "C" else self.b.make("cx", t) for t in terms]

    def num(self, symbol: str, *terms: int) -> int:
        """A symbol of the table on numbers of one sort."""
        return self.b.make(symbol, *self.same(*terms))

    def total(self, terms: list[int]) -> int:
        """A sum, from left to right; 0 for none."""
        found = terms[0] if terms else self.b.number(0)
        for t in terms[1:]:
            found = self.num("add", found, t)
        return found

    def product(self, terms: list[int]) -> int:
        """A product, from left to right; 1 for none."""
        found = terms[0] if terms else self.b.number(1)
        for t in terms[1:]:
            found = self.num("mul", found, t)
        return found

    def minus(self, t: int) -> int:
        """-t"""
        return self.num("mul", self.b.number(-1), t)

    def say(self, text: str, **terms: int) -> int:
        """The term or formula that a text says, of named terms: arithmetic, order, symbols of the
        kernel, and ``case(test, yes, no)``.

        >>> from lapdp.kernel.printing import text
        >>> from lapdp.kernel.terms import Bank
        >>> e = Terms(Bank())
        >>> text(e.b, e.say("case(0 < x, 2 * x, 0)", x=e.b.letter("x", "R")))
        'if((0 < x), (2 * x), 0)'
        """
        def read(node: Any) -> int:
            if isinstance(node, ast.Name):
                return terms[node.id] if node.id in terms else self.b.make(node.id)
            if isinstance(node, ast.Constant):
                return self.b.number(int(str(node.value)))
            if isinstance(node, ast.UnaryOp):
                inner = read(node.operand)
                return self.minus(inner) if isinstance(node.op, ast.USub) else self.b.make(
                    "not", inner)
            if isinstance(node, ast.BinOp):
                first, second = read(node.left), read(node.right)
                if isinstance(node.op, ast.Mult):
                    return self.num("mul", first, second)
                return self.num("add", first, second if isinstance(node.op, ast.Add)
                                else self.minus(second))
            if isinstance(node, ast.BoolOp):
                symbol = "and" if isinstance(node.op, ast.And) else "or"
                return self.b.make(symbol, *map(read, node.values))
            if isinstance(node, ast.Compare):
                return self.num(ORDERS[type(node.ops[0])], read(node.left),
                                read(node.comparators[0]))
            assert isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            parts = [read(a) for a in node.args]
            return self.case(*parts) if node.func.id == "case" else self.b.make(
                node.func.id, *parts)

        return read(_parsed(text))

    def either(self, test: int, yes: int, no: int) -> int:
        """``if``; one value where both branches are the same."""
        return yes if yes == no else self.case(test, yes, no)

    def case(self, test: int, yes: int, no: int) -> int:
        """``if`` as it stands; of formulas, what each case implies."""
        make = self.b.make
        if self.b.sorts[yes] == "F":
            return make("and", make("imp", test, yes), make("imp", make("not", test), no))
        return make("if", test, *self.same(yes, no))

    def nowhere(self) -> int:
        """A term without a meaning: 1/0."""
        return self.b.make("inv", self.b.number(0))

    def zero(self, like: int) -> int:
        """0 of the sort of a term; for formulas, what is true."""
        if self.b.sorts[like] == "F":
            return self.truth()
        nothing = self.b.number(0)
        return nothing if self.b.sorts[like] == "R" else self.b.make("cx", nothing)

    def logarithm(self, t: int) -> int:
        """log t, of a complex number the principal one."""
        return self.b.make("log" if self.b.sorts[t] == "R" else "clog", t)

    def real(self, e: Any) -> int:
        """A real term."""
        found = self.term(e)
        if self.b.sorts[found] != "R":
            raise NotSaid("a complex number where a real one is expected")
        return found

    # -- reading ----------------------------------------------------------------------------------

    def term(self, e: Any) -> int:
        """The term of an expression, of sort R or C."""
        e = sp.sympify(e)
        if e in self.bound:
            return self.bound[e]
        handler = NODES.get(type(e))
        if handler is not None:
            return handler(self, e)
        if isinstance(e, sp.Symbol):
            if (type(e), e) not in self.letters:
                raise NotSaid(f"the letter {e} of kind {type(e).__name__}")
            return self.letters[type(e), e]
        if isinstance(e, sp.Rational):
            return self.b.number(int(e.p), int(e.q))
        if e.is_Add:
            return self.total([self.term(a) for a in sorted(e.args, key=sort_key)])
        if e.is_Mul:
            return self.product([self.term(a) for a in sorted(e.args, key=sort_key)])
        if e.is_Pow:
            return self.power(e.base, e.exp)
        if isinstance(e, AppliedUndef) and len(e.args) == 1:
            g = self.letter(type(e).__name__ + "()", type(e).__name__, "G")
            return self.b.make("app", g, self.real(e.args[0]))
        raise NotSaid(f"the node {type(e).__name__}")

    def power(self, base: Any, exponent: Any) -> int:
        """b^n by products, b^(n/2) by roots, b^x with b > 0 by exp and log."""
        if exponent.is_Rational and exponent.q <= 2 and abs(exponent.p) <= MOST_FACTORS:
            x = self.term(base)
            if exponent.q == 2:
                self.partial(base, base.is_nonnegative, "a square root")
                if self.b.sorts[x] != "R":
                    raise NotSaid("a complex square root")
                x = self.b.make("sqrt", x)
            found = self.product([x] * abs(int(exponent.p)))
            return self.b.make("inv", found) if exponent < 0 else found
        if not base.is_positive:
            return self.repeated(base, exponent)
        return self.exponential(base, exponent)

    def exponential(self, base: Any, exponent: Any) -> int:
        """exp(x log b)."""
        return self.b.make("exp", self.num("mul", self.term(exponent),
                                           self.b.make("log", self.real(base))))

    def repeated(self, base: Any, exponent: Any) -> int:
        """A power with a symbolic exponent, of what is not seen to be positive."""
        self.stricter("a power whose base must be positive")
        return self.exponential(base, exponent)

    def partial(self, e: Any, known: bool | None, what: str) -> None:
        """A function that has other values than the kernel's outside its domain."""
        if known is not True and not self.claiming:
            raise NotSaid(f"in a hypothesis: {what} of what is not seen to be in its domain")

    # -- conditions inside of terms ---------------------------------------------------------------

    def condition(self, c: Any) -> int:
        """A Boolean combination of relations between numbers, as a formula."""
        make = self.b.make
        if c == sp.true:
            return self.truth()
        if c == sp.false:
            return make("false")
        yes, no = self.truth(), make("false")
        if isinstance(c, sp.Not):
            found = self.condition(c.args[0])
            return no if found == yes else yes if found == no else make("not", found)
        if isinstance(c, (sp.And, sp.Or)):
            symbol, unit, end = ("and", yes, no) if isinstance(c, sp.And) else ("or", no, yes)
            found = unit
            for f in (self.condition(a) for a in sorted(c.args, key=sort_key)):
                if f == end:
                    return end
                found = f if found == unit else found if f == unit else make(symbol, found, f)
            return found
        if isinstance(c, Relational):
            return self.compare(c)
        raise NotSaid(f"the condition {type(c).__name__}")

    def compare(self, c: Any) -> int:
        """A relation between two numbers."""
        return self.related(c, self.term(c.lhs), self.term(c.rhs))

    def related(self, c: Any, x: int, y: int) -> int:
        """The relation of the same kind between two terms."""
        make = self.b.make
        if isinstance(c, (sp.Eq, sp.Ne)):
            equal = self.num("eq", x, y)
            return equal if isinstance(c, sp.Eq) else make("not", equal)
        if {self.b.sorts[x], self.b.sorts[y]} != {"R"}:
            raise NotSaid("an order of complex numbers")
        if isinstance(c, (sp.Le, sp.Lt)):
            return make("le" if isinstance(c, sp.Le) else "lt", x, y)
        return make("le" if isinstance(c, sp.Ge) else "lt", y, x)


def _function(symbol: str) -> Handler:
    return lambda e, x: e.b.make(symbol, e.real(x.args[0]))


def _log(e: Terms, x: Any) -> int:
    inner = e.term(x.args[0])
    if e.b.sorts[inner] == "R":
        e.partial(x.args[0], x.args[0].is_positive, "a logarithm")
    return e.logarithm(inner)


def _tanh(e: Terms, x: Any) -> int:
    return e.say("(exp(x) - exp(-x)) * inv(exp(x) + exp(-x))", x=e.term(x.args[0]))


def _extremum(e: Terms, x: Any) -> int:
    found, *rest = (e.real(a) for a in sorted(x.args, key=sort_key))
    for t in rest:
        found = e.b.make("max" if isinstance(x, sp.Max) else "min", found, t)
    return found


def _piecewise(e: Terms, x: Any) -> int:
    branches = list(x.args)
    found = e.term(branches.pop()[0]) if branches[-1][1] == sp.true else e.nowhere()
    for value, condition in reversed(branches):
        found = e.case(e.condition(condition), e.term(value), found)
    return found


def _sequence(e: Terms, x: Any) -> int:
    name, index = x.args
    g = e.letter((type(name), name), name.name, "G")
    return e.b.make("app", g, e.real(index))


NODES.update({
    sp.exp: lambda e, x: e.b.make("exp", e.term(x.args[0])),
    sp.log: _log,
    sp.erfc: _function("erfc"), sp.cos: _function("cos"), sp.sin: _function("sin"),
    sp.erf: lambda e, x: e.say("1 - erfc(x)", x=e.real(x.args[0])),
    sp.Max: _extremum, sp.Min: _extremum, sp.tanh: _tanh,
    sp.Abs: lambda e, x: e.b.make("abs", e.term(x.args[0])),
    sp.core.numbers.Pi: lambda e, x: e.b.make("pi"),
    sp.core.numbers.Exp1: lambda e, x: e.b.make("exp", e.b.number(1)),
    sp.core.numbers.ImaginaryUnit: lambda e, x: e.b.make("i"),
    sp.Piecewise: _piecewise,
    cn.Indicator: lambda e, x: e.b.make("if", e.condition(x.args[0]), e.b.number(1),
                                        e.b.number(0)),
    sq.Term: _sequence,
})


def _part(e: Terms, x: Any) -> int:
    inner = e.term(x.args[0])
    return e.b.make(type(x).__name__, *(e.same(inner, e.b.make("i"))[:1]))


NODES.update({sp.re: _part, sp.im: _part})

__all__ = ["NODES", "Terms", "sort_of"]
