"""``lapdp check`` on statements about pairs: verdicts, exit codes, JSON."""

from __future__ import annotations

import json

import pytest

from lapdp import cli
from lapdp.commands.checking import Question, answer
from lapdp.core.verdict import HOLDS, Judgement, Kind
from lapdp.testing import judging
from lapdp.theory.checking import check_statement


@pytest.mark.parametrize(("arguments", "code", "says"), [
    (["delta(P, Q)(eps) <= 2*Pr(PLD(P, Q) > eps)", "--examples", "20", "-v"], 0,
     "up to 3 outcomes a pair"),
    (["R(P, Q)(q) <= R(Q, P)(q)", "--where", "q > 1", "--no-numeric"], 1, "once more, by"),
    (["delta(P*P, Q*Q)(2*eps) <= 2*delta(P, Q)(eps)", "--examples", "10"], 3, "undecided"),
])
def test_verdicts_and_exit_codes(arguments, code, says, capsys):
    assert cli.main(["check", *arguments]) == code
    assert says in capsys.readouterr().out


def test_json_has_what_it_had_and_how_far_was_searched(capsys):
    assert cli.main(["check", "delta(P, Q)(0) == delta(Q, P)(1)", "--json", "--seed", "3"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["verdict"] == "refuted" and found["symbolic"]["method"] == "random pairs"
    assert found["witness"]["text"].startswith("P, Q = mechanism_pair(finite(")
    assert found["search"]["seed"] == 3 and found["search"]["looked"] > 0
    assert {"id", "claim", "encoded", "hypotheses", "numeric", "hash"} <= found.keys()


@pytest.mark.parametrize("arguments", [
    ["dleta(P, Q)(eps) == 0"], ["delta(P, Q) == 1"], ["P + delta(P, Q)(0) == 1"],
    ["delta(P, Q)(0) == 1", "--examples", "0"], ["delta(P, Q)(0) == 1", "--digits", "0"],
])
def test_bad_input_is_one_line(arguments, capsys):
    assert cli.main(["check", *arguments]) == 2
    shown = capsys.readouterr()
    assert not shown.out and len(shown.err.splitlines()) == 1


def test_routes_that_contradict_each_other_decide_nothing(monkeypatch):
    false = check_statement("delta(P, Q)(0) == 1")

    def credulous(statement, **options):
        true = check_statement("delta(P, Q)(0) == delta(P, Q)(0)")
        return engine(true, numeric=False)

    engine = judging.engine.judge
    monkeypatch.setattr(judging.engine, "judge", credulous)
    found = judging.judge(false, numeric=False)
    assert found.kind is Kind.UNDECIDED and "the routes disagree" in found.reason
    assert isinstance(found, Judgement)


def test_without_hypothesis_the_engine_judges_alone(monkeypatch):
    import builtins
    import sys

    for name in [n for n in sys.modules if n.startswith("lapdp.testing.conjectures")]:
        monkeypatch.delitem(sys.modules, name)
    importing = builtins.__import__

    def without(name, *rest, **more):
        if name.partition(".")[0] == "hypothesis":
            raise ModuleNotFoundError("no hypothesis", name="hypothesis")
        return importing(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    found = judging.judge(check_statement("delta(P, Q)(0) <= 2"), numeric=False)
    assert found.kind in HOLDS
    assert any("pip install" in line for line in found.tried)


def test_an_order_that_may_be_complex_is_said_to_be():
    """A refutation at a complex order, or where R_1 has none, is no news to who meant q > 1."""
    said = 'q is any complex number: a condition such as --where "q > 1" makes it real'
    relation = "R(P, Q)(q) == R(Q, P)(q)"
    open_order = answer(Question(relation, numeric=False, examples=20)).record()
    assert open_order["verdict"] == "refuted" and open_order["note"] == said
    real = answer(Question(relation, ("q > 1",), numeric=False, examples=20)).record()
    assert real["verdict"] == "refuted" and real["note"] == ""
