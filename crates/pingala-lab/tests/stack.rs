//! The files on the stack from `Modulus::pow` to the inner loop, as ARCHITECTURE.md lists them.
//!
//! A thread interrupts another one that computes powers of 2048 bits, and the handler of the signal captures the stack. On the stack are the
//! files of all frames from the inner loop outwards, those that were inlined included, and the files of the traits whose methods
//! these frames are.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(unsafe_code)]

use pingala::{Integer, Modulus, Natural, Options};
use std::backtrace::Backtrace;
use std::collections::BTreeSet;
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
    /// The file with the inner loop, or that calls it, and a function of a call that is looked at.
    inner: &'static str,
    via: &'static str,
    /// The file of the inner loop that no unwinder knows: the blocks of mulx are assembly.
    behind: Option<&'static str>,
    most: usize,
}

const KERNELS: [Kernel; 2] = [
    Kernel { name: "ifma_row_r52", cpu: "", inner: "kernel/row/product.rs", via: "sqr_n", behind: None, most: 8 },
    Kernel {
        name: "mulx_r64",
        cpu: "-avx512f,-avxifma",
        inner: "kernel/mulx/mod.rs",
        via: "sos::sqr",
        behind: Some("kernel/mulx/blocks.rs"),
        most: 10,
    },
];

/// In the process that runs for one kernel: its name.
const KERNEL: &str = "PINGALA_STACK_OF";

static SAMPLE: Mutex<Option<Backtrace>> = Mutex::new(None);
static DONE: AtomicBool = AtomicBool::new(false);

extern "C" fn capture(_: libc::c_int) {
    if let Ok(mut sample) = SAMPLE.try_lock() {
        *sample = Some(Backtrace::force_capture());
    }
}

/// Stacks of a thread that computes powers, one after the other, until one suits.
fn sampled<T>(power: impl Fn() + Send, suits: impl Fn(&str) -> Option<T>) -> T {
    // SAFETY: the handler has the type of one, and touches nothing but the sample.
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
        for _ in 0..10_000 {
            thread::sleep(Duration::from_millis(2));
            // SAFETY: the thread lives until it is told to end.
            unsafe { libc::pthread_kill(thread, libc::SIGUSR1) };
            thread::sleep(Duration::from_millis(2));
            let sample = SAMPLE.lock().expect("no handler panics").take();
            if let Some(found) = sample.and_then(|stack| suits(&stack.to_string())) {
                DONE.store(true, SeqCst);
                return found;
            }
        }
        DONE.store(true, SeqCst);
        panic!("no sample shows the inner loop");
    })
}

/// The files of a stack from the inner loop to `Modulus::pow`, below `crates/pingala/src/`; none if it was taken elsewhere.
fn files(stack: &str, kernel: &Kernel) -> Option<BTreeSet<String>> {
    let (mut files, mut inside) = (kernel.behind.map(str::to_owned).into_iter().collect::<BTreeSet<_>>(), false);
    if !stack.contains(kernel.via) {
        return None;
    }
    let lines: Vec<&str> = stack.lines().map(str::trim).collect();
    for pair in lines.windows(2) {
        let (Some((_, symbol)), Some(place)) = (pair[0].split_once(": "), pair[1].strip_prefix("at ")) else {
            continue;
        };
        let Some((_, file)) = place.split_once("crates/pingala/src/") else { continue };
        let file = file.split(':').next()?;
        inside |= file == kernel.inner;
        if !inside {
            continue;
        }
        files.insert(file.to_owned());
        // `<Type as pingala::kernel::Ring<u64>>::mul`
        if let Some((_, path)) = symbol.split_once(" as pingala::") {
            let names: Vec<&str> = path.split(['<', '>']).next()?.split("::").collect();
            let module = names[..names.len() - 1].join("/");
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../pingala/src");
            let of = [format!("{module}.rs"), format!("{module}/mod.rs")];
            files.insert(of.into_iter().find(|file| root.join(file).is_file())?);
        }
        if symbol.ends_with("Modulus>::pow") || symbol.ends_with("Modulus::pow") {
            return Some(files);
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

#[test]
fn the_files_on_the_stack_are_those_of_the_page() {
    let (modulus, base, exponent) = power_of_2048_bits();
    let Ok(kernel) = env::var(KERNEL) else {
        // The CPU is asked once in a process.
        for Kernel { name, cpu, .. } in KERNELS {
            let own = env::current_exe().expect("a program");
            let run = Command::new(own).env(KERNEL, name).env("PINGALA_CPU", cpu).output().expect("it runs");
            assert!(run.status.success(), "{name}: {}", String::from_utf8_lossy(&run.stdout));
        }
        return;
    };
    let kernel = KERNELS.into_iter().find(|of| of.name == kernel).expect("a kernel of the table");
    let plan = modulus.plan(&base, &exponent, &Options::default()).expect("a plan").to_string();
    if !plan.contains(kernel.name) {
        eprintln!("skipped: this CPU takes {plan}");
        return;
    }
    // The first call keeps nothing.
    modulus.pow(&base, &exponent).expect("a power");
    let found = sampled(|| drop(modulus.pow(&base, &exponent)), |stack| files(stack, &kernel));
    assert_eq!(found, listed(kernel.name), "{plan}");
    assert!(found.len() <= kernel.most, "{plan}: {} files on the stack", found.len());
}
