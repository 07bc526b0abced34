//! The table of results: exponents in use, each with the best chain known here, checked in as data.

use crate::{evaluate, read_json};
use pingala_core::Error;
use pingala_core::algorithm::Chain;
use pingala_core::exponent::Exponent;
use serde_json::Value;

/// An exponent of the table.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// A short name, also of the file of its chain.
    pub name: &'static str,
    /// The exponent as an expression.
    pub expression: &'static str,
    /// The length that addchain finds, v0.4.0 of 2021, from its results or by a run of it.
    pub addchain: Option<usize>,
    /// The shortest chain known from elsewhere, and whose it is.
    pub elsewhere: Option<(usize, &'static str)>,
    file: &'static str,
}

/// A chain of the table with its source.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The chain, checked.
    pub chain: Chain,
    /// The method that found it. The file has the moves, the seed and the time of the search too.
    pub method: String,
}

impl Entry {
    /// The exponent.
    pub fn exponent(&self) -> Result<Exponent, Error> {
        evaluate(self.expression)
    }

    /// The chain. Error: [`Error::BadArgument`] for a file that was damaged.
    pub fn kept(&self) -> Result<Kept, Error> {
        let document: Value = serde_json::from_str(self.file).map_err(|error| Error::BadArgument(error.to_string()))?;
        let method = document.get("method").and_then(Value::as_str).unwrap_or("").to_string();
        Ok(Kept { chain: read_json(self.file)?, method })
    }
}

/// The best chain of the table for an exponent, if it is in there.
pub fn best(exponent: &Exponent) -> Result<Option<(&'static Entry, Kept)>, Error> {
    for entry in TABLE {
        if entry.exponent()? == *exponent {
            return Ok(Some((entry, entry.kept()?)));
        }
    }
    Ok(None)
}

/// Writes the table: name, expression, length that addchain finds, and the shortest chain from elsewhere.
macro_rules! table {
    ($($name:literal, $expression:literal, $addchain:expr, $elsewhere:expr;)*) => {
        /// The table.
        pub static TABLE: &[Entry] = &[$(Entry {
            name: $name,
            expression: $expression,
            addchain: $addchain,
            elsewhere: $elsewhere,
            file: include_str!(concat!("../data/", $name, ".json")),
        }),*];
    };
}

table! {
    "25519_inverse", "2^255-21", Some(266), Some((265, "Bernstein"));
    "25519_order_inverse", "2^252+27742317777372353535851937790883648491", Some(283), None;
    "25519_root", "2^252-3", Some(262), None;
    "m221_inverse", "2^221-5", Some(231), None;
    "e222_inverse", "2^222-119", Some(233), None;
    "curve1174_inverse", "2^251-11", Some(263), None;
    "e382_inverse", "2^382-107", Some(395), None;
    "m383_inverse", "2^383-189", Some(396), None;
    "curve41417_inverse", "2^414-19", Some(426), None;
    "448_inverse", "2^448-2^224-3", Some(460), None;
    "448_root", "(2^448-2^224-4)/4", None, None;
    "448_order_inverse", "2^446-13818066809895115352007386748515426880336692474882178609894547503887", None, None;
    "m511_inverse", "2^511-189", Some(525), None;
    "p192_inverse", "2^192-2^64-3", Some(203), None;
    "p224_inverse", "2^224-2^96-1", Some(234), None;
    "p224_order_inverse", "0xffffffffffffffffffffffffffff16a2e0b8f03e13dd29455c5c2a3b", None, None;
    "p256_inverse", "2^256-2^224+2^192+2^96-4", Some(266), None;
    "p256_root", "(2^256-2^224+2^192+2^96)/4", Some(260), None;
    "p256_order_inverse",
        "0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc63254f",
        Some(294), Some((289, "ring"));
    "p384_inverse", "2^384-2^128-2^96+2^32-4", Some(397), Some((396, "Smith's list"));
    "p384_order_inverse",
        "0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52971",
        Some(434), Some((430, "ring"));
    "p521_inverse", "2^521-3", Some(533), None;
    "p521_order_inverse",
        "0x1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386407",
        None, None;
    "secp192k1_inverse", "2^192-2^32-4555", Some(205), None;
    "secp224k1_inverse", "2^224-2^32-6805", Some(238), None;
    "secp256k1_inverse", "2^256-2^32-980", Some(269), None;
    "secp256k1_root", "(2^256-2^32-976)/4", Some(266), None;
    "secp256k1_order_inverse",
        "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd036413f",
        Some(293), Some((290, "Smith's list"));
    "bls12_381_inverse",
        "0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaa9",
        Some(450), Some((461, "blst"));
    "bls12_381_root",
        "0x680447a8e5ff9a692c6e9ed90d2eb35d91dd2e13ce144afd9cc34a83dac3d8907aaffffac54ffffee7fbfffffffeaaa",
        Some(449), Some((458, "blst"));
    "bls12_381_order_inverse",
        "0x73eda753299d7d483339d80809a1d80553bda402fffe5bfefffffffeffffffff",
        Some(302), Some((305, "kwantam"));
    "bls12_377_inverse",
        "0x1ae3a4617c510eac63b05c06ca1493b1a22d9f300f5138f1ef3622fba094800170b5d44300000008508bfffffffffff",
        None, None;
    "bls12_377_order_inverse", "0x12ab655e9a2ca55660b44d1e5c37b00159aa76fed00000010a117fffffffffff", None, None;
    "bn254_inverse", "0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd45", Some(303), None;
    "bn254_root", "0xc19139cb84c680a6e14116da060561765e05aa45a1c72a34f082305b61f3f52", Some(300), None;
    "bn254_order_inverse", "0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593efffffff", None, None;
    "pallas_inverse", "0x40000000000000000000000000000000224698fc094cf91b992d30ecffffffff", None, None;
    "pallas_root", "0x2000000000000000000000000000000011234c7e04a67c8dcc969876", None, None;
    "vesta_inverse", "0x40000000000000000000000000000000224698fc0994a8dd8c46eb20ffffffff", None, None;
    "vesta_root", "0x2000000000000000000000000000000011234c7e04ca546ec6237590", None, None;
    "goldilocks64_inverse", "2^64-2^32-1", None, None;
    "random512",
        "0xb5bf992dc9e9c616612e7696a6cecc1b78e510617311d8a3c2ce6f447ed4d57b1e2feb89414c343c1027c4d1c386bbc4cd613e30d8f16adf91b7584a2265b1f5",
        Some(610), None;
    "random1024",
        "0xafbd67f9619699cfe1988ad9f06c144a025b413f8a9a021ea648a7dd06839eb905b6e6e307d4bedc51431193e6c3f3391a2b8f1ff1fd42a29755d4c13a902931cd447e35b8b6d8fe442e3d437204e52db2221a58008a05a6c4647159c324c9859b810e766ec9d28663ca828dd5f4b3b2e4b06ce60741c7a87ce42c8218072e8d",
        Some(1196), None;
    "random2048",
        "0xda71144896c8da1964b2d2bc815a47c5f0dfb4a5d8a064df7fd63116e1ea24c4f9341c68966baea148beab134da98f1d3099fdf5ab99254ae901e35cd47d380d81f9c1f66c0f3459f79b17aeefba91fc803468b6b610a9f7f9270f4eb8b333a8e5446dd4552b82f6be3edc0a1ef2a4f04be03db0dc2574bdb94067edfe175330a11d459a2f978d8719999e3fa46d6753ec148cb48e73ca47ea90a8f0d66b829e6a8ac4ba05805975ed2f89d94a2f20aaf3c64af775a89294c2cd789a380208a9ad45f23d3b1a11df587fd2803bab6c398d88348a7eed8d14f06d3fef701966a0c381e88f38c0c8fd8712b8bc076f3787b9d179e06c0fd4f5f8130c4237730edf",
        Some(2365), None;
}
