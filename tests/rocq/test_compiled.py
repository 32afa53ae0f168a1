"""Printed derivations in Rocq itself: they compile, and assume what the documents list.

``make rocq`` runs this; it needs ``coqc``, Debian's packages coq, libcoq-coquelicot and
libcoq-interval.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lapdp.report.rocq import LIBRARY, module, write
from lapdp.report.rocq.analysis import Rules
from tests.rocq.share import compiled, kept

IDS = ("laws/reversal.tails", "laws/reversal.atoms", "laws/reversal.total-variation",
       "chourasia2024/eq-7.1", "chourasia2024/eq-7.2", "chourasia2024/eq-7.3",
       "chourasia2024/eq-22")
DERIVATIONS = dict(kept())
PAGE = (Path(__file__).parents[2] / "docs" / "rocq.md").read_text(encoding="utf-8")
LISTED = set(re.findall(r"`([\w.]+)`", PAGE[PAGE.index("## What is assumed"):]))


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """The library, compiled, and the derivations."""
    found = tmp_path_factory.mktemp("rocq")
    assert not write(found, {name: DERIVATIONS[name] for name in IDS})
    for path in LIBRARY:
        assert compiled(found, path.stem) == ""
    return found


@pytest.mark.parametrize("name", IDS)
def test_a_derivation_compiles_and_assumes_what_is_listed(folder, name):
    told = compiled(folder, module(name))
    assert told.startswith("Axioms:\n")
    assumed = set(re.findall(r"^([\w.]+)", told, re.MULTILINE)) - {"Axioms"}
    assert assumed and {each.partition("Uint63.")[1] or each.partition("PrimInt63.")[1] or each
                        for each in assumed} <= LISTED | {"Uint63.", "PrimInt63."}


def test_a_false_step_does_not_compile(folder):
    """The claim of a step made stronger by hand: Rocq sees it, whatever the printer does."""
    text = (folder / "chourasia2024_eq_7_3.v").read_text()
    start = text.rindex("Theorem ")
    assert " = " in text[start:]
    before, _, after = text[start:].partition(" = ")
    (folder / "wrong.v").write_text(f"{text[:start]}{before} = 1 + {after}")
    with pytest.raises(AssertionError, match="wrong"):
        compiled(folder, "wrong")


def test_a_wrong_identity_does_not_compile(folder, monkeypatch):
    """The printer forgets the sign in a gap."""
    monkeypatch.setattr(Rules, "_gap", lambda self, s, t: self.b.make("add", t, s))
    write(folder / "again", {"wrong": DERIVATIONS["laws/reversal.tails"]})
    (folder / "sign.v").write_text((folder / "again" / "wrong.v").read_text())
    with pytest.raises(AssertionError, match="sign"):
        compiled(folder, "sign")
