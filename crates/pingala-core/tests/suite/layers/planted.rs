//! The test of the test: violations of each rule that are planted.

use super::*;

/// Every rule catches what is planted against it, and passes what only looks like it.
#[test]
fn planted_violations_are_caught() {
    let file = |path: &str, text: &str| Source { path: format!("crates/pingala-core/src/{path}"), text: text.into() };
    let lib = || file("lib.rs", "pub use natural::{Natural, Integer}; pub use exponent::SecretExponent;");
    let bad = [
        ("natural/x.rs", "use crate::modulus::Facts;"),
        ("natural/x.rs", "fn f() { crate::kernel::portable::mul() }"),
        ("natural/x.rs", "macro_rules! m { () => { $crate::engine::plan::f() } }"),
        ("exponent/x.rs", "use crate::{Error, algorithm::Monoid};"),
        ("exponent/deep/x.rs", "use super::super::super::algorithm::Monoid;"),
        ("exponent/mod.rs", "mod inner { use super::super::algorithm::Monoid; } use self::inner::x;"),
        ("algorithm/x.rs", "use crate::natural::limbs;"),
        ("algorithm/x.rs", "use crate::Natural as N;"),
        ("algorithm/mod.rs", "use super::kernel::Ring;"),
        ("kernel/x.rs", "use crate::exponent::Recoding;"),
        ("kernel/x.rs", "use crate::SecretExponent;"),
        ("kernel/x.rs", "use crate::exponent::{SecretDigit, Windows};"),
        ("engine/plan/x.rs", "use crate::kernel::portable::mont_mul;"),
        ("engine/plan/x.rs", "use crate::natural::word::Word;"),
        ("engine/plan/x.rs", "use crate::engine::execute::run;"),
        ("engine/execute/x.rs", "use crate::work::list::run;"),
        ("work/list/plan.rs", "use crate::natural::Natural;"),
        ("work/list/one_base_plan.rs", "use super::run;"),
        ("table/x.rs", "use crate::engine::plan::Plan;"),
        ("attic/x.rs", "// a room without a row"),
        ("modulus/x.rs", "#[cfg(test)] mod tests { use crate::kernel::x; } use crate::algorithm::Monoid;"),
        ("modulus/x.rs", "#[cfg(test)] mod tests; use crate::algorithm::Monoid;"),
    ];
    for (path, text) in bad {
        let complaints = layering(&[lib(), file(path, text)]);
        // `Error` is no re-export of the planted lib.rs, so its use is a second complaint there.
        let wanted = if text.contains("Error") { 2 } else { 1 };
        assert_eq!(complaints.len(), wanted, "{path}: {text}: {complaints:?}");
    }
    let good = [
        ("natural/x.rs", "// use crate::modulus::Facts;\n/* /* */ crate::kernel::x */ use super::word::Word;"),
        ("natural/x.rs", "const S: &str = \"use \\\"crate::kernel::x\"; const C: char = '\"'; use self::y;"),
        ("natural/x.rs", "const R: &str = r#\"crate::engine::plan::x \" \"#; const C: char = '\\''; use super::word;"),
        ("exponent/x.rs", "use crate::error::Error; use crate::Natural; fn f<'a>(x: &'a str) {}"),
        ("kernel/x.rs", "use crate::exponent::SecretDigit; pub(crate) fn f() {} pub(in crate::kernel) fn g() {}"),
        ("kernel/x.rs", "#[cfg(test)]\n#[allow(dead_code)]\nmod tests { use crate::algorithm::x; fn f() { { } } }"),
        ("kernel/tests.rs", "use crate::engine::execute::run;"),
        ("engine/plan/x.rs", "use crate::{kernel::registry::{self, Descriptor}, algorithm::catalogue};"),
        ("engine/execute/x.rs", "use crate::{kernel::*, engine::plan::Plan};"),
        ("work/list/plan.rs", "use crate::engine::plan::Plan; use crate::work::words::plan::Words;"),
        ("work/list/run.rs", "use super::plan::Forced; use crate::natural::Natural;"),
    ];
    for (path, text) in good {
        none(layering(&[lib(), file(path, text)]));
    }

    assert_eq!(order(&[("low", &["high"]), ("high", &["low"])]).len(), 1);
    let circle = |first: &str, second: &str| {
        let modules = [("kernel/mod.rs", "pub use row::Row; pub use table::Table;"), ("kernel/row/mod.rs", first)];
        circles(&[modules[0], modules[1], ("kernel/table.rs", second)].map(|(path, text)| file(path, text))).len()
    };
    assert_eq!(circle("use super::table::Table; mod x;", "use super::row::Row;"), 0, "a folder without a second file");
    let with_folder = |first: &str, second: &str| {
        let files = [("kernel/mod.rs", "pub use row::ring::Row; pub use table::Table;"), ("kernel/row/mod.rs", "")];
        let more = [("kernel/row/ring.rs", first), ("kernel/table.rs", second)];
        circles(&files.into_iter().chain(more).map(|(path, text)| file(path, text)).collect::<Vec<_>>()).len()
    };
    assert_eq!(with_folder("use crate::kernel::Table;", "use super::Row;"), 2, "a circle through names passed on");
    assert_eq!(with_folder("use crate::kernel::Table;", "struct Table;"), 0);
    assert_eq!(with_folder("struct Row;", "use super::row::ring::Row;"), 0);

    let sizes = |list: &str| -> Vec<usize> {
        let files = [("algorithm/mod.rs", list), ("algorithm/a.rs", "use super::M;"), ("algorithm/m.rs", "struct M;")];
        whole_circles(&files.map(|(path, text)| file(path, text))).iter().map(|circle| circle.len()).collect()
    };
    assert!(sizes("mod a; mod m; pub use a::A; pub use m::M;").is_empty());
    assert_eq!(sizes("mod a; pub use a::A; pub struct M;"), [2], "it defines something beside its list");
    assert_eq!(sizes("mod a; pub struct M; fn f() { a::f() }"), [2], "what it calls by the name of the submodule");

    assert_eq!(dangerous_words(&[file("plan/x.rs", "fn f() { unsafe { g() } }")]).len(), 1);
    assert_eq!(dangerous_words(&[file("kernel/x.rs", "if is_x86_feature_detected!(\"adx\") {}")]).len(), 1);
    none(dangerous_words(&[
        file("kernel/x.rs", "unsafe { g() }"),
        file("plan/x.rs", "#![deny(unsafe_code)] // unsafe"),
    ]));
    none(dangerous_words(&[file("kernel/cpu/of_process.rs", "is_x86_feature_detected!(\"adx\")")]));

    let with = |path: &str, text: &str| {
        let listed =
            [file("algorithm/sliding_window.rs", ""), file("algorithm/catalogue.rs", "use super::SlidingWindow;")];
        names_in_their_place(&listed.into_iter().chain([file(path, text)]).collect::<Vec<_>>())
    };
    none(with("kernel/x.rs", "fn f() {} // sliding_window\n"));
    assert_eq!(with("algorithm/montgomery_ladder.rs", "").len(), 1);
    assert_eq!(with("algorithm/power_product/straus.rs", "").len(), 1);
    assert_eq!(with("kernel/x.rs", "fn sliding_window() {}").len(), 1);
    assert_eq!(with("kernel/x.rs", "struct SlidingWindow;").len(), 1);
    assert_eq!(with("work/mod.rs", "pub fn f(window_bits: u32) {}").len(), 1);

    assert_eq!(
        choices_in_their_place(&[file("engine/execute/x.rs", "use crate::engine::plan::{Plan, Planner};")]).len(),
        1
    );
    assert_eq!(choices_in_their_place(&[file("kernel/x.rs", "fn f() { cpu::is_of(\"Z\", 80) }")]).len(), 1);
    assert_eq!(
        choices_in_their_place(&[file("engine/execute/measure.rs", "")]).len(),
        1,
        "an exception that is not needed"
    );
    none(choices_in_their_place(&[
        file("engine/execute/measure.rs", "fn f() -> FormPrice {}"),
        file("engine/plan/x.rs", "struct Planner;"),
        file("work/list/run.rs", "// Planner\n#[cfg(test)]\nmod tests { use crate::engine::plan::Planner; }"),
    ]));
    let lengths_of =
        |text: &str| thresholds_in_their_place(&[file("kernel/x.rs", text)], &[("kernel/x.rs", &["ROWS"])]).len();
    assert_eq!(lengths_of("const ROWS: usize = 8;"), 0);
    assert_eq!(lengths_of("const ROWS: usize = 8; pub(super) const LEAF: usize = 24;"), 1);
    assert_eq!(lengths_of(""), 1, "a constant that is not there");
    let executed = |text: &str| thresholds_in_their_place(&[file("engine/execute/x.rs", text)], &[]).len();
    assert_eq!(executed("fn f(n: usize) -> bool { n <= 1_000 || n > 90 || n < 40 || n << 12 == 0 || n > 64 }"), 3);
    assert_eq!(executed("const LONGEST: usize = 90;"), 1);
    let named = |path: &str, text: &str| kernels_in_their_place(&[file(path, text)], &["mulx_r64"]).len();
    assert_eq!(named("execute/x.rs", "if form.kernel.entry().name == \"mulx_r64\" {}"), 1);
    assert_eq!(named("kernel/registry.rs", "name: \"mulx_r64\","), 0);
    assert_eq!(named("plan/x.rs", "/// `mulx_r64`\n#[cfg(test)]\nmod tests { const X: &str = \"mulx_r64\"; }"), 0);

    assert_eq!(lengths(&[file("plan/x.rs", &"\n".repeat(MAX_LINES[0].1 + 1)), file("plan/y.rs", "")]).len(), 1);
    let here = concat!("/tm", "p/");
    assert_eq!(
        machine_paths(&[file("x.rs", &format!("cd {here}x")), file("y.rs", &format!("target{here}x"))]).len(),
        1
    );
    let manifest = |text: &str| Source { path: "crates/x/Cargo.toml".into(), text: text.into() };
    let depends = |text: &str| dependencies_in_their_place(&[manifest(text)], &[("crates/x", &["pingala"], &[])]).len();
    assert_eq!(depends("[dependencies]\npingala = { workspace = true }\n[dev-dependencies]\nnum-bigint = \"0.4\""), 0);
    assert_eq!(depends("[dependencies]\npingala.workspace = true\nnum-bigint = \"0.4\""), 1);
    assert_eq!(depends("[dependencies]\nzeroize = \"1\""), 1, "a crate of the row that is not used");
    assert_eq!(depends("[target.'cfg(unix)'.dependencies]\npingala = \"1\"\npingala-rows = \"1\""), 1);
    assert_eq!(dependencies_in_their_place(&[manifest("")], &[]).len(), 1, "a crate without a row");
    assert_eq!(order_of_crates(&[("crates/a", &["b"], &[]), ("crates/b", &["a"], &[])]).len(), 1);
    let import =
        |path: &str, text: &str| imports_in_their_place(&[Source { path: path.into(), text: text.into() }]).len();
    let forbidden = [
        ("go/words.go", "import \"C\"\n"),
        ("go/words.go", "import (\n\t\"math/big\"\n\t\"golang.org/x/sys/cpu\"\n)\n"),
        ("go/multiexp/x.go", "import \"example.org/pingala/internal/abi\""),
        ("java/pingala/src/main/X.java", "import static com.google.Y;"),
        ("js/src/x.js", "import { a } from 'lodash';"),
        ("python/pingala/_answers.py", "    import polars as pl"),
        ("tcl/x.c", "#include <gmp.h>"),
    ];
    for (path, text) in forbidden {
        assert_eq!(import(path, text), 1, "{path}: {text}");
    }
    let allowed = [
        ("go/internal/abi/cgo.go", "import \"C\"\n"),
        ("go/words_test.go", "import \"example.com/other\""),
        ("java/pingala-spark/src/main/X.scala", "import org.apache.spark.sql.types._"),
        ("js/src/x.js", "import { a } from './b.js'; const c = require('node:fs');"),
        ("python/pingala/polars.py", "import polars as pl\nfrom ._answers import Answers"),
        ("python/tests/x.py", "import gmpy2"),
    ];
    for (path, text) in allowed {
        assert_eq!(import(path, text), 0, "{path}: {text}");
    }
}
