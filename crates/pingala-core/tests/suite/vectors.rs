//! Every shipped vector through the public API, one by one and as a list.

use pingala_core::{Error, Integer, Job, Modulus, Natural, Options, modexp, pow_list, powmod};
use serde_json::Value;
use std::path::Path;

struct Vector {
    id: String,
    base: Integer,
    exponent: Integer,
    modulus: Natural,
    /// None if an error is expected.
    expected: Option<Natural>,
}

/// Reads a file of vectors/.
fn read(name: &str) -> Vec<Vector> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let vectors: Vec<Vector> = text
        .lines()
        .map(|line| {
            let row: Value = serde_json::from_str(line).unwrap();
            let field = |name: &str| row[name].as_str().unwrap();
            let expected = field("expected");
            Vector {
                id: field("id").to_string(),
                base: field("base").parse().unwrap(),
                exponent: field("exponent").parse().unwrap(),
                modulus: field("modulus").parse().unwrap(),
                expected: (expected != "error").then(|| expected.parse().unwrap()),
            }
        })
        .collect();
    assert!(!vectors.is_empty());
    vectors
}

fn check(vectors: &[Vector]) {
    for vector in vectors {
        let result = powmod(&vector.base, &vector.exponent, &vector.modulus);
        match (&vector.expected, &result) {
            (Some(expected), Ok(result)) => assert_eq!(result, expected, "{}", vector.id),
            (None, Err(Error::NotInvertible | Error::ZeroModulus)) => {}
            _ => panic!("{}: expected {:?}, got {result:?}", vector.id, vector.expected),
        }
        if !vector.base.is_negative() && !vector.exponent.is_negative() && !vector.modulus.is_zero() {
            let bytes = modexp(
                &vector.base.magnitude().to_be_bytes(),
                &vector.exponent.magnitude().to_be_bytes(),
                &vector.modulus.to_be_bytes(),
            );
            assert_eq!(Some(Natural::from_be_bytes(&bytes)), vector.expected, "{} as bytes", vector.id);
        }
    }
    let rows: Vec<(&Vector, Modulus)> =
        vectors.iter().filter_map(|vector| Some((vector, Modulus::new(vector.modulus.clone()).ok()?))).collect();
    let jobs: Vec<Job<'_>> =
        rows.iter().map(|(vector, modulus)| Job { base: &vector.base, exponent: &vector.exponent, modulus }).collect();
    let answers = pow_list(&jobs, &Options::default()).unwrap();
    assert_eq!(answers.len(), rows.len());
    for ((vector, _), answer) in rows.iter().zip(answers) {
        assert_eq!(answer.ok(), vector.expected, "{} in a list", vector.id);
    }
}

#[test]
fn published_bugs() {
    check(&read("pow_bugs.jsonl"));
}

#[test]
fn edges() {
    check(&read("edges.jsonl"));
}

#[test]
fn root_certificates() {
    check(&read("mozilla_rsa_roots.jsonl"));
}

#[test]
fn key_agreements() {
    check(&read("rfc3526_agreements.jsonl"));
}
