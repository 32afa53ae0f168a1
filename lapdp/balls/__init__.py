"""SymPy to Arb, exactly or refused: rigorous values, integrals, signs and sampled identities.

A number that leaves this room is a ball that contains the truth, or there is no number: what is
outside the class raises :class:`~lapdp.core.errors.Unsupported`, what has no value raises
:class:`~lapdp.core.errors.Undefined`.

Cautions, for whoever changes this room:

* ``acb.integral`` trusts the ``analytic`` flag.  A function with a branch cut that ignores it gets
  a confident wrong ball.  Every function here goes through :mod:`lapdp.balls.functions`, which
  answers a non-finite ball whenever a cut, a kink or a jump meets the argument and the flag is set.
* Infinite limits give ``nan`` in Arb.  :mod:`lapdp.balls.integrals` cuts at T and adds the bound of
  :mod:`lapdp.balls.bounds`; an integrand without a proved bound is refused, so a divergent one is.
* ``x < 0`` and ``x >= 0`` are both False when the ball of x holds numbers of both kinds:
  ``not (x < 0)`` never means ``x >= 0``.
* Precision is global (``flint.ctx``): set it by :func:`lapdp.core.precision.workprec` only, which
  restores it and keeps other threads waiting.
* ``ctx.cap`` silently cuts power series at 10 terms, so no series type is used here; elsewhere
  :func:`lapdp.core.precision.workterms` says how many there are.
* ``arb ** int`` gives ``nan`` on a ball that contains 0, where ``acb ** int`` does not.
* Derivatives (mean-value form, Taylor) say nothing across a kink or a branch cut: they are used
  only where the expression is holomorphic on the whole ball.
* A rational is exact only up to the working precision; no double is ever in between.
"""

from lapdp.balls.boxes import BoxProof, Counterexample, Undecided, prove_sign, prove_sign_halfline
from lapdp.balls.compare import separated, sign
from lapdp.balls.decimals import Enclosure, certified
from lapdp.balls.evaluate import enclosure
from lapdp.balls.identities import Sample, sample_identity
from lapdp.balls.integrals import bilateral, integrate, one_sided

__all__ = [
    "BoxProof", "Counterexample", "Enclosure", "Sample", "Undecided", "bilateral", "certified",
    "enclosure", "integrate", "one_sided", "prove_sign", "prove_sign_halfline", "sample_identity",
    "separated", "sign",
]
