"""The ledger of a paper: every printed item with verdict, scope, method and facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lapdp.core.verdict import Kind
from lapdp.report.findings import counted, findings
from lapdp.report.items import Item
from lapdp.report.text import is_recorded

Result = Mapping[str, Any]
OPEN = ("undecided", "admitted")
COLUMNS = ("item", "statement", "verdict", "holds under", "method", "facts")


def markdown(paper: str, report: Mapping[str, Any], items: Sequence[Item] = (),
             owner: Mapping[str, str] | None = None) -> str:
    """The page as Markdown; ``items`` is the paper's list of printed items, in printed order, and
    ``owner`` says to which of them each statement belongs.

    >>> page = markdown("p", {"statements": [], "versions": {}, "seed": 0, "digits": 30,
    ...                       "lapdp": "1"})
    >>> page.splitlines()[0]
    '# Ledger of p'
    """
    results: Sequence[Result] = report["statements"]
    lines = [f"# Ledger of {paper}", "", *totals(results), ""]
    if items:
        lines += [*_by_item(results, items, owner or {}), *_not_checkable(items)]
    else:
        lines += ["## Statements", "", *_head(), *(_row("", r) for r in results), ""]
    lines += [*_admitted(results), *_made_with(report)]
    return "\n".join(lines) + "\n"


def holes(results: Sequence[Result], last: int) -> list[int]:
    """The equation numbers from 1 to ``last`` to which no statement belongs.

    >>> holes([{"equations": [1, 3]}], 3)
    [2]
    """
    found = {n for r in results for n in r["equations"]}
    return [n for n in range(1, last + 1) if n not in found]


def open_share(results: Sequence[Result]) -> tuple[int, int]:
    """Undecided and admitted among the printed claims and steps: (how many, of how many).

    >>> rows = [{"kind": "step", "repairs": None, "verdict": "proved"},
    ...         {"kind": "claim", "repairs": None, "verdict": "undecided"},
    ...         {"kind": "definition", "repairs": None, "verdict": "undecided"}]
    >>> open_share(rows)
    (1, 2)
    """
    printed = [r for r in results if not r["repairs"] and r["kind"] not in ("definition", "law")]
    return sum(r["verdict"] in OPEN for r in printed), len(printed)


def totals(results: Sequence[Result]) -> Iterator[str]:
    """How many statements of each sort have which verdict, what is open, which equations have none.

    >>> rows = [{"kind": "claim", "repairs": None, "verdict": "refuted", "equations": [1],
    ...          "fidelity": "printed", "severity": "result", "id": "p/eq-1", "root": None},
    ...         {"kind": "claim", "repairs": "p/eq-1", "verdict": "proved", "equations": [1],
    ...          "fidelity": "own", "severity": None, "id": "p/eq-1.repaired", "root": None}]
    >>> print(*list(totals(rows))[:4], sep="\\n")
    | statements | all | proved | refuted |
    |---|---|---|---|
    | printed | 1 | 0 | 1 |
    | repairs | 1 | 1 | 0 |
    """
    groups = {
        "printed": [r for r in results if not r["repairs"] and r["kind"] != "law"],
        "repairs": [r for r in results if r["repairs"]],
        "laws": [r for r in results if not r["repairs"] and r["kind"] == "law"],
    }
    kinds = [k for k in Kind if any(r["verdict"] == str(k) for r in results)]
    yield "| statements | all | " + " | ".join(map(str, kinds)) + " |"
    yield "|---|---|" + "---|" * len(kinds)
    for name, members in groups.items():
        if not members:
            continue
        counts = Counter(r["verdict"] for r in members)
        cells = " | ".join(str(counts[str(k)]) for k in kinds)
        yield f"| {name} | {len(members)} | {cells} |"
    if any(r["fidelity"] != "own" for r in results):
        yield ""
        yield counted(findings(results))
    undecided, printed = open_share(results)
    if printed:
        yield ""
        yield (f"Undecided or admitted among the {printed} printed claims and steps: {undecided}.")
    numbers = {n for r in results for n in r["equations"]}
    if numbers:
        missing = holes(results, max(numbers))
        yield (f"Equations 1 to {max(numbers)}: "
               + (f"without a statement {', '.join(map(str, missing))}." if missing
                  else "each has a statement."))


def _by_item(results: Sequence[Result], items: Sequence[Item], owner: Mapping[str, str]
             ) -> Iterator[str]:
    by_item: dict[str, list[Result]] = {item.id: [] for item in items}
    rest: list[Result] = []
    for result in results:
        by_item.get(owner.get(result["id"], ""), rest).append(result)
    yield "## By item, in the order of the paper"
    yield ""
    yield from _head()
    for item in items:
        rows = by_item[item.id]
        for number, result in enumerate(rows):
            yield _row(item.id if number == 0 else "", result)
        if not rows and item.checkable and not any(
                other.startswith(item.id + ".") for other, found in by_item.items() if found):
            yield f"| {item.id} | no statement |  |  |  |  |  |"
    yield ""
    if rest:
        yield "## Laws and lemmas beside the paper"
        yield ""
        yield from _head()
        yield from (_row("", r) for r in rest)
        yield ""


def _head() -> Iterator[str]:
    yield "| " + " | ".join(COLUMNS) + " |"
    yield "|---" * len(COLUMNS) + "|"


def _row(item: str, result: Result) -> str:
    symbolic = result["symbolic"]
    scope = result["holds_under"] + (f" ({result['scope']})" if result["scope"] else "")
    method = f"{symbolic['method']} (recorded)" if is_recorded(result) else symbolic["method"]
    cells = (item, result["label"], result["verdict"], scope, method,
             ", ".join(symbolic["facts"]))
    return "| " + " | ".join(_cell(c) for c in cells) + " |"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", r"\|").split())


def _not_checkable(items: Sequence[Item]) -> Iterator[str]:
    left = [item for item in items if not item.checkable]
    if left:
        yield "## Printed, and not checkable"
        yield ""
        yield "| item | where | printed | why |"
        yield "|---|---|---|---|"
        for item in left:
            cells = (item.id, item.where, item.printed, item.reason)
            yield "| " + " | ".join(_cell(c) for c in cells) + " |"
        yield ""


def _admitted(results: Sequence[Result]) -> Iterator[str]:
    found = [r for r in results if r["verdict"] == "admitted"]
    yield "## Admitted"
    yield ""
    if not found:
        yield "Nothing is admitted."
    for result in found:
        yield f"- {result['id']}: {result['reason']}"
    yield ""


def _made_with(report: Mapping[str, Any]) -> Iterator[str]:
    versions = ", ".join(f"{name} {version}" for name, version in report["versions"].items())
    yield "## Made with"
    yield ""
    yield (f"lapdp {report['lapdp']}, {versions}; seed {report['seed']}, {report['digits']} digits "
           "in the numeric column. Seconds are those of the run that judged the statement.")
