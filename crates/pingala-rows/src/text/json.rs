//! A row as one JSON object. Numbers stay text until they are read as integers, so that any size is exact.

use super::Value;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
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
    let mut json = serde_json::Deserializer::from_str(text);
    Object { place, into }
        .deserialize(&mut json)
        .and_then(|()| json.end())
        .map_err(|error| not_an_object(text, &error))?;
    doubled(text).map_or(Ok(()), Err)
}

fn not_an_object(text: &str, error: &serde_json::Error) -> JsonError {
    if text.trim_start().starts_with('[') {
        return JsonError::NotAnObject(
            "it is an array; expected one object a line, as in {\"base\":2,\"exponent\":10,\"modulus\":1000} \
             (`jq -c '.[]'` makes lines of an array of objects)"
                .into(),
        );
    }
    // The parser sees one line only, and calls it line 1.
    let why = error.to_string();
    let why = why.split(" at line ").next().unwrap_or_default();
    JsonError::NotAnObject(format!("{why}, at byte {} of the line", error.column()))
}

/// Reads the members that have a place.
struct Object<'n, 'a> {
    place: &'n dyn Fn(&str) -> Option<usize>,
    into: &'n mut [Option<Value<'a>>],
}

impl<'de> DeserializeSeed<'de> for Object<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Object<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(place) = map.next_key_seed(Name(self.place))? {
            match place.and_then(|place| self.into.get_mut(place)) {
                None => drop(map.next_value::<IgnoredAny>()?),
                Some(member) => *member = Some(Value::Json(map.next_value::<&RawValue>()?.get())),
            }
        }
        Ok(())
    }
}

/// The place of a member.
struct Name<'n>(&'n dyn Fn(&str) -> Option<usize>);

impl<'de> DeserializeSeed<'de> for Name<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok((self.0)(name))
    }
}

/// An object whose end has not come yet.
#[derive(Default)]
struct Open {
    /// The hash of each name, and where its quote stands.
    names: Vec<(u64, usize)>,
    /// Lists that are open inside of it.
    lists: usize,
}

/// A name that one object of this JSON has twice, wherever that object stands.
///
/// Sixteen bytes a name, and one pass over the text, of which the parser has said that it is JSON.
fn doubled(text: &str) -> Option<JsonError> {
    let (bytes, hasher) = (text.as_bytes(), RandomState::new());
    let mut open: Vec<Open> = Vec::new();
    let mut is_name = false;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
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
            b':' => is_name = false,
            b'}' => {
                if let Some(name) = twice(text, open.pop()?.names) {
                    return Some(JsonError::Twice(name));
                }
            }
            b'"' => {
                let name = string_at(text, at);
                if is_name {
                    open.last_mut()?.names.push((hasher.hash_one(&*unescaped(name)), at));
                }
                at += name.len() + 1;
            }
            _ => {}
        }
        at += 1;
    }
    None
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
