"""The mutation campaign: what the engine says of every mutant is put before the oracle.

    python -m tests.mutation.campaign [--every N] [--prefix chourasia2024/eq-2] [--jobs 2]
                                      [--seconds S] [--json F]

A mutant is *killed* when it is judged refuted or ill-formed.  One that is judged proved, derived or
certified while the oracle finds an instance where it fails is a *false proof*: the engine is
unsound.  So is one that the engine's own search for witnesses contradicts, which knows pairs with
infinite support, as the oracle does not.  Where the oracle has no verdict, quadrature of the
definitions is asked.  The oracle also looks at the engine's witnesses: where it finds the
hypotheses violated or the claim true, there is a *false refutation*.  The command ends with exit
code 1 when there is one of these, else with 0.
"""

from __future__ import annotations

import argparse
import json
import pickle
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from lapdp.core.verdict import Kind
from lapdp.numeric import column
from lapdp.theory.loading import load_file
from lapdp.theory.statement import Statement
from lapdp.theory.task_outcome import Outcome
from lapdp.theory.workers import Setup, run_tasks
from tests.mutation.instances import free_functions
from tests.mutation.mutants import mutants
from tests.mutation.oracle_check import oracle_report
from tests.mutation.replay import replay
from tests.shelf import library

SECONDS = 15.0
"""Time limit of the engine, and of the oracle, on one mutant."""
PATIENCE = 1.5
"""Seconds the engine may search for one witness."""
INSTANCES = 60
"""Instances at which the oracle reads a mutant."""
NUMBERS = 4
NUMBERS_WORK = 50_000
"""Instances, and time, of the numeric column on a mutant that the oracle does not know."""
AFFIRMED = ("proved", "derived", "certified")
KILLED = ("refuted", "ill-formed")


@dataclass(frozen=True)
class Place:
    """Where a mutant comes from: a statement of a file, and its number among the mutants."""

    source: str
    statement: str
    index: int
    name: str

    @property
    def id(self) -> str:
        """The id that the mutant itself carries."""
        return f"{self.statement}~{self.index + 1}"


@dataclass
class Entry:
    """One mutant with both verdicts."""

    id: str
    name: str
    text: str = ""
    engine: str = ""
    method: str = ""
    reason: str = ""
    witness: str = ""
    sides: tuple[str, str] = ("", "")
    replayed: str = ""
    contradicted: str = ""
    oracle: str = ""
    instance: str = ""
    why: str = ""
    seconds: dict[str, float] = field(default_factory=dict)


# in the worker ----------------------------------------------------------------------------------


@lru_cache(maxsize=4)
def _mutants_of(source: str, name: str) -> list[tuple[str, Statement]]:
    # pairs are compared by identity, so a mutant is made where it is judged
    statement = next(s for s in load_file(source) if s.id == name)
    return mutants(statement)


@dataclass(frozen=True)
class _Answer:
    fields: dict[str, Any]

    def record(self) -> dict[str, Any]:
        """Plain data, as the worker sends it."""
        return self.fields


def attend(task: tuple[str, str, str, int], *, digits: int, seed: int, numeric: bool) -> _Answer:
    """Judge one mutant by the engine or the oracle; runs in a worker process."""
    who, source, name, index = task
    _, mutant = _mutants_of(source, name)[index]
    if who == "oracle":
        report = oracle_report(mutant, INSTANCES, seed)
        said = {"oracle": report.verdict, "instance": _instance_text(mutant, report.witness),
                "why": report.why or "; ".join(sorted(report.reasons))}
        return _Answer(said if report.verdict != "unknown" else {**said, **numbers_of(mutant)})
    from lapdp.theory.engine import judge

    found = judge(mutant, digits=digits, seed=seed, numeric=numeric, patience=PATIENCE)
    witness, against = found.witness, None
    if str(found.kind) in AFFIRMED:
        against = contradiction(mutant, PATIENCE)
    return _Answer({
        "contradicted": f"{against.text}: {against.lhs} vs {against.rhs}" if against else "",
        "engine": str(found.kind), "method": found.method, "text": text_of(mutant),
        "reason": found.reason, "witness": witness.text if witness else "",
        "sides": (witness.lhs, witness.rhs) if witness else ("", ""),
        "replayed": replay(mutant, witness) if witness else ""})


def numbers_of(statement: Statement) -> dict[str, str]:
    """The numeric column's verdict, where the oracle has none: it has densities, no exact masses.

    It evaluates definitions by quadrature, and shares no code with the engine's methods either.
    """
    found = column(statement, instances=NUMBERS, work=NUMBERS_WORK)
    if found.agrees is None:
        return {}
    if found.agrees:
        return {"oracle": "holds", "why": f"{found.digits} digits at {found.instances} places"}
    return {"oracle": "fails", "instance": f"quadrature: {found.reason}"}


def contradiction(statement: Statement, seconds: float) -> Any:
    """A witness against a statement, looked for whatever the engine says of it; or None."""
    from lapdp.theory.unfolding import unfold
    from lapdp.theory.witness import search

    found, _ = search(unfold(statement), free_functions(statement), seconds)
    return found


def text_of(statement: Statement) -> str:
    """Claim and hypotheses on one line."""
    from lapdp.theory.render import text_of_form

    claim, *where = (text_of_form(f) for f in (statement.claim, *statement.where))
    return f"{claim}   where {'; '.join(where)}" if where else claim


def _instance_text(statement: Statement, instance: Any) -> str:
    if instance is None:
        return ""
    pairs = [f"{p.name} = {[[str(m) for m in side] for side in instance.masses(p)]}"
             for p in statement.pairs]
    values = [f"{symbol} = {value}" for symbol, value in instance.symbols.items()]
    functions = [f"{name} = {signal}" for name, signal in instance.functions.items()]
    return "; ".join([*pairs, *values, *functions])


# in the caller ----------------------------------------------------------------------------------


def places(statements: Iterable[Statement], every: int = 1, prefix: str = "") -> list[Place]:
    """Each ``every``-th mutant of the statements whose ids start with ``prefix``."""
    found = [Place(s.source, s.id, index, name)
             for s in statements if s.id.startswith(prefix)
             for index, (name, _) in enumerate(mutants(s))]
    return found[every // 2::every]


def run(chosen: Sequence[Place], jobs: int = 2, seconds: float = SECONDS,
        progress: Callable[[int, int], None] | None = None) -> list[Entry]:
    """Both verdicts of each mutant, in worker processes that are killed when their time is up."""
    entries = [Entry(p.id, p.name) for p in chosen]
    asked = [(k, who) for k in range(len(chosen)) for who in ("engine", "oracle")]
    tasks = [{"pickle": pickle.dumps((who, chosen[k].source, chosen[k].statement,
                                      chosen[k].index))} for k, who in asked]
    finished = 0

    def done(index: int, outcome: Outcome) -> None:
        nonlocal finished
        finished += 1
        k, who = asked[index]
        entry = entries[k]
        entry.seconds[who] = round(outcome.seconds, 2)
        for name, value in (outcome.result or {}).items():
            setattr(entry, name, value)
        if outcome.result is None and who == "engine":
            entry.engine, entry.reason = "undecided", outcome.failure
        elif outcome.result is None:
            entry.oracle, entry.why = "unknown", outcome.failure
        if progress is not None:
            progress(finished, len(asked))

    setup = Setup("tests.mutation.campaign:attend", numeric=False, timeout=seconds)
    run_tasks(tasks, setup, jobs, seconds, done)
    return entries


@dataclass
class Summary:
    """Entries sorted by what they mean."""

    entries: list[Entry]

    def where(self, engine: Iterable[str], oracle: str) -> list[Entry]:
        """Entries with these verdicts."""
        wanted = tuple(engine)
        return [e for e in self.entries if e.engine in wanted and e.oracle == oracle]

    @property
    def false_proofs(self) -> list[Entry]:
        """Proved, derived or certified, and there is an instance where they fail."""
        return [e for e in self.entries
                if e.engine in AFFIRMED and (e.oracle == "fails" or e.contradicted)]

    @property
    def false_refutations(self) -> list[Entry]:
        """Refuted by a witness that is none for the oracle."""
        return [e for e in self.entries if e.replayed in ("denied", "outside")]

    @property
    def contested(self) -> list[Entry]:
        """Refuted by a witness that the oracle cannot judge, and true wherever it looked."""
        return [e for e in self.where(("refuted",), "holds") if e.replayed.startswith("beyond")]

    @property
    def unconfirmed(self) -> list[Entry]:
        """Proved, derived or certified where the oracle has no verdict."""
        return self.where(AFFIRMED, "unknown")

    @property
    def different(self) -> list[Entry]:
        """Mutants that the oracle finds to fail: none of them is equivalent to a truth."""
        return [e for e in self.entries if e.oracle == "fails"]

    @property
    def survivors(self) -> list[Entry]:
        """Mutants that fail for the oracle and are not refuted."""
        return [e for e in self.different if e.engine != "refuted"]

    @property
    def share(self) -> float:
        """The fraction of the mutants that fail for the oracle which are refuted with a witness."""
        refuted = [e for e in self.different if e.engine == "refuted" and e.witness]
        return len(refuted) / len(self.different) if self.different else 1.0

    def text(self) -> str:
        """Counts, then the lists to read."""
        counts = Counter((e.engine, e.oracle) for e in self.entries)
        lines = [f"{'engine':12}{'holds':>8}{'fails':>8}{'unknown':>9}   (columns: oracle)"]
        for engine in map(str, Kind):
            row = [counts[engine, oracle] for oracle in ("holds", "fails", "unknown")]
            if any(row):
                lines.append(f"{engine:12}{row[0]:8}{row[1]:8}{row[2]:9}")
        killed = sum(e.engine in KILLED for e in self.entries)
        lines += [
            f"{len(self.entries)} mutants, {killed} killed; {len(self.different)} fail for the "
            f"oracle, of these {100 * self.share:.1f} percent refuted with a witness"]
        for title, entries in (("FALSE PROOFS", self.false_proofs),
                               ("FALSE REFUTATIONS", self.false_refutations),
                               ("contested refutations", self.contested),
                               ("proved without a verdict of the oracle", self.unconfirmed),
                               ("survivors", self.survivors)):
            lines.append(f"{title}: {len(entries)}")
            lines += [f"  {e.id} [{e.engine}] {e.name} | {_remark(e)}" for e in entries]
        return "\n".join(lines)


def _remark(entry: Entry) -> str:
    if entry.engine in AFFIRMED:
        return f"{entry.text} | {entry.contradicted or entry.instance or entry.why}"
    if entry.engine == "refuted":
        return f"{entry.witness}: {entry.sides[0]} vs {entry.sides[1]} ({entry.replayed})"
    return entry.reason[:200]


def campaign(every: int = 1, prefix: str = "", jobs: int = 2, seconds: float = SECONDS,
             progress: Callable[[int, int], None] | None = None) -> Summary:
    """Run the campaign on the shipped library."""
    chosen = places(library(), every, prefix)
    return Summary(run(chosen, jobs, seconds, progress))


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="Judge mutants of the library, ask the oracle.")
    parser.add_argument("--every", type=int, default=1, help="judge each N-th mutant only")
    parser.add_argument("--prefix", default="", help="of the ids of the statements to mutate")
    parser.add_argument("--jobs", type=int, default=2, help="worker processes")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="time limit of one mutant")
    parser.add_argument("--json", type=Path, help="write all entries to this file")
    options = parser.parse_args()

    def progress(finished: int, total: int) -> None:
        if finished % 100 == 0:
            print(f"{finished}/{total}", file=sys.stderr, flush=True)

    found = campaign(options.every, options.prefix, options.jobs, options.seconds, progress)
    if options.json:
        options.json.write_text(json.dumps([asdict(e) for e in found.entries], indent=1))
    print(found.text())
    return 1 if found.false_proofs or found.false_refutations else 0


if __name__ == "__main__":
    sys.exit(main())
