//! throwaway
pub(crate) fn low_scratch_words(_: usize) -> usize {
    0
}
pub(crate) fn low_mul(out: &mut [u64], a: &[u64], b: &[u64], _: &mut [u64]) {
    let n = out.len();
    out.fill(0);
    for i in 0..n {
        let mut c = 0;
        for j in 0..n - i {
            let (l, h) = a[i].carrying_mul_add(b[j], out[i + j], c);
            out[i + j] = l;
            c = h;
        }
    }
}
pub(crate) fn schoolbook(out: &mut [u64], a: &[u64], b: &[u64]) {
    out.fill(0);
    for i in 0..a.len() {
        let mut c = 0;
        for j in 0..b.len() {
            let (l, h) = a[i].carrying_mul_add(b[j], out[i + j], c);
            out[i + j] = l;
            c = h;
        }
        out[i + b.len()] = c;
    }
}
