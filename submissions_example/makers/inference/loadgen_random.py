"""LoadGen's random numbers: the order in which it loads and issues samples.

LoadGen shuffles with ``std::mt19937`` and ``std::shuffle`` of libstdc++, seeded by the round. Doing
the same here gives every log the ``loaded_qsl_set`` a real run of that data set size would show.
"""

from __future__ import annotations

import random
from functools import cache

_WORD = 0xFFFFFFFF


def _mersenne_twister(seed: int) -> random.Random:
    """Return a generator whose 32-bit words are those of ``std::mt19937(seed)``."""
    state = [seed & _WORD]  # the 64-bit seeds of the rules lose their upper half here
    for i in range(1, 624):
        previous = state[-1]
        state.append((1812433253 * (previous ^ (previous >> 30)) + i) & _WORD)
    generator = random.Random()
    generator.setstate((3, (*state, 624), None))
    return generator


def _below(generator: random.Random, bound: int) -> int:
    """Return a number below ``bound`` as ``uniform_int_distribution`` draws it (Lemire)."""
    product = generator.getrandbits(32) * bound
    if product & _WORD < bound:
        threshold = (-bound & _WORD) % bound
        while product & _WORD < threshold:
            product = generator.getrandbits(32) * bound
    return product >> 32


@cache
def shuffled(count: int, seed: int) -> tuple[int, ...]:
    """Return the numbers below ``count`` in the order ``std::shuffle`` leaves them in.

    Args:
        count: below 65536; from there on libstdc++ draws one number for each swap.
        seed: of the generator, as the rules of the round give it.

    Returns:
        A permutation of ``range(count)``.
    """
    generator = _mersenne_twister(seed)
    order = list(range(count))
    at = 1
    if count % 2 == 0:
        other = _below(generator, 2)
        order[1], order[other] = order[other], order[1]
        at = 2
    while at < count:  # two swaps from one number
        first, second = divmod(_below(generator, (at + 1) * (at + 2)), at + 2)
        order[at], order[first] = order[first], order[at]
        order[at + 1], order[second] = order[second], order[at + 1]
        at += 2
    return tuple(order)
