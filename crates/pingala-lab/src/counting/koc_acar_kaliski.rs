//! The memory machine of Koc, Acar and Kaliski \[koc1996analyzing\], and their five texts executed on it.
//!
//! The paper counts multiplications, additions, reads and writes under one convention, stated here as the machine has it:
//!
//! - every named word lies in memory, the carry C and the sum S apart: using it is a read, assigning it a write;
//! - `(C,S) := x + y*z + C` is one multiplication and two additions, each of two words; no carry is added apart;
//! - `ADD(t[i], C)`, which runs a carry up the array, is charged its average: 2 additions, 2 reads, 2 writes;
//! - the final subtraction is charged 2 additions, 2 reads and 1 write for each of s + 1 steps.
//!
//! The texts are the paper's pseudo-code, statement by statement, words of 32 bits. They are the only second text of these
//! products: what ships keeps carries, column sums and top words in registers, and the place of a register on this
//! machine is not in that text. The executed counts equal the paper's table in every entry.
//!
//! CIHS as published loses carries: it assigns `t[s+1] := C` over an earlier row's carry. [`Paper::CihsMended`]
//! adds instead, and computes the product; it costs s(s+1)/2 additions and s(s+1)/2 reads more than the paper charges.

/// Accesses and operations on the memory machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accesses {
    /// Products of two words.
    pub multiplications: u64,
    /// Additions of a word to two.
    pub additions: u64,
    /// Words read.
    pub reads: u64,
    /// Words written.
    pub writes: u64,
}

/// The organisations as the paper has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// Separated operand scanning.
    Sos,
    /// Coarsely integrated operand scanning.
    Cios,
    /// Finely integrated operand scanning.
    Fios,
    /// Finely integrated product scanning.
    Fips,
    /// Coarsely integrated hybrid scanning, as published.
    Cihs,
    /// Coarsely integrated hybrid scanning, with no carry lost.
    CihsMended,
}

impl Paper {
    /// All texts.
    pub const ALL: [Paper; 6] = [Paper::Sos, Paper::Cios, Paper::Fios, Paper::Fips, Paper::Cihs, Paper::CihsMended];

    /// The name that the same organisation has in plans; `cihs_mended` for the sixth.
    pub const fn name(self) -> &'static str {
        match self {
            Paper::Sos => "sos",
            Paper::Cios => "cios",
            Paper::Fios => "fios",
            Paper::Fips => "fips",
            Paper::Cihs => "cihs",
            Paper::CihsMended => "cihs_mended",
        }
    }

    /// What the paper's table gives for s words (its table 1, the total with the final subtraction). It has no mended
    /// CIHS; there this is the table's CIHS.
    pub const fn published(self, words: u64) -> Accesses {
        let s = words;
        let (additions, reads, writes) = match self {
            Paper::Sos => (4 * s * s + 4 * s + 2, 6 * s * s + 7 * s + 3, 2 * s * s + 6 * s + 2),
            Paper::Cios => (4 * s * s + 4 * s + 2, 6 * s * s + 7 * s + 2, 2 * s * s + 5 * s + 1),
            Paper::Fios => (5 * s * s + 3 * s + 2, 7 * s * s + 5 * s + 2, 3 * s * s + 4 * s + 1),
            Paper::Fips => (6 * s * s + 2 * s + 2, 9 * s * s + 8 * s + 2, 5 * s * s + 8 * s + 1),
            Paper::Cihs | Paper::CihsMended => {
                (4 * s * s + 4 * s + 2, (13 * s * s + 13 * s) / 2 + 2, 3 * s * s + 5 * s + 1)
            }
        };
        Accesses { multiplications: 2 * s * s + s, additions, reads, writes }
    }

    /// What the text does for s words, at least 1: executed.
    pub fn count(self, words: usize) -> Accesses {
        let word = |i: usize| (i as u32 + 1).wrapping_mul(0x9e37_79b9);
        let modulus: Vec<u32> = (0..words).map(|i| word(2 * words + i) | 1).collect();
        let numbers: (Vec<u32>, Vec<u32>) = (0..words).map(|i| (word(i), word(words + i))).unzip();
        // What is counted does not depend on the numbers, so nothing is asked of them.
        self.execute(&numbers.0, &numbers.1, &modulus, 0).1
    }

    /// The result, s + 1 words, and the counts; `n0` is -n^-1 modulo 2^32.
    pub(super) fn execute(self, a: &[u32], b: &[u32], n: &[u32], n0: u32) -> (Vec<u32>, Accesses) {
        let mut machine = Machine { a, b, n, n0: [n0], m: [0], counts: Accesses::default() };
        let result = match self {
            Paper::Sos => machine.sos(),
            Paper::Cios => machine.cios(),
            Paper::Fios => machine.fios(),
            Paper::Fips => machine.fips(),
            Paper::Cihs => machine.cihs(false),
            Paper::CihsMended => machine.cihs(true),
        };
        (result, machine.counts)
    }
}

/// Operands in memory, the word m, and the counts so far. Sums of two words are held in 64 bits.
struct Machine<'a> {
    a: &'a [u32],
    b: &'a [u32],
    n: &'a [u32],
    n0: [u32; 1],
    m: [u32; 1],
    counts: Accesses,
}

/// The two words of a sum.
fn split(sum: u64) -> (u64, u64) {
    (sum >> 32, sum & 0xffff_ffff)
}

impl Machine<'_> {
    fn read(&mut self, array: &[u32], i: usize) -> u64 {
        self.counts.reads += 1;
        array[i].into()
    }

    fn write(&mut self, array: &mut [u32], i: usize, value: u64) {
        self.counts.writes += 1;
        array[i] = value as u32;
    }

    fn a(&mut self, i: usize) -> u64 {
        self.read(self.a, i)
    }

    fn b(&mut self, i: usize) -> u64 {
        self.read(self.b, i)
    }

    fn n(&mut self, i: usize) -> u64 {
        self.read(self.n, i)
    }

    fn m(&mut self) -> u64 {
        let m = self.m;
        self.read(&m, 0)
    }

    /// `m := x * n'[0] mod W`.
    fn set_m(&mut self, x: u64) {
        let n0 = self.n0;
        let n0 = self.read(&n0, 0);
        self.counts.writes += 1;
        self.m = [self.product(x, n0) as u32];
    }

    fn product(&mut self, x: u64, y: u64) -> u64 {
        self.counts.multiplications += 1;
        x * y
    }

    fn sum<const N: usize>(&mut self, terms: [u64; N]) -> u64 {
        self.counts.additions += N as u64 - 1;
        terms.into_iter().fold(0, u64::wrapping_add)
    }

    /// `ADD(t[i], C)`, charged its average.
    fn add_up(&mut self, t: &mut [u32], mut i: usize, mut carry: u64) {
        self.counts.additions += 2;
        self.counts.reads += 2;
        self.counts.writes += 2;
        while carry != 0 && i < t.len() {
            let (next, low) = split(u64::from(t[i]) + carry);
            (t[i], carry) = (low as u32, next);
            i += 1;
        }
    }

    /// `u` minus n if that is not negative, otherwise u; s + 1 words.
    fn subtract(&mut self, u: &[u32]) -> Vec<u32> {
        let s = self.n.len();
        let mut t = vec![0; s + 1];
        let mut borrow = false;
        for (i, &word) in u[..=s].iter().enumerate() {
            let n = if i < s { self.n[i] } else { 0 };
            self.counts.reads += 2;
            self.counts.additions += 2;
            let (difference, first) = word.overflowing_sub(n);
            let (difference, second) = difference.overflowing_sub(borrow.into());
            borrow = first | second;
            self.write(&mut t, i, difference.into());
        }
        if borrow { u[..=s].to_vec() } else { t }
    }

    fn sos(&mut self) -> Vec<u32> {
        let s = self.n.len();
        let mut t = vec![0; 2 * s + 2];
        for i in 0..s {
            let mut c = 0;
            for j in 0..s {
                let (a, b) = (self.a(j), self.b(i));
                let terms = [self.read(&t, i + j), self.product(a, b), c];
                let low;
                (c, low) = split(self.sum(terms));
                self.write(&mut t, i + j, low);
            }
            self.write(&mut t, i + s, c);
        }
        for i in 0..s {
            let mut c = 0;
            let x = self.read(&t, i);
            self.set_m(x);
            for j in 0..s {
                let (m, n) = (self.m(), self.n(j));
                let terms = [self.read(&t, i + j), self.product(m, n), c];
                let low;
                (c, low) = split(self.sum(terms));
                self.write(&mut t, i + j, low);
            }
            self.add_up(&mut t, i + s, c);
        }
        let mut u = vec![0; s + 1];
        for j in 0..=s {
            let word = self.read(&t, j + s);
            self.write(&mut u, j, word);
        }
        self.subtract(&u)
    }

    /// The reduction row of CIOS and CIHS: `t := (t + m n) / W`.
    fn reduce_row(&mut self, t: &mut [u32]) {
        let s = self.n.len();
        let x = self.read(t, 0);
        self.set_m(x);
        let (m, n) = (self.m(), self.n(0));
        let terms = [self.read(t, 0), self.product(m, n)];
        let (mut c, _) = split(self.sum(terms));
        for j in 1..s {
            let (m, n) = (self.m(), self.n(j));
            let terms = [self.read(t, j), self.product(m, n), c];
            let low;
            (c, low) = split(self.sum(terms));
            self.write(t, j - 1, low);
        }
        let terms = [self.read(t, s), c];
        let (c, low) = split(self.sum(terms));
        self.write(t, s - 1, low);
        let terms = [self.read(t, s + 1), c];
        let sum = self.sum(terms);
        self.write(t, s, sum);
    }

    fn cios(&mut self) -> Vec<u32> {
        let s = self.n.len();
        let mut t = vec![0; s + 2];
        for i in 0..s {
            let mut c = 0;
            for j in 0..s {
                let (a, b) = (self.a(j), self.b(i));
                let terms = [self.read(&t, j), self.product(a, b), c];
                let low;
                (c, low) = split(self.sum(terms));
                self.write(&mut t, j, low);
            }
            let terms = [self.read(&t, s), c];
            let (c, low) = split(self.sum(terms));
            self.write(&mut t, s, low);
            self.write(&mut t, s + 1, c);
            self.reduce_row(&mut t);
        }
        self.subtract(&t)
    }

    fn fios(&mut self) -> Vec<u32> {
        let s = self.n.len();
        let mut t = vec![0; s + 3];
        for i in 0..s {
            let (a, b) = (self.a(0), self.b(i));
            let terms = [self.read(&t, 0), self.product(a, b)];
            let (c, low) = split(self.sum(terms));
            self.add_up(&mut t, 1, c);
            self.set_m(low);
            let (m, n) = (self.m(), self.n(0));
            let terms = [low, self.product(m, n)];
            let (mut c, _) = split(self.sum(terms));
            for j in 1..s {
                let (a, b) = (self.a(j), self.b(i));
                let terms = [self.read(&t, j), self.product(a, b), c];
                let (high, low) = split(self.sum(terms));
                self.add_up(&mut t, j + 1, high);
                let (m, n) = (self.m(), self.n(j));
                let terms = [low, self.product(m, n)];
                let low;
                (c, low) = split(self.sum(terms));
                self.write(&mut t, j - 1, low);
            }
            let terms = [self.read(&t, s), c];
            let (c, low) = split(self.sum(terms));
            self.write(&mut t, s - 1, low);
            let terms = [self.read(&t, s + 1), c];
            let sum = self.sum(terms);
            self.write(&mut t, s, sum);
            self.write(&mut t, s + 1, 0);
        }
        self.subtract(&t)
    }

    /// `t[0] + x*y`, its carry up into t[1] and t[2]; the low word.
    fn add_to_column(&mut self, t: &mut [u32], start: u64, x: u64, y: u64) -> u64 {
        let terms = [start, self.product(x, y)];
        let (c, low) = split(self.sum(terms));
        self.add_up(t, 1, c);
        low
    }

    /// The two products of a step of FIPS, both into the column sum.
    fn column_step(&mut self, t: &mut [u32], m: &[u32], j: usize, k: usize) {
        let start = self.read(t, 0);
        let (a, b) = (self.a(j), self.b(k));
        let low = self.add_to_column(t, start, a, b);
        let (m, n) = (self.read(m, j), self.n(k));
        let low = self.add_to_column(t, low, m, n);
        self.write(t, 0, low);
    }

    fn next_column(&mut self, t: &mut [u32]) {
        for i in 0..2 {
            let word = self.read(t, i + 1);
            self.write(t, i, word);
        }
        self.write(t, 2, 0);
    }

    fn fips(&mut self) -> Vec<u32> {
        let s = self.n.len();
        let (mut t, mut m) = (vec![0; 3], vec![0; s + 1]);
        for i in 0..s {
            for j in 0..i {
                self.column_step(&mut t, &m, j, i - j);
            }
            let start = self.read(&t, 0);
            let (a, b) = (self.a(i), self.b(0));
            let low = self.add_to_column(&mut t, start, a, b);
            self.set_m(low);
            m[i] = self.m[0];
            let (quotient, n) = (self.read(&m, i), self.n(0));
            self.add_to_column(&mut t, low, quotient, n);
            self.next_column(&mut t);
        }
        for i in s..2 * s {
            for j in i - s + 1..s {
                self.column_step(&mut t, &m, j, i - j);
            }
            let word = self.read(&t, 0);
            self.write(&mut m, i - s, word);
            self.next_column(&mut t);
        }
        m[s] = t[0];
        self.subtract(&m)
    }

    /// `t[s] := t[s] + c`, and the carry: assigned as published, added if `mended`.
    fn add_to_top(&mut self, t: &mut [u32], s: usize, c: u64, mended: bool) {
        let terms = [self.read(t, s), c];
        let (c, low) = split(self.sum(terms));
        self.write(t, s, low);
        let c = if mended {
            let terms = [self.read(t, s + 1), c];
            self.sum(terms)
        } else {
            c
        };
        self.write(t, s + 1, c);
    }

    fn cihs(&mut self, mended: bool) -> Vec<u32> {
        let s = self.n.len();
        let mut t = vec![0; s + 2];
        for i in 0..s {
            let mut c = 0;
            for j in 0..s - i {
                let (a, b) = (self.a(j), self.b(i));
                let terms = [self.read(&t, i + j), self.product(a, b), c];
                let low;
                (c, low) = split(self.sum(terms));
                self.write(&mut t, i + j, low);
            }
            self.add_to_top(&mut t, s, c, mended);
        }
        for i in 0..s {
            self.reduce_row(&mut t);
            self.write(&mut t, s + 1, 0);
            for j in i + 1..s {
                let (a, b) = (self.a(s - j + i), self.b(j));
                let terms = [self.read(&t, s - 1), self.product(a, b)];
                let (c, low) = split(self.sum(terms));
                self.write(&mut t, s - 1, low);
                self.add_to_top(&mut t, s, c, mended);
            }
        }
        self.subtract(&t)
    }
}
