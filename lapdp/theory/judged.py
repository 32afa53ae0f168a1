"""What was said of a statement, together with the statement: so it can be shown."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Self

from lapdp.core.verdict import HOLDS, Judgement, Kind
from lapdp.theory.statement import Statement

if TYPE_CHECKING:
    from lapdp.report.cards import Card


@dataclass(frozen=True, repr=False)
class Judged(Judgement):
    """A judgement that knows its statement: one line where it is printed, a card in a notebook.

    >>> from lapdp import verify
    >>> from lapdp.theory import *
    >>> P, Q = pair(); eps = reals("eps")
    >>> verify(claim("mine", delta(P, Q)(eps) <= 0), numeric=False, search=False)
    Judged(mine: refuted, at P, Q = mechanism_pair(finite([1, 0], ["1/2", "1/2"])); eps = 0)
    """

    statement: Statement = field(kw_only=True, compare=False)
    """What was judged."""

    @classmethod
    def of(cls, statement: Statement, judgement: Judgement) -> Self:
        """A judgement with its statement."""
        told = {f.name: getattr(judgement, f.name) for f in fields(Judgement)}
        if judgement.kind is Kind.UNDECIDED and not judgement.reason:
            told["reason"] = "; ".join(judgement.tried)
        return cls(**told, statement=statement)

    def __bool__(self) -> bool:
        raise TypeError("a verdict is no truth value, there are eight kinds: compare .kind, as in "
                        'verify(...).kind == "proved"')

    def __repr__(self) -> str:
        return f"Judged({self.statement.id}: {self.kind}{self._because()})"

    def _because(self) -> str:
        if self.witness is None:
            how = (f"by {self.method}" if self.checked is None
                   else "the kernel accepted a derivation")
            # what is remarked of a proof does not stand for it
            said = self.reason or how
            if self.reason and self.kind in HOLDS:
                said = f"{how}; {self.reason}"
        else:
            said = "at " + "; ".join([*self.witness.text.splitlines(), *(
                f"{name} = {value}" for name, value in self.witness.values.items()
                if f"{name} = {value}" not in self.witness.text)])
        return f", {' '.join(said.split())}"

    def _card(self) -> Card:
        from lapdp.report.cards import Card

        return Card(self.statement, self)

    def __str__(self) -> str:
        return str(self._card())

    def _repr_markdown_(self) -> str:
        return self._card()._repr_markdown_()

    def _repr_html_(self) -> str:
        return self._card()._repr_html_()


__all__ = ["Judged"]
