"""The run in one process: text in, findings out."""

from mqlint.engine.analyse import Analyser
from mqlint.engine.load import Input, inputs_of
from mqlint.engine.run import Run, check

__all__ = ["Analyser", "Input", "Run", "check", "inputs_of"]
