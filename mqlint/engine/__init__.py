"""The run in one process: text in, findings out."""

from mqlint.engine.analyse import Analyser
from mqlint.engine.run import Input, Run, check, inputs_of

__all__ = ["Analyser", "Input", "Run", "check", "inputs_of"]
