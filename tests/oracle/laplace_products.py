"""The profile of k Laplace mechanisms of scale and sensitivity 1, from the definition of the noise.

Knows neither transforms nor the exact class.  Under P each coordinate of the noise gives the loss 1
with probability 1/2, -1 with probability 1/(2e), and otherwise 1 - 2x with x of density e^-x/2 on
(0, 1).  Given how many coordinates are of each kind, the sum y of the m coordinates in (0, 1) has
density e^-y/2^m times the volume of a slice of the cube, a piecewise polynomial with rational
coefficients: the means of 1 and e^(t - loss) against it are sums of integrals of polynomials times
exponentials, taken piece by piece.
"""

from fractions import Fraction
from math import comb, factorial

import mpmath as mp


def slice_volume(m):
    """Irwin-Hall density of m uniform numbers as polynomials on [j, j + 1], j = 0, ..., m - 1."""
    pieces = [[Fraction(0)] * m for _ in range(m)]
    for j in range(m):
        for i in range(j + 1):
            for power in range(m):
                # (y - i)^(m - 1)/(m - 1)! with the sign and number of corners
                pieces[j][power] += (Fraction((-1) ** i * comb(m, i) * comb(m - 1, power))
                                     * Fraction(-i) ** (m - 1 - power) / factorial(m - 1))
    return pieces


def integral(polynomial, rate, low, high):
    """Integral of p(y) e^(rate y) by parts, rate 1 or -1."""
    def primitive(y):
        total, derivative, sign = mp.mpf(0), list(polynomial), 1
        while derivative:
            value = sum((c * y**n for n, c in enumerate(derivative)), Fraction(0))
            total += sign * mp.mpf(value.numerator) / value.denominator / rate
            derivative = [n * c for n, c in enumerate(derivative)][1:]
            sign = -sign * rate
        return total * mp.exp(rate * mp.mpf(y.numerator) / y.denominator)

    return primitive(high) - primitive(low)


def profile_of_products(k, t, digits):
    """delta(t) = E_P[max(0, 1 - e^(t - Z))] to about ``digits`` digits."""
    with mp.workdps(2 * digits + 40):
        total = mp.mpf(0)
        shift = mp.mpf(t.numerator) / t.denominator
        for up in range(k + 1):
            for down in range(k + 1 - up):
                m = k - up - down
                ways = comb(k, up) * comb(k - up, down)
                weight = ways * mp.mpf(2) ** -k * mp.exp(-down)
                top = up - down + m
                # the loss is top - 2 y > t for y below the limit
                limit = (top - t) / 2
                if m == 0:
                    if limit > 0:
                        total += weight * (1 - mp.exp(shift - top))
                    continue
                for j, piece in enumerate(slice_volume(m)):
                    high = min(Fraction(j + 1), limit)
                    if high > j:
                        low = Fraction(j)
                        kept = integral(piece, -1, low, high)
                        # e^(t - top + 2y) e^-y
                        lost = integral(piece, 1, low, high) * mp.exp(shift - top)
                        total += weight * (kept - lost)
        return +total
