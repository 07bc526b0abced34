use super::*;
use crate::anneal::random::Random;
use dashu_int::UBig;

/// f\[0\]\[0\] by the definition: from the end, over all patterns and lengths.
fn fewest(bit: &[bool], elements: &[u64]) -> usize {
    let never = usize::MAX / 2;
    let mut f = vec![vec![never; MOST_PENDING + 1]; bit.len() + 1];
    f[bit.len()][0] = 0;
    for place in (0..bit.len()).rev() {
        for pending in 0..=MOST_PENDING {
            let mut sum = pending as u64;
            for behind in place + 1..=bit.len() {
                sum = 2 * sum + u64::from(bit[behind - 1]);
                if behind == place + 1 && sum <= MOST_PENDING as u64 {
                    f[place][pending] = f[behind][sum as usize];
                }
                for element in elements {
                    let zeros = element.trailing_zeros();
                    for zeros in [0, zeros] {
                        let rest = sum.wrapping_sub(element >> zeros) as usize;
                        if rest <= MOST_PENDING && behind + zeros as usize <= bit.len() {
                            f[place][pending] = f[place][pending].min(1 + f[behind][rest]);
                        }
                    }
                }
            }
        }
    }
    f[0][0]
}

#[test]
fn the_fewest_terms_are_those_of_the_definition_and_make_up_the_target() {
    let mut random = Random::new(5);
    for n_bits in (3..40).chain([60, 64]).cycle().take(300) {
        let bit: Vec<bool> = (0..n_bits).map(|i| i == 0 || random.below(3) > 0).collect();
        let mut elements = vec![1];
        for _ in 0..8 {
            let bits = 2 + random.below(9);
            elements.push(2 + random.below(1 << bits) as u64);
        }
        elements.sort_unstable();
        elements.dedup();
        let mut overlap = Overlap::new(bit.clone());
        let steps = overlap.price(&elements).unwrap();
        assert_eq!(usize::from(overlap.fewest[0][0]), fewest(&bit, &elements));
        let line = overlap.main_line();
        assert_eq!(steps, elements.len() - 1 + line.left + line.terms.len());
        let terms = line.terms.iter().map(|&(term, power)| UBig::from(term) << power);
        let target = bit.iter().fold(UBig::ZERO, |n, &bit| (n << 1usize) + UBig::from(bit));
        assert_eq!(terms.fold(UBig::from(line.first) << line.left, |sum, term| sum + term), target);
        assert!(overlap.price(&elements).is_none());
    }
}
