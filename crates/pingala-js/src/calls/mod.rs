//! What each operation computes. `make border` writes the numbers for JavaScript.

#[cfg(feature = "all-operations")]
mod fixed_base;
#[cfg(feature = "all-operations")]
mod more_powers;
mod power;
#[cfg(feature = "all-operations")]
mod primes;
#[cfg(feature = "all-operations")]
mod proofs;
#[cfg(feature = "all-operations")]
mod secret;
#[cfg(feature = "all-operations")]
mod signature;

use crate::handle::Handle;
use crate::request::{Answer, Request};
#[cfg(feature = "all-operations")]
use pingala_core::FixedBase;
use pingala_core::{Error, Integer, Modulus, Natural, Watch};
#[cfg(feature = "all-operations")]
use pingala_verify::PublicKey;

/// Lists the operations with their numbers and their functions: those that every build has, then those of the feature `all-operations`.
macro_rules! operations {
    ($($number:literal => $name:ident $path:path;)* and with all_operations: $($other:literal => $other_name:ident $other_path:path;)*) => {
        /// Computes the answer of a request.
        pub(crate) fn answer(request: &Request, watch: Option<&dyn Watch>) -> Result<Answer, Error> {
            match request.operation {
                $($number => $path(request, watch),)*
                $(#[cfg(feature = "all-operations")]
                $other => $other_path(request, watch),)*
                other => Err(Error::BadArgument(format!("there is no operation {other}"))),
            }
        }
    };
}

operations! {
    1 => INFORMATION information;
    2 => POWMOD power::powmod;
    3 => INVERT power::invert;
    4 => MODULUS power::modulus;
    6 => MODULUS_POW power::modulus_pow;
    7 => MODULUS_INVERT power::modulus_invert;
    and with all_operations:
    5 => SECRET_MODULUS secret::secret_modulus;
    8 => LIST more_powers::list;
    9 => MODULUS_LIST more_powers::modulus_list;
    10 => MODULUS_PRODUCT more_powers::modulus_product;
    11 => INVERT_LIST more_powers::invert_list;
    12 => FIXED_BASE fixed_base::make;
    13 => FIXED_BASE_POW fixed_base::pow;
    14 => FIXED_BASE_LIST fixed_base::list;
    15 => FIXED_BASE_SAVE fixed_base::save;
    16 => FIXED_BASE_LOAD fixed_base::load;
    17 => FIXED_BASE_FACTS fixed_base::facts;
    18 => FIXED_BASE_POW_SEC fixed_base::pow_sec;
    19 => MODULUS_POW_SEC secret::pow_sec;
    20 => EXPLAIN more_powers::explain;
    21 => IS_PRIME primes::test;
    22 => NEXT_PRIME primes::next;
    23 => PREVIOUS_PRIME primes::previous;
    24 => RANDOM_PRIME primes::random;
    25 => RANDOM_SECRET_PRIME primes::random_secret;
    26 => PRIME_PAIR primes::pair;
    27 => JACOBI primes::jacobi;
    28 => LOAD_KEY signature::load;
    29 => RSA_KEY signature::rsa;
    30 => DSA_KEY signature::dsa;
    31 => VERIFY signature::verify;
    32 => KEY_FACTS signature::facts;
    33 => EXPLAIN_LIST more_powers::explain_list;
    34 => MODULUS_POW_SEC_LIST secret::pow_sec_list;
    35 => FIXED_BASE_POW_SEC_LIST fixed_base::pow_sec_list;
    36 => SQUARING more_powers::squaring;
    37 => ESTIMATE_PRIME primes::estimate;
    38 => POW_PRODUCT_LIST more_powers::product_list;
    39 => MUL_LIST more_powers::mul_list;
    40 => SQUARE_LIST more_powers::square_list;
    41 => PRODUCT more_powers::product_of_values;
    42 => RUNNING_PRODUCT more_powers::running_product;
    43 => EXPLAIN_PRODUCT more_powers::explain_product;
    44 => EXPLAIN_PRODUCT_LIST more_powers::explain_product_list;
    45 => EXPLAIN_REPEATED_SQUARE more_powers::explain_squaring;
    46 => EXPLAIN_FIXED_BASE fixed_base::explain;
    47 => PRIMES_BETWEEN primes::between;
    48 => CERTIFY primes::certificate;
    49 => CHECK_CERTIFICATE primes::check;
    50 => RANDOM_PROVED_PRIME primes::proved;
    51 => KRONECKER primes::kronecker_symbol;
    52 => SQRT_MOD primes::root;
    53 => SQRT_MOD_ALL primes::roots;
    54 => SQRT_MOD_LIST primes::root_list;
    55 => PROVE_SQUARING proofs::prove;
    56 => VERIFY_SQUARING proofs::verify;
    57 => VALIDATE_KEY signature::validate;
    58 => KEY_WEAKNESSES signature::weaknesses;
    59 => EXPLAIN_VERIFY_LIST signature::explain;
    60 => VERIFY_SQUARING_LIST proofs::verify_list;
}

/// The version, and the kernel of a power with a modulus and an exponent of 2048 bits, a line each.
fn information(_: &Request, _: Option<&dyn Watch>) -> Result<Answer, Error> {
    let ones = |bits: u64| Natural::from_le_bytes(&vec![0xff; (bits / 8) as usize]);
    let modulus = Modulus::new(ones(2048))?;
    let plan = modulus.plan(&Integer::from(3u64), &ones(2048).into(), &Default::default())?.to_string();
    let kernel = plan.split_once(" on ").map_or(plan.as_str(), |(_, kernel)| kernel);
    let kernel = kernel.split_once('(').map_or(kernel, |(name, _)| name);
    Ok(Answer::Text(format!("{}\n{kernel}", env!("CARGO_PKG_VERSION"))))
}

/// Error: `bad_argument` if the object of the call is another one.
fn modulus(request: &Request) -> Result<&Modulus, Error> {
    match &request.subject {
        Some(Handle::Modulus(modulus)) => Ok(modulus),
        _ => Err(Error::BadArgument("the object is not a Modulus".into())),
    }
}

/// Error: `bad_argument` if the object of the call is another one.
#[cfg(feature = "all-operations")]
fn fixed(request: &Request) -> Result<&FixedBase, Error> {
    match &request.subject {
        Some(Handle::FixedBase(fixed)) => Ok(fixed),
        _ => Err(Error::BadArgument("the object is not a FixedBase".into())),
    }
}

/// Error: `bad_argument` if the object of the call is another one.
#[cfg(feature = "all-operations")]
fn key(request: &Request) -> Result<&PublicKey, Error> {
    match &request.subject {
        Some(Handle::Key(key)) => Ok(key),
        _ => Err(Error::BadArgument("the object is not a PublicKey".into())),
    }
}
