use super::*;
use pingala_chains::Language;
use pingala_rows::{Errors, Meaning};
use pingala_verify::{Encoding, Policy, Weaknesses};

/// The library reads each name, and its error for another name lists each of them.
fn are_those_of<T: FromStr<Err: Display>>(names: Vec<&str>) {
    for name in &names {
        assert!(name.parse::<T>().is_ok(), "{name}");
    }
    let Err(error) = "no such name".parse::<T>() else { panic!("a name that is none was read") };
    let error = error.to_string();
    let listed = error.rsplit("there are ").next().unwrap().replace(" and ", ", ");
    let listed: Vec<&str> = listed.split(", ").collect();
    // `bytes` is an old name of `big`.
    assert_eq!(names, listed.into_iter().filter(|name| *name != "bytes").collect::<Vec<_>>());
}

#[test]
fn the_names_are_those_of_the_library() {
    are_those_of::<Hash>(hashes());
    are_those_of::<Encoding>(encodings());
    are_those_of::<Policy>(policies());
    are_those_of::<Weaknesses>(weaknesses());
    are_those_of::<Meaning>(binaries());
    are_those_of::<Errors>(errors());
    are_those_of::<Language>(languages());
}
