"""Verdicts beside the proof files: what a verification believes of them, and what it does not."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import sympy as sp

from lapdp.cli import main
from lapdp.core.errors import IllFormed
from lapdp.core.verdict import Judgement, Kind, Numeric
from lapdp.privacy.mechanisms import gaussian, laplace
from lapdp.report import text
from lapdp.theory import (
    Eq,
    Gt,
    Le,
    Lt,
    claim,
    consistency,
    delta,
    derivations,
    engine,
    mechanism_pair,
    on_record,
    positives,
    reals,
)
from lapdp.theory.discovery import Catalogue
from lapdp.theory.fingerprint import fingerprint
from lapdp.theory.instances import candidates
from lapdp.theory.kept_verdicts import Known, digest_of, keep, known, place, read, told
from lapdp.theory.loading import load
from lapdp.theory.planner import Planner
from lapdp.theory.routes import Routes
from lapdp.theory.runner import run
from lapdp.theory.special_cases import search_cases
from lapdp.theory.statement import Statement
from lapdp.theory.witness import search

FILE = '''"""True and false statements."""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
eps, x, y = reals("eps x y")

with theorem("own2026/four", "Four"):
    claim("mass", Le(delta(P, Q)(eps), 1))
    claim("half", Le(delta(P, Q)(eps), sp.Rational(1, 2)))
    claim("square", Ge(sp.Abs(x) + sp.Abs(y), sp.Abs(x + y)))
    claim("far", Ne(sp.exp(x) + x**3, 123456789))
    claim("none", Eq(x, y), where=[Gt(x, 1), Lt(x, 0)])
'''
DERIVED = {"verdict": "derived", "method": "kernels", "cells": 7}
REFUTED = {"verdict": "refuted", "method": "witness", "witness": {
    "text": "x = 0", "values": {"x": "0"}, "lhs": "1", "rhs": "0", "why": "the relation fails"}}
AGREES = {"digits": 30, "instances": 5, "agrees": True}


@pytest.fixture
def four(tmp_path: Path) -> dict[str, Statement]:
    """The statements of a proof file that has no records yet."""
    (tmp_path / "four.py").write_text(FILE)
    return {s.label: s for s in load(tmp_path / "four.py")}


def judged(statement: Statement, **options: Any) -> dict[str, Any]:
    return {"recorded": [], **on_record.judge(statement, **options).record()}


def planted(statement: Statement, said: Any) -> dict[str, Any]:
    """What a verification makes of a line that anybody may have written."""
    keep([(statement, said)])
    return judged(statement, numeric=False)


# -- what is on record is looked at first ---------------------------------------------------------

def test_the_instance_on_record_is_evaluated_first(four: dict[str, Statement]) -> None:
    first, _ = search(four["half"], [])
    assert first is not None
    again, looked = search(four["half"], [], text=first.text)
    assert again == first and looked == 1
    assert search(four["half"], [], text=f"{first.text}; z = 1") == (None, 0)
    # an instance at which the claim holds is no witness, whatever a record says
    fine = next(i.text() for i in candidates(four["half"], []) if i.text() != first.text)
    assert search(four["half"], [], text=fine) == (None, 1)
    assert search(four["mass"], [], text=first.text) == (None, 1)


@pytest.mark.parametrize("text", [
    "", "no instance", "P, Q = mechanism_pair(finite([1], [1])); eps = 0"])
def test_a_wrong_witness_on_record_is_no_witness(four: dict[str, Statement], text: str) -> None:
    said = {**REFUTED, "witness": {**REFUTED["witness"], "text": text}}
    found = planted(four["half"], said)
    assert found["verdict"] == "refuted" and found["witness"]["text"] not in (text, "")
    assert planted(four["mass"], said)["verdict"] != "refuted"


def test_a_witness_on_record_at_a_whole_number() -> None:
    n, x = sp.Symbol("n", integer=True, nonnegative=True), reals("x")
    statement = claim("own/power", Le(x**n, 2))
    first, _ = search_cases(statement, [], 8.0)
    assert first is not None
    again, looked = search_cases(statement, [], 8.0, text=first.text)
    assert again == first and looked == 1
    assert search_cases(statement, [], 8.0, text="n = 0; x = 3")[0] is None


def test_instances_of_a_text_are_those_of_its_values(four: dict[str, Statement]) -> None:
    """Whatever is on record, no instance is looked at that a search would not look at."""
    every = [i.text() for i in islice(candidates(four["half"], []), 60)]
    for one in every[::7]:
        some = [i.text() for i in islice(candidates(four["half"], [], one), 60)]
        assert one in some and len(some) < 60
        assert set(some) <= {i.text() for i in islice(candidates(four["half"], []), 2000)}
    assert not list(candidates(four["half"], [], "P, Q = anything; eps = 7919"))


def test_a_route_is_a_hint_and_nothing_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch
                                            ) -> None:
    """What is told of lemmas changes which method is asked first: not what is refuted, and no
    method is asked that is not asked otherwise."""
    (tmp_path / "always.py").write_text(
        "from lapdp.theory import *\n"
        'P, Q = pair("P", "Q"); eps = reals("eps")\n'
        'claim("own2026/true", NotAlways(Le(delta(P, Q)(eps), 1)))\n'
        'claim("own2026/false", NotAlways(Le(delta(P, Q)(eps), 0)))\n')
    false, true = sorted(load(tmp_path / "always.py"), key=lambda s: s.id)
    plain = engine.judge(true, numeric=False)
    assert (plain.kind, plain.method) == (Kind.REFUTED, "the contrary")
    asked: list[str] = []
    attempt = Planner._attempt

    def noting(self: Any, name: str, method: Any) -> Any:
        asked.append(name)
        return attempt(self, name, method)

    monkeypatch.setattr(Planner, "_attempt", noting)
    digest = fingerprint([Le(*true.claim.claim.args)])
    said = {**REFUTED, "method": "the contrary"}
    for routes in ({}, {digest: "tests"}, {digest: "no method"}, {digest: 1}, {"0": "tests"}, "x"):
        asked.clear()
        keep([(true, {**said, "routes": routes})])
        found = judged(true, numeric=False)
        assert (found["verdict"], found["symbolic"]["method"]) == ("refuted", "the contrary")
        assert found["witness"]["why"] == plain.witness.why  # type: ignore[union-attr]
        assert asked[:2] == ["the contrary"] + ["tests"] * (routes == {digest: "tests"})
        assert "routes" not in found
        assert planted(false, {**said, "routes": routes})["verdict"] != "refuted"


def test_a_refutation_by_lemmas_keeps_what_proved_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked first, they prove them again, and kernels are not asked in vain."""
    statement = Catalogue().find("chourasia2024/section-4.claim-8")
    assert statement is not None
    asked: list[Any] = []
    kernels = Planner._kernels
    monkeypatch.setattr(Planner, "_kernels",
                        lambda self, h: asked.append(self) or kernels(self, h))
    found = Planner(statement, 30, 0, 8.0).by_method("the contrary")
    assert found is not None and asked
    record = found.record()
    assert list(record["routes"].values()) == ["monotone descent"]
    assert told(record)["routes"] == record["routes"]  # type: ignore[index]
    asked.clear()
    told_so = Planner(statement, 30, 0, 8.0, routes=Routes(record["routes"]))
    again = told_so.by_method("the contrary")
    assert again is not None and again.witness == found.witness and not asked


def test_hypotheses_that_were_met_are_met_for_another_claim(
        four: dict[str, Statement], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consistency, "_MET", set())
    x, y = reals("x y")
    some = claim("own/some", Eq(x, y), where=[Gt(x, 1)])
    asked: list[Any] = []
    met = consistency.is_met
    monkeypatch.setattr(consistency, "is_met", lambda s: asked.append(s) or met(s))
    for relation in (Eq(x, y), Le(x, y), Eq(x, 2)):
        assert consistency.require_instance(replace(some, claim=relation), None) == ""
    assert len(asked) == 1
    # one hypothesis more, another letter of that name, none that can be met
    assert consistency.require_instance(replace(some, where=(Gt(x, 1), Lt(x, 3))), None) == ""
    z = sp.Symbol("x", positive=True)
    assert consistency.require_instance(claim("own/z", Eq(z, 1), where=[Gt(z, 1)]), None) == ""
    assert len(asked) == 3
    for _ in range(2):
        with pytest.raises(IllFormed):
            consistency.require_instance(four["none"], None)
    assert len(asked) == 5


def test_made_pairs_with_the_same_hypotheses_are_met_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their mechanisms are part of what is supposed: another one is asked again."""
    monkeypatch.setattr(consistency, "_MET", set())
    asked: list[Any] = []
    met = consistency.is_met
    monkeypatch.setattr(consistency, "is_met", lambda s: asked.append(s) or met(s))
    s, eps = positives("s"), reals("eps")
    one, other = (mechanism_pair(m) for m in (gaussian(s), laplace(s)))
    for pair, bound in ((one, 1), (one, 2), (other, 1)):
        relation = Le(delta(*pair)(eps), bound)
        assert consistency.require_instance(claim("own/made", relation), None) == ""
    assert len(asked) == 2


def test_the_values_on_record_are_compared_and_not_read() -> None:
    """A record may be anybody's: only the values that the method tries are taken from it."""
    a, b = reals("a b")
    one = claim("own/values", Eq(a, b), hints={"witness": {"b": 7}})
    record = {"symbolic": {"method": "counterexample"}, "witness": {
        "values": {"a": "5", "b": "1", "c": "__import__('os').getcwd()", "d": "9"}}}
    assert engine._at_record(one, record).hints == {"witness": {"a": 5, "b": 7}}
    assert engine._at_record(one, {**record, "symbolic": {"method": "witness"}}) is one


def test_no_instance_on_record_is_not_looked_for_again(
        four: dict[str, Statement], monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told as before; what has an instance on no record, and a contradiction, are seen."""
    x = reals("x")
    odd = claim("own/odd", Eq(x, 1), where=[
        Eq(sp.exp(sp.exp(x)) + sp.sin(x), sp.Rational(7919, 977) + x**3)])
    none = claim("own/none", Eq(x, 1), where=[Lt(sp.exp(x), 0)])
    assert consistency.require_instance(odd, None) == consistency.NOT_MET

    def asked(*_: Any) -> Any:
        raise AssertionError("an instance is looked for")

    monkeypatch.setattr(consistency, "is_met", asked)
    monkeypatch.setattr(consistency, "_has_instance", asked)
    assert consistency.require_instance(odd, None, unmet=True) == consistency.NOT_MET
    with pytest.raises(IllFormed):
        consistency.require_instance(none, None, unmet=True)
    with pytest.raises(AssertionError):
        consistency.require_instance(odd, None)
    planted(four["half"], {"unmet": True})
    assert known(four["half"]) == Known(unmet=True)
    planted(four["half"], {"unmet": 1})
    assert known(four["half"]) == Known()


# -- written and read ---------------------------------------------------------------------------

def test_what_a_search_was_told_is_told_as_recorded(tmp_path: Path,
                                                   capsys: pytest.CaptureFixture[str]) -> None:
    proof = tmp_path / "four.py"
    proof.write_text(FILE)
    assert main(["verify", str(proof), "--search", "--keep", "--jobs", "1", "-q"]) == 1
    assert "recorded" not in capsys.readouterr().out
    said = {name.rpartition("/")[2]: line for name, (_, line) in read(place(str(proof))).items()}
    assert sorted(said) == ["far", "half", "mass", "square"]
    assert list(said["mass"]) == ["numeric"] and said["half"]["verdict"] == "refuted"
    report = tmp_path / "report.json"
    options = [str(proof), "--jobs", "1", "--cache", str(tmp_path / "kept")]
    main(["verify", *options, "--json", str(report)])
    out = capsys.readouterr().out
    found = {r["label"]: r for r in json.loads(report.read_text())["statements"]}
    assert found["mass"]["verdict"] == "proved" and found["mass"]["checked"] == "kernel"
    assert found["mass"]["recorded"] == found["half"]["recorded"] == ["numeric"]
    assert found["half"]["verdict"] == "refuted" and found["half"]["witness"]["rhs"] == "1/2"
    kinds = {name: r["verdict"] for name, r in found.items() if "verdict" in r["recorded"]}
    assert kinds == {"far": "undecided"} == {"far": said["far"]["verdict"]}
    assert found["none"]["verdict"] == "ill-formed" and not found["none"]["recorded"]
    assert "1 of them recorded, found by --search" in out
    # what was only read is not entered into the cache; what asks for everything anew gets it
    main(["verify", *options, "--json", str(report)])
    assert not any(r["cached"] for r in json.loads(report.read_text())["statements"]
                   if r["recorded"])
    main(["verify", *options, "--no-cache", "--json", str(report)])
    assert not any(r["recorded"] for r in json.loads(report.read_text())["statements"])


def test_a_line_says_what_a_judgement_said() -> None:
    column = Numeric("another method", 30, 2, True, "why", 1.5)
    found = Judgement(Kind.TESTED, "balls", reason="so", numeric=column).record()
    assert told(found) == {"verdict": "tested", "method": "balls", "reason": "so", "numeric": {
        "method": "another method", "digits": 30, "instances": 2, "agrees": True, "reason": "why"}}
    assert told(found, numeric=False) == {"verdict": "tested", "method": "balls", "reason": "so"}


def test_recorded_is_said_wherever_a_verdict_is(four: dict[str, Statement]) -> None:
    from lapdp.report.html.cards import judged as card
    from lapdp.theory.course import describe

    keep([(four["square"], {**DERIVED, "numeric": AGREES})])
    record = {**describe(four["square"]), **judged(four["square"]), "seconds": 0.1}
    assert record["recorded"] == ["verdict", "symbolic", "numeric"]
    assert record["believed"] == ["kernels"] and record["checked"] == "none"
    for line in (text.finding(record), text.symbolic_line(record), text.numeric_line(record),
                 text.summary([record]), card(four["square"], record)):
        assert "recorded, found by --search" in line


def test_a_numeric_column_for_other_digits_is_computed(four: dict[str, Statement]) -> None:
    keep([(four["square"], {**DERIVED, "numeric": AGREES})])
    assert judged(four["square"])["numeric"]["instances"] == 5
    other = judged(four["square"], digits=20)
    assert other["recorded"] == ["verdict", "symbolic"] and other["numeric"]["digits"] == 20
    assert judged(four["square"], numeric=False)["numeric"] is None


def test_beside_a_kept_derivation_too(four: dict[str, Statement]) -> None:
    checked, _ = derivations.searched(four["mass"])
    assert checked is not None
    derivations.keep([(four["mass"], checked.digest, checked.lines)])
    for line in ({"numeric": AGREES}, {"unmet": True}):
        keep([(four["mass"], line)])
        found = judged(four["mass"], digits=20)
        assert found["verdict"] == "proved" and found["numeric"]["agrees"]
        assert found["numeric"]["digits"] == 20 and not found["recorded"]


def test_a_changed_statement_has_no_record(four: dict[str, Statement], tmp_path: Path) -> None:
    keep([(four["far"], DERIVED)])
    assert known(four["far"]) is not None
    (tmp_path / "four.py").write_text(FILE.replace("123456789", "1"))
    changed = {s.label: s for s in load(tmp_path / "four.py")}
    assert known(changed["far"]) is None and known(changed["square"]) is None
    assert judged(changed["far"], numeric=False)["verdict"] == "refuted"


# -- hostile records ----------------------------------------------------------------------------

@pytest.mark.parametrize("label", ["mass", "half", "square"])
def test_no_record_makes_proved(four: dict[str, Statement], label: str) -> None:
    checked = {"digest": "0" * 64, "steps": 1, "rules": {}, "facts": []}
    before = judged(four[label], numeric=False)["verdict"]
    assert before in ("derived", "refuted")
    for said in ({"verdict": "proved"}, {"verdict": "proved", "checked": "kernel"},
                 {"verdict": "proved", "derivation": checked}, {"derivation": checked}):
        found = planted(four[label], said)
        assert (found["verdict"], found["recorded"]) == (before, [])
        assert found["checked"] == "none" and found["derivation"] is None


def test_a_false_statement_said_to_hold_is_refuted(four: dict[str, Statement]) -> None:
    for kind in ("derived", "certified", "tested", "undecided"):
        found = planted(four["half"], {**DERIVED, "verdict": kind})
        assert found["verdict"] == "refuted" and found["witness"]["rhs"] == "1/2"
        assert "verdict" not in found["recorded"]


def test_where_no_small_instance_contradicts_it_is_told_as_recorded(
        four: dict[str, Statement]) -> None:
    found = planted(four["far"], DERIVED)
    assert found["verdict"] == "derived" and "verdict" in found["recorded"]


@pytest.mark.parametrize("method", ["witness", "counterexample"])
def test_a_true_statement_said_to_be_false_is_not_refuted(four: dict[str, Statement], method: str
                                                          ) -> None:
    found = planted(four["square"], {**REFUTED, "method": method})
    assert found["verdict"] == "derived" and not found["recorded"]


@pytest.mark.parametrize("method", ["witness", "counterexample"])
def test_the_witness_is_the_one_that_was_evaluated(four: dict[str, Statement], method: str
                                                   ) -> None:
    found = planted(four["half"], {**REFUTED, "method": method})
    assert found["verdict"] == "refuted" and found["witness"]["text"] != "x = 0"


def test_the_method_on_record_is_asked_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch
                                             ) -> None:
    (tmp_path / "roots.py").write_text(
        "import sympy as sp\nfrom lapdp.theory import *\n"
        'claim("own2026/low", Lt(sp.sqrt(2) + sp.exp(1), 4))\n'
        'claim("own2026/high", Lt(sp.sqrt(2) + sp.exp(1), 5))\n')
    high, low = sorted(load(tmp_path / "roots.py"), key=lambda s: s.id)
    said = {**REFUTED, "method": "balls at an exact point"}
    assert planted(high, said)["verdict"] == "derived"

    def nothing_else(*_: Any) -> Any:
        raise AssertionError("other methods were asked")

    monkeypatch.setattr(engine, "_decided", nothing_else)
    found = planted(low, said)
    assert (found["verdict"], found["symbolic"]["method"]) == ("refuted", "balls at an exact point")
    # a method that says nothing of it is not all that is asked
    with pytest.raises(AssertionError, match="other methods"):
        planted(high, said)
    with pytest.raises(AssertionError, match="other methods"):
        planted(low, {**REFUTED, "method": "counterexample"})


def test_nothing_is_admitted_that_names_no_publication(four: dict[str, Statement]) -> None:
    found = planted(four["far"], {"verdict": "admitted", "reason": "Nobody 2026"})
    assert found["verdict"] != "admitted" and not found["recorded"]


def test_numbers_on_record_neither_withdraw_a_proof_nor_support_what_they_deny(
        four: dict[str, Statement]) -> None:
    checked, _ = derivations.searched(four["mass"])
    assert checked is not None
    derivations.keep([(four["mass"], checked.digest, checked.lines)])
    denied = {"digits": 0, "instances": 1, "agrees": False, "reason": "1 against 2"}
    keep([(four["mass"], {"numeric": denied}), (four["square"], {**DERIVED, "numeric": denied})])
    found = judged(four["mass"])
    assert found["verdict"] == "proved" and found["numeric"]["agrees"] and not found["recorded"]
    assert known(four["square"]) is None


def test_a_refused_derivation_is_no_proof_whatever_is_on_record(
        four: dict[str, Statement]) -> None:
    digest = derivations.digest_of(four["half"])
    derivations.keep([(four["half"], digest, ['["t","n",0,1]'])])
    found = planted(four["half"], {"numeric": AGREES})
    assert (found["verdict"], found["recorded"]) == ("refuted", [])


LINES = {
    "empty": "", "a word": '"derived"', "no JSON": "derived", "deep": "[" * 100_000,
    "a number": "1" * 5000, "two parts": '["{id}", "{digest}"]',
    "a list": '["{id}","{digest}",[1]]',
    "another verdict": '["{id}","{digest}",{"verdict":"QED"}]',
    "no text": '["{id}","{digest}",{"verdict":1}]',
    "facts that are none": '["{id}","{digest}",{"verdict":"derived","facts":[1]}]',
    "numbers that are none": '["{id}","{digest}",{"verdict":"derived","numeric":[1]}]',
    "instances that are none": '["{id}","{digest}",{"verdict":"derived","numeric":{"digits":"x"}}]',
    "refuted by nothing": '["{id}","{digest}",{"verdict":"refuted"}]',
    "ill-formed": '["{id}","{digest}",{"verdict":"ill-formed"}]',
    "another digest": '["{id}","0000000000000000",{"verdict":"derived"}]',
    "no digest": '["{id}","",{"verdict":"derived"}]', "a digest of no kind":
    '["{id}",7,{"verdict":"derived"}]', "another id": '["a","{digest}",{"verdict":"derived"}]',
    "bytes": "\udcff",
}


@pytest.mark.parametrize("name", LINES)
def test_damaged_and_foreign_lines_count_as_none(four: dict[str, Statement], name: str) -> None:
    far = four["far"]
    line = LINES[name].replace("{id}", far.id).replace("{digest}", digest_of(far))
    place(far.source).write_bytes(line.encode(errors="surrogateescape"))
    assert known(far) is None
    keep([(far, DERIVED)])
    assert known(far) == Known(None, Kind.DERIVED, known(far).record)  # type: ignore[union-attr]


# -- what is found anew -------------------------------------------------------------------------

def test_a_derivation_that_is_not_found_anew_stays(four: dict[str, Statement],
                                                   monkeypatch: pytest.MonkeyPatch) -> None:
    checked, _ = derivations.searched(four["mass"])
    assert checked is not None
    derivations.keep([(four["mass"], checked.digest, checked.lines)])
    assert engine.judge_and_search(four["mass"], numeric=False).method == "derivation"
    monkeypatch.setattr(derivations, "searched", lambda *_: (None, "not in so many steps"))
    found = engine.judge_and_search(four["mass"], numeric=False)
    assert (found.kind, found.method) == (Kind.PROVED, derivations.REPLAYED)
    assert "kernel: not in so many steps" in found.tried
    assert not derivations.improves(four["mass"], checked.lines)
    assert derivations.improves(four["mass"], checked.lines[:-1])


def test_a_search_that_is_stopped_loses_no_derivation(
        four: dict[str, Statement], capsys: pytest.CaptureFixture[str]) -> None:
    checked, _ = derivations.searched(four["mass"])
    assert checked is not None
    derivations.keep([(four["mass"], checked.digest, checked.lines)])
    kept = derivations.place(four["mass"].source)
    before = kept.read_bytes()
    main(["verify", f"{four['mass'].source}::mass", "--search", "--keep", "--timeout", "0.001",
          "--no-numeric", "--jobs", "1"])
    said = capsys.readouterr()
    assert "not found anew, the kept derivation stands: own2026/mass" in said.err
    assert "1 proved" in said.out
    assert kept.read_bytes() == before


def test_what_was_asked_of_a_search_is_asked_of_the_replay(
        four: dict[str, Statement], tmp_path: Path) -> None:
    checked, _ = derivations.searched(four["mass"])
    assert checked is not None
    derivations.keep([(four["mass"], checked.digest, checked.lines)])
    report = tmp_path / "report.json"

    def digits(*options: str) -> Any:
        """Those of the numeric column, after the search was stopped."""
        main(["verify", f"{four['mass'].source}::mass", "--search", "--timeout", "0.001", "-q",
              "--jobs", "1", "--json", str(report), *options])
        (found,) = json.loads(report.read_text())["statements"]
        assert found["verdict"] == "proved"
        return found["numeric"] and found["numeric"]["digits"]

    assert digits() == 30
    assert digits("--digits", "20") == 20
    assert digits("--no-numeric") is None


def test_what_is_on_record_is_of_the_engine(four: dict[str, Statement]) -> None:
    from lapdp.core.errors import InputError

    with pytest.raises(InputError):
        run([four["mass"]], judge="lapdp.theory.engine:judge", by_record=True)
