//! The table of kernels in docs/kernels.md, as the registry has it.

use pingala_core::kernels::{Entry, KERNELS};

const PAGE: &str = include_str!("../../../../docs/kernels.md");

const HEAD: &str = "\
| kernel | moduli | limbs of 64 bits | `n` counts limbs of | side by side | products | secrets | needs | what it is |
|---|---|---|---:|---:|---|---|---|---|
";

fn row(entry: &Entry) -> String {
    let moduli = match entry {
        Entry { plain: true, .. } => "odd, even",
        Entry { odd: true, .. } => "odd",
        _ => "powers of two",
    };
    let limbs = match (entry.min_limbs, entry.max_limbs) {
        (1, None) => "any".to_string(),
        (1, Some(1)) => "1".to_string(),
        (least, Some(most)) => format!("{least} to {most}"),
        (least, None) => format!("from {least}"),
    };
    let yes = |holds: bool| if holds { "yes" } else { "" };
    let products: Vec<String> = entry.products.iter().map(ToString::to_string).collect();
    // Tests have a second set for one kernel.
    let needs: Vec<&str> = entry.requires[0].iter().map(|feature| feature.name()).collect();
    format!(
        "| `{}` | {moduli} | {limbs} | {} bits | {} | {} | {} | {} | {} |\n",
        entry.name,
        entry.limb_bits,
        entry.lanes,
        products.join(", "),
        yes(entry.constant_time),
        needs.join(", "),
        entry.summary,
    )
}

#[test]
fn the_page_has_every_kernel_as_it_is() {
    let rows: String = KERNELS.iter().filter(|entry| entry.name != "toy_r64").map(row).collect();
    let table = format!("{HEAD}{rows}");
    assert!(PAGE.contains(&table), "docs/kernels.md lacks this table:\n{table}");
}

/// A line for each threshold, with the kernels that have it. Those of `umulh_r64`, which are compiled only for aarch64, are written by hand.
#[cfg(target_arch = "x86_64")]
#[test]
fn the_page_has_every_threshold_as_it_is() {
    let mut lines = Vec::<(String, Vec<String>)>::new();
    for entry in KERNELS.iter() {
        for threshold in entry.thresholds {
            let rest = format!(
                "| `{}` | {} | {} to {} | {} |",
                threshold.name, threshold.usual, threshold.least, threshold.most, threshold.summary
            );
            let name = format!("`{}`", entry.name);
            match lines.iter_mut().find(|(known, _)| *known == rest) {
                Some((_, names)) => names.push(name),
                None => lines.push((rest, vec![name])),
            }
        }
    }
    assert!(lines.len() >= 5);
    let lacking: Vec<String> = lines
        .into_iter()
        .map(|(rest, names)| format!("| {} {rest}\n", names.join(", ")))
        .filter(|line| !PAGE.contains(line))
        .collect();
    assert!(lacking.is_empty(), "docs/kernels.md lacks these lines:\n{}", lacking.concat());
}

/// The promise of constant time names the kernels for secrets that the gate checks, and no others.
#[test]
fn the_promise_names_the_kernels_for_secrets() {
    let promises = include_str!("../../../../docs/promises.md");
    // On other architectures the gate does not run.
    let x86_64 = |entry: &&Entry| entry.constant_time && entry.name != "umulh_r64";
    let names: Vec<String> = KERNELS.iter().filter(x86_64).map(|entry| format!("`{}`", entry.name)).collect();
    let sentence = format!("On x86-64, on the kernels {} |", names.join(", "));
    assert!(promises.contains(&sentence), "docs/promises.md lacks: {sentence}");
}
