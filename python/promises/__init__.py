"""Promises in milliseconds, measured beside the load of the machine: `make -C hardening promises`."""
