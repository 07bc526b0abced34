//! Rows in, results out: streams of rows in constant memory, and jobs that are bigger than memory, computed in parts.
//!
//! A stream ([`stream`]) has a source of rows ([`records`]), a task ([`powers`], [`primality`], [`verdicts`]) and a sink of JSON Lines; it answers rows
//! as they come. A job may be killed at any moment and is resumed by the same request; its parts may run on the machines of a cluster.
//!
//! A job is a folder. `_plan.json` says what is computed, from which inputs, in which parts; it is sealed, and it names no kernel,
//! so that each machine plans for itself. A part is written under a temporary name, synced and renamed: a file under its final name is
//! whole. Each part names its plan and its number (Parquet in the footer, text in a separate record). `_manifest.json` comes last and
//! lists every file with its SHA-256.
//!
//! Input is Parquet, or CSV or JSON Lines, also packed by gzip or zstd, which are cut into Parquet in the folder `_input` first. Numbers
//! are unsigned bytes, most significant first, or text, decimal or hexadecimal behind 0x, or integers of 8 to 64 bits.
//!
//! ```
//! use pingala_rows::{Job, Request, Settings};
//! # let folder = std::env::temp_dir().join(format!("pingala-rows-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! let input = folder.join("rows.csv");
//! std::fs::write(&input, "id,base\na,2\nb,3\n")?;
//! let mut request = Request::default();
//! request.inputs = vec![input.display().to_string()];
//! request.output = folder.join("out");
//! request.base = Some("base".into());
//! request.exponent = Some("10".into());
//! request.modulus = Some("1000".into());
//! request.keep = vec!["id".into()];
//! request.format = "csv".parse()?;
//! request.decimal = true;
//! let job = Job::plan(&request, &Settings::default())?;
//! assert_eq!(job.run(&Settings::default())?.rows, 2);
//! assert_eq!(std::fs::read_to_string(folder.join("out/part-00000.csv"))?, "id,result,error\na,24,\nb,49,\n");
//! // All is there already.
//! assert_eq!(Job::plan(&request, &Settings::default())?.run(&Settings::default())?.computed_parts, 0);
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod argument;
mod binary;
mod checked;
mod compute;
mod error;
mod finish;
mod folder;
mod headers;
mod identity;
mod input;
mod job;
mod leaf;
mod meaning;
mod numbers;
mod output;
mod part;
mod plan;
pub mod powers;
mod prepare;
pub mod primality;
mod publish;
mod reading;
pub mod records;
mod sample;
mod seal;
mod settings;
mod stage;
pub mod stream;
mod table;
mod task;
pub mod text;
mod thrift;
pub mod verdicts;

pub use error::{Error, ErrorRows, Result, without_number};
pub use folder::Folder;
pub use job::{Hold, Job};
pub use numbers::of_twos_complement;
pub use powers::modulus;
pub use prepare::Preparing;
pub use reading::{Phase, Step, Steps};
pub use settings::{Measured, Settings, Status, Summary};
pub use task::{Binaries, Binary, Errors, Format, Meaning, Request, SCHEMES, Signatures, Workload};

/// The example of the package's page is compiled and run with those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
