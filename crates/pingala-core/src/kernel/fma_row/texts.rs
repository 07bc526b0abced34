//! Pieces of assembly, of which [`super::avx2`] makes its operations.
//!
//! In rows the sums of vector w are in ymm{w}, low halves, and ymm{5 + w}, high halves; C1 in ymm10, C2 in ymm11, the digit of a row in
//! all lanes of ymm14, in ymm13 the same where a mask is; ymm12 and ymm15 are free. The digits are at {p}, the vectors at {x}.

/// Runs assembly that may use every vector.
macro_rules! on_vectors {
    (($($text:expr),*), $($operand:tt)*) => {
        asm!(
            $($text),*,
            out("ymm0") _, out("ymm1") _, out("ymm2") _, out("ymm3") _, out("ymm4") _, out("ymm5") _, out("ymm6") _,
            out("ymm7") _, out("ymm8") _, out("ymm9") _, out("ymm10") _, out("ymm11") _, out("ymm12") _, out("ymm13") _,
            out("ymm14") _, out("ymm15") _, constants = sym CONSTANTS, $($operand)* options(nostack)
        )
    };
}

/// Adds the product of a digit in a register and the vector at an address to the sums of vector w: the vector is read once, or twice, which takes an
/// instruction less.
#[rustfmt::skip]
macro_rules! step {
    ($way:ident 0 $($rest:tt)*) => { step!(@$way "ymm0" "ymm5" $($rest)*) };
    ($way:ident 1 $($rest:tt)*) => { step!(@$way "ymm1" "ymm6" $($rest)*) };
    ($way:ident 2 $($rest:tt)*) => { step!(@$way "ymm2" "ymm7" $($rest)*) };
    ($way:ident 3 $($rest:tt)*) => { step!(@$way "ymm3" "ymm8" $($rest)*) };
    ($way:ident 4 $($rest:tt)*) => { step!(@$way "ymm4" "ymm9" $($rest)*) };
    (@once $low:literal $high:literal $address:expr, $digit:literal) => {
        concat!(
            "vmovupd ymm12, [", $address, "]\n",
            "vmovapd ymm15, ymm10\n",
            "vfmadd231pd ymm15, ", $digit, ", ymm12\n",
            "vpaddq ", $high, ", ", $high, ", ymm15\n",
            "vsubpd ymm15, ymm11, ymm15\n",
            "vfmadd231pd ymm15, ", $digit, ", ymm12\n",
            "vpaddq ", $low, ", ", $low, ", ymm15\n",
        )
    };
    (@twice $low:literal $high:literal $address:expr, $digit:literal) => {
        concat!(
            "vmovupd ymm15, [", $address, "]\n",
            "vfmadd213pd ymm15, ", $digit, ", ymm10\n",
            "vpaddq ", $high, ", ", $high, ", ymm15\n",
            "vsubpd ymm15, ymm11, ymm15\n",
            "vfmadd231pd ymm15, ", $digit, ", [", $address, "]\n",
            "vpaddq ", $low, ", ", $low, ", ymm15\n",
        )
    };
}

/// Rows k of these vectors.
macro_rules! rows {
    ($way:ident $([$($k:literal)*] $vectors:tt)*) => { concat!($($(rows!(@row $way $k $vectors)),*),*) };
    (@row $way:ident $k:literal [$($w:tt)*]) => {
        concat!("vbroadcastsd ymm14, [{p} + 8*", $k, "]\n", $(rows!(@step $way $w $k "ymm14")),*)
    };
    (@step $way:ident $w:tt $k:literal $digit:literal) => {
        step!($way $w concat!("{x} + 32*", $w, " - 8*", $k), $digit)
    };
}

/// Pairs of rows, an even one and an odd one, whose first vector lacks one lane in the even row, three in the odd one.
macro_rules! masked {
    ($way:ident $(($even:literal $odd:literal $first:tt $even_rest:tt $odd_rest:tt))*) => {
        concat!($(masked!(@row $way $even 64 $first $even_rest), masked!(@row $way $odd 96 $first $odd_rest)),*)
    };
    (@row $way:ident $k:literal $mask:literal $first:tt [$($w:tt)*]) => {
        concat!(
            "vbroadcastsd ymm14, [{p} + 8*", $k, "]\n",
            "vandpd ymm13, ymm14, [rip + {constants} + ", $mask, "]\n",
            rows!(@step $way $first $k "ymm13"),
            $(rows!(@step $way $w $k "ymm14")),*
        )
    };
}

/// {n} rows of a window, if any.
macro_rules! window {
    ($way:ident $vectors:tt) => {
        concat!(
            "test {n}, {n}\njz 3f\n.p2align 6\n2:\n",
            rows!($way [0] $vectors),
            "add {p}, 8\nsub {x}, 8\ndec {n}\njnz 2b\n3:\n"
        )
    };
}

/// FourWords rows of the fold, k = 0 to 3 at {p}: these vectors of row k at {x}, a row of so many bytes.
macro_rules! four_rows {
    ($way:ident $bytes:literal $vectors:tt) => {
        concat!(
            four_rows!(@row $way 0 $bytes $vectors), four_rows!(@row $way 1 $bytes $vectors),
            four_rows!(@row $way 2 $bytes $vectors), four_rows!(@row $way 3 $bytes $vectors),
            "add {p}, 32\nadd {x}, 4*", $bytes, "\n"
        )
    };
    (@row $way:ident $k:literal $bytes:literal [$($w:tt)*]) => {
        concat!(
            "vbroadcastsd ymm14, [{p} + 8*", $k, "]\n",
            $(step!($way $w concat!("{x} + ", $bytes, "*", $k, " + 32*", $w), "ymm14")),*
        )
    };
}

/// {n} times four rows.
macro_rules! fold_rows {
    ($way:ident $bytes:literal $vectors:tt) => {
        concat!(".p2align 6\n2:\n", four_rows!($way $bytes $vectors), "dec {n}\njnz 2b\n")
    };
}

/// The same text for each of these vectors, given the registers of its sums, which are their places in memory as well.
macro_rules! sums {
    ($text:ident [$($w:tt)*]) => { concat!($(sums!(@$w $text)),*) };
    (@0 $text:ident) => { $text!(0 5) };
    (@1 $text:ident) => { $text!(1 6) };
    (@2 $text:ident) => { $text!(2 7) };
    (@3 $text:ident) => { $text!(3 8) };
    (@4 $text:ident) => { $text!(4 9) };
}

macro_rules! load {
    ($low:literal $high:literal) => {
        concat!("vmovdqa ymm", $low, ", [{s} + 32*", $low, "]\nvmovdqa ymm", $high, ", [{s} + 32*", $high, "]\n")
    };
}

macro_rules! store {
    ($low:literal $high:literal) => {
        concat!("vmovdqa [{s} + 32*", $low, "], ymm", $low, "\nvmovdqa [{s} + 32*", $high, "], ymm", $high, "\n")
    };
}

/// From {starts}: words for even and odd columns, for high halves.
#[rustfmt::skip]
macro_rules! start {
    ($low:literal $high:literal) => {
        concat!(
            "vbroadcasti128 ymm", $low, ", [{starts} + 32*", $low, "]\n",
            "vbroadcasti128 ymm", $high, ", [{starts} + 32*", $low, " + 16]\n",
        )
    };
}

/// Low columns from {low}, one word for all high halves from {high}.
macro_rules! start_fold {
    ($low:literal $high:literal) => {
        concat!("vmovdqu ymm", $low, ", [{low} + 32*", $low, "]\nvpbroadcastq ymm", $high, ", [{high}]\n")
    };
}

texts! {
    load_constants = "vmovapd ymm10, [rip + {constants}]\nvmovapd ymm11, [rip + {constants} + 32]\n";
    load_chain = "vmovdqa ymm12, [{chain}]\n";
    /// For digits: 2^52, the bits below the radix; the chain.
    load_radix = "vmovdqa ymm10, [rip + {constants} + 160]\nvmovdqa ymm11, [rip + {constants} + 192]\n";
    load_start = "vmovdqa ymm13, [rip + {constants} + 256]\n";
    load_digits = concat!(load_radix!(), "vmovdqa ymm12, [{chain}]\nvmovdqa ymm13, [{chain} + 32]\n");
    store_carry = "vmovdqa [{chain} + 32], ymm13\n";
}

/// The columns of all vectors from their sums, `plain` or `doubled` with squares added, and what becomes of them.
macro_rules! columns {
    ($way:ident $piece:ident 3) => { columns!($way $piece [(0 5 12) (1 6 5) (2 7 6)] 7) };
    ($way:ident $piece:ident 4) => { columns!($way $piece [(0 5 12) (1 6 5) (2 7 6) (3 8 7)] 8) };
    ($way:ident $piece:ident 5) => { columns!($way $piece [(0 5 12) (1 6 5) (2 7 6) (3 8 7) (4 9 8)] 9) };
    ($way:ident $piece:ident [$(($w:tt $high:literal $below:literal))*] $top:literal) => {
        concat!($(column_of!($way $w $high $below), $piece!($w)),*, "vmovdqa [{chain}], ymm", $top, "\n")
    };
}

/// The columns of a vector in the place of its low sums. High halves move up by a lane; the register below has its highest one in lane 0.
#[rustfmt::skip]
macro_rules! column_of {
    (plain $w:literal $high:literal $below:literal) => {
        concat!(
            "vpermq ymm", $high, ", ymm", $high, ", 0x93\n",
            "vpblendd ymm14, ymm", $high, ", ymm", $below, ", 3\n",
            "vpaddq ymm", $w, ", ymm", $w, ", ymm14\n",
        )
    };
    (doubled $w:literal $high:literal $below:literal) => {
        concat!(
            column_of!(plain $w $high $below),
            "vpaddq ymm", $w, ", ymm", $w, ", ymm", $w, "\n",
            "vpaddq ymm", $w, ", ymm", $w, ", [{squares} + 32*", $w, "]\n",
        )
    };
}

macro_rules! store_columns {
    ($w:literal) => {
        concat!("vmovdqu [{out} + 32*", $w, "], ymm", $w, "\n")
    };
}

/// The digits of the columns of a vector; their carries go on in ymm13. The columns of the lowest vector are stored, too.
#[rustfmt::skip]
macro_rules! store_digits {
    (0) => { concat!("vmovdqa [{chain} + 64], ymm0\n", store_digits!(@"0")) };
    ($w:literal) => { store_digits!(@$w) };
    (@$w:literal) => {
        concat!(
            "vpaddq ymm14, ymm", $w, ", [rip + {constants} + 128]\n",
            "vpsrlq ymm15, ymm14, 52\n",
            "vpor ymm15, ymm15, ymm10\n",
            "vpermq ymm15, ymm15, 0x93\n",
            "vpblendd ymm", $w, ", ymm15, ymm13, 3\n",
            "vmovdqa ymm13, ymm15\n",
            "vpand ymm14, ymm14, ymm11\n",
            "vpor ymm14, ymm14, ymm10\n",
            "vsubpd ymm", $w, ", ymm", $w, ", [rip + {constants} + 224]\n",
            "vaddpd ymm14, ymm14, ymm", $w, "\n",
            "vmovupd [{out} + 32*", $w, "], ymm14\n",
        )
    };
}
