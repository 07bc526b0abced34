//! Tests of `table/replace.rs`.

use super::*;
use std::time::SystemTime;

/// A folder of its own, removed with what is in it.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("pingala-sealed-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

fn put(path: &Path, force: bool) -> Result<(), Error> {
    let mut file = Replacement::create(path, force)?;
    file.write_all(b"new").unwrap();
    file.finish()
}

/// From the start, and whatever the old file allowed.
#[cfg(unix)]
#[test]
fn a_private_file_is_closed() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("private");
    let path = folder.0.join("file");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    for old in [None, Some(0o644), Some(0o400)] {
        if let Some(old) = old {
            fs::set_permissions(&path, fs::Permissions::from_mode(old)).unwrap();
            assert!(Replacement::create_private(&path, false).is_err());
        }
        let mut file = Replacement::create_private(&path, true).unwrap();
        assert_eq!(mode(file.aside()), old.unwrap_or(0o600) & 0o600);
        file.write_all(b"secret").unwrap();
        file.finish().unwrap();
        assert_eq!(mode(&path), old.unwrap_or(0o600) & 0o600);
    }
}

#[test]
fn a_file_is_replaced_by_force_alone() {
    let folder = Folder::new("force");
    let path = folder.0.join("file");
    put(&path, false).unwrap();
    fs::write(&path, "old").unwrap();
    assert!(put(&path, false).unwrap_err().to_string().contains("exists already"));
    assert_eq!(fs::read(&path).unwrap(), b"old");
    drop(Replacement::create(&path, true).unwrap());
    assert_eq!(fs::read(&path).unwrap(), b"old");
    put(&path, true).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    // Somebody else was quicker: neither kind of file is written over.
    let late = folder.0.join("late");
    let file = Replacement::create(&late, false).unwrap();
    fs::write(&late, "theirs").unwrap();
    file.finish().unwrap_err();
    assert_eq!(fs::read(&late).unwrap(), b"theirs");
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 2, "nothing is left beside them");
}

#[cfg(unix)]
#[test]
fn only_ordinary_files_are_replaced() {
    use std::os::unix::fs::{FileTypeExt, symlink};
    let folder = Folder::new("kinds");
    let [pipe, socket, dangling, link, file, inner] =
        ["pipe", "socket", "dangling", "link", "file", "inner"].map(|name| folder.0.join(name));
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    symlink(folder.0.join("nothing"), &dangling).unwrap();
    fs::write(&file, "old").unwrap();
    symlink(&file, &link).unwrap();
    fs::create_dir(&inner).unwrap();
    for (path, reason) in [
        (&pipe, "not an ordinary file"),
        (&socket, "not an ordinary file"),
        (&inner, "not an ordinary file"),
        (&dangling, "symbolic link"),
        (&link, "symbolic link"),
    ] {
        for force in [false, true] {
            for refused in [Replacement::check(path, force), put(path, force)] {
                let error = refused.unwrap_err();
                assert_eq!(error.code(), "bad_file");
                assert!(error.to_string().contains(reason), "{error}");
            }
        }
    }
    assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
    assert!(fs::symlink_metadata(&dangling).unwrap().is_symlink());
    assert_eq!(fs::read(&file).unwrap(), b"old");
    // What was absent at the start may be a pipe at the end.
    let late = folder.0.join("late");
    let replacement = Replacement::create(&late, true).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&late).status().unwrap().success());
    replacement.finish().unwrap_err();
    assert!(fs::symlink_metadata(&late).unwrap().file_type().is_fifo());
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 7, "nothing is left beside them");
}

#[cfg(unix)]
#[test]
fn the_mode_stays() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("mode");
    let path = folder.0.join("file");
    fs::write(&path, "old").unwrap();
    for mode in [0o600, 0o640, 0o444, 0o666] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let replacement = Replacement::create(&path, true).unwrap();
        assert_eq!(fs::metadata(replacement.aside()).unwrap().permissions().mode() & 0o777, mode);
        replacement.finish().unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode);
    }
}

/// What a killed writer left goes with the next one; what is being written, or is not ours, stays.
#[test]
fn what_was_left_behind_is_removed() {
    let folder = Folder::new("left");
    let path = folder.0.join("file");
    let names = [".file.123-0.tmp", ".file.124-7.tmp", ".file.125-0.tmp", ".file.x-0.tmp", ".other.123-0.tmp"];
    let files = names.map(|name| File::create(folder.0.join(name)).unwrap());
    let long_ago = SystemTime::now() - 2 * LEFT_AFTER;
    for at in [0, 1, 3, 4] {
        files[at].set_modified(long_ago).unwrap();
    }
    files[1].try_lock().unwrap();
    put(&path, true).unwrap();
    let left = names.map(|name| folder.0.join(name).exists());
    assert_eq!(left, [false, true, true, true, true]);
}
