//! ElectionGuard's group: powers of its generator, as every ballot takes them by the dozen, from one table.
//!
//! Constants: ElectionGuard Design Specification 2.0, section 3.1.1, "Standard Baseline Cryptographic Parameters"
//! (electionguard.vote): q = 2^256 - 189, p = 2^4096 - 2^3840 + 2^256 (floor(2^3584 ln 2) + d) + 2^256 - 1, and
//! g = 2^((p - 1)/q) mod p. The example checks that g has order q before it is used.
//!
//! ```text
//! cargo run --release -p pingala --example electionguard [turns]
//! ```

use pingala::{Error, FixedBase, Integer, Modulus, Natural, Options};
use std::time::Instant;

/// The modulus p, 4096 bits.
const P: &str = "0x\
    ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffb17217f7d1cf79abc9e3b39803f2f6af\
    40f343267298b62d8a0d175b8baafa2be7b876206debac98559552fb4afa1b10ed2eae35c138214427573b291169b825\
    3e96ca16224ae8c51acbda11317c387eb9ea9bc3b136603b256fa0ec7657f74b72ce87b19d6548caf5dfa6bd38303248\
    655fa1872f20e3a2da2d97c50f3fd5c607f4ca11fb5bfb90610d30f88fe551a2ee569d6dfc1efa157d2e23de1400b396\
    17460775db8990e5c943e732b479cd33cccc4e659393514c4c1a1e0bd1d6095d25669b333564a3376a9c7f8a5e148e82\
    074db6015cfe7aa30c480a5417350d2c955d5179b1e17b9dae313cdb6c606cb1078f735d1b2db31b5f50b5185064c18b\
    4d162db3b365853d7598a1951ae273ee5570b6c68f96983496d4e6d330af889b44a02554731cdc8ea17293d1228a4ef9\
    8d6f5177fbcf0755268a5c1f9538b98261affd446b1ca3cf5e9222b88c66d3c5422183edc99421090bbb16faf3d949f2\
    36e02b20cee886b905c128d53d0bd2f9621363196af503020060e49908391a0c57339ba2beba7d052ac5b61cc4e9207c\
    ef2f0ce2d7373958d762265890445744fb5f2da4b751005892d356890defe9cad9b9d4b713e06162a2d8fdd0df2fd608\
    ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff";

/// The generator g of the subgroup of order q.
const G: &str = "0x\
    36036fed214f3b50dc566d3a312fe4131fee1c2bce6d02ea39b477ac05f7f885f38cfe77a7e45acf4029114c4d7a9bfe\
    058bf2f995d2479d3dda618ffd910d3c4236ab2cfdd783a5016f7465cf59bbf45d24a22f130f2d04fe93b2d58bb9c1d1\
    d27fc9a17d2af49a779f3ffbdca22900c14202ee6c99616034be35cbcdd3e7bb7996adfe534b63cca41e21ff5dc778eb\
    b1b86c53bfbe99987d7aea0756237fb40922139f90a62f2aa8d9ad34dff799e33c857a6468d001acf3b681db87dc4242\
    755e2ac5a5027db81984f033c4d178371f273dbb4fcea1e628c23e52759bc7765728035cea26b44c49a65666889820a4\
    5c33dd37ea4a1d00cb62305cd541be1e8a92685a07012b1a20a746c3591a2db3815000d2aaccfe43dc49e828c1ed7387\
    466afd8e4bf1935593b2a442eec271c50ad39f733797a1ea11802a2557916534662a6b7e9a9e449a24c8cff809e79a4d\
    806eb681119330e6c57985e39b200b4893639fdfdea49f76ad1acd997eba13657541e79ec57437e504eda9dd01106151\
    6c643fb30d6d58afccd28b73feda29ec12b01a5eb86399a593a9d5f450de39cb92962c5ec6925348db54d128fd99c14b\
    457f883ec20112a75a6a0581d3d80a3b4ef09ec86f9552ffda1653f133aa2534983a6f31b0ee4697935a6b1ea2f75b85\
    e7eba151ba486094d68722b054633fec51ca3f29b31e77e317b178b6b9d8ae0f";

/// The order q of the subgroup, 2^256 - 189: exponents are below it.
const Q: &str = "0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff43";

/// Bytes of the tables that are tried.
const MEMORY_BYTES: [u64; 3] = [1 << 16, 1 << 18, 1 << 22];
/// Powers that each way takes in one turn; turns are taken one after the other, as machines have slow phases.
const TURN: usize = 24;

fn main() -> Result<(), Error> {
    let turns = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(50);
    let (modulus, generator) = (Modulus::new(P.parse()?)?, G.parse::<Integer>()?);
    assert!(modulus.pow(&generator, &Q.parse()?)?.is_one(), "the generator has order q");

    let mut tables = Vec::new();
    for memory_bytes in MEMORY_BYTES {
        let start = Instant::now();
        let table = FixedBase::new(&generator, &modulus, 256, memory_bytes, &Options::default())?;
        tables.push((table, start.elapsed()));
    }
    // Any exponents below q will do: powers of 3 modulo q, the same in every run.
    let field = Modulus::new(Q.parse()?)?;
    let one_thread = Options::default().with_threads(Some(core::num::NonZeroUsize::MIN));
    let mut times = vec![Vec::new(); 1 + 2 * tables.len()];
    for turn in 0..turns {
        let exponent = |index| field.pow(&Integer::from(3u64), &Integer::from((1000 + TURN * turn + index) as u64));
        let exponents: Vec<Integer> =
            (0..TURN).map(|index| exponent(index).map(Integer::from)).collect::<Result<_, _>>()?;
        let mut take = |way: usize, powers: &dyn Fn() -> Result<Vec<Natural>, Error>| {
            let start = Instant::now();
            let powers = powers()?;
            times[way].push(start.elapsed().as_secs_f64() * 1e6 / TURN as f64);
            Ok::<_, Error>(powers)
        };
        let want = take(0, &|| exponents.iter().map(|exponent| modulus.pow(&generator, exponent)).collect())?;
        for (at, (table, _)) in tables.iter().enumerate() {
            assert_eq!(take(1 + 2 * at, &|| exponents.iter().map(|exponent| table.pow(exponent)).collect())?, want);
            let list = || table.pow_list(&exponents, &one_thread)?.into_iter().collect();
            assert_eq!(take(2 + 2 * at, &list)?, want);
        }
    }
    let each: Vec<f64> = times.into_iter().map(lower_quartile).collect();
    println!("without a table: {:.2} us a power", each[0]);
    for ((table, built), each_way) in tables.iter().zip(each[1..].chunks(2)) {
        println!(
            "{} bytes held, {}: built in {:.2} ms; {:.2} us a power ({:.1} times faster), in a list {:.2} us ({:.1}), {}",
            table.table_bytes(),
            table.plan(),
            built.as_secs_f64() * 1e3,
            each_way[0],
            each[0] / each_way[0],
            each_way[1],
            each[0] / each_way[1],
            table.plan_list(TURN, &one_thread)?,
        );
    }
    Ok(())
}

fn lower_quartile(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 4]
}
