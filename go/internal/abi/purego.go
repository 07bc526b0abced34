//go:build !cgo

package abi

import (
	"fmt"
	"os"
	"unsafe"
)

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
	for i, name := range names {
		if c[i], err = find(library, "pingala_"+name); err != nil {
			return fmt.Errorf("%s has no function pingala_%s: %w", path, name, err)
		}
	}
	return nil
}

// first is the result of a C function. The conversions of pointers stand in the call of SyscallN, which keeps Go's memory in its place.
func first(result, _, _ uintptr) uintptr { return result }

// pointer is the address that a C function returned.
func pointer(address uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&address)) }
