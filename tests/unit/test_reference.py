"""The reference values: as published, as computed now, and by a second method."""

from __future__ import annotations

import csv
import json
from fractions import Fraction as Fr
from importlib.resources import files

import mpmath as mp
import pytest

from lapdp import cli
from lapdp.accounting import reference
from lapdp.accounting.reference import DIGITS, computed, queries, read
from lapdp.accounting.reference.table import of_family, written
from lapdp.commands import reference as command
from lapdp.core.errors import InputError
from lapdp.privacy.mechanisms import CARDS
from tests.reference import confirm as second
from tests.reference.atoms import fraction
from tests.reference.lines import affine, affine_moment

ROWS = read()
FOLDER = files("lapdp.accounting.reference")
SLOW = ("10000000", "poisson(gaussian", "poisson(laplace", "laplace(scale=10)**100", "**300",
        "**200", "geometric(eps=0.1, sensitivity=3)**", "discrete", " * laplace")
"""In a mechanism's text: the second method takes a second or more."""
QUICK = [row for row in ROWS if not any(word in row.query.text() for word in SLOW)]


def test_the_files_hold_the_rows_of_the_plan():
    assert [row.query for row in ROWS] == list(queries())
    for form in ("csv", "json"):
        assert (FOLDER / f"values.{form}").read_text(encoding="utf-8") == written(ROWS, form)


def test_plain_parameters_are_decimals_that_say_the_same():
    table = list(csv.DictReader((FOLDER / "values.csv").read_text(encoding="utf-8").splitlines()))
    assert len(table) == len(ROWS)
    for line in table:
        for release in json.loads(line["releases"]):
            for value in release["parameters"].values():
                for x in value if isinstance(value, list) else [value]:
                    assert isinstance(x, str) and Fr(x) is not None
        assert Fr(line["at"]) is not None
        assert line["value"] == "oo" or Fr(line["value"]) >= 0


def test_every_value_has_its_digits_and_a_second_method():
    for row in ROWS:
        if row.value != "oo":
            assert Fr(row.radius) <= Fr(row.value) / 10**DIGITS * 2, row
        assert row.confirmed_digits >= 38, row
        assert row.confirmed_by


def test_the_table_covers_what_it_promises():
    families = {release.family for row in ROWS for release in row.query.releases}
    # what needs densities or names is for Python only
    assert families == {name for name, card in CARDS.items() if card.in_formulas}
    values = [row for row in ROWS if row.query.asked == "delta"]
    assert any(0 < Fr(row.value) < Fr(10)**-80 for row in values)
    assert {"0", "oo"} <= {row.value for row in ROWS}
    assert any(Fr(row.query.at) < 0 for row in values)
    assert any(Fr(row.query.at) == Fr(10)**-300 for row in ROWS)
    assert max(r.copies for row in ROWS for r in row.query.releases) == 10**9
    assert {r.neighbours for row in ROWS for r in row.query.releases} == {"", "remove", "add"}


@pytest.mark.parametrize("row", ROWS[::12], ids=lambda row: f"{row.query.text()} {row.query.at}")
def test_values_are_computed_as_published(row):
    assert row.agrees(computed(row.query))


@pytest.mark.parametrize("row", QUICK[3::8], ids=lambda row: f"{row.query.text()} {row.query.at}")
def test_a_second_method_confirms_values(row):
    name, digits = second.confirm(row.record())
    assert name == row.confirmed_by and digits >= row.confirmed_digits - 1


def test_the_second_method_sees_a_wrong_digit():
    for row in (ROWS[0], next(row for row in ROWS if row.query.asked == "epsilon")):
        record = row.record()
        wrong = record["value"][:19] + str((int(record["value"][19]) + 5) % 10)
        assert second.confirm({**record, "value": wrong})[1] < 20


@pytest.mark.parametrize(("family", "p", "first", "other"), [
    ("laplace", {"scale": Fr(2)}, lambda x: mp.exp(-abs(x) / 2) / 4, (0, 1)),
    ("exponential_mechanism", {"eps": Fr(1)}, lambda x: mp.sech(x / 2) ** 2 / 4, (0.5,)),
    ("truncated_laplace", {"scale": Fr(1), "bound": Fr(3)},
     lambda x: mp.exp(-abs(x)) / (2 - 2 * mp.exp(-3)) if abs(x) <= 3 else mp.mpf(0),
     (-3, -2, 0, 1, 3, 4)),
])
def test_moments_of_the_second_method_are_integrals(family, p, first, other):
    """E[e^(s Z)] over finite losses is the integral of p^(1 + s) q^-s."""
    s = mp.mpf(1) / 3

    def integrand(x):
        a, b = first(x), first(x - 1)
        return a * (a / b) ** s if a and b else mp.mpf(0)

    with mp.workdps(20):
        found = mp.quad(integrand, [-60, *other, 60])
        assert mp.almosteq(found, affine_moment(family, p, s), 1e-12)
        whole = affine_moment(family, p, mp.mpf(0)) + affine(family, p)[4]
        assert mp.almosteq(whole, 1, 1e-18)


def test_numbers_of_the_second_method_are_exact():
    with mp.workdps(30):
        assert fraction(Fr(1, 4)) == mp.mpf("0.25")


def test_filters(capsys):
    assert {row.query.family for row in of_family(ROWS, "product")} == {"product"}
    assert len(of_family(ROWS, "laplace")) > len(
        [row for row in ROWS if row.query.family == "laplace"])
    with pytest.raises(InputError, match="'cauchy' has no reference values; there are approximate"):
        of_family(ROWS, "cauchy")
    assert cli.main(["reference", "--family", "cauchy"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_command_prints_and_writes(capsys, tmp_path):
    assert cli.main(["reference", "--family", "staircase"]) == 0
    shown = capsys.readouterr().out
    assert "staircase(eps=1, gamma=0.25)" in shown and "mechanism" in shown
    out = tmp_path / "values.json"
    assert cli.main(["reference", "--format", "json", "--out", str(out)]) == 0
    assert json.loads(out.read_text(encoding="utf-8"))["digits"] == DIGITS
    assert out.read_text(encoding="utf-8") == written(ROWS, "json")
    assert cli.main(["reference", "--format", "csv", "--out", str(tmp_path / "no" / "x")]) == 2
    assert "make it first" in capsys.readouterr().err
    assert cli.main(["reference", "--check", "--out", str(out)]) == 2
    assert "leave out --out" in capsys.readouterr().err


def test_check_finds_a_wrong_value(capsys, monkeypatch):
    assert cli.main(["reference", "--check", "--family", "staircase"]) == 0
    assert "all as published" in capsys.readouterr().out
    good = of_family(ROWS, "staircase")[:1]
    wrong = [reference.Row(good[0].query, good[0].value[:-3] + "000", good[0].radius, "", "", 0)]
    assert command._check(wrong) == 1
    told = capsys.readouterr().out
    assert "differs: lapdp delta 'staircase(eps=1, gamma=0.25)' --eps -0.5 --digits 40" in told
    assert "1 differ" in told
