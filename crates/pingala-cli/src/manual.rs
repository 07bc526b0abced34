//! `pingala completions` and `pingala man`: what the shell and `man` need, from the same definitions as `--help`.

use crate::Cli;
use crate::failure::{Failure, GOOD, Outcome};
use crate::json::{self, Object};
use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};
use pingala_core::files::{Replacement, open_ordinary};
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

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
    let text = String::from_utf8_lossy(&text);
    let object = || Object::new().with("shell", arguments.shell.to_string()).with("completions", &text);
    json::answer(|| text.to_string(), object)?;
    Ok(GOOD)
}

pub(crate) fn man(arguments: &ManArguments) -> Outcome {
    let Some(folder) = &arguments.out else {
        let mut text = Vec::new();
        let written = clap_mangen::Man::new(Cli::command()).render(&mut text);
        written.map_err(|error| Failure::fault(format!("the manual page: {error}")))?;
        let text = String::from_utf8_lossy(&text);
        json::answer(|| text.to_string(), || Object::new().with("page", &text))?;
        return Ok(GOOD);
    };
    fs::create_dir_all(folder).map_err(|error| Failure::of_file("create", folder, &error))?;
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let mut written = Vec::new();
    pages(&command, folder, &mut written)?;
    json::answer(String::new, || Object::new().with("pages", &written))?;
    Ok(GOOD)
}

/// Writes the page of a command and those of its subcommands, and adds their names. Nothing but a page of this command is replaced.
fn pages(command: &clap::Command, folder: &Path, written: &mut Vec<String>) -> Result<(), Failure> {
    for command in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        pages(command, folder, written)?;
    }
    let page = clap_mangen::Man::new(command.clone());
    let (path, mut text) = (folder.join(page.get_filename()), Vec::new());
    let failed = |error: &io::Error| Failure::of_file("write", &path, error);
    page.render(&mut text).map_err(|error| failed(&error))?;
    // Links and what is no ordinary file are refused in the words of the library.
    Replacement::check(&path, true)?;
    match open_ordinary(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(failed(&error)),
        Ok(old) => {
            let mut start = Vec::new();
            old.take(PAGE_START_BYTES).read_to_end(&mut start).map_err(|error| failed(&error))?;
            if !String::from_utf8_lossy(&start).lines().any(|line| line.starts_with(PAGE_TITLE)) {
                let why = "is not a page of this command; it is left as it is";
                return Err(Failure::bad_file(format!("{} {why}", path.display())));
            }
        }
    }
    let mut file = Replacement::create(&path, true)?;
    file.write_all(&text).map_err(|error| failed(&error))?;
    file.finish()?;
    written.push(path.display().to_string());
    Ok(())
}

/// How a page of this command is known: a line near its start.
const PAGE_TITLE: &str = ".TH pingala";
const PAGE_START_BYTES: u64 = 1 << 10;
