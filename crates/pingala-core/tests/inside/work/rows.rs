//! Tests of `work/rows.rs`.

use super::*;

/// A thread takes rows of about ten milliseconds at once: the fewest allowed if each takes long, the most if each is short.
#[test]
fn blocks_have_some_milliseconds() {
    let options = Options::default().with_threads(NonZeroUsize::new(2));
    let blocks = |limbs: usize, exponent: &[u64]| {
        let bases: Vec<Integer> = (1..=RowBlocks::FEWEST as u64).map(Integer::from).collect();
        let [exponent, modulus]: [Integer; 2] =
            [exponent.to_vec(), vec![u64::MAX; limbs]].map(|n| Natural::from_limbs(&n).into());
        let [bases, exponents, moduli] = [&bases[..].into(), &(&exponent).into(), &(&modulus).into()];
        let (width, absent) = (8 * limbs, AbsentRows::default());
        let one_modulus = Column::modulus_of_all(moduli, width, &options);
        let work = RowPowers { bases, exponents, moduli, one_modulus, absent, width };
        work.blocks(100_000, &options).unwrap()
    };
    assert_eq!(blocks(128, &[u64::MAX; 128]), Some(RowBlocks { rows: RowBlocks::FEWEST, threads: 2 }));
    assert_eq!(blocks(1, &[3]), Some(RowBlocks { rows: RowBlocks::MOST, threads: 2 }));
}
