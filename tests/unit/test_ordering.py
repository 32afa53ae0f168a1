"""Cells: signs that constraints entail, replaced symbols, complex parameters, trees of cases."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.calculus.convert import to_scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell, EmptyCell, NeedSplit, SignOf, explore
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Leaf, Rejected, Split

x, y, z = sp.symbols("x y z", real=True)
p = sp.Symbol("p", positive=True)
n = sp.Symbol("n", nonnegative=True)
q = sp.Symbol("q", complex=True)
e = sp.exp


def cell(*constraints):
    return Cell([(Form.of(f), rel) for f, rel in constraints])


@pytest.mark.parametrize(("constraints", "form", "sign"), [
    ([(x - y, ">"), (y - 1, ">=")], x - 1, 1),
    ([(x - 1, ">"), (y - 1, ">")], 2 * x + y - 3, 1),
    ([(x, ">"), (y, ">"), (5 - x - y, ">=")], 6 - x, 1),
    ([(x - y, ">="), (y - x, ">=")], x - y, 0),
    ([(x - y, "=")], x - y, 0),
    ([(x - y, "="), (y - 2, "=")], x - 2, 0),
    ([(x - 2, "="), (y - x, ">")], 2 - y, -1),
    ([], p + 1, 1), ([], -p * p, -1), ([], n + p, 1), ([], x**2 + 1, 1), ([], p / (p + 0), 1),
    ([(x, ">")], x * p, 1), ([(x, ">"), (y, ">")], x * y, 1), ([(x - 1, ">")], x**2 - x, 1),
    ([], sp.log(2) - sp.Rational(7, 10), -1), ([], sp.pi - sp.Rational(22, 7), -1),
    ([], sp.log(3) - sp.log(2), 1), ([], sp.log(2) * sp.pi, 1),
    ([(x - sp.log(2), ">=")], x - sp.Rational(69, 100), 1),
    ([(sp.re(q) - 1, ">")], sp.re(q), 1),
    ([(x**2 - 4, "="), (x, ">")], x**2 - 4, 0),
])
def test_entailed_signs(constraints, form, sign):
    assert cell(*constraints).sign(Form.of(form)) == sign


@pytest.mark.parametrize(("constraints", "form"), [
    ([], x), ([], n), ([(x, ">=")], x), ([(x - y, ">")], x), ([], p - 1), ([], x**2 - 1),
    ([(x - 1, ">"), (y - 1, ">")], x - y), ([], sp.im(q)), ([], x**2 - y**2 + 1),
])
def test_open_signs_split(constraints, form):
    with pytest.raises(NeedSplit):
        cell(*constraints).sign(Form.of(form))


@pytest.mark.parametrize("constraints", [
    [(x, ">"), (-x, ">=")], [(x - y, ">"), (y - z, ">="), (z - x, ">=")], [(-p, ">=")],
    [(-n, ">")], [(x - 1, "="), (x - 2, "=")], [(x**2 + 1, "=")], [(-x**2, ">")],
    [(sp.log(2) - 1, ">")], [(x * y, ">"), (-x * y, ">")], [(p - x, "="), (-x, ">=")],
    [(sp.re(q), "="), (sp.re(q) - 1, ">")],
])
def test_contradictions_are_empty(constraints):
    assert cell(*constraints).is_empty()


@pytest.mark.parametrize("constraints", [
    [], [(x, ">="), (-x, ">=")], [(x - y, ">"), (y - z, ">")], [(p, ">")], [(x**2 - 4, "=")],
    [(x * y - 1, "=")], [(q + sp.conjugate(q), ">")][:0],
])
def test_others_are_not(constraints):
    assert not cell(*constraints).is_empty()


@pytest.mark.parametrize(("constraints", "element", "sign"), [
    ([(x, ">")], 1 - e(-x), 1), ([(-x, ">")], e(x) - 1, -1), ([], e(x) + e(y), 1),
    ([(x, ">"), (y, ">")], 1 - e(-x - y), 1), ([(x, ">"), (y, ">")], e(x + y) - e(x) - e(y) + 1, 1),
    ([(x, ">")], e(x) + e(-x) - 2, 1), ([(x - sp.log(2), ">")], e(x) - 2, 1),
    ([(x - 3, "=")], e(x) - e(3), 0), ([], (e(x) - 1) ** 2 * 0, 0),
    ([(x, ">")], (1 - e(x)) / (1 - e(-x)), -1), ([], e(sp.pi) - 23, 1),
    ([], sp.sqrt(2) + sp.sqrt(3) - sp.pi, 1), ([], sp.sqrt(2) - 2 ** sp.Rational(1, 3), 1),
    ([(x, ">")], -p * x * e(x), -1), ([(x - y, "=")], e(x) - e(y), 0),
])
def test_signs_of_elements(constraints, element, sign):
    assert cell(*constraints).sign_of(to_scalar(element)) == sign


def test_a_symbol_of_the_user_is_never_an_excess():
    """No name makes a parameter positive."""
    for name in ("_w0", "_w1", "w", "_w"):
        u = sp.Symbol(name, real=True)
        inside = cell((x, ">"), (-u, ">"))
        with pytest.raises((NeedSplit, Unsupported)):
            inside.sign_of(to_scalar(e(2 * x) + u * e(x) - 1))


@pytest.mark.parametrize("bad", [sp.I * x, q, e(sp.I * x), q**2, sp.erfc(q) ** 2 + 1], ids=str)
def test_what_is_not_real_has_no_sign(bad):
    with pytest.raises(Unsupported):
        cell().sign_of(to_scalar(bad))


def test_complex_parameters_are_linked_to_their_parts():
    on_line = Cell([], ((SignOf(Form.of(sp.re(q) - 1)), "="), (SignOf(Form.of(sp.im(q))), "=")))
    assert on_line.sign(Form.of(sp.re(q))) == 1
    assert Form.of(q).substitute(on_line.values) == Form.of(1)
    half = Cell([], ((SignOf(Form.of(sp.re(q) - x)), "="),))
    assert Form.of(q).substitute(half.values) in (
        Form.of(x + sp.I * sp.im(q)), Form.of(sp.re(q) + sp.I * sp.im(q)))
    assert half.sign(Form.of(q - x).real_part()) == 0


@pytest.mark.parametrize(("element", "answer"), [
    (e(q), True), (e(x) + 1, True), (x - x, False), (sp.I + 1, True), (p, True),
])
def test_nonzero(element, answer):
    assert cell().nonzero(to_scalar(element)) is answer


def test_zeros_at_complex_parameters():
    with pytest.raises(NeedSplit):
        cell().nonzero(to_scalar(q - 1))
    assert cell((sp.re(q) - x, ">")).nonzero(to_scalar(q - x))
    assert cell((sp.im(q), ">"), (sp.re(q) - x, "=")).nonzero(to_scalar(q - x))
    assert not cell((sp.im(q), "="), (sp.re(q) - 1, "=")).nonzero(to_scalar(q - 1))
    with pytest.raises((NeedSplit, Unsupported)):
        cell().nonzero(to_scalar(e(q) + 1))
    assert cell((sp.re(q), ">")).nonzero(to_scalar(e(q) + 1))
    with pytest.raises(Unsupported):
        cell((sp.re(q), "=")).nonzero(to_scalar(e(q) + 1))


def test_equations_replace_symbols():
    c = cell((x - 2 * y + 1, "="))
    assert c.sign(Form.of(x - 2 * y)) == -1
    assert to_scalar(e(x) - e(2 * y - 1)).substitute(c.values).is_zero()
    kept = cell((p - x, "="))
    assert kept.sign(Form.of(x)) == 1


def test_explore_covers_and_marks_empty_cases():
    seen = []

    def leaf(inside):
        seen.append((inside.sign(Form.of(x)), inside.sign(Form.of(x - 1))))
        return ("done",)

    tree = explore([], leaf)
    assert sorted(seen) == [(-1, -1), (0, -1), (1, -1), (1, 0), (1, 1)]
    assert isinstance(tree, Split)
    narrow = explore([(Form.of(x), ">=")], lambda c: (c.sign(Form.of(x)),))
    empty = narrow.branches["<"]
    assert isinstance(empty, Leaf)
    assert isinstance(empty.obligations[0], EmptyCell)
    with pytest.raises(Rejected):
        empty.obligations[0].discharge(((narrow.question, ">"),))


def test_trees_that_do_not_end_are_refused():
    def greedy(inside):
        raise NeedSplit(Form.atom(sp.Dummy("t", real=True)))

    with pytest.raises(Unsupported):
        explore([], greedy)
    many = sp.symbols("a0:20", real=True)
    with pytest.raises(Unsupported):
        explore([], lambda c: tuple(c.sign(Form.of(s)) for s in many))
