use super::*;
use crate::error::Error;
use std::sync::Arc;

#[test]
fn rows_arrive_in_order_and_in_bounded_chunks() {
    let queue = Arc::new(Queue::default());
    let writer = Arc::clone(&queue);
    let reader = std::thread::spawn(move || {
        for line in 1..=20_000 {
            // Every thousandth fills a chunk by itself.
            let bytes = if line % 1000 == 0 { MAX_TEXT_BYTES } else { 10 };
            assert!(writer.push((line, bytes), bytes));
        }
        writer.end(Ok(()));
    });
    let mut last = 0;
    while let Some(rows) = queue.take().unwrap() {
        assert!(rows.len() <= MAX_ROWS);
        assert!(rows.iter().map(|row| row.1).sum::<usize>() < 2 * MAX_TEXT_BYTES);
        for (line, _) in rows {
            assert_eq!(line, last + 1);
            last = line;
        }
    }
    assert_eq!(last, 20_000);
    reader.join().unwrap();
}

#[test]
fn a_flush_hands_over_a_single_row() {
    let queue = Queue::default();
    assert!(queue.push(1, 10));
    queue.flush();
    assert_eq!(queue.take().unwrap().unwrap().len(), 1);
}

#[test]
fn a_failure_comes_after_the_rows_before_it() {
    let queue = Queue::default();
    queue.push(1, 10);
    queue.end(Err(Error::interrupted()));
    queue.end(Ok(()));
    assert_eq!(queue.take().unwrap().unwrap().len(), 1);
    assert!(queue.take().is_err());
}

#[test]
fn an_abandoned_queue_stops_its_reader() {
    let queue = Queue::default();
    queue.push(1, MAX_TEXT_BYTES);
    queue.abandon();
    assert!(!queue.push(2, 10));
}
