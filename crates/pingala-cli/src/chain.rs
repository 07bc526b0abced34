//! `pingala chain` and `pingala trace`: what algorithms do for one exponent.

use crate::chain_search::{self, ChainCommand};
use crate::failure::{Failure, GOOD, Outcome};
use crate::json::{self, Object};
use crate::names::Names;
use crate::number::{self, Field};
use crate::print::{self, grouped};
use clap::Args;
use pingala_chains::lower_bound;
use pingala_core::Limits;
use pingala_core::algorithm::{Algorithm, CatalogueEntry, Chain, Counts, ENTRIES, ExponentShape, Wanted};
use pingala_core::exponent::Exponent;
use pingala_study::ADAPTIVE_WINDOWS;
use pingala_study::reading::{chain_of, trace_of};

/// Each step is kept with its value, so memory grows with the square of the length.
const MAX_BITS: u64 = 1 << 13;
/// As the library's addition chains.
const MAX_STEPS: usize = 1 << 15;

const CHAIN_NOTES: &str = "\
With --algorithm: prints the elements of the chain; beside each element the positions, from 0, of the two elements \
whose sum it is. Without: compares all algorithms, each with the parameter that gives the fewest products, the \
shortest chain first. Products are counted exactly. A chain is shorter than that if an algorithm computes an element \
twice or in vain.";

/// Below the table, because the two counts together may be more than the length.
const COUNTS: &str = "\
The length counts different elements. Squarings and multiplications count what the algorithm computes; some \
algorithms compute an element twice or in vain.\n";

/// An exponent, and an algorithm to follow.
#[derive(Args, Clone, Debug)]
#[command(after_help = CHAIN_NOTES, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct ChainArguments {
    #[command(subcommand)]
    command: Option<ChainCommand>,
    /// An algorithm, such as `sliding_window(w=3)`, or only its name (default: compare all)
    #[arg(short, long, value_name = "NAME", value_parser = Names::<String>::new(algorithms), hide_possible_values = true)]
    algorithm: Option<String>,
    /// The exponent, decimal or 0x hexadecimal, at least 1
    #[arg(value_name = "N", allow_hyphen_values = true, required = true)]
    exponent: Option<String>,
}

/// An algorithm and an exponent.
#[derive(Args, Clone, Debug)]
pub(crate) struct TraceArguments {
    /// An algorithm, such as `sliding_window(w=3)`, or only its name (see `pingala algorithms`)
    #[arg(short, long, value_name = "NAME", value_parser = Names::<String>::new(algorithms), hide_possible_values = true)]
    algorithm: String,
    /// The exponent, decimal or 0x hexadecimal, at least 1
    #[arg(value_name = "N", allow_hyphen_values = true)]
    exponent: String,
}

/// The names of all algorithms.
fn algorithms() -> Vec<&'static str> {
    let planned = ENTRIES.iter().map(|entry| entry.name);
    planned.chain(ADAPTIVE_WINDOWS.iter().map(|method| method.name)).collect()
}

/// Prints the addition chain that the algorithm follows, or compares those of all.
pub(crate) fn chain(arguments: &ChainArguments) -> Outcome {
    if let Some(command) = &arguments.command {
        return chain_search::run(command);
    }
    let exponent = read_exponent(arguments.exponent.as_deref().unwrap_or_default())?;
    match &arguments.algorithm {
        Some(name) => {
            let algorithm = read_algorithm(name, &exponent)?;
            let chain = chain_of(&algorithm, &exponent)?;
            let object = || elements(Object::new().with("algorithm", algorithm.to_string()), &chain);
            json::answer_shown(|| format!("{chain}\n"), object)?;
        }
        None => comparison(&exponent)?,
    }
    Ok(GOOD)
}

/// Prints what the algorithm does, step by step.
pub(crate) fn trace(arguments: &TraceArguments) -> Outcome {
    let exponent = read_exponent(&arguments.exponent)?;
    let algorithm = read_algorithm(&arguments.algorithm, &exponent)?;
    let trace = trace_of(&algorithm, &exponent).to_string();
    let object = || {
        let object = Object::new().with("algorithm", algorithm.to_string()).with("exponent", hexadecimal(&exponent));
        object.with("trace", trace.lines().map(str::trim_end).collect::<Vec<_>>())
    };
    json::answer(|| format!("{}\n", trace.trim_end()), object)?;
    Ok(GOOD)
}

fn hexadecimal(exponent: &Exponent) -> String {
    json::number(exponent.magnitude(), false)
}

/// Adds the fields of a chain and its elements.
fn elements(object: Object, chain: &Chain) -> Object {
    let elements: Vec<String> = chain.elements().iter().map(hexadecimal).collect();
    let object = object.with("exponent", hexadecimal(chain.target())).with("length", chain.length());
    object.with("elements", elements).with("steps", chain.pairs())
}

/// Prints every algorithm with its chain, the shortest first, and how short a chain could be.
fn comparison(exponent: &Exponent) -> Result<(), Failure> {
    let mut chains: Vec<(usize, String, Counts)> = Vec::new();
    for (algorithm, counts) in ENTRIES.iter().filter_map(|entry| fewest_products(entry, exponent)) {
        chains.push((chain_of(&algorithm, exponent)?.length(), algorithm.to_string(), counts));
    }
    for method in &ADAPTIVE_WINDOWS {
        let algorithm = (method.choose)(exponent.bits());
        chains.push((chain_of(&algorithm, exponent)?.length(), method.name.into(), algorithm.exact(exponent)));
    }
    chains.sort_by_key(|(length, _, counts)| (*length, counts.products()));
    let least = chains.first().map_or(0, |(length, ..)| *length);
    let mut rows = vec![["algorithm", "length", "squarings", "multiplications", ""].map(String::from).to_vec()];
    rows.extend(chains.iter().map(|(length, algorithm, counts)| {
        let figures = [*length, counts.squarings, counts.products() - counts.squarings];
        let note = if *length == least { "shortest" } else { "" };
        [vec![algorithm.clone()], figures.map(|count| grouped(count as u64)).to_vec(), vec![note.into()]].concat()
    }));
    let bound = lower_bound(exponent).length;
    let text = || {
        let bound = grouped(bound as u64);
        format!(
            "{}\n{COUNTS}Any addition chain for this exponent has a length of {bound} at least.\n",
            print::table(&rows)
        )
    };
    let object = || {
        let rows = chains.iter().map(|(length, algorithm, counts)| {
            let object = Object::new().with("algorithm", algorithm).with("length", length);
            let products = counts.products() - counts.squarings;
            object.with("squarings", counts.squarings).with("products", products)
        });
        let object = Object::new().with("exponent", hexadecimal(exponent)).with("lower_bound", bound);
        object.with("algorithms", rows.collect::<Vec<_>>())
    };
    json::answer_shown(text, object)
}

/// The instance with the fewest products for this exponent, the smaller parameter on a tie. None for given chains.
fn fewest_products(entry: &CatalogueEntry, exponent: &Exponent) -> Option<(Algorithm, Counts)> {
    let candidates = entry.candidates(&ExponentShape::of(exponent)).into_iter();
    let counted = candidates.map(|algorithm| {
        let counts = algorithm.exact(exponent);
        (algorithm, counts)
    });
    counted.min_by_key(|(_, counts)| counts.products())
}

fn read_exponent(text: &str) -> Result<Exponent, Failure> {
    let limits = Limits::new(Limits::default().modulus_bits, MAX_BITS);
    let exponent = number::argument(text, Field::OfChain, &limits)?.value;
    if exponent.is_negative() {
        return Err(Failure::Usage("the exponent is negative; a chain needs an exponent of 1 or more".to_string()));
    }
    Exponent::new(exponent.into_magnitude())
        .ok_or_else(|| Failure::Usage("the exponent is 0; a chain needs an exponent of 1 or more".to_string()))
}

fn read_algorithm(name: &str, exponent: &Exponent) -> Result<Algorithm, Failure> {
    if let Some(method) = ADAPTIVE_WINDOWS.iter().find(|method| method.name == name) {
        let algorithm = (method.choose)(exponent.bits());
        print::note(&format!("{name} chooses {algorithm}"));
        return Ok(algorithm);
    }
    let wanted: Wanted = name.parse().map_err(|error| match error {
        // The library calls this an error of a plan; here only an algorithm is named.
        pingala_core::Error::BadPlan(why) => Failure::Usage(why),
        other => other.into(),
    })?;
    let algorithm = match &wanted {
        Wanted::Exactly(algorithm) => Some(algorithm.clone()),
        Wanted::Named(entry) => fewest_products(entry, exponent).map(|(algorithm, _)| algorithm),
    };
    let Some(algorithm) = algorithm else {
        return Err(Failure::Usage(format!("{wanted} needs its parameter")));
    };
    if !algorithm.serves(exponent) {
        return Err(Failure::bad_argument(format!("this addition chain does not lead to {exponent}")));
    }
    let n_steps = algorithm.exact(exponent).products();
    if n_steps > MAX_STEPS {
        let (steps, cap) = (grouped(n_steps as u64), grouped(MAX_STEPS as u64));
        return Err(Failure::Failed("too_long", format!("{algorithm} takes {steps} steps; the cap is {cap}")));
    }
    if let Wanted::Named(_) = wanted {
        print::note(&format!("{algorithm} takes the fewest products"));
    }
    Ok(algorithm)
}
