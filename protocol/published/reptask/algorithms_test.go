package reptask_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/protocol"
	published "github.com/canvass-grid/canvass/protocol/published/reptask"
)

// bench drives one node, X, and records its messages as "to:message job".
type bench struct {
	cfg   published.Config
	state published.State
	sent  []string
}

func newBench(readings published.Readings, cluster string) *bench {
	b := &bench{cfg: published.DefaultConfig(), state: published.New('X'-'A', ids(cluster)...)}
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

// The jobs of the tests, all of two nodes: o is older than n, and e, f and g are as old as o, of
// which f has the hash of e and g a lower one.
var jobs = map[byte]published.Job{
	'o': {Owner: id('O'), Number: 1, Submitted: 1, Hash: 5, Nodes: 2},
	'n': {Owner: id('N'), Number: 1, Submitted: 2, Hash: 1, Nodes: 2},
	'e': {Owner: id('E'), Number: 1, Submitted: 1, Hash: 7, Nodes: 2},
	'f': {Owner: id('F'), Number: 1, Submitted: 1, Hash: 7, Nodes: 2},
	'g': {Owner: id('G'), Number: 1, Submitted: 1, Hash: 3, Nodes: 2},
}

func name(j published.Job) string { return strings.ToLower(j.Owner.String()) }

func (b *bench) feed(in published.Input) {
	var out published.Output
	b.state, out = published.Step(&b.cfg, b.state, in)
	for _, e := range out.Send {
		b.sent = append(b.sent, e.To.String()+":"+e.Message.Kind.String()+" "+name(e.Message.Job))
	}
}

// do runs a script: "A:Dispatch o" delivers, "!" ends the computation.
func (b *bench) do(script ...string) *bench {
	for _, line := range script {
		if line == "!" {
			b.feed(published.Input{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: published.RunTimer}})
			continue
		}
		kind, job, _ := strings.Cut(line[2:], " ")
		m := published.Message{Job: jobs[job[0]]}
		for m.Kind.String() != kind {
			m.Kind++
		}
		b.feed(published.Input{Kind: protocol.Deliver, From: id(rune(line[0])), Message: m})
	}
	return b
}

// queue writes the node's queue as "n ready, o queued".
func (b *bench) queue() string {
	var all []string
	for _, t := range b.state.Queue {
		all = append(all, name(t.Job)+" "+t.Status.String())
	}
	return strings.Join(all, ", ")
}

// Queues are sorted by submit time, then by hash; a dependent at the head is ready; an older one
// kills it.
func TestQueue(t *testing.T) {
	for _, test := range []struct {
		name     string
		readings published.Readings
		script   []string
		queue    string
		sent     []string
	}{
		{"at the head it reports", published.Readings{}, []string{"A:Dispatch o"}, "o ready", []string{"A:IsReady o"}},
		{
			"newer ones wait", published.Readings{}, []string{"A:Dispatch o", "B:Dispatch n"}, "o ready, n queued",
			[]string{"A:IsReady o"},
		},
		{
			"sorted by time", published.Readings{}, []string{"C:Dispatch g", "C:Begin g", "B:Dispatch n", "A:Dispatch o"},
			"g running, o queued, n queued", []string{"C:IsReady g"},
		},
		{
			"then by hash", published.Readings{}, []string{"C:Dispatch g", "B:Dispatch e", "A:Dispatch o"},
			"g ready, o queued, e queued", []string{"C:IsReady g"},
		},
		{
			"equal hashes by arrival", published.Readings{}, []string{"C:Dispatch g", "B:Dispatch f", "A:Dispatch e"},
			"g ready, f queued, e queued", []string{"C:IsReady g"},
		},
		{
			"an older one kills", published.Readings{}, []string{"B:Dispatch n", "A:Dispatch o"}, "o ready",
			[]string{"B:IsReady n", "A:IsReady o"},
		},
		{
			"and requeues", published.Readings{Requeue: true}, []string{"B:Dispatch n", "A:Dispatch o"}, "o ready, n queued",
			[]string{"B:IsReady n", "A:IsReady o"},
		},
		{
			"and tells", published.Readings{Tells: true}, []string{"B:Dispatch n", "A:Dispatch o"}, "o ready",
			[]string{"B:IsReady n", "B:Killed n", "A:IsReady o"},
		},
		{
			"but not what runs", published.Readings{}, []string{"B:Dispatch n", "B:Begin n", "A:Dispatch o"},
			"n running, o queued", []string{"B:IsReady n"},
		},
		{
			"nor what is as old", published.Readings{}, []string{"B:Dispatch e", "A:Dispatch o"}, "e ready, o queued",
			[]string{"B:IsReady e"},
		},
		{
			"unless by the whole order", published.Readings{WholeOrder: true}, []string{"B:Dispatch e", "A:Dispatch o"},
			"o ready", []string{"B:IsReady e", "A:IsReady o"},
		},
		{
			"cancelled ones make way", published.Readings{}, []string{"A:Dispatch o", "B:Dispatch n", "A:Cancel o"}, "n ready",
			[]string{"A:IsReady o", "B:IsReady n"},
		},
		{
			"a running one is not cancelled", published.Readings{}, []string{"A:Dispatch o", "A:Begin o", "A:Cancel o"},
			"o running", []string{"A:IsReady o"},
		},
		{
			"a cancel that comes first is void", published.Readings{}, []string{"A:Cancel o", "A:Dispatch o"}, "o ready",
			[]string{"A:IsReady o"},
		},
		{
			"a task is known by its job", published.Readings{}, []string{"A:Dispatch o", "B:Cancel o"}, "",
			[]string{"A:IsReady o"},
		},
		{
			"or by job and representative", published.Readings{ByPair: true}, []string{"A:Dispatch o", "B:Cancel o"},
			"o ready", []string{"A:IsReady o"},
		},
		{
			"a recalled one reports that it is gone", published.Readings{},
			[]string{"A:Dispatch o", "B:Dispatch n", "A:Recall o"}, "n ready",
			[]string{"A:IsReady o", "B:IsReady n", "A:Recalled o"},
		},
		{
			"so does one that never came", published.Readings{}, []string{"A:Recall o", "A:Dispatch o"}, "o ready",
			[]string{"A:Recalled o", "A:IsReady o"},
		},
		{
			"it computes and reports", published.Readings{}, []string{"A:Dispatch o", "A:Begin o", "!"}, "",
			[]string{"A:IsReady o", "A:Finished o"},
		},
		{
			"only what is ready begins", published.Readings{}, []string{"A:Dispatch o", "B:Dispatch n", "B:Begin n"},
			"o ready, n queued", []string{"A:IsReady o"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(test.readings, "").do(test.script...)
			assert.Equal(t, test.queue, b.queue())
			assert.Equal(t, test.sent, b.sent)
		})
	}
}

// A representative dispatches, starts the ready dependents when there are enough, cancels the
// others, and ends.
func TestRepresentative(t *testing.T) {
	route := "O:Route o"
	began := []string{route, "A:IsReady o", "B:IsReady o"}
	for _, test := range []struct {
		name     string
		readings published.Readings
		cluster  string
		fold     int
		script   []string
		last     []string // messages sent by the last line of the script
		roles    int
	}{
		{"exactly as many", published.Readings{}, "ABC", 1, []string{route}, []string{"A:Dispatch o", "B:Dispatch o"}, 1},
		{
			"over-provisioned", published.Readings{}, "ABC", 2, []string{route},
			[]string{"A:Dispatch o", "B:Dispatch o", "C:Dispatch o"}, 1,
		},
		{"too few nodes", published.Readings{}, "A", 1, []string{route}, []string{"A:Dispatch o"}, 1},
		{"not enough", published.Readings{}, "AB", 1, began[:2], nil, 1},
		{"enough", published.Readings{}, "AB", 1, began, []string{"A:Begin o", "B:Begin o"}, 1},
		{
			"the others are cancelled", published.Readings{}, "ABC", 2, []string{route, "A:IsReady o", "C:IsReady o"},
			[]string{"A:Begin o", "B:Cancel o", "C:Begin o"}, 1,
		},
		{"the same twice is one", published.Readings{}, "AB", 1, []string{route, "A:IsReady o", "A:IsReady o"}, nil, 1},
		{
			"a killed one does not count", published.Readings{}, "AB", 1,
			[]string{route, "A:IsReady o", "A:Killed o", "B:IsReady o"}, nil, 1,
		},
		{"too late", published.Readings{}, "AB", 1, append(began[:3:3], "A:Killed o"), nil, 1},
		{"late ones are ignored", published.Readings{}, "ABC", 2, append(began[:3:3], "C:IsReady o"), nil, 1},
		{
			"late ones are cancelled", published.Readings{LateCancel: true}, "ABC", 2, append(began[:3:3], "C:IsReady o"),
			[]string{"C:Cancel o"}, 1,
		},
		{"not all have finished", published.Readings{}, "AB", 1, append(began[:3:3], "A:Finished o", "A:Finished o"), nil, 1},
		{
			"complete", published.Readings{}, "AB", 1, append(began[:3:3], "A:Finished o", "B:Finished o"),
			[]string{"O:Result o"}, 0,
		},
		{
			"after the end", published.Readings{LateCancel: true}, "AB", 1,
			append(began[:3:3], "A:Finished o", "B:Finished o", "B:IsReady o"), []string{"B:Cancel o"}, 0,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(test.readings, test.cluster)
			b.cfg.Fold = test.fold
			b.do(test.script[:len(test.script)-1]...)
			b.sent = nil
			b.do(test.script[len(test.script)-1])
			assert.Equal(t, test.last, b.sent)
			assert.Len(t, b.state.Roles, test.roles)
		})
	}
}

// The submitter routes its job and takes the first result.
func TestOwner(t *testing.T) {
	b := newBench(published.Readings{}, "")
	job := published.Job{Number: 1, Nodes: 1}
	b.feed(
		published.Input{Kind: protocol.Command, Command: published.Command{Kind: published.Submit, Job: job, To: id('A')}},
	)
	assert.Equal(t, []string{"A:Route x"}, b.sent)
	job.Owner = id('X')
	result := published.Input{
		Kind:    protocol.Deliver,
		From:    id('A'),
		Message: published.Message{Kind: published.Result, Job: job},
	}
	_, first := published.Step(&b.cfg, b.state, result)
	assert.Equal(t, published.EventAccept, first.Events[0].Name)
	b.feed(result)
	_, second := published.Step(&b.cfg, b.state, result)
	assert.Equal(t, published.EventIgnore, second.Events[0].Name)
}

// Algorithms 1 and 2: the first idle job with a candidate goes to the least of its candidates, and
// nothing else moves.
func TestBalance(t *testing.T) {
	near := []published.Neighbour{
		{Node: id('P'), Coordinate: 9, Residue: 9, Longest: 4},
		{Node: id('Q'), Coordinate: 4, Residue: 2, Longest: 2},
		{Node: id('R'), Coordinate: 2, Residue: 1, Longest: 0},
	}
	both := []string{"O:Route o", "N:Route n"}
	at := func(average int) []published.Position {
		return []published.Position{{jobs['o'], average}, {jobs['n'], average}}
	}
	for _, test := range []struct {
		name    string
		script  []string
		command published.Command
		sent    []string
	}{
		{
			"dlb: c0 is the residue", both, published.Command{Kind: published.DLB, Neighbours: near},
			[]string{"A:Recall o", "B:Recall o", "Q:Route o"},
		},
		{"dlb: no candidate", both, published.Command{Kind: published.DLB, Neighbours: near[2:]}, nil},
		{
			"dlb: what has begun stays", append(both[:2:2], "A:IsReady o", "B:IsReady o"),
			published.Command{Kind: published.DLB, Neighbours: near}, []string{"A:Recall n", "B:Recall n", "Q:Route n"},
		},
		{
			"qb: c0 is the coordinate, c1 the queues", both,
			published.Command{Kind: published.QB, Neighbours: near, Positions: at(2)},
			[]string{"A:Recall o", "B:Recall o", "R:Route o"},
		},
		{
			"qb: c1 leaves the shorter ones", both,
			published.Command{Kind: published.QB, Neighbours: near[:2], Positions: at(4)},
			[]string{"A:Recall o", "B:Recall o", "Q:Route o"},
		},
		{
			"qb: less by more than one", both,
			published.Command{Kind: published.QB, Neighbours: near[:2], Positions: at(3)}, nil,
		},
		{
			"qb: each job by its own position", both,
			published.Command{Kind: published.QB, Neighbours: near, Positions: append(at(1)[:1], at(2)[1])},
			[]string{"A:Recall n", "B:Recall n", "R:Route n"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(published.Readings{}, "AB").do(test.script...)
			b.sent = nil
			b.feed(published.Input{Kind: protocol.Command, Command: test.command})
			for _, sent := range b.sent {
				b.do(strings.Replace(sent, "Recall ", "Recalled ", 1))
			}
			assert.Equal(t, test.sent, b.sent)
		})
	}
}

// A job moves when all its dependents have reported that they are gone, and once.
func TestMove(t *testing.T) {
	dlb := published.Command{
		Kind: published.DLB, Neighbours: []published.Neighbour{{Node: id('P'), Coordinate: 2, Residue: 2}},
	}
	for _, test := range []struct {
		name     string
		readings published.Readings
		script   []string
		last     []string // messages sent by the last line of the script
	}{
		{"one is gone", published.Readings{}, []string{"A:Recalled o"}, nil},
		{"the same twice is one", published.Readings{}, []string{"A:Recalled o", "A:Recalled o"}, nil},
		{"all are gone", published.Readings{}, []string{"A:Recalled o", "B:Recalled o"}, []string{"P:Route o"}},
		{"ready ones do not stop it", published.Readings{}, []string{"A:IsReady o", "B:IsReady o"}, nil},
		{
			"one that was gone is late", published.Readings{LateCancel: true}, []string{"A:Recalled o", "A:IsReady o"},
			[]string{"A:Cancel o"},
		},
		{"or ignored", published.Readings{}, []string{"A:Recalled o", "A:IsReady o"}, nil},
		{
			"one that is not gone yet, too", published.Readings{LateCancel: true}, []string{"A:Recalled o", "B:IsReady o"},
			[]string{"B:Cancel o"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(published.Readings{}, "AB").do("O:Route o")
			b.cfg.Readings = test.readings
			b.feed(published.Input{Kind: protocol.Command, Command: dlb})
			b.do(test.script[:len(test.script)-1]...)
			b.sent = nil
			b.do(test.script[len(test.script)-1])
			assert.Equal(t, test.last, b.sent)
			b.sent = nil
			b.feed(published.Input{Kind: protocol.Command, Command: dlb})
			assert.Empty(t, b.sent, "it moves already")
		})
	}
	moved := jobs['o']
	moved.Moved = true
	b := newBench(published.Readings{}, "AB")
	b.feed(
		published.Input{Kind: protocol.Deliver, From: id('A'), Message: published.Message{Kind: published.Route, Job: moved}},
	)
	b.sent = nil
	b.feed(published.Input{Kind: protocol.Command, Command: dlb})
	assert.Empty(t, b.sent, "a job moves once")
	assert.True(t, slices.ContainsFunc(b.state.Roles, func(r published.Role) bool { return r.Job == moved }))
}
