//! Powers of a fixed base with a secret exponent: every step is taken, every selection reads all entries that it could take, all
//! memory is wiped.

use crate::algorithm::fixed_base::ScannedTable;
use crate::algorithm::{Monoid, Register};
use crate::engine::execute::poll::Poll;
use crate::error::Error;
use crate::exponent::{SecretDigit, SecretExponent};
use crate::kernel::registry::Form;
use crate::kernel::{Ring, SharedRing, cache_line};
use crate::natural::Wiped;
use crate::natural::linear;
use crate::work::fixed_base::run::PreparedTable;

/// Registers behind the table.
const WORK: usize = 2;

impl PreparedTable {
    /// The power to an exponent whose declared width is at most the table's, canonical, on the ring of a constant-time form with the
    /// table's layout. Errors: `bad_plan` for a table whose method has no uniform run; `interrupted`.
    ///
    /// Leaks: the base, the modulus, the table, the number of limbs of the exponent.
    pub(crate) fn secret_power(
        &self,
        form: &Form,
        ring: &SharedRing,
        exponent: &SecretExponent,
        poll: &Poll<'_>,
    ) -> Result<Wiped, Error> {
        let algorithm = &self.table.algorithm;
        poll.walked(1, &format_args!("{algorithm} on {form}"));
        let poll = poll.for_words(ring.words());
        let mut residues = SecretTableResidues::new(&**ring, self.table.words.as_slice(), &poll);
        let result = algorithm
            .run_uniform(self.table.exponent_bits, exponent, &mut residues)
            .ok_or_else(|| Error::BadPlan(format!("{algorithm} branches on the exponent")))?;
        if poll.halted() {
            return Err(Error::Interrupted);
        }
        Ok(residues.take(result))
    }
}

/// A table whose entries are always all read, and two residues.
struct SecretTableResidues<'r> {
    ring: &'r dyn Ring<u64>,
    table: &'r [u64],
    /// How many residues it has.
    count: usize,
    /// 1 as the table holds it.
    one: Vec<u64>,
    packed: Wiped,
    /// The start of the first residue, at a cache line.
    origin: usize,
    arena: Vec<u64>,
    scratch: Vec<u64>,
    poll: &'r Poll<'r>,
}

impl<'r> SecretTableResidues<'r> {
    fn new(ring: &'r dyn Ring<u64>, table: &'r [u64], poll: &'r Poll<'r>) -> Self {
        let packed_words = ring.packed_words();
        let arena = vec![0; WORK * ring.words() + cache_line::spare::<u64>()];
        let mut residues = Self {
            ring,
            table,
            count: table.len() / packed_words,
            one: vec![0; packed_words],
            packed: Wiped::new(vec![0; packed_words]),
            origin: cache_line::first_word(&arena),
            arena,
            scratch: vec![0; ring.scratch_words()],
            poll,
        };
        ring.one(&mut residues.arena, residues.origin, &mut residues.scratch);
        ring.pack(&mut residues.one, &residues.arena, residues.origin);
        residues
    }

    fn at(&self, register: Register) -> usize {
        self.origin + (register.0 - self.count) * self.ring.words()
    }

    /// The canonical number in a register.
    fn take(&mut self, from: Register) -> Wiped {
        let at = self.at(from);
        let mut value = Wiped::new(vec![0; self.ring.words()]);
        self.ring.leave(&mut value, &self.arena, at, &mut self.scratch);
        value
    }
}

impl Monoid for SecretTableResidues<'_> {
    type Digit = SecretDigit;

    fn one(&mut self, out: Register) {
        let at = self.at(out);
        self.ring.one(&mut self.arena, at, &mut self.scratch);
    }

    fn copy(&mut self, out: Register, from: Register) {
        let (at, from) = (self.at(out), self.at(from));
        self.arena.copy_within(from..from + self.ring.words(), at);
    }

    fn mul(&mut self, out: Register, a: Register, b: Register) {
        if self.poll.go_on() {
            let (at, a, b) = (self.at(out), self.at(a), self.at(b));
            self.ring.mul(&mut self.arena, at, a, b, &mut self.scratch);
        }
    }

    fn sqr_n(&mut self, out: Register, a: Register, count: usize) {
        let (at, a) = (self.at(out), self.at(a));
        if self.poll.go_on() {
            self.ring.sqr_n(&mut self.arena, at, a, count, &mut self.scratch);
        }
    }

    fn mul_base(&mut self, _: Register, _: Register) {
        unreachable!("the base stands in the table, which is only scanned")
    }

    fn select(&mut self, _: Register, _: Register, _: usize, _: SecretDigit) {
        unreachable!("the table is only scanned")
    }
}

impl ScannedTable for SecretTableResidues<'_> {
    fn select_or_one(&mut self, out: Register, first: Register, length: usize, digit: SecretDigit) {
        // Whether the caller has had enough is no secret.
        if self.poll.halted() {
            return;
        }
        let (at, words) = (self.at(out), self.packed.len());
        let table = &self.table[first.0 * words..][..length * words];
        #[cfg(pingala_planted_leak = "table")]
        planted::touch(table, words, digit);
        self.ring.scan_packed(&mut self.packed, &self.one, table, digit);
        self.ring.unpack(&mut self.arena, at, &self.packed);
    }
}

impl Drop for SecretTableResidues<'_> {
    fn drop(&mut self) {
        linear::wipe(&mut self.arena);
        linear::wipe(&mut self.scratch);
    }
}

/// PLANTED LEAK, for the constant-time gate's test of itself: the entry that a secret digit takes, by its address.
#[cfg(pingala_planted_leak = "table")]
mod planted {
    use crate::exponent::SecretDigit;

    #[inline(never)]
    pub(crate) fn touch(table: &[u64], words: usize, digit: SecretDigit) {
        // A table has 2^h - 1 entries.
        let entry = digit.for_vectors() as usize & (table.len() / words / 2);
        core::hint::black_box(table[entry * words]);
    }
}
