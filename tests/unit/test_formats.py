"""Closed forms as text, SymPy and LaTeX; the formats by name."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp import cli, exponential, gaussian, laplace, randomized_response
from lapdp.balls.lattice import NormalTail
from lapdp.core.errors import InputError
from lapdp.report.formats import FORMATS, write
from tests.exported import FORMS, closed, refused


def rebuilt(e):
    """The same tree with SymPy's evaluation at each node."""
    return e.func(*(rebuilt(a) for a in e.args)) if e.args else e


@pytest.mark.parametrize(("pair", "name"), FORMS, ids=str)
def test_sympy_and_latex(pair, name):
    notion = getattr(pair, name)
    if closed(pair, name) is None:
        refused(notion.to_sympy, notion.latex, notion.text)
        return
    form = notion.to_sympy()
    form = form.replace(NormalTail, lambda *args: NormalTail(*args).doit())
    names = {s.name: s for s in form.atoms(sp.Symbol)}
    assert sp.sympify(write(notion, "sympy"), locals=names) in (form, rebuilt(form))
    shown = notion.latex()
    assert shown.count("{") == shown.count("}") and shown.count(r"\left") == shown.count(r"\right")
    cases = sum(1 for _ in form.atoms(sp.Piecewise))
    assert shown.count(r"\begin{cases}") == shown.count(r"\end{cases}") >= min(cases, 1)
    assert "Symbol" not in shown and notion.text()


@pytest.mark.parametrize("pair", [
    laplace(1), laplace(1) ** 2, randomized_response(1), gaussian(2), exponential(1, 2)], ids=repr)
@pytest.mark.parametrize("name", ["profile", "moment", "renyi", "characteristic"])
def test_what_a_person_reads_has_the_value_of_the_closed_form(pair, name):
    notion = getattr(pair, name)
    form, letter = notion.to_sympy(), pair.variable(notion.letter)
    pieces = form.args if form.is_Piecewise else [(form, sp.true)]
    lines = notion.text().splitlines()
    assert len(lines) == len(pieces) and not any("exp(" in line for line in lines)
    for line, (piece, _) in zip(lines, pieces, strict=True):
        said = line.partition(" = ")[2].partition("  if ")[0].partition("  otherwise")[0]
        if "Piecewise" in said:
            continue
        read = sp.sympify(said.replace("^", "**"), {"e": sp.E, notion.letter: letter})
        point = sp.Rational(3, 7)
        assert abs(sp.N((read - piece).subs(letter, point), 40, chop=True)) < 1e-30


def test_a_case_of_a_line_says_where_it_holds():
    assert laplace(1).profile.text() == (
        "delta(t) = 1 - e^t            if t < -1\n"
        "         = 1 - e^((t - 1)/2)  if -1 <= t < 1\n"
        "         = 0                  if t >= 1")


def test_formats_by_name():
    profile = randomized_response(sp.log(3)).profile
    assert {f: write(profile, f, at=0) for f in FORMATS} == {
        "text": "1/2", "latex": r"\frac{1}{2}", "sympy": "S(1)/2", "mpmath": "mp.mpf(1)/mp.mpf(2)",
        "numpy": "0.5", "python": "mp.mpf(1)/mp.mpf(2)"}
    assert profile.code() == profile.code("python") == profile.code("mpmath")
    with pytest.raises(InputError, match="must be one of text, latex"):
        write(profile, "java")
    with pytest.raises(InputError, match="must be one of mpmath, numpy, python"):
        profile.code("latex")


def test_names_that_are_no_arguments():
    for name in ("lambda", "np", "profile", "_b", "x y", "\\beta"):
        scale = sp.Symbol(name, positive=True)
        with pytest.raises(InputError, match="can name no argument"):
            laplace(scale).profile.code()
    t = sp.Symbol("t", positive=True)
    with pytest.raises(InputError, match="t is a parameter"):
        laplace(t).profile.code()


def test_the_command_writes_numpy(capsys):
    assert cli.main(["tradeoff", "laplace(1)", "--format", "numpy"]) == 0
    told = capsys.readouterr().out
    assert told.strip() == laplace(1).tradeoff.code("numpy")
    assert cli.main(["moment", "exponential(1, 2)", "--at", "1/2 + I", "--format", "text"]) == 0
    assert "I" in capsys.readouterr().out
