//! The command `pingala`; everything is in the library, so that the Python wheel ships the same command.
#![forbid(unsafe_code)]

fn main() {
    std::process::exit(pingala_cli::run(std::env::args_os()));
}
