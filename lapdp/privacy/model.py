"""Exact models of a pair (P, Q): what the calculus needs to know of a mechanism.

A model holds the finite part of the privacy loss distribution as an exact measure, the P-mass at
loss +oo (where Q vanishes) and the Q-mass where P vanishes.  Models may be unnormalised: the
point-mass kernels k(z) = (1, e^-z), k(+oo) = (1, 0), k(-oo) = (0, 1) are models too, and every pair
is a mixture of them.  Atomic models keep their atoms, so that definitions are applied to masses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from lapdp.calculus.collected import Collected
from lapdp.calculus.exact import ZERO, Exact, Terms, _put
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.calculus.sums import total
from lapdp.calculus.transform import Divergent, bilateral, convolve
from lapdp.core.errors import InputError, Undefined, Unsupported

ONE = Form.of(1)
MAX_OPEN = 40
"""Losses that a point may be compared with by splitting cases."""


@dataclass(frozen=True)
class Infinite:
    """The value +oo (sign 1), as of a divergent integral of a non-negative function, or -oo."""

    sign: int = 1

    def __repr__(self) -> str:
        return "oo" if self.sign > 0 else "-oo"

    def __str__(self) -> str:
        return "+oo" if self.sign > 0 else "-oo"


INFINITE = Infinite()


class Atom(NamedTuple):
    """P-mass a, Q-mass b = a e^-z and loss z of one outcome."""

    a: Scalar
    b: Scalar
    z: Form


@dataclass(frozen=True)
class Model:
    """One pair, or kernel, in one direction."""

    loss: Exact
    p_infinite: Scalar
    q_infinite: Scalar
    atoms: Sequence[Atom] | None = None
    outcomes: Mapping[str, tuple[Scalar, Scalar]] | None = None
    """(P-mass, Q-mass) by name, where the outcomes have names."""

    @staticmethod
    def of_atoms(atoms: tuple[Atom, ...], p_infinite: Any = 0, q_infinite: Any = 0) -> Model:
        """A finite pair, or a kernel."""
        impulses: dict[Form, dict[int, Scalar]] = {}
        for atom in atoms:
            _put(impulses.setdefault(atom.z, {}), 0, atom.a)
        return Model(Exact(impulses=impulses), Scalar.of(p_infinite), Scalar.of(q_infinite), atoms)

    @staticmethod
    def of_masses(masses: tuple[tuple[Scalar, Scalar], ...]) -> Model:
        """A finite pair from its masses; the ratio of two masses must be an exponential."""
        atoms: list[Atom] = []
        p_infinite = q_infinite = Scalar.of(0)
        for a, b in masses:
            if a.is_zero():
                q_infinite = q_infinite + b
            elif b.is_zero():
                p_infinite = p_infinite + a
            else:
                atoms.append(Atom(a, b, _log(a / b)))
        return Model.of_atoms(tuple(atoms), p_infinite, q_infinite)

    def reverse(self) -> Model:
        """The pair (Q, P), equation (19): f_Z'(y) = e^y f_Z(-y)."""
        atoms = None if self.atoms is None else tuple(Atom(b, a, -z) for a, b, z in self.atoms)
        named = None if self.outcomes is None else {
            name: (b, a) for name, (a, b) in self.outcomes.items()}
        return Model(self.loss.reflect().tilt(ONE), self.q_infinite, self.p_infinite, atoms, named)

    def p_mass(self, cell: Cell) -> Scalar:
        """P(Omega)."""
        return bilateral(self.loss, ZERO, cell) + self.p_infinite

    def q_mass(self, cell: Cell) -> Scalar:
        """Q(Omega)."""
        return bilateral(self.loss, ONE, cell) + self.q_infinite

    def product(self, other: Model, cell: Cell) -> Model:
        """(P1 x P2, Q1 x Q2): losses add; k(+oo) k(-oo) = 0."""
        p_infinite = (self.p_infinite * other.p_mass(cell)
                      + other.p_infinite * (self.p_mass(cell) - self.p_infinite))
        q_infinite = (self.q_infinite * other.q_mass(cell)
                      + other.q_infinite * (self.q_mass(cell) - self.q_infinite))
        if self.atoms is not None and other.atoms is not None:
            atoms = tuple(Atom(x.a * y.a, x.b * y.b, x.z + y.z)
                          for x in self.atoms for y in other.atoms)
            return Model.of_atoms(atoms, p_infinite, q_infinite)
        return Model(convolve(self.loss, other.loss, cell), p_infinite, q_infinite)

    def profile(self, cell: Cell) -> Exact:
        """The privacy profile as a function of eps, equation (6).

        Each outcome contributes max(0, a - b e^eps) = (a - b e^eps) for eps < z, 0 from z on.
        """
        found, lost = self.finite_profile(cell), self.p_infinite
        return found if lost.is_zero() else found + Exact.term(lost)

    def finite_profile(self, cell: Cell) -> Exact:
        """What the finite losses contribute."""
        if isinstance(self.loss, Collected):
            return self.loss.against_hinge()
        if self.atoms is None:
            hinge = (Exact.term(1) - Exact.term(1, ONE)).before(ZERO, cell)
            return convolve(self.loss, hinge, cell)
        jumps: dict[Form, Terms] = {}
        for a, b, z in self.atoms:
            falling = jumps.setdefault(z, {})
            _put(falling, (ZERO, 0), -a)
            _put(falling, (ONE, 0), b * Scalar.exp(z))
        p, q = total(x.a for x in self.atoms), total(x.b for x in self.atoms)
        return Exact.term(p) - Exact.term(q, ONE) + Exact(jumps=jumps)

    def profile_at(self, point: Form, cell: Cell) -> Scalar:
        """The profile, a continuous function, at one point; many atoms are added up at once."""
        if self.atoms is None:
            found = self.finite_profile(cell).limit(point, 1, cell)
            return found + self.p_infinite.substitute(cell.values)
        above: list[Atom] = []
        pending: list[NeedSplit] = []
        for atom in self.atoms:
            try:
                if cell.sign(atom.z - point) > 0:
                    above.append(atom)
            except NeedSplit as need:
                pending.append(need)
        if len(pending) > MAX_OPEN:
            raise Unsupported(f"the order of a point and {len(pending)} losses is open")
        if pending:
            raise pending[len(pending) // 2]
        if not above:
            return self.p_infinite.substitute(cell.values)
        p, q = total(x.a for x in above), total(x.b for x in above)
        return (self.p_infinite + p - q * Scalar.exp(point)).substitute(cell.values)

    def cdf(self, cell: Cell) -> Exact:
        """Pr[Z <= x] as a function of x (a limit from the left gives Pr[Z < x])."""
        if isinstance(self.loss, Collected):
            return self.loss.integrated()
        return self.loss.primitive(cell)

    def moment(self, q: Form, cell: Cell) -> Scalar | Infinite:
        """E_q, equation (8): finite losses by their transform, outcomes of one-sided mass by
        the sign of Re q - 1 and Re q (0^0 = 1)."""
        total = Scalar.of(0)
        for mass, distance in ((self.p_infinite, ONE - q), (self.q_infinite, q)):
            power = zero_power(distance, cell) if cell.nonzero(mass) else Scalar.of(0)
            if isinstance(power, Infinite):
                return power
            total = total + mass * power
        try:
            return total + bilateral(self.loss, ONE - q, cell)
        except Divergent:
            if q.substitute(cell.values) != q.substitute(cell.values).real_part():
                raise
            return INFINITE


def zero_power(exponent: Form, cell: Cell) -> Scalar | Infinite:
    """0^exponent by continuity: 0 for Re > 0, oo for Re < 0, 1 at exponent 0."""
    real, imag = exponent.substitute(cell.values).split_complex()
    sign = cell.sign(real)
    if sign > 0:
        return Scalar.of(0)
    if cell.sign(imag) != 0:
        raise Undefined(f"0^({exponent}) has no value for complex exponents with Re <= 0")
    return INFINITE if sign < 0 else Scalar.of(1)


def _log(ratio: Scalar) -> Form:
    from lapdp.calculus.form import log_of_rational

    shape = ratio.as_exponential()
    if shape is None or shape[0] <= 0:
        raise InputError(f"the likelihood ratio {ratio} must be an exact positive constant or "
                         "exponential of the parameters")
    return log_of_rational(shape[0]) + shape[1]


def finite_kernel(z: Form) -> Model:
    """k(z) = (P: 1, Q: e^-z)."""
    return Model.of_atoms((Atom(Scalar.of(1), Scalar.exp(-z), z),))


PLUS_KERNEL = Model.of_atoms((), p_infinite=1)
MINUS_KERNEL = Model.of_atoms((), q_infinite=1)
