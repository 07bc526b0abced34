//! What the engine is asked under memcheck: the plans of its own choice at every kind and length of modulus, and each
//! uniform algorithm on each form that claims to be constant-time, by force.

use pingala_core::algorithm::{Algorithm, ENTRIES, Schedule};
use pingala_core::kernels::{Entry, Feature, Form, KERNELS, Product, forms};

/// The shape of one case; only lengths, all of them public.
#[derive(Debug)]
pub struct Shape {
    pub modulus_bits: usize,
    pub trailing_zeros: usize,
    pub base_bytes: usize,
    pub exponent_bits: usize,
    pub value: Value,
    /// The line that is forced; without one the planner chooses.
    pub plan: Option<String>,
}

/// What the secret exponent is. memcheck must not be able to tell these apart.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    Random,
    Zero,
    Ones,
}

/// Exponents of the forced cases, in bits: a few digits of every window.
const FORCED_EXPONENT_BITS: usize = 40;

impl Shape {
    pub fn name(&self) -> String {
        let kind = match self.trailing_zeros {
            zeros if zeros + 1 == self.modulus_bits => format!("2^{zeros}"),
            0 => format!("odd {} bits", self.modulus_bits),
            zeros => format!("even {} bits, {zeros} zeros", self.modulus_bits),
        };
        let value = format!("{:?}", self.value).to_lowercase();
        let plan = self.plan.as_deref().map_or(String::new(), |line| format!("; {line}"));
        format!("modulus {kind}; base {} bytes; exponent {} bits, {value}{plan}", self.base_bytes, self.exponent_bits)
    }

    /// Whether some part of it can run on the kernel, so that forcing the kernel is no error.
    fn suits(&self, kernel: &Entry) -> bool {
        let odd_bits = self.modulus_bits - self.trailing_zeros;
        let part_bits = if kernel.odd && odd_bits > 1 {
            odd_bits
        } else if !kernel.odd {
            self.trailing_zeros
        } else {
            0
        };
        part_bits > 0 && kernel.takes(part_bits.div_ceil(64))
    }
}

/// As planned: odd, even and power-of-two moduli from one limb to 128; exponents of widths around limb edges, of value 0
/// and all ones; bases shorter than, as long as, and twice as long as the modulus.
fn planned() -> Vec<Shape> {
    let mut shapes = Vec::new();
    let mut add = |modulus_bits: usize, trailing_zeros, base_bytes, exponent_bits, value| {
        shapes.push(Shape { modulus_bits, trailing_zeros, base_bytes, exponent_bits, value, plan: None });
    };
    for modulus_bits in [2, 63, 64, 65, 127, 128, 192, 193, 256, 320, 512, 521, 1024, 2048] {
        add(modulus_bits, 0, modulus_bits.div_ceil(8), modulus_bits, Value::Random);
    }
    for value in [Value::Zero, Value::Ones] {
        for (modulus_bits, trailing_zeros) in [(64, 0), (256, 0), (256, 7), (256, 255), (1024, 0)] {
            add(modulus_bits, trailing_zeros, modulus_bits / 8, 256, value);
        }
    }
    for exponent_bits in [1, 7, 8, 63, 64, 65, 129] {
        add(192, 0, 24, exponent_bits, Value::Random);
        add(192, 5, 24, exponent_bits, Value::Random);
    }
    for (modulus_bits, trailing_zeros) in
        [(64, 1), (64, 63), (65, 64), (128, 1), (128, 64), (256, 65), (256, 128), (512, 1), (1024, 512), (1024, 1022)]
    {
        add(modulus_bits, trailing_zeros, modulus_bits.div_ceil(8), modulus_bits, Value::Random);
    }
    // Powers of two: one bit more than trailing zeros.
    for zeros in [0, 1, 2, 3, 63, 64, 65, 128, 1000] {
        add(zeros + 1, zeros, zeros / 8 + 1, 100, Value::Random);
    }
    for base_bytes in [0, 1, 64, 65] {
        add(256, 0, base_bytes, 64, Value::Random);
        add(256, 9, base_bytes, 64, Value::Random);
    }
    // So long that products by Karatsuba are planned.
    for trailing_zeros in [0, 1, 4096, 8191] {
        add(8192, trailing_zeros, 1024, FORCED_EXPONENT_BITS, Value::Random);
    }
    shapes
}

/// Forms that claim to be constant-time, for a modulus of `n` limbs.
pub fn constant_time_forms(odd: bool, n: usize) -> Vec<Form> {
    forms(odd, n).filter(|form| form.kernel.entry().constant_time).collect()
}

/// By force: each algorithm on each form, modulo an odd number, and modulo one whose odd part and whose power of two both
/// have that many limbs.
fn forced() -> Vec<Shape> {
    let mut shapes = Vec::new();
    let mut add = |odd_bits: usize, trailing_zeros, line| {
        let modulus_bits = odd_bits + trailing_zeros;
        shapes.push(Shape {
            modulus_bits,
            trailing_zeros,
            base_bytes: modulus_bits.div_ceil(8),
            exponent_bits: FORCED_EXPONENT_BITS,
            value: Value::Random,
            plan: Some(line),
        });
    };
    let uniform = |algorithm: &Algorithm| algorithm.schedule() == Schedule::Uniform;
    for algorithm in Algorithm::all(6).iter().filter(|algorithm| uniform(algorithm)) {
        add(320, 0, format!("{algorithm}"));
        add(1, 320, format!("{algorithm}"));
    }
    for algorithm in ENTRIES.iter().filter(|entry| entry.schedule == Schedule::Uniform).map(|entry| entry.name) {
        for n in [1, 2, 5, 16, 33] {
            for form in constant_time_forms(true, n) {
                add(64 * n, 0, format!("{algorithm} on {form}"));
                for low in constant_time_forms(false, n) {
                    add(64 * n - 3, 64 * n - 5, format!("even({algorithm} on {form}, {algorithm} on {low})"));
                }
            }
        }
        // Long enough for products modulo R - 1.
        for form in constant_time_forms(true, 64).iter().filter(|form| form.product == Some(Product::Kcm)) {
            add(64 * 64, 0, format!("{algorithm} on {form}"));
        }
    }
    shapes
}

/// All cases; with a kernel those that can run on it. The error says what is wrong with its name.
pub fn of(kernel: Option<&str>) -> Result<Vec<Shape>, String> {
    let Some(name) = kernel else {
        return Ok(planned().into_iter().chain(forced()).collect());
    };
    let entry = KERNELS.iter().find(|entry| entry.name == name).ok_or_else(|| format!("no kernel {name}"))?;
    let forced = forced().into_iter().filter(|shape| {
        let line = shape.plan.as_deref().unwrap_or_default();
        line.contains(&format!(" on {name}("))
    });
    Ok(planned().into_iter().filter(|shape| shape.suits(entry)).chain(forced).collect())
}

/// Fewest cases that say something: of all kernels, and forced on one.
pub const LEAST: usize = 200;
pub const LEAST_OF_A_KERNEL: usize = 20;

/// Kernels that claim to be constant-time and run here, with the number of cases that force them.
pub fn cases_of_kernels(shapes: &[Shape]) -> Vec<(&'static str, usize)> {
    let forces = |shape: &Shape, name: &str| shape.plan.iter().any(|line| line.contains(&format!(" on {name}(")));
    KERNELS
        .iter()
        .filter(|entry| entry.constant_time && entry.available())
        .map(|entry| (entry.name, shapes.iter().filter(|shape| forces(shape, entry.name)).count()))
        .collect()
}

/// Kernels that claim to be constant-time, each with the architecture that it needs.
pub fn kernels() -> impl Iterator<Item = (&'static str, &'static str)> {
    KERNELS.iter().filter(|entry| entry.constant_time).map(|entry| {
        let architecture = match entry.requires {
            [[], ..] => "any",
            sets if sets.iter().any(|set| set.contains(&Feature::Umulh)) => "aarch64",
            _ => "x86_64",
        };
        (entry.name, architecture)
    })
}

/// Kernels that claim to be constant-time and cannot run here: valgrind's CPU has no AVX-512, for one.
pub fn unseen() -> impl Iterator<Item = &'static str> {
    KERNELS.iter().filter(|entry| entry.constant_time && !entry.available()).map(|entry| entry.name)
}
