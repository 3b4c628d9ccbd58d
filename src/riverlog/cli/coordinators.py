"""Which node coordinates a group or a transactional id."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from riverlog.cli.errors import UserError
from riverlog.client.connection import Request
from riverlog.client.errors import describe_error, error_code
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.find_coordinator_request import FindCoordinatorRequest

if TYPE_CHECKING:
    from riverlog.runtime.client_io import BlockingClient

GROUP, TRANSACTION = 0, 1
"""Kinds of keys, as FindCoordinator numbers them."""
SECONDS_MAX = 10.0
"""How long a coordinator may take to be elected and to load."""
RETRY_SECONDS = 0.1
_KINDS = {GROUP: "group", TRANSACTION: "transactional id"}
_ONE_KEY_VERSION_MAX = 3


def coordinator(client: BlockingClient, key: str, kind: int) -> int:
    """The node that has this key; waits while it is being loaded."""
    deadline = time.monotonic() + SECONDS_MAX
    while True:
        client.refresh([])
        request = FindCoordinatorRequest(key=key, key_type=kind, coordinator_keys=[])
        answer = client.call_request(
            Request(ApiKey.FIND_COORDINATOR, request, max_version=_ONE_KEY_VERSION_MAX)
        )
        if not answer.error_code:
            return int(answer.node_id)
        if not error_code(answer.error_code).retriable or time.monotonic() > deadline:
            why = describe_error(answer.error_code, answer.error_message)
            raise UserError(f"{_KINDS[kind]} {key!r}: {why}")
        time.sleep(RETRY_SECONDS)
