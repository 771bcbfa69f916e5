"""`mqlint completion SHELL`: the script that completes commands, options, rules and formats."""

from __future__ import annotations

import click
from click.shell_completion import ShellComplete, get_completion_class

from mqlint.cli.common.group import Refusal
from mqlint.cli.common.output import echo

SHELLS = ("bash", "zsh", "fish", "powershell")


@click.command("completion", short_help="Print a script that completes words in a shell.")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print a script that completes commands, options, rules and formats in SHELL.

    \b
    bash:        mqlint completion bash >> ~/.bashrc
    zsh:         mqlint completion zsh >> ~/.zshrc
    fish:        mqlint completion fish > ~/.config/fish/completions/mqlint.fish
    powershell:  mqlint completion powershell >> $PROFILE
    """  # noqa: D301 a mark for click: keep these lines
    completer = get_completion_class(shell)
    if completer is None:
        raise Refusal(f"this release of click has no completion for {shell}: upgrade click")
    asked = completer(ctx.find_root().command, {}, "mqlint", "_MQLINT_COMPLETE")
    echo(ShellComplete.source(asked))  # that of bash would run the bash it finds, for its version
