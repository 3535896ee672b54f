package swf

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/scheduler"
)

const (
	maxLine   = 1 << 16 // bytes of a line
	maxHeader = 1 << 20 // bytes of all lines before the first job
	maxJobs   = 1 << 26 // some 8 GiB of memory
)

// ReadFile reads a log, which may be compressed with gzip under any name. The workload has the base
// name of the file. An error is an [Error] if the log is at fault.
func ReadFile(path string, o Options) (*scheduler.Workload, Header, error) {
	f, err := fileio.Open(path)
	if err != nil {
		return nil, Header{}, fmt.Errorf("read a log: %w", err)
	}
	defer f.Close()
	w, h, err := Read(f, path, o)
	if err == nil {
		w.Name = filepath.Base(path)
	}
	return w, h, err
}

// Read reads a log from a stream, as [ReadFile] does. The name is the workload's, and the file's in
// errors.
func Read(stream io.Reader, name string, o Options) (*scheduler.Workload, Header, error) {
	o, err := o.resolved()
	if err != nil {
		return nil, Header{}, err
	}
	sum := sha256.New()
	r := reader{file: name, cleaner: cleaner{options: o}, first: -1}
	r.dialect = r.dialectOf()
	text := fileio.Text(io.TeeReader(stream, sum))
	if err := r.readLines(bufio.NewReaderSize(text, maxLine)); err != nil {
		return nil, Header{}, err
	}
	w, err := r.finish()
	if err != nil {
		return nil, Header{}, err
	}
	w.Digest = hex.EncodeToString(sum.Sum(nil))[:16]
	return w, r.header, nil
}

// reader reads one log.
type reader struct {
	cleaner
	file        string
	header      Header
	headerLines []int // of the fields of the header
	headerBytes int
	line        int // the number of the present one
	records     int // lines of jobs that the format allows
	dialect     dialect
	odd         oddities           // of the present line
	first       int64              // submission, or -1
	partitions  names              // of formats that name them
	notes       scheduler.Workload // with the changes that are specific to a format
}

// readLines reads to the end.
func (r *reader) readLines(in *bufio.Reader) error {
	for {
		line, err := in.ReadSlice('\n')
		if len(line) > 0 || err == nil {
			r.line++
		}
		switch {
		case err == bufio.ErrBufferFull:
			return r.atFault(fmt.Sprintf("a line of more than %d bytes", maxLine), r.dialect.want, r.dialect.remedy)
		case err != nil && err != io.EOF:
			return r.broken(err)
		}
		if fault := r.dialect.read(line); fault != nil {
			return fault
		}
		if err == io.EOF && r.line == 0 {
			return r.atFault("the file is empty", r.dialect.want, r.dialect.remedy)
		}
		if err == io.EOF {
			return nil
		}
	}
}

// readLine takes a line of the Standard Workload Format.
func (r *reader) readLine(line []byte) error {
	line = bytes.Trim(line, " \t\n\v\f\r")
	switch {
	case len(line) == 0:
		return nil
	case line[0] == ';':
		return r.comment(string(line[1:]))
	}
	var fields record
	if fault := fields.parse(line, r.options.Round, r.oddities()); fault != nil {
		return r.malformed(line, fault)
	}
	return r.take(&fields)
}

// oddities returns those of the next line, of which there are none yet.
func (r *reader) oddities() *oddities {
	if r.odd.odd {
		r.odd = oddities{}
	}
	return &r.odd
}

// take takes the line of a job.
func (r *reader) take(fields *record) error {
	if r.records++; r.records > maxJobs {
		return r.atFault(fmt.Sprintf("more than %d jobs", maxJobs), "fewer", "cut the log into several")
	}
	if submit := fields[fieldSubmit]; submit >= 0 && (submit < r.first || r.first < 0) {
		r.first = submit
	}
	r.add(fields, &r.odd)
	return nil
}

// comment takes a comment line, given without its mark. Those between jobs count if they are about
// the machine: a log that was put together may have a second header.
func (r *reader) comment(text string) error {
	text = strings.TrimSpace(text)
	if key := unkeyed(text); key != "" {
		return r.atFault(fmt.Sprintf("the comment %q states a %s without a colon", clipped([]byte(text)), key),
			fmt.Sprintf("; %s: 1024", key), "correct the header")
	}
	if written, key := spaced(text); key != "" {
		return r.atFault(fmt.Sprintf("the comment %q writes %s as %q", clipped([]byte(text)), key, written),
			fmt.Sprintf("; %s: 1024", key), "correct the header")
	}
	if r.records > 0 {
		if key, _, ok := keyed(text); !ok || !isMachineKey(key) {
			return nil
		}
	}
	if r.headerBytes += 1 + len(text); r.headerBytes > maxHeader {
		return r.atFault(fmt.Sprintf("comments of more than %d bytes", maxHeader), r.dialect.want, r.dialect.remedy)
	}
	if r.header.add(text) {
		r.headerLines = append(r.headerLines, r.line)
	}
	return nil
}

// malformed skips a line that the format does not allow if the options say so. A header line
// without its semicolon is never skipped: the workload would be another one.
func (r *reader) malformed(line []byte, fault *Error) error {
	key, isHeader := headerWithout(line)
	switch {
	case isHeader && r.options.Format == "swf" && (r.records == 0 || isMachineKey(key)):
		remedy := "begin the line with a semicolon"
		if line[0] == '#' {
			remedy += ", or name a log in the Grid Workloads Format gwf:FILE"
		}
		return r.atFault(fmt.Sprintf("the line %q is not a job but a header without its semicolon", clipped(line)),
			fmt.Sprintf("; %s: …", key), remedy)
	case r.options.SkipBad:
		r.counts[skippedBad]++
		return nil
	case bytes.IndexByte(line, 0) >= 0:
		return r.atFault("zero bytes, as damaged disks and padding leave them", "text", remedySkip)
	case r.records == 0:
		fault.Remedy = cmp.Or(otherFormat(line, r.options.Format), fault.Remedy)
	}
	fault.File, fault.Line = r.file, r.line
	return fault
}

// finish makes the workload once all lines are read.
func (r *reader) finish() (*scheduler.Workload, error) {
	r.endOfJob()
	skipped := r.counts[skippedBad]
	if r.records == 0 {
		r.line = 0
		if len(r.notes.Changes) > 0 {
			return nil, r.atFault(fmt.Sprintf("no job is left (%s)", changes(&r.notes)), "at least one", "take more of the log")
		}
		if skipped > 0 {
			return nil, r.atFault("all lines that are not comments are malformed", r.dialect.want, r.dialect.remedy)
		}
		return nil, r.atFault("there are only comments and no jobs", r.dialect.want, r.dialect.remedy)
	}
	if err := r.header.finish(r.file, r.headerLines); err != nil {
		return nil, err
	}
	w := &scheduler.Workload{Name: r.file, Jobs: r.jobs}
	r.setMachine(w)
	processors, err := r.processorsPerNode()
	if err != nil {
		return nil, err
	}
	if r.options.Status != "any" { // with all lines, a job has as many as it has parts
		r.counts[repeated] = repeatedNumbers(w.Jobs)
	}
	w.Sort()
	r.settleFormat(w)
	w.Changes = r.notes.Changes
	r.cleaner.note(w)
	if len(w.Jobs) == 0 {
		r.line = 0
		return nil, r.atFault(fmt.Sprintf("no job of %d is left (%s)", r.records, changes(w)),
			"at least one", "see --zero-run, --no-processors and --status")
	}
	if r.options.Unit == "node" && r.options.Format != "sacct" {
		groupProcessors(w, processors)
		if r.header.MaxNodes > 0 {
			w.Nodes = int(r.header.MaxNodes)
		}
	}
	if r.options.Unit == "node" {
		w.Origin.MaxNodes = int64(w.Nodes) // of one processor each, as the sizes of jobs
	}
	return w, nil
}

// setMachine takes the size of the machine from the header.
func (r *reader) setMachine(w *scheduler.Workload) {
	w.Nodes, w.Header = int(r.header.MaxProcs), r.header.machine("MaxProcs")
	if w.Nodes == 0 {
		w.Nodes, w.Header = int(r.header.MaxNodes), r.header.machine("MaxNodes")
	}
	w.Origin = r.header.origin()
	if r.options.Unit == "node" {
		w.Header = r.header.machine("MaxNodes", "MaxProcs")
	}
}

// processorsPerNode is the value of the options, or else of the header. It returns an error if Unit
// "node" needs it and neither has it.
func (r *reader) processorsPerNode() (int, error) {
	n := r.options.ProcessorsPerNode
	if n == 0 {
		n = int(r.header.processorsPerNode())
	}
	if n == 0 && r.options.Unit == "node" && r.options.Format != "sacct" {
		r.line = 0
		return 0, r.atFault(
			fmt.Sprintf("the header states %d processors and %d nodes", r.header.MaxProcs, r.header.MaxNodes),
			"a whole number of processors per node", "say how many processors a node has, or use --unit cpu")
	}
	return n, nil
}

// atFault is an error of the present line, or of the whole file if that is 0.
func (r *reader) atFault(text, expected, remedy string) error {
	return &Error{File: r.file, Line: r.line, Text: text, Expected: expected, Remedy: remedy}
}

// broken distinguishes files that are no text from failures to read.
func (r *reader) broken(err error) error {
	if fault := (*fileio.TextError)(nil); errors.As(err, &fault) {
		return &Error{
			File: r.file, Line: r.line, Text: fault.What, Expected: fault.Want, Remedy: fault.Remedy, Err: fault.Err,
		}
	}
	return fmt.Errorf("read the log %s, line %d: %w", r.file, r.line, err)
}
