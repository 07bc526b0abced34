//! `pingala verify`.

use crate::common::{Folder, feed, run};
use serde_json::{Value, json};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../pingala-verify/tests/data");

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn data(name: &str) -> Vec<u8> {
    std::fs::read(format!("{DATA}/{name}")).unwrap()
}

/// Signatures of RSA with the key as a file, as text and as an option; good and bad rows among them.
#[test]
fn rsa_in_json_lines() {
    let (key, pem, signature) = (format!("{DATA}/rsa.pem"), data("rsa.pem"), hex(&data("rsa.sig")));
    let pem = String::from_utf8(pem).unwrap();
    let rows = [
        json!({"id": "a", "key": key, "signature": signature, "message": "Pingala\n"}),
        json!({"key": pem, "signature": signature, "message": "Pingala"}),
        json!({"signature": signature, "message_hex": "50696e67616c610a", "expected": true}),
        json!({"signature": &signature[2..], "message": "", "expected": false}),
        json!({"key": "/nowhere/key.pem", "signature": signature, "message": ""}),
        json!({"signature": "0g", "message": ""}),
        json!({"message": ""}),
        json!({"signature": signature, "digest": "00"}),
    ];
    let mut input: String = rows.iter().map(|row| format!("{row}\n")).collect();
    input += "\nnonsense\n";
    let ran = feed(&["verify", "-", "--output", "-", "--key", &key, "--scheme", "rsa-pkcs1"], &input);
    let first = "the first, line 5: cannot read /nowhere/key.pem: No such file or directory";
    let summary = format!("pingala: 2 valid, 2 not valid, 5 errors; {first}\n");
    assert_eq!((ran.status, &ran.err), (4, &summary), "{}", ran.out);
    let got = ran.rows();
    assert_eq!(got[0], json!({"id": "a", "valid": true, "weaknesses": []}));
    assert_eq!(got[1], json!({"id": 2, "valid": false, "reason": "mismatch", "weaknesses": []}));
    assert_eq!(got[2], json!({"id": 3, "valid": true, "weaknesses": [], "match": true}));
    assert_eq!(got[3], json!({"id": 4, "valid": false, "reason": "bad_encoding", "weaknesses": [], "match": true}));
    let codes: Vec<&Value> = got[4..].iter().map(|row| &row["error"]["code"]).collect();
    assert_eq!(codes, ["bad_file", "bad_row", "bad_row", "bad_argument", "bad_row"]);
    assert_eq!(got[8]["error"]["line"], 10);
    // RSA has two schemes, and none is taken for granted.
    let ran = feed(&["verify", "-", "--output", "-", "--key", &key], format!("{}\n", rows[2]));
    assert_eq!(ran.status, 3);
    let why = "1 error; the first, line 1: a key of RSA needs a scheme: --scheme rsa-pkcs1 or rsa-pss";
    assert!(ran.err.contains(why), "{}", ran.err);
    // The first lines alone, to a file, twice.
    let folder = Folder::new();
    let (input, output) = (folder.file("in.jsonl", format!("{}\n", rows[0])), folder.path("out"));
    let arguments = ["verify", &input, "--output", &output, "--scheme", "rsa-pkcs1", "--quiet", "--policy", "strict"];
    let ran = run(&arguments);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert!(std::fs::read_to_string(&output).unwrap().contains("\"valid\":true"));
    assert_eq!(run(&arguments).status, 1);
    let explained = run(&["verify", &input, "--scheme", "rsa-pkcs1", "--explain"]);
    assert!(explained.out.contains("rsa 2048: 1 with exponents of 17 bits"), "{}", explained.out);
}

/// The keys and signatures of RFC 6979 as numbers in CSV.
#[test]
fn dsa_in_csv() {
    let text = String::from_utf8(data("rfc6979.txt")).unwrap();
    let (mut input, mut key) = (String::from("p,q,g,y,r,s,message,hash,expected\n"), String::new());
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["key", ..] => key = words[1..].iter().map(|word| format!("0x{word},")).collect(),
            [hash, message, r, s] => {
                input += &format!("{key}0x{r},0x{s},{message},{hash},true\n");
                input += &format!("{key}0x{r},0x{s},\"other, too\",{hash},false\n");
            }
            _ => panic!("{line}"),
        }
    }
    let ran = feed(&["verify", "-", "--output", "-"], &input);
    assert_eq!((ran.status, ran.err.as_str()), (0, "pingala: 20 valid, 20 not valid, 0 errors\n"), "{}", ran.out);
    assert!(ran.rows().iter().all(|row| row["match"] == true));
    let errors = feed(&["verify", "-", "--output", "-"], "p,q,g,y,r,s,message\n4,3,2,2,1,1,x\n1,2\n");
    assert_eq!((errors.status, errors.rows().len()), (3, 2));
}

#[test]
fn settings_are_checked() {
    for (arguments, why) in [
        (&["verify", "-", "--output", "-", "--hash", "md5"][..], "no hash function `md5`"),
        (&["verify", "-", "--output", "-", "--encoding", "pem"], "no encoding `pem`"),
        (&["verify", "-", "--output", "-", "--policy", "none"], "no policy `none`"),
        (&["verify", "-", "--output", "-", "--scheme", "ecdsa"], "--scheme"),
        (&["verify", "-"], "--output"),
    ] {
        let ran = run(arguments);
        assert_eq!(ran.status, 2, "{}", ran.err);
        assert!(ran.err.contains(why), "{}", ran.err);
    }
    let ran = run(&["verify", "/nowhere/in.csv", "--output", "-"]);
    assert!(ran.status == 1 && ran.err.contains("cannot read /nowhere/in.csv"), "{}", ran.err);
    let ran = feed(&["verify", "-", "--output", "-"], "a,b\n1,2\n");
    assert!(ran.status == 1 && ran.err.contains("names no column signature"), "{}", ran.err);
}
