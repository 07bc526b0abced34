//! What a C program cannot see: the tests of the interface itself are in `tests/`.

use crate::length::Cap;
use crate::list::{pingala_modulus_invert_list_limbs, pingala_modulus_pow_list_be};
use crate::memory::{In, Out, Rows, Text};
use crate::modulus::{pingala_modulus_free, pingala_modulus_new_be};
use crate::power::pingala_powmod_limbs;
use crate::status::{self, PINGALA_OTHER, PINGALA_PANIC, STATUSES};
use core::ffi::CStr;
use core::mem::MaybeUninit;
use core::ptr::{null, null_mut};
use pingala_core::Natural;

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
    let source = include_str!("../../../pingala-core/src/error.rs");
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

/// Numbers and rows in memory of exactly the stated length, results on top of operands. `make -C hardening miri` runs these too.
#[test]
fn results_may_lie_on_operands() {
    for length in [1, 7, 8, 9, 17] {
        let mut bytes: Vec<u8> = (1..).take(length).collect();
        let number = Natural::from_be_bytes(&bytes);
        let at = bytes.as_mut_ptr();
        // SAFETY: `bytes` has this length, and only this test uses it.
        let (from, to) = unsafe { (In::new(at, length, "in"), Out::new(at, length)) };
        assert_eq!(from.natural(Cap::NONE).unwrap(), number);
        to.write(&number).unwrap();
        to.write(&from.natural(Cap::NONE).unwrap()).unwrap();
        assert_eq!(from.units().unwrap(), (1..).take(length).collect::<Vec<u8>>());
        assert!(to.write(&Natural::from_be_bytes(&[1; 18])).is_err());
        // SAFETY: the same.
        let row = unsafe { Rows::new(at, 1, length, "rows") }.each().unwrap().map(<[u8]>::to_vec).collect::<Vec<_>>();
        assert_eq!(row.concat(), bytes);
    }
    // SAFETY: NULL is allowed.
    let none =
        unsafe { (In::<u64>::new(null(), 0, "in"), In::<u64>::new(null(), 1, "in"), Out::<u64>::new(null_mut(), 1)) };
    assert!(
        none.0.units().unwrap().is_empty() && none.1.units().is_err() && none.2.write(&Natural::default()).is_err()
    );
}

/// Whole calls: one power, a list with an element that fails, inverses, each onto its operands.
#[test]
fn calls_write_onto_their_operands() {
    let (mut base, exponent, m) = ([7u64, 0], [5u64], [0xffff_ffff_ffff_fffbu64, 1]);
    let at = base.as_mut_ptr();
    let why = null_mut();
    // SAFETY: the lengths are those of the arrays; the result may lie on the base.
    let status = unsafe { pingala_powmod_limbs(at, 2, at, 2, exponent.as_ptr(), 1, m.as_ptr(), 2, 0, None, why, 0) };
    assert_eq!((status, base), (0, [16_807, 0]));

    let mut modulus = MaybeUninit::uninit();
    // SAFETY: as above.
    assert_eq!(unsafe { pingala_modulus_new_be(Some(&mut modulus), [15].as_ptr(), 1, why, 0) }, 0);
    // SAFETY: the call has written it.
    let modulus = unsafe { modulus.assume_init() };
    let (mut rows, mut statuses) = ([2u8, 3, 4], [-1i32; 3]);
    let (at, negative) = (rows.as_mut_ptr(), [0, crate::PINGALA_NEGATIVE_EXPONENT as u8, 0]);
    // SAFETY: as above; the handle was just made.
    let status = unsafe {
        let (exponents, statuses) = ([3u8, 1, 2].as_ptr(), statuses.as_mut_ptr());
        pingala_modulus_pow_list_be(
            modulus.as_ref(),
            at,
            at,
            exponents,
            1,
            3,
            statuses,
            negative.as_ptr(),
            None,
            why,
            0,
        )
    };
    assert_eq!((status, rows), (0, [8, 0, 1]));
    assert_eq!(statuses.map(status::name), [c"ok", c"not_invertible", c"ok"]);
    let mut rows = [2u64, 4];
    let at = rows.as_mut_ptr();
    // SAFETY: as above; no call uses the handle after it is freed.
    unsafe {
        assert_eq!(pingala_modulus_invert_list_limbs(modulus.as_ref(), at, at, 2, null_mut(), null(), None, why, 0), 0);
        pingala_modulus_free(modulus);
        pingala_modulus_free(null_mut());
    }
    assert_eq!(rows, [8, 4]);
}
