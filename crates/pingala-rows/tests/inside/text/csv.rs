use super::*;

fn fields(record: &str) -> Vec<String> {
    split(record, b',').unwrap().into_iter().map(Cow::into_owned).collect()
}

#[test]
fn fields_plain_and_quoted() {
    assert_eq!(fields(""), [""]);
    assert_eq!(fields("a,,b"), ["a", "", "b"]);
    assert_eq!(split("a,b;\"c;d\";", b';').unwrap(), ["a,b", "c;d", ""]);
    assert_eq!(fields("a,"), ["a", ""]);
    assert_eq!(fields(r#""a,b","""c""","d""e""#), ["a,b", "\"c\"", "d\"e"]);
    assert_eq!(fields("\"two\nlines\",x"), ["two\nlines", "x"]);
    assert_eq!(fields(r#"1"2"#), ["1\"2"]);
    assert_eq!(split("\"a\"b", b',').unwrap_err(), "text behind the closing quote of field 1");
    assert_eq!(split("\"a", b',').unwrap_err(), "a quote is never closed");
    assert_eq!(split("\"a\"\"", b',').unwrap_err(), "a quote is never closed");
}

#[test]
fn a_header_names_each_column_once() {
    assert_eq!(header("a, b ,\"a\"\"\",,", b',').unwrap(), ["a", "b", "a\"", "", ""]);
    for twice in ["a,b,a", "a,b, a ", "a,\"a\""] {
        assert_eq!(header(twice, b',').unwrap_err(), "the header names the column a twice");
    }
}

/// A record is open exactly where splitting it finds a quote that is never closed.
#[test]
fn quoting_agrees_with_splitting() {
    let letters = ["\"", ",", "a"];
    for index in 0..3usize.pow(8) {
        let record: String = (0..8).map(|i| letters[index / 3usize.pow(i) % 3]).collect();
        let open = split(&record, b',').is_err_and(|error| error.contains("never"));
        let misplaced = split(&record, b',').is_err_and(|error| error.contains("behind"));
        if !misplaced {
            assert_eq!(Quoting::default().after(record.as_bytes(), b',').is_open(), open, "{record}");
        }
    }
}
