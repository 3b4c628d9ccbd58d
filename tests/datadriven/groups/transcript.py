"""Scripts of group requests with the answers expected: the steps, and two places to take them.

A script is a list of steps, each a line of words, then ``----``, then every answer that arrives before the
next step. The answers in the repository were given by Apache Kafka 4.3.1, with the settings of ``SETTINGS``.
``python -m tests.datadriven.groups.transcript HOST:PORT FILE…`` takes the steps against a live broker and
prints the script with its answers, so that any broker can be compared.

    join NAME [v=9] [id=…] [instance=…] [protocols=range:r,sticky:s] [type=consumer] [session=…] [rebalance=…]
    sync NAME GENERATION [v=5] [instance=…] [type=consumer] [name=range] [give=a:A,b:B]
    beat NAME GENERATION [v=4] [instance=…]
    leave [v=5] [NAME | NAME/INSTANCE | /INSTANCE] …
    describe [v=6]      list [v=5] [states=…] [types=…]      delete [v=2]      wait MILLISECONDS

NAME is a member: a connection of its own, and in answers the member id that its first JoinGroup got.
"""

from __future__ import annotations

import re
import socket
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from struct import unpack
from typing import Any, Protocol

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.frames import decode_response, encode_request
from riverlog.protocol.generated.delete_groups_request import DeleteGroupsRequest
from riverlog.protocol.generated.describe_groups_request import DescribeGroupsRequest
from riverlog.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from riverlog.protocol.generated.heartbeat_request import HeartbeatRequest
from riverlog.protocol.generated.join_group_request import JoinGroupRequest, JoinGroupRequestProtocol
from riverlog.protocol.generated.leave_group_request import LeaveGroupRequest, MemberIdentity
from riverlog.protocol.generated.list_groups_request import ListGroupsRequest
from riverlog.protocol.generated.sync_group_request import SyncGroupRequest, SyncGroupRequestAssignment

SETTINGS = {
    "group.initial.rebalance.delay.ms": "0",
    "group.min.session.timeout.ms": "100",
    "group.max.size": "5",
}
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
SETTLE_MS = 150
"""How long after a step its answers are collected."""


class Wire(Protocol):
    """A place to send requests to."""

    def send(self, who: str, key: ApiKey, version: int, request: Any) -> None: ...

    def wait(self, milliseconds: int) -> None: ...

    def received(self) -> list[tuple[str, Any]]:
        """Answers since the last time, by connection, oldest first."""
        ...


class Script:
    """One run of one script."""

    def __init__(self, wire: Wire, group_id: str) -> None:
        self._wire = wire
        self._group_id = group_id
        self._ids: dict[str, str] = {}

    def run(self, text: str) -> str:
        """The same script with the answers that came."""
        out = []
        for block in text.strip("\n").split("\n\n"):
            lines = block.split("\n")
            step = lines[: lines.index("----")] if "----" in lines else lines
            commands = [line for line in step if not line.startswith("#")]
            for command in commands:
                self._take(command.split())
            answers = self._answers() if commands else []
            out.append("\n".join([*step, *(["----", *answers] if commands else [])]))
        return "\n\n".join(out) + "\n"

    # -- steps ---------------------------------------------------------------------------

    def _take(self, words: list[str]) -> None:
        named = dict(word.split("=", 1) for word in words[1:] if "=" in word)
        plain = [word for word in words[1:] if "=" not in word]
        if words[0] == "wait":
            self._wire.wait(int(plain[0]))
            return
        who, key, version, request = getattr(self, "_" + words[0])(plain, named)
        self._wire.send(who, key, int(named.get("v", version)), request)
        self._wire.wait(SETTLE_MS)

    def _member(self, name: str) -> str:
        return self._ids.get(name, name)

    def _join(self, plain: list[str], named: dict[str, str]) -> tuple[str, ApiKey, int, Any]:
        (name,) = plain
        request = JoinGroupRequest(
            group_id=self._group_id,
            session_timeout_ms=int(named.get("session", 60_000)),
            rebalance_timeout_ms=int(named.get("rebalance", 60_000)),
            member_id=self._member(named["id"]) if "id" in named else self._ids.get(name, ""),
            group_instance_id=named.get("instance"),
            protocol_type=named.get("type", "consumer"),
            protocols=[
                JoinGroupRequestProtocol(name=protocol, metadata=metadata.encode())
                for protocol, metadata in _pairs(named.get("protocols", "range:r"))
            ],
        )
        return name, ApiKey.JOIN_GROUP, 9, request

    def _sync(self, plain: list[str], named: dict[str, str]) -> tuple[str, ApiKey, int, Any]:
        name, generation = plain
        said = int(named.get("v", 5)) >= 5
        request = SyncGroupRequest(
            group_id=self._group_id,
            generation_id=int(generation),
            member_id=self._member(name),
            group_instance_id=named.get("instance"),
            protocol_type=named.get("type", "consumer") if said else None,
            protocol_name=named.get("name", "range") if said else None,
            assignments=[
                SyncGroupRequestAssignment(member_id=self._member(member), assignment=value.encode())
                for member, value in _pairs(named.get("give", ""))
            ],
        )
        return name, ApiKey.SYNC_GROUP, 5, request

    def _beat(self, plain: list[str], named: dict[str, str]) -> tuple[str, ApiKey, int, Any]:
        name, generation = plain
        request = HeartbeatRequest(self._group_id, int(generation), self._member(name), named.get("instance"))
        return f"{name}'s beat", ApiKey.HEARTBEAT, 4, request

    def _leave(self, plain: list[str], named: dict[str, str]) -> tuple[str, ApiKey, int, Any]:
        members = []
        for word in plain:
            name, slash, instance = word.partition("/")
            member_id = self._member(name) if name else ""
            members.append(MemberIdentity(member_id=member_id, group_instance_id=instance if slash else None))
        request = LeaveGroupRequest(group_id=self._group_id, members=members)
        if int(named.get("v", 5)) < 3:
            request = LeaveGroupRequest(group_id=self._group_id, member_id=members[0].member_id)
        return "admin", ApiKey.LEAVE_GROUP, 5, request

    def _describe(self, _plain: list[str], named: dict[str, str]) -> tuple[str, ApiKey, int, Any]:
        request = DescribeGroupsRequest(groups=[self._group_id])
        request.include_authorized_operations = int(named.get("v", 6)) >= 3
        return "admin", ApiKey.DESCRIBE_GROUPS, 6, request

    def _list(self, _plain: list[str], named: dict[str, str]) -> tuple[str, ApiKey, int, Any]:
        states, types = named.get("states", ""), named.get("types", "")
        request = ListGroupsRequest(
            states_filter=states.split(",") if states else [], types_filter=types.split(",") if types else []
        )
        return "admin", ApiKey.LIST_GROUPS, 5, request

    def _delete(self, _plain: list[str], _named: dict[str, str]) -> tuple[str, ApiKey, int, Any]:
        return "admin", ApiKey.DELETE_GROUPS, 2, DeleteGroupsRequest(groups_names=[self._group_id])

    # -- answers -------------------------------------------------------------------------

    def _answers(self) -> list[str]:
        received = self._wire.received()
        for who, response in received:
            member_id = getattr(response, "member_id", "")
            if member_id and member_id not in self._ids.values():
                self._ids[who] = member_id
        return sorted(f"{who}: {self._shown(response)}" for who, response in received)

    def _name(self, member_id: str) -> str:
        unknown = _UUID.sub("?", member_id)
        return next((name for name, known in self._ids.items() if known == member_id), unknown)

    def _shown(self, response: Any) -> str:
        kind = type(response).__name__.removesuffix("Response")
        words: list[str] = getattr(self, "_show_" + kind)(response)
        return " ".join(words).replace(self._group_id, "GROUP")

    def _show_JoinGroup(self, response: Any) -> list[str]:  # noqa: N802
        words = [_error(response), f"member={self._name(response.member_id)}"]
        if response.error_code == 0:
            words += [
                f"generation={response.generation_id}",
                f"protocol={response.protocol_type}/{response.protocol_name}",
                f"leader={self._name(response.leader)}",
            ]
            words += ["skip"] * response.skip_assignment
            for row in sorted(response.members, key=lambda row: self._name(row.member_id)):
                instance = f"/{row.group_instance_id}" if row.group_instance_id else ""
                words.append(f"{self._name(row.member_id)}{instance}:{row.metadata.decode()}")
        return words

    def _show_SyncGroup(self, response: Any) -> list[str]:  # noqa: N802
        if response.error_code:
            return [_error(response)]
        protocol = f"protocol={response.protocol_type}/{response.protocol_name}"
        return [_error(response), protocol, f"assignment={response.assignment.decode()}"]

    def _show_Heartbeat(self, response: Any) -> list[str]:  # noqa: N802
        return [_error(response)]

    def _show_LeaveGroup(self, response: Any) -> list[str]:  # noqa: N802
        rows = [
            f"{self._name(row.member_id)}/{row.group_instance_id or ''}:{_error(row)}"
            for row in response.members
        ]
        return [_error(response), *rows]

    def _show_DescribeGroups(self, response: Any) -> list[str]:  # noqa: N802
        (group,) = response.groups
        words = [_error(group), group.group_state or "-"]
        words.append(f"protocol={group.protocol_type}/{group.protocol_data}")
        words.append(f"operations={group.authorized_operations}")
        if group.error_message:
            words.append(f"({group.error_message})")
        for row in sorted(group.members, key=lambda row: self._name(row.member_id)):
            who = f"{self._name(row.member_id)}/{row.group_instance_id or ''}"
            metadata, assignment = row.member_metadata.decode(), row.member_assignment.decode()
            words.append(f"{who}:{row.client_id}:{metadata}:{assignment}")
        return words

    def _show_ListGroups(self, response: Any) -> list[str]:  # noqa: N802
        rows = [
            f"{group.protocol_type or '-'}:{group.group_state or '-'}:{group.group_type or '-'}"
            for group in response.groups
            if group.group_id == self._group_id
        ]
        return [_error(response), *rows]

    def _show_DeleteGroups(self, response: Any) -> list[str]:  # noqa: N802
        return [_error(row) for row in response.results]


def _pairs(text: str) -> list[tuple[str, str]]:
    return [(left, right) for left, _, right in (word.partition(":") for word in text.split(",") if word)]


def _error(message: Any) -> str:
    return ErrorCode(message.error_code).name


class Live:
    """A broker behind real sockets."""

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self._address = (host, int(port))
        self._sockets: dict[str, socket.socket] = {}
        self._sent: dict[str, list[tuple[ApiKey, int]]] = {}
        self._buffers: dict[str, bytes] = {}

    def send(self, who: str, key: ApiKey, version: int, request: Any) -> None:
        if who not in self._sockets:
            self._sockets[who] = socket.create_connection(self._address)
            self._sent[who], self._buffers[who] = [], b""
        self._sent[who].append((key, version))
        self._sockets[who].sendall(encode_request(key, version, 1, "test", request))

    def wait(self, milliseconds: int) -> None:
        """Let time pass, as the script says."""
        threading.Event().wait(milliseconds / 1000)

    def received(self) -> list[tuple[str, Any]]:
        answers = []
        for who, connection in self._sockets.items():
            connection.setblocking(False)
            try:
                while data := connection.recv(1 << 16):
                    self._buffers[who] += data
            except BlockingIOError:
                pass
            connection.setblocking(True)
            buffer = self._buffers[who]
            while len(buffer) >= 4 and len(buffer) >= 4 + (size := unpack(">i", buffer[:4])[0]):
                key, version = self._sent[who].pop(0)
                answers.append((who, decode_response(key, version, memoryview(buffer)[4 : 4 + size])[1]))
                buffer = buffer[4 + size :]
            self._buffers[who] = buffer
        return answers

    def find_coordinator(self, group_id: str) -> None:
        """Wait until somebody answers for the group."""
        while True:
            request = FindCoordinatorRequest(key=group_id, key_type=0)
            self.send("finder", ApiKey.FIND_COORDINATOR, 3, request)
            self.wait(500)
            if any(response.error_code == 0 for _, response in self.received()):
                return


def main(arguments: Sequence[str]) -> None:
    address, *names = arguments
    for name in names:
        live = Live(address)
        group_id = f"{Path(name).stem}-{int(time.time() * 1000)}"
        live.find_coordinator(group_id)
        print(Script(live, group_id).run(Path(name).read_text(encoding="utf-8")), end="")


if __name__ == "__main__":
    main(sys.argv[1:])
