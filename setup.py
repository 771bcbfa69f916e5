"""Builds into an empty folder. All that describes the package is in setup.cfg.

setuptools packs what an earlier build left in build/lib, such as a policy that was deleted since.
"""

from __future__ import annotations

import shutil

from setuptools import setup
from setuptools.command.build_py import build_py


class CleanBuild(build_py):
    """Copies the packages to where nothing else is."""

    def run(self) -> None:
        """Remove the last build first; an editable install has none."""
        if not self.editable_mode:
            shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()


setup(cmdclass={"build_py": CleanBuild})
