//! The peers, one file each behind one trait. A peer that is not there says why, and is left out.

/// Declares the functions of a library that is opened at run time, as its headers do. All are looked up when it is opened, so
/// that a library without one of them is left out before anything is timed.
macro_rules! functions {
    ($($name:ident($($argument:ident: $kind:ty),* $(,)?) -> $result:ty;)+) => {
        #[allow(non_snake_case)]
        struct Functions {
            $($name: unsafe extern "C" fn($($kind),*) -> $result,)+
            _library: libloading::Library,
        }

        #[allow(non_snake_case, clippy::too_many_arguments)]
        impl Functions {
            fn of(library: libloading::Library) -> Result<Self, libloading::Error> {
                // SAFETY: the types are those that the library's headers declare for these names.
                unsafe { Ok(Self { $($name: *library.get(concat!(stringify!($name), "\0").as_bytes())?,)+ _library: library }) }
            }

            $(fn $name(&self, $($argument: $kind),*) -> $result {
                // SAFETY: the peer passes live objects of the library, or memory of the stated length.
                unsafe { (self.$name)($($argument),*) }
            })+
        }
    };
}

pub mod child;
mod crypto_bigint;
pub mod dashu;
pub mod gmp;
mod num_bigint;
mod openssl;
pub mod pingala;

use crate::clocks::{self, Timing};
use crate::work::Work;
use pingala_core::Natural;
use std::rc::Rc;

/// One implementation of modular exponentiation.
pub trait Peer {
    /// Its name in tables.
    fn name(&self) -> String;
    /// What exactly it is, for the record.
    fn version(&self) -> String;
    /// The work in this peer's own representation; `None` if it has nothing for such work, which is no failure.
    fn load(&self, work: &Rc<Work>) -> Option<Box<dyn Task>>;
}

/// Work that a peer holds in its own representation, so that only powers (and the set-up that each call does) are timed.
pub trait Task {
    /// Computes every power of the work once.
    fn run(&mut self);

    /// What the last run computed, in order.
    fn answers(&mut self) -> Vec<Natural>;

    /// How long `calls` runs take: time on the processor; time on the wall if the work has default options.
    fn time(&mut self, calls: usize, work: &Work) -> Timing {
        clocks::timed(work.default_options, || (0..calls).for_each(|_| self.run()))
    }
}

/// A peer, or why it is left out.
type Found = Result<Box<dyn Peer>, String>;

fn found<P: Peer + 'static>(peer: Result<P, String>) -> Found {
    peer.map(|peer| Box::new(peer) as Box<dyn Peer>)
}

/// Everything that can be found on this machine, Pingala first; each absence is reported on standard error.
pub fn all() -> Vec<Box<dyn Peer>> {
    let mut every: Vec<Found> = pingala::all().into_iter().map(|peer| found(Ok(peer))).collect();
    every.extend([gmp::Function::Powm, gmp::Function::PowmSec].map(|function| found(gmp::Gmp::open(function))));
    every.extend(openssl::Function::ALL.map(|function| found(openssl::OpenSsl::open(function))));
    every.push(found(Ok(num_bigint::NumBigint)));
    every.push(found(Ok(crypto_bigint::CryptoBigint)));
    every.extend(dashu::Ring::ALL.map(|ring| found(Ok(ring))));
    every.extend(child::all().into_iter().map(found));
    every.into_iter().filter_map(|peer| peer.map_err(|why| eprintln!("left out: {why}")).ok()).collect()
}

#[cfg(test)]
#[path = "../../../../tests/inside/peers.rs"]
mod tests;
