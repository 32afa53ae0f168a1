"""Tactics with a step forgotten: whatever the search then says, no false sentence is proved."""

from __future__ import annotations

from fractions import Fraction

import pytest

from lapdp.core import border
from lapdp.core.checked import NotAccepted, accept
from lapdp.kernel import Bank
from lapdp.kernel.domain import statement
from lapdp.proving import keeping, search
from lapdp.proving.arithmetic import Arithmetic
from lapdp.proving.averages import Averages
from lapdp.proving.breaks import Breaks
from lapdp.proving.certificates import Certificates
from lapdp.proving.derivation import Derivation
from lapdp.proving.guarantees import Guarantees
from lapdp.proving.hypotheses import Hypotheses
from lapdp.proving.integration import Integration
from lapdp.proving.space import Prover
from lapdp.proving.tightened import Tightened
from tests.unit.kernel.language import term

MASS = "(oint (max 0 (add (dens P #0O) (mul -1 (mul (exp x) (dens Q #0O))))))"
TRUE = ["(lt 0 (exp x))", "(imp (lt 0 x) (lt 0 (inv x)))", f"(le 0 {MASS})", f"(le {MASS} 1)",
        "(eq (lint (if (lt 0 #0) (exp (mul -2 #0)) 0)) 1/2)", "(le (abs (add x y)) (add (abs x) "
        "(abs y)))"]
FALSE = [
    "(lt (exp x) x)", "(le (exp x) (add 1 x))", "(lt 0 (inv x))", "(imp (le 0 x) (lt 0 (inv x)))",
    f"(lt 0 {MASS})", f"(lt {MASS} 1)", f"(le {MASS} 1/2)", f"(eq {MASS} 0)",
    "(eq (lint (if (lt 0 #0) (exp (mul -2 #0)) 0)) 1)", "(eq (lint (exp (mul -1 #0))) 1)",
    "(le (add (abs x) (abs y)) (abs (add x y)))", "(eq (abs x) x)", "(eq (log (exp x)) (log x))",
    "(allR (exR (lt #0 (mul x x))))", "(exR (lt (exp #0) 0))", "(allR (le (mul #0 #0) #0))",
    "(imp (le x y) (lt x y))", "(imp (exR (lt #0 x)) (allR (lt #0 x)))",
    "(le (supS (oint (if (in #0O #1S) (dens P #0O) 0))) 1/2)", "(eq (sqrt (mul x x)) x)",
]
STEPS = 120


def proved(text, steps=STEPS):
    """Does the search find lines that the kernel accepts, for the sentence with its domain?"""
    bank = Bank()
    goal = statement(bank, [], term(bank, text))
    try:
        lines, _ = search.derive(bank, goal, steps)
        return lines is not None and bool(accept(lines, bank.digest(goal)))
    except NotAccepted:
        return False
    except Exception:  # a tactic that forgets a step may also fall over: that proves nothing
        return False


def assumed(method):
    """Takes for granted what it is asked for."""
    return lambda self, goal, *_, **__: self.d.assume(goal)


def first(self, *theorems):
    """The first premise instead of a conclusion."""
    return theorems[0]


def granted(make):
    """A fact about a term, supposed instead of shown."""
    def fault(self, t, *_, **__):
        return self.d.assume(make(self.d, t))
    return fault


def without(rule):
    """Lines in which the steps of one rule stand for what needs no premises."""
    kept = keeping.lines_of

    def fault(d, theorem):
        return [line.replace(f'["p","{rule}"', '["p","taut"') for line in kept(d, theorem)]
    return fault


def flipped(self, goal, relations, parts, *rest):
    """A certificate with all weights turned around."""
    turned = [({m: -c for m, c in f.items()}, *more) for f, *more in parts]
    return KEPT(self, goal, relations, turned, *rest)


KEPT = Certificates.certified
FAULTS = {
    "one case of two": (Derivation, "split", lambda self, condition, yes, no: yes),
    "the other case": (Derivation, "split", lambda self, condition, yes, no: no),
    "an equation not turned": (Derivation, "turn", lambda self, i: i),
    "a chain cut off": (Derivation, "chain", first),
    "nothing replaced": (Derivation, "replace", lambda self, i, equation: i),
    "alike without a reason": (Derivation, "alike", lambda self, t, equation: self.refl(t)),
    "not generalised": (Derivation, "gen", lambda self, name, sort, i: i),
    "not instantiated": (Derivation, "inst", lambda self, i, t: i),
    "not discharged": (Derivation, "disch", lambda self, premise, i: i),
    "a premise for the conclusion": (Derivation, "mp", first),
    "the goal supposed": (Prover, "prove", assumed("prove")),
    "relations supposed": (Arithmetic, "relation", assumed("relation")),
    "a contradiction supposed": (Arithmetic, "refute",
                                 lambda self, facts: self.d.assume(self.d.mk("false"))),
    "every condition true": (Arithmetic, "truth",
                             lambda self, condition, facts: self.d.assume(condition)),
    "everything positive": (Certificates, "positive", granted(
        lambda d, t: d.mk("lt", d.num(0), t))),
    "nothing is 0": (Certificates, "nonzero", granted(
        lambda d, t: d.mk("not", d.mk("eq", t, d.like(0, d.b.sorts[t]))))),
    "weights turned around": (Certificates, "certified", flipped),
    "integrals supposed": (Integration, "evaluate", lambda self, body, facts: self.d.assume(
        self.d.mk("eq", self.d.mk("lint", body), self.d.num(1)))),
    "a bound supposed": (Hypotheses, "between", lambda self, goal, facts: self.d.assume(goal)),
    "a witness supposed": (Hypotheses, "witness", lambda self, goal, facts: self.d.assume(goal)),
    "every number positive": (Breaks, "sign", lambda self, t: 1),
    "steps of arithmetic left out": (search, "lines_of", without("arith")),
    "discharges left out": (search, "lines_of", without("disch")),
    "only the last line": (search, "lines_of", lambda d, i: keeping.lines_of(d, i)[-1:]),
    "another number": (Derivation, "num", lambda self, x: self.b.number(
        *(Fraction(x) + 1).as_integer_ratio())),
}


@pytest.mark.parametrize("text", TRUE)
def test_what_is_true_is_found(text):
    assert proved(text, 20_000)


@pytest.mark.parametrize("text", FALSE)
def test_what_is_false_is_not(text):
    assert not proved(text, 1_000)


@pytest.mark.faults
@pytest.mark.parametrize("name", FAULTS)
def test_no_false_sentence_is_proved(name, monkeypatch):
    monkeypatch.setattr(*FAULTS[name])
    assert not [text for text in FALSE if proved(text)]


def test_enough_of_them():
    assert len(FAULTS) >= 20
    for home, name, _ in FAULTS.values():
        assert callable(getattr(home, name))


@pytest.mark.faults
def test_a_tactic_that_breaks_is_a_miss(monkeypatch):
    """The next one has its turn, and the fault is kept for our tests to fail by."""
    def broken(self, goal, facts):
        (_,) = ()

    for home, name in ((Tightened, "relation"), (Averages, "found"), (Guarantees, "found")):
        monkeypatch.setattr(home, name, broken)
    assert derived(f"(le {MASS} 1)")
    assert {f.text for f in border.FAULTS} == {
        "ValueError: not enough values to unpack (expected 1, got 0)"}


@pytest.mark.faults
def test_a_step_that_breaks_fails_alone(monkeypatch):
    """Within another step, and at the top."""
    monkeypatch.setattr(Integration, "evaluate", lambda *_: 1 / 0)
    assert not derived("(eq (lint (if (lt 0 #0) (exp (mul -2 #0)) 0)) 1/2)")
    monkeypatch.setattr(Prover, "prove", lambda *_: {}["no"])
    assert not derived("(lt 0 (exp x))")
    assert {f.text for f in border.FAULTS} == {"ZeroDivisionError: division by zero",
                                               "KeyError: 'no'"}


def test_what_bounds_a_search_passes(monkeypatch):
    def endless(self, goal, facts):
        raise RecursionError

    monkeypatch.setattr(Tightened, "relation", endless)
    bank = Bank()
    goal = statement(bank, [], term(bank, f"(le {MASS} 1)"))
    assert search.derive(bank, goal, 2000) == (None, "the sentence is too deep")
    assert not border.FAULTS


def derived(text):
    """As ``proved``; what the search itself raises is raised."""
    bank = Bank()
    goal = statement(bank, [], term(bank, text))
    lines, _ = search.derive(bank, goal, 20_000)
    return lines is not None and bool(accept(lines, bank.digest(goal)))
