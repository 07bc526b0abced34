//! What a column is by its schema: a format that is read, or the name of the type that is not.

use super::{Format, Layout, Schema};
use core::ffi::{CStr, c_char};

/// The keys under which Arrow's metadata name an extension type and describe it.
const EXTENSION_NAME: &[u8] = b"ARROW:extension:name";
const EXTENSION_METADATA: &[u8] = b"ARROW:extension:metadata";
/// The most entries of metadata, and the longest one: what says more contradicts itself.
const MOST_METADATA: i32 = 1 << 24;

impl Schema {
    /// The format of the column. Error: why it is none that is read. A column is never read by the storage of another type: extension
    /// types, dictionaries and every other format than those of integers, bytes and text are refused by name.
    pub fn read(&self) -> Result<Format, String> {
        if self.format.is_null() {
            return Err("its schema has no format".into());
        }
        // SAFETY: a schema that is not released has a format that ends in a zero byte.
        let format = unsafe { CStr::from_ptr(self.format) }.to_string_lossy();
        // SAFETY: the metadata of a schema that is not released are null, or encoded as the interface says.
        if let Some(extension) = unsafe { extension(self.metadata) }? {
            return Err(format!(
                "it has the extension type {extension}, whose storage is not its meaning: in the program that made it, cast it to \
                 integers or text"
            ));
        }
        if !self.dictionary.is_null() {
            return Err("it is dictionary-encoded (a categorical or an enum): decode it first".into());
        }
        let int = |bytes, signed| Ok(Format::Int { bytes, signed });
        match &*format {
            "n" => Ok(Format::Null),
            "c" => int(1, true),
            "C" => int(1, false),
            "s" => int(2, true),
            "S" => int(2, false),
            "i" => int(4, true),
            "I" => int(4, false),
            "l" => int(8, true),
            "L" => int(8, false),
            "_pli128" => Ok(Format::Wide { bytes: 16, signed: true }),
            "_plu128" => Ok(Format::Wide { bytes: 16, signed: false }),
            decimal if decimal.starts_with("d:") => self::decimal(decimal),
            "+s" if self.has_children(&["metadata", "value"]) => Err(
                "it has structs of metadata and value, as VARIANT has, whose fields are not its meaning: in the program that made it, \
                 cast it to integers or text"
                    .into(),
            ),
            "z" => Ok(Format::Binary(Layout::Offsets)),
            "Z" => Ok(Format::Binary(Layout::LargeOffsets)),
            "vz" => Ok(Format::Binary(Layout::Views)),
            "u" => Ok(Format::Text(Layout::Offsets)),
            "U" => Ok(Format::Text(Layout::LargeOffsets)),
            "vu" => Ok(Format::Text(Layout::Views)),
            other => match other.strip_prefix("w:").map(str::parse) {
                Some(Ok(width)) if width <= i32::MAX as usize => Ok(Format::Fixed(width)),
                _ => Err(refusal(other)),
            },
        }
    }
}

impl Schema {
    /// Whether it has children of these names.
    fn has_children(&self, names: &[&str]) -> bool {
        let count = usize::try_from(self.n_children).unwrap_or(0);
        if self.children.is_null() {
            return false;
        }
        names.iter().all(|name| {
            (0..count).any(|at| {
                // SAFETY: a schema that is not released has that many children, whose names are null or end in a zero byte.
                unsafe {
                    let child = *self.children.add(at);
                    !child.is_null()
                        && !(*child).name.is_null()
                        && CStr::from_ptr((*child).name).to_bytes() == name.as_bytes()
                }
            })
        })
    }
}

/// Decimals: `d:` and precision, scale and, unless they are 128, bits. Error: those with a fraction.
fn decimal(format: &str) -> Result<Format, String> {
    let numbers: Vec<&str> = format[2..].split(',').collect();
    let bits = match numbers[..] {
        [_, _, bits] => bits.parse().ok().filter(|bits| [32, 64, 128, 256].contains(bits)),
        [_, _] => Some(128),
        _ => None,
    };
    match bits {
        Some(bits) if numbers[1] == "0" => Ok(Format::Wide { bytes: bits / 8, signed: true }),
        _ => Err(format!(
            "it has decimals with a fraction (Arrow format {}): cast them to decimals without one, or to integers",
            quoted(format)
        )),
    }
}

/// Why a format is not read: what it has, by name.
fn refusal(format: &str) -> String {
    let has = match format {
        "e" | "f" | "g" => {
            return "it has floating-point numbers, which cannot hold every integer (a column with missing integers may have \
                    become one): give integers with nulls, or bytes"
                .into();
        }
        "b" => "booleans",
        "+s" => "structs (as record batches and data frames have): give one of its fields",
        "+r" => "runs: decode them first",
        "+m" => "maps",
        other => match other.as_bytes() {
            [b'+', b'l' | b'L' | b'w' | b'v', ..] => "lists",
            [b'+', b'u', ..] => "unions",
            [b't', b'd', ..] => "dates",
            [b't', b't', ..] => "times of day",
            [b't', b's', ..] => "timestamps",
            [b't', b'D', ..] => "durations",
            [b't', b'i', ..] => "intervals",
            _ => return format!("its Arrow format is {}, which is neither integers nor bytes nor text", quoted(other)),
        },
    };
    format!("its Arrow format is {}: it has {has}; what is read is integers, bytes and text", quoted(format))
}

/// The text in quotes, control characters escaped, shortened.
fn quoted(text: &str) -> String {
    const MOST: usize = 100;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// The extension type that a schema's metadata name, with what describes it; none if they name none. Error: what contradicts itself.
///
/// # Safety
///
/// `metadata` is null, or points to metadata as the C data interface encodes them.
pub unsafe fn extension(metadata: *const c_char) -> Result<Option<String>, String> {
    if metadata.is_null() {
        return Ok(None);
    }
    let mut at = metadata.cast::<u8>();
    // SAFETY: the caller promises the encoding, which begins with the count.
    let count = unsafe { take_number(&mut at) }?;
    let (mut name, mut description) = (None, String::new());
    for _ in 0..count {
        // SAFETY: behind the count stand a key and its value, as often as it says.
        let (key, value) = unsafe { (take_text(&mut at)?, take_text(&mut at)?) };
        if key == EXTENSION_NAME {
            name = Some(quoted(&String::from_utf8_lossy(value)));
        } else if key == EXTENSION_METADATA && !value.is_empty() {
            description = format!(" ({})", quoted(&String::from_utf8_lossy(value)));
        }
    }
    Ok(name.map(|name| name + &description))
}

/// Reads a count or a length of metadata, and steps behind it.
///
/// # Safety
///
/// `at` points to such a number.
unsafe fn take_number(at: &mut *const u8) -> Result<usize, String> {
    // SAFETY: the caller answers for the number; a producer need not align it.
    let number = unsafe { at.cast::<i32>().read_unaligned() };
    if !(0..=MOST_METADATA).contains(&number) {
        return Err(format!("the metadata of its schema have a count or a length of {number}"));
    }
    *at = at.wrapping_add(size_of::<i32>());
    Ok(number as usize)
}

/// Reads a key or a value of metadata, and steps behind it.
///
/// # Safety
///
/// `at` points to its length, which that many bytes follow; they do not change during `'a`.
unsafe fn take_text<'a>(at: &mut *const u8) -> Result<&'a [u8], String> {
    // SAFETY: the caller answers for the length.
    let length = unsafe { take_number(at) }?;
    // SAFETY: the caller answers for the bytes behind it.
    let text = unsafe { core::slice::from_raw_parts(*at, length) };
    *at = at.wrapping_add(length);
    Ok(text)
}
