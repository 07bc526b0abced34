"""Numbers that find faults: structured limbs, edges of lengths, and neighbours of the modulus."""

import hashlib

from hypothesis import strategies as st

MAX_BITS = 2200

_LIMB = st.one_of(
    st.sampled_from([0, 1, 2**63, 2**63 - 1, 2**64 - 2, 2**64 - 1]),
    # A run of ones.
    st.tuples(st.integers(0, 63), st.integers(1, 64)).map(lambda run: ((1 << run[1]) - 1 << run[0]) % 2**64),
    st.integers(0, 2**64 - 1),
)


def _join(limbs):
    return sum(limb << 64 * i for i, limb in enumerate(limbs))


def _near_a_power_of_two(max_bits):
    return st.tuples(st.integers(0, max_bits - 1), st.integers(-3, 3)).map(lambda pair: abs((1 << pair[0]) + pair[1]))


def naturals(max_bits=MAX_BITS):
    """At least half of the limbs are structured."""
    limbs = st.lists(_LIMB, max_size=-(-max_bits // 64)).map(_join).map(lambda value: value % 2**max_bits)
    return st.one_of(limbs, _near_a_power_of_two(max_bits), st.integers(0, 10))


def integers(max_bits=MAX_BITS):
    return st.tuples(naturals(max_bits), st.sampled_from([1, 1, -1])).map(lambda pair: pair[0] * pair[1])


@st.composite
def calls(draw, max_bits=MAX_BITS, exponent_bits=256):
    """(base, exponent, modulus), with bases around multiples of the modulus; the modulus is not 0."""
    modulus = draw(integers(max_bits).filter(bool))
    base = draw(
        st.one_of(
            integers(max_bits),
            st.tuples(st.sampled_from([-2, -1, 0, 1, 2]), st.integers(-2, 2)).map(lambda p: p[0] * modulus + p[1]),
        )
    )
    return base, draw(integers(exponent_bits)), modulus


def drawn(label, bits):
    """A number of exactly `bits` bits, the same on every run."""
    stream = hashlib.shake_256(f"{label} {bits}".encode()).digest(bits // 8 + 1)
    return int.from_bytes(stream, "big") % (1 << bits) | 1 << bits - 1


def outcome(call, *arguments):
    """The result, or the class that pow's exceptions belong to."""
    try:
        return call(*arguments)
    except ZeroDivisionError:
        return ValueError
    except (ValueError, TypeError) as error:
        return ValueError if isinstance(error, ValueError) else TypeError
