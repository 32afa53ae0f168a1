"""The rooms of the code and the arrows between them, read off from the imports.

A room is a package in ``lapdp/``; it may import the rooms before it in :data:`ROOMS`.  Where an
object of an early room offers what a later one computes, a function imports that when it is called:
a facade, declared in :data:`FACADES`.  Sizes are not told: they would change with every change.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from lapdp.report.source import imports, markdown, modules, purpose

ROOMS = ("kernel", "core", "calculus", "balls", "privacy", "numeric", "proving", "theory",
         "accounting", "report", "testing", "commands", "cli")

FACADES = {
    ("privacy", "accounting"): "`m.delta`, `m.epsilon` and the numbers of notions are certified "
                               "there",
    ("privacy", "report"): "notions write themselves down, and notebooks draw them",
    ("calculus", "report"): "notebooks draw regions of convergence",
    ("theory", "report"): "notebooks draw statements",
    ("accounting", "report"): "notebooks draw certified numbers",
    ("testing", "commands"): "statements under pytest end with the exit codes of `lapdp verify`, "
                             "and long checks show the same line of progress",
}
"""Arrows that point the other way, with what they are for; followed only when a function runs."""

Arrow = tuple[str, str]


@cache
def arrows() -> dict[Arrow, Counter[str]]:
    """How often a room imports another, ``"at import"`` and ``"when called"``.

    >>> arrows()["calculus", "core"]["at import"] > 0, ("core", "calculus") in arrows()
    (True, False)
    """
    found: dict[Arrow, Counter[str]] = {}
    for name, path in modules().items():
        for target, late in _imported(path):
            arrow = _room(name), _room(target)
            if arrow[0] and arrow[1] and arrow[0] != arrow[1]:
                found.setdefault(arrow, Counter())["when called" if late else "at import"] += 1
    return found


def _room(module: str) -> str:
    """The room of a module; none for ``lapdp`` itself, which passes names on."""
    room = module.split(".")[1] if "." in module else ""
    return "" if room == "__main__" else room


def _imported(path: Path) -> Iterator[tuple[str, bool]]:
    """What a module imports of lapdp, and whether that waits until a function runs.

    What only a type checker reads is left out: it never runs.
    """
    for node, late, typed in imports(path):
        if typed:
            continue
        if isinstance(node, ast.Import):
            yield from ((a.name, late) for a in node.names if a.name.startswith("lapdp."))
        elif node.module == "lapdp" and not node.level:
            yield from ((f"lapdp.{a.name}", late) for a in node.names if a.name in ROOMS)
        elif node.module and node.module.startswith("lapdp.") and not node.level:
            yield node.module, late


def wrong_ways() -> list[str]:
    """Imports against the order of :data:`ROOMS` that are no declared facade, and idle facades.

    >>> wrong_ways()
    []
    """
    found = []
    for (room, target), counts in arrows().items():
        if unknown := {room, target} - {*ROOMS}:
            found.append(f"{unknown.pop()} has no place among the rooms")
            continue
        if ROOMS.index(target) < ROOMS.index(room):
            continue
        if counts["at import"]:
            found.append(f"{room} imports {target}, which comes after it")
        elif (room, target) not in FACADES:
            found.append(f"{room} calls {target}, which comes after it: no declared facade")
    idle = [f"the facade from {a} to {b} is not used" for a, b in FACADES if (a, b) not in arrows()]
    return found + idle


def drawing() -> str:
    """The rooms as a Mermaid graph: arrows to what is imported, dotted ones for facades.

    An arrow is left out where a way through other rooms leads to the same one.
    """
    forward = {(a, b) for place, a in enumerate(ROOMS) for b in ROOMS[:place] if (a, b) in arrows()}
    lines = [f"    {a} --> {b}" for a, b in sorted(forward, key=_place)
             if not _leads(a, b, forward - {(a, b)})]
    lines += [f"    {a} -.-> {b}" for a, b in FACADES]
    return "\n".join(["```mermaid", "flowchart BT", *lines, "```"])


def _place(arrow: Arrow) -> tuple[int, int]:
    return -ROOMS.index(arrow[0]), -ROOMS.index(arrow[1])


def _leads(start: str, end: str, ways: set[Arrow]) -> bool:
    return any(a == start and (b == end or _leads(b, end, ways)) for a, b in ways)


def rooms_table() -> str:
    """Each room with its purpose and the rooms it imports."""
    known = modules()
    rows = []
    for room in ROOMS:
        says = purpose(known[f"lapdp.{room}"].read_text(encoding="utf-8"))
        uses = [r for r in ROOMS[:ROOMS.index(room)] if (room, r) in arrows()]
        rows.append((f"`{room}`", says, ", ".join(uses)))
    return "\n".join(markdown(("room", "what it holds", "imports"), rows))


def facades_table() -> str:
    """The arrows that point the other way."""
    rows = [(f"`{a}` to `{b}`", why) for (a, b), why in FACADES.items()]
    return "\n".join(markdown(("facade", "what for"), rows))


def packages_table() -> str:
    """The packages inside rooms."""
    known = modules()
    inner = sorted((n for n, path in known.items() if path.name == "__init__.py"
                    and n.count(".") > 1), key=lambda n: (ROOMS.index(_room(n)), n))
    rows = [(f"`{name.removeprefix('lapdp.').replace('.', '/')}`",
             purpose(known[name].read_text(encoding="utf-8"))) for name in inner]
    return "\n".join(markdown(("package", "what it holds"), rows))
