"""Findings: the faults of a paper that are no consequence of another one.

Totals count these, not the lines in which they show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lapdp.theory.fidelity import FALSE, FINDINGS, SEVERITIES

Result = Mapping[str, Any]
NAMES = {"result": ("wrong result", "wrong results"),
         "hypothesis": ("missing hypothesis", "missing hypotheses"),
         "step": ("wrong step", "wrong steps"), "misprint": ("misprint", "misprints"),
         "convention": ("open convention", "open conventions")}


@dataclass(frozen=True)
class Finding:
    """A false statement of a paper and those that inherit its fault."""

    result: Result
    consequences: tuple[Result, ...]

    @property
    def severity(self) -> str:
        """What it weighs: one of :data:`lapdp.theory.fidelity.SEVERITIES`; what nobody has weighed
        counts as a wrong result."""
        return str(self.result["severity"] or "result")


def is_fault(result: Result) -> bool:
    """Is a judged statement a fault of its paper?  Not what is ours, nor a reading that has no
    severity, since another one holds.

    >>> row = {"verdict": "refuted", "repairs": None, "fidelity": "printed", "severity": None}
    >>> [is_fault({**row, "fidelity": how}) for how in ("printed", "own", "reading")]
    [True, False, False]
    """
    return (result["verdict"] in FALSE and not result["repairs"] and result["fidelity"] != "own"
            and not (result["fidelity"] == "reading" and result["severity"] is None))


def set_aside(result: Result) -> bool:
    """Is it a reading that fails and has no weight, as the text is meant otherwise?

    >>> row = {"verdict": "refuted", "fidelity": "reading", "severity": "convention"}
    >>> [set_aside({**row, "severity": how}) for how in (None, "convention", "result")]
    [True, True, False]
    """
    return (result["fidelity"] == "reading" and result["verdict"] in FALSE
            and result["severity"] in (None, "convention"))


def findings(results: Sequence[Result]) -> list[Finding]:
    """The findings among judged statements, heaviest first, else in the order given.

    >>> row = {"verdict": "refuted", "repairs": None, "fidelity": "printed", "severity": "step",
    ...        "id": "p/eq-1", "root": None}
    >>> heavy = {**row, "id": "p/eq-2", "severity": "result"}
    >>> later = {**row, "id": "p/eq-3", "root": "p/eq-1"}
    >>> [(f.result["id"], len(f.consequences)) for f in findings([row, heavy, later])]
    [('p/eq-2', 0), ('p/eq-1', 1)]
    """
    faults = [r for r in results if is_fault(r)]
    found = [Finding(r, tuple(c for c in faults if c["root"] == r["id"]))
             for r in faults if r["root"] is None]
    return sorted(found, key=lambda f: SEVERITIES.index(f.severity))


def weighed(found: Sequence[Finding]) -> str:
    """How many findings there are of each weight, heaviest first.

    >>> weighed([])
    ''
    """
    counts = Counter(f.severity for f in found)
    return ", ".join(_named(counts, s) for s in SEVERITIES if counts[s])


def counted(found: Sequence[Finding]) -> str:
    """How many findings there are of each weight, and what is not counted among them.

    >>> counted([])
    'Findings: none.'
    """
    counts = Counter(f.severity for f in found)
    told = [_named(counts, s) for s in FINDINGS if counts[s]]
    inherited = sum(len(f.consequences) for f in found)
    beside = [_named(counts, s) for s in ("misprint", "convention") if counts[s]]
    if inherited:
        beside.append(f"{inherited} {'line inherits' if inherited == 1 else 'lines inherit'} a "
                      "fault")
    return ("Findings: " + (", ".join(told) or "none")
            + (f" (beside them {', '.join(beside)})" if beside else "") + ".")


def _named(counts: Mapping[str, int], severity: str) -> str:
    return f"{counts[severity]} {NAMES[severity][counts[severity] != 1]}"


__all__ = ["Finding", "counted", "findings", "is_fault", "set_aside", "weighed"]
