"""A target is reached by its very value, and by nothing below it; so is an upper limit."""

from __future__ import annotations

from tests.voices.made_results import entry_of, every_round, facts_for, flaws, reading, scenarios_of

NOTICEABLE = 0.001  # so far off that rounding to five figures does not bring it back


@every_round
def test_every_target_to_the_last_bit(round_: str) -> None:
    facts = facts_for(round_)
    tried = 0
    for name, benchmark in facts.benchmarks.items():
        entry = entry_of(facts, name, sorted(scenarios_of(benchmark))[0])
        for target in entry.targets:
            bounds = (("INF504", target.low, -1), ("INF505", target.high, 1))
            for rule, bound, direction in bounds:
                if bound is None:
                    continue
                beyond = bound * (1 + direction * NOTICEABLE)
                found = [
                    len(flaws(rule, reading(entry, **{target.metric: value}), facts))
                    for value in (bound, beyond)
                ]
                assert found == [0, 1], (name, target.metric, rule)
                tried += 1
    assert tried
