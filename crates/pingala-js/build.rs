//! What the linker has to know.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let of = |name: &str| std::env::var(name).unwrap_or_default();
    match of("CARGO_CFG_TARGET_OS").as_str() {
        // A thread of Node that ends unloads its addons, and a task may still run in this one.
        "linux" => println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete"),
        "macos" => {
            // Node has the functions that are missing until then.
            println!("cargo:rustc-cdylib-link-arg=-Wl,-undefined,dynamic_lookup");
            // Otherwise the library contains the path at which it was linked.
            println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/pingala.node");
        }
        _ => {}
    }
}
