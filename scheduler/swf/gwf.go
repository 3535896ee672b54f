package swf

import (
	"bytes"
	"fmt"

	"github.com/canvass-grid/canvass/scheduler"
)

// The fields of the Grid Workloads Format that are used beside the first eleven, which are those of
// the Standard Workload Format. Numbers are minus one.
const (
	gridUser       = 11
	gridGroup      = 12
	gridExecutable = 13
	gridQueue      = 14
	gridSite       = 17 // on which the job ran last
	gridStructure  = 18 // UNITARY, or the kind of a group of jobs
	gridFields     = 29
)

// gridLog reads lines of the Grid Workloads Format: 29 fields between tabs, with # before a
// comment.
type gridLog struct {
	*reader
	users, groups, executables, queues names
}

// readLine takes a line without its end.
func (g *gridLog) readLine(line []byte) error {
	texts := bytes.Fields(line)
	if bytes.IndexByte(line, '\t') >= 0 { // a field may be empty, or a name with blanks
		texts = bytes.Split(bytes.TrimRight(line, "\r\n"), []byte("\t"))
	}
	for i := range texts {
		texts[i] = bytes.TrimSpace(texts[i])
	}
	if n := len(texts); n == gridFields+1 && len(texts[n-1]) == 0 {
		texts = texts[:n-1] // a tab at the end
	}
	line = bytes.TrimSpace(line)
	switch {
	case len(line) == 0:
		return nil
	case line[0] == '#':
		return g.comment(string(line[1:]))
	case g.records == 0 && bytes.EqualFold(texts[0], []byte("JobID")):
		return nil // the names of the fields
	case len(texts) != gridFields:
		return g.malformed(line, &Error{
			Text: counted(len(texts), "field"), Expected: fmt.Sprint(gridFields), Remedy: remedySkip,
		})
	}
	var job record
	odd := g.oddities()
	for i := range job {
		job[i] = scheduler.Unknown
		if i > fieldStatus || isUnknown(string(texts[i])) {
			continue
		}
		value, expected := fields[i].kind.parse(texts[i])
		if expected != "" {
			var fault *Error
			if value, fault = odd.settle(i, texts[i], expected, g.options.Round); fault != nil {
				return g.malformed(line, fault)
			}
		}
		job[i] = value
	}
	job[fieldUser] = g.users.number(string(texts[gridUser]))
	job[fieldGroup] = g.groups.number(string(texts[gridGroup]))
	job[fieldExecutable] = g.executables.number(string(texts[gridExecutable]))
	job[fieldQueue] = g.queues.number(string(texts[gridQueue]))
	job[fieldPartition] = g.partitions.number(string(texts[gridSite]))
	if s := string(texts[gridStructure]); !isUnknown(s) && s != "UNITARY" {
		g.notes.Note("ignored: part of a bag of tasks or a workflow (fields 19 and 20); it is submitted when the log "+
			"says", 1)
	}
	return g.take(&job)
}
