//! throwaway
use super::{Ring, montgomery::Product};
use crate::natural::{Natural, chores};
#[derive(Debug)]
pub(crate) struct OddRing<W> {
    m: Vec<u64>,
    mp: u64,
    rr: Vec<u64>,
    one: Vec<u64>,
    _w: core::marker::PhantomData<W>,
}
impl OddRing<u64> {
    pub(crate) fn new(m: &[u64], _: Product) -> Self {
        let n = m.len();
        let mut inv = 1u64;
        for _ in 0..6 {
            inv = inv.wrapping_mul(2u64.wrapping_sub(m[0].wrapping_mul(inv)));
        }
        let mm = Natural::from_limbs(m);
        let mut r = vec![0; n + 1];
        r[n] = 1;
        let one = chores::rem(&Natural::from_limbs(&r), &mm);
        let mut r = vec![0; 2 * n + 1];
        r[2 * n] = 1;
        let rr = chores::rem(&Natural::from_limbs(&r), &mm);
        let pad = |x: &Natural| {
            let mut v = x.limbs().to_vec();
            v.resize(n, 0);
            v
        };
        Self { m: m.to_vec(), mp: inv.wrapping_neg(), rr: pad(&rr), one: pad(&one), _w: core::marker::PhantomData }
    }
    pub(crate) fn bytes(&self) -> usize {
        self.m.len() * 24
    }
    fn mm(&self, a: &[u64], b: &[u64]) -> Vec<u64> {
        let n = self.m.len();
        let mut t = vec![0u64; n + 2];
        for i in 0..n {
            let mut c = 0;
            for j in 0..n {
                let (l, h) = a[j].carrying_mul_add(b[i], t[j], c);
                t[j] = l;
                c = h;
            }
            let (l, k) = t[n].overflowing_add(c);
            t[n] = l;
            t[n + 1] = k as u64;
            let q = t[0].wrapping_mul(self.mp);
            let (_, mut c) = q.carrying_mul_add(self.m[0], t[0], 0);
            for j in 1..n {
                let (l, h) = q.carrying_mul_add(self.m[j], t[j], c);
                t[j - 1] = l;
                c = h;
            }
            let (l, k) = t[n].overflowing_add(c);
            t[n - 1] = l;
            t[n] = t[n + 1] + k as u64;
        }
        let x = Natural::from_limbs(&t[..n + 1]);
        let mut v = chores::rem(&x, &Natural::from_limbs(&self.m)).limbs().to_vec();
        v.resize(n, 0);
        v
    }
}
impl Ring<u64> for OddRing<u64> {
    fn words(&self) -> usize {
        self.m.len()
    }
    fn scratch_words(&self) -> usize {
        0
    }
    fn one(&self, a: &mut [u64], o: usize) {
        a[o..o + self.words()].copy_from_slice(&self.one)
    }
    fn enter(&self, a: &mut [u64], o: usize, v: &[u64], _: &mut [u64]) {
        let x = chores::rem(&Natural::from_limbs(v), &Natural::from_limbs(&self.m));
        let mut x = x.limbs().to_vec();
        x.resize(self.m.len(), 0);
        let r = self.mm(&x, &self.rr);
        a[o..o + r.len()].copy_from_slice(&r)
    }
    fn leave(&self, v: &mut [u64], a: &[u64], f: usize, _: &mut [u64]) {
        let n = self.m.len();
        let mut one = vec![0; n];
        one[0] = 1;
        v.copy_from_slice(&self.mm(&a[f..f + n], &one))
    }
    fn mul(&self, ar: &mut [u64], o: usize, a: usize, b: usize, _: &mut [u64]) {
        let n = self.m.len();
        let r = self.mm(&ar[a..a + n], &ar[b..b + n]);
        ar[o..o + n].copy_from_slice(&r)
    }
    fn sqr(&self, ar: &mut [u64], o: usize, a: usize, s: &mut [u64]) {
        self.mul(ar, o, a, a, s)
    }
    fn mul_small(&self, ar: &mut [u64], o: usize, a: usize, w: u64, _: &mut [u64]) {
        let n = self.m.len();
        let x = chores::rem(
            &chores::mul(&Natural::from_limbs(&ar[a..a + n]), &Natural::from(w)),
            &Natural::from_limbs(&self.m),
        );
        let mut x = x.limbs().to_vec();
        x.resize(n, 0);
        ar[o..o + n].copy_from_slice(&x)
    }
}
