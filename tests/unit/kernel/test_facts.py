"""Named facts at finite pairs: true there, and false with a hypothesis dropped."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache

import pytest
from mpmath import mp

from lapdp.core.facts import ALL_FACTS
from lapdp.kernel import Checker
from lapdp.kernel.facts import FACTS, KINDS
from tests.oracle.reals import num
from tests.oracle.terms import Interpreter
from tests.unit.kernel.language import term
from tests.unit.kernel.table_facts import NAMES, cited, fact

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
    checker = Checker()
    sentence = term(checker.bank, fact(name, kind))
    given, claim = checker.bank.children(sentence)
    reader = Interpreter(checker.bank, 3, letters, [Fraction(0), *SAMPLES])
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
    assert set(FACTS) <= {known.name for known in ALL_FACTS if known.source}


def test_no_spread():
    """A loss without spread: the strict bound fails."""
    with mp.workdps(50):
        zero = mp.mpf(0)
        still = {"s": zero, "v": zero, "c": zero}
        found = [said("berry-esseen", "above", {**instance(seed, "above"), **still})
                 for seed in range(4)]
    assert found == [(False, False)] * 4
