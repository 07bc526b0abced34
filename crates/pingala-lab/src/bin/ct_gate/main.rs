//! The constant-time gate: marks base and exponent undefined for valgrind's memcheck, runs the engine's secret path, and
//! lets memcheck report every branch and every address that depends on them. docs/constant-time.md says what this
//! proves and what it cannot see; tools/ct_gate.sh builds and runs it.
//!
//! ```text
//! valgrind --error-exitcode=99 ct_gate clean [--kernel NAME]    engine cases and the clean control: 0 errors wanted
//! ct_gate kernels                                               those that claim it, each with the architecture it needs, or any
//! valgrind --error-exitcode=99 ct_gate planned                  those that no kernel is forced on: chains, factors, blinded, digits, keys
//! valgrind --error-exitcode=99 ct_gate factors                  only those with secret factors and no public exponent
//! valgrind --error-exitcode=99 ct_gate tables|lists             only those from tables, in lists
//! valgrind --error-exitcode=99 ct_gate blinded                  only those with a public exponent and no secret factor
//! valgrind --error-exitcode=99 ct_gate digits|keys              only those that read a secret text; only the reading of private keys
//! valgrind --error-exitcode=99 ct_gate chains                   only those with secret bases and an addition chain
//! valgrind --error-exitcode=99 ct_gate --plant branch|index     a planted leak: memcheck must report it (status 99)
//! ```
//!
//! Its own exit status: 0 as wanted, 1 a case failed, 2 wrong use or not under memcheck.

mod blinded;
mod cases;
mod chains;
mod controls;
mod factors;
mod memcheck;
mod reading;
mod shapes;
mod tables;

use std::process::ExitCode;

/// A control: the base and a secret exponent in, the power modulo 2^64 out.
type Control = fn(u64, &[u8]) -> u64;

const BASE: u64 = 0x0123_4567_89ab_cdef;
const EXPONENT: [u8; 8] = [0xb1, 0x05, 0x00, 0xf0, 0x5e, 0xc2, 0xe7, 0x5d];

/// Runs one control on the secret and returns how many errors memcheck found in it; `None` if its result is wrong or does
/// not depend on the secret.
fn errors_in(control: Control) -> Option<usize> {
    let mut exponent = EXPONENT.to_vec();
    let before = memcheck::errors();
    memcheck::make_secret(&mut exponent);
    let mut result = control(BASE, &exponent).to_le_bytes();
    let errors = memcheck::errors() - before;
    let tainted = memcheck::is_secret(&result);
    memcheck::make_public(&mut result);
    // Public again, by square and multiply from the other end.
    let mut power = BASE;
    let mut expected = 1u64;
    for byte in EXPONENT.iter().rev() {
        for position in 0..8 {
            if byte >> position & 1 == 1 {
                expected = expected.wrapping_mul(power);
            }
            power = power.wrapping_mul(power);
        }
    }
    (u64::from_le_bytes(result) == expected && tainted).then_some(errors)
}

/// The cases passed and failed of all.
fn sum(of: &[(usize, usize)]) -> (usize, usize) {
    of.iter().fold((0, 0), |(passed, failed), of| (passed + of.0, failed + of.1))
}

/// The cases that no kernel can be forced on.
fn of_no_kernel() -> (usize, usize) {
    sum(&[chains::run(), reading::digits(), reading::keys(true)])
}

/// The clean control and the engine's cases.
fn clean(kernel: Option<&str>) -> ExitCode {
    let control = errors_in(controls::clean);
    match control {
        Some(0) => println!("ok      control: masked table scan, 0 errors"),
        Some(errors) => println!("FAILED  control: masked table scan, {errors} errors"),
        None => println!("FAILED  control: masked table scan, wrong or untainted result"),
    }
    let shapes = match shapes::of(kernel) {
        Ok(shapes) => shapes,
        Err(why) => {
            eprintln!("ct_gate: {why}");
            return ExitCode::from(2);
        }
    };
    let unseen: Vec<&str> = shapes::unseen().filter(|&name| kernel.is_none_or(|kernel| kernel == name)).collect();
    // A kernel that is asked for by name and cannot run here has no cases.
    let shapes = if kernel.is_some() && !unseen.is_empty() { Vec::new() } else { shapes };
    let kinds = [tables::TABLES, &[tables::Kind::List]].concat();
    let on = factors::kernels(kernel);
    let of = [
        cases::run(&shapes, kernel),
        factors::run(&on, &[false, true]),
        blinded::run(&on),
        tables::run(&kinds, kernel),
        // The planner chooses their kernels.
        kernel.map_or_else(of_no_kernel, |_| (0, 0)),
    ];
    let (passed, mut failed) = sum(&of);
    for name in unseen {
        println!("unseen  kernel {name}: it cannot run here");
    }
    for (name, cases) in shapes::cases_of_kernels(&shapes) {
        if kernel.is_some_and(|kernel| kernel != name) {
            continue;
        }
        let enough = cases >= shapes::LEAST_OF_A_KERNEL;
        failed += usize::from(!enough);
        println!("{}    kernel {name}: {cases} cases", if enough { "seen" } else { "FAILED  too few," });
    }
    if kernel.is_none() && passed < shapes::LEAST {
        failed += 1;
        println!("FAILED  {passed} cases, fewer than {}", shapes::LEAST);
    }
    let control_failed = usize::from(control != Some(0));
    println!("constant-time: {} passed, {} failed", passed + 1 - control_failed, failed + control_failed);
    if failed + control_failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

/// The verdict on some of the cases.
fn of_one_kind((passed, failed): (usize, usize)) -> ExitCode {
    println!("constant-time: {passed} passed, {failed} failed");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

/// A planted leak. The status is 0 although memcheck should object: the verdict is valgrind's exit status.
fn plant(name: &str, control: Control) -> ExitCode {
    match errors_in(control) {
        Some(errors) => {
            println!("planted leak `{name}`: memcheck reports {errors} errors");
            ExitCode::SUCCESS
        }
        None => {
            println!("FAILED  planted leak `{name}`: wrong or untainted result");
            ExitCode::from(1)
        }
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if arguments == ["kernels"] {
        shapes::kernels().for_each(|(name, architecture)| println!("{name} {architecture}"));
        return ExitCode::SUCCESS;
    }
    if !memcheck::running() {
        eprintln!("ct_gate: not under valgrind's memcheck on x86-64, so nothing could be checked");
        return ExitCode::from(2);
    }
    match arguments[..] {
        ["clean"] => clean(None),
        ["clean", "--kernel", name] => clean(Some(name)),
        ["factors"] => of_one_kind(factors::run(&factors::kernels(None), &[false])),
        // Parts of these run as planned whatever is forced: another kernel serves them if the CPU is said to lack what the first one needs.
        ["planned"] => {
            of_one_kind(sum(&[of_no_kernel(), factors::run(&[None], &[false, true]), blinded::run(&[None])]))
        }
        ["blinded"] => of_one_kind(blinded::run(&factors::kernels(None))),
        ["tables"] => of_one_kind(tables::run(tables::TABLES, None)),
        ["lists"] => of_one_kind(tables::run(&[tables::Kind::List], None)),
        ["--plant", "branch"] => plant("branch", controls::leaky_branch),
        ["--plant", "index"] => plant("index", controls::leaky_index),
        ["chains"] => of_one_kind(chains::run()),
        ["digits"] => of_one_kind(reading::digits()),
        ["keys"] => of_one_kind(reading::keys(false)),
        _ => {
            eprintln!(
                "usage: ct_gate kernels | clean [--kernel NAME] | planned | factors | blinded | tables | lists | chains | digits | keys | --plant branch | --plant index"
            );
            ExitCode::from(2)
        }
    }
}
