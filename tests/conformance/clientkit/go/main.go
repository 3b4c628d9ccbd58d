// franz-go behind lines of JSON: {"op": …, arguments} in, {"ok": result} or {"error": {type, message}} out.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

type header struct {
	Name  string  `json:"name"`
	Value *[]byte `json:"value"`
}

type record struct {
	Key         *[]byte  `json:"key"`
	Value       *[]byte  `json:"value"`
	TimestampMs int64    `json:"timestamp_ms"`
	Headers     []header `json:"headers"`
	Offset      int64    `json:"offset"`
}

type request struct {
	Op            string             `json:"op"`
	Topic         string             `json:"topic"`
	Partitions    int32              `json:"partitions"`
	Partition     int32              `json:"partition"`
	Count         int                `json:"count"`
	Config        map[string]*string `json:"config"`
	Codec         string             `json:"codec"`
	Acks          int                `json:"acks"`
	Idempotent    bool               `json:"idempotent"`
	Records       []record           `json:"records"`
	Offset        int64              `json:"offset"`
	Timestamp     int64              `json:"timestamp"`
	MaxBytes      int32              `json:"max_bytes"`
	MetadataMinMs int                `json:"metadata_min_ms"`
	wish
	txnWish
}

type failure struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

var (
	bootstrap string
	client    *kgo.Client
	admin     *kadm.Client
)

func seeds() []string {
	return strings.Split(bootstrap, ",")
}

func deref(bytes *[]byte) []byte {
	if bytes == nil {
		return nil
	}
	if *bytes == nil {
		return []byte{}
	}
	return *bytes
}

func ref(bytes []byte) *[]byte {
	if bytes == nil {
		return nil
	}
	return &bytes
}

func codecOf(name string) kgo.CompressionCodec {
	switch name {
	case "gzip":
		return kgo.GzipCompression()
	case "snappy":
		return kgo.SnappyCompression()
	case "lz4":
		return kgo.Lz4Compression()
	case "zstd":
		return kgo.ZstdCompression()
	}
	return kgo.NoCompression()
}

func produce(ctx context.Context, r request) (any, error) {
	options := []kgo.Opt{
		kgo.SeedBrokers(seeds()...),
		kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.ProducerBatchCompression(codecOf(r.Codec)),
		kgo.ProducerLinger(20 * time.Millisecond),
		kgo.ProducerBatchMaxBytes(30_000),
	}
	if !r.Idempotent {
		acks := map[int]kgo.Acks{0: kgo.NoAck(), 1: kgo.LeaderAck(), -1: kgo.AllISRAcks()}[r.Acks]
		options = append(options, kgo.DisableIdempotentWrite(), kgo.RequiredAcks(acks))
	}
	writer, err := kgo.NewClient(options...)
	if err != nil {
		return nil, err
	}
	defer writer.Close()
	var sent []*kgo.Record
	for _, in := range r.Records {
		out := &kgo.Record{
			Topic: r.Topic, Partition: r.Partition, Key: deref(in.Key), Value: deref(in.Value),
			Timestamp: time.UnixMilli(in.TimestampMs),
		}
		for _, h := range in.Headers {
			out.Headers = append(out.Headers, kgo.RecordHeader{Key: h.Name, Value: deref(h.Value)})
		}
		sent = append(sent, out)
	}
	var offsets []int64
	for _, result := range writer.ProduceSync(ctx, sent...) {
		if result.Err != nil {
			return nil, result.Err
		}
		offsets = append(offsets, result.Record.Offset)
	}
	return offsets, nil
}

func fetch(ctx context.Context, r request) (any, error) {
	options := []kgo.Opt{
		kgo.SeedBrokers(seeds()...),
		kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{
			r.Topic: {r.Partition: kgo.NewOffset().At(r.Offset)},
		}),
		kgo.ConsumeResetOffset(kgo.NoResetOffset()),
		kgo.FetchMaxWait(200 * time.Millisecond),
	}
	if r.MaxBytes > 0 {
		options = append(options, kgo.FetchMaxBytes(r.MaxBytes), kgo.FetchMaxPartitionBytes(r.MaxBytes))
	}
	reader, err := kgo.NewClient(options...)
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	found := []record{}
	for len(found) < r.Count {
		fetches := reader.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return nil, err
		}
		fetches.EachRecord(func(in *kgo.Record) {
			out := record{
				Key: ref(in.Key), Value: ref(in.Value), TimestampMs: in.Timestamp.UnixMilli(),
				Headers: []header{}, Offset: in.Offset,
			}
			for _, h := range in.Headers {
				out.Headers = append(out.Headers, header{h.Key, ref(h.Value)})
			}
			found = append(found, out)
		})
	}
	return found, nil
}

func offsets(listed kadm.ListedOffsets, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	if err := listed.Error(); err != nil {
		return nil, err
	}
	found := map[int32][2]int64{}
	listed.Each(func(o kadm.ListedOffset) { found[o.Partition] = [2]int64{o.Offset, o.Timestamp} })
	return found, nil
}

func alterConfig(ctx context.Context, r request) (any, error) {
	var changes []kadm.AlterConfig
	for name, value := range r.Config {
		change := kadm.AlterConfig{Op: kadm.SetConfig, Name: name, Value: value}
		if value == nil {
			change.Op = kadm.DeleteConfig
		}
		changes = append(changes, change)
	}
	responses, err := admin.AlterTopicConfigs(ctx, changes, r.Topic)
	if err != nil {
		return nil, err
	}
	return nil, responses[0].Err
}

func describeConfig(ctx context.Context, r request) (any, error) {
	described, err := admin.DescribeTopicConfigs(ctx, r.Topic)
	if err != nil {
		return nil, err
	}
	values := map[string]*string{}
	for _, config := range described[0].Configs {
		values[config.Key] = config.Value
	}
	return values, described[0].Err
}

func perform(ctx context.Context, r request) (any, error) {
	switch r.Op {
	case "create_topic":
		response, err := admin.CreateTopic(ctx, r.Partitions, 1, r.Config, r.Topic)
		return response.NumPartitions, err
	case "delete_topic":
		_, err := admin.DeleteTopic(ctx, r.Topic)
		return nil, err
	case "list_topics":
		topics, err := admin.ListTopics(ctx)
		return topics.Names(), err
	case "create_partitions":
		responses, err := admin.UpdatePartitions(ctx, r.Count, r.Topic)
		if err != nil {
			return nil, err
		}
		return nil, responses.Error()
	case "describe_cluster":
		metadata, err := admin.BrokerMetadata(ctx)
		return metadata.Brokers.NodeIDs(), err
	case "log_dirs":
		dirs, err := admin.DescribeAllLogDirs(ctx, nil)
		return len(dirs), err
	case "produce":
		return produce(ctx, r)
	case "fetch":
		return fetch(ctx, r)
	case "start_offsets":
		return offsets(admin.ListStartOffsets(ctx, r.Topic))
	case "end_offsets":
		return offsets(admin.ListEndOffsets(ctx, r.Topic))
	case "max_timestamp_offsets":
		return offsets(admin.ListMaxTimestampOffsets(ctx, r.Topic))
	case "offsets_for_time":
		return offsets(admin.ListOffsetsAfterMilli(ctx, r.Timestamp, r.Topic))
	case "delete_records":
		asked := kadm.Offsets{}
		asked.AddOffset(r.Topic, r.Partition, r.Offset, -1)
		responses, err := admin.DeleteRecords(ctx, asked)
		if err != nil {
			return nil, err
		}
		response, _ := responses.Lookup(r.Topic, r.Partition)
		return response.LowWatermark, response.Err
	case "join":
		return join(r)
	case "state":
		return members[r.Name].seen(), nil
	case "leave":
		return leave(r)
	case "write":
		return write(r)
	case "written":
		return writers[r.Topic].seen(), nil
	case "stop_writing":
		return stopWriting(r)
	case "alter_config":
		return alterConfig(ctx, r)
	case "describe_config":
		return describeConfig(ctx, r)
	}
	return performTxn(ctx, r)
}

func main() {
	bootstrap = os.Args[1]
	var err error
	if client, err = kgo.NewClient(kgo.SeedBrokers(seeds()...)); err != nil {
		panic(err)
	}
	admin = kadm.NewClient(client)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var r request
		answer := map[string]any{}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			panic(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		result, err := perform(ctx, r)
		cancel()
		if err != nil {
			kind := "other"
			var known *kerr.Error
			if errors.As(err, &known) {
				kind = known.Message
			}
			answer["error"] = failure{kind, err.Error()}
		} else {
			answer["ok"] = result
		}
		line, err := json.Marshal(answer)
		if err != nil {
			panic(err)
		}
		fmt.Println(string(line))
	}
	client.Close()
}
