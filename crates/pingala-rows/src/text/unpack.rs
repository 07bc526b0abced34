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
#[path = "../../tests/inside/text/unpack.rs"]
mod tests;
