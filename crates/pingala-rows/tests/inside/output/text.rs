use super::*;
use crate::leaf::Chunk;

fn shown(leaf: &Leaf, kind: Kind, format: Format) -> Result<Vec<String>> {
    let fields = fields(leaf, &("x".into(), kind), format)?;
    let shown = |field| match field {
        Field::Null => "null".to_string(),
        Field::Text(text) => format!("'{text}'"),
        Field::Plain(text) => text,
    };
    Ok(fields.into_iter().map(shown).collect())
}

/// Floats are kept in the shortest form that reads as the same float; JSON has no NaN and no infinity.
#[test]
fn floats_are_kept() {
    let values = [1.0, 0.1, -0.0, 1e300, 5e-324, f64::MAX, 1.0 / 3.0];
    let leaf = Leaf::Double(Chunk::of(values.iter().map(|&value| Some(value)).chain([None])));
    for format in [Format::Csv, Format::Jsonl] {
        let shown = shown(&leaf, Kind::Bytes, format).unwrap();
        assert_eq!(shown[..5], ["1.0", "0.1", "-0.0", "1e300", "5e-324"]);
        assert_eq!(shown[7], "null");
        for (text, value) in shown.iter().zip(values) {
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), value.to_bits());
            assert!(serde_json::from_str::<f64>(text).is_ok(), "{text}");
        }
    }
    assert_eq!(shown(&Leaf::Float(Chunk::of([Some(0.1)].into_iter())), Kind::Bytes, Format::Jsonl).unwrap(), ["0.1"]);
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let leaf = Leaf::Double(Chunk::of([Some(value)].into_iter()));
        let error = shown(&leaf, Kind::Bytes, Format::Jsonl).unwrap_err().to_string();
        assert!(error.contains("column x has NaN or infinity"), "{error}");
        assert_eq!(shown(&leaf, Kind::Bytes, Format::Csv).unwrap(), [format!("{value:?}")]);
    }
}

/// Decimals without a fraction are numbers, however they are stored.
#[test]
fn decimals_are_kept_as_numbers() {
    let leaf = Leaf::Bytes(Chunk::of([Some(vec![0xff, 0].into()), Some(vec![1, 0].into())].into_iter()));
    assert_eq!(shown(&leaf, Kind::Twos, Format::Csv).unwrap(), ["-256", "256"]);
    assert_eq!(shown(&leaf, Kind::Bytes, Format::Csv).unwrap(), ["'0xff00'", "'0x0100'"]);
}
