"""Numbers with a proof that every pair gives: facades of the room that computes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from lapdp.core.calls import fitting

if TYPE_CHECKING:
    from lapdp.accounting.answers import Answer
    from lapdp.accounting.doubles.batch import Batch
    from lapdp.privacy.pair import Pair


class CertifiedNumbers:
    """What a :class:`lapdp.privacy.pair.Pair` passes on to :mod:`lapdp.accounting`."""

    @fitting
    def delta(self, eps: Any, digits: int | None = None, method: str | None = None) -> Answer:
        """delta(eps) with a proof of its digits: see :func:`lapdp.accounting.delta.delta`."""
        from lapdp.accounting.delta import delta

        return delta(cast("Pair", self), eps, digits, method)

    @fitting
    def epsilon(self, delta: Any, digits: int | None = None) -> Answer:
        """The least eps >= 0 for a delta: see :func:`lapdp.accounting.epsilon.epsilon`."""
        from lapdp.accounting.epsilon import epsilon

        return epsilon(cast("Pair", self), delta, digits)

    @fitting
    def probabilistic_delta(self, eps: Any, digits: int = 15) -> Answer:
        """Pr[Z > eps], the least delta of probabilistic privacy in this direction: see
        :func:`lapdp.accounting.probabilistic.probabilistic_delta`."""
        from lapdp.accounting.probabilistic import probabilistic_delta

        return probabilistic_delta(cast("Pair", self), eps, digits)

    @fitting
    def probabilistic_epsilon(self, delta: Any, digits: int = 15) -> Answer:
        """The least eps >= 0 of probabilistic privacy for a delta: see
        :func:`lapdp.accounting.probabilistic.probabilistic_epsilon`."""
        from lapdp.accounting.probabilistic import probabilistic_epsilon

        return probabilistic_epsilon(cast("Pair", self), delta, digits)

    @fitting
    def normal_approximation(self, eps: Any, copies: Any = 1, digits: int = 15) -> Answer:
        """Bounds of delta by the theorem of Berry and Esseen: see
        :func:`lapdp.accounting.normal_approximation.normal_approximation`."""
        from lapdp.accounting.normal_approximation import normal_approximation

        return normal_approximation(cast("Pair", self), eps, copies, digits)

    @fitting
    def class_estimate(self, eps: Any, copies: Any = 1, digits: int = 15) -> Answer:
        """delta by the privacy loss class alone, an estimate: see
        :func:`lapdp.accounting.normal_approximation.class_estimate`."""
        from lapdp.accounting.normal_approximation import class_estimate

        return class_estimate(cast("Pair", self), eps, copies, digits)

    @fitting
    def deltas(self, eps: Any, copies: Any = 1) -> Batch:
        """delta at arrays of doubles: see :func:`lapdp.accounting.doubles.deltas.deltas`."""
        from lapdp.accounting.doubles.deltas import deltas

        return deltas(cast("Pair", self), eps, copies)

    @fitting
    def epsilons(self, delta: Any, copies: Any = 1) -> Batch:
        """epsilon at arrays of doubles: see
        :func:`lapdp.accounting.doubles.epsilons.epsilons`."""
        from lapdp.accounting.doubles.epsilons import epsilons

        return epsilons(cast("Pair", self), delta, copies)


__all__ = ["CertifiedNumbers"]
