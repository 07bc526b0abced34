//go:build !cgo && !windows

package abi

import (
	"runtime"

	"github.com/ebitengine/purego"
)

// What the loader looks for: with the number of the interface, which a change that breaks programs changes.
var fileName = map[string]string{"darwin": "libpingala.1.dylib"}[runtime.GOOS]

func init() {
	if fileName == "" {
		fileName = "libpingala.so.1"
	}
}

func open(path string) (uintptr, error) {
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

func find(library uintptr, name string) (uintptr, error) { return purego.Dlsym(library, name) }
