"""Named facts: theorems of the literature, each with its hypotheses in full.

A fact is an implication between formulas, written here as text in prefix form: ``(allR t A)`` binds
t, and a name that nothing binds is a parameter, which a closed term replaces; one that is applied,
``(w x)``, is a body with one variable, which must be measurable by structure.  Proofs and
references: docs/kernel.md.
"""

from __future__ import annotations

from fractions import Fraction

from lapdp.kernel.domain import bound_sort
from lapdp.kernel.integrals import measurable
from lapdp.kernel.rules import Theorem, numbers, require, rule
from lapdp.kernel.symbols import SIGNATURES
from lapdp.kernel.terms import Bank

# the loss log(p/q) of n independent outcomes, given that it is finite, of probability w for one
# and W for n: mean m, variance v = s s, absolute central third moment c; k = sqrt n; e lies t
# standard deviations right of the mean of the sum
LOSS = "(add (log (dens P x)) (mul -1 (log (dens Q x))))"
OFF = f"(add {LOSS} (mul -1 m))"
MOMENTS = " ".join(
    f"(oiny x {body}) (eq (oint x {body}) (mul w {value}))" for body, value in (
        (f"(if (lt 0 (dens P x)) (if (lt 0 (dens Q x)) (mul (dens P x) {power}) 0) 0)", value)
        for power, value in ((LOSS, "m"), (f"(mul {OFF} {OFF})", "v"), (
            f"(mul (mul (abs {OFF}) (abs {OFF})) (abs {OFF}))", "c"))))
RELEASES = """(allR a (allR b (eq (app3 V 0 a b) START))) (allR l (imp (nat l) (allR a (allR b (eq
 (app3 V (add l 1) a b) (oint x (app3 V l (mul a (dens P x)) (mul b (dens Q x)))))))))"""
LOST = RELEASES.replace("V", "U").replace("START", "(if (eq b 0) a 0)")
SUMS = f"""(imp (and (nat n) (le 1 n) (lt 0 k) (eq (mul k k) n) (lt 0 s) (eq (mul s s) v)
 (eq (mul k s t) (add e (mul -1 n m))) (eq (mul k s z) (add e (mul -1 n m) (mul n v))) (lt 0 w)
 (eq w (add 1 (mul -1 (oint x (if (eq (dens Q x) 0) (dens P x) 0))))) {MOMENTS} {RELEASES}
 (or (and {LOST} (eq W (add 1 (mul -1 (app3 U n 1 1))))) (and (eq w 1) (eq W 1))) RANGE)
 (and (lt 0 W) NEAR))"""
APART = "(abs (add (app3 V n 1 1) (mul -1 NORMAL)))"
FACTS = {
    "berry-esseen": ("", f"(lt (mul k s s s {APART}) (mul 1187/2500 c W))"),
    "nonuniform berry-esseen": (
        "(le 0 t)", f"(le (mul k s s s (add 1 (mul t t t)) {APART}) (mul 129/5 c W))"),
}
"""By name what it supposes besides, and what it says of V(n, 1, 1)."""
TAIL = "(erfc (mul 1/2 (sqrt 2) t))"
ABOVE = f"(add 1 (mul -1 W) (mul 1/2 W {TAIL}))"
KINDS = {
    "above": ("(if (lt (mul (exp e) b) a) a 0)", ABOVE),
    "from": ("(if (le (mul (exp e) b) a) a 0)", ABOVE),
    "to": ("(if (le a (mul (exp e) b)) a 0)", f"(mul 1/2 W (add 2 (mul -1 {TAIL})))"),
    "profile": ("(max 0 (add a (mul -1 (mul (exp e) b))))", f"""(add 1 (mul -1 W) (mul 1/2 W (add
 {TAIL} (mul -1 (exp (add e (mul -1 n m) (mul 1/2 n v))) (erfc (mul 1/2 (sqrt 2) z))))))"""),
}
"""Pr[loss > e], Pr[loss >= e], Pr[loss <= e], delta(e): V(0, a, b), and the same by the normal
law."""
PARAMETERS = ("P", "Q", "V", "U", "n", "k", "e", "m", "s", "v", "t", "z", "w", "c", "W")

# finite measures on the line, images of weights w1 and w2 under X1 and X2, that are the same: g
# has the same integral by both
SAME = """(imp (and (allO x (le 0 (w1 x))) (oiny x (w1 x)) (allO x (le 0 (w2 x))) (oiny x (w2 x))
 TRANSFORMS) (and (iff (oiny x (mul WEIGHT1 (g (X1 x)))) (oiny x (mul WEIGHT2 (g (X2 x)))))
 (eq (oint x (mul WEIGHT1 (g (X1 x)))) (oint x (mul WEIGHT2 (g (X2 x)))))))"""
LAPLACE = """(lt a b) (allR s (imp (and (lt a s) (lt s b)) (and
 (oiny x (mul (w1 x) (exp (mul s (X1 x))))) (oiny x (mul (w2 x) (exp (mul s (X2 x)))))
 (eq (oint x (mul (w1 x) (exp (mul s (X1 x))))) (oint x (mul (w2 x) (exp (mul s (X2 x)))))))))"""
FOURIER = """(allR u (eq (oint x (mul (cx (w1 x)) (exp (mul i (cx (mul u (X1 x)))))))
 (oint x (mul (cx (w2 x)) (exp (mul i (cx (mul u (X2 x)))))))))"""
# moments of exp X, which grow no faster than those of an exponential law
POWER = "(mul (w1 x) (exp (mul k (X1 x))))"
POWERS = f"""(allR k (imp (nat k) (and (oiny x {POWER}) (oiny x {POWER.replace("1", "2")})
 (eq (oint x {POWER}) (oint x {POWER.replace("1", "2")})) (imp (le 1 k) (and
 (le (oint x {POWER}) (B k)) (le (B (add k 1)) (mul a (add k 1) (B k))))))))"""
BELOW = """(allR u (eq (oint x (if (le (X1 x) u) (w1 x) 0))
 (oint x (if (le (X2 x) u) (w2 x) 0))))"""

# the measure from its transforms: near u = 0 and beyond, and along the line r + i u
PHI = "(oint x (mul (cx (w x)) (exp (mul i (cx (mul u (add (X x) (mul -1 v))))))))"
WAVE = f"(mul (mul i (cx (inv u))) {PHI})"
NEAR = f"u (if (and (lt (exp (mul -1 t)) (abs u)) (le (abs u) 1)) {WAVE} (cx 0))"
FAR = f"u (if (and (lt 1 (abs u)) (lt (abs u) t)) {WAVE} (cx 0))"
SIDES = "(add (oint x (if (lt (X x) v) (w x) 0)) (mul -1 (oint x (if (lt v (X x)) (w x) 0))))"
GIL_PELAEZ = f"""(imp (and (allO x (le 0 (w x))) (oiny x (w x))) (and
 (allR t (and (liny {NEAR}) (liny {FAR}))) (exC y (exC z (and
 (tends t (lint {NEAR}) y) (tends t (lint {FAR}) z) (eq (add y z) (cx (mul pi {SIDES}))))))))"""
LINE = "(add (cx r) (mul i (cx u)))"
DECAY = "(add v (mul -1 (X x)))"
HINGE = f"(max 0 (add 1 (mul -1 (exp {DECAY}))))"
ALONG = f"""u (if (lt (abs u) t) (mul (mul (inv {LINE}) (inv (add (cx -1) {LINE})))
 (oint x (mul (cx (w x)) (exp (mul {LINE} (cx {DECAY})))))) (cx 0))"""
BROMWICH = f"""(imp (and (allO x (le 0 (w x))) (oiny x (w x)) (not (eq r 0)) (not (eq r 1))
 (oiny x (mul (w x) (exp (mul r {DECAY}))))) (and (allR t (liny {ALONG}))
 (tends t (lint {ALONG}) (cx (mul 2 pi (oint x (mul (w x) (add {HINGE}
 (if (lt r 0) 0 (if (lt r 1) -1 (add (exp {DECAY}) -1)))))))))))"""
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
        require(len(b.loose[t]) <= (p in BODIES), "a closed term, or a body with one variable")
        measurable(b, t)
    for i in "12":
        weight = "(cx (w{} x))" if "g" in given and b.sorts[given["g"]] == "C" else "(w{} x)"
        text = text.replace(f"WEIGHT{i}", weight.format(i))
    return read(b, text, given)


def read(b: Bank, text: str, given: dict[str, int]) -> int:
    """The term of a text, its parameters replaced by closed terms and by bodies."""
    return _read(b, text.replace("(", " ( ").replace(")", " ) ").split()[::-1], given, ())


def _read(b: Bank, words: list[str], given: dict[str, int], bound: tuple[tuple[str, str], ...]
          ) -> int:
    """The term at the end of the words, which come in reverse; bound variables innermost first."""
    word = words.pop()
    if word != "(":
        for i, (name, sort) in enumerate(bound):
            if name == word:
                return b.bound(i, sort)
        if word in given:
            return given[word]
        if word in SIGNATURES:
            return b.make(word)
        value = Fraction(word)
        return b.number(value.numerator, value.denominator)
    head, inside = words.pop(), bound
    if head not in given and b.binder(head, 0):
        inside = ((words.pop(), bound_sort(head)), *bound)
    parts: list[int] = []
    while words[-1] != ")":  # a binder has its variable in its first argument only
        parts.append(_read(b, words, given, bound if parts else inside))
    words.pop()
    if head in given:
        return b.open(given[head], *parts)
    while head in ("and", "add", "mul") and len(parts) > 2:
        parts[-2:] = [b.make(head, *parts[-2:])]
    return b.make(head, *parts)
