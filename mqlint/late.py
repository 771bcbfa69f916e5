"""Functions of mqlint that are imported when they are first needed: most runs need few of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from operator import attrgetter
from typing import Any


def imported(name: str) -> Any:  # noqa: ANN401 what has this name
    """Return what a name of the form `package.module:function` stands for."""
    module, _, word = name.partition(":")
    return attrgetter(word)(import_module(module))


def late(name: str) -> Callable[..., Any]:
    """Return a function that calls the one of this name, and imports its module at the first call.

    Its results are not checked by mypy, so it is for tables of functions.
    """
    function = cache(lambda: imported(name))
    return lambda *arguments, **more: function()(*arguments, **more)
