"""A hook written on the library cchooks. Its argument says how it answers. The library checks
that the input has the fields of its event."""

import sys

from cchooks import create_context

hook = create_context()
output = hook.output

answers = {
    "allow": lambda: output.allow("harmless"),
    "deny": lambda: output.deny("not on Fridays"),
    "ask": lambda: output.ask("Production?"),
    "rewrite": lambda: output.allow(
        "harmless", updated_input={**hook.tool_input, "command": "ls -a"}
    ),
    "block": lambda: output.exit_block("blocked by code"),
    "warn": lambda: output.exit_non_block("a warning"),
    "halt": lambda: output.halt("the build is broken"),
    "context": lambda: output.add_context("on main"),
    "challenge": lambda: output.challenge(f"look again at {hook.tool_response['content']}"),
    "block-prompt": lambda: output.block(f"no: {hook.prompt}"),
    "prevent": lambda: output.prevent("run the tests"),
    "acknowledge": lambda: output.acknowledge("seen"),
    "success": lambda: output.exit_success("done"),
}
answers[sys.argv[1]]()
