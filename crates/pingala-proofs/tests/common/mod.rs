//! What the tests share.

use pingala_core::{Modulus, Natural, Watch};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Numbers that look random, always the same.
pub struct Draw(pub u64);

impl Draw {
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.word() % bound as u64) as usize
    }

    /// A number of at most this many bits, a multiple of 8.
    pub fn number(&mut self, bits: usize) -> Natural {
        let bytes: Vec<u8> = (0..bits / 8).map(|_| self.word() as u8).collect();
        Natural::from_le_bytes(&bytes)
    }

    /// An odd modulus of exactly this many bits, a multiple of 8.
    pub fn odd_modulus(&mut self, bits: usize) -> Modulus {
        let mut bytes: Vec<u8> = (0..bits / 8).map(|_| self.word() as u8).collect();
        bytes[0] |= 1;
        bytes[bits / 8 - 1] |= 0x80;
        Modulus::new(Natural::from_le_bytes(&bytes)).unwrap()
    }
}

/// Stops after some polls, and checks that progress stays within the total.
pub struct Impatient(AtomicUsize);

impl Impatient {
    pub fn after(polls: usize) -> Self {
        Self(polls.into())
    }
}

impl Watch for Impatient {
    fn stop(&self) -> bool {
        self.0.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_err()
    }

    fn progress(&self, finished: usize, total: usize) {
        assert!(finished <= total, "{finished} of {total}");
    }
}

/// A folder of this test, which is removed at the end.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("pingala-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
