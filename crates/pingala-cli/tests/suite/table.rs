//! `pingala table`: build, info, verify.

use crate::common::run;
use std::fs;

#[test]
fn a_table_is_built_described_and_checked() {
    let folder = std::env::temp_dir().join(format!("pingala-cli-table-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("three.table");
    let name = file.to_str().unwrap();
    let build = ["table", "build", "3", "0xffffffffffffffc5", name, "--memory", "4096"];
    let ran = run(&build);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("0xffffffffffffffc5") && ran.out.contains("up to 64 bits"), "{}", ran.out);
    let again = run(&build);
    assert!(again.status == 1 && again.err.contains("--force"), "{}", again.err);
    assert_eq!(run(&[&build[..], &["--force", "--plan", "comb(h=4, v=2)"]].concat()).status, 0);
    let info = run(&["table", "info", name]);
    assert!(info.status == 0 && info.out.contains("comb(h=4, v=2) on "), "{}", info.out);
    let verified = run(&["table", "verify", name]);
    assert_eq!((verified.status, verified.out), (0, format!("{name}: all 30 entries are right\n")));
    let explained = run(&[&build[..], &["--explain"]].concat());
    assert!(explained.status == 0 && explained.out.contains("candidate"), "{}", explained.out);
    let lists = run(&[&build[..], &["--explain", "--lists", "--uses", "70"]].concat());
    assert!(lists.status == 0 && lists.out.contains("70 uses in lists"), "{}", lists.out);

    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, &bytes).unwrap();
    for action in ["info", "verify"] {
        let ran = run(&["table", action, name]);
        assert!(ran.status == 1 && ran.out.is_empty() && ran.err.contains("SHA-256"), "{}", ran.err);
    }
    assert_eq!(run(&["table", "build", "3", "0", name]).status, 1);
    assert_eq!(run(&["table"]).status, 2);
    fs::remove_dir_all(folder).unwrap();
}
