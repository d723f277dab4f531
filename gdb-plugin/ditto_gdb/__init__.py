# SPDX-License-Identifier: MIT
"""The parts of the plugin. Loading it twice does no harm: installed and from the tree, for example."""

_loaded = False


def load(directory):
    """Adds the target, the commands, the printers and the disassembler to gdb."""
    global _loaded
    if _loaded:
        return
    _loaded = True
    from . import bytecode, commands, connection, printers
    connection.load(directory)
    commands.load()
    printers.load()
    bytecode.load()
