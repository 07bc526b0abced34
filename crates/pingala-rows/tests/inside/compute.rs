use super::*;

/// A result that its column cannot hold is a fault, and no null.
#[test]
fn results_are_of_one_type() {
    let number = |end| Answers { bytes: vec![0; end], rows: vec![Answer::Null, Answer::Number(0, end)] };
    let truth = Answers { bytes: Vec::new(), rows: vec![Answer::Truth(true, None)] };
    for (answers, results) in [(&truth, Results::Truth), (&number(8), Results::Word), (&number(3), Results::Fixed(3))] {
        assert_eq!(answers.are(results), Ok(()));
    }
    assert_eq!(number(5).are(Results::Variable), Ok(()));
    for (answers, results) in [
        (&truth, Results::Word),
        (&truth, Results::Variable),
        (&number(8), Results::Truth),
        (&number(7), Results::Word),
        (&number(2), Results::Fixed(3)),
    ] {
        assert_eq!(answers.are(results).unwrap_err().code(), "fault", "{results:?}");
    }
}
