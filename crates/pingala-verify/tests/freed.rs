//! No freed memory holds a secret: the allocator looks at every block that it gets back, while secrets are computed with.

#![allow(unsafe_code)]

use pingala_core::{FixedBase, Integer, Modulus, Natural, Options, SecretExponent, Uses};
use pingala_verify::RsaPrivateKey;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use zeroize::Zeroizing;

/// Most needles.
const MOST: usize = 512;

/// What no freed block may hold: runs of 16 bytes, as two words each.
static NEEDLES: [[AtomicU64; 2]; MOST] = [const { [const { AtomicU64::new(0) }; 2] }; MOST];
/// How many there are; 0 while nothing is looked for.
static COUNT: AtomicUsize = AtomicUsize::new(0);
/// Blocks that held one, and the length of the first.
static FOUND: AtomicUsize = AtomicUsize::new(0);
static FIRST: AtomicUsize = AtomicUsize::new(0);

struct Looking;

// SAFETY: all memory is the system's; a block is only read before it goes back, within its layout.
unsafe impl GlobalAlloc for Looking {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise. Zeros: what is read of a block was written.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: `alloc` gave the block this number of bytes and wrote them all.
        look(unsafe { core::slice::from_raw_parts(block, layout.size()) });
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(block, layout) };
    }
}

#[global_allocator]
static ALLOCATOR: Looking = Looking;

fn look(block: &[u8]) {
    let count = COUNT.load(Ordering::SeqCst);
    if count == 0 {
        return;
    }
    for window in block.windows(16) {
        let words = [0, 8].map(|at| u64::from_ne_bytes(core::array::from_fn(|byte| window[at + byte])));
        let is =
            |needle: &&[AtomicU64; 2]| [0, 1].iter().all(|&half| needle[half].load(Ordering::Relaxed) == words[half]);
        if NEEDLES[..count].iter().any(|needle| is(&needle)) {
            if FOUND.fetch_add(1, Ordering::SeqCst) == 0 {
                FIRST.store(block.len(), Ordering::SeqCst);
            }
            return;
        }
    }
}

/// Looks for the runs of these numbers, in the big-endian bytes of files and in the limbs of computations, while
/// `work` runs; returns the number of freed blocks that had one.
fn found(secrets: &[&[u8]], work: impl FnOnce()) -> usize {
    let mut needles: Vec<[u8; 16]> = Vec::new();
    for secret in secrets {
        let mut limbs = secret.to_vec();
        limbs.reverse();
        for run in secret.chunks_exact(16).chain(limbs.chunks_exact(16)) {
            needles.push(run.try_into().unwrap());
        }
    }
    assert!(!needles.is_empty() && needles.len() <= MOST, "{} needles", needles.len());
    for (place, needle) in NEEDLES.iter().zip(&needles) {
        for half in [0, 1] {
            let word = u64::from_ne_bytes(needle[8 * half..][..8].try_into().unwrap());
            place[half].store(word, Ordering::SeqCst);
        }
    }
    FOUND.store(0, Ordering::SeqCst);
    COUNT.store(needles.len(), Ordering::SeqCst);
    work();
    COUNT.store(0, Ordering::SeqCst);
    FOUND.load(Ordering::SeqCst)
}

/// The numbers n, e, d, p, q of a key, as DER of PKCS#1 has them.
fn numbers(der: &[u8]) -> Vec<Vec<u8>> {
    let mut at = 4 + 3;
    let mut all = Vec::new();
    for _ in 0..5 {
        let (length, header) = match der[at + 1] {
            0x81 => (usize::from(der[at + 2]), 3),
            0x82 => (usize::from(der[at + 2]) << 8 | usize::from(der[at + 3]), 4),
            short => (usize::from(short), 2),
        };
        let number = &der[at + header..][..length];
        all.push(number[usize::from(number[0] == 0)..].to_vec());
        at += header + length;
    }
    all
}

/// One test, as the allocator is one for the program.
#[test]
fn no_freed_block_holds_a_secret() {
    // 1. The test itself: a copy that is dropped is found, a wiped one is not.
    let secret: Vec<u8> = (0..64u8).map(|at| at.wrapping_mul(37) ^ 0x5a).collect();
    assert_eq!(found(&[&secret], || drop(secret.clone())), 1);
    assert_eq!(found(&[&secret], || drop(Zeroizing::new(secret.clone()))), 0);
    let limbs = Natural::from_be_bytes(&[secret.clone(), secret.clone(), secret.clone()].concat());
    assert!(found(&[&secret], || drop(limbs.clone())) > 0, "limbs are found");

    // 2. Single powers, lists, a table. Bases are rows of the caller; results as well.
    let modulus = Modulus::new(Natural::from_be_bytes(&[0xf7; 128])).unwrap();
    let base: Vec<u8> = (0..128u8).map(|at| at.wrapping_mul(29) ^ 0x3c).collect();
    let mut out = vec![0; 128];
    let options = Options::default();
    let exponent = || SecretExponent::from_be_bytes(&secret, 512).unwrap();
    modulus.pow_sec_bytes(&base, &exponent(), &mut out, &options).unwrap();
    let mut uses = Uses::from(1000);
    uses.secret = true;
    let table = FixedBase::for_uses(&Integer::from(7u64), &modulus, 512, 1 << 18, uses, &options).unwrap();
    let mut of_table = vec![0; 128];
    table.pow_sec_list(&[exponent()], &mut of_table, &options).unwrap();
    let secrets: [&[u8]; 4] = [&secret, &base, &out.clone(), &of_table.clone()];
    for kernel in [None, Some("portable_r64")] {
        let options = options.with_kernel(kernel);
        let table = FixedBase::for_uses(&Integer::from(7u64), &modulus, 512, 1 << 18, uses, &options).unwrap();
        let all = found(&secrets, || {
            let (mut rows, exponents) = (vec![0; 256], [exponent(), exponent()]);
            modulus.pow_sec_bytes(&base, &exponents[0], &mut out, &options).unwrap();
            modulus.pow_sec_list(&[&base, &base], &exponents, &mut rows, &options).unwrap();
            table.pow_sec_list(&exponents, &mut rows, &options).unwrap();
            rows.fill(0);
        });
        assert_eq!(all, 0, "{kernel:?}: {all} blocks, the first of {} bytes", FIRST.load(Ordering::SeqCst));
    }

    // 3. A private key from each form of a file.
    let pems = [include_bytes!("data/private_pkcs1.pem").as_slice(), include_bytes!("data/private_pkcs8.pem")];
    let der = pem_rfc7468::decode_vec(pems[0]).unwrap().1;
    let [_, _, d, p, q] = numbers(&der).try_into().unwrap();
    let mut rows = vec![0; 256];
    RsaPrivateKey::load(&der, &options).unwrap().pow_list(&[b"one", &base[1..]], &mut rows, &options).unwrap();
    let results = rows.clone();
    let secrets: [&[u8]; 6] = [&d, &p, &q, &base[1..], &results[..128], &results[128..]];
    // A bad character in the last line, behind most of the key.
    let mut damaged = pems[0].to_vec();
    let last = damaged.windows(5).rposition(|at| at == b"-----").unwrap_or(0);
    let end = damaged[..last].windows(9).rposition(|at| at == b"-----END ").unwrap_or(0);
    damaged[end - 4] = b'!';
    let all = found(&secrets, || assert!(RsaPrivateKey::load(&damaged, &options).is_err()));
    assert_eq!(all, 0, "{all} blocks of a damaged file");
    for data in [pems[0], pems[1], &der] {
        let all = found(&secrets, || {
            let key = RsaPrivateKey::load(data, &options).unwrap();
            key.pow_list(&[b"one", &base[1..]], &mut rows, &options).unwrap();
        });
        assert_eq!(all, 0, "{all} blocks, the first of {} bytes", FIRST.load(Ordering::SeqCst));
    }
}
