//! Streams that are packed by gzip or zstd.

use std::io::{self, BufReader, Cursor, Read};

/// How a stream is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Not at all.
    Plain,
    /// gzip, of one member or several.
    Gzip,
    /// zstd, of one frame or several.
    Zstd,
}

/// By the first bytes of a stream.
pub fn packing(start: &[u8]) -> Packing {
    match start {
        [0x1f, 0x8b, ..] => Packing::Gzip,
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Packing::Zstd,
        _ => Packing::Plain,
    }
}

/// The stream unpacked, whatever its name says. Waits for the first four bytes.
pub fn unpacked(mut stream: Box<dyn Read + Send>) -> io::Result<(Box<dyn Read + Send>, Packing)> {
    let (mut start, mut used) = ([0; 4], 0);
    while used < start.len() {
        match stream.read(&mut start[used..]) {
            Ok(0) => break,
            Ok(count) => used += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let packing = packing(&start[..used]);
    let whole = Cursor::new(start).take(used as u64).chain(stream);
    Ok(match packing {
        Packing::Plain => (Box::new(whole), packing),
        Packing::Gzip => (Box::new(flate2::bufread::MultiGzDecoder::new(BufReader::new(whole))), packing),
        Packing::Zstd => (Box::new(zstd::Decoder::new(whole)?), packing),
    })
}

#[cfg(test)]
mod tests {
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
}
