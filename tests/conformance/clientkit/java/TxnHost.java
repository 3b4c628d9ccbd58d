import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Transactions of the Java client behind lines of JSON, as described in txns.py. */
public final class TxnHost {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final class Reader extends Thread {
        private final KafkaConsumer<String, String> consumer;
        private final Map<Integer, List<String>> values = new TreeMap<>();
        private RuntimeException error = null;

        Reader(String bootstrap, JsonNode wish) {
            setDaemon(true);
            Properties settings = new Properties();
            settings.put("bootstrap.servers", bootstrap);
            settings.put("isolation.level", wish.get("committed").asBoolean() ? "read_committed" : "read_uncommitted");
            settings.put("fetch.max.wait.ms", "100");
            settings.put("key.deserializer", StringDeserializer.class.getName());
            settings.put("value.deserializer", StringDeserializer.class.getName());
            consumer = new KafkaConsumer<>(settings);
            List<TopicPartition> places = new ArrayList<>();
            for (int i = 0; i < wish.get("partitions").asInt(); i++) {
                places.add(new TopicPartition(wish.get("topic").asText(), i));
                values.put(i, new ArrayList<>());
            }
            consumer.assign(places);
            consumer.seekToBeginning(places);
        }

        @Override
        public void run() {
            try {
                while (true) {
                    for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
                        synchronized (this) {
                            values.get(record.partition()).add(record.value());
                        }
                    }
                }
            } catch (RuntimeException trouble) {
                synchronized (this) {
                    error = trouble;
                }
            }
        }

        synchronized JsonNode seen() {
            if (error != null) {
                throw error;
            }
            return JSON.valueToTree(values);
        }
    }

    private static final Map<String, KafkaProducer<String, String>> PRODUCERS = new HashMap<>();
    private static final Map<String, Reader> READERS = new HashMap<>();

    private static KafkaProducer<String, String> open(String bootstrap, JsonNode wish) {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", bootstrap);
        settings.put("transactional.id", wish.get("transactional_id").asText());
        settings.put("transaction.timeout.ms", wish.get("timeout_ms").asText());
        settings.put("reconnect.backoff.max.ms", "500");
        settings.put("key.serializer", StringSerializer.class.getName());
        settings.put("value.serializer", StringSerializer.class.getName());
        return new KafkaProducer<>(settings);
    }

    private static void send(KafkaProducer<String, String> producer, JsonNode wish) throws Exception {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        String topic = wish.get("topic").asText();
        int partition = wish.get("partition").asInt();
        for (JsonNode value : wish.get("values")) {
            sent.add(producer.send(new ProducerRecord<>(topic, partition, null, value.asText())));
        }
        producer.flush();
        for (Future<RecordMetadata> future : sent) {
            try {
                future.get();
            } catch (ExecutionException wrapped) {
                throw (Exception) wrapped.getCause();
            }
        }
    }

    private static void offsets(KafkaProducer<String, String> producer, JsonNode wish) {
        Map<TopicPartition, OffsetAndMetadata> ends = new HashMap<>();
        for (JsonNode row : wish.get("ends")) {
            TopicPartition place = new TopicPartition(wish.get("topic").asText(), row.get("partition").asInt());
            ends.put(place, new OffsetAndMetadata(row.get("offset").asLong()));
        }
        producer.sendOffsetsToTransaction(ends, new ConsumerGroupMetadata(wish.get("group").asText()));
    }

    private static JsonNode perform(String bootstrap, JsonNode wish) throws Exception {
        String name = wish.get("name").asText();
        KafkaProducer<String, String> producer = PRODUCERS.get(name);
        switch (wish.get("op").asText()) {
            case "txn_open" -> {
                PRODUCERS.put(name, open(bootstrap, wish));
                PRODUCERS.get(name).initTransactions();
            }
            case "txn_begin" -> producer.beginTransaction();
            case "txn_send" -> send(producer, wish);
            case "txn_offsets" -> offsets(producer, wish);
            case "txn_end" -> {
                if (wish.get("commit").asBoolean()) {
                    producer.commitTransaction();
                } else {
                    producer.abortTransaction();
                }
            }
            case "txn_drop" -> PRODUCERS.remove(name).close(Duration.ZERO);
            case "txn_read" -> {
                READERS.put(name, new Reader(bootstrap, wish));
                READERS.get(name).start();
            }
            case "txn_seen" -> {
                return READERS.get(name).seen();
            }
            default -> throw new IllegalArgumentException("no such op: " + wish);
        }
        return JSON.nullNode();
    }

    public static void main(String[] args) throws Exception {
        PrintStream out = System.out;
        System.setOut(System.err);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            ObjectNode answer = JSON.createObjectNode();
            try {
                answer.set("ok", perform(args[0], JSON.readTree(line)));
            } catch (Exception trouble) {
                ObjectNode error = answer.putObject("error");
                error.put("type", trouble.getClass().getSimpleName());
                error.put("message", String.valueOf(trouble.getMessage()));
            }
            out.println(answer);
            out.flush();
        }
        Runtime.getRuntime().halt(0);
    }
}
