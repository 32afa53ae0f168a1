"""Signs of field elements in cells, against values at sampled points: a sign is never unsound."""

from __future__ import annotations

import random
from fractions import Fraction as Fr

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp

from lapdp.calculus.elements import Reasoner, polynomial_fact, root_of
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.logs import exponential_of, log_form
from lapdp.calculus.ordering import Cell, EmptyCell, NeedSplit, SignOf, explore
from lapdp.core.errors import Undefined, Unsupported
from lapdp.core.verdict import Leaf
from tests.second_route import form_value, scalar_value

z, eps = sp.symbols("z eps", real=True)
lam = sp.Symbol("lam", positive=True)
GRID = [{z: a, eps: b, lam: c} for a in (Fr(-3), Fr(-1), Fr(0), Fr(1, 2), Fr(2))
        for b in (Fr(-2), Fr(-1, 2), Fr(0), Fr(1), Fr(5, 2))
        for c in (Fr(1, 5), Fr(1, 2), Fr(1), Fr(3))]
MONOMIALS = [Scalar.of(1), Scalar.of(Form.of(lam)), Scalar.exp(Form.of(z)),
             Scalar.exp(Form.of(eps)), Scalar.exp(Form.of(eps - z)), Scalar.exp(Form.of(-z)),
             Scalar.of(Form.of(lam)) * Scalar.exp(Form.of(z)), Scalar.of(Form.of(z))]
FORMS = [Form.of(1 - lam), Form.of(z), Form.of(eps), Form.of(z - eps), Form.of(-eps)]


def element(rng):
    total = Scalar.of(0)
    for m in rng.sample(MONOMIALS, rng.choice((2, 2, 3, 4))):
        total = total + m * rng.choice((-2, -1, -1, 1, 1, 2))
    if rng.random() < 0.2:
        total = total * element(rng)
    return total


def holds(subject, rel, point):
    v = (form_value if isinstance(subject, Form) else scalar_value)(subject, point)
    if abs(v) < mp.mpf(10) ** -25:
        return rel in (">=", "=")
    return (v > 0) if rel in (">", ">=") else False


@pytest.mark.parametrize("seed", range(120))
def test_signs_hold_at_every_point(seed):
    rng = random.Random(seed)
    base = [(rng.choice(FORMS), rng.choice((">", ">="))) for _ in range(rng.randrange(3))]
    base += [(element(rng), rng.choice((">", ">", ">=", "="))) for _ in range(rng.randrange(1, 4))]
    x = element(rng)
    cell = Cell(base)
    with mp.workdps(40):
        points = [p for p in GRID if all(holds(s, rel, p) for s, rel in base)]
        assert not (points and cell.is_empty())
        try:
            sign = cell.sign_of(x)
        except (NeedSplit, Unsupported):
            return
        for p in points:
            v = scalar_value(x, p)
            found = 0 if abs(v) < mp.mpf(10) ** -25 else (1 if v > 0 else -1)
            assert found == sign, (base, x, p)


def leaves(tree, path=()):
    if isinstance(tree, Leaf):
        yield path, tree
    else:
        for answer, branch in tree.branches.items():
            yield from leaves(branch, (*path, (tree.question, answer)))


@pytest.mark.parametrize("seed", range(40))
def test_every_point_lies_in_a_leaf_that_tells_its_sign(seed):
    """Splits leave out no case, and the sign found in a case is that of its points."""
    rng = random.Random(f"tree {seed}")
    x, told = element(rng), []

    def leaf(cell):
        told.append(cell.sign_of(x))
        return (told[-1],)

    try:
        tree = explore([(Form.of(1 - lam), ">=")], leaf)
    except Unsupported:
        return
    with mp.workdps(40):
        for p in GRID:
            if p[lam] > 1:
                continue
            here = [leaf for path, leaf in leaves(tree) if all(
                holds(q.form if a != "<" else -q.form, {"=": "=", "<": ">", ">": ">"}[a], p)
                for q, a in path)]
            assert len(here) == 1
            (said,) = here[0].obligations
            assert not isinstance(said, EmptyCell)
            v = scalar_value(x, p)
            assert said == (0 if abs(v) < mp.mpf(10) ** -25 else (1 if v > 0 else -1))


def test_the_breakpoint_of_theorem_5_1():
    """z against log(1 + (e^eps - 1)/lam) is one question, asked once."""
    a = Scalar.of(Form.of(lam)) * Scalar.exp(Form.of(z)) + 1 - Scalar.of(Form.of(lam))
    edge = Scalar.of(1) + (Scalar.exp(Form.of(eps)) - 1) / Scalar.of(Form.of(lam))
    positive = (edge, ">")
    cell = Cell([(Form.of(1 - lam), ">="), positive])
    with pytest.raises(NeedSplit) as need:
        cell.sign(Form.of(z) - log_form(edge))
    for question, answer, part in cell.split(need.value.form):
        assert part.sign_of(a - Scalar.exp(Form.of(eps))) == part.sign(Form.of(z) - log_form(edge))
        assert part.sign(log_form(a) - Form.of(eps)) == part.sign(Form.of(z) - log_form(edge))
        assert str(question) and answer in "<=>"


def test_an_equation_replaces_a_symbol():
    x = Scalar.of(Form.of(lam)) * Scalar.exp(Form.of(z)) + 1 - Scalar.exp(Form.of(eps))
    symbol, value = root_of(x)
    assert symbol == eps and Scalar.exp(value) == x + Scalar.exp(Form.of(eps))
    cell = Cell([], [(SignOf(x), "=")])
    assert cell.vanishes(x) and cell.sign_of(x * 3) == 0
    # e^z = 1 + (positive) on this branch, so z is not 0 and eps > 0
    assert cell.sign(Form.of(eps)) == 1


@pytest.mark.parametrize("x", [
    Scalar.exp(Form.of(eps)) + 1,
    Scalar.exp(Form.of(eps)) + Scalar.of(Form.of(lam)),
])
def test_an_impossible_equation_is_an_empty_case(x):
    assert Cell([(x, "=")]).is_empty()


def test_an_equation_that_solves_for_nothing_is_kept():
    x = Scalar.exp(Form.of(eps)) * Scalar.of(Form.of(eps)) - Scalar.of(Form.of(lam))
    assert root_of(x) is None
    cell = Cell([(x, "=")])
    assert cell.vanishes(x * Scalar.exp(Form.of(z))) and cell.sign_of(x) == 0
    assert not cell.vanishes(x + 1) and not cell.is_empty()


def test_symbols_in_a_logarithm_are_not_eliminated():
    """z = log(1 + e^z) - c does not determine z by itself."""
    inner = log_form(Scalar.exp(Form.of(z)) + 1)
    cell = Cell([], [(SignOf(Form.of(z * z) - inner), "=")])
    assert z not in cell.values


def test_logarithms():
    a = Scalar.of(Form.of(1 + lam))
    ell = log_form(a)
    assert Scalar.exp(ell) == a and Scalar.exp(ell * Form.of(-2)) == a ** -2
    assert log_form(a) == ell
    half = Scalar.exp(ell * Form.of(Fr(1, 2)))
    assert Cell().sign_of(half) == 1
    assert exponential_of(ell * Form.of(Fr(1, 2)) - Form.of(z)) == a / Scalar.exp(Form.of(2 * z))
    assert exponential_of(ell * ell) is None and exponential_of(Form.of(z)) is None
    assert ell.substitute({lam: Form.of(2)}) == Form.of(sp.log(3))
    assert Cell([(Form.of(lam), ">")]).sign(ell) == 1
    with pytest.raises(Undefined):
        log_form(Scalar.of(0))
    with pytest.raises(Undefined):
        ell.substitute({lam: Form.of(-2)})
    with pytest.raises(Undefined):
        ell.substitute({lam: Form.of(-1)})
    assert {lam} <= ell.atoms() and {lam} <= Scalar.of(ell).parameters()


def test_weak_facts_are_weak():
    x = Scalar.exp(Form.of(eps)) - 1 - Scalar.of(Form.of(lam))
    reasoner = Reasoner(Cell([(x, ">=")]), [x])
    assert reasoner.entails(x, ">=") and not reasoner.entails(x, ">")
    assert reasoner.sign(x) is None
    y = Scalar.exp(Form.of(eps)) - 1
    assert Cell([(x, ">=")]).sign_of(y) == 1


def test_a_square_is_no_fact_about_its_root():
    x = Scalar.exp(Form.of(eps)) - Scalar.of(Form.of(lam)) - 1
    for rel in (">", ">="):
        with pytest.raises(NeedSplit):
            Cell([(x * x, rel)]).sign_of(x)
    assert polynomial_fact(x * x, ">")[0] == Scalar.of(1)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-4, 4), min_size=4, max_size=4))
def test_an_element_and_its_inverse_share_one_logarithm(numbers):
    """Also where the inverse has its signs turned: (6 - 3 a)/(4 + 2 a)."""
    a, b, c, d = numbers
    m = Scalar.of(Form.of(sp.Symbol("m", real=True)))
    above, below = a + b * m, c + d * m
    if above.is_zero() or below.is_zero() or (above / below).as_exponential() is not None:
        return
    x = above / below
    assert log_form(x) == -log_form(x.inverse())
    assert Scalar.exp(log_form(x)) == x
