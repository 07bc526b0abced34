//! Compares the cost of a call from C with that of a call from Rust, in one process: `make -C lab bench-c` links it with the shared library.

use pingala_core::{Integer, Modulus, Natural};
use std::ffi::{c_char, c_void};
use std::hint::black_box;
use std::ptr::null;
use std::time::Instant;

#[link(name = "pingala")]
unsafe extern "C" {
    #[allow(clippy::too_many_arguments)]
    fn pingala_powmod_limbs(
        out: *mut u64,
        out_len: usize,
        base: *const u64,
        base_len: usize,
        exponent: *const u64,
        exponent_len: usize,
        modulus: *const u64,
        modulus_len: usize,
        signs: u32,
        options: *const c_void,
        why: *mut c_char,
        why_len: usize,
    ) -> i32;
    #[allow(clippy::too_many_arguments)]
    fn pingala_powmod_be(
        out: *mut u8,
        out_len: usize,
        base: *const u8,
        base_len: usize,
        exponent: *const u8,
        exponent_len: usize,
        modulus: *const u8,
        modulus_len: usize,
        signs: u32,
        options: *const c_void,
        why: *mut c_char,
        why_len: usize,
    ) -> i32;
    fn pingala_modulus_new_limbs(
        out: *mut *mut c_void,
        value: *const u64,
        length: usize,
        why: *mut c_char,
        why_len: usize,
    ) -> i32;
    fn pingala_modulus_pow_limbs(
        modulus: *const c_void,
        out: *mut u64,
        out_len: usize,
        base: *const u64,
        base_len: usize,
        exponent: *const u64,
        exponent_len: usize,
        signs: u32,
        options: *const c_void,
        why: *mut c_char,
        why_len: usize,
    ) -> i32;
}

const ROUNDS: usize = 60;

/// Nanoseconds of one call, the mean of `calls`.
fn time(calls: usize, mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    (0..calls).for_each(|_| call());
    start.elapsed().as_nanos() as f64 / calls as f64
}

fn main() {
    println!(
        "{:>6} {:>10} {:>10} {:>10} {:>10} {:>10}",
        "bits", "Rust", "C limbs", "C bytes", "Rust handle", "C handle"
    );
    for n_limbs in [1, 2, 4, 32] {
        let numbers = [0xfedc_ba98_7654_3211_u64, 0x1234_5678_9abc_def1, 0xffff_ffff_ffff_ffc5];
        let [base, exponent, modulus] = numbers.map(|limb| vec![limb; n_limbs]);
        let bytes = |limbs: &[u64]| -> Vec<u8> { limbs.iter().rev().flat_map(|limb| limb.to_be_bytes()).collect() };
        let [base_be, exponent_be, modulus_be] = [&base, &exponent, &modulus].map(|limbs| bytes(limbs));
        let number = |limbs: &[u64]| Integer::from(Natural::from_limbs(limbs));
        let (b, e, m) = (number(&base), number(&exponent), Natural::from_limbs(&modulus));
        let kept = Modulus::new(m.clone()).unwrap();
        let (mut out, mut out_be, mut handle) = (vec![0; n_limbs], vec![0; 8 * n_limbs], std::ptr::null_mut());
        let expected = pingala_core::powmod(&b, &e, &m).unwrap();
        // SAFETY: the contract of the header.
        let made =
            unsafe { pingala_modulus_new_limbs(&mut handle, modulus.as_ptr(), n_limbs, std::ptr::null_mut(), 0) };
        assert_eq!(made, 0);
        let calls = if n_limbs > 8 { 20 } else { 20_000 / n_limbs };
        let mut best = [f64::INFINITY; 5];
        for _ in 0..ROUNDS {
            let by_rust = time(calls, || drop(black_box(pingala_core::powmod(black_box(&b), black_box(&e), black_box(&m)))));
            let by_limbs = time(calls, || {
                // SAFETY: the contract of the header.
                let status = unsafe {
                    pingala_powmod_limbs(
                        out.as_mut_ptr(),
                        n_limbs,
                        black_box(base.as_ptr()),
                        n_limbs,
                        exponent.as_ptr(),
                        n_limbs,
                        modulus.as_ptr(),
                        n_limbs,
                        0,
                        null(),
                        std::ptr::null_mut(),
                        0,
                    )
                };
                assert_eq!(status, 0);
            });
            assert_eq!(Natural::from_limbs(&out), expected);
            let by_bytes = time(calls, || {
                // SAFETY: the contract of the header.
                let status = unsafe {
                    pingala_powmod_be(
                        out_be.as_mut_ptr(),
                        out_be.len(),
                        black_box(base_be.as_ptr()),
                        base_be.len(),
                        exponent_be.as_ptr(),
                        exponent_be.len(),
                        modulus_be.as_ptr(),
                        modulus_be.len(),
                        0,
                        null(),
                        std::ptr::null_mut(),
                        0,
                    )
                };
                assert_eq!(status, 0);
            });
            assert_eq!(Natural::from_be_bytes(&out_be), expected);
            let rust_handle = time(calls, || drop(black_box(kept.pow(black_box(&b), black_box(&e)))));
            let c_handle = time(calls, || {
                // SAFETY: the contract of the header.
                let status = unsafe {
                    pingala_modulus_pow_limbs(
                        handle,
                        out.as_mut_ptr(),
                        n_limbs,
                        black_box(base.as_ptr()),
                        n_limbs,
                        exponent.as_ptr(),
                        n_limbs,
                        0,
                        null(),
                        std::ptr::null_mut(),
                        0,
                    )
                };
                assert_eq!(status, 0);
            });
            assert_eq!(Natural::from_limbs(&out), expected);
            for (best, now) in best.iter_mut().zip([by_rust, by_limbs, by_bytes, rust_handle, c_handle]) {
                *best = best.min(now);
            }
        }
        let [a, b, c, d, e] = best;
        println!("{:>6} {a:>10.0} {b:>10.0} {c:>10.0} {d:>10.0} {e:>10.0}", 64 * n_limbs);
    }
}
