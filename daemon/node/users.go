package node

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"syscall"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/blobs"
	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/library"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/member"
	"github.com/canvass-grid/canvass/daemon/news"
	"github.com/canvass-grid/canvass/daemon/reasons"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
)

// Health reports whether the loop answers within scrapePatience, and the reasons why the node
// cannot run jobs, or soon will not: a certificate that is not renewed. A failed disk is no reason:
// it ends the daemon.
func (u users) Health(ctx context.Context) (api.Health, error) {
	bounded, cancel := context.WithTimeout(ctx, scrapePatience)
	defer cancel()
	reasons, err := life.On(bounded, u, func() ([]string, error) { return unready(u.MayNot(), u.reports.own()), nil })
	ready := err == nil && len(reasons) == 0
	if err != nil {
		text := fmt.Sprintf("The loop of the daemon has not answered within %v.", scrapePatience)
		if errors.Is(err, context.DeadlineExceeded) {
			err = ctx.Err()
		}
		return api.Health{Version: api.Version, Reasons: []string{text}}, err
	}
	if c := u.admission.Certificate(); c != nil && c.Warning != "" {
		ready = ready && c.Left > 0 // until then it works
		reasons = append(reasons, c.Warning)
	}
	return api.Health{Version: api.Version, Live: true, Ready: ready, Reasons: reasons}, nil
}

// unready lists, in sentences, the reasons why the node cannot run jobs now.
func unready(noLease string, r api.NodeReport) []string {
	reasons := []string{}
	if noLease != "" {
		reasons = append(reasons, noLease)
	}
	return append(reasons, lacks(r)...)
}

// lacks lists, in sentences, the node's problems on the map.
func lacks(r api.NodeReport) (reasons []string) {
	if r.Phase != api.MemberPhase {
		return []string{"It has no part of the map: it is " + r.Phase + "."}
	}
	if len(r.Gone) > 0 {
		reasons = append(reasons, fmt.Sprintf("It misses the zone of its neighbour %v, which is dead.", r.Gone[0]))
	}
	if r.Open {
		reasons = append(reasons, "Part of its zone boundary has no neighbour that is alive.")
	}
	if r.NoTasks != "" {
		reasons = append(reasons, "It takes no tasks: "+r.NoTasks+".")
	}
	if r.Draining {
		reasons = append(reasons, "It leaves the grid, and takes no new jobs.")
	}
	return reasons
}

const outputPatience = 5 * time.Second

// Output returns a part of the output of a rank, from the host that has it on its disk. The host
// reports the size; the bytes bypass the goroutines of both nodes.
func (u users) Output(ctx context.Context, id string, q api.OutputQuery) (out api.Output, err error) {
	r, err := u.find(ctx, id)
	if err != nil {
		return out, err
	}
	a, err := attemptOf(r, q)
	if errors.Is(err, jobs.ErrUnknown) { // the primary may have a later attempt
		if r, err = u.Job(ctx, r.ID); err == nil {
			a, err = attemptOf(r, q)
		}
	}
	if err != nil {
		return out, err
	}
	host, name := a.Hosts[q.Rank], rpc.OutputName{
		AttemptName: rpc.AttemptName{By: a.By, Epoch: a.Epoch}, Stream: q.Stream,
	}
	size, err := life.Query(ctx, u, rpc.Output, host, name, outputPatience)
	switch {
	case errors.Is(err, rpc.ErrUnreadable):
		return out, err
	case errors.Is(err, rpc.ErrOver):
		text := "which the witnesses count as dead"
		has := func() (bool, error) { _, has := u.HasLeft(host); return has, nil }
		if left, err := life.On(ctx, u, has); err == nil && left {
			text = "which has left the grid"
		}
		return out, api.Errorf(blobs.ErrLost, "the output of rank %d is on the disk of node %v, %s; "+
			"start its daemon again to read it", q.Rank, host, text)
	case errors.Is(err, rpc.ErrGivenUp):
		return out, fmt.Errorf("the output of rank %d is on the disk of node %v, which does not answer; "+
			"canvass node status says when it does, or counts as dead", q.Rank, host)
	case err != nil:
		return out, fmt.Errorf("the output of rank %d is on the disk of node %v: %w", q.Rank, host, err)
	}
	content, err := u.outputs.Part(ctx, host, name, q.Offset, q.Part(size))
	return api.Output{ReadCloser: content, Size: size}, err
}

// attemptOf finds the attempt of a query, and checks the query.
func attemptOf(r *jobs.Record, q api.OutputQuery) (*jobs.Attempt, error) {
	at := q.Attempt
	if at < 0 {
		at = len(r.Attempts) - 1
	}
	switch {
	case q.Stream != "stdout" && q.Stream != "stderr":
		return nil, fmt.Errorf("%w: stream %q; want stdout or stderr", jobs.ErrSpec, q.Stream)
	case at < 0 || at >= len(r.Attempts):
		return nil, api.Errorf(jobs.ErrUnknown, "%s has no attempt %d; %d have run", r.ID, at+1, len(r.Attempts))
	case q.Rank < 0 || q.Rank >= len(r.Attempts[at].Hosts):
		return nil, api.Errorf(jobs.ErrUnknown, "%s has no rank %d; its ranks are 0 to %d",
			r.ID, q.Rank, len(r.Attempts[at].Hosts)-1)
	}
	return &r.Attempts[at], nil
}

// Put keeps a content, for the inputs of jobs.
func (u users) Put(_ context.Context, content io.Reader) (api.Content, error) {
	if err := library.NoRoom(u.Options.Folder); err != nil {
		return api.Content{}, err
	}
	digest, size, err := u.Kept.Put(content, "", jobs.FileLimit)
	if errors.Is(err, syscall.ENOSPC) {
		err = fmt.Errorf("%w: %w: %w; free space there%s, or ask another daemon",
			jobs.ErrBusy, disk.ErrLow, err, disk.Spare(u.Options.Folder))
	}
	return api.Content{Version: api.Version, Digest: digest, Size: size}, err
}

// Open reads a content. If it is missing here or damaged, it is copied from another daemon.
func (u users) Open(ctx context.Context, digest string) (io.ReadCloser, error) {
	if !blobs.IsDigest(digest) {
		return nil, fmt.Errorf("%w: %q is no digest", blobs.ErrLost, digest)
	}
	f, err := u.Sound(digest)
	if err == nil {
		return f, nil
	}
	sources, failed := life.On(ctx, u, func() (all []protocol.Address, _ error) {
		for _, life := range u.Alive() {
			all = append(all, life.Address)
		}
		return all, nil
	})
	if failed != nil || len(sources) == 0 {
		return nil, errors.Join(err, failed)
	}
	failed = u.Fetch(digest, sources, func(content io.Reader) error {
		_, _, err := u.Cache.Put(content, digest, jobs.FileLimit)
		return err
	})
	if errors.Is(failed, blobs.ErrUnwritten) { // a disk without room is no reason to withhold it
		return io.NopCloser(u.Content(digest, sources...)), nil
	}
	if failed != nil {
		return nil, errors.Join(err, failed)
	}
	return u.Cache.Open(digest)
}

// serve begins to serve users.
func (n *Node) serve() (*http.Server, error) {
	socket := config.Socket(n.Options.Folder)
	if err := os.Remove(socket); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, disk.Failed("removing the socket of an earlier incarnation,", socket, err)
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		return nil, disk.Failed("serving users at", socket, err)
	}
	if err := os.Chmod(socket, 0o600); err != nil { // with any umask
		_ = l.Close()
		return nil, disk.Failed("serving users at", socket, err)
	}
	server := &http.Server{
		Handler: api.Handler(users{&n.parts}), ReadHeaderTimeout: 5 * time.Second, ConnContext: api.Guard(n.isTask),
	}
	go func() {
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			n.Log.Error("users are no longer served", "error", err)
		}
	}()
	return server, nil
}

// answerPatience is how long users have to receive why they get no answer.
const answerPatience = 100 * time.Millisecond

// endServing ends the service when the node has stopped.
func endServing(users *http.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), answerPatience)
	defer cancel()
	if users.Shutdown(ctx) != nil {
		_ = users.Close() // a content that is on its way
	}
}

// Token makes a token with which nodes join.
func (u users) Token(ctx context.Context, q api.TokenQuery) (api.Token, error) {
	return u.admission.Token(ctx, q)
}

// Regrid makes the witnesses refuse the present grid.
func (u users) Regrid(ctx context.Context) error {
	closed := make(chan error, 1)
	if !u.Post(func() { u.repair.Regrid(func(err error) { closed <- err }) }) {
		return u.Ending()
	}
	select {
	case err := <-closed:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-u.Stopped: // this daemon is of the grid that has ended
		return nil
	}
}

// drainPatience is how long another daemon that is to leave has for its answer.
const drainPatience = 5 * time.Second

// Drain makes a node leave the grid: it takes no new jobs, and waits for the jobs that were
// submitted there. Then it takes no new tasks, waits for its running task, and leaves the map, and
// its daemon ends. When the time is over, the daemon ends anyway; 0 is no limit. Until it has begun
// to leave the map the drain can be taken back. The last but one node does not leave unless the
// user insists. The last one cannot: no node would take its part of the map.
func (u users) Drain(ctx context.Context, q api.DrainQuery) (api.NodeReport, error) {
	to, err := life.On(ctx, u, func() (protocol.NodeID, error) {
		id, err := u.Named(q.Node)
		if err == nil && u.IsDead(id) {
			err = api.Errorf(jobs.ErrOver, "node %v %s", id, u.OverText(id))
		}
		return id, err
	})
	if err != nil {
		return api.NodeReport{}, err
	}
	if !q.Off {
		nodes, err := u.Nodes(ctx)
		if err != nil {
			return api.NodeReport{}, err
		}
		if err := member.MayLeave(nodes, to, q.Yes); err != nil {
			return api.NodeReport{}, err
		}
	}
	answer, err := life.Query(ctx, u, rpc.Drain, to, rpc.DrainRequest{Limit: q.Limit, Off: q.Off}, drainPatience)
	if err != nil {
		return api.NodeReport{}, fmt.Errorf("drain of node %v: %w", to, err)
	}
	return answer.Report, answer.Err()
}

// EventsOf asks a daemon of the grid for its events after a cursor.
func (u users) EventsOf(ctx context.Context, name string, after uint64) ([]api.Event, error) {
	to, err := life.On(ctx, u, func() (protocol.NodeID, error) {
		id, err := u.Named(name)
		if err == nil && u.IsDead(id) {
			err = api.Errorf(jobs.ErrUnknown, "node %v %s, and its events are gone", id, u.OverText(id))
		}
		return id, err
	})
	all := []api.Event{}
	for err == nil {
		answer, failed := life.Query(ctx, u, rpc.Events, to, rpc.EventsRequest{After: after}, reportPatience)
		if failed = cmp.Or(failed, answer.Err()); failed != nil {
			return nil, fmt.Errorf("the events of node %v: %w", to, failed)
		}
		all = append(all, answer.Events...)
		if len(answer.Events) < news.AtOnce || len(all) >= news.Limit {
			break
		}
		after = answer.Events[len(answer.Events)-1].Cursor
	}
	return all, err
}

// Why explains why a job waits, from the state of this daemon and the reports of the others.
func (u users) Why(ctx context.Context, id string) (api.Reasons, error) {
	r, err := u.Job(ctx, id)
	if err != nil {
		return api.Reasons{}, err
	}
	why := api.Reasons{Version: api.Version, Job: r.ID}
	if r.State.Final() {
		why.Reasons = []string{fmt.Sprintf("It waits for nothing: its state is %s.", r.State)}
		return why, nil
	}
	lacks, err := life.On(ctx, u, func() (string, error) { return u.MayNot(), nil })
	if err != nil {
		return why, err
	}
	if why.NoLease = lacks != ""; why.NoLease { // reason enough, and nodes that do not answer would take time
		why.Reasons = reasons.Of(r, nil, reasons.Circumstances{NoLease: lacks})
		return why, nil
	}
	awaited := make(chan []protocol.Address, 1)
	go func() { awaited <- u.awaited(ctx, r) }() // a daemon that is silent takes the time of both
	nodes, err := life.Asked(ctx, u, func(done func([]api.NodeReport)) { u.reports.survey(true, done) })
	if err != nil {
		return why, err
	}
	missing := reasons.Missing(nodes, <-awaited)
	for _, n := range missing {
		why.Missing = append(why.Missing, n.Node)
	}
	if len(missing) > 0 {
		why.Reasons = append(why.Reasons, reasons.Without(missing))
	}
	c := reasons.Circumstances{Missing: len(missing) > 0, Rest: r.Rest(u.Wall())}
	if r.Note == turnNote {
		c.Turns = turnsOf
	}
	why.Reasons = append(why.Reasons, reasons.Of(r, nodes, c)...)
	return why, nil
}

// awaited are the nodes for which the custodians of a job wait, according to their answers: when
// all is quiet, according to the primary.
func (u users) awaited(ctx context.Context, r *jobs.Record) (all []protocol.Address) {
	if r.Custody == (jobs.Name{}) { // no custodian has it yet
		return nil
	}
	answers := make(chan []protocol.Address, len(r.Custodians))
	for _, a := range r.Custodians {
		go func() {
			awaits, _ := life.Query(ctx, u, rpc.Awaits, protocol.NodeID{Address: a}, r.Custody, reportPatience)
			answers <- awaits // nil if it is down, or keeps no such job
		}()
	}
	for range r.Custodians {
		all = append(all, <-answers...)
	}
	return all
}
