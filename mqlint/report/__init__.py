"""What a run found, written for people and for programs: one module a format."""

from mqlint.report.formats import FORMATS, renderer
from mqlint.report.report import Known, Report, Style

__all__ = ["FORMATS", "Known", "Report", "Style", "renderer"]
