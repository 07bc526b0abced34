//! throwaway
use super::{Ring, montgomery::Product, odd::OddRing, power_of_two::PowerOfTwoRing};
pub(crate) trait FixedRing<const N: usize> {
    fn one(&self) -> [u64; N];
    fn enter(&self, v: &[u64]) -> [u64; N];
    fn leave(&self, a: [u64; N]) -> [u64; N];
    fn mul(&self, a: [u64; N], b: [u64; N]) -> [u64; N];
    fn sqr(&self, a: [u64; N]) -> [u64; N];
    fn mul_small(&self, a: [u64; N], w: u64) -> [u64; N];
}
pub(crate) struct FixedOdd<const N: usize>(OddRing<u64>);
pub(crate) struct FixedPowerOfTwo<const N: usize>(PowerOfTwoRing<u64>);
impl<const N: usize> FixedOdd<N> {
    pub(crate) fn new(m: &[u64]) -> Self {
        Self(OddRing::new(m, Product::Cios))
    }
}
impl<const N: usize> FixedPowerOfTwo<N> {
    pub(crate) fn new(k: usize) -> Self {
        Self(PowerOfTwoRing::new(k))
    }
}
macro_rules! f {
    ($t:ident) => {
        impl<const N: usize> FixedRing<N> for $t<N> {
            fn one(&self) -> [u64; N] {
                let mut x = [0; N];
                self.0.one(&mut x, 0);
                x
            }
            fn enter(&self, v: &[u64]) -> [u64; N] {
                let mut x = [0; N];
                self.0.enter(&mut x, 0, v, &mut []);
                x
            }
            fn leave(&self, a: [u64; N]) -> [u64; N] {
                let mut x = [0; N];
                self.0.leave(&mut x, &a, 0, &mut []);
                x
            }
            fn mul(&self, a: [u64; N], b: [u64; N]) -> [u64; N] {
                let mut v = [a, b].concat();
                self.0.mul(&mut v, 0, 0, N, &mut []);
                v[..N].try_into().unwrap()
            }
            fn sqr(&self, a: [u64; N]) -> [u64; N] {
                self.mul(a, a)
            }
            fn mul_small(&self, a: [u64; N], w: u64) -> [u64; N] {
                let mut v = a;
                self.0.mul_small(&mut v, 0, 0, w, &mut []);
                v
            }
        }
    };
}
f!(FixedOdd);
f!(FixedPowerOfTwo);
