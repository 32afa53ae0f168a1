"""What the five notions of a pair have in common: each is a view of one pair (P, Q)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

import sympy as sp

from lapdp.core.errors import InputError, LapdpError

if TYPE_CHECKING:
    from lapdp.privacy.notions.characteristic import Characteristic
    from lapdp.privacy.notions.conversion import Conversion
    from lapdp.privacy.notions.loss import LossDistribution
    from lapdp.privacy.notions.moment import Moment, RenyiDivergence
    from lapdp.privacy.notions.profile import PrivacyProfile
    from lapdp.privacy.notions.tradeoff import TradeOff
    from lapdp.privacy.pair import Pair


@dataclass(frozen=True)
class Notion:
    """One notion of a pair; subclasses are called with a point or a variable.

    The other notions of the same pair are its attributes; :meth:`convert` gives a certificate that
    the map to them is exact.

    >>> from lapdp import laplace
    >>> laplace(1).profile.loss.moment.profile == laplace(1).profile
    True
    """

    pair: Pair
    name: ClassVar[str]
    """What the pair calls it: ``pair.profile``."""
    letter: ClassVar[str]
    """Its variable where none is given."""
    title: ClassVar[str]
    """What it is, in words."""
    sign: ClassVar[str]
    """How LaTeX writes it."""

    @property
    def profile(self) -> PrivacyProfile:
        """The privacy profile of the pair."""
        return self.pair.profile

    @property
    def loss(self) -> LossDistribution:
        """The privacy loss distribution of the pair."""
        return self.pair.loss

    @property
    def moment(self) -> Moment:
        """The moment of the pair."""
        return self.pair.moment

    @property
    def renyi(self) -> RenyiDivergence:
        """The Renyi divergence of the pair."""
        return self.pair.renyi

    @property
    def characteristic(self) -> Characteristic:
        """The characteristic function of the pair."""
        return self.pair.characteristic

    @property
    def tradeoff(self) -> TradeOff:
        """The trade-off function of the pair."""
        return self.pair.tradeoff

    def reverse(self) -> Self:
        """The same notion of the pair (Q, P).

        >>> from lapdp import exponential
        >>> exponential(1, 2).profile.reverse()(0)
        1/4
        """
        found: Self = getattr(self.pair.reverse(), self.name)
        return found

    def convert(self, target: str) -> Conversion:
        """A certificate that the map to ``target`` is exact for this pair.

        ``target`` is "profile", "loss", "moment", "characteristic", "tradeoff", or "reverse" for
        the pair (Q, P).  Raises :class:`InputError` for other words, :class:`Undefined` where a
        notion does not exist, :class:`Unsupported` where no certificate is reached.

        >>> import sympy as sp
        >>> from lapdp import geometric
        >>> print(geometric(sp.Symbol("eps", positive=True)).moment.convert("profile"))
        geometric(eps, 1).moment -> geometric(eps, 1).profile, exact
          by       delta - 1 = B^-1{E_(1-s)/(s (s - 1))} on 0 < Re s < 1
          domain   all real t
          checked  E_q = q (q - 1) B{delta - 1}(1 - q) gives the moment back
        """
        return self.pair.certify(self.name, target)

    def equals(self, other: object) -> bool:
        """Are two notions equal as mathematics, for all parameters?  Decided exactly.

        Raises :class:`InputError` for different notions, :class:`Unsupported` where neither
        equality nor a point of difference is found.

        >>> import sympy as sp
        >>> from lapdp import geometric, laplace, randomized_response
        >>> eps = sp.Symbol("eps", positive=True)
        >>> geometric(eps).profile.equals(randomized_response(eps).profile)
        True
        >>> laplace(1).moment.equals(laplace(2).moment)
        False
        """
        if not isinstance(other, Notion) or other.name != self.name:
            raise InputError(f"compare a {self.name} with a {self.name}")
        return self.pair.same_loss(other.pair)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """How IPython and Hypothesis print it: as it is typed, not field by field."""
        printer.text(repr(self))

    def _repr_latex_(self) -> str | None:
        return _shown(self)

    def _repr_html_(self) -> str:
        from lapdp.report.html.things import notion_card

        return notion_card(self)

    @property
    def free_symbols(self) -> set[Any]:
        """The parameters."""
        return self.pair.free_symbols

    # -- export -----------------------------------------------------------------------------------

    def value(self, x: Any = None) -> Any:
        """The notion at a point, or as a curve in its variable."""
        return sp.sympify(cast(Any, self)(x))

    def to_sympy(self) -> Any:
        """The closed form in :attr:`letter`, a SymPy expression."""
        return self.value()

    def curves(self) -> dict[str, Any]:
        """The functions of :attr:`letter` that code is written for, by name."""
        return {self.name: self.value()}

    def domain(self, x: Any) -> Any:
        """Where the closed form holds, as a condition on ``x``."""
        return sp.true

    def text(self) -> str:
        """The closed form as an equation, a case a line.

        >>> from lapdp import exponential
        >>> print(exponential(1, 2).profile.text())
        delta(t) = 1 - e^t   if t < -log(2)
                 = e^(-t)/4  if t >= -log(2)
        """
        return self._written("text")

    def latex(self) -> str:
        """The closed form in LaTeX.

        >>> from lapdp import gaussian
        >>> print(gaussian(1).renyi.latex())
        \\frac{q}{2}
        """
        return self._written("latex")

    def code(self, language: str = "mpmath") -> str:
        """Source code of functions that evaluate the closed form: ``mpmath`` or ``numpy``.

        Code for mpmath works at any precision; code for NumPy takes arrays, evaluates each formula
        only where it applies, and imports SciPy only where the form has an error function.  Raises
        :class:`InputError` for another language, :class:`Unsupported` without a closed form.

        >>> from lapdp import randomized_response
        >>> module = {}
        >>> exec(randomized_response(sp.log(3)).profile.code(), module)
        >>> module["profile"](0)
        mpf('0.5')
        """
        from lapdp.report.formats import CODE

        if language not in CODE:
            raise InputError(f"language = {str(language)[:40]!r} must be one of {', '.join(CODE)}")
        return self._written(language)

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """A picture by matplotlib, of exact or certified values, on ``ax`` or on new Axes.

        Returns the Axes and shows nothing.  Options beside those of a line (color, label, ...):

        * profile: ``eps=(from, to)``, ``log=True``, ``both=True`` for (Q, P) as well;
        * loss: ``losses=(from, to)``, ``kind="density"`` or ``"cdf"``;
        * moment, renyi: ``orders=(from, to)``, ``both=True``, ``kind="curve"``; ``kind="complex"``
          colours complex orders, ``kind="region"`` shows the strip with poles and zeros, both with
          ``real=(from, to)`` and ``imaginary=``;
        * tradeoff: ``both=True``, ``symmetrised=`` of "min" and "max";
        * characteristic: ``u=(from, to)``, ``kind="all"``, "real", "imaginary" or "modulus".

        Where no range is given it is found from the tails of the loss.  Raises :class:`InputError`
        for a pair with free symbols and for other options, :class:`Unsupported` without matplotlib
        (``pip install "lapdp[plot]"``) and where values are not reached.

        >>> import matplotlib.pyplot as plt
        >>> from lapdp import laplace, randomized_response
        >>> ax = laplace(1).profile.plot()
        >>> ax = randomized_response(1, "1/10").profile.plot(ax)
        >>> ax.get_xlabel(), ax.get_ylabel()
        ('$t$', '$\\\\delta(t)$')
        >>> plt.close(ax.figure)
        """
        from lapdp.report.plots import plot

        return plot(self, ax, **options)

    def _written(self, format: str) -> str:
        from lapdp.report.formats import write

        return write(self, format)

    def __str__(self) -> str:
        """What ``print`` shows: the closed form, or the name of the notion where there is none."""
        try:
            return self.text()
        except LapdpError:
            return repr(self)

    def __repr__(self) -> str:
        shown = repr(self.pair)
        return f"({shown}).{self.name}" if "*" in shown else f"{shown}.{self.name}"


@lru_cache(maxsize=64)
def _shown(notion: Notion) -> str | None:
    """The equation of a notion; notebooks ask for it twice, and it may take a while."""
    try:
        return f"$\\displaystyle {notion.sign}({notion.letter}) = {notion.latex()}$"
    except LapdpError:
        return None


__all__ = ["Notion"]
