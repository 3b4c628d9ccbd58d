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
  brokers: [process.argv[2]],
  logLevel: logLevel.NOTHING,
  retry: { retries: 3, initialRetryTime: 100 },
})
const admin = kafka.admin()
await admin.connect()

const bytes = (text) => (text === null ? null : Buffer.from(text, 'base64'))

const ops = {
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
