module example.org/pingala

go 1.24

require github.com/ebitengine/purego v0.10.1
