"""Addition chains: checking them, and the shortest of small numbers."""

import math
from collections.abc import Sequence

Pair = tuple[int, int]


def defects(values: Sequence[int]) -> int:
    """Elements after the first that are no sum of two earlier ones."""
    return sum(
        not any(value - earlier in values[:place] for earlier in values[:place])
        for place, value in enumerate(values)
        if place > 0
    )


def wrong_pairs(values: Sequence[int], pairs: Sequence[Pair]) -> int:
    """Pairs (i, j) that do not name earlier elements with the next element as their sum."""
    wrong = abs(len(values) - 1 - len(pairs))
    for place, (i, j) in enumerate(pairs, 1):
        wrong += not (i < place and j < place and values[place] == values[i] + values[j])
    return wrong


def sliding_window_as_printed(e: int, k: int) -> list[int]:
    """The chain of section 3.4.2 to the letter: the odd integers below 2^k without 2, and i - l - 1 doublings."""
    chain = list(range(1, 1 << k, 2))
    bits, place = bin(e)[2:], 0
    while place < len(bits):
        if bits[place] == "0":
            chain.append(2 * chain[-1])
            place += 1
            continue
        end = bits.rindex("1", place, place + k)
        for _ in range(end - place - 1):
            chain.append(2 * chain[-1])
        chain.append(chain[-1] + int(bits[place : end + 1], 2))
        place = end + 1
    return chain


def shortest_length(n: int) -> int:
    """The length of the shortest addition chain for n < 12509, below which chains of star steps suffice."""

    def leads_to(chain: list[int], steps: int) -> bool:
        last = chain[-1]
        if last == n:
            return True
        if steps == 0 or last << steps < n:
            return False
        for earlier in reversed(chain):
            if last + earlier <= n:
                chain.append(last + earlier)
                if leads_to(chain, steps - 1):
                    return True
                chain.pop()
        return False

    length = (n - 1).bit_length()
    while not leads_to([1], length):
        length += 1
    return length


def bounds(e: int) -> tuple[float, float]:
    """Schoenhage's lower bound, and the upper one, as section 3.5 has them."""
    # math.log2 of a long int is exact enough, and takes any length.
    size, weight = math.log2(e), e.bit_count()
    return size + math.log2(weight) - 2.13, size + weight - 1
