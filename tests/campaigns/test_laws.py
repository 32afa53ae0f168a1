"""A sample of the campaign over the laws of the library, and that it sees a law that is false."""

from __future__ import annotations

import pytest

from tests.campaigns.laws import main, proved
from tests.mutation.oracle_check import oracle_report
from tests.shelf import by_id

REFUTED = ["reversal.profile-same", "reversal.renyi-same", "products.tensor-pointwise",
           "products.moments-add", "subsampling.linear-below", "subsampling.trade-off-remove"]


def test_no_counterexample_among_random_instances():
    found = {s.id: oracle_report(s, 8, seed=1) for s in proved()}
    assert not [(name, r.witness) for name, r in found.items() if r.verdict == "fails"]


def test_most_laws_are_reached():
    found = [oracle_report(s, 5).agreed for s in proved()]
    assert sum(map(bool, found)) > len(found) * 3 / 4


@pytest.mark.parametrize("label", REFUTED)
def test_false_laws_are_seen(label):
    assert oracle_report(by_id()[f"laws/{label}"], 200).verdict == "fails"


def test_the_command(capsys):
    assert main(["--examples", "3", "--only", "reversal."]) == 0
    assert "reversal.levels" in capsys.readouterr().out
