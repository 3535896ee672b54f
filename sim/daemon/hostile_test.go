package daemon

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/node"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/sim"
)

// hostile is a member of the grid that sends what it likes to node A.
var hostile = protocol.NodeID{Address: 1, Incarnation: 1}

// sent is a frame that a hostile member sends.
type sent struct {
	kind    uint8
	payload []byte
}

// split reads frames from the text of a fuzzer: a kind, a length, and a payload.
func split(text []byte) (all []sent) {
	for len(text) >= 3 && len(all) < 8 {
		n := min(int(binary.BigEndian.Uint16(text[1:])), len(text)-3)
		all = append(all, sent{text[0], text[3 : 3+n]})
		text = text[3+n:]
	}
	return all
}

// joined is the inverse of split.
func joined(all ...sent) (text []byte) {
	for _, f := range all {
		text = binary.BigEndian.AppendUint16(append(text, f.kind), uint16(len(f.payload)))
		text = append(text, f.payload...)
	}
	return text
}

// The kinds of frames between daemons.
const (
	coreFrame = 1
	callFrame = 2
	jobFrame  = 3
)

// called is a call as a member makes it.
func calling(method, body string) sent {
	text := fmt.Sprintf(`{"id":7,"method":%q,"body":%s}`, method, body)
	return sent{callFrame, []byte(text)}
}

// mostAllocated bounds what a daemon allocates in a run of some seconds with at most 8 frames of a
// hostile member.
const mostAllocated = 32 << 20

// allocated is how many bytes this process has allocated so far, including freed ones.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// mostBusy bounds the time of the processor that a daemon takes for a frame, with all that it does
// at once. Unlike the time by a clock, it does not grow when other processes run.
const mostBusy = 100 * time.Millisecond

// busy is how much time of the processor this thread has taken.
func busy() time.Duration {
	var read unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &read) // never fails for the own thread
	return time.Duration(read.Nano())
}

// attack has a hostile member send frames to a daemon that runs a job, and demands that the daemon
// comes to rest: it does not panic, within limits on its turns, its processor time and its memory.
func attack(t testing.TB, all []sent) *node.Stepped {
	plan := &sim.Plan{}
	*plan = *called("daemon/jobs").Draw(0)
	plan.Nodes, plan.UntilMicros, plan.SettleMicros, plan.Latency = 1, 4*second, 2*second, "constant 200"
	plan.Ops = []sim.Op{{AtMicros: second, Do: opSubmit, Arg: argOf(1, 60_000)}}
	r, err := newRun(plan, sim.RunOptions{}, false)
	require.NoError(t, err)
	m := r.world.machines[0]
	var life *node.Stepped
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var began, took time.Duration
	r.At(3*second+1, func() { took = busy() - began })
	r.At(3*second, func() {
		began = busy()
		if life = m.node; life == nil {
			return
		}
		for _, f := range all {
			m.inbox = append(m.inbox, func() { life.Deliver(hostile, f.kind, f.payload) })
		}
		r.world.wake(m)
	})
	before := allocated()
	result, err := r.finish()
	require.NoError(t, err)
	require.LessOrEqual(t, allocated()-before, uint64(mostAllocated), "%d frames", len(all))
	require.LessOrEqual(t, took, time.Duration(len(all)+1)*mostBusy, "%d frames", len(all))
	require.NotNil(t, life, "the daemon was not there: %s", m.why)
	if result.Verdict != sim.Holds && result.Property == "StaysUp" && strings.Contains(result.Where, "never rests") {
		t.Fatal(result.Where)
	}
	return life
}

// name of the first job of node A, and malformed digests.
const (
	firstJob = `{"by":"A","number":1}`
	digest   = "0000000000000000000000000000000000000000000000000000000000000000"
)

// record is the record of a member, after a change.
func record(change func(r *jobs.Record)) string {
	r := &jobs.Record{
		Version: jobs.Version, ID: "aaaaaaaaaaaaa", State: jobs.Accepted, Changes: []jobs.Change{{State: jobs.Accepted}},
		Spec:    jobs.Spec{Command: []string{"true"}, Tasks: 1},
		Custody: jobs.Name{By: hostile, Number: 1}, Custodians: jobs.Custodians{1, 0},
		Stamp: jobs.Stamp{View: 1, Number: 1},
	}
	change(r)
	return string(r.Encode())
}

// malformed are bodies of calls that no daemon sends, one for each kind of mistake.
func malformed() map[string]string {
	array := func(of jobs.Range) string {
		return record(func(r *jobs.Record) { r.Spec.Array = &jobs.Array{Ranges: []jobs.Range{of}} })
	}
	report := func(rest string) string { return `{"by":"A","epoch":1,"job":` + firstJob + rest + `}` }
	input := func(f jobs.File) string {
		return record(func(r *jobs.Record) { r.Spec.Inputs = []jobs.File{f} })
	}
	return map[string]string{
		"keep/no-digest":    input(jobs.File{Path: "x"}),
		"keep/short":        input(jobs.File{Path: "x", Digest: "0"}),
		"keep/path":         input(jobs.File{Path: "../x", Digest: digest}),
		"keep/leaves":       input(jobs.File{Path: "x", Digest: "../../../authority.key"}),
		"keep/array":        array(jobs.Range{First: 9, Last: 1}),
		"keep/large-array":  array(jobs.Range{Last: 1 << 50}),
		"keep/no-changes":   record(func(r *jobs.Record) { r.Changes = nil }),
		"keep/element":      record(func(r *jobs.Record) { r.Parent, r.Index = "b", 3 }),
		"keep/long-key":     record(func(r *jobs.Record) { r.Key = strings.Repeat("k", 60_000) }),
		"keep/attempt":      record(func(r *jobs.Record) { r.Attempts = []jobs.Attempt{{Ranks: make([]jobs.Rank, 9)}} }),
		"keep/null":         `null`,
		"keep/text":         `"x"`,
		"deposit/no-digest": report(`,"rank":0,"host":"B","files":[{"path":"o","size":1,"mode":384}]`),
		"deposit/short":     report(`,"rank":0,"host":"B","files":[{"path":"o","sha256":"a"}]`),
		"deposit/rank":      report(`,"rank":-5,"host":"B","files":[]`),
		"rank/output":       report(`,"rank":{"outputs":[{"path":"/o","sha256":"a"}]}`),
		"outcome/statuses":  report(`,"hosts":["A"],"statuses":[]`),
		"outcome/nobody":    report(`,"hosts":[],"statuses":[]`),
		"permit/nobody":     report(`,"hosts":[]`),
		"blob/short":        `{"sha256":"0","digest":"0","offset":0}`,
		"blob/negative":     `{"digest":"` + digest + `","offset":-1}`,
		"content/absolute":  `{"by":"A","epoch":1,"path":"/etc/passwd","offset":-9}`,
		"find/number":       `17`,
		"queues/text":       `"many"`,
		"printed/object":    `{}`,
		"life/large":        `99999999999999`,
	}
}

// A member that sends what no daemon sends ends no other one, and is asked to leave off.
func TestMalformedCallsEndNoDaemon(t *testing.T) {
	for name, body := range malformed() {
		t.Run(name, func(t *testing.T) {
			method, _, _ := strings.Cut(name, "/")
			attack(t, []sent{calling(method, body)})
		})
	}
}

// seeds are frames for a fuzzer: each call with a body that can be used, messages of all cores, and
// copies of records.
func seeds() (all [][]sent) {
	attempt := `"by":"A","epoch":1,"job":` + firstJob + `,"try":1,"ticket":1`
	for _, method := range rpc.Names() {
		body := bodies[method]
		all = append(all, []sent{calling(method, strings.ReplaceAll(body, "ATTEMPT", attempt))})
	}
	for name, body := range malformed() {
		method, _, _ := strings.Cut(name, "/")
		all = append(all, []sent{calling(method, body)})
	}
	for kind := range uint8(5) {
		payload := protocol.AppendUint(nil, uint64(kind))
		payload = protocol.AppendNodeID(payload, protocol.NodeID{Address: 0, Incarnation: 1})
		payload = protocol.AppendUint(payload, 1)
		for message := range byte(24) {
			all = append(all, []sent{{coreFrame, append(slices.Clone(payload), message, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)}})
		}
		text := record(func(*jobs.Record) {})
		copied := append(protocol.AppendUint(slices.Clone(payload), 2), 1, 1)
		all = append(all, []sent{{jobFrame, append(copied, text...)}})
	}
	return all
}

// bodies are those of all calls of the table.
var bodies = map[string]string{
	"echo": `null`, "client": `{"owner":"A","number":1}`, "order": `{"entry":"A","number":1}`, "owns": `1`,
	"load": `null`, "queues": `[{"ID":"B","Length":1}]`, "holds": `{"by":"A","epoch":1}`,
	"permit":  `{ATTEMPT,"representative":"B","hosts":["B"]}`,
	"outcome": `{ATTEMPT,"representative":"B","hosts":["B"],"statuses":[{"code":0}]}`,
	"unfit":   `{ATTEMPT,"why":"x"}`, "gone": `{ATTEMPT}`,
	"rank":    `{ATTEMPT,"rank":{"isolation":"x","outputs":[{"path":"o","sha256":"` + digest + `","size":1,"mode":384}]}}`,
	"deposit": `{ATTEMPT,"rank":0,"host":"B","files":[{"path":"o","sha256":"` + digest + `","size":1,"mode":384}]}`,
	"do":      `{"job":` + firstJob + `,"id":"x","do":"cancel"}`, "loss": `{"job":` + firstJob + `,"lost":1}`,
	"keep": record(func(*jobs.Record) {}), "farewell": `{"sole":true}`, "find": `"a"`,
	"elements": `{"job":` + firstJob + `,"after":-1}`, "printed": `[{"by":"A","epoch":1}]`, "list": `{"whole":true}`,
	"cancel": `1`, "ended": `{"entry":"A","number":1}`, "lost": `{"entry":"A","number":1,"why":"x"}`,
	"output": `{"by":"A","epoch":1,"stream":"stdout"}`, "halt": `{"by":"A","epoch":1}`,
	"blob": `{"digest":"` + digest + `","offset":0}`, "content": `{"by":"A","epoch":1,"path":"o","offset":0}`,
	"forget": `{"by":"A","epoch":1}`, "erase": firstJob, "catchup": `[` + firstJob + `]`,
	"regrid": `1`, "life": `0`, "awaits": firstJob, "events": `{"after":0}`, "drain": `{"off":true}`, "report": `null`,
	"takes": firstJob, "departed": `null`, "examine": firstJob,
}

// Each call has a seed, and none of them ends a daemon.
func TestCallsOfAMember(t *testing.T) {
	require.Equal(t, rpc.Names(), slices.Sorted(maps.Keys(bodies)), "each call of the table has a seed")
	require.Empty(t, attack(t, nil).Unanswered(), "and a handler")
	for _, frames := range seeds() {
		assert.Equal(t, frames, split(joined(frames...)))
		for _, f := range frames {
			var call struct{ Method string }
			if f.kind == callFrame && json.Unmarshal(f.payload, &call) == nil {
				t.Run(call.Method, func(t *testing.T) { attack(t, frames) })
			}
		}
	}
}

// FuzzDeliver sends frames of a hostile member to a whole daemon: see attack for the properties.
// That a frame is answered within some time by a clock is not demanded: a busy machine breaks that.
func FuzzDeliver(f *testing.F) {
	for _, frames := range seeds() {
		f.Add(joined(frames...))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if all := split(bytes.Clone(text)); len(all) > 0 {
			attack(t, all)
		}
	})
}
