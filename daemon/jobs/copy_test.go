package jobs_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/verbatim"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

// copyOf is the copy that another custodian receives.
func copyOf(t require.TestingT, r *jobs.Record) *jobs.Record {
	c, err := jobs.Decode(r.Encode())
	require.NoError(t, err)
	return c
}

// Copies arrive in any order, late and twice: the newest one stays, and indexes agree with it.
func TestTheNewestCopyStays(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		from, s := table(t, folder)
		defer s.Close()
		array := take(t, from, jobs.Spec{Command: []string{"true"}, Array: jobs.Indexes([]int{1}, 0)}, "")
		r := from.Spawn(array, 1)
		copies := []*jobs.Record{copyOf(t, array), copyOf(t, r)}
		for epoch := range uint32(rapid.IntRange(1, 4).Draw(t, "attempts")) {
			from.Lead(r, epoch+1)
			permit(from, r, epoch+1)
			copies = append(copies, copyOf(t, r))
			from.Follow(r, custody.Record{Try: epoch + 2})
			copies = append(copies, copyOf(t, r))
		}
		if rapid.Bool().Draw(t, "ends") {
			end(from, r, custody.Cancelled)
			copies = append(copies, copyOf(t, r))
		}
		to, err := jobs.NewTable(s, clock)
		require.NoError(t, err)
		for _, c := range rapid.Permutation(append(copies, copyOf(t, r))).Draw(t, "order") {
			to.Adopt(copyOf(t, c))
		}
		got := to.Get(r.ID)
		require.Equal(t, r, got)
		require.Equal(t, !r.State.Final(), len(to.Live()) == 2)
		require.Equal(t, r.State.Final(), to.Settle(to.Get(array.ID)), "live elements of the array are counted")
	})
}

// The view that a user of another custodian gets is not stored.
func TestAPreviewChangesNoTable(t *testing.T) {
	tab, s := table(t, t.TempDir())
	defer s.Close()
	r := take(t, tab, spec("true"), "")
	tab.Puts()
	seen := copyOf(t, r)
	runs := custody.Record{Try: 1, Attempt: custody.Attempt{By: owner, Epoch: 1}, Hosts: []protocol.NodeID{here}}
	tab.Preview(seen, runs)
	assert.Equal(t, jobs.Running, seen.State)
	assert.Equal(t, jobs.Accepted, r.State)
	assert.Empty(t, tab.Puts())
}

func TestAJobThatWasNotAcceptedGetsOtherCustodians(t *testing.T) {
	tab, s := table(t, t.TempDir())
	defer s.Close()
	r := take(t, tab, spec("true"), "")
	old := r.Custody
	tab.Rename(r, jobs.Name{By: here, Number: old.Number + 1}, []protocol.Address{here.Address})
	assert.Nil(t, tab.Named(old))
	assert.Same(t, r, tab.Named(r.Custody))
	assert.True(t, r.Custody.Replaces(old))
	assert.False(t, old.Replaces(r.Custody), "a message that is late")
}

// A record stays small enough for a frame, for any reports of hosts.
func TestARecordFitsIntoAFrame(t *testing.T) {
	tab, s := table(t, t.TempDir())
	defer s.Close()
	r := take(t, tab, spec("true"), "")
	many := jobs.Rank{Isolation: "cgroup", Stderr: strings.Repeat("x", 1<<10)}
	for range 1000 {
		f := jobs.File{Path: verbatim.Text(strings.Repeat("y", 64)), Digest: strings.Repeat("0", 64)}
		many.Outputs = append(many.Outputs, f)
	}
	for epoch := uint32(1); epoch < 4; epoch++ {
		permit(tab, r, epoch)
		for rank := range 2 {
			tab.Tell(r, owner, epoch, rank, many)
			require.LessOrEqual(t, len(r.Encode()), jobs.RecordLimit)
		}
		tab.Follow(r, custody.Record{Try: epoch + 1})
	}
	assert.Equal(t, "cgroup", r.Attempts[0].Ranks[0].Isolation)
	assert.Empty(t, r.Attempts[0].Ranks[0].Outputs)
	for rank, told := range r.Attempts[2].Ranks {
		assert.Equal(t, len(many.Outputs), len(told.Outputs)+len(told.Unkept)+told.UnkeptMore, "all are kept or named")
		assert.Equal(t, rank == 0, told.Problem == "", "the first rank has all, the second one what has room")
		assert.NotEmpty(t, told.Outputs)
	}
}

// A record of another daemon keeps every rule of jobs that users submit, since its contents are
// looked up, laid into folders, counted and shown.
func TestARecordOfAMemberIsChecked(t *testing.T) {
	tab, s := table(t, t.TempDir())
	defer s.Close()
	digest := strings.Repeat("0", 64)
	made := func(change func(r *jobs.Record)) []byte {
		sp := jobs.Spec{
			Command: []string{"true"}, Tasks: 2, Outputs: []string{"o"},
			Inputs: []jobs.File{{Path: "in", Digest: digest, Mode: 0o600}},
		}
		r := take(t, tab, sp, "")
		permit(tab, r, 1)
		tab.Tell(r, owner, 1, 0, jobs.Rank{Outputs: []jobs.File{{Path: "o", Digest: digest}, {Path: "l", Link: "o"}}})
		copied := copyOf(t, r)
		change(copied)
		return copied.Encode()
	}
	array := func(of jobs.Range) func(r *jobs.Record) {
		return func(r *jobs.Record) { r.Spec.Array = &jobs.Array{Ranges: []jobs.Range{of}} }
	}
	for name, change := range map[string]func(r *jobs.Record){
		"digest that is short":      func(r *jobs.Record) { r.Spec.Inputs[0].Digest = "0" },
		"digest that is empty":      func(r *jobs.Record) { r.Spec.Inputs[0].Digest = "" },
		"digest with a path":        func(r *jobs.Record) { r.Spec.Inputs[0].Digest = "../../authority.key" },
		"digest in capitals":        func(r *jobs.Record) { r.Spec.Inputs[0].Digest = strings.Repeat("A", 64) },
		"input outside":             func(r *jobs.Record) { r.Spec.Inputs[0].Path = "../in" },
		"input by an absolute":      func(r *jobs.Record) { r.Spec.Inputs[0].Path = "/etc/passwd" },
		"mode of a device":          func(r *jobs.Record) { r.Spec.Inputs[0].Mode = 1 << 26 },
		"set-uid":                   func(r *jobs.Record) { r.Spec.Inputs[0].Mode = 1<<23 | 0o755 },
		"negative size":             func(r *jobs.Record) { r.Spec.Inputs[0].Size = -1 },
		"stdin that is no digest":   func(r *jobs.Record) { r.Spec.Tasks, r.Spec.Stdin = 1, "x" },
		"pattern outside":           func(r *jobs.Record) { r.Spec.Outputs = []string{"../*"} },
		"invalid pattern":           func(r *jobs.Record) { r.Spec.Outputs = []string{"["} },
		"too many tasks":            func(r *jobs.Record) { r.Spec.Tasks = 1 << 30 },
		"array backwards":           array(jobs.Range{First: 5, Last: 1}),
		"array without indexes":     func(r *jobs.Record) { r.Spec.Array = &jobs.Array{} },
		"array without end":         array(jobs.Range{Last: 1 << 40}),
		"element of nothing":        func(r *jobs.Record) { r.Parent = "a" },
		"element elsewhere":         func(r *jobs.Record) { r.Parent, r.Index, r.Spec.Index = "a", 3, new(int) },
		"index of no element":       func(r *jobs.Record) { r.Spec.Index = new(int) },
		"variable of the grid":      func(r *jobs.Record) { r.Spec.Env = []string{"CANVASS_TREE=x"} },
		"byte 0":                    func(r *jobs.Record) { r.Spec.Command = []string{"a\x00"} },
		"key that is long":          func(r *jobs.Record) { r.Key = strings.Repeat("k", jobs.KeyLimit+1) },
		"id that is long":           func(r *jobs.Record) { r.ID = strings.Repeat("i", 1000) },
		"custodian twice":           func(r *jobs.Record) { r.Custodians = jobs.Custodians{1, 1} },
		"many custodians":           func(r *jobs.Record) { r.Custodians = jobs.Custodians{1, 2, 3, 4} },
		"unknown state":             func(r *jobs.Record) { r.State = "done" },
		"requested state not final": func(r *jobs.Record) { r.Requested = jobs.Running },
		"output without digest":     func(r *jobs.Record) { r.Attempts[0].Ranks[0].Outputs[0].Digest = "" },
		"output outside":            func(r *jobs.Record) { r.Attempts[0].Ranks[0].Outputs[0].Path = "../../x" },
		"link with a digest":        func(r *jobs.Record) { r.Attempts[0].Ranks[0].Outputs[1].Digest = digest },
		"long last lines":           func(r *jobs.Record) { r.Attempts[0].Ranks[0].Stderr = strings.Repeat("x", 1<<16) },
		"more ranks than hosts":     func(r *jobs.Record) { r.Attempts[0].Ranks = make([]jobs.Rank, 3) },
		"request for many hosts":    func(r *jobs.Record) { r.Asked = &jobs.Attempt{Hosts: make([]protocol.NodeID, 5000)} },
	} {
		t.Run(name, func(t *testing.T) {
			_, err := jobs.Decode(made(change))
			require.ErrorIs(t, err, jobs.ErrRecord)
		})
	}
	_, err := jobs.Decode(made(func(*jobs.Record) {}))
	require.NoError(t, err)
}

// A member that repeats records under new names fills no memory, and takes no name of another job.
func TestAdoptingIsLimited(t *testing.T) {
	tab, s := table(t, t.TempDir())
	defer s.Close()
	tab.Most = 3
	r := take(t, tab, spec("true"), "")
	adopt := func(id string, number uint32) error {
		c := copyOf(t, r)
		c.ID, c.Custody, c.Stamp.Number = id, jobs.Name{By: owner, Number: number}, c.Stamp.Number+number
		_, _, err := tab.Adopt(c)
		return err
	}
	require.NoError(t, adopt("a", 1))
	require.NoError(t, adopt("b", 2))
	require.ErrorIs(t, adopt("c", 3), jobs.ErrBusy)
	require.NoError(t, adopt("b", 2), "a copy that is there")
	require.ErrorIs(t, adopt("other", 2), jobs.ErrRecord)
	require.Len(t, tab.Everything(), 3)
}

func FuzzDecode(f *testing.F) {
	tab, s := table(f, f.TempDir())
	defer s.Close()
	r := take(f, tab, spec("true"), "key")
	permit(tab, r, 1)
	f.Add(r.Encode())
	f.Add([]byte(`{"version":2}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := jobs.Decode(text)
		if err != nil {
			require.ErrorIs(t, err, jobs.ErrRecord)
			return
		}
		again, err := jobs.Decode(r.Encode())
		require.NoError(t, err)
		require.Equal(t, r.Encode(), again.Encode())
		r.ExitCode()
		r.Again()
		r.Contents()
		r.Summary()
		tab.Preview(r.Clone(), custody.Record{Try: 1})
		if to, err := jobs.NewTable(s, clock); err == nil {
			to.Adopt(r)
			if r.Spec.Array != nil {
				to.Spawn(r, 1)
				to.FailedIndexes(r)
			}
			to.Kin(r)
		}
	})
}
