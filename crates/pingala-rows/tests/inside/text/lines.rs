use super::*;

fn all(text: &[u8], cap_bytes: usize) -> Vec<String> {
    let mut lines = Lines::new(text, cap_bytes);
    let mut found = Vec::new();
    loop {
        match lines.read(|| {}).unwrap() {
            Found::Line => found.push(String::from_utf8_lossy(lines.text()).into_owned()),
            Found::TooLong => found.push("too long".to_string()),
            Found::End => return found,
        }
    }
}

#[test]
fn ends_of_every_kind() {
    assert_eq!(all(b"", 9), [""; 0]);
    assert_eq!(all(b"\n", 9), [""]);
    assert_eq!(all(b"a\nb", 9), ["a", "b"]);
    assert_eq!(all(b"\xef\xbb\xbfa\r\n\r\nb\r\n", 9), ["a", "", "b"]);
}

#[test]
fn the_cap_is_exact_and_the_next_line_is_whole() {
    assert_eq!(all(b"123456789\r\nb\n", 9), ["123456789", "b"]);
    assert_eq!(all(b"1234567890\nb\n", 9), ["too long", "b"]);
    assert_eq!(all(b"123456789012\r\nb", 9), ["too long", "b"]);
    assert_eq!(all(b"b\n1234567890", 9), ["b", "too long"]);
}

/// A line of 1 GiB, made on the fly, costs no memory.
#[test]
fn a_long_line_is_not_kept() {
    let stream = io::repeat(b'0').take(1 << 30).chain(&b"\nnext"[..]);
    let mut lines = Lines::new(stream, 1000);
    assert_eq!(lines.read(|| {}).unwrap(), Found::TooLong);
    assert!(lines.text.capacity() < KEPT_BYTES);
    assert_eq!(lines.read(|| {}).unwrap(), Found::Line);
    assert_eq!((lines.text(), lines.number(), lines.offset_bytes()), (&b"next"[..], 2, (1 << 30) + 5));
}

#[test]
fn lines_can_be_joined() {
    let mut lines = Lines::new(&b"a\r\nb\nc"[..], 4);
    assert_eq!(lines.read(|| {}).unwrap(), Found::Line);
    assert_eq!(lines.read_more(|| {}).unwrap(), Found::Line);
    assert_eq!(lines.text(), b"a\r\nb");
    assert_eq!(lines.read_more(|| {}).unwrap(), Found::TooLong);
    assert_eq!(lines.read_more(|| {}).unwrap(), Found::End);
    assert_eq!(lines.number(), 3);
}
