//! Names the shared library by its ABI, which does not follow the version of the crate.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("macos") => println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libpingala.1.dylib"),
        Ok("windows") => {}
        _ => println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libpingala.so.1"),
    }
    // The linker of this target since Rust 1.90, lld, stores equal functions once; GNU's and zig's do not know the option.
    let is_default = std::env::var_os("RUSTC_LINKER").is_none();
    if is_default && std::env::var("TARGET").as_deref() == Ok("x86_64-unknown-linux-gnu") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,--icf=all");
    }
}
