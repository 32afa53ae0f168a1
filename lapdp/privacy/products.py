"""Models of products of pairs: the loss of a product is the sum of independent losses.

Factors with rational poles are multiplied as one polynomial; what remains, such as rates that are
symbols, is convolved one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, TypeVar, overload

from lapdp.calculus.collected import Collected
from lapdp.calculus.exact import Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.ordering import Cell
from lapdp.calculus.polynomials import collect, rational_poles
from lapdp.calculus.transform import convolve
from lapdp.privacy.model import Atom, Model

T = TypeVar("T")


def multiply(factors: Sequence[tuple[Model, int]], cell: Cell) -> Model:
    """The model of a product of powers of normalised pairs.

    Raises :class:`Unsupported` where the closed form has too many terms.
    """
    p_rest = q_rest = Scalar.of(1)
    for model, count in factors:
        p_rest = p_rest * (1 - model.p_infinite) ** count
        q_rest = q_rest * (1 - model.q_infinite) ** count
    if len(factors) == 1 and factors[0][1] == 1:
        return factors[0][0]
    loss = sum_of_losses([(model.loss, count) for model, count in factors], cell)
    atoms = None
    if isinstance(loss, Collected) and all(model.atoms is not None for model, _ in factors):
        atoms = CollectedAtoms(loss)
    return Model(loss, 1 - p_rest, 1 - q_rest, atoms)


def sum_of_losses(losses: Sequence[tuple[Exact, int]], cell: Cell) -> Exact:
    """The law of a sum of independent losses, each taken a number of times.

    Each law and e^-z times it are finite measures, so all transforms converge on 0 <= Re s <= 1.
    The law is 0 where a factor has no finite loss.
    """
    if any(f.is_zero() for f, _ in losses):
        return Collected((), ())
    rational = [(f, n) for f, n in losses if rational_poles(f, cell) is not None]
    others = [(f, n) for f, n in losses if rational_poles(f, cell) is None]
    found: Exact | None = collect(rational, cell) if rational else None
    for f, n in others:
        power = repeated(f, n, lambda x, y: convolve(x, y, cell))
        found = power if found is None else convolve(found, power, cell)
    return Exact.impulse(0) if found is None else found


def repeated(x: T, count: int, join: Callable[[T, T], T]) -> T:
    """The power of an associative operation, by repeated squaring.

    >>> repeated("ab", 3, str.__add__)
    'ababab'
    """
    result: T | None = None
    while True:
        if count % 2:
            result = x if result is None else join(result, x)
        count //= 2
        if not count:
            assert result is not None
            return result
        x = join(x, x)


class CollectedAtoms(Sequence[Atom]):
    """The atoms of a law that has nothing else, written out when they are asked for."""

    def __init__(self, loss: Collected) -> None:
        self.loss = loss

    @cached_property
    def _found(self) -> tuple[Atom, ...]:
        return tuple(Atom(orders[0], orders[0] * Scalar.exp(-z), z)
                     for z, orders in self.loss.impulses.items())

    def __len__(self) -> int:
        return len(self.loss.strata)

    @overload
    def __getitem__(self, j: int) -> Atom: ...

    @overload
    def __getitem__(self, j: slice) -> Sequence[Atom]: ...

    def __getitem__(self, j: Any) -> Any:
        return self._found[j]

    def __iter__(self) -> Iterator[Atom]:
        return iter(self._found)


__all__ = ["CollectedAtoms", "multiply", "repeated", "sum_of_losses"]
