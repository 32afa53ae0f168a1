"""Wrong mechanisms and wrong claims about right ones, each beside the right version.

``odds`` is e^eps, so that all masses are Fractions.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product

import sympy as sp
from hypothesis import strategies as st

from lapdp import finite, gaussian, laplace, randomized_response
from lapdp.testing.conformance.mechanism import mechanism_laws
from lapdp.testing.strategies import chains, neighbours
from tests.wrong.registry import Right, Wrong

ODDS = {"odds": st.integers(2, 5)}
ROOT = {"root": st.integers(2, 4)}
LEAK = {"odds": st.integers(2, 5), "leak": st.integers(2, 6).map(lambda n: Fraction(1, n))}
SIGMA = {"sigma": st.integers(1, 4)}
ONE = neighbours(max_size=1)
VOTES = neighbours(max_size=2)
GUARANTEE = frozenset({"guarantee", "guarantee, reversed"})
INFINITE = frozenset({"mass at infinity"})


def log_odds(odds, **_):
    return sp.log(odds)


def laws(mechanism, **claims):
    """A callable, so that the import draws nothing."""
    return partial(mechanism_laws, mechanism, **claims)


# -- responses to one question ------------------------------------------------------------------

def response(data, odds):
    return {data[0]: Fraction(odds, odds + 1), 1 - data[0]: Fraction(1, odds + 1)}


def response_of_three(data, odds):
    """The denominator of k = 2 answers."""
    return {answer: Fraction(odds if answer == data[0] else 1, odds + 1) for answer in range(3)}


def response_of_k(data, odds, extra=2):
    return {answer: Fraction(odds if answer == data[0] else 1, odds + extra)
            for answer in range(3)}


def second_coin(data, odds):
    """Lies with probability 1/(1 + e^eps), but the lie is a second, fair coin."""
    lie = Fraction(1, 2 * (odds + 1))
    return {data[0]: 1 - lie, 1 - data[0]: lie}


def rounded_response(data, odds):
    return {data[0]: odds / (odds + 1), 1 - data[0]: 1 / (odds + 1)}


# -- counts with noise --------------------------------------------------------------------------

def clamped_geometric(value, ratio, least, most):
    """Two-sided geometric noise ratio^abs(z), clamped to a range."""
    found = {}
    for x in range(least, most + 1):
        away, weight = abs(x - value), (1 - ratio) / (1 + ratio)
        ends = [x == least, x == most]
        found[x] = weight * ratio**away if not any(ends) else (
            1 / (1 + ratio) * ratio**away if not (x == value and all(ends)) else Fraction(1))
    return found


def geometric_noise(data, root):
    """A record counts 0, 1 or 2: sensitivity 2, and e^(eps/2) = root."""
    return clamped_geometric(data[0], Fraction(1, root), 0, 2)


def swapped_noise(data, root):
    """sensitivity * eps in place of eps / sensitivity."""
    return clamped_geometric(data[0], Fraction(1, root**4), 0, 2)


def uniform_noise(data, width):
    return {data[0] + noise: Fraction(1, width) for noise in range(width)}


def noise_on_a_grid(data, odds):
    """Noise is a multiple of 2, the count is not; clamped to at most 2."""
    noise = {0: Fraction(odds, odds + 1), 2: Fraction(1, odds + 1)}
    return {min(data[0] + z, 2): mass for z, mass in noise.items()}


def sampled_sum(data, root):
    """A Poisson sample of rate 1/2, its clamped sum with noise for add/remove."""
    found = dict.fromkeys((-1, 0, 1), Fraction(0))
    for kept in product((0, 1), repeat=len(data)):
        total = sum(x for x, k in zip(data, kept, strict=True) if k)
        noisy = clamped_geometric(max(-1, min(total, 1)), Fraction(1, root), -1, 1)
        for x, mass in noisy.items():
            found[x] += mass / 2**len(data)
    return found


# -- selection ----------------------------------------------------------------------------------

def selection(data, base):
    """The exponential mechanism over two candidates, weights base^votes."""
    weights = [Fraction(base) ** data.count(candidate) for candidate in (0, 1)]
    return {candidate: w / sum(weights) for candidate, w in enumerate(weights)}


def half_budget(data, root):
    return selection(data, root)


def whole_budget(data, root):
    """The factor 2 of exp(eps u / (2 sensitivity)) is missing."""
    return selection(data, root**2)


# -- the sparse vector technique, two queries, threshold 0 -----------------------------------------

def passes(query, ratio, z):
    """Pr[query + noise >= z] as (constant, factor of ratio^abs(z)), for z beyond the query."""
    return (Fraction(0), ratio**-query / (1 + ratio)) if z > 0 else (
        Fraction(1), -(ratio ** (1 + query)) / (1 + ratio))


def above(queries, threshold_ratio, query_ratio):
    """The index of the first query at or above a noisy threshold: exact sums over its noise."""
    a, b = threshold_ratio, query_ratio
    far = 1 + max(map(abs, queries))
    found = {}
    for first in range(len(queries) + 1):
        asked = [(q, n == first) for n, q in enumerate(queries) if n <= first]
        total = Fraction(0)
        for z in range(1 - far, far):
            total += a ** abs(z) * _answers(asked, b, z)(b ** abs(z) if abs(z) >= far else None)
        for sign in (1, -1):
            for power, c in enumerate(_polynomial(asked, b, sign)):
                total += c * (a * b**power) ** far / (1 - a * b**power)
        found["none" if first == len(queries) else first] = total * (1 - a) / (1 + a)
    return found


def _answers(asked, b, z):
    def value(_):
        result = Fraction(1)
        for query, yes in asked:
            m = z - query
            tail = b**m / (1 + b) if m > 0 else 1 - b ** (1 - m) / (1 + b)
            result *= tail if yes else 1 - tail
        return result

    return value


def _polynomial(asked, b, sign):
    """The probability of the answers as a polynomial in b^abs(z), for abs(z) large."""
    found = [Fraction(1)]
    for query, yes in asked:
        constant, slope = passes(query, b, sign)
        if not yes:
            constant, slope = 1 - constant, -slope
        longer = [Fraction(0)] * (len(found) + 1)
        for n, c in enumerate(found):
            longer[n] += c * constant
            longer[n + 1] += c * slope
        found = longer
    return found


def sparse_vector(data, root):
    """eps/2 for the threshold, and noise of scale 4/eps on the queries."""
    return above(data, Fraction(1, root**2), Fraction(1, root))


def one_noise(data, root):
    """The queries share the noise of the threshold: Lyu, Su and Li 2017, Algorithm 5."""
    a, found, total = Fraction(1, root**4), {}, Fraction(0)
    largest = None
    for n, query in enumerate(data):
        # Pr[-noise of the threshold <= largest so far]
        reached = _cdf(a, query if largest is None else max(largest, query))
        found[n], total, largest = reached - total, reached, max(query, largest or query)
    found["none"] = 1 - total
    return found


def _cdf(ratio, x):
    return 1 - ratio ** (x + 1) / (1 + ratio) if x >= 0 else ratio**-x / (1 + ratio)


def sure_threshold(data, root):
    """No noise on the threshold, all of eps on each query."""
    b, found, silent = Fraction(1, root**4), {}, Fraction(1)
    for n, query in enumerate(data):
        tail = _cdf(b, query)
        found[n], silent = silent * tail, silent * (1 - tail)
    found["none"] = silent
    return found


def _moved(drawn):
    queries, moves = drawn
    return queries, tuple(q + m for q, m in zip(queries, moves, strict=True))


QUERIES = st.tuples(st.tuples(*[st.integers(-3, 3)] * 2),
                    st.tuples(*[st.integers(-1, 1)] * 2)).map(_moved)
"""Answers of two queries on neighbouring datasets: each moves by at most 1."""


def four(root):
    return 4 * sp.log(root)


# -- leaks --------------------------------------------------------------------------------------

def leaking(data, odds, leak):
    """The record itself with probability leak, else a response."""
    answers = {n: (1 - leak) * m for n, m in response(data, odds).items()}
    return {("it is", data[0]): leak, **answers}


def shame(odds, leak):
    """Only the second dataset can leak: (P-mass, Q-mass)."""
    return {"yes": (Fraction(odds, odds + 1), (1 - leak) / (odds + 1)),
            "no": (Fraction(1, odds + 1), (1 - leak) * Fraction(odds, odds + 1)),
            "leak": (Fraction(0), leak)}


def shamed(odds, leak):
    # P may exceed e^eps Q by the leak's share too
    return sp.log(odds / (1 - leak))


def steps(data, odds):
    """Two outcomes, whose masses use (eps, delta) up at each step: delta = 1/(odds + 2)^2."""
    delta = Fraction(1, (odds + 2) ** 2)
    mass = Fraction(0)
    for _ in range(sum(data)):
        mass = odds * mass + delta
    return {"event": mass, "else": 1 - mass}


def step_delta(odds):
    return sp.log(odds), Fraction(1, (odds + 2) ** 2)


# -- pairs and their closed forms -----------------------------------------------------------------

def biased(odds):
    """Not symmetric: the reversed pair has another profile."""
    return finite([Fraction(odds, odds + 1), Fraction(1, odds + 1)], ["1/2", "1/2"])


def biased_profile(t, odds):
    p = sp.Rational(odds, odds + 1)
    return sp.Max(0, p - sp.exp(t) / 2) + sp.Max(0, 1 - p - sp.exp(t) / 2)


def biased_reversed(t, odds):
    # expanded: what is exactly 0 must show it, or SymPy's Max refuses
    return sp.expand(1 - sp.exp(t) + sp.exp(t) * biased_profile(-t, odds))


def mean_profile(t, odds):
    return (biased_profile(t, odds) + biased_reversed(t, odds)) / 2


def largest_profile(t, odds):
    return sp.Max(biased_profile(t, odds), biased_reversed(t, odds))


def biased_tradeoff(a, odds):
    p = sp.Rational(odds, odds + 1)
    # reject the likely outcome under Q first: slopes 1/(2 (1 - p)), then 1/(2 p)
    return sp.Max(1 - a / (2 * (1 - p)), (1 - a) / (2 * p))


def pure(odds):
    return finite([Fraction(odds, odds + 1), Fraction(1, odds + 1)],
                  [Fraction(1, odds + 1), Fraction(odds, odds + 1)])


def gauss(sigma):
    return gaussian(sigma)


def gauss_renyi(q, sigma, factor=2):
    return q / (sp.Integer(factor) * sigma**2)


def cdf(z, odds, at_atom=1):
    """Of the loss of ``pure``: atoms at -log(odds) and log(odds)."""
    low, high = -sp.log(odds), sp.log(odds)

    def step(x):
        return sp.Rational(at_atom) if z == x else sp.Integer(1 if z > x else 0)

    return step(low) / (odds + 1) + step(high) * odds / (odds + 1)


def scaled(scale):
    return laplace(scale)


def composed_rr(k, odds, leak):
    return k * sp.log(odds), 1 - (1 - leak) ** k


def rr(odds, leak):
    return randomized_response(sp.log(odds), leak)


RESPONSE = {"over": ODDS, "neighbours": ONE, "guarantee": log_odds}
SVT = {"over": {"root": st.integers(2, 3)}, "neighbours": QUERIES, "guarantee": four}

WRONG = [
    Wrong("mechanism: response with the denominator of another k", "masses sum to more than 1",
          laws(response_of_three, **{**RESPONSE, "neighbours": neighbours((0, 1, 2), max_size=1)}),
          {"distribution"}),
    Wrong("mechanism: k-ary response with e^eps + k", "masses sum to less than 1",
          laws(partial(response_of_k, extra=3), **{
              **RESPONSE, "neighbours": neighbours((0, 1, 2), max_size=1)}),
          {"distribution"}),
    Wrong("mechanism: the lie is a coin", "the truth is told more often than e^eps to 1",
          laws(second_coin, **RESPONSE), GUARANTEE, {"distribution", "mass at infinity"}),
    Wrong("mechanism: noise with eps * sensitivity", "scale and its inverse exchanged",
          laws(swapped_noise, over=ROOT, neighbours=neighbours((0, 1, 2), max_size=1),
               guarantee=lambda root: 2 * sp.log(root)), GUARANTEE, {"distribution"}),
    Wrong("mechanism: exponential mechanism without the factor 2", "weights exp(eps u)",
          laws(whole_budget, over=ROOT, neighbours=VOTES,
               guarantee=lambda root: 2 * sp.log(root)), GUARANTEE, {"distribution"}),
    Wrong("mechanism: sparse vector with one noise", "queries reuse the noise of the threshold",
          laws(one_noise, **SVT), GUARANTEE | INFINITE, {"distribution"}),
    Wrong("mechanism: sparse vector with a sure threshold", "each query costs eps",
          laws(sure_threshold, **SVT), GUARANTEE, {"distribution", "mass at infinity"}),
    Wrong("mechanism: bounded noise claimed pure", "the ends of the range give the record away",
          laws(uniform_noise, over={"width": st.integers(2, 4)}, neighbours=ONE,
               guarantee=lambda width: (sp.log(width), 0)),
          GUARANTEE | INFINITE, {"distribution"}),
    Wrong("mechanism: noise on a grid", "the noise is rounded, the count is not",
          laws(noise_on_a_grid, **RESPONSE), GUARANTEE | INFINITE, {"distribution"}),
    Wrong("mechanism: amplification under replacement", "a bound for add/remove",
          laws(sampled_sum, over=ROOT, neighbours=neighbours((-1, 1), max_size=1),
               guarantee=lambda root: sp.log(sp.Rational(1 + root, 2))),
          GUARANTEE, {"distribution", "mass at infinity"}),
    Wrong("mechanism: delta in one direction only", "the other dataset leaks",
          laws(shame, over=LEAK, guarantee=shamed),
          {"guarantee, reversed", "mass at infinity"}, {"guarantee", "distribution"}),
    Wrong("mechanism: composition keeps delta", "(k eps, delta) for k releases",
          laws(shame, over=LEAK,
               composed=lambda k, odds, leak: (k * shamed(odds, leak), leak)),
          {"claimed composition"}),
    Wrong("mechanism: square root of k", "eps sqrt(k) and nothing else",
          laws(response, over=ODDS, neighbours=ONE,
               composed=lambda k, odds: sp.sqrt(k) * sp.log(odds)), {"claimed composition"}),
    Wrong("mechanism: k delta for groups", "(k eps, k delta) for k steps",
          laws(steps, over=ODDS, neighbours=VOTES, chains=chains(max_size=2, max_steps=2),
               guarantee=step_delta,
               group=lambda k, odds: (k * sp.log(odds), Fraction(k, (odds + 2) ** 2))),
          {"group privacy"}, {"distribution", "guarantee", "guarantee, reversed"}),
    Wrong("mechanism: loose claimed tight", "2 eps holds, and nobody needs it",
          laws(response, **{**RESPONSE, "guarantee": lambda odds: 2 * sp.log(odds)}, tight=True),
          {"guarantee attained"}, {"guarantee", "guarantee, reversed", "mass at infinity"}),
    Wrong("mechanism: mean of both directions", "a symmetrised profile",
          laws(biased, over=ODDS, profile=mean_profile, tight=True),
          {"profile", "profile attained"}),
    Wrong("mechanism: largest of both directions", "an upper bound, of (P, Q) not attained",
          laws(biased, over=ODDS, profile=largest_profile, tight=True),
          {"profile attained"}, {"profile"}),
    Wrong("mechanism: trade-off of the reversed pair", "the errors are exchanged",
          laws(biased, over=ODDS, tight=True,
               tradeoff=lambda a, odds: sp.Max(1 - 2 * a * sp.Rational(odds, odds + 1),
                                               2 * (1 - a) / (odds + 1))),
          {"tradeoff", "tradeoff attained"}),
    Wrong("mechanism: Renyi divergence with half the slope", "q/(4 sigma^2) for a Gaussian",
          laws(gauss, over=SIGMA, renyi=partial(gauss_renyi, factor=4), tight=True),
          {"renyi", "renyi attained"}),
    Wrong("mechanism: Renyi divergence of twice the sensitivity", "q/sigma^2, valid and loose",
          laws(gauss, over=SIGMA, renyi=partial(gauss_renyi, factor=1), tight=True),
          {"renyi attained"}, {"renyi"}),
    Wrong("mechanism: loss with half its atom", "the CDF takes the middle of a jump",
          laws(pure, over=ODDS, loss=partial(cdf, at_atom="1/2")), {"claimed loss"}),
    Wrong("mechanism: no mass at infinity declared", "the leak is an infinite loss",
          laws(rr, over=LEAK, mass_at_infinity=0), {"declared mass at infinity"}),
    Wrong("mechanism: claimed symmetric", "one direction was looked at",
          laws(biased, over=ODDS, symmetric=True), {"symmetry"}),
    Wrong("mechanism: more noise, more loss", "monotone the other way",
          laws(scaled, over={"scale": st.integers(1, 5)}, monotone={"scale": "increasing"}),
          {"monotone in scale"}),
    Wrong("mechanism: rounded and too accurate", "doubles that claim 10^-17",
          laws(rounded_response, over=ODDS, neighbours=ONE, guarantee=log_odds,
               accuracy="1e-17"), {"distribution"}),
]

RIGHT = [
    Right("mechanism: response", laws(response, **RESPONSE, tight=True, symmetric=True,
                                      composed=lambda k, odds: k * sp.log(odds))),
    Right("mechanism: rounded response", laws(rounded_response, **RESPONSE, accuracy="1e-15")),
    Right("mechanism: k-ary response", laws(response_of_k, **{
        **RESPONSE, "neighbours": neighbours((0, 1, 2), max_size=1)})),
    Right("mechanism: geometric noise", laws(
        geometric_noise, over=ROOT, neighbours=neighbours((0, 1, 2), max_size=1),
        guarantee=lambda root: 2 * sp.log(root), tight=True)),
    Right("mechanism: exponential mechanism", laws(
        half_budget, over=ROOT, neighbours=VOTES, guarantee=lambda root: 2 * sp.log(root))),
    Right("mechanism: sparse vector", laws(sparse_vector, **SVT)),
    Right("mechanism: bounded noise", laws(
        uniform_noise, over={"width": st.integers(2, 4)}, neighbours=ONE,
        guarantee=lambda width: (0, Fraction(1, width)), tight=True)),
    Right("mechanism: amplification under add/remove", laws(
        sampled_sum, over=ROOT, neighbours=neighbours((-1, 1), relation="add/remove", max_size=2),
        guarantee=lambda root: sp.log(sp.Rational(1 + root, 2)))),
    Right("mechanism: a leak", laws(
        leaking, over=LEAK, neighbours=ONE, composed=composed_rr, mass_at_infinity=lambda odds,
        leak: leak, guarantee=lambda odds, leak: (sp.log(odds), leak), tight=True)),
    Right("mechanism: both directions of a leak", laws(
        shame, over=LEAK, guarantee=lambda odds, leak: (shamed(odds, leak), leak))),
    Right("mechanism: groups", laws(
        steps, over=ODDS, neighbours=VOTES, chains=chains(max_size=2, max_steps=2),
        guarantee=step_delta)),
    Right("mechanism: a profile", laws(biased, over=ODDS, profile=biased_profile,
                                       tradeoff=biased_tradeoff, tight=True)),
    Right("mechanism: a loss", laws(pure, over=ODDS, loss=cdf)),
    Right("mechanism: Gaussian", laws(gauss, over=SIGMA, renyi=gauss_renyi, tight=True,
                                      symmetric=True)),
    Right("mechanism: Laplace", laws(scaled, over={"scale": st.integers(1, 5)},
                                     monotone={"scale": "decreasing"}, guarantee=lambda scale:
                                     sp.Rational(1, scale), tight=True)),
]
