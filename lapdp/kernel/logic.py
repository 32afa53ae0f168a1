"""Rules of logic: hypotheses, tautologies, quantifiers, equality, induction."""

from __future__ import annotations

from lapdp.kernel.domain import bound_sort
from lapdp.kernel.polynomials import certify
from lapdp.kernel.rules import Theorem, numbers, require, rule, shape
from lapdp.kernel.terms import Bank, Refused

CONNECTIVES = frozenset({"and", "or", "imp", "iff", "not", "false"})
MOST_STEPS = 20000


@rule
def hyp(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """A |- A"""
    return frozenset([goal])


@rule
def disch(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """G |- B  =>  G without A |- A -> B"""
    (theorem,) = given
    premise, conclusion = shape(b, goal, "imp")
    require(conclusion == theorem.claim, "the conclusion is another one")
    return theorem.hyps - {premise}


@rule
def taut(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """G_i |- A_i, and A_1, ..., A_n -> B is a tautology  =>  G_i together |- B"""
    steps = 0
    # no valuation makes these formulas what they are here
    supposed = dict.fromkeys((t.claim for t in given), True)
    # what makes the whole what, on the left or on the right, whatever the other side is
    absorbing = {"and": (False, False, False), "or": (True, True, True),
                 "imp": (False, True, True)}

    def value(f: int, known: dict[int, bool | int]) -> bool | int:
        """The truth value, or an atom on which it depends; ``known`` grows."""
        if f not in known:
            known[f] = by_parts(f, known)
        return known[f]

    def by_parts(f: int, known: dict[int, bool | int]) -> bool | int:
        """The same of a formula itself, whatever is supposed of it."""
        symbol, kids = str(b.rows[f][0]), b.children(f)
        if symbol not in CONNECTIVES:
            return known.get(f, f)
        if symbol == "false":
            return False
        left = value(kids[0], known)
        if symbol == "not":
            return left if type(left) is int else not left
        one, other, whole = absorbing.get(symbol, (None, None, False))
        if left is one:
            return whole
        right = value(kids[1], known)
        if right is other:
            return whole
        if type(left) is int or type(right) is int:
            return left if type(left) is int else right
        return left is right if symbol == "iff" else not whole

    def holds(atoms: dict[int, bool]) -> bool:
        """Is there no such valuation, whatever the atoms not yet known are?"""
        nonlocal steps
        steps += 1
        require(steps < MOST_STEPS, "a tautology of too many cases")
        known: dict[int, bool | int] = {**supposed, **atoms}
        open_atom: int | None = None
        for f, claim in supposed.items():
            found = by_parts(f, known)
            if type(found) is int:
                open_atom = found if open_atom is None else open_atom
            elif found is not claim:
                return True
        return open_atom is not None and all(
            holds({**atoms, open_atom: v}) for v in (True, False))

    require(supposed.setdefault(goal, False) or holds({}), "no tautology")
    return frozenset().union(*(t.hyps for t in given))


@rule
def gen(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """G |- A[c]  =>  G |- all x A[x]        data: name and sort of c, in neither G nor A[x]"""
    (theorem,) = given
    require(len(data) == 2, "a letter is a name and a sort")
    name, sort = str(data[0]), str(data[1])
    (body,) = shape(b, goal, f"all{sort}")
    require(b.open(body, b.letter(name, sort)) == theorem.claim, "another body")
    require(all((name, sort) not in b.letters[f] for f in (goal, *theorem.hyps)),
            "the letter is not fresh")
    return theorem.hyps


@rule
def inst(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """G |- all x A[x]  =>  G |- A[t]        data: t"""
    (theorem,) = given
    (t,) = numbers(b, data, 1)
    (body,) = shape(b, theorem.claim, f"all{b.sorts[t]}")
    require(b.open(body, t) == goal, "another instance")
    return theorem.hyps


@rule
def put(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """G |- A  =>  G[t/x] |- A[t/x]        data: name, sort, t, ... for letters replaced at once, t
    closed"""
    (theorem,) = given
    require(len(data) % 3 == 0, "name, sort, term")
    values = {(str(data[i]), str(data[i + 1])): numbers(b, data[i + 2:i + 3], 1)[0]
              for i in range(0, len(data), 3)}
    require(not any(b.loose[t] for t in values.values()), "a closed term is needed")
    require(b.put(theorem.claim, values) == goal, "another instance")
    return frozenset(b.put(h, values) for h in theorem.hyps)


@rule
def wit(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """G |- A[t]  =>  G |- there is x A[x]        data: t"""
    (theorem,) = given
    (t,) = numbers(b, data, 1)
    (body,) = shape(b, goal, f"ex{b.sorts[t]}")
    require(b.open(body, t) == theorem.claim, "another instance")
    return theorem.hyps


@rule
def choose(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """G |- there is x A[x];  H, A[c] |- B  =>  G, H |- B        data: c, in none of G, H, A, B"""
    exists, used = given
    require(len(data) == 2, "a letter is a name and a sort")
    name, sort = str(data[0]), str(data[1])
    (body,) = shape(b, exists.claim, f"ex{sort}")
    require(used.claim == goal, "the conclusion is another one")
    rest = used.hyps - {b.open(body, b.letter(name, sort))}
    require(all((name, sort) not in b.letters[f] for f in (goal, exists.claim, *rest)),
            "the letter is not fresh")
    return exists.hyps | rest


@rule
def quant(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """|- not all x A <-> there is x not A;  |- not there is x A <-> all x not A"""
    left, right = shape(b, goal, "iff")
    (inner,) = shape(b, left, "not")
    symbol = str(b.rows[inner][0])
    require(symbol[:-1] in ("all", "ex"), "no quantifier")
    other = ("ex" if symbol.startswith("all") else "all") + symbol[-1]
    body, denied = b.children(inner)[0], shape(b, right, other)[0]
    require(b.rows[denied] == ("not", body), "another body")
    return frozenset()


@rule
def rewrite(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """G |- s = t (or A <-> B);  H |- C[s]  =>  G, H |- C[t]        data: C, a term with index 0
    loose where s stands: of sort R or C, or (for <->) the letter '@' of sort F"""
    equation, theorem = given
    symbol = str(b.rows[equation.claim][0])
    require(symbol in ("eq", "iff"), "no equation")
    s, t = b.children(equation.claim)
    (body,) = numbers(b, data, 1)
    if symbol == "eq":
        before, after = b.open(body, s), b.open(body, t)
    else:
        hole = ("@", "F")
        before, after = b.put(body, {hole: s}), b.put(body, {hole: t})
    require(before == theorem.claim and after == goal, "another place")
    return equation.hyps | theorem.hyps


@rule
def refl(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """|- t = t;  |- A <-> A"""
    symbol = str(b.rows[goal][0])
    require(symbol in ("eq", "iff") and b.children(goal)[0] == b.children(goal)[1], "two sides")
    return frozenset()


@rule
def under(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """G |- all x (s = t) or all x (A <-> B)  =>  G |- Bx.s = Bx.t, for a symbol B with one
    argument, a binder"""
    (theorem,) = given
    symbol = str(b.rows[goal][0])
    require(symbol in ("eq", "iff"), "no equation")
    left, right = b.children(goal)
    binder = str(b.rows[left][0])
    require(b.rows[right][0] == binder and len(b.children(left)) == 1 and b.binder(binder, 0),
            "not under one binder")
    (equation,) = (b.children(theorem.claim) if str(b.rows[theorem.claim][0]).startswith("all")
                   else (-1,))
    require(equation >= 0 and b.rows[equation][0] in ("eq", "iff"), "no equation for all x")
    require(str(b.rows[theorem.claim][0]) == f"all{bound_sort(binder)}", "another sort")
    require(b.children(equation) == (b.children(left)[0], b.children(right)[0]), "other bodies")
    return theorem.hyps


@rule
def arith(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """G_i |- f_i  =>  G_i together |- g        data: [weight, [i, ...]] ..., an identity of
    polynomials"""
    parts = []
    for part in data:
        require(isinstance(part, list) and len(part) == 2 and isinstance(part[1], list), "parts")
        assert isinstance(part, list)
        used = part[1]
        require(all(type(i) is int and 0 <= i < len(given) for i in used), "no such premise")
        parts.append((numbers(b, part[:1], 1)[0], used))
    certify(b, goal, [t.claim for t in given], parts)
    return frozenset().union(*(t.hyps for t in given))


@rule
def order(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """|- a < b or a = b or b < a;  |- not a <= b <-> b < a;  |- not a < b <-> b <= a;
    |- a = b <-> a <= b and b <= a"""
    symbol, kids = b.rows[goal][0], b.children(goal)
    if symbol == "or":
        x, y = shape(b, kids[0], "lt")
        expected = b.make("or", kids[0], b.make("or", b.make("eq", x, y), b.make("lt", y, x)))
    else:
        left, _ = shape(b, goal, "iff")
        if b.rows[left][0] == "not":
            inner = b.children(left)[0]
            other = {"le": "lt", "lt": "le"}.get(str(b.rows[inner][0]))
            if other is None:
                raise Refused("order: <= and < only")
            x, y = b.children(inner)
            expected = b.make("iff", left, b.make(other, y, x))
        else:
            x, y = shape(b, left, "eq")
            expected = b.make("iff", left, b.make("and", b.make("le", x, y), b.make("le", y, x)))
    require(goal == expected, "no law of the order")
    return frozenset()


@rule
def cases(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """|- A -> if(A, s, t) = s;  |- not A -> if(A, s, t) = t"""
    condition, equation = shape(b, goal, "imp")
    left, right = shape(b, equation, "eq")
    test, yes, no = shape(b, left, "if")
    require((condition, right) in ((test, yes), (b.make("not", test), no)), "no law of if")
    return frozenset()


@rule
def induct(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """G |- A[0];  H |- all n (nat n and A[n] -> A[n + 1])  =>  G, H |- all n (nat n -> A[n])"""
    start, step = given
    (claim,) = shape(b, goal, "allR")
    n = b.bound(0, "R")
    isnat, body = shape(b, claim, "imp")
    require(isnat == b.make("nat", n), "for all whole numbers")
    require(b.open(body, b.number(0)) == start.claim, "another start")
    (move,) = shape(b, step.claim, "allR")
    fresh = ("induction variable", "R")
    require(all(fresh not in b.letters[f] for f in (goal, step.claim)), "a reserved letter")
    x = b.letter(*fresh)
    expected = b.make("imp", b.make("and", b.make("nat", x), b.open(body, x)),
                      b.open(body, b.make("add", x, b.number(1))))
    require(b.open(move, x) == expected, "another step")
    return start.hyps | step.hyps


@rule
def natural(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """|- nat 0 (or any whole number);  |- nat x -> nat (x + 1);  |- nat x -> 0 <= x;
    |- nat x -> x = 0 or nat (x - 1);  |- nat x and nat y -> nat (x + y) and nat (x y)"""
    if b.rows[goal][0] == "nat":
        row = b.rows[b.children(goal)[0]]
        require(row[0] == "n" and row[2] == 1 and int(str(row[1])) >= 0, "no whole number")
        return frozenset()
    given_, claim = shape(b, goal, "imp")
    zero, one = b.number(0), b.number(1)
    if b.rows[given_][0] == "nat":
        x = b.children(given_)[0]
        known: tuple[int, ...] = (
                 b.make("nat", b.make("add", x, one)), b.make("le", zero, x),
                 b.make("or", b.make("eq", x, zero),
                        b.make("nat", b.make("add", x, b.number(-1)))))
    else:
        first, second = shape(b, given_, "and")
        (x,), (y,) = shape(b, first, "nat"), shape(b, second, "nat")
        known = (b.make("nat", b.make("add", x, y)), b.make("nat", b.make("mul", x, y)))
    require(claim in known, "no law of whole numbers")
    return frozenset()
