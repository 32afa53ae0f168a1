"""Tables for readers of the source: the code a proof rests on, its facts, the library's contents.

``python -m lapdp.report.trust`` in a checkout rewrites the marked blocks of all its documents; a
test fails when they no longer say what the code says.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from lapdp import privacy
from lapdp.core.errors import InputError
from lapdp.core.verdict import HOLDS, Kind
from lapdp.privacy import mechanisms
from lapdp.report import architecture
from lapdp.report.findings import findings, weighed
from lapdp.report.items import at_instances, load_items, uncovered
from lapdp.report.json_report import write_text
from lapdp.report.source import code_lines, imports, markdown, modules, purpose
from lapdp.report.trusted import BESIDE, PARTS
from lapdp.theory.derivations import is_kept
from lapdp.theory.fidelity import FINDINGS, fidelity_of, severity_of
from lapdp.theory.library import shipped_library
from lapdp.theory.loading import load
from lapdp.theory.methods import registry
from lapdp.theory.statement import KINDS, Statement

START = "lapdp.theory.engine"
COMMAND = "python -m lapdp.report.trust"
DOCUMENTS = ("README.md", "TRUST.md", "proofs/README.md", "docs/*.md", "notebooks/*.md")
"""Patterns of the documents in a checkout that hold generated tables, or may."""
_BLOCK = re.compile(r"(<!-- generated: ([a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


@cache
def reached(start: str = START) -> frozenset[str]:
    """The modules that ``start`` imports, directly or not, now or when a function runs.

    Packages run when a module of theirs is imported.  The registry of methods names its modules in
    text, and so does the catalogue; the package of mechanisms takes every file.

    >>> "lapdp.core.verdict" in reached(), "lapdp.cli" in reached()
    (True, False)
    """
    known, found, waiting = modules(), set[str](), [start]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(_imports(known, known[name]))
            if name == registry.__name__:
                waiting.extend(f"lapdp.theory.methods.{m.module}" for m in registry.METHODS)
            if name == mechanisms.__name__:
                waiting.extend(f"{name}.{found}" for found in mechanisms.CARDS)
            if name == privacy.__name__:
                waiting.extend(privacy.OPERATIONS.values())
    return frozenset(found)


def _imports(known: dict[str, Path], path: Path) -> set[str]:
    found: set[str] = set()
    for node, *_ in imports(path):
        if isinstance(node, ast.Import):
            found |= {a.name for a in node.names}
        elif node.module:
            found |= {node.module, *(f"{node.module}.{a.name}" for a in node.names)}
    packages = {name.rsplit(".", depth)[0] for name in found for depth in range(1, name.count("."))}
    return (found | packages) & set(known)


def trusted() -> list[str]:
    """The modules that ``proved`` and ``derived`` rest on, in reading order."""
    return [name for _, entries in PARTS for name in entries]


def unaccounted() -> set[str]:
    """Modules that the engine reaches and that are declared neither trusted nor beside the path.

    The ``__init__`` of a package only passes names on.
    """
    listed, known = set(trusted()), modules()
    return {name for name in reached() if name not in listed and not any(
        name == b or name.startswith(b + ".") for b in BESIDE)
        and known[name].name != "__init__.py"}


def trust_table() -> str:
    """The trusted modules with their sizes, in reading order, one table a part."""
    known, out, totals = modules(), list[str](), list[tuple[str, int]]()
    for title, entries in PARTS:
        rows = []
        for name, watch in entries.items():
            source = known[name].read_text(encoding="utf-8")
            short = name.removeprefix("lapdp.").replace(".", "/")
            rows.append((short, code_lines(source), purpose(source), watch))
        totals.append((title, sum(size for _, size, _, _ in rows)))
        out += [f"### {title}: {totals[-1][1]} lines", "",
                *markdown(("module", "lines", "what it does", "what could go wrong there"), rows),
                ""]
    whole = sum(size for _, size in totals)
    return "\n".join([*out, f"All parts together: {whole} lines."])


def beside_table() -> str:
    """What the engine imports without trusting it, and why that is so."""
    rows = [(name.removeprefix("lapdp.").replace(".", "/"), why) for name, why in BESIDE.items()]
    return "\n".join(markdown(("module or room", "why no proof rests on it"), rows))


def facts_table() -> str:
    """The named facts of analysis."""
    from lapdp.core.facts import ALL_FACTS

    rows = [(f.name, f.says, f.source) for f in ALL_FACTS]
    return "\n".join(markdown(("fact", "says", "proved in"), rows))


def library_table() -> str:
    """What the library holds of each paper: statements a part, findings, repairs; laws."""
    statements = load(shipped_library())
    out: list[str] = []
    for paper in dict.fromkeys(s.paper for s in statements):
        mine = [s for s in statements if s.paper == paper]
        kinds = Counter(s.kind for s in mine)
        said = ", ".join(f"{kinds[k]} {k}{'s' if kinds[k] > 1 else ''}" for k in KINDS if kinds[k])
        out += [f"`{paper}`: {len(mine)} statements ({said}).", "", *_parts_of(mine), ""]
    return "\n".join(out).rstrip()


def totals_table() -> str:
    """What is found of each paper, and how much of it is said as printed, one line a paper.

    ``proved`` has a kept derivation that the kernel accepts, here and now.  What else holds on
    record is ``derived``.  Findings are counted, not the lines that repeat them.  The tests of the
    library refuse a verdict that is not the one on record.
    """
    statements = load(shipped_library())
    rows = []
    for paper in dict.fromkeys(s.paper for s in statements):
        listed = shipped_library() / paper / "items.json"
        items = load_items(listed) if listed.exists() else []
        mine = [s for s in statements if s.paper == paper]
        checkable = sum(i.checkable for i in items)
        held = Counter(verdict_of(s) for s in mine)
        found = Counter(f.severity for f in findings(list(map(_row, mine))))
        counts = ([found[name] for name in FINDINGS] + [found["misprint"]] if items
                  else [""] * (len(FINDINGS) + 1))
        rows.append((f"`{paper}`", checkable or "",
                     checkable - len(uncovered(items, mine)) if items else "",
                     len(at_instances(items, mine)) if items else "",
                     held["proved"], held["derived"], held["admitted"] + held["undecided"],
                     *counts))
    head = ("", "checkable items", "said as printed", "at instances", "proved", "derived", "open",
            "wrong results", "missing hypotheses", "wrong steps", "misprints")
    return "\n".join(markdown(head, rows))


def _row(statement: Statement) -> dict[str, Any]:
    """What findings are counted by, with the verdict on record."""
    return {"id": statement.id, "verdict": statement.expected or "", "repairs": statement.repairs,
            "fidelity": fidelity_of(statement), "severity": severity_of(statement),
            "root": statement.root}


def verdict_of(statement: Statement) -> str:
    """The verdict on record; what holds is ``proved`` only where a derivation is kept (a test of
    the library has the kernel read each of them).

    >>> from lapdp.theory import Eq
    >>> verdict_of(Statement("paper/eq-1", Eq(1, 1)))
    'derived'
    """
    recorded = statement.expected or str(Kind.PROVED)
    if recorded not in map(str, HOLDS):
        return recorded
    return str(Kind.PROVED if is_kept(statement) else Kind.DERIVED)


def mechanisms_table() -> str:
    """The catalogue of mechanisms, from their cards."""
    rows = [(f"`{card.call}`", card.says, card.source) for card in mechanisms.CARDS.values()]
    return "\n".join(markdown(("call", "pair", "source"), rows))


def _parts_of(statements: Sequence[Statement]) -> list[str]:
    if all(s.kind == "law" for s in statements):
        return _shelf_of(statements)
    rows = []
    known = findings(list(map(_row, statements)))
    inherited = {c["id"] for f in known for c in f.consequences}
    for group in dict.fromkeys(s.group for s in statements):
        mine = [s for s in statements if s.group == group]
        ids = {s.id for s in mine}
        printed = sum(fidelity_of(s) != "own" for s in mine)
        found = [f for f in known if f.result["id"] in ids]
        rows.append((f"{group}: {mine[0].title}" if mine[0].title else group, printed,
                     weighed(found), len(ids & inherited) or "",
                     sum(s.repairs is not None for s in mine)))
    return markdown(("part", "of the paper", "findings", "inherited", "repairs"), rows)


def _shelf_of(statements: Sequence[Statement]) -> list[str]:
    """The parts of a shelf that quotes no paper: its laws, and the would-be laws that fail."""
    rows = []
    for group in dict.fromkeys(s.group for s in statements):
        mine = [s for s in statements if s.group == group]
        failing = sum(s.expected == "refuted" for s in mine)
        rows.append((f"{group}: {mine[0].title}", len(mine) - failing, failing))
    return markdown(("part", "laws", "no laws, refuted"), rows)


BLOCKS: dict[str, Callable[[], str]] = {
    "trusted-modules": trust_table,
    "modules-beside": beside_table,
    "facts": facts_table,
    "library": library_table,
    "totals": totals_table,
    "mechanisms": mechanisms_table,
    "drawing": architecture.drawing,
    "rooms": architecture.rooms_table,
    "facades": architecture.facades_table,
    "packages": architecture.packages_table,
}


def filled(text: str) -> str:
    """``text`` with every marked block written anew.

    >>> filled("<!-- generated: nothing -->\\n<!-- end -->")
    Traceback (most recent call last):
    lapdp.core.errors.InputError: no table is called nothing
    """
    def block(found: re.Match[str]) -> str:
        if found[2] not in BLOCKS:
            raise InputError(f"no table is called {found[2]}")
        return f"{found[1]}\n{BLOCKS[found[2]]()}\n\n{found[3]}"

    return _BLOCK.sub(block, text)


def documents(folder: Path) -> list[Path]:
    """The documents in a checkout, those that have generated tables and those that have none."""
    return [path for pattern in DOCUMENTS for path in sorted(folder.glob(pattern))]


def main(folder: str = ".") -> int:
    """Rewrite the documents in ``folder``; 0."""
    for path in documents(Path(folder)):
        before = path.read_text(encoding="utf-8")
        after = filled(before)
        if after != before:
            write_text(path, after)
            print(f"wrote {path}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
