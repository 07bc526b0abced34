//! The files on the stack from `Modulus::pow` to the inner loop, as ARCHITECTURE.md lists them.
//!
//! A thread interrupts another one that computes powers of 2048 bits, and the handler of the signal captures the stack. On the stack are the
//! files of all frames from the inner loop outwards, those that were inlined included, and the files of the traits whose methods
//! these frames are.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(unsafe_code)]

use pingala_core::{Integer, Modulus, Natural, Options};
use std::backtrace::Backtrace;
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;
use std::{env, fs, thread};

/// A kernel whose stack is looked at.
struct Kernel {
    name: &'static str,
    /// What makes the CPU one that takes it.
    cpu: &'static str,
    /// The file with the inner loop, or that calls it.
    inner: &'static str,
    /// A function with its file, of a call that is looked at.
    via: Option<(&'static str, &'static str)>,
    /// Files that no unwinder sees: the blocks of mulx are assembly.
    unseen: &'static [&'static str],
    most: usize,
}

const KERNELS: [Kernel; 3] = [
    Kernel { name: "ifma_row_r52", cpu: "", inner: "kernel/row/product.rs", via: None, unseen: &[], most: 9 },
    Kernel {
        name: "fma_row_r52",
        cpu: "-avx512f,-avxifma",
        inner: "kernel/fma_row/avx2.rs",
        via: Some(("kernel/fma_row/product.rs", "square")),
        unseen: &[],
        most: 10,
    },
    Kernel {
        name: "mulx_r64",
        cpu: "-avx2",
        inner: "kernel/mulx/mod.rs",
        via: Some(("kernel/montgomery/sos.rs", "redc")),
        unseen: &["kernel/mulx/blocks.rs"],
        most: 11,
    },
];

/// In the process that runs for one kernel: its name.
const KERNEL: &str = "PINGALA_STACK_OF";
/// In that process: the seconds after which it ends. A signal that arrives while its thread allocates blocks it for good, because the
/// handler allocates too.
const SECONDS: &str = "PINGALA_STACK_SECONDS";

static SAMPLE: Mutex<Option<Backtrace>> = Mutex::new(None);
static DONE: AtomicBool = AtomicBool::new(false);

extern "C" fn capture(_: libc::c_int) {
    if let Ok(mut sample) = SAMPLE.try_lock() {
        *sample = Some(Backtrace::force_capture());
    }
}

/// Stacks of a thread that computes powers, one after the other, until one suits.
fn sampled<T>(power: impl Fn() + Send + Sync, suits: impl Fn(&str) -> Option<T>) -> T {
    // SAFETY: the handler has the type of one. To capture a stack allocates, so a signal within an allocation can block the process for good;
    // the alarm ends it then, and it runs again.
    unsafe { libc::signal(libc::SIGUSR1, capture as extern "C" fn(libc::c_int) as libc::sighandler_t) };
    thread::scope(|scope| {
        let (tell, thread) = std::sync::mpsc::channel();
        scope.spawn(move || {
            // SAFETY: it only names the thread.
            tell.send(unsafe { libc::pthread_self() }).expect("it is waited for");
            while !DONE.load(SeqCst) {
                power();
            }
        });
        let thread = thread.recv().expect("it names itself");
        let mut last = String::new();
        for _ in 0..4_000 {
            thread::sleep(Duration::from_millis(2));
            // SAFETY: the thread lives until it is told to end.
            unsafe { libc::pthread_kill(thread, libc::SIGUSR1) };
            thread::sleep(Duration::from_millis(2));
            let sample = SAMPLE.lock().expect("no handler panics").take();
            last = sample.map_or(last, |stack| stack.to_string());
            if let Some(found) = suits(&last) {
                DONE.store(true, SeqCst);
                return found;
            }
        }
        DONE.store(true, SeqCst);
        panic!("no sample shows the inner loop; the last one:\n{last}");
    })
}

/// The library's sources, by their paths below its folder.
fn sources(folder: &Path, below: &str, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = format!("{below}{}", entry.file_name().display());
        if entry.path().is_dir() {
            sources(&entry.path(), &format!("{path}/"), found);
        } else {
            found.insert(path, fs::read_to_string(entry.path()).expect("a source"));
        }
    }
}

/// The file of the trait whose method has this line, if it is a method of a trait of the library.
fn file_of_trait(sources: &BTreeMap<String, String>, file: &str, line: usize) -> Option<String> {
    // The block that the line is in starts at the margin.
    let lines = sources[file].lines().take(line).collect::<Vec<_>>();
    let block = lines.into_iter().rev().find(|line| line.starts_with(char::is_alphabetic))?;
    let implemented = block.strip_prefix("impl")?.split_once(" for ")?.0;
    // `<W: Word> Ring<W>`
    let (mut depth, mut name) = (0, String::new());
    for c in implemented.chars() {
        depth += i32::from(c == '<') - i32::from(c == '>');
        if depth == 0 && c.is_alphanumeric() {
            name.push(c);
        }
    }
    let declared = |line: &str| {
        let mut words = line.split([' ', '<', ':', '(']).skip_while(|word| *word != "trait");
        line.starts_with("pub") && words.nth(1) == Some(&name)
    };
    let declares = |text: &str| text.lines().any(declared);
    sources.iter().find(|(_, text)| declares(text)).map(|(path, _)| path.clone())
}

/// The files of a stack from the inner loop to `Modulus::pow`, below `crates/pingala-core/src/`; none if it was taken elsewhere.
fn files(stack: &str, kernel: &Kernel, sources: &BTreeMap<String, String>) -> Option<BTreeSet<String>> {
    let (mut files, mut inside, mut via) = (BTreeSet::new(), false, kernel.via.is_none());
    files.extend(kernel.unseen.iter().map(|&file| file.to_owned()));
    let lines: Vec<&str> = stack.lines().map(str::trim).collect();
    for pair in lines.windows(2) {
        let Some((_, place)) =
            pair[1].strip_prefix("at ").and_then(|place| place.split_once("crates/pingala-core/src/"))
        else {
            continue;
        };
        let name = pair[0].rsplit_once(": ").map_or(pair[0], |(_, name)| name);
        let mut place = place.split(':');
        let (file, line) = (place.next()?, place.next()?.parse().ok()?);
        inside |= file == kernel.inner;
        if !inside {
            continue;
        }
        via |= kernel.via.is_some_and(|(of, function)| file == of && name.starts_with(function));
        files.insert(file.to_owned());
        files.extend(file_of_trait(sources, file, line));
        if file == "work/power.rs" && name == "pow" {
            // The table of odd powers is made before the loop, by a helper.
            return (via && !files.contains("algorithm/powers.rs")).then_some(files);
        }
    }
    None
}

/// The files that ARCHITECTURE.md lists for a kernel: the first column of the table behind its name.
fn listed(kernel: &str) -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ARCHITECTURE.md");
    let text = fs::read_to_string(path).expect("it is there");
    let (_, rest) = text.split_once(&format!("| on the stack with `{kernel}` |")).expect("a table for the kernel");
    let rows = rest.lines().skip(2).take_while(|line| line.starts_with('|'));
    rows.map(|row| row.split('`').nth(1).expect("a file").to_owned()).collect()
}

/// 2^2048 - 1942289, which is prime, and a base and an exponent as long.
fn power_of_2048_bits() -> (Modulus, Integer, Integer) {
    let number = |seed: u64| {
        let limbs = (1..=32).map(|limb: u64| (limb + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1 << 63);
        Natural::from_limbs(&limbs.collect::<Vec<u64>>())
    };
    let mut modulus = [u64::MAX; 32];
    modulus[0] -= 1_942_288;
    (Modulus::new(Natural::from_limbs(&modulus)).expect("it is not 0"), number(1).into(), number(2).into())
}

/// Says so, and tells the summary of `make test`: `tools/tally.py` names the list.
fn skipped(reason: &str) {
    println!("skipped: {reason}");
    if let Some(path) = env::var_os("PINGALA_SKIPPED") {
        let mut list = fs::OpenOptions::new().append(true).open(path).expect("the list of what is skipped");
        let line = format!("the_files_on_the_stack_are_those_of_the_page: {reason}\n");
        std::io::Write::write_all(&mut list, line.as_bytes()).expect("the list of what is skipped");
    }
}

#[test]
fn the_files_on_the_stack_are_those_of_the_page() {
    let (modulus, base, exponent) = power_of_2048_bits();
    let Ok(kernel) = env::var(KERNEL) else {
        // The CPU is asked once in a process.
        for Kernel { name, cpu, .. } in KERNELS {
            let own = env::current_exe().expect("a program");
            let run = |seconds: u32| {
                let mut command = Command::new(&own);
                command.arg("--nocapture").env(KERNEL, name).env("PINGALA_CPU", cpu).env(SECONDS, seconds.to_string());
                command.output().expect("it runs")
            };
            let mut runs = [10, 60, 240, 960].into_iter().map(run);
            let ran = runs.find(|ran| ran.status.signal() != Some(libc::SIGALRM)).expect("one of four is not blocked");
            let said = [&ran.stdout, &ran.stderr].map(|text| String::from_utf8_lossy(text));
            assert!(ran.status.success(), "{name}: {}", said.concat());
            print!("{}", said[0]);
        }
        return;
    };
    let kernel = KERNELS.into_iter().find(|of| of.name == kernel).expect("a kernel of the table");
    let plan = modulus.plan(&base, &exponent, &Options::default()).expect("a plan").to_string();
    if !plan.contains(kernel.name) {
        skipped(&format!("the stack of {}: this CPU takes {plan}", kernel.name));
        return;
    }
    let seconds = env::var(SECONDS).ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    // SAFETY: it sets a timer, which ends this process.
    unsafe { libc::alarm(seconds) };
    // The first call keeps nothing.
    modulus.pow(&base, &exponent).expect("a power");
    let mut texts = BTreeMap::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../pingala-core/src"), "", &mut texts);
    let found = sampled(|| drop(modulus.pow(&base, &exponent)), |stack| files(stack, &kernel, &texts));
    assert_eq!(found, listed(kernel.name), "{plan}");
    assert!(found.len() <= kernel.most, "{plan}: {} files on the stack", found.len());
}
