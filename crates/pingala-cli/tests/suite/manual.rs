//! `pingala completions` and `pingala man`.

use crate::common::{Folder, run};
use std::collections::BTreeSet;

/// The subcommands that `--help` lists.
fn subcommands() -> Vec<String> {
    let help = run(&["--help"]).out;
    let listed = help.split("\nCommands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    // A description that is too long goes on in lines that are indented more.
    let names = listed
        .lines()
        .filter(|line| !line.starts_with("   "))
        .map(|line| line.split_whitespace().next().unwrap().to_string());
    names.filter(|name| name != "help").collect()
}

#[test]
fn completions_name_every_command_and_option() {
    assert!(subcommands().len() >= 17);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = run(&["completions", shell]);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{shell}");
        for word in subcommands().iter().map(String::as_str).chain(["modulus-bits", "secret-exponent-file"]) {
            assert!(ran.out.contains(word), "{shell}: {word}");
        }
    }
    let ran = run(&["completions", "tcsh"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("[possible values: bash, elvish, fish, powershell, zsh]"), "{}", ran.err);
}

/// Bash reads what is written for it, and completes by it.
#[cfg(unix)]
#[test]
fn bash_completes() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let script = run(&["completions", "bash"]).out;
    let asked = "COMP_WORDS=(pingala expl) COMP_CWORD=1; _pingala pingala expl pingala; echo \"${COMPREPLY[@]}\"
        COMP_WORDS=(pingala pow --kernel mul) COMP_CWORD=3; _pingala pingala mul --kernel; echo \"${COMPREPLY[@]}\"";
    let mut bash = Command::new("bash").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    write!(bash.stdin.take().unwrap(), "{script}\n{asked}\n").unwrap();
    let output = bash.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "explain\nmulx_r64 mulx_low_r64\n");
}

/// Options of a closed set of values, each with some of its values and the number of all.
const CLOSED: &[(&str, &str, &[&str], usize)] = &[
    ("verify", "--scheme", &["dsa", "rsa-pkcs1", "rsa-pss"], 3),
    ("verify", "--hash", &["sha1", "sha256", "sha3_512"], 11),
    ("verify", "--mgf-hash", &["sha256"], 11),
    ("verify", "--encoding", &["der", "lenient", "p1363", "raw", "ssh", "openpgp"], 6),
    ("verify", "--policy", &["legacy", "strict", "modern"], 3),
    ("verify", "--fail-on", &["short_key", "sha1", "odd_sizes", "small_exponent", "short_digest"], 5),
    ("verify", "--binary", &["big", "little", "signed-big", "signed-little", "text"], 5),
    ("batch", "--binary", &["big", "text"], 5),
    ("batch", "--format", &["jsonl", "csv"], 2),
    ("job run", "--verify", &["dsa", "rsa-pkcs1", "rsa-pss"], 3),
    ("job run", "--hash", &["sha256"], 11),
    ("job run", "--mgf-hash", &["sha256"], 11),
    ("job run", "--encoding", &["der", "openpgp"], 6),
    ("job run", "--policy", &["legacy", "strict", "modern"], 3),
    ("job run", "--errors", &["column", "fail"], 2),
    ("job run", "--binary", &["little"], 5),
    ("job run", "--on", &["ray"], 1),
    ("prime test", "--format", &["jsonl", "csv"], 2),
    ("prime test", "--binary", &["little"], 5),
    ("prime random", "--pair", &["rsa", "paillier", "safe"], 3),
    ("prime random", "--top-bits", &["1", "2"], 2),
    ("chain search", "--cost", &["length"], 1),
    ("chain gen", "--to", &["rust", "c", "go", "python"], 4),
    ("pow", "--explain", &["short", "all", "json"], 3),
];

/// Bash, by what it completes; zsh and fish, by what stands in their scripts.
#[cfg(unix)]
#[test]
fn options_of_closed_sets_have_their_values() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let [mut script, zsh, fish] = ["bash", "zsh", "fish"].map(|shell| run(&["completions", shell]).out);
    for (command, option, ..) in CLOSED {
        let words = format!("pingala {command} {option} ''");
        let place = words.split(' ').count() - 1;
        script += &format!(
            "COMP_WORDS=({words}) COMP_CWORD={place}; _pingala pingala '' {option}; echo \"${{COMPREPLY[*]}}\"\n"
        );
    }
    let mut bash = Command::new("bash").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    bash.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    let output = String::from_utf8(bash.wait_with_output().unwrap().stdout).unwrap();
    assert_eq!(output.lines().count(), CLOSED.len(), "{output}");
    for ((command, option, values, count), line) in CLOSED.iter().zip(output.lines()) {
        let proposed: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(proposed.len(), *count, "{command} {option}: {line}");
        assert!(values.iter().all(|value| proposed.contains(value)), "{command} {option}: {line}");
        let zsh = zsh.split("\n'").filter(|part| part.contains(&format!("{option}=[")));
        // Values with descriptions stand on several lines.
        let described = |part: &str| proposed.iter().all(|value| part.contains(&format!("{value}\\:")));
        let in_zsh = |part: &str| part.contains(&format!(":({})", proposed.join(" "))) || described(part);
        assert!(zsh.clone().any(in_zsh), "zsh: {command} {option}");
        let of_fish = format!(" -l {} ", option.trim_start_matches("--"));
        let parts = fish.split("complete -c").filter(|part| part.contains(&of_fish));
        let in_fish = |part: &str| proposed.iter().all(|value| part.contains(&format!("{value}\\t")));
        assert!(parts.clone().any(in_fish), "fish: {command} {option}");
    }
}

#[test]
fn there_is_a_page_for_every_command() {
    let page = run(&["man"]);
    assert_eq!((page.status, page.err.as_str()), (0, ""));
    for text in [".TH pingala 1", ".SH NAME", "pingala\\-explain(1)", "PINGALA_KERNEL"] {
        assert!(page.out.contains(text), "{text}: {}", page.out);
    }
    let folder = Folder::new();
    let out = folder.path("man1");
    for _ in 0..2 {
        let ran = run(&["man", "--out", &out]);
        assert_eq!((ran.status, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    }
    let names = std::fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let names: BTreeSet<String> = names.collect();
    assert!(names.contains("pingala.1") && names.contains("pingala-table-build.1"), "{names:?}");
    for name in subcommands() {
        let text = std::fs::read_to_string(format!("{out}/pingala-{name}.1")).unwrap();
        assert!(
            text.contains(".SH SYNOPSIS") && text.contains(&format!("pingala {name}").replace('-', "\\-")),
            "{text}"
        );
    }
    let file = folder.file("file", "");
    let ran = run(&["man", "--out", &file]);
    assert_eq!(ran.status, 1);
    assert!(ran.err.starts_with("pingala: cannot create "), "{}", ran.err);
}

/// Links and foreign files are not changed.
#[cfg(unix)]
#[test]
fn nothing_but_a_page_is_replaced() {
    use std::fs;
    for is_link in [true, false] {
        for name in ["pingala.1", "pingala-table-build.1"] {
            let folder = Folder::new();
            let (out, target) = (folder.path("man1"), folder.file("target", "mine"));
            fs::create_dir(&out).unwrap();
            let page = format!("{out}/{name}");
            if is_link {
                std::os::unix::fs::symlink(&target, &page).unwrap();
            } else {
                fs::hard_link(&target, &page).unwrap();
            }
            let ran = run(&["man", "--out", &out]);
            assert!(ran.status == 1 && ran.err.contains(name), "{name} {}", ran.err);
            assert_eq!(
                (fs::read_to_string(&target).unwrap(), fs::read_to_string(&page).unwrap()),
                ("mine".into(), "mine".into())
            );
        }
    }
}
