// Transactions: the ops that begin with txn_, as described in txns.py.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

type txnWish struct {
	TransactionalID string   `json:"transactional_id"`
	TimeoutMs       int      `json:"timeout_ms"`
	Values          []string `json:"values"`
	Ends            []struct {
		Partition int32 `json:"partition"`
		Offset    int64 `json:"offset"`
	} `json:"ends"`
	Commit    bool `json:"commit"`
	Committed bool `json:"committed"`
}

type txnReader struct {
	mutex  sync.Mutex
	client *kgo.Client
	values map[int32][]string
	err    error
}

var (
	txnProducers = map[string]*kgo.Client{}
	txnIDs       = map[string]string{}
	txnReaders   = map[string]*txnReader{}
)

func txnOpen(ctx context.Context, r request) error {
	producer, err := kgo.NewClient(
		kgo.SeedBrokers(seeds()...),
		kgo.TransactionalID(r.TransactionalID),
		kgo.TransactionTimeout(time.Duration(r.TimeoutMs)*time.Millisecond),
		kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.ProducerLinger(time.Millisecond),
	)
	if err != nil {
		return err
	}
	txnProducers[r.Name], txnIDs[r.Name] = producer, r.TransactionalID
	_, _, err = producer.ProducerID(ctx) // claims the id now, not with the first record
	return err
}

func txnSend(ctx context.Context, r request) error {
	var records []*kgo.Record
	for _, value := range r.Values {
		records = append(records, &kgo.Record{Topic: r.Topic, Partition: r.Partition, Value: []byte(value)})
	}
	return txnProducers[r.Name].ProduceSync(ctx, records...).FirstErr()
}

// Through the raw requests: kgo commits offsets in a transaction only for the members of a session.
func txnOffsets(ctx context.Context, r request) error {
	producer := txnProducers[r.Name]
	id, epoch, err := producer.ProducerID(ctx)
	if err != nil {
		return err
	}
	add := kmsg.NewPtrAddOffsetsToTxnRequest()
	add.TransactionalID, add.ProducerID, add.ProducerEpoch, add.Group = txnIDs[r.Name], id, epoch, r.Group
	added, err := add.RequestWith(ctx, producer)
	if err == nil {
		err = kerr.ErrorForCode(added.ErrorCode)
	}
	if err != nil {
		return err
	}
	commit := kmsg.NewPtrTxnOffsetCommitRequest()
	commit.TransactionalID, commit.ProducerID, commit.ProducerEpoch, commit.Group = txnIDs[r.Name], id, epoch, r.Group
	topic := kmsg.NewTxnOffsetCommitRequestTopic()
	topic.Topic = r.Topic
	for _, end := range r.Ends {
		partition := kmsg.NewTxnOffsetCommitRequestTopicPartition()
		partition.Partition, partition.Offset = end.Partition, end.Offset
		topic.Partitions = append(topic.Partitions, partition)
	}
	commit.Topics = append(commit.Topics, topic)
	committed, err := commit.RequestWith(ctx, producer)
	if err != nil {
		return err
	}
	for _, partition := range committed.Topics[0].Partitions {
		if err := kerr.ErrorForCode(partition.ErrorCode); err != nil {
			return err
		}
	}
	return nil
}

func txnRead(r request) error {
	places := map[int32]kgo.Offset{}
	reader := &txnReader{values: map[int32][]string{}}
	for partition := int32(0); partition < r.Partitions; partition++ {
		places[partition] = kgo.NewOffset().AtStart()
		reader.values[partition] = []string{}
	}
	level := kgo.ReadUncommitted()
	if r.Committed {
		level = kgo.ReadCommitted()
	}
	var err error
	reader.client, err = kgo.NewClient(
		kgo.SeedBrokers(seeds()...),
		kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{r.Topic: places}),
		kgo.FetchIsolationLevel(level),
		kgo.FetchMaxWait(100*time.Millisecond),
	)
	if err != nil {
		return err
	}
	txnReaders[r.Name] = reader
	go reader.run()
	return nil
}

func (reader *txnReader) run() {
	for {
		fetches := reader.client.PollFetches(context.Background())
		reader.mutex.Lock()
		fetches.EachError(func(topic string, partition int32, err error) {
			var away net.Error // told for information; the client tries again
			if !errors.As(err, &away) && !kerr.IsRetriable(err) {
				reader.err = fmt.Errorf("%s-%d: %w", topic, partition, err)
			}
		})
		fetches.EachRecord(func(record *kgo.Record) {
			reader.values[record.Partition] = append(reader.values[record.Partition], string(record.Value))
		})
		reader.mutex.Unlock()
	}
}

func (reader *txnReader) seen() (any, error) {
	reader.mutex.Lock()
	defer reader.mutex.Unlock()
	copied := map[int32][]string{}
	for partition, values := range reader.values {
		copied[partition] = append([]string{}, values...)
	}
	return copied, reader.err
}

func txnEnd(ctx context.Context, r request) error {
	producer := txnProducers[r.Name]
	if !r.Commit {
		if err := producer.AbortBufferedRecords(ctx); err != nil {
			return err
		}
	}
	return producer.EndTransaction(ctx, kgo.TransactionEndTry(r.Commit))
}

func performTxn(ctx context.Context, r request) (any, error) {
	switch r.Op {
	case "txn_open":
		return nil, txnOpen(ctx, r)
	case "txn_begin":
		return nil, txnProducers[r.Name].BeginTransaction()
	case "txn_send":
		return nil, txnSend(ctx, r)
	case "txn_offsets":
		return nil, txnOffsets(ctx, r)
	case "txn_end":
		return nil, txnEnd(ctx, r)
	case "txn_drop":
		producer := txnProducers[r.Name]
		delete(txnProducers, r.Name)
		go producer.Close()
		return nil, nil
	case "txn_read":
		return nil, txnRead(r)
	case "txn_seen":
		return txnReaders[r.Name].seen()
	}
	return nil, fmt.Errorf("no such op: %s", r.Op)
}
