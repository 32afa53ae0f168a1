"""Rules of analysis: exp, log and their kin, limits at +oo, derivatives by table."""

from __future__ import annotations

from lapdp.kernel.domain import conj
from lapdp.kernel.rules import Theorem, numbers, require, rule, shape
from lapdp.kernel.terms import Bank, Refused


@rule
def law(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """A law of a function, by name; data: name and terms.  See `laws` for the list."""
    require(len(data) >= 1, "the name of a law")
    name, terms = str(data[0]), numbers(b, data[1:], len(data) - 1)
    require(goal == laws(b, name, terms), f"not the law {name}")
    return frozenset()


def laws(b: Bank, name: str, terms: list[int]) -> int:
    """The sentence of a law, at terms of the right sorts.

    All are total: a premise excludes what has no value.
    """
    zero, one, make = b.number(0), b.number(1), b.make
    if name == "pi":
        return make("and", make("lt", b.number(3), make("pi")),
                    make("lt", make("pi"), b.number(22, 7)))
    require(0 < len(terms) <= 2, "one term or two")
    x = terms[0]
    y = terms[1] if len(terms) > 1 else x
    nonzero = make("not", make("eq", x, zero if b.sorts[x] == "R" else make("cx", zero)))
    minus = make("mul", b.number(-1), x) if b.sorts[x] == "R" else x
    if name == "inverse":
        return make("imp", nonzero, make("eq", make("mul", x, make("inv", x)),
                                         one if b.sorts[x] == "R" else make("cx", one)))
    require(all(b.sorts[t] == "R" for t in terms) or name in COMPLEX, "real terms")
    if name == "exp positive":
        return make("lt", zero, make("exp", x))
    if name == "exp above tangent":
        return make("le", make("add", one, x), make("exp", x))
    if name == "exp monotone":
        return make("iff", make("lt", x, y), make("lt", make("exp", x), make("exp", y)))
    if name == "exp of log":
        some, log = (make("lt", zero, x), "log") if b.sorts[x] == "R" else (nonzero, "clog")
        return make("imp", some, make("eq", make("exp", make(log, x)), x))
    if name == "log of exp":
        return make("eq", make("log", make("exp", x)), x)
    if name == "square":
        return make("le", zero, make("mul", x, x))
    if name == "sqrt":
        root = make("sqrt", x)
        return make("imp", make("le", zero, x), make("and", make("le", zero, root), make(
            "eq", make("mul", root, root), x)))
    if name == "abs":
        return make("eq", make("abs", x), make("if", make("le", zero, x), x, minus))
    if name in ("max", "min"):
        last = (y, x) if name == "max" else (x, y)
        return make("eq", make(name, x, y), make("if", make("le", x, y), *last))
    if name == "circle":
        c, s = make("cos", x), make("sin", x)
        return make("eq", make("add", make("mul", c, c), make("mul", s, s)), one)
    if name == "erfc":
        e = make("erfc", x)
        return make("and", make("lt", zero, e), make("eq", make("add", e, make("erfc", minus)),
                                                     b.number(2)))
    require(b.sorts[x] == "C" or name not in PLANE, "a complex term")
    if name == "abs complex":
        size = make("abs", x)
        parts = make("add", make("mul", make("re", x), make("re", x)),
                     make("mul", make("im", x), make("im", x)))
        return make("and", make("le", zero, size), make("eq", make("mul", size, size), parts))
    if name == "parts":
        return make("eq", x, make("add", make("cx", make("re", x)),
                                  make("mul", make("i"), make("cx", make("im", x)))))
    if name == "abs of exp":
        return make("eq", make("abs", make("exp", x)), make("exp", make("re", x)))
    if name == "abs of product":
        require(b.sorts[x] == b.sorts[y], "terms of one sort")
        return make("eq", make("abs", make("mul", x, y)), make("mul", make("abs", x),
                                                               make("abs", y)))
    if name == "re":
        z = make("add", make("cx", x), make("mul", make("i"), make("cx", y)))
        return make("and", make("eq", make("re", z), x), make("eq", make("im", z), y))
    if name == "abs of cx":
        return make("eq", make("abs", make("cx", x)), make("abs", x))
    if name == "exp of cx":
        return make("eq", make("exp", make("cx", x)), make("cx", make("exp", x)))
    if name == "euler":
        return make("eq", make("exp", make("mul", make("i"), make("cx", x))), make(
            "add", make("cx", make("cos", x)), make("mul", make("i"), make("cx", make("sin", x)))))
    if name == "cx injective":
        return make("iff", make("eq", make("cx", x), make("cx", y)), make("eq", x, y))
    raise Refused(f"no law {name}")


PLANE = frozenset({"abs complex", "parts", "abs of exp"})
COMPLEX = PLANE | {"exp of log", "abs of product"}


Slope = tuple[int, int | None]


def derivative(b: Bank, body: int, memo: dict[int, Slope] | None = None) -> Slope:
    """The derivative of the body of a binder over R in its variable, and the condition under which
    the body is continuously differentiable there (``None``: everywhere).

    Raises :class:`Refused` for symbols that the table does not know.
    """
    memo = {} if memo is None else memo
    if body not in memo:
        memo[body] = _derivative(b, body, memo)
    return memo[body]


def _derivative(b: Bank, body: int, memo: dict[int, Slope]) -> Slope:
    make, real = b.make, b.sorts[body] == "R"
    zero, one = (b.number(n) if real else make("cx", b.number(n)) for n in (0, 1))
    if not b.loose[body] or b.loose[body][0] is None:
        return zero, None
    symbol, kids = str(b.rows[body][0]), b.children(body)
    if symbol == "b":
        return one, None
    if symbol not in ("add", "mul", "exp", "inv", "log", "sqrt", "erfc", "cos", "sin", "cx"):
        raise Refused(f"no derivative of {symbol}")
    parts = [derivative(b, a, memo) for a in kids]
    below = conj(b, *(c for _, c in parts))
    x, dx = kids[0], parts[0][0]
    if symbol == "cx":
        return make("cx", dx), below
    if symbol == "add":
        return make("add", dx, parts[1][0]), below
    if symbol == "mul":
        return make("add", make("mul", dx, kids[1]), make("mul", x, parts[1][0])), below
    if symbol == "exp":
        return make("mul", body, dx), below
    half, minus = b.number(1, 2), b.number(-1)
    if symbol == "inv":
        minus = minus if real else make("cx", minus)
        nonzero = make("not", make("eq", x, zero))
        return make("mul", minus, make("mul", make("mul", body, body), dx)), conj(b, below, nonzero)
    if symbol in ("log", "sqrt"):
        positive = make("lt", zero, x)
        outer = make("inv", x) if symbol == "log" else make("mul", half, make("inv", body))
        return make("mul", outer, dx), conj(b, below, positive)
    if symbol == "erfc":
        gauss = make("exp", make("mul", minus, make("mul", x, x)))
        scale = make("mul", b.number(-2), make("inv", make("sqrt", make("pi"))))
        return make("mul", make("mul", scale, gauss), dx), below
    outer = make("cos", x) if symbol == "sin" else make("mul", minus, make("sin", x))
    return make("mul", outer, dx), below


@rule
def limit(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """As t -> +oo:  c -> c;   f -> a, g -> b  =>  f + g -> a + b, f g -> a b;
    r > 0  =>  t^n exp(-r t) -> 0 (data: n; n = 0: exp(-r t));   erfc(t) -> 0 with n = -1 for r;
    f -> a and all t (t >= c -> f = g)  =>  g -> a;   |g| <= f, f -> 0  =>  g -> 0
    data: the name of the case, and n"""
    body, value = shape(b, goal, "tends")
    case = str(data[0]) if data else ""
    zero, make, t = b.number(0), b.make, b.bound(0, "R")
    if case == "constant":
        require(body == b.lift(value), "no constant")
    elif case in ("sum", "product"):
        (f, a), (g, c) = (shape(b, theorem.claim, "tends") for theorem in given)
        symbol = "add" if case == "sum" else "mul"
        require(body == make(symbol, f, g) and value == make(symbol, a, c), "another sum")
    elif case == "decay":
        (positive,) = given
        low, rate = shape(b, positive.claim, "lt")
        power = str(data[1]) if len(data) == 2 else ""
        require(power.isdecimal() and len(power) < 3, "decay: the power of t, 0 to 99")
        f = make("exp", make("mul", b.number(-1), make("mul", b.lift(rate), t)))
        for _ in range(int(power)):
            f = make("mul", t, f)
        require(low == zero and body == f and value == zero, "another decay")
    elif case == "erfc":
        require(body == make("erfc", t) and value == zero and not given, "erfc(t) -> 0")
    elif case == "affine":
        positive, inner = given
        low, rate = shape(b, positive.claim, "lt")
        (place,) = numbers(b, data[1:], 1)
        f, a = shape(b, inner.claim, "tends")
        at = make("add", make("mul", b.lift(rate), t), b.lift(place))
        require(low == zero and value == a and body == b.open(b.deepen(f), at), "another place")
    elif case in ("equal", "squeeze"):
        first, far = given
        f, a = shape(b, first.claim, "tends")
        (claim,) = shape(b, far.claim, "allR")
        later, relation = shape(b, claim, "imp")
        c = shape(b, later, "le")[0]
        require(later == make("le", c, t) and not b.loose[c], "for all t >= c")
        if case == "equal":
            require(relation == make("eq", f, body) and value == a, "another function")
        else:
            nothing = zero if b.sorts[value] == "R" else make("cx", zero)
            require(a == zero and relation == make("le", make("abs", body), f) and (
                value == nothing), "another bound")
    else:
        raise Refused(f"no limit {case!r}")
    return frozenset().union(*(t.hyps for t in given))


@rule
def smooth(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """f(t) -> a, and F is smooth at a (where the table of derivatives asks for it)
    =>  F(f(t)) -> F(a)        data: F, a body"""
    body, value = shape(b, goal, "tends")
    (whole,) = numbers(b, data, 1)
    f, a = shape(b, given[0].claim, "tends")
    _, condition = derivative(b, whole)
    needed = [] if condition is None else [b.open(condition, a)]
    require([g.claim for g in given[1:]] == needed, "another condition")
    require(body == b.open(b.deepen(whole), f) and value == b.open(whole, a),
            "another function of it")
    return frozenset().union(*(t.hyps for t in given))


@rule
def near(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """|- f(t) -> l <-> all e (0 < e -> there is c, all t (c <= t -> |f(t) - l| < e))"""
    make, (left, _) = b.make, shape(b, goal, "iff")
    f, value = shape(b, left, "tends")
    minus = b.number(-1) if b.sorts[value] == "R" else make("cx", b.number(-1))
    gap = make("abs", make("add", b.deepen(b.deepen(f)), make("mul", minus, b.lift(value, 3))))
    t, c, e = (b.bound(i, "R") for i in range(3))
    later = make("exR", make("allR", make("imp", make("le", c, t), make("lt", gap, e))))
    known = make("allR", make("imp", make("lt", b.number(0), b.bound(0, "R")), later))
    require(goal == make("iff", left, known), "another definition")
    return frozenset()
