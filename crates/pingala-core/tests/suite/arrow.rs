//! The Arrow C interfaces of the Python package, whose files need no Python: what producers lend, right and wrong, and what
//! is lent out. `make -C hardening miri` runs these too.

#![allow(unsafe_code)]

use super::lent::schema::extension;
use super::lent::{Array, Block, Chunk, Format, Layout, Lending, Lent, Schema, Stream, Strided, bytes_of_offsets};
use core::ffi::{c_char, c_int, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A column lent by hand: its format and its buffers, each aligned for words.
fn lent(format: &str, length: usize, buffers: &[Option<&[u8]>]) -> (Schema, Array) {
    let owned: Arc<Vec<Option<Vec<u64>>>> = Arc::new(
        buffers
            .iter()
            .map(|buffer| {
                buffer.map(|bytes| {
                    // Exactly as long as it has to be, so that Miri sees a read beyond it.
                    let mut words = vec![0; bytes.len().div_ceil(8)];
                    let word = |chunk: &[u8]| {
                        let mut word = [0; 8];
                        word[..chunk.len()].copy_from_slice(chunk);
                        u64::from_ne_bytes(word)
                    };
                    words.iter_mut().zip(bytes.chunks(8)).for_each(|(out, chunk)| *out = word(chunk));
                    words
                })
            })
            .collect(),
    );
    let views: Vec<Option<&[u8]>> =
        owned.iter().map(|buffer| buffer.as_ref().map(|words| super::lent::bytes_of_words(words))).collect();
    let lending = Lending { format: format.into(), name: "", length, nulls: 0, buffers: views, children: Vec::new() };
    // SAFETY: `owned` has the buffers, and is never changed.
    let array = unsafe { lending.array(&owned) };
    (lending.schema(), array)
}

fn chunk(format: &str, length: usize, buffers: &[Option<&[u8]>]) -> Result<Chunk, String> {
    let (schema, array) = lent(format, length, buffers);
    Chunk::new(array, schema.read()?)
}

fn rows(chunk: &Chunk) -> Result<Vec<Option<Vec<u8>>>, (usize, String)> {
    let mut block = Block::default();
    chunk.read(0..chunk.len(), &mut block)?;
    let row = |at: usize| (!block.nulls[at]).then(|| block.row(at).to_vec());
    Ok((0..chunk.len()).map(row).collect())
}

fn offsets(offsets: &[i32]) -> Vec<u8> {
    offsets.iter().flat_map(|offset| offset.to_ne_bytes()).collect()
}

fn view(length: i32, rest: [i32; 3]) -> Vec<u8> {
    [length, rest[0], rest[1], rest[2]].iter().flat_map(|part| part.to_ne_bytes()).collect()
}

#[test]
fn formats_are_read_or_refused_with_the_reason() {
    let read = |format: &str| lent(format, 0, &[]).0.read();
    assert_eq!(read("w:32"), Ok(Format::Fixed(32)));
    assert_eq!(read("d:38,0"), Ok(Format::Wide { bytes: 16, signed: true }));
    assert_eq!(read("d:76,0,256"), Ok(Format::Wide { bytes: 32, signed: true }));
    assert_eq!(read("d:3,0,32"), Ok(Format::Wide { bytes: 4, signed: true }));
    assert_eq!(read("_plu128"), Ok(Format::Wide { bytes: 16, signed: false }));
    assert_eq!(read("vz"), Ok(Format::Binary(Layout::Views)));
    assert_eq!(read("U"), Ok(Format::Text(Layout::LargeOffsets)));
    assert_eq!(read("s"), Ok(Format::Int { bytes: 2, signed: true }));
    for (format, why) in [
        ("g", "floating"),
        ("b", "booleans"),
        ("d:38,2", "decimals with a fraction"),
        ("d:38", "decimals"),
        ("d:38,0,512", "decimals"),
        ("w:-1", "w:-1"),
        ("", "\"\""),
    ] {
        assert!(read(format).unwrap_err().contains(why), "{format}");
    }
}

/// Metadata of a schema: the count, then each key and value behind its length; exactly as long as they have to be.
#[test]
fn metadata_name_an_extension_type() {
    let encoded = |count: i32, texts: &[(i32, &str)]| -> Vec<u8> {
        let text = |(length, text): &(i32, &str)| [&length.to_ne_bytes()[..], text.as_bytes()].concat();
        [count.to_ne_bytes().to_vec(), texts.iter().flat_map(text).collect()].concat()
    };
    let of = |count: i32, texts: &[&str]| {
        encoded(count, &texts.iter().map(|text| (text.len() as i32, *text)).collect::<Vec<_>>())
    };
    // SAFETY: the bytes are such metadata, or end with the number that is refused.
    let read = |bytes: &[u8]| unsafe { extension(bytes.as_ptr().cast()) };
    // SAFETY: null is allowed.
    assert_eq!(unsafe { extension(core::ptr::null()) }, Ok(None));
    assert_eq!(read(&of(0, &[])), Ok(None));
    assert_eq!(read(&of(1, &["a", ""])), Ok(None));
    assert_eq!(read(&of(2, &["a", "b", "ARROW:extension:metadata", "{}"])), Ok(None));
    let named = of(3, &["", "", "ARROW:extension:metadata", "of\n", "ARROW:extension:name", "my.type"]);
    assert_eq!(read(&named), Ok(Some("\"my.type\" (\"of\\n\")".into())));
    let long = read(&of(1, &["ARROW:extension:name", &"x".repeat(5000)])).unwrap().unwrap();
    assert!(long.len() < 200);
    for bad in [encoded(-1, &[]), encoded(i32::MAX, &[]), encoded(1, &[(-1, "")]), encoded(1, &[(i32::MAX, "")])] {
        assert!(read(&bad).unwrap_err().contains("metadata"));
    }
}

#[test]
fn rows_of_every_layout() {
    let all = |words: &[&[u8]]| Ok(words.iter().map(|word| Some(word.to_vec())).collect::<Vec<_>>());
    let data = b"abcde";
    let three = chunk("z", 3, &[None, Some(&offsets(&[0, 1, 1, 5])), Some(data)]).unwrap();
    assert_eq!(rows(&three), all(&[b"a", b"", b"bcde"]));
    let large = chunk("Z", 2, &[None, Some(bytes_of_offsets(&[1, 2, 5])), Some(data)]).unwrap();
    assert_eq!(rows(&large), all(&[b"b", b"cde"]));
    let fixed = chunk("w:2", 2, &[Some(&[0b10]), Some(b"wxyz")]).unwrap();
    assert_eq!(rows(&fixed), Ok(vec![None, Some(b"yz".to_vec())]));
    let nothing = chunk("w:0", 2, &[None, None]).unwrap();
    assert_eq!(rows(&nothing), all(&[b"", b""]));
    let mut views = view(3, [i32::from_ne_bytes(*b"abc\0"), 0, 0]);
    views.extend(view(13, [0, 0, 2]));
    let long = b"..thirteen bytes";
    let views = chunk("vz", 2, &[None, Some(&views), Some(long), Some(bytes_of_offsets(&[15]))]).unwrap();
    assert_eq!(rows(&views), all(&[b"abc", b"thirteen byte"]));
    let nulls = chunk("n", 3, &[]).unwrap();
    assert_eq!(rows(&nulls), Ok(vec![None, None, None]));
    let mut block = Block::default();
    let words = [-1i16, 300].iter().flat_map(|word| word.to_ne_bytes()).collect::<Vec<u8>>();
    chunk("s", 2, &[None, Some(&words)]).unwrap().read(0..2, &mut block).unwrap();
    chunk("C", 2, &[None, Some(&[7, 255])]).unwrap().read(1..2, &mut block).unwrap();
    assert_eq!(block.words, [u64::MAX, 300, 255]);
}

/// Offsets that go back, below 0, or behind the last one; views of buffers that are not there; buffers that are missing.
#[test]
fn what_contradicts_itself_is_refused() {
    let data = b"abcde";
    let cases: [(&[i32], usize); 6] = [
        (&[0, 6, 5], 0),
        (&[0, 2, 1], 0),
        (&[0, 4, 2, 5], 1),
        (&[-1, 2, 5], 0),
        (&[0, -3, 5], 0),
        (&[0, i32::MAX, 5], 0),
    ];
    for (bad, at) in cases {
        let wrong = chunk("z", bad.len() - 1, &[None, Some(&offsets(bad)), Some(data)]).unwrap();
        assert_eq!(rows(&wrong).unwrap_err().0, at, "{bad:?}");
    }
    let no_data = chunk("z", 1, &[None, Some(&offsets(&[0, 5])), None]).unwrap();
    assert!(rows(&no_data).unwrap_err().1.contains("no data"));
    for parts in
        [(13, [0, 0, 4]), (13, [0, 1, 0]), (13, [0, -1, 0]), (13, [0, 0, -1]), (-5, [0, 0, 0]), (i32::MAX, [0, 0, 9])]
    {
        let buffers = [None, Some(&view(parts.0, parts.1)[..]), Some(b"sixteen bytes ..".as_slice())];
        let lengths = bytes_of_offsets(&[16]);
        let wrong = chunk("vu", 1, &[buffers[0], buffers[1], buffers[2], Some(lengths)]).unwrap();
        assert!(rows(&wrong).is_err(), "{parts:?}");
    }
    for (format, length, buffers) in [
        ("z", 1, &[None, Some(&[0u8; 8][..])][..]),
        ("z", 1, &[None, None, None]),
        ("L", 1, &[None, None]),
        ("L", 1, &[]),
        ("w:4", 1, &[None, None]),
        ("vz", 1, &[None, Some(&[0; 16])]),
        ("L", usize::MAX, &[None, Some(&[0; 8])]),
        ("n", 1, &[None]),
    ] {
        assert!(chunk(format, length, buffers).is_err(), "{format} of {length}");
    }
    assert!(Chunk::new(Array::released(), Format::Null).unwrap_err().contains("released"));
}

/// Rows that overlap, lie backwards or one on the other.
#[test]
fn strides_go_both_ways() {
    let memory: Vec<u8> = (0..24).collect();
    let read = |start: usize, rows: usize, row_stride: isize, width: usize, byte_stride: isize| {
        let strided = Strided { start: memory.as_ptr().wrapping_add(start), rows, row_stride, width, byte_stride };
        let mut block = Block::default();
        // SAFETY: all rows lie in `memory`.
        unsafe { strided.read(0..rows, &mut block) };
        (0..rows).map(|row| block.row(row).to_vec()).collect::<Vec<_>>()
    };
    assert_eq!(read(0, 2, 3, 3, 1), [[0, 1, 2], [3, 4, 5]]);
    assert_eq!(read(20, 3, -8, 2, 1), [[20, 21], [12, 13], [4, 5]]);
    assert_eq!(read(7, 2, 8, 4, -2), [[7, 5, 3, 1], [15, 13, 11, 9]]);
    assert_eq!(read(5, 2, 0, 1, 1), [[5], [5]]);
    assert_eq!(read(0, 0, 3, 3, 1), Vec::<Vec<u8>>::new());
}

/// Lent out as a struct, moved by its consumer, released once and in any order.
#[test]
fn what_is_lent_is_released_once() {
    struct Owner(Vec<u8>, Arc<AtomicUsize>);
    impl Drop for Owner {
        fn drop(&mut self) {
            self.1.fetch_add(1, Relaxed);
        }
    }
    let dropped = Arc::new(AtomicUsize::new(0));
    let owner = Arc::new(Owner(vec![1, 2, 3, 4], dropped.clone()));
    let child = |name| Lending {
        format: "w:2".into(),
        name,
        length: 2,
        nulls: 0,
        buffers: vec![None, Some(&owner.0)],
        children: Vec::new(),
    };
    let children = vec![child("result"), child("error")];
    let lending = Lending { format: "+s".into(), name: "", length: 2, nulls: 0, buffers: vec![None], children };
    let (mut schema, mut array) = (lending.schema(), {
        // SAFETY: `owner` has the buffers, and is never changed.
        unsafe { lending.array(&owner) }
    });
    // SAFETY: both are structs that were just made.
    let (moved, nothing) = unsafe { (Array::take(&raw mut array), Schema::take(&raw mut schema)) };
    assert!(array.is_released() && schema.is_released());
    // SAFETY: the same; they are released.
    assert!(unsafe { Array::take(&raw mut array) }.is_none());
    drop(lending);
    drop(owner);
    assert_eq!(dropped.load(Relaxed), 0);
    drop((moved, nothing, array, schema));
    assert_eq!(dropped.load(Relaxed), 1);
}

/// A stream of some chunks, then the end or an error.
struct Producer {
    chunks: Vec<Array>,
    fails: bool,
}

unsafe extern "C" fn get_schema(_: *mut Stream, out: *mut Schema) -> c_int {
    // SAFETY: the consumer gives a released struct to be filled.
    unsafe { out.write(lent("L", 0, &[]).0) };
    0
}

unsafe extern "C" fn get_next(stream: *mut Stream, out: *mut Array) -> c_int {
    // SAFETY: the stream is the one of `stream`, whose private data is a producer.
    let producer = unsafe { &mut *(*stream).private_data.cast::<Producer>() };
    match producer.chunks.pop() {
        // SAFETY: the consumer gives a released struct to be filled.
        Some(chunk) => unsafe { out.write(chunk) },
        None if producer.fails => return 5,
        None => {}
    }
    0
}

unsafe extern "C" fn get_last_error(_: *mut Stream) -> *const c_char {
    c"the disk is gone".as_ptr()
}

unsafe extern "C" fn release(stream: *mut Stream) {
    // SAFETY: called once, with the stream of `stream`.
    unsafe { drop(Box::from_raw((*stream).private_data.cast::<Producer>())) };
}

#[test]
fn streams_end_or_say_what_failed() {
    let words = 7u64.to_ne_bytes();
    for fails in [false, true] {
        let chunks = vec![lent("L", 1, &[None, Some(&words)]).1, lent("L", 1, &[None, Some(&words)]).1];
        let private: *mut c_void = Box::into_raw(Box::new(Producer { chunks, fails })).cast();
        let mut stream = Stream {
            get_schema: Some(get_schema),
            get_next: Some(get_next),
            get_last_error: Some(get_last_error),
            release: Some(release),
            private_data: private,
        };
        let format = stream.format().unwrap();
        for _ in 0..2 {
            let mut block = Block::default();
            stream.next(format).unwrap().unwrap().read(0..1, &mut block).unwrap();
            assert_eq!(block.words, [7]);
        }
        match stream.next(format) {
            Ok(None) => assert!(!fails),
            other => assert_eq!(other.unwrap_err(), "its stream failed: the disk is gone"),
        }
    }
    let mut nobody = Stream::released();
    assert!(nobody.format().unwrap_err().contains("get_schema"));
    assert!(nobody.next(Format::Null).unwrap_err().contains("get_next"));
}
