use super::*;
use parquet::file::metadata::KeyValue;
use parquet::schema::types::{ColumnPath, SchemaDescriptor, Type};
use serde_json::json;
use std::sync::Arc;

const PYARROW: &str = concat!(
    "/////wgIAAAQAAAAAAAKAAwABgAFAAgACgAAAAABBAAEAAAA2Pn//wQAAAAZAAAAqAcAAGAHAAAwBwAAAAcAANQGAACoBgAAfAYAAEwGAAAcBgAAzAUAAGAF",
    "AAA0BQAABAUAANgEAACsBAAAgAQAAEwEAAAcBAAA6AMAAIgDAAAsAwAAZAIAAKwBAACwAAAABAAAAHL+//8AAAEPFAAAAJQAAAAIAAAAFAAAAAAAAAAEAAAA",
    "dXVpZAAAAAACAAAAQAAAAAQAAAAo/v//GAAAAAQAAAAKAAAAYXJyb3cudXVpZAAAFAAAAEFSUk9XOmV4dGVuc2lvbjpuYW1lAAAAAGD+//8QAAAABAAAAAAA",
    "AAAAAAAAGAAAAEFSUk9XOmV4dGVuc2lvbjptZXRhZGF0YQAAAAB6+f//EAAAABr///8AAAECFAAAAMwAAAAIAAAAFAAAAAAAAAAGAAAAb3BhcXVlAAACAAAA",
    "RAAAAAQAAADQ/v//HAAAAAQAAAAMAAAAYXJyb3cub3BhcXVlAAAAABQAAABBUlJPVzpleHRlbnNpb246bmFtZQAAAAAM////PAAAAAQAAAAuAAAAeyJ0eXBl",
    "X25hbWUiOiJvZGRcdTAwMWIiLCJ2ZW5kb3JfbmFtZSI6InRoZW0ifQAAGAAAAEFSUk9XOmV4dGVuc2lvbjptZXRhZGF0YQAAAAAIAA4ACAAHAAgAAAAAAAAB",
    "QAAAAAAAEgAYAAgABgAHAAwAAAAQABQAEgAAAAAAAQIUAAAAnAAAAAgAAAAUAAAAAAAAAAUAAABib29sOAAAAAIAAABIAAAABAAAAMj///8YAAAABAAAAAsA",
    "AABhcnJvdy5ib29sOAAUAAAAQVJST1c6ZXh0ZW5zaW9uOm5hbWUAAAAACAAMAAQACAAIAAAAEAAAAAQAAAAAAAAAAAAAABgAAABBUlJPVzpleHRlbnNpb246",
    "bWV0YWRhdGEAAAAA4Pr//wAAAAEIAAAAIPv//wAAAREUAAAAGAAAAAQAAAABAAAAEAAAAAMAAABtYXAAgPv//6D///8AAAANGAAAACAAAAAEAAAAAgAAAFgA",
    "AAAUAAAABwAAAGVudHJpZXMAsPv//3j7//8AAAECEAAAABgAAAAEAAAAAAAAAAUAAAB2YWx1ZQAAAGj7//8AAAABQAAAABAAFAAIAAAABwAMAAAAEAAQAAAA",
    "AAAAAhAAAAAUAAAABAAAAAAAAAADAAAAa2V5AKT7//8AAAABQAAAAOT7//8AAAENFAAAABwAAAAEAAAAAQAAABQAAAAGAAAAc3RydWN0AABI/P//EPz//wAA",
    "AQIQAAAAFAAAAAQAAAAAAAAAAQAAAGEAAAD8+///AAAAAUAAAAA8/P//AAABDBQAAAAcAAAABAAAAAEAAAAUAAAABAAAAGxpc3QAAAAAoPz//2j8//8AAAEC",
    "EAAAABgAAAAEAAAAAAAAAAQAAABpdGVtAAAAAFj8//8AAAABQAAAAJj8//8AAAESEAAAABwAAAAEAAAAAAAAAAgAAABkdXJhdGlvbgAAAACq////AAAAAMj8",
    "//8AAAEKEAAAABwAAAAEAAAAAAAAAAkAAAB0aW1lc3RhbXAAAAAs/f//9Pz//wAAAQkQAAAAHAAAAAQAAAAAAAAABAAAAHRpbWUAAAYACAAGAAYAAAAAAAAA",
    "JP3//wAAAQgQAAAAGAAAAAQAAAAAAAAABAAAAGRhdGUAAAAAhP3//0z9//8AAAEDEAAAABgAAAAEAAAAAAAAAAQAAABoYWxmAAAAAKz9//90/f//AAABARAA",
    "AAAYAAAABAAAAAAAAAAEAAAAbnVsbAAAAADU/f//nP3//wAAAQcQAAAAGAAAAAQAAAAAAAAABwAAAGRlY2ltYWwAzv3//wUAAADI/f//AAABBhAAAAAYAAAA",
    "BAAAAAAAAAAEAAAAYm9vbAAAAAAo/v//qP///wAAAQIUAAAAQAAAACAAAAAEAAAAAAAAAAQAAABpbnRzAAAAAAgAEAAIAAQACAAAAAwAAAABAAAAAAAAAPz9",
    "//8AAAABIAAAAAj+//8AAAABQAAAABAAGAAIAAYABwAMABAAFAAQAAAAAAABBRQAAAA8AAAAJAAAAAQAAAAAAAAACgAAAGRpY3Rpb25hcnkAAAgACAAAAAQA",
    "CAAAAAQAAABg/v//AAAAASAAAADc/v//pP7//wAAARgQAAAAHAAAAAQAAAAAAAAACQAAAHRleHQgdmlldwAAAAj////Q/v//AAABFBAAAAAcAAAABAAAAAAA",
    "AAAKAAAAbGFyZ2UgdGV4dAAANP////z+//8AAAEFEAAAABgAAAAEAAAAAAAAAAQAAAB0ZXh0AAAAAFz///8k////AAABFxAAAAAYAAAABAAAAAAAAAAEAAAA",
    "dmlldwAAAACE////TP///wAAARMQAAAAGAAAAAQAAAAAAAAABQAAAGxhcmdlAAAArP///3T///8AAAEPEAAAABgAAAAEAAAAAAAAAAUAAABmaXhlZAAAAKb/",
    "//8BAAAAoP///wAAAQQQAAAAHAAAAAQAAAAAAAAABgAAAGJpbmFyeQAABAAEAAQAAADM////AAABAhAAAAAgAAAABAAAAAAAAAAGAAAAdWludDY0AAAAAAYA",
    "CAAEAAYAAABAAAAAEAAUAAgABgAHAAwAAAAQABAAAAAAAAECEAAAACAAAAAEAAAAAAAAAAQAAABpbnQ4AAAAAAgADAAIAAcACAAAAAAAAAEIAAAA",
);

const POLARS: &str = concat!(
    "/////9oAAAAEAAAA8v///xQAAAAEAAEAAAAKAAsACAAKAAQA+P///wwAAAAIAAgAAAAEAAMAAABoAAAANAAAAAQAAACQ////IAAAABAAAAAIAAAAARIAAAAA",
    "AAD6////AgAGAAYABAABAAAAZAAAALz///8kAAAAEAAAAAgAAAABAgAAAAAAAPb///+AAAAAAAAGAAgABAABAAAAdQAAAOz///84AAAAIAAAABgAAAABAgAA",
    "EAASAAQAEAARAAgAAAAMAAAAAAD0////gAAAAAEAAAAIAAkABAAIAAEAAABpAA==",
);

fn said(text: &str) -> Vec<(String, Said)> {
    arrow(&pingala_verify::base64(text).unwrap(), "").unwrap()
}

/// Of pyarrow 26: classes, or what the message says.
#[test]
fn every_type_of_arrow_is_a_class_or_refused_by_name() {
    let classes = [
        ("int8", Class::Integers),
        ("uint64", Class::Integers),
        ("binary", Class::Bytes),
        ("fixed", Class::Bytes),
        ("large", Class::Bytes),
        ("view", Class::Bytes),
        ("text", Class::Text),
        ("large text", Class::Text),
        ("text view", Class::Text),
        ("dictionary", Class::Text),
        ("ints", Class::Integers),
        ("bool", Class::Truths),
        ("decimal", Class::Decimals),
        ("null", Class::Nulls),
        ("half", Class::Floats),
    ];
    let refused = [
        ("date", "dates"),
        ("time", "times of day"),
        ("timestamp", "timestamps"),
        ("duration", "durations"),
        ("list", "lists"),
        ("struct", "structs"),
        ("map", "maps"),
        (
            "bool8",
            "has the extension type \"arrow.bool8\", whose storage is not its meaning: in the program that made it, cast it",
        ),
        ("opaque", "\"arrow.opaque\" (\"{\"type_name\":\"odd\\u001b"),
        ("uuid", "arrow.uuid"),
    ];
    let found = said(PYARROW);
    assert_eq!(found.len(), classes.len() + refused.len());
    let (classed, others) = found.split_at(classes.len());
    assert!(
        classed.iter().map(|(name, said)| (&**name, said.clone())).eq(classes.map(|(name, of)| (name, Said::Is(of))))
    );
    for ((name, said), (wanted, why)) in others.iter().zip(refused) {
        let Said::Refused(told) = said else { panic!("{name} {said:?}") };
        assert!(name == wanted && told.contains(why), "{name}: {told}");
    }
}

#[test]
fn integers_of_polars_with_128_bits_are_refused() {
    let refused = |what: &str| Said::Refused(holds(what));
    let wanted = ["integers of 128 bits", "integers of 128 bits", "durations"].map(refused);
    assert_eq!(said(POLARS).into_iter().map(|(_, said)| said).collect::<Vec<_>>(), wanted);
}

/// Damage is no schema or another one, never a panic, and never more work than its length allows.
#[test]
fn damage_is_bounded() {
    let whole = pingala_verify::base64(PYARROW).unwrap();
    for bytes in [&[][..], &[0], &[0xff; 4], &[0xff; 8], &[0; 8], &[0; 100], &whole[8..]] {
        assert_eq!(arrow(bytes, ""), None, "{bytes:?}");
    }
    assert!((0..whole.len()).all(|end| arrow(&whole[..end], "").is_none()));
    // As before version 0.15 of Arrow.
    assert_eq!(arrow(&whole[4..], ""), Some(said(PYARROW)));
    for at in 0..whole.len() {
        for mask in [1, 0x80, 0xff] {
            let mut other = whole.clone();
            other[at] ^= mask;
            _ = arrow(&other, "");
        }
    }
    assert_eq!(arrow(&shared(2), "").map(|fields| fields.len()), Some(2));
    // Whoever read all of it would have a schema of as many fields.
    assert_eq!(arrow(&shared(20_000), ""), None);
}

/// A message whose fields are one field, `count` times, and whose metadata are one pair, `count` times.
fn shared(count: u32) -> Vec<u8> {
    let mut message: Vec<u8> = Vec::new();
    // A table at 16 with the fields 1 and 2, a schema at 36 with the field 1: the list at 44.
    let words = [16, 10 | 12 << 16, 4 << 16, 8, 12, 1, 12, 8 | 8 << 16, 4 << 16, 8, 4];
    message.extend(words.iter().flat_map(|word: &u32| word.to_le_bytes()));
    // A list of offsets to what follows `more` bytes behind it.
    let list = |message: &mut Vec<u8>, more: u32| {
        message.extend(count.to_le_bytes());
        message.extend((0..count).rev().flat_map(|left| (4 * (left + 1) + more).to_le_bytes()));
    };
    list(&mut message, 20);
    // The field has only metadata, at its place 6.
    message.extend([18u16, 8, 0, 0, 0, 0, 0, 0, 4, 0].iter().flat_map(|entry| entry.to_le_bytes()));
    message.extend([20u32, 4].iter().flat_map(|word| word.to_le_bytes()));
    list(&mut message, 4);
    message.extend([4 | 4 << 16, 4u32].iter().flat_map(|word| word.to_le_bytes()));
    [&(message.len() as u32).to_le_bytes()[..], &message].concat()
}

#[test]
fn notes_of_writers_refuse_columns() {
    let names = |found: Vec<(String, String)>| {
        found.into_iter().map(|(name, what)| format!("{name}: {what}")).collect::<Vec<_>>()
    };
    let note = json!({"version": "1.0.0", "columns": {"b": {"encoding": "WKB"}, "c": {}}});
    assert_eq!(names(geometries(&note)), ["b: geometries", "c: geometries"]);
    let column = |name: &str, numpy: &str| json!({"field_name": name, "numpy_type": numpy, "pandas_type": "object"});
    let note = json!({"columns": [column("b", "timedelta64[ns]"), column("i", "int64"), column("p", "period[M]"), 5]});
    assert_eq!(names(of_pandas(&note)), ["b: durations", "p: periods of pandas"]);
    let field = |name: &str, kind: Value| json!({"name": name, "type": kind, "nullable": true, "metadata": {}});
    let note = json!({"type": "struct", "fields": [
        field("b", "interval day to second".into()), field("i", "long".into()), field("s", "string".into()),
        field("d", "decimal(38,0)".into()), field("u", json!({"type": "udt", "class": "org.X", "sqlType": "long"})),
        field("a", json!({"type": "array", "elementType": "long"})),
    ]});
    assert_eq!(names(of_spark(&note)), ["b: intervals", "u: values of a user-defined type of Spark, \"org.X\""]);
    let big = json!({"type": "bytes", "logicalType": "big-decimal"});
    let note = json!({"type": "record", "name": "r", "fields": [
        field("b", json!(["null", big])), field("c", big), field("i", "long".into()), field("n", json!(["null", "long"])),
        field("d", json!({"type": "bytes", "logicalType": "decimal", "precision": 9})),
    ]});
    let what = "values of a logical type of Avro, \"big-decimal\"";
    assert_eq!(names(of_avro(&note)), [format!("b: {what}"), format!("c: {what}")]);
    // Notes of other shapes say nothing.
    for note in
        [json!(5), json!("Europe"), json!({"columns": 5, "fields": {"a": 1}}), json!([1]), json!({"fields": [5, {}]})]
    {
        for read in [geometries, of_pandas, of_spark, of_avro] {
            assert_eq!(read(&note), [], "{note}");
        }
    }
}

/// What the footer says with these keys.
fn of_keys(keys: &[(&str, &str)]) -> Result<HashMap<String, Said>, String> {
    let pairs = keys.iter().map(|(key, value)| KeyValue::new(key.to_string(), value.to_string())).collect();
    let schema = Arc::new(SchemaDescriptor::new(Arc::new(Type::group_type_builder("schema").build().unwrap())));
    of_footer(&FileMetaData::new(1, 0, None, Some(pairs), schema, None))
}

/// A note of pandas about a frame that was cast before it was written does not override Arrow's schema; that of GeoParquet does, because
/// Arrow has no type for what it says.
#[test]
fn arrow_knows_its_columns_better_than_pandas() {
    let column = |name: &str| json!({"field_name": name, "numpy_type": "timedelta64[ns]"});
    let note = json!({"columns": [column("int8"), column("else")]}).to_string();
    let said = of_keys(&[("pandas", &note), ("ARROW:schema", PYARROW)]).unwrap();
    assert_eq!(said["int8"], Said::Is(Class::Integers));
    assert_eq!(of_keys(&[("pandas", &note)]).unwrap()["int8"], Said::Refused(holds("durations")));
    let note = json!({"columns": {"binary": {}}}).to_string();
    let said = of_keys(&[("geo", &note), ("ARROW:schema", PYARROW)]).unwrap();
    assert_eq!(said["binary"], Said::Refused(holds("geometries")));
}

/// A note that cannot be read may refuse a column: the file is refused.
#[test]
fn notes_that_are_no_json_are_refused_by_name() {
    let text = r#"{"columns": [{"field_name": "b", "numpy_type": "timedelta64[ns]"}], "x": NaN}"#;
    for key in ["geo", "pandas", "org.apache.spark.sql.parquet.row.metadata", "parquet.avro.schema"] {
        let why = of_keys(&[(key, text)]).unwrap_err();
        assert!(why.starts_with(&format!("its key {key} ")) && why.contains("no JSON"), "{why}");
    }
    assert!(of_keys(&[("ARROW:schema", PYARROW), ("pandas", text)]).is_ok());
    assert!(of_keys(&[("other", text)]).unwrap().is_empty());
}

/// Many offsets to one table are kept as many tables: memory is bounded by the length, as work is.
#[test]
fn what_is_kept_is_bounded() {
    let many = shared(1 << 16);
    let message = &many[4..];
    let left = Cell::new(16 * message.len() + 1024);
    let root = Table { bytes: message, at: 0, left: &left }.follow(0).unwrap();
    let list = root.table(2).unwrap().unwrap();
    let before = left.get();
    let kept = list.tables(1).unwrap().len();
    assert_eq!(kept, 1 << 16);
    assert!(before - left.get() >= kept * size_of::<Table<'_>>(), "{} of {before}", left.get());
}

#[test]
fn classes_fit_the_types_that_store_them() {
    let column = |physical| {
        let column = Type::primitive_type_builder("x", physical).with_length(2).build().unwrap();
        ColumnDescriptor::new(Arc::new(column), 0, 0, ColumnPath::new(vec!["x".into()]))
    };
    let types = [Physical::FLOAT, Physical::DOUBLE, Physical::BOOLEAN, Physical::INT64, Physical::BYTE_ARRAY];
    for (class, fit) in [
        (Class::Floats, [true, true, false, false, false]),
        (Class::Truths, [false, false, true, false, false]),
        (Class::Integers, [false, false, false, true, false]),
        (Class::Bytes, [false, false, false, false, true]),
        (Class::Text, [false; 5]),
    ] {
        assert_eq!(types.map(|physical| class.fits(&column(physical))), fit, "{class:?}");
    }
    // Half floats without their logical type would be read as bytes.
    assert!(!Class::Floats.fits(&column(Physical::FIXED_LEN_BYTE_ARRAY)));
}
