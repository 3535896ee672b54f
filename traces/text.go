package traces

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// String lists the faults of a budget: "repeat without end, crash 1", or "none".
func (b Budget) String() string {
	var parts []string
	if b.Repeat {
		parts = append(parts, "repeat without end")
	}
	if b.Adversarial {
		parts = append(parts, "adversarial delivery")
	}
	for _, f := range append(b.faults(), b.optional()...) {
		if *f.count > 0 {
			parts = append(parts, f.name+" "+strconv.Itoa(*f.count))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// Claim states in one line the result of a run with the given number of actions.
func (h *Header) Claim(actions int) string {
	verb := "is violated by"
	if h.Verdict == Holds {
		verb = "is witnessed by"
	}
	return fmt.Sprintf("%s: %s (%s) %s a run of %s", h.Model, h.Property, h.Shape, verb, count(actions, "action"))
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// WriteText shows a trace one action a line: its number, its text, and after "=>" the variables
// that it changed (except those of monitors), the messages that it sent and the events that it
// reported. Only the new part of a long value is shown, with "…" for the rest; the file has all of
// it. Lines that start with "#" and "--" are about the run as a whole. [WriteStory] needs no
// knowledge of states.
func WriteText(w io.Writer, t *Trace) error {
	h := &t.Header
	var b strings.Builder
	b.WriteString("# " + h.Claim(len(t.Steps)-1) + "\n")
	if h.Description != "" {
		b.WriteString("# " + h.Description + "\n")
	}
	fmt.Fprintf(&b, "# bounds: %s; faults: %s\n", orDash(h.Bounds), h.Budget)
	if h.Commit != "" || h.Go != "" {
		b.WriteString(strings.TrimSpace(fmt.Sprintf("# commit=%s %s", orDash(h.Commit), h.Go)) + "\n")
	}
	head := b.Len()
	steps(&b, t.Steps, func(i int) string {
		switch {
		case i == h.Trigger && i == t.Loop:
			return "-- " + h.Property + " is triggered, and the loop begins"
		case i == h.Trigger:
			return "-- " + h.Property + " is triggered"
		case i == t.Loop:
			return "-- the loop begins"
		}
		return ""
	})
	if t.Loop >= 0 {
		fmt.Fprintf(&b, "-- back to step %d; the loop repeats forever\n", t.Loop)
	}
	if t.stops() {
		b.WriteString("-- the run stops here: nothing more has to happen\n")
	}
	fmt.Fprintf(&b, "# %s %s (%s)\n", strings.ToUpper(h.Verdict), h.Property, h.Shape)
	text := b.String()
	_, err := io.WriteString(w, text[:head]+legend(text[head:])+text[head:])
	return err
}

// legend explains the lines of actions, if anything in them is cut short.
func legend(lines string) string {
	if !strings.Contains(lines, "…") {
		return ""
	}
	return "# after \"=>\": changes, messages and events of the step; \"…\": unchanged\n"
}

// WriteSteps shows only the lines of the actions, as WriteText does: for runs without a claim.
func WriteSteps(w io.Writer, s []Step) error {
	var b strings.Builder
	steps(&b, s, func(int) string { return "" })
	_, err := io.WriteString(w, b.String())
	return err
}

const (
	widestAction = 56  // from where on the facts do not line up
	longestInit  = 100 // an initial state that is longer takes a line for each variable
)

// steps writes a line for each step, and after it the mark that belongs there.
func steps(b *strings.Builder, all []Step, mark func(int) string) {
	width, digits := 0, max(2, len(strconv.Itoa(len(all)-1)))
	for i := range all {
		if n := utf8.RuneCountInString(all[i].Action.String()); n <= widestAction {
			width = max(width, n)
		}
	}
	var before []Variable
	for i := range all {
		action := all[i].Action.String()
		fmt.Fprintf(b, "%0*d %s", digits, i, action)
		facts := all[i].facts(before)
		line := strings.Join(facts, "; ")
		switch pad := max(width-utf8.RuneCountInString(action), 0); {
		case line == "":
			b.WriteByte('\n')
		case i == 0 && len(line) > longestInit:
			b.WriteString("\n   " + strings.Join(facts, "\n   ") + "\n")
		default:
			b.WriteString(strings.Repeat(" ", pad) + " => " + line + "\n")
		}
		if m := mark(i); m != "" {
			b.WriteString(m + "\n")
		}
		before = all[i].State
	}
}

// derived are the variables of closed systems that the text leaves out: monitors, in bytes, and the
// messages that may arrive again, which the actions show.
var derived = []string{"monitor", "arrived", "past"}

// facts lists the changes, messages and events of a step. Only the new part of a long value is
// shown, and for the acting node also the removed part. Removals elsewhere, as from the network,
// follow from the action.
func (s *Step) facts(before []Variable) []string {
	var facts []string
	for i, v := range s.State {
		switch {
		case slices.Contains(derived, v.Name):
		case i >= len(before) || before[i].Name != v.Name:
			facts = append(facts, v.Name+": "+orDash(v.Value))
		case before[i].Value != v.Value:
			facts = append(facts, v.Name+": "+orDash(brief(before[i].Value, v.Value, s.Action.owns(v.Name))))
		}
	}
	return append(facts, s.Effects...)
}

// orDash replaces an empty text by a dash, which is not overlooked.
func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
