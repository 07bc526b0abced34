//! No copy of a secret that the command reads from a file or from standard input stays in memory: a process of its own runs the
//! command, then looks for the secrets in all memory that it may write.

#[path = "../../../pingala-core/tests/suite/own_memory.rs"]
pub mod own_memory;

use super::common::Folder;
use own_memory::{big_endian, found};
use std::env;
use std::fs::File;
use std::process::Command;
use zeroize::Zeroize;

/// The work of the child: the path of its folder of secrets, and the source of the exponent.
const ROLE: &str = "PINGALA_TEST_SECRET_FILES";

/// A base as text, drawn; what memory is searched for is made of it after the command has run.
const BASE: &str = "4275565386758287123325266744687857076746394344217545244039145691422055666793131268273063993735360566\
     3959058420820778178710947391617187955772799375226767795793036851405904842515494629835097811989117387\
     7035402423706236778613402674253575032580879723551459271096060731428021523350293184636468382582588420\
     9695239997709227311439176442807770134220588732372539138734271914525887585808517055047910439429101354\
     0862055901015671875613954847292073998151037605809990560813174050496651582046354902130883041581768241\
     4373358411657959609638574141074033130449593154405241474686901397105276932626700751654324734303796398\
     64";

/// The number in hexadecimal, of whole limbs.
const BASE_LIMBS: &str = "0000000000005f55301850c5a38fd547923a736994e3bf911a61dbe22e44158bae97ba94d0eda82f8f6d05584ef8aa389227\
     66581e27a1c08a6a63ec24ede6a46b4cb2424a23d5962217beaddbc496cb8e81973e0becd7b03898d190f9ebdacc0cb1e29c\
     658cda1495e60af593bd04cf0fd630f1f29d0da9953f48f1a09f76b5a170b33839263059f28c105d1fb17c2390c192cfd3ac\
     94af0f21ddb66cad4a268d116ece1738f7d93d9c172411e20b8f6b0d549b6f03675a1600a35a099950d836f675cc81e74ef5\
     e8e25d940ed904759531985d5d9dc9f81818e811892f902bd23f0824128b2f330c5c7fd0a6a3a4506513270e269e0d37f2a7\
     4de452e6b438";

/// An exponent, of whole limbs.
const EXPONENT: &str = "700481637ebff206867347214cdd2055930d6eaf14f4733f3e7d1bfbc7a2ea20b2f14c942e05319acb5c74273f98e2774cbd\
     87ad5c90a9587403e430ec66a78795e761d17731af10506bf2efc6f877186d76b07e881ed162ae2eb1547f15052434b9b5df\
     9e7769b10f4205b4907a70c31012f037b64ce4228c38fb2918f135d2";

/// A private key of RSA, whose modulus is above that exponent.
const KEY: &str = include_str!("../../../pingala-verify/tests/data/private_pkcs1.pem");

/// Its d, p and q.
const KEY_EXPONENT: &str = "95da43305ce11dd97b109fdc46f98f796d79e222561075473aaee58376f087ec0737d7162e2c0613b8dd6cd4c45b35103fd7\
     ea76a5276b91e385ff9cf1a1aa83211b5490fed5db44b6979f797ba01bda7e20f938e95f20e851b314f0eb5436a5f2b776fb\
     9a7c89b7e4cdc3d4cdb39ce1cee08886f4f338cc46d45eb604f5d71d";

const KEY_P: &str = "fe3d438d89d066713fe97a9f404b141931ae9a1f1410279200342a094541a65fd89eb640f78a482b30bf97d615df00f2ee9e\
     de90471f28b98c8f98636446ae3f";
const KEY_Q: &str = "dd9eb225992221caf082b4197b81998bded9e98d6d31833991ba2dab67b2777b943714bb3413c8c4c9fd035f4d47aa2f309b\
     9d0af93651d168c011fc41db787b";

/// Its 1024 bits are all ones.
fn modulus() -> String {
    format!("0x{}", "f".repeat(256))
}

#[test]
fn no_copy_of_a_secret_from_a_file_stays() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let Ok(role) = env::var(ROLE) else {
        let folder = Folder::new();
        let base = folder.file("base", format!("{BASE}\n"));
        let exponent = folder.file("exponent", format!("0x{EXPONENT}\n"));
        let key = folder.file("key", KEY);
        for role in ["file", "stdin", "refused", "key", "public"] {
            let arguments = ["--exact", "secret_files::no_copy_of_a_secret_from_a_file_stays", "--nocapture"];
            let mut child = Command::new(env::current_exe().unwrap());
            child
                .args(arguments)
                .env(ROLE, format!("{role} {base} {exponent} {key}"))
                .stdin(File::open(&exponent).unwrap());
            let ran = child.output().unwrap();
            assert!(ran.status.success(), "{role}: {}", String::from_utf8_lossy(&ran.stderr));
        }
        return;
    };
    let [role, base, exponent, key] = role.split(' ').collect::<Vec<_>>().try_into().unwrap();
    let modulus = modulus();
    let command = ["pingala", "pow", "--quiet"];
    let secret = |exponent, more: &[&str]| {
        let files = ["--secret-base-file", base, "--secret-exponent-file", exponent, &modulus];
        pingala_cli::run(command.iter().chain(&files).chain(more))
    };
    let status = match role {
        "file" => secret(exponent, &[]),
        "stdin" => secret("-", &[]),
        // The exponent is wider than that; both have been read.
        "refused" => 1 - secret(exponent, &["--exponent-bits", "9"]),
        // The exponent of the other roles is the base.
        "key" => {
            let files = ["--private-key-file", key, "--secret-base-file", exponent];
            pingala_cli::run(command.iter().chain(&files))
        }
        // Public numbers are not wiped: the search finds what is there.
        _ => pingala_cli::run(command.iter().chain(&[&*format!("@{base}"), &*format!("@{exponent}"), &*modulus])),
    };
    assert_eq!(status, 0);
    let reversed = |text: &str| text.bytes().rev().collect::<Vec<_>>();
    let end = KEY.find("-----END").unwrap();
    let mut secrets = [
        ("the base's text", reversed(BASE)),
        ("the base", big_endian(BASE_LIMBS)),
        ("the exponent's text", [reversed(EXPONENT), reversed("0x")].concat()),
        ("the exponent", big_endian(EXPONENT)),
        // Behind a first line that is public, of 32 bytes.
        ("the key's text", reversed(&KEY[32..end])),
        ("the key's exponent", big_endian(KEY_EXPONENT)),
        ("p", big_endian(KEY_P)),
        ("q", big_endian(KEY_Q)),
    ];
    let mut all = found(&secrets);
    // The power by a key takes bytes. They are looked for after the limbs, which stand in memory as these bytes do until then.
    secrets.iter_mut().for_each(|(_, secret)| secret.zeroize());
    let bytes = (0..EXPONENT.len() / 2).rev().map(|at| u8::from_str_radix(&EXPONENT[2 * at..][..2], 16).unwrap());
    all.extend(found(&[("the exponent's bytes", bytes.collect())]));
    assert_eq!(all.is_empty(), role != "public", "{role}: {all:?}");
}
