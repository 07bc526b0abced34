//! scratch
use pingala::{Integer, Modulus, Natural, Options, SecretExponent};
use std::time::Instant;
fn main() {
    let mut s = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = move || {
        s ^= s << 13;
        s ^= s >> 7;
        s ^= s << 17;
        s
    };
    for bits in [256usize, 512, 1024, 1536, 2048, 3072, 4096, 8192] {
        let n = bits / 64;
        let mut m: Vec<u64> = (0..n).map(|_| next()).collect();
        m[0] |= 1;
        m[n - 1] |= 1 << 63;
        let mut e: Vec<u64> = (0..n).map(|_| next()).collect();
        e[n - 1] |= 1 << 63;
        let b: Vec<u64> = (0..n).map(|_| next()).collect();
        let modulus = Modulus::new(Natural::from_limbs(&m)).unwrap();
        let (b, ei): (Integer, Integer) = (Natural::from_limbs(&b).into(), Natural::from_limbs(&e).into());
        let sec = SecretExponent::new(&Natural::from_limbs(&e), Some(bits as u64)).unwrap();
        assert_eq!(modulus.pow(&b, &ei).unwrap(), modulus.pow_sec(&b, &sec, &Options::default()).unwrap());
        let mut r = vec![];
        let (mut p, mut c) = (vec![], vec![]);
        let rounds = (200_000_000.0 / (bits as f64).powf(2.2)).clamp(20.0, 2000.0) as usize;
        for _ in 0..rounds {
            let t = Instant::now();
            std::hint::black_box(modulus.pow(&b, &ei).unwrap());
            let x = t.elapsed().as_secs_f64();
            let t = Instant::now();
            std::hint::black_box(modulus.pow_sec(&b, &sec, &Options::default()).unwrap());
            let y = t.elapsed().as_secs_f64();
            p.push(x);
            c.push(y);
            r.push(y / x);
        }
        for v in [&mut r, &mut p, &mut c] {
            v.sort_by(f64::total_cmp);
        }
        println!(
            "{bits}: ratio median {:.3} lq/lq {:.3}; public {:.2} us secret {:.2} us",
            r[rounds / 2],
            c[rounds / 4] / p[rounds / 4],
            p[rounds / 4] * 1e6,
            c[rounds / 4] * 1e6
        );
    }
}
