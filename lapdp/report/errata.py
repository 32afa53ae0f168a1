"""The sheet of errata of a paper, as its author would read it: what stands, then what does not.

Findings come in order of weight, each with the sentence as printed, its place, why it fails, what
holds instead, which other lines inherit it, and the command that prints the evidence; misprints
follow as a table, conventions are an appendix that nobody counts.  Which lines fail is taken from
the judged statements alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lapdp.report.findings import Finding, findings
from lapdp.report.html.wording import heading
from lapdp.report.json_report import version_of
from lapdp.report.papers import PaperNotes, check_notes
from lapdp.report.prose import as_prose, equations, listed, number_of
from lapdp.theory.fidelity import FINDINGS

Result = Mapping[str, Any]
WEIGHTS = {
    "result": "A claim is wrong",
    "hypothesis": "A hypothesis is missing",
    "step": "A step is wrong",
}
SHORT = 200
"""Characters up to which a value of a witness is shown."""
LONG = 40
"""Characters from which an exact value gives way to its digits."""
OPEN = ("undecided", "ill-formed", "refuted")
"""Verdicts of a repair that is none, or may be none."""
INWARD = ("at the instance: ", "balls", "proved for all")
"""Words of reasons that tell how the engine decided, not what is wrong."""


@dataclass(frozen=True)
class Entry:
    """A finding in the words of the sheet; formulas stand between dollars."""

    finding: Finding
    title: str
    place: str
    why: str
    repair: Result | None
    also: str

    @property
    def result(self) -> Result:
        """The statement that fails."""
        return self.finding.result

    @property
    def printed(self) -> str:
        """The sentence as it stands in the paper."""
        return as_prose(self.result["printed"] or self.result["encoded"])

    @property
    def instead(self) -> str:
        """What holds instead, as it would be printed."""
        if self.repair is None:
            return ""
        return as_prose(self.repair["corrected"] or self.repair["printed"]
                        or self.repair["encoded"])

    @property
    def offer(self) -> str:
        """What introduces it: a repair that is not decided is a proposal."""
        verdict = "" if self.repair is None else self.repair["verdict"]
        return f"Proposed, and {verdict}" if verdict in OPEN else "Instead"

    @property
    def evidence(self) -> list[str]:
        """The counterexample line by line, or why the statement has no meaning."""
        witness = self.result.get("witness")
        if not witness:
            return [self.result["reason"]]
        shown = witness["text"].splitlines()
        shown += [f"{name} = {value}" for name, value in witness["values"].items()
                  if f"{name} = {value}" not in witness["text"]]
        return [*shown, *_sides(witness)]

    @property
    def places(self) -> str:
        """Its place, and those of the lines that inherit it: they repeat it, or go on from it."""
        return self.place + (f"; with it {self.also}" if self.also else "")

    @property
    def command(self) -> str:
        """What prints the evidence again."""
        return f"lapdp show {self.result['id']}"


@dataclass(frozen=True)
class Sheet:
    """The errata of one paper; ``place`` gives for each label where it is printed."""

    paper: str
    notes: PaperNotes
    results: Sequence[Result]
    place: Mapping[str, str]

    @cached_property
    def _all(self) -> list[Finding]:
        return findings(self.results)

    @cached_property
    def findings(self) -> list[Entry]:
        """Wrong results, missing hypotheses, wrong steps, in this order; those of one weight as
        the words about the paper have them."""
        told = list(self.notes.findings)

        def rank(f: Finding) -> tuple[int, int]:
            label = f.result["label"]
            return FINDINGS.index(f.severity), (told.index(label) if label in told else len(told))

        return [self._entry(f) for f in sorted(
            (f for f in self._all if f.severity in FINDINGS), key=rank)]

    @cached_property
    def misprints(self) -> list[Entry]:
        """Slips of the pen, in the order of the paper."""
        return [self._entry(f) for f in self._all if f.severity == "misprint"]

    @property
    def readings(self) -> list[tuple[str, str]]:
        """The table of misprints, a place and what to read there: first those of formulas."""
        return [*((e.places, e.why) for e in self.misprints),
                *((slip.place, slip.read) for slip in self.notes.slips)]

    @cached_property
    def conventions(self) -> list[tuple[str, str]]:
        """Conventions that lines leave open, and those lines."""
        open_ones = {f.result["label"]: f.result for f in self._all if f.severity == "convention"}
        told = [(words.says, self.names(r for label in words.labels
                                        if (r := open_ones.pop(label, None)) is not None))
                for words in self.notes.conventions]
        left = self.names(open_ones.values())
        return [*told, *([("Other conventions", left)] if left else [])]

    def _entry(self, found: Finding) -> Entry:
        result = found.result
        words = self.notes.findings.get(result["label"])
        by_id = {r["id"]: r for r in self.results}
        return Entry(found, title=words.title if words else heading(result),
                     place=self.where(result),
                     why=(words.why if words else
                          self.notes.misprints.get(result["label"], result["note"])),
                     repair=by_id.get(result["repaired_by"] or ""),
                     also=self.names(found.consequences, besides=result))

    def where(self, result: Result) -> str:
        """Where a statement is printed: the number of its equation, and the section."""
        place = self.place.get(result["label"], "")
        numbers = equations(number_of(result["label"]))
        if place == "Footnotes":
            place = heading({**result, "label": result["label"].partition(".")[0]})
        return ", ".join(filter(None, (numbers, place))) or heading(result)

    def names(self, results: Iterable[Result], besides: Result | None = None) -> str:
        """Statements as a reader of the paper knows them: equations, else places."""
        numbers: list[int] = []
        places: list[str] = []
        known = number_of(besides["label"]) if besides is not None else []
        here = "" if besides is None else self.where(besides)
        for r in results:
            own = number_of(r["label"])
            numbers += [n for n in own if n not in known]
            if not own and (place := self.where(r)) != here:
                places.append(place)
        return listed([*filter(None, equations(numbers).split(", ")), *dict.fromkeys(places)])

    @property
    def total(self) -> str:
        """How many findings and misprints; empty where there are none.

        >>> Sheet("p", PaperNotes("A paper"), [], {}).total
        ''
        """
        counts = ((len(self.findings), "finding"), (len(self.readings), "misprint"))
        return ", ".join(f"{n} {name}{'s' if n > 1 else ''}" for n, name in counts if n)

    @property
    def heading(self) -> list[str]:
        """Title, authors, and what was read with what."""
        made = f"Judged with lapdp {version_of('lapdp')}"
        return [self.notes.title, ", ".join(self.notes.authors),
                ". ".join(filter(None, (self.notes.version, made))) + "."]

    @property
    def stands(self) -> list[str]:
        """Sentences on what stands, formulas between dollars."""
        if self.notes.stands:
            return [words.says for words in self.notes.stands]
        fallen = {f.result["id"] for f in self._all} | {
            c["id"] for f in self._all for c in f.consequences}
        numbers = {n for r in self.results if r["id"] not in fallen for n in r["equations"]
                   if not r["repairs"]} - {n for r in self.results if r["id"] in fallen
                                           for n in r["equations"]}
        return [f"As printed: {equations(numbers)}."] if numbers else []


def sheet_of(paper: str, results: Sequence[Result], notes: PaperNotes | None = None,
             place: Mapping[str, str] | None = None, *, whole: bool = True) -> Sheet:
    """The sheet; raises :class:`InputError` where the words name what is not there, or what falls.

    ``whole=False`` for results of a part of the paper.

    >>> wrong = {"id": "p/eq-1", "label": "eq-1", "verdict": "refuted", "repairs": None,
    ...          "fidelity": "printed", "severity": "result", "root": None, "repaired_by": "p/r",
    ...          "equations": [1], "note": "No.", "printed": "1=2"}
    >>> right = {**wrong, "id": "p/r", "label": "r", "verdict": "proved", "repairs": "p/eq-1",
    ...          "corrected": "1=1"}
    >>> [(e.place, e.printed, e.instead) for e in sheet_of("p", [wrong, right]).findings]
    [('(1)', '$1=2$', '$1=1$')]
    """
    told = notes if notes is not None else PaperNotes(paper)
    check_notes(told, results, whole=whole)
    return Sheet(paper, told, results, place or {})


def _sides(witness: Mapping[str, str]) -> list[str]:
    """Both sides of a counterexample, or what is wrong with them; nothing where only the engine's
    own words are left, and the instance and the reason in words say it."""
    sides, why = (witness["lhs"], witness["rhs"]), witness["why"]
    if why == "checked exactly at the instance":
        return [f"claimed: {sides[1]}; found: {sides[0]}"]
    if why in ("", "the two sides differ exactly", "the relation fails"):
        return [f"left side {_value(sides[0])}, right side {_value(sides[1])}"]
    if undefined := next((s for s in sides if s.startswith("undefined")), ""):
        return [_short(undefined)]
    return [] if any(word in why for word in INWARD) else [_short(why)]


def _value(text: str) -> str:
    """A side: its digits alone where the exact value is long, or one of the error function.

    >>> _value("1 - erfc(sqrt(2)) = 0.954499736104"), _value("exp(-1) = 0.367879441171")
    ('0.954499736104', 'exp(-1) = 0.367879441171')
    """
    exact, equals, digits = text.rpartition(" = ")
    return _short(digits if equals and ("erfc(" in exact or len(exact) > LONG) else text)


def _short(text: str) -> str:
    return text if len(text) <= SHORT else text[:SHORT].rsplit(" ", 1)[0] + " ..."


# -- Markdown --------------------------------------------------------------------------------------

def markdown(sheet: Sheet) -> str:
    """The sheet as Markdown with formulas between dollars."""
    title, authors, version = sheet.heading
    lines = [f"# Errata: {title}", "", *filter(None, (authors,)), "", version, ""]
    if sheet.stands:
        lines += ["## What stands", "", *(f"- {said}" for said in sheet.stands), ""]
    lines += ["## Findings", ""]
    if not sheet.findings:
        lines += ["None.", ""]
    for number, entry in enumerate(sheet.findings, 1):
        lines += _markdown_entry(number, entry)
    if sheet.readings:
        lines += ["## Misprints", "", "| place | read |", "|---|---|"]
        lines += [f"| {_cell(place)} | {_cell(read)} |" for place, read in sheet.readings]
        lines.append("")
    if sheet.conventions:
        lines += ["## Conventions (not counted)", ""]
        lines += [f"- {_sentence(says)} {names}." for says, names in sheet.conventions]
        lines.append("")
    return "\n".join(lines)


def _markdown_entry(number: int, entry: Entry) -> list[str]:
    lines = [f"### {number}. {entry.title}", "",
             f"*{WEIGHTS[entry.finding.severity]}* ({entry.place}). Printed: “{entry.printed}”", "",
             entry.why, ""]
    lines += ["    " + line for line in entry.evidence] + [""]
    if entry.instead:
        lines += [f"{entry.offer}: {entry.instead}", ""]
    if entry.also:
        lines += [f"Also: {entry.also}.", ""]
    return [*lines, f"Evidence: `{entry.command}`", ""]


def _sentence(says: str) -> str:
    return says if says.endswith((".", ":")) else says + ":"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", r"\|").split())


__all__ = ["Entry", "Sheet", "markdown", "sheet_of"]
