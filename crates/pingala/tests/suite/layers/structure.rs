//! The constants of kernels and of execution.

/// The whole numbers that a kernel, or execution, is written for: what its text unrolls, holds or proves. A length at which one way of computing takes
/// over from another because it is quicker is a [`pingala::kernels::Threshold`] of the form instead, with a value from the prices.
pub(super) const STRUCTURE: &[(&str, &[&str])] = &[
    // Lanes, limbs, columns, levels and blocks of a text that is unrolled for them.
    ("kernel/lanes/columns.rs", &["ROWS", "WIDTH"]),
    ("kernel/mulx/blocks.rs", &["ROWS"]),
    ("kernel/mulx/scan.rs", &["LANES", "TILE"]),
    ("kernel/product/comba.rs", &["KEPT", "UNROLLED"]),
    ("kernel/product/karatsuba.rs", &["CHUNK", "LEVELS"]),
    ("kernel/product/schoolbook.rs", &["TILE"]),
    ("kernel/montgomery/organisation.rs", &["LEAF"]),
    ("kernel/row/carry.rs", &["GROUP"]),
    ("kernel/row/product.rs", &["SHORT"]),
    ("kernel/row/shape.rs", &["LANES", "MAX_TILE", "MOST"]),
    ("kernel/umulh/blocks.rs", &["ROWS"]),
    ("kernel/vector/avx_ifma.rs", &["HALF"]),
    ("kernel/vector/mod.rs", &["LANES"]),
    ("kernel/exceptions.rs", &["ROUNDING", "TO_NEAREST", "TOWARD_ZERO"]),
    ("kernel/fma_lanes/unit.rs", &["LANES", "RADIX_BITS", "WIDTH"]),
    ("kernel/fma_row/unit.rs", &["LANES", "MOST", "RADIX_BITS", "START_WORDS"]),
    (
        "kernel/fma_row/unit.rs",
        &["BLOCK", "CORNER", "HIGHEST", "HIGH_PRODUCT", "HIGH_SQUARE", "LOW_PRODUCT", "LOW_SQUARE", "REST", "TOP"],
    ),
    ("kernel/fma_row/product.rs", &["ROOM_WORDS", "WIDTH"]),
    ("kernel/ntt/doubles.rs", &["LOG"]),
    ("kernel/ntt/odd.rs", &["MOST"]),
    ("kernel/ntt/eight.rs", &["LOG", "TOGETHER"]),
    ("kernel/ntt/scalar.rs", &["LOG"]),
    ("kernel/ntt/field.rs", &["LEVELS", "WIDTH"]),
    // Kinds of passes.
    ("kernel/ntt/passes.rs", &["BACK", "FIRST", "LATER"]),
    // The longest numbers that a bound, a text or a check allows.
    ("kernel/ntt/length.rs", &["MAX_LIMBS", "MOST", "MOST_OF_64", "SHORT_DIGIT"]),
    ("kernel/ntt/primes.rs", &["PRIME_BITS"]),
    ("kernel/ntt/transform.rs", &["LIMIT", "NEAR"]),
    ("kernel/lanes/product.rs", &["MAX_LIMBS"]),
    ("kernel/fma_lanes/mod.rs", &["MAX_LIMBS", "MORE_BITS", "TABLE_BITS"]),
    ("kernel/fma_row/mod.rs", &["MAX_LIMBS"]),
    ("kernel/fma_row/shape.rs", &["SHORT_DIGITS"]),
    ("kernel/registry.rs", &["FIXED_LIMBS", "FIXED_LOW_LIMBS"]),
    ("kernel/row/shape.rs", &["MAX_BITS"]),
    // Bits of a word that one step of a set-up can take, and how many such steps a squaring saves.
    ("kernel/lanes/setup.rs", &["STEP_BITS"]),
    ("kernel/row/constants.rs", &["SHORT_BITS"]),
    ("kernel/ntt/two_adic.rs", &["SHORT_INVERSE"]),
    ("kernel/product/accumulate.rs", &["PIECES_FROM"]),
    ("kernel/ntt/reciprocal.rs", &["SHORT"]),
    ("kernel/ntt/montgomery.rs", &["LOST"]),
    ("kernel/row/mod.rs", &["MAX_LIMBS"]),
    ("kernel/short.rs", &["BLOCK", "BLOCKS_FROM", "BLOCK_ROOM", "STEP_BITS"]),
    // Room on the stack.
    ("kernel/threshold.rs", &["MOST_THRESHOLDS"]),
    ("kernel/hensel.rs", &["FEW"]),
    ("kernel/mulx/mod.rs", &["LOW_ROOM"]),
    ("kernel/odd.rs", &["INLINE_WORDS"]),
    ("kernel/row/constants.rs", &["FEW"]),
    ("kernel/umulh/mod.rs", &["LOW_ROOM"]),
    // Places of constants, and numbers of the machine.
    ("kernel/cache_line.rs", &["LINE_BYTES"]),
    ("kernel/exceptions.rs", &["MASKS"]),
    ("kernel/fma_lanes/ring.rs", &["CONSTANTS", "ONE", "PLAIN_ONE", "RR", "SCALED_PLUS_1"]),
    ("kernel/row/constants.rs", &["ONE", "PLAIN_ONE", "RR"]),
    ("kernel/row/product.rs", &["NONE"]),
    // The usual value of a parameter, for those who read texts without a form.
    ("kernel/montgomery/karatsuba_sos.rs", &["USUAL_KARATSUBA_SQUARES"]),
    // Execution: room on the stack, and memory that stays near a core or is kept.
    ("engine/execute/even.rs", &["FEW_WORDS", "STACK_WORDS"]),
    ("engine/execute/few_products.rs", &["FEW_WORDS", "STACK_WORDS"]),
    ("engine/execute/fixed.rs", &["FEW_REGISTERS", "STACK_REGISTERS"]),
    ("engine/execute/prepared.rs", &["KEPT_BYTES", "KEPT_TIMES"]),
    ("engine/execute/run.rs", &["NEAR_BYTES", "STACK_VECTOR_WORDS", "STACK_WORDS"]),
    // Steps between two polls or reports.
    ("engine/execute/fixed.rs", &["RUN"]),
    ("engine/execute/lanes.rs", &["SQUARINGS_AT_ONCE"]),
    ("engine/execute/run.rs", &["PIECE"]),
    ("engine/execute/poll.rs", &["ELEMENTS_BETWEEN", "STEPS_BETWEEN", "WORK_BETWEEN"]),
    ("work/shared_work/run.rs", &["REPORTS_PER_RUN"]),
    // Rounds of a measurement or a test, uses of a blinding, registers and stages of a run, elements that are compared.
    ("engine/execute/blinding.rs", &["USES"]),
    ("engine/execute/measure.rs", &["LENGTH", "ROUNDS", "RUN", "TABLE"]),
    ("engine/execute/secret_factor.rs", &["ROUNDS"]),
    ("work/fixed_base/lanes.rs", &["WORK"]),
    ("work/fixed_base/run.rs", &["STAGES", "WORK"]),
    ("work/list/run.rs", &["LOOKED_AT", "RECENT_EXPONENTS"]),
    ("work/shared_work/stream.rs", &["POWERS_AHEAD"]),
];
