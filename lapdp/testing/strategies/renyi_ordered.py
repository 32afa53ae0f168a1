"""Couples that Renyi divergences order at every order, while their profiles cross.

**Renyi order as the sign of a polynomial.**  Let the likelihood ratios of two pairs be powers r^k
of one number r > 1, and c_k the difference of their Q-masses at r^k.  Then the difference of the
E_q is D(x) = sum of c_k x^k at x = r^q, where both are finite.  Where the two pairs have the same
mass at infinite losses, D vanishes at q = 0 and at q = 1, so that

    D(x) = (x - 1) (x - r) S(x).

R_q = log(E_q)/(q - 1) and E_q, q in (0, 1), are ordered against each other, E_q and R_q for q > 1
alike, and q < 0 belongs to the reversed pair: *the Renyi divergences of both directions are ordered
at every order exactly where S >= 0 for all x > 0*.  Dividing by (x - 1) (x - r) is to sum twice,
and the coefficient of x^k in S is a positive multiple of the difference of the profiles at
alpha = r^(k + 1): *the profiles are ordered exactly where no coefficient of S is negative*.  (To
scale all ratios by s multiplies D by s^q and stretches the profiles: no sign changes.)

A polynomial that is positive for x > 0 is a product of factors x + m and a x^2 - b x + c with
b^2 < 4 a c; one or two such are drawn, and x^2 - x + 1 has a negative coefficient.  By Polya
(1 + x)^n S has none for large n: the products with enough copies of a common pair are then ordered
after all, and so are large powers of the two (Mu, Pomatto, Strack, Tamuz 2021).

With more mass at infinite losses in the larger pair a factor of D is missing: x - 1 where Q has
mass that P has not, x - r where P has.  Then only the orders at which E_q is finite ask S >= 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt

from hypothesis import strategies as st

from lapdp.testing.strategies.bounds import among, positive
from lapdp.testing.strategies.differences import Couple, couple_of, diluted
from lapdp.testing.strategies.dominated import cross
from lapdp.testing.strategies.finite import finite_pairs
from lapdp.testing.strategies.naming import called

Polynomial = tuple[int, ...]
"""Coefficients, the constant one first."""
ORDERS = ("all", "positive", "above 1")


def renyi_ordered_pairs(*, orders: str = "all", strict: bool = False,
                        absolutely_continuous: str | None = None, max_weight: int = 12
                        ) -> st.SearchStrategy[Couple]:
    """Couples ``(smaller, larger)``: R_q(smaller) <= R_q(larger) for all ``orders`` q, exactly.

    Yet neither dominates the other: their profiles cross.  ``orders`` is ``"all"``: q > 0 in both
    directions, for (P, Q) and for (Q, P); ``"positive"``: q > 0 for (P, Q); or ``"above 1"``:
    q > 1 for (P, Q).  With ``strict`` the divergences differ at all these orders, so that
    ``smaller**n`` is dominated by ``larger**n`` for large n (for all orders).  With
    ``absolutely_continuous="both"`` no loss is infinite.

    The order is proved: see the head of ``lapdp.testing.strategies.renyi_ordered``.  Raises
    ``hypothesis.errors.InvalidArgument`` for other words.

    >>> from hypothesis import find
    >>> find(renyi_ordered_pairs(), lambda couple: True)
    (finite(["1/4", "3/4"], ["3/4", "1/4"]), finite(["3/4", "1/4", 0], ["3/4", 0, "1/4"]))
    >>> find(renyi_ordered_pairs(absolutely_continuous="both"), lambda couple: True)[1]
    finite(["1/28", "9/14", "9/28"], ["9/28", "9/14", "1/28"])
    """
    given = locals()
    among(orders, ORDERS, "orders")
    among(absolutely_continuous, (None, "both"), "absolutely_continuous")
    positive(max_weight, "max_weight")
    start = {"all": 0, "positive": 1, "above 1": None}[orders]
    finite_losses = strict or absolutely_continuous == "both"
    common = finite_pairs(max_size=2, max_weight=max_weight,
                          absolutely_continuous="both" if finite_losses else None)
    kinds = [(True, True)] if absolutely_continuous == "both" or orders == "above 1" else [
        (False, False), (True, False), (False, True), (True, True)]
    found = diluted(_seeds(start, int(strict), kinds), common, max_weight)
    return called(renyi_ordered_pairs, given, found.filter(cross))


@st.composite
def _seeds(draw: st.DrawFn, start: int | None, least: int, kinds: Sequence[tuple[bool, bool]]
           ) -> Couple:
    """S = T(x - start), T without a positive zero; ``start`` None is r, the order 1."""
    at_one, at_r = draw(st.sampled_from(kinds))
    # with 3 first: x^2 - 3 x + 3 makes pairs that are symmetric and small
    r = draw(st.sampled_from((3, 4, 2, 5)))
    D = _moved(_T(draw, r, least), r if start is None else start)
    # a factor that is missing means more mass at infinity, and S itself must not supply it
    at_one, at_r = (there or not _at(D, zero) for there, zero in ((at_one, 1), (at_r, r)))
    for there, zero in ((at_one, 1), (at_r, r)):
        D = _times(D, (-zero, 1)) if there else D
    sign = 1 if at_r else -1  # for orders between 0 and 1 it is negative
    return couple_of({Fraction(r**k): Fraction(sign * c) for k, c in enumerate(D)})


def _T(draw: st.DrawFn, r: int, least: int) -> Polynomial:
    """One or two factors that are >= 0 for x >= 0; with ``least`` = 1 they are > 0."""
    found: Polynomial = (1,)
    for kind in draw(st.lists(st.sampled_from(("quadratic", "linear")), min_size=1, max_size=2)):
        if kind == "linear":
            factor: Polynomial = (draw(st.integers(least, 4)), draw(st.integers(1, 4)))
        else:
            a, c = draw(st.integers(1, 3)), draw(st.integers(0, 9))
            # without a preference the quadratic is symmetric under x -> r/x, as are then the pairs
            c = c or a * r
            factor = (c, draw(st.integers(0, 3)) - isqrt(4 * a * c - least), a)
        found = _times(found, factor)
    return found


def _times(f: Polynomial, g: Polynomial) -> Polynomial:
    found = [0] * (len(f) + len(g) - 1)
    for i, a in enumerate(f):
        for j, b in enumerate(g):
            found[i + j] += a * b
    return tuple(found)


def _at(f: Polynomial, x: int) -> int:
    return sum(c * x**k for k, c in enumerate(f))


def _moved(f: Polynomial, by: int) -> Polynomial:
    """f(x - by), by Horner's rule."""
    found: Polynomial = f[-1:]
    for c in reversed(f[:-1]):
        found = _times(found, (-by, 1))
        found = (found[0] + c, *found[1:])
    return found


__all__ = ["ORDERS", "renyi_ordered_pairs"]
