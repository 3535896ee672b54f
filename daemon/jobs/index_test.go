package jobs_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol/custody"
)

// committed is a store in memory.
type committed map[string][]byte

func (c committed) Each(_ string, _ []byte, f func(key, value []byte) error) error {
	for _, key := range slices.Sorted(maps.Keys(c)) {
		if err := f([]byte(key), c[key]); err != nil {
			return err
		}
	}
	return nil
}

func (c committed) commit(puts []disk.Put) {
	for _, p := range puts {
		if c[string(p.Key)] = p.Value; p.Value == nil {
			delete(c, string(p.Key))
		}
	}
}

// Two daemons took a job under one key each, and this one keeps both. One of them is removed: the
// key still names the other.
func TestAKeyNamesTheJobThatIsLeft(t *testing.T) {
	for _, gone := range []int{0, 1} {
		t.Run(fmt.Sprintf("remove %d", gone), func(t *testing.T) {
			tab, _ := table(t, t.TempDir())
			var both []*jobs.Record
			for i := range 2 {
				r, _, _ := tab.Adopt(&jobs.Record{
					Version: jobs.Version, ID: jobs.NewID(), Key: "tuesday", Spec: spec("true"), State: jobs.Accepted,
					Custody: jobs.Name{By: owner, Number: uint32(i + 1)}, Custodians: jobs.Custodians{1, 2},
					Changes: []jobs.Change{{At: now.Add(time.Duration(i)), State: jobs.Accepted}},
				})
				both = append(both, r)
			}
			known, err := tab.Known(spec("true"), "tuesday")
			require.NoError(t, err)
			require.Same(t, both[0], known, "the oldest one")
			tab.Remove(both[gone])
			known, err = tab.Known(spec("true"), "tuesday")
			require.NoError(t, err)
			require.Same(t, both[1-gone], known)
			tab.Remove(both[1-gone])
			known, err = tab.Known(spec("true"), "tuesday")
			require.NoError(t, err)
			require.Nil(t, known)
		})
	}
}

// tables is a table under drawn changes, with all the names that it has had.
type tables struct {
	*jobs.Table
	disk  committed
	names map[jobs.Name]bool
	ids   map[string]bool
	next  uint32
}

func (s *tables) fresh() jobs.Name {
	s.next += 10
	return jobs.Name{By: here, Number: s.next}
}

// any draws one of the jobs, or nil.
func (s *tables) any(t *rapid.T) *jobs.Record {
	all := s.Everything()
	if len(all) == 0 {
		return nil
	}
	return rapid.SampledFrom(all).Draw(t, "job")
}

// After any history a table answers like a table that is rebuilt from the disk.
func TestTheIndexesAreThoseOfATableReadAnew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := now
		tick := func() time.Time { now = now.Add(time.Second); return now }
		s := &tables{disk: committed{}, names: map[jobs.Name]bool{}, ids: map[string]bool{}}
		var err error
		s.Table, err = jobs.NewTable(s.disk, tick)
		require.NoError(t, err)
		t.Repeat(map[string]func(*rapid.T){
			"take": func(t *rapid.T) {
				made := spec("true")
				if rapid.Bool().Draw(t, "array") {
					made.Array = &jobs.Array{Ranges: []jobs.Range{{Last: 2}}}
				}
				key := rapid.SampledFrom([]string{"", "monday", "tuesday"}).Draw(t, "key")
				require.NoError(t, s.Take(&jobs.Record{
					ID: fmt.Sprintf("j%03d", s.next), Key: key, Spec: made, Custody: s.fresh(),
					Custodians: jobs.Custodians{here.Address},
				}))
			},
			"spawn": func(t *rapid.T) {
				if r := s.any(t); r != nil && r.Spec.Array != nil {
					s.Spawn(r, 2)
				}
			},
			"rename": func(t *rapid.T) {
				if r := s.any(t); r != nil {
					s.Rename(r, s.fresh(), jobs.Custodians{here.Address, 7})
				}
			},
			"adopt": func(t *rapid.T) {
				r := s.any(t)
				if r == nil {
					return
				}
				copied := r.Clone()
				copied.Stamp.View += rapid.Uint32Range(0, 1).Draw(t, "view")
				copied.Stamp.Number += rapid.Uint32Range(0, 1).Draw(t, "number")
				copied.State = rapid.SampledFrom([]jobs.State{jobs.Accepted, jobs.Succeeded}).Draw(t, "state")
				if rapid.Bool().Draw(t, "another name") {
					copied.Custody = s.fresh()
				}
				s.Adopt(copied)
			},
			"cancel": func(t *rapid.T) {
				if r := s.any(t); r != nil && r.Spec.Array == nil && !r.State.Final() {
					s.Follow(r, custody.Record{Try: 1, End: custody.Cancelled})
				}
			},
			"remove": func(t *rapid.T) {
				if r := s.any(t); r != nil {
					for _, x := range s.Kin(r) {
						s.Remove(x)
					}
				}
			},
			"": func(t *rapid.T) { s.compare(t) },
		})
	})
}

// compare checks the table against a table that is rebuilt from the disk.
func (s *tables) compare(t *rapid.T) {
	s.disk.commit(s.Puts())
	anew, err := jobs.NewTable(s.disk, time.Now)
	require.NoError(t, err)
	for _, r := range s.Everything() {
		s.names[r.Custody], s.ids[r.ID] = true, true
	}
	encoded := func(r *jobs.Record) string {
		if r == nil {
			return ""
		}
		return string(r.Encode())
	}
	lists := func(tab *jobs.Table) (all []string) {
		for _, list := range [][]*jobs.Record{slices.Collect(tab.After("")), tab.Everything(), tab.Live()} {
			for _, r := range list {
				all = append(all, encoded(r))
			}
			all = append(all, "")
		}
		return all
	}
	require.Equal(t, lists(anew), lists(s.Table))
	for _, key := range []string{"", "monday", "tuesday"} {
		want, _ := anew.Known(spec("true"), key)
		got, _ := s.Known(spec("true"), key)
		require.Equal(t, encoded(want), encoded(got), "key %q", key)
	}
	for name := range s.names {
		require.Equal(t, encoded(anew.Named(name)), encoded(s.Named(name)), "name %v", name)
	}
	for id := range s.ids {
		require.Equal(t, encoded(anew.Get(id)), encoded(s.Get(id)), "id %s", id)
		if r := s.Get(id); r != nil {
			require.Equal(t, anew.Count(anew.Get(id)), s.Count(r))
			require.Len(t, s.Elements(r), len(anew.Elements(anew.Get(id))))
			if r.Spec.Array != nil {
				require.Equal(t, anew.FailedIndexes(anew.Get(id)), s.FailedIndexes(r))
			}
		}
	}
}
