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
	"github.com/canvass-grid/canvass/internal/fileio"
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
	fileio.Sweep(e.options.Checkpoint)
	if err := fileio.Probe(e.options.Checkpoint); err != nil { // fail now, not after an hour
		return fmt.Errorf("checker: write checkpoint %s: %w", e.options.Checkpoint, err)
	}
	return nil
}

// checkpoint is the file that a search is saved to and resumed from.
type checkpoint struct {
	*breadthFirst
	saved    time.Time // the last checkpoint, or when the check began
	saveFail error     // why the last checkpoint could not be written
	saveRate float64   // bytes of states a second of the last one
	kept     uint64    // the states in the checkpoint; 0 if there is none of this search
	keptNext uint32    // the first state that was not expanded in it
}

// digest distinguishes models and options whose searches differ.
func (cp *checkpoint) digest() string {
	d := sha256.New()
	fmt.Fprintf(d, "%q %d %s %d %d %q\n", cp.options.ModelName, cp.states.Width, cp.options.Storage,
		cp.options.HashSeed, cp.options.BitstateBytes, cp.applied)
	for _, p := range cp.properties {
		fmt.Fprintf(d, "%q %d\n", p.Name, p.Shape)
	}
	for _, c := range cp.classes {
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
func (cp *checkpoint) saveIfDue() {
	if cp.options.Checkpoint != "" && time.Since(cp.saved) >= cp.options.CheckpointEvery {
		cp.save(cp.steady)
	}
}

// timeToSave reports whether the deadline leaves time to search on and to write the checkpoint
// then. Otherwise the search ends early, so that the check as a whole keeps its deadline.
func (cp *checkpoint) timeToSave() bool {
	const assumed = 64 << 20 // bytes a second
	deadline, limited := cp.ctx.Deadline()
	if !limited || cp.options.Checkpoint == "" {
		return true
	}
	bytes := float64(cp.states.InMemory()) + float64(cp.states.OnDisk())
	if cp.reporter != nil {
		bytes += float64(cp.reporter.MemoryBytes())
	}
	rate := float64(assumed)
	if cp.saveRate > 0 {
		rate = cp.saveRate / 2
	}
	return time.Until(deadline) > time.Duration(bytes/rate*float64(time.Second))
}

// saveAtEnd writes a checkpoint if the search ended early, or if liveness is still to be decided:
// that takes long too, and a resumed check begins with it. If the search ended within a round, the
// last checkpoint stays.
func (cp *checkpoint) saveAtEnd(liveness bool) {
	failed := cp.failure != nil || cp.pool.crash != nil
	if cp.options.Checkpoint == "" || cp.complete && !liveness || cp.midRound || failed {
		return
	}
	if cp.saveFail == nil && cp.kept == uint64(cp.states.Count) && cp.keptNext == cp.next {
		return // it is in the checkpoint
	}
	cp.save(func() bool { return true })
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
func (cp *checkpoint) save(steady func() bool) {
	begun := time.Now()
	err := fileio.Write(cp.options.Checkpoint, func(f io.Writer) error {
		sum, out := sha256.New(), bufio.NewWriterSize(whileSteady{Writer: f, steady: steady}, 1<<20)
		if err := cp.writeCheckpoint(io.MultiWriter(out, sum)); err != nil {
			return err
		}
		_, err := out.Write(sum.Sum(nil))
		return errors.Join(err, out.Flush())
	})
	switch {
	case errors.Is(err, errAbandoned):
		return
	case err != nil:
		err = fmt.Errorf("checker: write checkpoint %s: %w", cp.options.Checkpoint, err)
	default:
		cp.kept, cp.keptNext = uint64(cp.states.Count), cp.next
		bytes := float64(cp.states.InMemory()) + float64(cp.states.OnDisk())
		cp.saveRate = bytes / max(time.Since(begun).Seconds(), 1e-3)
	}
	cp.saveFail, cp.saved = err, time.Now()
}

func (cp *checkpoint) writeCheckpoint(w io.Writer) error {
	snapshot, err := cp.model.(Snapshotter).Snapshot()
	if err != nil {
		return err
	}
	h := heading{
		Digest: cp.digest(), Count: cp.states.Count, Roots: cp.states.Roots, Ends: cp.ends, Next: cp.next, Levels: cp.levels,
		Transitions: cp.transitions, Classes: cp.counts, Initial: cp.initialSum, Steps: cp.steps(),
		Elapsed: time.Since(cp.begun), Audited: cp.audited, Omitted: cp.omitted, SnapshotBytes: len(snapshot),
	}
	for _, f := range cp.findings {
		state := uint32(statelog.NoState)
		if n := len(f.trail.hops); n > 0 {
			state = f.trail.hops[n-1].State
		}
		h.Findings = append(h.Findings, savedFinding{f.verdict, f.cases, state})
	}
	tail, base := cp.states.PackTail()
	for i := range cp.states.Sealed {
		size, base := cp.states.SealedChunk(i)
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
	for i := range cp.states.Sealed {
		if _, err := w.Write(cp.states.Read(i, &buffer)); err != nil {
			return err
		}
	}
	_, err = w.Write(tail)
	return err
}

// resume restores the search from a checkpoint. It reports false if that is not possible.
func (cp *checkpoint) resume() bool {
	f, err := os.Open(cp.options.Checkpoint)
	if err != nil {
		return cp.cannotResume("the file cannot be opened", err)
	}
	defer f.Close()
	if cp.visited.Lossy && !cp.visited.Allot(cp.options.bitstate()) {
		return cp.halt(StoppedByMemory)
	}
	var h heading
	in := bufio.NewReaderSize(whileSteady{Reader: f, steady: cp.steady}, 1<<20)
	if !cp.intact(f) || !cp.readCheckpoint(in, &h) || !cp.rekeyAll() ||
		!cp.recognise(&h) || !cp.sameFindings(&h) {
		return false
	}
	if cp.options.Resumed != nil {
		cp.pool.guard("Options.Resumed", func() { cp.options.Resumed(uint64(cp.states.Count), cp.depth()) })
	}
	return true
}

// cannotResume ends the check: with an error, or early if the context has ended while the file was
// read.
func (cp *checkpoint) cannotResume(problem string, err error) bool {
	if errors.Is(err, errAbandoned) {
		return cp.haltCancelled()
	}
	cp.failure = &CheckpointError{cp.options.Checkpoint, problem, err}
	return false
}

// intact reports whether the file is a checkpoint and ends with the sum of its contents, so that no
// part of a damaged file is used. It reads up to and with checkpointMagic.
func (cp *checkpoint) intact(f *os.File) bool {
	start, want := make([]byte, len(checkpointMagic)), make([]byte, sha256.Size)
	if _, err := io.ReadFull(f, start); err != nil || string(start) != checkpointMagic {
		return cp.cannotResume("the file is not a checkpoint of this version; start again without resuming", err)
	}
	info, err := f.Stat()
	if err != nil {
		return cp.cannotResume("the file cannot be read", err)
	}
	sum, end := sha256.New(), info.Size()-sha256.Size
	_, err = io.Copy(sum, whileSteady{Reader: io.NewSectionReader(f, 0, end), steady: cp.steady})
	if err == nil {
		_, err = f.ReadAt(want, end)
	}
	if err != nil || string(want) != string(sum.Sum(nil)) {
		return cp.cannotResume("the file is damaged; use an older one or start again", err)
	}
	return true
}

func (cp *checkpoint) readCheckpoint(in io.Reader, h *heading) bool {
	start := make([]byte, 8)
	if _, err := io.ReadFull(in, start); err != nil {
		return cp.cannotResume("the file ends early", err)
	}
	length := binary.LittleEndian.Uint64(start)
	if length > maxHeading {
		return cp.cannotResume("the file is damaged (its heading is too long); use an older one or start again", nil)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(in, text); err != nil {
		return cp.cannotResume("the file ends within its heading; use an older one or start again", err)
	}
	if err := json.Unmarshal(text, h); err != nil {
		return cp.cannotResume("the file is damaged (its heading cannot be read)", err)
	}
	if h.Digest != cp.digest() {
		return cp.cannotResume("it was written for another model, "+
			"for other properties (with liveness or without), or with another storage, seed or model name; "+
			"use the options that it was written with", nil)
	}
	if !cp.plausible(h) {
		return cp.cannotResume("the file is damaged (its heading contradicts itself); "+
			"use an older one or start again", nil)
	}
	cp.kept, cp.keptNext = uint64(h.Count), h.Next // with any result
	snapshot := make([]byte, h.SnapshotBytes)
	if _, err := io.ReadFull(in, snapshot); err != nil {
		return cp.cannotResume("the file ends early", err)
	}
	if err := cp.model.(Snapshotter).Restore(snapshot); err != nil {
		return cp.cannotResume("the model refuses its snapshot", err)
	}
	for i, c := range h.Chunks {
		data := make([]byte, c.Size)
		if _, err := io.ReadFull(in, data); err != nil {
			return cp.cannotResume("the file ends early", err)
		}
		if !cp.states.Restore(data, c.Base, min(statelog.ChunkStates, int(h.Count)-i*statelog.ChunkStates)) {
			return cp.halt(StoppedByMemory)
		}
	}
	cp.adopt(h)
	return true
}

// plausible reports whether the numbers of a heading are consistent.
func (cp *checkpoint) plausible(h *heading) bool {
	chunks := int(h.Count>>statelog.ChunkBits) + 1
	ok := len(h.Levels) > 0 && h.Roots > 0 && h.Roots <= h.Count && h.Next <= h.Ends && h.Ends <= h.Count &&
		h.SnapshotBytes >= 0 && h.Elapsed >= 0 &&
		len(h.Findings) == len(cp.findings) && len(h.Classes) == len(cp.counts) && len(h.Chunks) == chunks
	for _, c := range h.Chunks {
		ok = ok && c.Size >= 0 && c.Size <= statelog.MostPacked(cp.states.Width)
	}
	for _, f := range h.Findings {
		ok = ok && (f.State < h.Count || f.State == statelog.NoState)
	}
	return ok
}

// adopt restores the state of a search.
func (cp *checkpoint) adopt(h *heading) {
	cp.states.Count, cp.states.Roots = h.Count, h.Roots
	cp.ends, cp.next, cp.levels = h.Ends, h.Next, h.Levels
	cp.transitions, cp.omitted, cp.audited = h.Transitions, h.Omitted, h.Audited
	cp.begun = cp.begun.Add(-h.Elapsed)
	copy(cp.counts, h.Classes)
	for i, f := range h.Findings {
		cp.findings[i] = finding{verdict: f.Verdict, cases: f.Cases}
		if f.State != statelog.NoState {
			cp.findings[i].trail = cp.trailTo(f.State)
		}
	}
	cp.reopen()
}

// rekeyAll fills the visited set with the keys of the states that were read.
func (cp *checkpoint) rekeyAll() bool {
	if cp.layout.Kind > statekey.Folded {
		return cp.rebuild()
	}
	return cp.rekey(0)
}

// sameFindings requires that the properties of single states have the findings that the checkpoint
// has: with a changed predicate under the same name, verdicts would mix two predicates. All states
// that were read are evaluated again.
func (cp *checkpoint) sameFindings(h *heading) bool {
	for i := range cp.findings {
		cp.findings[i].verdict = Inconclusive
	}
	cp.reopen()
	ok := cp.pool.each(cp.states.ChunkCount(), false, func(w *worker, chunk int) {
		first := uint32(chunk) << statelog.ChunkBits
		last := min(uint64(first)+statelog.ChunkStates, uint64(h.Count))
		for i := first; uint64(i) < last && !cp.cancelled(); i++ {
			cp.evaluate(w, i, w.cursor.Vector(i))
		}
	})
	if !ok {
		return false
	}
	var other []string
	for _, p := range cp.open {
		if _, first := cp.noted(p); first != h.Findings[p].State {
			other = append(other, cp.properties[p].Name)
		}
	}
	for i, f := range h.Findings {
		cp.findings[i].verdict = f.Verdict
	}
	cp.reopen()
	switch {
	case cp.cancelled():
		return cp.haltCancelled()
	case len(other) > 0:
		return cp.cannotResume(fmt.Sprintf("%s now has other verdicts in states of the checkpoint; "+
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
func (cp *checkpoint) recognise(h *heading) bool {
	n := 0
	all := cp.eachInitial(func(state []uint32) bool {
		cp.initialSum += sumOf(state)
		n++
		return n%initialStretch != 0 || !cp.cancelled()
	})
	switch {
	case !all && cp.failure == nil:
		return cp.haltCancelled()
	case !all:
		return false
	case cp.initialSum != h.Initial:
		return cp.cannotResume("the model has other initial states than when it was written; "+
			"start again without resuming", nil)
	case cp.steps() != h.Steps:
		return cp.cannotResume("some states have other successors than when it was written; "+
			"start again without resuming", nil)
	}
	return true
}

// steps is the sum of the hash values of the steps from some of the states that have been expanded.
func (cp *checkpoint) steps() (sum uint64) {
	w, some := cp.pool.workers[0], min(cp.next, recognised)
	for k := range some {
		i := uint32(uint64(k) * uint64(cp.next) / uint64(some))
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
