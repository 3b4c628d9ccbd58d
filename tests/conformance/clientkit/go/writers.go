// A writer that goes on while brokers die: the ops write, written and stop_writing, as described in writers.py.
package main

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

type writer struct {
	mutex   sync.Mutex
	client  *kgo.Client
	stop    chan struct{}
	done    chan struct{}
	acked   map[int32]int
	errors  []string
	lastAck time.Time
	gapMs   int64
}

var writers = map[string]*writer{}

func (w *writer) run(topic string, partitions int32) {
	defer close(w.done)
	for number := 0; ; number++ {
		for partition := int32(0); partition < partitions; partition++ {
			record := &kgo.Record{Topic: topic, Partition: partition, Value: []byte(strconv.Itoa(number))}
			w.client.Produce(context.Background(), record, w.onAck)
		}
		select {
		case <-w.stop:
			if err := w.client.Flush(context.Background()); err != nil {
				w.fail(err)
			}
			w.client.Close()
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (w *writer) onAck(record *kgo.Record, err error) {
	if err != nil {
		w.fail(err)
		return
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	now := time.Now()
	if !w.lastAck.IsZero() {
		w.gapMs = max(w.gapMs, now.Sub(w.lastAck).Milliseconds())
	}
	w.lastAck = now
	w.acked[record.Partition]++
}

func (w *writer) fail(err error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.errors = append(w.errors, err.Error())
}

func (w *writer) seen() any {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	acked := map[int32]int{}
	for partition, count := range w.acked {
		acked[partition] = count
	}
	return map[string]any{"acked": acked, "errors": append([]string{}, w.errors...), "gap_ms": w.gapMs}
}

func write(r request) (any, error) {
	w := &writer{stop: make(chan struct{}), done: make(chan struct{}), acked: map[int32]int{}}
	options := []kgo.Opt{
		kgo.SeedBrokers(seeds()...),
		kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.ProducerLinger(time.Millisecond),
	}
	if r.MetadataMinMs > 0 {
		options = append(options, kgo.MetadataMinAge(time.Duration(r.MetadataMinMs)*time.Millisecond))
	}
	var err error
	if w.client, err = kgo.NewClient(options...); err != nil {
		return nil, err
	}
	writers[r.Topic] = w
	go w.run(r.Topic, r.Partitions)
	return w.seen(), nil
}

func stopWriting(r request) (any, error) {
	w := writers[r.Topic]
	close(w.stop)
	<-w.done
	return w.seen(), nil
}
