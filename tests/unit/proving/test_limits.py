"""Limits under integrals, integrals that diverge, transforms that converge; and a slip away."""

from __future__ import annotations

import pytest

from lapdp.core.checked import accept
from lapdp.kernel import Bank
from lapdp.kernel.domain import statement
from lapdp.proving.search import derive
from tests.patience import with_nightly
from tests.unit.kernel.language import term

STEPS, MANY = 1_500, 30_000
P, Q = "(dens P #0O)", "(dens Q #0O)"
SOON = "(exp (mul -1 #1))"
"""Tends to 0, below an integral."""
UP, DOWN = f"(exp {SOON})", f"(exp (mul -1 {SOON}))"


def mass(relation, p, q):
    """P of the outcomes where p and q stand in that relation."""
    return f"(oint (if ({relation} {p} {q}) {P} 0))"


def up_to(factor, relation="le"):
    """The mass up to a ratio of densities that moves."""
    return mass(relation, P, f"(mul {factor} {Q})")


PROFILE = "(oint (max 0 (add (dens P #0O) (mul -1 (mul (exp #1) (dens Q #0O))))))"
TRANSFORM = f"(liny (mul (exp (mul (add q -1) #0)) {PROFILE}))"
INFINITE = mass("eq", Q, "0")
BACK = f"(oint (if (eq {P} 0) {Q} 0))"

TRUE = [
    "(tends (exp (add x (exp (mul -1 #0)))) (exp x))",
    "(imp (lt 0 x) (tends (log (add x (exp (mul -1 #0)))) (log x)))",
    "(tends (if (lt x #0) 1 (exp #0)) 1)",
    "(imp (lt 1 x) (tends (if (lt (exp (exp (mul -1 #0))) x) 2 3) 2))",
    f"(tends {up_to(UP)} {mass('le', P, Q)})",
    f"(tends {up_to(DOWN, 'lt')} {mass('lt', P, Q)})",
    "(not (liny 1))",
    f"(imp (le q 1) (not {TRANSFORM}))",
    f"(imp (lt 1 q) (imp {TRANSFORM} (eq {INFINITE} 0)))",
]
FALSE = [
    "(tends (exp (add x (exp (mul -1 #0)))) x)",
    "(tends (exp (add x (exp #0))) (exp x))",
    "(tends (if (lt #0 x) 1 (exp #0)) 1)",
    "(imp (le 1 x) (tends (if (lt (exp (exp (mul -1 #0))) x) 2 3) 2))",
    "(tends (if (lt 1 (exp (exp (mul -1 #0)))) 2 3) 3)",
    f"(tends {up_to(UP)} {mass('lt', P, Q)})",
    f"(tends {up_to(DOWN)} {mass('le', P, Q)})",
    f"(tends {up_to('(exp (exp #1))')} {mass('le', P, Q)})",
    "(not (liny 0))",
    "(not (liny (if (lt 0 #0) (exp (mul -1 #0)) 0)))",
    f"(imp (lt 1 q) (not {TRANSFORM}))",
    f"(imp (lt 1 q) (imp {TRANSFORM} (eq {BACK} 0)))",
    f"(imp (lt 1 q) (eq {INFINITE} 0))",
]


def found(text, steps):
    """The lines found for a sentence, if the kernel accepts them."""
    bank = Bank()
    goal = statement(bank, [], term(bank, text))
    lines, _ = derive(bank, goal, steps)
    return lines is not None and bool(accept(lines, bank.digest(goal)))


@pytest.mark.parametrize("text", with_nightly(TRUE, TRUE[-1]))
def test_true_sentences_are_derived(text):
    assert found(text, MANY)


@pytest.mark.parametrize("text", with_nightly(FALSE, FALSE[6], *FALSE[10:12]))
def test_false_sentences_are_not(text):
    assert not found(text, STEPS)
