"""What a terminal shows: the table of a run, and one statement in full."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lapdp.core.verdict import Kind
from lapdp.report.events_in_words import events_in_words
from lapdp.report.readable import readable

Result = Mapping[str, Any]

_COLOURS = {
    Kind.PROVED: "32", Kind.DERIVED: "32", Kind.CERTIFIED: "32", Kind.TESTED: "36",
    Kind.ADMITTED: "36",
    Kind.UNDECIDED: "33", Kind.ILL_FORMED: "35", Kind.REFUTED: "31",
}
_FINDING_WIDTH = 60
INDENT, LEAST = 13, 30
"""Columns of the names of lines, and the fewest that what they say is wrapped to."""
PASTED = ("witness", "reproduce")
"""What a reader pastes stays on its lines."""
RECORDED = "recorded, found by --search"
"""What is said of a verdict or column that was read beside the proof file, not found in this run.
"""
FIRST_STEPS = 12
"""How many steps of a proof are shown unless all are asked for."""


def paint(verdict: str, colour: bool, width: int = 0) -> str:
    """A verdict, padded, coloured if wanted.

    >>> paint("proved", False, 9)
    'proved   '
    """
    padded = verdict.ljust(width)
    return f"\x1b[{_COLOURS[Kind(verdict)]}m{padded}\x1b[0m" if colour else padded


def contradicts(result: Result) -> bool:
    """The numeric column denies what the symbolic one asserts."""
    numeric = result.get("numeric")
    asserted = result["verdict"] in ("proved", "derived", "certified")
    return bool(asserted and numeric and numeric["agrees"] is False)


def drifted(result: Result) -> bool:
    """The verdict is not the one on record; what holds may be proved or derived."""
    both = {result.get("expected"), result["verdict"]}
    return bool(result.get("expected")) and len(both) == 2 and both != {"proved", "derived"}


def is_bad(result: Result) -> bool:
    """Refuted or ill-formed and not recorded so, unlike its record, or denied by the numbers.

    >>> is_bad({"verdict": "refuted"}), is_bad({"verdict": "refuted", "expected": "refuted"})
    (True, False)
    """
    unrecorded = not result.get("expected") and result["verdict"] in ("refuted", "ill-formed")
    return unrecorded or drifted(result) or contradicts(result)


def is_open(result: Result) -> bool:
    """Undecided, and not recorded so.

    >>> is_open({"verdict": "undecided"}), is_open({"verdict": "proved"})
    (True, False)
    """
    return result["verdict"] == "undecided" and not result.get("expected")


def is_recorded(result: Result, part: str = "verdict") -> bool:
    """Was the verdict, or another part of a result, read and not found?

    >>> is_recorded({"verdict": "derived", "recorded": ["verdict"]}), is_recorded({"verdict": "x"})
    (True, False)
    """
    return part in result.get("recorded", ())


def numeric_column(result: Result) -> str:
    """The numeric column in a few characters: digits and instances, or a dash.

    >>> numeric_column({"verdict": "proved",
    ...     "numeric": {"agrees": True, "digits": 30, "instances": 8}})
    '30 digits x 8'
    """
    numeric = result.get("numeric")
    if not numeric or numeric["agrees"] is None:
        return "-"
    amount = f"{numeric['digits']} digits x {numeric['instances']}"
    if numeric["agrees"]:
        return amount
    return f"CONTRADICTS, {amount}" if contradicts(result) else f"differs, {amount}"


def finding(result: Result) -> str:
    """The shortest useful explanation: witness, condition, drift or reason."""
    parts = [RECORDED] if is_recorded(result) else []
    if drifted(result):
        parts.append(f"RECORD SAYS {result['expected']}")
    if result.get("witness"):
        parts.append("witness " + _witness_values(result["witness"]))
    if result.get("holds_under"):
        parts.append("holds under " + result["holds_under"])
    no_more = parts in ([], [RECORDED])
    if no_more or (result["verdict"] in ("undecided", "ill-formed") and result["reason"]):
        parts.append(result.get("reason") or "")
    return "; ".join(p for p in parts if p)


def _witness_values(witness: Mapping[str, Any]) -> str:
    values = ", ".join(f"{k}={v}" for k, v in witness["values"].items())
    return " at ".join(p for p in ((witness["text"].splitlines() or [""])[0], values) if p)


def table(results: Sequence[Result], *, colour: bool = False, verbose: bool = False) -> str:
    """One row a statement: id, verdict, numeric column, finding, seconds."""
    if not results:
        return ""
    numbers = [numeric_column(r) for r in results]
    wide = max(len("statement"), *(len(r["id"]) for r in results))
    middle = max(len("numeric"), *map(len, numbers))
    rows = [f"{'statement':{wide}}  {'verdict':10}  {'numeric':{middle}}  seconds  finding"]
    for result, number in zip(results, numbers, strict=True):
        verdict = paint(result["verdict"], colour, 10)
        said = finding(result)
        if not verbose:
            said = textwrap.shorten(said, _FINDING_WIDTH, placeholder=" ...")
        cells = (f"{result['id']:{wide}}", verdict, f"{number:{middle}}",
                 f"{result['seconds']:7.2f}", said)
        rows.append("  ".join(cells).rstrip())
        if verbose:
            rows += [f"    {line}" for line in _more(result)]
    return "\n".join(rows)


def _more(result: Result) -> Iterable[str]:
    yield result["claim"] + (f"   with {'; '.join(h)}" if (h := result["hypotheses"]) else "")
    yield f"symbolic: {symbolic_line(result, every_try=True)}"
    yield f"numeric: {numeric_line(result)}"
    if result.get("note"):
        yield f"note: {result['note']}"


def symbolic_line(result: Result, every_try: bool = False) -> str:
    """Method, size and facts of the symbolic column; what was tried in vain where nothing was
    decided, or with ``every_try``."""
    symbolic = result["symbolic"]
    decided = result["verdict"] not in (str(Kind.UNDECIDED), str(Kind.ADMITTED))
    line = symbolic["method"] or "no method"
    if is_recorded(result):
        line = f"{RECORDED}: {line}"
    if symbolic["cells"]:
        line += f", {_count(symbolic['cells'], 'case')}"
    if symbolic["steps"]:
        line += f", {_count(len(symbolic['steps']), 'step')}"
    if symbolic["facts"]:
        line += f"; stands on {', '.join(symbolic['facts'])}"
    if (every_try or not decided) and (untold := tried_in_vain(result)):
        line += f"; tried {', '.join(untold)}"
    return line


def tried_in_vain(result: Result) -> list[str]:
    """What the methods said that did not decide, unless it is told as the reason.

    >>> tried_in_vain({"reason": "kernels: too many; witness search: 3 exact instances",
    ...                "symbolic": {"tried": ["kernels: too many", "kernel: no derivation"]}})
    ['kernel: no derivation']
    """
    told = result.get("reason") or ""
    return [line for line in result["symbolic"]["tried"] if line not in told]


def numeric_line(result: Result) -> str:
    """Method, digits and instances of the numeric column, or why there is none."""
    said = _numeric_line(result)
    return f"{RECORDED}: {said}" if is_recorded(result, "numeric") else said


def _numeric_line(result: Result) -> str:
    numeric = result.get("numeric")
    if not numeric:
        return "none"
    if numeric["agrees"] is None:
        return f"no answer: {numeric['reason'] or numeric['method']}"
    at, equality = _count(numeric["instances"], "instance"), is_equality(result["claim"])
    if not numeric["agrees"]:
        line = f"the {'sides differ' if equality else 'claim fails'} at instance " \
               f"{numeric['instances']}"
    elif equality:
        line = f"the sides agree at {at} to {numeric['digits']} digits"
    else:
        line = f"the claim holds at {at}"
    return f"{line}, {numeric['method']}" + (f" ({numeric['reason']})" if numeric["reason"] else "")


NO_EQUATION = {"<", ">", "<=", ">=", "!=", "implies", "if", "there", "not", "for"}
"""Words of claims that are more than an equation."""


def is_equality(claim: str) -> bool:
    """Is a claim in words of text an equation, whatever its sides speak of?

    >>> is_equality("Pr(Z, '>', eps) == 1 - F(Z)(eps)"), is_equality("delta(P, Q)(0) <= 1")
    (True, False)
    >>> is_equality("x == 1 implies y == 1")
    False
    """
    outside, depth = "", 0
    for letter in claim:
        depth += (letter in "([{") - (letter in ")]}")
        outside += letter if not depth else ""
    words = outside.split()
    return sum(word in ("=", "==") for word in words) == 1 and not NO_EQUATION & set(words)


def summary(results: Sequence[Result], aggregates: Mapping[str, Any] | None = None) -> str:
    """Counts a verdict in the order of the verdicts, with what deserves attention.

    >>> summary([{"verdict": "proved"}, {"verdict": "refuted", "expected": "proved"}])
    '2 statements: 1 proved, 1 refuted; 1 not as recorded'
    """
    counts = Counter(r["verdict"] for r in results)
    recorded = sum(map(is_recorded, results))
    said = ", ".join(f"{counts[str(k)]} {k}" for k in Kind if counts[str(k)])
    line = f"{_count(len(results), 'statement')}: {said}"
    line += f"; {recorded} of them {RECORDED}" if recorded else ""
    for words, amount in (
        ("not as recorded", sum(map(drifted, results))),
        ("with contradicting columns", sum(map(contradicts, results))),
    ):
        line += f"; {amount} {words}" if amount else ""
    return line + (f"; {_count(len(aggregates), 'composite line')}" if aggregates else "")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def aggregate_table(aggregates: Mapping[str, Any], *, colour: bool = False) -> str:
    """One row a composite line: id, worst verdict, number of members."""
    wide = max((len(name) for name in aggregates), default=0)
    return "\n".join(
        f"{name:{wide}}  {paint(a['verdict'], colour, 10)}  worst of {len(a['members'])} members"
        for name, a in aggregates.items()
    )


def full(
    result: Result,
    repaired: Result | None = None,
    *,
    reproduce: str = "",
    source: str = "",
    every_step: bool = False,
    colour: bool = False,
    columns: int | None = None,
) -> str:
    """Everything about one judged statement; ``repaired`` is the judged repair, if there is one,
    ``source`` the file of a statement that is not of the library.

    With ``columns``, for a reader at a terminal: prose is wrapped, what is printed is Unicode, and
    the statement in LaTeX is left out unless ``every_step`` asks for all.  Otherwise nothing is
    changed, so that other programs can read it.
    """
    lines = [f"{result['id']}: {paint(result['verdict'], colour)}"]

    def add(name: str, value: Any) -> None:
        shown = value if isinstance(value, (list, tuple)) else str(value or "").splitlines()
        if columns is not None and name not in PASTED:
            shown = [part for line in shown for part in _wrapped(line, columns - INDENT - 2)]
        for number, line in enumerate(shown):
            lines.append(f"  {name + ':' if number == 0 else '':{INDENT}}{line}".rstrip())

    add("from", source and f"{source}, not of the library")
    add("belongs to", " ".join(p for p in (result.get("group"), result.get("title")) if p))
    add("kind", result.get("kind"))
    printed = result.get("printed") or ""
    add("printed", printed if columns is None else readable(printed))
    corrected = result.get("corrected") or ""
    add("corrected", corrected if columns is None else readable(corrected))
    if result.get("fidelity") in ("instance", "reading"):
        add("fidelity", result["fidelity"])
    if columns is None or every_step:
        add("encoded", result.get("encoded"))
    add("checked", result.get("claim"))
    add("with", result.get("hypotheses"))
    add("reason", result.get("reason"))
    add("symbolic", symbolic_line(result, every_try=every_step))
    add("steps", _steps(result["symbolic"]["steps"], every_step))
    add("numeric", numeric_line(result))
    add("witness", witness_lines(result.get("witness"), result["claim"],
                                 result.get("reason") or ""))
    if result.get("holds_under"):
        add("holds under", result["holds_under"] + (f" ({s})" if (s := result["scope"]) else ""))
    add("fault", result.get("fault"))
    add("severity", result.get("severity"))
    add("inherited", result.get("root"))
    if result.get("repaired_by"):
        verdict = f": {paint(repaired['verdict'], colour)}" if repaired else ""
        claim = [repaired["claim"]] if repaired else []
        add("repaired by", [result["repaired_by"] + verdict, *claim])
    add("repairs", result.get("repairs"))
    if result.get("expected"):
        add("on record", result["expected"] + (", which differs" if drifted(result) else ""))
    add("note", result.get("note"))
    add("seconds", f"{result['seconds']:.2f}")
    add("reproduce", reproduce)
    return "\n".join(lines)


def _wrapped(line: str, width: int) -> list[str]:
    return textwrap.wrap(line, max(width, LEAST), break_long_words=False, break_on_hyphens=False,
                         subsequent_indent="  ") or [""]


def _steps(steps: Sequence[str], every: bool) -> list[str]:
    steps = [step + (f", {count} times" if count > 1 else "")
             for step, count in Counter(steps).items()]
    if every or len(steps) <= FIRST_STEPS:
        return steps
    hidden = len(steps) - FIRST_STEPS
    return [*steps[:FIRST_STEPS], f"... and {hidden} more (--verbose shows them)"]


def witness_lines(witness: Mapping[str, Any] | None, claim: str, said: str = "") -> list[str]:
    """A counterexample as typed, its values, both sides where they are known, and why it is one
    unless that is ``said`` already; nothing where there is none."""
    if not witness:
        return []
    lines = [*witness["text"].splitlines(), *events_in_words(witness["text"], claim)]
    lines += [f"{name} = {value}" for name, value in witness["values"].items()
              if f"{name} = {value}" not in witness["text"]]
    if witness["lhs"] or witness["rhs"]:
        lines += [f"left side  = {witness['lhs']}", f"right side = {witness['rhs']}"]
    return [*lines, witness["why"]] if witness["why"] not in ("", said) else lines


def listing(rows: Sequence[Sequence[str]], heads: Sequence[str]) -> str:
    """Rows under heads, columns padded, the last one free.

    >>> print(listing([["a", "long one"], ["bc", "x"]], ["id", "says"]))
    id  says
    a   long one
    bc  x
    """
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    padded = ("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True))
              for row in (heads, *rows))
    return "\n".join(line.rstrip() for line in padded)
