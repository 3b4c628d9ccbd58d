"""Which versions of Spark and its Python packages this works with, told before one of them fails."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from riverlog.pipeline.errors import PipelineError

SPARK = "4.2"
PACKAGES = {
    "pyspark": ">=4.2,<4.3",
    "pyarrow": ">=18",
    "pandas": ">=2.2,<3",
    "protobuf": ">=6.33.5",
}
"""As in the extra ``spark``: with pandas 3 Spark's conversions fail, with an older protobuf its stateful
operators do."""

_BOUND = re.compile(r"(>=|<)([\d.]+)")


def check_packages() -> None:
    """``PipelineError`` that names all that is missing or of a wrong version."""
    problems = []
    for name, bounds in PACKAGES.items():
        try:
            found = version(name)
        except PackageNotFoundError:
            problems.append(f"{name} is missing")
            continue
        if not fits(found, bounds):
            problems.append(f"{name} is {found} and must be {bounds}")
    if problems:
        raise PipelineError(f"{'; '.join(problems)}: pip install 'riverlog[spark]'")


def check_spark_home(environ: Mapping[str, str]) -> None:
    """Another Spark than the installed one would be started if ``SPARK_HOME`` says so."""
    home = environ.get("SPARK_HOME")
    if home and not list(Path(home, "jars").glob(f"spark-core_*-{SPARK}.*.jar")):
        raise PipelineError(
            f"SPARK_HOME ({home}) is not Spark {SPARK}, as the installed pyspark is: unset it"
        )


def fits(found: str, bounds: str) -> bool:
    """Whether a version lies within ``>=`` and ``<`` bounds; what follows the numbers does not count."""
    number = _numbers(found)
    return all((number >= _numbers(bound)) == (sign == ">=") for sign, bound in _BOUND.findall(bounds))


def _numbers(text: str) -> tuple[int, ...]:
    """``4.2.1.dev0`` as (4, 2, 1)."""
    numbers = re.match(r"\d+(?:\.\d+)*", text)
    return tuple(int(part) for part in numbers[0].split(".")) if numbers else ()
