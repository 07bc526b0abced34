//! A row of products in assembly, as text: macros over lists of registers, from which `blocks` is made, and what its functions
//! keep on the stack.

texts! {
    /// The stack of a block, in addition to the caller's registers: the end of the words that its loop runs over, and a zero, because all
    /// registers are in use. In a reduction a third word is the pending bit. Whole products keep a pointer instead of the end, and
    /// m' and the address of the result above the zero.
    end_of_words = "[rsp]";
    zero = "[rsp+8]";
    /// Saves the callee-saved registers to the stack.
    save = "push rbx\npush rbp\npush r12\npush r13\npush r14\npush r15\n";
    /// Pushes a zero and the end of the rdx words at rsi to the stack, where [`zero`] and [`end_of_words`] find them.
    keep = "push 0\nlea rdx, [rsi+8*rdx]\npush rdx\n";
    /// Drops the stack of a whole product and overwrites m', which depends on the modulus, possibly a secret factor.
    leave_secrets = "mov qword ptr [rsp+16], 0\nadd rsp, 32\n";
    /// Restores the callee-saved registers from the stack and returns.
    restore = "pop r15\npop r14\npop r13\npop r12\npop rbp\npop rbx\nret\n";
}

/// A row: `low.. += rdx * words`, the products of rdx by the words at `base + offset`, for one word less than there are
/// registers; `$end` handles the last product and the last register. `$sum` runs before the first addition, `$next` and
/// `$finished` between later ones, `$finished` before the last register is written. The row requires both flags clear and
/// destroys rax, rbx and `$spare`.
///
/// The order was found by measurement, not derived: products in twos, both high halves added before the second low half. With it
/// a row of eight takes little more time than the two ports that add with carry need. If each product is added as soon as it is
/// computed, the low half first, the row takes a fifth more time. The position of an addition among the six instructions that
/// issue together seems to decide which port it waits for: docs/records/mulx-rows.md.
macro_rules! row {
    ($end:ident, $base:literal, $spare:literal, ["", "", ""],
     [$offset:literal $($_offset:literal)*] [$low:literal $top:literal]) => {
        $end!($base, $offset, $low, $top)
    };
    ($end:ident, $base:literal, $spare:literal, [$sum:expr, $next:expr, $finished:expr],
     [$offset:literal $($offsets:literal)*] [$low:literal $high:literal $($more:literal)+]) => { concat!(
        "mulx rbx, rax, [", $base, "+", $offset, "]\n",
        $sum,
        "adox ", $high, ", rbx\n",
        "adcx ", $low, ", rax\n",
        more_products!($end, $base, $spare, [$next, $finished], [$($offsets)*] [$high $($more)+]),
    ) };
}

/// The other products of a row.
macro_rules! more_products {
    ($end:ident, $base:literal, $spare:literal, [$next:expr, $finished:expr],
     [$offset:literal $($_offset:literal)*] [$low:literal $top:literal]) => { concat!(
        $next, $finished, $end!($base, $offset, $low, $top),
    ) };
    ($end:ident, $base:literal, $spare:literal, [$next:expr, $finished:expr],
     [$offset:literal $($offsets:literal)*] [$low:literal $high:literal $top:literal]) => { concat!(
        "mulx rbx, rax, [", $base, "+", $offset, "]\n",
        "adox ", $high, ", rbx\n",
        "adcx ", $low, ", rax\n",
        more_products!($end, $base, $spare, [$next, $finished], [$($offsets)*] [$high $top]),
    ) };
    ($end:ident, $base:literal, $spare:literal, [$next:expr, $finished:expr],
     [$one:literal $two:literal $($offsets:literal)*] [$low:literal $middle:literal $high:literal $($more:literal)+]) => { concat!(
        "mulx ", $spare, ", rax, [", $base, "+", $one, "]\n",
        "adcx ", $low, ", rax\n",
        "mulx rbx, rax, [", $base, "+", $two, "]\n",
        "adox ", $middle, ", ", $spare, "\n",
        "adox ", $high, ", rbx\n",
        "adcx ", $middle, ", rax\n",
        $next,
        more_products!($end, $base, $spare, ["", $finished], [$($offsets)*] [$high $($more)+]),
    ) };
}

/// Adds the two flags to a register; both are clear afterwards if the register does not overflow.
#[rustfmt::skip]
macro_rules! take_flags {
    ($into:literal) => { concat!("adcx ", $into, ", ", zero!(), "\n", "adox ", $into, ", ", zero!(), "\n") };
}

/// The end of a row that writes its last register without reading it.
#[rustfmt::skip]
macro_rules! into_top {
    ($base:literal, $offset:literal, $low:literal, $top:literal) => { concat!(
        "mulx ", $top, ", rax, [", $base, "+", $offset, "]\n",
        "adcx ", $low, ", rax\n",
        take_flags!($top),
    ) };
}

/// `window += rdx * words at base`, and the window moves up a word; `$finished` handles its lowest word.
macro_rules! add_row {
    ($base:literal, [$sum:expr, $next:expr, $finished:expr], [$only:literal]) => { concat!(
        "mulx rbx, rax, [", $base, "]\n",
        $sum,
        "adcx ", $only, ", rax\n",
        $next,
        $finished,
        "mov ", $only, ", rbx\n",
        take_flags!($only),
    ) };
    ($base:literal, $between:tt, [$first:literal $($more:literal)+]) => {
        row!(into_top, $base, "rbp", $between, [0 8 16 24 32 40 48 56] [$first $($more)+ $first])
    };
}

/// The end of a row that adds to its last register, with the carry flag; the overflow flag remains.
#[rustfmt::skip]
macro_rules! onto_top {
    ($base:literal, $offset:literal, $low:literal, $top:literal) => { concat!(
        "mulx rbx, rax, [", $base, "+", $offset, "]\n",
        "adox ", $top, ", rbx\n",
        "adcx ", $low, ", rax\n",
        "adcx ", $top, ", ", zero!(), "\n",
    ) };
}
