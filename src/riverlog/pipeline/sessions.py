"""A ``SparkSession`` that works on a laptop with only Python, and on a cluster by ``master=``.

Called ``sessions`` because a module ``session`` would take the place of ``riverlog.pipeline.session``,
the function.
"""

from __future__ import annotations

import os
import re
import socket
import sys
from collections.abc import Mapping, MutableMapping
from pathlib import Path
from typing import TYPE_CHECKING

from riverlog.pipeline.errors import PipelineError
from riverlog.pipeline.java import java_home
from riverlog.pipeline.spark_home import spark_home
from riverlog.pipeline.versions import check_packages, check_spark_home

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Configs = Mapping[str, str | int | float | bool]

LOOPBACK = "127.0.0.1"
DEFAULT_MASTER = "local[*]"
_LOG_SETTINGS = Path(__file__).with_name("log4j2.properties")
_STATE_STORE = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
# Adaptive execution may cut a batch that is run again differently: see replay.py.
_NO_ADAPTIVE_STREAMING = ("spark.sql.adaptive.streaming.stateless.enabled", "false")
_LOCAL = re.compile(r"local(?:\[(\*|[1-9]\d*)(?:,\s*[1-9]\d*)?\])?")
_MASTER = re.compile(rf"{_LOCAL.pattern}|local-cluster\[.+\]|spark://.+:\d+|k8s://.+|yarn")
_CONNECT_SECONDS = 5.0
_DEFAULTS_LINE = re.compile(r"(\S+?)\s*[=:\s]\s*(.*)")


def new_session(app_name: str | None, master: str | None, configs: Configs | None) -> SparkSession:
    """The running session with these settings added, or a new one that knows ``format("riverlog")``."""
    check_packages()
    check_no_connect(os.environ)
    from pyspark.sql import SparkSession

    from riverlog.pipeline.source import RiverlogDataSource

    wanted = {name: _text(value) for name, value in (configs or {}).items()}
    if master is not None:
        wanted["spark.master"] = master
    if app_name is not None:
        wanted["spark.app.name"] = app_name
    running = SparkSession.getActiveSession()
    if running is not None:
        _check_same_master(running, wanted.get("spark.master"))
        session = _start(wanted)
    else:
        session = _start(_prepare(wanted))
    session.dataSource.register(RiverlogDataSource)
    return session


def register_with(session: SparkSession) -> None:
    """The data source and what it needs, for a session that is not ours."""
    check_packages()
    from riverlog.pipeline.source import RiverlogDataSource

    session.conf.set(*_NO_ADAPTIVE_STREAMING)
    session.dataSource.register(RiverlogDataSource)


def _prepare(wanted: Mapping[str, str]) -> dict[str, str]:
    """All settings of a new session."""
    if "PYSPARK_GATEWAY_PORT" not in os.environ:
        return prepare(os.environ, wanted)
    # spark-submit has started the JVM already: what it was told is to be found there.
    from pyspark import SparkConf, SparkContext

    SparkContext._ensure_initialized()
    known = {**dict(SparkConf().getAll()), **wanted}
    return {**default_settings(known.setdefault("spark.master", DEFAULT_MASTER), os.environ), **known}


def prepare(environ: MutableMapping[str, str], wanted: Mapping[str, str]) -> dict[str, str]:
    """All settings for a new JVM; the environment is made ready for it."""
    known = {**defaults_file(environ), **wanted}
    master = known.setdefault("spark.master", DEFAULT_MASTER)
    check_master(master)
    check_answers(master)
    prepare_environment(environ, master, known)
    return {**default_settings(master, environ), **known}


def _start(settings: Mapping[str, str]) -> SparkSession:
    from pyspark.errors import PySparkRuntimeError
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.config("spark.api.mode", "classic")
    for name, value in settings.items():
        builder = builder.config(name, value)
    try:
        return builder.getOrCreate()
    except PySparkRuntimeError as problem:
        if problem.getCondition() != "JAVA_GATEWAY_EXITED":
            raise
        home = os.environ.get("JAVA_HOME")
        raise PipelineError(
            f"Java ({home}) ended before Spark was up; what it said stands above. Look at the settings that "
            "go to it, such as spark.driver.memory and spark.driver.extraJavaOptions"
        ) from None


def default_settings(master: str, environ: Mapping[str, str]) -> dict[str, str]:
    """What we set unless the user does."""
    name, off = _NO_ADAPTIVE_STREAMING
    settings = {
        "spark.app.name": "riverlog",
        name: off,
        "spark.python.authenticate.socketTimeout": "180s",
        "spark.sql.streaming.stateStore.providerClass": _STATE_STORE,
        "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true",
        "spark.ui.showConsoleProgress": "false",
    }
    folder = conf_folder(environ)
    if folder is None or not (folder / _LOG_SETTINGS.name).exists():
        settings["spark.driver.defaultJavaOptions"] = f"-Dlog4j2.configurationFile={_LOG_SETTINGS.as_uri()}"
    cores = local_cores(master)
    if cores is not None:
        settings["spark.sql.shuffle.partitions"] = str(cores)
        # A sixth less CPU per row than loopback. On a cluster the folder of the sockets may have a long path.
        settings["spark.python.unix.domain.socket.enabled"] = str(hasattr(socket, "AF_UNIX")).lower()
    return settings


def prepare_environment(environ: MutableMapping[str, str], master: str, settings: Mapping[str, str]) -> None:
    """What a new JVM and its Python workers find; what is set already stays."""
    check_spark_home(environ)
    environ["JAVA_HOME"] = str(java_home(environ))
    python = settings.get("spark.pyspark.python")
    if python is not None:
        environ["PYSPARK_PYTHON"] = python
    environ.setdefault("PYSPARK_PYTHON", sys.executable)
    if on_this_machine(master):
        environ.setdefault("SPARK_LOCAL_IP", LOOPBACK)
        if environ["PYSPARK_PYTHON"] == sys.executable and not environ.get("SPARK_HOME"):
            environ["SPARK_HOME"] = str(spark_home(environ))


def check_no_connect(environ: Mapping[str, str]) -> None:
    remote = environ.get("SPARK_REMOTE")
    if remote:
        raise PipelineError(
            f"SPARK_REMOTE ({remote}) asks for Spark Connect, and this starts a Spark of its own: unset it, "
            "or make that session yourself and give it to riverlog.pipeline.register"
        )


def check_master(master: str) -> None:
    """``PipelineError`` unless this is a master that Spark knows how to reach."""
    if _MASTER.fullmatch(master) is None:
        raise PipelineError(
            f"master {master!r} is none of local, local[N], local[*], spark://HOST:PORT, yarn, k8s://URL"
        )


def check_answers(master: str) -> None:
    """Spark itself tries a standalone master for a minute, and ends with a trace."""
    if not master.startswith("spark://"):
        return
    for address in master.removeprefix("spark://").split(","):
        host, _, port = address.rpartition(":")
        try:
            socket.create_connection((host.strip("[]"), int(port)), _CONNECT_SECONDS).close()
        except (OSError, ValueError):
            continue
        return
    raise PipelineError(
        f"no Spark master answers at {master}: is it running, and is this its own port (7077 unless set) and "
        "not that of its page?"
    )


def on_this_machine(master: str) -> bool:
    """Whether driver and executors reach each other by loopback."""
    return master.startswith(("local", f"spark://{LOOPBACK}:", "spark://localhost:"))


def local_cores(master: str) -> int | None:
    """Threads of a local master; None on a cluster."""
    found = _LOCAL.fullmatch(master)
    if found is None:
        return None
    if found[1] is None:
        return 1
    return (os.cpu_count() or 1) if found[1] == "*" else int(found[1])


def conf_folder(environ: Mapping[str, str]) -> Path | None:
    """Where the user's settings of Spark are, if there are any."""
    if environ.get("SPARK_CONF_DIR"):
        return Path(environ["SPARK_CONF_DIR"])
    return Path(environ["SPARK_HOME"], "conf") if environ.get("SPARK_HOME") else None


def defaults_file(environ: Mapping[str, str]) -> dict[str, str]:
    """What stands in ``spark-defaults.conf``: our defaults must not win over it."""
    folder = conf_folder(environ)
    path = folder / "spark-defaults.conf" if folder is not None else None
    if path is None or not path.exists():
        return {}
    try:
        lines = [line.strip() for line in path.read_text("utf-8").splitlines()]
    except (OSError, UnicodeDecodeError) as problem:
        raise PipelineError(f"{path} cannot be read: {problem}") from None
    pairs = (_DEFAULTS_LINE.fullmatch(line) for line in lines if not line.startswith(("#", "!")))
    return {pair[1]: pair[2] for pair in pairs if pair is not None}


def _check_same_master(running: SparkSession, master: str | None) -> None:
    there = running.sparkContext.master
    if master is not None and master != there:
        raise PipelineError(f"a session with master {there} is running: stop it before one with {master}")


def _text(value: str | float | bool) -> str:
    """As Spark writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
