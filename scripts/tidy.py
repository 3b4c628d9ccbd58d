"""House rules that no linter knows: run by ``make lint``.

- files of at most 600 lines and functions of at most 80 (generated code aside);
- no address of a package index, no path of one machine;
- no fixed sleep in a test, unique names of test files;
- every room of the package has a README.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE_LINES_MAX = 600
FUNCTION_LINES_MAX = 80
TEXT_SUFFIXES = {"", ".go", ".in", ".java", ".js", ".json", ".md", ".mjs", ".py", ".sh", ".toml", ".txt"}
# Split so that this file does not name what it forbids.
FORBIDDEN_TEXT = re.compile(
    "|".join(
        [
            r"--(?:extra-)?index-url\b",
            r"--find-links\b",
            "files" + r"\.pythonhosted\.org",
            "registry" + r"\.npmjs\.org",
            r"repo[0-9]*\." + r"maven\.(?:apache\.)?org",
            "proxy" + r"\.golang\.org",
            r"(?<![\w./-])/" + r"(?:work|root)/",
        ]
    )
)
SLEEP = re.compile(r"\b(?:time|asyncio)\." + r"sleep\((?!0\))")


def tracked_files() -> list[Path]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listing.returncode == 0:
        names = listing.stdout.splitlines()
        return [ROOT / name for name in names if (ROOT / name).is_file()]
    hidden = {".git", ".venv", ".cache", "node_modules"}
    return [path for path in ROOT.rglob("*") if path.is_file() and not hidden & set(path.parts)]


def is_generated(path: Path) -> bool:
    return "generated" in path.parts


def too_long(path: Path, text: str) -> Iterator[str]:
    lines = text.count("\n") + 1
    if lines > FILE_LINES_MAX:
        yield f"{lines} lines; split it (at most {FILE_LINES_MAX})"
    for node in ast.walk(ast.parse(text, str(path))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
            length = node.end_lineno - node.lineno + 1
            if length > FUNCTION_LINES_MAX:
                yield f"line {node.lineno}: {node.name} has {length} lines (at most {FUNCTION_LINES_MAX})"


def forbidden_text(path: Path, text: str) -> Iterator[str]:
    for number, line in enumerate(text.splitlines(), 1):
        if FORBIDDEN_TEXT.search(line):
            yield f"line {number}: names a package index or a path of one machine"
        if "tests" in path.parts and path.suffix == ".py" and SLEEP.search(line):
            yield f"line {number}: waits for a fixed time; wait for the event"


def complaints() -> Iterator[tuple[Path, str]]:
    seen: dict[str, Path] = {}
    for path in tracked_files():
        if path.suffix not in TEXT_SUFFIXES or path.name == "LICENSE":
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        relative = path.relative_to(ROOT)
        if path.suffix == ".py" and not is_generated(relative):
            yield from ((relative, reason) for reason in too_long(path, text))
        if path.name != "tidy.py" and relative.parts[:2] != ("scripts", "lock.sh"):
            yield from ((relative, reason) for reason in forbidden_text(relative, text))
        if relative.parts[0] == "tests" and path.name.startswith("test_") and path.suffix == ".py":
            if path.name in seen:
                yield relative, f"same file name as {seen[path.name]}"
            seen[path.name] = relative
    for room in sorted((ROOT / "src" / "riverlog").iterdir()):
        if room.is_dir() and room.name != "__pycache__" and not (room / "README.md").is_file():
            yield room.relative_to(ROOT), "has no README.md"


def main() -> int:
    found = list(complaints())
    for path, reason in found:
        print(f"{path}: {reason}")
    print(f"tidy: {len(found)} complaints" if found else "tidy: clean")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
