"""``python -m riverlog.sim``."""

from __future__ import annotations

import sys

from riverlog.sim.runner import main

sys.exit(main())
