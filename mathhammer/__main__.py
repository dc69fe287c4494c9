"""`python -m mathhammer`."""

import sys

from mathhammer.cli import main

sys.exit(main())
