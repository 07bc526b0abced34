//! Python.

use super::{Code, Operation, name};
use std::fmt::Write;

pub(super) fn text(code: &Code, function: &str) -> String {
    let [what, cost] = &code.comment;
    let mut text = format!("def {function}(x):\n    \"\"\"{what}\n\n    {cost}.\n    \"\"\"\n");
    for operation in &code.operations {
        let _ = match *operation {
            Operation::Square { out, from, count } => {
                let _ = writeln!(text, "    {} = {1} * {1}", name(out), name(from));
                match count {
                    1 => Ok(()),
                    _ => writeln!(text, "    for _ in range({}):\n        {1} = {1} * {1}", count - 1, name(out)),
                }
            }
            Operation::Multiply { out, a, b } => writeln!(text, "    {} = {} * {}", name(out), name(a), name(b)),
        };
    }
    text + &format!("    return {}\n", name(code.result))
}
