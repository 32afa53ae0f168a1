"""Rules of integration: over a sigma-finite space of outcomes and over the line.

``oint f`` and ``lint f`` are Lebesgue integrals, 0 where f is not integrable (``oiny``, ``liny``);
a statement's domain condition asks that it is.  Functions are measurable by structure: everything
that the table of symbols builds is, except under quantifiers, limits and suprema.
"""

from __future__ import annotations

from lapdp.kernel.analysis import derivative
from lapdp.kernel.domain import bound_sort, domain
from lapdp.kernel.rules import Theorem, numbers, require, rule, shape
from lapdp.kernel.symbols import INTEGRALS, UNMEASURABLE
from lapdp.kernel.terms import Bank, Refused


def together(given: list[Theorem]) -> frozenset[int]:
    """All hypotheses."""
    return frozenset().union(*(t.hyps for t in given))


def measurable(b: Bank, body: int) -> None:
    """Refuse where a symbol that may make a function unmeasurable depends on a bound variable."""
    seen: set[int] = set()
    todo = [body]
    while todo:
        t = todo.pop()
        if t in seen or not b.loose[t]:
            continue
        seen.add(t)
        require(b.rows[t][0] not in UNMEASURABLE, f"{b.rows[t][0]} of a variable of integration")
        todo.extend(b.children(t))


def both(b: Bank, goal: int) -> tuple[int, int, str, int, int]:
    """A goal ``iny f and I f = value``: f, value, the integral's symbol, and the two parts."""
    first, second = shape(b, goal, "and")
    left, value = shape(b, second, "eq")
    symbol = str(b.rows[left][0])
    require(symbol in INTEGRALS, "no integral")
    (body,) = b.children(left)
    require(first == b.make(INTEGRALS[symbol], body), "integrable, and equal")
    return body, value, symbol, first, second


def integrable(b: Bank, theorem: Theorem, symbol: str) -> int:
    """The integrand of a theorem ``iny f``."""
    return shape(b, theorem.claim, INTEGRALS[symbol])[0]


def everywhere(b: Bank, theorem: Theorem, symbol: str) -> int:
    """The body of a theorem about all points of the domain of integration."""
    return shape(b, theorem.claim, f"all{bound_sort(symbol)}")[0]


@rule
def integral(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """iny f, iny g  =>  iny (f + g) and I (f + g) = I f + I g;   iny f  =>  iny (c f) and
    I (c f) = c I f;   iny 0 and I 0 = 0;   iny f  =>  iny cx f and I cx f = cx I f
    data: sum, scale, zero, embed"""
    body, value, symbol, _, _ = both(b, goal)
    case = str(data[0]) if data else ""
    if case == "zero":
        zero = b.number(0)
        require(body == value and body in (zero, b.make("cx", zero)), "not 0")
    elif case == "sum":
        f, g = (integrable(b, t, symbol) for t in given)
        require(body == b.make("add", f, g) and value == b.make(
            "add", b.make(symbol, f), b.make(symbol, g)), "another sum")
    elif case == "scale":
        (f,) = (integrable(b, t, symbol) for t in given)
        (c,) = numbers(b, data[1:], 1)
        require(body == b.make("mul", b.lift(c), f) and value == b.make(
            "mul", c, b.make(symbol, f)), "another multiple")
    elif case == "embed":
        (f,) = (integrable(b, t, symbol) for t in given)
        require(body == b.make("cx", f) and value == b.make("cx", b.make(symbol, f)), "no cx")
    else:
        raise Refused(f"no case {case!r} of integral")
    return together(given)


@rule
def dominate(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """all x |f| <= g, iny g  =>  iny f        f measurable by structure;   iny f  =>  iny |f|"""
    symbol = next((s for s, y in INTEGRALS.items() if b.rows[goal][0] == y), "")
    require(bool(symbol), "no integrability")
    (f,) = b.children(goal)
    if len(given) == 1:
        require(f == b.make("abs", integrable(b, given[0], symbol)), "another absolute value")
        return together(given)
    bound, theorem = given
    g = integrable(b, theorem, symbol)
    require(everywhere(b, bound, symbol) == b.make("le", b.make("abs", f), g), "another bound")
    measurable(b, f)
    return together(given)


@rule
def mono(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """all x f <= g, iny f, iny g  =>  I f <= I g;   iny f, iny |f|  =>  |I f| <= I |f|"""
    left, right = shape(b, goal, "le")
    symbol = str(b.rows[right][0])
    require(symbol in INTEGRALS, "no integral")
    (g,) = b.children(right)
    if b.rows[left][0] == "abs":
        (f,) = shape(b, b.children(left)[0], symbol)
        require(g == b.make("abs", f) and [integrable(b, t, symbol) for t in given] == [f, g],
                "|I f| <= I |f|")
        return together(given)
    (f,) = shape(b, left, symbol)
    bound, first, second = given
    require(everywhere(b, bound, symbol) == b.make("le", f, g), "another bound")
    require((integrable(b, first, symbol), integrable(b, second, symbol)) == (f, g), "other iny")
    return together(given)


@rule
def almost(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """n_i >= 0 for all x, iny n_i, I n_i = 0 (for each i), and all x (n_1 = 0 -> ... -> f = g)
    =>  (iny f <-> iny g) and I f = I g        premises: three for each i, then the last"""
    first, second = shape(b, goal, "and")
    left, right = shape(b, second, "eq")
    symbol = str(b.rows[left][0])
    require(symbol in INTEGRALS, "no integral")
    (f,), (g,) = b.children(left), shape(b, right, symbol)
    iny = INTEGRALS[symbol]
    require(first == b.make("iff", b.make(iny, f), b.make(iny, g)), "integrable alike")
    require(len(given) % 3 == 1, "three premises for each null function")
    zero = b.number(0)
    inside = everywhere(b, given[-1], symbol)
    for i in range(0, len(given) - 1, 3):
        n = integrable(b, given[i + 1], symbol)
        require(everywhere(b, given[i], symbol) == b.make("le", zero, n), "n >= 0")
        require(given[i + 2].claim == b.make("eq", b.make(symbol, n), zero), "I n = 0")
        condition, inside = shape(b, inside, "imp")
        require(condition == b.make("eq", n, zero), "where n = 0")
    require(inside == b.make("eq", f, g), "other functions")
    measurable(b, f)
    measurable(b, g)
    return together(given)


@rule
def density(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """|- all x 0 <= p(x);   |- iny p and I p = 1        data: p"""
    (p,) = numbers(b, data, 1)
    d = b.make("dens", b.lift(p), b.bound(0, "O"))
    above = b.make("allO", b.make("le", b.number(0), d))
    one = b.make("and", b.make("oiny", d), b.make("eq", b.make("oint", d), b.number(1)))
    require(goal in (above, one), "not about a density")
    return frozenset()


@rule
def as_density(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """all x 0 <= f, oiny f, oint f = 1  =>  there is p: all x p(x) = f(x)
    f measurable by structure"""
    above, finite, one = given
    f, p = integrable(b, finite, "oint"), b.make("dens", b.bound(1, "D"), b.bound(0, "O"))
    require(everywhere(b, above, "oint") == b.make("le", b.number(0), f), "f >= 0")
    require(one.claim == b.make("eq", b.make("oint", f), b.number(1)), "I f = 1")
    measurable(b, f)
    require(goal == b.make("exD", b.make("allO", b.make("eq", p, f))), "another function")
    return together(given)


@rule
def swap(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """all x iny_y f(x, y), iny_x I_y |f|  =>  iny_y I_x f and I_x I_y f = I_y I_x f"""
    first, second = shape(b, goal, "and")
    left, right = shape(b, second, "eq")
    outer, inner = str(b.rows[left][0]), str(b.rows[b.children(left)[0]][0])
    require(outer in INTEGRALS and inner in INTEGRALS, "two integrals")
    (body,) = shape(b, b.children(left)[0], inner)
    flipped = b.make(outer, exchange(b, body, bound_sort(outer), bound_sort(inner)))
    require(right == b.make(inner, flipped), "another order")
    require(first == b.make(INTEGRALS[inner], flipped), "integrable in the other variable")
    each, absolutely = given
    require(everywhere(b, each, outer) == b.make(INTEGRALS[inner], body), "integrable for all x")
    require(integrable(b, absolutely, outer) == b.make(inner, b.make("abs", body)),
            "absolutely integrable")
    measurable(b, body)
    return together(given)


def exchange(b: Bank, body: int, outer: str, inner: str) -> int:
    """The body below two binders, their order exchanged."""
    def leaf(u: int, depth: int) -> int | None:
        if len(b.loose[u]) <= depth:
            return u
        row = b.rows[u]
        if row[0] != "b":
            return None
        index = int(str(row[1])) - depth
        return u if index > 1 else b.bound(depth + 1 - index, outer if index else inner)

    return b.walk(body, leaf)


@rule
def limint(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """for all x f(x, t) -> g(x) as t -> +oo; for all x and t >= c |f(x, t)| <= h(x); iny h
    =>  iny g and I f(., t) -> I g        f measurable by structure, data: c"""
    first, second = shape(b, goal, "and")
    inner, end = shape(b, second, "tends")
    symbol = str(b.rows[inner][0])
    require(symbol in INTEGRALS, "no integral")
    (f,), (g,) = b.children(inner), shape(b, end, symbol)
    require(first == b.make(INTEGRALS[symbol], g), "the limit is integrable")
    (c,) = numbers(b, data, 1)
    pointwise, bound, theorem = given
    turned = exchange(b, f, "R", bound_sort(symbol))
    require(everywhere(b, pointwise, symbol) == b.make("tends", turned, g), "at each point")
    h = integrable(b, theorem, symbol)
    later = b.make("le", b.lift(c, 2), b.bound(0, "R"))
    below = b.make("le", b.make("abs", turned), b.lift(h))
    require(everywhere(b, bound, symbol) == b.make("allR", b.make("imp", later, below)),
            "another bound")
    measurable(b, f)
    return together(given)


@rule
def affine(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """r != 0  =>  (liny f <-> liny f(r t + c)) and lint f = |r| lint f(r t + c)
    data: f (a body), r, c"""
    f, r, c = numbers(b, data, 3)
    (nonzero,) = given
    require(nonzero.claim == b.make("not", b.make("eq", r, b.number(0))), "r != 0")
    at = b.make("add", b.make("mul", b.lift(r), b.bound(0, "R")), b.lift(c))
    moved = b.open(b.deepen(f), at)
    size = b.make("abs", r) if b.sorts[f] == "R" else b.make("cx", b.make("abs", r))
    expected = b.make(
        "and", b.make("iff", b.make("liny", f), b.make("liny", moved)),
        b.make("eq", b.make("lint", f), b.make("mul", size, b.make("lint", moved))))
    require(goal == expected, "another substitution")
    return nonzero.hyps


@rule
def except_at(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """all t (not t = c -> ... -> f = g)  =>  (liny f <-> liny g) and lint f = lint g"""
    (theorem,) = given
    (equation,) = shape(b, theorem.claim, "allR")
    while b.rows[equation][0] == "imp":
        apart, equation = b.children(equation)
        t, c = shape(b, shape(b, apart, "not")[0], "eq")
        require(t == b.bound(0, "R") and not b.loose[c], "all t but finitely many")
    f, g = shape(b, equation, "eq")
    expected = b.make("and", b.make("iff", b.make("liny", f), b.make("liny", g)),
                      b.make("eq", b.make("lint", f), b.make("lint", g)))
    require(goal == expected, "other integrals")
    return theorem.hyps


@rule
def ftc(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """a <= c; F' = f inside, F smooth on [a, c]  =>  iny and I over a < t < c of f = F(c) - F(a).
    For c = +oo: F -> l, and f >= 0 or f integrable there  =>  I over t > a of f = l - F(a).

    data: finite, F, f, a, c; or infinite, F, f, a, l.   premises: finite: a <= c;  F' = f for all t
    with a < t < c;  F smooth for all t with a <= t <= c (where the table of derivatives asks for
    it).   infinite: F -> l at +oo;  F' = f for all t > a;  0 <= f for all t > a, or iny;  F smooth
    for all t >= a (where asked)"""
    require(len(data) == 5, "five entries")
    finite = data[0] == "finite"
    require(finite or data[0] == "infinite", "finite or infinite")
    whole, f, a, end = numbers(b, data[1:], 4)
    t, make = b.bound(0, "R"), b.make
    la = b.lift(a)
    slope, smooth = derivative(b, whole)
    inside, closed = make("lt", la, t), make("le", la, t)
    if finite:
        inside = make("and", inside, make("lt", t, b.lift(end)))
        closed = make("and", closed, make("le", t, b.lift(end)))
    zero, minus = (b.number(n) if b.sorts[f] == "R" else make("cx", b.number(n)) for n in (0, -1))
    part = make("if", inside, f, zero)
    top = b.open(whole, end) if finite else end
    value = make("add", top, make("mul", minus, b.open(whole, a)))
    expected = make("and", make("liny", part), make("eq", make("lint", part), value))
    require(goal == expected, "another integral")
    needed = [make("le", a, end) if finite else make("tends", whole, end),
              make("allR", make("imp", inside, make("eq", slope, f)))]
    if not finite:
        above = make("allR", make("imp", inside, make("le", b.number(0), f))) if (
            b.sorts[f] == "R") else -1
        require(len(given) > 2 and given[2].claim in (above, make("liny", part)),
                "f >= 0 or integrable")
        needed.append(given[2].claim)
    if smooth is not None:
        needed.append(make("allR", make("imp", closed, smooth)))
    require([g.claim for g in given] == needed, "another premise")
    return together(given)


@rule
def comprehension(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """|- x in {o : A[o]} <-> A[x]        A measurable by structure"""
    left, right = shape(b, goal, "iff")
    x, event = shape(b, left, "in")
    (body,) = shape(b, event, "set")
    measurable(b, body)
    require(b.open(body, x) == right, "another formula")
    return frozenset()


@rule
def supremum(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """The domain condition of sup f  =>  for all b: sup f <= b <-> all S f(S) <= b"""
    (theorem,) = given
    (claim,) = shape(b, goal, "allR")
    left, right = shape(b, claim, "iff")
    sup, c = shape(b, left, "le")
    require(c == b.bound(0, "R") and not b.loose[sup], "for all upper bounds")
    (body,) = b.children(sup)
    if b.rows[sup][0] == "supS":
        expected = b.make("allS", b.make("le", b.deepen(body), b.bound(1, "R")))
    else:
        require(b.rows[sup][0] == "supR", "no supremum")
        expected = b.make("allR", b.make("imp", b.deepen(body), b.make(
            "le", b.bound(0, "R"), b.bound(1, "R"))))
    require(right == expected, "another bound")
    require(theorem.claim == domain(b, sup), "its domain condition")
    return theorem.hyps
