"""Data processing: outputs of a channel have no larger profile than its inputs.

Let m1, m2 be the laws of the output for inputs of the laws l1, l2: m_i(S) = oint l_i(x) K_x(S) for
all events S.  At S = {m1 > e^t m2}, as 0 <= K_x(S) <= 1,

    oint max(0, m1 - e^t m2) = m1(S) - e^t m2(S) = oint (l1 - e^t l2)(x) K_x(S)
                            <= oint max(0, l1 - e^t l2).

So a sentence about outputs follows from the one that supposes this order at all t in the place of
what outputs are: moments, divergences and trade-off functions follow from the order of profiles.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations

from lapdp.kernel import Bank
from lapdp.kernel.domain import domain
from lapdp.proving.citing import parts
from lapdp.proving.derivation import Derivation
from lapdp.proving.line_sums import combined
from lapdp.proving.space import Prover

Way = Callable[[Derivation, Callable[[Derivation, int], int]], int]
"""The sentence in a derivation, by what proves others there."""


@dataclass(frozen=True)
class Output:
    """The law m of the output for inputs of law l; what is the same for one channel."""

    formula: int
    m: int
    law: int
    weight: int
    """The body x. K_x(S) below the letter S of an event, which it binds."""


def outputs(b: Bank, premises: Sequence[int]) -> list[Output]:
    """What premises say of outputs of channels: all S: m(S) = oint l(x) K_x(S)."""
    found = []
    for f in premises:
        if b.rows[f][0] != "allS" or b.rows[same := b.children(f)[0]][0] != "eq":
            continue
        left, right = b.children(same)
        if any(b.rows[t][0] != "oint" for t in (left, right)):
            continue
        (inside,), (product,) = b.children(left), b.children(right)
        if b.rows[inside][0] != "if" or b.rows[product][0] != "mul":
            continue
        test, density, none = b.children(inside)
        law, weight = b.children(product)
        if (b.rows[test][0], b.rows[density][0], b.rows[law][0], b.rows[weight][0]) != (
                "in", "dens", "dens", "oint") or none != b.number(0):
            continue
        m, at = b.children(density)
        p, x = b.children(law)
        if at == x == b.bound(0, "O") and not b.loose[m] and not b.loose[p]:
            found.append(Output(f, m, p, weight))
    return found


def couples(b: Bank, premises: Sequence[int]) -> list[tuple[Output, Output]]:
    """Outputs of one channel for inputs of two laws, in both orders."""
    return [(one, two) for one, two in permutations(outputs(b, premises), 2)
            if one.weight == two.weight and one.law != two.law]


def processed(b: Bank, goal: int) -> list[Way]:
    """Ways to a sentence about channels: orders of profiles in their place, each by itself, then
    all of them, for what is known of both directions can lead a search astray."""
    premises, claim = parts(b, goal)
    found = couples(b, premises)
    said: set[int | None] = {o.formula for pair in found for o in pair}
    said |= {domain(b, f) for f in said if f is not None}
    kept = [f for f in premises if f not in said]

    def of(chosen: Sequence[tuple[Output, Output]]) -> Way:
        def way(d: Derivation, prove: Callable[[Derivation, int], int]) -> int:
            orders = [order(d, *pair) for pair in chosen]
            other = d.mk("imp", d.conj([*(d.claim(i) for i in orders), *kept]), claim)
            return d.taut(goal, prove(d, other), *(
                d.disch_all([o.formula for o in pair], i)
                for pair, i in zip(chosen, orders, strict=True)))
        return way

    return [of(chosen) for chosen in (*((pair,) for pair in found), found)] if found else []


def order(d: Derivation, one: Output, two: Output) -> int:
    """all t: oint max(0, m1 - e^t m2) <= oint max(0, l1 - e^t l2), from what the outputs are."""
    a, num, zero = Prover(d), d.num(1), d.num(0)
    (name, t), (oname, x) = d.fresh("R", "t"), d.fresh("O", "x")
    e = d.mk("exp", t)
    hinge = a.guarantees.hinge(one.m, two.m, t)
    gap = d.kids(d.b.open(d.kids(hinge)[0], x))[1]
    event = d.mk("set", d.b.abstract(d.mk("lt", zero, gap), oname, "O"))
    masses = [d.inst(d.assume(o.formula), event) for o in (one, two)]
    ends = [d.kids(d.claim(i)) for i in masses]
    first = a.prove(d.mk("eq", hinge, d.sub(ends[0][0], d.mul(e, ends[1][0]))))
    # 0 <= K_x(S) <= 1
    products = [d.kids(right)[0] for _, right in ends]
    weight = d.kids(d.b.open(products[0], x))[1]
    low, high = (a.prove(d.mk("le", *ends)) for ends in ((zero, weight), (weight, num)))
    laws, inys = [d.mk("dens", o.law, x) for o in (one, two)], []
    for o, p, product in zip((one, two), laws, products, strict=True):
        body = d.mk("dens", o.law, d.b.bound(0, "O"))
        positive = d.inst(d.do("density", d.mk("allO", d.mk("le", zero, body)), [], [o.law]), x)
        value = d.mul(p, weight)
        less = d.do("arith", d.mk("le", value, p), [positive, high], [[num, [0, 1]]])
        least = d.do("arith", d.mk("le", zero, value), [positive, low], [[num, [0, 1]]])
        size = a.prove(d.mk("le", d.mk("abs", value), p), [least, less])
        whole, _ = d.parts(a.mass_one(body))
        inys.append(d.do("dominate", d.mk("oiny", product), [d.gen(oname, "O", size), whole]))
    iny, total = combined(d, (num, d.neg(e)), inys)
    top = a.guarantees.hinge(one.law, two.law, t)
    (bound,) = d.kids(top)
    most = d.b.open(bound, x)
    below = a.prove(d.mk("le", d.kids(most)[1], most))
    above = a.prove(d.mk("le", zero, most))
    less = d.do("arith", d.mk("le", d.b.open(d.kids(d.claim(iny))[0], x), most), [
        below, low, above, high], [[num, [0, 1]], [num, [2, 3]]])
    finite = a.prove(d.mk("oiny", bound))
    ordered = d.do("mono", d.mk("le", d.mk("oint", *d.kids(d.claim(iny))), top), [
        d.gen(oname, "O", less), iny, finite])
    found = d.do("arith", d.mk("le", hinge, top), [first, *masses, total, ordered], [
        [num, [0]], [num, [1]], [d.neg(e), [2]], [d.num(-1), [3]], [num, [4]]])
    return d.gen(name, "R", found)


__all__ = ["couples", "order", "outputs", "processed"]
