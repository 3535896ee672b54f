package door_test

import (
	"fmt"
	"net"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/daemon/door"
)

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// guest is a connection as the tests see it.
type guest struct {
	*door.Visit
	closed bool
}

// come lets a connection of a host enter, so long after the start.
func come(d *door.Door, host string, after time.Duration) *guest {
	g := &guest{}
	at := net.TCPAddrFromAddrPort(netipPort(host))
	g.Visit = d.Enter(at, start.Add(after), func() { g.closed = true })
	return g
}

func TestWhoMustGo(t *testing.T) {
	late := door.Grace + time.Millisecond
	for name, c := range map[string]struct {
		hosts  []string // of those inside, in order; the door has as many places
		stages []door.Stage
		enters string
		after  time.Duration
		gone   int // -1: the new one
	}{
		"the oldest": {
			hosts: []string{"10.0.0.1", "10.0.0.2"}, enters: "10.0.0.3", gone: 0},
		"the one that is silent for long": {
			hosts: []string{"10.0.0.1", "10.0.0.2"}, stages: []door.Stage{door.Spoken},
			enters: "10.0.0.3", after: late, gone: 1},
		"a silent one if half are silent": {
			hosts: []string{"10.0.0.1", "10.0.0.2"}, stages: []door.Stage{door.Spoken}, enters: "10.0.0.3", gone: 1},
		"one that has spoken if fewer are": {
			hosts:  []string{"10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"},
			stages: []door.Stage{door.Silent, door.Spoken, door.Spoken, door.Asked}, enters: "10.0.0.3", gone: 1},
		"the one that has not asked": {
			hosts: []string{"10.0.0.1", "10.0.0.2"}, stages: []door.Stage{door.Asked, door.Spoken}, enters: "10.0.0.3", gone: 1},
		"one of the largest crowd": {
			hosts: []string{"10.0.1.1", "10.0.0.1", "10.0.0.2"}, enters: "10.0.2.1", gone: 1},
		"one of its own crowd": {
			hosts: []string{"10.0.1.1", "10.0.0.1", "10.0.2.1"}, enters: "10.0.0.2", gone: 1},
		"one of a crowd of IPv6": {
			hosts: []string{"10.0.1.1", "fe80::1", "fe80::2:1"}, enters: "10.0.2.1", gone: 1},
		"none of a member's host": {
			hosts: []string{"10.9.0.1", "10.0.0.1"}, enters: "10.9.0.1", gone: 1},
		"not even for a stranger": {
			hosts: []string{"10.9.0.1", "10.9.0.1"}, enters: "10.0.0.1", gone: -1},
		"unless it is silent for long": {
			hosts: []string{"10.9.0.1", "10.9.0.1"}, enters: "10.0.0.1", after: late, gone: 0},
		"an older one of a member's host": {
			hosts: []string{"10.9.0.1", "10.9.0.1"}, enters: "10.9.0.1", gone: 0},
	} {
		t.Run(name, func(t *testing.T) {
			d := door.New(len(c.hosts))
			d.Know("10.9.0.1")
			d.Know("no address")
			var inside []*guest
			for i, host := range c.hosts {
				g := come(d, host, 0)
				require.NotNil(t, g.Visit)
				if i < len(c.stages) {
					g.Reach(c.stages[i])
				}
				inside = append(inside, g)
			}
			entering := come(d, c.enters, c.after)
			assert.Equal(t, c.gone == -1, entering.Visit == nil)
			for i, g := range inside {
				assert.Equal(t, i == c.gone, g.closed, "guest %d", i)
				assert.Equal(t, i != c.gone, g.Leave(), "guest %d", i)
				assert.False(t, g.Leave())
			}
		})
	}
}

// TestDoor demands of any visits that no more are inside than there are places, and that those are
// inside that neither left nor were closed.
func TestDoor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.IntRange(2, 6).Draw(t, "places")
		d := door.New(places)
		var inside []*guest
		now := time.Duration(0)
		t.Repeat(map[string]func(*rapid.T){
			"enter": func(t *rapid.T) {
				g := come(d, fmt.Sprintf("10.0.%d.1", rapid.IntRange(0, 2).Draw(t, "net")), now)
				require.NotNil(t, g.Visit) // no host is known
				inside = append(inside, g)
			},
			"wait": func(t *rapid.T) { now += time.Duration(rapid.IntRange(0, 500).Draw(t, "ms")) * time.Millisecond },
			"leave": func(t *rapid.T) {
				if len(inside) > 0 {
					i := rapid.IntRange(0, len(inside)-1).Draw(t, "guest")
					require.Equal(t, !inside[i].closed, inside[i].Leave())
					inside = slices.Delete(inside, i, i+1)
				}
			},
			"reach": func(t *rapid.T) {
				if len(inside) > 0 {
					g := inside[rapid.IntRange(0, len(inside)-1).Draw(t, "guest")]
					g.Reach(rapid.SampledFrom([]door.Stage{door.Silent, door.Spoken, door.Asked}).Draw(t, "stage"))
				}
			},
			"": func(t *rapid.T) {
				open := 0
				for _, g := range inside {
					if !g.closed {
						open++
					}
				}
				require.Equal(t, d.Inside(), open)
				require.LessOrEqual(t, open, places)
			},
		})
	})
}

// TestSilentFlood demands that a connection that speaks stays while 10,000 silent ones come from
// its own host.
func TestSilentFlood(t *testing.T) {
	d := door.New(64)
	var member *guest
	for i := range 10_000 {
		now := time.Duration(i) * 10 * time.Millisecond
		come(d, "127.0.0.1", now)
		if i == 5000 {
			member = come(d, "127.0.0.1", now)
			member.Reach(door.Spoken)
		}
		if i == 5000+30 { // 300 ms later
			require.True(t, member.Leave())
		}
	}
	require.Equal(t, 64, d.Inside())
}
