"""`mqlint lsp`: a language server on standard input and output, started by an editor."""

from __future__ import annotations

import click

from mqlint.cli.common.group import Refusal


@click.command("lsp", short_help="Show findings in an editor (language server).")
@click.option("--stdio", is_flag=True, help="The default, and the only way: some editors set it.")
def command(stdio: bool) -> None:
    """Check files in an editor as you write: a server of the Language Server Protocol.

    The editor starts it and talks to it on standard input and output. Each file is checked as by
    `mqlint check FILE` in its project, with its text as it is in the editor.
    """
    del stdio
    try:
        from mqlint.cli.lsp.server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"pygls", "lsprotocol"}:
            raise
        raise Refusal("mqlint lsp needs pygls: install mqlint with the extra lsp") from None
    serve()
