//! OpenSSL 3's DSA and RSA, opened at run time.

use libloading::Library;
use pingala::Natural;
use pingala_verify::PublicKey;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr::{null, null_mut};
use std::sync::OnceLock;

type Object = *mut c_void;

pub struct OpenSsl {
    library: Library,
}

/// NID_sha256 of openssl/obj_mac.h.
const SHA256: c_int = 672;

/// Calls a function of the library, which is looked up once for each place that calls it.
macro_rules! call {
    ($ssl:expr, $name:ident($($argument:expr => $kind:ty),*) -> $result:ty) => {{
        type Function = unsafe extern "C" fn($($kind),*) -> $result;
        static FUNCTION: OnceLock<Function> = OnceLock::new();
        // SAFETY: the types are those that OpenSSL 3's headers declare for this name, and the arguments are live objects of it or
        // memory of the stated length.
        unsafe {
            let function = FUNCTION.get_or_init(|| {
                let name = concat!(stringify!($name), "\0");
                *$ssl.library.get::<Function>(name.as_bytes()).expect(name)
            });
            function($($argument),*)
        }
    }};
}

impl OpenSsl {
    pub fn open() -> Result<Self, String> {
        // SAFETY: libcrypto's initialisers have no conditions.
        let library = unsafe { Library::new("libcrypto.so.3") }.map_err(|error| error.to_string())?;
        Ok(Self { library })
    }

    pub fn version(&self) -> String {
        let text = call!(self, OpenSSL_version(0 => c_int) -> *const c_char);
        // SAFETY: it is static text.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    }

    fn number(&self, bytes: &[u8]) -> Object {
        call!(self, BN_bin2bn(bytes.as_ptr() => *const u8, bytes.len() as c_int => c_int, null_mut() => Object) -> Object)
    }

    /// A key object for each key.
    pub fn dsa(&self, keys: &[PublicKey]) -> DsaKeys<'_> {
        let key = |key: &PublicKey| {
            let PublicKey::Dsa(key) = key else { unreachable!("a list of DSA") };
            let object = call!(self, DSA_new() -> Object);
            let [p, q, g, y] =
                [key.p(), key.q(), key.g(), key.y()].map(|number: &Natural| self.number(&number.to_be_bytes()));
            call!(self, DSA_set0_pqg(object => Object, p => Object, q => Object, g => Object) -> c_int);
            call!(self, DSA_set0_key(object => Object, y => Object, null_mut() => Object) -> c_int);
            object
        };
        DsaKeys { ssl: self, keys: keys.iter().map(key).collect() }
    }

    /// Keys with e = 65537.
    pub fn rsa_keys(&self, bits: u64, count: usize) -> Vec<RsaPair<'_>> {
        let e = self.number(&[1, 0, 1]);
        let key = |_| {
            let object = call!(self, RSA_new() -> Object);
            call!(self, RSA_generate_key_ex(object => Object, bits as c_int => c_int, e => Object, null_mut() => Object) -> c_int);
            RsaPair { ssl: self, key: object }
        };
        let keys = (0..count).map(key).collect();
        call!(self, BN_free(e => Object) -> ());
        keys
    }

    /// Of PKCS#1 v1.5 with SHA-256, by a new key object.
    pub fn rsa_verify(&self, n: &[u8], e: &[u8], digest: &[u8], signature: &[u8]) -> bool {
        let key = call!(self, RSA_new() -> Object);
        let (n, e) = (self.number(n), self.number(e));
        call!(self, RSA_set0_key(key => Object, n => Object, e => Object, null_mut() => Object) -> c_int);
        let verdict = call!(self, RSA_verify(
            SHA256 => c_int, digest.as_ptr() => *const u8, digest.len() as c_uint => c_uint,
            signature.as_ptr() => *const u8, signature.len() as c_uint => c_uint, key => Object
        ) -> c_int);
        call!(self, RSA_free(key => Object) -> ());
        verdict == 1
    }
}

pub struct DsaKeys<'s> {
    ssl: &'s OpenSsl,
    keys: Vec<Object>,
}

impl DsaKeys<'_> {
    pub fn verify(&self, key: usize, digest: &[u8], signature: &[u8]) -> bool {
        let (r, s) = signature.split_at(signature.len() / 2);
        let object = call!(self.ssl, DSA_SIG_new() -> Object);
        let (r, s) = (self.ssl.number(r), self.ssl.number(s));
        call!(self.ssl, DSA_SIG_set0(object => Object, r => Object, s => Object) -> c_int);
        let verdict = call!(self.ssl, DSA_do_verify(
            digest.as_ptr() => *const u8, digest.len() as c_int => c_int, object => Object, self.keys[key] => Object
        ) -> c_int);
        call!(self.ssl, DSA_SIG_free(object => Object) -> ());
        verdict == 1
    }
}

impl Drop for DsaKeys<'_> {
    fn drop(&mut self) {
        for &key in &self.keys {
            call!(self.ssl, DSA_free(key => Object) -> ());
        }
    }
}

pub struct RsaPair<'s> {
    ssl: &'s OpenSsl,
    key: Object,
}

impl RsaPair<'_> {
    pub fn sign(&self, digest: &[u8]) -> Vec<u8> {
        let mut signature = vec![0; call!(self.ssl, RSA_size(self.key => Object) -> c_int) as usize];
        let mut length: c_uint = 0;
        call!(self.ssl, RSA_sign(
            SHA256 => c_int, digest.as_ptr() => *const u8, digest.len() as c_uint => c_uint,
            signature.as_mut_ptr() => *mut u8, &raw mut length => *mut c_uint, self.key => Object
        ) -> c_int);
        signature
    }

    /// n and e.
    pub fn public(&self) -> (Vec<u8>, Vec<u8>) {
        let (mut n, mut e): (*const c_void, *const c_void) = (null(), null());
        call!(self.ssl, RSA_get0_key(
            self.key => Object, &raw mut n => *mut *const c_void, &raw mut e => *mut *const c_void,
            null_mut() => *mut *const c_void
        ) -> ());
        let bytes = |number: *const c_void| {
            let mut bytes =
                vec![0; (call!(self.ssl, BN_num_bits(number => *const c_void) -> c_int) as usize).div_ceil(8)];
            call!(self.ssl, BN_bn2bin(number => *const c_void, bytes.as_mut_ptr() => *mut u8) -> c_int);
            bytes
        };
        (bytes(n), bytes(e))
    }
}

impl Drop for RsaPair<'_> {
    fn drop(&mut self) {
        call!(self.ssl, RSA_free(self.key => Object) -> ());
    }
}
