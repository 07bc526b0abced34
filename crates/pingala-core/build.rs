//! Records the compiler: prices belong to it.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output();
    let version = output.ok().and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    let version = version.lines().next().map(str::trim).filter(|line| !line.is_empty());
    println!("cargo::rustc-env=PINGALA_COMPILER={}", version.unwrap_or("unknown"));
}
