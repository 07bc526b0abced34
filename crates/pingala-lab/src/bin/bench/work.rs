//! What is computed: shapes of work, and reproducible numbers in them.

use crate::evm;
use crate::machine;
use crate::peers::{child, dashu, pingala};
use pingala_core::Natural;

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
    /// Whether the call has default options, and with them all processors; otherwise it has one thread.
    pub default_options: bool,
    /// What EIP-2565 and EIP-7883 charge for it.
    pub gas: Option<[u64; 2]>,
}

/// Writes the type of the shapes, and a table of them.
macro_rules! shapes {
    ($($shape:ident $key:literal $title:literal,)+) => {
        /// What the powers of one table have in common.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Shape {
            $($shape,)+
        }

        impl Shape {
            pub const ALL: [Self; [$($key),+].len()] = [$(Shape::$shape),+];
            const NAMES: [(&'static str, &'static str); Self::ALL.len()] = [$(($key, $title)),+];
        }
    };
}

shapes! {
    Call "call" "One call: odd modulus, exponent of the same length",
    CallBetween "call-between" "One call: lengths in between",
    CallFermat4 "call-65537" "One call: exponent 65537",
    CallEven "call-even" "One call: even modulus, one trailing zero",
    CallHalfEven "call-half-even" "One call: even modulus, half of its bits trailing zeros",
    CallEvenFermat4 "call-even-65537" "One call: even modulus, exponent 65537",
    CallBase2 "call-base-2" "One call: base 2",
    CallLong "call-long" "One call: long odd moduli, exponent of 256 bits",
    Peers "peers" "One call beside the peers: odd modulus, exponent of the same length",
    PeersLong "peers-long" "One call beside the peers: long odd moduli, exponent of 64 bits",
    List "list" "A list of different odd moduli, bases, exponents: one thread",
    ListDefault "list-default" "The same list with default options (time on the wall)",
    ListSharedExponent "list-shared-exponent" "A list of different odd moduli with one exponent",
    ListFermat4 "list-65537" "A list of different odd moduli with exponent 65537",
    List32Bytes "list-32-bytes" "A list of 4096 powers of 32-byte operands",
    SetUp "set-up" "One call: odd modulus of 64 bits, short exponents",
    Evm "evm" "The EVM's MODEXP",
}

/// Lengths that every table has, in bits.
const SIZES: &[u64] = &[64, 128, 256, 512, 1024, 2048, 3072, 4096, 8192, 16384];

impl Shape {
    /// A short name for the record and the command line.
    pub fn key(self) -> &'static str {
        Self::NAMES[self as usize].0
    }

    /// The heading of its table.
    pub fn title(self) -> &'static str {
        Self::NAMES[self as usize].1
    }

    pub fn is_list(self) -> bool {
        self.key().starts_with("list")
    }

    /// Whether it is a kind of benchmark of its own: `make bench WHAT=peers`.
    pub fn is_of_peers(self) -> bool {
        matches!(self, Shape::Peers | Shape::PeersLong)
    }

    /// Whether a contender of that name belongs into the table. Lists leave out peers that only repeat their single call;
    /// GMP and gmpy2 stay, as the peers that all is measured by.
    pub fn wants(self, name: &str) -> bool {
        let ours = name.starts_with(pingala::PLANNER);
        let special = name == pingala::SECRET || name == pingala::MODEXP || name.starts_with(pingala::RUNNER_UP);
        let gmp = name.starts_with("GMP") && !name.contains("powm_sec");
        match self {
            Shape::Call => name != pingala::MODEXP,
            Shape::Peers => name == pingala::PLANNER || !ours && name != child::PACKAGE,
            // The others multiply or reduce in quadratic time.
            Shape::PeersLong => gmp || [pingala::PLANNER, child::GMPY2, child::FLINT, dashu::REDUCED].contains(&name),
            Shape::CallLong | Shape::SetUp => (ours && !special) || gmp,
            Shape::Evm => name == pingala::MODEXP || gmp,
            Shape::List32Bytes if name == child::POW => true,
            _ if self.is_list() => {
                let batches = ["OpenSSL consttime_x2", child::GMPY2, child::PACKAGE];
                (ours && !special) || gmp || batches.contains(&name)
            }
            _ => !special,
        }
    }

    /// Powers handed over at once. Long moduli take long: eight, one a lane.
    fn elements(self, bits: u64) -> usize {
        match self {
            Shape::List | Shape::ListDefault | Shape::ListSharedExponent | Shape::ListFermat4 => match bits {
                ..=512 => 256,
                513..=1024 => 64,
                1025..=3072 => 16,
                _ => 8,
            },
            Shape::List32Bytes => 4096,
            _ => 1,
        }
    }

    /// Lengths of the modulus, in bits.
    fn sizes(self, quick: bool) -> &'static [u64] {
        match (self, quick) {
            (Shape::List32Bytes, _) => &[256],
            (Shape::CallBetween, false) => &[600, 1100, 1500, 2049, 2600, 3500, 6000, 12000],
            (Shape::CallBetween, true) => &[600, 1500, 2600],
            (Shape::CallLong, false) => &[8192, 12288, 16384, 24576, 32768, 49152, 65536],
            (Shape::CallLong, true) => &[8192, 16384],
            (Shape::Peers, false) => &[512, 1024, 2048, 3072, 4096, 6144, 8192, 12288, 16384],
            (Shape::PeersLong, false) => &[1 << 15, 1 << 16, 1 << 17, 1 << 18, 1 << 19, 1 << 20, 1 << 21],
            (Shape::PeersLong, true) => &[1 << 15, 1 << 17],
            (Shape::Call, true) => &[64, 256, 512, 1024, 2048, 3072, 4096, 8192],
            (Shape::List, true) => &[512, 1024, 2048, 3072, 4096],
            (Shape::ListDefault, true) => &[512, 2048],
            (_, true) => &[256, 1024, 2048],
            (_, false) => SIZES,
        }
    }

    /// Everything that its table shows.
    pub fn works(self, quick: bool) -> Vec<Work> {
        match self {
            Shape::Evm => evm::works(quick),
            Shape::SetUp => SHORT_EXPONENTS.map(set_up).into(),
            _ => self.sizes(quick).iter().map(|&bits| self.work(bits)).collect(),
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
                Shape::CallLong => stream.natural(256),
                Shape::PeersLong => stream.natural(64),
                _ => stream.natural(bits),
            },
            modulus: stream.modulus(bits, zeros),
        };
        let jobs = (0..self.elements(bits)).map(job).collect();
        let mut work = Work::new(self, bits.to_string(), jobs);
        work.default_options = self == Shape::ListDefault;
        work
    }
}

/// Exponents of 64 and 32 bits: what is left of the line through their times at no bits at all is planning, set-up and
/// conversions. And 3, the shortest exponent that takes the usual way.
const SHORT_EXPONENTS: [u64; 3] = [64, 32, 2];

pub fn set_up_label(exponent_bits: u64) -> String {
    format!("exponent of {exponent_bits} bits")
}

fn set_up(exponent_bits: u64) -> Work {
    let mut stream = Stream::new(64);
    let (base, modulus) = (stream.natural(63), stream.modulus(64, 0));
    let exponent = if exponent_bits == 2 { Natural::from(3u64) } else { stream.natural(exponent_bits) };
    Work::new(Shape::SetUp, set_up_label(exponent_bits), vec![Job { base, exponent, modulus }])
}

impl Work {
    /// Work for one thread; its jobs have moduli of one length.
    pub fn new(shape: Shape, label: String, jobs: Vec<Job>) -> Self {
        let modulus_bits = jobs.first().map_or(0, |job| job.modulus.bits());
        Self { shape, label, modulus_bits, jobs, default_options: false, gas: None }
    }

    /// How many processors it may use.
    pub fn processors(&self) -> usize {
        if self.default_options { machine::processors() } else { 1 }
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
