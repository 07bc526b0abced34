// Package pingala raises numbers to powers modulo a number, by the Pingala library: one power with the contract of math/big, or
// lists, products and tables of a fixed base, which share work. Numbers are [math/big.Int].
//
// The library is linked by cgo and pkg-config; with CGO_ENABLED=0 it is loaded when it is first used, from the file that the
// variable PINGALA_LIBRARY names, or by the search path of the loader. No call falls back to math/big for a modular power: without
// the library calls return [ErrNoLibrary], and [Exp], which has no error, panics with it.
//
// A [Modulus] and a [FixedBase] never change, so any goroutines may use one at the same time. Their memory is freed after the
// garbage collector finds them unreachable, or at once by Close.
//
// The time of a call depends on its numbers. Only [Modulus.ExpSecretList], [FixedBase.ExpSecretList],
// [Options.SecretPrime] and [Options.PrimePair] are for secrets: they take or give bytes and run in constant time.
package pingala
