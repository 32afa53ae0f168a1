"""The statement: one type for theorems, steps of proofs, rules of tables and laws.

A proof file only declares; it never judges.  ``theorem`` opens a group, ``claim``, ``step``,
``rule``, ``definition``, ``numeric`` and ``repair`` add statements to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

from lapdp.core.calls import require_names
from lapdp.core.errors import IllFormed, InputError
from lapdp.privacy.families import parts_of
from lapdp.theory.fidelity import Readings, readings_of, refused
from lapdp.theory.language import FORMS, pairs_of, parameters
from lapdp.theory.unclaimed import not_a_claim, rounded_number

KINDS = ("definition", "claim", "step", "numeric", "figure", "rule", "law")
SET = frozenset({"id", "claim", "group", "title", "source"})
"""Fields that a declaration sets itself, or takes in their place."""
FAULTS = ("misprint", "missing hypothesis", "false step", "false claim", "ill-formed",
          "convention")


@dataclass(frozen=True, repr=False)
class Statement:
    """A sentence of a paper, or beside one, and how it stands to the print.

    ``printed`` quotes the paper; ``corrected`` says how a repair would be printed instead.
    ``fidelity``, ``severity``, ``root`` (the id of the finding that a fault is inherited from) and
    ``readings`` are explained in :mod:`lapdp.theory.fidelity`.

    ``claim`` is a relation or a form of :mod:`lapdp.theory.language`; ``where`` its hypotheses;
    ``hints`` may steer a method and never decide: ``{"witness": {"gamma": -1}}`` values to try
    first, ``{"pairs": {"P1": gaussian(1)}}`` mechanisms for pairs named by their first members,
    ``{"choose": 1/2}`` a value for an existence claim, ``{"numeric_work": 100_000}`` for one
    instance of a slow numeric column; ``expected`` is a record for drift checks that no method
    reads.  ``cited`` names the publication on whose word the claim is ``admitted`` where no method
    decides it: what is proved or refuted stays so.
    """

    id: str
    claim: Any
    where: tuple[Any, ...] = ()
    kind: str = "claim"
    printed: str = ""
    corrected: str = ""
    fidelity: str | None = None
    severity: str | None = None
    root: str | None = None
    readings: Readings = ()
    equations: tuple[int, ...] = ()
    group: str = ""
    title: str = ""
    note: str = ""
    fault: str | None = None
    repaired_by: str | None = None
    repairs: str | None = None
    expected: str | None = None
    cited: str = ""
    hints: dict[str, Any] = field(default_factory=dict, compare=False)
    source: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InputError(f"{self.id}: kind must be one of {', '.join(KINDS)}")
        if self.fault is not None and self.fault not in FAULTS:
            raise InputError(f"{self.id}: fault must be one of {', '.join(FAULTS)}")
        told = refused(self)
        if told:
            raise InputError(f"{self.id}: {told}")
        for form in (self.claim, *self.where):
            if not isinstance(form, FORMS):
                raise IllFormed(f"{self.id}: {not_a_claim(form)}")
            rounded = rounded_number(form)
            if rounded is not None:
                raise IllFormed(f"{self.id}: {float(rounded):g} is a rounded number; write "
                                f'sp.Rational("{float(rounded):g}")')

    @property
    def paper(self) -> str:
        """Everything before the last slash of the id."""
        return self.id.rpartition("/")[0]

    @property
    def label(self) -> str:
        """The id without its paper."""
        return self.id.rpartition("/")[2]

    @property
    def parameters(self) -> list[Any]:
        """Free symbols of claim, hypotheses and mechanisms."""
        return list(self._parameters)

    @cached_property
    def _parameters(self) -> tuple[Any, ...]:
        found = {s for form in (self.claim, *self.where) for s in parameters(form)}
        return tuple(sorted(found, key=lambda s: str(s.name)))

    @property
    def pairs(self) -> list[Any]:
        """Pairs that claim and hypotheses speak about."""
        return list(self._pairs)

    @property
    def of_mechanisms(self) -> bool:
        """Does it speak of mechanisms alone, which have closed forms, and of no arbitrary pair?

        >>> from lapdp import laplace
        >>> from lapdp.theory import Le, claim, delta, mechanism_pair, pair
        >>> claim("one", Le(delta(*mechanism_pair(laplace(1)))(1), 0)).of_mechanisms
        True
        >>> claim("each", Le(delta(*pair())(1), 1)).of_mechanisms
        False
        """
        return bool(self._pairs) and all(pair.mechanism is not None for pair in self._pairs)

    @cached_property
    def _pairs(self) -> tuple[Any, ...]:
        found = {id(p): p for form in (self.claim, *self.where) for p in pairs_of(form)}
        return tuple(sorted(found.values(), key=lambda p: str(p.name)))

    @cached_property
    def written(self) -> str:
        """What a judge sees of it as a text for digests: claim, hypotheses, hints, citation.

        Raises :class:`IllFormed` where it cannot be told what they hold."""
        from lapdp.theory.fingerprint import written

        return written((self.claim, *self.where, self.hints, self.cited))

    @property
    def encoded(self) -> str:
        """LaTeX of what is checked, to be read beside ``printed``."""
        from lapdp.theory.render import latex_of

        return latex_of(self)

    def __repr__(self) -> str:
        from lapdp.theory.render import text_of_form

        said = text_of_form(self.claim)
        if self.where:
            said += f", where {' and '.join(map(text_of_form, self.where))}"
        return f"Statement({self.id}: {' '.join(said.split())})"

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.encoded}$"

    def _repr_html_(self) -> str:
        from lapdp.report.html.cards import declared

        return declared(self)

    @property
    def hash(self) -> str:
        """Digest of claim and hypotheses: changes exactly when what is checked changes."""
        from lapdp.theory.fingerprint import fingerprint

        return fingerprint((self.claim, *self.where))


@dataclass
class _Group:
    paper: str
    name: str
    title: str
    fidelity: str | None


class Collector:
    """Gathers the statements that a proof file declares while it is imported."""

    def __init__(self, source: str = "") -> None:
        self.source = source
        self.statements: dict[str, Statement] = {}
        self.group: _Group | None = None

    def add(self, statement: Statement) -> Statement:
        if statement.id in self.statements:
            raise InputError(f"{statement.id} is declared twice in {self.source or 'this file'}")
        self.statements[statement.id] = statement
        return statement


_current: ContextVar[Collector | None] = ContextVar("lapdp_collector", default=None)


@contextmanager
def collecting(source: str = "") -> Iterator[Collector]:
    """Gather the statements declared inside the block."""
    collector = Collector(source)
    token = _current.set(collector)
    try:
        yield collector
    finally:
        _current.reset(token)


@contextmanager
def theorem(name: str, title: str = "", fidelity: str | None = None) -> Iterator[None]:
    """Open a group ``paper/label``: the statements inside belong to that theorem or section.

    ``fidelity`` is that of its statements that say nothing else; repairs are own.
    """
    paper, slash, label = name.rpartition("/")
    if not slash or not paper or not label:
        raise InputError(f"theorem name {name!r} must look like 'paper/label'")
    collector = _current.get()
    own = None
    if collector is None:
        collector = Collector()
        own = _current.set(collector)
    before, collector.group = collector.group, _Group(paper, label, title, fidelity)
    try:
        yield
    finally:
        collector.group = before
        if own is not None:
            _current.reset(own)


def _declare(
    label: str, form: Any, kind: str, where: Any, equations: Sequence[int], **rest: Any
) -> Statement:
    if not isinstance(label, str):
        raise InputError('a statement begins with its name: claim("my-bound", Eq(left, right))')
    _require_fields(label, rest)
    collector = _current.get()
    group = collector.group if collector else None
    hypotheses = tuple(where) if isinstance(where, (tuple, list)) else (where,)
    if group is not None and rest.get("root") and "/" not in rest["root"]:
        rest["root"] = f"{group.paper}/{rest['root']}"
    rest["readings"] = readings_of(rest.get("readings", ()))
    if rest["readings"]:
        rest.setdefault("fidelity", "reading")
    elif group is not None and group.fidelity is not None:
        beside = kind == "law" or "repairs" in rest or not rest.get("printed")
        rest.setdefault("fidelity", "own" if beside else group.fidelity)
    statement = Statement(
        id=f"{group.paper}/{label}" if group else label,
        claim=form,
        where=hypotheses,
        kind=kind,
        equations=tuple(equations) or _equation_numbers(label),
        group=group.name if group else "",
        title=group.title if group else "",
        source=collector.source if collector else "",
        **rest,
    )
    if statement.readings and not any(statement.label in one for one in statement.readings):
        raise InputError(f"{statement.id}: this reading is not among its readings=")
    _require_names(statement)
    return collector.add(statement) if collector else statement


def _require_fields(label: str, given: dict[str, Any]) -> None:
    """Refuse a keyword that is no field, with the nearest one."""
    require_names(f"the statement {label}", given,
                  [f.name for f in fields(Statement) if f.name not in SET])


def _require_names(statement: Statement) -> None:
    """Refuse two letters, or two arbitrary pairs, of one name: no reader of a witness could tell
    them apart; and bound letters that run outside of what they are declared to be."""
    from lapdp.theory.apart import require_names
    from lapdp.theory.bound_letters import require_ranges

    try:
        require_names((statement.claim, *statement.where))
        require_ranges((statement.claim, *statement.where))
    except IllFormed as problem:
        raise InputError(f"{statement.id}: {problem}") from None
    taken: dict[tuple[str, ...], Any] = {}
    for pair in (x for p in statement.pairs for atom in p.atoms() for x in parts_of(atom)):
        if pair.mechanism is None and taken.setdefault(pair.names, pair) is not pair:
            raise InputError(
                f"{statement.id}: two different pairs are named {', '.join(pair.names)}; give one "
                'of them other names: pair("A", "B"), or names=(...) of the pair that is made')


def _equation_numbers(label: str) -> tuple[int, ...]:
    head, _, rest = label.partition("-")
    number = rest.partition(".")[0]
    return (int(number),) if head == "eq" and number.isdigit() else ()


def claim(label: str, form: Any = None, where: Any = (), equations: Sequence[int] = (), **rest: Any
          ) -> Statement:
    """Declare a claim of the paper; keywords as the fields of :class:`Statement`."""
    return _declare(label, form, rest.pop("kind", "claim"), where, equations, **rest)


def step(label: str, form: Any, where: Any = (), equations: Sequence[int] = (), **rest: Any
         ) -> Statement:
    """Declare one displayed line of a printed proof."""
    return _declare(label, form, "step", where, equations, **rest)


def rule(label: str, form: Any, where: Any = (), equations: Sequence[int] = (), **rest: Any
         ) -> Statement:
    """Declare an entry of a table of rules."""
    return _declare(label, form, "rule", where, equations, **rest)


def definition(label: str, form: Any, where: Any = (), equations: Sequence[int] = (), **rest: Any
               ) -> Statement:
    """Declare what a definition supposes: that it is well-formed, or equals another."""
    return _declare(label, form, "definition", where, equations, **rest)


def numeric(label: str, form: Any, where: Any = (), equations: Sequence[int] = (), **rest: Any
            ) -> Statement:
    """Declare a numeric claim."""
    return _declare(label, form, "numeric", where, equations, **rest)


def repair(label: str, of: str, form: Any, where: Any = (), equations: Sequence[int] = (),
           **rest: Any) -> Statement:
    """Declare the corrected version of statement ``of`` (a label of the same paper); ``corrected``
    says how it would be printed."""
    collector = _current.get()
    group = collector.group if collector else None
    full = f"{group.paper}/{of}" if group and "/" not in of else of
    return _declare(label, form, rest.pop("kind", "claim"), where,
                    equations or _equation_numbers(of), repairs=full, **rest)
