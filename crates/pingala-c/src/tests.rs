//! What a C program cannot see: the tests of the interface itself are in `tests/`.

use crate::memory::Text;
use crate::status::{self, PINGALA_OTHER, PINGALA_PANIC, STATUSES};
use core::ffi::CStr;

/// A buffer and the message that it receives.
fn message(length: usize, write: impl FnOnce(Text)) -> String {
    let mut room = vec![b'?'; length + 2];
    // SAFETY: the buffer is that long and outlives the call.
    write(unsafe { Text::new(room.as_mut_ptr().cast(), length) });
    assert_eq!(room[length..], *b"??", "a byte behind the buffer");
    CStr::from_bytes_until_nul(&room).unwrap().to_str().unwrap().into()
}

#[test]
fn every_code_of_the_library_has_a_status() {
    let source = include_str!("../../pingala/src/error.rs");
    let codes = source.split("=> \"").skip(1).filter_map(|rest| rest.split('"').next());
    let codes: Vec<&str> = codes.collect();
    assert!(codes.len() >= 12, "the reader finds {codes:?}");
    for code in codes {
        let named = |(number, name): &&(i32, &CStr)| name.to_bytes() == code.as_bytes() && *number != PINGALA_OTHER;
        assert!(STATUSES.iter().any(|row| named(&row)), "no status has the name {code}");
    }
    for (number, name) in STATUSES {
        assert_eq!(status::name(number), name);
        assert_eq!(STATUSES.iter().filter(|row| row.0 == number || row.1 == name).count(), 1, "{name:?} twice");
    }
}

#[test]
fn a_panic_becomes_a_status() {
    for (planted, told) in [(true, "a literal"), (false, "a text 5")] {
        let told_by_call = message(20, |why| {
            let status = status::enter(why, || if planted { panic!("a literal") } else { panic!("a text {}", 2 + 3) });
            assert_eq!(status, PINGALA_PANIC);
        });
        assert_eq!(told_by_call, told);
    }
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("while its payload is dropped");
        }
    }
    let told = message(20, |why| assert_eq!(status::enter(why, || std::panic::panic_any(Bomb)), PINGALA_PANIC));
    assert_eq!(told, "no message");
}

#[test]
fn a_message_is_cut_between_characters() {
    let told = |length| message(length, |why| why.write("aé"));
    assert_eq!([told(1), told(2), told(3), told(4), told(9)], ["", "a", "a", "aé", "aé"]);
    message(1, |why| why.clear());
    Text::none().write("nowhere");
}
