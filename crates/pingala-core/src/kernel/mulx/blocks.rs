//! The assembly: blocks of 1 to 8 rows, two carry chains, the sum in registers; whole products of up to
//! 8 words.
//!
//! A block is S rows at once, as in `product::schoolbook`, but it runs along the other operand word by word: step j
//! multiplies one word a_j by the S words of the block and adds the products, and the word t_j of the sum, to a window of S
//! registers; the lowest register is then finished and becomes word t_j, and the register becomes the top of the window.
//! The low halves of the products are added along the carry flag (adcx), the high halves one register further along the
//! overflow flag (adox), so that the two chains do not wait for each other; LLVM keeps only one flag alive. The rotation of
//! the window is undone after S steps, which are therefore written out, by macros over lists of registers.
//!
//! Bound: a window below b^S stays so, since b^S - 1 + (b - 1)(b^S - 1) + (b - 1) = b^(S+1) - 1, of which one word leaves.
//!
//! Two chains: [ozturk2012adx]. Count: S products in 3S + 8 instructions; in addition to the block's words five loads and a store.
//! A product takes little more than a cycle; the tiles that the compiler makes take half as much again (docs/records/thresholds.md).
//!
//! Lemmas: Columns.window_step, Columns.block_fits, Columns.cios_window, mulx.add_rows, mulx.add_pairs, mulx.square,
//! mulx.double_and_add_squares, mulx.reduce_rows, mulx.cios, mulx.sos_sqr (proofs/README.md).
#![allow(unsafe_code)]

use core::arch::naked_asm;

/// Most rows of a block: beyond 8 words the window no longer fits the registers.
pub(super) const ROWS: usize = 8;

/// One step of a block: multiplies the word at rsi by the block's words at rcx, with the word of the sum at `rdi + at`, and
/// advances rsi.
macro_rules! step {
    ($at:literal, [$first:literal $($more:literal)*]) => { concat!(
        "mov rdx, [rsi]\n",
        "xor eax, eax\n",
        add_row!("rcx", [
            concat!("adox ", $first, ", [rdi+", $at, "]\n"),
            "lea rsi, [rsi+8]\n",
            concat!("mov [rdi+", $at, "], ", $first, "\n")
        ], [$first $($more)*]),
    ) };
}

/// A loop with S steps in each iteration, until rsi is at the end. It jumps to the label that belongs to the rotation of the window
/// at that step.
macro_rules! steps {
    ([$_last:literal] [$at:literal $next:literal $($_at:literal)*] $_labels:tt $window:tt) => { concat!(
        step!($at, $window),
        "add rdi, ", $next, "\n",
        "cmp rsi, ", end_of_words!(), "\n",
        "jnz 2b\n",
    ) };
    ([$_one:literal $($more:literal)+] [$at:literal $($next:literal)+] [$label:literal $($labels:literal)*]
     [$first:literal $($rest:literal)*]) => { concat!(
        step!($at, [$first $($rest)*]),
        "cmp rsi, ", end_of_words!(), "\n",
        "jz ", $label, "f\n",
        steps!([$($more)+] [$($next)+] [$($labels)*] [$($rest)* $first]),
    ) };
}

/// The ends of [`steps`], one for each rotation of the window. `$leave` receives the distance of the words from rdi.
macro_rules! ends {
    ($leave:ident, [$_last:literal] $_at:tt $_labels:tt $_window:tt) => { "" };
    ($leave:ident, [$_one:literal $($more:literal)+] [$_at:literal $next:literal $($at:literal)*]
     [$label:literal $($labels:literal)*] [$first:literal $($rest:literal)*]) => { concat!(
        $label, ":\n",
        $leave!($next, [0 8 16 24 32 40 48 56] [$($rest)* $first]),
        ends!($leave, [$($more)+] [$next $($at)*] [$($labels)*] [$($rest)* $first]),
    ) };
}

/// The loop over the words from rsi to the end, which may be none, and the code that stores the window afterwards.
macro_rules! run {
    ($leave:ident, $window:tt) => { concat!(
        "cmp rsi, ", end_of_words!(), "\n",
        "jz 3f\n",
        "2:\n",
        steps!($window [0 8 16 24 32 40 48 56 64] [20 21 22 23 24 25 26] $window),
        "3:\n",
        $leave!(0, [0 8 16 24 32 40 48 56] $window),
        ends!($leave, $window [0 8 16 24 32 40 48 56 64] [20 21 22 23 24 25 26] $window),
    ) };
}

/// The end of a product: stores the window to the words above the row.
macro_rules! leave_product {
    ($ahead:literal, $offsets:tt $words:tt) => { concat!(
        each!(to "mov", concat!("rdi+", $ahead), $offsets $words),
        "add rsp, 16\n",
        restore!(),
    ) };
}

/// An instruction for each word in registers and its word in memory, `to` memory or `from` it, until one of the lists ends.
macro_rules! each {
    ($_way:ident $_instruction:literal, $_base:expr, $_offsets:tt []) => { "" };
    ($_way:ident $_instruction:literal, $_base:expr, [] $_words:tt) => { "" };
    (to $instruction:literal, $base:expr, [$offset:literal $($offsets:literal)*] [$word:literal $($words:literal)*]) => { concat!(
        $instruction, " [", $base, "+", $offset, "], ", $word, "\n",
        each!(to $instruction, $base, [$($offsets)*] [$($words)*]),
    ) };
    (from $instruction:literal, $base:expr, [$offset:literal $($offsets:literal)*] [$word:literal $($words:literal)*]) => { concat!(
        $instruction, " ", $word, ", [", $base, "+", $offset, "]\n",
        each!(from $instruction, $base, [$($offsets)*] [$($words)*]),
    ) };
}

/// The end of a reduction: adds the window and the pending bit on the stack to the words above the row; rax = the carry.
macro_rules! leave_reduction {
    ($ahead:literal, $offsets:tt $words:tt) => { concat!(
        "mov rax, [rsp+16]\n",
        "neg rax\n",
        each!(to "adc", concat!("rdi+", $ahead), $offsets $words),
        "mov eax, 0\n",
        "adc eax, 0\n",
        "add rsp, 24\n",
        restore!(),
    ) };
}

/// Loads the window from memory.
macro_rules! load_window {
    ($base:literal, $offsets:tt $words:tt) => { each!(from "mov", $base, $offsets $words) };
}

/// An S x S block of a reduction: row k computes the quotient word that makes the window's lowest word vanish, and stores it in
/// place of that word of T.
macro_rules! quotients {
    ($_at:tt [] $_window:tt) => { "" };
    ([$at:literal $($next:literal)*] [$_one:literal $($more:literal)*] [$first:literal $($rest:literal)*]) => { concat!(
        "mov rdx, rcx\n",
        "imul rdx, ", $first, "\n",
        "mov [rdi+", $at, "], rdx\n",
        "xor eax, eax\n",
        add_row!("rsi", ["", "", ""], [$first $($rest)*]),
        quotients!([$($next)*] [$($more)*] [$($rest)* $first]),
    ) };
}

/// The products a_i a_j, i < j, of the S words at rsi, added to the words at rdi. The part above those S words remains
/// in the window, without its top word. Register p mod S of the window holds position p of the sum; row i begins at
/// position 2i + 1 and ends at i + S, whose register is free because position i was stored before. `$live` are the
/// registers of a row, `$free` those that are free, `$unstored` those of the positions below S.
macro_rules! pairs {
    ([$i:literal $($j:literal)+] [$p:literal $q:literal] $_free:tt $unstored:tt $offsets:tt) => { concat!(
        "mov rdx, [rsi+", $i, "]\n",
        "xor eax, eax\n",
        row!(into_top, "rsi", "rbp", ["", "", ""], [$($j)+] [$p $q]),
        store_two!($unstored $offsets),
    ) };
    ([$i:literal $($j:literal)+] [$p:literal $q:literal $($live:literal)+] [$($free:literal)*] [$($unstored:literal)*]
     [$($offset:literal)*]) => { concat!(
        "mov rdx, [rsi+", $i, "]\n",
        "xor eax, eax\n",
        row!(into_top, "rsi", "rbp", ["", "", ""], [$($j)+] [$p $q $($live)+]),
        store_two!([$($unstored)*] [$($offset)*]),
        next_pairs!([$($j)+] [$($live)+] [$($free)* $p $q] [$($unstored)*] [$($offset)*]),
    ) };
}

macro_rules! next_pairs {
    ($j:tt [$($live:literal)+] [$new:literal $($free:literal)*] [$_s0:literal $_s1:literal $($unstored:literal)*]
     [$_o0:literal $_o1:literal $($offset:literal)*]) => {
        pairs!($j [$($live)+ $new] [$($free)*] [$($unstored)*] [$($offset)*])
    };
    ($j:tt [$($live:literal)+] [$new:literal $($free:literal)*] $_unstored:tt $offset:tt) => {
        pairs!($j [$($live)+ $new] [$($free)*] [] $offset)
    };
}

/// Stores the next two finished positions, if they lie below S.
macro_rules! store_two {
    ([] $_offsets:tt) => {
        ""
    };
    ([$one:literal] [$at:literal $($_offset:literal)*]) => {
        concat!("mov [rdi+", $at, "], ", $one, "\n")
    };
    ([$one:literal $two:literal $($_more:literal)*] [$at:literal $next:literal $($_offset:literal)*]) => {
        concat!("mov [rdi+", $at, "], ", $one, "\n", "mov [rdi+", $next, "], ", $two, "\n",)
    };
}

/// [`pairs`] for a window: `$start` loads the words of the sum first; the window's top word is cleared afterwards.
macro_rules! all_pairs {
    ($_start:ident, [$only:literal]) => { concat!("xor ", $only, ", ", $only, "\n") };
    ($start:ident, [$first:literal $($more:literal)+]) => { concat!(
        $start!("rdi", [8 16 24 32 40 48 56] [$($more)+]),
        pairs!([0 8 16 24 32 40 48 56] [$($more)+ $first] [] [$($more)+] [8 16 24 32 40 48 56]),
        clear_last!($($more)+),
    ) };
}

macro_rules! clear_last {
    ($last:literal) => { concat!("xor ", $last, ", ", $last, "\n") };
    ($_first:literal $($more:literal)+) => { clear_last!($($more)+) };
}

macro_rules! clear {
    ($_base:literal, $_offsets:tt [$($word:literal)+]) => { clear!($($word)+) };
    ($($word:literal)+) => { concat!($("xor ", $word, ", ", $word, "\n"),+) };
}

/// `t = 2t + a_i^2` for the words of `a` at these offsets from rsi, with two words of `t` at rdi for each. Destroys rax, rdx, r8
/// and r9.
macro_rules! double_words {
    ([] $_t:tt) => { "" };
    ([$a:literal $($as:literal)*] [$low:literal $high:literal $($t:literal)*]) => { concat!(
        "mov rdx, [rsi+", $a, "]\n",
        "mulx rdx, rax, rdx\n",
        "mov r8, [rdi+", $low, "]\n",
        "mov r9, [rdi+", $high, "]\n",
        "adcx r8, r8\n",
        "adcx r9, r9\n",
        "adox r8, rax\n",
        "adox r9, rdx\n",
        "mov [rdi+", $low, "], r8\n",
        "mov [rdi+", $high, "], r9\n",
        double_words!([$($as)*] [$($t)*]),
    ) };
}

/// [`double_words`] for one word of each register of the window.
macro_rules! double_all {
    ($_a:tt [] $_t:tt $as:tt) => { double_words!($as [0 8 16 24 32 40 48 56 64 72 80 88 96 104 112 120]) };
    ([$a:literal $($more:literal)*] [$_word:literal $($words:literal)*] $t:tt [$($as:literal)*]) => {
        double_all!([$($more)*] [$($words)*] $t [$($as)* $a])
    };
}

/// The rows of CIOS, one for each word of the other operand: a row of the product by the words at rsi, a row of the reduction by the
/// words at rcx, a shift by one word. The window has one word more than the modulus; between the rows that word is 0 or 1.
///
/// 1. window += a b_i; it is below 2m + (b - 1) m, so that there may be a carry of one bit, which goes to rdx.
/// 2. u = w_0 m' to rbx. u m_0 makes w_0 vanish and carries 1 if it was not 0 before: the carry of w_0 + (b - 1). The
///    register then takes the bit of step 1: it is the top of the next window.
/// 3. window += u m without w_0, which is finished; the sum is below 2 b m, so that the top is 0 or 1 again.
macro_rules! cios_rows {
    ($offsets:tt [] [] [$($word:literal)+]) => { concat!(
        "mov rdi, [rsp+24]\n",
        finish!($offsets [$($word)+]),
        leave_secrets!(),
        restore!(),
    ) };
    ($offsets:tt [$at:literal $($next:literal)*] [$_one:literal $($more:literal)*] [$first:literal $second:literal $($rest:literal)*]) => { concat!(
        "mov rdx, [rsp]\n",
        "mov rdx, [rdx+", $at, "]\n",
        "xor eax, eax\n",
        row!(onto_top, "rsi", "rdi", ["", "", ""], [0 8 16 24 32 40 48 56] [$first $second $($rest)*]),
        "mov edx, 0\n",
        take_flags!("rdx"),
        "mov rbx, [rsp+16]\n",
        "imul rbx, ", $first, "\n",
        "xor eax, eax\n",
        "mov rax, -1\n",
        "adcx ", $first, ", rax\n",
        "mov ", $first, ", rdx\n",
        "mov rdx, rbx\n",
        "mulx rbx, rax, [rcx]\n",
        cios_reduction!($first [$second $($rest)*]),
        cios_rows!($offsets [$($next)*] [$($more)*] [$second $($rest)* $first]),
    ) };
}

/// The rest of a row of CIOS' reduction: rbx is the high half of its first product.
macro_rules! cios_reduction {
    ($first:literal [$top:literal]) => { concat!(
        "adox ", $top, ", rbx\n",
        "adcx ", $top, ", ", zero!(), "\n",
        take_flags!($first),
    ) };
    ($first:literal [$second:literal $($rest:literal)+]) => { concat!(
        "adox ", $second, ", rbx\n",
        row!(onto_top, "rcx", "rdi", ["", "", ""], [8 16 24 32 40 48 56] [$second $($rest)+]),
        take_flags!($first),
    ) };
}

/// Reduces the window, a number below 2m whose top word is an overflow, modulo m to the words at rdi: stores it, subtracts m, and
/// takes the stored words back if the subtraction borrows. There are as many offsets as words without the top word.
macro_rules! finish {
    ($offsets:tt [$($word:literal)+]) => { concat!(
        each!(to "mov", "rdi", $offsets [$($word)+]),
        "xor eax, eax\n",
        each!(from "sbb", "rcx", $offsets [$($word)+]),
        subtract_from_top!($($word)+),
        each!(from "cmovc", "rdi", $offsets [$($word)+]),
        each!(to "mov", "rdi", $offsets [$($word)+]),
    ) };
}

/// Subtracts the borrow from the window's top word.
macro_rules! subtract_from_top {
    ($top:literal) => { concat!("sbb ", $top, ", 0\n") };
    ($_word:literal $($more:literal)+) => { subtract_from_top!($($more)+) };
}

/// `t = a^2` for the words of a block at rsi and `t` at rdi. It requires the [`zero`] and destroys all registers but rcx, rsi and
/// rdi.
macro_rules! square {
    ($bytes:literal, [$($word:literal)+]) => { concat!(
        all_pairs!(clear, [$($word)+]),
        each!(to "mov", concat!("rdi+", $bytes), [0 8 16 24 32 40 48 56] [$($word)+]),
        "xor eax, eax\n",
        "mov [rdi], rax\n",
        double_all!([0 8 16 24 32 40 48 56] [$($word)+] [] []),
    ) };
}

/// The functions of a block of one length.
macro_rules! block {
    ($module:ident, $bytes:literal, $offsets:tt [$($word:literal)+]) => {
        pub(super) mod $module {
            use super::*;

            /// `t += a * block`, with the block's words at `b`. `t` has n + S words, of which the upper S are only
            /// written.
            #[unsafe(naked)]
            pub(in super::super) unsafe extern "sysv64" fn add_rows(t: *mut u64, a: *const u64, n: usize, b: *const u64) {
                naked_asm!(concat!(
                    save!(),
                    keep!(),
                    clear!($($word)+),
                    run!(leave_product, [$($word)+]),
                ))
            }

            /// `t += a * a_i b^i` without the squares and with each pair once, for the block of the lowest S words of `a`:
            /// all pairs that contain one of these words. `t` has n + S words, n >= S, of which the upper S are only
            /// written.
            #[unsafe(naked)]
            pub(in super::super) unsafe extern "sysv64" fn add_pairs(t: *mut u64, a: *const u64, n: usize) {
                naked_asm!(concat!(
                    save!(),
                    keep!(),
                    all_pairs!(load_window, [$($word)+]),
                    "mov rcx, rsi\n",
                    "add rsi, ", $bytes, "\n",
                    "add rdi, ", $bytes, "\n",
                    run!(leave_product, [$($word)+]),
                ))
            }

            /// `out = a b / b^S` modulo m, canonical, by CIOS, for S words each; a < m or b < m is enough. `out` may
            /// be `a` or `b`.
            #[unsafe(naked)]
            pub(in super::super) unsafe extern "sysv64" fn cios(
                out: *mut u64, a: *const u64, b: *const u64, m: *const u64, m_prime: u64
            ) {
                naked_asm!(concat!(
                    save!(),
                    "push rdi\n",
                    "push r8\n",
                    "push 0\n",
                    "push rdx\n",
                    clear!($($word)+ "rbp"),
                    cios_rows!($offsets $offsets [$($word)+] [$($word)+ "rbp"]),
                ))
            }

            /// `t = a^2` for the S words of `a`, 2S of `t`.
            #[unsafe(naked)]
            pub(in super::super) unsafe extern "sysv64" fn square(t: *mut u64, a: *const u64) {
                naked_asm!(concat!(
                    save!(),
                    "push 0\npush 0\n",
                    square!($bytes, [$($word)+]),
                    "add rsp, 16\n",
                    restore!(),
                ))
            }

            /// `out = a^2 / b^S` modulo m, canonical, by SOS, for S words each and a < m. `t` has 2S words to work in. `out` may be `a`.
            #[unsafe(naked)]
            pub(in super::super) unsafe extern "sysv64" fn sos_sqr(
                out: *mut u64, a: *const u64, t: *mut u64, m: *const u64, m_prime: u64
            ) {
                naked_asm!(concat!(
                    save!(),
                    "push rdi\n",
                    "push r8\n",
                    "push 0\n",
                    "push rcx\n",
                    "mov rdi, rdx\n",
                    square!($bytes, [$($word)+]),
                    "mov rsi, [rsp]\n",
                    "mov rcx, [rsp+16]\n",
                    load_window!("rdi", $offsets [$($word)+]),
                    quotients!($offsets [$($word)+] [$($word)+]),
                    "add rdi, ", $bytes, "\n",
                    "xor eax, eax\n",
                    each!(from "adc", "rdi", $offsets [$($word)+]),
                    "mov ebp, 0\n",
                    "adc ebp, 0\n",
                    "mov rcx, rsi\n",
                    "mov rdi, [rsp+24]\n",
                    finish!($offsets [$($word)+ "rbp"]),
                    leave_secrets!(),
                    restore!(),
                ))
            }

            /// S rows of a reduction: `t += q m` with the q below b^S that makes the lowest S words vanish; those words
            /// then hold q. `t` has n + S words. `waiting` is a bit to be added at word n. Returns the carry out of the
            /// top.
            #[unsafe(naked)]
            pub(in super::super) unsafe extern "sysv64" fn reduce_rows(
                t: *mut u64, m: *const u64, n: usize, m_prime: u64, waiting: u64
            ) -> u64 {
                naked_asm!(concat!(
                    save!(),
                    "push r8\n",
                    keep!(),
                    load_window!("rdi", $offsets [$($word)+]),
                    quotients!($offsets [$($word)+] [$($word)+]),
                    "mov rcx, rdi\n",
                    "add rsi, ", $bytes, "\n",
                    "add rdi, ", $bytes, "\n",
                    run!(leave_reduction, [$($word)+]),
                ))
            }
        }
    };
}

block!(one, 8, [0]["r8"]);
block!(two, 16, [0 8] ["r8" "r9"]);
block!(three, 24, [0 8 16] ["r8" "r9" "r10"]);
block!(four, 32, [0 8 16 24] ["r8" "r9" "r10" "r11"]);
block!(five, 40, [0 8 16 24 32] ["r8" "r9" "r10" "r11" "r12"]);
block!(six, 48, [0 8 16 24 32 40] ["r8" "r9" "r10" "r11" "r12" "r13"]);
block!(seven, 56, [0 8 16 24 32 40 48] ["r8" "r9" "r10" "r11" "r12" "r13" "r14"]);
block!(eight, 64, [0 8 16 24 32 40 48 56] ["r8" "r9" "r10" "r11" "r12" "r13" "r14" "r15"]);

/// `t = 2t + sum of a_i^2 b^2i` for n words of `a` and 2n of `t`: the carry flag carries the doubling, the overflow flag
/// the squares; lea and jrcxz, which has a short range, change neither.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn double_and_add_squares(t: *mut u64, a: *const u64, n: usize) {
    naked_asm!(concat!(
        "mov r10, rdx\n",
        "mov rcx, rdx\n",
        "shr r10, 2\n",
        "and ecx, 3\n",
        "xor eax, eax\n",
        "2:\n",
        "jrcxz 3f\n",
        double_words!([0] [0 8]),
        "lea rsi, [rsi+8]\n",
        "lea rdi, [rdi+16]\n",
        "lea rcx, [rcx-1]\n",
        "jmp 2b\n",
        "3:\n",
        "mov rcx, r10\n",
        "4:\n",
        "jrcxz 5f\n",
        "jmp 6f\n",
        "5:\n",
        "ret\n",
        "6:\n",
        double_words!([0 8 16 24] [0 8 16 24 32 40 48 56]),
        "lea rsi, [rsi+32]\n",
        "lea rdi, [rdi+64]\n",
        "lea rcx, [rcx-1]\n",
        "jmp 4b\n",
    ))
}
