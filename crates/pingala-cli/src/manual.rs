//! `pingala completions` and `pingala man`: what the shell and `man` need, from the same definitions as `--help`.

use crate::Cli;
use crate::failure::{Failure, GOOD, Outcome};
use crate::print;
use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};
use std::fs;
use std::path::PathBuf;

const COMPLETIONS_NOTES: &str = "\
How to use them:
  bash        pingala completions bash > ~/.local/share/bash-completion/completions/pingala
  zsh         pingala completions zsh > DIR/_pingala, with DIR in $fpath
  fish        pingala completions fish > ~/.config/fish/completions/pingala.fish
  powershell  pingala completions powershell | Out-String | Invoke-Expression, in $PROFILE
  elvish      eval (pingala completions elvish | slurp), in rc.elv";

const MAN_NOTES: &str = "\
Examples:
  pingala man | man -l -                       shows the page
  pingala man --out ~/.local/share/man/man1    installs a page for each command: man pingala-pow";

/// Print the completions for a shell
#[derive(Debug, Args)]
#[command(after_help = COMPLETIONS_NOTES)]
pub(crate) struct CompletionsArguments {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Print the manual page, or write one for each command
#[derive(Debug, Args)]
#[command(after_help = MAN_NOTES)]
pub(crate) struct ManArguments {
    /// Write pingala.1, pingala-pow.1 and so on into DIR, replacing old ones
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn completions(arguments: &CompletionsArguments) -> Outcome {
    let mut text = Vec::new();
    generate(arguments.shell, &mut Cli::command(), "pingala", &mut text);
    print::output(&String::from_utf8_lossy(&text))?;
    Ok(GOOD)
}

pub(crate) fn man(arguments: &ManArguments) -> Outcome {
    let Some(folder) = &arguments.out else {
        let mut text = Vec::new();
        let written = clap_mangen::Man::new(Cli::command()).render(&mut text);
        written.map_err(|error| Failure::Failed(format!("the manual page: {error}")))?;
        print::output(&String::from_utf8_lossy(&text))?;
        return Ok(GOOD);
    };
    fs::create_dir_all(folder).map_err(|error| Failure::of_file("create", folder, &error))?;
    clap_mangen::generate_to(Cli::command(), folder).map_err(|error| Failure::of_file("write to", folder, &error))?;
    Ok(GOOD)
}
