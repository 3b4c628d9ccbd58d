"""Compile the pipeline's kernel in place, next to its sources; a no-op when nothing changed.

Without a C compiler, Cython or setuptools it says so in one line and is content: the same sources run
interpreted. Only what Cython complains of in the sources is an error.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
import sysconfig
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "src"
PACKAGE = Path("riverlog/pipeline/kernel")
MODULES = ("decode", "encode")
SCRATCH = ROOT / ".cache" / "kernel"
# Annotations are for mypy, the C types stand in the .pxd files. Positions are compared by hand before they
# are used, and numbers wrap around (-fwrapv) where nobody looks at the result.
DIRECTIVES = {
    "annotation_typing": False,
    "boundscheck": False,
    "initializedcheck": False,
    "language_level": 3,
    "wraparound": False,
}
FLAGS = ("-O3", "-fwrapv", "-g0")


def build(target: Path, flags: Sequence[str] = (), *, scratch: Path = SCRATCH) -> None:
    """Compile into the folders of the package below ``target``."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    package = ".".join(PACKAGE.parts)
    extensions = [
        Extension(
            f"{package}.{module}",
            [str(SOURCES / PACKAGE / f"{module}.py")],
            extra_compile_args=[*FLAGS, *flags],
            extra_link_args=list(flags),
        )
        for module in MODULES
    ]
    compiled = cythonize(
        extensions, build_dir=str(scratch), compiler_directives=DIRECTIVES, force=True, quiet=True
    )
    command = build_ext(Distribution({"ext_modules": compiled}))
    command.build_lib = str(target)
    command.build_temp = str(scratch / "objects")
    command.force = True
    command.ensure_finalized()
    command.run()


def missing() -> str | None:
    """What is needed to compile and is not here."""
    for module in ("Cython", "setuptools"):
        if find_spec(module) is None:
            return module
    compiler = str(sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(compiler) is None:
        return f"a C compiler ({compiler})"
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        return "Python.h"
    return None


def digest() -> str:
    """Of all that the outcome depends on."""
    content = hashlib.sha256(sys.version.encode())
    for path in [Path(__file__), *sorted((SOURCES / PACKAGE).glob("*.p*[dy]"))]:
        content.update(path.name.encode() + path.read_bytes())
    return content.hexdigest()


def main() -> int:
    stamp = SCRATCH / "stamp"
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    outcome = [SOURCES / PACKAGE / f"{module}{suffix}" for module in MODULES]
    wanted = digest()
    if stamp.is_file() and stamp.read_text() == wanted and all(path.is_file() for path in outcome):
        return 0
    # Never an old one beside new sources: without a compiler these run interpreted.
    for path in outcome:
        path.unlink(missing_ok=True)
    lacking = missing()
    if lacking is not None:
        print(f"kernel: {lacking} is not here, so the pipeline runs its interpreted kernel")
        return 0
    print("kernel: compiling")
    from setuptools.errors import BaseError

    try:
        build(SOURCES)
    except BaseError as problem:
        print(f"kernel: {problem}; the pipeline runs its interpreted kernel")
        return 0
    stamp.write_text(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
