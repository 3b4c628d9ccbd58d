// Members of groups: the ops join, state and leave, as described in members/host.py.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

type wish struct {
	Name        string  `json:"name"`
	Group       string  `json:"group"`
	Assignor    string  `json:"assignor"`
	Instance    *string `json:"instance"`
	SessionMs   int     `json:"session_ms"`
	HeartbeatMs int     `json:"heartbeat_ms"`
}

type memberState struct {
	Assigned  []int32   `json:"assigned"`
	Gained    [][]int32 `json:"gained"`
	Lost      [][]int32 `json:"lost"`
	Committed []string  `json:"committed"`
	Error     *string   `json:"error"`
}

type member struct {
	topic   string
	client  *kgo.Client
	cancel  context.CancelFunc
	done    chan struct{}
	mutex   sync.Mutex
	state   memberState
	pending []*kgo.Record
}

var members = map[string]*member{}

func balancerOf(name string) kgo.GroupBalancer {
	switch name {
	case "range":
		return kgo.RangeBalancer()
	case "roundrobin":
		return kgo.RoundRobinBalancer()
	case "sticky", "consumer":
		return kgo.StickyBalancer()
	}
	return kgo.CooperativeStickyBalancer()
}

func (m *member) onGained(_ context.Context, _ *kgo.Client, places map[string][]int32) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	gained := append([]int32{}, places[m.topic]...)
	slices.Sort(gained)
	m.state.Gained = append(m.state.Gained, gained)
	m.state.Assigned = append(m.state.Assigned, gained...)
	slices.Sort(m.state.Assigned)
}

func (m *member) onLost(_ context.Context, _ *kgo.Client, places map[string][]int32) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	lost := append([]int32{}, places[m.topic]...)
	slices.Sort(lost)
	m.state.Lost = append(m.state.Lost, lost)
	isLost := func(partition int32) bool { return slices.Contains(lost, partition) }
	m.state.Assigned = slices.DeleteFunc(m.state.Assigned, isLost)
	m.pending = slices.DeleteFunc(m.pending, func(r *kgo.Record) bool { return isLost(r.Partition) })
}

func (m *member) live(ctx context.Context) {
	defer close(m.done)
	for ctx.Err() == nil {
		step, end := context.WithTimeout(ctx, 50*time.Millisecond)
		fetches := m.client.PollFetches(step)
		end()
		fetches.EachError(func(_ string, _ int32, err error) {
			var away net.Error // told for information; the client tries again
			if !errors.As(err, &away) && !errors.Is(err, context.Canceled) {
				m.fail(err)
			}
		})
		m.pending = append(m.pending, fetches.Records()...)
		if len(m.pending) > 0 && m.client.CommitRecords(ctx, m.pending...) == nil {
			m.mutex.Lock()
			for _, r := range m.pending {
				m.state.Committed = append(m.state.Committed, fmt.Sprintf("%d:%d", r.Partition, r.Offset))
			}
			m.pending = nil
			m.mutex.Unlock()
		}
		m.client.AllowRebalance()
	}
	m.client.CloseAllowingRebalance()
}

func (m *member) fail(err error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	text := err.Error()
	m.state.Error = &text
}

func (m *member) seen() memberState {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	seen := m.state
	seen.Assigned = slices.Clone(seen.Assigned)
	return seen
}

func join(r request) (any, error) {
	m := &member{topic: r.Topic, done: make(chan struct{})}
	m.state = memberState{[]int32{}, [][]int32{}, [][]int32{}, []string{}, nil}
	options := []kgo.Opt{
		kgo.SeedBrokers(seeds()...),
		kgo.ConsumerGroup(r.Group),
		kgo.ConsumeTopics(r.Topic),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		kgo.Balancers(balancerOf(r.Assignor)),
		kgo.DisableAutoCommit(),
		kgo.BlockRebalanceOnPoll(),
		kgo.FetchMaxWait(50 * time.Millisecond),
		kgo.OnPartitionsAssigned(m.onGained),
		kgo.OnPartitionsRevoked(m.onLost),
		kgo.OnPartitionsLost(m.onLost),
		kgo.SessionTimeout(time.Duration(r.SessionMs) * time.Millisecond),
		kgo.HeartbeatInterval(time.Duration(r.HeartbeatMs) * time.Millisecond),
	}
	if r.Assignor == "consumer" {
		options = append(options, kgo.ServerSideBalancer())
	}
	if r.Instance != nil {
		options = append(options, kgo.InstanceID(*r.Instance))
	}
	var err error
	if m.client, err = kgo.NewClient(options...); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	m.cancel = cancel
	members[r.Name] = m
	go m.live(ctx)
	return m.seen(), nil
}

func leave(r request) (any, error) {
	m := members[r.Name]
	m.cancel()
	<-m.done
	return m.seen(), nil
}
