// Package abi calls the C library, by cgo or, if cgo is off, by purego. It has the functions of pingala.h that the module calls; of a
// function for bytes with a twin for limbs it has the twin. tools/go_abi.py writes these functions, the numbers of the header, and the tables by
// which cgo and purego find functions. A status is the number that the C function returned. A text for the library ends with a zero byte.
//
// Numbers are words, least significant first, as [math/big.Int.Bits] has them.
package abi

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"sync"
	"unsafe"
)

// Words of 32 bits would need copies: the limbs of the C library have 64. This line does not compile for them.
const _ = uint(bits.UintSize - 64)

// Handle is a pointer to memory of the C library.
type Handle = unsafe.Pointer

// Words is a number, or rows of numbers.
type Words = []big.Word

// Why receives the message of an error, with a zero byte at its end.
type Why [400]byte

// String is the message.
func (why *Why) String() string {
	text, _, _ := bytes.Cut(why[:], []byte{0})
	return string(text)
}

// size is the room for the message.
func (why *Why) size() int {
	if why == nil {
		return 0
	}
	return len(why)
}

// ErrNoLibrary tells that the C library was not found, or that it is older than this module.
var ErrNoLibrary = errors.New("no usable Pingala library")

// Load finds the library and compares its ABI number, once.
var Load = sync.OnceValue(func() error {
	if err := load(); err != nil {
		return fmt.Errorf("pingala: %w: %w", ErrNoLibrary, err)
	}
	if found := Abi(); found < Needed {
		return fmt.Errorf("pingala: %w: it has ABI %d; this module needs %d or later, so install a newer one", ErrNoLibrary, found, Needed)
	}
	return nil
})

// at is the address of a slice.
func at[T any](slice []T) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(slice))
}

// pointer is the address that a C function returned.
func pointer(address uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&address)) }

// text is the string at a place of C memory.
func text(begin unsafe.Pointer) string {
	length := 0
	for *(*byte)(unsafe.Add(begin, length)) != 0 {
		length++
	}
	return string(unsafe.Slice((*byte)(begin), length))
}
