"""Energy of loads whose energy is known: steps, ramps, sines."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlcheck.power.integrate import (
    Quality,
    Samples,
    Window,
    mean_w,
    quality,
    rectangle_j,
    trapezoid_j,
)

EPOCH_MS = 1_700_000_000_000  # samples of today, not of 1970: times are large numbers


def at(*seconds: float) -> list[float]:
    return [EPOCH_MS + 1000 * second for second in seconds]


def window(begin: float, end: float) -> Window:
    return Window(begin_ms=at(begin)[0], end_ms=at(end)[0])


def metered(
    load: Callable[[float], float], seconds: int, *, step: float = 1.0, mean: bool = False
) -> Samples:
    """What a meter reports of a load in watts: at an instant, or the mean since the last one."""
    times = [step * i for i in range(int(seconds / step) + 1)]

    def reading(time: float) -> float:
        if not mean:
            return load(time)
        parts = [load(time - step + step * (k + 0.5) / 1000) for k in range(1000)]
        return math.fsum(parts) / 1000

    return Samples(at(*times), [reading(time) for time in times])


def stepped(time: float) -> float:
    """100 W for 10 s, then 300 W."""
    return 100.0 if time < 10 else 300.0


def sine(time: float) -> float:
    """500 W with 200 W on top and a period of 20 s."""
    return 500 + 200 * math.sin(2 * math.pi * time / 20)


def test_constant_load() -> None:
    samples = metered(lambda _: 250.0, 60)
    assert rectangle_j(samples) == trapezoid_j(samples) == 250 * 60
    assert rectangle_j(samples, window(10, 40)) == trapezoid_j(samples, window(10, 40)) == 7500


def test_a_step_is_exact_for_a_meter_that_averages() -> None:
    samples = metered(stepped, 20, mean=True)
    assert rectangle_j(samples) == pytest.approx(100 * 10 + 300 * 10, rel=1e-12)
    assert rectangle_j(samples, window(5, 12)) == pytest.approx(100 * 5 + 300 * 2, rel=1e-12)


def test_a_step_within_an_interval_keeps_its_energy() -> None:
    samples = metered(lambda t: stepped(t + 0.3), 20, mean=True)  # at 9.7 s
    assert rectangle_j(samples) == pytest.approx(100 * 9.7 + 300 * 10.3, rel=1e-12)


def test_a_step_of_instants_is_uncertain_by_half_an_interval_by_trapezoid() -> None:
    samples = metered(stepped, 20)
    true = 100 * 10 + 300 * 10
    assert trapezoid_j(samples) == pytest.approx(true + 0.5 * 200, rel=1e-12)
    assert rectangle_j(samples) == pytest.approx(true + 200, rel=1e-12)


def test_a_ramp_is_exact_by_trapezoid() -> None:
    samples = metered(lambda t: 10 * t, 100)
    assert trapezoid_j(samples) == 10 * 100**2 / 2
    # the ends of the window lie between samples: interpolated
    cut = window(12.25, 77.5)
    assert trapezoid_j(samples, cut) == pytest.approx(5 * (77.5**2 - 12.25**2), rel=1e-13)
    mean = metered(lambda t: 10 * t, 100, mean=True)
    assert rectangle_j(mean, window(12, 77)) == pytest.approx(5 * (77**2 - 12**2), rel=1e-12)


@pytest.mark.parametrize("step", [1.0, 0.5, 0.1])
def test_a_sine_over_whole_periods(step: float) -> None:
    samples = metered(sine, 60, step=step)
    for integrate in (rectangle_j, trapezoid_j):
        assert integrate(samples, window(0, 60)) == pytest.approx(500 * 60, rel=1e-12)


def test_a_sine_over_part_of_a_period() -> None:
    true = 500 * 13 + 200 * 20 / (2 * math.pi) * (1 - math.cos(2 * math.pi * 13 / 20))
    errors = []
    for step in (1.0, 0.5, 0.25):
        samples = metered(sine, 20, step=step)
        errors.append(abs(trapezoid_j(samples, window(0, 13)) - true))
    # what the trapezoid rule leaves out: step squared, times the change of the slope, over 12
    omega = 2 * math.pi / 20
    assert errors[0] == pytest.approx(200 * omega * (1 - math.cos(13 * omega)) / 12, rel=0.01)
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.02)
    assert errors[1] / errors[2] == pytest.approx(4, rel=0.02)
    mean = metered(sine, 20, mean=True)
    assert rectangle_j(mean, window(0, 13)) == pytest.approx(true, rel=1e-6)


def test_uneven_spacing() -> None:
    samples = Samples(at(0, 1, 4, 4.5), [0.0, 100.0, 200.0, 50.0])
    assert rectangle_j(samples) == 100 * 1 + 200 * 3 + 50 * 0.5
    assert trapezoid_j(samples) == 50 * 1 + 150 * 3 + 125 * 0.5


def test_the_interval_of_the_first_reading_counts_if_its_beginning_is_known() -> None:
    samples = Samples(at(2, 3), [100.0, 200.0], since_ms=at(0)[0])
    assert rectangle_j(samples) == 100 * 2 + 200
    assert rectangle_j(samples, window(1, 3)) == 100 * 1 + 200
    assert trapezoid_j(samples) == 150


def test_nothing_is_invented_outside_of_the_samples() -> None:
    samples = metered(lambda _: 100.0, 10)
    wide = window(-50, 50)
    assert rectangle_j(samples, wide) == trapezoid_j(samples, wide) == 1000
    found = quality(samples, wide, gap_ms=2000)
    assert found.coverage == pytest.approx(0.1)
    assert [gap.duration_ms for gap in found.gaps] == [50_000, 40_000]


@pytest.mark.parametrize("integrate", [rectangle_j, trapezoid_j])
def test_no_samples_no_energy(integrate: Callable[..., float]) -> None:
    for samples in (Samples([], []), Samples(at(1), [100.0])):
        assert integrate(samples) == 0
        assert integrate(samples, window(0, 10)) == 0
    assert integrate(metered(sine, 20), window(5, 5)) == 0
    assert integrate(metered(sine, 20), window(9, 5)) == 0
    assert integrate(metered(sine, 20), window(30, 40)) == 0


def test_readings_that_cannot_be_used_are_bridged() -> None:
    clean = Samples(at(0, 1, 3, 4), [100.0, 100.0, 100.0, 100.0])
    torn = Samples(at(0, 1, 1, 2, 3, 2.5, 4), [100.0, 100.0, 900.0, math.nan, 100.0, 900.0, 100.0])
    assert rectangle_j(torn) == rectangle_j(clean) == 400
    assert trapezoid_j(torn) == trapezoid_j(clean) == 400
    found = quality(torn, window(-1, 5), gap_ms=2000)
    assert (found.samples, found.usable) == (7, 4)
    assert (found.not_finite, found.duplicates, found.backward) == (1, 1, 1)
    assert found.gaps == ()


def test_zero_and_negative_readings_are_counted_and_used() -> None:
    samples = Samples(at(0, 1, 2, 3, 4), [100.0, 0.0, -50.0, 100.0, 100.0])
    found = quality(samples, window(-1, 5), gap_ms=1000)
    assert (found.zero, found.negative, found.usable) == (1, 1, 5)
    assert rectangle_j(samples) == 150
    assert mean_w(samples, window(-1, 5), positive=False) == 50
    assert mean_w(samples, window(-1, 5), positive=True) == 100


def test_the_mean_takes_what_lies_strictly_inside() -> None:
    samples = Samples(at(0, 1, 2, 3), [1.0, 2.0, 4.0, 1000.0])
    assert mean_w(samples, window(0, 3), positive=True) == 3
    assert mean_w(samples, window(1, 2), positive=True) is None
    assert mean_w(Samples(at(1), [math.inf]), window(0, 2), positive=True) is None


def test_gaps_are_longer_than_allowed_and_reach_across_the_ends_of_the_window() -> None:
    samples = Samples(at(0, 1, 2, 5, 6, 10), [1.0] * 6)
    found = quality(samples, window(0.5, 9), gap_ms=1000)
    assert [(gap.begin_ms, gap.end_ms) for gap in found.gaps] == [
        tuple(at(2, 5)),
        tuple(at(6, 9)),  # 4 s between readings, 3 of them inside
    ]
    assert found.longest_ms == 4000
    assert found.coverage == pytest.approx(1 - 6 / 8.5)
    assert quality(samples, window(0.5, 9), gap_ms=4000).gaps == ()
    assert quality(samples, window(0.5, 9), gap_ms=4000).coverage == 1


def test_a_window_without_length_or_samples_is_not_covered() -> None:
    nothing = quality(Samples([], []), window(0, 10), gap_ms=1000)
    assert (nothing.samples, nothing.coverage, nothing.longest_ms) == (0, 0, 10_000)
    assert quality(metered(sine, 20), window(9, 5), gap_ms=1000).coverage == 0


def test_times_and_readings_belong_together() -> None:
    with pytest.raises(ValueError, match="2 times for 1 readings"):
        Samples(at(0, 1), [1.0])


readings = st.lists(
    st.tuples(
        st.floats(min_value=0, max_value=100) | st.just(math.nan),
        st.floats(min_value=-1000, max_value=1000) | st.sampled_from([math.nan, math.inf]),
    ),
    max_size=20,
)


@given(readings, st.floats(min_value=-10, max_value=110), st.floats(min_value=0, max_value=100))
def test_windows_add_up_and_counts_hold(
    pairs: list[tuple[float, float]], begin: float, length: float
) -> None:
    samples = Samples(at(*(time for time, _ in pairs)), [watts for _, watts in pairs])
    whole = window(begin, begin + length)
    left, right = window(begin, begin + length / 3), window(begin + length / 3, begin + length)
    for integrate in (rectangle_j, trapezoid_j):
        halves = integrate(samples, left) + integrate(samples, right)
        assert integrate(samples, whole) == pytest.approx(halves, abs=1e-3)
    found: Quality = quality(samples, whole, gap_ms=1000)
    assert 0 <= found.coverage <= 1
    assert found.usable <= found.samples <= len(pairs)
    assert found.samples - found.usable <= found.not_finite + found.duplicates + found.backward
