//! Tests of `engine/plan/prices/machine.rs`.

use super::*;

/// Whatever is at the place of the file, there are prices, and a sentence about it.
#[test]
fn no_file_stops_arithmetic() {
    let folder = env::temp_dir().join(format!("pingala-prices-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let [huge, binary, text, pipe] = ["huge", "binary", "text", "pipe"].map(|name| folder.join(name));
    File::create(&huge).unwrap().set_len(1 << 40).unwrap();
    fs::write(&binary, [0xff; 99]).unwrap();
    fs::write(&text, "cpu: x\nthis is nothing").unwrap();
    let mut paths = vec![folder.clone(), folder.join("missing"), huge, binary, folder.join("text/inside")];
    if cfg!(unix) {
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        paths.push(pipe);
    }
    for path in paths {
        let prices = Prices::in_force(Some(&path));
        assert!(prices.sources().eq(Prices::built_in().sources()), "{}", path.display());
        let [note] = prices.notes() else { panic!("{:?}", prices.notes()) };
        for part in [&path.display().to_string(), "built-in prices are used", "pingala tune"] {
            assert!(note.contains(part), "{note}");
        }
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// The file is the one of the variable; otherwise it has a name of its own in a folder that begins at the root.
#[test]
fn the_file_has_a_place() {
    match (env::var_os("PINGALA_PRICES").filter(|named| !named.is_empty()), path()) {
        (Some(named), path) if named == BUILT_IN => assert_eq!(path, None),
        (Some(named), path) => assert_eq!(path, Some(named.into())),
        (None, Some(path)) => assert!(path.is_absolute() && path.ends_with("pingala/prices.txt"), "{}", path.display()),
        (None, None) => assert!(of_this_user().is_none()),
    }
    assert!(of_this_user().is_none_or(|path| path.is_absolute() && path.ends_with("pingala/prices.txt")));
}
