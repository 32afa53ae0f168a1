"""Find statements: in files given, in the shipped library, in other packages, in ``./proofs``.

The ids, not the places of the files, say what there is.  An id of the library is that of the
library: no file in the current folder can stand in for it, nor is any executed to look it up.
Files of ``./proofs`` are executed when they are named, when nothing is, or for an id that the
library does not have and that their text speaks of.
"""

from __future__ import annotations

import difflib
import importlib.util
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from lapdp.core.errors import InputError
from lapdp.core.verdict import Kind, worst
from lapdp.theory.loading import files_of, load, load_file, merge, short, what
from lapdp.theory.outlines import Stated
from lapdp.theory.statement import Statement

Named = TypeVar("Named", bound=Stated)
ENTRY_POINTS = "lapdp.proofs"
MOST = 1000
"""Characters of a target; no name of a file or statement is longer."""
"""Group in which other packages announce a package or a folder of proof files."""

_ID = re.compile(rb"""["']([a-z][\w.]*(?:[-/][\w.-]+)*)["']""")
_BOUNDARY = ("/", ".", "-")
_MEMBER = re.compile(r"((?:eq|figure|footnote|table)-\d+|[a-z]+-\d+\.\d+(?:\.[a-z]+-\d+)?)\.\d+")


def select(statements: Sequence[Statement], target: str) -> list[Statement]:
    """Those with the id, with an id that begins with it, or in the group of that name.

    A prefix ends where a part of the id ends: ``a/eq-2`` takes ``a/eq-2.1`` and not ``a/eq-20``.
    """
    wanted = target.rstrip("/.-")
    heads = tuple(wanted + end for end in _BOUNDARY)

    def begins(name: str) -> bool:
        return name == wanted or name.startswith(heads)

    return [s for s in statements
            if begins(s.id) or (s.group and begins(f"{s.paper}/{s.group}"))]


def announced() -> list[Path]:
    """The folders that other packages announce in the entry points of group ``lapdp.proofs``.

    An entry point names a package, or (``package:name``) a folder or a function that returns one.
    """
    points = sorted(metadata.entry_points(group=ENTRY_POINTS), key=lambda p: (p.name, p.value))
    return [folder for point in points for folder in _folders(point)]


def _folders(point: metadata.EntryPoint) -> list[Path]:
    try:
        if point.attr:
            found = point.load()
            return [Path(found() if callable(found) else found)]
        spec = importlib.util.find_spec(point.module)
    except Exception as problem:
        raise InputError(f"entry point {point.name} = {point.value}: {what(problem)}") from problem
    if spec is None or not spec.submodule_search_locations:
        raise InputError(f"entry point {point.name} = {point.value} is not a package of proofs")
    return [Path(place) for place in spec.submodule_search_locations]


def _shipped() -> Path:
    from lapdp.theory.library import shipped_library

    return Path(shipped_library())


def _names(paper: str, label: str) -> bytes:
    """A pattern of the texts from which a label, or one that begins with it, can be made.

    It stands between quotes as it is, or a part of it up to where a text is composed.

    >>> one = re.compile(_names("p", "eq-13"))
    >>> [bool(one.search(t)) for t in (b"'eq-13'", b"'p/eq-13.2'", b"f'eq-{n}'", b"f'{n}'")]
    [True, True, True, True]
    >>> [bool(one.search(t)) for t in (b"'eq-1'", b"'{x}'")]
    [False, False]
    """
    begun = "|".join(re.escape(label[:k]) for k in range(len(label), 0, -1))
    start = rf"""["'](?:{re.escape(paper)}/)?"""
    return rf"""{start}(?:{re.escape(label)}|(?:{begun})[{{%])|f{start}{{""".encode()


class _Shelf:
    """Proof files of some folders, each executed once, when something of it is asked for."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self.folders = folders
        self._loaded: dict[Path, list[Statement]] = {}

    @cached_property
    def files(self) -> list[Path]:
        """The proof files, unread."""
        return [file for folder in self.folders for file in files_of(folder)]

    def load(self, files: Iterable[Path]) -> list[Statement]:
        """The statements of files of this shelf."""
        wanted = list(files)
        for file in wanted:
            if file not in self._loaded:
                self._loaded[file] = load_file(file)
        return merge(self._loaded[file] for file in wanted)

    @property
    def all(self) -> list[Statement]:
        """Every statement."""
        return self.load(self.files)

    @property
    def loaded(self) -> list[Statement]:
        """Every statement of the files that were executed."""
        return self.load(self._loaded)

    def of_file(self, source: str) -> list[Statement]:
        """The statements of one file, if it was executed."""
        return self._loaded.get(Path(source), [])

    @cached_property
    def spelt(self) -> set[str]:
        """Texts that look like ids or papers; no file is executed, and few of them are ids."""
        found: set[str] = set()
        for file in self.files:
            texts = {word.decode() for word in _ID.findall(file.read_bytes())}
            papers = {text.partition("/")[0] for text in texts if "/" in text}
            found |= papers | {text for text in texts if "/" in text}
            found |= {f"{paper}/{text}" for paper in papers for text in texts if "/" not in text}
        return found

    def about(self, target: str) -> list[Statement]:
        """The statements of the files that may declare a target: of those that name it, where one
        of them does, else of all that speak of its paper."""
        files = self.speaking_of(target)
        paper, _, label = target.rstrip("/.-").partition("/")
        if label:
            naming = re.compile(_names(paper, label))
            found = self.load(file for file in files if naming.search(file.read_bytes()))
            if select(found, target):
                return found
            # files of others may make their labels in any way
            files = [file for file in files if not file.is_relative_to(_shipped().resolve())]
        return self.load(files)

    def speaking_of(self, target: str) -> list[Path]:
        """The files whose text has the beginning of a target as a word; none is executed."""
        head = re.escape(target.rstrip("/.-").partition("/")[0].encode())
        word = re.compile(rb"""["']""" + head + rb"""["'/.-]""")
        return [file for file in self.files if word.search(file.read_bytes())]


class Catalogue:
    """All statements in reach: those of paths given, of the library, and of ``./proofs``.

    The library is the shipped one and what other packages announce.
    """

    def __init__(self, here: str | Path = ".", library: str | Path | None = None) -> None:
        self.here, self._library = Path(here), library
        self.given: dict[str, list[Statement]] = {}

    @cached_property
    def local(self) -> _Shelf:
        """The files of ``./proofs``, if there is such a folder and it is not the library."""
        folder = self.here / "proofs"
        known = {place.resolve() for place in self.library.folders}
        return _Shelf([folder] if folder.is_dir() and folder.resolve() not in known else [])

    @cached_property
    def library(self) -> _Shelf:
        """The shipped library and the files of other packages."""
        first = Path(self._library) if self._library is not None else _shipped()
        return _Shelf(list({folder.resolve(): None for folder in (first, *announced())}))

    def has_nothing_beside(self) -> bool:
        """Is the shipped library all there is, and unread?"""
        return not self.local.files and self.library.folders == [_shipped().resolve()]

    def unread(self) -> list[Path]:
        """The files of the shipped library where it is all there is, else none: nobody else's
        statements depend on the order in which they are executed, or on who executes them."""
        return self.library.files if self.has_nothing_beside() else []

    def is_shipped(self, statement: Stated) -> bool:
        """Is it of the library?  All others may say anything under any id."""
        source = Path(statement.source)
        return any(source.is_relative_to(folder) for folder in self.library.folders)

    def shelves(self, target: str) -> Iterator[list[Statement]]:
        """Where an id is looked up, in turn."""
        yield from self.given.values()
        yield self.library.about(target)
        yield self.local.about(target)

    def find(self, statement_id: str, beside: Statement | None = None) -> Statement | None:
        """The statement with this id, or None; one ``beside`` another in its file comes first."""
        if beside is not None and beside.source:
            known = (*self.given.values(), *(
                shelf.of_file(beside.source) for shelf in (self.library, self.local)))
            for s in (s for shelf in known for s in shelf):
                if s.id == statement_id and s.source == beside.source:
                    return s
        found = (s for shelf in self.shelves(statement_id) for s in shelf)
        return next((s for s in found if s.id == statement_id), None)

    def select(self, targets: Sequence[str] = ()) -> list[Statement]:
        """The statements that the targets name, in library order; see :func:`discover`."""
        for target in targets:
            self._open(target)
        if not targets:
            chosen = [self._everything()]
        else:
            chosen = [self._named(target) for target in targets]
        selected = merge(chosen)
        if not selected:
            raise InputError("there are no statements here: give a proof file or an id")
        require_repairs(selected, lambda name, beside: self.find(name, beside) is not None)
        return selected

    def _everything(self) -> list[Statement]:
        """What no target means: ``./proofs`` if there is one, else the library."""
        folder = self.here / "proofs"
        own = folder.is_dir() and not self.local.folders
        return self.library.load(f for f in self.library.files if f.is_relative_to(
            folder.resolve())) if own else self.local.all or self.library.all

    def _open(self, target: str) -> None:
        place = self._place(target)
        if place is not None and str(place) not in self.given:
            self.given[str(place)] = load(place)

    def _place(self, target: str) -> Path | None:
        if len(target) > MOST:  # no file system has such names
            return None
        path = self.here / target.partition("::")[0]
        if path.is_file() and path.suffix == ".py":
            return path
        if path.is_dir() and files_of(path):
            return path
        if target.partition("::")[0].endswith(".py"):
            raise InputError(f"there is no file {target.partition('::')[0]}")
        return None

    def _named(self, target: str) -> list[Statement]:
        place = self._place(target)
        if place is None:
            found = (select(shelf, target) for shelf in self.shelves(target))
            return next((f for f in found if f), None) or self._unknown(target, [
                *self.given.values(), self.library.loaded, self.local.loaded])
        shelf, label = self.given[str(place)], target.partition("::")[2]
        if not shelf:
            raise InputError(f"{target} declares no statements: open a theorem and claim something")
        if not label:
            return shelf
        papers = dict.fromkeys(s.paper for s in shelf)
        inside = select(shelf, label) or [s for p in papers for s in select(shelf, f"{p}/{label}")]
        return inside or self._unknown(label, [shelf])

    def _unknown(self, target: str, shelves: Iterable[list[Statement]]) -> NoReturn:
        names = {n for shelf in shelves for s in shelf for n in (s.id, s.paper) if n}
        if not target:
            raise InputError("a target is empty: give an id, a .py file or a folder of such files")
        path = Path(target) if len(target) <= MOST else None
        if path is not None and path.exists():
            kind = "a folder without proof files" if path.is_dir() else "no proof file"
            raise InputError(f"{target} is {kind}: give an id, a .py file or a folder of such "
                             "files")
        near = self.near(target, names)
        hint = f"; did you mean {', '.join(near)}?" if near else "; see lapdp list"
        shown = target if len(target) <= MOST else f"{target[:40]}..."
        raise InputError(f"no statement {shown!r}{hint}")

    def near(self, target: str, known: Iterable[str] = ()) -> list[str]:
        """What a target may have meant: itself as a label of a paper, else what is spelt like it;
        of what only stands in a text, what is declared."""
        names = {*known, *self.library.spelt}
        meant = {n[:n.index("/") + 1 + len(target)] for n in names
                 if f"{n.partition('/')[2]}.".startswith(f"{target}.")}
        return [n for n in sorted(meant)[:3] or spelt_like(target, names)
                if any(select(shelf, n) for shelf in self.shelves(n))]


def require_repairs(statements: Iterable[Named], is_there: Callable[[str, Named], bool]) -> None:
    """Raise :class:`InputError` for a statement that names a repair, or what it repairs, that is
    not there."""
    for statement in statements:
        for field in ("repaired_by", "repairs"):
            other = getattr(statement, field)
            if other is not None and not is_there(other, statement):
                raise InputError(
                    f"{statement.id}: {field} names {other!r}, and there is no such statement"
                )


def spelt_like(name: str, known: Iterable[str]) -> list[str]:
    """At most three known ids, papers or labels that are spelt like a name.

    >>> spelt_like("paper/eq-999", ["paper/eq-9", "eq-9", "dominance.one-point"])
    ['paper/eq-9']
    >>> spelt_like("mine/none", ["paper/eq-9", "eq-9", "dominance.one-point"])
    []
    """
    return difflib.get_close_matches(name[:MOST], sorted(known), n=3, cutoff=0.6)


def discover(targets: Sequence[str] = (), here: str | Path = ".") -> list[Statement]:
    """The statements that the targets name, in library order, each once.

    A target is a path (file or folder), a path with a label (``proofs/my.py::eq-1``), an id, the
    beginning of ids (``chourasia2024``, ``chourasia2024/eq-20``) or a group
    (``chourasia2024/theorem-3.2``).  Without targets: ``./proofs`` if there is one, else the
    library.  Ids are looked up in the paths given, then in the library, then in ``./proofs``.

    Raises :class:`InputError` for an unknown target (it names the closest ids), a broken proof
    file, an id declared twice, a repair that does not exist.
    """
    return Catalogue(here).select(targets)


def not_of_the_library(statements: Sequence[Stated], catalogue: Catalogue) -> list[str]:
    """The files that statements come from where that is not the library, as the user types them."""
    return sorted({short(Path(s.source)) for s in statements if not catalogue.is_shipped(s)})


def aggregate_of(statement: Stated) -> str | None:
    """The id under which a member of a composite line is also reported; repairs have none.

    >>> from lapdp.theory.language import Eq
    >>> aggregate_of(Statement("a/eq-13.1", Eq(1, 1)))
    'a/eq-13'
    >>> aggregate_of(Statement("a/theorem-3.2", Eq(1, 1))) is None
    True
    """
    member = _MEMBER.fullmatch(statement.label)
    if member is None or statement.repairs is not None:
        return None
    return f"{statement.paper}/{member[1]}" if statement.paper else member[1]


def aggregates(statements: Sequence[Stated], verdicts: dict[str, str]) -> dict[str, dict[str, Any]]:
    """Composite lines with their members and the verdict of the worst of them."""
    names = [aggregate_of(s) for s in statements]
    members: dict[str | None, list[str]] = {name: [] for name in names if name is not None}
    for statement in statements:
        for name in (statement.id, aggregate_of(statement)):
            if name in members:
                members[name].append(statement.id)
    return {
        str(name): {"verdict": str(worst([Kind(verdicts[i]) for i in ids])), "members": ids}
        for name, ids in members.items()
    }
