"""Writes the body of one encoder: one version of one message, nested structs in line."""

from __future__ import annotations

from codegen.model import PRIMITIVES, Field, Message, Struct
from codegen.types import default, python_type
from codegen.writer import LINE, Lines, Needs

_ARRAYS = {"int8": "int8s", "int16": "int16s", "int32": "int32s", "int64": "int64s", "uuid": "uuids"}


def has_records(message: Message) -> bool:
    return any(f.type == "records" for struct in message.structs.values() for f in struct.fields)


class Encoder:
    """``out`` collects bytes; numbers wait in ``run`` until something of another kind follows,
    finished pieces wait in ``pieces`` until a loop or branch starts."""

    def __init__(self, message: Message, version: int, needs: Needs) -> None:
        self.message = message
        self.version = version
        self.flexible = version in message.flexible
        self.needs = needs
        self.code = Lines()
        self.sink = self.code.name("out")
        self.sunk = False
        self.narrowed = ""
        self.run: list[tuple[str, str]] = []
        self.pieces: list[str] = []
        self.parted = has_records(message)
        self.code.reserve("message", "parts")

    def body(self) -> list[str]:
        self._struct(self.message.body, "message", self.message.name)
        if self.parted:
            self._emit()
            with self.code.block("if out:"):
                self.code.add('parts.append(b"".join(out))')
            self.code.add("return parts")
            return ["    out: list[bytes] = []", "    parts: list[Part] = []", *self.code.lines]
        if not self.sunk:  # No loop and no branch: no list either.
            self._flush()
            whole = self.pieces[0] if len(self.pieces) == 1 else f'b"".join(({", ".join(self.pieces)}))'
            return [*self.code.lines, f"    return {whole}" if self.pieces else '    return b""']
        self._emit()
        self.code.add('return b"".join(out)')
        return ["    out: list[bytes] = []", *self.code.lines]

    def _sink(self, line: str) -> None:
        """A line that adds to the current list of bytes."""
        self.sunk = True
        self.code.add(self.sink + line)

    def _flush(self) -> None:
        if self.run:
            codes = "".join(code for code, _ in self.run)
            arguments = ", ".join(value for _, value in self.run if value)
            self.run = []
            zeros = 'b"' + "\\0" * len(codes) + '"'
            self.pieces.append(f"{self.needs.pack(codes)}({arguments})" if arguments else zeros)

    def _extend(self, sink: str, pieces: list[str]) -> None:
        self.sunk = True
        line = f"{sink} += ({', '.join(pieces)})"
        if len(line) + 4 * self.code.depth <= LINE:
            self.code.add(line)
            return
        with self.code.block(f"{sink} += ("):
            for piece in pieces:
                self.code.add(piece + ",")
        self.code.add(")")

    def _emit(self) -> None:
        self._flush()
        if len(self.pieces) == 1:
            self._sink(f".append({self.pieces[0]})")
        elif self.pieces:
            self._extend(self.sink, self.pieces)
        self.pieces = []

    def _piece(self, expression: str) -> None:
        self._flush()
        self.pieces.append(expression)

    def _struct(self, struct: Struct, value: str, path: str) -> None:
        tagged: list[Field] = []
        for field in struct.fields:
            name = f"{path}.{field.name}"
            if self.version not in field.versions:
                if not field.ignorable:
                    with self.code.block(f"if {self._differs(field, f'{value}.{field.name}')}:"):
                        self.code.add(f'raise {self.needs.helper("not_in_version")}("{name}")')
            elif self.version in field.tagged:
                tagged.append(field)
            else:
                self._field(field, f"{value}.{field.name}", name)
        if self.flexible:
            self._tags(tagged, value, path)

    def _differs(self, field: Field, value: str) -> str:
        """A test whether ``value`` is not the default of ``field``."""
        if field.default == "null":
            return f"{value} is not None"
        if field.array or (field.type == "bytes" and not field.array):
            nullable = field.nullable.low <= field.nullable.high
            return f"{value} is None or {value}" if nullable else value
        if field.is_struct:
            fields = self.message.structs[field.type].fields
            if all(f.type in PRIMITIVES and not f.array for f in fields):
                return " or ".join(self._differs(f, f"{value}.{f.name}") for f in fields)
            return f"{value} != {self.needs.default(field.type)}"
        text = default(field)
        if text == "ZERO_UUID":
            self.needs.helper(text)
        if field.type == "bool":
            return f"not {value}" if text == "True" else value
        return f"{value} != {text}"

    def _field(self, field: Field, value: str, path: str) -> None:
        nullable = self.version in field.nullable and self.narrowed != value
        if field.array:
            self._array(field, value, path, nullable=nullable)
        elif field.is_struct:
            self._single(field, value, path, nullable=nullable, tagged=False)
        elif field.type in PRIMITIVES:
            self._number(field, value, path)
        else:
            if not nullable:
                value = self._not_null(field, value, path)
            self._variable(field.type, field.name, value, nullable=nullable, rigid=not field.flexible)

    def _not_null(self, field: Field, value: str, path: str) -> str:
        """A field that can be null, but not in this version."""
        if "None" not in python_type(field) or self.narrowed == value:
            return value
        local = self.code.name(f"{field.name}_value")
        self.code.add(f"{local} = {value}")
        with self.code.block(f"if {local} is None:"):
            self.code.add(f'raise {self.needs.helper("null_refused")}("{path}")')
        return local

    def _number(self, field: Field, value: str, path: str) -> None:
        if field.type == "uuid":
            local = self.code.name(field.name)
            self.code.add(f"{local} = {value}")
            with self.code.block(f"if len({local}) != 16:"):
                self.code.add(f'raise {self.needs.helper("bad_uuid")}("{path}")')
            value = local
        self.run.append((PRIMITIVES[field.type], value))

    def _prefix(self, kind: str, count: str, *, rigid: bool) -> None:
        """Adds a length or count; in flexible versions ``count`` is plus one already."""
        if not self.flexible or rigid:
            self.run.append(("h" if kind == "string" else "i", count))
            return
        table = self.needs.helper("UVARINTS")
        slow = self.needs.helper("string_prefix" if kind == "string" else "uvarint")
        self._piece(f"{table}[{count}] if {count} < 256 else {slow}({count})")

    def _variable(self, kind: str, base: str, value: str, *, nullable: bool, rigid: bool) -> None:
        """A string, bytes or records."""
        compact = self.flexible and not rigid
        local, size = self.code.name(base), self.code.name(f"{base}_size")
        plus = " + 1" if compact else ""
        content = f"{value}.encode()" if kind == "string" else value
        if nullable:
            source = self.code.name(f"{base}_value")
            self.code.add(f"{source} = {value}")
            with self.code.block(f"if {source} is None:"):
                empty = "b''" if kind != "records" else "None"
                self.code.add(f"{size}, {local} = {'0' if compact else '-1'}, {empty}".replace("''", '""'))
            with self.code.block("else:"):
                self.code.add(f"{local} = {source}.encode()" if kind == "string" else f"{local} = {source}")
                self.code.add(f"{size} = len({local}){plus}")
        else:
            self.code.add(f"{local} = {content}")
            self.code.add(f"{size} = len({local}){plus}")
        self._prefix(kind, size, rigid=rigid)
        if kind == "records":
            self._records(local)
        else:
            self._piece(local)

    def _records(self, local: str) -> None:
        """Records are never copied: they become a part of their own."""
        self._emit()
        with self.code.block(f"if {local}:"):
            self.code.add('parts.append(b"".join(out))')
            self.code.add(f"parts.append({local})")
            self.code.add("out = []")

    def _single(self, field: Field, value: str, path: str, *, nullable: bool, tagged: bool) -> None:
        struct = self.message.structs[field.type]
        if not nullable:
            value = self._not_null(field, value, path)
        local = self.code.name(field.name)
        self.code.add(f"{local} = {value}")
        if not nullable:
            self._struct(struct, local, path)
            return
        self._emit()
        with self.code.block(f"if {local} is None:"):
            self._sink('.append(b"\\0")' if tagged else '.append(b"\\xff")')
        with self.code.block("else:"):
            self._piece('b"\\1"')
            self._struct(struct, local, path)
            self._emit()

    def _array(self, field: Field, value: str, path: str, *, nullable: bool) -> None:
        if not nullable:
            value = self._not_null(field, value, path)
        local = self.code.name(field.name)
        self.code.add(f"{local} = {value}")
        compact = self.flexible and field.flexible
        count = f"len({local})"
        if compact:
            count = self.code.name(f"{field.name}_count")
        if not nullable:
            if compact:
                self.code.add(f"{count} = len({local}) + 1")
            self._prefix("array", count, rigid=not field.flexible)
            self._elements(field, local, path)
            return
        self._emit()
        with self.code.block(f"if {local} is None:"):
            null = 'b"\\0"' if compact else 'b"\\xff\\xff\\xff\\xff"'
            self._sink(f".append({null})")
        with self.code.block("else:"):
            if compact:
                self.code.add(f"{count} = len({local}) + 1")
            self._prefix("array", count, rigid=not field.flexible)
            self._elements(field, local, path)
            self._emit()

    def _elements(self, field: Field, local: str, path: str) -> None:
        if field.type in _ARRAYS:
            self._piece(f"{self.needs.helper('write_' + _ARRAYS[field.type])}({local})")
            return
        self._emit()
        start = len(self.code.lines)
        element = self.code.name("element")
        with self.code.block(f"for {element} in {local}:"):
            if field.is_struct:
                self._struct(self.message.structs[field.type], element, path)
            else:
                self._variable(field.type, "text", element, nullable=False, rigid=not field.flexible)
            self._flush()
            row = self.pieces.pop() if len(self.code.lines) == start + 1 and len(self.pieces) == 1 else ""
            self._emit()
        if row:  # Nothing but numbers.
            self.code.lines.pop()
            self._sink(f" += [{row} for {element} in {local}]")

    def _tags(self, tagged: list[Field], value: str, path: str) -> None:
        if not tagged:
            self.run.append(("x", ""))  # No tagged fields: a zero byte, part of the run.
            return
        self._emit()
        count, outer = self.code.name("tags"), self.sink
        box = self.code.name("tagged")
        self.code.add(f"{count} = 0")
        self.code.add(f"{box}: list[bytes] = []")
        for field in sorted(tagged, key=lambda field: field.tag):
            source = f"{value}.{field.name}"
            with self.code.block(f"if {self._differs(field, source)}:"):
                inner = self.code.name("content")
                self.code.add(f"{inner}: list[bytes] = []")
                self.sink = inner
                self._tagged_field(field, source, f"{path}.{field.name}")
                self._emit()
                joined, size = self.code.name("joined"), self.code.name("joined_size")
                self.code.add(f'{joined} = b"".join({inner})')
                self.code.add(f"{size} = len({joined})")
                prefix = f"{self.needs.helper('UVARINTS')}[{size}] if {size} < 256 else "
                prefix += f"{self.needs.helper('uvarint')}({size})"
                self.code.add(f"{count} += 1")
                self._extend(box, [f"UVARINTS[{field.tag}]", prefix, joined])
                self.sink = outer
        with self.code.block(f"if {count}:"):
            self._sink(f".append({self.needs.helper('UVARINTS')}[{count}])")
            self._sink(f" += {box}")
        with self.code.block("else:"):
            self._sink('.append(b"\\0")')

    def _tagged_field(self, field: Field, source: str, path: str) -> None:
        """Where null is the default it has been ruled out before; a struct keeps its marker all the same."""
        if field.default == "null":
            self.narrowed = source
        if field.is_struct and not field.array:
            nullable = self.version in field.nullable
            self._single(field, source, path, nullable=nullable, tagged=True)
        else:
            self._field(field, source, path)
        self.narrowed = ""
