//! Secret exponents from tables and in lists: the public powers, on every kernel that may take them, and refusals.

use super::common::{Random, from_bits};
use pingala_core::algorithm::ExpectedCost;
use pingala_core::algorithm::fixed_base::FixedBaseAlgorithm;
use pingala_core::kernels::KERNELS;
use pingala_core::plan::Plan;
use pingala_core::{Error, FixedBase, Integer, Modulus, Natural, Options, SecretExponent, SecretFactor, Uses, Watch};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

fn odd(random: &mut Random, bits: usize) -> Modulus {
    let mut limbs = random.exponent(bits).magnitude().limbs().to_vec();
    limbs[0] |= 1;
    Modulus::new(Natural::from_limbs(&limbs)).unwrap()
}

fn number(random: &mut Random, bits: usize) -> Integer {
    Integer::from(random.exponent(bits).magnitude())
}

fn secrets(powers: u64) -> Uses {
    let mut uses = Uses::from(powers);
    uses.secret = true;
    uses
}

fn secret(value: &Natural, bits: usize) -> SecretExponent {
    SecretExponent::new(value, Some(bits as u64)).unwrap()
}

/// 0, 1, all ones, the top bit, and others, below 2^`bits`.
fn exponents(random: &mut Random, bits: usize) -> Vec<Natural> {
    let mut all = vec![Natural::default(), Natural::from(1u64)];
    all.extend([from_bits(0..bits), from_bits([bits - 1]), random.exponent(bits)].map(|one| one.magnitude().clone()));
    all
}

/// Constant-time kernels of this CPU for odd moduli.
fn kernels() -> impl Iterator<Item = &'static str> {
    KERNELS.iter().filter(|entry| entry.constant_time && entry.odd && entry.available()).map(|entry| entry.name)
}

#[test]
fn tables_give_the_public_powers_on_every_kernel() {
    let mut random = Random::new(0x23);
    let lines = [None, Some("comb(h=1, v=1)"), Some("comb(h=3, v=2)"), Some("comb(h=5, v=64)")];
    for kernel in kernels() {
        let options = Options::default().with_kernel(Some(kernel));
        for modulus_bits in [1, 2, 40, 64, 200, 411, 412, 413, 468, 520, 1024, 2100, 4096] {
            let modulus = odd(&mut random, modulus_bits);
            let base = number(&mut random, modulus_bits);
            for bits in [1, 5, 64, 131] {
                for line in lines {
                    let options = options.with_plan(line);
                    let table = FixedBase::for_uses(&base, &modulus, bits, 1 << 20, secrets(1000), &options).unwrap();
                    for exponent in exponents(&mut random, bits as usize) {
                        let want = modulus.pow(&base, &exponent.clone().into()).unwrap();
                        let wide = secret(&exponent, bits as usize);
                        let what = format!("{kernel}, {modulus_bits} bits: {base}^{exponent}, {}", table.plan());
                        assert_eq!(table.pow_sec(&wide, &Options::default()).as_ref(), Ok(&want), "{what}");
                        let narrow = secret(&exponent, exponent.bits() as usize);
                        assert_eq!(table.pow_sec(&narrow, &Options::default()), Ok(want.clone()), "{what}");
                        // A table for secrets is one for everybody.
                        assert_eq!(table.pow(&exponent.into()), Ok(want), "{what}");
                    }
                }
            }
        }
    }
}

#[test]
fn plans_for_secrets_are_constant_time() {
    let mut random = Random::new(3);
    for modulus_bits in [256, 2048, 4096] {
        let modulus = odd(&mut random, modulus_bits);
        for uses in [1, 100, 100_000] {
            let (base, options) = (Integer::from(2u64), Options::default());
            let explained = FixedBase::explain(&base, &modulus, 256, 1 << 18, secrets(uses), &options).unwrap();
            for candidate in explained.candidates().flatten() {
                let Ok(Plan::<FixedBaseAlgorithm>::Run { algorithm, form }) = candidate.plan().parse() else {
                    panic!("{candidate:?}")
                };
                assert!(form.kernel.entry().constant_time, "{candidate:?}");
                assert!(algorithm.scanned(256).is_some(), "{candidate:?}");
                let cost: Option<ExpectedCost> = algorithm.rounds_cost(256).map(Into::into);
                let counts = |cost: ExpectedCost| [cost.squarings, cost.multiplications, cost.selections];
                let row = [candidate.squarings, candidate.products, candidate.selections];
                assert_eq!(Some(row), cost.map(counts), "{candidate:?}");
            }
            assert!(explained.to_string().contains("secret exponents of 256 bits"), "{explained}");
        }
    }
}

#[test]
fn a_table_of_other_kernels_is_read_by_one_that_is_constant_time() {
    let mut random = Random::new(4);
    let modulus = odd(&mut random, 1000);
    let base = number(&mut random, 1000);
    let exponent = random.exponent(200).magnitude().clone();
    let want = modulus.pow(&base, &exponent.clone().into());
    let exponent = secret(&exponent, 200);
    let options = Options::default().with_plan(Some("comb(h=4, v=3)"));
    let table = FixedBase::new(&base, &modulus, 200, 1 << 18, &options).unwrap();
    let power = table.pow_sec(&exponent, &Options::default());
    // A row of doubles has no form that is constant-time.
    if table.plan().to_string().contains("fma_row_r52") {
        assert_eq!(power.unwrap_err().code(), "bad_plan");
    } else {
        assert_eq!(power, want);
    }
    let table = FixedBase::new(&base, &modulus, 200, 1 << 18, &options.with_kernel(Some("portable_r64"))).unwrap();
    assert_eq!(table.pow_sec(&exponent, &Options::default().with_kernel(Some("portable_r64"))), want);
}

#[test]
fn what_no_secret_may_take_is_refused() {
    let modulus = Modulus::new(Natural::from(1_000_003u64)).unwrap();
    let (base, options) = (Integer::from(7u64), Options::default());
    let exponent = secret(&Natural::from(5u64), 32);
    let branches = options.with_plan(Some("windowing(h=16)"));
    let table = FixedBase::new(&base, &modulus, 64, 1 << 14, &branches).unwrap();
    let error = table.pow_sec(&exponent, &options).unwrap_err();
    assert!(error.code() == "bad_plan" && error.to_string().contains("for secrets"), "{error}");
    assert_eq!(table.pow_sec_list(&[exponent], &mut [0; 3], &options).unwrap_err().code(), "bad_plan");
    // Neither does a table for secrets follow such a plan, or take an even modulus.
    let forced = FixedBase::for_uses(&base, &modulus, 64, 1 << 14, secrets(1), &branches);
    assert!(forced.is_err());
    let even = Modulus::new(Natural::from(1_000_002u64)).unwrap();
    let refused = FixedBase::for_uses(&base, &even, 64, 1 << 14, secrets(1), &options).unwrap_err();
    assert_eq!(refused.code(), "bad_argument");
    let table = FixedBase::new(&base, &even, 64, 1 << 14, &options).unwrap();
    let exponent = secret(&Natural::from(5u64), 32);
    assert_eq!(table.pow_sec(&exponent, &options).unwrap_err().code(), "bad_plan");
    let table = FixedBase::for_uses(&base, &modulus, 64, 1 << 14, secrets(1), &options).unwrap();
    let wide = secret(&Natural::from(5u64), 65);
    assert_eq!(table.pow_sec(&wide, &options), Err(Error::TooLong { what: "exponent", length: 65, cap: 64 }));
}

#[test]
fn lists_are_in_order_each_with_its_own_error() {
    let mut random = Random::new(5);
    for modulus_bits in [64, 700] {
        let modulus = odd(&mut random, modulus_bits);
        let width = modulus_bits / 8 + 2;
        let bases: Vec<Natural> = (0..70).map(|_| random.exponent(modulus_bits).magnitude().clone()).collect();
        let powers: Vec<Natural> = (0..70).map(|_| random.exponent(90).magnitude().clone()).collect();
        let rows: Vec<Vec<u8>> = bases.iter().map(Natural::to_be_bytes).collect();
        let rows: Vec<&[u8]> = rows.iter().map(Vec::as_slice).collect();
        let exponents: Vec<SecretExponent> = powers.iter().map(|power| secret(power, 96)).collect();
        let want = |base: &Natural, power: &Natural| modulus.pow(&base.into(), &power.clone().into()).unwrap();
        for threads in [1, 2, 5] {
            let options = Options::default().with_threads(NonZeroUsize::new(threads));
            let read = |out: &[u8]| out.chunks(width).map(Natural::from_be_bytes).collect::<Vec<_>>();
            let mut out = vec![0xaa; 70 * width];
            assert_eq!(modulus.pow_sec_list(&rows, &exponents, &mut out, &options), Ok(Vec::new()));
            assert_eq!(read(&out), bases.iter().zip(&powers).map(|(b, e)| want(b, e)).collect::<Vec<_>>());
            // One exponent for all, one base for all, and a table of that base.
            modulus.pow_sec_list(&rows, &exponents[..1], &mut out, &options).unwrap();
            assert_eq!(read(&out), bases.iter().map(|base| want(base, &powers[0])).collect::<Vec<_>>());
            modulus.pow_sec_list(&rows[..1], &exponents, &mut out, &options).unwrap();
            let of_one = powers.iter().map(|power| want(&bases[0], power)).collect::<Vec<_>>();
            assert_eq!(read(&out), of_one);
            let table = FixedBase::for_uses(&(&bases[0]).into(), &modulus, 96, 1 << 16, secrets(70), &options).unwrap();
            out.fill(0xaa);
            assert_eq!(table.pow_sec_list(&exponents, &mut out, &options), Ok(Vec::new()));
            assert_eq!(read(&out), of_one);
        }
        let table = FixedBase::for_uses(&(&bases[0]).into(), &modulus, 90, 1 << 16, secrets(70), &Options::default());
        let mut out = vec![0xaa; 3 * width];
        let some = [secret(&powers[0], 90), secret(&powers[1], 91), secret(&powers[2], 90)];
        let failed = table.unwrap().pow_sec_list(&some, &mut out, &Options::default()).unwrap();
        assert_eq!(failed, [(1, Error::TooLong { what: "exponent", length: 91, cap: 90 })]);
        assert_eq!(out[width..2 * width], vec![0; width]);
        let first = want(&bases[0], &powers[0]);
        assert_eq!(Natural::from_be_bytes(&out[..width]), first);
    }
}

#[test]
fn lists_modulo_even_numbers() {
    let mut random = Random::new(6);
    for modulus in ["0x400000000000000000000000000000000000000000000000000", "0xfedcba9876543210fedcba98765432100"] {
        let modulus = Modulus::new(modulus.parse().unwrap()).unwrap();
        let powers: Vec<Natural> = (0..9).map(|_| random.exponent(90).magnitude().clone()).collect();
        let exponents: Vec<SecretExponent> = powers.iter().map(|power| secret(power, 96)).collect();
        let rows: Vec<[u8; 3]> = (0..9).map(|row| [7, row, 5 * row]).collect();
        let bases: Vec<&[u8]> = rows.iter().map(|row| &row[..]).collect();
        let mut out = vec![0xaa; 9 * 30];
        assert_eq!(modulus.pow_sec_list(&bases, &exponents, &mut out, &Options::default()), Ok(Vec::new()));
        for ((out, base), power) in out.chunks(30).zip(&bases).zip(&powers) {
            let base = Natural::from_be_bytes(base);
            assert_eq!(Natural::from_be_bytes(out), modulus.pow(&base.into(), &power.clone().into()).unwrap());
        }
    }
    // No base, one exponent: no power.
    let odd = Modulus::new(Natural::from(7u64)).unwrap();
    assert_eq!(odd.pow_sec_list(&[], &[secret(&Natural::from(5u64), 8)], &mut [], &Options::default()), Ok(Vec::new()));
}

#[test]
fn lists_go_by_the_factors_and_are_checked() {
    let primes = ["0xffffffffffffffc5", "0x7fffffffffffffffffffffffffffffff"].map(|p| p.parse::<Natural>().unwrap());
    let product: Natural = "0x7fffffffffffffe27fffffffffffffff000000000000003b".parse().unwrap();
    let factors = [SecretFactor::new(&primes[0], 1).unwrap(), SecretFactor::new(&primes[1], 1).unwrap()];
    let modulus = Modulus::with_secret_factors(product, &factors, &Options::default()).unwrap();
    let (e, rows) = (Natural::from(5u64), [[3u8; 24], [4; 24], [5; 24]]);
    // Whatever the exponent is, the inverse of 5 it is not.
    let exponents = [SecretExponent::new(&Natural::from(77u64), Some(200)).unwrap()];
    let rows: Vec<&[u8]> = rows.iter().map(|row| &row[..]).collect();
    let mut out = [1; 3 * 24];
    assert_eq!(modulus.pow_sec_list(&rows, &exponents, &mut out, &Options::default()), Ok(Vec::new()));
    for (row, out) in rows.iter().zip(out.chunks(24)) {
        let want = modulus.pow(&Natural::from_be_bytes(row).into(), &77u64.into()).unwrap();
        assert_eq!(Natural::from_be_bytes(out), want);
    }
    let options = Options::default().with_public_exponent(Some(&e));
    let failed = modulus.pow_sec_list(&rows, &exponents, &mut out, &options).unwrap();
    assert_eq!(
        failed.iter().map(|(row, error)| (*row, error.code())).collect::<Vec<_>>(),
        [(0, "bad_argument"), (1, "bad_argument"), (2, "bad_argument")]
    );
    assert_eq!(out, [0; 3 * 24]);
}

#[test]
fn lists_that_do_not_fit_are_refused() {
    let modulus = Modulus::new(Natural::from(0xffff_ffff_ffffu64)).unwrap();
    let list = |bases: usize, exponents: usize, bytes: usize| {
        let bases = vec![&[2u8][..]; bases];
        let exponents: Vec<SecretExponent> = (0..exponents).map(|_| secret(&Natural::from(9u64), 8)).collect();
        modulus.pow_sec_list(&bases, &exponents, &mut vec![0; bytes], &Options::default())
    };
    for (bases, exponents, bytes) in [(2, 3, 18), (0, 2, 12), (2, 0, 12), (2, 2, 13), (2, 2, 10), (0, 0, 6), (1, 1, 0)]
    {
        let error = list(bases, exponents, bytes).unwrap_err();
        assert_eq!(error.code(), "bad_argument", "{bases} {exponents} {bytes}");
    }
    for (bases, exponents, bytes) in [(0, 0, 0), (2, 2, 12), (1, 3, 21), (3, 1, 18)] {
        assert_eq!(list(bases, exponents, bytes), Ok(Vec::new()));
    }
    let one = Modulus::new(Natural::from(1u64)).unwrap();
    let exponents = [secret(&Natural::from(9u64), 8)];
    assert_eq!(one.pow_sec_list(&[&[7]], &exponents, &mut [9], &Options::default()), Ok(Vec::new()));
}

struct StopAfter(AtomicUsize);

impl Watch for StopAfter {
    fn stop(&self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed) > 3
    }
}

#[test]
fn lists_stop_when_they_are_told() {
    let mut random = Random::new(6);
    let modulus = odd(&mut random, 1024);
    let exponents: Vec<SecretExponent> = (0..40).map(|_| secret(random.exponent(1000).magnitude(), 1000)).collect();
    let base = random.exponent(1000).magnitude().to_be_bytes();
    let table = FixedBase::for_uses(&3u64.into(), &modulus, 1000, 1 << 14, secrets(70), &Options::default()).unwrap();
    for threads in [1, 2] {
        let (watch, mut out) = (StopAfter(AtomicUsize::new(0)), vec![0; 40 * 128]);
        let options = Options::default().with_watch(Some(&watch)).with_threads(NonZeroUsize::new(threads));
        assert_eq!(modulus.pow_sec_list(&[&base], &exponents, &mut out, &options), Err(Error::Interrupted));
        assert_eq!(table.pow_sec_list(&exponents, &mut out, &options), Err(Error::Interrupted));
    }
}
