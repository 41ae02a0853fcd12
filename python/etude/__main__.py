"""The program, as `python -m etude`."""

import subprocess
import sys

from ._program import program

if __name__ == "__main__":
    sys.exit(subprocess.run([program(), *sys.argv[1:]]).returncode)
