module pingala/lab/go_bench

go 1.24

require (
	example.org/pingala v0.0.0
	github.com/jiajunxin/multiexp v0.1.2
)

require github.com/ebitengine/purego v0.10.1 // indirect

replace example.org/pingala => ../../../go
