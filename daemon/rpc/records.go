package rpc

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
)

// Copy is the text of a record. It is not decoded in transit, so its bytes do not change.
type Copy struct{ json.RawMessage }

// KeepAnswer is the answer of a custodian. Full is not empty if its disk has no room for the
// contents.
type KeepAnswer struct {
	Full string `json:"full,omitempty"`
}

// Found is a daemon's response to a search for a job.
type Found struct {
	Record    *jobs.Record `json:"record,omitempty"`
	Several   bool         `json:"several,omitempty"`   // jobs have an id that begins so
	Forgotten string       `json:"forgotten,omitempty"` // the id of such a job that this daemon had
}

func (f *Found) check() error {
	if f.Record == nil {
		return nil
	}
	return f.Record.Check()
}

// ListRequest asks a daemon for its copies of jobs whose ids follow After.
type ListRequest struct {
	After string    `json:"after,omitempty"`
	Key   string    `json:"key,omitempty"`
	User  string    `json:"user,omitempty"`
	Since time.Time `json:"since,omitzero"`
	Whole bool      `json:"whole,omitempty"`
}

// Wants reports whether a job matches. It depends only on immutable fields, so older copies match,
// too.
func (q *ListRequest) Wants(r *jobs.Record) bool {
	return (q.Key == "" || r.Key == q.Key) && (q.User == "" || r.User == q.User) && !r.Changes[0].At.Before(q.Since)
}

// Page is the next copies of a daemon, in the order of their ids.
type Page struct {
	Copies []Listed `json:"copies"`
	More   bool     `json:"more,omitempty"`
}

// Listed is a copy; Leads is set if its daemon decides about the job.
type Listed struct {
	ID     string          `json:"id"`
	Record json.RawMessage `json:"record"`
	Leads  bool            `json:"leads,omitempty"`
}

// ElementsRequest asks a custodian for the elements of an array whose indexes follow After.
type ElementsRequest struct {
	Job   jobs.Name `json:"job"`
	After int       `json:"after"` // -1: all
}

// Element is an element of an array, and the name of its latest attempt.
type Element struct {
	api.Element
	Name AttemptName `json:"name"`
}

// LossRequest is an operator's confirmation, to the other custodian of a job, that the disk of one
// is gone for good.
type LossRequest struct {
	Job  jobs.Name        `json:"job"`
	Lost protocol.Address `json:"lost"`
}

// DoRequest asks the custodian that decides about a job to do something.
type DoRequest struct {
	Job jobs.Name `json:"job"`
	ID  string    `json:"id"`
	Do  string    `json:"do"`
}

// JobName is the job whose primary is asked.
func (d DoRequest) JobName() jobs.Name { return d.Job }

// Failure is the error of a user's request, or empty. Errors with a kind keep it.
type Failure struct {
	Kind  int    `json:"kind,omitempty"` // of the error: its place among kinds, from 1
	Error string `json:"error,omitempty"`
}

// kinds are the errors with a kind. Their positions are part of the wire format.
var kinds = []error{
	jobs.ErrOver, jobs.ErrRuns, jobs.ErrKept, jobs.ErrSpec, jobs.ErrUnknown, api.ErrCursor, jobs.ErrBusy,
}

// FailureOf encodes an error, or nil, for another daemon.
func FailureOf(err error) Failure {
	if err == nil {
		return Failure{}
	}
	f := Failure{Error: err.Error()}
	for i, kind := range kinds {
		if errors.Is(err, kind) {
			f.Kind = i + 1
		}
	}
	return f
}

// Err is the error as a user sees it, or nil.
func (f Failure) Err() error {
	switch {
	case f.Error == "":
		return nil
	case f.Kind > 0 && f.Kind <= len(kinds):
		return api.Errorf(kinds[f.Kind-1], "%s", f.Error)
	}
	return errors.New(f.Error)
}

// ElementsLimit is the largest number of elements that a custodian sends at once, so that they fit
// a frame, and of attempts whose printed bytes are asked for at once.
const ElementsLimit = 400
