"""What the user did wrong, in one line."""

from __future__ import annotations


class UserError(Exception):
    """A mistake in what was asked for; the text says what is wrong, where, and what to do."""

    exit_code = 1


class BadOption(UserError):
    """An option's value makes no sense."""

    exit_code = 2
