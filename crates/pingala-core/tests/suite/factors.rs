//! Moduli with known factors: the same powers, whatever the exponent is reduced by.

use super::common::skipped;
use pingala_core::kernels::Kernel;
use pingala_core::{
    Error, Integer, Job, Limits, Modulus, Natural, Options, SecretExponent, SecretFactor, Watch, pow_list, powmod,
};

fn n(text: &str) -> Natural {
    text.parse().unwrap()
}

/// Primes of 61, 89, 127, 521 and 607 bits: Mersenne's.
fn mersenne(bits: usize) -> Natural {
    let limbs: Vec<u64> = (0..bits.div_ceil(64)).map(|i| u64::MAX >> (64 - (bits - 64 * i).min(64))).collect();
    Natural::from_limbs(&limbs)
}

fn product(factors: &[(Natural, u32)]) -> Natural {
    let big = |value: &Natural| num_bigint::BigUint::from_bytes_be(&value.to_be_bytes());
    let product: num_bigint::BigUint = factors.iter().map(|(base, k)| big(base).pow(*k)).product();
    Natural::from_be_bytes(&product.to_bytes_be())
}

/// A list modulo a number that is its own factor, with exponents of both signs; and a list of products, of which one modulus has a
/// factor and the other, of the same length, has none. Whole powers and parts of the same length are distinguished.
#[test]
fn parts_are_told_from_whole_powers() {
    let own = Modulus::with_factors(n("101"), &[(n("101"), 1)]).unwrap();
    let plain = Modulus::new(n("103")).unwrap();
    let (seven, minus_five, six) = (Integer::from(7u64), Integer::from(-5i64), Integer::from(6u64));
    let job = |exponent, modulus| Job { base: &seven, exponent, modulus };
    let powers = pow_list(&[job(&minus_five, &own), job(&six, &own), job(&six, &plain)], &Options::default()).unwrap();
    assert_eq!(powers, [Ok(n("69")), Ok(n("85")), Ok(n("23"))]);
    let two = [Integer::from(2u64)];
    let products = [(&two[..], &two[..], &own), (&two[..], &two[..], &plain)];
    assert_eq!(pingala_core::pow_product_list(&products, &Options::default()).unwrap(), [Ok(n("4")), Ok(n("4"))]);
}

fn shapes() -> Vec<(&'static str, Vec<(Natural, u32)>)> {
    vec![
        ("two primes", vec![(mersenne(127), 1), (mersenne(521), 1)]),
        ("two long primes", vec![(mersenne(521), 1), (mersenne(607), 1)]),
        ("a long composite", vec![(product(&[(mersenne(521), 1), (n("7"), 1)]), 1), (mersenne(127), 4)]),
        ("Paillier's p^2 q^2", vec![(mersenne(89), 2), (mersenne(127), 2)]),
        ("three primes", vec![(mersenne(61), 1), (mersenne(89), 1), (mersenne(127), 1)]),
        ("even", vec![(n("2"), 70), (mersenne(89), 1), (n("3"), 40)]),
        ("a composite", vec![(product(&[(mersenne(61), 1), (n("7"), 1)]), 2), (mersenne(127), 1)]),
        ("even and composite", vec![(n("6"), 9), (mersenne(89), 3)]),
        // 2^67 - 1 = 193707721 * 761838257287, and a strong pseudoprime to the base 2.
        ("no prime, though it looks like one", vec![(mersenne(67), 1), (n("3215031751"), 2)]),
        ("one factor", vec![(mersenne(521), 1)]),
    ]
}

/// Each part follows its own plan: a chain that leads to another exponent is refused there as elsewhere, and one that leads to
/// this exponent is followed.
#[test]
fn parts_follow_their_plans() {
    // Composite as far as anybody knows, so that exponents are not reduced.
    let factors = [(product(&[(mersenne(521), 1), (n("7"), 1)]), 1), (product(&[(mersenne(607), 1), (n("5"), 1)]), 1)];
    let value = product(&factors);
    let modulus = Modulus::with_factors(value.clone(), &factors).unwrap();
    let base = Integer::from(1_234_567u64);
    let chain = "addition_chain(0+0 0+1 2+2 3+3 0+4)";
    let kernel = Kernel::by_name("ifma_row_r52").unwrap().entry();
    if kernel.available() {
        let line = format!("crt({chain} on {0}, {chain} on {0})", kernel.name);
        let options = Options::default().with_plan(Some(&line));
        assert_eq!(modulus.pow_with(&base, &14u64.into(), &options).unwrap_err().code(), "bad_plan");
        assert_eq!(modulus.pow_with(&base, &13u64.into(), &options), powmod(&base, &13u64.into(), &value));
    }
    let mut limbs = vec![0x0123_4567_89ab_cdef; (1 << 18) / 64 + 1];
    for _ in 0..2 {
        let exponent: Integer = Natural::from_limbs(&limbs).into();
        assert_eq!(modulus.pow(&base, &exponent), powmod(&base, &exponent, &value));
        limbs.truncate(40);
    }
}

#[test]
fn every_shape_gives_the_power_of_the_product() {
    for (name, factors) in shapes() {
        let value = product(&factors);
        let modulus = Modulus::with_factors(value.clone(), &factors).unwrap();
        let long =
            Natural::from_limbs(&[0x0123_4567_89ab_cdef, 0, u64::MAX, 0x5555, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
        let exponents = [n("1"), n("2"), n("3"), n("65537"), value.clone(), long];
        let mut bases: Vec<Integer> = vec![Integer::from(0u64), Integer::from(2u64), Integer::from(-3i64)];
        // What shares a factor with the modulus, once and with its whole power.
        bases.extend(factors.iter().flat_map(|(p, k)| [p.clone().into(), product(&[(p.clone(), *k)]).into()]));
        bases.push(product(&[(value.clone(), 1), (n("12345678901"), 3)]).into());
        for base in &bases {
            for exponent in &exponents {
                let exponent: Integer = exponent.clone().into();
                let want = powmod(base, &exponent, &value).unwrap();
                assert_eq!(modulus.pow(base, &exponent).unwrap(), want, "{name}: {base:?}^{exponent:?}");
                // The plan that is shown is followed, and can be forced.
                let line = modulus.plan(base, &exponent, &Options::default()).unwrap().to_string();
                let options = Options::default().with_plan(Some(&line));
                assert_eq!(modulus.pow_with(base, &exponent, &options).unwrap(), want, "{name}: {line}");
            }
        }
        let minus_one: Integer = Integer::from(-1i64);
        assert_eq!(modulus.pow(&Integer::from(5u64), &minus_one), powmod(&Integer::from(5u64), &minus_one, &value));
    }
}

/// Modulo a product of primes a long exponent is planned at the length of the primes, modulo others at its own.
#[test]
fn plans_follow_what_is_known_of_the_factors() {
    let exponent: Integer = product(&[(mersenne(521), 8)]).into();
    for (factor, bits) in [(mersenne(127), 127), (mersenne(67), 8 * 521)] {
        let factors = [(factor, 1), (n("3"), 1)];
        let modulus = Modulus::with_factors(product(&factors), &factors).unwrap();
        let shape = modulus.problem(&Integer::from(5u64), &exponent).unwrap();
        assert_eq!(shape.factors[0].reduced_exponent_bits.unwrap_or(shape.exponent_bits), bits);
        assert_eq!(shape.factors[1].reduced_exponent_bits, Some(2));
    }
}

/// A secret exponent modulo known factors: the same power, whether exponents are reduced or not.
#[test]
fn secret_exponents() {
    for (name, factors) in shapes() {
        let value = product(&factors);
        let modulus = Modulus::with_factors(value.clone(), &factors).unwrap();
        let long = Natural::from_limbs(&[9, 8, 7, 6, 5, 4, 3, 2, 1, u64::MAX, 1, 2, 3]);
        for base in [Integer::from(0u64), Integer::from(-7i64), factors[0].0.clone().into(), value.clone().into()] {
            for (exponent, width) in [(n("0"), 0), (n("1"), 2000), (n("77"), 100), (long.clone(), 900)] {
                let secret = SecretExponent::new(&exponent, Some(width)).unwrap();
                let want = powmod(&base, &exponent.clone().into(), &value).unwrap();
                let got = modulus.pow_sec(&base, &secret, &Options::default());
                assert_eq!(got, Ok(want), "{name}: {base:?}^{exponent} of {width} bits");
            }
        }
    }
}

/// d e = 1 modulo the order of the group: the check passes with e, and with nothing else.
#[test]
fn a_public_exponent_checks_the_result() {
    let factors = [(mersenne(61), 1), (mersenne(89), 1)];
    let value = product(&factors);
    // pow(65537, -1, (2**61 - 2) * (2**89 - 2)) in Python.
    let d = n("740443132154395775117746638826656402702473");
    let base = Integer::from(-123_456_789i64);
    for modulus in [Modulus::with_factors(value.clone(), &factors).unwrap(), Modulus::new(value).unwrap()] {
        let secret = SecretExponent::new(&d, Some(150)).unwrap();
        let with = |e: &Natural| modulus.pow_sec(&base, &secret, &Options::default().with_public_exponent(Some(e)));
        assert_eq!(with(&n("65537")), modulus.pow(&base, &d.clone().into()));
        for wrong in ["65539", "0", "1"] {
            assert_eq!(with(&n(wrong)).unwrap_err().code(), "bad_argument");
        }
    }
}

/// Coprime factors of 450 to 512 bits: 2^a - 1 for different primes a.
fn coprime(count: usize) -> Vec<(Natural, u32)> {
    [509, 503, 499, 491, 487, 479, 467, 463, 461, 457].into_iter().take(count).map(|bits| (mersenne(bits), 1)).collect()
}

fn lanes() -> bool {
    let available = Kernel::by_name("ifma_lanes_r52").unwrap().available();
    if !available {
        skipped("this CPU has no lanes for factors");
    }
    available
}

/// Lists of every length, exponents alike or not, among them 0, negative ones and long ones: each element as by itself.
#[test]
fn lists_go_by_the_factors() {
    let long = product(&[(mersenne(521), 3)]);
    let more = [("two of 521 and 607 bits", vec![(mersenne(521), 1), (mersenne(607), 1)]), ("ten", coprime(10))];
    for (name, factors) in shapes().into_iter().chain(more) {
        let value = product(&factors);
        let modulus = Modulus::with_factors(value.clone(), &factors).unwrap();
        let base = |at: usize| -> Integer {
            let limbs = (0..1 + at as u64 % 20).map(|i| (i + 3).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (at % 7));
            Integer::new(at % 3 == 1, Natural::from_limbs(&limbs.collect::<Vec<_>>()))
        };
        let exponent = |at: usize| -> Integer {
            match at % 5 {
                _ if at.is_multiple_of(11) => 0u64.into(),
                1 => Integer::from(-7i64),
                2 => 65_537u64.into(),
                _ => product(&[(long.clone(), 1), (Natural::from(at as u64 + 1), 1)]).into(),
            }
        };
        let bases: Vec<Integer> = (0..17).map(base).collect();
        let exponents: Vec<Integer> = (0..17).map(exponent).collect();
        let (plain, one) = (Modulus::new(value).unwrap(), Integer::from(long.clone()));
        let each: Vec<_> = bases.iter().zip(&exponents).map(|(base, exponent)| plain.pow(base, exponent)).collect();
        let alike: Vec<_> = bases.iter().map(|base| plain.pow(base, &one)).collect();
        let kernels = [None, lanes().then_some("ifma_lanes_r52"), Some("portable_r64")];
        for kernel in
            kernels.into_iter().enumerate().filter_map(|(at, kernel)| (at == 0 || kernel.is_some()).then_some(kernel))
        {
            let options = Options::default().with_kernel(kernel);
            for count in 1..=17 {
                let job = |(base, exponent)| Job { base, exponent, modulus: &modulus };
                let jobs: Vec<Job<'_>> = bases.iter().zip(&exponents).take(count).map(job).collect();
                assert_eq!(pow_list(&jobs, &options).unwrap(), each[..count], "{name}, {count} by {kernel:?}");
                let powers = modulus.pow_base_list(&bases[..count], &one, &options).unwrap();
                assert_eq!(powers, alike[..count], "{name}, {count} alike by {kernel:?}");
            }
        }
    }
}

/// What is planned for a list goes side by side modulo each factor, and is taken back by force.
#[test]
fn lists_are_planned_in_lanes() {
    if !lanes() {
        return;
    }
    let factors = [(mersenne(521), 1), (mersenne(607), 1)];
    let modulus = Modulus::with_factors(product(&factors), &factors).unwrap();
    let bases: Vec<Integer> = (2..42u64).map(Integer::from).collect();
    let exponent: Integer = product(&[(mersenne(607), 2)]).into();
    let line = modulus.explain_base_list(&bases, &exponent, &Options::default()).unwrap().plan().to_string();
    assert!(line.contains("parts(list(batch(") && line.matches(" x 40)").count() == 2, "{line}");
    assert!(line.matches(" on ifma_lanes_r52(").count() == 2, "{line}");
    let want: Vec<_> = bases.iter().map(|base| modulus.pow(base, &exponent)).collect();
    let forced = "batch(crt(sliding_window(w=5) on ifma_lanes_r52, fixed_window on ifma_lanes_r52) x 40)";
    for line in [&line, forced, "batch(crt(sliding_window(w=5) on portable_r64, fixed_window) x 40)"] {
        let options = Options::default().with_plan(Some(line));
        assert_eq!(modulus.pow_base_list(&bases, &exponent, &options).unwrap(), want, "{line}");
    }
    let options = Options::default().with_plan(Some("crt(k_ary)"));
    let errors = modulus.pow_base_list(&bases, &exponent, &options).unwrap();
    assert!(errors.iter().all(|answer| answer.as_ref().is_err_and(|error| error.code() == "bad_plan")));
}

/// Lanes have the limbs of the longest factor that shares them. A printed plan says so for the others, and is
/// accepted again.
#[test]
fn a_plan_in_lanes_for_unequal_factors_is_taken_back() {
    let factors = [(mersenne(13), 3), (mersenne(89), 3), (mersenne(107), 3)];
    let modulus = Modulus::with_factors(product(&factors), &factors).unwrap();
    let base = Integer::from(3u64);
    let exponent: Integer = mersenne(600).into();
    let want = modulus.pow(&base, &exponent);
    let line = modulus.plan(&base, &exponent, &Options::default()).unwrap().to_string();
    let mut lines = vec![line];
    if lanes() {
        let each = |n| format!("sliding_window(w=5) on ifma_lanes_r52(n={n})");
        lines.push(format!("crt({}, {}, {})", each(8), each(8), each(8)));
        lines.push(format!("crt({}, {}, {})", each(3), each(8), each(320)));
    }
    for line in &lines {
        let options = Options::default().with_plan(Some(line));
        assert_eq!(modulus.plan(&base, &exponent, &options).unwrap().to_string(), *line);
        assert_eq!(modulus.pow_with(&base, &exponent, &options), want, "{line}");
    }
    if lanes() {
        let plan = "crt(binary_left_to_right, k_ary, k_ary on ifma_lanes_r52(n=100000))";
        let options = Options::default().with_plan(Some(plan));
        assert_eq!(modulus.pow_with(&base, &exponent, &options).unwrap_err().code(), "bad_plan");
    }
}

/// Many parts of one power go side by side if that is cheaper, and the plan says so.
#[test]
fn many_parts_go_side_by_side() {
    let exponent: Integer = product(&[(mersenne(521), 2)]).into();
    for count in 1..=10 {
        let factors = coprime(count);
        let value = product(&factors);
        let modulus = Modulus::with_factors(value.clone(), &factors).unwrap();
        let explanation = modulus.explain(&7u64.into(), &exponent, &Options::default()).unwrap();
        let line = explanation.plan().to_string();
        if count >= 8 && lanes() {
            assert!(line.matches(" on ifma_lanes_r52(").count() >= 8, "{line}");
        }
        let want = powmod(&7u64.into(), &exponent, &value);
        assert_eq!(modulus.pow(&7u64.into(), &exponent), want, "{line}");
        let options = Options::default().with_plan(Some(&line));
        assert_eq!(modulus.pow_with(&7u64.into(), &exponent, &options), want, "{line}");
        // Lanes with exponents that differ take no algorithm that follows the exponent: such parts go one by one.
        if lanes() {
            let each = "sliding_window(w=4) on ifma_lanes_r52";
            let line = format!("crt({})", vec![each; count].join(", "));
            let options = Options::default().with_plan(Some(&line));
            assert_eq!(modulus.pow_with(&7u64.into(), &exponent, &options), want, "{line}");
        }
    }
}

/// Secret factors give the same powers as none; primes, powers of primes, composites.
#[test]
fn secret_factors() {
    let shapes = [
        vec![(mersenne(127), 1), (mersenne(521), 1)],
        vec![(mersenne(89), 2), (mersenne(127), 2)],
        vec![(mersenne(107), 1), (mersenne(89), 1), (mersenne(127), 1)],
        vec![(product(&[(mersenne(61), 1), (n("7"), 1)]), 3), (mersenne(127), 1), (mersenne(67), 1)],
    ];
    for factors in shapes {
        let value = product(&factors);
        let secret: Vec<_> = factors.iter().map(|(p, k)| SecretFactor::new(p, *k).unwrap()).collect();
        let modulus = Modulus::with_secret_factors(value.clone(), &secret, &Options::default()).unwrap();
        let long = Natural::from_limbs(&[9, 8, 7, 6, 5, 4, 3, 2, 1, u64::MAX, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        for base in [Integer::from(0u64), Integer::from(-7i64), factors[0].0.clone().into(), value.clone().into()] {
            for (exponent, width) in [(n("0"), 0), (n("1"), 2000), (n("77"), 100), (long.clone(), 1300)] {
                let secret = SecretExponent::new(&exponent, Some(width)).unwrap();
                let want = powmod(&base, &exponent.clone().into(), &value).unwrap();
                for kernel in [None, Some("portable_r64")] {
                    let options = Options::default().with_kernel(kernel);
                    assert_eq!(modulus.pow_sec(&base, &secret, &options).as_ref(), Ok(&want), "{base:?}^{exponent}");
                }
                // What is public goes modulo the whole, and shows no factor.
                assert_eq!(modulus.pow(&base, &exponent.clone().into()), Ok(want));
                let line = modulus.plan(&base, &exponent.into(), &Options::default()).unwrap().to_string();
                assert!(!line.contains("crt"), "{line}");
            }
        }
        let shown = format!("<SecretFactor of {} bits, multiplicity {}>", factors[0].0.bits(), factors[0].1);
        assert_eq!(format!("{:?}", secret[0]), shown);
    }
}

#[test]
fn wrong_secret_factors_are_refused() {
    let (p, q) = (mersenne(127), mersenne(89));
    let value = product(&[(p.clone(), 1), (q.clone(), 1)]);
    let with = |value: &Natural, factors: &[(&Natural, u32)]| {
        let factors: Result<Vec<_>, _> = factors.iter().map(|(p, k)| SecretFactor::new(p, *k)).collect();
        Modulus::with_secret_factors(value.clone(), &factors?, &Options::default())
    };
    assert!(with(&value, &[(&p, 1), (&q, 1)]).is_ok());
    let (square, other) = (product(&[(p.clone(), 2)]), mersenne(107));
    for (value, factors) in [
        (&value, &[(&p, 1), (&other, 1)][..]),
        (&value, &[(&p, 1), (&q, 2)]),
        (&value, &[(&p, 1), (&q, u32::MAX)]),
        (&value, &[(&p, 1), (&q, 0)]),
        (&value, &[(&p, 1)]),
        (&value, &[(&value, 1)]),
        (&value, &[]),
        (&square, &[(&p, 1), (&p, 1)]),
        (&value, &[(&p, 1), (&n("618970019642690137449562112"), 1)]),
        (&product(&[(p.clone(), 1), (mersenne(61), 1)]), &[(&p, 1), (&mersenne(61), 1)]),
        (&product(&[(value.clone(), 1), (n("2"), 1)]), &[(&p, 1), (&q, 1)]),
    ] {
        assert_eq!(with(value, factors).unwrap_err().code(), "wrong_factors", "{factors:?}");
    }
    let bytes = p.to_be_bytes();
    assert!(SecretFactor::from_be_bytes(&bytes, 127, 1).is_ok());
    for bits in [0, 126, 128, 135, 63, u64::MAX] {
        assert_eq!(SecretFactor::from_be_bytes(&bytes, bits, 1).unwrap_err().code(), "wrong_factors", "{bits}");
    }
    let limits = Limits::new(100, 100);
    let factors = [SecretFactor::new(&p, 1).unwrap(), SecretFactor::new(&q, 1).unwrap()];
    assert_eq!(
        Modulus::with_secret_factors(value, &factors, &Options::default().with_limits(limits)).unwrap_err().code(),
        "too_long"
    );
}

/// The primality tests of long factors are stopped between products.
#[test]
fn the_set_up_of_secret_factors_stops_when_told() {
    struct Stopped;
    impl Watch for Stopped {
        fn stop(&self) -> bool {
            true
        }
    }
    let factors = [mersenne(2203), mersenne(2281)];
    let value = product(&factors.clone().map(|p| (p, 1)));
    let factors = factors.map(|p| SecretFactor::new(&p, 1).unwrap());
    let options = Options::default().with_watch(Some(&Stopped));
    assert_eq!(Modulus::with_secret_factors(value, &factors, &options).unwrap_err(), Error::Interrupted);
}

/// Work that is done modulo one factor after the other is half done after the first of two.
#[test]
fn every_factor_is_told() {
    #[derive(Default)]
    struct Heard(std::sync::Mutex<Vec<usize>>);
    impl Watch for Heard {
        fn progress(&self, finished: usize, _: usize) {
            self.0.lock().unwrap().push(finished);
        }
    }
    let exponents: Vec<Integer> =
        (1..=1000u64).map(|at| Integer::from(Natural::from_limbs(&[at, at * at, 3, 4, 5, 6]))).collect();
    let factors = [(mersenne(521), 1), (mersenne(607), 1)];
    let modulus = Modulus::with_factors(product(&factors), &factors).unwrap();
    let heard = Heard::default();
    let options = Options::default().with_plan(Some("shared_squarings(w=4)")).with_watch(Some(&heard));
    let options = options.with_threads(std::num::NonZeroUsize::new(1));
    modulus.pow_exp_list(&Integer::from(3u64), &exponents, &options).unwrap();
    let told = heard.0.into_inner().unwrap();
    // There is a report in the middle of the work and one near its end. The end itself is no proof: it is always reported.
    for range in [400..600, 900..999] {
        assert!(told.iter().any(|finished| range.contains(finished)), "{told:?}");
    }
    assert!(told.is_sorted());
}
