//! The command `pingala`; everything is in the library, so that the Python wheel ships the same command.
#![deny(unsafe_code)]

fn main() {
    std::process::exit(pingala_cli::run(std::env::args_os()));
}

/// Runs before the runtime of Rust, which opens `/dev/null` in place of a closed standard output: a result would be lost with
/// status 0.
#[cfg(target_os = "linux")]
mod before_main {
    use std::path::Path;

    // SAFETY: the loader calls each function of this section once, before `main`; this one takes no arguments and does not unwind.
    #[allow(unsafe_code)]
    #[used]
    #[unsafe(link_section = ".init_array")]
    static LOOK: extern "C" fn() = look;

    extern "C" fn look() {
        let open = Path::new("/proc/self/fd");
        if open.exists() && open.join("1").symlink_metadata().is_err() {
            pingala_cli::stdout_was_closed();
        }
    }
}
