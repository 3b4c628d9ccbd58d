"""Broker settings of features that are still to come, so that a Kafka file is understood as a whole.

Kafka's names, bounds and defaults (4.3); none is acted on yet (``honoured=False``). A row moves to
``broker_configs`` with a text of its own when its feature is built.
"""

from __future__ import annotations

from typing import TypeVar

from riverlog.base.config_table import Dynamic, broker_config
from riverlog.base.config_types import (
    INT_MAX,
    LONG_MAX,
    Bool,
    ClassName,
    ConfigType,
    Double,
    Int,
    List,
    Long,
    Nullable,
    Password,
    Short,
    Str,
)

T = TypeVar("T")

_FIXED = Dynamic.READ_ONLY
_BROKER = Dynamic.PER_BROKER
_WIDE = Dynamic.CLUSTER_WIDE


def _later(
    feature: str, name: str, type: ConfigType[T], default: T, dynamic: Dynamic, *, internal: bool = False
) -> None:
    doc = f"Part of {feature}; without effect in this version."
    broker_config(name, type, default=default, doc=doc, dynamic=dynamic, honoured=False, internal=internal)


# Replication

_REPLICATION = "replication between brokers"
_later(_REPLICATION, "num.replica.alter.log.dirs.threads", Nullable(Int()), None, _FIXED)
_later(_REPLICATION, "socket.connection.setup.timeout.ms", Long(), 10_000, _FIXED)
_later(_REPLICATION, "socket.connection.setup.timeout.max.ms", Long(), 30_000, _FIXED)
_later(_REPLICATION, "controller.socket.timeout.ms", Int(), 30_000, _FIXED)
_later(_REPLICATION, "replica.socket.receive.buffer.bytes", Int(), 65_536, _FIXED)
_later(_REPLICATION, "num.replica.fetchers", Int(low=1), 1, _WIDE)
_later(_REPLICATION, "fetch.purgatory.purge.interval.requests", Int(), 1_000, _FIXED)
_later(_REPLICATION, "producer.purgatory.purge.interval.requests", Int(), 1_000, _FIXED)
_later(_REPLICATION, "delete.records.purgatory.purge.interval.requests", Int(), 1, _FIXED)
_later(_REPLICATION, "follower.fetch.last.tiered.offset.enable", Bool(), False, _WIDE)
_later(
    _REPLICATION,
    "replica.alter.log.dirs.io.max.bytes.per.second",
    Long(low=0),
    LONG_MAX,
    _WIDE,
    internal=True,
)

# Share groups

_SHARE_GROUPS = "share groups"
_later(_SHARE_GROUPS, "group.share.session.timeout.ms", Int(low=1), 45_000, _FIXED)
_later(_SHARE_GROUPS, "group.share.min.session.timeout.ms", Int(low=1), 45_000, _FIXED)
_later(_SHARE_GROUPS, "group.share.max.session.timeout.ms", Int(low=1), 60_000, _FIXED)
_later(_SHARE_GROUPS, "group.share.heartbeat.interval.ms", Int(low=1), 5_000, _FIXED)
_later(_SHARE_GROUPS, "group.share.min.heartbeat.interval.ms", Int(low=1), 5_000, _FIXED)
_later(_SHARE_GROUPS, "group.share.max.heartbeat.interval.ms", Int(low=1), 15_000, _FIXED)
_later(_SHARE_GROUPS, "group.share.max.size", Int(low=1, high=1000), 200, _FIXED)
_later(_SHARE_GROUPS, "group.share.assignors", List(), ("simple",), _FIXED)
_later(_SHARE_GROUPS, "group.share.assignment.interval.ms", Int(low=0), 1_000, _WIDE)
_later(_SHARE_GROUPS, "group.share.min.assignment.interval.ms", Int(low=0), 0, _FIXED)
_later(_SHARE_GROUPS, "group.share.max.assignment.interval.ms", Int(low=0), 15_000, _FIXED)
_later(_SHARE_GROUPS, "group.share.initialize.retry.interval.ms", Int(low=1), 30_000, _FIXED, internal=True)
_later(_SHARE_GROUPS, "group.share.delivery.count.limit", Int(low=2, high=10), 5, _FIXED)
_later(_SHARE_GROUPS, "group.share.max.delivery.count.limit", Int(low=5, high=25), 10, _FIXED)
_later(_SHARE_GROUPS, "group.share.min.delivery.count.limit", Int(low=2, high=5), 2, _FIXED)
_later(_SHARE_GROUPS, "group.share.record.lock.duration.ms", Int(low=1000, high=3600000), 30_000, _FIXED)
_later(_SHARE_GROUPS, "group.share.min.record.lock.duration.ms", Int(low=1000, high=30000), 15_000, _FIXED)
_later(_SHARE_GROUPS, "group.share.max.record.lock.duration.ms", Int(low=30000, high=3600000), 60_000, _FIXED)
_later(_SHARE_GROUPS, "group.share.partition.max.record.locks", Int(low=100, high=10000), 2_000, _FIXED)
_later(_SHARE_GROUPS, "group.share.max.partition.max.record.locks", Int(low=2000, high=10000), 4_000, _FIXED)
_later(_SHARE_GROUPS, "group.share.min.partition.max.record.locks", Int(low=100, high=2000), 100, _FIXED)
_later(_SHARE_GROUPS, "share.fetch.purgatory.purge.interval.requests", Int(), 1_000, _FIXED)
_later(_SHARE_GROUPS, "group.share.max.share.sessions", Int(low=1), 2_000, _FIXED)
_later(
    _SHARE_GROUPS,
    "group.share.persister.class.name",
    Str(),
    "org.apache.kafka.server.share.persister.DefaultStatePersister",
    _FIXED,
    internal=True,
)
_later(_SHARE_GROUPS, "share.coordinator.state.topic.num.partitions", Int(low=1), 50, _FIXED)
_later(_SHARE_GROUPS, "share.coordinator.state.topic.replication.factor", Short(low=1), 3, _FIXED)
_later(_SHARE_GROUPS, "share.coordinator.state.topic.min.isr", Short(low=1), 2, _FIXED)
_later(_SHARE_GROUPS, "share.coordinator.state.topic.segment.bytes", Int(low=1), 104_857_600, _FIXED)
_later(_SHARE_GROUPS, "share.coordinator.threads", Int(low=1), 1, _FIXED)
_later(
    _SHARE_GROUPS, "share.coordinator.snapshot.update.records.per.snapshot", Int(low=0, high=500), 500, _FIXED
)
_later(_SHARE_GROUPS, "share.coordinator.load.buffer.size", Int(low=1), 5_242_880, _FIXED)
_later(_SHARE_GROUPS, "share.coordinator.state.topic.compression.codec", Int(), 0, _FIXED)
_later(_SHARE_GROUPS, "share.coordinator.append.linger.ms", Int(low=-1), -1, _FIXED)
_later(_SHARE_GROUPS, "share.coordinator.write.timeout.ms", Int(low=1), 5_000, _FIXED)
_later(
    _SHARE_GROUPS,
    "share.coordinator.state.topic.prune.interval.ms",
    Int(low=1),
    300_000,
    _FIXED,
    internal=True,
)
_later(
    _SHARE_GROUPS,
    "share.coordinator.cold.partition.snapshot.interval.ms",
    Int(low=1),
    300_000,
    _FIXED,
    internal=True,
)
_later(_SHARE_GROUPS, "share.coordinator.cached.buffer.max.bytes", Int(low=524288), 1_048_588, _WIDE)

# Streams groups

_STREAMS_GROUPS = "streams groups"
_later(_STREAMS_GROUPS, "group.streams.session.timeout.ms", Int(low=1), 45_000, _FIXED)
_later(_STREAMS_GROUPS, "group.streams.min.session.timeout.ms", Int(low=1), 45_000, _FIXED)
_later(_STREAMS_GROUPS, "group.streams.max.session.timeout.ms", Int(low=1), 60_000, _FIXED)
_later(_STREAMS_GROUPS, "group.streams.heartbeat.interval.ms", Int(low=1), 5_000, _FIXED)
_later(_STREAMS_GROUPS, "group.streams.min.heartbeat.interval.ms", Int(low=1), 5_000, _FIXED)
_later(_STREAMS_GROUPS, "group.streams.max.heartbeat.interval.ms", Int(low=1), 15_000, _FIXED)
_later(_STREAMS_GROUPS, "group.streams.max.size", Int(low=1), INT_MAX, _FIXED)
_later(_STREAMS_GROUPS, "group.streams.num.standby.replicas", Int(low=0), 0, _FIXED)
_later(_STREAMS_GROUPS, "group.streams.max.standby.replicas", Int(low=0), 2, _FIXED)
_later(_STREAMS_GROUPS, "group.streams.initial.rebalance.delay.ms", Int(low=0), 3_000, _FIXED)
_later(_STREAMS_GROUPS, "group.streams.assignment.interval.ms", Int(low=0), 1_000, _WIDE)
_later(_STREAMS_GROUPS, "group.streams.min.assignment.interval.ms", Int(low=0), 0, _FIXED)
_later(_STREAMS_GROUPS, "group.streams.max.assignment.interval.ms", Int(low=0), 15_000, _FIXED)

# Transactions

_TRANSACTIONS = "transactions"
_later(_TRANSACTIONS, "transaction.two.phase.commit.enable", Bool(), False, _FIXED)

# Tiered storage

_TIERED_STORAGE = "tiered storage"
_later(_TIERED_STORAGE, "remote.log.storage.system.enable", Bool(), False, _FIXED)
_later(_TIERED_STORAGE, "remote.log.storage.manager.impl.prefix", Str(non_empty=True), "rsm.config.", _FIXED)
_later(
    _TIERED_STORAGE, "remote.log.metadata.manager.impl.prefix", Str(non_empty=True), "rlmm.config.", _FIXED
)
_later(_TIERED_STORAGE, "remote.log.storage.manager.class.name", Nullable(Str(non_empty=True)), None, _FIXED)
_later(_TIERED_STORAGE, "remote.log.storage.manager.class.path", Nullable(Str()), None, _FIXED)
_later(
    _TIERED_STORAGE,
    "remote.log.metadata.manager.class.name",
    Str(non_empty=True),
    "org.apache.kafka.server.log.remote.metadata.storage.TopicBasedRemoteLogMetadataManager",
    _FIXED,
)
_later(_TIERED_STORAGE, "remote.log.metadata.manager.class.path", Nullable(Str()), None, _FIXED)
_later(
    _TIERED_STORAGE, "remote.log.metadata.manager.listener.name", Nullable(Str(non_empty=True)), None, _FIXED
)
_later(_TIERED_STORAGE, "remote.log.metadata.custom.metadata.max.bytes", Int(low=0), 128, _FIXED)
_later(_TIERED_STORAGE, "remote.log.index.file.cache.total.size.bytes", Long(low=1), 1_073_741_824, _WIDE)
_later(_TIERED_STORAGE, "remote.log.index.file.cache.ttl.ms", Long(low=-1), 900_000, _FIXED, internal=True)
_later(_TIERED_STORAGE, "remote.log.manager.thread.pool.size", Int(low=1), 2, _FIXED)
_later(_TIERED_STORAGE, "remote.log.manager.copier.thread.pool.size", Int(low=1), 10, _WIDE)
_later(_TIERED_STORAGE, "remote.log.manager.expiration.thread.pool.size", Int(low=1), 10, _WIDE)
_later(_TIERED_STORAGE, "remote.log.manager.follower.thread.pool.size", Int(low=1), 2, _WIDE)
_later(_TIERED_STORAGE, "remote.log.manager.task.interval.ms", Long(low=1), 30_000, _FIXED)
_later(_TIERED_STORAGE, "remote.log.manager.task.retry.backoff.ms", Long(low=1), 500, _FIXED, internal=True)
_later(
    _TIERED_STORAGE,
    "remote.log.manager.task.retry.backoff.max.ms",
    Long(low=1),
    30_000,
    _FIXED,
    internal=True,
)
_later(
    _TIERED_STORAGE,
    "remote.log.manager.task.retry.jitter",
    Double(low=0, high=0.5),
    0.2,
    _FIXED,
    internal=True,
)
_later(_TIERED_STORAGE, "remote.log.reader.threads", Int(low=1), 10, _WIDE)
_later(_TIERED_STORAGE, "remote.log.reader.max.pending.tasks", Int(low=1), 100, _FIXED)
_later(_TIERED_STORAGE, "remote.log.manager.copy.max.bytes.per.second", Long(low=1), LONG_MAX, _WIDE)
_later(_TIERED_STORAGE, "remote.log.manager.copy.quota.window.num", Int(low=1), 11, _FIXED)
_later(_TIERED_STORAGE, "remote.log.manager.copy.quota.window.size.seconds", Int(low=1), 1, _FIXED)
_later(_TIERED_STORAGE, "remote.log.manager.fetch.max.bytes.per.second", Long(low=1), LONG_MAX, _WIDE)
_later(_TIERED_STORAGE, "remote.log.manager.fetch.quota.window.num", Int(low=1), 11, _FIXED)
_later(_TIERED_STORAGE, "remote.log.manager.fetch.quota.window.size.seconds", Int(low=1), 1, _FIXED)
_later(_TIERED_STORAGE, "remote.fetch.max.wait.ms", Int(low=1), 500, _WIDE)
_later(_TIERED_STORAGE, "remote.list.offsets.request.timeout.ms", Long(low=1), 30_000, _WIDE)

# Quotas

_QUOTAS = "quotas"
_later(_QUOTAS, "replication.quota.window.num", Int(low=1), 11, _FIXED)
_later(_QUOTAS, "alter.log.dirs.replication.quota.window.num", Int(low=1), 11, _FIXED)
_later(_QUOTAS, "replication.quota.window.size.seconds", Int(low=1), 1, _FIXED)
_later(_QUOTAS, "alter.log.dirs.replication.quota.window.size.seconds", Int(low=1), 1, _FIXED)

# Security

_SECURITY = "authentication, encryption and authorization"
_later(_SECURITY, "authorizer.class.name", Str(), "", _FIXED)
_later(_SECURITY, "sasl.mechanism.controller.protocol", Str(), "GSSAPI", _FIXED)
_later(_SECURITY, "connection.failed.authentication.delay.ms", Int(low=0), 100, _FIXED)
_later(_SECURITY, "connections.max.reauth.ms", Long(), 0, _FIXED)
_later(_SECURITY, "sasl.server.max.receive.size", Int(), 524_288, _FIXED)
_later(_SECURITY, "security.providers", Nullable(Str()), None, _FIXED)
_later(
    _SECURITY,
    "principal.builder.class",
    ClassName(),
    "org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder",
    _BROKER,
)
_later(_SECURITY, "ssl.client.auth", Str("required", "requested", "none"), "none", _BROKER)
_later(_SECURITY, "ssl.principal.mapping.rules", Str(), "DEFAULT", _FIXED)
_later(_SECURITY, "ssl.allow.dn.changes", Bool(), False, _FIXED)
_later(_SECURITY, "ssl.allow.san.changes", Bool(), False, _FIXED)
_later(_SECURITY, "ssl.protocol", Str(), "TLSv1.3", _BROKER)
_later(_SECURITY, "ssl.provider", Nullable(Str()), None, _BROKER)
_later(_SECURITY, "ssl.enabled.protocols", List(), ("TLSv1.2", "TLSv1.3"), _BROKER)
_later(_SECURITY, "ssl.keystore.type", Str(), "JKS", _BROKER)
_later(_SECURITY, "ssl.keystore.location", Nullable(Str()), None, _BROKER)
_later(_SECURITY, "ssl.keystore.password", Nullable(Password()), None, _BROKER)
_later(_SECURITY, "ssl.key.password", Nullable(Password()), None, _BROKER)
_later(_SECURITY, "ssl.keystore.key", Nullable(Password()), None, _BROKER)
_later(_SECURITY, "ssl.keystore.certificate.chain", Nullable(Password()), None, _BROKER)
_later(_SECURITY, "ssl.truststore.type", Str(), "JKS", _BROKER)
_later(_SECURITY, "ssl.truststore.location", Nullable(Str()), None, _BROKER)
_later(_SECURITY, "ssl.truststore.password", Nullable(Password()), None, _BROKER)
_later(_SECURITY, "ssl.truststore.certificates", Nullable(Password()), None, _BROKER)
_later(_SECURITY, "ssl.keymanager.algorithm", Str(), "SunX509", _BROKER)
_later(_SECURITY, "ssl.trustmanager.algorithm", Str(), "PKIX", _BROKER)
_later(_SECURITY, "ssl.endpoint.identification.algorithm", Str(), "https", _BROKER)
_later(_SECURITY, "ssl.secure.random.implementation", Nullable(Str()), None, _BROKER)
_later(_SECURITY, "ssl.cipher.suites", List(), (), _BROKER)
_later(_SECURITY, "ssl.engine.factory.class", Nullable(ClassName()), None, _BROKER)
_later(_SECURITY, "sasl.mechanism.inter.broker.protocol", Str(), "GSSAPI", _BROKER)
_later(_SECURITY, "sasl.enabled.mechanisms", List(), ("GSSAPI",), _BROKER)
_later(_SECURITY, "sasl.server.callback.handler.class", Nullable(ClassName()), None, _FIXED)
_later(_SECURITY, "sasl.kerberos.principal.to.local.rules", List(), ("DEFAULT",), _BROKER)
_later(_SECURITY, "sasl.jaas.config", Nullable(Password()), None, _BROKER)
_later(_SECURITY, "sasl.client.callback.handler.class", Nullable(ClassName()), None, _FIXED)
_later(_SECURITY, "sasl.login.class", Nullable(ClassName()), None, _FIXED)
_later(_SECURITY, "sasl.login.callback.handler.class", Nullable(ClassName()), None, _FIXED)
_later(_SECURITY, "sasl.kerberos.service.name", Nullable(Str()), None, _BROKER)
_later(_SECURITY, "sasl.kerberos.kinit.cmd", Str(), "/usr/bin/kinit", _BROKER)
_later(_SECURITY, "sasl.kerberos.ticket.renew.window.factor", Double(), 0.8, _BROKER)
_later(_SECURITY, "sasl.kerberos.ticket.renew.jitter", Double(), 0.05, _BROKER)
_later(_SECURITY, "sasl.kerberos.min.time.before.relogin", Long(), 60_000, _BROKER)
_later(_SECURITY, "sasl.login.refresh.window.factor", Double(), 0.8, _BROKER)
_later(_SECURITY, "sasl.login.refresh.window.jitter", Double(), 0.05, _BROKER)
_later(_SECURITY, "sasl.login.refresh.min.period.seconds", Short(), 60, _BROKER)
_later(_SECURITY, "sasl.login.refresh.buffer.seconds", Short(), 300, _BROKER)
_later(_SECURITY, "sasl.login.connect.timeout.ms", Nullable(Int()), None, _FIXED)
_later(_SECURITY, "sasl.login.read.timeout.ms", Nullable(Int()), None, _FIXED)
_later(_SECURITY, "sasl.login.retry.backoff.max.ms", Long(), 10_000, _FIXED)
_later(_SECURITY, "sasl.login.retry.backoff.ms", Long(), 100, _FIXED)
_later(
    _SECURITY,
    "sasl.oauthbearer.jwt.retriever.class",
    ClassName(),
    "org.apache.kafka.common.security.oauthbearer.DefaultJwtRetriever",
    _FIXED,
)
_later(
    _SECURITY,
    "sasl.oauthbearer.jwt.validator.class",
    ClassName(),
    "org.apache.kafka.common.security.oauthbearer.DefaultJwtValidator",
    _FIXED,
)
_later(_SECURITY, "sasl.oauthbearer.scope", Nullable(Str()), None, _FIXED)
_later(_SECURITY, "sasl.oauthbearer.client.credentials.client.id", Nullable(Str()), None, _FIXED)
_later(_SECURITY, "sasl.oauthbearer.client.credentials.client.secret", Nullable(Password()), None, _FIXED)
_later(
    _SECURITY, "sasl.oauthbearer.assertion.algorithm", Str("ES256", "RS256", any_case=True), "RS256", _FIXED
)
_later(_SECURITY, "sasl.oauthbearer.assertion.claim.aud", Nullable(Str()), None, _FIXED)
_later(_SECURITY, "sasl.oauthbearer.assertion.claim.exp.seconds", Int(low=0, high=86400), 300, _FIXED)
_later(_SECURITY, "sasl.oauthbearer.assertion.claim.iss", Nullable(Str()), None, _FIXED)
_later(_SECURITY, "sasl.oauthbearer.assertion.claim.jti.include", Bool(), False, _FIXED)
_later(_SECURITY, "sasl.oauthbearer.assertion.claim.nbf.seconds", Int(low=0, high=3600), 60, _FIXED)
_later(_SECURITY, "sasl.oauthbearer.assertion.claim.sub", Nullable(Str()), None, _FIXED)
_later(_SECURITY, "sasl.oauthbearer.assertion.file", Nullable(Str()), None, _FIXED)
_later(_SECURITY, "sasl.oauthbearer.assertion.private.key.file", Nullable(Str()), None, _FIXED)
_later(_SECURITY, "sasl.oauthbearer.assertion.private.key.passphrase", Nullable(Password()), None, _FIXED)
_later(_SECURITY, "sasl.oauthbearer.assertion.template.file", Nullable(Str()), None, _FIXED)
_later(_SECURITY, "sasl.oauthbearer.scope.claim.name", Str(), "scope", _FIXED)
_later(_SECURITY, "sasl.oauthbearer.sub.claim.name", Str(), "sub", _FIXED)
_later(_SECURITY, "sasl.oauthbearer.token.endpoint.url", Nullable(Str()), None, _FIXED)
_later(_SECURITY, "sasl.oauthbearer.jwks.endpoint.url", Nullable(Str()), None, _FIXED)
_later(_SECURITY, "sasl.oauthbearer.jwks.endpoint.refresh.ms", Long(), 3_600_000, _FIXED)
_later(_SECURITY, "sasl.oauthbearer.jwks.endpoint.retry.backoff.ms", Long(), 100, _FIXED)
_later(_SECURITY, "sasl.oauthbearer.jwks.endpoint.retry.backoff.max.ms", Long(), 10_000, _FIXED)
_later(_SECURITY, "sasl.oauthbearer.clock.skew.seconds", Int(), 30, _FIXED)
_later(_SECURITY, "sasl.oauthbearer.expected.audience", List(), (), _FIXED)
_later(_SECURITY, "sasl.oauthbearer.expected.issuer", Nullable(Str()), None, _FIXED)
_later(_SECURITY, "delegation.token.secret.key", Nullable(Password()), None, _FIXED)
_later(_SECURITY, "delegation.token.max.lifetime.ms", Long(low=1), 604_800_000, _FIXED)
_later(_SECURITY, "delegation.token.expiry.time.ms", Long(low=1), 86_400_000, _FIXED)
_later(_SECURITY, "delegation.token.expiry.check.interval.ms", Long(low=1), 3_600_000, _FIXED)

# The rest: plug-ins and reports of the JVM broker

_THE_REST = "the JVM broker"
_later(_THE_REST, "config.providers", List(), (), _WIDE)
_later(_THE_REST, "controller.performance.sample.period.ms", Long(low=100), 60_000, _FIXED, internal=True)
_later(_THE_REST, "controller.performance.always.log.threshold.ms", Long(low=0), 2_000, _FIXED, internal=True)
_later(_THE_REST, "create.topic.policy.class.name", Nullable(ClassName()), None, _FIXED)
_later(_THE_REST, "alter.config.policy.class.name", Nullable(ClassName()), None, _FIXED)
_later(_THE_REST, "metrics.num.samples", Int(low=1), 2, _FIXED)
_later(_THE_REST, "metrics.sample.window.ms", Long(low=1), 30_000, _FIXED)
_later(_THE_REST, "metric.reporters", List(), ("org.apache.kafka.common.metrics.JmxReporter",), _WIDE)
_later(_THE_REST, "metrics.recording.level", Str(), "INFO", _FIXED)
_later(_THE_REST, "kafka.metrics.reporters", List(), (), _FIXED)
_later(_THE_REST, "kafka.metrics.polling.interval.secs", Int(low=1), 10, _FIXED)
_later(_THE_REST, "telemetry.max.bytes", Int(low=1), 1_048_576, _FIXED)
_later(_THE_REST, "client.quota.callback.class", Nullable(ClassName()), None, _FIXED)
