"""Record batches ↔ Arrow's columns: one source for two kernels, interpreted and compiled.

``KERNEL`` is the compiled one where it has been built (``scripts/build_kernel.py``), unless
``RIVERLOG_PURE=1`` is set; ``COMPILED`` tells which.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from riverlog.pipeline.kernel.decode import Batch, BytesColumn, Columns, HeaderColumns
    from riverlog.pipeline.kernel.encode import BytesField, HeaderFields, Rows

PURE_VARIABLE = "RIVERLOG_PURE"
_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Kernel:
    """The kernel's names, by ``decode.py`` and ``encode.py``."""

    compiled: bool
    batch: type[Batch]
    bytes_column: type[BytesColumn]
    header_columns: type[HeaderColumns]
    columns: type[Columns]
    bytes_field: type[BytesField]
    header_fields: type[HeaderFields]
    rows: type[Rows]
    choose_partitions: Callable[[BytesField, int, memoryview], None]


def kernel_of(decode: ModuleType, encode: ModuleType) -> Kernel:
    return Kernel(
        compiled=not str(decode.__file__).endswith(".py"),
        batch=decode.Batch,
        bytes_column=decode.BytesColumn,
        header_columns=decode.HeaderColumns,
        columns=decode.Columns,
        bytes_field=encode.BytesField,
        header_fields=encode.HeaderFields,
        rows=encode.Rows,
        choose_partitions=encode.choose_partitions,
    )


@cache
def interpreted() -> Kernel:
    """The kernel as Python runs it, even where a compiled one lies beside the sources."""
    return kernel_of(_from_source("decode"), _from_source("encode"))


@cache
def compiled() -> Kernel | None:
    """The compiled kernel, where it has been built for this Python."""
    try:
        kernel = kernel_of(import_module(f"{__name__}.decode"), import_module(f"{__name__}.encode"))
    except ImportError:  # built against other libraries than those that are here
        return None
    return kernel if kernel.compiled else None


def _from_source(name: str) -> ModuleType:
    full = f"{__name__}.{name}"
    loader = SourceFileLoader(full, str(_FOLDER / f"{name}.py"))
    spec = spec_from_loader(full, loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def _chosen() -> Kernel:
    if os.environ.get(PURE_VARIABLE, "") in ("", "0"):
        return compiled() or interpreted()
    return interpreted()


KERNEL = _chosen()
COMPILED = KERNEL.compiled
