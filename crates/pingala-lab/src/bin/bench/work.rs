//! What is computed: shapes of work, and reproducible numbers in them.

use pingala::Natural;

/// One power.
pub struct Job {
    pub base: Natural,
    pub exponent: Natural,
    pub modulus: Natural,
}

/// One measured piece of work: a single power, or a list of them that is handed over at once.
pub struct Work {
    /// The table it belongs to.
    pub shape: Shape,
    /// Its place in the table: the length of the modulus, or a description.
    pub label: String,
    pub modulus_bits: u64,
    pub jobs: Vec<Job>,
    pub threads: usize,
}

/// What the powers of one table have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    Call,
    CallBetween,
    CallFermat4,
    CallEven,
    CallHalfEven,
    CallEvenFermat4,
    CallBase2,
    List,
    ListTwoThreads,
    ListSharedExponent,
    ListFermat4,
    List32Bytes,
}

impl Shape {
    pub const ALL: [Self; 12] = [
        Shape::Call,
        Shape::CallBetween,
        Shape::CallFermat4,
        Shape::CallEven,
        Shape::CallHalfEven,
        Shape::CallEvenFermat4,
        Shape::CallBase2,
        Shape::List,
        Shape::ListTwoThreads,
        Shape::ListSharedExponent,
        Shape::ListFermat4,
        Shape::List32Bytes,
    ];

    /// A short name for the record and the command line.
    pub fn key(self) -> &'static str {
        match self {
            Shape::Call => "call",
            Shape::CallBetween => "call-between",
            Shape::CallFermat4 => "call-65537",
            Shape::CallEven => "call-even",
            Shape::CallHalfEven => "call-half-even",
            Shape::CallEvenFermat4 => "call-even-65537",
            Shape::CallBase2 => "call-base-2",
            Shape::List => "list",
            Shape::ListTwoThreads => "list-2-threads",
            Shape::ListSharedExponent => "list-shared-exponent",
            Shape::ListFermat4 => "list-65537",
            Shape::List32Bytes => "list-32-bytes",
        }
    }

    /// The heading of its table.
    pub fn title(self) -> &'static str {
        match self {
            Shape::Call => "One call: odd modulus, exponent of the same length",
            Shape::CallBetween => "One call: lengths in between",
            Shape::CallFermat4 => "One call: exponent 65537",
            Shape::CallEven => "One call: even modulus, one trailing zero",
            Shape::CallHalfEven => "One call: even modulus, half of its bits trailing zeros",
            Shape::CallEvenFermat4 => "One call: even modulus, exponent 65537",
            Shape::CallBase2 => "One call: base 2",
            Shape::List => "A list of different odd moduli, bases, exponents: one thread",
            Shape::ListTwoThreads => "The same list on two threads (time on the wall)",
            Shape::ListSharedExponent => "A list of different odd moduli with one exponent",
            Shape::ListFermat4 => "A list of different odd moduli with exponent 65537",
            Shape::List32Bytes => "4096 powers of 32-byte operands",
        }
    }

    pub fn is_list(self) -> bool {
        self.elements(64) > 1
    }

    /// Powers handed over at once. Long moduli take long: eight, one a lane.
    fn elements(self, bits: u64) -> usize {
        match self {
            Shape::List | Shape::ListTwoThreads | Shape::ListSharedExponent | Shape::ListFermat4 => match bits {
                ..=512 => 256,
                513..=1024 => 64,
                1025..=3072 => 16,
                _ if self == Shape::ListTwoThreads => 16,
                _ => 8,
            },
            Shape::List32Bytes => 4096,
            _ => 1,
        }
    }

    /// Lengths of the modulus, in bits.
    pub fn sizes(self, quick: bool) -> &'static [u64] {
        match (self, quick) {
            (Shape::List32Bytes, _) => &[256],
            (Shape::CallBetween, false) => &[600, 1100, 1500, 2049, 2600, 3500, 6000, 12000],
            (Shape::CallBetween, true) => &[600, 1500, 2600],
            (Shape::Call, true) => &[64, 256, 512, 1024, 2048, 3072, 4096, 8192],
            (Shape::List | Shape::ListFermat4, true) => &[512, 1024, 2048, 4096],
            (_, true) => &[256, 1024, 2048],
            (_, false) => &[64, 128, 256, 512, 1024, 2048, 3072, 4096, 8192, 16384],
        }
    }

    /// The work of this shape at one length.
    pub fn work(self, bits: u64) -> Work {
        let mut stream = Stream::new(bits);
        let zeros = match self {
            Shape::CallEven | Shape::CallEvenFermat4 => 1,
            Shape::CallHalfEven => bits / 2,
            _ => 0,
        };
        let shared = stream.natural(bits);
        let fermat_4 = matches!(self, Shape::CallFermat4 | Shape::CallEvenFermat4 | Shape::ListFermat4);
        let job = |_| Job {
            base: if self == Shape::CallBase2 { Natural::from(2u64) } else { stream.natural(bits - 1) },
            exponent: match self {
                _ if fermat_4 => Natural::from(65537u64),
                Shape::ListSharedExponent => shared.clone(),
                _ => stream.natural(bits),
            },
            modulus: stream.modulus(bits, zeros),
        };
        let threads = if self == Shape::ListTwoThreads { 2 } else { 1 };
        let jobs = (0..self.elements(bits)).map(job).collect();
        Work { shape: self, label: bits.to_string(), modulus_bits: bits, jobs, threads }
    }
}

impl Work {
    pub fn is_list(&self) -> bool {
        self.shape.is_list()
    }
}

/// Xorshift: the numbers are the same in every run.
pub struct Stream(u64);

impl Stream {
    pub fn new(seed: u64) -> Self {
        Stream(0x2545_f491_4f6c_dd1d ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number of exactly `bits` bits.
    pub fn natural(&mut self, bits: u64) -> Natural {
        self.with_limbs(bits, |_| {})
    }

    /// A modulus of exactly `bits` bits with exactly `zeros` trailing zeros.
    pub fn modulus(&mut self, bits: u64, zeros: u64) -> Natural {
        self.with_limbs(bits, |limbs| {
            let (limb, bit) = ((zeros / 64) as usize, zeros % 64);
            limbs[..limb].fill(0);
            limbs[limb] = limbs[limb] >> bit << bit | 1 << bit;
        })
    }

    fn with_limbs(&mut self, bits: u64, change: impl FnOnce(&mut [u64])) -> Natural {
        let mut limbs: Vec<u64> = (0..bits.div_ceil(64)).map(|_| self.next()).collect();
        let top = (bits - 1) % 64;
        if let Some(last) = limbs.last_mut() {
            *last = *last & ((1 << top) - 1) | 1 << top;
        }
        change(&mut limbs);
        Natural::from_limbs(&limbs)
    }
}
