//! C99.

use super::{Code, Operation, name};
use pingala::algorithm::{BASE, Register};
use std::fmt::Write;

pub(super) fn text(code: &Code, function: &str, field: &str) -> String {
    let mut text = String::new();
    if code.squares_in_rows() {
        let _ = write!(
            text,
            "static void {function}_sqr_n({field} *out, const {field} *x, unsigned n)\n{{\n    {field}_sqr(out, x);\n    \
             while (--n)\n        {field}_sqr(out, out);\n}}\n\n"
        );
    }
    let [what, cost] = &code.comment;
    let _ = writeln!(text, "/* {what}\n * {cost}. `out` may be `x`. */");
    let _ = writeln!(text, "void {function}({field} *out, const {field} *x)\n{{");
    if code.n_temporaries > 0 {
        let _ = writeln!(text, "    {field} {};\n", code.temporaries().join(", "));
    }
    let pointer = |register: Register| if register == BASE { "x".into() } else { format!("&{}", name(register)) };
    for operation in &code.operations {
        let _ = match *operation {
            Operation::Square { out, from, count: 1 } => {
                writeln!(text, "    {field}_sqr({}, {});", pointer(out), pointer(from))
            }
            Operation::Square { out, from, count } => {
                writeln!(text, "    {function}_sqr_n({}, {}, {count});", pointer(out), pointer(from))
            }
            Operation::Multiply { out, a, b } => {
                writeln!(text, "    {field}_mul({}, {}, {});", pointer(out), pointer(a), pointer(b))
            }
        };
    }
    let result = if code.result == BASE { "*x".to_string() } else { name(code.result) };
    text + &format!("    *out = {result};\n}}\n")
}
