"""Named facts at finite pairs: true there, and false with a hypothesis dropped."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache

import pytest
from mpmath import mp

from lapdp.core.facts import ALL_FACTS
from lapdp.kernel import Checker
from lapdp.kernel.facts import FACTS, KINDS, MEASURES
from tests.oracle.reals import num
from tests.oracle.terms import Interpreter
from tests.unit.kernel.language import term
from tests.unit.kernel.table_facts import NAMES, SEEN, bromwich, cited, fact, gil_pelaez, same

STARTS = {
    "above": lambda e: lambda a, b: a if mp.exp(e) * b < a else 0,
    "from": lambda e: lambda a, b: a if mp.exp(e) * b <= a else 0,
    "to": lambda e: lambda a, b: a if a <= mp.exp(e) * b else 0,
    "profile": lambda e: lambda a, b: max(0, a - mp.exp(e) * b),
    "lost": lambda e: lambda a, b: a if b == 0 else 0,
}
SAMPLES = tuple(mp.mpf(x) for x in ("0", "1", "0.5", "-1"))


def released(start, p, q):
    """The value of a recursion over releases."""
    @cache
    def value(count, a, b):
        a, b = num(a), num(b)
        if count == 0:
            return mp.mpf(start(a, b))
        return mp.fsum(value(count - 1, a * x, b * y) for x, y in zip(p, q, strict=True))

    return value


def instance(seed, kind):
    """Values of the letters for random masses of three outcomes, one of them lost now and then."""
    draw = random.Random(seed)
    p, q = ([mp.mpf(draw.randint(1, 9)) for _ in range(3)] for _ in range(2))
    q[2] *= seed % 2
    p, q = ([x / mp.fsum(masses) for x in masses] for masses in (p, q))
    n = Fraction(draw.randint(1, 4))
    finite = [(x, mp.log(x / y)) for x, y in zip(p, q, strict=True) if y]
    w = mp.fsum(x for x, _ in finite)
    m = mp.fsum(x * z for x, z in finite) / w
    v = mp.fsum(x * (z - m)**2 for x, z in finite) / w
    c = mp.fsum(x * abs(z - m)**3 for x, z in finite) / w
    k, s = mp.sqrt(int(n)), mp.sqrt(v)
    t = mp.mpf(draw.randint(0 if seed % 3 else -20, 20)) / 8
    e = n * m + k * s * t
    lost = released(STARTS["lost"](e), p, q)
    values = (p, q, released(STARTS[kind](e), p, q), lost, n, k, e, m, s, v, t,
              t + k * s, w, c, 1 - lost(n, mp.mpf(1), mp.mpf(1)))
    return dict(zip(NAMES, values, strict=True))


def said(name, kind, letters):
    """Whether its hypotheses hold, and whether what it says does."""
    return holds(fact(name, kind), letters, [Fraction(0), *SAMPLES])


def holds(text, letters, samples):
    """The same of the text of a sentence, numbers being those samples."""
    checker = Checker()
    given, claim = checker.bank.children(term(checker.bank, text))
    reader = Interpreter(checker.bank, 3, letters, samples)
    return bool(reader.of(given)), bool(reader.of(claim))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(8))
def test_true_at_pairs(kind, seed):
    with mp.workdps(50):
        letters = instance(seed, kind)
        assert said("berry-esseen", kind, letters) == (True, True)
        assert said("nonuniform berry-esseen", kind, letters) == (letters["t"] >= 0, True)


DROPPED = {
    "the standard deviation": lambda x: {"s": 50 * x["s"], "v": 2500 * x["v"]},
    "the variance": lambda x: {"v": x["v"] / 2, "s": mp.sqrt(x["v"] / 2) * 9},
    "the third moment": lambda x: {"c": x["c"] / 100},
    "the root of n": lambda x: {"k": 100 * x["k"]},
    "the place": lambda x: {"t": x["t"] + 4},
    "the mass of finite losses": lambda x: {"b": x["b"] / 10**9},
    "that there are finite losses": lambda x: {"b": mp.mpf(0)},
    "the recursion": lambda x: {"J1": lambda *_: mp.mpf(3)},
}
"""Letters changed so that a hypothesis fails, and the claim with it."""


@pytest.mark.parametrize("what", DROPPED)
@pytest.mark.parametrize("name", FACTS)
def test_false_without_a_hypothesis(name, what):
    with mp.workdps(50):
        letters = [instance(seed, "above") for seed in range(1, 8)]
        found = [said(name, "above", {**x, **DROPPED[what](x)}) for x in letters]
    assert not any(given for given, _ in found)
    assert not all(claim for _, claim in found)


def test_the_other_place_of_the_profile():
    """z is the place of the second tail: with another one the profile is missed."""
    with mp.workdps(50):
        letters = [instance(seed, "profile") for seed in range(1, 8)]
        found = [said("berry-esseen", "profile", {**x, "y": x["y"] - 6}) for x in letters]
    assert not any(given for given, _ in found)
    assert not all(claim for _, claim in found)


def test_theorems_name_their_facts():
    """What follows from a fact names it; what does not, names none."""
    checker = Checker()
    bank = checker.bank
    sentence = term(bank, fact("berry-esseen", "to"))
    data = [x[1:] if x.startswith("=") else term(bank, x) for x in cited("berry-esseen", "to")]
    first = checker.step("fact", sentence, [], data)
    other = checker.step("refl", bank.make("iff", sentence, sentence), [], [])
    both = checker.step("taut", bank.make("and", sentence, sentence), [first, other], [])
    assert [set(checker.theorems[i].facts) for i in (first, other, both)] == [
        {"berry-esseen"}, set(), {"berry-esseen"}]


def test_each_fact_has_its_source():
    """`lapdp facts` tells where it is proved."""
    assert {*FACTS, *MEASURES} <= {known.name for known in ALL_FACTS if known.source}


def test_no_spread():
    """A loss without spread: the strict bound fails."""
    with mp.workdps(50):
        zero = mp.mpf(0)
        still = {"s": zero, "v": zero, "c": zero}
        found = [said("berry-esseen", "above", {**instance(seed, "above"), **still})
                 for seed in range(4)]
    assert found == [(False, False)] * 4


IMAGES = ("(dens P #0O)", "(dens P1 #0O)", "(dens Q #0O)", "(dens Q1 #0O)", SEEN)
"""Weights P and Q, and what is seen at each of three outcomes, P1 and Q1."""
UNIQUE = tuple(name for name in MEASURES if name.startswith(("same", "moments")))
ORDERS = (*(mp.mpf(x) for x in ("-1.5", "0.25", "0.5", "0.75", "2")), *map(Fraction, range(3)))


def images(seed):
    """One measure as the image of two: other weights of the outcomes, and another order."""
    draw = random.Random(seed)
    low, high = (mp.mpf(draw.randint(-12, 12)) / 4 for _ in range(2))
    x, y, z = (mp.mpf(draw.randint(1, 9)) / 7 for _ in range(3))
    return {"P": [x, y, z], "P1": [low, low, high], "Q": [z, mp.mpf(0), x + y],
            "Q1": [high, mp.mpf(5), low], "a": mp.mpf(0), "b": mp.mpf(1),
            "e": mp.mpf(draw.randint(-9, 9)) / 5}


@pytest.mark.parametrize("name", UNIQUE)
@pytest.mark.parametrize("seed", range(8))
def test_one_measure_as_two_images(name, seed):
    with mp.workdps(50):
        assert holds(same(name, measures=IMAGES), images(seed), ORDERS) == (True, True)


APART = {
    "a shift": lambda x: {"P1": [v + 1 for v in x["P1"]]},
    "the sign": lambda x: {"Q1": [-v for v in x["Q1"]]},
    "other weights": lambda x: {"Q": x["Q"][::-1]},
    "a multiple": lambda x: {"P": [2 * v for v in x["P"]]},
}


@pytest.mark.parametrize("what", APART)
@pytest.mark.parametrize("name", UNIQUE)
def test_two_measures(name, what):
    """The transforms differ, and some integral does."""
    with mp.workdps(50):
        letters = [{**x, "P1": [mp.mpf(1), mp.mpf(1), mp.mpf(3)],
                    "Q1": [mp.mpf(3), mp.mpf(2), mp.mpf(1)], "e": mp.mpf(0)}
                   for x in map(images, range(6))]
        places = [*ORDERS, mp.mpf(3) / 2, mp.mpf(5) / 2, mp.mpf(7) / 2]
        found = [holds(same(name, measures=IMAGES), {**x, **APART[what](x)}, places)
                 for x in letters]
    assert not any(given for given, _ in found)
    assert not all(claim for _, claim in found)


def test_all_moments_are_needed():
    """With the masses alone, or one moment besides, the measures may differ."""
    with mp.workdps(50):
        first, zero = [mp.mpf(x) / 4 for x in (1, 2, 1)], mp.mpf(0)
        letters = {"P": first, "Q": [mp.mpf(1) / 2, zero, mp.mpf(1) / 2], "e": mp.log(2) / 2,
                   "P1": [zero, mp.log(2), mp.log(3)], "Q1": [zero, zero, mp.log(3)]}
        text = same("moments that grow slowly", measures=IMAGES)
        assert holds(text, letters, ORDERS) == (False, False)
        for one in ("0", "1"):
            assert holds(text.replace("(nat #0)", f"(eq {one} #0)"), letters, ORDERS) == (
                True, False)


@pytest.mark.parametrize(("change", "end"), [
    (("(lt a b)", "(le a b)"), 0), (("(and (lt a #0) (lt #0 b))", "(eq a #0)"), 1)])
def test_an_interval_is_needed(change, end):
    """Without orders, or with one of them, the transforms may agree and the measures not."""
    with mp.workdps(50):
        p, q = [mp.mpf(x) / 10 for x in (2, 3, 5)], [mp.mpf(x) / 10 for x in (5, 3, 2)]
        zero = mp.mpf(0)
        letters = {"P": p, "Q": q, "P1": [zero, mp.mpf(1), mp.mpf(2)], "a": zero, "b": mp.mpf(end),
                   "Q1": [zero, mp.mpf(1), mp.mpf(2)], "e": mp.mpf(1)}
        text = same("same transforms", measures=IMAGES)
        assert change[0] in text
        assert holds(text, letters, ORDERS) == (False, False)
        assert holds(text.replace(*change), letters, ORDERS) == (True, False)


ATOMS = "(dens P #0O)", "(dens P1 #0O)", "e"
"""w at each of three outcomes, X there, and v."""
END, FINE = 80, 6
"""Midpoints, so many a unit."""


def inverted(text, letters, lints):
    """Whether the hypotheses hold, integrals over the line to a large end, and the value claimed;
    real ones, as what is integrated over u and -u adds up to one."""
    checker = Checker()
    bank = checker.bank
    given, claim = bank.children(term(bank, text))
    reader = Interpreter(bank, 3, letters)
    found, parts = [], [claim]
    while parts:
        t = parts.pop()
        if bank.rows[t][0] == "lint":
            found.append(bank.children(t)[0])
        parts += bank.children(t)
    end = mp.mpf(END)
    outer = (mp.mpf(0), mp.mpf(0)) if lints == 2 else ()
    total = mp.mpf(0)
    for body in list(dict.fromkeys(found)):
        def both(u, body=body):
            return sum(num(reader.of(body, (*outer, end, side))) for side in (u, -u))
        total += mp.fsum(both((k + mp.mpf(1) / 2) / FINE) for k in range(END * FINE)) / FINE
    assert len(set(found)) == lints
    equations = [t for t in subterms(bank, claim) if bank.rows[t][0] == ("eq" if lints == 2 else
                                                                          "tends")]
    value = reader.of(bank.children(equations[-1])[1], (*outer, end))
    return bool(reader.of(given)), total, num(value)


def subterms(bank, t):
    """All of them."""
    return [t, *(u for k in bank.children(t) for u in subterms(bank, k))]


def atoms(seed):
    """Three atoms, now and then one of them at v, others not near it."""
    draw = random.Random(seed)
    places = [mp.mpf(x) / 2 for x in draw.sample([-4, -3, -2, 2, 3, 4], 3)]
    places[0] *= seed % 2
    v = mp.mpf(draw.randint(-3, 3)) / 3
    return {"P": [mp.mpf(draw.randint(1, 9)) / 7 for _ in range(3)],
            "P1": [v + x for x in places], "e": v}


@pytest.mark.parametrize("seed", range(4))
def test_gil_pelaez_at_atoms(seed):
    with mp.workdps(12):
        given, total, value = inverted(gil_pelaez(*ATOMS), atoms(seed), 2)
        assert given and abs(total - value) < 0.1


def test_gil_pelaez_at_an_atom_that_is_turned():
    with mp.workdps(12):
        turned = inverted(gil_pelaez(*ATOMS), {**atoms(2), "P1": [2, 3, 4], "e": mp.mpf(0)}, 2)
        other = inverted(gil_pelaez(*ATOMS), {**atoms(2), "P1": [-2, 3, 4], "e": mp.mpf(0)}, 2)
        assert abs(turned[1] - other[2]) > 0.2


@pytest.mark.parametrize("rate", ["-3/2", "1/4", "1/2", "2"])
def test_bromwich_at_atoms(rate):
    with mp.workdps(12):
        for seed in (1, 2):
            letters = {**atoms(seed), "a": mp.mpf(Fraction(rate).numerator) / Fraction(
                rate).denominator}
            given, total, value = inverted(bromwich(*ATOMS), letters, 1)
            assert given and abs(total - value) < 0.1


@pytest.mark.parametrize("rate", [0, 1])
def test_bromwich_at_a_pole(rate):
    """There the hypothesis fails, and the value is that of neither side."""
    with mp.workdps(12):
        letters = {**atoms(1), "a": mp.mpf(rate)}
        given, total, value = inverted(bromwich(*ATOMS), letters, 1)
        assert not given and abs(total - value) > 0.2
