//! Client requests to valgrind's memcheck, by hand: four rotations and an exchange that do nothing on a real CPU and that
//! valgrind recognises. Constants and the sequence are those of valgrind.h and memcheck.h (BSD-style licence).
//!
//! Outside valgrind every request returns its default and changes nothing.
#![allow(unsafe_code)]

const RUNNING_ON_VALGRIND: usize = 0x1001;
const COUNT_ERRORS: usize = 0x1201;
const MEMCHECK: usize = (b'M' as usize) << 24 | (b'C' as usize) << 16;
const MAKE_MEM_UNDEFINED: usize = MEMCHECK + 1;
const MAKE_MEM_DEFINED: usize = MEMCHECK + 2;
const GET_VBITS: usize = MEMCHECK + 8;
const SET_VBITS: usize = MEMCHECK + 9;

/// One request with up to three arguments; the answer is 0 outside valgrind.
#[cfg(target_arch = "x86_64")]
fn request(code: usize, arguments: [usize; 3]) -> usize {
    let block: [usize; 6] = [code, arguments[0], arguments[1], arguments[2], 0, 0];
    let mut answer = 0usize;
    // SAFETY: the rotations of rdi add up to 128 = 2 * 64 places and rbx is exchanged with itself, so on a CPU only the
    // flags change, which asm! assumes anyway; under valgrind the request reads `block`, which outlives it, and touches
    // memory only as the callers below say.
    unsafe {
        core::arch::asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") block.as_ptr(),
            inout("rdx") answer,
            options(nostack),
        );
    }
    answer
}

/// Other architectures have other sequences: there the program reports that it is not under valgrind.
#[cfg(not(target_arch = "x86_64"))]
fn request(_code: usize, _arguments: [usize; 3]) -> usize {
    0
}

/// Whether the program runs under valgrind, and the tool is memcheck.
pub fn running() -> bool {
    let probe = [0u8];
    // Any tool answers the first request; only memcheck knows the second, and answers it with all ones.
    request(RUNNING_ON_VALGRIND, [0; 3]) > 0
        && request(MAKE_MEM_DEFINED, [probe.as_ptr().expose_provenance(), 1, 0]) as u32 == u32::MAX
}

/// How many errors memcheck has found so far, repeats included.
pub fn errors() -> usize {
    request(COUNT_ERRORS, [0; 3])
}

/// From here on memcheck treats these bytes as undefined: they may be moved and computed with, but a branch or an
/// address that depends on them is an error.
pub fn make_secret(bytes: &mut [u8]) {
    request(MAKE_MEM_UNDEFINED, [bytes.as_mut_ptr().expose_provenance(), bytes.len(), 0]);
}

/// Marks the low `secret_bits` bits of one byte as secret; the bits above stay public.
pub fn make_low_bits_secret(byte: &mut u8, secret_bits: u32) {
    make_bits_secret(byte, ((1u16 << secret_bits) - 1) as u8);
}

/// Marks as secret the bits of one byte that are ones in `secret`.
pub fn make_bits_secret(byte: &mut u8, secret: u8) {
    let validity = [secret];
    let (at, mask) = (core::ptr::from_mut(byte).expose_provenance(), validity.as_ptr().expose_provenance());
    assert_eq!(request(SET_VBITS, [at, mask, 1]), 1, "memcheck refused validity bits");
}

/// Declassifies: these bytes may be looked at again.
pub fn make_public(bytes: &mut [u8]) {
    request(MAKE_MEM_DEFINED, [bytes.as_mut_ptr().expose_provenance(), bytes.len(), 0]);
}

/// Whether any bit of these bytes still depends on a secret. Looking does not declassify, and is no error.
pub fn is_secret(bytes: &[u8]) -> bool {
    let mut validity = vec![0u8; bytes.len()];
    let (from, to) = (bytes.as_ptr().expose_provenance(), validity.as_mut_ptr().expose_provenance());
    assert_eq!(request(GET_VBITS, [from, to, bytes.len()]), 1, "memcheck gave no validity bits");
    make_public(&mut validity);
    validity.iter().any(|&bits| bits != 0)
}

/// Runs `work`, which writes a result to `out`, public afterwards. The error names what went wrong: the work failed, it used a secret in a
/// branch or an address, or its result does not depend on one, as `depends` finds.
pub fn watched<T>(
    out: &mut [u8],
    depends: impl Fn(&[u8]) -> bool,
    work: impl FnOnce(&mut [u8]) -> Result<T, pingala_core::Error>,
) -> Result<T, String> {
    let before = errors();
    let outcome = work(out);
    let (found, tainted) = (errors() - before, depends(out));
    make_public(out);
    let done = outcome.map_err(|error| format!("error {}: {error}", error.code()))?;
    if found > 0 {
        return Err(format!("memcheck reports {found} uses of a secret in a branch or an address"));
    }
    if !tainted {
        return Err("the result does not depend on the secrets: the gate checked nothing".into());
    }
    Ok(done)
}
