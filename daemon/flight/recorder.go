package flight

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
)

// The bounds of a record.
const (
	SegmentBytes = 16 << 20               // a segment that is longer is followed by a new one
	TotalBytes   = 256 << 20              // of all segments in a folder
	MemoryBytes  = 32 << 20               // of unwritten records
	FlushEvery   = 100 * time.Millisecond // how long a record stays in memory
)

// limits are the bounds, smaller in tests.
type limits struct {
	segment, total, memory int
	every                  time.Duration
}

// Recorder writes the record of one incarnation. Its methods may be called from several goroutines.
type Recorder struct {
	header Header
	limits limits
	writer *writer
	ended  chan struct{} // closed when the writer's goroutine has ended

	mu       sync.Mutex
	changed  sync.Cond // after each write
	queue    []chunk
	queued   int    // bytes in the queue and being written
	given    uint64 // chunks that were queued, ever
	written  uint64 // chunks that are in the file, or lost
	sequence uint64 // of the last record
	size     int    // of the segment
	whole    bool   // the segment has begun and nothing in it was lost
	gap      uint64 // lost records that no file counts yet
	lost     uint64
	err      error // of the last write that failed
	closed   bool
	wake     chan struct{}
}

// chunk is some frames for a segment.
type chunk struct {
	begins  uint32 // with opens: the number of the segment
	opens   bool   // a new file
	bytes   []byte
	records uint64
}

// New creates the folder if it is missing, and returns a recorder. Nothing is written before
// Snapshot. Until then, and after a gap, records are lost.
func New(dir string, header Header) (*Recorder, error) {
	return newRecorder(dir, header, limits{SegmentBytes, TotalBytes, MemoryBytes, FlushEvery})
}

func newRecorder(dir string, header Header, l limits) (*Recorder, error) {
	if err := header.validate(); err != nil {
		return nil, fmt.Errorf("begin a record in %s: %w", dir, err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("begin a record: %w", err)
	}
	header.Segment = 0
	r := &Recorder{
		header: header, limits: l, ended: make(chan struct{}), wake: make(chan struct{}, 1),
		writer: &writer{dir: dir, life: header.Life, total: int64(l.total), segment: int64(l.segment)},
	}
	r.changed.L = &r.mu
	go r.write()
	return r, nil
}

// Due reports that a new segment should begin: call Snapshot.
func (r *Recorder) Due() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.closed && (!r.whole && r.queued <= r.limits.memory/2 || r.size >= r.limits.segment)
}

// Snapshot begins a segment with the states of all cores that run.
func (r *Recorder) Snapshot(at time.Duration, states []State) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	if r.queued > r.limits.memory/2 { // the disk is behind; another segment would not be complete
		return
	}
	h := r.header
	h.At, h.Wall = at, time.Now()
	r.header.Segment++
	bytes := appendHeader(beginFrame([]byte(magic)), h)
	bytes, _ = endFrame(bytes, len(magic)) // see validate
	r.put(chunk{opens: true, begins: h.Segment, bytes: bytes})
	r.size, r.whole = len(bytes), true
	if r.gap > 0 {
		r.add(Record{Kind: GapRecord, Lost: r.gap})
		r.gap = 0
	}
	for _, s := range states {
		r.add(Record{Kind: SnapshotRecord, Core: s.Core, At: at, Bytes: s.Bytes})
	}
}

// Begin records the state that a new core is made with.
func (r *Recorder) Begin(core CoreID, at time.Duration, state []byte) {
	r.record(Record{Kind: SnapshotRecord, Core: core, At: at, Bytes: state})
}

// End records that a core is dropped.
func (r *Recorder) End(core CoreID) { r.record(Record{Kind: EndRecord, Core: core}) }

// Input records an input before its step, and returns the sequence of the record. Frame is the
// connection's number of the frame that brought it, or 0.
func (r *Recorder) Input(core CoreID, at time.Duration, frame uint64, input []byte) uint64 {
	return r.record(Record{Kind: InputRecord, Core: core, At: at, Frame: frame, Bytes: input})
}

// Output records the digest of the output of the core's last input.
func (r *Recorder) Output(core CoreID, digest uint64) {
	r.record(Record{Kind: OutputRecord, Core: core, Digest: digest})
}

// Sent records that an envelope of the output of an input has left in a frame.
func (r *Recorder) Sent(step uint64, envelope uint32, frame uint64) {
	r.record(Record{Kind: SentRecord, Step: step, Envelope: envelope, Frame: frame})
}

func (r *Recorder) record(rec Record) uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.add(rec)
}

// add appends a record to the segment, or counts it as lost.
func (r *Recorder) add(rec Record) uint64 {
	r.sequence++
	rec.Sequence = r.sequence
	// A segment that is never ended would grow without limit.
	if !r.whole || r.closed || r.queued > r.limits.memory || r.size > 2*r.limits.segment {
		r.lose(1)
		return rec.Sequence
	}
	last := len(r.queue) - 1
	if last < 0 || len(r.queue[last].bytes) > 1<<16 {
		r.put(chunk{})
		last = len(r.queue) - 1
	}
	c := &r.queue[last]
	before := len(c.bytes)
	var fits bool
	if c.bytes, fits = endFrame(appendRecord(beginFrame(c.bytes), &rec), before); !fits {
		r.lose(1)
		return rec.Sequence
	}
	c.records++
	r.queued += len(c.bytes) - before
	r.size += len(c.bytes) - before
	return rec.Sequence
}

// lose ends the segment: records after a hole are of no use before the next snapshot.
func (r *Recorder) lose(records uint64) {
	r.whole = false
	r.gap += records
	r.lost += records
}

func (r *Recorder) put(c chunk) {
	r.queue = append(r.queue, c)
	r.queued += len(c.bytes)
	r.given++
}

// Stats are the numbers of a recorder.
type Stats struct {
	Records  uint64 // that it was given
	Lost     uint64 // of these, the unwritten ones
	Queued   int    // bytes that are not yet in the file
	Segments uint32 // that were begun
	Failing  bool   // a write has failed
}

// Stats returns the numbers so far.
func (r *Recorder) Stats() Stats {
	r.mu.Lock()
	defer r.mu.Unlock()
	return Stats{r.sequence, r.lost, r.queued, r.header.Segment, r.err != nil}
}

// Flush returns when all that was recorded before has been written to the file, or lost. The error
// is that of the last write that failed.
func (r *Recorder) Flush() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.awake()
	for until := r.given; r.written < until; {
		r.changed.Wait()
	}
	return r.err
}

// Close flushes and ends the record. Later records are lost.
func (r *Recorder) Close() error {
	r.mu.Lock()
	if r.gap > 0 && r.sequence > 0 {
		r.sequence++
		frame, _ := endFrame(appendRecord(beginFrame(nil), &Record{Kind: GapRecord, Sequence: r.sequence, Lost: r.gap}), 0)
		r.put(chunk{bytes: frame})
		r.gap = 0
	}
	r.closed = true
	r.awake()
	r.mu.Unlock()
	<-r.ended
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

func (r *Recorder) awake() {
	select {
	case r.wake <- struct{}{}:
	default: // it is awake already
	}
}

// write is the goroutine that writes.
func (r *Recorder) write() {
	defer close(r.ended)
	tick := time.NewTicker(r.limits.every)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-r.wake:
		}
		r.mu.Lock()
		queue, closed := r.queue, r.closed
		r.queue = nil
		r.mu.Unlock()
		for _, c := range queue {
			err := r.writer.write(c)
			r.mu.Lock()
			if err != nil {
				r.lose(c.records)
			}
			if err != nil && !errors.Is(err, errAbandoned) { // else the error before it says more
				r.err = err
			}
			r.queued -= len(c.bytes)
			r.written++
			r.changed.Broadcast()
			r.mu.Unlock()
		}
		if closed {
			if err := r.writer.close(); err != nil {
				r.mu.Lock()
				r.err = errors.Join(r.err, err)
				r.mu.Unlock()
			}
			return
		}
	}
}
