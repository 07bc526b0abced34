use super::*;

#[test]
fn the_time_left_is_by_the_speed_of_this_run() {
    let line = text("squarings", 3_000_000, 10_000_000, 1_000_000, 10.0);
    assert_eq!(line, "3,000,000 of 10,000,000 squarings  100,000/s  1 min 10 s left");
    assert_eq!(text("powers", 5, 10, 0, 1.0), "5 of 10 powers  0/s  ? left");
}
