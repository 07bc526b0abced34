//! Powers and prices in WebAssembly, for `prices.mjs` and `bench.mjs`. Numbers are limbs of 64 bits, texts are UTF-8; the caller's pointers must hold
//! what their lengths say, as in C.

use pingala_core::kernels::Kernel;
use pingala_core::{Integer, Modulus, Natural, Options, SecretExponent};
use std::time::Duration;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds since any fixed moment.
    fn now() -> f64;
    /// The prices, as text.
    fn prices(text: *const u8, bytes: usize);
}

/// For measurements: the numbers of a counter.
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(out: *mut u8, bytes: usize) -> Result<(), getrandom::Error> {
    let filled: Vec<u8> = (0..bytes).map(|index| index as u8).collect();
    // SAFETY: the caller's promise.
    unsafe { out.copy_from_nonoverlapping(filled.as_ptr(), bytes) };
    Ok(())
}

/// Memory for the host, of this many limbs.
#[unsafe(no_mangle)]
pub extern "C" fn room(limbs: usize) -> *mut u64 {
    vec![0; limbs].leak().as_mut_ptr()
}

/// # Safety
/// The bytes can be read and are UTF-8.
unsafe fn text<'a>(text: *const u8, bytes: usize) -> &'a str {
    // SAFETY: the caller's promise.
    unsafe { core::str::from_utf8_unchecked(core::slice::from_raw_parts(text, bytes)) }
}

/// `out` = base^exponent mod modulus, `n` limbs each, by the kernel or plan that is named, if any; a secret exponent if `secret` is not 0. Returns 0, or -1
/// for an error.
///
/// # Safety
/// The numbers and the name can be read, `out` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn power(
    out: *mut u64,
    numbers: *const u64,
    n: usize,
    name: *const u8,
    name_bytes: usize,
    secret: i32,
) -> i32 {
    // SAFETY: the caller's promise.
    let (numbers, name, out) = unsafe {
        (
            core::slice::from_raw_parts(numbers, 3 * n),
            text(name, name_bytes),
            core::slice::from_raw_parts_mut(out, n),
        )
    };
    let number = |index: usize| Natural::from_limbs(&numbers[index * n..][..n]);
    let named = Some(name).filter(|name| !name.is_empty());
    let options = match named {
        Some(line) if line.contains(" on ") => Options::default().with_plan(named),
        _ => Options::default().with_kernel(named),
    };
    let power = || {
        let (base, modulus) = (Integer::from(number(0)), Modulus::new(number(2))?);
        match secret {
            0 => modulus.pow_with(&base, &Integer::from(number(1)), &options),
            _ => modulus.pow_sec(&base, &SecretExponent::new(&number(1), Some(64 * n as u64))?, &options),
        }
    };
    let Ok(result) = power() else { return -1 };
    out.fill(0);
    out[..result.limbs().len()].copy_from_slice(result.limbs());
    0
}

/// Measures the kernels whose names stand in the text, separated by spaces, or all, and gives the prices to the host. `days` since 1970-01-01.
///
/// # Safety
/// The texts can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tune(kernels: *const u8, kernels_bytes: usize, cpu: *const u8, cpu_bytes: usize, days: u32) {
    // SAFETY: the caller's promise.
    let (kernels, cpu) = unsafe { (text(kernels, kernels_bytes), text(cpu, cpu_bytes)) };
    let kernels: Vec<Kernel> = kernels.split_whitespace().filter_map(Kernel::by_name).collect();
    // SAFETY: the host's functions take any numbers.
    let clock = || Duration::from_secs_f64(unsafe { now() } / 1e3);
    let measured = pingala_study::tune_by(&kernels, cpu, days.into(), None, &clock, |_, _| {}).to_string();
    // SAFETY: as above.
    unsafe { prices(measured.as_ptr(), measured.len()) };
}
