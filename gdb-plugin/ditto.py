# SPDX-License-Identifier: MIT
"""Time travel through recorded Java programs in gdb: `target ditto TRACE`, and `help ditto`.

Installed, gdb loads this by itself; from the tree, `gdb -x gdb-plugin/ditto.py` does.
"""
import os
import sys

_here = os.path.dirname(os.path.realpath(os.path.expanduser(__file__)))
if _here not in sys.path:
    sys.path.insert(0, _here)

import ditto_gdb  # noqa: E402

ditto_gdb.load(_here)
