"""Statements of the library judged and put before the oracle; derivations that are kept, replayed.

All of them in ``make nightly``; in ``make test`` those that changed since they were judged, and a
sample (see :mod:`tests.library.judged`).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lapdp.core.verdict import HOLDS, Kind
from lapdp.numeric import column
from lapdp.theory.derivations import is_kept, place, read, replayed
from lapdp.theory.engine import judge
from lapdp.theory.fidelity import says_nothing
from lapdp.theory.kept_verdicts import known
from lapdp.theory.library import shipped_library
from lapdp.theory.loading import files_of
from lapdp.theory.statement import Statement
from tests.library import judged
from tests.library.unread import UNREAD
from tests.long_cases import drawn
from tests.mutation.campaign import contradiction
from tests.mutation.oracle_check import oracle_report
from tests.mutation.replay import replay
from tests.shelf import by_id, library

INSTANCES = 30
SECONDS = 0.1
"""Of the search for witnesses against what is proved."""
SHARES = 8
"""Into how many tests the sample is cut, so that processes share it."""
REPLAYED = 2
"""One in so many kept derivations is replayed at each change."""
FILES = {f"{f.parent.name}/{f.stem}": f for f in files_of(shipped_library())}


def of_a_paper(statement: Statement) -> bool:
    """Is it a statement of one of the papers, in a file that has been held against the print?"""
    return statement.paper in UNREAD and Path(statement.source).name not in UNREAD[statement.paper]


def complaints(statement: Statement) -> list[str]:
    """What is wrong with the verdict on a statement: nothing, where all is well."""
    found = judge(statement, numeric=False)
    told = f"{statement.id} is {found.kind}: {found.reason}"
    wrong: list[str] = []
    if of_a_paper(statement) and (empty := says_nothing(statement)):
        wrong.append(f"{statement.id} says nothing: {empty}")
    if statement.repairs and statement.expected:
        wrong.append("a repair holds, and needs no record")
    if not (str(found.kind) == statement.expected if statement.expected not in (None, "proved")
            else found.kind in HOLDS):
        wrong.append(f"{told}, on record is {statement.expected or 'proved'}")
    record = known(statement)
    if record is not None and record.kind not in (None, found.kind) and found.checked is None:
        wrong.append(f"{told}, recorded beside the proof file is {record.kind}")
    if found.kind in (*HOLDS, Kind.CERTIFIED):
        numbers = column(statement, instances=2, work=3000)
        if numbers.agrees is False:
            wrong.append(f"{told}, but numerically {numbers.reason}")
        oracle = oracle_report(statement, INSTANCES)
        if oracle.verdict == "fails":
            wrong.append(f"{told}, but the oracle has {oracle.witness}")
        against = contradiction(statement, SECONDS)
        if against is not None:
            wrong.append(f"{told}, but there is {against.text}")
    if found.witness is not None:
        at_witness = replay(statement, found.witness)
        if at_witness in ("denied", "outside"):
            wrong.append(f"{told}, by {found.witness.text}: {found.witness.lhs} against "
                         f"{found.witness.rhs}; the oracle says {at_witness}")
    return wrong


def judged_well(statements: list[Statement]) -> None:
    wrong = [line for s in statements for line in complaints(s)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.nightly
@pytest.mark.parametrize("name", FILES)
def test_every_verdict(name: str) -> None:
    judged_well([s for s in library() if s.source == str(FILES[name].resolve())])


@pytest.mark.parametrize("share", range(SHARES))
def test_verdicts_that_changed_and_a_sample(share: int) -> None:
    new = {s.id for s in judged.changed(library())}
    chosen = [s for s in library() if s.id in new or drawn(s.id)]
    judged_well(chosen[share::SHARES])


def kept_well(files: list[Path], chosen: Callable[[Statement], bool]) -> None:
    """What is kept is of statements that are there and hold, and the kernel accepts what is chosen:
    each is a derivation of what its file says now."""
    wrong: list[str] = []
    for file in files:
        for name in sorted(read(place(str(file)))):
            statement = by_id().get(name)
            if statement is None or statement.source != str(file.resolve()):
                wrong.append(f"{name}: its proof file has no such statement")
            elif statement.expected not in (None, "proved"):
                wrong.append(f"{name}: {statement.expected} on record, and a derivation is kept")
            elif chosen(statement) and replayed(statement) is None:
                wrong.append(f"{name}: the kernel does not accept the derivation of this sentence")
    assert not wrong, "\n".join(wrong)


@pytest.mark.nightly
@pytest.mark.parametrize("name", FILES)
def test_every_kept_derivation_is_accepted(name: str) -> None:
    kept_well([FILES[name]], lambda s: True)


@pytest.mark.parametrize("share", range(2))
def test_kept_derivations_of_what_changed_and_a_sample(share: int) -> None:
    new = {s.id for s in judged.changed(library())}
    kept_well(list(FILES.values())[share::2], lambda s: s.id in new or drawn(s.id, REPLAYED))


def test_what_is_recorded_is_what_the_files_say() -> None:
    """No recorded verdict differs from that of its file, and most of what has no derivation has
    one, so that a verification does not wait for the engine."""
    wrong: list[str] = []
    lacking: list[str] = []
    for s in library():
        record = known(s)
        if record is None:
            lacking += [s.id] if s.expected != "ill-formed" and not is_kept(s) else []
        elif record.kind is not None and not (
                str(record.kind) == s.expected if s.expected not in (None, "proved")
                else record.kind in HOLDS):
            wrong.append(f"{s.id}: {record.kind} recorded, {s.expected or 'holds'} in its file")
    assert not wrong, "\n".join(wrong)
    assert len(lacking) < len(library()) / 10, (
        f"lapdp verify --search --keep {' '.join(lacking[:20])} ...")


def test_references() -> None:
    """What a statement repairs, or is repaired by, is in the library: a repair, or a reading that
    is proved."""
    for s in library():
        assert s.repairs is None or s.repairs in by_id(), s.id
        mended = by_id()[s.repaired_by] if s.repaired_by else None
        assert mended is None or mended.repairs or mended.expected in (None, "proved"), s.id


def test_no_two_pairs_of_a_statement_have_the_same_names() -> None:
    """Else a reader sees one notion on both sides of a claim about two."""
    for s in library():
        told = [pair.names for pair in s.pairs]
        assert len(told) == len(set(told)), s.id
