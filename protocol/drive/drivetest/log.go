package drivetest

import (
	"fmt"
	"strings"
)

// Entry is one line of a network's log.
type Entry struct {
	Verb string // kind of event: start, crash, command, timeout, deliver, lost, lose, measured, …
	Text string
}

// String writes an entry as a line. Effects of a step are indented below their cause.
func (e Entry) String() string {
	switch e.Verb {
	case "state":
		return "    " + e.Text
	case "send", "event":
		return "    " + e.Verb + " " + e.Text
	case "command":
		return e.Text
	}
	return strings.TrimSpace(e.Verb + " " + e.Text)
}

// Note adds an entry to the log.
func (w *Network[S, M, C]) Note(verb, format string, args ...any) {
	if w.Log != nil {
		w.Log(Entry{Verb: verb, Text: fmt.Sprintf(format, args...)})
	}
}

// Quietly runs something without the log.
func (w *Network[S, M, C]) Quietly(run func()) {
	log := w.Log
	w.Log = nil
	run()
	w.Log = log
}

// text is a text that is written only if the log has a reader.
type text func() string

// String writes the text.
func (t text) String() string { return t() }

func (w *Network[S, M, C]) message(m M) text { return func() string { return w.Core.MessageText(m) } }
