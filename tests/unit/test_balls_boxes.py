"""Signs over boxes: proofs where true, exact points where false, undecided where balls cannot."""

from __future__ import annotations

import random

import pytest
import sympy as sp

from lapdp.balls import (
    BoxProof,
    Counterexample,
    Undecided,
    prove_sign,
    prove_sign_halfline,
    sign,
)
from lapdp.core.errors import InputError, Undefined, Unsupported

x, y = sp.symbols("x y")
R = sp.Rational

TRUE = [
    (sp.exp(x) - 1 - x, ">=", {x: (-1, 1)}), (sp.sin(x) - x + x**3 / 6, ">=", {x: (0, 2)}),
    (x**2 + y**2 - 2 * x * y + R(1, 100), ">", {x: (0, 1), y: (0, 1)}),
    (sp.erfc(x) - sp.exp(-x**2), "<=", {x: (0, 5)}), (sp.log(x) - x, "<", {x: (R(1, 5), 3)}),
    (sp.Max(x, 1 - x) - R(49, 100), ">", {x: (0, 1)}), (sp.cosh(x) - 1, ">=", {x: (-2, 2)}),
    ((1 + x) / (1 + y) - 3 * sp.exp(x - y), "!=", {x: (0, 1), y: (0, 1)}),
    (sp.exp(sp.I * x) - 2, "!=", {x: (0, 10)}), (sp.sqrt(x) + R(1, 100), ">", {x: (0, 1)}),
    (sp.pi - x, ">", {x: (0, sp.sqrt(2))}), (x - 1, ">=", {x: (1, 1)}),
    (sp.tan(x) - x, "<=", {x: (-1, 0)}),
]
FALSE = [
    (sp.exp(x) - 1 - x, ">", {x: (0, 1)}), (sp.exp(x) - 1 - x, "<=", {x: (R(1, 10), 1)}),
    (x * y - R(1, 4), "<=", {x: (0, 1), y: (0, 1)}), (sp.Max(x, 1 - x) - R(1, 2), ">", {x: (0, 1)}),
    (x - R(3, 8), "!=", {x: (0, 1)}), (sp.sin(10 * x), ">", {x: (R(1, 10), 1)}),
    (x**2 - R(1, 10**6), ">=", {x: (-1, 1)}), (sp.Abs(x) - R(1, 1000), ">", {x: (-1, 1)}),
]


@pytest.mark.parametrize("expr, relation, box", TRUE, ids=lambda v: str(v)[:30])
def test_true_relations_are_proved(
    expr: sp.Expr, relation: str, box: dict[sp.Symbol, tuple]
) -> None:
    found = prove_sign(expr, relation, box, max_boxes=3000)
    assert isinstance(found, BoxProof), found
    assert found.boxes >= 1 and found.bits > 100 and found.relation == relation


@pytest.mark.parametrize("expr, relation, box", FALSE, ids=lambda v: str(v)[:30])
def test_false_relations_have_an_exact_counterexample(
    expr: sp.Expr, relation: str, box: dict[sp.Symbol, tuple]
) -> None:
    found = prove_sign(expr, relation, box, max_boxes=3000)
    assert isinstance(found, Counterexample), found
    assert all(v.is_Rational for v in found.point.values())
    value = expr.subs(found.point)
    wrong = {">": (0, -1), ">=": (-1,), "<": (0, 1), "<=": (1,), "!=": (0,)}[relation]
    assert (0 if value == 0 else sign(value)) in wrong


def test_random_polynomials_never_get_a_false_proof() -> None:
    rng = random.Random(7)
    for _ in range(12):
        p = sum(rng.randint(-4, 4) * x**k for k in range(5)) + R(rng.randint(-3, 3), 7)
        found = prove_sign(p, ">", {x: (-1, 2)}, max_boxes=100)
        values = [p.subs(x, R(k, 20)) if p.has(x) else p for k in range(-20, 41)]
        if isinstance(found, BoxProof):
            assert min(values) > 0
        elif isinstance(found, Counterexample):
            assert p.subs(found.point) <= 0


def test_no_derivative_is_used_across_a_cut() -> None:
    # log(exp(i x)) jumps by 2 pi i at x = pi; its derivative is i throughout
    jump = sp.log(sp.exp(sp.I * x, evaluate=False), evaluate=False) - 3 * sp.I - R(1, 10)
    assert isinstance(prove_sign(jump, "!=", {x: (0, 6)}, max_boxes=500), (BoxProof, Undecided))
    kink = sp.Abs(x) - x / 2 - R(1, 8)
    assert isinstance(prove_sign(kink, ">", {x: (-1, 1)}), Counterexample)


def test_what_balls_cannot_decide_is_undecided() -> None:
    assert isinstance(prove_sign(x**2 - 2, "!=", {x: (1, 2)}), Undecided)
    touching = (x - sp.sqrt(2) / 2) ** 2
    assert isinstance(prove_sign(touching, ">", {x: (0, 1)}), Undecided)
    narrow = x**2 - 2 * x * y + y**2 + R(1, 10**4)
    few = prove_sign(narrow, ">", {x: (0, 1), y: (0, 1)}, max_boxes=50)
    assert isinstance(few, Undecided) and "50 boxes" in few.reason


def test_definedness_and_input() -> None:
    with pytest.raises(Undefined, match="x = 0"):
        prove_sign(sp.log(x), "<", {x: (0, R(1, 2))})
    with pytest.raises(InputError, match="no range for y"):
        prove_sign(x + y, ">", {x: (0, 1)})
    with pytest.raises(InputError, match="unknown relation"):
        prove_sign(x, "=>", {x: (0, 1)})
    with pytest.raises(InputError, match="range"):
        prove_sign(x, ">", {x: (1, 0)})
    u = sp.Symbol("u", positive=True)
    with pytest.raises(InputError, match="assumptions"):
        prove_sign(sp.Abs(u), ">=", {u: (-1, 1)})


def test_half_lines() -> None:
    assert isinstance(prove_sign_halfline(sp.exp(x) - 2 * x, ">", x, 0), BoxProof)
    assert isinstance(prove_sign_halfline(1 / (1 + x) - sp.exp(-x), ">=", x, 0), BoxProof)
    assert isinstance(prove_sign_halfline(x**3 - 100 * x - sp.sin(x), ">", x, 11), BoxProof)
    false = prove_sign_halfline(x**3 - 100 * x, ">=", x, 1)
    assert isinstance(false, Counterexample)
    assert isinstance(prove_sign_halfline(sp.sin(x) + 1, ">=", x, 0), Undecided)
    with pytest.raises(Unsupported):
        prove_sign_halfline(sp.Heaviside(x - 10**9) - R(1, 2), "<", x, 0)
