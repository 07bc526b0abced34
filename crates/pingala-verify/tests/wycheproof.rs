//! Project Wycheproof's signatures: one by one, and every file as one list.

use pingala_core::Options;
use pingala_verify::{Check, Encoding, Hash, Message, Policy, PublicKey, Salt, Scheme, Signature, verify, verify_list};
use wycheproof::TestResult;

/// A signature and what is expected of it.
struct Case {
    name: String,
    key: PublicKey,
    scheme: Scheme,
    message: Vec<u8>,
    signature: Vec<u8>,
    encoding: Encoding,
    expected: TestResult,
}

fn hash(of: &impl std::fmt::Debug) -> Option<Hash> {
    format!("{of:?}").replace("Sha2_", "sha").parse().ok()
}

/// Each single verdict is as expected, and the list has the same ones. Returns how many were valid.
fn check(cases: &[Case]) -> usize {
    let mut checks = Vec::new();
    for case in cases {
        checks.push(Check {
            key: &case.key,
            scheme: case.scheme,
            message: Message::Raw(&case.message),
            signature: Signature::Bytes(&case.signature, case.encoding),
        });
    }
    let listed = verify_list(&checks, Policy::Legacy, &Options::default()).unwrap();
    assert_eq!(listed.len(), cases.len());
    let mut valid = 0;
    for ((case, check), listed) in cases.iter().zip(&checks).zip(listed) {
        let single = verify(check, Policy::Legacy).unwrap();
        assert_eq!(Ok(single), listed, "{}", case.name);
        match case.expected {
            TestResult::Valid => assert!(single.is_valid(), "{}: {:?}", case.name, single.reason()),
            TestResult::Invalid => assert!(!single.is_valid(), "{}", case.name),
            TestResult::Acceptable => {}
        }
        valid += usize::from(single.is_valid());
    }
    valid
}

#[test]
fn dsa() {
    use wycheproof::dsa::{TestName, TestSet};
    let (mut count, mut valid) = (0, 0);
    for name in TestName::all() {
        let mut cases = Vec::new();
        for group in TestSet::load(name).unwrap().test_groups {
            let key = PublicKey::load(&group.der).unwrap();
            assert_eq!(key, PublicKey::load(group.pem.as_bytes()).unwrap());
            let encoding = if format!("{name:?}").ends_with("P1363") { Encoding::Raw } else { Encoding::Der };
            for test in group.tests {
                cases.push(Case {
                    name: format!("{name:?} {}", test.tc_id),
                    key: key.clone(),
                    scheme: Scheme::Dsa(hash(&group.hash).unwrap()),
                    message: test.msg.to_vec(),
                    signature: test.sig.to_vec(),
                    encoding,
                    expected: test.result,
                });
            }
        }
        count += cases.len();
        valid += check(&cases);
    }
    assert_eq!((count, valid > 200), (1_956, true), "{valid} valid");
}

#[test]
fn rsa_pkcs1() {
    use wycheproof::rsa_pkcs1_verify::{TestName, TestSet};
    let (mut cases, mut count) = (Vec::new(), 0);
    for name in TestName::all() {
        for group in TestSet::load(name).unwrap().test_groups {
            let key = PublicKey::load(&group.der).unwrap();
            assert_eq!(key, PublicKey::load(group.pem.as_bytes()).unwrap());
            assert_eq!(key, PublicKey::load(&group.asn_key).unwrap());
            for test in group.tests {
                count += 1;
                cases.push(Case {
                    name: format!("{name:?} {}", test.tc_id),
                    key: key.clone(),
                    scheme: Scheme::RsaPkcs1(hash(&group.hash).unwrap()),
                    message: test.msg.to_vec(),
                    signature: test.sig.to_vec(),
                    encoding: Encoding::Raw,
                    expected: test.result,
                });
            }
        }
    }
    // All files in one list.
    assert!(count > 6_000 && check(&cases) > 100, "{count}");
}

#[test]
fn rsa_pss() {
    use wycheproof::rsa_pss_verify::{TestName, TestSet};
    let (mut cases, mut left_out) = (Vec::new(), 0);
    for name in TestName::all() {
        for group in TestSet::load(name).unwrap().test_groups {
            let key = PublicKey::load(&group.der).unwrap();
            let mgf = group.mgf_hash.as_ref().map_or_else(|| hash(&group.hash), hash);
            let (Some(hash), Some(mgf)) = (hash(&group.hash), mgf) else {
                // SHAKE, which is not supported.
                left_out += group.tests.len();
                continue;
            };
            for test in group.tests {
                cases.push(Case {
                    name: format!("{name:?} {}", test.tc_id),
                    key: key.clone(),
                    scheme: Scheme::RsaPss { hash, mgf, salt: Salt::Bytes(group.salt_size) },
                    message: test.msg.to_vec(),
                    signature: test.sig.to_vec(),
                    encoding: Encoding::Raw,
                    expected: test.result,
                });
            }
        }
    }
    assert!(cases.len() > 2_500 && left_out < 1_000, "{} cases, {left_out} left out", cases.len());
    assert!(check(&cases) > 500);
}
