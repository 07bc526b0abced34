//! A chain as straight code in a language, over a field type that its user names.
//!
//! The code multiplies in the order of the chain, with the temporaries of [`AdditionChain`], whose places are used again.

mod c;
mod go;
mod python;
mod rust;

use core::fmt;
use core::str::FromStr;
use pingala::Error;
use pingala::algorithm::{AdditionChain, BASE, Chain, Monoid, Program, Register};

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

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Language::Rust => "rust",
            Language::C => "c",
            Language::Go => "go",
            Language::Python => "python",
        })
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
    Ok(match language {
        Language::Rust => rust::text(&code, function, field),
        Language::C => c::text(&code, function, field),
        Language::Go => go::text(&code, function, field),
        Language::Python => python::text(&code, function),
    })
}

/// What every language says in its own words.
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

    fn squares_in_rows(&self) -> bool {
        self.operations.iter().any(|operation| matches!(operation, Operation::Square { count: 2.., .. }))
    }

    /// `t1`, `t2`, ...
    fn temporaries(&self) -> Vec<String> {
        (1..self.n_temporaries + 1).map(|place| name(Register(place))).collect()
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
