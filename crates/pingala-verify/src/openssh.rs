//! Lines of OpenSSH with a public key.

use crate::load::{bad, quoted};
use crate::wire::Wire;
use crate::{DsaKey, PublicKey, RsaKey};
use base64ct::{Base64, Encoding};
use pingala_core::Error;

/// Whether a word is the name of a kind of key, as OpenSSH writes it before the blob.
fn is_kind(word: &str) -> bool {
    ["ssh-", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-", "rsa-sha2-"].iter().any(|start| word.starts_with(start))
}

/// The key of the first line that is neither blank nor a comment. None: the text is no line of OpenSSH.
pub(crate) fn key(text: &str) -> Option<Result<PublicKey, Error>> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'))?;
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    // After options or names the blob distinguishes a kind from any other word.
    let blob = |at: usize| words.get(at + 1).is_some_and(|blob| blob.starts_with("AAAA"));
    let at = (0..words.len()).find(|&at| is_kind(words[at]) && (at == 0 || blob(at)))?;
    if at > 0 {
        let before = quoted(words[0]);
        return Some(Err(bad(format!(
            "{before} stands before {} and may restrict the key; give the line from {} on",
            quoted(words[at]),
            quoted(words[at])
        ))));
    }
    Some(of_words(words[0], words.get(1).copied().unwrap_or("")))
}

/// `ssh-rsa` or `ssh-dss`, and a blob in base64.
fn of_words(name: &str, blob: &str) -> Result<PublicKey, Error> {
    if name.contains("-cert-v0") {
        return Err(bad(format!(
            "a certificate of OpenSSH, {}, whose options and dates are not read; give the line of its key",
            quoted(name)
        )));
    }
    if name != "ssh-rsa" && name != "ssh-dss" {
        return Err(bad(format!("a key of OpenSSH of kind {}; ssh-rsa and ssh-dss are read", quoted(name))));
    }
    let blob = Base64::decode_vec(blob).map_err(|error| bad(format!("the base64 of {name}: {error}")))?;
    let (inner, key) = of_blob(&blob)?;
    if inner == name { Ok(key) } else { Err(bad(format!("a line for {name} with a key for {inner}"))) }
}

/// The name of the algorithm and the key (RFC 4253, section 6.6).
fn of_blob(blob: &[u8]) -> Result<(&'static str, PublicKey), Error> {
    let mut wire = Wire::new(blob);
    let key = match wire.string() {
        Some(b"ssh-rsa") => wire.mpint().zip(wire.mpint()).map(|(e, n)| Ok(("ssh-rsa", RsaKey::new(n, e)?.into()))),
        Some(b"ssh-dss") => {
            let numbers = [wire.mpint(), wire.mpint(), wire.mpint(), wire.mpint()];
            let [Some(p), Some(q), Some(g), Some(y)] = numbers else { return Err(bad("a broken blob of ssh-dss")) };
            Some(DsaKey::new(p, q, g, y).map(|key| ("ssh-dss", key.into())))
        }
        _ => return Err(bad("a key of OpenSSH that is neither ssh-rsa nor ssh-dss")),
    };
    let key = key.ok_or_else(|| bad("a broken blob of OpenSSH"))??;
    if wire.is_finished() { Ok(key) } else { Err(bad("bytes behind the blob of OpenSSH")) }
}
