//! `pingala table`: build, info, verify, pow.

use crate::common::{Folder, feed, run};
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

#[test]
fn a_table_raises_its_base_to_the_lines_of_a_file() {
    let folder = Folder::new();
    let (table, powers) = (folder.path("three.table"), folder.path("powers"));
    assert_eq!(run(&["table", "build", "3", "1009", &table, "--exponent-bits", "20"]).status, 0);
    let ran = feed(&["table", "pow", &table, "-"], "0\n\n5\n-1\n1000000\n");
    let one_by_one = feed(&["multi", "3", "1009", "-"], "0\n5\n-1\n1000000\n");
    assert_eq!((ran.out, ran.status), (one_by_one.out, 0), "{}", ran.err);
    let exponents = folder.file("exponents", "0x5\n2\n");
    let to_file = ["table", "pow", &table, &exponents, "--output", &powers, "--map", "--threads", "2"];
    assert_eq!((run(&to_file).status, fs::read_to_string(&powers).unwrap().as_str()), (0, "0xf3\n0x9\n"));
    assert!(run(&to_file).err.contains("--force"));
    let beyond = feed(&["table", "pow", &table, "-"], "1\n1048576\n");
    assert!(beyond.status == 1 && beyond.err.contains("-, line 2: exponent of 21 bits"), "{}", beyond.err);
    let same = run(&["table", "pow", &table, &exponents, "--output", &table, "--force"]);
    assert!(same.status == 1 && same.err.contains("is also the input"), "{}", same.err);
    let square = folder.path("square.table");
    assert_eq!(run(&["table", "build", "7", "49", &square]).status, 0);
    let none = feed(&["table", "pow", &square, "-"], "1\n-1\n");
    assert_eq!(none.err, "pingala: -, line 2: base is not invertible for the given modulus\n");
}

/// Pipes, sockets and links are not written over, nor is what they lead to.
#[cfg(unix)]
#[test]
fn only_ordinary_files_are_replaced() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new();
    let [pipe, socket, dangling, file] = ["pipe", "socket", "dangling", "file"].map(|name| folder.path(name));
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    symlink(folder.path("nothing"), &dangling).unwrap();
    for (path, why) in [(&pipe, "ordinary"), (&socket, "ordinary"), (&dangling, "symbolic link")] {
        for force in [&[][..], &["--force"]] {
            let ran = run(&[&["table", "build", "3", "1000003", path][..], force].concat());
            assert!(ran.status == 1 && ran.err.contains(why), "{path}: {}", ran.err);
        }
    }
    fs::write(&file, "old").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    assert_eq!(
        run(&["table", "build", "3", "1000003", &file]).err,
        format!("pingala: {file} exists; --force replaces it\n")
    );
    assert_eq!(run(&["table", "build", "3", "1000003", &file, "--force", "--memory", "64K"]).status, 0);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn sizes_and_counts_say_what_they_expect() {
    let ran = run(&["table", "build", "3", "1000003", "t", "--memory", "64KB"]);
    assert!(ran.status == 2 && ran.err.contains("'64KB'") && ran.err.contains("4096, 64K, 1M or 2G"), "{}", ran.err);
    let ran = run(&["multi", "3", "1000003", "t", "--threads", "0"]);
    assert!(ran.status == 2 && ran.err.contains("expected a number from 1 on"), "{}", ran.err);
}
