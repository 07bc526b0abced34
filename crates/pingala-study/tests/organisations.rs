//! Every organisation on words of one byte, against machine arithmetic.

use pingala_study::texts::{Operands, Operation, Text};

const OF_STUDY: [Text; 5] =
    [Text::Fios, Text::Fips, Text::Cihs, Text::SeparatedComba, Text::KaratsubaComba { leaf: 1 }];

/// The number of these bytes, least significant first.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
}

/// Runs each organisation on `operands`, and checks result * R = a * b modulo m.
fn check(operands: &mut Operands<u8>, m: u64) {
    let n = operands.a.len();
    let (a, b) = (number(&operands.a), number(&operands.b));
    for text in OF_STUDY {
        for (operation, product) in [(Operation::Mul, a * b), (Operation::Sqr, a * a)] {
            operands.result.fill(0xaa);
            operands.run(text, operation);
            let got = number(&operands.result[..n]);
            assert!(got < m && (got << (8 * n)) % m == product % m, "{text} {operation:?}, m = {m:#x}: {a:#x}, {b:#x}");
        }
    }
}

#[test]
fn one_byte_exhaustively() {
    for m in (1..=u8::MAX).step_by(2) {
        let mut operands = Operands::new(vec![0], vec![0], &[m]);
        for a in 0..m {
            for b in 0..m {
                (operands.a[0], operands.b[0]) = (a, b);
                check(&mut operands, m.into());
            }
        }
    }
}

#[test]
fn two_and_three_bytes_at_the_edges() {
    let moduli = [1, 3, 0xff, 0x101, 0x7fff, 0x8001, 0xff01, 0xfeff, 0xfffd, 0xffff, 0x7f_ffff, 0xff_00ff, 0xff_ffff];
    for m in moduli {
        let n = if m > 0xffff { 3 } else { 2 };
        let bytes = |value: u64| value.to_le_bytes()[..n].to_vec();
        let mut operands = Operands::new(bytes(0), bytes(0), &bytes(m));
        let residues = (0..m).step_by(1 + m as usize / 251).chain((0..m).rev().take(9));
        for a in residues {
            for b in [0, 1, 2, 0xfe, 0xff, 0x100, 0x8000, m / 2, m - 1].into_iter().filter(|&b| b < m) {
                (operands.a, operands.b) = (bytes(a), bytes(b));
                check(&mut operands, m);
            }
        }
    }
}
