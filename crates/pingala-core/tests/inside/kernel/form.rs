//! Tests of `kernel/form.rs`, and of what rows of the registry say that no page lists.

use super::Form;
use crate::kernel::conformance::{Dice, big};
use crate::kernel::registry::{KERNELS, Kernel, Product, Residence, every_form, forms};
use crate::kernel::{ModulusParts, cache_line};
use crate::modulus::Facts;
use crate::natural::Natural;
use num_bigint::BigUint;

/// The words of a number in limbs of `limb_bits` bits.
fn joined(limbs: &[u64], limb_bits: usize) -> Vec<u64> {
    let mut words = vec![0; (limbs.len() * limb_bits).div_ceil(64) + 1];
    for (i, &limb) in limbs.iter().enumerate() {
        assert!(limb <= u64::MAX >> (64 - limb_bits), "limb {i}: {limb:x}");
        let at = i * limb_bits;
        words[at / 64] |= limb << (at % 64);
        words[at / 64 + 1] |= limb.checked_shr(64 - (at % 64) as u32).unwrap_or(0);
    }
    words
}

/// What a ring packs is what the layout of its form says, and takes the room that the form says.
#[test]
fn residues_lie_as_their_form_says() {
    let mut dice = Dice::new(91);
    let odd = [61, 64, 500, 64 * 66 - 5].map(|bits| (true, bits));
    // Beyond the longest digits of transforms, too.
    let low = [1, 130, 64 * 65 - 7, 64 * 24_600].map(|bits| (false, bits));
    for (odd, bits) in odd.into_iter().chain(low) {
        let one = BigUint::from(1u8);
        let m = match odd {
            true => &one << (bits - 1) | big(&dice.number::<u64>((bits - 1) / 64)) | &one,
            false => &one << bits,
        };
        let facts = Facts::new(Natural::from_limbs(&m.to_u64_digits()));
        let parts = ModulusParts::of(&facts);
        let n = bits.div_ceil(64);
        for form in forms(odd, n) {
            let Residence::Arena { prepare, .. } = form.kernel.residence() else { continue };
            let ring = prepare(&form, &parts).expect("a form of the registry");
            let (words, layout) = (ring.words(), form.layout(bits));
            assert_eq!(form.residue_bytes(bits), 8 * words, "{form}, {bits} bits");
            assert_eq!(layout.limbs, ring.packed_words(), "{form}, {bits} bits");
            let mut arena = vec![0; words + cache_line::spare::<u64>()];
            let origin = cache_line::first_word(&arena);
            let arena = &mut arena[origin..origin + words];
            let mut packed = vec![0; layout.limbs];
            let value: Vec<u64> = dice.number(n);
            ring.enter(arena, 0, &value, &mut vec![0; ring.scratch_words()]);
            ring.pack(&mut packed, arena, 0);
            let packed = big(&joined(&packed, layout.limb_bits as usize));
            // Not shown: the longest has half a million digits.
            assert!(packed % &m == (big(&value) << layout.scaling_bits()) % &m, "{form}, {bits} bits");
        }
    }
}

/// All lengths up to a padded one have residues of one length, and longer ones do not.
#[test]
fn padded_lengths_have_residues_of_one_length() {
    for kernel in Kernel::all().filter(|kernel| kernel.entry().name.contains("_ntt_")) {
        let bytes = |n: usize| Form::new(kernel, n, None).residue_bytes(64 * n);
        for n in [64, 65, 100, 128, 129, 321, 1000, 20_000, 30_000] {
            let padded = (kernel.entry().padded_limbs)(n);
            assert!(padded >= n, "{kernel:?}, {n} limbs");
            assert_eq!((kernel.entry().padded_limbs)(padded), padded, "{kernel:?}, {n} limbs");
            assert_eq!(bytes(padded), bytes(n), "{kernel:?}, {n} limbs");
            assert!(bytes(padded + 1) > bytes(n), "{kernel:?}, {n} limbs");
        }
    }
}

#[test]
fn forms_are_those_of_the_kernels_that_take_a_modulus() {
    for (odd, n) in [true, false].into_iter().flat_map(|odd| [1, 4, 5, 10, 11, 64, 800].map(|n| (odd, n))) {
        let mut expected: Vec<(Kernel, Option<Product>)> = Vec::new();
        for kernel in Kernel::all() {
            let entry = kernel.entry();
            if entry.odd == odd && !entry.plain && entry.takes(n) && entry.available() {
                match entry.products {
                    [] => expected.push((kernel, None)),
                    products => expected.extend(products.iter().map(|&product| (kernel, Some(product)))),
                }
            }
        }
        assert!(forms(odd, n).map(|form| (form.kernel, form.product)).eq(expected), "{n} limbs");
    }
}

/// Products of one limb by value wait for themselves, so that two take hardly longer than one.
#[test]
fn only_products_of_one_limb_pair() {
    for (odd, n) in [true, false].into_iter().flat_map(|odd| (1..=8).map(move |n| (odd, n))) {
        for form in every_form(odd, n) {
            assert_eq!(form.pairs(), form.to_string() == "portable_fixed_r64(n=1)", "{form}");
        }
    }
}

/// Kernels whose tables lanes read.
const READ_BY_LANES: [&str; 4] = ["portable_r64", "mulx_r64", "ifma_row_r52", "ifma_row_ct_r52"];

#[test]
fn lanes_read_the_tables_that_their_residues_suit() {
    for bits in [64, 250, 2048, 5000] {
        for form in forms(true, usize::div_ceil(bits, 64)) {
            let layout = form.layout(bits);
            let reads = READ_BY_LANES.contains(&form.kernel.entry().name);
            let lanes = Kernel::all().filter(|kernel| reads && kernel.available()).filter_map(|kernel| {
                let limbs = (kernel.lane_family()?.limbs_for_table)(&layout)?;
                Some(Form::new(kernel, limbs, None))
            });
            assert!(form.side_by_side(bits).eq(lanes), "{form}, {bits} bits");
        }
    }
}

#[test]
fn tables_for_lanes_are_made_by_what_asks_most_of_the_cpu() {
    for bits in [64, 250, 2048, 5000] {
        let all: Vec<Form> = forms(true, usize::div_ceil(bits, 64)).collect();
        for lanes in all.iter().flat_map(|form| form.side_by_side(bits)) {
            let makers: Vec<Form> =
                all.iter().copied().filter(|form| form.side_by_side(bits).any(|read| read == lanes)).collect();
            let asks = |form: &&Form| form.kernel.entry().requires[0].len();
            let most = makers.iter().map(|form| asks(&form)).max();
            assert_eq!(lanes.maker(bits).as_ref(), makers.iter().find(|form| Some(asks(form)) == most), "{lanes}");
        }
        let none = Form::new(Kernel::by_name("portable_ntt_r64").unwrap(), 64, None);
        assert_eq!(none.maker(bits), None);
    }
}

/// The constant-time gate runs on x86-64 and checks all that secrets may use there.
#[test]
fn what_secrets_may_use_is_checked() {
    for entry in KERNELS.iter() {
        let runs = cfg!(target_arch = "x86_64") && entry.name != "umulh_r64";
        assert_eq!(entry.is_checked(), entry.constant_time && runs, "{}", entry.name);
    }
}

#[test]
fn kernels_go_by_their_names() {
    for kernel in Kernel::all() {
        let name = kernel.entry().name;
        assert_eq!((Kernel::by_name(name), format!("{kernel:?}")), (Some(kernel), name.to_string()));
    }
}

#[test]
fn only_lanes_of_one_limb_batch_in_order() {
    for kernel in Kernel::all() {
        let one_limb = kernel.entry().max_limbs == Some(1);
        assert_eq!(kernel.batches_in_order(), kernel.lanes() > 1 && one_limb, "{kernel:?}");
    }
}

/// There is one on every CPU: that of another architecture.
#[test]
fn rings_that_the_cpu_lacks_are_refused() {
    let facts = Facts::new(Natural::from_limbs(&[u64::MAX; 64]));
    let mut refused = 0;
    for kernel in Kernel::all().filter(|kernel| !kernel.available()) {
        let Residence::Arena { prepare, .. } = kernel.residence() else { continue };
        let form = Form::new(kernel, 64, kernel.entry().products.first().copied());
        let why = prepare(&form, &ModulusParts::of(&facts)).expect_err("no such CPU").to_string();
        assert!(why.contains("this CPU"), "{form}: {why}");
        refused += 1;
    }
    assert!(refused > 0);
}
