"""Writes the body of one decoder: one version of one message, nested structs in line."""

from __future__ import annotations

from codegen.model import PRIMITIVES, Field, Message, Struct
from codegen.types import default, element_type, minimal_size, python_type
from codegen.writer import Lines, Needs, width

_ARRAYS = {"int8": "int8s", "int16": "int16s", "int32": "int32s", "int64": "int64s", "uuid": "uuids"}


class Decoder:
    """``p`` is the position, ``end`` the length of the buffer, ``room`` what arrays may still hold."""

    def __init__(self, message: Message, version: int, needs: Needs) -> None:
        self.message = message
        self.version = version
        self.flexible = version in message.flexible
        self.needs = needs
        self.out = Lines()
        self.run: list[tuple[str, str]] = []
        self.limits = False
        self.out.reserve("p", "end", "room", "buffer", "stop")

    def body(self) -> list[str]:
        value = self._struct(self.message.body, self.message.name)
        self._flush()
        self.out.add(f"return {value}, p")
        lines = self.out.lines
        if self.limits:
            lines = ["    end = len(buffer)", f"    room = {self.needs.helper('MAX_ELEMENTS')}", *lines]
        return lines

    def _struct(self, struct: Struct, path: str) -> str:
        """Emits the reading of all fields; answers the constructor call."""
        values: dict[str, str] = {}
        tagged: list[Field] = []
        for field in struct.fields:
            if self.version not in field.versions:
                values[field.name] = self._absent(field)
            elif self.version in field.tagged:
                tagged.append(field)
            else:
                values[field.name] = self._field(field, f"{path}.{field.name}")
        if self.flexible:
            self._tags(tagged, values, path)
        return f"{struct.name}({', '.join(values[field.name] for field in struct.fields)})"

    def _absent(self, field: Field) -> str:
        value = default(field)
        return self.needs.helper(value) if value == "ZERO_UUID" else value

    def _take(self, code: str, base: str) -> str:
        """One more number of the current run."""
        name = self.out.name(base)
        self.run.append((code, name))
        return name

    def _flush(self) -> None:
        """Read the current run in one call."""
        if not self.run:
            return
        codes = "".join(code for code, _ in self.run)
        names = [name for _, name in self.run]
        self.run = []
        if codes == "B":
            self.out.add(f"{names[0]} = buffer[p]")
        elif codes == "?":
            self.out.add(f"{names[0]} = buffer[p] != 0")
        else:
            left = f"({names[0]},)" if len(names) == 1 else ", ".join(names)
            self.out.add(f"{left} = {self.needs.unpack(codes)}(buffer, p)")
        self.out.add(f"p += {width(codes)}")

    def _field(self, field: Field, path: str) -> str:
        if field.array:
            return self._array(field, path)
        if field.is_struct:
            return self._single(field, path)
        if field.type in PRIMITIVES:
            return self._take(PRIMITIVES[field.type], field.name)
        nullable = self.version in field.nullable
        return self._variable(field.type, field.name, path, nullable=nullable, rigid=not field.flexible)

    def _length(self, kind: str, base: str, rigid: bool) -> str:
        """Emits the reading of a length or count. In flexible versions it is still plus one."""
        compact = self.flexible and not rigid
        code = "B" if compact else ("h" if kind == "string" else "i")
        name = self._take(code, base)
        self._flush()
        if compact:
            helper = self.needs.helper("string_tail" if kind == "string" else "uvarint_tail")
            with self.out.block(f"if {name} > 127:"):
                self.out.add(f"{name}, p = {helper}(buffer, p, {name})")
        return name

    def _refuse(self, path: str) -> None:
        self.out.add(f'raise {self.needs.helper("missing")}("{path}")')

    def _variable(self, kind: str, base: str, path: str, *, nullable: bool, rigid: bool) -> str:
        """A string, bytes or records."""
        compact = self.flexible and not rigid
        count = self._length(kind, f"{base}_size", rigid)
        value = self.out.name(base)
        stop = f"stop = p + {count} - 1" if compact else f"stop = p + {count}"
        read = {
            "string": "buffer[p:stop].tobytes().decode()",
            "bytes": "buffer[p:stop].tobytes()",
            "records": "buffer[p:stop]",
        }[kind]
        python = {"string": "str", "bytes": "bytes", "records": "memoryview"}[kind]
        if not nullable:
            with self.out.block(f"if {count} {'== 0' if compact else '< 0'}:"):
                self._refuse(path)
            for line in (stop, f"{value} = {read}", "p = stop"):
                self.out.add(line)
            return value
        self.out.add(f"{value}: {python} | None = None")
        with self.out.block(f"if {count}:" if compact else f"if {count} >= 0:"):
            for line in (stop, f"{value} = {read}", "p = stop"):
                self.out.add(line)
        if not compact:
            with self.out.block(f"elif {count} != -1:"):
                self._refuse(path)
        return value

    def _single(self, field: Field, path: str, *, tagged: bool = False) -> str:
        """A struct on its own, in line; a nullable one has a marker in front."""
        struct = self.message.structs[field.type]
        if self.version not in field.nullable:
            return self._struct(struct, path)
        mark = self._take("B" if tagged else "b", f"{field.name}_mark")
        self._flush()
        if tagged:
            with self.out.block(f"if {mark} > 127:"):
                self.out.add(f"{mark}, p = {self.needs.helper('uvarint_tail')}(buffer, p, {mark})")
        value = self.out.name(field.name)
        self.out.add(f"{value}: {field.type} | None = None")
        with self.out.block(f"if {mark} {'> 0' if tagged else '>= 0'}:"):
            made = self._struct(struct, path)
            self._flush()
            self.out.add(f"{value} = {made}")
        return value

    def _array(self, field: Field, path: str) -> str:
        compact = self.flexible and field.flexible
        count = self._length("array", f"{field.name}_count", not field.flexible)
        value = self.out.name(field.name)
        if self.version in field.nullable:
            self.out.add(f"{value}: list[{element_type(field)}] | None = None")
            with self.out.block(f"if {count}:" if compact else f"if {count} >= 0:"):
                if compact:
                    self.out.add(f"{count} -= 1")
                self._elements(field, count, value, path, declared=True)
            if not compact:
                with self.out.block(f"elif {count} != -1:"):
                    self._refuse(path)
            return value
        with self.out.block(f"if {count} {'== 0' if compact else '< 0'}:"):
            self._refuse(path)
        if compact:
            self.out.add(f"{count} -= 1")
        self._elements(field, count, value, path, declared=False)
        return value

    def _elements(self, field: Field, count: str, value: str, path: str, *, declared: bool) -> None:
        if field.type in _ARRAYS:
            helper = self.needs.helper("read_" + _ARRAYS[field.type])
            self.out.add(f"{value} = {helper}(buffer, p, {count})")
            size = width(PRIMITIVES[field.type])
            self.out.add(f"p += {count}" if size == 1 else f"p += {count} * {size}")
            return
        self.limits = True
        size = minimal_size(self.message, field, self.version)
        need = count if size == 1 else f"{count} * {size}"
        with self.out.block(f"if {count} > room or {need} > end - p:"):
            self.out.add(f'raise {self.needs.helper("too_many")}("{path}", {count})')
        self.out.add(f"room -= {count}")
        fixed = self._fixed_element(field)
        if fixed is not None:
            self._rows(fixed, count, value, declared=declared)
            return
        self.out.add(f"{value} = []" if declared else f"{value}: list[{element_type(field)}] = []")
        with self.out.block(f"for _ in range({count}):"):
            if field.is_struct:
                made = self._struct(self.message.structs[field.type], path)
            else:
                rigid = not field.flexible
                made = self._variable(field.type, "element", path, nullable=False, rigid=rigid)
            self._flush()
            self.out.add(f"{value}.append({made})")

    def _fixed_element(self, field: Field) -> Struct | None:
        """The element's struct when every one of its rows has the same width."""
        if self.flexible or not field.is_struct:
            return None
        struct = self.message.structs[field.type]
        present = [f for f in struct.fields if self.version in f.versions]
        if present and all(f.type in PRIMITIVES and not f.array for f in present):
            return struct
        return None

    def _rows(self, struct: Struct, count: str, value: str, *, declared: bool) -> None:
        """An array of fixed-width rows, read in one sweep."""
        present = [field for field in struct.fields if self.version in field.versions]
        codes = "".join(PRIMITIVES[field.type] for field in present)
        names = {field.name: self.out.name(field.name) for field in present}
        arguments = ", ".join(names.get(f.name) or self._absent(f) for f in struct.fields)
        unpack = self.needs.iter_unpack(codes)
        left = ", ".join(names.values()) + ("," if len(names) == 1 else "")
        annotation = "" if declared else f": list[{struct.name}]"
        self.out.add(f"stop = p + {count} * {width(codes)}")
        self.out.add(
            f"{value}{annotation} = [{struct.name}({arguments}) for {left} in {unpack}(buffer[p:stop])]"
        )
        self.out.add("p = stop")

    def _tags(self, tagged: list[Field], values: dict[str, str], path: str) -> None:
        count = self._take("B", "tags")
        self._flush()
        if not tagged:
            with self.out.block(f"if {count}:"):
                self.out.add(f"p = {self.needs.helper('skip_tags')}(buffer, p, {count})")
            return
        targets = {field.name: self.out.name(field.name) for field in tagged}
        for field in tagged:
            value = default(field)
            if value == "ZERO_UUID":
                self.needs.helper(value)
            self.out.add(f"{targets[field.name]}: {python_type(field)} = {value}")
            values[field.name] = targets[field.name]
        with self.out.block(f"if {count}:"):
            with self.out.block(f"if {count} > 127:"):
                self.out.add(f"{count}, p = {self.needs.helper('uvarint_tail')}(buffer, p, {count})")
            tag, stop = self.out.name("tag"), self.out.name("tag_stop")
            self.out.add(f"{tag} = -1")
            with self.out.block(f"for _ in range({count}):"):
                self.out.add(f"{tag}, {stop}, p = {self.needs.helper('read_tag')}(buffer, p, {tag})")
                word = "if"
                for field in sorted(tagged, key=lambda field: field.tag):
                    with self.out.block(f"{word} {tag} == {field.tag}:"):
                        self._tagged_field(field, targets[field.name], f"{path}.{field.name}")
                    word = "elif"
                with self.out.block("else:"):
                    self.out.add(f"p = {stop}")
                with self.out.block(f"if p != {stop}:"):
                    text = f"{path}: a tagged field is not of its size"
                    self.out.add(f'raise {self.needs.helper("DecodeError")}("{text}")')

    def _tagged_field(self, field: Field, target: str, path: str) -> None:
        if field.is_struct and not field.array:
            made = self._single(field, path, tagged=True)
        else:
            made = self._field(field, path)
        self._flush()
        self.out.add(f"{target} = {made}")
