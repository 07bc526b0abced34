use super::*;
use crate::evaluate;

#[test]
fn bounds_of_known_numbers() {
    for (text, length) in [("1", 0), ("2", 1), ("3", 2), ("7", 4), ("15", 5), ("2^127", 127), ("2^255-21", 261)] {
        assert_eq!(lower_bound(&evaluate(text).unwrap()).length, length, "{text}");
    }
}
