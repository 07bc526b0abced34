use super::*;
use serde_json::json;

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
    arrow(&pingala_verify::base64(text).unwrap()).unwrap()
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
    ];
    let refused = [
        ("half", "holds floats, which lose digits of long numbers; expected bytes, text or integers"),
        ("date", "dates"),
        ("time", "times of day"),
        ("timestamp", "timestamps"),
        ("duration", "durations"),
        ("list", "lists"),
        ("struct", "structs"),
        ("map", "maps"),
        ("bool8", "has the extension type \"arrow.bool8\", whose storage is not its meaning: cast it"),
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
        assert_eq!(arrow(bytes), None, "{bytes:?}");
    }
    assert!((0..whole.len()).all(|end| arrow(&whole[..end]).is_none()));
    // As before version 0.15 of Arrow.
    assert_eq!(arrow(&whole[4..]), Some(said(PYARROW)));
    let started = std::time::Instant::now();
    for at in 0..whole.len() {
        for mask in [1, 0x80, 0xff] {
            let mut other = whole.clone();
            other[at] ^= mask;
            _ = arrow(&other);
        }
    }
    assert!(started.elapsed().as_secs() < 60);
    assert_eq!(arrow(&shared(2)).map(|fields| fields.len()), Some(2));
    let started = std::time::Instant::now();
    assert_eq!(arrow(&shared(20_000)), None);
    assert!(started.elapsed().as_secs() < 10);
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
