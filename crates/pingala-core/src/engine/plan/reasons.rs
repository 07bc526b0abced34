//! Why a plan was chosen, in two sentences.

use super::summary::{Row, Seconds, Summary, SummaryPart};

/// A longer plan line is printed only below the sentences, in characters.
const LONGEST_LINE: usize = 100;

/// What was chosen and because of what; the next best, and why it is more expensive.
pub(crate) fn sentences(summary: &Summary) -> (String, String) {
    let largest = summary.parts.iter().max_by(|a, b| share(a).total_cmp(&share(b)));
    let Some((part, chosen)) = largest.and_then(|part| Some((part, part.chosen()?))) else {
        return (format!("{}.", subject(summary)), String::new());
    };
    let is_cheapest = part.candidates.first().is_some_and(|first| first.seconds >= chosen.seconds);
    let reason = match (&summary.alternative, &summary.parts[..]) {
        (Some(other), _) if !summary.forced && other.seconds > summary.seconds => {
            let (seconds, more) = (Seconds(other.seconds), longer(other.seconds / summary.seconds));
            format!(": {} would take {seconds}, {more}", other.what)
        }
        _ if summary.forced && !is_cheapest => String::new(),
        (_, [_]) if part.candidates.len() == 1 => ": the only candidate".into(),
        (_, [_]) => format!(": the cheapest of {} candidates by {}", part.candidates.len(), summary.prices),
        (_, parts) => {
            let parts: usize = parts.iter().map(|part| part.count).sum();
            format!(": the cheapest candidate for each of {parts} parts by {}", summary.prices)
        }
    };
    (format!("{}{reason}.", subject(summary)), next_best(summary, part, chosen))
}

/// The time of the chosen candidate over all elements of this part.
fn share(part: &SummaryPart) -> f64 {
    part.chosen().map_or(0.0, |chosen| chosen.seconds * part.count as f64)
}

fn subject(summary: &Summary) -> String {
    let verb = if summary.forced { "Forced" } else { "Chosen" };
    let plan = if summary.plan.len() > LONGEST_LINE { "the plan below" } else { &summary.plan };
    let time = Seconds(summary.seconds);
    match summary.build_seconds {
        Some(build) => format!("{verb}: {plan}, {time} a power and {} to build", Seconds(build)),
        None => format!("{verb}: {plan}, {time}"),
    }
}

fn next_best(summary: &Summary, part: &SummaryPart, chosen: &Row) -> String {
    let Some(next) = part.candidates.iter().find(|row| !row.chosen) else { return String::new() };
    let of = match &summary.parts[..] {
        [_] => String::new(),
        _ => format!(" for the most expensive part, {}", part.problem),
    };
    let kernel = if next.kernel == chosen.kernel { "the same kernel" } else { &next.kernel };
    let name = format!("{} on {kernel}", next.algorithm);
    let because = because(next, chosen);
    if next.ratio < 1.0 {
        let cheaper = cheaper(next.ratio);
        return if summary.forced {
            format!("The cheapest{of} is {name}, {cheaper}{because}.")
        } else {
            format!("For these numbers {name} is {cheaper}; the choice{of} holds for all numbers of similar lengths.")
        };
    }
    let elsewhere = part.candidates.iter().find(|row| row.kernel_name() != chosen.kernel_name());
    let elsewhere = elsewhere.filter(|_| next.kernel_name() == chosen.kernel_name());
    let elsewhere = elsewhere.map_or(String::new(), |row| {
        format!("; the best on another kernel is {}, {}", row.plan(), more_expensive(row.ratio))
    });
    format!("Next best{of}: {name}, {}{because}{elsewhere}.", more_expensive(next.ratio))
}

/// Why the time of `other` differs from that of `chosen`: more products, or more expensive ones, whichever does more.
fn because(other: &Row, chosen: &Row) -> String {
    let (many, few) = (other.all_products(), chosen.all_products());
    if few <= 0.0 || many <= 0.0 {
        return String::new();
    }
    let (more, each) = (many / few, other.seconds / chosen.seconds * few / many);
    let sign = if other.ratio < 1.0 { -1.0 } else { 1.0 };
    let (by_count, by_price) = (sign * more.ln(), sign * each.ln());
    let (many, few) = (format!("{many:.0}"), format!("{few:.0}"));
    if let Some((table, smaller)) = other.table.zip(chosen.table).filter(|_| by_count.max(by_price) < 1e-3) {
        return if table.build_seconds > smaller.build_seconds { ", because it takes longer to build" } else { "" }
            .into();
    }
    if by_count >= by_price {
        if many == few { String::new() } else { format!(", because it makes {many} products, not {few}") }
    } else if other.kernel != chosen.kernel {
        format!(", because a product, with its share of set-up, takes {} there", longer(each))
    } else if sign * (other.squarings / chosen.squarings.max(1.0) - more) < -1e-6 {
        let fewer = if sign > 0.0 { "fewer" } else { "more" };
        format!(", because {fewer} of its products are squarings")
    } else {
        ", because its products cost more each: by longer factors, or with more work beside them".into()
    }
}

fn percent(fraction: f64) -> String {
    format!("{}%", rounded(100.0 * fraction))
}

fn more_expensive(ratio: f64) -> String {
    match ratio {
        r if r < 1.0005 => "equally expensive".into(),
        r if r < 1.995 => format!("{} more expensive", percent(r - 1.0)),
        r => format!("{} times as expensive", rounded(r)),
    }
}

fn cheaper(ratio: f64) -> String {
    if ratio > 0.9995 { "equally expensive".into() } else { format!("{} cheaper", percent(1.0 - ratio)) }
}

fn longer(ratio: f64) -> String {
    match ratio {
        r if r < 1.0 => format!("{} less", percent(1.0 - r)),
        r if r < 1.995 => format!("{} longer", percent(r - 1.0)),
        r => format!("{} times as long", rounded(r)),
    }
}

/// With one decimal below 10.
fn rounded(number: f64) -> String {
    if number < 9.95 { format!("{number:.1}") } else { format!("{number:.0}") }
}
