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
	"path/filepath"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/checker/internal/statekey"
	"github.com/canvass-grid/canvass/checker/internal/statelog"
)

// Snapshotter is implemented by models that can be checkpointed. What the words of a state mean must
// survive the process: a model whose words are ids of an [Interner] returns what the interner holds (see
// [Interner.Snapshot]) and puts it back; one whose words mean the same in every run returns nothing.
//
// Snapshot is called while no worker runs, Restore once, before any.
type Snapshotter interface {
	Snapshot() ([]byte, error)
	Restore(snapshot []byte) error
}

// A checkpoint is a file: checkpointMagic; a heading in JSON, with its length before it; what the model
// returned; the chunks of the store, packed; and the SHA-256 of all that. The visited set is not in it: it
// follows from the states.
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
	Omitted                  float64
	Findings                 []savedFinding
	SnapshotBytes            int
	Chunks                   []savedChunk
}

type savedFinding struct {
	Verdict Verdict
	Cases   uint64
	State   uint32 // that decides it, or noState
}

type savedChunk struct {
	Size int
	Base uint32
}

// maxHeading bounds what is read of a file that may be none of ours.
const maxHeading = 1 << 30

// CheckpointError is returned by [Check] when a checkpoint cannot be resumed.
type CheckpointError struct {
	File    string
	Problem string
	Err     error // nil if there is no more to say
}

// Error names the file and what to do.
func (e *CheckpointError) Error() string {
	text := "checker: cannot resume from " + e.File + ": " + e.Problem
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *CheckpointError) Unwrap() error { return e.Err }

// checkSnapshots refuses a model that cannot be checkpointed if it is to be.
func (e *engine) checkSnapshots() error {
	if e.options.Checkpoint == "" {
		return nil
	}
	m, ok := e.model.(Snapshotter)
	if !ok {
		return fmt.Errorf("checker: a model of type %T cannot be checkpointed: it is no Snapshotter", e.model)
	}
	if _, err := m.Snapshot(); err != nil {
		return fmt.Errorf("checker: a model of type %T cannot be checkpointed: %w", e.model, err)
	}
	f, err := e.newCheckpoint() // better now than after an hour
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// newCheckpoint creates the file that is to replace the checkpoint.
func (e *engine) newCheckpoint() (*os.File, error) {
	file := e.options.Checkpoint
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*")
	if err != nil {
		return nil, fmt.Errorf("checker: the checkpoint cannot be written: %w", err)
	}
	return f, nil
}

// digest tells apart the models and options whose searches differ.
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
	}
	return hex.EncodeToString(d.Sum(nil))
}

// saveIfDue writes a checkpoint if it is time to. No round is under way.
func (e *engine) saveIfDue() {
	if e.options.Checkpoint != "" && time.Since(e.saved) >= e.options.CheckpointEvery {
		e.saveFail = e.save()
		e.saved = time.Now()
	}
}

// saveAtEnd writes a checkpoint if the search ended early, unless that was in the midst of a round:
// then the last checkpoint stands.
func (e *engine) saveAtEnd() {
	if e.options.Checkpoint == "" || e.complete || e.midRound || e.failure != nil || e.pool.crash != nil {
		return
	}
	if err := e.save(); err != nil {
		e.saveFail = err
	}
}

// save replaces the checkpoint. The old one is there until the new one is whole.
func (e *engine) save() (err error) {
	f, err := e.newCheckpoint()
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
			err = fmt.Errorf("checker: the checkpoint cannot be written: %w", err)
		}
	}()
	sum, out := sha256.New(), bufio.NewWriterSize(f, 1<<20)
	if err := e.writeCheckpoint(io.MultiWriter(out, sum)); err != nil {
		return err
	}
	if _, err := out.Write(sum.Sum(nil)); err != nil {
		return err
	}
	if err := errors.Join(out.Flush(), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), e.options.Checkpoint)
}

func (e *engine) writeCheckpoint(w io.Writer) error {
	snapshot, err := e.model.(Snapshotter).Snapshot()
	if err != nil {
		return err
	}
	h := heading{
		Digest: e.digest(), Count: e.states.Count, Roots: e.states.Roots, Ends: e.ends, Next: e.next, Levels: e.levels,
		Transitions: e.transitions, Classes: e.counts, Initial: e.initialSum, Steps: e.steps(), Elapsed: time.Since(e.begun), Omitted: e.omitted, SnapshotBytes: len(snapshot),
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

// resume takes the search up where a checkpoint left it. It reports false if it cannot be.
func (e *engine) resume() bool {
	f, err := os.Open(e.options.Checkpoint)
	if err != nil {
		return e.cannotResume("it cannot be opened", err)
	}
	defer f.Close()
	if e.visited.Lossy && !e.visited.Allot(e.options.bitstate()) {
		return e.halt(StoppedByMemory)
	}
	var h heading
	return e.intact(f) && e.readCheckpoint(bufio.NewReaderSize(f, 1<<20), &h) && e.rekeyAll() && e.recognise(&h) && e.sameFindings(&h)
}

func (e *engine) cannotResume(problem string, err error) bool {
	e.failure = &CheckpointError{e.options.Checkpoint, problem, err}
	return false
}

// intact reports whether the file is a checkpoint and ends with the sum of what stands before, so that no part of a damaged one is
// read. What is read next stands behind checkpointMagic.
func (e *engine) intact(f *os.File) bool {
	start, want := make([]byte, len(checkpointMagic)), make([]byte, sha256.Size)
	if _, err := io.ReadFull(f, start); err != nil || string(start) != checkpointMagic {
		return e.cannotResume("it is no checkpoint of this version", err)
	}
	info, err := f.Stat()
	if err != nil {
		return e.cannotResume("it cannot be read", err)
	}
	sum, end := sha256.New(), info.Size()-sha256.Size
	_, err = io.Copy(sum, io.NewSectionReader(f, 0, end))
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
		return e.cannotResume("it ends early", err)
	}
	length := binary.LittleEndian.Uint64(start)
	if length > maxHeading {
		return e.cannotResume("its heading is too long; the file is damaged", nil)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(in, text); err != nil {
		return e.cannotResume("its heading ends early", err)
	}
	if err := json.Unmarshal(text, h); err != nil {
		return e.cannotResume("its heading makes no sense", err)
	}
	if h.Digest != e.digest() {
		return e.cannotResume("it is that of another model, of other properties (with liveness or without), or of another storage, seed or model name; "+
			"check with the options that it was written with", nil)
	}
	if !e.plausible(h) {
		return e.cannotResume("its heading contradicts itself; the file is damaged", nil)
	}
	snapshot := make([]byte, h.SnapshotBytes)
	if _, err := io.ReadFull(in, snapshot); err != nil {
		return e.cannotResume("it ends early", err)
	}
	if err := e.model.(Snapshotter).Restore(snapshot); err != nil {
		return e.cannotResume("the model does not know its snapshot", err)
	}
	for i, c := range h.Chunks {
		data := make([]byte, c.Size)
		if _, err := io.ReadFull(in, data); err != nil {
			return e.cannotResume("it ends early", err)
		}
		if !e.states.Restore(data, c.Base, min(statelog.ChunkStates, int(h.Count)-i*statelog.ChunkStates)) {
			return e.halt(StoppedByMemory)
		}
	}
	e.adopt(h)
	return true
}

// plausible reports whether the numbers of a heading fit each other.
func (e *engine) plausible(h *heading) bool {
	chunks := int(h.Count>>statelog.ChunkBits) + 1
	ok := len(h.Levels) > 0 && h.Roots > 0 && h.Roots <= h.Count && h.Next <= h.Ends && h.Ends <= h.Count && h.SnapshotBytes >= 0 && h.Elapsed >= 0 &&
		len(h.Findings) == len(e.findings) && len(h.Classes) == len(e.counts) && len(h.Chunks) == chunks
	for _, c := range h.Chunks {
		ok = ok && c.Size >= 0 && c.Size <= statelog.MostPacked(e.states.Width)
	}
	for _, f := range h.Findings {
		ok = ok && (f.State < h.Count || f.State == statelog.NoState)
	}
	return ok
}

// adopt makes the state of a search this one's.
func (e *engine) adopt(h *heading) {
	e.states.Count, e.states.Roots = h.Count, h.Roots
	e.ends, e.next, e.levels = h.Ends, h.Next, h.Levels
	e.transitions, e.omitted = h.Transitions, h.Omitted
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

// sameFindings demands that the properties of single states hold where they held: with another predicate under the name of a former one,
// verdicts would be of both. All states that were read are judged again.
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
		return e.cannotResume(fmt.Sprintf("%s is judged otherwise now in states that it has: with another predicate the check has to begin anew",
			strings.Join(other, ", ")), nil)
	}
	return true
}

// recognised is how many states steps looks at.
const recognised = 256

// recognise demands that the model has the initial states that it had, and from some of the states that had been expanded the
// steps that it had: one that differs from that of the checkpoint in nothing that the digest sees is refused.
func (e *engine) recognise(h *heading) bool {
	e.model.Initial(func(state []uint32) { e.initialSum += sumOf(state) })
	switch {
	case e.initialSum != h.Initial:
		return e.cannotResume("the model now has other initial states; it is another model", nil)
	case e.steps() != h.Steps:
		return e.cannotResume("the model now has other successors of some states; it is another model", nil)
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
		sum *= 3 // whose steps they are
	}
	return sum
}

// sumOf is the hash value of a vector. Sums of them do not depend on the order in which a model tells its states.
func sumOf(state []uint32) uint64 {
	sum := fnv.New64a()
	var bytes [4]byte
	for _, word := range state {
		binary.LittleEndian.PutUint32(bytes[:], word)
		_, _ = sum.Write(bytes[:])
	}
	return sum.Sum64()
}
