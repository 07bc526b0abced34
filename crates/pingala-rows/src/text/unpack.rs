//! Streams that are packed by gzip or zstd.

use std::io::{self, BufReader, Cursor, Read};

/// The stream unpacked, whatever its name says, and whether it was packed: by gzip, of one member or several, or by zstd, of one frame or
/// several. Waits for the first four bytes.
pub fn unpacked(mut stream: Box<dyn Read + Send>) -> io::Result<(Box<dyn Read + Send>, bool)> {
    let (mut start, mut used) = ([0; 4], 0);
    while used < start.len() {
        match stream.read(&mut start[used..]) {
            Ok(0) => break,
            Ok(count) => used += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let whole = Cursor::new(start).take(used as u64).chain(stream);
    Ok(match start[..used] {
        [0x1f, 0x8b, ..] => (Box::new(flate2::bufread::MultiGzDecoder::new(BufReader::new(whole))), true),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => (Box::new(zstd::Decoder::new(whole)?), true),
        _ => (Box::new(whole), false),
    })
}

#[cfg(test)]
#[path = "../../tests/inside/text/unpack.rs"]
mod tests;
