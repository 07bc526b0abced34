//! `pingala multi` and `pingala product`.

use crate::common::{Folder, feed, run};

#[test]
fn one_base_and_many_exponents() {
    let ran = feed(&["multi", "3", "1009", "-"], "0\n1\n\n 5\n-1\n123456789012345678901234567890\n");
    assert_eq!((ran.out.as_str(), ran.status), ("1\n3\n243\n673\n469\n", 0), "{}", ran.err);
    assert_eq!(feed(&["multi", "3", "1009", "-"], "0x5\n").out, "0xf3\n");
    let folder = Folder::new();
    let (input, output) = (folder.file("exponents", "2\n3\n"), folder.path("powers"));
    assert_eq!(run(&["multi", "3", "1009", &input, "--output", &output]).status, 0);
    assert_eq!(std::fs::read_to_string(&output).unwrap(), "9\n27\n");
    let again = run(&["multi", "3", "1009", &input, "--output", &output]);
    assert_eq!(again.status, 1);
    assert!(again.err.contains("--force"), "{}", again.err);
    let forced = run(&["multi", "3", "1009", &input, "--plan", "shared_squarings(w=2)", "--explain"]);
    assert_eq!(forced.out, "9\n27\n");
    assert!(forced.err.contains("plan      share(shared_squarings(w=2) on "), "{}", forced.err);
    let nothing = feed(&["multi", "3", "1009", "-", "--explain"], "0\n0\n");
    assert_eq!((nothing.out.as_str(), nothing.err.as_str()), ("1\n1\n", "nothing to plan: all exponents are 0\n"));
}

#[test]
fn a_product_of_powers() {
    let ran = feed(&["product", "1009", "-"], "2 10\n3, 4\n\n5\t-1\n");
    assert_eq!((ran.out.as_str(), ran.status), ("243\n", 0), "{}", ran.err);
    assert_eq!(feed(&["product", "1009", "-"], "").out, "1\n");
    assert_eq!(feed(&["product", "0x3f1", "-"], "2 10\n").out, "0xf\n");
    for line in ["3,,5", ",3,5", "3,5,", "3 5 7", "3, 5 7", "3 ,\t,5", ",5", "3,"] {
        let ran = feed(&["product", "101", "-"], line);
        assert!(
            ran.status == 1 && ran.err.contains("expected a base and an exponent"),
            "{line}: {}{}",
            ran.out,
            ran.err
        );
    }
    assert_eq!(feed(&["product", "101", "-"], "3 ,5\n2 \t3\n").out, "25\n");
}

#[test]
fn what_is_wrong_is_told_by_its_line() {
    for (arguments, input, err) in [
        (
            &["multi", "3", "1009", "-"][..],
            "1\nx\n",
            "pingala: -, line 2: not a number: expected a decimal digit at byte 0\n",
        ),
        (
            &["product", "1009", "-"][..],
            "1 2\n3\n",
            "pingala: -, line 2: bad argument: expected a base and an exponent\n",
        ),
        (
            &["product", "49", "-"][..],
            "2 2\n\n7 -3\n",
            "pingala: -, line 3: base is not invertible for the given modulus\n",
        ),
        (
            &["multi", "7", "49", "-"][..],
            "\n2\n-3\n",
            "pingala: -, line 3: base is not invertible for the given modulus\n",
        ),
    ] {
        let ran = feed(arguments, input);
        assert_eq!((ran.err.as_str(), ran.status, ran.out.as_str()), (err, 1, ""), "{arguments:?}");
    }
}
