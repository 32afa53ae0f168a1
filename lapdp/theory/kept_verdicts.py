"""Verdicts kept beside the proof files: what ``lapdp verify --search --keep`` was told.

They lie in one file ``NAME.verdicts`` for a proof file ``NAME.py``: a line of JSON for a statement,
``[id, digest, what was said]``.  The digest is of all that a judge sees, so that a statement that
has changed has none.  Such a file is data, and may be anybody's: a line that is no sound record
counts as none, no line can say ``proved``, and :mod:`lapdp.theory.on_record` says what becomes of
the others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from lapdp.core.verdict import Judgement, Kind, Numeric
from lapdp.numeric.column import METHOD
from lapdp.theory import disk, records, routes
from lapdp.theory.consistency import NOT_MET
from lapdp.theory.derivations import is_kept
from lapdp.theory.fingerprint import identity
from lapdp.theory.loading import still_stated
from lapdp.theory.statement import Statement

SUFFIX = ".verdicts"
MOST_BYTES = 64 << 20
"""A larger file holds none."""
DIGITS, SEED = 30, 0
"""How the numeric columns on record were asked for."""
KEPT = frozenset({Kind.DERIVED, Kind.CERTIFIED, Kind.TESTED, Kind.ADMITTED, Kind.UNDECIDED,
                  Kind.REFUTED})
"""Verdicts of which a line may speak: ``proved`` is the kernel's, and what has no meaning is seen
at once."""
_SAID = ("reason", "holds_under", "scope", "witness")
_HOW = ("method", "facts", "cells")


@dataclass(frozen=True)
class Known:
    """What is on record of a statement: its numeric column, and the verdict, unless a derivation is
    to be found beside it."""

    numeric: Numeric | None = None
    kind: Kind | None = None
    record: Mapping[str, Any] | None = None
    """As :meth:`Judgement.record` has it, without steps and times."""
    unmet: bool = False
    """Was no instance of the hypotheses found beside a proof?  That none contradicts them is seen
    anew."""
    routes: Mapping[str, str] = field(default_factory=dict)
    """Which method proved which lemma of a refutation."""


def place(source: str) -> Path:
    """The file of verdicts beside a proof file."""
    return Path(source).with_suffix(SUFFIX)


def known(statement: Statement) -> Known | None:
    """What is on record of the statement as it stands now; None where nothing is."""
    if not statement.source:
        return None
    digest, said = read(place(statement.source)).get(statement.id, ("", None))
    if not digest or digest != digest_of(statement):
        return None
    found = _known(said)
    # trusted is only what the statement names
    return None if found and found.kind is Kind.ADMITTED and not statement.cited else found


def sought_in_vain(statement: Statement) -> bool:
    """Is it on record that a search for a derivation of what the statement says now found none?"""
    found = known(statement)
    return found is not None and found.kind is not None and not is_kept(statement)


def digest_of(statement: Statement) -> str:
    """Of all that a judge sees; empty where it cannot be told what that is."""
    return identity(statement)[:16]


def amount(source: str) -> int:
    """Of how many statements a proof file has verdicts or numeric columns beside it: of most."""
    path = place(source)
    return path.read_bytes().count(b"\n") if path.is_file() else 0


def read(path: Path) -> dict[str, tuple[str, Any]]:
    """Digests and what was said, by id; a missing file holds none."""
    return _read(path, path.stat().st_mtime_ns) if path.is_file() else {}


@lru_cache(maxsize=256)
def _read(path: Path, _: int) -> dict[str, tuple[str, Any]]:
    found: dict[str, tuple[str, Any]] = {}
    try:
        if path.stat().st_size > MOST_BYTES:
            return found
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError):
        return found
    for line in lines:
        try:
            name, digest, said = json.loads(line)
        except (ValueError, TypeError, RecursionError):
            continue
        if isinstance(name, str) and isinstance(digest, str):
            found[name] = digest, said
    return found


def _known(said: Any) -> Known | None:
    """What a line says, if it could have been written by :func:`told`."""
    if not isinstance(said, dict):
        return None
    empty = Judgement(Kind.UNDECIDED, "").record()
    numeric = said.get("numeric")
    if numeric is not None:
        if not isinstance(numeric, dict):
            return None
        numeric = {**vars(Numeric(METHOD)), **numeric}
    record = {**empty, **{name: said[name] for name in _SAID if name in said},
              "verdict": said.get("verdict", str(Kind.UNDECIDED)), "numeric": numeric,
              "symbolic": {**empty["symbolic"], **{n: said[n] for n in _HOW if n in said}}}
    if not records.sound(record):
        return None
    kind = Kind(record["verdict"])
    column = None if numeric is None else Numeric(**{
        name: numeric[name] for name in vars(Numeric(""))})
    if "verdict" not in said:
        return Known(column, unmet=said.get("unmet") is True)
    if kind is Kind.DERIVED:
        record["believed"] = [record["symbolic"]["method"]]
    denied = column is not None and column.agrees is False
    if kind not in KEPT or (denied and kind in (Kind.DERIVED, Kind.CERTIFIED, Kind.TESTED)):
        return None
    return Known(column, kind, record, routes=routes.sound(said.get("routes")))


def told(record: Mapping[str, Any], *, numeric: bool = True) -> dict[str, Any] | None:
    """The part of a judgement's record that a line keeps; None where nothing is to be kept.

    >>> told(Judgement(Kind.TESTED, "balls").record())
    {'verdict': 'tested', 'method': 'balls'}
    >>> told(Judgement(Kind.ILL_FORMED, "well-formedness").record()) is None
    True
    >>> told({**Judgement(Kind.TESTED, "").record(), "verdict": "proved", "reason": NOT_MET})
    {'unmet': True}
    """
    kind = Kind(record["verdict"])
    said: dict[str, Any] = {}
    if kind in KEPT:
        said = {"verdict": str(kind), **{n: record["symbolic"][n] for n in _HOW},
                **{name: record[name] for name in _SAID}, "routes": record.get("routes")}
    elif kind is not Kind.PROVED:
        return None
    elif record["reason"] == NOT_MET:
        said["unmet"] = True
    if numeric and record["numeric"] is not None:
        usual = {**vars(Numeric(METHOD)), "seconds": record["numeric"]["seconds"]}
        said["numeric"] = {name: x for name, x in record["numeric"].items() if x != usual[name]}
    return {name: x for name, x in said.items() if x or name == "numeric"} or None


def keep(new: Iterable[tuple[Statement, Mapping[str, Any] | None]]) -> list[Path]:
    """Write what was said of statements beside what is kept already, and forget those of which
    nothing is to be kept, and what the proof file no longer states; the files written.

    Raises :class:`InputError` where a file cannot be written.
    """
    files: dict[Path, dict[str, tuple[str, Any]]] = {}
    for statement, said in new:
        path = place(statement.source)
        if path not in files:
            files[path] = still_stated(read(path), statement.source)
        digest = digest_of(statement)
        if said is None or not digest:
            files[path].pop(statement.id, None)
        else:
            files[path][statement.id] = digest, dict(said)
    return disk.write_each(files, _write)


def _write(path: Path, kept: Mapping[str, tuple[str, Any]]) -> None:
    if not kept:
        path.unlink(missing_ok=True)
        return
    lines = [json.dumps([name, *kept[name]], ensure_ascii=False) for name in sorted(kept)]
    disk.write_whole(path, ("\n".join(lines) + "\n").encode())


__all__ = ["DIGITS", "SEED", "SUFFIX", "Known", "amount", "digest_of", "keep", "known", "place",
           "read", "sought_in_vain", "told"]
