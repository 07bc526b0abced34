//! Products of every kernel without an end: `make -C hardening differential`. At least half of the limbs are structured, in the form in which the kernel
//! multiplies them.
//!
//! The oracle is the multiplication of words, and a division by num-bigint for many products at once: of products w of a and b in Montgomery's
//! form with scale S, `sum of c w S = sum of c a b` modulo m for drawn c of 31 bits, which a wrong product passes once in 2^31 times.

use super::{Dice, big, words};
use crate::kernel::ModulusParts;
use crate::kernel::fixed::{FixedRing, Visitor};
use crate::kernel::limb_lanes::LimbLanes;
use crate::kernel::registry::{Form, Kernel, Residence};
use crate::kernel::vector::{LANES, Lanes};
use crate::modulus::Facts;
use crate::natural::{Natural, linear};
use crate::suite::ledger::compare;
use num_bigint::BigUint;

/// Products in one ring.
const PRODUCTS: u64 = 256;
/// Operands that they are drawn from.
const OPERANDS: usize = 24;

/// A sum of words, with room for products of numbers of `n` limbs by 31 bits.
struct Sum(Vec<u64>);

impl Sum {
    fn new(n: usize) -> Self {
        Self(vec![0; 2 * n + 3])
    }

    /// Adds `c a b`.
    fn add(&mut self, c: u64, a: &[u64], b: &[u64]) {
        for (i, &a) in a.iter().enumerate() {
            // Below 2^95: a column keeps its upper half for the next one.
            let (mut carry, factor) = (0, u128::from(a));
            for (j, &b) in b.iter().enumerate() {
                let product = factor * u128::from(b);
                let low = u128::from(product as u64) * u128::from(c) + u128::from(self.0[i + j]) + carry;
                self.0[i + j] = low as u64;
                carry = (low >> 64) + (product >> 64) * u128::from(c);
            }
            let mut at = i + b.len();
            while carry != 0 {
                let sum = u128::from(self.0[at]) + (carry & u128::from(u64::MAX));
                self.0[at] = sum as u64;
                carry = (carry >> 64) + (sum >> 64);
                at += 1;
            }
        }
    }

    fn big(&self) -> BigUint {
        big(&self.0)
    }
}

/// An odd modulus of n limbs, or a power of two.
fn modulus(dice: &mut Dice, n: usize, odd: bool) -> Vec<u64> {
    if !odd {
        return [vec![0; n - 1], vec![1 << (1 + dice.below(63))]].concat();
    }
    loop {
        let mut m: Vec<u64> = dice.number(n);
        m[0] |= 1;
        if m[n - 1] == 0 {
            m[n - 1] = dice.roll() >> dice.below(64) | 1;
        }
        if m != [1] {
            return m;
        }
    }
}

/// A structured number below m: its limbs are as drawn but for the top.
fn below(dice: &mut Dice, m: &[u64]) -> Vec<u64> {
    let n = m.len();
    match dice.below(16) {
        0 => return words(&(big(m) - 1u32 - dice.below(2).min(m[0] as usize / 2)), n),
        1 => return words(&(big(m) >> 1u32), n),
        _ => {}
    }
    let mut value: Vec<u64> = dice.number(n);
    if m[n - 1] < u64::MAX {
        value[n - 1] %= m[n - 1] + 1;
    }
    while !linear::less(&value, m) {
        value[n - 1] = value[n - 1].saturating_sub(1);
        if value[n - 1] == 0 && !linear::less(&value, m) {
            value = words(&(big(&value) % big(m)), n);
        }
    }
    value
}

/// Limbs of 64 bits as limbs of `bits` bits, a word each, and back.
fn limbs_of(value: &[u64], bits: u32, count: usize) -> Vec<u64> {
    let limb = |index: usize| {
        let (at, shift) = (index * bits as usize / 64, index * bits as usize % 64);
        let pair = [at, at + 1].map(|at| u128::from(value.get(at).copied().unwrap_or(0)));
        ((pair[0] | pair[1] << 64) >> shift) as u64 & (u64::MAX >> (64 - bits))
    };
    (0..count).map(limb).collect()
}

fn number_of(limbs: &[u64], bits: u32) -> Vec<u64> {
    let mut value = vec![0u64; (limbs.len() * bits as usize).div_ceil(64) + 1];
    for (index, &limb) in limbs.iter().enumerate() {
        let (at, shift) = (index * bits as usize / 64, index * bits as usize % 64);
        let limb = u128::from(limb) << shift;
        value[at] |= limb as u64;
        value[at + 1] |= (limb >> 64) as u64;
    }
    value
}

/// Mostly short moduli: there a second has the most products.
fn length(dice: &mut Dice, least: usize, most: usize) -> usize {
    let n = match dice.below(16) {
        0 => 17 + dice.below(48),
        1 | 2 => 9 + dice.below(8),
        _ => 1 + dice.below(8),
    };
    if n < least { least + dice.below(2) * n } else { n.min(most) }
}

/// Products and squares of a kernel with residues in an arena.
fn in_arena(kernel: Kernel, dice: &mut Dice) -> u64 {
    let entry = kernel.entry();
    let Residence::Arena { prepare, .. } = entry.residence else { unreachable!("a kernel of another kind") };
    let n = length(dice, entry.min_limbs, entry.max_limbs.unwrap_or(usize::MAX));
    let products = entry.products;
    let product = (!products.is_empty()).then(|| products[dice.below(products.len())]);
    let form = Form::new(kernel, kernel.limbs(n), product);
    let mut m = modulus(dice, n, entry.odd);
    if entry.plain && dice.below(2) == 0 {
        m[0] &= !1;
    }
    let facts = Facts::new(Natural::from_limbs(&m));
    let parts = if entry.plain { ModulusParts::whole(&facts) } else { ModulusParts::of(&facts) };
    let parts = if entry.plain { ModulusParts { once: Some(n), ..parts } } else { parts };
    let ring = prepare(&form, &parts).expect("a form of the registry");
    // A division's residues are the numbers, at the top of their words; the tables of all others say what they are.
    let layout = (!entry.plain).then(|| form.layout(if entry.odd { parts.odd_bits } else { parts.trailing_zeros }));
    let w = ring.words();
    let mut scratch = vec![u64::MAX; ring.scratch_words()];
    let mut arena = vec![u64::MAX; (OPERANDS + 1) * w];
    let out = OPERANDS * w;
    let values: Vec<Vec<u64>> = (0..OPERANDS).map(|_| below(dice, &m)).collect();
    for (index, value) in values.iter().enumerate() {
        match layout {
            Some(layout) => ring.unpack(&mut arena, index * w, &limbs_of(value, layout.limb_bits, layout.limbs)),
            None => ring.enter(&mut arena, index * w, value, &mut scratch),
        }
    }
    let scale = layout.map_or(0, |layout| layout.scaling_bits());
    let mut packed = vec![0; ring.packed_words()];
    let (mut got, mut wanted, mut plain) = (Sum::new(w + 2), Sum::new(n), vec![0; w]);
    for _ in 0..PRODUCTS {
        let (a, b, c) = (dice.below(OPERANDS), dice.below(OPERANDS), dice.roll() >> 33);
        let b = if dice.below(3) == 0 { a } else { b };
        if a == b {
            ring.sqr(&mut arena, out, a * w, &mut scratch);
        } else {
            ring.mul(&mut arena, out, a * w, b * w, &mut scratch);
        }
        wanted.add(c, &values[a], &values[b]);
        match layout {
            Some(layout) => {
                ring.pack(&mut packed, &arena, out);
                got.add(c, &number_of(&packed, layout.limb_bits), &[1]);
            }
            None => {
                ring.leave(&mut plain, &arena, out, &mut scratch);
                got.add(c, &plain, &[1]);
            }
        }
    }
    let m = big(&m);
    assert_eq!((got.big() << scale) % &m, wanted.big() % &m, "{form}, m = {m:x}: {values:x?}");
    // What leaves is canonical: the power of an operand by many squarings, x = v / S.
    ring.sqr_n(&mut arena, out, 0, 4, &mut scratch);
    ring.leave(&mut plain, &arena, out, &mut scratch);
    let power = big(&values[0]).modpow(&BigUint::from(16u32), &m);
    assert!(big(&plain) < m);
    assert_eq!((big(&plain) << (16 * scale)) % &m, power, "{form}, m = {m:x}: {:x?}", values[0]);
    PRODUCTS + 4
}

/// A batch of a kernel with residues in registers.
struct ByValue<'a> {
    dice: &'a mut Dice,
    m: &'a [u64],
    /// Whether residues are in Montgomery's form.
    odd: bool,
}

impl Visitor<u64> for ByValue<'_> {
    fn visit<const N: usize, R: FixedRing<N>>(self, make: impl Fn() -> R) -> u64 {
        let Self { dice, m, odd } = self;
        let ring = make();
        let values: Vec<[u64; N]> = (0..OPERANDS)
            .map(|_| {
                let mut value = below(dice, m);
                value.resize(N, 0);
                value.try_into().expect("N limbs")
            })
            .collect();
        let (mut got, mut wanted) = (Sum::new(N), Sum::new(N));
        for _ in 0..PRODUCTS {
            let (a, b, c) = (dice.below(OPERANDS), dice.below(OPERANDS), dice.roll() >> 33);
            let product = if dice.below(3) == 0 {
                wanted.add(c, &values[a], &values[a]);
                ring.sqr(values[a])
            } else {
                wanted.add(c, &values[a], &values[b]);
                ring.mul(values[a], values[b])
            };
            got.add(c, &product, &[1]);
        }
        let (m, scale) = (big(m), if odd { 64 * N } else { 0 });
        assert_eq!((got.big() << scale) % &m, wanted.big() % &m, "{N} limbs by value, m = {m:x}: {values:x?}");
        let power = ring.leave(ring.sqr_n(values[0], 4));
        assert!(big(&power) < m);
        let want = big(&values[0]).modpow(&BigUint::from(16u32), &m);
        assert_eq!((big(&power) << (16 * scale)) % &m, want, "{N} limbs by value, m = {m:x}: {:x?}", values[0]);
        PRODUCTS + 4
    }
}

/// Products and squares of a kernel that computes in the lanes of vectors.
fn in_lanes(kernel: Kernel, dice: &mut Dice) -> u64 {
    let family = kernel.lane_family().expect("a kernel of lanes");
    let entry = kernel.entry();
    let n = length(dice, entry.min_limbs, entry.max_limbs.unwrap_or(usize::MAX));
    let form = Form::new(kernel, kernel.limbs(n), None);
    let m: [Vec<u64>; LANES] = core::array::from_fn(|_| modulus(dice, n, true));
    let ring = (family.prepare)(&form, &m.each_ref().map(Vec::as_slice)).expect("this CPU has it");
    let (v, lanes) = (ring.vectors(), entry.lanes);
    let mut scratch = vec![Lanes([u64::MAX; LANES]); ring.scratch_vectors()];
    let mut arena = vec![Lanes([u64::MAX; LANES]); (OPERANDS + 1) * v];
    let out = OPERANDS * v;
    let values: Vec<[Vec<u64>; LANES]> =
        (0..OPERANDS).map(|_| core::array::from_fn(|lane| below(dice, &m[lane]))).collect();
    // The residues in vectors of limbs of 52 bits are structured; those of doubles are as `enter` makes them.
    let scale = if entry.limb_bits == 52 { 52 * form.n } else { 0 };
    for (index, values) in values.iter().enumerate() {
        if scale > 0 {
            let packed = values.each_ref().map(|value| limbs_of(value, 52, form.n));
            ring.gather(&mut arena, index * v, packed.each_ref().map(Vec::as_slice));
        } else {
            ring.enter(&mut arena, index * v, &values.each_ref().map(Vec::as_slice), &mut scratch);
        }
    }
    let mut sums: Vec<[Sum; 2]> = (0..lanes).map(|_| [Sum::new(n + 1), Sum::new(n)]).collect();
    let mut limbs = vec![0; n + 1];
    for _ in 0..PRODUCTS / 8 {
        let (a, b) = (dice.below(OPERANDS), dice.below(OPERANDS));
        if a == b {
            ring.sqr_n(&mut arena, out, a * v, 1, &mut scratch);
        } else {
            ring.mul(&mut arena, out, a * v, b * v, &mut scratch);
        }
        let left = ring.leave(&mut arena, out, &mut scratch);
        for (lane, [got, wanted]) in sums.iter_mut().enumerate() {
            let c = dice.roll() >> 33;
            limbs.fill(u64::MAX);
            ring.lane(left, lane, &mut limbs);
            assert!(limbs[n] == 0 && linear::less(&limbs[..n], &m[lane]), "{form}, m = {:x?}", m[lane]);
            got.add(c, &limbs[..n], &[1]);
            wanted.add(c, &values[a][lane], &values[b][lane]);
        }
    }
    for (lane, [got, wanted]) in sums.iter().enumerate() {
        // x = v / S, and so for both factors.
        let m = big(&m[lane]);
        assert_eq!((got.big() << (2 * scale)) % &m, wanted.big() % &m, "{form}, lane {lane}, m = {m:x}");
    }
    PRODUCTS / 8 * lanes as u64
}

/// Products and squares of eight words side by side.
fn in_words(dice: &mut Dice) -> u64 {
    let m: [u64; LANES] = core::array::from_fn(|_| modulus(dice, 1, true)[0]);
    let ring = LimbLanes::new(m);
    let mut draw = || core::array::from_fn(|lane| below(dice, &m[lane..=lane])[0]);
    let values: Vec<[u64; LANES]> = (0..OPERANDS).map(|_| draw()).collect();
    for _ in 0..PRODUCTS / 8 {
        let (a, b) = (values[dice.below(OPERANDS)], values[dice.below(OPERANDS)]);
        let out = if a == b { ring.sqr(a) } else { ring.mul(a, b) };
        for lane in 0..LANES {
            // Below m, and (a b) / 2^64 modulo m.
            let wide = u128::from(m[lane]);
            assert!(out[lane] < m[lane]);
            let got = (u128::from(out[lane]) << 64) % wide;
            assert_eq!(got, u128::from(a[lane]) * u128::from(b[lane]) % wide, "{a:x?} {b:x?} mod {m:x?}");
        }
    }
    PRODUCTS
}

/// A batch of one kernel of this CPU, by its place.
fn batch_of(kernel: Kernel, number: u64) -> u64 {
    let mut dice = Dice::new(number << 8 | 0x5a);
    // The first rolls of neighbouring seeds are alike.
    (0..8).for_each(|_| _ = dice.roll());
    (0..32)
        .map(|_| match kernel.residence() {
            Residence::Arena { .. } => in_arena(kernel, &mut dice),
            Residence::Registers(rings) => {
                let odd = kernel.odd();
                let n = 1 + dice.below(kernel.entry().max_limbs.expect("a few limbs"));
                let m = modulus(&mut dice, n, odd);
                let facts = Facts::new(Natural::from_limbs(&m));
                let k = facts.trailing_zeros() as usize;
                let limbs = if odd { n } else { k.div_ceil(64) };
                rings.visit(facts.odd().limbs(), k, limbs, ByValue { dice: &mut dice, m: &m, odd })
            }
            Residence::Vectors(_) => in_lanes(kernel, &mut dice),
            Residence::LimbLanes => in_words(&mut dice),
        })
        .sum()
}

/// Every kernel of this CPU, once and for a second in all in each run of the tests, and for as long as `make -C hardening differential` says.
#[test]
fn products_without_an_end() {
    let here = || Kernel::all().filter(|kernel| kernel.available() && kernel.entry().name != "toy_r64");
    let sections: Vec<_> = here()
        .map(|kernel| {
            let batch: Box<dyn Fn(u64) -> u64> = Box::new(move |number| batch_of(kernel, number));
            (format!("products, {}", kernel.entry().name), batch)
        })
        .collect();
    compare(&sections);
}

/// The sums are exact, and one wrong limb of one product shows.
#[test]
fn sums_tell_a_wrong_product() {
    let mut dice = Dice::new(61);
    for n in [1, 2, 5, 9] {
        let (mut sum, mut other, mut want) = (Sum::new(n), Sum::new(n), BigUint::ZERO);
        for index in 0..300 {
            let (a, b, c): (Vec<u64>, Vec<u64>, _) = (dice.number(n), dice.number(n), dice.roll() >> 33);
            sum.add(c, &a, &b);
            want += big(&a) * big(&b) * c;
            let mut wrong = words::<u64>(&(big(&a) * big(&b)), 2 * n);
            wrong[n] ^= u64::from(index == 7);
            other.add(c, &wrong, &[1]);
        }
        assert_eq!(sum.big(), want);
        assert_ne!(other.big(), want);
    }
}
