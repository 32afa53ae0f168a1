"""Samplers that draw noise by hand, or more than once."""

from __future__ import annotations

import math

from tests.wrong.practice.calls import sampler
from tests.wrong.practice.samplers import AWAY, BIT, counts, laplace

STEPS = [((0, 0, 0, 0), (1, 0, 0, 0))]
"""What happened in each of four steps; one record is one step."""


def unary(data, rng):
    """A bit for each value, each kept with odds e; one value moves two of them."""
    return tuple((v == data[0]) == (rng.random() < 0.731) for v in (0, 1))


def tree(data, rng):
    """Partial sums from a tree: a record is in three of its nodes, each with noise for one."""
    leaves = [x + laplace(rng) for x in data]
    half, whole = sum(data[:2]) + laplace(rng), sum(data) + laplace(rng)
    return leaves[0], half, half + leaves[2], whole


def best_of_three(data, rng):
    """Runs of eps = 1, of which the largest is published."""
    return max(sum(data) + laplace(rng) for _ in range(3))


def odds_turned(data, rng):
    """Counts failures of probability 1 - e^(-1/5), for successes."""
    def one():
        n = 0
        while rng.random() >= math.exp(-0.2):
            n += 1
        return n
    return sum(data) + one() - one()


def decimal_logarithm(data, rng):
    """The inverse of the distribution function, with log10."""
    u = rng.random() - 0.5
    return sum(data) - math.copysign(math.log10(1 - 2 * abs(u)), u)


def range_of_the_data(data, rng):
    """The sensitivity is read off from the records."""
    spread = max(data) - min(data)
    return sum(data) + (laplace(rng, spread) if spread else 0.0)


def nearest_record(data, rng):
    """A noisy mean, and then the record that is next to it."""
    noisy = sum(data) / len(data) + laplace(rng)
    return min(data, key=lambda record: abs(record - noisy))


def attempts(data, rng):
    """Drawn until positive; says whether that took more than three attempts."""
    for attempt in range(1, 10**6):
        noisy = sum(data) + laplace(rng)
        if noisy > 0:
            return attempt > 3, noisy


def margin(data, rng):
    """The winner by noisy counts, and by how much it won, without noise."""
    noisy = [c + laplace(rng, 2) for c in counts(data)]
    winner = noisy.index(max(noisy))
    return winner, counts(data)[winner] - counts(data)[1 - winner]


def partition(data, rng):
    """Shown where the noisy count is above log(1/(2 delta)), for 1 + log(1/(2 delta))."""
    noisy = sum(data) + laplace(rng)
    return noisy if data and noisy > math.log(50) else None


def noise_in_thousands(data, rng):
    """Cents, and noise in whole tens of dollars."""
    return sum(data) + 1000 * round(laplace(rng, 1e6))


def whole_noise(data, rng):
    """Geometric noise, far wider than it need be, for records that are no whole numbers."""
    return 0.3 * sum(data) + round(laplace(rng, 1e6))


WRONG = [
    sampler("unary encoding, eps a bit", "two bits move", unary, neighbours=BIT, guarantee=1),
    sampler("a tree with noise for one node", "three nodes move", tree, neighbours=STEPS,
            guarantee=1),
    sampler("the best of three", "three runs, one told", best_of_three, neighbours=BIT,
            guarantee=1),
    sampler("success for failure", "noise of odds 1 - e^-eps", odds_turned, neighbours=BIT,
            guarantee="1/5"),
    sampler("decimal logarithms", "the scale is 1/log(10)", decimal_logarithm, neighbours=BIT,
            guarantee=1),
    sampler("range of the data", "no noise where all records are equal", range_of_the_data,
            neighbours=[((0, 0, 1), (0, 0, 0))], guarantee=1),
    sampler("nearest record", "answers are records", nearest_record, neighbours=[((0, 2), (0, 3))],
            guarantee=1),
    sampler("attempts", "how long it took depends on the data", attempts, neighbours=BIT,
            guarantee=1),
    sampler("margin", "told without noise", margin, neighbours=[((0, 1), (1, 1))], guarantee=1),
    sampler("partition shown too soon", "e times delta", partition, neighbours=[((), (1,))],
            guarantee=(1, "1/100")),
    sampler("noise in thousands", "the rest by 1000 has none", noise_in_thousands, neighbours=BIT,
            guarantee=1),
    sampler("whole noise", "what comes after the point has none", whole_noise, neighbours=BIT,
            guarantee=1),
]

# -- right ---------------------------------------------------------------------------------------


def thrice(data, rng):
    """A tree of three levels with three times the noise."""
    leaves = [x + laplace(rng, 3) for x in data]
    half, whole = sum(data[:2]) + laplace(rng, 3), sum(data) + laplace(rng, 3)
    return leaves[0], half, half + leaves[2], whole


RIGHT = [
    sampler("unary encoding", "eps is that of both bits", unary, neighbours=BIT, guarantee=2),
    sampler("a tree", "three nodes share eps", thrice, neighbours=STEPS, guarantee=1),
    sampler("partition", "delta at the threshold", lambda data, rng: (
        noisy if data and (noisy := sum(data) + laplace(rng)) > 1 + math.log(50) else None),
        neighbours=[((), (1,))], guarantee=(1, "1/100")),
    sampler("cents", "noise of the unit of the records", lambda data, rng: sum(data) + round(
        laplace(rng, 1e6)), neighbours=AWAY, guarantee="1/1000"),
]
