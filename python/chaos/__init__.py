"""Commands and the package in trouble: `make chaos`."""
