//! Powers of a fixed base with a secret exponent: every step is done, every selection reads all entries that it could return, all
//! memory is wiped.

use crate::algorithm::fixed_base::ScannedTable;
use crate::algorithm::{Monoid, Register};
use crate::engine::execute::poll::Poll;
use crate::engine::execute::room::zeroed;
use crate::engine::execute::run::Residues;
use crate::engine::execute::selection::Secret;
use crate::error::Error;
use crate::exponent::{SecretDigit, SecretExponent};
use crate::kernel::registry::Form;
use crate::kernel::{Ring, SharedRing};
use crate::natural::Wiped;
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
        let (ring, poll) = (&**ring, poll.for_words(ring.words()));
        let mut room = zeroed(Residues::<u64, Secret>::room_words(ring, WORK))?;
        let mut residues = Residues::new(ring, &mut room, &poll);
        let (mut one, place) = (vec![0; ring.packed_words()], Register(0));
        residues.one(place);
        residues.pack(&mut one, place);
        let (table, packed) = (self.table.words.as_slice(), Wiped::new(vec![0; one.len()]));
        let mut scanned = SecretTableResidues { residues, ring, table, count: table.len() / one.len(), one, packed };
        let result = algorithm
            .run_uniform(self.table.exponent_bits, exponent, &mut scanned)
            .ok_or_else(|| Error::BadPlan(format!("{algorithm} branches on the exponent")))?;
        if poll.halted() {
            return Err(Error::Interrupted);
        }
        let (result, mut value) = (scanned.work(result), Wiped::new(vec![0; ring.words()]));
        scanned.residues.take(&mut value, result);
        Ok(value)
    }
}

/// A table that is only scanned, and the registers behind it.
struct SecretTableResidues<'r> {
    residues: Residues<'r, u64, Secret>,
    ring: &'r dyn Ring<u64>,
    table: &'r [u64],
    /// Number of residues in the table.
    count: usize,
    /// 1 as the table would hold it.
    one: Vec<u64>,
    packed: Wiped,
}

impl SecretTableResidues<'_> {
    /// The register of the residues for a register behind the table.
    fn work(&self, register: Register) -> Register {
        Register(register.0 - self.count)
    }
}

impl Monoid for SecretTableResidues<'_> {
    type Digit = SecretDigit;

    fn one(&mut self, out: Register) {
        self.residues.one(self.work(out));
    }

    fn copy(&mut self, out: Register, from: Register) {
        self.residues.copy(self.work(out), self.work(from));
    }

    fn mul(&mut self, out: Register, a: Register, b: Register) {
        self.residues.mul(self.work(out), self.work(a), self.work(b));
    }

    fn sqr_n(&mut self, out: Register, a: Register, count: usize) {
        self.residues.sqr_n(self.work(out), self.work(a), count);
    }

    fn mul_base(&mut self, _: Register, _: Register) {
        unreachable!("the base stands in the table, which is only scanned")
    }

    fn select(&mut self, _: Register, _: Register, _: usize, _: SecretDigit) {
        unreachable!("the table is only scanned")
    }

    fn halted(&self) -> bool {
        self.residues.halted()
    }
}

impl ScannedTable for SecretTableResidues<'_> {
    fn select_or_one(&mut self, out: Register, first: Register, length: usize, digit: SecretDigit) {
        // The cancellation flag is public.
        if self.halted() {
            return;
        }
        let (out, words) = (self.work(out), self.packed.len());
        let table = &self.table[first.0 * words..][..length * words];
        #[cfg(pingala_planted_leak = "table")]
        planted::touch(table, words, digit);
        self.ring.scan_packed(&mut self.packed, &self.one, table, digit);
        self.residues.unpack(out, &self.packed);
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
