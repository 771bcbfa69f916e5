"""Builds into an empty folder. All that describes the package is in setup.cfg.

setuptools packs what an earlier build left in build/lib, such as a policy that was deleted since.
A wheel also brings its rules and its vocabulary compiled: mqlint.engine.ship writes them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class CleanBuild(build_py):
    """Copies the packages to where nothing else is, and compiles what they bring."""

    def run(self) -> None:
        """Remove the last build first; an editable install has none, and compiles as it runs."""
        if not self.editable_mode:
            shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()
        if not self.editable_mode:
            self._compile(Path(self.build_lib).resolve())

    def _compile(self, built: Path) -> None:
        """Have the packages that were just built compile their YAML."""
        search = os.pathsep.join(filter(None, (str(built), os.environ.get("PYTHONPATH"))))
        command = [sys.executable, "-B", "-m", "mqlint.engine.ship", "mqlint/compiled"]
        subprocess.run(command, cwd=built, env={**os.environ, "PYTHONPATH": search}, check=True)  # noqa: S603 this program


setup(cmdclass={"build_py": CleanBuild})
