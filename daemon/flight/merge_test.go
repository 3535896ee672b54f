package flight_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/flight"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/traces"
)

// recordedPeer is a peer that records what it does.
type recordedPeer struct {
	core   *peer.Core
	state  peer.State
	record *flight.Recorder
	sent   []protocol.Envelope[peer.Message]
	set    []protocol.Timer
	at     time.Duration
}

var peerCoreID = flight.CoreID{Kind: 1}

// newPeer begins an incarnation.
func newPeer(t *testing.T, dir string, address protocol.Address) *recordedPeer {
	t.Helper()
	s, err := space.New(0, 16)
	require.NoError(t, err)
	p := &recordedPeer{core: &peer.Core{Config: peer.DefaultConfig(s, 4, 8, 100)}}
	p.state = peer.New(address, space.Point{int32(3 + 8*address)})
	p.record, err = flight.New(filepath.Join(dir, string(rune('a'+address))), flight.Header{
		Grid: "g", Life: "life" + string(rune('a'+address)), Build: "b",
		Cores: []flight.CoreKind{flight.PeerKind(1, p.core.Config)},
	})
	require.NoError(t, err)
	p.record.Snapshot(0, []flight.State{{Core: peerCoreID, Bytes: p.core.AppendState(nil, p.state)}})
	p.step(peer.Input{Kind: protocol.Start})
	return p
}

func (p *recordedPeer) step(in peer.Input) {
	p.at += time.Millisecond
	p.record.Input(peerCoreID, p.at, 0, protocol.AppendInput(nil, p.core, in))
	next, out := p.core.Step(p.state, in)
	p.state = next
	p.record.Output(peerCoreID, protocol.Hash(protocol.AppendOutput(nil, p.core, out)))
	p.sent = append(p.sent, out.Send...)
	for _, s := range out.Set {
		p.set = append(p.set, s.Timer)
	}
	if out.Choose > 0 {
		p.step(peer.Input{Kind: protocol.Chosen, Choice: out.Choose - 1})
	}
}

// exchange delivers all messages between two peers until none remains. The records of b have
// earlier times than their causes: only the messages determine the order of the steps.
func exchange(a, b *recordedPeer) {
	for len(a.sent)+len(b.sent) > 0 {
		envelopes := append(a.sent, b.sent...)
		a.sent, b.sent = nil, nil
		for _, e := range envelopes {
			to := a
			if e.To == b.state.ID() {
				to = b
			}
			to.step(peer.Input{Kind: protocol.Deliver, From: e.From, Message: e.Message})
		}
	}
}

// joined records how a second node joins the first.
func joined(t *testing.T, after func(a, b *recordedPeer)) (files []string) {
	t.Helper()
	dir := t.TempDir()
	a, b := newPeer(t, dir, 0), newPeer(t, dir, 1)
	a.at += time.Second
	a.step(peer.Input{Kind: protocol.Command, Command: peer.Command{Kind: peer.CommandCreate}})
	b.step(peer.Input{Kind: protocol.Command, Command: peer.Command{Kind: peer.CommandJoin, Contact: a.state.ID()}})
	exchange(a, b)
	if after != nil {
		after(a, b)
	}
	require.NoError(t, a.record.Close())
	require.NoError(t, b.record.Close())
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.cfr"))
	require.NoError(t, err)
	require.Len(t, files, 2)
	return files
}

func TestMergedRecordsReplay(t *testing.T) {
	merged, err := flight.Merge(joined(t, nil), "two nodes")
	require.NoError(t, err)
	assert.Equal(t, 2, merged.Lives)
	assert.Zero(t, merged.Unseen)
	assert.Equal(t, traces.Holds, merged.Trace.Header.Verdict)

	var file bytes.Buffer
	require.NoError(t, traces.Write(&file, merged.Trace))
	read, err := traces.Read(&file)
	require.NoError(t, err)
	machine, err := flight.NewProduction(read)
	require.NoError(t, err)
	require.NoError(t, traces.Replay(machine, read, nil))

	deliveries := 0
	for i, s := range read.Steps {
		if s.Action.Kind != "deliver" {
			continue
		}
		deliveries++
		again := *read
		again.Steps = append([]traces.Step(nil), read.Steps...)
		again.Steps[i].Action.Text += "?"
		var missing *traces.NotEnabledError
		require.ErrorAs(t, traces.Replay(machine, &again, nil), &missing)
		assert.Equal(t, i, missing.Step)
	}
	assert.Positive(t, deliveries)
}

func TestAChangedStateOfATraceIsNamed(t *testing.T) {
	merged, err := flight.Merge(joined(t, nil), "two nodes")
	require.NoError(t, err)
	last := len(merged.Trace.Steps) - 1
	merged.Trace.Steps[last].State[0].Value = "0"
	machine, err := flight.NewProduction(merged.Trace)
	require.NoError(t, err)
	var differs *traces.DifferenceError
	require.ErrorAs(t, traces.Replay(machine, merged.Trace, nil), &differs)
	assert.Equal(t, last, differs.Step)
}

func TestAFlippedByteOfARecordIsNamed(t *testing.T) {
	files := joined(t, nil)
	whole, err := os.ReadFile(files[1])
	require.NoError(t, err)
	whole[len(whole)-30] ^= 1
	require.NoError(t, os.WriteFile(files[1], whole, 0o600))
	_, err = flight.Merge(files, "")
	require.ErrorIs(t, err, flight.ErrDamaged)
	assert.Regexp(t, `lifeb-000\.cfr: the record after record \d+, at byte \d+,`, err.Error())
}

func TestAStepThatWasNotEnabledIsNamed(t *testing.T) {
	for name, c := range map[string]struct {
		wrong func(a, b *recordedPeer)
		want  string
	}{
		"a message without a sending": {func(a, b *recordedPeer) {
			m := peer.Message(peer.Unmatched{Ticket: 7})
			b.step(peer.Input{Kind: protocol.Deliver, From: a.state.ID(), Message: m})
			// The sender lives on, so no lost end of its record explains the message.
			a.at += time.Hour
			a.step(peer.Input{Kind: protocol.Command, Command: peer.Command{Kind: peer.CommandLeave}})
			b.step(peer.Input{Kind: protocol.Deliver, From: b.state.ID(), Message: m})
		}, "no such message is on its way"},
		"a timer that is not pending": {func(a, _ *recordedPeer) {
			a.step(peer.Input{Kind: protocol.Timeout, Timer: peer.RunTimer()})
		}, "the timer is not pending"},
		"an answer without a question": {func(a, _ *recordedPeer) {
			a.step(peer.Input{Kind: protocol.Chosen})
		}, "there is no question"},
		"an unrequested measurement": {func(a, b *recordedPeer) {
			a.step(peer.Input{Kind: protocol.Measured, From: b.state.ID(), Measure: 1})
		}, "no core has asked for this measurement"},
	} {
		_, err := flight.Merge(joined(t, c.wrong), "")
		require.ErrorIs(t, err, flight.ErrMerge, name)
		assert.ErrorContains(t, err, c.want, name)
	}
}

func TestMergeWantsWholeLives(t *testing.T) {
	_, err := flight.Merge(nil, "")
	require.ErrorIs(t, err, flight.ErrMerge)
}
