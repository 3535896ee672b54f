package checker

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/checker/internal/statekey"
	"github.com/canvass-grid/canvass/checker/internal/statelog"
	"github.com/canvass-grid/canvass/internal/wholefile"
)

// Snapshotter is implemented by models that can be checkpointed. The meaning of the words of a
// state must survive the process. A model whose words are ids of an [Interner] returns the contents
// of the interner (see [Interner.Snapshot]) and restores them. A model whose words mean the same in
// every run returns nothing.
//
// Snapshot is called while no worker runs, Restore once, before any.
type Snapshotter interface {
	Snapshot() ([]byte, error)
	Restore(snapshot []byte) error
}

// A checkpoint is a file: checkpointMagic; a heading in JSON, preceded by its length; the snapshot
// of the model; the chunks of the log, packed; and the SHA-256 of all that. The visited set is not
// in it, since it follows from the states.
const checkpointMagic = "canvass checkpoint 3\n"

// heading is the state of a search between two rounds.
type heading struct {
	Digest                   string
	Count, Roots, Ends, Next uint32
	Levels                   []uint32
	Transitions              uint64
	Classes                  []uint64
	Initial, Steps           uint64 // see recognise
	Elapsed                  time.Duration
	Audited                  uint64
	Omitted                  float64
	Findings                 []savedFinding
	SnapshotBytes            int
	Chunks                   []savedChunk
}

type savedFinding struct {
	Verdict Verdict
	Cases   uint64
	State   uint32 // that decides it, or statelog.NoState
}

type savedChunk struct {
	Size int
	Base uint32
}

// maxHeading bounds what is read of a file that may not be a checkpoint.
const maxHeading = 1 << 30

// CheckpointError is returned by [Check] when a checkpoint cannot be resumed.
type CheckpointError struct {
	File    string
	Problem string
	Err     error // the cause; may be nil
}

// Error names the file, the problem and what to do.
func (e *CheckpointError) Error() string {
	text := "checker: resume from " + e.File + ": " + e.Problem
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *CheckpointError) Unwrap() error { return e.Err }

// checkSnapshots refuses a model that cannot be checkpointed if the options ask for checkpoints.
func (e *engine) checkSnapshots() error {
	if e.options.Checkpoint == "" {
		return nil
	}
	m, ok := e.model.(Snapshotter)
	if !ok {
		return fmt.Errorf("checker: the model cannot be checkpointed: it does not implement Snapshotter; " +
			"leave Options.Checkpoint empty")
	}
	if _, err := m.Snapshot(); err != nil {
		return fmt.Errorf("checker: the model cannot be checkpointed: %w; leave Options.Checkpoint empty", err)
	}
	wholefile.Sweep(e.options.Checkpoint)
	if err := wholefile.Probe(e.options.Checkpoint); err != nil { // fail now, not after an hour
		return fmt.Errorf("checker: write checkpoint %s: %w", e.options.Checkpoint, err)
	}
	return nil
}

// digest distinguishes models and options whose searches differ.
func (e *engine) digest() string {
	d := sha256.New()
	fmt.Fprintf(d, "%q %d %s %d %d %q\n", e.options.ModelName, e.states.Width, e.options.Storage,
		e.options.HashSeed, e.options.BitstateBytes, e.applied)
	for _, p := range e.properties {
		fmt.Fprintf(d, "%q %d\n", p.Name, p.Shape)
	}
	for _, c := range e.classes {
		fmt.Fprintf(d, "%q %v\n", c.Name, c.Fair)
		if c.Strong {
			fmt.Fprintln(d, "strong")
		}
		if c.Finite {
			fmt.Fprintln(d, "finite")
		}
		if c.Optional {
			fmt.Fprintln(d, "optional")
		}
	}
	return hex.EncodeToString(d.Sum(nil))
}

// saveIfDue writes a checkpoint if it is time to. It is called between rounds. If the context ends
// meanwhile, the old checkpoint stays: saveAtEnd writes another.
func (e *engine) saveIfDue() {
	if e.options.Checkpoint != "" && time.Since(e.saved) >= e.options.CheckpointEvery {
		e.save(e.steady)
	}
}

// timeToSave reports whether the deadline leaves time to search on and to write the checkpoint
// then. Otherwise the search ends early, so that the check as a whole keeps its deadline.
func (e *engine) timeToSave() bool {
	const assumed = 64 << 20 // bytes a second
	deadline, limited := e.ctx.Deadline()
	if !limited || e.options.Checkpoint == "" {
		return true
	}
	bytes := float64(e.states.InMemory()) + float64(e.states.OnDisk())
	if e.reporter != nil {
		bytes += float64(e.reporter.MemoryBytes())
	}
	rate := float64(assumed)
	if e.saveRate > 0 {
		rate = e.saveRate / 2
	}
	return time.Until(deadline) > time.Duration(bytes/rate*float64(time.Second))
}

// saveAtEnd writes a checkpoint if the search ended early, or if liveness is still to be decided:
// that takes long too, and a resumed check begins with it. If the search ended within a round, the
// last checkpoint stays.
func (e *engine) saveAtEnd(liveness bool) {
	if e.options.Checkpoint == "" || e.complete && !liveness || e.midRound || e.failure != nil || e.pool.crash != nil {
		return
	}
	if e.saveFail == nil && e.kept == uint64(e.states.Count) && e.keptNext == e.next {
		return // it is in the checkpoint
	}
	e.save(func() bool { return true })
}

// errAbandoned is why a checkpoint was not written to its end.
var errAbandoned = errors.New("the check is to end")

// whileSteady is a writer and a reader that fails once it must not go on.
type whileSteady struct {
	io.Writer
	io.Reader
	steady func() bool
}

func (w whileSteady) Write(p []byte) (int, error) {
	if !w.steady() {
		return 0, errAbandoned
	}
	return w.Writer.Write(p)
}

func (w whileSteady) Read(p []byte) (int, error) {
	if !w.steady() {
		return 0, errAbandoned
	}
	return w.Reader.Read(p)
}

// save replaces the checkpoint. The old one stays until the new one is complete, and if it must not
// go on.
func (e *engine) save(steady func() bool) {
	begun := time.Now()
	err := wholefile.Write(e.options.Checkpoint, func(f io.Writer) error {
		sum, out := sha256.New(), bufio.NewWriterSize(whileSteady{Writer: f, steady: steady}, 1<<20)
		if err := e.writeCheckpoint(io.MultiWriter(out, sum)); err != nil {
			return err
		}
		_, err := out.Write(sum.Sum(nil))
		return errors.Join(err, out.Flush())
	})
	switch {
	case errors.Is(err, errAbandoned):
		return
	case err != nil:
		err = fmt.Errorf("checker: write checkpoint %s: %w", e.options.Checkpoint, err)
	default:
		e.kept, e.keptNext = uint64(e.states.Count), e.next
		bytes := float64(e.states.InMemory()) + float64(e.states.OnDisk())
		e.saveRate = bytes / max(time.Since(begun).Seconds(), 1e-3)
	}
	e.saveFail, e.saved = err, time.Now()
}

func (e *engine) writeCheckpoint(w io.Writer) error {
	snapshot, err := e.model.(Snapshotter).Snapshot()
	if err != nil {
		return err
	}
	h := heading{
		Digest: e.digest(), Count: e.states.Count, Roots: e.states.Roots, Ends: e.ends, Next: e.next, Levels: e.levels,
		Transitions: e.transitions, Classes: e.counts, Initial: e.initialSum, Steps: e.steps(),
		Elapsed: time.Since(e.begun), Audited: e.audited, Omitted: e.omitted, SnapshotBytes: len(snapshot),
	}
	for _, f := range e.findings {
		state := uint32(statelog.NoState)
		if n := len(f.trail.hops); n > 0 {
			state = f.trail.hops[n-1].State
		}
		h.Findings = append(h.Findings, savedFinding{f.verdict, f.cases, state})
	}
	tail, base := e.states.PackTail()
	for i := range e.states.Sealed {
		size, base := e.states.SealedChunk(i)
		h.Chunks = append(h.Chunks, savedChunk{size, base})
	}
	h.Chunks = append(h.Chunks, savedChunk{len(tail), base})
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	length := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	for _, part := range [][]byte{[]byte(checkpointMagic), length, text, snapshot} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	var buffer []byte
	for i := range e.states.Sealed {
		if _, err := w.Write(e.states.Read(i, &buffer)); err != nil {
			return err
		}
	}
	_, err = w.Write(tail)
	return err
}

// resume restores the search from a checkpoint. It reports false if that is not possible.
func (e *engine) resume() bool {
	f, err := os.Open(e.options.Checkpoint)
	if err != nil {
		return e.cannotResume("the file cannot be opened", err)
	}
	defer f.Close()
	if e.visited.Lossy && !e.visited.Allot(e.options.bitstate()) {
		return e.halt(StoppedByMemory)
	}
	var h heading
	in := bufio.NewReaderSize(whileSteady{Reader: f, steady: e.steady}, 1<<20)
	if !e.intact(f) || !e.readCheckpoint(in, &h) || !e.rekeyAll() ||
		!e.recognise(&h) || !e.sameFindings(&h) {
		return false
	}
	if e.options.Resumed != nil {
		e.pool.guard("Options.Resumed", func() { e.options.Resumed(uint64(e.states.Count), e.depth()) })
	}
	return true
}

// cannotResume ends the check: with an error, or early if the context has ended while the file was
// read.
func (e *engine) cannotResume(problem string, err error) bool {
	if errors.Is(err, errAbandoned) {
		return e.haltCancelled()
	}
	e.failure = &CheckpointError{e.options.Checkpoint, problem, err}
	return false
}

// intact reports whether the file is a checkpoint and ends with the sum of its contents, so that no
// part of a damaged file is used. It reads up to and with checkpointMagic.
func (e *engine) intact(f *os.File) bool {
	start, want := make([]byte, len(checkpointMagic)), make([]byte, sha256.Size)
	if _, err := io.ReadFull(f, start); err != nil || string(start) != checkpointMagic {
		return e.cannotResume("the file is not a checkpoint of this version; start again without resuming", err)
	}
	info, err := f.Stat()
	if err != nil {
		return e.cannotResume("the file cannot be read", err)
	}
	sum, end := sha256.New(), info.Size()-sha256.Size
	_, err = io.Copy(sum, whileSteady{Reader: io.NewSectionReader(f, 0, end), steady: e.steady})
	if err == nil {
		_, err = f.ReadAt(want, end)
	}
	if err != nil || string(want) != string(sum.Sum(nil)) {
		return e.cannotResume("the file is damaged; use an older one or start again", err)
	}
	return true
}

func (e *engine) readCheckpoint(in io.Reader, h *heading) bool {
	start := make([]byte, 8)
	if _, err := io.ReadFull(in, start); err != nil {
		return e.cannotResume("the file ends early", err)
	}
	length := binary.LittleEndian.Uint64(start)
	if length > maxHeading {
		return e.cannotResume("the file is damaged (its heading is too long); use an older one or start again", nil)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(in, text); err != nil {
		return e.cannotResume("the file ends within its heading; use an older one or start again", err)
	}
	if err := json.Unmarshal(text, h); err != nil {
		return e.cannotResume("the file is damaged (its heading cannot be read)", err)
	}
	if h.Digest != e.digest() {
		return e.cannotResume("it was written for another model, "+
			"for other properties (with liveness or without), or with another storage, seed or model name; "+
			"use the options that it was written with", nil)
	}
	if !e.plausible(h) {
		return e.cannotResume("the file is damaged (its heading contradicts itself); "+
			"use an older one or start again", nil)
	}
	e.kept, e.keptNext = uint64(h.Count), h.Next // whatever comes of it
	snapshot := make([]byte, h.SnapshotBytes)
	if _, err := io.ReadFull(in, snapshot); err != nil {
		return e.cannotResume("the file ends early", err)
	}
	if err := e.model.(Snapshotter).Restore(snapshot); err != nil {
		return e.cannotResume("the model refuses its snapshot", err)
	}
	for i, c := range h.Chunks {
		data := make([]byte, c.Size)
		if _, err := io.ReadFull(in, data); err != nil {
			return e.cannotResume("the file ends early", err)
		}
		if !e.states.Restore(data, c.Base, min(statelog.ChunkStates, int(h.Count)-i*statelog.ChunkStates)) {
			return e.halt(StoppedByMemory)
		}
	}
	e.adopt(h)
	return true
}

// plausible reports whether the numbers of a heading are consistent.
func (e *engine) plausible(h *heading) bool {
	chunks := int(h.Count>>statelog.ChunkBits) + 1
	ok := len(h.Levels) > 0 && h.Roots > 0 && h.Roots <= h.Count && h.Next <= h.Ends && h.Ends <= h.Count &&
		h.SnapshotBytes >= 0 && h.Elapsed >= 0 &&
		len(h.Findings) == len(e.findings) && len(h.Classes) == len(e.counts) && len(h.Chunks) == chunks
	for _, c := range h.Chunks {
		ok = ok && c.Size >= 0 && c.Size <= statelog.MostPacked(e.states.Width)
	}
	for _, f := range h.Findings {
		ok = ok && (f.State < h.Count || f.State == statelog.NoState)
	}
	return ok
}

// adopt restores the state of a search.
func (e *engine) adopt(h *heading) {
	e.states.Count, e.states.Roots = h.Count, h.Roots
	e.ends, e.next, e.levels = h.Ends, h.Next, h.Levels
	e.transitions, e.omitted, e.audited = h.Transitions, h.Omitted, h.Audited
	e.begun = e.begun.Add(-h.Elapsed)
	copy(e.counts, h.Classes)
	for i, f := range h.Findings {
		e.findings[i] = finding{verdict: f.Verdict, cases: f.Cases}
		if f.State != statelog.NoState {
			e.findings[i].trail = e.trailTo(f.State)
		}
	}
	e.reopen()
}

// rekeyAll fills the visited set with the keys of the states that were read.
func (e *engine) rekeyAll() bool {
	if e.layout.Kind > statekey.Folded {
		return e.rebuild()
	}
	return e.rekey(0)
}

// sameFindings requires that the properties of single states have the findings that the checkpoint
// has: with a changed predicate under the same name, verdicts would mix two predicates. All states
// that were read are evaluated again.
func (e *engine) sameFindings(h *heading) bool {
	for i := range e.findings {
		e.findings[i].verdict = Inconclusive
	}
	e.reopen()
	ok := e.pool.each(e.states.ChunkCount(), false, func(w *worker, chunk int) {
		first := uint32(chunk) << statelog.ChunkBits
		last := min(uint64(first)+statelog.ChunkStates, uint64(h.Count))
		for i := first; uint64(i) < last && !e.cancelled(); i++ {
			e.evaluate(w, i, w.cursor.Vector(i))
		}
	})
	if !ok {
		return false
	}
	var other []string
	for _, p := range e.open {
		if _, first := e.noted(p); first != h.Findings[p].State {
			other = append(other, e.properties[p].Name)
		}
	}
	for i, f := range h.Findings {
		e.findings[i].verdict = f.Verdict
	}
	e.reopen()
	switch {
	case e.cancelled():
		return e.haltCancelled()
	case len(other) > 0:
		return e.cannotResume(fmt.Sprintf("%s now has other verdicts in states of the checkpoint; "+
			"with a changed predicate, start again without resuming",
			strings.Join(other, ", ")), nil)
	}
	return true
}

// recognised is how many states steps uses.
const recognised = 256

// recognise requires that the model has the initial states of the checkpoint, and the same steps
// from some of the states that had been expanded. So it refuses a model that has the same digest
// but other steps.
func (e *engine) recognise(h *heading) bool {
	n := 0
	all := e.eachInitial(func(state []uint32) bool {
		e.initialSum += sumOf(state)
		n++
		return n%initialStretch != 0 || !e.cancelled()
	})
	switch {
	case !all && e.failure == nil:
		return e.haltCancelled()
	case !all:
		return false
	case e.initialSum != h.Initial:
		return e.cannotResume("the model has other initial states than when it was written; "+
			"start again without resuming", nil)
	case e.steps() != h.Steps:
		return e.cannotResume("some states have other successors than when it was written; "+
			"start again without resuming", nil)
	}
	return true
}

// steps is the sum of the hash values of the steps from some of the states that have been expanded.
func (e *engine) steps() (sum uint64) {
	w, some := e.pool.workers[0], min(e.next, recognised)
	for k := range some {
		i := uint32(uint64(k) * uint64(e.next) / uint64(some))
		w.out.Reset()
		w.state = i
		w.expand(w.cursor.Vector(i), &w.out)
		for at, class := range w.out.classes {
			sum += sumOf(w.out.At(at)) * (2*uint64(class) + 1)
		}
		sum *= 3 // distinguishes the states that the steps leave
	}
	return sum
}

// sumOf is the hash value of a vector. Sums of them do not depend on the order in which a model
// lists its states.
func sumOf(state []uint32) uint64 {
	sum := fnv.New64a()
	var bytes [4]byte
	for _, word := range state {
		binary.LittleEndian.PutUint32(bytes[:], word)
		_, _ = sum.Write(bytes[:])
	}
	return sum.Sum64()
}
