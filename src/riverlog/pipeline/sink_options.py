"""Every option of writing: one row each."""

from __future__ import annotations

from riverlog.base.config_types import Nullable, Str
from riverlog.pipeline.option_table import Options, Side
from riverlog.pipeline.options import TABLE

TOPIC = TABLE.option(
    "topic", Nullable(Str(non_empty=True)), default=None, side=Side.WRITE,
    doc="The topic of all rows. Without it rows have a column `topic`.",
)  # fmt: skip


def check(options: Options) -> None:
    """What concerns several options of writing."""
    options[TOPIC]
