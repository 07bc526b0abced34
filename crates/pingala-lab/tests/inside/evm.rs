use super::*;

/// The table of test cases in EIP-7883: nagydani-1-square, nagydani-1-pow0x10001, nagydani-5-square.
#[test]
fn published_prices() {
    let lengths = |bytes, exponent| Lengths { base: bytes, exponent, modulus: bytes };
    assert_eq!(gas(lengths(64, 1), 2), [200, 500]);
    assert_eq!(gas(lengths(64, 3), 17), [341, 2048]);
    assert_eq!(gas(lengths(1024, 1), 2), [5461, 32768]);
    assert_eq!(gas(lengths(32, 32), 256), [1360, 4080]);
}
