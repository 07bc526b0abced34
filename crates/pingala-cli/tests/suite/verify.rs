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
        json!({"id": "a", "key": "rsa.pem", "signature": signature, "message": "Pingala\n"}),
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
    let keys = ["--key", &key, "--key-folder", DATA];
    let ran = feed(&[&["verify", "-", "--output", "-", "--scheme", "rsa-pkcs1"], &keys[..]].concat(), &input);
    let first = "first error: line 5: key: cannot read '/nowhere/key.pem': no ordinary file has this name below the folder of the keys";
    let codes = "1 bad_argument, 1 bad_file, 3 bad_row";
    let summary = format!(
        "pingala: 2 valid, 2 not valid, 5 errors\npingala: not valid by reason: 1 bad_encoding, 1 mismatch\npingala: {first}\npingala: errors by code: {codes}\n"
    );
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
    let why = "1 error\npingala: first error: line 1: a key of RSA needs a scheme: --scheme rsa-pkcs1 or rsa-pss";
    assert!(ran.err.contains(why), "{}", ran.err);
    // Only the first lines, to a file, twice.
    let folder = Folder::new();
    let (input, output) = (folder.file("in.jsonl", format!("{}\n", rows[0])), folder.path("out"));
    let mut arguments = vec!["verify", &input, "--output", &output, "--scheme", "rsa-pkcs1", "--policy", "strict"];
    arguments.extend(["--quiet", "--key-folder", DATA]);
    let ran = run(&arguments);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert!(std::fs::read_to_string(&output).unwrap().contains("\"valid\":true"));
    assert_eq!(run(&arguments).status, 1);
    let explained = run(&["verify", &input, "--scheme", "rsa-pkcs1", "--explain", "--key-folder", DATA]);
    assert!(explained.out.contains("rsa 2048: 1 with exponents of 17 bits"), "{}", explained.out);
    assert!(explained.out.starts_with("of the first "), "{}", explained.out);
    let many = "{\"signature\":\"00\",\"message\":\"x\",\"n\":51195,\"e\":17}\n".repeat(4090) + &"{}\n".repeat(5000);
    let explained = feed(&["verify", "-", "--scheme", "rsa-pkcs1", "--explain"], &many);
    assert!(explained.out.starts_with("of the first 4,096 rows: 4,090 signatures, 6 errors\n"), "{}", explained.out);
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
    let summary =
        "pingala: 20 valid, 20 not valid, 0 errors\npingala: not valid by reason: 20 mismatch\npingala: weaknesses: ";
    assert!(ran.status == 0 && ran.err.starts_with(summary), "{} {}", ran.err, ran.out);
    assert!(ran.rows().iter().all(|row| row["match"] == true));
    let errors = feed(&["verify", "-", "--output", "-"], "p,q,g,y,r,s,message\n4,3,2,2,1,1,x\n1,2\n");
    assert_eq!((errors.status, errors.rows().len()), (3, 2));
}

/// n and e of the key of the tests, as hexadecimal.
fn rsa_numbers() -> (String, String) {
    // RSAPublicKey at the end of SubjectPublicKeyInfo: n of 256 bytes behind a zero, e of three.
    let pem = String::from_utf8(data("rsa.pem")).unwrap();
    let base64: String = pem.lines().filter(|line| !line.starts_with('-')).collect();
    let der = pingala_verify::base64(&base64).unwrap();
    let end = der.len();
    (hex(&der[end - 5 - 256..end - 5]), hex(&der[end - 3..]))
}

/// Keys by name, by text and by number are remembered apart: whatever a row calls its key, the rows behind it have the keys that they
/// name.
#[test]
fn no_row_has_a_say_in_the_key_of_another() {
    let folder = Folder::new();
    let signature = hex(&data("rsa.sig"));
    let (n, e) = rsa_numbers();
    let (n, e) = (format!("0x{n}"), format!("0x{e}"));
    let good = json!({"n": n, "e": e, "signature": signature, "message": "Pingala\n"});
    let mut bad = good.clone();
    bad["message"] = "Pingala".into();
    let names = [format!("    {n} {e}"), format!("{n} {e}"), format!("{n},{e}"), n.clone(), " ".into()];
    for name in names {
        // If the file system has such names, the file is there and is no key.
        let has_file = std::fs::write(folder.path(&name), "no key").is_ok();
        let poison = json!({"key": name, "signature": signature, "message": "Pingala\n"});
        for rows in [[&poison, &good, &bad], [&good, &poison, &bad]] {
            let input: String = rows.iter().map(|row| format!("{row}\n")).collect();
            let place = rows.iter().position(|row| **row == poison).unwrap();
            for more in [&[][..], &["--key-folder", &folder.path("")]] {
                let arguments = [&["verify", "-", "--output", "-", "--scheme", "rsa-pkcs1"], more].concat();
                let got = feed(&arguments, &input).rows();
                assert!(got[place].get("error").is_some(), "{name} {has_file} {got:?}");
                assert_eq!(got[if place == 0 { 1 } else { 0 }]["valid"], true, "{name} {got:?}");
                assert_eq!(got[2]["valid"], false, "{name} {got:?}");
            }
        }
    }
    // Two keys in a row are none.
    let mut two = good.clone();
    two["key"] = String::from_utf8(data("rsa.pem")).unwrap().into();
    let ran = feed(&["verify", "-", "--output", "-", "--scheme", "rsa-pkcs1"], format!("{two}\n"));
    assert!(ran.status == 3 && ran.out.contains("two keys"), "{}", ran.out);
}

/// Only a row without a key has that of `--key`: a field that is not there, a null, and an empty field of CSV, which has no other way to
/// say it. Empty text of JSON or Parquet is a key that cannot be read, also beside another one.
#[test]
fn an_empty_key_is_not_the_default_one() {
    let folder = Folder::new();
    let (key, signature) = (format!("{DATA}/rsa.pem"), hex(&data("rsa.sig")));
    let pem = String::from_utf8(data("rsa.pem")).unwrap();
    let numbers = ["p", "q", "g", "y", "n", "e"];
    let row = |names: &[&str], value: &Value| {
        let mut row = json!({"signature": signature, "message": "Pingala\n"});
        names.iter().for_each(|name| row[name] = value.clone());
        row
    };
    let verify = |input: &str| run(&["verify", input, "-o", "-", "-q", "--scheme", "rsa-pkcs1", "--key", &key]).rows();
    let names = [&["key"][..], &["n"], &["e"], &["n", "e"], &["p", "q", "g", "y"], &numbers];
    let with_key = |names: &[&str]| {
        let mut row = row(names, &"".into());
        row["key"] = pem.clone().into();
        row
    };
    let empty = names.iter().map(|names| row(names, &"".into()));
    let empty: String = empty.chain([with_key(&["n"]), with_key(&numbers)]).map(|row| format!("{row}\n")).collect();
    let got = verify(&folder.file("empty.jsonl", &empty));
    assert_eq!(got.len(), names.len() + 2);
    assert!(got.iter().all(|row| row["error"].is_object()), "{got:?}");
    let absent: String = names.iter().map(|names| format!("{}\n", row(names, &Value::Null))).collect();
    let absent = folder.file("absent.jsonl", absent);
    let csv = format!("key,n,e,signature,message_hex\n,,,{signature},50696e67616c610a\n");
    for input in [&absent, &folder.file("absent.csv", csv)] {
        assert!(verify(input).iter().all(|row| row["valid"] == true), "{input}");
    }
    // The same texts and nulls in Parquet.
    for (input, is_valid) in [(&folder.path("empty.jsonl"), false), (&absent, true)] {
        let output = folder.path(if is_valid { "nulls" } else { "texts" });
        let keep = "key,p,q,g,y,n,e,signature,message";
        let power = ["--base", "value:2", "--exponent", "value:2", "--modulus", "value:7", "-q"];
        assert_eq!(run(&[&["job", "run", input, "-o", &output, "--keep", keep], &power[..]].concat()).status, 0);
        let got = verify(&format!("{output}/part-00000.parquet"));
        assert!(got.len() >= names.len() && got.iter().all(|row| (row["valid"] == true) == is_valid), "{got:?}");
    }
}

/// A column of Parquet that is an option of the run is refused as that, whatever its type.
#[test]
fn a_column_that_is_an_option_is_named_as_one() {
    let folder = Folder::new();
    let signature = hex(&data("rsa.sig"));
    let input = folder.file("in.csv", format!("signature,message,x\n{signature},x,1\n"));
    let output = folder.path("out");
    // A column of truth values: whether each signature is valid.
    let job = [
        "job",
        "run",
        &input,
        "-o",
        &output,
        "--verify",
        "rsa-pkcs1",
        "--signature",
        "signature",
        "--message",
        "message",
    ];
    let key = format!("@{DATA}/rsa.pem");
    let more = ["--key", &key, "--keep", "signature", "--result", "policy", "-q"];
    let ran = run(&[&job[..], &more].concat());
    assert_eq!(ran.status, 0, "{}", ran.err);
    let ran = run(&["verify", &format!("{output}/part-00000.parquet"), "-o", "-"]);
    let why = "policy is no field of a row; the option --policy says it for all rows";
    assert!(ran.status == 1 && ran.err.contains(why), "{}{}", ran.out, ran.err);
}

/// Rows name no files unless a folder is allowed, and then only those below it. The error is the same for all other names.
#[cfg(unix)]
#[test]
fn rows_name_files_below_one_folder() {
    let folder = Folder::new();
    let (top, keys) = (folder.path(""), folder.path("keys"));
    std::fs::create_dir_all(format!("{keys}/deep")).unwrap();
    std::fs::write(format!("{keys}/deep/a.pem"), data("rsa.pem")).unwrap();
    std::fs::write(format!("{keys}/long.pem"), vec![b' '; (1 << 20) + 1]).unwrap();
    folder.file("outside.pem", data("rsa.pem"));
    std::os::unix::fs::symlink(folder.path("outside.pem"), format!("{keys}/link.pem")).unwrap();
    std::os::unix::fs::symlink(&top, format!("{keys}/up")).unwrap();
    for pipe in [format!("{keys}/pipe"), folder.path("pipe")] {
        assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
    }
    let outside = folder.path("outside.pem");
    let names = [
        "deep/a.pem",
        "long.pem",
        "link.pem",
        "up/outside.pem",
        "pipe",
        "../pipe",
        "../outside.pem",
        "deep/../deep/a.pem",
        &outside,
        "/dev/zero",
        "/dev/stdin",
        "/etc/passwd",
        "/nowhere",
        "..",
        "deep",
        "nothing",
    ];
    let row = |name: &str| json!({"key": name, "signature": hex(&data("rsa.sig")), "message": "Pingala\n"});
    let input: String = names.iter().map(|name| format!("{}\n", row(name))).collect();
    let verify = |more: &[&str]| {
        feed(&[&["verify", "-", "--output", "-", "--scheme", "rsa-pkcs1"], more].concat(), &input).rows()
    };
    let told = |got: &[Value], names: &[&str]| {
        let error = |(row, name): (&Value, &&str)| {
            let message = row["error"]["message"].as_str().unwrap();
            format!("{} {}", row["error"]["code"], message.replace(name, "NAME"))
        };
        let mut told: Vec<String> = got.iter().zip(names).map(error).collect();
        told.dedup();
        told
    };
    let without = verify(&[]);
    assert_eq!(without.len(), names.len());
    assert_eq!(told(&without, &names).len(), 1, "{without:?}");
    let with = verify(&["--key-folder", &keys]);
    assert_eq!(with[0]["valid"], true, "{with:?}");
    assert!(with[1]["error"]["message"].as_str().unwrap().contains("longer than 1048576 bytes"), "{with:?}");
    assert_eq!(told(&with[2..], &names[2..]).len(), 1, "{with:?}");
    let ran = feed(&["verify", "-", "--output", "-", "--key-folder", &outside], &input);
    assert_eq!(ran.status, 1, "{}", ran.err);
}

/// A key that the command line names may be a pipe, and has an end.
#[cfg(unix)]
#[test]
fn a_key_file_is_read_up_to_a_cap() {
    for arguments in [
        &["verify", "-", "--output", "-", "--key", "/dev/zero"][..],
        &[
            "job",
            "run",
            "none",
            "-o",
            "none",
            "--verify",
            "dsa",
            "--signature",
            "s",
            "--message",
            "m",
            "--key",
            "@/dev/zero",
        ],
    ] {
        let ran = run(arguments);
        assert!(ran.status == 1 && ran.err.contains("longer than 1048576 bytes"), "{}", ran.err);
        let ran = run(&arguments.iter().map(|word| if *word == "/dev/zero" { DATA } else { word }).collect::<Vec<_>>());
        assert_eq!(ran.status, 1);
    }
    let (folder, row) = (Folder::new(), json!({"signature": hex(&data("rsa.sig")), "message": "Pingala\n"}));
    let input = folder.file("in.jsonl", format!("{row}\n"));
    let arguments = ["verify", &input, "--output", "-", "--scheme", "rsa-pkcs1", "--key", "/dev/stdin"];
    assert_eq!(feed(&arguments, data("rsa.pem")).status, 0);
}

#[test]
fn settings_are_checked() {
    for (arguments, why) in [
        (&["verify", "-", "--output", "-", "--hash", "md5"][..], "no hash function `md5`"),
        (&["verify", "-", "--output", "-", "--encoding", "pem"], "no encoding `pem`"),
        (&["verify", "-", "--output", "-", "--policy", "none"], "no policy `none`"),
        (&["verify", "-", "--output", "-", "--scheme", "ecdsa"], "--scheme"),
        (&["verify", "-"], "--output"),
        (&["verify", "-", "--output", "-", "--salt", "x"], "expected a whole number from 0 to 65536"),
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

/// A gate can refuse weak signatures, and an input that holds none.
#[test]
fn weaknesses_can_be_refused() {
    let row = json!({"signature": hex(&data("rsa.sig")), "message": "Pingala\n"});
    let (n, _) = rsa_numbers();
    let small = json!({"n": format!("0x{n}"), "e": 3, "signature": hex(&data("rsa.sig")), "message": "Pingala\n"});
    let key = format!("{DATA}/rsa.pem");
    let verify = |more: &[&str], input: &str| {
        feed(&[&["verify", "-", "--output", "-", "--scheme", "rsa-pkcs1", "--key", &key], more].concat(), input)
    };
    let ran = verify(&["--fail-on", "sha1,short_key"], &format!("{row}\n"));
    assert_eq!((ran.status, ran.err.as_str()), (0, "pingala: 1 valid, 0 not valid, 0 errors\n"));
    // Not valid, and also weak.
    let ran = verify(&["--fail-on", "small_exponent"], &format!("{row}\n{small}\n"));
    let summary = "pingala: 1 valid, 1 not valid, 0 errors\npingala: not valid by reason: 1 mismatch\npingala: weaknesses: 1 small_exponent\n";
    assert_eq!((ran.status, ran.err.as_str()), (4, summary));
    // DSA with SHA-1, of 1024 bits.
    let text = String::from_utf8(data("rfc6979.txt")).unwrap();
    let mut lines = text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(' ').collect::<Vec<_>>());
    let key = lines.next().unwrap();
    let sha1 = lines.find(|words| words[0] == "sha1").unwrap();
    let hex = |text: &str| format!("0x{text}");
    let mut row = json!({"p": hex(key[1]), "q": hex(key[2]), "g": hex(key[3]), "y": hex(key[4]), "hash": "sha1", "message": sha1[1]});
    (row["r"], row["s"]) = (hex(sha1[2]).into(), hex(sha1[3]).into());
    let mut expected = row.clone();
    expected["expected"] = true.into();
    let input = format!("{row}\n{expected}\n");
    let verify = |more: &[&str]| feed(&[&["verify", "-", "--output", "-"], more].concat(), &input);
    let ran = verify(&[]);
    assert_eq!(ran.status, 0);
    let weaknesses = "pingala: 2 valid, 0 not valid, 0 errors\npingala: weaknesses: 2 sha1, 2 short_key\n";
    assert_eq!(ran.err, weaknesses);
    for (more, names) in
        [("sha1", json!(["sha1"])), ("short_key,sha1", json!(["short_key", "sha1"])), ("small_exponent", Value::Null)]
    {
        let ran = verify(&["--fail-on", more]);
        let fails = !names.is_null();
        assert_eq!(ran.status, if fails { 4 } else { 0 }, "{more}");
        assert!(ran.rows().iter().all(|row| row["valid"] == true && row["fails_on"] == names), "{}", ran.out);
        assert_eq!(ran.err.contains("valid, but refused by --fail-on: 2\n"), fails, "{}", ran.err);
    }
    let ran = verify(&["--fail-on", "md5"]);
    assert!(
        ran.status == 2 && ran.err.contains("there is no weakness `md5`; there are short_key, sha1"),
        "{}",
        ran.err
    );
    let folder = Folder::new();
    for (name, text) in [("in.jsonl", ""), ("in.csv", "signature,message\n"), ("blank.jsonl", "\n \n")] {
        let (input, output) = (folder.file(name, text), folder.path("out"));
        let ran = run(&["verify", &input, "--output", &output, "--quiet"]);
        assert!(ran.status == 1 && ran.err.contains(&format!("{input} holds no signature")), "{}", ran.err);
        assert!(!std::path::Path::new(&output).exists());
    }
}
