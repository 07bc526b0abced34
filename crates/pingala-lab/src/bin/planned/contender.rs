//! A process that computes calls under its own prices and reports what they take.

use crate::machine::process_nanoseconds;
use pingala_core::kernels::{self, Kernel};
use pingala_core::plan::{FormPrice, Prices};
use pingala_core::{Integer, Modulus, Natural, Options, powmod};
use std::error::Error;
use std::hint::black_box;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A kernel that shall not be chosen costs this many times its price.
const DEAR: f64 = 1e4;
/// A burst takes at least this long, in nanoseconds.
const BURST: f64 = 150e3;

/// One power: lengths in bits, an exponent by value (`=3`), by length (`17`), or as long as the modulus (`full`).
#[derive(Clone, Debug)]
pub struct Call {
    pub bits: usize,
    pub zeros: usize,
    pub exponent: String,
    /// Modulo a `Modulus` that had powers before; otherwise in one call that keeps nothing.
    pub prepared: bool,
}

/// A running process.
pub struct Contender {
    pub name: String,
    /// Its kernel by force, and the mask of its CPU.
    kernel: Option<Kernel>,
    mask: Option<&'static str>,
    process: Child,
    requests: ChildStdin,
    replies: BufReader<ChildStdout>,
}

impl Contender {
    /// Starts a process whose prices favour a kernel, on a CPU with a mask.
    pub fn start(name: &str, kernel: Option<Kernel>, mask: Option<&'static str>) -> Result<Self, Box<dyn Error>> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("serve").stdin(Stdio::piped()).stdout(Stdio::piped());
        command.env("PINGALA_PRICES", "built-in").env_remove("PINGALA_CPU");
        if let Some(kernel) = kernel {
            let path = std::env::temp_dir().join(format!("pingala-{}-{name}.txt", std::process::id()));
            std::fs::write(&path, favouring(kernel))?;
            command.env("PINGALA_PRICES", path);
        }
        if let Some(mask) = mask {
            command.env("PINGALA_CPU", mask);
        }
        let mut process = command.spawn()?;
        let requests = process.stdin.take().ok_or("no pipe")?;
        let replies = BufReader::new(process.stdout.take().ok_or("no pipe")?);
        let mut contender = Self { name: name.into(), kernel, mask, process, requests, replies };
        // The prices are read at the first call.
        contender.nanoseconds(&Call { bits: 1024, zeros: 0, exponent: "17".into(), prepared: false })?;
        let _ = std::fs::remove_file(std::env::temp_dir().join(format!("pingala-{}-{name}.txt", std::process::id())));
        Ok(contender)
    }

    /// The same in a new process, whose memory lies elsewhere: that alone may change a time by some percent.
    pub fn start_again(&mut self) -> Result<(), Box<dyn Error>> {
        *self = Self::start(&self.name, self.kernel, self.mask)?;
        Ok(())
    }

    /// Whether its kernel takes such a modulus, or a part of it.
    pub fn suits(&self, call: &Call) -> bool {
        let limbs = |bits: usize| bits.div_ceil(64);
        let Some(entry) = self.kernel.map(Kernel::entry) else { return true };
        match (entry.odd, entry.plain) {
            (true, true) => entry.takes(limbs(call.bits)),
            (true, false) => entry.takes(limbs(call.bits - call.zeros)),
            (false, _) => call.zeros > 0 && entry.takes(limbs(call.zeros)),
        }
    }

    /// What the call takes in one burst.
    pub fn nanoseconds(&mut self, call: &Call) -> Result<f64, Box<dyn Error>> {
        self.ask(call, "time")?.parse().map_err(Into::into)
    }

    /// Its plan.
    pub fn plan(&mut self, call: &Call) -> Result<String, Box<dyn Error>> {
        self.ask(call, "plan")
    }

    fn ask(&mut self, call: &Call, what: &str) -> Result<String, Box<dyn Error>> {
        let Call { bits, zeros, exponent, prepared } = call;
        writeln!(self.requests, "{bits} {zeros} {exponent} {prepared} {what}")?;
        self.requests.flush()?;
        let mut reply = String::new();
        self.replies.read_line(&mut reply)?;
        match reply.trim() {
            "" => Err(format!("{} ended", self.name).into()),
            reply => Ok(reply.into()),
        }
    }
}

impl Drop for Contender {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A file of prices of this machine, by which every other kernel for moduli of the same kind is dear.
fn favouring(kernel: Kernel) -> String {
    let dear = |price: f64| price * DEAR;
    let prices = Prices::built_in().map(|form, price| {
        if form.kernel == kernel || form.kernel.odd() != kernel.odd() {
            return price;
        }
        let FormPrice { setup, convert, sqr, mul, mul_small, select } = price;
        let [setup, convert, sqr] = [setup, convert, sqr].map(dear);
        let [mul, mul_small, select] = [mul, mul_small, select].map(dear);
        FormPrice { setup, convert, sqr, mul, mul_small, select }
    });
    // The stamps are those of other files.
    let points = prices.to_string();
    let points = points.lines().filter(|line| !line.contains(": "));
    let stamp = [format!("cpu: {}", kernels::model()), format!("format: {}", pingala_core::tune::FORMAT)];
    stamp.iter().map(String::as_str).chain(points).map(|line| format!("{line}\n")).collect()
}

/// Marsaglia's xorshift: the same numbers in each process.
fn number(bits: usize, zeros: usize, state: &mut u64) -> Natural {
    let words = bits.div_ceil(64);
    let mut limbs: Vec<u64> = (0..words)
        .map(|_| {
            *state ^= *state << 13;
            *state ^= *state >> 7;
            *state ^= *state << 17;
            *state
        })
        .collect();
    let top = (bits - 1) % 64;
    limbs[words - 1] = (limbs[words - 1] | 1 << top) & (u64::MAX >> (63 - top));
    limbs[..zeros / 64].fill(0);
    limbs[zeros / 64] = (limbs[zeros / 64] >> (zeros % 64) | 1) << (zeros % 64);
    Natural::from_limbs(&limbs)
}

/// Answers requests until the input ends.
pub fn serve() -> Result<(), Box<dyn Error>> {
    let mut out = io::stdout().lock();
    let mut last: Option<(String, u32)> = None;
    for request in io::stdin().lock().lines() {
        let request = request?;
        let fields: Vec<&str> = request.split(' ').collect();
        let [bits, zeros, exponent, prepared, what] = fields[..] else { return Err("five fields".into()) };
        let (bits, zeros, prepared): (usize, usize, bool) = (bits.parse()?, zeros.parse()?, prepared.parse()?);
        let mut state = 0x9e37_79b9_7f4a_7c15 ^ bits as u64;
        let modulus = number(bits, zeros, &mut state);
        let base: Integer = number(bits - 1, 0, &mut state).into();
        let exponent: Integer = match exponent.strip_prefix('=') {
            Some(value) => value.parse()?,
            None if exponent == "full" => number(bits, 0, &mut state).into(),
            None => number(exponent.parse()?, 0, &mut state).into(),
        };
        let kept = Modulus::new(modulus.clone())?;
        let call = || -> Result<(), pingala_core::Error> {
            let (base, exponent) = (black_box(&base), black_box(&exponent));
            black_box(if prepared { kept.pow(base, exponent)? } else { powmod(base, exponent, black_box(&modulus))? });
            Ok(())
        };
        // The second power of a modulus prepares it, the third finds it prepared.
        for _ in 0..3 {
            call()?;
        }
        if what == "plan" {
            writeln!(out, "{}", kept.plan(&base, &exponent, &Options::default())?)?;
            out.flush()?;
            continue;
        }
        let known = last.take().filter(|(key, _)| *key == request);
        let mut count = known.map_or(1, |(_, count)| count);
        let each = loop {
            let start = process_nanoseconds();
            for _ in 0..count {
                call()?;
            }
            let elapsed = process_nanoseconds() - start;
            if elapsed >= BURST || count > 1 << 20 {
                break elapsed / f64::from(count);
            }
            count = if elapsed < BURST / 8.0 { 4 * count } else { 2 * count };
        };
        last = Some((request.clone(), count));
        writeln!(out, "{each}")?;
        out.flush()?;
    }
    Ok(())
}
