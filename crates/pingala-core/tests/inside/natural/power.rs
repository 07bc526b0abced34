use super::*;

fn found(number: &Natural) -> Option<(Natural, u32)> {
    perfect_power(number, &|| true).unwrap()
}

/// The definition: the largest exponent whose root is whole.
fn oracle(n: u64) -> Option<(Natural, u32)> {
    (2..64).rev().find_map(|k| {
        let base = (2..=n).take_while(|b| b.checked_pow(k).is_some_and(|power| power <= n)).last()?;
        (base.pow(k) == n).then(|| (Natural::from(base), k))
    })
}

#[test]
fn small_numbers() {
    for n in 0..4000 {
        assert_eq!(found(&Natural::from(n)), oracle(n), "{n}");
    }
}

#[test]
fn long_numbers() {
    let one = Natural::from(1u64);
    let bases = [
        Natural::from(2u64),
        Natural::from(6u64),
        Natural::from(757u64),
        Natural::from(751u64 * 757),
        Natural::from((1u64 << 61) - 1),
        Natural::from(u64::MAX),
        chores::sub(&Natural::power_of_two(127), &one),
        chores::sub(&Natural::power_of_two(521), &one),
        chores::add(&Natural::power_of_two(200), &Natural::from(235u64)),
    ];
    for base in bases {
        for k in [2, 3, 4, 5, 6, 7, 9, 12, 31, 64, 97] {
            let number = chores::pow(&base, k);
            assert_eq!(found(&number), Some((base.clone(), k)), "{base:x} {k}");
            for other in
                [chores::add(&number, &one), chores::sub(&number, &one), chores::mul(&number, &Natural::from(3u64))]
            {
                if other.bits() > 8 {
                    assert_eq!(found(&other), None, "{base:x} {k}");
                }
            }
        }
        assert_eq!(found(&base), None);
    }
}

#[test]
fn searches_are_stopped() {
    // A prime, so that every exponent is tried.
    let number = chores::sub(&Natural::power_of_two(4253), &Natural::from(1u64));
    for answers in [0u32, 1, 5] {
        let left = core::cell::Cell::new(answers);
        let go_on = || left.replace(left.get().saturating_sub(1)) > 0;
        assert_eq!(perfect_power(&number, &go_on), Err(Error::Interrupted), "{answers}");
    }
}
