package refine_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	published "github.com/canvass-grid/canvass/protocol/published/refine"
)

// bench drives one node, X, and records its messages as "to:message".
type bench struct {
	cfg      published.Config
	state    published.State
	sent     []string
	measured []protocol.NodeID
}

func newBench(readings published.Readings, memberships int) *bench {
	b := &bench{cfg: published.DefaultConfig(memberships, 3, 10), state: published.New('X' - 'A')}
	b.cfg.Readings = readings
	b.feed(published.Input{Kind: protocol.Start})
	return b
}

func id(name rune) protocol.NodeID {
	return protocol.NodeID{Address: protocol.Address(name - 'A'), Incarnation: 1}
}

func ids(names string) []protocol.NodeID {
	var all []protocol.NodeID
	for _, name := range names {
		all = append(all, id(name))
	}
	return all
}

func (b *bench) feed(in published.Input) {
	var out published.Output
	b.state, out = published.Step(&b.cfg, b.state, in)
	for _, e := range out.Send {
		b.sent = append(b.sent, e.To.String()+":"+e.Message.Kind.String())
	}
	b.measured = append(b.measured, out.Measure...)
}

// do runs a script: "A:Solicit" delivers, "!2" fires the timer of kind 2, "!3C" that for C,
// "A=7" measures A to be 7 away, "near BC" is a command.
func (b *bench) do(script ...string) *bench {
	for _, line := range script {
		name := rune(line[0])
		switch near, command := strings.CutPrefix(line, "near "); {
		case command:
			b.feed(published.Input{Kind: protocol.Command, Command: published.Command{Near: ids(near)}})
		case name == '!':
			timer := protocol.Timer{Kind: protocol.TimerKind(line[1] - '0')}
			if len(line) > 2 {
				timer.Peer = id(rune(line[2]))
			}
			b.feed(published.Input{Kind: protocol.Timeout, Timer: timer})
		case line[1] == '=':
			b.feed(published.Input{Kind: protocol.Measured, From: id(name), Measure: uint32(line[2] - '0')})
		default:
			b.feed(published.Input{Kind: protocol.Deliver, From: id(name), Message: message(line[2:])})
		}
	}
	return b
}

// message reads "Solicit 3", "Update 3 1 AB" (sought, denied, members), "Report A7 B8", "Confirm
// AX" or a bare kind.
func message(text string) published.Message {
	words := strings.Fields(text)
	m := published.Message{}
	for m.Kind.String() != words[0] {
		m.Kind++
	}
	switch m.Kind {
	case published.Update:
		m.Sought, m.Denied, m.Members = int(words[1][0]-'0'), int(words[2][0]-'0'), ids(strings.Join(words[3:], ""))
	case published.Solicit:
		if len(words) > 1 {
			m.Sought = int(words[1][0] - '0')
		}
	case published.Confirm:
		m.Members = ids(words[1])
	case published.Report:
		for _, w := range words[1:] {
			m.Latencies = append(m.Latencies, published.Latency{Peer: id(rune(w[0])), Micros: uint32(w[1] - '0')})
		}
	}
	return m
}

func (b *bench) suitors() string {
	var names strings.Builder
	for _, r := range b.state.Client.Suitors {
		names.WriteString(r.Head.String())
	}
	return names.String()
}

// Algorithm 3: append, and if there are too many, sort and delete the end.
func TestAlgorithm3(t *testing.T) {
	byHash := "AB"
	if id('B').Hash() < id('A').Hash() {
		byHash = "BA"
	}
	last := string(byHash[1])
	for _, test := range []struct {
		name      string
		criterion published.Criterion
		readings  published.Readings
		m         int
		script    []string
		suitors   string
		sent      []string
	}{
		{"room", published.FCFS, published.Readings{}, 2, []string{"A:Solicit", "B:Solicit"}, "AB", nil},
		{
			"first come", published.FCFS, published.Readings{}, 1, []string{"A:Solicit", "B:Solicit"}, "A",
			[]string{"B:Reject"},
		},
		{
			"global", published.Global, published.Readings{}, 1, []string{"A:Solicit", "B:Solicit"}, byHash[:1],
			[]string{last + ":Reject"},
		},
		{
			"global, the other way", published.Global, published.Readings{}, 1, []string{"B:Solicit", "A:Solicit"}, byHash[:1],
			[]string{last + ":Reject"},
		},
		{
			"greedy by ceiling", published.Greedy, published.Readings{}, 2,
			[]string{"A:Solicit", "A:Update 3 2", "B:Solicit", "B:Update 3 0", "C:Solicit"}, "BA", []string{"C:Reject"},
		},
		{
			"greedy by what was sent", published.Greedy, published.Readings{}, 1, []string{"A:Solicit 1", "B:Solicit 2"}, "B",
			[]string{"A:Reject"},
		},
		{
			"greedy, the other way", published.Greedy, published.Readings{}, 1, []string{"A:Solicit 2", "B:Solicit 1"}, "A",
			[]string{"B:Reject"},
		},
		{
			"greedy by acceptances", published.Greedy, published.Readings{}, 2,
			[]string{"A:Solicit", "A:Update 3 1 Y", "B:Solicit", "B:Update 3 1 YZ", "C:Solicit"}, "BA", []string{"C:Reject"},
		},
		{
			"appended twice", published.FCFS, published.Readings{}, 2, []string{"A:Solicit", "A:Solicit", "B:Solicit"}, "AA",
			[]string{"B:Reject"},
		},
		{
			"once", published.FCFS, published.Readings{Once: true}, 2, []string{"A:Solicit", "A:Solicit", "B:Solicit"}, "AB",
			nil,
		},
		{
			"the last lines accept all", published.FCFS, published.Readings{}, 2, []string{"A:Solicit", "B:Solicit", "!2"},
			"AB", []string{"A:Accept", "B:Accept"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(test.readings, test.m)
			b.cfg.Criterion = test.criterion
			b.do(test.script...)
			assert.Equal(t, test.suitors, b.suitors())
			assert.Equal(t, test.sent, b.sent)
		})
	}
}

// committed brings a client to STEADY, committed to A.
var committed = []string{"A:Solicit", "!2", "A=7", "A:Confirm AX"}

// Figure 5.1.
func TestClient(t *testing.T) {
	for _, test := range []struct {
		name   string
		m      int
		script []string
		phase  published.ClientPhase
		sent   []string // since the last A:Report, or from the beginning
	}{
		{"no solicitation: the timeout is reset", 2, []string{"!2"}, published.ClientWait, nil},
		{"the timeout leads to MEASURE", 2, []string{"A:Solicit", "!2"}, published.ClientMeasure, []string{"A:Accept"}},
		{
			"MEASURE defers", 2, []string{"A:Solicit", "!2", "B:Solicit"}, published.ClientMeasure,
			[]string{"A:Accept", "B:Defer"},
		},
		{
			"measurements are forwarded", 2, []string{"A:Solicit", "!2", "A=7"}, published.ClientMeasure,
			[]string{"A:Accept", "A:Report"},
		},
		{
			"confirmation and measurements lead to STEADY", 2, committed, published.ClientSteady,
			[]string{"A:Accept", "A:Report"},
		},
		{
			"a denial ends the waiting", 2, []string{"A:Solicit", "!2", "A=7", "A:Deny"}, published.ClientSteady,
			[]string{"A:Accept", "A:Report"},
		},
		{
			"each head must confirm", 2, []string{"A:Solicit", "B:Solicit", "!2", "A=7", "B=7", "A:Confirm AX"},
			published.ClientMeasure, []string{"A:Accept", "B:Accept", "A:Report", "B:Report"},
		},
		{
			"updates name more to measure", 2, []string{"A:Solicit", "!2", "A:Update 2 0 BX", "A=7"}, published.ClientMeasure,
			[]string{"A:Accept"},
		},
		{
			"STEADY with room goes back to WAIT", 2, append(committed[:4:4], "B:Solicit"), published.ClientWait,
			[]string{"A:Accept", "A:Report"},
		},
		{
			"STEADY without room rejects", 1, append(committed[:4:4], "B:Solicit"), published.ClientSteady,
			[]string{"A:Accept", "A:Report", "B:Reject"},
		},
		{
			"and its own head too", 1, append(committed[:4:4], "A:Solicit"), published.ClientSteady,
			[]string{"A:Accept", "A:Report", "A:Reject"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(published.Readings{}, test.m).do(test.script...)
			assert.Equal(t, test.phase, b.state.Client.Phase)
			assert.Equal(t, test.sent, b.sent)
		})
	}
}

// "Once committed to a head, a client will not abandon that cluster until the head leaves
// voluntarily or a fault is detected by timing out."
func TestCommittedClientsStay(t *testing.T) {
	b := newBench(published.Readings{}, 2).do(committed...).do("B:Solicit", "C:Solicit")
	assert.Equal(t, "AB", b.suitors())
	b.do("!4A")
	assert.Equal(t, "B", b.suitors())
}

// Figure 5.2.
func TestHead(t *testing.T) {
	asks := []string{"near BC", "!1"}
	both := append(asks[:2:2], "B:Accept", "C:Accept", "B=7", "C=7")
	for _, test := range []struct {
		name     string
		readings published.Readings
		script   []string
		phase    published.HeadPhase
		last     string // the last message
	}{
		{"COLLECT", published.Readings{}, asks[:1], published.HeadCollect, ""},
		{"SOLICIT", published.Readings{}, asks, published.HeadSolicit, "C:Solicit"},
		{
			"updates go to clients that have not denied", published.Readings{}, append(asks[:2:2], "C:Reject"),
			published.HeadSolicit, "B:Update",
		},
		{
			"all have denied", published.Readings{}, append(asks[:2:2], "B:Reject", "C:Reject"), published.HeadSteady,
			"C:Update",
		},
		{
			"a deferral is no answer", published.Readings{}, append(asks[:2:2], "B:Accept", "C:Defer"), published.HeadSolicit,
			"C:Update",
		},
		{
			"it is asked again later", published.Readings{}, append(asks[:2:2], "C:Defer", "!3C"), published.HeadSolicit,
			"C:Solicit",
		},
		{
			"FILTER waits for all", published.Readings{}, append(both[:6:6], "B:Report X7 C7"), published.HeadFilter,
			"C:Update",
		},
		{
			"STEADY confirms", published.Readings{}, append(both[:6:6], "B:Report X7 C7", "C:Report X7 B7"),
			published.HeadSteady, "C:Confirm",
		},
		{
			"and denies", published.Readings{},
			append(asks[:2:2], "B:Accept", "C:Accept", "B=7", "C=7", "B:Report X7", "C:Report X7"), published.HeadSteady,
			"C:Deny",
		},
		{
			"every pair", published.Readings{WaitsForPairs: true}, append(both[:6:6], "B:Report X7 C7", "C:Report X7"),
			published.HeadFilter, "C:Update",
		},
		{
			"new arrivals while soliciting", published.Readings{}, []string{"near B", "!1", "near BC", "B:Reject"},
			published.HeadCollect, "B:Solicit",
		},
		{
			"new arrivals in STEADY", published.Readings{}, []string{"near B", "!1", "B:Reject", "near BC"},
			published.HeadCollect, "B:Solicit",
		},
		{
			"but not with a cluster of maximum size", published.Readings{},
			append(both[:6:6], "B:Report X7 C7", "C:Report X7 B7", "near BCD"), published.HeadSteady, "C:Confirm",
		},
		{
			"an acceptance counts", published.Readings{}, append(asks[:2:2], "B:Accept", "B:Defer", "C:Reject"),
			published.HeadFilter, "B:Update",
		},
		{
			"no new arrivals", published.Readings{}, []string{"near B", "!1", "B:Reject", "near B"}, published.HeadSteady,
			"B:Solicit",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(test.readings, 2).do(test.script...)
			assert.Equal(t, test.phase, b.state.Head.Phase)
			if test.last != "" {
				require.NotEmpty(t, b.sent)
				assert.Equal(t, test.last, b.sent[len(b.sent)-1])
			}
		})
	}
}

// Section 5.1.2: the largest clique that includes the head.
func TestClique(t *testing.T) {
	for _, test := range []struct {
		name     string
		readings published.Readings
		b, c     string // reports of B and C
		size     int
		cluster  string
	}{
		{"all near", published.Readings{}, "B:Report X7 C7", "C:Report X7 B7", 3, "BCX"},
		{"at most N", published.Readings{}, "B:Report X7 C7", "C:Report X7 B7", 2, "BX"},
		{"one end measured", published.Readings{}, "B:Report X7", "C:Report X7 B7", 3, "BCX"},
		{"not measured", published.Readings{}, "B:Report X7", "C:Report X7", 3, "BX"},
		{"not measured, lenient", published.Readings{Lenient: true}, "B:Report X7", "C:Report X7", 3, "BCX"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(test.readings, 2)
			b.cfg.Size = test.size
			b.do("near BC", "!1", "B:Accept", "C:Accept", "B=7", "C=7", test.b, test.c)
			assert.Equal(t, ids(test.cluster), b.state.Head.Cluster)
		})
	}
	b := newBench(published.Readings{}, 2)
	b.cfg.Diameter = 5
	b.do("near BC", "!1", "B:Accept", "C:Accept", "B=7", "C=5", "B:Report X5 C5", "C:Report X5 B5")
	assert.Equal(t, ids("CX"), b.state.Head.Cluster, "one end too far is too far")
}

// Section 5.1.3: a node advertises the largest cluster to which it belongs.
func TestSymmetry(t *testing.T) {
	b := newBench(
		published.Readings{},
		2,
	).do("near B", "!1", "B:Accept", "B=7", "B:Report X7", "A:Solicit", "!2", "A=7", "A:Confirm AX")
	head, members := b.state.Advertised()
	assert.Equal(t, id('X'), head, "its own among equals")
	assert.Equal(t, ids("BX"), members)
	b.do("A:Solicit", "!2", "A=7", "A:Confirm ACX")
	head, members = b.state.Advertised()
	assert.Equal(t, id('A'), head)
	assert.Equal(t, ids("ACX"), members)
}
