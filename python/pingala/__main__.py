"""The command `pingala`, also as `python -m pingala`."""

import signal
import sys

from ._pingala import _main


def main() -> int:
    """Run the command with this process's arguments and return its exit status."""
    # The command ends the process itself on Ctrl-C. Who started it with SIGINT ignored wants it ignored.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _main(["pingala", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
