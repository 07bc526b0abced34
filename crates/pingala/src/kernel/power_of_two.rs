//! throwaway
use super::{Ring, product};
#[derive(Debug)]
pub(crate) struct PowerOfTwoRing<W> {
    k: usize,
    n: usize,
    _w: core::marker::PhantomData<W>,
}
pub(crate) fn inverse_mod_power_of_two(a: &[u64], k: usize) -> Vec<u64> {
    let n = k.div_ceil(64);
    let mut x = vec![0u64; n];
    x[0] = 1;
    let mut aa = a.to_vec();
    aa.resize(n.max(a.len()), 0);
    let aa = &aa[..n];
    for _ in 0..(k as f64).log2().ceil() as usize + 2 {
        let mut t = vec![0; n];
        product::low_mul(&mut t, &x, aa, &mut []);
        let mut c = false;
        let mut u = vec![0u64; n];
        for i in 0..n {
            (u[i], c) = (if i == 0 { 2u64 } else { 0 }).borrowing_sub(t[i], c);
        }
        let mut y = vec![0; n];
        product::low_mul(&mut y, &x, &u, &mut []);
        x = y;
    }
    x
}
impl PowerOfTwoRing<u64> {
    pub(crate) fn new(k: usize) -> Self {
        Self { k, n: k.div_ceil(64), _w: core::marker::PhantomData }
    }
    fn mask(&self, v: &mut [u64]) {
        if !self.k.is_multiple_of(64) {
            v[self.n - 1] &= u64::MAX >> (64 - self.k % 64);
        }
    }
}
impl Ring<u64> for PowerOfTwoRing<u64> {
    fn words(&self) -> usize {
        self.n
    }
    fn scratch_words(&self) -> usize {
        0
    }
    fn one(&self, a: &mut [u64], o: usize) {
        a[o..o + self.n].fill(0);
        a[o] = 1;
    }
    fn enter(&self, a: &mut [u64], o: usize, v: &[u64], _: &mut [u64]) {
        let l = v.len().min(self.n);
        a[o..o + self.n].fill(0);
        a[o..o + l].copy_from_slice(&v[..l]);
        self.mask(&mut a[o..o + self.n])
    }
    fn leave(&self, v: &mut [u64], a: &[u64], f: usize, _: &mut [u64]) {
        v.copy_from_slice(&a[f..f + self.n])
    }
    fn mul(&self, ar: &mut [u64], o: usize, a: usize, b: usize, _: &mut [u64]) {
        let n = self.n;
        let mut t = vec![0; n];
        product::low_mul(&mut t, &ar[a..a + n], &ar[b..b + n], &mut []);
        self.mask(&mut t);
        ar[o..o + n].copy_from_slice(&t)
    }
    fn sqr(&self, ar: &mut [u64], o: usize, a: usize, s: &mut [u64]) {
        self.mul(ar, o, a, a, s)
    }
    fn mul_small(&self, ar: &mut [u64], o: usize, a: usize, w: u64, _: &mut [u64]) {
        let n = self.n;
        let mut c = 0;
        let mut t = vec![0; n];
        for i in 0..n {
            (t[i], c) = ar[a + i].carrying_mul_add(w, 0, c);
        }
        self.mask(&mut t);
        ar[o..o + n].copy_from_slice(&t)
    }
}
