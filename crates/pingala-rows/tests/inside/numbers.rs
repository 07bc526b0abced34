use super::*;

#[test]
fn cells_are_integers() {
    let read = |cell| integer(cell, "base", 64, false).map(|value| value.to_string());
    let read_hexadecimal = |cell| integer(cell, "base", 64, true).map(|value| value.to_string());
    assert_eq!(read(Cell::Bytes(&[0, 0, 1, 0])).unwrap(), "256");
    assert_eq!(read(Cell::Bytes(&[])).unwrap(), "0");
    assert_eq!(read(Cell::Text(b" -0x10 ")).unwrap(), "-16");
    assert_eq!(read_hexadecimal(Cell::Text(b" -10")).unwrap(), "-16");
    assert_eq!(read_hexadecimal(Cell::Text(b"0xff")).unwrap(), "255");
    assert_eq!(read_hexadecimal(Cell::Text(b"1e5")).unwrap(), "485");
    assert_eq!(read(Cell::Signed(i64::MIN)).unwrap(), "-9223372036854775808");
    assert_eq!(read(Cell::Unsigned(u64::MAX)).unwrap(), "18446744073709551615");
    assert_eq!(read(Cell::Twos(&[0xff, 0x00])).unwrap(), "-256");
    assert_eq!(read(Cell::Twos(&[0x80])).unwrap(), "-128");
    assert_eq!(read(Cell::Twos(&[0x7f, 0xff])).unwrap(), "32767");
    assert_eq!(read(Cell::Bytes(&[1; 9])).unwrap_err().code(), "too_long");
    assert_eq!(read(Cell::Text(b"1.5")).unwrap_err().code(), "not_a_number");
    assert_eq!(read(Cell::Text(&[0xff])).unwrap_err().code(), "not_a_number");
}
