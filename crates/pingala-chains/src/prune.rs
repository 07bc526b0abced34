//! Shorter chains by leaving out what is not needed.

use crate::elements::{chain_of_elements, elements};
use dashu_int::UBig;
use pingala_core::algorithm::Chain;
use std::collections::HashMap;

/// The chain without the elements whose every use has another sum, each looked at once, from the largest down; those that the
/// target does not depend on go first.
pub fn prune(chain: &Chain) -> Chain {
    prune_while(chain, &|| true)
}

/// The pruned chain, or the chain without a change once `goes_on` says no.
pub(crate) fn prune_while(chain: &Chain, goes_on: &dyn Fn() -> bool) -> Chain {
    let mut numbers = elements(chain);
    numbers.sort_unstable();
    numbers.dedup();
    // What is above the target serves nothing.
    let target = crate::number(chain.target());
    numbers.retain(|number| *number <= target);
    let mut ways: HashMap<UBig, usize> = HashMap::with_capacity(numbers.len());
    for number in &numbers {
        if !goes_on() {
            return chain.clone();
        }
        ways.insert(number.clone(), count_ways(&numbers, number));
    }
    let mut place = numbers.len().saturating_sub(1);
    while place > 1 && goes_on() {
        place -= 1;
        let gone = numbers[place].clone();
        let users: Vec<&UBig> =
            numbers[place + 1..].iter().filter(|user| ways.contains_key(&(*user - &gone))).collect();
        if users.iter().all(|user| ways[*user] > 1) {
            for user in users {
                *ways.get_mut(user).expect("an element") -= 1;
            }
            ways.remove(&gone);
            numbers.remove(place);
        }
    }
    let pruned = chain_of_elements(numbers).ok().filter(|pruned| pruned.target() == chain.target());
    pruned.filter(|pruned| pruned.length() < chain.length()).unwrap_or_else(|| chain.clone())
}

/// In how many ways the number is a sum of two.
fn count_ways(numbers: &[UBig], sum: &UBig) -> usize {
    let (mut low, mut high, mut ways) = (0, numbers.partition_point(|number| number < sum), 0);
    while low < high {
        match (&numbers[low] + &numbers[high - 1]).cmp(sum) {
            core::cmp::Ordering::Less => low += 1,
            order => {
                ways += usize::from(order.is_eq());
                high -= 1;
            }
        }
    }
    ways
}
