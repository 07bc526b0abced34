//! An RSA accumulator: one number stands for a set, and each member has a witness that it is in it. All witnesses by the
//! root-factor method: [sander2000blind].
//!
//! The modulus is RSA-2048 of the RSA factoring challenge, whose factors are unknown. Members are primes p_i of 128 bits, the
//! accumulator is A = g^(p_1 p_2 ... p_n), and the witness of p_i is the p_i-th root of A: g to the product of all others. One
//! by one that are n powers with exponents of n * 128 bits. By halves, with a tree of products: the witnesses of the left half
//! are those of g^(product of the right half), and the other way round, so that each level of the tree raises to n * 128 bits
//! in all; and both powers of a level have one base, so that they share their squarings.
//!
//! ```text
//! cargo run --release -p pingala --example accumulator [members, 10000]
//! ```

use num_bigint::BigUint;
use pingala::{Error, Integer, Modulus, Natural, Options};
use std::time::{Duration, Instant};

/// RSA-2048.
const MODULUS: &str = "\
    25195908475657893494027183240048398571429282126204032027777137836043662020707595556264018525880784\
    4069182906412495150821892985591491761845028084891200728449926873928072877767359714183472702618963750149718246911\
    6507761337985909570009733045974880842840179742910064245869181719511874612151517265463228221686998754918242243363\
    7259085141865462043576798423387184774447920739934236584823824281198163815010674810451660377306056201619676256133\
    8441436038339044149526344321901146575444541784240209246165157233507787077498171257724679629263863563732899121548\
    31438167899885040445364023527381951378636564391212010397122822120720357";

/// Xorshift: the same members in every run.
struct Stream(u64);

impl Stream {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// The next prime of 128 bits of the stream, to 20 bases of Miller and Rabin's test: members are not adversarial here.
fn prime(stream: &mut Stream) -> Result<u128, Error> {
    loop {
        let candidate = u128::from(stream.next()) << 64 | u128::from(stream.next()) | 1 << 127 | 1;
        let small = [3u8, 5, 7, 11, 13, 17, 19, 23, 29, 31].iter().any(|&p| candidate % u128::from(p) == 0);
        if !small && is_prime(candidate, stream)? {
            return Ok(candidate);
        }
    }
}

fn is_prime(n: u128, stream: &mut Stream) -> Result<bool, Error> {
    let modulus = Modulus::new(natural(n))?;
    let twos = (n - 1).trailing_zeros();
    let (odd, minus_one) = (Integer::from(natural((n - 1) >> twos)), natural(n - 1));
    for _ in 0..20 {
        let mut power = modulus.pow(&Integer::from(2 + stream.next() / 2), &odd)?;
        let mut left = twos;
        while power != Natural::from(1u64) && power != minus_one {
            left -= 1;
            if left == 0 {
                return Ok(false);
            }
            power = modulus.pow(&power.into(), &2u64.into())?;
            if power == Natural::from(1u64) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

fn natural(value: u128) -> Natural {
    Natural::from_limbs(&[value as u64, (value >> 64) as u64])
}

/// The product by halves, so that it costs a few multiplications of long numbers and not many.
fn product(members: &[u128]) -> BigUint {
    match members {
        [] => BigUint::from(1u8),
        [member] => BigUint::from(*member),
        _ => {
            let (left, right) = members.split_at(members.len() / 2);
            product(left) * product(right)
        }
    }
}

fn exponent(value: &BigUint) -> Integer {
    Natural::from_be_bytes(&value.to_bytes_be()).into()
}

/// base^(product of all other members) for each member.
fn witnesses(modulus: &Modulus, base: Natural, members: &[u128], all: &mut Vec<Natural>) -> Result<(), Error> {
    if members.len() <= 1 {
        all.extend(members.first().map(|_| base));
        return Ok(());
    }
    let (left, right) = members.split_at(members.len() / 2);
    let exponents = [exponent(&product(right)), exponent(&product(left))];
    let powers = modulus.pow_exp_list(&base.into(), &exponents, &Options::default())?;
    for (power, half) in powers.into_iter().zip([left, right]) {
        witnesses(modulus, power?, half, all)?;
    }
    Ok(())
}

fn main() -> Result<(), Error> {
    let count = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(10_000);
    let modulus = Modulus::new(MODULUS.parse()?)?;
    let stream = &mut Stream(0x2545_f491_4f6c_dd1d);
    let members: Vec<u128> = (0..count).map(|_| prime(stream)).collect::<Result<_, _>>()?;
    let g = Natural::from(3u64);
    println!("{count} members of 128 bits, modulus RSA-2048");

    let start = Instant::now();
    let accumulator = modulus.pow(&g.clone().into(), &exponent(&product(&members)))?;
    println!("accumulator               {:>10.3?}", start.elapsed());

    let start = Instant::now();
    let mut all = Vec::with_capacity(count);
    witnesses(&modulus, g.clone(), &members, &mut all)?;
    let by_halves = start.elapsed();
    println!("all witnesses by halves   {by_halves:>10.3?}");
    for (witness, &member) in all.iter().zip(&members) {
        assert_eq!(modulus.pow(&witness.clone().into(), &natural(member).into())?, accumulator, "a witness is wrong");
    }
    println!("each of them raised to its member is the accumulator");

    // One by one: what the first few take, times the number of members.
    let few = count.min(3);
    let whole = product(&members);
    let start = Instant::now();
    for (&member, witness) in members.iter().zip(&all).take(few) {
        let others = exponent(&(&whole / BigUint::from(member)));
        assert_eq!(modulus.pow(&g.clone().into(), &others)?, *witness);
    }
    let each = start.elapsed() / few.max(1) as u32;
    let one_by_one: Duration = each * count as u32;
    println!(
        "one by one, estimated     {one_by_one:>10.3?}   {:.0} times as long",
        one_by_one.as_secs_f64() / by_halves.as_secs_f64()
    );
    Ok(())
}
