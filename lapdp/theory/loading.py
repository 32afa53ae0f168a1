"""Load proof files: trusted Python, executed under a private name while a collector listens."""

from __future__ import annotations

import hashlib
import re
import sys
import traceback
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from lapdp.core.errors import InputError, LapdpError
from lapdp.core.verdict import Kind
from lapdp.theory.outlines import Stated
from lapdp.theory.statement import Statement, collecting
from lapdp.theory.untouched import untouched

Kept = TypeVar("Kept")
Named = TypeVar("Named", bound=Stated)


def load_file(path: str | Path) -> list[Statement]:
    """The statements that one proof file declares, in the order of the file.

    The file may import modules that lie beside it.  ``sys.path`` is as before afterwards, and so
    are the names of lapdp.  Whatever goes wrong in the file becomes one :class:`InputError` that
    names file and line.
    """
    file = Path(path).resolve()
    path_before, modules_before = list(sys.path), set(sys.modules)
    name = "_lapdp_proofs_" + hashlib.sha256(str(file).encode()).hexdigest()[:16]
    module = ModuleType(name)
    module.__file__ = str(file)
    sys.modules[name] = module
    sys.path.append(str(file.parent))
    try:
        with untouched(), collecting(str(file)) as collector:
            # compiled from the source each time: a cached .pyc may be stale within one second
            code = compile(file.read_bytes(), str(file), "exec", dont_inherit=True)
            exec(code, module.__dict__)
    except (Exception, SystemExit) as problem:
        line = _line_of(problem, str(file))
        raise InputError(f"{short(file)}{line}: {what(problem)}") from problem
    finally:
        sys.path[:] = path_before
        _forget_helpers(modules_before, file.parent)
    for statement in collector.statements.values():
        _check_record(statement, file)
    return list(collector.statements.values())


def still_stated(kept: Mapping[str, Kept], source: str) -> dict[str, Kept]:
    """What is kept by the ids of statements, without those that the proof file no longer has."""
    ids = {statement.id for statement in load_file(source)}
    return {name: what for name, what in kept.items() if name in ids}


def _forget_helpers(before: set[str], folder: Path) -> None:
    """Drop what was imported from ``folder``: the next paper may have helpers of the same name."""
    for name in set(sys.modules) - before:
        place = getattr(sys.modules[name], "__file__", None)
        own = name.startswith("_lapdp_proofs_")
        if place is not None and not own and "." not in name and Path(place).parent == folder:
            del sys.modules[name]


def what(problem: BaseException) -> str:
    """One line for an exception: its type, unless it is already worded for the user."""
    first = problem.msg if isinstance(problem, SyntaxError) else str(problem)
    first = (first.strip().splitlines() or [""])[0]
    return first if isinstance(problem, LapdpError) else f"{type(problem).__name__}: {first}"


def _line_of(problem: BaseException, file: str) -> str:
    if isinstance(problem, SyntaxError) and problem.filename == file:
        return f":{problem.lineno}"
    lines = [f.lineno for f in traceback.extract_tb(problem.__traceback__) if f.filename == file]
    return f":{lines[-1]}" if lines else ""


def short(file: Path) -> str:
    """A path as the user would type it."""
    here = Path.cwd()
    return str(file.relative_to(here) if file.is_relative_to(here) else file)


def _check_record(statement: Statement, file: Path) -> None:
    if statement.expected is not None and statement.expected not in {k.value for k in Kind}:
        raise InputError(
            f"{short(file)}: {statement.id}: expected must be one of "
            + ", ".join(k.value for k in Kind)
        )


def files_of(path: str | Path) -> list[Path]:
    """The proof files at a path: the file itself, or all of a folder, sorted.

    Names that start with ``_`` or ``.`` are no proof files.
    """
    root = Path(path)
    if root.is_file():
        return [root]
    found = (p for p in root.rglob("*.py") if p.is_file())
    return sorted(p for p in found if not _hidden(p.relative_to(root)))


def _hidden(path: Path) -> bool:
    return any(part.startswith(("_", ".")) for part in path.parts)


def load(path: str | Path) -> list[Statement]:
    """The statements of a file or folder in library order; their ids are unique."""
    return merge(load_file(file) for file in files_of(path))


def merge(groups: Iterable[Sequence[Named]]) -> list[Named]:
    """All statements in library order, each file's once; an id of two files is an error."""
    seen: dict[str, Named] = {}
    for group in groups:
        for statement in group:
            other = seen.setdefault(statement.id, statement)
            if other.source != statement.source:
                places = sorted({short(Path(s.source)) for s in (other, statement)})
                raise InputError(f"{statement.id} is declared in {' and in '.join(places)}")
    return sorted(seen.values(), key=order_key)


def order_key(statement: Stated) -> tuple[Any, ...]:
    """Library order: by paper, by equation number (those without come last), then by label.

    >>> from lapdp.theory.language import Eq
    >>> ids = ["b/eq-1", "a/eq-10", "a/remark-4.3", "a/eq-9.10", "a/eq-9.2"]
    >>> made = [Statement(i, Eq(1, 1), equations=(9,) if "eq-9" in i else ()) for i in ids]
    >>> [s.id for s in sorted(made, key=order_key)]
    ['a/eq-9.2', 'a/eq-9.10', 'a/eq-10', 'a/remark-4.3', 'b/eq-1']
    """
    first = statement.equations[0] if statement.equations else sys.maxsize
    return (statement.paper, first, _natural(statement.label))


def _natural(label: str) -> tuple[tuple[int, int, str], ...]:
    parts = (p for p in re.split(r"(\d+)", label) if p)
    return tuple((0, int(p), "") if p.isdigit() else (1, 0, p) for p in parts)
