"""DescribeUserScramCredentials.

Version 0, from the published metadata: what a Kafka folder brought along. None can be made or used
here until there is SASL.
Differs from Kafka: nothing known.
KIPs: 554.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.registry import BOTH, handler
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.describe_user_scram_credentials_request import (
    DescribeUserScramCredentialsRequest,
)
from riverlog.protocol.generated.describe_user_scram_credentials_response import (
    CredentialInfo,
    DescribeUserScramCredentialsResponse,
    DescribeUserScramCredentialsResult,
)

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.DESCRIBE_USER_SCRAM_CREDENTIALS, versions=(0, 0), on=BOTH)
def describe_user_scram_credentials(
    broker: Broker, context: RequestContext, request: DescribeUserScramCredentialsRequest
) -> DescribeUserScramCredentialsResponse:
    known: dict[str, list[CredentialInfo]] = {}
    for (name, mechanism), record in broker.metadata.image.scram_credentials.items():
        info = CredentialInfo(mechanism=mechanism, iterations=record.iterations)
        known.setdefault(name, []).append(info)
    # Nobody asked for by name means everybody.
    counts = Counter([user.name for user in request.users] if request.users else list(known))
    results = []
    for name, count in counts.items():
        result = DescribeUserScramCredentialsResult(user=name, error_message=None)
        if count > 1:
            result.error_code = ErrorCode.DUPLICATE_RESOURCE
            result.error_message = f"A user may be asked for only once: {name}"
        elif name not in known:
            result.error_code = ErrorCode.RESOURCE_NOT_FOUND
            result.error_message = f"There is no SCRAM credential of this user: {name}"
        else:
            result.credential_infos = known[name]
        results.append(result)
    return DescribeUserScramCredentialsResponse(results=results)
