use super::*;

#[test]
fn cells_are_integers() {
    let read = |cell| integer(cell, "base", 64, false).map(|value| value.to_string());
    let read_hexadecimal = |cell| integer(cell, "base", 64, true).map(|value| value.to_string());
    assert_eq!(read(Cell::Bytes(&[0, 0, 1, 0])).unwrap(), "256");
    assert_eq!(read(Cell::Bytes(&[])).unwrap(), "0");
    assert_eq!(read(Cell::Text(b" -0x10 ")).unwrap(), "-16");
    assert_eq!(read_hexadecimal(Cell::Text(b" -10")).unwrap(), "-16");
    assert_eq!(read_hexadecimal(Cell::Text(b"0xff")).unwrap(), "255");
    assert_eq!(read_hexadecimal(Cell::Text(b"1e5")).unwrap(), "485");
    assert_eq!(read(Cell::Signed(i64::MIN)).unwrap(), "-9223372036854775808");
    assert_eq!(read(Cell::Unsigned(u64::MAX)).unwrap(), "18446744073709551615");
    assert_eq!(read(Cell::Twos(&[0xff, 0x00])).unwrap(), "-256");
    assert_eq!(read(Cell::Twos(&[0x80])).unwrap(), "-128");
    assert_eq!(read(Cell::Twos(&[0x7f, 0xff])).unwrap(), "32767");
    assert_eq!(read(Cell::TwosLittle(&[0x00, 0xff])).unwrap(), "-256");
    assert_eq!(read(Cell::TwosLittle(&[0xff, 0x7f])).unwrap(), "32767");
    assert_eq!(read(Cell::TwosLittle(&[0, 0, 0x80])).unwrap(), "-8388608");
    assert_eq!(read(Cell::Little(&[0, 1, 0, 0])).unwrap(), "256");
    assert_eq!(read(Cell::Little(&[0xff; 2])).unwrap(), "65535");
    for empty in [Cell::Little(&[]), Cell::Twos(&[]), Cell::TwosLittle(&[])] {
        assert_eq!(read(empty).unwrap(), "0");
    }
    assert_eq!(read(Cell::Little(&[1; 9])).unwrap_err().code(), "too_long");
    assert_eq!(read(Cell::Bytes(&[1; 9])).unwrap_err().code(), "too_long");
    assert_eq!(read(Cell::Text(b"1.5")).unwrap_err().code(), "not_a_number");
    assert_eq!(read(Cell::Text(&[0xff])).unwrap_err().code(), "not_a_number");
}

/// Each annotation decides alike as a logical type and as the converted type of old writers.
#[test]
fn annotations_decide_the_kind() {
    use parquet::basic::{DecimalType, TimeType, TimeUnit};
    use parquet::schema::types::{ColumnPath, Type};
    use std::sync::Arc;
    let read = |physical, length, logical: Option<Logical>, converted| {
        let column = Type::primitive_type_builder("b", physical).with_length(length).with_scale(0).with_precision(9);
        let column = column.with_logical_type(logical).with_converted_type(converted).build().unwrap();
        kind(&ColumnDescriptor::new(Arc::new(column), 0, 0, ColumnPath::new(vec!["b".into()])))
            .map_err(|error| error.to_string())
    };
    let int = |bits, signed| Some(Logical::integer(bits, signed));
    let (word, long, bytes, fixed) =
        (Physical::INT32, Physical::INT64, Physical::BYTE_ARRAY, Physical::FIXED_LEN_BYTE_ARRAY);
    let decimal = || Some(Logical::Decimal(DecimalType { scale: 0, precision: 9 }));
    for (physical, logical, converted, wanted) in [
        (word, None, Converted::NONE, Kind::Signed),
        (long, None, Converted::NONE, Kind::Signed),
        (bytes, None, Converted::NONE, Kind::Bytes),
        (fixed, None, Converted::NONE, Kind::Bytes),
        (word, int(8, true), Converted::INT_8, Kind::Signed),
        (word, int(16, true), Converted::INT_16, Kind::Signed),
        (word, int(32, true), Converted::INT_32, Kind::Signed),
        (long, int(64, true), Converted::INT_64, Kind::Signed),
        (word, int(8, false), Converted::UINT_8, Kind::Unsigned),
        (word, int(16, false), Converted::UINT_16, Kind::Unsigned),
        (word, int(32, false), Converted::UINT_32, Kind::Unsigned),
        (long, int(64, false), Converted::UINT_64, Kind::Unsigned),
        (word, decimal(), Converted::DECIMAL, Kind::Signed),
        (long, decimal(), Converted::DECIMAL, Kind::Signed),
        (bytes, decimal(), Converted::DECIMAL, Kind::Twos),
        (fixed, decimal(), Converted::DECIMAL, Kind::Twos),
        (bytes, Some(Logical::String), Converted::UTF8, Kind::Text),
        (bytes, Some(Logical::Enum), Converted::ENUM, Kind::Text),
    ] {
        assert_eq!(read(physical, 8, None, converted), Ok(wanted), "{physical} {converted}");
        if logical.is_some() {
            assert_eq!(read(physical, 8, logical.clone(), converted), Ok(wanted), "{physical} {logical:?}");
            assert_eq!(read(physical, 8, logical.clone(), Converted::NONE), Ok(wanted), "{physical} {logical:?}");
        }
    }
    assert_eq!(read(word, 0, Some(Logical::Unknown), Converted::NONE), Ok(Kind::Nulls));
    let time = |unit| TimeType { is_adjusted_to_u_t_c: true, unit };
    for (physical, length, logical, converted, what) in [
        (word, 0, Some(Logical::Date), Converted::DATE, "dates"),
        (word, 0, Some(Logical::Time(time(TimeUnit::MILLIS))), Converted::TIME_MILLIS, "times of day"),
        (long, 0, Some(Logical::Time(time(TimeUnit::MICROS))), Converted::TIME_MICROS, "times of day"),
        (long, 0, Some(Logical::Timestamp(time(TimeUnit::MILLIS))), Converted::TIMESTAMP_MILLIS, "timestamps"),
        (long, 0, Some(Logical::Timestamp(time(TimeUnit::MICROS))), Converted::TIMESTAMP_MICROS, "timestamps"),
        (long, 0, Some(Logical::Timestamp(time(TimeUnit::NANOS))), Converted::NONE, "timestamps"),
        (fixed, 12, None, Converted::INTERVAL, "intervals"),
        (bytes, 0, Some(Logical::Json), Converted::JSON, "JSON"),
        (bytes, 0, Some(Logical::Bson), Converted::BSON, "BSON"),
        (fixed, 16, Some(Logical::Uuid), Converted::NONE, "UUIDs"),
        (fixed, 2, Some(Logical::Float16), Converted::NONE, "floats"),
        (bytes, 0, Some(Logical::geometry(None)), Converted::NONE, "geometries"),
        (bytes, 0, Some(Logical::geography(None, None)), Converted::NONE, "geometries"),
        (bytes, 0, Some(Logical::Unknown), Converted::NONE, "not known here"),
        (bytes, 0, Some(Logical::_Unknown { field_id: 99 }), Converted::NONE, "not known here"),
        (Physical::INT96, 0, None, Converted::NONE, "timestamps"),
        (Physical::FLOAT, 0, None, Converted::NONE, "floats"),
        (Physical::DOUBLE, 0, None, Converted::NONE, "floats"),
        (Physical::BOOLEAN, 0, None, Converted::NONE, "true and false"),
    ] {
        let told = |logical, converted| read(physical, length, logical, converted).unwrap_err();
        if logical.is_some() {
            assert!(told(logical, Converted::NONE).contains(what), "{what}");
        }
        if converted != Converted::NONE || matches!(what, "true and false" | "floats") && physical != fixed {
            assert!(told(None, converted).contains(what), "{what}: {}", told(None, converted));
        }
    }
}
