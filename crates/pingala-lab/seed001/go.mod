module pingala/lab/seed001

go 1.24

require github.com/jiajunxin/multiexp v0.1.2
