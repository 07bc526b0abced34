//! Files of keys as people have them, and what is no key at all.

use pingala_verify::PublicKey;
use std::sync::mpsc;
use std::time::Duration;

/// Ends a test that would go on for most of an hour.
const HANGS: Duration = Duration::from_secs(600);

/// The block of a PEM as people have it: lines of any width, any ends, blanks, text around, other blocks before.
#[test]
fn pem_as_people_have_it() {
    let pem = include_str!("data/rsa.pem");
    let wanted = PublicKey::load(pem.as_bytes()).unwrap();
    let base64: String = pem.lines().filter(|line| !line.starts_with('-')).collect();
    let framed = |lines: &str| format!("-----BEGIN PUBLIC KEY-----\n{lines}\n-----END PUBLIC KEY-----\n");
    let wrapped = |width: usize, end: &str| {
        let lines: Vec<&str> =
            (0..base64.len()).step_by(width).map(|at| &base64[at..(at + width).min(base64.len())]).collect();
        lines.join(end)
    };
    let other = "-----BEGIN DSA PARAMETERS-----\nMAo=\n-----END DSA PARAMETERS-----\n";
    for text in [
        framed(&wrapped(64, "\n")),
        framed(&wrapped(76, "\n")),
        framed(&wrapped(7, "\n")),
        framed(&base64),
        framed(&wrapped(76, " \t\r\n")),
        framed(&wrapped(76, "\n\n  ")),
        framed(&wrapped(64, "\n")).replace('\n', "\r\n"),
        framed(&wrapped(64, "\n")).replace('\n', "\r"),
        format!("  Bag Attributes\n    friendlyName: m\u{fc}ller\n{}trailing -----BEGIN", framed(&base64)),
        format!("{other}{pem}"),
        format!("{}{pem}", "x".repeat(1 << 17)),
        format!("\u{feff}{pem}"),
        framed(&base64).trim_end().into(),
        framed(&base64).replace("KEY-----\n", "KEY-----   \n"),
    ] {
        assert_eq!(PublicKey::load(text.as_bytes()).as_ref(), Ok(&wanted), "{text}");
    }
    let refused = |text: &str, why: &str| {
        let error = PublicKey::load(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    };
    refused(&framed(&base64[1..]), "not Base64");
    refused(&framed(&base64.replacen('A', "*", 1)), "not Base64");
    refused(&framed(&format!("Proc-Type: 4,CLEAR\n\n{base64}")), "header lines");
    refused(&pem.replace("END PUBLIC", "END RSA PUBLIC"), "does not end so");
    refused(&pem[..pem.len() / 2], "-----END PUBLIC KEY----- is missing");
    refused(other, "`DSA PARAMETERS`");
    refused(include_str!("data/private_pkcs8.pem"), "-pubout");
    refused("-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----", "ssh-keygen -y");
}

/// A text of BEGIN lines without an END is read once: to read it once for each line would take most of an hour.
#[test]
fn many_begin_lines_are_read_once() {
    for count in [1, 2, 900_000] {
        let (send, receive) = mpsc::channel();
        std::thread::spawn(move || send.send(PublicKey::load("-----BEGIN A-----\n".repeat(count).as_bytes())));
        let loaded = receive.recv_timeout(HANGS).unwrap_or_else(|_| panic!("{count} lines: it hangs"));
        let error = loaded.unwrap_err().to_string();
        assert!(error.contains("-----END A----- is missing"), "{error}");
    }
}

#[test]
fn a_text_that_is_no_key_is_named() {
    let refused = |data: &[u8], why: &str| {
        let error = PublicKey::load(data).unwrap_err().to_string();
        assert!(error.starts_with("bad argument: not a public key: ") && error.contains(why), "{error}");
        assert!(!error.chars().any(char::is_control) && error.len() < 400, "{error}");
    };
    for path in ["key.pem", "some/rsa.pub", "/etc/ssl/id_rsa.pub", r"C:\keys\key.der", "~/key", "0"] {
        refused(path.as_bytes(), "if it is the path of a file, give the content of the file");
    }
    refused(b"key.pem", "`key.pem`");
    refused("\u{1b}]0;title\u{7}".as_bytes(), "DER");
    refused("x".repeat(5000).as_bytes(), "Base64 or hexadecimal");
    refused("\u{202e}a\u{e9} ".repeat(300).as_bytes(), "...`");
    refused(b"", "there is nothing");
    refused(&vec![b' '; (1 << 24) + 1], "16777217 bytes, more than any file");
    refused(b" \n", "blanks");
    refused(b"{\"kty\": \"RSA\", \"use\": \"enc\"}", "JSON Web Key");
    refused(b"---- BEGIN SSH2 PUBLIC KEY ----\nAAAA", "ssh-keygen -i");
    refused("MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDY25J6ojYVQ4QURg/pQt1EVnPHSVztXndp".as_bytes(), "-----BEGIN");
    let utf16: Vec<u8> = "-----BEGIN PUBLIC KEY-----".encode_utf16().flat_map(u16::to_le_bytes).collect();
    refused(&utf16, "UTF-16");
    refused(&[&[0xff, 0xfe][..], &utf16].concat(), "UTF-16");
}
