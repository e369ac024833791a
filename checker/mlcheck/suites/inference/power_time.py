"""The runs of a power measurement with their times in UTC: LoadGen's window, the meter's samples.

Seconds since 1970 in client.json and server.json are the measure; clocks of logs are told by them.
See :mod:`mlcheck.power.clocks`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from mlcheck.loadgen import DetailLog
from mlcheck.power import clocks
from mlcheck.power.clocks import Clock
from mlcheck.power.integrate import Quality, Samples, Window, quality
from mlcheck.power.samples import SampleLog, time_ms
from mlcheck.power.session import AFTER, BEFORE, BEGIN, END, Session
from mlcheck.suites.inference.facts import Facts


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedRun:
    """The ranging run or the testing run of a session.

    Attributes:
        phase: "ranging" or "testing", as the session calls it.
        log: LoadGen's log; None: not there, or not readable.
        shown: begin and end of the load as LoadGen's clock showed them; None: not logged.
        span: in UTC, when the meter ran by the record of the client; None: not recorded.
        clock: the clock of LoadGen's log; None: by none that the client has, the load lies inside
            ``span``.
        window: begin and end of the load in UTC, by ``clock`` or else by the round's usual clock.
        samples: readings of the meter in UTC.
        quality: what is remarkable of the readings inside ``window``; gaps are what is longer than
            the round takes for regular.
        usual: LoadGen's window on the clock of the samples, if both clocks are the round's usual
            ones, as the official tool reads them.
        shown_samples: readings with times as the meter's clock showed them.
    """

    phase: str
    log: DetailLog | None = None
    shown: Window | None = None
    span: Window | None = None
    clock: Clock | None = None
    window: Window | None = None
    samples: Samples = field(default_factory=lambda: Samples((), ()))
    quality: Quality | None = None
    usual: Window | None = None
    shown_samples: Samples = field(default_factory=lambda: Samples((), ()))


def timed_run(
    phase: str,
    log: DetailLog | None,
    samples: SampleLog | None,
    sides: tuple[Session | None, Session | None],
    facts: Facts,
) -> TimedRun:
    """Put a run on the time of the session; ``sides`` are client and server."""
    client, server = sides
    readable = log if log and log.problem is None else None
    shown, span = load_window(readable), _span(client, phase, BEGIN, END)
    local = facts.power["clock"] == "local"
    ours = clocks.offsets(client.zone_s if client else None, local=local)
    theirs = clocks.offsets(server.zone_s if server else None, local=local)
    clock = clocks.clock_of(shown, span, ours) if shown and span else None
    told = clock or Clock(ours[0], ours[0])
    times: tuple[float, ...] = samples.times_ms if samples else ()
    around = _span(server, phase, BEFORE, AFTER)
    offset = _offset(times, around, theirs)
    apart = theirs[0] - ours[0]
    window = clocks.utc(shown, told) if shown else None
    in_utc = Samples(clocks.utc_times(times, offset, local=local), samples.watts if samples else ())
    regular: float = facts.power["workflow"]["samples"]["irregular_ms"]
    return TimedRun(
        phase=phase,
        log=readable,
        shown=shown,
        span=span,
        clock=clock,
        window=window,
        samples=in_utc,
        quality=quality(in_utc, window, gap_ms=regular) if window else None,
        usual=shown and Window(begin_ms=shown.begin_ms + apart, end_ms=shown.end_ms + apart),
        shown_samples=samples.samples() if samples else Samples((), ()),
    )


def load_window(log: DetailLog | None) -> Window | None:
    """Return begin and end of the measured window; None: the log does not state them."""
    texts = [log.text(key) if log else None for key in ("power_begin", "power_end")]
    try:
        begin, end = (time_ms(text) for text in texts if text)
    except ValueError:  # one is missing, or printed in another way
        return None
    return Window(begin_ms=begin, end_ms=end)


def _span(session: Session | None, phase: str, first: int, last: int) -> Window | None:
    begin = session.time(phase, first) if session else None
    end = session.time(phase, last) if session else None
    return None if begin is None or end is None else Window(begin_ms=begin, end_ms=end)


def _offset(
    times: tuple[float, ...], around: Window | None, candidates: tuple[float, ...]
) -> float:
    """Return the offset by which the first sample lies in its phase, else the usual one."""
    if times and around:
        for offset in candidates:
            if around.begin_ms <= times[0] - offset <= around.end_ms:
                return offset
    return candidates[0]


def meter_offset(begun: float | None, server: Session, facts: Facts) -> float:
    """Return how far the clock of the meter's log is ahead of UTC, in ms.

    ``begun``: when the testing run began, as that clock showed it; None: not logged.
    """
    candidates = clocks.offsets(server.zone_s, local=facts.power["clock"] == "local")
    around = _span(server, "testing", BEFORE, AFTER)
    return _offset(() if begun is None else (begun,), around, candidates)
