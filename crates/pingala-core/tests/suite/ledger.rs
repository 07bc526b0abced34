//! Comparisons without an end, and the record of how far they came: `make -C hardening differential`.
//!
//! Work comes in batches, and a batch is drawn only from its number. The record has a line for each section, commit and machine; a run
//! goes on behind the last batch of its section, so that no case is counted twice, on whatever machine the record is kept.

use std::time::{Duration, Instant};
use std::{env, fs};

/// Draws and compares the batch of this number; returns how many cases it had.
type Batch = Box<dyn Fn(u64) -> u64>;

/// Behind this the record is written again.
const SAVE_EVERY: Duration = Duration::from_secs(10);

/// A line of the record.
struct Line {
    /// Date, commit and machine: what one run has in common.
    run: String,
    section: String,
    first: u64,
    batches: u64,
    cases: u64,
    seconds: f64,
}

impl Line {
    fn read(line: &str) -> Self {
        let fields: Vec<&str> = line.split('\t').collect();
        let [date, commit, machine, section, first, batches, cases, seconds] = fields[..] else {
            panic!("a line of the record that is none: {line}")
        };
        Self {
            run: [date, commit, machine].join("\t"),
            section: section.into(),
            first: first.parse().unwrap(),
            batches: batches.parse().unwrap(),
            cases: cases.parse().unwrap(),
            seconds: seconds.parse().unwrap(),
        }
    }

    fn write(&self) -> String {
        let Self { run, section, first, batches, cases, seconds } = self;
        format!("{run}\t{section}\t{first}\t{batches}\t{cases}\t{seconds:.1}\n")
    }
}

/// The processor time of this thread, if the system reports it; otherwise the time that has passed.
fn processor_seconds(started: Instant) -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = text.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or(started.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// Runs batches of all sections, each for as long as the others, until the time of `PINGALA_DIFFERENTIAL_SECONDS` is over. The record is the file
/// that `PINGALA_DIFFERENTIAL` names; without one a second is all there is, and nothing is kept. A difference ends the test, and the batch that has
/// it is not in the record.
pub(crate) fn compare(sections: &[(String, Batch)]) {
    let path = env::var_os("PINGALA_DIFFERENTIAL");
    let seconds = env::var("PINGALA_DIFFERENTIAL_SECONDS").map_or(1.0, |text| text.parse().unwrap());
    let text = path.as_ref().map_or(String::new(), |path| fs::read_to_string(path).unwrap());
    let (head, old): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| !line.contains('\t') || line.starts_with("date\t"));
    let mut lines: Vec<Line> = old.into_iter().map(Line::read).collect();
    let run = env::var("PINGALA_DIFFERENTIAL_RUN").unwrap_or_else(|_| "today\tnowhere\tnobody".into());
    let mut at: Vec<usize> = Vec::new();
    for (section, _) in sections {
        let of_section = |line: &&Line| line.section == *section;
        let first = lines.iter().filter(of_section).map(|line| line.first + line.batches).max().unwrap_or(0);
        let mine = |line: &Line| line.section == *section && line.run == run && line.first + line.batches == first;
        at.push(lines.iter().position(mine).unwrap_or(lines.len()));
        if at.last() == Some(&lines.len()) {
            let (section, run) = (section.clone(), run.clone());
            lines.push(Line { run, section, first, batches: 0, cases: 0, seconds: 0.0 });
        }
    }
    let save = |lines: &[Line]| {
        let Some(path) = &path else { return };
        let done = lines.iter().filter(|line| line.batches > 0).map(Line::write);
        let text: String = head.iter().map(|line| format!("{line}\n")).chain(done).collect();
        // A killed run must not take the record along.
        let aside = std::path::PathBuf::from(path).with_extension("partial");
        fs::write(&aside, text).and_then(|()| fs::rename(&aside, path)).unwrap();
    };
    let (started, mut saved) = (Instant::now(), Instant::now());
    // What this run spent on each section: the record may have more of one than of another.
    let mut spent = vec![0.0; sections.len()];
    let mut ran = vec![false; sections.len()];
    while ran.contains(&false) || started.elapsed().as_secs_f64() < seconds {
        let order = |&a: &usize, &b: &usize| ran[a].cmp(&ran[b]).then(f64::total_cmp(&spent[a], &spent[b]));
        let least = (0..sections.len()).min_by(order).expect("a section");
        ran[least] = true;
        let line = &mut lines[at[least]];
        let begun = processor_seconds(started);
        line.cases += sections[least].1(line.first + line.batches);
        line.batches += 1;
        let took = processor_seconds(started) - begun;
        line.seconds += took;
        spent[least] += took;
        if saved.elapsed() > SAVE_EVERY {
            save(&lines);
            saved = Instant::now();
        }
    }
    save(&lines);
}
