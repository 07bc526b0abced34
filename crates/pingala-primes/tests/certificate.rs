//! Certificates of primes: found, checked by another checker, altered in every byte, forged.

mod common;

use common::Seeded;
use dashu_int::UBig;
use dashu_int::ops::{BitTest, Gcd, SquareRoot};
use pingala_core::{Limits, Natural, Options};
use pingala_primes::{Certificate, PrimeOptions, certify, random_prime};
use std::collections::BTreeMap;

/// A checker of its own: the theorems by plain arithmetic.
fn proves(text: &str, prime: &UBig) -> bool {
    let number = |text: &str| UBig::from_str_radix(text.strip_prefix("0x").unwrap(), 16).unwrap();
    let power = |a: &UBig, e: &UBig, n: &UBig| {
        (0..e.bit_len()).rev().fold(UBig::ONE, |x, at| &x * &x % n * if e.bit(at) { a.clone() } else { UBig::ONE } % n)
    };
    let is_word = |n: &UBig| n.bit_len() <= 64 && common::is_prime(&u64::try_from(n).unwrap().into());
    let mut blocks: BTreeMap<UBig, Vec<(UBig, UBig)>> = BTreeMap::new();
    let mut last = UBig::ZERO;
    for line in text.lines().skip(1).filter(|&line| line != "end") {
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["prime", n] => {
                last = number(n);
                blocks.insert(last.clone(), Vec::new());
            }
            ["factor", q, "base", a] => blocks.get_mut(&last).unwrap().push((number(q), number(a))),
            _ => return false,
        }
    }
    blocks.contains_key(prime)
        && blocks.iter().all(|(n, factors)| {
            let (less, mut factored) = (n - UBig::ONE, UBig::ONE);
            let mut rest = less.clone();
            for (q, a) in factors {
                let y = power(a, &(&less / q), n);
                let holds = (is_word(q) || blocks.contains_key(q) && q < n)
                    && (&less % q).is_zero()
                    && power(a, &less, n).is_one()
                    && (y + n - UBig::ONE).gcd(n).is_one();
                if !holds {
                    return false;
                }
                while (&rest % q).is_zero() {
                    rest /= q;
                    factored *= q;
                }
            }
            let (c2, c1) = (&rest / &factored, &rest % &factored);
            let is_square = &c1 * &c1 >= &c2 * 4u8 && {
                let square = &c1 * &c1 - &c2 * 4u8;
                square.sqrt().pow(2) == square
            };
            is_word(n) || &factored * &factored > *n || factored.pow(3) >= *n && !is_square
        })
}

fn big(n: &Natural) -> UBig {
    UBig::from_le_bytes(&n.to_le_bytes())
}

/// Checks a certificate by the library and by the other checker.
fn checked(certificate: &Certificate) -> String {
    let text = certificate.to_string();
    assert_eq!(&Certificate::check(&text, &Options::default()).unwrap(), certificate);
    assert!(proves(&text, &big(&certificate.prime())), "{text}");
    text
}

#[test]
fn primes_are_proved() {
    let options = Options::default();
    // Words; primes of Mersenne, NIST, Curve25519, secp256k1; with what the library finds of p - 1.
    for text in [
        "2",
        "3",
        "65537",
        "18446744073709551557",
        "18446744073709551629",
        "0x1ffffffffffffffffffffff",
        "0x7ffffffffffffffffffffffffff",
        "0x7fffffffffffffffffffffffffffffff",
        "0xffffffff00000001000000000000000000000000ffffffffffffffffffffffff",
    ] {
        let n: Natural = text.parse().unwrap();
        let certificate = certify(&n, &[], &options).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(certificate.prime(), n);
        checked(&certificate);
    }
    // With given factors, of which one is longer than a word: 2^521 - 1.
    let n: Natural = format!("0x1ff{}", "f".repeat(128)).parse().unwrap();
    let given = ["0x3", "11", "131", "157", "521"].map(|q| q.parse::<Natural>().unwrap());
    let _ = certify(&n, &given, &options).map(|certificate| checked(&certificate));
    // Factors that take too long to find: those of a prime that was built.
    let built = random_prime(512, &PrimeOptions::default().with_proof(true), &options).unwrap();
    assert!(certify(built.value(), &[], &options).unwrap_err().to_string().contains("give more prime factors"));
    let text = built.certificate().unwrap().to_string();
    let given = text.lines().filter_map(|line| line.strip_prefix("factor ")?.split(' ').next()?.parse().ok());
    checked(&certify(built.value(), &given.collect::<Vec<Natural>>(), &options).unwrap());
    // p = 2 q + 1 for a prime q of 127 bits has nothing small in p - 1 and needs q.
    let source = Seeded::new(5);
    let fill = |bytes: &mut [u8]| source.fill(bytes);
    let prime = PrimeOptions::default().with_safe(true).with_source(Some(&fill));
    for bits in [66, 80, 100] {
        let p = random_prime(bits, &prime, &options).unwrap();
        if let Ok(certificate) = certify(p.value(), &[], &options) {
            checked(&certificate);
        }
    }
}

/// Random primes of up to 96 bits, whose p - 1 is factored enough with little effort, mostly.
#[test]
fn many_short_primes_are_proved() {
    let source = Seeded::new(6);
    let fill = |bytes: &mut [u8]| source.fill(bytes);
    let mut proved = 0;
    for round in 0..60 {
        let prime = PrimeOptions::default().with_source(Some(&fill));
        let p = random_prime(65 + round % 32, &prime, &Options::default()).unwrap();
        match certify(p.value(), &[], &Options::default()) {
            Ok(certificate) => {
                checked(&certificate);
                proved += 1;
            }
            Err(error) => assert!(error.to_string().contains("give more prime factors"), "{error}"),
        }
    }
    assert!(proved > 45, "{proved}");
}

#[test]
fn composites_and_wrong_factors_are_refused() {
    let options = Options::default();
    let code = |n: &str, given: &[&str]| {
        let given: Vec<Natural> = given.iter().map(|q| q.parse().unwrap()).collect();
        certify(&n.parse().unwrap(), &given, &options).map(|found| found.to_string()).unwrap_err()
    };
    // 0, 1, even, a square, a Carmichael number, a strong pseudoprime to base 2, Fermat's number, one of Mersenne's.
    for n in [
        "0",
        "1",
        "4",
        "18446744073709551616",
        "340282366920938460843936948965011886881",
        "1590231231043178376951698401",
        "3317044064679887385961981",
        "0x10000000000000001",
        "0x100000000000000000000000000000001",
        "0x7ffffffffffffffff",
    ] {
        let error = code(n, &[]);
        assert!(error.code() == "bad_argument" && !error.to_string().contains("give more"), "{n}: {error}");
    }
    let mersenne = "0x7fffffffffffffffffffffffffffffff";
    for q in ["0", "1", "5", "6", "170141183460469231731687303715884105727"] {
        assert_eq!(code(mersenne, &[q]).code(), "bad_argument", "{q}");
    }
    let short = Options::default().with_limits(Limits::new(100, 100));
    assert_eq!(certify(&mersenne.parse().unwrap(), &[], &short).unwrap_err().code(), "too_long");
    let late = Options::default().with_deadline(Some(std::time::Instant::now()));
    let long = random_prime(1024, &PrimeOptions::default(), &options).unwrap();
    assert_eq!(certify(long.value(), &[], &late).unwrap_err().code(), "interrupted");
}

/// Every byte exchanged, left out, or put in: refused, or a proof of the same prime.
/// What editors and mail do to a text.
#[test]
fn other_ends_of_lines_are_read() {
    let options = Options::default();
    let certificate = certify(&"0x7fffffffffffffffffffffffffffffff".parse().unwrap(), &[], &options).unwrap();
    let text = certificate.to_string();
    for bare in [text.clone(), text.trim_end().to_owned()] {
        for lines in [bare.clone(), bare.replace('\n', "\r\n")] {
            for marked in [lines.clone(), format!("\u{feff}{lines}")] {
                assert_eq!(Certificate::check(&marked, &options).unwrap(), certificate, "{marked:?}");
            }
        }
    }
    for wrong in ["\n", "\r", " ", "\u{feff}", "end\n"] {
        assert!(Certificate::check(&format!("{text}{wrong}"), &options).is_err(), "{wrong:?}");
    }
    assert!(Certificate::check(&text.replace('\n', "\r"), &options).is_err());
    assert!(Certificate::check(&text.replace('\n', "\r\r\n"), &options).is_err());
    let error = Certificate::check(text.trim_end_matches("end\n"), &options).unwrap_err();
    assert!(error.to_string().contains("is missing: `end`"), "{error}");
}

/// A prime factor of exactly 64 bits is below 2^64, and has no block.
#[test]
fn a_factor_of_64_bits_needs_no_block() {
    let options = Options::default();
    let q = 18_446_744_073_709_551_557u64;
    // The least prime 2 k q + 1.
    let n = (1u64..).map(|k| Natural::from(2 * u128::from(k) * u128::from(q) + 1));
    let n = n.into_iter().find(|n| pingala_primes::is_prime(&n.into(), 1, &options).unwrap().prime).unwrap();
    let certificate = certify(&n, &[q.into()], &options).unwrap();
    let text = checked(&certificate);
    assert!(text.contains(&format!("factor {q:#x} ")), "{text}");
    assert_eq!(text.matches("prime 0x").count(), 1, "{text}");
    let with_block = text.replace("end\n", &format!("prime {q:#x}\nend\n"));
    assert!(Certificate::check(&with_block, &options).unwrap_err().to_string().contains("below 2^64"));
}

#[test]
fn altered_certificates_are_refused() {
    let options = Options::default();
    let source = Seeded::new(7);
    let fill = |bytes: &mut [u8]| source.fill(bytes);
    let prime = PrimeOptions::default().with_proof(true).with_source(Some(&fill));
    let built =
        |bits, prime: &PrimeOptions<'_>| random_prime(bits, prime, &options).unwrap().certificate().unwrap().clone();
    let mersenne = certify(&"0x7fffffffffffffffffffffffffffffff".parse().unwrap(), &[], &options).unwrap();
    let word = certify(&"18446744073709551557".parse().unwrap(), &[], &options).unwrap();
    for certificate in [built(96, &prime), built(200, &prime), built(130, &prime.with_safe(true)), mersenne, word] {
        let text = checked(&certificate);
        let mut accepted = 0;
        let mut refused = |altered: &[u8]| {
            let Ok(altered) = std::str::from_utf8(altered) else { return };
            if let Ok(read) = Certificate::check(altered, &options) {
                // A word proves itself, and so does another one that is prime.
                let is_word = certificate.prime().bits() <= 64 && common::is_prime(&read.prime());
                assert!(is_word || read.prime() == certificate.prime(), "{altered}");
                let plain = altered.replace("\r\n", "\n");
                let plain = plain.trim_end_matches(['\r', '\n']);
                assert_eq!(read.to_string().trim_end(), plain);
                accepted += usize::from(altered != text);
            }
        };
        let bytes = text.as_bytes();
        for at in 0..bytes.len() {
            for other in (9..127u8).filter(|&other| other != bytes[at]) {
                let mut altered = bytes.to_vec();
                altered[at] = other;
                refused(&altered);
            }
            for bit in 0..8 {
                let mut altered = bytes.to_vec();
                altered[at] ^= 1 << bit;
                refused(&altered);
            }
            refused(&[&bytes[..at], &bytes[at + 1..]].concat());
            for more in *b"0af x\n" {
                refused(&[&bytes[..at], &[more], &bytes[at..]].concat());
            }
            refused(&bytes[..at]);
            refused(&bytes[at..]);
        }
        // Other bases are as good.
        assert!(accepted < bytes.len() * 20, "{accepted}");
        // Lines left out, doubled, exchanged.
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for at in 0..lines.len() {
            let without = [&lines[..at], &lines[at + 1..]].concat().concat();
            let doubled = [&lines[..=at], &lines[at..]].concat().concat();
            for altered in [without, doubled] {
                if let Ok(read) = Certificate::check(&altered, &options) {
                    assert!(read.prime() == certificate.prime(), "{altered}");
                }
            }
        }
    }
}

/// Products of two primes that are 1 modulo F: all powers are 1 for some bases, and only c1^2 - 4 c2 shows it.
#[test]
fn forged_certificates_are_refused() {
    let options = Options::default();
    // F = 3^k with F^3 >= n > F^2, n = (a F + 1) (b F + 1), both prime; a base of order F modulo both.
    let f = UBig::from(3u8).pow(30);
    let mut primes = (1u32..)
        .map(|a| (&f * (2 * a) + UBig::ONE, a))
        .filter(|(p, _)| common::is_prime(&Natural::from_le_bytes(&p.to_le_bytes())));
    // 3 divides n - 1 as often as F if it does not divide the sum of the multiples.
    let (p, a) = primes.next().unwrap();
    let (q, _) = primes.find(|(_, b)| (a + b) % 3 != 0).unwrap();
    let n = &p * &q;
    assert!(n.bit_len() > 64 && f.pow(3) >= n);
    let power = |a: &UBig, e: &UBig, n: &UBig| {
        (0..e.bit_len()).rev().fold(UBig::ONE, |x, at| &x * &x % n * if e.bit(at) { a.clone() } else { UBig::ONE } % n)
    };
    // a of order F modulo p and modulo q, by the theorem of Chinese remainders.
    let of_order = |p: &UBig| {
        (2u32..)
            .map(|g| power(&UBig::from(g), &((p - UBig::ONE) / &f), p))
            .find(|a| !power(a, &(&f / UBig::from(3u8)), p).is_one())
            .unwrap()
    };
    let (x, y) = (of_order(&p), of_order(&q));
    let inverse = power(&p, &(&q - UBig::from(2u8)), &q);
    let a = &x + &p * ((&y + &q - &x % &q) * inverse % &q);
    let three = UBig::from(3u8);
    assert!(power(&a, &(&n - UBig::ONE), &n).is_one());
    assert!((power(&a, &((&n - UBig::ONE) / &three), &n) - UBig::ONE).gcd(&n).is_one());
    let text = format!("pingala prime certificate 1\nprime {n:#x}\nfactor 0x3 base {a:#x}\nend\n");
    let error = Certificate::check(&text, &options).unwrap_err();
    assert!(error.to_string().contains("product of two"), "{error}");
    // The header, and a prime with nothing behind it.
    for text in [
        "",
        "\nend\n",
        "pingala prime certificate 1\nend\n",
        "pingala prime certificate 2\nprime 0x3\nend\n",
        "pingala prime certificate 1\nprime 0x4\nend\n",
        "pingala prime certificate 1\nprime 0x1\nend\n",
        "pingala prime certificate 1\nprime 0x3\nend\nend\n",
        "pingala prime certificate 1\nprime 0x3\nprime 0x2\nend\n",
        "pingala prime certificate 1\nprime 0x3\nfactor 0x2 base 0x2\nend\n",
        "pingala prime certificate 1\nprime 0x7fffffffffffffffffffffffffffffff\nend\n",
        "pingala prime certificate 1\nfactor 0x2 base 0x2\nprime 0x3\nend\n",
    ] {
        assert_eq!(Certificate::check(text, &options).unwrap_err().code(), "bad_argument", "{text}");
    }
    let short = Options::default().with_limits(Limits::new(100, 100));
    let text = format!("pingala prime certificate 1\nprime 0x{}\nend\n", "7".repeat(26));
    assert_eq!(Certificate::check(&text, &short).unwrap_err().code(), "too_long");
    let text = format!("pingala prime certificate 1\nprime 0x{}\nend\n", "7".repeat(1000));
    assert_eq!(Certificate::check(&text, &short).unwrap_err().code(), "too_long");
}
