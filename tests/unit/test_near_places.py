"""Usual losses that reach few places of a lattice beside them, and hits on its windows: against
sums over all places."""

import flint
import pytest

from lapdp import gaussian, poisson, randomized_response
from lapdp.accounting.epsilon import epsilon
from lapdp.accounting.inversion import direct, near_places, two_samples, windows_machine
from lapdp.accounting.inversion.window_parts import ways
from lapdp.accounting.method_names import IN_DOUBLES
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec


def sampled(sigma, rate, direction):
    return poisson(gaussian(sigma), rate, direction=direction)


def over_places(copies, step, eps, above, below):
    """The sum of the probabilities of randomized responses times the profile of others: ``above``
    at t > 0, and at -t that of the reversed pair."""
    z, total = flint.arb(1) / step, flint.arb(0)
    high = 1 / (1 + (-z).exp())
    for k in range(copies + 1):
        t = flint.arb(eps) - (2 * k - copies) * z
        value = above(t) if t > 0 else 1 - t.exp() * (1 - below(-t))
        if not (t > 0 or t < 0):
            # continuous, with a slope of 1 at most
            value = above(abs(t).upper()) + flint.arb(0, 2 * abs(t).upper())
        total += flint.arb.bin_uiui(copies, k) * high**k * (1 - high)**(copies - k) * value
    return total


def by_windows(pair, eps, bits=40):
    """With hits on windows, wherever that serves."""
    factors = releases(pair)
    here = next(here for here in ways(factors) if here.on.count > 1)
    ready = near_places.prepared(factors, here, float(eps), bits)
    way = windows_machine.Plan(ready.known, ready.chosen, ready.nodes + 1, ready)
    table = windows_machine._table(here, ready.known, ready.chosen.gamma, ready.chosen.period,
                                   ready.nodes + 1, bits * 0.7, 60_000_000)
    return windows_machine._value(way, table, eps)


@pytest.mark.parametrize(("sigma", "rate", "direction", "eps"), [
    ("1", "1e-4", "remove", "3.03"), ("1", "1e-4", "add", "3.11"),
    ("1/2", "1e-3", "add", "0.25"), ("1/2", "1e-3", "remove", "3.2006"),
    # next to a place, and on one
    ("1", "1e-4", "add", "3.19999"), ("1", "1e-4", "remove", "3.2"),
    # beyond the largest loss of the lattice a hit alone is left
    ("1/2", "1e-4", "remove", "16.9")])
def test_one_rare_sample_beside_a_lattice(sigma, rate, direction, eps):
    one = sampled(sigma, rate, direction)
    with workprec(300):
        forward, backward = (direct.profile(releases(pair), pair) for pair in (
            one, one.reverse()))
        total = over_places(80, 5, eps, *(
            lambda t, rule=rule: rule(lambda: t, 60) for rule in (forward, backward)))
        found = by_windows(randomized_response("1/5")**80 * one, flint.arb(eps))
        assert total.rel_accuracy_bits() > 50
        # what is next to nothing where hits decide is as sharp as elsewhere
        assert found.overlaps(total) and found.rel_accuracy_bits() > (32 if eps == "16.9" else 36)


@pytest.mark.parametrize(("sigma", "rate", "direction", "eps"), [
    ("1/2", "3/10", "add", "0.056"), ("1", "3/10", "remove", "0.083"),
    ("4/5", "1/2", "add", "0.204"), ("6/5", "1/2", "remove", "0.21")])
def test_usual_losses_of_one_sign_reach_no_place_next_to_eps(sigma, rate, direction, eps):
    one = sampled(sigma, rate, direction)
    with workprec(200):
        forward, backward = (direct.profile(releases(pair), pair) for pair in (
            one, one.reverse()))
        total = over_places(60, 100, eps, *(
            lambda t, rule=rule: rule(lambda: t, 60) for rule in (forward, backward)))
        pair, eps = randomized_response("1/100")**60 * one, flint.arb(eps)
        here = next(here for here in ways(releases(pair)) if here.on.count > 1)
        known = near_places.prepared(releases(pair), here, float(eps), 40).known
        assert min(near_places.reach(known), key=float) < 0
        assert by_windows(pair, eps).overlaps(total) and total.rel_accuracy_bits() > 50


def test_without_a_rule_for_the_smallest_losses_others_serve():
    one = sampled("3/10", "1e-4", "add")
    factors = releases(randomized_response("49/100")**300 * one)
    here = next(here for here in ways(factors) if here.on.count > 1)
    ready = near_places.prepared(factors, here, 56.154, 40)
    assert ready.near.known.splits and ready.near.alone is None
    with workprec(200):
        # next to a place, and farther off
        with pytest.raises(Unsupported, match="the smallest of usual losses"):
            ready.usual(flint.arb("0.49") * 100 - flint.arb("1e-6"))
        assert ready.usual(flint.arb("56.154")).is_finite()


def test_two_rare_samples_beside_a_lattice():
    two = sampled(1, "1e-3", "add")**2
    with workprec(300):
        eps = flint.arb("9.07")
        # no loss is larger than 0.00201
        total = over_places(70, 5, eps, lambda t: flint.arb(0) if t > flint.arb(
            "0.0021") else flint.arb.nan(), lambda t: two_samples.delta(
                releases(two.reverse()), t, 36) if t < 5 else flint.arb(0, "1e-12"))
        found = by_windows(randomized_response("1/5")**70 * two, eps)
        assert total.rel_accuracy_bits() > 35
        assert found.overlaps(total) and found.rel_accuracy_bits() > 36


def test_atoms_of_another_lattice_shift_the_place():
    one = sampled("1/2", "1e-3", "remove")
    with workprec(300):
        # a release of its own: its losses are 1/7 and -1/7
        eps, x = flint.arb("3.01"), flint.arb(1) / 7
        forward, backward = (direct.profile(releases(pair), pair) for pair in (
            one, one.reverse()))
        high, total = 1 / (1 + (-x).exp()), flint.arb(0)
        for mass, place in ((high, x), (1 - high, -x)):
            total += mass * over_places(80, 5, eps - place, *(
                lambda t, rule=rule: rule(lambda: t, 60) for rule in (forward, backward)))
        pair = randomized_response("1/5")**80 * one * randomized_response("1/7")
        found = by_windows(pair, eps)
        assert found.overlaps(total) and found.rel_accuracy_bits() > 36
        assert total.rel_accuracy_bits() > 50


def test_looks_of_a_search_share_what_hits_have_on_windows(monkeypatch):
    made = []
    make = windows_machine._table

    def counted(*given):
        made.append(given)
        return make(*given)

    monkeypatch.setattr(windows_machine, "_table", counted)
    pair = randomized_response("1/100")**1000000 * sampled("1/2", "1/10000", "add")**3
    found = epsilon(pair, "1e-5", 10)
    assert found.method == f"bracket, {IN_DOUBLES}"
    # the moments of all losses, and of those that may be near the places, take too many
    assert len({given[1] for given in made}) <= 3
