"""What a client reports: one line that says what is wrong."""

from __future__ import annotations

from riverlog.base.errors import ErrorCode


class ClientError(Exception):
    """A request could not be made or was refused; the text is fit for a user."""


class BrokerUnreachable(ClientError):
    """No connection to any of the given addresses, or it broke."""


class RequestTimedOut(ClientError):
    """No answer in time."""


class UnsupportedApi(ClientError):
    """The broker and we have no version of this API in common."""


class BrokerRefused(ClientError):
    """The broker answered with an error code."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = error_code(code)


def error_code(number: int) -> ErrorCode:
    """A code from the wire; one that is newer than us counts as an unknown error."""
    try:
        return ErrorCode(number)
    except ValueError:
        return ErrorCode.UNKNOWN_SERVER_ERROR


def describe_error(number: int, message: str | None = None) -> str:
    """A code from the wire as text, with the broker's own words if it sent any."""
    code = error_code(number)
    name = code.name if code == number else f"error {number}"
    return f"{message} ({name})" if message else name.replace("_", " ").lower()
