package daemon

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/blobs"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/host"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/node"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/sim"
)

// visit is a grid of simulated daemons with a user, whose goroutine shares their virtual time. The
// output of tasks is in real folders.
type visit struct {
	*testing.T
	run     *run
	folders []string
	ready   []*node.Stepped // lives that users can ask
	grids   []api.Grid      // and how
	over    bool            // the user has gone
	lock    sync.Mutex
	does    []func() // actions of the user on machines
}

// tick is how often daemons look for requests.
const tick = time.Millisecond

// visits has a user visit a grid once all of its daemons are members.
func visits(t *testing.T, nodes int, do func(v *visit)) {
	t.Helper()
	var folders []string
	for range nodes {
		folders = append(folders, t.TempDir())
	}
	synctest.Test(t, func(t *testing.T) {
		p := called("daemon/jobs").Draw(0)
		p.Nodes, p.UntilMicros, p.SettleMicros = nodes, 120*second, 60*second
		p.Latency, p.Delay, p.Ops = "constant 200", 0, nil
		r, err := newRun(p, sim.RunOptions{}, false)
		require.NoError(t, err)
		v := &visit{T: t, run: r, folders: folders, ready: make([]*node.Stepped, nodes), grids: make([]api.Grid, nodes)}
		r.world.starts = v.starts
		r.At(1000, v.tick)
		r.At(4*second, func() {
			go func() {
				defer func() { v.over = true }()
				do(v)
			}()
		})
		result, err := r.finish()
		require.NoError(t, err)
		assert.Equal(t, sim.Holds, result.Verdict, "%s %s", result.Property, result.Where)
		assert.True(t, v.over, "the user has got no answer")
	})
}

// tick lets the time of goroutines pass, and lets the daemons run.
func (v *visit) tick() {
	time.Sleep(tick)
	synctest.Wait()
	v.lock.Lock()
	does := v.does
	v.does = nil
	v.lock.Unlock()
	for _, do := range does {
		do()
	}
	for i, m := range v.run.world.machines {
		life := m.node
		if life == nil {
			continue
		}
		if v.ready[i] != life {
			v.ready[i], v.grids[i] = life, life.Users(v.folders[i])
		}
		if life.Asked() && m.paused <= v.run.Now() {
			m.inbox = append(m.inbox, life.Serve)
			v.run.world.wake(m)
		}
	}
	pace := tick
	if v.over {
		pace = time.Second // copies arrive
	}
	v.run.At(v.run.Now()+pace.Microseconds(), v.tick)
}

// at is the interface of a daemon for users.
func (v *visit) at(i int) api.Grid { return v.grids[i] }

// now does something to the machines, and waits until it is done.
func (v *visit) now(do func()) {
	v.lock.Lock()
	v.does = append(v.does, do)
	v.lock.Unlock()
	time.Sleep(2 * tick)
}

// crash is kill -9 of a daemon, for a time.
func (v *visit) crash(i int, d time.Duration) {
	v.now(func() {
		m := v.run.world.machines[i]
		m.crash()
		v.run.Crash(i)
		m.why = "crash"
		v.run.At(v.run.Now()+d.Microseconds(), func() { v.run.world.start(m) })
	})
}

// life names the incarnation of a daemon.
func (v *visit) life(i int) protocol.NodeID { return v.ready[i].Self() }

// starts prints a line.
func (v *visit) starts(m *machine, t host.Task) {
	folder := filepath.Join(v.folders[m.address], disk.Outputs)
	require.NoError(v, os.MkdirAll(folder, 0o700))
	for stream, text := range map[string]string{"stdout": line(t.Rank, t.ID), "stderr": ""} {
		require.NoError(v, os.WriteFile(filepath.Join(folder, t.Attempt+"."+stream), []byte(text), 0o600))
	}
}

// line is the output of a task.
func line(rank int, job string) string { return fmt.Sprintf("rank %d of %s\n", rank, job) }

// spec is a job with a number of tasks that run for a time.
func spec(tasks int, d time.Duration, code int) jobs.Spec {
	return jobs.Spec{Tasks: tasks, Command: command(d.Microseconds(), code)}
}

// submits hands a job in at a daemon.
func (v *visit) submits(i int, s jobs.Spec, key string) *jobs.Record {
	v.Helper()
	ctx, stop := context.WithTimeout(v.Context(), 20*time.Second)
	defer stop()
	r, err := v.at(i).Submit(ctx, api.Submission{Spec: s, Key: key})
	require.NoError(v, err)
	return r
}

// ids are those of a list of jobs.
func ids(all ...*jobs.Record) (ids []string) {
	for _, r := range all {
		ids = append(ids, r.ID)
	}
	return ids
}

// A user receives the same answer about each job from any daemon.
func TestEachDaemonAnswersForAll(t *testing.T) {
	visits(t, 5, func(v *visit) {
		ctx := context.Background()
		good := v.submits(3, spec(2, time.Second, 0), "good")
		bad := v.submits(4, spec(1, time.Second, 7), "")
		held := spec(1, time.Second, 0)
		held.Hold = true
		waits := v.submits(0, held, "held")
		for i := range 5 {
			u := v.at(i)
			r, err := u.Wait(ctx, good.ID)
			require.NoError(t, err)
			assert.Equal(t, jobs.Succeeded, r.State, "at node %d", i)
			r, err = u.Wait(ctx, bad.ID[:6])
			require.NoError(t, err)
			assert.Equal(t, []any{jobs.Failed, 7}, []any{r.State, r.ExitCode()}, "at node %d", i)
			for _, q := range []struct {
				query api.ListQuery
				want  []string
			}{
				{api.ListQuery{}, ids(good, bad, waits)},
				{api.ListQuery{Key: "held"}, ids(waits)},
				{api.ListQuery{Since: bad.Changes[0].At}, ids(bad, waits)},
				{api.ListQuery{User: "nobody"}, nil},
			} {
				list, err := u.Jobs(ctx, q.query)
				require.NoError(t, err)
				assert.Equal(t, q.want, ids(list.Jobs...), "%+v at node %d", q.query, i)
				assert.Empty(t, list.Silent)
			}
			own, err := u.Jobs(ctx, api.ListQuery{Only: true, Whole: true})
			require.NoError(t, err)
			for _, r := range own.Jobs {
				assert.Contains(t, r.Custodians, protocol.Address(i), "a daemon lists its own copies")
				assert.NotEmpty(t, r.Spec.Command)
			}
			other, err := u.Jobs(ctx, api.ListQuery{Only: true, Node: v.life((i + 1) % 5).String()})
			require.NoError(t, err)
			for _, r := range other.Jobs {
				assert.Contains(t, r.Custodians, protocol.Address((i+1)%5))
			}
			assert.Contains(t, v.why(i, waits.ID), "It is held", "at node %d", i)
			assert.Contains(t, v.why(i, good.ID), "It waits for nothing: its state is succeeded", "at node %d", i)
			_, err = u.Job(ctx, "zzz")
			require.ErrorIs(t, err, jobs.ErrUnknown)
			_, err = u.Jobs(ctx, api.ListQuery{Only: true, Node: "Z"})
			require.ErrorIs(t, err, jobs.ErrUnknown)
		}
		again := v.submits(0, held, "held")
		assert.Equal(t, waits.ID, again.ID, "one key is one job")
		v.cancels(1, waits.ID)
	})
}

// Requests of a user about a job succeed at any daemon, and impossible ones are refused with their
// kind of error.
func TestWishesAtAnyDaemon(t *testing.T) {
	visits(t, 5, func(v *visit) {
		ctx := context.Background()
		held := spec(1, 300*time.Millisecond, 0)
		held.Hold = true
		for i := range 5 {
			u := v.at(i)
			r := v.submits((i+1)%5, held, "")
			_, err := u.Remove(ctx, r.ID)
			require.ErrorIs(t, err, jobs.ErrRuns)
			r, err = u.Release(ctx, r.ID)
			require.NoError(t, err)
			assert.False(t, r.Held, "at node %d", i)
			r, err = u.Wait(ctx, r.ID)
			require.NoError(t, err)
			require.Equal(t, jobs.Succeeded, r.State)
			_, err = u.Cancel(ctx, r.ID)
			require.ErrorIs(t, err, jobs.ErrOver)
			_, err = u.Hold(ctx, r.ID)
			require.Error(t, err)

			long := v.submits((i+2)%5, spec(1, time.Hour, 0), "")
			require.Eventually(t, func() bool { return strings.Contains(v.why(i, long.ID), "runs on") },
				20*time.Second, 100*time.Millisecond)
			short, stop := context.WithTimeout(ctx, time.Second)
			r, err = u.Wait(short, long.ID)
			stop()
			require.NoError(t, err)
			require.Equal(t, jobs.Running, r.State, "a user that waits no longer sees how it stands")
			r, err = u.CancelLater(ctx, long.ID)
			require.NoError(t, err)
			require.Equal(t, jobs.Cancelled, r.Requested)
			r, err = u.Wait(ctx, long.ID)
			require.NoError(t, err)
			require.Equal(t, jobs.Cancelled, r.State)

			time.Sleep(15 * time.Second) // until all custodians have the end
			_, err = u.Remove(ctx, long.ID)
			require.NoError(t, err)
			time.Sleep(time.Second)
			for k := range 5 {
				_, err = v.at(k).Job(ctx, long.ID)
				require.ErrorIs(t, err, jobs.ErrUnknown)
				assert.Contains(t, err.Error(), "has been removed", "at node %d", k)
			}
		}
	})
}

// The elements of an array are listed by each daemon, with their output at their hosts.
func TestElementsOfAnArray(t *testing.T) {
	visits(t, 5, func(v *visit) {
		ctx := context.Background()
		s := spec(1, 300*time.Millisecond, 3)
		s.Array = &jobs.Array{Ranges: []jobs.Range{{First: 4, Last: 9}}, AtOnce: 3}
		array := v.submits(4, s, "")
		whole := v.submits(0, s, "")
		for _, id := range []string{array.ID, whole.ID} {
			r, err := v.at(1).Wait(ctx, id)
			require.NoError(t, err)
			require.Equal(t, jobs.Failed, r.State)
			assert.Equal(t, 6, r.Counts[jobs.Failed])
		}
		for i := range 5 {
			for _, sizes := range []bool{false, true} {
				all, err := v.at(i).Elements(ctx, array.ID, sizes)
				require.NoError(t, err)
				require.Len(t, all, 6)
				for k, e := range all {
					assert.Equal(t, []any{4 + k, jobs.Failed, 3, 1}, []any{e.Index, e.State, e.Code, e.Attempt})
					assert.Equal(t, fmt.Sprintf("%s[%d]", array.ID, e.Index), e.Job)
					assert.NotEmpty(t, e.Reason)
					assert.Empty(t, e.Mute)
					printed := int64(0)
					if sizes {
						printed = int64(len(line(0, e.Job)))
					}
					assert.Equal(t, []int64{printed, 0}, []int64{e.Stdout, e.Stderr})
				}
			}
			r, err := v.at(i).Job(ctx, array.ID+"[5]")
			require.NoError(t, err)
			assert.Equal(t, jobs.Failed, r.State)
			_, err = v.at(i).Remove(ctx, r.ID)
			require.ErrorIs(t, err, jobs.ErrSpec, "a part of an array")
		}
		all, err := v.at(2).Elements(ctx, array.ID, false)
		require.NoError(t, err)
		host := all[0].Hosts[0]
		v.crash(int(host.Address), 40*time.Second)
		time.Sleep(12 * time.Second)
		asked := (int(host.Address) + 1) % 5
		all, err = v.at(asked).Elements(ctx, array.ID, true)
		require.NoError(t, err)
		for _, e := range all {
			mute := ""
			if e.Hosts[0] == host {
				mute = host.String()
			}
			assert.Equal(t, mute, e.Mute, "a host that does not answer is named")
		}
		time.Sleep(30 * time.Second)
	})
}

// The output of a task is on the disk of its host, and is read there part by part.
func TestOutputAtItsHost(t *testing.T) {
	visits(t, 4, func(v *visit) {
		ctx := context.Background()
		r := v.submits(1, spec(3, time.Second, 0), "")
		r, err := v.at(0).Wait(ctx, r.ID)
		require.NoError(t, err)
		for rank, host := range r.Last().Hosts {
			u, want := v.at(int(host.Address)), line(rank, r.ID)
			for _, part := range []struct {
				offset, most int64
				want         string
			}{{0, 0, want}, {5, 0, want[5:]}, {2, 3, want[2:5]}, {int64(len(want)), 0, ""}} {
				out, err := u.Output(ctx, r.ID, api.OutputQuery{
					Attempt: -1, Rank: rank, Stream: "stdout", Offset: part.offset, Most: part.most,
				})
				require.NoError(t, err)
				text, err := io.ReadAll(out)
				require.NoError(t, err)
				assert.Equal(t, part.want, string(text))
				assert.EqualValues(t, len(want), out.Size)
				require.NoError(t, out.Close())
			}
		}
		for name, q := range map[string]api.OutputQuery{
			"an attempt": {Attempt: 1, Stream: "stdout"}, "a rank": {Rank: 3, Stream: "stdout"},
			"none": {Rank: -1, Stream: "stdout"},
		} {
			_, err := v.at(0).Output(ctx, r.ID, q)
			require.ErrorIs(t, err, jobs.ErrUnknown, name)
		}
		_, err = v.at(0).Output(ctx, r.ID, api.OutputQuery{Stream: "stdin"})
		require.ErrorIs(t, err, jobs.ErrSpec)
		_, err = v.at(0).Output(ctx, r.ID, api.OutputQuery{Attempt: 0, Rank: 2, Stream: "stderr"})
		require.NoError(t, err)

		host := r.Last().Hosts[0]
		asked := (int(host.Address) + 1) % 4
		v.now(func() {
			v.run.cut(sim.Op{Node: asked, Arg: argFor(int(host.Address), 4, 9*second)})
		})
		q := api.OutputQuery{Attempt: -1, Stream: "stdout"}
		_, err = v.at(asked).Output(ctx, r.ID, q)
		require.ErrorContains(t, err, "does not answer")
		v.crash(int(host.Address), 30*time.Second)
		time.Sleep(15 * time.Second)
		_, err = v.at(asked).Output(ctx, r.ID, q)
		require.ErrorIs(t, err, blobs.ErrLost)
		require.ErrorContains(t, err, "count as dead")
		time.Sleep(20 * time.Second)
	})
}

// Users are notified of daemons that are down or have left, and of the consequences for their jobs.
func TestDaemonsThatAreAway(t *testing.T) {
	visits(t, 5, func(v *visit) {
		ctx := context.Background()
		held := spec(1, time.Second, 0)
		held.Hold = true
		r := v.submits(4, held, "")
		far := 0
		for slices.Contains(r.Custodians, protocol.Address(far)) {
			far++
		}
		first, gone := v.life(4), v.life(int(r.Custodians[1]))
		v.crash(4, 60*time.Second)
		v.crash(int(gone.Address), 30*time.Second)
		time.Sleep(15 * time.Second)
		u := v.at(far)
		nodes, err := u.Nodes(ctx)
		require.NoError(t, err)
		require.Len(t, nodes, 5)
		for i, n := range nodes {
			want := ""
			if n.Node == first || n.Node == gone {
				want = api.Dead
			}
			assert.Equal(t, want, n.Error, "node %d", i)
			assert.EqualValues(t, i, n.Node.Address)
		}
		list, err := u.Jobs(ctx, api.ListQuery{})
		require.NoError(t, err)
		assert.Equal(t, ids(r), ids(list.Jobs...))
		silent := []api.Silence{{Node: first, Error: api.Dead}, {Node: gone, Error: api.Dead}}
		slices.SortFunc(silent, func(x, y api.Silence) int { return x.Node.Compare(y.Node) })
		assert.Equal(t, silent, list.Silent)
		shown, err := u.Job(ctx, r.ID)
		require.NoError(t, err)
		assert.ElementsMatch(t, []protocol.Address{4, gone.Address}, shown.Dead)
		assert.Contains(t, v.why(far, r.ID), "A daemon that is dead or has left must be started again")
		_, err = u.Job(ctx, "zzz")
		require.ErrorIs(t, err, jobs.ErrOutOfReach)
		require.ErrorContains(t, err, first.String())
		_, err = u.EventsOf(ctx, first.String(), 0)
		require.ErrorIs(t, err, jobs.ErrUnknown)
		require.ErrorContains(t, err, "is dead")
		report, err := u.Report(ctx, first.String())
		require.NoError(t, err)
		assert.Equal(t, api.Dead, report.Error)
		_, err = u.Drain(ctx, api.DrainQuery{Node: first.String()})
		require.ErrorIs(t, err, jobs.ErrOver)
		time.Sleep(60 * time.Second)
		v.cancels(far, r.ID) // in another incarnation, perhaps: these deaths at once may lead to a new map
	})
}

// A daemon that has left is shown as that for a while, and its jobs are asked for nowhere else.
func TestADaemonThatLeavesInOrder(t *testing.T) {
	visits(t, 4, func(v *visit) {
		ctx := context.Background()
		u := v.at(0)
		r := v.submits(3, spec(1, 5*time.Second, 0), "")
		leaver := v.life(3)
		_, err := u.Drain(ctx, api.DrainQuery{Node: "z3"})
		require.ErrorIs(t, err, jobs.ErrUnknown)
		_, err = u.Drain(ctx, api.DrainQuery{Node: strings.ToLower(leaver.String())})
		require.ErrorContains(t, err, "did you mean")
		report, err := u.Drain(ctx, api.DrainQuery{Node: leaver.String()})
		require.NoError(t, err)
		assert.Equal(t, []any{leaver, true, 1}, []any{report.Node, report.Draining, report.Awaits})
		_, err = v.at(3).Submit(ctx, api.Submission{Spec: spec(1, time.Second, 0)})
		require.ErrorIs(t, err, jobs.ErrBusy, "it takes no new jobs")
		h, err := v.at(3).Health(ctx)
		require.NoError(t, err)
		assert.Equal(t, []bool{true, false}, []bool{h.Live, h.Ready})
		assert.Contains(t, strings.Join(h.Reasons, " "), "It leaves the grid")
		report, err = u.Drain(ctx, api.DrainQuery{Node: leaver.String(), Off: true})
		require.NoError(t, err)
		assert.False(t, report.Draining, "a drain can be taken back")
		h, err = v.at(3).Health(ctx)
		require.NoError(t, err)
		assert.Equal(t, api.Health{Version: api.Version, Live: true, Ready: true, Reasons: []string{}}, h)
		_, err = v.at(3).Drain(ctx, api.DrainQuery{})
		require.NoError(t, err)
		left := v.ready[3]
		r, err = u.Wait(ctx, r.ID)
		require.NoError(t, err)
		assert.Equal(t, jobs.Succeeded, r.State, "it waits for the jobs that were submitted there")
		require.Eventually(t, left.Left, 20*time.Second, 50*time.Millisecond)
		time.Sleep(10 * time.Second) // it has come back
		assert.Equal(t, uint16(2), v.life(3).Incarnation)
	})
}

// The events of a daemon are the same at each of the others, page by page.
func TestEventsOfAnotherDaemon(t *testing.T) {
	visits(t, 3, func(v *visit) {
		ctx := context.Background()
		for range 20 {
			r := v.submits(0, spec(1, 100*time.Millisecond, 0), "")
			_, err := v.at(1).Wait(ctx, r.ID)
			require.NoError(t, err)
		}
		own, err := v.at(0).Events(ctx, 0, false)
		require.NoError(t, err)
		require.Greater(t, len(own), 400)
		for i := range 3 {
			all, err := v.at(i).EventsOf(ctx, v.life(0).String(), 0)
			require.NoError(t, err)
			assert.Equal(t, own, all[:len(own)], "at node %d", i)
			some, err := v.at(i).EventsOf(ctx, v.life(0).String(), own[9].Cursor)
			require.NoError(t, err)
			assert.Equal(t, own[10], some[0])
			_, err = v.at(i).EventsOf(ctx, v.life(0).String(), 1<<40)
			require.ErrorIs(t, err, api.ErrCursor)
		}
		fresh, err := v.at(0).Events(ctx, own[len(own)-1].Cursor, true)
		require.NoError(t, err)
		assert.NotEmpty(t, fresh, "a user that waits receives the next events")
	})
}

// A job of two daemons waits for the one whose disk is lost, until an operator gives it up.
func TestAcceptedLossOfADisk(t *testing.T) {
	visits(t, 2, func(v *visit) {
		ctx := context.Background()
		held := spec(1, time.Second, 0)
		held.Hold = true
		r := v.submits(1, held, "")
		require.Len(t, r.Custodians, 2)
		_, err := v.at(0).AcceptLoss(ctx, r.ID, "B")
		require.ErrorIs(t, err, jobs.ErrKept, "it lives")
		_, err = v.at(0).AcceptLoss(ctx, r.ID, "C")
		require.ErrorIs(t, err, jobs.ErrKept, "it does not keep the job")
		_, err = v.at(0).AcceptLoss(ctx, r.ID, "b")
		require.ErrorIs(t, err, jobs.ErrUnknown)
		lost := v.life(1)
		v.crash(0, 5*time.Second) // so that B may have decided something alone
		time.Sleep(time.Second)
		v.crash(1, time.Minute)
		time.Sleep(20 * time.Second)
		assert.Contains(t, v.why(0, r.ID), "It waits for node "+lost.String())
		r, err = v.at(0).AcceptLoss(ctx, r.ID, lost.String())
		require.NoError(t, err)
		assert.NotContains(t, v.why(0, r.ID), "It waits for node")
		_, err = v.at(0).Release(ctx, r.ID)
		require.NoError(t, err)
		r, err = v.at(0).Wait(ctx, r.ID)
		require.NoError(t, err)
		assert.Equal(t, jobs.Succeeded, r.State)
		_, err = v.at(0).AcceptLoss(ctx, r.ID, lost.String())
		require.ErrorIs(t, err, jobs.ErrOver)
	})
}

// The daemon that took a job, and decides about it, is gone for a while. The job goes on, and the
// others have the same record of it.
func TestAJobGoesOnWithoutItsFirstDaemon(t *testing.T) {
	visits(t, 5, func(v *visit) {
		ctx := context.Background()
		var all []*jobs.Record
		for range 3 { // on several nodes
			all = append(all, v.submits(4, spec(1, 40*time.Second, 0), ""))
		}
		held := spec(1, time.Second, 0)
		held.Hold = true
		waits := v.submits(4, held, "")
		time.Sleep(5 * time.Second)
		for k, r := range all {
			var err error
			all[k], err = v.at(4).Job(ctx, r.ID)
			require.NoError(t, err)
			require.Equal(t, jobs.Running, all[k].State)
		}
		gone := v.life(4)
		v.crash(4, 50*time.Second)
		time.Sleep(15 * time.Second)
		kept := 0
		for i := range 4 {
			for _, before := range all {
				r, err := v.at(i).Job(ctx, before.ID)
				require.NoError(t, err)
				if len(r.Attempts) > 1 {
					assert.NotEmpty(t, r.Attempts[0].Reason, "its host, its owner or its representative has died")
					continue
				}
				kept++
				assert.NotEqual(t, gone, before.Last().Hosts[0])
				assert.Equal(t, jobs.Running, r.State)
				assert.Equal(t, before.Last().Begin, r.Last().Begin, "at node %d", i)
				assert.Equal(t, before.Last().Ranks, r.Last().Ranks, "at node %d", i)
				assert.Equal(t, before.Times.Noted, r.Times.Noted)
			}
		}
		assert.Positive(t, kept, "jobs that did not need that daemon")
		r, err := v.at(0).Release(ctx, waits.ID)
		require.NoError(t, err)
		require.False(t, r.Held)
		for i := range 4 {
			for _, before := range append(all, waits) {
				r, err := v.at(i).Wait(ctx, before.ID)
				require.NoError(t, err)
				assert.Equal(t, jobs.Succeeded, r.State)
				if before.Last() != nil && len(r.Attempts) == 1 {
					assert.Equal(t, before.Last().Ranks[0].Begin, r.Last().Ranks[0].Begin)
				}
			}
		}
		time.Sleep(20 * time.Second) // it is back, and learns how they have ended
		own, err := v.at(4).Jobs(ctx, api.ListQuery{Only: true})
		require.NoError(t, err)
		require.Len(t, own.Jobs, 4)
		for _, r := range own.Jobs {
			assert.Equal(t, jobs.Succeeded, r.State)
		}
	})
}

// The daemon that decides about an array is gone for a while, and another one is cancelled.
func TestArraysGoOnWithoutTheirFirstDaemon(t *testing.T) {
	visits(t, 5, func(v *visit) {
		ctx := context.Background()
		s := spec(1, 5*time.Second, 0)
		s.Array = &jobs.Array{Ranges: []jobs.Range{{First: 0, Last: 11}}, AtOnce: 4}
		array, ends := v.submits(4, s, ""), v.submits(3, s, "")
		time.Sleep(8 * time.Second)
		gone := v.life(4)
		v.crash(4, 100*time.Second)
		time.Sleep(8 * time.Second)
		v.cancels(0, ends.ID)
		all, err := v.at(1).Elements(ctx, ends.ID, false)
		require.NoError(t, err)
		for _, e := range all {
			assert.Contains(t, []jobs.State{jobs.Succeeded, jobs.Cancelled}, e.State)
		}
		r, err := v.at(2).Wait(ctx, array.ID)
		require.NoError(t, err)
		require.Equal(t, jobs.Succeeded, r.State)
		assert.Equal(t, map[jobs.State]int{jobs.Succeeded: 12}, r.Counts)
		for i := range 4 {
			all, err := v.at(i).Elements(ctx, array.ID, false)
			require.NoError(t, err)
			require.Len(t, all, 12, "at node %d", i)
			for k, e := range all {
				assert.Equal(t, []any{k, jobs.Succeeded}, []any{e.Index, e.State})
				assert.NotEqual(t, gone, e.Hosts[0], "an element that has gone with the daemon runs again")
			}
		}
	})
}

// why is the reason that a daemon gives for a waiting job.
func (v *visit) why(i int, id string) string {
	v.Helper()
	why, err := v.at(i).Why(context.Background(), id)
	require.NoError(v, err)
	return strings.Join(why.Reasons, " ")
}

// cancels ends a job.
func (v *visit) cancels(i int, id string) {
	v.Helper()
	r, err := v.at(i).Cancel(context.Background(), id)
	require.NoError(v, err)
	require.Equal(v, jobs.Cancelled, r.State)
}
