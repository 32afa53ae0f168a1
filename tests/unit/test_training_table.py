"""Training for several numbers of steps: each row is an answer of its own, the picture has all."""

from __future__ import annotations

import json
import sys

import pytest

from lapdp import cli, training
from lapdp.core.errors import InputError
from tests.answers_here import without_processes

# without sampling, all of it is a formula
GIVEN = {"rate": 1, "sigma": 10, "delta": "1e-5"}


def test_each_row_is_the_answer_for_its_steps():
    steps = [1, 100, 10**6]
    found = training(**GIVEN, steps=steps, digits=10)
    alone = [training(**GIVEN, steps=k, digits=10) for k in steps]
    assert (found.asked, found.steps, len(found)) == ("epsilon", (1, 100, 10**6), 3)
    assert [row.value for row in found] == [row.value for row in alone]
    assert [row.record()["question"] for row in found] == [r.record()["question"] for r in alone]
    lines = str(found).splitlines()
    assert lines[0].split() == ["steps", "epsilon"] and lines[3].split()[0] == "1000000"
    assert lines[2].endswith(str(alone[1])) and repr(found).startswith("TrainingTable(epsilon")
    # more steps cost more: the rows are not exchanged
    assert found.rows[0].value < found.rows[1].value < found.rows[2].value


def test_delta_and_sigma_have_tables_too():
    found = training(1, sigma=10, epsilon=1, steps=(4, 9), digits=8)
    assert found.asked == "delta" and found.rows[0].value < found.rows[1].value
    found = training(1, epsilon=1, delta="1e-5", steps=[4, 16], digits=6)
    # sigma grows with the root of the steps
    assert found.asked == "sigma"
    assert abs(found.rows[1].value / found.rows[0].value - 2) < 1e-5


@pytest.mark.parametrize("steps", [[], [0], ["x"], [[1, 2]], [1] * 1001, [1.5]])
def test_what_is_no_list_of_steps(steps):
    with pytest.raises(InputError):
        training(**GIVEN, steps=steps)
    with pytest.raises(InputError, match="leave out one"):
        training(**GIVEN, epsilon=1, steps=[1, 2])


def test_the_picture_has_the_numbers():
    pytest.importorskip("matplotlib").use("Agg")
    import matplotlib.pyplot as plt

    found = training(**GIVEN, steps=[100, 1, 10], digits=8)
    ax = found.plot()
    line, = ax.get_lines()
    assert list(line.get_xdata()) == [1, 10, 100]
    values = {row.given["steps"]: float(row.value) for row in found}
    assert list(line.get_ydata()) == [values[k] for k in (1, 10, 100)]
    assert (ax.get_xscale(), ax.get_xlabel()) == ("log", "steps")
    assert "varepsilon" in ax.get_ylabel()
    plt.close(ax.figure)


def test_on_the_command_line(capsys, monkeypatch, tmp_path):
    without_processes(monkeypatch)
    words = ["training", "--rate", "1", "--sigma", "10", "--delta", "1e-5", "--digits", "8"]
    path = tmp_path / "steps.svg"
    assert cli.main([*words, "--steps", "1, 10", "--plot", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "steps  epsilon" and [line.split()[0] for line in lines[1:]] == ["1", "10"]
    assert lines[2].split()[1] == str(training(**GIVEN, steps=10, digits=8)).split()[0]
    assert path.read_text(encoding="utf-8").count("<path") > 2
    assert "matplotlib" not in sys.modules or not sys.modules["matplotlib.pyplot"].get_fignums()
    assert cli.main([*words, "--steps", "1,10", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["question"]["steps"] for row in found["rows"]] == ["1", "10"]
    assert cli.main([*words, "--steps", "10", "--plot", str(path)]) == 2
    assert "several numbers of steps" in capsys.readouterr().err
    assert cli.main([*words, "--steps", "10,-1"]) == 2
    assert cli.main([*words, "--steps", "1,2", "--plot", str(tmp_path / "no" / "x.svg")]) == 2
