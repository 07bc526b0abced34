//! Go, as gofmt writes it.

use super::{Code, Operation, name};
use pingala::algorithm::{BASE, Register};
use std::fmt::Write;

pub(super) fn text(code: &Code, function: &str, field: &str) -> String {
    let [what, cost] = &code.comment;
    let mut text = format!("// {function} sets z to {what} and returns z.\n// {cost}. z may be x.\n");
    let _ = writeln!(text, "func {function}(z, x *{field}) *{field} {{");
    if code.n_temporaries > 0 {
        let _ = writeln!(text, "\tvar {} {field}", code.temporaries().join(", "));
    }
    let pointer = |register: Register| if register == BASE { "x".into() } else { format!("&{}", name(register)) };
    for operation in &code.operations {
        let _ = match *operation {
            Operation::Square { out, from, count } => {
                let _ = writeln!(text, "\t{}.Square({})", name(out), pointer(from));
                match count {
                    1 => Ok(()),
                    _ => writeln!(text, "\tfor i := 1; i < {count}; i++ {{\n\t\t{0}.Square(&{0})\n\t}}", name(out)),
                }
            }
            Operation::Multiply { out, a, b } => {
                writeln!(text, "\t{}.Mul({}, {})", name(out), pointer(a), pointer(b))
            }
        };
    }
    let result = if code.result == BASE { "*x".to_string() } else { name(code.result) };
    text + &format!("\t*z = {result}\n\treturn z\n}}\n")
}
