package sim

import "strings"

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
