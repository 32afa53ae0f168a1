"""What notions and mechanisms mean, as texts; Int(f) is the integral over the space of P and Q."""

from __future__ import annotations

LOSSES = {">": ("exp(x) * Q < P", "false", "not false"),
          ">=": ("exp(x) * Q <= P", "Q == 0", "not false"),
          "<=": ("P <= exp(x) * Q", "not false", "false"),
          "<": ("P < exp(x) * Q", "not Q == 0", "false"),
          "==": ("P == exp(x) * Q", "Q == 0", "false")}
"""Where the loss log(P/Q), +oo where Q vanishes, has an order to a real number x, to +oo, to -oo.
"""
TRADE_OFF = ("1 - supR(y, exR(w, exS(s, exS(u, 0 <= w and (w <= 1 and ("
             "w * p(s) + (1 - w) * p(u) <= a and y == w * q(s) + (1 - w) * q(u)))))))")
"""1 less the largest second error avoided at a level a of the first, p and q being the masses of
events.  A test of an arbitrary pair is a coin between two events: reject on S with probability w,
on U else.  By the lemma of Neyman and Pearson no test does better, so that the trade-off function
is the infimum over these."""
BROMWICH = """inv(2 * pi) * limit(u, lint(w, case(abs(w) < u, exp((c + i * w) * x) * f(c + i * w),
 0)))"""
GAUSS = "inv(sigma * sqrt(2 * pi)) * exp(-((x - {0}) * (x - {0}) / (2 * (sigma * sigma))))"
DENSITIES = {
    "Laplace": ("inv(2 * scale) * exp(-(abs(x) / scale))",
                "inv(2 * scale) * exp(-(abs(x - sensitivity) / scale))"),
    "Gaussian": (GAUSS.replace("(x - {0})", "x"), GAUSS.format("sensitivity")),
    "Exponential": ("case(0 < x, rate_p * exp(-(rate_p * x)), 0)",
                    "case(0 < x, rate_q * exp(-(rate_q * x)), 0)"),
}
"""Those of P and Q at a real number x."""
LOST, LOW, HIGH = "leak", "(1 - leak) / (1 + exp(eps))", "(1 - leak) * exp(eps) / (1 + exp(eps))"
RESPONSES = ((LOST, "0"), (HIGH, LOW), (LOW, HIGH), ("0", LOST))
"""Masses of the outcomes of randomized response under P and Q."""
MEAN = """allS(s, oint(y, case(y in s, dens(m, y), 0)) == oint(x, dens(law, x)
 * oint(y, case(y in s, dens(k(x), y), 0))))"""
"""The distribution m is the mean of the family k(x) by a law of x, on all events."""
