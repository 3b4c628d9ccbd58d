"""``riverlog spark``: a Spark session to try things in, and programs run on Spark."""

from __future__ import annotations

import code
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from riverlog.cli.errors import BadOption, UserError
from riverlog.cli.options import key_values
from riverlog.cli.shell import examples, guarded

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

app = typer.Typer(
    name="spark",
    help='Spark that reads and writes topics with format("riverlog"): a shell, and programs.',
    no_args_is_help=True,
    epilog=examples(
        r"pip install 'riverlog\[spark,jdk]'",
        "riverlog spark shell",
        "riverlog spark submit count_orders.py",
        "riverlog spark submit --master spark://10.0.0.5:7077 count_orders.py -- --topic orders",
    ),
)

Master = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="Where Spark runs: local[N] for N threads of this machine, spark://HOST:PORT, yarn, k8s://URL.",
        show_default="local[*], one thread per core",
    ),
]
Conf = Annotated[
    list[str] | None,
    typer.Option("--conf", "-c", metavar="KEY=VALUE", help="A setting of Spark's. Repeatable."),
]


@app.command(
    epilog=examples(
        "riverlog spark shell",
        "riverlog spark shell --master 'local[2]' --conf spark.driver.memory=4g",
        "echo 'spark.range(10).show()' | riverlog spark shell",
    )
)
@guarded
def shell(master: Master = None, conf: Conf = None) -> None:
    """Python with a session that is ready: spark, and F for pyspark.sql.functions.

    Lines that come from a file or a pipe are run as a program; the first mistake ends it.
    """
    configs = settings(conf)
    program = None if sys.stdin.isatty() else _program(sys.stdin.read())
    if program is None:
        configs = {"spark.ui.showConsoleProgress": "true", **configs}
    with pipeline_errors():
        import riverlog.pipeline

        spark = riverlog.pipeline.session("riverlog shell", master=master, configs=configs)
    from pyspark.sql import functions

    names = {"__name__": "__main__", "spark": spark, "F": functions}
    try:
        if program is None:
            _interact(spark, names)
        else:
            exec(program, names)
    finally:
        spark.stop()


def _program(text: str) -> CodeType:
    """Read before Spark is started, which takes seconds."""
    try:
        return compile(text, "<stdin>", "exec")
    except (SyntaxError, ValueError) as problem:  # ValueError: zero bytes
        where = f"line {problem.lineno}" if isinstance(problem, SyntaxError) else "the program"
        raise UserError(f"standard input, {where}: {getattr(problem, 'msg', problem)}") from None


def _interact(spark: SparkSession, names: dict[str, Any]) -> None:
    try:
        import readline
        import rlcompleter
    except ImportError:  # a Python without it: no completion
        pass
    else:
        readline.set_completer(rlcompleter.Completer(names).complete)
        readline.parse_and_bind("tab: complete")
    banner = (
        f"Spark {spark.version} on {spark.sparkContext.master}: the session is `spark`, "
        "pyspark.sql.functions is `F`; Ctrl-D ends. A topic as a table:\n"
        '  spark.read.format("riverlog").option("kafka.bootstrap.servers", "localhost:9092")'
        '.option("subscribe", "orders").load().show()'
    )
    code.interact(banner=banner, local=names, exitmsg="")


@app.command(
    epilog=examples(
        "riverlog spark submit count_orders.py",
        "riverlog spark submit count_orders.py -- --topic orders --since yesterday",
        "riverlog spark submit --master yarn --conf spark.executor.memory=4g count_orders.py",
    )
)
@guarded
def submit(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A Python program that uses Spark.")],
    arguments: Annotated[
        list[str] | None, typer.Argument(metavar="-- ARGS", help="What the program is called with.")
    ] = None,
    master: Master = None,
    conf: Conf = None,
) -> None:
    """Run a program on Spark, as spark-submit does, with Java and settings taken care of.

    The program gets its session from riverlog.pipeline.session(), or in Spark's own way. The exit code
    is the program's.
    """
    if not file.is_file():
        raise UserError(f"{file}: no such file")
    configs = settings(conf)
    if master is not None:
        configs["spark.master"] = master
    with pipeline_errors():
        command, environ = submit_command(file, arguments or [], configs)
    sys.stdout.flush()
    os.execve(command[0], command, environ)


def submit_command(
    file: Path, arguments: list[str], configs: Mapping[str, str]
) -> tuple[list[str], dict[str, str]]:
    """The ``spark-submit`` to run, and its environment."""
    from riverlog.pipeline.sessions import prepare
    from riverlog.pipeline.spark_home import installed_spark
    from riverlog.pipeline.versions import check_packages

    check_packages()
    environ = dict(os.environ)
    chosen = prepare(environ, {"spark.app.name": file.name, **configs})
    home = Path(environ.setdefault("SPARK_HOME", str(installed_spark())))
    environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    options = [part for name, value in chosen.items() for part in ("--conf", f"{name}={value}")]
    return [str(home / "bin" / "spark-submit"), *options, str(file), *arguments], environ


def settings(pairs: list[str] | None) -> dict[str, str]:
    """The settings of ``--conf``."""
    found = key_values("--conf", pairs)
    for name in found:
        if not name.startswith("spark."):
            raise BadOption(f"--conf: {name!r} is no setting of Spark's; they start with spark.")
    return found


@contextmanager
def pipeline_errors() -> Iterator[None]:
    """What the pipeline says is told to the user."""
    from riverlog.pipeline.errors import PipelineError

    try:
        yield
    except PipelineError as problem:
        raise UserError(str(problem)) from None
