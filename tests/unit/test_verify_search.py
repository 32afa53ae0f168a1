"""`lapdp verify --search --keep`: derivations are found, written and then replayed."""

from __future__ import annotations

from dataclasses import replace

from lapdp import verify
from lapdp.cli import main
from lapdp.core.verdict import Judgement, Kind
from lapdp.numeric import hostile
from lapdp.proving import search
from lapdp.proving.space import Prover
from lapdp.theory import Le, T, claim, delta, derivations, engine, kept_verdicts, pair, reals
from lapdp.theory.derivations import place, read
from lapdp.theory.loading import load_file
from lapdp.theory.planner import Planner
from tests.effort import calls_at_most
from tests.shelf import by_id

FILE = '''"""Two statements."""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
eps = reals("eps")

with theorem("found2026/masses", "Masses"):
    claim("mass", Le(delta(P, Q)(eps), 1))
    claim("wrong", Le(delta(P, Q)(eps), sp.Rational(1, 2)))
'''


def test_found_kept_and_replayed(tmp_path, capsys):
    proof = tmp_path / "found.py"
    proof.write_text(FILE)
    options = [str(proof), "--no-numeric", "--jobs", "1"]
    assert main(["verify", *options, "--keep"]) == 2
    assert "--search" in capsys.readouterr().err
    assert not place(str(proof)).exists()
    main(["verify", *options, "--search", "--keep"])
    said = capsys.readouterr()
    assert "1 derivations kept in 1 files" in said.err and "proved" in said.out
    assert [name.rpartition("/")[2] for name in read(place(str(proof)))] == ["mass"]
    main(["verify", *options, "--no-cache"])
    assert "proved" in capsys.readouterr().out


def test_what_a_file_no_longer_states_is_forgotten(tmp_path, capsys):
    """A statement under a new name leaves nothing behind under the old one."""
    proof = tmp_path / "found.py"
    options = ["verify", str(proof), "--no-numeric", "--jobs", "1", "--search", "--keep"]
    for name in ("mass", "total"):
        proof.write_text(FILE.replace('"mass"', f'"{name}"'))
        main(options)
        for kept in (derivations.read(place(str(proof))), kept_verdicts.read(
                kept_verdicts.place(str(proof)))):
            assert {k.rpartition("/")[2] for k in kept} <= {name, "wrong"}
        assert f"found2026/{name}" in derivations.read(place(str(proof)))
    for name in ("half", "mass"):
        # of another name, then of the same one: what it says now is no longer what was proved
        proof.write_text(FILE)
        main(options)
        assert "found2026/mass" in derivations.read(place(str(proof)))
        proof.write_text(FILE.replace('claim("mass"', f'claim("{name}"').replace(
            "eps), 1))", "eps), 0))"))
        main(options)
        assert not place(str(proof)).exists()
    capsys.readouterr()


def test_no_method_begins_when_the_time_is_up():
    (P, Q), (a, eps) = pair(), reals("a eps")
    stated = claim("late", T(P, Q)(a) >= 1 - a, where=[a >= 0, a <= 1, Le(delta(P, Q)(eps), 0)])
    with calls_at_most(3_000_000):
        found = verify(stated, seconds=1e-6, numeric=False)
    assert found.kind is Kind.UNDECIDED
    assert any("the time is up" in said for said in (found.reason, *found.tried))
    assert not any("kernel: " in said for said in found.tried)


def test_what_says_the_same_sentence_is_searched_once(tmp_path, monkeypatch):
    """Both answers are told, that there is a derivation and that none was found; what others wrote
    is checked, and where it is wrong the search is made."""
    (P, Q), eps = pair(), reals("eps")
    holds, fails = Le(delta(P, Q)(eps), 1), Le(delta(P, Q)(eps), 0)
    asked = []

    def derive(bank, goal, steps):
        asked.append(goal)
        return real(bank, goal, steps)

    real = search.derive
    monkeypatch.setattr(search, "derive", derive)
    monkeypatch.setattr(derivations, "_SHARED", [])
    alone = derivations.searched(claim("one", holds), 2000)
    derivations.share(tmp_path)
    first = [derivations.searched(claim("two", said), 2000) for said in (holds, fails)]
    assert len(asked) == 3
    again = [derivations.searched(claim("three", said), 2000) for said in (holds, fails)]
    assert again == first and len(asked) == 3
    assert alone == first[0] and alone[0] is not None and first[1][0] is None and first[1][1]
    for wrong in ("[", "{}", "[5, 7]", '[["nonsense"], ""]', '[["[\\"p\\"]"], ""]'):
        for told in tmp_path.iterdir():
            told.write_text(wrong)
        assert derivations.searched(claim("four", holds), 2000) == alone
    assert len(asked) == 8


def test_statements_of_one_sentence_are_all_found(tmp_path, capsys):
    proof = tmp_path / "found.py"
    proof.write_text(FILE + '    claim("again", Le(delta(P, Q)(eps), 1))\n')
    main(["verify", str(proof), "--no-numeric", "--jobs", "1", "--search", "--keep"])
    assert "2 derivations kept in 1 files" in capsys.readouterr().err
    kept = read(place(str(proof)))
    assert kept["found2026/mass"] == kept["found2026/again"]


def test_what_is_on_record_as_not_found_is_sought_briefly(tmp_path, monkeypatch):
    """A record of the sentence as it stands, and no kept derivation; --no-cache searches far."""
    (proof := tmp_path / "found.py").write_text(FILE.replace("sp.Rational(1, 2)", "2"))
    asked = []

    def searched(statement, steps=derivations.STEPS):
        asked.append(steps)
        return None, "not asked"

    monkeypatch.setattr(derivations, "searched", searched)
    vain, other = (s for s in load_file(str(proof)))
    kept_verdicts.keep([(vain, {"verdict": "derived", "method": "tests"}),
                        (other, {"unmet": True})])
    for statement in (vain, replace(vain, claim=other.claim), other):
        engine.judge_and_search(statement, numeric=False)
    engine.judge_and_search_far(vain, numeric=False)
    few, many = engine.BRIEF, derivations.STEPS
    assert asked == [few, many, many, many] and few < many
    kept_verdicts.keep([(other, {"verdict": "undecided"})])
    engine.judge_and_search(other, numeric=False)
    derivations.keep([(other, derivations.digest_of(other), ["line"])])
    engine.judge_and_search(other, numeric=False)
    assert asked[4:] == [few, many]


def test_a_witness_against_what_is_on_record_as_undecided_is_sought_briefly(tmp_path, monkeypatch):
    (proof := tmp_path / "found.py").write_text(FILE)
    allowed = []

    def decided(statement, digits, seed, patience, *rest):
        allowed.append(patience)
        return Judgement(Kind.UNDECIDED, "none", reason="not asked")

    monkeypatch.setattr(engine, "_decided", decided)
    first, second = load_file(str(proof))
    kept_verdicts.keep([(first, {"verdict": "undecided"}),
                        (second, {"verdict": "derived", "method": "tests"})])
    engine.judge_and_search(first, numeric=False)
    engine.judge_and_search(second, numeric=False)
    engine.judge_and_search_far(first, numeric=False)
    monkeypatch.setattr(kept_verdicts, "known", lambda _: kept_verdicts.Known(kind=Kind.ADMITTED))
    engine.judge_and_search(second, numeric=False)
    assert allowed == [engine.BRIEFLY, engine.PATIENCE, engine.PATIENCE, engine.BRIEFLY]
    assert engine.BRIEFLY < engine.PATIENCE


def test_what_is_on_record_as_derived_is_argued_by_its_method_first(monkeypatch):
    monkeypatch.setattr(derivations, "searched", lambda *_: (None, "not asked"))
    statement = by_id()["chourasia2024/footnote-4.repaired"]
    record = kept_verdicts.known(statement)
    assert record is not None and record.kind is Kind.DERIVED
    in_order = Planner.judge
    asked = []
    monkeypatch.setattr(Planner, "judge",
                        lambda planner: asked.append(planner) or in_order(planner))
    found = engine.judge_and_search(statement, numeric=False)
    assert (found.kind, found.method, asked) == (
        Kind.DERIVED, record.record["symbolic"]["method"], [])
    # a record that names another method, or none that there is, convinces nobody
    for method in ("parts", "no such method"):
        other = replace(record, record={**record.record, "symbolic": {"method": method}})
        monkeypatch.setattr(kept_verdicts, "known", lambda _, other=other: other)
        again = engine.judge_and_search(statement, numeric=False)
        assert (again.kind, again.method) == (found.kind, found.method)
    assert len(asked) == 2
    engine.judge_and_search_far(statement, numeric=False)
    assert len(asked) == 3


def test_numbers_that_doubted_what_is_on_record_are_not_asked_again(monkeypatch):
    monkeypatch.setattr(derivations, "searched", lambda *_: (None, "not asked"))
    statement = by_id()["chourasia2024/footnote-4.repaired"]
    asked = []
    monkeypatch.setattr(hostile, "doubts", lambda stated: asked.append(stated) or "it is false")
    assert engine.judge_and_search(statement, numeric=False).kind is Kind.DERIVED and not asked
    for judge in (engine.judge_and_search_far, engine.judge):
        assert judge(statement, numeric=False).kind is Kind.UNDECIDED
    monkeypatch.setattr(kept_verdicts, "known", lambda _: None)
    assert engine.judge_and_search(statement, numeric=False).kind is Kind.UNDECIDED
    assert len(asked) == 3


def test_numbers_on_record_stand_beside_the_verdict_on_record(tmp_path, monkeypatch):
    (proof := tmp_path / "found.py").write_text(FILE)
    first, second = load_file(str(proof))
    column = engine.numeric_column(first, 30, 0)
    assert column.agrees
    kept_verdicts.keep([(s, {"numeric": {"agrees": True, "instances": 7}})
                        for s in (first, second)])
    asked = []

    def numbers(statement, *rest):
        asked.append(statement.label)
        return column

    monkeypatch.setattr(engine, "numeric_column", numbers)
    found = engine.judge_and_search(first)
    assert found.kind is Kind.PROVED and found.numeric.instances == 7 and not asked
    # proved is not what comes out
    assert engine.judge_and_search(second).kind is Kind.REFUTED
    assert asked == ["wrong"]
    # other numbers are asked for, or all is
    engine.judge_and_search(first, seed=1)
    engine.judge_and_search_far(first)
    assert asked[1:] == ["mass", "mass"]


def test_integrands_are_not_compared_again_where_it_was_in_vain(monkeypatch):
    """Each comparison has an outcome of its own name: the sentence below took thousands of them."""
    compared = []
    prove = Prover.prove
    monkeypatch.setattr(Prover, "prove", lambda prover, goal, facts=(): (
        compared.append(goal) or prove(prover, goal, facts)))
    found, _ = derivations.searched(by_id()["sommer2020/theorem-1.step-13"])
    assert found is not None and len(compared) < 500
