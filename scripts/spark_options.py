"""Write the tables of options in ``docs/spark.md`` from where options are declared; ``--check`` compares."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from riverlog.pipeline import sink_options
from riverlog.pipeline.option_table import Option, Side
from riverlog.pipeline.option_values import Everywhere
from riverlog.pipeline.options import MIB, TABLE

PAGE = Path(__file__).resolve().parent.parent / "docs" / "spark.md"
BEGIN, END = "<!-- options, by scripts/spark_options.py -->", "<!-- end of options -->"
TITLES = {Side.ANY: "For all queries", Side.READ: "For reading", Side.WRITE: "For writing"}
SPARKS_OWN = {sink_options.CHECKPOINT.name, sink_options.QUERY_NAME.name}


def tables() -> str:
    """One table for each side, in the order of the declarations."""
    lines: list[str] = []
    for side, title in TITLES.items():
        lines += [f"### {title}", "", "| option | default | what |", "|---|---|---|"]
        lines += rows(side)
        lines.append("")
    return "\n".join(lines)


def rows(side: Side) -> Iterator[str]:
    for option in TABLE.rows.values():
        general = (
            Side.ANY if option.side is Side.ANY else Side.READ if option.side & Side.READ else Side.WRITE
        )
        if general is side and option.name not in SPARKS_OWN:
            only = "" if option.side is side else f" ({option.side.words} only)"
            yield f"| `{option.name}` | {default(option)} | {option.doc}{only} |"


def general(option: Option[object]) -> Side:
    """The table it belongs to."""
    if option.side is Side.ANY:
        return Side.ANY
    return Side.READ if option.side & Side.READ else Side.WRITE


def default(option: Option[object]) -> str:
    """As a user would write it."""
    value = option.default
    if value is None or value == "":
        return ""
    if option.name == sink_options.ACKS.name:
        return "`all`"
    if isinstance(value, Everywhere):
        return "`latest`"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, int) and "bytes like" in option.type.allowed:
        return f"`{value >> 10}k`" if value % MIB else f"`{value // MIB}m`"
    if isinstance(value, int) and "duration" in option.type.allowed:
        return f"`{value // 60_000}m`"
    return f"`{value}`"


def main() -> int:
    page = PAGE.read_text("utf-8")
    head, _, rest = page.partition(BEGIN)
    _, _, tail = rest.partition(END)
    wanted = f"{head}{BEGIN}\n{tables()}{END}{tail}"
    if "--check" in sys.argv:
        print("current" if page == wanted else "docs/spark.md is out of date: run scripts/spark_options.py")
        return int(page != wanted)
    PAGE.write_text(wanted, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
