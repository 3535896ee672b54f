package node_test

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/node"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
)

func TestFramesOfCores(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		core := driver.CoreID{
			Kind: rapid.Uint8().Draw(t, "kind"),
			By: protocol.NodeID{
				Address:     protocol.Address(rapid.Uint32().Draw(t, "address")),
				Incarnation: rapid.Uint16().Draw(t, "incarnation"),
			},
			Epoch: rapid.Uint32().Draw(t, "epoch"),
		}
		message := rapid.SliceOf(rapid.Byte()).Draw(t, "message")
		got, rest, err := node.ReadCore(node.AppendCore(core, message))
		require.NoError(t, err)
		assert.Equal(t, core, got)
		assert.Equal(t, len(message), len(rest))
	})
}

func TestFramesOfCustodians(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		by := protocol.NodeID{Address: 3, Incarnation: 1}
		core := driver.CoreID{Kind: 4, By: by, Epoch: rapid.Uint32().Draw(t, "number")}
		message := rapid.SliceOf(rapid.Byte()).Draw(t, "message")
		text := rapid.SliceOf(rapid.Byte()).Draw(t, "text")
		gotCore, gotMessage, gotText, err := node.ReadJob(node.AppendJob(core, message, text))
		require.NoError(t, err)
		assert.Equal(t, core, gotCore)
		assert.Equal(t, string(message), string(gotMessage))
		assert.Equal(t, string(text), string(gotText))
	})
}

func FuzzReadJob(f *testing.F) {
	f.Add(node.AppendJob(driver.CoreID{Kind: 4}, []byte("message"), []byte("{}")))
	f.Fuzz(func(t *testing.T, frame []byte) {
		core, message, text, err := node.ReadJob(frame)
		if err == nil && string(node.AppendJob(core, message, text)) != string(frame) {
			t.Errorf("%x is read, but is not written so", frame)
		}
	})
}

func FuzzReadCore(f *testing.F) {
	f.Add(node.AppendCore(driver.CoreID{Kind: 1}, []byte("message")))
	f.Add([]byte{2, 0x80})
	f.Fuzz(func(t *testing.T, frame []byte) {
		core, message, err := node.ReadCore(frame)
		if err == nil && string(node.AppendCore(core, message)) != string(frame) {
			t.Errorf("%x is read, but is not written so", frame)
		}
	})
}

// Custodians decide nothing before their node has a lease.
func TestNothingIsDecidedWithoutALease(t *testing.T) {
	assert.False(t, node.DecidesWithoutLease())
}

// A custodian may still have a job under a name that the daemon which takes it has given up. Its
// answers about that name are late.
func TestALateNameReplacesNone(t *testing.T) {
	self, other := protocol.NodeID{Address: 1, Incarnation: 1}, protocol.NodeID{Address: 2, Incarnation: 1}
	store, err := disk.Open(t.TempDir())
	require.NoError(t, err)
	defer store.Close()
	table, err := jobs.NewTable(store, time.Now)
	require.NoError(t, err)
	r := &jobs.Record{
		ID: jobs.NewID(), Spec: jobs.Spec{Command: []string{"true"}, Tasks: 1}, Custody: jobs.Name{By: self, Number: 1},
		Custodians: []protocol.Address{self.Address, other.Address, 3},
	}
	require.NoError(t, table.Take(r))
	first := r.Encode()
	table.Rename(r, jobs.Name{By: self, Number: 2}, []protocol.Address{self.Address, other.Address})
	assert.True(t, node.KnowsLaterName(self, table, other, first))
	assert.Same(t, r, table.Get(r.ID))
}

// Each two of seven nodes keep about as many jobs as any other two.
func TestCustodiansAreSpread(t *testing.T) {
	const jobs, pairs = 21_000, 21
	pair := map[[2]protocol.Address]int{}
	for i := range jobs {
		id := strconv.FormatInt(int64(i)*1_000_003, 36)
		nodes := []protocol.Address{1, 2, 3, 4, 5, 6, 7}
		slices.SortFunc(nodes, func(a, b protocol.Address) int { return cmp.Compare(node.Rank(id, b), node.Rank(id, a)) })
		pair[[2]protocol.Address{min(nodes[0], nodes[1]), max(nodes[0], nodes[1])}]++
	}
	require.Len(t, pair, pairs)
	for nodes, n := range pair {
		assert.InDelta(t, jobs/pairs, n, 200, "%v", nodes)
	}
}

// The freshest copy of a job that custodians send is listed, in any order in which they
// come: a copy with an end, then the later stamp, then that of the custodian which decides.
func TestTheFreshestCopyOfAJobIsListed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type copied struct {
			r     *jobs.Record
			leads bool
		}
		one := rapid.Custom(func(t *rapid.T) copied {
			return copied{&jobs.Record{
				ID:    rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "id"),
				State: rapid.SampledFrom(jobs.States).Draw(t, "state"),
				Stamp: jobs.Stamp{View: rapid.Uint32Range(1, 2).Draw(t, "view"), Number: rapid.Uint32Range(1, 3).Draw(t, "number")},
			}, rapid.Bool().Draw(t, "leads")}
		})
		all := rapid.SliceOfN(one, 1, 12).Draw(t, "copies")
		var records []*jobs.Record
		var leads []bool
		rank := func(c copied) [4]uint32 {
			flags := [2]uint32{}
			for i, is := range []bool{c.r.State.Final(), c.leads} {
				if is {
					flags[i] = 1
				}
			}
			return [4]uint32{flags[0], c.r.Stamp.View, c.r.Stamp.Number, flags[1]}
		}
		want := map[string][4]uint32{}
		ranks := map[*jobs.Record][4]uint32{}
		for _, c := range all {
			this := rank(c)
			records, leads, ranks[c.r] = append(records, c.r), append(leads, c.leads), this
			if best, known := want[c.r.ID]; !known || slices.Compare(this[:], best[:]) > 0 {
				want[c.r.ID] = this
			}
		}
		got := map[string][4]uint32{}
		for id, r := range node.Merge(records, leads) {
			got[id] = ranks[r]
		}
		require.Equal(t, want, got)
	})
}

// Commands that wait for a daemon end with the line with which it ends, and wait for it to come
// back.
func TestUsersLearnWhyADaemonHasEnded(t *testing.T) {
	err := node.Ending(node.Expired(0, 1, 2), false)
	require.ErrorIs(t, err, api.ErrStopped)
	assert.EqualError(t, err, "the daemon of node C has ended: this incarnation is over: node C: it could not renew "+
		"its lease with a majority of the witnesses A, B, C in time; "+life.FencedNext)
	err = node.Ending(nil, true)
	require.ErrorIs(t, err, api.ErrStopped)
	require.ErrorContains(t, err, "node C has left the grid")
	require.ErrorIs(t, node.Ending(nil, false), api.ErrStopped)
	require.NotErrorIs(t, node.Ending(disk.ErrStorage, false), api.ErrStopped)
}

// A silent daemon may have another job whose id begins like that of a removed job.
func TestAShortenedIDIsOfARemovedJobOnlyIfNobodyIsSilent(t *testing.T) {
	silent := protocol.NodeID{Address: 2, Incarnation: 1}
	err := node.NotFound("b4", "b4zz", silent)
	require.ErrorIs(t, err, jobs.ErrOutOfReach)
	require.ErrorContains(t, err, `"b4", and C`)
	err = node.NotFound("b4", "b4zz")
	require.ErrorIs(t, err, jobs.ErrUnknown)
	require.ErrorContains(t, err, "b4zz, which begins with that, has been removed")
	for _, id := range []string{"b4zz", "b4zz[1]"} {
		err = node.NotFound(id, "b4zz", silent)
		require.ErrorIs(t, err, jobs.ErrUnknown)
		require.ErrorContains(t, err, id+" has been removed")
	}
	require.NoError(t, node.NotFound("b4", ""))
}

// The job of an attempt whose tasks the grid has ended runs again, unless a task had failed.
func TestAnAttemptThatTheGridEndsHasNotFailed(t *testing.T) {
	ok, failed, ended := jobs.Status{}, jobs.Status{Code: 3}, jobs.Status{Signal: 9, Halted: true}
	assert.True(t, node.Halted([]jobs.Status{ended}))
	assert.True(t, node.Halted([]jobs.Status{ok, ended}))
	assert.False(t, node.Halted([]jobs.Status{failed, ended}))
	assert.False(t, node.Halted([]jobs.Status{ok, ok}))
}

// An owner knows where an open job came from, however many it has taken since.
func TestClientsOfOpenJobsAreKept(t *testing.T) {
	open := []peer.Client{{Number: 44}}
	clients := map[uint32]peer.Client{}
	most := 0
	for number := range uint32(30_000) {
		clients[number] = peer.Client{Number: number}
		node.ForgetClients(clients, open, number)
		most = max(most, len(clients))
	}
	assert.Contains(t, clients, uint32(44))
	assert.NotContains(t, clients, uint32(45))
	assert.Contains(t, clients, uint32(29_000), "hosts may still ask")
	assert.Less(t, most, 10_000)
}

func TestConfigurationsAreKeptAndChecked(t *testing.T) {
	folder := t.TempDir()
	_, err := config.Load(folder)
	require.ErrorIs(t, err, config.ErrConfig)
	c := config.Config{Listen: "127.0.0.1:0", CPUs: 2, MemoryGiB: 8, Grid: config.DefaultGrid(0, 1)}
	require.NoError(t, c.Save(folder))
	got, err := config.Load(folder)
	require.NoError(t, err)
	assert.Equal(t, c, got)
	for name, change := range map[string]func(*config.Config){
		"wire":     func(c *config.Config) { c.Grid.Wire++ },
		"cpus":     func(c *config.Config) { c.CPUs = 0 },
		"memory":   func(c *config.Config) { c.MemoryGiB = -1 },
		"clusters": func(c *config.Config) { c.Grid.ClusterSize = 0 },
		"leases":   func(c *config.Config) { c.Grid.Witnesses = c.Grid.Witnesses[:0] },
	} {
		broken := c
		change(&broken)
		require.NoError(t, broken.Save(folder))
		_, err := config.Load(folder)
		assert.Error(t, err, name)
	}
}

func TestGridsThatDifferHaveOtherHashes(t *testing.T) {
	a, b := config.DefaultGrid(0, 3), config.DefaultGrid(0, 3)
	assert.Equal(t, a.Hash(), b.Hash())
	b.DiameterMicros++
	assert.NotEqual(t, a.Hash(), b.Hash())
}

func TestEachChoiceIsDrawn(t *testing.T) {
	drawn := map[uint32]int{}
	for range 6000 {
		drawn[node.Between(3, 8)]++
	}
	for choice := uint32(3); choice <= 8; choice++ {
		assert.InDelta(t, 1000, drawn[choice], 300) // more than nine standard deviations
	}
	assert.Len(t, drawn, 6)
	assert.Equal(t, uint32(1<<32-1), node.Between(1<<32-1, 1<<32-1))
	node.Between(0, 1<<32-1)
}

// FuzzGrid reads the configuration of a grid, as a joining node receives it: an accepted
// configuration is bounded, and the cores can be made with it.
func FuzzGrid(f *testing.F) {
	text, err := json.Marshal(config.DefaultGrid(0, 3))
	require.NoError(f, err)
	f.Add(text)
	f.Add([]byte(`{"wire":4,"cluster_size":-1,"memberships":1000000000,"witnesses":[4294967295]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		g, err := config.ParseGrid(text)
		if err != nil {
			require.ErrorIs(t, err, config.ErrConfig)
			return
		}
		require.LessOrEqual(t, len(g.Witnesses), 5)
		_, err = g.Peer()
		require.NoError(t, err)
		g.Hash()
	})
}

// FuzzConfig reads the configuration of a daemon from its folder.
func FuzzConfig(f *testing.F) {
	folder := f.TempDir()
	c := config.Config{Listen: "h:1", Advertise: "h:1", CPUs: 1, Grid: config.DefaultGrid(0, 1)}
	require.NoError(f, c.Save(folder))
	text, err := os.ReadFile(filepath.Join(folder, "config.json"))
	require.NoError(f, err)
	f.Add(text)
	f.Add([]byte(`{"cpus":1e99,"contacts":[{}],"grid":{"wire":4}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, "config.json"), text, 0o600))
		c, err := config.Load(folder)
		if err != nil {
			require.ErrorIs(t, err, config.ErrConfig)
			return
		}
		require.NoError(t, c.Save(folder))
		again, err := config.Load(folder)
		require.NoError(t, err)
		require.Equal(t, c.Grid.Hash(), again.Grid.Hash())
	})
}
