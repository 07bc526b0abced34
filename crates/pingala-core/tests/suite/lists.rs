//! Lists: the same answers as one call at a time, whatever runs side by side.

use super::common::{Random, skipped};
use pingala_core::kernels::Kernel;
use pingala_core::plan::{Plan, Planner, Problem};
use pingala_core::{Error, Integer, Job, Modulus, Natural, Options, Watch, pow_list};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Seeded, so that failures repeat.
struct Stream(Random);

impl Stream {
    /// Exactly `bits` bits: random, all ones, or only the top bit.
    fn natural(&mut self, bits: u64) -> Natural {
        let kind = self.0.next() % 4;
        let mut limbs: Vec<u64> = (0..bits.div_ceil(64))
            .map(|_| match kind {
                0 => u64::MAX,
                1 => 0,
                _ => self.0.next(),
            })
            .collect();
        let used = (bits - 1) % 64;
        if let Some(top) = limbs.last_mut() {
            *top = *top & ((1 << used) - 1) | 1 << used;
        }
        Natural::from_limbs(&limbs)
    }

    fn modulus(&mut self, bits: u64, zeros: u64) -> Modulus {
        let mut limbs = self.natural(bits).limbs().to_vec();
        limbs[0] |= 1;
        for _ in 0..zeros {
            limbs.insert(0, 0);
        }
        Modulus::new(Natural::from_limbs(&limbs)).unwrap()
    }
}

/// Bases, exponents and moduli, and a list of them.
#[derive(Default)]
struct List {
    bases: Vec<Integer>,
    exponents: Vec<Integer>,
    moduli: Vec<Modulus>,
}

impl List {
    fn push(&mut self, base: impl Into<Integer>, exponent: impl Into<Integer>, modulus: Modulus) {
        self.bases.push(base.into());
        self.exponents.push(exponent.into());
        self.moduli.push(modulus);
    }

    fn jobs(&self) -> Vec<Job<'_>> {
        let job = |at: usize| Job { base: &self.bases[at], exponent: &self.exponents[at], modulus: &self.moduli[at] };
        (0..self.bases.len()).map(job).collect()
    }

    /// Compares with one call for each, on one thread and on three. A forced kernel for odd moduli is refused if the
    /// modulus is a power of two above 1 and the exponent not 0, and nowhere else.
    #[track_caller]
    fn check(&self, options: Options<'_>) {
        let forces_kernel = format!("{options:?}").contains("kernel: ");
        let jobs = self.jobs();
        let one = Natural::from(1u64);
        for threads in [1, 3] {
            let options = options.with_threads(NonZeroUsize::new(threads));
            for (at, (power, job)) in pow_list(&jobs, &options).unwrap().into_iter().zip(&jobs).enumerate() {
                let m = job.modulus.value();
                if forces_kernel && m.weight() == 1 && *m != one && !job.exponent.magnitude().is_zero() {
                    assert_eq!(power.unwrap_err().code(), "bad_plan", "element {at}, {threads} threads");
                } else {
                    assert_eq!(power, job.modulus.pow(job.base, job.exponent), "element {at}, {threads} threads");
                }
            }
        }
    }
}

const LANES: &str = "ifma_lanes_r52";

fn lanes() -> Option<Options<'static>> {
    on_lanes(LANES)
}

fn on_lanes(name: &str) -> Option<Options<'_>> {
    if !Kernel::by_name(name).unwrap().available() {
        skipped(&format!("this CPU cannot run {name}"));
        return None;
    }
    Some(Options::default().with_kernel(Some(name)))
}

/// Lengths around whole limbs of 52 bits, mixed or alike, with exponents alike or not, fewer than eight and more.
#[test]
fn lists_agree_with_single_calls() {
    let mut stream = Stream(Random::new(0x1357_9bdf));
    for count in [1, 2, 7, 8, 9, 16, 23] {
        for bits in [2u64, 50, 51, 52, 53, 64, 102, 103, 104, 105, 256, 512, 518, 519, 1024, 2046] {
            for same in [false, true] {
                let mut list = List::default();
                let exponent = stream.natural(97);
                for at in 0..count {
                    let base_bits = 1 + stream.0.next() % (2 * bits + 70);
                    let base = Integer::new(stream.0.next().is_multiple_of(4), stream.natural(base_bits));
                    let exponent_bits = 1 + stream.0.next() % 200;
                    let exponent = if same { exponent.clone() } else { stream.natural(exponent_bits) };
                    let zeros = if at % 5 == 4 { at as u64 / 5 * 64 } else { 0 };
                    list.push(base, exponent, stream.modulus(bits, zeros));
                }
                list.check(Options::default());
                for name in [LANES, "fma_lanes_r51"] {
                    if let Some(options) = on_lanes(name) {
                        list.check(options);
                    }
                }
                if bits <= 64 {
                    list.check(Options::default().with_kernel(Some("portable_lanes_r64")));
                }
            }
        }
    }
}

/// Neighbours of one limb: odd and even moduli, exponents that change in runs of all lengths, elements that may not stand in a
/// lane between them, with and without somebody who watches.
#[test]
fn neighbours_agree_with_single_calls() {
    struct Counts(AtomicUsize);
    impl Watch for Counts {
        fn progress(&self, finished: usize, _total: usize) {
            self.0.fetch_max(finished, Ordering::Relaxed);
        }
    }
    let mut stream = Stream(Random::new(0xfeed_5eed));
    let mut list = List::default();
    for at in 0..400u64 {
        let base = stream.natural(1 + at % 130);
        let exponent = match at % 61 {
            60 => Natural::default(),
            _ if at < 200 => Natural::from(65_537 + at / 40 % 3 + at / (1 + at / 40)),
            _ => stream.natural(30 + at / 100),
        };
        let modulus = stream.modulus(2 + at % 63, if at / 50 % 2 == 0 { 0 } else { at % 70 });
        list.push(Integer::new(at % 37 == 36, base), Integer::new(at % 97 == 96, exponent), modulus);
    }
    list.check(Options::default());
    let counts = Counts(AtomicUsize::new(0));
    list.check(Options::default().with_watch(Some(&counts)));
    assert_eq!(counts.0.load(Ordering::Relaxed), 400);
    if cfg!(target_arch = "x86_64") {
        let weight = Some(2);
        let many = Problem { count: 400, same_exponent: true, exponent_weight: weight, ..Problem::new(64, 17) };
        let line = Planner::of_this_machine().plan(&many).unwrap().to_string();
        assert!(line.contains("on portable_lanes_r64(n=1) x 400"), "{line}");
    }
}

/// Long and short moduli and exponents in one list, odd and even moduli, powers of two, small bases.
#[test]
fn mixed_lists_agree_with_single_calls() {
    let mut stream = Stream(Random::new(0x2468_ace0));
    let mut list = List::default();
    for at in 0..150u64 {
        let bits = [3u64, 64, 200, 1023, 1024, 2048, 4096][stream.0.next() as usize % 7];
        let exponent_bits = 1 + stream.0.next() % [3u64, 64, 300][at as usize % 3];
        let exponent = stream.natural(exponent_bits);
        let base: Integer = if at % 6 == 0 { 2u64.into() } else { stream.natural(bits + at % 70).into() };
        let modulus = match at % 7 {
            0 => Modulus::new(Natural::from_limbs(&[vec![0; bits as usize / 64], vec![8]].concat())).unwrap(),
            1 => {
                let two = 1 + stream.0.next() % 200;
                let odd = stream.modulus(bits, 0);
                let mut limbs = odd.value().limbs().to_vec();
                limbs.push(0);
                (0..two % 63).for_each(|_| {
                    let mut carry = 0;
                    limbs.iter_mut().for_each(|limb| (*limb, carry) = (*limb << 1 | carry, *limb >> 63));
                });
                Modulus::new(Natural::from_limbs(&limbs)).unwrap()
            }
            _ => stream.modulus(bits, 0),
        };
        list.push(base, exponent, modulus);
    }
    list.check(Options::default());
    if let Some(options) = lanes() {
        // Powers of two have no odd part for the lanes; the rest of the list does not mind.
        list.check(options);
    }
}

/// Elements that are an error or need no product do not join their neighbours, which run side by side.
#[test]
fn bad_elements_spoil_no_neighbour() {
    let mut stream = Stream(Random::new(0x0f0f_f0f0));
    let mut list = List::default();
    for at in 0..40u64 {
        let modulus = if at % 11 == 3 { Modulus::new(1u64.into()).unwrap() } else { stream.modulus(1024, 0) };
        let base: Integer = if at % 10 == 5 { 0u64.into() } else { stream.natural(1000).into() };
        let exponent: Integer = match at % 10 {
            2 => 0u64.into(),
            5 | 7 => (-3i64).into(),
            _ => stream.natural(1024).into(),
        };
        list.push(base, exponent, modulus);
    }
    let (jobs, options) = (list.jobs(), Options::default());
    let answers = pow_list(&jobs, &options).unwrap();
    assert_eq!(answers[5], Err(Error::NotInvertible));
    assert!(answers.iter().filter(|answer| answer.is_err()).count() >= 3);
    list.check(options);
}

/// Every uniform algorithm, and any algorithm if the exponent is the same, by forced line.
#[test]
fn forced_lines_are_respected() {
    let Some(_) = lanes() else { return };
    let mut stream = Stream(Random::new(0x7777));
    for (algorithm, same) in [
        ("fixed_window(w=3)", false),
        ("montgomery_ladder", false),
        ("sliding_window(w=4)", true),
        ("k_ary(w=2)", true),
    ] {
        let mut list = List::default();
        let exponent = stream.natural(150);
        for _ in 0..19 {
            let exponent = if same { exponent.clone() } else { stream.natural(150) };
            list.push(stream.natural(700), exponent, stream.modulus(510, 0));
        }
        for form in ["ifma_lanes_r52(n=10)", "fma_lanes_r51(n=12)", "fma_lanes_r51(n=22)"] {
            let line = format!("batch({algorithm} on {form} x 19)");
            list.check(Options::default().with_plan(Some(&line)));
        }
    }
    // What does not fit is an error of its element; what cannot be read one of the list.
    let mut list = List::default();
    list.push(3u64, 5u64, stream.modulus(64, 0));
    list.push(3u64, 5u64, stream.modulus(700, 0));
    let options = Options::default().with_plan(Some("fixed_window(w=2) on ifma_lanes_r52(n=2)"));
    let answers = pow_list(&list.jobs(), &options).unwrap();
    assert!(answers[0].is_ok());
    assert_eq!(answers[1].as_ref().map_err(Error::code), Err("bad_plan"));
    for kernel in ["portable_r64", "fma_lanes_r51", "ifma_lanes_r52"] {
        // Found by fuzzing: the bits of this number of limbs do not fit a word.
        let line = format!("sliding_window(w=4) on {kernel}(n=7392056057518533288)");
        let options = Options::default().with_plan(Some(&line));
        for answer in pow_list(&list.jobs(), &options).unwrap_or_else(|error| vec![Err(error)]) {
            assert_eq!(answer.map_err(|error| error.code()), Err("bad_plan"), "{line}");
        }
    }
    let options = Options::default().with_plan(Some("fixed_window(w=2) on nothing"));
    assert_eq!(pow_list(&list.jobs(), &options).map_err(|error| error.code()), Err("bad_plan"));
}

/// The planner says what lists do, the line parses back, and lanes that stay empty are paid for.
#[test]
fn plans_of_lists_are_honest() {
    let Some(_) = lanes() else { return };
    let planner = Planner::of_this_machine();
    let problem = Problem { count: 1000, ..Problem::new(2048, 2048) };
    let plan = planner.plan(&problem).unwrap();
    let line = plan.to_string();
    assert!(line.starts_with("batch(fixed_window(w=") && line.ends_with(") on ifma_lanes_r52(n=40) x 1000)"), "{line}");
    assert_eq!(line.parse::<Plan>().unwrap(), plan);
    assert_eq!(planner.plan_with(&problem, None, Some(&line)).unwrap(), plan);
    let each =
        |count| planner.explain(&Problem { count, ..problem.clone() }, None, None).unwrap().seconds() / count as f64;
    // Nine may be nine single powers, whose sum is rounded.
    assert!(each(8) < each(1) && each(8) <= each(9) && each(9) <= 1.000_001 * each(1));
    let shared = Problem { same_exponent: true, exponent_bits: 17, exponent_weight: Some(2), ..problem.clone() };
    let line = planner.plan(&shared).unwrap().to_string();
    assert!(line.contains(" on ifma_lanes_r52(n=40) x 1000)") && !line.contains("fixed_window"), "{line}");
}

/// Short powers with errors among them, which no company makes cheaper: each answers for itself, in order, on one thread and on
/// several, whether somebody watches or not.
#[test]
fn short_powers_go_one_by_one() {
    struct Eye(AtomicUsize);
    impl Watch for Eye {
        fn progress(&self, finished: usize, total: usize) {
            assert_eq!(total, COUNT);
            self.0.fetch_max(finished, Ordering::Relaxed);
        }
    }
    const COUNT: usize = 4000;
    let mut stream = Stream(Random::new(0x5ca1_ab1e));
    let mut list = List::default();
    for at in 0..COUNT as u64 {
        let bits = [1, 2, 40, 64][at as usize % 4];
        let exponent =
            [Integer::from(65537u64), Integer::from(0u64), Integer::from(-3i64)][at as usize / 4 % 3].clone();
        let base_bits = 1 + stream.0.next() % 130;
        let base = Integer::new(at % 5 == 0, stream.natural(base_bits));
        list.push(base, exponent, stream.modulus(bits, if at % 7 == 0 { 9 } else { 0 }));
    }
    list.check(Options::default());
    for threads in [1, 2] {
        let eye = Eye(AtomicUsize::new(0));
        let threads = NonZeroUsize::new(threads);
        let watched = pow_list(&list.jobs(), &Options::default().with_threads(threads).with_watch(Some(&eye))).unwrap();
        assert_eq!(watched, pow_list(&list.jobs(), &Options::default().with_threads(threads)).unwrap());
        assert_eq!(eye.0.into_inner(), COUNT);
    }
    struct No;
    impl Watch for No {
        fn stop(&self) -> bool {
            true
        }
    }
    let stopped = pow_list(&list.jobs(), &Options::default().with_watch(Some(&No)));
    assert_eq!(stopped.unwrap_err().code(), "interrupted");
}

/// What a list of bases is explained by is what a list of that shape is planned to be, and a line that forces itself.
#[test]
fn lists_of_bases_are_explained() {
    let mut stream = Stream(Random::new(0xba5e));
    let modulus = stream.modulus(1024, 0);
    let bases: Vec<Integer> = (0..19).map(|_| stream.natural(1024).into()).collect();
    let exponent: Integer = stream.natural(300).into();
    let explanation = modulus.explain_base_list(&bases, &exponent, &Options::default()).unwrap();
    let line = explanation.plan().to_string();
    assert!(line.contains("batch("), "{line}");
    let options = Options::default().with_plan(Some(&line));
    let want: Vec<_> = bases.iter().map(|base| modulus.pow(base, &exponent)).collect();
    assert_eq!(modulus.pow_base_list(&bases, &exponent, &options).unwrap(), want);
    let portable = Options::default().with_kernel(Some("portable_r64"));
    let line = modulus.explain_base_list(&bases, &exponent, &portable).unwrap().plan().to_string();
    assert!(line.contains(" on portable_r64("), "{line}");
    assert_eq!(modulus.explain_base_list(&[], &exponent, &portable).unwrap_err().code(), "bad_argument");
    let unfit = Options::default().with_plan(Some("crt(k_ary)"));
    assert_eq!(modulus.explain_base_list(&bases, &exponent, &unfit).unwrap_err().code(), "bad_plan");
}

/// One thread tells each power, in order, and the end once.
#[test]
fn the_end_is_told_once() {
    #[derive(Default)]
    struct Heard(std::sync::Mutex<Vec<(usize, usize)>>);
    impl Watch for Heard {
        fn progress(&self, finished: usize, total: usize) {
            self.0.lock().unwrap().push((finished, total));
        }
    }
    let mut stream = Stream(Random::new(0xe4d));
    let mut list = List::default();
    for bits in [64, 90, 200, 300, 700] {
        list.push(stream.natural(80), stream.natural(50), stream.modulus(bits, 0));
    }
    let heard = Heard::default();
    let options = Options::default().with_threads(NonZeroUsize::new(1)).with_watch(Some(&heard));
    pow_list(&list.jobs(), &options).unwrap();
    let heard = heard.0.into_inner().unwrap();
    assert!(heard.is_sorted() && heard.last() == Some(&(5, 5)), "{heard:?}");
    assert_eq!(heard.iter().filter(|(finished, total)| finished == total).count(), 1, "{heard:?}");
}
