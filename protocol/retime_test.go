package protocol_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/protocol"
)

func TestRetime(t *testing.T) {
	a, b, c := protocol.Timer{Kind: 1}, protocol.Timer{Kind: 2}, protocol.Timer{Kind: 3}
	set := func(ts ...protocol.Timer) (all []protocol.SetTimer) {
		for _, t := range ts {
			all = append(all, protocol.SetTimer{Timer: t, MinTicks: 7, MaxTicks: 7})
		}
		return all
	}
	tests := []struct {
		name            string
		kind            protocol.InputKind
		pending, wanted []protocol.Timer
		afresh          protocol.Timer
		cancel          []protocol.Timer
		set             []protocol.SetTimer
	}{
		{"nothing changes", protocol.Deliver, []protocol.Timer{a, b}, []protocol.Timer{a, b}, c, nil, nil},
		{
			"one goes, one comes",
			protocol.Deliver,
			[]protocol.Timer{a, b},
			[]protocol.Timer{b, c},
			a,
			[]protocol.Timer{a},
			set(c),
		},
		{"the order changes", protocol.Deliver, []protocol.Timer{a, b}, []protocol.Timer{b, a}, c, nil, nil},
		{"one starts afresh", protocol.Timeout, []protocol.Timer{a, b}, []protocol.Timer{a, b}, b, nil, set(b)},
		{"a life begins", protocol.Restart, []protocol.Timer{a, b}, []protocol.Timer{b}, c, nil, set(b)},
		{"the first begins", protocol.Start, []protocol.Timer{a}, []protocol.Timer{a}, c, nil, set(a)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var out protocol.Output[int]
			out.Retime(test.kind, test.pending, test.wanted,
				func(t protocol.Timer) bool { return t == test.afresh },
				func(t protocol.Timer) protocol.SetTimer { return set(t)[0] })
			assert.Equal(t, test.cancel, out.Cancel)
			assert.Equal(t, test.set, out.Set)
		})
	}
}
