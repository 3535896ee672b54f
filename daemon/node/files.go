package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/blobs"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/verbatim"
	"github.com/canvass-grid/canvass/protocol"
)

const (
	piece         = 128 << 10 // bytes of a content in an answer: it fits into a frame as text
	piecePatience = 10 * time.Second
	cacheLimit    = 10 << 30 // bytes that a host keeps of inputs
	orphanAge     = time.Hour
	retainAge     = 7 * 24 * time.Hour // of jobs that have ended, and of their output
	retainJobs    = 10_000
	tidyEvery     = time.Minute
	tidySoon      = 5 * time.Second // of a node that takes no tasks
)

// files are the contents that a daemon keeps.
type files struct {
	kept  *blobs.Store // inputs and outputs of jobs that were handed in here
	cache *blobs.Store // inputs that were fetched from other daemons

	gathered map[rankName]*gathering // outputs that are being fetched
	tidied   time.Duration
}

// rankName names a rank of an attempt of a job.
type rankName struct {
	job   string
	by    protocol.NodeID
	epoch uint32
	rank  int
}

// gathering is outputs on their way here, and then to the other custodians.
type gathering struct {
	done bool
	err  error
	told bool
	safe bool
}

// openFiles opens the folders of contents.
func (n *Node) openFiles() (err error) {
	if n.kept, err = blobs.Open(filepath.Join(n.options.Folder, disk.Kept)); err != nil {
		return err
	}
	n.cache, err = blobs.Open(filepath.Join(n.options.Folder, disk.Cache))
	return err
}

// openContent opens a content that is here.
func (n *Node) openContent(digest string) (*os.File, error) {
	f, err := n.kept.Open(digest)
	if errors.Is(err, blobs.ErrLost) {
		return n.cache.Open(digest)
	}
	return f, err
}

// pieceOf names a piece of a content: by its digest, or by the path of an output of an attempt.
type pieceOf struct {
	attemptName
	Digest string        `json:"digest,omitempty"`
	Path   verbatim.Text `json:"path,omitempty"`
	Offset int64         `json:"offset"`
}

func (n *Node) answerBlob(_ protocol.NodeID, p pieceOf) (any, error) {
	if !jobs.IsDigest(p.Digest) {
		return nil, fmt.Errorf("%q is no digest", p.Digest)
	}
	f, err := n.openContent(p.Digest)
	if err != nil {
		return nil, err
	}
	return pieceFrom(f, p.Offset, piece)
}

// answerContent reads an output in the working folder of a task that has ended.
func (n *Node) answerContent(_ protocol.NodeID, p pieceOf) (any, error) {
	root, err := os.OpenRoot(n.workFolder(attemptText(p.By, p.Epoch)))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := root.Open(string(p.Path))
	if err != nil {
		return nil, err
	}
	return pieceFrom(f, p.Offset, piece)
}

// fragment is a piece of a content.
type fragment struct {
	Data []byte `json:"data"`
	Size int64  `json:"size"` // of the content
}

// pieceFrom reads a piece of a file, and closes it.
func pieceFrom(f *os.File, offset int64, most int) (fragment, error) {
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return fragment{}, err
	}
	data := make([]byte, most)
	got, err := f.ReadAt(data, offset)
	if err != nil && !errors.Is(err, io.EOF) {
		return fragment{}, err
	}
	return fragment{Data: data[:got], Size: info.Size()}, nil
}

// distant reads a content from other daemons, piece by piece: from the next one when one has
// failed. It is not for the node's goroutine.
type distant struct {
	*Node
	sources []protocol.Address
	at      int
	method  string
	what    pieceOf
	data    []byte
	ended   bool
}

// Read asks for the next piece when the last one is used up.
func (d *distant) Read(p []byte) (int, error) {
	for len(d.data) == 0 {
		if d.ended {
			return 0, io.EOF
		}
		out, err := d.next()
		if err != nil {
			if d.at++; d.at >= len(d.sources) {
				return 0, err
			}
			continue
		}
		d.data = out.Data
		d.what.Offset += int64(len(out.Data))
		d.ended = len(out.Data) == 0 || d.what.Offset >= out.Size
	}
	got := copy(p, d.data)
	d.data = d.data[got:]
	return got, nil
}

func (d *distant) next() (out fragment, err error) {
	answered := make(chan struct{})
	d.post(func() {
		from := protocol.NodeID{Address: d.sources[d.at]}
		d.ask(from, d.method, d.what, piecePatience, nil, func(raw json.RawMessage, failed error) {
			if err = failed; err == nil {
				out, err = decode[fragment](raw)
			}
			close(answered)
		})
	})
	select {
	case <-answered:
		return out, err
	case <-d.stopped:
		return out, d.ending()
	}
}

// layInputs puts the inputs of a job into the working folder of its attempt. The end comes on the
// node's goroutine.
func (n *Node) layInputs(a *attempt, then func(error)) {
	spec, sources, dir := a.spec, a.at.Custodians, n.workFolder(a.String())
	if len(spec.Inputs) == 0 && spec.Stdin == "" {
		then(nil)
		return
	}
	a.laying = true
	go func() {
		err := n.lay(spec, sources, dir)
		n.post(func() {
			a.laying = false
			if a.ended {
				n.removeWork(a)
				return
			}
			if errors.Is(err, errGivenUp) {
				n.after(callRepeat, func() { n.layInputs(a, then) }) // all its custodians are down
				return
			}
			then(err)
		})
	}()
}

func (n *Node) lay(spec *jobs.Spec, sources []protocol.Address, dir string) error {
	var all []blobs.Entry
	for _, f := range spec.Inputs {
		all = append(all, blobs.Entry{Path: string(f.Path), Digest: f.Digest, Size: f.Size, Mode: f.Mode})
	}
	if spec.Stdin != "" {
		all = append(all, blobs.Entry{Path: stdinFile, Digest: spec.Stdin, Mode: 0o600})
	}
	for _, e := range all {
		if n.kept.Has(e.Digest) || n.cache.Has(e.Digest) {
			continue
		}
		from := &distant{Node: n, sources: sources, method: "blob", what: pieceOf{Digest: e.Digest}}
		if _, _, err := n.cache.Put(from, e.Digest, jobs.FileLimit); err != nil {
			return fmt.Errorf("input %s: %w", e.Path, err)
		}
	}
	open := func(digest string) (io.ReadCloser, error) { return n.openContent(digest) }
	if err := blobs.Lay(dir, all, open); err != nil {
		if errors.Is(err, blobs.ErrCorrupt) {
			err = errors.Join(err, n.cache.Shrink(0)) // the next attempt here fetches them anew
		}
		return fmt.Errorf("inputs: %w", err)
	}
	return nil
}

// stdinFile is what a task reads, in its working folder.
const stdinFile = ".canvass-stdin"

// rankReport tells the custodians of a job of the task of a rank.
type rankReport struct {
	jobAttempt
	Rank jobs.Rank `json:"rank"`
}

// tellRank passes on what is known of a task that has ended, with its outputs. The end comes on the
// node's goroutine, when the custodians of the job have all of it on their disks.
func (n *Node) tellRank(a *attempt, told jobs.Rank, failed bool, then func()) {
	report := rankReport{a.ofJob(), told}
	send := func(patience time.Duration) {
		n.askCustodians(a.at.Custodians, "rank", report, patience, func() bool { return !a.ended },
			func(json.RawMessage, error) { then() })
	}
	patterns, dir := a.spec.Outputs, n.workFolder(a.String())
	switch {
	case len(patterns) > 0:
		a.laying = true
		go func() {
			outputs, err := collect(dir, patterns)
			n.post(func() {
				a.laying = false
				report.Rank.Outputs = outputs
				if err != nil {
					report.Rank.Problem = fmt.Sprintf("no outputs of rank on host %v: %v", n.self, err)
				}
				if a.ended {
					n.removeWork(a)
					return
				}
				send(0)
			})
		}()
	case failed:
		send(failedPatience)
	default:
		n.askCustodians(a.at.Custodians, "rank", report, failedPatience, nil, ignoreAnswer)
		then()
	}
}

// failedPatience is how long the end of a task waits until its last lines have arrived.
const failedPatience = 2 * time.Second

// collect lists the outputs in a working folder.
func collect(dir string, patterns []string) (all []jobs.File, err error) {
	wanted := func(name string) bool {
		for _, p := range patterns {
			if name != stdinFile && name != peersFile && jobs.Matches(p, name) {
				return true
			}
		}
		return false
	}
	found, err := blobs.Collect(dir, wanted, jobs.FilesLimit, jobs.FileLimit)
	if err != nil {
		return nil, err
	}
	for _, e := range found {
		all = append(all, jobs.File{
			Path: verbatim.Text(e.Path), Digest: e.Digest, Size: e.Size, Mode: e.Mode, Link: verbatim.Text(e.Link),
		})
	}
	if text, err := json.Marshal(all); err != nil || len(text) > jobs.SpecLimit {
		return nil, fmt.Errorf("%d files take %d bytes to describe; put them into an archive", len(all), len(text))
	}
	return all, nil
}

// answerRank notes what a host tells of a task. With outputs the answer comes once they are at the
// custodians.
func (n *Node) answerRank(k *keeping, from protocol.NodeID, report rankReport) (any, error) {
	open := k.record.Open()
	if open == nil || open.By != report.By || open.Epoch != report.Epoch {
		return nil, nil
	}
	rank := slices.Index(open.Hosts, from)
	if rank < 0 {
		return nil, nil
	}
	if len(report.Rank.Outputs) == 0 {
		n.table.Tell(k.record, report.By, report.Epoch, rank, report.Rank)
		return nil, nil
	}
	return nil, n.gather(k, rankName{k.record.ID, report.By, report.Epoch, rank}, from, report)
}

// gather fetches the outputs of a rank, and has the other custodians copy them.
func (n *Node) gather(k *keeping, name rankName, from protocol.NodeID, report rankReport) error {
	told, g := report.Rank, n.gathered[name]
	switch {
	case g == nil:
		g = &gathering{}
		n.gathered[name] = g
		go func() {
			err := n.fetchOutputs(from, report)
			n.post(func() {
				g.done, g.err = true, err
				n.unpark(k)
			})
		}()
	case g.safe:
		return nil
	case g.done && !g.told:
		g.told = true
		if g.err != nil {
			told.Outputs, told.Problem = nil, "outputs: "+g.err.Error()
		}
		n.table.Tell(k.record, name.by, name.epoch, name.rank, told)
		n.spread(k, func() {
			g.safe = true
			n.unpark(k)
		})
	}
	return errParked{k}
}

func (n *Node) fetchOutputs(from protocol.NodeID, report rankReport) error {
	for _, f := range report.Rank.Outputs {
		if f.Link != "" || n.kept.Has(f.Digest) {
			continue
		}
		d := &distant{
			Node: n, sources: []protocol.Address{from.Address}, method: "content",
			what: pieceOf{attemptName: report.attemptName, Path: f.Path},
		}
		if _, _, err := n.kept.Put(d, f.Digest, jobs.FileLimit); err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
	}
	return nil
}

// removeWork removes the working folder of an attempt of which no process runs.
func (n *Node) removeWork(a *attempt) {
	if a.laying || a.proc != nil && !a.exited {
		return
	}
	n.host.Clear(a.String())
}

// tidy forgets, now and then, what nobody needs any more: sooner if the disk is low.
func (n *Node) tidy() {
	every := tidyEvery
	if n.fitness.noTasks != "" {
		every = tidySoon
	}
	if n.clock() < n.tidied+every {
		return
	}
	n.tidied = n.clock()
	for _, r := range n.table.Expired(n.wall().Add(-retainAge), retainJobs) {
		n.erase(r)
	}
	n.host.Tidy(n.table.Digests())
}

func (n *Node) answerForget(_ protocol.NodeID, a attemptName) (any, error) {
	return nil, n.host.Forget(attemptText(a.By, a.Epoch))
}

// Put keeps a content, for the inputs of jobs.
func (u users) Put(_ context.Context, content io.Reader) (api.Content, error) {
	if err := u.low(); err != nil {
		return api.Content{}, err
	}
	digest, size, err := u.kept.Put(content, "", jobs.FileLimit)
	if errors.Is(err, syscall.ENOSPC) {
		err = fmt.Errorf("%w: %w: %w; free space there%s, or ask another daemon",
			jobs.ErrBusy, disk.ErrLow, err, disk.Spare(u.options.Folder))
	}
	return api.Content{Version: api.Version, Digest: digest, Size: size}, err
}

// Open reads a content. One that is not here is copied from a daemon that has it.
func (u users) Open(ctx context.Context, digest string) (io.ReadCloser, error) {
	f, err := u.openContent(digest)
	if !errors.Is(err, blobs.ErrLost) || !jobs.IsDigest(digest) {
		return f, err
	}
	content := &distant{Node: u.Node, method: "blob", what: pieceOf{Digest: digest}}
	_, failed := on(ctx, u.Node, func() (struct{}, error) {
		for _, life := range u.alive() {
			content.sources = append(content.sources, life.Address)
		}
		return struct{}{}, nil
	})
	if failed != nil || len(content.sources) == 0 {
		return nil, errors.Join(err, failed)
	}
	if _, _, failed := u.cache.Put(content, digest, jobs.FileLimit); failed != nil {
		return nil, errors.Join(err, failed)
	}
	return u.cache.Open(digest)
}

// missing reports an input of a job that is not here.
func (n *Node) missing(s *jobs.Spec) error {
	if s.Stdin != "" && jobs.IsDigest(s.Stdin) && !n.kept.Has(s.Stdin) {
		return fmt.Errorf("%w: its standard input %s was not handed in", jobs.ErrSpec, s.Stdin)
	}
	for _, f := range s.Inputs {
		if jobs.IsDigest(f.Digest) && !n.kept.Has(f.Digest) {
			return fmt.Errorf("%w: the content %s of input %q was not handed in", jobs.ErrSpec, f.Digest, f.Path)
		}
	}
	return nil
}
