use super::*;
use crate::engine::plan::Prices;

/// Products by a kernel with a set-up, by divisions that cost this much, and modulo powers of two: the same at every length.
fn planner(division: u32) -> Planner {
    let text = format!(
        "portable_r64 cios 8 1000 100 50 60 20 1\nportable_low_r64 - 8 10 10 5 6 5 1\n\
         division_r64 - 8 10 10 {division} {division} 30 1"
    );
    Planner::new(Prices::parse(&text).unwrap())
}

fn plan(planner: &Planner, problem: &Problem) -> String {
    planner.plan(problem).unwrap().to_string()
}

/// A square is divided where the set-up costs more than the division gains; what is kept says what the plan says.
#[test]
fn squares_and_cubes_go_by_price() {
    for (division, cube, prepared, divided) in [
        (300, false, false, true),
        (300, false, true, false),
        (100, false, true, true),
        (300, true, true, false),
        (500, true, false, true),
        (700, true, false, false),
    ] {
        let planner = planner(division);
        let problem = Problem { exponent_weight: Some(1 + u64::from(cube)), prepared, ..Problem::new(512, 2) };
        for _ in 0..2 {
            assert_eq!(planner.divides(8, 0, cube, prepared), divided, "{division} {cube} {prepared}");
        }
        assert_eq!(plan(&planner, &problem).contains("division_r64"), divided, "{division} {cube} {prepared}");
    }
    assert!(!planner(1).divides(KEPT_LIMBS + 1, 0, false, false));
}

/// Even moduli: the parts have their recombination, which is shorter where the inverse is kept, and a division leaves zeros out.
#[test]
fn even_moduli_go_by_price() {
    for (division, trailing_zeros, prepared, divided) in [
        (900, 1, false, true),
        (900, 1, true, false),
        (1600, 1, false, false),
        (1600, 256, false, true),
        (1600, 256, true, false),
    ] {
        let planner = planner(division);
        let problem = Problem { trailing_zeros, exponent_weight: Some(1), prepared, ..Problem::new(512, 2) };
        let case = format!("{division} {trailing_zeros} {prepared}");
        assert_eq!(planner.divides(8, trailing_zeros, false, prepared), divided, "{case}");
        let line = plan(&planner, &problem);
        assert_eq!(line.starts_with("even("), !divided, "{case}: {line}");
    }
}

/// What is kept for short even moduli is what a new planner says, whatever was asked before.
#[test]
fn what_is_kept_of_short_even_moduli() {
    let kept = planner(400);
    let mut lines = [0; 2];
    for _ in 0..2 {
        for (limbs, bits, prepared, short) in (1..=9).flat_map(|limbs| {
            (2..=8).flat_map(move |bits| {
                [(limbs, bits, false, false), (limbs, bits, true, false), (limbs, bits, false, true)]
            })
        }) {
            for weight in 1..=bits {
                let problem = Problem {
                    trailing_zeros: 5,
                    exponent_weight: Some(weight),
                    prepared,
                    short_base_bits: short.then_some(32),
                    ..Problem::new(64 * limbs - 3, bits)
                };
                let line = |planner: &Planner| {
                    let [odd, two] = planner.plan_power(&problem).unwrap();
                    let run = odd.unwrap();
                    (run.form, run.algorithm.to_string(), two.is_none())
                };
                let (ours, new) = (line(&kept), line(&planner(400)));
                assert_eq!(ours, new, "{problem:?}");
                lines[usize::from(ours.2)] += 1;
            }
        }
    }
    assert!(lines.iter().all(|&count| count > 20), "both ways are cheaper somewhere: {lines:?}");
}

/// Exponents of eight bits have from one to fifteen products.
#[test]
fn the_weight_of_a_short_exponent_matters() {
    let planner = planner(190);
    let line = |weight| plan(&planner, &Problem { exponent_weight: Some(weight), ..Problem::new(512, 8) });
    assert!(line(1).contains("division_r64") && line(8).contains("portable_r64"), "{} {}", line(1), line(8));
}

#[test]
fn a_modulus_stands_for_its_class() {
    for limbs in 1..=200usize {
        for trailing_zeros in 0..64 * limbs as u64 {
            let (class, stands) = class(limbs, trailing_zeros);
            assert!(class < CLASSES && stands < 64 * limbs as u64, "{limbs} {trailing_zeros}");
            assert_eq!(stands == 0, trailing_zeros == 0, "{limbs} {trailing_zeros}");
            assert!(stands.abs_diff(trailing_zeros) <= 4 * limbs as u64 + 128, "{limbs} {trailing_zeros} {stands}");
        }
    }
}

/// A reciprocal is for squares modulo long numbers whose ring is not kept.
#[test]
fn long_squares_go_by_price() {
    let name = quickest_transforms(2048).unwrap().kernel.entry().name;
    let planner = Planner::new(Prices::parse(&format!("{name} - 128 1000 300 100 120 50 1")).unwrap());
    let takes = |limbs: u64, prepared| {
        let problem = Problem { exponent_weight: Some(1), prepared, ..Problem::new(64 * limbs, 2) };
        planner.takes_reciprocal(&problem, &planner.plan_power(&problem).unwrap())
    };
    assert!(takes(2048, false) && takes(64, false));
    assert!(!takes(2048, true));
    let longest = LONGEST_RECIPROCAL as u64;
    assert!(takes(longest, false) && !takes(longest + 1, false));
}
