"""Mechanisms that can only be run: ``M(dataset, rng)``."""

from __future__ import annotations

import math
import random
from typing import Any

import sympy as sp

from tests.wrong.practice.calls import sampler

BIT = [((0,), (1,))]
"""One record, replaced."""
AWAY = [((), (1,)), ((0,), (0, 1))]
"""One record more."""
VALUES = [((0.0,), (2.0,))]
"""Records lie in [0, 2]."""


def laplace(rng: Any, scale: float = 1.0) -> float:
    return rng.expovariate(1 / scale) - rng.expovariate(1 / scale)


def geometric(rng: Any, odds: float = math.e) -> int:
    """The difference of two geometric numbers: mass proportional to odds^-|k|."""
    def one() -> int:
        return int(math.log(1 - rng.random()) // -math.log(odds))
    return one() - one()


def counts(data: Any) -> list[int]:
    return [sum(x == v for x in data) for v in (0, 1)]


# -- wrong ---------------------------------------------------------------------------------------

def leak(data, rng):
    return data[0] * 1000 + rng.random()


def sensitivity_of_one(data, rng):
    return sum(data) + laplace(rng)


def one_sided(data, rng):
    return sum(data) + rng.expovariate(1)


def histogram(data, rng):
    return tuple(c + laplace(rng) for c in counts(data))


def noise_reused(data, rng):
    noise = laplace(rng, 2)
    return tuple(c + noise for c in counts(data))


def clamped_noise(data, rng):
    return sum(data) + max(-3.0, min(3.0, laplace(rng)))


def two_zeros(data, rng):
    """Sign and size apart: 0 comes with both signs."""
    size = int(math.log(1 - rng.random()) // -1)
    return sum(data) + (size if rng.random() < 0.5 else -size)


def coarse_uniform(data, rng):
    u = rng.randrange(1, 1024) / 1024 - 0.5
    return sum(data) - math.copysign(math.log(1 - 2 * abs(u)), u)


def on_a_fine_grid(data, rng):
    return sum(data) + round(laplace(rng) * 1e6) / 1e6 + 1e-7 * (data[0] > 0)


def sparse_vector(data, rng):
    """No noise on the answers (Lyu, Su, Li 2017, of Stoddard et al. 2014)."""
    threshold = 0.5 + laplace(rng, 2)
    return tuple(answer >= threshold for answer in (data[0], 1 - data[0]))


def response_of_four(data, rng):
    """Keeps the truth as often as with two answers."""
    if rng.random() < math.e / (math.e + 1):
        return data[0]
    return rng.choice([a for a in range(4) if a != data[0]])


def sampled(data, rng):
    """Poisson sample with rate 1/2 before noise for eps = 2; sold as eps = 1."""
    return sum(x for x in data if rng.random() < 0.5) + laplace(rng, 0.5)


def noise_of_the_data(data, rng):
    """A generator seeded by the data: one answer for each dataset."""
    return sum(data) + laplace(random.Random(repr(data)))


def size_published(data, rng):
    """The mean over the true size."""
    return (sum(data) + laplace(rng, 2)) / (len(data) + 1), len(data)


def mean_of_true_size(data, rng):
    """Sensitivity 1/n taken of the dataset at hand, with a record more or less."""
    n = max(1, len(data))
    return sum(data) / n + laplace(rng, 1 / n)


def gaussian_for_laplace(data, rng):
    """Pure eps claimed of normal noise."""
    return sum(data) + rng.gauss(0, 1)


def batch_clipped(data, rng):
    """The sum is clipped, not each record."""
    return max(-5.0, min(5.0, sum(data))) + laplace(rng)


def never_negative(data, rng):
    """A count below 0 is drawn again."""
    while True:
        answer = len(data) + laplace(rng)
        if answer >= 0:
            return answer


def sign_of_three(data, rng):
    return sum(data) + rng.choice((-1, 0, 1)) * rng.expovariate(1)


def above_threshold(data, rng):
    """Publishes the noisy answer that was compared."""
    noise, threshold = laplace(rng, 2), 1 + laplace(rng, 2)
    noisy = [sum(data) + noise, 2 * sum(data) + noise]
    return next(((k, x) for k, x in enumerate(noisy) if x >= threshold), None)


def permute_and_flip(data, rng):
    """Coins of e^(eps u), for e^(eps u / 2)."""
    kinds = [0, 1]
    rng.shuffle(kinds)
    utility = counts(data)
    while True:
        for kind in kinds:
            if rng.random() < math.exp(2 * (utility[kind] - max(utility))):
                return kind


def sometimes_the_record(data, rng):
    """One run in a thousand answers with the record itself; sold as delta = 1/100,000."""
    return float(data[0]) if rng.random() < 1e-3 else data[0] + laplace(rng)


def rare_word(data, rng):
    """A debug line that comes with one answer in a thousand."""
    answer = sum(data) + rng.gauss(0, 4)
    return ("debug", data[0]) if rng.random() < 1e-3 else ("", answer)


def four_releases(data, rng):
    """Each keeps (1, 1/100000) nearly; sold as one."""
    return tuple(sum(data) + rng.gauss(0, 3.74) for _ in range(4))


WRONG = [
    sampler("a leak beside noise", "the record times 1000", leak, neighbours=BIT, guarantee=1),
    sampler("wrong sensitivity", "noise for records in [0, 1]", sensitivity_of_one,
            neighbours=VALUES, guarantee=1),
    sampler("one-sided noise", "exponential noise has no mass on the left", one_sided,
            neighbours=BIT, guarantee=1),
    sampler("replace-one sold as add-remove", "two counts move by one each", histogram,
            neighbours=BIT, guarantee=1),
    sampler("noise reused", "one draw for two counts", noise_reused, neighbours=BIT, guarantee=1),
    sampler("clamped noise", "the ends of the noise are atoms", clamped_noise, neighbours=BIT,
            guarantee=1),
    sampler("two zeros", "mass at 0 counted twice", two_zeros, neighbours=BIT, guarantee=1),
    sampler("coarse uniform", "ten bits: values of noise differ", coarse_uniform,
            neighbours=BIT, guarantee=1),
    sampler("on a fine grid", "the seventh decimal tells the record", on_a_fine_grid,
            neighbours=BIT, guarantee=1),
    sampler("sparse vector without noise on answers", "some answers are impossible", sparse_vector,
            neighbours=BIT, guarantee=1),
    sampler("response of four, masses of two", "masses of the response of two", response_of_four,
            neighbours=BIT, guarantee=1),
    sampler("amplified by q eps", "log(1 + q(e^eps - 1)) is larger", sampled,
            neighbours=[((), (1,))], guarantee=1),
    sampler("seeded by the data", "the same noise each time", noise_of_the_data, neighbours=BIT,
            guarantee=1),
    sampler("size published", "the number of records is an outcome", size_published,
            neighbours=AWAY, guarantee=1),
    sampler("local sensitivity", "noise of the size of the dataset at hand", mean_of_true_size,
            neighbours=[((1,), (1, 0)), ((), (1,))], guarantee=sp.Rational(1, 2)),
    sampler("normal noise, pure eps", "the loss has no bound", gaussian_for_laplace,
            neighbours=BIT, guarantee=1),
    sampler("clipped as a batch", "one record moves the sum by ten", batch_clipped,
            neighbours=[((0.0, 0.0), (0.0, 9.0))], guarantee=1),
    sampler("drawn again below 0", "the mass of what is left depends on the data", never_negative,
            neighbours=[((), (1,))], guarantee=1),
    sampler("sign 0", "one answer in three has no noise", sign_of_three, neighbours=BIT,
            guarantee=1),
    sampler("noise of the comparison published", "the answer comes without noise of its own",
            above_threshold, neighbours=BIT, guarantee=1),
    sampler("permute and flip without the 2", "one utility falls, another rises",
            permute_and_flip, neighbours=[((0, 1), (1, 1))], guarantee=2),
    sampler("a rare leak", "delta is 1/1000", sometimes_the_record, neighbours=BIT,
            guarantee=(1, "1/100000")),
    sampler("a rare word", "delta is 1/1000 and more", rare_word, neighbours=BIT,
            guarantee=(1, "1/100000")),
    sampler("four releases sold as one", "only their sum says it", four_releases, neighbours=BIT,
            guarantee=(1, "1/100000")),
]

# -- right ---------------------------------------------------------------------------------------


def tagged(data, rng):
    """Words beside a number."""
    return ("high" if rng.random() < 0.5 else "low"), sum(data) + laplace(rng)


def noisy_max(data, rng):
    noisy = [c + laplace(rng, 2) for c in counts(data)]
    return noisy.index(max(noisy))


RIGHT = [
    sampler("laplace", "scale is sensitivity over eps", sensitivity_of_one, neighbours=BIT,
            guarantee=1),
    sampler("laplace, wide", "sensitivity 2", sensitivity_of_one, neighbours=VALUES, guarantee=2),
    sampler("laplace, a record more", "a count moves by one", sensitivity_of_one, neighbours=AWAY,
            guarantee=1),
    sampler("geometric", "the same on whole numbers",
            lambda d, rng: sum(d) + geometric(rng), neighbours=BIT, guarantee=1),
    sampler("response", "odds e", lambda d, rng: d[0] if rng.random() < 0.731 else 1 - d[0],
            neighbours=BIT, guarantee=1),
    sampler("response with a leak", "delta is the leak",
            lambda d, rng: ("sure", d[0]) if rng.random() < 0.1 else rng.randrange(2),
            neighbours=BIT, guarantee=(0, sp.Rational(1, 10))),
    sampler("response with a rare leak", "delta is the leak",
            lambda d, rng: ("sure", d[0]) if rng.random() < 1e-3 else rng.randrange(2),
            neighbours=BIT, guarantee=(1, sp.Rational(1, 1000))),
    sampler("response of four", "odds e against each", lambda d, rng:
            d[0] if rng.random() < (math.e - 1) / (math.e + 3) else rng.randrange(4),
            neighbours=BIT, guarantee=1),
    sampler("histogram", "eps = 2 where a record is replaced", histogram, neighbours=BIT,
            guarantee=2),
    sampler("gaussian", "Balle and Wang 2018 at sigma = 2, eps = 1",
            lambda d, rng: sum(d) + rng.gauss(0, 2), neighbours=BIT,
            guarantee=(1, sp.Rational(21, 1000))),
    sampler("four releases", "their mean has sigma 2",
            lambda d, rng: tuple(sum(d) + rng.gauss(0, 4) for _ in range(4)), neighbours=BIT,
            guarantee=(1, sp.Rational(21, 1000))),
    sampler("uniform", "delta is the shift", lambda d, rng: d[0] / 10 + rng.random(),
            neighbours=BIT, guarantee=(0, sp.Rational(1, 10))),
    sampler("constant", "says nothing", lambda d, rng: 0, neighbours=BIT, guarantee=0),
    sampler("noise alone", "nothing of the data", lambda d, rng: rng.random(), neighbours=BIT,
            guarantee=0),
    sampler("tagged", "a coin beside the noise", tagged, neighbours=BIT, guarantee=1),
    sampler("noisy max", "Dwork and Roth 2014, Claim 3.9, at twice the scale", noisy_max,
            neighbours=BIT, guarantee=1),
    sampler("clamped answer", "what is done with an answer costs nothing",
            lambda d, rng: max(0.0, min(1.0, sum(d) + laplace(rng))), neighbours=BIT, guarantee=1),
    sampler("sampled", "log(1 + (e^2 - 1)/2)", sampled, neighbours=[((), (1,))],
            guarantee=sp.log(1 + (sp.exp(2) - 1) / 2)),
    sampler("rounded", "to whole numbers", lambda d, rng: round(sum(d) + laplace(rng)),
            neighbours=BIT, guarantee=1),
    sampler("text", "outcomes without order",
            lambda d, rng: "yes" if (rng.random() < 0.731) == d[0] else "no", neighbours=BIT,
            guarantee=1),
]
