package flight

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/protocol"
)

// ErrCore is wrapped by errors about cores that this build does not have.
var ErrCore = errors.New("this build cannot step the core")

// Report is the result of Verify.
type Report struct {
	Lives   int    `json:"incarnations"`
	Former  int    `json:"lives"` // former name of incarnations; see AddFormerNames
	Files   int    `json:"files"`
	Records uint64 `json:"records"`
	Steps   uint64 `json:"steps"`  // that were taken again with the recorded output
	States  uint64 `json:"states"` // of snapshots that were reached again

	// Notes list unchecked steps, with reasons: a gap, a file that was cut off, a step without
	// output.
	Notes []string `json:"notes,omitempty"`

	// Difference is the first one; nil means that all steps gave what was recorded.
	Difference *Difference `json:"difference,omitempty"`
}

// AddFormerNames copies fields to their former names, which this release still writes.
func (r *Report) AddFormerNames() {
	r.Former = r.Lives
	if r.Difference != nil {
		r.Difference.Former = r.Difference.Life
	}
}

// Difference is a step that this build takes in another way than the record says.
type Difference struct {
	File     string        `json:"file"`
	Life     string        `json:"incarnation"`
	Former   string        `json:"life"`     // former name of incarnation
	Build    string        `json:"build"`    // of the record
	Record   uint64        `json:"record"`   // the sequence of the input, or of the snapshot
	At       time.Duration `json:"at_nanos"` // since boot
	Core     string        `json:"core"`
	Input    string        `json:"input"`    // of the step; of the last one before a snapshot
	What     string        `json:"what"`     // differs
	Recorded string        `json:"recorded"` // a digest, or a state
	Now      string        `json:"now"`      // the value in this build
}

// String shows the difference on several lines.
func (d *Difference) String() string {
	return fmt.Sprintf("%s: record %d of incarnation %s, at %v, core %s: the %s differs\n"+
		"  input:    %s\n  recorded: %s\n  now:      %s",
		d.File, d.Record, d.Life, d.At, d.Core, d.What, d.Input, d.Recorded, d.Now)
}

// Verify reads segments of one or more lives in any order, steps their cores again and compares
// what they do with the record, until the first difference. Cores returns the stepper of a kind.
func Verify(files []string, cores func(CoreKind) (Stepper, error)) (Report, error) {
	return Walk(files, cores, func(*Taken) {})
}

// Taken is a step that was taken again with the recorded output.
type Taken struct {
	Life   string
	Record uint64        // the sequence of the input
	At     time.Duration // CLOCK_BOOTTIME
	Wall   time.Time     // when the incarnation began, plus the progress of CLOCK_BOOTTIME since
	Core   string        // its kind, and the attempt or job that it is for: "custody A.2/14"

	// After is the core after the step, until visit returns.
	After Instance
}

// Walk is Verify, and calls visit after each step that was as recorded: incarnation by incarnation,
// in the order of their names, and those of an incarnation in their order.
func Walk(files []string, cores func(CoreKind) (Stepper, error), visit func(*Taken)) (Report, error) {
	var report Report
	segments, err := order(files)
	if err != nil {
		return report, err
	}
	var l *life
	for _, s := range segments {
		if l == nil || l.header.Life != s.header.Life {
			l = &life{report: &report, header: s.header, running: map[CoreID]*running{}, cores: cores, visit: visit,
				wall: s.header.Wall, boot: s.header.At}
			report.Lives++
		}
		report.Files++
		if err := l.verify(s); err != nil || report.Difference != nil {
			return report, err
		}
	}
	return report, nil
}

// segment is a file and its header.
type segment struct {
	file   string
	header Header
}

// order reads the headers and sorts the files by incarnation and segment.
func order(files []string) ([]segment, error) {
	var all []segment
	for _, file := range files {
		r, err := Open(file)
		if err != nil {
			return nil, err
		}
		all = append(all, segment{file, r.Header})
		r.Close()
	}
	slices.SortStableFunc(all, func(a, b segment) int {
		return cmp.Or(cmp.Compare(a.header.Life, b.header.Life), cmp.Compare(a.header.Segment, b.header.Segment))
	})
	for i := 1; i < len(all); i++ {
		if all[i].header.Life == all[i-1].header.Life && all[i].header.Segment == all[i-1].header.Segment {
			return nil, fmt.Errorf("%s and %s are both segment %d of life %s; leave one out",
				all[i-1].file, all[i].file, all[i].header.Segment, all[i].header.Life)
		}
	}
	return all, nil
}

// life is one incarnation while it is verified.
type life struct {
	report  *Report
	header  Header
	running map[CoreID]*running
	cores   func(CoreKind) (Stepper, error)
	visit   func(*Taken)
	kinds   map[uint8]Stepper
	names   map[uint8]string
	last    uint64        // sequence of the last record
	wall    time.Time     // when the first segment began
	boot    time.Duration // the same by CLOCK_BOOTTIME
	file    string
}

// running is one core.
type running struct {
	Instance
	step   *Record // the input whose output was not compared yet
	input  string  // text of the last input
	digest uint64
}

func (l *life) note(format string, args ...any) {
	l.report.Notes = append(l.report.Notes, fmt.Sprintf(format, args...))
}

// verify reads a segment.
func (l *life) verify(s segment) error {
	l.file, l.header = s.file, s.header
	if err := l.prepare(); err != nil {
		return fmt.Errorf("%s: %w", s.file, err)
	}
	r, err := Open(s.file)
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		record, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return l.context(err)
		}
		l.follow(&record)
		l.report.Records++
		if err := l.record(&record); err != nil {
			return fmt.Errorf("%s: record %d: %w", s.file, record.Sequence, err)
		}
		if l.report.Difference != nil {
			return nil
		}
	}
	if r.Note() != "" {
		l.note("%s", r.Note())
	}
	for id, c := range l.running {
		if c.step != nil {
			l.note("%s: the input of record %d (core %s) has no output: the process ended in this step or soon after it",
				s.file, c.step.Sequence, l.name(id))
			c.step = nil
		}
	}
	return nil
}

// prepare gets the steppers of the kinds.
func (l *life) prepare() error {
	l.kinds, l.names = map[uint8]Stepper{}, map[uint8]string{}
	for _, k := range l.header.Cores {
		stepper, err := l.cores(k)
		if err != nil {
			return fmt.Errorf("core %q of build %s: %w", k.Name, l.header.Build, err)
		}
		l.kinds[k.Kind], l.names[k.Kind] = stepper, k.Name
	}
	return nil
}

// context adds to an error about damage how far the check had come.
func (l *life) context(err error) error {
	return fmt.Errorf("after %d steps: %w", l.report.Steps, err)
}

// follow notices what is missing between two records. Cores go on from the next snapshot.
func (l *life) follow(r *Record) {
	switch {
	case r.Kind == GapRecord:
		l.note("%s: %d records are missing before record %d: the recorder could not write them", l.file, r.Lost, r.Sequence)
	case l.last > 0 && r.Sequence != l.last+1:
		l.note("%s: records %d to %d are missing: no file has them", l.file, l.last+1, r.Sequence-1)
	case l.last == 0 && r.Sequence > 1:
		l.note("%s: records before %d are missing: older segments were deleted, or not given", l.file, r.Sequence)
	default:
		l.last = r.Sequence
		return
	}
	clear(l.running)
	l.last = r.Sequence
}

func (l *life) name(id CoreID) string { return id.Text(l.names[id.Kind]) }

// record checks one record.
func (l *life) record(r *Record) error {
	c := l.running[r.Core]
	switch r.Kind {
	case SnapshotRecord:
		if c == nil {
			return l.load(r)
		}
		l.compareState(c, r)
	case InputRecord, OutputRecord:
		if c == nil {
			return fmt.Errorf("%w: core %s has no snapshot", ErrDamaged, l.name(r.Core))
		}
		if r.Kind == InputRecord {
			return l.step(c, r)
		}
		return l.compareOutput(c, r)
	case EndRecord:
		delete(l.running, r.Core)
	case SentRecord, GapRecord:
	}
	return nil
}

func (l *life) load(r *Record) error {
	kind := l.kinds[r.Core.Kind]
	if kind == nil {
		return fmt.Errorf("%w: the header has no core of kind %d", ErrDamaged, r.Core.Kind)
	}
	loaded, err := kind.Load(r.Bytes)
	if err != nil {
		return fmt.Errorf("core %s: %w", l.name(r.Core), err)
	}
	l.running[r.Core] = &running{Instance: loaded, input: "none before"}
	return nil
}

// step takes a step again. A core that panics differs from a core that went on.
func (l *life) step(c *running, r *Record) (err error) {
	if c.step != nil {
		return fmt.Errorf("%w: the input of record %d has no output", ErrDamaged, c.step.Sequence)
	}
	defer func() {
		if p := recover(); p != nil {
			l.differ(r, c.InputText(), "output", "an output, or the same panic", fmt.Sprintf("the core panics: %v", p))
			err = nil
		}
	}()
	output, err := c.Step(r.Bytes)
	if err != nil {
		return fmt.Errorf("the input of core %s: %w", l.name(r.Core), err)
	}
	c.step, c.digest, c.input = r, protocol.Hash(output), c.InputText()
	return nil
}

func (l *life) compareOutput(c *running, r *Record) error {
	if c.step == nil {
		return fmt.Errorf("%w: an output of core %s without an input", ErrDamaged, l.name(r.Core))
	}
	if c.digest != r.Digest {
		l.differ(c.step, c.input, "output", fmt.Sprintf("an output with digest %016x", r.Digest),
			fmt.Sprintf("%s (digest %016x)", c.OutputText(), c.digest))
		return nil
	}
	l.report.Steps++
	l.visit(&Taken{
		Life: l.header.Life, Record: c.step.Sequence, At: c.step.At, Wall: l.wall.Add(c.step.At - l.boot),
		Core: l.name(r.Core), After: c.Instance,
	})
	c.step = nil
	return nil
}

func (l *life) compareState(c *running, r *Record) {
	if !bytes.Equal(c.State(), r.Bytes) {
		l.differ(r, c.input, "state", c.StateText(r.Bytes), c.StateText(nil))
		return
	}
	l.report.States++
}

func (l *life) differ(r *Record, input, what, recorded, now string) {
	l.report.Difference = &Difference{
		File: l.file, Life: l.header.Life, Build: l.header.Build, Record: r.Sequence, At: r.At, Core: l.name(r.Core),
		Input: input, What: what, Recorded: recorded, Now: now,
	}
}
