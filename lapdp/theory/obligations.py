"""What must hold at a leaf of a case tree, in a form that the core can check again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lapdp.calculus.exact import Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.linear import Constraint
from lapdp.calculus.ordering import Cell, Condition, EmptyCell, NeedSplit
from lapdp.calculus.transform import region
from lapdp.core.checked import Checked
from lapdp.core.verdict import Proof, Rejected, check_tree

Path = tuple[tuple[Any, str], ...]


@dataclass(frozen=True)
class Vanishes:
    """A defect that is identically zero in the case."""

    base: tuple[Condition, ...]
    defect: Scalar
    what: str

    def discharge(self, path: Path) -> None:
        """Zero numerator after the equalities of the path."""
        if not Cell(self.base, path).vanishes(self.defect):
            raise Rejected(f"{self.what}: the defect {self.defect} is not zero")

    def describe(self) -> str:
        """One line."""
        return f"{self.what}: the two sides agree"


@dataclass(frozen=True)
class HasSign:
    """A real difference with a definite sign in the case (relation '>', '>=', '=' or '!=')."""

    base: tuple[Condition, ...]
    difference: Scalar
    relation: str
    what: str

    def discharge(self, path: Path) -> None:
        """Ask the cell again."""
        cell = Cell(self.base, path)
        try:
            if self.relation == "!=":
                holds = cell.nonzero(self.difference)
            else:
                sign = cell.sign_of(self.difference)
                holds = {">": sign > 0, ">=": sign >= 0, "=": sign == 0}[self.relation]
        except NeedSplit as need:
            raise Rejected(f"{self.what}: the sign of {need.form} is open") from None
        if not holds:
            raise Rejected(f"{self.what}: {self.difference} is not {self.relation} 0")

    def describe(self) -> str:
        """One line."""
        return f"{self.what}: {self.difference} {self.relation} 0"


@dataclass(frozen=True)
class Entailed:
    """An inequality that hypotheses on real numbers imply by linear reasoning, each monomial a
    variable; with ``products`` also from products of two hypotheses or positive symbols."""

    base: tuple[Constraint, ...]
    form: Form
    relation: str
    products: bool = False

    def discharge(self, path: Path) -> None:
        """The hypotheses are consistent and exclude the opposite."""
        found = list(self.base)
        if self.products:
            signed = [g for g, relation in self.base if relation != "="]
            signed += [Form.atom(x) for x in self.form.atoms() if x.is_positive]
            found += [(g * h, ">=") for k, g in enumerate(signed) for h in signed[:k]]
        cell = Cell(found, path)
        if Cell(self.base, path).is_empty():
            raise Rejected("the hypotheses contradict each other")
        if not cell.entails(self.form, self.relation):
            raise Rejected(f"{self.form} {self.relation} 0 is not implied")

    def describe(self) -> str:
        """One line."""
        return f"{self.form} {self.relation} 0"


def _inside(f: Exact, s: Form, cell: Cell, what: str) -> bool:
    try:
        return region(f, cell).contains(s, cell)
    except NeedSplit as need:
        raise Rejected(f"{what}: the sign of {need.form} is open") from None


@dataclass(frozen=True)
class NoPartner:
    """A kernel without P-mass (or Q-mass) where the hypotheses exclude every kernel that has it.

    A pair of probability distributions needs both masses, so the case is empty.
    """

    trees: tuple[Any, ...]
    what: str

    def discharge(self, path: Path) -> None:
        """Check the exclusion of each partner again."""
        for tree in self.trees:
            check_tree(tree, path, self.what)

    def describe(self) -> str:
        """One line."""
        return f"{self.what}: no pair has this kernel here"


@dataclass(frozen=True)
class DivergesHere:
    """A transform of a non-negative function that diverges in the case."""

    base: tuple[Condition, ...]
    function: Exact
    frequency: Form
    what: str

    def discharge(self, path: Path) -> None:
        """Evaluate again: it must diverge."""
        if _inside(self.function, self.frequency, Cell(self.base, path), self.what):
            raise Rejected(f"{self.what}: the transform converges")

    def describe(self) -> str:
        """One line."""
        return f"{self.what}: the transform diverges at s = {self.frequency}"


@dataclass(frozen=True)
class ConvergesHere:
    """A transform that converges absolutely in the case."""

    base: tuple[Condition, ...]
    function: Exact
    frequency: Form
    what: str

    def discharge(self, path: Path) -> None:
        """Evaluate again: it must converge."""
        if not _inside(self.function, self.frequency, Cell(self.base, path), self.what):
            raise Rejected(f"{self.what}: the transform diverges")

    def describe(self) -> str:
        """One line."""
        return f"{self.what}: the transform converges at s = {self.frequency}"


@dataclass(frozen=True)
class ExcludedBy:
    """The case contradicts a hypothesis a != b: there a - b = 0."""

    base: tuple[Condition, ...]
    gap: Form
    what: str

    def discharge(self, path: Path) -> None:
        """The gap must vanish on the path."""
        cell = Cell(self.base, path)
        real, imag = self.gap.substitute(cell.values).split_complex()
        try:
            if cell.sign(real) == 0 and cell.sign(imag) == 0:
                return
        except NeedSplit as need:
            raise Rejected(f"{self.what}: the sign of {need.form} is open") from None
        raise Rejected(f"{self.what}: the hypothesis does not exclude the case")

    def describe(self) -> str:
        """One line."""
        return f"{self.what}: excluded by hypothesis"


@dataclass(frozen=True)
class InfiniteHere:
    """A hypothesis declares an expression finite that is +oo, or has no value, in the case."""

    base: tuple[Condition, ...]
    infinite: Callable[[Cell], bool]
    what: str

    def discharge(self, path: Path) -> None:
        """Evaluate again."""
        try:
            if self.infinite(Cell(self.base, path)):
                return
        except NeedSplit as need:
            raise Rejected(f"{self.what}: the sign of {need.form} is open") from None
        raise Rejected(f"{self.what} is finite: the hypothesis does not exclude the case")

    def describe(self) -> str:
        """One line."""
        return f"{self.what} is infinite, excluded by hypothesis"


@dataclass(frozen=True)
class InfiniteBothSides(InfiniteHere):
    """Both sides are +oo (integrals of non-negative functions)."""

    def describe(self) -> str:
        """One line."""
        return f"{self.what}: both sides are +oo"


@dataclass(frozen=True)
class NoMass:
    """Kernels without P-mass: a pair has others as well, and one that diverges suffices."""

    base: tuple[Condition, ...]
    masses: tuple[Scalar, ...]
    what: str

    def discharge(self, path: Path) -> None:
        """One of the masses must vanish."""
        values = Cell(self.base, path).values
        if not any(m.substitute(values).is_zero() for m in self.masses):
            raise Rejected(f"{self.what}: the kernel has P-mass")

    def describe(self) -> str:
        """One line."""
        return f"{self.what}: no P-mass, other kernels carry the claim"


@dataclass(frozen=True)
class ByProof:
    """A lemma with a sealed proof of its own."""

    proof: Proof
    what: str

    def discharge(self, path: Path) -> None:
        """Only the core makes a Proof: having one is enough."""
        if not isinstance(self.proof, Proof):
            raise Rejected(f"{self.what}: there is no proof of it")

    def describe(self) -> str:
        """One line."""
        cases = "1 case" if self.proof.cells == 1 else f"{self.proof.cells} cases"
        return f"{self.what}: by {self.proof.method}, {cases}"


@dataclass(frozen=True)
class ByDerivation:
    """A lemma of which the kernel accepted a derivation."""

    checked: Checked
    what: str

    def discharge(self, path: Path) -> None:
        """Only the core makes a Checked, of what the kernel accepted: having one is enough."""
        if not isinstance(self.checked, Checked):
            raise Rejected(f"{self.what}: the kernel accepted nothing")

    def describe(self) -> str:
        """One line."""
        return f"{self.what}: the kernel accepted a derivation of {self.checked.steps} steps"


@dataclass(frozen=True)
class NoWeight(HasSign):
    """A kernel on which something is positive that is >= 0 on all kernels, by ``proof``, and 0 by
    hypothesis: the kernel has no weight."""

    proof: Proof | None = None

    def discharge(self, path: Path) -> None:
        """Only the core makes a Proof; the sign is asked again."""
        if not isinstance(self.proof, Proof):
            raise Rejected(f"{self.what}: nothing proves that the hypothesis is one-sided")
        super().discharge(path)


@dataclass(frozen=True)
class Fails:
    """The claim fails in the case: never discharged, kept to derive hypotheses."""

    reason: str
    defect: Scalar | None = None
    sign: int = 0

    def discharge(self, path: Path) -> None:
        """Always refuses."""
        raise Rejected(self.reason)

    def describe(self) -> str:
        """One line."""
        return f"fails: {self.reason}"


PASSIVE = (EmptyCell, ExcludedBy, DivergesHere, InfiniteHere, NoPartner, NoWeight)
"""Obligations of cases that hypotheses exclude: they carry no part of a claim of equality."""
