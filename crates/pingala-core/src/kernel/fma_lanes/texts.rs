//! Pieces of assembly, of which [`super::avx2`] makes its operations.
//!
//! Everywhere here sums 0 to 8 are in ymm0 to ymm8, the operands of one row or of two in ymm9 and ymm10, C1 in ymm14, C2 in ymm15;
//! ymm11 and ymm12 are free, and ymm13 is a carry.

/// Runs assembly that may use every vector.
macro_rules! on_vectors {
    (($($text:expr),*), $($operand:tt)*) => {
        asm!(
            $($text),*,
            out("ymm0") _, out("ymm1") _, out("ymm2") _, out("ymm3") _, out("ymm4") _, out("ymm5") _, out("ymm6") _,
            out("ymm7") _, out("ymm8") _, out("ymm9") _, out("ymm10") _, out("ymm11") _, out("ymm12") _, out("ymm13") _,
            out("ymm14") _, out("ymm15") _, $($operand)*
        )
    };
}

/// The pieces, joined by the number of a sum, for every sum.
macro_rules! each_sum {
    ($pieces:tt) => { each_sum!([0 1 2 3 4 5 6 7 8] $pieces) };
    ([$($sum:literal)*] $pieces:tt) => { concat!($(each_sum!($sum $pieces)),*) };
    ($sum:literal [$first:literal $($piece:literal)*]) => { concat!($first $(, $sum, $piece)*) };
}

/// Loads the sums at an address, which is in {x}, adds full rows, runs assembly, and stores the sums. The features are there,
/// as [`Avx2`] exists, and rows are as [`FullRows::addresses`] has checked.
macro_rules! on_sums {
    ($x:expr, $rows:expr, ($($text:expr),*), $($operand:tt)*) => {{
        let (b, a, k) = $rows.addresses();
        on_vectors!(
            (
                each_sum!(["vmovdqa ymm" ", [{x} + 32*" "]\n"]),
                load_constants!(),
                "call {full_rows}",
                $($text),*,
                each_sum!(["vmovdqa [{x} + 32*" "], ymm" "\n"])
            ),
            x = in(reg) $x, inout("rsi") b => _, inout("rdi") a => _, inout("rcx") k => _, full_rows = sym <Self as FullRowsText>::full_rows,
            constants = sym CONSTANTS, $($operand)*
        )
    }};
}

texts! {
    load_constants = "vmovapd ymm14, [rip + {constants}]\nvmovapd ymm15, [rip + {constants} + 32]\n";
    /// Leaves the limb of a sum in ymm13 in ymm9, and its carry in ymm13.
    limb = concat!(
        "vpand ymm9, ymm13, [rip + {constants} + 64]\n",
        "vpor ymm9, ymm9, [rip + {constants} + 96]\n",
        "vsubpd ymm9, ymm9, [rip + {constants} + 96]\n",
        "vpsrlq ymm13, ymm13, {radix_bits}\n",
    );
    /// Sets the sums to {starts}, the last one to 0.
    start_sums =
        concat!(each_sum!([0 1 2 3 4 5 6 7] ["vpbroadcastq ymm" ", [{starts} + 8*" "]\n"]), "vpxor xmm8, xmm8, xmm8\n");
    /// Adds half of the rows that are left, by twos.
    woven_rows = "lea rcx, [{left} + 2]\nshr rcx, 1\nand rcx, -2\nsub {left}, rcx\ncall {full_rows}\n";
}

/// Leaves the high half of the product of ymm9 and the limb at an address in a register, the low half in ymm12.
#[rustfmt::skip]
macro_rules! halves {
    ($address:expr, $high:literal) => {
        concat!(
            "vmovapd ", $high, ", ymm14\n",
            "vfmadd231pd ", $high, ", ymm9, [", $address, "]\n",
            "vsubpd ymm12, ymm15, ", $high, "\n",
            "vfmadd231pd ymm12, ymm9, [", $address, "]\n",
        )
    };
}

/// Adds the products of ymm9 and these limbs behind an address to these columns, the last of which gets high halves only.
macro_rules! row {
    ($a:literal [] [$last:literal]) => { "" };
    ($a:literal [$limb:literal $($limbs:literal)*] [$low:literal $high:literal $($columns:literal)*]) => {
        concat!(
            halves!(concat!($a, " + 32*", $limb), "ymm11"),
            "vpaddq ymm", $high, ", ymm", $high, ", ymm11\n",
            "vpaddq ymm", $low, ", ymm", $low, ", ymm12\n",
            row!($a [$($limbs)*] [$high $($columns)*])
        )
    };
}

/// Adds the products of ymm9 and the first limbs, and of ymm10 and the second, to these columns.
macro_rules! two_rows {
    ($a:literal [] [] [$last:literal]) => { "" };
    ($a:literal [$first:literal $($firsts:literal)*] [$second:literal $($seconds:literal)*]
     [$low:literal $high:literal $($columns:literal)*]) => {
        concat!(
            "vmovapd ymm11, ymm14\n",
            "vfmadd231pd ymm11, ymm9, [", $a, " + 32*", $first, "]\n",
            "vmovapd ymm12, ymm11\n",
            "vfmadd231pd ymm12, ymm10, [", $a, " + 32*", $second, "]\n",
            "vpaddq ymm", $high, ", ymm", $high, ", ymm12\n",
            "vsubpd ymm12, ymm11, ymm12\n",
            "vsubpd ymm11, ymm15, ymm11\n",
            "vfmadd231pd ymm12, ymm10, [", $a, " + 32*", $second, "]\n",
            "vfmadd231pd ymm11, ymm9, [", $a, " + 32*", $first, "]\n",
            "vaddpd ymm11, ymm11, ymm12\n",
            "vpaddq ymm", $low, ", ymm", $low, ", ymm11\n",
            two_rows!($a [$($firsts)*] [$($seconds)*] [$high $($columns)*])
        )
    };
}

/// As [`two_rows`], with each limb read once: the second limbs begin at [a], and each first limb is the second one of the next column.
/// ymm13 has a limb instead of a carry.
macro_rules! two_rows_once {
    ($a:literal [$($firsts:literal)*] [$($columns:literal)*]) => {
        concat!("vmovapd ymm13, [", $a, "]\n", two_rows_once!(@ $a [$($firsts)*] [$($columns)*]))
    };
    (@ $a:literal [] [$last:literal]) => { "" };
    (@ $a:literal [$first:literal $($firsts:literal)*] [$low:literal $high:literal $($columns:literal)*]) => {
        concat!(
            "vmovapd ymm11, ymm14\n",
            "vfmadd231pd ymm11, ymm9, [", $a, " + 32*", $first, "]\n",
            "vmovapd ymm12, ymm11\n",
            "vfmadd231pd ymm12, ymm10, ymm13\n",
            "vpaddq ymm", $high, ", ymm", $high, ", ymm12\n",
            "vsubpd ymm12, ymm11, ymm12\n",
            "vsubpd ymm11, ymm15, ymm11\n",
            "vfmadd231pd ymm12, ymm10, ymm13\n",
            "vmovapd ymm13, [", $a, " + 32*", $first, "]\n",
            "vfmadd231pd ymm11, ymm9, ymm13\n",
            "vaddpd ymm11, ymm11, ymm12\n",
            "vpaddq ymm", $low, ", ymm", $low, ", ymm11\n",
            two_rows_once!(@ $a [$($firsts)*] [$high $($columns)*])
        )
    };
}

/// Goes to 4 if a count is this number, to 5 if it is more, to 3 if it is less but not 0.
macro_rules! enter_at {
    ($count:literal $middle:literal) => {
        concat!("cmp ", $count, ", ", $middle, "\nja 5f\nje 4f\ntest ", $count, ", ", $count, "\njnz 3f\n")
    };
}

/// Goes to 4 for a count of 3, to 3 for 2, to 2 for 1, to 5 for 0.
macro_rules! enter_from_top {
    ($count:literal) => {
        concat!("cmp ", $count, ", 2\nja 4f\nje 3f\ntest ", $count, ", ", $count, "\njnz 2f\njmp 5f\n")
    };
}

/// Loads the operands of rows.
macro_rules! operands {
    ($first:literal) => {
        concat!("vmovapd ymm9, [{b} + 32*", $first, "]\n")
    };
    ($first:literal $second:literal) => {
        concat!(operands!($first), "vmovapd ymm10, [{b} + 32*", $second, "]\n")
    };
}

/// The limb of the quotient of a column, then its products by these limbs behind {m}, for these columns in memory: the first
/// is added to the carry, as the next limb waits for it; high halves go to the column above.
macro_rules! quotient {
    ($column:literal [$($limb:literal)*] [$($columns:literal)*]) => {
        concat!(
            "vpaddq ymm13, ymm13, [{x} + 32*", $column, "]\n",
            limb!(),
            "vmovapd [{q} + 32*", $column, "], ymm9\n",
            quotient!([$($limb)*] [$($columns)*]),
        )
    };
    ([] [$column:literal]) => { "" };
    ([$first:literal $($limb:literal)*] [$column:literal $($columns:literal)*]) => {
        concat!(
            halves!(concat!("{m} + 32*", $first), "ymm10"),
            "vpaddq ymm13, ymm13, ymm12\n",
            quotient!("ymm10" "ymm11" [$($limb)*] [$($columns)*]),
        )
    };
    ($below:literal $high:literal [] [$column:literal]) => {
        concat!("vpaddq ", $below, ", ", $below, ", [{x} + 32*", $column, "]\nvmovdqa [{x} + 32*", $column, "], ", $below, "\n")
    };
    ($below:literal $high:literal [$limb:literal $($limbs:literal)*] [$column:literal $($columns:literal)*]) => {
        concat!(
            halves!(concat!("{m} + 32*", $limb), $high),
            "vpaddq ymm12, ymm12, ", $below, "\n",
            "vpaddq ymm12, ymm12, [{x} + 32*", $column, "]\n",
            "vmovdqa [{x} + 32*", $column, "], ymm12\n",
            quotient!($high $below [$($limbs)*] [$($columns)*]),
        )
    };
}

/// The limbs of two columns; leaves if no more are wanted.
#[rustfmt::skip]
macro_rules! finish {
    ($column:literal) => {
        concat!(
            "vpaddq ymm13, ymm13, [{x} + 32*", $column, "]\n",
            limb!(),
            "vmovapd [{out} + 32*", $column, "], ymm9\n",
        )
    };
    ($first:literal $second:literal) => {
        concat!(finish!($first), finish!($second), "sub {k}, 2\n", "jz 2f\n")
    };
}
