"""Python types and default values of fields."""

from __future__ import annotations

from codegen.model import NO_VERSIONS, Field, Message

_PYTHON = {"bool": "bool", "float64": "float", "string": "str", "bytes": "bytes", "uuid": "bytes"}


def element_type(field: Field) -> str:
    if field.is_struct:
        return field.type
    return _PYTHON.get(field.type, "int")


def python_type(field: Field) -> str:
    """The annotation of the attribute."""
    if field.type == "records":
        return "Part | None"
    text = element_type(field)
    if field.array:
        text = f"list[{text}]"
    nullable = field.nullable != NO_VERSIONS or field.default == "null"
    return text + " | None" if nullable else text


def fresh_default(field: Field) -> str | None:
    """The expression for a default that every message needs its own copy of; None where it can be shared."""
    if field.default == "null":
        return None
    if field.array:
        return "[]"
    return f"{field.type}()" if field.is_struct else None


def default(field: Field) -> str:
    """An expression for the default value."""
    fresh = fresh_default(field)
    if fresh is not None:
        return fresh
    if field.default == "null":
        return "None"
    if field.type == "bool":
        return "True" if field.default == "true" else "False"
    if field.type == "float64":
        return field.default or "0.0"
    zero = {"string": '""', "bytes": 'b""', "uuid": "ZERO_UUID", "records": "None"}
    return zero.get(field.type) or field.default or "0"


def minimal_size(message: Message, field: Field, version: int) -> int:
    """The fewest bytes one element of this (array) field takes; at least one."""
    flexible = version in message.flexible and field.flexible
    if field.is_struct:
        return max(1, _struct_size(message, field.type, version))
    return _value_size(field.type, flexible)


def _value_size(type_name: str, flexible: bool) -> int:
    fixed = {"bool": 1, "int8": 1, "int16": 2, "uint16": 2, "int32": 4, "uint32": 4, "int64": 8, "float64": 8}
    if type_name == "uuid":
        return 16
    if type_name in fixed:
        return fixed[type_name]
    if flexible:
        return 1
    return 2 if type_name == "string" else 4


def _struct_size(message: Message, name: str, version: int) -> int:
    flexible = version in message.flexible
    total = 1 if flexible else 0
    for field in message.structs[name].fields:
        if version not in field.versions or version in field.tagged:
            continue
        if field.array:
            total += 1 if flexible else 4
        elif field.is_struct:
            total += 1 if version in field.nullable else _struct_size(message, field.type, version)
        else:
            total += _value_size(field.type, flexible and field.flexible)
    return total
