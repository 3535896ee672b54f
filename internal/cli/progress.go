package cli

import (
	"fmt"
	"io"
	"os"
	"time"
)

// Progress shows how far a command has come: on a terminal one line that is overwritten, anywhere
// else a line now and then.
type Progress struct {
	to      io.Writer
	quiet   bool
	live    bool // overwrite one line
	columns int  // of the terminal
	shown   bool // there is a line to overwrite
}

// NewProgress returns the progress of a command. A quiet one shows nothing.
func NewProgress(m *Messages, quiet bool) *Progress {
	live := m.Terminal() && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return &Progress{to: m.Raw(), quiet: quiet, live: live, columns: m.Columns()}
}

// Every is how often a line should be shown.
func (p *Progress) Every() time.Duration {
	if p.live {
		return 200 * time.Millisecond
	}
	return 10 * time.Second
}

// Show shows a line, in place of the last one if this is a terminal.
func (p *Progress) Show(text string) {
	if p.quiet {
		return
	}
	text = Escape(text)
	if !p.live {
		fmt.Fprintf(p.to, "canvass: %s\n", text)
		return
	}
	if runes := []rune(text); len(runes) > p.columns-1 {
		text = string(runes[:p.columns-1])
	}
	fmt.Fprintf(p.to, "\r\x1b[K%s", text)
	p.shown = true
}

// Note writes a line that stays.
func (p *Progress) Note(text string) {
	if p.quiet {
		return
	}
	p.Clear()
	fmt.Fprintf(p.to, "canvass: %s\n", Escape(text))
}

// Clear removes the line, so that something else can be written.
func (p *Progress) Clear() {
	if p.shown {
		fmt.Fprint(p.to, "\r\x1b[K")
		p.shown = false
	}
}
