use super::*;

#[test]
fn sequences_that_are_known_to_be_short() {
    let cases: [(&[u64], usize); 5] = [(&[], 0), (&[2], 1), (&[11, 31], 7), (&[30, 32, 255], 11), (&[47], 8)];
    for (targets, steps) in cases {
        let found = search(targets).unwrap();
        assert_eq!(found.len() - 1, steps, "{targets:?}: {found:?}");
        assert!(targets.iter().all(|target| found.contains(target)));
    }
}
