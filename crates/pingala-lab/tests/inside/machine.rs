use super::*;

#[test]
fn a_thread_stays_on_the_processor_that_was_chosen() {
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    choose_core(1);
    for _ in 0..2 {
        keep_on(1);
        let status = std::fs::read_to_string("/proc/thread-self/status").expect("Linux");
        let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
        assert_eq!(allowed.map(str::trim), Some((1 % count).to_string().as_str()));
    }
}
