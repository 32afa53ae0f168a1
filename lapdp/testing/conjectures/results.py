"""What became of a conjecture, and how it is shown, pasted and written down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.core.errors import InputError, LapdpError
from lapdp.core.verdict import Witness
from lapdp.privacy.finite import FinitePair
from lapdp.privacy.model import Infinite
from lapdp.testing.conjectures.searching import Counterexample, Disagreement, Searched
from lapdp.theory.code import HEAD, code
from lapdp.theory.instances import Instance
from lapdp.theory.render import latex, text_of_form
from lapdp.theory.statement import Statement

REFUTED, OPEN = "refuted", "open"
_NEGATED = {"==": r"\neq", "!=": "=", "<": r"\geq", "<=": ">", ">": r"\leq", ">=": "<"}
_COLOURS = {"proved": "green", "derived": "green", "certified": "green", REFUTED: "firebrick"}


@dataclass(frozen=True)
class Conjecture:
    """A statement, what the search found, and what the engine says where the search found nothing.

    It has no truth value, since there are three verdicts: ask ``refuted``, ``proved`` or ``open``.
    """

    claimed: Statement
    searched: Searched
    seconds: float = 30.0
    known: dict[str, Any] | None = None
    """What the engine said where it was asked before the search."""

    @cached_property
    def judged(self) -> dict[str, Any]:
        """What the engine says of the statement, as ``lapdp verify --json`` writes it.

        Asked for the first time it runs the engine, in a process of its own, for at most
        ``seconds``.
        """
        from lapdp.theory.runner import Judging

        found = self.known
        if found is None:
            with Judging(timeout=self.seconds) as judging:
                found = judging.judge(self.claimed)
        if self.counterexample is not None and found["verdict"] in (
                "proved", "derived", "certified"):
            raise Disagreement(f"{found['verdict']} by {found['symbolic']['method']}, and refuted "
                               f"at {self.counterexample.witness.text}: please report this")
        return found

    @property
    def counterexample(self) -> Counterexample | None:
        """The smallest instance that the random search found."""
        return self.searched.found

    @property
    def verdict(self) -> str:
        """``refuted``, ``proved``, ``certified``, ``ill-formed`` or ``open``."""
        if self.counterexample is not None:
            return REFUTED
        said = str(self.judged["verdict"])
        return OPEN if said in ("undecided", "tested", "admitted") else said

    @property
    def proved(self) -> bool:
        """Did the core seal a proof for every pair?"""
        return self.verdict in ("proved", "derived")

    @property
    def refuted(self) -> bool:
        """Is there a counterexample?"""
        return self.verdict == REFUTED

    @property
    def open(self) -> bool:
        """Is there neither a counterexample nor a proof?"""
        return self.verdict == OPEN

    def __bool__(self) -> bool:
        raise TypeError("a conjecture is refuted, proved or open: ask .refuted, .proved or .open")

    @property
    def witness(self) -> Witness | None:
        """The counterexample with both values, of the search or of the engine."""
        if self.counterexample is not None:
            return self.counterexample.witness
        said = self.judged["witness"]
        return None if said is None else Witness(
            said["text"], said["values"], said["lhs"], said["rhs"], said["why"])

    @property
    def steps(self) -> list[str]:
        """The cases of a proof."""
        return [] if self.counterexample else list(self.judged["symbolic"]["steps"])

    @property
    def holds_under(self) -> str:
        """A condition under which a refuted conjecture holds, where the engine knows one."""
        said = self.judged
        return f"{said['holds_under']} ({said['scope']})" if said["holds_under"] else ""

    # -- to be pasted -----------------------------------------------------------------------------

    @property
    def python(self) -> str:
        """The counterexample as Python that runs: the letters at their values, and a verdict.

        Raises :class:`InputError` where there is none, or the engine found it on its own.
        """
        if self.counterexample is None:
            raise InputError("there is no random counterexample to paste")
        there = self.counterexample.instance
        if there.events:
            raise InputError(f"the event is written by hand: {there.text()}")
        pairs = {p: name for p, (name, _) in there.pairs.items() if p.mechanism is None}
        said = code(self.claimed, "here", there.values, pairs)
        head, _, claim = said.rpartition("\n")
        return f"{HEAD}\n{head}\nprint(verify({claim}).kind)\n".replace("\n\n\n", "\n\n")

    def statement(self, name: str, *, title: str = "") -> str:
        """The claim as a proof file: ``paper/label``, or a label alone.

        A refuted one is written with ``expected="refuted"``, so that the file passes until the
        verdict changes.

        >>> from lapdp.testing import conjecture
        >>> from lapdp.theory import delta, pair
        >>> P, Q = pair()
        >>> print(conjecture(delta(P, Q)(0), "==", delta(Q, P)(0)).statement("mine/tv"))
        import sympy as sp
        <BLANKLINE>
        from lapdp import *
        from lapdp.theory import *
        <BLANKLINE>
        P, Q = pair("P", "Q")
        <BLANKLINE>
        with theorem("mine/conjecture"):
            claim("tv", Eq(delta(P, Q)(0), delta(Q, P)(0)))
        <BLANKLINE>
        """
        paper, _, label = name.rpartition("/")
        if not label or not all(c.isalnum() or c in "-_." for c in paper + label):
            raise InputError(f"{name!r} is no id: write paper/label, such as mine/bound")
        head, _, claim = code(self.claimed, label).rpartition("\n")
        if self.refuted:
            claim = f'{claim[:-1]}, expected="refuted")'
        said = f', "{title}"' if title else ""
        return f'{HEAD}\n{head}\nwith theorem("{paper or "mine"}/conjecture"{said}):\n    {claim}\n'

    # -- to be read -------------------------------------------------------------------------------

    def latex(self) -> str:
        """One line: both sides at the counterexample and the counterexample, or the claim."""
        if self.counterexample is None:
            return str(self.claimed.encoded)
        there, claim = self.counterexample.instance, self.claimed.claim
        if not isinstance(claim, Relational) or self.counterexample.undefined:
            return rf"\text{{fails at }} {_latex_of(there)}"
        left, right = _values(there, claim)
        return (rf"{latex(claim.lhs)} = {left} {_NEGATED[claim.rel_op]} {right} = "
                rf"{latex(claim.rhs)} \quad\text{{at}}\quad {_latex_of(there)}")

    def __repr__(self) -> str:
        return f"Conjecture({text_of_form(self.claimed.claim)}: {self.verdict})"

    def __str__(self) -> str:
        width = max(len(name) for name, _ in self._said()) + 2
        lines = [f"conjecture: {self.verdict}"]
        for name, said in self._said():
            for k, line in enumerate(said.splitlines()):
                lines.append(f"  {name + ':' if not k else '':{width}}{line}".rstrip())
        return "\n".join(lines)

    def _said(self) -> list[tuple[str, str]]:
        from lapdp.report.text import FIRST_STEPS, symbolic_line

        found = [("claim", text_of_form(self.claimed.claim))]
        found += [("with", text_of_form(h)) for h in self.claimed.where]
        witness = self.witness
        if witness is not None:
            found += [("witness", witness.text), ("left side", witness.lhs),
                      ("right side", witness.rhs), ("reason", self._reason(witness))]
        if self.counterexample is not None:
            again = self.counterexample.second or "the definitions do not reach this claim"
            found += [("once more", again), ("latex", self.latex())]
        else:
            decided = self.verdict in ("proved", "derived", "certified", REFUTED)
            found.append(("engine", symbolic_line(self.judged) if decided
                          else self.judged["reason"] or str(self.judged["verdict"])))
            if self.steps:
                more = len(self.steps) - FIRST_STEPS
                found.append(("steps", "\n".join([*self.steps[:FIRST_STEPS], *(
                    [f"... and {more} more: .steps"] if more > 0 else [])])))
        found.append(("searched", str(self.searched)))
        return [(name, said) for name, said in found if said]

    def _reason(self, witness: Witness) -> str:
        if self.counterexample is not None and self.counterexample.undefined:
            return (f"{witness.why}; where both have one no instance was found to fail: exclude "
                    "the others in where=, by ac(P, Q), Defined(...) or the range of a letter")
        return witness.why

    def _repr_html_(self) -> str:
        from lapdp.report.html.findings import conjecture_card

        return conjecture_card(self)

    def _repr_markdown_(self) -> str:
        from lapdp.report.cards import escaped

        colour = _COLOURS.get(self.verdict, "gray")
        lines = [f'**conjecture**: <b style="color:{colour}">{self.verdict}</b>', "",
                 f"$${self.claimed.encoded}$$", ""]
        if self.counterexample is not None:
            lines += [f"$${self.latex()}$$", ""]
        code_like = ("witness", "left side", "right side")
        lines += [f"- {name}: " + (f"`{said}`" if name in code_like else escaped(said))
                  for name, said in self._said() if name not in ("claim", "with", "latex", "steps")]
        return "\n".join(lines)


def _values(instance: Instance, claim: Any) -> Iterator[str]:
    """Both sides at an instance, as LaTeX."""
    from lapdp.theory.witness import Trial

    trial = Trial(instance)
    for side in (claim.lhs, claim.rhs):
        value = trial.value(side)
        yield r"\infty" if isinstance(value, Infinite) else latex(value.to_sympy())


def _latex_of(instance: Instance) -> str:
    found = []
    for identity, (name, pair) in instance.pairs.items():
        if identity.mechanism is not None:
            continue
        if not isinstance(pair, FinitePair):
            raise LapdpError(f"{name} is no finite pair")
        for letter, masses in zip(identity.names, (pair.P, pair.Q), strict=True):
            inside = ", ".join(latex(sp.Rational(m.numerator, m.denominator)) for m in masses)
            found.append(rf"{latex(sp.Symbol(letter))} = \left({inside}\right)")
    found += [f"{latex(s)} = {latex(v)}" for s, v in instance.values.items()]
    found += [rf"{latex(s)} = \{{{', '.join(map(str, sorted(places)))}\}}"
              for s, places in instance.events.items()]
    return r",\; ".join(found)


__all__ = ["OPEN", "REFUTED", "Conjecture"]
