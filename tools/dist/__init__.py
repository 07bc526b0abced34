"""What a release hands out, built and tried on one machine: `make dist`."""
