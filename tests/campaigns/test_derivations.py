"""A sample of the campaign over damaged derivations, and that it sees a kernel with a fault."""

from __future__ import annotations

from fractions import Fraction

import pytest
from mpmath import mp

from lapdp.kernel import Bank
from lapdp.kernel.rules import Theorem
from tests.campaigns.derivations import campaign, main
from tests.oracle.judge import Judge, fails
from tests.unit.kernel.faults import compiled, find, in_place, rewritten
from tests.unit.kernel.language import term


def test_what_the_kernel_still_accepts_is_true():
    ends, false = campaign(300, seed=1)
    assert not false
    counts = {end: sum(n for (_, e), n in ends.items() if e == end)
              for end in ("refused", "unchanged", "true", "unclear")}
    assert sum(counts.values()) == 300
    assert counts["refused"] > 150 and counts["true"] > 10 and counts["unclear"] < 10


@pytest.mark.parametrize("name, old, new", [
    ("certify", "if rest:", "if False:"),
    ("rewrite", "before == theorem.claim and after == goal", "True"),
    ("taut", 'require(supposed.setdefault(goal, False) or holds({}), "no tautology")',
     "supposed.setdefault(goal, False)"),
])
def test_a_fault_is_seen(name, old, new):
    module, function = find(name)
    with in_place(function, compiled(rewritten(function, old, new), module)):
        _, false = campaign(600, seed=4, longest=400)
    assert false


def test_the_command(capsys):
    assert main(["--mutants", "20"]) == 0
    assert "refused" in capsys.readouterr().out


@pytest.mark.parametrize("formula, certain, possible", [
    ("(lt 0 1)", True, True), ("(lt 1 0)", False, False), ("(lt 0 (inv 0))", False, True),
    ("(allR (lt 0 #0))", False, False), ("(allR (le 0 (mul #0 #0)))", False, True),
    ("(exR (lt 0 #0))", True, True), ("(exR (lt #0 #0))", False, True),
    ("(not (allR (lt 0 #0)))", True, True), ("(not (exR (lt 0 #0)))", False, False),
    ("(imp (exR (lt #0 #0)) (lt 1 0))", False, True), ("(or (lt 0 (inv 0)) (lt 0 1))", True, True),
    ("(iff (lt 0 1) (lt 1 0))", False, False), ("(iff (lt 0 (inv 0)) (lt 0 1))", False, True),
    ("(iff (lt 1 0) (lt 2 0))", True, True),
    ("(allO (le 0 (dens P #0O)))", True, True), ("(exO (lt 1 (dens P #0O)))", False, False),
])
def test_certain_and_possible(formula, certain, possible):
    bank = Bank()
    half = Fraction(1, 2)
    judge = Judge(bank, 2, {"P": (half, half)}, samples=(Fraction(-1), Fraction(0), Fraction(2)))
    assert judge.both(term(bank, formula)) == (certain, possible)


FAR = "(mul (exp 80) (add (exp (exp (mul -1 #0))) -1))"


@pytest.mark.parametrize("formula, false", [
    # of logarithms and roots of numbers below 0 nothing is known but that they are real
    ("(iff (eq (log (mul r d)) (add (log d) (log r))) (eq (exp (log (mul r d))) (exp (add (log d) "
     "(log r)))))", False),
    ("(eq (exp (log r)) r)", False), ("(eq (mul (sqrt r) (sqrt r)) r)", False),
    # large numbers are equal to many of their digits, and small ones are not 0
    ("(iff (eq (exp (add 99 (sqrt 2))) (mul (exp 99) (exp (sqrt 2)))) (eq 1 1))", False),
    ("(eq (exp (add 99 (sqrt 2))) (mul (exp 99) (exp (sqrt 3))))", True),
    ("(not (eq (exp -90) 0))", False), ("(eq (sqrt 2) 1)", True), ("(eq (exp -20) 0)", True),
    # a limit may be far out; what stays away has another
    (f"(tends {FAR} 0)", False), (f"(tends {FAR} 1)", True), ("(tends (inv #0) 0)", False),
    ("(tends (inv (log #0)) 0)", False), ("(tends (inv #0) 1)", True), ("(tends #0 0)", True),
    ("(tends (add 1 (exp (mul -1 #0))) 0)", True), ("(tends (cos (inv #0)) 0)", True),
    ("(not (tends (exp (mul -1 #0)) 0))", True), ("(not (tends (inv #0) 0))", False),
    ("(tends (mul #0 (exp (mul -1 #0))) 0)", False), ("(lt (exp r) (exp d))", True),
])
def test_a_conclusion_is_false_on_evidence_that_persists(formula, false):
    bank = Bank()
    found = Theorem(frozenset(), term(bank, formula))
    with mp.workdps(60):
        judge = Judge(bank, 2, {"t": Fraction(-3), "r": Fraction(-2), "d": Fraction(-5)})
        assert fails(judge, found) == false
