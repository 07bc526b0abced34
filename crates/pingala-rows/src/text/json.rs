//! A row as one JSON object. Numbers stay text until they are read as integers, so that any size is exact.

use super::Value;
use serde::Deserialize;
use std::borrow::Cow;
use std::fmt;
use std::hash::{BuildHasher, RandomState};

/// Most objects inside each other. Lists are only counted.
const DEEPEST: usize = 1 << 12;

/// What is wrong with the text of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsonError {
    /// Why it is no JSON object.
    NotAnObject(String),
    /// A name that an object has twice, this one or one inside: two readers may take different values for it.
    Twice(String),
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JsonError::NotAnObject(why) => write!(f, "not a JSON object: {why}"),
            JsonError::Twice(name) => write!(f, "{} is given twice", super::shown(name)),
        }
    }
}

/// Writes the members of an object that `place` gives a place into `into`, as the text has them. If a name is given twice, the last
/// value of each name is there too.
pub fn members<'a>(
    text: &'a str,
    place: &dyn Fn(&str) -> Option<usize>,
    into: &mut [Option<Value<'a>>],
) -> Result<(), JsonError> {
    if text.trim_start().starts_with('[') {
        return Err(JsonError::NotAnObject(
            "it is an array; expected one object a line, as in {\"base\":2,\"exponent\":10,\"modulus\":1000} \
             (`jq -c '.[]'` makes lines of an array of objects)"
                .into(),
        ));
    }
    serde_json::from_str::<Object>(text).map_err(|error| {
        // The parser sees one line only, and calls it line 1.
        let why = error.to_string();
        let why = why.split(" at line ").next().unwrap_or_default();
        JsonError::NotAnObject(format!("{why}, at byte {} of the line", error.column()))
    })?;
    walk(text, place, into).map_or(Ok(()), Err)
}

/// Any object. The parser says whether text is one, and reads none of it.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Object {}

/// An object whose end has not come yet.
#[derive(Default)]
struct Open {
    /// The hash of each name, and where its quote stands.
    names: Vec<(u64, usize)>,
    /// Lists that are open inside of it.
    lists: usize,
}

/// Takes the members of an object, and looks for a name that one object of this JSON has twice, wherever that object stands; gives what is
/// wrong.
///
/// Sixteen bytes a name, and one pass over the text, of which the parser has said that it is an object of JSON.
fn walk<'a>(text: &'a str, place: &dyn Fn(&str) -> Option<usize>, into: &mut [Option<Value<'a>>]) -> Option<JsonError> {
    let (bytes, hasher) = (text.as_bytes(), RandomState::new());
    let mut open: Vec<Open> = Vec::new();
    let (mut is_name, mut flaw) = (false, None);
    // The place of a member of the outer object, and where its value begins.
    let (mut wanted, mut start) = (None, 0);
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let is_between = open.len() == 1 && open[0].lists == 0;
        if is_between
            && matches!(byte, b',' | b'}')
            && let Some(member) = wanted.take().and_then(|place| into.get_mut::<usize>(place))
        {
            *member = Some(Value::Json(text[start..at].trim_ascii()));
        }
        match byte {
            b'{' if open.len() >= DEEPEST => {
                return Some(JsonError::NotAnObject(format!("more than {DEEPEST} objects are inside each other")));
            }
            b'{' => {
                open.push(Open::default());
                is_name = true;
            }
            b'[' => {
                open.last_mut()?.lists += 1;
                is_name = false;
            }
            b']' => open.last_mut()?.lists -= 1,
            b',' => is_name = open.last()?.lists == 0,
            b':' => {
                is_name = false;
                start = if is_between { at + 1 } else { start };
            }
            b'}' => {
                let twice = twice(text, open.pop()?.names);
                flaw = flaw.or(twice.map(JsonError::Twice));
            }
            b'"' => {
                let name = string_at(text, at);
                if is_name {
                    let unescaped = unescaped(name);
                    if is_between {
                        wanted = place(&unescaped);
                    }
                    open.last_mut()?.names.push((hasher.hash_one(&*unescaped), at));
                }
                at += name.len() + 1;
            }
            _ => {}
        }
        at += 1;
    }
    flaw
}

/// The first name that is there twice.
fn twice(text: &str, mut names: Vec<(u64, usize)>) -> Option<String> {
    names.sort_unstable();
    let name = |&(_, at): &(u64, usize)| unescaped(string_at(text, at));
    // Other names may have the same hash.
    let same_hash = names.chunk_by(|a, b| a.0 == b.0).filter(|names| names.len() > 1);
    let mut pairs = same_hash.flat_map(|names| (1..names.len()).map(move |end| (&names[..end], &names[end])));
    pairs.find_map(|(before, last)| {
        before.iter().any(|other| name(other) == name(last)).then(|| name(last).into_owned())
    })
}

/// The raw text between the quotes of the string that begins here.
fn string_at(text: &str, quote: usize) -> &str {
    let rest = &text[quote + 1..];
    let mut at = 0;
    while let Some(found) = rest[at..].find(['"', '\\']) {
        at += found;
        if rest.as_bytes()[at] == b'"' {
            return &rest[..at];
        }
        // What is escaped begins with ASCII.
        at += 2;
    }
    rest
}

fn unescaped(name: &str) -> Cow<'_, str> {
    if !name.contains('\\') {
        return Cow::Borrowed(name);
    }
    // Half of a surrogate pair is not text; its raw form is compared.
    serde_json::from_str(&format!("\"{name}\"")).map_or(Cow::Borrowed(name), Cow::Owned)
}

#[cfg(test)]
#[path = "../../tests/inside/text/json.rs"]
mod tests;
