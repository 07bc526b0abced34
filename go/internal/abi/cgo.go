//go:build cgo

package abi

// The linker, or the loader, has found the library before the program runs.
func load() error { return nil }
