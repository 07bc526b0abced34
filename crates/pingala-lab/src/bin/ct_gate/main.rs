//! The constant-time gate: marks base and exponent undefined for valgrind's memcheck, runs the engine's secret path, and
//! lets memcheck report every branch and every address that depends on them. docs/constant-time.md says what this
//! proves and what it cannot see; tools/ct_gate.sh builds and runs it.
//!
//! ```text
//! valgrind --error-exitcode=99 ct_gate clean [--kernel NAME]    engine cases and the clean control: 0 errors wanted
//! ct_gate kernels                                               those that claim it, each with the architecture it needs, or any
//! valgrind --error-exitcode=99 ct_gate planned                  those that no kernel is forced on: chains, factors, blinded, primes, digits, keys
//! valgrind --error-exitcode=99 ct_gate factors                  only those with secret factors and no public exponent
//! valgrind --error-exitcode=99 ct_gate tables|lists             only those from tables, in lists
//! valgrind --error-exitcode=99 ct_gate blinded                  only those with a public exponent and no secret factor
//! valgrind --error-exitcode=99 ct_gate digits|keys              only those that read a secret text; only the reading of private keys
//! valgrind --error-exitcode=99 ct_gate chains                   only those with secret bases and an addition chain
//! valgrind --error-exitcode=99 ct_gate primes                   only those with secret primes
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
mod primes;
mod reading;
mod shapes;
mod tables;

use cases::Gate;
use pingala_core::Natural;
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
    let expected = cases::expected(&Natural::from_limbs(&[0, 1]), &BASE.to_be_bytes(), &EXPONENT).ok()?;
    (Natural::from_le_bytes(&result) == expected && tainted).then_some(errors)
}

/// The cases that no kernel can be forced on.
fn of_no_kernel(gate: &mut Gate) {
    chains::run(gate);
    reading::digits(gate);
    reading::keys(gate, true);
}

/// The clean control and the engine's cases.
fn clean(gate: &mut Gate, kernel: Option<&str>) -> Result<(), String> {
    let mut shapes = shapes::of(kernel)?;
    let unseen: Vec<&str> = shapes::unseen().filter(|&name| kernel.is_none_or(|kernel| kernel == name)).collect();
    // A kernel that is asked for by name and cannot run here has no cases.
    if kernel.is_some() && !unseen.is_empty() {
        shapes.clear();
    }
    gate.case("control: masked table scan", |_| match errors_in(controls::clean) {
        Some(0) => Ok(()),
        Some(errors) => Err(format!("{errors} errors")),
        None => Err("wrong or untainted result".into()),
    });
    let on = factors::kernels(kernel);
    cases::run(gate, &shapes, kernel);
    factors::run(gate, &on, &[false, true]);
    blinded::run(gate, &on);
    primes::run(gate, &on);
    tables::run(gate, tables::TABLES, kernel);
    tables::run(gate, &[tables::Kind::List], kernel);
    // The planner chooses their kernels.
    if kernel.is_none() {
        of_no_kernel(gate);
    }
    for name in unseen {
        println!("unseen  kernel {name}: it cannot run here");
    }
    for (name, cases) in shapes::cases_of_kernels(&shapes) {
        if kernel.is_some_and(|kernel| kernel != name) {
            continue;
        }
        let enough = cases >= shapes::LEAST_OF_A_KERNEL;
        gate.failed += usize::from(!enough);
        println!("{}    kernel {name}: {cases} cases", if enough { "seen" } else { "FAILED  too few," });
    }
    if kernel.is_none() && gate.passed < shapes::LEAST {
        gate.failed += 1;
        println!("FAILED  {} cases, fewer than {}", gate.passed, shapes::LEAST);
    }
    Ok(())
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
        return wrong_use("not under valgrind's memcheck on x86-64, so nothing could be checked");
    }
    let gate = &mut Gate::new();
    match arguments[..] {
        ["clean", ref more @ ..] if matches!(more, [] | ["--kernel", _]) => {
            if let Err(why) = clean(gate, more.last().copied()) {
                return wrong_use(&why);
            }
        }
        ["factors"] => factors::run(gate, &factors::kernels(None), &[false]),
        // Parts of these run as planned whatever is forced: another kernel serves them if the CPU is said to lack what the first one needs.
        ["planned"] => {
            of_no_kernel(gate);
            factors::run(gate, &[None], &[false, true]);
            blinded::run(gate, &[None]);
            primes::run(gate, &[None]);
        }
        ["blinded"] => blinded::run(gate, &factors::kernels(None)),
        ["tables"] => tables::run(gate, tables::TABLES, None),
        ["lists"] => tables::run(gate, &[tables::Kind::List], None),
        ["chains"] => chains::run(gate),
        ["primes"] => primes::run(gate, &[None]),
        ["digits"] => reading::digits(gate),
        ["keys"] => reading::keys(gate, false),
        ["--plant", "branch"] => return plant("branch", controls::leaky_branch),
        ["--plant", "index"] => return plant("index", controls::leaky_index),
        _ => {
            return wrong_use(
                "usage: ct_gate kernels | clean [--kernel NAME] | planned | factors | blinded | tables | lists | chains | primes | \
                 digits | keys | --plant branch | --plant index",
            );
        }
    }
    gate.verdict()
}

fn wrong_use(why: &str) -> ExitCode {
    eprintln!("ct_gate: {why}");
    ExitCode::from(2)
}
