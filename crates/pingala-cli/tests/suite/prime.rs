//! `pingala prime`: tests, searches, secrets, certificates.

use crate::common::{Folder, feed, finish, run, signal, spawn, wait_for_work};
use crate::secret_files::own_memory::{big_endian, found};
use std::env;
use std::fs::{self, File};
use std::io::Read;
use std::process::Command;
use zeroize::Zeroize;

const M127: &str = "2**127-1";

#[test]
fn numbers_are_tested() {
    let ran = run(&["prime", "test", "2", "3", "4", "1", "0", "-7", "0x1_0", "18446744073709551557", "-q"]);
    let want = "prime\nprime\ncomposite\nnot prime\nnot prime\nnot prime\ncomposite\nprime\n";
    assert_eq!((ran.out.as_str(), ran.err.as_str(), ran.status), (want, "", 4));
    // 2^67 - 1 is composite; the bound for random numbers depends on the length.
    let ran = run(&["prime", "test", M127, "2**67-1", "2**521-1"]);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!((lines.len(), lines[1], ran.status), (3, "composite", 4));
    assert!(lines[0].starts_with("probable prime (error bound 2^-2, 2^-"), "{}", ran.out);
    assert!(lines[2].ends_with(" if random)") && lines[0] != lines[2], "{}", ran.out);
    assert_eq!(run(&["prime", "test", M127, "7"]).status, 0);
    let ran = run(&["prime", "test", M127, "--rounds", "20"]);
    assert!(ran.out.starts_with("probable prime (error bound 2^-40, 2^-"), "{}", ran.out);
    assert_eq!(run(&["prime", "test", M127, "--rounds", "0"]).out, "probable prime (no error bound)\n");
    // The strong pseudoprime to all prime bases below 307 [arnault1995constructing].
    let arnault = "2887148238050771212671429597130393991977609459279722700926516024197432303799152733116328983144639225941977\
                   8031110929349655578418949441740933805615113979999421542416933972905423711002751042080134966731755152859226\
                   9629167753255475044444585619494049916353829681624089219";
    assert_eq!(run(&["prime", "test", arnault]).out, "composite\n");
}

#[test]
fn a_file_is_tested() {
    let folder = Folder::new();
    let file = folder.file("numbers", "7\n\n0x8\n-3\n170141183460469231731687303715884105727\n");
    let ran = run(&["prime", "test", "--file", &file, "--json", "--rounds", "3"]);
    let rows = ran.rows();
    let of = |name: &str| rows.iter().map(|row| row[name].clone()).collect::<Vec<_>>();
    assert_eq!(of("id"), [1, 3, 4, 5]);
    assert_eq!(of("prime"), [true, false, false, true]);
    assert_eq!(of("proved"), [true, true, true, false]);
    assert_eq!(of("error_bound"), [0.0, 0.0, 0.0, 1.0 / 64.0]);
    assert!(rows[3]["random_error_bound"].as_f64().unwrap() < 1.0 / 64.0);
    assert_eq!(ran.status, 4);
    assert_eq!(feed(&["prime", "test", "--file", "-"], "11\n13\n").out, "prime\nprime\n");
    // The file as an argument, with and without a field; a number is a number even if a file has its name.
    let named = ["prime", "test", "--json", "--rounds", "3"];
    assert_eq!(run(&[&named[..], &[&file]].concat()).out, ran.out);
    assert_eq!(feed(&["prime", "test", "-"], "11\n13\n").out, "prime\nprime\n");
    let table = folder.file("table.csv", "n\n7\n9\n");
    let answers = run(&["prime", "test", &table, "--field", "n"]);
    assert_eq!((answers.status, answers.rows().len()), (4, 2));
    for arguments in
        [&["prime", "test", "7", "--field", "n"][..], &["prime", "test", &file, "7"], &["prime", "test", "/"]]
    {
        assert_eq!(run(arguments).status, 2);
    }
    // A line that is no number: nothing is answered.
    let file = folder.file("bad", "7\n8x\n");
    let ran = run(&["prime", "test", "--file", &file]);
    assert!(ran.status == 1 && ran.out.is_empty() && ran.err.contains("bad, line 2: "), "{}", ran.err);
    for arguments in [&["prime", "test"][..], &["prime", "test", "7", "--file", &file], &["prime", "test", "7x"]] {
        assert_eq!(run(arguments).status, 2);
    }
    let ran = run(&["prime", "test", "2**100", "--max-modulus-bits", "100"]);
    assert!(ran.status == 1 && ran.err.contains("--max-modulus-bits raises it"), "{}", ran.err);
    // Many chunks.
    let numbers: String = (0..200_000u64).map(|n| format!("{n}\n")).collect();
    let ran = feed(&["prime", "test", "--file", "-", "-q"], numbers);
    assert_eq!(ran.out.lines().filter(|&line| line == "prime").count(), 17_984);
    assert_eq!((ran.out.lines().count(), ran.status), (200_000, 4));
}

#[test]
fn next_and_previous_primes() {
    for (arguments, want) in [
        (&["10"][..], "11\n"),
        (&["-5"], "2\n"),
        (&["0x10", "--count", "3"], "0x11\n0x13\n0x17\n"),
        (&["0x10", "--decimal"], "17\n"),
        (&["12", "--previous", "--count", "5"], "11\n7\n5\n3\n2\n"),
        (&["18446744073709551557"], "18446744073709551629\n"),
        (&["2**64", "--previous"], "18446744073709551557\n"),
        (&["7", "--count", "0"], ""),
    ] {
        let ran = run(&[&["prime", "next"], arguments].concat());
        assert_eq!((ran.out.as_str(), ran.err.as_str(), ran.status), (want, "", 0), "{arguments:?}");
    }
    let ran = run(&["prime", "next", "4", "--previous", "--count", "3"]);
    assert_eq!((ran.out.as_str(), ran.status), ("3\n2\n", 1));
    let ran = run(&["prime", "next", "0", "--count", "10000", "--threads", "1"]);
    assert_eq!((ran.out.lines().count(), ran.out.lines().last()), (10_000, Some("104729")));
}

#[test]
fn intervals_symbols_and_roots() {
    for (arguments, want) in [
        (&["between", "90", "102"][..], "97\n101\n"),
        (&["between", "-5", "0x6", "--hex"], "0x2\n0x3\n0x5\n"),
        (&["between", "24", "29"], ""),
        (&["symbol", "2", "15"], "1\n"),
        (&["symbol", "-1", "-3"], "1\n"),
        (&["symbol", "6", "0x4"], "0\n"),
        (&["symbol", "3", "8"], "-1\n"),
        (&["sqrt", "-1", "13"], "5\n"),
        (&["sqrt", "-1", "13", "--all"], "5\n8\n"),
        (&["sqrt", "2", "13", "--all"], ""),
        (&["sqrt", "0x4", "--factors", "3,5", "--all"], "0x2\n0x7\n0x8\n0xd\n"),
        (&["sqrt", "25", "--factors", "2^3,3^2"], "23\n"),
    ] {
        let ran = run(&[&["prime"], arguments].concat());
        assert_eq!((ran.out.as_str(), ran.err.as_str(), ran.status), (want, "", 0), "{arguments:?}");
    }
    for (arguments, why) in [
        (&["sqrt", "2", "13"][..], "no square root modulo 13"),
        (&["sqrt", "2", "15", "--all"], "15 is composite"),
        (&["sqrt", "2", "0"], "zero modulus"),
        (&["symbol", "2", "2**70", "--max-modulus-bits", "70"], "--max-modulus-bits raises it"),
    ] {
        let ran = run(&[&["prime"], arguments].concat());
        assert!(ran.status == 1 && ran.out.is_empty() && ran.err.contains(why), "{arguments:?}: {}", ran.err);
    }
    for arguments in [&["sqrt", "2"][..], &["sqrt", "2", "7", "--factors", "7"], &["sqrt", "2", "--factors", "7^x"]] {
        assert_eq!(run(&[&["prime"], arguments].concat()).status, 2, "{arguments:?}");
    }
    let tests = |more: &[&str]| {
        let ran = run(&[&["prime", "random", "2048", "--estimate"], more].concat());
        ran.out.split(' ').next().unwrap().parse::<f64>().unwrap_or_else(|_| panic!("{more:?}: {}{}", ran.out, ran.err))
    };
    let (one, safe) = (tests(&[]), tests(&["--safe"]));
    assert!(safe > 2.0 * one && tests(&["--pair", "safe"]) != tests(&["--pair", "rsa"]), "{one} {safe}");
    let ran = run(&["prime", "random", "256", "--safe", "--estimate"]);
    let words: Vec<&str> = ran.out.split_whitespace().collect();
    assert!(matches!(words[..], [tests, "tests,", _, "s"] if tests.parse::<u64>().unwrap() > 10), "{}", ran.out);
}

/// The number in hexadecimal, and what `pingala prime test` says of numbers.
fn are_primes(numbers: &[&str]) -> bool {
    run(&[&["prime", "test"], numbers].concat()).status == 0
}

#[test]
fn random_primes_fit() {
    for (arguments, bits) in [
        (&["2"][..], 2),
        (&["61"], 61),
        (&["300", "--uniform"], 300),
        (&["300", "--rounds", "5", "--threads", "1"], 300),
        (&["128", "--safe"], 128),
    ] {
        let ran = run(&[&["prime", "random"], arguments, &["--hex"]].concat());
        let prime = ran.out.trim();
        assert_eq!((ran.status, prime.len()), (0, 2 + (bits as usize).div_ceil(4)), "{arguments:?} {}", ran.err);
        assert!(are_primes(&[prime]), "{prime}");
    }
    for _ in 0..20 {
        let ran = run(&["prime", "random", "60", "--residue", "3,8", "--top-bits", "2"]);
        let prime: u64 = ran.out.trim().parse().unwrap();
        assert!(prime % 8 == 3 && prime >> 58 == 3, "{prime}");
    }
    let safe: u64 = run(&["prime", "random", "40", "--safe"]).out.trim().parse().unwrap();
    assert!(are_primes(&[&safe.to_string(), &(safe / 2).to_string()]));
    let folder = Folder::new();
    let file = folder.path("prime");
    assert_eq!(run(&["prime", "random", "100", "-o", &file]).status, 0);
    assert!(are_primes(&[&format!("@{file}")]));
    let ran = run(&["prime", "random", "100", "-o", &file]);
    assert!(ran.status == 1 && ran.err.contains("--force replaces it"), "{}", ran.err);
    for (arguments, status) in [
        (&["1"][..], 1),
        (&["64", "--residue", "2,4"], 1),
        (&["64", "--residue", "2"], 2),
        (&["64", "--residue", "1,0"], 1),
        (&["64", "--top-bits", "3"], 2),
        (&["64", "--exponent", "3"], 2),
        (&["64", "--secret"], 2),
        (&["128", "--pair", "rsa"], 2),
        (&["128", "--pair", "dsa", "-o", "-"], 2),
        (&["128", "--pair", "safe", "--exponent", "3", "-o", "-"], 2),
        (&["128", "--pair", "rsa", "--exponent", "4", "-o", "-"], 1),
        (&["128", "--secret", "--proof", "-o", "-"], 2),
        (&["128", "--secret", "--hex", "-o", "-"], 2),
        (&["63", "--secret", "-o", "-"], 1),
    ] {
        let ran = run(&[&["prime", "random"], arguments].concat());
        assert_eq!((ran.status, ran.out.as_str()), (status, ""), "{arguments:?} {}", ran.err);
        assert!(!ran.err.is_empty());
    }
}

#[test]
fn secrets_go_to_closed_files() {
    let folder = Folder::new();
    let file = folder.path("secret");
    let private = |file: &str| {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
        }
        fs::read_to_string(file).unwrap()
    };
    let ran = run(&["prime", "random", "97", "--secret", "--top-bits", "2", "-o", &file]);
    assert_eq!((ran.out.as_str(), ran.err.as_str(), ran.status), ("", "", 0));
    let secret = private(&file);
    assert!(secret.starts_with("0x1") && secret.len() == 28 && are_primes(&[secret.trim()]), "{secret}");
    assert_eq!(run(&["prime", "random", "97", "--secret", "-o", &file]).status, 1);
    assert_eq!(private(&file), secret);
    // A file that others may read is closed.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    }
    for (kind, more) in
        [("rsa", &["--exponent", "3"][..]), ("paillier", &[]), ("safe", &[]), ("rsa", &["--rounds", "9"])]
    {
        let ran = run(&[&["prime", "random", "260", "--pair", kind, "--force", "-o", &file], more].concat());
        assert_eq!((ran.out.as_str(), ran.status), ("", 0), "{}", ran.err);
        let text = private(&file);
        let pair: Vec<&str> = text.lines().collect();
        assert!(pair.len() == 2 && pair.iter().all(|p| p.len() == 35) && are_primes(&pair), "{text}");
        if kind == "safe" {
            let halves: Vec<String> = pair.iter().map(|p| half(p)).collect();
            assert!(are_primes(&[&halves[0], &halves[1]]), "{text}");
        }
    }
    assert_eq!(folder.names(), ["secret"]);
    let ran = run(&["prime", "random", "64", "--secret", "-o", "-"]);
    assert!(ran.out.starts_with("0x") && ran.out.len() == 19, "{}", ran.out);
}

/// (p - 1) / 2 of an odd number in hexadecimal.
fn half(p: &str) -> String {
    let mut carry = 0;
    let digits = p[2..].chars().map(|digit| {
        let digit = digit.to_digit(16).unwrap();
        let half = carry << 3 | digit >> 1;
        carry = digit & 1;
        char::from_digit(half, 16).unwrap()
    });
    format!("0x{}", digits.collect::<String>())
}

#[test]
fn certificates() {
    let folder = Folder::new();
    let file = folder.path("certificate");
    let ran = run(&["prime", "random", "200", "--proof", "-o", &file]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let text = fs::read_to_string(&file).unwrap();
    let ran = run(&["prime", "check", &file]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert!(text.contains(&format!("\nprime {}", ran.out)) && ran.out.len() == 53, "{text}");
    let wrong = feed(&["prime", "check", "-"], text.replacen("base 0x2", "base 0x1", 1));
    assert!(wrong.status == 1 && wrong.out.is_empty() && wrong.err.contains("does not prove"), "{}", wrong.err);
    let ran = run(&["prime", "certify", M127]);
    assert_eq!(feed(&["prime", "check", "-"], &ran.out).out, "0x7fffffffffffffffffffffffffffffff\n");
    // n - 1 has two factors that are too long to be found.
    let (p, q) = ("2**107-1", "2**127-1");
    let n = format!("52*({p})*({q})+1");
    let ran = run(&["prime", "certify", &n]);
    let why = "give more prime factors of n - 1, by --factors Q,...\n";
    assert!(ran.status == 1 && ran.err.ends_with(why), "{}", ran.err);
    let ran = run(&["prime", "certify", &n, "--factors", &format!("{p},{q}")]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert_eq!(feed(&["prime", "check", "-"], &ran.out).status, 0);
    for (arguments, status) in [
        (&["certify", "-7"][..], 2),
        (&["certify", "91"], 1),
        (&["certify", M127, "--factors", "5"], 1),
        (&["check", "/nonexistent"], 1),
        (&["check", &file, "--max-bytes", "10"], 1),
        (&["check", &file, "--max-modulus-bits", "199"], 1),
    ] {
        let ran = run(&[&["prime"], arguments].concat());
        assert!(ran.status == status && ran.out.is_empty() && !ran.err.is_empty(), "{arguments:?} {}", ran.err);
    }
}

/// Work of hours; nothing is left. `make -C hardening promises` measures how soon it ends.
#[test]
fn searches_are_interrupted() {
    let folder = Folder::new();
    let file = folder.path("prime");
    for arguments in [
        &["random", "16384", "--safe", "-q", "-o", &file][..],
        &["random", "32768", "--pair", "rsa", "-o", &file],
        &["next", "2**40000"],
        &["test", "2**859433-1"],
    ] {
        let child = spawn(&[&["prime"], arguments].concat());
        wait_for_work(&child);
        let status = signal(&child, "INT");
        let ran = finish(child);
        assert_eq!((ran.status, ran.out.as_str()), (status, ""), "{}", ran.err);
        assert!(ran.err.contains("interrupted"), "{}", ran.err);
        assert!(folder.names().is_empty());
    }
}

/// The work of the child: the path of its output.
const ROLE: &str = "PINGALA_TEST_SECRET_PRIMES";

/// No copy of a secret prime stays in memory after the command has written it.
#[test]
fn no_copy_of_a_secret_prime_stays() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let Ok(file) = env::var(ROLE) else {
        let folder = Folder::new();
        let name = "prime::no_copy_of_a_secret_prime_stays";
        let mut child = Command::new(env::current_exe().unwrap());
        child.args(["--exact", name, "--nocapture"]).env(ROLE, folder.path("secret"));
        let ran = child.output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        return;
    };
    assert_eq!(pingala_cli::run(["pingala", "prime", "random", "2048", "--pair", "rsa", "-q", "-o", &file]), 0);
    // Byte by byte, last one first: nothing that is searched for is formed here.
    let length = fs::metadata(&file).unwrap().len() as usize;
    let (mut stream, mut byte, mut reversed) = (File::open(&file).unwrap(), [0u8], vec![0; length]);
    for at in (0..length).rev() {
        stream.read_exact(&mut byte).unwrap();
        reversed[at] = byte[0];
    }
    let digit = |c: u8| u8::try_from(char::from(c).to_digit(16).unwrap()).unwrap();
    // The line of p has 2 + 256 bytes and its end. Big-endian bytes, two digits of the text each.
    let of_line = |start: usize| -> Vec<u8> {
        let at = |place: usize| digit(reversed[length - 1 - start - 2 - place]);
        (0..128).map(|byte| at(2 * byte) << 4 | at(2 * byte + 1)).collect()
    };
    let (p, q) = (of_line(0), of_line(259));
    let mut secrets = [("the text", reversed.clone()), ("p", p), ("q", q)];
    let mut all = found(&secrets);
    let [_, (_, p), (_, q)] = &secrets;
    let bytes = [p, q].map(|prime| prime.iter().rev().copied().collect::<Vec<u8>>());
    secrets.iter_mut().for_each(|(_, secret)| secret.zeroize());
    reversed.zeroize();
    let [p, q] = bytes;
    all.extend(found(&[("the bytes of p", p), ("the bytes of q", q)]));
    assert!(all.is_empty(), "{all:?}");
    // The search finds what is there.
    let kept = std::hint::black_box(big_endian(&"0123456789abcdef".repeat(8)));
    let backwards: Vec<u8> = kept.iter().rev().copied().collect();
    assert_eq!(found(&[("kept", backwards)]), ["kept"]);
    drop(kept);
}
