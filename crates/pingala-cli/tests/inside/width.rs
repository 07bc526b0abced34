//! Text in the width of a terminal.

use super::*;
use crate::Cli;
use clap::CommandFactory;

#[test]
fn lines_that_fit_stay() {
    let text = "Exit status:\n  0    success\n\n  1    failure\n";
    assert_eq!(fitted(text, Some(20)), text);
    assert_eq!(fitted(text, None), text);
}

#[test]
fn what_is_continued_stands_below_its_column() {
    let text = "Exit status:\n  130  interrupted by Ctrl-C, and so on, and so on\nA sentence of a few words.";
    let fitted = fitted(text, Some(34));
    assert_eq!(
        fitted,
        "Exit status:\n  130  interrupted by Ctrl-C, and\n       so on, and so on\nA sentence of a few words."
    );
}

#[test]
fn a_narrow_column_goes_below() {
    let text = "  a_long_name_of_a_kernel  what it does, in a few words";
    assert_eq!(fitted(text, Some(40)), "  a_long_name_of_a_kernel\n      what it does, in a few words");
}

#[test]
fn a_long_word_stays_whole() {
    let word = "w".repeat(50);
    assert_eq!(fitted(&format!("one {word} two"), Some(20)), format!("one\n{word}\ntwo"));
}

/// Every page of help, at two widths: no line is longer, and no word is broken.
#[test]
fn help_fits() {
    for columns in [80, 120] {
        let mut command = in_columns(Cli::command(), columns);
        command.build();
        let mut long = Vec::new();
        find_long(&mut command, columns, &mut long);
        assert!(long.is_empty(), "at {columns}: {long:#?}");
    }
}

/// Adds the lines that are longer.
fn find_long(command: &mut Command, columns: usize, long: &mut Vec<String>) {
    let help = command.render_long_help().to_string();
    long.extend(help.lines().filter(|line| line.chars().count() > columns).map(String::from));
    command.get_subcommands_mut().for_each(|of| find_long(of, columns, long));
}
