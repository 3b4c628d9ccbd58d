"""Wheels have the pipeline's kernel compiled where there is a C compiler; elsewhere they are pure Python."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class KernelHook(BuildHookInterface[Any]):
    """Called by hatchling before it packs a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return  # `make setup` compiles in place
        sys.path.insert(0, str(Path(self.root, "scripts")))
        import build_kernel

        lacking = build_kernel.missing()
        if lacking is not None:
            self.app.display_info(f"without a compiled kernel: {lacking} is not here")
            return
        target = Path(self.root, ".cache", "wheel-kernel")
        from setuptools.errors import BaseError

        try:
            build_kernel.build(target)
        except BaseError as problem:
            self.app.display_info(f"without a compiled kernel: {problem}")
            return
        suffix = sysconfig.get_config_var("EXT_SUFFIX")
        for module in build_kernel.MODULES:
            library = build_kernel.PACKAGE / f"{module}{suffix}"
            build_data["force_include"][str(target / library)] = str(library)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
