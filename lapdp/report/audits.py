"""Audits as data and as text for a terminal."""

from __future__ import annotations

import math
import platform
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from lapdp.report.json_report import version_of

if TYPE_CHECKING:
    from lapdp.accounting.audit import Adapter, Audit

Row = Mapping[str, Any]

BELOW = ("numpy", "scipy")
"""Libraries that accountants stand on, whose versions matter too."""
SLIGHT, MOST_DIGITS = 0.01, 300
"""Logarithms below which a factor is next to 1; decimal digits of doubles."""
GOOD = ("valid", "vacuous", "estimate", "refused")
CAVEATS = (
    "Every verdict compares the returned double, as the exact binary number it is, with a value "
    "whose radius is proved. Parameters, eps and delta are the same doubles on both sides.",
    "A claim is what the package says of its numbers; each row names the source. An estimate "
    "claims no bound: being below the value is no fault of it, and 'off' says only that its "
    "relative error exceeds 1/10, also where an absolute error was all that was promised.",
    "'remove' has the record in P and not in Q, 'add' the reverse, 'both' is the worse of the two; "
    "'replace' has another record in Q.",
    "A fault shown here is one of this call, with these settings and these versions of the "
    "packages below; other settings may be free of it.",
    "Comparisons have no tolerance: a bound that misses by one unit in the last place is invalid, "
    "and the row says by how little.",
    "Where lapdp has no certified value the row says so and has no verdict.",
)


def document(audits: Sequence[tuple[Adapter, Audit]], missing: Sequence[Adapter], *, quick: bool,
             timeout: float) -> dict[str, Any]:
    """The whole document: versions, accountants with their claims and counts, rows."""
    from lapdp.accounting.audit import VERDICTS
    from lapdp.accounting.audit.adapter import installed
    from lapdp.theory.cache import STANDS_ON

    accountants, rows = [], []
    for adapter, audit in audits:
        found = [row.record() for row in audit.rows]
        rows += found
        accountants.append({
            "name": adapter.name, "distribution": adapter.distribution,
            "version": installed(adapter.distribution),
            "methods": [{
                "name": method.name, "kind": method.claim.kind,
                "direction": method.claim.direction, "source": method.claim.source,
                "settings": dict(method.settings),
                "counts": dict(Counter(row["verdict"] for row in found
                                       if row["method"] == method.name)),
            } for method in adapter.methods]})
    return {
        "lapdp": version_of("lapdp"),
        "versions": {"python": platform.python_version(),
                     **{name: version_of(name) for name in (*STANDS_ON, *BELOW)}},
        "seed": 0, "quick": quick, "timeout": timeout, "verdicts": VERDICTS,
        "caveats": list(CAVEATS), "accountants": accountants,
        "missing": [{"name": adapter.name, "distribution": adapter.distribution,
                     "install": install(adapter)} for adapter in missing],
        "rows": rows,
    }


def install(adapter: Adapter) -> str:
    """The command that installs the package of an adapter."""
    return f"pip install {adapter.distribution}"


def summary(report: Mapping[str, Any]) -> str:
    """For each method, how often each verdict was given."""
    used = [kind for kind in report["verdicts"]
            if any(row["verdict"] == kind for row in report["rows"])]
    head = ["accountant", "method", "claims", *used]
    lines = [head]
    for accountant in report["accountants"]:
        for method in accountant["methods"]:
            if method["counts"]:
                title = f"{accountant['name']} {accountant['version']}"
                lines.append([title, method["name"], f"{method['kind']}, {method['direction']}",
                              *(str(method["counts"].get(kind, "-")) for kind in used)])
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    words = 3
    return "\n".join("  ".join(
        cell.ljust(width) if column < words else cell.rjust(width)
        for column, (cell, width) in enumerate(zip(line, widths, strict=True))).rstrip()
        for line in lines)


def faults(report: Mapping[str, Any]) -> str:
    """The rows at fault, each with the answer and the certified value."""
    return "\n".join(map(brief, at_fault(report)))


def at_fault(report: Mapping[str, Any]) -> list[Row]:
    """The rows at fault, those that are farthest on the unsafe side first."""
    from lapdp.accounting.audit.claims import FAULTS

    found = [row for row in report["rows"] if row["verdict"] in FAULTS]
    return sorted(found, key=lambda row: -unsafe(row))


def unsafe(row: Row) -> float:
    """The logarithm of the factor by which an answer at fault lies on the wrong side of the value.

    Infinite for 0, for an infinite value, and for what is no possible answer.

    >>> row = {"verdict": "invalid", "answer": ["0.5"], "certified": {"value": "2", "refused": ""}}
    >>> round(math.exp(unsafe(row)), 12), unsafe({**row, "answer": ["0.0"]})
    (4.0, inf)
    """
    value = row["certified"].get("value", "oo")
    if row["verdict"] != "invalid" or row["certified"]["refused"] or value == "oo":
        return math.inf
    exact = Fraction(value)
    numbers = [float(x) for x in row["answer"]]
    # of an interval, the end that is on the wrong side is the one between it and the value
    ends = {numbers[0], numbers[-1]}
    return min((abs(_log(Fraction(x)) - _log(exact)) if math.isfinite(x) and x > 0 < exact
                else math.inf for x in ends), default=math.inf)


def _log(x: Fraction) -> float:
    return math.log(x.numerator) - math.log(x.denominator)


def factor(row: Row) -> str:
    """How far on the unsafe side, in words.

    >>> row = {"verdict": "invalid", "answer": ["0.5"], "certified": {"value": "2", "refused": ""}}
    >>> factor(row), factor({**row, "answer": ["1.999999999999"]}), factor({**row, "answer": ["0"]})
    ('a factor 4', '5e-13 of it', 'all of it')
    """
    size = unsafe(row)
    if math.isinf(size):
        return "all of it"
    if size < SLIGHT:
        return f"{size:.2g} of it"
    digits = size / math.log(10)
    return f"a factor {math.exp(size):.3g}" if digits < MOST_DIGITS else f"a factor 1e{digits:.0f}"


def side(row: Row) -> str:
    """Which side of the certified value an answer lies on that claims the other one.

    >>> side({"verdict": "nonsense", "reason": "NaN"}), side({"verdict": "invalid",
    ...     "reason": "below the certified value, by 1 unit in the last place"})
    ('NaN', 'below')
    """
    reason = str(row["reason"])
    if row["verdict"] != "invalid":
        return reason
    return "below" if "below" in reason else "above"


def brief(row: Row) -> str:
    """A row in two lines.

    >>> row = {"verdict": "invalid", "accountant": "mine", "id": "sum/laplace/epsilon@1e-05",
    ...     "answer": ["0.5"], "problem": "", "reason": "below the certified value",
    ...     "relative_error": "-0.5", "certified": {"value": "1", "radius": "0", "refused": ""}}
    >>> print(brief(row))
    invalid: mine sum/laplace/epsilon@1e-05
        answers 0.5; certified 1; relative error -0.5; below the certified value
    """
    parts = [f"answers {', '.join(row['answer'])}" if row["answer"] else row["problem"],
             f"certified {certified(row)}"]
    if row["relative_error"]:
        parts.append(f"relative error {row['relative_error']}")
    if row["reason"] and row["reason"] not in (row["problem"], row["certified"]["refused"]):
        parts.append(row["reason"])
    return f"{row['verdict']}: {row['accountant']} {row['id']}\n    {'; '.join(parts)}"


def certified(row: Row) -> str:
    """The certified value of a row, or why there is none."""
    found = row["certified"]
    if found["refused"]:
        return f"not reached ({found['refused']})"
    radius = found["radius"]
    return str(found["value"]) if radius == "0" else f"{found['value']} +/- {radius}"


def full(row: Row) -> str:
    """Everything about one row."""
    query, claim = row["query"], row["claim"]
    lines = [
        brief(row).splitlines()[0],
        f"  asked:      {query['wants']} at {query['at']} of {' and '.join(query['mechanism'])}",
        f"  claims:     {claim['kind']}, {claim['direction']} ({claim['source']})",
        f"  settings:   {', '.join(f'{k}={v}' for k, v in row['settings'].items())}",
        f"  answer:     {', '.join(row['answer']) or row['problem']}",
        f"  certified:  {certified(row)}",
        f"  by:         {row['certified']['method'] or '-'}",
    ]
    if row["relative_error"]:
        digits = "exact" if row["digits"] is None else f"{row['digits']} digits"
        lines.append(f"  error:      {row['relative_error']} relative, {digits}")
    if row["reason"] and row["reason"] not in (row["problem"], row["certified"]["refused"]):
        lines.append(f"  reason:     {row['reason']}")
    for title, code in (("the call", row["call"]),
                        ("the certified value", row["certified"]["code"])):
        lines += [f"  {title}:", *(f"      {line}" for line in code.splitlines())]
    return "\n".join([*lines, f"  seconds:    {row['seconds']:.2f}",
                      f"  reproduce:  {row['command']}"])


__all__ = ["CAVEATS", "at_fault", "brief", "certified", "document", "factor", "faults", "full",
           "install", "side", "summary", "unsafe"]
