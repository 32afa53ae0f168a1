"""What every pair (P, Q) offers a researcher: notions, reversal, products, exactly.

A mechanism states its :class:`Model`; all notions here are views of it.  Answers hold for all
parameters that the mechanism admits: where they differ, they are a Piecewise in the parameters.
"""

from __future__ import annotations

import numbers
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING, Any, cast

import sympy as sp

from lapdp.calculus.convert import to_form
from lapdp.calculus.exact import Exact
from lapdp.calculus.export import by_cases, function_to_sympy, single_case
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.linear import Constraint
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.calculus.region import Region
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.privacy.certified import CertifiedNumbers
from lapdp.privacy.model import Infinite, Model
from lapdp.privacy.notions import cases
from lapdp.privacy.parameters import exact_parameter, exceeds

FAR = 10**5
"""From this eps on delta may be too small for any method."""

if TYPE_CHECKING:
    from lapdp.privacy.notions.characteristic import Characteristic
    from lapdp.privacy.notions.conversion import Conversion
    from lapdp.privacy.notions.loss import LossDistribution
    from lapdp.privacy.notions.loss_class import LossClass
    from lapdp.privacy.notions.moment import Moment, RenyiDivergence
    from lapdp.privacy.notions.profile import PrivacyProfile
    from lapdp.privacy.notions.tradeoff import TradeOff

ONE = Form.of(1)


class Pair(CertifiedNumbers, ABC):
    """One pair of probability distributions, in one direction.

    Subclasses are frozen dataclasses that give ``model``, ``constraints``, ``substitute`` and
    ``numeric_pair``; see :class:`lapdp.privacy.mechanism.Mechanism`.
    """

    # -- what a mechanism states ----------------------------------------------------------------

    @abstractmethod
    def model(self) -> Model:
        """The exact model of the pair (raises Unsupported outside the exact class)."""

    @abstractmethod
    def constraints(self) -> list[Constraint]:
        """What the parameters satisfy, as constraints for cells."""

    @abstractmethod
    def substitute(self, values: dict[Any, Any]) -> Any:
        """The pair at given parameter values, None where they are out of range."""

    @abstractmethod
    def numeric_pair(self, values: dict[Any, Any]) -> tuple[Any, ...]:
        """("finite", masses) or ("density", p, q, (lower, upper), kinks) at given parameters."""

    def model_in(self, cell: Cell) -> Model:
        """The model in one case of the parameters."""
        return self.model()

    def undivided_model(self) -> Model:
        """The model in the one case of all parameters; :class:`Unsupported` where they decide."""
        try:
            return self.model_in(Cell(self.constraints()))
        except NeedSplit as need:
            raise Unsupported(f"the model of {self!r} depends on the sign of {need.form}") from None

    def modelled(self, cell: Cell) -> Model | None:
        """The exact model, None where the pair has none in this case."""
        try:
            return self.model_in(cell)
        except Unsupported:
            return None

    @property
    def free_symbols(self) -> set[Any]:
        """The symbols among the parameters."""
        parts = (getattr(self, f.name) for f in fields(cast(Any, self)))
        return {s for part in parts for s in getattr(part, "free_symbols", ())}

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """How IPython and Hypothesis print it: as it is typed, not field by field."""
        printer.text(repr(self))

    def _repr_html_(self) -> str:
        from lapdp.report.html.things import pair_card

        return pair_card(self)

    # -- operations -----------------------------------------------------------------------------

    def reverse(self) -> Pair:
        """The pair (Q, P), equation (19) for the loss.

        >>> from lapdp import exponential
        >>> exponential(1, 2).reverse().reverse()
        exponential(1, 2)
        """
        from lapdp.privacy.operations import Reversed

        return Reversed(self)

    def __mul__(self, other: object) -> Pair:
        """The pair of product measures: two independent releases."""
        if not isinstance(other, Pair):
            _refuse_factor(other)
            return NotImplemented
        from lapdp.privacy.operations import joined

        return joined(self, other)

    def __rmul__(self, other: object) -> Pair:
        _refuse_factor(other)
        return NotImplemented

    def __add__(self, other: object) -> Pair:
        raise InputError("pairs are not added: * releases both together, and mixture() chooses "
                         "one of several by chance")

    __radd__ = __add__

    def __lt__(self, other: object) -> bool:
        raise _no_order(self, other)

    __le__ = __gt__ = __ge__ = __lt__

    def __pow__(self, k: object) -> Pair:
        """The k-fold product, k a whole number >= 1 or a symbol for one; else InputError."""
        from lapdp.privacy.operations import Power
        from lapdp.privacy.symbolic_powers import SymbolicPower

        count = copies(k)
        if not isinstance(count, int):
            return SymbolicPower(self, count)
        return self if count == 1 else Power(self, count)

    def post_process(self, channel: Any) -> Pair:
        """The pair after a channel on its finitely many outcomes: rows of probabilities.

        ``channel`` is a list of rows, one for each outcome in order, or for named outcomes a table
        ``{outcome: {new outcome: weight}}``.  Raises :class:`InputError` for a pair whose outcomes
        are no finite list (``coarsen`` makes one), and for rows that are no probabilities.

        >>> from lapdp import outcomes
        >>> coin = outcomes({"yes": ("2/3", "1/3"), "no": ("1/3", "2/3")})
        >>> coin.post_process({"yes": {"yes": 1}, "no": {"yes": "1/2", "no": "1/2"}})
        outcomes({"yes": (Rational(5, 6), Rational(2, 3)), "no": (Rational(1, 6), Rational(1, 3))})
        """
        from lapdp.privacy.channels import post_process

        return post_process(self, channel)

    # -- notions --------------------------------------------------------------------------------

    @property
    def profile(self) -> PrivacyProfile:
        """The privacy profile, equation (6); ``profile(t)`` is its value."""
        from lapdp.privacy.notions.profile import PrivacyProfile

        return PrivacyProfile(self)

    @property
    def loss(self) -> LossDistribution:
        """The privacy loss distribution PLD(P||Q), Definition 3.1."""
        from lapdp.privacy.notions.loss import LossDistribution

        return LossDistribution(self)

    def probabilistic(self, eps: Any = None) -> Any:
        """The least delta of (eps, delta)-probabilistic privacy in this direction, Pr[Z > eps].

        In both directions the larger of this and that of ``reverse()`` counts; with digits:
        ``loss.tail_at``.  Not closed under post-processing, see ``loss.tail``.

        >>> from lapdp import laplace
        >>> laplace(1).probabilistic(0), laplace(1).probabilistic(1)
        (1 - exp(-1/2)/2, 0)
        """
        return self.loss.tail(eps)

    @property
    def loss_class(self) -> LossClass:
        """The privacy loss class: mean and variance of the finite losses, and Pr[Z = oo].

        >>> from lapdp import gaussian
        >>> gaussian(1).loss_class
        LossClass(mean=1/2, variance=1, mass_at_infinity=0)
        """
        from lapdp.privacy.notions.loss_class import LossClass

        return LossClass(self)

    @property
    def moment(self) -> Moment:
        """The moment; ``moment(q)`` is E_q, the integral of P^q Q^(1-q), equation (8)."""
        from lapdp.privacy.notions.moment import Moment

        return Moment(self)

    @property
    def renyi(self) -> RenyiDivergence:
        """The Renyi divergence; ``renyi(q)`` is log(E_q)/(q - 1), equation (8)."""
        from lapdp.privacy.notions.moment import RenyiDivergence

        return RenyiDivergence(self)

    @property
    def tradeoff(self) -> TradeOff:
        """The trade-off function; ``tradeoff(a)`` is f_{P|Q}(a), equation (11)."""
        from lapdp.privacy.notions.tradeoff import TradeOff

        return TradeOff(self)

    @property
    def characteristic(self) -> Characteristic:
        """The characteristic function; ``characteristic(u)`` is E_P[e^(iu log(P/Q))]."""
        from lapdp.privacy.notions.characteristic import Characteristic

        return Characteristic(self)

    # -- what the notions ask a pair for: a pair outside the exact class answers in its own way ---

    def profile_value(self, t: Any) -> Any:
        """delta at a real symbol, an exact number or an expression."""
        if not t.free_symbols - self.free_symbols:
            try:
                point = to_form(t)
            except Unsupported:
                # such as sqrt(2): the breakpoints decide by themselves
                x = sp.Dummy("t", real=True)
                return self.profile_value(x).subs(x, t)
            return by_cases(self.constraints(), lambda cell: self.profile_at(point, cell))
        x = t if t.is_Symbol else sp.Dummy("t", real=True)
        found = by_cases(self.constraints(), lambda cell: self.profile_in(x, cell))
        return found if x is t else found.subs(x, t)

    def has_short_profile(self, count: int = 1) -> bool:
        """Does ``power_ball`` have a short formula for so many copies?"""
        return False

    def may_vanish(self, t: Any) -> bool:
        """May delta at t be too small to be written?  A choice, asked before a closed form."""
        return bool(exceeds(t, FAR))

    def power_ball(self, count: int, t: Any) -> Any:
        """``profile_ball`` of so many copies, by a formula that needs no model of the loss."""
        raise Unsupported(f"{self!r} has no short profile")

    def profile_ball(self, t: Any) -> Any:
        """delta at an exact number, an ``arb`` at the current working precision; no parameters."""
        from lapdp.privacy.ball_values import Point, profile_ball

        return profile_ball(self, Point.of("t", t))

    def cdf_ball(self, z: Any) -> Any:
        """Pr[Z <= z] likewise."""
        from lapdp.privacy.ball_values import Point, cdf_ball

        return cdf_ball(self, Point.of("z", z))

    def moment_balls(self, q: Any) -> Callable[[], Any]:
        """What gives E_q at an exact real order as an ``arb`` at the working precision; no
        parameters.  :class:`Undefined` where it is infinite."""
        from lapdp.privacy.ball_values import Point, expression_ball

        value = sp.sympify(self.moment_value(Point.of("q", q).exact))
        if value == sp.oo:
            raise Undefined(f"E_q is infinite at q = {Point.of('q', q).exact}")
        return lambda: expression_ball(value)

    def profile_in(self, x: Any, cell: Cell) -> Any:
        """The profile as an expression in ``x`` in one case."""
        return cases.profile_curve(self.model_in(cell), x, cell)

    def profile_at(self, point: Form, cell: Cell) -> Any:
        """The profile at one point in one case."""
        return cases.profile_value(self.model_in(cell), point, cell).to_sympy()

    def curve(self, of: Callable[[Model, Cell], Exact], x: Any) -> Any:
        """An exact function of the model as an expression in ``x``, or its value from the right."""
        if x.free_symbols - self.free_symbols:
            return by_cases(
                self.constraints(),
                lambda cell: function_to_sympy(of(self.model_in(cell), cell), x, cell))
        point = to_form(x)
        return by_cases(
            self.constraints(),
            lambda cell: of(self.model_in(cell), cell).limit(point, 1, cell).to_sympy())

    def moment_value(self, q: Any) -> Any:
        """E_q at an exact number, complex allowed, or a symbol."""
        order = _order(q)
        if exact_parameter("q", q, real=False).free_symbols:
            return by_cases(self.constraints(), lambda cell: self.formal_moment(order, cell))
        return by_cases(self.constraints(), lambda cell: cases.shown(self.moment_at(order, cell)))

    def moment_at(self, q: Form, cell: Cell) -> Scalar | Infinite:
        """E_q in one case, as a field element."""
        return cases.moment_value(self.model_in(cell), q, cell)

    def formal_moment(self, q: Form, cell: Cell) -> Any:
        """E_q for symbolic q in one case."""
        return cases.moment_formula(self.model_in(cell), q, cell)

    def moment_region(self) -> Region:
        """The strip of orders q, an open set, on which the expression of ``moment`` holds.

        Where P or Q have mass that the other has not, q = 1 or q = 0 are edges; E_1 = E_0 = 1 hold
        there by 0^0 = 1.

        >>> from lapdp import exponential, laplace
        >>> str(exponential(1, 2).moment_region()), str(laplace(1).moment_region())
        ('Re s < 2', 'all s')
        """
        found: Region = single_case(self.constraints(), self.region_in, "the region of E_q")
        return found

    def region_in(self, cell: Cell) -> Region:
        """The region of E_q in one case."""
        return cases.moment_region(self.model_in(cell), cell)

    def renyi_value(self, q: Any) -> Any:
        """R_q at an exact number or a symbol; +oo or -oo where E_q is 0 or oo at a real order."""
        order = _order(q)
        if order == ONE:
            raise Undefined("R_q is not defined at q = 1")
        order_shown = exact_parameter("q", q, real=False)
        if order_shown.free_symbols:
            found = by_cases(self.constraints(), lambda cell: self.formal_moment(order, cell))
            if found == 0:
                raise Undefined("R_q is not defined: E_q is 0 at every q between 0 and 1")
            return sp.log(found) / (order_shown - 1)

        def build(cell: Cell) -> Any:
            value = self.moment_at(order, cell)
            # where the parameters are symbols, a case of theirs must not spoil the others
            if not self.free_symbols and (
                    isinstance(value, Infinite) or cases.vanishes(value)):
                if not order_shown.is_real:
                    raise Undefined(f"R_q is not defined at q = {order_shown}: "
                                    f"E_q is {cases.shown(value)}")
                # log oo = oo and log 0 = -oo, over q - 1
                above = isinstance(value, Infinite) == bool(order_shown > 1)
                return sp.oo if above else -sp.oo
            return sp.log(cases.shown(value)) / (order_shown - 1)

        return by_cases(self.constraints(), build)

    def tradeoff_value(self, a: Any) -> Any:
        """f_{P|Q} at a symbol or an exact level in [0, 1]."""
        from lapdp.privacy.notions.tradeoff_curves import tradeoff

        return tradeoff(self, a)

    def characteristic_value(self, u: Any) -> Any:
        """The characteristic function at a real symbol or an exact number."""
        mass = self.mass_at_infinity
        if u != 0 and mass != 0:
            raise Undefined(f"the characteristic function does not exist: Pr[Z = oo] = {mass}")
        return self.moment_value(1 + sp.I * u)

    def certify(self, source: str, target: str) -> Conversion:
        """The certificate behind ``pair.profile.convert("loss")`` and its like."""
        from lapdp.privacy.notions.conversion import certify

        return certify(self, source, target)

    def same_loss(self, other: Pair) -> bool:
        """Have two pairs the same privacy loss, for all their parameters?"""
        from lapdp.privacy.notions.equality import same_loss

        if self != other and type(other).same_loss is not Pair.same_loss:
            # a pair outside the exact class knows what its loss can equal
            return other.same_loss(self)
        return same_loss(self, other)

    # -- masses ---------------------------------------------------------------------------------

    def infinite_masses(self, cell: Cell) -> tuple[Scalar, Scalar]:
        """P-mass where Q has none, and Q-mass where P has none."""
        model = self.model_in(cell)
        return model.p_infinite, model.q_infinite

    @property
    def mass_at_infinity(self) -> Any:
        """Pr[Z = oo], the P-mass where Q has none.

        >>> from lapdp import randomized_response
        >>> (randomized_response(1, "1/10") ** 2).mass_at_infinity
        19/100
        """
        return self.infinite_mass()

    def infinite_mass(self) -> Any:
        """Pr[Z = oo] as a SymPy expression."""
        return by_cases(self.constraints(),
                        lambda cell: self.infinite_masses(cell)[0].to_sympy())

    @property
    def is_absolutely_continuous(self) -> bool:
        """P << Q: where Q has no mass P has none."""
        return self._vanishes(0, "P << Q")

    @property
    def is_reverse_absolutely_continuous(self) -> bool:
        """Q << P: where P has no mass Q has none."""
        return self._vanishes(1, "Q << P")

    def _vanishes(self, side: int, what: str) -> bool:
        return bool(single_case(self.constraints(),
                                lambda cell: not cell.nonzero(self.infinite_masses(cell)[side]),
                                what))

    def variable(self, name: str, given: Any = None) -> Any:
        """The real variable or point that a curve is asked at."""
        if given is not None:
            return exact_parameter(name, given)
        if name in {s.name for s in self.free_symbols}:
            raise InputError(f"{name} is a parameter of {self}: name another variable")
        return sp.Symbol(name, real=True)


def _refuse_factor(other: object) -> None:
    """What is no pair beside one: a number is refused with a hint, the rest is left to Python."""
    if isinstance(other, (numbers.Number, str, sp.Expr)):
        raise InputError(f"a pair times {str(other)[:40]}: copies are written as a power, such as "
                         "laplace(1)**3")


def _no_order(pair: Pair, other: object) -> InputError:
    """Pairs are compared by what they guarantee, in words."""
    if isinstance(other, Pair):
        return InputError("pairs are not numbers: whether one guarantees no less than another is "
                          f"asked by dominates({pair!r}, {other!r})")
    return InputError(f"{pair!r} is a pair of distributions, no number: compare its delta(eps) or "
                      "epsilon(delta)")


def copies(k: Any) -> Any:
    """A number of copies: a whole number >= 1, or an expression known to be one.

    >>> copies(3), copies(sp.Symbol("k", integer=True, positive=True))
    (3, k)
    """
    if isinstance(k, sp.Expr) and k.free_symbols:
        if not (k.is_integer and k.is_positive):
            raise InputError(f"the power {str(k)[:40]} must be a whole number >= 1: declare "
                             'Symbol("k", integer=True, positive=True)')
        return k
    if not isinstance(k, numbers.Integral) or isinstance(k, bool) or k < 1:
        what = f"the text {k[:40]!r}" if isinstance(k, str) else str(k)[:40]
        raise InputError(f"the power of a pair must be a whole number >= 1, not {what}")
    return int(k)


def _order(q: Any) -> Form:
    order = exact_parameter("q", q, real=False)
    try:
        return to_form(sp.expand(order))
    except Unsupported:
        raise Unsupported(f"q = {order} lies outside the exact class: write rationals, logs of "
                          "rationals, pi, I and symbols") from None
