use super::*;
use std::os::unix::fs::symlink;

#[test]
fn names_stay_below_the_folder() {
    let top = std::env::temp_dir().join(format!("pingala-folder-{}", std::process::id()));
    let (inside, outside) = (top.join("keys"), top.join("outside"));
    fs::create_dir_all(inside.join("deep/er")).unwrap();
    fs::create_dir_all(&outside).unwrap();
    fs::write(outside.join("secret"), "outside").unwrap();
    fs::write(inside.join("a.pem"), "a").unwrap();
    fs::write(inside.join("deep/er/b"), "b").unwrap();
    symlink(outside.join("secret"), inside.join("link")).unwrap();
    symlink(&outside, inside.join("folder")).unwrap();
    symlink("a.pem", inside.join("alias")).unwrap();
    symlink(&inside, top.join("by_link")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(inside.join("pipe")).status().unwrap().success());
    let folder = Folder::open(&top.join("by_link")).unwrap();
    for (name, content) in [("a.pem", "a"), ("./a.pem", "a"), ("deep/er/b", "b"), ("deep/./er//b", "b")] {
        assert_eq!(folder.read(name, 9).unwrap(), content.as_bytes(), "{name}");
    }
    let absolute = inside.join("a.pem");
    let mut told = Vec::new();
    for name in [
        "link",
        "alias",
        "folder/secret",
        "../outside/secret",
        "deep/../a.pem",
        "pipe",
        "deep",
        "",
        ".",
        "..",
        "/",
        "nothing",
        "a.pem/x",
        "nothing/../../outside/secret",
        "/dev/zero",
        "/etc/passwd",
        "/nowhere",
        "a\0b",
        absolute.to_str().unwrap(),
    ] {
        let error = folder.read(name, 9).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound, "{name}");
        told.push(error.to_string());
    }
    told.dedup();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(open_own(&inside.join("a.pem")).is_ok());
    for name in ["link", "alias", "pipe", "deep", "nothing"] {
        assert!(open_own(&inside.join(name)).is_err(), "{name}");
    }
    fs::write(inside.join("a.pem"), "0123456789").unwrap();
    assert_eq!(folder.read("a.pem", 9).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    assert!(Folder::open(&inside.join("a.pem")).is_err());
    fs::remove_dir_all(&top).unwrap();
}
