"""Pictures: plotted is what the definitions say, in sensible ranges, and nothing stays open."""

from __future__ import annotations

import math
from fractions import Fraction

import matplotlib
import mpmath
import numpy as np
import pytest
import sympy as sp
from matplotlib.figure import Figure

from lapdp import (
    exponential,
    finite,
    gaussian,
    laplace,
    poisson,
    randomized_response,
    symmetrized,
)
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.report.plots import loss, moments, ranges
from lapdp.report.plots import plot as draw
from lapdp.report.plots.axes import named
from lapdp.report.plots.colours import colours
from lapdp.report.plots.loss import cdf_bounds
from lapdp.report.plots.tradeoff import bounds

matplotlib.use("Agg")

LEAKY = finite(["1/2", "1/4", "1/4", 0], ["1/4", "1/4", 0, "1/2"])
EQUAL = finite([1], [1])
SAMPLED = poisson(gaussian(1), "0.01", direction="remove") ** 1000
MANY = laplace(1) ** 10**6


@pytest.fixture(autouse=True)
def nothing_left_open(monkeypatch):
    import matplotlib.pyplot as plt

    monkeypatch.setattr(plt, "show", lambda *_, **__: pytest.fail("plt.show was called"))
    yield
    assert plt.get_fignums() == []


@pytest.fixture
def ax():
    return Figure().add_subplot()


def lines(ax, gid="curve"):
    return [line for line in ax.get_lines() if line.get_gid() == gid]


def exact(x):
    return sp.Rational(*float(x).as_integer_ratio())


def exact_profile(pair, t):
    """From the masses, to 40 digits."""
    with mpmath.workdps(40):
        alpha = mpmath.exp(mpmath.mpf(t))
        return float(sum(max(mpmath.mpf(0), mpmath.mpf(p.numerator) / p.denominator
                             - alpha * q.numerator / q.denominator) for p, q in pair.masses))


# -- profile --------------------------------------------------------------------------------------


def test_profile_of_a_finite_pair_is_that_of_its_masses(ax):
    LEAKY.profile.plot(ax, both=True)
    for pair, line in zip((LEAKY, LEAKY.reverse()), lines(ax), strict=True):
        x, y = line.get_data()
        for t, value in zip(x, y, strict=True):
            assert value == pytest.approx(exact_profile(pair, t), abs=1e-12)
        for ratio in pair.breakpoints():
            at = np.argmin(np.abs(x - math.log(ratio)))
            assert abs(x[at] - math.log(ratio)) < 1e-15
            assert y[at] == float(pair.hockey_stick(ratio))


@pytest.mark.parametrize("pair", [laplace(1), gaussian(1), SAMPLED, gaussian(1000)], ids=str)
def test_plotted_points_of_profiles_lie_in_certified_enclosures(ax, pair):
    pair.profile.plot(ax)
    x, y = lines(ax)[0].get_data()
    assert (np.diff(x) > 0).all() and (np.diff(y) <= 1e-12).all()
    for t, value in list(zip(x, y, strict=True))[::40]:
        true = pair.delta(exact(t), digits=12).enclosure
        assert abs(Fraction(value) - true.middle) <= true.radius + Fraction(2, 10**5) * true.middle


def test_ranges_show_where_something_happens(ax):
    low, high = ranges.of_profile(gaussian(1000))
    assert -0.01 < low < -0.001 and 0.001 < high < 0.01
    assert ranges.of_profile(EQUAL)[0] < 0 < ranges.of_profile(EQUAL)[1] < 2
    low, high = ranges.of_profile(MANY)
    assert low < 0 and 368_000 < high < 500_000
    low, high = ranges.of_profile(LEAKY)
    assert low < -math.log(1) and math.log(2) < high < 2


def test_mass_at_infinity_is_where_the_profile_ends(ax):
    LEAKY.profile.plot(ax)
    (level,) = [line for line in ax.get_lines() if "infty" in str(line.get_label())]
    assert set(level.get_ydata()) == {0.25}
    assert lines(ax)[0].get_ydata()[-1] == 0.25


def test_logarithmic_axis_starts_at_zero_and_leaves_out_zeros(ax):
    laplace(1).profile.plot(ax, log=True)
    x, y = lines(ax)[0].get_data()
    assert x[0] == 0 and ax.get_yscale() == "log" and not (y <= 0).any()


def test_several_pairs_differ_in_colour_and_in_dashes(ax):
    for pair in (laplace(1), gaussian(1), EQUAL):
        pair.profile.plot(ax)
    assert len({line.get_color() for line in lines(ax)}) == 3
    assert len({str(line.get_linestyle()) for line in lines(ax)}) == 3
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "laplace(1, 1)", "gaussian(1, 1)", "finite([1], [1])"]


def test_places_that_are_not_reached_are_boxes(ax):
    MANY.profile.plot(ax)
    (box,) = [part for part in ax.collections if part.get_gid() == "gap"]
    left, right = box.get_paths()[0].get_extents().intervalx
    assert left < 367_879 < right
    assert not [part for part in gaussian(1).profile.plot(Figure().add_subplot()).collections]


# -- loss -----------------------------------------------------------------------------------------


def test_atoms_are_stems_at_their_places_and_density_is_exact(ax):
    laplace(1).loss.plot(ax)
    z, y = lines(ax)[0].get_data()
    inside = np.isfinite(z)
    assert np.allclose(y[inside], np.exp(z[inside] / 2 - 0.5) / 4, rtol=1e-12)
    assert z[inside].min() == -1 and z[inside].max() == 1
    stems = ax.figure.axes[1]
    (heads,) = lines(stems, "atoms")
    assert np.allclose(heads.get_data(), [[-1, 1], [math.exp(-1) / 2, 0.5]], rtol=1e-15)


def test_masses_at_infinity_stand_at_the_margins(ax):
    LEAKY.loss.plot(ax)
    (left,), (right,) = lines(ax, "left margin"), lines(ax, "right margin")
    assert left.get_ydata()[1] == 0.5 and right.get_ydata()[1] == 0.25
    texts = {text.get_text() for text in ax.texts}
    assert any("= 0.25" in text for text in texts) and any("= 0.5" in text for text in texts)
    assert lines(ax)[0].get_xdata().tolist() == [0, math.log(2)]
    assert ax.get_xlim()[0] < 0 and math.log(2) < ax.get_xlim()[1]


def test_distribution_functions_lie_between_their_bounds():
    for pair in (laplace(1), gaussian(1), exponential(1, 2), LEAKY):
        z, least, most = cdf_bounds(pair, -2.0, 2.0, 60)
        for place, below, above in list(zip(z, least, most, strict=True))[::6]:
            true = float(sp.N(pair.loss.cdf(exact(place)), 20))
            assert below - 1e-9 <= true <= above + 1e-9, (pair, place)
    z, least, most = cdf_bounds(gaussian(1), -3.0, 4.0)
    assert np.max(most - least) < 0.02


def test_a_band_is_named_where_it_can_be_seen(ax, monkeypatch):
    def named():
        return [text for text in ax.get_legend_handles_labels()[1] if "bounds" in text]

    poisson(laplace(1), "1/2", direction="remove").loss.plot(ax, kind="cdf", losses=(-1, 1))
    assert named() == []
    monkeypatch.setattr(loss, "cdf_bounds", lambda *_: (
        np.linspace(0, 1, 9), np.linspace(0, 0.5, 9), np.linspace(0.1, 0.6, 9)))
    gaussian(1).loss.plot(ax, kind="cdf")
    assert named() == ["between proved bounds"]


def test_a_loss_without_closed_form_says_what_to_ask(ax):
    with pytest.raises(Unsupported, match='kind="cdf"'):
        SAMPLED.loss.plot(ax)
    SAMPLED.loss.plot(ax, kind="cdf")


# -- orders ---------------------------------------------------------------------------------------


def test_renyi_points_are_those_of_the_closed_form(ax):
    gaussian(1).renyi.plot(ax)
    q, r = lines(ax)[0].get_data()
    assert np.allclose(r, q / 2, rtol=1e-9) and q.min() >= 0 and q.max() == 10
    exponential(1, 2).moment.plot(ax)
    q, e = lines(ax)[1].get_data()
    assert np.allclose(e, 2 * np.exp(-q * np.log(2)) / (2 - q), rtol=1e-9) and q.max() < 2


def test_orders_beyond_the_strip_are_marked(ax):
    randomized_response(1, "1/10").renyi.plot(ax)
    q = lines(ax)[0].get_xdata()
    assert q.min() > 0 and q.max() < 1
    assert ax.get_xlim()[0] < 0 and ax.get_xlim()[1] > 1
    assert sum(bool(patch.get_hatch()) for patch in ax.patches) == 2


def test_a_moment_that_is_no_double_is_drawn_by_its_logarithm(ax):
    MANY.moment.plot(ax, orders=(0, 4))
    q, logs = lines(ax)[0].get_data()
    assert "log" in ax.get_ylabel()
    one = laplace(1).moment.at(exact(q[-1]), 12)
    assert logs[-1] == pytest.approx(10**6 * math.log(float(one)), rel=1e-9)
    assert logs.min() < 0


def test_zeros_and_poles_are_where_they_are():
    # E_q of randomized response is cosh((q - 1/2) eps)/cosh(eps/2)
    eps = math.log(3)
    found = moments.plane(randomized_response(sp.log(3)), np.linspace(-1, 2, 40),
                          np.linspace(0, 9, 60)).zeros
    assert np.allclose(found, [0.5 + 1j * math.pi * (k + 0.5) / eps for k in range(3)], atol=1e-9)
    assert moments.poles(exponential(1, 2)) == [2]
    assert moments.poles(exponential(1, 2).reverse()) == [-1]
    # that of laplace at 1/2 is removable
    assert moments.poles(laplace(1)) == [] and moments.poles(gaussian(1)) == []
    # no zero of a normal pair is claimed anywhere
    spectrum = moments.releases(gaussian(1)).parts[0][0]
    assert not moments.has_zero(spectrum, 0.5 + 1j, 1e-3)


@pytest.mark.parametrize("pair", [gaussian(1), exponential(1, 2), laplace(1) ** 3], ids=str)
def test_pixels_hold_the_values_of_the_closed_form(pair):
    x, y = np.linspace(-0.5, 1.5, 7), np.linspace(0, 3, 5)
    found = moments.plane(pair, x, y)
    q = sp.Symbol("q")
    for i, j in ((0, 0), (3, 2), (6, 4), (1, 4)):
        order = exact(x[j]) + sp.I * exact(y[i % 5])
        value = complex(sp.N(pair.moment(q).subs(q, order), 20))
        here = math.exp(found.logs[i % 5, j]) * np.exp(1j * found.angles[i % 5, j])
        assert here == pytest.approx(value, rel=1e-9)


def test_planes_mark_strip_poles_and_zeros(ax):
    exponential(1, 2).moment.plot(ax, kind="complex")
    assert [line.get_xdata().tolist() for line in lines(ax, "pole")] == [[2]]
    assert any(patch.get_hatch() for patch in ax.patches)
    other = Figure().add_subplot()
    randomized_response(sp.log(3)).renyi.plot(other, kind="region", imaginary=5)
    (zeros,) = lines(other, "zero")
    assert len(zeros.get_xdata()) == 4 and set(np.round(zeros.get_xdata(), 9)) == {0.5}


def test_colours_tell_arguments_apart_and_modulus_by_lightness():
    angles = np.linspace(-np.pi, np.pi, 9)[:-1]
    wheel = colours(np.zeros(8), angles)
    gaps = np.abs(wheel[:, None] - wheel[None]).sum(axis=2) + np.eye(8)
    assert gaps.min() > 0.05
    grey = colours(np.linspace(-3, 3, 13), np.zeros(13)) @ [0.2126, 0.7152, 0.0722]
    assert (np.diff(grey) > 0).all()
    assert np.allclose(colours(np.array([np.nan]), np.array([0.0])), 0.5)


# -- trade-off ------------------------------------------------------------------------------------


@pytest.mark.parametrize("pair", [gaussian(1), laplace(1), exponential(1, 2), LEAKY,
                                  exponential(1, 2).reverse(), gaussian(1000)], ids=str)
def test_trade_off_functions_lie_between_their_bounds(pair):
    a, lower, upper = bounds([pair])
    for level, least, most in list(zip(a, lower, upper, strict=True))[::25]:
        true = float(pair.tradeoff.at(exact(level), 12)) if level else float(pair.tradeoff.at_zero)
        assert least - 1e-11 <= true <= most + 1e-11, level
    assert np.max(upper - lower) < 3e-3


def test_the_inverse_of_a_subsampled_pair_has_a_value_at_every_level(ax):
    poisson(laplace(1), "1/2", direction="remove").tradeoff.plot(ax, both=True)
    for line in lines(ax):
        assert np.isfinite(line.get_ydata()).all() and len(line.get_ydata()) > 100


def test_vertices_diagonal_inverse_and_symmetrised(ax):
    f = finite(["1/2", "1/2"], ["1/4", "3/4"]).tradeoff
    f.plot(ax, both=True, symmetrised=("min", "max"))
    drawn = [list(zip(*line.get_data(), strict=True)) for line in lines(ax)]
    wanted = [f.vertices, f.inverse().vertices, f.symmetrised("min").vertices,
              f.symmetrised("max").vertices]
    for points, vertices in zip(drawn, wanted, strict=True):
        assert np.allclose(points, [[float(x) for x in v] for v in vertices], rtol=1e-15)
    (diagonal,) = lines(ax, "diagonal")
    assert [list(part) for part in diagonal.get_data()] == [[0, 1], [1, 0]]


def test_symmetrised_pairs_and_densities_are_drawn(ax):
    exponential(1, 2).tradeoff.plot(ax, symmetrised=["min", "max"])
    f, least, most = (line.get_data() for line in lines(ax))
    # f = (1 - a)^2 and its inverse 1 - sqrt(a)
    assert np.allclose(f[1], (1 - f[0]) ** 2, atol=2e-3)
    assert np.allclose(most[1], np.maximum((1 - most[0]) ** 2, 1 - np.sqrt(most[0])), atol=2e-3)
    assert (least[1] <= np.minimum((1 - least[0]) ** 2, 1 - np.sqrt(least[0])) + 3e-3).all()
    even = symmetrized(finite(["1/2", "1/2"], ["1/4", "3/4"]))
    even.tradeoff.plot(ax)
    assert lines(ax)[-1].get_xdata().tolist() == [0, 0.25, 0.5, 1]


# -- characteristic function ----------------------------------------------------------------------


def test_characteristic_functions_are_moments_on_a_line(ax):
    gaussian(1).characteristic.plot(ax)
    for line, part in zip(lines(ax), (np.real, np.imag, np.abs), strict=True):
        u, y = line.get_data()
        assert np.allclose(y, part(np.exp(1j * u / 2 - u**2 / 2)), atol=1e-12)
    with pytest.raises(Undefined, match="does not exist"):
        LEAKY.characteristic.plot(ax)


# -- all of them ----------------------------------------------------------------------------------

VIEWS = ("profile", "loss", "moment", "renyi", "tradeoff", "characteristic")
EXTREME = [EQUAL, gaussian(1000), finite([1, 0], [0, 1]), LEAKY,
           randomized_response("0.1", "1e-8") ** 10**6]


@pytest.mark.parametrize("pair", EXTREME, ids=lambda pair: repr(pair)[:30])
@pytest.mark.parametrize("name", VIEWS)
def test_extreme_pairs_are_drawn_or_refused_in_one_line(pair, name, ax):
    try:
        getattr(pair, name).plot(ax)
    except (Undefined, Unsupported) as refusal:
        assert "\n" not in str(refusal)
        return
    assert all(math.isfinite(end) for end in (*ax.get_xlim(), *ax.get_ylim()))
    assert ax.get_xlabel() and ax.get_ylabel()
    ax.figure.canvas.draw()


def test_free_symbols_unknown_options_and_no_axes_are_refused(ax):
    scale = sp.Symbol("b", positive=True)
    for name in VIEWS:
        with pytest.raises(InputError, match=r"parameters \(b\): substitute"):
            getattr(laplace(scale), name).plot()
        with pytest.raises(InputError, match="has no option 'colour'"):
            getattr(laplace(1), name).plot(colour="red")
        with pytest.raises(InputError, match="must be Axes"):
            getattr(laplace(1), name).plot(3)
    for options in ({"eps": 3}, {"eps": (1, 0)}, {"eps": (0, math.inf)}):
        with pytest.raises(InputError):
            laplace(1).profile.plot(ax, **options)
    with pytest.raises(InputError, match="kind"):
        laplace(1).moment.plot(ax, kind="colours")
    with pytest.raises(InputError, match="'min' and 'max'"):
        laplace(1).tradeoff.plot(ax, symmetrised="mean")


def test_without_matplotlib_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setattr("lapdp.report.plots.find_spec", lambda name: None)
    with pytest.raises(Unsupported, match=r'^plots need matplotlib: pip install "lapdp\[plot\]"$'):
        draw(laplace(1).profile)


def test_without_axes_a_new_figure_is_made():
    import matplotlib.pyplot as plt

    first, second = laplace(1).profile.plot(), laplace(1).loss.plot(color="black")
    assert first.figure is not second.figure
    assert lines(second)[0].get_color() == "black"
    plt.close(first.figure)
    plt.close(second.figure)


def test_pairs_of_a_legend_are_broken_into_lines_and_seldom_cut():
    sampled = poisson(laplace(1), "1/2", direction="remove")
    label = named(sampled)
    assert "\n" in label and " ".join(label.split("\n")) == repr(sampled)
    many = named(finite(["1/20"] * 20, ["1/20"] * 20))
    assert " ... " in many and "\n" not in many
