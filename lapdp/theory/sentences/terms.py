"""Numbers: expressions of SymPy as terms, node by node, nothing evaluated."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

from lapdp.calculus import nodes as cn
from lapdp.calculus import sequences as sq
from lapdp.theory.sentences.scope import NotSaid, Scope, refuse, sort_key

RELATIONS = {sp.Eq: "x == y", sp.Ne: "not x == y", sp.Le: "x <= y", sp.Lt: "x < y",
             sp.Ge: "y <= x", sp.Gt: "y < x"}
MEANINGS: dict[type, str | Callable[[Any, Any], int]] = {}
"""What each node of the language says; filled by the modules that read notions.

A text names the arguments of the node and then says what it means.  Arguments with small letters
are numbers, real but for z; f(t) stands for two arguments, an expression and its variable; capitals
are left as they are.
"""


class Terms(Scope):
    """Reads expressions; ``real`` refuses what is not of sort R."""

    def real(self, e: Any) -> int:
        """A real term."""
        found = self.term(e)
        refuse(self.b.sorts[found] != "R", "a complex number where a real one is expected")
        return found

    def term(self, e: Any) -> int:
        """The term of an expression, of sort R or C."""
        e = sp.sympify(e)
        if e in self.bound:
            return self.bound[e]
        meaning = MEANINGS.get(type(e))
        if meaning is not None:
            return self.define(meaning, e.args) if isinstance(meaning, str) else meaning(self, e)
        if isinstance(e, sp.Symbol):
            refuse((type(e), e) not in self.letters, f"the letter {e} of kind {type(e).__name__}")
            return self.letters[type(e), e]
        if isinstance(e, sp.Rational):
            return self.b.number(int(e.p), int(e.q))
        if e.is_Add or e.is_Mul:
            parts = [self.term(a) for a in sorted(e.args, key=sort_key)]
            return self.total(parts) if e.is_Add else self.product(parts)
        if isinstance(e, AppliedUndef) and len(e.args) == 1:
            g = self.letter(type(e).__name__ + "()", type(e).__name__, "G")
            return self.b.make("app", g, self.real(e.args[0]))
        raise NotSaid(f"the node {type(e).__name__}")

    def define(self, text: str, args: Any) -> int:
        """What a text of :data:`MEANINGS` says of the arguments of its node."""
        header, _, meaning = text.rpartition(": ")
        names: dict[str, Any] = {}
        rest = iter(args)
        for name in header.split(", ") if header else ():
            value = next(rest)
            if name.endswith(")"):
                names[name.partition("(")[0]] = self.function(value, next(rest))
            else:
                names[name] = value if name.isupper() else (
                    self.term if name == "z" else self.real)(value)
        return self.say(meaning, **names)

    def function(self, body: Any, variable: Any, real: bool = False) -> Callable[[int], int]:
        """An expression as a function of one of its letters."""
        def at(x: int) -> int:
            with self.where({variable: x}):
                return self.real(body) if real else self.term(body)
        return at

    def partial(self, known: bool | None, what: str) -> None:
        """A function that has other values than the kernel's outside its domain."""
        refuse(known is not True and not self.claiming,
               f"in a hypothesis: {what} of what is not seen to be in its domain")

    # -- conditions inside of terms ---------------------------------------------------------------

    def condition(self, c: Any) -> int:
        """A Boolean combination of relations between numbers, as a formula."""
        yes, no = self.truth(), self.b.make("false")
        if c in (sp.true, sp.false):
            return yes if c == sp.true else no
        if isinstance(c, sp.Not):
            found = self.condition(c.args[0])
            return no if found == yes else yes if found == no else self.b.make("not", found)
        if isinstance(c, (sp.And, sp.Or)):
            symbol, unit, end = ("and", yes, no) if isinstance(c, sp.And) else ("or", no, yes)
            parts = []
            for f in (self.condition(a) for a in sorted(c.args, key=sort_key)):
                if f == end:
                    return end
                parts += [f] * (f != unit)
            return reduce(lambda f, g: self.b.make(symbol, f, g), parts) if parts else unit
        if isinstance(c, Relational):
            return self.compare(c)
        raise NotSaid(f"the condition {type(c).__name__}")

    def compare(self, c: Any) -> int:
        """A relation between two numbers."""
        return self.related(c, self.term(c.lhs), self.term(c.rhs))

    def related(self, c: Any, x: int, y: int) -> int:
        """The relation of the same kind between two terms."""
        return self.say(RELATIONS[type(c)], x=x, y=y)


def _log(e: Terms, x: Any) -> int:
    inner = e.term(x.args[0])
    if e.b.sorts[inner] == "R":
        e.partial(x.args[0].is_positive, "a logarithm")
    return e.say("log(x)" if e.b.sorts[inner] == "R" else "clog(x)", x=inner)


def _extremum(e: Terms, x: Any) -> int:
    return reduce(lambda s, t: e.b.make("max" if isinstance(x, sp.Max) else "min", s, t),
                  [e.real(a) for a in sorted(x.args, key=sort_key)])


def _piecewise(e: Terms, x: Any) -> int:
    branches = list(x.args)
    found = e.term(branches.pop()[0]) if branches[-1][1] == sp.true else e.say("inv(0)")
    for value, condition in reversed(branches):
        found = e.case(e.condition(condition), e.term(value), found)
    return found


def _sequence(e: Terms, x: Any) -> int:
    name, index = x.args
    return e.say("app(g, n)", g=e.letter((type(name), name), name.name, "G"), n=e.real(index))


def _part(e: Terms, x: Any) -> int:
    inner, _ = e.same(e.term(x.args[0]), e.b.make("i"))
    return e.b.make(type(x).__name__, inner)


MEANINGS.update({
    sp.exp: "z: exp(z)", sp.Abs: "z: abs(z)", sp.erfc: "x: erfc(x)", sp.erf: "x: 1 - erfc(x)",
    sp.cos: "x: cos(x)", sp.sin: "x: sin(x)",
    sp.tanh: "z: (exp(z) - exp(-z)) / (exp(z) + exp(-z))",
    sp.core.numbers.Pi: "pi", sp.core.numbers.Exp1: "exp(1)", sp.core.numbers.ImaginaryUnit: "i",
    sp.log: _log, sp.Max: _extremum, sp.Min: _extremum, sp.Piecewise: _piecewise,
    cn.Indicator: lambda e, x: e.say("case(c, 1, 0)", c=e.condition(x.args[0])),
    sq.Term: _sequence, sp.re: _part, sp.im: _part,
})
