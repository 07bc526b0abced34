//! What this machine can do at most: sustained loops of the two instructions that the bounds count.
#![allow(unsafe_code)]

use crate::clocks;
use pingala::kernels::{Feature, has};
use std::time::Instant;

/// Nanoseconds per instruction, each the median of samples interleaved with the contenders.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rates {
    /// vpmadd52 on 512-bit vectors: eight products' halves.
    pub madd: Option<f64>,
    /// mulx: one product.
    pub mulx: Option<f64>,
    /// mulx with adcx and adox, as rows of products are added up: what a product costs where additions limit.
    pub mulx_added: Option<f64>,
}

/// The median of each rate.
pub fn median(samples: &[Rates]) -> Rates {
    let median = |rate: fn(&Rates) -> Option<f64>| {
        let mut sorted: Vec<f64> = samples.iter().filter_map(rate).collect();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied()
    };
    Rates {
        madd: median(|rates| rates.madd),
        mulx: median(|rates| rates.mulx),
        mulx_added: median(|rates| rates.mulx_added),
    }
}

/// One sample of each rate that this CPU has, in nanoseconds per instruction; none if the clocks disagree.
#[cfg(target_arch = "x86_64")]
pub fn sample() -> Rates {
    let timed = |count: usize, run: &dyn Fn()| {
        let timing = clocks::timed(1, run);
        timing.agrees.then_some(timing.nanoseconds / count as f64)
    };
    // SAFETY: it is called below only if `has` found the features that it is compiled for; so are the next two.
    let madd = || unsafe { x86::madd_loop() };
    // SAFETY: as above.
    let mulx = || unsafe { x86::mulx_loop() };
    // SAFETY: as above.
    let mulx_added = || unsafe { x86::mulx_added_loop() };
    Rates {
        madd: (has(Feature::Avx512f) && has(Feature::Avx512ifma)).then(|| timed(x86::COUNT, &madd)).flatten(),
        mulx: has(Feature::Bmi2).then(|| timed(x86::COUNT, &mulx)).flatten(),
        mulx_added: (has(Feature::Bmi2) && has(Feature::Adx)).then(|| timed(x86::COUNT, &mulx_added)).flatten(),
    }
}

/// How many times more two threads multiply than one, on the wall: what lists can gain at most at this moment.
pub fn two_threads_scaling() -> f64 {
    // Long enough that starting a thread does not count.
    let work = || {
        let mut product = std::hint::black_box(3u64);
        (0..1 << 22).for_each(|_| product = std::hint::black_box(product.wrapping_mul(5)));
    };
    let start = Instant::now();
    work();
    let alone = start.elapsed();
    let start = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
    2.0 * alone.as_secs_f64() / start.elapsed().as_secs_f64()
}

/// There are bounds for x86-64 only.
#[cfg(not(target_arch = "x86_64"))]
pub fn sample() -> Rates {
    Rates::default()
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::asm;
    use core::arch::x86_64::{_mm512_madd52lo_epu64, _mm512_set1_epi64};
    use std::hint::black_box;

    /// Instructions of one sample: a quarter of a millisecond or so.
    pub const COUNT: usize = 1 << 20;
    /// Independent chains: more than latency times throughput (4 cycles, 2 a cycle) of any CPU known.
    const CHAINS: usize = 16;

    #[target_feature(enable = "avx512f,avx512ifma")]
    pub fn madd_loop() {
        let (x, y) = (black_box(_mm512_set1_epi64(0x1_2345_6789)), black_box(_mm512_set1_epi64(0x9_8765_4321)));
        let mut sums = [_mm512_set1_epi64(0); CHAINS];
        for _ in 0..COUNT / CHAINS {
            for sum in &mut sums {
                *sum = _mm512_madd52lo_epu64(*sum, x, y);
            }
        }
        black_box(sums);
    }

    /// The results are overwritten again and again, so that nothing but the multiplier limits.
    #[target_feature(enable = "bmi2")]
    pub fn mulx_loop() {
        let factor = black_box(0x1234_5678_9abc_def1u64);
        for _ in 0..COUNT / CHAINS {
            // SAFETY: the block reads rdx and writes two scratch registers, nothing else.
            unsafe {
                asm!(
                    ".rept 16", "mulx {high}, {low}, rdx", ".endr",
                    high = out(reg) _, low = out(reg) _, in("rdx") factor,
                    options(nomem, nostack, preserves_flags),
                );
            }
        }
    }

    /// Rows of eight products on two carry chains, each row added one word further up than the last.
    #[target_feature(enable = "bmi2,adx")]
    pub fn mulx_added_loop() {
        let limbs = black_box([0x1234_5678_9abc_def1u64; 8]);
        // SAFETY: the block reads the eight limbs, and writes registers that it names.
        unsafe {
            asm!(
                "2:",
                "mov rdx, [{limbs}]", "xor {low:e}, {low:e}",
                "mulx {high}, {low}, [{limbs}]", "adcx r8, {low}", "adox r9, {high}",
                "mulx {high}, {low}, [{limbs} + 8]", "adcx r9, {low}", "adox r10, {high}",
                "mulx {high}, {low}, [{limbs} + 16]", "adcx r10, {low}", "adox r11, {high}",
                "mulx {high}, {low}, [{limbs} + 24]", "adcx r11, {low}", "adox r12, {high}",
                "mulx {high}, {low}, [{limbs} + 32]", "adcx r12, {low}", "adox r13, {high}",
                "mulx {high}, {low}, [{limbs} + 40]", "adcx r13, {low}", "adox r14, {high}",
                "mulx {high}, {low}, [{limbs} + 48]", "adcx r14, {low}", "adox r15, {high}",
                "mulx {high}, {low}, [{limbs} + 56]", "adcx r15, {low}", "mov r8d, 0", "adox r8, {high}", "adc r8, 0",
                "dec {rows}", "jnz 2b",
                limbs = in(reg) limbs.as_ptr(), rows = inout(reg) COUNT / 8 => _, high = out(reg) _, low = out(reg) _,
                out("rdx") _, out("r8") _, out("r9") _, out("r10") _, out("r11") _, out("r12") _, out("r13") _,
                out("r14") _, out("r15") _, options(nostack, readonly),
            );
        }
    }
}
