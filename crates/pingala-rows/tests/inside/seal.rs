use super::*;

#[test]
fn every_changed_byte_is_refused() {
    let (bytes, digest) = seal("job plan", &vec![1u64, 2, 300]).unwrap();
    assert_eq!(open::<Vec<u64>>("job plan", &bytes).unwrap(), (vec![1, 2, 300], digest));
    for place in 0..bytes.len() {
        for bit in 0..8 {
            let mut changed = bytes.clone();
            changed[place] ^= 1 << bit;
            assert!(open::<Vec<u64>>("job plan", &changed).is_err(), "byte {place}, bit {bit}");
        }
    }
    for length in 0..bytes.len() {
        assert!(open::<Vec<u64>>("job plan", &bytes[..length]).is_err());
    }
    assert!(open::<Vec<u64>>("job manifest", &bytes).is_err());
}
