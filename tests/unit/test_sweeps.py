"""Sweeps: the same answers wherever they are found, and no query that takes others along."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction

import pytest
import sympy as sp

from lapdp import (
    discrete_gaussian,
    gaussian,
    laplace,
    poisson,
    randomized_response,
    subset,
    sweep,
    symmetrized,
)
from lapdp.accounting import sweeps
from lapdp.accounting.queries import Query
from lapdp.accounting.sweeps import Chunk, answer_all
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.cli import main
from lapdp.core.errors import InputError
from lapdp.privacy.mechanisms import CARDS

QUERIES = [
    (gaussian(10) ** 100, "delta", 20),
    (randomized_response("0.1", "1e-8") ** 1000, "delta", 30, 25),
    "epsilon(gaussian(1), 1e-5, digits=8)", "renyi(laplace(1), 3)", "moment(gaussian(1), 1/2)",
    Query("laplace(1)**10", "tradeoff", "1/3", 12),
    (discrete_gaussian(50) ** 10**9, "delta", 200300), "delta(laplace(0), 1)",
    (gaussian(1), "delta", 0.5), "epsilon(randomized_response(1, 0.1), 0.01)"]


@dataclass(frozen=True)
class Crashing(Query):
    """A query that ends its process."""

    def answer(self):
        os._exit(7)


@dataclass(frozen=True)
class Endless(Query):
    """A query without an end."""

    def answer(self):
        while True:
            time.sleep(1)


@dataclass(frozen=True)
class Faulty(Query):
    """A query with a fault in the code behind it."""

    def answer(self):
        raise ZeroDivisionError("a fault")


def plain(rows):
    """All that must not depend on where a query ran."""
    return [(str(r.query), r.answer and (str(r.answer), r.answer.method), r.refusal) for r in rows]


@pytest.fixture(scope="module")
def expected():
    return plain(sweep(QUERIES))


def test_answers_are_those_of_the_methods(expected):
    assert expected[0][1] == (str((gaussian(10) ** 100).delta(20)), "closed form")
    assert expected[1][1][0] == str((randomized_response("0.1", "1e-8") ** 1000).delta(30, 25))
    assert expected[2][1][0] == str(gaussian(1).epsilon("1e-5", 8))
    assert expected[6][1][0] == str((discrete_gaussian(50) ** 10**9).delta(200300))
    assert [why for _, _, why in expected if why] == [
        "scale = 0 must be positive", expected[8][2]] and "float" in expected[8][2]
    assert expected[9][1][0] == "oo"


@pytest.mark.parametrize(("quoted", "plain"), [
    ('delta(laplace("20")**3, "0.048")', "delta(laplace(20)**3, 0.048)"),
    ("epsilon(gaussian('2'), '1e-5')", "epsilon(gaussian(2), 1e-5)"),
    ('delta(approximate_dp("0.9", "1e-5"), "1")', "delta(approximate_dp(0.9, 1e-5), 1)"),
    ('delta(laplace("1/3")**2, "-0.5", digits=8)', "delta(laplace(1/3)**2, -1/2, 8)"),
])
def test_numbers_in_quotes_are_those_numbers(quoted, plain):
    assert str(Query.of(quoted).answer()) == str(Query.of(plain).answer())


def test_two_processes_say_the_same(expected):
    assert plain(sweep(QUERIES, jobs=2, chunk=3)) == expected


def test_threads_say_the_same(expected):
    with ThreadPoolExecutor(2) as executor:
        assert plain(sweep(QUERIES, executor=executor, chunk=5)) == expected


def test_a_dask_cluster_says_the_same(expected):
    from distributed import Client, LocalCluster

    with (LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None)
          as cluster, Client(cluster) as client):
        steps = []
        rows = sweep(QUERIES, executor=client.get_executor(), chunk=5,
                     progress=lambda *step: steps.append(step[:2]))
        assert plain(rows) == expected
        assert [done for done, _ in steps] == list(range(1, len(QUERIES) + 1))


def test_what_fails_costs_its_own_answer():
    asked = [QUERIES[3], Endless("", "delta", 1), Crashing("", "delta", 1), QUERIES[4],
             Faulty("", "delta", 1), *QUERIES[2:4]]
    rows = sweep(asked, timeout=1.5, chunk=len(asked))
    assert [row.answer is not None for row in rows] == [True, False, False, True, False, True, True]
    assert rows[1].refusal == "time limit of 1.5 s"
    assert "exit code 7" in rows[2].refusal
    assert rows[4].refusal.startswith("ZeroDivisionError: a fault")


def test_a_chunk_is_given_back_when_it_takes_long(monkeypatch):
    queries = tuple(Query.of(q) for q in QUERIES[:3])
    assert len(answer_all(Chunk(queries, 0.0)).rows) == 1
    assert len(answer_all(Chunk(queries, 60.0)).rows) == 3
    once = plain(sweep(queries, chunk=3))
    monkeypatch.setattr(sweeps, "PATIENCE", 0.0)
    assert plain(sweep(queries, chunk=3)) == once


class Broken(Executor):
    """An executor whose workers are gone, or never come."""

    def __init__(self, answers):
        self.answers = answers

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        if self.answers:
            future.set_exception(RuntimeError("the worker died"))
        return future


def test_executors_that_fail_or_never_answer(monkeypatch):
    rows = sweep(QUERIES[:3], executor=Broken(True), chunk=2)
    assert {r.refusal for r in rows} == {"the executor failed: RuntimeError: the worker died"}
    monkeypatch.setattr(sweeps, "START_LIMIT", 0.1)
    rows = sweep(QUERIES[:3], executor=Broken(False), chunk=1, timeout=0.1)
    assert all(r.refusal.startswith("the executor gave no answer for 0.6") for r in rows)


@pytest.mark.parametrize(("given", "words"), [
    ([3], "is no query"), ([("gaussian(1)", "delta")], "is no query"), (["gaussian(1)"], "write"),
    ([(3, "delta", 1)], "is no pair"), ([(laplace(1), "deltas", 1)], "is none of"),
    (["delta(laplace(1), 1, digits=x)"], "whole number"), (["os.system(1)"], "no call"),
    (["delta(laplace(1), 1, eps=3)"], "write delta"), (["delta(laplace(1), 1, 2, 3)"], "write"),
    (["delta(laplace(1), 1, 5, digits=5)"], "write"), (["mean(laplace(1), 1)"], "is none of")])
def test_what_is_no_query_is_refused_before_any_work(given, words):
    with pytest.raises(InputError, match=words):
        sweep(given)


@pytest.mark.parametrize("given", [5, "delta(laplace(1), 1)", None])
def test_what_is_no_list_is_refused(given):
    with pytest.raises(InputError, match="is no list of queries"):
        sweep(given)


@pytest.mark.parametrize("settings", [
    {"jobs": 0}, {"jobs": "many"}, {"jobs": True}, {"jobs": 1.5}, {"timeout": 0}, {"chunk": 0},
    {"timeout": "1"}, {"timeout": None}, {"executor": "dask"}, {"progress": 5}])
def test_settings_out_of_range(settings):
    with pytest.raises(InputError):
        sweep([], **settings)
    assert sweep([]) == []


def test_what_cannot_travel_is_refused():
    def answer():
        """No function of a module."""

    with pytest.raises(InputError, match="cannot be sent"):
        sweep([(gaussian(1), "delta", answer)])


def test_elements_of_the_field_travel():
    """Also to a process that has met other generators in another order."""
    x, y = sp.symbols("x y", positive=True)
    values = [Scalar.of(0), Scalar.of(Fraction(-3, 7)), Scalar.exp(Form.of(Fraction(1, 3))),
              Scalar.exp(Form.of(x)) / (1 + Scalar.exp(Form.of(-y / 2))),
              Scalar.exp(Form.of(sp.log(2) / 3)) * Scalar.of(Form.of(x))]
    texts = [str(v) for v in values]
    program = ("import pickle, sys, sympy as sp; from lapdp.calculus.field import Scalar; "
               "from lapdp.calculus.form import Form; "
               "[Scalar.exp(Form.of(sp.Symbol(n, positive=True))) for n in 'zyx']; "
               "print([str(v) for v in pickle.loads(bytes.fromhex(sys.argv[1]))])")
    found = subprocess.run([sys.executable, "-c", program, pickle.dumps(values).hex()],
                           capture_output=True, text=True, check=True, timeout=60,
                           env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert found.stdout.strip() == str(texts)
    assert pickle.loads(pickle.dumps(values)) == values


@pytest.mark.parametrize("name", sorted(CARDS))
def test_pairs_of_every_mechanism_travel(name):
    for parameters in CARDS[name].examples:
        pair = CARDS[name].make(*parameters)
        again = pickle.loads(pickle.dumps(pair))
        assert again == pair and repr(again) == repr(pair) and hash(again) == hash(pair)


@pytest.mark.parametrize("pair", [
    gaussian(1) ** 9 * laplace(2), poisson(laplace(1), "0.1", direction="add") ** 3,
    (gaussian(1) * randomized_response(1)).reverse(), subset(laplace(1), 1, 10, "replace"),
    symmetrized(poisson(gaussian(1), "1/3", direction="remove")), gaussian(sp.sqrt(2))])
def test_operations_on_pairs_travel(pair):
    again = pickle.loads(pickle.dumps(pair))
    assert again == pair and str(again.delta("1/4", 5)) == str(pair.delta("1/4", 5))
    assert pickle.loads(pickle.dumps(pair.delta("1/4", 5))).value == pair.delta("1/4", 5).value


def test_the_command(tmp_path, capsys):
    file, out = tmp_path / "questions.txt", tmp_path / "answers.json"
    file.write_text("# two\ndelta(gaussian(10)**100, 20)\n\nrenyi(laplace(1), 3, digits=8) # one\n")
    assert main(["sweep", str(file), "--jobs", "2", "--json", str(out)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "delta(gaussian(10)**100, 20) = 2.664706705365498e-86 +/- 5.01e-102",
        "renyi(laplace(1), 3, digits=8) = 0.746828141 +/- 5.01e-10"]
    answers = json.loads(out.read_text())["answers"]
    assert [a["value"] for a in answers] == ["2.664706705365498e-86", "0.746828141"]
    file.write_text('["delta(laplace(1), 1/2)", "delta(laplace(0), 1)"]')
    assert main(["sweep", str(file), "--json", "-"]) == 3
    assert [sorted(a) for a in json.loads(capsys.readouterr().out)["answers"]][1] == [
        "query", "refusal", "seconds"]


@pytest.mark.parametrize(("text", "words"), [
    ("delta(laplace(1)", "bracket"), ("[1]", "list of texts"), ("[1", "no JSON list"),
    ('{"delta": 1}', "list of texts"), ("# none\n", "holds no question"), ("[]", "no question"),
    ("", "no question"), ("delta(laplace(1), 1)\n\ndelta(laplace(1))", "question 2"),
    ("__import__(1)", "write delta")])
def test_bad_files(tmp_path, capsys, text, words):
    file = tmp_path / "questions.txt"
    file.write_text(text)
    assert main(["sweep", str(file)]) == 2
    assert words in capsys.readouterr().err
    assert main(["sweep", str(file), "--jobs", "x"]) == 2
    assert main(["sweep", str(tmp_path / "none")]) == 2
