//! Files with one element per line, and the output of their results.

use crate::failure::Failure;
use crate::json::{self, Object};
use crate::number::{self, Field};
use crate::output::Output;
use crate::print;
use crate::progress::Progress;
use crate::settings;
use clap::Args;
use pingala_core::{Error, Integer, Limits, Natural, pairs};
use pingala_rows::records::{Records, RowSource, Rules};
use pingala_rows::stream::Input;
use std::path::{Path, PathBuf};

/// The file of the elements.
#[derive(Args, Clone, Debug)]
pub(crate) struct Elements {
    /// One element per line (`-`: standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Refuse a longer line
    #[arg(long, value_name = "BYTES", default_value = "64M", value_parser = settings::size)]
    max_line_bytes: u64,
}

impl Elements {
    /// The lines of a file that is an option of a command.
    pub(crate) fn of(file: &Path, max_line_bytes: u64) -> Self {
        Self { file: file.to_path_buf(), max_line_bytes }
    }

    /// Passes every line that is not blank to `take`; an error of `take` gets the number of its line. Returns the numbers of those
    /// lines.
    pub(crate) fn read(&self, mut take: impl FnMut(&str) -> Result<(), Error>) -> Result<Vec<u64>, Failure> {
        let row_bytes = usize::try_from(self.max_line_bytes).unwrap_or(usize::MAX);
        let Input { stream, name, .. } = Input::open(&self.file)?;
        let rules = Rules { csv: Some(false), row_bytes, expected: "one element per line", ..Rules::default() };
        let mut records = Records::new(stream, name, rules);
        let mut numbers = Vec::new();
        while records.next(&mut || {})? {
            let line = records.line();
            let text = records.utf8().map_err(|flaw| self.at(line, flaw.code(), &flaw))?;
            take(text.trim_ascii()).map_err(|error| self.at(line, error.code(), &error))?;
            numbers.push(line);
        }
        Ok(numbers)
    }

    /// An exponent on every line that is not blank: the exponents, the numbers of their lines, and whether one is hexadecimal.
    pub(crate) fn exponents(&self, limits: &Limits) -> Result<(Vec<Integer>, Vec<u64>, bool), Failure> {
        let (mut exponents, mut hexadecimal) = (Vec::new(), false);
        let lines = self.read(|text| {
            hexadecimal |= number::is_hexadecimal(text);
            exponents.push(number::parse(text, Field::Exponent, limits)?);
            Ok(())
        })?;
        Ok((exponents, lines, hexadecimal))
    }

    /// The error of a line.
    pub(crate) fn at(&self, line: u64, code: &'static str, why: &dyn std::fmt::Display) -> Failure {
        Failure::Failed(code, format!("{}, line {line}: {why}", self.file.display()))
    }

    /// The file, unless it is standard input.
    fn path(&self) -> Option<&Path> {
        Some(self.file.as_path()).filter(|path| path.as_os_str() != "-")
    }
}

/// The output of the results.
#[derive(Args, Clone, Debug)]
pub(crate) struct Results {
    /// The file of the results (default: standard output)
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    output: PathBuf,
    /// Replace an existing output
    #[arg(long)]
    force: bool,
    /// Print nothing on standard error unless something is wrong
    #[arg(short, long)]
    quiet: bool,
}

impl Results {
    /// Computes the powers of some elements and writes them in order. An error names the line of `lines` of the first power that
    /// fails. `table` is another input file.
    pub(crate) fn write(
        &self,
        (elements, table): (&Elements, Option<&Path>),
        lines: &[u64],
        hexadecimal: bool,
        powers: impl FnOnce(&Progress) -> Result<Vec<Result<Natural, Error>>, Error>,
    ) -> Result<(), Failure> {
        let inputs: Vec<&Path> = elements.path().into_iter().chain(table).collect();
        let mut output = Output::open(&self.output, &inputs, self.force)?;
        let progress = Progress::new("powers", 0, !self.quiet);
        let powers = powers(&progress);
        progress.clear();
        let powers = pairs(powers?, lines)?;
        let powers = powers.map(|(power, &line)| match power {
            Ok(power) => Ok((line, power)),
            Err(error) => Err(elements.at(line, error.code(), &error)),
        });
        for (line, power) in powers.collect::<Result<Vec<_>, _>>()? {
            let text = match json::is_wanted() {
                true => Object::new().with("id", line).with("result", json::number(&power, false)).line(),
                false => print::number(&power, hexadecimal),
            };
            output.write(text.as_bytes())?;
        }
        output.finish()
    }
}
