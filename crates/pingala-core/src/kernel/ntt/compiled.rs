//! The programs of the transforms, and the fields that run them: each program is compiled once for each instruction family.

use super::field::Field;
use super::recombine::Recombination;

/// Code that is compiled for one instruction family.
pub(super) trait FieldProgram {
    /// Runs the code. It must be `inline(always)`, like everything that it calls.
    fn run<F: CompiledField>(self, field: F);
}

/// A field whose instructions are switched on in the programs that it runs.
pub(super) trait CompiledField: Field {
    /// Runs a program compiled for these instructions.
    fn run(self, program: impl FieldProgram);

    /// See [`Recombination::by_words`]. An instruction family may have its own way.
    ///
    /// # Safety
    /// As there.
    #[inline(always)]
    unsafe fn recombine(self, work: &Recombination) -> i128 {
        // SAFETY: the caller's promise.
        unsafe { work.by_words(self) }
    }
}
