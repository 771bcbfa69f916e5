"""Messages for unexpected errors: type and place, never the error's own text.

That may quote a file, and a file may hold a secret.
"""

from __future__ import annotations


def kind_and_place(error: BaseException) -> str:
    """Return the kind of an error and the last place in mqlint that it came through."""
    trace, place = error.__traceback__, "an unknown place"
    while trace is not None:
        code = trace.tb_frame.f_code
        module = trace.tb_frame.f_globals.get("__name__", "")
        if str(module).startswith("mqlint"):
            place = f"{module}:{trace.tb_lineno} in {code.co_name}"
        trace = trace.tb_next
    return f"{type(error).__name__} at {place}"


def why_unjudged(queue_manager: str, error: Exception) -> str:
    """Return why a queue manager was not judged, after an error in judging it."""
    return (
        f"{queue_manager} is not checked because of a fault in mqlint: please report "
        f"{kind_and_place(error)}"
    )


def why_unread(error: Exception) -> str:
    """Return why a document could not be read, after an error in reading it."""
    if isinstance(error, MemoryError):
        return "reading it needs more memory than allowed for its size"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return f"a fault in mqlint, not in the file: please report {kind_and_place(error)}"
