package jobs

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// RecordLimit is the largest record as JSON, in bytes: it fits into a frame between daemons.
const RecordLimit = 224 << 10

// ErrRecord says that a record of another custodian, or of the disk, cannot be read.
var ErrRecord = errors.New("not a record of a job")

// Encode is the record as the disk and the other custodians have it.
func (r *Record) Encode() []byte {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // strings, numbers and times of this package
	}
	return text
}

// Decode is the inverse of Encode.
func Decode(text []byte) (*Record, error) {
	r := &Record{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRecord, err)
	}
	switch {
	case r.Version != Version:
		return nil, fmt.Errorf("%w: it has version %d, this build reads %d", ErrRecord, r.Version, Version)
	case r.ID == "" || len(r.Changes) == 0 || len(r.Custodians) == 0:
		return nil, fmt.Errorf("%w: it lacks id, changes or custodians", ErrRecord)
	case r.Spec.Array == nil && len(r.Spec.Command) == 0, r.Spec.Tasks < 1:
		return nil, fmt.Errorf("%w: job %s has no command or no tasks", ErrRecord, r.ID)
	}
	for i := range r.Attempts {
		if a := &r.Attempts[i]; a.Statuses != nil && len(a.Statuses) != len(a.Hosts) || len(a.Ranks) > len(a.Hosts) {
			return nil, fmt.Errorf("%w: job %s has an attempt with other ranks than hosts", ErrRecord, r.ID)
		}
	}
	return r, nil
}

// fit makes a record small enough for a frame. What hosts have told of attempts is shortened: the
// oldest attempts first, and at last the lists of outputs.
func (r *Record) fit() {
	for i := range r.Attempts {
		if len(r.Encode()) <= RecordLimit {
			return
		}
		for rank := range r.Attempts[i].Ranks {
			told := &r.Attempts[i].Ranks[rank]
			if i < len(r.Attempts)-1 {
				*told = Rank{Isolation: told.Isolation}
				continue
			}
			told.Stderr = ""
			if len(told.Outputs) > 0 {
				told.Outputs, told.Problem = nil, "the lists of all outputs are too long; put them into an archive"
			}
		}
	}
}

// ended is the time at which a job has ended.
func (r *Record) ended() time.Time { return r.Changes[len(r.Changes)-1].At }
