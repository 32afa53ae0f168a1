"""Divergences that have names of their own, each said by a notion of pairs.

A word stands for its definition: statements are checked and shown by that.  Definitions: Le Cam
1986, chapter 4 (total variation, affinity, distance of Hellinger), Kullback and Leibler 1951, and
Pearson's chi-squared.  Everything may be +oo but what is said to be in [0, 1].
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from lapdp.privacy.nodes import PLD, E, Ex, delta

HALF = sp.Rational(1, 2)


def TV(P: Any, Q: Any) -> Any:
    """Total variation, in [0, 1]: the supremum over events of P(S) - Q(S).

    >>> from lapdp.privacy.nodes import pair
    >>> TV(*pair())
    delta(P, Q)(0)
    """
    return delta(P, Q)(0)


def KL(P: Any, Q: Any) -> Any:
    """The divergence of Kullback and Leibler: the mean of the privacy loss log(P/Q) under P.

    >>> from lapdp.privacy.nodes import pair
    >>> P, Q = pair()
    >>> KL(P, Q) == Ex(PLD(P, Q), PLD(P, Q))
    True
    """
    loss = PLD(P, Q)
    return Ex(loss, loss)


def chi2(P: Any, Q: Any) -> Any:
    """Pearson's chi-squared: the integral of (P - Q)^2/Q.

    >>> from lapdp.privacy.nodes import pair
    >>> chi2(*pair())
    E(2, P, Q) - 1
    """
    return E(2, P, Q) - 1


def BC(P: Any, Q: Any) -> Any:
    """The affinity, or coefficient of Bhattacharyya, in [0, 1]: the integral of sqrt(P Q).

    >>> from lapdp.privacy.nodes import pair
    >>> BC(*pair())
    E(1/2, P, Q)
    """
    return E(HALF, P, Q)


def Hellinger(P: Any, Q: Any) -> Any:
    """The distance of Hellinger, in [0, 1]: its square is half the integral of
    (sqrt(P) - sqrt(Q))^2, which is 1 - BC(P, Q).

    >>> from lapdp.privacy.nodes import pair
    >>> Hellinger(*pair())**2
    1 - E(1/2, P, Q)
    """
    return sp.sqrt(1 - BC(P, Q))


__all__ = ["BC", "KL", "TV", "Hellinger", "chi2"]
