use super::*;

#[test]
fn files_aside_have_names_that_nobody_else_gives() {
    for (name, is_ours) in [
        (".part-00000.parquet.12-0.partial", true),
        (".part-00000.csv.1-10.partial", true),
        ("._part-00000.csv.json.1-10.partial", true),
        (".text-00012.parquet.7-3.partial", true),
        ("._plan.json.7-3.partial", true),
        ("._manifest.json.7-3.partial", true),
        (".notes.v1.partial", false),
        (".notes.7-3.partial", false),
        (".part-x.parquet.7-3.partial", false),
        (".part-00000.parquet.7.partial", false),
        (".part-00000.parquet.7-.partial", false),
        ("part-00000.parquet.7-3.partial", false),
        (".part-00000.parquet.7-3.part", false),
        (".partial", false),
    ] {
        assert_eq!(is_partial(name), is_ours, "{name}");
    }
}
