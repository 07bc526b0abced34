//! Tests of `table/sealed.rs`.

use super::*;
use crate::table::replace::tests::Folder;
use std::fs;

const KIND: FileKind = FileKind { magic: *b"pingala?", version: 3, name: "test" };

#[test]
fn what_was_written_is_read_and_every_flipped_byte_is_refused() {
    let folder = Folder::new("flip");
    let path = folder.0.join("file");
    write(&path, &KIND, &[b"old"]).unwrap();
    write(&path, &KIND, &[b"pay", b"", b"load"]).unwrap();
    assert_eq!(read(&path, &KIND, 7).unwrap(), b"payload");
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1, "nothing is left beside it");
    let whole = fs::read(&path).unwrap();
    assert_eq!(whole.len(), HEADER_BYTES + 7 + SEAL_BYTES);
    for at in 0..whole.len() {
        for flip in [1, 0x80, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] ^= flip;
            open(&bytes, &KIND).unwrap_err();
        }
        open(&whole[..at], &KIND).unwrap_err();
    }
    open(&[&whole[..], b"x"].concat(), &KIND).unwrap_err();
}

#[test]
fn files_that_do_not_fit_are_refused_by_name() {
    let folder = Folder::new("fit");
    let path = folder.0.join("file");
    let says = |error: Error, what: &str| {
        assert_eq!(error.code(), "bad_file");
        let text = error.to_string();
        assert!(text.contains(what), "{text}");
    };
    says(read(&path, &KIND, 7).unwrap_err(), "file");
    says(read(&folder.0, &KIND, 7).unwrap_err(), "not an ordinary file");
    write(&path, &KIND, &[b"payload"]).unwrap();
    says(read(&path, &KIND, 6).unwrap_err(), "over the cap of 6");
    says(read(&path, &FileKind { version: 4, ..KIND }, 7).unwrap_err(), "version 3");
    says(read(&path, &FileKind { magic: *b"pingala!", ..KIND }, 7).unwrap_err(), "not a test");
    says(write(&folder.0.join("no/such"), &KIND, &[]).unwrap_err(), "no/such");
    for (declared, given) in [(3u64, &b"four"[..]), (5, b"four")] {
        let mut writer = Writer::create(&path, &KIND, declared).unwrap();
        let result = writer.write(given).and_then(|()| writer.finish());
        says(result.unwrap_err(), "declared");
    }
    assert_eq!(read(&path, &KIND, 7).unwrap(), b"payload", "what failed changed nothing");
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1);
}

/// A file that takes no room on the disk, and says nothing or too much: of 2^60 bytes no memory is taken before it is known.
#[cfg(unix)]
#[test]
fn the_header_comes_before_the_memory() {
    let folder = Folder::new("sparse");
    let path = folder.0.join("file");
    let length = 1 << 42;
    let sparse = |header: &[u8]| {
        fs::write(&path, header).unwrap();
        let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
        // Some file systems have no such files.
        file.set_len(length).is_ok()
    };
    let reason = || read(&path, &KIND, u64::MAX).unwrap_err().to_string();
    if sparse(&[]) {
        assert!(reason().contains("not a test"), "{}", reason());
    }
    if sparse(&KIND.header(7)) {
        assert!(reason().contains("its header says 7"), "{}", reason());
    }
}

#[test]
fn payloads_are_taken_apart() {
    let mut payload = Vec::new();
    field(&mut payload, b"abc");
    payload.extend(7u32.to_le_bytes());
    let mut reader = Reader::new(&payload);
    assert_eq!((reader.field().unwrap(), reader.u32().unwrap()), (&b"abc"[..], 7));
    assert!(reader.u32().unwrap_err().contains("byte 15"));
    reader.end().unwrap();
    assert!(Reader::new(&payload).end().is_err());
    let huge = [0xff; 8];
    assert!(Reader::new(&huge).field().is_err());
}
