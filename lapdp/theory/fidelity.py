"""How a statement stands to the text that it was taken from, and what its fault weighs.

A *printed* statement says what the line says, in its generality; an *instance* says it at the
values that its note names; a *reading* is one of several that the text allows, all of them listed;
an *own* one is not in the paper.  Only printed statements and full sets of readings cover an item.

A fault has a *severity*, and a *root* where it is inherited: a wrong line that twelve later lines
repeat is one finding with twelve consequences. A consequence weighs at most what its root weighs: a
line of a proof is a step where the claim that it serves is a result, and a line that is right with
a hypothesis misses that where its root is wrong altogether. A convention is no erratum: what fails
to the letter alone is a reading beside the one that is meant, which holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sympy.core.relational import Relational

from lapdp.theory import language as lang
from lapdp.theory.fingerprint import fingerprint

if TYPE_CHECKING:
    from lapdp.theory.statement import Statement

FIDELITIES = ("printed", "instance", "reading", "own")
SEVERITIES = ("result", "hypothesis", "step", "misprint", "convention")
"""Weights, heaviest first: a theorem or claim is wrong; it is true with a hypothesis that is not
there; the result stands and the argument does not; a slip of the pen; it fails only at a point
where a convention is open."""
FINDINGS = ("result", "hypothesis", "step")
"""Severities that an author is told of as findings."""
WEIGHT = {"false claim": "result", "missing hypothesis": "hypothesis", "false step": "step",
          "misprint": "misprint", "convention": "convention"}
"""The severity that a fault has unless the statement says otherwise."""
FALSE = ("refuted", "ill-formed")

Readings = tuple[tuple[str, ...], ...]


def readings_of(given: Any) -> Readings:
    """All readings of a text: each a tuple of the labels that make it up together.

    >>> readings_of(["claim-1", ("claim-2.1", "claim-2.2")])
    (('claim-1',), ('claim-2.1', 'claim-2.2'))
    """
    return tuple((one,) if isinstance(one, str) else tuple(one) for one in given)


def refused(statement: Statement) -> str:
    """Why the annotation of one statement has no meaning by itself; empty where it has one."""
    s = statement
    for name, allowed in (("fidelity", FIDELITIES), ("severity", SEVERITIES)):
        given = getattr(s, name)
        if given is not None and given not in allowed:
            return f"{name} must be one of {', '.join(allowed)}"
    if s.fidelity in ("printed", "instance", "reading") and not s.printed.strip():
        return f"a statement that is {s.fidelity} quotes the line in printed="
    if s.fidelity == "own" and s.printed and s.kind != "law":
        return ("printed= is a quotation, and an own statement has none: say it in title or note, "
                "a repair in corrected=")
    if s.fidelity == "instance" and not s.note.strip():
        return "an instance says in its note at which values it stands"
    if (s.fidelity == "reading") != bool(s.readings):
        return "a reading, and only a reading, lists all readings of its text in readings="
    # whether it is among them is asked where it is declared: a lemma on the way has another id
    if s.readings and len(s.readings) < 2:
        return "readings= lists two readings or more"
    if s.root is not None and s.severity is None and s.fault is None:
        return "a root belongs to a fault: name fault= or severity="
    if s.root == s.id:
        return "a statement is not its own root"
    return ""


def severity_of(statement: Statement) -> str | None:
    """The severity declared, else that of the fault."""
    if statement.severity is not None or statement.fault is None:
        return statement.severity
    return WEIGHT.get(statement.fault)


def fidelity_of(statement: Statement) -> str:
    """The fidelity declared; else own for a repair, a law and what quotes nothing."""
    if statement.fidelity is not None:
        return statement.fidelity
    own = statement.repairs is not None or statement.kind == "law" or not statement.printed.strip()
    return "own" if own else "printed"


def unread(statements: Iterable[Statement]) -> list[Statement]:
    """Statements of which nobody has said how they stand to the print."""
    return [s for s in statements
            if s.fidelity is None and s.repairs is None and s.kind != "law"]


def disagreements(statements: Sequence[Statement]) -> list[str]:
    """What is wrong with the annotations of a paper taken together, a line each.

    ``expected`` counts as the verdict: that it is the verdict is tested elsewhere.  What nobody has
    read yet is left alone.
    """
    by_id = {s.id: s for s in statements}
    return [f"{s.id}: {told}" for s in statements for told in _disagreements(s, by_id)]


def _disagreements(s: Statement, by_id: Mapping[str, Statement]) -> Iterator[str]:
    false = s.expected in FALSE
    severity = severity_of(s)
    if s.root is not None:
        root = by_id.get(s.root)
        if root is None:
            yield f"its root {s.root} is no statement"
        elif root.expected not in FALSE or severity_of(root) is None:
            yield f"its root {s.root} has no fault"
        elif root.root is not None:
            yield f"its root {s.root} has a root itself: name {root.root}"
        elif severity is not None and (
                SEVERITIES.index(severity) < SEVERITIES.index(severity_of(root) or severity)):
            yield f"it weighs more than its root {s.root}"
    if severity is not None and not false:
        yield "a severity belongs to what is refuted or ill-formed"
    if s.fidelity is None:
        return
    if s.readings:
        yield from _of_readings(s, by_id)
    if s.fidelity == "own":
        if severity is not None and s.repairs is None:
            yield "what the paper does not say is no fault of the paper"
    elif false and severity is None and not _reading_holds(s, by_id):
        yield "it is false: say how much that weighs (severity), or which reading holds"


def _of_readings(s: Statement, by_id: Mapping[str, Statement]) -> Iterator[str]:
    for label in (label for one in s.readings for label in one):
        sister = by_id.get(f"{s.paper}/{label}")
        if sister is None:
            yield f"its reading {label} is no statement"
        elif sister.readings != s.readings:
            yield f"its reading {label} lists other readings"
    if _reading_holds(s, by_id) and severity_of(s) not in (None, "convention"):
        yield "a reading of the text holds: this one is no error (no fault, at most a convention)"


def _reading_holds(s: Statement, by_id: Mapping[str, Statement]) -> bool:
    """Does some reading of the text hold?"""
    found = ([by_id.get(f"{s.paper}/{label}") for label in one] for one in s.readings)
    return any(all(m is not None and m.expected not in FALSE for m in one) for one in found)


# -- what says nothing -------------------------------------------------------------------------

def says_nothing(statement: Statement) -> str:
    """Why a statement would be true whatever the paper says; empty where it is not.

    A claim whose two sides are one expression once its notions are unfolded, or that stands among
    its own hypotheses.  A definition may say what its notion unfolds to.

    >>> from lapdp.theory import Eq, Le, delta, pair, reals
    >>> from lapdp.theory.statement import Statement
    >>> P, Q = pair(); eps = reals("eps")
    >>> says_nothing(Statement("paper/eq-1", Eq(delta(P, Q)(eps), delta(P, Q)(eps))))
    'its two sides are one expression'
    >>> says_nothing(Statement("paper/eq-1", Le(0, eps), where=(Le(0, eps),)))
    'its claim is one of its hypotheses'
    """
    claim = fingerprint((statement.claim,))
    if any(fingerprint((h,)) == claim for h in statement.where):
        return "its claim is one of its hypotheses"
    if any(_circular(form) for form in _parts(statement.claim)):
        return "its conclusion is its hypothesis"
    if statement.kind == "definition":
        return ""
    if any(_one_expression(form) for form in _parts(statement.claim)) or _unfolds(statement):
        return "its two sides are one expression"
    return ""


def _parts(form: Any) -> Iterator[Any]:
    """The forms that a form claims."""
    yield form
    if isinstance(form, (lang.AllOf, lang.ExistsEvents, lang.ExistsDistributions)):
        for member in form.claims:
            yield from _parts(member)
    elif isinstance(form, lang.ForAll):
        yield from _parts(form.claim)


def _circular(form: Any) -> bool:
    if isinstance(form, (lang.Implies, lang.ImpliesOn)):
        return fingerprint((form.hypothesis,)) == fingerprint((form.conclusion,))
    if isinstance(form, lang.Iff):
        return fingerprint((form.first,)) == fingerprint((form.second,))
    return False


def _one_expression(form: Any) -> bool:
    return isinstance(form, (Relational, lang.SameMeasure)) and form.lhs == form.rhs


def _unfolds(statement: Statement) -> bool:
    """Is the sentence of the kernel, its notions unfolded, a relation of a term with itself?"""
    from lapdp.kernel.terms import Bank
    from lapdp.theory.sentences import NotSaid, elaborate

    bank = Bank()
    try:
        row = bank.rows[elaborate(statement, bank).claim]
    except NotSaid:
        return False
    while row[0] == "imp" or str(row[0]).startswith("all"):
        row = bank.rows[int(str(row[-1]))]
    return row[0] in ("eq", "le", "iff") and row[1] == row[2]


__all__ = ["FIDELITIES", "FINDINGS", "SEVERITIES", "disagreements", "fidelity_of", "readings_of",
           "refused", "says_nothing", "severity_of", "unread"]
