//! Jacobi symbols and square roots.

use pingala_core::{Integer, Natural, Options};
use pingala_primes::{jacobi, jacobi_list, sqrt_mod, sqrt_mod_all, sqrt_mod_factored, sqrt_mod_list};

/// Euler's criterion and trial: all odd numbers below 200.
#[test]
fn symbols_are_those_of_the_definition() {
    let legendre = |a: u64, p: u64| match a % p {
        0 => 0,
        a if (1..p).any(|x| x * x % p == a) => 1,
        _ => -1,
    };
    for n in (1..200u64).step_by(2) {
        for a in -60i64..260 {
            let (mut left, mut symbol) = (n, 1);
            for p in 2..=n {
                while left % p == 0 {
                    symbol *= legendre(a.rem_euclid(n as i64) as u64, p);
                    left /= p;
                }
            }
            assert_eq!(jacobi(&a.into(), &n.into()).unwrap(), symbol, "({a}/{n})");
        }
    }
    for n in ["0", "-3", "4"] {
        assert_eq!(jacobi(&1u64.into(), &n.parse().unwrap()).unwrap_err().code(), "bad_argument");
    }
}

/// Vectors of another implementation: a, n, (a/n).
#[test]
fn long_symbols_are_those_of_gmp() {
    let (mut a, mut n, mut symbols) = (Vec::new(), Vec::new(), Vec::new());
    for line in include_str!("data/jacobi.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(' ').collect();
        a.push(fields[0].parse::<Integer>().unwrap());
        n.push(fields[1].parse::<Integer>().unwrap());
        symbols.push(fields[2].parse::<i32>().unwrap());
    }
    assert_eq!(jacobi_list(&a, &n).unwrap(), symbols);
    assert_eq!(jacobi_list(&a, &n[..2]).unwrap_err().code(), "bad_argument");
    assert_eq!(jacobi_list(&a[..3], &n[..1]).unwrap().len(), 3);
}

fn square(root: u64, p: u64) -> u64 {
    (u128::from(root) * u128::from(root) % u128::from(p)) as u64
}

#[test]
fn all_roots_of_small_moduli() {
    let options = Options::default();
    for p in 2..400u64 {
        let prime = (2..p).all(|d| p % d != 0);
        let values: Vec<Integer> = (0..p).map(Integer::from).collect();
        let roots = sqrt_mod_list(&values, &[Natural::from(p)], &options).unwrap();
        for (a, root) in (0..p).zip(roots) {
            let least = (0..p).find(|x| x * x % p == a);
            match root {
                Ok(root) => {
                    let root = root.limbs().first().copied().unwrap_or(0);
                    assert_eq!(square(root, p), a, "{a} mod {p}");
                    assert!(!prime || Some(root) == least);
                }
                Err(error) => {
                    assert_eq!(error.code(), "bad_argument");
                    assert!(!prime || least.is_none(), "{a} mod {p}");
                }
            }
        }
    }
    for p in ["0", "1", "6"] {
        assert!(sqrt_mod(&1u64.into(), &p.parse().unwrap(), &options).is_err());
    }
}

/// Primes of every residue modulo 8, with up to 255 twos in p - 1, and composites.
#[test]
fn long_roots_are_roots() {
    let options = Options::default();
    let primes: Vec<Natural> = include_str!("data/roots.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| format!("0x{line}").parse().unwrap())
        .collect();
    let (mut values, mut moduli, mut squares) = (Vec::new(), Vec::new(), Vec::new());
    for p in &primes {
        for seed in 1..9u64 {
            let x =
                Integer::from(Natural::from_limbs(&vec![seed.wrapping_mul(0x9e37_79b9_7f4a_7c15); p.limbs().len()]));
            let modulus = pingala_core::Modulus::new(p.clone()).unwrap();
            values.push(Integer::from(modulus.sqr(&x)));
            moduli.push(p.clone());
            squares.push(true);
            let other = Integer::from(2 * seed + 1);
            squares.push(jacobi(&other, &Integer::from(p)).unwrap() >= 0);
            values.push(other);
            moduli.push(p.clone());
        }
    }
    let roots = sqrt_mod_list(&values, &moduli, &options).unwrap();
    for index in 0..values.len() {
        let modulus = pingala_core::Modulus::new(moduli[index].clone()).unwrap();
        assert_eq!(roots[index].is_ok(), squares[index], "{} mod {}", values[index], moduli[index]);
        assert_eq!(roots[index], sqrt_mod(&values[index], &moduli[index], &options));
        if let Ok(root) = &roots[index] {
            assert_eq!(Integer::from(modulus.sqr(&root.into())), values[index]);
            assert!(root.bits() <= moduli[index].bits());
        }
    }
    // The modulus 2^200 + 1 is no prime: whatever comes is a root or an error.
    let composite: Natural = "1606938044258990275541962092341162602522202993782792835301377".parse().unwrap();
    let modulus = pingala_core::Modulus::new(composite.clone()).unwrap();
    for a in 2..80u64 {
        if let Ok(root) = sqrt_mod(&a.into(), &composite, &options) {
            assert_eq!(modulus.sqr(&root.into()), Natural::from(a));
        }
    }
}

/// Roots modulo powers of primes and products of them, against all squares.
#[test]
fn all_roots_modulo_known_factors() {
    let options = Options::default();
    let shapes: [&[(u64, u32)]; 13] = [
        &[],
        &[(2, 1)],
        &[(2, 2)],
        &[(2, 3)],
        &[(2, 8)],
        &[(3, 1)],
        &[(3, 5)],
        &[(5, 3)],
        &[(17, 2)],
        &[(2, 4), (3, 2)],
        &[(2, 1), (3, 3), (5, 1)],
        &[(7, 1), (11, 1)],
        &[(2, 3), (3, 1), (5, 1)],
    ];
    for shape in shapes {
        let factors: Vec<(Natural, u32)> = shape.iter().map(|&(p, k)| (p.into(), k)).collect();
        let value: u64 = shape.iter().map(|&(p, k)| p.pow(k)).product();
        for a in 0..value {
            let wanted: Vec<Natural> = (0..value).filter(|x| x * x % value == a).map(Natural::from).collect();
            let found = sqrt_mod_all(&a.into(), &factors, 1000, &options).unwrap();
            assert_eq!(found, wanted, "{a} mod {value}");
            let negative = Integer::new(true, (value - a).into());
            assert_eq!(sqrt_mod_all(&negative, &factors, 1000, &options).unwrap(), wanted);
            match sqrt_mod_factored(&a.into(), &factors, &options) {
                Ok(root) => assert!(wanted.contains(&root) && root <= Natural::from(value / 2), "{a} mod {value}"),
                Err(error) => assert!(wanted.is_empty() && error.code() == "bad_argument", "{a} mod {value}: {error}"),
            }
        }
    }
    let many = sqrt_mod_all(&0u64.into(), &[(2u64.into(), 1000)], 1 << 20, &options);
    assert_eq!(many.unwrap_err().code(), "bad_argument");
    for factors in [[(15u64, 1), (2, 1)], [(1, 1), (2, 1)], [(0, 1), (2, 1)], [(3, 0), (2, 1)], [(6, 1), (2, 1)]] {
        let factors = factors.map(|(p, k)| (Natural::from(p), k));
        assert!(sqrt_mod_all(&4u64.into(), &factors, 100, &options).is_err(), "{factors:?}");
    }
}

/// Long powers: a root squared, and how many there are.
#[test]
fn roots_modulo_long_powers() {
    let options = Options::default();
    let p: Natural = "170141183460469231731687303715884105727".parse().unwrap();
    for (p, k, count) in [(p, 5, 2), (2u64.into(), 700, 4), (3u64.into(), 301, 2)] {
        let factors = [(p, k)];
        for a in [1u64, 25, 49, 17 * 17 * 121] {
            let roots = sqrt_mod_all(&a.into(), &factors, 100, &options).unwrap();
            assert_eq!(roots.len(), count);
            let root = sqrt_mod_factored(&a.into(), &factors, &options).unwrap();
            assert!(roots.contains(&root));
        }
    }
}
