//go:build cgo

package abi

/*
#include <pingala.h>

// The library calls nothing of Go, and keeps nothing but the words of set_watch, which are pinned.
#cgo noescape pingala_powmod_limbs
#cgo nocallback pingala_powmod_limbs
#cgo noescape pingala_modulus_pow_limbs
#cgo nocallback pingala_modulus_pow_limbs
#cgo noescape pingala_fixed_base_pow_limbs
#cgo nocallback pingala_fixed_base_pow_limbs
*/
import "C"

import "unsafe"

// The linker, or the loader, has found the library before the program runs.
func load() error { return nil }

func number() int { return int(C.pingala_abi()) }

// limbs is the beginning of a number, and size its length.
func limbs(words Words) *C.uint64_t { return (*C.uint64_t)(at(words)) }

func size[T any](slice []T) C.size_t { return C.size_t(len(slice)) }

func chars(text []byte) *C.char { return (*C.char)(at(text)) }

func signs(flags []byte) *C.uint8_t { return (*C.uint8_t)(at(flags)) }

func statuses(of []int32) *C.int32_t { return (*C.int32_t)(at(of)) }

func modulus(m Handle) *C.pingala_modulus { return (*C.pingala_modulus)(m) }

func fixed(f Handle) *C.pingala_fixed_base { return (*C.pingala_fixed_base)(f) }

func options(o Handle) *C.pingala_options { return (*C.pingala_options)(o) }

func (why *Why) chars() *C.char { return (*C.char)(unsafe.Pointer(why)) }

func (why *Why) size() C.size_t {
	if why == nil {
		return 0
	}
	return C.size_t(len(why))
}

// Version is that of the library.
func Version() string { return C.GoString(C.pingala_version()) }

// Name is the stable name of a status.
func Name(status int32) string { return C.GoString(C.pingala_status_name(C.int32_t(status))) }

func OptionsNew(why *Why) (Handle, int32) {
	var made *C.pingala_options
	status := C.pingala_options_new(&made, why.chars(), why.size())
	return Handle(made), int32(status)
}

func OptionsFree(o Handle) { C.pingala_options_free(options(o)) }

func OptionsSetThreads(o Handle, threads int) int32 {
	return int32(C.pingala_options_set_threads(options(o), C.size_t(threads)))
}

// OptionsSetKernel takes a text with a zero byte at its end, as all texts here.
func OptionsSetKernel(o Handle, kernel []byte) int32 {
	return int32(C.pingala_options_set_kernel(options(o), chars(kernel)))
}

func OptionsSetPlan(o Handle, plan []byte) int32 {
	return int32(C.pingala_options_set_plan(options(o), chars(plan)))
}

func OptionsSetMemory(o Handle, bytes uint64) int32 {
	return int32(C.pingala_options_set_memory(options(o), C.uint64_t(bytes)))
}

func OptionsSetBlinding(o Handle, blinding uint32) int32 {
	return int32(C.pingala_options_set_blinding(options(o), C.uint32_t(blinding)))
}

func OptionsSetLimits(o Handle, modulusBits, exponentBits uint64) int32 {
	return int32(C.pingala_options_set_limits(options(o), C.uint64_t(modulusBits), C.uint64_t(exponentBits)))
}

// OptionsSetWatch keeps both addresses: the caller pins them until he frees the options.
func OptionsSetWatch(o Handle, stop *uint32, done *uint64) int32 {
	return int32(C.pingala_options_set_watch(options(o), (*C.uint32_t)(stop), (*C.uint64_t)(done)))
}

func ModulusNew(value, factors Words, width int, multiplicities []uint32, o Handle, why *Why) (Handle, int32) {
	var made *C.pingala_modulus
	status := C.pingala_modulus_new_factored_limbs(&made, limbs(value), size(value),
		limbs(factors), C.size_t(width), (*C.uint32_t)(at(multiplicities)), size(multiplicities), options(o), why.chars(), why.size())
	return Handle(made), int32(status)
}

func ModulusFree(m Handle) { C.pingala_modulus_free(modulus(m)) }

func ModulusBits(m Handle) uint64 { return uint64(C.pingala_modulus_bits(modulus(m))) }

func ModulusValue(m Handle, out Words, why *Why) int32 {
	return int32(C.pingala_modulus_value_limbs(modulus(m), limbs(out), size(out), why.chars(), why.size()))
}

func Powmod(out, base, exponent, m Words, flags uint32, o Handle, why *Why) int32 {
	return int32(C.pingala_powmod_limbs(limbs(out), size(out), limbs(base), size(base), limbs(exponent), size(exponent),
		limbs(m), size(m), C.uint32_t(flags), options(o), why.chars(), why.size()))
}

func ModulusPow(m Handle, out, base, exponent Words, flags uint32, o Handle, why *Why) int32 {
	return int32(C.pingala_modulus_pow_limbs(modulus(m), limbs(out), size(out), limbs(base), size(base),
		limbs(exponent), size(exponent), C.uint32_t(flags), options(o), why.chars(), why.size()))
}

func ModulusInvert(m Handle, out, value Words, flags uint32, why *Why) int32 {
	return int32(C.pingala_modulus_invert_limbs(modulus(m), limbs(out), size(out), limbs(value), size(value),
		C.uint32_t(flags), why.chars(), why.size()))
}

func PowList(out Words, outWidth int, bases Words, baseWidth int, exponents Words, exponentWidth int, moduli []Handle,
	modulusOf []uint32, status []int32, flags []byte, o Handle, why *Why) int32 {
	return int32(C.pingala_pow_list_limbs(limbs(out), C.size_t(outWidth), limbs(bases), C.size_t(baseWidth),
		limbs(exponents), C.size_t(exponentWidth), (**C.pingala_modulus)(at(moduli)), size(moduli),
		(*C.uint32_t)(at(modulusOf)), size(status), statuses(status), signs(flags), options(o), why.chars(), why.size()))
}

// PowProductList has as many products as there are ends.
func PowProductList(m Handle, out, bases, exponents Words, exponentWidth, factorCount int, ends []uint64, status []int32, flags []byte,
	o Handle, why *Why) int32 {
	return int32(C.pingala_modulus_pow_product_list_limbs(modulus(m), limbs(out), limbs(bases), limbs(exponents),
		C.size_t(exponentWidth), C.size_t(factorCount), (*C.uint64_t)(at(ends)), size(ends), statuses(status), signs(flags),
		options(o), why.chars(), why.size()))
}

func PowExpList(m Handle, out, base Words, baseFlags uint32, exponents Words, exponentWidth int, status []int32,
	flags []byte, o Handle, why *Why) int32 {
	return int32(C.pingala_modulus_pow_exp_list_limbs(modulus(m), limbs(out), limbs(base), size(base), C.uint32_t(baseFlags),
		limbs(exponents), C.size_t(exponentWidth), size(status), statuses(status), signs(flags), options(o), why.chars(), why.size()))
}

func PowBaseList(m Handle, out, bases, exponent Words, exponentFlags uint32, status []int32, flags []byte, o Handle, why *Why) int32 {
	return int32(C.pingala_modulus_pow_base_list_limbs(modulus(m), limbs(out), limbs(bases), limbs(exponent), size(exponent),
		C.uint32_t(exponentFlags), size(status), statuses(status), signs(flags), options(o), why.chars(), why.size()))
}

func InvertList(m Handle, out, values Words, status []int32, flags []byte, o Handle, why *Why) int32 {
	return int32(C.pingala_modulus_invert_list_limbs(modulus(m), limbs(out), limbs(values), size(status), statuses(status),
		signs(flags), options(o), why.chars(), why.size()))
}

func PowProduct(m Handle, out, bases, exponents Words, exponentWidth, count int, flags []byte, o Handle, why *Why) int32 {
	return int32(C.pingala_modulus_pow_product_limbs(modulus(m), limbs(out), size(out), limbs(bases), limbs(exponents),
		C.size_t(exponentWidth), C.size_t(count), signs(flags), options(o), why.chars(), why.size()))
}

func RepeatedSquare(m Handle, out, base Words, squarings uint64, flags uint32, checkpoint []byte, everyMilliseconds uint64,
	o Handle, why *Why) int32 {
	return int32(C.pingala_modulus_repeated_square_limbs(modulus(m), limbs(out), size(out), limbs(base), size(base),
		C.uint64_t(squarings), C.uint32_t(flags), chars(checkpoint), C.uint64_t(everyMilliseconds), options(o), why.chars(), why.size()))
}

func FixedBaseNew(m Handle, base Words, flags uint32, exponentBits, memoryBytes, uses uint64, inLists uint32,
	o Handle, why *Why) (Handle, int32) {
	var made *C.pingala_fixed_base
	status := C.pingala_fixed_base_new_limbs(&made, modulus(m), limbs(base), size(base),
		C.uint32_t(flags), C.uint64_t(exponentBits), C.uint64_t(memoryBytes), C.uint64_t(uses), C.uint32_t(inLists),
		options(o), why.chars(), why.size())
	return Handle(made), int32(status)
}

// FixedBaseLoad takes nil for any modulus.
func FixedBaseLoad(path []byte, expected, o Handle, why *Why) (Handle, int32) {
	var made *C.pingala_fixed_base
	status := C.pingala_fixed_base_load(&made, chars(path), modulus(expected),
		options(o), why.chars(), why.size())
	return Handle(made), int32(status)
}

func FixedBaseSave(f Handle, path []byte, why *Why) int32 {
	return int32(C.pingala_fixed_base_save(fixed(f), chars(path), why.chars(), why.size()))
}

func FixedBaseVerify(f, o Handle, why *Why) int32 {
	return int32(C.pingala_fixed_base_verify(fixed(f), options(o), why.chars(), why.size()))
}

func FixedBaseFree(f Handle) { C.pingala_fixed_base_free(fixed(f)) }

func FixedBaseModulus(f Handle, why *Why) (Handle, int32) {
	var made *C.pingala_modulus
	status := C.pingala_fixed_base_modulus(fixed(f), &made, why.chars(), why.size())
	return Handle(made), int32(status)
}

func FixedBaseExponentBits(f Handle) uint64 {
	return uint64(C.pingala_fixed_base_exponent_bits(fixed(f)))
}

func FixedBaseTableBytes(f Handle) uint64 { return uint64(C.pingala_fixed_base_table_bytes(fixed(f))) }

func FixedBaseBase(f Handle, out Words, why *Why) int32 {
	return int32(C.pingala_fixed_base_base_limbs(fixed(f), limbs(out), size(out), why.chars(), why.size()))
}

func FixedBasePow(f Handle, out, exponent Words, flags uint32, o Handle, why *Why) int32 {
	return int32(C.pingala_fixed_base_pow_limbs(fixed(f), limbs(out), size(out), limbs(exponent), size(exponent),
		C.uint32_t(flags), options(o), why.chars(), why.size()))
}

func FixedBasePowList(f Handle, out, exponents Words, exponentWidth int, status []int32, flags []byte, o Handle, why *Why) int32 {
	return int32(C.pingala_fixed_base_pow_list_limbs(fixed(f), limbs(out), limbs(exponents), C.size_t(exponentWidth),
		size(status), statuses(status), signs(flags), options(o), why.chars(), why.size()))
}

func PowSecretList(m Handle, out, bases, exponents Words, exponentWidth int, exponentBits uint64, exponentCount int, status []int32, o Handle, why *Why) int32 {
	return int32(C.pingala_modulus_pow_sec_list_limbs(modulus(m), limbs(out), limbs(bases), limbs(exponents), C.size_t(exponentWidth),
		C.uint64_t(exponentBits), C.size_t(exponentCount), size(status), statuses(status), options(o), why.chars(), why.size()))
}

func FixedBasePowSecretList(f Handle, out, exponents Words, exponentWidth int, exponentBits uint64, status []int32, o Handle, why *Why) int32 {
	return int32(C.pingala_fixed_base_pow_sec_list_limbs(fixed(f), limbs(out), limbs(exponents), C.size_t(exponentWidth),
		C.uint64_t(exponentBits), size(status), statuses(status), options(o), why.chars(), why.size()))
}

func fixedExponent(f Handle) *C.pingala_fixed_exponent { return (*C.pingala_fixed_exponent)(f) }

func fixedPower(p Handle) *C.pingala_fixed_power { return (*C.pingala_fixed_power)(p) }

func FixedExponentSearch(exponent Words, moves, milliseconds, seed uint64, o Handle, why *Why) (Handle, int32) {
	var made *C.pingala_fixed_exponent
	status := C.pingala_fixed_exponent_search_limbs(&made, limbs(exponent), size(exponent), C.uint64_t(moves),
		C.uint64_t(milliseconds), C.uint64_t(seed), options(o), why.chars(), why.size())
	return Handle(made), int32(status)
}

func FixedExponentLoad(path []byte, why *Why) (Handle, int32) {
	var made *C.pingala_fixed_exponent
	status := C.pingala_fixed_exponent_load(&made, chars(path), why.chars(), why.size())
	return Handle(made), int32(status)
}

func FixedExponentSave(f Handle, path []byte, why *Why) int32 {
	return int32(C.pingala_fixed_exponent_save(fixedExponent(f), chars(path), why.chars(), why.size()))
}

func FixedExponentFree(f Handle) { C.pingala_fixed_exponent_free(fixedExponent(f)) }

func FixedExponentLength(f Handle) uint64 {
	return uint64(C.pingala_fixed_exponent_length(fixedExponent(f)))
}

func FixedExponentBits(f Handle) uint64 {
	return uint64(C.pingala_fixed_exponent_bits(fixedExponent(f)))
}

func FixedExponentValue(f Handle, out Words, why *Why) int32 {
	return int32(C.pingala_fixed_exponent_value_limbs(fixedExponent(f), limbs(out), size(out), why.chars(), why.size()))
}

// FixedExponentExplain says how much room the text needs.
func FixedExponentExplain(f, m Handle, text []byte, why *Why) (needed int, status int32) {
	var room C.size_t
	result := C.pingala_fixed_exponent_explain(fixedExponent(f), modulus(m), chars(text), size(text), &room, why.chars(), why.size())
	return int(room), int32(result)
}

func FixedExponentModulo(f, m Handle, why *Why) (Handle, int32) {
	var made *C.pingala_fixed_power
	status := C.pingala_fixed_exponent_modulo(fixedExponent(f), modulus(m), &made, why.chars(), why.size())
	return Handle(made), int32(status)
}

func FixedPowerFree(p Handle) { C.pingala_fixed_power_free(fixedPower(p)) }

func FixedPowerPow(p Handle, out, base Words, flags uint32, o Handle, why *Why) int32 {
	return int32(C.pingala_fixed_power_pow_limbs(fixedPower(p), limbs(out), size(out), limbs(base), size(base), C.uint32_t(flags),
		options(o), why.chars(), why.size()))
}

func FixedPowerPowList(p Handle, out, bases Words, status []int32, flags []byte, o Handle, why *Why) int32 {
	return int32(C.pingala_fixed_power_pow_list_limbs(fixedPower(p), limbs(out), limbs(bases), size(status), statuses(status),
		signs(flags), options(o), why.chars(), why.size()))
}

func bytes8(of []byte) *C.uint8_t { return (*C.uint8_t)(at(of)) }

func key(k Handle) *C.pingala_key { return (*C.pingala_key)(k) }

func OptionsSetSalt(o Handle, length int64) int32 {
	return int32(C.pingala_options_set_salt(options(o), C.int64_t(length)))
}

func KeyNewDSA(p, q, g, y []byte, why *Why) (Handle, int32) {
	var made *C.pingala_key
	status := C.pingala_key_new_dsa_be(&made, bytes8(p), size(p), bytes8(q), size(q), bytes8(g), size(g), bytes8(y), size(y),
		why.chars(), why.size())
	return Handle(made), int32(status)
}

func KeyNewRSA(n, e []byte, why *Why) (Handle, int32) {
	var made *C.pingala_key
	status := C.pingala_key_new_rsa_be(&made, bytes8(n), size(n), bytes8(e), size(e), why.chars(), why.size())
	return Handle(made), int32(status)
}

func KeyLoad(data []byte, why *Why) (Handle, int32) {
	var made *C.pingala_key
	status := C.pingala_key_load(&made, bytes8(data), size(data), why.chars(), why.size())
	return Handle(made), int32(status)
}

func KeyFree(k Handle) { C.pingala_key_free(key(k)) }

func KeyKind(k Handle) uint32 { return uint32(C.pingala_key_kind(key(k))) }

func KeyBits(k Handle) uint64 { return uint64(C.pingala_key_bits(key(k))) }

func KeyScheme(k Handle, scheme uint32) uint32 {
	return uint32(C.pingala_key_scheme(key(k), C.uint32_t(scheme)))
}

func KeySalt(k Handle) int64 { return int64(C.pingala_key_salt(key(k))) }

func KeyWeaknesses(k Handle, scheme uint32) uint32 {
	return uint32(C.pingala_key_weaknesses(key(k), C.uint32_t(scheme)))
}

func KeyValidate(k Handle, depth uint32, o Handle, why *Why) (defects uint32, status int32) {
	var found C.uint32_t
	result := C.pingala_key_validate(key(k), C.uint32_t(depth), &found, options(o), why.chars(), why.size())
	return uint32(found), int32(result)
}

func Hash(out []byte, scheme uint32, message []byte, why *Why) int32 {
	return int32(C.pingala_hash(bytes8(out), size(out), nil, C.uint32_t(scheme), bytes8(message), size(message), why.chars(), why.size()))
}

func VerifyList(verdicts []byte, status []int32, keys []Handle, keyOf []uint32, digests []byte, width int, signatures []byte,
	ends []uint64, scheme uint32, o Handle, why *Why) int32 {
	return int32(C.pingala_verify_list(bytes8(verdicts), statuses(status), (**C.pingala_key)(at(keys)), (*C.uint32_t)(at(keyOf)),
		bytes8(digests), C.size_t(width), bytes8(signatures), (*C.uint64_t)(at(ends)), size(ends), C.uint32_t(scheme), options(o),
		why.chars(), why.size()))
}

// ExplainVerifyList says how much room the whole text needs.
func ExplainVerifyList(text []byte, keys []Handle, keyOf []uint32, digests []byte, width int, signatures []byte, ends []uint64,
	scheme uint32, o Handle, why *Why) (needed int, status int32) {
	var room C.size_t
	result := C.pingala_explain_verify_list(chars(text), size(text), &room, (**C.pingala_key)(at(keys)), (*C.uint32_t)(at(keyOf)),
		bytes8(digests), C.size_t(width), bytes8(signatures), (*C.uint64_t)(at(ends)), size(ends), C.uint32_t(scheme), options(o),
		why.chars(), why.size())
	return int(room), int32(result)
}
