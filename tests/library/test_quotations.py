"""What stands beside the claim: quotations, corrections, notes."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from lapdp.theory import Eq
from lapdp.theory.fidelity import severity_of
from lapdp.theory.statement import Statement
from tests.library.quotations import missing, normal, stands_in
from tests.library.unread import UNREAD
from tests.shelf import of_paper

every_paper = pytest.mark.parametrize("paper", UNREAD)
LEFT_OUT = re.compile(r"\.\.\.|…|(?<![,{+\s])\\l?dots|\\l?dots\s*$")
LINE = normal(r"We have $\left\{\theta_1\right\}$, and $$a \leqslant b = c, \tag{7}$$ so $d$ ends.")


@every_paper
def test_a_correction_is_written_out(paper: str) -> None:
    """It leaves nothing out, and it differs from what it corrects."""
    by_id = {s.id: s for s in of_paper(paper)}
    assert not [s.id for s in by_id.values() if LEFT_OUT.search(s.corrected)]
    assert not [s.id for s in by_id.values()
                if s.repairs in by_id and s.corrected == by_id[s.repairs].printed]


@every_paper
def test_texts_have_no_blanks_at_their_ends(paper: str) -> None:
    assert not [s.id for s in of_paper(paper)
                for text in (s.printed, s.corrected, s.note) if text != text.strip()]


@every_paper
def test_an_open_convention_is_one_of_several_readings(paper: str) -> None:
    assert not [s.id for s in of_paper(paper)
                if s.expected == "refuted" and severity_of(s) == "convention" and not s.readings]


@every_paper
def test_a_note_ends_as_a_sentence_does(paper: str) -> None:
    assert not [s.id for s in of_paper(paper) if s.note and s.note[-1] not in ".:!?)"]


@pytest.mark.parametrize(("quotation", "stands"), [
    (r"a\leq b=c", True),
    (r"\{\theta_{1}\}\text{, and }a\le b", True),
    (r"a\leq b\text{ [...] }d", True),
    (r"a\leq c", False),
    (r"c\text{ [...] }a\leq b", False),
    (r"a<b", False),
])
def test_quotations_are_found_layout_aside(quotation: str, stands: bool) -> None:
    assert stands_in(quotation, LINE) is stands


def test_what_is_missing_is_named():
    said = Statement("p/eq-1", Eq(1, 1), printed="a = b", fidelity="printed")
    assert list(missing([said, replace(said, printed="b = a")], "So $a=b$.")) == [
        replace(said, printed="b = a")]
