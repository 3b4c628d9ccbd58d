"""``python -m codegen`` writes the codecs; ``--check`` only says whether they are up to date."""

from __future__ import annotations

import sys
from pathlib import Path

from codegen.index import generate_index
from codegen.module import generate
from codegen.notation import read_folder

ROOT = Path(__file__).resolve().parent.parent
SCHEMAS = ROOT / "schemas"
OUTPUT = ROOT / "src" / "riverlog" / "protocol" / "generated"


def render_all(schemas: Path = SCHEMAS) -> dict[str, str]:
    """Every generated file by name."""
    messages = read_folder(schemas)
    files = {f"{message.module}.py": generate(message) for message in messages}
    files["__init__.py"] = '"""One module per message. Written by `python -m codegen`; do not edit."""\n'
    files["index.py"] = generate_index(messages)
    return files


def stale_files(output: Path) -> list[str]:
    """Names of files that are missing, outdated or should not be there."""
    wanted = render_all()
    present = {path.name: path.read_text("utf-8") for path in output.glob("*.py")}
    names = sorted(wanted.keys() | present.keys())
    return [name for name in names if wanted.get(name) != present.get(name)]


def main(arguments: list[str]) -> int:
    if arguments == ["--check"]:
        stale = stale_files(OUTPUT)
        for name in stale:
            print(f"out of date: {OUTPUT.relative_to(ROOT) / name} (run: python -m codegen)", file=sys.stderr)
        return 1 if stale else 0
    if arguments:
        print("usage: python -m codegen [--check]", file=sys.stderr)
        return 2
    OUTPUT.mkdir(parents=True, exist_ok=True)
    wanted = render_all()
    for path in OUTPUT.glob("*.py"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        (OUTPUT / name).write_text(text, "utf-8")
    print(f"{len(wanted)} files in {OUTPUT.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
