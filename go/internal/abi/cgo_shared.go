//go:build cgo && !pingala_static

package abi

// #cgo pkg-config: pingala
import "C"
