"""What a log refuses, with the code that goes to the peer."""

from __future__ import annotations

from riverlog.base.errors import ErrorCode


class LogError(Exception):
    """The log cannot do this; ``code`` goes into the response."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class AppendError(LogError):
    """The batch was not appended."""


class OffsetOutOfRange(LogError):
    """The offset is before the log start or past the log end."""

    def __init__(self, message: str) -> None:
        super().__init__(ErrorCode.OFFSET_OUT_OF_RANGE, message)
