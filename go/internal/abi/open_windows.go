//go:build !cgo

package abi

import "syscall"

const fileName = "pingala.dll"

func open(path string) (uintptr, error) {
	library, err := syscall.LoadLibrary(path)
	return uintptr(library), err
}

func find(library uintptr, name string) (uintptr, error) {
	return syscall.GetProcAddress(syscall.Handle(library), name)
}
