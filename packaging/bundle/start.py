"""The program as the bundle starts it."""

import sys

from anonymizer_gui.__main__ import main

sys.exit(main())
