"""The run in one process: text in, findings out."""

from mqlint.engine.document.analyse import Analyser
from mqlint.engine.loading.load import Input, inputs_of
from mqlint.engine.run import Run, check

__all__ = ["Analyser", "Input", "Run", "check", "inputs_of"]
