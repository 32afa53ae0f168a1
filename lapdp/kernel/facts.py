"""Named facts: theorems of the literature, each with its hypotheses in full.

A fact is an implication between formulas, written here as a text.  A name that nothing binds is a
parameter, which a closed term replaces; one that is applied, ``w(x)``, is a body with one variable,
which must be measurable by structure.  Proofs and references: docs/kernel.md.
"""

from __future__ import annotations

from functools import partial

from lapdp.kernel.integrals import measurable
from lapdp.kernel.rules import Theorem, numbers, require, rule
from lapdp.kernel.terms import Bank
from lapdp.kernel.texts import read

# the loss log(p/q) of n independent outcomes, given that it is finite, of probability w for one
# and W for n: mean m, variance v = s s, absolute central third moment c; k = sqrt n; e lies t
# standard deviations right of the mean of the sum
LOSS = "(log(dens(P, x)) - log(dens(Q, x)))"
OFF = f"({LOSS} - m)"
MOMENTS = " and ".join(
    f"oiny(x, {body}) and oint(x, {body}) == w * {value}" for body, value in (
        (f"case(0 < dens(P, x), case(0 < dens(Q, x), dens(P, x) * {power}, 0), 0)", value)
        for power, value in ((LOSS, "m"), (f"({OFF} * {OFF})", "v"), (
            f"(abs({OFF}) * abs({OFF}) * abs({OFF}))", "c"))))
RELEASES = """allR(a, allR(b, app3(V, 0, a, b) == START)) and allR(l, imp(nat(l), allR(a, allR(b,
 app3(V, l + 1, a, b) == oint(x, app3(V, l, a * dens(P, x), b * dens(Q, x)))))))"""
LOST = RELEASES.replace("V", "U").replace("START", "case(b == 0, a, 0)")
SUMS = f"""imp(nat(n) and 1 <= n and 0 < k and k * k == n and 0 < s and s * s == v
 and k * (s * t) == e + -(n * m) and k * (s * z) == e + (-(n * m) + n * v) and 0 < w
 and w == 1 - oint(x, case(dens(Q, x) == 0, dens(P, x), 0)) and {MOMENTS} and {RELEASES}
 and (({LOST} and W == 1 - app3(U, n, 1, 1)) or (w == 1 and W == 1)) RANGE,
 0 < W and NEAR)"""
APART = "abs(app3(V, n, 1, 1) - NORMAL)"
FACTS = {
    "berry-esseen": ("", f"k * (s * (s * (s * {APART}))) < 1187 / 2500 * (c * W)"),
    "nonuniform berry-esseen": (
        "and 0 <= t",
        f"k * (s * (s * (s * ((1 + t * (t * t)) * {APART})))) <= 129 / 5 * (c * W)"),
}
"""By name what it supposes besides, and what it says of V(n, 1, 1)."""
TAIL = "erfc(1 / 2 * (sqrt(2) * t))"
ABOVE = f"(1 + (-W + 1 / 2 * (W * {TAIL})))"
KINDS = {
    "above": ("case(exp(e) * b < a, a, 0)", ABOVE),
    "from": ("case(exp(e) * b <= a, a, 0)", ABOVE),
    "to": ("case(a <= exp(e) * b, a, 0)", f"(1 / 2 * (W * (2 - {TAIL})))"),
    "profile": ("max(0, a - exp(e) * b)", f"""(1 + (-W + 1 / 2 * (W * ({TAIL}
 - exp(e + (-(n * m) + 1 / 2 * (n * v))) * erfc(1 / 2 * (sqrt(2) * z))))))"""),
}
"""Pr[loss > e], Pr[loss >= e], Pr[loss <= e], delta(e): V(0, a, b), and the same by the normal
law."""
PARAMETERS = ("P", "Q", "V", "U", "n", "k", "e", "m", "s", "v", "t", "z", "w", "c", "W")

# finite measures on the line, images of weights w1 and w2 under X1 and X2, that are the same: g
# has the same integral by both
SAME = """imp(allO(x, 0 <= w1(x)) and oiny(x, w1(x)) and allO(x, 0 <= w2(x)) and oiny(x, w2(x))
 and TRANSFORMS, iff(oiny(x, WEIGHT1 * g(X1(x))), oiny(x, WEIGHT2 * g(X2(x))))
 and oint(x, WEIGHT1 * g(X1(x))) == oint(x, WEIGHT2 * g(X2(x))))"""
LAPLACE = """a < b and allR(s, imp(a < s and s < b, oiny(x, w1(x) * exp(s * X1(x)))
 and oiny(x, w2(x) * exp(s * X2(x)))
 and oint(x, w1(x) * exp(s * X1(x))) == oint(x, w2(x) * exp(s * X2(x)))))"""
FOURIER = """allR(u, oint(x, cx(w1(x)) * exp(i * cx(u * X1(x))))
 == oint(x, cx(w2(x)) * exp(i * cx(u * X2(x)))))"""
# moments of exp X, which grow no faster than those of an exponential law
POWER = "x, w1(x) * exp(k * X1(x))"
POWERS = f"""allR(k, imp(nat(k), oiny({POWER}) and oiny({POWER.replace("1", "2")})
 and oint({POWER}) == oint({POWER.replace("1", "2")})
 and imp(1 <= k, oint({POWER}) <= B(k) and B(k + 1) <= a * ((k + 1) * B(k)))))"""
BELOW = """allR(u, oint(x, case(X1(x) <= u, w1(x), 0)) == oint(x, case(X2(x) <= u, w2(x), 0)))"""

# the measure from its transforms: near u = 0 and beyond, and along the line r + i u
PHI = "oint(x, cx(w(x)) * exp(i * cx(u * (X(x) - v))))"
WAVE = f"i * cx(inv(u)) * {PHI}"
NEAR = f"u, case(exp(-t) < abs(u) and abs(u) <= 1, {WAVE}, cx(0))"
FAR = f"u, case(1 < abs(u) and abs(u) < t, {WAVE}, cx(0))"
SIDES = "(oint(x, case(X(x) < v, w(x), 0)) - oint(x, case(v < X(x), w(x), 0)))"
GIL_PELAEZ = f"""imp(allO(x, 0 <= w(x)) and oiny(x, w(x)), allR(t, liny({NEAR}) and liny({FAR}))
 and exC(y, exC(z, tends(t, lint({NEAR}), y) and tends(t, lint({FAR}), z)
 and y + z == cx(pi * {SIDES}))))"""
LINE = "(cx(r) + i * cx(u))"
DECAY = "(v - X(x))"
HINGE = f"max(0, 1 - exp({DECAY}))"
ALONG = f"""u, case(abs(u) < t, inv({LINE}) * inv(cx(-1) + {LINE})
 * oint(x, cx(w(x)) * exp({LINE} * cx({DECAY}))), cx(0))"""
BROMWICH = f"""imp(allO(x, 0 <= w(x)) and oiny(x, w(x)) and not r == 0 and not r == 1
 and oiny(x, w(x) * exp(r * {DECAY})), allR(t, liny({ALONG})) and tends(t, lint({ALONG}),
 cx(2 * (pi * oint(x, w(x) * ({HINGE} + case(r < 0, 0, case(r < 1, -1, exp({DECAY}) + -1))))))))"""
TWO = ("w1", "X1", "w2", "X2", "g")
BODIES = (*TWO, "w", "X", "B")
MEASURES = {
    "same transforms": ((*TWO, "a", "b"), SAME.replace("TRANSFORMS", LAPLACE)),
    "same characteristic functions": (TWO, SAME.replace("TRANSFORMS", FOURIER)),
    "gil-pelaez": (("w", "X", "v"), GIL_PELAEZ),
    "bromwich": (("w", "X", "v", "r"), BROMWICH),
    "moments that grow slowly": ((*TWO, "a", "B"), SAME.replace("TRANSFORMS", POWERS)),
    "same distribution functions": (TWO, SAME.replace("TRANSFORMS", BELOW)),
}
"""By name the parameters and the text; WEIGHT1 is w1 x, of the sort of what g has as value."""


@rule
def fact(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """|- a named fact        data: its name, the kind of tail, a term for each parameter; or its
    name, and a body or a term for each parameter"""
    if data and data[0] in MEASURES:
        require(goal == of_measures(b, str(data[0]), numbers(b, data[1:], len(data) - 1)),
                "another fact")
        return frozenset()
    require(len(data) >= 2 and data[0] in FACTS and data[1] in KINDS, "no fact of that name")
    terms = numbers(b, data[2:], len(PARAMETERS))
    require(not any(b.loose[t] for t in terms), "a closed term is needed")
    require(goal == sentence(b, str(data[0]), str(data[1]), terms), "another fact")
    return frozenset()


def sentence(b: Bank, name: str, kind: str, terms: list[int]) -> int:
    """The sentence of a fact."""
    (bounds, near), (start, normal) = FACTS[name], KINDS[kind]
    text = SUMS.replace("RANGE", bounds).replace("NEAR", near)
    return read(b, text.replace("START", start).replace("NORMAL", normal),
                dict(zip(PARAMETERS, terms, strict=True)))


def of_measures(b: Bank, name: str, terms: list[int]) -> int:
    """The sentence of a fact about measures on the line."""
    names, text = MEASURES[name]
    require(len(terms) == len(names), f"{len(names)} terms expected")
    given = dict(zip(names, terms, strict=True))
    for p, t in given.items():
        require(len(b.loose[t]) <= (p in BODIES) and (p == "g" or b.sorts[t] == "R"),
                "a closed real term, or a real body with one variable")
        measurable(b, t)
    for i in "12":
        weight = "cx(w{}(x))" if "g" in given and b.sorts[given["g"]] == "C" else "w{}(x)"
        text = text.replace(f"WEIGHT{i}", weight.format(i))
    return read(b, text, {p: partial(b.open, t) if p in BODIES else t for p, t in given.items()})
