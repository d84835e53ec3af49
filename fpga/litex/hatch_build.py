"""Puts the commands into the wheel: a folder that is laid out as a prefix (bin, lib, share), in HPP_PREFIX, for the platform in HPP_PLATFORM.

Without HPP_PREFIX the wheel has the Python packages alone.
"""

import os
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Commands(BuildHookInterface):
    """The hook, by the name that hatchling looks for."""

    def initialize(self, version, build_data):
        """Adds the files of the prefix."""
        prefix = os.environ.get("HPP_PREFIX")
        if not prefix:
            return
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{os.environ['HPP_PLATFORM']}"
        for folder, kind in (("bin", "shared_scripts"), ("lib", "shared_data"), ("share", "shared_data")):
            for path in sorted(Path(prefix, folder).rglob("*")):
                if path.is_file():
                    within = path.relative_to(Path(prefix, "bin") if folder == "bin" else prefix)
                    build_data[kind][str(path)] = str(within)
