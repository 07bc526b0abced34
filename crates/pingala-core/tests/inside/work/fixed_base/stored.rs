//! Tests of `work/fixed_base/stored.rs`.

use super::*;
use crate::kernel::registry::forms;
use crate::modulus::Facts;
use std::fs;

/// What a layout says of its residues is what the rings do: the words of 1 are the number 2^scaling.
#[test]
fn layouts_are_those_of_the_rings() {
    for bits in [3, 52, 64, 65, 127, 700, 1024, 2048, 2100] {
        let odd = Exponent::of_bits([0, 1, bits / 2, bits - 1]);
        let two = Exponent::of_bits([bits]);
        for (is_odd, value) in [(true, odd.magnitude()), (false, two.magnitude())] {
            let modulus = Prepared::new(Facts::new(value.clone()));
            for form in forms(is_odd, bits.div_ceil(64)).filter(|form| form.kernel.has_arena()) {
                let layout = form.layout(bits);
                let algorithm = "comb(h=1, v=1)".parse().unwrap();
                let one = [Natural::from(1u64)];
                let part = PreparedTable::of_numbers(&modulus, &form, algorithm, 1, one.into_iter()).unwrap();
                assert_eq!(part.ring.packed_words(), layout.limbs, "{form}");
                assert_eq!(8 * part.ring.words(), form.residue_bytes(bits), "{form}");
                let bytes: Vec<u8> = part.table.entry(0).iter().flat_map(|word| word.to_le_bytes()).collect();
                let algorithm = part.table.algorithm.clone();
                let stored = StoredPart { layout, exponent_bits: 1, algorithm, words: 0..bytes.len() };
                let scaling = Exponent::of_bits([layout.scaling_bits()]);
                let raw = stored.raw_entry(&bytes, 0).unwrap();
                assert_eq!(chores::rem(&raw, value), chores::rem(scaling.magnitude(), value), "{form}, {bits} bits");
                assert_eq!(part.number(0).unwrap(), Natural::from(1u64));
            }
        }
    }
}

/// Headers with a right sum and wrong content: an error, no panic and no memory for what they claim.
#[test]
fn sealed_nonsense_is_refused() {
    let folder = std::env::temp_dir().join(format!("pingala-nonsense-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("table");
    let algorithm: crate::algorithm::fixed_base::FixedBaseAlgorithm = "comb(h=2, v=1)".parse().unwrap();
    let modulus = Prepared::new(Facts::new(Natural::from(0xffff_ffff_ffff_ffc5u64)));
    let form = forms(true, 1).find(|form| form.kernel.has_arena()).unwrap();
    // The base, and the powers for bits 2 and 0 with 2: 3^4, 3^5.
    let numbers = [3u64, 81, 243].map(Natural::from);
    let part = PreparedTable::of_numbers(&modulus, &form, algorithm, 4, numbers.into_iter()).unwrap();
    let tables = Tables(vec![part]);
    let base = Natural::from(3u64);
    let start = |payload_bytes| Writer::create(&path, &KIND, payload_bytes);
    tables.write(start, modulus.facts().value(), &base, 4).unwrap().finish().unwrap();
    let expected = Expected::default().with_max_bytes(1 << 20);
    let load = || {
        let payload = Payload::Read(sealed::read(&path, &KIND, expected.max_bytes)?);
        load(&path, &payload, &expected, None, &Poll::none())
    };
    let payload = sealed::read(&path, &KIND, 1 << 20).unwrap();
    load().unwrap();
    let thirteen = Exponent::of_bits([0, 2, 3]);
    let header = Stored::parse(&payload).unwrap().parts[0].words.start;
    for at in 0..header {
        for flip in [1, 0x40, 0x80, 0xff] {
            let mut bytes = payload.clone();
            bytes[at] ^= flip;
            sealed::write(&path, &KIND, &[&bytes]).unwrap();
            match load() {
                Err(error) => assert_eq!(error.code(), "bad_file", "byte {at} ^ {flip}"),
                // Another name of the same table: with 4 bits h = 2 and h = 3 make the same two rows.
                Ok(loaded) => {
                    let power = loaded.tables.power(&loaded.power_of(&thirteen, &Poll::none()));
                    assert_eq!(power, Ok(Natural::from(1_594_323u64)), "byte {at} ^ {flip}");
                }
            }
        }
    }
    for cut in [0, 1, header - 1, header, payload.len() - 8] {
        sealed::write(&path, &KIND, &[&payload[..cut]]).unwrap();
        assert_eq!(load().unwrap_err().code(), "bad_file", "{cut} bytes");
    }
    // An entry that is another power, its sum right: 3^4 + 1 in place of 3^4 is found by computing it anew.
    let numbers = [3u64, 82, 243].map(Natural::from);
    let algorithm = tables.0[0].table.algorithm.clone();
    let part = PreparedTable::of_numbers(&modulus, &form, algorithm, 4, numbers.into_iter()).unwrap();
    Tables(vec![part]).write(start, modulus.facts().value(), &base, 4).unwrap().finish().unwrap();
    assert!(load().unwrap_err().to_string().contains("entry 1"));
    fs::remove_dir_all(folder).unwrap();
}
