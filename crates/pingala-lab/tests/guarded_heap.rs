//! Every allocation of this process ends at a page that nothing may touch, or starts behind one: an access beyond a number, a table, a constant
//! or a buffer of any kernel ends the process. The registers of one arena lie side by side; those have guard pages of their own in the library's tests
//! (`kernel/conformance/guard_pages.rs`).
#![cfg(target_os = "linux")]
#![allow(unsafe_code)]

use pingala_core::kernels::{KERNELS, every_form};
use pingala_core::{
    Column, FixedBase, Integer, Job, Modulus, Natural, Options, SecretExponent, Uses, pow_list, pow_product_list,
    pow_rows, pow_words,
};
use std::alloc::{GlobalAlloc, Layout};
use std::num::NonZeroUsize;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const PAGE: usize = 4096;

/// Each allocation on pages of its own, with a page before and one behind that are not accessible. Every second one lies at the end of its
/// pages, the others at the start.
struct Fenced;

/// Allocations so far.
static COUNT: AtomicUsize = AtomicUsize::new(0);

// SAFETY: fresh pages for each allocation, as large and as aligned as asked for (pages are 4096 bytes and no layout here asks for more), which
// no other allocation shares; they are given back whole.
unsafe impl GlobalAlloc for Fenced {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() > PAGE {
            return ptr::null_mut();
        }
        let room = layout.size().next_multiple_of(PAGE);
        // SAFETY: new pages at an address of the system's choice, of which the middle ones become accessible.
        unsafe {
            let map = libc::mmap(
                ptr::null_mut(),
                room + 2 * PAGE,
                libc::PROT_NONE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            );
            if map == libc::MAP_FAILED {
                return ptr::null_mut();
            }
            let first = map.cast::<u8>().add(PAGE);
            if libc::mprotect(first.cast(), room, libc::PROT_READ | libc::PROT_WRITE) != 0 {
                return ptr::null_mut();
            }
            let at_the_end = (room - layout.size()) / layout.align() * layout.align();
            first.add(if COUNT.fetch_add(1, Relaxed).is_multiple_of(2) { at_the_end } else { 0 })
        }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        let room = layout.size().next_multiple_of(PAGE);
        // SAFETY: an allocation starts in the first of its accessible pages, and the map starts a page before that.
        unsafe { libc::munmap(at.map_addr(|address| address / PAGE * PAGE - PAGE).cast(), room + 2 * PAGE) };
    }
}

#[global_allocator]
static FENCED: Fenced = Fenced;

/// xorshift*: numbers without a meaning.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn natural(&mut self, limbs: usize) -> Natural {
        let limbs: Vec<u64> = (0..limbs).map(|at| if at % 3 == 1 { u64::MAX } else { self.next() }).collect();
        Natural::from_limbs(&limbs)
    }

    fn odd(&mut self, limbs: usize) -> Natural {
        let mut limbs = self.natural(limbs).limbs().to_vec();
        limbs[0] |= 1;
        Natural::from_limbs(&limbs)
    }
}

fn one_thread() -> Options<'static> {
    Options::default().with_threads(NonZeroUsize::new(1))
}

/// Computes the expected power with only the portable products.
fn wanted(base: &Integer, exponent: &Integer, modulus: &Modulus) -> Natural {
    let mut power: Integer = (&modulus.mul(&1u64.into(), &1u64.into())).into();
    for position in (0..exponent.magnitude().bits()).rev() {
        power = (&modulus.sqr(&power)).into();
        if exponent.magnitude().bit(position) {
            power = (&modulus.mul(&power, base)).into();
        }
    }
    power.into_magnitude()
}

/// Tables that secret exponents scan, on a form, as planned and with blocks of which the last is not full; how many powers. The list
/// has the shortest and the longest exponent too.
fn secret_tables(base: &Integer, exponent: &Integer, modulus: &Modulus, form: &str) -> u64 {
    const BITS: u64 = 17;
    let width = 8 * modulus.value().limbs().len();
    let exponents = [exponent.clone(), 0u64.into(), ((1u64 << BITS) - 1).into()];
    let powers = exponents.each_ref().map(|exponent| wanted(base, exponent, modulus));
    let secrets =
        exponents.each_ref().map(|exponent| SecretExponent::new(exponent.magnitude(), Some(BITS)).expect("fits"));
    let options = one_thread().with_kernel(Some(form));
    let mut uses = Uses::from(1000);
    uses.secret = true;
    for plan in [None, Some("comb(h=4, v=3)")] {
        let table = FixedBase::for_uses(base, modulus, BITS, 1 << 18, uses, &options.with_plan(plan)).expect("a table");
        for (secret, power) in secrets.iter().zip(&powers) {
            assert_eq!(table.pow_sec(secret, &options).as_ref(), Ok(power), "{plan:?} for secrets, {form}");
        }
        let mut out = vec![0; powers.len() * width];
        assert_eq!(table.pow_sec_list(&secrets, &mut out, &options), Ok(Vec::new()), "{form}");
        assert!(out.chunks(width).map(Natural::from_be_bytes).eq(powers.iter().cloned()), "a list, {plan:?}, {form}");
    }
    4 * powers.len() as u64
}

#[test]
fn every_kernel_stays_inside_its_allocations() {
    let (mut random, mut cases) = (Random(0x9e37_79b9), 0u64);
    let exponent = Integer::from(0x1_d2c3u64);
    for limbs in (1..=20).chain([31, 32, 33, 40, 47, 48, 63, 64, 65, 79, 96, 128, 130]) {
        for odd in [true, false] {
            let value = if odd {
                random.odd(limbs)
            } else {
                Natural::from_limbs(&[vec![0; limbs - 1], vec![1 << 41]].concat())
            };
            let modulus = Modulus::new(value).expect("not zero");
            let base: Integer = (&random.natural(limbs + 1)).into();
            let power = wanted(&base, &exponent, &modulus);
            for form in every_form(odd, limbs).filter(|form| form.kernel.lanes() == 1) {
                let options = one_thread().with_kernel(Some(form.kernel.entry().name));
                // A kernel that takes no single power of this length says so.
                if let Ok(found) = modulus.pow_with(&base, &exponent, &options) {
                    assert_eq!(found, power, "{form}");
                    cases += 1;
                }
                if let Ok(table) = FixedBase::new(&base, &modulus, 17, 4096, &options) {
                    assert_eq!(table.pow(&exponent).as_ref(), Ok(&power), "a table, {form}");
                    let list = table.pow_list(&vec![exponent.clone(); 9], &one_thread()).expect("a list");
                    assert!(list.iter().all(|found| found.as_ref() == Ok(&power)), "a list of a table, {form}");
                    cases += 10;
                }
                // Such tables are only for odd moduli.
                if odd && form.kernel.entry().constant_time {
                    cases += secret_tables(&base, &exponent, &modulus, &form.to_string());
                }
            }
            let secret = SecretExponent::new(exponent.magnitude(), Some(20)).expect("fits");
            assert_eq!(modulus.pow_sec(&base, &secret, &one_thread()).as_ref(), Ok(&power));
            let all = [base.clone(), (&random.natural(limbs)).into(), 3u64.into()];
            let exponents = [exponent.clone(), 5u64.into(), 77u64.into()];
            let product = modulus.pow_product(&all, &exponents, &one_thread()).expect("a product");
            let factors = all.iter().zip(&exponents).map(|(base, exponent)| wanted(base, exponent, &modulus));
            let one = modulus.mul(&1u64.into(), &1u64.into());
            let together = factors.fold(one, |product, factor| modulus.mul(&(&product).into(), &(&factor).into()));
            assert_eq!(product, together);
            let triples = [(&all[..], &exponents[..], &modulus)];
            assert_eq!(pow_product_list(&triples, &one_thread()).expect("products")[0].as_ref(), Ok(&together));
            cases += 3;
        }
        let moduli: Vec<Modulus> = (0..19).map(|_| Modulus::new(random.odd(limbs)).expect("odd")).collect();
        let bases: Vec<Integer> = (0..19).map(|_| (&random.natural(limbs + 1)).into()).collect();
        let jobs: Vec<Job<'_>> =
            bases.iter().zip(&moduli).map(|(base, modulus)| Job { base, exponent: &exponent, modulus }).collect();
        let powers: Vec<Natural> = jobs.iter().map(|job| wanted(job.base, job.exponent, job.modulus)).collect();
        let lanes = KERNELS.iter().filter(|entry| entry.lanes > 1 && entry.available() && entry.takes(limbs));
        for kernel in lanes.map(|entry| Some(entry.name)).chain([None]) {
            for threads in [1, 3] {
                let options = Options::default().with_threads(NonZeroUsize::new(threads)).with_kernel(kernel);
                let found = pow_list(&jobs, &options).expect("a list");
                assert!(found.iter().zip(&powers).all(|(found, power)| found.as_ref() == Ok(power)), "{kernel:?}");
                cases += 19;
            }
        }
        let width = 8 * (limbs + 1);
        let packed = |numbers: &mut dyn Iterator<Item = &Natural>| -> Vec<u8> {
            numbers.flat_map(|number| number.to_be_bytes_padded(width).expect("fits")).collect()
        };
        let b = packed(&mut bases.iter().map(Integer::magnitude));
        let m = packed(&mut moduli.iter().map(Modulus::value));
        let mut out = vec![0; b.len()];
        let columns = (Column::fixed(&b, width), Column::fixed(&m, width));
        let failed =
            pow_rows(columns.0, (&exponent).into(), columns.1, &mut out, width, &one_thread()).expect("columns");
        assert!(failed.is_empty());
        assert!(out.chunks(width).zip(&powers).all(|(row, power)| Natural::from_be_bytes(row) == *power));
        cases += 19;
    }
    for length in 0..40 {
        let bases: Vec<u64> = (0..length).map(|_| random.next()).collect();
        let moduli: Vec<u64> = (0..length).map(|at| random.next() | u64::from(at % 3 > 0)).collect();
        let mut out = vec![0; length];
        assert!(pow_words(&bases, &[65_537], &moduli, &mut out, &one_thread()).expect("words").is_empty());
        cases += length as u64;
    }
    println!("cases: {cases}");
    assert!(COUNT.load(Relaxed) > 10_000);
}
