module pingala/lab/go_multiexp

go 1.24

require github.com/jiajunxin/multiexp v0.1.2
