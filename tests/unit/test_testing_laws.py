"""Every law names what the engine proves of all pairs."""

from __future__ import annotations

import pytest

from lapdp.cli import main
from lapdp.testing.laws import LAWS
from tests.shelf import by_id


@pytest.mark.parametrize("law", LAWS.values(), ids=lambda law: law.name)
def test_a_law_names_statements_that_are_proved(law):
    assert law.statements and len(set(law.statements)) == len(law.statements)
    known = by_id()
    for name in law.statements:
        # tests/library judges every statement against this record
        assert known[name].expected in (None, "proved") and known[name].fault is None
        # of every pair, not of one mechanism
        assert all(atom.mechanism is None for p in known[name].pairs for atom in p.atoms())


@pytest.mark.parametrize("law", LAWS.values(), ids=lambda law: law.name)
def test_a_law_shows_source_and_statements(law):
    told = str(law)
    assert law.name in told and law.says in told and law.source in told
    assert all(name in told for name in law.statements)


def test_the_command_lists_laws(capsys):
    assert main(["laws"]) == 0
    told = capsys.readouterr().out
    assert all(name in told for name in LAWS)
    assert main(["laws", "joint convexity"]) == 0
    told = capsys.readouterr().out
    assert "laws/subsampling.joint-convexity" in told and "checked: exact" in told
    assert r"\delta_{\lambda P_1" in told
    assert main(["laws", "symmetry"]) == 2
    assert "'symmetry' is no law" in capsys.readouterr().err
