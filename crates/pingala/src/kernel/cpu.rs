//! The one place that asks the processor what it can do.

/// The instruction-set extensions that some kernel may ask for, by the names that Rust and the vendors use.
const KNOWN: &[&str] = &["bmi2", "adx", "avx2", "avx512f", "avx512vl", "avx512ifma"];

/// Those of the known extensions that this processor has and the operating system lets us use.
pub(crate) fn features() -> Vec<&'static str> {
    KNOWN.iter().copied().filter(|name| has(name)).collect()
}

/// Whether every extension of the list is there.
pub(crate) fn has_all(needed: &[&str]) -> bool {
    needed.iter().all(|name| has(name))
}

/// Whether one known extension is there; false for names not in the list.
#[cfg(target_arch = "x86_64")]
fn has(name: &str) -> bool {
    use std::is_x86_feature_detected as detected;
    match name {
        "bmi2" => detected!("bmi2"),
        "adx" => detected!("adx"),
        "avx2" => detected!("avx2"),
        "avx512f" => detected!("avx512f"),
        "avx512vl" => detected!("avx512vl"),
        "avx512ifma" => detected!("avx512ifma"),
        _ => false,
    }
}

/// Elsewhere no kernel asks for anything yet.
#[cfg(not(target_arch = "x86_64"))]
fn has(_name: &str) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_always_there_and_nonsense_never() {
        assert!(has_all(&[]));
        assert!(!has_all(&["avx1024"]));
        assert!(features().iter().all(|name| has_all(&[name])));
    }
}
