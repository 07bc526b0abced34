use super::*;

#[test]
fn bars_are_as_long_as_the_times() {
    let rows = [("a", 10.0), ("long", 20.0), ("c", 1_000.0)].map(|(name, time)| (name.to_string(), time));
    let text = chart(&rows, 10.0, 80);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], "kernel  least in us  ratio");
    let length = |line: &str| line.chars().filter(|&c| c == '█').count();
    assert_eq!(lines[1..].iter().map(|line| length(line)).collect::<Vec<_>>(), [8, 16, 40], "{text}");
    assert!(lines[3].starts_with("c          1000.000  100.00  ") && lines[3].ends_with("█..."), "{text}");
    assert_eq!(chart(&rows[..2], 10.0, 80).lines().map(length).collect::<Vec<_>>(), [0, 20, 40]);
    // Narrower than the bars would like, then too narrow for any.
    let narrow = chart(&rows, 20.0, 50);
    let longest = narrow.lines().map(|line| line.chars().count()).max();
    assert_eq!(
        (longest, narrow.lines().nth(2).unwrap().split_whitespace().nth(2)),
        (Some(50), Some("1.00")),
        "{narrow}"
    );
    assert_eq!(length(chart(&rows, 10.0, 10).lines().nth(3).unwrap()), 5);
}

#[test]
fn every_kernel_of_this_cpu_is_timed() {
    let modulus = Modulus::new(Natural::from_limbs(&[u64::MAX; 8])).unwrap();
    let [base, exponent] = [3u64, 65537].map(Integer::from);
    let result = modulus.pow(&base, &exponent).unwrap();
    let power = Power { modulus: &modulus, base: &base, exponent: &exponent, result: &result };
    let rows = times(power, Options::default(), Duration::from_millis(2)).unwrap();
    assert!(rows.iter().any(|row| row.0 == "portable_r64"), "{rows:?}");
    assert!(rows.is_sorted_by(|one, other| one.1 <= other.1));
    assert!(times(power, Options::default(), Duration::ZERO).unwrap().is_empty());
}
