// kafkajs behind lines of JSON: {"op": …, arguments} in, {"ok": result} or {"error": {type, message}} out.
import readline from 'node:readline'
import { init, compress, decompress } from '@bokuweb/zstd-wasm'
import kafkajs from 'kafkajs'
import snappy from 'kafkajs-snappy'

const { CompressionCodecs, CompressionTypes, ConfigResourceTypes, Kafka, logLevel } = kafkajs

await init()
CompressionCodecs[CompressionTypes.Snappy] = snappy
CompressionCodecs[CompressionTypes.ZSTD] = () => ({
  compress: async (encoder) => Buffer.from(compress(encoder.buffer)),
  decompress: async (buffer) => Buffer.from(decompress(buffer)),
})

const codecs = { none: 0, gzip: 1, snappy: 2, zstd: 4 }
const kafka = new Kafka({
  clientId: 'conformance',
  brokers: process.argv[2].split(','),
  logLevel: logLevel.NOTHING,
  retry: { retries: 3, initialRetryTime: 100 },
})
const admin = kafka.admin()
await admin.connect()

const bytes = (text) => (text === null ? null : Buffer.from(text, 'base64'))

// Members of groups, as described in members/host.py. kafkajs polls and rebalances on its own and tells
// only when it starts a rebalance and what it has afterwards: it lets go of everything each time.
const members = {}

const lose = (member) => {
  member.state.lost.push(member.state.assigned)
  member.state.assigned = []
}

const join = async ({ name, group, topic, session_ms, heartbeat_ms }) => {
  const state = { assigned: [], gained: [], lost: [], committed: [], error: null }
  const consumer = kafka.consumer({
    groupId: group,
    sessionTimeout: session_ms,
    heartbeatInterval: heartbeat_ms,
    maxWaitTimeInMs: 50,
  })
  const member = (members[name] = { consumer, state })
  consumer.on(consumer.events.REBALANCING, () => lose(member))
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    if (state.assigned.length > 0) lose(member)
    state.assigned = [...(payload.memberAssignment[topic] ?? [])].sort((a, b) => a - b)
    state.gained.push(state.assigned)
  })
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    if (!payload.restart) state.error = String(payload.error)
  })
  await consumer.connect()
  await consumer.subscribe({ topics: [topic], fromBeginning: true })
  await consumer.run({
    autoCommit: false,
    eachBatch: async ({ batch, resolveOffset, heartbeat, isRunning, isStale }) => {
      if (!isRunning() || isStale() || batch.isEmpty()) return
      const offset = String(Number(batch.lastOffset()) + 1)
      await consumer.commitOffsets([{ topic, partition: batch.partition, offset }])
      for (const { offset } of batch.messages) {
        resolveOffset(offset)
        state.committed.push(`${batch.partition}:${offset}`)
      }
      await heartbeat()
    },
  })
  return state
}

const leave = async ({ name }) => {
  await members[name].consumer.disconnect()
  return members[name].state
}

// A writer that goes on while brokers die, as described in writers.py.
const writers = {}

// One send a partition: after a failure, kafkajs takes a broker that has answered for one partition as done with
// those it leads since then, too, and never sends them.
const run = async (writer, topic, partitions) => {
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    retry: { retries: 1000, initialRetryTime: 50, maxRetryTime: 500 },
  })
  await producer.connect()
  let lastAck = 0
  const send = async (partition, number) => {
    await producer.send({ topic, acks: -1, messages: [{ partition, value: String(number) }] })
    const now = Date.now()
    if (lastAck > 0) writer.gap_ms = Math.max(writer.gap_ms, now - lastAck)
    lastAck = now
    writer.acked[partition] = number + 1
  }
  try {
    for (let number = 0; !writer.stopping; number++) {
      await Promise.all([...Array(partitions).keys()].map((partition) => send(partition, number)))
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  } catch (error) {
    writer.errors.push(String(error))
  }
  await producer.disconnect()
}

const written = ({ topic }) => {
  const { acked, errors, gap_ms } = writers[topic]
  return { acked, errors, gap_ms }
}

const write = ({ topic, partitions }) => {
  const writer = (writers[topic] = { acked: {}, errors: [], gap_ms: 0, stopping: false })
  writer.done = run(writer, topic, partitions)
  return written({ topic })
}

const stop_writing = async ({ topic }) => {
  writers[topic].stopping = true
  await writers[topic].done
  return written({ topic })
}

// Transactions, as described in txns.py. kafkajs consumes only through groups.
const txnProducers = {}
const txnReaders = {}

const txn_open = async ({ name, transactional_id, timeout_ms }) => {
  const producer = kafka.producer({
    transactionalId: transactional_id,
    transactionTimeout: timeout_ms,
    idempotent: true,
    maxInFlightRequests: 1,
    retry: { retries: 100, initialRetryTime: 50, maxRetryTime: 500 },
  })
  await producer.connect()
  txnProducers[name] = { producer, transaction: null }
}

const txn_read = async ({ name, topic, partitions, committed }) => {
  const consumer = kafka.consumer({
    groupId: `${topic}-${name}`,
    readUncommitted: !committed,
    maxWaitTimeInMs: 100,
    retry: { retries: 100, initialRetryTime: 50, maxRetryTime: 500 },
  })
  const values = Object.fromEntries([...Array(partitions).keys()].map((partition) => [partition, []]))
  const reader = (txnReaders[name] = { values, error: null })
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    if (!payload.restart) reader.error = payload.error
  })
  await consumer.connect()
  await consumer.subscribe({ topics: [topic], fromBeginning: true })
  await consumer.run({
    autoCommit: false,
    eachMessage: async ({ partition, message }) => {
      values[partition].push(message.value.toString())
    },
  })
}

const txns = {
  txn_open,
  txn_begin: async ({ name }) => {
    txnProducers[name].transaction = await txnProducers[name].producer.transaction()
  },
  txn_send: ({ name, topic, partition, values }) =>
    txnProducers[name].transaction.send({
      topic,
      acks: -1,
      messages: values.map((value) => ({ partition, value })),
    }),
  txn_offsets: ({ name, group, topic, ends }) =>
    txnProducers[name].transaction.sendOffsets({
      consumerGroupId: group,
      topics: [
        { topic, partitions: ends.map(({ partition, offset }) => ({ partition, offset: String(offset) })) },
      ],
    }),
  txn_end: ({ name, commit }) => {
    const { transaction } = txnProducers[name]
    return commit ? transaction.commit() : transaction.abort()
  },
  txn_drop: async ({ name }) => {
    await txnProducers[name].producer.disconnect()
    delete txnProducers[name]
  },
  txn_read,
  txn_seen: ({ name }) => {
    if (txnReaders[name].error) throw txnReaders[name].error
    return txnReaders[name].values
  },
}

const ops = {
  ...txns,
  join,
  write,
  written,
  stop_writing,
  leave,
  state: ({ name }) => members[name].state,
  create_topic: ({ topic, partitions, config }) =>
    admin.createTopics({
      waitForLeaders: true,
      topics: [
        {
          topic,
          numPartitions: partitions,
          replicationFactor: 1,
          configEntries: Object.entries(config).map(([name, value]) => ({ name, value })),
        },
      ],
    }),
  delete_topic: ({ topic }) => admin.deleteTopics({ topics: [topic] }),
  list_topics: () => admin.listTopics(),
  create_partitions: ({ topic, count }) =>
    admin.createPartitions({ topicPartitions: [{ topic, count }] }),
  describe_topic: async ({ topic }) => (await admin.fetchTopicMetadata({ topics: [topic] })).topics[0],
  describe_cluster: () => admin.describeCluster(),
  topic_offsets: ({ topic }) => admin.fetchTopicOffsets(topic),
  offsets_for_time: ({ topic, timestamp }) => admin.fetchTopicOffsetsByTimestamp(topic, timestamp),
  delete_records: ({ topic, partition, offset }) =>
    admin.deleteTopicRecords({ topic, partitions: [{ partition, offset: String(offset) }] }),
  alter_config: ({ topic, config }) =>
    admin.alterConfigs({
      validateOnly: false,
      resources: [
        {
          type: ConfigResourceTypes.TOPIC,
          name: topic,
          configEntries: Object.entries(config).map(([name, value]) => ({ name, value })),
        },
      ],
    }),
  describe_config: async ({ topic }) => {
    const resources = [{ type: ConfigResourceTypes.TOPIC, name: topic }]
    const described = await admin.describeConfigs({ includeSynonyms: false, resources })
    return Object.fromEntries(described.resources[0].configEntries.map((e) => [e.configName, e.configValue]))
  },
  produce: async ({ topic, partition, codec, acks, idempotent, records }) => {
    const producer = kafka.producer({ idempotent, maxInFlightRequests: idempotent ? 1 : null })
    await producer.connect()
    try {
      return await producer.send({
        topic,
        acks,
        compression: codecs[codec],
        messages: records.map((r) => ({
          partition,
          key: bytes(r.key),
          value: bytes(r.value),
          timestamp: String(r.timestamp_ms),
          headers: Object.fromEntries(r.headers.map(([name, value]) => [name, bytes(value)])),
        })),
      })
    } finally {
      await producer.disconnect()
    }
  },
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { op, ...args } = JSON.parse(line)
  let answer
  try {
    answer = { ok: (await ops[op](args)) ?? null }
  } catch (error) {
    const inner = error.errors?.[0] ?? error
    answer = { error: { type: inner.type ?? inner.name, message: inner.message } }
  }
  process.stdout.write(JSON.stringify(answer) + '\n')
}
await admin.disconnect()
