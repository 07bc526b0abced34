use super::*;
use std::io::Write;

fn text(bytes: Vec<u8>) -> io::Result<String> {
    let mut text = String::new();
    unpacked(Box::new(Cursor::new(bytes)))?.0.read_to_string(&mut text)?;
    Ok(text)
}

fn gzip(text: &str) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(text.as_bytes()).unwrap();
    packed.finish().unwrap()
}

#[test]
fn streams_are_unpacked_by_their_first_bytes() {
    assert_eq!(text(b"".to_vec()).unwrap(), "");
    assert_eq!(text(b"1,2".to_vec()).unwrap(), "1,2");
    assert_eq!(text([gzip("one"), gzip("two")].concat()).unwrap(), "onetwo");
    let zstd = |text: &str| zstd::encode_all(text.as_bytes(), 1).unwrap();
    assert_eq!(text([zstd("one"), zstd("two")].concat()).unwrap(), "onetwo");
    assert!(text(gzip("a text that is cut short")[..20].to_vec()).is_err());
    assert!(text(zstd("a text that is cut short")[..12].to_vec()).is_err());
}
