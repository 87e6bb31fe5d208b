"""Parses command lines of `az` with the Azure CLI that is installed, and runs none of them.

Standard input is JSON, a list of lists of arguments behind `az`. Prints JSON: what the parser said of each, empty when it
took the line.
"""
import contextlib
import io
import json
import sys

from azure.cli.core import get_default_cli
from knack.events import EVENT_INVOKER_POST_PARSE_ARGS


class Parsed(BaseException):
    """The line is taken; what would run it is left out."""


def stop(_cli, **_given):
    raise Parsed


def fault_of(cli, arguments):
    """What the parser says of one command line."""
    said = io.StringIO()
    invocation = cli.invocation_cls(
        cli_ctx=cli,
        parser_cls=cli.parser_cls,
        commands_loader_cls=cli.commands_loader_cls,
        help_cls=cli.help_cls,
        initial_data={},
    )
    cli.invocation = invocation
    try:
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
            invocation.execute(arguments)
    except Parsed:
        return ""
    except SystemExit:
        return said.getvalue().strip().split("\n")[0] or "refused"
    except Exception as error:  # Of a module that the package lacks, for one.
        return f"{type(error).__name__}: {error}"
    return "it ran"


cli = get_default_cli()
cli.register_event(EVENT_INVOKER_POST_PARSE_ARGS, stop)
print(json.dumps([fault_of(cli, arguments) for arguments in json.load(sys.stdin)]))
