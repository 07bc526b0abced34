//! Lists of signatures: every way of sharing, broken ones among sound ones, bad input.

mod domain;

use domain::{Domain, add, is_prime, natural, number, reduce};
use pingala_core::{Error, Modulus, Natural, Options, Watch};
use pingala_verify::{
    Check, Defect, Depth, DsaKey, DsaSeed, Encoding, Hash, Message, Policy, PublicKey, Reason, RsaKey, Salt, Scheme,
    Signature, Weaknesses, explain_verify_list, verify, verify_list,
};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// All ways of sharing, on one thread and on three, with broken signatures in between.
#[test]
fn every_way_of_sharing() {
    // The first is so long that tables pay.
    let domain = |at: usize| {
        let (p, q) = if at == 0 { (1536, 256) } else { (512 + at / 10 * 128, 128) };
        Domain::new(&at.to_string(), p, q)
    };
    let domains: Vec<Domain> = (0..12).map(domain).collect();
    let one_key: Vec<(usize, usize)> = (0..60).map(|_| (0, 0)).collect();
    let one_domain: Vec<(usize, usize)> = (0..40).map(|at| (0, at)).collect();
    let domains_differ: Vec<(usize, usize)> = (0..23).map(|at| (at % 12, at)).collect();
    let mixed = one_key.iter().chain(&one_domain).chain(&domains_differ).copied().collect();
    for (name, list) in
        [("one key", one_key), ("one domain", one_domain), ("domains differ", domains_differ), ("mixed", mixed)]
    {
        let secret = |key: usize| number(&format!("x {key}"), 64);
        let keys: Vec<PublicKey> = list.iter().map(|&(domain, key)| domains[domain].key(&secret(key))).collect();
        let digests: Vec<Vec<u8>> = (0..list.len()).map(|at| Hash::Sha256.digest(&at.to_be_bytes())).collect();
        let mut signatures: Vec<(Natural, Natural)> = list
            .iter()
            .enumerate()
            .map(|(at, &(domain, key))| domains[domain].sign(&secret(key), &digests[at], &format!("{name} {at}")))
            .collect();
        // A wrong s, r and s exchanged, s = 0, r = q.
        signatures[3].1 = reduce(&domains[list[3].0].q, add(&signatures[3].1, &Natural::from(1u64)));
        let (r, s) = signatures[9].clone();
        signatures[9] = (s, r);
        signatures[11].1 = Natural::default();
        signatures[12].0 = domains[list[12].0].q.value().clone();
        let checks: Vec<Check<'_>> = (0..list.len())
            .map(|at| Check {
                key: &keys[at],
                scheme: Scheme::Dsa(Hash::Sha256),
                message: Message::Digest(&digests[at]),
                signature: Signature::Numbers(&signatures[at].0, &signatures[at].1),
            })
            .collect();
        for threads in [1, 3] {
            let options = Options::default().with_threads(NonZeroUsize::new(threads));
            let verdicts = verify_list(&checks, Policy::Legacy, &options).unwrap();
            for (at, verdict) in verdicts.into_iter().enumerate() {
                let expected = match at {
                    3 | 9 => Some(Reason::Mismatch),
                    11 | 12 => Some(Reason::OutOfRange),
                    _ => None,
                };
                assert_eq!(verdict.unwrap().reason(), expected, "{name} {at}");
                assert_eq!(verify(&checks[at], Policy::Legacy).unwrap().reason(), expected, "{name} {at}");
            }
        }
        let explained = explain_verify_list(&checks, Policy::Legacy).unwrap();
        // Prices differ from CPU to CPU, and with them what is shared.
        let ways: &[&str] = match name {
            "one key" => &["58 of one domain, with a table for g, and for the y of 1 keys with 58 signatures"],
            "one domain" => &["38 of one domain, with a table for g, 38 powers of other y", "38 as a list of products"],
            "domains differ" => &["as a list of products"],
            _ => &["2 without arithmetic: their encoding, ranges or sizes decide"],
        };
        assert!(ways.iter().any(|way| explained.contains(way)), "{explained}");
    }
}

/// Modulo a q that is not prime an s may have no inverse, which spoils none of those that share the inversion.
#[test]
fn an_s_without_an_inverse_among_others() {
    // Above 3/4 of 2^64, so that the product has 128 bits.
    let prime = |seed: u32| {
        (0..).map(|at| number(&format!("{seed} {at}"), 64)).find(|n| n.limbs()[0] >> 62 == 3 && is_prime(n))
    };
    let primes = [3, 7].map(|seed| prime(seed).unwrap());
    let wide = Modulus::new(natural("0x1000000000000000000000000000000000000000000000000")).unwrap();
    let q = wide.mul(&primes[0].clone().into(), &primes[1].clone().into());
    let domain = Domain::over("composite", 512, q);
    let secret = natural("12345");
    let key = domain.key(&secret);
    let digests: Vec<Vec<u8>> = (0..50u8).map(|at| Hash::Sha256.digest(&[at])).collect();
    let sign = |(at, digest): (usize, &Vec<u8>)| domain.sign(&secret, digest, &format!("composite {at}"));
    let mut signatures: Vec<(Natural, Natural)> = digests.iter().enumerate().map(sign).collect();
    for at in [0, 20, 21, 49] {
        signatures[at].1 = primes[at % 2].clone();
    }
    for count in [1, 3, 50] {
        let check = |at: usize| Check {
            key: &key,
            scheme: Scheme::Dsa(Hash::Sha256),
            message: Message::Digest(&digests[at]),
            signature: Signature::Numbers(&signatures[at].0, &signatures[at].1),
        };
        let checks: Vec<Check<'_>> = (0..count).map(check).collect();
        for (at, verdict) in verify_list(&checks, Policy::Legacy, &Options::default()).unwrap().iter().enumerate() {
            let expected = [0, 20, 21, 49].contains(&at).then_some(Reason::Mismatch);
            assert_eq!(verdict.as_ref().unwrap().reason(), expected, "{at} of {count}");
        }
    }
    assert!(key.validate(Depth::Primes).unwrap().contains(&Defect::OrderNotPrime));
}

/// A watch that stops the call from its n-th question on, whatever is done then.
struct StopAt(AtomicUsize);

impl Watch for StopAt {
    fn stop(&self) -> bool {
        let left = self.0.load(Relaxed);
        self.0.store(left.max(2) - 1, Relaxed);
        left <= 1
    }
}

/// A stopped call has no verdicts: before the keys are sorted, between products, while the answers are written.
#[test]
fn a_list_can_be_stopped() {
    let domain = Domain::new("stopped", 512, 128);
    let key = domain.key(&natural("5"));
    let digest = Hash::Sha256.digest(b"");
    let (r, s) = domain.sign(&natural("5"), &digest, "stopped");
    let (message, signature) = (Message::Digest(&digest), Signature::Numbers(&r, &s));
    let (rsa, bytes) = rsa();
    let dsa = Check { key: &key, scheme: Scheme::Dsa(Hash::Sha256), message, signature };
    let mut checks = vec![dsa; 300];
    checks.extend([Check::new(&rsa, Scheme::RsaPkcs1(Hash::Sha256), b"Pingala\n", &bytes); 200]);
    let run = |watch: &StopAt| {
        let options = Options::default().with_threads(NonZeroUsize::new(1)).with_watch(Some(watch));
        verify_list(&checks, Policy::Legacy, &options)
    };
    let never = StopAt(AtomicUsize::new(usize::MAX));
    assert!(run(&never).unwrap().iter().all(|verdict| verdict.as_ref().unwrap().is_valid()));
    let questions = usize::MAX - never.0.into_inner();
    assert!(questions > 20, "{questions}");
    for question in (1..=questions).step_by(1.max(questions / 50)) {
        let stopped = run(&StopAt(AtomicUsize::new(question)));
        assert!(matches!(stopped, Err(Error::Interrupted)), "question {question}");
    }
}

/// A list that is verified in parts: keys and domains in turn, broken signatures among them, progress up to the end.
#[test]
fn a_long_list_is_verified_in_parts() {
    const COUNT: usize = 140_000;
    let domains = [Domain::new("long a", 512, 128), Domain::new("long b", 512, 128)];
    let digest = Hash::Sha256.digest(b"");
    let (rsa, bytes) = rsa();
    let keys: Vec<(PublicKey, (Natural, Natural))> = (0..6)
        .map(|at| {
            let (domain, secret) = (&domains[at % 2], natural(&(5 + at).to_string()));
            (domain.key(&secret), domain.sign(&secret, &digest, &format!("long {at}")))
        })
        .collect();
    let checks: Vec<Check<'_>> = (0..COUNT)
        .map(|at| {
            if at % 70 == 3 {
                return Check::new(&rsa, Scheme::RsaPkcs1(Hash::Sha256), b"Pingala\n", &bytes);
            }
            let (key, (r, s)) = &keys[at % keys.len()];
            // The next key's signature now and then, and one out of range.
            let (r, s) = match at % 1000 {
                5 => (&keys[(at + 1) % keys.len()].1.0, s),
                6 => (key_order(key), s),
                _ => (r, s),
            };
            let (message, signature) = (Message::Digest(&digest), Signature::Numbers(r, s));
            Check { key, scheme: Scheme::Dsa(Hash::Sha256), message, signature }
        })
        .collect();
    let watch = Counting::default();
    let verdicts = verify_list(&checks, Policy::Legacy, &Options::default().with_watch(Some(&watch))).unwrap();
    for (at, verdict) in verdicts.iter().enumerate() {
        let expected = match at {
            _ if at % 70 == 3 => None,
            _ if at % 1000 == 5 => Some(Reason::Mismatch),
            _ if at % 1000 == 6 => Some(Reason::OutOfRange),
            _ => None,
        };
        assert_eq!(verdict.as_ref().unwrap().reason(), expected, "{at}");
    }
    assert_eq!(watch.most.load(Relaxed), COUNT);
    assert_eq!(watch.falls.load(Relaxed), 0);
}

fn key_order(key: &PublicKey) -> &Natural {
    let PublicKey::Dsa(key) = key else { panic!("a key of RSA") };
    key.q()
}

/// The most that a call has told, and how often less came after more.
#[derive(Default)]
struct Counting {
    most: AtomicUsize,
    falls: AtomicUsize,
}

impl Watch for Counting {
    fn progress(&self, finished: usize, total: usize) {
        assert!(finished <= total);
        if self.most.fetch_max(finished, Relaxed) > finished {
            self.falls.fetch_add(1, Relaxed);
        }
    }
}

/// The primality of the longest key takes seconds, and can be stopped.
#[test]
fn a_validation_can_be_stopped() {
    // One without a small factor, so that powers decide.
    let numbers = (0..).map(|at| number(&format!("long n {at}"), 4096));
    let mut keys = numbers.map(|n| PublicKey::from(RsaKey::new(n, 65537u64.into()).unwrap()));
    let key = keys.find(|key| key.validate(Depth::Primes).unwrap().is_empty()).unwrap();
    for question in [1, 5] {
        let watch = StopAt(AtomicUsize::new(question));
        let stopped = key.validate_with(Depth::Primes, &Options::default().with_watch(Some(&watch)));
        assert_eq!(stopped, Err(Error::Interrupted), "question {question}");
    }
    assert!(key.validate(Depth::Subgroup).unwrap().is_empty());
}

/// Parameters that OpenSSL made come from their seeds, and from nothing else.
#[test]
fn parameters_from_a_seed() {
    let lines = include_str!("data/dsa_seeds.txt").lines().filter(|line| !line.starts_with('#'));
    let mut count = 0;
    for line in lines {
        let fields: Vec<&str> = line.split(' ').collect();
        let [hash, p, q, g, seed, counter, index] = fields[..] else { panic!("{line}") };
        let hex = |digits: &str| natural(&format!("0x{digits}"));
        let seed: Vec<u8> = seed
            .as_bytes()
            .chunks(2)
            .map(|two| u8::from_str_radix(str::from_utf8(two).unwrap(), 16).unwrap())
            .collect();
        let (counter, index) = (counter.parse().unwrap(), index.parse().unwrap());
        let of_g = |g: Natural| DsaKey::new(hex(p), hex(q), g, 2u64.into()).unwrap();
        let (key, options) = (of_g(hex(g)), Options::default());
        let hash = hash.parse().unwrap();
        let from = DsaSeed { hash, seed: &seed, counter, index: Some(index) };
        assert_eq!(key.validate_seed(&from, &options), Ok(vec![]));
        use Defect::{FieldNotFromSeed as Field, GeneratorNotFromSeed as Generator, OrderNotFromSeed as Order};
        for other in [counter - 1, counter + 1] {
            assert_eq!(key.validate_seed(&DsaSeed { counter: other, ..from }, &options), Ok(vec![Field]));
        }
        assert_eq!(key.validate_seed(&DsaSeed { index: Some(index + 1), ..from }, &options), Ok(vec![Generator]));
        let other = of_g(4u64.into());
        assert_eq!(other.validate_seed(&from, &options), Ok(vec![Generator]));
        assert_eq!(other.validate_seed(&DsaSeed { index: None, ..from }, &options), Ok(vec![]));
        let mut another = seed.clone();
        another[3] ^= 1;
        let another = DsaSeed { seed: &another, counter: 3, ..from };
        assert_eq!(key.validate_seed(&another, &options), Ok(vec![Order, Field, Generator]));
        for bad in [DsaSeed { seed: &seed[1..], ..from }, DsaSeed { counter: 4 * key.p().bits() as u32, ..from }] {
            assert!(matches!(key.validate_seed(&bad, &options), Err(Error::BadArgument(_))));
        }
        let watch = StopAt(AtomicUsize::new(5));
        assert_eq!(key.validate_seed(&from, &options.with_watch(Some(&watch))), Err(Error::Interrupted));
        count += 1;
    }
    assert_eq!(count, 2);
    let small = Domain::new("no seed", 512, 128).key(&natural("5"));
    let PublicKey::Dsa(small) = small else { panic!("a key of RSA") };
    let from = DsaSeed { hash: Hash::Sha256, seed: &[0; 32], counter: 0, index: None };
    assert!(matches!(small.validate_seed(&from, &Options::default()), Err(Error::BadArgument(_))));
}

/// RFC 6979, appendix A.2.1 and A.2.2: both keys, all five hash functions of the message "sample".
#[test]
fn rfc_6979() {
    let text = include_str!("data/rfc6979.txt");
    let (mut key, mut count): (Option<PublicKey>, usize) = (None, 0);
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["key", p, q, g, y] => {
                let [p, q, g, y] = [p, q, g, y].map(|hex| natural(&format!("0x{hex}")));
                let loaded = PublicKey::from(DsaKey::new(p, q, g, y).unwrap());
                assert_eq!(loaded.validate(Depth::Primes).unwrap(), []);
                key = Some(loaded);
            }
            [hash, message, r, s] => {
                let (r, s) = (natural(&format!("0x{r}")), natural(&format!("0x{s}")));
                let check = Check {
                    key: key.as_ref().unwrap(),
                    scheme: Scheme::Dsa(hash.parse().unwrap()),
                    message: Message::Raw(message.as_bytes()),
                    signature: Signature::Numbers(&r, &s),
                };
                assert!(verify(&check, Policy::Legacy).unwrap().is_valid(), "{line}");
                let other = Check { message: Message::Raw(b"other"), ..check };
                assert_eq!(verify(&other, Policy::Legacy).unwrap().reason(), Some(Reason::Mismatch));
                count += 1;
            }
            _ => panic!("{line}"),
        }
    }
    assert_eq!(count, 20);
}

fn rsa() -> (PublicKey, Vec<u8>) {
    (PublicKey::load(include_bytes!("data/rsa.pem")).unwrap(), include_bytes!("data/rsa.sig").to_vec())
}

#[test]
fn encodings_of_rsa() {
    let (key, signature) = rsa();
    let scheme = Scheme::RsaPkcs1(Hash::Sha256);
    let with = |bytes: &[u8], encoding| {
        let check = Check {
            key: &key,
            scheme,
            message: Message::Raw(b"Pingala\n"),
            signature: Signature::Bytes(bytes, encoding),
        };
        verify(&check, Policy::Strict).unwrap().reason()
    };
    let wire = |name: &str, blob: &[u8]| {
        let string = |bytes: &[u8]| [&(bytes.len() as u32).to_be_bytes(), bytes].concat();
        [string(name.as_bytes()), string(blob)].concat()
    };
    let mpi = {
        let number = Natural::from_be_bytes(&signature);
        [&(number.bits() as u16).to_be_bytes()[..], &number.to_be_bytes()].concat()
    };
    for (bytes, encoding) in [
        (signature.clone(), Encoding::Raw),
        (signature.clone(), Encoding::Der),
        (wire("rsa-sha2-256", &signature), Encoding::Ssh),
        (mpi.clone(), Encoding::OpenPgp),
    ] {
        assert_eq!(with(&bytes, encoding), None, "{encoding:?}");
        assert_eq!(with(&[&bytes[..], &[0]].concat(), encoding), Some(Reason::BadEncoding), "{encoding:?}");
        assert_eq!(with(&bytes[..bytes.len() - 1], encoding), Some(Reason::BadEncoding), "{encoding:?}");
        assert_eq!(with(&[], encoding), Some(Reason::BadEncoding));
    }
    assert_eq!(with(&vec![0xff; 256], Encoding::Raw), Some(Reason::OutOfRange));
    // In SSH's encoding zero bytes in front may be left away, in no other one; more bytes than n has are refused.
    assert_eq!(signature[0], 0);
    for (blob, said) in [
        (&signature[1..], None),
        (&signature[2..], Some(Reason::Mismatch)),
        (&[1][..], Some(Reason::Mismatch)),
        (&[][..], Some(Reason::BadEncoding)),
        (&[&[0][..], &signature].concat(), Some(Reason::BadEncoding)),
    ] {
        assert_eq!(with(&wire("rsa-sha2-256", blob), Encoding::Ssh), said);
    }
    assert_eq!(with(&signature[1..], Encoding::Lenient), Some(Reason::BadEncoding));
    assert_eq!(with(&[0; 256], Encoding::Raw), Some(Reason::Mismatch));
    let number = Natural::from_be_bytes(&signature);
    let check = Check { key: &key, scheme, message: Message::Raw(b"Pingala\n"), signature: Signature::Number(&number) };
    let verdict = verify(&check, Policy::Legacy).unwrap();
    assert!(verdict.is_valid() && verdict.weaknesses().is_empty());
    // The wrong number of numbers.
    let pair = Check { signature: Signature::Numbers(&number, &number), ..check };
    assert_eq!(verify(&pair, Policy::Legacy).unwrap().reason(), Some(Reason::BadEncoding));
    // Another padding.
    let pss = Scheme::RsaPss { hash: Hash::Sha256, mgf: Hash::Sha256, salt: Salt::Any };
    assert_eq!(verify(&Check { scheme: pss, ..check }, Policy::Legacy).unwrap().reason(), Some(Reason::Mismatch));
}

#[test]
fn encodings_of_dsa() {
    let (r, s) = (natural("0x80"), natural("0x7f"));
    let domain = Domain::new("encodings", 512, 64);
    let key = domain.key(&natural("5"));
    let reason = |bytes: &[u8], encoding| {
        let check = Check {
            key: &key,
            scheme: Scheme::Dsa(Hash::Sha1),
            message: Message::Raw(b""),
            signature: Signature::Bytes(bytes, encoding),
        };
        verify(&check, Policy::Legacy).unwrap().reason().unwrap()
    };
    // Read, and then wrong: the numbers are not the signature.
    let read =
        |bytes: &[u8], encoding| assert_eq!(reason(bytes, encoding), Reason::Mismatch, "{bytes:x?} {encoding:?}");
    let broken =
        |bytes: &[u8], encoding| assert_eq!(reason(bytes, encoding), Reason::BadEncoding, "{bytes:x?} {encoding:?}");
    let der = [0x30, 7, 2, 2, 0, 0x80, 2, 1, 0x7f];
    read(&der, Encoding::Der);
    read(&der, Encoding::Lenient);
    for (bytes, what) in [
        (&[0x30, 0x81, 7, 2, 2, 0, 0x80, 2, 1, 0x7f][..], "a long length"),
        (&[0x30, 8, 2, 3, 0, 0, 0x80, 2, 1, 0x7f], "a padded number"),
        (&[0x30, 6, 2, 1, 0x80, 2, 1, 0x7f], "a negative number"),
        (&[0x30, 7, 2, 2, 0, 0x80, 2, 1, 0x7f, 0], "bytes behind"),
    ] {
        assert_eq!(reason(bytes, Encoding::Der), Reason::BadEncoding, "{what}");
        read(bytes, Encoding::Lenient);
    }
    for end in 0..der.len() {
        broken(&der[..end], Encoding::Der);
        broken(&der[..end], Encoding::Lenient);
    }
    broken(&[0x30, 0x84, 0xff, 0xff, 0xff, 0xff, 2, 1, 1], Encoding::Lenient);
    broken(&[0x30, 0x80, 2, 1, 1, 2, 1, 1, 0, 0], Encoding::Lenient);
    // q has 64 bits: r and s have eight bytes each, and no other number of them.
    let wide = |width: usize| [&vec![0; width - 1][..], &[0x80], &vec![0; width - 1], &[0x7f]].concat();
    read(&wide(8), Encoding::Raw);
    for width in [1, 2, 7, 9, 20] {
        broken(&wide(width), Encoding::Raw);
    }
    broken(&wide(8)[..15], Encoding::Raw);
    broken(&[&wide(8)[..], &[0]].concat(), Encoding::Raw);
    broken(&[], Encoding::Raw);
    read(&[0, 8, 0x80, 0, 7, 0x7f], Encoding::OpenPgp);
    broken(&[0, 9, 0x80, 0, 7, 0x7f], Encoding::OpenPgp);
    broken(&[0, 8, 0x80, 0, 7, 0x7f, 0], Encoding::OpenPgp);
    let mut ssh = [&[0, 0, 0, 7][..], b"ssh-dss", &[0, 0, 0, 40], &[0; 40]].concat();
    ssh[34] = 1;
    assert_eq!(reason(&ssh, Encoding::Ssh), Reason::OutOfRange);
    ssh[54] = 1;
    read(&ssh, Encoding::Ssh);
    broken(&ssh[..50], Encoding::Ssh);
    let check = Check {
        key: &key,
        scheme: Scheme::Dsa(Hash::Sha1),
        message: Message::Raw(b""),
        signature: Signature::Numbers(&r, &s),
    };
    assert_eq!(verify(&check, Policy::Legacy).unwrap().reason(), Some(Reason::Mismatch));
    let wrong_width = Check { message: Message::Digest(&[0; 19]), ..check };
    assert!(matches!(verify(&wrong_width, Policy::Legacy), Err(Error::BadArgument(why)) if why.contains("19 bytes")));
    let (rsa, _) = rsa();
    assert!(matches!(verify(&Check { key: &rsa, ..check }, Policy::Legacy), Err(Error::BadArgument(_))));
}

#[test]
fn policies_and_weaknesses() {
    let domain = Domain::new("policy", 512, 128);
    let (key, digest) = (domain.key(&natural("77")), Hash::Sha1.digest(b"x"));
    let (r, s) = domain.sign(&natural("77"), &digest, "policy");
    let check = Check {
        key: &key,
        scheme: Scheme::Dsa(Hash::Sha1),
        message: Message::Raw(b"x"),
        signature: Signature::Numbers(&r, &s),
    };
    let verdict = verify(&check, Policy::Legacy).unwrap();
    assert!(verdict.is_valid());
    assert_eq!(verdict.weaknesses().to_string(), "short_key, sha1, odd_sizes");
    assert!(verdict.weaknesses().contains(Weaknesses::SHA1));
    let verdict = verify(&check, Policy::Strict).unwrap();
    assert_eq!((verdict.is_valid(), verdict.reason()), (false, Some(Reason::Policy)));
    // A sound key with SHA-1: nothing but the policy `modern` refuses it.
    let (rsa, signature) = rsa();
    for (hash, legacy) in [(Hash::Sha1, Some(Reason::Mismatch)), (Hash::Sha256, None)] {
        let check = Check::new(&rsa, Scheme::RsaPkcs1(hash), b"Pingala\n", &signature);
        for policy in ["legacy", "strict", "modern"] {
            let refused = policy == "modern" && hash == Hash::Sha1;
            let verdict = verify(&check, policy.parse().unwrap()).unwrap();
            assert_eq!(verdict.reason(), if refused { Some(Reason::Policy) } else { legacy }, "{policy} {hash}");
        }
    }
    let weak: Weaknesses = "sha1, short_key".parse().unwrap();
    assert!(weak.contains(Weaknesses::SHA1) && !weak.contains(Weaknesses::ODD_SIZES) && !weak.is_empty());
    assert!("sha2".parse::<Weaknesses>().unwrap_err().to_string().contains("`sha2`; there are short_key, sha1"));
    // A key that is too short for the padding of its hash function.
    let short = RsaKey::new(number("n", 384), natural("3")).unwrap().into();
    let check = Check::new(&short, Scheme::RsaPkcs1(Hash::Sha512), b"", &[0; 48]);
    let verdict = verify(&check, Policy::Legacy).unwrap();
    assert_eq!(verdict.reason(), Some(Reason::KeyTooShort));
    assert_eq!(verdict.weaknesses().to_string(), "short_key, odd_sizes, small_exponent");
}

#[test]
fn keys_are_refused_with_the_reason() {
    let domain = Domain::new("keys", 512, 128);
    let numbers =
        || [domain.p.value().clone(), domain.q.value().clone(), domain.g.magnitude().clone(), natural("0x10001")];
    let refused = |change: fn(&mut [Natural; 4]), why: &str| {
        let mut changed = numbers();
        change(&mut changed);
        let [p, q, g, y] = changed;
        let error = DsaKey::new(p, q, g, y).unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
    };
    refused(|n| n[0] = add(&n[0], &1u64.into()), "p of a DSA key is even");
    refused(|n| n[1] = 2u64.into(), "q of a DSA key is even");
    refused(|n| n[1] = n[0].clone(), "q of a DSA key is not below p");
    refused(|n| n[2] = 1u64.into(), "g of a DSA key");
    refused(|n| n[3] = 1u64.into(), "y of a DSA key");
    refused(|n| n[3] = n[0].clone(), "y of a DSA key");
    refused(|n| n[0] = number("long", 10_048), "over the cap of 10000");
    assert!(RsaKey::new(number("long", 16_448), natural("3")).unwrap_err().to_string().contains("over the cap"));
    // A long e of a long n would cost as much as a signature: 64 bits, as OpenSSL has it.
    for (n, e, fits) in [(3072, 3008, true), (3136, 64, true), (3136, 128, false), (16_384, 16_320, false)] {
        let key = RsaKey::new(number("n", n), number("e", e));
        assert_eq!(
            key.as_ref().map_or_else(Error::code, |_| "fine"),
            if fits { "fine" } else { "too_long" },
            "{n} {e}"
        );
    }
    assert!(RsaKey::new(number("n", 512), natural("1")).is_err());
    assert!(RsaKey::new(number("n", 512), natural("4")).is_err());
    assert!(RsaKey::new(natural("0x10000000000000000"), natural("3")).is_err());
    // y outside of the subgroup, q that does not divide, composites.
    let [p, q, g, y] = numbers();
    let key = PublicKey::from(DsaKey::new(p.clone(), q, g.clone(), y).unwrap());
    assert_eq!(key.validate(Depth::Ranges).unwrap(), []);
    assert_eq!(key.validate(Depth::Subgroup).unwrap(), [Defect::PublicValueNotInSubgroup]);
    let other = PublicKey::from(DsaKey::new(p, number("q of its own", 128), g.clone(), g).unwrap());
    let defects = other.validate(Depth::Primes).unwrap();
    assert!(defects.contains(&Defect::OrderDoesNotDivide) && defects.contains(&Defect::OrderNotPrime), "{defects:?}");
    let prime = PublicKey::from(RsaKey::new(domain.p.value().clone(), natural("3")).unwrap());
    assert_eq!(prime.validate(Depth::Primes).unwrap(), [Defect::ModulusPrime]);
    let small = PublicKey::from(RsaKey::new(natural("1000000000000000000000000000005"), natural("3")).unwrap());
    assert_eq!(small.validate(Depth::Primes).unwrap(), [Defect::SmallFactor]);
    // 2^127 - 1 squared, 2^61 - 1 to the third power, and the square of a product.
    for (n, defects) in [
        ("0x3fffffffffffffffffffffffffffffff00000000000000000000000000000001", vec![Defect::ModulusPower]),
        ("0x7ffffffffffffff4000000000000005fffffffffffffff", vec![Defect::ModulusPower]),
        ("1000000032000000382000002016000003969", vec![Defect::ModulusPower]),
    ] {
        let key = PublicKey::from(RsaKey::new(natural(n), natural("3")).unwrap());
        assert_eq!(key.validate(Depth::Primes).unwrap(), defects, "{n}");
        assert_eq!(key.validate(Depth::Subgroup).unwrap(), []);
    }
    assert_eq!(rsa().0.validate(Depth::Primes).unwrap(), []);
    for broken in [
        &b""[..],
        b"-----BEGIN PUBLIC KEY-----\n",
        b"ssh-rsa AAAA",
        b"ssh-ed25519 AAAA",
        b"\x30\x03\x02\x01\x05",
        &[0xff; 100],
    ] {
        let error = PublicKey::load(broken).unwrap_err();
        assert!(error.to_string().contains("not a public key"), "{error}");
    }
    // Every truncation of a sound key is an error.
    let pem = String::from_utf8(include_bytes!("data/rsa.pem").to_vec()).unwrap();
    let (_, der) = pem_rfc7468::decode_vec(pem.as_bytes()).unwrap();
    assert_eq!(PublicKey::load(&der).unwrap(), rsa().0);
    let pem = include_str!("data/rsa.pem");
    let noted = format!("\u{feff}a note: \u{e9}\n{pem}\n\n-----BEGIN CERTIFICATE-----\n");
    assert_eq!(PublicKey::load(noted.as_bytes()).unwrap(), rsa().0);
    assert!((0..der.len()).all(|end| PublicKey::load(&der[..end]).is_err()));
}
