//! Rust, as rustfmt writes it.

use super::{Code, Operation, name};
use pingala::algorithm::{BASE, Register};
use std::collections::HashSet;
use std::fmt::Write;

pub(super) fn text(code: &Code, function: &str, field: &str) -> String {
    let mut text = String::new();
    if code.squares_in_rows() {
        let _ = write!(
            text,
            "fn {function}_square_n(x: &{field}, n: usize) -> {field} {{\n    let mut y = x.square();\n    for _ in 1..n {{\n        \
             y = y.square();\n    }}\n    y\n}}\n\n"
        );
    }
    let [what, cost] = &code.comment;
    let _ = writeln!(text, "/// {what}\n///\n/// {cost}.\npub fn {function}(x: &{field}) -> {field} {{");
    let reference = |register: Register| if register == BASE { "x".into() } else { format!("&{}", name(register)) };
    // A register that is written once needs no `mut`.
    let mut writes = vec![0; code.n_temporaries + 1];
    for operation in &code.operations {
        let (Operation::Square { out, .. } | Operation::Multiply { out, .. }) = operation;
        writes[out.0] += 1;
    }
    let mut declared = HashSet::new();
    for operation in &code.operations {
        let (out, value) = match *operation {
            Operation::Square { out, from, count: 1 } => (out, format!("{}.square()", name(from))),
            Operation::Square { out, from, count } => {
                (out, format!("{function}_square_n({}, {count})", reference(from)))
            }
            Operation::Multiply { out, a, b } => (out, format!("{}.mul({})", name(a), reference(b))),
        };
        let declaration = match declared.insert(out) {
            true if writes[out.0] > 1 => "let mut ",
            true => "let ",
            false => "",
        };
        let _ = writeln!(text, "    {declaration}{} = {value};", name(out));
    }
    let result = if code.result == BASE { "x.clone()".to_string() } else { name(code.result) };
    text + &format!("    {result}\n}}\n")
}
