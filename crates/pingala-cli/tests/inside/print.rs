use super::*;

#[test]
fn thousands_are_grouped() {
    for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
        assert_eq!(grouped(number), text);
    }
}

#[test]
fn rates() {
    assert_eq!((rate_text(12_345.6), rate_text(3.214)), ("12,345 rows/s".to_string(), "3.21 rows/s".to_string()));
}

#[test]
fn one_is_no_plural() {
    assert_eq!([0, 1, 2000].map(|number| counted(number, "row")), ["0 rows", "1 row", "2,000 rows"]);
}

#[test]
fn times_have_two_units_at_most() {
    for (seconds, text) in
        [(0.2, "0 s"), (59.4, "59 s"), (200.0, "3 min 20 s"), (7500.0, "2 h 05 min"), (273_600.0, "3 d 4 h")]
    {
        assert_eq!(time_text(seconds), text);
    }
}

#[test]
fn columns_are_aligned_and_lines_have_no_trailing_space() {
    let rows = [["a", "b", "c"], ["long", "x", ""]].map(|row| row.map(String::from).to_vec());
    assert_eq!(table(&rows), "a     b  c\nlong  x\n");
}
