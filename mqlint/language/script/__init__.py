"""Scripts: from commands to steps, whatever shell they are written for."""

from __future__ import annotations

from mqlint.language.script import batch, hosts, posix, powershell

LANGUAGES = (*posix.LANGUAGES, *batch.LANGUAGES, *powershell.LANGUAGES, *hosts.LANGUAGES)
