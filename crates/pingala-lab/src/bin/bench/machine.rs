//! What the lab asks of the operating system: the processor to run on, and the time that this process has had on it.
#![allow(unsafe_code)]

use pingala_core::Options;
use std::process::Command;
use std::sync::OnceLock;

/// The processor on which one thread runs.
static CORE: OnceLock<usize> = OnceLock::new();

/// Chooses the processor on which one thread runs; the first call decides.
pub fn choose_core(core: usize) {
    CORE.get_or_init(|| core);
}

/// The processors that this process began with, which are its threads by default. The library asks the system once, and a thread that is
/// kept on some processors sees no others: the first call comes before [`keep_on`].
pub fn processors() -> usize {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| Options::default().threads())
}

/// Keeps this thread, and the threads and processes that it starts from now on, on `threads` processors: the chosen one and
/// those that follow.
pub fn keep_on(threads: usize) {
    let count = threads.max(processors());
    let first = CORE.get().copied().unwrap_or(0);
    pin(&(0..threads).map(|thread| (first + thread) % count).collect::<Vec<_>>());
}

/// Reports on standard error if it cannot pin.
#[cfg(target_os = "linux")]
fn pin(processors: &[usize]) {
    // SAFETY: a cpu_set_t of zeros is the empty set, CPU_SET stays inside of it, and the call reads no more than its size.
    let done = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        for &processor in processors.iter().filter(|&&processor| processor < libc::CPU_SETSIZE as usize) {
            libc::CPU_SET(processor, &mut set);
        }
        libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &set)
    };
    if done != 0 {
        eprintln!("cannot pin to processors {processors:?}: {}", std::io::Error::last_os_error());
    }
}

#[cfg(not(target_os = "linux"))]
fn pin(_processors: &[usize]) {
    eprintln!("nothing is pinned on this system");
}

/// Nanoseconds that the threads of this process have run: only what is being timed runs in it.
pub fn process_nanoseconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is there to be written; the clock exists on every system that the lab is built for.
    let done = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    assert_eq!(done, 0, "clock_gettime");
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

/// The time stamp counter, which runs at one rate on every CPU of the last ten years; 0 elsewhere.
#[allow(unused_unsafe, reason = "reading it became safe after our minimum Rust")]
pub fn counter() -> u64 {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 has the instruction.
    return unsafe { core::arch::x86_64::_rdtsc() };
    #[cfg(not(target_arch = "x86_64"))]
    0
}

/// The first line that a command prints, or `unknown`.
pub fn first_line(command: &str, arguments: &[&str]) -> String {
    let output = Command::new(command).args(arguments).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.lines().next().unwrap_or("unknown").trim().to_string()
}

/// The processor by name, family and model.
pub fn cpu() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = info.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name));
        line.and_then(|line| line.split_once(": ")).map_or("unknown", |(_, value)| value).to_string()
    };
    format!("{}, family {}, model {}", field("model name"), field("cpu family"), field("model"))
}

#[cfg(all(test, target_os = "linux"))]
#[path = "../../../tests/inside/machine.rs"]
mod tests;
