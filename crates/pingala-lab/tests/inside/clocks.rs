use super::*;

#[test]
fn clocks_that_disagree() {
    assert!(Timing::of(1e6, &[1e6, 1.01e6, 1.015e6]).agrees);
    assert!(!Timing::of(1e6, &[1e6, 1.03e6, 1e6]).agrees);
    assert!(!Timing::of(1e6, &[1.2e6, 1e6, 1.2e6]).agrees);
    assert!(Timing::of(500.0, &[500.0, 900.0, 700.0]).agrees, "what reading takes");
}

#[test]
fn sleep_is_no_work() {
    assert!(!timed(false, || std::thread::sleep(Duration::from_millis(20))).agrees);
    assert!(timed(true, || ()).nanoseconds >= 0.0);
}
