"""Numbers: expressions of SymPy as terms, node by node, nothing evaluated."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from typing import Any

import sympy as sp

from lapdp.calculus import nodes as cn
from lapdp.calculus import sequences as sq
from lapdp.kernel.losses import Losses
from lapdp.kernel.recursions import Solution, defined, recursion
from lapdp.kernel.saying import NotSaid, refuse
from lapdp.privacy.nodes import Event, Outcome, Unnamed

ASSUMED = {"positive": "0 < x", "negative": "x < 0", "nonnegative": "0 <= x",
           "nonpositive": "x <= 0", "nonzero": "not x == 0"}
"""What a real symbol with an assumption is: the first that it has says all."""
TRANSLATED = {*ASSUMED, "real", "integer", "complex", "commutative", "finite"}
"""Assumptions that are said by the sorts and by :meth:`Terms.assumed`."""

MOST_FACTORS = 12
MEANINGS: dict[type, str | Callable[..., int]] = {}
"""What each node of the language says: a function of its arguments (or of an atom), or a text.
The modules that read notions fill it.

A text names the arguments of the node and then says what it means; capitals stand for
distributions, small letters for numbers, which are read where the node stands.
"""


class Terms(Losses):
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
        if isinstance(e, sp.core.function.AppliedUndef) and len(e.args) == 1:
            g = self.letter(type(e).__name__ + "()", type(e).__name__, "G")
            return self.b.make("app", g, self.real(e.args[0]))
        raise NotSaid(f"the node {type(e).__name__}")

    def define(self, text: str, *args: Any) -> int:
        """What a text of :data:`MEANINGS` says of the arguments of its node."""
        header, _, meaning = text.rpartition(": ")
        names = zip(header.split(", "), args, strict=bool(header))
        return self.say(meaning, **{n: x if n.isupper() else self.term(x) for n, x in names})

    def known_as(self, x: Any) -> int:
        """A letter: a number, an event, or an outcome that chooses a pair."""
        return self.bound[x] if x in self.bound else self.letter((type(x), x), x.name, sort_of(x))

    def function(self, body: Any, variable: Any) -> Callable[[int], int]:
        """An expression as a function of one of its letters."""
        def at(x: int) -> int:
            with self.where({variable: x}):
                return self.term(body)
        return at

    def partial(self, known: bool | None, what: str) -> None:
        """A function that has other values than the kernel's outside its domain."""
        refuse(known is not True and not self.claiming,
               f"in a hypothesis: {what} of what is not seen to be in its domain")

    def assumed(self, symbol: Any, value: int) -> list[int]:
        """What the assumptions of a symbol say of its value, as formulas."""
        asked = symbol._assumptions_orig
        refuse(asked.keys() - TRANSLATED or not all(asked.values()), f"the assumptions of {symbol}")
        texts = [text for name, text in ASSUMED.items() if getattr(symbol, f"is_{name}")][:1]
        if symbol.is_integer:
            refuse(not symbol.is_nonnegative, "whole numbers of any sign")
            texts = ["nat(x)", "1 <= x"] if symbol.is_positive else ["nat(x)"]
        return [self.say(text, x=value) for text in texts if symbol.is_real]


def sort_of(symbol: Any) -> str:
    """S for events, O for outcomes, R for symbols that are real, C for all others."""
    return {Event: "S", Unnamed: "S", Outcome: "O"}.get(type(symbol), "RC"[not symbol.is_real])


def _log(e: Terms, z: Any) -> int:
    inner = e.term(z)
    real = e.b.sorts[inner] == "R"
    e.partial(z.is_positive or not real, "a logarithm")
    return e.say("log(x)" if real else "clog(x)", x=inner)


def _extremum(symbol: str) -> Callable[..., int]:
    return lambda e, *args: reduce(partial(e.b.make, symbol), [
        e.real(a) for a in sorted(args, key=sp.default_sort_key)])


def _part(symbol: str) -> Callable[..., int]:
    return lambda e, z: e.b.make(symbol, e.same(e.term(z), e.b.make("i"))[0])


def index(e: Terms, n: Any) -> int:
    """An index, a whole number >= 0."""
    found = e.real(n)
    if not (n.is_integer and n.is_nonnegative):
        e.stricter("an index that is not seen to be a whole number")
        e.demand(e.b.make("nat", found))
    return found


def _sum(e: Terms, body: Any, i: Any, first: Any, last: Any) -> int:
    size, begin, term = index(e, sp.expand(last - first + 1)), e.real(first), e.function(body, i)
    at = "i" if first == 0 else "i + a"
    return defined(e, f"S: 0; v(i) + f({at}); i < n", True, f=term, a=begin, n=size)(size)


def _power(e: Terms, base: Any, exponent: Any) -> int:
    """b^n by products, b^(n/2) by roots, b^x with b > 0 by exp and log, b^n with a whole number n
    by b^0 = 1, b^(m + 1) = b^m b."""
    if exponent.is_Rational and exponent.q <= 2 and abs(exponent.p) <= MOST_FACTORS:
        root = e.term(base)
        if exponent.q == 2:
            e.partial(base.is_nonnegative, "a square root")
            root = e.b.make("sqrt", root)
        return int(e.power(root, int(exponent.p)))
    if exponent.is_integer and not base.is_positive:
        return defined(e, "power: 1; v(i) * b", True, b=e.real(base))(index(e, exponent))
    if not base.is_positive:
        e.stricter("a power whose base must be positive")
    return e.say("exp(x * log(b))", x=exponent, b=base)


def _recursive(e: Terms, rule: Any, n: Any, point: Any) -> int:
    own, at = rule.own

    def step(v: Solution, m: int, t: int) -> int:
        with e.having(before={**e.before, own: lambda u: v(m, u)}), e.where(
                {own: e.say("m + 1", m=m), at: t}):
            return e.real(rule.args[2])
    return recursion(e, "d", 1, e.function(rule.args[1], at), step)(index(e, n), e.real(point))


def _mean(e: Terms, body: Any, y: Any, draws: Any, chance: Any) -> int:
    """The mean at y and the draws that follow: each counts with probability p."""
    p, value = e.real(chance), e.function(body, y)
    e.demand(e.say("0 <= p and p <= 1", p=p))
    text = "mean(x): f(x); (1 - p) * v(i, x) + p * v(i, x + 1); nat(x)"
    return defined(e, text, f=value, p=p)(index(e, draws), e.b.number(0))


MEANINGS.update({
    sp.exp: "z: exp(z)", sp.Abs: "z: abs(z)", sp.erfc: "x: erfc(x)", sp.erf: "x: 1 - erfc(x)",
    sp.core.numbers.Pi: "pi", sp.core.numbers.Exp1: "exp(1)", sp.core.numbers.ImaginaryUnit: "i",
    sp.cos: "x: cos(x)", sp.sin: "x: sin(x)", sp.log: _log, sp.Max: _extremum("max"),
    sp.tanh: "z: (exp(z) - exp(-z)) / (exp(z) + exp(-z))", sp.Min: _extremum("min"),
    sp.cosh: "z: (exp(z) + exp(-z)) / 2", sp.sinh: "z: (exp(z) - exp(-z)) / 2", sp.re: _part("re"),
    sp.Piecewise: lambda e, *branches: e.piecewise(branches, e.term), sp.im: _part("im"),
    cn.Indicator: lambda e, c: e.say("case(c, 1, 0)", c=e.condition(c)),
    sq.Term: lambda e, name, n: e.say("app(g, n)", g=e.letter(
        (type(name), name), name.name, "G"), n=e.real(n)),
    sq.FiniteSum: _sum, sp.Pow: _power, sp.factorial: lambda e, n: defined(
        e, "factorial: 1; v(i) * (i + 1)")(index(e, n)), sq.Recursive: _recursive,
    sq.Previous: lambda e, x, own=sq.INDEX: e.before[own](e.real(x)), sq.BinomialMean: _mean,
})
