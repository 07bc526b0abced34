//! Files and scripts.

use crate::is_right;
use pingala_chains::{Search, evaluate, read_json, read_script, shape, svg, write_json, write_script};

#[test]
fn what_is_written_is_read() {
    for text in ["1", "2", "3", "13", "2^31-1", "0xfedcba9876543210", "2^255-21"] {
        let chain = Search { steps: 2000, ..Search::new(&evaluate(text).unwrap()) }.run().unwrap().chain;
        assert_eq!(read_json(&write_json(&chain)).unwrap(), chain, "{text}");
        let script = write_script(&chain);
        let read = read_script(&script).unwrap();
        assert!(is_right(&read), "{script}");
        assert_eq!((read.target(), read.length()), (chain.target(), chain.length()), "{script}");
        assert_eq!(shape(&read).squarings, shape(&chain).squarings);
        assert!(svg(&chain).ends_with("</svg>\n"));
    }
}

/// The notation of addchain: sums, doublings, shifts, several on one line.
#[test]
fn scripts_as_others_write_them() {
    let script =
        "_10 = 2*1\n_11 = 1 + _10   # three\n_1100 = _11 << 2\ni5 = _1100 + _11\nreturn (i5 << 4 + i5) << 1 + 1\n";
    let chain = read_script(script).unwrap();
    assert_eq!(chain.target().to_string(), "511");
    assert_eq!(chain.length(), 12);
}

#[test]
fn what_is_no_chain_is_an_error_that_names_the_place() {
    let bad = [
        ("", "JSON"),
        ("{}", "exponent"),
        (r#"{"exponent": "0x"}"#, "exponent"),
        (r#"{"exponent": "0x3"}"#, "steps"),
        (r#"{"exponent": "0x3", "steps": [[0, 0], [0]]}"#, "step 1"),
        (r#"{"exponent": "0x3", "steps": [[0, 0], [0, 2]]}"#, "beyond its past"),
        (r#"{"exponent": "0x4", "steps": [[0, 0], [0, 1]]}"#, "does not give"),
        (r#"{"exponent": "0x3", "steps": [[0, -1]]}"#, "step 0"),
    ];
    for (text, named) in bad {
        let error = read_json(text).unwrap_err().to_string();
        assert!(error.contains(named), "{text}: {error}");
    }
    for text in ["x = y + 1", "1 +", "1 << x", "(1 + 1", "1 1", "1 << 99999999999", "1 << 40000", "a ! b"] {
        let error = read_script(text).unwrap_err().to_string();
        assert!(error.contains("line 1"), "{text}: {error}");
    }
}
