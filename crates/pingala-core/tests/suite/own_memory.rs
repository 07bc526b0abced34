//! A search of this process's memory for secrets.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};

/// The bytes of hexadecimal text.
pub fn big_endian(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|at| u8::from_str_radix(&text[2 * at..][..2], 16).unwrap()).collect()
}

/// The secrets of which two neighbouring limbs stand in this process's writable memory. The secrets are big-endian, and no limb
/// of them is formed here: memory is compared backwards. Text is looked for in the same way, given last byte first.
pub fn found(secrets: &[(&'static str, Vec<u8>)]) -> Vec<&'static str> {
    let mut memory = File::open("/proc/self/mem").unwrap();
    let mut names = Vec::new();
    let mut page = vec![0; 1 << 12];
    for line in fs::read_to_string("/proc/self/maps").unwrap().lines() {
        let mut fields = line.split_whitespace();
        let (span, access) = (fields.next().unwrap(), fields.next().unwrap());
        if !access.starts_with("rw") || line.contains("[v") {
            continue;
        }
        let (start, end) = span.split_once('-').unwrap();
        let [start, end] = [start, end].map(|word| u64::from_str_radix(word, 16).unwrap());
        for at in (start..end).step_by(page.len()) {
            memory.seek(SeekFrom::Start(at)).unwrap();
            if memory.read_exact(&mut page).is_err() {
                break;
            }
            // Limbs are aligned to 8 bytes; two of them that lie on both sides of a page's end are not missed for long: a
            // secret has several.
            for words in page.windows(16).step_by(8) {
                for (name, secret) in secrets {
                    if secret.windows(16).rev().step_by(8).any(|limbs| limbs.iter().rev().eq(words)) {
                        names.push(*name);
                    }
                }
            }
        }
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// A plan that is forced takes no memory that the caller did not allow: it is refused before it is allocated.
#[test]
fn a_forced_plan_does_not_take_all_memory() {
    let bits = (1 << 24) - 1;
    let mut limbs = vec![0u64; bits / 64 + 1];
    (limbs[0], limbs[bits / 64]) = (1, 1 << (bits % 64));
    let modulus = pingala_core::Modulus::new(pingala_core::Natural::from_limbs(&limbs)).unwrap();
    for line in ["k_ary(w=16) on portable_r64", "fixed_window(w=16) on portable_r64", "k_ary(w=16)"] {
        let options = pingala_core::Options::default().with_plan(Some(line));
        let error = modulus.pow_with(&3u64.into(), &5u64.into(), &options).unwrap_err();
        assert!(error.code() == "bad_plan" && error.to_string().contains("bytes"), "{line}: {error}");
        let secret = pingala_core::SecretExponent::new(&5u64.into(), Some(64)).unwrap();
        assert_eq!(modulus.pow_sec(&3u64.into(), &secret, &options).unwrap_err().code(), "bad_plan", "{line}");
    }
    assert!(modulus.plan(&3u64.into(), &5u64.into(), &pingala_core::Options::default()).is_ok());
}
