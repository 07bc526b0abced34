use super::*;

#[test]
fn the_time_left_is_by_the_speed_of_this_run() {
    let line = text("squarings", 3_000_000, 10_000_000, 1_000_000, 10.0);
    assert_eq!(line, "3,000,000 of 10,000,000 squarings  100,000/s  1 min 10 s left");
    assert_eq!(text("powers", 5, 10, 0, 1.0), "5 of 10 powers  0/s  ? left");
}

#[test]
fn no_time_is_promised_at_the_beginning() {
    assert_eq!(left(10, 100, 1.0), None);
    assert_eq!(left(4, 100, 60.0), None);
    assert_eq!(left(20, 100, 5.0), Some(20.0));
    assert_eq!(left(100, 100, 5.0), Some(0.0));
    assert_eq!(left(0, 0, 5.0), None);
}
