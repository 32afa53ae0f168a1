"""Numbers: expressions of SymPy as terms, node by node, nothing evaluated."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

from lapdp.calculus import nodes as cn
from lapdp.calculus import sequences as sq
from lapdp.theory.sentences.scope import NotSaid, Scope, refuse

RELATIONS = {sp.Eq: "x == y", sp.Ne: "not x == y", sp.Le: "x <= y", sp.Lt: "x < y",
             sp.Ge: "y <= x", sp.Gt: "y < x"}
MEANINGS: dict[type, str | Callable[..., int]] = {}
"""What each node of the language says: a function of its arguments (or of an atom), or a text.
The modules that read notions fill it.

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
            return self.define(meaning, *e.args) if isinstance(meaning, str) else (
                meaning(self, *(e.args or [e])))
        if isinstance(e, sp.Symbol):
            refuse((type(e), e) not in self.letters, f"the letter {e} of kind {type(e).__name__}")
            return self.letters[type(e), e]
        if isinstance(e, sp.Rational):
            return self.b.number(int(e.p), int(e.q))
        if e.is_Add or e.is_Mul:
            parts = [self.term(a) for a in sorted(e.args, key=sp.default_sort_key)]
            return self.total(parts) if e.is_Add else self.product(parts)
        if isinstance(e, AppliedUndef) and len(e.args) == 1:
            g = self.letter(type(e).__name__ + "()", type(e).__name__, "G")
            return self.b.make("app", g, self.real(e.args[0]))
        raise NotSaid(f"the node {type(e).__name__}")

    def define(self, text: str, *args: Any) -> int:
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
            for f in (self.condition(a) for a in sorted(c.args, key=sp.default_sort_key)):
                if f == end:
                    return end
                parts += [f] * (f != unit)
            return reduce(lambda f, g: self.b.make(symbol, f, g), parts) if parts else unit
        if isinstance(c, Relational):
            return self.compare(c)
        raise NotSaid(f"the condition {type(c).__name__}")

    def piecewise(self, branches: Any, read: Callable[[Any], Any]) -> Any:
        """The first value whose condition holds; none has a meaning where no condition does."""
        closed = branches[-1][1] == sp.true
        found = read(branches[-1][0]) if closed else self.say("inv(0)")
        for branch, condition in reversed(branches[:-1] if closed else branches):
            test = self.condition(condition)
            value = read(branch) if test != self.b.make("false") else found
            if test == self.truth():
                found = value
            elif value != found:
                refuse(str in map(type, (value, found)), "a choice between infinite values")
                found = self.case(test, value, found)
        return found

    def compare(self, c: Any) -> int:
        """A relation between two numbers."""
        return self.related(c, self.term(c.lhs), self.term(c.rhs))

    def related(self, c: Any, x: int, y: int) -> int:
        """The relation of the same kind between two terms."""
        return self.say(RELATIONS[type(c)], x=x, y=y)


def _log(e: Terms, z: Any) -> int:
    inner = e.term(z)
    if e.b.sorts[inner] == "C":
        return e.say("clog(z)", z=inner)
    e.partial(z.is_positive, "a logarithm")
    return e.say("log(x)", x=inner)


def _extremum(symbol: str) -> Callable[..., int]:
    return lambda e, *args: reduce(partial(e.b.make, symbol), [
        e.real(a) for a in sorted(args, key=sp.default_sort_key)])


def _part(symbol: str) -> Callable[..., int]:
    return lambda e, z: e.b.make(symbol, e.same(e.term(z), e.b.make("i"))[0])


MEANINGS.update({
    sp.exp: "z: exp(z)", sp.Abs: "z: abs(z)", sp.erfc: "x: erfc(x)", sp.erf: "x: 1 - erfc(x)",
    sp.cos: "x: cos(x)", sp.sin: "x: sin(x)",
    sp.tanh: "z: (exp(z) - exp(-z)) / (exp(z) + exp(-z))",
    sp.core.numbers.Pi: "pi", sp.core.numbers.Exp1: "exp(1)", sp.core.numbers.ImaginaryUnit: "i",
    sp.log: _log, sp.Max: _extremum("max"), sp.Min: _extremum("min"), 
    sp.Piecewise: lambda e, *branches: e.piecewise(branches, e.term),
    cn.Indicator: lambda e, c: e.say("case(c, 1, 0)", c=e.condition(c)),
    sq.Term: lambda e, name, n: e.say("app(g, n)", g=e.letter(
        (type(name), name), name.name, "G"), n=e.real(n)),
    sp.re: _part("re"), sp.im: _part("im"),
})
