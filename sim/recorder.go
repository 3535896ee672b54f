package sim

import (
	"errors"
	"strings"

	"github.com/canvass-grid/canvass/internal/blame"
	"github.com/canvass-grid/canvass/traces"
)

// RunOptions are services of a run beside its verdict. They do not change the run.
type RunOptions struct {
	Record Recorder    // if set, receives all actions
	Stop   func() bool // if set, is asked now and then whether to give up
	Faults bool        // list the faults of messages, and the steps
	Twice  bool        // execute every step twice; the second result counts

	calls   *blame.Log // of Try
	careful bool       // test the functions in every step
}

// ErrStopped is returned by runs that were given up.
var ErrStopped = errors.New("the run was stopped")

// Recorder receives the actions of a run, in the vocabulary of traces.
type Recorder interface {
	// Begin is called first.
	Begin(now View)
	// Before is called before an action.
	Before(a traces.Action)
	// After is called after the action, with its effects. The view is valid until the next Before.
	After(effects []string, now View)
}

// View is the state of a run at one moment.
type View interface {
	State() []traces.Variable
	// Draw returns a picture, without nodes if there is none.
	Draw() traces.Picture
	// Holds reports whether a property holds now. If only the run as a whole decides that, the error
	// is [ErrUndecided].
	Holds(property string) (bool, error)
}

// The notes that earlier releases worded otherwise.
const (
	healNote    = "faults stop; the run must converge"
	historyNote = "the history is checked"
	deafNote    = "group 0 receives nothing from the others: "
)

// NoteHistory records that the history of the run is checked, which ends the run.
func (r *Run[S, M, C]) NoteHistory() { r.Note("end", historyNote) }

// NoteDeaf records that the nodes of group 0 receive nothing from the others; groups is by node.
func (r *Run[S, M, C]) NoteDeaf(groups string) { r.Note("deaf", deafNote+groups) }

// CurrentNote returns the present text of a note, so that traces of earlier releases can be
// replayed. All other texts are returned unchanged.
func CurrentNote(text string) string {
	switch groups, deaf := strings.CutPrefix(text, "those of group 0 hear nothing of the others: "); {
	case deaf:
		return deafNote + groups
	case text == "faults stop; the world must converge":
		return healNote
	case text == "the history is judged":
		return historyNote
	}
	return text
}
