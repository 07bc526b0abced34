use super::*;
use crate::stream::Ask;

struct Nothing;

impl Interpret for Nothing {
    type Work = ();
    type Expected = ();

    fn row(&mut self, _: &dyn RowSource) -> Ask<(), ()> {
        Ask { id: None, expected: None, what: Ok(()) }
    }
}

/// If the system starts no thread, rows are read between chunks: a whole stream, in order, in bounded chunks.
#[test]
fn rows_are_read_without_a_thread() {
    let text: String = (1..=10_000).map(|id| format!("{{\"base\":3,\"exponent\":{id}}}\n")).collect();
    let rules = Rules { csv: Some(false), ..Rules::default() };
    let records = Records::new(Box::new(io::Cursor::new(text)), "text".into(), rules);
    let source = Source::of(Box::new(records), Nothing);
    let (mut lines, mut chunks) = (Vec::new(), 0);
    while let Some(rows) = source.next().unwrap() {
        lines.extend(rows.iter().map(|row| row.place.1));
        chunks += 1;
    }
    assert!(lines.iter().copied().eq(1..=10_000) && chunks > 1);
}
