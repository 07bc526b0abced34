"""Commands and the package in trouble: `make -C hardening chaos`."""
