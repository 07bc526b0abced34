use super::*;

#[test]
fn names_fit_patterns() {
    for (pattern, name, fits) in [
        ("*.parquet", "a.parquet", true),
        ("*.parquet", ".parquet", true),
        ("*.parquet", "a.parquet.gz", false),
        ("part-?.csv", "part-1.csv", true),
        ("part-?.csv", "part-12.csv", false),
        ("*a*", "banana", true),
        ("b*an*a", "banana", true),
        ("b*an*an", "banana", false),
        ("*ab", "aab", true),
        ("*?b", "b", false),
        ("a**", "a", true),
        ("*", "", true),
        ("?", "", false),
        ("", "", true),
    ] {
        assert_eq!(matches(pattern.as_bytes(), name.as_bytes()), fits, "{pattern} {name}");
    }
    // Not each way to divide the name among all `*`.
    assert!(!matches(&[&b"*a".repeat(64)[..], b"b"].concat(), &[b'a'; 250]));
}
