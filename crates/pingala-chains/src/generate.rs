//! A chain as straight code in a language, over a field type that its user names.
//!
//! The code multiplies in the order of the chain, with the temporaries of [`AdditionChain`], whose places are used again.

use core::str::FromStr;
use pingala_core::Error;
use pingala_core::algorithm::{AdditionChain, BASE, Chain, Monoid, Program, Register};
use std::collections::HashSet;

/// A language that code is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// A function of `&T` with the methods `square(&self) -> T` and `mul(&self, &T) -> T`.
    Rust,
    /// A function of `T *` with the functions `T_sqr(T *, const T *)` and `T_mul(T *, const T *, const T *)`, which may work in place.
    C,
    /// A function of `*T` with the methods `Square(*T)` and `Mul(*T, *T)`, which set their receiver and may work in place.
    Go,
    /// A function of anything that can be multiplied by `*`.
    Python,
}

impl FromStr for Language {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "rust" => Ok(Language::Rust),
            "c" => Ok(Language::C),
            "go" => Ok(Language::Go),
            "python" => Ok(Language::Python),
            _ => Err(Error::BadArgument(format!("no language `{text}`; there are rust, c, go, python"))),
        }
    }
}

/// The code of a function with this name over this type.
///
/// # Errors
/// [`Error::BadArgument`] if a name is no identifier.
pub fn generate(chain: &Chain, language: Language, function: &str, field: &str) -> Result<String, Error> {
    for name in [function, field] {
        let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !starts || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(Error::BadArgument(format!("`{name}` should be a name: letters, digits, underscores")));
        }
    }
    let code = Code::of(chain);
    let statements = code.statements(language, function, field);
    Ok(code.head(language, function, field) + &statements + &code.tail(language))
}

/// What the function does, and in the languages its text.
struct Code {
    /// Two lines on what it computes and costs.
    comment: [String; 2],
    operations: Vec<Operation>,
    /// The registers but the base, 1 up to this number.
    n_temporaries: usize,
    result: Register,
}

/// One statement.
#[derive(Clone, Copy)]
enum Operation {
    /// `count` squarings.
    Square { out: Register, from: Register, count: usize },
    /// A product.
    Multiply { out: Register, a: Register, b: Register },
}

impl Code {
    fn of(chain: &Chain) -> Self {
        let program = AdditionChain::new(chain.clone());
        let mut recorder = Recorder(Vec::new());
        let result = program.run(chain.target(), &mut recorder);
        let shape = crate::shape(chain);
        let exponent = crate::number(chain.target());
        let comment = [
            format!("x^{exponent:#x}"),
            format!("{} squarings, {} products, {} temporaries", shape.squarings, shape.products, shape.registers - 1),
        ];
        Self { comment, operations: recorder.0, n_temporaries: shape.registers - 1, result }
    }

    /// What stands above the statements: in Rust and C also a function that squares in a row, if one is called.
    fn head(&self, language: Language, function: &str, field: &str) -> String {
        let [what, cost] = &self.comment;
        let in_rows = self.operations.iter().any(|operation| matches!(operation, Operation::Square { count: 2.., .. }));
        let names = (1..self.n_temporaries + 1).map(|place| name(Register(place))).collect::<Vec<_>>().join(", ");
        match language {
            Language::Rust => {
                let in_a_row = format!(
                    "fn {function}_square_n(x: &{field}, n: usize) -> {field} {{\n    let mut y = x.square();\n    \
                     for _ in 1..n {{\n        y = y.square();\n    }}\n    y\n}}\n\n"
                );
                let in_a_row = if in_rows { in_a_row } else { String::new() };
                format!("{in_a_row}/// {what}\n///\n/// {cost}.\npub fn {function}(x: &{field}) -> {field} {{\n")
            }
            Language::C => {
                let in_a_row = format!(
                    "static void {function}_sqr_n({field} *out, const {field} *x, unsigned n)\n{{\n    \
                     {field}_sqr(out, x);\n    while (--n)\n        {field}_sqr(out, out);\n}}\n\n"
                );
                let in_a_row = if in_rows { in_a_row } else { String::new() };
                let comment = format!("/* {what}\n * {cost}. `out` may be `x`. */");
                let names = if names.is_empty() { names } else { format!("    {field} {names};\n\n") };
                format!("{in_a_row}{comment}\nvoid {function}({field} *out, const {field} *x)\n{{\n{names}")
            }
            Language::Go => {
                let comment = format!("// {function} sets z to {what} and returns z.\n// {cost}. z may be x.");
                let names = if names.is_empty() { names } else { format!("\tvar {names} {field}\n") };
                format!("{comment}\nfunc {function}(z, x *{field}) *{field} {{\n{names}")
            }
            Language::Python => format!("def {function}(x):\n    \"\"\"{what}\n\n    {cost}.\n    \"\"\"\n"),
        }
    }

    fn statements(&self, language: Language, function: &str, field: &str) -> String {
        // In Rust a register that is written once needs no `mut`.
        let mut writes = vec![0; self.n_temporaries + 1];
        self.operations.iter().for_each(|operation| writes[operation.out().0] += 1);
        let mut declared = HashSet::new();
        let of = |register: Register| if register == BASE { "x".to_string() } else { format!("&{}", name(register)) };
        let statement = |operation: &Operation| {
            let out = name(operation.out());
            match (language, *operation) {
                (Language::Rust, operation) => {
                    let value = match operation {
                        Operation::Square { from, count: 1, .. } => format!("{}.square()", name(from)),
                        Operation::Square { from, count, .. } => format!("{function}_square_n({}, {count})", of(from)),
                        Operation::Multiply { a, b, .. } => format!("{}.mul({})", name(a), of(b)),
                    };
                    let declaration = match declared.insert(operation.out()) {
                        true if writes[operation.out().0] > 1 => "let mut ",
                        true => "let ",
                        false => "",
                    };
                    format!("    {declaration}{out} = {value};\n")
                }
                (Language::C, Operation::Square { out, from, count: 1 }) => {
                    format!("    {field}_sqr({}, {});\n", of(out), of(from))
                }
                (Language::C, Operation::Square { out, from, count }) => {
                    format!("    {function}_sqr_n({}, {}, {count});\n", of(out), of(from))
                }
                (Language::C, Operation::Multiply { out, a, b }) => {
                    format!("    {field}_mul({}, {}, {});\n", of(out), of(a), of(b))
                }
                (Language::Go, Operation::Square { from, count, .. }) => {
                    let again = format!("\tfor i := 1; i < {count}; i++ {{\n\t\t{out}.Square(&{out})\n\t}}\n");
                    format!("\t{out}.Square({})\n{}", of(from), if count > 1 { &again } else { "" })
                }
                (Language::Go, Operation::Multiply { a, b, .. }) => format!("\t{out}.Mul({}, {})\n", of(a), of(b)),
                (Language::Python, Operation::Square { from, count, .. }) => {
                    let again = format!("    for _ in range({}):\n        {out} = {out} * {out}\n", count - 1);
                    format!("    {out} = {0} * {0}\n{1}", name(from), if count > 1 { &again } else { "" })
                }
                (Language::Python, Operation::Multiply { a, b, .. }) => {
                    format!("    {out} = {} * {}\n", name(a), name(b))
                }
            }
        };
        self.operations.iter().map(statement).collect()
    }

    /// The end of the function, which gives the result.
    fn tail(&self, language: Language) -> String {
        let (is_base, result) = (self.result == BASE, name(self.result));
        match language {
            Language::Rust => format!("    {result}{}\n}}\n", if is_base { ".clone()" } else { "" }),
            Language::C => format!("    *out = {}{result};\n}}\n", if is_base { "*" } else { "" }),
            Language::Go => format!("\t*z = {}{result}\n\treturn z\n}}\n", if is_base { "*" } else { "" }),
            Language::Python => format!("    return {result}\n"),
        }
    }
}

impl Operation {
    /// The register that it writes.
    fn out(self) -> Register {
        let (Self::Square { out, .. } | Self::Multiply { out, .. }) = self;
        out
    }
}

/// What the code calls a register.
fn name(register: Register) -> String {
    if register == BASE { "x".into() } else { format!("t{}", register.0) }
}

struct Recorder(Vec<Operation>);

/// A chain asks for products and squarings, and for nothing else.
impl Monoid for Recorder {
    type Digit = usize;

    fn one(&mut self, _: Register) {
        unreachable!("a chain starts from the base")
    }

    fn copy(&mut self, _: Register, _: Register) {
        unreachable!("a chain copies nothing")
    }

    fn mul(&mut self, out: Register, a: Register, b: Register) {
        self.0.push(Operation::Multiply { out, a, b });
    }

    fn sqr_n(&mut self, out: Register, from: Register, count: usize) {
        self.0.push(Operation::Square { out, from, count });
    }

    fn mul_base(&mut self, out: Register, a: Register) {
        self.mul(out, a, BASE);
    }

    fn select(&mut self, _: Register, _: Register, _: usize, _: usize) {
        unreachable!("a chain has no table")
    }
}
