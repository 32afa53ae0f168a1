"""What a paper prints: the fixed list of its items, and which statement speaks of which.

The list lies beside the proof files as ``items.json``, in order of appearance: every numbered
equation (each relation of a composite line is a member, ``eq-47.1``), definition, remark, theorem,
lemma, corollary, footnote, figure, table, unnumbered displayed line of a proof, and checkable claim
made in prose.  It says nothing of verdicts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from lapdp.core.errors import InputError
from lapdp.theory.fidelity import fidelity_of
from lapdp.theory.statement import KINDS, Statement

LABEL = re.compile(r"[a-z]+(-[A-Z]?\d*(\.\d+)*)?(\.[a-z]+(-\d+)?)*")
"""The shape of an id: ``eq-47.1``, ``lemma-A.1``, ``section-3.claim-2``, ``abstract.claim-1``."""

NUMBERED = re.compile(
    r"eq-\d+|(definition|remark|theorem|lemma|corollary|table|proposition)-(A|\d+)(\.\d+)?"
    r"(\.restated)?")
"""Items that hold everything said of their equations: a member or a claim in prose does not."""


@dataclass(frozen=True)
class Item:
    """Something that the paper prints; ``reason`` says why it cannot be checked, if it cannot.

    >>> item = Item("eq-7.1", "claim", (7,), "Section 2.1", "a = b", True)
    >>> item.number_rule, Item("eq-7", "claim", (7,), "Section 2.1", "a = b", True).number_rule
    (False, True)
    """

    id: str
    kind: str
    equations: tuple[int, ...]
    where: str
    printed: str
    checkable: bool
    reason: str = ""

    def __post_init__(self) -> None:
        for name in ("id", "kind", "where", "printed", "reason"):
            if not isinstance(getattr(self, name), str):
                raise InputError(f"item {self.id!r}: {name} must be text")
        if not LABEL.fullmatch(self.id):
            raise InputError(f"item {self.id!r}: not an id such as eq-47.1 or section-3.claim-2")
        if self.kind not in KINDS:
            raise InputError(f"item {self.id}: kind must be one of {', '.join(KINDS)}")
        if not all(type(n) is int and n > 0 for n in self.equations):
            raise InputError(f"item {self.id}: equations must be positive whole numbers")
        if not self.where or not self.printed:
            raise InputError(f"item {self.id}: where and printed must not be empty")
        if type(self.checkable) is not bool:
            raise InputError(f"item {self.id}: checkable must be true or false")
        if self.checkable == bool(self.reason):
            raise InputError(f"item {self.id}: a reason belongs to what is not checkable, only")

    @property
    def number_rule(self) -> bool:
        """Whether statements belong to this item by the number of an equation."""
        return NUMBERED.fullmatch(self.id) is not None

    def holds(self, statement: Statement) -> bool:
        """Whether a statement belongs to this item: by its label, or by an equation number.

        >>> from lapdp.theory.language import Eq
        >>> item = Item("eq-7", "claim", (7,), "Section 2.1", "a = b", True)
        >>> item.holds(Statement("p/eq-7.2", Eq(1, 1))), item.holds(Statement("p/eq-70", Eq(1, 1)))
        (True, False)
        >>> item.holds(Statement("p/remark-1", Eq(1, 1), equations=(6, 7)))
        True
        """
        if statement.label == self.id or statement.label.startswith(self.id + "."):
            return True
        return self.number_rule and not set(self.equations).isdisjoint(statement.equations)


REQUIRED = {f.name for f in fields(Item)} - {"reason"}


def load_items(path: str | Path) -> list[Item]:
    """The items of an ``items.json``, validated; every error is one :class:`InputError`."""
    file = Path(path)
    try:
        entries = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise InputError(f"{file.name}: {problem}") from problem
    if not isinstance(entries, list):
        raise InputError(f"{file.name}: must hold a list of items")
    items = [_item(entry, place) for place, entry in enumerate(entries, 1)]
    validate(items)
    return items


def _item(entry: Any, place: int) -> Item:
    if not isinstance(entry, dict):
        raise InputError(f"item {place}: must be an object")
    name = entry.get("id", place)
    missing, unknown = REQUIRED - entry.keys(), entry.keys() - REQUIRED - {"reason"}
    if missing or unknown:
        said = [f"{what} {', '.join(sorted(keys))}"
                for what, keys in (("lacks", missing), ("has unknown", unknown)) if keys]
        raise InputError(f"item {name!r}: {' and '.join(said)}")
    if not isinstance(entry["equations"], list):
        raise InputError(f"item {name!r}: equations must be a list of numbers")
    return Item(**{**entry, "equations": tuple(entry["equations"])})


def validate(items: Sequence[Item]) -> None:
    """Ids are unique; equation numbers run from 1 without a hole, in order, each an item ``eq-N``.

    >>> validate([Item("eq-2", "claim", (2,), "Section 1", "a = b", True)])
    Traceback (most recent call last):
    lapdp.core.errors.InputError: equation 1 is missing
    """
    ids = [i.id for i in items]
    for i in ids:
        if ids.count(i) > 1:
            raise InputError(f"item {i} is listed twice")
    for item in items:
        head = re.match(r"eq-(\d+)", item.id)
        if head and item.equations != (int(head[1]),):
            raise InputError(f"item {item.id}: its equations must be [{head[1]}]")
    numbers = [i.equations[0] for i in items if re.fullmatch(r"eq-\d+", i.id)]
    for expected, number in enumerate(numbers, 1):
        if number > expected:
            raise InputError(f"equation {expected} is missing")
        if number < expected:
            raise InputError(f"equation {number} is out of order")
    beyond = {n for i in items for n in i.equations} - set(numbers)
    if beyond:
        raise InputError(f"equation {min(beyond)} has no item of its own")


def statements_of(item: Item, statements: Iterable[Statement]) -> list[Statement]:
    """The statements that belong to an item, in the order given; repairs are left out."""
    return [s for s in statements if s.repairs is None and item.holds(s)]


def homeless(items: Iterable[Item], statements: Iterable[Statement]) -> list[Statement]:
    """Statements, repairs left out, that belong to no item."""
    listed = list(items)
    return [s for s in statements if s.repairs is None and not any(i.holds(s) for i in listed)]


def covering(item: Item, statements: Iterable[Statement]) -> list[Statement]:
    """The statements that say what an item prints: in its generality, or one of all its readings.

    >>> from lapdp.theory.language import Eq
    >>> item = Item("eq-7", "claim", (7,), "Section 2.1", "a = b", True)
    >>> one = Statement("p/eq-7.1", Eq(1, 1), printed="a = b", fidelity="instance", note="a = 1")
    >>> covering(item, [one])
    []
    """
    known = statements_of(item, statements)
    labels = {s.label for s in known}
    return [s for s in known if fidelity_of(s) == "printed" or (
        s.readings and all(label in labels for one in s.readings for label in one))]


def uncovered(items: Iterable[Item], statements: Iterable[Statement]) -> list[Item]:
    """Checkable items that no statement says as they are printed."""
    known = list(statements)
    return [i for i in items if i.checkable and not covering(i, known)]


def at_instances(items: Iterable[Item], statements: Iterable[Statement]) -> list[Item]:
    """Checkable items that are said only at some of the values that they are printed for."""
    known = list(statements)
    return [i for i in uncovered(items, known)
            if any(fidelity_of(s) == "instance" for s in statements_of(i, known))]


def owner_of(statement: Statement, items: Iterable[Item], by_id: Mapping[str, Statement]
             ) -> Item | None:
    """The item under which a ledger lists a statement: the most specific one that holds it.

    A repair stands with what it repairs; ``by_id`` finds that.

    >>> from lapdp.theory.language import Eq
    >>> items = [Item(name, "claim", (7,), "Section 2", "a = b", True)
    ...          for name in ("eq-7", "eq-7.1")]
    >>> owner_of(Statement("p/eq-7.1", Eq(1, 1)), items, {}).id
    'eq-7.1'
    """
    while statement.repairs is not None and statement.repairs in by_id:
        statement = by_id[statement.repairs]
    holding = [i for i in items if i.holds(statement)]
    named = [i for i in holding if statement.label.startswith(i.id)]
    return max(named, key=lambda i: len(i.id)) if named else next(iter(holding), None)
