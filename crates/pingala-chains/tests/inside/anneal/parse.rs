use super::*;
use crate::anneal::random::Random;

/// By the definition, from scratch.
fn fewest(bit: &[bool], elements: &[u64]) -> Vec<u16> {
    let text: String = bit.iter().map(|&bit| if bit { '1' } else { '0' }).collect();
    let mut f = vec![0u16; bit.len() + 1];
    for i in (0..bit.len()).rev() {
        let stands = |e: &&u64| {
            let odd = format!("{:b}", *e >> e.trailing_zeros());
            text[i..].starts_with(&odd) && i + odd.len() + e.trailing_zeros() as usize <= bit.len()
        };
        let behind = |e: &u64| f[i + (*e >> e.trailing_zeros()).ilog2() as usize + 1];
        f[i] = if bit[i] { 1 + elements.iter().filter(stands).map(behind).min().unwrap() } else { f[i + 1] };
    }
    f
}

#[test]
fn what_is_kept_up_to_date_is_what_the_definition_gives() {
    let mut random = Random::new(7);
    for n_bits in [5, 64, 65, 300] {
        let bit: Vec<bool> = (0..n_bits).map(|i| i == 0 || random.below(3) > 0).collect();
        let mut parse = Parse::new(bit.clone());
        let mut elements = vec![1u64];
        assert!(parse.flip(1));
        parse.evaluate();
        parse.keep();
        for _ in 0..300 {
            let before = elements.clone();
            let mut flips = Vec::new();
            for _ in 0..=random.below(3) {
                let bits = 1 + random.below(8);
                let value = 2 + random.below(1 << bits) as u64;
                match elements.iter().position(|&e| e == value) {
                    Some(at) => drop(elements.remove(at)),
                    None => elements.push(value),
                }
                flips.push(value);
                assert!(parse.flip(value));
            }
            parse.evaluate();
            assert_eq!(parse.now, fewest(&bit, &elements));
            if random.below(2) == 0 {
                parse.keep();
            } else {
                for value in flips.iter().rev() {
                    assert!(parse.flip(*value));
                }
                parse.forget();
                elements = before;
                assert_eq!(parse.now, fewest(&bit, &elements));
            }
        }
    }
}
