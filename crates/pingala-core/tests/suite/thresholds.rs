//! The thresholds of kernels: parameters of the form, which lines name, prices give values, and the tuner measures.

use pingala_core::kernels::{Form, KERNELS, Kernel, Product, forms};
use pingala_core::plan::{Plan, Planner, Prices, Problem};
use pingala_core::{Error, Integer, Modulus, Natural, Options};

/// 2^bits - less.
fn below_power(bits: u64, less: u64) -> Natural {
    let mut limbs = vec![u64::MAX; bits.div_ceil(64) as usize];
    *limbs.last_mut().unwrap() >>= (64 - bits % 64) % 64;
    limbs[0] -= less - 1;
    Natural::from_limbs(&limbs)
}

#[test]
fn rows_are_in_order() {
    for entry in KERNELS.iter() {
        let mut names: Vec<&str> = entry.thresholds.iter().map(|threshold| threshold.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), entry.thresholds.len(), "{}", entry.name);
        for threshold in entry.thresholds {
            let legal = threshold.least..=threshold.most;
            assert!(legal.contains(&threshold.usual) && !["n", "product"].contains(&threshold.name), "{threshold:?}");
            assert!(
                threshold.tried.iter().all(|tried| legal.contains(tried) && *tried != threshold.usual),
                "{threshold:?}"
            );
            assert!(!threshold.tried.is_empty() && !threshold.lengths.is_empty() && !threshold.summary.is_empty());
        }
    }
}

/// A line prints the thresholds that are not the usual ones, and is read back as it was.
#[test]
fn lines_name_unusual_thresholds() {
    let line = "sliding_window(w=5) on portable_r64(n=40, product=karatsuba_sos, karatsuba_squares=32)";
    let plan: Plan = line.parse().unwrap();
    assert_eq!(plan.to_string(), line);
    let usual = "sliding_window(w=5) on portable_r64(n=40, product=karatsuba_sos)";
    let written_out = usual.replace(')', "").replace("(w=5", "(w=5)") + ", karatsuba_squares=64)";
    assert_eq!(written_out.parse::<Plan>().unwrap().to_string(), usual);
    assert_ne!(usual.parse::<Plan>().unwrap(), plan);
    for (threshold, complaint) in [
        ("karatsuba_squares=8", "karatsuba_squares must be a number from 9 to 255"),
        ("karatsuba_squares=256", "karatsuba_squares must be a number from 9 to 255"),
        ("karatsuba_squares=many", "karatsuba_squares must be a number from 9 to 255"),
        ("leaf=24", "unknown parameter 'leaf' (there are n, product, karatsuba_squares)"),
    ] {
        let line = format!("sliding_window(w=5) on portable_r64(n=40, product=sos, {threshold})");
        match line.parse::<Plan>() {
            Err(Error::BadPlan(why)) => assert!(why.contains(complaint), "{why}"),
            other => panic!("{line}: {other:?}"),
        }
    }
}

/// Prices with these thresholds for one kernel.
fn prices(thresholds: &str) -> Prices {
    Prices::parse(&format!("{}{thresholds}\n", Prices::built_in())).unwrap()
}

/// The values of the prices are planned, printed and executed, and results do not change. A kernel by its name takes them too; a line
/// that names the length means what it says.
#[test]
fn prices_give_values() {
    let modulus = Modulus::new(below_power(2600, 1093)).unwrap();
    let (base, exponent) = (Integer::from(0x1234_5678_9abc_def1u64), Integer::from(0xf00d_f00d_f00du64));
    let want = modulus.pow(&base, &exponent).unwrap();
    let problem = Problem::new(2600, 48);
    let planner = Planner::new(prices("portable_r64 karatsuba_squares=33"));
    let partial = "sliding_window(w=3) on portable_r64(product=karatsuba_sos)";
    let plan = planner.plan_with(&problem, None, Some(partial)).unwrap();
    let line = "sliding_window(w=3) on portable_r64(n=41, product=karatsuba_sos, karatsuba_squares=33)";
    assert_eq!(plan.to_string(), line);
    assert_eq!(planner.plan_with(&problem, None, Some(line)).unwrap(), plan);
    let usual = "sliding_window(w=3) on portable_r64(n=41, product=karatsuba_sos)";
    assert_eq!(planner.plan_with(&problem, None, Some(usual)).unwrap().to_string(), usual);
    for line in [line, usual, partial] {
        assert_eq!(modulus.pow_with(&base, &exponent, &Options::default().with_plan(Some(line))).unwrap(), want);
    }
    let by_kernel = planner.plan_with(&problem, Some("portable_r64"), None).unwrap();
    assert!(by_kernel.to_string().contains("karatsuba_squares=33"), "{by_kernel}");
    // Over others, and as text.
    let over = Prices::parse(&planner.prices().to_string()).unwrap();
    assert_eq!(Planner::new(over).plan_with(&problem, Some("portable_r64"), None).unwrap(), by_kernel);
    // No other kernel notices.
    let elsewhere = |prices: &Prices| forms(false, 41).map(|form| prices.of(&form)).collect::<Vec<_>>();
    assert_eq!(elsewhere(planner.prices()), elsewhere(Prices::built_in()));
}

#[test]
fn a_file_with_an_illegal_threshold_is_refused() {
    for line in [
        "portable_r64 karatsuba_squares=1",
        "portable_r64 leaf=24",
        "nobody leaf=24",
        "portable_r64 karatsuba_squares=",
    ] {
        let why = Prices::parse(&format!("{}{line}\n", Prices::built_in())).unwrap_err().to_string();
        assert!(why.contains(line) && why.contains("is no legal threshold"), "{why}");
    }
}

/// Every threshold of every kernel of this CPU that a line can name, at the ends of its range: powers are the same.
#[test]
fn powers_do_not_depend_on_thresholds() {
    for bits in [1000u64, 3000, 9000] {
        let modulus = Modulus::new(below_power(bits, 33)).unwrap();
        let (base, exponent) = (Integer::from(below_power(bits - 2, 5)), Integer::from(65_539u64));
        let want = modulus.pow(&base, &exponent).unwrap();
        for form in forms(true, bits.div_ceil(64) as usize) {
            if form.product.is_some_and(|product| product != Product::KaratsubaSos && product != Product::Kcm) {
                continue;
            }
            for threshold in form.kernel.entry().thresholds {
                for value in [threshold.least, threshold.most] {
                    let form = form.to_string().replace(')', &format!(", {}={value})", threshold.name));
                    let line = format!("sliding_window(w=2) on {form}");
                    let options = Options::default().with_plan(Some(&line));
                    assert_eq!(
                        modulus.pow_with(&base, &exponent, &options).as_ref(),
                        Ok(&want),
                        "{bits} bits by {line}"
                    );
                }
            }
        }
    }
}

/// Kernels with lanes make powers of lists, with tables of a kernel that packs alike.
#[test]
fn a_form_of_lanes_keeps_its_maker() {
    let Some(lanes) = Kernel::by_name("ifma_lanes_r52").filter(|kernel| kernel.available()) else { return };
    let form = Form::new(lanes, 40, None);
    assert_eq!(form.to_string(), "ifma_lanes_r52(n=40)");
    let line = "sliding_window(w=4) on ifma_lanes_r52(n=40, square_from=30)";
    assert_eq!(line.parse::<Plan>().map_err(|error| error.code()), Err("bad_plan"), "it has no thresholds");
}

/// Lines and price files of 0.2 may name thresholds and products that are gone. They change nothing.
#[test]
fn retired_thresholds_and_products_are_ignored() {
    for (kernel, retired) in [("ifma_row_ct_r52", "part_to=5"), ("ifma_lanes_r52", "karatsuba_from=30")] {
        let Some(known) = Kernel::by_name(kernel).filter(|kernel| kernel.available()) else { continue };
        let line = format!("sliding_window(w=4) on {kernel}(n=40, {retired})");
        let want = format!("sliding_window(w=4) on {}", Form::new(known, 40, None));
        assert_eq!(line.parse::<Plan>().unwrap().to_string(), want);
        assert_eq!(prices(&format!("{kernel} {retired}")).of(&Form::new(known, 40, None)), {
            Prices::parse(&Prices::built_in().to_string()).unwrap().of(&Form::new(known, 40, None))
        });
    }
    let read = prices("mulx_r64 sos 4 100 20 5 6 2 1\nmulx_r64 sos 5 100 20 5 6 2 1");
    let [note] = read.notes() else { panic!("{:?}", read.notes()) };
    assert!(prices("portable_r64 fips 4 100 20 5 6 2 1").notes()[0].contains("the product fips of portable_r64"));
    assert!(note.contains("prices the product sos of mulx_r64, which this version does not have"), "{note}");
}
