"""Sums over outcomes: binomial, multinomial, and sums of discrete normal variables.

Masses come from the definition of each mechanism; nothing here knows transforms.
"""

from fractions import Fraction
from math import comb

import mpmath as mp


def fraction(x):
    """A fraction as an mpf."""
    return mp.mpf(x.numerator) / x.denominator


def rows_of(family, p):
    """(P-mass, Q-mass) of every outcome; parameters are Fractions."""
    if family in ("randomized_response", "approximate_dp"):
        leak, odds = fraction(p.get("delta", Fraction(0))), mp.exp(fraction(p["eps"]))
        yes, no = (1 - leak) * odds / (1 + odds), (1 - leak) / (1 + odds)
        return [(leak, 0), (yes, no), (no, yes), (0, leak)]
    if family == "kary_response":
        odds, k = mp.exp(fraction(p["eps"])), int(p["k"])
        total = odds + k - 1
        return [(odds / total, 1 / total), (1 / total, odds / total), ((k - 2) / total,) * 2]
    if family == "geometric":
        r, n = mp.exp(-fraction(p["eps"])), int(p.get("sensitivity", 1))
        def mass(x):
            return (1 - r) / (1 + r) * r ** abs(x)

        left = 1 / (1 + r)
        return [(left, left * r**n), *((mass(x), mass(x - n)) for x in range(1, n)),
                (left * r**n, left)]
    if family == "staircase":
        r, g = mp.exp(-fraction(p["eps"])), fraction(p["gamma"])
        assert g < mp.mpf(1) / 2
        high = (1 - r) / (2 * (g + r * (1 - g)))
        # left of 0; then stairs that are high under P, under neither, under Q; right of 1
        return [(mp.mpf(1) / 2, r / 2), (g * high, g * high * r),
                ((1 - 2 * g) * high * r,) * 2, (g * high * r, g * high), (r / 2, mp.mpf(1) / 2)]
    assert family == "finite"
    return [(fraction(Fraction(a)), fraction(Fraction(b)))
            for a, b in zip(p["P"], p["Q"], strict=True)]


def sampled(rows, rate, side):
    """Each row after Poisson subsampling."""
    if not rate:
        return rows
    w = fraction(rate)
    mixed = [(w * a + (1 - w) * b, b) for a, b in rows]
    return mixed if side == "remove" else [(b, a) for a, b in mixed]


def merged(rows):
    """Finite losses {loss: P-mass}, equal ones joined, and the P-mass of infinite loss."""
    found, lost = [], mp.mpf(0)
    for a, b in rows:
        if a and not b:
            lost += a
        elif a:
            loss = mp.log(a / b)
            for entry in found:
                if mp.almosteq(entry[0], loss, mp.mpf(10) ** (10 - mp.mp.dps),
                               mp.mpf(10) ** (10 - mp.mp.dps)):
                    entry[1] += a
                    break
            else:
                found.append([loss, a])
    return [tuple(entry) for entry in found], lost


def multinomial(atoms, lost, k, eps):
    """delta of k copies: a sum over how often each finite loss occurs."""
    factorials = [mp.mpf(1)]
    for n in range(1, k + 1):
        factorials.append(factorials[-1] * n)
    powers = [[mass**n / factorials[n] for n in range(k + 1)] for _, mass in atoms]

    def tail(i, left, loss, weight):
        z, _ = atoms[i]
        if i == len(atoms) - 1:
            gain = loss + left * z - eps
            return weight * powers[i][left] * -mp.expm1(-gain) if gain > 0 else 0
        return sum(tail(i + 1, left - n, loss + n * z, weight * powers[i][n])
                   for n in range(left + 1))

    whole = tail(0, k, mp.mpf(0), factorials[k]) if atoms else 0
    return 1 - (1 - lost) ** k + whole


def binomial(eps0, leak, k, eps):
    """delta of k randomized responses: terms from the threshold up, until they are negligible."""
    odds = mp.exp(fraction(eps0))
    yes, no = odds / (1 + odds), 1 / (1 + odds)
    whole = mp.mpf(0)
    if eps0:
        # 2 j - k > eps/eps0, exactly
        j = max(0, (eps / eps0 + k) // 2 + 1)
        if j <= k:
            j = int(j)
            term = (comb(k, j) * yes**j * no ** (k - j) if k <= 10**4 else
                    mp.exp(mp.loggamma(k + 1) - mp.loggamma(j + 1) - mp.loggamma(k - j + 1)
                           + j * mp.log(yes) + (k - j) * mp.log(no)))
            kept = mp.exp(fraction(eps - (2 * j - k) * eps0))
            step = mp.exp(-2 * fraction(eps0))
            small = mp.mpf(10) ** -mp.mp.dps
            while j <= k:
                part = term * (1 - kept)
                whole += part
                ratio = odds * (k - j) / (j + 1)
                if ratio < 1 and term < small * whole * (1 - ratio):
                    break
                term, kept, j = term * ratio, kept * step, j + 1
    rest = (1 - leak) ** k
    return 1 - rest + rest * whole


def normal_sums(sigma, shift, k, eps):
    """delta of k discrete Gaussians by the masses of the sum of their noise, in fixed point."""
    digits = mp.mp.dps + 10
    scale = 10**digits
    reach = int(fraction(sigma) * mp.sqrt(2 * digits * mp.log(10))) + 2
    square = 2 * fraction(sigma) ** 2
    weights = [mp.exp(-mp.mpf(x * x) / square) for x in range(-reach, reach + 1)]
    total = mp.fsum(weights)
    masses = {x: int(w / total * scale) for x, w in zip(range(-reach, reach + 1), weights,
                                                        strict=True)}
    result = power_of(masses, k, scale, digits)
    rise = mp.exp(fraction(eps))
    gains = (p - rise * result.get(s - k * shift, 0) for s, p in result.items())
    whole = mp.fsum(gain for gain in gains if gain > 0)
    return whole / scale


def power_of(masses, k, scale, digits):
    """The k-fold convolution of masses in units of 1/scale, by products of large integers."""
    width = 8 * digits + 80

    def times(a, b):
        low_a, low_b = min(a), min(b)
        packed = [sum(v << (width * (x - low)) for x, v in m.items())
                  for m, low in ((a, low_a), (b, low_b))]
        whole = (packed[0] * packed[1]).to_bytes(
            (width * (len(a) + len(b) + 1)) // 8 + 1, "little")
        size = width // 8
        found = {}
        for n in range(max(a) - low_a + max(b) - low_b + 1):
            v = int.from_bytes(whole[n * size:(n + 1) * size], "little") // scale
            if v:
                found[n + low_a + low_b] = v
        return found

    result, square = None, masses
    while k:
        if k & 1:
            result = square if result is None else times(result, square)
        k >>= 1
        if k:
            square = times(square, square)
    return result
