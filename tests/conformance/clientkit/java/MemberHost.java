import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Members of groups behind lines of JSON, as described in members/host.py. */
public final class MemberHost {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<String, String> ASSIGNORS = Map.of(
        "range", "org.apache.kafka.clients.consumer.RangeAssignor",
        "roundrobin", "org.apache.kafka.clients.consumer.RoundRobinAssignor",
        "sticky", "org.apache.kafka.clients.consumer.StickyAssignor",
        "cooperative-sticky", "org.apache.kafka.clients.consumer.CooperativeStickyAssignor");

    private static final class Member extends Thread implements ConsumerRebalanceListener {
        private static final Duration STEP = Duration.ofMillis(50);

        private final Properties settings;
        private final String topic;
        private final TreeSet<Integer> assigned = new TreeSet<>();
        private final List<List<Integer>> gained = new ArrayList<>();
        private final List<List<Integer>> lost = new ArrayList<>();
        private final List<String> committed = new ArrayList<>();
        private final List<ConsumerRecord<byte[], byte[]>> pending = new ArrayList<>();
        private String error = null;
        private volatile boolean stopping = false;

        Member(String bootstrap, JsonNode wish) {
            setDaemon(true);
            topic = wish.get("topic").asText();
            settings = new Properties();
            settings.put("bootstrap.servers", bootstrap);
            settings.put("group.id", wish.get("group").asText());
            settings.put("enable.auto.commit", "false");
            settings.put("auto.offset.reset", "earliest");
            settings.put("fetch.max.wait.ms", "50");
            settings.put("key.deserializer", ByteArrayDeserializer.class.getName());
            settings.put("value.deserializer", ByteArrayDeserializer.class.getName());
            if (!wish.get("instance").isNull()) {
                settings.put("group.instance.id", wish.get("instance").asText());
            }
            String assignor = wish.get("assignor").asText();
            if (assignor.equals("consumer")) {
                settings.put("group.protocol", "consumer");
            } else {
                settings.put("group.protocol", "classic");
                settings.put("partition.assignment.strategy", ASSIGNORS.get(assignor));
                settings.put("session.timeout.ms", wish.get("session_ms").asText());
                settings.put("heartbeat.interval.ms", wish.get("heartbeat_ms").asText());
            }
        }

        @Override
        public void run() {
            try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings)) {
                consumer.subscribe(List.of(topic), this);
                while (!stopping) {
                    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(STEP)) {
                        pending.add(record);
                    }
                    if (!pending.isEmpty()) {
                        commit(consumer);
                    }
                }
            } catch (RuntimeException trouble) {
                synchronized (this) {
                    error = trouble.toString();
                }
            }
        }

        private void commit(KafkaConsumer<byte[], byte[]> consumer) {
            Map<TopicPartition, OffsetAndMetadata> ends = new HashMap<>();
            for (ConsumerRecord<byte[], byte[]> record : pending) {
                TopicPartition place = new TopicPartition(record.topic(), record.partition());
                ends.put(place, new OffsetAndMetadata(record.offset() + 1));
            }
            try {
                consumer.commitSync(ends);
            } catch (CommitFailedException | RebalanceInProgressException notNow) {
                return;
            }
            synchronized (this) {
                pending.forEach(record -> committed.add(record.partition() + ":" + record.offset()));
            }
            pending.clear();
        }

        private static List<Integer> numbers(Collection<TopicPartition> places) {
            return places.stream().map(TopicPartition::partition).sorted().toList();
        }

        @Override
        public synchronized void onPartitionsAssigned(Collection<TopicPartition> places) {
            gained.add(numbers(places));
            assigned.addAll(numbers(places));
        }

        @Override
        public synchronized void onPartitionsRevoked(Collection<TopicPartition> places) {
            List<Integer> gone = numbers(places);
            lost.add(gone);
            gone.forEach(assigned::remove);
            pending.removeIf(record -> gone.contains(record.partition()));
        }

        synchronized ObjectNode state() {
            ObjectNode node = JSON.createObjectNode();
            node.set("assigned", JSON.valueToTree(assigned));
            node.set("gained", JSON.valueToTree(gained));
            node.set("lost", JSON.valueToTree(lost));
            node.set("committed", JSON.valueToTree(committed));
            node.put("error", error);
            return node;
        }
    }

    public static void main(String[] args) throws Exception {
        PrintStream out = System.out;
        System.setOut(System.err);
        Map<String, Member> members = new HashMap<>();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            JsonNode request = JSON.readTree(line);
            String name = request.get("name").asText();
            switch (request.get("op").asText()) {
                case "join" -> {
                    members.put(name, new Member(args[0], request));
                    members.get(name).start();
                }
                case "leave" -> {
                    members.get(name).stopping = true;
                    members.get(name).join(15_000);
                }
                default -> { }
            }
            ObjectNode answer = JSON.createObjectNode();
            answer.set("ok", members.get(name).state());
            out.println(answer);
            out.flush();
        }
        Runtime.getRuntime().halt(0);
    }
}
