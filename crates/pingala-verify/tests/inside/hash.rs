use super::*;

#[test]
fn rows_are_in_the_order_of_the_enumeration() {
    for (at, row) in ROWS.iter().enumerate() {
        assert_eq!(row.0 as usize, at);
        assert_eq!(row.1.parse::<Hash>(), Ok(row.0));
        assert_eq!(row.0.digest(b"").len(), row.2);
    }
    assert_eq!("SHA-512/256".parse::<Hash>(), Ok(Hash::Sha512_256));
    assert!("md5".parse::<Hash>().is_err());
}
