//go:build !cgo

package abi

import (
	"fmt"
	"os"

	"github.com/ebitengine/purego"
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
		if functions[i], err = find(library, "pingala_"+name); err != nil {
			return fmt.Errorf("%s has no function pingala_%s: %w", path, name, err)
		}
	}
	return nil
}

// call calls the function with this number. The memory of pointers among the arguments stays in its place.
//
//go:uintptrescapes
func call(function int, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14 uintptr) uintptr {
	result, _, _ := purego.SyscallN(functions[function], a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14)
	return result
}
