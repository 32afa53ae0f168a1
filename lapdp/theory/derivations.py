"""Kept derivations, and the search for new ones: how a statement becomes ``proved``.

Derivations lie beside the proof files, one file ``NAME.derivations`` for a proof file ``NAME.py``:
lines that the kernel reads, compressed, each derivation under the id of its statement and the
digest of its sentence.  They are data: whatever such a file holds, only what the kernel accepts for
the digest of the elaborated statement counts.
"""

from __future__ import annotations

import contextlib
import json
import lzma
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from lapdp.core.checked import Checked, NotAccepted, accept
from lapdp.core.errors import InputError
from lapdp.kernel import Bank
from lapdp.theory import disk
from lapdp.theory.loading import still_stated
from lapdp.theory.statement import Statement

SUFFIX = ".derivations"
MOST_BYTES = 200_000_000
"""What a file may unpack to: a hostile one must not fill the memory."""
REPLAYED = "kept derivation"
"""The method of what is proved by a derivation beside its proof file."""
STEPS = 60_000
"""How many steps of the kernel a search may take."""
_SHARED: list[Path] = []
"""The folder that :func:`share` has named, if it has."""


def place(source: str) -> Path:
    """The file of derivations beside a proof file."""
    return Path(source).with_suffix(SUFFIX)


def read(path: Path) -> dict[str, tuple[str, list[str]]]:
    """Digest and lines by id; a missing file holds none.

    Raises :class:`InputError` for what is no file of derivations.
    """
    return _read(path, path.stat().st_mtime_ns) if path.is_file() else {}


@lru_cache(maxsize=256)
def _read(path: Path, _: int) -> dict[str, tuple[str, list[str]]]:
    try:
        unpack = lzma.LZMADecompressor(memlimit=MOST_BYTES)
        data = unpack.decompress(path.read_bytes(), max_length=MOST_BYTES)
        if not unpack.eof:
            raise ValueError("cut short, or larger than anything kept here")
        found: dict[str, tuple[str, list[str]]] = {}
        lines: list[str] = []
        for line in data.decode("ascii").splitlines():
            if line.startswith('["d",'):
                _, name, digest = json.loads(line)
                lines = []
                found[str(name)] = (str(digest), lines)
            else:
                lines.append(line)
    except (lzma.LZMAError, ValueError, OSError) as problem:
        raise InputError(f"{path} is no file of derivations ({problem}); remove it, and "
                         "`lapdp verify --search --keep` writes it anew") from None
    return found


def write(path: Path, kept: Mapping[str, tuple[str, Iterable[str]]]) -> None:
    """Write the derivations of one proof file, whole or not at all; none: the file goes."""
    if not kept:
        path.unlink(missing_ok=True)
        return
    lines: list[str] = []
    for name, (digest, derivation) in sorted(kept.items()):
        lines.append(json.dumps(["d", name, digest], separators=(",", ":")))
        lines += derivation
    disk.write_whole(path, lzma.compress("\n".join(lines).encode("ascii"), preset=9))


def keep(new: Iterable[tuple[Statement, str, Iterable[str]]]) -> list[Path]:
    """Write new derivations, each a statement, the digest of its sentence and lines, beside those
    that are kept already; the files written.

    Raises :class:`InputError` where a file cannot be written.
    """
    files: dict[Path, dict[str, tuple[str, Iterable[str]]]] = {}
    for statement, digest, lines in new:
        path = place(statement.source)
        if path not in files:
            files[path] = dict(read(path))
        files[path][statement.id] = (digest, lines)
    return disk.write_each(files, write)


def forget(statements: Iterable[Statement]) -> list[Path]:
    """Drop what is kept for other sentences than these statements say, and for statements that
    their proof files no longer have; the files written.

    Raises :class:`InputError` where a file cannot be written.
    """
    of: dict[str, list[Statement]] = {}
    for statement in statements:
        of.setdefault(statement.source, []).append(statement)
    files: dict[Path, dict[str, tuple[str, list[str]]]] = {}
    for source in of.keys() - {""}:
        kept = read(place(source))
        changed = {s.id for s in of[source] if s.id in kept and not is_kept(s)}
        left = {name: what for name, what in still_stated(kept, source).items()
                if name not in changed}
        if len(left) < len(kept):
            files[place(source)] = left
    return disk.write_each(files, write)


def digest_of(statement: Statement) -> str:
    """The digest of the elaborated sentence.  Raises ``NotSaid``."""
    from lapdp.theory.sentences import elaborate

    bank = Bank()
    return bank.digest(elaborate(statement, bank).goal)


def is_kept(statement: Statement) -> bool:
    """Is a derivation kept for what the statement says now?  That the kernel accepts it is not
    asked here: see :func:`replayed`."""
    from lapdp.theory.sentences import NotSaid

    kept = read(place(statement.source)).get(statement.id) if statement.source else None
    try:
        return kept is not None and kept[0] == digest_of(statement)
    except NotSaid:
        return False


def replayed(statement: Statement) -> Checked | None:
    """The kept derivation, checked anew; None where there is none for this sentence."""
    if not statement.source:
        return None
    kept = read(place(statement.source)).get(statement.id)
    return None if kept is None else accepted(statement, kept[1])


def accepted(statement: Statement, lines: Sequence[str]) -> Checked | None:
    """What the kernel makes of lines for the sentence that the statement says; None: it refuses."""
    from lapdp.theory.sentences import NotSaid

    try:
        return accept(lines, digest_of(statement))
    except (NotSaid, NotAccepted):
        return None


def lies_beside(statement: Statement, checked: Checked) -> bool:
    """Are these the lines that are kept beside the proof file?"""
    if not statement.source:
        return False
    kept = read(place(statement.source)).get(statement.id)
    return kept is not None and tuple(kept[1]) == checked.lines


def improves(statement: Statement, lines: Sequence[str]) -> bool:
    """Are lines to be kept, because no sound derivation is, or only a longer one?"""
    kept = replayed(statement)
    return kept is None or len(lines) < len(kept.lines)


def searched(statement: Statement, steps: int = STEPS) -> tuple[Checked | None, str]:
    """A derivation found anew within so many steps, or the reason why there is none.

    Where processes share what they find (:func:`share`), a sentence is searched by one of them.
    """
    from lapdp.proving.search import derive
    from lapdp.theory.sentences import NotSaid, elaborate

    bank = Bank()
    try:
        sentence = elaborate(statement, bank)
    except NotSaid as problem:
        return None, f"the kernel's language does not say it: {problem}"
    digest = bank.digest(sentence.goal)
    place = _SHARED[0] / f"{digest}-{steps}" if _SHARED else None
    told = None if place is None else _told(place, digest)
    if told is not None:
        return told
    lines, reason = derive(bank, sentence.goal, steps)
    if place is not None:
        with contextlib.suppress(OSError):  # then others search it themselves
            disk.write_whole(place, json.dumps([lines, reason]).encode(), private=True)
    return (None, reason) if lines is None else (accept(lines, digest), "")


def share(folder: Path) -> None:
    """From now on this process tells what its searches find, and what they seek in vain, to others
    that share the folder: many statements of a library say the same sentence.

    Whatever lies there is checked as any derivation is.
    """
    _SHARED[:] = [folder]


def _told(place: Path, digest: str) -> tuple[Checked | None, str] | None:
    """What another search for the same sentence came to; None: there was none yet."""
    try:
        lines, reason = json.loads(place.read_bytes())
        return (None, str(reason)) if lines is None else (accept(lines, digest), "")
    except (OSError, ValueError, TypeError, NotAccepted):
        return None
