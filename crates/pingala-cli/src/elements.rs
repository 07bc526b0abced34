//! Files with one element a line, and where their results go.

use crate::failure::Failure;
use crate::number::{self, Field};
use crate::output::Output;
use crate::progress::Progress;
use crate::settings;
use clap::Args;
use pingala::{Error, Integer, Limits, Natural};
use pingala_rows::exactly;
use pingala_rows::stream::Input;
use pingala_rows::text::lines::{Found, Lines};
use std::io;
use std::path::{Path, PathBuf};

/// Where the elements are.
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
    /// Hands every line that is not blank to `take`; its complaint gets the line's number. Returns the numbers of those lines.
    pub(crate) fn read(&self, mut take: impl FnMut(&str) -> Result<(), Error>) -> Result<Vec<u64>, Failure> {
        let Self { file, max_line_bytes } = self;
        let failed = |error: &io::Error| Failure::of_file("read", file, error);
        let stream = Input::open(file)?.stream;
        let (mut lines, mut numbers) =
            (Lines::new(stream, usize::try_from(*max_line_bytes).unwrap_or(usize::MAX)), Vec::new());
        loop {
            let found = lines.read(|| {}).map_err(|error| failed(&error))?;
            let complain = |why: &dyn std::fmt::Display| self.at(lines.number(), why);
            match found {
                Found::End => return Ok(numbers),
                Found::TooLong => return Err(complain(&format_args!("longer than {max_line_bytes} bytes"))),
                Found::Line => {}
            }
            let text = std::str::from_utf8(lines.text()).map_err(|_| complain(&"not text"))?.trim();
            if !text.is_empty() {
                take(text).map_err(|error| complain(&error))?;
                numbers.push(lines.number());
            }
        }
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

    /// What is wrong with a line.
    pub(crate) fn at(&self, line: u64, why: &dyn std::fmt::Display) -> Failure {
        Failure::Failed(format!("{}, line {line}: {why}", self.file.display()))
    }

    /// The file, where it is not standard input.
    fn path(&self) -> Option<&Path> {
        Some(self.file.as_path()).filter(|path| path.as_os_str() != "-")
    }
}

/// Where the results go.
#[derive(Args, Clone, Debug)]
pub(crate) struct Results {
    /// Where the results go (default: standard output)
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
    /// Has the powers of some elements made, and writes them in order, or says at which of the `lines` one of them fails. `table`
    /// is another file that is read.
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
        let powers = exactly(powers?, lines)?;
        let powers = powers.map(|(power, &line)| power.map_err(|error| elements.at(line, &error)));
        for power in powers.collect::<Result<Vec<_>, _>>()? {
            let line = if hexadecimal { format!("{power:#x}\n") } else { format!("{power}\n") };
            output.write(line.as_bytes())?;
        }
        output.finish()
    }
}
