"""Second routes: they are told apart, and one that says the opposite is seen."""

from __future__ import annotations

import pytest

from lapdp.core.verdict import Judgement, Kind, Witness
from tests.campaigns import routes as campaign
from tests.campaigns.routes import Routes, main, routes, table


@pytest.mark.parametrize(("name", "verdict", "confirmed"), [
    ("chourasia2024/eq-22", "proved derived", ("numbers", "oracle")),
    ("chourasia2024/eq-47.1", "refuted", ("replay",)),
    ("zhu2021/proposition-30.subset.case-1.equal", "refuted", ("replay",)),
    ("chourasia2024/eq-12.1", "ill-formed", ()),
])
def test_routes_of_a_statement(name, verdict, confirmed):
    found = routes(name, instances=5)
    assert found.verdict in verdict.split() and found.confirmed[:len(confirmed)] == confirmed
    assert not found.opposed


@pytest.mark.parametrize(("name", "said", "opposed"), [
    ("chourasia2024/eq-47.1", Judgement(Kind.TESTED, "fake"), ("oracle",)),
    ("chourasia2024/eq-23", Judgement(Kind.REFUTED, "fake", witness=Witness(
        "P, Q = finite([1/2, 1/2], [1/4, 3/4]); eps = log(2)", {}, "0", "1")), ("replay",)),
])
def test_a_false_verdict_is_opposed(monkeypatch, name, said, opposed):
    monkeypatch.setattr(campaign, "judge", lambda *a, **k: said)
    assert set(opposed) <= set(routes(name, instances=40).opposed)


def test_the_table_counts_by_paper_and_route():
    found = [Routes("a/1", "proved", ("oracle",)), Routes("a/2", "proved", ("oracle",)),
             Routes("a/3", "proved"), Routes("b/1", "refuted", ("replay",))]
    assert [line.split() for line in table(found)] == [
        ["a", "proved", "none", "1"], ["a", "proved", "oracle", "2"],
        ["b", "refuted", "replay", "1"]]


def test_the_command(capsys):
    assert main(["--prefix", "chourasia2024/eq-71", "--jobs", "1", "--instances", "3"]) == 0
    assert "chourasia2024" in capsys.readouterr().out
