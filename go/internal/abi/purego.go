//go:build !cgo

package abi

import (
	"fmt"
	"os"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Addresses of the functions of the C library.
var c struct {
	abi, version, statusName                                                 uintptr
	optionsNew, optionsFree, setThreads, setKernel, setPlan, setMemory       uintptr
	setLimits, setWatch, setBlinding                                         uintptr
	modulusNew, modulusFree, modulusBits, modulusValue                       uintptr
	powmod, modulusPow, modulusInvert                                        uintptr
	powList, powExpList, powBaseList, invertList, powProduct, repeatedSquare uintptr
	fixedNew, fixedLoad, fixedSave, fixedVerify, fixedFree, fixedModulus     uintptr
	fixedExponentBits, fixedTableBytes, fixedBase, fixedPow, fixedPowList    uintptr
	powSecretList, fixedPowSecretList                                        uintptr
	setSalt, keyNewDSA, keyNewRSA, keyLoad, keyFree, keyKind, keyBits        uintptr
	keyWeaknesses, keyValidate, hash, verifyList, explainVerifyList          uintptr
	exponentSearch, exponentLoad, exponentSave, exponentFree, exponentLength uintptr
	exponentBits, exponentValue, exponentExplain, exponentModulo, powerFree  uintptr
	powerPow, powerPowList, powProductList, keyScheme, keySalt               uintptr
}

var symbols = map[string]*uintptr{
	"pingala_abi":                            &c.abi,
	"pingala_version":                        &c.version,
	"pingala_status_name":                    &c.statusName,
	"pingala_options_new":                    &c.optionsNew,
	"pingala_options_free":                   &c.optionsFree,
	"pingala_options_set_threads":            &c.setThreads,
	"pingala_options_set_kernel":             &c.setKernel,
	"pingala_options_set_plan":               &c.setPlan,
	"pingala_options_set_memory":             &c.setMemory,
	"pingala_options_set_blinding":           &c.setBlinding,
	"pingala_options_set_limits":             &c.setLimits,
	"pingala_options_set_watch":              &c.setWatch,
	"pingala_modulus_new_factored_limbs":     &c.modulusNew,
	"pingala_modulus_free":                   &c.modulusFree,
	"pingala_modulus_bits":                   &c.modulusBits,
	"pingala_modulus_value_limbs":            &c.modulusValue,
	"pingala_powmod_limbs":                   &c.powmod,
	"pingala_modulus_pow_limbs":              &c.modulusPow,
	"pingala_modulus_invert_limbs":           &c.modulusInvert,
	"pingala_pow_list_limbs":                 &c.powList,
	"pingala_modulus_pow_exp_list_limbs":     &c.powExpList,
	"pingala_modulus_pow_base_list_limbs":    &c.powBaseList,
	"pingala_modulus_invert_list_limbs":      &c.invertList,
	"pingala_modulus_pow_product_limbs":      &c.powProduct,
	"pingala_modulus_repeated_square_limbs":  &c.repeatedSquare,
	"pingala_fixed_base_new_limbs":           &c.fixedNew,
	"pingala_fixed_base_load":                &c.fixedLoad,
	"pingala_fixed_base_save":                &c.fixedSave,
	"pingala_fixed_base_verify":              &c.fixedVerify,
	"pingala_fixed_base_free":                &c.fixedFree,
	"pingala_fixed_base_modulus":             &c.fixedModulus,
	"pingala_fixed_base_exponent_bits":       &c.fixedExponentBits,
	"pingala_fixed_base_table_bytes":         &c.fixedTableBytes,
	"pingala_fixed_base_base_limbs":          &c.fixedBase,
	"pingala_fixed_base_pow_limbs":           &c.fixedPow,
	"pingala_fixed_base_pow_list_limbs":      &c.fixedPowList,
	"pingala_modulus_pow_sec_list_limbs":     &c.powSecretList,
	"pingala_fixed_base_pow_sec_list_limbs":  &c.fixedPowSecretList,
	"pingala_options_set_salt":               &c.setSalt,
	"pingala_key_new_dsa_be":                 &c.keyNewDSA,
	"pingala_key_new_rsa_be":                 &c.keyNewRSA,
	"pingala_key_load":                       &c.keyLoad,
	"pingala_key_free":                       &c.keyFree,
	"pingala_key_kind":                       &c.keyKind,
	"pingala_key_bits":                       &c.keyBits,
	"pingala_key_weaknesses":                 &c.keyWeaknesses,
	"pingala_key_scheme":                     &c.keyScheme,
	"pingala_key_salt":                       &c.keySalt,
	"pingala_modulus_pow_product_list_limbs": &c.powProductList,
	"pingala_key_validate":                   &c.keyValidate,
	"pingala_hash":                           &c.hash,
	"pingala_verify_list":                    &c.verifyList,
	"pingala_explain_verify_list":            &c.explainVerifyList,
	"pingala_fixed_exponent_search_limbs":    &c.exponentSearch,
	"pingala_fixed_exponent_load":            &c.exponentLoad,
	"pingala_fixed_exponent_save":            &c.exponentSave,
	"pingala_fixed_exponent_free":            &c.exponentFree,
	"pingala_fixed_exponent_length":          &c.exponentLength,
	"pingala_fixed_exponent_bits":            &c.exponentBits,
	"pingala_fixed_exponent_value_limbs":     &c.exponentValue,
	"pingala_fixed_exponent_explain":         &c.exponentExplain,
	"pingala_fixed_exponent_modulo":          &c.exponentModulo,
	"pingala_fixed_power_free":               &c.powerFree,
	"pingala_fixed_power_pow_limbs":          &c.powerPow,
	"pingala_fixed_power_pow_list_limbs":     &c.powerPowList,
}

// load opens the library that PINGALA_LIBRARY names, otherwise the one that the system's loader finds.
func load() error {
	path := fileName
	if named := os.Getenv("PINGALA_LIBRARY"); named != "" {
		path = named
	}
	library, err := open(path)
	if err != nil {
		return fmt.Errorf("%w; the variable PINGALA_LIBRARY can name the file", err)
	}
	for name, address := range symbols {
		if *address, err = find(library, name); err != nil {
			return fmt.Errorf("%s has no function %s: %w", path, name, err)
		}
	}
	return nil
}

// call is for functions without memory of Go; the others write their conversions into the call of SyscallN, which keeps that
// memory in its place.
func call(function uintptr, arguments ...uintptr) uintptr {
	result, _, _ := purego.SyscallN(function, arguments...)
	return result
}

func number() int { return int(uint32(call(c.abi))) }

// foreign is the text at an address that a C function returned.
func foreign(address uintptr) string { return text(*(*unsafe.Pointer)(unsafe.Pointer(&address))) }

func (why *Why) size() uintptr {
	if why == nil {
		return 0
	}
	return uintptr(len(why))
}

func size[T any](slice []T) uintptr { return uintptr(len(slice)) }

// Version is that of the library.
func Version() string { return foreign(call(c.version)) }

// Name is the stable name of a status.
func Name(status int32) string { return foreign(call(c.statusName, uintptr(uint32(status)))) }

func OptionsNew(why *Why) (Handle, int32) {
	var made Handle
	result, _, _ := purego.SyscallN(c.optionsNew, uintptr(unsafe.Pointer(&made)), uintptr(unsafe.Pointer(why)), why.size())
	return made, int32(result)
}

func OptionsFree(o Handle) { call(c.optionsFree, uintptr(o)) }

func OptionsSetThreads(o Handle, threads int) int32 {
	return int32(call(c.setThreads, uintptr(o), uintptr(threads)))
}

// OptionsSetKernel takes a text with a zero byte at its end, as all texts here.
func OptionsSetKernel(o Handle, kernel []byte) int32 {
	result, _, _ := purego.SyscallN(c.setKernel, uintptr(o), uintptr(at(kernel)))
	return int32(result)
}

func OptionsSetPlan(o Handle, plan []byte) int32 {
	result, _, _ := purego.SyscallN(c.setPlan, uintptr(o), uintptr(at(plan)))
	return int32(result)
}

func OptionsSetMemory(o Handle, bytes uint64) int32 {
	return int32(call(c.setMemory, uintptr(o), uintptr(bytes)))
}

func OptionsSetBlinding(o Handle, blinding uint32) int32 {
	return int32(call(c.setBlinding, uintptr(o), uintptr(blinding)))
}

func OptionsSetLimits(o Handle, modulusBits, exponentBits uint64) int32 {
	return int32(call(c.setLimits, uintptr(o), uintptr(modulusBits), uintptr(exponentBits)))
}

// OptionsSetWatch keeps both addresses: the caller pins them until he frees the options.
func OptionsSetWatch(o Handle, stop *uint32, done *uint64) int32 {
	result, _, _ := purego.SyscallN(c.setWatch, uintptr(o), uintptr(unsafe.Pointer(stop)), uintptr(unsafe.Pointer(done)))
	return int32(result)
}

func ModulusNew(value, factors Words, width int, multiplicities []uint32, o Handle, why *Why) (Handle, int32) {
	var made Handle
	result, _, _ := purego.SyscallN(c.modulusNew, uintptr(unsafe.Pointer(&made)), uintptr(at(value)), size(value),
		uintptr(at(factors)), uintptr(width), uintptr(at(multiplicities)), size(multiplicities), uintptr(o),
		uintptr(unsafe.Pointer(why)), why.size())
	return made, int32(result)
}

func ModulusFree(m Handle) { call(c.modulusFree, uintptr(m)) }

func ModulusBits(m Handle) uint64 { return uint64(call(c.modulusBits, uintptr(m))) }

func ModulusValue(m Handle, out Words, why *Why) int32 {
	result, _, _ := purego.SyscallN(c.modulusValue, uintptr(m), uintptr(at(out)), size(out), uintptr(unsafe.Pointer(why)),
		why.size())
	return int32(result)
}

func Powmod(out, base, exponent, m Words, flags uint32, o Handle, why *Why) int32 {
	result, _, _ := purego.SyscallN(c.powmod, uintptr(at(out)), size(out), uintptr(at(base)), size(base),
		uintptr(at(exponent)), size(exponent), uintptr(at(m)), size(m), uintptr(flags), uintptr(o),
		uintptr(unsafe.Pointer(why)), why.size())
	return int32(result)
}

func ModulusPow(m Handle, out, base, exponent Words, flags uint32, o Handle, why *Why) int32 {
	result, _, _ := purego.SyscallN(c.modulusPow, uintptr(m), uintptr(at(out)), size(out), uintptr(at(base)), size(base),
		uintptr(at(exponent)), size(exponent), uintptr(flags), uintptr(o), uintptr(unsafe.Pointer(why)), why.size())
	return int32(result)
}

func ModulusInvert(m Handle, out, value Words, flags uint32, why *Why) int32 {
	result, _, _ := purego.SyscallN(c.modulusInvert, uintptr(m), uintptr(at(out)), size(out), uintptr(at(value)),
		size(value), uintptr(flags), uintptr(unsafe.Pointer(why)), why.size())
	return int32(result)
}

func PowList(out Words, outWidth int, bases Words, baseWidth int, exponents Words, exponentWidth int, moduli []Handle,
	modulusOf []uint32, status []int32, flags []byte, o Handle, why *Why) int32 {
	result, _, _ := purego.SyscallN(c.powList, uintptr(at(out)), uintptr(outWidth), uintptr(at(bases)),
		uintptr(baseWidth), uintptr(at(exponents)), uintptr(exponentWidth), uintptr(at(moduli)), size(moduli),
		uintptr(at(modulusOf)), size(status), uintptr(at(status)), uintptr(at(flags)), uintptr(o),
		uintptr(unsafe.Pointer(why)), why.size())
	return int32(result)
}

// PowProductList has as many products as there are ends.
func PowProductList(m Handle, out, bases, exponents Words, exponentWidth, factorCount int, ends []uint64, status []int32, flags []byte,
	o Handle, why *Why) int32 {
	result, _, _ := purego.SyscallN(c.powProductList, uintptr(m), uintptr(at(out)), uintptr(at(bases)), uintptr(at(exponents)),
		uintptr(exponentWidth), uintptr(factorCount), uintptr(at(ends)), size(ends), uintptr(at(status)), uintptr(at(flags)),
		uintptr(o), uintptr(unsafe.Pointer(why)), why.size())
	return int32(result)
}

func PowExpList(m Handle, out, base Words, baseFlags uint32, exponents Words, exponentWidth int, status []int32,
	flags []byte, o Handle, why *Why) int32 {
	result, _, _ := purego.SyscallN(c.powExpList, uintptr(m), uintptr(at(out)), uintptr(at(base)), size(base),
		uintptr(baseFlags), uintptr(at(exponents)), uintptr(exponentWidth), size(status), uintptr(at(status)),
		uintptr(at(flags)), uintptr(o), uintptr(unsafe.Pointer(why)), why.size())
	return int32(result)
}

func PowBaseList(m Handle, out, bases, exponent Words, exponentFlags uint32, status []int32, flags []byte, o Handle, why *Why) int32 {
	result, _, _ := purego.SyscallN(c.powBaseList, uintptr(m), uintptr(at(out)), uintptr(at(bases)),
		uintptr(at(exponent)), size(exponent), uintptr(exponentFlags), size(status), uintptr(at(status)), uintptr(at(flags)),
		uintptr(o), uintptr(unsafe.Pointer(why)), why.size())
	return int32(result)
}

func InvertList(m Handle, out, values Words, status []int32, flags []byte, o Handle, why *Why) int32 {
	result, _, _ := purego.SyscallN(c.invertList, uintptr(m), uintptr(at(out)), uintptr(at(values)), size(status),
		uintptr(at(status)), uintptr(at(flags)), uintptr(o), uintptr(unsafe.Pointer(why)), why.size())
	return int32(result)
}

func PowProduct(m Handle, out, bases, exponents Words, exponentWidth, count int, flags []byte, o Handle, why *Why) int32 {
	result, _, _ := purego.SyscallN(c.powProduct, uintptr(m), uintptr(at(out)), size(out), uintptr(at(bases)),
		uintptr(at(exponents)), uintptr(exponentWidth), uintptr(count), uintptr(at(flags)), uintptr(o),
		uintptr(unsafe.Pointer(why)), why.size())
	return int32(result)
}

func RepeatedSquare(m Handle, out, base Words, squarings uint64, flags uint32, checkpoint []byte, everyMilliseconds uint64,
	o Handle, why *Why) int32 {
	result, _, _ := purego.SyscallN(c.repeatedSquare, uintptr(m), uintptr(at(out)), size(out), uintptr(at(base)),
		size(base), uintptr(squarings), uintptr(flags), uintptr(at(checkpoint)), uintptr(everyMilliseconds), uintptr(o),
		uintptr(unsafe.Pointer(why)), why.size())
	return int32(result)
}

func FixedBaseNew(m Handle, base Words, flags uint32, exponentBits, memoryBytes, uses uint64, inLists uint32,
	o Handle, why *Why) (Handle, int32) {
	var made Handle
	result, _, _ := purego.SyscallN(c.fixedNew, uintptr(unsafe.Pointer(&made)), uintptr(m), uintptr(at(base)), size(base),
		uintptr(flags), uintptr(exponentBits), uintptr(memoryBytes), uintptr(uses), uintptr(inLists), uintptr(o),
		uintptr(unsafe.Pointer(why)), why.size())
	return made, int32(result)
}

// FixedBaseLoad takes nil for any modulus.
func FixedBaseLoad(path []byte, expected, o Handle, why *Why) (Handle, int32) {
	var made Handle
	result, _, _ := purego.SyscallN(c.fixedLoad, uintptr(unsafe.Pointer(&made)), uintptr(at(path)), uintptr(expected),
		uintptr(o), uintptr(unsafe.Pointer(why)), why.size())
	return made, int32(result)
}

func FixedBaseSave(f Handle, path []byte, why *Why) int32 {
	result, _, _ := purego.SyscallN(c.fixedSave, uintptr(f), uintptr(at(path)), uintptr(unsafe.Pointer(why)), why.size())
	return int32(result)
}

func FixedBaseVerify(f, o Handle, why *Why) int32 {
	result, _, _ := purego.SyscallN(c.fixedVerify, uintptr(f), uintptr(o), uintptr(unsafe.Pointer(why)), why.size())
	return int32(result)
}

func FixedBaseFree(f Handle) { call(c.fixedFree, uintptr(f)) }

func FixedBaseModulus(f Handle, why *Why) (Handle, int32) {
	var made Handle
	result, _, _ := purego.SyscallN(c.fixedModulus, uintptr(f), uintptr(unsafe.Pointer(&made)),
		uintptr(unsafe.Pointer(why)), why.size())
	return made, int32(result)
}

func FixedBaseExponentBits(f Handle) uint64 { return uint64(call(c.fixedExponentBits, uintptr(f))) }

func FixedBaseTableBytes(f Handle) uint64 { return uint64(call(c.fixedTableBytes, uintptr(f))) }

func FixedBaseBase(f Handle, out Words, why *Why) int32 {
	result, _, _ := purego.SyscallN(c.fixedBase, uintptr(f), uintptr(at(out)), size(out), uintptr(unsafe.Pointer(why)),
		why.size())
	return int32(result)
}

func FixedBasePow(f Handle, out, exponent Words, flags uint32, o Handle, why *Why) int32 {
	result, _, _ := purego.SyscallN(c.fixedPow, uintptr(f), uintptr(at(out)), size(out), uintptr(at(exponent)),
		size(exponent), uintptr(flags), uintptr(o), uintptr(unsafe.Pointer(why)), why.size())
	return int32(result)
}

func FixedBasePowList(f Handle, out, exponents Words, exponentWidth int, status []int32, flags []byte, o Handle, why *Why) int32 {
	result, _, _ := purego.SyscallN(c.fixedPowList, uintptr(f), uintptr(at(out)), uintptr(at(exponents)),
		uintptr(exponentWidth), size(status), uintptr(at(status)), uintptr(at(flags)), uintptr(o),
		uintptr(unsafe.Pointer(why)), why.size())
	return int32(result)
}

func PowSecretList(m Handle, out, bases, exponents Words, exponentWidth int, exponentBits uint64, exponentCount int, status []int32, o Handle, why *Why) int32 {
	result, _, _ := purego.SyscallN(c.powSecretList, uintptr(m), uintptr(at(out)), uintptr(at(bases)), uintptr(at(exponents)),
		uintptr(exponentWidth), uintptr(exponentBits), uintptr(exponentCount), size(status), uintptr(at(status)), uintptr(o),
		uintptr(unsafe.Pointer(why)), why.size())
	return int32(result)
}

func FixedBasePowSecretList(f Handle, out, exponents Words, exponentWidth int, exponentBits uint64, status []int32, o Handle, why *Why) int32 {
	result, _, _ := purego.SyscallN(c.fixedPowSecretList, uintptr(f), uintptr(at(out)), uintptr(at(exponents)), uintptr(exponentWidth),
		uintptr(exponentBits), size(status), uintptr(at(status)), uintptr(o), uintptr(unsafe.Pointer(why)), why.size())
	return int32(result)
}

func OptionsSetSalt(o Handle, length int64) int32 {
	return int32(call(c.setSalt, uintptr(o), uintptr(length)))
}

func KeyNewDSA(p, q, g, y []byte, why *Why) (Handle, int32) {
	var made Handle
	result, _, _ := purego.SyscallN(c.keyNewDSA, uintptr(unsafe.Pointer(&made)), uintptr(at(p)), size(p), uintptr(at(q)), size(q),
		uintptr(at(g)), size(g), uintptr(at(y)), size(y), uintptr(unsafe.Pointer(why)), why.size())
	return made, int32(result)
}

func KeyNewRSA(n, e []byte, why *Why) (Handle, int32) {
	var made Handle
	result, _, _ := purego.SyscallN(c.keyNewRSA, uintptr(unsafe.Pointer(&made)), uintptr(at(n)), size(n), uintptr(at(e)), size(e),
		uintptr(unsafe.Pointer(why)), why.size())
	return made, int32(result)
}

func KeyLoad(data []byte, why *Why) (Handle, int32) {
	var made Handle
	result, _, _ := purego.SyscallN(c.keyLoad, uintptr(unsafe.Pointer(&made)), uintptr(at(data)), size(data),
		uintptr(unsafe.Pointer(why)), why.size())
	return made, int32(result)
}

func KeyFree(k Handle) { call(c.keyFree, uintptr(k)) }

func KeyKind(k Handle) uint32 { return uint32(call(c.keyKind, uintptr(k))) }

func KeyBits(k Handle) uint64 { return uint64(call(c.keyBits, uintptr(k))) }

func KeyScheme(k Handle, scheme uint32) uint32 {
	return uint32(call(c.keyScheme, uintptr(k), uintptr(scheme)))
}

func KeySalt(k Handle) int64 { return int64(call(c.keySalt, uintptr(k))) }

func KeyWeaknesses(k Handle, scheme uint32) uint32 {
	return uint32(call(c.keyWeaknesses, uintptr(k), uintptr(scheme)))
}

func KeyValidate(k Handle, depth uint32, o Handle, why *Why) (defects uint32, status int32) {
	result, _, _ := purego.SyscallN(c.keyValidate, uintptr(k), uintptr(depth), uintptr(unsafe.Pointer(&defects)), uintptr(o),
		uintptr(unsafe.Pointer(why)), why.size())
	return defects, int32(result)
}

func Hash(out []byte, scheme uint32, message []byte, why *Why) int32 {
	result, _, _ := purego.SyscallN(c.hash, uintptr(at(out)), size(out), 0, uintptr(scheme), uintptr(at(message)), size(message),
		uintptr(unsafe.Pointer(why)), why.size())
	return int32(result)
}

func VerifyList(verdicts []byte, status []int32, keys []Handle, keyOf []uint32, digests []byte, width int, signatures []byte,
	ends []uint64, scheme uint32, o Handle, why *Why) int32 {
	result, _, _ := purego.SyscallN(c.verifyList, uintptr(at(verdicts)), uintptr(at(status)), uintptr(at(keys)),
		uintptr(at(keyOf)), uintptr(at(digests)), uintptr(width), uintptr(at(signatures)), uintptr(at(ends)), size(ends),
		uintptr(scheme), uintptr(o), uintptr(unsafe.Pointer(why)), why.size())
	return int32(result)
}

// ExplainVerifyList says how much room the text needs.
func ExplainVerifyList(text []byte, keys []Handle, keyOf []uint32, digests []byte, width int, signatures []byte, ends []uint64,
	scheme uint32, o Handle, why *Why) (needed int, status int32) {
	result, _, _ := purego.SyscallN(c.explainVerifyList, uintptr(at(text)), size(text), uintptr(unsafe.Pointer(&needed)),
		uintptr(at(keys)), uintptr(at(keyOf)), uintptr(at(digests)), uintptr(width), uintptr(at(signatures)), uintptr(at(ends)),
		size(ends), uintptr(scheme), uintptr(o), uintptr(unsafe.Pointer(why)), why.size())
	return needed, int32(result)
}

func FixedExponentSearch(exponent Words, moves, milliseconds, seed uint64, o Handle, why *Why) (Handle, int32) {
	var made Handle
	result, _, _ := purego.SyscallN(c.exponentSearch, uintptr(unsafe.Pointer(&made)), uintptr(at(exponent)), size(exponent),
		uintptr(moves), uintptr(milliseconds), uintptr(seed), uintptr(o), uintptr(unsafe.Pointer(why)), why.size())
	return made, int32(result)
}

func FixedExponentLoad(path []byte, why *Why) (Handle, int32) {
	var made Handle
	result, _, _ := purego.SyscallN(c.exponentLoad, uintptr(unsafe.Pointer(&made)), uintptr(at(path)), uintptr(unsafe.Pointer(why)),
		why.size())
	return made, int32(result)
}

func FixedExponentSave(f Handle, path []byte, why *Why) int32 {
	result, _, _ := purego.SyscallN(c.exponentSave, uintptr(f), uintptr(at(path)), uintptr(unsafe.Pointer(why)), why.size())
	return int32(result)
}

func FixedExponentFree(f Handle) { call(c.exponentFree, uintptr(f)) }

func FixedExponentLength(f Handle) uint64 { return uint64(call(c.exponentLength, uintptr(f))) }

func FixedExponentBits(f Handle) uint64 { return uint64(call(c.exponentBits, uintptr(f))) }

func FixedExponentValue(f Handle, out Words, why *Why) int32 {
	result, _, _ := purego.SyscallN(c.exponentValue, uintptr(f), uintptr(at(out)), size(out), uintptr(unsafe.Pointer(why)), why.size())
	return int32(result)
}

// FixedExponentExplain says how much room the text needs.
func FixedExponentExplain(f, m Handle, text []byte, why *Why) (needed int, status int32) {
	result, _, _ := purego.SyscallN(c.exponentExplain, uintptr(f), uintptr(m), uintptr(at(text)), size(text),
		uintptr(unsafe.Pointer(&needed)), uintptr(unsafe.Pointer(why)), why.size())
	return needed, int32(result)
}

func FixedExponentModulo(f, m Handle, why *Why) (Handle, int32) {
	var made Handle
	result, _, _ := purego.SyscallN(c.exponentModulo, uintptr(f), uintptr(m), uintptr(unsafe.Pointer(&made)),
		uintptr(unsafe.Pointer(why)), why.size())
	return made, int32(result)
}

func FixedPowerFree(p Handle) { call(c.powerFree, uintptr(p)) }

func FixedPowerPow(p Handle, out, base Words, flags uint32, o Handle, why *Why) int32 {
	result, _, _ := purego.SyscallN(c.powerPow, uintptr(p), uintptr(at(out)), size(out), uintptr(at(base)), size(base),
		uintptr(flags), uintptr(o), uintptr(unsafe.Pointer(why)), why.size())
	return int32(result)
}

func FixedPowerPowList(p Handle, out, bases Words, status []int32, flags []byte, o Handle, why *Why) int32 {
	result, _, _ := purego.SyscallN(c.powerPowList, uintptr(p), uintptr(at(out)), uintptr(at(bases)), size(status),
		uintptr(at(status)), uintptr(at(flags)), uintptr(o), uintptr(unsafe.Pointer(why)), why.size())
	return int32(result)
}
