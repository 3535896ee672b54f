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

// copyOf is what another custodian receives.
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
		require.Equal(t, r.State.Final(), to.Settle(to.Get(array.ID)), "what lives of the array is counted")
	})
}

// What a user of another custodian sees is not kept.
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
	tab.Rename(r, jobs.Name{By: here, Number: 9000}, []protocol.Address{here.Address})
	assert.Nil(t, tab.Named(old))
	assert.Same(t, r, tab.Named(r.Custody))
	assert.True(t, r.Custody.Replaces(old))
	assert.False(t, old.Replaces(r.Custody), "a message that is late")
}

// A record stays small enough for a frame, whatever hosts tell of their tasks.
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
	})
}
