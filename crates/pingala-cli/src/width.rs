//! The width of the terminal, and text that fits it.

use clap::Command;
use std::io::{self, IsTerminal};
use textwrap::{Options, WordSplitter, fill};

/// Columns of the terminal that standard output is, or of `COLUMNS` if it is none; `None`: as wide as the text.
pub(crate) fn columns() -> Option<usize> {
    let terminal = io::stdout().is_terminal().then(terminal_size::terminal_size).flatten();
    let told = || std::env::var("COLUMNS").ok()?.parse().ok();
    terminal.map(|(width, _)| usize::from(width.0)).or_else(told).filter(|&columns| columns > 0)
}

/// Columns of help: those of the terminal, but no line is so long that eyes lose it.
pub(crate) fn of_help() -> usize {
    columns().unwrap_or(100).min(120)
}

/// Text whose lines are not longer than this, unless one word is. What is continued stands below the second column of its line, if
/// there are two spaces before that, and else below its first word.
pub(crate) fn fitted(text: &str, columns: Option<usize>) -> String {
    let Some(columns) = columns else { return text.to_string() };
    let fits = |line: &str| if line.chars().count() > columns { wrapped(line, columns) } else { line.to_string() };
    let end = if text.ends_with('\n') { "\n" } else { "" };
    text.lines().map(fits).collect::<Vec<_>>().join("\n") + end
}

fn wrapped(line: &str, columns: usize) -> String {
    let words = line.trim_start();
    let (first, indent) = (line.len() - words.len(), |count: usize| " ".repeat(count));
    let second = words.find("  ").map(|gap| first + gap + words[gap..].len() - words[gap..].trim_start().len());
    let breaking = |hang| {
        Options::new(columns).break_words(false).word_splitter(WordSplitter::NoHyphenation).subsequent_indent(hang)
    };
    match second {
        // A narrow second column would be a tower of words: it goes below.
        Some(second) if second + 24 > columns => {
            let (head, rest) = line.split_at(second);
            let hang = indent(first + 4);
            let below = fill(rest, breaking(&hang).initial_indent(&hang));
            format!("{}\n{below}", head.trim_end())
        }
        Some(second) => {
            let (head, rest) = line.split_at(second);
            let hang = indent(line[..second].chars().count());
            fill(rest, breaking(&hang).initial_indent(head))
        }
        None => {
            let hang = indent(first);
            fill(words, breaking(&hang).initial_indent(&hang))
        }
    }
}

/// The command with its help and the notes below, and those of its subcommands, in this width.
pub(crate) fn in_columns(command: Command, columns: usize) -> Command {
    with_fitted_notes(command.term_width(columns), columns)
}

fn with_fitted_notes(mut command: Command, columns: usize) -> Command {
    if let Some(notes) = command.get_after_help().map(ToString::to_string) {
        command = command.after_help(fitted(&notes, Some(columns)));
    }
    let names: Vec<String> = command.get_subcommands().map(|of| of.get_name().to_string()).collect();
    for name in names {
        command = command.mut_subcommand(name, |of| with_fitted_notes(of, columns));
    }
    command
}

#[cfg(test)]
#[path = "../tests/inside/width.rs"]
mod tests;
