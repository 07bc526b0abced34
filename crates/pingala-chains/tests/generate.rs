//! Generated code is compiled without a warning and run on 1,000 bases in a small field.

use pingala_chains::{Chain, Language, Search, TABLE, evaluate, generate, number};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// The field: integers modulo 2^61 - 1.
const P: u64 = (1 << 61) - 1;
const BASES: u64 = 1000;

/// The shortest, and all of the table.
fn chains() -> Vec<Chain> {
    let short = ["1", "2", "3", "12509"].map(|text| Search::new(&evaluate(text).unwrap()).run().unwrap().chain);
    short.into_iter().chain(TABLE.iter().map(|entry| entry.kept().unwrap().chain)).collect()
}

/// What each program prints: the powers of the bases k * 0x9e3779b97f4a7c15 modulo 2^64 modulo p, a line each, of all chains.
fn wanted(chains: &[Chain]) -> String {
    let mut text = String::new();
    for chain in chains {
        let exponent = number(chain.target()) % u128::from(P - 1);
        for k in 1..=BASES {
            let (mut base, mut power, mut left) =
                (u128::from(k.wrapping_mul(0x9e37_79b9_7f4a_7c15) % P), 1u128, exponent);
            while left > 0 {
                if left & 1 == 1 {
                    power = power * base % u128::from(P);
                }
                base = base * base % u128::from(P);
                left >>= 1;
            }
            text += &format!("{power}\n");
        }
    }
    text
}

fn functions(chains: &[Chain], language: Language) -> String {
    let code = |(k, chain): (usize, &Chain)| generate(chain, language, &format!("Power{k}"), "Fe").unwrap();
    let code = |item: (usize, &Chain)| match language {
        Language::Rust => code(item).replace("Power", "power"),
        _ => code(item),
    };
    chains.iter().enumerate().map(code).collect::<Vec<_>>().join("\n")
}

fn ran(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}{}", text(&output.stdout), text(&output.stderr));
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Whether a tool is there; if not, a line for the closing lines of `make test` says so.
fn has(tool: &str) -> bool {
    if Command::new(tool).arg("--version").output().is_ok() || Command::new(tool).arg("version").output().is_ok() {
        return true;
    }
    println!("skipped: no {tool}");
    if let Some(path) = std::env::var_os("PINGALA_SKIPPED") {
        let mut file = fs::OpenOptions::new().append(true).open(path).expect("the list of what is skipped");
        let line = format!("generated code: no {tool}\n");
        std::io::Write::write_all(&mut file, line.as_bytes()).expect("the list of what is skipped");
    }
    false
}

fn write(folder: &Path, name: &str, text: String) {
    fs::write(folder.join(name), text).unwrap();
}

#[test]
fn rust_code() {
    if !has("rustc") {
        return;
    }
    let (folder, chains) = (tempfile::tempdir().unwrap(), chains());
    let field = format!(
        "//! Powers.\n\n/// An element.\n#[derive(Clone)]\npub struct Fe(u64);\nimpl Fe {{\n    fn mul(&self, other: &Fe) -> Fe {{\n        \
         Fe((u128::from(self.0) * u128::from(other.0) % {P}) as u64)\n    }}\n    fn square(&self) -> Fe {{\n        self.mul(self)\n    }}\n}}\n\n"
    );
    let calls: String = (0..chains.len())
        .map(|k| format!("    for k in 1..={BASES}u64 {{\n        println!(\"{{}}\", power{k}(&Fe(k.wrapping_mul(0x9e3779b97f4a7c15) % {P})).0);\n    }}\n"))
        .collect();
    let functions = functions(&chains, Language::Rust);
    write(folder.path(), "functions.rs", functions.clone());
    write(folder.path(), "main.rs", format!("{field}{functions}\nfn main() {{\n{calls}}}\n"));
    ran(Command::new("rustc").args(["--edition", "2021", "-D", "warnings", "main.rs"]).current_dir(&folder));
    assert_eq!(text(&ran(&mut Command::new(folder.path().join("main"))).stdout), wanted(&chains));
    if has("rustfmt") {
        // Lines are short enough, or comments, which rustfmt does not change.
        ran(Command::new("rustfmt").args(["--edition", "2021", "--check", "functions.rs"]).current_dir(&folder));
    }
}

#[test]
fn c_code() {
    if !has("cc") {
        return;
    }
    let (folder, chains) = (tempfile::tempdir().unwrap(), chains());
    let field = format!(
        "#include <stdint.h>\n#include <stdio.h>\n__extension__ typedef unsigned __int128 u128;\ntypedef uint64_t Fe;\n\
         static void Fe_mul(Fe *out, const Fe *a, const Fe *b) {{ *out = (Fe)((u128)*a * *b % {P}u); }}\n\
         static void Fe_sqr(Fe *out, const Fe *x) {{ Fe_mul(out, x, x); }}\n"
    );
    let declarations: String = (0..chains.len()).map(|k| format!("void Power{k}(Fe *out, const Fe *x);\n")).collect();
    let calls: String = (0..chains.len())
        .map(|k| {
            format!("    for (uint64_t k = 1; k <= {BASES}; k++) {{\n        Fe x = k * 0x9e3779b97f4a7c15u % {P}u;\n        Power{k}(&x, &x);\n        printf(\"%llu\\n\", (unsigned long long)x);\n    }}\n")
        })
        .collect();
    let functions = functions(&chains, Language::C);
    write(
        folder.path(),
        "main.c",
        format!("{field}{declarations}{functions}int main(void)\n{{\n{calls}    return 0;\n}}\n"),
    );
    let flags = ["-std=c99", "-O1", "-pedantic", "-Wall", "-Wextra", "-Werror", "main.c", "-o", "main"];
    ran(Command::new("cc").args(flags).current_dir(&folder));
    assert_eq!(text(&ran(&mut Command::new(folder.path().join("main"))).stdout), wanted(&chains));
}

#[test]
fn go_code() {
    if !has("go") {
        return;
    }
    let (folder, chains) = (tempfile::tempdir().unwrap(), chains());
    let field = format!(
        "package main\n\nimport (\n\t\"bufio\"\n\t\"fmt\"\n\t\"math/bits\"\n\t\"os\"\n)\n\ntype Fe uint64\n\nfunc (z *Fe) Mul(x, y *Fe) *Fe {{\n\thigh, low := bits.Mul64(uint64(*x), uint64(*y))\n\t\
         _, rest := bits.Div64(high, low, {P})\n\t*z = Fe(rest)\n\treturn z\n}}\n\nfunc (z *Fe) Square(x *Fe) *Fe {{\n\treturn z.Mul(x, x)\n}}\n\n"
    );
    let calls: String = (0..chains.len())
        .map(|k| {
            format!("\tfor k := uint64(1); k <= {BASES}; k++ {{\n\t\tx := Fe(k * 0x9e3779b97f4a7c15 % {P})\n\t\tPower{k}(&x, &x)\n\t\tfmt.Fprintln(out, x)\n\t}}\n")
        })
        .collect();
    let functions = functions(&chains, Language::Go);
    let main = format!("func main() {{\n\tout := bufio.NewWriter(os.Stdout)\n\tdefer out.Flush()\n{calls}}}\n");
    write(folder.path(), "main.go", format!("{field}{functions}\n{main}"));
    write(folder.path(), "go.mod", "module powers\n\ngo 1.21\n".into());
    let go = |arguments: &[&str]| {
        let mut command = Command::new("go");
        command.args(arguments).current_dir(&folder).env("GOFLAGS", "-mod=mod").env("GOTOOLCHAIN", "local");
        ran(&mut command)
    };
    go(&["vet", "."]);
    assert_eq!(text(&go(&["run", "."]).stdout), wanted(&chains));
    if has("gofmt") {
        assert_eq!(text(&ran(Command::new("gofmt").args(["-l", "main.go"]).current_dir(&folder)).stdout), "");
    }
}

#[test]
fn python_code() {
    if !has("python3") {
        return;
    }
    let (folder, chains) = (tempfile::tempdir().unwrap(), chains());
    let field = format!(
        "class Fe:\n    def __init__(self, value):\n        self.value = value % {P}\n\n    def __mul__(self, other):\n        return Fe(self.value * other.value)\n\n\n"
    );
    let calls: String = (0..chains.len())
        .map(|k| {
            format!("for k in range(1, {BASES} + 1):\n    print(Power{k}(Fe(k * 0x9E3779B97F4A7C15 % 2**64)).value)\n")
        })
        .collect();
    let functions = functions(&chains, Language::Python);
    write(folder.path(), "main.py", format!("{field}{functions}\n\n{calls}"));
    let ran = ran(Command::new("python3").args(["-W", "error", "main.py"]).current_dir(&folder));
    assert_eq!(text(&ran.stdout), wanted(&chains));
}

#[test]
fn a_name_that_is_no_name_is_refused() {
    let chain = &chains()[2];
    for name in ["", "1x", "a b", "x;", "é"] {
        assert!(generate(chain, Language::C, name, "Fe").is_err());
        assert!(generate(chain, Language::C, "power", name).is_err());
    }
    assert!("java".parse::<Language>().is_err());
}
