use super::*;

#[test]
fn a_difference_in_length_is_a_fault() {
    assert_eq!(exactly([1, 2], ["a", "b"]).unwrap().collect::<Vec<_>>(), [(1, "a"), (2, "b")]);
    for (a, b) in [(vec![1], vec![1, 2]), (vec![1, 2], vec![1]), (vec![], vec![1])] {
        assert_eq!(exactly(a, b).unwrap_err().code(), "fault");
    }
}
