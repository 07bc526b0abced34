"""The memory machine of Koç, Acar and Kaliski [koc1996analyzing], and their five texts executed on it.

The paper counts multiplications, additions, reads and writes under one convention:

- every named word lies in memory, the carry C and the sum S apart: using it is a read, assigning it a write;
- `(C,S) := x + y*z + C` is one multiplication and two additions, each of two words; no carry is added apart;
- `ADD(t[i], C)`, which runs a carry up the array, is charged its average: 2 additions, 2 reads, 2 writes;
- the final subtraction is charged 2 additions, 2 reads and 1 write for each of s + 1 steps.

The texts are the paper's pseudo-code, statement by statement, words of 32 bits. What ships keeps carries, column sums
and top words in registers, and the place of a register on this machine is not in its text. The executed counts equal
the paper's table in every entry.

CIHS as published loses carries: it assigns `t[s+1] := C` over an earlier row's carry. `cihs_mended` adds instead, and
computes the product; it costs s(s+1)/2 additions and s(s+1)/2 reads more than the paper charges.
"""

from collections.abc import Callable, Sequence

WORD = 1 << 32
Counts = dict[str, int]
KEYS = ("multiplications", "additions", "reads", "writes")


def published(name: str, s: int) -> Counts:
    """The paper's table 1 for s words, the total with the final subtraction. It has no mended CIHS."""
    additions, reads, writes = {
        "sos": (4 * s * s + 4 * s + 2, 6 * s * s + 7 * s + 3, 2 * s * s + 6 * s + 2),
        "cios": (4 * s * s + 4 * s + 2, 6 * s * s + 7 * s + 2, 2 * s * s + 5 * s + 1),
        "fios": (5 * s * s + 3 * s + 2, 7 * s * s + 5 * s + 2, 3 * s * s + 4 * s + 1),
        "fips": (6 * s * s + 2 * s + 2, 9 * s * s + 8 * s + 2, 5 * s * s + 8 * s + 1),
        "cihs": (4 * s * s + 4 * s + 2, (13 * s * s + 13 * s) // 2 + 2, 3 * s * s + 5 * s + 1),
    }[name.removesuffix("_mended")]
    return dict(zip(KEYS, (2 * s * s + s, additions, reads, writes), strict=True))


class Array:
    """Words in memory, whose accesses are counted."""

    def __init__(self, counts: Counts, words: Sequence[int]) -> None:
        self.counts, self.words = counts, list(words)

    def __getitem__(self, i: int) -> int:
        self.counts["reads"] += 1
        return self.words[i]

    def __setitem__(self, i: int, word: int) -> None:
        self.counts["writes"] += 1
        self.words[i] = word


class Machine:
    """Operands in memory, the word m, and the counts so far; `n0` is -n^-1 modulo the word."""

    def __init__(self, a: Sequence[int], b: Sequence[int], n: Sequence[int], n0: int) -> None:
        self.counts: Counts = dict.fromkeys(KEYS, 0)
        self.s = len(n)
        self.a, self.b, self.n, self.n0, self.m = (self.array(words) for words in (a, b, n, [n0], [0]))

    def array(self, words: Sequence[int]) -> Array:
        return Array(self.counts, words)

    def sum(self, *terms: int) -> tuple[int, int]:
        """The carry and the word of a sum."""
        self.counts["additions"] += len(terms) - 1
        return divmod(sum(terms), WORD)

    def product(self, y: int, z: int) -> int:
        self.counts["multiplications"] += 1
        return y * z

    def quotient(self, x: int) -> None:
        """`m := x * n'[0] mod W`."""
        self.m[0] = self.product(x, self.n0[0]) % WORD

    def add(self, t: Array, i: int, carry: int) -> None:
        """`ADD(t[i], C)`, charged its average."""
        for key in KEYS[1:]:
            self.counts[key] += 2
        while carry and i < len(t.words):
            carry, t.words[i] = divmod(t.words[i] + carry, WORD)
            i += 1

    def row(self, t: Array, i: int, x: Array, y: Array, k: int, length: int) -> int:
        """`(C, t[i+j]) := t[i+j] + x[j] * y[k] + C` for each j; the last C."""
        c = 0
        for j in range(length):
            c, t[i + j] = self.sum(t[i + j], self.product(x[j], y[k]), c)
        return c

    def reduce_row(self, t: Array) -> None:
        """The reduction row of CIOS and CIHS: `t := (t + m n) / W`."""
        s = self.s
        self.quotient(t[0])
        c, _ = self.sum(t[0], self.product(self.m[0], self.n[0]))
        for j in range(1, s):
            c, t[j - 1] = self.sum(t[j], self.product(self.m[0], self.n[j]), c)
        self.close_row(t, c)

    def close_row(self, t: Array, c: int) -> None:
        s = self.s
        c, t[s - 1] = self.sum(t[s], c)
        t[s] = self.sum(t[s + 1], c)[1]

    def subtract(self, u: Sequence[int]) -> list[int]:
        """`u` minus n if that is not negative, otherwise u; s + 1 words."""
        steps = self.s + 1
        for key, each in (("additions", 2), ("reads", 2), ("writes", 1)):
            self.counts[key] += each * steps
        number = value(u[:steps])
        return words(number - value(self.n.words) if number >= value(self.n.words) else number, steps)

    def sos(self) -> Sequence[int]:
        s = self.s
        t, u = self.array([0] * (2 * s + 2)), self.array([0] * (s + 1))
        for i in range(s):
            t[i + s] = self.row(t, i, self.a, self.b, i, s)
        for i in range(s):
            self.quotient(t[i])
            self.add(t, i + s, self.row(t, i, self.n, self.m, 0, s))
        for j in range(s + 1):
            u[j] = t[j + s]
        return u.words

    def cios(self) -> Sequence[int]:
        s = self.s
        t = self.array([0] * (s + 2))
        for i in range(s):
            c = self.row(t, 0, self.a, self.b, i, s)
            t[s + 1], t[s] = self.sum(t[s], c)
            self.reduce_row(t)
        return t.words

    def fios(self) -> Sequence[int]:
        s = self.s
        t = self.array([0] * (s + 3))
        for i in range(s):
            c, low = self.sum(t[0], self.product(self.a[0], self.b[i]))
            self.add(t, 1, c)
            self.quotient(low)
            c, _ = self.sum(low, self.product(self.m[0], self.n[0]))
            for j in range(1, s):
                high, low = self.sum(t[j], self.product(self.a[j], self.b[i]), c)
                self.add(t, j + 1, high)
                c, t[j - 1] = self.sum(low, self.product(self.m[0], self.n[j]))
            self.close_row(t, c)
            t[s + 1] = 0
        return t.words

    def to_column(self, t: Array, start: int, x: int, y: int) -> int:
        """`t[0] + x*y`, its carry up into t[1] and t[2]; the low word."""
        c, low = self.sum(start, self.product(x, y))
        self.add(t, 1, c)
        return low

    def fips(self) -> Sequence[int]:
        s = self.s
        t, m = self.array([0] * 3), self.array([0] * (s + 1))
        for i in range(2 * s):
            for j in range(max(0, i - s + 1), min(i, s)):
                low = self.to_column(t, t[0], self.a[j], self.b[i - j])
                t[0] = self.to_column(t, low, m[j], self.n[i - j])
            if i < s:
                low = self.to_column(t, t[0], self.a[i], self.b[0])
                self.quotient(low)
                m.words[i] = self.m.words[0]
                self.to_column(t, low, m[i], self.n[0])
            else:
                m[i - s] = t[0]
            t[0], t[1], t[2] = t[1], t[2], 0
        m.words[s] = t.words[0]
        return m.words

    def cihs(self, mended: bool = False) -> Sequence[int]:
        s = self.s
        t = self.array([0] * (s + 2))

        def to_top(c: int) -> None:
            """`t[s] := t[s] + c`, and the carry: assigned as published, added if `mended`."""
            c, t[s] = self.sum(t[s], c)
            t[s + 1] = self.sum(t[s + 1], c)[1] if mended else c

        for i in range(s):
            to_top(self.row(t, i, self.a, self.b, i, s - i))
        for i in range(s):
            self.reduce_row(t)
            t[s + 1] = 0
            for j in range(i + 1, s):
                c, t[s - 1] = self.sum(t[s - 1], self.product(self.a[s - j + i], self.b[j]))
                to_top(c)
        return t.words

    def cihs_mended(self) -> Sequence[int]:
        return self.cihs(mended=True)


#: The organisations as the paper has them, by the names that they have in plans.
TEXTS: dict[str, Callable[[Machine], Sequence[int]]] = {
    name: getattr(Machine, name) for name in ("sos", "cios", "fios", "fips", "cihs", "cihs_mended")
}


def value(number: Sequence[int]) -> int:
    """The number that the words stand for, the lowest first."""
    return sum(word << (32 * i) for i, word in enumerate(number))


def words(number: int, count: int) -> list[int]:
    return [number >> (32 * i) & (WORD - 1) for i in range(count)]


def execute(name: str, a: int, b: int, n: int, s: int) -> tuple[int, Counts]:
    """The result and the counts for an odd n of s words."""
    machine = Machine(words(a, s), words(b, s), words(n, s), -pow(n, -1, WORD) % WORD)
    result = machine.subtract(TEXTS[name](machine))
    return value(result), machine.counts


def table(s: int) -> list[dict[str, object]]:
    """Executed, published, and the difference, for each text; what is counted does not depend on the numbers."""
    rows: list[dict[str, object]] = []
    for name in TEXTS:
        counted, theirs = execute(name, 1, 1, WORD**s - 1, s)[1], published(name, s)
        difference = {key: counted[key] - theirs[key] for key in KEYS}
        rows.append({"text": name, "words": s, "counted": counted, "published": theirs, "difference": difference})
    return rows
