"""What is no claim, or no statement, gets one line that says what to write."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp import verify
from lapdp.core.errors import LapdpError
from lapdp.theory import Eq, Le, claim, delta, pair, reals

P, Q = pair("P", "Q")
x, eps = reals("x eps")
HOLDS = Eq(delta(P, Q)(0), delta(Q, P)(0))


@pytest.mark.parametrize(("call", "told"), [
    (lambda: claim("a", delta(P, Q)(0) == delta(Q, P)(0)), r"write Eq\(left, right\)"),
    (lambda: claim("a", Le(delta(P, Q), 1)), r"write delta\(P, Q\)\(eps\)"),
    (lambda: claim("a", delta(P, Q)(eps)), r"say what holds of it, as in Le\(delta"),
    (lambda: claim("a", Le(x, 1), where=True), r"write Eq\(left, right\)"),
    (lambda: claim("a", 3), "use Eq, Le"),
    (lambda: claim(HOLDS), r'claim\("my-bound", Eq\(left, right\)\)'),
    (lambda: claim("a", Le(delta(P, Q)(0.5), 1)), r'write sp.Rational\("0.5"\)'),
    (lambda: claim("a", Le(x, 1), where=Le(x, 0.1)), r'write sp.Rational\("0.1"\)'),
    (lambda: verify(HOLDS), r'write verify\(claim\("a-name", relation\)\)'),
    (lambda: verify("delta(P, Q)(0) == 1"), "as text it goes to `lapdp check`"),
    (lambda: verify("mine/eq-1"), "`lapdp list` shows all"),
    (lambda: verify(claim("a", HOLDS), seconds=-1), "seconds = -1 must be positive"),
    (lambda: verify(claim("a", HOLDS), seconds=0), "seconds = 0 must be positive"),
])
def test_one_line_says_what_to_write(call, told):
    with pytest.raises(LapdpError, match=told) as problem:
        call()
    assert "\n" not in str(problem.value) and len(str(problem.value)) < 200


def test_what_is_meant_exactly_is_a_claim():
    for half in (sp.Rational("0.5"), sp.S.Half, sp.Rational(1, 2)):
        assert claim("a", Le(delta(P, Q)(half), 1)).claim.lhs.has(sp.S.Half)
